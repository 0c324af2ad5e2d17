//! What battles tell (9).

use crate::board::battle::{Battle, Decision, Modifiers};
use crate::card::{Card, Type};
use crate::character::Character;
use crate::combat_roll::{Dice, Roll};
use crate::nation::Nation;
use crate::side::Side;

/// An event of this chapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    Began(Battle),
    RoundBegan {
        round: u8,
    },
    /// 10.2: the defender fights in the open.
    FoughtInTheOpen,
    /// 9.19.
    WhiteRider,
    /// 9.16: the side lays no Combat card.
    Declined {
        side: Side,
    },
    /// 6.23: the Shadow may draw a card of this type when the round is over.
    Sorcerer {
        kind: Type,
    },
    /// 9.16: the side may lay no Combat card, because of this Event card.
    Banned {
        side: Side,
        by: Card,
    },
    /// 9.18: the Combat card of the side was shown, and counts from now on.
    Revealed {
        side: Side,
        card: Card,
    },
    /// The Combat card of the side has no effect, because of the other side's.
    Cancelled {
        side: Side,
        by: Card,
    },
    /// The card has no effect now.
    NoEffect {
        card: Card,
    },
    /// Its player declined what the card offered.
    Forgone {
        card: Card,
    },
    /// 9.18: the card changes this for the side, for the rest of the round.
    Modified {
        card: Card,
        side: Side,
        modifiers: Modifiers,
    },
    /// Leadership and abilities of the Companion do not count this round.
    Silenced {
        card: Card,
        companion: Character,
    },
    /// A Companion's Leadership is forfeited, and a number of missed dice of the Combat roll become hits.
    Turned {
        card: Card,
        companion: Character,
        misses: u8,
    },
    /// Each 1 of the Shadow's Combat roll is a hit on its own Army, and is not re-rolled.
    Confused {
        card: Card,
        ones: u8,
    },
    /// The hits scored by the side change by a number.
    Rescored {
        card: Card,
        side: Side,
        by: i8,
    },
    /// The side takes hits without a roll, which it chose to take or the card gives.
    Inflicted {
        card: Card,
        on: Side,
        hits: u8,
    },
    /// 9.21: an extra attack of the side.
    Struck {
        card: Card,
        side: Side,
        dice: Dice,
    },
    Rolled {
        side: Side,
        roll: Roll,
        dice: Dice,
        /// 9.24: the Leadership of the side, for the news of a re-roll.
        leadership: u8,
    },
    /// 9.35, 10.10: the attacker fights on; in a siege he may have reduced an Elite for that.
    Pressed {
        side: Side,
        /// The round that is over.
        round: u8,
        reduced: Option<Nation>,
    },
    /// 9.35: the defender does not retreat.
    Stood,
    Decided(Decision),
    /// 9.47: the attacker does not advance.
    Stayed,
    Ended,
}
