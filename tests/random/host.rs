//! The host of one game: he deals from known faces, and a public that knows only the openings folds along.

use engine::chance::{Chance, Practice, drawn, shuffled};
use engine::facts::Facts;
use engine::menu::Said;
use engine::need::{Answer, Back, Need};
use engine::seat::Seat;
use engine::slot::{Card, Deck, Faces, Slot};
use engine::title::{Game, Setup, Title};
use risk::Risk;

pub struct Host {
    pub game: Box<dyn Game>,
    pub faces: Faces,
    /// The same game, folded by a reader who has only the log.
    folded: Box<dyn Game>,
    pub public: Faces,
}

impl Host {
    pub fn new(setup: &Setup, seed: u64) -> Host {
        let mut chance = Practice::new(seed);
        let mut host = Host {
            game: Risk.begin(setup).unwrap(),
            faces: Faces::default(),
            folded: Risk.begin(setup).unwrap(),
            public: Faces::default(),
        };
        for (index, deck) in Risk.decks(setup).iter().enumerate() {
            host.lay(Deck(u8::try_from(index).unwrap()), 0, &deck.cards, &mut chance);
        }
        host.deal(&mut chance);
        host
    }

    /// A random sentence that the asked seat may say; it reads as it prints.
    pub fn anything(&self, chance: &mut Practice) -> Said {
        let Need::Question(question) = self.game.need() else { panic!("a question is asked") };
        let said = self.game.copy().say_anything(chance, &self.faces);
        assert_eq!(self.game.read(question.seat, &said.sentence, &self.faces), Ok(said.clone()));
        said
    }

    /// Says the sentence at both tables, opens what it shows, and deals what follows.
    pub fn say(&mut self, seat: Seat, sentence: &str, chance: &mut Practice) {
        self.game.forget_news();
        self.folded.forget_news();
        let said = self.game.say(seat, sentence, &self.faces).unwrap();
        said.shows.iter().for_each(|(slot, card)| self.public.learn(*slot, *card));
        let heard = self.folded.say(seat, sentence, &self.public);
        assert_eq!(heard, Ok(said), "the public reads the sentence with what it opens");
        self.deal(chance);
    }

    pub fn public_knows_the_same(&self, facts: &Facts) {
        let mut folded = Facts::default();
        self.folded.facts(&mut folded);
        assert_eq!(folded.text(), facts.text());
    }

    fn deal(&mut self, chance: &mut Practice) {
        loop {
            let need = self.game.need();
            assert_eq!(self.folded.need(), need);
            let answer = match need {
                Need::Question(_) | Need::Over => return,
                Need::Draw(draw) => drawn(&draw, chance),
                Need::Mask(mask) => {
                    let card = |back: &Back| match back {
                        Back::Known(card) => *card,
                        Back::Slot(slot) => self.faces.get(*slot).unwrap(),
                    };
                    let cards: Vec<Card> = mask.goes_in.iter().map(card).collect();
                    self.lay(mask.deck, mask.epoch, &cards, chance);
                    Answer::Masked
                }
                Need::Show(show) => {
                    let card = self.faces.get(show.slot).unwrap();
                    let shown = show.among.contains(&card).then_some(card);
                    shown.iter().for_each(|card| self.public.learn(show.slot, *card));
                    Answer::Shown(shown)
                }
            };
            self.game.answer(answer.clone()).unwrap();
            self.folded.answer(answer).unwrap();
        }
    }

    fn lay(&mut self, deck: Deck, epoch: u8, cards: &[Card], chance: &mut dyn Chance) {
        let order = shuffled(u16::try_from(cards.len()).unwrap(), chance);
        for (position, card) in order.into_iter().enumerate() {
            let position = u16::try_from(position).unwrap();
            self.faces.learn(Slot { deck, epoch, position }, cards[usize::from(card)]);
        }
    }
}
