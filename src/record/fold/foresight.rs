/*! Following a log with what it publishes at its end: where every card lies, the order books, and the lines at which
receipts stopped. So every answer can be checked against the books at that time.

The rules never use this foresight. They read an answer with the cards that are open by then, as every reader must who
has the log only so far.
*/

use super::masks::Masks;
use super::order_books::Change;
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

impl Foresight {
    /// What the root tells of the cards that are laid down.
    pub(super) fn of(root: Hash, masks: &Masks) -> Foresight {
        Foresight { root, faces: masks.faces(&root) }
    }

    pub(super) fn root(&self) -> &Hash {
        &self.root
    }

    pub(super) fn faces(&self) -> &Faces {
        &self.faces
    }

    /// Learns the cards of a deck that is laid down now.
    pub(super) fn learn(&mut self, masks: &Masks, deck: Deck, epoch: u8, goes_in: &[Back]) {
        masks.learn_with(&self.root, deck, epoch, goes_in, &mut self.faces);
    }
}
