/*! Receipts at the table of the host, in a game whose dice follow from a beacon: an act is fixed, its round comes,
and its lines are played. [`crate::fold::receipts`] checks each record as every reader does.
*/

use super::Table;
use super::opens::Opens;
use super::table_error::TableError;
use crate::commit::beacon::Chain;
use crate::commit::seals;
use crate::entry::body::{Auth, By, Text, Via};
use crate::entry::receipts::{LineOpened, LineShown, LinesOpened, Receipt as ReceiptRecord, Round, Stopped};
use crate::entry::{Body, HOST, Head};
use crate::file::secrets::{LineInClear, LineStopped, LinesInClear};
use crate::fold::Phase;
use crate::fold::stops::{LINE_LIMIT, Stop, Stops};
use engine::refusal::Refusal;
use engine::seat::Seat;
use ground::hash::{Hash, Hex};
use ground::stamp::Stamp;

/// The most lines of one receipt: their commitments are all on one line of the log.
pub const LINES_MAX: usize = 900;

impl Table {
    /// Whether every act needs a receipt.
    pub fn needs_receipts(&self) -> bool {
        self.fold.needs_receipts()
    }

    /// The chain of the beacon.
    pub fn beacon(&self) -> Option<&Chain> {
        self.fold.plan().beacon.as_ref()
    }

    /// Fixes an act of a seat, line by line. The lines in clear are saved before the record commits to them; lines
    /// whose record was never made are dropped when the next ones are saved.
    pub fn fix_lines(
        &mut self,
        seat: Seat,
        lines: Vec<LineInClear>,
        via: Option<Via>,
        at: Stamp,
    ) -> Result<Head, TableError> {
        if lines.is_empty() || lines.len() > LINES_MAX || lines.iter().any(|line| line.text.len() > LINE_LIMIT) {
            return Err(TableError::NotNow { why: "a receipt has 1 to 900 lines, of 4,000 bytes at most" });
        }
        let seq = self.fold.head().seq + 1;
        let root = self.secrets.root;
        let commitment = |(index, line): (u16, &LineInClear)| {
            let salt = seals::line_salt(&root, seat.0, seq, index);
            seals::line(&self.fold.plan().game, seat.0, seq, index, &line.text, &salt)
        };
        let commitments: Vec<Hash> = (0..).zip(&lines).map(commitment).collect();
        let cut = (1..).zip(&lines).filter(|(_, line)| line.is_cut).map(|(place, _)| place).collect();
        let known: Vec<u64> = self.fold.receipts().all().map(|receipt| receipt.seq).collect();
        self.secrets.lines.retain(|lines| known.contains(&lines.receipt));
        self.secrets.lines.push(LinesInClear { receipt: seq, lines });
        self.secrets.write(&self.drawer)?;
        let round = self.round_at(at)?;
        let body = Body::Receipt(ReceiptRecord { lines: commitments, cut, round });
        self.add(self.word(seat), via, body, at)
    }

    /// Records a receipt of the host, which fixes nothing new: with its round the game starts, or an order that was
    /// left before answers.
    pub fn ask_for_round(&mut self, at: Stamp) -> Result<Head, TableError> {
        let round = self.round_at(at)?;
        self.add(HOST.to_string(), None, Body::Receipt(ReceiptRecord { lines: Vec::new(), cut: Vec::new(), round }), at)
    }

    fn round_at(&self, at: Stamp) -> Result<u64, TableError> {
        self.fold.round_for(at).ok_or(TableError::NotNow { why: "the game has no beacon" })
    }

    /// Answers the open question for its seat, like [`Table::answer_for`] in a game without a beacon: the words are
    /// fixed now, so that nobody can choose them once the round is known.
    pub fn fix_answer_for(&mut self, seat: Seat, by: By, at: Stamp) -> Result<Head, TableError> {
        let text = self.words_for(seat, by)?;
        let lines = vec![LineInClear { number: None, text, is_cut: false }];
        self.fix_lines(seat, lines, Some(Via::by(by)), at)
    }

    /// Enters the round of the first receipt that waits. What the receipt fixed is to be played now; orders that were
    /// left before it answer at once.
    pub fn enter_round(&mut self, signature: &[u8; 48], at: Stamp) -> Result<Vec<Head>, TableError> {
        let first = self.fold.receipts().waiting().next().map(|receipt| receipt.seq);
        let receipt = first.ok_or(TableError::NotNow { why: "no receipt waits for a round" })?;
        let body = Body::Round(Round { receipt, signature: Hex(*signature) });
        let mut heads = vec![self.add(HOST.to_string(), None, body, at)?];
        heads.extend(match self.fold.phase() {
            Phase::Joining => self.start(at)?,
            _ => self.settle(at)?,
        });
        Ok(heads)
    }

    /// Whether a standing order or a line ahead would answer the open question but has no round to do so, so that one
    /// must be asked for.
    pub fn has_order_waiting(&self, at: Stamp) -> bool {
        let receipts = self.fold.receipts();
        let is_idle = self.needs_receipts() && receipts.waiting().next().is_none();
        let asked = self.fold.asked().filter(|_| is_idle && self.fold.adoption().is_none());
        let fold = &self.fold;
        let would = |question| fold.order_standing(question, at).is_some() || fold.line_standing(question).is_some();
        asked.is_some_and(would)
    }

    /// The place of a letter's line in the receipt of that letter.
    pub fn line_of(&self, raw: &Hash, number: usize) -> Option<(u64, u32)> {
        let receipt = self.fold.receipts().of_letter(raw)?.seq;
        let found = self.lines_of(receipt).iter().position(|line| line.number == Some(number))?;
        Some((receipt, u32::try_from(found + 1).ok()?))
    }

    /// The lines `first` to `last` of a letter, as lines of its receipt.
    pub fn opens(&self, raw: &Hash, first: usize, last: usize) -> Option<Opens> {
        let (receipt, from) = self.line_of(raw, first)?;
        let to = self.lines_of(receipt).iter().rposition(|line| line.number.is_some_and(|number| number <= last))?;
        Some(Opens { receipt, first: from, last: u32::try_from(to + 1).ok()?.max(from) })
    }

    /// The lines of a receipt in clear.
    pub fn lines_of(&self, receipt: u64) -> &[LineInClear] {
        let found = self.secrets.lines.iter().find(|lines| lines.receipt == receipt);
        found.map_or(&[], |lines| &lines.lines)
    }

    /// What a record shows of the lines from which a sentence follows.
    pub(super) fn opened(&self, seat: Seat, opens: Opens) -> LinesOpened<'static> {
        let lines = self.lines_of(opens.receipt);
        let line = |i: u32| {
            let index = u16::try_from(i.checked_sub(1)?).ok()?;
            let salt = seals::line_salt(&self.secrets.root, seat.0, opens.receipt, index);
            Some(LineOpened { i, text: Text::from(lines.get(usize::from(index))?.text.clone()), salt })
        };
        LinesOpened { receipt: opens.receipt, opened: (opens.first..=opens.last).filter_map(line).collect() }
    }

    /// Whether the next line of the receipt that is being played can be said now, because its seat is asked.
    pub fn goes_on(&self) -> bool {
        let asked = self.fold.asked().map(|question| question.seat);
        self.fold.receipts().run().is_some_and(|run| run.goes_on() && run.receipt.seat == asked)
    }

    /// Stops the receipt that is being played at its next line, if its seat is asked. The reason is public and must not
    /// quote the line; the line itself stays sealed until the end.
    pub fn stop_receipt(&mut self, reason: &str, at: Stamp) -> Result<Option<Head>, TableError> {
        let Some(run) = self.fold.receipts().run().filter(|_| self.goes_on()) else { return Ok(None) };
        let (receipt, via) = (&run.receipt, run.receipt.via.clone());
        let seat = receipt.seat.expect("a receipt with lines is a seat's");
        let (receipt, line) = (receipt.seq, *receipt.rest().start());
        // Its text is published at the end, and is no longer among the lines that wait.
        let text = self.lines_of(receipt).get(line as usize - 1).map(|line| line.text.clone());
        let text = text.ok_or(TableError::OtherSecrets)?;
        self.change_secrets(|secrets| secrets.stopped.push(LineStopped { receipt, line, text }))?;
        let stopped = Stopped { receipt, line, reason: Text::from(reason.to_string()) };
        self.add(self.word(seat), via, Body::Stopped(stopped), at).map(Some)
    }

    /// The lines at which receipts stopped, as they are published with the secrets.
    pub(super) fn lines_stopped(&self) -> Vec<LineShown<'static>> {
        let text = |stop: &Stop| {
            let is_it = |line: &&LineStopped| (line.receipt, line.line) == (stop.receipt, stop.line);
            let text = self.secrets.stopped.iter().find(is_it).map_or("", |line| &line.text);
            LineShown { receipt: stop.receipt, line: stop.line, text: Text::from(text.to_string()) }
        };
        let mut lines: Vec<LineShown> = self.fold.receipts().stops.all().iter().map(text).collect();
        lines.truncate(Stops::to_publish(lines.iter().map(|line| line.text.len())));
        lines
    }

    /// Plays the next lines of the receipt as long as its seat is asked: lines that no letter brought (typed on the
    /// host's machine, or fixed for a seat), and lines that a letter has not left for later. It stops at the first
    /// line that is refused, and records that.
    pub fn play_own_lines(&mut self, at: Stamp) -> Result<Vec<Head>, TableError> {
        // A line is read only after the orders that come before it have answered.
        let mut heads = self.let_orders_fire(at)?;
        while let Some(run) = self.fold.receipts().run().filter(|_| self.goes_on()) {
            let (receipt, i, via) = (run.receipt.seq, *run.receipt.rest().start(), run.receipt.via.clone());
            let seat = run.receipt.seat.expect("a receipt with lines is a seat's");
            let index = usize::try_from(i - 1).expect("it is a place in a list");
            let line = self.lines_of(receipt).get(index).cloned().ok_or(TableError::OtherSecrets)?;
            let opens = Opens { receipt, first: i, last: i };
            let by = via.as_ref().and_then(|via| via.by);
            // Only the letter shows how far a line goes that may have been cut, and where its signature is.
            let is_whole = !line.is_cut && via.as_ref().and_then(|via| via.auth) != Some(Auth::Ssh);
            match self.read(seat, &line.text) {
                Ok(heard) if is_whole && self.fold.allows(seat, heard.sentence(), by) => {
                    heads.extend(self.answer(heard.of_lines(Some(opens)), via, at)?);
                }
                heard => {
                    let kind = heard.as_ref().map_or_else(kind, |_| "not to be said now");
                    heads.extend(self.stop_receipt(&format!("line {i}: {kind}"), at)?);
                }
            }
        }
        Ok(heads)
    }
}

/// What the log may say of a refusal.
fn kind(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::NotAsked { .. } => "not asked",
        Refusal::NotUnderstood { .. } | Refusal::Ambiguous { .. } => "not understood",
        Refusal::NotAllowed { .. } => "not allowed",
    }
}
