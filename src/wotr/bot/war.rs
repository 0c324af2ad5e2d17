/*! The war, as a bot sees it: how many actions a side still needs to its points, by the cheapest Settlements, one after
another.

An Army marches, is joined by Armies on the way and by recruits of Nations At War, and fights. What far away Armies and
recruits cost is what keeps one Regular from threatening a Stronghold.
*/

use crate::wotr::board::Board;
use crate::wotr::board::place::Place;
use crate::wotr::dice::Face;
use crate::wotr::figures::{Figure, Figures};
use crate::wotr::nation::Nation;
use crate::wotr::region::{self, Region, Regions, Settlement};
use crate::wotr::side::Side;
use crate::wotr::victory::points_needed;

/// The actions for a march of one region; dice that move two Armies are counted. The way is shared with other goals as
/// long as it is far.
const STEP: f64 = 0.95;
const NEAR: f64 = 2.0;
const FAR_STEP: f64 = 0.6;
/// The same for an Army that joins another: it often moves with the same die.
const JOIN: f64 = 0.5;
/// The actions for a recruited unit, and for the way of those recruited together, by region.
const RECRUIT: f64 = 0.55;
const ESCORT: f64 = 0.12;
/// The actions for a point of strength that nobody can bring.
const MISSING: f64 = 2.0;
/// The part of the strength of Armies beside a Settlement that defends it.
const RELIEF: f64 = 0.3;
/// The part of what an Army gathers that counts for one goal: it fights for others too.
const GATHERING: f64 = 0.6;
/// The actions for each step of a Nation towards war, if it is active or not.
const ADVANCE: f64 = 0.7;
const ROUSE: f64 = 1.6;
/// The actions that make good what a point of the defence costs an Army.
const LOSSES: f64 = 0.2;
/// The actions for a point that no Army can win.
const OUT_OF_REACH: f64 = 12.0;

/// An Army that can take something.
#[derive(Clone, Copy)]
struct Army {
    region: Region,
    power: f64,
    /// The actions until the Nation that most of its units are of is At War.
    delay: f64,
}

/// What a Nation can still recruit, and where.
struct Levy {
    from: Regions,
    power: f64,
    delay: f64,
}

/// A Settlement that can be taken.
struct Goal {
    region: Region,
    points: u8,
    /// What its defenders are worth behind their walls; under siege, to the besieger.
    wall: f64,
    besieged: bool,
    /// What they recruit with each region of the attacker's way.
    recruits: f64,
}

/// Strength that joins an Army, and the actions that each point of it costs.
struct Help {
    price: f64,
    power: f64,
    of: Helper,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Helper {
    Army(usize),
    Levy(usize),
}

/// Everything that a side can go to war with.
struct Campaign {
    armies: Vec<Army>,
    levies: Vec<Levy>,
}

/// A Settlement that a side can take.
#[derive(Clone, Copy, Debug)]
pub struct Aim {
    pub target: Region,
    pub points: u8,
    /// The actions that it takes the Army that is best placed for it.
    pub cost: f64,
}

/// The Settlements that a side can take.
pub fn aims(board: &Board, side: Side) -> Vec<Aim> {
    let campaign = Campaign::of(board, side);
    let aim = |goal: Goal| Some(Aim { target: goal.region, points: goal.points, cost: campaign.strike(&goal)? });
    goals(board, side).into_iter().filter_map(aim).collect()
}

/// The actions that a side still needs to have its points, if nothing comes in between: by those Settlements that are
/// the cheapest together. It is never less for an Army more, or for one that stands nearer to all of them.
pub fn actions_to_points(board: &Board, side: Side) -> f64 {
    let needed = points_needed(side).saturating_sub(board.points(side));
    let needed = usize::from(needed);
    // What so many points cost at least.
    let mut least: Vec<f64> = (0..=needed).map(|points| OUT_OF_REACH * points as f64).collect();
    for aim in aims(board, side) {
        for points in (1..=needed).rev() {
            let before = points.saturating_sub(usize::from(aim.points));
            least[points] = least[points].min(least[before] + aim.cost);
        }
    }
    least[needed]
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

impl Campaign {
    fn of(board: &Board, side: Side) -> Campaign {
        let army = |region: Region| {
            let force = board.force(side, region);
            let nation =
                Nation::of(side).iter().max_by_key(|nation| force.units_of(**nation)).expect("there are Nations");
            Army { region, power: power(board, side, &force), delay: delay(board, *nation) }
        };
        let held = (region::settlements(side) - board.captured() - board.besieged()) & board.free_regions(side);
        let reinforcements = board.reinforcements();
        let levy = |nation: &Nation| {
            let elites = f64::from(reinforcements.count(Figure::Elite(*nation)));
            let units = f64::from(reinforcements.count(Figure::Regular(*nation))) + 1.6 * elites;
            Levy { from: held & region::regions_of(*nation), power: units, delay: delay(board, *nation) }
        };
        let levies = Nation::of(side).iter().map(levy).filter(|levy| levy.power > 0.0 && !levy.from.is_empty());
        Campaign { armies: board.armies(side).iter().map(army).collect(), levies: levies.collect() }
    }

    /// The actions of the cheapest way to take a goal; nothing if there is no Army.
    fn strike(&self, goal: &Goal) -> Option<f64> {
        let helps = self.helps(goal);
        let mut best: Option<f64> = None;
        for army in 0..self.armies.len() {
            let approach = self.approach(army, goal);
            if best.is_none_or(|best| approach < best) {
                let cost = approach + self.battle(army, goal, &helps);
                best = Some(best.map_or(cost, |best| best.min(cost)));
            }
        }
        best
    }

    /// What can join an Army on its way to the goal, the cheapest first.
    fn helps(&self, goal: &Goal) -> Vec<Help> {
        let joins = self.armies.iter().enumerate().filter_map(|(index, army)| {
            let far = army.region.distance(goal.region);
            let price = (JOIN * f64::from(far) + 0.5 * army.delay) / army.power;
            (price < MISSING).then_some(Help { price, power: army.power, of: Helper::Army(index) })
        });
        let levied = self.levies.iter().enumerate().filter_map(|(index, levy)| {
            let far = levy.from.iter().map(|from| from.distance(goal.region)).min()?;
            let price = RECRUIT + ESCORT * f64::from(far) + levy.delay / 4.0;
            (price < MISSING).then_some(Help { price, power: levy.power, of: Helper::Levy(index) })
        });
        let mut helps: Vec<Help> = joins.chain(levied).collect();
        helps.sort_by(|one, other| one.price.total_cmp(&other.price));
        helps
    }

    /// The actions until an Army may begin to fight for a goal.
    fn approach(&self, army: usize, goal: &Goal) -> f64 {
        let army = &self.armies[army];
        let far = f64::from(army.region.distance(goal.region));
        STEP * far.min(NEAR) + FAR_STEP * (far - NEAR).max(0.0) + army.delay
    }

    /// The strength that an Army should have to take the goal: what is recruited while it is on its way counts.
    fn needed(&self, army: usize, goal: &Goal) -> f64 {
        let on_the_way = f64::from(self.armies[army].region.distance(goal.region).clamp(1, 4) - 1);
        1.15 * (goal.wall + goal.recruits * on_the_way)
    }

    /// The actions with which an Army takes a goal once it is there: it gathers what it lacks, fights, and makes its
    /// losses good.
    fn battle(&self, army: usize, goal: &Goal, helps: &[Help]) -> f64 {
        let needed = self.needed(army, goal);
        let own = self.armies[army].power;
        let mut lacking = (needed - own).max(0.0);
        let mut gathering = 0.0;
        for help in helps.iter().filter(|help| help.of != Helper::Army(army)) {
            if lacking <= 0.0 {
                break;
            }
            let part = lacking.min(help.power);
            gathering += part * help.price;
            lacking -= part;
        }
        let strength = own.max(needed - lacking).max(0.5);
        let fight = if needed == 0.0 { 0.7 } else { 0.6 + 1.6 * (needed / strength).min(2.5) };
        let siege = if goal.region.is_stronghold() && goal.wall > 0.0 && !goal.besieged { 0.4 } else { 0.0 };
        GATHERING * (gathering + lacking * MISSING) + fight + siege + LOSSES * goal.wall
    }
}

/// The actions until a Nation is At War.
fn delay(board: &Board, nation: Nation) -> f64 {
    let step = if board.politics().is_active(nation) { ADVANCE } else { ROUSE };
    f64::from(board.politics().steps_to_war(nation)) * step
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
    let wall = match region.settlement() {
        // A sortie drives a weak besieger off.
        Some(Settlement::Stronghold) if besieged => {
            let besiegers = power(board, side, &board.force(side, region));
            let hold = ((besiegers / defenders.max(0.5) - 0.5) / 0.75).clamp(0.0, 1.0);
            defenders.min(8.5) * (1.8 - 0.35 * hold)
        }
        Some(Settlement::Stronghold) => defenders.min(8.5) * 1.8,
        _ => defenders * 1.25,
    };
    let nation = region.nation().expect("a Settlement belongs to a Nation");
    // The Shadow musters with more dice.
    let reaction = if side == Side::Free { 1.5 } else { 1.0 };
    let recruits = if board.is_at_war(nation) && !besieged { reaction } else { 0.0 };
    // Armies beside it come to help.
    let beside = if besieged { Regions::NONE } else { region.neighbours() & board.armies(!side) };
    let relief: f64 = beside.iter().map(|at| power(board, !side, &board.force(!side, at))).sum();
    let wall = wall + RELIEF * relief.min(10.0);
    let points = region.settlement().map_or(0, Settlement::points);
    Goal { region, points, wall, besieged, recruits }
}
