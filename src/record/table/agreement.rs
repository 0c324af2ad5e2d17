//! Records of what the players agree on outside the rules: motions, votes, concessions, disputes, corrections.

use super::Table;
use super::table_error::TableError;
use crate::entry::body::{Ballot, Concede, Consent, Correcting, Correction, Dispute, Motion, Text, Via, Vote};
use crate::entry::{Body, HOST, Head};
use crate::fold::council::{Moved, Proposal};
use crate::problem::Check;
use engine::seat::Seat;
use ground::hash::Hash;
use ground::stamp::Stamp;

/// A seat that changes hands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandedOver {
    pub seat: Seat,
    /// The name of the player who takes it.
    pub player: String,
    pub text: String,
}

impl Table {
    /// Records a note of the host.
    pub fn note(&mut self, text: &str, at: Stamp) -> Result<Vec<Head>, TableError> {
        self.correct(plain(text), at)
    }

    fn correct(&mut self, correction: Correction<'_>, at: Stamp) -> Result<Vec<Head>, TableError> {
        let mut heads = vec![self.add(HOST.to_string(), None, Body::Correction(correction), at)?];
        heads.extend(self.settle(at)?);
        Ok(heads)
    }

    /// A player gives his seat away: it becomes free for another player.
    pub fn give_away(&mut self, seat: Seat, via: Via, at: Stamp) -> Result<Vec<Head>, TableError> {
        let proposal = Proposal { of: Some(seat), ..Proposal::new(Correcting::Seat, "given away by its player") };
        self.propose(seat, &proposal, Some(via), at)
    }

    /// Whether nobody can take a seat at this moment: any waiting receipt, or an order of the seat that answers the
    /// open question, comes first.
    pub fn must_wait(&self, seat: Seat, at: Stamp) -> bool {
        self.fold.receipts().waiting().next().is_some() || self.has_order_due(seat, at)
    }

    /// Another player takes a free seat. The post takes care of his letters, and of the old player's.
    pub fn hand_over(&mut self, handed: &HandedOver, at: Stamp) -> Result<Vec<Head>, TableError> {
        self.hand_over_to(handed, None, at)
    }

    /// Like [`Table::hand_over`], with the commitment to the address from which the new player writes.
    pub fn hand_over_to(
        &mut self,
        handed: &HandedOver,
        address: Option<Hash>,
        at: Stamp,
    ) -> Result<Vec<Head>, TableError> {
        let correction = Correction {
            what: Correcting::Seat,
            of: Some(Text::from(self.word(handed.seat))),
            player: Some(Text::from(handed.player.clone())),
            address,
            ..plain(&handed.text)
        };
        self.correct(correction, at)
    }

    /// A seat proposes something, and thereby agrees to it.
    pub fn propose(
        &mut self,
        seat: Seat,
        proposal: &Proposal,
        via: Option<Via>,
        at: Stamp,
    ) -> Result<Vec<Head>, TableError> {
        let mut heads = vec![self.add(self.word(seat), via, self.motion(proposal), at)?];
        heads.extend(self.settle(at)?);
        Ok(heads)
    }

    /// Checks whether a seat may propose this, and changes nothing.
    pub fn may_propose(&self, seat: Seat, proposal: &Proposal, at: Stamp) -> Result<(), TableError> {
        self.rehearsed(seat, self.motion(proposal), at)
    }

    fn motion(&self, proposal: &Proposal) -> Body<'static> {
        Body::Motion(Motion {
            what: proposal.what,
            to: proposal.to,
            of: proposal.of.map(|seat| Text::from(self.word(seat))),
            key: proposal.key.clone().map(Text::from),
            rules: proposal.rules.clone().map(Text::from),
            text: Text::from(proposal.text.clone()),
            until: proposal.until,
        })
    }

    /// Checks whether a seat may vote like this, and changes nothing.
    pub fn may_vote(&self, seat: Seat, motion: u64, says: Ballot, at: Stamp) -> Result<(), TableError> {
        self.rehearsed(seat, Body::Vote(Vote { motion, says }), at)
    }

    /// Whether the table would accept an act of a seat, whatever its class.
    fn rehearsed(&self, seat: Seat, body: Body<'_>, at: Stamp) -> Result<(), TableError> {
        match self.checked(self.word(seat), None, body, None, at) {
            Err(TableError::Unsound(mut problems)) => {
                problems.retain(|problem| problem.check() != Check::Authority);
                if problems.is_empty() { Ok(()) } else { Err(TableError::Unsound(problems)) }
            }
            checked => checked.map(drop),
        }
    }

    /// A seat votes on a motion. A motion that is carried is done at once.
    pub fn vote(
        &mut self,
        seat: Seat,
        motion: u64,
        says: Ballot,
        via: Option<Via>,
        at: Stamp,
    ) -> Result<Vec<Head>, TableError> {
        let mut heads = vec![self.add(self.word(seat), via, Body::Vote(Vote { motion, says }), at)?];
        heads.extend(self.settle(at)?);
        Ok(heads)
    }

    /// A seat gives the game up.
    pub fn concede(
        &mut self,
        seat: Seat,
        text: Option<&str>,
        via: Option<Via>,
        at: Stamp,
    ) -> Result<Vec<Head>, TableError> {
        let body = Body::Concede(Concede { text: text.map(|text| Text::from(text.to_string())) });
        let mut heads = vec![self.add(self.word(seat), via, body, at)?];
        heads.extend(self.settle(at)?);
        Ok(heads)
    }

    /// A seat objects to an entry.
    pub fn dispute(
        &mut self,
        seat: Seat,
        about: u64,
        text: &str,
        via: Option<Via>,
        at: Stamp,
    ) -> Result<Head, TableError> {
        let body = Body::Dispute(Dispute { about, text: Text::from(text.to_string()) });
        self.add(self.word(seat), via, body, at)
    }

    /// Carries out a motion, if one is carried.
    pub(crate) fn carry_out(&mut self, at: Stamp) -> Result<Option<Head>, TableError> {
        let Some(moved) = self.fold.council().carried().cloned() else { return Ok(None) };
        let Moved { seq, ayes, proposal: Proposal { what, to, of, key, rules, until, text }, .. } = moved;
        let correction = Correction {
            what,
            to,
            consents: self.consents(&ayes),
            motion: Some(seq),
            of: of.map(|seat| Text::from(self.word(seat))),
            key: key.map(Text::from),
            rules: rules.map(Text::from),
            until,
            ..plain(&text)
        };
        self.add(HOST.to_string(), None, Body::Correction(correction), at).map(Some)
    }

    pub(crate) fn consents(&self, agreed: &[(Seat, Option<Hash>)]) -> Vec<Consent<'static>> {
        agreed.iter().map(|(seat, raw)| Consent { seat: Text::from(self.word(*seat)), raw: *raw }).collect()
    }
}

/// A ruling with nothing but its text, as the base of other corrections.
pub(crate) fn plain(text: &str) -> Correction<'static> {
    Correction {
        what: Correcting::Ruling,
        to: None,
        text: Text::from(text.to_string()),
        consents: Vec::new(),
        motion: None,
        of: None,
        player: None,
        key: None,
        rules: None,
        until: None,
        address: None,
    }
}
