//! What the Action dice tell (4).

use crate::board::dice::InUse;
use crate::die::{Destination, Face};
use crate::player::Player;
use crate::side::Side;

/// An event of this chapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// 3.2, 3.3: all dice are back, and each side has this many.
    Recovered {
        pools: [u8; 2],
    },
    /// 3.8: this many Shadow dice are in the Hunt Box without being rolled.
    Allotted {
        number: u8,
    },
    /// 3.15: how many dice show each face; Eyes are in the Hunt Box.
    Rolled {
        side: Side,
        faces: [u8; 7],
    },
    /// 4.8: by this player.
    Taken {
        in_use: InUse,
        by: Player,
    },
    /// 4.7.
    PutAway(Destination),
    Skipped {
        by: Player,
        face: Face,
    },
    /// A card has taken unused dice from a side for this turn.
    Quenched {
        side: Side,
        face: Face,
        number: u8,
    },
    Passed {
        by: Player,
    },
    /// 4.20: the Ring has changed the die and changed hands (4.25).
    RingUsed {
        by: Player,
        from: Face,
        to: Face,
    },
    /// 4.26: a Ring has changed hands without changing a die.
    RingGiven {
        by: Player,
    },
    /// A card has changed an unused die to an Eye, which is now in the Hunt Box.
    MadeEye {
        side: Side,
        face: Face,
    },
    /// A card has changed an unused die.
    Turned {
        side: Side,
        from: Face,
        to: Face,
    },
    /// 19.7: one Shadow die is in the Hunt Box as an Eye because the Fellowship moved in the last turn.
    EyeForced,
    /// 19.5: the dice that the sides get because the Fellowship enters Mordor.
    Gained {
        dice: [u8; 2],
    },
}
