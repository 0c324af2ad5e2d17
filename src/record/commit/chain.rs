/*! The reverse hash chains that the dice depend on: the host's links and the one-time codes of the seats.

A chain is made from its tip downwards and opened from its anchor upwards, so that each value opened is checked with
one hash against the one before, and nobody can choose a value once the anchor is published (log 7.1, 7.2).
*/

use data_encoding::BASE32_NOPAD;
use ground::hash::{Code, GameId, Hash, Hex, hash, mac};
use std::sync::OnceLock;
use thiserror::Error;

/// Links of the host's chain: more throws than any game has.
pub const HOST_LINKS: u32 = 65_536;
/// Codes of a seat's chain.
pub const SEAT_CODES: u32 = 1024;

/// `s[n-1]` from `s[n]`.
pub fn link_below(game: &GameId, n: u32, link: &Hash) -> Hash {
    hash("host-link", &[&game.0, &n.to_be_bytes(), &link.0])
}

/// `t[k-1]` from `t[k]`. A code belongs to one first record: if the game is made again, the old codes are useless.
pub fn code_below(genesis: &Hash, seat: u8, k: u32, code: &Code) -> Code {
    let whole = hash("seat-link", &[&genesis.0, &[seat], &k.to_be_bytes(), &code.0]);
    Hex(whole.0[..20].try_into().expect("a hash has more than twenty bytes"))
}

/// The host's chain. The first use of a link computes the chain; every [`STRIDE`]th link is then kept, so that any
/// link costs at most `STRIDE` hashes.
#[derive(Clone, Debug)]
pub struct HostChain {
    game: GameId,
    tip: Hash,
    /// Links 65,536, 65,536 - `STRIDE`, …, 0.
    kept: OnceLock<Vec<Hash>>,
}

/// The distance between two kept links.
const STRIDE: u32 = 256;

impl HostChain {
    /// The chain whose tip follows from a root (log 7.1).
    pub fn of_root(game: GameId, root: &Hash) -> HostChain {
        HostChain::of_tip(game, mac(root, "host-tip", &[]))
    }

    /// The chain that ends in `tip`.
    pub(super) fn of_tip(game: GameId, tip: Hash) -> HostChain {
        HostChain { game, tip, kept: OnceLock::new() }
    }

    fn kept(&self) -> &[Hash] {
        self.kept.get_or_init(|| {
            let mut kept = vec![self.tip];
            let mut link = self.tip;
            for n in (1..=HOST_LINKS).rev() {
                link = link_below(&self.game, n, &link);
                if (n - 1).is_multiple_of(STRIDE) {
                    kept.push(link);
                }
            }
            kept
        })
    }

    /// `s[0]`, which the first record publishes.
    pub fn anchor(&self) -> Hash {
        *self.kept().last().expect("the anchor is kept")
    }

    /// `s[n]`, or `None` if the chain is not that long.
    pub fn link(&self, n: u32) -> Option<Hash> {
        let down = HOST_LINKS.checked_sub(n)? / STRIDE;
        let mut link = self.kept()[usize::try_from(down).expect("links are counted in 32 bits")];
        for above in (n + 1..=HOST_LINKS - down * STRIDE).rev() {
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
    /// The chain of `codes` codes of a seat that ends in `tip`, for the game with this first record.
    pub fn new(genesis: &Hash, seat: u8, tip: Code, codes: u32) -> SeatChain {
        let mut chain = vec![tip];
        for k in (1..=codes).rev() {
            let above = chain.last().expect("the chain starts with its tip");
            chain.push(code_below(genesis, seat, k, above));
        }
        chain.reverse();
        SeatChain { codes: chain }
    }

    /// `t[0]`, which the seat's join publishes.
    pub fn anchor(&self) -> Code {
        self.codes[0]
    }

    /// Code `k`, from 1, or `None` if the chain is not that long.
    pub fn code(&self, k: u32) -> Option<Code> {
        let index = usize::try_from(k).ok().filter(|index| *index > 0)?;
        self.codes.get(index).copied()
    }
}

/// What is known of a seat's chain: the last code that was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodesSeen {
    genesis: Hash,
    seat: u8,
    /// How many codes have been accepted; the next one is `k + 1`.
    k: u32,
    last: Code,
}

/// Why a code was not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CodeRefused {
    #[error("the answer needs one-time code {expected}, and there was none")]
    Missing { expected: u32 },
    #[error("one-time code {given} has been used; the next one is code {expected}")]
    Used { expected: u32, given: u32 },
    #[error("one-time code {given} was given, and the next one is code {expected}")]
    TooFar { expected: u32, given: u32 },
    #[error("what was given as one-time code {given} is not on the seat's chain")]
    Wrong { given: u32 },
    #[error("the seat has no chain of one-time codes")]
    NoChain,
    /// The answer continues a spell that already has its code, or begins no spell by letter.
    #[error("this answer needs no one-time code, and code {given} was given")]
    NotNeeded { given: u32 },
}

impl CodesSeen {
    pub fn new(genesis: Hash, seat: u8, anchor: Code) -> CodesSeen {
        CodesSeen { genesis, seat, k: 0, last: anchor }
    }

    /// The number of the next code.
    pub fn next(&self) -> u32 {
        self.k + 1
    }

    /// Checks that a code is the next one.
    pub fn check(&self, given: u32, code: &Code) -> Result<(), CodeRefused> {
        let expected = self.next();
        match given {
            _ if given < expected => Err(CodeRefused::Used { expected, given }),
            _ if given > expected => Err(CodeRefused::TooFar { expected, given }),
            _ if code_below(&self.genesis, self.seat, given, code) != self.last => Err(CodeRefused::Wrong { given }),
            _ => Ok(()),
        }
    }

    /// Accepts the next code; a refused code changes nothing.
    pub fn accept(&mut self, given: u32, code: &Code) -> Result<(), CodeRefused> {
        self.check(given, code)?;
        (self.k, self.last) = (given, *code);
        Ok(())
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
    use crate::commit::vectors;

    #[test]
    fn anchors_are_those_of_the_document() {
        let anchor = "3a67f3df9bff59d1da91a1269a4024c3e8a063f063df471b92e154a68efe26ce";
        assert_eq!(vectors::host_chain().anchor().to_string(), anchor);
        assert_eq!(vectors::seat_chain().anchor().to_string(), "9511ce64fb1b8cd30af2cb70d2cd0cb2485b1645");
    }

    #[test]
    fn every_link_hashes_to_the_one_below() {
        let host = HostChain::of_root(vectors::game(), &Hex([0x44; 32]));
        assert_eq!(host.link(0), Some(host.anchor()));
        assert_eq!(host.link(HOST_LINKS), Some(host.tip));
        assert_eq!(host.link(HOST_LINKS + 1), None);
        for n in (1..=600).chain(HOST_LINKS - 300..=HOST_LINKS) {
            assert_eq!(link_below(&host.game, n, &host.link(n).unwrap()), host.link(n - 1).unwrap(), "link {n}");
        }
    }

    #[test]
    fn codes_are_accepted_in_order_only() {
        let chain = vectors::seat_chain();
        let mut seen = CodesSeen::new(vectors::genesis(), 1, chain.anchor());
        let code = |k| chain.code(k).unwrap();
        assert_eq!(seen.accept(2, &code(2)), Err(CodeRefused::TooFar { expected: 1, given: 2 }));
        assert_eq!(seen.accept(1, &code(2)), Err(CodeRefused::Wrong { given: 1 }));
        seen.accept(1, &code(1)).unwrap();
        assert_eq!(seen.accept(1, &code(1)), Err(CodeRefused::Used { expected: 2, given: 1 }));
        seen.accept(2, &code(2)).unwrap();
        assert_eq!(seen.next(), 3);
    }

    #[test]
    fn codes_serve_in_one_game_and_one_seat() {
        let chain = vectors::seat_chain();
        let code = chain.code(1).unwrap();
        let other_game = CodesSeen::new(Hex([0x67; 32]), 1, chain.anchor());
        let other_seat = CodesSeen::new(vectors::genesis(), 2, chain.anchor());
        assert_eq!(other_game.check(1, &code), Err(CodeRefused::Wrong { given: 1 }));
        assert_eq!(other_seat.check(1, &code), Err(CodeRefused::Wrong { given: 1 }));
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
