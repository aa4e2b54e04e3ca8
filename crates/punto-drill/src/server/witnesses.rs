//! Witnesses are shown the latest checkpoint, and what they say is written down as a server does it.

use punto_audit::is_consistent;
use punto_ledger::Error;
use punto_record::{Contest, Deed, Note, Origin, Seq, Witness, WitnessName};

use super::Server;
use crate::elsewhere::Elsewhere;

/// What a witness said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// It has this ledger's tree now; whether it had confirmed this history before the start.
    Confirmed { vouches: bool },
    /// It keeps another history.
    Contested(Contest),
    /// Nothing that counts.
    Unreachable,
}

/// Witnesses since the start.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    /// By which name, deed and history they have confirmed something.
    confirmed: Vec<(WitnessName, Seq, Origin)>,
    /// Whether all were asked.
    pub(crate) all: bool,
}

impl Server {
    /// Asks every witness that is in use. What each of them said, beside the history that it was asked about.
    pub(crate) fn ask_witnesses(
        &mut self,
        elsewhere: &mut [Elsewhere],
        now: u64,
    ) -> Result<Vec<(WitnessName, Origin, Answer)>, Error> {
        let (ledger, vault) = (self.vault().ledger(), self.vault());
        let in_use: Vec<Witness> = vault.witnesses().in_use().cloned().collect();
        let mut said = Vec::new();
        let mut is_answered = in_use.is_empty();
        for witness in &in_use {
            let origin = witness.origin(ledger);
            let note = self.vault().note(origin)?;
            let there = elsewhere.iter_mut().find(|it| it.name == witness.name && it.away_until <= now);
            let answer = match there {
                Some(there) if note.head.size > 0 => self.ask(witness, &note, there)?,
                Some(_) | None => Answer::Unreachable,
            };
            self.write_down(witness, &note, &answer, now)?;
            is_answered |= matches!(answer, Answer::Confirmed { vouches: true } | Answer::Contested(_));
            said.push((witness.name.clone(), origin, answer));
        }
        self.asked.all = true;
        self.unwitnessed &= !is_answered;
        Ok(said)
    }

    fn ask(&mut self, witness: &Witness, note: &Note, there: &mut Elsewhere) -> Result<Answer, Error> {
        let (origin, new) = (note.head.origin, (note.head.size, note.head.root));
        let Some(old) = there.kept.get(&origin).copied() else {
            if witness.confirmed.is_some() {
                return Ok(Answer::Unreachable);
            }
            // It begins with what it is shown, which proves nothing about what was before.
            there.kept.insert(origin, new);
            return Ok(Answer::Confirmed { vouches: false });
        };
        let tree = self.vault().reader().tree_from(old.0)?;
        let path = tree.consistency(old.0, new.0).unwrap_or_default();
        if tree.root_at(new.0) == Some(new.1) && is_consistent(old, new, &path) {
            there.kept.insert(origin, new);
            return Ok(Answer::Confirmed { vouches: witness.confirmed.is_some() });
        }
        let known = witness.confirmed.unwrap_or(0);
        let from = if known < old.0 { known } else { 0 };
        Ok(Answer::Contested(Contest { witness: witness.name.clone(), from, to: old.0, root: Some(old.1) }))
    }

    fn write_down(&mut self, witness: &Witness, note: &Note, answer: &Answer, now: u64) -> Result<(), Error> {
        let told = (witness.name.clone(), witness.named, note.head.origin);
        match answer {
            Answer::Confirmed { .. }
                if self.asked.confirmed.contains(&told) && witness.contested.is_none() =>
            {
                Ok(())
            }
            Answer::Confirmed { .. } => {
                let (witness, size, root) = (witness.name.clone(), note.head.size, note.head.root);
                self.own_deed(Deed::WitnessConfirmed { witness, size, root }, now)?;
                self.asked.confirmed.push(told);
                Ok(())
            }
            Answer::Contested(contest) if witness.contested.is_none() => {
                let words = format!("witness {} keeps another history", witness.name);
                let contest = Some(contest.clone());
                let failed = Deed::VerificationFailed { words: words.into(), register: false, contest };
                self.own_deed(failed, now)
            }
            Answer::Contested(_) | Answer::Unreachable => Ok(()),
        }
    }
}
