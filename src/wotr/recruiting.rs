/*! Recruiting (8): which figures a Muster result recruits, and where.

One Muster action recruits two Regulars, two Leaders, one of each, or one Elite; a Leader of the Shadow is a Nazgûl.
*/

use crate::board::Board;
use crate::board::place::Place;
use crate::event::{Cause, Event as Told, Move};
use crate::figures::{Figure, Figures};
use crate::nation::Nation;
use crate::part::Count;
use crate::region::{self, Region, Regions};
use crate::side::Side;
use crate::standing::UNITS_MAX;
use crate::step::Step as Next;
use crate::switches::Choice;
use crate::{Table, words};
use engine::chance::Chance;
use engine::menu::{Ask, Menu, Phrase, Sample, Stop};
use engine::name::{Name, Named};
use engine::refusal::{Allowed, allowed_if, barred};
use std::fmt;
use std::sync::LazyLock;

/// What this chapter does on the agenda.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// One figure from the reinforcements.
    Recruit { figure: Figure, region: Region },
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Step::Recruit { figure, region } = self;
        write!(f, "recruit {} {}", Count(*figure), region.id())
    }
}

/// 8.11: recruiting is not entering: no Nation is activated, nothing is captured.
pub fn perform(play: &mut Table, step: Step) {
    let Step::Recruit { figure, region } = step;
    let to = play.board().entry(figure.side(), region);
    let figures = Figures::one(figure);
    play.tell(Told::Moved(Move { figures, from: Place::Reinforcements, to, cause: Cause::Recruited }));
}

/// What is recruited; the Nation follows from the region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rank {
    Regular,
    Leader,
    Nazgul,
    Elite,
}

impl Rank {
    const ALL: [Rank; 4] = [Rank::Regular, Rank::Leader, Rank::Nazgul, Rank::Elite];

    fn figure(self, nation: Nation) -> Figure {
        match self {
            Rank::Regular => Figure::Regular(nation),
            Rank::Elite => Figure::Elite(nation),
            Rank::Leader => Figure::Leader(nation),
            Rank::Nazgul => Figure::Nazgul,
        }
    }

    /// 8.1: "Leader" is an FP Leader or, for the Shadow, a Nazgûl.
    fn belongs_to(self, side: Side) -> bool {
        match self {
            Rank::Regular | Rank::Elite => true,
            Rank::Leader => side == Side::Free,
            Rank::Nazgul => side == Side::Shadow,
        }
    }
}

static RANKS: LazyLock<[Name; 4]> = LazyLock::new(|| {
    [
        Name::new("regular", "Regular", &["regulars"]),
        Name::new("leader", "Leader", &["leaders"]),
        Name::new("nazgul", "Nazgûl", &["ringwraith"]),
        Name::new("elite", "Elite", &["elites"]),
    ]
});

impl Named for Rank {
    fn name(&self) -> &'static Name {
        &RANKS[*self as usize]
    }
}

/// One figure to recruit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Recruit {
    rank: Rank,
    region: Region,
}

impl Recruit {
    fn figure(self) -> Figure {
        self.rank.figure(self.region.nation().expect("a Settlement belongs to a Nation"))
    }
}

/// 8.3: the Settlements in which the side may recruit: those of its own Nations At War that it controls, and that are
/// free and not besieged.
fn places(board: &Board, side: Side) -> Regions {
    let held = (region::settlements(side) - board.captured()) & board.free_regions(side);
    // 17.25, 17.27: of the Nations that the player plays. 17.40: the single FP player does not act twice on one.
    let player = board.acting(side);
    let may = |nation: &&Nation| board.is_at_war(**nation) && !board.row().bars(**nation);
    let at_war = player.nations().iter().filter(may);
    let nations = at_war.fold(Regions::NONE, |all, nation| all | region::regions_of(*nation));
    (held - board.besieged()) & nations
}

/// Whether the figure may be recruited there, after the one `before` it.
fn may_recruit(board: &Board, side: Side, recruit: Recruit, before: Option<Recruit>) -> Allowed {
    let Recruit { rank, region } = recruit;
    may_muster_in(board, side, region)?;
    let figure = recruit.figure();
    // 8.5: Nazgûl are recruited only in Sauron Strongholds.
    if rank == Rank::Nazgul && !(region.nation() == Some(Nation::Sauron) && region.is_stronghold()) {
        return barred("8.5", format!("{} is no Stronghold of Sauron", region.title()));
    }
    // 8.6: an FP Leader is recruited only where there is an FP unit.
    if rank == Rank::Leader && board.units(side, region) == 0 {
        return barred("8.6", format!("no unit for a Leader is in {}", region.title()));
    }
    // 8.4: two figures are recruited in two different Settlements.
    if before.is_some_and(|before| before.region == region) {
        return barred("8.4", format!("two figures go to two Settlements, not both to {}", region.title()));
    }
    // 8.8: only figures in the reinforcements can be recruited.
    let taken = u8::from(before.is_some_and(|before| before.figure() == figure));
    let left = board.reinforcements().count(figure).saturating_sub(taken);
    allowed_if(left > 0, "8.8", || format!("no {} is left in the reinforcements", words::figure(figure)))?;
    let full =
        !board.switches().is_default(Choice::MoveOverTen) && figure.is_unit() && board.units(side, region) >= UNITS_MAX;
    allowed_if(!full, "19.34", || format!("{UNITS_MAX} units are in {}", region.title()))
}

fn may_muster_in(board: &Board, side: Side, region: Region) -> Allowed {
    if places(board, side).contains(region) {
        return Ok(());
    }
    let name = region.title();
    match region.nation() {
        Some(nation) if nation.side() == side && region.settlement().is_some() => {
            if !board.acts_for(nation) {
                barred("17.25", words::not_yours(nation))
            } else if board.row().bars(nation) {
                barred("17.40", words::twice_on(nation))
            } else if !board.is_at_war(nation) {
                barred("8.2", format!("{} not At War", words::nation_is(nation)))
            } else if !board.is_unconquered(region) {
                barred("8.3", format!("{name} is captured"))
            } else {
                barred("8.3", format!("{name} is not free of enemies"))
            }
        }
        _ => barred("8.3", format!("{name} is no Settlement of a Nation of {}", side.title())),
    }
}

/// Whether the side can recruit anything with a Muster result.
pub fn can_recruit(board: &Board, side: Side) -> bool {
    let recruits = Recruits { board, side };
    Rank::ALL.into_iter().any(|rank| recruits.has(rank, None))
}

/// `regular pelargir, leader minas-tirith`, read after the word `recruit`.
pub fn menu(board: &Board, side: Side, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let recruits = menu.phrase(&Recruits { board, side })?;
    let step = |recruit: Recruit| Next::Recruiting(Step::Recruit { figure: recruit.figure(), region: recruit.region });
    Ok(recruits.into_iter().map(step).collect())
}

/// One or two figures (8.1).
struct Recruits<'a> {
    board: &'a Board,
    side: Side,
}

impl Recruits<'_> {
    fn open(&self, rank: Rank, before: Option<Recruit>) -> impl Iterator<Item = Region> {
        places(self.board, self.side)
            .iter()
            .filter(move |region| may_recruit(self.board, self.side, Recruit { rank, region: *region }, before).is_ok())
    }

    fn has(&self, rank: Rank, before: Option<Recruit>) -> bool {
        rank.belongs_to(self.side) && self.open(rank, before).next().is_some()
    }

    fn may(&self, rank: Rank, before: Option<Recruit>) -> Allowed {
        if !rank.belongs_to(self.side) {
            return barred("8.1", format!("{} cannot recruit a {}", self.side.title(), rank.name().title()));
        }
        // 8.1: an Elite is recruited alone.
        if before.is_some() && rank == Rank::Elite {
            return barred("8.1", "an Elite is recruited alone");
        }
        allowed_if(self.has(rank, before), "8.1", || format!("no {} can be recruited anywhere", rank.name().title()))
    }

    fn read_one(&self, menu: &mut Menu<'_>, before: Option<Recruit>) -> Ask<Recruit> {
        // An article or `1` is read and means nothing: `1 regular in Edoras`.
        let _ = menu.maybe("a|an|one|1")?;
        let rank = menu.choose("rank", &Rank::ALL, |rank| match self.may(rank, before) {
            // If no place is open, the refusal of the region says why.
            Err(barred) if barred.rule == "8.1" && rank.belongs_to(self.side) && rank != Rank::Elite => Ok(()),
            allowed => allowed,
        })?;
        let _ = menu.maybe("in|to|at|into")?;
        let may = |region| may_recruit(self.board, self.side, Recruit { rank, region }, before);
        let region = menu.choose("region", Region::all(), may)?;
        Ok(Recruit { rank, region })
    }

    fn roll_one(&self, chance: &mut dyn Chance, before: Option<Recruit>) -> Option<Recruit> {
        let ranks: Vec<Rank> = Rank::ALL.into_iter().filter(|rank| self.may(*rank, before).is_ok()).collect();
        let rank = *ranks.get(chance.below(u32::try_from(ranks.len()).expect("four ranks").max(1)) as usize)?;
        let open: Regions = self.open(rank, before).collect();
        let region = open.nth(chance.below(open.len()))?;
        Some(Recruit { rank, region })
    }
}

impl Phrase for Recruits<'_> {
    type Said = Vec<Recruit>;

    fn read(&self, menu: &mut Menu<'_>) -> Ask<Vec<Recruit>> {
        let first = self.read_one(menu, None)?;
        let mut recruits = vec![first];
        if first.rank != Rank::Elite && menu.maybe(", and|,|and|then")? {
            recruits.push(self.read_one(menu, Some(first))?);
        }
        Ok(recruits)
    }

    fn roll(&self, chance: &mut dyn Chance) -> Ask<Vec<Recruit>> {
        let first = self.roll_one(chance, None).ok_or(Stop::DeadEnd)?;
        let second = match first.rank {
            Rank::Elite => None,
            _ => self.roll_one(chance, Some(first)),
        };
        Ok([first].into_iter().chain(second).collect())
    }

    fn grow(&self) -> Ask<(Vec<String>, Vec<Recruit>)> {
        let mut rows = Vec::new();
        let each = |before: Option<Recruit>| -> Vec<Recruit> {
            let ranks = Rank::ALL.into_iter().filter(|rank| self.may(*rank, before).is_ok());
            ranks.flat_map(|rank| self.open(rank, before).map(move |region| Recruit { rank, region })).collect()
        };
        for first in each(None) {
            rows.push(self.say(&vec![first]));
            let seconds = if first.rank == Rank::Elite { Vec::new() } else { each(Some(first)) };
            rows.extend(seconds.into_iter().map(|second| self.say(&vec![first, second])));
        }
        Ok((rows, Vec::new()))
    }

    fn list(&self) -> Ask<Sample<Vec<Recruit>>> {
        let mut nouns = Vec::new();
        for rank in Rank::ALL.into_iter().filter(|rank| self.may(*rank, None).is_ok()) {
            let places = self.open(rank, None).map(|region| region.id().to_string()).collect();
            nouns.push((format!("place of {}", rank.name().id()), places));
        }
        let words: Vec<String> =
            nouns.iter().map(|(noun, _)| format!("{} <{noun}>", noun.trim_start_matches("place of "))).collect();
        let more = if nouns.len() > usize::from(self.has(Rank::Elite, None)) { " [, …]" } else { "" };
        Ok((format!("{}{more}", words.join(" | ")), nouns, Vec::new()))
    }

    fn say(&self, said: &Vec<Recruit>) -> String {
        let one = |recruit: &Recruit| format!("{} {}", recruit.rank.name().id(), recruit.region.id());
        said.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}
