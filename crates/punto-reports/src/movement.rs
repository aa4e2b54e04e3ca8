//! What an event does to money, in a closed list.
//!
//! Accounts, meters, rows and reports all read movements. Whether the books read an event at all stands beside its variant
//! in `punto-record`; what an event says beside money is not here.

use punto_record::{
    Adjustment, BoxNo, CaseOutcome, Change, Choice, DeviceId, DropNo, Event, HeldOutcome, Part, Return,
    RoundNo, RoundResult, Settings, SettledLine, SlipNo, TicketNo, Timestamp,
};
use punto_rules::{BetId, Money, PatronNo};

/// Names one wager of a Round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot<'e> {
    pub(crate) patron: PatronNo,
    pub(crate) box_no: Option<BoxNo>,
    pub(crate) bet: &'e BetId,
}

/// What happens to the stake on a spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// So much more lies there, and then so much in all.
    More { amount: Money, stake: Money },
    /// So much less lies there, and then so much in all.
    Less { amount: Money, stake: Money },
    /// So much lies there in all.
    Is { stake: Money },
}

/// What an event does to money.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Movement<'e> {
    Nothing,
    /// The table plays by these settings from now on.
    Settings(&'e Settings),
    /// A Round commences: what was settled before stands.
    RoundCommenced {
        round: RoundNo,
    },
    Stake {
        spot: Spot<'e>,
        step: Step,
    },
    /// How much of each wager plays; of one box, or of all.
    Parts {
        of_box: Option<BoxNo>,
        parts: &'e [Part],
    },
    /// A stake is put right, and its box apportioned anew.
    Amended {
        spot: Spot<'e>,
        stake: Money,
        parts: &'e [Part],
    },
    /// A patron takes all bets back.
    TakenBack {
        patron: PatronNo,
        returns: &'e [Return],
    },
    Voided {
        round: RoundNo,
        returns: &'e [Return],
        changes: &'e [Change],
    },
    Settled {
        round: RoundNo,
        result: &'e RoundResult,
        lines: &'e [SettledLine],
        house: i64,
    },
    Corrected {
        round: RoundNo,
        result: &'e RoundResult,
        lines: &'e [SettledLine],
        house: i64,
        changes: &'e [Change],
        /// The wager that had been recorded wrongly, and its stake; none where the cards were wrong.
        amended: Option<(Spot<'e>, Money)>,
    },
    Adjusted {
        round: RoundNo,
        adjustments: &'e [Adjustment],
        changes: &'e [Change],
    },
    /// What was pushed to a patron was not the payout.
    Pushed {
        round: RoundNo,
        patron: PatronNo,
        payout: Money,
        counted: Money,
    },
    Bought {
        patron: PatronNo,
        amount: Money,
        credits: Money,
    },
    /// A note in an acceptor became credits; `stands` is what they then came to, where it is said.
    Noted {
        patron: PatronNo,
        acceptor: &'e DeviceId,
        amount: Money,
        stands: Option<Money>,
    },
    /// A note in an acceptor was paid by hand.
    NotePaid {
        acceptor: &'e DeviceId,
        amount: Money,
    },
    /// The box of an acceptor was taken out.
    Emptied {
        drop: DropNo,
        acceptor: &'e DeviceId,
        expected: Money,
    },
    /// Such a box was counted.
    BoxCounted {
        drop: DropNo,
        counted: Money,
        expected: Money,
    },
    Redeemed {
        patron: PatronNo,
        ticket: &'e TicketNo,
        amount: Money,
        credits: Money,
    },
    CashedOut {
        patron: PatronNo,
        ticket: &'e TicketNo,
        amount: Money,
        expires: Timestamp,
    },
    Collected {
        patron: PatronNo,
        amount: Money,
        owed: Money,
    },
    UnclaimedKept {
        patron: PatronNo,
        amount: Money,
        /// Not all credits: the rest is paid.
        part: bool,
    },
    UnclaimedPaid {
        patron: PatronNo,
        amount: Money,
    },
    /// A payout is to be held.
    HoldOrdered {
        slip: SlipNo,
        patron: PatronNo,
        round: RoundNo,
    },
    /// A payout is held, some of which may have been kept for the patron before.
    PayoutHeld {
        slip: SlipNo,
        patron: PatronNo,
        amount: Money,
        from_unclaimed: Money,
    },
    /// Two people decided about a payout that was held.
    HeldDecided {
        slip: SlipNo,
        patron: PatronNo,
        amount: Money,
        outcome: HeldOutcome,
    },
    FloatOpened {
        amount: Money,
    },
    FloatClosed {
        counted: Money,
        expected: i64,
    },
    Filled {
        amount: Money,
    },
    Credited {
        amount: Money,
    },
    Dropped {
        amount: Money,
    },
}

impl<'e> Movement<'e> {
    /// What an event does to money.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "a test asks that each booked event is here, and no other"
    )]
    pub(crate) fn of(event: &'e Event) -> Movement<'e> {
        match event {
            Event::TableOpened { settings, .. } | Event::SettingsChanged { settings, .. } => {
                Movement::Settings(settings)
            }
            Event::BetsOpened { round, .. } => Movement::RoundCommenced { round: *round },
            Event::WagerRegistered { patron, box_no, bet, amount, stake, .. } => Movement::Stake {
                spot: Spot { patron: *patron, box_no: *box_no, bet },
                step: Step::More { amount: *amount, stake: *stake },
            },
            Event::WagerWithdrawn { patron, box_no, bet, amount, stake, .. } => Movement::Stake {
                spot: Spot { patron: *patron, box_no: *box_no, bet },
                step: Step::Less { amount: *amount, stake: *stake },
            },
            Event::WagerTrimmed { patron, box_no, bet, amount, stake, .. }
            | Event::WagerReturned { patron, box_no, bet, amount, stake, .. } => Movement::Stake {
                spot: Spot { patron: *patron, box_no: Some(*box_no), bet },
                step: Step::Less { amount: *amount, stake: *stake },
            },
            Event::ChipsRecorded { patron, box_no, bet, stake, .. } => Movement::Stake {
                spot: Spot { patron: *patron, box_no: Some(*box_no), bet },
                step: Step::Is { stake: *stake },
            },
            Event::WagerAmended { patron, box_no, bet, stake, parts, .. } => Movement::Amended {
                spot: Spot { patron: *patron, box_no: Some(*box_no), bet },
                stake: *stake,
                parts,
            },
            Event::BetsClosed { parts, .. } => Movement::Parts { of_box: None, parts },
            Event::ChoiceMade { patron, choice, returns, .. } => match choice {
                Choice::Continue => Movement::Nothing,
                Choice::TakeBack => Movement::TakenBack { patron: *patron, returns },
            },
            Event::RoundVoided { round, returns, changes, .. } => {
                Movement::Voided { round: *round, returns, changes }
            }
            Event::RoundSettled { round, result, lines, house } => {
                Movement::Settled { round: *round, result, lines, house: *house }
            }
            Event::RoundCorrected { round, result, lines, house, changes, .. } => {
                Movement::Corrected { round: *round, result, lines, house: *house, changes, amended: None }
            }
            Event::RoundAmended {
                round, patron, box_no, bet, stake, result, lines, house, changes, ..
            } => {
                let spot = Spot { patron: *patron, box_no: Some(*box_no), bet };
                let amended = Some((spot, *stake));
                Movement::Corrected { round: *round, result, lines, house: *house, changes, amended }
            }
            Event::Adjusted { round, adjustments, changes, .. } => {
                Movement::Adjusted { round: *round, adjustments, changes }
            }
            Event::PushRecorded { round, patron, payout, counted, .. } => {
                Movement::Pushed { round: *round, patron: *patron, payout: *payout, counted: *counted }
            }
            Event::CreditsBought { patron, amount, credits } => {
                Movement::Bought { patron: *patron, amount: *amount, credits: *credits }
            }
            Event::NoteAccepted { patron, acceptor, amount, credits, .. } => {
                Movement::Noted { patron: *patron, acceptor, amount: *amount, stands: Some(*credits) }
            }
            Event::CaseSettled { patron, acceptor: Some(acceptor), outcome, .. } => match outcome {
                CaseOutcome::Credited { amount } => {
                    Movement::Noted { patron: *patron, acceptor, amount: *amount, stands: None }
                }
                CaseOutcome::Paid { amount } => Movement::NotePaid { acceptor, amount: *amount },
                CaseOutcome::HandedOver {} | CaseOutcome::Nothing {} => Movement::Nothing,
            },
            Event::AcceptorEmptied { drop, acceptor, expected, .. } => {
                Movement::Emptied { drop: *drop, acceptor, expected: *expected }
            }
            Event::AcceptorCounted { drop, counted, expected, .. } => {
                Movement::BoxCounted { drop: *drop, counted: *counted, expected: *expected }
            }
            Event::TicketRedeemed { patron, ticket, amount, credits } => {
                Movement::Redeemed { patron: *patron, ticket, amount: *amount, credits: *credits }
            }
            Event::CashedOut { patron, ticket, amount, expires, .. } => {
                Movement::CashedOut { patron: *patron, ticket, amount: *amount, expires: *expires }
            }
            Event::Collected { patron, amount, owed } => {
                Movement::Collected { patron: *patron, amount: *amount, owed: *owed }
            }
            Event::UnclaimedKept { patron, amount, .. } => {
                Movement::UnclaimedKept { patron: *patron, amount: *amount, part: false }
            }
            Event::CashOutHeld { patron, amount, .. } => {
                Movement::UnclaimedKept { patron: *patron, amount: *amount, part: true }
            }
            Event::UnclaimedPaid { patron, amount } => {
                Movement::UnclaimedPaid { patron: *patron, amount: *amount }
            }
            Event::PayoutHoldOrdered { slip, patron, round, .. } => {
                Movement::HoldOrdered { slip: *slip, patron: *patron, round: *round }
            }
            Event::PayoutHeld { slip, patron, amount, from_unclaimed, .. } => {
                let (slip, patron, amount, from_unclaimed) = (*slip, *patron, *amount, *from_unclaimed);
                Movement::PayoutHeld { slip, patron, amount, from_unclaimed }
            }
            Event::HeldDecided { slip, patron, amount, outcome, .. } => {
                let (slip, patron, amount, outcome) = (*slip, *patron, *amount, *outcome);
                Movement::HeldDecided { slip, patron, amount, outcome }
            }
            Event::FloatOpened { amount } => Movement::FloatOpened { amount: *amount },
            Event::FloatClosed { counted, expected } => {
                Movement::FloatClosed { counted: *counted, expected: *expected }
            }
            Event::Filled { amount, .. } => Movement::Filled { amount: *amount },
            Event::Credited { amount, .. } => Movement::Credited { amount: *amount },
            Event::Dropped { amount } => Movement::Dropped { amount: *amount },
            _ => Movement::Nothing,
        }
    }
}

/// What a compensating entry gives a patron; negative where it takes.
pub(crate) fn to_patron(change: &Change) -> i128 {
    let Change { paid, cancelled, taken, from_unclaimed, from_held, uncollected, .. } = change;
    let taken = minor(*taken) + minor(*from_unclaimed) + minor(*from_held);
    minor(*paid) + minor(*cancelled) - taken - minor(*uncollected)
}

/// Minor units, to reckon with.
pub(crate) fn minor(money: Money) -> i128 {
    money.get().into()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use punto_record::{Event, EventKind, HouseEntry};

    use super::Movement;
    use crate::postings;

    fn golden<T: serde::de::DeserializeOwned>(text: &str) -> Vec<T> {
        text.lines().map(|line| serde_json::from_str(line).expect("a golden line")).collect()
    }

    #[test]
    fn the_books_read_what_is_declared_and_nothing_else() {
        let events: Vec<Event> = golden(include_str!("../../punto-record/tests/data/events.ndjson"));
        let read: BTreeSet<EventKind> = events
            .iter()
            .filter(|event| !matches!(Movement::of(event), Movement::Nothing))
            .map(Event::kind)
            .collect();
        for kind in EventKind::ALL {
            assert_eq!(kind.facts().booked, read.contains(kind), "{}", kind.id());
        }
    }

    #[test]
    fn each_deed_that_uses_a_ticket_is_posted() {
        let deeds: Vec<HouseEntry> = golden(include_str!("../../punto-record/tests/data/deeds.ndjson"));
        for HouseEntry { deed, .. } in &deeds {
            let kind = deed.kind();
            assert_eq!(kind.facts().uses_a_ticket, postings::of_deed(deed).is_some(), "{}", kind.id());
        }
    }
}
