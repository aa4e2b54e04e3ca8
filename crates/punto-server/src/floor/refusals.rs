//! How often orders were refused, by reason.

use std::sync::atomic::{AtomicU64, Ordering};

use punto_record::ReasonKind;

/// Refusals since the start.
#[derive(Debug)]
pub(crate) struct Refusals([AtomicU64; ReasonKind::ALL.len()]);

impl Default for Refusals {
    fn default() -> Refusals {
        Refusals([const { AtomicU64::new(0) }; ReasonKind::ALL.len()])
    }
}

impl Refusals {
    pub(crate) fn count(&self, reason: ReasonKind) {
        self.0[reason as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// Every reason, those that never occurred included: a monitoring system sees the first one only if it saw nothing before.
    pub(crate) fn all(&self) -> impl Iterator<Item = (ReasonKind, u64)> {
        ReasonKind::ALL.iter().map(|reason| (*reason, self.0[*reason as usize].load(Ordering::Relaxed)))
    }
}
