//! Somebody who has only the log folds the same game: he reads each sentence with the cards that it shows.

use super::seen::Seen;
use super::watcher::{Moment, Watcher};
use engine::facts::Facts;
use engine::game::Game;
use engine::need::{Answer, Need};
use engine::slot::Faces;

/// His facts are compared after this many sentences, and his view after so many more.
const FACTS: usize = 4;
const VIEW: usize = 48;

pub struct Public {
    game: Box<dyn Game>,
    shown: Faces,
}

impl Public {
    pub fn new(game: &dyn Game) -> Public {
        Public { game: game.copy(), shown: Faces::default() }
    }
}

impl Watcher for Public {
    fn look(&mut self, now: &Moment<'_>, _: &mut Seen) {
        now.said.shows.iter().for_each(|(slot, card)| self.shown.learn(*slot, *card));
        self.game.forget_news();
        let heard = self.game.say(now.question.seat, &now.said.sentence, &self.shown);
        assert_eq!(heard.as_ref(), Ok(now.said), "the public reads the sentence with what it shows");
        for (need, answer) in now.dealt {
            assert_eq!(&self.game.need(), need, "all wait for the same");
            if let (Need::Show(show), Answer::Shown(Some(card))) = (need, answer) {
                self.shown.learn(show.slot, *card);
            }
            self.game.answer(answer.clone()).unwrap();
        }
        assert_eq!(self.game.need(), now.after.game.need(), "all wait for the same");
        if now.number.is_multiple_of(FACTS) {
            assert_eq!(facts(&*self.game), facts(&*now.after.game));
        }
        if now.number.is_multiple_of(VIEW) {
            assert_eq!(self.game.view(None, &self.shown), now.after.game.view(None, &now.after.faces));
        }
    }
}

pub fn facts(game: &dyn Game) -> String {
    let mut facts = Facts::default();
    game.facts(&mut facts);
    facts.text().to_string()
}
