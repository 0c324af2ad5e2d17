/*! What the dice of a game depend on while it is played: the host's links, the accepted codes, the pool, and the
spells.

The host who makes a record and everybody who checks one use this same ledger, so their results cannot differ.

A *spell* of a seat is a run of its answers between which no seat answered with a code and no seat without codes was
asked (log 7.6). The first answer of a spell absorbs one code for the whole spell, and only if that answer came by
letter. So the dice do not depend on how a seat splits what it says into sentences and letters.
*/

use crate::commit::chain::{CodeRefused, CodesSeen, HOST_LINKS, link_below};
use crate::commit::pool::{Contribution, Pool, Seed, setup};
use crate::entry::body::CodeGiven;
use crate::problem::Problem;
use ground::hash::{Code, GameId, Hash};

/// The committed values of a game that has started.
#[derive(Clone, Debug)]
pub struct Ledger {
    game: GameId,
    genesis: Hash,
    /// `G`: what was fixed when the last seat had joined.
    pub setup: Hash,
    pool: Pool,
    host: HostLinks,
    /// By seat number, from 1.
    seats: Vec<Keeping>,
    /// Counts the moments at which all spells end.
    moment: u64,
    /// Throws so far.
    pub throws: u32,
}

/// How far the chain of the host has been opened.
#[derive(Clone, Copy, Debug)]
struct HostLinks {
    opened: u32,
    last: Hash,
}

/// What the ledger keeps of a seat.
#[derive(Clone, Debug)]
struct Keeping {
    /// The codes it has opened; `None` for a seat without codes.
    codes: Option<CodesSeen>,
    /// The moment in which its last spell began; the spell lasts until the next moment.
    spell: Option<u64>,
    /// The last letter of the seat from which something was played.
    letter: Option<Hash>,
}

/// Where an answer came from, as far as the dice depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A letter of the seat; `raw` is its hash. `None` is an answer typed at the host's keyboard; each counts as a
    /// letter of its own.
    Letter { raw: Option<Hash> },
    /// A standing order, a sentence left ahead, a deadline or a program.
    Otherwise,
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
    /// `G` (log 7.3).
    pub fn setup(&self) -> Hash {
        setup(&self.game, &self.genesis, &self.anchor, &self.root, self.contributions)
    }
}

impl Ledger {
    /// The ledger at the start of a game. `ready` are the first codes of the seats, in seat order; `None` for a seat
    /// without codes.
    pub fn new(fixed: &Fixed<'_>, ready: &[Option<CodeGiven>]) -> Result<Ledger, CodeRefused> {
        let setup = fixed.setup();
        let keeping = |(number, contribution): (u8, &Contribution)| Keeping {
            codes: contribution.anchor.map(|anchor| CodesSeen::new(fixed.genesis, number, anchor)),
            spell: None,
            letter: None,
        };
        let mut ledger = Ledger {
            game: fixed.game,
            genesis: fixed.genesis,
            setup,
            pool: Pool(setup),
            host: HostLinks { opened: 0, last: fixed.anchor },
            seats: (1..).zip(fixed.contributions).map(keeping).collect(),
            moment: 0,
            throws: 0,
        };
        for (number, code) in (1..).zip(ready) {
            match (ledger.next_code(number), code) {
                (None, None) => {}
                (_, Some(code)) => ledger.accept(number, code)?,
                (Some(expected), None) => return Err(CodeRefused::Missing { expected }),
            }
        }
        Ok(ledger)
    }

    fn keeping(&self, seat: u8) -> Option<&Keeping> {
        self.seats.get(usize::from(seat).checked_sub(1)?)
    }

    fn keeping_mut(&mut self, seat: u8) -> &mut Keeping {
        &mut self.seats[usize::from(seat) - 1]
    }

    fn codes(&self, seat: u8) -> Option<&CodesSeen> {
        self.keeping(seat)?.codes.as_ref()
    }

    /// Whether the seat keeps one-time codes.
    pub fn has_codes(&self, seat: u8) -> bool {
        self.codes(seat).is_some()
    }

    /// The number of a seat's next code; `None` for a seat without codes.
    pub fn next_code(&self, seat: u8) -> Option<u32> {
        self.codes(seat).map(CodesSeen::next)
    }

    /// Whether the next answer of a seat begins a spell.
    pub fn begins_spell(&self, seat: u8) -> bool {
        self.keeping(seat).is_some_and(|keeping| keeping.spell != Some(self.moment))
    }

    /// The number of the code that the next answer of a seat needs if it has this origin; `None` if it needs no code.
    pub fn needed_code(&self, seat: u8, arrival: Origin) -> Option<u32> {
        let keeping = self.keeping(seat)?;
        let arrives = match arrival {
            Origin::Letter { raw } => raw.is_none() || raw != keeping.letter,
            Origin::Otherwise => false,
        };
        keeping.codes.as_ref().filter(|_| arrives && self.begins_spell(seat)).map(CodesSeen::next)
    }

    /// Checks that a code is the next one of the seat.
    pub fn check_code(&self, seat: u8, given: &CodeGiven) -> Result<(), CodeRefused> {
        self.codes(seat).ok_or(CodeRefused::NoChain)?.check(given.k, &given.code)
    }

    /// Notes that a seat answers, and absorbs the code that begins its spell, if it needs one. Returns whether it
    /// absorbed one.
    ///
    /// # Errors
    /// The code is missing, wrong or not needed. The answer counts all the same.
    pub fn answers(&mut self, seat: u8, arrival: Origin, code: Option<&CodeGiven>) -> Result<bool, CodeRefused> {
        let needed = self.needed_code(seat, arrival);
        let absorbed = match (needed, code) {
            (None, None) => Ok(false),
            (None, Some(_)) if !self.has_codes(seat) => Err(CodeRefused::NoChain),
            (None, Some(code)) => Err(CodeRefused::NotNeeded { given: code.k }),
            (Some(expected), None) => Err(CodeRefused::Missing { expected }),
            (Some(_), Some(code)) => self.accept(seat, code).map(|()| true),
        };
        if absorbed == Ok(true) {
            self.moment += 1;
        }
        let moment = self.moment;
        let keeping = self.keeping_mut(seat);
        keeping.spell = Some(moment);
        if let Origin::Letter { raw } = arrival {
            keeping.letter = raw.or(keeping.letter);
        }
        absorbed
    }

    /// Notes that a seat is asked: if it keeps no codes, all spells end.
    pub fn asks(&mut self, seat: u8) {
        if !self.has_codes(seat) {
            self.moment += 1;
        }
    }

    /// Accepts the next code of a seat and absorbs it. A refused code changes nothing.
    pub fn accept(&mut self, seat: u8, given: &CodeGiven) -> Result<(), CodeRefused> {
        self.open_code(seat, given)?;
        self.absorb_code(seat, given);
        Ok(())
    }

    /// Accepts the next code of a seat without absorbing it: it came with a vote, and is absorbed later. A refused
    /// code changes nothing.
    pub fn open_code(&mut self, seat: u8, given: &CodeGiven) -> Result<(), CodeRefused> {
        let codes = usize::from(seat).checked_sub(1).and_then(|index| self.seats.get_mut(index)?.codes.as_mut());
        codes.ok_or(CodeRefused::NoChain)?.accept(given.k, &given.code)
    }

    /// Absorbs a code that was opened before.
    pub fn absorb_code(&mut self, seat: u8, given: &CodeGiven) {
        self.pool.absorb_code(seat, given.k, &given.code);
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
        Ok((first..).zip(links.iter().rev()).map(|(n, link)| self.pool.seed(&self.game, n, link)).collect())
    }

    /// The current pool, from which the next seed is mixed.
    pub fn pool(&self) -> Pool {
        self.pool
    }

    /// The numbers and seeds of the last throws, the latest first; right only as far back as nothing has been
    /// absorbed since. `link` is the link of the last throw.
    pub fn seeds(&self, link: Hash) -> impl Iterator<Item = (u32, Seed)> {
        let (mut link, mut opened) = (link, self.host.opened);
        (1..=self.throws).rev().map(move |n| {
            let seed = self.pool.seed(&self.game, n, &link);
            link = link_below(&self.game, opened, &link);
            opened = opened.saturating_sub(1);
            (n, seed)
        })
    }

    /// Gives a seat other codes from here on, or none: its player changed, or he lost his code book.
    pub fn change_codes(&mut self, seat: u8, anchor: Option<Code>) {
        let genesis = self.genesis;
        self.keeping_mut(seat).codes = anchor.map(|anchor| CodesSeen::new(genesis, seat, anchor));
        self.moment += 1;
    }

    /// Absorbs a round of the beacon; `chain` is the hash of the beacon's chain.
    pub fn absorb_round(&mut self, chain: &Hash, round: u64, signature: &[u8; 48]) {
        self.pool.absorb_round(chain, round, signature);
    }

    /// Absorbs the phrase of a seat that consents to a new host.
    pub fn absorb_phrase(&mut self, seat: u8, phrase: &str) {
        self.pool.absorb_phrase(seat, phrase);
    }

    /// Takes up the chain of a host who adopts the game: the links of the old one are lost.
    pub fn adopt(&mut self, anchor: Hash) {
        self.host = HostLinks { opened: 0, last: anchor };
        self.moment += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commit::chain::{HostChain, SeatChain};
    use ground::hash::Hex;

    /// Three seats: 1 and 2 keep codes, 3 does not.
    struct Play {
        ledger: Ledger,
        chains: Vec<SeatChain>,
        letters: u8,
    }

    impl Play {
        fn begin() -> Play {
            let chains: Vec<SeatChain> =
                (1..=2).map(|seat| SeatChain::new(&Hex([6; 32]), seat, Hex([seat; 20]), 20)).collect();
            let with_codes =
                |chain: &SeatChain| Contribution { anchor: Some(chain.anchor()), ..Contribution::default() };
            let contributions = [with_codes(&chains[0]), with_codes(&chains[1]), Contribution::default()];
            let anchor = HostChain::of_root(Hex([7; 16]), &Hex([4; 32])).anchor();
            let fixed = Fixed {
                game: Hex([7; 16]),
                genesis: Hex([6; 32]),
                anchor,
                root: Hex([5; 32]),
                contributions: &contributions,
            };
            let first = |chain: &SeatChain| Some(CodeGiven { k: 1, code: chain.code(1).unwrap() });
            let ledger = Ledger::new(&fixed, &[first(&chains[0]), first(&chains[1]), None]).unwrap();
            Play { ledger, chains, letters: 0 }
        }

        fn letter(&mut self) -> Origin {
            self.letters += 1;
            Origin::Letter { raw: Some(Hex([self.letters; 32])) }
        }

        /// Lets the seat answer, with its code if it needs one. Returns whether it did.
        fn answers(&mut self, seat: u8, arrival: Origin) -> bool {
            let k = self.ledger.needed_code(seat, arrival);
            let code = k.map(|k| CodeGiven { k, code: self.chains[usize::from(seat) - 1].code(k).unwrap() });
            let absorbed = self.ledger.answers(seat, arrival, code.as_ref()).unwrap();
            assert_eq!(absorbed, k.is_some());
            absorbed
        }
    }

    #[test]
    fn a_spell_absorbs_one_code_however_it_is_cut() {
        let mut play = Play::begin();
        let (one, other) = (play.letter(), play.letter());
        assert!(play.answers(1, one));
        assert!(!play.answers(1, one));
        assert!(!play.answers(1, other), "the second letter goes on with the spell");
        assert!(!play.answers(2, Origin::Otherwise), "an order of seat 2 absorbs nothing");
        let third = play.letter();
        assert!(!play.answers(1, third), "and does not end the spell of seat 1");
        let reply = play.letter();
        assert!(!play.answers(2, reply), "its first answer was an order, so its spell absorbs nothing");
    }

    #[test]
    fn an_answer_with_a_code_ends_the_spells_of_the_others() {
        let mut play = Play::begin();
        let [one, two, three] = [(); 3].map(|()| play.letter());
        assert!(play.answers(1, one));
        assert!(play.answers(2, two));
        assert!(play.answers(1, three));
        assert_eq!(play.ledger.next_code(1), Some(4));
        assert_eq!(play.ledger.next_code(2), Some(3));
    }

    #[test]
    fn a_seat_without_codes_that_is_asked_ends_all_spells() {
        let mut play = Play::begin();
        let [one, two] = [(); 2].map(|()| play.letter());
        assert!(play.answers(1, one));
        play.ledger.asks(2);
        assert!(!play.answers(1, two), "seat 2 keeps codes, and has not answered");
        play.ledger.asks(3);
        let three = play.letter();
        assert!(!play.answers(3, three), "a seat without codes brings none");
        assert!(!play.answers(1, two), "a later sentence of a letter brings no code of its own");
        let four = play.letter();
        assert!(!play.answers(1, four), "and that spell absorbs nothing");
        play.ledger.asks(3);
        let five = play.letter();
        assert!(play.answers(1, five));
    }

    #[test]
    fn a_code_that_is_missing_or_not_needed_is_told() {
        let mut play = Play::begin();
        let one = play.letter();
        let code = |play: &Play, k| CodeGiven { k, code: play.chains[0].code(k).unwrap() };
        assert_eq!(play.ledger.answers(1, one, None), Err(CodeRefused::Missing { expected: 2 }));
        let (mut play, given) = (Play::begin(), 2);
        let code = code(&play, given);
        let refused = play.ledger.answers(1, Origin::Otherwise, Some(&code));
        assert_eq!(refused, Err(CodeRefused::NotNeeded { given }));
        assert_eq!(play.ledger.answers(3, one, Some(&code)), Err(CodeRefused::NoChain));
    }

    #[test]
    fn a_record_opens_the_link_of_its_last_throw() {
        let mut together = Play::begin().ledger;
        let mut apart = together.clone();
        let chain = HostChain::of_root(Hex([7; 16]), &Hex([4; 32]));
        let seeds = together.open_links(3, &chain.link(3).unwrap()).unwrap();
        let one_by_one: Vec<Seed> = (1..=3).map(|n| apart.open_links(1, &chain.link(n).unwrap()).unwrap()[0]).collect();
        assert_eq!(seeds, one_by_one);
        assert_eq!(together.throws, 3);
        assert_eq!(together.open_links(2, &chain.link(4).unwrap()), Err(Problem::Link { n: 5 }));
        assert_eq!(together.open_links(HOST_LINKS, &chain.link(4).unwrap()), Err(Problem::Link { n: 3 + HOST_LINKS }));
        assert!(together.open_links(1, &chain.link(4).unwrap()).is_ok(), "nothing had changed");
    }
}
