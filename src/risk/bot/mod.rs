/*! What a bot has to know of Risk.

Begin with [`hope`]: how good a position is, with what the Missions of a hand may still bring ([`mission`]).
[`propose`] has the sentences that a player would consider, [`reflex`] the quick answers to small questions in a look
ahead, [`believe`] deals the cards that a seat does not know, and [`thought`] says what an answer gains.
*/

pub mod believe;
pub mod hope;
pub mod mission;
pub mod propose;
pub mod reflex;
pub mod thought;

use crate::Risk;
use crate::board::Board;
use crate::combat::invasion::enemies;
use crate::lands::Lands;
use crate::step::Step;
use engine::bot::judgement::Judgement;
use engine::chance::Chance;
use engine::seat::Seat;
use engine::slot::Faces;

impl Judgement for Risk {
    fn hope(board: &Board, seat: Seat, faces: &Faces) -> i64 {
        hope::hope(board, seat, faces)
    }

    fn propose(board: &Board, step: &Step, seat: Seat, faces: &Faces) -> Vec<String> {
        propose::propose(board, step, seat, faces)
    }

    fn reflex(board: &Board, step: &Step, faces: &Faces) -> Option<String> {
        reflex::reflex(board, step, faces)
    }

    fn believe(board: &Board, faces: &Faces, chance: &mut dyn Chance) -> Faces {
        believe::believe(board, faces, chance)
    }

    fn thought(before: &Board, after: &[Board], otherwise: &[Board], seat: Seat) -> Option<String> {
        thought::thought(before, after, otherwise, seat)
    }

    /// It has many answers, or they need cards that only their owner knows.
    fn is_major(question: &str) -> bool {
        matches!(question, "claim" | "leader" | "reinforcements" | "trade-down" | "combat" | "fortify")
    }

    fn alternates() -> bool {
        false
    }
}

/// The seat's territories next to a territory that it may invade.
pub fn front(board: &Board, seat: Seat) -> Lands {
    board.lands(seat).and(enemies(board, seat).surroundings())
}
