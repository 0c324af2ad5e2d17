//! What feeds the dice of a new game, as its charter says: `dice: beacon`, `dice: chain`, or a mapping with more
//! keys.

use super::CharterError;
use crate::commit::beacon::{Chain, ChainInfo};
use crate::entry::body::Mode;
use serde::Deserialize;

/// What feeds the dice besides the host's chain.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged, expecting = "beacon, chain, or mode with own")]
pub enum CharterDice {
    Mode(Mode),
    Whole(WholeDice),
}

/// The mode, and which beacon.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WholeDice {
    pub mode: Mode,
    /// A chain other than quicknet, as its `/info` describes it. Verification assumes that the host knows its
    /// rounds in advance.
    #[serde(default)]
    pub own: Option<Box<ChainInfo>>,
}

impl CharterDice {
    /// A mode with all defaults.
    pub fn of(mode: Mode) -> CharterDice {
        CharterDice::Mode(mode)
    }

    pub fn mode(&self) -> Mode {
        match self {
            CharterDice::Mode(mode) => *mode,
            CharterDice::Whole(whole) => whole.mode,
        }
    }

    /// The mode, and the chain of the beacon if there is one.
    pub(crate) fn understood(&self) -> Result<(Mode, Option<Chain>), CharterError> {
        let whole = match self {
            CharterDice::Mode(mode) => WholeDice { mode: *mode, own: None },
            CharterDice::Whole(whole) => whole.clone(),
        };
        let own =
            whole.own.map(|info| Chain::new(*info)).transpose().map_err(|why| CharterError::Chain(why.to_string()))?;
        match (whole.mode, own) {
            (Mode::Chain, Some(_)) => Err(CharterError::Chain("only mode `beacon` has one".into())),
            (Mode::Chain, None) => Ok((Mode::Chain, None)),
            (Mode::Beacon, own) => Ok((Mode::Beacon, Some(own.unwrap_or_else(Chain::quicknet)))),
        }
    }
}
