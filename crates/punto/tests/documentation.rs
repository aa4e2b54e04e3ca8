//! What the documentation shows is what the program prints.
//!
//! A block fenced as `console` has commands behind `$ ` and their output, standard error included. A line `…` stands for
//! any number of lines. `PUNTO_UPDATE=1 cargo test -p punto --test documentation` writes the output anew.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs a line in a shell that finds `punto`, from the folder that the page says to be in.
fn shell(command: &str, folder: &Path) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_punto")).parent().expect("a folder");
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap_or_default());
    let output = Command::new("sh")
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        .current_dir(folder)
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .output()
        .expect("a shell");
    String::from_utf8(output.stdout).expect("UTF-8").trim_end().to_string()
}

/// Whether the output is as shown, `…` standing for any number of lines.
fn matches(shown: &[&str], output: &[&str]) -> bool {
    match shown {
        [] => output.is_empty(),
        ["…", rest @ ..] => (0..=output.len()).any(|skip| matches(rest, &output[skip..])),
        [line, rest @ ..] => output.first() == Some(line) && matches(rest, &output[1..]),
    }
}

/// The page with the output of its commands as it is now.
fn refreshed(page: &str, folder: &Path) -> (String, usize) {
    let mut fresh = String::new();
    let mut commands = 0;
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        fresh.push_str(line);
        fresh.push('\n');
        if line != "```console" {
            continue;
        }
        while let Some(line) = lines.next_if(|line| *line != "```") {
            let Some(command) = line.strip_prefix("$ ") else {
                panic!("a console block begins with a command: {line}")
            };
            let mut shown = Vec::new();
            while let Some(line) = lines.next_if(|line| *line != "```" && !line.starts_with("$ ")) {
                shown.push(line);
            }
            let output = shell(command, folder);
            let output: Vec<&str> = output.lines().map(str::trim_end).collect();
            let end = shown.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
            let as_shown = matches(&shown[..end], &output);
            fresh.push_str(&format!("$ {command}\n"));
            for line in if as_shown { &shown } else { &output } {
                fresh.push_str(line);
                fresh.push('\n');
            }
            commands += 1;
        }
    }
    (fresh, commands)
}

#[test]
fn console_blocks_show_what_the_program_prints() {
    let pages = [
        ("README.md", "."),
        ("docs/odds.md", "."),
        ("docs/roads.md", "."),
        ("docs/table.md", "."),
        ("docs/examples/harbour-baccarat.md", "docs/examples"),
    ];
    for (page, folder) in pages {
        let path = root().join(page);
        let text = fs::read_to_string(&path).expect("the page");
        let (fresh, commands) = refreshed(&text, &root().join(folder));
        assert!(commands >= 5, "{page} shows {commands} commands");
        if std::env::var_os("PUNTO_UPDATE").is_some() {
            fs::write(&path, &fresh).expect("written");
        } else {
            assert!(
                fresh == text,
                "{page} is stale; run: PUNTO_UPDATE=1 cargo test -p punto --test documentation"
            );
        }
    }
}

/// Links between our own pages lead somewhere.
#[test]
fn links_lead_somewhere() {
    let mut pages: Vec<PathBuf> =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "DESIGN.md", "CHANGELOG.md"]
            .iter()
            .map(|page| root().join(page))
            .collect();
    for folder in ["docs", "docs/examples", "docs/scenarios"] {
        let entries =
            fs::read_dir(root().join(folder)).expect("a folder").map(|entry| entry.expect("an entry").path());
        pages.extend(entries.filter(|path| path.extension().is_some_and(|ending| ending == "md")));
    }
    let mut links = 0;
    for page in pages {
        let text = fs::read_to_string(&page).expect("a page");
        for link in text.split("](").skip(1).filter_map(|after| after.split(')').next()) {
            let target = link.split('#').next().unwrap_or_default();
            if target.is_empty() || target.contains("://") {
                continue;
            }
            let path = page.parent().expect("a folder").join(target);
            assert!(path.exists(), "{}: broken link {link}", page.display());
            links += 1;
        }
    }
    assert!(links > 10, "{links} links");
}

/// Every line of the threat model names tests that there are.
#[test]
fn every_threat_names_its_tests() {
    let page = fs::read_to_string(root().join("docs/security.md")).expect("the page");
    let (_, table) = page.split_once("\n|---|---|---|---|---|\n").expect("the threat model");
    let mut lines = 0;
    for line in table.lines().take_while(|line| line.starts_with('|')) {
        let tests = line.trim_end_matches(" |").rsplit(" | ").next().expect("a cell");
        let named: Vec<&str> = tests.split('`').filter(|name| name.contains("::")).collect();
        assert!(!named.is_empty(), "no test: {line}");
        for name in named {
            let (file, test) = name.split_once("::").expect("a test");
            let source = fs::read_to_string(root().join("crates").join(file)).unwrap_or_default();
            assert!(source.contains(&format!("fn {test}(")), "there is no test {name}");
        }
        lines += 1;
    }
    assert!(lines > 30, "{lines} lines");
}
