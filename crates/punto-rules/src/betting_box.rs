//! A betting box on an enforced table: who may still bet how much on Player and Banker (5.1, 5.2), and whose bets
//! give way.
//!
//! Side bets do not count towards the Differential and are not here. A table that only observes the felt records what
//! lies there, flags it ([`BettingBox::flags`]) and settles pro rata ([`crate::apportion`]).

use crate::{BoxLimits, BySide, Money, Side, TooMuch};

/// A person who bets, as the table numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct PatronNo(pub u32);

/// Sitting at the box, or betting on a Seated Player's box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Stance {
    Seated,
    Standing,
}

/// One placing of chips on Player or Banker; a raise is a later layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[allow(missing_docs)]
pub struct Layer {
    pub patron: PatronNo,
    pub stance: Stance,
    pub side: Side,
    pub amount: Money,
}

/// Chips that gave way and go back to their owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Trim {
    pub patron: PatronNo,
    pub side: Side,
    pub amount: Money,
}

/// Why a bet is refused, in order of precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Another patron sits at the box.
    #[error("another Seated Player has this box")]
    SeatTaken,
    /// The patron already bets here in the other stance.
    #[error("a patron bets at a box either seated or standing")]
    OtherStance,
    /// With what the patron already has there, it is below the minimum (5.2).
    #[error("below the minimum; at least {least} more is needed")]
    UnderMinimum {
        /// The least amount that would do.
        least: Money,
    },
    /// It would take the box over the Differential (5.1).
    #[error("over the Differential; at most {most} would be accepted")]
    OverDifferential {
        /// The largest amount that would be accepted now; nothing if the room is below the minimum.
        most: Money,
    },
}

/// What breaks a limit on an observed table while bets are open (5.1, 5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "flag", rename_all = "kebab-case")]
pub enum Flag {
    /// One side outweighs the other by this much too much.
    OverDifferential {
        /// The heavier side.
        side: Side,
        /// The excess.
        by: Money,
    },
    /// A patron has less than the minimum on a side.
    UnderMinimum {
        /// Who.
        patron: PatronNo,
        /// Where.
        side: Side,
        /// What is missing.
        by: Money,
    },
}

/// The Player and Banker bets of one box, in the order they came.
///
/// ```
/// use punto_rules::{BettingBox, BoxLimits, Layer, Money, PatronNo, Refusal, Side, Stance};
/// let money = |minor| Money::new(minor).unwrap();
/// let limits = BoxLimits { minimum: money(100), differential: money(1_000) };
/// let bet = |patron, stance, amount| Layer {
///     patron: PatronNo(patron), stance, side: Side::Banker, amount: money(amount),
/// };
/// let mut betting_box = BettingBox::default();
/// betting_box.place(bet(1, Stance::Standing, 700), limits).unwrap();
/// let refused = betting_box.place(bet(2, Stance::Standing, 400), limits);
/// assert_eq!(refused, Err(Refusal::OverDifferential { most: money(300) }));
/// // The Seated Player has priority: the Standing bet gives way as far as needed.
/// let trims = betting_box.place(bet(3, Stance::Seated, 500), limits).unwrap();
/// assert_eq!(trims[0].amount, money(200));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct BettingBox {
    layers: Vec<Layer>,
    /// What the layers add up to, kept beside them: a box is asked for it at every bet.
    totals: BySide<u64>,
    /// The part of it that is a Seated Player's.
    seated: BySide<u64>,
}

impl BettingBox {
    /// The layers, in the order they came.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// What stands on each side.
    pub fn totals(&self) -> BySide<Money> {
        BySide::from_fn(|side| Money::new(self.totals[side]).expect("a side holds what money can hold"))
    }

    /// What a patron has on a side, raises merged.
    pub fn stake(&self, patron: PatronNo, side: Side) -> Money {
        self.sum(|layer| layer.patron == patron && layer.side == side)
    }

    /// Records chips on the felt of a table that only observes its limits; nothing is refused but what cannot be
    /// counted.
    ///
    /// # Errors
    /// If the side would hold more than money can.
    pub fn record(&mut self, bet: Layer) -> Result<(), TooMuch> {
        let total = self.totals[bet.side] + bet.amount.get();
        Money::new(total).ok_or(TooMuch(total))?;
        self.push(bet);
        Ok(())
    }

    /// Places a bet, or refuses it and changes nothing. Returns the Standing bets that gave way to a Seated one.
    ///
    /// # Panics
    /// If the bet is of nothing.
    // INTERPRETATION 13: refused whole; Seated priority; latest layer first; a remainder below the minimum goes whole.
    pub fn place(&mut self, bet: Layer, limits: BoxLimits) -> Result<Vec<Trim>, Refusal> {
        let gives_way = self.check(bet, limits)?;
        self.push(bet);
        if !gives_way {
            return Ok(Vec::new());
        }
        Ok(self.trim(bet.side, |layer| layer.stance == Stance::Standing, limits))
    }

    /// Whether a bet would be accepted; if so, whether Standing bets would give way to it.
    ///
    /// # Errors
    /// Why [`BettingBox::place`] would refuse it.
    ///
    /// # Panics
    /// If the bet is of nothing.
    pub fn check(&self, bet: Layer, limits: BoxLimits) -> Result<bool, Refusal> {
        assert!(!bet.amount.is_zero(), "a bet of nothing");
        let BoxLimits { minimum, differential } = limits;
        let (mut other_stance, mut before) = (false, 0);
        for layer in &self.layers {
            if layer.patron == bet.patron {
                other_stance |= layer.stance != bet.stance;
                before += if layer.side == bet.side { layer.amount.get() } else { 0 };
            } else if layer.stance == Stance::Seated && bet.stance == Stance::Seated {
                return Err(Refusal::SeatTaken);
            }
        }
        if other_stance {
            return Err(Refusal::OtherStance);
        }
        let before = Money::new(before).expect("a side holds what money can hold");
        let room = self.room(bet.stance, bet.side, differential);
        if before.get() + bet.amount.get() < minimum.get() {
            return Err(Refusal::UnderMinimum { least: minimum.less(before) });
        }
        if bet.amount > room {
            let most = if before.get() + room.get() < minimum.get() { Money::ZERO } else { room };
            return Err(Refusal::OverDifferential { most });
        }
        let may_stand = self.totals[bet.side.other()] + differential.get();
        Ok(self.totals[bet.side] + bet.amount.get() > may_stand.min(Money::MAX.get()))
    }

    fn push(&mut self, bet: Layer) {
        self.count(&bet, bet.amount, true);
        self.layers.push(bet);
    }

    fn count(&mut self, layer: &Layer, amount: Money, is_more: bool) {
        let seated = if layer.stance == Stance::Seated { amount.get() } else { 0 };
        for (sum, part) in
            [(&mut self.totals[layer.side], amount.get()), (&mut self.seated[layer.side], seated)]
        {
            *sum = if is_more { *sum + part } else { *sum - part };
        }
    }

    /// Takes back what a patron has on a side, up to `amount`, latest layer first; returns what came back.
    pub fn withdraw(&mut self, patron: PatronNo, side: Side, amount: Money) -> Money {
        self.take_back(amount, |layer| layer.patron == patron && layer.side == side)
    }

    /// Counts chips that are no whole units with those of the same patron that they were laid upon, so that what gives way
    /// later is a whole number of units wherever the stakes are.
    ///
    /// ```
    /// use punto_rules::{BettingBox, BoxLimits, Layer, Money, PatronNo, Side, Stance};
    /// let money = |minor| Money::new(minor).unwrap();
    /// let bet = |patron, amount| Layer {
    ///     patron: PatronNo(patron), stance: Stance::Standing, side: Side::Banker, amount: money(amount),
    /// };
    /// let mut betting_box = BettingBox::default();
    /// for layer in [bet(1, 1_010), bet(2, 290), bet(1, 10), bet(2, 10)] {
    ///     betting_box.record(layer).unwrap();
    /// }
    /// betting_box.join_odd_layers(money(20));
    /// let trims = betting_box.close(BoxLimits { minimum: money(100), differential: money(1_300) });
    /// assert_eq!(trims[0].amount, money(20));
    /// ```
    // INTERPRETATION 51: chips on the felt are recorded as they lie; what plays is whole.
    pub fn join_odd_layers(&mut self, unit: Money) {
        let mut joined: Vec<Layer> = Vec::with_capacity(self.layers.len());
        for layer in self.layers.drain(..) {
            let same =
                |it: &&mut Layer| (it.patron, it.stance, it.side) == (layer.patron, layer.stance, layer.side);
            match joined.iter_mut().rev().find(same) {
                Some(before) if !(layer.amount.is_whole(unit) && before.amount.is_whole(unit)) => {
                    before.amount = [before.amount, layer.amount].into_iter().sum();
                }
                Some(_) | None => joined.push(layer),
            }
        }
        self.layers = joined;
    }

    /// Trims the box to the Differential at "No more Bets": Standing first, then Seated, latest first.
    // INTERPRETATION 13: a withdrawal may have widened the gap since the bets were accepted.
    pub fn close(&mut self, limits: BoxLimits) -> Vec<Trim> {
        let heavier = self.heavier();
        let mut trims = self.trim(heavier, |layer| layer.stance == Stance::Standing, limits);
        trims.extend(self.trim(heavier, |layer| layer.stance == Stance::Seated, limits));
        trims
    }

    /// What breaks a limit now.
    pub fn flags(&self, limits: BoxLimits) -> Vec<Flag> {
        let mut flags = Vec::new();
        let side = self.heavier();
        let by = self.excess(side, limits.differential);
        if !by.is_zero() {
            flags.push(Flag::OverDifferential { side, by });
        }
        let mut seen = Vec::new();
        for &Layer { patron, side, .. } in &self.layers {
            let by = limits.minimum.less(self.stake(patron, side));
            if !seen.contains(&(patron, side)) && !by.is_zero() {
                flags.push(Flag::UnderMinimum { patron, side, by });
            }
            seen.push((patron, side));
        }
        flags
    }

    fn heavier(&self) -> Side {
        let totals = self.totals();
        if totals.player > totals.banker { Side::Player } else { Side::Banker }
    }

    /// The most that a bet in this stance can add to a side.
    fn room(&self, stance: Stance, side: Side, differential: Money) -> Money {
        let stays = match stance {
            Stance::Seated => self.seated[side],
            Stance::Standing => self.totals[side],
        };
        let may_stand = (self.totals[side.other()] + differential.get()).min(Money::MAX.get());
        Money::new(may_stand.saturating_sub(stays)).expect("no more than may stand")
    }

    fn excess(&self, side: Side, differential: Money) -> Money {
        // A Seated bet stands here beside what is about to give way: for that moment a side may exceed what money holds.
        let may_stand = (self.totals[side.other()] + differential.get()).min(Money::MAX.get());
        let excess = self.totals[side].saturating_sub(may_stand);
        Money::new(excess).expect("the excess is no more than the bet that caused it")
    }

    /// Takes chips off a side, latest layer first, until it is within the Differential or nothing may give way.
    fn trim(&mut self, side: Side, gives_way: impl Fn(&Layer) -> bool, limits: BoxLimits) -> Vec<Trim> {
        let mut trims: Vec<Trim> = Vec::new();
        loop {
            let excess = self.excess(side, limits.differential);
            let latest = self.layers.iter().rev().find(|layer| layer.side == side && gives_way(layer));
            let (false, Some(&Layer { patron, amount: layer, .. })) = (excess.is_zero(), latest) else {
                return trims;
            };
            let stake = self.stake(patron, side);
            let rest = stake.less(layer.min(excess));
            let amount = if rest < limits.minimum { stake } else { layer.min(excess) };
            self.withdraw(patron, side, amount);
            match trims.iter_mut().find(|trim| trim.patron == patron) {
                Some(trim) => trim.amount = [trim.amount, amount].into_iter().sum(),
                None => trims.push(Trim { patron, side, amount }),
            }
        }
    }

    fn take_back(&mut self, amount: Money, from: impl Fn(&Layer) -> bool) -> Money {
        let mut left = amount;
        for at in (0..self.layers.len()).rev() {
            let layer = self.layers[at];
            if from(&layer) && !left.is_zero() {
                let part = layer.amount.min(left);
                self.layers[at].amount = layer.amount.less(part);
                self.count(&layer, part, false);
                left = left.less(part);
            }
        }
        self.layers.retain(|layer| !layer.amount.is_zero());
        amount.less(left)
    }

    fn sum(&self, of: impl Fn(&Layer) -> bool) -> Money {
        self.layers.iter().filter(|layer| of(layer)).map(|layer| layer.amount).sum()
    }
}
