/*! What is wrong with a record that cannot be read, and where. */

use std::fmt;

/// Why and where a record was refused by the reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line within the record, from 1, which is the line `---`.
    pub line: u64,
    /// The column in that line, from 1, counted in bytes.
    pub column: u64,
    pub kind: FaultKind,
}

/// What is wrong at that place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    NotUtf8,
    RecordTooLong { limit: usize },
    LineTooLong { limit: usize },
    TooDeep { limit: usize },
    TooManyItems { limit: usize },
    Opening,
    Ended,
    Trailing,
    Indentation { expected: usize, found: usize },
    NotAKey { expected: Vec<&'static str> },
    WrongKey { found: String, expected: Vec<&'static str> },
    KeyAgain { found: String, expected: Vec<&'static str> },
    MissingKey { missing: &'static str, found: Option<String> },
    Quote,
    Escape { found: String },
    RawControl { found: char },
    LineEnd,
    List,
    Value { expected: String, found: String },
    NotCanonical { expected: String, found: String },
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {} of the record, column {}: {}", self.line, self.column, self.kind)
    }
}

impl std::error::Error for Fault {}

impl fmt::Display for FaultKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FaultKind::NotUtf8 => write!(formatter, "the bytes are not UTF-8"),
            FaultKind::RecordTooLong { limit } => {
                write!(formatter, "a record has at most {limit} bytes")
            }
            FaultKind::LineTooLong { limit } => {
                write!(formatter, "a line has at most {limit} bytes")
            }
            FaultKind::TooDeep { limit } => {
                write!(formatter, "blocks are nested at most {limit} deep")
            }
            FaultKind::TooManyItems { limit } => {
                write!(formatter, "a list has at most {limit} items")
            }
            FaultKind::Opening => write!(formatter, "a record starts with the line '---'"),
            FaultKind::Ended => write!(formatter, "the record ends before its line '...'"),
            FaultKind::Trailing => {
                write!(formatter, "nothing may follow the line '...' in a record")
            }
            FaultKind::Indentation { expected, found } => {
                write!(formatter, "the line should be indented by {expected} spaces, not {found}")
            }
            FaultKind::NotAKey { expected } => {
                write!(formatter, "expected a key, {}", alternatives(expected))
            }
            FaultKind::WrongKey { found, expected } => {
                write!(formatter, "the key '{found}' cannot stand here; expected {}", alternatives(expected))
            }
            FaultKind::KeyAgain { found, expected } => {
                write!(
                    formatter,
                    "the key '{found}' stood before, or belongs before; expected {}",
                    alternatives(expected)
                )
            }
            FaultKind::MissingKey { missing, found: Some(found) } => {
                write!(formatter, "expected the key '{missing}', found '{found}'")
            }
            FaultKind::MissingKey { missing, found: None } => write!(formatter, "expected the key '{missing}'"),
            FaultKind::Quote => write!(formatter, "a text stands in double quotes, on one line"),
            FaultKind::Escape { found } => {
                write!(formatter, "'{found}' is no escape; there are \\\" \\\\ \\n \\r \\t and \\u with four digits")
            }
            FaultKind::RawControl { found } => {
                write!(formatter, "the character U+{:04X} must be written as an escape", u32::from(*found))
            }
            FaultKind::LineEnd => write!(formatter, "the line should end here"),
            FaultKind::List => write!(formatter, "a list is written [a, b], one comma and one space between"),
            FaultKind::Value { expected, found } => {
                write!(formatter, "expected {expected}, found {found}")
            }
            FaultKind::NotCanonical { expected, found } => {
                write!(formatter, "the record is not canonical: it should say {expected}, not {found}")
            }
        }
    }
}

fn alternatives(keys: &[&str]) -> String {
    let end = "the end of the block";
    match keys {
        [] => end.to_string(),
        [only] => format!("'{only}'"),
        [first, last] => format!("'{first}' or '{last}'"),
        _ => format!("one of {}", keys.join(", ")),
    }
}
