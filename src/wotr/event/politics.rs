//! What the Nations tell (12).

use crate::nation::Nation;

/// An event of this chapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    Activated {
        nation: Nation,
    },
    /// The Nation has advanced; this many steps are left to At War.
    Advanced {
        nation: Nation,
        left: u8,
    },
    /// A card has moved the counter straight to At War.
    WentToWar {
        nation: Nation,
    },
    /// A card has moved the counter back; this many steps are left to At War.
    SetBack {
        nation: Nation,
        left: u8,
    },
}
