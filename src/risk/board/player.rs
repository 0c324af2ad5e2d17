//! What belongs to one player apart from the battalions on the board: cards, stock and plans for the setup.

use crate::card::{Face, Mission, Power};
use crate::colour::Colour;
use crate::territory::Territory;
use engine::slot::Slot;

/// A player, as all players see him.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    pub colour: Colour,
    pub status: Status,
    /// Battalions still to be placed during setup (3.2).
    pub stock: u16,
    pub territory_cards: Vec<Slot>,
    /// The Adventure cards in hand.
    pub adventure_cards: Vec<Slot>,
    /// Missions completed, face up (8.1).
    pub missions: Vec<(Slot, Mission)>,
    /// Powers played, face up (8.1).
    pub powers: Vec<(Slot, Power)>,
    /// The Territory cards that Local Uprising put aside; they are in no hand (8.6). There is more than one only if the
    /// Event was drawn again after a reshuffle.
    pub uprising: Vec<Slot>,
    /// Whether he wants to be asked how many dice he defends with (▲17).
    pub defence: DefenceWish,
    pub setup: SetupPlan,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Playing,
    Eliminated,
}

/// How many dice a player wants to defend with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefenceWish {
    /// As many as possible.
    Max,
    /// The player is asked before every battle.
    Ask,
}

/// What a player has said in advance about the setup, so that it takes only a few letters (3.5 to 3.7).
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SetupPlan {
    /// Territories to claim, the most wanted first.
    pub claims: Vec<Territory>,
    pub then_claim: ThenClaim,
    /// How many battalions to place in which territory, in this order.
    pub places: Vec<(u32, Territory)>,
    pub then_place: ThenPlace,
    /// Where the second Leader goes.
    pub second_leader: Option<Territory>,
}

/// What is claimed after the last territory of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ThenClaim {
    #[default]
    Ask,
    /// The unclaimed territory the fewest passages away from his own; of several, the first in the order of the board.
    Nearest,
}

/// Where battalions go after the last territory of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ThenPlace {
    #[default]
    Ask,
    /// His territory with the fewest battalions; of several, the first in the order of the board.
    Evenly,
}

impl Player {
    pub fn new(colour: Colour) -> Player {
        Player {
            colour,
            status: Status::Playing,
            stock: 0,
            territory_cards: Vec::new(),
            adventure_cards: Vec::new(),
            missions: Vec::new(),
            powers: Vec::new(),
            uprising: Vec::new(),
            defence: DefenceWish::Max,
            setup: SetupPlan::default(),
        }
    }

    /// Places one battalion of the stock, and counts it for the plan if the plan names this territory next (3.6).
    pub(super) fn place_one(&mut self, territory: Territory) {
        self.stock -= 1;
        if let Some((left, planned)) = self.setup.places.first_mut()
            && *planned == territory
        {
            *left -= 1;
            if *left == 0 {
                self.setup.places.remove(0);
            }
        }
    }

    /// How many copies of the card are face up in front of him.
    pub fn face_up(&self, face: Face) -> usize {
        match face {
            Face::Mission(mission) => self.missions.iter().filter(|(_, own)| *own == mission).count(),
            Face::Power(power) => self.powers.iter().filter(|(_, own)| *own == power).count(),
            Face::Territory(_) | Face::Wild(_) | Face::Event(_) => 0,
        }
    }
}
