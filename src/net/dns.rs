/*! The DNS, asked for two kinds of records: texts, in which mail domains publish their keys, and the servers that take
their mail (RFC 1035, RFC 6891).

A stub resolver: it asks the servers that the system is configured with, over UDP and, if the answer is too long, over
TCP. It does not follow delegations and checks no DNSSEC; an answer is the word of those servers, and is archived as
such.
*/

use super::time_limit::{Socket, TimeLimit};
use ground::disk::place::{about, read_text};
use ground::effort;
use std::io::{self, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream, UdpSocket};
use std::path::Path;
use std::time::Duration;

/// The file that names the servers of the system.
const SYSTEM: &str = "/etc/resolv.conf";
/// How long one server may take.
const PATIENCE: Duration = Duration::from_secs(4);
/// How often each server is asked.
const TRIES: usize = 2;
/// RFC 6891 §6.2.5: what fits through every network in one piece.
const UDP_SIZE: u16 = 1232;
const KIND_EXCHANGER: u16 = 15;
const KIND_TEXT: u16 = 16;
const KIND_OPTION: u16 = 41;

/// The name servers that are asked.
#[derive(Clone, Debug)]
pub struct Dns {
    servers: Vec<SocketAddr>,
    patience: Duration,
}

impl Dns {
    /// The servers that this system is configured with.
    pub fn of_system() -> io::Result<Dns> {
        let written = read_text(Path::new(SYSTEM)).map_err(|error| about(Path::new(SYSTEM), &error))?;
        let server = |line: &str| {
            let mut words = line.split_whitespace();
            words.next().filter(|word| *word == "nameserver")?;
            let address: IpAddr = words.next()?.parse().ok()?;
            Some(SocketAddr::new(address, 53))
        };
        let servers: Vec<SocketAddr> = written.lines().filter_map(server).collect();
        if servers.is_empty() {
            Err(io::Error::new(io::ErrorKind::NotFound, format!("{SYSTEM} names no name server")))
        } else {
            Ok(Dns::new(servers))
        }
    }

    pub fn new(servers: Vec<SocketAddr>) -> Dns {
        Dns { servers, patience: PATIENCE }
    }

    /// The same servers, each with this much time to answer.
    pub fn with_patience(self, patience: Duration) -> Dns {
        Dns { patience, ..self }
    }

    fn ask(&self, server: SocketAddr, query: &[u8]) -> io::Result<Vec<u8>> {
        let here: SocketAddr = match server {
            SocketAddr::V4(_) => ([0, 0, 0, 0], 0).into(),
            SocketAddr::V6(_) => ([0_u16; 8], 0).into(),
        };
        let socket = UdpSocket::bind(here)?;
        let time_limit = TimeLimit::within(self.patience);
        // A connected socket receives from this server alone.
        socket.connect(server)?;
        socket.send(query)?;
        let mut answer = vec![0; usize::from(u16::MAX)];
        loop {
            socket.set_read_timeout(Some(time_limit.next()?))?;
            let length = socket.recv(&mut answer)?;
            // A message that does not answer this question is stray or forged.
            if is_answer(&answer[..length], query) {
                answer.truncate(length);
                break;
            }
        }
        let is_cut = answer[2] & 0x02 != 0;
        if is_cut { self.ask_at_length(server, query) } else { Ok(answer) }
    }

    /// RFC 7766: the same over TCP, where every message has its length before it.
    fn ask_at_length(&self, server: SocketAddr, query: &[u8]) -> io::Result<Vec<u8>> {
        let time_limit = TimeLimit::within(self.patience);
        let mut stream = Socket::new(TcpStream::connect_timeout(&server, time_limit.next()?)?, time_limit);
        let length = u16::try_from(query.len()).expect("a question is short");
        stream.write_all(&[&length.to_be_bytes()[..], query].concat())?;
        let mut length = [0; 2];
        stream.read_exact(&mut length)?;
        let mut answer = vec![0; usize::from(u16::from_be_bytes(length))];
        stream.read_exact(&mut answer)?;
        if is_answer(&answer, query) {
            Ok(answer)
        } else {
            Err(io::Error::new(io::ErrorKind::InvalidData, "it answers another question"))
        }
    }
}

/// A lookup that has failed for now, with the reason; a later one may succeed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unanswered(pub String);

impl Dns {
    /// The texts under a name; empty if there is no such name.
    pub fn texts(&self, name: &str) -> Result<Vec<String>, Unanswered> {
        Ok(self.records(name, KIND_TEXT, texts)?.unwrap_or_default())
    }

    /// Whether a domain names a server that takes its mail.
    pub fn has_exchanger(&self, domain: &str) -> Result<bool, Unanswered> {
        Ok(self.records(domain, KIND_EXCHANGER, exchangers)? > Some(0))
    }

    /// What the records of a name say; `None` if there is no such name.
    fn records<T>(&self, name: &str, kind: u16, read: fn(&[u8]) -> Option<T>) -> Result<Option<T>, Unanswered> {
        let mut identity = [0; 2];
        getrandom::fill(&mut identity)
            .map_err(|error| Unanswered(format!("the system gives no random bytes: {error}")))?;
        // What cannot be a name has no records.
        let Some(query) = query(identity, name, kind) else { return Ok(None) };
        let mut why = "no name server is known".to_owned();
        for server in self.servers.iter().cycle().take(self.servers.len() * TRIES) {
            let answer = match self.ask(*server, &query) {
                Ok(answer) => answer,
                Err(error) => {
                    why = format!("the name server {} does not answer: {error}", server.ip());
                    continue;
                }
            };
            match answer[3] & 0x0f {
                0 => match read(&answer) {
                    Some(read) => return Ok(Some(read)),
                    None => why = format!("the answer of the name server {} is damaged", server.ip()),
                },
                // RFC 1035 §4.1.1: there is no such name.
                3 => return Ok(None),
                code => why = format!("the name server {} has trouble (code {code})", server.ip()),
            }
        }
        Err(Unanswered(why))
    }
}

/// The question for the records of one kind under a name; `None` if the name is not valid.
fn query(identity: [u8; 2], name: &str, kind: u16) -> Option<Vec<u8>> {
    let mut query = identity.to_vec();
    // One question, with recursion desired; one additional record, which says how long an answer may be.
    query.extend_from_slice(&[0x01, 0x00, 0, 1, 0, 0, 0, 0, 0, 1]);
    if name.len() > 253 {
        return None;
    }
    for label in name.trim_end_matches('.').split('.') {
        let length = u8::try_from(label.len()).ok().filter(|length| (1..=63).contains(length))?;
        query.push(length);
        query.extend_from_slice(label.as_bytes());
    }
    query.push(0);
    query.extend_from_slice(&kind.to_be_bytes());
    query.extend_from_slice(&[0, 1, 0]);
    query.extend_from_slice(&KIND_OPTION.to_be_bytes());
    query.extend_from_slice(&UDP_SIZE.to_be_bytes());
    query.extend_from_slice(&[0; 6]);
    Some(query)
}

/// Whether a message answers a question: the same number, and the same question in it, whatever its case.
fn is_answer(answer: &[u8], query: &[u8]) -> bool {
    let end = query.len() - 11;
    answer.len() >= end
        && answer[..2] == query[..2]
        && answer[2] & 0x80 != 0
        && answer[4..6] == [0, 1]
        && answer[12..end].eq_ignore_ascii_case(&query[12..end])
}

/// The texts of an answer, each put together from its pieces; `None` if it is damaged.
pub fn texts(answer: &[u8]) -> Option<Vec<String>> {
    let mut texts = Vec::new();
    for data in records(answer, KIND_TEXT)? {
        let (mut rest, mut text) = (data, Vec::new());
        while let Some((length, pieces)) = rest.split_first() {
            let (piece, others) = pieces.split_at_checked(usize::from(*length))?;
            effort::step(piece.len() + 1);
            text.extend_from_slice(piece);
            rest = others;
        }
        texts.push(String::from_utf8_lossy(&text).into_owned());
    }
    Some(texts)
}

/// How many servers of an answer take mail; `None` if it is damaged.
pub fn exchangers(answer: &[u8]) -> Option<usize> {
    Some(records(answer, KIND_EXCHANGER)?.len())
}

/// The records of one kind in an answer; `None` if it is damaged.
fn records(answer: &[u8], wanted: u16) -> Option<Vec<&[u8]>> {
    let count = u16::from_be_bytes([*answer.get(6)?, *answer.get(7)?]);
    // Behind the question: its name, its kind, its class.
    let mut at = after_name(answer, 12)? + 4;
    let mut found = Vec::new();
    for _ in 0..count {
        at = after_name(answer, at)?;
        let head = answer.get(at..at + 10)?;
        let (kind, length) = (u16::from_be_bytes([head[0], head[1]]), u16::from_be_bytes([head[8], head[9]]));
        let data = answer.get(at + 10..at + 10 + usize::from(length))?;
        at += 10 + data.len();
        if kind == wanted {
            found.push(data);
        }
    }
    Some(found)
}

/// The end of the name that begins at `at`; it may end in a pointer to another (RFC 1035 §4.1.4).
fn after_name(answer: &[u8], mut at: usize) -> Option<usize> {
    loop {
        effort::step(1);
        match answer.get(at)? {
            0 => return Some(at + 1),
            0xc0.. => return Some(at + 2),
            length => at += 1 + usize::from(*length),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;
    use std::thread;

    /// The record of one text, in pieces of 255.
    fn record(text: &str) -> Vec<u8> {
        let mut data = Vec::new();
        for piece in text.as_bytes().chunks(255) {
            data.push(u8::try_from(piece.len()).unwrap());
            data.extend_from_slice(piece);
        }
        let mut record = vec![0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60];
        record.extend_from_slice(&u16::try_from(data.len()).unwrap().to_be_bytes());
        record.extend(data);
        record
    }

    fn answered(query: &[u8], flags: [u8; 2], records: &[Vec<u8>]) -> Vec<u8> {
        let mut answer = query[..query.len() - 11].to_vec();
        answer[2..4].copy_from_slice(&flags);
        answer[7] = u8::try_from(records.len()).unwrap();
        answer[11] = 0;
        records.iter().for_each(|record| answer.extend_from_slice(record));
        answer
    }

    /// The messages that answer a question.
    type Answer = Box<dyn Fn(&[u8]) -> Vec<Vec<u8>> + Send>;

    /// A port that is free for one protocol may be taken for the other.
    fn both_at_one_port() -> (UdpSocket, TcpListener, SocketAddr) {
        let both = std::iter::repeat_with(|| {
            let socket = UdpSocket::bind("127.0.0.1:0").ok()?;
            let address = socket.local_addr().ok()?;
            Some((socket, TcpListener::bind(address).ok()?, address))
        });
        both.take(100).flatten().next().expect("a port that is free for both")
    }

    /// A name server on loopback that answers one question after another with `answers`.
    fn server(answers: Vec<Answer>) -> Dns {
        let (socket, listener, address) = both_at_one_port();
        thread::spawn(move || {
            for answer in answers {
                let mut query = [0; 512];
                let (length, from) = socket.recv_from(&mut query).unwrap();
                for message in answer(&query[..length]) {
                    socket.send_to(&message, from).unwrap();
                }
            }
            let (mut stream, _) = listener.accept().unwrap();
            let mut length = [0; 2];
            stream.read_exact(&mut length).unwrap();
            let mut query = vec![0; usize::from(u16::from_be_bytes(length))];
            stream.read_exact(&mut query).unwrap();
            let answer = answered(&query, [0x81, 0x80], &[record(&"long ".repeat(300))]);
            let length = u16::try_from(answer.len()).unwrap().to_be_bytes();
            stream.write_all(&[&length[..], &answer].concat()).unwrap();
        });
        Dns::new(vec![address]).with_patience(Duration::from_secs(20))
    }

    const NAME: &str = "s._domainkey.shire.example";

    #[test]
    fn a_text_is_put_together_from_its_pieces() {
        let text = format!("v=DKIM1; p={}", "A".repeat(400));
        let expected = text.clone();
        let dns =
            server(vec![Box::new(move |query| vec![answered(query, [0x81, 0x80], &[record(&text), record("x")])])]);
        assert_eq!(dns.texts(NAME), Ok(vec![expected, "x".to_owned()]));
    }

    #[test]
    fn an_answer_cut_short_is_asked_for_at_length() {
        let dns = server(vec![Box::new(|query| vec![answered(query, [0x83, 0x80], &[])])]);
        assert_eq!(dns.texts(NAME), Ok(vec!["long ".repeat(300)]));
    }

    #[test]
    fn no_such_name_is_an_answer_and_trouble_is_none() {
        let dns = server(vec![Box::new(|query| vec![answered(query, [0x81, 0x83], &[])])]);
        assert_eq!(dns.texts(NAME), Ok(Vec::new()));
        let trouble = || -> Answer { Box::new(|query| vec![answered(query, [0x81, 0x82], &[])]) };
        let dns = server(vec![trouble(), trouble()]);
        assert!(dns.texts(NAME).unwrap_err().0.contains("has trouble (code 2)"));
        assert_eq!(server(vec![]).texts("a..b"), Ok(Vec::new()));
        assert_eq!(server(vec![]).texts(&"a".repeat(300)), Ok(Vec::new()));
    }

    #[test]
    fn what_answers_another_question_is_passed_over() {
        let dns = server(vec![Box::new(|query| {
            let mut other = answered(query, [0x81, 0x80], &[record("forged")]);
            other[0] ^= 1;
            let mut elsewhere = answered(query, [0x81, 0x80], &[record("forged")]);
            elsewhere[13] ^= 1;
            vec![other, elsewhere, vec![0; 4], answered(query, [0x81, 0x80], &[record("true")])]
        })]);
        assert_eq!(dns.texts(NAME), Ok(vec!["true".to_owned()]));
    }

    #[test]
    fn a_server_that_is_silent_is_told() {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        let dns = Dns::new(vec![socket.local_addr().unwrap()]).with_patience(Duration::from_millis(20));
        assert!(dns.texts(NAME).unwrap_err().0.contains("does not answer"));
    }

    #[test]
    fn an_answer_damaged_anywhere_makes_no_panic() {
        let query = query([1, 2], NAME, KIND_TEXT).unwrap();
        let answer = answered(&query, [0x81, 0x80], &[record("v=DKIM1; p=AAAA")]);
        for at in 0..answer.len() {
            let _ = texts(&answer[..at]);
            for byte in [0, 1, 0x3f, 0xc0, 0xff] {
                let mut altered = answer.clone();
                altered[at] = byte;
                let _ = texts(&altered);
            }
        }
    }
}
