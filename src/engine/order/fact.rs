//! Facts: what a condition may name. A title reads one with the methods of the menu, and says what it is on its board,
//! which holds no secret: so a condition judges by nothing that is not public.

use crate::seat::Seat;

/// What a question is about: the place, by its id, and the seat whose act has brought it about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Matter {
    pub place: Option<&'static str>,
    pub by: Option<Seat>,
}

/// A fact that was named, as it is now; nothing where there is none now, as the round of a battle outside of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    Number(Option<u32>),
    /// Something that is so or is not.
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
