//! The words and figures of a counting study.

use punto_odds::{Concern, Estimate, LastRound};
use punto_rules::{Burn, Suit};

pub(super) fn concern(concern: Concern) -> &'static str {
    match concern {
        Concern::NotWorthWatching => "not worth watching",
        Concern::OfInterest => "of academic interest",
        Concern::Vulnerable => "vulnerable",
        Concern::FavoursPatron => "favours the patron",
    }
}

pub(super) fn burn(burn: Burn) -> String {
    match burn {
        Burn::Fixed(0) => "no card is burnt".to_string(),
        Burn::Fixed(1) => "one card is burnt unseen".to_string(),
        Burn::Fixed(count) => format!("{count} cards are burnt unseen"),
        Burn::ByFirstCard => {
            "the first card is turned over and burnt, and as many unseen as it shows".to_string()
        }
    }
}

pub(super) fn last_round(last_round: LastRound) -> &'static str {
    match last_round {
        LastRound::Stop => "the Round in which the cut card shows is the last",
        LastRound::OneMore => "one more Round is dealt after that in which the cut card shows",
    }
}

pub(super) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// `+12`, `0`
pub(super) fn signed(number: i64) -> String {
    if number == 0 { "0".to_string() } else { format!("{number:+}") }
}

/// `♠♣`; `any` for all four.
pub(super) fn suits(suits: &[Suit]) -> String {
    match suits.len() == Suit::ALL.len() {
        true => "any".to_string(),
        false => suits.iter().map(|suit| suit.glyph()).collect(),
    }
}

/// `0.031 ± 0.004`
pub(super) fn units(estimate: Estimate) -> String {
    if estimate.mean == 0.0 && estimate.margin == 0.0 {
        return "0".to_string();
    }
    // A loss that rounds to nought is nought.
    let mean = format!("{:.3}", estimate.mean).replace("-0.000", "0.000");
    format!("{mean} ± {:.3}", estimate.margin)
}
