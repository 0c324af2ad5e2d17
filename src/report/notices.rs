//! What is put on record outside the rules, as everybody is told it: a sentence an entry.

use crate::record::body::Text;
use crate::record::entry::{Body, Entry, HOST};

/// The entry in a sentence; `None` for entries that the game itself tells, or that concern nobody else.
pub fn notice(entry: &Entry<'_>) -> Option<String> {
    let who = begin(&entry.seat);
    match &entry.body {
        Body::Dispute(dispute) => Some(format!("{who} disputes #{}: {}", dispute.about, dispute.text)),
        Body::Genesis(_)
        | Body::Join(_)
        | Body::Start(_)
        | Body::Say(_)
        | Body::Standing(_)
        | Body::Sealed(_)
        | Body::Open(_)
        | Body::Refused(_)
        | Body::Deck(_)
        | Body::Chain(_)
        | Body::Correction(_)
        | Body::Clock(_)
        | Body::Reveal(_)
        | Body::End(_) => None,
    }
}

/// A seat at the beginning of a sentence.
fn begin(seat: &Text<'_>) -> String {
    if seat == HOST {
        return "The host".to_owned();
    }
    let mut letters = seat.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
