//! What the books remember of a table beside balances: its kind of money, its Round, what played, and the Round that
//! can still be put right.

use std::collections::BTreeMap;

use punto_record::{Change, Currency, DropNo, MoneyKind, Part, RoundNo, SettledLine, SlipNo};
use punto_rules::{Money, PatronNo};

use crate::movement::{Movement, Spot, Step, minor};

/// A Round that was settled, until the next one commences.
#[derive(Clone, Debug)]
pub(crate) struct Settled {
    pub(crate) round: RoundNo,
    pub(crate) lines: Vec<SettledLine>,
}

#[derive(Clone, Debug)]
pub(crate) struct Context {
    pub(crate) currency: Currency,
    pub(crate) chips: bool,
    pub(crate) round: RoundNo,
    pub(crate) tray_is_open: bool,
    /// Wagers that do not play in full.
    pub(crate) parts: Vec<Part>,
    pub(crate) last: Option<Settled>,
    /// What was in the boxes of note acceptors that were taken out and not yet counted.
    pub(crate) boxes: BTreeMap<DropNo, Money>,
    /// Payouts that are held: whose, of which Round, how much.
    pub(crate) held: BTreeMap<SlipNo, (PatronNo, RoundNo, i128)>,
    /// What was handed out in the entry at hand.
    pub(crate) paid: Vec<(PatronNo, Money)>,
}

impl Default for Context {
    fn default() -> Context {
        Context {
            currency: Currency::unknown(),
            chips: false,
            round: RoundNo::default(),
            tray_is_open: false,
            parts: Vec::new(),
            last: None,
            boxes: BTreeMap::new(),
            held: BTreeMap::new(),
            paid: Vec::new(),
        }
    }
}

impl Context {
    /// How much of a wager plays, where it is not all.
    pub(crate) fn playing(&self, spot: Spot<'_>) -> Option<Money> {
        let is_it =
            |it: &&Part| it.patron == spot.patron && Some(it.box_no) == spot.box_no && it.bet == *spot.bet;
        self.parts.iter().find(is_it).map(|part| part.playing)
    }

    /// How much of a patron's payout of a Round is held.
    pub(crate) fn held_of(&self, patron: PatronNo, round: RoundNo) -> i128 {
        self.held.values().filter(|it| (it.0, it.1) == (patron, round)).map(|it| it.2).sum()
    }

    fn take_held(&mut self, round: RoundNo, changes: &[Change]) {
        for change in changes {
            let own = |it: &&mut (PatronNo, RoundNo, i128)| (it.0, it.1) == (change.patron, round);
            if let Some(held) = self.held.values_mut().find(own) {
                held.2 -= minor(change.from_held);
            }
        }
    }

    pub(crate) fn take(&mut self, movement: &Movement<'_>) {
        if let Movement::Voided { round, changes, .. }
        | Movement::Corrected { round, changes, .. }
        | Movement::Adjusted { round, changes, .. } = movement
        {
            self.take_held(*round, changes);
        }
        match movement {
            Movement::Settings(settings) => {
                self.chips = settings.money == MoneyKind::Chips;
                self.currency.clone_from(&settings.currency);
            }
            Movement::RoundCommenced { round } => {
                self.round = *round;
                self.last = None;
                self.parts.clear();
            }
            Movement::Parts { of_box, parts } => {
                self.parts.retain(|it| of_box.is_some_and(|of_box| of_box != it.box_no));
                self.parts.extend_from_slice(parts);
            }
            Movement::Amended { spot, parts, .. } => {
                self.parts.retain(|it| Some(it.box_no) != spot.box_no);
                self.parts.extend_from_slice(parts);
            }
            Movement::Settled { round, lines, .. } => {
                self.paid.extend(lines.iter().map(|line| (line.patron, line.to_patron)));
                self.last = Some(Settled { round: *round, lines: lines.to_vec() });
            }
            Movement::Corrected { round, lines, changes, .. } => {
                self.paid.extend(changes.iter().map(|it| (it.patron, it.paid)));
                self.last = Some(Settled { round: *round, lines: lines.to_vec() });
            }
            Movement::Adjusted { changes, .. } => {
                self.paid.extend(changes.iter().map(|it| (it.patron, it.paid)));
            }
            Movement::Emptied { drop, expected, .. } => {
                self.boxes.insert(*drop, *expected);
            }
            Movement::BoxCounted { drop, .. } => {
                self.boxes.remove(drop);
            }
            Movement::Voided { returns, changes, .. } => {
                self.paid.extend(returns.iter().map(|it| (it.patron, it.amount)));
                self.paid.extend(changes.iter().map(|it| (it.patron, it.paid)));
                self.last = None;
            }
            Movement::Stake { spot, step: Step::Less { amount, .. } } => {
                self.paid.push((spot.patron, *amount))
            }
            Movement::TakenBack { returns, .. } => {
                self.paid.extend(returns.iter().map(|it| (it.patron, it.amount)));
            }
            Movement::UnclaimedKept { patron, amount, .. } => {
                if let Some(at) = self.paid.iter().position(|it| it == &(*patron, *amount)) {
                    self.paid.swap_remove(at);
                }
            }
            Movement::HoldOrdered { slip, patron, round } => {
                self.held.insert(*slip, (*patron, *round, 0));
            }
            Movement::PayoutHeld { slip, patron, amount, .. } => {
                self.paid.retain(|(whose, _)| whose != patron);
                if let Some((_, _, held)) = self.held.get_mut(slip) {
                    *held += minor(*amount);
                }
            }
            Movement::HeldDecided { slip, .. } => {
                self.held.remove(slip);
            }
            Movement::FloatOpened { .. } => self.tray_is_open = true,
            Movement::FloatClosed { .. } => self.tray_is_open = false,
            Movement::Nothing
            | Movement::Stake { step: Step::More { .. } | Step::Is { .. }, .. }
            | Movement::Pushed { .. }
            | Movement::Bought { .. }
            | Movement::Redeemed { .. }
            | Movement::Noted { .. }
            | Movement::NotePaid { .. }
            | Movement::CashedOut { .. }
            | Movement::Collected { .. }
            | Movement::UnclaimedPaid { .. }
            | Movement::Filled { .. }
            | Movement::Credited { .. }
            | Movement::Dropped { .. } => {}
        }
    }
}
