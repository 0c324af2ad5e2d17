/*! How the other rooms reach a game: object-safe traits that take and return text and plain values.

Inside, a title is fully typed: the kernel makes a [`Game`] of a [`Play`](crate::play::Play) of any rules, once for all
titles ([`played`](crate::played)), and a [`Watch`] over it ([`watch`](crate::watch)).
*/

use crate::chance::Chance;
use crate::facts::{Change, Facts};
use crate::menu::tree::Tree;
use crate::menu::{Offer, Said};
use crate::need::{Answer, Misfit, Need};
use crate::order::fact::Matter;
use crate::order::form::Chain;
use crate::order::line::Clauses;
use crate::outcome::Outcome;
use crate::refusal::Refusal;
use crate::seat::Seat;
use crate::slot::{Faces, Slot};
use serde_json::Value;
use std::any::Any;

/// A sentence read against the open menu: what it says, and the steps that follow from it.
#[derive(Debug)]
pub struct Understood {
    pub said: Said,
    /// The steps of the title.
    pub(super) steps: Box<dyn Any + Send>,
    /// The number of the sentence in its line, from 0.
    pub place: usize,
}

/// One game being played.
pub trait Game: Any + Send {
    /// What the game waits for.
    fn need(&self) -> Need;
    /// Reads a sentence of a seat against the menu, and changes nothing.
    fn understand(&self, seat: Seat, line: &str, faces: &Faces) -> Result<Understood, Refusal>;
    /// How the menu of a question would read a line if the seat were asked now, for lines written ahead; `None` if
    /// the question is not part of the seat's own turn or cannot be asked ahead now. A rule that forbids the line now
    /// need not forbid it later.
    fn foresee(&self, seat: Seat, question: &str, line: &str, faces: &Faces) -> Option<Result<(), Refusal>>;
    /// Reads a condition of an order for a question: its canonical words, and whether it holds now for the seat.
    fn judge(&self, seat: Seat, question: &str, condition: &str) -> Result<(Said, bool), Refusal>;
    /// A random condition; `None` if the title has no facts for the question.
    fn any_condition(&self, seat: Seat, question: &str, chance: &mut dyn Chance) -> Option<Said>;
    /// Reads the place that an order names, and returns its id.
    fn place(&self, named: &str) -> Result<String, Refusal>;
    /// What the open question is about.
    fn matter(&self) -> Matter;
    /// The current battle, in words that differ from those of any other battle at the same time.
    fn battle(&self) -> Option<String>;
    /// The place of that battle, as an order names it, and the seat that began it.
    fn battlefield(&self) -> Option<(&'static str, Seat)>;
    /// Lines that a seat may want to write with its answer to a question, or at the beginning of a turn if `None`.
    fn form(&self, seat: Seat, question: Option<&str>) -> Vec<Chain>;
    /// The clauses that may follow a sentence of a battle.
    fn clauses(&self) -> &'static Clauses;
    /// Does what the sentence says. It must have been understood since the last change, by this game or by one that
    /// this is a copy of.
    fn hear(&mut self, understood: Understood) -> Said;
    /// A random sentence that the asked seat may say; it is not played.
    ///
    /// # Panics
    /// If nothing is asked, or if the menu has a dead end: both are bugs.
    fn anything(&self, chance: &mut dyn Chance, faces: &Faces) -> Understood;
    /// What may be said now, for letters: at most `limit` lines.
    fn offers(&self, faces: &Faces, limit: usize) -> Vec<Offer>;
    /// What may be said now, word by word, for pages; `None` if no seat is asked.
    fn tree(&self, faces: &Faces) -> Option<Tree>;
    /// Answers a need other than a question.
    fn answer(&mut self, answer: Answer) -> Result<(), Misfit>;
    /// Writes the facts: the board, then the agenda, then the question.
    fn facts(&self, facts: &mut Facts);
    /// A watch that finds the facts that change from one moment of this game to the next.
    fn watch(&self) -> Box<dyn Watch>;
    /// The turn and phase of the game, in words for people.
    fn moment(&self) -> String;
    /// The turn of the game, in words for people. As long as these words are the same, it is the same turn.
    fn turn(&self) -> String;
    /// How the game ended, once it has.
    fn outcome(&self) -> Option<Outcome>;
    /// The face-down slots that the seat may look at now.
    fn hand(&self, seat: Seat) -> Vec<Slot>;
    /// The face-down slots whose cards the seat has seen: its hand, and the cards that it has laid or given away since.
    fn seen(&self, seat: Seat) -> Vec<Slot>;
    /// Everything the seat may see, for templates; with `None`, what the public may see.
    fn view(&self, seat: Option<Seat>, faces: &Faces) -> Value;
    /// What happened since [`Game::forget_news`], for templates.
    fn news(&self, seat: Option<Seat>, faces: &Faces) -> Vec<Value>;
    /// Forgets the news.
    fn forget_news(&mut self);
    /// A copy of the game, for looking ahead.
    fn copy(&self) -> Box<dyn Game>;
    /// The same game under another edition of the rules; `None` if it cannot go on under it.
    fn revised(&self, edition: &str) -> Option<Box<dyn Game>>;
}

impl dyn Game {
    /// Reads a sentence of a seat, and changes nothing.
    pub fn read(&self, seat: Seat, line: &str, faces: &Faces) -> Result<Said, Refusal> {
        Ok(self.understand(seat, line, faces)?.said)
    }

    /// Reads a sentence of a seat and does what it says. A refusal changes nothing.
    pub fn say(&mut self, seat: Seat, line: &str, faces: &Faces) -> Result<Said, Refusal> {
        let understood = self.understand(seat, line, faces)?;
        Ok(self.hear(understood))
    }

    /// A random sentence that the asked seat may say; it is not played.
    ///
    /// # Panics
    /// As [`Game::anything`].
    pub fn any_sentence(&self, chance: &mut dyn Chance, faces: &Faces) -> Said {
        self.anything(chance, faces).said
    }

    /// Plays a random sentence of the menu for the asked seat.
    ///
    /// # Panics
    /// As [`Game::anything`].
    pub fn say_anything(&mut self, chance: &mut dyn Chance, faces: &Faces) -> Said {
        let anything = self.anything(chance, faces);
        self.hear(anything)
    }
}

impl Clone for Box<dyn Game> {
    fn clone(&self) -> Box<dyn Game> {
        self.copy()
    }
}

/// Finds the facts that change from one moment to the next. At its first look all facts are new.
pub trait Watch: Send {
    /// Looks, and writes the facts that have changed since the last look, in the order of the facts.
    fn look(&mut self, game: Box<dyn Game>, change: &mut Change);

    fn copy(&self) -> Box<dyn Watch>;
}

impl Clone for Box<dyn Watch> {
    fn clone(&self) -> Box<dyn Watch> {
        self.copy()
    }
}
