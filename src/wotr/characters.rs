/*! Characters (6): moving Companions on the map, and the Captains of the West.

Nazgûl and Minions move in [`minions`](crate::minions), and Characters enter play in
[`entry`](crate::entry).
*/

use crate::board::Board;
use crate::board::place::Place;
use crate::character::Character;
use crate::event::{Cause, Event as Told, Move};
use crate::figures::{Figure, Figures};
use crate::region::{self, Region, Regions};
use crate::side::Side;
use crate::step::Step as Next;
use crate::switches::Choice;
use crate::{Table, entry, part, politics, words};
use engine::chance::Chance;
use engine::menu::{Ask, Menu, Phrase, Sample, Stop};
use engine::plural;
use engine::refusal::{Allowed, allowed_if, barred};
use std::fmt;

/// What this chapter does on the agenda.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Figures that are not an Army go from a place to a region.
    Travel { figures: Figures, from: Place, to: Region, cause: Cause },
    /// 6.12: Companions have ended their moves, and may activate a Nation.
    Arrive { companions: Figures, region: Region },
    /// 6.18 to 6.24.
    Enter(entry::Entry),
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Travel { figures, from, to, cause } => {
                let verb = if *cause == Cause::Flew { "fly" } else { "travel" };
                write!(f, "{verb} {} {from} to {}", part::say(figures, figures), to.id())
            }
            Step::Arrive { companions, region } => {
                write!(f, "arrive {} {}", part::say(companions, companions), region.id())
            }
            Step::Enter(entry) => entry.fmt(f),
        }
    }
}

pub fn perform(play: &mut Table, step: Step) {
    match step {
        Step::Travel { figures, from, to, cause } => {
            let to = play.board().entry(side_of(&figures), to);
            play.tell(Told::Moved(Move { figures, from, to, cause }));
        }
        Step::Arrive { companions, region } => politics::companions_arrived(play, &companions, region),
        Step::Enter(entry) => entry::perform(play, entry),
    }
}

fn side_of(figures: &Figures) -> Side {
    let (figure, _) = figures.iter().next().expect("somebody travels");
    figure.side()
}

/// 17.31: a Minion acts only for his own player.
pub fn is_his(board: &Board, minion: Character) -> Allowed {
    let player = board.acting(minion.side());
    allowed_if(player.has(minion), "17.31", || format!("{} is not yours", words::character(minion)))
}

/// 6.27: what the Captains of the West among the figures add to the Combat Strength of their Army: 1 each.
pub fn captains_of_the_west(board: &Board, figures: &Figures) -> u8 {
    let is_captain = |character: &Character| {
        // 19.11: with `characters.strider_captain = false` Strider is not one.
        let strider = *character == Character::Strider && !board.switches().is_default(Choice::StriderCaptain);
        character.is_captain_of_the_west() && !strider
    };
    let captains = u8::try_from(figures.characters().filter(is_captain).count()).expect("twelve Characters");
    // 19.44: with `combat.captains_of_the_west = one` they add 1 together.
    if board.switches().is_default(Choice::CaptainsOfTheWest) { captains } else { captains.min(1) }
}

/// How a card changes the moves of Companions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// How many regions they may go beyond the normal range.
    pub bonus: u8,
    /// The Level that counts, instead of the highest among them.
    pub level: Option<u8>,
    pub sieges: Sieges,
}

/// 6.9: whether Companions may enter a friendly Stronghold besieged by the Shadow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sieges {
    Closed,
    /// They may end inside; none may leave.
    MayEnd,
}

impl Terms {
    /// The terms of a die.
    pub const ORDINARY: Terms = Terms { bonus: 0, level: None, sieges: Sieges::Closed };

    /// How far a group goes on the map.
    fn range(&self, companions: &Figures) -> u8 {
        self.level.unwrap_or_else(|| range(companions)) + self.bonus
    }
}

impl fmt::Display for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.bonus > 0 {
            write!(f, " bonus {}", self.bonus)?;
        }
        if let Some(level) = self.level {
            write!(f, " level {level}")?;
        }
        match self.sieges {
            Sieges::Closed => Ok(()),
            Sieges::MayEnd => f.write_str(" into sieges"),
        }
    }
}

/// How many groups move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Groups {
    One,
    /// 6.5: every Companion may move once.
    Any,
}

/// 6.6, 6.7: how far a group of Companions may go.
fn range(companions: &Figures) -> u8 {
    let highest = companions.characters().map(Character::level).max().unwrap_or(0);
    // 6.7: Gandalf the White counts as Level 4 alone, or with exactly one Hobbit and nobody else.
    let others: Vec<Character> =
        companions.characters().filter(|companion| *companion != Character::GandalfTheWhite).collect();
    let shadowfax = companions.has(Character::GandalfTheWhite)
        && match others.as_slice() {
            [] => true,
            [only] => only.is_hobbit(),
            _ => false,
        };
    if shadowfax { 4 } else { highest }
}

/// 6.8, 6.9: the regions that Companions can reach from here in at most `steps` steps, this one included.
pub fn reach(board: &Board, from: Region, steps: u8, sieges: Sieges) -> Regions {
    // 6.9: they do not enter or leave a region with an FP-controlled Stronghold besieged by the Shadow.
    let closed = board.besieged() & board.controlled(Side::Free);
    if closed.contains(from) {
        return Regions::one(from);
    }
    // 6.8: they may enter a region with a Shadow-controlled Stronghold, besieged or not, but must stop there.
    let stops = board.controlled(Side::Shadow) & region::all_strongholds();
    match sieges {
        Sieges::Closed => spread(from, steps, closed, stops),
        Sieges::MayEnd => spread(from, steps, Regions::NONE, stops | closed),
    }
}

/// The regions within `steps` steps, on paths that enter no region of `closed` and stop in any of `stops`.
pub fn spread(from: Region, steps: u8, closed: Regions, stops: Regions) -> Regions {
    let mut reached = Regions::one(from);
    let mut edge = reached;
    for _ in 0..steps {
        let next = edge.iter().fold(Regions::NONE, |all, region| all | region.neighbours());
        let new = next - closed - reached;
        reached = reached | new;
        edge = new - stops;
        if edge.is_empty() {
            break;
        }
    }
    reached
}

/// The Companions on the map who may move with a Character die: all except those inside a siege (6.11).
fn movers(board: &Board) -> impl Iterator<Item = (Character, Region)> {
    Character::of(Side::Free).iter().filter_map(|companion| match board.whereabouts(*companion) {
        Place::Field(region) => Some((*companion, region)),
        _ => None,
    })
}

/// Whether any Companion can move (6.5).
pub fn can_move_companions(board: &Board, terms: Terms) -> bool {
    movers(board).any(|(companion, from)| can_move(board, companion, from, terms))
}

fn can_move(board: &Board, companion: Character, from: Region, terms: Terms) -> bool {
    let range = terms.range(&Figures::one(Figure::Character(companion)));
    reach(board, from, range, terms.sieges) != Regions::one(from)
}

/// `strider legolas to rivendell, then gimli to erebor`, read after the words `move companions`.
pub fn move_companions(board: &Board, terms: Terms, groups: Groups, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let groups = menu.phrase(&Journeys { board, terms, groups })?;
    let travel = |group: &Group| {
        let Group { companions, from, to } = *group;
        let from = Place::Field(from);
        Next::Characters(Step::Travel { figures: companions, from, to, cause: Cause::Travelled })
    };
    let arrive = |group: &Group| Next::Characters(Step::Arrive { companions: group.companions, region: group.to });
    Ok(groups.iter().map(travel).chain(groups.iter().map(arrive)).collect())
}

/// Companions who start in one region and go to one destination (6.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Group {
    companions: Figures,
    from: Region,
    to: Region,
}

/// Every Companion may move once (6.5).
struct Journeys<'a> {
    board: &'a Board,
    terms: Terms,
    groups: Groups,
}

impl Journeys<'_> {
    fn may_go(&self, companion: Character, group: &Figures, gone: &[Group]) -> Allowed {
        let name = words::character(companion);
        let region = match self.board.whereabouts(companion) {
            Place::Field(region) => region,
            Place::Inside(region) => return barred("6.11", format!("{name} is besieged in {}", region.title())),
            Place::Fellowship => return barred("6.5", format!("{name} is in the Fellowship: separate him first")),
            _ => return barred("6.5", format!("{name} is not on the map")),
        };
        let twice = group.has(companion) || gone.iter().any(|group| group.companions.has(companion));
        allowed_if(!twice, "6.5", || format!("{name} moves already"))?;
        let together = group.characters().all(|other| self.board.region_of(other) == Some(region));
        allowed_if(together, "6.6", || format!("{name} does not start where the others do"))
    }

    fn read_group(&self, menu: &mut Menu<'_>, gone: &[Group]) -> Ask<Group> {
        let mut companions = Figures::NONE;
        loop {
            let may = |companion| self.may_go(companion, &companions, gone);
            let companion = menu.choose("companion", Character::of(Side::Free), may)?;
            companions.put(Figure::Character(companion), 1);
            let _ = menu.maybe(",")? || menu.maybe("and")?;
            if menu.maybe("to|into")? {
                break;
            }
        }
        let (first, _) = companions.iter().next().expect("a Companion was chosen");
        let Figure::Character(first) = first else { unreachable!("only Companions were chosen") };
        let from = self.board.region_of(first).expect("a Companion on the map");
        let steps = self.terms.range(&companions);
        let open = reach(self.board, from, steps, self.terms.sieges);
        let to = menu.choose("region", Region::all(), |to| {
            allowed_if(open.contains(to) && to != from, "6.6, 6.8, 6.9", || {
                let steps = plural::counted(steps, "step");
                format!("{} cannot be reached from {} in {steps}", to.title(), from.title())
            })
        })?;
        Ok(Group { companions, from, to })
    }

    fn roll_group(&self, chance: &mut dyn Chance, gone: &[Group]) -> Option<Group> {
        let free: Vec<(Character, Region)> = movers(self.board)
            .filter(|(companion, from)| {
                self.may_go(*companion, &Figures::NONE, gone).is_ok()
                    && can_move(self.board, *companion, *from, self.terms)
            })
            .collect();
        let index = chance.below(u32::try_from(free.len()).expect("nine Companions").max(1));
        let (first, from) = *free.get(index as usize)?;
        let mut companions = Figures::one(Figure::Character(first));
        for (companion, region) in movers(self.board) {
            if region == from && chance.below(2) == 1 && self.may_go(companion, &companions, gone).is_ok() {
                companions.put(Figure::Character(companion), 1);
            }
        }
        let mut open = reach(self.board, from, self.terms.range(&companions), self.terms.sieges);
        open.remove(from);
        Some(Group { companions, from, to: open.nth(chance.below(open.len().max(1)))? })
    }
}

/// The most groups from one region that `grow` lists.
pub const GROUPS_GROWN: usize = 128;

impl Phrase for Journeys<'_> {
    type Said = Vec<Group>;

    fn read(&self, menu: &mut Menu<'_>) -> Ask<Vec<Group>> {
        let mut groups = vec![self.read_group(menu, &[])?];
        while menu.maybe(", then|then|, and|,")? {
            menu.check(allowed_if(self.groups == Groups::Any, "5.9", || "only one group moves".to_string()))?;
            let group = self.read_group(menu, &groups)?;
            groups.push(group);
        }
        Ok(groups)
    }

    fn roll(&self, chance: &mut dyn Chance) -> Ask<Vec<Group>> {
        let mut groups = vec![self.roll_group(chance, &[]).ok_or(Stop::DeadEnd)?];
        if self.groups == Groups::Any && chance.below(2) == 1 {
            groups.extend(self.roll_group(chance, &groups));
        }
        Ok(groups)
    }

    /// One group.
    fn grow(&self) -> Ask<(Vec<String>, Vec<Group>)> {
        let mut rows = Vec::new();
        let mut starts: Vec<(Region, Figures)> = Vec::new();
        for (companion, region) in movers(self.board) {
            if self.may_go(companion, &Figures::NONE, &[]).is_err() {
                continue;
            }
            let figures = Figures::one(Figure::Character(companion));
            match starts.iter_mut().find(|(known, _)| *known == region) {
                Some((_, there)) => *there += figures,
                None => starts.push((region, figures)),
            }
        }
        for (from, there) in starts {
            for companions in part::parts(&there, GROUPS_GROWN) {
                let mut open = reach(self.board, from, self.terms.range(&companions), self.terms.sieges);
                open.remove(from);
                rows.extend(open.iter().map(|to| self.say(&vec![Group { companions, from, to }])));
            }
        }
        Ok((rows, Vec::new()))
    }

    fn list(&self) -> Ask<Sample<Vec<Group>>> {
        let names = movers(self.board).map(|(companion, _)| companion.id().to_string()).collect();
        let more = match self.groups {
            Groups::One => "",
            Groups::Any => " [, then …]",
        };
        let words = format!("<companion> … to <region>{more}");
        Ok((words, vec![("companion".to_string(), names)], Vec::new()))
    }

    fn say(&self, said: &Vec<Group>) -> String {
        let one = |group: &Group| format!("{} to {}", part::say(&group.companions, &group.companions), group.to.id());
        said.iter().map(one).collect::<Vec<_>>().join(", then ")
    }
}
