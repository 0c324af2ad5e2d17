/*! What was possible with the dice: who could have chosen a throw, and who could have foreseen it (log 7.12).

Every throw follows from what was committed. That alone does not make it fair: it matters who could still choose
something that enters a throw when he knew all the rest. A *league* is the host together with some of the players; the
seats that the host holds are always in it. From the order of the contributions, this module counts for each league
the throws that it could have chosen and those that it could have foreseen. It accuses nobody: it is a count.
*/

use engine::seat::Seat;
use serde::Serialize;

/// How freely a league could have chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Freedom {
    /// Among any number of results, by trying phrases or secrets.
    Any,
    /// Between two results, `times` times over: whether the first answer of a spell comes by letter or not.
    Between { times: u32 },
}

impl Freedom {
    /// The freedom of two choices, one after the other.
    fn and(self, other: Freedom) -> Freedom {
        match (self, other) {
            (Freedom::Any, _) | (_, Freedom::Any) => Freedom::Any,
            (Freedom::Between { times }, Freedom::Between { times: more }) => {
                Freedom::Between { times: times.saturating_add(more) }
            }
        }
    }
}

/// The host and some of the players, and what they could have done together.
#[derive(Clone, Debug, PartialEq, Eq)]
struct League {
    /// The players in it; bit 0 is seat 1.
    members: u32,
    /// The last record by which one of them chose something.
    chose_at: u64,
    freedom: Freedom,
    /// Whether something has entered the pool since that none of them knew at their last choice.
    is_bound: bool,
    /// The record from which on the league knew everything in the pool.
    knows_from: u64,
    counted: Counted,
}

impl League {
    /// Merges with a league that now has the same members: what either could do, both can.
    fn takes_in(&mut self, other: &League) {
        self.freedom = match (self.is_bound, other.is_bound) {
            (false, false) => self.freedom.and(other.freedom),
            (true, false) => other.freedom,
            (_, true) => self.freedom,
        };
        self.is_bound &= other.is_bound;
        self.chose_at = self.chose_at.max(other.chose_at);
        self.knows_from = self.knows_from.min(other.knows_from);
        let (counted, others) = (&mut self.counted, other.counted);
        counted.chosen = counted.chosen.max(others.chosen);
        counted.chosen_between = counted.chosen_between.max(others.chosen_between);
        counted.between = counted.between.max(others.between);
        counted.foreseen = counted.foreseen.max(others.foreseen);
    }
}

/// The throws that a league could have chosen or foreseen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counted {
    /// Throws that it could have chosen among any number of results.
    pub chosen: u64,
    /// Throws for which it could choose between a few results, and the most results for one throw: 2 to this power.
    pub chosen_between: u64,
    pub between: u32,
    /// Throws that it could have foreseen.
    pub foreseen: u64,
}

/// What every league could have done so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Possible {
    /// All players, as the members of a league.
    players: u32,
    /// Seats whose codes the host could have made himself: nothing in the log shows that their players made them.
    host_made: u32,
    leagues: Vec<League>,
    throws: u64,
    /// Throws that no league could have foreseen.
    unforeseen: u64,
    /// Contributions of players, and how many of these have only the host's word for when they were written.
    contributions: u64,
    on_word: u64,
    /// Throws that follow from a round of a public beacon: those whose receipt the reader's mailbox shows before the
    /// round, and those for which only the host's clock says so.
    shown: u64,
    by_clock: u64,
}

/// A contribution to the pool by a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contributed {
    pub seat: Seat,
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

impl Possible {
    /// The leagues of a game; `players` are the seats that the host does not hold. A league of all players would have
    /// nobody to cheat, so it counts only if there is no player at all.
    pub fn new(players: &[Seat]) -> Possible {
        let all: u32 = players.iter().map(|seat| bit(*seat)).sum();
        let league = |members| League {
            members,
            chose_at: 0,
            freedom: Freedom::Any,
            is_bound: false,
            knows_from: 0,
            counted: Counted::default(),
        };
        let is_of_players = |members: &u32| members & !all == 0 && (*members != all || all == 0);
        Possible { leagues: (0..=all).filter(is_of_players).map(league).collect(), players: all, ..Possible::default() }
    }

    /// A player, or the host (`None`), fixes with record `seq` something that he was free to choose.
    pub fn chooses(&mut self, who: Option<Seat>, seq: u64) {
        self.choice(who, seq, Freedom::Any);
    }

    /// A player begins a spell with record `seq`; he was free to do so by letter or otherwise.
    pub fn begins_spell(&mut self, seat: Seat, seq: u64) {
        self.choice(Some(seat), seq, Freedom::Between { times: 1 });
    }

    /// Another host takes over and plays these seats: from now on they are in every league.
    pub fn are_held(&mut self, seats: impl Iterator<Item = Seat>) {
        let held = seats.map(bit).sum::<u32>() & self.players;
        let mut merged: Vec<League> = Vec::new();
        for mut league in std::mem::take(&mut self.leagues) {
            league.members |= held;
            match merged.iter_mut().find(|other| other.members == league.members) {
                Some(same) => same.takes_in(&league),
                None => merged.push(league),
            }
        }
        // A league of all players would have nobody to cheat. It stays only if the host now holds every seat.
        if merged.len() > 1 {
            merged.retain(|league| league.members != self.players);
        }
        self.leagues = merged;
    }

    /// A seat gets other codes, moved with record `seq`. If only the host's word ties the motion to the seat, he
    /// could have chosen the codes, and knows them.
    pub fn changes_codes(&mut self, seat: Seat, seq: u64, is_signed: bool) {
        if is_signed {
            self.host_made &= !bit(seat);
            self.chooses(Some(seat), seq);
        } else {
            self.host_made |= bit(seat);
            self.chooses(None, seq);
        }
    }

    fn choice(&mut self, who: Option<Seat>, seq: u64, freedom: Freedom) {
        for league in self.leagues.iter_mut().filter(|league| who.is_none_or(|seat| league.members & bit(seat) != 0)) {
            league.freedom = if league.is_bound { freedom } else { league.freedom.and(freedom) };
            // Seats may join in any order.
            (league.is_bound, league.chose_at) = (false, league.chose_at.max(seq));
        }
    }

    /// A player's contribution enters the pool.
    pub fn enters(&mut self, contributed: Contributed) {
        let HadSeen { seq, how } = contributed.seen;
        self.contributions += 1;
        self.on_word += u64::from(how != KnownBy::Signature);
        if how == KnownBy::HostsWord {
            return;
        }
        if self.host_made & bit(contributed.seat) != 0 {
            return;
        }
        let known_from = seq + 1;
        for league in self.leagues.iter_mut().filter(|league| league.members & bit(contributed.seat) == 0) {
            league.knows_from = league.knows_from.max(known_from);
            league.is_bound |= known_from > league.chose_at;
        }
    }

    /// A round of a public beacon enters the pool with record `seq`. Nobody knew it when the act was fixed, or at any
    /// choice before.
    pub fn round(&mut self, seq: u64) {
        for league in &mut self.leagues {
            (league.is_bound, league.knows_from) = (true, league.knows_from.max(seq));
        }
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
        self.throws += count;
        self.unforeseen += if self.leagues.iter().all(|league| league.knows_from > seen) { count } else { 0 };
        for League { freedom, is_bound, knows_from, counted, .. } in &mut self.leagues {
            counted.foreseen += if *knows_from <= seen { count } else { 0 };
            match freedom {
                _ if *is_bound => {}
                Freedom::Any => counted.chosen += count,
                Freedom::Between { times } => {
                    counted.chosen_between += count;
                    counted.between = counted.between.max(*times);
                }
            }
        }
    }

    /// Throws so far.
    pub fn thrown(&self) -> u64 {
        self.throws
    }

    /// Throws that no league could have foreseen.
    pub fn unforeseen(&self) -> u64 {
        self.unforeseen
    }

    /// How many contributions of players entered the pool, and for how many the log has only the host's word for what
    /// their writers had seen.
    pub fn contributions(&self) -> (u64, u64) {
        (self.contributions, self.on_word)
    }

    /// Every league, the smallest first: its players, and what it could have done with the host.
    pub fn leagues(&self) -> Vec<(Vec<Seat>, Counted)> {
        let mut leagues: Vec<(Vec<Seat>, Counted)> =
            self.leagues.iter().map(|league| (seats(league.members), league.counted)).collect();
        leagues.sort_by_key(|(seats, _)| seats.len());
        leagues
    }
}

fn bit(seat: Seat) -> u32 {
    1 << seat.index()
}

fn seats(members: u32) -> Vec<Seat> {
    (0..32).filter(|index| members & (1 << index) != 0).map(Seat::at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANNA: Seat = Seat(1);
    const BERT: Seat = Seat(2);

    fn enters(possible: &mut Possible, seat: Seat, seen: u64) {
        possible.enters(Contributed { seat, seen: HadSeen { seq: seen, how: KnownBy::Signature } });
    }

    #[track_caller]
    fn counted(possible: &Possible, league: &[Seat], expected: Counted) {
        let found = possible.leagues().into_iter().find(|(seats, _)| seats == league).expect("it is a league");
        assert_eq!(found.1, expected, "{league:?}");
    }

    /// Genesis is record 0, Anna joins with record 1, Bert with 2; both letters had seen 0.
    fn joined() -> Possible {
        let mut possible = Possible::new(&[ANNA, BERT]);
        for (seat, seq) in [(ANNA, 1), (BERT, 2)] {
            possible.chooses(Some(seat), seq);
            enters(&mut possible, seat, 0);
        }
        possible
    }

    #[test]
    fn a_host_who_holds_all_seats_could_have_chosen_everything() {
        let mut possible = Possible::new(&[]);
        possible.throws(5, 0);
        counted(&possible, &[], Counted { chosen: 5, foreseen: 5, ..Counted::default() });
    }

    #[test]
    fn phrases_alone_bind_the_host_but_no_league() {
        let mut possible = joined();
        possible.throws(3, 0);
        counted(&possible, &[], Counted::default());
        counted(&possible, &[ANNA], Counted { chosen: 3, ..Counted::default() });
        counted(&possible, &[BERT], Counted { chosen: 3, ..Counted::default() });
    }

    #[test]
    fn a_code_opened_after_all_have_joined_binds_everybody_else() {
        let mut possible = joined();
        enters(&mut possible, ANNA, 2);
        possible.throws(3, 0);
        counted(&possible, &[BERT], Counted::default());
        counted(&possible, &[ANNA], Counted { chosen: 3, ..Counted::default() });
    }

    #[test]
    fn a_spell_is_a_choice_between_two_until_a_code_of_another_comes() {
        let mut possible = joined();
        enters(&mut possible, ANNA, 2);
        enters(&mut possible, BERT, 2);
        // Anna answers with record 6, in a letter that had seen 5.
        possible.begins_spell(ANNA, 6);
        enters(&mut possible, ANNA, 5);
        possible.throws(1, 5);
        counted(&possible, &[], Counted::default());
        counted(&possible, &[ANNA], Counted { chosen_between: 1, between: 1, foreseen: 1, ..Counted::default() });
        counted(&possible, &[BERT], Counted::default());
        // A second letter of the same spell: the host knows the code by now.
        possible.throws(1, 6);
        counted(&possible, &[], Counted { foreseen: 1, ..Counted::default() });
        // Bert answers with his code, in a letter that had seen all that: nobody can aim any more.
        possible.begins_spell(BERT, 8);
        enters(&mut possible, BERT, 7);
        possible.throws(1, 7);
        counted(&possible, &[ANNA], Counted { chosen_between: 2, between: 1, foreseen: 2, ..Counted::default() });
    }

    #[test]
    fn codes_that_nobody_signed_for_bind_nobody() {
        let mut possible = joined();
        enters(&mut possible, ANNA, 2);
        // Record 4 moves other codes for Anna, and Bert's vote brings a code.
        for (is_signed, chosen) in [(true, 0), (false, 1)] {
            let mut possible = possible.clone();
            possible.changes_codes(ANNA, 4, is_signed);
            enters(&mut possible, ANNA, 6);
            possible.throws(1, 5);
            counted(&possible, &[], Counted { chosen, foreseen: chosen, ..Counted::default() });
        }
    }

    #[test]
    fn a_player_who_goes_on_as_host_is_in_every_league() {
        let mut possible = joined();
        enters(&mut possible, ANNA, 2);
        enters(&mut possible, BERT, 2);
        possible.are_held([BERT].into_iter());
        assert_eq!(possible.leagues().len(), 1, "all others together leave nobody to cheat");
        // Bert goes on with record 4, and chooses it as host.
        possible.chooses(None, 4);
        possible.throws(1, 4);
        counted(&possible, &[BERT], Counted { chosen: 1, foreseen: 1, ..Counted::default() });
        enters(&mut possible, ANNA, 5);
        possible.throws(1, 5);
        counted(&possible, &[BERT], Counted { chosen: 1, foreseen: 1, ..Counted::default() });
        possible.are_held([ANNA, BERT].into_iter());
        assert_eq!(possible.leagues().len(), 1);
    }

    #[test]
    fn two_leagues_may_foresee_different_throws() {
        let mut possible = joined();
        enters(&mut possible, ANNA, 2);
        possible.throws(1, 2);
        enters(&mut possible, BERT, 4);
        possible.throws(1, 4);
        // Anna knew her code behind the first throw, and Bert his behind the second.
        for (league, foreseen) in [(&[][..], 0), (&[ANNA][..], 1), (&[BERT][..], 1)] {
            let (seats, counted) = possible.leagues().into_iter().find(|(seats, _)| seats == league).unwrap();
            assert_eq!(counted.foreseen, foreseen, "{seats:?}");
        }
        assert_eq!(possible.unforeseen(), 0);
        enters(&mut possible, ANNA, 5);
        enters(&mut possible, BERT, 5);
        possible.throws(3, 5);
        assert_eq!(possible.unforeseen(), 3);
    }

    #[test]
    fn who_joined_last_chose_last_whatever_his_seat() {
        let chloe = Seat(3);
        let mut possible = Possible::new(&[ANNA, BERT, chloe]);
        // Anna joins last, with record 3; Chloe's letter had seen record 2.
        possible.chooses(Some(ANNA), 3);
        possible.chooses(Some(BERT), 2);
        possible.chooses(Some(chloe), 1);
        enters(&mut possible, chloe, 2);
        possible.throws(1, 3);
        counted(&possible, &[ANNA, BERT], Counted { chosen: 1, foreseen: 1, ..Counted::default() });
    }

    #[test]
    fn a_code_that_may_have_been_held_back_binds_nobody() {
        let mut possible = joined();
        enters(&mut possible, ANNA, 2);
        enters(&mut possible, BERT, 2);
        // Bert wrote after record 5, but his letter was recorded only after Anna's choice in record 7.
        possible.begins_spell(ANNA, 7);
        enters(&mut possible, ANNA, 6);
        possible.begins_spell(BERT, 8);
        enters(&mut possible, BERT, 5);
        possible.throws(1, 7);
        counted(&possible, &[ANNA], Counted { chosen_between: 1, between: 1, foreseen: 1, ..Counted::default() });
    }
}
