/*! What a bot has to know of Risk: how good a position is ([`hope`]), which sentences a player would consider
([`propose`]), and what is said at once to the questions on the way of a look ahead ([`reflex`]).
*/

pub mod hope;
pub mod propose;
pub mod reflex;

use crate::engine::seat::Seat;
use crate::risk::board::Board;
use crate::risk::combat::invasion::enemies;
use crate::risk::lands::Lands;

/// Whether a look ahead ends with this question: much can be said to it, or it needs cards that only their owner knows.
pub fn is_major(question: &str) -> bool {
    matches!(question, "claim" | "leader" | "reinforcements" | "trade-down" | "combat" | "fortify")
}

/// The territories of the seat beside somebody whom it may invade.
pub fn front(board: &Board, seat: Seat) -> Lands {
    board.lands(seat).and(enemies(board, seat).surroundings())
}
