/*! What the writer of an answer must have seen (log 4.3): if an answer comes by letter, its writer knew everything
that was played before that letter.

A letter answers the open question, and its sender has a letter of ours that says how the question came about. So the
first answer of a letter must name the last played record or a later one (motions and votes are reported too). A
further answer of the letter must not name an earlier record than the answers before it, whatever was played between
them. Answers from elsewhere (an order or a line left ahead, a deadline) need not comply.
*/

use crate::charter::plan::Plan;
use crate::entry::body::{Correcting, Kind};
use crate::entry::{Body, Entry};
use crate::problem::rule::Rule;
use crate::problem::{Problem, value};
use ground::hash::Hash;

/// What the letters of the seats had seen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sight {
    /// The last record that took the game further.
    played: u64,
    /// For each seat, the last letter that answered, and what it had seen.
    letters: Vec<Option<(Hash, u64)>>,
}

impl Sight {
    /// Checks that the letter of an answer had seen what it must have seen.
    pub(super) fn had_seen_enough(&mut self, entry: &Entry, plan: &Plan) -> Option<Problem> {
        let wrong = self.of_answer(entry, plan);
        let goes_on = match &entry.body {
            Body::Correction(correction) => correction.what == Correcting::Undo,
            _ => matches!(entry.kind(), Kind::Start | Kind::Say | Kind::Deck),
        };
        if goes_on {
            self.played = entry.seq;
        }
        wrong
    }

    fn of_answer(&mut self, entry: &Entry, plan: &Plan) -> Option<Problem> {
        let via = entry.via.as_ref().filter(|via| via.by.is_none() && entry.kind() == Kind::Say)?;
        let (raw, seen, seat) = (via.raw?, via.seen?, plan.seat(&entry.seat)?);
        let Sight { played, letters } = self;
        letters.resize(plan.seats.len(), None);
        let letter = &mut letters[seat.index()];
        let before = letter.filter(|(last, _)| *last == raw).map(|(_, seen)| seen);
        *letter = Some((raw, seen.max(before.unwrap_or(0))));
        let expected = match before {
            Some(before) if seen < before => format!("{before}, as before in this letter, or a later record"),
            None if seen < *played => format!("{played}, after which the question was asked, or a later record"),
            _ => return None,
        };
        Some(value(Rule::ViaSight, "seen", &expected, &seen.to_string()))
    }
}
