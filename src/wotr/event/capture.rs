//! What sieges and captures tell (10, 11).

use crate::player::Player;
use crate::region::Region;
use crate::side::Side;

/// An event of this chapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// 11.2, 11.6: the Settlement is now controlled by this side. 17.46: it is credited to the player whose units
    /// entered or held the siege.
    Captured { region: Region, by: Side, credit: Player },
    /// 10.5: the Stronghold is under siege from now on.
    SiegeBegan { region: Region },
    /// 10.27.
    SiegeEnded { region: Region },
}
