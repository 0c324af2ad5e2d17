/*! The vault: every letter as it came in, byte for byte, under the hash by which the log knows it (requirement I3), and
the DKIM keys with which letters were checked.

It is written before anything is done with the letter: after a crash the letter is read from here, and in a dispute its
bytes are the evidence.
*/

use ground::hash::{Hash, sha256};
use mail::letter::dkim::{KeyRecord, KeyRecords, Later};
use record::commit::address::SaltedAddress;
use std::io;
use store::drawer::Drawer;

/// The folder of a game in which the letters lie as they came.
pub const VAULT: &str = "vault";
/// The folders of a vault: of letters, of keys, and of addresses.
pub const MAIL: &str = "vault/mail";
pub const KEYS: &str = "vault/keys";
pub const ADDRESSES: &str = "vault/addresses";

/// The vault of a game.
#[derive(Clone, Debug)]
pub struct Vault {
    drawer: Drawer,
}

impl Vault {
    /// Opens the vault in the drawer of a game.
    pub fn open(drawer: impl Into<Drawer>) -> io::Result<Vault> {
        let drawer = drawer.into();
        drawer.make_folder(MAIL)?;
        Ok(Vault { drawer })
    }

    /// Keeps a letter, and returns its hash once it would survive a power failure.
    pub fn keep(&self, raw: &[u8]) -> io::Result<Hash> {
        let hash = sha256(raw);
        self.keep_as(&letter(&hash), raw)?;
        Ok(hash)
    }

    /// Keeps the record of a key, and returns its hash once it would survive a power failure.
    pub fn keep_key(&self, key: &KeyRecord) -> io::Result<Hash> {
        let text = key_file(key);
        let hash = sha256(text.as_bytes());
        self.keep_as(&format!("{KEYS}/{hash}.txt"), text.as_bytes())?;
        Ok(hash)
    }

    /// Keeps an address with the salt of its commitment, so that others can check letters later. The file is named
    /// after the commitment; only its contents give the address.
    pub fn keep_address(&self, salted: &SaltedAddress, commitment: &Hash) -> io::Result<()> {
        self.keep_as(&format!("{ADDRESSES}/{commitment}.txt"), salted.to_text().as_bytes())
    }

    fn keep_as(&self, file: &str, bytes: &[u8]) -> io::Result<()> {
        if self.drawer.has(file)? { Ok(()) } else { self.drawer.replace(file, bytes) }
    }

    /// The bytes of a letter.
    pub fn read(&self, hash: &Hash) -> io::Result<Vec<u8>> {
        self.drawer.read(&letter(hash))
    }

    /// An address that was kept, by its commitment; `None` if it was not.
    pub fn address(&self, commitment: &Hash) -> io::Result<Option<SaltedAddress>> {
        let kept = self.drawer.read_if_there(&format!("{ADDRESSES}/{commitment}.txt"))?;
        Ok(kept.and_then(|kept| SaltedAddress::read(&String::from_utf8(kept).ok()?)))
    }
}

/// The file of a letter.
fn letter(hash: &Hash) -> String {
    format!("{MAIL}/{hash}.eml")
}

/// The archived keys: what the DNS said on the day a letter came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyArchive {
    keys: Vec<(Hash, KeyRecord)>,
}

/// At most this many keys of a folder are read.
const KEYS_MAX: usize = 10_000;

impl KeyArchive {
    /// Reads the keys of a folder, such as `vault/keys` of a game; empty if there is no such folder.
    pub fn read(drawer: impl Into<Drawer>, folder: &str) -> io::Result<KeyArchive> {
        let (drawer, mut archive) = (drawer.into(), KeyArchive::default());
        let found = drawer.list(folder)?.into_iter().take(KEYS_MAX);
        for name in found.map(|found| found.name).filter(|name| name.ends_with(".txt")) {
            let text = drawer.read(&format!("{folder}/{name}"))?;
            let hash = sha256(&text);
            let text = String::from_utf8_lossy(&text).into_owned();
            if let Some((name, text)) = text.split_once('\n') {
                let key = KeyRecord { name: name.to_owned(), text: text.trim_end_matches('\n').to_owned() };
                archive.keys.push((hash, key));
            }
        }
        Ok(archive)
    }

    /// The same archive with only the keys of these hashes: those that a log dates.
    pub fn only(&self, hashes: &[Hash]) -> KeyArchive {
        KeyArchive { keys: self.keys.iter().filter(|(hash, _)| hashes.contains(hash)).cloned().collect() }
    }
}

impl KeyRecords for KeyArchive {
    fn texts(&self, name: &str) -> Result<Vec<String>, Later> {
        Ok(self.keys.iter().filter(|(_, key)| key.name == name).map(|(_, key)| key.text.clone()).collect())
    }
}

/// A record of a key as it is archived, and as the log hashes it: the name, a line feed, the text, a line feed.
pub fn key_file(key: &KeyRecord) -> String {
    format!("{}\n{}\n", key.name, key.text)
}
