//! The Hunt on the board (14.1): where each tile is, and the tile that is being resolved.

use crate::card::Card;
use crate::region::Region;
use crate::tile::{Tile, Tiles};
use engine::facts::Facts;
use std::fmt;

/// 14.7: the most dice of a Hunt roll.
pub const DICE_MAX: u8 = 5;

/// The dice of a Hunt roll; those that were not rolled show 0.
pub type Dice = [u8; DICE_MAX as usize];

/// 14.18: which Companion is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Victim {
    Guide,
    /// Drawn among all Companions in the Fellowship, the Guide included.
    Random,
}

/// Why a tile was drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// 14.10: a successful Hunt roll, with the number of its successes.
    Roll { successes: u8 },
    /// 13.16: a Shadow Stronghold on the path of the revealed Fellowship.
    Stronghold(Region),
    /// 15.6: a move on the Mordor Track.
    Mordor,
    /// 14.31: an Event card.
    Card(Card),
}

impl fmt::Display for Cause {
    /// The cause as the facts print it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Roll { successes } => write!(f, "roll {successes}"),
            Cause::Stronghold(region) => write!(f, "stronghold {}", region.id()),
            Cause::Mordor => f.write_str("mordor"),
            Cause::Card(card) => f.write_str(card.id()),
        }
    }
}

/// The tile that is being resolved (14.15).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InHand {
    pub tile: Tile,
    pub cause: Cause,
    /// The damage that is left.
    pub damage: u8,
    /// 14.26: Gollum has promised to reveal the Fellowship for 1 damage less.
    pub gollum_reveals: bool,
    /// 14.11: the tile that it replaces, which is kept out of the pool until this one is resolved.
    pub replaced: Option<Tile>,
}

impl InHand {
    /// Writes the fact of the tile.
    pub(super) fn facts(&self, facts: &mut Facts) {
        facts.word(self.tile.id());
        facts.value(&self.cause);
        facts.word("damage").number(u32::from(self.damage));
        if self.gollum_reveals {
            facts.word("gollum-reveals");
        }
        if let Some(tile) = self.replaced {
            facts.word("replaces").word(tile.id());
        }
    }
}

/// Where the tiles are. Each is in exactly one of the sets, except a tile in hand and the tile that it replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HuntPool {
    pub(super) pool: Tiles,
    /// Drawn, and out until the pool is refilled or Mordor is entered.
    pub(super) drawn: Tiles,
    /// 14.4: special tiles that wait for the Fellowship to enter Mordor.
    pub(super) waiting: Tiles,
    /// Special tiles that no card has put in play.
    pub(super) aside: Tiles,
    /// Out of the game: used special tiles, and tiles removed for good.
    pub(super) removed: Tiles,
    pub(super) in_hand: Option<InHand>,
}

impl HuntPool {
    /// The tiles that may be drawn.
    pub fn pool(&self) -> Tiles {
        self.pool
    }

    pub fn drawn(&self) -> Tiles {
        self.drawn
    }

    pub fn waiting(&self) -> Tiles {
        self.waiting
    }

    pub fn aside(&self) -> Tiles {
        self.aside
    }

    pub fn removed(&self) -> Tiles {
        self.removed
    }

    /// The tile being resolved. It is in none of the sets until it is resolved.
    pub fn in_hand(&self) -> Option<InHand> {
        self.in_hand
    }

    pub(super) fn in_hand_mut(&mut self) -> &mut InHand {
        self.in_hand.as_mut().expect("a tile is being resolved")
    }
}
