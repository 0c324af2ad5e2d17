//! What has happened in this turn: the turn itself, its invasion, and the Fellowship's move (4, 6, 11).

use crate::lands::Lands;
use crate::territory::{Passage, Territory};
use engine::seat::Seat;

/// The turn of the active player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// The number of the turn, counted over all players from 1; 0 during setup.
    pub number: u32,
    /// Whose turn it is; during setup, whose turn to claim or place.
    pub seat: Option<Seat>,
    /// The first player, with whom each round of the setup begins.
    pub first: Option<Seat>,
    /// Battalions of step 1 still to be placed (5.7).
    pub to_place: u32,
    /// Whether the active player has conquered a territory (10.1).
    pub conquered: bool,
    /// Whether one of his Leaders has conquered a Site of Power (10.2).
    pub site_conquered: bool,
    /// The territories that one of his Leaders entered by conquest or by fortifying (▲22).
    pub leaders_entered: Lands,
    /// Territory cards that Missions have given and that are not drawn yet (10.1).
    pub extra_cards: u32,
    /// Whether he has drawn a Mission or Power card in step 5 (10.3).
    pub adventure_drawn: bool,
    /// Moves left in step 3 (9.1).
    pub fortifications: u32,
}

/// An invasion from its naming until the target falls or it is called off (1.3, 6.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invasion {
    pub source: Territory,
    pub target: Territory,
    pub route: Route,
    /// Whether the target's stronghold gives no die bonus (The Enemy Is at Hand, Siege Machines).
    pub stronghold_silenced: bool,
    /// Whether the highest attack die gets +1 in seaborne battles (Black Sails).
    pub black_sails: bool,
    /// Whether another player has played a card since the attacker's last sentence; the attacker's plan then lapses.
    pub answered: bool,
    /// What the attacker has committed to the battle being fought (6.4).
    pub committed: Option<Committed>,
}

/// How the battalions of an invasion reach their target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    By(Passage),
    /// The Way Is Under the Mountains.
    UnderTheMountains,
}

/// Battalions committed to a battle, and whether the Leader goes along (6.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Committed {
    pub battalions: u32,
    pub leader: bool,
}

/// What the die and the cards have decided about the Fellowship's move in this turn (11.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct March {
    /// Whether a card demands a roll that the path does not.
    pub gated: bool,
    pub roll: Option<u32>,
    pub modifier: i32,
    /// Whether a card holds the Fellowship this turn.
    pub held: bool,
}

impl Invasion {
    /// Whether the invasion goes over a sea lane (6.4, 6.6).
    pub fn is_seaborne(&self) -> bool {
        self.route == Route::By(Passage::Sea)
    }
}

impl March {
    /// The roll as cards have changed it.
    pub fn result(&self) -> Option<i32> {
        let roll = self.roll?;
        Some(i32::try_from(roll).expect("a die") + self.modifier)
    }
}
