/*! The vault: every letter as it came in, byte for byte, under the hash by which the log knows it (requirement I3), and
the DKIM keys with which letters were checked.

It is written before anything is done with the letter: after a crash the letter is read from here, and in a dispute its
bytes are the evidence.
*/

use crate::disk::place::{about, make_folder, replace_privately};
use crate::mail::letter::dkim::{KeyRecord, KeyRecords, Later};
use crate::record::commit::address::SaltedAddress;
use crate::record::value::hash::{Hash, sha256};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The folder of a game in which the letters lie as they came.
pub const VAULT: &str = "vault";

/// The folder `vault/mail` of a game.
#[derive(Clone, Debug)]
pub struct Vault {
    folder: PathBuf,
    keys: PathBuf,
}

impl Vault {
    /// Opens the vault in the folder of a game.
    ///
    /// # Errors
    /// What the system says, with the folder concerned.
    pub fn open(game: &Path) -> io::Result<Vault> {
        let folder = game.join(VAULT).join("mail");
        make_folder(&folder).map_err(|error| about(&folder, &error))?;
        let keys = game.join(VAULT).join("keys");
        Ok(Vault { folder, keys })
    }

    /// Keeps a letter, and returns its hash when it would survive a power failure.
    ///
    /// # Errors
    /// What the system says; then the letter was not taken.
    pub fn keep(&self, raw: &[u8]) -> io::Result<Hash> {
        let hash = sha256(raw);
        let target = self.path(&hash);
        if !target.exists() {
            put(&self.folder, &target, raw)?;
        }
        Ok(hash)
    }

    /// Keeps the record of a key, and returns its hash when it would survive a power failure.
    ///
    /// # Errors
    /// What the system says; then it was not kept.
    pub fn keep_key(&self, key: &KeyRecord) -> io::Result<Hash> {
        make_folder(&self.keys).map_err(|error| about(&self.keys, &error))?;
        let text = key_file(key);
        let hash = sha256(text.as_bytes());
        let target = self.keys.join(format!("{hash}.txt"));
        if !target.exists() {
            put(&self.keys, &target, text.as_bytes())?;
        }
        Ok(hash)
    }

    /// Keeps an address with the salt of its commitment, by which others can check letters later. The file is named by
    /// the commitment, and only its contents say the address.
    ///
    /// # Errors
    /// What the system says; then it was not kept.
    pub fn keep_address(&self, salted: &SaltedAddress, commitment: &Hash) -> io::Result<()> {
        let folder = self.keys.with_file_name(ADDRESSES);
        make_folder(&folder).map_err(|error| about(&folder, &error))?;
        let target = folder.join(format!("{commitment}.txt"));
        if !target.exists() {
            put(&folder, &target, salted.to_text().as_bytes())?;
        }
        Ok(())
    }

    /// The bytes of a letter.
    ///
    /// # Errors
    /// What the system says.
    pub fn read(&self, hash: &Hash) -> io::Result<Vec<u8>> {
        let path = self.path(hash);
        fs::read(&path).map_err(|error| about(&path, &error))
    }

    fn path(&self, hash: &Hash) -> PathBuf {
        self.folder.join(format!("{hash}.eml"))
    }
}

fn put(folder: &Path, target: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = target.file_name().and_then(|name| name.to_str()).expect("the name is a hash");
    replace_privately(folder, name, bytes).map_err(|error| about(target, &error))
}

/// The folder of addresses in a vault.
pub const ADDRESSES: &str = "addresses";

/// The archived keys: what the DNS said on the day a letter came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyArchive {
    keys: Vec<(Hash, KeyRecord)>,
}

/// No folder of keys is longer than this.
const KEYS_MAX: usize = 10_000;

impl KeyArchive {
    /// Reads the keys of a folder `vault/keys`; none if there is no such folder.
    ///
    /// # Errors
    /// What the system says.
    pub fn read(folder: &Path) -> io::Result<KeyArchive> {
        let mut archive = KeyArchive::default();
        let entries = match fs::read_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(archive),
            entries => entries.map_err(|error| about(folder, &error))?,
        };
        for entry in entries.take(KEYS_MAX) {
            let path = entry.map_err(|error| about(folder, &error))?.path();
            if path.extension().is_none_or(|ending| ending != "txt") {
                continue;
            }
            let text = fs::read(&path).map_err(|error| about(&path, &error))?;
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
    #[must_use]
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
#[must_use]
pub fn key_file(key: &KeyRecord) -> String {
    format!("{}\n{}\n", key.name, key.text)
}
