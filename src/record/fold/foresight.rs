/*! Following a log with what it publishes at its end: where every card lies, the order books, and the lines at which
receipts stopped. So every answer can be checked against the books at that time.

The rules never use this foresight. They read an answer with the cards that are open by then, as every reader must who
has the log only so far.
*/

use super::Fold;
use super::books::Change;
use super::masks::learn;
use engine::need::Back;
use engine::slot::{Deck, Faces};
use ground::hash::Hash;
use std::collections::BTreeMap;

/// What a log publishes with its secrets, or is believed to publish, until the fold comes to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Foreseen {
    pub root: Hash,
    /// How the order books change, in order.
    pub changes: Vec<Change>,
    /// The adoption before which the books are lost; 0 if there was none.
    pub since: u64,
    /// The texts of the lines at which receipts stopped, by the record of the receipt and the number of the line.
    pub lines: BTreeMap<(u64, u32), String>,
}

/// What a fold knows of the cards beforehand.
#[derive(Clone)]
pub(crate) struct Foresight {
    root: Hash,
    faces: Faces,
}

impl Fold {
    /// Tells a fold at its first record what its log publishes. From here on it puts off the checks of commitments.
    pub(crate) fn foresee(&mut self, foreseen: Foreseen) {
        let Foreseen { root, changes, since, lines } = foreseen;
        self.foresight = Some(Foresight { root, faces: self.masks.faces(&root) });
        self.know_books(changes, Some(since));
        self.know_stops(lines);
        self.put_off();
    }

    /// What this log has published, for a fold that goes through it again.
    pub(crate) fn has_published(&self) -> Option<Foreseen> {
        let published = self.published()?;
        let (root, changes, since) = (published.root, published.changes.clone(), published.since);
        Some(Foreseen { root, changes, since, lines: self.receipts().stops.texts() })
    }

    /// All cards whose place this fold knows, including those that the log has not shown yet.
    pub(crate) fn all_faces(&self) -> &Faces {
        self.foresight.as_ref().map_or(&self.faces, |foresight| &foresight.faces)
    }

    /// The dealer's root, if it is known or foreseen.
    pub(crate) fn any_root(&self) -> Option<&Hash> {
        self.root.as_ref().or(self.foresight.as_ref().map(|foresight| &foresight.root))
    }

    /// Learns the cards of a deck that is laid down now.
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
