//! Where a figure is (1.27): in a region, inside a besieged Stronghold, or in one of the boxes beside the map.

use crate::region::Region;
use std::fmt;

/// A place that holds figures. Every figure is always at exactly one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the open in the region; in a siege, outside the Stronghold.
    Field(Region),
    /// Inside the besieged Stronghold of the region.
    Inside(Region),
    /// 1.26: off the board, and may still enter.
    Reinforcements,
    /// 1.26: FP units and Leaders lost.
    Casualties,
    /// Out of the game for good.
    Removed,
    /// Characters that have not entered yet.
    Aside,
    /// The Fellowship Box.
    Fellowship,
}

impl Place {
    /// Its region, if it is on the map.
    pub fn region(self) -> Option<Region> {
        match self {
            Place::Field(region) | Place::Inside(region) => Some(region),
            Place::Reinforcements | Place::Casualties | Place::Removed | Place::Aside | Place::Fellowship => None,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Field(region) => f.write_str(region.id()),
            Place::Inside(region) => write!(f, "{}/inside", region.id()),
            Place::Reinforcements => f.write_str("reinforcements"),
            Place::Casualties => f.write_str("casualties"),
            Place::Removed => f.write_str("removed"),
            Place::Aside => f.write_str("aside"),
            Place::Fellowship => f.write_str("fellowship"),
        }
    }
}
