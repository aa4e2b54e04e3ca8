//! docs/conformance.md: every paragraph of the four documents, where it is carried out, and what proves it.
//!
//! The inventory is `conformance/<game>.txt`. The places are the citations of the rule books and the sources that the
//! inventory names; the proofs are tests that bear a paragraph's number, checks and tests that the inventory names, and
//! the table scripts of docs/scenarios with their `proves` line. A paragraph without proof fails the build.
//! `PUNTO_UPDATE=1 cargo test -p punto --test conformance` writes the page anew.

#[path = "conformance/evidence.rs"]
mod evidence;
#[path = "conformance/page.rs"]
mod page;
#[path = "conformance/paragraphs.rs"]
mod paragraphs;

use std::collections::BTreeSet;
use std::fs;

use evidence::{Evidence, root};
use paragraphs::{GAMES, Game, Paragraph};
use punto_rules::Rulebook;

fn all() -> Vec<(&'static Game, Vec<Paragraph>, Evidence)> {
    let games = GAMES.iter().map(|game| (game, game.paragraphs()));
    games
        .map(|(game, paragraphs)| {
            let evidence = Evidence::collect(game, &paragraphs);
            (game, paragraphs, evidence)
        })
        .collect()
}

fn assert_none(faults: &[String], what: &str) {
    assert!(faults.is_empty(), "{what} ({}):\n{}", faults.len(), faults.join("\n"));
}

/// Every paragraph that has an effect is proven, by what is fit to prove it.
fn unproven(game: &Game, paragraphs: &[Paragraph], evidence: &Evidence) -> Vec<String> {
    let waiting = paragraphs.iter().filter(|it| !evidence.is_proven(it, paragraphs));
    waiting.map(|paragraph| format!("{} {}: {}", game.id, paragraph.number, paragraph.about)).collect()
}

#[test]
fn every_paragraph_is_proven() {
    let unproven: Vec<String> =
        all().iter().flat_map(|(game, paragraphs, evidence)| unproven(game, paragraphs, evidence)).collect();
    assert_none(&unproven, "paragraphs without proof");
}

/// As many as each document numbers, and none left out between two others.
#[test]
fn the_inventory_is_complete() {
    for game in &GAMES {
        let paragraphs = game.paragraphs();
        let numbered: Vec<Vec<u32>> = paragraphs.iter().filter_map(Paragraph::numbers).collect();
        assert_eq!(numbered.len(), game.numbered, "{}: numbered paragraphs", game.id);
        assert_eq!(paragraphs.len() - numbered.len(), game.others.len(), "{}: others", game.id);
        for other in game.others {
            assert!(paragraphs.iter().any(|it| it.number == *other), "{}: no {other}", game.id);
        }
        assert_eq!(numbered[0], [1, 1]);
        for pair in numbered.windows(2) {
            assert!(
                paragraphs::follows(&pair[0], &pair[1]),
                "{}: {:?} after {:?}",
                game.id,
                pair[1],
                pair[0]
            );
        }
        assert_eq!(numbered.last().map(|last| last[0]), Some(5), "{}: section 5 is the last", game.id);
        let distinct: BTreeSet<&str> = paragraphs.iter().map(|it| it.number.as_str()).collect();
        assert_eq!(distinct.len(), paragraphs.len(), "{}: a paragraph twice", game.id);
    }
}

#[test]
fn every_paragraph_has_its_place() {
    let lost: Vec<String> = all()
        .iter()
        .flat_map(|(game, paragraphs, evidence)| {
            let lost = paragraphs.iter().filter(|it| !evidence.has_place(it, paragraphs));
            lost.map(|paragraph| format!("{} {}", game.id, paragraph.number)).collect::<Vec<_>>()
        })
        .collect();
    assert_none(&lost, "paragraphs that no rule book cites and no source carries out");
}

/// What tests, scripts, rule books and the inventory name is there, and nobody proves what has no effect.
#[test]
fn nothing_is_claimed_that_is_not_there() {
    let strays: Vec<String> = all().into_iter().flat_map(|(_, _, evidence)| evidence.strays).collect();
    assert_none(&strays, "claims without their object");
}

#[test]
fn citations_are_those_that_the_rules_read() {
    for game in &GAMES {
        let rulebook = Rulebook::approved(game.id).expect("approved");
        let rows = rulebook.bets.iter().flat_map(|bet| &bet.rows).map(|row| &row.cite);
        let cites = rows
            .chain(rulebook.bets.iter().map(|bet| &bet.cite))
            .chain(rulebook.play.topics().into_iter().map(|(_, cite)| cite))
            .chain(rulebook.conduct.topics().into_iter().map(|(_, cite)| cite))
            .chain(rulebook.squeeze.iter().map(|squeeze| &squeeze.cite))
            .chain(rulebook.layouts.iter().map(|layout| &layout.cite))
            .chain(rulebook.irregularities.iter().map(|irregularity| &irregularity.cite))
            .chain([&rulebook.decks.cite, &rulebook.limits.cite]);
        let read: BTreeSet<String> = cites.flat_map(|cite| cite.paragraphs()).map(String::from).collect();
        let scanned: BTreeSet<String> =
            evidence::citations(game).into_iter().map(|(paragraph, _)| paragraph).collect();
        assert_eq!(scanned, read, "{}", game.id);
    }
}

/// Every folder of scripts is that of a game, so that none is left out.
#[test]
fn scripts_are_those_of_a_game() {
    for entry in
        fs::read_dir(root().join("docs/scenarios")).expect("a folder").map(|it| it.expect("an entry"))
    {
        let name = entry.file_name().into_string().expect("a name");
        let known = !entry.path().is_dir() || GAMES.iter().any(|game| game.id == name);
        assert!(known, "docs/scenarios/{name} is no game");
    }
}

/// A citation in a run is that of the rule book: with another number at its place in the book, the run cites that one
/// and the paragraph is not shown any more. So for every row that rests on a citation, the line to break is the one that
/// the page links to.
#[test]
fn every_citation_of_a_run_falls_with_its_line_in_the_rule_book() {
    for game in &GAMES {
        let text = fs::read_to_string(root().join("rulebooks").join(game.rulebook)).expect("a rule book");
        let changed = evidence::renumbered(&text);
        let cited = |rulebook: &str| -> BTreeSet<String> {
            let runs = evidence::runs(game, rulebook).into_iter();
            let cited: BTreeSet<String> = runs.flat_map(|(_, _, played)| played.cited()).collect();
            cited.into_iter().filter(|it| !it.starts_with("interpretation ")).collect()
        };
        let expected: BTreeSet<String> = cited(&text).iter().map(|it| evidence::renumber(it)).collect();
        assert_eq!(cited(&changed), expected, "{}", game.id);
    }
}

/// The first test can fail: what it rests on is taken away, and the paragraph is named.
#[test]
fn a_paragraph_whose_proof_is_gone_is_named() {
    let game = &GAMES[0];
    let paragraphs = game.paragraphs();
    let full = Evidence::collect(game, &paragraphs);
    for number in ["1.12", "3.13", "4.1.10", "Appendix F"] {
        let named = format!("{} {number}: ", game.id);
        let is_named = |evidence: &Evidence| {
            unproven(game, &paragraphs, evidence).iter().any(|it| it.starts_with(&named))
        };
        assert!(!is_named(&full), "{named}");
        assert!(is_named(&full.without_proof_of(number)), "{named}");
    }
    // 1.1 leans on 3.12 and falls with it; conduct is not proven by a test that merely bears its number.
    let without = full.without_proof_of("3.12");
    assert!(unproven(game, &paragraphs, &without).iter().any(|it| it.starts_with("wu-song 1.1: ")));
    let without = full.without_scripts();
    assert!(unproven(game, &paragraphs, &without).iter().any(|it| it.starts_with("wu-song 3.3: ")));
}

#[test]
fn the_page_is_fresh() {
    let page = page::page(&all());
    let path = root().join("docs/conformance.md");
    if std::env::var_os("PUNTO_UPDATE").is_some() {
        fs::write(&path, &page).expect("written");
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == page,
        "docs/conformance.md is stale; run: PUNTO_UPDATE=1 cargo test -p punto --test conformance"
    );
}
