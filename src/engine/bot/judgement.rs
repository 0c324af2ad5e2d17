//! What a bot has to know of a title. Each part has a default: the bot of a title that says nothing plays at random.

use crate::chance::Chance;
use crate::play::Rules;
use crate::seat::Seat;
use crate::slot::Faces;

/// The judgement of a title, beside its rules, which know nothing of it.
pub trait Judgement: Rules {
    /// How good the position is for the seat if the cards in `faces` are known: more is better.
    fn hope(_board: &Self::Board, _seat: Seat, _faces: &Faces) -> i64 {
        0
    }

    /// Sentences that a bot should always try, in words that the menu reads. Sentences that the menu refuses are
    /// dropped.
    fn propose(_board: &Self::Board, _step: &Self::Step, _seat: Seat, _faces: &Faces) -> Vec<String> {
        Vec::new()
    }

    /// The immediate answer to a minor question during a look ahead, given the known cards; `None` to answer in
    /// another way.
    fn reflex(_board: &Self::Board, _step: &Self::Step, _faces: &Faces) -> Option<String> {
        None
    }

    /// Possible faces of all face-down cards, for a look ahead: the known cards, and the others dealt again at
    /// random. Depends only on the board, the known faces and `chance`.
    fn believe(_board: &Self::Board, faces: &Faces, _chance: &mut dyn Chance) -> Faces {
        faces.clone()
    }

    /// Whether the seats act in turn, one sentence each. Then a bot thinks of the answer of its opponents. If not, a
    /// seat says all sentences of its turn before another is asked.
    fn alternates() -> bool {
        true
    }

    /// Whether a look ahead ends at this question, because it has many possible answers.
    fn is_major(_question: &str) -> bool {
        true
    }

    /// What the seat gains by an answer, in a sentence for people; `None` if there is nothing to say. Compares the
    /// board before it, some boards that may follow from it, and some that may follow from other answers.
    fn thought(
        _before: &Self::Board,
        _after: &[Self::Board],
        _otherwise: &[Self::Board],
        _seat: Seat,
    ) -> Option<String> {
        None
    }
}
