//! The approved rule books against what the documents say, datum by datum.

mod checks;
mod reference;

use std::collections::BTreeSet;

use checks::CHECKS;
use punto_rules::Rulebook;
use punto_rules::rulebook::APPROVED;
use reference::documents;

fn agrees(game: &str) {
    let document = documents().into_iter().find(|document| document.game == game).expect("a document");
    let rulebook = Rulebook::approved(game).expect("an approved rule book");
    let faults: Vec<String> = CHECKS
        .iter()
        .filter_map(|(name, check)| check(&rulebook, &document).err().map(|fault| format!("{name}: {fault}")))
        .collect();
    assert!(faults.is_empty(), "{game}\n{}", faults.join("\n"));
}

#[test]
fn wu_song_says_what_its_document_says() {
    agrees("wu-song");
}

#[test]
fn ncb_etg_says_what_its_document_says() {
    agrees("ncb-etg");
}

#[test]
fn rws_baccarat_says_what_its_document_says() {
    agrees("rws-baccarat");
}

#[test]
fn da_hu_ying_xiong_says_what_its_document_says() {
    agrees("da-hu-ying-xiong");
}

#[test]
fn there_is_one_rule_book_for_each_document() {
    let games = APPROVED.map(|(_, text)| Rulebook::parse(text).expect("approved").game);
    let titled: Vec<&str> = documents().iter().map(|document| document.game).collect();
    assert_eq!(games.as_slice(), titled.as_slice());
}

/// Sections 3 and 4 are tested paragraph by paragraph; the name of a test begins with the game and the number.
#[test]
fn every_paragraph_of_sections_3_and_4_has_a_test_named_after_it() {
    let files = [
        ("wu-song", "wu_song", include_str!("wu_song.rs")),
        ("ncb-etg", "ncb_etg", include_str!("ncb_etg.rs")),
        ("rws-baccarat", "rws", include_str!("rws_baccarat.rs")),
        ("da-hu-ying-xiong", "da_hu", include_str!("da_hu_ying_xiong.rs")),
    ];
    for (game, prefix, tests) in files {
        let rulebook = Rulebook::approved(game).expect("approved");
        // That bets open and close by word is seen at the table, by the scenarios that cite it.
        let is_seen = |topic: &str| matches!(topic, "open_bets" | "close_bets");
        let play =
            rulebook.play.topics().into_iter().filter(|(topic, _)| !is_seen(topic)).map(|(_, cite)| cite);
        let squeeze = rulebook.squeeze.iter().map(|squeeze| &squeeze.cite);
        let bets = rulebook.bets.iter().map(|bet| &bet.cite);
        let cited = play.chain(squeeze).chain(bets).flat_map(|cite| cite.paragraphs());
        let numbered: BTreeSet<&str> =
            cited.filter(|paragraph| paragraph.starts_with(['3', '4'])).chain(["4.1"]).collect();
        for paragraph in numbered {
            let name = format!("fn {prefix}_{}_", paragraph.replace('.', "_"));
            // `_4_1_` must not be satisfied by `_4_1_2_`.
            let named = tests
                .match_indices(&name)
                .any(|(at, _)| !tests[at + name.len()..].starts_with(|c: char| c.is_ascii_digit()));
            assert!(named, "{game} {paragraph}: no test is called {name}…");
        }
    }
}
