//! Where what happened differs from what was due, in words.

use std::collections::BTreeSet;

use punto_record::{Event, EventKind};
use punto_rules::Cite;

use crate::finding::FindingKind;

/// What a difference in an event of this kind means.
pub(super) const fn of_event(kind: EventKind) -> FindingKind {
    match kind {
        EventKind::TableOpened | EventKind::SettingsChanged => FindingKind::WrongSettings,
        EventKind::LimitsAnnounced | EventKind::LimitsChanged => FindingKind::WrongSettings,
        EventKind::ClosingAnnounced | EventKind::LastRoundDropped | EventKind::TableClosed => {
            FindingKind::RoundNumber
        }
        EventKind::ShoeLoaded => FindingKind::ShoeNumber,
        EventKind::CardsInspected
        | EventKind::CardsCut
        | EventKind::CardsBurnt
        | EventKind::CutCardReached
        | EventKind::ShoeExchangeRequired
        | EventKind::ShoeReplacementOrdered
        | EventKind::ShoeRetired => FindingKind::WrongShoe,
        EventKind::ShoeReconciled => FindingKind::WrongCount,
        EventKind::ShoeRevealed => FindingKind::WrongOrder,
        EventKind::CarriedCardsRuled | EventKind::CarriedCardsDiscarded => FindingKind::WrongCarriedCards,
        EventKind::BetsOpened => FindingKind::RoundNumber,
        EventKind::WagerRegistered
        | EventKind::WagerWithdrawn
        | EventKind::ChipsRecorded
        | EventKind::WagerAmended
        | EventKind::SeatTaken
        | EventKind::SeatLeft
        | EventKind::LateBetRefused => FindingKind::WrongWager,
        EventKind::WagerTrimmed
        | EventKind::LimitsFlagged
        | EventKind::SideBetFlagged
        | EventKind::StackFlagged
        | EventKind::PatronAdvised
        | EventKind::WagerReturned => FindingKind::WrongTrim,
        EventKind::BetsClosed => FindingKind::WrongPart,
        EventKind::HandAccepted
        | EventKind::SqueezeAsked
        | EventKind::SqueezeAnswered
        | EventKind::CardDrawn
        | EventKind::CardRead
        | EventKind::CardCorrected
        | EventKind::CardsTurned
        | EventKind::CardMisread
        | EventKind::CardsOrdered
        | EventKind::CardsConfirmed => FindingKind::WrongCard,
        EventKind::RoundCompleted => FindingKind::WrongResult,
        EventKind::MatterOpened => FindingKind::WrongMatter,
        EventKind::Ruled => FindingKind::WrongRuling,
        EventKind::RoundVoided => FindingKind::WrongVoid,
        EventKind::ChoiceOffered | EventKind::ChoiceMade | EventKind::PlayResumed => FindingKind::WrongChoice,
        EventKind::TableInterrupted | EventKind::InterruptionResolved => FindingKind::WrongInterruption,
        EventKind::RoundSettled => FindingKind::WrongSettlement,
        EventKind::RoundCorrected
        | EventKind::RoundAmended
        | EventKind::Adjusted
        | EventKind::PushRecorded => FindingKind::WrongCorrection,
        EventKind::CreditsBought
        | EventKind::TicketRedeemed
        | EventKind::CashedOut
        | EventKind::CashOutHeld
        | EventKind::NoteAccepted
        | EventKind::CaseOpened
        | EventKind::CaseSettled
        | EventKind::AcceptorEmptied
        | EventKind::AcceptorCounted
        | EventKind::HoldExtended
        | EventKind::PayoutHoldOrdered
        | EventKind::PayoutHeld
        | EventKind::HeldDecided
        | EventKind::SetAsideReviewed
        | EventKind::Collected
        | EventKind::WalkedAway
        | EventKind::UnclaimedKept
        | EventKind::UnclaimedPaid => FindingKind::WrongCredits,
        EventKind::FloatOpened
        | EventKind::FloatClosed
        | EventKind::FloatCovered
        | EventKind::FloatUncovered
        | EventKind::Filled
        | EventKind::Credited
        | EventKind::Dropped => FindingKind::WrongFloat,
        EventKind::TerminalLost
        | EventKind::TerminalRestored
        | EventKind::DisputeOpened
        | EventKind::DisputeBundled
        | EventKind::DisputeSeen
        | EventKind::DisputeClosed
        | EventKind::PostTaken
        | EventKind::PostLeft
        | EventKind::ShiftStarted
        | EventKind::ClockJumped => FindingKind::WrongNote,
    }
}

/// Where two events of a kind differ, in words, and the paragraph of the one that should be.
pub(super) fn differs(expected: &Event, recorded: &Event) -> (String, Option<Cite>) {
    let value = |event: &Event| serde_json::to_value(event).unwrap_or_default();
    let (expected, recorded) = (value(expected), value(recorded));
    let cite = expected.get("cite").and_then(|cite| serde_json::from_value(cite.clone()).ok());
    let mut places = Vec::new();
    compare("", &expected, &recorded, &mut places);
    places.truncate(4);
    (places.join("; "), cite)
}

fn compare(path: &str, expected: &serde_json::Value, recorded: &serde_json::Value, to: &mut Vec<String>) {
    use serde_json::Value;
    const SHOWN: usize = 60;
    if expected == recorded {
        return;
    }
    let short = |value: &Value| value.to_string().chars().take(SHOWN).collect::<String>();
    match (expected, recorded) {
        (Value::Object(a), Value::Object(b)) => {
            let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            for name in names {
                let of = |map: &serde_json::Map<String, Value>| map.get(name).cloned().unwrap_or_default();
                let below = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                compare(&below, &of(a), &of(b), to);
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (i, (a, b)) in a.iter().zip(b).enumerate() {
                compare(&format!("{path}[{i}]"), a, b, to);
            }
        }
        (a, b) => to.push(format!("{path} is {}, should be {}", short(b), short(a))),
    }
}
