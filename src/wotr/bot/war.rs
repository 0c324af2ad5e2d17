/*! The war, as a bot sees it: how many actions a side still needs for its points, taking the cheapest Settlements one
after another.

An Army marches, is joined by Armies on the way and by recruits of Nations At War, and fights. Armies and recruits
from far away cost actions: so a single Regular threatens no Stronghold.
*/

use crate::board::Board;
use crate::board::place::Place;
use crate::bot::weights::Weights;
use crate::die::Face;
use crate::figures::{Figure, Figures};
use crate::nation::Nation;
use crate::region::{self, REGIONS, Region, Regions, Settlement};
use crate::side::Side;
use crate::victory::points_needed;

/// The last regions of a way, which an Army marches for this goal alone.
const NEAR: f64 = 2.0;

/// The war as it stands: what each Army is worth.
pub struct War<'a> {
    board: &'a Board,
    weights: &'a Weights,
    /// What the force of each side in each region is worth in a battle; 0 where it has no Army.
    powers: [[f64; REGIONS]; 2],
}

/// An Army that can take something.
#[derive(Clone, Copy)]
struct Army {
    region: Region,
    power: f64,
    /// The actions until the Nation of most of its units is At War.
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
    /// The strength of its defenders behind their walls, which a siege reduces.
    wall: f64,
    besieged: bool,
    /// The strength that they recruit for each region of the attacker's way.
    recruits: f64,
}

/// Strength that joins an Army, and the actions that each point of it costs.
struct Help {
    price: f64,
    power: f64,
    of: Helper,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Helper {
    Army(usize),
    Levy(usize),
}

/// Everything that a side can go to war with.
struct Campaign<'a> {
    weights: &'a Weights,
    armies: Vec<Army>,
    levies: Vec<Levy>,
}

/// A Settlement that a side can take.
#[derive(Clone, Copy, Debug)]
pub struct Aim {
    pub target: Region,
    pub points: u8,
    /// The actions that the best placed Army needs to take it.
    pub cost: f64,
}

impl<'a> War<'a> {
    pub fn of(board: &'a Board, weights: &'a Weights) -> War<'a> {
        let mut powers = [[0.0; REGIONS]; 2];
        for side in Side::BOTH {
            for region in board.armies(side).iter() {
                powers[side.index()][region.index()] = power(board, weights, side, &board.force(side, region));
            }
        }
        War { board, weights, powers }
    }

    /// The Settlements that a side can take.
    pub fn aims(&self, side: Side) -> Vec<Aim> {
        let campaign = Campaign::of(self, side);
        let mut helps = Vec::with_capacity(campaign.armies.len() + campaign.levies.len());
        let open = region::settlements(!side) - self.board.captured();
        let goals = open.iter().filter(|region| region.is_city_or_stronghold()).map(|region| self.goal(side, region));
        let aim = |goal: Goal| {
            Some(Aim { target: goal.region, points: goal.points, cost: campaign.strike(&goal, &mut helps)? })
        };
        goals.filter_map(aim).collect()
    }

    /// The actions that a side still needs for its points, if nothing comes in between: by those Settlements that are
    /// the cheapest together. One more Army, or an Army nearer to all of them, never raises the number.
    pub fn actions_to_points(&self, side: Side) -> f64 {
        const MOST: usize = 16;
        let needed = usize::from(points_needed(side).saturating_sub(self.board.points(side))).min(MOST);
        // The least that each number of points costs.
        let mut least: [f64; MOST + 1] = std::array::from_fn(|points| self.weights.out_of_reach * points as f64);
        for aim in self.aims(side) {
            for points in (1..=needed).rev() {
                let before = points.saturating_sub(usize::from(aim.points));
                least[points] = least[points].min(least[before] + aim.cost);
            }
        }
        least[needed]
    }

    fn goal(&self, side: Side, region: Region) -> Goal {
        let (board, weights) = (self.board, self.weights);
        let besieged = board.besieges(side, region);
        let defenders = if besieged {
            power(board, weights, !side, &board.force_at(!side, Place::Inside(region)))
        } else if board.has_army(!side, region) {
            self.powers[(!side).index()][region.index()]
        } else {
            power(board, weights, !side, &board.force(!side, region))
        };
        let wall = match region.settlement() {
            // A sortie drives a weak besieger off.
            Some(Settlement::Stronghold) if besieged => {
                let besiegers = self.powers[side.index()][region.index()];
                let hold = ((besiegers / defenders.max(0.5) - 0.5) / 0.75).clamp(0.0, 1.0);
                defenders.min(8.5) * (weights.stronghold - weights.siege * hold)
            }
            Some(Settlement::Stronghold) => defenders.min(8.5) * weights.stronghold,
            _ => defenders * weights.other_walls,
        };
        let nation = region.nation().expect("a Settlement belongs to a Nation");
        let reaction = if side == Side::Free { weights.shadow_reaction } else { weights.free_reaction };
        let recruits = if board.is_at_war(nation) && !besieged { reaction } else { 0.0 };
        // Armies beside it come to help.
        let beside = if besieged { Regions::NONE } else { region.neighbours() & board.armies(!side) };
        let relief: f64 = beside.iter().map(|at| self.powers[(!side).index()][at.index()]).sum();
        let wall = wall + weights.relief * relief.min(10.0);
        let points = region.settlement().map_or(0, Settlement::points);
        Goal { region, points, wall, besieged, recruits }
    }
}

/// Whether one march, with a die that is left, takes the last points.
pub fn can_take_the_rest(board: &Board, side: Side) -> bool {
    let need = points_needed(side).saturating_sub(board.points(side));
    let marchers = [Face::Army, Face::ArmyMuster, Face::Will].map(|face| board.dice().showing(side, face));
    if need > 2 || marchers.iter().sum::<u8>() == 0 {
        return false;
    }
    let is_open = |goal: &Region| {
        let points = goal.settlement().map_or(0, Settlement::points);
        points >= need && !board.has_army(!side, *goal) && !(goal.neighbours() & board.armies(side)).is_empty()
    };
    let goals = (region::settlements(!side) - board.captured()) & board.open_regions(side);
    goals.iter().any(|goal| is_open(&goal))
}

impl<'a> Campaign<'a> {
    fn of(war: &War<'a>, side: Side) -> Campaign<'a> {
        let (board, weights) = (war.board, war.weights);
        let delays: Vec<(Nation, f64)> =
            Nation::of(side).iter().map(|nation| (*nation, delay(board, weights, *nation))).collect();
        let army = |region: Region| {
            let force = board.force(side, region);
            let most = delays.iter().max_by_key(|(nation, _)| force.units_of(*nation)).expect("there are Nations");
            Army { region, power: war.powers[side.index()][region.index()], delay: most.1 }
        };
        let held = (region::settlements(side) - board.captured() - board.besieged()) & board.free_regions(side);
        let reinforcements = board.reinforcements();
        let levy = |(nation, delay): &(Nation, f64)| {
            let elites = f64::from(reinforcements.count(Figure::Elite(*nation)));
            let units = f64::from(reinforcements.count(Figure::Regular(*nation))) + 1.6 * elites;
            Levy { from: held & region::regions_of(*nation), power: units, delay: *delay }
        };
        let levies = delays.iter().map(levy).filter(|levy| levy.power > 0.0 && !levy.from.is_empty());
        Campaign { weights, armies: board.armies(side).iter().map(army).collect(), levies: levies.collect() }
    }

    /// The actions of the cheapest way to take a goal; `None` if there is no Army. `helps` is a buffer.
    fn strike(&self, goal: &Goal, helps: &mut Vec<Help>) -> Option<f64> {
        let mut best: Option<f64> = None;
        helps.clear();
        for army in 0..self.armies.len() {
            let approach = self.approach(army, goal);
            if best.is_none_or(|best| approach < best) {
                let cost = approach + self.battle(army, goal, helps);
                best = Some(best.map_or(cost, |best| best.min(cost)));
            }
        }
        best
    }

    /// What can join an Army on its way to the goal, the cheapest first.
    fn gather(&self, goal: &Goal, helps: &mut Vec<Help>) {
        let weights = self.weights;
        helps.extend(self.armies.iter().enumerate().filter_map(|(index, army)| {
            let far = army.region.distance(goal.region);
            let price = (weights.join * f64::from(far) + 0.5 * army.delay) / army.power;
            (price < weights.missing).then_some(Help { price, power: army.power, of: Helper::Army(index) })
        }));
        helps.extend(self.levies.iter().enumerate().filter_map(|(index, levy)| {
            let base = weights.recruit + levy.delay / 4.0;
            if base >= weights.missing {
                return None;
            }
            let far = levy.from.iter().map(|from| from.distance(goal.region)).min()?;
            let price = base + weights.escort * f64::from(far);
            (price < weights.missing).then_some(Help { price, power: levy.power, of: Helper::Levy(index) })
        }));
        helps.sort_unstable_by(|one, other| one.price.total_cmp(&other.price).then(one.of.cmp(&other.of)));
    }

    /// The actions until an Army may begin to fight for a goal.
    fn approach(&self, army: usize, goal: &Goal) -> f64 {
        let army = &self.armies[army];
        let far = f64::from(army.region.distance(goal.region));
        self.weights.march * far.min(NEAR) + self.weights.far_march * (far - NEAR).max(0.0) + army.delay
    }

    /// The strength that an Army should have to take the goal, including what is recruited against it on its way.
    fn needed(&self, army: usize, goal: &Goal) -> f64 {
        let on_the_way = f64::from(self.armies[army].region.distance(goal.region).clamp(1, 4) - 1);
        self.weights.margin * (goal.wall + goal.recruits * on_the_way)
    }

    /// The actions with which an Army takes a goal once it is there: it gathers what it lacks, fights, and makes its
    /// losses good.
    fn battle(&self, army: usize, goal: &Goal, helps: &mut Vec<Help>) -> f64 {
        let weights = self.weights;
        let needed = self.needed(army, goal);
        let own = self.armies[army].power;
        let mut lacking = (needed - own).max(0.0);
        let mut gathering = 0.0;
        if lacking > 0.0 && helps.is_empty() {
            self.gather(goal, helps);
        }
        for help in helps.iter().filter(|help| help.of != Helper::Army(army)) {
            if lacking <= 0.0 {
                break;
            }
            let part = lacking.min(help.power);
            gathering += part * help.price;
            lacking -= part;
        }
        let strength = own.max(needed - lacking).max(0.5);
        let fight =
            if needed == 0.0 { 0.7 } else { weights.fight + weights.fight_by_odds * (needed / strength).min(2.5) };
        let siege = if goal.region.is_stronghold() && goal.wall > 0.0 && !goal.besieged { 0.4 } else { 0.0 };
        weights.gathering * (gathering + lacking * weights.missing) + fight + siege + weights.losses * goal.wall
    }
}

/// The actions until a Nation is At War.
fn delay(board: &Board, weights: &Weights, nation: Nation) -> f64 {
    let step = if board.politics().is_active(nation) { weights.advance } else { weights.rouse };
    f64::from(board.politics().steps_to_war(nation)) * step
}

/// What a force is worth in a battle.
fn power(board: &Board, weights: &Weights, side: Side, figures: &Figures) -> f64 {
    let units = f64::from(figures.units(side).min(10));
    let leadership = f64::from(board.leadership(figures).min(5));
    units + weights.power_of_elites * f64::from(figures.elites(side)) + weights.power_of_leaders * leadership
}
