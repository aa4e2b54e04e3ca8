//! Keeps a lease: renews it every two seconds from a thread and a connection of its own, so that a long commit does not hold
//! up a renewal, and gives it back when the writer is done.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::{Postgres, Session};
use crate::Error;
use crate::lease::{BEAT, Holder, Silence};

/// How soon a renewal that failed is tried again.
const RETRY: Duration = Duration::from_millis(500);

/// Held as long as the lease is.
#[derive(Debug)]
pub(super) struct Keeper {
    holder: Arc<Mutex<Holder>>,
    /// Dropped, it ends the thread.
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Keeper {
    /// Renews a lease that was just taken.
    pub(super) fn start(url: &str, term: i64, holder: Holder) -> Result<Keeper, Error> {
        let holder = Arc::new(Mutex::new(holder));
        let (stop, stopped) = channel();
        let (url, kept) = (url.to_owned(), holder.clone());
        let thread = thread::Builder::new()
            .name("lease".to_owned())
            .spawn(move || keep(&url, term, &kept, &stopped))
            .map_err(Error::failed)?;
        Ok(Keeper { holder, stop: Some(stop), thread: Some(thread) })
    }

    /// Checks that this process may write and answer now.
    pub(super) fn require(&self) -> Result<(), Error> {
        let holder = self.holder.lock().unwrap_or_else(PoisonError::into_inner);
        holder.require(boot_time()).map_err(|silence| match silence {
            Silence::Lapsed => {
                Error::Unreachable("the lease on the ledger could not be renewed in time".into())
            }
            Silence::Replaced => Error::Fenced,
        })
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            // It has nothing to tell.
            let _ = thread.join();
        }
    }
}

fn keep(url: &str, term: i64, holder: &Mutex<Holder>, stopped: &Receiver<()>) {
    let mut store = None;
    let mut wait = BEAT;
    while stopped.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
        // From before it is sent: whoever waits counts from after it was carried out.
        let sent = boot_time();
        let renewed = connected(&mut store, url, term).and_then(|store| store.renew(term));
        match renewed {
            Ok(is_renewed) => {
                holder.lock().unwrap_or_else(PoisonError::into_inner).answered(sent, is_renewed);
                if !is_renewed {
                    return;
                }
                wait = BEAT.saturating_sub(boot_time().saturating_sub(sent));
            }
            Err(_) => {
                store = None;
                wait = RETRY;
            }
        }
    }
    // Nothing is written with this term any more. Where it cannot be given back, the next writer waits for a lease.
    let _ = connected(&mut store, url, term).and_then(|store| store.give_back(term));
}

fn connected<'a>(store: &'a mut Option<Postgres>, url: &str, term: i64) -> Result<&'a mut Postgres, Error> {
    if store.is_none() {
        let mut connected = Postgres::connect(url, Session::Keeper)?;
        connected.is_of_term(term)?;
        *store = Some(connected);
    }
    store.as_mut().ok_or_else(|| Error::failed("no connection"))
}

/// Time since the machine was started, the time that it slept included.
pub(super) fn boot_time() -> Duration {
    #[cfg(target_os = "linux")]
    let clock = rustix::time::ClockId::Boottime;
    #[cfg(not(target_os = "linux"))]
    let clock = rustix::time::ClockId::Monotonic;
    let now = rustix::time::clock_gettime(clock);
    Duration::new(now.tv_sec.unsigned_abs(), u32::try_from(now.tv_nsec).unwrap_or(0))
}
