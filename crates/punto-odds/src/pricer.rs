//! Prices every bet of a layout for any shoe, each by the least that it depends on.

use std::sync::Arc;

use punto_rules::{Bet, ClassNo, ClassSpace, Composition, Deal, Ending, Pairs, Rank, Terms};

use crate::Price;
use crate::enumeration::Enumeration;

/// Why a shoe cannot be priced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum PriceError {
    #[error("{cards} cards are too few for a Round; at least {needed} are needed")]
    TooFewCards { cards: u32, needed: u32 },
}

/// What a bet depends on.
#[derive(Clone, Debug)]
pub(crate) enum Depends {
    /// Both totals and numbers of cards: the deciding row for each of 400 endings, 0 for none.
    Totals(Box<[u8; TOTALS]>),
    /// The pairs alone: the deciding row for each of 5 states.
    Pairs([u8; 5]),
    /// More than one of these, or suits or counts: the whole class.
    Class,
}

pub(crate) const TOTALS: usize = 400;

/// The number of an ending by totals and numbers of cards alone.
pub(crate) fn totals_of(ending: &Ending) -> usize {
    let totals = usize::from(ending.points.player) * 10 + usize::from(ending.points.banker);
    totals * 4 + usize::from(ending.cards.player - 2) * 2 + usize::from(ending.cards.banker - 2)
}

/// Exact counts by class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    /// How many sequences end in each class.
    pub counts: Vec<u64>,
    /// How many there are in all.
    pub sequences: u64,
}

/// Prices the bets of one layout.
///
/// ```
/// use punto_odds::Pricer;
/// use punto_rules::{Composition, LimitsAsked, Rulebook};
/// let rulebook = Rulebook::approved("da-hu-ying-xiong").unwrap();
/// let terms = rulebook.terms("A", 8, &LimitsAsked::default()).unwrap();
/// let prices = Pricer::new(&terms).price(&Composition::decks(8)).unwrap();
/// let player = &prices[terms.bet_no("player").unwrap().index()];
/// assert_eq!(player.won(), 2_230_518_282_592_256);
/// assert_eq!(player.sequences, 4_998_398_275_503_360);
/// ```
#[derive(Clone, Debug)]
pub struct Pricer {
    space: ClassSpace,
    bets: Vec<(Arc<Bet>, Depends)>,
}

impl Pricer {
    /// Looks at what each bet depends on.
    pub fn new(terms: &Terms) -> Pricer {
        let space = terms.space().clone();
        let bets = terms.bets().iter().map(|bet| (Arc::clone(bet), depends(bet, &space))).collect();
        Pricer { space, bets }
    }

    /// The bets, in the order of the layout.
    pub fn bets(&self) -> impl Iterator<Item = &Bet> {
        self.bets.iter().map(|(bet, _)| bet.as_ref())
    }

    /// Every bet's exact counts for a full Round from this shoe.
    pub fn price(&self, shoe: &Composition) -> Result<Vec<Price>, PriceError> {
        self.price_given(shoe, &Deal::new())
    }

    /// The same, where some cards of the Round are out and no longer in the shoe.
    pub fn price_given(&self, shoe: &Composition, seen: &Deal) -> Result<Vec<Price>, PriceError> {
        let sequences = sequences(shoe, seen)?;
        let needs = |which: fn(&Depends) -> bool| self.bets.iter().any(|(_, depends)| which(depends));
        let mut totals = [0u64; TOTALS];
        if needs(|depends| matches!(depends, Depends::Totals(_))) {
            Enumeration::by_value(shoe).each(seen, |ending, _, count| totals[totals_of(&ending)] += count);
        }
        // The closed form for pairs holds before the first card; later on the classes tell.
        let by_class = !seen.is_empty() && needs(|depends| matches!(depends, Depends::Pairs(_)))
            || needs(|depends| matches!(depends, Depends::Class));
        let classes = by_class.then(|| self.histogram(shoe, seen, sequences));
        let pairs = seen.is_empty().then(|| pair_states(shoe, sequences));
        let price = |(bet, depends): &(Arc<Bet>, Depends)| {
            let mut rows = vec![0u64; bet.rows.len()];
            let mut add = |code: u8, count: u64| {
                if code > 0 {
                    rows[usize::from(code) - 1] += count;
                }
            };
            match (depends, &pairs) {
                (Depends::Totals(codes), _) => {
                    codes.iter().zip(totals).for_each(|(&code, count)| add(code, count))
                }
                (Depends::Pairs(codes), Some(pairs)) => {
                    codes.iter().zip(pairs).for_each(|(&code, &count)| add(code, count));
                }
                (Depends::Pairs(_), None) | (Depends::Class, _) => {
                    let classes = classes.as_ref().expect("made for such bets");
                    for class in self.space.possible().iter() {
                        add(code(bet, class), classes.counts[class.index()]);
                    }
                }
            }
            Price::new(bet, sequences, rows)
        };
        Ok(self.bets.iter().map(price).collect())
    }

    /// Exact counts of every class, from which joint figures are made.
    pub fn classes(&self, shoe: &Composition) -> Result<Histogram, PriceError> {
        let seen = Deal::new();
        let sequences = sequences(shoe, &seen)?;
        Ok(self.histogram(shoe, &seen, sequences))
    }

    fn histogram(&self, shoe: &Composition, seen: &Deal, sequences: u64) -> Histogram {
        let mut counts = vec![0; self.space.len()];
        Enumeration::by_class(&self.space, shoe).each(seen, |ending, of_cards, count| {
            let class = self.space.class_with(&ending, of_cards).expect("what is dealt can happen");
            counts[class.index()] += count;
        });
        Histogram { counts, sequences }
    }

    /// The bet at a place of the layout.
    pub fn bet(&self, bet: usize) -> &Bet {
        &self.bets[bet].0
    }

    pub(crate) fn depends(&self, bet: usize) -> &Depends {
        &self.bets[bet].1
    }

    /// The classes that the bets tell apart.
    pub fn space(&self) -> &ClassSpace {
        &self.space
    }
}

/// The deciding row of a class, from 1; 0 for none.
fn code(bet: &Bet, class: ClassNo) -> u8 {
    bet.row_no_for(class).map_or(0, |row| row as u8 + 1)
}

fn depends(bet: &Bet, space: &ClassSpace) -> Depends {
    let mut totals: [Option<u8>; TOTALS] = [None; TOTALS];
    let mut pairs: [Option<u8>; 5] = [None; 5];
    let (mut by_totals, mut by_pairs) = (true, true);
    for class in space.possible().iter() {
        let (ending, code) = (space.ending(class), code(bet, class));
        by_totals &= *totals[totals_of(&ending)].get_or_insert(code) == code;
        by_pairs &= *pairs[ending.pairs as usize].get_or_insert(code) == code;
    }
    if by_pairs {
        Depends::Pairs(pairs.map(Option::unwrap_or_default))
    } else if by_totals {
        Depends::Totals(Box::new(totals.map(Option::unwrap_or_default)))
    } else {
        Depends::Class
    }
}

/// How many ordered sequences go on from the cards seen to six.
fn sequences(shoe: &Composition, seen: &Deal) -> Result<u64, PriceError> {
    let (cards, needed) = (shoe.len(), 6 - seen.len() as u32);
    if cards < needed {
        return Err(PriceError::TooFewCards { cards, needed });
    }
    Ok((0..needed).map(|i| u64::from(cards - i)).product())
}

/// How many ordered six-card sequences a shoe has.
pub(crate) fn sequences_of(shoe: &Composition) -> Result<u64, PriceError> {
    sequences(shoe, &Deal::new())
}

/// The sequences by the state of pairs, before the first card.
pub(crate) fn pair_states(shoe: &Composition, sequences: u64) -> [u64; 5] {
    let cards = u64::from(shoe.len());
    let ranks = Rank::ALL.map(|rank| u64::from(shoe.of_rank(rank)));
    let two = |n: u64| n * n.saturating_sub(1);
    let four = |n: u64| two(n) * two(n.saturating_sub(2));
    // Ordered four-card beginnings, then any two cards after them.
    let after = two(cards - 4);
    let on_one: u64 = ranks.iter().map(|&n| two(n)).sum::<u64>() * two(cards - 2);
    let twin: u64 = ranks.iter().map(|&n| four(n)).sum();
    let all_two: u64 = ranks.iter().map(|&n| two(n)).sum();
    let both = all_two * all_two - ranks.iter().map(|&n| two(n) * two(n)).sum::<u64>();
    let only = on_one - both - twin;
    let mut states = [0; 5];
    states[Pairs::Player as usize] = only * after;
    states[Pairs::Banker as usize] = only * after;
    states[Pairs::Both as usize] = both * after;
    states[Pairs::Twin as usize] = twin * after;
    states[Pairs::None as usize] = sequences - (2 * only + both + twin) * after;
    states
}
