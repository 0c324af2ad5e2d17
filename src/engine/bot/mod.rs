/*! A bot: the program that plays a seat. It reads the same menu as a player, and sees what its seat may see.

[`easy`] looks once at some random sentences; [`search`] compares candidates, by many looks at the best of them;
[`believe`] deals again what the seat does not know; [`thought`] says what an answer gains. How good a position is,
which sentences are candidates, what is said at once on the way ahead and how the cards may lie, the title tells
([`Rules::worth`], [`Rules::hope`], [`Rules::propose`], [`Rules::reflex`], [`Rules::believe`]); the kernel only
compares. The same game, seed and knowledge give the same sentence on every machine.
*/

pub mod believe;
mod easy;
mod search;
pub mod thought;

use self::search::{FAIR, STRONG};
use crate::engine::chance::{Chance, Practice};
use crate::engine::menu::Said;
use crate::engine::play::{Play, Rules};
use crate::engine::seat::Seat;
use crate::engine::slot::Faces;
use crate::engine::title::Game;

/// How well a program plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The best of a number of random sentences, each looked at once.
    Easy { tries: u32 },
    /// Candidates and averages, within 10 ms a decision.
    Fair,
    /// The same with more of both, within a second.
    Strong,
}

impl Level {
    /// As it plays for beginners.
    pub const EASY: Level = Level::Easy { tries: 8 };
}

/// What a program of this level says for the asked seat, by what the seat knows of `faces`. The same game, seed and
/// knowledge give the same sentence; the game is not changed.
///
/// # Panics
/// If the seat is not asked.
pub fn answer(game: &dyn Game, seat: Seat, faces: &Faces, level: Level, seed: u64) -> String {
    let known = faces.of(&game.seen(seat));
    game.copy().say_well(level, &mut Practice::new(seed), &known).sentence
}

/// Says what a program of this level says for the asked seat.
///
/// # Panics
/// If nothing is asked, or if the menu has a dead end.
pub fn say<R: Rules>(play: &mut Play<R>, level: Level, chance: &mut dyn Chance, faces: &Faces) -> Said {
    match level {
        Level::Easy { tries } => easy::say(play, tries, chance, faces),
        Level::Fair => search::say(play, FAIR, chance, faces),
        Level::Strong => search::say(play, STRONG, chance, faces),
    }
}
