//! One bet, compiled to price it over and over while the shoe changes, as counting does.
//!
//! For a bet that depends on totals and numbers of cards alone, what it gains over all six-card sequences is a
//! polynomial in the numbers of cards of each value. A sequence matters only by how many cards of each value it has, so
//! there are 5,005 terms (six cards, ten values). They are kept as bilinear forms between the values 0–4 and 5–9, one for
//! each way to split the six cards, and evaluated in a few microseconds. A bet that depends on pairs alone has a closed
//! form; one that depends on more is priced like any other.

use std::sync::LazyLock;

use punto_rules::{BySide, Composition, Ending, Pairs, PointTotal, Verdict, table_of_play};

use crate::Ratio;
use crate::enumeration::card_worth;
use crate::pricer::{Depends, PriceError, Pricer, TOTALS, pair_states, sequences_of, totals_of};

const CARDS: usize = 6;
/// The ordered six-card sequences of ten decks: 520 · 519 · 518 · 517 · 516 · 515.
const MOST_SEQUENCES: i128 = 520 * 519 * 518 * 517 * 516 * 515;
const HALF: usize = 5;

/// A bet ready to be priced many times.
#[derive(Clone, Debug)]
pub struct CompiledBet {
    how: How,
    /// Gains are kept as whole numbers of 1/`scale` of a unit staked.
    scale: i64,
}

#[derive(Clone, Debug)]
enum How {
    /// The coefficients of all 5,005 terms.
    Totals(Vec<i64>),
    /// The gain in each state of pairs.
    Pairs([i64; 5]),
    Class {
        pricer: Box<Pricer>,
        bet: usize,
    },
}

impl CompiledBet {
    /// Compiles a bet of the layout, by its place.
    pub fn new(pricer: &Pricer, bet: usize) -> CompiledBet {
        let rows = &pricer.bet(bet).rows;
        let slow = || CompiledBet { how: How::Class { pricer: Box::new(pricer.clone()), bet }, scale: 1 };
        let pays = || rows.iter().filter_map(|row| row.verdict().odds());
        let Some(scale) = pays().try_fold(1, |scale, odds| lcm(scale, odds.per().into())) else {
            return slow();
        };
        // Every sum on the way is at most what all sequences of ten decks can gain or lose; that must fit.
        let most = pays().map(|odds| i128::from(odds.pays()) / i128::from(odds.per()) + 1).max().unwrap_or(1);
        if most * i128::from(scale) * MOST_SEQUENCES > i128::from(i64::MAX) {
            return slow();
        }
        let gain = |code: u8| match code.checked_sub(1).map(|row| rows[usize::from(row)].verdict()) {
            None | Some(Verdict::Lost) => -scale,
            Some(Verdict::Returned) => 0,
            Some(Verdict::Won(odds)) => i64::from(odds.pays()) * (scale / i64::from(odds.per())),
        };
        let how = match pricer.depends(bet) {
            Depends::Totals(codes) => How::Totals(coefficients(&codes.map(gain))),
            Depends::Pairs(codes) => How::Pairs(codes.map(gain)),
            Depends::Class => return slow(),
        };
        CompiledBet { how, scale }
    }

    /// What a unit staked gains on average, exactly: the house edge with the sign turned.
    pub fn gain(&self, shoe: &Composition) -> Result<Ratio, PriceError> {
        let sequences = sequences_of(shoe)?;
        let total: i128 = match &self.how {
            How::Totals(coefficients) => evaluate(coefficients, shoe),
            How::Pairs(gains) => {
                let states = pair_states(shoe, sequences);
                states.iter().zip(gains).map(|(&count, &gain)| i128::from(count) * i128::from(gain)).sum()
            }
            How::Class { pricer, bet } => {
                let edge = pricer.price(shoe)?[*bet].edge();
                return Ok(Ratio::ZERO.minus(edge));
            }
        };
        Ok(Ratio::new(total, i128::from(sequences) * i128::from(self.scale)))
    }

    /// The same as a floating-point number, for loops that price at every Round of a shoe.
    ///
    /// # Panics
    /// If there are fewer than six cards.
    pub fn gain_f64(&self, shoe: &Composition) -> f64 {
        match &self.how {
            How::Totals(coefficients) => {
                let sequences = sequences_of(shoe).expect("enough cards for a Round");
                evaluate(coefficients, shoe) as f64 / (sequences as f64 * self.scale as f64)
            }
            How::Pairs(_) | How::Class { .. } => self.gain(shoe).expect("enough cards for a Round").to_f64(),
        }
    }
}

/// The ways to have cards of five values: for each number of cards its monomials, and where each is.
struct HalfShoe {
    monomials: [Vec<[u8; HALF]>; CARDS + 1],
    /// From exponents in base 7 to the place among those of its degree.
    place: Vec<u16>,
}

static HALF_SHOE: LazyLock<HalfShoe> = LazyLock::new(|| {
    let mut monomials: [Vec<[u8; HALF]>; CARDS + 1] = Default::default();
    let mut place = vec![0; 7usize.pow(HALF as u32)];
    for (code, place) in place.iter_mut().enumerate() {
        let exponents: [u8; HALF] = std::array::from_fn(|i| (code / 7usize.pow(i as u32) % 7) as u8);
        if let Some(of_degree) = monomials.get_mut(usize::from(exponents.iter().sum::<u8>())) {
            *place = of_degree.len() as u16;
            of_degree.push(exponents);
        }
    }
    HalfShoe { monomials, place }
});

/// Where the bilinear form of each split begins: by the number of cards of values 0 to 4.
static OFFSETS: LazyLock<[usize; CARDS + 2]> = LazyLock::new(|| {
    let mut offsets = [0; CARDS + 2];
    for low in 0..=CARDS {
        let of = |degree: usize| HALF_SHOE.monomials[degree].len();
        offsets[low + 1] = offsets[low] + of(low) * of(CARDS - low);
    }
    offsets
});

/// For each term, how many of its sequences end in each combination of totals and numbers of cards.
static SEQUENCES_BY_TERM: LazyLock<Vec<Vec<(u16, u16)>>> = LazyLock::new(|| {
    let mut terms: Vec<Vec<(u16, u16)>> = vec![Vec::new(); OFFSETS[CARDS + 1]];
    each_value_sequence(|values, ending| {
        let mut codes = [0usize; 2];
        let mut low = 0;
        for &value in values {
            let half = usize::from(value) / HALF;
            codes[half] += 7usize.pow((usize::from(value) % HALF) as u32);
            low += 1 - half;
        }
        let place = codes.map(|code| usize::from(HALF_SHOE.place[code]));
        let term = OFFSETS[low] + place[0] * HALF_SHOE.monomials[CARDS - low].len() + place[1];
        match terms[term].iter_mut().find(|(of, _)| *of == ending) {
            Some((_, count)) => *count += 1,
            None => terms[term].push((ending, 1)),
        }
    });
    terms
});

/// Calls `visit` with all 10⁶ sequences of six values and how the Round that they begin with ends.
fn each_value_sequence(mut visit: impl FnMut(&[u8; CARDS], u16)) {
    for beginning in 0..10_000u32 {
        let [a, b, c, d] = [1_000, 100, 10, 1].map(|place| (beginning / place % 10) as u8);
        let two = BySide { player: (a + c) % 10, banker: (b + d) % 10 };
        let totals = BySide::from_fn(|side| PointTotal::of(&[card_worth(two[side])]));
        for end in 0..100 {
            let (e, f) = (end / 10, end % 10);
            let (mut points, mut cards, mut next) = (two, BySide { player: 2, banker: 2 }, e);
            let mut third = None;
            if table_of_play::player(totals).draws {
                (points.player, cards.player, next) = ((two.player + e) % 10, 3, f);
                third = Some(card_worth(e).rank);
            }
            if table_of_play::banker(totals, third).draws {
                (points.banker, cards.banker) = ((two.banker + next) % 10, 3);
            }
            let ending = Ending { points, cards, pairs: Pairs::None, suited: BySide::default() };
            visit(&[a, b, c, d, e, f], totals_of(&ending) as u16);
        }
    }
}

fn coefficients(gains: &[i64; TOTALS]) -> Vec<i64> {
    let gain = |&(ending, count): &(u16, u16)| gains[usize::from(ending)] * i64::from(count);
    SEQUENCES_BY_TERM.iter().map(|term| term.iter().map(gain).sum()).collect()
}

/// The polynomial at a shoe.
fn evaluate(coefficients: &[i64], shoe: &Composition) -> i128 {
    let values: [i64; 10] = std::array::from_fn(|value| i64::from(shoe.of_value(value as u8)));
    let low = monomials(&values[..HALF]);
    let high = monomials(&values[HALF..]);
    let mut total = 0i128;
    for degree in 0..=CARDS {
        let (rows, columns) = (&low[degree], &high[CARDS - degree]);
        let form = &coefficients[OFFSETS[degree]..OFFSETS[degree + 1]];
        for (row, form) in rows.iter().zip(form.chunks_exact(columns.len())) {
            // Each sum is at most what the bet gains or loses over all sequences, which was seen to fit.
            let sum: i64 = form.iter().zip(columns).map(|(a, b)| a * b).sum();
            total += i128::from(sum) * i128::from(*row);
        }
    }
    total
}

/// The ordered ways to take the cards of every monomial of one half.
fn monomials(copies: &[i64]) -> [Vec<i64>; CARDS + 1] {
    let mut falling = [[1i64; CARDS + 1]; HALF];
    for (row, &copies) in falling.iter_mut().zip(copies) {
        for k in 1..=CARDS {
            row[k] = row[k - 1] * (copies - k as i64 + 1).max(0);
        }
    }
    std::array::from_fn(|degree| {
        let value = |exponents: &[u8; HALF]| -> i64 {
            exponents.iter().zip(&falling).map(|(&k, row)| row[usize::from(k)]).product()
        };
        HALF_SHOE.monomials[degree].iter().map(value).collect()
    })
}

/// The least common multiple; `None` where it is too large to be of use.
fn lcm(a: i64, b: i64) -> Option<i64> {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x).checked_mul(b)
}
