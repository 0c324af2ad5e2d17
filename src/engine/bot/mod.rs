/*! A bot: the program that plays a seat. It reads the same menu as a player, and sees what its seat may see.

[`easy`] looks once at some random sentences; [`search`] compares candidates, by many looks at the best of them
([`future`]: what may come of a sentence; [`listed`]: what a menu of few lines offers); [`believe`] deals again what the
seat does not know; [`thought`] says what an answer gains. How good a position is, which sentences are candidates and
what is said at once on the way ahead, the title tells ([`Rules::worth`], [`Rules::hope`], [`Rules::propose`],
[`Rules::reflex`]); the kernel only compares. The same game, seed and knowledge give the same sentence on every machine.
*/

pub mod believe;
mod easy;
mod future;
mod listed;
mod search;
pub mod thought;

use self::search::{Effort, FAIR, STEPS_OVER, STRONG};
use crate::chance::{Chance, Practice};
use crate::menu::Said;
use crate::play::{Play, Rules};
use crate::seat::Seat;
use crate::slot::Faces;
use crate::title::Game;

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

    fn effort(self) -> Option<Effort> {
        match self {
            Level::Easy { .. } => None,
            Level::Fair => Some(FAIR),
            Level::Strong => Some(STRONG),
        }
    }
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

/// How good a position is for a seat: more is better.
pub type Judge<'a, R> = &'a dyn Fn(&<R as Rules>::Board, Seat, &Faces) -> i64;

/// Says what a program of this level says for the asked seat.
///
/// # Panics
/// If nothing is asked, or if the menu has a dead end.
pub fn say<R: Rules>(play: &mut Play<R>, level: Level, chance: &mut dyn Chance, faces: &Faces) -> Said {
    match level {
        Level::Easy { tries } => easy::say(play, tries, chance, faces),
        Level::Fair | Level::Strong => say_by(play, level, &R::hope, chance, faces),
    }
}

/// The same by another judgement than that of the title, for a level that thinks.
///
/// # Panics
/// If nothing is asked, or if the menu has a dead end; if the level does not think.
pub fn say_by<R: Rules>(
    play: &mut Play<R>,
    level: Level,
    judge: Judge<'_, R>,
    chance: &mut dyn Chance,
    faces: &Faces,
) -> Said {
    let effort = level.effort().expect("the level thinks");
    let found = search::find(play, effort, judge, chance, faces);
    play.say(found.steps);
    found.said
}

/// What a program would say, and what it has spent on that.
pub struct Spent {
    pub sentence: String,
    /// The steps that it took, the effort of its level, and the most that it may take in any position.
    pub taken: u32,
    pub effort: u32,
    pub most: u32,
}

impl Spent {
    /// Whether the effort ended its thinking.
    pub fn is_used_up(&self) -> bool {
        self.taken >= self.effort
    }
}

/// What a program of this level would say to the asked seat, with no more than so `few` steps if that is said, and what
/// it spends on it; nothing of a level that does not count its steps.
///
/// # Panics
/// If nothing is asked, or if the menu has a dead end.
pub fn spent<R: Rules>(
    play: &Play<R>,
    level: Level,
    few: Option<u32>,
    chance: &mut dyn Chance,
    faces: &Faces,
) -> Option<Spent> {
    let effort = level.effort()?;
    let effort = Effort { steps: few.unwrap_or(effort.steps), ..effort };
    let found = search::find(play, effort, &R::hope, chance, faces);
    let (sentence, taken) = (found.said.sentence, found.taken);
    Some(Spent { sentence, taken, effort: effort.steps, most: effort.steps + STEPS_OVER })
}
