/*! Receipts and rounds (log 5.23, 5.24, 7.16, 7.17): each act is fixed before the round from which its throws follow.

A *receipt* commits to the lines of an act. When the round that it names has been published, the record `round` brings
its signature, and a *run* begins: the lines are played in their order, together with everything that was left before
the receipt: sentences for later and standing orders. All throws of a run follow from its round. A record that is no
part of the run ends it.
*/

use super::stops::Stops;
use super::wrapping::{Alone, Played};
use super::{Fold, Phase};
use crate::commit::beacon::Chain;
use crate::commit::seals;
use crate::commit::signature::PublicKey;
use crate::entry::body::{By, Kind, Mode, Say, Via};
use crate::entry::receipts::{LinesOpened, Receipt as ReceiptRecord, Round};
use crate::entry::{Entry, HOST};
use crate::problem::{Problem, value};
use engine::seat::Seat;
use ground::hash::{Hash, Hex};
use ground::stamp::Stamp;
use std::collections::{BTreeSet, VecDeque};

/// How many rounds after the one current at a receipt its own round comes: five minutes of quicknet.
pub const ROUNDS_AHEAD: u64 = 100;

/// A receipt that is in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    pub seq: u64,
    /// The seat whose act it is; `None` for the host's own, which has no lines.
    pub seat: Option<Seat>,
    pub via: Option<Via>,
    pub at: Stamp,
    /// The commitments to its lines.
    pub lines: Vec<Hash>,
    /// The lines that a mail program may have cut in two.
    pub cut: Vec<u32>,
    pub round: Option<u64>,
    /// The keys of its seat when it was recorded: what the seat had signed by then stays valid.
    pub keys: Vec<PublicKey>,
    /// The next line that can be played, from 1.
    next: u32,
    /// Whether some of its lines could have been played in a run, and were not.
    is_passed_over: bool,
}

impl Receipt {
    /// The lines that are not played yet, by their numbers.
    pub fn rest(&self) -> std::ops::RangeInclusive<u32> {
        self.next..=u32::try_from(self.lines.len()).expect("the lists of a record are short")
    }

    fn is_of(&self, via: Option<&Via>) -> bool {
        let raw = |via: Option<&Via>| via.and_then(|via| via.raw);
        raw(self.via.as_ref()) == raw(via)
    }
}

/// A receipt that is being played.
#[derive(Clone, Debug)]
pub struct Run {
    pub receipt: Receipt,
    /// A line was refused, so none of the remaining lines is played.
    pub(super) is_stopped: bool,
    /// Whether a mailbox shows that the receipt came before its round was published.
    is_shown: bool,
}

/// The receipts of a game.
#[derive(Clone, Debug, Default)]
pub struct Receipts {
    /// The receipts that wait for their rounds, the oldest first.
    waiting: VecDeque<Receipt>,
    /// The receipts with lines left for later.
    left: Vec<Receipt>,
    pub(super) run: Option<Run>,
    /// The round that the start absorbs.
    start: Option<(u64, Hex<48>)>,
    /// When a letter first showed the receipt that is played next; `None` if the reader's mailbox has no such letter.
    shown: Option<Stamp>,
    /// The letters that have had a receipt. A second receipt would give the same act another throw.
    letters: BTreeSet<Hash>,
    /// The last lines played without the line below, although a mail program may have cut that off.
    pub(super) alone: Vec<Alone>,
    /// Rounds so far; then what was fixed but not played although its round was known.
    pub rounds: u64,
    pub stops: Stops,
    pub passed_over: u64,
    /// Rounds in which lines were passed over, and the receipt of the last such round.
    pub passed_rounds: u64,
    passed_in: u64,
    pub voided: u64,
    /// Sentences that a mail program may have cut in two and that can be read both whole and without the rest.
    pub ambiguous: u64,
    /// Rounds whose run ended with a question that an order may have answered; and such rounds of a host who is gone.
    pub ended: u64,
    pub ended_lost: u64,
}

impl Receipts {
    /// The receipts that wait for their rounds, the oldest first.
    pub fn waiting(&self) -> impl Iterator<Item = &Receipt> {
        self.waiting.iter()
    }

    /// The receipt that is being played.
    pub fn run(&self) -> Option<&Run> {
        self.run.as_ref()
    }

    /// The receipt of this letter, until all of its lines are played or refused.
    pub fn of_letter(&self, raw: &Hash) -> Option<&Receipt> {
        self.all().find(|receipt| receipt.via.as_ref().and_then(|via| via.raw).as_ref() == Some(raw))
    }

    /// All receipts with lines still to be played, and the one that is being played.
    pub fn all(&self) -> impl Iterator<Item = &Receipt> {
        self.waiting.iter().chain(&self.left).chain(self.run.iter().map(|run| &run.receipt))
    }

    /// Whether an act of a seat waits for its round.
    pub fn waits_for(&self, seat: Seat) -> bool {
        self.waiting.iter().any(|receipt| receipt.seat == Some(seat))
    }

    /// Whether the round that the start needs is there.
    pub fn may_start(&self) -> bool {
        self.start.is_some()
    }

    /// Another player takes a seat: what the old player left for later is void.
    pub(super) fn forget(&mut self, seat: Seat) {
        self.void(|of| of == seat);
    }

    /// An undo puts the game back: everything that was fixed is void.
    pub(super) fn forget_all(&mut self) {
        self.void(|_| true);
    }

    fn void(&mut self, is_void: impl Fn(Seat) -> bool) {
        let is_void = |receipt: &Receipt| receipt.seat.is_some_and(&is_void);
        // Lines that were passed over are counted as that already.
        let counts = |receipt: &&Receipt| is_void(receipt) && !receipt.is_passed_over;
        self.voided += self.waiting.iter().chain(&self.left).filter(counts).count() as u64;
        self.waiting.retain(|receipt| !is_void(receipt));
        self.left.retain(|receipt| !is_void(receipt));
    }

    /// Counts a seat's lines for later, from receipts before record `before`, that could have been played in a run
    /// when something else was.
    pub(super) fn pass_over(&mut self, seat: Seat, before: u64, run: u64) {
        let could = |left: &&mut Receipt| left.seat == Some(seat) && left.seq < before;
        for left in self.left.iter_mut().filter(could) {
            self.passed_over += u64::from(!left.is_passed_over);
            left.is_passed_over = true;
            self.passed_rounds += u64::from(self.passed_in != run);
            self.passed_in = run;
        }
    }

    /// Keeps for later what remains of a receipt when its run ends.
    pub(super) fn leave(&mut self, run: Run) {
        if !run.is_stopped && !run.receipt.rest().is_empty() {
            self.left.push(run.receipt);
        }
    }

    /// Another host goes on, who does not have the salts of what was committed.
    pub(super) fn clear(&mut self) {
        let letters = std::mem::take(&mut self.letters);
        let mut stops = std::mem::take(&mut self.stops);
        stops.lose();
        self.forget_all();
        let Receipts { rounds, passed_over, passed_rounds, voided, ambiguous, ended, .. } = *self;
        let (ended, ended_lost) = (0, self.ended_lost + ended);
        *self = Receipts {
            letters,
            rounds,
            stops,
            passed_over,
            passed_rounds,
            voided,
            ambiguous,
            ended,
            ended_lost,
            ..Receipts::default()
        };
    }
}

impl Run {
    /// Whether something committed in record `seq` was there when the act was fixed.
    pub fn knows(&self, seq: u64) -> bool {
        seq <= self.receipt.seq
    }

    /// Whether lines of the receipt remain to be played now.
    pub fn goes_on(&self) -> bool {
        !self.is_stopped && !self.receipt.rest().is_empty()
    }

    /// Whether this is the next line of the receipt that is being played.
    pub(super) fn is_next(&self, receipt: u64, seat: Seat, line: u32) -> bool {
        let of = &self.receipt;
        (of.seq, of.seat, of.next) == (receipt, Some(seat), line) && self.goes_on()
    }
}

impl Fold {
    /// The receipts that wait, are played, or have lines left for later.
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
        self.plan.beacon.as_ref().ok_or(Problem::OutOfPlace { kind, why })
    }

    /// The round of a receipt that is recorded at this time.
    pub fn round_for(&self, at: Stamp) -> Option<u64> {
        Some(self.plan.beacon.as_ref()?.round_at(at) + ROUNDS_AHEAD)
    }

    /// When the first waiting receipt can be played: its round, and the time of that round.
    pub fn next_round(&self) -> Option<(u64, Stamp)> {
        let round = self.receipts.waiting.front()?.round?;
        Some((round, self.plan.beacon.as_ref()?.time_of(round)?))
    }

    pub(super) fn receipt(&mut self, entry: &Entry, body: &ReceiptRecord) -> Result<(), Problem> {
        let out_of_place = |why| Err(Problem::OutOfPlace { kind: Kind::Receipt, why });
        self.beacon(Kind::Receipt)?;
        let seat = if entry.seat == HOST { None } else { Some(self.writer(entry)?) };
        match self.phase {
            Phase::Joining if seat.is_some() => return out_of_place("before the start only the host writes one"),
            Phase::Joining if self.contributions().is_none() => return out_of_place("not every seat has joined"),
            Phase::Joining if self.receipts.start.is_some() || !self.receipts.waiting.is_empty() => {
                return out_of_place("the start has its receipt");
            }
            Phase::Joining => {}
            _ if !self.needs_receipts() => return out_of_place("only the start waits for the beacon"),
            _ => {}
        }
        if seat.is_some() == body.lines.is_empty() {
            return Err(value("lines", "there in a receipt of a seat, and only there", "a mismatch"));
        }
        if let Some(seat) = seat {
            self.check_answered_for(entry, seat)?;
        }
        let expected = self.round_for(entry.at);
        match body.round {
            None if seat.is_none() => return Err(value("round", "there in a receipt of the host", "nothing")),
            Some(found) if Some(found) != expected => {
                let expected = expected.map_or(String::new(), |round| round.to_string());
                return Err(Problem::Round { expected, found });
            }
            _ => {}
        }
        if let Some(raw) = entry.via.as_ref().and_then(|via| via.raw)
            && !self.receipts.letters.insert(raw)
        {
            return Err(value("raw", "a letter that has had no receipt", &raw.to_string()));
        }
        let (lines, cut, round) = (body.lines.clone(), body.cut.clone(), body.round);
        let mut places = 1..u32::try_from(lines.len()).expect("the lists of a record are short");
        if !cut.iter().all(|line| places.any(|place| place == *line)) {
            return Err(value("cut", "numbers of lines above the last, the first one first", "others"));
        }
        let (seq, via, at) = (entry.seq, entry.via.clone(), entry.at);
        let keys = seat.map_or(Vec::new(), |seat| self.signers.keys(seat).to_vec());
        let receipt = Receipt { seq, seat, via, at, lines, cut, round, keys, next: 1, is_passed_over: false };
        match round {
            Some(_) => self.receipts.waiting.push_back(receipt),
            None => self.receipts.left.push(receipt),
        }
        Ok(())
    }

    /// Tells when a letter first showed the receipt that is played next: the reader's mailbox proves its time.
    pub fn was_shown(&mut self, at: Option<Stamp>) {
        self.receipts.shown = at;
    }

    /// Takes in the round of a receipt: the receipt is played now.
    pub(super) fn round(&mut self, entry: &Entry, body: &Round, problems: &mut Vec<Problem>) -> Result<(), Problem> {
        self.written_by(Kind::Round, HOST, entry, problems);
        let chain = self.beacon(Kind::Round)?.clone();
        match self.receipts.waiting.front() {
            Some(first) if first.seq == body.receipt => {}
            first => {
                let first = first.map(|first| first.seq);
                return Err(Problem::ReceiptOrder { first, found: body.receipt });
            }
        }
        let receipt = self.receipts.waiting.pop_front().expect("it was looked at");
        if let Some(known) = &mut self.books.known {
            known.books.forget_taken_back(receipt.seq);
        }
        let round = receipt.round.expect("what waits has a round");
        let time = chain.time_of(round);
        if time.is_none_or(|time| entry.at < time) {
            problems.push(Problem::RoundTooEarly { round, time: time.map_or(String::new(), |time| time.to_string()) });
        }
        if let Err(why) = chain.verify(round, &body.signature.0) {
            problems.push(Problem::RoundSignature { round, why });
        }
        self.receipts.rounds += 1;
        let is_shown = self.receipts.shown.take().zip(time).is_some_and(|(shown, time)| shown < time);
        match (self.phase, chain.is_quicknet()) {
            (Phase::Joining, _) => self.receipts.start = Some((round, body.signature)),
            (_, true) => self.possible.round(entry.seq),
            // The holder of the key knows every round beforehand, and picks one by the time of the receipt.
            (_, false) => self.possible.chooses(None, receipt.seq),
        }
        if let Some(ledger) = &mut self.ledger {
            ledger.absorb_round(&chain.hash(), round, &body.signature.0);
        }
        self.receipts.run = Some(Run { receipt, is_stopped: false, is_shown });
        Ok(())
    }

    /// Absorbs the beacon's round at the start. From here on it counts who could have chosen that round.
    pub(super) fn absorb_start_round(&mut self, seq: u64) -> Result<(), Problem> {
        let Some(chain) = &self.plan.beacon else { return Ok(()) };
        let why = "the round of the start is not there";
        let missing = Problem::OutOfPlace { kind: Kind::Start, why };
        let (Some((round, signature)), Some(run)) = (self.receipts.start, &self.receipts.run) else {
            return Err(missing);
        };
        let ledger = self.ledger.as_mut().expect("the game starts");
        ledger.absorb_round(&chain.hash(), round, &signature.0);
        self.cause = run.receipt.seq;
        match chain.is_quicknet() {
            // If no later round follows, this one counts only if nobody knew it when the host fixed it.
            true if run.is_shown || self.plan.mode == Mode::Beacon => self.possible.round(seq),
            true => {}
            false => self.possible.chooses(None, run.receipt.seq),
        }
        Ok(())
    }

    /// Checks that an answer was fixed by a receipt and follows from the lines that the record shows.
    pub(super) fn check_lines(&mut self, entry: &Entry, seat: Seat, say: &Say) -> Result<(), Problem> {
        if !self.needs_receipts() {
            return match &say.line {
                Some(_) => Err(value("line", "left out, as the game has no receipts", "there")),
                None => Ok(()),
            };
        }
        let by = entry.via.as_ref().and_then(|via| via.by);
        let Some(run) = &self.receipts.run else { return Err(Problem::NoRound) };
        self.cause = run.receipt.seq;
        match (&say.line, by) {
            // Whether the order stood when the act was fixed can be checked once the books are known (log 9.7).
            (None, Some(By::Standing)) => Ok(()),
            (None, _) => Err(value("line", "the lines of a receipt from which the answer follows", "nothing")),
            (Some(_), Some(By::Standing)) => Err(value("line", "left out when a standing order answers", "there")),
            (Some(opened), _) => self.open_lines(entry, seat, say, opened),
        }
    }

    fn open_lines(&mut self, entry: &Entry, seat: Seat, say: &Say, opened: &LinesOpened) -> Result<(), Problem> {
        let by = entry.via.as_ref().and_then(|via| via.by);
        let receipts = &mut self.receipts;
        let run = receipts.run.as_mut().expect("a receipt is being played");
        if !run.knows(opened.receipt) {
            return Err(Problem::FixedTooLate { receipt: opened.receipt });
        }
        let is_ahead = by == Some(By::Ahead);
        let run_seq = run.receipt.seq;
        let of_run = run_seq == opened.receipt;
        let comes_first = run.goes_on() && run.receipt.seat == Some(seat);
        let receipt = match of_run {
            true if run.is_stopped => None,
            true => Some(&mut run.receipt),
            // A seat's lines for later are said in their order, but may be dropped once their turn has passed. The
            // lines of the act that is being played come before them.
            false if is_ahead && !comes_first => receipts.left.iter_mut().find(|receipt| receipt.seq == opened.receipt),
            false => None,
        };
        let first = opened.opened.first().map_or(0, |line| line.i);
        let not_next = Problem::LineNotNext { receipt: opened.receipt, line: first };
        let is_right = |receipt: &&mut Receipt| {
            let by_receipt = receipt.via.as_ref().and_then(|via| via.by);
            receipt.seat == Some(seat)
                && receipt.is_of(entry.via.as_ref())
                && (is_ahead || by_receipt == by)
                && if of_run { first == receipt.next } else { first >= receipt.next }
        };
        let Some(receipt) = receipt.filter(is_right) else { return Err(not_next) };
        if first > receipt.next {
            receipts.passed_over += u64::from(!receipt.is_passed_over);
            receipts.passed_rounds += u64::from(receipts.passed_in != run_seq);
            (receipt.is_passed_over, receipts.passed_in) = (true, run_seq);
        }
        let mut texts = Vec::new();
        for (expected, line) in (first..).zip(&opened.opened) {
            let index = line.i.checked_sub(1).and_then(|index| u16::try_from(index).ok());
            let found = index.and_then(|index| Some((index, receipt.lines.get(usize::from(index))?)));
            let Some((index, commitment)) = found.filter(|_| line.i == expected) else {
                return Err(Problem::LineNotNext { receipt: receipt.seq, line: line.i });
            };
            if seals::line(&self.plan.game, seat.0, receipt.seq, index, &line.text, &line.salt) != *commitment {
                return Err(Problem::Line { receipt: receipt.seq, line: line.i });
            }
            receipt.next = line.i + 1;
            texts.push(&*line.text);
        }
        let (seq, last) = (receipt.seq, receipt.next - 1);
        let cut = receipt.cut.clone();
        receipts.left.retain(|receipt| !receipt.rest().is_empty());
        // Among the lines for later, those of the oldest receipt come first.
        receipts.pass_over(seat, if is_ahead { seq } else { run_seq }, run_seq);
        let faces = self.faces_with(entry);
        let words = self.wrapped(Played { seat, receipt: seq, first, last, cut: &cut }, &texts, &faces)?;
        let read = self.game.read(seat, &words, &faces);
        match read.is_ok_and(|read| read.is_recorded_as(&say.said)) {
            true => Ok(()),
            false => Err(Problem::LineSaysOther { words, said: say.said.to_string() }),
        }
    }

    /// Counts throws by their run: they follow from its round, and there are none outside a run.
    pub(super) fn throws_of_run(&mut self, count: u64) -> Result<(), Problem> {
        if count == 0 || !self.needs_receipts() {
            return Ok(());
        }
        let Some(run) = &self.receipts.run else { return Err(Problem::NoRound) };
        if self.plan.beacon.as_ref().is_some_and(Chain::is_quicknet) {
            self.possible.by_round(count, run.is_shown);
        }
        Ok(())
    }
}
