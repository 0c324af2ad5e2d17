/*! What of a record can be checked beside the following: whether the facts that changed are those it says, its digest,
and its commitment to the order books. Nothing that comes later depends on it, so another thread can do it while the
next records are followed.
*/

use super::Fold;
use super::follow::different_facts;
use crate::commit::seals;
use crate::entry::Entry;
use engine::facts::{Change, Facts};
use engine::title::Game;
use engine::watch::Watch;
use ground::hash::{GameId, Hash, Hex};
use std::sync::Arc;

/// What a fold has put off of the record that it followed last.
#[derive(Debug, Default)]
pub(crate) struct PutOff {
    /// The facts that changed.
    pub(super) facts: bool,
    /// The order books, if the record must have committed to these.
    pub(super) books: Option<Vec<Arc<str>>>,
}

/// What is left to be checked of one record.
pub struct Rest {
    /// Its number, which is not what it says of itself if somebody has changed that.
    seq: u64,
    /// The game after it.
    game: Option<Box<dyn Game>>,
    has_changed: bool,
    books: Option<Vec<Arc<str>>>,
}

/// Checks what a fold puts off, record after record.
pub struct Beside {
    game: GameId,
    root: Option<Hash>,
    watch: Option<Box<dyn Watch>>,
    change: Change,
    facts: Facts,
}

impl Fold {
    /// From here on, what can be checked beside the following is put off.
    pub(crate) fn put_off(&mut self) {
        self.put_off = Some(PutOff::default());
    }

    /// What was put off of the last record.
    pub(crate) fn rest(&mut self, entry: &Entry) -> Rest {
        let PutOff { facts, books } = self.put_off.as_mut().map(std::mem::take).unwrap_or_default();
        let game = (facts || entry.digest.is_some()).then(|| self.game.copy());
        Rest { seq: self.head().seq, game, has_changed: facts, books }
    }

    /// Who checks what this fold puts off from here on.
    pub(crate) fn beside(&self) -> Beside {
        let root = self.any_root().copied();
        Beside { game: self.plan.game, root, watch: None, change: Change::default(), facts: Facts::default() }
    }
}

impl Beside {
    /// Whether the record says what the rules say.
    pub(crate) fn agrees(&mut self, entry: &Entry, rest: Rest) -> bool {
        let Rest { seq, game, has_changed, books } = rest;
        self.facts_agree(entry, game, has_changed) && self.books_agree(seq, entry, books)
    }

    fn facts_agree(&mut self, entry: &Entry, game: Option<Box<dyn Game>>, has_changed: bool) -> bool {
        let Some(game) = game else { return true };
        if let Some(digest) = entry.digest {
            game.facts(&mut self.facts);
            if Hex(self.facts.digest()) != digest {
                return false;
            }
        }
        if !has_changed {
            return true;
        }
        let watch = self.watch.get_or_insert_with(|| game.watch());
        watch.look(game, &mut self.change);
        let recorded = entry.outcome.as_ref().map_or(&[][..], |outcome| &outcome.changed);
        different_facts(&self.change, recorded).is_none()
    }

    fn books_agree(&self, seq: u64, entry: &Entry, books: Option<Vec<Arc<str>>>) -> bool {
        let (Some(books), Some(root)) = (books, &self.root) else { return true };
        entry.books == Some(seals::books(&self.game, root, seq, books.iter().map(|text| &**text)))
    }
}
