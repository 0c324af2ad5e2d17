//! How the events of the book are written: YAML documents, each closed by `...`.

use super::Event;

/// An event as it is written.
pub(super) fn document(event: &Event) -> String {
    let document = serde_yaml::to_string(event).expect("an event is plain values");
    format!("---\n{document}...\n")
}

/// Where the last whole document ends.
pub(super) fn whole_documents(bytes: &[u8]) -> usize {
    let end = b"\n...\n";
    bytes.windows(end.len()).rposition(|window| window == end).map_or(0, |start| start + end.len())
}
