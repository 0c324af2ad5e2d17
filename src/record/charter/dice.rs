//! What feeds the dice of a new game, as its charter says: `dice: beacon`, `dice: chain`, or a mapping with more
//! keys.

use super::CharterError;
use crate::commit::beacon::{Chain, ChainInfo};
use crate::entry::body::Mode;
use serde::Deserialize;

/// What feeds the dice besides the host's chain.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged, expecting = "beacon, chain, or mode with start_round or own")]
pub enum CharterDice {
    Mode(Mode),
    Whole(WholeDice),
}

/// The mode, and which beacon.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WholeDice {
    pub mode: Mode,
    /// In mode `chain`: whether the start waits for a round of a beacon.
    #[serde(default)]
    pub start_round: bool,
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

    /// The mode, and the chain of the beacon if there is one.
    pub(crate) fn understood(&self) -> Result<(Mode, Option<Chain>), CharterError> {
        let whole = match self {
            CharterDice::Mode(mode) => WholeDice { mode: *mode, start_round: false, own: None },
            CharterDice::Whole(whole) => whole.clone(),
        };
        let own =
            whole.own.map(|info| Chain::new(*info)).transpose().map_err(|why| CharterError::Chain(why.to_string()))?;
        let has_beacon = whole.mode == Mode::Beacon || whole.start_round;
        match (has_beacon, own) {
            (false, Some(_)) => Err(CharterError::Chain("mode `chain` needs it only with `start_round: true`".into())),
            (false, None) => Ok((whole.mode, None)),
            (true, own) => Ok((whole.mode, Some(own.unwrap_or_else(Chain::quicknet)))),
        }
    }
}
