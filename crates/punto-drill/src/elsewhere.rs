//! Witnesses elsewhere: each keeps the latest tree that it was shown, for every history by itself. One of them may go wrong and
//! keep a history that never was.

use std::collections::BTreeMap;

use punto_record::{Digest, Origin, WitnessName};

use crate::dice::Dice;

/// Where witnesses are; nobody writes there, since they are played here.
pub(crate) const PLACES: [(&str, &str); 3] = [
    ("regulator", "folder:/mnt/regulator/punto"),
    ("group", "folder:/mnt/group/punto"),
    ("notary", "folder:/mnt/notary"),
];

/// A witness.
#[derive(Debug)]
pub(crate) struct Elsewhere {
    pub(crate) name: WitnessName,
    /// Size and root of the latest tree, by history.
    pub(crate) kept: BTreeMap<Origin, (u64, Digest)>,
    /// Histories that never were, which it keeps since it went wrong.
    false_histories: Vec<Origin>,
    /// It cannot be reached until then.
    pub(crate) away_until: u64,
}

impl Elsewhere {
    /// All of them.
    pub(crate) fn all() -> Vec<Elsewhere> {
        let of = |(name, _): (&'static str, _)| Elsewhere {
            name: name.into(),
            kept: BTreeMap::new(),
            false_histories: Vec::new(),
            away_until: 0,
        };
        PLACES.map(of).into()
    }

    /// From now on it keeps another history under this name, a longer one or one that is as long.
    pub(crate) fn goes_wrong(&mut self, origin: Origin, dice: &mut Dice) {
        if let Some((size, root)) = self.kept.get_mut(&origin) {
            *size += dice.pick(&[0, 1, 1_000_000]);
            *root = Digest(dice.bytes());
            self.false_histories.push(origin);
        }
    }

    /// Whether what it keeps under this name never was.
    pub(crate) fn is_false(&self, origin: &Origin) -> bool {
        self.false_histories.contains(origin)
    }
}
