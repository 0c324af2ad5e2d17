/*! Who may sign for which seat, and what has been signed: so that a signature serves only once, only on this history,
and only in its place among the sentences of its letter.
*/

use super::Fold;
use super::books::{Change, Does};
use super::standing::Order;
use crate::commit::signature::PublicKey;
use crate::commit::signed::{OrderRefused, Part, SignedOn, SignedSentence};
use crate::entry::body::{Auth, Text};
use crate::entry::{Entry, Head};
use crate::problem::{Problem, value};
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

    /// Whether a signed sentence may be played now; if so, marks it as used.
    pub fn use_up(&mut self, seat: Seat, sentence: &SignedSentence) -> Use {
        let judged = self.judge(seat, sentence);
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

impl Fold {
    /// Checks that the orders that a record commits to are signed where they must be, with the keys that their seat
    /// had before it, and only once. It runs before the fold follows the record, which may announce other keys.
    pub(super) fn check_signed_orders(&mut self, entry: &Entry) -> Vec<Problem> {
        let Some(known) = &self.books.known else { return Vec::new() };
        let checks = known.checks(entry.seq);
        let changes = known.changes.iter().take_while(|change| change.seq <= entry.seq);
        let changes: Vec<Change> = changes.filter(|change| checks || change.signed.is_some()).cloned().collect();
        let problems: Vec<Problem> = changes.iter().filter_map(|change| self.check_signed_order(change)).collect();
        // The host's own table only notes which numbers are used.
        if checks { problems } else { Vec::new() }
    }

    fn check_signed_order(&mut self, change: &Change) -> Option<Problem> {
        let Does::Leaves(order) = &change.does else { return None };
        let seat = change.seat;
        let Some((seen, signed)) = &change.signed else {
            let is_due = self.plan.min_auth == Auth::Ssh && !self.may_type(seat);
            return is_due.then_some(Problem::SignatureMissing);
        };
        let Some(on) = self.signers.head_of(*seen) else {
            return Some(value("seen", "a record that the seat could sign on", &seen.to_string()));
        };
        let word = self.plan.word(seat);
        let read = signed.order(self.plan.game, word, on, Part::Order).map_err(OrderRefused::NotSigned);
        let checked = read.and_then(|read| read.check(&self.plan.game, word, self.signers.keys(seat)).map(|_| read));
        let sentence = match checked {
            Ok(read) => read.sentence,
            Err(why) => return Some(Problem::Signature { why: why.to_string() }),
        };
        let number = signed.number;
        let used = self.signers.use_up(seat, &sentence);
        let meant = Order::read(&signed.words).ok().filter(|words| {
            let mut words = words.clone();
            self.name_in_order(seat, &mut words).is_ok() && words == *order
        });
        if meant.is_none() {
            return Some(Problem::SignedOtherwise { words: signed.words.clone(), said: order.to_string() });
        }
        match used {
            _ if number == 0 || number > signed.of => {
                Some(value("number", &format!("1 to {}", signed.of), &number.to_string()))
            }
            Use::Again => Some(Problem::SignedBefore { number }),
            // The signature is on a head of this history, and the numbers of orders may have gaps.
            Use::Next | Use::TooEarly { .. } | Use::Elsewhere => None,
        }
    }
}
