//! A view by its parts, so that only what is different goes over the wire.

use std::collections::BTreeMap;

use punto_record::{Seq, Timestamp};
use punto_table::View;
use serde::Serialize;
use serde_json::value::RawValue;

/// The parts of a view, each as JSON. Number and time are not among them: every frame has its own.
pub(crate) type Sections = BTreeMap<String, Box<RawValue>>;

/// A view by its parts.
pub(crate) fn sections(view: &View<'_>) -> Sections {
    let text = serde_json::to_string(view).expect("a view is always JSON");
    let mut sections: Sections = serde_json::from_str(&text).expect("a view is an object");
    sections.remove("seq");
    sections.remove("now");
    sections
}

/// The parts that are not as they were.
pub(crate) fn changed<'a>(before: &Sections, now: &'a Sections) -> BTreeMap<&'a str, &'a RawValue> {
    let parts = now.iter().map(|(name, value)| (name.as_str(), value.as_ref()));
    parts.filter(|(name, value)| before.get(*name).is_none_or(|before| before.get() != value.get())).collect()
}

/// [`crate::wire::Frame`], as it is sent.
#[derive(Serialize)]
pub(crate) struct FrameOut<E, V> {
    pub(crate) seq: Seq,
    pub(crate) now: Timestamp,
    pub(crate) events: E,
    pub(crate) view: V,
}
