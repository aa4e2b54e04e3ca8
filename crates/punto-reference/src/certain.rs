//! Which bets are certain before a Round is complete (5.4; electronic 5.1).

use std::collections::HashSet;

use crate::{Bet, Card, Count, Hand, Hands, Layout, Odds, Side, Verdict};

/// What is certain about a bet, whatever cards still come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certain {
    /// It wins; at these odds, if they are certain as well.
    Won(Option<Odds>),
    /// It loses.
    Lost,
    /// It comes back.
    Returned,
}

impl Certain {
    /// Whether it has conclusively won or lost.
    // INTERPRETATION 9: a bet that comes back establishes nothing.
    pub const fn is_decided(self) -> bool {
        matches!(self, Certain::Won(_) | Certain::Lost)
    }

    fn of(verdict: Verdict) -> Certain {
        match verdict {
            Verdict::Won(odds) => Certain::Won(Some(odds)),
            Verdict::Lost => Certain::Lost,
            Verdict::Returned => Certain::Returned,
        }
    }

    /// What is certain if either may happen.
    fn or(self, other: Certain) -> Option<Certain> {
        match (self, other) {
            (Certain::Won(one), Certain::Won(other)) => Some(Certain::Won(one.filter(|_| one == other))),
            (one, other) => (one == other).then_some(one),
        }
    }
}

/// What is certain about each bet of a layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Established<'b> {
    bets: Vec<(&'b str, Option<Certain>)>,
}

impl<'b> Established<'b> {
    /// What is certain about a bet; `None` while it is open, or if the layout does not offer it.
    pub fn of(&self, bet: &str) -> Option<Certain> {
        self.bets.iter().find(|(id, _)| *id == bet)?.1
    }

    /// The bets that have conclusively won or lost, in the order of the layout.
    pub fn decided(&self) -> impl Iterator<Item = &'b str> + '_ {
        let is_decided = |certain: &Option<Certain>| certain.is_some_and(Certain::is_decided);
        self.bets.iter().filter(move |(_, certain)| is_decided(certain)).map(|(id, _)| *id)
    }
}

impl Layout {
    /// What is certain about each bet on these cards, in the order in which they left the shoe. Cards that are left over
    /// when the Round is complete change nothing.
    ///
    /// ```
    /// use punto_reference::{Book, parse_cards};
    /// let book = Book::read(include_str!("../../../rulebooks/ncb-etg-v5.toml")).unwrap();
    /// let layout = book.layout("terminal").unwrap();
    /// let established = layout.established(&parse_cards("9s 2d 9h").unwrap());
    /// assert_eq!(established.decided().collect::<Vec<_>>(), ["player-pair"]);
    /// assert_eq!(established.of("banker"), None); // 2 and a 7 beat the 8
    /// ```
    pub fn established(&self, cards: &[Card]) -> Established<'_> {
        let (hands, _) = Hands::deal(cards);
        Established { bets: self.bets.iter().map(|bet| (bet.id.as_str(), bet.certain(hands))).collect() }
    }
}

impl Bet {
    /// What is certain about it; `None` while it is open.
    ///
    /// Every way in which the Round can go on is followed to its end. Where two ways look alike to this bet (neither the
    /// cards that come nor what a row asks can tell them apart) only one of them is.
    ///
    /// ```
    /// use punto_reference::{Book, Certain, Hands, parse_cards};
    /// let book = Book::read(include_str!("../../../rulebooks/wu-song-v3.toml")).unwrap();
    /// let (hands, _) = Hands::deal(&parse_cards("9s 2h Kd").unwrap());
    /// let bet = |id| book.layout("A").unwrap().bet(id).unwrap();
    /// assert_eq!(bet("wu-song").certain(hands), Some(Certain::Lost)); // the Player Hand will not have three cards
    /// assert_eq!(bet("player").certain(hands), None); // it wins, or comes back on a Tie
    /// ```
    // INTERPRETATION 20: every card may still come, however many of it were seen; won or returned is not certain.
    pub fn certain(&self, hands: Hands) -> Option<Certain> {
        let sight = Sight::of(self);
        let mut seen = HashSet::new();
        let mut ways = vec![hands];
        let mut certain: Option<Certain> = None;
        while let Some(hands) = ways.pop() {
            if let Some(round) = hands.round() {
                let this = Certain::of(self.decide(&round).verdict);
                certain = Some(match certain {
                    None => this,
                    Some(others) => others.or(this)?,
                });
            } else if let Some(side) = hands.next_card() {
                let next = sight.cards.iter().map(|card| hands.with(side, *card));
                ways.extend(next.filter(|hands| seen.insert(sight.look(hands))));
            }
        }
        certain
    }
}

/// What a bet can see of cards.
struct Sight<'b> {
    pairs: bool,
    suited_pairs: bool,
    counts: Vec<&'b Count>,
    /// One card of each kind that it can tell from others.
    cards: Vec<Card>,
}

impl<'b> Sight<'b> {
    fn of(bet: &'b Bet) -> Sight<'b> {
        let mut sight = Sight {
            pairs: bet.rows.iter().any(|row| row.asks_about_pairs()),
            suited_pairs: bet.rows.iter().any(|row| row.asks_about_suited_pairs()),
            counts: bet.rows.iter().flat_map(|row| row.counts()).collect(),
            cards: Vec::new(),
        };
        let mut seen = HashSet::new();
        sight.cards = Card::deck().filter(|card| seen.insert(sight.look_at(*card))).collect();
        sight
    }

    /// A card by itself: its points, its rank and suit where pairs matter, and whether it counts.
    fn look_at(&self, card: Card) -> (u8, Option<char>, Option<char>, Vec<bool>) {
        let rank = self.pairs.then_some(card.rank());
        let suit = self.suited_pairs.then_some(card.suit());
        (card.value() % 10, rank, suit, self.counts.iter().map(|count| count.counts(card)).collect())
    }

    /// Both Hands. Those that look alike take the same cards to the same end.
    fn look(&self, hands: &Hands) -> ([HandSeen; 2], Vec<u8>) {
        let seen = [Side::Player, Side::Banker].map(|side| self.look_at_hand(hands.hand(side)));
        (seen, self.counts.iter().map(|count| count.of(hands.cards())).collect())
    }

    fn look_at_hand(&self, hand: &Hand) -> HandSeen {
        // One card may yet become a pair: then it matters which. Of two or three, only the pair does.
        let (rank, suit) = match (hand.len(), hand.cards().next()) {
            (1, Some(card)) => (Some(card.rank()), Some(card.suit())),
            _ => (hand.pair(), hand.is_suited_pair().then_some('=')),
        };
        HandSeen {
            cards: hand.len(),
            // The Table of Play goes by the first two cards and the third; the end by all of them.
            first_points: hand.first_points(),
            points: hand.points(),
            rank: rank.filter(|_| self.pairs),
            suit: suit.filter(|_| self.suited_pairs),
        }
    }
}

/// One Hand, as far as a bet can see it.
#[derive(PartialEq, Eq, Hash)]
struct HandSeen {
    cards: u8,
    first_points: u8,
    points: u8,
    rank: Option<char>,
    suit: Option<char>,
}
