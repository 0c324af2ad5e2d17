//! Where a desk fetches the rounds of a public beacon, and how long it waits for one.

use net::beacon::{self, FetchError, Fetcher, Patience, Relay};
use record::commit::beacon::Chain;
use std::sync::Arc;

/// Where rounds are fetched.
#[derive(Clone, Debug, Default)]
pub struct Beacon {
    pub relays: Vec<Relay>,
    pub patience: Patience,
    /// Fetches rounds while the desk goes on with other things; if `None`, the desk waits.
    pub fetcher: Option<Arc<Fetcher>>,
    /// The chain whose rounds show whether the clock of this machine is fast; `None` for drand's quicknet. Each game
    /// names its own chain.
    pub chain: Option<Chain>,
}

impl Beacon {
    /// The signature of a round of a chain, checked; `None` while it is being fetched.
    ///
    /// # Errors
    /// No relay gives it.
    pub fn signature(&self, chain: &Chain, round: u64) -> Option<Result<[u8; 48], FetchError>> {
        let (hash, chain) = (chain.hash(), chain.clone());
        let Beacon { relays, patience, fetcher, .. } = self;
        let check =
            move |found: &beacon::Round| chain.verify(round, &found.signature).map_err(|error| error.to_string());
        let found = match fetcher {
            Some(fetcher) => fetcher.round(relays, &hash, round, *patience, check)?,
            None => beacon::fetch(relays, &hash, round, *patience, check),
        };
        Some(found.map(|found| found.signature.try_into().expect("a signature that holds has 48 bytes")))
    }
}
