/*! What the players have agreed on, or are asked to agree on: motions and votes, concessions, pauses, free seats.

A motion is a correction that a seat proposes. It is carried when everybody who has a say has said yes (or more than
half of them, if the charter lets a majority decide). Then the host's program records the correction, with the letters
that agreed. A motion that cannot be carried any more is dropped.
*/

use crate::entry::body::{Ballot, Correcting, Votes};
use engine::seat::Seat;
use ground::hash::Hash;
use ground::span::Span;
use ground::stamp::Stamp;
use jiff::SignedDuration;

/// Days after which an open motion lapses.
pub const DAYS_OPEN: i64 = 14;
/// Days for which a seat must have been silent before the others can decide about it without it.
pub const DAYS_SILENT: i64 = 14;
/// The most motions of one seat that can be open at a time.
pub const OPEN_MAX: usize = 3;

/// What a seat proposes to the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    pub what: Correcting,
    /// The record an undo goes back to.
    pub to: Option<u64>,
    /// The seat that becomes free for another player, or gets another key.
    pub of: Option<Seat>,
    /// The seat's new key; `None` takes its key away.
    pub key: Option<String>,
    /// The new edition of the rules.
    pub rules: Option<String>,
    /// The new deadline of the open question.
    pub until: Option<Stamp>,
    pub text: String,
}

/// A motion that is open, or carried and not yet done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// Its record, and the time of that.
    pub seq: u64,
    pub at: Stamp,
    pub mover: Seat,
    pub proposal: Proposal,
    /// The seats that said yes, with the hashes of their letters, the mover first.
    pub ayes: Vec<(Seat, Option<Hash>)>,
    /// Who has a say.
    pub voters: Vec<Seat>,
    /// How many of them must say yes.
    pub needed: usize,
}

impl Proposal {
    /// A motion that needs nothing but its text.
    pub fn new(what: Correcting, text: &str) -> Proposal {
        let text = text.to_string();
        Proposal { what, to: None, of: None, key: None, rules: None, until: None, text }
    }
}

impl Moved {
    /// Whether enough seats have said yes.
    pub fn is_carried(&self) -> bool {
        self.ayes.iter().filter(|(seat, _)| self.voters.contains(seat)).count() >= self.needed
    }

    /// Whether it is about a seat that had no say in it, because it was silent.
    fn lacks(&self, seat: Seat) -> bool {
        let is_about = matches!(self.proposal.what, Correcting::Seat | Correcting::Key);
        is_about && self.proposal.of == Some(seat) && self.mover != seat && !self.voters.contains(&seat)
    }

    /// Who has a say and has not spoken yet.
    pub fn silent(&self) -> impl Iterator<Item = Seat> {
        self.voters.iter().copied().filter(|seat| self.ayes.iter().all(|(aye, _)| aye != seat))
    }

    /// The last second in which it can be voted on.
    pub fn until(&self) -> Stamp {
        self.at.later(Span::days(DAYS_OPEN))
    }

    /// Whether its time is over. A day has 24 hours here, wherever anybody lives.
    pub fn has_lapsed(&self, at: Stamp) -> bool {
        at.since(self.at) > SignedDuration::from_hours(DAYS_OPEN * 24)
    }
}

/// A seat from which nothing came since the host noted something about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Silent {
    seat: Seat,
    since: Stamp,
    /// Whether a deadline has passed; otherwise letters do not reach it, until the host says that they do.
    by_deadline: bool,
}

/// What became of a vote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    Open,
    Carried,
    Gone,
}

/// Everything that the players have agreed on outside the rules so far.
#[derive(Clone, Debug, Default)]
pub struct Council {
    motions: Vec<Moved>,
    /// The seats that have given up, and the records in which they did.
    conceded: Vec<(Seat, u64)>,
    /// The record that agreed on a draw.
    drawn: Option<u64>,
    /// The record that began a pause.
    paused: Option<u64>,
    /// Seats that are free for another player, and the records that freed them.
    free: Vec<(Seat, u64)>,
    /// When the game was last put back by an undo.
    undone: Option<Stamp>,
    /// Seats that changed hands, and the last record by which each did.
    held: Vec<(Seat, u64)>,
    /// Seats that have written nothing since they let a deadline pass, or since no letter reaches them.
    silent: Vec<Silent>,
    /// Motions to which somebody has agreed without signing that.
    on_word: Vec<u64>,
}

impl Council {
    /// The motions that are open or carried, the oldest first.
    pub fn motions(&self) -> &[Moved] {
        &self.motions
    }

    pub fn motion(&self, seq: u64) -> Option<&Moved> {
        self.motions.iter().find(|moved| moved.seq == seq)
    }

    /// The first motion that is carried and not yet done.
    pub fn carried(&self) -> Option<&Moved> {
        self.motions.iter().find(|moved| moved.is_carried())
    }

    /// The seats that have given up.
    pub fn conceded(&self) -> impl Iterator<Item = Seat> {
        self.conceded.iter().map(|(seat, _)| *seat)
    }

    pub fn has_conceded(&self, seat: Seat) -> bool {
        self.conceded().any(|conceded| conceded == seat)
    }

    /// The record that agreed on a draw.
    pub fn drawn(&self) -> Option<u64> {
        self.drawn
    }

    /// The record that began the pause, while there is one.
    pub fn paused(&self) -> Option<u64> {
        self.paused
    }

    /// The seats that are free for another player.
    pub fn free(&self) -> impl Iterator<Item = Seat> {
        self.free.iter().map(|(seat, _)| *seat)
    }

    /// The free seats, each with the record that freed it.
    pub fn freed(&self) -> impl Iterator<Item = (Seat, u64)> {
        self.free.iter().copied()
    }

    /// When the game was last put back by an undo.
    pub fn undone(&self) -> Option<Stamp> {
        self.undone
    }

    /// The record by which a seat last changed hands.
    pub fn held_since(&self, seat: Seat) -> Option<u64> {
        self.held.iter().find(|(held, _)| *held == seat).map(|(_, seq)| *seq)
    }

    /// The host notes that a seat let a deadline pass, or that no letter reaches it. The first such note counts.
    pub(crate) fn falls_silent(&mut self, seat: Seat, since: Stamp, by_deadline: bool) {
        match self.silent.iter_mut().find(|silent| silent.seat == seat) {
            Some(silent) => silent.by_deadline |= by_deadline,
            None => self.silent.push(Silent { seat, since, by_deadline }),
        }
    }

    /// Letters reach a seat again.
    pub(crate) fn is_reached(&mut self, seat: Seat) {
        self.silent.retain(|silent| silent.seat != seat || silent.by_deadline);
    }

    /// A seat has written: it has a say again in what is about it, in open motions as well.
    pub(crate) fn is_heard(&mut self, seat: Seat) {
        let known = self.silent.len();
        self.silent.retain(|silent| silent.seat != seat);
        if self.silent.len() == known {
            return;
        }
        for moved in self.motions.iter_mut().filter(|moved| moved.lacks(seat)) {
            moved.voters.push(seat);
            moved.needed += 1;
        }
    }

    /// Whether the others can decide about a seat without it: it has been silent for long enough (log 5.11).
    pub fn is_long_silent(&self, seat: Seat, at: Stamp) -> bool {
        let silent = self.silent.iter().find(|silent| silent.seat == seat);
        silent.is_some_and(|silent| at.since(silent.since) >= SignedDuration::from_hours(DAYS_SILENT * 24))
    }

    /// A seat agrees to a motion, and only the host says so.
    pub(crate) fn is_agreed_on_word(&mut self, motion: u64) {
        if !self.on_word.contains(&motion) {
            self.on_word.push(motion);
        }
    }

    /// Whether only the host says that somebody has agreed to a motion.
    pub fn is_on_word(&self, motion: u64) -> bool {
        self.on_word.contains(&motion)
    }

    /// Takes in a motion.
    pub(crate) fn moves(&mut self, moved: Moved) {
        // Lapsed motions are forgotten.
        self.motions.retain(|other| !other.has_lapsed(moved.at));
        self.motions.push(moved);
    }

    /// Takes in a vote on an open motion.
    pub(crate) fn votes(&mut self, seq: u64, seat: Seat, ballot: Ballot, raw: Option<Hash>) -> Counted {
        let Some(index) = self.motions.iter().position(|moved| moved.seq == seq) else { return Counted::Gone };
        let moved = &mut self.motions[index];
        match ballot {
            Ballot::Yes => {
                moved.ayes.push((seat, raw));
                if moved.is_carried() { Counted::Carried } else { Counted::Open }
            }
            Ballot::No => {
                moved.ayes.retain(|(aye, _)| *aye != seat);
                moved.voters.retain(|voter| *voter != seat);
                let is_gone = moved.mover == seat || moved.voters.len() < moved.needed;
                if is_gone {
                    self.motions.remove(index);
                }
                if is_gone { Counted::Gone } else { Counted::Open }
            }
        }
    }

    /// Drops the motions about a deadline, since another question is asked now.
    pub(crate) fn forget_deadlines(&mut self) {
        self.motions.retain(|moved| moved.proposal.what != Correcting::Deadline);
    }

    /// Removes a motion that was done.
    pub(crate) fn done(&mut self, seq: u64) {
        self.motions.retain(|moved| moved.seq != seq);
    }

    pub(crate) fn concedes(&mut self, seat: Seat, seq: u64) {
        self.conceded.push((seat, seq));
    }

    pub(crate) fn draws(&mut self, seq: u64) {
        self.drawn = Some(seq);
        self.motions.clear();
    }

    pub(crate) fn pauses(&mut self, seq: u64) {
        self.paused.get_or_insert(seq);
    }

    pub(crate) fn resumes(&mut self) {
        self.paused = None;
    }

    pub(crate) fn frees(&mut self, seat: Seat, seq: u64) {
        self.free.retain(|(free, _)| *free != seat);
        self.free.push((seat, seq));
    }

    /// Somebody takes a seat: it is no longer free, and no longer counts as having conceded. Its votes stay.
    pub(crate) fn takes(&mut self, seat: Seat, seq: u64) {
        self.held.retain(|(held, _)| *held != seat);
        self.held.push((seat, seq));
        self.free.retain(|(free, _)| *free != seat);
        self.silent.retain(|silent| silent.seat != seat);
        self.conceded.retain(|(conceded, _)| *conceded != seat);
    }

    /// The game is put back to its state after record `to`: concessions made later are void.
    pub(crate) fn back(&mut self, to: u64, at: Stamp) {
        self.undone = Some(at);
        self.conceded.retain(|(_, seq)| *seq <= to);
    }
}

/// How many of the voters must say yes.
pub fn needed(what: Correcting, votes: Votes, voters: usize) -> usize {
    match (what, votes) {
        // These need every voter: nobody may lose the game, its rules, what was played, a seat or its key against his
        // will.
        (Correcting::Draw | Correcting::Rules | Correcting::Undo | Correcting::Seat | Correcting::Key, _)
        | (_, Votes::All) => voters,
        (_, Votes::Majority) => voters / 2 + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(votes: Votes, voters: u8) -> Council {
        let at = Stamp::parse("2026-11-24T08:00:00Z").expect("a real second");
        let voters: Vec<Seat> = (1..=voters).map(Seat).collect();
        let what = Correcting::Pause;
        let proposal = Proposal { to: Some(3), ..Proposal::new(what, "") };
        let (ayes, needed) = (vec![(Seat(1), None)], needed(what, votes, voters.len()));
        let mut council = Council::default();
        council.moves(Moved { seq: 7, at, mover: Seat(1), proposal, ayes, voters, needed });
        council
    }

    #[test]
    fn everybody_must_agree_unless_a_majority_decides() {
        let mut all = moved(Votes::All, 3);
        assert_eq!(all.votes(7, Seat(2), Ballot::Yes, None), Counted::Open);
        assert_eq!(all.votes(7, Seat(3), Ballot::No, None), Counted::Gone);
        let mut most = moved(Votes::Majority, 4);
        assert_eq!(most.votes(7, Seat(2), Ballot::No, None), Counted::Open);
        assert_eq!(most.votes(7, Seat(3), Ballot::Yes, None), Counted::Open);
        assert_eq!(most.votes(7, Seat(4), Ballot::Yes, None), Counted::Carried);
        let mut most = moved(Votes::Majority, 3);
        assert_eq!(most.votes(7, Seat(1), Ballot::No, None), Counted::Gone, "the mover has taken it back");
    }
}
