//! A Round as it is dealt: take a card, ask what comes next.
//!
//! Nobody decides anything after "No more Bets", so this is the whole game. A Round *is* the list of cards in the
//! order they left the shoe; everything else is derived from it.

use std::fmt;

use crate::table_of_play::{self, Decision};
use crate::{BySide, Card, Hand, Outcome, Side};

/// The cards of a Round so far, properly dealt.
///
/// ```
/// use punto_rules::{Deal, Side, Step, Winner, notation};
/// let mut deal = Deal::new();
/// for card in notation::parse("2s 3d 3c 3h").unwrap() {
///     deal = deal.take(card);
/// }
/// assert_eq!(deal.step(), Step::Draw(Side::Player)); // 2 + 3 = 5: Player draws
/// let Step::Complete(outcome) = deal.take("5d".parse().unwrap()).step() else { panic!() };
/// assert_eq!(outcome.winner(), Winner::Banker); // Banker stands on 6 against a 5
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Deal {
    hands: BySide<Hand>,
}

/// What a Deal needs next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The next card out of the shoe belongs to this side.
    Draw(Side),
    /// The Round is complete.
    Complete(Outcome),
}

impl Deal {
    /// A Round before its first card.
    pub const fn new() -> Deal {
        Deal { hands: BySide { player: Hand::EMPTY, banker: Hand::EMPTY } }
    }

    /// What comes next: the four initial cards alternate, Player first (3.10), then the Table of Play decides.
    pub fn step(&self) -> Step {
        let BySide { player, banker } = &self.hands;
        if banker.len() < 2 {
            return Step::Draw(if player.len() == banker.len() { Side::Player } else { Side::Banker });
        }
        if player.len() == 2 && banker.len() == 2 && table_of_play::player(self.first_twos()).draws {
            return Step::Draw(Side::Player);
        }
        if banker.len() == 2 && self.banker_decision().draws {
            return Step::Draw(Side::Banker);
        }
        Step::Complete(Outcome::new(self.hands))
    }

    /// The Deal with one more card, which goes to the side that [`Deal::step`] names.
    ///
    /// # Panics
    /// If the Round is complete: a surplus card belongs to no Hand (see [`crate::reconstruct`]).
    #[must_use]
    pub fn take(mut self, card: Card) -> Deal {
        let Step::Draw(side) = self.step() else { panic!("a complete Round takes no card") };
        self.hands[side] = self.hands[side].take(card);
        self
    }

    /// Both Hands so far.
    pub const fn hands(&self) -> &BySide<Hand> {
        &self.hands
    }

    /// The number of cards out.
    pub const fn len(&self) -> usize {
        (self.hands.player.len() + self.hands.banker.len()) as usize
    }

    /// Whether no card is out.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cards in the order they left the shoe.
    pub fn drawn(&self) -> impl Iterator<Item = Card> + '_ {
        // Only the fifth card can be either side's; the Player Hand always draws its third card first.
        let BySide { player, banker } = &self.hands;
        (0..3).flat_map(|i| [player.cards().get(i), banker.cards().get(i)]).flatten().copied()
    }

    /// What the Table of Play has decided so far, with the line that says so: none, one or two decisions.
    pub fn decisions(&self) -> Vec<Decision> {
        let BySide { player, banker } = &self.hands;
        if player.len() < 2 || banker.len() < 2 {
            return Vec::new();
        }
        let for_player = table_of_play::player(self.first_twos());
        if for_player.draws && player.len() < 3 {
            return vec![for_player];
        }
        vec![for_player, self.banker_decision()]
    }

    fn first_twos(&self) -> BySide<crate::PointTotal> {
        BySide::from_fn(|side| self.hands[side].first_two())
    }

    fn banker_decision(&self) -> Decision {
        table_of_play::banker(self.first_twos(), self.hands.player.third().map(|card| card.rank))
    }
}

impl Default for Deal {
    fn default() -> Deal {
        Deal::new()
    }
}

impl fmt::Debug for Deal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Deal({})", crate::notation::show(&self.drawn().collect::<Vec<_>>()))
    }
}

/// Deals a list of drawn cards again by the Table of Play: the Round, and what is left over.
///
/// This is Reconstruction (WS 5.8; RWS, Da Hu 5.7; electronic 5.4): cards are recorded in the order they left the
/// shoe, so dealing the list again puts each where it belongs. Surplus cards open the next Round.
// INTERPRETATION 24: reconstructing is dealing the list again; whether it may be done is for people to decide.
pub fn reconstruct(drawn: &[Card]) -> (Deal, &[Card]) {
    let mut deal = Deal::new();
    let mut rest = drawn;
    while let (Step::Draw(_), [card, tail @ ..]) = (deal.step(), rest) {
        deal = deal.take(*card);
        rest = tail;
    }
    (deal, rest)
}
