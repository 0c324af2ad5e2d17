//! What drawing, holding and playing Event cards tells (5).

use crate::card::Card;
use crate::player::Player;
use engine::slot::Slot;

/// An event of this chapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    Drawn {
        slot: Slot,
        by: Player,
    },
    /// 17.13: two team mates have swapped a card each, unseen.
    Swapped {
        first: Slot,
        second: Slot,
    },
    /// 5.4: discarded face down.
    Discarded {
        slot: Slot,
        by: Player,
    },
    /// 9.16: laid face down as a Combat card.
    Laid {
        slot: Slot,
        by: Player,
    },
    /// Used as a Combat card from the table, where everybody has seen it.
    TakenUp {
        slot: Slot,
        card: Card,
    },
    /// A face-down card is shown.
    Shown {
        slot: Slot,
        card: Card,
    },
    /// A Combat card goes to the discards (9.18).
    Spent {
        slot: Slot,
    },
    /// 5.6: played for its Event half, face up.
    Played {
        slot: Slot,
        card: Card,
        by: Player,
    },
    /// 5.22: given up from the hand, face up.
    GivenUp {
        slot: Slot,
        card: Card,
        by: Player,
    },
    /// 5.17: it stays on the table.
    Kept {
        slot: Slot,
        card: Card,
    },
    /// 5.18: it leaves the table.
    Left {
        slot: Slot,
        card: Card,
    },
}
