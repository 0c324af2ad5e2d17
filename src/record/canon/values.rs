/*! The kinds of values a record is made of, and how each is written and read under its key. */

use super::INTEGER_LIMIT;
use super::emit::Emitter;
use super::fault::Fault;
use super::read::Reader;
use ground::hash::Hex;
use ground::stamp::Stamp;
use std::borrow::Cow;

/// What can stand under a key.
pub trait Value<'a>: Sized {
    /// Whether the key is left out.
    fn is_absent(&self) -> bool {
        false
    }

    /// What the value is when its key is left out; `None` if the key is required.
    fn when_absent() -> Option<Self> {
        None
    }

    /// Writes the key and the value, or nothing.
    fn emit(&self, emitter: &mut Emitter, key: &str);

    /// Reads the value after its key.
    fn take(reader: &mut Reader<'a>) -> Result<Self, Fault>;

    /// Reads the key and the value.
    fn read(reader: &mut Reader<'a>, key: &'static str) -> Result<Self, Fault> {
        if reader.key(key)? {
            return Self::take(reader);
        }
        Self::when_absent().ok_or_else(|| reader.missing(key))
    }
}

/// A value that stands on the line of its key.
pub trait Scalar<'a>: Sized {
    fn write(&self, emitter: &mut Emitter);

    fn take(reader: &mut Reader<'a>) -> Result<Self, Fault>;
}

/// A value that consists of keys and values; declared with `mapping!`.
pub trait Mapping<'a>: Sized {
    fn emit_fields(&self, emitter: &mut Emitter);

    fn read_fields(reader: &mut Reader<'a>) -> Result<Self, Fault>;
}

/// A value that lists can be made of.
pub trait Listed<'a>: Sized {
    fn emit_list(items: &[Self], emitter: &mut Emitter, key: &str);

    fn take_list(reader: &mut Reader<'a>) -> Result<Vec<Self>, Fault>;
}

impl<'a, T: Value<'a>> Value<'a> for Option<T> {
    fn is_absent(&self) -> bool {
        self.is_none()
    }

    fn when_absent() -> Option<Self> {
        Some(None)
    }

    fn emit(&self, emitter: &mut Emitter, key: &str) {
        if let Some(value) = self {
            value.emit(emitter, key);
        }
    }

    fn take(reader: &mut Reader<'a>) -> Result<Self, Fault> {
        T::take(reader).map(Some)
    }
}

impl<'a, T: Listed<'a>> Value<'a> for Vec<T> {
    fn is_absent(&self) -> bool {
        self.is_empty()
    }

    fn when_absent() -> Option<Self> {
        Some(Vec::new())
    }

    fn emit(&self, emitter: &mut Emitter, key: &str) {
        if !self.is_empty() {
            T::emit_list(self, emitter, key);
        }
    }

    fn take(reader: &mut Reader<'a>) -> Result<Self, Fault> {
        T::take_list(reader)
    }
}

/// Makes a scalar a value and an item of lists.
macro_rules! scalar_value {
    ($kind:ty $(, $($parameters:tt)*)?) => {
        impl<'a $(, $($parameters)*)?> crate::canon::values::Value<'a> for $kind {
            fn emit(&self, emitter: &mut crate::canon::emit::Emitter, key: &str) {
                emitter.key(key);
                crate::canon::values::Scalar::write(self, emitter);
                emitter.end_line();
            }

            fn take(
                reader: &mut crate::canon::read::Reader<'a>,
            ) -> Result<Self, crate::canon::fault::Fault> {
                reader.scalar(<Self as crate::canon::values::Scalar<'a>>::take)
            }
        }

        impl<'a $(, $($parameters)*)?> crate::canon::values::Listed<'a> for $kind {
            fn emit_list(items: &[Self], emitter: &mut crate::canon::emit::Emitter, key: &str) {
                emitter.key(key);
                for (index, item) in items.iter().enumerate() {
                    emitter.plain(if index == 0 { "[" } else { ", " });
                    crate::canon::values::Scalar::write(item, emitter);
                }
                emitter.plain("]");
                emitter.end_line();
            }

            fn take_list(
                reader: &mut crate::canon::read::Reader<'a>,
            ) -> Result<Vec<Self>, crate::canon::fault::Fault> {
                reader.row(<Self as crate::canon::values::Scalar<'a>>::take)
            }
        }
    };
}

/// Makes a mapping a value and an item of lists.
macro_rules! mapping_value {
    ($name:ident $(<$life:lifetime>)?) => {
        impl<'a> crate::canon::values::Value<'a> for $name $(<$life>)? {
            fn emit(&self, emitter: &mut crate::canon::emit::Emitter, key: &str) {
                emitter.open_block(key);
                crate::canon::values::Mapping::emit_fields(self, emitter);
                emitter.close_block();
            }

            fn take(
                reader: &mut crate::canon::read::Reader<'a>,
            ) -> Result<Self, crate::canon::fault::Fault> {
                reader.block(<Self as crate::canon::values::Mapping<'a>>::read_fields)
            }
        }

        impl<'a> crate::canon::values::Listed<'a> for $name $(<$life>)? {
            fn emit_list(items: &[Self], emitter: &mut crate::canon::emit::Emitter, key: &str) {
                emitter.open_block(key);
                for item in items {
                    emitter.open_item();
                    crate::canon::values::Mapping::emit_fields(item, emitter);
                    emitter.close_item();
                }
                emitter.close_block();
            }

            fn take_list(
                reader: &mut crate::canon::read::Reader<'a>,
            ) -> Result<Vec<Self>, crate::canon::fault::Fault> {
                reader.items(<Self as crate::canon::values::Mapping<'a>>::read_fields)
            }
        }
    };
}

/// Declares an enum whose values are written as quoted words.
macro_rules! words {
    ($(
        $(#[$meta:meta])*
        pub enum $name:ident { $( $(#[$value_meta:meta])* $value:ident = $word:literal, )+ }
    )+) => { $(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $( $(#[$value_meta])* #[serde(rename = $word)] $value, )+
        }

        impl $name {
            pub const ALL: &[$name] = &[$($name::$value),+];

            /// The word in the log.
            pub fn word(self) -> &'static str {
                match self { $( $name::$value => $word, )+ }
            }
        }

        impl<'a> crate::canon::values::Scalar<'a> for $name {
            fn write(&self, emitter: &mut crate::canon::emit::Emitter) {
                emitter.string(self.word());
            }

            fn take(
                reader: &mut crate::canon::read::Reader<'a>,
            ) -> Result<Self, crate::canon::fault::Fault> {
                $( if reader.passes(concat!("\"", $word, "\"")) { return Ok($name::$value); } )+
                let words: &[&str] = &[$(concat!("\"", $word, "\"")),+];
                Err(reader.wrong_value(format!("one of {}", words.join(", "))))
            }
        }

        crate::canon::values::scalar_value!($name);
    )+ };
}

pub(crate) use {mapping_value, scalar_value, words};

macro_rules! integer_scalar {
    ($kind:ty, $limit:expr) => {
        impl<'a> Scalar<'a> for $kind {
            fn write(&self, emitter: &mut Emitter) {
                emitter.integer(u64::from(*self));
            }

            fn take(reader: &mut Reader<'a>) -> Result<Self, Fault> {
                let value = reader.integer($limit)?;
                Ok(<$kind>::try_from(value).expect("the limit was that of the type"))
            }
        }

        scalar_value!($kind);
    };
}

integer_scalar!(u8, u64::from(u8::MAX));
integer_scalar!(u16, u64::from(u16::MAX));
integer_scalar!(u32, u64::from(u32::MAX));
integer_scalar!(u64, INTEGER_LIMIT);

impl<'a> Scalar<'a> for bool {
    fn write(&self, emitter: &mut Emitter) {
        emitter.plain(if *self { "true" } else { "false" });
    }

    fn take(reader: &mut Reader<'a>) -> Result<Self, Fault> {
        match (reader.passes("true"), reader.passes("false")) {
            (true, _) => Ok(true),
            (_, true) => Ok(false),
            _ => Err(reader.wrong_value("true or false".to_string())),
        }
    }
}

scalar_value!(bool);

impl<'a> Scalar<'a> for Cow<'a, str> {
    fn write(&self, emitter: &mut Emitter) {
        emitter.string(self);
    }

    fn take(reader: &mut Reader<'a>) -> Result<Self, Fault> {
        reader.string()
    }
}

scalar_value!(Cow<'a, str>);

impl<'a> Scalar<'a> for String {
    fn write(&self, emitter: &mut Emitter) {
        emitter.string(self);
    }

    fn take(reader: &mut Reader<'a>) -> Result<Self, Fault> {
        reader.string().map(Cow::into_owned)
    }
}

scalar_value!(String);

impl<'a, const WIDTH: usize> Scalar<'a> for Hex<WIDTH> {
    fn write(&self, emitter: &mut Emitter) {
        emitter.hex(self);
    }

    fn take(reader: &mut Reader<'a>) -> Result<Self, Fault> {
        reader.hex()
    }
}

scalar_value!(Hex<WIDTH>, const WIDTH: usize);

impl<'a> Scalar<'a> for Stamp {
    fn write(&self, emitter: &mut Emitter) {
        emitter.string(self.as_str());
    }

    fn take(reader: &mut Reader<'a>) -> Result<Self, Fault> {
        let text = reader.string()?;
        Stamp::parse(&text).ok_or_else(|| reader.wrong_before("a time such as \"2026-11-24T07:12:09Z\"", &text))
    }
}

scalar_value!(Stamp);
