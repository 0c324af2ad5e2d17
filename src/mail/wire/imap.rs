/*! A small IMAP client (RFC 3501 with IDLE and MOVE): it logs in, looks into one folder, reads letters without
marking them as read, files them, and waits for more. It never deletes anything (I4).

It is our own code because it needs a tenth of what the libraries offer, and blocks, as the rest of the program does.
It is tested against several servers.
*/

use super::imap_reply::{self, Fetched, Reply, Status, Words};
use super::server::{Account, Login, Protection, Way};
use super::{Wire, WireError};
use data_encoding::BASE64;
use ground::secret::NoSecret;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use net::time_limit::{Patience, TimeLimit};
use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

/// RFC 2177: we end IDLE and begin it again before the server gives up on us after half an hour.
const IDLE_MAX: Duration = Duration::from_secs(20 * 60);

/// The bytes of a letter, and when the server received it, written as the server writes dates.
pub type Stored = (Vec<u8>, Option<String>);

/// Why the mailbox cannot be used.
#[derive(Debug)]
pub enum ImapError {
    Wire(WireError),
    NoSecret(NoSecret),
    /// The server does not offer what the configuration requires.
    Lacks {
        what: &'static str,
    },
    /// The name or the password is wrong, or this way of login is not allowed.
    Login {
        said: String,
    },
    /// There is no such folder.
    Folder {
        folder: String,
        said: String,
    },
    ReadOnly {
        folder: String,
    },
    /// A letter cannot be filed into a folder, and the folder cannot be made either.
    Unfiled {
        folder: String,
        said: String,
    },
    Refused {
        command: &'static str,
        said: String,
    },
    Bye {
        said: String,
    },
    /// The program that listens there does not greet as an IMAP server.
    OtherGreeting,
    /// The server requires a login, and the configuration names no user.
    Nobody,
    /// A name that would need the encoding of RFC 3501 §5.1.3.
    Name {
        written: String,
    },
}

impl fmt::Display for ImapError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ImapError::Wire(error) => error.fmt(formatter),
            ImapError::NoSecret(error) => error.fmt(formatter),
            ImapError::Lacks { what } => write!(formatter, "the IMAP server does not offer {what}"),
            ImapError::Login { said } => write!(formatter, "the IMAP server refuses the login: {said}"),
            ImapError::Folder { folder, said } => {
                write!(formatter, "the folder {folder} cannot be opened: {said}")
            }
            ImapError::ReadOnly { folder } => {
                write!(formatter, "the folder {folder} can only be read: letters could not be filed")
            }
            ImapError::Unfiled { folder, said } => {
                write!(formatter, "letters cannot be filed into the folder {folder}: {said}")
            }
            ImapError::Refused { command, said } => write!(formatter, "the IMAP server refuses {command}: {said}"),
            ImapError::Bye { said } => write!(formatter, "the IMAP server has closed the connection: {said}"),
            ImapError::OtherGreeting => write!(formatter, "the server does not greet as IMAP servers do"),
            ImapError::Nobody => write!(formatter, "the IMAP server requires a name and a password"),
            ImapError::Name { written } => {
                write!(formatter, "`{written}` cannot be sent to an IMAP server: only ASCII letters are allowed")
            }
        }
    }
}

impl std::error::Error for ImapError {}

impl From<WireError> for ImapError {
    fn from(error: WireError) -> ImapError {
        ImapError::Wire(error)
    }
}

/// A folder that was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Selected {
    /// RFC 3501 §2.3.1.1: as long as it stays the same, a UID means the same letter.
    pub uid_validity: u32,
    pub exists: u32,
}

/// A connection, logged in.
pub struct Imap {
    wire: Wire,
    tag: u32,
    capabilities: BTreeSet<String>,
    /// The largest letter that is fetched whole, in bytes.
    letter_bytes: usize,
    /// How many letters are in the folder, as the server last said.
    exists: u32,
    /// Whether the server has announced that number since we last searched the folder: it may do so at any time, and
    /// does so only once.
    has_news: bool,
    /// Whether we have logged in: connecting and logging in have one time limit, each command after that its own.
    is_in: bool,
    patience: Patience,
}

/// What a command brought besides its status.
#[derive(Debug, Default)]
struct Brought {
    codes: Vec<String>,
    found: Vec<u32>,
    fetched: Vec<Fetched>,
}

impl Imap {
    /// Connects and logs in.
    pub fn connect(account: &Account, letter_bytes: usize) -> Result<Imap, ImapError> {
        Imap::connect_within(account, letter_bytes, Patience::SERVER)
    }

    /// The same, with `patience` for connecting and logging in, and again for each command.
    pub fn connect_within(account: &Account, letter_bytes: usize, patience: Patience) -> Result<Imap, ImapError> {
        let mut imap = Imap::logged_in(account, letter_bytes, patience)?;
        imap.is_in = true;
        Ok(imap)
    }

    /// A client on a wire over which nothing has been said yet.
    fn over(wire: Wire, letter_bytes: usize, patience: Patience) -> Imap {
        let capabilities = BTreeSet::new();
        Imap { wire, tag: 0, capabilities, letter_bytes, exists: 0, has_news: false, is_in: false, patience }
    }

    fn logged_in(account: &Account, letter_bytes: usize, patience: Patience) -> Result<Imap, ImapError> {
        let login = account.login.as_ref();
        let secret = login.map(|login| login.secret.reveal(&login.user)).transpose().map_err(ImapError::NoSecret)?;
        let wire = Wire::connect(&account.server, account.trusted.as_deref(), patience.begin())?;
        let mut imap = Imap::over(wire, letter_bytes, patience);
        let is_known = match imap.reply()? {
            Reply::Status { status: Status::PreAuth, .. } => true,
            Reply::Status { status: Status::Ok, .. } => false,
            Reply::Status { status: Status::Bye, words } => return Err(ImapError::Bye { said: words.text }),
            _ => return Err(ImapError::OtherGreeting),
        };
        if account.server.protection == Protection::StartTls {
            imap.ask_capabilities()?;
            if !imap.can("STARTTLS") {
                return Err(ImapError::Lacks { what: "STARTTLS" });
            }
            imap.command("STARTTLS", "STARTTLS")?;
            let Imap { wire, .. } = imap;
            let wire = wire.secured(&account.server.host, account.trusted.as_deref())?;
            imap = Imap { tag: 1, ..Imap::over(wire, letter_bytes, patience) };
        }
        // What was offered before the connection was secure does not count.
        imap.ask_capabilities()?;
        if is_known {
            return Ok(imap);
        }
        let (Some(login), Some(secret)) = (login, &secret) else { return Err(ImapError::Nobody) };
        imap.log_in(login, secret)?;
        // RFC 3501 §6.2.3: more may be offered after the login.
        imap.ask_capabilities()?;
        Ok(imap)
    }

    /// Whether the server offers something.
    pub fn can(&self, capability: &str) -> bool {
        self.capabilities.contains(capability)
    }

    /// Opens a folder, to read and file its letters.
    ///
    /// # Errors
    /// [`ImapError::ReadOnly`] if we cannot file letters in it.
    pub fn select(&mut self, folder: &str) -> Result<Selected, ImapError> {
        self.exists = 0;
        let line = format!("SELECT {}", quoted(folder)?);
        let brought = self.command("SELECT", &line).map_err(|error| match error {
            ImapError::Refused { said, .. } => ImapError::Folder { folder: folder.to_owned(), said },
            error => error,
        })?;
        if brought.codes.iter().any(|code| code == "READ-ONLY") {
            return Err(ImapError::ReadOnly { folder: folder.to_owned() });
        }
        let number = |code: &String| code.strip_prefix("UIDVALIDITY ").and_then(|number| number.parse().ok());
        let uid_validity = brought.codes.iter().find_map(number).unwrap_or(0);
        Ok(Selected { uid_validity, exists: self.exists })
    }

    /// The UIDs above `uid`, in order.
    pub fn letters_above(&mut self, uid: u32) -> Result<Vec<u32>, ImapError> {
        let Some(first) = uid.checked_add(1) else { return Ok(Vec::new()) };
        self.has_news = false;
        // Not by SEARCH: with it, GNU imap4d finds nothing by `UID n:*`.
        let brought = self.command("FETCH", &format!("UID FETCH {first}:* (UID)"))?;
        // RFC 3501 §6.4.8: `n:*` is never empty; it holds the newest letter even if that is older.
        let found = brought.fetched.into_iter().filter_map(|fetched| fetched.uid);
        let above: BTreeSet<u32> = found.filter(|found| *found > uid).collect();
        Ok(above.into_iter().collect())
    }

    /// The UIDs of the letters with these words in their subject.
    pub fn letters_about(&mut self, words: &str) -> Result<Vec<u32>, ImapError> {
        self.has_news = false;
        Ok(self.command("SEARCH", &format!("UID SEARCH SUBJECT {}", quoted(words)?))?.found)
    }

    /// A letter; of one that is too large, one byte more than the limit. `None` if it is no longer there.
    ///
    /// # Errors
    /// [`ImapError::Refused`] also if the server lists the letter and sends nothing of it.
    pub fn fetch(&mut self, uid: u32) -> Result<Option<Stored>, ImapError> {
        let most = self.letter_bytes + 1;
        let brought = self.command("FETCH", &format!("UID FETCH {uid} (UID INTERNALDATE BODY.PEEK[]<0.{most}>)"))?;
        let mut found = Ok(None);
        for Fetched { letter, internal_date, .. } in brought.fetched.into_iter().filter(|it| it.uid == Some(uid)) {
            match letter {
                Some(letter) => return Ok(Some((letter, internal_date))),
                None => found = Err(ImapError::Refused { command: "FETCH", said: "the letter came empty".to_owned() }),
            }
        }
        found
    }

    /// Sets flags and a keyword on letters. A server without keywords still keeps the flags.
    pub fn flag(&mut self, uids: &[u32], flags: &[&str], keyword: &str) -> Result<(), ImapError> {
        let uids = set(uids);
        self.command("STORE", &format!("UID STORE {uids} +FLAGS.SILENT ({})", flags.join(" ")))?;
        match self.command("STORE", &format!("UID STORE {uids} +FLAGS.SILENT ({keyword})")) {
            Ok(_) | Err(ImapError::Refused { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Files letters into another folder, and makes that if it is missing. A server without MOVE copies them.
    ///
    /// # Errors
    /// [`ImapError::Unfiled`] if the folder takes no letter.
    pub fn file(&mut self, uids: &[u32], folder: &str) -> Result<(), ImapError> {
        let verb = if self.can("MOVE") { "MOVE" } else { "COPY" };
        let line = format!("UID {verb} {} {}", set(uids), quoted(folder)?);
        match self.command("filing", &line) {
            Err(ImapError::Refused { .. }) => {}
            other => return other.map(drop),
        }
        // RFC 3501 §6.3.3: some servers say TRYCREATE, some do not; a second refusal is final.
        let created = self.refusal("CREATE", &format!("CREATE {}", quoted(folder)?))?;
        match (self.refusal("filing", &line)?, created) {
            (None, _) => Ok(()),
            (Some(said), None) => Err(ImapError::Unfiled { folder: folder.to_owned(), said }),
            // A full mailbox is reported in the reply to the letter, a forbidden name in the reply to CREATE.
            (Some(said), Some(created)) => {
                let said = format!("{}; and it cannot be created: {created}", said.trim_end_matches('.'));
                Err(ImapError::Unfiled { folder: folder.to_owned(), said })
            }
        }
    }

    /// Makes a folder if it is missing.
    pub fn make(&mut self, folder: &str) -> Result<(), ImapError> {
        if self.refusal("STATUS", &format!("STATUS {} (UIDVALIDITY)", quoted(folder)?))?.is_none() {
            return Ok(());
        }
        match self.refusal("CREATE", &format!("CREATE {}", quoted(folder)?))? {
            None => Ok(()),
            Some(said) => Err(ImapError::Unfiled { folder: folder.to_owned(), said }),
        }
    }

    /// Waits for more letters, at most for `patience`. `false` if nothing has come.
    ///
    /// # Errors
    /// [`ImapError::Lacks`] if the server has no IDLE.
    pub fn wait(&mut self, patience: Duration) -> Result<bool, ImapError> {
        if !self.can("IDLE") {
            return Err(ImapError::Lacks { what: "IDLE" });
        }
        if self.has_news {
            return Ok(true);
        }
        let tag = self.begin("IDLE")?;
        loop {
            match self.reply()? {
                Reply::Continue(_) => break,
                reply => match self.heed(&reply, &tag, "IDLE") {
                    // The server announces IDLE and refuses it.
                    Err(ImapError::Refused { .. }) => {
                        self.capabilities.remove("IDLE");
                        return Err(ImapError::Lacks { what: "IDLE" });
                    }
                    heeded => heeded?,
                },
            }
        }
        let end = TimeLimit::within(patience.min(IDLE_MAX));
        let has_come = loop {
            if self.has_news {
                break true;
            }
            if !self.wire.wait(end)? {
                break false;
            }
            self.wire.allow(self.patience.begin());
            let reply = self.reply()?;
            self.heed(&reply, &tag, "IDLE")?;
        };
        self.wire.allow(self.patience.begin());
        self.wire.transcript.sent("DONE");
        self.wire.say(b"DONE\r\n")?;
        self.end(&tag, "IDLE")?;
        Ok(has_come)
    }

    /// Asks whether anything has changed: how many letters the folder has.
    pub fn poll(&mut self) -> Result<u32, ImapError> {
        self.command("NOOP", "NOOP")?;
        Ok(self.exists)
    }

    /// Logs out. Earlier commands hold even if the server does not answer.
    pub fn log_out(mut self) {
        drop(self.begin("LOGOUT"));
    }

    fn log_in(&mut self, login: &Login, secret: &str) -> Result<(), ImapError> {
        let user = &login.user;
        let credentials = Credentials::new(user.clone(), secret.to_owned());
        self.wire.transcript.hide(secret);
        let refused = |error| match error {
            ImapError::Refused { said, .. } => ImapError::Login { said },
            error => error,
        };
        match login.way {
            Way::Xoauth2 => self.authenticate(Mechanism::Xoauth2, &credentials).map_err(refused),
            Way::Password if self.can("AUTH=PLAIN") => {
                self.authenticate(Mechanism::Plain, &credentials).map_err(refused)
            }
            Way::Password if self.can("LOGINDISABLED") => {
                Err(ImapError::Lacks { what: "a login with a password on this connection" })
            }
            Way::Password => {
                // The error about a name that cannot be sent quotes it; a password must not be quoted.
                let plain = ImapError::Lacks { what: "a login with a password of other than plain letters" };
                let line = format!("LOGIN {} {}", quoted(user)?, quoted(secret).map_err(|_| plain)?);
                self.command("LOGIN", &line).map(drop).map_err(refused)
            }
        }
    }

    /// RFC 3501 §6.2.2: the server asks, and there is exactly one answer. An error of XOAUTH2 comes as a question
    /// too; we acknowledge it by an empty line.
    fn authenticate(&mut self, mechanism: Mechanism, credentials: &Credentials) -> Result<(), ImapError> {
        let words = mechanism.response(credentials, None).expect("a mechanism of one step asks nothing");
        let tag = self.begin(&format!("AUTHENTICATE {mechanism}"))?;
        let mut answer = Some(BASE64.encode(words.as_bytes()));
        self.wire.transcript.hide(&words);
        let mut told = None;
        loop {
            match self.reply()? {
                Reply::Continue(question) => {
                    told = BASE64.decode(question.as_bytes()).ok().filter(|question| !question.is_empty()).or(told);
                    let answer = answer.take().unwrap_or_default();
                    self.wire.transcript.sent(&answer);
                    self.wire.say(format!("{answer}\r\n").as_bytes())?;
                }
                Reply::Done { tag: done, status, words } if done == tag => {
                    let said = told.map_or(String::new(), |told| format!(" {}", String::from_utf8_lossy(&told)));
                    let words = Words { text: format!("{}{said}", words.text), ..words };
                    return Self::outcome(status, words, "AUTHENTICATE");
                }
                reply => self.heed(&reply, &tag, "AUTHENTICATE")?,
            }
        }
    }

    fn ask_capabilities(&mut self) -> Result<(), ImapError> {
        self.command("CAPABILITY", "CAPABILITY").map(drop)
    }

    fn command(&mut self, name: &'static str, line: &str) -> Result<Brought, ImapError> {
        let tag = self.begin(line)?;
        self.end(&tag, name)
    }

    /// Gives a command that the server may refuse: its words if it did, `None` if not.
    fn refusal(&mut self, name: &'static str, line: &str) -> Result<Option<String>, ImapError> {
        match self.command(name, line) {
            Ok(_) => Ok(None),
            Err(ImapError::Refused { said, .. }) => Ok(Some(said)),
            Err(error) => Err(error),
        }
    }

    fn begin(&mut self, line: &str) -> Result<String, ImapError> {
        if self.is_in {
            self.wire.allow(self.patience.begin());
        }
        self.tag += 1;
        let tag = format!("r{}", self.tag);
        // The secret may be escaped in the line, and the transcript would not find it there.
        let shown = if line.starts_with("LOGIN ") { "LOGIN ***" } else { line };
        self.wire.transcript.sent(&format!("{tag} {shown}"));
        self.wire.say(format!("{tag} {line}\r\n").as_bytes())?;
        Ok(tag)
    }

    /// Reads replies up to the end of the command with this tag.
    fn end(&mut self, tag: &str, name: &'static str) -> Result<Brought, ImapError> {
        let mut brought = Brought::default();
        loop {
            match self.reply()? {
                Reply::Done { tag: done, status, words } if done == tag => {
                    brought.codes.extend(words.code.clone());
                    Self::outcome(status, words, name)?;
                    return Ok(brought);
                }
                Reply::Status { status: Status::Ok | Status::No, words } => brought.codes.extend(words.code),
                Reply::Search(found) => brought.found.extend(found),
                Reply::Fetch(fetched) => brought.fetched.push(fetched),
                reply => self.heed(&reply, tag, name)?,
            }
        }
    }

    /// Handles a reply that concerns the connection, whichever command is running.
    fn heed(&mut self, reply: &Reply, tag: &str, name: &'static str) -> Result<(), ImapError> {
        match reply {
            Reply::Exists(count) => {
                self.exists = *count;
                self.has_news = true;
            }
            Reply::Capability(words) => self.capabilities = words.iter().cloned().collect(),
            Reply::Status { status: Status::Bye, words } => return Err(ImapError::Bye { said: words.text.clone() }),
            Reply::Done { tag: done, status, words } if done == tag => {
                return Self::outcome(*status, words.clone(), name);
            }
            _ => {}
        }
        Ok(())
    }

    fn outcome(status: Status, words: Words, command: &'static str) -> Result<(), ImapError> {
        match status {
            Status::Ok | Status::PreAuth => Ok(()),
            Status::No | Status::Bad | Status::Bye => Err(ImapError::Refused { command, said: words.text }),
        }
    }

    fn reply(&mut self) -> Result<Reply, ImapError> {
        Ok(imap_reply::read(&mut self.wire, self.letter_bytes)?)
    }
}

/// RFC 3501 §9, `sequence-set`.
fn set(uids: &[u32]) -> String {
    uids.iter().map(ToString::to_string).collect::<Vec<String>>().join(",")
}

/// A string of RFC 3501 §4.3. Folder names beyond ASCII have an encoding of their own in IMAP; the host may write
/// them in it.
fn quoted(written: &str) -> Result<String, ImapError> {
    if written.chars().any(|c| !c.is_ascii() || c.is_control()) {
        return Err(ImapError::Name { written: written.chars().filter(|c| !c.is_control()).collect() });
    }
    Ok(format!("\"{}\"", written.replace('\\', "\\\\").replace('"', "\\\"")))
}
