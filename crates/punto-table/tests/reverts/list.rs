//! The list of reverts: what takes the mend of a reading back, and the games in which a test must go red then.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// The games, as rule books call them.
pub(crate) const GAMES: [&str; 4] = ["wu-song", "rws-baccarat", "da-hu-ying-xiong", "ncb-etg"];
/// The readings that came after the first release.
pub(crate) const READINGS: RangeInclusive<u8> = 31..=51;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct List {
    #[serde(rename = "revert")]
    pub(crate) reverts: Vec<Revert>,
    pub(crate) elsewhere: Vec<Elsewhere>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Revert {
    pub(crate) reading: u8,
    pub(crate) file: String,
    /// What comes back.
    pub(crate) tells: String,
    games: Option<Vec<String>>,
    /// Why it cannot arise in the other games.
    pub(crate) only: Option<String>,
    pub(crate) old: String,
    pub(crate) new: String,
}

impl Revert {
    /// The games in which it can arise.
    pub(crate) fn games(&self) -> Vec<&str> {
        match &self.games {
            Some(games) => games.iter().map(String::as_str).collect(),
            None => GAMES.to_vec(),
        }
    }

    /// How its row of docs/reverts.md begins.
    pub(crate) fn row(&self) -> String {
        format!("| {} | {} |", self.reading, self.tells)
    }
}

/// A place that the tests of the table do not reach, and the test of another crate that covers it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Elsewhere {
    pub(crate) reading: u8,
    pub(crate) file: String,
    /// The file of the test and its name; none where there is no test yet.
    pub(crate) test: Option<String>,
}

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub(crate) fn read(file: &str) -> String {
    let path = root().join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub(crate) fn list() -> List {
    let text = read("crates/punto-table/tests/data/reverts.toml");
    toml::from_str(&text).unwrap_or_else(|error| panic!("reverts.toml: {error}"))
}
