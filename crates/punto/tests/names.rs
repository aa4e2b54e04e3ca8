//! Names and texts at the door of the real binary: what is refused is refused with what is expected and nothing is written;
//! what is written opens again, is exported, proven and audited clean; and nothing in it acts on a terminal or a spreadsheet.

use std::fs;
use std::path::PathBuf;

use crate::run::{Run, punto, punto_with};
use tempfile::TempDir;

const EXPECTED: &str = "expected 1 to 40 letters (a-z, A-Z), digits and hyphens";

/// What somebody may type, paste or send in place of a name. (An argument cannot hold NUL.)
fn nasty() -> Vec<String> {
    let texts = [
        "",
        " ",
        "T 1",
        "T1 ",
        " T1",
        "T\n1",
        "T\r1",
        "T\t1",
        "T/1",
        "..",
        "../T1",
        ".",
        "T\"1",
        "T'1",
        "<script>alert(1)</script>",
        "=cmd()",
        "+1",
        "@T",
        "T_1",
        "T|1",
        "T,1",
        "T;1",
        "\u{1b}[31mT",
        "\u{9b}31mT",
        "T\u{202e}1",
        "T\u{200b}1",
        "T\u{2066}1",
        "\u{feff}T",
        "T\u{e0041}",
        "T１",
        "٣",
        "桌1",
        "é",
    ];
    texts.iter().map(|text| (*text).to_owned()).chain(["x".repeat(41), "x".repeat(10_000)]).collect()
}

/// What is a name, however it looks.
fn good() -> Vec<String> {
    ["T1", "1", "a", "-", "-T1", "--as", "table-1", "0x1", "CON", "null"]
        .iter()
        .map(|text| (*text).to_owned())
        .chain(["x".repeat(40)])
        .collect()
}

struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    /// What is in it.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("a folder");
        entries.map(|it| it.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
    }
}

/// A short table, with a word at each place that takes one.
fn script(table: &str, card_set: &str, shuffled_by: &str, reason: &str) -> String {
    let json = |text: &str| serde_json::to_string(text).expect("JSON");
    let quoted = |text: &str| format!("'{}'", json(text));
    format!(
        "# A table.\ntable wu-song A table={}\ndealer: load-shoe card_set={} shuffled_by={}\n\
         cashier: buy-credits patron=7 amount=2000\nhouse: take-seat patron=7 box=1\ndealer: open-bets\n\
         patron 7: bet banker 500 box=1\ndealer: close-bets\ndealer: draw 2s 4d 5c 4h\ndealer: confirm-result\n\
         patron 7: cash-out patron=7\nsupervisor: retire-shoe reason={}\n",
        quoted(table),
        quoted(card_set),
        quoted(shuffled_by),
        quoted(reason),
    )
}

fn plain() -> String {
    script("table-1", "blue-1", "shuffler-2", "end of the shoe")
}

fn is_quiet(run: &Run) {
    for text in [&run.stdout, &run.stderr] {
        let acts = |c: char| c != '\n' && c != '\t' && !punto_rules::text::is_visible(c);
        assert!(!text.contains(acts), "{text:?}");
    }
}

fn play(folder: &Folder, as_table: Option<&str>, script: &str) -> Run {
    let ledger = folder.file("floor.punto");
    let named = as_table.map(|table| format!("--as={table}"));
    let mut args = vec!["play", "-", "--ledger", &ledger];
    args.extend(named.as_deref());
    punto_with(&args, script)
}

/// `punto play --as` × everything that is no name: nothing is founded, nothing is written.
#[test]
fn a_table_that_could_not_be_read_back_is_never_written() {
    for name in nasty() {
        let folder = Folder::new();
        let run = play(&folder, Some(&name), &plain());
        assert_eq!(run.code, 2, "{name:?}: {}", run.page());
        assert!(run.stderr.contains(EXPECTED), "{name:?}: {}", run.page());
        is_quiet(&run);
        assert_eq!(folder.names(), Vec::<String>::new(), "{name:?}");
        // The same by the script itself: the table refuses to open.
        let run = play(&folder, None, &script(&name, "blue-1", "shuffler-2", "end"));
        assert_ne!(run.code, 0, "{name:?}: {}", run.page());
        is_quiet(&run);
        assert!(!folder.path("floor.punto").exists() || is_empty(&folder), "{name:?}");
    }
}

fn is_empty(folder: &Folder) -> bool {
    let heads = punto(&["ledger", "heads", &folder.file("floor.punto"), "--format", "json"]);
    heads.json()["heads"].as_object().expect("heads").keys().all(|volume| volume == "house")
}

/// What is a name is written, opened again, written to again, exported, proven and audited clean.
#[test]
fn a_table_that_is_written_is_read_back() {
    for name in good() {
        let folder = Folder::new();
        let ledger = folder.file("floor.punto");
        let run = play(&folder, Some(&name), &plain());
        assert_eq!(run.code, 0, "{name}: {}", run.page());
        // Opened again as its writer.
        let run = play(&folder, Some("another"), &plain());
        assert_eq!(run.code, 0, "{name}: {}", run.page());
        let well = |args: &[&str]| {
            let run = punto(args);
            assert_eq!(run.code, 0, "{name}: {args:?}: {}", run.page());
            run.stdout
        };
        let checkpoint = well(&["ledger", "checkpoint", &ledger]);
        assert!(checkpoint.contains(&format!("\nhead table/{name} ")), "{checkpoint}");
        fs::write(folder.path("kept.txt"), &checkpoint).expect("a file");
        let kept = folder.file("kept.txt");
        well(&["audit", &ledger, "--checkpoint", &kept]);
        let of_it = format!("--table={name}");
        fs::write(folder.path("floor.ndjson"), well(&["export", &ledger])).expect("a file");
        well(&["audit", &folder.file("floor.ndjson"), "--checkpoint", &kept]);
        let rows = well(&["export", &ledger, "--what", "settlements", "--format", "csv", &of_it]);
        assert_eq!(rows.lines().count(), 2, "{rows}");
        let cell = rows.lines().nth(1).and_then(|row| row.split(',').next()).expect("a cell");
        assert_eq!(cell.trim_start_matches('\''), name, "{rows}");
        let receipts = well(&["receipt", "make", &ledger, &of_it, "--round", "1", "--patron", "7"]);
        fs::write(folder.path("receipts.ndjson"), receipts).expect("a file");
        let key = checkpoint.lines().find_map(|line| line.strip_prefix("key ")).expect("a key");
        let receipts = folder.file("receipts.ndjson");
        well(&["receipt", "check", &receipts, "--checkpoint", &kept, "--key", key]);
        assert!(well(&["report", &ledger, &of_it, "--format", "html"]).contains(&name));
    }
}

/// Each place of a script × everything nasty: refused by name of the field, or written and read back.
#[test]
fn each_word_of_a_script_is_refused_or_read_back() {
    for text in nasty().into_iter().chain(["T\u{0}1".to_owned()]) {
        let scripts = [
            ("card_set", script("table-1", &text, "shuffler-2", "end")),
            ("shuffled_by", script("table-1", "blue-1", &text, "end")),
            ("reason", script("table-1", "blue-1", "shuffler-2", &text)),
        ];
        for (field, script) in scripts {
            let folder = Folder::new();
            let run = play(&folder, None, &script);
            is_quiet(&run);
            let told =
                |line: &str| line.contains("! unfit-text ") && line.ends_with(&format!("field={field}"));
            let is_refused = run.stdout.lines().any(told)
                || run.stdout.contains("! no-reason")
                || run.stderr.contains("line ");
            assert_eq!(is_refused, run.code != 0, "{field} {text:?}: {}", run.page());
            if field == "shuffled_by" {
                assert!(is_refused, "{text:?}: {}", run.page());
            }
            // Between quotes even a space and a dot are told from the rest.
            if folder.path("floor.punto").exists() && !text.is_empty() {
                let ledger = folder.file("floor.punto");
                let audit = punto(&["audit", &ledger]);
                assert_eq!(audit.code, 0, "{field} {text:?}: {}", audit.page());
                let export = punto(&["export", &ledger, "--what", "events"]);
                assert_eq!(export.code, 0, "{field} {text:?}: {}", export.page());
                let json =
                    serde_json::to_string(&text).expect("JSON").replace('\\', "\\\\").replace('"', "\\\"");
                assert_eq!(export.stdout.contains(&json), !is_refused, "{field} {text:?}");
            }
        }
    }
}

/// Verbs that look a table up say what a name is; an earlier release may have written more than that.
#[test]
fn a_table_that_is_looked_up_is_named() {
    let folder = Folder::new();
    assert_eq!(play(&folder, Some("T1"), &plain()).code, 0);
    let ledger = folder.file("floor.punto");
    for name in ["", "T 1", "T\n1", "\u{1b}[31mT", "T\u{202e}1"] {
        let of_it = format!("--table={name}");
        for args in [
            vec!["export", &ledger, "--what", "rounds", &of_it],
            vec!["report", &ledger, &of_it],
            vec!["receipt", "make", &ledger, &of_it, "--entry", "1"],
        ] {
            let run = punto(&args);
            assert_eq!(run.code, 2, "{args:?}: {}", run.page());
            assert!(run.stderr.contains(EXPECTED), "{}", run.page());
            is_quiet(&run);
        }
    }
    for person in ["", "a b", "a\u{202e}"] {
        let by = format!("--by={person}");
        let archive = folder.file("old.ndjson");
        let run = punto(&["ledger", "archive", &ledger, &archive, "--before", "2030-01-01T00:00:00Z", &by]);
        assert_eq!(run.code, 2, "{}", run.page());
        assert!(run.stderr.contains(EXPECTED), "{}", run.page());
    }
}

/// Cells that a spreadsheet would run are text; numbers stay numbers.
#[test]
fn a_spreadsheet_runs_nothing() {
    for slip in ["=cmd()", "+1+cmd()", "-1+cmd()", "@SUM(1)", "＝1", " =1+1", "-cmd"] {
        let folder = Folder::new();
        let script = format!(
            "table wu-song A money=chips\nsupervisor: open-float amount=100000\nsupervisor: fill amount=5000 slip='{}'\n",
            serde_json::to_string(slip).expect("JSON")
        );
        let run = play(&folder, None, &script);
        assert_eq!(run.code, 0, "{}", run.page());
        let rows = punto(&["export", &folder.file("floor.punto"), "--what", "floats", "--format", "csv"]);
        assert!(rows.stdout.contains(&format!(",'{slip},")), "{}", rows.page());
        for cell in rows.stdout.lines().flat_map(|line| line.split(',')) {
            let begins = cell.trim_start_matches(['"', ' ']).starts_with(['=', '+', '-', '@', '＝']);
            assert!(!begins || cell.parse::<i64>().is_ok(), "{cell} in {}", rows.page());
        }
        // The record itself says what was said.
        let record = punto(&["export", &folder.file("floor.punto")]);
        assert!(record.stdout.contains(slip), "{}", record.page());
    }
    // A loss of the House is a number.
    let folder = Folder::new();
    assert_eq!(play(&folder, None, &plain()).code, 0);
    let rows = punto(&["export", &folder.file("floor.punto"), "--what", "rounds", "--format", "csv"]);
    assert!(rows.stdout.contains(",-500,"), "{}", rows.page());
}

/// A ledger of release 0.1.0 with such a table: it says so, and what to do.
#[test]
fn a_ledger_that_cannot_be_opened_names_the_way_out() {
    let folder = Folder::new();
    assert_eq!(play(&folder, Some("T-1"), &plain()).code, 0);
    let ledger = folder.path("floor.punto");
    let store = rusqlite::Connection::open(&ledger).expect("a store");
    let kept: String = store
        .query_row("SELECT sql FROM sqlite_master WHERE name = 'volume_never_changes'", [], |row| row.get(0))
        .expect("a trigger");
    let renamed = "UPDATE volume SET name = 'table/T ' || char(27) || '[31m1' WHERE name = 'table/T-1'";
    store.execute_batch(&format!("DROP TRIGGER volume_never_changes; {renamed}; {kept}")).expect("renamed");
    drop(store);
    let ledger = ledger.display().to_string();
    for args in [vec!["audit", &ledger], vec!["export", &ledger], vec!["ledger", "heads", &ledger]] {
        let run = punto(&args);
        assert_ne!(run.code, 0, "{}", run.page());
        let said = format!("{}{}", run.stdout, run.stderr).replace('\n', " ");
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains("play the script again into a new ledger"), "{args:?}: {}", run.page());
        assert!(said.contains("T \\u001b[31m1"), "{}", run.page());
        is_quiet(&run);
    }
}

/// What the first release let in is shown on one line that does nothing, in every format for people.
#[test]
fn what_was_let_in_before_acts_on_nothing() {
    let folder = Folder::new();
    let text = "\u{1b}[31m\u{202e}red\u{200b}";
    let run = punto_with(&["play", "-"], &script("table-1", text, "shuffler-2", "end"));
    is_quiet(&run);
    assert!(run.stdout.contains("\\u001b[31m\\u202ered\\u200b"), "{}", run.page());
    let json = punto_with(&["play", "-", "--format", "json"], &script("table-1", text, "shuffler-2", "end"));
    is_quiet(&json);
    assert!(json.lines().iter().any(|line| line["order"]["command"]["card_set"] == text), "{}", json.page());
    // A round to settle, a game, a file: whatever is repeated in an error.
    for run in [
        punto_with(&["settle"], &format!("{{\"game\": \"{}\"}}\n", "\u{202e}x")),
        punto(&["games", "\u{1b}[31m"]),
        punto(&["odds", "\u{1b}[31m"]),
        punto(&["audit", &folder.file("\u{1b}[31m")]),
        punto(&["\u{1b}[31m"]),
    ] {
        assert_ne!(run.code, 0);
        is_quiet(&run);
    }
}
