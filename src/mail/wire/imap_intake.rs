/*! Letters from a mailbox on an IMAP server (requirement I4): the post office takes a few, they are filed together,
and only then does the cursor move past them. The cursor is kept in a file: after a crash at any point we read these
few again, and the book recognises them by their hashes. Nothing is ever expunged.
*/

use super::hint;
use super::imap::{Imap, ImapError, Selected};
use super::intake::{Arrival, Filed, Parcel, Take, Taken};
use ground::yaml;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::{fmt, io};
use store::drawer::Drawer;

/// After this many broken connections a letter is skipped, so that it does not hold up the others.
const BREAKS_MAX: u32 = 5;

/// How many letters are filed together: a server takes as long for one as for all of them.
const TOGETHER: usize = 50;

/// The file of the cursor, in the folder of the counter.
pub const CURSOR: &str = "imap.yaml";

/// Version 1 is not written into the file; later ones will be.
const VERSION: u32 = 1;

/// How letters that have been dealt with are marked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filing {
    /// They stay where they are, with flags.
    Flags,
    /// They are moved into one of two folders.
    Folders { processed: String, rejected: String },
}

/// How far the letters of a folder have been looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cursor {
    /// Which folder of which server: for another one the cursor begins anew.
    place: String,
    uid_validity: u32,
    /// All letters up to this one have been looked at.
    uid: u32,
    /// Letters up to this one were there before the folder was first opened.
    old: u32,
    /// Letters that could not be dealt with, and are tried again.
    #[serde(default)]
    waiting: BTreeSet<u32>,
    /// How often the connection broke off while we fetched a letter.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    broken: BTreeMap<u32, u32>,
}

impl Cursor {
    /// Notes letters that were found as waiting: none of them is forgotten before it is dealt with.
    fn expects(&mut self, found: Vec<u32>) -> Vec<u32> {
        self.uid = found.iter().copied().fold(self.uid, u32::max);
        self.waiting.extend(&found);
        found
    }

    /// Whether the connection has broken off at this letter too often.
    fn is_bad(&self, uid: u32) -> bool {
        self.broken.get(&uid).is_some_and(|times| *times >= BREAKS_MAX)
    }
}

/// Why letters could not be taken in.
#[derive(Debug)]
pub enum IntakeError {
    Imap(ImapError),
    /// The cursor cannot be read or kept.
    Cursor {
        file: PathBuf,
        error: io::Error,
    },
}

impl fmt::Display for IntakeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IntakeError::Imap(error) => error.fmt(formatter),
            IntakeError::Cursor { file, error } => write!(formatter, "{}: {error}", file.display()),
        }
    }
}

impl std::error::Error for IntakeError {}

impl From<ImapError> for IntakeError {
    fn from(error: ImapError) -> IntakeError {
        IntakeError::Imap(error)
    }
}

/// A folder of an IMAP server, as a place where letters come from.
#[derive(Clone, Debug)]
pub struct ImapIntake {
    /// Where the cursor is kept.
    home: Drawer,
    place: String,
    folder: String,
    filing: Filing,
}

impl IntakeError {
    /// What the host can do about it, if that is known; `host` is the server.
    pub fn advice(&self, host: &str) -> Option<String> {
        match self {
            IntakeError::Imap(error) => hint::of_imap(host, error),
            IntakeError::Cursor { error, .. } => hint::of_file(error).map(str::to_owned),
        }
    }
}

/// What is wrong with a single letter, or with the folder it is filed into. The other letters are taken all the same.
#[derive(Debug)]
pub enum Trouble {
    /// The connection breaks off whenever we fetch this letter: we give it up.
    GivenUp { letter: String },
    /// The server refuses to fetch this letter; it is tried again.
    NotFetched { letter: String, error: ImapError },
    /// A letter was taken, and could not be flagged or moved.
    NotFiled(ImapError),
}

impl fmt::Display for Trouble {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::GivenUp { letter } => {
                write!(formatter, "{letter}: the connection breaks off whenever this letter is fetched; it is skipped")
            }
            Trouble::NotFetched { letter, error } => write!(formatter, "{letter}: {error}"),
            Trouble::NotFiled(error) => error.fmt(formatter),
        }
    }
}

impl Trouble {
    /// What the host can do about it, if that is known; `host` is the server.
    pub fn advice(&self, host: &str) -> Option<String> {
        match self {
            Trouble::GivenUp { .. } => Some(hint::NOT_FETCHED.to_owned()),
            Trouble::NotFetched { error, .. } | Trouble::NotFiled(error) => hint::of_imap(host, error),
        }
    }
}

/// What a round through the folder did.
#[derive(Debug, Default)]
pub struct Brought {
    pub taken: usize,
    /// Letters that could not be dealt with yet.
    pub waiting: usize,
    pub troubles: Vec<Trouble>,
}

impl ImapIntake {
    /// The letters of a folder. `home` is where the cursor is kept; `server` tells this mailbox from another.
    pub fn new(home: impl Into<Drawer>, server: &str, folder: &str, filing: Filing) -> ImapIntake {
        let place = format!("{server}/{folder}");
        ImapIntake { home: home.into(), place, folder: folder.to_owned(), filing }
    }

    /// Opens the folder, and starts the cursor over unless the folder is still the one we know.
    pub fn open(&self, imap: &mut Imap) -> Result<(), IntakeError> {
        let Selected { uid_validity, .. } = imap.select(&self.folder)?;
        let cursor = self.cursor()?;
        if cursor.place == self.place && cursor.uid_validity == uid_validity {
            return Ok(());
        }
        // RFC 3501 §2.3.1.1: all letters have new numbers. We look at all of them again; the book knows the old ones.
        let old = imap.letters_above(0)?.last().copied().unwrap_or(0);
        self.keep(&Cursor { place: self.place.clone(), uid_validity, old, ..Cursor::default() })
    }

    /// Brings the new letters, and those that could not be dealt with before, `TOGETHER` at a time, which are then
    /// filed together. In between we look for what has come meanwhile, so that no move waits behind years of old
    /// mail.
    ///
    /// # Errors
    /// Even then, every letter before the cursor has been dealt with or is noted as waiting.
    pub fn round(&self, imap: &mut Imap, take: &mut Take<'_>) -> Result<Brought, IntakeError> {
        let mut cursor = self.cursor()?;
        let mut brought = Brought::default();
        cursor.expects(imap.letters_above(cursor.uid)?);
        let mut left: BTreeSet<u32> = cursor.waiting.iter().copied().filter(|uid| !cursor.is_bad(*uid)).collect();
        while !left.is_empty() {
            let new: BTreeSet<u32> = left.range(cursor.old + 1..).copied().take(TOGETHER).collect();
            let some = if new.is_empty() || left.len() <= TOGETHER {
                left.iter().copied().take(TOGETHER).collect()
            } else {
                new
            };
            left.retain(|uid| !some.contains(uid));
            let mut taken = Vec::new();
            for uid in some {
                if let Some(filed) = self.one(imap, uid, &mut cursor, &mut brought, take)? {
                    taken.push((uid, filed));
                }
            }
            self.file_all(imap, &taken, &mut brought)?;
            for (uid, _) in taken {
                cursor.waiting.remove(&uid);
                cursor.broken.remove(&uid);
            }
            if !left.is_empty() {
                imap.poll()?;
                left.extend(cursor.expects(imap.letters_above(cursor.uid)?));
            }
            self.keep(&cursor)?;
        }
        self.pass_by(&mut cursor, &mut brought)?;
        brought.waiting = cursor.waiting.len();
        Ok(brought)
    }

    /// Skips the letters at which the connection always breaks off. This comes last: if the connection broke again,
    /// the report on them would be lost.
    fn pass_by(&self, cursor: &mut Cursor, brought: &mut Brought) -> Result<(), IntakeError> {
        let bad: Vec<u32> = cursor.waiting.iter().copied().filter(|uid| cursor.is_bad(*uid)).collect();
        for uid in bad {
            brought.troubles.push(Trouble::GivenUp { letter: format!("{} {uid}", self.folder) });
            cursor.broken.remove(&uid);
            cursor.waiting.remove(&uid);
            self.keep(cursor)?;
        }
        Ok(())
    }

    /// Brings one letter, and returns how to file it; `None` if it cannot be dealt with yet.
    fn one(
        &self,
        imap: &mut Imap,
        uid: u32,
        cursor: &mut Cursor,
        brought: &mut Brought,
        take: &mut Take<'_>,
    ) -> Result<Option<Filed>, IntakeError> {
        let name = format!("{} {uid}", self.folder);
        let raw = match imap.fetch(uid) {
            Ok(Some((raw, _))) => raw,
            // Somebody has moved it or thrown it away.
            Ok(None) => return Ok(Some(Filed::Left)),
            Err(error @ ImapError::Refused { .. }) => {
                brought.troubles.push(Trouble::NotFetched { letter: name, error });
                return Ok(None);
            }
            Err(error) => {
                *cursor.broken.entry(uid).or_default() += 1;
                self.keep(cursor)?;
                return Err(error.into());
            }
        };
        let arrival = if uid <= cursor.old { Arrival::Old } else { Arrival::New };
        let Taken::Filed(filed) = take(&Parcel { name, raw: &raw, arrival }) else { return Ok(None) };
        brought.taken += 1;
        Ok(Some(filed))
    }

    /// Files letters, all of one kind together; one by one if the server refuses that.
    fn file_all(&self, imap: &mut Imap, taken: &[(u32, Filed)], brought: &mut Brought) -> Result<(), IntakeError> {
        for kind in [Filed::Seen, Filed::Answered, Filed::Flagged] {
            let letters: Vec<u32> = taken.iter().filter(|(_, filed)| *filed == kind).map(|(uid, _)| *uid).collect();
            match self.file(imap, &letters, kind) {
                Ok(()) => {}
                Err(ImapError::Refused { .. } | ImapError::Unfiled { .. }) => {
                    for uid in letters {
                        self.file_one(imap, uid, kind, brought)?;
                    }
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    fn file_one(&self, imap: &mut Imap, uid: u32, filed: Filed, brought: &mut Brought) -> Result<(), IntakeError> {
        match self.file(imap, &[uid], filed) {
            Ok(()) => Ok(()),
            // The letter is played. It stays where it is, and the cursor moves past it.
            Err(error @ (ImapError::Refused { .. } | ImapError::Unfiled { .. })) => {
                brought.troubles.push(Trouble::NotFiled(error));
                Ok(())
            }
            Err(error) => Err(error.into()),
        }
    }

    fn file(&self, imap: &mut Imap, letters: &[u32], filed: Filed) -> Result<(), ImapError> {
        let (flags, keyword): (&[&str], _) = match filed {
            _ if letters.is_empty() => return Ok(()),
            Filed::Left => return Ok(()),
            Filed::Seen => (&["\\Seen"], "$RingmailSeen"),
            Filed::Answered => (&["\\Seen", "\\Answered"], "$RingmailPlayed"),
            Filed::Flagged => (&["\\Seen", "\\Flagged"], "$RingmailRefused"),
        };
        imap.flag(letters, flags, keyword)?;
        match &self.filing {
            Filing::Flags => Ok(()),
            Filing::Folders { rejected, .. } if filed == Filed::Flagged => imap.file(letters, rejected),
            Filing::Folders { processed, .. } => imap.file(letters, processed),
        }
    }

    fn cursor(&self) -> Result<Cursor, IntakeError> {
        let unread = |error| IntakeError::Cursor { file: self.home.place(CURSOR), error };
        let text = self.home.text(CURSOR, VERSION).map_err(unread)?;
        // A damaged cursor counts as none: we look at everything again, and play nothing twice.
        Ok(text.and_then(|text| yaml::read(&text).ok()).unwrap_or_default())
    }

    fn keep(&self, cursor: &Cursor) -> Result<(), IntakeError> {
        let text = serde_yaml::to_string(cursor).expect("a cursor is plain values");
        // We do not make the drawer here: if it is missing, the disk with the games may not be mounted.
        let kept = self.home.replace(CURSOR, text.as_bytes());
        kept.map_err(|error| IntakeError::Cursor { file: self.home.place(CURSOR), error })
    }
}
