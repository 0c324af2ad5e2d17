//! I1: a letter that came before, and a different letter with the Message-ID of an earlier one.

use super::case::Case;
use super::{AGAIN_AFTER, Desk, Received};
use crate::book::fault::PostError;
use crate::book::outgoing;
use crate::book::{LetterIn, State};
use crate::names::address::Place;
use ground::stamp::Stamp;
use mail::letter::Letter;
use std::collections::VecDeque;

impl Desk {
    /// I1: the same letter again. It is not played again; the answer to it is sent again, at most once an hour.
    pub(super) fn again(&mut self, twin: &LetterIn, at: Stamp) -> Result<Received, PostError> {
        let mut received = Received::again();
        let Some(answer) = twin.answer.clone() else { return Ok(received) };
        let Some(State::Sent { at: sent }) = self.book.letter_out(&answer).map(|out| &out.state) else {
            return Ok(received);
        };
        let is_lost = at.since_written(sent).is_some_and(|passed| passed >= AGAIN_AFTER);
        if is_lost && outgoing::once_more(&answer, &self.outbox, &mut self.book, at)? {
            received.letters.push(answer);
        }
        Ok(received)
    }

    /// I1: a different letter with the Message-ID of an earlier one. Somebody forges, or a mail program is broken.
    pub(super) fn other_of_that_name(
        &mut self,
        raw: &[u8],
        letter: &Letter,
        place: &Place,
        at: Stamp,
    ) -> Result<Received, PostError> {
        let letter_in = self.take(raw, letter, place, at)?;
        let why = "another letter came with the same Message-ID before; nothing in this one is played. Write it anew";
        let case = Case { letter, place, seen: None, letter_in, before: VecDeque::new() };
        match self.table.fold().plan().seat(&place.seat) {
            Some(_) => self.with_clerk(case, at, |clerk| clerk.refuse_whole(why)),
            // A guest who says the same again changes nothing.
            None => self.play(case, at),
        }
    }

    /// The earlier letter with the same Message-ID.
    pub(super) fn called_alike(&self, letter: &Letter) -> Option<LetterIn> {
        let mail = letter.envelope.message_id.as_deref()?;
        self.book.letters_called(mail).next().cloned()
    }
}
