//! Witnesses: checkpoints go elsewhere by themselves, and no Round opens in a house before somebody elsewhere has confirmed
//! that this ledger goes on from what it signed before.
//!
//! Which witnesses there are stands in the record. Nothing here keeps play waiting: a house is held (`HistoryUnwitnessed`)
//! before its tables are put to work, and released when every witness was asked and one has answered.

mod ask;
mod call;
mod notes;
mod server;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use punto_ledger::Error;
use punto_record::{
    Actor, Contest, Deed, Note, Origin, PublicKey, Seq, Timestamp, Witness, WitnessAddress, WitnessName,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::sync::{Notify, Semaphore};
use tokio::time::{MissedTickBehavior, interval, timeout};

use crate::app::App;
use crate::floor::{Floor, Hold};
use ask::{Answer, Ours, ask_folder, ask_server};

pub use call::Roots;
pub use server::{WitnessError, WitnessOptions, WitnessReady, serve_witness};

/// How often checkpoints are sent while something happens.
const EVERY: Duration = Duration::from_secs(15);

/// How often they are sent although nothing happens: a witness that is gone is noticed, and its signature is fresh.
const AGAIN: Duration = Duration::from_secs(10 * 60);

/// How long a folder or one request may take.
const PATIENCE: Duration = Duration::from_secs(4);

/// How long the last sending may take when the server goes down.
const LAST: Duration = Duration::from_secs(10);

/// How a witness stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WitnessState {
    /// It was not asked since the start.
    NotAsked,
    /// It has confirmed this history since the start.
    Confirmed,
    /// It keeps another history.
    Contested,
    /// It has not confirmed anything since the start, and cannot be reached or has nothing to say.
    Unreachable,
}

/// Whether anybody compares this ledger's history with what was signed before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum History {
    /// No witness is named: nobody does.
    NotCompared,
    /// No witness has answered since the start.
    Unwitnessed,
    /// A witness has confirmed it since the start, and none keeps another one.
    Confirmed,
    /// A witness keeps another one.
    Contested,
}

/// A witness, as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) witness: Witness,
    pub(crate) origin: Origin,
    pub(crate) state: WitnessState,
    /// Entries that it has confirmed.
    pub(crate) size: u64,
    /// When it confirmed them.
    pub(crate) at: Option<Timestamp>,
    /// Entries that it does not have yet, of those under the last checkpoint.
    pub(crate) lag: u64,
    /// Entries under the last checkpoint.
    pub(crate) own: u64,
    /// Since when it has confirmed nothing.
    pub(crate) age: Duration,
    /// Why it did not, the last time.
    pub(crate) words: Option<String>,
    /// What it has instead.
    pub(crate) contest: Option<Contest>,
}

/// What is known of one witness since the start.
#[derive(Debug)]
struct Known {
    origin: Origin,
    /// The deed that named it: by another one it may be another witness.
    named: Seq,
    /// Entries that it has confirmed since the start.
    confirmed: Option<u64>,
    at: Option<Timestamp>,
    /// Whether it had confirmed this history before the start. One that begins with what it is shown proves nothing about
    /// what was signed before.
    vouches: bool,
    last: Instant,
    answer: Option<Answer>,
    /// Keeps a folder that hangs from being asked again.
    busy: Arc<Semaphore>,
}

impl Known {
    fn new(origin: Origin, named: Seq) -> Known {
        let (last, busy) = (Instant::now(), Arc::new(Semaphore::new(1)));
        Known { origin, named, confirmed: None, at: None, vouches: false, last, answer: None, busy }
    }

    /// Whether it must be sent this.
    fn wants(&self, size: u64) -> bool {
        self.answer != Some(Answer::Confirmed) || self.confirmed < Some(size) || self.last.elapsed() >= AGAIN
    }
}

#[derive(Debug, Default)]
struct Shared {
    /// The witnesses in use when they were last asked.
    told: Vec<(Witness, Origin)>,
    known: BTreeMap<WitnessName, Known>,
    /// Entries under the last checkpoint.
    size: u64,
    /// Whether all were asked since the start.
    asked: bool,
    /// Whether two people opened without any.
    opened: bool,
}

/// The witnesses of a running server. Cloned, they are the same.
#[derive(Clone, Debug)]
pub struct Witnessing {
    shared: Arc<Mutex<Shared>>,
    /// One after another: what a witness answers is about the size that it was known to have.
    asking: Arc<tokio::sync::Mutex<()>>,
    poke: Arc<Notify>,
    roots: Roots,
    patience: Duration,
}

impl Default for Witnessing {
    fn default() -> Witnessing {
        let (shared, asking, poke) = (Arc::default(), Arc::default(), Arc::default());
        Witnessing { shared, asking, poke, roots: Roots::System, patience: PATIENCE }
    }
}

impl Witnessing {
    /// Over TLS, those whose certificates these roots vouch for.
    pub fn believing(roots: Roots) -> Witnessing {
        Witnessing { roots, ..Witnessing::default() }
    }

    /// Gives up on a folder or a request after this.
    #[must_use]
    pub fn patient_for(self, patience: Duration) -> Witnessing {
        Witnessing { patience, ..self }
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How each witness stands.
    pub(crate) fn told(&self) -> Vec<Told> {
        let shared = self.lock();
        let tell = |(witness, origin): &(Witness, Origin)| {
            let known = shared
                .known
                .get(&witness.name)
                .filter(|it| (it.origin, it.named) == (*origin, witness.named));
            let size = known.and_then(|it| it.confirmed).or(witness.confirmed).unwrap_or(0);
            let answer = known.and_then(|it| it.answer.as_ref());
            let told = match answer {
                Some(Answer::Contested(contest)) => Some(contest),
                Some(Answer::Confirmed | Answer::Unreachable(_)) | None => None,
            };
            // What was written down stays so, though the witness cannot be reached any more.
            let contest = told.or(witness.contested.as_ref().map(|(_, contest)| contest)).cloned();
            let words = match answer {
                Some(Answer::Unreachable(words)) => Some(words.clone()),
                Some(Answer::Confirmed | Answer::Contested(_)) | None => None,
            };
            let state = match answer {
                _ if contest.is_some() => WitnessState::Contested,
                None => WitnessState::NotAsked,
                Some(_) if known.is_some_and(|it| it.confirmed.is_some()) => WitnessState::Confirmed,
                Some(_) => WitnessState::Unreachable,
            };
            Told {
                witness: witness.clone(),
                origin: *origin,
                state,
                size,
                at: known.and_then(|it| it.at),
                lag: shared.size.saturating_sub(size),
                own: shared.size,
                age: known.map_or(Duration::ZERO, |it| it.last.elapsed()),
                words,
                contest,
            }
        };
        shared.told.iter().map(tell).collect()
    }

    /// Whether anybody compares this history.
    pub fn history(&self) -> History {
        let told = self.told();
        let is = |state| told.iter().any(|it| it.state == state);
        if told.is_empty() {
            History::NotCompared
        } else if is(WitnessState::Contested) {
            History::Contested
        } else if is(WitnessState::Confirmed) {
            History::Confirmed
        } else {
            History::Unwitnessed
        }
    }

    /// Whether all were asked since the start.
    pub(crate) fn asked(&self) -> bool {
        self.lock().asked
    }

    /// Two people open although nobody could be asked.
    pub(crate) fn open_unwitnessed(&self) {
        self.lock().opened = true;
    }

    /// Remembers what a witness said; of a confirmation the size, when it was given, and whether it vouches for the start.
    fn remember(&self, name: &WitnessName, answer: &Answer, confirmed: Option<(u64, Timestamp, bool)>) {
        let mut shared = self.lock();
        let Some(known) = shared.known.get_mut(name) else { return };
        known.answer = Some(answer.clone());
        if let Some((size, at, vouches)) = confirmed {
            known.vouches |= vouches;
            (known.confirmed, known.at, known.last) = (Some(size), Some(at), Instant::now());
        }
    }

    /// Has them asked soon.
    pub(crate) fn poke(&self) {
        self.poke.notify_one();
    }
}

/// What is to be compared, as the ledger stands.
struct Compared {
    witnesses: Vec<(Witness, Note)>,
    keys: Vec<PublicKey>,
}

/// Sends checkpoints for as long as it is awaited.
pub(crate) async fn keep_sending(app: App) {
    let mut ticks = interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            () = app.witnesses.poke.notified() => {}
        }
        if let Err(error) = ask_all(&app).await {
            tracing::warn!(%error, "witnesses could not be asked");
        }
    }
}

/// Sends the last checkpoint when the server goes down; a witness that hangs does not keep it.
pub(crate) async fn send_last(app: &App) {
    match timeout(LAST, ask_all(app)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(%error, "the last checkpoint could not be sent"),
        Err(_) => tracing::warn!("a witness did not take the last checkpoint in time"),
    }
}

/// Asks every witness that is in use, and sends it the latest checkpoint.
///
/// # Errors
/// If the ledger failed.
pub async fn ask_all(app: &App) -> Result<(), Error> {
    let _one = app.witnesses.asking.lock().await;
    let Compared { witnesses, keys } = read(app).await?;
    let floor = &app.floor;
    let due: Vec<_> = {
        let mut shared = app.witnesses.lock();
        shared.size = witnesses.first().map_or(0, |(_, note)| note.head.size);
        shared.told = witnesses.iter().map(|(witness, note)| (witness.clone(), note.head.origin)).collect();
        let named: Vec<_> = witnesses.iter().map(|(witness, _)| &witness.name).collect();
        shared.known.retain(|name, _| named.contains(&name));
        witnesses.into_iter().filter_map(|(witness, note)| due(&mut shared, witness, note)).collect()
    };
    let asked = due.iter().map(|(witness, note, known, busy)| {
        let (note, keys, known) = (note.clone(), keys.clone(), *known);
        let (name, patience, now) = (witness.name.clone(), app.witnesses.patience, app.clock.now());
        let ours = Ours { floor, note, keys, name, patience, now, known };
        async move { ask(&ours, witness, busy, &app.witnesses.roots).await }
    });
    let answers = join_all(asked).await;
    for ((witness, note, ..), answer) in due.iter().zip(answers) {
        take(app, witness, note, answer).await;
    }
    app.witnesses.lock().asked = true;
    app.look_at_witnesses().await
}

/// The witnesses, a note for each, and the keys of this ledger.
async fn read(app: &App) -> Result<Compared, Error> {
    let clock = app.clock.clone();
    let compared = move |vault: &mut punto_ledger::Vault| {
        let named: Vec<Witness> = vault.witnesses().in_use().cloned().collect();
        if !named.is_empty() && vault.signed_at() == Timestamp(0) {
            vault.checkpoint(clock.now())?;
        }
        let (ledger, keys) = (vault.ledger(), vault.adopted_keys().collect());
        let note = |witness: Witness| vault.note(witness.origin(ledger)).map(|note| (witness, note));
        Ok(Compared { witnesses: named.into_iter().map(note).collect::<Result<_, _>>()?, keys })
    };
    app.floor.ledger().with(compared).await
}

type Due = (Witness, Note, u64, Arc<Semaphore>);

/// A witness that must be sent this note, with what it is known to have.
fn due(shared: &mut Shared, witness: Witness, note: Note) -> Option<Due> {
    let (origin, size) = (note.head.origin, note.head.size);
    let known = shared.known.entry(witness.name.clone()).or_insert_with(|| Known::new(origin, witness.named));
    if (known.origin, known.named) != (origin, witness.named) {
        *known = Known { busy: known.busy.clone(), ..Known::new(origin, witness.named) };
    }
    let has = known.confirmed.or(witness.confirmed).unwrap_or(0);
    let busy = known.busy.clone();
    (size > 0 && known.wants(size)).then_some((witness, note, has, busy))
}

async fn ask(ours: &Ours<'_>, witness: &Witness, busy: &Arc<Semaphore>, roots: &Roots) -> Answer {
    match (&witness.address, &witness.key) {
        (WitnessAddress::Folder(path), _) => ask_folder(ours, path, busy).await,
        (WitnessAddress::Http(prefix), Some(key)) => ask_server(ours, prefix, key, roots).await,
        (WitnessAddress::Http(_), None) => Answer::Unreachable("its key is not known".to_owned()),
    }
}

/// Writes down what has to stand in the record, and remembers an answer. A confirmation counts once its deed is written: at the
/// next start only a witness that is known to have confirmed this history can vouch for it.
async fn take(app: &App, witness: &Witness, note: &Note, answer: Answer) {
    let (name, size) = (witness.name.clone(), note.head.size);
    let (is_news, is_first) = {
        let shared = app.witnesses.lock();
        let Some(known) = shared.known.get(&name) else { return };
        (known.answer.as_ref() != Some(&answer), known.confirmed.is_none())
    };
    let deed = match &answer {
        Answer::Unreachable(words) => {
            if is_news {
                tracing::warn!(witness = %name, words, "a witness has not confirmed this history");
            }
            None
        }
        Answer::Confirmed if is_first || witness.contested.is_some() => {
            tracing::info!(witness = %name, size, "a witness confirmed this history");
            Some(Deed::WitnessConfirmed { witness: name.clone(), size, root: note.head.root })
        }
        Answer::Confirmed => None,
        Answer::Contested(_) if witness.contested.is_some() => None,
        Answer::Contested(contest) => Some(contested(contest, size)),
    };
    let is_confirmed = answer == Answer::Confirmed;
    if !is_confirmed {
        app.witnesses.remember(&name, &answer, None);
    }
    if let Some(deed) = deed
        && let Err(error) = app.deeds.write(Actor::House, deed).await
    {
        tracing::error!(%error, witness = %name, "what a witness said could not be written down");
        return;
    }
    if is_confirmed {
        let vouches = is_first && witness.confirmed.is_some();
        app.witnesses.remember(&name, &answer, Some((size, app.clock.now(), vouches)));
    }
}

/// The deed that says that a witness keeps another history.
pub(crate) fn contested(contest: &Contest, size: u64) -> Deed {
    let Contest { witness, from, to, root } = contest;
    let at = root.map_or_else(String::new, |root| format!(" with the root {root}"));
    let words = format!(
        "witness {witness} has {to} entries{at}, and this ledger of {size} entries does not go on from them; known to be the \
         same: {from}"
    );
    tracing::error!(%witness, words, "a witness keeps another history");
    Deed::VerificationFailed { words: words.into(), register: false, contest: Some(contest.clone()) }
}

impl App {
    /// Whether anybody compares this history. What a start waits for has not been compared.
    pub(crate) fn history(&self) -> History {
        let waits = self.floor.holds().contains(&Hold::HistoryUnwitnessed);
        match self.witnesses.history() {
            History::Confirmed if waits => History::Unwitnessed,
            history @ (History::NotCompared
            | History::Unwitnessed
            | History::Confirmed
            | History::Contested) => history,
        }
    }

    /// Holds Rounds back as far as witnesses give cause.
    ///
    /// # Errors
    /// If the ledger failed.
    pub(crate) async fn look_at_witnesses(&self) -> Result<(), Error> {
        let in_use = |vault: &mut punto_ledger::Vault| Ok(vault.witnesses().in_use().cloned().collect());
        let named: Vec<Witness> = self.floor.ledger().with(in_use).await?;
        let answered = {
            let mut shared = self.witnesses.lock();
            // Also what was written since they were asked.
            shared.told.retain_mut(|(before, origin)| {
                let now = named.iter().find(|it| it.name == before.name);
                let tell = |now: &Witness| (*before, *origin) = (now.clone(), now.origin(origin.ledger));
                now.map(tell).is_some()
            });
            let answered =
                |known: &Known| known.vouches || matches!(known.answer, Some(Answer::Contested(_)));
            shared.opened || (shared.asked && shared.known.values().any(answered))
        };
        let contests = self.witnesses.history() == History::Contested;
        self.floor.hold_by_witnesses(&named, contests);
        // Set at a start and never again: a witness that is named, or lost, during play does not interrupt it.
        if named.is_empty() || answered {
            self.floor.release_rounds(Hold::HistoryUnwitnessed);
        }
        Ok(())
    }
}

impl Floor {
    /// What a start waits for. Only a house is held: elsewhere there is no real money.
    pub(crate) fn wait_for_witnesses(&self, named: &[Witness]) {
        if self.kind().is_house() && !named.is_empty() {
            self.hold_rounds(Hold::HistoryUnwitnessed);
        }
        self.hold_by_witnesses(named, false);
    }

    /// What a witness holds back that keeps another history.
    pub(crate) fn hold_by_witnesses(&self, named: &[Witness], contests: bool) {
        if !self.kind().is_house() {
            return;
        }
        match contests || named.iter().any(|it| it.contested.is_some()) {
            true => self.hold_rounds(Hold::HistoryContested),
            false => self.release_rounds(Hold::HistoryContested),
        };
    }
}
