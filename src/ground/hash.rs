/*! The two functions that all commitments are made with, and fixed-width bytes written as hex.

`hash` is `H` of log 6.1, `mac` is `M`. Both put the frozen prefix `ringmail/2/` and a label in front, and every part
they are given is of fixed width or carries its length, so that no two messages encode alike.
*/

use hmac::{Hmac, KeyInit, Mac};
use serde::{Serialize, Serializer};
use sha2::{Digest, Sha256};
use std::fmt;

/// The prefix of every label. Frozen: it names the format of the log.
const PREFIX: &[u8] = b"ringmail/2/";

/// Bytes of a fixed width, written in lower-case hexadecimal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hex<const WIDTH: usize>(pub [u8; WIDTH]);

/// A SHA-256 value: a link of the host's chain, a commitment, a head.
pub type Hash = Hex<32>;
/// The sixteen random bytes that distinguish one game from every other.
pub type GameId = Hex<16>;

impl<const WIDTH: usize> Hex<WIDTH> {
    pub const ZERO: Hex<WIDTH> = Hex([0; WIDTH]);

    /// Reads exactly `2 * WIDTH` lower-case hexadecimal digits; anything else is `None`.
    pub fn parse(text: &str) -> Option<Hex<WIDTH>> {
        let digits = text.as_bytes();
        if digits.len() != 2 * WIDTH {
            return None;
        }
        let mut bytes = [0; WIDTH];
        let mut wrong = 0;
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let (high, low) = (VALUES[usize::from(pair[0])], VALUES[usize::from(pair[1])]);
            wrong |= high | low;
            *byte = (high << 4) | (low & 0x0f);
        }
        (wrong & 0xf0 == 0).then_some(Hex(bytes))
    }

    /// Appends the digits to `text`.
    pub fn write_to(&self, text: &mut String) {
        for chunk in self.0.chunks(32) {
            let mut digits = [0_u8; 64];
            for (pair, byte) in digits.chunks_exact_mut(2).zip(chunk) {
                pair[0] = DIGITS[usize::from(byte >> 4)];
                pair[1] = DIGITS[usize::from(byte & 0x0f)];
            }
            let written = &digits[..2 * chunk.len()];
            text.push_str(std::str::from_utf8(written).expect("hexadecimal digits are ASCII"));
        }
    }

    /// `WIDTH` bytes from the operating system.
    pub fn random() -> Result<Hex<WIDTH>, getrandom::Error> {
        let mut bytes = [0; WIDTH];
        getrandom::fill(&mut bytes)?;
        Ok(Hex(bytes))
    }
}

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// The value of every digit; `0xf0` marks a byte that is no digit.
const VALUES: [u8; 256] = {
    let mut values = [0xf0; 256];
    let mut digit = 0;
    while digit < 16 {
        values[DIGITS[digit] as usize] = digit as u8;
        digit += 1;
    }
    values
};

impl<const WIDTH: usize> fmt::Display for Hex<WIDTH> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(2 * WIDTH);
        self.write_to(&mut text);
        formatter.pad(&text)
    }
}

impl<const WIDTH: usize> fmt::Debug for Hex<WIDTH> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl<const WIDTH: usize> Default for Hex<WIDTH> {
    fn default() -> Self {
        Hex::ZERO
    }
}

impl<const WIDTH: usize> Serialize for Hex<WIDTH> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de, const WIDTH: usize> serde::Deserialize<'de> for Hex<WIDTH> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Hex::parse(&text)
            .ok_or_else(|| serde::de::Error::custom(format!("expected {} lower-case hexadecimal digits", 2 * WIDTH)))
    }
}

/// `H(label, parts…)`: SHA-256 of the prefix, the label, a zero byte and the parts.
pub fn hash(label: &str, parts: &[&[u8]]) -> Hash {
    let mut sha = Sha256::new_with_prefix(PREFIX);
    sha.update(label.as_bytes());
    sha.update([0]);
    for part in parts {
        sha.update(part);
    }
    Hex(sha.finalize().into())
}

/// `M(key, label, parts…)`: HMAC-SHA-256 over the same message as [`hash`].
pub fn mac(key: &Hash, label: &str, parts: &[&[u8]]) -> Hash {
    let mut mac = Hmac::<Sha256>::new_from_slice(&key.0).expect("HMAC takes a key of any length");
    mac.update(PREFIX);
    mac.update(label.as_bytes());
    mac.update(&[0]);
    for part in parts {
        mac.update(part);
    }
    Hex(mac.finalize().into_bytes().into())
}

/// SHA-256 of raw bytes, without prefix: heads, digests of facts, hashes of letters.
pub fn sha256(bytes: &[u8]) -> Hash {
    Hex(Sha256::digest(bytes).into())
}

/// The length of a text as the two bytes of `LP(x)`.
///
/// Texts that enter a hash come from records, whose lines are below 64 KiB.
pub fn length_prefix(text: &str) -> [u8; 2] {
    u16::try_from(text.len()).expect("a text in a record is below 64 KiB").to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_reads_what_it_writes() {
        let value = Hex([0x00, 0x1f, 0xa0, 0xff]);
        assert_eq!(value.to_string(), "001fa0ff");
        assert_eq!(Hex::<4>::parse("001fa0ff"), Some(value));
    }

    #[test]
    fn hex_refuses_every_other_spelling() {
        for text in ["001FA0FF", "001fa0f", "001fa0ff0", "001fa0fg", "001fa0é", ""] {
            assert_eq!(Hex::<4>::parse(text), None, "{text}");
        }
    }

    #[test]
    fn plain_hash_is_what_sha256sum_prints() {
        assert_eq!(sha256(b"abc").to_string(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(hash("roll", &[b"ab", b"c"]), sha256(b"ringmail/2/roll\0abc"));
    }
}
