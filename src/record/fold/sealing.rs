/*! What is sealed now and shown later, as a log is folded: standing orders, secret choices, and cards shown outside an
answer.
*/

use super::standing::Standing;
use super::{Fold, SealedChoice};
use crate::record::commit::seals::Sealing;
use crate::record::entry::Entry;
use crate::record::entry::body::{Open, Sealed};
use crate::record::problem::{Problem, value};
use crate::record::value::hash::Hash;

impl Fold {
    pub(crate) fn leave_order(&mut self, entry: &Entry, x: Option<Hash>, cancel: Option<u64>) -> Result<(), Problem> {
        let seat = self.writer(entry)?;
        match (x, cancel) {
            (Some(x), None) => {
                self.tally.orders_left += 1;
                self.orders.push(Standing::new(self.head().seq, seat, x, self.game.turn()));
                Ok(())
            }
            (None, Some(standing)) => {
                let found = self.orders.iter().position(|order| order.seq == standing && order.seat == seat);
                let why = || "the seat has no such order standing".to_string();
                self.orders.remove(found.ok_or_else(|| Problem::StandingOrder { standing, why: why() })?);
                Ok(())
            }
            _ => Err(value("x", "a seal, or `cancel` in its place", "a mismatch")),
        }
    }

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
                match Sealing::Choice.seal(&self.plan.game, sealed.seat.0, sealed.asked, choice, salt) == *x {
                    true => Ok(()),
                    false => Err(Problem::Seal { standing: sealed.asked }),
                }
            }
            _ => Err(value("items", "cards, or a sealed choice with its text and salt", "neither")),
        }
    }
}
