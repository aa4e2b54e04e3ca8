//! The table scripts under `docs/scenarios`: each is played, and what happens is what it says.
//!
//! `PUNTO_UPDATE=1` writes what happens into the scripts; read it before you keep it.

#[macro_use]
mod games;
mod scripts;

use punto_table::script::{Outcome, play};
use punto_table::{Books, State};
use scripts::{Scenario, approved, scenarios};

fn of(game: &str) -> impl Iterator<Item = Scenario> {
    scenarios().into_iter().filter(move |it| it.game == game)
}

fn scenarios_happen_as_they_are_told(game: &str) {
    let update = std::env::var_os("PUNTO_UPDATE").is_some();
    let mut wrong = Vec::new();
    for scenario in of(game) {
        let played =
            play(&scenario.script, approved).unwrap_or_else(|fault| panic!("{}: {fault}", scenario.name));
        if update {
            std::fs::write(&scenario.path, played.rewritten(&scenario.text))
                .expect("a script can be written");
            continue;
        }
        for step in &played.steps {
            let told = !step.line.expected.is_empty() || step.happened.is_empty();
            if !told || !step.is_as_expected() {
                wrong.push(format!(
                    "{} line {}: {}\n    expected {:#?}\n    happened {:#?}",
                    scenario.name, step.line.no, step.line.text, step.line.expected, step.happened
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn every_scenario_has_a_title_and_says_what_it_proves(game: &str) {
    for scenario in of(game) {
        assert!(!scenario.script.title.is_empty(), "{}: a title in the first line", scenario.name);
        assert!(!scenario.script.proves.is_empty(), "{}: `proves …`", scenario.name);
    }
}

/// A scenario proves a paragraph if its run shows it: by an event or a refusal that cites it, or by an assertion of the
/// script. Saying so is not enough.
fn a_scenario_shows_what_it_proves(game: &str) {
    let mut wrong = Vec::new();
    for scenario in of(game) {
        let played = play(&scenario.script, approved).expect("a script");
        for (line, shows) in played.not_shown() {
            let (no, paragraph) = (shows.no, &shows.paragraph);
            wrong.push(format!("{} line {no}: `{}` does not show {paragraph}", scenario.name, line.text));
        }
        let (cited, asserted) = (played.cited(), played.asserted());
        for paragraph in &scenario.script.proves {
            if !cited.contains(paragraph) && !asserted.contains(paragraph) {
                wrong.push(format!("{}: nothing shows {paragraph}", scenario.name));
            }
        }
        for paragraph in asserted.iter().filter(|it| !scenario.script.proves.contains(it)) {
            wrong.push(format!("{}: shows {paragraph} and does not say so above", scenario.name));
        }
    }
    assert!(wrong.is_empty(), "{} of\n{}", wrong.len(), wrong.join("\n"));
}

/// After every event of every scenario the books balance, and replaying the record gives the same state.
fn money_is_conserved_and_replay_equals_play(game: &str) {
    for scenario in of(game) {
        let played = play(&scenario.script, approved).expect("a script");
        let mut replayed = State::default();
        for entry in &played.entries {
            let mut step = replayed.clone();
            for event in &entry.events {
                step.apply(event);
                assert!(Books::is_balanced(&step), "{}: after {event:?}", scenario.name);
            }
            replayed.enter(entry);
        }
        assert_eq!(&replayed, played.table.state(), "{}", scenario.name);
        assert_eq!(replayed.hash(), played.table.state().hash());
    }
}

/// The record of every scenario survives JSON.
fn entries_survive_json(game: &str) {
    for scenario in of(game) {
        let played = play(&scenario.script, approved).expect("a script");
        for entry in &played.entries {
            let text = serde_json::to_string(entry).expect("JSON");
            assert_eq!(&serde_json::from_str::<punto_record::Entry>(&text).expect("an entry"), entry);
        }
        for (_, outcome) in played.steps.iter().flat_map(|step| &step.orders) {
            if let Outcome::Refused(rejection) = outcome {
                let text = serde_json::to_string(rejection).expect("JSON");
                assert_eq!(&serde_json::from_str::<punto_record::Rejection>(&text).expect("one"), rejection);
            }
        }
    }
}

every_game!(
    scenarios_happen_as_they_are_told,
    every_scenario_has_a_title_and_says_what_it_proves,
    a_scenario_shows_what_it_proves,
    money_is_conserved_and_replay_equals_play,
    entries_survive_json
);
