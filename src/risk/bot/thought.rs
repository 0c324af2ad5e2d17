//! What a bot expects to gain by an answer, in a sentence: the part of its hope that the answer improves most.

use crate::board::Board;
use crate::bot::hope::{Outlook, Part};
use crate::side::Side;
use crate::switches::Variant;
use crate::territory::{Region, Territory};
use crate::words;
use engine::name::Named;
use engine::plural;
use engine::seat::Seat;
use engine::slot::Faces;

/// Smaller gains are not mentioned.
const LEAST: f64 = 0.25;
/// An immediate gain of this size is mentioned first.
const DEED_LEAST: f64 = 1.0;
/// The points that finding the Ring counts: so many that it is mentioned before other gains.
const RING: f64 = 100.0;
/// Smaller changes in battalions are not given as a number.
const BATTALIONS_LEAST: f64 = 0.6;

/// What the seat gains by an answer: `after` has boards that may follow from it, `otherwise` boards that may follow
/// from other answers.
pub fn thought(before: &Board, after: &[Board], otherwise: &[Board], seat: Seat) -> Option<String> {
    let has_won = |board: &&Board| board.outcome().is_some_and(|outcome| outcome.winners.contains(&seat));
    let wins = after.iter().filter(has_won).count();
    if wins == after.len() {
        return Some("it wins the game.".to_string());
    }
    if wins > 0 {
        return Some(format!("it may win the game at once, in {wins} of {} tries.", after.len()));
    }
    // ▲17: a wish for other dice does not go on with the turn, so it is not compared.
    let same_wish = |board: &&Board| board.player(seat).defence == before.player(seat).defence;
    let otherwise = going_on(otherwise).into_iter().filter(same_wish).collect();
    let gains = Gains { before, after: going_on(after), otherwise, seat };
    if gains.after.is_empty() || gains.otherwise.is_empty() {
        return None;
    }
    Some(gains.finished().unwrap_or_else(|| gains.told()))
}

/// The boards on which the game is not over.
fn going_on(boards: &[Board]) -> Vec<&Board> {
    boards.iter().filter(|board| board.outcome().is_none()).collect()
}

/// How much an answer improves one part of what a seat may expect.
struct Way {
    gain: f64,
    seat: Seat,
    part: Part,
    is_deed: bool,
}

/// An answer: the boards that may follow from it, and those that may follow from others.
struct Gains<'a> {
    before: &'a Board,
    after: Vec<&'a Board>,
    otherwise: Vec<&'a Board>,
    seat: Seat,
}

impl Gains<'_> {
    /// A rival whom the answer leaves without a territory.
    fn finished(&self) -> Option<String> {
        let rival = self.rivals().find(|rival| {
            let gone = |board: &Board| board.is_eliminated(*rival);
            !gone(self.before) && share(&self.after, gone) - share(&self.otherwise, gone) > 0.25
        })?;
        let tries = self.tries(|board| board.is_eliminated(rival));
        let cards = match self.before.territory_cards(rival).len() {
            0 => String::new(),
            1 => " and takes the Territory card of that hand".to_string(),
            cards => format!(" and takes the {cards} Territory cards of that hand"),
        };
        Some(format!("it finishes {}{cards}{tries}.", self.player(rival)))
    }

    /// The part that improves most, in words. Immediate gains come before those that only come nearer.
    fn told(&self) -> String {
        let mut ways = self.ways();
        ways.sort_by(|one, other| other.gain.total_cmp(&one.gain));
        // A region that changes hands is mentioned even if it cannot be held.
        let of_note = |way: &&Way| matches!(way.part, Part::Region(_)) || way.gain >= DEED_LEAST;
        let deed = ways.iter().filter(|way| way.is_deed).filter(of_note).min_by_key(|way| self.rank(way));
        match (deed.or(ways.first()), self.ring()) {
            (best, Some((gain, words))) if best.is_none_or(|best| gain > best.gain) => words,
            (Some(way), _) if way.is_deed || way.gain >= LEAST => self.words(way.seat, way.part),
            _ => "no answer gains much, and this one loses little.".to_string(),
        }
    }

    /// The place of an immediate gain in the order in which they are mentioned.
    fn rank(&self, way: &Way) -> u8 {
        let own = way.seat == self.seat;
        match way.part {
            Part::Region(_) if own => 0,
            Part::Region(_) => 1,
            Part::Points => 2,
            Part::Stronghold(_) if own => 3,
            Part::Stronghold(_) => 4,
            Part::Lands if own => 5,
            Part::Lands | Part::Battalions | Part::Leaders | Part::TerritoryCards | Part::AdventureCards => 6,
        }
    }

    /// The gain of each part. Immediate gains are compared with the board before, all others with other answers.
    fn ways(&self) -> Vec<Way> {
        let mut ways = Vec::new();
        // An ally's gains are not mentioned. All rivals together count as much as the seat itself.
        let rivals = self.rivals().count().max(1) as f64;
        for seat in [self.seat].into_iter().chain(self.rivals()) {
            let weight = if seat == self.seat { 1.0 } else { -1.0 / rivals };
            let [now, then, was] =
                [self.parts(&self.after, seat), self.parts(&self.otherwise, seat), self.parts(&[self.before], seat)];
            let in_it = |parts: &[(Part, f64)], part: Part| {
                parts.iter().find(|(other, _)| *other == part).map_or(0.0, |(_, points)| *points)
            };
            let mut all: Vec<Part> = now.iter().map(|(part, _)| *part).collect();
            all.extend(then.iter().map(|(part, _)| *part).filter(|part| !now.iter().any(|(other, _)| other == part)));
            for part in all {
                let is_deed = self.is_deed(seat, part);
                let compared = if is_deed { in_it(&was, part) } else { in_it(&then, part) };
                ways.push(Way { gain: weight * (in_it(&now, part) - compared), seat, part, is_deed });
            }
        }
        ways
    }

    /// Whether the answer itself changes who holds this part, in at least half of the tries.
    fn is_deed(&self, seat: Seat, part: Part) -> bool {
        let own = seat == self.seat;
        // Our region: we now hold it. A rival's: he no longer does.
        let turns = |is: &dyn Fn(&Board) -> bool| !is(self.before) && share(&self.after, is) >= 0.5;
        let more = |of: &dyn Fn(&Board) -> f64| mean(&self.after, of) - of(self.before);
        match part {
            Part::Region(region) => turns(&|board| board.controls_region(seat, region) == own),
            Part::Stronghold(place) => turns(&|board| board.controls(seat, place) == own),
            Part::Lands if own => more(&|board| f64::from(board.lands(seat).len())) > 0.5,
            Part::Lands => more(&|board| f64::from(board.lands(seat).len())) < -0.5,
            Part::Points => own && more(&|board| f64::from(board.card_points(seat))) > 0.5,
            Part::Battalions | Part::Leaders | Part::TerritoryCards | Part::AdventureCards => false,
        }
    }

    /// What a seat may expect on these boards on average, part by part.
    fn parts(&self, boards: &[&Board], seat: Seat) -> Vec<(Part, f64)> {
        let mut sums: Vec<(Part, f64)> = Vec::new();
        let nothing = Faces::default();
        for board in boards.iter().filter(|board| !board.is_eliminated(seat)) {
            Outlook::of(board, self.seat, &nothing).parts(seat, |part, points| {
                let points = points / boards.len() as f64;
                match sums.iter_mut().find(|(known, _)| *known == part) {
                    Some((_, sum)) => *sum += points,
                    None => sums.push((part, points)),
                }
            });
        }
        sums
    }

    /// 14.3: how the answer changes the chance that an evil player finds the Ring.
    fn ring(&self) -> Option<(f64, String)> {
        if self.before.switches().variant != Variant::Team {
            return None;
        }
        let nothing = Faces::default();
        let found = |board: &Board| Outlook::of(board, self.seat, &nothing).ring_is_found();
        let (now, then) = (mean(&self.after, found), mean(&self.otherwise, found));
        let (sign, word) = match self.before.side(self.seat) {
            Side::Evil => (1.0, "the Ring would be found with a chance"),
            Side::Good => (-1.0, "the Ring would be found only with a chance"),
        };
        let percent = |chance: f64| (100.0 * chance) as u32;
        let words = format!("{word} of about {} instead of {} in 100.", percent(now), percent(then));
        let gain = sign * RING * (now - then);
        (gain >= LEAST && percent(now) != percent(then)).then_some((gain, words))
    }

    fn words(&self, seat: Seat, part: Part) -> String {
        let own = seat == self.seat;
        match part {
            Part::Region(region) if own => self.own_region(region),
            Part::Region(region) => self.region_of(seat, region),
            Part::Stronghold(place) if own => {
                if self.before.controls(seat, place) {
                    format!("it guards {}, a stronghold.", place.name().title())
                } else {
                    format!("it takes {}, a stronghold{}.", place.name().title(), self.tries(holds(seat, place)))
                }
            }
            Part::Stronghold(place) => {
                if share(&self.after, holds(seat, place)) < 0.5 {
                    format!("it takes {}, a stronghold, from {}.", place.name().title(), self.player(seat))
                } else {
                    format!("it threatens {}, a stronghold of {}.", place.name().title(), self.player(seat))
                }
            }
            Part::Lands => self.lands(seat),
            Part::Battalions | Part::Leaders => self.battalions(seat, part),
            Part::TerritoryCards if own => "it gains a Territory card, for a set later.".to_string(),
            Part::TerritoryCards => format!("it keeps a Territory card from {}.", self.player(seat)),
            Part::AdventureCards if own => "it gains an Adventure card, by a Site of Power.".to_string(),
            Part::AdventureCards => format!("it keeps an Adventure card from {}.", self.player(seat)),
            Part::Points => {
                let points = |board: &Board| f64::from(board.card_points(seat));
                let more = (mean(&self.after, points) - points(self.before)).max(1.0) as u32;
                format!("the card itself scores: {}.", plural::counted(more, "point"))
            }
        }
    }

    /// A region of the seat itself: taken, guarded, or prepared.
    fn own_region(&self, region: Region) -> String {
        let holds = |board: &Board| board.controls_region(self.seat, region);
        let (name, turn) = (region.name().title(), each_turn(region));
        if holds(self.before) {
            format!("it guards {name}: {turn}.")
        } else if share(&self.after, holds) > 0.25 {
            format!("it takes {name}: {turn} more{}.", self.tries(holds))
        } else {
            format!("it brings {name} nearer: {turn} once it is complete.")
        }
    }

    /// A region of a rival: broken, threatened, or kept from him.
    fn region_of(&self, seat: Seat, region: Region) -> String {
        let holds = |board: &Board| board.controls_region(seat, region);
        let (name, turn, player) = (region.name().title(), each_turn(region), self.player(seat));
        if !holds(self.before) {
            format!("it keeps {name} from {player}: {turn}.")
        } else if share(&self.after, holds) < 0.75 {
            let tries = self.tries(|board| !holds(board));
            format!("it breaks into {name}: {turn} less for {player}{tries}.")
        } else {
            format!("it threatens {name}: {turn} for {player}.")
        }
    }

    fn lands(&self, seat: Seat) -> String {
        let lands = |board: &Board| f64::from(board.lands(seat).len());
        let more = mean(&self.after, lands) - lands(self.before);
        let (own, player) = (seat == self.seat, self.player(seat));
        let number = match (more.abs() + 0.5) as u32 {
            0 | 1 => "a territory".to_string(),
            number => format!("{number} territories"),
        };
        match number {
            number if own && more > 0.5 => format!("it takes {number}, for points and battalions."),
            number if !own && more < -0.5 => format!("it takes {number} from {player}."),
            _ if own => "it holds its territories more safely.".to_string(),
            _ => format!("it threatens the territories of {player}."),
        }
    }

    fn battalions(&self, seat: Seat, part: Part) -> String {
        let leaders = |board: &Board| board.leaders(seat).count() as f64;
        let more = mean(&self.after, all_battalions(seat)) - mean(&self.otherwise, all_battalions(seat));
        let number = words::battalions((more.abs() + 0.5) as u32);
        let (own, player) = (seat == self.seat, self.player(seat));
        match part {
            Part::Leaders if own && mean(&self.after, leaders) > mean(&self.otherwise, leaders) + 0.5 => {
                "it has a Leader more.".to_string()
            }
            Part::Leaders if own => "its Leaders lead more battalions, or stand more safely.".to_string(),
            Part::Leaders => format!("it leaves a Leader of {player} in danger."),
            _ if own && self.trades() => self.traded(),
            _ if more.abs() < BATTALIONS_LEAST && own => "its battalions come nearer to where they fight.".to_string(),
            _ if more.abs() < BATTALIONS_LEAST => format!("it leaves battalions of {player} behind."),
            _ if own && more > 0.0 => format!("it has about {number} more by it than by other answers."),
            _ if own => "its battalions stand nearer to where they fight.".to_string(),
            _ => format!("it costs {player} about {number}."),
        }
    }

    /// 5.4: three Territory cards are traded.
    fn trades(&self) -> bool {
        let cards = |board: &Board| board.territory_cards(self.seat).len();
        self.after.iter().all(|board| cards(board) + 3 <= cards(self.before))
    }

    fn traded(&self) -> String {
        let now = mean(&self.after, all_battalions(self.seat));
        let least = self.otherwise.iter().map(|board| all_battalions(self.seat)(board)).fold(now, f64::min);
        match (now - least + 0.5) as u32 {
            0 => "it trades a set, as it must.".to_string(),
            more => format!("it trades a set, for {}.", words::battalions(more)),
        }
    }

    /// In how many of the tries this happens; empty if it happens in all.
    fn tries(&self, is: impl Fn(&Board) -> bool) -> String {
        let often = self.after.iter().filter(|board| is(board)).count();
        match self.after.len() {
            all if all == often => String::new(),
            all => format!(", in {often} of {all} tries"),
        }
    }

    fn rivals(&self) -> impl Iterator<Item = Seat> {
        self.before.playing().filter(|other| *other != self.seat && !self.before.are_allies(self.seat, *other))
    }

    fn player(&self, seat: Seat) -> &'static str {
        self.before.colour(seat).name().title()
    }
}

fn holds(seat: Seat, territory: Territory) -> impl Fn(&Board) -> bool {
    move |board| board.controls(seat, territory)
}

/// The battalions of a seat on the board, and those that it has to place.
fn all_battalions(seat: Seat) -> impl Fn(&Board) -> f64 {
    move |board| {
        let on_board: u32 = board.lands(seat).iter().map(|territory| board.battalions(territory)).sum();
        let placed = if board.turn().seat == Some(seat) { board.turn().to_place } else { 0 };
        f64::from(on_board + placed)
    }
}

/// 5.3: what a region brings.
fn each_turn(region: Region) -> String {
    format!("{} a turn", words::battalions(region.bonus()))
}

fn mean(boards: &[&Board], of: impl Fn(&Board) -> f64) -> f64 {
    boards.iter().map(|board| of(board)).sum::<f64>() / boards.len() as f64
}

/// The share of the boards on which this is so.
fn share(boards: &[&Board], is: impl Fn(&Board) -> bool) -> f64 {
    mean(boards, |board| f64::from(u8::from(is(board))))
}
