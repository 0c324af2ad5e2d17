//! Missions (8.3).

use crate::engine::menu::{Ask, Menu, Stop};
use crate::engine::seat::Seat;
use crate::engine::slot::Faces;
use crate::risk::board::Board;
use crate::risk::step::Step;

/// By what everybody can know, the seat might complete a Mission now.
pub fn may_complete(_: &Board, _: Seat) -> bool {
    false
}

/// The seat holds a Mission, of those whose face is known, that it can complete now.
pub fn can_complete(_: &Board, _: Seat, _: &Faces) -> bool {
    false
}

/// What is said after `complete`: the Mission. Gives the steps that complete it.
pub fn complete(_: &Board, _: Seat, _: &Faces, _: &mut Menu<'_>) -> Ask<Vec<Step>> {
    Err(Stop::DeadEnd)
}
