#![allow(dead_code, unreachable_pub)]
//! The textbook enumeration: every Round, card by card, each with the number of ways to draw it.
//!
//! Slow, and independent of what it checks: the Rounds are played and the seed bets judged by the reference that was
//! written from the documents, and nothing is gathered, shared or closed in form.
//!
//! Included by several test binaries with `mod textbook;`, none of which needs all of it.

#[path = "../../../punto-rules/tests/reference/mod.rs"]
pub mod reference;

use std::collections::BTreeMap;

use punto_odds::{Price, Pricer};
use punto_rules::{Card, Composition, LimitsAsked, Rank, Rulebook, Suit, Verdict};
use reference::{Answer, BetRule, Played, documents, play};

/// A completed Round.
pub struct Round<'d> {
    pub played: Played,
    /// Its cards as they left the shoe.
    pub drawn: &'d [Card],
}

impl Round<'_> {
    /// The first two cards of each Hand, Player first.
    pub fn first_twos(&self) -> [[Card; 2]; 2] {
        [[self.drawn[0], self.drawn[2]], [self.drawn[1], self.drawn[3]]]
    }
}

/// What tells cards apart: where suits do not matter, leaving them out saves years.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Apart {
    ByRank,
    ByCard,
}

/// Shows every Round that goes on from the cards seen, with the number of six-card sequences that begin with it, in
/// each of several shoes at once. The cards seen are in none of them.
pub fn each_round<const N: usize>(
    shoes: [&Composition; N],
    apart: Apart,
    seen: &[Card],
    mut visit: impl FnMut(&Round<'_>, [u64; N]),
) {
    let kinds = match apart {
        Apart::ByCard => Card::all().map(|card| (card, shoes.map(|shoe| shoe.copies(card).into()))).collect(),
        Apart::ByRank => {
            let kind =
                |rank| (Card { rank, suit: Suit::Spades }, shoes.map(|shoe| shoe.of_rank(rank).into()));
            Rank::ALL.map(kind).to_vec()
        }
    };
    let kinds = kinds.into_iter().filter(|(_, copies): &(Card, [u64; N])| copies.iter().any(|&n| n > 0));
    let mut table = Table { kinds: kinds.collect(), drawn: seen.to_vec(), ranks: Vec::new() };
    table.ranks = seen.iter().map(|card| number(card.rank)).collect();
    table.deal(shoes.map(|shoe| shoe.len().into()), [1; N], &mut visit);
}

struct Table<const N: usize> {
    /// What is left of each kind, in each shoe.
    kinds: Vec<(Card, [u64; N])>,
    drawn: Vec<Card>,
    ranks: Vec<u8>,
}

impl<const N: usize> Table<N> {
    fn deal(&mut self, left: [u64; N], ways: [u64; N], visit: &mut impl FnMut(&Round<'_>, [u64; N])) {
        if let Some(played) = play(&self.ranks) {
            // Whatever two cards, or one, follow a Round that is over.
            let after = left.map(|cards| falling(cards, 6 - self.ranks.len() as u64));
            let round = Round { played, drawn: &self.drawn };
            visit(&round, std::array::from_fn(|shoe| ways[shoe] * after[shoe]));
            return;
        }
        for kind in 0..self.kinds.len() {
            let (card, copies) = self.kinds[kind];
            let ways: [u64; N] = std::array::from_fn(|shoe| ways[shoe] * copies[shoe]);
            if ways.iter().all(|&ways| ways == 0) {
                continue;
            }
            self.kinds[kind].1 = copies.map(|n| n.saturating_sub(1));
            self.drawn.push(card);
            self.ranks.push(number(card.rank));
            self.deal(left.map(|cards| cards.saturating_sub(1)), ways, visit);
            self.kinds[kind].1 = copies;
            self.drawn.pop();
            self.ranks.pop();
        }
    }
}

/// The ordered ways to take so many of these cards.
pub fn falling(cards: u64, taken: u64) -> u64 {
    (0..taken).map(|i| cards.saturating_sub(i)).product()
}

/// Ace is 1 and King 13, as the reference counts.
fn number(rank: Rank) -> u8 {
    Rank::ALL.iter().position(|other| *other == rank).expect("one of thirteen") as u8 + 1
}

/// One layout of each set of bets that the four games offer.
pub const LAYOUTS: [(&str, &str); 6] = [
    ("wu-song", "A"),
    ("wu-song", "C"),
    ("wu-song", "E"),
    ("ncb-etg", "terminal"),
    ("rws-baccarat", "A"),
    ("da-hu-ying-xiong", "A"),
];

/// A layout twice: to be priced, and as its document has it, bets in the same order.
pub fn offered((game, layout): (&str, &str)) -> (Pricer, Vec<BetRule>) {
    let rulebook = Rulebook::approved(game).unwrap();
    let terms = rulebook.terms(layout, 8, &LimitsAsked::default()).unwrap();
    let document = documents().into_iter().find(|document| document.game == game).expect("a document");
    let layout = document.layouts.into_iter().find(|it| it.id == layout).expect("a layout");
    let rule = |id: &str| *layout.bets.iter().find(|bet| bet.id == id).expect("offered");
    let rules = terms.bets().iter().map(|bet| rule(bet.id.as_str())).collect();
    (Pricer::new(&terms), rules)
}

/// How many sequences a bet wins at each of its odds (in lowest terms), loses and gets back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub won: BTreeMap<(u32, u32), u64>,
    pub lost: u64,
    pub returned: u64,
}

impl Counts {
    pub fn add(&mut self, answer: Answer, sequences: u64) {
        match answer {
            Answer::Won { pays, per } => *self.won.entry(lowest(pays, per)).or_default() += sequences,
            Answer::Lost => self.lost += sequences,
            Answer::Returned => self.returned += sequences,
        }
    }

    /// What a price says, its rows put together by what they pay.
    pub fn of(price: &Price) -> Counts {
        let mut counts = Counts { lost: price.lost, ..Counts::default() };
        for (row, &sequences) in price.rows.iter().enumerate() {
            match price.verdict(row).expect("a row of the bet") {
                Verdict::Won(odds) => *counts.won.entry((odds.pays(), odds.per())).or_default() += sequences,
                Verdict::Returned => counts.returned += sequences,
                Verdict::Lost => panic!("no row of a pay table loses"),
            }
        }
        counts.without_nothing()
    }

    /// Odds that are never paid are not worth a word.
    pub fn without_nothing(mut self) -> Counts {
        self.won.retain(|_, sequences| *sequences > 0);
        self
    }

    pub fn sequences(&self) -> u64 {
        self.won.values().sum::<u64>() + self.lost + self.returned
    }
}

/// The counts of bets as the documents have them, in each of several shoes.
pub fn count<const N: usize>(shoes: [&Composition; N], seen: &[Card], bets: &[BetRule]) -> Vec<[Counts; N]> {
    let mut counts = vec![[(); N].map(|()| Counts::default()); bets.len()];
    each_round(shoes, Apart::ByRank, seen, |round, sequences| {
        for (bet, counts) in bets.iter().zip(&mut counts) {
            let answer = (bet.verdict)(&round.played);
            counts.iter_mut().zip(sequences).for_each(|(counts, sequences)| counts.add(answer, sequences));
        }
    });
    counts.into_iter().map(|of_bet| of_bet.map(Counts::without_nothing)).collect()
}

fn lowest(pays: u32, per: u32) -> (u32, u32) {
    let (mut a, mut b) = (pays, per);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (pays / a, per / a)
}
