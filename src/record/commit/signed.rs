/*! A sentence as its seat signs it: the game, the seat, the record that the letter answers, the number of the
sentence, and the sentence itself. So a signed sentence counts only in this game and for this seat, only once, and
only after those before it (log 10.4).

Each sentence is a text with its own signature: a sentence that is played is published, and one that is left for later
must not be published with it.
*/

use super::signature::{NotSigned, ORDER, PublicKey, Signature};
use crate::entry::body::Signed;
use ground::hash::{GameId, Hash};
use std::fmt;

/// The first line of a signed sentence.
pub const TITLE: &str = "ringmail-order/2";

/// The kind of a signed sentence; each kind is numbered separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// An answer to the game, now or left ahead.
    Line,
    /// A standing order.
    Order,
    /// Anything else: a vote, a motion, another key.
    Request,
}

impl Part {
    pub const ALL: [Part; 3] = [Part::Line, Part::Order, Part::Request];

    /// The word in the signed text.
    pub fn word(self) -> &'static str {
        match self {
            Part::Line => "line",
            Part::Order => "order",
            Part::Request => "request",
        }
    }
}

/// The record that a letter answers, as its writer signed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SignedOn {
    pub seq: u64,
    /// The head of the log at that record.
    pub head: Hash,
}

/// What a seat signs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedSentence {
    pub game: GameId,
    pub seat: String,
    pub on: SignedOn,
    pub part: Part,
    /// Its number among the sentences of its kind signed on that head, from 1, and how many of them there are.
    pub number: u32,
    pub of: u32,
    pub words: String,
}

impl fmt::Display for SignedSentence {
    /// The bytes that are signed, to the last line feed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SignedSentence { game, seat, on, part, number, of, words } = self;
        writeln!(f, "{TITLE}")?;
        writeln!(f, "game {game}")?;
        writeln!(f, "seat {seat}")?;
        writeln!(f, "on {} {}", on.seq, on.head)?;
        writeln!(f, "{} {number} of {of}", part.word())?;
        writeln!(f, "{words}")
    }
}

/// A sentence with the signature that came with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedOrder {
    pub sentence: SignedSentence,
    pub signature: Signature,
}

/// Why a signed sentence is not its seat's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderRefused {
    Game { expected: GameId, found: GameId },
    Seat { expected: String, found: String },
    NoKeys,
    NotSigned(NotSigned),
}

impl fmt::Display for OrderRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OrderRefused::Game { expected, found } => {
                write!(f, "it was signed for the game {found}, and this is {expected}")
            }
            OrderRefused::Seat { expected, found } => write!(f, "it was signed for {found}, and this is {expected}"),
            OrderRefused::NoKeys => write!(f, "the seat has announced no key"),
            OrderRefused::NotSigned(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for OrderRefused {}

impl SignedOrder {
    /// Checks that the seat of this game signed the sentence with one of its keys.
    pub fn check(&self, game: &GameId, seat: &str, keys: &[PublicKey]) -> Result<PublicKey, OrderRefused> {
        let sentence = &self.sentence;
        if sentence.game != *game {
            return Err(OrderRefused::Game { expected: *game, found: sentence.game });
        }
        if sentence.seat != seat {
            return Err(OrderRefused::Seat { expected: seat.to_owned(), found: sentence.seat.clone() });
        }
        if keys.is_empty() {
            return Err(OrderRefused::NoKeys);
        }
        let text = sentence.to_string();
        self.signature.check(keys, ORDER, text.as_bytes()).map_err(OrderRefused::NotSigned)
    }

    /// What the record keeps of it; the record already has the game, the seat and what the seat had seen.
    pub fn in_record(&self) -> Signed {
        let SignedSentence { number, of, words, .. } = &self.sentence;
        Signed { number: *number, of: *of, words: words.clone(), sig: self.signature.in_one_line() }
    }
}

impl Signed {
    /// Restores the signed sentence from what a record keeps.
    pub fn order(&self, game: GameId, seat: &str, on: SignedOn, part: Part) -> Result<SignedOrder, NotSigned> {
        let Signed { number, of, words, sig } = self;
        let (number, of, words) = (*number, *of, words.clone());
        let sentence = SignedSentence { game, seat: seat.to_owned(), on, part, number, of, words };
        // A record spells each signature in exactly one way.
        let signature = Signature::read(sig).ok().filter(|signature| signature.in_one_line() == *sig);
        Ok(SignedOrder { sentence, signature: signature.ok_or(NotSigned::Damaged)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commit::signature::SigningKey;
    use ground::hash::Hex;

    fn order() -> (SigningKey, SignedOrder) {
        let key = SigningKey::of_seed(&Hex([7; 32]));
        let sentence = SignedSentence {
            game: Hex([7; 16]),
            seat: "green".to_owned(),
            on: SignedOn { seq: 12, head: Hex([9; 32]) },
            part: Part::Line,
            number: 2,
            of: 3,
            words: "roll 2".to_owned(),
        };
        let signature = key.sign(ORDER, sentence.to_string().as_bytes());
        (key, SignedOrder { sentence, signature })
    }

    /// X6: a signed sentence serves in one game, for one seat, on one head, once.
    #[test]
    fn x6_nothing_of_a_signed_sentence_can_be_altered() {
        let (key, order) = order();
        let keys = [key.public];
        let game = Hex([7; 16]);
        assert_eq!(order.check(&game, "green", &keys), Ok(key.public));
        assert!(matches!(order.check(&Hex([8; 16]), "green", &keys), Err(OrderRefused::Game { .. })));
        assert!(matches!(order.check(&game, "black", &keys), Err(OrderRefused::Seat { .. })));
        assert_eq!(order.check(&game, "green", &[]), Err(OrderRefused::NoKeys));
        let changes: [fn(&mut SignedSentence); 6] = [
            |it| it.on.head.0[0] ^= 1,
            |it| it.on.seq = 13,
            |it| it.part = Part::Order,
            |it| it.number = 3,
            |it| it.of = 2,
            |it| it.words = "roll 3".to_owned(),
        ];
        for change in changes {
            let mut altered = order.clone();
            change(&mut altered.sentence);
            let refused = altered.check(&game, "green", &keys);
            assert_eq!(refused, Err(OrderRefused::NotSigned(NotSigned::OtherText)));
        }
    }

    #[test]
    fn a_record_keeps_all_of_it() {
        let (_, order) = order();
        let SignedSentence { on, part, .. } = order.sentence;
        assert_eq!(order.in_record().order(Hex([7; 16]), "green", on, part), Ok(order));
    }
}
