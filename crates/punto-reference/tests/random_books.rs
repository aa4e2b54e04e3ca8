//! Rule books made of random rows of the language, cards at random: both implementations must say the same of every bet,
//! every settlement and everything that is certain.

use std::cell::Cell;

use crate::both::{BOOKS, Both, Table, box_limits, compare_deals, round_in};
use crate::scale::{check, says, scale};
use proptest::prelude::*;
use proptest::sample::{Index, select, subsequence};
use punto_reference::{Card, Limits, parse_cards};

const HEAD: &str = r#"format = 1
game = "random"
title = { en = "Random" }
in_force = 2025-01-01T08:00:00
mode = "live"

[cards]
decks = { min = 1, max = 10 }
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

[[irregularity]]
kind = "over-differential"
cite = "5.1"
remedy = "pro-rata"
"#;

/// A number or a list of numbers from a range, as text.
fn numbers(range: std::ops::RangeInclusive<u8>) -> impl Strategy<Value = String> {
    let all: Vec<u8> = range.collect();
    let most = all.len();
    let list = subsequence(all.clone(), 1..=most).prop_map(|some| format!("{some:?}"));
    prop_oneof![select(all).prop_map(|one| one.to_string()), list]
}

/// A word or a list of words, as text.
fn words(all: &[&'static str]) -> BoxedStrategy<String> {
    let list = subsequence(all.to_vec(), 1..=all.len()).prop_map(|some| format!("{some:?}"));
    prop_oneof![select(all.to_vec()).prop_map(|one| format!("{one:?}")), list].boxed()
}

fn count() -> impl Strategy<Value = String> {
    let ranks = words(&["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"]);
    let suits = words(&["spades", "hearts", "diamonds", "clubs"]);
    let what = prop_oneof![
        ranks.clone().prop_map(|rank| format!("rank = {rank}")),
        suits.clone().prop_map(|suit| format!("suit = {suit}")),
        (ranks, suits).prop_map(|(rank, suit)| format!("rank = {rank}, suit = {suit}")),
    ];
    (what, numbers(0..=6)).prop_map(|(what, is)| format!("{{ {what}, is = {is} }}"))
}

/// One condition of a row, as text.
fn fact() -> impl Strategy<Value = (&'static str, String)> {
    const PAIRS: [&str; 7] = ["player", "banker", "exactly-one", "either", "both", "neither", "twin"];
    const NATURALS: [&str; 7] = ["player", "banker", "exactly-one", "either", "both", "neither", "winner"];
    let named =
        |key: &'static str, values: BoxedStrategy<String>| values.prop_map(move |it| (key, it)).boxed();
    let word = |all: [&'static str; 7]| select(all.to_vec()).prop_map(|it| format!("{it:?}")).boxed();
    let counts = prop_oneof![
        3 => count(),
        1 => prop::collection::vec(count(), 1..3).prop_map(|all| format!("[{}]", all.join(", "))),
    ];
    prop_oneof![
        4 => named("winner", words(&["player", "banker", "tie"])),
        2 => named("points", numbers(0..=9).boxed()),
        1 => named("player_points", numbers(0..=9).boxed()),
        1 => named("banker_points", numbers(0..=9).boxed()),
        1 => named("winner_cards", numbers(2..=3).boxed()),
        1 => named("player_cards", numbers(2..=3).boxed()),
        1 => named("banker_cards", numbers(2..=3).boxed()),
        1 => named("cards", numbers(4..=6).boxed()),
        2 => named("margin", numbers(1..=9).boxed()),
        2 => named("sum", numbers(0..=18).boxed()),
        2 => named("natural", word(NATURALS)),
        2 => named("pairs", word(PAIRS)),
        2 => named("suited_pairs", word(PAIRS)),
        2 => named("count", counts.boxed()),
    ]
}

/// A row of a pay table, as text: conditions, each key once, and a result.
fn row() -> impl Strategy<Value = String> {
    let result = prop_oneof![
        1 => Just("returned = true".to_owned()),
        4 => (1..60u32).prop_map(|pays| format!("odds = \"{pays} to 1\"")),
        1 => select(vec!["1 to 2", "3 to 2", "0.95 to 1", "1 to 3", "7 to 12", "0.54 to 1", "2.5 to 1.25"])
            .prop_map(|odds| format!("odds = {odds:?}")),
        1 => (select(vec!["0.95 to 1", "1 to 1", "3 to 1", "0.9501 to 1"]), select(vec!["5%", "2.5%", "12.5 %", "0.0125%", "4.9999%"]))
            .prop_map(|(odds, share)| format!("odds = {odds:?}, commission = {share:?}")),
    ];
    let cite =
        prop::option::of((1..9u8, 1..30u8).prop_map(|(part, number)| format!("cite = \"{part}.{number}\"")));
    (prop::collection::vec(fact(), 0..4), result, cite).prop_map(|(mut facts, result, cite)| {
        facts.sort();
        facts.dedup_by_key(|(key, _)| *key);
        let facts = facts.into_iter().map(|(key, value)| format!("{key} = {value}"));
        let parts: Vec<String> = facts.chain([result]).chain(cite).collect();
        format!("{{ {} }}", parts.join(", "))
    })
}

/// The pay table of a bet: a side bet, or an Original Bet that comes back on Ties.
fn bet() -> impl Strategy<Value = String> {
    let side_bet =
        prop::collection::vec(row(), 1..5).prop_map(|rows| format!("pays = [{}]", rows.join(", ")));
    let original = (select(vec!["player", "banker"]), numbers(0..=9), select(vec!["1 to 2", "1 to 1", "5 to 1"]))
        .prop_map(|(side, points, odds)| {
            format!(
                "original = {side:?}\npays = [{{ winner = \"tie\", returned = true, cite = \"3.14\" }}, \
                 {{ winner = {side:?}, points = {points}, odds = {odds:?} }}, {{ winner = {side:?}, odds = \"1 to 1\" }}]"
            )
        });
    prop_oneof![3 => side_bet, 1 => original]
}

/// The text of a rule book with these bets on one layout.
fn book(bets: &[&String]) -> String {
    let mut text = HEAD.to_owned();
    for (no, bet) in bets.iter().enumerate() {
        text +=
            &format!("\n[[bet]]\nid = \"bet-{no}\"\ncite = \"4.{no}\"\nlabel = {{ en = \"Bet\" }}\n{bet}\n");
    }
    let ids: Vec<String> = (0..bets.len()).map(|no| format!("\"bet-{no}\"")).collect();
    text + &format!("\n[[layout]]\nid = \"A\"\ncite = \"2.1\"\nbets = [{}]\n", ids.join(", "))
}

/// Six cards, often of few kinds, so that pairs and counts come about.
fn cards() -> impl Strategy<Value = Vec<Card>> {
    let deck: Vec<Card> = Card::deck().collect();
    let mixed = prop::collection::vec(select(deck.clone()), 6);
    let alike = (subsequence(deck, 3), prop::collection::vec(any::<Index>(), 6))
        .prop_map(|(kinds, picks)| picks.iter().map(|pick| *pick.get(&kinds)).collect());
    prop_oneof![mixed, alike]
}

/// A bet of the layout (an Original Bet, or any), a box and a stake.
type Placed = (bool, Index, u8, u64);

/// Stakes are mostly whole units, some of them near what money can hold.
fn wagers(unit: u64) -> impl Strategy<Value = Vec<Placed>> {
    let most = ((1u64 << 53) - 1) / unit;
    let units = prop_oneof![6 => 1..500u64, 1 => most / 60..=most, 1 => Just(0)];
    let stake =
        (units, prop::bool::weighted(0.05)).prop_map(move |(units, odd)| units * unit + u64::from(odd));
    prop::collection::vec((any::<bool>(), any::<Index>(), 1..3u8, stake), 0..12)
}

fn compare(table: &Table<'_>, cards: &[Card], wagers: &[Placed]) {
    let Some(round) = round_in(cards) else { return };
    table.compare_verdicts(round);
    let all: Vec<usize> = (0..table.layout.bets.len()).collect();
    let is_original = |bet: &usize| table.layout.bets[*bet].original.is_some();
    let originals: Vec<usize> = all.iter().copied().filter(is_original).collect();
    let bets = |original| if original && !originals.is_empty() { &originals } else { &all };
    let placed =
        wagers.iter().map(|&(original, bet, box_no, stake)| (*bet.get(bets(original)), box_no, stake));
    table.compare_settlements(&placed.collect::<Vec<_>>(), round);
}

#[test]
fn random_books() {
    let cases = scale(40, 6_000);
    let (used, bets_used) = (Cell::new(0), Cell::new(0));
    let hands = prop::collection::vec(cards(), 12);
    let inputs = (prop::collection::vec(bet(), 6), hands, wagers(1), 1..40u64, 0..400u64, 0..3usize);
    check("random rule books", cases, inputs, |(bets, hands, wagers, minimum, more, prefix)| {
        // One bet that cannot be approved would spoil the book for the others.
        let accepted: Vec<&String> = bets.iter().filter(|bet| Both::read(&book(&[bet])).is_some()).collect();
        let Some(both) = Both::read(&book(&accepted)) else { return };
        used.set(used.get() + 1);
        bets_used.set(bets_used.get() + accepted.len());
        let free = both.tables().next().expect("one layout");
        let unit = free.terms.unit().get();
        let betting_box = box_limits(minimum * unit, (minimum + more) * unit);
        let limited = Table::open(&both, "A", Limits { unit: None, betting_box });
        let limited = limited.expect("whole units");
        // Stakes in units, as many as money can hold.
        let most = (1 << 53) - 1;
        let scaled: Vec<Placed> = wagers
            .iter()
            .map(|&(all, bet, no, stake)| (all, bet, no, stake.saturating_mul(unit).min(most)))
            .collect();
        for cards in &hands {
            compare(&free, cards, &scaled);
            compare(&limited, cards, &scaled);
        }
        // Fewer cards take longer; what is certain on none is asked once in a while.
        for cards in &hands[..3] {
            for known in [prefix, 3, 4, 5, 6] {
                free.compare_established(&cards[..known]);
            }
        }
    });
    says("random rule books used", used.get());
    says("bets of them", bets_used.get() as u32);
    assert!(used.get() > cases / 3, "{} of {cases} rule books were accepted", used.get());
}

/// Every count from none to six, by itself: chance seldom deals five or six of a kind.
#[test]
fn every_count_of_a_rank() {
    let row = |is: u8| format!("pays = [{{ count = {{ rank = \"7\", is = {is} }}, odds = \"3 to 1\" }}]");
    let rounds = [
        "9h Ks Kd Qc",
        "7h Ks Kd Qc 9s",
        "7h Ks Kd 7c Kh",
        "7h 7h 7h Kh Ks",
        "7h 7h 7h 7h As",
        "7h 7h 7h 7h 7h Kh",
        "7h 7h 7h 7h 7h 7h",
    ];
    for is in 0..=6 {
        let both = Both::read(&book(&[&row(is)])).expect("an accepted rule book");
        let table = both.tables().next().expect("one layout");
        for cards in rounds.iter().map(|line| parse_cards(line).expect("cards")) {
            let round = round_in(&cards).unwrap_or_else(|| panic!("{cards:?} are no Round"));
            table.compare_verdicts(round);
            table.compare_established(&round[..4]);
        }
    }
}

#[test]
fn approved_books_and_the_worked_example() {
    let tables: Vec<(&Both, Table<'_>)> =
        BOOKS.iter().flat_map(|both| both.tables().map(move |table| (both, table))).collect();
    let inputs = (0..tables.len(), cards(), wagers(20), 1..40u64, 0..400u64, 0..=6usize);
    check(
        "approved rule books",
        scale(1_000, 300_000),
        inputs,
        |(no, cards, wagers, minimum, more, known)| {
            let (both, table) = &tables[no];
            compare_deals(&cards);
            compare_deals(&cards[..known]);
            compare(table, &cards, &wagers);
            if known > 0 {
                table.compare_established(&cards[..known]);
            }
            let betting_box = box_limits(minimum * 20, (minimum + more) * 20);
            let limits = Limits { unit: Some(20), betting_box };
            if let Some(limited) = Table::open(both, &table.layout.id, limits) {
                compare(&limited, &cards, &wagers);
            }
        },
    );
}
