//! What the house itself does at a table: it deals from a software shoe, runs an electronic table, reveals shoes that are
//! done with. Everything it does is an order like anybody's, decided by the rules.

use std::sync::Arc;
use std::time::Duration;

use punto_record::{CardSet, Cards, Cause, Command, Digest, Report, Seen, Source, Timestamp};
use punto_rules::{Burn, Card};
use punto_table::{Law, Phase, Round, Stage, State, Table};

use super::secrets::{NoSecret, Secret, Secrets};

/// Who shuffled a software shoe.
pub(crate) const SHUFFLER: &str = "software";

/// Why a shoe is taken out of use whose order is lost.
const LOST: &str = "the order of the cards is lost: this shoe is never revealed";

/// Why the cards are exchanged during a Round.
const REPLACED: &str = "a ruling had the cards replaced";

/// How quickly the house deals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Between one card and the next.
    pub card: Duration,
    /// Between one Round and the next.
    pub between: Duration,
}

impl Pace {
    /// As people like it.
    pub const REAL: Pace = Pace { card: Duration::from_millis(900), between: Duration::from_secs(4) };

    /// Without waiting.
    pub const FLAT_OUT: Pace = Pace { card: Duration::ZERO, between: Duration::ZERO };

    /// So many times as quick.
    #[must_use]
    pub fn times(self, factor: u32) -> Pace {
        let factor = factor.max(1);
        Pace { card: self.card / factor, between: self.between / factor }
    }
}

/// Something that the house does next, and how long after the last thing that happened.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Errand {
    pub(crate) command: Command,
    pub(crate) after: Duration,
    /// And not before, by the clock.
    pub(crate) not_before: Option<Timestamp>,
}

fn now(command: Command) -> Option<Errand> {
    Some(Errand { command, after: Duration::ZERO, not_before: None })
}

/// What the house does next at a table, if anything. `attended`: somebody sits at a terminal.
pub(crate) fn next(table: &Table, secrets: &Secrets, pace: Pace, attended: bool) -> Option<Errand> {
    let state = table.state();
    let law = table.law().filter(|law| law.settings.cards == Cards::Software)?;
    if let Some(reveal) = reveal(state, secrets) {
        return now(reveal);
    }
    let runs_itself = law.is_electronic();
    match in_use(table, secrets) {
        None | Some(Ok(_)) => {}
        Some(Err(NoSecret::Lost(_))) => return lost(state, runs_itself),
        Some(Err(NoSecret::Unreadable(_))) => return None,
    }
    match &state.phase {
        Phase::Closed => None,
        Phase::Round(round) => match &round.stage {
            Stage::Dealing {} if round.shoe_awaited && runs_itself => exchange(state, REPLACED),
            Stage::Dealing {} => draw(state, round, secrets, pace),
            Stage::Betting { .. }
            | Stage::Unread {}
            | Stage::Held { .. }
            | Stage::Choosing { .. }
            | Stage::Confirming { .. }
            | Stage::Interrupted { .. } => None,
        },
        Phase::Between { .. } if runs_itself && attended => between(state, law, secrets, pace),
        Phase::Between { .. } => None,
    }
}

/// A shoe that is done with is shown to everybody.
fn reveal(state: &State, secrets: &Secrets) -> Option<Command> {
    state.retired.iter().find_map(|shoe| {
        let secret = secrets.of(shoe.commitment?).ok()?;
        Some(Command::RevealShoe { shoe: shoe.no, salt: secret.salt.clone(), cards: secret.cards.clone() })
    })
}

fn secret_in_use(state: &State, secrets: &Secrets) -> Option<Arc<Secret>> {
    secrets.of(state.shoe.as_ref()?.commitment?).ok()
}

/// The secret of the software shoe in use. `None` if there is no such shoe.
pub(crate) fn in_use(table: &Table, secrets: &Secrets) -> Option<Result<Arc<Secret>, NoSecret>> {
    table.law().filter(|law| law.settings.cards == Cards::Software)?;
    Some(secrets.of(table.state().shoe.as_ref()?.commitment?))
}

// INTERPRETATION 21: a Round whose shoe is lost is concluded with another one, or void.
/// The order of the shoe in use is lost: the Round is put through the paragraph, and the shoe is taken out of use.
fn lost(state: &State, runs_itself: bool) -> Option<Errand> {
    match &state.phase {
        Phase::Closed => None,
        Phase::Between { .. } => now(Command::RetireShoe { reason: LOST.into() }),
        Phase::Round(round) => match &round.stage {
            Stage::Dealing {} if round.shoe_awaited && runs_itself => exchange(state, LOST),
            // It needs no more cards of this shoe, or another one is on its way.
            Stage::Confirming { .. } | Stage::Interrupted { .. } => None,
            Stage::Betting { .. }
            | Stage::Dealing {}
            | Stage::Unread {}
            | Stage::Held { .. }
            | Stage::Choosing { .. }
                if round.shoe_awaited =>
            {
                None
            }
            Stage::Betting { .. }
            | Stage::Dealing {}
            | Stage::Unread {}
            | Stage::Held { .. }
            | Stage::Choosing { .. } => now(Command::Report {
                report: Report::TechnicalInterruption { cause: Some(Cause::ShoeLost) },
            }),
        },
    }
}

/// The next card of the committed order.
fn draw(state: &State, round: &Round, secrets: &Secrets, pace: Pace) -> Option<Errand> {
    round.due()?;
    let shoe = state.shoe.as_ref()?;
    let secret = secret_in_use(state, secrets)?;
    let card: Card = *secret.cards.get(usize::from(shoe.burnt) + shoe.sequence.len())?;
    let command = Command::DrawCard { card: Seen::Card(card), source: Source::Read, to: None };
    Some(Errand { command, after: pace.card, not_before: None })
}

/// An electronic table that runs by itself: cards when there are none, the next Round when the last is over.
fn between(state: &State, law: &Law, secrets: &Secrets, pace: Pace) -> Option<Errand> {
    let Some(shoe) = &state.shoe else {
        let (card_set, shuffled_by) = (card_set(state), Some(SHUFFLER.into()));
        return now(Command::LoadShoe { card_set, shuffled_by, commitment: None });
    };
    if shoe.must_exchange.is_some() || shoe.cut_card_out {
        let reason = "the cut card is out, or the cards must be exchanged".into();
        return now(Command::RetireShoe { reason });
    }
    if shoe.drawn == 0 && shoe.burnt == 0 && law.burn(None) > 0 {
        let shown = burn_shows(law, &*secret_in_use(state, secrets)?);
        return now(Command::BurnCards { shown, count: law.burn(shown) });
    }
    // INTERPRETATION 43: nobody is there to be hurried; the table waits until a dispute is decided or seen, or its time is up.
    if state.undecided().is_some() {
        return None;
    }
    let not_before = state.unseen().map(|(_, until)| until);
    Some(Errand { command: Command::OpenBets {}, after: pace.between, not_before })
}

/// Other cards, in the middle of a Round.
fn exchange(state: &State, reason: &str) -> Option<Errand> {
    let reason = reason.into();
    let (card_set, shuffled_by) = (card_set(state), Some(SHUFFLER.into()));
    now(Command::ExchangeShoe { card_set, shuffled_by, commitment: None, reason })
}

fn card_set(state: &State) -> CardSet {
    CardSet::as_recorded(format!("software-{}", state.shoes.next()))
}

/// The card that a burn turns over, where the table's settings ask for it.
fn burn_shows(law: &Law, secret: &Secret) -> Option<Card> {
    match law.settings.burn {
        Burn::Fixed(_) => None,
        Burn::ByFirstCard => secret.cards.first().copied(),
    }
}

/// Fills in what only the house can know about a software shoe: the commitment to a new order, the card that a burn shows.
///
/// # Errors
/// If the secret cannot be kept.
pub(crate) fn fill_in(
    command: &mut Command,
    before: Option<&Command>,
    table: &Table,
    secrets: &Secrets,
) -> std::io::Result<()> {
    let (state, Some(law)) = (table.state(), table.law()) else { return Ok(()) };
    if law.settings.cards != Cards::Software {
        return Ok(());
    }
    if let Command::LoadShoe { commitment: commitment @ None, .. }
    | Command::ExchangeShoe { commitment: commitment @ None, .. } = command
    {
        *commitment = match before.and_then(committed) {
            // A retry means the shoe that it got the first time.
            Some(first) => Some(first),
            None => Some(secrets.shuffle(law.settings.decks)?),
        };
    }
    if let Command::BurnCards { shown: shown @ None, count } = command
        && let Some(secret) = secret_in_use(state, secrets)
    {
        *shown = burn_shows(law, &secret);
        *count = law.burn(*shown);
    }
    Ok(())
}

/// Whether an order puts new cards in place.
pub(crate) const fn needs_shuffle(command: &Command) -> bool {
    matches!(command, Command::LoadShoe { .. } | Command::ExchangeShoe { .. })
}

fn committed(command: &Command) -> Option<Digest> {
    if let Command::LoadShoe { commitment, .. } | Command::ExchangeShoe { commitment, .. } = command {
        return *commitment;
    }
    None
}
