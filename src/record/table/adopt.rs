/*! Another host at the table: how he takes a game up, and how the seats consent. */

use super::Table;
use super::table_error::TableError;
use crate::commit::escrow;
use crate::commit::signature::{self, PublicKey, SigningKey};
use crate::entry::body::{Consent, ConsentGiven, Host, Hosting, Text, Via};
use crate::entry::{Body, HOST, Head};
use crate::file::secrets::{SeatSecrets, Secrets};
use crate::fold::hosting::Handover;
use crate::fold::{Fold, Phase};
use engine::seat::Seat;
use ground::hash::Hash;
use ground::stamp::Stamp;
use thiserror::Error;

/// Why a game cannot be adopted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotAdopted {
    /// The game is not being played.
    #[error("the game is not being played, so nobody need go on with it")]
    NotPlaying,
    /// The game was started without shares.
    #[error(
        "the game was started without shares of the dealer's root (`ringmail new --escrow seats`): what lies face down \
         was known to the vanished host alone, and without it no card can be drawn, shown or proved. The log stands \
         as it is, and verifies"
    )]
    NoShares,
    /// The shares of these seats are missing.
    #[error(
        "the dealer's root needs the share of every seat, and these are missing: {}. Each stands in the header of all \
         letters to its seat (`ringmail handover share`)",
        .0.join(", ")
    )]
    Missing(Vec<String>),
    /// This is not the seat's share.
    #[error("this is not the share of {0} that the log committed to")]
    False(String),
    /// The shares are those committed to, but do not add up to the root: the old host gave out shares of something
    /// else.
    #[error("the shares are those of the log, but their sum is not the root: the old host gave out false ones")]
    OtherRoot,
}

/// The dealer's root, summed from the shares of the seats.
pub fn root_of(fold: &Fold, shares: &[(Seat, Hash)]) -> Result<Hash, NotAdopted> {
    if fold.phase() != Phase::Playing {
        return Err(NotAdopted::NotPlaying);
    }
    if fold.escrow().is_empty() {
        return Err(NotAdopted::NoShares);
    }
    let plan = fold.plan();
    let mut found = Vec::new();
    let mut missing = Vec::new();
    for (number, digest) in fold.escrow() {
        let word = || plan.word(Seat(*number)).to_string();
        match shares.iter().find(|(seat, _)| seat.0 == *number) {
            None => missing.push(word()),
            Some((_, share)) if escrow::commitment(&plan.game, *number, share) != *digest => {
                return Err(NotAdopted::False(word()));
            }
            Some((_, share)) => found.push(share),
        }
    }
    if !missing.is_empty() {
        return Err(NotAdopted::Missing(missing));
    }
    let root = escrow::sum(found.into_iter());
    if crate::commit::deck::root_commitment(&plan.game, 0, &root) == plan.root {
        Ok(root)
    } else {
        Err(NotAdopted::OtherRoot)
    }
}

/// The secrets of the adopter: the old root, and everything else new. The links of the old host are lost.
pub fn secrets(fold: &Fold, root: Hash, seats: Vec<SeatSecrets>) -> Result<Secrets, getrandom::Error> {
    let new = Secrets::random()?;
    let adopter = Some(new.root);
    Ok(Secrets { game: fold.plan().game, root, adopter, seats, ..new })
}

impl Table {
    /// Announces that another host goes on with the game of a vanished one. Nothing is played before the seats
    /// consent.
    pub fn adopt(&mut self, plays: &[Seat], why: &str, at: Stamp) -> Result<Head, TableError> {
        if self.fold.ledger().is_none() {
            return Err(TableError::NotNow { why: "the game has not started" });
        }
        let host = Host {
            what: Hosting::Adoption,
            host_key: self.host_key().map(|key| Text::from(key.to_string())),
            anchor: Some(self.chain.anchor()),
            plays: self.held(plays),
            text: Text::from(why.to_string()),
            consents: Vec::new(),
            sig: None,
        };
        self.add(HOST.to_string(), None, Body::Host(host), at)
    }

    /// Records a seat's consent to the new host; when all have consented, the game goes on.
    pub fn consent(&mut self, seat: Seat, phrase: &str, via: Option<Via>, at: Stamp) -> Result<Vec<Head>, TableError> {
        let to = self.may_consent(seat)?;
        let phrase = (!phrase.is_empty()).then(|| Text::from(phrase.to_string()));
        let body = Body::Consent(ConsentGiven { to, phrase });
        let mut heads = vec![self.add(self.word(seat), via, body, at)?];
        if self.fold.adoption().is_none() {
            heads.extend(self.settle(at)?);
        }
        Ok(heads)
    }

    /// Checks the consent of a seat and changes nothing. Returns the record it consents to.
    pub fn may_consent(&self, seat: Seat) -> Result<u64, TableError> {
        let adoption = self.fold.adoption().filter(|adoption| adoption.waits_for.contains(&seat.0));
        Ok(adoption.ok_or(TableError::NotNow { why: "no new host waits for the consent of this seat" })?.seq)
    }

    /// The seats that a new host holds: those that he plays, and those that a program plays.
    fn held(&self, plays: &[Seat]) -> Vec<Text<'static>> {
        let seats = self.fold.plan().seats.iter().enumerate();
        let is_held = |seat: Seat, by_program: bool| by_program || plays.contains(&seat);
        let held = seats.filter(|(index, seat)| is_held(Seat::at(*index), seat.program.is_some()));
        held.map(|(_, seat)| Text::from(seat.word.clone())).collect()
    }

    /// Hands the game over, with seats that this host plays. It is the last record that he writes.
    ///
    /// # Errors
    /// Among others: an act typed for a seat that he keeps still waits for its round.
    pub fn hand_host_over(
        &mut self,
        key: PublicKey,
        plays: &[Seat],
        why: &str,
        consents: &[(Seat, Option<Hash>)],
        at: Stamp,
    ) -> Result<Head, TableError> {
        if self.fold.phase() != Phase::Playing {
            return Err(TableError::NotNow { why: "the game is not being played" });
        }
        if plays.iter().any(|seat| !self.fold.plan().seats[seat.index()].hosted) {
            return Err(TableError::NotNow { why: "a host hands over the seats that he plays, and no other" });
        }
        let text = Handover { game: self.fold.plan().game, head: self.fold.head().hash, key }.to_string();
        let signing = self.secrets.host_key.map(|seed| SigningKey::of_seed(&seed));
        let sig = signing.map(|old| Text::from(old.sign(signature::HOST, text.as_bytes()).in_one_line()));
        let consent = |(seat, raw): &(Seat, Option<Hash>)| Consent { seat: Text::from(self.word(*seat)), raw: *raw };
        let host = Host {
            what: Hosting::Handover,
            host_key: Some(Text::from(key.to_string())),
            anchor: None,
            plays: self.held(plays),
            text: Text::from(why.to_string()),
            consents: consents.iter().map(consent).collect(),
            sig,
        };
        self.add(HOST.to_string(), None, Body::Host(host), at)
    }

    /// The public half of the key with which this host signs.
    pub fn host_key(&self) -> Option<PublicKey> {
        self.secrets.host_key.map(|seed| SigningKey::of_seed(&seed).public)
    }

    /// The share of the root that a seat keeps; `None` if no shares were given out.
    pub fn share(&self, seat: Seat) -> Option<Hash> {
        let seats: Vec<u8> = self.fold.escrow().iter().map(|(seat, _)| *seat).collect();
        let shares = escrow::shares(&self.secrets.root, &seats);
        shares.into_iter().find(|(number, _)| *number == seat.0).map(|(_, share)| share)
    }
}
