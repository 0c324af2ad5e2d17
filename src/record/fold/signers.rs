/*! Who may sign for which seat, and what has been signed: so that a signature serves once, and only on this history. */

use crate::engine::seat::Seat;
use crate::record::commit::signature::PublicKey;
use crate::record::entry::Head;
use crate::record::entry::body::Text;
use crate::record::value::hash::Hash;
use std::collections::BTreeSet;

/// The keys of the seats, and the heads they may have seen.
#[derive(Clone, Debug)]
pub struct Signers {
    keys: Vec<Vec<PublicKey>>,
    /// The hashes of all records so far, by number, once somebody has a key.
    heads: Vec<Hash>,
    first: u64,
    used: BTreeSet<(u8, u64, u32)>,
}

/// What the number of a signed sentence says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    First,
    /// The same sentence of the same letter was played before.
    Again,
    /// It was signed on a head that this history does not have.
    Elsewhere,
}

impl Signers {
    pub fn new(seats: usize) -> Signers {
        Signers { keys: vec![Vec::new(); seats], heads: Vec::new(), first: 0, used: BTreeSet::new() }
    }

    /// A seat announces its keys. What is no key of a kind that is checked here can sign nothing.
    pub fn announce(&mut self, seat: Seat, keys: &[Text]) {
        self.keys[seat.index()] = keys.iter().filter_map(|key| PublicKey::read(key).ok()).collect();
    }

    /// The keys with which a seat signs.
    pub fn keys(&self, seat: Seat) -> &[PublicKey] {
        &self.keys[seat.index()]
    }

    /// Takes note of a head that can be seen from now on.
    pub fn saw(&mut self, head: Head) {
        if self.keys.iter().all(Vec::is_empty) {
            return;
        }
        if self.heads.is_empty() {
            self.first = head.seq;
        }
        self.heads.push(head.hash);
    }

    /// Whether a sentence of this number, signed on this head, may be played; afterwards it may not.
    pub fn use_up(&mut self, seat: Seat, head: Hash, number: u32) -> Use {
        let judged = self.judge(seat, head, number);
        if let (Use::First, Some(seq)) = (judged, self.seq_of(head)) {
            self.used.insert((seat.0, seq, number));
        }
        judged
    }

    /// What would be said of a sentence of this number, signed on this head.
    pub fn judge(&self, seat: Seat, head: Hash, number: u32) -> Use {
        match self.seq_of(head) {
            None => Use::Elsewhere,
            Some(seq) if self.used.contains(&(seat.0, seq, number)) => Use::Again,
            Some(_) => Use::First,
        }
    }

    /// The number of the record that has this hash.
    pub fn seq_of(&self, head: Hash) -> Option<u64> {
        // Letters answer what is new: the search begins at the end.
        self.heads.iter().rposition(|seen| *seen == head).map(|found| self.first + found as u64)
    }
}
