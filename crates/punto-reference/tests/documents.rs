//! The four documents, written down by hand in `punto-rules/tests/reference`, against what is read from the rule books:
//! every bet of every layout in every Round. That reference shares no code with this crate, nor with `punto-rules`.
//!
//! `PUNTO_SOAK=1` takes every Round; otherwise one in some, always the same ones.

use std::collections::BTreeSet;

use crate::reference::{self, Answer, BetRule, Document, Played, documents, play};
use crate::scale::{says, scale};
use punto_reference::{Bet, Book, Card, Hands, Limits, LimitsModel, Mode, Round, Side, Verdict, Wager};

const TEXTS: [&str; 4] = [
    include_str!("../../../rulebooks/wu-song-v3.toml"),
    include_str!("../../../rulebooks/ncb-etg-v5.toml"),
    include_str!("../../../rulebooks/rws-baccarat-v2.toml"),
    include_str!("../../../rulebooks/da-hu-ying-xiong-2019.toml"),
];

fn books() -> Vec<(Book, Document)> {
    let books = TEXTS.map(|text| Book::read(text).expect("an approved rule book"));
    let both: Vec<_> = books.into_iter().zip(documents()).collect();
    both.iter().for_each(|(book, document)| assert_eq!(book.game, document.game));
    both
}

/// A card of this rank, 1 to 13. The suit depends on the place, so that pairs come suited and unsuited.
fn card(rank: u8, place: usize) -> Card {
    Card::deck().nth(usize::from(rank - 1) * 4 + usize::from(rank) * place % 4).expect("a rank")
}

/// Calls `visit` with every Round that begins with these ranks, by the cards that it takes.
fn each_round(ranks: &mut Vec<u8>, visit: &mut impl FnMut(&[Card], &Played, &Round)) {
    let cards: Vec<Card> = ranks.iter().enumerate().map(|(place, rank)| card(*rank, place)).collect();
    let (hands, left_over) = Hands::deal(&cards);
    assert!(left_over.is_empty());
    match (play(ranks), hands.round()) {
        (Some(played), Some(round)) => visit(&cards, &played, &round),
        (None, None) => {
            for rank in 1..=13 {
                ranks.push(rank);
                each_round(ranks, visit);
                ranks.pop();
            }
        }
        (played, round) => panic!("{cards:?}: the document has {played:?}, we have {round:?}"),
    }
}

/// Every bet beside its rule in the document; the same two meet on several layouts and are compared once.
fn pairings(books: &[(Book, Document)]) -> Vec<(&Bet, BetRule)> {
    let mut pairings: Vec<(&Bet, BetRule)> = Vec::new();
    for (book, document) in books {
        for rules in &document.layouts {
            let layout = book.layout(rules.id).expect("a layout of the document");
            for rule in &rules.bets {
                let bet = layout.bet(rule.id).expect("a bet of the document");
                let is_known = pairings.iter().any(|(other, known)| {
                    std::ptr::fn_addr_eq(known.verdict, rule.verdict)
                        && (&other.name(), &other.cite) == (&bet.name(), &bet.cite)
                });
                if !is_known {
                    pairings.push((bet, *rule));
                }
            }
        }
    }
    pairings
}

fn same(verdict: Verdict, answer: Answer) -> bool {
    match (verdict, answer) {
        (Verdict::Won(odds), Answer::Won { pays, per }) => {
            odds.pays() * u64::from(per) == odds.per() * u64::from(pays)
        }
        (Verdict::Lost, Answer::Lost) | (Verdict::Returned, Answer::Returned) => true,
        _ => false,
    }
}

#[test]
fn every_bet_of_every_layout_wins_and_loses_as_its_document_says() {
    let books = books();
    let pairings = pairings(&books);
    assert_eq!(pairings.len(), 15 + 5 + 33 + 8, "every pay table of every document");
    let every = scale(11, 1) as usize;
    let (mut seen, mut sequences, mut compared) = (0, 0, 0);
    for first in 1..=13 {
        each_round(&mut vec![first], &mut |cards, played, round| {
            sequences += 13u64.pow(6 - cards.len() as u32);
            seen += 1;
            if seen % every != 0 {
                return;
            }
            for (side, hand) in [(Side::Player, &played.player), (Side::Banker, &played.banker)] {
                assert_eq!(round.hand(side).points(), reference::points(hand), "{cards:?}");
                assert_eq!(usize::from(round.hand(side).len()), hand.len(), "{cards:?}");
                assert_eq!(round.hand(side).pair().is_some(), reference::is_pair(hand), "{cards:?}");
            }
            for (bet, rule) in &pairings {
                let (ours, theirs) = (bet.decide(round).verdict, (rule.verdict)(played));
                assert!(same(ours, theirs), "{} on {cards:?}: {ours:?}, document {theirs:?}", bet.name());
                compared += 1;
            }
        });
    }
    assert_eq!(sequences, 13u64.pow(6), "every sequence of six ranks begins with one Round");
    says("verdicts compared with the documents", compared);
}

#[test]
fn every_layout_offers_what_its_document_says() {
    for (book, document) in books() {
        let ours: Vec<&str> = book.layouts.iter().map(|layout| layout.id.as_str()).collect();
        let theirs: Vec<&str> = document.layouts.iter().map(|layout| layout.id).collect();
        assert_eq!(ours, theirs);
        assert_eq!(book.mode == Mode::Electronic, document.electronic);
        assert_eq!(book.decks, document.decks);
        for (layout, rules) in book.layouts.iter().zip(&document.layouts) {
            let ours: BTreeSet<&str> = layout.bets.iter().map(|bet| bet.id.as_str()).collect();
            assert_eq!(ours, rules.bets.iter().map(|bet| bet.id).collect(), "{} {}", book.game, layout.id);
            assert_eq!(layout.boxes, rules.boxes);
            assert_eq!(layout.limits == LimitsModel::Differential, document.limits == "differential");
            // 5.1.1 is in the three live documents.
            assert_eq!(layout.is_pro_rata, !document.electronic);
            for bet in &layout.bets {
                let side = match bet.id.as_str() {
                    "player" => Some(Side::Player),
                    "banker" => Some(Side::Banker),
                    _ => None,
                };
                assert_eq!(bet.original, side, "{}", bet.id);
            }
        }
    }
}

#[test]
fn every_decision_cites_paragraphs_of_its_bet() {
    let books = books();
    for (bet, rule) in pairings(&books) {
        let mut cited: BTreeSet<&str> = bet.cite.split(", ").collect();
        cited.extend(bet.rows.iter().filter_map(|row| row.cite()));
        let document: BTreeSet<&str> = rule.cites.iter().copied().collect();
        assert_eq!(cited, document, "{}", bet.name());
    }
}

/// Da Hu 4.1.1: the House takes 5 % of what a Banker bet wins, and the patron is paid 0.95 to 1.
#[test]
fn a_commission_is_taken_once_and_only_in_da_hu() {
    let cards: Vec<Card> = [2, 2, 1, 5].iter().enumerate().map(|(place, rank)| card(*rank, place)).collect();
    let round: Vec<Card> = [cards, vec![card(10, 4)]].concat(); // 3 against 7
    for (book, document) in books() {
        for layout in &book.layouts {
            let unit = layout.smallest_unit().expect("a unit");
            let stake = unit * 1_000;
            let settled = layout.settle(&Limits::default(), &[Wager::new("banker", stake)], &round).unwrap();
            let line = settled.lines[0];
            let percent = u64::from(document.commission_percent_on_banker.unwrap_or(0));
            assert_eq!(line.commission, stake * percent / 100, "{} {}", book.game, layout.id);
            if percent > 0 {
                assert_eq!(line.winnings + line.commission, stake);
            }
        }
    }
}

/// The Table of Play cell by cell, as the reference has it in letters.
#[test]
fn third_cards_fall_as_the_table_of_play_says() {
    let mut cells = 0;
    for (player, banker) in (0..10u8).flat_map(|player| (0..10u8).map(move |banker| (player, banker))) {
        let of = |points: u8| if points == 0 { 13 } else { points };
        // A King first, then the total.
        let four: Vec<Card> = [13, 13, of(player), of(banker)].iter().map(|rank| card(*rank, 0)).collect();
        let next = Hands::deal(&four).0.next_card();
        if !reference::player_draws(player, banker) {
            let draws = reference::banker_draws(player, banker, None);
            assert_eq!(next, draws.then_some(Side::Banker), "{player} against {banker}");
            cells += 1;
            continue;
        }
        assert_eq!(next, Some(Side::Player), "{player} against {banker}");
        for third in 1..=13 {
            let five = [four.clone(), vec![card(third, 1)]].concat();
            let draws = reference::banker_draws(player, banker, Some(reference::value(third) % 10));
            assert_eq!(Hands::deal(&five).0.next_card(), draws.then_some(Side::Banker), "{five:?}");
            cells += 1;
        }
    }
    assert_eq!(cells, 40 + 12 + 48 * 13);
}
