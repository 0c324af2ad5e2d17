//! How random players play: some think again until something happens.

use engine::chance::Practice;
use engine::game::Game;
use engine::menu::Said;
use engine::need::Question;
use engine::practice::Table;

/// How often a player thinks again.
const THOUGHTS: usize = 5;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Says what comes first to mind.
    Any,
    /// Goes on rather than stops.
    Bold,
    /// Plays a card or brings a Character in, if he thinks of it.
    Eager,
}

impl Manner {
    /// Plays a random sentence. `before` is the game of the table.
    pub fn say(self, table: &mut Table, before: &dyn Game, question: Question, chance: &mut Practice) -> Said {
        let mut said = table.game.say_anything(chance, &table.faces);
        for _ in 0..THOUGHTS {
            if self.likes(question, &said.sentence) {
                break;
            }
            table.game = before.copy();
            said = table.game.say_anything(chance, &table.faces);
        }
        said
    }

    fn likes(self, question: Question, sentence: &str) -> bool {
        let tame = ["done", "end turn", "call off", "fortify", "ask", "do not", "pass"];
        match self {
            Manner::Any => true,
            Manner::Bold => tame.iter().all(|begin| !sentence.starts_with(begin)),
            Manner::Eager => question.id != "action" || sentence.contains(": play ") || sentence.contains(": bring "),
        }
    }
}
