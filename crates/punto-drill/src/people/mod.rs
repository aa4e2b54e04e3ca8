//! People: what a floor would do next, as the table stands, mixed with what nobody should do.

mod fill;
mod next;
mod report;
mod somebody;

pub(crate) use fill::{Scene, speak_for};
