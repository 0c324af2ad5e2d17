//! Folding what is sealed now and shown later: secret choices, and cards shown outside an answer.

use super::{Fold, SealedChoice};
use crate::commit::seals;
use crate::entry::Entry;
use crate::entry::body::{Open, Sealed};
use crate::problem::{Problem, value};

impl Fold {
    pub(crate) fn seal(&mut self, entry: &Entry, sealed: &Sealed) -> Result<(), Problem> {
        let seat = self.writer(entry)?;
        if sealed.asked >= self.head().seq {
            return Err(value("asked", "the number of an earlier record", &sealed.asked.to_string()));
        }
        self.sealed.push(SealedChoice { seat, asked: sealed.asked, x: sealed.x });
        Ok(())
    }

    pub(crate) fn open(&mut self, entry: &Entry, open: &Open, problems: &mut Vec<Problem>) -> Result<(), Problem> {
        self.known_writer(entry)?;
        for opening in &open.items {
            self.learn_opening(opening, problems)?;
        }
        match (&open.x, &open.choice, &open.salt) {
            (None, None, None) if !open.items.is_empty() => Ok(()),
            (Some(x), Some(choice), Some(salt)) => {
                let found = self.sealed.iter().position(|sealed| sealed.x == *x);
                let found = found.ok_or(Problem::SealUnknown { x: *x })?;
                let sealed = self.sealed.remove(found);
                if seals::choice(&self.plan.game, sealed.seat.0, sealed.asked, choice, salt) == *x {
                    Ok(())
                } else {
                    Err(Problem::Seal { asked: sealed.asked })
                }
            }
            _ => Err(value("items", "cards, or a sealed choice with its text and salt", "neither")),
        }
    }
}
