//! How cards fall (section 3). Paragraph numbers are those of the live games; the electronic game says the same in 3.8 to
//! 3.12 instead of 3.10 to 3.14.

use std::cmp::Ordering;
use std::fmt;

use serde::Deserialize;

use crate::Card;

/// "Banker draws when Player's 3rd card is", by the Banker Hand's first two cards, 0 to 9, as 3.12 prints it.
const BANKER_DRAWS: [&str; 10] = [
    "0123456789",
    "0123456789",
    "0123456789",
    "012345679",
    "234567",
    "4567",
    "67",
    "", // Banker stands
    "", // Natural
    "", // Natural
];

/// One of the two Hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Side {
    Player,
    Banker,
}

/// How a Round ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Winner {
    Player,
    Banker,
    Tie,
}

/// Up to three cards of one side, in the order in which they were drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Hand([Option<Card>; 3]);

impl Hand {
    /// Its cards.
    pub fn cards(&self) -> impl Iterator<Item = Card> + '_ {
        self.0.iter().copied().flatten()
    }

    /// How many cards it has.
    pub fn len(&self) -> u8 {
        self.cards().map(|_| 1).sum()
    }

    /// Whether it has no card yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The Point Total: the last digit of the sum of its cards.
    pub fn points(&self) -> u8 {
        self.cards().map(Card::value).sum::<u8>() % 10
    }

    /// The Point Total of its first two cards.
    pub fn first_points(&self) -> u8 {
        self.cards().take(2).map(Card::value).sum::<u8>() % 10
    }

    /// 8 or 9 with two cards.
    pub fn is_natural(&self) -> bool {
        self.len() == 2 && self.points() >= 8
    }

    /// The rank of the first two cards, if they have one rank.
    // INTERPRETATION 1: rank decides, not value, and a third card changes nothing.
    pub fn pair(&self) -> Option<char> {
        match self.0 {
            [Some(first), Some(second), _] if first.rank() == second.rank() => Some(first.rank()),
            _ => None,
        }
    }

    /// Whether the first two cards are two copies of one card.
    pub fn is_suited_pair(&self) -> bool {
        matches!(self.0, [Some(first), Some(second), _] if first == second)
    }

    fn third(&self) -> Option<Card> {
        self.0[2]
    }

    fn draw(&mut self, card: Card) {
        if let Some(place) = self.0.iter_mut().find(|place| place.is_none()) {
            *place = Some(card);
        }
    }
}

/// Both Hands of a Round that may still lack cards, properly dealt.
///
/// ```
/// use punto_reference::{Hands, Side, parse_cards};
/// let cards = parse_cards("2s 3d 3c 3h").unwrap();
/// let (hands, left_over) = Hands::deal(&cards);
/// assert_eq!(hands.next_card(), Some(Side::Player)); // on 5
/// assert!(left_over.is_empty());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Hands {
    player: Hand,
    banker: Hand,
}

impl Hands {
    /// Deals cards in this order, and says which are left over when the Round is complete. To deal the cards of an
    /// erroneous deal in their order is what reconstructs it.
    // INTERPRETATION 24: cards that remain become the first cards of the following Round.
    pub fn deal(cards: &[Card]) -> (Hands, &[Card]) {
        let mut hands = Hands::default();
        for (place, card) in cards.iter().enumerate() {
            match hands.next_card() {
                Some(side) => hands = hands.with(side, *card),
                None => return (hands, &cards[place..]),
            }
        }
        (hands, &[])
    }

    /// Whose the next card is; `None` if the Round is complete.
    pub fn next_card(&self) -> Option<Side> {
        let Hands { player, banker } = self;
        match (player.len(), banker.len()) {
            // 3.10: the first and third cards are the Player Hand's, the second and fourth the Banker Hand's.
            (0, _) | (1, 1) => return Some(Side::Player),
            (1, 0) | (2, 1) => return Some(Side::Banker),
            _ => {}
        }
        let (on_player, on_banker) = (player.first_points(), banker.first_points());
        if on_player >= 8 || on_banker >= 8 {
            return None; // "Natural – Both Player and Banker cannot draw"
        }
        let player_draws = on_player <= 5;
        let banker_draws = match player.third() {
            None if player_draws => return Some(Side::Player),
            None => on_banker <= 5, // the proviso of 3.11
            Some(third) => {
                let digit = char::from(b'0' + third.value() % 10);
                BANKER_DRAWS[usize::from(on_banker)].contains(digit)
            }
        };
        (banker_draws && banker.len() == 2).then_some(Side::Banker)
    }

    /// The Hands with one more card.
    pub(crate) fn with(mut self, side: Side, card: Card) -> Hands {
        match side {
            Side::Player => self.player.draw(card),
            Side::Banker => self.banker.draw(card),
        }
        self
    }

    /// One of the Hands.
    pub const fn hand(&self, side: Side) -> &Hand {
        match side {
            Side::Player => &self.player,
            Side::Banker => &self.banker,
        }
    }

    /// The cards of both Hands.
    pub fn cards(&self) -> impl Iterator<Item = Card> + '_ {
        self.player.cards().chain(self.banker.cards())
    }

    /// The Round, if it is complete.
    pub fn round(self) -> Option<Round> {
        self.next_card().is_none().then_some(Round(self))
    }
}

/// A complete Round.
///
/// ```
/// use punto_reference::{Round, Winner, parse_cards};
/// let round = Round::of(&parse_cards("2s 3d 3c 3h 5d").unwrap()).unwrap();
/// assert_eq!(round.winner(), Winner::Banker); // 0 against 6
/// assert!(Round::of(&parse_cards("2s 3d 3c 3h").unwrap()).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Round(Hands);

impl Round {
    /// The Round of exactly these cards.
    ///
    /// # Errors
    /// If cards are missing or left over.
    pub fn of(cards: &[Card]) -> Result<Round, NotOneRound> {
        let (hands, left_over) = Hands::deal(cards);
        match (hands.next_card(), left_over.len()) {
            (Some(side), _) => Err(NotOneRound::Missing(side)),
            (None, 0) => Ok(Round(hands)),
            (None, cards) => Err(NotOneRound::LeftOver(cards)),
        }
    }

    /// Both Hands.
    pub const fn hands(&self) -> &Hands {
        &self.0
    }

    /// One of the Hands.
    pub const fn hand(&self, side: Side) -> &Hand {
        self.0.hand(side)
    }

    /// The Hand with the higher Point Total (3.13), or a Tie (3.14).
    pub fn winner(&self) -> Winner {
        match self.hand(Side::Player).points().cmp(&self.hand(Side::Banker).points()) {
            Ordering::Greater => Winner::Player,
            Ordering::Less => Winner::Banker,
            Ordering::Equal => Winner::Tie,
        }
    }
}

/// Cards that are not one complete Round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotOneRound {
    /// This side needs a card.
    Missing(Side),
    /// So many cards are left over.
    LeftOver(usize),
}

impl fmt::Display for NotOneRound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotOneRound::Missing(Side::Player) => f.write_str("the Player Hand needs a card"),
            NotOneRound::Missing(Side::Banker) => f.write_str("the Banker Hand needs a card"),
            NotOneRound::LeftOver(cards) => write!(f, "{cards} cards are left over"),
        }
    }
}

impl std::error::Error for NotOneRound {}
