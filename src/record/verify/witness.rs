/*! What a player's own mail says of a log: heads and records that he was shown, each with the letter that shows it.

The post reads mailboxes; where the letters come from is not known here. A host who tells two stories must sign two
checkpoints with the same number, and that is evidence, if his key counted for that record. So are records that came
with letters, if such a checkpoint follows from them. Everything else that a letter says is a claim: anybody can write
a subject. The oldest first record of a game in the reader's own mail says which game he has played.
*/

use crate::charter::plan::Plan;
use crate::commit::checkpoint::Noted;
use crate::commit::words::{WORDS_IN_SUBJECT, in_subject};
use crate::fold::tenure::{Tenure, Tenures};
use ground::hash::{GameId, Hash};
use ground::stamp::Stamp;
use std::collections::{BTreeMap, BTreeSet};

use super::received::Times;

/// Everything that a mailbox says about games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Witnesses {
    /// The names of the letters in messages; [`Seen::letter`] is an index into them.
    pub letters: Vec<String>,
    /// When the reader's own provider received each letter, if the letter says so.
    pub received: Vec<Option<Stamp>>,
    pub seen: Vec<Seen>,
    /// The first records of games that came with letters.
    pub begun: Vec<Begun>,
}

/// The first record of a game, as a letter brought it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Begun {
    pub game: GameId,
    pub genesis: Hash,
    /// When the letter came, or is dated.
    pub at: Option<Stamp>,
    pub letter: usize,
}

impl Witnesses {
    /// The first record of a game that came with the oldest letter. A letter without a date counts as newer than all
    /// others.
    pub fn beginning(&self, game: &GameId) -> Option<&Begun> {
        let of_game = self.begun.iter().filter(|begun| begun.game == *game);
        of_game.min_by_key(|begun| (begun.at.is_none(), begun.at, begun.letter))
    }
}

/// One statement of one letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    pub about: About,
    pub seq: u64,
    /// The hash of the record in hexadecimal: all of it, or its first digits.
    pub head: String,
    pub letter: usize,
    pub how: How,
}

/// Which game a letter is about, as far as it says: names are not unique.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// What the players call the game.
    pub name: Option<String>,
    pub game: Option<GameId>,
    /// The first words of its fingerprint.
    pub words: Option<[String; WORDS_IN_SUBJECT]>,
}

impl About {
    fn is(&self, plan: &Plan, genesis: &Hash) -> bool {
        let is_name = self.name.as_ref().is_none_or(|name| *name == plan.name);
        let is_words = self.words.as_ref().is_none_or(|words| *words == in_subject(genesis));
        is_name && is_words && self.game.map_or(self.name.is_some(), |game| game == plan.game)
    }
}

/// Where in the letter the statement is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// A checkpoint, with its signature if it has one.
    Checkpoint(Box<Noted>),
    MessageId,
    /// The player's own answer names our letter that it answers.
    Answer,
    Subject,
    /// The record itself came with the letter, and `prev` is the hash of the one before it.
    Record {
        prev: Option<Hash>,
    },
}

impl How {
    pub fn words(&self) -> &'static str {
        match self {
            How::Checkpoint(_) => "its checkpoint",
            How::MessageId => "its Message-ID",
            How::Answer => "what it answers",
            How::Subject => "its subject",
            How::Record { .. } => "the record attached to it",
        }
    }
}

/// A record of the log, and what the host signed in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fork {
    pub seq: u64,
    /// The line of the record in the log, its hash, and the record byte for byte.
    pub line: u64,
    pub hash: Hash,
    pub record: Vec<u8>,
    /// What the letter says instead.
    pub seen: Seen,
    /// The checkpoint that proves it: the one in the letter, or one that follows from the record in the letter.
    pub checkpoint: Noted,
    /// The key that signed it, and for which records it counts.
    pub signer: Tenure,
}

impl Fork {
    /// Why it is evidence, in a few words.
    pub fn words(&self) -> String {
        let key = self.signer.announced;
        match (&self.seen.how, self.checkpoint.seq()) {
            (How::Record { .. }, Some(seq)) => format!(
                "the record attached to it; the host key of record {key} has signed the head of record {seq}, which \
                 follows it"
            ),
            (how, _) => format!("{}, signed with the host key of record {key}", how.words()),
        }
    }
}

/// A statement that disagrees with the log, or is about records beyond it, without the host's signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    pub seq: u64,
    pub head: String,
    pub how: &'static str,
    pub letter: String,
    pub kind: ClaimKind,
}

/// How a claim differs from the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimKind {
    /// It names another head for a record of the log.
    OtherHead,
    /// It names a record after the last one.
    Beyond,
    /// It names the same head as the log, with a signature that is not the host's.
    BadSignature,
}

/// What the report says of a mailbox that was compared with a log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MailboxSummary {
    /// Letters of this game.
    pub letters: usize,
    /// How many heads and records in them are on this history.
    pub heads: usize,
    pub records: usize,
    /// Checkpoints on this history that the host signed.
    pub signed: Vec<Noted>,
    pub claims: Vec<Claim>,
    pub times: Times,
}

/// A statement that disagrees with an earlier record of the log, without proof so far.
#[derive(Debug)]
struct Passed {
    seen: Seen,
    line: u64,
    hash: Hash,
    record: Vec<u8>,
}

/// The witnesses of one game, while its log is read.
#[derive(Debug, Default)]
pub(crate) struct Hearing {
    by_record: BTreeMap<u64, Vec<Seen>>,
    letters: BTreeSet<usize>,
    received: Vec<Option<Stamp>>,
    /// For each record, when a letter that agrees with it first showed it.
    shown: BTreeMap<u64, Stamp>,
    /// The newest record that each letter brought.
    newest: BTreeMap<usize, u64>,
    /// For which records the keys of the hosts count, as far as the log was read.
    tenures: Tenures,
    /// All checkpoints of the game; those about records that were not read yet, by record.
    checkpoints: Vec<Noted>,
    ahead: BTreeMap<u64, Vec<usize>>,
    /// The hash of each record that came with a letter, and of the one before it.
    prev: BTreeMap<Hash, Option<Hash>>,
    /// Hashes that the host signed or that lead to a signed one, each with the index of that checkpoint.
    vouched: BTreeMap<Hash, (usize, Tenure)>,
    passed: Vec<Passed>,
    /// Checkpoints that agree with the log.
    agreed: Vec<(Seen, Noted)>,
    pub summary: MailboxSummary,
}

impl Hearing {
    /// Keeps the statements about this game.
    pub fn new(witnesses: Vec<Seen>, received: Vec<Option<Stamp>>, plan: &Plan, genesis: &Hash) -> Hearing {
        let mut hearing = Hearing { received, ..Hearing::default() };
        for seen in witnesses.into_iter().filter(|seen| seen.about.is(plan, genesis)) {
            hearing.letters.insert(seen.letter);
            match &seen.how {
                How::Checkpoint(noted) => {
                    hearing.ahead.entry(seen.seq).or_default().push(hearing.checkpoints.len());
                    hearing.checkpoints.push(Noted::clone(noted));
                }
                How::Record { prev } => {
                    if let Some(hash) = Hash::parse(&seen.head) {
                        hearing.prev.insert(hash, *prev);
                    }
                    let newest = hearing.newest.entry(seen.letter).or_default();
                    *newest = seen.seq.max(*newest);
                }
                How::MessageId | How::Answer | How::Subject => {}
            }
            hearing.by_record.entry(seen.seq).or_default().push(seen);
        }
        hearing.summary.letters = hearing.letters.len();
        hearing
    }

    /// Notes for which records the keys of the hosts count; those for the records so far do not change any more.
    pub fn trust(&mut self, tenures: &Tenures) {
        if self.tenures != *tenures {
            self.tenures = tenures.clone();
        }
    }

    /// Counts the checkpoints about a record, and returns the earlier statements that they turn into evidence.
    fn count(&mut self, seq: u64) -> Vec<Fork> {
        let (Some(indexes), Some(signer)) = (self.ahead.remove(&seq), self.tenures.of(seq)) else { return Vec::new() };
        let mut is_new = false;
        for index in indexes {
            if self.checkpoints[index].check(&[signer.key]).is_err() {
                continue;
            }
            let mut hash = Some(self.checkpoints[index].checkpoint.head);
            while let Some(one) = hash.filter(|hash| !self.vouched.contains_key(hash)) {
                self.vouched.insert(one, (index, signer));
                hash = self.prev.get(&one).copied().flatten();
                is_new = true;
            }
        }
        if !is_new {
            return Vec::new();
        }
        let (forks, passed) =
            std::mem::take(&mut self.passed).into_iter().partition(|passed| self.proof(&passed.seen).is_some());
        self.passed = passed;
        Vec::into_iter(forks).filter_map(|passed| self.fork(passed)).collect()
    }

    /// The checkpoint that proves what a letter shows, and who signed it; `None` if there is none.
    fn proof(&self, seen: &Seen) -> Option<(Noted, Tenure)> {
        match &seen.how {
            How::Checkpoint(noted) => {
                let signer = self.tenures.of(noted.seq()?)?;
                noted.check(&[signer.key]).is_ok().then(|| (Noted::clone(noted), signer))
            }
            How::Record { .. } => {
                let (index, signer) = self.vouched.get(&Hash::parse(&seen.head)?)?;
                Some((self.checkpoints[*index].clone(), *signer))
            }
            How::MessageId | How::Answer | How::Subject => None,
        }
    }

    fn fork(&self, passed: Passed) -> Option<Fork> {
        let Passed { seen, line, hash, record } = passed;
        let (checkpoint, signer) = self.proof(&seen)?;
        Some(Fork { seq: seen.seq, line, hash, record, seen, checkpoint, signer })
    }

    /// Counts the checkpoints about records beyond the end of the log. Returns the statements that prove another
    /// history.
    pub fn count_the_rest(&mut self) -> Vec<Fork> {
        let rest: Vec<u64> = self.ahead.keys().copied().collect();
        rest.into_iter().flat_map(|seq| self.count(seq)).collect()
    }

    /// Compares a record with what the letters say of it. Returns the statements that prove another history.
    pub fn hold(&mut self, seq: u64, line: u64, hash: Hash, at: Option<Stamp>, record: &[u8]) -> Vec<Fork> {
        let head = hash.to_string();
        let said = self.by_record.remove(&seq).unwrap_or_default();
        let (agree, differ): (Vec<Seen>, Vec<Seen>) = said.into_iter().partition(|seen| head.starts_with(&seen.head));
        let brought = || agree.iter().filter(|seen| matches!(seen.how, How::Record { .. }));
        let received = |seen: &Seen| Some((self.received.get(seen.letter).copied().flatten()?, seen.letter));
        let first = brought().filter_map(received).min();
        if let (Some(at), true) = (at, brought().next().is_some()) {
            let is_newest = first.is_some_and(|(_, letter)| self.newest.get(&letter) == Some(&seq));
            self.summary.times.hold(seq, at, first, is_newest);
        }
        // Only a whole hash identifies a record; and when the reader's own letter was received says nothing about the
        // letter that it answers.
        let shown = agree.iter().filter(|seen| seen.how != How::Answer && seen.head.len() == head.len());
        if let Some((first, _)) = shown.filter_map(received).min() {
            self.shown.insert(seq, first);
        }
        for seen in agree {
            match &seen.how {
                How::Record { .. } => self.summary.records += 1,
                _ => self.summary.heads += 1,
            }
            if let How::Checkpoint(noted) = &seen.how {
                let noted = Noted::clone(noted);
                self.agreed.push((seen, noted));
            }
        }
        let mut forks = self.count(seq);
        for seen in differ {
            let passed = Passed { seen, line, hash, record: record.to_vec() };
            if self.proof(&passed.seen).is_some() {
                forks.extend(self.fork(passed));
            } else {
                self.passed.push(passed);
            }
        }
        // A signed checkpoint of the record itself comes before one that follows from an attached record.
        forks.sort_by_key(|fork| matches!(fork.seen.how, How::Record { .. }));
        forks
    }

    /// When a letter first showed a record from `first` up to, but not including, `end`: such a letter shows all
    /// records before as well.
    pub fn shown_between(&self, first: u64, end: u64) -> Option<Stamp> {
        self.shown.range(first..end).map(|(_, at)| *at).min()
    }

    /// The last record beyond the end of the log that the host has signed: its number, and the letter.
    pub fn beyond(&self) -> Option<(u64, usize)> {
        let rest = self.by_record.values().flatten();
        rest.filter(|seen| self.proof(seen).is_some()).map(|seen| (seen.seq, seen.letter)).max()
    }

    /// Turns what is left into claims, after the last record of the log.
    pub fn end(&mut self, names: &[String]) {
        let claim = |seen: &Seen, kind: ClaimKind| Claim {
            seq: seen.seq,
            head: seen.head.clone(),
            how: seen.how.words(),
            letter: names.get(seen.letter).cloned().unwrap_or_default(),
            kind,
        };
        let mut claims: Vec<Claim> =
            self.passed.iter().map(|passed| claim(&passed.seen, ClaimKind::OtherHead)).collect();
        for (seen, noted) in std::mem::take(&mut self.agreed) {
            // A host who waits for consent, or has handed the game over, says the same as the log: no harm is in that.
            let is_of_a_host = || self.tenures.all().iter().any(|tenure| noted.check(&[tenure.key]).is_ok());
            if self.proof(&seen).is_some() {
                self.summary.signed.push(noted);
            } else if noted.signature.is_some() && !is_of_a_host() {
                claims.push(claim(&seen, ClaimKind::BadSignature));
            }
        }
        let unproven = self.by_record.values().flatten().filter(|seen| self.proof(seen).is_none());
        claims.extend(unproven.map(|seen| claim(seen, ClaimKind::Beyond)));
        claims.sort_by_key(|claim| claim.seq);
        self.summary.claims = claims;
    }

    /// The keys of the hosts so far.
    pub fn tenures(&self) -> &Tenures {
        &self.tenures
    }

    /// Whether a letter shows a head or a record of this history.
    pub fn agrees(&self) -> bool {
        self.summary.heads + self.summary.records > 0
    }
}
