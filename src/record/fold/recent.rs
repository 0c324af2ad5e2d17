//! What the last records did to the table, as the guards of lines ahead look at it (log 9.6).

use crate::entry::Entry;
use crate::entry::body::Consequence;
use engine::order::held::{Act, Fought};
use engine::seat::Seat;
use std::collections::VecDeque;
use std::sync::Arc;

/// How many played records are remembered: more than any turn has.
const RECENT_MAX: usize = 1_000;

/// A played record.
#[derive(Debug)]
struct Played {
    seq: u64,
    seat: String,
    has_dice: bool,
    shows_card: bool,
    changed: Vec<String>,
    /// The seat whose battle is fought after it.
    fights: Option<Seat>,
}

/// The last played records.
#[derive(Clone, Debug, Default)]
pub(super) struct Recent {
    played: VecDeque<Arc<Played>>,
    /// The last record that is forgotten.
    forgotten: u64,
}

impl Recent {
    /// Notes a played record. `fights` is the seat whose battle is fought after it.
    pub(super) fn note(&mut self, entry: &Entry, outcome: &Consequence<'_>, fights: Option<Seat>) {
        if self.played.len() == RECENT_MAX
            && let Some(oldest) = self.played.pop_front()
        {
            self.forgotten = oldest.seq;
        }
        self.played.push_back(Arc::new(Played {
            seq: entry.seq,
            seat: entry.seat.to_string(),
            has_dice: outcome.roll.as_ref().is_some_and(|roll| !roll.dice.is_empty()),
            shows_card: !outcome.open.is_empty(),
            changed: outcome.changed.iter().map(ToString::to_string).collect(),
            fights,
        }));
    }

    /// What was played after a record, for a line of `seat`, whose word is `word`, and whose battle was fought then;
    /// `None` if that is forgotten. `is_ally` says who is on its side.
    pub(super) fn since<'r>(
        &'r self,
        since: u64,
        (seat, word): (Seat, &str),
        is_ally: impl Fn(&str) -> bool,
    ) -> Option<(Option<Fought>, Vec<Act<'r>>)> {
        if since < self.forgotten {
            return None;
        }
        let before = self.played.partition_point(|played| played.seq <= since);
        let fights = before.checked_sub(1).and_then(|last| self.played[last].fights);
        let fought = fights.map(|by| if by == seat { Fought::Own } else { Fought::Others });
        let act = |played: &'r Arc<Played>| Act {
            seq: played.seq,
            seat: &played.seat,
            is_own: played.seat == word,
            is_ally: is_ally(&played.seat),
            has_dice: played.has_dice,
            shows_card: played.shows_card,
            changed: played.changed.iter().map(String::as_str).collect(),
        };
        Some((fought, self.played.range(before..).map(act).collect()))
    }
}
