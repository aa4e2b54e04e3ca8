//! In the making.

use std::io::Write;

use crate::answer::Answer;
use crate::cli;

pub(crate) fn run(_args: &cli::Counting, _out: &mut impl Write) -> anyhow::Result<Answer> {
    anyhow::bail!("not made yet")
}
