//! Standing checks (1.33) after every change of the board, and removal over the stacking limit (1.34).

use crate::battle::casualties::{self, Order};
use crate::board::Board;
use crate::board::place::Place;
use crate::event::{Cause, Event as Told, Move};
use crate::figures::{Figure, Figures};
use crate::nation::Nation;
use crate::part::Count;
use crate::player::Player;
use crate::region::Region;
use crate::side::Side;
use crate::step::Step as Next;
use crate::{Table, capture, event, teams, victory, words};
use engine::menu::policy::FIRST;
use engine::menu::{Ask, Menu};
use engine::need::Need;
use engine::refusal::allowed_if;
use std::fmt;

/// 7.3: the most units of a side in a region.
pub const UNITS_MAX: u8 = 10;
/// 7.3: the most units inside a besieged Stronghold.
pub const GARRISON_MAX: u8 = 5;

/// What this chapter does on the agenda.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// 1.34: the owners reduce every force that is over its limit. Asks as long as there is one. 17.34: team mates
    /// remove in turn, so the step notes who removed last, and where.
    Trim(Option<(Player, Place)>),
    /// One unit is removed.
    Disband { figure: Figure, from: Place },
    /// 1.33: the checks for one region.
    Check(Region),
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Trim(None) => f.write_str("trim"),
            Step::Trim(Some((last, place))) => write!(f, "trim after {last} {place}"),
            Step::Disband { figure, from } => write!(f, "disband {} {from}", Count(*figure)),
            Step::Check(region) => write!(f, "check {}", region.id()),
        }
    }
}

/// 1.33 for one region: Corruption; Leaders without a unit; a siege without a garrison or besiegers.
pub fn check(play: &mut Table, region: Region) {
    victory::check_corruption(play);
    for place in [Place::Field(region), Place::Inside(region)] {
        if matches!(place, Place::Field(_)) || play.board().is_besieged(region) {
            check_leaders(play, place);
        }
    }
    if play.board().is_besieged(region) {
        check_siege(play, region);
    }
}

/// 1.33 (2): an FP Leader in a force without an FP unit is eliminated.
fn check_leaders(play: &mut Table, place: Place) {
    let force = play.board().force_at(Side::Free, place);
    let figures = force.only_leaders();
    if force.units(Side::Free) == 0 && !figures.is_empty() {
        play.tell(Told::Moved(Move { figures, from: place, to: Place::Casualties, cause: Cause::Fallen }));
    }
}

/// 1.33 (3), 10.27: a siege ends if the garrison or the besiegers have no unit left; if the garrison has none and a
/// besieging unit is left, the Stronghold is captured.
fn check_siege(play: &mut Table, region: Region) {
    let board = play.board();
    let garrison = board.controller(region).expect("a Stronghold has a controller");
    let inside = board.garrison(region);
    let held = inside.units(garrison) > 0;
    let encircled = board.has_army(!garrison, region);
    if held && encircled {
        return;
    }
    if !inside.is_empty() {
        let (from, to) = (Place::Inside(region), Place::Field(region));
        play.tell(Told::Moved(Move { figures: inside, from, to, cause: Cause::Freed }));
    }
    play.tell(Told::Capture(event::capture::Event::SiegeEnded { region }));
    if !held && encircled {
        capture::capture(play, !garrison, region);
    }
}

/// 7.3: the most units that a side may have there.
pub fn limit(place: Place) -> u8 {
    if matches!(place, Place::Inside(_)) { GARRISON_MAX } else { UNITS_MAX }
}

/// The first force that is over its limit: inside a siege 5 units, elsewhere 10.
pub fn over_limit(board: &Board) -> Option<(Side, Place)> {
    for side in Side::BOTH {
        for region in board.armies(side).iter() {
            if board.units(side, region) > UNITS_MAX {
                return Some((side, Place::Field(region)));
            }
        }
    }
    board.besieged().iter().find_map(|region| {
        let side = board.controller(region).expect("a Stronghold has a controller");
        (board.garrison(region).units(side) > GARRISON_MAX).then_some((side, Place::Inside(region)))
    })
}

pub fn need(board: &Board, step: &Step) -> Option<Need> {
    match step {
        Step::Trim(last) => {
            over_limit(board).map(|(side, place)| board.asks(teams::remover(board, side, place, *last), "disband"))
        }
        Step::Disband { .. } | Step::Check(_) => None,
    }
}

/// `disband gondor regular from minas-tirith`: one unit of the force over its limit.
pub fn menu(board: &Board, step: &Step, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let (side, from) = over_limit(board).expect("a force is over its limit");
    let Step::Trim(last) = *step else { unreachable!("`{step}` asks nothing") };
    let player = teams::remover(board, side, from, last);
    let shared = board.seating().is_shared(side);
    let mixed = from.region().is_some_and(|region| board.is_mixed(side, region));
    let mut force = board.force_at(side, from);
    // 17.34: of separate Armies each player removes his own units.
    if shared && !mixed {
        force = force.bound_only_by(|nation| player.plays(nation));
    }
    let again = Next::Standing(Step::Trim(shared.then_some((player, from))));
    menu.word_or_policy("disband|remove", FIRST)?;
    let units: Vec<Count> = units_of(side).collect();
    if let Some((order, nations)) = menu.silently(first)? {
        let unit = least(&force, &units, order, &nations);
        menu.comes_to_name(unit);
        return Ok(vec![Next::Standing(Step::Disband { figure: unit.0, from }), again]);
    }
    let unit = menu.choose("unit", &units, |unit| {
        allowed_if(force.count(unit.0) > 0, "1.34", || {
            format!("there is no {} in {}", words::figure(unit.0), words::place(from))
        })
    })?;
    Ok(vec![Next::Standing(Step::Disband { figure: unit.0, from }), again])
}

/// `regulars first, harad`: the words of a preference, if it comes next.
fn first(menu: &mut Menu<'_>) -> Ask<Option<(Order, Vec<Nation>)>> {
    if menu.comes_next(FIRST) { casualties::preference(menu) } else { Ok(None) }
}

/// The unit that goes first by a preference.
fn least(force: &Figures, units: &[Count], order: Order, nations: &[Nation]) -> Count {
    let there = units.iter().filter(|unit| force.count(unit.0) > 0);
    let rank = |unit: &&Count| {
        let (is_elite, nation) = match unit.0 {
            Figure::Regular(nation) => (false, Some(nation)),
            Figure::Elite(nation) => (true, Some(nation)),
            Figure::Leader(_) | Figure::Nazgul | Figure::Character(_) => (false, None),
        };
        let place = nations.iter().position(|named| Some(*named) == nation).unwrap_or(nations.len());
        (is_elite == (order == Order::RegularsFirst), place)
    };
    *there.min_by_key(rank).expect("a force over its limit has units")
}

fn units_of(side: Side) -> impl Iterator<Item = Count> {
    let kinds = |nation: &Nation| [Count(Figure::Regular(*nation)), Count(Figure::Elite(*nation))];
    Nation::of(side).iter().flat_map(kinds)
}

pub fn perform(play: &mut Table, step: Step) {
    match step {
        // No force is over its limit.
        Step::Trim(_) => {}
        // 1.34: the units removed go to the reinforcements, even those of the Free Peoples.
        Step::Disband { figure, from } => {
            let figures = Figures::one(figure);
            play.tell(Told::Moved(Move { figures, from, to: Place::Reinforcements, cause: Cause::Disbanded }));
        }
        Step::Check(region) => check(play, region),
    }
}
