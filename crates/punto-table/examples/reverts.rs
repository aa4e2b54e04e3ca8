//! `make reverts`: takes the mend of each reading back, place by place, in a copy of the repository, and asks for a test
//! that goes red in every game that it touches. Writes docs/reverts.md.
//!
//! `REVERTS=31,38` tries some readings only and keeps the other rows of the page.

#![allow(missing_docs)]

#[path = "../tests/reverts/list.rs"]
#[allow(dead_code)]
mod list;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use list::{GAMES, Revert, list, read, root};

/// Test files whose tests are named `what_holds::the_game`, and which of their tests.
const TESTS: [(&str, &str); 4] =
    [("matrices", ""), ("acting", ""), ("separate_people", ""), ("scenarios", SCRIPTS)];
/// The other tests about scripts go red only if this one does.
const SCRIPTS: &str = "scenarios_happen_as_they_are_told";
const PAGE: &str = "docs/reverts.md";
/// A test that takes so much longer than it should never ends.
const PATIENCE: u32 = 20;

/// What the tests of one file made of a revert: the names of those that did not pass, with what they said.
type Red = BTreeMap<String, String>;
/// A test file, built, and which of its tests.
type TestFile = (PathBuf, &'static str);

fn main() -> ExitCode {
    let began = Instant::now();
    let only: Option<Vec<u8>> = std::env::var("REVERTS").ok().filter(|it| !it.trim().is_empty()).map(|it| {
        it.split(',').map(|no| no.trim().parse().expect("REVERTS names readings, such as 31,38")).collect()
    });
    let list = list();
    let copy = Copy::new(&list.reverts);
    let tests = copy.build();
    let limit = copy.limit(&tests);
    println!("{} s: built, and every test passes without a revert", began.elapsed().as_secs());

    let (mut rows, mut unnoticed) = (BTreeMap::new(), Vec::new());
    for (no, revert) in (1..).zip(&list.reverts) {
        if only.as_ref().is_some_and(|only| !only.contains(&revert.reading)) {
            continue;
        }
        let of_interest = |game: &&str| revert.games().contains(game);
        let green = |red: &Red| -> Vec<&str> {
            let green = |game: &&str| of_interest(game) && of_game(red, game).is_empty();
            GAMES.into_iter().filter(green).collect()
        };
        // File by file, until something is red in every game.
        let mut red = Red::new();
        for test in &tests {
            red.extend(copy.run(test, Some(no), limit));
            if green(&red).is_empty() {
                break;
            }
        }
        let green = green(&red);
        let cells = GAMES.into_iter().map(|game| match of_interest(&game) {
            true => cell(&of_game(&red, game)),
            false => "–".to_owned(),
        });
        let row = cells.collect::<Vec<_>>().join(" | ");
        println!("{:>4} s {} {row}", began.elapsed().as_secs(), revert.row());
        if !green.is_empty() {
            unnoticed.push(format!("{} no test goes red in {}", revert.row(), green.join(", ")));
        }
        rows.insert(revert.row(), row);
    }
    std::fs::write(root().join(PAGE), page(&list.reverts, &rows)).expect("the page can be written");
    if !unnoticed.is_empty() {
        println!("\n{} of {} go unnoticed:\n{}", unnoticed.len(), rows.len(), unnoticed.join("\n"));
        return ExitCode::FAILURE;
    }
    println!("all {} are noticed, in {} s", rows.len(), began.elapsed().as_secs());
    ExitCode::SUCCESS
}

/// A copy of what the tests need, so that nobody's files are touched.
struct Copy {
    root: PathBuf,
}

impl Copy {
    /// A copy in which every revert is built in, and one is chosen when a test begins: so it is built once.
    fn new(reverts: &[Revert]) -> Copy {
        let copy = Copy { root: root().join("target/reverts") };
        let mut changed: BTreeMap<PathBuf, String> = BTreeMap::new();
        for library in ["crates/punto-rules/src/lib.rs", "crates/punto-table/src/lib.rs"] {
            changed.insert(library.into(), read(library) + CHOSEN);
        }
        let files: BTreeSet<&str> = reverts.iter().map(|revert| revert.file.as_str()).collect();
        for file in files {
            let of_file = (1..).zip(reverts).filter(|(_, revert)| revert.file == file);
            changed.insert(file.into(), with_reverts(&read(file), &of_file.collect::<Vec<_>>()));
        }
        std::fs::create_dir_all(&copy.root).expect("a folder in target");
        for part in ["Cargo.toml", "Cargo.lock", "crates", "rulebooks", "docs"] {
            copy.refresh(Path::new(part), &changed);
        }
        copy
    }

    /// The tests, built.
    fn build(&self) -> Vec<TestFile> {
        let mut cargo = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()));
        cargo.current_dir(&self.root).args(["test", "--no-run", "--locked", "-p", "punto-table"]);
        // Beside what cargo has built of the same profile: the dependencies are there already.
        cargo.args(["--profile", "mutants", "--target-dir", ".."]);
        // Built once and run often.
        cargo.args(["--config", "profile.mutants.package.punto-table.opt-level=1"]);
        cargo.args(TESTS.iter().flat_map(|(test, _)| ["--test", test])).args(["--message-format", "json"]);
        let built = cargo.stderr(Stdio::null()).output().expect("cargo runs");
        let messages = String::from_utf8_lossy(&built.stdout);
        let mut tests = BTreeMap::new();
        for message in messages.lines().filter_map(|it| serde_json::from_str::<serde_json::Value>(it).ok()) {
            let (name, path) = (message["target"]["name"].as_str(), message["executable"].as_str());
            if let (Some(name), Some(path)) = (name, path) {
                tests.insert(name.to_owned(), PathBuf::from(path));
            }
            if message["message"]["level"] == "error" {
                eprintln!("{}", message["message"]["rendered"].as_str().unwrap_or_default());
            }
        }
        assert!(
            built.status.success() && tests.len() == TESTS.len(),
            "with every revert in it, it must build"
        );
        TESTS.iter().map(|(test, filter)| (tests[*test].clone(), *filter)).collect()
    }

    /// Copies what is new or has changed, and nothing else: what stays is not built again.
    fn refresh(&self, part: &Path, changed: &BTreeMap<PathBuf, String>) {
        let (from, to) = (root().join(part), self.root.join(part));
        let entries = |folder: &Path| -> Vec<PathBuf> {
            let entries = std::fs::read_dir(folder).expect("a folder");
            entries.map(|it| part.join(it.expect("an entry").file_name())).collect()
        };
        if from.is_dir() {
            std::fs::create_dir_all(&to).expect("a folder of the copy");
            for gone in
                entries(&to).iter().filter(|it| !root().join(it).exists()).map(|it| self.root.join(it))
            {
                let removed =
                    if gone.is_dir() { std::fs::remove_dir_all(&gone) } else { std::fs::remove_file(&gone) };
                removed.expect("what is gone can be removed");
            }
            entries(&from).iter().for_each(|entry| self.refresh(entry, changed));
            return;
        }
        let bytes = match changed.get(part) {
            Some(text) => text.clone().into_bytes(),
            None => std::fs::read(&from).expect("a file"),
        };
        if std::fs::read(&to).ok().as_ref() != Some(&bytes) {
            std::fs::write(to, bytes).expect("the copy can be written");
        }
    }

    /// How long a test file may take; without a revert all of them pass.
    fn limit(&self, tests: &[TestFile]) -> Duration {
        let began = Instant::now();
        for test in tests {
            let red = self.run(test, None, Duration::from_secs(600));
            assert!(red.is_empty(), "red without any revert: {:?}", red.keys());
        }
        (began.elapsed() * PATIENCE).max(Duration::from_secs(60))
    }

    /// Everything in a test file that does not say that it passed. What never ends is tried alone: it may have kept others
    /// from their turn.
    fn run(&self, (test, filter): &TestFile, revert: Option<usize>, limit: Duration) -> Red {
        let (names, _) = self.output(test, &["--list", filter], None, limit);
        let names: Vec<&str> = names.lines().filter_map(|it| it.strip_suffix(": test")).collect();
        let (said, ended) = self.output(test, &["--test-threads", "2", filter], revert, limit);
        let passed = |said: &str, name: &str| said.contains(&format!("test {name} ... ok"));
        let mut red: Red = names
            .iter()
            .filter(|name| !passed(&said, name))
            .map(|name| ((*name).to_owned(), about(&said, name)))
            .collect();
        if !ended {
            let is_green = |name: &str| {
                let (said, _) = self.output(test, &["--exact", name], revert, limit);
                passed(&said, name)
            };
            red.retain(|name, _| said.contains(&format!("test {name} ... FAILED")) || !is_green(name));
        }
        red
    }

    /// What it says, and whether it came to its end.
    fn output(
        &self,
        test: &Path,
        arguments: &[&str],
        revert: Option<usize>,
        limit: Duration,
    ) -> (String, bool) {
        let mut command = Command::new(test);
        command.current_dir(self.root.join("crates/punto-table")).args(arguments);
        // A trace of every panic would take longer than the tests.
        command.env("RUST_BACKTRACE", "0").env("PUNTO_REVERT", revert.unwrap_or(0).to_string());
        let mut running = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("a test runs");
        let (mut out, (done, wait)) = (running.stdout.take().expect("piped"), channel());
        let reader = std::thread::spawn(move || {
            let mut said = Vec::new();
            let _ = std::io::Read::read_to_end(&mut out, &mut said);
            let _ = done.send(());
            String::from_utf8_lossy(&said).into_owned()
        });
        let ended = wait.recv_timeout(limit).is_ok();
        if !ended {
            running.kill().expect("it can be ended");
        }
        running.wait().expect("it has ended");
        (reader.join().expect("what it said"), ended)
    }
}

/// What both libraries of the copy end with.
const CHOSEN: &str = "
/// Whether this revert is the one that is tried.
pub(crate) fn reverted(no: u16) -> bool {
    static CHOSEN: std::sync::OnceLock<u16> = std::sync::OnceLock::new();
    let chosen = || std::env::var(\"PUNTO_REVERT\").ok().and_then(|it| it.parse().ok()).unwrap_or(0);
    *CHOSEN.get_or_init(chosen) == no
}
";

/// A file in which each function with reverts has a body for each of them, beside its own.
fn with_reverts(text: &str, reverts: &[(usize, &Revert)]) -> String {
    let mut bodies: BTreeMap<(usize, usize), Vec<(usize, &Revert)>> = BTreeMap::new();
    for (no, revert) in reverts {
        let at = text
            .find(&revert.old)
            .unwrap_or_else(|| panic!("{}: no `old` of `{}`", revert.file, revert.tells));
        let body = body_around(text, at, at + revert.old.trim_end().len());
        let body = body.unwrap_or_else(|| panic!("{}: `{}` is in no function", revert.file, revert.tells));
        bodies.entry(body).or_default().push((*no, *revert));
    }
    let mut changed = text.to_owned();
    for ((begin, end), reverts) in bodies.into_iter().rev() {
        let body = &text[begin..end];
        let mut chosen = String::from("\n");
        for (no, revert) in reverts {
            let reverted = body.replacen(&revert.old, &revert.new, 1);
            write!(chosen, "if crate::reverted({no}) {{{reverted}}} else ").expect("text");
        }
        writeln!(chosen, "{{{body}}}").expect("text");
        changed.replace_range(begin..end, &chosen);
        // What is chosen at run time is nothing to be computed at compile time.
        let head = changed[..begin].rfind("fn ").expect("the head of a function");
        let line = changed[..head].rfind('\n').map_or(0, |it| it + 1);
        let plain = changed[line..head].replace("const ", "");
        changed.replace_range(line..head, &plain);
    }
    changed
}

/// What stands between the braces of the function around this place. Formatted code ends an item at the first closing brace
/// that is indented as its head is.
fn body_around(text: &str, begin: usize, end: usize) -> Option<(usize, usize)> {
    let mut at = 0;
    let mut found = None;
    let lines: Vec<(usize, &str)> = text
        .split_inclusive('\n')
        .map(|line| {
            at += line.len();
            (at - line.len(), line.trim_end())
        })
        .collect();
    for (no, (start, line)) in lines.iter().enumerate().take_while(|(_, (start, _))| *start < begin) {
        let code = line.trim_start();
        let head = code.split("fn ").next().is_some_and(|before| {
            before.len() < code.len()
                && before.split_whitespace().all(|it| it.starts_with("pub") || it == "const")
        });
        if !head {
            continue;
        }
        let indent = &line[..line.len() - code.len()];
        let is_close = |it: &&(usize, &str)| it.1.strip_prefix(indent) == Some("}");
        let opens = |it: &&(usize, &str)| {
            it.1.ends_with('{') && !it.1[indent.len().min(it.1.len())..].starts_with(' ')
        };
        let open = lines[no..].iter().find(opens)?;
        let close = lines[no..].iter().find(is_close)?;
        if open.0 + open.1.len() <= begin && end <= close.0 && *start <= begin {
            found = Some((open.0 + open.1.len(), close.0));
        }
    }
    found
}

/// What a failing test said.
fn about(said: &str, name: &str) -> String {
    let begin = format!("---- {name} stdout ----");
    let after = said.split(&begin).nth(1).unwrap_or_default();
    after.split("\n---- ").next().unwrap_or_default().to_owned()
}

/// The red tests of a game, each with its name as one finds it in the sources.
fn of_game(red: &Red, game: &str) -> Vec<String> {
    let suffix = format!("::{}", game.replace('-', "_"));
    let mut scripts = Vec::new();
    let mut tests = Vec::new();
    for (name, said) in red.iter().filter_map(|(name, said)| Some((name.strip_suffix(&suffix)?, said))) {
        let name = name.rsplit("::").next().expect("a name").to_owned();
        let begin = format!("{game}/");
        let told = said.lines().filter_map(|line| line.trim().strip_prefix(&begin));
        let told = told.filter_map(|line| Some(line.split_once(".txt")?.0.to_owned() + ".txt"));
        scripts.extend(told.filter(|_| name == SCRIPTS));
        if name != SCRIPTS || scripts.is_empty() {
            tests.push(name);
        }
    }
    scripts.sort();
    scripts.dedup();
    tests.extend(scripts);
    tests
}

fn cell(red: &[String]) -> String {
    match red {
        [] => "green".to_owned(),
        [one] => format!("`{one}`"),
        [one, more @ ..] => format!("`{one}` +{}", more.len()),
    }
}

fn page(reverts: &[Revert], rows: &BTreeMap<String, String>) -> String {
    let before = std::fs::read_to_string(root().join(PAGE)).unwrap_or_default();
    let mut page = format!(
        "# Reverts\n\n\
         Generated by `make reverts`; the list is [reverts.toml](../crates/punto-table/tests/data/reverts.toml).\n\n\
         Each interpretation from 31 on mended something that release 0.1.0 did otherwise. Here each mend is taken back,\n\
         place by place, and in every game in which it can arise a test goes red: a test of `crates/punto-table/tests`, or a\n\
         [script](scenarios) of that game where the name ends in `.txt`. `+n`: as many more went red in\n\
         the files that were run, which is until every game is red. A dash: it cannot arise there, the list says why.\n\n\
         | reading | what comes back | {} |\n|--:|---|---|---|---|---|\n",
        GAMES.join(" | ")
    );
    for revert in reverts {
        let begin = revert.row();
        let kept = before.lines().find_map(|line| line.strip_prefix(&begin)?.trim().strip_suffix(" |"));
        let cells = rows.get(&begin).map(String::as_str).or(kept).unwrap_or("? | ? | ? | ?");
        writeln!(page, "{begin} {cells} |").expect("text");
    }
    page
}
