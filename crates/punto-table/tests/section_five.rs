//! Every datum of section 5 is changed, one at a time, and a table must notice.
//!
//! A mutant is caught if the reader refuses it, or if a script under `docs/scenarios` that names a paragraph of the
//! datum's own citation goes differently. What is left survives, and fails the test. There are no equivalent mutants: a
//! datum that no table looks at is refused by the reader. `--nocapture` shows the fate of each.

#[path = "section_five/clause.rs"]
mod clause;
#[path = "section_five/fate.rs"]
mod fate;
#[path = "section_five/mutant.rs"]
mod mutant;
mod scripts;

use std::fmt::Write;
use std::sync::OnceLock;

use fate::{Fate, Story, fate};
use mutant::mutants;
use scripts::{Scenario, approved, scenarios};

/// The scripts of a game.
fn stories(game: &str) -> Vec<Story> {
    static ALL: OnceLock<Vec<Scenario>> = OnceLock::new();
    let book = approved(game).expect("a rule book");
    let own = ALL.get_or_init(scenarios).iter().filter(|it| it.game == game);
    own.map(|it| Story::new(it, &book)).collect()
}

fn hunt(game: &str) {
    let stories = stories(game);
    let mutants = mutants(&approved(game).expect("a rule book"));
    let (mut refused, mut red, mut survivors) = (0, 0, 0);
    let (mut wrong, mut list) = (Vec::new(), String::new());
    for mutant in &mutants {
        let what = format!("{game}: {mutant}");
        let told = match fate(mutant, &stories) {
            Fate::Refused => {
                refused += 1;
                "refused".into()
            }
            Fate::Red { script, panicked } => {
                red += 1;
                if panicked {
                    wrong.push(format!("{what}: the table cannot carry it out, see {script}"));
                }
                format!("red: {script}")
            }
            Fate::Same { scripts } => {
                survivors += 1;
                wrong.push(format!("{what}: nothing noticed in {scripts} scripts"));
                "SURVIVED".into()
            }
        };
        writeln!(list, "{what}: {told}").expect("text");
    }
    println!("{list}{game}: {} mutants: refused {refused}; red {red}; survived {survivors}", mutants.len());
    assert!(wrong.is_empty(), "{game}\n{}", wrong.join("\n"));
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
