/*! Where letters come from and go to: mail servers, programs, folders and files.

In reading order: this file is a connection to a server, TCP and TLS with the certificate checked. It is read by lines
and counted bytes, each within a limit, and all within a [time limit](net::time_limit). [`server`] is how a host names a
server, [`secret`](ground::secret) where its password is, [`providers`] what large mail providers ask for, [`hint`]
what to do about what servers say, and [`transcript`](net::transcript) what a host may see of a dialogue. Letters come
in as [`intake`] describes: by [`imap`] ([`imap_reply`], [`imap_intake`]), by [`lmtp`], from a [`maildir`], which a
[`watch`] observes, or an [`mbox`]. Letters go out as [`carrier`] describes: by [`smtp`] or [`sendmail`].
[`dns`](net::dns) looks up what domains publish, [`keys`] does so ahead of time.

It does not look into letters: of [`letter`](crate::letter) it knows addresses and limits. [`effort`] counts what
reading costs, for the tests.
*/

pub mod carrier;
pub mod hint;
pub mod imap;
pub mod imap_intake;
pub mod imap_reply;
pub mod intake;
pub mod keys;
pub mod lmtp;
pub mod maildir;
pub mod mbox;
pub mod providers;
pub mod sendmail;
pub mod server;
pub mod smtp;
pub mod watch;

use self::server::{Address, Protection};
use ground::disk::mishap;
use ground::effort;
use net::time_limit::{Socket, TimeLimit, is_silence};
use net::transcript::Transcript;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use std::fmt;
use std::io::{self, BufRead, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::Arc;

/// How many bytes are read at a time.
const PIECE: usize = 16 * 1024;

/// Why a connection to a server fails.
#[derive(Debug)]
pub enum WireError {
    Unknown {
        host: String,
        error: io::Error,
    },
    Unreachable {
        host: String,
        port: u16,
        error: io::Error,
    },
    /// The certificate is not trusted, or the server has no version of TLS that we know.
    Tls {
        host: String,
        error: io::Error,
    },
    Trust {
        error: String,
    },
    /// Something was said in clear after STARTTLS was agreed: the connection may be intercepted (CVE-2011-0411).
    SpokeOutOfTurn,
    Closed,
    TimedOut,
    TooLong {
        limit: usize,
    },
    Failed(io::Error),
}

impl fmt::Display for WireError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WireError::Unknown { host, error } => write!(formatter, "the host {host} is not known: {error}"),
            WireError::Unreachable { host, port, error } => {
                write!(formatter, "{host} does not answer on port {port}: {error}")
            }
            WireError::Tls { host, error } if is_silence(error) => {
                write!(formatter, "no secure connection to {host}: it does not answer")
            }
            WireError::Tls { host, error } => write!(formatter, "no secure connection to {host}: {error}"),
            WireError::Trust { error } => write!(formatter, "a certificate to trust is damaged: {error}"),
            WireError::SpokeOutOfTurn => {
                write!(formatter, "data came before the connection was encrypted, so it was closed")
            }
            WireError::Closed => write!(formatter, "the server has closed the connection"),
            WireError::TimedOut => write!(formatter, "the server does not answer in time"),
            WireError::TooLong { limit } => write!(formatter, "the server said more than {limit} bytes at once"),
            WireError::Failed(error) => write!(formatter, "the connection broke: {error}"),
        }
    }
}

impl std::error::Error for WireError {}

impl From<io::Error> for WireError {
    fn from(error: io::Error) -> WireError {
        match error.kind() {
            _ if is_silence(&error) => WireError::TimedOut,
            io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe => {
                WireError::Closed
            }
            _ => WireError::Failed(error),
        }
    }
}

enum Stream {
    Plain(Socket),
    Tls(Box<StreamOwned<ClientConnection, Socket>>),
}

/// An open connection.
pub struct Wire {
    stream: Stream,
    /// What was read; the first `taken` bytes of it have been handed out.
    ahead: Vec<u8>,
    taken: usize,
    pub(super) transcript: Transcript,
}

impl Wire {
    /// Opens a connection, encrypted at once if the server expects TLS from the first byte.
    pub fn connect(server: &Address, trusted: Option<&str>, time_limit: TimeLimit) -> Result<Wire, WireError> {
        let (host, port) = (server.host.trim_matches(['[', ']']), server.port);
        let found = mishap::strike().and_then(|()| (host, port).to_socket_addrs());
        let found = found.map_err(|error| WireError::Unknown { host: host.to_owned(), error })?;
        let unreachable = |error| WireError::Unreachable { host: host.to_owned(), port, error };
        let mut connected = Err(io::Error::new(io::ErrorKind::NotFound, "it has no address"));
        for address in found {
            connected = time_limit.next().and_then(|patience| TcpStream::connect_timeout(&address, patience));
            if connected.is_ok() {
                break;
            }
        }
        let stream = connected.map_err(unreachable)?;
        stream.set_nodelay(true).map_err(unreachable)?;
        let transcript = Transcript::new(format!("{host}:{port}"));
        transcript.note("connected");
        let stream = Stream::Plain(Socket::new(stream, time_limit));
        let wire = Wire { stream, ahead: Vec::new(), taken: 0, transcript };
        match server.protection {
            Protection::Implicit => wire.secured(host, trusted),
            Protection::StartTls | Protection::None => Ok(wire),
        }
    }

    /// Encrypts a connection that began in clear, after the server has agreed to it.
    ///
    /// # Errors
    /// [`WireError::SpokeOutOfTurn`] if the server has said something more in between.
    pub fn secured(self, host: &str, trusted: Option<&str>) -> Result<Wire, WireError> {
        if self.has_more() {
            return Err(WireError::SpokeOutOfTurn);
        }
        let Stream::Plain(mut stream) = self.stream else { return Ok(self) };
        let host = host.trim_matches(['[', ']']);
        let failed = |error| WireError::Tls { host: host.to_owned(), error };
        let name = ServerName::try_from(host.to_owned()).map_err(|error| failed(io::Error::other(error)))?;
        let config = Arc::new(trusting(trusted)?);
        let mut connection = ClientConnection::new(config, name).map_err(|error| failed(io::Error::other(error)))?;
        // Do the handshake now, so that a bad certificate is not taken for a broken connection.
        while connection.is_handshaking() {
            connection.complete_io(&mut stream).map_err(failed)?;
        }
        let stream = Stream::Tls(Box::new(StreamOwned::new(connection, stream)));
        self.transcript.note("the connection is encrypted");
        Ok(Wire { stream, ahead: Vec::new(), taken: 0, transcript: self.transcript })
    }

    /// Whether the connection is encrypted: nobody on the way can read what is said.
    pub fn is_encrypted(&self) -> bool {
        matches!(self.stream, Stream::Tls(_))
    }

    /// Sets the time limit for everything that follows.
    pub fn allow(&mut self, time_limit: TimeLimit) {
        match &mut self.stream {
            Stream::Plain(socket) => socket.time_limit = time_limit,
            Stream::Tls(stream) => stream.sock.time_limit = time_limit,
        }
    }

    /// The next line, without its end, which is CR LF: a bare LF is a byte of the line (RFC 5321 §2.3.8). As an end it
    /// would make two replies of one, and each later command would get the reply to the one before.
    ///
    /// # Errors
    /// [`WireError::TooLong`] if the line is longer than `limit`.
    pub fn line(&mut self, limit: usize) -> Result<Vec<u8>, WireError> {
        let mut looked = 0;
        loop {
            let ahead = &self.ahead[self.taken..];
            let found = ahead[looked..].windows(2).position(|end| end == b"\r\n");
            effort::step(found.unwrap_or(ahead.len() - looked) + 1);
            if let Some(end) = found {
                let line = ahead[..looked + end].to_vec();
                self.taken += looked + end + 2;
                return Ok(line);
            }
            // The CR may have come without its LF.
            looked = ahead.len().saturating_sub(1);
            if looked > limit {
                return Err(WireError::TooLong { limit });
            }
            self.more()?;
        }
    }

    /// Exactly `count` bytes.
    pub fn bytes(&mut self, count: usize) -> Result<Vec<u8>, WireError> {
        while self.ahead.len() - self.taken < count {
            self.more()?;
        }
        let bytes = self.ahead[self.taken..self.taken + count].to_vec();
        self.taken += count;
        Ok(bytes)
    }

    /// Sends bytes.
    pub fn say(&mut self, bytes: &[u8]) -> Result<(), WireError> {
        mishap::strike()?;
        match &mut self.stream {
            Stream::Plain(stream) => stream.write_all(bytes)?,
            Stream::Tls(stream) => stream.write_all(bytes).and_then(|()| stream.flush())?,
        }
        Ok(())
    }

    /// Whether something of the server has been read that nobody has asked for yet.
    pub(super) fn has_more(&self) -> bool {
        self.taken < self.ahead.len()
    }

    /// Waits until the server says something, but not past the time limit; whether it did.
    pub fn wait(&mut self, time_limit: TimeLimit) -> Result<bool, WireError> {
        if self.has_more() {
            return Ok(true);
        }
        self.allow(time_limit);
        match self.more() {
            Ok(()) => Ok(true),
            Err(WireError::TimedOut) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Reads what is there, at least one byte.
    fn more(&mut self) -> Result<(), WireError> {
        mishap::strike()?;
        effort::step(self.ahead.len() - self.taken);
        self.ahead.drain(..self.taken);
        self.taken = 0;
        let length = self.ahead.len();
        self.ahead.resize(length + PIECE, 0);
        let read = loop {
            let into = &mut self.ahead[length..];
            let read = match &mut self.stream {
                Stream::Plain(stream) => stream.read(into),
                Stream::Tls(stream) => stream.read(into),
            };
            match read {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.ahead.truncate(length + read.as_ref().copied().unwrap_or(0));
        match read? {
            0 => Err(WireError::Closed),
            _ => Ok(()),
        }
    }
}

/// What comes up to the next LF, at most `most` bytes of it: a longer line is read in pieces.
fn bounded_line(incoming: &mut impl BufRead, line: &mut Vec<u8>, most: usize) -> io::Result<usize> {
    let most = u64::try_from(most).unwrap_or(u64::MAX);
    let read = incoming.take(most).read_until(b'\n', line)?;
    effort::step(read);
    Ok(read)
}

/// The certificates that we trust: those that browsers trust, and the host's own.
///
/// # Errors
/// [`WireError::Trust`] if one of the host's own is damaged.
pub fn trusting(further: Option<&str>) -> Result<ClientConfig, WireError> {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    for certificate in CertificateDer::pem_slice_iter(further.unwrap_or("").as_bytes()) {
        let certificate = certificate.map_err(|error| WireError::Trust { error: error.to_string() })?;
        roots.add(certificate).map_err(|error| WireError::Trust { error: error.to_string() })?;
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = config.expect("the provider knows the versions of TLS");
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}
