//! A letter from player to player that waits for its time.

use crate::order::request::Sender;
use ground::hash::Hash;
use serde::{Deserialize, Serialize};

/// A letter that is allowed, and goes out when the letter that brought it is done, or at its time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Relayed {
    /// The words of the seats.
    pub from: String,
    pub to: Vec<String>,
    pub sender: Sender,
    pub text: String,
    /// The letter that brought it, and its line there.
    pub raw: Hash,
    pub line: usize,
    /// When it goes out, as a stamp.
    pub due: String,
}
