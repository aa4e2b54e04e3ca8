//! Enums whose variants carry a tag in JSON, and the closed list of those tags as an enum of their own.

/// Declares `enum $name` (internally tagged) and `enum $kind` with the same variants, no data, and their words.
macro_rules! tagged {
    (
        $(#[$meta:meta])* $name:ident, tag $tag:literal,
        $(#[$kind_meta:meta])* $kind:ident {
            $($(#[$doc:meta])* $variant:ident = $word:literal { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* },)+
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
        }

        impl $name {
            /// Which of them it is.
            pub const fn kind(&self) -> $kind {
                match self { $($name::$variant { .. } => $kind::$variant,)+ }
            }
        }
    };
}

pub(crate) use tagged;
