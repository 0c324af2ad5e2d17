/*! What the dice of a game depend on while it is played: how far the host's chain has been opened, and the mix of
everything that seats and beacon have added.

The host who makes a record and everybody who checks one use this same ledger, so their results cannot differ.
*/

use crate::commit::chain::{HOST_LINKS, link_below};
use crate::commit::seed::{Contribution, Mix, Seed, setup};
use crate::problem::Problem;
use ground::hash::{GameId, Hash};

/// The committed values of a game that has started.
#[derive(Clone, Debug)]
pub struct Ledger {
    game: GameId,
    /// `G`: what was fixed when the last seat had joined.
    pub setup: Hash,
    mix: Mix,
    host: HostLinks,
    /// Throws so far.
    pub throws: u32,
}

/// How far the chain of the host has been opened.
#[derive(Clone, Copy, Debug)]
struct HostLinks {
    opened: u32,
    last: Hash,
}

/// What the seats and the host fixed before the start.
#[derive(Clone, Copy, Debug)]
pub struct Fixed<'f> {
    pub game: GameId,
    /// SHA-256 of the first record.
    pub genesis: Hash,
    /// `s[0]`.
    pub anchor: Hash,
    /// The commitment to the dealer's root.
    pub root: Hash,
    pub contributions: &'f [Contribution],
}

impl Fixed<'_> {
    /// `G` (log 7.2).
    pub fn setup(&self) -> Hash {
        setup(&self.game, &self.genesis, &self.anchor, &self.root, self.contributions)
    }
}

impl Ledger {
    /// The ledger at the start of a game.
    pub fn new(fixed: &Fixed<'_>) -> Ledger {
        let setup = fixed.setup();
        let host = HostLinks { opened: 0, last: fixed.anchor };
        Ledger { game: fixed.game, setup, mix: Mix(setup), host, throws: 0 }
    }

    /// The number of the host's next link.
    pub fn next_link(&self) -> u32 {
        self.host.opened + 1
    }

    /// Opens the links of the next throws, given the last link, and returns the seed of each throw. A link that does
    /// not belong there changes nothing.
    pub fn open_links(&mut self, throws: u32, link: &Hash) -> Result<Vec<Seed>, Problem> {
        let wrong = Problem::Link { n: self.throws + throws };
        let last = self.host.opened.checked_add(throws).filter(|last| *last <= HOST_LINKS);
        let Some(last) = last else { return Err(wrong) };
        let mut links = vec![*link];
        for n in (self.host.opened + 1..=last).rev() {
            links.push(link_below(&self.game, n, links.last().expect("there is a link above")));
        }
        if links.pop() != Some(self.host.last) {
            return Err(wrong);
        }
        self.host = HostLinks { opened: last, last: *link };
        let first = self.throws + 1;
        self.throws += throws;
        Ok((first..).zip(links.iter().rev()).map(|(n, link)| self.mix.seed(&self.game, n, link)).collect())
    }

    /// What the next seed is mixed from.
    pub fn mix(&self) -> Mix {
        self.mix
    }

    /// The numbers and seeds of the last throws, the latest first; right only as far back as nothing has been
    /// absorbed since. `link` is the link of the last throw.
    pub fn seeds(&self, link: Hash) -> impl Iterator<Item = (u32, Seed)> {
        let (mut link, mut opened) = (link, self.host.opened);
        (1..=self.throws).rev().map(move |n| {
            let seed = self.mix.seed(&self.game, n, &link);
            link = link_below(&self.game, opened, &link);
            opened = opened.saturating_sub(1);
            (n, seed)
        })
    }

    /// Absorbs a round of the beacon; `chain` is the hash of the beacon's chain.
    pub fn absorb_round(&mut self, chain: &Hash, round: u64, signature: &[u8; 48]) {
        self.mix.absorb_round(chain, round, signature);
    }

    /// Absorbs the phrase of a seat that consents to a new host.
    pub fn absorb_phrase(&mut self, seat: u8, phrase: &str) {
        self.mix.absorb_phrase(seat, phrase);
    }

    /// Takes up the chain of a host who adopts the game: the links of the old one are lost.
    pub fn adopt(&mut self, anchor: Hash) {
        self.host = HostLinks { opened: 0, last: anchor };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commit::chain::HostChain;
    use ground::hash::Hex;

    #[test]
    fn a_record_opens_the_link_of_its_last_throw() {
        let chain = HostChain::of_root(Hex([7; 16]), &Hex([4; 32]));
        let contributions = [Contribution::default(), Contribution::default()];
        let (game, genesis, anchor, root) = (Hex([7; 16]), Hex([6; 32]), chain.anchor(), Hex([5; 32]));
        let mut together = Ledger::new(&Fixed { game, genesis, anchor, root, contributions: &contributions });
        let mut apart = together.clone();
        let seeds = together.open_links(3, &chain.link(3).unwrap()).unwrap();
        let one_by_one: Vec<Seed> = (1..=3).map(|n| apart.open_links(1, &chain.link(n).unwrap()).unwrap()[0]).collect();
        assert_eq!(seeds, one_by_one);
        assert_eq!(together.throws, 3);
        assert_eq!(together.open_links(2, &chain.link(4).unwrap()), Err(Problem::Link { n: 5 }));
        assert_eq!(together.open_links(HOST_LINKS, &chain.link(4).unwrap()), Err(Problem::Link { n: 3 + HOST_LINKS }));
        assert!(together.open_links(1, &chain.link(4).unwrap()).is_ok(), "nothing had changed");
    }
}
