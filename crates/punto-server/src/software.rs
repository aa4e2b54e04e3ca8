//! Whether the program is still the one that was started, and the rule books the ones that were approved.

use std::path::PathBuf;

use punto_record::{Actor, Deed, Digest, digest};
use punto_rules::Rulebook;
use punto_rules::rulebook::APPROVED;
use punto_rules::text::one_line;

use crate::deeds::Deeds;

/// The software that runs.
#[derive(Clone, Debug)]
pub struct Software {
    program: PathBuf,
    /// As it was when it was started.
    started: Digest,
}

/// What a look at the program showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Seen {
    pub digest: Digest,
    pub same: bool,
}

/// Why the software must not play.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum SoftwareError {
    #[error("the program cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    #[error("the program is not the one that was asked for: it is {found}")]
    Another { found: Digest },
    #[error("an approved rule book is not what it should be: {0}")]
    Rulebook(String),
    #[error("it could not be written down: {0}")]
    Unwritten(#[from] punto_ledger::Error),
}

impl Software {
    /// This program, as it lies on the disk. `expected`: what the house approved, if it says so.
    ///
    /// # Errors
    /// If it cannot be read, is another one, or an approved rule book cannot be read.
    pub fn of_this_program(expected: Option<Digest>) -> Result<Software, SoftwareError> {
        let program = std::env::current_exe()?;
        let started = digest(&std::fs::read(&program)?);
        if expected.is_some_and(|expected| expected != started) {
            return Err(SoftwareError::Another { found: started });
        }
        for (name, text) in APPROVED {
            Rulebook::parse(text).map_err(|faults| SoftwareError::Rulebook(format!("{name}: {faults}")))?;
        }
        Ok(Software { program, started })
    }

    /// Its digest when it was started.
    pub const fn started(&self) -> Digest {
        self.started
    }

    /// Looks at the program again. Another one is written down, and play must stop.
    ///
    /// # Errors
    /// If it cannot be read, or a failure cannot be written down.
    pub async fn verify(&self, deeds: &Deeds) -> Result<Seen, SoftwareError> {
        let program = self.program.clone();
        let read = tokio::task::spawn_blocking(move || std::fs::read(program));
        let found = digest(&read.await.map_err(std::io::Error::other)??);
        let same = found == self.started;
        if !same {
            let words = format!("the program on the disk is {found}, started was {}", self.started);
            deeds.write(Actor::House, Deed::verification_failed(one_line(&words))).await?;
        }
        Ok(Seen { digest: found, same })
    }
}
