/*! The reverse hash chain of the host, on which the dice depend.

It is made from its tip downwards and opened from its anchor upwards, so that each link opened is checked with one hash
against the one before, and the host cannot choose a link once the anchor is published (log 7.1).
*/

use ground::hash::{GameId, Hash, hash, mac};
use std::sync::OnceLock;

/// Links of the host's chain: more throws than any game has.
pub const HOST_LINKS: u32 = 65_536;

/// `s[n-1]` from `s[n]`.
pub fn link_below(game: &GameId, n: u32, link: &Hash) -> Hash {
    hash("host-link", &[&game.0, &n.to_be_bytes(), &link.0])
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commit::vectors;
    use ground::hash::Hex;

    #[test]
    fn the_anchor_is_that_of_the_document() {
        let anchor = "3a67f3df9bff59d1da91a1269a4024c3e8a063f063df471b92e154a68efe26ce";
        assert_eq!(vectors::host_chain().anchor().to_string(), anchor);
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
}
