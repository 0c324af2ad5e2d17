//! Before the first question: the seats join, each with its contribution to the dice, and the game starts.

use super::chance::Chance;
use super::joined::Joined;
use super::ledger::{Fixed, Ledger};
use super::possible::{Contributed, HadSeen, KnownBy};
use super::{Fold, Phase};
use crate::charter::plan::is_named_twice;
use crate::commit::seed::Contribution;
use crate::entry::Entry;
use crate::entry::body::{Join, Kind, Start};
use crate::problem::rule::Rule;
use crate::problem::{Problem, value};
use engine::seat::Seat;
use ground::hash::Hash;

impl Fold {
    pub(super) fn join(&mut self, entry: &Entry, join: &Join) -> Result<(), Problem> {
        let seat = self.writer(entry)?;
        let out_of_place = |rule, why| Err(Problem::OutOfPlace { rule, kind: Kind::Join, why });
        if self.joined[seat.index()].is_some() {
            return out_of_place(Rule::JoinAgain, "the seat has joined already");
        }
        let is_hosted = self.plan.seats[seat.index()].hosted;
        let message = entry.via.as_ref().and_then(|via| via.message);
        if is_hosted {
            // The host must not bring anything into the dice that he could choose after the others have contributed;
            // and a seat that he types for writes no letters.
            for (key, is_there) in
                [("phrase", join.phrase.is_some()), ("message", message.is_some()), ("address", join.address.is_some())]
            {
                if is_there {
                    return Err(value(Rule::JoinHosted, key, "left out for a seat that the host holds", "there"));
                }
            }
            let players = self.joined.iter().zip(&self.plan.seats).filter(|(_, seat)| !seat.hosted);
            if players.into_iter().any(|(joined, _)| joined.is_some()) {
                return out_of_place(Rule::JoinOrder, "the seats of the host join before all others");
            }
        } else if self.joined.iter().zip(&self.plan.seats).any(|(joined, seat)| seat.hosted && joined.is_none()) {
            return out_of_place(Rule::JoinOrder, "the seats of the host join before all others");
        }
        if let Some(player) = &join.player {
            self.plan.seats[seat.index()].player = player.to_string();
            self.check_named_once(seat)?;
        }
        self.check_means(seat, &join.keys)?;
        self.signers.announce(seat, &join.keys);
        self.signers.registers(seat, join.address);
        let contribution = Contribution {
            phrase: join.phrase.as_deref().unwrap_or("").to_string(),
            message: message.unwrap_or(Hash::ZERO),
        };
        let seen = self.seen(entry);
        self.joined[seat.index()] = Some(Joined { contribution, seq: entry.seq, seen });
        Ok(())
    }

    pub(super) fn start(
        &mut self,
        entry: &Entry,
        start: &Start,
        chance: &mut Chance<'_>,
        problems: &mut Vec<Problem>,
    ) -> Result<(), Problem> {
        let out_of_place = |why| Err(Problem::OutOfPlace { rule: Rule::StartJoined, kind: Kind::Start, why });
        let Some(contributions) = self.contributions() else { return out_of_place("not every seat has joined") };
        let ledger = Ledger::new(&self.fixed(&contributions));
        if ledger.setup != start.setup {
            problems.push(Problem::Setup { expected: ledger.setup, found: start.setup });
        }
        self.check_escrow(start)?;
        self.ledger = Some(ledger);
        self.count_contributions(entry.seq);
        self.cause = entry.seq.saturating_sub(1);
        self.absorb_start_round(entry.seq)?;
        self.phase = Phase::Playing;
        self.journal.restart(entry.seq, &*self.game);
        self.follow(entry, chance, problems)
    }

    /// Nobody can tell players apart who have the same name.
    pub(super) fn check_named_once(&self, seat: Seat) -> Result<(), Problem> {
        if !is_named_twice(&self.plan.seats, seat.index()) {
            return Ok(());
        }
        Err(value(
            Rule::PlayerTwice,
            "player",
            "a name that no other player has",
            &self.plan.seats[seat.index()].player,
        ))
    }

    /// What the seats and the host fixed before the start.
    pub(crate) fn fixed<'f>(&self, contributions: &'f [Contribution]) -> Fixed<'f> {
        let plan = &self.plan;
        Fixed { game: plan.game, genesis: self.genesis, anchor: plan.anchor, root: plan.root, contributions }
    }

    /// Counts what the players have added to the dice; record `seq` starts the game.
    fn count_contributions(&mut self, seq: u64) {
        let seats =
            self.joined.iter().enumerate().filter_map(|(index, joined)| Some((Seat::at(index), joined.as_ref()?)));
        let has_added =
            |joined: &Joined| joined.contribution.message != Hash::ZERO || !joined.contribution.phrase.is_empty();
        for (seat, joined) in seats.filter(|(_, joined)| has_added(joined)) {
            self.possible.contributes(Contributed { seat, seq: joined.seq, seen: joined.seen });
        }
        self.possible.is_complete(seq, &self.plan.players());
    }

    /// What the writer of a record had seen. If the record does not say, he may have seen everything up to the record
    /// before. Only a signature in the record proves it: the class of a letter is the host's word.
    pub(super) fn seen(&self, entry: &Entry) -> HadSeen {
        let is_letter = entry.via.as_ref().is_some_and(|via| via.raw.is_some());
        let how = match &entry.body {
            _ if !is_letter => KnownBy::HostsWord,
            _ if entry.via.as_ref().is_some_and(|via| via.signed.is_some()) => KnownBy::Signature,
            _ => KnownBy::Letter,
        };
        HadSeen { seq: entry.via.as_ref().and_then(|via| via.seen).unwrap_or(entry.seq.saturating_sub(1)), how }
    }

    /// What the seats contributed, once all have joined.
    pub fn contributions(&self) -> Option<Vec<Contribution>> {
        self.joined.iter().map(|joined| Some(joined.as_ref()?.contribution.clone())).collect()
    }
}
