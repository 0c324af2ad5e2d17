/*! What has been heard at a position: each text is read against the menu once, however many questions are asked about
it, and what was read is what is said.
*/

use engine::refusal::Refusal;
use record::entry::Head;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

/// The texts that were read at a position, each with what the reader made of it.
pub(super) struct Ear<T> {
    /// The last record when they were read.
    after: Cell<Option<Head>>,
    heard: RefCell<BTreeMap<String, Result<T, Refusal>>>,
}

impl<T> Default for Ear<T> {
    fn default() -> Ear<T> {
        Ear { after: Cell::new(None), heard: RefCell::default() }
    }
}

impl<T> Ear<T> {
    /// Reads a text, unless it was read before.
    pub(super) fn hear(&self, words: &str, read: impl FnOnce(&str) -> Result<T, Refusal>) -> Result<(), Refusal> {
        if let Some(heard) = self.heard.borrow().get(words) {
            return heard.as_ref().map(drop).map_err(Refusal::clone);
        }
        let heard = read(words);
        let known = heard.as_ref().map(drop).map_err(Refusal::clone);
        self.heard.borrow_mut().insert(words.to_owned(), heard);
        known
    }

    /// What was made of a text that was read and understood.
    pub(super) fn of<R>(&self, words: &str, ask: impl FnOnce(&T) -> R) -> Option<R> {
        self.heard.borrow().get(words).and_then(|heard| heard.as_ref().ok()).map(ask)
    }

    /// Takes out what was made of a text, to say it; it was read, or is read now.
    pub(super) fn take(&self, words: &str, read: impl FnOnce(&str) -> Result<T, Refusal>) -> Result<T, Refusal> {
        self.hear(words, read)?;
        self.heard.borrow_mut().remove(words).expect("it was just heard")
    }

    /// Forgets what was heard before this record.
    pub(super) fn is_at(&self, head: Head) {
        if self.after.replace(Some(head)) != Some(head) {
            self.forget();
        }
    }

    /// The position has changed: what was heard holds no longer.
    pub(super) fn forget(&self) {
        self.heard.borrow_mut().clear();
    }
}
