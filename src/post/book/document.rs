//! How the events of the book are written: YAML documents, each closed by `...`. What stands in one is in the notation
//! of JSON, which is YAML, too, and is read many times as fast; books that were written before have the other.

use super::Event;

/// An event as it is written.
pub(super) fn document(event: &Event) -> String {
    let document = serde_json::to_string(event).expect("an event is plain values");
    format!("---\n{document}\n...\n")
}

/// Reads an event, without the `...` behind it.
pub(super) fn read(document: &str) -> Result<Event, String> {
    match document.strip_prefix("---\n").filter(|inside| inside.starts_with('{')) {
        Some(inside) => serde_json::from_str(inside).map_err(|error| error.to_string()),
        None => serde_yaml::from_str(document).map_err(|error| error.to_string()),
    }
}

/// Where the last whole document ends.
pub(super) fn whole_documents(bytes: &[u8]) -> usize {
    let end = b"\n...\n";
    bytes.windows(end.len()).rposition(|window| window == end).map_or(0, |start| start + end.len())
}
