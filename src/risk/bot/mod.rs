/*! What a bot has to know of Risk.

Begin with [`hope`]: how good a position is, with what the Missions of a hand may still bring ([`mission`]). [`propose`]
has the sentences that a player would consider, [`reflex`] what is said at once to the questions on the way of a look
ahead, [`believe`] how the cards may lie that a seat does not know; [`thought`] tells what an answer gains.
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

/// Whether a look ahead ends with this question: much can be said to it, or it needs cards that only their owner knows.
pub fn is_major(question: &str) -> bool {
    matches!(question, "claim" | "leader" | "reinforcements" | "trade-down" | "combat" | "fortify")
}

/// The territories of the seat beside somebody whom it may invade.
pub fn front(board: &Board, seat: Seat) -> Lands {
    board.lands(seat).and(enemies(board, seat).surroundings())
}
