//! What a fold has come to: questions that do not change it.

use super::council::Council;
use super::foresight::Foresight;
use super::ledger::Ledger;
use super::masks::Masks;
use super::possible::Possible;
use super::signers::Signers;
use super::tally::Tally;
use super::tenure::Tenures;
use super::{Fold, Phase};
use crate::charter::plan::Plan;
use crate::commit::checkpoint::Checkpoint;
use crate::commit::signature::PublicKey;
use crate::entry::Head;
use engine::facts::{Change, Facts};
use engine::game::Game;
use engine::need::{Need, Question};
use engine::seat::Seat;
use engine::slot::Faces;
use ground::hash::Hash;
use ground::stamp::Stamp;
use std::collections::BTreeSet;

impl Fold {
    /// The question that the game waits for while it is being played.
    pub fn asked(&self) -> Option<Question> {
        match self.need() {
            Need::Question(question) if self.phase == Phase::Playing => Some(question),
            _ => None,
        }
    }

    /// What the game waits for, in words.
    pub fn waits_for(&self) -> String {
        match self.need() {
            _ if self.phase == Phase::Joining => "everybody to join, and the start".to_string(),
            Need::Question(question) => format!("{} ({})", self.plan.word(question.seat), question.id),
            need => need.kind().to_string(),
        }
    }

    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    pub fn phase(&self) -> Phase {
        self.phase
    }

    pub fn head(&self) -> Head {
        self.head
    }

    /// How far the log has come, as its host signs it.
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint { game: self.plan.game, records: self.head.seq + 1, head: self.head.hash, at: self.at }
    }

    /// The time of the last record.
    pub fn at(&self) -> Stamp {
        self.at
    }

    pub fn game(&self) -> &dyn Game {
        &*self.game
    }

    /// The game, to make it forget its news. Only records may change it otherwise.
    pub fn game_mut(&mut self) -> &mut dyn Game {
        &mut *self.game
    }

    /// The faces that this fold knows.
    pub fn faces(&self) -> &Faces {
        &self.faces
    }

    pub fn masks(&self) -> &Masks {
        &self.masks
    }

    /// What the players have agreed on outside the rules.
    pub fn council(&self) -> &Council {
        &self.council
    }

    /// The hash of the first record. A game made anew has another.
    pub fn genesis(&self) -> Hash {
        self.genesis
    }

    /// Who could have chosen or foreseen the dice so far.
    pub fn possible(&self) -> &Possible {
        &self.possible
    }

    pub fn ledger(&self) -> Option<&Ledger> {
        self.ledger.as_ref()
    }

    /// The keys with which a seat signs now.
    pub fn keys(&self, seat: Seat) -> &[PublicKey] {
        self.signers.keys(seat)
    }

    /// The key with which the host signs his checkpoints now.
    pub fn host_key(&self) -> Option<PublicKey> {
        self.plan.host_key
    }

    /// The keys of the hosts so far, and for which records each counts.
    pub fn tenures(&self) -> &Tenures {
        &self.tenures
    }

    /// The hashes of the domain keys that the log dates.
    pub fn domain_keys(&self) -> &BTreeSet<Hash> {
        &self.domain_keys
    }

    /// The seats' keys, and what was signed with them.
    pub fn signers(&self) -> &Signers {
        &self.signers
    }

    /// All facts after the last record; empty before the start.
    pub fn facts(&self) -> Facts {
        let mut facts = Facts::with_room();
        if self.phase > Phase::Joining {
            self.game.facts(&mut facts);
        }
        facts
    }

    /// The facts that the last record changed.
    pub fn change(&self) -> &Change {
        &self.change
    }

    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Whether the fold had to stop following the game before the last record.
    pub fn is_broken(&self) -> bool {
        self.broken
    }

    /// The hashes of the Message-IDs by which players have joined.
    pub fn messages(&self) -> impl Iterator<Item = (Seat, Hash)> {
        let seats = self.joined.iter().enumerate();
        seats.filter_map(|(index, joined)| {
            let message = joined.as_ref()?.contribution.message;
            (message != Hash::ZERO).then_some((Seat::at(index), message))
        })
    }

    /// The hash of the record by which the game started. It covers what each seat has joined with.
    pub fn start_hash(&self) -> Option<Hash> {
        self.start_hash
    }

    /// Whether a seat has joined.
    pub fn has_joined(&self, seat: Seat) -> bool {
        self.joined[seat.index()].is_some()
    }

    /// All cards whose place this fold knows, including those that the log has not shown yet.
    pub(crate) fn all_faces(&self) -> &Faces {
        self.foresight.as_ref().map_or(&self.faces, Foresight::faces)
    }

    /// The dealer's root, if it is known or foreseen.
    pub(crate) fn any_root(&self) -> Option<&Hash> {
        self.root.as_ref().or(self.foresight.as_ref().map(Foresight::root))
    }
}
