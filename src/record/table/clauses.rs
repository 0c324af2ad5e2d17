/*! Clauses after a sentence of a battle: `attack edoras from westemnet; until 3 left; regulars first`.

A clause is an order. If its sentence is said at once, the order is for the `next battle`, which that sentence begins,
or for `this battle` if one is being fought, and is left with the record of the sentence. If its sentence is left as a
line ahead, the order is left with it, for the next battle at the place that the sentence attacks.
*/

use super::pending::Pending;
use super::table_error::TableError;
use super::{Heard, Table};
use crate::entry::Head;
use crate::entry::body::{Auth, Say, Via};
use crate::fold::order_books::{Does, Standing};
use crate::fold::orders::Tried;
use crate::fold::standing::{Order, Until};
use engine::game::Game;
use engine::need::Question;
use engine::order::condition::in_words;
use engine::order::guard::{Amendment, Guard};
use engine::order::line::{Alternative, Clause, alternatives};
use engine::refusal::{Barred, Refusal};
use engine::seat::Seat;
use ground::stamp::Stamp;

/// What a clause can be, for a refusal.
const CLAUSES: [&str; 3] = ["until 3 left", "a question with its answer", "else"];

/// The most words of a place's name.
const PLACE_WORDS_MAX: usize = 4;

/// Why the clauses of a line ahead are refused.
const NO_PLACE: &str = "clauses that are kept go with an attack that names its target";

impl Table {
    /// The orders that the clauses of a sentence leave: the sentence at this place of its line. Usually there are
    /// none.
    pub(super) fn clauses_of(&self, seat: Seat, line: &str, place: usize) -> Result<Vec<Order>, Refusal> {
        let game = self.fold.game();
        let Some(alternative) = alternatives(line, game.clauses()).into_iter().nth(place) else {
            return Ok(Vec::new());
        };
        let mut orders = self.orders_of_clauses(seat, (line, &alternative), None)?;
        if orders.is_empty() {
            return Ok(orders);
        }
        let mut after = game.copy();
        after.say(seat, alternative.sentence, self.fold.faces())?;
        let until = match (game.battle(), after.battle()) {
            (_, None) if alternative.clauses.iter().all(|clause| clause.guards) => return Ok(Vec::new()),
            (_, None) => {
                let why = "clauses go with a sentence of a battle, and none is fought after this one";
                return Err(barred(line, why));
            }
            (Some(before), Some(now)) if before == now => Until::EndOfBattle,
            (_, Some(_)) => Until::NextBattle,
        };
        orders.iter_mut().for_each(|order| order.until = until);
        Ok(orders)
    }

    /// What the orders of the asked seat would say on a copy of the game that has gone on: first `tried`, the clauses
    /// and orders of a letter that is tried out, the last one first; then those of its book.
    pub fn would_answer(&self, game: &dyn Game, question: Question, tried: &[Order]) -> Option<String> {
        let (at, turn) = (self.fold.at(), game.turn());
        let mut book: Vec<&Standing> =
            self.fold.books().map_or(&[][..], |books| books.of(question.seat)).iter().collect();
        book.retain(|standing| standing.stands(at, &turn));
        book.sort_by_key(|standing| standing.rank());
        for order in tried.iter().rev().chain(book.into_iter().map(|standing| &standing.order)) {
            match self.fold.tried_on(game, order, question) {
                Tried::PassedOver => {}
                Tried::AsksSeat => return None,
                Tried::Says(said) => return Some(said.sentence),
            }
        }
        None
    }

    /// The orders that the clauses of a line leave on a copy of the game.
    pub fn clauses_on(&self, game: &dyn Game, seat: Seat, line: &str) -> Vec<Order> {
        let Ok(understood) = game.understand(seat, line, self.fold.faces()) else { return Vec::new() };
        let alternative = alternatives(line, game.clauses()).into_iter().nth(understood.place);
        alternative.and_then(|found| self.orders_of_clauses(seat, (line, &found), None).ok()).unwrap_or_default()
    }

    /// The orders that the clauses of a line ahead leave, for the battle at the place that its sentence attacks.
    pub(super) fn clauses_ahead(&self, seat: Seat, text: &str) -> Result<Vec<Order>, TableError> {
        let mut orders = Vec::new();
        for alternative in alternatives(text, self.fold.game().clauses()) {
            let place = self.attacked(alternative.sentence);
            let is_of_battle = place.is_some() || alternative.clauses.iter().any(|clause| !clause.guards);
            if !alternative.clauses.is_empty() && is_of_battle {
                let place = place.ok_or_else(|| TableError::Refused(barred(alternative.sentence, NO_PLACE)))?;
                orders.extend(self.orders_of_clauses(seat, (text, &alternative), Some(&place))?);
            }
        }
        Ok(orders)
    }

    /// The place that a sentence attacks: the words after `attack`.
    fn attacked(&self, sentence: &str) -> Option<String> {
        let words: Vec<&str> = sentence.split(' ').collect();
        let is_verb = |word: &&str| ["attack", "invade", "assault"].contains(word);
        let start = match words.iter().position(is_verb) {
            Some(verb) => verb + 1,
            None => words.iter().position(|word| *word == "sortie")? + 2,
        };
        let behind = words.get(start..)?;
        let named = |count: usize| self.fold.game().place(&behind[..count].join(" ")).ok();
        (1..=behind.len().min(PLACE_WORDS_MAX)).rev().find_map(named)
    }

    /// Checks that every clause of a line can be read, whatever becomes of its sentences.
    pub fn check_clauses(&self, seat: Seat, line: &str) -> Result<(), Refusal> {
        let all = alternatives(line, self.fold.game().clauses());
        all.iter().try_for_each(|alternative| self.orders_of_clauses(seat, (line, alternative), None).map(drop))
    }

    fn orders_of_clauses(
        &self,
        seat: Seat,
        (line, alternative): (&str, &Alternative<'_>),
        place: Option<&str>,
    ) -> Result<Vec<Order>, Refusal> {
        if let Some(unread) = &alternative.unread {
            return Err(unread_clause(&line[unread.clone()]).about(unread.clone()));
        }
        let is_bare = alternative.clauses.is_empty() && alternative.amendments.is_empty();
        if is_bare && alternative.condition.is_none() {
            return Ok(Vec::new());
        }
        if self.needs_receipts() {
            let why =
                "in this game each act waits for a round: leave it as an order, `when asked press-on in <place> …`";
            return Err(barred(alternative.sentence, why));
        }
        self.check_guards(seat, alternative)?;
        if alternative.clauses.is_empty() {
            return Ok(Vec::new());
        }
        if self.fold.plan().min_auth == Auth::Ssh && !self.fold.may_type(seat) {
            return Err(barred(
                alternative.sentence,
                "orders of this game are signed: sign what the clauses say as such",
            ));
        }
        // The order left last is tried first: `ask me` goes before anything else that the clauses say.
        let (asks, says): (Vec<&Clause>, Vec<&Clause>) =
            alternative.clauses.iter().partition(|clause| clause.tail.ends_with(" say ask me"));
        let read = says.into_iter().chain(asks).map(|clause| (clause, self.order_of_clause(seat, clause, place)));
        // A guard that only fits the question of its line gives no order for the battle.
        read.filter(|(clause, order)| !clause.guards || order.is_ok()).map(|(_, order)| order).collect()
    }

    /// Checks that the conditions of guards can be judged, either on the seat's own turn or in the battle.
    fn check_guards(&self, seat: Seat, alternative: &Alternative<'_>) -> Result<(), Refusal> {
        let game = self.fold.game();
        let own_turn = self.fold.plan().title.orders.own_turn;
        for Amendment { stops, guard, at } in &alternative.amendments {
            let Guard::If(condition) = guard else { continue };
            let in_battle = game.clauses().questions.first().filter(|_| *stops);
            let questions: Vec<&str> = in_battle.into_iter().chain(own_turn).copied().collect();
            let condition = in_words(condition);
            let mut judged: Vec<_> = questions.iter().map(|question| game.judge(seat, question, &condition)).collect();
            if judged.iter().all(Result::is_err)
                && let Some(Err(refusal)) = judged.pop()
            {
                return Err(refusal.about(at.clone()));
            }
        }
        Ok(())
    }

    fn order_of_clause(&self, seat: Seat, clause: &Clause, place: Option<&str>) -> Result<Order, Refusal> {
        let Clause { question, tail, at, .. } = clause;
        let place = place.map_or(String::new(), |place| format!(" in {place}"));
        let order = format!("when asked {question}{place}{tail} next battle");
        self.understand_order(seat, &order).map_err(|error| match error {
            TableError::InOrder { why, .. } => why.about(at.clone()),
            error => barred(tail.trim(), &error.to_string()).about(at.clone()),
        })
    }

    /// Adds an answer with the orders that its clauses leave: its record commits to them.
    pub(super) fn add_with_clauses(
        &mut self,
        mut heard: Heard,
        via: Option<Via>,
        say: Say,
        at: Stamp,
    ) -> Result<Head, TableError> {
        let before = self.pending.clone();
        let clauses = std::mem::take(&mut heard.clauses);
        // The clauses of a line ahead were left together with it.
        if via.as_ref().is_none_or(|via| via.by.is_none()) {
            self.leave_clauses(heard.seat, clauses)?;
        }
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
        changes.extend(orders.into_iter().map(|order| Pending::new(seat, Does::Leaves(order), None)));
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
