//! The tables of the house, each a task of its own, on one ledger.

mod errands;
mod hold;
mod read_back;
mod refusals;
mod screens;
mod seat;
mod seating;
mod secrets;
mod sections;
mod standing;
mod task;
mod wanted;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, PoisonError, RwLock};

use punto_ledger::{Error, Ledger, Place, Reader, TicketKeys, Vault, new_key};
use punto_record::{Approvals, Digest, LedgerKind, Order, ReasonKind, Release, TableId, Volume, Witness};
use punto_table::{Rules, Table};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinSet;

use crate::clock::Clock;
use crate::wire::Answer;
use hold::Holds;
use read_back::{ReadBack, read_back};
use refusals::Refusals;
use task::Task;
use wanted::{Wanted, inbox};

pub use errands::Pace;
pub use hold::Hold;
pub(crate) use screens::{SeatNo, reply_text};
pub(crate) use seat::{IN_FLIGHT, Out, Outbox, Queued, Seat};
pub use secrets::{NoSecret, Secret, Secrets};
pub use standing::Standing;
pub(crate) use wanted::{Leave, Wanted as TableWanted};

/// What all tables of a house share.
#[derive(Debug)]
pub(crate) struct House {
    pub(crate) ledger: Ledger,
    pub(crate) place: Place,
    pub(crate) kind: LedgerKind,
    /// What the register says about approved rules.
    pub(crate) approvals: RwLock<Approvals>,
    pub(crate) clock: Clock,
    pub(crate) release: Release,
    pub(crate) secrets: Secrets,
    pub(crate) pace: Pace,
    /// Why no table opens a further Round.
    pub(crate) holds: Holds,
    /// How each table stands.
    pub(crate) standings: watch::Sender<BTreeMap<TableId, Standing>>,
    /// How often orders were refused.
    pub(crate) refusals: Refusals,
    /// Something after which this process must not go on.
    failed: watch::Sender<Option<Error>>,
}

impl House {
    /// Which rules an order may play, as the house knows them now.
    pub(crate) fn rules(&self, table: &Table, order: &Order) -> Rules {
        let approvals = self.approvals.read().unwrap_or_else(PoisonError::into_inner);
        Rules::of(self.kind, &approvals, table, order)
    }

    /// Whether the ledger can be written again. A full disk gets room and a database comes back: that is waited for. Anything
    /// else ends this process, above all that another writer has taken over.
    pub(crate) async fn recover(&self) -> bool {
        match self.ledger.recover().await {
            Ok(()) => true,
            Err(Error::Full | Error::Unreachable(_)) => false,
            Err(fatal) => {
                self.fatal(&fatal);
                false
            }
        }
    }

    /// The ledger cannot be trusted any more by this process.
    pub(crate) fn fatal(&self, error: &Error) {
        self.failed.send_if_modified(|failed| {
            let is_first = failed.is_none();
            failed.get_or_insert_with(|| error.clone());
            is_first
        });
    }
}

/// The tables of the house. Cloned, it is the same floor.
#[derive(Clone, Debug)]
pub struct Floor {
    house: Arc<House>,
    tables: Arc<RwLock<BTreeMap<TableId, mpsc::Sender<Wanted>>>>,
    tasks: Arc<tokio::sync::Mutex<JoinSet<()>>>,
    /// Held while a table is set up, until it is known whether it was opened.
    set_up: Arc<tokio::sync::Mutex<()>>,
}

/// What a floor is opened with.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct FloorPlan {
    pub ledger: Ledger,
    pub place: Place,
    pub kind: LedgerKind,
    pub clock: Clock,
    pub release: Release,
    pub secrets: Secrets,
    pub pace: Pace,
}

impl Floor {
    /// A floor on a ledger in memory, to try things out: nothing of it is left afterwards.
    ///
    /// # Errors
    /// As [`Floor::open`].
    pub async fn in_memory(clock: Clock, pace: Pace) -> Result<Floor, Error> {
        let release = Release(env!("CARGO_PKG_VERSION").into());
        let (place, kind) = (Place::Memory, LedgerKind::Demo);
        let mut vault = Vault::found(&place, kind, new_key()?, clock.now(), release.clone())?;
        vault.use_ticket_keys(TicketKeys::default(), clock.now())?;
        let (ledger, _) = Ledger::start(vault);
        let secrets = Secrets::in_memory();
        Floor::open(FloorPlan { ledger, place, kind, clock, release, secrets, pace }).await
    }

    /// Reads every table back and puts it to work. Rounds that were interrupted are put through the rules' own paragraph
    /// before anybody can say a word.
    ///
    /// # Errors
    /// If a table cannot be read back.
    pub async fn open(plan: FloorPlan) -> Result<Floor, Error> {
        let FloorPlan { ledger, place, kind, clock, release, secrets, pace } = plan;
        let (standings, failed) = (watch::Sender::default(), watch::Sender::default());
        let approvals = RwLock::new(ledger.with(|vault| Ok(vault.approvals().clone())).await?);
        let house = House {
            ledger,
            place,
            kind,
            approvals,
            clock,
            release,
            secrets,
            pace,
            holds: Holds::default(),
            refusals: Refusals::default(),
            standings,
            failed,
        };
        let floor = Floor {
            house: Arc::new(house),
            tables: Arc::default(),
            tasks: Arc::default(),
            set_up: Arc::default(),
        };
        // Before a table that runs by itself could open a Round.
        floor.look_at_register().await?;
        let witnesses = floor.house.ledger.with(|vault| Ok(vault.witnesses().in_use().cloned().collect()));
        let witnesses: Vec<Witness> = witnesses.await?;
        floor.wait_for_witnesses(&witnesses);
        let volumes = floor.house.ledger.with(|vault| Ok(vault.heads().map(|(it, _)| it.clone()).collect()));
        let volumes: Vec<Volume> = volumes.await?;
        for volume in volumes {
            if let Volume::Table(id) = volume {
                match floor.put_to_work(&id).await {
                    Ok(_) => {}
                    Err(Error::Damaged(words)) => floor.set_apart(&id, &words).await?,
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(floor)
    }

    /// A table whose record is damaged takes no orders and says so; the others play.
    async fn set_apart(&self, id: &TableId, words: &str) -> Result<(), Error> {
        tracing::error!(table = %id, words, "the table's record is damaged: it is set apart");
        let (named, told, at) = (id.clone(), words.to_owned(), self.house.clock.now());
        let lock = move |vault: &mut Vault| match vault.is_locked(&Volume::Table(named.clone())) {
            true => Ok(()),
            false => vault.lock(at, &named, &told).map(drop),
        };
        self.house.ledger.with(lock).await?;
        self.start(id, ReadBack::damaged(words)).await;
        Ok(())
    }

    async fn put_to_work(&self, id: &TableId) -> Result<mpsc::Sender<Wanted>, Error> {
        let named = id.clone();
        let read = self.house.ledger.with(move |vault| read_back(vault, &named)).await?;
        Ok(self.start(id, read).await)
    }

    async fn start(&self, id: &TableId, read: ReadBack) -> mpsc::Sender<Wanted> {
        // Time goes on from what has been written, whatever the clock of the system says now.
        self.house.clock.at_least(read.table.state().now);
        let mut tasks = self.tasks.lock().await;
        if let Some(there) = self.inbox(id) {
            return there;
        }
        let (sender, receiver) = inbox();
        self.tables.write().unwrap_or_else(PoisonError::into_inner).insert(id.clone(), sender.clone());
        tasks.spawn(Task::new(id.clone(), self.house.clone(), read, receiver).run());
        sender
    }

    pub(crate) fn inbox(&self, id: &TableId) -> Option<mpsc::Sender<Wanted>> {
        self.tables.read().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }

    /// The tables there are.
    pub fn tables(&self) -> Vec<TableId> {
        self.tables.read().unwrap_or_else(PoisonError::into_inner).keys().cloned().collect()
    }

    /// How each table stands, and a way to wait for news.
    pub fn standings(&self) -> watch::Receiver<BTreeMap<TableId, Standing>> {
        self.house.standings.subscribe()
    }

    /// How often orders were refused since the start, by reason.
    pub fn refusals(&self) -> impl Iterator<Item = (ReasonKind, u64)> {
        self.house.refusals.all()
    }

    /// How many software shoes were found to be lost since the start.
    pub fn shoes_lost(&self) -> u64 {
        self.house.secrets.lost()
    }

    /// Something after which this process must not go on.
    pub fn failed(&self) -> watch::Receiver<Option<Error>> {
        self.house.failed.subscribe()
    }

    /// The ledger that everything is written into.
    pub fn ledger(&self) -> &Ledger {
        &self.house.ledger
    }

    /// Where the ledger is.
    pub(crate) fn place(&self) -> &Place {
        &self.house.place
    }

    /// Tries to go on with a ledger that has stopped.
    pub(crate) async fn recover(&self) {
        self.house.recover().await;
    }

    /// What the ledger is for.
    pub fn kind(&self) -> LedgerKind {
        self.house.kind
    }

    /// The approvals that the house has recorded.
    pub fn approvals(&self) -> Approvals {
        self.house.approvals.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// No Round opens under this text from now on, though nothing is written down yet: whatever was decided before has an
    /// earlier time than the deed that will say so.
    pub(crate) fn withhold(&self, text: Digest) {
        self.house.approvals.write().unwrap_or_else(PoisonError::into_inner).withhold(text);
    }

    /// Reads the register again, after something was written into it or could not be.
    ///
    /// # Errors
    /// If the ledger failed.
    pub(crate) async fn read_approvals(&self) -> Result<(), Error> {
        let read = self.house.ledger.with(|vault| Ok(vault.approvals().clone())).await?;
        *self.house.approvals.write().unwrap_or_else(PoisonError::into_inner) = read;
        Ok(())
    }

    /// Holds Rounds back while what was found in the register of people and devices is not cleared, and not any longer.
    ///
    /// # Errors
    /// If the ledger failed.
    pub async fn look_at_register(&self) -> Result<(), Error> {
        match self.house.ledger.with(|vault| Ok(vault.register_tampered().is_some())).await? {
            true => self.hold_rounds(Hold::RegisterTampered),
            false => self.release_rounds(Hold::RegisterTampered),
        };
        Ok(())
    }

    /// Keeps every table from opening a further Round; Rounds in play go on. Whether it was not in force before.
    pub fn hold_rounds(&self, hold: Hold) -> bool {
        let is_new = self.house.holds.set(hold);
        if is_new {
            tracing::error!(cause = hold.id(), "no table opens a further Round");
        }
        is_new
    }

    /// Ends a hold; Rounds open again when there is no other. Whether it was in force.
    pub fn release_rounds(&self, hold: Hold) -> bool {
        let was_held = self.house.holds.lift(hold);
        if was_held {
            tracing::warn!(cause = hold.id(), "this no longer keeps tables from opening a Round");
        }
        was_held
    }

    /// Why no table opens a further Round; empty if they may.
    pub fn holds(&self) -> BTreeSet<Hold> {
        self.house.holds.all()
    }

    /// The clock of the house.
    pub fn clock(&self) -> &Clock {
        &self.house.clock
    }

    /// This process must not go on.
    pub fn fail(&self, words: &str) {
        self.house.fatal(&Error::Stopped(words.into()));
    }

    /// Gives an order to a table; a table that is not there is set up, for the order that opens it. `None` if there is no
    /// such table or it is too busy.
    ///
    /// # Errors
    /// If the ledger failed.
    pub async fn order(&self, id: &TableId, order: Order, set_up: bool) -> Result<Option<Answer>, Error> {
        let Some(inbox) = self.inbox(id) else {
            return if set_up { self.set_up(id, order).await.map(Some) } else { Ok(None) };
        };
        Ok(Some(Floor::ask(&inbox, order).await))
    }

    /// Sets a table up for the order that opens it. One that was not opened is gone again.
    async fn set_up(&self, id: &TableId, order: Order) -> Result<Answer, Error> {
        let floor = self.clone();
        let id = id.clone();
        // Goes on though whoever asked is gone: nothing half set up is left behind.
        let work = tokio::spawn(async move {
            let _one = floor.set_up.lock().await;
            let inbox = floor.put_to_work(&id).await?;
            let answer = Floor::ask(&inbox, order).await;
            // Where the ledger failed it may have been opened all the same.
            if matches!(answer, Answer::Refused(_) | Answer::Denied(_) | Answer::Busy) {
                floor.dissolve(&id, &inbox).await;
            }
            Ok(answer)
        });
        work.await.unwrap_or_else(|_| Err(Error::Stopped("setting up was given up".into())))
    }

    async fn dissolve(&self, id: &TableId, inbox: &mpsc::Sender<Wanted>) {
        let (answer, dissolved) = oneshot::channel();
        if inbox.send(Wanted::Dissolve(answer)).await.is_ok() && dissolved.await.unwrap_or(false) {
            self.tables.write().unwrap_or_else(PoisonError::into_inner).remove(id);
        }
    }

    async fn ask(inbox: &mpsc::Sender<Wanted>, order: Order) -> Answer {
        let (answer, answered) = oneshot::channel();
        match inbox.try_send(Wanted::Ask(Box::new(order), answer)) {
            Ok(()) => answered.await.unwrap_or(Answer::Unknown),
            Err(_) => Answer::Busy,
        }
    }

    /// Looks at a table whose every entry is durable. `None` if there is no such table.
    pub async fn look<T: Send + 'static>(
        &self,
        id: &TableId,
        look: impl FnOnce(&Table) -> T + Send + 'static,
    ) -> Option<T> {
        let (answer, answered) = oneshot::channel();
        let look = Box::new(move |table: &Table| {
            let _ = answer.send(look(table));
        });
        self.inbox(id)?.send(Wanted::Look(look)).await.ok()?;
        answered.await.ok()
    }

    /// Looks at a table as [`Floor::look`] does, and keeps everything from happening there until the other half of the
    /// answer is dropped. Hold it briefly: a whole table waits.
    pub(crate) async fn hold<T: Send + 'static>(
        &self,
        id: &TableId,
        look: impl FnOnce(&Table) -> T + Send + 'static,
    ) -> Option<(T, oneshot::Sender<()>)> {
        let (answer, answered) = oneshot::channel();
        let (held, done) = oneshot::channel();
        let look = Box::new(move |table: &Table| {
            let _ = answer.send(look(table));
        });
        self.inbox(id)?.send(Wanted::Hold(look, done)).await.ok()?;
        Some((answered.await.ok()?, held))
    }

    /// Reads the record, beside whoever writes it.
    ///
    /// # Errors
    /// What it returns, or that the store failed.
    pub async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&mut Reader<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        match &self.house.place {
            Place::Memory => self.house.ledger.with(move |vault| read(&mut vault.reader())).await,
            place @ (Place::File(_) | Place::Database(_)) => {
                let place = place.clone();
                let work = move || Reader::open(&place).and_then(|mut reader| read(&mut reader));
                let done = tokio::task::spawn_blocking(work).await;
                done.unwrap_or_else(|_| Err(Error::Stopped("the reading was given up".into())))
            }
        }
    }

    /// Has a table read back after somebody unlocked it.
    pub async fn reload(&self, id: &TableId) {
        if let Some(inbox) = self.inbox(id) {
            let _ = inbox.send(Wanted::Reload).await;
        }
    }

    /// Tells every table that the clock of the system was moved.
    pub async fn note_clock(&self, jump: crate::clock::Jump) {
        for id in self.tables() {
            if let Some(inbox) = self.inbox(&id) {
                let _ = inbox.send(Wanted::ClockJumped(jump)).await;
            }
        }
    }

    /// Ends play in order: Rounds are finished or void, and every screen is told.
    pub async fn stop(&self) {
        let mut waiting = Vec::new();
        for id in self.tables() {
            if let Some(inbox) = self.inbox(&id) {
                let (stopped, done) = oneshot::channel();
                if inbox.send(Wanted::Stop(stopped)).await.is_ok() {
                    waiting.push(done);
                }
            }
        }
        for done in waiting {
            // A task that is gone has stopped as well.
            let _ = done.await;
        }
        self.tables.write().unwrap_or_else(PoisonError::into_inner).clear();
        let mut tasks = self.tasks.lock().await;
        while tasks.join_next().await.is_some() {}
    }
}
