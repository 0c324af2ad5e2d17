/*! A sentence as its seat signs it: which game, which seat, what had been seen, which sentence of the letter, and the
sentence itself. So a signed sentence can be played in no other game, by no other seat, and never twice.

One sentence is one text with a signature of its own: what is played is published, and what is kept for later must not
be published with it.
*/

use super::signature::{NotSigned, ORDER, PublicKey, Signature};
use crate::record::entry::body::{SignedWords, Text};
use crate::record::value::hash::{GameId, Hash};
use std::fmt;

/// The first line of a signed sentence.
pub const TITLE: &str = "ringmail-order/1";

/// What a seat signs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedSentence {
    pub game: GameId,
    pub seat: String,
    /// The head of the log that the letter answers.
    pub head: Hash,
    /// Which sentence it is among those signed on that head, from 1.
    pub number: u32,
    pub words: String,
}

impl fmt::Display for SignedSentence {
    /// The bytes that are signed, to the last line feed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{TITLE}")?;
        writeln!(f, "game {}", self.game)?;
        writeln!(f, "seat {}", self.seat)?;
        writeln!(f, "head {}", self.head)?;
        writeln!(f, "order {}", self.number)?;
        writeln!(f, "{}", self.words)
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
    ///
    /// # Errors
    /// Why it did not.
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

    /// What the record keeps of it; the game and the seat stand there already.
    #[must_use]
    pub fn in_record(&self) -> (SignedWords<'static>, Text<'static>) {
        let SignedSentence { head, number, words, .. } = &self.sentence;
        let signed = SignedWords { head: *head, number: *number, words: Text::from(words.clone()) };
        (signed, Text::from(self.signature.in_one_line()))
    }

    /// Puts together what a record keeps.
    ///
    /// # Errors
    /// The signature is damaged.
    pub fn of_record(game: GameId, seat: &str, signed: &SignedWords, sig: &str) -> Result<SignedOrder, NotSigned> {
        let (head, number, words) = (signed.head, signed.number, signed.words.to_string());
        let sentence = SignedSentence { game, seat: seat.to_owned(), head, number, words };
        // One signature has one spelling in a record, as everything has.
        let signature = Signature::read(sig).ok().filter(|signature| signature.in_one_line() == sig);
        Ok(SignedOrder { sentence, signature: signature.ok_or(NotSigned::Damaged)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::commit::signature::SigningKey;
    use crate::record::value::hash::Hex;

    fn order() -> (SigningKey, SignedOrder) {
        let key = SigningKey::of_seed(&Hex([7; 32]));
        let sentence = SignedSentence {
            game: Hex([7; 16]),
            seat: "green".to_owned(),
            head: Hex([9; 32]),
            number: 2,
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
        let changes: [fn(&mut SignedSentence); 3] =
            [|it| it.head.0[0] ^= 1, |it| it.number = 3, |it| it.words = "roll 3".to_owned()];
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
        let (signed, sig) = order.in_record();
        assert_eq!(SignedOrder::of_record(Hex([7; 16]), "green", &signed, &sig), Ok(order));
    }
}
