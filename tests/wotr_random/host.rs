//! A host who knows every face, and a public that folds the same sentences and knows only what was shown.

use engine::chance::{Practice, drawn};
use engine::facts::Facts;
use engine::need::{Answer, Need};
use engine::slot::Faces;
use engine::title::{Game, Setup};
use wotr::card::Card;
use wotr::{TITLE, position};

/// How often an eager player thinks again.
const THOUGHTS: u32 = 5;

pub struct Host {
    pub game: Box<dyn Game>,
    /// The public's game, if the public watches.
    public: Option<Box<dyn Game>>,
    faces: Faces,
    shown: Faces,
    chance: Practice,
    /// The cards shown because they had been laid as Combat cards, since the last sentence.
    combat_cards: Vec<Card>,
}

impl Host {
    /// A game from its beginning.
    pub fn new(setup: &Setup, seed: u64) -> Host {
        let mut chance = Practice::new(seed);
        let table = engine::practice::Table::new(&TITLE, setup, &mut chance).unwrap();
        Host::of(table.game, table.faces, chance)
    }

    /// A game from a position.
    pub fn at(setup: &Setup, seed: u64, lines: &[(&str, &str)]) -> Host {
        let (game, faces) = position::begin(setup, lines).unwrap();
        let mut host = Host::of(game, faces, Practice::new(seed));
        host.deal();
        host
    }

    fn of(game: Box<dyn Game>, faces: Faces, chance: Practice) -> Host {
        Host { game, public: None, faces, shown: Faces::default(), chance, combat_cards: Vec::new() }
    }

    /// From now on the public watches.
    pub fn with_public(mut self) -> Host {
        self.public = Some(self.game.copy());
        self
    }

    /// Says something at random. If the public watches, the sentence must read as itself for the host and for the
    /// public. If `eager`, the player thinks a few times, and plays a card or brings a Character in if he thinks of
    /// that.
    pub fn say_anything(&mut self, eager: bool) -> String {
        let Need::Question(question) = self.game.need() else { panic!("a question is asked") };
        self.game.forget_news();
        self.combat_cards.clear();
        let thoughts = if eager && question.id == "action" { THOUGHTS } else { 0 };
        let before = (thoughts > 0 || self.public.is_some()).then(|| self.game.copy());
        let mut said = self.game.say_anything(&mut self.chance, &self.faces);
        for _ in 0..thoughts {
            if said.sentence.contains(": play ") || said.sentence.contains(": bring ") {
                break;
            }
            self.game = before.as_ref().expect("kept for another thought").copy();
            said = self.game.say_anything(&mut self.chance, &self.faces);
        }
        for (slot, card) in &said.shows {
            self.shown.learn(*slot, *card);
        }
        if let (Some(public), Some(before)) = (&mut self.public, before) {
            let read = before.read(question.seat, &said.sentence, &self.faces);
            assert_eq!(read.as_ref(), Ok(&said), "`{}` reads as it prints", said.sentence);
            public.forget_news();
            let heard = public.say(question.seat, &said.sentence, &self.shown);
            assert_eq!(heard.map(|said| said.sentence).as_ref(), Ok(&said.sentence), "the public reads it too");
        }
        self.deal();
        said.sentence
    }

    fn deal(&mut self) {
        loop {
            let answer = match self.game.need() {
                Need::Question(_) | Need::Over => return,
                Need::Draw(draw) => drawn(&draw, &mut self.chance),
                Need::Mask(_) => panic!("no deck of War of the Ring is masked again"),
                Need::Show(show) => {
                    let card = self.faces.get(show.slot).expect("the host knows every slot");
                    let shown = show.among.contains(&card).then_some(card);
                    shown.into_iter().for_each(|card| self.shown.learn(show.slot, card));
                    self.combat_cards.extend(shown.map(|card| Card(card.0)));
                    Answer::Shown(shown)
                }
            };
            if let Some(public) = &mut self.public {
                assert_eq!(public.need(), self.game.need(), "both wait for the same");
                public.answer(answer.clone()).unwrap();
            }
            self.game.answer(answer).unwrap();
        }
    }

    /// The Combat cards shown after the last sentence: nothing else is shown without being named.
    pub fn combat_cards(&self) -> impl Iterator<Item = Card> + '_ {
        self.combat_cards.iter().copied()
    }

    pub fn facts(&self) -> String {
        facts(self.game.as_ref())
    }

    /// Checks that everybody folds the same game, whatever he knows.
    pub fn public_fold_agrees(&self) {
        let Some(public) = &self.public else { return };
        assert_eq!(facts(public.as_ref()), self.facts());
        assert_eq!(public.view(None, &self.shown), self.game.view(None, &self.shown));
    }

    /// Lists the menu like a letter: the listing ends, and everything that it offers in full can be said.
    pub fn menu_is_listed(&self) {
        let Need::Question(question) = self.game.need() else { return };
        let offers = self.game.offers(&self.faces, 300);
        assert!(!offers.is_empty(), "something can be said to `{}`", question.id);
        for offer in offers.iter().filter(|offer| !offer.sentence.contains(['<', '['])) {
            let read = self.game.read(question.seat, &offer.sentence, &self.faces);
            assert!(read.is_ok(), "`{}` is offered: {read:?}", offer.sentence);
        }
    }
}

pub fn facts(game: &dyn Game) -> String {
    let mut facts = Facts::default();
    game.facts(&mut facts);
    facts.text().to_string()
}
