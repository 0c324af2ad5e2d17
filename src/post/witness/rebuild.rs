/*! A log rebuilt from a player's mail: every letter brings the records that its reader had not got, so that all of
them, one after the other, are the log. What is found is held together by its own chain of hashes, not by the order of
mail.
*/

use crate::mail::letter::Letter;
use crate::post::names::field;
use crate::post::witness::{self, LIMITS, attached};
use crate::record::commit::escrow;
use crate::record::entry::{Body, Entry};
use crate::record::value::hash::{GameId, Hash, sha256};
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::Path;

/// A seat's share of the dealer's root, as it stands in its letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    pub game: GameId,
    pub seat: String,
    pub share: Hash,
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.game, self.seat, escrow::write(&self.share))
    }
}

impl Share {
    /// Reads a share as a letter writes it.
    #[must_use]
    pub fn read(line: &str) -> Option<Share> {
        let mut words = line.split_whitespace();
        let (game, seat) = (GameId::parse(words.next()?)?, words.next()?.to_owned());
        Some(Share { game, seat, share: escrow::read(words.next()?)? })
    }
}

/// What mailboxes hold of one game.
#[derive(Debug, Default)]
pub struct Found {
    /// The records that were found, by their numbers, and by their hashes where several have the same number.
    records: BTreeMap<u64, BTreeMap<Hash, Vec<u8>>>,
    pub shares: Vec<Share>,
    pub letters: usize,
}

/// A log as far as it could be put together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rebuilt {
    pub game: GameId,
    pub log: Vec<u8>,
    pub records: u64,
    pub head: Hash,
    /// The greatest number of which a letter has the record, if the log ends before it.
    pub beyond: Option<u64>,
}

/// Why no log can be put together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotRebuilt {
    /// No letter brought the first record of such a game.
    NoBeginning { name: String },
    /// Several games have that name.
    SeveralGames { name: String, games: Vec<GameId> },
    /// Two records follow the same one: the host has told two histories.
    Forked { seq: u64 },
}

impl fmt::Display for NotRebuilt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotRebuilt::NoBeginning { name } => write!(
                f,
                "no letter in the mailbox brought the beginning of the log of {name}; it came with the first letter of \
                 the game"
            ),
            NotRebuilt::SeveralGames { name, games } => {
                let games: Vec<String> = games.iter().map(ToString::to_string).collect();
                write!(f, "several games are called {name}: {}; say which, with `--game`", games.join(", "))
            }
            NotRebuilt::Forked { seq } => write!(
                f,
                "two records {seq} follow the same record before: the host has told two stories. `ringmail verify \
                 --mailbox … --evidence …` writes both out"
            ),
        }
    }
}

impl std::error::Error for NotRebuilt {}

impl Found {
    /// Goes through a mailbox for the records of a game of this name.
    ///
    /// # Errors
    /// What the system says.
    pub fn look(&mut self, mailbox: &Path, name: &str) -> io::Result<()> {
        witness::letters(mailbox, &mut |_, raw| {
            self.letter(raw, name);
            Ok(())
        })
    }

    fn letter(&mut self, raw: &[u8], name: &str) {
        let letter = Letter::open(raw, &LIMITS);
        let Some(attached) = attached(raw, &letter).filter(|attached| attached.name == name) else { return };
        self.letters += 1;
        for (seq, record) in attached.records {
            self.records.entry(seq).or_default().insert(sha256(&record), record);
        }
        let field = field::SHARE.to_ascii_lowercase();
        for share in letter.envelope.values(&field).filter_map(Share::read) {
            if !self.shares.contains(&share) {
                self.shares.push(share);
            }
        }
    }

    /// The records that follow one that is known: its hash, and how many there are up to it.
    ///
    /// # Errors
    /// Two records follow the same one.
    pub fn after(&self, mut head: Hash, mut records: u64) -> Result<Vec<u8>, NotRebuilt> {
        let mut log = Vec::new();
        while let Some((hash, record)) = self.next(head, records)? {
            log.extend_from_slice(record);
            (head, records) = (hash, records + 1);
        }
        Ok(log)
    }

    /// The record with this number that follows one with this hash.
    fn next(&self, head: Hash, number: u64) -> Result<Option<(Hash, &Vec<u8>)>, NotRebuilt> {
        let prev = format!("\nprev: \"{head}\"\n");
        let follows = |record: &[u8]| record.windows(prev.len()).any(|window| window == prev.as_bytes());
        let next = self.records.get(&number).into_iter().flatten().filter(|(_, record)| follows(record));
        let mut next: Vec<(&Hash, &Vec<u8>)> = next.collect();
        let found = next.pop().map(|(hash, record)| (*hash, record));
        if next.is_empty() { Ok(found) } else { Err(NotRebuilt::Forked { seq: number }) }
    }

    /// Puts the log together, record by record as their hashes join them.
    ///
    /// # Errors
    /// There is no first record, or more than one, or two records follow the same one.
    pub fn rebuild(&self, name: &str, game: Option<GameId>) -> Result<Rebuilt, NotRebuilt> {
        let first = self.records.get(&0).into_iter().flatten();
        let mut games: Vec<(GameId, Hash, &Vec<u8>)> = first
            .filter_map(|(hash, record)| match Entry::read(record).ok()?.body {
                Body::Genesis(genesis) if genesis.name == name => Some((genesis.game, *hash, record)),
                _ => None,
            })
            .filter(|(found, ..)| game.is_none_or(|game| game == *found))
            .collect();
        let Some((game, mut head, record)) = games.pop() else {
            return Err(NotRebuilt::NoBeginning { name: name.to_owned() });
        };
        if !games.is_empty() {
            let games = games.iter().map(|(game, ..)| *game).chain([game]).collect();
            return Err(NotRebuilt::SeveralGames { name: name.to_owned(), games });
        }
        let (mut log, mut records) = (record.clone(), 1);
        while let Some((hash, record)) = self.next(head, records)? {
            log.extend_from_slice(record);
            (head, records) = (hash, records + 1);
        }
        let beyond = self.records.keys().next_back().copied().filter(|last| *last >= records);
        Ok(Rebuilt { game, log, records, head, beyond })
    }
}
