//! Where the scripts are.

#![allow(dead_code)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use punto_rules::Rulebook;
use punto_rules::rulebook::APPROVED;
use punto_table::script::Script;

pub(crate) struct Scenario {
    /// The folder: the game.
    pub(crate) game: String,
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    pub(crate) script: Script,
}

/// All scripts under `docs/scenarios`, in the order of their names.
pub(crate) fn scenarios() -> Vec<Scenario> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scenarios");
    let mut scenarios = Vec::new();
    for folder in entries(&root).into_iter().filter(|it| it.is_dir()) {
        let game = folder.file_name().expect("a name").to_string_lossy().into_owned();
        for path in entries(&folder) {
            let text = std::fs::read_to_string(&path).expect("a script");
            let name = format!("{game}/{}", path.file_name().expect("a name").to_string_lossy());
            let script = Script::parse(&text).unwrap_or_else(|fault| panic!("{name}: {fault}"));
            scenarios.push(Scenario { game: game.clone(), name, path, text, script });
        }
    }
    assert!(!scenarios.is_empty(), "there are scenarios");
    scenarios
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let read = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = read.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

/// The approved text of a game's rule book.
pub(crate) fn approved(game: &str) -> Option<Arc<str>> {
    static BOOKS: OnceLock<BTreeMap<String, Arc<str>>> = OnceLock::new();
    let game_of = |text: &str| Rulebook::parse(text).expect("approved rule books have no fault").game;
    let books =
        BOOKS.get_or_init(|| APPROVED.iter().map(|(_, text)| (game_of(text), (*text).into())).collect());
    books.get(game).cloned()
}
