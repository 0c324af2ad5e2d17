/*! Before the first question: the seats join, each with what it commits to, and the game starts. */

use super::chance::Chance;
use super::ledger::Ledger;
use super::{Fold, Phase};
use crate::record::commit::dice::{Class, Contributor};
use crate::record::entry::Entry;
use crate::record::entry::body::{Join, Kind, Start};
use crate::record::problem::{Problem, value};

impl Fold {
    pub(super) fn join(&mut self, entry: &Entry, join: &Join) -> Result<(), Problem> {
        let seat = self.writer(entry)?;
        let class = match (join.class, join.anchor) {
            (0, None) => Class::Nothing,
            (1, Some(anchor)) => Class::Codes { anchor },
            (0 | 1, _) => return Err(value("anchor", "there with class 1, and only then", "a mismatch")),
            (2, _) => return Err(Problem::NotSupported { what: "contributions by DKIM" }),
            (other, _) => return Err(value("class", "0 or 1", &other.to_string())),
        };
        if self.plan.seats[seat.index()].hosted && class != Class::Nothing {
            return Err(value("class", "0 for a seat that the host plays", "1"));
        }
        if self.joined[seat.index()].is_some() {
            return Err(Problem::OutOfPlace { kind: Kind::Join, why: "the seat has joined already" });
        }
        if let Some(player) = &join.player {
            self.plan.seats[seat.index()].player = player.to_string();
        }
        self.check_means(seat, &join.keys)?;
        self.signers.announce(seat, &join.keys);
        let salt = join.salt.as_deref().unwrap_or("").to_string();
        self.joined[seat.index()] = Some(Contributor { seat: seat.0, class, salt });
        Ok(())
    }

    pub(super) fn start(
        &mut self,
        entry: &Entry,
        start: &Start,
        chance: &mut Chance<'_>,
        problems: &mut Vec<Problem>,
    ) -> Result<(), Problem> {
        let contributors = self.contributors();
        let Some(contributors) = contributors else {
            return Err(Problem::OutOfPlace { kind: Kind::Start, why: "not every seat has joined" });
        };
        let ledger = Ledger::new(self.plan.game, self.plan.links, self.plan.anchor, &contributors);
        if ledger.setup != start.setup {
            problems.push(Problem::Setup { expected: ledger.setup, found: start.setup });
        }
        self.check_escrow(start)?;
        self.ledger = Some(ledger);
        self.phase = Phase::Playing;
        // What the setup holds can be known beforehand to the host alone, unless a seat has codes of its own.
        self.fresh = contributors.iter().any(|contributor| contributor.class != Class::Nothing);
        self.journal.restart(entry.seq, &*self.game);
        self.follow(entry, chance, problems)
    }

    /// What the seats committed to, once all have joined.
    pub fn contributors(&self) -> Option<Vec<Contributor>> {
        self.joined.iter().cloned().collect()
    }
}
