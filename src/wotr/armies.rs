/*! Armies (7): which part of a force may move where, and the move.

An Army result moves up to two Armies, a Character result one with a leading figure; each to one adjacent region.
*/

use crate::board::Board;
use crate::board::place::Place;
use crate::cards::wards;
use crate::character::Character;
use crate::die::Face;
use crate::event::{Cause, Event as Told, Move};
use crate::figures::{Figure, Figures};
use crate::nation::Nation;
use crate::region::{Region, Regions};
use crate::side::Side;
use crate::standing::UNITS_MAX;
use crate::step::Step as Next;
use crate::switches::Choice;
use crate::{Table, capture, part, politics, standing, words};
use engine::chance::Chance;
use engine::menu::{Ask, Menu, Phrase, Sample, Stop};
use engine::refusal::{Allowed, Barred, allowed_if, barred};
use std::fmt;

/// What this chapter does on the agenda.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// An Army moves to an adjacent region.
    March(March),
}

/// A move of one Army.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct March {
    pub side: Side,
    pub figures: Figures,
    pub from: Region,
    pub to: Region,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Step::March(march) = self;
        let figures = part::say(&march.figures, &march.figures);
        write!(f, "march {} {figures} {} to {}", march.side, march.from.id(), march.to.id())
    }
}

pub fn perform(play: &mut Table, step: Step) {
    let Step::March(March { side, figures, from, to }) = step;
    let (start, end) = (Place::Field(from), Place::Field(to));
    play.tell(Told::Moved(Move { figures, from: start, to: end, cause: Cause::Marched }));
    capture::army_entered(play, side, to);
    politics::companions_arrived(play, &figures.only_characters(), to);
    standing::check(play, from);
}

/// 7.20: whether units and FP Leaders of the Nation may enter the region. 7.22 follows from it: units that are in a
/// foreign Nation after a retreat may only leave it.
pub fn may_enter(board: &Board, nation: Nation, from: Region, to: Region) -> bool {
    if board.is_at_war(nation) || to.nation() == Some(nation) {
        return true;
    }
    // 19.24: with `stay_home` they may not leave their regions, either.
    let home = from.nation() == Some(nation);
    let stay_home = !board.switches().is_default(Choice::NonBelligerentMoves);
    to.nation().is_none() && !(stay_home && home)
}

/// The rule by which [`may_enter`] says no: 19.24 for a region that 7.20 leaves open, which belongs to no Nation.
pub fn bar(to: Region) -> &'static str {
    if to.nation().is_none() { "19.24" } else { "7.20" }
}

/// The figures of a force that may go to the region: those that can move and that 7.20 does not bar.
fn movable(board: &Board, force: &Figures, from: Region, to: Region) -> Figures {
    let mut movable = force.bound_only_by(|nation| may_enter(board, nation, from, to));
    if movable.has(Character::Saruman) {
        movable.take(Figure::Character(Character::Saruman), 1);
    }
    movable
}

/// 7.14: the regions to which an Army may go from here.
fn targets(board: &Board, side: Side, from: Region) -> Regions {
    (from.neighbours() & board.open_regions(side)) - wards::warded(board, side)
}

/// The Army in the region that the player who acts for the side may move, as a whole or in part (17.33).
fn army(board: &Board, side: Side, from: Region) -> Figures {
    board.marchers(side, Place::Field(from))
}

/// The units of the side at a place that do not belong to this force but to a team mate. A Leader may stay with them
/// (7.7, 17.33).
pub fn beside(board: &Board, side: Side, place: Place, force: &Figures) -> u8 {
    (board.force_at(side, place) - *force).units(side)
}

/// The units of a team mate in the region, beside the Army of the player who acts.
fn mates_units(board: &Board, side: Side, from: Region) -> u8 {
    beside(board, side, Place::Field(from), &army(board, side, from))
}

/// Whether any part of the force may go.
fn some_part_may(board: &Board, side: Side, force: &Figures, from: Region, to: Region, result: Face) -> bool {
    let movable = movable(board, force, from, to);
    let able = movable.units(side) > 0
        && (result != Face::Character || board.leads_move(side, &movable))
        && room(board, side, to) > 0;
    if board.may_bar_parts(side, force) {
        return able && led_part(board, side, force, from, to, result).is_some();
    }
    let stuck_leaders = force.leaders() - movable.leaders();
    able && (stuck_leaders == 0 || force.units(side) + mates_units(board, side, from) > 1)
}

/// 17.38, 17.40: a part that the player who acts may lead there, at a table of three or four.
fn led_part(board: &Board, side: Side, force: &Figures, from: Region, to: Region, result: Face) -> Option<Figures> {
    let may = |figures: &Figures| {
        let march = March { side, figures: *figures, from, to };
        may_march(board, &march, result).is_ok()
    };
    part::telling(&movable(board, force, from, to)).find(may)
}

/// How many units may still enter the region: with `stacking.move_over_ten = forbid` up to the limit (19.34), otherwise
/// any number, since the excess is removed afterwards (7.4).
fn room(board: &Board, side: Side, to: Region) -> u8 {
    if board.switches().is_default(Choice::MoveOverTen) {
        u8::MAX
    } else {
        UNITS_MAX.saturating_sub(board.units(side, to))
    }
}

/// Whether the part may go: it has a unit and no figure that is barred, and it leaves no Leader alone.
fn may_march(board: &Board, march: &March, result: Face) -> Allowed {
    let March { side, figures, from, to } = *march;
    // 7.11: each moving group contains a unit.
    allowed_if(figures.units(side) > 0, "7.11", || "no unit moves, and an Army has at least one".to_string())?;
    if figures.has(Character::Saruman) {
        return barred("6.17", "Saruman never leaves Orthanc");
    }
    may_cross(board, side, &figures, from, to)?;
    // 7.7: an FP Leader is never left without a unit; a team mate's unit counts.
    let left = board.force_at(side, Place::Field(from)) - figures;
    let alone = left.leaders() > 0 && left.units(side) == 0;
    allowed_if(!alone, "7.7", || format!("a Leader would be left in {} without a unit", from.title()))?;
    // 7.12: a Character die moves an Army with a leading figure.
    let led = result != Face::Character || board.leads_move(side, &figures);
    allowed_if(led, "7.12", || "no leading figure moves with the Army".to_string())?;
    allowed_if(figures.units(side) <= room(board, side, to), "19.34", || {
        format!("more than {UNITS_MAX} units would be in {}", to.title())
    })?;
    may_be_led(board, side, Place::Field(from), &figures)
}

/// 17.38: a player may take a part of a mixed Army only if he controls that part. 17.40: the single player of the
/// Free Peoples does not act twice in a row on one Nation, nor on one Army.
pub fn may_be_led(board: &Board, side: Side, from: Place, part: &Figures) -> Allowed {
    if !board.teams().any() {
        return Ok(());
    }
    allowed_if(board.keeps_control(side, part), "17.38", || {
        "your team mate would control that part of the mixed Army".to_string()
    })?;
    let barred = side == Side::Free && board.row().bars_army(from, board.at(from), part);
    allowed_if(!barred, "17.40", || "your last action was on that Nation or that Army too".to_string())
}

/// 7.20, 7.21: whether no figure of the part is barred from the region.
fn may_cross(board: &Board, side: Side, figures: &Figures, from: Region, to: Region) -> Allowed {
    let barred_one = |nation: &&Nation| figures.bound_by(**nation) > 0 && !may_enter(board, **nation, from, to);
    let stopped = Nation::of(side).iter().find(barred_one);
    stopped.map_or(Ok(()), |nation| {
        let is = words::nation_is(*nation);
        barred(bar(to), format!("{is} not At War and may not go from {} to {}", from.title(), to.title()))
    })
}

/// Whether the side can move an Army with this result.
pub fn can_move(board: &Board, side: Side, result: Face) -> bool {
    board.armies(side).iter().any(|from| can_leave(board, side, from, result))
}

fn can_leave(board: &Board, side: Side, from: Region, result: Face) -> bool {
    let force = army(board, side, from);
    targets(board, side, from).iter().any(|to| some_part_may(board, side, &force, from, to, result))
}

/// `3 regular 1 elite minas-morgul to osgiliath, then 2 regular umbar to west-harondor`, read after the word `move`.
pub fn menu(board: &Board, side: Side, result: Face, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let marches = menu.phrase(&Marches { board, side, result })?;
    Ok(marches.into_iter().map(|march| Next::Armies(Step::March(march))).collect())
}

/// The word for a whole Army.
const ALL: &str = "all";
/// The most parts of one Army that `grow` lists.
const PARTS_GROWN: usize = 200;

/// One Army, or with an Army result up to two (7.8).
struct Marches<'a> {
    board: &'a Board,
    side: Side,
    result: Face,
}

/// The move of one Army: the board before it, and the earlier move with the same die.
struct Turn<'a> {
    board: &'a Board,
    before: Option<&'a March>,
}

impl Turn<'_> {
    /// The figures in a region that have not moved in this action yet (7.9). Of those that moved there, some may be
    /// gone or belong to another Army by now.
    fn there(&self, side: Side, from: Region) -> Figures {
        let force = army(self.board, side, from);
        match self.before.filter(|march| march.to == from) {
            Some(march) => force - march.figures.among(&force),
            None => force,
        }
    }
}

impl Marches<'_> {
    /// 7.8: the second Army moves after the first, so it is judged on the board after the first: a siege may have
    /// ended (10.27), and the garrison stands in the open (7.14).
    fn after(&self, march: &March) -> Board {
        Table::begin(self.board.clone(), vec![Next::Armies(Step::March(*march))]).board().clone()
    }

    fn may_leave(&self, turn: &Turn<'_>, from: Region) -> Allowed {
        let force = turn.there(self.side, from);
        if let Some((rule, why)) = turn.board.not_his(self.side, Place::Field(from), false) {
            return barred(rule, why);
        }
        allowed_if(force.units(self.side) > 0, "7.11", || {
            if turn.board.garrison(from).units(self.side) > 0 {
                format!("the Army in {} is besieged and may only sortie (7.19)", from.title())
            } else {
                format!("no Army of yours that can move is in {}", from.title())
            }
        })
    }

    fn may_go(&self, turn: &Turn<'_>, from: Region, to: Region) -> Allowed {
        if !from.adjacent(to) {
            return barred("7.14", format!("{} is not next to {}", to.title(), from.title()));
        }
        wards::may_enter(turn.board, self.side, to)?;
        allowed_if(turn.board.open_regions(self.side).contains(to), "7.14", || {
            format!("an enemy Army is in {}: it must be attacked instead", to.title())
        })
    }

    fn read_one(&self, menu: &mut Menu<'_>, turn: &Turn<'_>) -> Ask<March> {
        let spoken = part::read(menu)?;
        menu.maybe("from|in|at|of")?;
        let from = menu.choose("region", Region::all(), |from| self.may_leave(turn, from))?;
        menu.word("to|into")?;
        let force = turn.there(self.side, from);
        let part = spoken.of(&force, "7.6").map_err(|why| {
            // 17.33: the figures are there, but some of them are a team mate's.
            let whole = turn.board.force_at(self.side, Place::Field(from));
            if turn.board.seating().is_shared(self.side) && spoken.of(&whole, "7.6").is_ok() {
                Barred { rule: "17.33", why: "some of these figures are your team mate's".to_string() }
            } else {
                why
            }
        });
        let to = menu.choose("region", Region::all(), |to| {
            self.may_go(turn, from, to)?;
            // Checks only what depends on the destination, so that the refusal lists where these figures may go.
            part.as_ref().map_or(Ok(()), |figures| may_cross(turn.board, self.side, figures, from, to))
        })?;
        let march = part.map(|figures| March { side: self.side, figures, from, to });
        match march {
            Ok(march) => {
                menu.check(may_march(turn.board, &march, self.result))?;
                Ok(march)
            }
            Err(wrong) => Err(part::refused(menu, wrong)),
        }
    }

    fn roll_one(&self, chance: &mut dyn Chance, turn: &Turn<'_>) -> Ask<March> {
        let armies = turn.board.armies(self.side);
        let first = chance.below(armies.len().max(1));
        let turned = armies.iter().skip(first as usize).chain(armies.iter().take(first as usize));
        for from in turned {
            let force = turn.there(self.side, from);
            let open: Regions = targets(turn.board, self.side, from)
                .iter()
                .filter(|to| some_part_may(turn.board, self.side, &force, from, *to, self.result))
                .collect();
            if let Some(to) = (!open.is_empty()).then(|| open.nth(chance.below(open.len()))).flatten() {
                return Ok(self.roll_part(chance, turn, from, to, &force));
            }
        }
        Err(Stop::DeadEnd)
    }

    fn roll_part(&self, chance: &mut dyn Chance, turn: &Turn<'_>, from: Region, to: Region, force: &Figures) -> March {
        let movable = movable(turn.board, force, from, to);
        let mut march = March { side: self.side, figures: movable, from, to };
        for _ in 0..3 {
            march.figures = part::roll(chance, &movable);
            if may_march(turn.board, &march, self.result).is_ok() {
                return march;
            }
        }
        march.figures = if turn.board.may_bar_parts(self.side, force) {
            led_part(turn.board, self.side, force, from, to, self.result).expect("some part may go")
        } else {
            self.least(turn, from, force, &movable)
        };
        march
    }

    /// The moves of one Army in words: for every Army the whole of it, and at most `parts_max` of its parts.
    fn each(&self, turn: &Turn<'_>, parts_max: usize) -> Vec<(String, March)> {
        let mut moves = Vec::new();
        let armies = turn.board.armies(self.side);
        for from in armies.iter().filter(|from| self.may_leave(turn, *from).is_ok()) {
            let force = turn.there(self.side, from);
            for to in targets(turn.board, self.side, from).iter().filter(|to| self.may_go(turn, from, *to).is_ok()) {
                let parts = if parts_max > 0 {
                    part::parts(&movable(turn.board, &force, from, to), parts_max)
                } else {
                    Vec::new()
                };
                let parts = parts.into_iter().filter(|figures| *figures != force);
                for figures in std::iter::once(force).chain(parts) {
                    let march = March { side: self.side, figures, from, to };
                    if may_march(turn.board, &march, self.result).is_ok() {
                        let figures = if figures == force { ALL.to_string() } else { part::say(&figures, &force) };
                        moves.push((format!("{figures} {} to {}", from.id(), to.id()), march));
                    }
                }
            }
        }
        moves
    }

    /// The smallest part that may go: a unit, the figure that must lead, and all Leaders if no unit stays.
    fn least(&self, turn: &Turn<'_>, from: Region, force: &Figures, movable: &Figures) -> Figures {
        let board = turn.board;
        let leads = |figure: &Figure| board.leads_move(self.side, &Figures::one(*figure));
        let kinds = |wanted: &dyn Fn(&Figure) -> bool| movable.iter().map(|(kind, _)| kind).find(|kind| wanted(kind));
        let leading = kinds(&|figure| figure.is_unit() && leads(figure));
        let unit = leading.or_else(|| kinds(&|figure| figure.is_unit())).expect("some part may go");
        let mut least = Figures::one(unit);
        if self.result == Face::Character && !board.leads_move(self.side, &least) {
            least += Figures::one(kinds(&leads).expect("some part may go"));
        }
        if force.units(self.side) + mates_units(board, self.side, from) == 1 {
            // No unit stays: all Leaders go along.
            let lead = least - Figures::one(unit);
            least = Figures::one(unit) + (lead - lead.only_leaders()) + force.only_leaders();
        }
        least
    }
}

impl Phrase for Marches<'_> {
    type Said = Vec<March>;

    fn read(&self, menu: &mut Menu<'_>) -> Ask<Vec<March>> {
        let first = self.read_one(menu, &Turn { board: self.board, before: None })?;
        let mut marches = vec![first];
        if self.result == Face::Army && menu.maybe(", then|then|, and|and|,")? {
            let after = self.after(&first);
            marches.push(self.read_one(menu, &Turn { board: &after, before: Some(&first) })?);
        }
        Ok(marches)
    }

    fn roll(&self, chance: &mut dyn Chance) -> Ask<Vec<March>> {
        let first = self.roll_one(chance, &Turn { board: self.board, before: None })?;
        let mut marches = vec![first];
        if self.result == Face::Army && chance.below(2) == 1 {
            let after = self.after(&first);
            marches.extend(self.roll_one(chance, &Turn { board: &after, before: Some(&first) }));
        }
        Ok(marches)
    }

    fn grow(&self) -> Ask<(Vec<String>, Vec<March>)> {
        let turn = Turn { board: self.board, before: None };
        let mut rows = Vec::new();
        for (words, march) in self.each(&turn, PARTS_GROWN) {
            // A second Army is listed only after a first that moves as a whole: after every part, there would be too
            // many rows.
            if self.result == Face::Army && words.starts_with(ALL) {
                let after = self.after(&march);
                let seconds = self.each(&Turn { board: &after, before: Some(&march) }, 0);
                rows.extend(seconds.into_iter().map(|(second, _)| format!("{words}, then {second}")));
            }
            rows.push(words);
        }
        Ok((rows, Vec::new()))
    }

    fn list(&self) -> Ask<Sample<Vec<March>>> {
        let armies = self.board.armies(self.side).iter();
        let from: Vec<String> = armies
            .filter(|from| can_leave(self.board, self.side, *from, self.result))
            .map(|from| from.id().to_string())
            .collect();
        let words = match self.result {
            Face::Army => "<figures> <region> to <neighbour> [then <figures> <region> to <neighbour>]",
            _ => "<figures> <region> to <neighbour>",
        };
        Ok((words.to_string(), vec![("region".to_string(), from)], Vec::new()))
    }

    fn say(&self, said: &Vec<March>) -> String {
        let one = |turn: &Turn<'_>, march: &March| {
            let there = turn.there(self.side, march.from);
            format!("{} {} to {}", part::say(&march.figures, &there), march.from.id(), march.to.id())
        };
        let (first, second) = said.split_first().expect("an Army moves");
        let mut words = one(&Turn { board: self.board, before: None }, first);
        for march in second {
            let after = self.after(first);
            words.push_str(&format!(", then {}", one(&Turn { board: &after, before: Some(first) }, march)));
        }
        words
    }
}
