/*! What a fold keeps of the order books (log 9.1 to 9.8): what the records commit to, the answers by orders in a row,
and the books themselves where they are known, from the host's secrets or because the log has published them.
[`orders`](super::orders) holds the records against them.
*/

use super::ahead::HeldBack;
use super::order_books::{Change, Does, OrderBooks, When};
use crate::charter::plan::Plan;
use crate::entry::body::BookChanged;
use crate::problem::{OrderFault, Problem};
use engine::seat::Seat;
use ground::hash::{Hash, sha256};
use std::collections::{BTreeMap, VecDeque};
use std::iter;
use std::sync::Arc;

/// The most answers by standing orders in a row; then the seat is asked.
pub const STREAK_MAX: usize = 50;

/// The answers by standing orders since the last letter or other answer: the seat, the digest of the facts before it,
/// and the words.
#[derive(Clone, Debug, Default)]
struct Streak(Vec<(Seat, Hash, String)>);

/// What the records of this host commit to, kept until the books are published and can be checked: one running hash
/// of the commitments, and the numbers of the records in a few bytes each.
#[derive(Clone, Debug, Default)]
struct Committed {
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
struct Known {
    books: OrderBooks,
    /// The changes that come with later records.
    changes: VecDeque<Change>,
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

/// What a fold holds of the books.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bookkeeping {
    streak: Streak,
    committed: Committed,
    known: Option<Known>,
    published: Option<Published>,
    /// For each seat, the first record by which it may have left an order.
    since: BTreeMap<Seat, u64>,
}

impl Known {
    fn checks(&self, seq: u64) -> bool {
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

/// Whether the commitments to the books were checked already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Checked {
    /// Each when the fold followed its record: it had foresight.
    OneByOne,
    NotYet,
}

impl Bookkeeping {
    /// From here on it is known how the books of `seats` seats change, in this order. With `checks`, the records
    /// after that one are checked against them.
    pub(super) fn know(&mut self, seats: usize, changes: Vec<Change>, checks: Option<u64>) {
        self.known = Some(Known { books: OrderBooks::new(seats), changes: changes.into(), checks });
    }

    /// Queues changes that come with the next record.
    pub(super) fn expect(&mut self, changes: impl IntoIterator<Item = Change>) {
        if let Some(known) = &mut self.known {
            known.changes.extend(changes);
        }
    }

    /// Drops the changes that are queued.
    pub(super) fn expect_none(&mut self) {
        if let Some(known) = &mut self.known {
            known.changes.clear();
        }
    }

    /// The books, if they are known.
    pub(super) fn books(&self) -> Option<&OrderBooks> {
        self.known.as_ref().map(|known| &known.books)
    }

    /// The books that the log has published.
    pub(super) fn published(&self) -> Option<&Published> {
        self.published.as_ref()
    }

    /// The adoption before which the books are lost; 0 if there was none.
    pub(super) fn lost_before(&self) -> u64 {
        self.committed.since
    }

    /// How many answers were given by orders of books that an old host took with him.
    pub(super) fn answers_lost(&self) -> u64 {
        self.committed.lost
    }

    /// Whether a record is checked against the books.
    pub(super) fn checks(&self, seq: u64) -> bool {
        self.known.as_ref().is_some_and(|known| known.checks(seq))
    }

    /// Whether a seat may have left orders by a given record.
    pub(super) fn may_have_orders(&self, seat: Seat, by: u64) -> bool {
        self.since.get(&seat).is_some_and(|since| *since <= by)
    }

    /// The changes up to a record that the books are to follow. Of those that are not checked, only what is signed
    /// matters, and what is taken back: the host's own table only notes which numbers are used.
    pub(super) fn changes_to_check(&self, seq: u64) -> Vec<Change> {
        let Some(known) = &self.known else { return Vec::new() };
        let changes = known.changes.iter().take_while(|change| change.seq <= seq);
        let matters = |change: &&Change| change.signed.is_some() || matches!(change.does, Does::Cancels(_));
        changes.filter(|change| known.checks(seq) || matters(change)).cloned().collect()
    }

    /// Whether so many orders have answered in a row that the seat must be asked.
    pub(super) fn is_run_over(&self) -> bool {
        self.streak.0.len() >= STREAK_MAX
    }

    /// Whether an order has answered since the last letter or other answer.
    pub(super) fn has_run(&self) -> bool {
        !self.streak.0.is_empty()
    }

    /// Whether an order has answered in this streak in the same position, in the same words.
    pub(super) fn has_answered(&self, seat: Seat, facts: &Hash, words: &str) -> bool {
        self.streak.0.iter().any(|(by, digest, said)| *by == seat && digest == facts && said == words)
    }

    /// An answer that no order gave ends the streak.
    pub(super) fn end_run(&mut self) {
        self.streak.0.clear();
    }

    /// An order answers, with these facts before it and in these words.
    pub(super) fn order_answers(&mut self, seat: Seat, facts: Hash, words: &str) -> Result<(), Problem> {
        self.committed.answers += 1;
        if self.is_run_over() {
            return Err(OrderFault::TooManyInARow { most: STREAK_MAX }.into());
        }
        if self.has_answered(seat, &facts, words) {
            return Err(OrderFault::AnsweredBefore.into());
        }
        self.streak.0.push((seat, facts, words.to_string()));
        Ok(())
    }

    /// An order of a seat has been used.
    pub(super) fn has_fired(&mut self, seat: Seat, number: u32) {
        if let Some(known) = &mut self.known {
            known.books.has_fired(seat, number);
        }
    }

    /// A line of a seat was said in record `seq`, in these words.
    pub(super) fn has_said(&mut self, seat: Seat, number: u32, seq: u64, said: &str) {
        if let Some(known) = &mut self.known {
            known.books.has_said(seat, number, seq, said);
        }
    }

    /// A line of a seat is held back in this turn.
    pub(super) fn hold_back(&mut self, seat: Seat, number: u32, why: HeldBack, turn: &str) {
        if let Some(known) = &mut self.known {
            known.books.hold_back(seat, number, why, turn);
        }
    }

    /// The game is put back from this turn.
    pub(super) fn undo_lines(&mut self, turn: &str) {
        if let Some(known) = &mut self.known {
            known.books.undo_lines(turn);
        }
    }

    /// A turn or a battle may have ended: orders that stood for it lapse.
    pub(super) fn reaches(&mut self, now: &When) {
        if let Some(known) = &mut self.known {
            known.books.reaches(now);
        }
    }

    /// No receipt before this record waits any more: what was taken back by then is forgotten.
    pub(super) fn forget_taken_back(&mut self, seq: u64) {
        if let Some(known) = &mut self.known {
            known.books.forget_taken_back(seq);
        }
    }

    /// A seat has made a record, by which it may have left orders: orders may answer again.
    pub(super) fn comes(&mut self, seat: Seat, seq: u64) {
        self.end_run();
        self.since.entry(seat).or_insert(seq);
    }

    /// Notes what a record of a seat commits to.
    pub(super) fn commits(&mut self, seq: u64, seat: Seat, books: &Hash) {
        self.committed.commits(seq, seat, books);
    }

    /// The texts that a record must have committed to; `None` if it is not checked against the books.
    pub(super) fn texts_to_check(&self, seq: u64) -> Option<Vec<Arc<str>>> {
        self.known.as_ref().filter(|known| known.checks(seq)).map(|known| known.books.texts())
    }

    /// Makes the changes that come with record `seq`, at this turn and battle. Where acts need receipts, what was
    /// taken back is kept until no receipt needs it.
    pub(super) fn change(&mut self, seq: u64, when: &When, needs_receipts: bool, problems: &mut Vec<Problem>) {
        loop {
            let Some(known) = &mut self.known else { return };
            if !needs_receipts {
                known.books.forget_taken_back(seq);
            }
            let Some(change) = known.changes.pop_front_if(|change| change.seq <= seq) else { return };
            let done = known.books.change(&change, when);
            let checks = known.checks(seq);
            if let Err(why) = done
                && checks
            {
                problems.push(Problem::Books { why: why.to_string() });
            }
        }
    }

    /// Another player takes a seat: the old player's orders are gone.
    pub(super) fn empty(&mut self, seat: Seat, seq: u64) {
        self.committed.note(seq, Noted::Emptied(seat));
        self.since.remove(&seat);
        if let Some(known) = &mut self.known {
            known.books.empty(seat);
        }
    }

    /// Another host adopts the game in record `seq`: the old one took the books of the `seats` seats with him.
    pub(super) fn lose(&mut self, seq: u64, seats: usize) {
        let Committed { answers, lost, .. } = self.committed;
        self.since.clear();
        self.committed = Committed { since: seq, lost: lost + answers, ..Committed::default() };
        if let Some(known) = &mut self.known {
            known.books = OrderBooks::new(seats);
            known.changes.retain(|change| change.seq > seq);
        }
    }

    /// Checks the published books against everything that the log commits to.
    pub(super) fn open(
        &mut self,
        plan: &Plan,
        root: &Hash,
        changed: &[BookChanged<'_>],
        are_checked: Checked,
        problems: &mut Vec<Problem>,
    ) {
        match self.opened(plan, root, changed, are_checked) {
            Ok(changes) => {
                let has_left = changes.iter().any(|change| !matches!(change.does, Does::Cancels(_)));
                if self.committed.answers > 0 && !has_left {
                    problems.push(OrderFault::NoneLeft.into());
                }
                let since = self.committed.since;
                self.published = Some(Published { root: *root, changes, since });
            }
            Err(why) => problems.push(Problem::Books { why }),
        }
    }

    fn opened(
        &self,
        plan: &Plan,
        root: &Hash,
        changed: &[BookChanged<'_>],
        are_checked: Checked,
    ) -> Result<Vec<Change>, String> {
        let mut changes = Vec::new();
        for item in changed {
            let seat = plan.seat(&item.seat).ok_or_else(|| format!("there is no seat `{}`", item.seat))?;
            let change = Change::of_record(item, seat);
            changes.push(change.map_err(|why| format!("the change of record {}: {why}", item.seq))?);
        }
        let committed = &self.committed;
        let is_checked = are_checked == Checked::OneByOne;
        let mut rest = changes.iter().peekable();
        let (mut books, mut running) = (OrderBooks::new(plan.seats.len()), Hash::ZERO);
        for (seq, noted) in committed.noted() {
            match noted {
                Noted::Emptied(seat) => books.empty(seat),
                Noted::Committed(seat) => {
                    while let Some(change) = rest.next_if(|change| change.seq == seq && change.seat == seat) {
                        let changed = books.change(change, &When::default());
                        changed.map_err(|why| format!("the change of record {seq}: {why}"))?;
                    }
                    if !is_checked {
                        running = after(&running, seq, &books.commitment(&plan.game, root, seq));
                    }
                }
            }
        }
        if let Some(change) = rest.next() {
            let word = plan.word(change.seat);
            return Err(format!("{word} made no record {} in which its book could change, or not here", change.seq));
        }
        if is_checked || running == committed.running {
            Ok(changes)
        } else {
            Err("those that are published are not those that the records commit to".to_string())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::rule::Rule;
    use ground::hash::Hex;

    #[test]
    fn an_order_answers_one_asking_once_and_no_order_after_fifty() {
        let mut books = Bookkeeping::default();
        let answers = |books: &mut Bookkeeping, facts: u8| books.order_answers(Seat(1), Hex([facts; 32]), "pass");
        let rule = |answered: Result<(), Problem>| answered.map_err(|problem| problem.rule());
        assert_eq!(rule(answers(&mut books, 0)), Ok(()));
        assert_eq!(rule(answers(&mut books, 0)), Err(Rule::OrderOnce));
        (1..50).for_each(|facts| assert_eq!(answers(&mut books, facts), Ok(())));
        assert_eq!(rule(answers(&mut books, 50)), Err(Rule::OrderRun));
        books.comes(Seat(2), 417);
        assert_eq!(rule(answers(&mut books, 0)), Ok(()));
    }

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
