//! Voids, corrections and overrides: everything that somebody decided against the ordinary course, who, and why.

use std::collections::BTreeMap;

use punto_record::{Command, Deed, Event, HouseEntry, SlipNo, TableId};
use serde::Serialize;

use super::moment::{Moment, who};
use crate::day::Calendar;
use crate::movement::{Movement, minor, to_patron};
use crate::sheet::{Cell, ColumnKind, Sheet};

/// What kind of exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExceptionKind {
    /// A Round that is void.
    Void,
    /// A settled Round that was settled anew.
    Correction,
    /// Money that was moved for an earlier Round.
    Adjustment,
    /// Chips pushed that were not the payout.
    Push,
    /// A matter that was ruled.
    Ruling,
    /// A matter that was ruled otherwise than an interpretation has it.
    Departure,
    /// A wager that was put right after the close (5.14/5.13).
    Amendment,
    /// A card that had been keyed wrongly.
    CardCorrected,
    /// A bet that a Pit Employee placed for a patron (5.17/5.16).
    PlacedForPatron,
    /// What a correction could not take back.
    Uncollected,
    /// What was not paid at a cash-out because a claim could still take it.
    HeldBack,
    /// A claim that may hold money back for longer.
    HoldExtended,
    /// Credits that nobody played with any more, set aside for their patron.
    SetAside,
    /// A review of credits that were set aside.
    SetAsideReviewed,
    /// A payout of somebody who may not play, held.
    PayoutHeld,
    /// What two people decided about a held payout.
    HeldDecided,
    /// A ticket made void.
    TicketVoided,
    /// An expired ticket that two people paid.
    ExpiredTicketPaid,
    /// A table that was unlocked.
    TableUnlocked,
}

impl ExceptionKind {
    /// Its word.
    pub const fn id(self) -> &'static str {
        match self {
            ExceptionKind::Void => "void",
            ExceptionKind::Correction => "correction",
            ExceptionKind::Adjustment => "adjustment",
            ExceptionKind::Push => "push",
            ExceptionKind::Ruling => "ruling",
            ExceptionKind::Departure => "departure",
            ExceptionKind::Amendment => "amendment",
            ExceptionKind::CardCorrected => "card-corrected",
            ExceptionKind::PlacedForPatron => "placed-for-patron",
            ExceptionKind::Uncollected => "uncollected",
            ExceptionKind::HeldBack => "held-back",
            ExceptionKind::HoldExtended => "hold-extended",
            ExceptionKind::SetAside => "set-aside",
            ExceptionKind::SetAsideReviewed => "set-aside-reviewed",
            ExceptionKind::PayoutHeld => "payout-held",
            ExceptionKind::HeldDecided => "held-decided",
            ExceptionKind::TicketVoided => "ticket-voided",
            ExceptionKind::ExpiredTicketPaid => "expired-ticket-paid",
            ExceptionKind::TableUnlocked => "table-unlocked",
        }
    }
}

/// One exception.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Exception {
    /// By the clock of the table.
    pub at: String,
    pub table: Option<TableId>,
    pub seq: u64,
    pub round: Option<u32>,
    pub kind: ExceptionKind,
    pub by: String,
    pub second: Option<String>,
    pub cite: Option<String>,
    pub words: String,
    /// What it did: returned by a void, won by the House through a correction or an adjustment, the stake as amended or
    /// placed, what is owed, what a ticket was worth.
    pub amount: Option<i128>,
    pub currency: String,
}

/// All of them, in the order of the records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct ExceptionsReport {
    /// Each.
    pub exceptions: Vec<Exception>,
    /// Credits that were set aside and wait for a review.
    #[serde(skip)]
    pub unreviewed: BTreeMap<(TableId, SlipNo), Exception>,
}

impl ExceptionsReport {
    pub(crate) fn take(&mut self, moment: &Moment<'_>) {
        let round = Some(moment.round().0);
        let base = Exception {
            at: String::new(),
            table: Some(moment.table.clone()),
            seq: moment.seq.0,
            round,
            kind: ExceptionKind::Ruling,
            by: String::new(),
            second: None,
            cite: None,
            words: String::new(),
            amount: None,
            currency: moment.desk.currency.to_string(),
        };
        let found = match moment.movement {
            Movement::Voided { round, returns, changes } => {
                let returned: i128 = returns.iter().map(|it| minor(it.amount)).sum();
                let undone: i128 = changes.iter().map(to_patron).sum();
                let words = if let Event::RoundVoided { kind, .. } = moment.event { kind.id() } else { "" };
                let amount = Some(if changes.is_empty() { returned } else { undone });
                let words = words.to_owned();
                Some(Exception { kind: ExceptionKind::Void, round: Some(round.0), words, amount, ..base })
            }
            Movement::Corrected { round, house, amended, .. } => {
                let was: i128 = moment.last().map_or(0, |last| {
                    last.lines.iter().map(|line| minor(line.stake) - minor(line.to_patron)).sum()
                });
                let amount = Some(i128::from(house) - was);
                let (kind, words) = match amended {
                    Some((spot, _)) => {
                        (ExceptionKind::Amendment, format!("{} of patron {}", spot.bet, spot.patron.0))
                    }
                    None => (ExceptionKind::Correction, String::new()),
                };
                Some(Exception { kind, round: Some(round.0), words, amount, ..base })
            }
            Movement::Adjusted { round, changes, .. } => {
                let amount = Some(-changes.iter().map(to_patron).sum::<i128>());
                Some(Exception { kind: ExceptionKind::Adjustment, round: Some(round.0), amount, ..base })
            }
            Movement::Pushed { round, patron, payout, counted } => {
                let words = format!("to patron {}", patron.0);
                let amount = Some(minor(counted) - minor(payout));
                Some(Exception { kind: ExceptionKind::Push, round: Some(round.0), words, amount, ..base })
            }
            Movement::Amended { spot, stake, .. } => {
                let words = format!("{} of patron {}", spot.bet, spot.patron.0);
                let amount = Some(minor(stake));
                Some(Exception { kind: ExceptionKind::Amendment, words, amount, ..base })
            }
            Movement::Stake { .. } => placed_for_patron(moment, base),
            Movement::Nothing => corrected_card(moment, &base)
                .or_else(|| about_held(moment, &base))
                .or_else(|| ruled(moment, base)),
            Movement::UnclaimedKept { .. } => self.held_or_set_aside(moment, base),
            Movement::HoldOrdered { .. } | Movement::PayoutHeld { .. } | Movement::HeldDecided { .. } => {
                held_payout(moment, &base)
            }
            Movement::Settings(_)
            | Movement::RoundCommenced { .. }
            | Movement::Parts { .. }
            | Movement::TakenBack { .. }
            | Movement::Settled { .. }
            | Movement::Bought { .. }
            | Movement::Redeemed { .. }
            | Movement::Noted { .. }
            | Movement::NotePaid { .. }
            | Movement::Emptied { .. }
            | Movement::BoxCounted { .. }
            | Movement::CashedOut { .. }
            | Movement::Collected { .. }
            | Movement::UnclaimedPaid { .. }
            | Movement::FloatOpened { .. }
            | Movement::FloatClosed { .. }
            | Movement::Filled { .. }
            | Movement::Credited { .. }
            | Movement::Dropped { .. } => None,
        };
        if let Event::SetAsideReviewed { slip, .. } = moment.event {
            self.unreviewed.remove(&(moment.table.clone(), *slip));
        }
        if let Some(found) = found {
            let it = finished(moment, found);
            self.exceptions.push(it.clone());
            self.uncollected(moment, &it);
        }
    }

    fn held_or_set_aside(&mut self, moment: &Moment<'_>, base: Exception) -> Option<Exception> {
        if let Event::CashOutHeld { patron, slip, amount, .. } = moment.event {
            let words = format!("of patron {}, slip {slip}", patron.0);
            return Some(Exception {
                kind: ExceptionKind::HeldBack,
                words,
                amount: Some(minor(*amount)),
                ..base
            });
        }
        let Event::UnclaimedKept { patron, amount, slip: Some(slip), attendant, .. } = moment.event else {
            return None;
        };
        let (words, amount) = (format!("of patron {}, slip {slip}", patron.0), Some(minor(*amount)));
        let second = attendant.as_ref().map(|it| it.to_string());
        let found = Exception { kind: ExceptionKind::SetAside, words, amount, second, ..base };
        let waits = finished(moment, found.clone());
        self.unreviewed.insert((moment.table.clone(), *slip), waits);
        Some(found)
    }

    fn uncollected(&mut self, moment: &Moment<'_>, of: &Exception) {
        let (Movement::Voided { changes, .. }
        | Movement::Corrected { changes, .. }
        | Movement::Adjusted { changes, .. }) = moment.movement
        else {
            return;
        };
        for change in changes.iter().filter(|change| !change.uncollected.is_zero()) {
            self.exceptions.push(Exception {
                kind: ExceptionKind::Uncollected,
                words: format!("owed by patron {}", change.patron.0),
                amount: Some(minor(change.uncollected)),
                ..of.clone()
            });
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "few deeds are exceptions")]
    pub(crate) fn take_deed(&mut self, entry: &HouseEntry) {
        let (kind, table, second, words, amount) = match &entry.deed {
            Deed::TicketVoided { ticket, amount, second, reason, .. } => (
                ExceptionKind::TicketVoided,
                None,
                second,
                format!("{ticket}: {reason}"),
                Some(minor(*amount)),
            ),
            Deed::TicketPaid { ticket, amount, second: Some(second), reason, .. } => (
                ExceptionKind::ExpiredTicketPaid,
                None,
                second,
                format!("{ticket}: {}", reason.as_deref().unwrap_or_default()),
                Some(minor(*amount)),
            ),
            Deed::TableUnlocked { table, second, reason } => {
                (ExceptionKind::TableUnlocked, Some(table.clone()), second, reason.to_string(), None)
            }
            _ => return,
        };
        let currency =
            if let Deed::TicketVoided { currency, .. } | Deed::TicketPaid { currency, .. } = &entry.deed {
                currency.as_ref()
            } else {
                None
            };
        self.exceptions.push(Exception {
            at: format!("{} UTC", Calendar::utc().clock(entry.at)),
            table,
            seq: entry.seq.0,
            round: None,
            kind,
            by: who(&entry.by),
            second: Some(second.to_string()),
            cite: None,
            words,
            amount,
            currency: currency.map_or_else(String::new, |currency| currency.as_str().to_owned()),
        });
    }

    /// How many of each kind, and each.
    pub fn sheets(&self) -> Vec<Sheet> {
        use ColumnKind::{Count, Money, Text};
        let mut counts: BTreeMap<ExceptionKind, i128> = BTreeMap::new();
        self.exceptions.iter().for_each(|it| *counts.entry(it.kind).or_default() += 1);
        let columns = [("kind", "Kind", Text), ("count", "How many", Count)];
        let mut summary =
            Sheet::new("exceptions-by-kind", "Voids, corrections and overrides by kind", &columns);
        counts.into_iter().for_each(|(kind, count)| summary.row(vec![kind.id().into(), Cell::Count(count)]));
        let columns = [
            ("at", "When", Text),
            ("table", "Table", Text),
            ("entry", "Entry", Count),
            ("round", "Round", Text),
            ("kind", "Kind", Text),
            ("by", "By", Text),
            ("second", "Second person", Text),
            ("cite", "Paragraph", Text),
            ("words", "What and why", Text),
            ("currency", "Currency", Text),
            ("amount", "Amount", Money),
        ];
        let mut sheet = Sheet::new("exceptions", "Voids, corrections and overrides", &columns);
        for it in &self.exceptions {
            sheet.row(vec![
                it.at.as_str().into(),
                it.table.as_ref().map_or("", TableId::as_str).into(),
                Cell::Count(it.seq.into()),
                it.round.map_or(Cell::Empty, |round| round.to_string().into()),
                it.kind.id().into(),
                it.by.as_str().into(),
                it.second.as_deref().unwrap_or_default().into(),
                it.cite.as_deref().unwrap_or_default().into(),
                it.words.as_str().into(),
                it.currency.as_str().into(),
                it.amount.map_or(Cell::Empty, Cell::Money),
            ]);
        }
        let columns = [("by", "By", Text), ("count", "How many", Count)];
        let mut keyed =
            Sheet::new("cards-corrected", "Cards keyed wrongly and corrected, by person", &columns);
        let mut people: BTreeMap<&str, i128> = BTreeMap::new();
        let corrected = self.exceptions.iter().filter(|it| it.kind == ExceptionKind::CardCorrected);
        corrected.for_each(|it| *people.entry(&it.by).or_default() += 1);
        people.into_iter().for_each(|(by, count)| keyed.row(vec![by.into(), Cell::Count(count)]));
        sheet.note(
            "The amount of a void is what went back; of a correction or an adjustment, what it gave the House; of a \
             push, what it was over the payout; of an amendment or a bet placed for a patron, the stake.",
        );
        let columns = [
            ("at", "When", Text),
            ("table", "Table", Text),
            ("by", "By", Text),
            ("second", "Attendant", Text),
            ("words", "Whose", Text),
            ("currency", "Currency", Text),
            ("amount", "Amount", Money),
        ];
        let mut waiting = Sheet::new("set-aside-unreviewed", "Credits set aside and not reviewed", &columns);
        for it in self.unreviewed.values() {
            waiting.row(vec![
                it.at.as_str().into(),
                it.table.as_ref().map_or("", TableId::as_str).into(),
                it.by.as_str().into(),
                it.second.as_deref().unwrap_or_default().into(),
                it.words.as_str().into(),
                it.currency.as_str().into(),
                it.amount.map_or(Cell::Empty, Cell::Money),
            ]);
        }
        vec![summary, keyed, waiting, sheet]
    }
}

fn placed_for_patron(moment: &Moment<'_>, base: Exception) -> Option<Exception> {
    let Event::WagerRegistered { patron, bet, amount, placed_by: Some(_), .. } = moment.event else {
        return None;
    };
    let (kind, words) = (ExceptionKind::PlacedForPatron, format!("{bet} for patron {}", patron.0));
    Some(Exception { kind, words, amount: Some(minor(*amount)), ..base })
}

fn corrected_card(moment: &Moment<'_>, base: &Exception) -> Option<Exception> {
    let Event::CardCorrected { at, was, card, supervised } = moment.event else { return None };
    let how = if *supervised { "by a Pit Supervisor" } else { "by the Dealer alone" };
    let (kind, words) = (ExceptionKind::CardCorrected, format!("card {at}, {was} to {card}, {how}"));
    Some(Exception { kind, words, ..base.clone() })
}

fn about_held(moment: &Moment<'_>, base: &Exception) -> Option<Exception> {
    let (kind, words) = if let Event::HoldExtended { matter, reason, .. } = moment.event {
        (ExceptionKind::HoldExtended, format!("matter {matter}: {reason}"))
    } else if let Event::SetAsideReviewed { slip, patron, reason, .. } = moment.event {
        (ExceptionKind::SetAsideReviewed, format!("of patron {}, slip {slip}: {reason}", patron.0))
    } else {
        return None;
    };
    Some(Exception { kind, words, ..base.clone() })
}

fn held_payout(moment: &Moment<'_>, base: &Exception) -> Option<Exception> {
    let base = base.clone();
    if let Event::PayoutHoldOrdered { slip, patron, round, reference, .. } = moment.event {
        let (kind, round) = (ExceptionKind::PayoutHeld, Some(round.0));
        let words = format!("of patron {} to be held, slip {slip}: {reference}", patron.0);
        Some(Exception { kind, round, words, ..base })
    } else if let Event::PayoutHeld { slip, patron, amount, .. } = moment.event {
        let words = format!("of patron {}, slip {slip}", patron.0);
        Some(Exception { kind: ExceptionKind::PayoutHeld, words, amount: Some(minor(*amount)), ..base })
    } else if let Event::HeldDecided { slip, patron, amount, outcome, reference, second, .. } = moment.event {
        let words = format!("of patron {}, slip {slip}, {}: {reference}", patron.0, outcome.id());
        let (kind, amount, second) =
            (ExceptionKind::HeldDecided, Some(minor(*amount)), Some(second.to_string()));
        Some(Exception { kind, words, amount, second, ..base })
    } else {
        None
    }
}

fn ruled(moment: &Moment<'_>, base: Exception) -> Option<Exception> {
    let mut kind = ExceptionKind::Ruling;
    let (words, second) = if let Event::Ruled { matter, ruling, second, reason, departs, .. } = moment.event {
        let mut words = format!("matter {matter}, {}: {reason}", ruling.id());
        if let Some(no) = departs {
            kind = ExceptionKind::Departure;
            words = format!("departs from interpretation {no}; {words}");
        }
        (words, second.as_ref().map(|it| it.to_string()))
    } else if let Event::CarriedCardsRuled { keep, .. } = moment.event {
        let reason = if let Command::RuleCarriedCards { reason, .. } = moment.command { reason } else { "" };
        let what = if *keep { "carried cards are used" } else { "carried cards are discarded" };
        (format!("{what}: {reason}"), None)
    } else {
        return None;
    };
    Some(Exception { kind, words, second, ..base })
}

/// Who and when, the paragraph, and the reason that stands in the order.
fn finished(moment: &Moment<'_>, found: Exception) -> Exception {
    let (reason, second) = if let Command::Rule { reason, second, .. } = moment.command {
        (Some(reason), second.as_ref())
    } else if let Command::AmendWager { reason, second, .. } = moment.command {
        (Some(reason), second.as_ref())
    } else if let Command::RecordPush { surveillance, second, .. } = moment.command {
        (Some(surveillance), second.as_ref())
    } else {
        (None, None)
    };
    let is_told = matches!(found.kind, ExceptionKind::Ruling | ExceptionKind::Departure);
    let words = match (reason, is_told, found.words.is_empty()) {
        (Some(reason), false, true) => reason.to_string(),
        (Some(reason), false, false) => format!("{}: {reason}", found.words),
        (Some(_), true, _) | (None, ..) => found.words,
    };
    let cite = if let Event::RoundVoided { cite, .. }
    | Event::RoundCorrected { cite, .. }
    | Event::Adjusted { cite, .. }
    | Event::PushRecorded { cite, .. }
    | Event::WagerAmended { cite, .. }
    | Event::RoundAmended { cite, .. }
    | Event::Ruled { cite, .. }
    | Event::CashOutHeld { cite, .. }
    | Event::HoldExtended { cite, .. }
    | Event::PayoutHoldOrdered { cite, .. }
    | Event::PayoutHeld { cite, .. }
    | Event::HeldDecided { cite, .. }
    | Event::SetAsideReviewed { cite, .. }
    | Event::CarriedCardsRuled { cite, .. } = moment.event
    {
        Some(cite.to_string())
    } else if let Event::WagerRegistered { cite: Some(cite), .. }
    | Event::UnclaimedKept { cite: Some(cite), .. } = moment.event
    {
        Some(cite.to_string())
    } else {
        None
    };
    let second = found.second.or_else(|| second.map(|it| it.to_string()));
    Exception { at: moment.clock(), by: who(moment.by), words, cite, second, ..found }
}
