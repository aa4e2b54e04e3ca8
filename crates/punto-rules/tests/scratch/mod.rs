#![allow(dead_code, unreachable_pub)]
//! Rule books for tests: the approved ones, read once, and small ones made up of nothing but pay tables.
//!
//! Included by several test binaries with `mod scratch;`, none of which needs all of it.

use std::sync::LazyLock;

use punto_rules::rulebook::APPROVED;
use punto_rules::{
    Card, Deal, LimitsAsked, Outcome, Rank, Rulebook, Step, Suit, Terms, notation, reconstruct,
};

/// The four approved rule books.
pub static BOOKS: LazyLock<Vec<Rulebook>> =
    LazyLock::new(|| APPROVED.iter().map(|(_, text)| Rulebook::parse(text).unwrap()).collect());

/// What every rule book has to say besides its bets and layouts.
pub const HEAD: &str = r#"format = 1
game = "scratch"
title = { en = "Scratch" }
in_force = 2025-01-01T08:00:00
mode = "live"

[cards]
decks = { min = 1, max = 8 }
cite = "2.2"

[play]
initial_cards = "3.10"
third_card = "3.11"
table_of_play = "3.12"
winner = "3.13"
tie = "3.14"

[limits]
model = "differential"
cite = "3.4"
"#;

/// The text of a rule book with these bets, each a name and the rows of its pay table, on one layout `A`.
pub fn text(bets: &[(&str, &str)]) -> String {
    let mut text = HEAD.to_string();
    for (id, rows) in bets {
        text += &format!(
            "\n[[bet]]\nid = \"{id}\"\ncite = \"4.1\"\nlabel = {{ en = \"{id}\" }}\npays = [{rows}]\n"
        );
    }
    let ids: Vec<String> = bets.iter().map(|(id, _)| format!("\"{id}\"")).collect();
    text + &format!("\n[[layout]]\nid = \"A\"\ncite = \"2.1\"\nbets = [{}]\n", ids.join(", "))
}

/// The terms of a layout with as many decks as the game may have and nothing limited.
pub fn terms(book: &Rulebook, layout: &str) -> Terms {
    book.terms(layout, book.decks.max, &LimitsAsked::default()).unwrap()
}

/// The Round that these cards deal.
pub fn deal(cards: &[Card]) -> Deal {
    reconstruct(cards).0
}

/// The outcome of a Round written down; it must be complete and have no card too many.
pub fn outcome(line: &str) -> Outcome {
    let cards = notation::parse(line).unwrap();
    let (deal, surplus) = reconstruct(&cards);
    assert!(surplus.is_empty(), "{line}: {surplus:?} left over");
    let Step::Complete(outcome) = deal.step() else { panic!("{line}: incomplete") };
    outcome
}

/// Shows every Round that begins like this, by rank: all of them from an empty Deal are some two million.
pub fn each_round(deal: Deal, see: &mut impl FnMut(Deal, Outcome)) {
    match deal.step() {
        Step::Complete(outcome) => see(deal, outcome),
        Step::Draw(_) => Rank::ALL.into_iter().for_each(|rank| {
            let suit = Suit::ALL[deal.len() % 4];
            each_round(deal.take(Card { rank, suit }), see);
        }),
    }
}
