/*! A practice table: a game whose draws and decks are answered from any source of chance.

Tests and benchmarks play here. Nothing is committed and nothing can be proved; for the rules this makes no difference.
*/

use crate::bot::Level;
use crate::chance::{Chance, drawn, shuffled};
use crate::game::Game;
use crate::menu::Said;
use crate::need::{Answer, Back, Mask, Need};
use crate::slot::{Card, Deck, Faces, Slot};
use crate::title::{Bot, Setup, Title, Unplayable};

/// A game, and the faces of all its cards.
pub struct Table {
    pub game: Box<dyn Game>,
    pub faces: Faces,
}

impl Table {
    /// A new game with its decks laid face down, played up to its first question.
    pub fn new(title: &Title, setup: &Setup, chance: &mut dyn Chance) -> Result<Table, Unplayable> {
        let mut table = Table { game: (title.begin)(setup)?, faces: Faces::default() };
        for (index, deck) in (title.cards.decks)(setup).iter().enumerate() {
            let deck_number = Deck(u8::try_from(index).expect("a title has few decks"));
            table.lay(deck_number, 0, &deck.cards, chance);
        }
        table.deal(chance);
        Ok(table)
    }

    /// Answers every need up to the next question or the end of the game.
    pub fn deal(&mut self, chance: &mut dyn Chance) {
        loop {
            let answer = match self.game.need() {
                Need::Question(_) | Need::Over => return,
                Need::Draw(draw) => drawn(&draw, chance),
                Need::Mask(mask) => self.mask(&mask, chance),
                Need::Show(show) => {
                    let card = self.faces.get(show.slot).expect("the dealer knows every slot");
                    Answer::Shown(show.among.contains(&card).then_some(card))
                }
            };
            self.game.answer(answer).expect("the dealer answers what is needed");
        }
    }

    /// A random sentence of the asked seat, played, with the needs that follow answered. `None` if the game is over.
    pub fn play_anything(&mut self, chance: &mut dyn Chance) -> Option<Said> {
        let Need::Question(_) = self.game.need() else {
            return None;
        };
        let said = self.game.say_anything(chance, &self.faces);
        self.deal(chance);
        Some(said)
    }

    /// Plays the sentence of the title's bot at this level for the asked seat, which knows only its own cards, and
    /// answers the needs that follow. `None` if the game is over.
    pub fn play_well(&mut self, bot: &dyn Bot, level: Level, chance: &mut dyn Chance) -> Option<Said> {
        let Need::Question(question) = self.game.need() else {
            return None;
        };
        let own = self.faces.of(&self.game.seen(question.seat));
        let said = bot.say(self.game.as_mut(), level, chance, &own);
        self.deal(chance);
        Some(said)
    }

    fn mask(&mut self, mask: &Mask, chance: &mut dyn Chance) -> Answer {
        let card = |back: &Back| match back {
            Back::Known(card) => *card,
            Back::Slot(slot) => self.faces.get(*slot).expect("the dealer knows every slot"),
        };
        let cards: Vec<Card> = mask.goes_in.iter().map(card).collect();
        self.lay(mask.deck, mask.epoch, &cards, chance);
        Answer::Masked
    }

    fn lay(&mut self, deck: Deck, epoch: u8, cards: &[Card], chance: &mut dyn Chance) {
        let count = u16::try_from(cards.len()).expect("a deck has at most 65,535 cards");
        for (position, card) in shuffled(count, chance).into_iter().enumerate() {
            let position = u16::try_from(position).expect("no more positions than cards");
            self.faces.learn(Slot { deck, epoch, position }, cards[usize::from(card)]);
        }
    }
}
