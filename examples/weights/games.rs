//! Games of the program against itself, each side with its own weights.

use crate::learn::Position;
use engine::bot::{self, Level};
use engine::chance::Practice;
use engine::need::{Need, Question};
use engine::play::Play;
use engine::practice::Table;
use engine::seat::Seat;
use engine::title::Setup;
use std::any::Any;
use wotr::board::Board;
use wotr::bot::hope::hope;
use wotr::bot::weights::Weights;
use wotr::side::Side;
use wotr::title::TITLE;
use wotr::{EDITIONS, WarOfTheRing};

/// The sentences after which a game is stopped and counts for nobody.
const SENTENCES_MAX: u32 = 4_000;
/// The goes from one kept position to the next.
const GOES: u32 = 3;

/// A judgement by a set of weights.
pub struct Judged {
    weights: Weights,
}

impl Judged {
    pub fn by(weights: Weights) -> Judged {
        Judged { weights }
    }

    fn hope(&self, board: &Board, seat: Seat) -> i64 {
        hope(board, board.side_of(seat).expect("a seat plays a side"), &self.weights)
    }
}

/// Some positions of the game with this number, and its winner; empty if the game was stopped.
pub fn positions(number: u64, both: &Judged) -> Vec<Position> {
    let mut positions = Vec::new();
    let mut goes = 0;
    let winner = play(number, [both, both], |board| {
        goes += 1;
        if goes % GOES == 0 {
            positions.push(Position { board: board.clone(), won: 0.0, game: number });
        }
    });
    let Some(winner) = winner else { return Vec::new() };
    positions.iter_mut().for_each(|position| position.won = if winner == Side::Free { 1.0 } else { -1.0 });
    positions
}

/// How many of the two games with this number one judgement wins against the other, one game on each side.
pub fn won(number: u64, one: &Judged, other: &Judged) -> usize {
    let free = play(number, [one, other], |_| ()) == Some(Side::Free);
    let shadow = play(number, [other, one], |_| ()) == Some(Side::Shadow);
    usize::from(free) + usize::from(shadow)
}

/// Plays a game, each side with its judgement, and shows each position at the start of a go.
fn play(number: u64, judges: [&Judged; 2], mut show: impl FnMut(&Board)) -> Option<Side> {
    let setup =
        Setup { edition: EDITIONS[0].to_string(), seats: vec!["free".into(), "shadow".into()], options: Vec::new() };
    let mut chance = Practice::new(number);
    let mut table = Table::new(&TITLE, &setup, &mut chance).expect("a game of two");
    for _ in 0..SENTENCES_MAX {
        let Need::Question(Question { seat, id }) = table.game.need() else { break };
        let own = table.faces.of(&table.game.hand(seat));
        table.game.forget_news();
        let game = (table.game.as_mut() as &mut dyn Any).downcast_mut::<Play<WarOfTheRing>>().expect("this title");
        if id == "action" {
            show(game.board());
        }
        let judge = judges[seat.index()];
        bot::say_by(game, Level::Fair, &|board, seat, _| judge.hope(board, seat), &mut chance, &own);
        table.deal(&mut chance);
    }
    let outcome = table.game.outcome()?;
    let game = (table.game.as_ref() as &dyn Any).downcast_ref::<Play<WarOfTheRing>>().expect("this title");
    outcome.winners.first().and_then(|seat| game.board().side_of(*seat))
}
