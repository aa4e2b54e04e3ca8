//! The list of reverts is complete and in order; `make reverts` applies them. See docs/reverts.md.

#[path = "reverts/list.rs"]
mod list;

use std::collections::BTreeSet;
use std::path::Path;

use list::{GAMES, READINGS, list, read, root};

/// Crates whose places are reverted.
const REVERTED: [&str; 2] = ["punto-table", "punto-rules"];
/// Second opinions about the same readings: the audit, whose own mutations are in `punto-audit/tests`, and the reference, which
/// is compared with the rules in `punto-reference/tests`.
const SECOND_OPINIONS: [&str; 2] = ["punto-audit", "punto-reference"];

/// Every `INTERPRETATION n` of these readings in a text: where it begins, and n.
fn marks(text: &str) -> Vec<(usize, u8)> {
    let word = "INTERPRETATION ";
    let found = text.match_indices(word).filter_map(|(at, _)| {
        let digits = text[at + word.len()..].split(|it: char| !it.is_ascii_digit()).next()?;
        Some((at, digits.parse().ok()?))
    });
    found.filter(|(_, reading)| READINGS.contains(reading)).collect()
}

fn sources(folder: &Path, into: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|it| it == "rs") {
            let file = path.strip_prefix(root()).expect("a file of the repository");
            into.push(file.to_string_lossy().into_owned());
        }
    }
}

/// The sources of all crates, or of those that are reverted.
fn sources_of(reverted: bool) -> Vec<String> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(root().join("crates")).expect("the crates") {
        let path = entry.expect("a crate").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if !SECOND_OPINIONS.contains(&name.as_str()) && REVERTED.contains(&name.as_str()) == reverted {
            sources(&path.join("src"), &mut files);
        }
    }
    assert!(!files.is_empty());
    files.sort();
    files
}

#[test]
fn what_is_reverted_stands_in_its_file_once() {
    let mut wrong = Vec::new();
    for revert in list().reverts {
        let found = read(&revert.file).matches(&revert.old).count();
        if found != 1 || revert.old.trim().is_empty() || revert.old == revert.new {
            wrong.push(format!("{} `{}`: `old` is found {found} times", revert.file, revert.tells));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A revert covers a mark if it changes something between it and the next mark of the same reading.
#[test]
fn every_mark_of_a_reading_is_reverted() {
    let (list, mut wrong) = (list(), Vec::new());
    for file in sources_of(true) {
        let text = read(&file);
        let marks = marks(&text);
        for (no, (begin, reading)) in marks.iter().enumerate() {
            let next = marks[no + 1..].iter().find(|(_, other)| other == reading);
            let end = next.map_or(text.len(), |(at, _)| *at);
            let covers = |old: &str| text.find(old).is_some_and(|at| at < end && at + old.len() > *begin);
            let own = list.reverts.iter().filter(|it| it.file == file && it.reading == *reading);
            if !own.into_iter().any(|revert| covers(&revert.old)) {
                let line = text[..*begin].lines().count();
                wrong.push(format!("{file}:{line}: no revert of interpretation {reading}"));
            }
        }
    }
    assert!(wrong.is_empty(), "tests/data/reverts.toml\n{}", wrong.join("\n"));
}

#[test]
fn every_mark_of_another_crate_names_its_test() {
    let (list, mut wrong) = (list(), Vec::new());
    let mut used = BTreeSet::new();
    for file in sources_of(false) {
        for (_, reading) in marks(&read(&file)) {
            let named = list.elsewhere.iter().find(|it| it.file == file && it.reading == reading);
            match named {
                Some(named) => drop(used.insert((&named.file, named.reading))),
                None => wrong.push(format!("{file}: interpretation {reading} names no test")),
            }
        }
    }
    for named in &list.elsewhere {
        if !used.contains(&(&named.file, named.reading)) {
            wrong.push(format!("{}: no mark of interpretation {}", named.file, named.reading));
        }
        let Some(named) = &named.test else { continue };
        let (file, test) = named.split_once("::").expect("a file and the name of a test");
        if !read(file).contains(&format!("fn {test}(")) {
            wrong.push(format!("{file}: no test `{test}`"));
        }
    }
    assert!(wrong.is_empty(), "tests/data/reverts.toml\n{}", wrong.join("\n"));
}

#[test]
fn every_reading_is_reverted_in_games_that_there_are() {
    let list = list();
    for reading in READINGS {
        assert!(list.reverts.iter().any(|it| it.reading == reading), "interpretation {reading}");
    }
    for revert in &list.reverts {
        let (games, tells) = (revert.games(), &revert.tells);
        assert!(READINGS.contains(&revert.reading), "{tells}");
        assert!(!games.is_empty() && games.iter().all(|it| GAMES.contains(it)), "{tells}");
        assert_eq!(revert.only.is_some(), games.len() < GAMES.len(), "{tells}: why not in every game");
    }
    let tells: BTreeSet<String> = list.reverts.iter().map(|it| it.row()).collect();
    assert_eq!(tells.len(), list.reverts.len(), "each says something else");
}

/// docs/reverts.md has a row for every revert, no other, and the tests that it names are there.
#[test]
fn the_page_is_up_to_date() {
    let (list, page) = (list(), read("docs/reverts.md"));
    let rows: Vec<&str> = page
        .lines()
        .filter(|it| it.starts_with("| 3") || it.starts_with("| 4") || it.starts_with("| 5"))
        .collect();
    let mut tests = Vec::new();
    sources(&root().join("crates/punto-table/tests"), &mut tests);
    let tests: Vec<String> = tests.iter().map(|file| read(file)).collect();
    let mut wrong = Vec::new();
    for revert in &list.reverts {
        let Some(row) = rows.iter().find(|row| row.starts_with(&revert.row())) else {
            wrong.push(format!("no row: {}", revert.row()));
            continue;
        };
        let cells: Vec<&str> = row[revert.row().len()..].trim_end_matches(" |").split(" | ").collect();
        for (game, cell) in GAMES.iter().zip(cells) {
            let named = cell.split('`').nth(1);
            if named.is_some() != revert.games().contains(game) {
                wrong.push(format!("{} {game}: {cell}", revert.row()));
            }
            let there = |name: &str| match name.strip_suffix(".txt") {
                Some(_) => root().join("docs/scenarios").join(game).join(name).is_file(),
                None => tests.iter().any(|text| text.contains(&format!("fn {name}("))),
            };
            if let Some(name) = named.filter(|name| !there(name)) {
                wrong.push(format!("{} {game}: no test {name}", revert.row()));
            }
        }
    }
    assert_eq!(rows.len(), list.reverts.len(), "rows");
    assert!(wrong.is_empty(), "run `make reverts`\n{}", wrong.join("\n"));
}
