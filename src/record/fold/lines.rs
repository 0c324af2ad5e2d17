/*! Lines ahead in a fold (log 9.6): which of them is due, and which plan stops.

Standing orders come before the lines, and a seat's own answer may pass over its own lines. When the line that has its
turn is held back, by a guard or by a rule, the plan of its seat stops after the record that asked: from then on it
waits until its lines are left anew.
*/

use super::Fold;
use super::ahead::{HeldBack, LineAhead, StandingLine};
use super::order_books::OrderBooks;
use engine::menu::Said;
use engine::need::Question;
use engine::order::condition::in_words;
use engine::order::guard::Guard;
use engine::order::held::Guards;
use engine::order::line::{Alternative, alternatives};
use engine::refusal::Refusal;
use engine::seat::Seat;

/// A line that has its turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    pub(crate) number: u32,
    /// What it says, or why it is held back.
    pub(crate) says: Result<Box<Said>, HeldBack>,
}

impl Turn {
    fn due(self) -> Option<(u32, Said)> {
        Some((self.number, *self.says.ok()?))
    }
}

impl Fold {
    /// The line of the asked seat that answers its question now, and what it says. Where acts need receipts, only the
    /// lines count that stood when the act being played was fixed.
    pub(crate) fn line_for(&self, question: Question) -> Option<(u32, Said)> {
        if !self.needs_receipts() {
            return self.line_standing(question);
        }
        let run = self.receipts.run().filter(|run| !(run.goes_on() && run.receipt.seat == Some(question.seat)))?;
        self.line_at(question, run.receipt.seq)
    }

    /// The line that would answer if an act were fixed and played now.
    pub(crate) fn line_standing(&self, question: Question) -> Option<(u32, Said)> {
        self.line_among(question, self.books()?.lines(question.seat))?.due()
    }

    /// The line that answers in the run of the receipt in record `seq`.
    pub(super) fn line_at(&self, question: Question, seq: u64) -> Option<(u32, Said)> {
        self.line_among(question, &self.books()?.lines_at(question.seat, seq))?.due()
    }

    /// The line among these that has its turn: the first that waits for no line before it, whose question is asked,
    /// and which that question reads.
    fn line_among(&self, question: Question, lines: &[StandingLine]) -> Option<Turn> {
        if self.books.is_run_over() || self.adoption.is_some() || lines.is_empty() {
            return None;
        }
        let (turn, own_turn) = (self.game.turn(), self.plan.title.orders.own_turn);
        let has_stopped = lines.iter().any(|line| line.stands(&turn) && line.stopped().is_some());
        let mut waits = false;
        for line in lines {
            let (stands, is_blocked) = (line.stands(&turn), line.ahead.follows && waits);
            waits = stands;
            let is_held = has_stopped && line.ahead.is_of_plan();
            if !stands || is_blocked || is_held || !line.ahead.is_for(question.id, own_turn) {
                continue;
            }
            let says = match self.game.read(question.seat, &line.ahead.line, self.all_faces()) {
                Err(Refusal::NotUnderstood { .. } | Refusal::NotAsked { .. } | Refusal::Ambiguous { .. }) => continue,
                Ok(said) => self.guarded(question, &line.ahead).map_or(Ok(Box::new(said)), Err),
                Err(refusal) => {
                    let forbidden = || HeldBack::Forbidden(Box::new(refusal));
                    Err(self.guarded(question, &line.ahead).unwrap_or_else(forbidden))
                }
            };
            let has_answered = |said: &Said| {
                self.books.has_run() && self.books.has_answered(question.seat, &self.digest_of_facts(), &said.sentence)
            };
            // Like an order, a line answers the same question in the same position only once.
            return (!says.as_ref().is_ok_and(|said| has_answered(said))).then_some(Turn { number: line.number, says });
        }
        None
    }

    /// The guard that holds a line back, if one does.
    fn guarded(&self, question: Question, ahead: &LineAhead) -> Option<HeldBack> {
        let since = ahead.since.filter(|_| ahead.is_of_plan())?;
        if !self.plan.title.orders.own_turn.contains(&question.id) {
            return None;
        }
        let sentences = alternatives(&ahead.line, self.game.clauses());
        let judged = self.judged(question, &sentences);
        // If a `go on if` of the line holds, the line minds no other guard.
        if judged.iter().any(|(stops, _)| !stops) {
            return None;
        }
        if let Some((_, said)) = judged.into_iter().next() {
            return Some(HeldBack::Wished(said));
        }
        self.touched(question.seat, since, &sentences)
    }

    /// The conditions of a line's guards that hold, and whether each stops the line.
    fn judged(&self, question: Question, sentences: &[Alternative<'_>]) -> Vec<(bool, String)> {
        let amendments = sentences.iter().flat_map(|sentence| &sentence.amendments);
        let holding = amendments.filter_map(|amendment| {
            let Guard::If(condition) = &amendment.guard else { return None };
            let judged = self.game.judge(question.seat, question.id, &in_words(condition));
            judged.ok().filter(|(_, holds)| *holds).map(|(said, _)| (amendment.stops, said.sentence))
        });
        holding.collect()
    }

    /// What has touched a line since its writer had seen record `since`.
    fn touched(&self, seat: Seat, since: u64, sentences: &[Alternative<'_>]) -> Option<HeldBack> {
        let sides = (self.plan.title.teams.sides)(&self.plan.setup);
        let side = sides.iter().find(|side| side.contains(&seat));
        let is_ally =
            |word: &str| self.plan.seat(word).is_some_and(|seat| side.is_some_and(|side| side.contains(&seat)));
        let Some((fought, acts)) = self.recent.since(since, (seat, self.plan.word(seat)), is_ally) else {
            return Some(HeldBack::LongAgo);
        };
        let guards = Guards::of(self.plan.title, &*self.game, sentences);
        guards.held(fought, &acts).map(HeldBack::Touched)
    }

    /// After each record: if the line that has its turn is held back, the plan of its seat stops.
    pub(super) fn mind_lines(&mut self) {
        let Some(question) = self.asked().filter(|_| self.books.books().is_some_and(OrderBooks::have_lines)) else {
            return;
        };
        let run = self.receipts.run();
        let comes_first = run.is_some_and(|run| run.goes_on() && run.receipt.seat == Some(question.seat));
        if comes_first || self.answer_due(question, self.at).is_some() {
            return;
        }
        let lines = self.books.books().map_or(&[][..], |books| books.lines(question.seat));
        if let Some(Turn { number, says: Err(why) }) = self.line_among(question, lines) {
            self.books.hold_back(question.seat, number, why, &self.game.turn());
        }
    }
}
