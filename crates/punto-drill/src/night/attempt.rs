//! Attempts of insiders: a deed, and how it gets by without the second person whom it takes: alone, with one who was never asked,
//! with a junior, with oneself, or with a signature for something else.

use std::sync::Arc;

use punto_ledger::Credential;
use punto_record::{Actor, Deed, Person};

use crate::phones::Done;
use crate::server::{JUNIOR, NEVER_ASKED, SIGNS_BLINDLY};

/// How somebody gets by without the second person whom a deed takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Alone,
    NotAsked,
    Junior,
    Oneself,
    SignedForAnother,
    /// It is wrong for another reason.
    Otherwise,
}

impl Way {
    /// As it is counted.
    pub(super) const fn id(self) -> &'static str {
        match self {
            Way::Alone => "alone",
            Way::NotAsked => "second-not-asked",
            Way::Junior => "junior",
            Way::Oneself => "oneself",
            Way::SignedForAnother => "signed-for-another",
            Way::Otherwise => "otherwise",
        }
    }
}

/// A deed that is about to be tried.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    pub(super) way: Way,
    pub(super) by: Actor,
    pub(super) deed: Deed,
    /// What the second person signs, if they are asked.
    pub(super) signed: Option<Deed>,
    pub(super) credential: Option<Credential>,
    /// What whoever shows a second factor, or makes one, knows about it.
    pub(super) done: Option<Done>,
}

impl Attempt {
    /// A deed that is wrong for another reason than its second person.
    pub(super) fn new(by: Actor, deed: Deed) -> Attempt {
        Attempt { way: Way::Otherwise, by, deed, signed: None, credential: None, done: None }
    }

    /// The same, where a second person signs it.
    pub(super) fn signed(by: Actor, deed: Deed) -> Attempt {
        Attempt { signed: Some(deed.clone()), ..Attempt::new(by, deed) }
    }

    /// Gets by without the second person.
    pub(super) fn by_way(
        way: Way,
        by: Actor,
        deed: impl Fn(Option<Person>, Option<Arc<str>>) -> Deed,
    ) -> Attempt {
        let second = match way {
            Way::Alone | Way::Otherwise => None,
            Way::NotAsked => Some(NEVER_ASKED.into()),
            Way::Junior => Some(JUNIOR.into()),
            Way::Oneself => by.person().cloned(),
            Way::SignedForAnother => Some(SIGNS_BLINDLY.into()),
        };
        let reason = second.as_ref().map(|_| "as discussed".into());
        let tried = deed(second.clone(), reason);
        let signed = match way {
            Way::Alone | Way::Otherwise | Way::NotAsked => None,
            Way::Junior | Way::Oneself => Some(tried.clone()),
            Way::SignedForAnother => Some(deed(second, Some("something harmless".into()))),
        };
        Attempt { way, signed, ..Attempt::new(by, tried) }
    }
}

/// The second person of a deed that cannot do without.
pub(super) fn named(second: Option<Person>) -> Person {
    second.unwrap_or_else(|| Person::as_recorded(""))
}

/// The reason of a deed that cannot do without.
pub(super) fn said(reason: Option<Arc<str>>) -> Arc<str> {
    reason.unwrap_or_default()
}
