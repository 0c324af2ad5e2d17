/*! Which letter of ours another one answers, judged by the part that its mail domain signed (log 10.9).

Providers differ in what they sign. All sign the subject, which has the tag of our letter; some sign `In-Reply-To`
too, and then both must agree. Unsigned parts do not count: anybody can put them on a letter.
*/

use super::address::{Place, claims};
use super::message_id::{MessageId, SubjectTag};
use mail::letter::signed_part::SignedPart;

/// The question that a signed letter answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    pub game: String,
    /// The seat, if `In-Reply-To` or `To` is signed.
    pub seat: Option<String>,
    pub seq: u64,
    /// The head in hexadecimal: all of it, or only the digits in the subject.
    pub head: String,
}

impl Question {
    /// Reads it from the signed part of a letter.
    ///
    /// # Errors
    /// In words: why the signed part names no letter of ours, or two, or another recipient.
    pub fn of(part: &SignedPart) -> Result<Question, String> {
        let envelope = &part.letter.envelope;
        let tag = SubjectTag::find(&envelope.subject);
        let is_reply = envelope.values("in-reply-to").next().is_some();
        let answered = match envelope.in_reply_to.as_slice() {
            [only] => MessageId::read(only),
            _ => None,
        };
        let question = match (answered, tag) {
            (None, _) if is_reply => return Err("it answers another letter than one of ours (In-Reply-To)".to_owned()),
            (Some(id), Some(tag))
                if tag.game != id.game || tag.seq != id.seq || !id.head.to_string().starts_with(&tag.head) =>
            {
                return Err("its In-Reply-To and its Subject name different letters".to_owned());
            }
            (Some(id), _) => Question { game: id.game, seat: Some(id.seat), seq: id.seq, head: id.head.to_string() },
            (None, Some(tag)) => Question { game: tag.game, seat: None, seq: tag.seq, head: tag.head },
            (None, None) => return Err("nothing that is signed names the letter of ours that it answers".to_owned()),
        };
        question.addressed(part)
    }

    /// If `To` is signed and does not name the seat's address, the letter was not meant for the game.
    fn addressed(self, part: &SignedPart) -> Result<Question, String> {
        if !part.signed.fields.iter().any(|field| field == "to") {
            return Ok(self);
        }
        let to = claims(&part.letter.envelope);
        let is_its =
            |place: &&Place| place.game == self.game && self.seat.as_ref().is_none_or(|seat| *seat == place.seat);
        match to.iter().find(is_its) {
            Some(place) => Ok(Question { seat: Some(place.seat.clone()), ..self }),
            None => Err("it was written to somebody else: To does not name the address of the seat".to_owned()),
        }
    }

    /// Whether the letter may speak for this seat: it names the game, and no other seat.
    pub fn is_for(&self, game: &str, seat: &str) -> bool {
        self.game == game && self.seat.as_ref().is_none_or(|named| named == seat)
    }
}
