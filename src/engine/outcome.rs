//! The result of a game.

use crate::seat::Seat;

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Who won; several where a team wins.
    pub winners: Vec<Seat>,
    /// Why, in a sentence without a full stop: `the Ring was destroyed; most points`.
    pub reason: String,
    /// The points of every seat that has any.
    pub points: Vec<(Seat, i32)>,
}
