/*! Clauses behind a sentence of a battle: `attack edoras from westemnet; until 3 left; regulars first`.

A clause is an order for `its battle`, and is left with the record of its sentence: so it is in force from the first
question of the battle that the sentence begins, and ends with that battle.
*/

use super::orders::Pending;
use super::table_error::TableError;
use super::{Heard, Table};
use crate::engine::order::line::{Alternative, Clause, alternatives};
use crate::engine::refusal::{Barred, Refusal};
use crate::engine::seat::Seat;
use crate::record::entry::Head;
use crate::record::entry::body::{Auth, Say, Via};
use crate::record::fold::books::Does;
use crate::record::fold::standing::Order;
use crate::record::value::stamp::Stamp;

/// What a clause is, for a refusal.
const CLAUSES: [&str; 3] = ["until 3 left", "a question with its answer", "else"];

impl Table {
    /// The orders that the clauses of a sentence leave, of those that stand on its line; none for most.
    ///
    /// # Errors
    /// A clause cannot be read, or no battle is fought after the sentence.
    pub(super) fn clauses_of(&self, seat: Seat, line: &str, place: usize) -> Result<Vec<Order>, Refusal> {
        let game = self.fold.game();
        let Some(alternative) = alternatives(line, game.clauses()).into_iter().nth(place) else {
            return Ok(Vec::new());
        };
        let orders = self.orders_of_clauses(seat, &alternative)?;
        if orders.is_empty() {
            return Ok(orders);
        }
        let mut after = game.copy();
        after.say(seat, alternative.sentence, self.fold.faces())?;
        match after.battle() {
            Some(_) => Ok(orders),
            None => Err(barred(line, "clauses go with a sentence of a battle, and none is fought after this one")),
        }
    }

    /// Whether every clause of a line can be read, whatever becomes of its sentences.
    ///
    /// # Errors
    /// Which cannot, and what could stand there.
    pub fn check_clauses(&self, seat: Seat, line: &str) -> Result<(), Refusal> {
        let all = alternatives(line, self.fold.game().clauses());
        all.iter().try_for_each(|alternative| self.orders_of_clauses(seat, alternative).map(drop))
    }

    fn orders_of_clauses(&self, seat: Seat, alternative: &Alternative<'_>) -> Result<Vec<Order>, Refusal> {
        if let Some(unread) = alternative.unread {
            return Err(unread_clause(unread));
        }
        if alternative.clauses.is_empty() {
            return Ok(Vec::new());
        }
        if self.needs_receipts() {
            let why =
                "in this game each act waits for a round: leave it as an order, `when asked press-on in <place> …`";
            return Err(barred(alternative.sentence, why));
        }
        if self.fold.plan().min_auth == Auth::Ssh && !self.fold.may_type(seat) {
            return Err(barred(
                alternative.sentence,
                "orders of this game are signed: sign what the clauses say as such",
            ));
        }
        // The one left last is tried first: the seat is asked where it wishes, whatever else it has said.
        let (asks, says): (Vec<&Clause>, Vec<&Clause>) =
            alternative.clauses.iter().partition(|clause| clause.tail.ends_with(" say ask me"));
        says.into_iter().chain(asks).map(|clause| self.order_of_clause(seat, clause)).collect()
    }

    fn order_of_clause(&self, seat: Seat, Clause { question, tail }: &Clause) -> Result<Order, Refusal> {
        self.understand_order(seat, &format!("when asked {question}{tail} its battle")).map_err(|error| match error {
            TableError::InOrder { why, .. } => *why,
            error => barred(tail.trim(), &error.to_string()),
        })
    }

    /// Adds an answer, with the orders that its clauses leave: its record commits to them.
    pub(super) fn add_with_clauses(
        &mut self,
        mut heard: Heard,
        via: Option<Via>,
        say: Say,
        at: Stamp,
    ) -> Result<Head, TableError> {
        let before = self.pending.clone();
        self.leave_clauses(heard.seat, std::mem::take(&mut heard.clauses))?;
        let added = self.add_answer(heard, via, say, at);
        if added.is_err() {
            self.pending = before;
        }
        added
    }

    /// Leaves the orders of clauses with the next record of their seat.
    fn leave_clauses(&mut self, seat: Seat, orders: Vec<Order>) -> Result<(), TableError> {
        if orders.is_empty() {
            return Ok(());
        }
        let mut changes = self.without_lapsed(seat);
        changes.extend(orders.into_iter().map(|order| Pending::new(seat, Does::Leaves(order))));
        self.wait_with(changes)
    }
}

fn unread_clause(found: &str) -> Refusal {
    let expected = CLAUSES.map(str::to_string).to_vec();
    Refusal::NotUnderstood { at: 0..found.len(), found: found.to_string(), expected, kind: None, nearest: None }
}

fn barred(said: &str, why: &str) -> Refusal {
    let barred = Barred { rule: "", why: why.to_string() };
    Refusal::NotAllowed { at: 0..said.len(), said: said.to_string(), barred, instead: Vec::new() }
}
