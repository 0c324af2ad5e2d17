//! Whether the relays of the beacon give rounds with valid signatures.

use super::Finding;
use ground::span::Span;
use ground::stamp::Stamp;
use net::beacon::{Cause, FetchError, Patience, Relay, Round, fetch};
use record::commit::beacon::Chain;

/// Every relay that knows the chain has a round of this age.
const OLD: Span = Span::hours(1);

/// Asks each relay for the round of an hour ago.
pub fn relays(relays: &[Relay], chain: &Chain, now: Stamp, patience: Patience, tell: &mut dyn FnMut(Finding)) {
    let round = chain.round_at(now.earlier(OLD)).max(1);
    for relay in relays {
        let accept = |found: &Round| chain.verify(found.round, &found.signature).map_err(|error| error.to_string());
        let fetched = fetch(std::slice::from_ref(relay), &chain.hash(), round, patience, accept);
        tell(match fetched {
            Ok(_) => Finding::well("beacon", format!("{relay} gives round {round}, and its signature holds")),
            Err(error) => {
                let cause = error.failures().first().map(|failure| &failure.cause);
                Finding::wrong("beacon", error.to_string(), cause.and_then(advice))
            }
        });
    }
}

/// A round of long ago, which every relay of a chain has.
const EARLY: u64 = 1000;

/// Whether one of the relays gives rounds of the chain.
///
/// # Errors
/// Why none of them does.
pub fn reached(relays: &[Relay], chain: &Chain, patience: Patience) -> Result<(), FetchError> {
    let accept = |found: &Round| chain.verify(found.round, &found.signature).map_err(|error| error.to_string());
    fetch(relays, &chain.hash(), EARLY, patience, accept).map(drop)
}

/// What to do about a relay that gives no round.
fn advice(cause: &Cause) -> Option<&'static str> {
    match cause {
        Cause::NotYet { .. } => Some(
            "the round is an hour old: either the relay does not know this chain, or the clock of this machine is \
             fast",
        ),
        Cause::Unknown => Some("check the spelling of the URL, and that this machine can look up names"),
        Cause::TimedOut | Cause::Closed | Cause::Unreachable(_) => {
            Some("check that this machine may reach it (a firewall, a proxy); name a second relay in `beacon`")
        }
        Cause::NotAccepted(_) | Cause::OtherRound { .. } => {
            Some("it passes on what the chain has not signed: name another")
        }
        Cause::Tls(_) => Some("check the URL and the clock of this machine"),
        Cause::Redirect { .. } | Cause::NoRound | Cause::NotHex | Cause::NoHttp(_) | Cause::TooLong => {
            Some("it is no relay that speaks drand's HTTP API, version 1: check the URL")
        }
        Cause::Status { .. } => None,
    }
}
