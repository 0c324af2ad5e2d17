//! What was said: a sentence in its canonical words, and in those of earlier releases.

use crate::slot::{Card, Slot};
use std::collections::BTreeSet;
use std::ops::Range;

/// A sentence read to its end: its canonical form, and the face-down cards it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    pub sentence: String,
    /// The parts of the sentence that earlier releases recorded in other words, in order; usually none.
    pub(super) formerly: Vec<Former>,
    pub shows: Vec<(Slot, Card)>,
}

/// A part of a sentence that earlier releases printed in other words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Former {
    /// The bytes of the sentence, with the blank before them.
    pub(super) at: Range<usize>,
    /// The words of earlier releases, with the blank before them.
    pub(super) words: String,
}

impl Said {
    /// Whether a log may record the sentence in these words: each part in the canonical words or in those of an
    /// earlier release. Other spellings are read from players and never recorded.
    pub fn is_recorded_as(&self, words: &str) -> bool {
        if self.formerly.is_empty() {
            return self.sentence == words;
        }
        let mut from = 0;
        // The rest of `words` behind each possible match of the parts so far. All rests are ends of the same text, so
        // there are at most as many as it has bytes.
        let mut rests = BTreeSet::from([words]);
        for former in &self.formerly {
            let (before, now) = (&self.sentence[from..former.at.start], &self.sentence[former.at.clone()]);
            let after = rests.into_iter().filter_map(|rest| rest.strip_prefix(before));
            rests = after.flat_map(|rest| [now, &former.words].map(|form| rest.strip_prefix(form))).flatten().collect();
            from = former.at.end;
        }
        rests.contains(&self.sentence[from..])
    }
}
