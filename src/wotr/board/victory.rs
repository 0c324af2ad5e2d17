//! How the game was won (16). It is a fact of the board from then on.

use crate::side::Side;

/// How the game was won (16.1), the lower number first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Victory {
    Corruption,
    RingDestroyed,
    Conquest,
    Banishment,
}

impl Victory {
    pub fn winner(self) -> Side {
        match self {
            Victory::Corruption | Victory::Conquest => Side::Shadow,
            Victory::RingDestroyed | Victory::Banishment => Side::Free,
        }
    }

    /// Its id in facts.
    pub fn id(self) -> &'static str {
        match self {
            Victory::Corruption => "corruption",
            Victory::RingDestroyed => "ring-destroyed",
            Victory::Conquest => "conquest",
            Victory::Banishment => "banishment",
        }
    }

    /// The victory with this id.
    pub fn of_id(id: &str) -> Option<Victory> {
        use Victory::{Banishment, Conquest, Corruption, RingDestroyed};
        [Corruption, RingDestroyed, Conquest, Banishment].into_iter().find(|victory| victory.id() == id)
    }

    /// Why the game ended, in a sentence without a full stop.
    pub fn reason(self) -> &'static str {
        match self {
            Victory::Corruption => "the Ring-bearers are corrupted",
            Victory::RingDestroyed => "the Ring is destroyed in the Crack of Doom",
            Victory::Conquest => "the Shadow has conquered Middle-earth",
            Victory::Banishment => "the Free Peoples have banished the Shadow",
        }
    }
}
