//! Who may still bet how much on Player and Banker in one betting box, and whose chips give way (5.1, 5.2).
//!
//! Amounts are whole units that money can hold; nothing else is accepted at a table. Side bets are not here: they do not
//! count towards the Differential.

use std::fmt;

use crate::{BoxLimits, Side};

/// Chips that one patron placed at one time. A raise is another placing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chips {
    /// Whose they are, as the table numbers patrons.
    pub patron: u32,
    /// Whether the patron sits at the box; others stand.
    pub is_seated: bool,
    /// The Hand that is bet on.
    pub side: Side,
    /// Minor units.
    pub amount: u64,
}

/// Chips that give way and go back to their owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Cut {
    pub patron: u32,
    pub side: Side,
    pub amount: u64,
}

/// Why a bet is turned down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnedDown {
    /// Another patron sits at the box.
    SeatTaken,
    /// The patron bets at this box already, in the other stance.
    OtherStance,
    /// With what the patron has there it stays below the minimum.
    #[allow(missing_docs)]
    BelowMinimum { least: u64 },
    /// It is too large for the room that is left; the most that would be taken now.
    #[allow(missing_docs)]
    OverDifferential { most: u64 },
}

impl fmt::Display for TurnedDown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TurnedDown::SeatTaken => f.write_str("another patron sits at the box"),
            TurnedDown::OtherStance => f.write_str("the patron bets here in the other stance"),
            TurnedDown::BelowMinimum { least } => write!(f, "below the minimum: at least {least} is needed"),
            TurnedDown::OverDifferential { most } => {
                write!(f, "over the Differential: at most {most} is taken")
            }
        }
    }
}

impl std::error::Error for TurnedDown {}

/// The Player and Banker bets of one box, the oldest first.
///
/// ```
/// use punto_reference::{BettingBox, BoxLimits, Chips, Side, TurnedDown};
/// let limits = BoxLimits { minimum: 100, differential: 1_000 };
/// let banker = |patron, is_seated, amount| Chips { patron, is_seated, side: Side::Banker, amount };
/// let mut felt = BettingBox::default();
/// assert_eq!(felt.place(banker(1, false, 700), limits), Ok(vec![]));
/// let most = TurnedDown::OverDifferential { most: 300 };
/// assert_eq!(felt.place(banker(2, false, 400), limits), Err(most));
/// // Seated Players come first: the Standing bet is cut back.
/// assert_eq!(felt.place(banker(3, true, 500), limits).unwrap()[0].amount, 200);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BettingBox {
    chips: Vec<Chips>,
}

// INTERPRETATION 11: each box has a Differential of its own, and the minimum is measured on what one patron has on one side.
impl BettingBox {
    /// All chips, the oldest first.
    pub fn chips(&self) -> &[Chips] {
        &self.chips
    }

    /// Records chips as they lie, within the limits or not.
    pub fn record(&mut self, chips: Chips) {
        self.chips.push(chips);
    }

    /// What a patron has on a side, raises included.
    pub fn stake(&self, patron: u32, side: Side) -> u64 {
        self.sum(|chips| chips.patron == patron && chips.side == side)
    }

    /// Places a bet where limits are enforced, and says what gives way to it.
    ///
    /// # Errors
    /// Why it is turned down; then nothing gives way.
    // INTERPRETATION 13: none of a bet that is too large is taken; a Seated Player's bet takes the room of Standing ones.
    pub fn place(&mut self, bet: Chips, limits: BoxLimits) -> Result<Vec<Cut>, TurnedDown> {
        let Chips { patron, is_seated, side, amount } = bet;
        let mut others = self.chips.iter().filter(|chips| chips.patron != patron);
        if is_seated && others.any(|chips| chips.is_seated) {
            return Err(TurnedDown::SeatTaken);
        }
        if self.chips.iter().any(|chips| chips.patron == patron && chips.is_seated != is_seated) {
            return Err(TurnedDown::OtherStance);
        }
        let before = self.stake(patron, side);
        let needed = limits.minimum.saturating_sub(before);
        if amount < needed {
            return Err(TurnedDown::BelowMinimum { least: needed });
        }
        let stays = self.sum(|chips| chips.side == side && (chips.is_seated || !is_seated));
        let room = self.allowed(side, limits).saturating_sub(stays);
        if amount > room {
            return Err(TurnedDown::OverDifferential { most: if room < needed { 0 } else { room } });
        }
        self.chips.push(bet);
        Ok(if is_seated { self.cut(side, false, limits) } else { Vec::new() })
    }

    /// Takes a part of a patron's bet back, the newest chips first; `false` if there is not as much.
    pub fn withdraw(&mut self, patron: u32, side: Side, amount: u64) -> bool {
        if amount > self.stake(patron, side) {
            return false;
        }
        let mut left = amount;
        for chips in self.chips.iter_mut().rev().filter(|chips| chips.patron == patron && chips.side == side)
        {
            let part = chips.amount.min(left);
            chips.amount -= part;
            left -= part;
        }
        self.chips.retain(|chips| chips.amount > 0);
        true
    }

    /// What gives way at "No more Bets", since a withdrawal may have widened the gap: Standing bets before the Seated one.
    pub fn close(&mut self, limits: BoxLimits) -> Vec<Cut> {
        let Some((side, _)) = self.excess(limits) else { return Vec::new() };
        let mut cuts = self.cut(side, false, limits);
        cuts.extend(self.cut(side, true, limits));
        cuts
    }

    /// The side that outweighs the other beyond the Differential, and by how much too much.
    pub fn excess(&self, limits: BoxLimits) -> Option<(Side, u64)> {
        let over = |side| self.total(side).saturating_sub(self.allowed(side, limits));
        [Side::Player, Side::Banker].map(|side| (side, over(side))).into_iter().find(|(_, by)| *by > 0)
    }

    /// Who has less than the minimum on which side, and how much is missing, in the order in which they came.
    pub fn below_minimum(&self, limits: BoxLimits) -> Vec<(u32, Side, u64)> {
        let mut found: Vec<(u32, Side, u64)> = Vec::new();
        for Chips { patron, side, .. } in &self.chips {
            let missing = limits.minimum.saturating_sub(self.stake(*patron, *side));
            if missing > 0 && !found.contains(&(*patron, *side, missing)) {
                found.push((*patron, *side, missing));
            }
        }
        found
    }

    /// Cuts one side back, the newest chips of this stance first, until it is within the Differential. A bet that would be
    /// left with less than the minimum goes back entirely.
    fn cut(&mut self, side: Side, is_seated: bool, limits: BoxLimits) -> Vec<Cut> {
        let mut cuts: Vec<Cut> = Vec::new();
        loop {
            let excess = self.total(side).saturating_sub(self.allowed(side, limits));
            let newest = self.chips.iter().rfind(|chips| (chips.side, chips.is_seated) == (side, is_seated));
            let (1.., Some(&Chips { patron, amount, .. })) = (excess, newest) else { return cuts };
            let stake = self.stake(patron, side);
            let part = amount.min(excess);
            let amount = if stake - part < limits.minimum { stake } else { part };
            self.withdraw(patron, side, amount);
            match cuts.iter_mut().find(|cut| cut.patron == patron) {
                Some(cut) => cut.amount += amount,
                None => cuts.push(Cut { patron, side, amount }),
            }
        }
    }

    /// What one side may hold: as much as the other, and the Differential.
    fn allowed(&self, side: Side, limits: BoxLimits) -> u64 {
        let other = self.sum(|chips| chips.side != side);
        other.saturating_add(limits.differential)
    }

    fn total(&self, side: Side) -> u64 {
        self.sum(|chips| chips.side == side)
    }

    fn sum(&self, which: impl Fn(&Chips) -> bool) -> u64 {
        let amounts = self.chips.iter().filter(|chips| which(chips)).map(|chips| chips.amount);
        amounts.fold(0, u64::saturating_add)
    }
}
