/*! A game on its way from one host to another: everything of it in one sealed file, which only the new host can open.

The new host makes a key and gives the old one its public half. The file is [sealed](super::sealed) to it, file by
file, so that a game of any size takes little memory. The key of the old host's checkpoints stays with him; his last
record in the log, signed with it, names the key that follows.
*/

use super::sealed::{Opening, Sealing};
use crate::book::vault::{KEYS, MAIL};
use data_encoding::BASE32_NOPAD;
use ground::hash::{Hash, Hex, mac};
use record::commit::signature::{PublicKey, SigningKey};
use record::file::secrets::{SECRETS, Secrets};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use store::Store;
use store::drawer::Drawer;
use store::home::FileKind;
use x25519_dalek::{PublicKey as Point, StaticSecret};

/// What the public half of a host's key begins with.
const PREFIX: &str = "ringmail-host-";

/// The key of a future host: it opens files sealed to him, and signs his checkpoints.
pub struct HostKey(pub Hash);

impl HostKey {
    /// The seed of the key that will sign his checkpoints.
    pub fn signing_seed(&self) -> Hash {
        mac(&self.0, "handover-sign", &[])
    }

    pub(super) fn sealing(&self) -> StaticSecret {
        StaticSecret::from(mac(&self.0, "handover-seal", &[]).0)
    }

    /// The public half, which the old host needs.
    pub fn public(&self) -> HostPublic {
        let signs = SigningKey::of_seed(&self.signing_seed()).public;
        HostPublic { signs, opens: Point::from(&self.sealing()).to_bytes() }
    }
}

/// The public half of a host's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostPublic {
    pub signs: PublicKey,
    pub(super) opens: [u8; 32],
}

impl fmt::Display for HostPublic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let both = [self.signs.0.0, self.opens].concat();
        write!(f, "{PREFIX}{}", BASE32_NOPAD.encode(&both).to_lowercase())
    }
}

impl HostPublic {
    /// Reads what [`fmt::Display`] writes; `None` for any other text.
    pub fn read(text: &str) -> Option<HostPublic> {
        let letters = text.trim().strip_prefix(PREFIX)?.to_uppercase();
        let bytes = BASE32_NOPAD.decode(letters.as_bytes()).ok()?;
        let (signs, opens) = bytes.split_at_checked(32)?;
        // As everywhere, a key that cannot sign is refused.
        let signs = PublicKey(Hex(signs.try_into().ok()?));
        PublicKey::read(&signs.to_string()).ok()?;
        Some(HostPublic { signs, opens: opens.try_into().ok()? })
    }
}

/// Why a file cannot be opened.
#[derive(Debug)]
pub enum NotOpened {
    NoHandover,
    /// Sealed to another key, altered, or cut off.
    Sealed,
    /// It holds no game.
    Damaged,
    /// It cannot be read, or its files cannot be written.
    File(io::Error),
}

impl fmt::Display for NotOpened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotOpened::NoHandover => f.write_str("this is no game that was handed over"),
            NotOpened::Sealed => f.write_str("it is sealed to another key, or was altered on the way"),
            NotOpened::Damaged => f.write_str("what is in it is no game"),
            NotOpened::File(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for NotOpened {}

impl From<io::Error> for NotOpened {
    fn from(error: io::Error) -> NotOpened {
        error.downcast().unwrap_or_else(NotOpened::File)
    }
}

impl NotOpened {
    /// As an error of reading; [`From`] converts it back.
    pub(super) fn into_io(self) -> io::Error {
        match self {
            NotOpened::File(error) => error,
            other => io::Error::other(other),
        }
    }
}

/// A sealed file that is being written, one file of the game after the other.
pub struct Sealer<W: Write> {
    sealing: Sealing<W>,
}

impl<W: Write> Sealer<W> {
    /// Begins a file that only the new host can open.
    pub fn begin(out: W, to: &HostPublic) -> io::Result<Sealer<W>> {
        Ok(Sealer { sealing: Sealing::begin(out, to)? })
    }

    /// Adds a file of exactly `length` bytes, with its path in the folder of the game; it fails if `content` is
    /// shorter.
    ///
    /// # Panics
    /// If the path is longer than 65,535 bytes.
    pub fn add(&mut self, path: &str, length: u64, content: impl Read) -> io::Result<()> {
        let path_length = u16::try_from(path.len()).expect("a path of ours is short");
        self.sealing.write_all(&path_length.to_be_bytes())?;
        self.sealing.write_all(path.as_bytes())?;
        self.sealing.write_all(&length.to_be_bytes())?;
        match io::copy(&mut content.take(length), &mut self.sealing)? {
            written if written == length => Ok(()),
            _ => Err(io::Error::other(format!("{path} has become shorter meanwhile"))),
        }
    }

    /// Adds what the new host needs of a game: its log, the host's secrets except his own key, the book, and the
    /// letters that came in; not those that wait to be sent.
    pub fn add_game(&mut self, drawer: &Drawer, secrets: &Secrets) -> io::Result<()> {
        for place in ["", MAIL, KEYS] {
            let found = drawer.list(place)?.into_iter().filter(|found| found.kind == FileKind::File);
            for name in found.map(|found| found.name).filter(|name| is_plain(name) && name != SECRETS) {
                let path = if place.is_empty() { name } else { format!("{place}/{name}") };
                let length = drawer.look(&path)?.length;
                self.add(&path, length, drawer.stream(&path, 0)?)?;
            }
        }
        let secrets = Secrets { host_key: None, ..secrets.clone() }.to_text();
        self.add(SECRETS, secrets.len() as u64, secrets.as_bytes())
    }

    /// Ends the sealed file. Returns the writer.
    pub fn end(self) -> io::Result<W> {
        self.sealing.end()
    }
}

/// Seals a game to a new host. Returns the writer.
pub fn seal<W: Write>(drawer: &Drawer, secrets: &Secrets, to: &HostPublic, out: W) -> io::Result<W> {
    let mut sealer = Sealer::begin(out, to)?;
    sealer.add_game(drawer, secrets)?;
    sealer.end()
}

/// Opens a file that was sealed to a key, and hands each file in it to `take`: its path in the folder of the game,
/// and its bytes. Use the files only if this returns `Ok`: only the end shows whether the sealed file was cut off.
///
/// # Errors
/// [`NotOpened::File`] also if `take` fails.
pub fn open(
    sealed: impl Read,
    key: &HostKey,
    take: &mut dyn FnMut(&str, &mut dyn Read) -> io::Result<()>,
) -> Result<(), NotOpened> {
    let mut opening = Opening::begin(sealed, key)?;
    loop {
        let mut length = Vec::new();
        opening.by_ref().take(2).read_to_end(&mut length)?;
        let Ok(length) = <[u8; 2]>::try_from(length.as_slice()) else {
            return if length.is_empty() { Ok(()) } else { Err(NotOpened::Damaged) };
        };
        let path = exactly(&mut opening, u64::from(u16::from_be_bytes(length)))?;
        let path = String::from_utf8(path).ok().filter(|path| is_ours(path)).ok_or(NotOpened::Damaged)?;
        let length = exactly(&mut opening, 8)?;
        let length = u64::from_be_bytes(length.try_into().expect("eight bytes were read"));
        let mut content = opening.by_ref().take(length);
        take(&path, &mut content)?;
        // Bytes that `take` left are skipped.
        io::copy(&mut content, &mut io::sink())?;
        if content.limit() > 0 {
            return Err(NotOpened::Damaged);
        }
    }
}

fn exactly(from: &mut impl Read, count: u64) -> Result<Vec<u8>, NotOpened> {
    let mut bytes = Vec::new();
    from.take(count).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == count { Ok(bytes) } else { Err(NotOpened::Damaged) }
}

/// Where a game is unpacked: a folder that is no game yet, and is removed unless it becomes one.
pub struct Unpacked {
    pub folder: PathBuf,
}

impl Unpacked {
    /// Makes the folder, from which a game can be moved into a store.
    pub fn for_store(store: &Store) -> io::Result<Unpacked> {
        Ok(Unpacked { folder: store.staging("handover")? })
    }

    /// Takes a file, as [`open`] hands it on.
    pub fn take(&self, path: &str, content: &mut dyn Read) -> io::Result<()> {
        let target = self.folder.join(path);
        let about = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", target.display()));
        fs::create_dir_all(target.parent().unwrap_or(&self.folder)).map_err(about)?;
        let mut file = create_privately(&target).map_err(about)?;
        io::copy(content, &mut file)?;
        file.sync_all().map_err(about)
    }

    /// Makes it a game of this name, which must not exist yet.
    pub fn becomes(self, store: &Store, game: &str) -> io::Result<()> {
        store.move_in(&self.folder, game)
    }
}

impl Drop for Unpacked {
    fn drop(&mut self) {
        // The folder holds secrets. If it has become a game, it is no longer here.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A new file that only its owner can read. [`io::ErrorKind::AlreadyExists`] if there is one.
pub fn create_privately(file: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)
}

/// Whether a name can be that of a file of ours; it cannot lead out of the folder.
fn is_plain(name: &str) -> bool {
    let is_fine = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    !name.starts_with('.')
        && !name.is_empty()
        && name.chars().all(is_fine)
        && name.contains('.')
        && !name.ends_with(".lock")
}

/// Whether a path is one that [`Sealer::add_game`] gives.
fn is_ours(path: &str) -> bool {
    let (place, name) = path.rsplit_once('/').unwrap_or(("", path));
    is_plain(name) && (place.is_empty() || place == MAIL || place == KEYS)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files by their paths.
    type Items = Vec<(String, Vec<u8>)>;

    fn items() -> Items {
        let item = |path: &str, bytes: &[u8]| (path.to_owned(), bytes.to_vec());
        vec![item("log.yaml", b"---\n...\n"), item("vault/mail/ab.eml", b""), item("host.yaml", b"root: secret")]
    }

    fn sealed(items: &Items, to: &HostPublic) -> Vec<u8> {
        let mut sealer = Sealer::begin(Vec::new(), to).unwrap();
        for (path, bytes) in items {
            sealer.add(path, bytes.len() as u64, bytes.as_slice()).unwrap();
        }
        sealer.end().unwrap()
    }

    fn opened(sealed: &[u8], key: &HostKey) -> Result<Items, NotOpened> {
        let mut items = Items::new();
        open(sealed, key, &mut |path, content| {
            let mut bytes = Vec::new();
            content.read_to_end(&mut bytes)?;
            items.push((path.to_owned(), bytes));
            Ok(())
        })?;
        Ok(items)
    }

    #[test]
    fn only_the_new_host_opens_what_is_sealed_to_him() {
        let (key, other) = (HostKey(Hex([1; 32])), HostKey(Hex([2; 32])));
        let file = sealed(&items(), &key.public());
        assert_eq!(opened(&file, &key).unwrap(), items());
        assert!(matches!(opened(&file, &other), Err(NotOpened::Sealed)));
        assert!(!file.windows(6).any(|window| window == b"secret"));
        // Sealed again, the same game is another file: nobody can compare its contents.
        assert_ne!(sealed(&items(), &key.public()), file);
    }

    #[test]
    fn nothing_of_a_sealed_file_can_be_altered() {
        let key = HostKey(Hex([1; 32]));
        let file = sealed(&items(), &key.public());
        for at in 0..file.len() {
            let mut altered = file.clone();
            altered[at] ^= 1;
            assert!(opened(&altered, &key).is_err(), "{at}");
            assert!(opened(&file[..at], &key).is_err(), "{at}");
        }
    }

    #[test]
    fn a_game_is_sealed_file_by_file_without_what_is_only_the_old_hosts() {
        let folder = tempfile::tempdir().unwrap();
        for (path, bytes) in [("log.yaml", "---\n...\n"), ("vault/mail/ab.eml", "hello"), ("outbox/c.eml", "waits")] {
            let file = folder.path().join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, bytes).unwrap();
        }
        let key = HostKey(Hex([1; 32]));
        let secrets = Secrets { host_key: Some(Hex([3; 32])), ..Secrets::random().unwrap() };
        let file = seal(&Drawer::from(folder.path()), &secrets, &key.public(), Vec::new()).unwrap();
        let items = opened(&file, &key).unwrap();
        let paths: Vec<&str> = items.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(paths, ["log.yaml", "vault/mail/ab.eml", "host.yaml"]);
        assert_eq!(items[1].1, b"hello");
        assert!(!String::from_utf8_lossy(&items[2].1).contains(&Hex([3; 32]).to_string()));
    }

    #[test]
    fn no_path_leads_out_of_the_folder() {
        for path in ["../log.yaml", "/etc/passwd", "vault/../host.yaml", ".ssh", "a/b.yaml", "vault/mail/.x", "", "log"]
        {
            assert!(!is_ours(path), "{path}");
        }
        for path in ["log.yaml", "host.yaml", "vault/mail/ab12.eml", "vault/keys/ab12.txt"] {
            assert!(is_ours(path), "{path}");
        }
    }

    #[test]
    fn the_public_half_reads_as_it_is_written() {
        let public = HostKey(Hex([1; 32])).public();
        assert_eq!(HostPublic::read(&public.to_string()), Some(public));
        assert_eq!(HostPublic::read(&public.to_string()[..80]), None);
        assert_eq!(HostPublic::read("ringmail-host-"), None);
    }
}
