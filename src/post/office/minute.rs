//! What the service finds in a minute: it is counted, for monitors.

use ground::stamp::Stamp;
use std::collections::BTreeMap;

/// What was found in a minute: only counts and times.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Minute {
    /// The games by how they stood when they were last opened: `joining`, `asking`, `resting`, `over`.
    pub games: BTreeMap<&'static str, usize>,
    /// Letters in all outboxes, and when the oldest of them was put there.
    pub waiting: usize,
    pub oldest: Option<Stamp>,
    /// Since when a letter has been ready to go out, if this service sends letters.
    pub ready_since: Option<Stamp>,
    /// Letters in the queue of a shared office, and when the oldest of them came.
    pub queued: Option<(u64, Option<Stamp>)>,
    /// The games and letters that have not gone on for minutes, and since when the first of them stands still.
    pub standing: Option<(usize, Stamp)>,
    /// Since when the clock of the machine is doubted.
    pub doubted: Option<Stamp>,
}
