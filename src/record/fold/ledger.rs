/*! What the dice of a game hang on while it is played: the host's links, the codes accepted, the pool.

The host who makes a record and everybody who checks one go through this ledger, so that they cannot part ways.
*/

use crate::record::commit::chain::{CodeRefused, CodesSeen, link_below};
use crate::record::commit::dice::{CLASS_CODES, Class, Contributor, Pool, Seed, setup};
use crate::record::entry::body::CodeGiven;
use crate::record::problem::Problem;
use crate::record::value::hash::{Code, GameId, Hash};
use std::collections::BTreeSet;

/// The committed values of a game that has started.
#[derive(Clone, Debug)]
pub struct Ledger {
    game: GameId,
    /// `G`: what was fixed before the start.
    pub setup: Hash,
    pool: Pool,
    host: HostLinks,
    /// By seat number, from 1; `None` for seats without codes.
    codes: Vec<Option<CodesSeen>>,
    /// New anchors that wait until every other contributing seat has had a code accepted.
    waiting: Vec<Waiting>,
    /// Rolls so far.
    pub rolls: u32,
}

/// The chain of the host that is being opened.
#[derive(Clone, Copy, Debug)]
struct HostLinks {
    /// How many chains of the host were taken up before this one.
    chain: usize,
    opened: u32,
    links: u32,
    last: Hash,
}

#[derive(Clone, Debug)]
struct Waiting {
    anchor: Anchor,
    /// The seats whose codes must still come.
    seats: BTreeSet<u8>,
}

#[derive(Clone, Copy, Debug)]
enum Anchor {
    Host { links: u32, anchor: Hash },
    Seat { seat: u8, anchor: Code },
}

impl Ledger {
    /// The ledger at the start of a game.
    pub fn new(game: GameId, links: u32, anchor: Hash, contributors: &[Contributor]) -> Ledger {
        let setup = setup(&game, &anchor, contributors);
        let codes = contributors.iter().map(|contributor| match contributor.class {
            Class::Nothing => None,
            Class::Codes { anchor } => Some(CodesSeen::new(contributor.seat, anchor)),
        });
        Ledger {
            game,
            setup,
            pool: Pool(setup),
            host: HostLinks { chain: 0, opened: 0, links, last: anchor },
            codes: codes.collect(),
            waiting: Vec::new(),
            rolls: 0,
        }
    }

    /// The pool as it stands: what the next seed will be mixed from.
    pub fn pool(&self) -> Pool {
        self.pool
    }

    fn seen(&self, seat: u8) -> Option<&CodesSeen> {
        self.codes.get(usize::from(seat).checked_sub(1)?)?.as_ref()
    }

    /// The number of the code that the next answer of a seat needs; `None` for seats without codes.
    pub fn next_code(&self, seat: u8) -> Option<u32> {
        self.seen(seat).map(|seen| seen.k + 1)
    }

    /// Finds the number of a code that was given without one.
    pub fn find_code(&self, seat: u8, code: &Code) -> Option<u32> {
        self.seen(seat)?.find(&self.game, code)
    }

    /// The next code of a seat, from one that may be a later one.
    ///
    /// # Errors
    /// It is used, too far ahead or not on the chain, or the seat has none.
    pub fn covered(&self, seat: u8, given: &CodeGiven) -> Result<CodeGiven, CodeRefused> {
        let seen = self.seen(seat).ok_or(CodeRefused::NoChain)?;
        let covered = seen.covered(&self.game, given.k, &given.code)?;
        Ok(CodeGiven { k: seen.k + 1, code: covered[0] })
    }

    /// Accepts the code of an answer and stirs it into the pool.
    ///
    /// # Errors
    /// It is not the next one of the seat's chain; nothing changes.
    pub fn accept(&mut self, seat: u8, given: &CodeGiven) -> Result<(), CodeRefused> {
        let index = usize::from(seat).checked_sub(1).ok_or(CodeRefused::NoChain)?;
        let seen = self.codes.get_mut(index).and_then(Option::as_mut).ok_or(CodeRefused::NoChain)?;
        seen.accept(&self.game, given.k, &given.code)?;
        self.pool.absorb(seat, CLASS_CODES, given.k, &given.code.0);
        for waiting in &mut self.waiting {
            waiting.seats.remove(&seat);
        }
        self.settle_waiting();
        Ok(())
    }

    /// Which link the next roll opens.
    pub fn next_link(&self) -> LinkWanted {
        LinkWanted { chain: self.host.chain, index: self.host.opened + 1 }
    }

    /// Links of the host's chain that are still closed.
    pub fn links_left(&self) -> u32 {
        self.host.links - self.host.opened
    }

    /// Opens the next link, and gives the seed of its roll.
    ///
    /// # Errors
    /// The link is not on the chain, or the chain has come to its end; nothing changes.
    pub fn open_link(&mut self, link: &Hash) -> Result<Seed, Problem> {
        let n = self.rolls + 1;
        let index = self.host.opened + 1;
        if index > self.host.links || link_below(&self.game, index, link) != self.host.last {
            return Err(Problem::Link { n });
        }
        self.host.opened = index;
        self.host.last = *link;
        self.rolls = n;
        Ok(self.pool.seed(&self.game, n, link))
    }

    /// Takes note of a new chain of the host. It takes effect when every contributing seat has had one more code
    /// accepted: chosen now, it could otherwise be made to fit the pool as it is known.
    pub fn renew_host(&mut self, links: u32, anchor: Hash) {
        let seats = self.contributing(0);
        self.waiting.push(Waiting { anchor: Anchor::Host { links, anchor }, seats });
        self.settle_waiting();
    }

    /// Takes note of a new chain of a seat that lost its codes; effective as for the host.
    pub fn renew_seat(&mut self, seat: u8, anchor: Code) {
        let seats = self.contributing(seat);
        self.waiting.push(Waiting { anchor: Anchor::Seat { seat, anchor }, seats });
        self.settle_waiting();
    }

    /// A seat is handed over: its codes are gone with its player. A new chain of it takes effect as one that was lost.
    pub fn hand_over(&mut self, seat: u8, anchor: Option<Code>) {
        if let Some(seen) = usize::from(seat).checked_sub(1).and_then(|index| self.codes.get_mut(index)) {
            *seen = None;
        }
        self.waiting.retain(|waiting| !matches!(waiting.anchor, Anchor::Seat { seat: other, .. } if other == seat));
        for waiting in &mut self.waiting {
            waiting.seats.remove(&seat);
        }
        self.settle_waiting();
        if let Some(anchor) = anchor {
            self.renew_seat(seat, anchor);
        }
    }

    /// Stirs the words of a seat into the pool.
    pub fn stir(&mut self, seat: u8, words: &str) {
        self.pool.stir(seat, words);
    }

    /// Takes up the chain of a host who adopts the game: the links of the old one are lost. Every seat has stirred the
    /// pool since its anchor was published.
    pub fn adopt(&mut self, links: u32, anchor: Hash) {
        self.waiting.retain(|waiting| !matches!(waiting.anchor, Anchor::Host { .. }));
        self.host = HostLinks { chain: self.host.chain + 1, opened: 0, links, last: anchor };
    }

    /// Whether a new chain of the host has been announced and not taken effect.
    pub fn host_renewal_waits(&self) -> bool {
        self.waiting.iter().any(|waiting| matches!(waiting.anchor, Anchor::Host { .. }))
    }

    fn contributing(&self, besides: u8) -> BTreeSet<u8> {
        self.codes.iter().flatten().map(|seen| seen.seat).filter(|seat| *seat != besides).collect()
    }

    fn settle_waiting(&mut self) {
        let (ready, waiting) = std::mem::take(&mut self.waiting).into_iter().partition(|one| one.seats.is_empty());
        self.waiting = waiting;
        let ready: Vec<Waiting> = ready;
        for one in ready {
            match one.anchor {
                Anchor::Host { links, anchor } => {
                    self.host = HostLinks { chain: self.host.chain + 1, opened: 0, links, last: anchor };
                }
                Anchor::Seat { seat, anchor } => {
                    let index = usize::from(seat) - 1;
                    // The numbers of the codes start again with the chain.
                    self.codes[index] = Some(CodesSeen::new(seat, anchor));
                }
            }
        }
    }
}

/// Which link the next roll opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkWanted {
    /// How many chains of the host were taken up before the one it is on.
    pub chain: usize,
    /// Its number on that chain, from 1.
    pub index: u32,
}
