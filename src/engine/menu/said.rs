//! What was said: a sentence in its canonical words.

use crate::slot::{Card, Slot};

/// A sentence read to its end: its canonical form, and the face-down cards it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    pub sentence: String,
    pub shows: Vec<(Slot, Card)>,
}
