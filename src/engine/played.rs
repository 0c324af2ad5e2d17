//! A [`Play`] of any rules is a [`Game`] for the other rooms.

use crate::chance::Chance;
use crate::facts::{Facts, Sheet};
use crate::game::{Game, Understood, Watch};
use crate::menu::tree::Tree;
use crate::menu::{Menu, Offer, Said, Stop};
use crate::need::{Answer, Misfit, Need, Question};
use crate::order::condition;
use crate::order::fact::Matter;
use crate::order::form::Chain;
use crate::order::line::{Clauses, alternatives};
use crate::outcome::Outcome;
use crate::play::{Play, Rules};
use crate::refusal::Refusal;
use crate::seat::Seat;
use crate::slot::{Faces, Slot};
use crate::watch::Watching;
use serde_json::Value;

/// The most runs of the menu function to grow its tree.
const RUNS_MAX: usize = 50_000;

impl<R: Rules> Game for Play<R> {
    fn need(&self) -> Need {
        Play::need(self)
    }

    fn understand(&self, seat: Seat, line: &str, faces: &Faces) -> Result<Understood, Refusal> {
        let (step, asked) = match Play::need(self) {
            Need::Question(Question { id, seat: asked }) if asked == seat => {
                (self.agenda().peek().expect("a question is asked"), id)
            }
            Need::Question(question) => {
                return Err(Refusal::NotAsked { waits_for: Some((question.seat, question.id)) });
            }
            _ => return Err(Refusal::NotAsked { waits_for: None }),
        };
        let mut first = None;
        for (place, alternative) in alternatives(line, R::clauses()).iter().enumerate() {
            let read = Menu::read(alternative.sentence, |menu| R::menu(self.board(), step, faces, menu));
            match read.map_err(|refusal| refusal.behind(alternative.start)) {
                Ok((said, steps)) => match self.untrue((seat, asked), line, alternative) {
                    None => return Ok(Understood { said, steps: Box::new(steps), place }),
                    Some(refusal @ Refusal::NotAllowed { .. }) => first = first.or(Some(refusal)),
                    Some(refusal) => return Err(first.unwrap_or(refusal)),
                },
                // A sentence that cannot be read is a slip of the pen, and no reason to say the next one instead.
                Err(refusal @ Refusal::NotAllowed { .. }) => first = first.or(Some(refusal)),
                Err(refusal) => return Err(first.unwrap_or(refusal)),
            }
        }
        Err(first.expect("a line has a sentence"))
    }

    fn foresee(&self, seat: Seat, question: &str, line: &str, faces: &Faces) -> Option<Result<(), Refusal>> {
        let (board, step) = R::ahead(self.board(), seat, question)?;
        Some(Menu::read(line, |menu| R::menu(&board, &step, faces, menu)).map(drop))
    }

    fn judge(&self, seat: Seat, question: &str, condition: &str) -> Result<(Said, bool), Refusal> {
        self.judged(seat, question, condition)
    }

    fn any_condition(&self, seat: Seat, question: &str, chance: &mut dyn Chance) -> Option<Said> {
        let fact = |menu: &mut Menu<'_>| R::fact(self.board(), self.asked(), (seat, question), menu);
        Menu::roll(chance, |menu| condition::condition(menu, fact)).ok().map(|(said, _)| said)
    }

    fn place(&self, named: &str) -> Result<String, Refusal> {
        Ok(Menu::read(named, |menu| R::place(menu))?.1.to_string())
    }

    fn matter(&self) -> Matter {
        self.asked().map_or(Matter::default(), |step| R::matter(self.board(), step))
    }

    fn battle(&self) -> Option<String> {
        R::battle(self.board(), self.asked())
    }

    fn battlefield(&self) -> Option<(&'static str, Seat)> {
        R::battlefield(self.board(), self.asked())
    }

    fn form(&self, seat: Seat, question: Option<&str>) -> Vec<Chain> {
        R::form(self.board(), seat, question)
    }

    fn clauses(&self) -> &'static Clauses {
        R::clauses()
    }

    fn hear(&mut self, understood: Understood) -> Said {
        let steps = understood.steps.downcast::<Vec<R::Step>>().expect("the sentence was read by this kind of game");
        Play::say(self, *steps);
        understood.said
    }

    fn anything(&self, chance: &mut dyn Chance, faces: &Faces) -> Understood {
        let step = self.asked().expect("a question is asked");
        match Menu::roll(chance, |menu| R::menu(self.board(), step, faces, menu)) {
            Ok((said, steps)) => Understood { said, steps: Box::new(steps), place: 0 },
            Err(Stop::DeadEnd) => panic!("the menu of `{step}` has a dead end"),
            Err(Stop::Refused(refusal)) => panic!("the menu of `{step}` refuses itself: {refusal}"),
        }
    }

    fn offers(&self, faces: &Faces, limit: usize) -> Vec<Offer> {
        match self.asked() {
            Some(step) => Menu::list(limit, |menu| R::menu(self.board(), step, faces, menu)),
            None => Vec::new(),
        }
    }

    fn tree(&self, faces: &Faces) -> Option<Tree> {
        let step = self.asked()?;
        Some(Menu::tree(RUNS_MAX, |menu| R::menu(self.board(), step, faces, menu)))
    }

    fn answer(&mut self, answer: Answer) -> Result<(), Misfit> {
        self.need().fits(&answer)?;
        Play::answer(self, answer);
        Ok(())
    }

    fn facts(&self, facts: &mut Facts) {
        facts.clear();
        R::facts(&mut Sheet::all(self.board(), facts));
        self.agenda_fact(facts);
        self.question_fact(facts);
    }

    fn watch(&self) -> Box<dyn Watch> {
        Box::new(Watching::<R>::new())
    }

    fn moment(&self) -> String {
        R::moment(self.board())
    }

    fn turn(&self) -> String {
        R::turn(self.board())
    }

    fn outcome(&self) -> Option<Outcome> {
        R::outcome(self.board())
    }

    fn hand(&self, seat: Seat) -> Vec<Slot> {
        R::hand(self.board(), seat)
    }

    fn seen(&self, seat: Seat) -> Vec<Slot> {
        R::seen(self.board(), seat)
    }

    fn view(&self, seat: Option<Seat>, faces: &Faces) -> Value {
        R::view(self, seat, faces)
    }

    fn news(&self, seat: Option<Seat>, faces: &Faces) -> Vec<Value> {
        self.told().iter().map(|event| R::news(self.board(), event, seat, faces)).collect()
    }

    fn forget_news(&mut self) {
        self.forget();
    }

    fn copy(&self) -> Box<dyn Game> {
        Box::new(self.clone())
    }

    fn revised(&self, edition: &str) -> Option<Box<dyn Game>> {
        Some(Box::new(Play::revised(self, edition)?))
    }
}
