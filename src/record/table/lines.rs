/*! Lines ahead at the table of the host: left, taken back, left anew, and said when their question comes.

Like orders they are changes of an order book, which wait until their seat makes a record.
*/

use super::Table;
use super::pending::Pending;
use super::table_error::TableError;
use crate::commit::signed::SignedOrder;
use crate::file::secrets::{OrderInClear, SignatureInClear};
use crate::fold::ahead::{Line, LineAhead, StandingLine};
use crate::fold::order_books::{CannotChange, Does};
use crate::fold::standing::Until;
use engine::seat::Seat;
use ground::stamp::Stamp;

impl Table {
    /// The lines ahead of a seat that have not been said yet, in their order.
    pub fn lines(&self, seat: Seat) -> Vec<StandingLine> {
        let turn = self.fold.game().turn();
        let lines = self.books_to_come().map_or(Vec::new(), |books| books.lines(seat).to_vec());
        lines.into_iter().filter(|line| line.stands(&turn)).collect()
    }

    /// The lines of a seat that were said or have lapsed, as far as its book still has them.
    pub fn lines_done(&self, seat: Seat) -> Vec<StandingLine> {
        let turn = self.fold.game().turn();
        let lines = self.fold.books().map_or(&[][..], |books| books.lines(seat));
        lines.iter().filter(|line| !line.stands(&turn)).cloned().collect()
    }

    /// A seat leaves a line of a letter for later, with the orders of its clauses. Each line does this only once.
    pub fn note_line(
        &mut self,
        seat: Seat,
        ahead: LineAhead,
        signed: Option<&SignedOrder>,
        line: Line,
    ) -> Result<(), TableError> {
        self.must_take_orders()?;
        if self.has_done(Some(line)) {
            return Ok(());
        }
        let signed = signed.map(SignatureInClear::of);
        if let Some(again) = signed.as_ref().filter(|signed| self.waits_with_signature(seat, signed)) {
            return Err(CannotChange::SignedBefore { number: again.number }.into());
        }
        let clauses = self.clauses_ahead(seat, &ahead.line)?;
        let mut changes = self.without_lapsed(seat);
        changes.extend(clauses.into_iter().map(|order| Pending::new(seat, Does::Leaves(order), Some(line))));
        changes.push(Pending { seat, does: Does::LeavesLine(ahead), signed, line: Some(line) });
        self.wait_with(changes)
    }

    /// Takes back a line that a seat has left, as far as it stands, and the orders of its clauses.
    pub fn forget_line(&mut self, seat: Seat, line: Line) -> Result<(), TableError> {
        let (Some(books), turn) = (self.books_to_come(), self.fold.game().turn()) else { return Ok(()) };
        let is_its = |came: Option<Line>| came == Some(line);
        let lines = books.lines(seat).iter().filter(|left| is_its(left.came) && left.stands(&turn));
        let orders = books.of(seat).iter().filter(|left| is_its(left.came) && left.order.until == Until::NextBattle);
        let numbers: Vec<u32> = lines.map(|line| line.number).chain(orders.map(|order| order.number)).collect();
        if numbers.is_empty() {
            return Ok(());
        }
        let mut changes = self.pending.clone();
        changes.extend(numbers.into_iter().map(|number| Pending::new(seat, Does::Cancels(number), None)));
        self.wait_with(changes)
    }

    /// Lets the plan of a seat go on: its lines are left anew. No guard holds the first one back, and those of the
    /// others look at what happens from now on.
    pub fn note_going_on(&mut self, seat: Seat) -> Result<(), TableError> {
        self.must_take_orders()?;
        let since = self.fold.head().seq;
        let plan: Vec<StandingLine> = self.lines(seat).into_iter().filter(|line| line.ahead.is_of_plan()).collect();
        let mut changes = self.pending.clone();
        changes.extend(plan.iter().map(|line| Pending::new(seat, Does::Cancels(line.number), None)));
        for (index, line) in plan.into_iter().enumerate() {
            let is_first = index == 0;
            let follows = line.ahead.follows && !is_first;
            let ahead = LineAhead { follows, since: Some(since).filter(|_| !is_first), ..line.ahead };
            let signed = line.came.and_then(|came| self.signature_of(came));
            changes.push(Pending { seat, does: Does::LeavesLine(ahead), signed, line: line.came });
        }
        self.wait_with(changes)
    }

    /// The signature that came with a line of a letter.
    fn signature_of(&self, line: Line) -> Option<SignatureInClear> {
        let is_its = |order: &&OrderInClear| order.letter.zip(order.line) == Some(line) && order.signed.is_some();
        self.secrets.orders.iter().rev().find(is_its)?.signed.clone()
    }

    /// Says the lines that are due, one after the other, and lets the orders answer between them. Returns the number
    /// of lines.
    pub fn say_lines(&mut self, at: Stamp) -> Result<usize, TableError> {
        let mut count = 0;
        loop {
            self.settle(at)?;
            let due = self.fold.asked().and_then(|question| Some((question.seat, self.fold.line_for(question)?.1)));
            let Some((seat, said)) = due else { return Ok(count) };
            self.fire(seat, &said.sentence, at)?;
            count += 1;
        }
    }
}
