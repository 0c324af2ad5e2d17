/*! A log rebuilt from a player's mail: every letter brings the records that its reader did not have yet, so all of
them, one after the other, are the log. The chain of hashes puts the records in order, not the order of the mail.
*/

use crate::names::field;
use crate::witness::{self, LIMITS, attached};
use ground::hash::{GameId, Hash, sha256};
use mail::letter::{self, Letter};
use record::commit::checkpoint::Noted;
use record::commit::escrow;
use record::entry::{Body, Entry, Head};
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::Path;

/// How deep letters within letters are searched: a forwarded one may itself have been forwarded.
const FORWARDED_MAX: u32 = 2;

/// A seat's share of the dealer's root, as the seat's letters carry it.
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
    pub fn read(line: &str) -> Option<Share> {
        let mut words = line.split_whitespace();
        let (game, seat) = (GameId::parse(words.next()?)?, words.next()?.to_owned());
        Some(Share { game, seat, share: escrow::read(words.next()?)? })
    }
}

/// What mailboxes contain of one game.
#[derive(Debug, Default)]
pub struct Found {
    /// The records that were found, by their numbers, and by their hashes if several have the same number.
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
    /// The greatest number of a record in the mail, if the log ends before it.
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
    /// Searches a mailbox for the records of a game of this name.
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
        attached.records.into_iter().for_each(|(seq, record)| self.take(seq, record));
        let field = field::SHARE.to_ascii_lowercase();
        for share in letter.envelope.values(&field).filter_map(Share::read) {
            if !self.shares.contains(&share) {
                self.shares.push(share);
            }
        }
    }

    /// Takes the records of a game of this name from a letter, or from letters attached to it, no matter who wrote
    /// them. Returns the checkpoints in them, and whether they brought a record.
    pub fn shown(&mut self, raw: &[u8], name: &str) -> (Vec<Noted>, bool) {
        self.shown_in(raw, name, FORWARDED_MAX)
    }

    fn shown_in(&mut self, raw: &[u8], name: &str, depth: u32) -> (Vec<Noted>, bool) {
        let mut noted = witness::checkpoints(&Letter::open(raw, &LIMITS));
        let mut has_records = false;
        for (file, bytes) in letter::attachments(raw, &LIMITS).unwrap_or_default() {
            if file.starts_with(&format!("{name}-")) && file.ends_with(".yaml") {
                for (seq, record) in witness::records(&bytes) {
                    has_records = true;
                    self.take(seq, record);
                }
            } else if depth > 0 && !bytes.is_empty() {
                let (more, brought) = self.shown_in(&bytes, name, depth - 1);
                noted.extend(more);
                has_records |= brought;
            }
        }
        (noted, has_records)
    }

    /// Takes a record.
    pub fn take(&mut self, seq: u64, record: Vec<u8>) {
        self.records.entry(seq).or_default().insert(sha256(&record), record);
    }

    /// The records that lead to one that is vouched for, found backwards from there, with their numbers and hashes;
    /// only those after the record with number `known`. Invented records are not in that chain.
    pub fn leading_to(&self, vouched: Head, known: u64) -> Vec<(Head, &Vec<u8>)> {
        let (mut chain, mut wanted) = (Vec::new(), vouched);
        while wanted.seq > known {
            let record = self.records.get(&wanted.seq).and_then(|records| records.get(&wanted.hash));
            let Some(record) = record else { break };
            chain.push((wanted, record));
            let Some(hash) = witness::prev(record) else { break };
            wanted = Head { seq: wanted.seq - 1, hash };
        }
        chain
    }

    /// The records after one, up to another that is vouched for, found backwards from there: other records with these
    /// numbers do not matter.
    ///
    /// # Errors
    /// The number of the missing record, the last one if several are missing.
    pub fn between(&self, known: Head, vouched: Head) -> Result<Vec<u8>, u64> {
        let (mut chain, mut wanted) = (Vec::new(), vouched);
        while wanted.seq > known.seq {
            let record = self.records.get(&wanted.seq).and_then(|records| records.get(&wanted.hash));
            let record = record.ok_or(wanted.seq)?;
            chain.push(record.as_slice());
            wanted = Head { seq: wanted.seq - 1, hash: witness::prev(record).ok_or(wanted.seq)? };
        }
        if wanted != known {
            return Err(wanted.seq);
        }
        chain.reverse();
        Ok(chain.concat())
    }

    /// The records that follow a known one, given its hash and the number of records up to it. Fails only with
    /// [`NotRebuilt::Forked`].
    pub fn after(&self, mut head: Hash, mut records: u64) -> Result<Vec<u8>, NotRebuilt> {
        let mut log = Vec::new();
        while let Some((hash, record)) = self.next(head, records)? {
            log.extend_from_slice(record);
            (head, records) = (hash, records + 1);
        }
        Ok(log)
    }

    /// The record with this number that follows the one with this hash.
    fn next(&self, head: Hash, number: u64) -> Result<Option<(Hash, &Vec<u8>)>, NotRebuilt> {
        let prev = format!("\nprev: \"{head}\"\n");
        let follows = |record: &[u8]| record.windows(prev.len()).any(|window| window == prev.as_bytes());
        let next = self.records.get(&number).into_iter().flatten().filter(|(_, record)| follows(record));
        let mut next: Vec<(&Hash, &Vec<u8>)> = next.collect();
        let found = next.pop().map(|(hash, record)| (*hash, record));
        if next.is_empty() { Ok(found) } else { Err(NotRebuilt::Forked { seq: number }) }
    }

    /// Puts the log together, record by record as their hashes join them.
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
