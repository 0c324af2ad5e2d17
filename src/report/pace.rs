/*! The pace of a game: how many letters each turn took, and who waited for whom.

It is counted from the log alone. An answer by a standing order costs no letter; several answers of a seat in a row, in
one letter or at one keyboard, count as one letter.
*/

use crate::engine::need::Need;
use crate::engine::seat::Seat;
use crate::record::entry::Body;
use crate::record::entry::body::By;
use crate::record::file::reading::Step;
use crate::record::value::hash::Hash;
use crate::record::value::stamp::Stamp;
use serde::Serialize;
use std::collections::BTreeMap;

/// The letters and the time that one seat took in a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Share {
    pub seat: String,
    /// How often the others waited for an answer of the seat that it gave itself.
    pub letters: u32,
    /// Questions that a standing order answered.
    pub orders: u32,
    /// Seconds for which the game waited for the seat.
    pub waited: u64,
}

/// The letters and the time that a turn took.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Turn {
    /// As the game calls it: `turn 5`.
    pub turn: String,
    /// In the order of the seats.
    pub shares: Vec<Share>,
}

/// The pace of all turns, and how far they have been counted.
#[derive(Clone, Debug, Default)]
pub struct Pace {
    turns: Vec<Turn>,
    /// How many of them are over.
    over: usize,
    before: Option<Waiting>,
    /// Who answered last, not counting standing orders.
    last: Option<Seat>,
    /// The last letter of each seat.
    letters: BTreeMap<Seat, String>,
}

/// What the game waited for after an entry.
#[derive(Clone, Debug)]
struct Waiting {
    since: Stamp,
    seat: Option<Seat>,
    turn: String,
}

impl Pace {
    /// Takes in the next entry of a log, and gives the turn that is over with it, if one is.
    pub fn note(&mut self, step: &Step<'_>) -> Option<Turn> {
        let (entry, fold) = (step.entry, step.fold);
        // What does not move the game on does not end a wait.
        if !entry.kind().is_played() {
            return None;
        }
        if let (Body::Say(_), Some(before)) = (&entry.body, self.before.take())
            && let Some(seat) = before.seat
        {
            let order = entry.via.as_ref().and_then(|via| via.by) == Some(By::Standing);
            let fresh = !order && self.is_fresh(seat, entry.via.as_ref().and_then(|via| via.raw));
            let seats: Vec<&str> = fold.plan().seats.iter().map(|seat| seat.word.as_str()).collect();
            let share = share(&mut self.turns, &before.turn, &seats, seat);
            share.waited += seconds(before.since, entry.at);
            share.orders += u32::from(order);
            share.letters += u32::from(fresh);
        }
        let turn = fold.game().turn();
        let goes_on = self.turns.last().is_some_and(|last| last.turn == turn) && fold.need() != Need::Over;
        self.before = Some(Waiting { since: entry.at, seat: fold.asked().map(|question| question.seat), turn });
        let over = self.turns.len() - usize::from(goes_on);
        let is_news = over > std::mem::replace(&mut self.over, over);
        is_news.then(|| self.turns[over - 1].clone())
    }

    /// Whether an answer begins a new letter, or a new sitting at the keyboard.
    fn is_fresh(&mut self, seat: Seat, letter: Option<Hash>) -> bool {
        let last = self.last.replace(seat);
        match letter.map(|hash| hash.to_string()) {
            Some(letter) => self.letters.insert(seat, letter.clone()) != Some(letter),
            None => last != Some(seat),
        }
    }

    /// The turns so far, in their order.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }
}

fn share<'a>(turns: &'a mut Vec<Turn>, turn: &str, seats: &[&str], seat: Seat) -> &'a mut Share {
    if turns.last().is_none_or(|last| last.turn != turn) {
        let shares = seats.iter().map(|seat| Share { seat: (*seat).to_string(), ..Share::default() });
        turns.push(Turn { turn: turn.to_string(), shares: shares.collect() });
    }
    let last = turns.last_mut().expect("a turn has been pushed");
    &mut last.shares[seat.index()]
}

/// The seconds from one moment to another; none if that was earlier.
fn seconds(since: Stamp, at: Stamp) -> u64 {
    u64::try_from(at.since(since).as_secs()).unwrap_or(0)
}

/// `2 d 3 h`, `3 h 5 min`, `5 min`, `12 s`: the two largest units, seconds only if alone.
pub fn duration(seconds: u64) -> String {
    let parts = [(seconds / 86_400, "d"), (seconds / 3_600 % 24, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s")];
    let first = parts.iter().position(|(number, _)| *number > 0).unwrap_or(3);
    let shown = parts[first..].iter().take(2).filter(|(number, unit)| *number > 0 && (*unit != "s" || first == 3));
    let words: Vec<String> = shown.map(|(number, unit)| format!("{number} {unit}")).collect();
    if words.is_empty() { "no time".to_string() } else { words.join(" ") }
}

/// A turn in a sentence: `Turn 5: 9 letters, free 5 and shadow 4; waited for free 2 d 3 h, for shadow 5 min.` What its
/// orders have spared is told to a seat alone.
pub fn sentence(turn: &Turn, reader: Option<&str>) -> String {
    let total: u32 = turn.shares.iter().map(|share| share.letters).sum();
    let own = turn.shares.iter().filter(|share| Some(share.seat.as_str()) == reader);
    let orders: u32 = own.map(|share| share.orders).sum();
    let by_seat: Vec<String> = turn.shares.iter().map(|share| format!("{} {}", share.seat, share.letters)).collect();
    let waited: Vec<String> =
        turn.shares.iter().map(|share| format!("for {} {}", share.seat, duration(share.waited))).collect();
    let saved = if orders > 0 { format!("; {orders} spared by your standing orders") } else { String::new() };
    let letters = if total == 1 { "1 letter".to_string() } else { format!("{total} letters") };
    let mut name = turn.turn.clone();
    if let Some(first) = name.get_mut(0..1) {
        first.make_ascii_uppercase();
    }
    format!("{name}: {letters} ({}){saved}; waited {}.", by_seat.join(", "), waited.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn apart(earlier: &str, later: &str, expected: u64) {
        let at = |text| Stamp::parse(text).unwrap();
        assert_eq!(seconds(at(earlier), at(later)), expected);
    }

    #[test]
    fn seconds_between_stamps() {
        apart("2026-11-24T07:12:09Z", "2026-11-24T07:13:10Z", 61);
        apart("2024-02-28T00:00:00Z", "2024-03-01T00:00:00Z", 2 * 86_400);
        apart("2026-02-28T00:00:00Z", "2026-03-01T00:00:00Z", 86_400);
        apart("2026-12-31T23:59:59Z", "2027-01-01T00:00:00Z", 1);
    }

    #[track_caller]
    fn case(seconds: u64, expected: &str) {
        assert_eq!(duration(seconds), expected);
    }

    #[test]
    fn durations_in_words() {
        case(0, "no time");
        case(12, "12 s");
        case(300, "5 min");
        case(301, "5 min");
        case(11_100, "3 h 5 min");
        case(86_400, "1 d");
        case(2 * 86_400 + 3 * 3_600 + 59, "2 d 3 h");
    }

    #[test]
    fn a_turn_in_a_sentence() {
        let share = |seat: &str, letters, orders, waited| Share { seat: seat.to_string(), letters, orders, waited };
        let shares = vec![share("free", 5, 0, 183_600), share("shadow", 1, 2, 300)];
        let turn = Turn { turn: "turn 5".to_string(), shares };
        let said = |spared: &str| {
            format!("Turn 5: 6 letters (free 5, shadow 1){spared}; waited for free 2 d 3 h, for shadow 5 min.")
        };
        assert_eq!(sentence(&turn, Some("shadow")), said("; 2 spared by your standing orders"));
        assert_eq!(sentence(&turn, Some("free")), said(""));
    }
}
