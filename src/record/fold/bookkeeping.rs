/*! The order books in a fold (log 9.2 to 9.9).

Every fold notes what the records commit to, and checks answers by standing orders as far as that is possible without
the orders. A fold that knows the books, from the host's secrets or because the log has published them, also knows
which order must answer.
*/

use super::books::{Books, Change, Does, Standing, When};
use super::chance::Chance;
use super::receipts::Receipt;
use super::standing::{Answer, Order};
use super::{Fold, Phase};
use crate::entry::Entry;
use crate::entry::body::{BookChanged, By, Say};
use crate::problem::{Problem, value};
use engine::menu::Said;
use engine::need::Question;
use engine::order::condition::{with_late, without_late};
use engine::refusal::Refusal;
use engine::seat::Seat;
use engine::title::Game;
use ground::hash::{Hash, sha256};
use ground::stamp::Stamp;
use std::collections::{BTreeMap, VecDeque};
use std::iter;

/// The most answers by standing orders in a row; then the seat is asked.
pub const RUN_MAX: usize = 50;

/// The answers by standing orders since the last letter or other answer: the seat, the digest of the facts before it,
/// and the words.
#[derive(Clone, Debug, Default)]
pub(crate) struct Run(Vec<(Seat, Hash, String)>);

/// What the records of this host commit to, kept until the books are published and can be checked: one running hash
/// of the commitments, and the numbers of the records in a few bytes each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Committed {
    /// The adoption before which the books are lost; 0 if there was none.
    since: u64,
    last: u64,
    noted: Vec<u8>,
    running: Hash,
    /// Answers by orders of these books, and of the books that an old host took with him.
    answers: u64,
    lost: u64,
}

/// What `Committed` notes of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Noted {
    /// It commits to the books.
    Committed(Seat),
    /// The record empties the book of the seat.
    Emptied(Seat),
}

/// The contents of the books, where the fold knows them.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) books: Books,
    /// The changes that come with later records.
    pub(super) changes: VecDeque<Change>,
    /// Records after this one are checked against the books; `None` checks no record.
    checks: Option<u64>,
}

/// The books as the log has published them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    pub root: Hash,
    pub changes: Vec<Change>,
    /// The adoption before which the books are lost; 0 if there was none.
    pub since: u64,
}

/// What an order makes of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tried {
    /// It does not apply to the question.
    PassedOver,
    /// It applies, and leaves the answer to its seat.
    AsksSeat,
    Says(Box<Said>),
}

/// What a fold holds of the books.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bookkeeping {
    run: Run,
    committed: Committed,
    pub(crate) known: Option<Known>,
    published: Option<Published>,
    /// For each seat, the first record by which it may have left an order.
    since: BTreeMap<Seat, u64>,
}

impl Known {
    pub(super) fn checks(&self, seq: u64) -> bool {
        self.checks.is_some_and(|since| seq > since)
    }
}

impl Committed {
    fn note(&mut self, seq: u64, noted: Noted) {
        let (kind, seat) = match noted {
            Noted::Committed(seat) => (0, seat),
            Noted::Emptied(seat) => (1, seat),
        };
        let mut distance = seq - self.last;
        self.last = seq;
        while distance >= 0x80 {
            self.noted.push(0x80 | (distance & 0x7f) as u8);
            distance >>= 7;
        }
        self.noted.extend([distance as u8, kind, seat.0]);
    }

    fn commits(&mut self, seq: u64, seat: Seat, books: &Hash) {
        self.note(seq, Noted::Committed(seat));
        self.running = after(&self.running, seq, books);
    }

    /// The noted records, the earliest first.
    fn noted(&self) -> impl Iterator<Item = (u64, Noted)> {
        let mut bytes = self.noted.iter().copied();
        let mut seq = 0;
        iter::from_fn(move || {
            let (mut distance, mut shift) = (0, 0);
            let end = loop {
                let byte = bytes.next()?;
                distance |= u64::from(byte & 0x7f) << shift;
                shift += 7;
                if byte < 0x80 {
                    break (bytes.next()?, Seat(bytes.next()?));
                }
            };
            seq += distance;
            Some((seq, if end.0 == 0 { Noted::Committed(end.1) } else { Noted::Emptied(end.1) }))
        })
    }
}

fn after(running: &Hash, seq: u64, books: &Hash) -> Hash {
    let mut text = [0; 72];
    text[..32].copy_from_slice(&running.0);
    text[32..40].copy_from_slice(&seq.to_be_bytes());
    text[40..].copy_from_slice(&books.0);
    sha256(&text)
}

pub(super) fn wrong(why: &str) -> Problem {
    Problem::StandingOrder { why: why.to_string() }
}

impl Fold {
    /// From here on the fold knows how the books change, in this order. With `checks`, it checks the records after
    /// that one against them; the host's own table follows the books anyway.
    pub(crate) fn know_books(&mut self, changes: Vec<Change>, checks: Option<u64>) {
        let books = Books::new(self.plan.seats.len());
        self.books.known = Some(Known { books, changes: changes.into(), checks });
    }

    /// Queues changes that come with the next record.
    pub(crate) fn expect_changes(&mut self, changes: impl IntoIterator<Item = Change>) {
        if let Some(known) = &mut self.books.known {
            known.changes.extend(changes);
        }
    }

    /// Drops the changes that are queued.
    pub(crate) fn expect_no_changes(&mut self) {
        if let Some(known) = &mut self.books.known {
            known.changes.clear();
        }
    }

    /// The books, if they are known.
    pub fn books(&self) -> Option<&Books> {
        self.books.known.as_ref().map(|known| &known.books)
    }

    /// The books that the log has published.
    pub fn published(&self) -> Option<&Published> {
        self.books.published.as_ref()
    }

    /// The adoption before which the books are lost; 0 if there was none.
    pub(crate) fn books_since(&self) -> u64 {
        self.books.committed.since
    }

    /// How many answers by standing orders can no longer be checked, because the host who had the book is gone.
    pub fn answers_of_lost_books(&self) -> u64 {
        self.books.committed.lost
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
    /// orders count that stood when the act being played was fixed, at the time of its receipt (log 9.7, 9.9).
    pub(crate) fn order_for(&self, question: Question, at: Stamp) -> Option<(u32, Order, Said)> {
        match self.needs_receipts() {
            true => self.order_in_run_of(&self.receipts.run()?.receipt, question),
            false => self.order_standing(question, at),
        }
    }

    /// The first order that answers in the run of a receipt.
    fn order_in_run_of(&self, receipt: &Receipt, question: Question) -> Option<(u32, Order, Said)> {
        self.order_among(&self.books()?.at(question.seat, receipt.seq), question, receipt.at)
    }

    /// The order that is to answer the open question, now, in the run of a waiting receipt, or once a receipt is
    /// made. Nobody else answers before it, and no deadline passes.
    pub fn order_due(&self, question: Question, at: Stamp) -> Option<u32> {
        let waiting = || self.receipts.waiting().find_map(|receipt| self.order_in_run_of(receipt, question));
        let found = self.order_for(question, at).or_else(waiting);
        found.or_else(|| self.order_standing(question, at)).map(|(number, ..)| number)
    }

    /// While an order of the asked seat is due, nothing may be done about its question but to answer it.
    pub(super) fn check_none_due(&self, seat: Seat, entry: &Entry) -> Result<(), Problem> {
        let asked = self.asked().filter(|question| question.seat == seat && self.holds_books(entry.seq));
        match asked.and_then(|question| self.order_due(question, entry.at)) {
            Some(number) => Err(wrong(&format!("order {number} of the seat should have answered this question"))),
            None => Ok(()),
        }
    }

    /// Whether a record is checked against the books.
    pub(super) fn holds_books(&self, seq: u64) -> bool {
        self.books.known.as_ref().is_some_and(|known| known.checks(seq))
    }

    /// Whether a seat may have left orders by a given record. Everybody can tell: the seat has made a record by then.
    pub(super) fn may_have_orders(&self, seat: Seat, by: u64) -> bool {
        self.books.since.get(&seat).is_some_and(|since| *since <= by)
    }

    /// The first order that would answer if an act were fixed and played now.
    pub(crate) fn order_standing(&self, question: Question, at: Stamp) -> Option<(u32, Order, Said)> {
        self.order_among(&self.books()?.of(question.seat).iter().collect::<Vec<&Standing>>(), question, at)
    }

    fn order_among(&self, orders: &[&Standing], question: Question, at: Stamp) -> Option<(u32, Order, Said)> {
        let run = &self.books.run.0;
        if run.len() >= RUN_MAX || self.adoption.is_some() || orders.is_empty() {
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
            let has_answered = !run.is_empty() && {
                let facts = self.digest_of_facts();
                run.iter()
                    .any(|(seat, digest, words)| *seat == question.seat && *digest == facts && *words == said.sentence)
            };
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

    /// Checks an answer against the books, if they are known, and against the limits of every run of orders.
    pub(crate) fn mind_orders(&mut self, entry: &Entry, question: Question, say: &Say, problems: &mut Vec<Problem>) {
        let is_by_order = entry.via.as_ref().and_then(|via| via.by) == Some(By::Standing);
        self.hold_against_book(entry, question, say, is_by_order, problems);
        if !is_by_order {
            self.books.run.0.clear();
            return;
        }
        self.books.committed.answers += 1;
        let (seat, facts) = (question.seat, self.digest_of_facts());
        let run = &mut self.books.run.0;
        if run.len() >= RUN_MAX {
            problems.push(wrong("after 50 answers by orders in a row the seat must be asked"));
        } else if run.iter().any(|(by, digest, said)| *by == seat && *digest == facts && *said == say.said) {
            problems.push(wrong("an order has answered this very question before, in the same words"));
        } else {
            run.push((seat, facts, say.said.to_string()));
        }
    }

    fn hold_against_book(
        &mut self,
        entry: &Entry,
        question: Question,
        say: &Say,
        is_by_order: bool,
        problems: &mut Vec<Problem>,
    ) {
        let Some(known) = &self.books.known else { return };
        let checks = known.checks(self.head().seq);
        let found = match is_by_order || checks {
            true => self.order_for(question, entry.at),
            false => return,
        };
        let problem = match (&found, is_by_order) {
            (None, false) => None,
            (None, true) => Some(wrong("no order in the seat's book answers this question now")),
            (Some((number, ..)), false) => {
                Some(wrong(&format!("order {number} of the seat should have answered this question")))
            }
            (Some((_, _, said)), true) if said.is_recorded_as(&say.said) => None,
            (Some((number, _, said)), true) => {
                Some(wrong(&format!("order {number} of the seat answers `{}`, not `{}`", said.sentence, say.said)))
            }
        };
        let known = self.books.known.as_mut().expect("it is there");
        if let (Some((number, ..)), true) = (found, is_by_order) {
            known.books.has_fired(question.seat, number);
        }
        problems.extend(problem.filter(|_| checks));
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
            (true, None) if is_recorded => problems.push(value("books", "a commitment to the order books", "nothing")),
            (false, Some(found)) => problems.push(value("books", "left out here", &found.to_string())),
            _ => {}
        }
        self.change_books(entry, when, problems);
        if self.books.known.as_ref().is_some_and(|known| known.books.mind_time()) {
            let now = self.when();
            self.books.known.as_mut().expect("it is there").books.reaches(&now);
        }
        let Some(seat) = self.plan.seat(&entry.seat).filter(|_| is_due) else { return };
        // A letter has come: orders may answer again.
        self.books.run.0.clear();
        self.books.since.entry(seat).or_insert(entry.seq);
        if let Some(books) = entry.books {
            let seq = self.head().seq;
            self.books.committed.commits(seq, seat, &books);
            self.put_off_commitment(seq);
        }
    }

    /// The commitment of a record that is being made.
    pub(super) fn books_due(&mut self, entry: &Entry, is_due: bool) -> Option<Hash> {
        let seat = self.plan.seat(&entry.seat).filter(|_| is_due)?;
        let (known, root) = (self.books.known.as_ref()?, self.root.as_ref()?);
        let books = known.books.commitment(&self.plan.game, root, entry.seq);
        self.books.committed.commits(entry.seq, seat, &books);
        Some(books)
    }

    fn change_books(&mut self, entry: &Entry, when: &When, problems: &mut Vec<Problem>) {
        let needs_receipts = self.needs_receipts();
        loop {
            let Some(known) = &mut self.books.known else { return };
            if !needs_receipts {
                known.books.forget_taken_back(entry.seq);
            }
            let Some(change) = known.changes.pop_front_if(|change| change.seq <= entry.seq) else { return };
            let done = known.books.change(&change, when);
            let checks = known.checks(entry.seq);
            if let Err(why) = done
                && checks
            {
                problems.push(Problem::Books { why: why.to_string() });
            }
        }
    }

    /// Puts off the check of what a record commits to, if it is checked against the books.
    fn put_off_commitment(&mut self, seq: u64) {
        let known = self.books.known.as_ref().filter(|known| known.checks(seq));
        if let (Some(known), Some(put_off)) = (known, &mut self.put_off) {
            put_off.books = Some(known.books.texts());
        }
    }

    /// Another player takes a seat: the old player's orders are gone.
    pub(crate) fn empty_book(&mut self, seat: Seat) {
        let seq = self.head().seq;
        self.books.committed.note(seq, Noted::Emptied(seat));
        self.books.since.remove(&seat);
        if let Some(known) = &mut self.books.known {
            known.books.empty(seat);
        }
    }

    /// Another host adopts the game: the old one took the books with him.
    pub(crate) fn lose_books(&mut self) {
        let seq = self.head().seq;
        let Committed { answers, lost, .. } = self.books.committed;
        self.books.since.clear();
        self.books.committed = Committed { since: seq, lost: lost + answers, ..Committed::default() };
        if let Some(known) = &mut self.books.known {
            known.books = Books::new(self.plan.seats.len());
            known.changes.retain(|change| change.seq > seq);
        }
    }

    /// Checks the published books against everything that the log commits to.
    pub(crate) fn open_books(&mut self, root: &Hash, changed: &[BookChanged<'_>], problems: &mut Vec<Problem>) {
        match self.opened(root, changed) {
            Ok(changes) => {
                if self.books.committed.answers > 0
                    && !changes.iter().any(|change| matches!(change.does, Does::Leaves(_)))
                {
                    problems.push(wrong("orders have answered, and no seat has left one"));
                }
                let since = self.books.committed.since;
                self.books.published = Some(Published { root: *root, changes, since });
            }
            Err(why) => problems.push(Problem::Books { why }),
        }
    }

    fn opened(&self, root: &Hash, changed: &[BookChanged<'_>]) -> Result<Vec<Change>, String> {
        let mut changes = Vec::new();
        for item in changed {
            let seat = self.plan.seat(&item.seat).ok_or_else(|| format!("there is no seat `{}`", item.seat))?;
            let change = Change::of_record(item, seat);
            changes.push(change.map_err(|why| format!("the change of record {}: {why}", item.seq))?);
        }
        let committed = &self.books.committed;
        // With foresight, the commitment of each record was checked when the fold followed it.
        let is_checked = self.foresight.is_some();
        let mut rest = changes.iter().peekable();
        let (mut books, mut running) = (Books::new(self.plan.seats.len()), Hash::ZERO);
        for (seq, noted) in committed.noted() {
            match noted {
                Noted::Emptied(seat) => books.empty(seat),
                Noted::Committed(seat) => {
                    while let Some(change) = rest.next_if(|change| change.seq == seq && change.seat == seat) {
                        let changed = books.change(change, &When::default());
                        changed.map_err(|why| format!("the change of record {seq}: {why}"))?;
                    }
                    if !is_checked {
                        running = after(&running, seq, &books.commitment(&self.plan.game, root, seq));
                    }
                }
            }
        }
        if let Some(change) = rest.next() {
            let word = self.plan.word(change.seat);
            return Err(format!("{word} made no record {} in which its book could change, or not here", change.seq));
        }
        match is_checked || running == committed.running {
            true => Ok(changes),
            false => Err("those that are published are not those that the records commit to".to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_noted_is_read_back() {
        let mut committed = Committed::default();
        let all = [1, 2, 130, 131, 20_000, 4_000_000].map(|seq| (seq, Noted::Committed(Seat(seq as u8))));
        for (seq, noted) in all {
            committed.note(seq, noted);
        }
        committed.note(4_000_001, Noted::Emptied(Seat(250)));
        assert_eq!(committed.noted().take(6).collect::<Vec<_>>(), all);
        assert_eq!(committed.noted().last(), Some((4_000_001, Noted::Emptied(Seat(250)))));
    }
}
