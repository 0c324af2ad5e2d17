/*! What a bot has to know of War of the Ring.

Begin with [`hope`]: how good a position is, as a race between the way of the Ring ([`ring`], with what it costs the
Ring-bearers, [`ordeal`]) and the war of either side ([`war`]), by weights that are data ([`weights`]). [`propose`]
has the sentences that a player would consider, with what Armies may do ([`deeds`]) and what it knows of the cards in
a hand ([`hand`]); [`reflex`] has the quick answers to small questions in a look ahead, [`believe`] deals the cards
that a player does not know, and [`thought`] says what an answer gains.
*/

pub mod believe;
mod deeds;
mod hand;
pub mod hope;
mod ordeal;
pub mod propose;
pub mod reflex;
mod ring;
pub mod thought;
mod war;
pub mod weights;

use crate::WarOfTheRing;
use crate::board::Board;
use crate::step::Step;
use engine::bot::judgement::Judgement;
use engine::chance::Chance;
use engine::seat::Seat;
use engine::slot::Faces;

impl Judgement for WarOfTheRing {
    fn hope(board: &Board, seat: Seat, _faces: &Faces) -> i64 {
        let side = board.side_of(seat).expect("a seat plays a side");
        hope::hope(board, side, weights::Weights::found())
    }

    fn propose(board: &Board, step: &Step, seat: Seat, faces: &Faces) -> Vec<String> {
        propose::propose(board, step, board.player(seat).expect("a seat has a player"), faces)
    }

    fn reflex(board: &Board, step: &Step, _faces: &Faces) -> Option<String> {
        reflex::reflex(board, step)
    }

    fn believe(board: &Board, faces: &Faces, chance: &mut dyn Chance) -> Faces {
        believe::believe(board, faces, chance)
    }

    fn thought(before: &Board, after: &[Board], otherwise: &[Board], seat: Seat) -> Option<String> {
        thought::thought(before, after, otherwise, before.side_of(seat).expect("a seat plays a side"))
    }

    /// It has many answers, or they need cards that only their owner knows.
    fn is_major(question: &str) -> bool {
        matches!(question, "action" | "fellowship" | "hunt-allocation" | "discard" | "draw" | "swap" | "join")
    }
}
