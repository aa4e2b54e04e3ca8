//! Significant events: what a regulator wants to find again years later.

use punto_record::{
    Anchor, CaseReport, Cause, Deed, Event, FactorShown, HouseEntry, Seen, Significance, Source, TableId,
};
use punto_rules::{BoxLimits, IrregularityKind, Money, PatronNo};
use serde::Serialize;

use super::moment::{Moment, who};
use crate::day::Calendar;
use crate::figure;
use crate::sheet::{Cell, ColumnKind, Sheet};

/// A significant event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct SignificantEvent {
    /// By the clock of the table; of the house, UTC.
    pub at: String,
    pub table: Option<TableId>,
    pub seq: u64,
    pub kind: Significance,
    pub event: &'static str,
    pub by: String,
    pub words: String,
}

/// All of them, in the order of the records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct SignificantReport {
    /// Each.
    pub events: Vec<SignificantEvent>,
}

impl SignificantReport {
    pub(crate) fn take(&mut self, moment: &Moment<'_>, large_win: Option<Money>) {
        if let (Event::RoundSettled { round, lines, .. }, Some(least)) = (moment.event, large_win) {
            let mut wins: std::collections::BTreeMap<PatronNo, u128> = Default::default();
            for line in lines {
                *wins.entry(line.patron).or_default() += u128::from(line.winnings.get());
            }
            for (patron, won) in wins.into_iter().filter(|(_, won)| *won >= least.get().into()) {
                let (amount, currency) = (figure::money(won as i128), &moment.desk.currency);
                let words = format!("Round {round}: patron {} won {amount} {currency}", patron.0);
                self.push(moment, Significance::LargeWin, words);
            }
        }
        if let Some((kind, words)) = of_event(moment.event) {
            self.push(moment, kind, words);
        }
    }

    fn push(&mut self, moment: &Moment<'_>, kind: Significance, words: String) {
        self.events.push(SignificantEvent {
            at: moment.clock(),
            table: Some(moment.table.clone()),
            seq: moment.seq.0,
            kind,
            event: moment.event.kind().id(),
            by: who(moment.by),
            words,
        });
    }

    pub(crate) fn take_deed(&mut self, entry: &HouseEntry) {
        let Some(kind) = entry.deed.kind().facts().significant else { return };
        let Some(words) = words_of_deed(&entry.deed) else { return };
        let table = table_of(&entry.deed).cloned();
        self.events.push(SignificantEvent {
            at: format!("{} UTC", Calendar::utc().clock(entry.at)),
            table,
            seq: entry.seq.0,
            kind,
            event: entry.deed.kind().id(),
            by: who(&entry.by),
            words,
        });
    }

    /// As a sheet, of these kinds; of all where none are named.
    pub fn sheet(&self, kinds: &[Significance]) -> Sheet {
        use ColumnKind::{Count, Text};
        let columns = [
            ("at", "When", Text),
            ("table", "Table", Text),
            ("entry", "Entry", Count),
            ("kind", "Kind", Text),
            ("event", "Event", Text),
            ("by", "By", Text),
            ("words", "What", Text),
        ];
        let mut sheet = Sheet::new("significant", "Significant events", &columns);
        for it in self.events.iter().filter(|it| kinds.is_empty() || kinds.contains(&it.kind)) {
            sheet.row(vec![
                it.at.as_str().into(),
                it.table.as_ref().map_or("house", TableId::as_str).into(),
                Cell::Count(it.seq.into()),
                it.kind.id().into(),
                it.event.into(),
                it.by.as_str().into(),
                it.words.as_str().into(),
            ]);
        }
        sheet
    }
}

/// The deed of an approval, in words.
fn approved(approval: Option<Anchor>) -> String {
    approval.map_or_else(String::new, |deed| format!(", approved by entry {} of the house", deed.seq))
}

/// What is significant about an event, in words. What an event is significant as stands beside it; some are only if they
/// say something in particular, and some say themselves what they are.
fn of_event(event: &Event) -> Option<(Significance, String)> {
    let declared = event.kind().facts().significant?;
    let own = if let Event::MatterOpened { kind, .. } = event {
        Some(matter_kind(*kind))
    } else if let Event::CardDrawn { card: Seen::Unreadable, .. } = event {
        Some(Significance::Unreadable)
    } else if let Event::CardDrawn { card: Seen::Foreign(_), .. } = event {
        Some(Significance::ShoeError)
    } else {
        None
    };
    words(event).map(|words| (own.unwrap_or(declared), words))
}

#[expect(clippy::wildcard_enum_match_arm, reason = "what else is declared to be significant has words here")]
fn words(event: &Event) -> Option<String> {
    let words = match event {
        Event::TableOpened { settings, digest, approval, .. } => {
            let (game, layout, approved) = (&settings.game, &settings.layout, approved(*approval));
            format!("opened with {game} {layout}, rule book {digest}{approved}")
        }
        Event::LastRoundDropped { round, cite } => {
            format!("Round {round} was announced as the last and not played ({cite})")
        }
        Event::TableClosed {} => "closed".to_owned(),
        Event::SettingsChanged { settings, digest, approval, .. } => {
            let (game, layout, approved) = (&settings.game, &settings.layout, approved(*approval));
            format!("{game} {layout}, rule book {digest}{approved}")
        }
        Event::LimitsAnnounced { betting_box, .. } => {
            format!("other limits were announced{}", limits(betting_box.as_ref()))
        }
        Event::LimitsChanged { betting_box, .. } => {
            format!("other limits are in force{}", limits(betting_box.as_ref()))
        }
        Event::TableInterrupted { cause, .. } => {
            let cause = cause.map_or_else(String::new, |cause| format!(": {}", word(cause)));
            format!("the table was interrupted{cause}")
        }
        Event::FloatCovered { cause, .. } => {
            format!("the float was covered: {}", word(*cause))
        }
        Event::FloatUncovered { second, .. } => {
            format!("the float was uncovered, with {second}")
        }
        Event::CardsConfirmed { cards, .. } => {
            format!("{} cards were confirmed", cards.len())
        }
        Event::InterruptionResolved { established, .. } => {
            let words =
                if *established { "an outcome was established" } else { "no outcome was established" };
            words.to_owned()
        }
        Event::ClockJumped { from, to } => {
            format!("by {} ms", i128::from(to.0) - i128::from(from.0))
        }
        Event::TerminalLost { patron, .. } => format!("terminal {} was lost", patron.0),
        Event::TerminalRestored { patron } => format!("terminal {} is back", patron.0),
        Event::CardDrawn { card: Seen::Unreadable, .. } => "a card could not be read".to_owned(),
        Event::CardDrawn { card: Seen::Foreign(what), .. } => format!("foreign: {what}"),
        Event::CardDrawn { card, source: Source::Keyed, .. } => card.to_string(),
        Event::CardRead { card } => format!("it was read as {card}"),
        Event::MatterOpened { matter, kind, .. } => {
            format!("matter {matter}: {}", kind.id())
        }
        Event::Ruled { matter, ruling, reason, departs, .. } => {
            let departs =
                departs.map_or_else(String::new, |no| format!(", departs from interpretation {no}"));
            format!("matter {matter}, {}{departs}: {reason}", ruling.id())
        }
        Event::CarriedCardsRuled { keep, .. } => {
            if *keep { "carried cards are used" } else { "carried cards are discarded" }.to_owned()
        }
        Event::WagerAmended { patron, bet, .. } | Event::RoundAmended { patron, bet, .. } => {
            format!("{bet} of patron {} was amended", patron.0)
        }
        Event::Adjusted { round, .. } => format!("Round {round} was adjusted"),
        Event::PushRecorded { round, patron, .. } => {
            format!("Round {round}: what was pushed to patron {} was not the payout", patron.0)
        }
        Event::RoundVoided { round, kind, .. } => format!("Round {round}: {}", kind.id()),
        Event::RoundCorrected { round, .. } => format!("Round {round}"),
        Event::LateBetRefused { patron, bet, .. } => format!("{bet} of patron {}", patron.0),
        Event::ShoeExchangeRequired { shoe, .. } => {
            format!("shoe {shoe} must be exchanged")
        }
        Event::ShoeReplacementOrdered { shoe, .. } => {
            format!("shoe {shoe} is replaced")
        }
        Event::ShoeReconciled { shoe, missing, extra } if !missing.is_empty() || !extra.is_empty() => {
            format!("shoe {shoe}: {} missing, {} too many", missing.len(), extra.len())
        }
        Event::CardsInspected { shoe, missing, extra } if !missing.is_empty() || !extra.is_empty() => {
            format!("shoe {shoe}: {} missing, {} too many", missing.len(), extra.len())
        }
        Event::CardCorrected { at, was, card, .. } => {
            format!("card {at} was keyed as {was} and is {card}")
        }
        Event::CardMisread { at, card } => format!("card {at} is {card}"),
        Event::FloatClosed { counted, expected } if i128::from(counted.get()) != i128::from(*expected) => {
            let off = i128::from(counted.get()) - i128::from(*expected);
            figure::money(off)
        }
        Event::CashOutHeld { patron, amount, slip, .. } => {
            let amount = figure::money(amount.get().into());
            format!("{amount} of patron {} held back, slip {slip}", patron.0)
        }
        Event::CaseOpened { case, patron, report, .. } => {
            let what = match report {
                CaseReport::NoteNotCredited { acceptor, .. } => format!("a note in {acceptor} not credited"),
                CaseReport::TicketNotTaken { ticket } => format!("ticket {ticket} not taken"),
            };
            format!("case {case} of patron {}: {what}", patron.0)
        }
        Event::CaseSettled { case, reason, .. } => format!("case {case} settled: {reason}"),
        Event::AcceptorCounted { drop, acceptor, counted, expected, .. } if counted != expected => {
            let off = i128::from(counted.get()) - i128::from(expected.get());
            format!("box {drop} of {acceptor}: {}", figure::money(off))
        }
        Event::PayoutHoldOrdered { patron, round, slip, reference, .. } => {
            let words = format!("payout of patron {} in Round {round} is held, slip {slip}", patron.0);
            format!("{words}: {reference}")
        }
        Event::PayoutHeld { patron, amount, slip, .. } => {
            let amount = figure::money(amount.get().into());
            format!("payout of {amount} of patron {} held, slip {slip}", patron.0)
        }
        Event::HeldDecided { patron, amount, slip, outcome, reference, .. } => {
            let amount = figure::money(amount.get().into());
            let words = format!("payout of {amount} of patron {}, slip {slip}", patron.0);
            format!("{words} {}: {reference}", outcome.id())
        }
        Event::HoldExtended { matter, reason, .. } => format!("matter {matter}: {reason}"),
        Event::UnclaimedKept { patron, amount, slip: Some(slip), .. } => {
            let amount = figure::money(amount.get().into());
            format!("{amount} of patron {} set aside, slip {slip}", patron.0)
        }
        Event::SetAsideReviewed { slip, reason, .. } => {
            format!("slip {slip} reviewed: {reason}")
        }
        Event::DisputeOpened { dispute, words, about: None, .. } => {
            format!("dispute {dispute}: {words}")
        }
        Event::DisputeOpened { dispute, words, about: Some(about), .. } => {
            format!("dispute {dispute} about {}: {words}", about.id())
        }
        Event::DisputeBundled { dispute, .. } => format!("dispute {dispute} was bundled"),
        Event::DisputeSeen { dispute, surveillance: None, .. } => {
            format!("dispute {dispute} was seen")
        }
        Event::DisputeSeen { dispute, surveillance: Some(reference), .. } => {
            format!("dispute {dispute} was spoken in time and opened over: {reference}")
        }
        Event::DisputeClosed { dispute, words, matter: None, .. } => {
            format!("dispute {dispute} closed: {words}")
        }
        Event::DisputeClosed { dispute, words, matter: Some(matter), .. } => {
            format!("dispute {dispute} closed by matter {matter}: {words}")
        }
        _ => return None,
    };
    Some(words)
}

fn limits(betting_box: Option<&BoxLimits>) -> String {
    let told = betting_box.map(|BoxLimits { minimum, differential }| {
        let (minimum, differential) = (minimum.get().into(), differential.get().into());
        format!(": minimum {}, Differential {}", figure::money(minimum), figure::money(differential))
    });
    told.unwrap_or_default()
}

const fn matter_kind(kind: IrregularityKind) -> Significance {
    match kind {
        IrregularityKind::ForeignCard
        | IrregularityKind::ShortageOrExcess
        | IrregularityKind::WrongNumberOfCards
        | IrregularityKind::ShoeExhausted
        | IrregularityKind::NotShuffled => Significance::ShoeError,
        IrregularityKind::LateBet => Significance::LateBet,
        IrregularityKind::TechnicalInterruption | IrregularityKind::TerminalInterruption => {
            Significance::Interruption
        }
        IrregularityKind::OverDifferential
        | IrregularityKind::UnderMinimum
        | IrregularityKind::WalkAway
        | IrregularityKind::ExcessOrExposedCard
        | IrregularityKind::WrongSide
        | IrregularityKind::FaceUp
        | IrregularityKind::SimultaneousDraw
        | IrregularityKind::OtherDealingError
        | IrregularityKind::LateDiscovery
        | IrregularityKind::BetPlacedInError
        | IrregularityKind::WrongResult
        | IrregularityKind::Uncovered => Significance::Irregularity,
    }
}

/// The table that a deed is about.
const fn table_of(deed: &Deed) -> Option<&TableId> {
    if let Deed::TableLocked { table, .. }
    | Deed::TableUnlocked { table, .. }
    | Deed::DeviceEnrolled { table, .. }
    | Deed::ApprovalGiven { table: Some(table), .. } = deed
    {
        Some(table)
    } else {
        None
    }
}

/// What a deed says, in words; nothing where it is not significant.
fn words_of_deed(deed: &Deed) -> Option<String> {
    let words = match deed {
        Deed::LedgerFounded { kind, .. } => format!("founded: {}", kind.id()),
        Deed::KeyAdopted { key, .. } => format!("key {key}"),
        Deed::TicketKeyAdopted { key, .. } => format!("ticket key {key}"),
        Deed::RulesApproved { game, version, digest, authority, reference, in_force, .. } => {
            let words = format!("{game} {version}, {digest}: {authority}, {reference}, in force {in_force}");
            words
        }
        Deed::RulesWithdrawn { digest, at, reason, .. } => {
            format!("{digest} withdrawn at {at}: {reason}")
        }
        Deed::ReadingsAdopted { digest, .. } => {
            format!("interpretations adopted, {digest}")
        }
        Deed::CommitsSigned { size } => {
            format!("signed for from here on; {size} entries taken as found")
        }
        Deed::EntriesArchived { size, .. } => format!("{size} entries archived"),
        Deed::TicketPaid { second: None, .. } => return None,
        Deed::TicketPaid { ticket, amount, second: Some(_), reason, .. } => {
            let amount = figure::money(amount.get().into());
            let why = reason.as_deref().unwrap_or_default();
            format!("expired ticket {ticket} of {amount} paid: {why}")
        }
        Deed::TicketVoided { ticket, amount, reason, .. } => {
            let amount = figure::money(amount.get().into());
            format!("ticket {ticket} of {amount}: {reason}")
        }
        Deed::TableLocked { seq, words, .. } => {
            format!("locked at entry {seq}: {words}")
        }
        Deed::TableUnlocked { reason, .. } => {
            format!("unlocked: {reason}")
        }
        Deed::SoftwareStarted { software, at_rest } => {
            let rested = at_rest.map_or_else(String::new, |rest| format!(", {} s at rest", rest / 1_000));
            format!("started, {software}{rested}")
        }
        Deed::SoftwareStopped {} => "stopped in order".to_owned(),
        Deed::VerificationFailed { words, .. } => words.to_string(),
        Deed::SignedIn { session, factor } => {
            format!("signed in{}, session {session}", shown(*factor))
        }
        Deed::SignedOut { session } => format!("signed out, session {session}"),
        Deed::SignInFailed { person, locked, factor } => {
            let whom = person.as_ref().map_or("nobody of the staff", |person| person.as_str());
            let lock = if *locked { ", locked for a while" } else { "" };
            let factor = if *factor { ": the password was right, the second factor was not" } else { "" };
            format!("a sign-in as {whom} failed{factor}{lock}")
        }
        Deed::FactorEnrolled { factor, .. } => {
            let what = if factor.is_some() { "replaced" } else { "enrolled" };
            format!("{what} a second factor{}", shown(*factor))
        }
        Deed::RecoveryCodesMade { factor, .. } => {
            format!("had new recovery codes made{}", shown(Some(*factor)))
        }
        Deed::RecoveryCodeUsed { left, credential: _ } => {
            format!("used a recovery code; {left} are left")
        }
        Deed::FactorResetBegun { person, second: _, reason } => {
            format!("asked for a reset of the second factor of {person}: {reason}")
        }
        Deed::FactorResetStopped { begun, person, .. } => {
            format!("stopped the reset of the second factor of {person}, entry {begun}")
        }
        Deed::FactorReset { begun, person } => {
            format!("the second factor of {person} was reset, as asked for in entry {begun}")
        }
        Deed::PasswordChosen { credential: _ } => "chose a password".to_owned(),
        Deed::ApprovalGiven { digest, round, factor, .. } => {
            let round = round.map_or_else(String::new, |round| format!(" in Round {round}"));
            let what = digest.map_or_else(String::new, |digest| format!(", {digest}"));
            let shown = shown(*factor);
            format!("gave the password again{shown} for one order{round}{what}")
        }
        Deed::StaffChanged { person, role, enabled, invited, name, second: _, reason, credential: _ } => {
            let (state, invited) =
                (if *enabled { "enabled" } else { "disabled" }, if *invited { ", invited" } else { "" });
            let named = name.as_ref().map_or_else(String::new, |name| format!(" as {name}"));
            let why = reason.as_ref().map_or_else(String::new, |reason| format!(": {reason}"));
            format!("{person}{named}: {role}, {state}{invited}{why}")
        }
        Deed::AdministratorsRestored { persons, reason } => {
            let persons: Vec<&str> = persons.iter().map(|it| it.as_str()).collect();
            format!("restored at the host: {}: {reason}", persons.join(", "))
        }
        Deed::ClockConfirmed { ahead, reason, .. } => {
            let words = format!("the recorded clock was moved forward by {} s: {reason}", ahead / 1_000);
            words
        }
        Deed::RestorationSeen { restored, reason } => {
            format!("the restoration of entry {restored} was looked into: {reason}")
        }
        Deed::DeviceEnrolled { device, kind, table: _, patron, at_box, second: _, reason, credential: _ } => {
            let why = reason.as_ref().map_or_else(String::new, |reason| format!(": {reason}"));
            let patron = patron.map_or_else(String::new, |patron| format!(", patron {}", patron.0));
            let at_box = at_box.map_or_else(String::new, |it| format!(", at box {}", it.0));
            format!("{device} was enrolled: {kind}{patron}{at_box}{why}")
        }
        Deed::RegisterTakenOver { people, devices } => {
            let words = format!(
                "the register of the earlier release was taken over: {} people, {} devices",
                people.len(),
                devices.len()
            );
            words
        }
        Deed::RegisterCleared { failed, reason, .. } => {
            let words = format!("the register was cleared, as found in entry {failed}: {reason}");
            words
        }
        Deed::WitnessChanged { witness, address, key: _, in_use, second: _, reason } => {
            let use_of_it = if *in_use { "in use" } else { "no longer in use" };
            format!("witness {witness} at {address} {use_of_it}: {reason}")
        }
        Deed::WitnessConfirmed { witness, size, root: _ } => {
            format!("witness {witness} confirmed {size} entries")
        }
        Deed::OpenedUnwitnessed { reason, .. } => {
            format!("opened although no witness could be reached: {reason}")
        }
        Deed::LossDeclared { witness, from, to, root: _, second: _, reason } => {
            let words = format!(
                "entries {} to {to} of witness {witness} declared lost: {reason}",
                from.saturating_add(1)
            );
            words
        }
        Deed::DeviceRevoked { device } => format!("{device} was revoked"),
    };
    Some(words)
}

/// What interrupted play, in a word.
const fn word(cause: Cause) -> &'static str {
    match cause {
        Cause::Power => "power",
        Cause::Software => "software",
        Cause::Device => "a device",
        Cause::Fire => "fire",
        Cause::MedicalEmergency => "a medical emergency",
        Cause::Evacuation => "evacuation",
        Cause::ShoeLost => "the order of the shoe was lost",
        Cause::Other => "something else",
    }
}

/// What was shown beside a password.
const fn shown(factor: Option<FactorShown>) -> &'static str {
    match factor {
        Some(FactorShown::Code { .. }) => " with a code",
        Some(FactorShown::RecoveryCode) => " with a recovery code",
        None => "",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use punto_record::{DeedKind, Event, EventKind, HouseEntry};

    use super::{of_event, words_of_deed};

    /// Significant only if they say something in particular, which their golden lines do not.
    const SOMETIMES: [EventKind; 4] = [
        EventKind::CardsInspected,
        EventKind::ShoeReconciled,
        EventKind::FloatClosed,
        EventKind::AcceptorCounted,
    ];

    #[test]
    fn what_is_declared_significant_has_words() {
        let text = include_str!("../../../punto-record/tests/data/events.ndjson");
        let events = text.lines().map(|line| serde_json::from_str::<Event>(line).expect("a golden line"));
        let told: BTreeSet<EventKind> =
            events.filter(|event| of_event(event).is_some()).map(|event| event.kind()).collect();
        for kind in EventKind::ALL {
            let is_declared = kind.facts().significant.is_some();
            assert!(is_declared || !told.contains(kind), "{} has words", kind.id());
            assert!(!is_declared || told.contains(kind) || SOMETIMES.contains(kind), "{}", kind.id());
        }
        let text = include_str!("../../../punto-record/tests/data/deeds.ndjson");
        let deeds =
            text.lines().map(|line| serde_json::from_str::<HouseEntry>(line).expect("a golden line").deed);
        let told: BTreeSet<DeedKind> =
            deeds.filter(|deed| words_of_deed(deed).is_some()).map(|deed| deed.kind()).collect();
        for kind in DeedKind::ALL {
            assert_eq!(kind.facts().significant.is_some(), told.contains(kind), "{}", kind.id());
        }
    }
}
