//! The Political Track (12.1).

use crate::nation::Nation;

/// Where the eight counters are, and which side of each is face up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Politics {
    pub(super) steps: [u8; 8],
    pub(super) active: [bool; 8],
}

impl Politics {
    /// The steps left to At War: 0 to 3.
    pub fn steps_to_war(&self, nation: Nation) -> u8 {
        self.steps[nation.index()]
    }

    /// 1.24: whether the counter shows its active side.
    pub fn is_active(&self, nation: Nation) -> bool {
        self.active[nation.index()]
    }

    /// 1.25: whether the counter is on At War.
    pub fn is_at_war(&self, nation: Nation) -> bool {
        self.steps[nation.index()] == 0
    }

    /// 12.2: whether the counter may advance: a passive Nation's never into At War.
    pub fn can_advance(&self, nation: Nation) -> bool {
        self.steps_to_war(nation) > if self.is_active(nation) { 0 } else { 1 }
    }
}
