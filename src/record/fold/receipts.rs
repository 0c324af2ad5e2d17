/*! Receipts and rounds (log 5.19, 5.20, 7.11, 7.12): each act is fixed before the round from which its throws follow.

A *receipt* commits to the lines of an act. When the round that it names has been published, the record `round` brings
its signature, and a *run* begins: the lines are played in their order, together with the standing orders and
lines ahead that were left before the receipt. All throws of a run follow from its round. A record that is no
part of the run ends it.
*/

use super::stops::{Stop, Stops};
use super::wrapping::{Played, Wrapping};
use crate::commit::seals;
use crate::commit::signature::PublicKey;
use crate::entry::Entry;
use crate::entry::body::Via;
use crate::entry::receipts::{LinesOpened, Receipt as ReceiptRecord};
use crate::problem::rule::Rule;
use crate::problem::{Problem, value};
use engine::game::Game;
use engine::seat::Seat;
use engine::slot::Faces;
use ground::hash::{GameId, Hash, Hex};
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
    pub round: u64,
    /// The keys of its seat when it was recorded: what the seat had signed by then stays valid.
    pub keys: Vec<PublicKey>,
    /// The next line that can be played, from 1.
    next: u32,
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
    is_stopped: bool,
    /// Whether a mailbox shows that the receipt came before its round was published.
    is_shown: bool,
}

/// The receipts of a game.
#[derive(Clone, Debug, Default)]
pub struct Receipts {
    /// The receipts that wait for their rounds, the oldest first.
    waiting: VecDeque<Receipt>,
    run: Option<Run>,
    /// The round that the start absorbs.
    start: Option<(u64, Hex<48>)>,
    /// When a letter first showed the receipt that is played next; `None` if the reader's mailbox has no such letter.
    shown: Option<Stamp>,
    /// The letters that have had a receipt. A second receipt would give the same act another throw.
    letters: BTreeSet<Hash>,
    wrapping: Wrapping,
    /// Rounds so far; then what was fixed but not played although its round was known.
    pub rounds: u64,
    pub stops: Stops,
    pub voided: u64,
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
        self.waiting.iter().chain(self.run.iter().map(|run| &run.receipt))
    }

    /// Whether an act of a seat waits for its round.
    pub fn waits_for(&self, seat: Seat) -> bool {
        self.waiting.iter().any(|receipt| receipt.seat == Some(seat))
    }

    /// Sentences that a mail program may have cut in two and that can be read both whole and without the rest.
    pub fn ambiguous(&self) -> u64 {
        self.wrapping.ambiguous()
    }

    /// The round that the start absorbs.
    pub(super) fn start(&self) -> Option<(u64, Hex<48>)> {
        self.start
    }

    /// Whether the round that the start needs is there.
    pub fn may_start(&self) -> bool {
        self.start.is_some()
    }

    /// An undo puts the game back: everything that was fixed is void.
    pub(super) fn forget_all(&mut self) {
        let before = self.waiting.len();
        self.waiting.retain(|receipt| receipt.seat.is_none());
        self.voided += (before - self.waiting.len()) as u64;
    }

    /// Whether the start has its receipt.
    pub(super) fn has_start(&self) -> bool {
        self.start.is_some() || !self.waiting.is_empty()
    }

    /// Takes in a receipt. `keys` are those of its seat.
    pub(super) fn enter(
        &mut self,
        entry: &Entry,
        body: &ReceiptRecord,
        seat: Option<Seat>,
        keys: Vec<PublicKey>,
    ) -> Result<(), Problem> {
        if let Some(raw) = entry.via.as_ref().and_then(|via| via.raw)
            && !self.letters.insert(raw)
        {
            return Err(value(Rule::ReceiptLetter, "raw", "a letter that has had no receipt", &raw.to_string()));
        }
        let (lines, cut, round) = (body.lines.clone(), body.cut.clone(), body.round);
        let mut places = 1..u32::try_from(lines.len()).expect("the lists of a record are short");
        if !cut.iter().all(|line| places.any(|place| place == *line)) {
            return Err(value(
                Rule::ReceiptCut,
                "cut",
                "numbers of lines above the last, the first one first",
                "others",
            ));
        }
        let (seq, via, at) = (entry.seq, entry.via.clone(), entry.at);
        self.waiting.push_back(Receipt { seq, seat, via, at, lines, cut, round, keys, next: 1 });
        Ok(())
    }

    /// Tells when a letter first showed the receipt that is played next.
    pub(super) fn was_shown(&mut self, at: Option<Stamp>) {
        self.shown = at;
    }

    /// Takes the receipt that comes next, whose round is there.
    pub(super) fn take_next(&mut self, seq: u64) -> Result<Receipt, Problem> {
        let receipt = self.waiting.pop_front_if(|first| first.seq == seq);
        let first = || self.waiting.front().map(|first| first.seq);
        receipt.ok_or_else(|| Problem::ReceiptOrder { first: first(), found: seq })
    }

    /// The round of a receipt is there: it is played now. `time` is that of the round.
    pub(super) fn begin_run(&mut self, receipt: Receipt, time: Option<Stamp>) {
        self.rounds += 1;
        let is_shown = self.shown.take().zip(time).is_some_and(|(shown, time)| shown < time);
        self.run = Some(Run { receipt, is_stopped: false, is_shown });
    }

    /// The start is to absorb this round.
    pub(super) fn start_with(&mut self, round: u64, signature: Hex<48>) {
        self.start = Some((round, signature));
    }

    /// Whether this is the next line of the receipt that is being played.
    pub(super) fn is_next(&self, receipt: u64, seat: Seat, line: u32) -> bool {
        self.run.as_ref().is_some_and(|run| run.is_next(receipt, seat, line))
    }

    /// The receipt that is being played stops at its next line, `line`.
    pub(super) fn stop(&mut self, line: u32, seat: Seat) -> Stop {
        let run = self.run.as_mut().expect("a receipt is being played");
        run.is_stopped = true;
        let Receipt { seq, lines, cut, .. } = &run.receipt;
        let (is_cut, follows_cut) = (cut.contains(&line), cut.contains(&(line - 1)));
        Stop { receipt: *seq, line, seat, commitment: lines[line as usize - 1], is_cut, follows_cut }
    }

    /// Ends the run.
    pub(super) fn end_run(&mut self) -> Option<Run> {
        self.run.take()
    }

    /// Takes in the lines of a receipt from which an answer follows, and returns their words. `game` and `faces` are
    /// those with which the rules read them.
    pub(super) fn open_lines(
        &mut self,
        entry: &Entry,
        seat: Seat,
        opened: &LinesOpened,
        game_id: &GameId,
        (game, faces): (&dyn Game, &Faces),
    ) -> Result<String, Problem> {
        let by = entry.via.as_ref().and_then(|via| via.by);
        let run = self.run.as_mut().expect("a receipt is being played");
        let first = opened.opened.first().map_or(0, |line| line.i);
        let is_stopped = run.is_stopped;
        let is_right = |receipt: &&mut Receipt| {
            !is_stopped
                && (receipt.seq, receipt.seat) == (opened.receipt, Some(seat))
                && receipt.is_of(entry.via.as_ref())
                && receipt.via.as_ref().and_then(|via| via.by) == by
                && first == receipt.next
        };
        let receipt = Some(&mut run.receipt).filter(is_right);
        let receipt = receipt.ok_or(Problem::LineNotNext { receipt: opened.receipt, line: first })?;
        let mut texts = Vec::new();
        for (expected, line) in (first..).zip(&opened.opened) {
            let index = line.i.checked_sub(1).and_then(|index| u16::try_from(index).ok());
            let found = index.and_then(|index| Some((index, receipt.lines.get(usize::from(index))?)));
            let Some((index, commitment)) = found.filter(|_| line.i == expected) else {
                return Err(Problem::LineNotNext { receipt: receipt.seq, line: line.i });
            };
            if seals::line(game_id, seat.0, receipt.seq, index, &line.text, &line.salt) != *commitment {
                return Err(Problem::Line { receipt: receipt.seq, line: line.i });
            }
            receipt.next = line.i + 1;
            texts.push(&*line.text);
        }
        let (seq, last) = (receipt.seq, receipt.next - 1);
        let cut = receipt.cut.clone();
        self.wrapping.wrapped(Played { seat, receipt: seq, first, last, cut: &cut }, &texts, game, faces)
    }

    /// Another host goes on, who does not have the salts of what was committed.
    pub(super) fn clear(&mut self) {
        let letters = std::mem::take(&mut self.letters);
        let (mut stops, mut wrapping) = (std::mem::take(&mut self.stops), std::mem::take(&mut self.wrapping));
        stops.lose();
        wrapping.clear();
        self.forget_all();
        let Receipts { rounds, voided, ended, .. } = *self;
        let (ended, ended_lost) = (0, self.ended_lost + ended);
        *self = Receipts { letters, rounds, stops, voided, wrapping, ended, ended_lost, ..Receipts::default() };
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

    /// Whether a mailbox shows that the receipt came before its round was published.
    pub(super) fn is_shown(&self) -> bool {
        self.is_shown
    }

    /// Whether this is the next line of the receipt that is being played.
    fn is_next(&self, receipt: u64, seat: Seat, line: u32) -> bool {
        let of = &self.receipt;
        (of.seq, of.seat, of.next) == (receipt, Some(seat), line) && self.goes_on()
    }
}
