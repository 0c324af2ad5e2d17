/*! A game being played: its board, its agenda, and the events told since they were last read.

A title writes its [`Rules`]; the kernel runs them. `perform` cannot fail: it asserts that its step is possible.
*/

use crate::agenda::Agenda;
use crate::facts::{Facts, Sheet};
use crate::menu::{Ask, Menu, Said};
use crate::need::{Answer, Need};
use crate::order::condition;
use crate::order::fact::{Fact, Matter};
use crate::order::form::Chain;
use crate::order::line::{Alternative, Clauses, NO_CLAUSES};
use crate::outcome::Outcome;
use crate::refusal::{Refusal, barred};
use crate::seat::Seat;
use crate::slot::{Faces, Slot};
use serde_json::Value;
use std::fmt;

/// A game that has not come to rest after this many steps has a bug.
const STEPS_MAX: u32 = 10_000;

/// The rules of a title: typed, without mail, files, chance or secrets.
pub trait Rules: Sized + Clone + Send + 'static {
    /// The facts on the table. Its fields are private to the title; only `evolve` changes it.
    type Board: Clone + PartialEq + fmt::Debug + Send;
    /// Something still to be done. Its `Display` must never change: the digests of every log depend on it.
    type Step: Clone + PartialEq + fmt::Debug + fmt::Display + Send;
    /// Something that happened.
    type Event: Clone + PartialEq + fmt::Debug + Send;

    /// What the step waits for; `None` if it can be performed.
    fn need(board: &Self::Board, step: &Self::Step) -> Option<Need>;

    /// The sentences that may be said to the question `step`. Returns the steps that replace the question, the first
    /// on top.
    fn menu(board: &Self::Board, step: &Self::Step, faces: &Faces, menu: &mut Menu<'_>) -> Ask<Vec<Self::Step>>;

    /// For a line written ahead: the step that asks a seat this question of its own turn, and a board like this one
    /// on which it may be asked. `None` if the question cannot be asked ahead now.
    fn ahead(_board: &Self::Board, _seat: Seat, _question: &str) -> Option<(Self::Board, Self::Step)> {
        None
    }

    /// Reads a fact of a condition with the menu, and returns its value on this board for the seat that is asked this
    /// question. `open` is the step of the open question, if there is one. A fact that this question never has is
    /// barred whatever the board: what is read today is judged another day.
    fn fact(_board: &Self::Board, _open: Option<&Self::Step>, _asked: (Seat, &str), menu: &mut Menu<'_>) -> Ask<Fact> {
        menu.check(barred("", "conditions can name nothing of this game"))?;
        Ok(Fact::Flag(None))
    }

    /// The id of the place that an order names after `in`.
    fn place(menu: &mut Menu<'_>) -> Ask<&'static str> {
        menu.check(barred("", "this game has no places"))?;
        Ok("")
    }

    /// The place that a question is about, and the seat that brought it about.
    fn matter(_board: &Self::Board, _step: &Self::Step) -> Matter {
        Matter::default()
    }

    /// Lines that a seat may want to write with its answer to a question, or at the beginning of a turn if `None`:
    /// what usually comes next. They are shown with the order form, and need not be possible.
    fn form(_board: &Self::Board, _seat: Seat, _question: Option<&str>) -> Vec<Chain> {
        Vec::new()
    }

    /// The clauses that may follow a sentence of a battle.
    fn clauses() -> &'static Clauses {
        &NO_CLAUSES
    }

    /// The place of the current battle, as an order names it, and the seat that began the battle. If the `open` step
    /// asks about the aftermath of a battle, it belongs to that battle.
    fn battlefield(_board: &Self::Board, _open: Option<&Self::Step>) -> Option<(&'static str, Seat)> {
        None
    }

    /// The current battle, in words that differ from those of any other battle at the same time.
    fn battle(_board: &Self::Board, _open: Option<&Self::Step>) -> Option<String> {
        None
    }

    /// Performs a step without a need.
    fn perform(play: &mut Play<Self>, step: Self::Step);

    /// Performs a step that waited for chance, a mask or a slot to be shown. The answer has been checked against the
    /// need. A game without chance and face-down cards has no such step.
    fn settle(_play: &mut Play<Self>, step: Self::Step, answer: Answer) {
        unreachable!("`{step}` does not wait for {answer:?}")
    }

    /// Changes the board by an event. Facts change nowhere else.
    fn evolve(board: &mut Self::Board, event: &Self::Event);

    /// Writes the facts of the board, the same keys in the same order at every moment.
    fn facts(sheet: &mut Sheet<'_, Self::Board>);

    /// The turn and phase of the game, in words for people: `turn 5, combat`.
    fn moment(board: &Self::Board) -> String;

    /// The turn alone, in words for people: `turn 5`.
    fn turn(board: &Self::Board) -> String {
        Self::moment(board)
    }

    /// How the game ended, once it has.
    fn outcome(board: &Self::Board) -> Option<Outcome>;

    /// The board under another edition of the rules; `None` if the game cannot go on under it. Everything on the
    /// table must stay as it is: only what the board says of the edition may change.
    fn revised(_board: &Self::Board, _edition: &str) -> Option<Self::Board> {
        None
    }

    /// The face-down slots that the seat may look at now: its hand, and the cards set aside.
    fn hand(_board: &Self::Board, _seat: Seat) -> Vec<Slot> {
        Vec::new()
    }

    /// The face-down slots whose cards the seat has seen: its hand, and the cards that it has laid or given away since.
    fn seen(board: &Self::Board, seat: Seat) -> Vec<Slot> {
        Self::hand(board, seat)
    }

    /// Everything that a reader may see, for templates: the table, and the cards of the seat's hand that `faces` knows.
    fn view(play: &Play<Self>, seat: Option<Seat>, faces: &Faces) -> Value;

    /// What the reader learns from an event, for templates.
    fn news(board: &Self::Board, event: &Self::Event, seat: Option<Seat>, faces: &Faces) -> Value;
}

/// A game being played.
#[derive(Clone, Debug)]
pub struct Play<R: Rules> {
    board: R::Board,
    agenda: Agenda<R::Step>,
    told: Vec<R::Event>,
    /// What the step on top of the agenda waits for.
    need: Need,
}

impl<R: Rules> Play<R> {
    /// A game that begins with these steps, run up to its first need.
    pub fn begin(board: R::Board, steps: Vec<R::Step>) -> Play<R> {
        let mut play = Play { board, agenda: Agenda::default(), told: Vec::new(), need: Need::Over };
        play.then(steps);
        play.run();
        play
    }

    /// The same game under another edition of the rules; `None` if it cannot go on under it.
    pub fn revised(&self, edition: &str) -> Option<Play<R>> {
        let board = R::revised(&self.board, edition)?;
        let mut revised = Play { board, agenda: self.agenda.clone(), told: self.told.clone(), need: Need::Over };
        revised.run();
        Some(revised)
    }

    pub fn board(&self) -> &R::Board {
        &self.board
    }

    pub fn agenda(&self) -> &Agenda<R::Step> {
        &self.agenda
    }

    /// The events told since [`Play::forget`], in order.
    pub fn told(&self) -> &[R::Event] {
        &self.told
    }

    /// Forgets the events told so far.
    pub fn forget(&mut self) {
        self.told.clear();
    }

    /// Tells an event. The board changes at once, so that the next line of a rule sees it.
    pub fn tell(&mut self, event: R::Event) {
        R::evolve(&mut self.board, &event);
        self.told.push(event);
    }

    /// Puts a step on top of the agenda.
    pub fn push(&mut self, step: R::Step) {
        self.agenda.push(step);
    }

    /// Puts steps on top of the agenda so that they come in the order given.
    pub fn then(&mut self, steps: impl IntoIterator<Item = R::Step, IntoIter: DoubleEndedIterator>) {
        self.agenda.then(steps);
    }

    /// Lays a fence: [`Play::cut`] drops everything that is pushed from now on.
    pub fn fence(&mut self, name: &'static str) {
        self.agenda.fence(name);
    }

    /// Ends the process fenced under this name: drops all its remaining steps.
    pub fn cut(&mut self, name: &'static str) {
        self.agenda.cut(name);
    }

    /// Drops the whole agenda: the game is over.
    pub fn stop(&mut self) {
        self.agenda.clear();
    }

    /// What the game waits for.
    pub fn need(&self) -> Need {
        self.need.clone()
    }

    /// The step of the open question.
    pub fn asked(&self) -> Option<&R::Step> {
        self.agenda.peek().filter(|_| matches!(self.need, Need::Question(_)))
    }

    /// Why its own `if` keeps a sentence from being said.
    pub(super) fn untrue(
        &self,
        (seat, asked): (Seat, &str),
        line: &str,
        alternative: &Alternative<'_>,
    ) -> Option<Refusal> {
        let at = alternative.condition.clone()?;
        let condition = condition::in_words(&line[at.clone()]);
        match self.judged(seat, asked, &condition) {
            Ok((_, true)) => None,
            Ok((said, false)) => Some(Refusal::untrue(at, said.sentence)),
            Err(refusal) => Some(refusal.about(at)),
        }
    }

    /// Reads a condition for a question: its canonical words, and whether it holds now for the seat.
    pub(super) fn judged(&self, seat: Seat, asked: &str, words: &str) -> Result<(Said, bool), Refusal> {
        let fact = |menu: &mut Menu<'_>| R::fact(self.board(), self.asked(), (seat, asked), menu);
        Menu::read(words, |menu| condition::condition(menu, fact)).map_err(condition::meant)
    }

    /// Replaces the question by the steps of the sentence said to it.
    pub fn say(&mut self, steps: Vec<R::Step>) {
        self.agenda.pop().expect("a question is asked");
        self.then(steps);
        self.run();
    }

    /// Answers a need other than a question. The answer must fit it.
    pub fn answer(&mut self, answer: Answer) {
        let step = self.agenda.pop().expect("something is needed");
        R::settle(self, step, answer);
        self.run();
    }

    /// Writes the fact of the agenda: the steps that remain.
    pub(super) fn agenda_fact(&self, facts: &mut Facts) {
        facts.key("agenda").value(&self.agenda).end();
    }

    /// Writes the fact of the open question.
    pub(super) fn question_fact(&self, facts: &mut Facts) {
        match self.need {
            Need::Question(question) => {
                facts.key("question").number(u32::from(question.seat.0)).word(question.id).end();
            }
            Need::Over => facts.line("question", "over"),
            Need::Draw(_) | Need::Mask(_) | Need::Show(_) => facts.nothing("question"),
        }
    }

    /// Determines the need again, after a test has told an event from outside.
    pub fn look_again(&mut self) {
        self.run();
    }

    fn run(&mut self) {
        for _ in 0..STEPS_MAX {
            let need = match self.agenda.top() {
                None => Some(Need::Over),
                Some(step) => R::need(&self.board, step),
            };
            match need {
                Some(need) => {
                    self.need = need;
                    return;
                }
                None => {
                    let step = self.agenda.pop().expect("a step is on top");
                    R::perform(self, step);
                }
            }
        }
        panic!("the game does not come to rest; its agenda is {}", self.agenda);
    }
}
