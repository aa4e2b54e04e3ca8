//! The house rules, kept by a test: which crate may know which, what pure crates may not know, no float near money, every
//! interpretation written down, generated pages fresh.

mod run;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Crates that know no clock, no randomness of their own, no files, no async.
const PURE: [&str; 7] = [
    "punto-rules",
    "punto-odds",
    "punto-record",
    "punto-table",
    "punto-audit",
    "punto-reference",
    "punto-reports",
];

/// What each crate may know of the workspace. A crate that is not here does not belong to the house.
const MAY_KNOW: [(&str, &[&str]); 11] = [
    ("punto-rules", &[]),
    // Nobody: a mistake in the rules must not be repeated in what checks them.
    ("punto-reference", &[]),
    ("punto-odds", &["punto-rules"]),
    ("punto-record", &["punto-rules"]),
    ("punto-table", &["punto-rules", "punto-record"]),
    // Never the table: one bug must not hide in both.
    ("punto-audit", &["punto-rules", "punto-record"]),
    ("punto-reports", &["punto-rules", "punto-record", "punto-odds"]),
    ("punto-ledger", &["punto-rules", "punto-record"]),
    (
        "punto-server",
        &[
            "punto-rules",
            "punto-odds",
            "punto-record",
            "punto-table",
            "punto-audit",
            "punto-reports",
            "punto-ledger",
        ],
    ),
    (
        "punto-drill",
        &["punto-rules", "punto-record", "punto-table", "punto-audit", "punto-reports", "punto-ledger"],
    ),
    (
        "punto",
        &[
            "punto-rules",
            "punto-odds",
            "punto-record",
            "punto-table",
            "punto-audit",
            "punto-reports",
            "punto-ledger",
            "punto-server",
            "punto-drill",
        ],
    ),
];

/// What pure crates may depend on from outside, each with its reason in ARCHITECTURE.md.
const PURE_DEPENDENCIES: [&str; 13] = [
    "base64",
    "ed25519-dalek",
    "hmac",
    "jiff",
    "rand_chacha",
    "rand_xoshiro",
    "schemars",
    "serde",
    "serde_json",
    "sha2",
    "strsim",
    "thiserror",
    "toml",
];

/// Words that have no place in the source of a pure crate.
const IMPURE: [&str; 16] = [
    "std::fs",
    "std::io",
    "std::net",
    "std::env",
    "std::process",
    "std::thread",
    "std::time",
    "SystemTime",
    "Instant::",
    "async fn",
    ".await",
    "tokio",
    "OsRng",
    "SysRng",
    "getrandom",
    "println!",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() {
            files.extend(sources(&entry));
        } else if entry.extension().is_some_and(|ending| ending == "rs") {
            files.push(entry);
        }
    }
    files.sort();
    files
}

/// The names under `[dependencies]` of a crate.
fn dependencies(name: &str) -> BTreeSet<String> {
    let manifest =
        fs::read_to_string(root().join("crates").join(name).join("Cargo.toml")).expect("a manifest");
    let section = manifest.split("\n[dependencies]\n").nth(1).expect("a crate with dependencies");
    let lines = section.lines().take_while(|line| !line.starts_with('['));
    lines
        .filter_map(|line| line.split(['.', '=', ' ']).next())
        .filter(|it| !it.is_empty())
        .map(String::from)
        .collect()
}

#[test]
fn crates_know_only_what_they_may() {
    let here: BTreeSet<String> = fs::read_dir(root().join("crates"))
        .expect("crates")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .collect();
    assert_eq!(here, MAY_KNOW.iter().map(|(name, _)| name.to_string()).collect());
    for (name, may_know) in MAY_KNOW {
        let known: Vec<String> =
            dependencies(name).into_iter().filter(|it| it.starts_with("punto")).collect();
        let strangers: Vec<&String> = known.iter().filter(|it| !may_know.contains(&it.as_str())).collect();
        assert!(strangers.is_empty(), "{name} must not know {strangers:?}");
    }
}

#[test]
fn the_study_knows_no_money() {
    for file in sources(&root().join("crates/punto-odds/src")) {
        let text = fs::read_to_string(&file).expect("a source");
        assert!(
            !text.contains("Money") && !text.contains("Wager"),
            "{}: money beside floats",
            file.display()
        );
    }
}

#[test]
fn pure_crates_stay_pure() {
    for name in PURE {
        let outside: Vec<String> = dependencies(name)
            .into_iter()
            .filter(|it| !it.starts_with("punto") && !PURE_DEPENDENCIES.contains(&it.as_str()))
            .collect();
        assert!(
            outside.is_empty(),
            "{name} depends on {outside:?}; a pure crate's dependencies are named in this test"
        );
        for file in sources(&root().join("crates").join(name).join("src")) {
            let text = fs::read_to_string(&file).expect("a source");
            for word in IMPURE {
                assert!(!text.contains(word), "{}: `{word}` in a pure crate", file.display());
            }
        }
    }
}

/// Statistics are floats in `punto-odds`, which knows no money, and in one file of the reports; nowhere else.
#[test]
fn no_float_touches_money() {
    for name in PURE.into_iter().filter(|name| *name != "punto-odds") {
        for file in sources(&root().join("crates").join(name).join("src")) {
            // A serializer must name every type that there is, floats among them.
            if file.ends_with("punto-reports/src/theory.rs") || file.ends_with("punto-record/src/unfit.rs") {
                continue;
            }
            let text = fs::read_to_string(&file).expect("a source");
            let floats = text
                .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                .filter(|it| ["f32", "f64"].contains(it));
            assert_eq!(floats.count(), 0, "{}: a float where money lives", file.display());
        }
    }
}

/// `INTERPRETATION 13` in the code and `Interpretation 3` in a rule book have their heading in docs/interpretations.md.
#[test]
fn every_interpretation_is_written_down() {
    let page = fs::read_to_string(root().join("docs/interpretations.md")).expect("the page");
    let headings: BTreeSet<u32> =
        page.lines().filter_map(|line| line.strip_prefix("## ")?.split_once(". ")?.0.parse().ok()).collect();
    let (first, later): (BTreeSet<u32>, BTreeSet<u32>) = headings.iter().partition(|number| **number <= 30);
    assert_eq!(first, (1..=30).collect());
    assert!(later.iter().all(|number| (31..=51).contains(number)), "{later:?}");
    let mut marks: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    let rulebooks =
        fs::read_dir(root().join("rulebooks")).expect("rule books").map(|it| it.expect("an entry").path());
    for file in sources(&root().join("crates")).into_iter().chain(rulebooks) {
        let text = fs::read_to_string(&file).expect("a text");
        for mark in ["INTERPRETATION ", "Interpretation "] {
            for after in text.split(mark).skip(1) {
                let number: String = after.chars().take_while(char::is_ascii_digit).collect();
                if let Ok(number) = number.parse() {
                    marks.entry(number).or_default().push(file.display().to_string());
                }
            }
        }
    }
    for (number, places) in &marks {
        // The fortieth is about citing; it is marked before its page is written.
        let written = headings.contains(number) || *number == 40;
        assert!(written, "interpretation {number} of {places:?} has no heading");
    }
    // Each is marked where it is carried out; the fourth is data alone.
    for number in headings.iter().copied().filter(|number| *number != 4) {
        assert!(marks.contains_key(&number), "no code is marked with interpretation {number}");
    }
}

/// docs/cli.md is what `--help` says. `PUNTO_UPDATE=1 cargo test -p punto --test house` writes it anew.
#[test]
fn the_command_line_reference_is_fresh() {
    let mut page = "# The command line\n\nGenerated from `punto --help`. Data goes to standard output, talk to standard error.\n".to_string();
    help_of(&[], &mut page);
    let path = root().join("docs/cli.md");
    if std::env::var_os("PUNTO_UPDATE").is_some() {
        fs::write(&path, &page).expect("written");
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page, "docs/cli.md is stale; run: PUNTO_UPDATE=1 cargo test -p punto --test house");
}

/// The help of a verb, and of all below it.
fn help_of(verb: &[&str], page: &mut String) {
    let help = run::punto(&[verb, &["--help"]].concat());
    assert_eq!(help.code, 0);
    let title = [&["punto"], verb].concat().join(" ");
    let text: Vec<&str> = help.stdout.lines().map(str::trim_end).collect();
    page.push_str(&format!("\n## `{title}`\n\n```text\n{}\n```\n", text.join("\n").trim_end()));
    let below =
        text.iter().skip_while(|line| **line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = below.filter_map(|line| line.strip_prefix("  ")?.split(char::is_whitespace).next());
    for name in names.filter(|name| !["help", ""].contains(name)) {
        help_of(&[verb, &[name]].concat(), page);
    }
}

/// Some crates link their tests once: a file that no program has would be a test that never runs.
#[test]
fn every_test_file_is_in_a_test_program() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crates");
    let mut asked = 0;
    for folder in fs::read_dir(crates).expect("the crates").map(|it| it.expect("an entry").path()) {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
        if !manifest.contains("autotests = false") {
            continue;
        }
        let all = fs::read_to_string(folder.join("tests/all.rs")).expect("one program for most of them");
        for file in fs::read_dir(folder.join("tests")).expect("tests").map(|it| it.expect("an entry").path())
        {
            let Some(name) = file.file_name().and_then(|it| it.to_str()?.strip_suffix(".rs")) else {
                continue;
            };
            let is_own = manifest.contains(&format!("name = \"{name}\"\n"));
            let is_part = all.lines().any(|line| line == format!("mod {name};"));
            assert!(is_own != is_part, "{}: in all.rs or under [[test]], and in one of them", file.display());
            asked += 1;
        }
    }
    assert!(asked > 50, "{asked}");
}
