//! What the Fellowship tells (13, 15).

use crate::board::company::Visibility;
use crate::card::Card;
use crate::character::Character;
use crate::region::Region;

/// An event of this chapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// 13.9: declared in this region; Progress becomes 0.
    Declared { region: Region },
    /// 13.4: the Progress counter advances to this step.
    Advanced { to: u8 },
    /// 13.14: the figure moves to this region.
    Travelled { to: Region },
    /// A card moves the figure; the counters stay as they are.
    Driven { to: Region, by: Card },
    /// 13.14: the figure has ended its move; Progress becomes 0.
    Emerged { region: Region },
    /// The Progress counter turns to this side.
    Turned { visibility: Visibility },
    /// Corruption changes.
    Corrupted { from: u8, to: u8 },
    /// 13.22: the Guide is named; `None` means Gollum.
    GuideNamed { guide: Option<Character> },
    /// 15.16: an attempt to move or to hide.
    Attempted,
    /// The Fellowship has moved, by die or card.
    Moved,
    /// 15.2.
    EnteredMordor,
    /// 15.10: the step on the Mordor Track.
    Stepped { to: u8 },
}
