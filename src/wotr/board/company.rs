//! The Fellowship on the board (13.1): the figure, the counters, the Guide.

use crate::character::Character;
use crate::region::Region;

/// The last step of both Fellowship counters (1.28).
pub const TRACK_END: u8 = 12;

/// 1.28: which side of the Progress counter is face up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    Hidden,
    Revealed,
}

/// The Ring-bearers: where they are, and their counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Company {
    pub(super) region: Region,
    pub(super) progress: u8,
    pub(super) visibility: Visibility,
    pub(super) corruption: u8,
    pub(super) guide: Option<Character>,
    pub(super) mordor: Option<u8>,
    pub(super) declared: bool,
    pub(super) attempted: bool,
    pub(super) moves: u8,
    pub(super) moved_last_turn: bool,
}

impl Company {
    /// The region of the figure; `None` on the Mordor Track (15.4).
    pub fn region(&self) -> Option<Region> {
        match self.mordor {
            None => Some(self.region),
            Some(_) => None,
        }
    }

    /// 1.28: Progress, 0 to 12.
    pub fn progress(&self) -> u8 {
        self.progress
    }

    pub fn is_hidden(&self) -> bool {
        self.visibility == Visibility::Hidden
    }

    /// 1.28: Corruption, 0 or more; with 12 the Shadow wins.
    pub fn corruption(&self) -> u8 {
        self.corruption
    }

    /// 13.20: the Guide; `None` means Gollum (1.14).
    pub fn guide(&self) -> Option<Character> {
        self.guide
    }

    /// 15.1: the step on the Mordor Track.
    pub fn mordor(&self) -> Option<u8> {
        self.mordor
    }

    pub fn is_on_the_mordor_track(&self) -> bool {
        self.mordor.is_some()
    }

    /// 13.9: whether the position has been declared this turn.
    pub fn is_declared(&self) -> bool {
        self.declared
    }

    /// 15.16: whether there was an attempt this turn to move or to hide the Fellowship.
    pub fn attempted(&self) -> bool {
        self.attempted
    }

    /// 19.25: how often the Fellowship has moved this turn, by die or card.
    pub fn moves(&self) -> u8 {
        self.moves
    }

    /// 19.7: whether the Fellowship moved in the last turn, by die or card.
    pub fn moved_last_turn(&self) -> bool {
        self.moved_last_turn
    }
}

impl Company {
    /// 3.4: once-per-turn marks are cleared.
    pub(super) fn begin_turn(&mut self) {
        self.declared = false;
        self.attempted = false;
        self.moved_last_turn = self.moves > 0;
        self.moves = 0;
    }
}
