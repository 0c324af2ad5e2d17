/*! Folding what the players agree on outside the rules: motions, votes, concessions, disputes, and corrections. */

use super::Fold;
use super::chance::Chance;
use super::clock::{Countdown, Open};
use super::council::{Counted, DAYS_OPEN, Moved, OPEN_MAX, Proposal, needed};
use crate::charter::calendar::CLOCKS_CHANGED;
use crate::commit::signature::PublicKey;
use crate::entry::Entry;
use crate::entry::body::{Ballot, By, Correcting, Correction, Dispute, Kind, Motion, Silence, Text, Vote};
use crate::problem::objection::Objection;
use crate::problem::rule::Rule;
use crate::problem::{Problem, value};
use engine::need::Need;
use engine::outcome::Outcome;
use engine::seat::Seat;
use ground::stamp::Stamp;

impl Fold {
    /// What the game waits for: `Need::Over` once the players have ended it.
    pub fn need(&self) -> Need {
        if self.is_closed() { Need::Over } else { self.game.need() }
    }

    /// How the game ended: by its rules, by an agreed draw, or because all others gave up.
    pub fn outcome(&self) -> Option<Outcome> {
        self.game.outcome().or_else(|| self.closed())
    }

    /// Whether the players have ended the game before its rules did.
    pub fn is_closed(&self) -> bool {
        self.game.need() != Need::Over && self.closed().is_some()
    }

    /// Until when a game that its rules have ended may still go on. An undo that was moved before the end can still
    /// be carried until then; once the secrets are published, nothing can be taken back.
    pub fn may_be_undone_until(&self, at: Stamp) -> Option<Stamp> {
        if self.game.need() != Need::Over || self.closed().is_some() {
            return None;
        }
        let motions = self.council.motions().iter();
        motions.filter(|moved| moved.proposal.what == Correcting::Undo && !moved.has_lapsed(at)).map(Moved::until).max()
    }

    /// The record that paused the game, while it is paused.
    pub fn paused(&self) -> Option<u64> {
        self.council.paused()
    }

    /// How the players have ended the game; `None` if they have not.
    fn closed(&self) -> Option<Outcome> {
        if self.council.drawn().is_some() {
            return Some(Outcome { winners: Vec::new(), reason: "a draw was agreed".to_string(), points: Vec::new() });
        }
        self.council.conceded().next()?;
        let sides = (self.plan.title.teams.sides)(&self.plan.setup);
        // A program has no say in it: a side is beaten when all its human players have conceded.
        let plays = |seat: &Seat| !self.council.has_conceded(*seat) && self.plan.seats[seat.index()].program.is_none();
        let is_beaten =
            |side: &[Seat]| side.iter().any(|seat| self.council.has_conceded(*seat)) && !side.iter().any(plays);
        let mut playing = sides.iter().filter(|side| !is_beaten(side));
        let winners = playing.next().cloned().unwrap_or_default();
        if playing.next().is_some() {
            return None;
        }
        let gone: Vec<&str> = self.council.conceded().map(|seat| self.plan.word(seat)).collect();
        let has = if gone.len() == 1 { "has" } else { "have" };
        Some(Outcome { winners, reason: format!("{} {has} conceded", gone.join(" and ")), points: Vec::new() })
    }

    /// Who has a say in a motion: every player who has not given up. A program has no say. A player gives his own
    /// seat away by himself. About another player's seat or key he has a say himself, unless he has been silent for
    /// long (log 5.11, 5.21).
    pub fn voters(&self, what: Correcting, of: Option<Seat>, mover: Seat) -> Vec<Seat> {
        let seats = (0..self.plan.seats.len()).map(Seat::at);
        let has_a_say =
            |seat: &Seat| !self.council.has_conceded(*seat) && self.plan.seats[seat.index()].program.is_none();
        let playing: Vec<Seat> = seats.filter(has_a_say).collect();
        match what {
            Correcting::Seat if of == Some(mover) => vec![mover],
            Correcting::Seat | Correcting::Key => {
                let is_gone = |seat: Seat| Some(seat) == of && self.council.is_long_silent(seat, self.at);
                playing.into_iter().filter(|seat| *seat == mover || !is_gone(*seat)).collect()
            }
            _ => playing,
        }
    }

    pub(crate) fn motion(&mut self, entry: &Entry, motion: &Motion) -> Result<(), Problem> {
        let mover = self.writer(entry)?;
        self.tally.motions += 1;
        let of = self.seat_of(motion.of.as_deref())?;
        let rules = motion.rules.as_deref();
        self.check_keys(motion.what, motion.to, of, rules)?;
        self.check_key(motion.what, of, motion.key.as_deref())?;
        match motion.what {
            Correcting::Deadline => self.check_moved_deadline(entry, motion)?,
            _ if motion.until.is_some() => {
                return Err(value(Rule::ChangeUntil, "until", "left out where no deadline is moved", "a time"));
            }
            Correcting::Pause if self.paused().is_some() => return Err(Objection::Paused.into()),
            Correcting::Resume if self.paused().is_none() => return Err(Objection::NotPaused.into()),
            _ => {}
        }
        if let Some(to) = motion.to {
            self.check_way_back(to, entry.seq)?;
        }
        if let Some(rules) = rules {
            self.check_revision(rules)?;
        }
        let open = self.council.motions().iter().filter(|moved| moved.mover == mover && !moved.has_lapsed(entry.at));
        if open.count() >= OPEN_MAX {
            return Err(Objection::TooManyMotions { most: OPEN_MAX }.into());
        }
        let voters = self.voters(motion.what, of, mover);
        let is_about_a_seat = matches!(motion.what, Correcting::Seat | Correcting::Key);
        if voters.is_empty() || !(is_about_a_seat || voters.contains(&mover)) {
            return Err(Objection::CannotMove { seat: entry.seat.to_string() }.into());
        }
        let needed = needed(motion.what, self.plan.votes, voters.len());
        if !is_signed(entry) {
            self.council.is_agreed_on_word(entry.seq);
        }
        self.council.moves(Moved {
            seq: entry.seq,
            at: entry.at,
            mover,
            proposal: Proposal {
                what: motion.what,
                to: motion.to,
                of,
                key: motion.key.as_ref().map(ToString::to_string),
                rules: rules.map(str::to_string),
                until: motion.until,
                text: motion.text.to_string(),
            },
            ayes: vec![(mover, raw(entry))],
            voters,
            needed,
        });
        Ok(())
    }

    pub(crate) fn vote(&mut self, entry: &Entry, vote: &Vote) -> Result<(), Problem> {
        let seat = self.writer(entry)?;
        self.tally.votes += 1;
        let motion = vote.motion;
        let moved = self.council.motion(motion).filter(|moved| !moved.is_carried());
        let moved = moved.ok_or(Objection::NoMotion { motion })?;
        if moved.has_lapsed(entry.at) {
            return Err(Objection::MotionLapsed { motion, moved: moved.at, days: DAYS_OPEN }.into());
        }
        let has_spoken = moved.ayes.iter().any(|(aye, _)| *aye == seat);
        if !moved.voters.contains(&seat) && moved.mover != seat {
            return Err(Objection::CannotVote { seat: entry.seat.to_string() }.into());
        }
        if has_spoken && vote.says == Ballot::Yes {
            return Err(Objection::VotedBefore.into());
        }
        // An undo or a revision that has become impossible since cannot be carried any more, only taken back.
        if vote.says == Ballot::Yes {
            let Proposal { to, rules, .. } = &moved.proposal;
            to.map_or(Ok(()), |to| self.check_way_back(to, entry.seq))?;
            rules.as_deref().map_or(Ok(()), |rules| self.check_revision(rules).map(drop))?;
        }
        if vote.says == Ballot::Yes && !is_signed(entry) {
            self.council.is_agreed_on_word(motion);
        }
        let counted = self.council.votes(motion, seat, vote.says, raw(entry));
        self.tally.motions_gone += u64::from(counted == Counted::Gone);
        Ok(())
    }

    pub(crate) fn concede(&mut self, entry: &Entry) -> Result<(), Problem> {
        let seat = self.writer(entry)?;
        if self.game.need() == Need::Over || self.council.has_conceded(seat) {
            return Err(Objection::OutOfTheGame { seat: entry.seat.to_string() }.into());
        }
        if entry.via.as_ref().and_then(|via| via.by) == Some(By::Deadline) {
            let lapsed = self.clock().open().filter(|open| open.seat == seat).and_then(Open::lapsed);
            if lapsed != Some(Silence::Forfeit) {
                let why = "no deadline has passed by which the seat gives up";
                return Err(Problem::OutOfPlace { rule: Rule::ConcedeDeadline, kind: Kind::Concede, why });
            }
            self.check_none_due(seat, entry)?;
        }
        self.tally.concessions += 1;
        self.council.concedes(seat, entry.seq);
        Ok(())
    }

    pub(crate) fn dispute(&mut self, entry: &Entry, dispute: &Dispute) -> Result<(), Problem> {
        self.writer(entry)?;
        self.tally.disputes += 1;
        if dispute.about >= entry.seq {
            return Err(value(
                Rule::DisputeAbout,
                "about",
                "the number of an earlier record",
                &dispute.about.to_string(),
            ));
        }
        Ok(())
    }

    /// Undoes records, hands a seat over, changes rules or a key, pauses or resumes the game, agrees on a
    /// draw, or takes note of a ruling.
    pub(crate) fn correct(
        &mut self,
        entry: &Entry,
        correction: &Correction,
        chance: &mut Chance<'_>,
        problems: &mut Vec<Problem>,
    ) -> Result<(), Problem> {
        for consent in &correction.consents {
            if self.plan.seat(&consent.seat).is_none() {
                problems.push(Problem::UnknownSeat { found: consent.seat.to_string() });
            }
        }
        let of = self.seat_of(correction.of.as_deref())?;
        if correction.address.is_some() && !(correction.what == Correcting::Seat && correction.player.is_some()) {
            return Err(value(Rule::ChangeAddress, "address", "left out where no player takes a seat", "there"));
        }
        self.check_keys(correction.what, correction.to, of, correction.rules.as_deref())?;
        let carried = self.check_carried(entry, correction, of)?;
        self.tally.correction(correction.what, carried.is_some());
        let is_on_word = correction.motion.is_none_or(|motion| self.council.is_on_word(motion));
        self.tally.corrections_on_word += u64::from(is_on_word);
        self.tally.by_hosts_seats += u64::from(carried.as_ref().is_some_and(|moved| self.is_of_hosts_seats(moved)));
        self.cause = entry.seq.saturating_sub(1);
        match correction.what {
            Correcting::Undo => {
                let to = correction.to.expect("an undo says how far");
                self.check_way_back(to, entry.seq)?;
                self.books.undo_lines(&self.game.turn());
                let back = self.journal.back(to, &self.faces);
                self.game = back.expect("the journal reaches back so far");
                self.game.forget_news();
                self.council.back(to, entry.at);
                self.receipts.forget_all();
                self.journal.restart(entry.seq, &*self.game);
            }
            Correcting::Rules => {
                let rules = correction.rules.as_deref().expect("a revision says which rules");
                self.game = self.check_revision(rules)?;
                self.plan.setup.edition = rules.to_string();
                // What was played by the old rules cannot be played again by the new ones.
                self.journal.restart(entry.seq, &*self.game);
            }
            Correcting::Seat => self.change_player(entry, correction, of)?,
            Correcting::Key => {
                let seat = of.expect("a motion about a key names its seat");
                self.signers.announce(seat, correction.key.as_slice());
                self.tally.keys_changed += 1;
            }
            Correcting::Draw => self.council.draws(entry.seq),
            Correcting::Pause => self.council.pauses(entry.seq),
            Correcting::Resume => self.council.resumes(),
            Correcting::Ruling | Correcting::Deadline => {}
        }
        self.follow(entry, chance, problems)
    }

    /// Hands a seat over or, if nobody takes it, marks it as free.
    fn change_player(&mut self, entry: &Entry, correction: &Correction, of: Option<Seat>) -> Result<(), Problem> {
        let (seq, Some(seat)) = (entry.seq, of) else { return Ok(()) };
        match &correction.player {
            Some(player) => {
                if !self.council.free().any(|free| free == seat) {
                    return Err(Problem::NotFree { seat: self.plan.word(seat).to_string() });
                }
                // Lines and orders of the seat may be part of the run. The host knows the run's dice, or will know
                // them before he names the new player.
                if let Some(receipt) = self.receipts.waiting().next() {
                    let (seat, receipt) = (self.plan.word(seat).to_string(), receipt.seq);
                    return Err(Problem::ActWaits { seat, receipt });
                }
                self.check_none_due(seat, entry)?;
                self.plan.seats[seat.index()].player = player.to_string();
                // The keys are the old player's.
                self.signers.announce(seat, &[]);
                self.signers.registers(seat, correction.address);
                self.plan.seats[seat.index()].at_keyboard = false;
                self.plan.seats[seat.index()].program = None;
                self.check_named_once(seat)?;
                self.empty_book(seat);
                self.council.takes(seat, seq);
                self.tally.handed_over += 1;
            }
            None => self.council.frees(seat, seq),
        }
        Ok(())
    }

    /// Whether a correction carries what it needs and nothing else.
    fn check_keys(
        &self,
        what: Correcting,
        to: Option<u64>,
        of: Option<Seat>,
        rules: Option<&str>,
    ) -> Result<(), Problem> {
        match (what, to) {
            (Correcting::Undo, None) => return Err(value(Rule::ChangeTo, "to", "the record to go back to", "nothing")),
            (Correcting::Undo, Some(_)) => {}
            (_, Some(to)) => {
                return Err(value(Rule::ChangeTo, "to", "left out where nothing is undone", &to.to_string()));
            }
            (_, None) => {}
        }
        if rules.is_some() != (what == Correcting::Rules) {
            return Err(value(
                Rule::ChangeRules,
                "rules",
                "there where the rules are revised, and only then",
                "a mismatch",
            ));
        }
        match of {
            Some(seat) if !matches!(what, Correcting::Seat | Correcting::Key) => {
                Err(value(Rule::ChangeOf, "of", "left out where nothing is about a seat", self.plan.word(seat)))
            }
            _ => Ok(()),
        }
    }

    /// Whether a change of a key names a seat and a key that can sign.
    fn check_key(&self, what: Correcting, of: Option<Seat>, key: Option<&str>) -> Result<(), Problem> {
        match (what, of, key) {
            (Correcting::Key, None, _) => {
                Err(value(Rule::ChangeOf, "of", "the seat that is to sign with another key", "nothing"))
            }
            (Correcting::Key, Some(seat), key) => {
                let keys: Vec<Text> = key.map(Text::from).into_iter().collect();
                self.check_means(seat, &keys)?;
                match key.map(PublicKey::read) {
                    None | Some(Ok(_)) => Ok(()),
                    Some(Err(refused)) => Err(value(Rule::ChangeKey, "key", "an ed25519 key", &refused.to_string())),
                }
            }
            (_, _, Some(key)) => Err(value(Rule::ChangeKey, "key", "left out where no key changes", key)),
            (_, _, None) => Ok(()),
        }
    }

    /// The motion behind a correction; `None` if the host made it by himself. The correction must repeat the motion
    /// and name the votes that carried it. By himself the host may only write a note, move a deadline later, and let
    /// a player take a free seat.
    fn check_carried(
        &mut self,
        entry: &Entry,
        correction: &Correction,
        of: Option<Seat>,
    ) -> Result<Option<Moved>, Problem> {
        self.check_key(correction.what, of, correction.key.as_deref())?;
        let Some(motion) = correction.motion else {
            return match correction.what {
                Correcting::Ruling => Ok(None),
                Correcting::Seat if correction.player.is_some() => Ok(None),
                Correcting::Deadline => self.check_later_deadline(entry, correction).map(|()| None),
                _ => Err(Problem::NotAlone { what: correction.what }),
            };
        };
        let none = || {
            value(Rule::CorrectionMotion, "motion", "a motion that is carried and not yet done", &motion.to_string())
        };
        let moved = self.council.motion(motion).filter(|moved| moved.is_carried()).ok_or_else(none)?;
        let done = Proposal {
            what: correction.what,
            to: correction.to,
            of,
            key: correction.key.as_ref().map(ToString::to_string),
            rules: correction.rules.as_deref().map(str::to_string),
            until: correction.until,
            text: correction.text.to_string(),
        };
        if moved.proposal != done || correction.player.is_some() {
            return Err(value(Rule::CorrectionMoved, "motion", "what was moved, in the same words", "something else"));
        }
        let agreed = moved.ayes.iter().map(|(seat, raw)| (self.plan.word(*seat), *raw));
        let written = correction.consents.iter().map(|consent| (&*consent.seat, consent.raw));
        if !agreed.eq(written) {
            return Err(value(
                Rule::CorrectionConsents,
                "consents",
                "those who voted yes, and their letters",
                "others",
            ));
        }
        let moved = moved.clone();
        self.council.done(motion);
        Ok(Some(moved))
    }

    /// Whether the host holds all seats that decided on a motion: then it is his word alone.
    fn is_of_hosts_seats(&self, moved: &Moved) -> bool {
        moved.ayes.iter().all(|(seat, _)| self.plan.seats[seat.index()].hosted)
    }

    /// The host alone can give a seat more time, and never less.
    fn check_later_deadline(&self, entry: &Entry, correction: &Correction) -> Result<(), Problem> {
        let (Some(open), Some(schedule)) = (self.clock().open(), &self.plan.schedule) else {
            return Err(Objection::NoDeadline.into());
        };
        // Where the rules of a time zone have changed, the computed deadline can differ by a few hours.
        let due = match self.countdown() {
            Some(Countdown::Until { due, .. }) => due.earlier(CLOCKS_CHANGED),
            Some(Countdown::Stands(_) | Countdown::Over { .. }) | None => entry.at,
        };
        let earliest = due.max(open.earliest_due(schedule));
        match correction.until {
            Some(until) if until >= earliest && until > entry.at => Ok(()),
            Some(until) => Err(value(Rule::CorrectionLater, "until", &format!("{earliest} or later"), until.as_str())),
            None => Err(value(Rule::CorrectionLater, "until", "until when the question may be answered", "nothing")),
        }
    }

    /// Only an existing deadline can be moved, and only to a time still to come.
    fn check_moved_deadline(&self, entry: &Entry, motion: &Motion) -> Result<(), Problem> {
        if self.plan.schedule.is_none() || self.clock().open().is_none() {
            return Err(Objection::NoDeadline.into());
        }
        match motion.until.filter(|until| *until > entry.at) {
            Some(_) => Ok(()),
            None => Err(Objection::DeadlinePassed.into()),
        }
    }

    fn check_way_back(&self, to: u64, seq: u64) -> Result<(), Problem> {
        if to < seq && self.reaches_back(to) { Ok(()) } else { Err(Objection::OutOfReach { to }.into()) }
    }

    /// Whether the game can be put back to its state after a record.
    pub fn reaches_back(&self, to: u64) -> bool {
        self.journal.reaches(to)
    }

    /// The game as it was after a record; `None` if the journal does not reach back that far.
    pub fn game_after(&self, seq: u64) -> Option<Box<dyn engine::game::Game>> {
        self.journal.back(seq, &self.faces)
    }

    fn check_revision(&self, rules: &str) -> Result<Box<dyn engine::game::Game>, Problem> {
        let is_known = self.plan.title.editions.contains(&rules) && rules != self.plan.setup.edition;
        let revised = self.game.revised(rules).filter(|_| is_known);
        revised.ok_or_else(|| Objection::NoSuchRules { rules: rules.to_string() }.into())
    }

    fn seat_of(&self, word: Option<&str>) -> Result<Option<Seat>, Problem> {
        let Some(word) = word else { return Ok(None) };
        match self.plan.seat(word) {
            Some(seat) => Ok(Some(seat)),
            None => Err(Problem::UnknownSeat { found: word.to_string() }),
        }
    }
}

/// Whether its seat has signed a record with a key.
fn is_signed(entry: &Entry) -> bool {
    entry.via.as_ref().is_some_and(|via| via.signed.is_some())
}

fn raw(entry: &Entry) -> Option<ground::hash::Hash> {
    entry.via.as_ref().and_then(|via| via.raw)
}
