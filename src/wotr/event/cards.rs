//! What the texts of Event cards tell.

use crate::card::Card;
use crate::character::Character;
use crate::combat_roll::Dice;
use crate::region::Region;
use crate::tile::Tiles;

/// The events of this chapter, apart from those about figures, politics and the Fellowship.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Dice rolled for a card.
    Rolled { card: Card, dice: Dice },
    /// A Companion of the Fellowship was drawn at random.
    Lured { card: Card, companion: Character },
    /// The Last Battle keeps a die that moved the Fellowship out of the Hunt Box.
    DieSpared,
    /// A die was rolled for its value.
    Value { card: Card, value: u8 },
    /// Hunt tiles that the Free Peoples drew.
    Drawn { card: Card, tiles: Tiles },
    /// An Army of the Shadow must retreat from the region and cannot: it is destroyed.
    Trapped { card: Card, region: Region },
    /// 5.13: the text of the card changes nothing.
    Idle { card: Card },
}
