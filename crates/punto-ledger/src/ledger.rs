//! A vault behind a thread of its own: many callers, one writer, one transaction for all that are waiting.

use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Instant;

use punto_record::{
    Actor, Batch, Deed, OrderId, Seq, SignedCheckpoint, TicketAnswer, TicketNo, Timestamp, Volume,
};
use tokio::sync::{mpsc, oneshot, watch};

use crate::Error;
use crate::pulse::Pulse;
use crate::receipt::Receipt;
use crate::staff::StaffBook;
use crate::stored::Snapshot;
use crate::vault::{Append, Vault};

/// Jobs that may wait; whoever brings more must wait as well.
const WAITING: usize = 4096;

/// Entries that go into one transaction at most, unless a single batch has more.
const MOST_ENTRIES: usize = 8192;

/// Milliseconds between two checkpoints at least: each lists all tables, and nobody keeps more than one a second.
const LEAST_BETWEEN: u64 = 1000;

/// A ledger that many may append to at once. Cloned, it is the same ledger.
///
/// While the writer is busy with one commit, batches of all tables gather; they are the next commit. The thread ends
/// when the last clone is dropped.
#[derive(Clone, Debug)]
pub struct Ledger {
    jobs: mpsc::Sender<Job>,
    staff: StaffBook,
    pulse: Arc<Pulse>,
    stopped: watch::Receiver<Option<Error>>,
}

type Answer<T> = oneshot::Sender<Result<T, Error>>;

enum Job {
    Append(Append, Answer<Receipt>),
    /// Anything that has the vault to itself.
    Alone(Box<dyn FnOnce(&mut Vault) + Send>),
}

impl std::fmt::Debug for Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Job::Append(append, _) => write!(f, "Append to {}", append.volume),
            Job::Alone(_) => f.write_str("Alone"),
        }
    }
}

impl Ledger {
    /// Puts a vault behind a thread. The handle gives it back when the last clone of the ledger is gone.
    ///
    /// # Panics
    /// If the system cannot start a thread.
    pub fn start(vault: Vault) -> (Ledger, JoinHandle<Vault>) {
        let (jobs, waiting) = mpsc::channel(WAITING);
        let staff = vault.staff().clone();
        let pulse = Arc::new(Pulse::default());
        let felt = pulse.clone();
        let (stop, stopped) = watch::channel(None);
        let thread = thread::Builder::new()
            .name("ledger".to_owned())
            .spawn(move || write(vault, waiting, &felt, &stop))
            .expect("a thread can be started");
        (Ledger { jobs, staff, pulse, stopped }, thread)
    }

    /// Who is employed as what, without waiting for the writer.
    pub const fn staff(&self) -> &StaffBook {
        &self.staff
    }

    /// How the writer does, without waiting for it.
    pub fn pulse(&self) -> &Pulse {
        &self.pulse
    }

    /// What stopped the writer, and a way to wait for news: it is there as soon as the writer knows.
    pub fn stopped(&self) -> watch::Receiver<Option<Error>> {
        self.stopped.clone()
    }

    /// Has the writer look whether it may still write, though nobody has anything to write.
    ///
    /// # Errors
    /// If the writer is gone.
    pub async fn look(&self) -> Result<(), Error> {
        self.with(|vault| {
            vault.stopped();
            Ok(())
        })
        .await
    }

    /// Appends a batch. A receipt means that it is durable.
    ///
    /// # Errors
    /// If it was refused, or could not be made durable.
    pub async fn append(&self, volume: Volume, batch: Batch) -> Result<Receipt, Error> {
        let (answer, answered) = oneshot::channel();
        let handed_in = Instant::now();
        let job = Job::Append(Append { volume, batch }, answer);
        self.jobs.send(job).await.map_err(|_| gone())?;
        let appended = answered.await.map_err(|_| gone())?;
        // As a table feels it: waiting for the writer included.
        self.pulse.appended(handed_in.elapsed(), appended.is_ok());
        appended
    }

    /// As [`Ledger::append`], for callers that are not async.
    ///
    /// # Errors
    /// As [`Ledger::append`].
    ///
    /// # Panics
    /// If called from async code.
    pub fn append_blocking(&self, volume: Volume, batch: Batch) -> Result<Receipt, Error> {
        let (answer, answered) = oneshot::channel();
        let job = Job::Append(Append { volume, batch }, answer);
        self.jobs.blocking_send(job).map_err(|_| gone())?;
        answered.blocking_recv().map_err(|_| gone())?
    }

    /// Does something that has the vault to itself.
    ///
    /// # Errors
    /// What it returns, or that the writer is gone.
    pub async fn with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Vault) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let (answer, answered) = oneshot::channel();
        let job = Job::Alone(Box::new(move |vault| {
            let _ = answer.send(work(vault));
        }));
        self.jobs.send(job).await.map_err(|_| gone())?;
        answered.await.map_err(|_| gone())?
    }

    /// What may be said about a ticket; if it is good, it is the order's.
    ///
    /// # Errors
    /// If the store failed.
    pub async fn reserve(&self, ticket: TicketNo, by: OrderId, at: Timestamp) -> Result<TicketAnswer, Error> {
        self.with(move |vault| vault.reserve(&ticket, &by, at)).await
    }

    /// Writes a deed into the house's volume.
    ///
    /// # Errors
    /// As [`Vault::deed`].
    pub async fn deed(&self, id: OrderId, by: Actor, at: Timestamp, deed: Deed) -> Result<Seq, Error> {
        self.with(move |vault| vault.deed(id, by, at, deed)).await
    }

    /// Signs everything that is there, at most once a second: `None` if the last time was less than that ago, or nothing
    /// was added since.
    ///
    /// # Errors
    /// As [`Vault::checkpoint`].
    pub async fn checkpoint(&self, at: Timestamp) -> Result<Option<SignedCheckpoint>, Error> {
        self.with(move |vault| match at.0 < vault.signed_at().0.saturating_add(LEAST_BETWEEN) {
            true => Ok(None),
            false => vault.checkpoint(at),
        })
        .await
    }

    /// Opens a ledger that has stopped anew, where that can be done.
    ///
    /// # Errors
    /// As [`Vault::recover`].
    pub async fn recover(&self) -> Result<(), Error> {
        self.with(Vault::recover).await
    }

    /// Keeps a snapshot of a table.
    ///
    /// # Errors
    /// As [`Vault::keep_snapshot`].
    pub async fn keep_snapshot(&self, snapshot: Snapshot) -> Result<(), Error> {
        self.with(move |vault| vault.keep_snapshot(&snapshot)).await
    }
}

fn gone() -> Error {
    Error::Stopped("its writer is gone".into())
}

fn write(
    mut vault: Vault,
    mut waiting: mpsc::Receiver<Job>,
    pulse: &Pulse,
    stop: &watch::Sender<Option<Error>>,
) -> Vault {
    pulse.tickets(vault.outstanding());
    let mut next = waiting.blocking_recv();
    while let Some(job) = next.take() {
        pulse.begin();
        match job {
            Job::Alone(work) => work(&mut vault),
            Job::Append(append, answer) => {
                let mut entries = append.batch.entries.len();
                let (mut group, mut answers) = (vec![append], vec![answer]);
                while entries < MOST_ENTRIES {
                    match waiting.try_recv() {
                        Ok(Job::Append(append, answer)) => {
                            entries += append.batch.entries.len();
                            group.push(append);
                            answers.push(answer);
                        }
                        Ok(job @ Job::Alone(_)) => {
                            next = Some(job);
                            break;
                        }
                        Err(_) => break,
                    }
                }
                for (answer, result) in answers.into_iter().zip(vault.append(&group)) {
                    // Whoever asked may have gone; what is durable stays so.
                    let _ = answer.send(result);
                }
            }
        }
        pulse.tickets(vault.outstanding());
        pulse.end();
        stop.send_if_modified(|known| {
            let found = vault.stopped();
            let is_news = known.as_ref() != found;
            if is_news {
                *known = found.cloned();
            }
            is_news
        });
        if next.is_none() {
            next = waiting.blocking_recv();
        }
    }
    vault
}
