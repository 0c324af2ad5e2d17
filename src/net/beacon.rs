/*! Rounds of a public beacon, fetched over HTTPS from relays that speak drand's HTTP API, version 1:
`GET {url}/{chain hash}/public/{round}` is answered with `{"round": …, "signature": "hex", …}`, and with 404 before the
time of the round.

A relay is not trusted: the caller checks the signature. All relays are asked at once, so that one that hangs or lies
causes no delay. A round that cannot be fetched now can be fetched later.
*/

use super::transcript::Transcript;
use crate::time_limit::is_silence;
use data_encoding::HEXLOWER_PERMISSIVE;
use ground::disk::mishap;
use ground::hash::Hash;
use ground::secret::without_password;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;
use std::{fmt, io, thread};
use thiserror::Error;
use tracing::dispatcher::{self, Dispatch};
use ureq::http::uri::{Scheme, Uri};
use ureq::{Agent, Timeout};

/// The longest URL of a relay.
const URL_BYTES_MAX: usize = 300;
/// The longest body that is read. A round has 300 bytes.
const BODY_BYTES_MAX: u64 = 4 * 1024;
/// The longest header that is read.
const HEADER_BYTES_MAX: usize = 16 * 1024;

/// A server that passes rounds on, as the host names it: `https://api.drand.sh`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relay {
    /// Without a slash at its end.
    url: String,
    /// `api.drand.sh:443`.
    peer: String,
    is_this_machine: bool,
}

/// Why a text of the host names no relay.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotARelay {
    #[error("`{}` is no URL like https://api.drand.sh", without_password(.0))]
    NoUrl(String),
    #[error("the URL is longer than {URL_BYTES_MAX} bytes")]
    TooLong,
    #[error(
        "`{}` has a user, a query or a fragment; a relay is named by its host, its port and a path",
        without_password(.0)
    )]
    Surplus(String),
    #[error("`{}` is not https; http is only for a relay on this machine", without_password(.0))]
    InClear(String),
}

impl Relay {
    /// Reads the URL of a relay.
    pub fn read(written: &str) -> Result<Relay, NotARelay> {
        if written.len() > URL_BYTES_MAX {
            return Err(NotARelay::TooLong);
        }
        let no_url = || NotARelay::NoUrl(written.to_owned());
        if written.contains(['@', '?', '#']) {
            return Err(NotARelay::Surplus(written.to_owned()));
        }
        let uri: Uri = written.parse().map_err(|_| no_url())?;
        let host = uri.host().filter(|host| !host.is_empty()).ok_or_else(no_url)?;
        let is_encrypted = match uri.scheme() {
            Some(scheme) if *scheme == Scheme::HTTPS => true,
            Some(scheme) if *scheme == Scheme::HTTP => false,
            _ => return Err(no_url()),
        };
        let authority = uri.authority().ok_or_else(no_url)?.as_str();
        let usual = if is_encrypted { 443 } else { 80 };
        // `None` if a port is written that is no number.
        let port = if authority == host { Some(usual) } else { uri.port_u16() };
        let port = port.filter(|port| *port != 0).ok_or_else(no_url)?;
        let is_this_machine = is_this_machine(host);
        if !is_encrypted && !is_this_machine {
            return Err(NotARelay::InClear(written.to_owned()));
        }
        let (url, peer) = (written.trim_end_matches('/').to_owned(), format!("{host}:{port}"));
        Ok(Relay { url, peer, is_this_machine })
    }

    pub fn url(&self) -> &str {
        &self.url
    }
}

impl fmt::Display for Relay {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.url)
    }
}

fn is_this_machine(host: &str) -> bool {
    let address = host.trim_matches(['[', ']']).parse();
    host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address: IpAddr| address.is_loopback())
}

/// A round as a relay gives it. Only its number is checked so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    pub round: u64,
    pub signature: Vec<u8>,
}

/// How long a relay may take. All relays are asked at once, so this limits the whole fetch as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For the connection, TLS included.
    pub connect: Duration,
    /// For everything, from the name of the host to the last byte.
    pub whole: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience { connect: Duration::from_secs(3), whole: Duration::from_secs(5) }
    }
}

/// Why one relay gave no usable round.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Cause {
    /// 404, or 425 (RFC 8470). A relay that does not know the chain also answers 404.
    #[error("it does not have the round yet (HTTP status {status})")]
    NotYet { status: u16 },
    #[error("the host is not known")]
    Unknown,
    #[error("it does not answer in time")]
    TimedOut,
    #[error("it has closed the connection")]
    Closed,
    #[error("no connection: {0}")]
    Unreachable(String),
    #[error("no secure connection: {0}")]
    Tls(String),
    #[error("it points elsewhere (HTTP status {status})")]
    Redirect { status: u16 },
    #[error("it has trouble (HTTP status {status})")]
    Status { status: u16 },
    #[error("it answers with more than {BODY_BYTES_MAX} bytes")]
    TooLong,
    #[error("it speaks no HTTP we understand: {0}")]
    NoHttp(String),
    #[error("its answer is no round")]
    NoRound,
    #[error("its signature is not hexadecimal")]
    NotHex,
    #[error("it answers with round {found}")]
    OtherRound { found: u64 },
    /// Why the caller rejects the round.
    #[error("{0}")]
    NotAccepted(String),
}

/// One relay, and what was wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub url: String,
    pub cause: Cause,
}

/// Why no relay gave the round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FetchError {
    /// There is no relay to ask.
    NoRelay,
    /// A relay says that the round is still to come, and no relay has it.
    NotYet {
        round: u64,
        failures: Vec<Failure>,
    },
    Failed {
        round: u64,
        failures: Vec<Failure>,
    },
}

impl FetchError {
    /// What was wrong with each relay, in the order of the configuration.
    pub fn failures(&self) -> &[Failure] {
        match self {
            FetchError::NoRelay => &[],
            FetchError::NotYet { failures, .. } | FetchError::Failed { failures, .. } => failures,
        }
    }
}

impl fmt::Display for FetchError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FetchError::NoRelay => formatter.write_str("no relay of the beacon is configured")?,
            FetchError::NotYet { round, .. } => write!(formatter, "round {round} of the beacon is not there yet")?,
            FetchError::Failed { round, .. } => write!(formatter, "round {round} of the beacon cannot be fetched")?,
        }
        for (place, Failure { url, cause }) in self.failures().iter().enumerate() {
            write!(formatter, "{} {url}: {cause}", if place == 0 { ":" } else { ";" })?;
        }
        Ok(())
    }
}

impl std::error::Error for FetchError {}

/// Fetches a round: asks all relays at once, and returns the first answer that `accept` accepts. It takes no longer
/// than the `patience.whole` that each relay has.
pub fn fetch(
    relays: &[Relay],
    chain: &Hash,
    round: u64,
    patience: Patience,
    accept: impl Fn(&Round) -> Result<(), String>,
) -> Result<Round, FetchError> {
    let (answers, answered) = mpsc::channel();
    let mut causes: Vec<Option<Cause>> = Vec::new();
    for (place, relay) in relays.iter().enumerate() {
        let struck = mishap::strike().map_err(|error| Cause::Unreachable(error.to_string()));
        causes.push(struck.err());
        if causes[place].is_none() {
            let (answers, relay, chain) = (answers.clone(), relay.clone(), *chain);
            // A relay that does not answer holds up only its own thread, which ends with its patience.
            let seen_by = dispatcher::get_default(Dispatch::clone);
            thread::spawn(move || {
                let asked = dispatcher::with_default(&seen_by, || ask(&relay, &chain, round, patience));
                answers.send((place, asked))
            });
        }
    }
    drop(answers);
    while let Ok((place, asked)) = answered.recv() {
        match asked.and_then(|found| accept(&found).map(|()| found).map_err(Cause::NotAccepted)) {
            Ok(found) => return Ok(found),
            Err(cause) => {
                Transcript::new(relays[place].peer.clone()).note(&format!("round {round}: {cause}"));
                causes[place] = Some(cause);
            }
        }
    }
    let failure = |(relay, cause): (&Relay, Option<Cause>)| Failure {
        url: relay.url.clone(),
        cause: cause.unwrap_or(Cause::Closed),
    };
    let failures: Vec<Failure> = relays.iter().zip(causes).map(failure).collect();
    let is_not_yet = |failure: &Failure| matches!(failure.cause, Cause::NotYet { .. });
    Err(match failures.iter().any(is_not_yet) {
        _ if failures.is_empty() => FetchError::NoRelay,
        true => FetchError::NotYet { round, failures },
        false => FetchError::Failed { round, failures },
    })
}

/// Fetches rounds in threads of its own, for callers that must not wait for a relay.
pub struct Fetcher {
    fetched: Arc<Mutex<Fetched>>,
    /// Called when a round has come.
    wake: Arc<dyn Fn() + Send + Sync>,
}

/// Each round of each chain that was asked for; `None` while it is being fetched.
type Fetched = BTreeMap<(Hash, u64), Option<Result<Round, FetchError>>>;

impl Fetcher {
    /// `wake` is called when a round has come.
    pub fn new(wake: impl Fn() + Send + Sync + 'static) -> Fetcher {
        Fetcher { fetched: Arc::default(), wake: Arc::new(wake) }
    }

    /// The round, if it has come, or why it could not be fetched; in that case it is fetched again. `None` while it
    /// is being fetched.
    pub fn round(
        &self,
        relays: &[Relay],
        chain: &Hash,
        round: u64,
        patience: Patience,
        accept: impl Fn(&Round) -> Result<(), String> + Send + 'static,
    ) -> Option<Result<Round, FetchError>> {
        let key = (*chain, round);
        let before = {
            let mut fetched = self.fetched.lock().expect("nobody panics with it");
            match fetched.insert(key, None) {
                Some(None) => return None,
                Some(Some(Ok(found))) => {
                    fetched.remove(&key);
                    return Some(Ok(found));
                }
                Some(Some(Err(error))) => Some(Err(error)),
                None => None,
            }
        };
        let (fetched, wake, relays) = (self.fetched.clone(), self.wake.clone(), relays.to_vec());
        thread::spawn(move || {
            let found = fetch(&relays, &key.0, round, patience, accept);
            let has_come = found.is_ok();
            fetched.lock().expect("nobody panics with it").insert(key, Some(found));
            if has_come {
                wake();
            }
        });
        before
    }
}

impl fmt::Debug for Fetcher {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Fetcher").finish_non_exhaustive()
    }
}

fn ask(relay: &Relay, chain: &Hash, round: u64, patience: Patience) -> Result<Round, Cause> {
    let transcript = Transcript::new(relay.peer.clone());
    let path = format!("/{chain}/public/{round}");
    transcript.sent(&format!("GET {path}"));
    let mut answer = agent(relay, patience).get(format!("{}{path}", relay.url)).call().map_err(cause)?;
    let status = answer.status().as_u16();
    match status {
        200 => {}
        404 | 425 => return Err(Cause::NotYet { status }),
        300..400 => return Err(Cause::Redirect { status }),
        _ => return Err(Cause::Status { status }),
    }
    let body = answer.body_mut().with_config().limit(BODY_BYTES_MAX).read_to_vec().map_err(cause)?;
    transcript.received(&body);
    let found = read(&body)?;
    if found.round == round { Ok(found) } else { Err(Cause::OtherRound { found: found.round }) }
}

/// The HTTP client for one request to a relay. It follows no redirect: a relay is a server that the host chose.
fn agent(relay: &Relay, patience: Patience) -> Agent {
    let config = Agent::config_builder()
        .timeout_global(Some(patience.whole))
        .timeout_connect(Some(patience.connect))
        .max_redirects(0)
        .max_redirects_will_error(false)
        .http_status_as_error(false)
        .https_only(!relay.is_this_machine)
        .max_response_header_size(HEADER_BYTES_MAX)
        .max_idle_connections(0)
        .user_agent("Ringmail")
        .accept("application/json");
    // A proxy that the environment names reaches the network, not this machine.
    let config = if relay.is_this_machine { config.proxy(None) } else { config };
    config.build().into()
}

/// Reads the answer of a relay. Fields that drand adds are ignored.
pub fn read(body: &[u8]) -> Result<Round, Cause> {
    #[derive(Deserialize)]
    struct Answer {
        round: u64,
        signature: String,
    }
    let Answer { round, signature } = serde_json::from_slice(body).map_err(|_| Cause::NoRound)?;
    let signature = HEXLOWER_PERMISSIVE.decode(signature.as_bytes()).map_err(|_| Cause::NotHex)?;
    Ok(Round { round, signature })
}

fn cause(error: ureq::Error) -> Cause {
    match error {
        ureq::Error::Timeout(Timeout::Resolve) | ureq::Error::HostNotFound => Cause::Unknown,
        ureq::Error::Timeout(_) => Cause::TimedOut,
        ureq::Error::BodyExceedsLimit(_) => Cause::TooLong,
        ureq::Error::Tls(error) => Cause::Tls(error.to_owned()),
        ureq::Error::Rustls(error) => Cause::Tls(error.to_string()),
        ureq::Error::Protocol(error) => Cause::NoHttp(error.to_string()),
        ureq::Error::LargeResponseHeader(..) => Cause::NoHttp(error.to_string()),
        ureq::Error::Io(error) => broken(&error),
        other => Cause::Unreachable(other.to_string()),
    }
}

fn broken(error: &io::Error) -> Cause {
    match error.kind() {
        _ if is_silence(error) => Cause::TimedOut,
        // rustls reports what it refuses as `InvalidData`.
        io::ErrorKind::InvalidData => Cause::Tls(error.to_string()),
        io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe => Cause::Closed,
        _ => Cause::Unreachable(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(written: &str, expected: Result<(&str, &str), &str>) {
        let read = Relay::read(written).map_err(|error| error.to_string());
        let read = read.as_ref().map(|relay| (relay.url.as_str(), relay.peer.as_str()));
        assert_eq!(read.map_err(String::as_str), expected);
    }

    #[test]
    fn a_relay_is_named_by_its_url() {
        case("https://api.drand.sh", Ok(("https://api.drand.sh", "api.drand.sh:443")));
        case("https://api.drand.sh/", Ok(("https://api.drand.sh", "api.drand.sh:443")));
        case("https://relay.example:6875/drand/", Ok(("https://relay.example:6875/drand", "relay.example:6875")));
        case("https://192.0.2.7", Ok(("https://192.0.2.7", "192.0.2.7:443")));
        case("http://127.0.0.1:8080", Ok(("http://127.0.0.1:8080", "127.0.0.1:8080")));
        case("http://127.5.0.1", Ok(("http://127.5.0.1", "127.5.0.1:80")));
        case("http://[::1]:8080", Ok(("http://[::1]:8080", "[::1]:8080")));
        case("http://localhost:8080", Ok(("http://localhost:8080", "localhost:8080")));
    }

    #[test]
    fn what_names_no_relay_is_told() {
        for written in ["", "api.drand.sh", "/drand", "ftp://api.drand.sh", "https://", "https://a b", "https://a:0"] {
            case(written, Err(&format!("`{written}` is no URL like https://api.drand.sh")));
        }
        let surplus = "has a user, a query or a fragment; a relay is named by its host, its port and a path";
        for written in ["https://relay.example/?a=b", "https://relay.example/#a"] {
            case(written, Err(&format!("`{written}` {surplus}")));
        }
        // What may be a password is not repeated.
        case("https://a:word", Err("`https://a:***` is no URL like https://api.drand.sh"));
        case("https://host:word@relay.example", Err(&format!("`https://host:***@relay.example` {surplus}")));
        for written in ["http://api.drand.sh", "http://127.0.0.1.example:80", "http://192.168.0.1", "http://[::2]"] {
            case(written, Err(&format!("`{written}` is not https; http is only for a relay on this machine")));
        }
        case(&format!("https://{}", "a".repeat(300)), Err("the URL is longer than 300 bytes"));
    }

    #[test]
    fn an_answer_is_read_in_drands_form_alone() {
        let read = |text: &str| read(text.as_bytes());
        let round = |signature: &[u8]| Ok(Round { round: 1000, signature: signature.to_vec() });
        assert_eq!(read(r#"{"round":1000,"randomness":"00","signature":"b446"}"#), round(&[0xb4, 0x46]));
        assert_eq!(read(r#"{"signature":"B446", "round": 1000}"#), round(&[0xb4, 0x46]));
        assert_eq!(read(r#"{"round":1000,"signature":""}"#), round(&[]));
        for signature in ["b44", "0xb446", "b4 46", "ü"] {
            let text = format!(r#"{{"round":1000,"signature":"{signature}"}}"#);
            assert_eq!(read(&text), Err(Cause::NotHex), "{text}");
        }
        for text in [
            "",
            "null",
            "[]",
            "{}",
            r#"{"round":1000}"#,
            r#"{"round":-1,"signature":""}"#,
            r#"{"round":1e3,"signature":""}"#,
            r#"{"round":"1000","signature":""}"#,
            r#"{"round":18446744073709551616,"signature":""}"#,
            r#"{"round":1000,"round":1001,"signature":""}"#,
            r#"{"round":1000,"signature":""} more"#,
        ] {
            assert_eq!(read(text), Err(Cause::NoRound), "{text}");
        }
    }
}
