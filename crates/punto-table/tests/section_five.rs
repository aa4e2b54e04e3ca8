//! Every datum of section 5 is changed, one at a time, and a table must notice.
//!
//! A mutant is caught if the reader refuses it, or if a script under `docs/scenarios` that names a paragraph of the
//! datum's own citation goes differently. What means the same at every table is listed in `equivalent.rs` with its
//! reason. What is left survives, and fails the test. `--nocapture` shows the fate of each.

#[path = "section_five/clause.rs"]
mod clause;
#[path = "section_five/equivalent.rs"]
mod equivalent;
#[path = "section_five/fate.rs"]
mod fate;
#[path = "section_five/mutant.rs"]
mod mutant;
mod scripts;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::OnceLock;

use equivalent::EQUIVALENT;
use fate::{Fate, Went, fate, went};
use mutant::mutants;
use scripts::{Scenario, approved, scenarios};

fn all() -> &'static [Scenario] {
    static ALL: OnceLock<Vec<Scenario>> = OnceLock::new();
    ALL.get_or_init(scenarios)
}

/// The game's scripts that go as told, and those that do not: they would catch every mutant and show nothing.
fn sound(game: &str) -> (Vec<&'static Scenario>, Vec<&'static Scenario>) {
    let book = approved(game).expect("a rule book");
    all().iter().filter(|it| it.game == game).partition(|it| went(it, game, &book) == Went::AsTold)
}

fn hunt(game: &str) {
    let (sound, unsound) = sound(game);
    let mutants = mutants(&approved(game).expect("a rule book"));
    let (mut refused, mut red, mut equivalent) = (0, 0, 0);
    let (mut wrong, mut survivors, mut list) = (Vec::new(), 0, String::new());
    for mutant in &mutants {
        let what = format!("{game}: {mutant}");
        let listed = EQUIVALENT.iter().find(|it| it.covers(mutant));
        let told = match fate(mutant, game, &sound) {
            Fate::Refused => {
                refused += 1;
                "refused".into()
            }
            Fate::Red { script, panicked } => {
                red += 1;
                if panicked {
                    wrong.push(format!("{what}: the table cannot carry it out, see {script}"));
                }
                if listed.is_some() {
                    wrong.push(format!("{what}: listed as equivalent, but {script} tells"));
                }
                format!("red: {script}")
            }
            Fate::Same { scripts } => match listed {
                Some(rule) => {
                    equivalent += 1;
                    format!("equivalent: {}", rule.why)
                }
                None => {
                    survivors += 1;
                    wrong.push(format!("{what}: nothing noticed in {scripts} scripts"));
                    "SURVIVED".into()
                }
            },
        };
        writeln!(list, "{what}: {told}").expect("text");
    }
    wrong.extend(unsound.iter().map(|it| format!("{}: not as told to begin with", it.name)));
    println!(
        "{list}{game}: {} mutants: refused {refused}; red {red}; equivalent {equivalent}; survived {survivors}",
        mutants.len()
    );
    assert!(wrong.is_empty(), "{game}\n{}", wrong.join("\n"));
}

/// What is listed as equivalent is needed: in some game the reader lets it through and no script tells.
#[test]
fn no_equivalent_is_idle() {
    let games = ["wu-song", "ncb-etg", "rws-baccarat", "da-hu-ying-xiong"];
    let mut seen: BTreeSet<(usize, String, String)> = BTreeSet::new();
    for game in games {
        let (sound, _) = sound(game);
        for mutant in mutants(&approved(game).expect("a rule book")) {
            if let Some(no) = EQUIVALENT.iter().position(|it| it.covers(&mutant))
                && matches!(fate(&mutant, game, &sound), Fate::Same { .. })
            {
                seen.insert((no, mutant.clause, mutant.key));
            }
        }
    }
    for (no, rule) in EQUIVALENT.iter().enumerate() {
        for (kind, key) in rule.kinds.iter().flat_map(|kind| rule.keys.iter().map(move |key| (kind, key))) {
            let needed = seen.contains(&(no, kind.to_string(), key.to_string()));
            assert!(needed, "{kind}, {key}: {}: nothing to excuse", rule.why);
        }
    }
}

#[test]
fn wu_song() {
    hunt("wu-song");
}

#[test]
fn ncb_etg() {
    hunt("ncb-etg");
}

#[test]
fn rws_baccarat() {
    hunt("rws-baccarat");
}

#[test]
fn da_hu_ying_xiong() {
    hunt("da-hu-ying-xiong");
}
