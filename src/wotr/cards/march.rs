/*! Armies moved by an Event card (7.26 to 7.31), with one question for each Army, since a move may change what the next
one can do.

No figure moves twice. The player fixes the whole way of an Army at its start (7.27), and may name it with `via`. If
he does not, the shortest way is meant; of several equally short ones, one that changes nothing between its ends. If
each of these changes something, he must name one.
*/

use crate::board::Board;
use crate::board::place::Place;
use crate::card::Card;
use crate::cards::route::Routes;
use crate::cards::{Step, wards};
use crate::character::Character;
use crate::event::{Cause, Event as Told, Move};
use crate::figures::{Figure, Figures};
use crate::nation::Nation;
use crate::region::{Region, Regions};
use crate::side::Side;
use crate::step::Step as Next;
use crate::{Table, armies, capture, part, politics, standing, words};
use engine::menu::{Ask, Menu};
use engine::need::Need;
use engine::refusal::{Allowed, allowed_if, barred};
use std::fmt;

/// The most regions that an Army may go by a card.
pub const RANGE_MAX: usize = 3;

/// What a card lets Armies do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orders {
    pub card: Card,
    /// How many Armies may still move.
    pub armies: u8,
    /// How many regions each may go.
    pub range: u8,
    pub goal: Goal,
    /// Which figure must go along.
    pub with: With,
    /// The regions where they may start.
    pub from: Regions,
    /// Whether an Army inside a siege may start too.
    pub start: Start,
    pub duty: Duty,
    /// The figures that have moved by this card already.
    pub moved: Moved,
}

/// Where an Army may end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    Anywhere,
    /// In another region with an Army of the side that is not under siege.
    Friends,
    /// 7.31: straight to one of these regions; no region in between is entered.
    Straight(Regions),
    /// The same, and an enemy Army there is attacked.
    Landing(Regions),
}

/// Which figure must be in an Army.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum With {
    Anybody,
    Companion,
    /// 1.12: a Nazgûl, or the Witch-king.
    Nazgul,
    WitchKing,
    /// A unit of the Nation.
    Unit(Nation),
}

/// Which Armies may start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// 7.19: a besieged Army does not move.
    Open,
    /// Those inside a siege as well.
    Anywhere,
}

/// 5.9: whether the player must do something if possible, or may decline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duty {
    Must,
    May,
}

impl With {
    /// Whether the figures include the figure that is asked for.
    pub fn is_in(self, figures: &Figures) -> bool {
        match self {
            With::Anybody => true,
            With::Companion => figures.has_characters(Side::Free),
            With::Nazgul => figures.nazgul_and_witch_king() > 0,
            With::WitchKing => figures.has(Character::WitchKing),
            With::Unit(nation) => figures.units_of(nation) > 0,
        }
    }

    fn id(self) -> &'static str {
        match self {
            With::Anybody => "anybody",
            With::Companion => "companion",
            With::Nazgul => "nazgul",
            With::WitchKing => "witch-king",
            With::Unit(nation) => nation.id(),
        }
    }
}

impl fmt::Display for With {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// The figures that have moved by this card, with the regions where they ended: none moves twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved {
    armies: [Option<(Region, Figures)>; 3],
    /// The Nazgûl that have flown, including the Witch-king.
    flown: [Option<(Region, Flyer)>; 9],
}

/// A figure that has flown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flyer {
    Nazgul,
    WitchKing,
}

impl Moved {
    pub const NOBODY: Moved = Moved { armies: [None; 3], flown: [None; 9] };

    /// Notes that the figures have moved to the region.
    ///
    /// # Panics
    /// If a fourth Army is added. No card moves more than four, and the last need not be noted.
    pub fn add(&mut self, region: Region, figures: Figures) {
        let free = self.armies.iter_mut().find(|slot| slot.is_none());
        *free.expect("no card moves more than four Armies") = Some((region, figures));
    }

    /// Notes that these Nazgûl, perhaps with the Witch-king, have flown to the region.
    pub fn add_flown(&mut self, region: Region, figures: &Figures) {
        let nazgul = std::iter::repeat_n(Flyer::Nazgul, usize::from(figures.nazgul()));
        let king = figures.has(Character::WitchKing).then_some(Flyer::WitchKing);
        for flyer in nazgul.chain(king) {
            if let Some(slot) = self.flown.iter_mut().find(|slot| slot.is_none()) {
                *slot = Some((region, flyer));
            }
        }
    }

    /// The figures that ended in the region.
    pub fn at(&self, region: Region) -> Figures {
        let mut figures = Figures::NONE;
        for (_, more) in self.armies.iter().flatten().filter(|(there, _)| *there == region) {
            figures += *more;
        }
        for (_, flyer) in self.flown.iter().flatten().filter(|(there, _)| *there == region) {
            match flyer {
                Flyer::Nazgul => figures.put(Figure::Nazgul, 1),
                Flyer::WitchKing => figures.put(Figure::Character(Character::WitchKing), 1),
            }
        }
        figures
    }
}

/// The way of an Army: its figures and every region that it enters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Route {
    pub side: Side,
    pub figures: Figures,
    pub from: Place,
    /// The regions entered, in order.
    pub way: Way,
}

/// Regions entered one after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    regions: [Region; RANGE_MAX],
    length: u8,
}

impl Way {
    pub fn of(regions: &[Region]) -> Way {
        let mut way = Way { regions: [regions[0]; RANGE_MAX], length: u8::try_from(regions.len()).expect("a few") };
        way.regions[..regions.len()].copy_from_slice(regions);
        way
    }

    pub fn regions(&self) -> &[Region] {
        &self.regions[..usize::from(self.length)]
    }

    /// Its last region.
    pub fn end(&self) -> Region {
        self.regions()[usize::from(self.length) - 1]
    }
}

impl Orders {
    /// The orders of a card that lets a number of Armies go up to `range` regions.
    pub fn of(card: Card, armies: u8, range: u8) -> Orders {
        Orders {
            card,
            armies,
            range,
            goal: Goal::Anywhere,
            with: With::Anybody,
            from: Regions::ALL,
            start: Start::Open,
            duty: Duty::May,
            moved: Moved::NOBODY,
        }
    }

    /// As a step.
    pub fn step(self) -> Next {
        Next::Effect(Step::March(self))
    }

    pub fn side(&self) -> Side {
        self.card.deck().side
    }

    /// The regions where an Army may start.
    pub fn starts(&self, board: &Board) -> Regions {
        let inside = match self.start {
            Start::Open => Regions::NONE,
            Start::Anywhere => board.besieged() & board.controlled(self.side()),
        };
        (board.armies(self.side()) | inside) & self.from
    }

    /// The place of the Army in a region, all its figures, and those of them that have moved already.
    pub fn army(&self, board: &Board, from: Region) -> (Place, Figures, Figures) {
        let place = board.entry(self.side(), from);
        let force = board.marchers(self.side(), place);
        // Some of the figures that have moved may have been lost since, or belong to another Army now.
        let moved = self.moved.at(from).among(&force);
        (place, force, moved)
    }

    /// 7.28: whether the Army may enter the region on its way, or end there. An enemy Army there bars it, unless
    /// the Army lands.
    pub fn is_open(&self, board: &Board, region: Region) -> bool {
        let side = self.side();
        let lands = matches!(self.goal, Goal::Landing(_));
        (board.open_regions(side).contains(region) || lands) && !wards::warded(board, side).contains(region)
    }

    /// Whether the Army may end its way there.
    pub fn may_end(&self, board: &Board, from: Region, to: Region) -> Allowed {
        match self.goal {
            Goal::Anywhere => Ok(()),
            Goal::Friends => allowed_if(to != from && board.has_army(self.side(), to), "5.9", || {
                format!("{} ends where another Army of yours stands, not in {}", self.card.title(), to.title())
            }),
            Goal::Straight(regions) | Goal::Landing(regions) => allowed_if(regions.contains(to), "5.9", || {
                format!("{} does not lead to {}", self.card.title(), to.title())
            }),
        }
    }

    /// The figures that can move, and that 7.20 does not bar from any region on the way.
    pub fn movable(&self, board: &Board, from: Region, way: &[Region]) -> Figures {
        let (_, force, moved) = self.army(board, from);
        let passes = |nation: Nation| {
            let starts = std::iter::once(from).chain(way.iter().copied());
            starts.zip(way).all(|(start, end)| armies::may_enter(board, nation, start, *end))
        };
        let mut movable = (force - moved).bound_only_by(passes);
        // 6.17: Saruman never leaves Orthanc.
        if movable.has(Character::Saruman) {
            movable.take(Figure::Character(Character::Saruman), 1);
        }
        movable
    }

    /// The greatest part that may go this way, `None` if no part may: all movable figures, less a unit if Leaders
    /// must stay.
    pub fn most(&self, board: &Board, from: Region, way: &[Region]) -> Option<Figures> {
        let (place, force, moved) = self.army(board, from);
        let most = self.movable(board, from, way);
        if most.units(self.side()) == 0 || !self.is_led(&most, &moved) {
            return None;
        }
        // 17.33: the units of a team mate stay there, too.
        let left = board.force_at(self.side(), place) - most;
        let returns = way.contains(&from) && board.besieges(self.side(), from);
        if board.may_bar_parts(self.side(), &force) {
            return part::telling(&most).find(|part| self.may_go(board, from, way, part).is_ok());
        }
        if left.units(self.side()) > 0 || (left.leaders() == 0 && !returns) {
            return self.may_go(board, from, way, &most).is_ok().then_some(most);
        }
        // One unit stays: the first kind without which the others may go.
        let units = most.iter().map(|(figure, _)| figure).filter(|figure| figure.is_unit());
        let parts = units.map(|unit| most - Figures::one(unit));
        parts.into_iter().find(|part| self.may_go(board, from, way, part).is_ok())
    }

    /// 10.27: whether a siege ends because this part of the besieging Army leaves.
    fn lifts_siege(&self, board: &Board, from: Region, part: &Figures) -> bool {
        let side = self.side();
        let left = board.force(side, from) - *part;
        board.besieges(side, from) && left.units(side) == 0 && board.garrison(from).units(!side) > 0
    }

    /// Whether the part includes a figure that the card asks for. C4.23: a Nazgûl that has flown there makes the Army
    /// eligible, and does not move again.
    fn is_led(&self, part: &Figures, moved: &Figures) -> bool {
        self.with.is_in(part) || (self.with == With::Nazgul && self.with.is_in(moved))
    }

    /// Whether this part of the Army may go this way.
    pub fn may_go(&self, board: &Board, from: Region, way: &[Region], part: &Figures) -> Allowed {
        let side = self.side();
        let (_, force, moved) = self.army(board, from);
        // 7.11: each moving group contains a unit.
        allowed_if(part.units(side) > 0, "7.11", || "no unit moves, and an Army has at least one".to_string())?;
        if part.has(Character::Saruman) {
            return barred("6.17", "Saruman never leaves Orthanc");
        }
        let rested = force - moved;
        allowed_if(rested.contains(part), "7.9", || "no figure moves twice".to_string())?;
        // 7.28: if no besieger stays, the garrison stands in the open, and the way may not lead back.
        let barred_back = way.contains(&from) && self.lifts_siege(board, from, part);
        allowed_if(!barred_back, "7.28", || {
            format!("the siege of {0} ends when the whole Army leaves, and the garrison bars {0} then", from.title())
        })?;
        let movable = self.movable(board, from, way);
        let stopped = Nation::of(side).iter().find(|nation| part.bound_by(**nation) > movable.bound_by(**nation));
        if let Some(nation) = stopped {
            let end = way.last().map_or("", |to| to.title());
            // The first step of the way that its Nation may not take.
            let steps = std::iter::once(&from).chain(way).zip(way);
            let mut stopped_at = steps.filter(|(from, to)| !armies::may_enter(board, *nation, **from, **to));
            return barred(
                stopped_at.next().map_or("7.20", |(_, to)| armies::bar(*to)),
                format!("{} not At War and may not go to {end} this way", words::nation_is(*nation)),
            );
        }
        // 7.7: FP Leaders are never left without a unit.
        let left = board.force_at(side, board.entry(side, from)) - *part;
        allowed_if(left.leaders() == 0 || left.units(side) > 0, "7.7", || {
            format!("a Leader would be left in {} without a unit", from.title())
        })?;
        allowed_if(self.is_led(part, &moved), "5.9", || {
            format!("{} moves an Army with a {}", self.card.title(), self.with)
        })?;
        armies::may_be_led(board, side, board.entry(side, from), part)
    }

    /// Every way from the region that some part of the Army may go, the shortest first.
    pub fn ways(&self, board: &Board, from: Region) -> Vec<Way> {
        self.ways_by_length(board, from).flatten().collect()
    }

    /// The ways of each length, beginning with one region. Lazy, because longer ways take more time to find.
    fn ways_by_length(&self, board: &Board, from: Region) -> impl Iterator<Item = Vec<Way>> {
        let goes = move |way: &[Region]| self.most(board, from, way).is_some();
        let straight = match self.goal {
            Goal::Straight(regions) | Goal::Landing(regions) => Some(regions),
            Goal::Anywhere | Goal::Friends => None,
        };
        let mut edge: Vec<Vec<Region>> = vec![Vec::new()];
        (0..if straight.is_some() { 1 } else { self.range }).map(move |_| {
            if let Some(regions) = straight {
                let open = regions.iter().filter(|to| *to != from && self.is_open(board, *to));
                return open.filter(|to| goes(&[*to])).map(|to| Way::of(&[to])).collect();
            }
            edge = edge.iter().flat_map(|way| self.further(board, from, way)).collect();
            let ends = |way: &&Vec<Region>| way.last().is_some_and(|to| self.may_end(board, from, *to).is_ok());
            edge.iter().filter(ends).filter(|way| goes(way)).map(|way| Way::of(way)).collect()
        })
    }

    /// The ways that go one region further. 7.20: a way that no unit may go is dropped.
    fn further(&self, board: &Board, from: Region, way: &[Region]) -> Vec<Vec<Region>> {
        let last = way.last().copied().unwrap_or(from);
        let open = last.neighbours().iter().filter(|to| self.is_open(board, *to));
        let longer = open.map(|to| way.iter().copied().chain([to]).collect::<Vec<Region>>());
        longer.filter(|way| self.movable(board, from, way).units(self.side()) > 0).collect()
    }

    /// Whether any part of any Army may move.
    pub fn can_move(&self, board: &Board) -> bool {
        let goes = |from| self.ways_by_length(board, from).any(|ways| !ways.is_empty());
        self.armies > 0 && self.starts(board).iter().any(goes)
    }

    /// The question, if any Army may move.
    pub(super) fn need(&self, board: &Board) -> Option<Need> {
        self.can_move(board).then(|| board.asks(board.acting(self.side()), "card-move"))
    }

    /// `move 3 regular 1 elite umbar to pelargir`, or `no move`.
    pub(super) fn menu(&self, board: &Board, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
        let ways = [("move|march|move army", true), ("no move|no more|none|stay|no|done", false)];
        let moves = menu.branch(&ways, |moves| {
            let must = !moves && self.duty == Duty::Must;
            allowed_if(!must, "5.9", || format!("{} moves an Army if one can", self.card.title()))
        })?;
        if moves { self.moves(board, menu) } else { Ok(Vec::new()) }
    }

    /// `3 regular 1 elite umbar to pelargir`, read after the word `move`.
    pub(super) fn moves(&self, board: &Board, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
        let route = menu.phrase(&Routes { board, orders: self })?;
        Ok(self.steps(route))
    }

    fn steps(&self, route: Route) -> Vec<Next> {
        let Route { figures, way, .. } = route;
        let mut steps = vec![Next::Effect(Step::Go(route))];
        if let Goal::Landing(_) = self.goal {
            // C5.10: if there are units of the side already, the stacking limit is kept at once.
            steps.push(Next::Standing(standing::Step::Trim(None)));
            steps.push(Next::Effect(Step::Land { card: self.card, figures, region: way.end() }));
        }
        if self.armies > 1 {
            let mut orders = Orders { armies: self.armies - 1, ..*self };
            orders.moved.add(way.end(), figures);
            steps.push(orders.step());
        }
        steps
    }

    /// What is asked, for the letter.
    pub(super) fn question(&self) -> (&'static str, String) {
        let whither = match self.goal {
            Goal::Straight(regions) | Goal::Landing(regions) => {
                let titles: Vec<&str> = regions.iter().map(words::title).collect();
                format!("straight to {}", words::or(&titles))
            }
            Goal::Anywhere if self.range == 1 => "to a region next to it".to_string(),
            Goal::Anywhere => format!("up to {} regions", self.range),
            Goal::Friends => format!("up to {} regions, to where another Army of yours stands", self.range),
        };
        let goes = if self.duty == Duty::May { "may go" } else { "goes" };
        let more = if self.armies > 1 { format!(" {} may still move.", self.armies) } else { String::new() };
        let via = match self.range {
            0 | 1 => "",
            _ => " Without `via` its way is the shortest; of several, one that takes and rouses nothing on the way.",
        };
        ("which Army a card moves", format!("{}: one Army {goes} {whither}.{more}{via}", self.card.title()))
    }
}

/// 7.29: the board after the Army has gone its way.
pub(super) fn gone(board: &Board, route: Route) -> Board {
    Table::begin(board.clone(), vec![Next::Effect(Step::Go(route))]).board().clone()
}

/// The Army goes its way. 7.29: every region entered is activated and captured on the way; Companions activate where
/// they end (12.5).
pub fn go(play: &mut Table, route: &Route) {
    let Route { side, figures, from, way } = *route;
    let mut place = from;
    for region in way.regions() {
        let to = Place::Field(*region);
        play.tell(Told::Moved(Move { figures, from: place, to, cause: Cause::Marched }));
        if let Some(left) = place.region() {
            standing::check(play, left);
        }
        capture::army_entered(play, side, *region);
        place = to;
    }
    politics::companions_arrived(play, &figures.only_characters(), way.end());
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, regions) = match self {
            Goal::Anywhere => return f.write_str("anywhere"),
            Goal::Friends => return f.write_str("friends"),
            Goal::Straight(regions) => ("straight", regions),
            Goal::Landing(regions) => ("landing", regions),
        };
        f.write_str(word)?;
        regions.iter().try_for_each(|region| write!(f, " {}", region.id()))
    }
}

impl fmt::Display for Orders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Orders { card, armies, range, goal, with, from, start, duty, moved } = self;
        let duty = if *duty == Duty::Must { "must" } else { "may" };
        let start = if *start == Start::Open { "open" } else { "anywhere" };
        write!(f, "{duty} march {} armies {armies} range {range} with {with} goal {goal} start {start}", card.id())?;
        if *from != Regions::ALL {
            f.write_str(" from")?;
            from.iter().try_for_each(|region| write!(f, " {}", region.id()))?;
        }
        moved.fmt(f)
    }
}

impl fmt::Display for Moved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (region, figures) in self.armies.iter().flatten() {
            write!(f, " moved {} {}", region.id(), part::say(figures, figures))?;
        }
        for (region, flyer) in self.flown.iter().flatten() {
            let who = if *flyer == Flyer::Nazgul { "nazgul" } else { "witch-king" };
            write!(f, " flown {} {who}", region.id())?;
        }
        Ok(())
    }
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Route { side, figures, from, way } = self;
        write!(f, "go {side} {} {from}", part::say(figures, figures))?;
        way.regions().iter().try_for_each(|region| write!(f, " {}", region.id()))
    }
}
