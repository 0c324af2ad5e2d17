//! The war, as a bot sees it: how many actions a side still needs to its points, by the cheapest Settlements, one after
//! another.

use crate::wotr::board::Board;
use crate::wotr::board::place::Place;
use crate::wotr::dice::Face;
use crate::wotr::figures::Figures;
use crate::wotr::nation::Nation;
use crate::wotr::region::{self, Region, Settlement};
use crate::wotr::side::Side;
use crate::wotr::victory::points_needed;

/// An Army that can take something.
struct Army {
    region: Region,
    power: f64,
    /// The actions until the Nation that most of its units are of is At War.
    delay: f64,
}

/// A Settlement that can be taken.
struct Goal {
    region: Region,
    points: i32,
    /// What its defenders are worth behind their walls, and if an Army besieges it.
    wall: f64,
    besieged: f64,
}

/// The actions that a side still needs to have its points, if nothing comes in between.
pub fn actions_to_points(board: &Board, side: Side) -> f64 {
    let mut left = i32::from(points_needed(side)) - i32::from(board.points(side));
    if left <= 0 {
        return 0.0;
    }
    let mut armies = armies(board, side);
    let muster = muster(board, side);
    let mut goals = goals(board, side);
    let least = |goal: &Goal| armies.iter().map(|army| cost(army, goal, muster)).fold(f64::MAX, f64::min);
    goals.sort_by_cached_key(|goal| (1_000.0 * least(goal).min(1_000.0) / f64::from(goal.points)) as i64);
    let mut sum = 0.0;
    for goal in goals {
        let costs = armies.iter_mut().map(|army| (cost(army, &goal, muster), army));
        let Some((cost, army)) = costs.min_by(|one, other| one.0.total_cmp(&other.0)) else { break };
        let used = f64::from(left.min(goal.points)) / f64::from(goal.points);
        sum += cost * (0.5 + 0.5 * used);
        left -= goal.points;
        // The Army goes on from there with what it has mustered: a step is not a step towards every goal.
        army.power = army.power.max(1.1 * goal.wall) - 0.2 * goal.wall;
        army.region = goal.region;
        army.delay = 0.0;
        if left <= 0 {
            break;
        }
    }
    // Points for which there is no Army yet.
    sum + 12.0 * f64::from(left.max(0))
}

/// A Settlement that a side can take.
#[derive(Clone, Copy, Debug)]
pub struct Aim {
    pub target: Region,
    pub points: i32,
    /// The actions that it takes the Army that is best placed for it.
    pub cost: f64,
}

/// The Settlements that a side can take.
pub fn aims(board: &Board, side: Side) -> Vec<Aim> {
    let (armies, muster) = (armies(board, side), muster(board, side));
    let aim = |goal: &Goal| {
        let cost = armies.iter().map(|army| cost(army, goal, muster)).fold(f64::MAX, f64::min);
        Aim { target: goal.region, points: goal.points, cost }
    };
    goals(board, side).iter().map(aim).filter(|aim| aim.cost < f64::MAX).collect()
}

/// The actions that a unit costs that an Army lacks.
fn muster(board: &Board, side: Side) -> f64 {
    if board.reinforcements().units(side) > 0 { 0.5 } else { 2.5 }
}

/// Whether one march of a die that is left takes the last points.
pub fn can_take_the_rest(board: &Board, side: Side) -> bool {
    let need = points_needed(side).saturating_sub(board.points(side));
    let marchers = [Face::Army, Face::ArmyMuster, Face::Will].map(|face| board.dice().showing(side, face));
    let is_open = |goal: &Region| {
        let points = goal.settlement().map_or(0, Settlement::points);
        points >= need && !board.has_army(!side, *goal) && !(goal.neighbours() & board.armies(side)).is_empty()
    };
    let goals = (region::settlements(!side) - board.captured()) & board.open_regions(side);
    need <= 2 && marchers.iter().sum::<u8>() > 0 && goals.iter().any(|goal| is_open(&goal))
}

fn armies(board: &Board, side: Side) -> Vec<Army> {
    let army = |region: Region| {
        let force = board.force(side, region);
        let nation = Nation::of(side).iter().max_by_key(|nation| force.units_of(**nation)).expect("there are Nations");
        let step = if board.politics().is_active(*nation) { 0.7 } else { 1.6 };
        let delay = f64::from(board.politics().steps_to_war(*nation)) * step;
        Army { region, power: power(board, side, &force), delay }
    };
    board.armies(side).iter().map(army).collect()
}

/// What a force is worth in a battle.
fn power(board: &Board, side: Side, figures: &Figures) -> f64 {
    let units = f64::from(figures.units(side).min(10));
    units + 0.6 * f64::from(figures.elites(side)) + 0.35 * f64::from(board.leadership(figures).min(5))
}

fn goals(board: &Board, side: Side) -> Vec<Goal> {
    let open = region::settlements(!side) - board.captured();
    open.iter().filter(|region| region.is_city_or_stronghold()).map(|region| goal(board, side, region)).collect()
}

fn goal(board: &Board, side: Side, region: Region) -> Goal {
    let besieged = board.besieges(side, region);
    let place = if besieged { Place::Inside(region) } else { Place::Field(region) };
    let defenders = power(board, !side, &board.force_at(!side, place));
    let nation = region.nation().expect("a Settlement belongs to a Nation");
    // Who is At War musters before the attack.
    let more = if defenders > 0.0 && board.is_at_war(nation) { 1.0 } else { 0.0 };
    let (wall, under_siege) = match region.settlement() {
        Some(Settlement::Stronghold) => (defenders.min(8.5) * 1.9 + more, defenders.min(8.5) * 1.2),
        _ => (defenders * 1.25 + more, defenders),
    };
    let points = i32::from(region.settlement().map_or(0, Settlement::points));
    Goal { region, points, wall, besieged: if besieged { under_siege } else { 0.0 } }
}

/// The actions with which an Army takes a Settlement: it goes there, musters what it lacks, and fights.
fn cost(army: &Army, goal: &Goal, muster: f64) -> f64 {
    let way = 0.95 * f64::from(army.region.distance(goal.region));
    let besieges = goal.besieged > 0.0 && army.region == goal.region;
    let wall = if besieges { goal.besieged } else { goal.wall };
    let lacking = (wall * 1.1 - army.power).max(0.0) * muster;
    // An empty Settlement may have a garrison tomorrow.
    let fight = if wall == 0.0 { 0.8 } else { 0.8 + 1.6 * (wall / army.power.max(0.5)).min(2.5) };
    let siege = if goal.region.is_stronghold() && wall > 0.0 && !besieges { 1.0 } else { 0.0 };
    army.delay + way + lacking + fight + siege
}
