//! What tables of three and four players tell (17).

use crate::player::Player;
use crate::region::Region;
use crate::side::Side;

/// An event of this chapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    Proposed {
        by: Player,
        region: Region,
    },
    Joined {
        side: Side,
        region: Region,
    },
    Declined {
        by: Player,
        region: Region,
    },
    /// 17.13: the player gives no card.
    KeptCards {
        by: Player,
    },
}
