/*! The canonical subset of YAML the log is written in: one spelling for every record.

A record is declared once, with `mapping!`, and that declaration is its schema: the order of its keys, which may be
absent, what is written and what is read. This folder knows no particular record.

In reading order: [`values`] is what can stand under a key; [`emit`] writes it; [`read`] reads it strictly and borrows
its texts; [`fault`] says where the reader found something else than it expected.
*/

pub mod emit;
pub mod fault;
pub mod read;
pub mod values;

/// Bytes of a line, its line feed included (log 1.4).
pub const LINE_LIMIT: usize = 64 * 1024;
/// Bytes of a record, from `---` to `...` inclusive.
pub const RECORD_LIMIT: usize = 1024 * 1024;
/// Levels of nested mappings and lists.
pub const DEPTH_LIMIT: usize = 8;
/// Items of one list.
pub const ITEM_LIMIT: usize = 16_384;
/// Bytes of a log.
pub const FILE_LIMIT: u64 = 256 * 1024 * 1024;
/// The greatest integer that every reader of YAML and JSON takes exactly.
pub const INTEGER_LIMIT: u64 = 1 << 53;

/// The line that opens a record.
pub const OPENING: &str = "---\n";
/// Declares mappings of the log: their keys, in order, with the kind of each value.
///
/// A key of kind `Option` or `Vec` is left out when there is nothing to write.
macro_rules! mapping {
    ($(
        $(#[$meta:meta])*
        pub struct $name:ident $(<$life:lifetime>)? {
            $( $(#[$field_meta:meta])* pub $field:ident: $kind:ty, )+
        }
    )+) => { $(
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
        pub struct $name $(<$life>)? {
            $(
                $(#[$field_meta])*
                #[serde(skip_serializing_if = "crate::canon::values::Value::is_absent")]
                pub $field: $kind,
            )+
        }

        impl<'a> crate::canon::values::Mapping<'a> for $name $(<$life>)? {
            fn emit_fields(&self, emitter: &mut crate::canon::emit::Emitter) {
                $( crate::canon::values::Value::emit(&self.$field, emitter, stringify!($field)); )+
            }

            fn read_fields(
                reader: &mut crate::canon::read::Reader<'a>,
            ) -> Result<Self, crate::canon::fault::Fault> {
                Ok($name {
                    $( $field: crate::canon::values::Value::read(reader, stringify!($field))?, )+
                })
            }
        }

        crate::canon::values::mapping_value!($name $(<$life>)?);
    )+ };
}

pub(crate) use mapping;
