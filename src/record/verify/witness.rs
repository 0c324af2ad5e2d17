/*! What a player's own mail says of a log: heads and records that he was shown, each with the letter that shows it.

Where the letters come from is not known here; the post reads mailboxes. A host who tells two stories has to send two
letters, and a letter that does not fit the log is the proof.
*/

use crate::record::charter::plan::Plan;
use crate::record::commit::checkpoint::Noted;
use crate::record::value::hash::{GameId, Hash};
use crate::record::value::stamp::Stamp;
use std::collections::{BTreeMap, BTreeSet};

/// Everything that a mailbox says of games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Witnesses {
    /// What the letters are called in messages; [`Seen::letter`] counts them.
    pub letters: Vec<String>,
    pub seen: Vec<Seen>,
    /// When the reader's own mail server received the letters, by the letter; those that came by no server have none.
    pub received: BTreeMap<usize, Stamp>,
}

/// One thing that one letter says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// What the players call the game.
    pub name: String,
    /// Which game it is, where the letter says so: names are not unique.
    pub game: Option<GameId>,
    pub seq: u64,
    /// The hash of the record in hexadecimal: all of it, or its first twelve digits.
    pub head: String,
    pub letter: usize,
    pub how: How,
}

/// Where in a letter it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// The host's checkpoint, with his signature if he has a key.
    Checkpoint(Noted),
    MessageId,
    /// The player's own answer names the letter of ours that it answers.
    Answer,
    Subject,
    /// The record itself came with the letter.
    Record,
}

impl How {
    pub fn words(&self) -> &'static str {
        match self {
            How::Checkpoint(_) => "its checkpoint",
            How::MessageId => "its Message-ID",
            How::Answer => "what it answers",
            How::Subject => "its subject",
            How::Record => "the record attached to it",
        }
    }
}

/// A record of the log and a letter that shows another one in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fork {
    pub seq: u64,
    /// The record of the log, byte for byte.
    pub record: Vec<u8>,
    /// What the letter says instead.
    pub seen: Seen,
    /// The newest letter that fits the log.
    pub agreeing: Option<usize>,
}

/// What is told of a mailbox that was held against a log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MailboxSummary {
    /// Letters of this game.
    pub letters: usize,
    /// Heads and records in them that are on this history.
    pub heads: usize,
    pub records: usize,
    /// Checkpoints that the host has signed.
    pub signed: usize,
}

/// The witnesses of one game, as its log is gone through.
#[derive(Debug, Default)]
pub(crate) struct Hearing {
    by_record: BTreeMap<u64, Vec<Seen>>,
    letters: BTreeSet<usize>,
    agreeing: Option<usize>,
    received: BTreeMap<usize, Stamp>,
    /// When each record that a letter agrees with was first shown.
    shown: BTreeMap<u64, Stamp>,
    pub summary: MailboxSummary,
}

impl Hearing {
    /// Keeps what is about this game.
    pub fn new(witnesses: Vec<Seen>, received: BTreeMap<usize, Stamp>, plan: &Plan) -> Hearing {
        let mut hearing = Hearing { received, ..Hearing::default() };
        let is_ours = |seen: &Seen| seen.name == plan.name && seen.game.is_none_or(|game| game == plan.game);
        for seen in witnesses.into_iter().filter(is_ours) {
            hearing.letters.insert(seen.letter);
            hearing.by_record.entry(seen.seq).or_default().push(seen);
        }
        hearing.summary.letters = hearing.letters.len();
        hearing
    }

    /// What the letters say of a record of this number: those that show another one, and the checkpoints to be checked.
    pub fn of(&mut self, seq: u64, hash: &Hash) -> (Vec<Seen>, Vec<Seen>) {
        let head = hash.to_string();
        let said = self.by_record.remove(&seq).unwrap_or_default();
        let (agree, differ): (Vec<Seen>, Vec<Seen>) = said.into_iter().partition(|seen| head.starts_with(&seen.head));
        for seen in &agree {
            self.agreeing = self.agreeing.max(Some(seen.letter));
            // What the reader wrote himself was received by somebody else; and only a whole hash names one record.
            let is_told = seen.how != How::Answer && seen.head.len() == head.len();
            if let Some(at) = self.received.get(&seen.letter).filter(|_| is_told) {
                let first = self.shown.entry(seq).or_insert(*at);
                *first = (*first).min(*at);
            }
            match seen.how {
                How::Record => self.summary.records += 1,
                _ => self.summary.heads += 1,
            }
        }
        (differ, agree)
    }

    /// When a letter first showed a record from `first` on, and before `end`: it shows all records before as well.
    pub fn shown_between(&self, first: u64, end: u64) -> Option<Stamp> {
        self.shown.range(first..end).map(|(_, at)| *at).min()
    }

    /// The newest letter so far that fits the log.
    pub fn agreeing(&self) -> Option<usize> {
        self.agreeing
    }

    /// What the letters say of records that the log does not have.
    pub fn beyond(&mut self) -> Option<Seen> {
        let rest = std::mem::take(&mut self.by_record);
        rest.into_values().flatten().next_back()
    }

    pub fn is_empty(&self) -> bool {
        self.letters.is_empty()
    }
}
