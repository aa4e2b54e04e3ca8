//! Golden integers: every bet of the four games at every permitted number of decks, as plain text.
//!
//! A line is `layout decks bet | sequences won at each odds | lost | returned`. The text comes from the textbook
//! enumeration and the reference alone; `PUNTO_UPDATE=1 cargo test -p punto-odds --test golden` writes it anew. Layouts
//! that offer the same bets share their lines.

mod textbook;

use std::fmt::Write;

use punto_odds::Pricer;
use punto_rules::{Bet, Composition, LimitsAsked, Rulebook};
use textbook::reference::{Document, documents};
use textbook::{Counts, count};

/// The decks of the live games; the electronic one takes no more than eight.
const DECKS: [u8; 7] = [4, 5, 6, 7, 8, 9, 10];

/// One layout of each set of bets.
const GAMES: [(&str, &[&str], &str); 4] = [
    ("wu-song", &["A", "C", "E"], include_str!("golden/wu-song.txt")),
    ("ncb-etg", &["terminal"], include_str!("golden/ncb-etg.txt")),
    ("rws-baccarat", &["A"], include_str!("golden/rws-baccarat.txt")),
    ("da-hu-ying-xiong", &["A"], include_str!("golden/da-hu-ying-xiong.txt")),
];

fn line(layout: &str, decks: u8, bet: &str, counts: &Counts) -> String {
    let won: Vec<String> =
        counts.won.iter().map(|((pays, per), sequences)| format!("{pays} to {per}: {sequences}")).collect();
    format!(
        "{layout} {decks} {bet} | {} | lost {} | returned {}",
        won.join(", "),
        counts.lost,
        counts.returned
    )
}

/// Every line of a game, by the textbook.
fn recomputed(document: &Document, layouts: &[&str]) -> Vec<String> {
    let shoes = DECKS.map(Composition::decks);
    let layouts: Vec<_> = document.layouts.iter().filter(|layout| layouts.contains(&layout.id)).collect();
    let bets: Vec<_> = layouts.iter().flat_map(|layout| layout.bets.clone()).collect();
    let counts = count(shoes.each_ref(), &[], &bets);
    let names = layouts.iter().flat_map(|layout| layout.bets.iter().map(|bet| (layout.id, bet.id)));
    let lines = names.zip(&counts).flat_map(|((layout, bet), counts)| {
        let permitted = DECKS.iter().zip(counts).filter(|(decks, _)| **decks <= document.decks.1);
        permitted.map(move |(&decks, counts)| line(layout, decks, bet, counts))
    });
    lines.collect()
}

fn document(game: &str) -> Document {
    documents().into_iter().find(|document| document.game == game).expect("a document")
}

fn golden_is_fresh(game: &str) {
    let (_, layouts, golden) = GAMES.into_iter().find(|(it, ..)| *it == game).expect("one of four");
    let document = document(game);
    if std::env::var_os("PUNTO_UPDATE").is_some() {
        let mut text = format!("# {}: layout decks bet | won | lost | returned\n", document.title);
        recomputed(&document, layouts).iter().for_each(|line| writeln!(text, "{line}").unwrap());
        let path = format!("{}/tests/golden/{game}.txt", env!("CARGO_MANIFEST_DIR"));
        return std::fs::write(path, text).unwrap();
    }
    let lines: Vec<&str> = golden.lines().skip(1).collect();
    assert_eq!(lines, recomputed(&document, layouts), "{game}");
}

#[test]
fn wu_song_is_what_the_textbook_counts() {
    golden_is_fresh("wu-song");
}

#[test]
fn ncb_etg_is_what_the_textbook_counts() {
    golden_is_fresh("ncb-etg");
}

#[test]
fn rws_baccarat_is_what_the_textbook_counts() {
    golden_is_fresh("rws-baccarat");
}

#[test]
fn da_hu_ying_xiong_is_what_the_textbook_counts() {
    golden_is_fresh("da-hu-ying-xiong");
}

/// Every line, every run: no line is left over, and none is missing.
#[test]
fn prices_are_golden() {
    for (game, layouts, golden) in GAMES {
        let rulebook = Rulebook::approved(game).unwrap();
        let mut priced = Vec::new();
        for layout in layouts {
            for decks in rulebook.decks.min..=rulebook.decks.max {
                let terms = rulebook.terms(layout, decks, &LimitsAsked::default()).unwrap();
                let prices = Pricer::new(&terms).price(&Composition::decks(decks)).unwrap();
                for (bet, price) in terms.bets().iter().zip(&prices) {
                    priced.push(line(layout, decks, bet.id.as_str(), &Counts::of(price)));
                }
            }
        }
        let mut lines: Vec<&str> = golden.lines().skip(1).collect();
        lines.sort_unstable();
        priced.sort_unstable();
        assert_eq!(priced, lines, "{game}");
    }
}

/// No layout is left out: each offers what a golden one offers, at the same odds.
#[test]
fn golden_layouts_stand_for_all() {
    let offers = |bets: &[std::sync::Arc<Bet>]| {
        let mut offers: Vec<_> = bets.iter().map(|bet| (bet.name(), bet.rows.clone())).collect();
        offers.sort_by(|a, b| a.0.cmp(&b.0));
        offers
    };
    for (game, layouts, _) in GAMES {
        let rulebook = Rulebook::approved(game).unwrap();
        let of = |id: &str| offers(&rulebook.layout(id).unwrap().bets);
        for layout in &rulebook.layouts {
            assert!(layouts.iter().any(|golden| of(golden) == offers(&layout.bets)), "{game} {}", layout.id);
        }
    }
}

/// The numbers that every study of the game at eight decks prints.
#[test]
fn eight_decks() {
    let rulebook = Rulebook::approved("da-hu-ying-xiong").unwrap();
    let terms = rulebook.terms("A", 8, &LimitsAsked::default()).unwrap();
    let prices = Pricer::new(&terms).price(&Composition::decks(8)).unwrap();
    let won = |bet: &str| prices[terms.bet_no(bet).unwrap().index()].won();
    assert_eq!(won("player"), 2_230_518_282_592_256);
    assert_eq!(won("banker"), 2_292_252_566_437_888);
    assert_eq!(won("tie"), 475_627_426_473_216);
    assert!(prices.iter().all(|price| price.sequences == 4_998_398_275_503_360));
}
