/*! How a run ends, and how a receipt stops in it (log 7.12, 7.14). By then the host knows the dice of the round, so
neither may discard them: as long as a standing order is due, a deck must be laid down, or a line can be played, the
game goes on with this round.
*/

use super::Fold;
use super::stops::Stop;
use crate::entry::body::{By, ClockChange, Hosting, Kind};
use crate::entry::receipts::Stopped;
use crate::entry::{Body, Entry};
use crate::problem::rule::Rule;
use crate::problem::{OrderFault, Problem};
use engine::need::{Need, Question};
use engine::seat::Seat;

impl Fold {
    /// Whether a record may come while a receipt waits or is being played. A record that is no part of the run ends
    /// it.
    pub(super) fn mind_run(&mut self, entry: &Entry, problems: &mut Vec<Problem>) -> Result<(), Problem> {
        if let Body::Clock(clock) = &entry.body
            && clock.what == ClockChange::Lapsed
            && self.asked().is_some_and(|question| self.receipts.waits_for(question.seat))
        {
            let why = "an answer of the seat waits for its round";
            return Err(Problem::OutOfPlace { rule: Rule::LapseReceipt, kind: Kind::Clock, why });
        }
        // Once the dice are known, nobody may choose whether an undo takes them back.
        if matches!(entry.body, Body::Say(_) | Body::Round(_)) && self.council.carried().is_some() {
            let why = "a motion is carried, and is done first";
            return Err(Problem::OutOfPlace { rule: Rule::MotionFirst, kind: entry.kind(), why });
        }
        let is_part = matches!(entry.body, Body::Say(_) | Body::Deck(_) | Body::Start(_) | Body::Stopped(_));
        if !is_part {
            self.end_run(entry, problems);
        }
        Ok(())
    }

    /// Ends the run. Everything that follows from its round must be there: the receipt's lines, the orders, and the
    /// decks.
    fn end_run(&mut self, entry: &Entry, problems: &mut Vec<Problem>) {
        let asked = self.asked();
        if matches!(&entry.body, Body::Host(host) if host.what == Hosting::Adoption) {
            // If the host vanishes while a receipt is being played, the game goes on without it.
            self.receipts.end_run();
            return;
        }
        problems.extend(asked.and_then(|question| self.order_passed_over(question, entry)));
        let Some(run) = self.receipts.end_run() else { return };
        let (seq, line) = (run.receipt.seq, *run.receipt.rest().start());
        if matches!(self.need(), Need::Mask(_)) {
            problems.push(Problem::DeckNotLaid { receipt: seq });
        }
        let asked = asked.map(|question| question.seat);
        if run.goes_on() && asked == run.receipt.seat {
            problems.push(Problem::LineSkipped { receipt: seq, line });
        }
        if let Some(asked) = asked {
            self.receipts.ended += u64::from(self.may_have_orders(asked, seq));
        }
    }

    /// The order that should have answered in the run before something else ends it.
    fn order_passed_over(&self, question: Question, entry: &Entry) -> Option<Problem> {
        self.receipts.run().filter(|_| self.holds_books(entry.seq))?;
        let number = self.answer_for(question, entry.at)?.number();
        Some(OrderFault::PassedOverInRun { number }.into())
    }

    /// Takes in the record of a line at which a receipt stops, and why.
    pub(super) fn stop_run(
        &mut self,
        entry: &Entry,
        stopped: &Stopped,
        problems: &mut Vec<Problem>,
    ) -> Result<(), Problem> {
        let (receipt, line) = (stopped.receipt, stopped.line);
        let seat = self.writer(entry)?;
        let asked = self.asked().filter(|question| question.seat == seat);
        // Which question the line meets is only settled once every order before it has answered.
        problems.extend(asked.and_then(|question| self.order_passed_over(question, entry)));
        let by = self.receipts.run().and_then(|run| run.receipt.via.as_ref()?.by);
        if !self.receipts.is_next(receipt, seat, line) {
            return Err(Problem::LineNotNext { receipt, line });
        }
        if asked.is_none() {
            return Err(Problem::StoppedUnasked { receipt, line });
        }
        let stop = self.receipts.stop(line, seat);
        self.note_stop(stop, by)
    }

    /// Notes that a receipt stops while its seat is asked. If the text is known, the rules must refuse it, judged
    /// with all cards face up.
    fn note_stop(&mut self, stop: Stop, by: Option<By>) -> Result<(), Problem> {
        let Some(text) = self.receipts.stops.note(stop).map(str::to_owned) else { return Ok(()) };
        if self.allows(stop.seat, &text, by) {
            Err(Problem::StoppedFalsely { receipt: stop.receipt, line: stop.line })
        } else {
            Ok(())
        }
    }

    /// Whether the rules allow a fixed line to be said for a seat now, judged with all cards that this fold knows.
    pub(crate) fn allows(&self, seat: Seat, text: &str, by: Option<By>) -> bool {
        let read = self.game.read(seat, text, self.all_faces());
        let is_least =
            |said: &str| by != Some(By::Deadline) || self.least_answer(seat).is_none_or(|least| least == said);
        read.is_ok_and(|read| is_least(&read.sentence))
    }

    /// What is said for a seat that does not answer in time: of the title's sentences that do least, the first that
    /// the question allows. It must be read as exactly these words, not as an abbreviation.
    pub(crate) fn least_answer(&self, seat: Seat) -> Option<&'static str> {
        let allows = |sentence: &&str| {
            let read = self.game.read(seat, sentence, self.all_faces());
            read.is_ok_and(|read| read.sentence == **sentence)
        };
        self.plan.title.orders.least.iter().copied().find(allows)
    }
}
