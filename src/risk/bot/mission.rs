//! What the Missions that a seat knows in its hand may still bring (8.3).

use crate::board::Board;
use crate::bot::hope::{TERRITORY_CARD, defence};
use crate::card::{Face, Mission, Reward};
use crate::cards::held::held;
use crate::combat::invasion::enemies;
use crate::lands::Lands;
use crate::territory::{TERRITORIES, Territory};
use engine::seat::Seat;
use engine::slot::Faces;

/// The chance to complete a Mission: now; later, if a Leader only has to walk to its site; and if he has to fight his
/// way there but is far stronger.
const NOW: f64 = 0.9;
const SOON: f64 = 0.75;
const LATER: f64 = 0.6;
/// How many steps around a site are searched for its Leader.
const WAY_MAX: usize = 4;

/// What a Mission may be expected to bring.
#[derive(Clone, Copy, Debug)]
pub struct Promise {
    pub points: f64,
    pub battalions: f64,
}

/// The Missions of a hand, as far as `faces` shows them. `turns` are the turns that the seat has left, and `falls` is
/// how likely each territory falls before the next of them.
pub fn promises(
    board: &Board,
    seat: Seat,
    faces: &Faces,
    turns: f64,
    falls: &[f64; TERRITORIES],
) -> impl Iterator<Item = Promise> {
    let missions = held(board, seat, faces).into_iter().filter_map(|card| card.mission());
    missions.map(move |mission| {
        let chance = chance(board, seat, mission, turns, falls);
        let battalions = match mission.reward() {
            Reward::Battalions(battalions) => f64::from(battalions.number(board.side(seat))),
            Reward::TerritoryCard => TERRITORY_CARD,
        };
        let points = f64::from(board.card_value(seat, Face::Mission(mission)));
        Promise { points: chance * points, battalions: chance * battalions }
    })
}

/// The territory of a Mission, if its site counts at this table (▲2).
pub fn site(board: &Board, mission: Mission) -> Option<Territory> {
    Some(mission.territory()).filter(|site| board.has_site(*site))
}

fn chance(board: &Board, seat: Seat, mission: Mission, turns: f64, falls: &[f64; TERRITORIES]) -> f64 {
    let Some(site) = site(board, mission) else { return 0.0 };
    let own_turn = board.turn().seat == Some(seat) && !board.is_locked(seat);
    let stands = board.controls(seat, site) && board.holding(site).leader;
    // ▲22: with `mission_if_already_there = false` the Leader must enter the site in the turn of the Mission.
    if stands && own_turn && (board.switches().mission_if_already_there || board.turn().leaders_entered.contains(site))
    {
        return NOW;
    }
    let safe = 1.0 - falls[site.index()];
    if stands && board.switches().mission_if_already_there {
        return NOW * safe * turns.min(1.0);
    }
    let ways = ways(board, seat, site);
    let best = board.leaders(seat).filter(|leader| *leader != site).filter_map(|leader| {
        let able = f64::from(board.battalions(leader)) - 1.0;
        match ways[leader.index()]? {
            against if against <= 0.0 => Some(SOON * safe),
            against if able > 0.0 => {
                let odds = able / (able + against);
                Some(LATER * odds * odds)
            }
            _ => None,
        }
    });
    best.fold(0.0, f64::max) * turns.min(1.0)
}

/// The defence on the weakest way from each territory to the site: 0 through the seat's own territories only, `None`
/// without a way of at most [`WAY_MAX`] steps.
fn ways(board: &Board, seat: Seat, site: Territory) -> [Option<f64>; TERRITORIES] {
    let (own, foes) = (board.lands(seat), enemies(board, seat));
    let mut ways = [None; TERRITORIES];
    ways[site.index()] = match board.controls(seat, site) {
        true => Some(0.0),
        false if foes.contains(site) => Some(defence(board, site) + 1.0),
        false => return ways,
    };
    let mut edge: Lands = [site].into_iter().collect();
    for _ in 0..WAY_MAX {
        let mut next = Lands::NONE;
        for from in edge.iter() {
            let so_far = ways[from.index()].expect("a way leads here");
            for to in Lands::next_to(from).and(own.or(foes)).iter() {
                let through = so_far + if own.contains(to) { 0.0 } else { defence(board, to) + 1.0 };
                if ways[to.index()].is_none_or(|known| through < known) {
                    ways[to.index()] = Some(through);
                    next.insert(to);
                }
            }
        }
        edge = next;
    }
    ways
}
