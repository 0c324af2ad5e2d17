/*! Receipts and rounds in a fold (log 5.19, 5.20): which records of them may come, and what their rounds bring into
the dice. [`receipts`](super::receipts) keeps them.
*/

use super::receipts::{ROUNDS_AHEAD, Receipts};
use super::{Fold, Phase};
use crate::commit::beacon::Chain;
use crate::entry::body::{By, Kind, Mode, Say};
use crate::entry::receipts::{LinesOpened, Receipt as ReceiptRecord, Round};
use crate::entry::{Entry, HOST};
use crate::problem::rule::Rule;
use crate::problem::{Problem, value};
use engine::seat::Seat;
use ground::stamp::Stamp;

impl Fold {
    /// The receipts that wait or are played.
    pub fn receipts(&self) -> &Receipts {
        &self.receipts
    }

    /// Whether every act needs a receipt.
    pub fn needs_receipts(&self) -> bool {
        self.plan.mode == Mode::Beacon
    }

    /// The chain of the beacon. Without one, a record of receipts is out of place.
    fn beacon(&self, kind: Kind) -> Result<&Chain, Problem> {
        let why = "the game has no beacon";
        self.plan.beacon.as_ref().ok_or(Problem::OutOfPlace { rule: Rule::ReceiptBeacon, kind, why })
    }

    /// The round of a receipt that is recorded at this time.
    pub fn round_for(&self, at: Stamp) -> Option<u64> {
        Some(self.plan.beacon.as_ref()?.round_at(at) + ROUNDS_AHEAD)
    }

    /// When the first waiting receipt can be played: its round, and the time of that round.
    pub fn next_round(&self) -> Option<(u64, Stamp)> {
        let round = self.receipts.waiting().next()?.round;
        Some((round, self.plan.beacon.as_ref()?.time_of(round)?))
    }

    pub(super) fn receipt(&mut self, entry: &Entry, body: &ReceiptRecord) -> Result<(), Problem> {
        let out_of_place = |why| Err(Problem::OutOfPlace { rule: Rule::ReceiptStart, kind: Kind::Receipt, why });
        self.beacon(Kind::Receipt)?;
        let seat = if entry.seat == HOST { None } else { Some(self.writer(entry)?) };
        match self.phase {
            Phase::Joining if seat.is_some() => return out_of_place("before the start only the host writes one"),
            Phase::Joining if self.contributions().is_none() => return out_of_place("not every seat has joined"),
            Phase::Joining if self.receipts.has_start() => {
                return out_of_place("the start has its receipt");
            }
            Phase::Joining => {}
            _ => {}
        }
        if seat.is_some() == body.lines.is_empty() {
            return Err(value(
                Rule::ReceiptLines,
                "lines",
                "there in a receipt of a seat, and only there",
                "a mismatch",
            ));
        }
        if let Some(seat) = seat {
            self.check_answered_for(entry, seat)?;
        }
        let (expected, found) = (self.round_for(entry.at), body.round);
        if expected != Some(found) {
            let expected = expected.map_or(String::new(), |round| round.to_string());
            return Err(Problem::Round { expected, found });
        }
        let keys = seat.map_or(Vec::new(), |seat| self.signers.keys(seat).to_vec());
        self.receipts.enter(entry, body, seat, keys)
    }

    /// Tells when a letter first showed the receipt that is played next: the reader's mailbox proves its time.
    pub fn was_shown(&mut self, at: Option<Stamp>) {
        self.receipts.was_shown(at);
    }

    /// Takes in the round of a receipt: the receipt is played now.
    pub(super) fn round(&mut self, entry: &Entry, body: &Round, problems: &mut Vec<Problem>) -> Result<(), Problem> {
        self.written_by(Kind::Round, HOST, entry, problems);
        let chain = self.beacon(Kind::Round)?.clone();
        let receipt = self.receipts.take_next(body.receipt)?;
        self.books.forget_taken_back(receipt.seq);
        let round = receipt.round;
        let time = chain.time_of(round);
        if time.is_none_or(|time| entry.at < time) {
            problems.push(Problem::RoundTooEarly { round, time: time.map_or(String::new(), |time| time.to_string()) });
        }
        if let Err(why) = chain.verify(round, &body.signature.0) {
            problems.push(Problem::RoundSignature { round, why });
        }
        match (self.phase, chain.is_quicknet()) {
            (Phase::Joining, _) => self.receipts.start_with(round, body.signature),
            (_, true) => self.possible.round(entry.seq),
            // The holder of the key knows every round beforehand, and picks one by the time of the receipt.
            (_, false) => self.possible.host_chooses(receipt.seq),
        }
        if let Some(ledger) = &mut self.ledger {
            ledger.absorb_round(&chain.hash(), round, &body.signature.0);
        }
        self.receipts.begin_run(receipt, time);
        Ok(())
    }

    /// Absorbs the beacon's round at the start. From here on it counts who could have chosen that round.
    pub(super) fn absorb_start_round(&mut self, seq: u64) -> Result<(), Problem> {
        let Some(chain) = &self.plan.beacon else { return Ok(()) };
        let why = "the round of the start is not there";
        let missing = Problem::OutOfPlace { rule: Rule::StartRound, kind: Kind::Start, why };
        let (Some((round, signature)), Some(run)) = (self.receipts.start(), self.receipts.run()) else {
            return Err(missing);
        };
        let ledger = self.ledger.as_mut().expect("the game starts");
        ledger.absorb_round(&chain.hash(), round, &signature.0);
        self.cause = run.receipt.seq;
        if chain.is_quicknet() {
            self.possible.round(seq);
        } else {
            self.possible.host_chooses(run.receipt.seq);
        }
        Ok(())
    }

    /// Checks that an answer was fixed by a receipt and follows from the lines that the record shows.
    pub(super) fn check_lines(&mut self, entry: &Entry, seat: Seat, say: &Say) -> Result<(), Problem> {
        if !self.needs_receipts() {
            return match &say.line {
                Some(_) => Err(value(Rule::SayLine, "line", "left out, as the game has no receipts", "there")),
                None => Ok(()),
            };
        }
        let by = entry.via.as_ref().and_then(|via| via.by);
        let Some(run) = self.receipts.run() else { return Err(Problem::NoRound) };
        self.cause = run.receipt.seq;
        match (&say.line, by) {
            // Whether the order stood when the act was fixed can be checked once the books are known (log 9.6).
            (None, Some(By::Standing)) => Ok(()),
            (None, _) => {
                Err(value(Rule::SayLine, "line", "the lines of a receipt from which the answer follows", "nothing"))
            }
            (Some(_), Some(By::Standing)) => {
                Err(value(Rule::SayLine, "line", "left out when a standing order answers", "there"))
            }
            (Some(opened), _) => self.open_lines(entry, seat, say, opened),
        }
    }

    fn open_lines(&mut self, entry: &Entry, seat: Seat, say: &Say, opened: &LinesOpened) -> Result<(), Problem> {
        let faces = self.faces_with(entry);
        let (id, game) = (&self.plan.game, &*self.game);
        let words = self.receipts.open_lines(entry, seat, opened, id, (game, &faces))?;
        let read = self.game.read(seat, &words, &faces);
        if read.is_ok_and(|read| read.sentence == say.said) {
            Ok(())
        } else {
            Err(Problem::LineSaysOther { words, said: say.said.to_string() })
        }
    }

    /// Counts throws by their run: they follow from its round, and there are none outside a run.
    pub(super) fn throws_of_run(&mut self, count: u64) -> Result<(), Problem> {
        if count == 0 || !self.needs_receipts() {
            return Ok(());
        }
        let Some(run) = self.receipts.run() else { return Err(Problem::ThrowWithoutRound) };
        if self.plan.beacon.as_ref().is_some_and(Chain::is_quicknet) {
            self.possible.by_round(count, run.is_shown());
        }
        Ok(())
    }
}
