//! What taking one card out of the shoe does to each bet.

use punto_rules::{Card, Composition, Rank, Suit};

use crate::Ratio;
use crate::pricer::{PriceError, Pricer};

/// The exact change of a patron's expectation, for a unit staked, when one card of a rank is removed; by rank.
///
/// Positive is good for the patron. Where suits matter the card is taken from the first suit that has one.
///
/// # Errors
/// If the shoe is too small to lose a card.
pub fn effects_of_removal(pricer: &Pricer, shoe: &Composition) -> Result<Vec<[Ratio; 13]>, PriceError> {
    let before = pricer.price(shoe)?;
    let mut effects = vec![[Ratio::ZERO; 13]; before.len()];
    for rank in Rank::ALL {
        let mut without = shoe.clone();
        if !Suit::ALL.into_iter().any(|suit| without.remove(Card { rank, suit })) {
            continue; // no such card: nothing to remove, no effect
        }
        let after = pricer.price(&without)?;
        for ((effects, before), after) in effects.iter_mut().zip(&before).zip(&after) {
            effects[rank as usize] = before.edge().minus(after.edge());
        }
    }
    Ok(effects)
}
