//! Looks at every name and every text of a value before it is written down.
//!
//! One walk over what serde would write, so that no field can be forgotten: a name is held against its own grammar, any
//! other text must be one line that can be seen, and the text of a rule book may have several lines.

use std::fmt;

use punto_rules::name::Grammar;
use serde::ser::{self, Serialize, Serializer};

/// A text that cannot be written down: in which field it stands and what it would have to be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{field}`: expected {expected}")]
#[allow(missing_docs)]
pub struct Unfit {
    pub field: &'static str,
    pub expected: Grammar,
}

impl ser::Error for Unfit {
    fn custom<T: fmt::Display>(message: T) -> Unfit {
        // Values of our own are always written; only a serializer of theirs could fail.
        unreachable!("{message}")
    }
}

/// The first text in `value` that cannot be written down, if there is one.
///
/// # Errors
/// Where it stands, and what it would have to be.
pub fn unfit<T: Serialize + ?Sized>(value: &T) -> Result<(), Unfit> {
    value.serialize(Walk { field: "text", expected: Grammar::Line })
}

/// Where the walk is: the innermost field, and what a text there has to be.
#[derive(Clone, Copy)]
struct Walk {
    field: &'static str,
    expected: Grammar,
}

impl Walk {
    /// A field that holds something of its own.
    fn into_field(self, field: &'static str) -> Walk {
        let expected = if field == "rulebook" { Grammar::Page } else { Grammar::Line };
        Walk { field, expected }
    }

    fn text(self, text: &str) -> Result<(), Unfit> {
        match self.expected.admits(text) {
            true => Ok(()),
            false => Err(Unfit { field: self.field, expected: self.expected }),
        }
    }
}

macro_rules! no_text {
    ($($method:ident: $type:ty,)+) => {$(
        fn $method(self, _: $type) -> Result<(), Unfit> {
            Ok(())
        }
    )+};
}

impl Serializer for Walk {
    type Ok = ();
    type Error = Unfit;
    type SerializeSeq = Walk;
    type SerializeTuple = Walk;
    type SerializeTupleStruct = Walk;
    type SerializeTupleVariant = Walk;
    type SerializeMap = Walk;
    type SerializeStruct = Walk;
    type SerializeStructVariant = Walk;

    no_text! {
        serialize_bool: bool,
        serialize_i8: i8,
        serialize_i16: i16,
        serialize_i32: i32,
        serialize_i64: i64,
        serialize_i128: i128,
        serialize_u8: u8,
        serialize_u16: u16,
        serialize_u32: u32,
        serialize_u64: u64,
        serialize_u128: u128,
        serialize_f32: f32,
        serialize_f64: f64,
        serialize_bytes: &[u8],
        serialize_unit_struct: &'static str,
    }

    fn serialize_char(self, c: char) -> Result<(), Unfit> {
        self.text(c.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, text: &str) -> Result<(), Unfit> {
        self.text(text)
    }

    fn serialize_none(self) -> Result<(), Unfit> {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Unfit> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Unfit> {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<(), Unfit> {
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Unfit> {
        value.serialize(Walk { expected: Grammar::of_marker(name).unwrap_or(self.expected), ..self })
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        value: &T,
    ) -> Result<(), Unfit> {
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Walk, Unfit> {
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Walk, Unfit> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Walk, Unfit> {
        Ok(self)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Walk, Unfit> {
        Ok(self)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Walk, Unfit> {
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Walk, Unfit> {
        Ok(self)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Walk, Unfit> {
        Ok(self)
    }
}

macro_rules! elements {
    ($($trait:ident: $method:ident,)+) => {$(
        impl ser::$trait for Walk {
            type Ok = ();
            type Error = Unfit;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unfit> {
                value.serialize(*self)
            }

            fn end(self) -> Result<(), Unfit> {
                Ok(())
            }
        }
    )+};
}

elements! {
    SerializeSeq: serialize_element,
    SerializeTuple: serialize_element,
    SerializeTupleStruct: serialize_field,
    SerializeTupleVariant: serialize_field,
}

impl ser::SerializeMap for Walk {
    type Ok = ();
    type Error = Unfit;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Unfit> {
        key.serialize(*self)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unfit> {
        value.serialize(*self)
    }

    fn end(self) -> Result<(), Unfit> {
        Ok(())
    }
}

macro_rules! fields {
    ($($trait:ident,)+) => {$(
        impl ser::$trait for Walk {
            type Ok = ();
            type Error = Unfit;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                field: &'static str,
                value: &T,
            ) -> Result<(), Unfit> {
                value.serialize(self.into_field(field))
            }

            fn end(self) -> Result<(), Unfit> {
                Ok(())
            }
        }
    )+};
}

fields! {
    SerializeStruct,
    SerializeStructVariant,
}
