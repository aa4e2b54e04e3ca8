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

/// The least CPU time of a baseline and of some work, run in turn, so that both meet the machine in the same moods.
pub(crate) fn best_beside<A, B>(
    runs: usize,
    mut baseline: impl FnMut() -> A,
    mut work: impl FnMut() -> B,
) -> [Duration; 2] {
    let mut least = [Duration::MAX; 2];
    for _ in 0..runs {
        least[0] = least[0].min(best(1, &mut baseline));
        least[1] = least[1].min(best(1, &mut work));
    }
    least
}
