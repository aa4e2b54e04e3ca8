//! Long work: divided among threads, with a bar for whoever watches, and kept when it is stopped.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use indicatif::{ProgressBar, ProgressStyle};

/// Set by Ctrl-C: finish the jobs at hand, then report what was done.
static STOP: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C ends the work instead of the program: whoever stops it wants what was done so far.
pub(crate) fn stop_on_ctrl_c() -> anyhow::Result<()> {
    Ok(ctrlc::set_handler(|| STOP.store(true, Ordering::Relaxed))?)
}

/// One thread a core.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Does the jobs 0 to `jobs` − 1 on so many threads, each adding to a sum of its own, and adds up the sums.
///
/// The sum must not depend on the order. Ctrl-C leaves out the jobs that were not begun.
pub(crate) fn divide<S: Send>(
    what: &'static str,
    jobs: u64,
    threads: usize,
    empty: impl Fn() -> S + Sync,
    job: impl Fn(u64, &mut S) + Sync,
    add: impl Fn(&mut S, &S) + Sync,
) -> S {
    let bar = if std::io::stderr().is_terminal() {
        let template = "{msg} {wide_bar} {percent}% {eta} left";
        let style = ProgressStyle::with_template(template).expect("a sound template");
        ProgressBar::new(jobs).with_style(style).with_message(what)
    } else {
        ProgressBar::hidden()
    };
    let next = AtomicU64::new(0);
    let total = Mutex::new(empty());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut sum = empty();
                while !STOP.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= jobs {
                        break;
                    }
                    job(number, &mut sum);
                    bar.inc(1);
                }
                add(&mut total.lock().expect("no thread panics"), &sum);
            });
        }
    });
    bar.finish_and_clear();
    total.into_inner().expect("no thread panics")
}
