//! CPU time of this thread, which other work on the machine disturbs least.

use std::hint::black_box;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// The CPU time of this thread so far.
fn cpu() -> Duration {
    clock_gettime(ClockId::ThreadCPUTime).try_into().expect("CPU time is positive")
}

/// The least CPU time of several runs.
pub(crate) fn best<T>(runs: usize, mut work: impl FnMut() -> T) -> Duration {
    (0..runs)
        .map(|_| {
            let start = cpu();
            black_box(work());
            cpu() - start
        })
        .min()
        .expect("at least one run")
}
