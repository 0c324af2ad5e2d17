/*! What was possible with the dice: who could have chosen a throw, and whether the host could have foreseen it
(log 7.7).

Every throw follows from what was committed. That alone does not make it fair: it matters who could still choose
something that enters a throw when he knew all the rest. This module works that out from the order of the records. It
accuses nobody: it is a count.
*/

use engine::seat::Seat;

/// Somebody who could have chosen throws among any number of results, by trying words or secrets.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Chooser {
    /// The host, alone.
    Host,
    /// The host together with any one of these players, the last who chose being one of them.
    With(Vec<Seat>),
}

/// Throws that somebody could have chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    pub who: Chooser,
    pub throws: u64,
    /// The record before which he would have had to choose.
    pub before: u64,
    /// Whether that is the start.
    pub is_start: bool,
}

/// What a player added to the dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contributed {
    pub seat: Seat,
    /// The record that has it.
    pub seq: u64,
    pub seen: HadSeen,
}

/// What the writer of a record had seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HadSeen {
    /// The last record that he had seen. The host may have held the letter back from then on.
    pub seq: u64,
    pub how: KnownBy,
}

/// What shows that a writer had seen it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownBy {
    /// The seat signed it.
    Signature,
    /// There was a letter, which its writer still has; the rest is the host's word.
    Letter,
    /// Somebody typed it on the host's machine: nothing shows that the host did not choose it himself.
    HostsWord,
}

/// Who could have chosen and foreseen throws so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Possible {
    /// Who can choose the next throw; `None` if nobody can.
    chooser: Option<Chooser>,
    /// The record since which that is so, and whether it is the start.
    since: (u64, bool),
    has_started: bool,
    /// What the players have added since the host last chose, in the order of the log.
    contributed: Vec<Contributed>,
    /// The host knows all that has entered the dice from this record on.
    host_knows_from: u64,
    throws: u64,
    foreseen: u64,
    chosen: Vec<Chosen>,
    /// Contributions of players, and how many of these have only the host's word for what their writers had seen.
    contributions: u64,
    on_word: u64,
    /// Throws that follow from a round of a public beacon: those whose receipt the reader's mailbox shows before the
    /// round, and those for which only the host's clock says so.
    shown: u64,
    by_clock: u64,
}

impl Possible {
    /// A player adds something to the dice.
    pub fn contributes(&mut self, contributed: Contributed) {
        self.contributions += 1;
        self.on_word += u64::from(contributed.seen.how != KnownBy::Signature);
        self.contributed.push(contributed);
    }

    /// From record `seq` on nobody adds anything more: the game starts, or another host has the consent of all.
    /// `players` are the seats that the host does not hold. What the host himself added he chose before them.
    pub fn is_complete(&mut self, seq: u64, players: &[Seat]) {
        let added = std::mem::take(&mut self.contributed);
        let own: Vec<Contributed> = added.into_iter().filter(|added| added.seen.how != KnownBy::HostsWord).collect();
        // Somebody could choose with the host's help if the host knew by then what all others were going to add: he
        // may have held back each letter since its writer had seen the last record that it shows.
        let is_last =
            |one: &Contributed| own.iter().filter(|other| other.seat != one.seat).all(|other| other.seen.seq < one.seq);
        let last: Vec<Seat> = own.iter().filter(|one| is_last(one)).map(|one| one.seat).collect();
        self.chooser = match last.is_empty() {
            true => Some(Chooser::Host),
            // If the host and one player are all at the table, they have nobody to cheat.
            false if players.len() < 2 => None,
            false => Some(Chooser::With(last)),
        };
        self.since = (seq, !self.has_started);
        self.has_started = true;
        let known = own.iter().map(|added| added.seen.seq + 1).max();
        self.host_knows_from = self.host_knows_from.max(known.unwrap_or(0));
    }

    /// The host fixes with record `seq` something that he was free to choose.
    pub fn host_chooses(&mut self, seq: u64) {
        self.contributed.clear();
        (self.chooser, self.since) = (Some(Chooser::Host), (seq, false));
    }

    /// A round of a public beacon enters the dice with record `seq`. Nobody knew it when the act was fixed, or at any
    /// choice before.
    pub fn round(&mut self, seq: u64) {
        (self.chooser, self.since) = (None, (seq, false));
        self.host_knows_from = self.host_knows_from.max(seq);
    }

    /// Counts throws that follow from a round of a public beacon. `is_shown` says that the reader's mailbox shows the
    /// receipt before the round; otherwise only the host's clock says so.
    pub fn by_round(&mut self, count: u64, is_shown: bool) {
        *(if is_shown { &mut self.shown } else { &mut self.by_clock }) += count;
    }

    /// Throws that follow from rounds of a public beacon: those whose receipts the reader's mailbox shows in time,
    /// and those that rest on the host's word.
    pub fn of_rounds(&self) -> (u64, u64) {
        (self.shown, self.by_clock)
    }

    /// Counts throws of an act that was fixed when its writer had seen record `seen`.
    pub fn throws(&mut self, count: u64, seen: u64) {
        if count == 0 {
            return;
        }
        self.throws += count;
        self.foreseen += if self.host_knows_from <= seen { count } else { 0 };
        let Some(who) = &self.chooser else { return };
        let (before, is_start) = self.since;
        match self.chosen.iter_mut().find(|chosen| chosen.who == *who && chosen.before == before) {
            Some(chosen) => chosen.throws += count,
            None => self.chosen.push(Chosen { who: who.clone(), throws: count, before, is_start }),
        }
    }

    /// Throws so far.
    pub fn thrown(&self) -> u64 {
        self.throws
    }

    /// Throws that the host could have foreseen.
    pub fn foreseen(&self) -> u64 {
        self.foreseen
    }

    /// Throws that somebody could have chosen, in the order of the log.
    pub fn chosen(&self) -> &[Chosen] {
        &self.chosen
    }

    /// How many contributions of players entered the dice, and for how many the log has only the host's word for what
    /// their writers had seen.
    pub fn contributions(&self) -> (u64, u64) {
        (self.contributions, self.on_word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANNA: Seat = Seat(1);
    const BERT: Seat = Seat(2);

    fn adds(possible: &mut Possible, seat: Seat, seq: u64, seen: u64) {
        possible.contributes(Contributed { seat, seq, seen: HadSeen { seq: seen, how: KnownBy::Signature } });
    }

    /// Genesis is record 0, Anna joins with record 1, Bert with 2; the game starts with 3. `seen` is what Bert's
    /// letter had seen.
    fn started(seen: u64) -> Possible {
        let mut possible = Possible::default();
        adds(&mut possible, ANNA, 1, 0);
        adds(&mut possible, BERT, 2, seen);
        possible.is_complete(3, &[ANNA, BERT]);
        possible
    }

    fn by(who: Chooser, throws: u64, before: u64) -> Vec<Chosen> {
        vec![Chosen { who, throws, before, is_start: before == 3 }]
    }

    #[test]
    fn a_host_who_holds_all_seats_could_have_chosen_everything() {
        let mut possible = Possible::default();
        possible.is_complete(3, &[]);
        possible.throws(5, 0);
        assert_eq!(possible.chosen(), by(Chooser::Host, 5, 3));
        assert_eq!(possible.foreseen(), 5);
    }

    #[test]
    fn what_the_host_typed_for_a_player_binds_nobody() {
        let mut possible = Possible::default();
        possible.contributes(Contributed { seat: ANNA, seq: 1, seen: HadSeen { seq: 0, how: KnownBy::HostsWord } });
        possible.is_complete(3, &[ANNA, BERT]);
        possible.throws(5, 1);
        assert_eq!(possible.chosen(), by(Chooser::Host, 5, 3));
    }

    #[test]
    fn only_who_joined_last_could_choose_if_his_letter_shows_the_others() {
        let mut possible = started(1);
        possible.throws(3, 3);
        assert_eq!(possible.chosen(), by(Chooser::With(vec![BERT]), 3, 3));
        assert_eq!(possible.foreseen(), 3, "the host knows his chain");
    }

    #[test]
    fn a_letter_may_have_been_held_back_until_somebody_else_chose() {
        let mut possible = started(0);
        possible.throws(3, 3);
        assert_eq!(possible.chosen(), by(Chooser::With(vec![ANNA, BERT]), 3, 3));
    }

    #[test]
    fn a_player_and_the_host_who_are_all_at_the_table_have_nobody_to_cheat() {
        let mut possible = Possible::default();
        adds(&mut possible, BERT, 1, 0);
        possible.is_complete(2, &[BERT]);
        possible.throws(3, 2);
        assert_eq!(possible.chosen(), []);
    }

    #[test]
    fn a_round_of_the_beacon_takes_every_choice_and_all_foresight() {
        let mut possible = started(1);
        possible.round(9);
        possible.throws(3, 8);
        assert_eq!((possible.chosen(), possible.foreseen(), possible.thrown()), (&[][..], 0, 3));
        // Another act of the same record that was fixed after the round: it can be foreseen.
        possible.throws(1, 9);
        assert_eq!((possible.chosen(), possible.foreseen()), (&[][..], 1));
    }

    #[test]
    fn a_new_host_chooses_until_the_players_have_added_something() {
        let mut possible = started(1);
        possible.throws(2, 3);
        possible.host_chooses(7);
        adds(&mut possible, BERT, 8, 7);
        adds(&mut possible, ANNA, 9, 8);
        possible.is_complete(9, &[ANNA, BERT]);
        possible.throws(4, 9);
        let last = [by(Chooser::With(vec![BERT]), 2, 3), by(Chooser::With(vec![ANNA]), 4, 9)].concat();
        assert_eq!(possible.chosen(), last);
    }
}
