/*! What can be checked of a record while the next ones are already followed: whether the facts changed as the record
says, its digest, and its commitment to the order books. No later record depends on the result, so another thread can
do it.
*/

use super::Fold;
use super::follow::different_facts;
use super::foresight::{Foreseen, Foresight};
use super::put_off::PutOff;
use crate::commit::seals;
use crate::entry::Entry;
use engine::facts::{Change, Facts};
use engine::game::Game;
use engine::game::Watch;
use ground::hash::{GameId, Hash, Hex};
use std::sync::Arc;

/// What is left to be checked of one record.
pub struct Rest {
    /// Its place in the log. If somebody has altered the record, it may state another number.
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
    /// Tells a fold at its first record what its log publishes. From here on it puts off the checks of commitments.
    pub(crate) fn foresee(&mut self, foreseen: Foreseen) {
        let Foreseen { root, changes, since, lines } = foreseen;
        self.foresight = Some(Foresight::of(root, &self.masks));
        self.know_books(changes, Some(since));
        self.receipts.stops.know(lines);
        self.put_off();
    }

    /// What this log has published, for a fold that goes through it again.
    pub(crate) fn has_published(&self) -> Option<Foreseen> {
        let published = self.published()?;
        let (root, changes, since) = (published.root, published.changes.clone(), published.since);
        Some(Foreseen { root, changes, since, lines: self.receipts().stops.texts() })
    }

    /// From here on, puts off what another thread can check.
    pub(crate) fn put_off(&mut self) {
        self.put_off = Some(PutOff::default());
    }

    /// What was put off for the last record.
    pub(crate) fn rest(&mut self, entry: &Entry) -> Rest {
        let PutOff { facts, books } = self.put_off.as_mut().map(std::mem::take).unwrap_or_default();
        let game = (facts || entry.digest.is_some()).then(|| self.game.copy());
        Rest { seq: self.head().seq, game, has_changed: facts, books }
    }

    /// The checker of what this fold puts off from here on.
    pub(crate) fn beside(&self) -> Beside {
        let root = self.any_root().copied();
        Beside { game: self.plan.game, root, watch: None, change: Change::default(), facts: Facts::default() }
    }
}

impl Beside {
    /// Whether the record agrees with the rules.
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
