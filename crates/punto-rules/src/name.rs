//! Names: one grammar, declared here and nowhere else.
//!
//! A **name** is what programs, files, addresses and proofs carry: of a table, a device, a person, a bet, a session. It is 1
//! to 40 ASCII letters, digits and hyphens. So it is one word in an address, in a line of a checkpoint or a log and in a cell
//! of a table, and never anything else there. Registers of release 0.1.0 hold no other names of people and devices.
//!
//! A **ticket** is a name, or two joined by `/`: table scripts number their tickets by table.
//!
//! A **label** is what people wrote on something before this software knew it: the box of a card set, a shift, a pit. A casino
//! calls its shifts 夜班 and its boxes "Blue 4"; such a text never becomes part of another one, so it may hold whatever can be
//! seen on one line ([`text`](crate::text)).
//!
//! A **currency** is the three capital letters that ISO 4217 gives it.
//!
//! The types are made by [`names!`](crate::names): by `FromStr`, which checks, and from literals, which must be right. They are
//! also read from the record, by serde and by `as_recorded`, and there they are taken as they stand: the record is evidence,
//! and earlier releases checked less. What is new is checked before it is written: `punto_record::unfit` looks at every name
//! and every text of an order or a deed.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::text::{LONGEST_LABEL, LONGEST_LINE, is_label, is_line, is_page};

/// The most characters of a name.
pub const LONGEST_NAME: usize = 40;

/// The grammar of a name as a regular expression, for JSON Schema.
pub const NAME_PATTERN: &str = "^[A-Za-z0-9-]{1,40}$";

/// The grammar of a ticket number as a regular expression.
pub const TICKET_PATTERN: &str = "^[A-Za-z0-9-]{1,40}(/[A-Za-z0-9-]{1,40})?$";

/// The grammar of a currency as a regular expression.
pub const CURRENCY_PATTERN: &str = "^[A-Z]{3}$";

/// The shape of a label as a regular expression; which characters can be seen is in [`is_visible`](crate::text::is_visible).
pub const LABEL_PATTERN: &str = "^\\S(.{0,62}\\S)?$";

/// What a text has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Grammar {
    /// A name.
    Name,
    /// The number of a ticket.
    Ticket,
    /// A currency.
    Currency,
    /// A label.
    Label,
    /// A line of free text.
    Line,
    /// The text of a rule book.
    Page,
}

impl Grammar {
    /// All of them.
    pub const ALL: [Grammar; 6] =
        [Grammar::Name, Grammar::Ticket, Grammar::Currency, Grammar::Label, Grammar::Line, Grammar::Page];

    /// Whether a text is that.
    pub fn admits(self, text: &str) -> bool {
        match self {
            Grammar::Name => is_name(text),
            Grammar::Ticket => {
                let (first, second) = text.split_once('/').map_or((text, None), |(a, b)| (a, Some(b)));
                is_name(first) && second.is_none_or(is_name)
            }
            Grammar::Currency => text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase()),
            Grammar::Label => is_label(text),
            Grammar::Line => is_line(text),
            Grammar::Page => is_page(text),
        }
    }
}

impl fmt::Display for Grammar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Grammar::Name => {
                write!(f, "1 to {LONGEST_NAME} letters (a-z, A-Z), digits and hyphens")
            }
            Grammar::Ticket => f.write_str("the number of a ticket"),
            Grammar::Currency => f.write_str("a currency: three capital letters, such as SGD"),
            Grammar::Label => {
                write!(f, "1 to {LONGEST_LABEL} characters on one line, no invisible or control characters")
            }
            Grammar::Line => {
                write!(f, "at most {LONGEST_LINE} characters on one line, no invisible or control characters")
            }
            Grammar::Page => f.write_str("text without invisible or control characters"),
        }
    }
}

/// Whether it is a name.
pub fn is_name(text: &str) -> bool {
    (1..=LONGEST_NAME).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// A text that is not what it has to be. It does not repeat the text: that may be anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}")]
pub struct NameError {
    /// What it has to be.
    pub expected: Grammar,
}

/// Declares types of names, each with its grammar.
#[macro_export]
macro_rules! names {
    ($($(#[$doc:meta])* $name:ident: $grammar:ident, $pattern:ident,)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Deserialize)]
        #[cfg_attr(
            feature = "schema",
            derive(schemars::JsonSchema),
            schemars(extend("pattern" = $crate::name::$pattern))
        )]
        #[serde(transparent)]
        pub struct $name(std::sync::Arc<str>);

        impl $name {
            /// What it has to be.
            pub const GRAMMAR: $crate::name::Grammar = $crate::name::Grammar::$grammar;

            /// As text.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// As it stands in a store or a record, where an earlier release may have let in more than the grammar does.
            /// Never for text from outside: that is parsed.
            pub fn as_recorded(text: impl Into<std::sync::Arc<str>>) -> $name {
                $name(text.into())
            }

            /// Whether it can be written down anew.
            pub fn is_fit(&self) -> bool {
                $name::GRAMMAR.admits(&self.0)
            }
        }

        /// Its own words: for texts of the program, never for text from outside.
        ///
        /// # Panics
        /// If the literal is not what it has to be.
        impl From<&'static str> for $name {
            fn from(literal: &'static str) -> $name {
                match literal.parse() {
                    Ok(name) => name,
                    Err(error) => panic!("`{literal}`: {error}"),
                }
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::name::NameError;

            fn from_str(text: &str) -> Result<$name, $crate::name::NameError> {
                match $name::GRAMMAR.admits(text) {
                    true => Ok($name(text.into())),
                    false => Err($crate::name::NameError { expected: $name::GRAMMAR }),
                }
            }
        }

        /// By a newtype struct that is called after its grammar, so that whoever walks a value by its types can tell names
        /// from other text. In JSON it is text.
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_newtype_struct($name::GRAMMAR.marker(), &*self.0)
            }
        }

        /// As it is shown: what an earlier release let in is escaped.
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(&$crate::text::Shown(&self.0), f)
            }
        }
    )+};
}

impl Grammar {
    /// How a value of this grammar announces itself to a serializer.
    pub const fn marker(self) -> &'static str {
        match self {
            Grammar::Name => "punto name",
            Grammar::Ticket => "punto ticket",
            Grammar::Currency => "punto currency",
            Grammar::Label => "punto label",
            Grammar::Line => "punto line",
            Grammar::Page => "punto page",
        }
    }

    /// Which grammar announced itself so.
    pub fn of_marker(marker: &str) -> Option<Grammar> {
        Grammar::ALL.into_iter().find(|grammar| grammar.marker() == marker)
    }
}
