/*! What is wrong with a record that cannot be read, and where. */

/// Why and where a record was refused by the reader.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the record, column {column}: {kind}")]
pub struct Fault {
    /// The line within the record; line 1 is `---`.
    pub line: u64,
    /// The column in that line, from 1, counted in bytes.
    pub column: u64,
    pub kind: FaultKind,
}

/// What is wrong at that place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultKind {
    #[error("the bytes are not UTF-8")]
    NotUtf8,
    #[error("a record has at most {limit} bytes")]
    RecordTooLong { limit: usize },
    #[error("a line has at most {limit} bytes")]
    LineTooLong { limit: usize },
    #[error("blocks are nested at most {limit} deep")]
    TooDeep { limit: usize },
    #[error("a list has at most {limit} items")]
    TooManyItems { limit: usize },
    #[error("a record starts with the line '---'")]
    Opening,
    #[error("the record ends before its line '...'")]
    Ended,
    #[error("nothing may follow the line '...' in a record")]
    Trailing,
    #[error("the line should be indented by {expected} spaces, not {found}")]
    Indentation { expected: usize, found: usize },
    #[error("expected a key, {}", alternatives(.expected))]
    NotAKey { expected: Vec<&'static str> },
    #[error("the key '{found}' cannot stand here; expected {}", alternatives(.expected))]
    WrongKey { found: String, expected: Vec<&'static str> },
    #[error("the key '{found}' stood before, or belongs before; expected {}", alternatives(.expected))]
    KeyAgain { found: String, expected: Vec<&'static str> },
    #[error("expected the key '{missing}'{}", instead(.found.as_deref()))]
    MissingKey { missing: &'static str, found: Option<String> },
    #[error("a text stands in double quotes, on one line")]
    Quote,
    #[error("'{found}' is no escape; there are \\\" \\\\ \\n \\r \\t and \\u with four digits")]
    Escape { found: String },
    #[error("the character U+{:04X} must be written as an escape", u32::from(*.found))]
    RawControl { found: char },
    #[error("the line should end here")]
    LineEnd,
    #[error("a list is written [a, b], one comma and one space between")]
    List,
    #[error("expected {expected}, found {found}")]
    Value { expected: String, found: String },
    #[error("the record is not canonical: it should say {expected}, not {found}")]
    NotCanonical { expected: String, found: String },
}

fn instead(found: Option<&str>) -> String {
    found.map_or(String::new(), |found| format!(", found '{found}'"))
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
