//! How a run of a menu function ends.

use crate::refusal::Refusal;

/// What a menu function returns.
pub type Ask<T> = Result<T, Stop>;

/// Why a menu did not come to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    Refused(Refusal),
    /// Nothing may be said at this place: the branch that led here should have been barred.
    DeadEnd,
}
