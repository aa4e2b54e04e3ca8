//! What each key of a row means, by hand from docs/rulebook.md: a row, cards, and what becomes of a bet with that row alone.
//! Compared with the page only, never with `punto-rules`.

use punto_reference::{Bet, Book, Limits, MOST, ReadError, Refusal, Round, Verdict, Wager, parse_cards};

const HEAD: &str = r#"format = 1
game = "one-bet"
title = { en = "One bet" }
in_force = 2025-01-01T08:00:00
mode = "live"
cards = { decks = { min = 1, max = 10 }, cite = "2.2" }
play = { initial_cards = "3.10", third_card = "3.11", table_of_play = "3.12", winner = "3.13", tie = "3.14" }
limits = { model = "differential", cite = "3.4" }
"#;

fn text(rows: &str) -> String {
    let bet = format!("[[bet]]\nid = \"bet\"\ncite = \"4.1\"\nlabel = {{ en = \"Bet\" }}\npays = [{rows}]\n");
    format!("{HEAD}{bet}[[layout]]\nid = \"A\"\ncite = \"2.1\"\nbets = [\"bet\"]\n")
}

fn bet(rows: &str) -> Bet {
    let book = Book::read(&text(rows)).unwrap_or_else(|error| panic!("{rows}: {error}"));
    book.layout("A").expect("a layout").bet("bet").expect("a bet").clone()
}

fn round(line: &str) -> Round {
    let cards = parse_cards(line).expect("cards");
    Round::of(&cards).unwrap_or_else(|error| panic!("{line}: {error}"))
}

// Rounds, named by what is in them. Player's cards are the first, the third and perhaps the fifth.
/// Player 9 in two cards against 0 in two: a Natural.
const PLAYER_9: &str = "9h Ks Kd Qc";
/// Player 0 in three cards against Banker 6 in two, a pair of 3s of two suits.
const BANKER_6: &str = "2s 3d 3c 3h 5d";
/// A Tie on 6 without a third card.
const TIE_6: &str = "6s 6h Kd Qc";
/// A Tie of Naturals on 9, both in two cards.
const TIE_9: &str = "9s 4h Kd 5c";
/// Six cards: Player 4 + 0 + 1 = 5 against Banker 2 + 0 + 5 = 7.
const BANKER_7_OF_3: &str = "4s 2h Kd Qc As 5h";
/// Naturals on both Hands: Player 8 of two 4s of spades, Banker 9.
const NATURALS_8_AND_9: &str = "4s 4h 4s 5c";
/// Two suited pairs of 7: Player 4 draws an Ace to 5, Banker 4 stands against the Ace.
const TWIN_7: &str = "7s 7d 7s 7d Ah";
/// Unsuited pairs of different ranks on both Hands: Player 6 of two 8s, Banker 8 of two 9s, a Natural.
const BOTH_PAIRS: &str = "8s 9d 8h 9c";
/// A pair of Kings on Player, a ten and a Jack on Banker; both draw: Player 3, Banker 9.
const KINGS: &str = "Ks Td Kh Jc 3s 9h";

#[test]
fn each_fact_holds_when_the_page_says_so() {
    // A row's condition, the Rounds that match it, and Rounds that do not.
    let table: &[(&str, &[&str], &[&str])] = &[
        ("winner = \"player\"", &[PLAYER_9], &[BANKER_6, TIE_6]),
        ("winner = \"banker\"", &[BANKER_6, BOTH_PAIRS], &[PLAYER_9, TIE_9]),
        ("winner = \"tie\"", &[TIE_6, TIE_9], &[PLAYER_9, BANKER_6]),
        ("winner = [\"player\", \"tie\"]", &[PLAYER_9, TIE_6], &[BANKER_6]),
        ("points = 6", &[BANKER_6, TIE_6], &[PLAYER_9, TIE_9]),
        ("points = [0, 6]", &[BANKER_6, TIE_6], &[PLAYER_9]),
        ("points = 0", &[], &[BANKER_6, PLAYER_9]),
        ("player_points = 0", &[BANKER_6], &[PLAYER_9, TIE_6]),
        ("player_points = [6, 9]", &[PLAYER_9, TIE_6, TIE_9, BOTH_PAIRS], &[BANKER_6]),
        ("banker_points = 0", &[PLAYER_9], &[BANKER_6, TIE_6]),
        ("banker_points = 6", &[BANKER_6, TIE_6], &[PLAYER_9]),
        ("winner_cards = 2", &[PLAYER_9, BANKER_6], &[BANKER_7_OF_3, TIE_6]),
        ("winner_cards = [2, 3]", &[PLAYER_9, BANKER_7_OF_3], &[TIE_6, TIE_9]),
        ("player_cards = 3", &[BANKER_6, TWIN_7], &[PLAYER_9, TIE_6]),
        ("banker_cards = 3", &[BANKER_7_OF_3, KINGS], &[BANKER_6, TIE_6]),
        ("cards = 4", &[PLAYER_9, TIE_6], &[BANKER_6, KINGS]),
        ("cards = [5, 6]", &[BANKER_6, KINGS], &[PLAYER_9]),
        ("margin = 9", &[PLAYER_9], &[BANKER_6, TIE_6]),
        ("margin = 6", &[BANKER_6, KINGS], &[PLAYER_9]),
        ("margin = [1, 2, 3, 4, 5, 6, 7, 8, 9]", &[PLAYER_9, BANKER_6], &[TIE_6, TIE_9]),
        ("sum = 12", &[TIE_6, KINGS, BANKER_7_OF_3], &[BANKER_6]),
        ("sum = [9, 18]", &[PLAYER_9, TIE_9], &[TIE_6]),
        ("natural = \"player\"", &[PLAYER_9, TIE_9, NATURALS_8_AND_9], &[BOTH_PAIRS, TIE_6]),
        ("natural = \"banker\"", &[BOTH_PAIRS, TIE_9], &[PLAYER_9, KINGS]),
        ("natural = \"exactly-one\"", &[PLAYER_9, BOTH_PAIRS], &[TIE_9, TIE_6]),
        ("natural = \"either\"", &[PLAYER_9, TIE_9], &[TIE_6, KINGS]),
        ("natural = \"both\"", &[TIE_9, NATURALS_8_AND_9], &[PLAYER_9]),
        ("natural = \"neither\"", &[TIE_6, KINGS], &[PLAYER_9, TIE_9]),
        ("natural = \"winner\"", &[PLAYER_9, BOTH_PAIRS, NATURALS_8_AND_9], &[TIE_9, KINGS]),
        ("pairs = \"player\"", &[KINGS, TWIN_7, BOTH_PAIRS], &[BANKER_6, PLAYER_9]),
        ("pairs = \"banker\"", &[BANKER_6, TWIN_7, BOTH_PAIRS], &[KINGS, PLAYER_9]),
        ("pairs = \"exactly-one\"", &[KINGS, BANKER_6], &[TWIN_7, PLAYER_9]),
        ("pairs = \"either\"", &[KINGS, BANKER_6, TWIN_7], &[PLAYER_9]),
        ("pairs = \"both\"", &[TWIN_7, BOTH_PAIRS], &[KINGS]),
        ("pairs = \"neither\"", &[PLAYER_9, TIE_6], &[KINGS]),
        ("pairs = \"twin\"", &[TWIN_7], &[BOTH_PAIRS, KINGS]),
        ("suited_pairs = \"player\"", &[TWIN_7, NATURALS_8_AND_9], &[KINGS]),
        ("suited_pairs = \"both\"", &[TWIN_7], &[BOTH_PAIRS, NATURALS_8_AND_9]),
        ("suited_pairs = \"twin\"", &[TWIN_7], &[BOTH_PAIRS]),
        ("suited_pairs = \"exactly-one\"", &[NATURALS_8_AND_9], &[TWIN_7, BOTH_PAIRS]),
        ("suited_pairs = \"neither\"", &[BOTH_PAIRS, KINGS, PLAYER_9], &[TWIN_7]),
        ("count = { rank = \"7\", is = 4 }", &[TWIN_7], &[BANKER_6]),
        ("count = { rank = \"3\", is = 3 }", &[BANKER_6], &[KINGS]),
        ("count = { rank = \"3\", is = [3, 4, 5, 6] }", &[BANKER_6], &[KINGS]),
        ("count = { rank = [\"J\", \"Q\", \"K\"], is = 3 }", &[PLAYER_9, KINGS], &[BANKER_6]),
        ("count = { rank = \"T\", is = 1 }", &[KINGS], &[PLAYER_9]),
        ("count = { suit = \"clubs\", is = 0 }", &[TWIN_7], &[BANKER_6, KINGS]),
        ("count = { suit = [\"hearts\", \"diamonds\"], is = 3 }", &[KINGS, BANKER_6, TWIN_7], &[PLAYER_9]),
        ("count = { rank = \"7\", suit = \"spades\", is = 2 }", &[TWIN_7], &[BANKER_6, KINGS]),
        ("count = { rank = [\"K\", \"3\"], suit = [\"spades\", \"hearts\"], is = 3 }", &[KINGS], &[BANKER_6]),
        ("count = [{ rank = \"3\", is = 3 }, { suit = \"clubs\", is = 1 }]", &[BANKER_6], &[KINGS, TWIN_7]),
        ("winner = \"banker\", points = 7, banker_cards = 3", &[BANKER_7_OF_3], &[BANKER_6, KINGS]),
    ];
    for (condition, matching, others) in table {
        let bet = bet(&format!("{{ {condition}, odds = \"3 to 1\" }}"));
        for (line, wins) in
            matching.iter().map(|line| (line, true)).chain(others.iter().map(|line| (line, false)))
        {
            let verdict = bet.decide(&round(line)).verdict;
            assert_eq!(matches!(verdict, Verdict::Won(_)), wins, "{condition} on {line}: {verdict:?}");
            assert_eq!(verdict == Verdict::Lost, !wins);
        }
    }
}

#[test]
fn the_first_row_that_matches_decides_and_cites() {
    let rows = r#"{ winner = "tie", returned = true, cite = "3.14" },
        { winner = "banker", points = [6, 7], odds = "1 to 2" }, { winner = "banker", odds = "1 to 1", cite = "4.9" }"#;
    let bet = bet(rows);
    let decide = |line| {
        let decision = bet.decide(&round(line));
        (decision.verdict, decision.cite.map(str::to_owned))
    };
    let won = |text| Verdict::Won(punto_reference::Odds::read(text).expect("odds"));
    assert_eq!(decide(TIE_6), (Verdict::Returned, Some("3.14".to_owned())));
    assert_eq!(decide(BANKER_6), (won("1 to 2"), Some("4.1".to_owned())));
    assert_eq!(decide(KINGS), (won("1 to 1"), Some("4.9".to_owned())));
    assert_eq!(decide(PLAYER_9), (Verdict::Lost, None));
}

/// Odds and the smallest unit as the page lists them.
#[test]
fn odds_and_units_are_those_of_the_page() {
    let table = [
        ("odds = \"11 to 1\"", 1, 1_000, 11_000, 0),
        ("odds = \"10 to 2\"", 1, 1_000, 5_000, 0),
        ("odds = \"0.5 to 1\"", 2, 1_000, 500, 0),
        ("odds = \"1.5 to 1\"", 2, 1_000, 1_500, 0),
        ("odds = \"0.95 to 1\"", 20, 1_000, 950, 0),
        ("odds = \"19 to 20\"", 20, 1_000, 950, 0),
        ("odds = \"0.54 to 1\"", 50, 1_000, 540, 0),
        ("odds = \"7 to 12\"", 12, 1_200, 700, 0),
        ("odds = \"0.95 to 1\", commission = \"5%\"", 20, 10_000, 9_500, 500),
        ("odds = \"1 to 1\", commission = \"5 %\"", 19, 1_900, 1_900, 100),
        ("odds = \"39 to 40\", commission = \"2.5%\"", 40, 4_000, 3_900, 100),
    ];
    for (result, unit, stake, winnings, commission) in table {
        let book = Book::read(&text(&format!("{{ {result} }}"))).expect("a rule book");
        let layout = book.layout("A").expect("a layout");
        assert_eq!(layout.smallest_unit(), Some(unit), "{result}");
        let cards = parse_cards(PLAYER_9).expect("cards");
        let line =
            layout.settle(&Limits::default(), &[Wager::new("bet", stake)], &cards).expect(result).lines[0];
        assert_eq!((line.winnings, line.commission), (winnings, commission), "{result}");
    }
    // 0.95 to 1 with 5%, and 1 to 3.
    let rows = "{ winner = \"tie\", odds = \"1 to 3\" }, { odds = \"0.95 to 1\", commission = \"5%\" }";
    let book = Book::read(&text(rows)).expect("a rule book");
    assert_eq!(book.layout("A").expect("a layout").smallest_unit(), Some(60));
}

#[test]
fn what_is_no_rule_book_is_an_error() {
    let no_odds = [
        "0 to 1",
        ".5 to 1",
        "5. to 1",
        "1 to 0",
        "1,000 to 1",
        "1  to 1",
        "1 to 1 ",
        "1 to",
        "-1 to 1",
        "+1 to 1",
        "12345678 to 1",
        "0.12345 to 1",
        "1000001 to 1",
        "1 to 1 to 1",
    ];
    for odds in no_odds {
        let read = Book::read(&text(&format!("{{ odds = \"{odds}\" }}")));
        assert!(matches!(&read, Err(ReadError::Text(message)) if message.contains("is not odds")), "{odds}");
    }
    for share in ["5", "0%", "100%", "-1%", "5.%", "1.23456%", "%"] {
        assert!(
            Book::read(&text(&format!("{{ odds = \"1 to 1\", commission = \"{share}\" }}"))).is_err(),
            "{share}"
        );
    }
    for rows in [
        "{ winner = \"nobody\", odds = \"1 to 1\" }",
        "{ colour = \"red\", odds = \"1 to 1\" }",
        "{ natural = \"twin\", odds = \"1 to 1\" }",
        "{ pairs = \"winner\", odds = \"1 to 1\" }",
        "{ points = \"6\", odds = \"1 to 1\" }",
        "{ count = { rank = 7, is = 1 }, odds = \"1 to 1\" }",
        "{ count = { rank = \"10\", is = 1 }, odds = \"1 to 1\" }",
        "{ count = { rank = \"7\" }, odds = \"1 to 1\" }",
        "{ odds = 11 }",
    ] {
        assert!(matches!(Book::read(&text(rows)), Err(ReadError::Text(_))), "{rows}");
    }
    for rows in [
        "{ winner = \"tie\" }",
        "{ odds = \"1 to 1\", returned = true }",
        "{ returned = false }",
        "{ returned = true, commission = \"5%\" }",
    ] {
        let result = ReadError::Result { bet: "bet".to_owned(), row: 0 };
        assert_eq!(Book::read(&text(rows)).map(|_| ()), Err(result), "{rows}");
    }
    let good = text("{ odds = \"1 to 1\" }");
    let read = |from: &str, to: &str| Book::read(&good.replace(from, to)).map(|_| ()).unwrap_err();
    let unknown = ReadError::UnknownBet { layout: "A".to_owned(), bet: "best".to_owned() };
    assert_eq!(read("bets = [\"bet\"]", "bets = [\"best\"]"), unknown);
    assert_eq!(read("bets = [\"bet\"]", "bets = [\"bet\", \"bet\"]"), ReadError::Twice("bet".to_owned()));
    assert_eq!(read("format = 1", "format = 2"), ReadError::Format(2));
    assert!(matches!(read("mode = \"live\"", "mode = \"live\"\njackpot = true"), ReadError::Text(_)));
}

/// Interpretation 51: the smallest unit of which stakes and payouts are whole chips, found by trying one after the other.
#[test]
fn payable_units_are_the_smallest_that_do() {
    let rows = "{ winner = \"tie\", returned = true }, { winner = \"player\", odds = \"7 to 12\" }, { odds = \"3 to 2\" }";
    let texts = [
        text(rows),
        include_str!("../../../rulebooks/da-hu-ying-xiong-2019.toml").to_owned(),
        include_str!("../../../docs/examples/harbour-baccarat.toml").to_owned(),
    ];
    for text in texts {
        let book = Book::read(&text).expect("a rule book");
        for layout in &book.layouts {
            let exact = layout.smallest_unit().expect("a unit");
            for chip in [1, 2, 5, 7, 25, 100, 500] {
                let pays_whole = |unit: u64| {
                    let rows = layout.bets.iter().flat_map(|bet| &bet.rows);
                    let mut paid = rows.map(|row| row.pay(unit).expect("small amounts").0);
                    unit.is_multiple_of(chip) && paid.all(|winnings| winnings.is_multiple_of(chip))
                };
                let first = (1..).map(|times| times * exact).find(|unit| pays_whole(*unit));
                assert_eq!(layout.payable_unit(chip), first, "chips of {chip}");
            }
            assert_eq!(layout.payable_unit(0), None);
        }
    }
}

/// Interpretation 8: amounts up to 2⁵³ − 1, which is 6,361 times another number. Stake and winnings together may be that.
#[test]
fn money_holds_the_most_and_no_more() {
    let book = Book::read(&text("{ odds = \"6360 to 1\" }")).expect("a rule book");
    let layout = book.layout("A").expect("a layout");
    let cards = parse_cards(PLAYER_9).expect("cards");
    let settle = |stake| layout.settle(&Limits::default(), &[Wager::new("bet", stake)], &cards);
    let most = MOST / 6_361;
    assert_eq!(settle(most).expect("what money can hold").lines[0].to_patron(), (1 << 53) - 1);
    assert_eq!(settle(most + 1), Err(Refusal::TooMuch { bet: "bet".to_owned(), stake: most + 1 }));
}
