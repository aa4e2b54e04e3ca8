//! Every Round there is, every bet of every layout of the four approved rule books, against the reference.
//!
//! All 13⁶ sequences of six ranks are covered. Enumerated are the Rounds at their beginnings, by the cards that each
//! takes; the test counts that together they stand for every sequence, and that a card too many stays outside.

mod checks;
mod reference;

use checks::rounds::{card, each_round, pairings, same_outcome};
use punto_rules::rulebook::APPROVED;
use punto_rules::{Card, Rulebook, notation, reconstruct};
use reference::documents;

/// More than this many faults say nothing new.
const MOST_FAULTS: usize = 20;

/// Compares all Rounds that begin with these ranks: how many sequences they stand for, and what differs.
fn compare(firsts: impl Iterator<Item = u8>) -> (u64, Vec<String>) {
    let documents = documents();
    let rulebooks = APPROVED.map(|(_, text)| Rulebook::parse(text).expect("approved"));
    let games: Vec<_> =
        rulebooks.iter().zip(&documents).map(|(rules, text)| (rules, pairings(rules, text))).collect();
    let (mut sequences, mut faults) = (0, Vec::new());
    for first in firsts {
        each_round(first, |ranks, played, outcome| {
            sequences += 13u64.pow(6 - ranks.len() as u32);
            let mut fault = |what: String| {
                if faults.len() < MOST_FAULTS {
                    faults.push(format!("{}: {what}", notation::show(&cards(ranks))));
                }
            };
            if !same_outcome(played, outcome) {
                fault(format!("dealt {outcome:?}, reference {played:?}"));
            }
            for (rulebook, pairings) in &games {
                let class = rulebook.space().class_of(outcome);
                for both in pairings.iter().filter_map(|pairing| pairing.disagreement(class, played)) {
                    fault(format!("{}, {both}", rulebook.game));
                }
            }
        });
    }
    (sequences, faults)
}

fn cards(ranks: &[u8]) -> Vec<Card> {
    ranks.iter().enumerate().map(|(place, &rank)| card(rank, place + 1)).collect()
}

#[test]
fn every_bet_of_every_layout_settles_every_round_as_its_document_says() {
    let (odd, even) = std::thread::scope(|scope| {
        let odd = scope.spawn(|| compare((1..=13).step_by(2)));
        let even = compare((2..=13).step_by(2));
        (odd.join().expect("the other half"), even)
    });
    let faults = [odd.1, even.1].concat();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert_eq!(odd.0 + even.0, 13u64.pow(6), "every sequence of six ranks is covered once");
}

#[test]
fn every_layout_of_every_game_takes_part() {
    let layouts = |(rulebook, document)| {
        let pairings = pairings(rulebook, document);
        pairings.iter().map(|pairing| pairing.layouts.len()).sum::<usize>()
    };
    let documents = documents();
    let rulebooks = APPROVED.map(|(_, text)| Rulebook::parse(text).expect("approved"));
    let bets: Vec<usize> = rulebooks.iter().zip(&documents).map(layouts).collect();
    // Wu Song offers 10 bets on A to D and 11 on E and F, the others the same on each of theirs.
    assert_eq!(bets, [4 * 10 + 2 * 11, 5, 8 * 33, 4 * 8]);
}

#[test]
fn a_card_too_many_is_left_over_whatever_it_is() {
    for first in 1..=13 {
        each_round(first, |ranks, played, outcome| {
            if played.used < 6 {
                for extra in 1..=13 {
                    let drawn = cards(&[ranks, &[extra]].concat());
                    let (deal, surplus) = reconstruct(&drawn);
                    assert_eq!((deal.hands(), surplus), (outcome.hands(), &drawn[played.used..]));
                }
            }
        });
    }
}
