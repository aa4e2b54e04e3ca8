//! Enums whose variants carry a tag in JSON, and the closed list of those tags as an enum of their own, with the facts that
//! stand beside each variant.

/// Declares `enum $name` (internally tagged) and `enum $kind` with the same variants, no data, their words and their facts.
macro_rules! tagged {
    (
        $(#[$meta:meta])* $name:ident, tag $tag:literal,
        $(#[$kind_meta:meta])* $kind:ident, facts $facts:ident {
            $($(#[$doc:meta])* $variant:ident = $word:literal [$($fact:tt)+]
                { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* },)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(tag = $tag, deny_unknown_fields)]
        #[allow(missing_docs)]
        pub enum $name {
            $($(#[$doc])* #[serde(rename = $word)] $variant { $($(#[$field_meta])* $field: $type,)* },)+
        }

        $(#[$kind_meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[allow(missing_docs)]
        pub enum $kind { $(#[serde(rename = $word)] $variant,)+ }

        impl $kind {
            /// All of them, in their order.
            pub const ALL: &'static [$kind] = &[$($kind::$variant,)+];

            /// The word in JSON and in table scripts.
            pub const fn id(self) -> &'static str {
                match self { $($kind::$variant => $word,)+ }
            }

            /// What stands beside it.
            pub const fn facts(self) -> $facts {
                match self { $($kind::$variant => $($fact)+,)+ }
            }
        }

        impl $name {
            /// Which of them it is.
            pub const fn kind(&self) -> $kind {
                match self { $($name::$variant { .. } => $kind::$variant,)+ }
            }

            /// The patron whom it names.
            #[allow(unused_variables)]
            pub fn patron(&self) -> Option<punto_rules::PatronNo> {
                match self {
                    $($name::$variant { $($field,)* } => $crate::tagged::patron_among!($($field = $field,)*),)+
                }
            }

            /// The second person whom it names, who must agree to it as well.
            #[allow(unused_variables)]
            pub fn second(&self) -> Option<&$crate::Person> {
                match self {
                    $($name::$variant { $($field,)* } => $crate::tagged::second_among!($($field = $field,)*),)+
                }
            }

            /// The reason that somebody gave for it.
            #[allow(unused_variables)]
            pub fn reason(&self) -> Option<&std::sync::Arc<str>> {
                match self {
                    $($name::$variant { $($field,)* } => $crate::tagged::reason_among!($($field = $field,)*),)+
                }
            }
        }
    };
}

/// The field `patron`, if it is among these.
macro_rules! patron_among {
    () => { None };
    (patron = $it:ident, $($rest:tt)*) => { Option::<&punto_rules::PatronNo>::from($it).copied() };
    ($other:ident = $it:ident, $($rest:tt)*) => { $crate::tagged::patron_among!($($rest)*) };
}

/// The field `second` or `attendant`, if one is among these.
macro_rules! second_among {
    () => { None };
    (second = $it:ident, $($rest:tt)*) => { Option::<&$crate::Person>::from($it) };
    (attendant = $it:ident, $($rest:tt)*) => { Option::<&$crate::Person>::from($it) };
    ($other:ident = $it:ident, $($rest:tt)*) => { $crate::tagged::second_among!($($rest)*) };
}

/// The field `reason` or `compared`, if one is among these.
macro_rules! reason_among {
    () => { None };
    (reason = $it:ident, $($rest:tt)*) => { Option::<&std::sync::Arc<str>>::from($it) };
    (compared = $it:ident, $($rest:tt)*) => { Option::<&std::sync::Arc<str>>::from($it) };
    ($other:ident = $it:ident, $($rest:tt)*) => { $crate::tagged::reason_among!($($rest)*) };
}

pub(crate) use {patron_among, reason_among, second_among, tagged};
