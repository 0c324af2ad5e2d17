/*! Why something could not be done at a table. The record that failed is not written, and the table is as it was before
it. An answer, a vote, a consent or a word of a seat can be followed by records of the host (orders that fire, decks,
motions that are carried); if one of these fails, those before it stand in the log.
*/

use super::clock_refused::ClockRefused;
use crate::charter::CharterError;
use crate::file::log::LogError;
use crate::file::reading::NotFollowed;
use crate::file::secrets::SecretsError;
use crate::fold::order_books::CannotChange;
use crate::fold::standing::NotAnOrder;
use crate::problem::Problem;
use engine::refusal::Refusal;
use thiserror::Error;

/// Why something could not be done.
#[derive(Debug, Error)]
pub enum TableError {
    #[error(transparent)]
    Charter(#[from] CharterError),
    #[error(transparent)]
    Log(#[from] LogError),
    /// The log that was opened cannot be read or does not verify.
    #[error(transparent)]
    Reading(#[from] NotFollowed),
    #[error(transparent)]
    Secrets(#[from] SecretsError),
    #[error("the system gives no random bytes: {0}")]
    Random(getrandom::Error),
    /// The sentence was not played.
    #[error("{0}")]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Order(#[from] NotAnOrder),
    /// An act about time that cannot be done.
    #[error(transparent)]
    Clock(#[from] ClockRefused),
    /// The seat's order book does not allow this change.
    #[error(transparent)]
    Book(#[from] CannotChange),
    /// The game asks no question of this name that an order could answer.
    #[error("the game never asks `{found}`; it asks: {}", .asked.join(", "))]
    NoSuchQuestion { found: String, asked: Vec<&'static str> },
    /// The game cannot read this part of a standing order.
    #[error("in the order, `{part}`: {why}")]
    InOrder { part: String, why: Box<Refusal> },
    #[error("there is no seat `{found}`; there are: {}", .seats.join(", "))]
    NoSuchSeat { found: String, seats: Vec<String> },
    #[error("not yet joined: {}", .missing.join(", "))]
    NotJoined { missing: Vec<String> },
    #[error("not now: {why}")]
    NotNow { why: &'static str },
    #[error("record {to} cannot be gone back to: it is too long ago, or a deck was laid since")]
    TooFarBack { to: u64 },
    /// The host's chain has no link left.
    #[error("the host's chain has no link left: the game has thrown 65,536 times, and can only be ended")]
    NoLinks,
    /// `host.yaml` belongs to another game.
    #[error("the host.yaml in this folder belongs to another game")]
    OtherSecrets,
    /// The new record would not verify.
    #[error(
        "the record would not verify, and was not written: {}",
        .0.first().map(ToString::to_string).unwrap_or_default()
    )]
    Unsound(Vec<Problem>),
}
