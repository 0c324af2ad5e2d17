//! A beacon chain with its own key, and relays of it on the loopback address that speak drand's HTTP API: honest and
//! other ones.

#![allow(dead_code, reason = "every test asks for something else")]

use blst::min_sig::SecretKey;
use ground::hash::{Hex, sha256};
use ground::stamp::Stamp;
use record::commit::beacon::{Chain, ChainInfo, SCHEME};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

const TAG: &[u8] = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";
/// A relay that sends without end stops after this many pieces, if nobody hangs up.
const PIECES_MAX: usize = 10_000;

/// The time, as the test sets it.
pub type Clock = Arc<dyn Fn() -> Stamp + Send + Sync>;

/// How a relay behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// It has every round whose time has come, and answers 404 to everything else.
    Honest,
    /// The requested round, signed with another key.
    OtherKey,
    /// The requested number with the signature of the round before.
    OldSignature,
    /// The round before, valid in itself.
    OldRound,
    /// The round after, whether its time has come or not.
    NextRound,
    /// No answer; the connection stays open.
    Silent,
    /// A body that comes byte by byte.
    Drip,
    /// HTTP, but not JSON.
    Garbage,
    /// Not HTTP.
    NoHttp,
    /// A round followed by a megabyte of blanks, without a length in the header.
    Huge,
    /// A header that does not end.
    EndlessHeader,
    /// The connection is closed without an answer.
    HangUp,
    /// 302, to another place on the same relay.
    Redirect,
    /// Only this HTTP status.
    Status(u16),
}

/// A chain, and the key that signs its rounds.
pub struct Beacon {
    secret: SecretKey,
    pub chain: Chain,
}

impl Beacon {
    /// A chain whose round 1 is signed at `genesis`. The same number makes the same key.
    pub fn new(number: u8, genesis: Stamp, period: u32) -> Beacon {
        let secret = SecretKey::key_gen(&[number; 32], &[]).expect("32 bytes");
        let mut info = ChainInfo {
            hash: Hex::ZERO,
            scheme: SCHEME.to_owned(),
            public_key: Hex(secret.sk_to_pk().compress()),
            period,
            genesis_time: u64::try_from(genesis.timestamp().as_second()).expect("a time after 1970"),
            group_hash: Hex([number; 32]),
            beacon_id: "of-a-test".to_owned(),
        };
        info.hash = info.computed_hash();
        Beacon { secret, chain: Chain::new(info).expect("the fields agree") }
    }

    /// The signature of a round, whether its time has come or not.
    pub fn sign(&self, round: u64) -> [u8; 48] {
        self.secret.sign(&sha256(&round.to_be_bytes()).0, TAG, &[]).compress()
    }

    /// Starts a relay on a free port. It ends when the value is dropped.
    pub fn relay(&self, manner: Manner, clock: Clock) -> Relay {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("it has an address");
        let (manner, asked) = (Arc::new(Mutex::new(manner)), Arc::new(Mutex::new(Vec::new())));
        let has_ended = Arc::new(AtomicBool::new(false));
        let relay = Relay { address, manner: manner.clone(), asked: asked.clone(), has_ended: has_ended.clone() };
        let beacon = Arc::new(Beacon { secret: self.secret.clone(), chain: self.chain.clone() });
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if has_ended.load(Ordering::SeqCst) {
                    return;
                }
                let manner = *manner.lock().expect("nobody panics with it");
                let (beacon, clock, asked) = (beacon.clone(), clock.clone(), asked.clone());
                // Each connection has its own thread, because one may stay open.
                thread::spawn(move || beacon.answer(stream, manner, &clock, &asked));
            }
        });
        relay
    }

    fn answer(&self, mut stream: TcpStream, manner: Manner, clock: &Clock, asked: &Mutex<Vec<String>>) {
        let Some(path) = request(&stream) else { return };
        asked.lock().expect("nobody panics with it").push(path.clone());
        let asked_for = path.strip_prefix(&format!("/{}/public/", self.chain.hash()));
        let Some(round) = asked_for.and_then(|round| round.parse().ok()) else {
            return say(&mut stream, &response(404, "", ""));
        };
        let body = |number: u64, signature: [u8; 48]| {
            let randomness = sha256(&signature);
            format!(r#"{{"round":{number},"randomness":"{randomness}","signature":"{}"}}"#, Hex(signature))
        };
        let found = |number: u64| response(200, "", &body(number, self.sign(number)));
        let said = match manner {
            Manner::Honest if round > self.chain.round_at(clock()) => response(404, "", ""),
            Manner::Honest => found(round),
            Manner::OtherKey => {
                let other = SecretKey::key_gen(&[0xff; 32], &[]).expect("32 bytes");
                let other = Beacon { secret: other, chain: self.chain.clone() };
                response(200, "", &body(round, other.sign(round)))
            }
            Manner::OldSignature => response(200, "", &body(round, self.sign(round - 1))),
            Manner::OldRound => found(round - 1),
            Manner::NextRound => found(round + 1),
            Manner::Silent => return until_closed(&mut stream),
            Manner::Drip => return drip(&mut stream),
            Manner::Garbage => response(200, "", "<html>Welcome to the Prancing Pony</html>"),
            Manner::NoHttp => "220 pony.example ESMTP ready\r\n".to_owned(),
            Manner::Huge => {
                format!("HTTP/1.1 200 OK\r\n\r\n{}{}", body(round, self.sign(round)), " ".repeat(1024 * 1024))
            }
            Manner::EndlessHeader => return endless_header(&mut stream),
            Manner::HangUp => return,
            Manner::Redirect => response(302, &format!("Location: /elsewhere{path}\r\n"), ""),
            Manner::Status(status) => response(status, "", ""),
        };
        say(&mut stream, &said);
    }
}

/// A relay that runs.
pub struct Relay {
    address: SocketAddr,
    manner: Arc<Mutex<Manner>>,
    asked: Arc<Mutex<Vec<String>>>,
    has_ended: Arc<AtomicBool>,
}

impl Relay {
    /// `http://127.0.0.1:PORT`
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Behaves differently from the next connection on.
    pub fn behave(&self, manner: Manner) {
        *self.manner.lock().expect("nobody panics with it") = manner;
    }

    /// The paths that were asked for.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("nobody panics with it").clone()
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.has_ended.store(true, Ordering::SeqCst);
        // Its thread waits for a connection.
        drop(TcpStream::connect(self.address));
    }
}

/// A clock that always shows the same time.
pub fn stopped_at(at: &str) -> Clock {
    let at = Stamp::parse(at).expect("a time");
    Arc::new(move || at)
}

/// The path of a completely read request.
fn request(stream: &TcpStream) -> Option<String> {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let first = lines.next()?;
    let path = first.strip_prefix("GET ")?.strip_suffix(" HTTP/1.1")?.to_owned();
    lines.any(|line| line.is_empty()).then_some(path)
}

fn response(status: u16, fields: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status} of a test\r\n{fields}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}")
}

/// Writes to a client that may have hung up.
fn say(stream: &mut TcpStream, said: &str) {
    let _ = stream.write_all(said.as_bytes());
}

fn until_closed(stream: &mut TcpStream) {
    let _ = stream.read_to_end(&mut Vec::new());
}

/// A byte every 20 milliseconds.
fn drip(stream: &mut TcpStream) {
    say(stream, "HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n");
    let _ = stream.set_read_timeout(Some(Duration::from_millis(20)));
    for _ in 0..PIECES_MAX {
        // The other side says nothing more: this waits, and ends when it hangs up.
        let has_hung_up = matches!(stream.read(&mut [0]), Ok(0));
        if has_hung_up || stream.write_all(b" ").is_err() {
            return;
        }
    }
}

fn endless_header(stream: &mut TcpStream) {
    say(stream, "HTTP/1.1 200 OK\r\n");
    for line in 0..PIECES_MAX {
        if stream.write_all(format!("X-{line}: {}\r\n", "x".repeat(100)).as_bytes()).is_err() {
            return;
        }
    }
}
