//! The result of a game.

use crate::seat::Seat;

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The winner, or all winners if a team wins.
    pub winners: Vec<Seat>,
    /// Why, in a sentence without a full stop: `the Ring was destroyed; most points`.
    pub reason: String,
    /// The points of each seat that has points.
    pub points: Vec<(Seat, i32)>,
}
