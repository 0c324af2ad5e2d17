/*! The values that the test vectors start from (log 16.1). */

use super::chain::HostChain;
use ground::hash::{GameId, Hash, Hex};

pub fn game() -> GameId {
    Hex([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
}

/// The SHA-256 of the first record.
pub fn genesis() -> Hash {
    Hex([0x66; 32])
}

pub fn root() -> Hash {
    Hex([0x44; 32])
}

/// The tip is given here; in a game it follows from the root.
pub fn host_chain() -> HostChain {
    HostChain::of_tip(game(), Hex([0x11; 32]))
}
