//! The two sides. Who plays them is with the [`player`](crate::player)s.

use std::fmt;
use std::ops::Not;

/// One of the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// The Free Peoples.
    Free,
    Shadow,
}

impl Side {
    pub const BOTH: [Side; 2] = [Side::Free, Side::Shadow];

    /// 0 for the Free Peoples, 1 for the Shadow.
    pub fn index(self) -> usize {
        match self {
            Side::Free => 0,
            Side::Shadow => 1,
        }
    }

    /// Its id, as in facts.
    pub fn id(self) -> &'static str {
        match self {
            Side::Free => "free",
            Side::Shadow => "shadow",
        }
    }

    /// The side with this id.
    pub fn of_id(id: &str) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| side.id() == id)
    }

    /// Its printed name.
    pub fn title(self) -> &'static str {
        match self {
            Side::Free => "the Free Peoples",
            Side::Shadow => "the Shadow",
        }
    }
}

impl Not for Side {
    type Output = Side;

    /// The other side.
    fn not(self) -> Side {
        match self {
            Side::Free => Side::Shadow,
            Side::Shadow => Side::Free,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}
