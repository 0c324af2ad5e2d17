/*! A line of a letter that is no move: a request of the table, a standing order, or one taken back. */

use super::book::Fate;
use super::enclosure::Enclosure;
use super::fault::PostError;
use super::request::{self, Request};
use super::sentences::{Said, Sentence, Start};
use super::turn::{Turn, is_trouble, refused_because};
use super::wrapped;
use crate::record::log::Head;
use crate::record::table_error::TableError;

/// Why a request that is not at the left margin is not heard: letters of ours print them further in, and so a letter
/// that comes back without any sign of quotation does nothing.
const INDENTED: &str = "a request begins at the left margin; write it again, without blanks or a bullet before it";

impl Turn<'_> {
    /// What becomes of a line that is no move; `None` if it is one.
    pub(super) fn request(&mut self, sentence: &mut Sentence) -> Result<Option<Fate>, PostError> {
        if let Some(read) = self.read_request(sentence) {
            if sentence.start == Start::Indented {
                return Ok(Some(refused_because(INDENTED)));
            }
            return match read {
                Ok(request) => self.answer_request(&request).map(Some),
                Err(misread) => Ok(Some(refused_because(&misread.to_string()))),
            };
        }
        if sentence.words.starts_with("when ") {
            return self.standing_order(sentence).map(Some);
        }
        let number = sentence.words.strip_prefix("cancel ");
        let number = number.map(|rest| rest.trim_start_matches("standing ").trim_start_matches('#').parse());
        let Some(Ok(number)) = number else { return Ok(None) };
        if let Some(refused) = self.too_low(sentence) {
            return Ok(Some(refused));
        }
        let via = self.via_of(sentence);
        let done = self.table.cancel_order(self.seat, number, Some(via), self.at);
        fate(&sentence.words, done).map(Some)
    }

    /// The request that a line is; `None` if it is none, or if its first word is the game's.
    fn read_request(&self, sentence: &Sentence) -> Option<Result<Request, request::Misread>> {
        let read = request::read(&sentence.words, &sentence.original)?;
        let reader = |words: &str| self.table.read(self.seat, words).map(drop);
        (!wrapped::begins_a_sentence(&sentence.words, reader)).then_some(read)
    }

    /// How the answer calls a line that is no move and was done.
    pub(super) fn words_of_the_post(&self, sentence: &Sentence) -> String {
        match self.read_request(sentence) {
            Some(Ok(request)) => request.to_string(),
            _ => sentence.words.clone(),
        }
    }

    /// Whether a line is a request, right or wrong.
    pub(super) fn is_request(&self, said: &Said) -> bool {
        matches!(said, Said::Sentence(sentence) if self.read_request(sentence).is_some())
    }

    /// Notes what a line that was done wants to have with the answer.
    pub(super) fn enclose(&mut self, said: &Said) {
        if let Said::Sentence(sentence) = said
            && let Some(Ok(request)) = self.read_request(sentence)
        {
            self.progress.enclosures.extend(Enclosure::of(&request));
        }
    }

    fn standing_order(&mut self, sentence: &mut Sentence) -> Result<Fate, PostError> {
        if let Some(refused) = self.settle_extent_now(sentence)? {
            return Ok(refused);
        }
        let words = sentence.words.as_str();
        if self.progress.dry.is_some() {
            return Ok(match self.table.read_order(words) {
                Ok(order) => Fate::Done { said: order.to_string(), seq: None },
                Err(error) => refused_because(&error.to_string()),
            });
        }
        if let Some(refused) = self.too_low(sentence) {
            return Ok(refused);
        }
        let (via, order) = (self.via_of(sentence), sentence.signed.as_deref());
        let done = self.table.leave_signed_order(self.seat, words, order, Some(via), self.at);
        fate(words, done.map(|heads| heads[0]))
    }

    fn answer_request(&mut self, request: &Request) -> Result<Fate, PostError> {
        let last = self.table.fold().head().seq;
        let entry = match request {
            Request::Why { seq: entry } | Request::Dispute { about: entry, .. } => Some(*entry),
            Request::Map { at } => *at,
            Request::History { from, .. } => *from,
            Request::Help { .. } | Request::Status | Request::Menu | Request::Standing | Request::Check => None,
        };
        if let Some(entry) = entry.filter(|entry| *entry > last) {
            return Ok(refused_because(&format!("there is no entry {entry}; the last is {last}")));
        }
        let said = request.to_string();
        if self.progress.dry.is_some() {
            return Ok(Fate::Done { said, seq: None });
        }
        match request {
            Request::Dispute { about, text } => {
                let via = self.via(None);
                fate(&said, self.table.dispute(self.seat, *about, text, Some(via), self.at))
            }
            Request::Help { .. }
            | Request::Status
            | Request::Menu
            | Request::Standing
            | Request::Check
            | Request::Map { .. }
            | Request::History { .. }
            | Request::Why { .. } => Ok(Fate::Done { said, seq: None }),
        }
    }
}

/// What became of a line that makes an entry.
pub(super) fn fate(said: &str, done: Result<Head, TableError>) -> Result<Fate, PostError> {
    match done {
        Ok(head) => Ok(Fate::Done { said: said.to_owned(), seq: Some(head.seq) }),
        Err(error) if is_trouble(&error) => Err(error.into()),
        Err(error) => Ok(refused_because(&error.to_string())),
    }
}
