/*! Who may sign for which seat, and what has been signed: so that a signature serves only once, only on this history,
and only in its place among the sentences of its letter.
*/

use crate::commit::signature::PublicKey;
use crate::commit::signed::{Part, SignedOn, SignedSentence};
use crate::entry::Head;
use crate::entry::body::Text;
use engine::seat::Seat;
use ground::hash::Hash;
use std::collections::BTreeMap;

/// The keys of the seats, and the heads they may have seen.
#[derive(Clone, Debug)]
pub struct Signers {
    keys: Vec<Vec<PublicKey>>,
    /// The commitments to the addresses from which the seats write.
    addresses: Vec<Option<Hash>>,
    /// The hashes of all records so far, by number, once somebody has a key.
    heads: Vec<Hash>,
    first: u64,
    /// The last number that each seat has used on each head it signed on.
    used: BTreeMap<(u8, u64, Part), u32>,
}

/// What the number of a signed sentence says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// It is the next one.
    Next,
    /// The same sentence of the same letter was played before.
    Again,
    /// An earlier one was not played yet; `next` is the next number.
    TooEarly { next: u32 },
    /// It was signed on a head that this history does not have.
    Elsewhere,
}

impl Signers {
    pub fn new(seats: usize) -> Signers {
        Signers {
            keys: vec![Vec::new(); seats],
            addresses: vec![None; seats],
            heads: Vec::new(),
            first: 0,
            used: BTreeMap::new(),
        }
    }

    /// Sets the keys of a seat. A key of a kind that is not checked here can sign nothing.
    pub fn announce(&mut self, seat: Seat, keys: &[Text]) {
        self.keys[seat.index()] = keys.iter().filter_map(|key| PublicKey::read(key).ok()).collect();
    }

    /// The keys with which a seat signs.
    pub fn keys(&self, seat: Seat) -> &[PublicKey] {
        &self.keys[seat.index()]
    }

    /// Sets the address from which a seat writes. Without an address, no letter of its domain can be checked.
    pub fn registers(&mut self, seat: Seat, address: Option<Hash>) {
        self.addresses[seat.index()] = address;
    }

    /// The commitment to the address from which a seat writes.
    pub fn address(&self, seat: Seat) -> Option<Hash> {
        self.addresses[seat.index()]
    }

    /// Notes a head that letters can have seen from now on.
    pub fn saw(&mut self, head: Head) {
        if self.keys.iter().all(Vec::is_empty) {
            return;
        }
        if self.heads.is_empty() {
            self.first = head.seq;
        }
        self.heads.push(head.hash);
    }

    /// The head after record `seq`, if a letter could have seen it and signed on it.
    pub fn head_of(&self, seq: u64) -> Option<SignedOn> {
        let index = usize::try_from(seq.checked_sub(self.first)?).ok()?;
        Some(SignedOn { seq, head: *self.heads.get(index)? })
    }

    /// Whether a signed sentence may be played now; if so, marks it as used. Where the order books are not known,
    /// lines before it may have been left there: only then may numbers be missing.
    pub fn use_up(&mut self, seat: Seat, sentence: &SignedSentence, knows_books: bool) -> Use {
        let judged = match self.judge(seat, sentence) {
            Use::TooEarly { .. } if !knows_books => Use::Next,
            judged => judged,
        };
        if judged == Use::Next {
            self.used.insert((seat.0, sentence.on.seq, sentence.part), sentence.number);
        }
        judged
    }

    /// What [`Signers::use_up`] would say of a signed sentence now. The lines of a letter are played in order without
    /// a gap; orders and requests may skip numbers, as some leave no record.
    pub fn judge(&self, seat: Seat, sentence: &SignedSentence) -> Use {
        let SignedSentence { on, part, number, .. } = sentence;
        if self.head_of(on.seq) != Some(*on) {
            return Use::Elsewhere;
        }
        let used = self.used.get(&(seat.0, on.seq, *part)).copied().unwrap_or(0);
        match *part {
            _ if *number <= used => Use::Again,
            Part::Line if *number > used + 1 => Use::TooEarly { next: used + 1 },
            Part::Line | Part::Order | Part::Request => Use::Next,
        }
    }
}
