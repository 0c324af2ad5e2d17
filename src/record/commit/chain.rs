/*! The reverse hash chains that dice hang on: the host's links and the one-time codes of the seats.

A chain is made from its tip downwards and opened from its anchor upwards, so that each value opened is checked with
one hash against the one before, and nobody can choose a value once the anchor is published (log 7.1, 7.2).
*/

use crate::record::value::hash::{Code, GameId, Hash, Hex, hash};
use data_encoding::BASE32_NOPAD;

/// Links of the host's chain.
pub const HOST_LINKS: u32 = 4096;
/// Codes of a seat's chain.
pub const SEAT_CODES: u32 = 1024;
/// How many codes one code may cover: it is hashed down to the last one accepted.
pub const CODES_AT_ONCE: u32 = 64;
/// Fewer links left than this, and it is too late to publish a new anchor.
pub const LINKS_TO_SPARE: u32 = 64;
/// No more links left than this, and the host publishes a new anchor.
pub const LINKS_TO_RENEW: u32 = 96;

/// `s[n-1]` from `s[n]`.
pub fn link_below(game: &GameId, n: u32, link: &Hash) -> Hash {
    hash("host-link", &[&game.0, &n.to_be_bytes(), &link.0])
}

/// `t[k-1]` from `t[k]`.
pub fn code_below(game: &GameId, seat: u8, k: u32, code: &Code) -> Code {
    let whole = hash("seat-link", &[&game.0, &[seat], &k.to_be_bytes(), &code.0]);
    Hex(whole.0[..20].try_into().expect("a hash has more than twenty bytes"))
}

/// The host's chain, kept as its tip and some links between, so that a link costs at most a few dozen hashes.
#[derive(Clone, Debug)]
pub struct HostChain {
    game: GameId,
    links: u32,
    /// Links `links`, `links - STRIDE`, `links - 2 * STRIDE`, …: the greatest number first.
    kept: Vec<Hash>,
    anchor: Hash,
}

/// Links between two that are kept.
const STRIDE: u32 = 64;

impl HostChain {
    /// The chain of `links` links that ends in `tip`.
    pub fn new(game: GameId, tip: Hash, links: u32) -> HostChain {
        let mut kept = vec![tip];
        let mut link = tip;
        for n in (1..=links).rev() {
            link = link_below(&game, n, &link);
            if (links - (n - 1)).is_multiple_of(STRIDE) {
                kept.push(link);
            }
        }
        HostChain { game, links, kept, anchor: link }
    }

    /// `s[0]`, which the first record publishes.
    pub fn anchor(&self) -> Hash {
        self.anchor
    }

    pub fn links(&self) -> u32 {
        self.links
    }

    /// `s[n]`, or `None` when the chain is not that long.
    pub fn link(&self, n: u32) -> Option<Hash> {
        let down = self.links.checked_sub(n)?;
        let nearest = down / STRIDE;
        let mut link = self.kept[usize::try_from(nearest).expect("links are counted in 32 bits")];
        for above in (n + 1..=self.links - nearest * STRIDE).rev() {
            link = link_below(&self.game, above, &link);
        }
        Some(link)
    }
}

/// A seat's chain of one-time codes, made from its secret tip.
#[derive(Clone, Debug)]
pub struct SeatChain {
    codes: Vec<Code>,
}

impl SeatChain {
    /// The chain of `codes` codes of a seat that ends in `tip`.
    pub fn new(game: &GameId, seat: u8, tip: Code, codes: u32) -> SeatChain {
        let mut chain = vec![tip];
        for k in (1..=codes).rev() {
            let above = chain.last().expect("the chain starts with its tip");
            chain.push(code_below(game, seat, k, above));
        }
        chain.reverse();
        SeatChain { codes: chain }
    }

    /// `t[0]`, which the seat's join publishes.
    pub fn anchor(&self) -> Code {
        self.codes[0]
    }

    /// Code `k`, from 1, or `None` when the chain is not that long.
    pub fn code(&self, k: u32) -> Option<Code> {
        let index = usize::try_from(k).ok().filter(|index| *index > 0)?;
        self.codes.get(index).copied()
    }
}

/// What is known of a chain of codes: the last one accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodesSeen {
    pub seat: u8,
    /// How many have been accepted; the next one is `k + 1`.
    pub k: u32,
    pub last: Code,
}

/// Why a code was not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodeRefused {
    #[error("the answer needs one-time code {expected}, and there was none")]
    Missing { expected: u32 },
    #[error("one-time code {given} has been used; the next one is code {expected}")]
    Used { expected: u32, given: u32 },
    #[error(
        "one-time code {given} is too far ahead; the next one is code {expected}, and at most {CODES_AT_ONCE} may be \
         given at once"
    )]
    TooFar { expected: u32, given: u32 },
    #[error("what was given as one-time code {given} is not on the seat's chain")]
    Wrong { given: u32 },
    #[error("the seat has no chain of one-time codes")]
    NoChain,
}

impl CodesSeen {
    pub fn new(seat: u8, anchor: Code) -> CodesSeen {
        CodesSeen { seat, k: 0, last: anchor }
    }

    /// Accepts code `k + 1`.
    ///
    /// # Errors
    /// It is another one, or hashes to something else than the last one accepted.
    pub fn accept(&mut self, game: &GameId, given: u32, code: &Code) -> Result<(), CodeRefused> {
        let covered = self.covered(game, given, code)?;
        match covered.as_slice() {
            [_] => {
                self.k = given;
                self.last = *code;
                Ok(())
            }
            _ => Err(CodeRefused::TooFar { expected: self.k + 1, given }),
        }
    }

    /// All codes that code `given` covers: those after the last one accepted, up to itself, in order.
    ///
    /// # Errors
    /// It was used, is too far ahead, or is not on the chain.
    pub fn covered(&self, game: &GameId, given: u32, code: &Code) -> Result<Vec<Code>, CodeRefused> {
        let expected = self.k + 1;
        if given < expected {
            return Err(CodeRefused::Used { expected, given });
        }
        if given - self.k > CODES_AT_ONCE {
            return Err(CodeRefused::TooFar { expected, given });
        }
        let mut covered = vec![*code];
        let mut below = *code;
        for k in (expected..=given).rev() {
            below = code_below(game, self.seat, k, &below);
            covered.push(below);
        }
        if covered.pop() != Some(self.last) {
            return Err(CodeRefused::Wrong { given });
        }
        covered.reverse();
        Ok(covered)
    }

    /// The number of a code of which only the text is known, if it is one of the next [`CODES_AT_ONCE`].
    pub fn find(&self, game: &GameId, code: &Code) -> Option<u32> {
        (self.k + 1..=self.k + CODES_AT_ONCE).find(|given| self.covered(game, *given, code).is_ok())
    }
}

/// Writes a code for people: eight groups of four letters of RFC 4648 base32.
pub fn write_code(code: &Code) -> String {
    let letters = BASE32_NOPAD.encode(&code.0);
    let groups: Vec<&str> =
        letters.as_bytes().chunks(4).map(|group| std::str::from_utf8(group).expect("base32 is ASCII")).collect();
    groups.join("-")
}

/// Reads a code as people write it: with or without dashes and blanks, in small letters too.
pub fn read_code(text: &str) -> Option<Code> {
    if text.len() > 100 {
        return None;
    }
    let letters: String =
        text.chars().filter(|letter| !matches!(letter, '-' | ' ')).map(|letter| letter.to_ascii_uppercase()).collect();
    let bytes = BASE32_NOPAD.decode(letters.as_bytes()).ok()?;
    Some(Hex(bytes.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::commit::vectors;

    #[test]
    fn anchors_are_those_of_the_specification() {
        let game = vectors::game();
        let host = HostChain::new(game, Hex([0x11; 32]), HOST_LINKS);
        assert_eq!(host.anchor().to_string(), "deee95f715bd4902ffc09505490599dd4b2d69b6751b87d2bfdef2873eb02747");
        assert_eq!(vectors::seat_chain(1).anchor().to_string(), "70db0e0750f07dc888a2a41acdbad4a63faaa395");
        assert_eq!(vectors::seat_chain(2).anchor().to_string(), "21e766d53f8d895cff2c212c11e8f1162c3303f0");
    }

    #[test]
    fn every_link_hashes_to_the_one_below() {
        let game = vectors::game();
        let host = HostChain::new(game, Hex([0x11; 32]), 200);
        assert_eq!(host.link(0), Some(host.anchor()));
        assert_eq!(host.link(200), Some(Hex([0x11; 32])));
        assert_eq!(host.link(201), None);
        for n in 1..=200 {
            assert_eq!(link_below(&game, n, &host.link(n).unwrap()), host.link(n - 1).unwrap(), "link {n}");
        }
    }

    #[test]
    fn codes_are_accepted_in_order_only() {
        let game = vectors::game();
        let chain = vectors::seat_chain(1);
        let mut seen = CodesSeen::new(1, chain.anchor());
        let code = |k| chain.code(k).unwrap();
        assert_eq!(seen.accept(&game, 2, &code(2)), Err(CodeRefused::TooFar { expected: 1, given: 2 }));
        assert_eq!(seen.accept(&game, 1, &code(2)), Err(CodeRefused::Wrong { given: 1 }));
        seen.accept(&game, 1, &code(1)).unwrap();
        assert_eq!(seen.accept(&game, 1, &code(1)), Err(CodeRefused::Used { expected: 2, given: 1 }));
        seen.accept(&game, 2, &code(2)).unwrap();
        assert_eq!(seen.k, 2);
    }

    #[test]
    fn a_later_code_covers_the_ones_before() {
        let game = vectors::game();
        let chain = vectors::seat_chain(2);
        let seen = CodesSeen::new(2, chain.anchor());
        let codes: Vec<Code> = (1..=64).map(|k| chain.code(k).unwrap()).collect();
        assert_eq!(seen.covered(&game, 64, &codes[63]), Ok(codes));
        let far = chain.code(65).unwrap();
        assert_eq!(seen.covered(&game, 65, &far), Err(CodeRefused::TooFar { expected: 1, given: 65 }));
        assert_eq!(seen.find(&game, &chain.code(3).unwrap()), Some(3));
        assert_eq!(seen.find(&game, &far), None);
    }

    #[test]
    fn codes_are_written_in_groups_of_four() {
        let written = "EQO5-OXLZ-SD3A-R2AY-5KVA-3BIT-JCQU-ANJ4";
        let code = read_code(written).unwrap();
        assert_eq!(write_code(&code), written);
        assert_eq!(code.0[..2], [0x24, 0x1d]);
        assert_eq!(read_code(&written.to_lowercase().replace('-', " ")), Some(code));
        for text in ["", "EQO5", &written[..38], &format!("{written}A"), "É", &"A".repeat(200)] {
            assert_eq!(read_code(text), None, "{text}");
        }
    }
}
