/*! Another host: the old one hands the game over, or the seats adopt it when he has vanished.

A host who adopts a game has the log and, from the shares of all seats, the dealer's root; the old host's chain of
links is lost. So he announces a new chain. It is taken up when every seat that is not his own has consented with
words. Since the seats choose these after the anchor is published, he has nothing left to choose. Until then nothing is
played. Only the old host knew the order books; they are empty from here on.
*/

use super::Fold;
use super::adoption::Adoption;
use super::possible::Contributed;
use crate::commit::escrow;
use crate::commit::signature::{self, PublicKey, Signature};
use crate::entry::Entry;
use crate::entry::body::{ConsentGiven, Host, Hosting};
use crate::problem::rule::Rule;
use crate::problem::{Problem, value};
use engine::seat::Seat;
use ground::hash::Hash;
use std::collections::BTreeSet;
use std::fmt;

/// What the old host signs when he hands a game over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handover {
    pub game: ground::hash::GameId,
    /// The head after which the new host goes on.
    pub head: Hash,
    pub key: PublicKey,
}

impl fmt::Display for Handover {
    /// The bytes that are signed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "ringmail-host/1")?;
        writeln!(f, "game {}", self.game)?;
        writeln!(f, "head {}", self.head)?;
        writeln!(f, "host {}", self.key)
    }
}

impl Fold {
    /// Takes in a record by which another host goes on.
    pub(crate) fn change_host(
        &mut self,
        entry: &Entry,
        host: &Host,
        problems: &mut Vec<Problem>,
    ) -> Result<(), Problem> {
        let key = host.host_key.as_deref().and_then(|key| PublicKey::read(key).ok());
        let key =
            key.ok_or_else(|| value(Rule::HostKey, "host_key", "the key with which the new host signs", "none"))?;
        let mut plays = BTreeSet::new();
        for word in &host.plays {
            let seat = self.plan.seat(word).ok_or_else(|| Problem::UnknownSeat { found: word.to_string() })?;
            plays.insert(seat.0);
        }
        for consent in &host.consents {
            if self.plan.seat(&consent.seat).is_none() {
                problems.push(Problem::UnknownSeat { found: consent.seat.to_string() });
            }
        }
        match (host.what, host.anchor) {
            (Hosting::Handover, None) if self.adoption.is_some() => {
                // Nobody is the host then: the old one is said to be gone, and the new one has no consent yet.
                return Err(value(Rule::HostWaits, "what", "adoption, as a new host waits for consent", "handover"));
            }
            (Hosting::Handover, None) => {
                self.tenures.begins(key, entry.seq);
                self.check_handover(entry, host, key, problems);
                self.check_hosted(&plays, problems);
            }
            (Hosting::Adoption, Some(anchor)) => {
                if host.sig.is_some() {
                    problems.push(value(Rule::HostSig, "sig", "left out, as the old host is gone", "a signature"));
                }
                self.begin_adoption(entry.seq, anchor, &plays)?;
                self.tenures.waits(key, entry.seq);
            }
            _ => return Err(value(Rule::HostAnchor, "anchor", "there in an adoption, and only there", "a mismatch")),
        }
        self.tally.hosts += 1;
        self.plan.host_key = Some(key);
        for (index, seat) in self.plan.seats.iter_mut().enumerate() {
            let number = Seat::at(index).0;
            seat.hosted = plays.contains(&number);
            seat.at_keyboard = seat.hosted;
            seat.program = seat.program.filter(|_| seat.hosted);
            if seat.hosted {
                self.signers.registers(Seat(number), None);
            }
        }
        Ok(())
    }

    /// The old host signs that another goes on. The host of an old game may have no key to sign with.
    fn check_handover(&self, entry: &Entry, host: &Host, key: PublicKey, problems: &mut Vec<Problem>) {
        let Some(old) = self.plan.host_key else {
            problems.extend(host.sig.as_ref().map(|_| Problem::HandoverWithoutKey));
            return;
        };
        let text = Handover { game: self.plan.game, head: entry.prev, key }.to_string();
        let signature = host.sig.as_deref().ok_or(signature::NotSigned::Damaged).and_then(Signature::read);
        let checked = signature.and_then(|signature| signature.check(&[old], signature::HOST, text.as_bytes()));
        if let Err(why) = checked {
            problems.push(Problem::HandoverUnsigned { why });
        }
    }

    /// The host can only hand over seats that he plays. An act that was typed for one of his seats must be played
    /// before nobody is left to type for it.
    fn check_hosted(&self, plays: &BTreeSet<u8>, problems: &mut Vec<Problem>) {
        let is_hosted = |seat: Seat| self.plan.seats[seat.index()].hosted;
        let word = |seat: Seat| self.plan.word(seat).to_string();
        let foreign = plays.iter().map(|seat| Seat(*seat)).find(|seat| !is_hosted(*seat));
        problems.extend(foreign.map(|seat| Problem::NotHosted { seat: word(seat) }));
        let mut waiting = self.receipts.waiting().filter_map(|receipt| Some((receipt.seat?, receipt.seq)));
        let is_left = |(seat, _): &(Seat, u64)| is_hosted(*seat) && !plays.contains(&seat.0);
        let left = waiting.find(is_left);
        problems.extend(left.map(|(seat, receipt)| Problem::ActWaits { seat: word(seat), receipt }));
    }

    fn begin_adoption(&mut self, seq: u64, anchor: Hash, plays: &BTreeSet<u8>) -> Result<(), Problem> {
        if self.escrow.is_empty() {
            return Err(value(
                Rule::HostShares,
                "what",
                "handover, as the seats of this game have no shares of the root",
                "adoption",
            ));
        }
        // The seats that the old host held go with him.
        let seats = self.plan.seats.iter().enumerate().filter(|(_, seat)| !seat.hosted);
        let numbers: BTreeSet<u8> = seats.map(|(index, _)| Seat::at(index).0).collect();
        let waits_for: BTreeSet<u8> = numbers.difference(plays).copied().collect();
        if waits_for.is_empty() {
            return Err(value(Rule::HostConsent, "plays", "not every seat: somebody else must consent", "all of them"));
        }
        self.lose_books();
        self.receipts.clear();
        self.possible.host_chooses(seq);
        self.adoption = Some(Adoption { seq, waits_for, anchor });
        Ok(())
    }

    /// Takes in the consent of a seat to the new host. The last consent takes up his chain.
    pub(crate) fn consent(&mut self, entry: &Entry, given: &ConsentGiven) -> Result<(), Problem> {
        let seat = self.writer(entry)?;
        let Some(adoption) = &mut self.adoption else {
            return Err(value(
                Rule::ConsentTo,
                "to",
                "the record of a new host who waits for consent",
                &given.to.to_string(),
            ));
        };
        if adoption.seq != given.to || !adoption.waits_for.remove(&seat.0) {
            return Err(value(
                Rule::ConsentTo,
                "to",
                "a record to which the seat has not consented yet",
                &given.to.to_string(),
            ));
        }
        let seen = self.seen(entry);
        let ledger = self.ledger.as_mut().expect("a game that is played has started");
        ledger.absorb_phrase(seat.0, given.phrase.as_deref().unwrap_or(""));
        self.possible.contributes(Contributed { seat, seq: entry.seq, seen });
        if let Some(done) = self.adoption.take_if(|adoption| adoption.waits_for.is_empty()) {
            ledger.adopt(done.anchor);
            self.possible.is_complete(entry.seq, &self.plan.players());
            self.tenures.is_consented(entry.seq);
        }
        Ok(())
    }

    /// Checks the commitments to the shares in the start: if shares were promised, each seat that the host does not
    /// play has one.
    pub(crate) fn check_escrow(&mut self, start: &crate::entry::body::Start) -> Result<(), Problem> {
        let seats = self.plan.seats.iter().enumerate().filter(|(_, seat)| !seat.hosted);
        let expected: Vec<&str> = match self.plan.escrow {
            Some(_) => seats.map(|(_, seat)| seat.word.as_str()).collect(),
            None => Vec::new(),
        };
        let found: Vec<&str> = start.escrow.iter().map(|share| &*share.seat).collect();
        if expected != found {
            return Err(value(
                Rule::StartEscrow,
                "escrow",
                &format!("shares of: {}", expected.join(", ")),
                &found.join(", "),
            ));
        }
        let share = |share: &crate::entry::body::Escrowed| Some((self.plan.seat(&share.seat)?.0, share.digest));
        self.escrow = start.escrow.iter().filter_map(share).collect();
        Ok(())
    }

    /// At the end, checks that the start committed to the true shares.
    pub(crate) fn check_shares(&self, root: &Hash, problems: &mut Vec<Problem>) {
        let seats: Vec<u8> = self.escrow.iter().map(|(seat, _)| *seat).collect();
        for ((seat, share), (_, digest)) in escrow::shares(root, &seats).iter().zip(&self.escrow) {
            if escrow::commitment(&self.plan.game, *seat, share) != *digest {
                problems.push(Problem::FalseShare { seat: self.plan.word(Seat(*seat)).to_string() });
            }
        }
    }

    /// The seats that have shares of the root, and the log's commitment to each share.
    pub fn escrow(&self) -> &[(u8, Hash)] {
        &self.escrow
    }

    /// The adoption that waits for consent.
    pub fn adoption(&self) -> Option<&Adoption> {
        self.adoption.as_ref()
    }
}
