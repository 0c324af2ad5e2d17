/*! Keeps a copy of the database from revealing anything: what is private is sealed with the key of the office.

Everything is sealed by ChaCha20-Poly1305 under one key with a random nonce, which stands in front, and bound to its
place: bytes that are moved to another place, or changed, cannot be opened. A name or a letter is looked up by its
mark; without the key nobody can work out the mark of a guess.
*/

use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::hmac;
use std::io;

/// The text in a probe, which shows whether a key is the right one.
const PROBE: &[u8] = b"ringmail";

/// The keys of a store, derived from that of its office.
pub(super) struct Seal {
    cipher: LessSafeKey,
    marking: hmac::Key,
    naming: hmac::Key,
}

impl Seal {
    /// Derives the keys from that of the office, which is used for other things as well.
    pub(super) fn new(key: &[u8; 32]) -> Seal {
        let office = hmac::Key::new(hmac::HMAC_SHA256, key);
        let derived = |purpose: &str| hmac::sign(&office, purpose.as_bytes());
        let cipher = UnboundKey::new(&CHACHA20_POLY1305, derived("ringmail store: sealing").as_ref());
        let [marking, naming] = ["ringmail store: marking", "ringmail store: names"]
            .map(|purpose| hmac::Key::new(hmac::HMAC_SHA256, derived(purpose).as_ref()));
        Seal { cipher: LessSafeKey::new(cipher.expect("a hash has 32 bytes")), marking, naming }
    }

    /// Seals bytes to a place.
    pub(super) fn seal(&self, place: &[&str], bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut nonce = [0; NONCE_LEN];
        getrandom::fill(&mut nonce).map_err(|error| io::Error::other(error.to_string()))?;
        let mut sealed = Vec::with_capacity(NONCE_LEN + bytes.len() + CHACHA20_POLY1305.tag_len());
        sealed.extend_from_slice(&nonce);
        sealed.extend_from_slice(bytes);
        let nonce = Nonce::assume_unique_for_key(nonce);
        let tag = self.cipher.seal_in_place_separate_tag(nonce, bound(place), &mut sealed[NONCE_LEN..]);
        let tag = tag.map_err(|_| io::Error::new(io::ErrorKind::FileTooLarge, "this is too long to be sealed"))?;
        sealed.extend_from_slice(tag.as_ref());
        Ok(sealed)
    }

    /// Opens what was sealed to a place.
    pub(super) fn open(&self, place: &[&str], sealed: &[u8]) -> io::Result<Vec<u8>> {
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE_LEN>().ok_or_else(altered)?;
        let mut bytes = sealed.to_vec();
        let opened = self.cipher.open_in_place(Nonce::assume_unique_for_key(*nonce), bound(place), &mut bytes);
        let length = opened.map_err(|_| altered())?.len();
        bytes.truncate(length);
        Ok(bytes)
    }

    /// A sealed text by which the right key is recognised.
    pub(super) fn probe(&self) -> io::Result<Vec<u8>> {
        self.seal(&["probe"], PROBE)
    }

    /// Whether this key made a probe.
    pub(super) fn made(&self, probe: &[u8]) -> bool {
        self.open(&["probe"], probe).is_ok_and(|opened| opened == PROBE)
    }

    /// A mark that is the same for equal bytes, and reveals nothing else about them.
    pub(super) fn mark(&self, bytes: &[u8]) -> Vec<u8> {
        hmac::sign(&self.marking, bytes).as_ref().to_vec()
    }

    /// The same for the name of a file.
    pub(super) fn mark_of_name(&self, name: &str) -> Vec<u8> {
        hmac::sign(&self.naming, name.as_bytes()).as_ref().to_vec()
    }
}

/// The names of a place; none of them has a zero byte in it.
fn bound(place: &[&str]) -> Aad<Vec<u8>> {
    Aad::from(place.join("\0").into_bytes())
}

fn altered() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it does not open with the key of this office: it was changed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sealed_opens_in_its_place_with_its_key() {
        let seal = Seal::new(&[7; 32]);
        let sealed = seal.seal(&["shire", "host.yaml"], b"secret").unwrap();
        assert_eq!(seal.open(&["shire", "host.yaml"], &sealed).unwrap(), b"secret");
        assert!(!sealed.windows(6).any(|part| part == b"secret"));
        assert_ne!(sealed, seal.seal(&["shire", "host.yaml"], b"secret").unwrap());
        let refused = |seal: &Seal, place: &[&str], sealed: &[u8]| {
            assert_eq!(seal.open(place, sealed).unwrap_err().kind(), io::ErrorKind::InvalidData);
        };
        refused(&seal, &["mordor", "host.yaml"], &sealed);
        refused(&Seal::new(&[8; 32]), &["shire", "host.yaml"], &sealed);
        refused(&seal, &["shire", "host.yaml"], &sealed[..20]);
        refused(&seal, &["shire", "host.yaml"], b"short");
        assert!(seal.made(&seal.probe().unwrap()) && !Seal::new(&[8; 32]).made(&seal.probe().unwrap()));
    }

    #[test]
    fn a_mark_follows_from_the_key() {
        let [one, again, other] = [7, 7, 8].map(|key| Seal::new(&[key; 32]));
        assert_eq!(one.mark_of_name("a.eml"), again.mark_of_name("a.eml"));
        for mark in [one.mark_of_name("b.eml"), other.mark_of_name("a.eml"), one.mark(b"a.eml")] {
            assert_ne!(one.mark_of_name("a.eml"), mark);
        }
    }
}
