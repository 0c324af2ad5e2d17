//! The Action dice of both sides, the Hunt Box (3.8) and the Elven Rings (4.20).

use crate::die::Face;
use crate::side::Side;

/// The die that is being used, while its action lasts (4.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InUse {
    pub side: Side,
    /// What the die shows.
    pub face: Face,
    /// The result it is used as: for an Army/Muster die a Muster or an Army, for the Messenger an Army, for a Will of
    /// the West any.
    pub result: Face,
}

impl InUse {
    /// 6.24: whether a Muster is used as an Army, by the Messenger of the Dark Tower.
    pub fn is_messenger(&self) -> bool {
        self.side == Side::Shadow && self.face == Face::Muster && self.result == Face::Army
    }
}

/// The Action dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dice {
    /// The unused dice of each side, by face.
    pub(super) unused: [[u8; 7]; 2],
    /// The dice of each side that are used, skipped, or not rolled yet.
    pub(super) spent: [u8; 2],
    pub(super) hunt_box: [u8; 2],
    pub(super) in_use: Option<InUse>,
    /// 3.2: whether an FP die lay in the Hunt Box when the turn began.
    pub(super) hunted: bool,
    /// 6.24: whether the Messenger of the Dark Tower has been used this turn.
    pub(super) messenger: bool,
}

impl Dice {
    /// 4.2: the unused dice of a side.
    pub fn unused(&self, side: Side) -> u8 {
        self.unused[side.index()].iter().sum()
    }

    /// The unused dice of a side that show this face.
    pub fn showing(&self, side: Side, face: Face) -> u8 {
        self.unused[side.index()][face.index()]
    }

    /// Moves unused dice to the used ones.
    pub(super) fn spend(&mut self, side: Side, face: Face, number: u8) {
        self.unused[side.index()][face.index()] -= number;
        self.spent[side.index()] += number;
    }

    /// The dice of a side that are used, or that have not been rolled yet this turn.
    pub fn spent(&self, side: Side) -> u8 {
        self.spent[side.index()]
    }

    /// The dice of a side in the Hunt Box.
    pub fn hunt_box(&self, side: Side) -> u8 {
        self.hunt_box[side.index()]
    }

    /// The die whose action is being carried out.
    pub fn in_use(&self) -> Option<InUse> {
        self.in_use
    }

    /// 3.2, 3.14: whether an FP die lay in the Hunt Box at the end of the last turn.
    pub fn hunted(&self) -> bool {
        self.hunted
    }

    /// 6.24: whether the Messenger of the Dark Tower has been used this turn.
    pub fn messenger_used(&self) -> bool {
        self.messenger
    }

    /// The number of all dice of a side.
    pub fn total(&self, side: Side) -> u8 {
        let in_use = u8::from(self.in_use.is_some_and(|in_use| in_use.side == side));
        self.unused(side) + self.spent(side) + self.hunt_box(side) + in_use
    }
}

/// The three Elven Rings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rings {
    pub(super) held: [u8; 2],
    pub(super) used: [bool; 2],
}

impl Rings {
    /// The number of Rings of a side.
    pub fn held(&self, side: Side) -> u8 {
        self.held[side.index()]
    }

    /// 4.21: whether the side has used a Ring this turn.
    pub fn used(&self, side: Side) -> bool {
        self.used[side.index()]
    }
}
