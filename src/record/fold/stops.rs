/*! Lines at which receipts stopped (log 7.19). A line that is not played sets the dice aside that it would have had,
and the host knows these by then. So the text of each such line is published with the secrets, and everybody can see
that the rules refused it. Where a mail program may have cut the line in two, or cut it off the line above, they do not
say that.
*/

use super::Fold;
use crate::commit::seals;
use crate::entry::body::By;
use crate::entry::receipts::LineShown;
use crate::problem::{Problem, value};
use engine::seat::Seat;
use ground::hash::Hash;
use std::collections::BTreeMap;

/// Bytes of the text of one line.
pub const LINE_LIMIT: usize = 4_000;
/// Lines that are published, and bytes of their texts together: the first ones, as they stand in one record.
const SHOWN_MAX: usize = 400;
const SHOWN_BYTES: usize = 48_000;
/// Room that they take up in the record that publishes them.
pub const SHOWN_ROOM: usize = 2 * SHOWN_BYTES + 64 * SHOWN_MAX;

/// A line at which a receipt stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    pub receipt: u64,
    /// Its number, from 1.
    pub line: u32,
    pub seat: Seat,
    pub commitment: Hash,
    /// Whether the line below may belong to it, and whether it may belong to the one above.
    pub is_cut: bool,
    pub follows_cut: bool,
}

/// The lines at which receipts stopped.
#[derive(Clone, Debug, Default)]
pub struct Stops {
    all: Vec<Stop>,
    /// Those of a host who is gone: nobody publishes them any more.
    lost: u64,
    /// The texts that the log has published.
    published: Vec<String>,
    /// The texts, where they are known beforehand, as the log is read again.
    known: BTreeMap<(u64, u32), String>,
}

impl Stops {
    /// How many receipts stopped.
    pub fn count(&self) -> u64 {
        self.all.len() as u64 + self.lost
    }

    /// Those of this host.
    pub fn all(&self) -> &[Stop] {
        &self.all
    }

    /// How many of them can be held against the rules, as their texts are published and whole.
    pub fn provable(&self) -> u64 {
        let is_whole = |stop: &&Stop| !(stop.is_cut || stop.follows_cut);
        self.all.iter().take(self.published.len()).filter(is_whole).count() as u64
    }

    /// Whether a text is published that the rules can be asked about.
    pub fn can_be_held(&self) -> bool {
        self.all.iter().take(self.published.len()).any(|stop| !stop.is_cut)
    }

    /// The texts that are published, by receipt and line.
    pub(crate) fn texts(&self) -> BTreeMap<(u64, u32), String> {
        let texts = self.all.iter().zip(&self.published);
        texts.map(|(stop, text)| ((stop.receipt, stop.line), text.clone())).collect()
    }

    pub(super) fn add(&mut self, stop: Stop) {
        self.all.push(stop);
    }

    /// Another host goes on, who does not know the texts.
    pub(super) fn lose(&mut self) {
        *self = Stops { lost: self.count(), ..Stops::default() };
    }

    /// How many are to be published of texts with so many bytes: the first ones, as long as there is room.
    pub fn to_publish(texts: impl Iterator<Item = usize>) -> usize {
        let sums = texts.take(SHOWN_MAX).scan(0, |sum, bytes| {
            *sum += bytes;
            Some(*sum)
        });
        sums.take_while(|sum| *sum <= SHOWN_BYTES).count()
    }
}

impl Fold {
    /// From here on the texts of lines at which receipts stop are known.
    pub(crate) fn know_stops(&mut self, texts: BTreeMap<(u64, u32), String>) {
        self.receipts.stops.known = texts;
    }

    /// A receipt stops while its seat is asked: if the text is known, the rules must refuse it on all cards as they
    /// lie.
    pub(super) fn note_stop(&mut self, stop: Stop, by: Option<By>) -> Result<(), Problem> {
        self.receipts.stops.add(stop);
        let stops = &self.receipts.stops;
        let Some(text) = stops.known.get(&(stop.receipt, stop.line)).filter(|_| !stop.is_cut) else { return Ok(()) };
        match self.allows(stop.seat, text, by) {
            true => Err(Problem::StoppedFalsely { receipt: stop.receipt, line: stop.line }),
            false => Ok(()),
        }
    }

    /// The texts are published: they must be those committed to, and of all lines at which receipts stopped, as far as
    /// there is room.
    pub(super) fn open_stops(&mut self, root: &Hash, shown: &[LineShown<'_>], problems: &mut Vec<Problem>) {
        let stops = &self.receipts.stops.all;
        for (stop, line) in stops.iter().zip(shown) {
            let (receipt, number) = (line.receipt, line.line);
            if (receipt, number) != (stop.receipt, stop.line) {
                let expected = format!("line {} of record {}", stop.line, stop.receipt);
                return problems.push(value("lines", &expected, &format!("line {number} of record {receipt}")));
            }
            let place = u16::try_from(number - 1).expect("the lists of a record are short");
            let salt = seals::line_salt(root, stop.seat.0, receipt, place);
            if seals::line(&self.plan.game, stop.seat.0, receipt, place, &line.text, &salt) != stop.commitment {
                return problems.push(Problem::Line { receipt, line: number });
            }
        }
        let bytes = shown.iter().map(|line| line.text.len()).sum::<usize>();
        let is_full = shown.len() == SHOWN_MAX || bytes + LINE_LIMIT > SHOWN_BYTES;
        match stops.get(shown.len()) {
            Some(stop) if !is_full => {
                problems.push(Problem::StopHidden { receipt: stop.receipt, line: stop.line });
            }
            None if shown.len() > stops.len() => {
                let (expected, found) = (stops.len().to_string(), shown.len().to_string());
                problems.push(value("lines", &expected, &found));
            }
            _ => {}
        }
        self.receipts.stops.published = shown.iter().map(|line| line.text.to_string()).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_are_published_as_there_is_room_for() {
        assert_eq!(Stops::to_publish([10; 399].into_iter()), 399);
        assert_eq!(Stops::to_publish([10; 401].into_iter()), 400);
        assert_eq!(Stops::to_publish([LINE_LIMIT; 20].into_iter()), 12);
        assert_eq!(Stops::to_publish([44_001, 4_000].into_iter()), 1);
    }
}
