//! What a player would consider doing with Armies, Nazgûl, recruits and Nations, in words, without the die or card
//! that pays for it.

use crate::board::Board;
use crate::nation::Nation;
use crate::region::{self, Region};
use crate::side::Side;

/// The most Settlements of a side considered for recruiting in two at once, those nearest to an enemy first.
const MUSTERS: usize = 6;
/// The most marches considered; how many of the most urgent begin a pair with one die, and with how many each is
/// paired.
const MARCHES: usize = 32;
const PAIRED: usize = 5;

/// Every attack, with all figures that may take part.
pub fn attacks(board: &Board, side: Side) -> Vec<String> {
    let mut lines = Vec::new();
    for target in board.armies_anywhere(!side).iter() {
        let region = target.id();
        if board.besieges(side, target) {
            lines.push(format!("attack {region}"));
            continue;
        }
        let beside = target.neighbours() & board.armies(side);
        lines.extend(beside.iter().map(|from| format!("attack {region} from {}", from.id())));
        if board.besieges(!side, target) {
            lines.push(format!("sortie from {region}"));
        }
    }
    lines
}

/// Marches of every Army, whole or without one unit: into a Settlement that nobody holds, to friends, and one step
/// nearer to the goals of its side; the most urgent first.
pub fn marches(board: &Board, side: Side) -> Vec<String> {
    let goals = (region::settlements(!side) - board.captured()) | (region::settlements(side) & board.captured());
    let goals: Vec<Region> = goals.iter().filter(|region| region.is_city_or_stronghold()).collect();
    let mut marches: Vec<(u32, String)> = Vec::new();
    for from in board.armies(side).iter() {
        let force = board.force(side, from);
        let units = u32::from(force.units(side));
        for to in (from.neighbours() & board.open_regions(side)).iter() {
            let nearer = goals.iter().any(|goal| to.distance(*goal) < from.distance(*goal) && from.distance(*goal) < 6);
            let takes = goals.contains(&to);
            let holds = to.is_city_or_stronghold()
                && board.controller(to) == Some(side)
                && !board.has_army(side, to)
                && !(to.neighbours() & board.armies(!side)).is_empty();
            if nearer || takes || holds || board.has_army(side, to) {
                let urgent = if takes || holds { 20 } else { 0 };
                marches.push((units + urgent, format!("all {} to {}", from.id(), to.id())));
                if units > 1 {
                    let kind = if force.regulars(side) > 0 { "regular" } else { "elite" };
                    let rest = format!("all but 1 {kind} {} to {}", from.id(), to.id());
                    marches.push((units + urgent - 1, rest));
                }
            }
        }
    }
    marches.sort_by_key(|(urgent, _)| std::cmp::Reverse(*urgent));
    marches.truncate(MARCHES);
    marches.into_iter().map(|(_, march)| march).collect()
}

/// Two marches with one die, beginning with the most urgent. The last that begins a pair is paired with the tenth: next
/// to each other are often two marches of the same Army, whole and without a unit, which are no pair.
pub fn pairs(marches: &[String]) -> Vec<String> {
    let mut lines = Vec::new();
    for (index, first) in marches.iter().take(PAIRED).enumerate() {
        for second in marches.iter().skip(index + 1).take(PAIRED) {
            lines.push(format!("{first}, then {second}"));
        }
    }
    lines
}

/// Nazgûl fly to the strongest Armies and to the Fellowship: what is moved, and where to.
pub fn flights(board: &Board) -> Vec<String> {
    let armies = board.armies(Side::Shadow);
    let mut goals: Vec<(u8, Region)> = armies.iter().map(|at| (board.units(Side::Shadow, at), at)).collect();
    goals.sort_by(|one, other| other.cmp(one));
    let homes: Vec<Region> =
        Region::all().iter().copied().filter(|region| board.force(Side::Shadow, *region).nazgul() > 0).collect();
    let ring = board.company().region();
    let mut lines = Vec::new();
    for goal in goals.into_iter().take(3).map(|(_, at)| at).chain(ring) {
        for home in homes.iter().filter(|home| **home != goal) {
            let all = board.force(Side::Shadow, *home).nazgul();
            lines.push(format!("{all} nazgul {} to {}", home.id(), goal.id()));
        }
        lines.push(format!("witch-king to {}", goal.id()));
    }
    lines
}

/// What can be recruited, the Settlements nearest to an enemy Army first.
pub fn recruits(board: &Board, side: Side) -> Vec<String> {
    let enemies = board.armies(!side);
    let danger = |region: &Region| enemies.iter().map(|at| region.distance(at)).min().unwrap_or(u8::MAX);
    let at_war = |region: &Region| region.nation().is_some_and(|nation| board.is_at_war(nation));
    let open = region::settlements(side) - board.captured() - board.besieged();
    let mut open: Vec<Region> = open.iter().filter(at_war).collect();
    open.sort_by_key(danger);
    let leader = if side == Side::Free { "leader" } else { "nazgul" };
    let elites = open.iter().map(|region| format!("recruit elite {}", region.id()));
    let leaders = open.iter().map(|region| format!("recruit {leader} {}", region.id()));
    let mut lines: Vec<String> = elites.chain(leaders).collect();
    for (index, first) in open.iter().take(MUSTERS).enumerate() {
        for second in open.iter().take(MUSTERS).skip(index + 1) {
            lines.push(format!("recruit regular {}, regular {}", first.id(), second.id()));
            lines.push(format!("recruit regular {}, {leader} {}", first.id(), second.id()));
            lines.push(format!("recruit {leader} {}, regular {}", first.id(), second.id()));
        }
    }
    lines
}

/// Steps towards war, of Nations that are not At War yet.
pub fn politics(board: &Board, side: Side) -> Vec<String> {
    let waiting = Nation::of(side).iter().filter(|nation| board.politics().steps_to_war(**nation) > 0);
    waiting.map(|nation| format!("{} one step towards war", nation.id())).collect()
}
