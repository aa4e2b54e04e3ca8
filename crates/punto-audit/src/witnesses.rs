//! What the record says about witnesses: the auditor's own reading of the deeds.

use std::collections::BTreeMap;

use punto_record::{Contest, Deed, HouseEntry, Person, WitnessName};

use crate::finding::{FindingKind, Findings};

/// Witnesses as the deeds name them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Witnesses {
    /// By name; whether it is in use.
    named: BTreeMap<WitnessName, bool>,
    /// Those that keep another history, as far as nobody declared the loss.
    contested: BTreeMap<WitnessName, Contest>,
    losses: Vec<String>,
    /// Starts for which nobody could be asked.
    unwitnessed: u64,
    /// Witnesses that were taken out of use.
    removed: Vec<String>,
}

impl Witnesses {
    pub(crate) fn deed(&mut self, entry: &HouseEntry, out: &mut Findings) {
        let by = entry.by.person().map_or("nobody", Person::as_str);
        if let Deed::WitnessChanged { witness, in_use, second, .. } = &entry.deed {
            out.hold(
                !self.contested.contains_key(witness),
                FindingKind::OutOfTurn,
                "a witness was changed that keeps another history, and no loss was declared",
            );
            if self.named.insert(witness.clone(), *in_use) == Some(true) && !in_use {
                self.removed.push(format!("witness {witness} was taken out of use by {by} and {second}"));
            }
        } else if let Deed::WitnessConfirmed { witness, .. } = &entry.deed {
            self.is_in_use(witness, out);
            self.contested.remove(witness);
        } else if let Deed::VerificationFailed { contest: Some(contest), .. } = &entry.deed {
            self.is_in_use(&contest.witness, out);
            self.contested.insert(contest.witness.clone(), contest.clone());
        } else if let Deed::OpenedUnwitnessed { .. } = &entry.deed {
            self.unwitnessed += 1;
        } else if let Deed::LossDeclared { witness, from, to, root, second, reason } = &entry.deed {
            let was = self.contested.remove(witness);
            out.hold(
                was.is_some_and(|it| (it.from, it.to, it.root) == (*from, *to, *root)),
                FindingKind::OutOfTurn,
                "a loss was declared that no witness had told of",
            );
            let words = format!(
                "entries {} to {to} that witness {witness} signed for were declared lost by {by} and {second}: {reason}",
                from.saturating_add(1)
            );
            self.losses.push(words);
        }
    }

    fn is_in_use(&self, witness: &WitnessName, out: &mut Findings) {
        let is = self.named.get(witness).copied().unwrap_or(false);
        out.hold(is, FindingKind::OutOfTurn, "there is no such witness in use");
    }

    /// What cannot be known of this history, in words.
    pub(crate) fn unknown(&self, told: &mut Vec<String>) {
        if self.named.is_empty() {
            told.push(
                "no witness was ever named: nothing compares this history with what was signed before"
                    .to_owned(),
            );
        } else if !self.named.values().any(|in_use| *in_use) {
            told.push(
                "no witness is in use any more: nothing compares this history with what was signed before"
                    .to_owned(),
            );
        }
        for witness in self.contested.keys() {
            told.push(format!(
                "witness {witness} keeps another history than this one, and nobody declared a loss"
            ));
        }
        told.extend(self.losses.iter().cloned());
        told.extend(self.removed.iter().cloned());
        if self.unwitnessed > 0 {
            let starts = self.unwitnessed;
            told.push(format!("the house was opened {starts} times although no witness could be reached"));
        }
    }
}
