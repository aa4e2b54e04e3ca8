//! What taking one card out of the shoe does to each bet.

use punto_rules::{Bet, Card, ClassSpace, Composition, Rank, Suit};

use crate::pricer::{PriceError, Pricer};
use crate::{ByCard, Price, Ratio};

/// The exact change of a patron's expectation, for a unit staked, when one card is removed; by bet.
///
/// Positive is good for the patron. A bet that asks for suits has an effect for each of the 52 cards; to any other bet
/// all suits of a rank are the same, and its effects are by rank. A card that the shoe does not hold has no effect. Since
/// a card taken out unseen changes nothing, the effects of all cards of the shoe add up to nought.
///
/// # Errors
/// If the shoe is too small to lose a card.
pub fn effects_of_removal(pricer: &Pricer, shoe: &Composition) -> Result<Vec<ByCard<Ratio>>, PriceError> {
    let before = pricer.price(shoe)?;
    let tells_suits = pricer.bets().any(Bet::tells_suits);
    // A card for each kind that bets tell apart, if the shoe holds any.
    let representative = |cards: &[Card]| {
        let card = cards.iter().copied().find(|&card| shoe.copies(card) > 0)?;
        let suit =
            Suit::ALL.into_iter().find(|&suit| are_interchangeable(pricer.space(), shoe, suit, card.suit));
        Some(Card { suit: suit.unwrap_or(card.suit), ..card })
    };
    let mut without: Vec<(Card, Vec<Price>)> = Vec::new();
    for &card in ByCard::from_fn(tells_suits, representative).values().iter().flatten() {
        let mut rest = shoe.clone();
        if without.iter().all(|(other, _)| *other != card) && rest.remove(card) {
            without.push((card, pricer.price(&rest)?));
        }
    }
    let effect = |bet: usize, cards: &[Card]| {
        let of = |card: Card| without.iter().find(|(other, _)| *other == card);
        let after = representative(cards).and_then(of);
        after.map_or(Ratio::ZERO, |(_, prices)| before[bet].edge().minus(prices[bet].edge()))
    };
    let effects =
        |(index, bet): (usize, &Bet)| ByCard::from_fn(bet.tells_suits(), |cards| effect(index, cards));
    Ok(pricer.bets().enumerate().map(effects).collect())
}

/// Whether two suits could change places without anybody noticing: the shoe holds as many of each rank, and whatever is
/// counted counts both. Suited pairs ask only whether suits are the same.
fn are_interchangeable(space: &ClassSpace, shoe: &Composition, a: Suit, b: Suit) -> bool {
    Rank::ALL.into_iter().all(|rank| {
        let [a, b] = [a, b].map(|suit| Card { rank, suit });
        let counters = || space.counters().iter().map(|(counter, _)| counter);
        shoe.copies(a) == shoe.copies(b) && counters().all(|counter| counter.counts(a) == counter.counts(b))
    })
}
