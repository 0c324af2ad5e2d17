/*! Players of War of the Ring that follow one fixed plan, and play like `easy` where the plan says nothing.

A plan is a list of sentences for each question, the best first; the first that the rules allow is said.
*/

mod gondor;
mod hunt;
mod ring;

use engine::bot::Level;
use engine::chance::Practice;
use engine::game::Game;
use engine::menu::Said;
use engine::need::Need;
use engine::play::Play;
use engine::seat::Seat;
use engine::slot::Faces;
use std::any::Any;
use wotr::WarOfTheRing;
use wotr::board::Board;
use wotr::title::TITLE;

/// A fixed plan.
#[derive(Clone, Copy)]
pub enum Policy {
    Hunt,
    Ring,
    Gondor,
}

impl Policy {
    /// The policy of this name.
    pub fn of(name: &str) -> Option<Policy> {
        match name {
            "hunt" => Some(Policy::Hunt),
            "ring" => Some(Policy::Ring),
            "gondor" => Some(Policy::Gondor),
            _ => None,
        }
    }

    /// Says the first sentence of the plan that is allowed, or else what the program of the easy level says.
    pub fn say(self, game: &mut dyn Game, seat: Seat, own: &Faces, chance: &mut Practice) -> Said {
        for line in self.wanted(game) {
            if let Ok(said) = game.say(seat, &line, own) {
                return said;
            }
        }
        TITLE.bot.say(game, Level::Easy, chance, own)
    }

    /// The sentences that the plan wants now, the best first.
    fn wanted(self, game: &dyn Game) -> Vec<String> {
        let Need::Question(question) = game.need() else { return Vec::new() };
        let play = (game as &dyn Any).downcast_ref::<Play<WarOfTheRing>>().expect("a game of War of the Ring");
        let board: &Board = play.board();
        match self {
            Policy::Hunt => hunt::wanted(question.id),
            Policy::Ring => ring::wanted(question.id),
            Policy::Gondor => gondor::wanted(question.id, board),
        }
    }
}
