//! The tests of the reference, in one program: it is linked once.

mod betting_box;
mod both;
mod certain;
mod documents;
mod language;
mod pro_rata;
mod random_books;
#[path = "../../punto-rules/tests/reference/mod.rs"]
mod reference;
#[path = "../../punto-rules/tests/scale/mod.rs"]
mod scale;
mod texts;
