/*! Following a log with what it publishes at its end: all cards as they lie, the order books, and the lines at which
receipts stopped. So every answer is held against what stood in the books when it was given.

What the rules make of an answer never depends on it: the answers are read with the cards that are open by then, as
everybody must who has the log no further.
*/

use super::Fold;
use super::books::Change;
use super::masks::learn;
use engine::need::Back;
use engine::slot::{Deck, Faces};
use ground::hash::Hash;
use std::collections::BTreeMap;

/// What a log publishes with its secrets, or is believed to, until it is followed so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Foreseen {
    pub root: Hash,
    /// How the order books change, the first change first.
    pub changes: Vec<Change>,
    /// The adoption before which nothing is known of the books; 0 if there was none.
    pub since: u64,
    /// The lines at which receipts stopped, by the record of the receipt and their number.
    pub lines: BTreeMap<(u64, u32), String>,
}

/// What a fold knows beforehand of the cards.
#[derive(Clone)]
pub(crate) struct Foresight {
    root: Hash,
    faces: Faces,
}

impl Fold {
    /// From its first record on, this fold knows what its log publishes. What records commit to is put off.
    pub(crate) fn foresee(&mut self, foreseen: Foreseen) {
        let Foreseen { root, changes, since, lines } = foreseen;
        self.foresight = Some(Foresight { root, faces: self.masks.faces(&root) });
        self.know_books(changes, Some(since));
        self.know_stops(lines);
        self.put_off();
    }

    /// What this log has published: what a fold that goes through it again can foresee.
    pub(crate) fn has_published(&self) -> Option<Foreseen> {
        let published = self.published()?;
        let (root, changes, since) = (published.root, published.changes.clone(), published.since);
        Some(Foreseen { root, changes, since, lines: self.receipts().stops.texts() })
    }

    /// All cards of which this fold knows how they lie, also where the log does not tell it yet.
    pub(crate) fn all_faces(&self) -> &Faces {
        self.foresight.as_ref().map_or(&self.faces, |foresight| &foresight.faces)
    }

    /// The dealer's root, if it is known or foreseen.
    pub(crate) fn any_root(&self) -> Option<&Hash> {
        self.root.as_ref().or(self.foresight.as_ref().map(|foresight| &foresight.root))
    }

    /// Learns how a deck lies that is laid down now.
    pub(super) fn learn_laid(&mut self, deck: Deck, epoch: u8, goes_in: &[Back], commitments: &[Hash]) {
        if let Some(root) = &self.root {
            let (masked, cards) = self.masks.mask(root, deck, epoch, goes_in, &self.faces);
            if masked.commitments == commitments {
                learn(&mut self.faces, deck, epoch, &cards);
            }
        }
        if let Some(Foresight { root, faces }) = &mut self.foresight {
            self.masks.learn_with(root, deck, epoch, goes_in, faces);
        }
    }
}
