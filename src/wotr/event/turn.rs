//! What the game turn tells (3).

use crate::phase::Phase;

/// An event of this chapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Once-per-turn marks are cleared (3.4).
    Began {
        turn: u16,
    },
    PhaseBegan(Phase),
}
