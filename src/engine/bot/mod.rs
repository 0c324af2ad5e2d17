/*! A bot: the program that plays a seat. It reads the same menu as a player, and sees what its seat may see.

[`search`] compares candidates and looks at the best of them many times ([`future`]: what a sentence may lead to;
[`listed`]: the sentences of a short menu); [`believe`] deals the cards again that the seat does not know;
[`thought`](mod@thought) says what an answer gains. The [`judgement`] of a title judges positions and proposes
candidates and immediate answers; the kernel only compares. A title hands all that out as a [`thinker`]; a game knows
nothing of it. The same game, seed and knowledge give the same sentence on every machine.
*/

pub mod believe;
mod future;
pub mod judgement;
mod listed;
mod search;
pub mod thinker;
pub mod thought;

use self::judgement::Judgement;
use self::search::{EASY, Effort, FAIR, Judge, STEPS_OVER, STRONG};
use crate::chance::Chance;
use crate::menu::Said;
use crate::play::Play;
use crate::slot::Faces;

/// How well a program plays. All levels think in the same way; they differ in their effort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// For beginners: a few candidates, one look at each, and most of what it should consider is overlooked.
    Easy,
    /// Compares candidates by their averages, within 10 ms a decision.
    Fair,
    /// Like `Fair`, with more candidates and more looks, within a second.
    Strong,
}

impl Level {
    fn effort(self) -> Effort {
        match self {
            Level::Easy => EASY,
            Level::Fair => FAIR,
            Level::Strong => STRONG,
        }
    }
}

/// Plays the sentence of a program of this level for the asked seat.
///
/// # Panics
/// If nothing is asked, or if the menu has a dead end.
pub fn say<R: Judgement>(play: &mut Play<R>, level: Level, chance: &mut dyn Chance, faces: &Faces) -> Said {
    say_by(play, level, &R::hope, chance, faces)
}

/// Like [`say`], with `judge` in place of the title's own judgement of positions.
///
/// # Panics
/// If nothing is asked, or if the menu has a dead end.
pub fn say_by<R: Judgement>(
    play: &mut Play<R>,
    level: Level,
    judge: Judge<'_, R>,
    chance: &mut dyn Chance,
    faces: &Faces,
) -> Said {
    let found = search::find(play, level.effort(), judge, chance, faces);
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
/// budget of the level.
///
/// # Panics
/// If nothing is asked, or if the menu has a dead end.
pub fn spent<R: Judgement>(
    play: &Play<R>,
    level: Level,
    few: Option<u32>,
    chance: &mut dyn Chance,
    faces: &Faces,
) -> Spent {
    let effort = level.effort();
    let effort = Effort { steps: few.unwrap_or(effort.steps), ..effort };
    let found = search::find(play, effort, &R::hope, chance, faces);
    let (sentence, taken) = (found.said.sentence, found.taken);
    Spent { sentence, taken, effort: effort.steps, most: effort.steps + STEPS_OVER }
}
