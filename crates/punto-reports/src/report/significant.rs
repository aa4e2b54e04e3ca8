//! Significant events: what a regulator wants to find again years later.

use punto_record::{Anchor, CaseReport, Cause, Deed, Event, FactorShown, HouseEntry, Seen, Source, TableId};
use punto_rules::{BoxLimits, IrregularityKind, Money, PatronNo};
use serde::Serialize;

use super::moment::{Moment, who};
use crate::day::Calendar;
use crate::figure;
use crate::sheet::{Cell, ColumnKind, Sheet};

macro_rules! significances {
    ($($(#[$doc:meta])* $name:ident = $id:literal,)+) => {
        /// What makes an event significant.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Significance { $($(#[$doc])* $name,)+ }

        impl Significance {
            /// All of them.
            pub const ALL: &'static [Significance] = &[$(Significance::$name,)+];

            /// Its word.
            pub const fn id(self) -> &'static str {
                match self { $(Significance::$name => $id,)+ }
            }
        }
    };
}

significances! {
    /// A table opened or closed.
    Table = "table",
    /// Settings that were changed.
    Settings = "settings",
    /// An approval of rules recorded or withdrawn, interpretations adopted.
    Rules = "rules",
    /// A technical interruption, and how it was resolved.
    Interruption = "interruption",
    /// A clock that jumped.
    Clock = "clock",
    /// A terminal that was lost or came back.
    Terminal = "terminal",
    /// A card that was keyed by hand.
    KeyedCard = "keyed-card",
    /// A card that could not be read.
    Unreadable = "unreadable",
    /// Cards that should not be: foreign, too many, too few, not shuffled.
    ShoeError = "shoe-error",
    /// A shoe that had to be exchanged or replaced.
    ShoeExchange = "shoe-exchange",
    /// Chips after "No more Bets".
    LateBet = "late-bet",
    /// Any other irregularity.
    Irregularity = "irregularity",
    /// A ruling, an amendment or an adjustment.
    Override = "override",
    /// A Round that is void.
    Void = "void",
    /// A Round that was corrected.
    Correction = "correction",
    /// A dispute opened, bundled, seen or closed.
    Dispute = "dispute",
    /// A note that was not credited, a ticket that nobody took, a box that did not hold what it should.
    Acceptor = "acceptor",
    /// Money that a claim holds back, or holds back for longer.
    Held = "held",
    /// Credits set aside for their patron, or a review of that.
    SetAside = "set-aside",
    /// A win of at least the amount asked for.
    LargeWin = "large-win",
    /// A tray that was counted and did not hold what it should.
    FloatDifference = "float-difference",
    /// A ticket made void.
    TicketVoided = "ticket-voided",
    /// An expired ticket that two people paid.
    ExpiredTicketPaid = "expired-ticket-paid",
    /// A table locked because its books did not balance or its record was tampered with, or unlocked.
    Locked = "locked",
    /// Something was checked and did not hold.
    Verification = "verification",
    /// The software was started or stopped.
    Software = "software",
    /// The ledger was founded, a key adopted, entries archived.
    Ledger = "ledger",
    /// Somebody signed in or out, failed to, chose a password, or answered for an order with it.
    SignIn = "sign-in",
    /// A member of staff came, went, or may do something else.
    Staff = "staff",
    /// A device was enrolled or revoked.
    Device = "device",
}

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
        let Some((kind, table, words)) = of_deed(&entry.deed) else { return };
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

/// What is significant about an event: the one list, and whoever adds an event decides here.
fn of_event(event: &Event) -> Option<(Significance, String)> {
    use Significance as Kind;
    let found = match event {
        Event::TableOpened { settings, digest, approval, .. } => {
            let (game, layout, approved) = (&settings.game, &settings.layout, approved(*approval));
            (Kind::Table, format!("opened with {game} {layout}, rule book {digest}{approved}"))
        }
        Event::LastRoundDropped { round, cite } => {
            (Kind::Table, format!("Round {round} was announced as the last and not played ({cite})"))
        }
        Event::TableClosed {} => (Kind::Table, "closed".to_owned()),
        Event::SettingsChanged { settings, digest, approval, .. } => {
            let (game, layout, approved) = (&settings.game, &settings.layout, approved(*approval));
            (Kind::Settings, format!("{game} {layout}, rule book {digest}{approved}"))
        }
        Event::LimitsAnnounced { betting_box, .. } => {
            (Kind::Settings, format!("other limits were announced{}", limits(betting_box.as_ref())))
        }
        Event::LimitsChanged { betting_box, .. } => {
            (Kind::Settings, format!("other limits are in force{}", limits(betting_box.as_ref())))
        }
        Event::TableInterrupted { cause, .. } => {
            let cause = cause.map_or_else(String::new, |cause| format!(": {}", word(cause)));
            (Kind::Interruption, format!("the table was interrupted{cause}"))
        }
        Event::FloatCovered { cause, .. } => {
            (Kind::Interruption, format!("the float was covered: {}", word(*cause)))
        }
        Event::FloatUncovered { second, .. } => {
            (Kind::Interruption, format!("the float was uncovered, with {second}"))
        }
        Event::CardsConfirmed { cards, .. } => {
            (Kind::Interruption, format!("{} cards were confirmed", cards.len()))
        }
        Event::InterruptionResolved { established, .. } => {
            let words =
                if *established { "an outcome was established" } else { "no outcome was established" };
            (Kind::Interruption, words.to_owned())
        }
        Event::ClockJumped { from, to } => {
            (Kind::Clock, format!("by {} ms", i128::from(to.0) - i128::from(from.0)))
        }
        Event::TerminalLost { patron, .. } => (Kind::Terminal, format!("terminal {} was lost", patron.0)),
        Event::TerminalRestored { patron } => (Kind::Terminal, format!("terminal {} is back", patron.0)),
        Event::CardDrawn { card: Seen::Unreadable, .. } => {
            (Kind::Unreadable, "a card could not be read".to_owned())
        }
        Event::CardDrawn { card: Seen::Foreign(what), .. } => (Kind::ShoeError, format!("foreign: {what}")),
        Event::CardDrawn { card, source: Source::Keyed, .. } => (Kind::KeyedCard, card.to_string()),
        Event::CardRead { card } => (Kind::Unreadable, format!("it was read as {card}")),
        Event::MatterOpened { matter, kind, .. } => {
            (matter_kind(*kind), format!("matter {matter}: {}", kind.id()))
        }
        Event::Ruled { matter, ruling, reason, departs, .. } => {
            let departs =
                departs.map_or_else(String::new, |no| format!(", departs from interpretation {no}"));
            (Kind::Override, format!("matter {matter}, {}{departs}: {reason}", ruling.id()))
        }
        Event::CarriedCardsRuled { keep, .. } => (
            Kind::Override,
            if *keep { "carried cards are used" } else { "carried cards are discarded" }.to_owned(),
        ),
        Event::WagerAmended { patron, bet, .. } | Event::RoundAmended { patron, bet, .. } => {
            (Kind::Override, format!("{bet} of patron {} was amended", patron.0))
        }
        Event::Adjusted { round, .. } => (Kind::Override, format!("Round {round} was adjusted")),
        Event::PushRecorded { round, patron, .. } => (
            Kind::Override,
            format!("Round {round}: what was pushed to patron {} was not the payout", patron.0),
        ),
        Event::RoundVoided { round, kind, .. } => (Kind::Void, format!("Round {round}: {}", kind.id())),
        Event::RoundCorrected { round, .. } => (Kind::Correction, format!("Round {round}")),
        Event::LateBetRefused { patron, bet, .. } => (Kind::LateBet, format!("{bet} of patron {}", patron.0)),
        Event::ShoeExchangeRequired { shoe, .. } => {
            (Kind::ShoeExchange, format!("shoe {shoe} must be exchanged"))
        }
        Event::ShoeReplacementOrdered { shoe, .. } => {
            (Kind::ShoeExchange, format!("shoe {shoe} is replaced"))
        }
        Event::ShoeReconciled { shoe, missing, extra } if !missing.is_empty() || !extra.is_empty() => {
            (Kind::ShoeError, format!("shoe {shoe}: {} missing, {} too many", missing.len(), extra.len()))
        }
        Event::CardsInspected { shoe, missing, extra } if !missing.is_empty() || !extra.is_empty() => {
            (Kind::ShoeError, format!("shoe {shoe}: {} missing, {} too many", missing.len(), extra.len()))
        }
        Event::CardCorrected { at, was, card, .. } => {
            (Kind::KeyedCard, format!("card {at} was keyed as {was} and is {card}"))
        }
        Event::CardMisread { at, card } => (Kind::Unreadable, format!("card {at} is {card}")),
        Event::FloatClosed { counted, expected } if i128::from(counted.get()) != i128::from(*expected) => {
            let off = i128::from(counted.get()) - i128::from(*expected);
            (Kind::FloatDifference, figure::money(off))
        }
        Event::CashOutHeld { patron, amount, slip, .. } => {
            let amount = figure::money(amount.get().into());
            (Kind::Held, format!("{amount} of patron {} held back, slip {slip}", patron.0))
        }
        Event::CaseOpened { case, patron, report, .. } => {
            let what = match report {
                CaseReport::NoteNotCredited { acceptor, .. } => format!("a note in {acceptor} not credited"),
                CaseReport::TicketNotTaken { ticket } => format!("ticket {ticket} not taken"),
            };
            (Kind::Acceptor, format!("case {case} of patron {}: {what}", patron.0))
        }
        Event::CaseSettled { case, reason, .. } => (Kind::Acceptor, format!("case {case} settled: {reason}")),
        Event::AcceptorCounted { drop, acceptor, counted, expected, .. } if counted != expected => {
            let off = i128::from(counted.get()) - i128::from(expected.get());
            (Kind::Acceptor, format!("box {drop} of {acceptor}: {}", figure::money(off)))
        }
        Event::PayoutHoldOrdered { patron, round, slip, reference, .. } => {
            let words = format!("payout of patron {} in Round {round} is held, slip {slip}", patron.0);
            (Kind::Held, format!("{words}: {reference}"))
        }
        Event::PayoutHeld { patron, amount, slip, .. } => {
            let amount = figure::money(amount.get().into());
            (Kind::Held, format!("payout of {amount} of patron {} held, slip {slip}", patron.0))
        }
        Event::HeldDecided { patron, amount, slip, outcome, reference, .. } => {
            let amount = figure::money(amount.get().into());
            let words = format!("payout of {amount} of patron {}, slip {slip}", patron.0);
            (Kind::Held, format!("{words} {}: {reference}", outcome.id()))
        }
        Event::HoldExtended { matter, reason, .. } => (Kind::Held, format!("matter {matter}: {reason}")),
        Event::UnclaimedKept { patron, amount, slip: Some(slip), .. } => {
            let amount = figure::money(amount.get().into());
            (Kind::SetAside, format!("{amount} of patron {} set aside, slip {slip}", patron.0))
        }
        Event::SetAsideReviewed { slip, reason, .. } => {
            (Kind::SetAside, format!("slip {slip} reviewed: {reason}"))
        }
        Event::DisputeOpened { dispute, words, about: None, .. } => {
            (Kind::Dispute, format!("dispute {dispute}: {words}"))
        }
        Event::DisputeOpened { dispute, words, about: Some(about), .. } => {
            (Kind::Dispute, format!("dispute {dispute} about {}: {words}", about.id()))
        }
        Event::DisputeBundled { dispute, .. } => (Kind::Dispute, format!("dispute {dispute} was bundled")),
        Event::DisputeSeen { dispute, surveillance: None, .. } => {
            (Kind::Dispute, format!("dispute {dispute} was seen"))
        }
        Event::DisputeSeen { dispute, surveillance: Some(reference), .. } => {
            (Kind::Dispute, format!("dispute {dispute} was spoken in time and opened over: {reference}"))
        }
        Event::DisputeClosed { dispute, words, matter: None, .. } => {
            (Kind::Dispute, format!("dispute {dispute} closed: {words}"))
        }
        Event::DisputeClosed { dispute, words, matter: Some(matter), .. } => {
            (Kind::Dispute, format!("dispute {dispute} closed by matter {matter}: {words}"))
        }
        Event::ClosingAnnounced { .. }
        | Event::ShoeLoaded { .. }
        | Event::CardsInspected { .. }
        | Event::CardsCut { .. }
        | Event::CardsBurnt { .. }
        | Event::CutCardReached { .. }
        | Event::ShoeRetired { .. }
        | Event::ShoeReconciled { .. }
        | Event::ShoeRevealed { .. }
        | Event::CarriedCardsDiscarded { .. }
        | Event::BetsOpened { .. }
        | Event::WagerRegistered { .. }
        | Event::WagerWithdrawn { .. }
        | Event::WagerTrimmed { .. }
        | Event::ChipsRecorded { .. }
        | Event::LimitsFlagged { .. }
        | Event::SideBetFlagged { .. }
        | Event::StackFlagged { .. }
        | Event::PatronAdvised { .. }
        | Event::WagerReturned { .. }
        | Event::BetsClosed { .. }
        | Event::SqueezeAsked { .. }
        | Event::SqueezeAnswered { .. }
        | Event::CardDrawn { .. }
        | Event::CardsTurned { .. }
        | Event::RoundCompleted { .. }
        | Event::CardsOrdered { .. }
        | Event::ChoiceOffered { .. }
        | Event::ChoiceMade { .. }
        | Event::PlayResumed { .. }
        | Event::RoundSettled { .. }
        | Event::CreditsBought { .. }
        | Event::NoteAccepted { .. }
        | Event::AcceptorEmptied { .. }
        | Event::AcceptorCounted { .. }
        | Event::TicketRedeemed { .. }
        | Event::CashedOut { .. }
        | Event::Collected { .. }
        | Event::HandAccepted { .. }
        | Event::SeatTaken { .. }
        | Event::SeatLeft { .. }
        | Event::WalkedAway { .. }
        | Event::UnclaimedKept { .. }
        | Event::UnclaimedPaid { .. }
        | Event::FloatOpened { .. }
        | Event::FloatClosed { .. }
        | Event::Filled { .. }
        | Event::Credited { .. }
        | Event::Dropped { .. }
        | Event::PostTaken { .. }
        | Event::PostLeft { .. }
        | Event::ShiftStarted { .. } => return None,
    };
    Some(found)
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

fn of_deed(deed: &Deed) -> Option<(Significance, Option<TableId>, String)> {
    use Significance as Kind;
    let found = match deed {
        Deed::LedgerFounded { kind, .. } => (Kind::Ledger, None, format!("founded: {}", kind.id())),
        Deed::KeyAdopted { key, .. } => (Kind::Ledger, None, format!("key {key}")),
        Deed::TicketKeyAdopted { key, .. } => (Kind::Ledger, None, format!("ticket key {key}")),
        Deed::RulesApproved { game, version, digest, authority, reference, in_force, .. } => {
            let words = format!("{game} {version}, {digest}: {authority}, {reference}, in force {in_force}");
            (Kind::Rules, None, words)
        }
        Deed::RulesWithdrawn { digest, at, reason, .. } => {
            (Kind::Rules, None, format!("{digest} withdrawn at {at}: {reason}"))
        }
        Deed::ReadingsAdopted { digest, .. } => {
            (Kind::Rules, None, format!("interpretations adopted, {digest}"))
        }
        Deed::CommitsSigned { size } => {
            (Kind::Ledger, None, format!("signed for from here on; {size} entries taken as found"))
        }
        Deed::EntriesArchived { size, .. } => (Kind::Ledger, None, format!("{size} entries archived")),
        Deed::TicketPaid { second: None, .. } => return None,
        Deed::TicketPaid { ticket, amount, second: Some(_), reason, .. } => {
            let amount = figure::money(amount.get().into());
            let why = reason.as_deref().unwrap_or_default();
            (Kind::ExpiredTicketPaid, None, format!("expired ticket {ticket} of {amount} paid: {why}"))
        }
        Deed::TicketVoided { ticket, amount, reason, .. } => {
            let amount = figure::money(amount.get().into());
            (Kind::TicketVoided, None, format!("ticket {ticket} of {amount}: {reason}"))
        }
        Deed::TableLocked { table, seq, words } => {
            (Kind::Locked, Some(table.clone()), format!("locked at entry {seq}: {words}"))
        }
        Deed::TableUnlocked { table, reason, .. } => {
            (Kind::Locked, Some(table.clone()), format!("unlocked: {reason}"))
        }
        Deed::SoftwareStarted { software, at_rest } => {
            let rested = at_rest.map_or_else(String::new, |rest| format!(", {} s at rest", rest / 1_000));
            (Kind::Software, None, format!("started, {software}{rested}"))
        }
        Deed::SoftwareStopped {} => (Kind::Software, None, "stopped in order".to_owned()),
        Deed::VerificationFailed { words, .. } => (Kind::Verification, None, words.to_string()),
        Deed::SignedIn { session, factor } => {
            (Kind::SignIn, None, format!("signed in{}, session {session}", shown(*factor)))
        }
        Deed::SignedOut { session } => (Kind::SignIn, None, format!("signed out, session {session}")),
        Deed::SignInFailed { person, locked, factor } => {
            let whom = person.as_ref().map_or("nobody of the staff", |person| person.as_str());
            let lock = if *locked { ", locked for a while" } else { "" };
            let factor = if *factor { ": the password was right, the second factor was not" } else { "" };
            (Kind::SignIn, None, format!("a sign-in as {whom} failed{factor}{lock}"))
        }
        Deed::FactorEnrolled { factor, .. } => {
            let what = if factor.is_some() { "replaced" } else { "enrolled" };
            (Kind::SignIn, None, format!("{what} a second factor{}", shown(*factor)))
        }
        Deed::RecoveryCodesMade { factor, .. } => {
            (Kind::SignIn, None, format!("had new recovery codes made{}", shown(Some(*factor))))
        }
        Deed::RecoveryCodeUsed { left, credential: _ } => {
            (Kind::SignIn, None, format!("used a recovery code; {left} are left"))
        }
        Deed::FactorResetBegun { person, second: _, reason } => {
            (Kind::Staff, None, format!("asked for a reset of the second factor of {person}: {reason}"))
        }
        Deed::FactorResetStopped { begun, person, .. } => {
            (Kind::Staff, None, format!("stopped the reset of the second factor of {person}, entry {begun}"))
        }
        Deed::FactorReset { begun, person } => (
            Kind::Staff,
            None,
            format!("the second factor of {person} was reset, as asked for in entry {begun}"),
        ),
        Deed::PasswordChosen { credential: _ } => (Kind::SignIn, None, "chose a password".to_owned()),
        Deed::ApprovalGiven { digest, table, round, factor } => {
            let round = round.map_or_else(String::new, |round| format!(" in Round {round}"));
            let what = digest.map_or_else(String::new, |digest| format!(", {digest}"));
            let shown = shown(*factor);
            (
                Kind::SignIn,
                table.clone(),
                format!("gave the password again{shown} for one order{round}{what}"),
            )
        }
        Deed::StaffChanged { person, role, enabled, invited, name, second: _, reason, credential: _ } => {
            let (state, invited) =
                (if *enabled { "enabled" } else { "disabled" }, if *invited { ", invited" } else { "" });
            let named = name.as_ref().map_or_else(String::new, |name| format!(" as {name}"));
            let why = reason.as_ref().map_or_else(String::new, |reason| format!(": {reason}"));
            (Kind::Staff, None, format!("{person}{named}: {role}, {state}{invited}{why}"))
        }
        Deed::AdministratorsRestored { persons, reason } => {
            let persons: Vec<&str> = persons.iter().map(|it| it.as_str()).collect();
            (Kind::Staff, None, format!("restored at the host: {}: {reason}", persons.join(", ")))
        }
        Deed::ClockConfirmed { ahead, reason, .. } => {
            let words = format!("the recorded clock was moved forward by {} s: {reason}", ahead / 1_000);
            (Kind::Clock, None, words)
        }
        Deed::RestorationSeen { restored, reason } => {
            (Kind::Staff, None, format!("the restoration of entry {restored} was looked into: {reason}"))
        }
        Deed::DeviceEnrolled { device, kind, table, patron, at_box, second: _, reason, credential: _ } => {
            let why = reason.as_ref().map_or_else(String::new, |reason| format!(": {reason}"));
            let patron = patron.map_or_else(String::new, |patron| format!(", patron {}", patron.0));
            let at_box = at_box.map_or_else(String::new, |it| format!(", at box {}", it.0));
            (Kind::Device, Some(table.clone()), format!("{device} was enrolled: {kind}{patron}{at_box}{why}"))
        }
        Deed::RegisterTakenOver { people, devices } => {
            let words = format!(
                "the register of the earlier release was taken over: {} people, {} devices",
                people.len(),
                devices.len()
            );
            (Kind::Software, None, words)
        }
        Deed::RegisterCleared { failed, reason, .. } => {
            let words = format!("the register was cleared, as found in entry {failed}: {reason}");
            (Kind::Verification, None, words)
        }
        Deed::WitnessChanged { witness, address, key: _, in_use, second: _, reason } => {
            let use_of_it = if *in_use { "in use" } else { "no longer in use" };
            (Kind::Ledger, None, format!("witness {witness} at {address} {use_of_it}: {reason}"))
        }
        Deed::WitnessConfirmed { witness, size, root: _ } => {
            (Kind::Ledger, None, format!("witness {witness} confirmed {size} entries"))
        }
        Deed::OpenedUnwitnessed { reason, .. } => {
            (Kind::Ledger, None, format!("opened although no witness could be reached: {reason}"))
        }
        Deed::LossDeclared { witness, from, to, root: _, second: _, reason } => {
            let words = format!(
                "entries {} to {to} of witness {witness} declared lost: {reason}",
                from.saturating_add(1)
            );
            (Kind::Ledger, None, words)
        }
        Deed::DeviceRevoked { device } => (Kind::Device, None, format!("{device} was revoked")),
    };
    Some(found)
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
