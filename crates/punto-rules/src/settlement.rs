//! Settlement: what a completed Round does to every wager, to the cent.

use crate::apportion::apportion;
use crate::bet::Pays;
use crate::{Bet, BetNo, Money, Outcome, Row, Side, Terms, Verdict};

/// A bet as placed: what is staked on it and how much of that plays (the two differ only by pro rata, 5.1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Wager {
    pub bet: BetNo,
    pub stake: Money,
    pub playing: Money,
}

impl Wager {
    /// A wager that plays in full.
    pub const fn new(bet: BetNo, stake: Money) -> Wager {
        Wager { bet, stake, playing: stake }
    }
}

/// What became of one wager. Its stake is `returned`, or back with `winnings`, or lost; see [`Line::to_patron`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'t> {
    /// The wager.
    pub wager: Wager,
    /// Won, lost or returned.
    pub verdict: Verdict,
    /// The row of the pay table that decided; `None` if no row matched and the bet lost.
    pub row: Option<&'t Row>,
    /// The index of that row.
    pub row_no: Option<usize>,
    /// What comes back unplayed, or by a return. The played stake of a win is not counted here.
    pub returned: Money,
    /// Paid on top of the stake, net of commission.
    pub winnings: Money,
    /// What the House kept from the gross winnings.
    pub commission: Money,
}

impl Line<'_> {
    /// Everything that goes back to the patron: the stake unless it was lost, and the winnings.
    pub fn to_patron(&self) -> Money {
        let stake = match self.verdict {
            Verdict::Won(_) => self.wager.stake,
            Verdict::Lost | Verdict::Returned => self.returned,
        };
        stake.plus(self.winnings).expect("a stake is accepted only if its payout fits")
    }

    /// What the House took from this wager; negative where it paid.
    pub fn house(&self) -> i128 {
        let lost = match self.verdict {
            Verdict::Lost => self.wager.playing,
            Verdict::Won(_) | Verdict::Returned => Money::ZERO,
        };
        i128::from(lost.get()) - i128::from(self.winnings.get())
    }
}

/// The settlement of a Round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement<'t> {
    /// One line for each wager, in their order.
    pub lines: Vec<Line<'t>>,
    /// Lost stakes less winnings, over all lines.
    pub house: i128,
}

/// Settles a completed Round.
///
/// ```
/// use punto_rules::{LimitsAsked, Money, Rulebook, Step, Wager, notation, reconstruct, settle};
/// let rulebook = Rulebook::approved("da-hu-ying-xiong").unwrap();
/// let terms = rulebook.terms("A", 8, &LimitsAsked::default()).unwrap();
/// let (deal, _) = reconstruct(&notation::parse("2s 3d 3c 3h 5d").unwrap());
/// let Step::Complete(outcome) = deal.step() else { panic!() };
/// let banker = Wager::new(terms.bet_no("banker").unwrap(), Money::new(10_000).unwrap());
/// let settlement = settle(&terms, &[banker], &outcome);
/// assert_eq!(settlement.lines[0].winnings.get(), 9_500);
/// assert_eq!(settlement.lines[0].commission.get(), 500);
/// assert_eq!(settlement.house, -9_500);
/// ```
///
/// # Panics
/// If a wager was not accepted by [`Terms::check_stake`], or plays more than it stakes.
pub fn settle<'t>(terms: &'t Terms, wagers: &[Wager], outcome: &Outcome) -> Settlement<'t> {
    let class = terms.class_of(outcome);
    let mut house = 0;
    let lines = wagers
        .iter()
        .map(|&wager| {
            let bet = terms.bet(wager.bet);
            let line = line(wager, bet, bet.row_no_for(class));
            house += line.house();
            line
        })
        .collect();
    Settlement { lines, house }
}

#[inline]
fn line(wager: Wager, bet: &Bet, row_no: Option<usize>) -> Line<'_> {
    let row = row_no.map(|row| &bet.rows[row]);
    let Wager { stake, playing, .. } = wager;
    let unplayed = stake.minus(playing).expect("no more plays than was staked");
    let exact = "accepted stakes are paid exactly and their payout fits";
    let (verdict, returned, winnings, commission) = match row.map(|row| row.pays) {
        None => (Verdict::Lost, unplayed, Money::ZERO, Money::ZERO),
        // INTERPRETATION 9: returned is neither won nor lost.
        Some(Pays::Returned) => (Verdict::Returned, stake, Money::ZERO, Money::ZERO),
        Some(Pays::Won { odds, commission: None }) => {
            (Verdict::Won(odds), unplayed, odds.on(playing).expect(exact), Money::ZERO)
        }
        Some(Pays::Won { odds, commission: Some(commission) }) => {
            let kept = commission.to_stake().on(playing).expect(exact);
            (Verdict::Won(odds), unplayed, odds.on(playing).expect(exact), kept)
        }
    };
    Line { wager, verdict, row, row_no, returned, winnings, commission }
}

/// Fixes how much of each wager of one betting box plays, when bets close on a table that only observed them (5.1.1).
///
/// Side bets, and boxes within the Differential, play in full.
///
/// # Panics
/// If the terms have no Differential, or the bets of a side add up to more than money can hold.
// INTERPRETATION 14: what is still on the felt at close stands; a box over the Differential is settled pro rata.
pub fn fix_playing<'w>(terms: &Terms, betting_box: impl IntoIterator<Item = &'w mut Wager>) {
    let limits = terms.box_limits().expect("a table with betting boxes has a minimum and a Differential");
    let mut sides: [Vec<&mut Wager>; 2] = [Vec::new(), Vec::new()];
    for wager in betting_box {
        match terms.bet(wager.bet).original {
            Some(Side::Player) => sides[0].push(wager),
            Some(Side::Banker) => sides[1].push(wager),
            None => {}
        }
    }
    let totals = [0, 1].map(|side| sides[side].iter().map(|wager| wager.stake).sum::<Money>());
    let heavier = usize::from(totals[1] > totals[0]);
    let bets: Vec<Money> = sides[heavier].iter().map(|wager| wager.stake).collect();
    let parts = apportion(&bets, totals[1 - heavier], limits, terms.unit());
    for (wager, part) in sides[heavier].iter_mut().zip(parts) {
        wager.playing = part;
    }
}
