/*! The file of a backup: a tar, compressed with gzip, that anybody can open with the tools of his system.

First comes a label with the format, then the files, and at the end the manifest: the length and the hash of each. If
the file was cut off, the manifest is missing; if it was changed, a hash differs. The reader trusts nothing in it: it
refuses a path that leads elsewhere, a link, a file that comes twice and an absurdly long name before it does anything
with them.
*/

use crate::names::message_id::is_game;
use crate::office::COUNTER;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use ground::hash::{Hash, Hex};
use ground::stamp::Stamp;
use record::entry::Head;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, Read, Write};
use tar::{Archive, Builder, EntryType, Header};

/// The format that is written, and the newest that is read.
pub const FORMAT: u32 = 1;
/// The first file: what kind of archive this is.
const LABEL: &str = "ringmail-backup.json";
/// The last file: what the backup contains.
const MANIFEST: &str = "manifest.json";
/// The folder with the configuration, and that of the games.
pub const CONFIG: &str = "config";
pub const GAMES: &str = "games";
/// Our paths are never longer.
const PATH_MAX: u64 = 1024;
const DEPTH_MAX: usize = 8;
/// The label is never larger, and no backup has more files.
const LABEL_BYTES_MAX: u64 = 64 * 1024;
const FILES_MAX: usize = 5_000_000;
/// A tar ends with zeros, seldom more than this.
const END_BYTES_MAX: u64 = 1 << 20;

/// What a backup says about itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    pub format: u32,
    /// The version of the program that wrote it.
    pub program: String,
    /// When it was written.
    pub at: Stamp,
}

/// A file of a backup.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Listed {
    pub path: String,
    pub bytes: u64,
    pub sha256: Hash,
}

/// A game of a backup, and how far its log goes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameListed {
    pub game: String,
    /// `None` if the log cannot be read, not even in the office.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<Head>,
}

/// The end of a backup.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub files: Vec<Listed>,
    pub games: Vec<GameListed>,
}

/// Why a file cannot be used as a backup.
#[derive(Debug)]
pub enum NotABackup {
    /// It is something else.
    Other,
    /// A newer program wrote it.
    Newer {
        found: u64,
    },
    /// It ends too early, or its bytes were changed; `found` says which.
    Damaged {
        found: String,
    },
    /// It holds something that `ringmail backup` never writes.
    Foreign {
        path: String,
        why: &'static str,
    },
    File(io::Error),
}

impl fmt::Display for NotABackup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotABackup::Other => f.write_str("it is no backup of Ringmail"),
            NotABackup::Newer { found } => write!(
                f,
                "it is a backup of format {found}, and this program reads format {FORMAT}: use the newer program that \
                 wrote it"
            ),
            NotABackup::Damaged { found } => write!(f, "it is damaged: {found}"),
            NotABackup::Foreign { path, why } => {
                write!(f, "it was not written by `ringmail backup`: {}: {why}", path.escape_debug())
            }
            NotABackup::File(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for NotABackup {}

impl NotABackup {
    fn damaged(found: impl Into<String>) -> NotABackup {
        NotABackup::Damaged { found: found.into() }
    }

    /// What went wrong when `take` was given a file: its bytes are damaged, or they could not be written.
    fn taking(error: io::Error) -> NotABackup {
        match error.kind() {
            io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => {
                NotABackup::reading(error)
            }
            _ => NotABackup::File(error),
        }
    }

    /// What went wrong while reading: early end or bad data is damage, anything else the disk.
    fn reading(error: io::Error) -> NotABackup {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => NotABackup::damaged("it ends too early"),
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::Other => {
                NotABackup::damaged(error.to_string())
            }
            _ => NotABackup::File(error),
        }
    }
}

/// A backup that is being written.
pub struct Packing<W: Write> {
    tar: Builder<GzEncoder<W>>,
    manifest: Manifest,
}

impl<W: Write> Packing<W> {
    /// Begins a backup.
    pub fn begin(out: W, at: Stamp) -> io::Result<Packing<W>> {
        let tar = Builder::new(GzEncoder::new(out, Compression::fast()));
        let mut packing = Packing { tar, manifest: Manifest::default() };
        let label = Label { format: FORMAT, program: env!("CARGO_PKG_VERSION").to_owned(), at };
        packing.put(LABEL, &serde_json::to_vec(&label)?)?;
        Ok(packing)
    }

    fn put(&mut self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.tar.append_data(&mut header(bytes.len() as u64), path, bytes)
    }

    /// Adds a file of exactly `bytes` bytes; it fails if `content` is shorter.
    pub fn add(&mut self, path: &str, bytes: u64, content: impl Read) -> io::Result<()> {
        let mut hashed = Hashing::new(content.take(bytes));
        self.tar.append_data(&mut header(bytes), path, &mut hashed)?;
        if hashed.count != bytes {
            return Err(io::Error::other(format!("{path} has become shorter meanwhile")));
        }
        self.manifest.files.push(Listed { path: path.to_owned(), bytes, sha256: hashed.hash() });
        Ok(())
    }

    /// Notes how far the log of a game goes.
    pub fn note_game(&mut self, game: GameListed) {
        self.manifest.games.push(game);
    }

    /// Ends the backup. Returns the writer, and the manifest.
    pub fn end(mut self) -> io::Result<(W, Manifest)> {
        let manifest = serde_json::to_vec_pretty(&self.manifest)?;
        self.put(MANIFEST, &manifest)?;
        Ok((self.tar.into_inner()?.finish()?, self.manifest))
    }
}

fn header(bytes: u64) -> Header {
    let mut header = Header::new_gnu();
    header.set_size(bytes);
    header.set_mode(0o600);
    header.set_entry_type(EntryType::Regular);
    header
}

/// Receives the files of a backup as they are read: the path, the length, and the bytes.
pub type Take<'t> = dyn FnMut(&str, u64, &mut dyn Read) -> io::Result<()> + 't;

/// The games that a manifest lists. It is damaged if one is no name of a game, or is listed twice.
fn games(manifest: &Manifest) -> Result<BTreeSet<&str>, NotABackup> {
    // A game goes into the folder of its name; a game that is not listed must not come in with the others.
    let listed: BTreeSet<&str> = manifest.games.iter().map(|listed| listed.game.as_str()).collect();
    if let Some(wrong) = listed.iter().find(|game| !is_game(game)) {
        return Err(NotABackup::damaged(format!("its manifest lists `{wrong}`, and no game has such a name")));
    }
    if listed.len() != manifest.games.len() {
        return Err(NotABackup::damaged("its manifest lists a game twice"));
    }
    Ok(listed)
}

/// Refuses files other than those that the manifest lists, in its order.
fn are_listed(files: &[Listed], listed: &[Listed]) -> Result<(), NotABackup> {
    if let Some(wrong) = files.iter().zip(listed).find(|(found, listed)| found != listed) {
        let (found, listed) = wrong;
        return Err(NotABackup::damaged(if found.path == listed.path {
            format!("{} is not what the manifest says: its hash or its length is another", found.path)
        } else {
            format!("{} is where the manifest has {}", found.path, listed.path)
        }));
    }
    if files.len() != listed.len() {
        let (found, listed) = (files.len(), listed.len());
        return Err(NotABackup::damaged(format!("it has {found} files, and its manifest {listed}")));
    }
    Ok(())
}

/// Reads a backup from beginning to end, and hands each file to `take`. Use the files only if this returns `Ok`: only
/// at the end are they compared with the manifest.
///
/// # Errors
/// [`NotABackup`] says why the backup cannot be used; `File` also if `take` fails.
pub fn read(source: impl Read, take: &mut Take<'_>) -> Result<(Label, Manifest), NotABackup> {
    let mut archive = Archive::new(GzDecoder::new(source));
    // The raw entries: a long name is an entry by itself, and is read here only if it is no longer than ours are.
    let entries = archive.entries().map_err(|_| NotABackup::Other)?.raw(true);
    let (mut label, mut manifest, mut long) = (None::<Label>, None::<Manifest>, None::<Vec<u8>>);
    let (mut files, mut seen) = (Vec::new(), BTreeSet::new());
    for entry in entries {
        let mut entry = match entry {
            Err(_) if label.is_none() => return Err(NotABackup::Other),
            entry => entry.map_err(NotABackup::reading)?,
        };
        let (kind, bytes) = (entry.header().entry_type(), entry.size());
        if kind == EntryType::GNULongName && long.is_none() {
            if bytes > PATH_MAX {
                return Err(NotABackup::damaged(format!("a name of {bytes} bytes")));
            }
            let mut name = Vec::new();
            entry.read_to_end(&mut name).map_err(NotABackup::reading)?;
            long = Some(name);
            continue;
        }
        let name = long.take().unwrap_or_else(|| entry.path_bytes().into_owned());
        let path = String::from_utf8_lossy(name.strip_suffix(b"\0").unwrap_or(&name)).into_owned();
        let foreign = |why| NotABackup::Foreign { path: path.clone(), why };
        if label.is_none() && path != LABEL {
            return Err(NotABackup::Other);
        }
        if kind != EntryType::Regular {
            return Err(foreign("it is a link, a folder or a device, and no file"));
        }
        if manifest.is_some() {
            return Err(foreign("it stands behind the manifest"));
        }
        match path.as_str() {
            LABEL if label.is_none() => label = Some(self::label(&text_of(&mut entry, bytes, LABEL_BYTES_MAX)?)?),
            MANIFEST => {
                let text = text_of(&mut entry, bytes, manifest_bytes_max(&files))?;
                manifest = Some(serde_json::from_slice(&text).map_err(unreadable)?);
            }
            _ => {
                is_ours(&path).map_err(foreign)?;
                if !seen.insert(path.clone()) {
                    return Err(foreign("it is there twice"));
                }
                if seen.len() > FILES_MAX {
                    return Err(NotABackup::damaged(format!("it has more than {FILES_MAX} files")));
                }
                let mut content = Hashing::new(&mut entry);
                take(&path, bytes, &mut content).map_err(NotABackup::taking)?;
                // Bytes that `take` left are hashed too.
                io::copy(&mut content, &mut io::sink()).map_err(NotABackup::reading)?;
                if content.count != bytes {
                    return Err(NotABackup::damaged(format!("it ends in the middle of {path}")));
                }
                files.push(Listed { path, bytes, sha256: content.hash() });
            }
        }
    }
    // The checksum is at the end of the compressed bytes.
    let mut end = archive.into_inner().take(END_BYTES_MAX);
    io::copy(&mut end, &mut io::sink()).map_err(NotABackup::reading)?;
    let label = label.ok_or(NotABackup::Other)?;
    let manifest = manifest.ok_or_else(|| NotABackup::damaged("it ends too early: its manifest is missing"))?;
    are_listed(&files, &manifest.files)?;
    let listed = games(&manifest)?;
    let folder_of =
        |file: &Listed| Some(file.path.strip_prefix(GAMES)?.strip_prefix('/')?.split('/').next()?.to_owned());
    let beside = files.iter().filter_map(folder_of).find(|name| name != COUNTER && !listed.contains(name.as_str()));
    if let Some(beside) = beside {
        return Err(NotABackup::damaged(format!("its manifest does not list the game {beside}")));
    }
    Ok((label, manifest))
}

/// The label. The format is checked first: nothing else is read from a newer one.
fn label(text: &[u8]) -> Result<Label, NotABackup> {
    let value: serde_json::Value = serde_json::from_slice(text).map_err(unreadable)?;
    match value.get("format").and_then(serde_json::Value::as_u64) {
        Some(found) if found > FORMAT.into() => Err(NotABackup::Newer { found }),
        _ => serde_json::from_value(value).map_err(unreadable),
    }
}

/// The largest manifest of these files and their games: so it takes no more memory than the files have shown.
fn manifest_bytes_max(files: &[Listed]) -> u64 {
    // A path is escaped at worst to twice its length. What else stands in an entry has less than 256 bytes; a file may
    // be the only one of its game.
    LABEL_BYTES_MAX + files.iter().map(|file| 2 * file.path.len() as u64 + 2 * 256).sum::<u64>()
}

fn unreadable(error: serde_json::Error) -> NotABackup {
    NotABackup::damaged(error.to_string())
}

/// The text of the label or the manifest.
fn text_of(entry: &mut impl Read, bytes: u64, most: u64) -> Result<Vec<u8>, NotABackup> {
    if bytes > most {
        let words = format!("its label or manifest has {bytes} bytes, where {most} are enough for what is in it");
        return Err(NotABackup::damaged(words));
    }
    let mut text = Vec::new();
    entry.read_to_end(&mut text).map_err(NotABackup::reading)?;
    if text.len() as u64 != bytes {
        return Err(NotABackup::damaged("it ends too early"));
    }
    Ok(text)
}

/// Whether a path leads to a place where a backup has files.
fn is_ours(path: &str) -> Result<(), &'static str> {
    let parts: Vec<&str> = path.split('/').collect();
    if path.len() as u64 > PATH_MAX || parts.len() < 2 || parts.len() > DEPTH_MAX {
        return Err("no file of a backup lies there");
    }
    if parts.iter().any(|part| part.is_empty() || *part == "." || *part == "..") || path.contains(['\\', ':']) {
        return Err("the path leads elsewhere");
    }
    if path.chars().any(char::is_control) {
        return Err("the name has control characters");
    }
    let is_at_home = parts[0] == CONFIG && parts.len() == 2 || parts[0] == GAMES && parts.len() > 2;
    if !is_at_home {
        return Err("no file of a backup lies there");
    }
    // The counter is the one folder whose name begins with a dot.
    let hidden = parts.iter().enumerate().any(|(at, part)| part.starts_with('.') && (at, *part) != (1, ".post"));
    if hidden { Err("the name begins with a dot") } else { Ok(()) }
}

/// Whether a file can have this path in a backup. If it cannot, it is left out and named.
pub fn can_be_packed(path: &str) -> bool {
    is_ours(path).is_ok()
}

/// Bytes that are hashed and counted as they are read.
struct Hashing<R> {
    source: R,
    digest: Sha256,
    count: u64,
}

impl<R> Hashing<R> {
    fn new(source: R) -> Hashing<R> {
        Hashing { source, digest: Sha256::new(), count: 0 }
    }

    fn hash(self) -> Hash {
        Hex(self.digest.finalize().into())
    }
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.digest.update(&buffer[..read]);
        self.count += read as u64;
        Ok(read)
    }
}
