//! Finds a rule book: an approved game by its name, or a file by its path.

use std::path::Path;

use anyhow::Context;
use punto_rules::Rulebook;
use punto_rules::rulebook::APPROVED;

use crate::answer::Problem;

/// The largest rule-book file that is read; the approved ones have 20 kB.
const MOST_BYTES: u64 = 4 << 20;

/// A rule book with the text it was read from.
pub(crate) struct Loaded {
    pub(crate) rulebook: Rulebook,
    pub(crate) text: String,
}

/// The approved rule books, in their order.
pub(crate) fn approved() -> Vec<Loaded> {
    let rulebook = |text: &str| Rulebook::parse(text).expect("approved rule books have no fault");
    APPROVED.iter().map(|(_, text)| Loaded { rulebook: rulebook(text), text: (*text).to_string() }).collect()
}

/// The rule book that a GAME argument names.
pub(crate) fn load(game: &str) -> anyhow::Result<Loaded> {
    if let Some(loaded) = approved().into_iter().find(|loaded| loaded.rulebook.game == game) {
        return Ok(loaded);
    }
    let looks_like_path = game.ends_with(".toml") || game.contains(['/', '\\']);
    if !looks_like_path && !Path::new(game).is_file() {
        let games: Vec<String> = approved().into_iter().map(|loaded| loaded.rulebook.game).collect();
        let hint = format!("games are {}; or give the path of a rule-book file", games.join(", "));
        return Err(Problem::new(format!("no game `{game}`")).hint(hint).into());
    }
    let text = read(Path::new(game))?;
    match Rulebook::parse(&text) {
        Ok(rulebook) => Ok(Loaded { rulebook, text }),
        Err(faults) => {
            let hint = format!("see them with `punto rulebook check {game}`");
            Err(Problem::new(format!("{game}: {faults}")).hint(hint).into())
        }
    }
}

/// The text of a rule-book file.
pub(crate) fn read(path: &Path) -> anyhow::Result<String> {
    let cannot = || format!("cannot read {}", path.display());
    let size = std::fs::metadata(path).with_context(cannot)?.len();
    if size > MOST_BYTES {
        let message = format!("{} has {size} bytes; a rule book has at most {MOST_BYTES}", path.display());
        return Err(Problem::new(message).into());
    }
    std::fs::read_to_string(path).with_context(cannot)
}

/// `Wu Song (Non-Commission Baccarat), version 3`.
pub(crate) fn full_title(rulebook: &Rulebook) -> String {
    let version = rulebook.version.map(|version| format!(", version {version}")).unwrap_or_default();
    format!("{}{version}", rulebook.title.en)
}
