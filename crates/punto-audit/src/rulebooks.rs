//! Rule books of the record, each read once however many tables are opened with it.

use std::collections::HashMap;
use std::sync::Arc;

use punto_record::{Digest, digest};
use punto_rules::Rulebook;

/// Rule books by the digest of their text; `None` for a text with faults.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rulebooks(HashMap<Digest, Option<Arc<Rulebook>>>);

impl Rulebooks {
    pub(crate) fn read(&mut self, text: &str) -> (Digest, Option<Arc<Rulebook>>) {
        let digest = digest(text.as_bytes());
        let read = || Rulebook::recorded(text).ok().map(Arc::new);
        (digest, self.0.entry(digest).or_insert_with(read).clone())
    }
}
