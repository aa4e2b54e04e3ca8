//! The one binary. All that it does is in the library beside it, so that tests and benches can reach it.

use std::process::ExitCode;

fn main() -> ExitCode {
    punto::run()
}
