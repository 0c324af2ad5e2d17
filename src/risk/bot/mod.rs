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

use crate::board::Board;
use crate::combat::invasion::enemies;
use crate::lands::Lands;
use engine::seat::Seat;

/// Whether a look ahead ends at this question: it has many answers, or they need cards that only their owner knows.
pub fn is_major(question: &str) -> bool {
    matches!(question, "claim" | "leader" | "reinforcements" | "trade-down" | "combat" | "fortify")
}

/// The seat's territories next to a territory that it may invade.
pub fn front(board: &Board, seat: Seat) -> Lands {
    board.lands(seat).and(enemies(board, seat).surroundings())
}
