//! What the Hunt tells (14).

use crate::board::hunt::{Dice, InHand, Victim};
use crate::card::Card;
use crate::character::Character;
use crate::tile::{Tile, Tiles};

/// An event of this chapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// 14.7 to 14.9: the dice, those re-rolled, the bonus, and the number of successes.
    Rolled { dice: Dice, rerolled: Dice, bonus: u8, successes: u8 },
    /// 14.6: no Shadow die is in the Hunt Box.
    NotRolled,
    /// A tile is drawn and is being resolved.
    Drawn { in_hand: InHand },
    /// 14.31: the card that drew it discards it without effect.
    TileDiscarded { card: Card },
    /// 14.12: the die of the tile was rolled.
    DamageRolled { damage: u8 },
    /// 14.11: Wizard's Staff was used, and no tile is drawn.
    Prevented,
    /// 14.16: a card on the table lowers the damage.
    Lessened { damage: u8 },
    /// 14.27: a Hobbit who was the Guide lowers the damage.
    Spared { guide: Character, damage: u8 },
    /// 14.26: Gollum lowers the damage, and will reveal the Fellowship.
    Betrayed { damage: u8 },
    /// 14.18: a Companion is taken; `damage` is left.
    Taken { companion: Character, victim: Victim, damage: u8 },
    /// The tile is resolved: a standard tile stays out of the pool, a special one is removed (14.1).
    Resolved,
    /// 14.2, 15.3: these tiles return to the pool.
    Refilled { tiles: Tiles },
    /// 14.4: a special tile is in play: it waits for the Fellowship to enter Mordor, or goes into the pool.
    Added { tile: Tile },
    /// 14.1: these tiles leave the pool for good.
    Removed { tiles: Tiles },
}
