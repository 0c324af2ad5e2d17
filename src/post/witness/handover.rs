/*! A game on its way from one host to another: everything of it in one sealed file, which only the new host can open.

The new host makes a key and gives its public half. The file is sealed to it with X25519 and ChaCha20-Poly1305; the key
of the old host's checkpoints stays behind, and the log's last record of his says, signed by it, whose key follows.
*/

use crate::post::book::vault::VAULT;
use crate::record::commit::signature::{PublicKey, SigningKey};
use crate::record::file::secrets::{SECRETS, Secrets};
use crate::record::value::hash::{Hash, Hex, hash, mac};
use data_encoding::BASE32_NOPAD;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;
use x25519_dalek::{PublicKey as Point, StaticSecret};

/// What a sealed file begins with.
const MAGIC: &[u8] = b"ringmail-handover/1\n";
/// What the public half of a host's key begins with.
const PREFIX: &str = "ringmail-host-";
/// A game larger than this is carried over by hand.
const LIMIT: u64 = 1 << 30;

/// The key of a host to be: it opens what is sealed to him, and signs his checkpoints.
pub struct HostKey(pub Hash);

impl HostKey {
    /// The seed of the key that signs his checkpoints.
    #[must_use]
    pub fn signing_seed(&self) -> Hash {
        mac(&self.0, "handover-sign", &[])
    }

    fn sealing(&self) -> StaticSecret {
        StaticSecret::from(mac(&self.0, "handover-seal", &[]).0)
    }

    /// What the old host needs.
    #[must_use]
    pub fn public(&self) -> HostPublic {
        let signs = SigningKey::of_seed(&self.signing_seed()).public;
        HostPublic { signs, opens: Point::from(&self.sealing()).to_bytes() }
    }
}

/// The public half of a host's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostPublic {
    pub signs: PublicKey,
    opens: [u8; 32],
}

impl fmt::Display for HostPublic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let both = [self.signs.0.0, self.opens].concat();
        write!(f, "{PREFIX}{}", BASE32_NOPAD.encode(&both).to_lowercase())
    }
}

impl HostPublic {
    /// Reads what [`fmt::Display`] writes; `None` if it is not that.
    #[must_use]
    pub fn read(text: &str) -> Option<HostPublic> {
        let letters = text.trim().strip_prefix(PREFIX)?.to_uppercase();
        let bytes = BASE32_NOPAD.decode(letters.as_bytes()).ok()?;
        let (signs, opens) = bytes.split_at_checked(32)?;
        // What cannot sign is refused as any other key is.
        let signs = PublicKey(Hex(signs.try_into().ok()?));
        PublicKey::read(&signs.to_string()).ok()?;
        Some(HostPublic { signs, opens: opens.try_into().ok()? })
    }
}

/// Why a file cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotOpened {
    NoHandover,
    /// Sealed to another key, or altered.
    Sealed,
    /// What is in it is no game.
    Damaged,
}

impl fmt::Display for NotOpened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotOpened::NoHandover => "this is no game that was handed over",
            NotOpened::Sealed => "it is sealed to another key, or was altered on the way",
            NotOpened::Damaged => "what is in it is no game",
        })
    }
}

impl std::error::Error for NotOpened {}

/// One file of a game: where it lies in its folder, and its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub path: String,
    pub bytes: Vec<u8>,
}

/// Gathers what the new host needs of a game: its log, the host's secrets but for his own key, the book, the letters
/// that came in. Letters that wait to be sent are not among it.
///
/// # Errors
/// What the system says, or that it is too much.
pub fn gather(folder: &Path, secrets: &Secrets) -> io::Result<Vec<Item>> {
    let mut items = Vec::new();
    let mut size = 0;
    let places = ["", &format!("{VAULT}/mail"), &format!("{VAULT}/keys")].map(str::to_owned);
    for place in places {
        let here = folder.join(&place);
        if !here.is_dir() {
            continue;
        }
        let mut names = Vec::new();
        for entry in fs::read_dir(&here)? {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                names.extend(entry.file_name().into_string());
            }
        }
        names.sort();
        for name in names.into_iter().filter(|name| is_plain(name) && name != SECRETS) {
            let bytes = fs::read(here.join(&name))?;
            size += bytes.len() as u64;
            if size > LIMIT {
                return Err(io::Error::other(format!("the game has more than {LIMIT} bytes; carry its folder over")));
            }
            let path = if place.is_empty() { name } else { format!("{place}/{name}") };
            items.push(Item { path, bytes });
        }
    }
    let secrets = Secrets { host_key: None, ..secrets.clone() };
    items.push(Item { path: SECRETS.to_owned(), bytes: secrets.to_text().into_bytes() });
    Ok(items)
}

/// A name that can only be a file of ours: no way leads out of the folder by it.
fn is_plain(name: &str) -> bool {
    let is_fine = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    !name.starts_with('.')
        && !name.is_empty()
        && name.chars().all(is_fine)
        && name.contains('.')
        && !name.ends_with(".lock")
}

/// Whether a path is one that [`gather`] gives.
fn is_ours(path: &str) -> bool {
    let (place, name) = path.rsplit_once('/').unwrap_or(("", path));
    is_plain(name) && (place.is_empty() || place == format!("{VAULT}/mail") || place == format!("{VAULT}/keys"))
}

/// Seals a game to a new host.
///
/// # Errors
/// The system has no random bytes to give.
///
/// # Panics
/// Never: the lengths are those of the cipher.
pub fn seal(items: &[Item], to: &HostPublic) -> Result<Vec<u8>, getrandom::Error> {
    let secret = StaticSecret::from(Hash::random()?.0);
    let ours = Point::from(&secret).to_bytes();
    let key = cipher(&secret, &to.opens, &ours, &to.opens);
    let mut packed = Vec::new();
    for item in items {
        let length = u16::try_from(item.path.len()).expect("a path of ours is short");
        packed.extend_from_slice(&length.to_be_bytes());
        packed.extend_from_slice(item.path.as_bytes());
        packed.extend_from_slice(&(item.bytes.len() as u64).to_be_bytes());
        packed.extend_from_slice(&item.bytes);
    }
    // The key is used once, so that the nonce need not differ.
    let nonce = Nonce::assume_unique_for_key([0; 12]);
    key.seal_in_place_append_tag(nonce, Aad::from(MAGIC), &mut packed).expect("the cipher takes so much");
    Ok([MAGIC, &ours, &packed].concat())
}

/// Opens what was sealed to a key.
///
/// # Errors
/// It is something else, sealed to another, or altered.
pub fn open(bytes: &[u8], key: &HostKey) -> Result<Vec<Item>, NotOpened> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(NotOpened::NoHandover)?;
    let (theirs, sealed) = rest.split_first_chunk::<32>().ok_or(NotOpened::NoHandover)?;
    let secret = key.sealing();
    let cipher = cipher(&secret, theirs, theirs, &Point::from(&secret).to_bytes());
    let mut sealed = sealed.to_vec();
    let nonce = Nonce::assume_unique_for_key([0; 12]);
    let packed = cipher.open_in_place(nonce, Aad::from(MAGIC), &mut sealed).map_err(|_| NotOpened::Sealed)?;
    unpacked(packed).ok_or(NotOpened::Damaged)
}

fn unpacked(mut packed: &[u8]) -> Option<Vec<Item>> {
    let mut items = Vec::new();
    while !packed.is_empty() {
        let (length, rest) = packed.split_first_chunk::<2>()?;
        let (path, rest) = rest.split_at_checked(usize::from(u16::from_be_bytes(*length)))?;
        let (length, rest) = rest.split_first_chunk::<8>()?;
        let (bytes, rest) = rest.split_at_checked(usize::try_from(u64::from_be_bytes(*length)).ok()?)?;
        let path = std::str::from_utf8(path).ok().filter(|path| is_ours(path))?;
        items.push(Item { path: path.to_owned(), bytes: bytes.to_vec() });
        packed = rest;
    }
    Some(items)
}

/// The cipher that two halves of keys agree on.
fn cipher(secret: &StaticSecret, other: &[u8; 32], sender: &[u8; 32], receiver: &[u8; 32]) -> LessSafeKey {
    let shared = secret.diffie_hellman(&Point::from(*other));
    let key = hash("handover-key", &[shared.as_bytes(), sender, receiver]);
    LessSafeKey::new(UnboundKey::new(&CHACHA20_POLY1305, &key.0).expect("a key has 32 bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items() -> Vec<Item> {
        let item = |path: &str, bytes: &[u8]| Item { path: path.to_owned(), bytes: bytes.to_vec() };
        vec![item("log.yaml", b"---\n...\n"), item("vault/mail/ab.eml", b""), item("host.yaml", b"root: secret")]
    }

    #[test]
    fn only_the_new_host_opens_what_is_sealed_to_him() {
        let (key, other) = (HostKey(Hex([1; 32])), HostKey(Hex([2; 32])));
        let sealed = seal(&items(), &key.public()).unwrap();
        assert_eq!(open(&sealed, &key), Ok(items()));
        assert_eq!(open(&sealed, &other), Err(NotOpened::Sealed));
        assert!(!sealed.windows(6).any(|window| window == b"secret"));
        // The same game sealed again is another file: nobody can tell by it what is in it.
        assert_ne!(seal(&items(), &key.public()).unwrap(), sealed);
    }

    #[test]
    fn nothing_of_a_sealed_file_can_be_altered() {
        let key = HostKey(Hex([1; 32]));
        let sealed = seal(&items(), &key.public()).unwrap();
        for at in 0..sealed.len() {
            let mut altered = sealed.clone();
            altered[at] ^= 1;
            assert!(open(&altered, &key).is_err(), "{at}");
            assert!(open(&sealed[..at], &key).is_err(), "{at}");
        }
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
