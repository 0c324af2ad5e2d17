/*! The time that a server may take. A limit on each read is not enough: a server that sends a byte a second is never
silent and never done. So the dialogue as a whole has a limit too, and every read and write ends by it.

Deviation: this clock is the machine's own and runs on evenly when the time of day is set. Nothing of it enters a
record.
*/

#![expect(clippy::disallowed_types, reason = "how long a server takes is no fact of a game")]

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// How long a server may be silent, and how long it may take in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    pub silence: Duration,
    pub whole: Duration,
}

impl Patience {
    /// For a mail server. A letter of a megabyte takes three minutes over a line of 6 kB a second.
    pub const SERVER: Patience = Patience { silence: Duration::from_secs(60), whole: Duration::from_secs(180) };

    /// The dialogue begins now.
    pub fn begin(self) -> TimeLimit {
        TimeLimit { silence: self.silence, end: Instant::now() + self.whole }
    }
}

/// Whether a time limit has passed. Systems report that with different errors.
pub fn is_silence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

/// When a dialogue must have ended.
#[derive(Clone, Copy, Debug)]
pub struct TimeLimit {
    silence: Duration,
    end: Instant,
}

impl TimeLimit {
    /// The dialogue begins now, and the server may be silent until its end.
    pub fn within(whole: Duration) -> TimeLimit {
        Patience { silence: whole, whole }.begin()
    }

    /// How long the next read or write may take; an error if the time is over.
    pub fn next(&self) -> io::Result<Duration> {
        let left = self.end.saturating_duration_since(Instant::now());
        if left < Duration::from_millis(1) { Err(io::ErrorKind::TimedOut.into()) } else { Ok(self.silence.min(left)) }
    }
}

/// A socket whose reads and writes all end by a time limit.
#[derive(Debug)]
pub struct Socket {
    stream: TcpStream,
    pub time_limit: TimeLimit,
}

impl Socket {
    pub fn new(stream: TcpStream, time_limit: TimeLimit) -> Socket {
        Socket { stream, time_limit }
    }
}

impl Read for Socket {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(Some(self.time_limit.next()?))?;
        self.stream.read(into)
    }
}

impl Write for Socket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(Some(self.time_limit.next()?))?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
