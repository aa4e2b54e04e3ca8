//! What a drill is asked to do, and what it says when something did not hold.

use std::fmt;

use punto_ledger::Place;
use punto_record::Timestamp;

use crate::Counters;

/// What to play.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Everything follows from it.
    pub seed: u64,
    /// Tables on the floor.
    pub tables: u8,
    /// Where the ledgers are: memory, or a file to which the number of the night is added.
    pub place: Place,
    /// Whether the file of a clean night stays.
    pub keeps: bool,
    /// Steps until a ledger is closed, audited from its first entry, and another one founded.
    pub steps_a_night: u64,
    /// How much trouble there is: a hundred is the usual, nothing is a quiet floor.
    pub trouble: u8,
    /// Whether every night is a house's, where people answer for what they do; otherwise one in four is.
    pub only_houses: bool,
}

impl Plan {
    /// Four tables in memory.
    pub const fn new(seed: u64) -> Plan {
        Plan {
            seed,
            tables: 4,
            place: Place::Memory,
            keeps: false,
            steps_a_night: 20_000,
            trouble: 100,
            only_houses: false,
        }
    }
}

impl Default for Plan {
    fn default() -> Plan {
        Plan::new(1)
    }
}

/// Something that must hold did not.
#[derive(Clone, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub struct Failure {
    pub seed: u64,
    pub tables: u8,
    /// The step, counted over all nights.
    pub step: u64,
    /// The simulated time.
    pub at: Timestamp,
    /// What did not hold.
    pub words: String,
    /// The last things that happened before it, oldest first.
    pub before: Vec<String>,
    pub counters: Box<Counters>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failure { seed, tables, step, at, words, before, .. } = self;
        writeln!(f, "{words}")?;
        writeln!(f, "at step {step}, simulated time {at}; before it:")?;
        before.iter().try_for_each(|line| writeln!(f, "  {line}"))?;
        write!(f, "to see it again: seed {seed}, {tables} tables, in memory; it comes at the same step")
    }
}
