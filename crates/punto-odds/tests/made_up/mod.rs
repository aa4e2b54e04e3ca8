#![allow(dead_code, unreachable_pub)]
//! Made-up bets that ask for everything a row can say, each stated twice: as the rows of a rule book, and as a plain
//! function from a Round to the row that decides it.
//!
//! Included by several test binaries with `mod made_up;`, none of which needs all of it.

use std::ops::RangeInclusive;

use punto_odds::Pricer;
use punto_rules::{Card, LimitsAsked, Rank, Rulebook, Suit, Terms};

use crate::textbook::reference::{Winner, points, winner};
use crate::textbook::{Apart, Round};

/// A bet, its rows, and the row that decides a Round.
pub struct MadeUp {
    pub id: &'static str,
    pub rows: &'static str,
    pub row: fn(&Round<'_>) -> Option<usize>,
}

/// Totals and numbers of cards.
pub const TOTALS: [MadeUp; 6] = [
    MadeUp {
        id: "margins",
        rows: r#"{ winner = "player", margin = [4, 5], odds = "3 to 1" }, { margin = 9, odds = "25 to 2" }"#,
        row: |round| match (winner(&round.played), margin(round)) {
            (Winner::Player, 4 | 5) => Some(0),
            (Winner::Player | Winner::Banker, 9) => Some(1),
            _ => None,
        },
    },
    MadeUp {
        id: "naturals",
        rows: r#"{ natural = "both", returned = true }, { natural = "winner", odds = "7 to 4" },
            { natural = "neither", player_cards = 2, odds = "1 to 3" }"#,
        row: |round| match naturals(round) {
            [true, true] => Some(0),
            // One Natural alone wins unless the other Hand has as much, which only a Natural can.
            [true, false] | [false, true] => Some(1),
            [false, false] => (round.played.player.len() == 2).then_some(2),
        },
    },
    MadeUp {
        id: "sums",
        rows: r#"{ sum = [17, 18], odds = "12 to 1" }, { sum = [0, 1], odds = "40 to 1" }"#,
        row: |round| match both_points(round).iter().sum::<u8>() {
            17 | 18 => Some(0),
            0 | 1 => Some(1),
            _ => None,
        },
    },
    MadeUp {
        id: "lengths",
        rows: r#"{ cards = 4, returned = true }, { winner_cards = 3, cards = 5, odds = "2 to 1" },
            { banker_cards = 2, odds = "5 to 1" }"#,
        row: |round| {
            let (player, banker) = (round.played.player.len(), round.played.banker.len());
            let winners = match winner(&round.played) {
                Winner::Player => player,
                Winner::Banker => banker,
                Winner::Tie => 0,
            };
            match (player + banker, winners) {
                (4, _) => Some(0),
                (5, 3) => Some(1),
                _ => (banker == 2).then_some(2),
            }
        },
    },
    MadeUp {
        id: "own-totals",
        rows: r#"{ player_points = [0, 1], odds = "6 to 1" }, { banker_points = 7, odds = "6 to 1" }"#,
        row: |round| match both_points(round) {
            [0 | 1, _] => Some(0),
            [_, 7] => Some(1),
            _ => None,
        },
    },
    MadeUp {
        id: "even",
        rows: r#"{ winner = ["player", "banker"], odds = "0.0625 to 1" }"#,
        row: |round| (winner(&round.played) != Winner::Tie).then_some(0),
    },
];

/// Pairs, alone and with totals.
pub const PAIRS: [MadeUp; 4] = [
    MadeUp {
        id: "twins",
        rows: r#"{ pairs = "twin", odds = "100 to 1" }, { pairs = "both", returned = true },
            { pairs = "player", odds = "4 to 1" }"#,
        row: |round| match round.first_twos().map(pair) {
            [Some(player), Some(banker)] if player == banker => Some(0),
            [Some(_), Some(_)] => Some(1),
            [Some(_), None] => Some(2),
            [None, _] => None,
        },
    },
    MadeUp {
        id: "no-pair",
        rows: r#"{ pairs = "neither", odds = "1 to 8" }"#,
        row: |round| (round.first_twos().map(pair) == [None, None]).then_some(0),
    },
    MadeUp {
        id: "pair-and-total",
        rows: r#"{ pairs = "either", points = [8, 9], odds = "10 to 1" },
            { pairs = "exactly-one", winner = "tie", odds = "30 to 1" }, { pairs = "banker", cards = 6, odds = "8 to 1" }"#,
        row: |round| {
            let [on_player, on_banker] = round.first_twos().map(|hand| pair(hand).is_some());
            let [player, banker] = both_points(round);
            if (on_player || on_banker) && player.max(banker) >= 8 {
                Some(0)
            } else if on_player != on_banker && player == banker {
                Some(1)
            } else {
                (on_banker && round.drawn.len() == 6).then_some(2)
            }
        },
    },
    MadeUp {
        id: "pair-or-win",
        rows: r#"{ pairs = "banker", returned = true }, { winner = "banker", odds = "0.95 to 1" }"#,
        row: |round| match pair(round.first_twos()[1]) {
            Some(_) => Some(0),
            None => (winner(&round.played) == Winner::Banker).then_some(1),
        },
    },
];

/// Suited pairs.
pub const SUITED: [MadeUp; 3] = [
    MadeUp {
        id: "suited",
        rows: r#"{ suited_pairs = "both", odds = "200 to 1" }, { suited_pairs = "exactly-one", odds = "26 to 1" }"#,
        row: |round| match round.first_twos().map(suited) {
            [true, true] => Some(0),
            [false, false] => None,
            [true, false] | [false, true] => Some(1),
        },
    },
    MadeUp {
        id: "suited-twins",
        rows: r#"{ suited_pairs = "twin", odds = "2500 to 1" },
            { suited_pairs = "player", pairs = "banker", odds = "300 to 1" },
            { suited_pairs = "neither", pairs = "either", odds = "3 to 1" }"#,
        row: |round| {
            let [player, banker] = round.first_twos();
            // Both suited and of one rank: each Hand in a suit of its own is good enough.
            if suited(player) && suited(banker) && player[0].rank == banker[0].rank {
                Some(0)
            } else if suited(player) && pair(banker).is_some() {
                Some(1)
            } else {
                let any = pair(player).or(pair(banker)).is_some();
                (!suited(player) && !suited(banker) && any).then_some(2)
            }
        },
    },
    MadeUp {
        id: "suited-and-total",
        rows: r#"{ suited_pairs = "either", winner = "tie", odds = "90 to 1" },
            { suited_pairs = "banker", banker_points = [6, 7], odds = "33 to 2" }"#,
        row: |round| {
            let [player, banker] = round.first_twos().map(suited);
            let [for_player, for_banker] = both_points(round);
            if (player || banker) && for_player == for_banker {
                Some(0)
            } else {
                (banker && (6..=7).contains(&for_banker)).then_some(1)
            }
        },
    },
];

/// Counts of cards.
pub const COUNTS: [MadeUp; 4] = [
    MadeUp {
        id: "sevens",
        rows: r#"{ count = { rank = "7", is = [4, 5, 6] }, odds = "500 to 1" },
            { count = { rank = "7", is = 3 }, odds = "75 to 1" }, { count = { rank = "7", is = 1 }, returned = true }"#,
        row: |round| match count(round, |card| card.rank == Rank::Seven) {
            4..=6 => Some(0),
            3 => Some(1),
            1 => Some(2),
            _ => None,
        },
    },
    MadeUp {
        id: "all-red",
        rows: r#"{ count = { suit = ["spades", "clubs"], is = 0 }, cards = [5, 6], odds = "30 to 1" },
            { count = { suit = ["spades", "clubs"], is = 0 }, odds = "15 to 1" }"#,
        row: |round| {
            let black = count(round, |card| matches!(card.suit, Suit::Spades | Suit::Clubs));
            (black == 0).then_some(if round.drawn.len() > 4 { 0 } else { 1 })
        },
    },
    MadeUp {
        id: "black-pictures",
        rows: r#"{ count = { rank = ["J", "Q", "K"], suit = ["spades", "clubs"], is = [2, 4] }, odds = "9 to 1" }"#,
        row: |round| {
            let black = |card: Card| matches!(card.suit, Suit::Spades | Suit::Clubs);
            let pictures = count(round, |card| card.rank >= Rank::Jack && black(card));
            (pictures == 2 || pictures == 4).then_some(0)
        },
    },
    MadeUp {
        id: "seven-wins",
        rows: r#"{ count = [{ rank = "7", is = [1, 2, 3, 4, 5, 6] }, { suit = "hearts", is = [0, 1] }],
            winner = "banker", pairs = "neither", odds = "11 to 2" }"#,
        row: |round| {
            let sevens = count(round, |card| card.rank == Rank::Seven);
            let hearts = count(round, |card| card.suit == Suit::Hearts);
            let no_pair = round.first_twos().map(pair) == [None, None];
            (sevens > 0 && hearts < 2 && no_pair && winner(&round.played) == Winner::Banker).then_some(0)
        },
    },
];

/// A layout of some of these bets; what one of them asks for, all are told apart by.
pub struct MadeUpLayout {
    pub bets: Vec<&'static MadeUp>,
    pub terms: Terms,
    pub pricer: Pricer,
}

impl MadeUpLayout {
    pub fn new(bets: impl IntoIterator<Item = &'static MadeUp>) -> MadeUpLayout {
        let bets: Vec<&MadeUp> = bets.into_iter().collect();
        let rows: Vec<(&str, &str)> = bets.iter().map(|bet| (bet.id, bet.rows)).collect();
        let terms = terms(&rows);
        let pricer = Pricer::new(&terms);
        MadeUpLayout { bets, terms, pricer }
    }

    /// What has to be told apart to judge these bets.
    pub fn apart(&self) -> Apart {
        let space = self.pricer.space();
        if space.tells_suited() || !space.counters().is_empty() { Apart::ByCard } else { Apart::ByRank }
    }
}

/// The terms of a rule book of nothing but these bets, each a name and its rows.
pub fn terms(bets: &[(&str, &str)]) -> Terms {
    rulebook(1..=10, bets).terms("A", 8, &LimitsAsked::default()).unwrap()
}

/// That rule book, to be played with so many decks.
pub fn rulebook(decks: RangeInclusive<u8>, bets: &[(&str, &str)]) -> Rulebook {
    let range = format!("{{ min = {}, max = {} }}", decks.start(), decks.end());
    let mut text = HEAD.replace("DECKS", &range);
    for (id, rows) in bets {
        let cited = format!("id = \"{id}\"\ncite = \"4.1\"\nlabel = {{ en = \"{id}\" }}");
        text += &format!("\n[[bet]]\n{cited}\npays = [{rows}]\n");
    }
    let ids: Vec<String> = bets.iter().map(|(id, _)| format!("\"{id}\"")).collect();
    text += &format!("\n[[layout]]\nid = \"A\"\ncite = \"2.1\"\nbets = [{}]\n", ids.join(", "));
    Rulebook::parse(&text).unwrap_or_else(|faults| panic!("{faults:?}"))
}

const HEAD: &str = r#"format = 1
game = "made-up"
title = { en = "Made up" }
in_force = 2025-01-01T08:00:00
mode = "live"
cards = { decks = DECKS, cite = "2.2" }
limits = { model = "differential", cite = "3.4" }

[play]
initial_cards = "3.10"
third_card = "3.11"
table_of_play = "3.12"
winner = "3.13"
tie = "3.14"
"#;

fn both_points(round: &Round<'_>) -> [u8; 2] {
    [points(&round.played.player), points(&round.played.banker)]
}

fn margin(round: &Round<'_>) -> u8 {
    let [player, banker] = both_points(round);
    player.abs_diff(banker)
}

fn naturals(round: &Round<'_>) -> [bool; 2] {
    [round.played.player, round.played.banker].map(|hand| hand.len() == 2 && points(&hand) >= 8)
}

fn pair(hand: [Card; 2]) -> Option<Rank> {
    (hand[0].rank == hand[1].rank).then_some(hand[0].rank)
}

fn suited(hand: [Card; 2]) -> bool {
    hand[0] == hand[1]
}

fn count(round: &Round<'_>, counts: impl Fn(Card) -> bool) -> usize {
    round.drawn.iter().filter(|card| counts(**card)).count()
}
