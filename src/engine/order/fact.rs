//! Facts: what a condition may name. A title reads a fact with the methods of the menu, and takes its value from its
//! board. The board holds no secret, so a condition depends on public facts only.

use crate::seat::Seat;

/// What a question is about: the id of its place, and the seat that brought it about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Matter {
    pub place: Option<&'static str>,
    pub by: Option<Seat>,
}

/// The value of a named fact now; `None` if it has none, e.g. the round of a battle outside of a battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    Number(Option<u32>),
    /// Something that holds or does not.
    Flag(Option<bool>),
}

impl Fact {
    pub fn number(number: impl Into<u32>) -> Fact {
        Fact::Number(Some(number.into()))
    }

    pub fn flag(is_so: bool) -> Fact {
        Fact::Flag(Some(is_so))
    }
}
