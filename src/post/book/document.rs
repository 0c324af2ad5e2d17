//! How the events of the book are written: YAML documents, each closed by `...`. Inside is JSON, which is YAML too
//! and parses many times as fast; older books are in block notation.

use super::Event;
use ground::disk::version;
use ground::yaml;
use serde::de::Error;

/// An event as it is written.
pub(super) fn document(event: &Event) -> String {
    let document = serde_json::to_string(event).expect("an event is plain values");
    format!("---\n{document}\n...\n")
}

/// The version that is written, and the newest that is read. The first document of a book gives it; a book without it
/// has version 1.
pub(super) const VERSION: u32 = 1;

/// What a new book begins with.
pub(super) fn beginning() -> String {
    document(&Event::Book { version: VERSION })
}

/// The version that the first document of a book gives, if it is newer than ours.
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

/// The values of a document in the older notation, for the code that also reads the newer. Refuses a field that
/// occurs twice.
fn values(document: &str) -> serde_json::Result<serde_json::Value> {
    let values: serde_yaml::Value = yaml::read(document).map_err(serde_json::Error::custom)?;
    serde_json::to_value(values)
}

/// Where the last whole document ends.
pub(super) fn whole_documents(bytes: &[u8]) -> usize {
    let end = b"\n...\n";
    bytes.windows(end.len()).rposition(|window| window == end).map_or(0, |start| start + end.len())
}
