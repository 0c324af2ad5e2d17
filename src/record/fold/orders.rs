/*! Standing orders in a fold (log 9.1 to 9.8): which of them must answer, and what the records commit to.

Every fold checks answers by standing orders as far as that is possible without the orders. A fold that knows the
books also knows which order must answer.
*/

use super::bookkeeping::{Checked, Published};
use super::chance::Chance;
use super::order_books::{Change, OrderBooks, Standing, When};
use super::receipts::Receipt;
use super::standing::{Answer, Order};
use super::{Fold, Phase};
use crate::entry::Entry;
use crate::entry::body::{BookChanged, By, Say};
use crate::problem::rule::Rule;
use crate::problem::{OrderFault, Problem, value};
use engine::game::Game;
use engine::menu::Said;
use engine::need::Question;
use engine::order::condition::{with_late, without_late};
use engine::refusal::Refusal;
use engine::seat::Seat;
use ground::hash::Hash;
use ground::stamp::Stamp;

/// What an order makes of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tried {
    /// It does not apply to the question.
    PassedOver,
    /// It applies, and leaves the answer to its seat.
    AsksSeat,
    Says(Box<Said>),
}

/// What answers the open question: an order or a line of the asked seat.
pub(super) struct Answering {
    number: u32,
    said: Said,
    is_line: bool,
}

impl Answering {
    pub(super) fn number(&self) -> u32 {
        self.number
    }
}

impl Fold {
    /// From here on the fold knows how the books change, in this order. With `checks`, it checks the records after
    /// that one against them; the host's own table follows the books anyway.
    pub(crate) fn know_books(&mut self, changes: Vec<Change>, checks: Option<u64>) {
        self.books.know(self.plan.seats.len(), changes, checks);
    }

    /// Queues changes that come with the next record.
    pub(crate) fn expect_changes(&mut self, changes: impl IntoIterator<Item = Change>) {
        self.books.expect(changes);
    }

    /// Drops the changes that are queued.
    pub(crate) fn expect_no_changes(&mut self) {
        self.books.expect_none();
    }

    /// The books, if they are known.
    pub fn books(&self) -> Option<&OrderBooks> {
        self.books.books()
    }

    /// The books that the log has published.
    pub fn published(&self) -> Option<&Published> {
        self.books.published()
    }

    /// The adoption before which the books are lost; 0 if there was none.
    pub(crate) fn books_since(&self) -> u64 {
        self.books.lost_before()
    }

    /// How many answers by standing orders can no longer be checked, because the host who had the book is gone.
    pub fn answers_of_lost_books(&self) -> u64 {
        self.books.answers_lost()
    }

    /// The current turn and battle.
    pub(crate) fn when(&self) -> When {
        When { turn: self.game.turn(), battle: self.game.battle(), field: self.game.battlefield() }
    }

    /// Whether a record bears a commitment to the books.
    pub(crate) fn bears_books(&self, entry: &Entry) -> bool {
        self.phase == Phase::Playing && entry.is_of_a_seat()
    }

    /// The first order of the asked seat that answers its question, and what it says. `None` if no order answers, or
    /// if the seat must be asked because too many orders have answered in a row. Where acts need receipts, only the
    /// orders count that stood when the act being played was fixed, at the time of its receipt (log 9.6, 9.8).
    pub(crate) fn order_for(&self, question: Question, at: Stamp) -> Option<(u32, Order, Said)> {
        if self.needs_receipts() {
            self.order_in_run_of(&self.receipts.run()?.receipt, question)
        } else {
            self.order_standing(question, at)
        }
    }

    /// The first order that answers in the run of a receipt.
    fn order_in_run_of(&self, receipt: &Receipt, question: Question) -> Option<(u32, Order, Said)> {
        self.order_among(&self.books()?.at(question.seat, receipt.seq), question, receipt.at)
    }

    /// The order or line that is to answer the open question, now, in the run of a waiting receipt, or once a receipt
    /// is made. Nobody else answers before it, and no deadline passes.
    pub fn order_due(&self, question: Question, at: Stamp) -> Option<u32> {
        let line = || {
            let waiting = || self.receipts.waiting().find_map(|receipt| self.line_at(question, receipt.seq));
            let found = self.line_for(question).or_else(waiting).or_else(|| self.line_standing(question));
            found.map(|(number, _)| number)
        };
        self.answer_due(question, at).or_else(line)
    }

    /// The same of standing orders alone.
    pub(super) fn answer_due(&self, question: Question, at: Stamp) -> Option<u32> {
        let waiting = || self.receipts.waiting().find_map(|receipt| self.order_in_run_of(receipt, question));
        let found = self.order_for(question, at).or_else(waiting);
        found.or_else(|| self.order_standing(question, at)).map(|(number, ..)| number)
    }

    /// The order or line that answers the open question now: its number, and its words.
    pub(super) fn answer_for(&self, question: Question, at: Stamp) -> Option<Answering> {
        let order = self.order_for(question, at).map(|(number, _, said)| Answering { number, said, is_line: false });
        order.or_else(|| self.line_for(question).map(|(number, said)| Answering { number, said, is_line: true }))
    }

    /// While an order of the asked seat is due, nothing may be done about its question but to answer it.
    pub(super) fn check_none_due(&self, seat: Seat, entry: &Entry) -> Result<(), Problem> {
        let asked = self.asked().filter(|question| question.seat == seat && self.holds_books(entry.seq));
        match asked.and_then(|question| self.order_due(question, entry.at)) {
            Some(number) => Err(OrderFault::PassedOver { number }.into()),
            None => Ok(()),
        }
    }

    /// Whether a record is checked against the books.
    pub(super) fn holds_books(&self, seq: u64) -> bool {
        self.books.checks(seq)
    }

    /// Whether a seat may have left orders by a given record. Everybody can tell: the seat has made a record by then.
    pub(super) fn may_have_orders(&self, seat: Seat, by: u64) -> bool {
        self.books.may_have_orders(seat, by)
    }

    /// The first order that would answer if an act were fixed and played now.
    pub(crate) fn order_standing(&self, question: Question, at: Stamp) -> Option<(u32, Order, Said)> {
        self.order_among(&self.books()?.of(question.seat).iter().collect::<Vec<&Standing>>(), question, at)
    }

    fn order_among(&self, orders: &[&Standing], question: Question, at: Stamp) -> Option<(u32, Order, Said)> {
        if self.books.is_run_over() || self.adoption.is_some() || orders.is_empty() {
            return None;
        }
        let turn = self.game.turn();
        let mut orders: Vec<&&Standing> = orders.iter().filter(|standing| standing.stands(at, &turn)).collect();
        orders.sort_by_key(|standing| standing.rank());
        for standing in orders {
            let said = match self.tried(&standing.order, question) {
                Tried::PassedOver => continue,
                Tried::AsksSeat => return None,
                Tried::Says(said) => *said,
            };
            let has_answered =
                self.books.has_run() && self.books.has_answered(question.seat, &self.digest_of_facts(), &said.sentence);
            // An order answers the same question in the same position only once.
            return (!has_answered).then(|| (standing.number, standing.order.clone(), said));
        }
        None
    }

    /// Puts the places and conditions that an order of a seat names into canonical words.
    ///
    /// # Errors
    /// The part that the game cannot read, and why.
    pub(crate) fn name_in_order(&self, seat: Seat, order: &mut Order) -> Result<(), (String, Box<Refusal>)> {
        for place in &mut order.places {
            *place = self.game.place(place).map_err(|why| (place.clone(), Box::new(why)))?;
        }
        let questions = order.questions.clone();
        for condition in order.conditions_mut() {
            let (is_late, others) = without_late(condition);
            let Some(mut others) = others else {
                *condition = with_late(is_late, None);
                continue;
            };
            for question in &questions {
                let judged = self.game.judge(seat, question, &others);
                others = judged.map_err(|why| (others.clone(), Box::new(why)))?.0.sentence;
            }
            *condition = with_late(is_late, Some(others));
        }
        Ok(())
    }

    /// What an order makes of the open question. Its place and conditions say whether it applies; if it does, it
    /// gives the first answer that its conditions and the rules allow, and without such an answer its seat is asked.
    pub(crate) fn tried(&self, order: &Order, question: Question) -> Tried {
        self.tried_on(&*self.game, order, question)
    }

    /// Like [`Fold::tried`], on a copy of the game that has gone on.
    pub(crate) fn tried_on(&self, game: &dyn Game, order: &Order, question: Question) -> Tried {
        let title = self.plan.title;
        if !order.questions.iter().any(|named| title.answers(named, question.id)) {
            return Tried::PassedOver;
        }
        if order.by.is_some() || !order.places.is_empty() {
            let matter = game.matter();
            let is_there = |place: &str| order.places.iter().any(|named| named == place);
            let is_by = |by: &String| matter.by.is_some() && self.plan.seat(by) == matter.by;
            let is_meant =
                (order.places.is_empty() || matter.place.is_some_and(is_there)) && order.by.as_ref().is_none_or(is_by);
            if !is_meant {
                return Tried::PassedOver;
            }
        }
        let holds = |condition: &String| self.holds(game, (question.seat, question.id), condition);
        let meant = order.branches.iter().filter(|branch| branch.condition.as_ref().is_none_or(holds));
        let mut is_meant = false;
        for answer in meant.inspect(|_| is_meant = true).flat_map(|branch| &branch.answers) {
            match answer {
                Answer::AskMe => return Tried::AsksSeat,
                Answer::Say(sentence) => {
                    if let Ok(said) = game.read(question.seat, sentence, self.all_faces()) {
                        return Tried::Says(Box::new(said));
                    }
                }
            }
        }
        if is_meant { Tried::AsksSeat } else { Tried::PassedOver }
    }

    /// Checks an answer against the books, if they are known, and against the limit of every streak of orders.
    pub(crate) fn mind_orders(&mut self, entry: &Entry, question: Question, say: &Say, problems: &mut Vec<Problem>) {
        let is_by_order = entry.via.as_ref().and_then(|via| via.by) == Some(By::Standing);
        self.hold_against_book(entry, question, say, is_by_order, problems);
        if !is_by_order {
            return self.books.end_run();
        }
        let facts = self.digest_of_facts();
        problems.extend(self.books.order_answers(question.seat, facts, &say.said).err());
    }

    fn hold_against_book(
        &mut self,
        entry: &Entry,
        question: Question,
        say: &Say,
        is_by_order: bool,
        problems: &mut Vec<Problem>,
    ) {
        if self.books.books().is_none() {
            return;
        }
        let checks = self.books.checks(self.head().seq);
        let found = if is_by_order || checks { self.answer_for(question, entry.at) } else { return };
        let number = found.as_ref().map_or(0, |found| found.number);
        let is_own = entry.via.as_ref().is_none_or(|via| via.by.is_none());
        let problem = match &found {
            None if is_by_order => Some(OrderFault::NotInBook),
            None => None,
            // A seat may answer before its own lines.
            Some(found) if !is_by_order && found.is_line && is_own => None,
            Some(_) if !is_by_order => Some(OrderFault::PassedOver { number }),
            Some(found) if found.said.sentence == say.said => None,
            Some(found) => {
                let (words, said) = (found.said.sentence.clone(), say.said.to_string());
                Some(OrderFault::OtherWords { number, words, said })
            }
        };
        match found.filter(|_| is_by_order) {
            Some(Answering { is_line: true, .. }) => {
                self.books.has_said(question.seat, number, entry.seq, &say.said);
            }
            Some(_) => self.books.has_fired(question.seat, number),
            None => {}
        }
        problems.extend(problem.filter(|_| checks).map(Problem::from));
    }

    /// Notes what a record commits to, once all its effects are done. `when` is the turn and battle before it.
    pub(crate) fn keep_books(
        &mut self,
        entry: &Entry,
        is_due: bool,
        when: &When,
        chance: &Chance<'_>,
        problems: &mut Vec<Problem>,
    ) {
        let is_recorded = matches!(chance, Chance::Recorded(_));
        match (is_due, entry.books) {
            (true, None) if is_recorded => {
                problems.push(value(Rule::BooksThere, "books", "a commitment to the order books", "nothing"))
            }
            (false, Some(found)) => {
                problems.push(value(Rule::BooksThere, "books", "left out here", &found.to_string()))
            }
            _ => {}
        }
        self.books.change(entry.seq, when, self.needs_receipts(), problems);
        if self.books.books().is_some_and(OrderBooks::mind_time) {
            self.books.reaches(&self.when());
        }
        let Some(seat) = self.plan.seat(&entry.seat).filter(|_| is_due) else { return };
        self.books.comes(seat, entry.seq);
        if let Some(books) = entry.books {
            let seq = self.head().seq;
            self.books.commits(seq, seat, &books);
            self.put_off_commitment(seq);
        }
    }

    /// The commitment of a record that is being made.
    pub(super) fn books_due(&mut self, entry: &Entry, is_due: bool) -> Option<Hash> {
        let seat = self.plan.seat(&entry.seat).filter(|_| is_due)?;
        let (known, root) = (self.books.books()?, self.root.as_ref()?);
        let books = known.commitment(&self.plan.game, root, entry.seq);
        self.books.commits(entry.seq, seat, &books);
        Some(books)
    }

    /// Puts off the check of what a record commits to, if it is checked against the books.
    fn put_off_commitment(&mut self, seq: u64) {
        if let (Some(put_off), Some(texts)) = (&mut self.put_off, self.books.texts_to_check(seq)) {
            put_off.books = Some(texts);
        }
    }

    /// Another player takes a seat: the old player's orders are gone.
    pub(crate) fn empty_book(&mut self, seat: Seat) {
        self.books.empty(seat, self.head().seq);
    }

    /// Another host adopts the game: the old one took the books with him.
    pub(crate) fn lose_books(&mut self) {
        self.books.lose(self.head().seq, self.plan.seats.len());
    }

    /// Checks the published books against everything that the log commits to.
    pub(crate) fn open_books(&mut self, root: &Hash, changed: &[BookChanged<'_>], problems: &mut Vec<Problem>) {
        // With foresight, the commitment of each record was checked when the fold followed it.
        let are_checked = if self.foresight.is_some() { Checked::OneByOne } else { Checked::NotYet };
        self.books.open(&self.plan, root, changed, are_checked, problems);
    }
}
