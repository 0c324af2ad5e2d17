/*! Lines at which receipts stopped (log 7.14). A line that is not played discards the dice that it would have had,
and the host knows these by then. So the text of each such line is published with the secrets, and everybody can see
that the rules refused it. Where a mail program may have cut the line in two, or cut it off the line above, the text
does not prove that.
*/

use crate::commit::seals;
use crate::entry::receipts::LineShown;
use crate::problem::rule::Rule;
use crate::problem::{Problem, value};
use engine::seat::Seat;
use ground::hash::{GameId, Hash};
use std::collections::BTreeMap;

/// The longest text of one line, in bytes.
pub const LINE_LIMIT: usize = 4_000;
/// The most lines that are published, and the most bytes of their texts together: the first ones, in one record.
const SHOWN_MAX: usize = 400;
const SHOWN_BYTES: usize = 48_000;
/// The most room that they take up in the record that publishes them, in bytes.
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
    /// How many stopped under hosts who are gone: nobody publishes their texts any more.
    lost: u64,
    /// The texts that the log has published, in the order of `all`.
    published: Vec<String>,
    /// The texts, where they are known beforehand because the log is read a second time.
    known: BTreeMap<(u64, u32), String>,
}

impl Stops {
    /// How many receipts stopped.
    pub fn count(&self) -> u64 {
        self.all.len() as u64 + self.lost
    }

    /// The stops under this host.
    pub fn all(&self) -> &[Stop] {
        &self.all
    }

    /// How many of them can be checked against the rules: their texts are published and not cut.
    pub fn provable(&self) -> u64 {
        let is_whole = |stop: &&Stop| !(stop.is_cut || stop.follows_cut);
        self.all.iter().take(self.published.len()).filter(is_whole).count() as u64
    }

    /// Whether any published text can be checked against the rules.
    pub fn can_be_held(&self) -> bool {
        self.all.iter().take(self.published.len()).any(|stop| !stop.is_cut)
    }

    /// The texts that are published, by receipt and line.
    pub(crate) fn texts(&self) -> BTreeMap<(u64, u32), String> {
        let texts = self.all.iter().zip(&self.published);
        texts.map(|(stop, text)| ((stop.receipt, stop.line), text.clone())).collect()
    }

    /// Tells the texts of lines at which receipts will stop.
    pub(super) fn know(&mut self, texts: BTreeMap<(u64, u32), String>) {
        self.known = texts;
    }

    /// Notes a stop. Returns its text, if that is known and whole: then the rules must refuse it.
    pub(super) fn note(&mut self, stop: Stop) -> Option<&str> {
        self.all.push(stop);
        self.known.get(&(stop.receipt, stop.line)).filter(|_| !stop.is_cut).map(String::as_str)
    }

    /// Checks the published texts: they must match their commitments, and cover all lines at which receipts stopped,
    /// as far as there is room.
    pub(super) fn open(&mut self, game: &GameId, root: &Hash, shown: &[LineShown<'_>], problems: &mut Vec<Problem>) {
        let stops = &self.all;
        for (stop, line) in stops.iter().zip(shown) {
            let (receipt, number) = (line.receipt, line.line);
            if (receipt, number) != (stop.receipt, stop.line) {
                let expected = format!("line {} of record {}", stop.line, stop.receipt);
                return problems.push(value(
                    Rule::RevealLines,
                    "lines",
                    &expected,
                    &format!("line {number} of record {receipt}"),
                ));
            }
            let place = u16::try_from(number - 1).expect("the lists of a record are short");
            let salt = seals::line_salt(root, stop.seat.0, receipt, place);
            if seals::line(game, stop.seat.0, receipt, place, &line.text, &salt) != stop.commitment {
                return problems.push(Problem::StopOtherwise { receipt, line: number });
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
                problems.push(value(Rule::RevealLines, "lines", &expected, &found));
            }
            _ => {}
        }
        self.published = shown.iter().map(|line| line.text.to_string()).collect();
    }

    /// Another host goes on, who does not know the texts.
    pub(super) fn lose(&mut self) {
        *self = Stops { lost: self.count(), ..Stops::default() };
    }

    /// How many texts of these lengths in bytes are published: the first ones, as far as there is room.
    pub fn to_publish(texts: impl Iterator<Item = usize>) -> usize {
        let sums = texts.take(SHOWN_MAX).scan(0, |sum, bytes| {
            *sum += bytes;
            Some(*sum)
        });
        sums.take_while(|sum| *sum <= SHOWN_BYTES).count()
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
