//! How the events of the book are written: YAML documents, each closed by `...`. What stands in one is in the notation
//! of JSON, which is YAML, too, and is read many times as fast; books that were written before have the other.

use super::Event;
use ground::disk::version;
use serde::de::Error;

/// An event as it is written.
pub(super) fn document(event: &Event) -> String {
    let document = serde_json::to_string(event).expect("an event is plain values");
    format!("---\n{document}\n...\n")
}

/// The version of a book that is written, and the newest that is read. It stands in the first document; a book in which
/// it does not is of version 1.
pub(super) const VERSION: u32 = 1;

/// What a new book begins with.
pub(super) fn beginning() -> String {
    document(&Event::Book { version: VERSION })
}

/// Of a document that is not understood: whether the book says that a newer program wrote it.
fn is_newer(document: &str) -> Option<u32> {
    let inside = document.strip_prefix("---\n").filter(|inside| inside.starts_with("{\"event\":\"book\""))?;
    let value: serde_json::Value = serde_json::from_str(inside.trim_end()).ok()?;
    let version = value.get("version").filter(|_| value.get("event").is_some_and(|event| event == "book"))?;
    u32::try_from(version.as_u64()?).ok().filter(|version| *version > VERSION)
}

/// Reads an event, without the `...` behind it.
pub(super) fn read(document: &str) -> Result<Event, String> {
    if let Some(found) = is_newer(document) {
        return Err(version::newer(found, VERSION));
    }
    match document.strip_prefix("---\n").filter(|inside| inside.starts_with('{')) {
        Some(inside) => serde_json::from_str(inside),
        None => values(document).and_then(serde_json::from_value),
    }
    .map_err(|error| error.to_string())
}

/// What stands in a document of the older notation: it becomes an event by the code that reads the newer. A field that
/// stands there twice is refused.
fn values(document: &str) -> serde_json::Result<serde_json::Value> {
    let values: serde_yaml::Value = serde_yaml::from_str(document).map_err(serde_json::Error::custom)?;
    serde_json::to_value(values)
}

/// Where the last whole document ends.
pub(super) fn whole_documents(bytes: &[u8]) -> usize {
    let end = b"\n...\n";
    bytes.windows(end.len()).rposition(|window| window == end).map_or(0, |start| start + end.len())
}
