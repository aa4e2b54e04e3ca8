//! Golden Rounds: well-chosen Rounds of each game as plain text, with everything that happens to every bet.
//!
//! A line is `cards | layout | bets that win, with their odds | returned: bets that come back`; what is not named
//! loses. The text was written by hand, so it has to agree with the crate and with the reference alike.

mod reference;
mod table;

use std::collections::{BTreeMap, BTreeSet};

use punto_rules::{Rank, notation};
use reference::{Answer, documents, play};
use table::{rulebook, verdict};

/// One line of a golden file.
struct Golden<'t> {
    cards: &'t str,
    layout: &'t str,
    /// Bets that win, and the odds as printed.
    wins: BTreeMap<&'t str, &'t str>,
    returned: BTreeSet<&'t str>,
}

impl<'t> Golden<'t> {
    fn read(line: &'t str) -> Golden<'t> {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let [cards, layout, wins, returned] = parts[..] else { panic!("four parts: {line}") };
        let returned = returned.strip_prefix("returned:").unwrap_or_else(|| panic!("returned: {line}"));
        let names = |list: &'t str| list.split(',').map(str::trim).filter(|name| *name != "-");
        let wins = names(wins).map(|win| win.split_once(' ').unwrap_or_else(|| panic!("odds: {line}")));
        Golden { cards, layout, wins: wins.collect(), returned: names(returned).collect() }
    }

    /// What the line says of a bet.
    fn says(&self, bet: &str) -> String {
        match self.wins.get(bet) {
            Some(odds) => format!("won {odds}"),
            None if self.returned.contains(bet) => "returned".into(),
            None => "lost".into(),
        }
    }
}

/// The words of a golden line as the reference would say them.
fn answer(words: &str) -> Answer {
    let Some(odds) = words.strip_prefix("won ") else {
        return if words == "returned" { Answer::Returned } else { Answer::Lost };
    };
    let (pays, per) = odds.split_once(" to ").expect("odds");
    // Hundredths on both sides: 0.95 to 1 is 95 to 100.
    let hundredths = |number: &str| match number.split_once('.') {
        Some((whole, fraction)) => format!("{whole}{fraction:0<2}").parse().expect("a number"),
        None => 100 * number.parse::<u32>().expect("a number"),
    };
    Answer::Won { pays: hundredths(pays), per: hundredths(per) }
}

fn check(game: &str, text: &str) {
    let document = documents().into_iter().find(|document| document.game == game).expect("a document");
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let goldens: Vec<Golden<'_>> = lines.map(Golden::read).collect();
    assert!(goldens.len() >= 25, "{game}: {} Rounds", goldens.len());
    let (mut won, mut layouts) = (BTreeSet::new(), BTreeSet::new());
    for golden in &goldens {
        let Golden { cards, layout, .. } = golden;
        let drawn = notation::parse(cards).expect("cards");
        let ranks: Vec<u8> = drawn.iter().map(|card| rank(card.rank)).collect();
        let played = play(&ranks).expect("a complete Round");
        assert_eq!(played.used, ranks.len(), "{game}: {cards}");
        let rules = document.layouts.iter().find(|rule| rule.id == *layout).expect("a layout");
        for rule in &rules.bets {
            let says = golden.says(rule.id);
            assert_eq!(verdict(game, layout, rule.id, cards), says, "{game} {layout}: {cards}, {}", rule.id);
            let reference = (rule.verdict)(&played);
            assert!(reference.same_odds(answer(&says)), "{game}: {cards}, {}: {reference:?}", rule.id);
        }
        let named = golden.wins.keys().chain(&golden.returned);
        for bet in named {
            assert!(rules.bets.iter().any(|rule| rule.id == *bet), "{game} {layout}: {cards} names {bet}");
        }
        won.extend(golden.wins.keys().copied());
        layouts.insert(*layout);
    }
    let bets: BTreeSet<&str> = rulebook(game).bets.iter().map(|bet| bet.id.as_str()).collect();
    assert_eq!(won, bets, "{game}: every bet wins in some golden Round");
    assert_eq!(layouts.len(), document.layouts.len(), "{game}: every layout has a golden Round");
}

/// Ace is 1 and King 13, as the reference counts.
fn rank(rank: Rank) -> u8 {
    Rank::ALL.iter().position(|other| *other == rank).expect("one of thirteen") as u8 + 1
}

#[test]
fn wu_song() {
    check("wu-song", include_str!("golden/wu-song.txt"));
}

#[test]
fn ncb_etg() {
    check("ncb-etg", include_str!("golden/ncb-etg.txt"));
}

#[test]
fn rws_baccarat() {
    check("rws-baccarat", include_str!("golden/rws-baccarat.txt"));
}

#[test]
fn da_hu_ying_xiong() {
    check("da-hu-ying-xiong", include_str!("golden/da-hu-ying-xiong.txt"));
}
