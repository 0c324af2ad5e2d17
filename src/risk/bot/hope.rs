/*! How good a position is for a seat: the points that it may expect at the end, less those of its rivals.

Points on the board count by the chance to keep them; battalions, income and cards by the points that they can still
take in the turns left; the Missions that the seat knows in its hand by the chance to complete them. In Team Risk the
chance that the Ring is found comes first. All of it is sums, products and quotients, which are the same on every
machine.
*/

use crate::board::player::DefenceWish;
use crate::board::{Board, Holder};
use crate::bot::{front, mission};
use crate::combat::invasion::enemies;
use crate::lands::Lands;
use crate::side::Side;
use crate::switches::Variant;
use crate::territory::{PATH_STEPS, Region, TERRITORIES, Territory, path};
use engine::seat::Seat;
use engine::slot::Faces;

/// The hope of a game that is won.
const WON: i64 = 100_000_000;
/// The hope that a point counts for.
const POINT: f64 = 1_000.0;
/// The points that a battalion received in a later turn can take.
const BATTALION: f64 = 0.34;
/// The points that a first battalion can take, and the number of battalions at which one more takes a quarter of that.
const FIRST_BATTALION: f64 = 0.65;
const MANY_BATTALIONS: f64 = 150.0;
/// A Territory card, in battalions: a third of a set, less something for the wait.
pub const TERRITORY_CARD: f64 = 2.2;
/// An Adventure card in hand, in points: not all of them will be played.
const ADVENTURE_CARD: f64 = 0.7;
/// The same in Team Risk, where cards score nothing: only their effect counts, and playing one loses no points.
const UNSCORED_CARD: f64 = 0.2;
/// A Leader, in battalions, without what he adds to the battalions beside him.
const LEADER: f64 = 1.0;
/// The share of threatened territories that fall in a round: nobody attacks everywhere.
const LOST: f64 = 0.45;
/// The part of an enemy's income that is to be expected beside each of his targets.
const SOON: f64 = 0.8;
/// The part of a region's bonus that counts as soon as the region is all but taken.
const ALL_BUT: f64 = 0.8;
/// The most turns for which income counts.
const TURNS_MAX: f64 = 6.0;
/// In Team Risk, the points that finding the Ring counts: for evil, and against good.
const RING: f64 = 500.0;
/// The most seats of a table.
const SEATS_MAX: usize = 4;

/// The hope of a seat, by what `faces` shows of its hand.
pub fn hope(board: &Board, seat: Seat, faces: &Faces) -> i64 {
    let hope = match board.outcome() {
        Some(outcome) if outcome.winners.contains(&seat) => WON,
        Some(_) => -WON,
        None => (POINT * Outlook::of(board, seat, faces).lead(seat)) as i64,
    };
    // Two dice are the best defence. Without this penalty, a bot would ask to be asked, and not to be asked, for ever.
    if board.player(seat).defence == DefenceWish::Ask { hope - 10 * WON } else { hope }
}

/// One part of the points that a seat may expect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All or a part of a region.
    Region(Region),
    Stronghold(Territory),
    /// The territories, for their points and for the battalions that they bring each turn.
    Lands,
    Battalions,
    Leaders,
    TerritoryCards,
    /// Cards in hand.
    AdventureCards,
    /// Cards in front of the seat.
    Points,
}

/// The position with all its threats.
pub struct Outlook<'a> {
    board: &'a Board,
    judge: Seat,
    faces: &'a Faces,
    /// The turns that each seat has left.
    turns: [f64; SEATS_MAX],
    /// The battalions with which each seat can invade a territory.
    threats: [[f64; TERRITORIES]; SEATS_MAX],
    /// How likely each territory falls if somebody wants it.
    falls: [f64; TERRITORIES],
}

impl Outlook<'_> {
    /// The position as the seat `judge` sees it, knowing the cards that `faces` shows.
    pub fn of<'a>(board: &'a Board, judge: Seat, faces: &'a Faces) -> Outlook<'a> {
        let turns = turns(board, judge);
        let (threats, falls) = ([[0.0; TERRITORIES]; SEATS_MAX], [0.0; TERRITORIES]);
        let mut outlook = Outlook { board, judge, faces, turns, threats, falls };
        for seat in board.playing() {
            outlook.threaten(seat);
        }
        for territory in Territory::ALL {
            outlook.falls[territory.index()] = outlook.fall(territory);
        }
        outlook
    }

    /// Battalions beside an enemy threaten him, and so does a part of the income that will be placed before the attack.
    fn threaten(&mut self, seat: Seat) {
        let board = self.board;
        let threats = &mut self.threats[seat.index()];
        let soon = income(board, seat) * SOON;
        let targets = enemies(board, seat);
        for from in front(board, seat).iter() {
            let able = f64::from(board.battalions(from).saturating_sub(1))
                + if board.holding(from).leader { 0.7 } else { 0.0 };
            for to in Lands::next_to(from).and(targets).iter() {
                let threat = &mut threats[to.index()];
                *threat += able + if *threat == 0.0 { soon } else { 0.0 };
            }
        }
    }

    /// How likely a territory falls to the strongest of its enemies.
    fn fall(&self, territory: Territory) -> f64 {
        let board = self.board;
        let falls_to = |seat: Seat| {
            let ratio = self.threats[seat.index()][territory.index()] / defence(board, territory);
            let cube = ratio * ratio * ratio;
            cube / (cube + 1.0) * self.turns[seat.index()].min(1.0)
        };
        board.playing().map(falls_to).fold(0.0, f64::max)
    }

    /// How far the seat is ahead of its rivals, in points.
    fn lead(&self, seat: Seat) -> f64 {
        let board = self.board;
        let prospects: Vec<(Seat, f64)> = board.playing().map(|seat| (seat, self.prospects(seat))).collect();
        let own = prospects.iter().find(|(other, _)| *other == seat).map_or(0.0, |(_, own)| *own);
        let side = |side: Side| -> f64 {
            prospects.iter().filter(|(other, _)| board.side(*other) == side).map(|(_, prospects)| prospects).sum()
        };
        let teams = side(board.side(seat)) - side(board.side(seat).other());
        match board.switches().variant {
            Variant::Team => {
                let found = self.ring_is_found();
                let ring = if board.side(seat) == Side::Evil { found } else { -found };
                RING * ring + 0.5 * teams
            }
            // 14.1: the winner is the better player of the better team.
            Variant::Alliance => {
                let ally = board.playing().filter(|other| board.are_allies(seat, *other));
                let ally: f64 = ally.map(|ally| self.prospects(ally)).sum();
                teams + 0.3 * (own - ally)
            }
            Variant::Individual | Variant::Standard => {
                let rivals = prospects.iter().filter(|(other, _)| *other != seat).map(|(_, prospects)| *prospects);
                let (most, sum) = rivals.fold((0.0_f64, 0.0), |(most, sum), one| (most.max(one), sum + one));
                let rivals = board.seats().count() as f64 - 1.0;
                let all = if own == 0.0 { -100.0 } else { 0.0 };
                own - 0.5 * most - 0.5 * sum / rivals + all
            }
        }
    }

    /// The points that a seat may expect.
    fn prospects(&self, seat: Seat) -> f64 {
        let mut prospects = 0.0;
        self.parts(seat, |_, points| prospects += points);
        prospects
    }

    /// The points that a seat may expect, part by part.
    pub fn parts(&self, seat: Seat, mut part: impl FnMut(Part, f64)) {
        let board = self.board;
        let turns = self.turns[seat.index()];
        let later = BATTALION * turns.min(TURNS_MAX);
        let (mut lands, mut points) = (0.0, 0.0);
        for territory in board.lands(seat).iter() {
            let held = 1.0 - LOST * self.falls[territory.index()];
            lands += held;
            points += held;
            if board.has_stronghold(territory) {
                part(Part::Stronghold(territory), held * (2.0 + later));
            }
        }
        part(Part::Lands, points + later * (lands / 3.0).max(3.0_f64.min(lands)));
        for region in Region::ALL {
            part(Part::Region(region), (f64::from(region.bonus()) * (1.0 + later)) * self.grip(seat, region));
        }
        // 14.2: in Team Risk nothing is scored.
        let scores = if board.switches().variant == Variant::Team { 0.0 } else { 1.0 };
        part(Part::Points, scores * f64::from(board.card_points(seat)));
        let (mut battalions, leaders) = self.army(seat);
        battalions += f64::from(board.player(seat).stock);
        let mut cards = board.territory_cards(seat).len() as f64;
        let mut adventures = board.adventure_cards(seat).len() as f64;
        let (mut missions, mut rewards) = (0.0, 0.0);
        if seat == self.judge {
            for promise in mission::promises(board, seat, self.faces, turns, &self.falls) {
                adventures -= 1.0;
                missions += scores * promise.points;
                rewards += promise.battalions;
            }
        }
        if board.turn().seat == Some(seat) && board.turn().number > 0 {
            let turn = board.turn();
            battalions += f64::from(turn.to_place);
            cards += f64::from(u8::from(turn.conquered)) + f64::from(turn.extra_cards);
            adventures += f64::from(u8::from(turn.site_conquered));
        }
        let cards = TERRITORY_CARD * cards;
        let all = battalions + leaders + cards + rewards;
        let each = FIRST_BATTALION * turns.min(1.0) / (1.0 + all / MANY_BATTALIONS);
        part(Part::Battalions, each * battalions);
        part(Part::Leaders, each * leaders);
        part(Part::TerritoryCards, each * cards);
        let card = if scores > 0.0 { ADVENTURE_CARD } else { UNSCORED_CARD };
        part(Part::AdventureCards, card * turns.min(1.0) * adventures + missions + each * rewards);
    }

    /// The battalions on the board, counted for less far behind the front, and what Leaders add to them.
    fn army(&self, seat: Seat) -> (f64, f64) {
        const NEARNESS: [f64; 4] = [1.0, 0.8, 0.65, 0.55];
        let board = self.board;
        let mut left = board.lands(seat);
        let mut here = front(board, seat);
        let (mut army, mut leaders) = (0.0, 0.0);
        for nearness in NEARNESS {
            for territory in here.iter() {
                let battalions = f64::from(board.battalions(territory));
                army += nearness * battalions;
                if board.holding(territory).leader {
                    let safe = 1.0 - self.falls[territory.index()];
                    leaders += safe * (LEADER + nearness * 0.15 * battalions.min(12.0));
                }
            }
            left = left.without(here);
            here = left.and(here.surroundings());
        }
        let behind = left.iter().map(|territory| f64::from(board.battalions(territory))).sum::<f64>();
        (army + NEARNESS[3] * behind, leaders)
    }

    /// How much of a region the seat has, or is about to have: 1 is all of it, safely.
    fn grip(&self, seat: Seat, region: Region) -> f64 {
        let board = self.board;
        let all = Lands::of(region);
        let own = all.and(board.lands(seat));
        let missing = all.without(own);
        if missing.is_empty() {
            return own.iter().map(|territory| 1.0 - 0.8 * self.falls[territory.index()]).product();
        }
        let open = missing.and(enemies(board, seat).or(board.unclaimed()));
        if open != missing {
            return 0.0;
        }
        let against: f64 = missing.iter().map(|territory| defence(board, territory) + 0.3).sum();
        let near = board.lands(seat).and(missing.surroundings());
        let able: f64 = near.iter().map(|from| f64::from(board.battalions(from).saturating_sub(1))).sum();
        let share = f64::from(own.len()) / f64::from(all.len());
        let odds = able / (able + 1.5 * against);
        let grip = 0.4 * share + 0.6 * odds;
        ALL_BUT * grip * grip * (0.3 + 0.7 * share)
    }

    /// The chance that an evil player finds the Ring before it is destroyed (14.3).
    pub fn ring_is_found(&self) -> f64 {
        let board = self.board;
        let here = usize::from(board.ring_step()) - 1;
        let mut lost = 1.0;
        for (step, place) in path().iter().enumerate().skip(here) {
            let territory = place.territory;
            let falls = self.falls[territory.index()];
            let evil = |seat: Seat| board.side(seat) == Side::Evil;
            // The further the Ring has to go, the less certain it is who will hold the territory.
            let known = 1.0 / (1.0 + 0.12 * (step - here) as f64);
            let held = match board.holder(territory) {
                Holder::Seat(seat) if evil(seat) => 1.0 - known * 0.6 * falls,
                Holder::Seat(_) | Holder::Neutral | Holder::Nobody => known * 0.6 * falls,
            };
            let held = known * held + (1.0 - known) * 0.5;
            let helped = match board.holder(territory) {
                Holder::Seat(seat) if evil(seat) => {
                    u32::from(board.controls_region(seat, territory.region()))
                        + u32::from(board.holding(territory).leader)
                }
                Holder::Seat(_) | Holder::Neutral | Holder::Nobody => 0,
            };
            let chance = held * f64::from([1_u8, 3, 6][helped as usize]) / 36.0;
            lost *= 1.0 - chance;
            if place.die {
                lost *= 1.0 - chance;
            }
        }
        1.0 - lost
    }
}

/// The strength of a territory against an invasion, in battalions.
pub fn defence(board: &Board, territory: Territory) -> f64 {
    let bonus = if board.has_stronghold(territory) { 0.25 } else { 0.0 }
        + if board.holding(territory).leader { 0.25 } else { 0.0 };
    f64::from(board.battalions(territory)) * (1.0 + bonus) + 0.5
}

/// The battalions that a seat gets in a turn.
fn income(board: &Board, seat: Seat) -> f64 {
    let regions: u32 =
        Region::ALL.iter().filter(|region| board.controls_region(seat, **region)).map(|region| region.bonus()).sum();
    (f64::from(board.lands(seat).len()) / 3.0).max(3.0) + f64::from(regions)
}

/// The turns that each seat has left, the current one included. The judge's own current turn does not count: a look
/// ahead ends when it is almost over, or when another seat's turn begins.
fn turns(board: &Board, judge: Seat) -> [f64; SEATS_MAX] {
    if board.is_standard() {
        // 14.4: no end is in sight.
        return [TURNS_MAX; SEATS_MAX];
    }
    let count = board.seats().count();
    let active = board.turn().seat.unwrap_or(judge);
    let mut turns = [0.0; SEATS_MAX];
    for (offset, seat) in board.seats_from(active).enumerate() {
        let offset = if offset == 0 && seat == judge { count } else { offset };
        turns[seat.index()] = if board.ring_at_mount_doom() {
            // 11.3: every final roll ends the game with one half.
            let half = |times: usize| (0..times).fold(1.0, |chance, _| chance / 2.0);
            half(offset) / (1.0 - half(count))
        } else {
            ((moves_left(board) - offset as f64) / count as f64 + 0.5).max(0.1)
        };
    }
    turns
}

/// The moves of the Ring still to be expected, its final rolls included.
fn moves_left(board: &Board) -> f64 {
    let way = path()[usize::from(board.ring_step()) - 1..PATH_STEPS - 1].iter();
    let way: f64 = way.map(|step| if step.die { 2.0 } else { 1.0 }).sum();
    way + if board.switches().doom_roll_on_arrival { 1.0 } else { 2.0 }
}
