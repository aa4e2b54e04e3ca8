//! What interpretations 31 to 51 promise, checked as post-conditions over the record alone: one interpretation, one file.
//!
//! `table/` works out again what each order should have done, and so mirrors the table's decisions; a mistake made in
//! both would stay unseen. The checks here mirror nothing. Each says in one sentence what may never stand in a record,
//! and looks for it in orders and events, with no more memory than [`Past`]. None of them calls `table/` or `law`.
//!
//! Entries of the first release were written before these interpretations and are left out, unless
//! [`Inputs::strict`](crate::Inputs) asks for them.

mod felt;
mod held;
mod house;
#[allow(dead_code)]
mod past;
mod purse;
mod r31;
mod r32;
mod r33;
mod r34;
mod r35;
mod r36;
mod r37;
mod r38;
mod r39;
mod r40;
mod r41;
mod r42;
mod r43;
mod r44;
mod r45;
mod r46;
mod r47;
mod r48;
mod r48_limits;
mod r49;
mod r50;
mod r51;
mod r51_float;
mod r51_held;

use punto_record::Entry;

use crate::finding::{FindingKind, Findings};
pub(crate) use house::HousePast;
use past::Past;

/// The checks of one table, in the order of their interpretations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Readings {
    past: Past,
    r33: r33::Check,
    r34: r34::Check,
    r37: r37::Check,
    r39: r39::Check,
    r48_limits: r48_limits::Check,
    purses: purse::Purses,
    r41: r41::Check,
    r44: r44::Check,
    r45: r45::Check,
    r49: r49::Check,
    r51_float: r51_float::Check,
    r51_held: r51_held::Check,
}

impl Readings {
    /// Checks the next entry of the table.
    pub(crate) fn entry(&mut self, house: &HousePast, entry: &Entry, strict: bool, out: &mut Findings) {
        let judged = strict || !entry.release.is_first();
        let from = out.list.len();
        r31::check(&self.past, entry, out);
        // Every check sees every entry, so that its memory is complete.
        r32::check(&self.past, entry, out);
        self.r33.entry(house, &self.past, entry, out);
        self.r34.entry(&self.past, entry, out);
        r35::check(&self.past, entry, out);
        r36::check(&self.past, entry, out);
        self.r37.entry(&self.past, entry, out);
        r38::check(&self.past, entry, out);
        self.r39.entry(&self.past, entry, out);
        r40::check(&self.past, entry, out);
        r42::check(&self.past, entry, out);
        r43::check(&self.past, entry, out);
        self.r41.entry(entry, out);
        self.r44.entry(&self.past, &self.purses, entry, out);
        self.r45.entry(&self.past, &self.purses, &self.r44, entry, out);
        r46::check(house, &self.past, entry, out);
        r47::check(&self.past, entry, out);
        r48::check(house, &self.past, entry, out);
        self.r48_limits.entry(&self.past, entry, out);
        self.r49.entry(entry, out);
        r50::check(&self.past, entry, out);
        r51::check(&self.past, entry, out);
        self.r51_held.entry(&self.past, entry, out);
        self.r51_float.entry(entry, out);
        if !judged {
            out.list.truncate(from);
        }
        self.past.enter(entry);
        entry.events.iter().for_each(|event| self.purses.learn(event));
    }
}

impl Findings {
    /// Reports a breach of an interpretation unless the condition holds.
    pub(super) fn interpreted(&mut self, no: u8, holds: bool, words: &str) {
        if !holds {
            let cite = punto_rules::Cite::interpretation(no);
            self.cited(FindingKind::AgainstInterpretation, words, Some(&cite));
        }
    }
}
