/*! A bot: the program that plays a seat. It reads the same menu as a player, and sees what its seat may see.

[`easy`] looks once at some random sentences; [`search`] compares candidates and looks at the best of them many times
([`future`]: what a sentence may lead to; [`listed`]: the sentences of a short menu); [`believe`] deals the cards
again that the seat does not know; [`thought`] says what an answer gains. A title hands all that out as a [`thinker`];
a game knows nothing of it. The title judges positions and proposes
candidates and immediate answers ([`Rules::worth`], [`Rules::hope`], [`Rules::propose`], [`Rules::reflex`]); the
kernel only compares. The same game, seed and knowledge give the same sentence on every machine.
*/

pub mod believe;
mod easy;
mod future;
mod listed;
mod search;
pub mod thinker;
pub mod thought;

use self::search::{Effort, FAIR, Judge, STEPS_OVER, STRONG};
use crate::chance::Chance;
use crate::menu::Said;
use crate::play::{Play, Rules};
use crate::slot::Faces;

/// How well a program plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The best of `tries` random sentences, each looked at once.
    Easy { tries: u32 },
    /// Compares candidates by their averages, within 10 ms a decision.
    Fair,
    /// Like `Fair`, with more candidates and more looks, within a second.
    Strong,
}

impl Level {
    /// The level for beginners.
    pub const EASY: Level = Level::Easy { tries: 8 };

    fn effort(self) -> Option<Effort> {
        match self {
            Level::Easy { .. } => None,
            Level::Fair => Some(FAIR),
            Level::Strong => Some(STRONG),
        }
    }
}

/// Plays the sentence of a program of this level for the asked seat.
///
/// # Panics
/// If nothing is asked, or if the menu has a dead end.
pub fn say<R: Rules>(play: &mut Play<R>, level: Level, chance: &mut dyn Chance, faces: &Faces) -> Said {
    match level {
        Level::Easy { tries } => easy::say(play, tries, chance, faces),
        Level::Fair | Level::Strong => say_by(play, level, &R::hope, chance, faces),
    }
}

/// Like [`say`], with `judge` in place of the title's own judgement. Only for levels above easy.
///
/// # Panics
/// If nothing is asked, if the menu has a dead end, or if the level is easy.
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

/// The sentence of a program, and the steps that it spent on it.
pub struct Spent {
    pub sentence: String,
    /// The steps taken, the budget of its level, and the upper limit in any position.
    pub taken: u32,
    pub effort: u32,
    pub most: u32,
}

impl Spent {
    /// Whether the budget ended the search.
    pub fn is_used_up(&self) -> bool {
        self.taken >= self.effort
    }
}

/// The sentence of a program of this level for the asked seat, and the steps that it spends on it. `few` replaces the
/// budget of the level. `None` for a level that does not count its steps.
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
