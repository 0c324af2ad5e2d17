//! Typed sentences that are not sent yet, because only the player's own choices have followed from them.

use engine::game::Game;
use engine::need::Need;
use engine::refusal::Refusal;
use engine::seat::Seat;
use record::fold::Fold;

/// The sentences typed since the log last grew.
#[derive(Default)]
pub struct Draft {
    lines: Vec<String>,
    /// The game after these sentences.
    game: Option<Box<dyn Game>>,
}

/// What follows an added sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// The player is asked again, and may still take the sentence back.
    AsksAgain,
    /// Dice, a card or another seat come next: all sentences must be sent.
    Sends,
}

impl Draft {
    /// The game as the player sees it.
    pub fn game<'a>(&'a self, fold: &'a Fold) -> &'a dyn Game {
        self.game.as_deref().unwrap_or_else(|| fold.game())
    }

    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Adds a sentence of the seat. A refusal changes nothing.
    pub fn add(&mut self, fold: &Fold, seat: Seat, line: &str) -> Result<Then, Refusal> {
        let mut game = self.game(fold).copy();
        game.say(seat, line, fold.faces())?;
        let asks_again = matches!(game.need(), Need::Question(question) if question.seat == seat);
        self.lines.push(line.to_string());
        self.game = Some(game);
        Ok(if asks_again { Then::AsksAgain } else { Then::Sends })
    }

    /// Removes the last sentence and returns it; `None` if there is none.
    pub fn take_back(&mut self, fold: &Fold, seat: Seat) -> Option<String> {
        let last = self.lines.pop()?;
        let mut game = fold.game().copy();
        for line in &self.lines {
            game.say(seat, line, fold.faces()).expect("it was accepted before");
        }
        self.game = (!self.lines.is_empty()).then_some(game);
        Some(last)
    }

    /// Removes all sentences and returns them, to be sent.
    pub fn take(&mut self) -> Vec<String> {
        self.game = None;
        std::mem::take(&mut self.lines)
    }
}
