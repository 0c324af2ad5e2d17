/*! Folding a log: record after record, from the first, into the state of the game.

The same code serves the host, who knows every face, and everybody else, who knows what the records open; and the same
code checks. Whatever does not follow from the records before is a [`Problem`]; after a fatal one the fold stops
following the game.

The parts of a fold (the clock, the council, the masks, the ledger, the receipts, the books and what else `Fold` lists)
keep their own state in files of their own, which do not know the fold; this file holds them and hands each record to
the checks that need several of them.

In reading order: `joining` (until the start, with [`joined`] of each seat); [`follow`] (an answer and what follows)
with `chance` (dealt or compared), [`ledger`] (links, the mix), [`receipts`], `rounds`, `runs`, `wrapping` and
[`stops`] (acts fixed before their rounds), [`possible`] (who could have aimed the dice), [`masks`] (cards) and
[`journal`] (how an undo goes back). Then what else a record can be: [`authored`] and [`signers`] (who wrote it),
`sight` (what the writer of an answer must have seen), [`standing`], [`order_books`], [`bookkeeping`] and [`orders`]
(standing orders), [`ahead`], `lines` and `recent` (lines ahead), [`clock`] and [`clock_records`] (time), [`council`]
and [`agreed`] (motions, votes, corrections), [`hosting`], [`adoption`] and [`tenure`] (another host), [`ending`] (the
secrets and the result). [`beside`] checks what was `put_off`, [`foresight`] knows what a log publishes at its end,
[`tally`] counts for the report, and `reached` answers what the fold has come to. A fold knows no file and writes
nothing.
*/

pub mod adoption;
pub mod agreed;
pub mod ahead;
pub mod authored;
pub mod beside;
pub mod bookkeeping;
pub(crate) mod chance;
pub mod clock;
pub mod clock_records;
pub mod council;
pub mod ending;
pub mod follow;
pub mod foresight;
pub mod hosting;
mod joined;
mod joining;
pub mod journal;
pub mod ledger;
mod lines;
pub mod masks;
pub mod order_books;
pub mod orders;
pub mod possible;
mod put_off;
mod reached;
pub mod receipts;
mod recent;
mod rounds;
mod runs;
mod sight;
pub mod signers;
pub mod standing;
pub mod stops;
pub mod tally;
pub mod tenure;
mod wrapping;

use self::adoption::Adoption;
use self::bookkeeping::Bookkeeping;
use self::chance::{Chance, Dealt, Recorded};
use self::clock::Clock;
use self::council::Council;
use self::foresight::Foresight;
use self::joined::Joined;
use self::journal::Journal;
use self::ledger::Ledger;
use self::masks::{Masks, learn};
use self::order_books::When;
use self::possible::Possible;
use self::put_off::PutOff;
use self::receipts::Receipts;
use self::recent::Recent;
use self::sight::Sight;
use self::signers::Signers;
use self::tally::Tally;
use self::tenure::Tenures;
use crate::charter::plan::Plan;
use crate::entry::body::{Deck as DeckRecord, Genesis, Kind};
use crate::entry::lines::lines;
use crate::entry::{Body, Entry, HOST, Head, Written};
use crate::problem::rule::Rule;
use crate::problem::{Problem, line_problem, value};
use engine::facts::Change;
use engine::game::Game;
use engine::game::Watch;
use engine::need::{Back, Need};
use engine::seat::Seat;
use engine::slot::{Deck, Faces};
use engine::title::Titles;
use ground::hash::{Hash, Hex};
use ground::stamp::Stamp;
use std::collections::BTreeSet;

/// Where a game stands between its records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    Joining,
    Playing,
    Revealed,
    Ended,
}

/// A log folded up to some record.
#[derive(Clone)]
pub struct Fold {
    pub(crate) plan: Plan,
    pub(crate) phase: Phase,
    head: Head,
    pub(crate) at: Stamp,
    pub(crate) game: Box<dyn Game>,
    pub(crate) masks: Masks,
    /// The faces that this fold knows: the opened ones, and all of them with the dealer's root.
    pub(crate) faces: Faces,
    /// The dealer's root, if the caller knows it.
    root: Option<Hash>,
    /// SHA-256 of the first record, and of the one that started the game.
    genesis: Hash,
    start_hash: Option<Hash>,
    joined: Vec<Option<Joined>>,
    pub(crate) ledger: Option<Ledger>,
    pub(crate) books: Bookkeeping,
    pub(crate) receipts: Receipts,
    pub(crate) council: Council,
    pub(crate) signers: Signers,
    /// The hashes of the domain keys that the log dates.
    domain_keys: BTreeSet<Hash>,
    /// The seats that have shares of the root, and the commitments to them.
    pub(crate) escrow: Vec<(u8, Hash)>,
    pub(crate) adoption: Option<Adoption>,
    /// The keys of the hosts, and for which records each counts.
    pub(crate) tenures: Tenures,
    watch: Box<dyn Watch>,
    /// The facts that the last record changed.
    change: Change,
    pub(crate) journal: Journal,
    pub(crate) clock: Clock,
    /// Who could have chosen or foreseen the dice.
    pub(crate) possible: Possible,
    /// The last record that the writer of the current act had seen; throws are counted with it.
    pub(crate) cause: u64,
    pub(crate) broken: bool,
    /// What the log publishes at its end, where the fold knows that beforehand.
    foresight: Option<Foresight>,
    /// The checks of the last record that are put off, if this fold puts any off.
    put_off: Option<PutOff>,
    sight: Sight,
    /// What the guards of lines ahead look at; kept only where the books are known.
    recent: Recent,
    pub(crate) tally: Tally,
}

impl Fold {
    /// Folds the first record. A caller that knows `root` passes it, and the fold then knows every face.
    ///
    /// # Errors
    /// Only what makes the game impossible to follow. Lesser problems go to `problems`.
    pub fn begin(
        entry: &Entry,
        hash: Hash,
        titles: Titles,
        root: Option<Hash>,
        problems: &mut Vec<Problem>,
    ) -> Result<Fold, Problem> {
        if entry.prev != Hash::ZERO {
            problems.push(Problem::Prev { expected: Hash::ZERO, found: entry.prev });
        }
        if entry.seq != 0 {
            problems.push(Problem::Seq { expected: 0, found: entry.seq });
        }
        let Body::Genesis(genesis) = &entry.body else {
            return Err(Problem::FirstKind { found: entry.kind() });
        };
        if entry.via.is_some() {
            problems.push(value(Rule::ViaHost, "via", "left out, as no seat made the record", "there"));
        }
        if entry.seat != HOST {
            let (expected, found) = (HOST.to_string(), entry.seat.to_string());
            problems.push(Problem::NotForSeat { kind: entry.kind(), expected, found });
        }
        let plan = Plan::new(genesis, titles)?;
        let game = (plan.title.begin)(&plan.setup).map_err(|why| Problem::Unplayable { why: why.to_string() })?;
        let masks = Masks::new(plan.game, plan.title, (plan.title.cards.decks)(&plan.setup));
        let watch = game.watch();
        let mut fold = Fold {
            phase: Phase::Joining,
            head: Head { seq: 0, hash },
            genesis: hash,
            start_hash: None,
            at: entry.at,
            game,
            masks,
            faces: Faces::default(),
            root,
            joined: vec![None; plan.seats.len()],
            ledger: None,
            books: Bookkeeping::default(),
            receipts: Receipts::default(),
            council: Council::default(),
            signers: Signers::new(plan.seats.len()),
            domain_keys: BTreeSet::new(),
            escrow: Vec::new(),
            adoption: None,
            tenures: Tenures::default(),
            watch,
            change: Change::default(),
            journal: Journal::default(),
            clock: Clock::new(&plan),
            possible: Possible::default(),
            cause: 0,
            broken: false,
            foresight: None,
            put_off: None,
            sight: Sight::default(),
            recent: Recent::default(),
            tally: Tally { records: 1, ..Tally::default() },
            plan,
        };
        if let Some(key) = fold.plan.host_key {
            fold.tenures.begins(key, 0);
        }
        fold.keep_books(entry, false, &When::default(), &Chance::Recorded(Recorded::of(entry)), problems);
        problems.extend(fold.check_digest(entry));
        fold.genesis_decks(genesis, problems)?;
        Ok(fold)
    }

    /// Folds the next record; `hash` is the hash of its bytes.
    ///
    /// After a fatal problem it follows only numbers, times and hashes.
    pub fn fold(&mut self, entry: &Entry, hash: Hash, problems: &mut Vec<Problem>) {
        self.take_in(entry, hash, &mut Chance::Recorded(Recorded::of(entry)), problems);
        if entry.kind() == Kind::Start {
            self.start_hash = Some(hash);
        }
    }

    /// Makes the next record: deals what follows from it and writes that into it; checks everything else like
    /// [`Fold::fold`]. Returns its bytes.
    pub(crate) fn make(&mut self, entry: &mut Entry, dealt: Dealt<'_>, problems: &mut Vec<Problem>) -> Written {
        let mut chance = Chance::Dealt(Box::new(dealt));
        let is_due = self.bears_books(entry);
        self.take_in(entry, Hash::ZERO, &mut chance, problems);
        if let Chance::Dealt(dealt) = chance
            && entry.kind().is_played()
        {
            entry.outcome = Some(dealt.outcome);
        }
        entry.books = self.books_due(entry, is_due);
        entry.digest = self.bears_digest(entry.seq, entry.kind()).then(|| self.digest_of_facts());
        let written = entry.written();
        self.head.hash = written.hash;
        if entry.kind() == Kind::Start {
            self.start_hash = Some(written.hash);
        }
        written
    }

    fn take_in(&mut self, entry: &Entry, hash: Hash, chance: &mut Chance<'_>, problems: &mut Vec<Problem>) {
        if entry.prev != self.head.hash {
            problems.push(Problem::Prev { expected: self.head.hash, found: entry.prev });
        }
        if entry.seq != self.head.seq + 1 {
            problems.push(Problem::Seq { expected: self.head.seq + 1, found: entry.seq });
        }
        if entry.at < self.at {
            problems.push(Problem::TimeRunsBack { before: self.at, found: entry.at });
        }
        // A writer can have seen only the records before this one.
        self.signers.saw(self.head);
        self.change.clear();
        self.head = Head { seq: self.head.seq + 1, hash };
        self.at = entry.at;
        self.tally.records += 1;
        if self.broken {
            return;
        }
        let first = problems.len();
        let is_due = self.bears_books(entry);
        let when = self.books.books().filter(|_| is_due).map(|_| self.when());
        let of_orders = self.check_signed_orders(entry);
        if let Err(problem) = self.body(entry, chance, problems) {
            problems.push(problem);
        }
        if !problems[first..].iter().any(Problem::is_fatal) {
            problems.extend(of_orders);
            if entry.kind().is_played() && self.books.books().is_some() {
                self.recent.note(entry, chance.outcome(), self.game.battlefield().map(|(_, by)| by));
            }
            self.keep_books(entry, is_due, &when.unwrap_or_default(), chance, problems);
        }
        if matches!(chance, Chance::Recorded(_)) && !problems[first..].iter().any(Problem::is_fatal) {
            problems.extend(self.check_digest(entry));
        }
        self.broken = problems[first..].iter().any(Problem::is_fatal);
        if !self.broken {
            self.mind_lines();
            self.mind_clock(entry);
        }
    }

    /// SHA-256 of all facts as they are now.
    pub fn digest_of_facts(&self) -> Hash {
        Hex(self.facts().digest())
    }

    fn check_digest(&mut self, entry: &Entry) -> Option<Problem> {
        match (self.bears_digest(entry.seq, entry.kind()), entry.digest) {
            (true, Some(_)) if self.put_off.is_some() => None,
            (true, found) => {
                let expected = self.digest_of_facts();
                match found {
                    Some(found) if found == expected => None,
                    Some(found) => Some(Problem::Facts { expected, found }),
                    None => Some(value(Rule::DigestThere, "digest", &expected.to_string(), "nothing")),
                }
            }
            (false, Some(found)) => Some(value(Rule::DigestThere, "digest", "left out here", &found.to_string())),
            (false, None) => None,
        }
    }

    /// Whether a record must carry a digest: some must, once the game has started (log 11.2).
    fn bears_digest(&self, seq: u64, kind: Kind) -> bool {
        self.phase > Phase::Joining && Entry::bears_digest(seq, kind)
    }

    /// Goes on after a record that cannot be read: counts it, and stops following the game.
    pub fn skip_unreadable(&mut self, hash: Hash) {
        self.head = Head { seq: self.head.seq + 1, hash };
        self.broken = true;
    }

    fn body(&mut self, entry: &Entry, chance: &mut Chance<'_>, problems: &mut Vec<Problem>) -> Result<(), Problem> {
        let kind = entry.kind();
        self.in_place(kind)?;
        problems.extend(lines(&entry.body).iter().find_map(line_problem));
        self.mind_run(entry, problems)?;
        self.authored(entry, problems);
        if let (Some(seat), true) = (self.plan.seat(&entry.seat), entry.is_of_a_seat()) {
            self.council.is_heard(seat);
        }
        problems.extend(self.sight.had_seen_enough(entry, &self.plan));
        match &entry.body {
            Body::Genesis(_) => unreachable!("a second genesis is out of place"),
            Body::Join(join) => self.join(entry, join),
            Body::Start(start) => {
                self.written_by(kind, HOST, entry, problems);
                self.start(entry, start, chance, problems)
            }
            Body::Say(say) => self.say(entry, say, chance, problems),
            Body::Heard => self.writer(entry).map(|_| self.tally.heard += 1),
            Body::Receipt(receipt) => self.receipt(entry, receipt),
            Body::Stopped(stopped) => self.stop_run(entry, stopped, problems),
            Body::Round(round) => self.round(entry, round, problems),
            Body::Deck(deck) => {
                self.written_by(kind, HOST, entry, problems);
                self.mask(entry, deck, chance, problems)
            }
            Body::Keys(keys) => self.change_keys(entry, keys, problems),
            Body::Address(changed) => self.change_address(entry, changed.address),
            Body::Host(host) => {
                self.written_by(kind, HOST, entry, problems);
                self.change_host(entry, host, problems)
            }
            Body::Consent(given) => self.consent(entry, given),
            Body::Dns(dns) => {
                self.written_by(kind, HOST, entry, problems);
                self.domain_keys.insert(dns.key);
                Ok(())
            }
            Body::Correction(correction) => {
                self.written_by(kind, HOST, entry, problems);
                self.correct(entry, correction, chance, problems)
            }
            Body::Motion(motion) => self.motion(entry, motion),
            Body::Vote(vote) => self.vote(entry, vote),
            Body::Concede(_) => self.concede(entry),
            Body::Dispute(dispute) => self.dispute(entry, dispute),
            Body::Clock(clock) => self.keep_time(entry, clock, problems),
            Body::Reveal(reveal) => {
                self.written_by(kind, HOST, entry, problems);
                self.reveal(reveal, problems);
                Ok(())
            }
            Body::End(end) => {
                self.written_by(kind, HOST, entry, problems);
                self.phase = Phase::Ended;
                if end.closing != entry.closing() {
                    problems.push(Problem::Closing { expected: entry.closing(), found: end.closing });
                }
                let digest = self.digest_of_facts();
                if end.digest != digest {
                    problems.push(Problem::Facts { expected: digest, found: end.digest });
                }
                self.check_result(&end.result)
            }
        }
    }

    /// Whether a record of this kind may come now.
    fn in_place(&self, kind: Kind) -> Result<(), Problem> {
        let mut rule = Rule::PlacePhase;
        let why = match (self.phase, kind) {
            (Phase::Ended, _) => "the game has ended",
            (_, Kind::Genesis) => "it is the first record of a log, and no other",
            (Phase::Revealed, Kind::End) => return Ok(()),
            (Phase::Revealed, _) => "the secrets are published, and only `end` can follow",
            (Phase::Joining, Kind::Join | Kind::Start) => return Ok(()),
            (Phase::Joining, Kind::Clock | Kind::Address | Kind::Receipt | Kind::Round) => return Ok(()),
            (Phase::Joining, _) => "the game has not started",
            (Phase::Playing, Kind::Join | Kind::Start) => "the game has started",
            (Phase::Playing, Kind::Say | Kind::Deck | Kind::Concede | Kind::Motion | Kind::Vote)
                if self.is_closed() =>
            {
                rule = Rule::PlaceOver;
                "the table has ended the game"
            }
            (Phase::Playing, Kind::End) => "the secrets must be published before, with `reveal`",
            (Phase::Playing, kind) if self.adoption.is_some() && !is_of_adoption(kind) => {
                rule = Rule::PlaceAdoption;
                "the new host waits for the consent of seats"
            }
            (Phase::Playing, _) => return Ok(()),
        };
        Err(Problem::OutOfPlace { rule, kind, why })
    }

    pub(crate) fn written_by(&self, kind: Kind, expected: &str, entry: &Entry, problems: &mut Vec<Problem>) {
        if entry.seat != expected {
            let (expected, found) = (expected.to_string(), entry.seat.to_string());
            problems.push(Problem::NotForSeat { kind, expected, found });
        }
    }

    /// The seat that wrote the record.
    pub(crate) fn writer(&self, entry: &Entry) -> Result<Seat, Problem> {
        self.plan.seat(&entry.seat).ok_or_else(|| Problem::UnknownSeat { found: entry.seat.to_string() })
    }

    fn genesis_decks(&mut self, genesis: &Genesis, problems: &mut Vec<Problem>) -> Result<(), Problem> {
        let count = self.masks.printed().len();
        if genesis.decks.len() != count {
            return Err(value(
                Rule::GenesisDecks,
                "decks",
                &format!("{count} decks"),
                &genesis.decks.len().to_string(),
            ));
        }
        for (index, record) in genesis.decks.iter().enumerate() {
            let deck = Deck(u8::try_from(index).expect("a title has few decks"));
            let whole = self.masks.whole(deck);
            let laid = self.lay(deck, 0, whole, record);
            match laid {
                Err(problem) if problem.is_fatal() => return Err(problem),
                Err(problem) => problems.push(problem),
                Ok(()) => {}
            }
        }
        Ok(())
    }

    fn lay(&mut self, deck: Deck, epoch: u8, goes_in: Vec<Back>, record: &DeckRecord) -> Result<(), Problem> {
        self.learn_laid(deck, epoch, &goes_in, &record.cards);
        self.tally.masks += 1;
        self.masks.lay(deck, epoch, goes_in, record)
    }

    /// Learns the cards of a deck that is laid down now.
    fn learn_laid(&mut self, deck: Deck, epoch: u8, goes_in: &[Back], commitments: &[Hash]) {
        if let Some(root) = &self.root {
            let (masked, cards) = self.masks.mask(root, deck, epoch, goes_in, &self.faces);
            if masked.commitments == commitments {
                learn(&mut self.faces, deck, epoch, &cards);
            }
        }
        if let Some(foresight) = &mut self.foresight {
            foresight.learn(&self.masks, deck, epoch, goes_in);
        }
    }

    fn mask(
        &mut self,
        entry: &Entry,
        record: &DeckRecord,
        chance: &mut Chance<'_>,
        problems: &mut Vec<Problem>,
    ) -> Result<(), Problem> {
        let Need::Mask(mask) = self.game.need() else {
            return Err(Problem::NotAsked { kind: Kind::Deck, waits_for: self.waits_for() });
        };
        if let Err(problem) = self.lay(mask.deck, mask.epoch, mask.goes_in, record) {
            let fatal = problem.is_fatal();
            problems.push(problem);
            if fatal {
                return Ok(());
            }
        }
        self.game.answer(engine::need::Answer::Masked).expect("the game waits for the mask");
        self.follow(entry, chance, problems)?;
        // The deck key of an epoch may serve only once, so no undo reaches back before it.
        self.journal.restart(entry.seq, &*self.game);
        Ok(())
    }
}

/// Whether a record of this kind may come while a new host waits for consent.
fn is_of_adoption(kind: Kind) -> bool {
    let is_note = matches!(kind, Kind::Heard | Kind::Dispute | Kind::Dns | Kind::Clock);
    is_note || matches!(kind, Kind::Consent | Kind::Host | Kind::Keys | Kind::Address)
}
