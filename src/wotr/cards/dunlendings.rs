//! Rage of the Dunlendings: units of the two Dunlands that go straight to the region where Regulars are recruited.

use crate::board::Board;
use crate::board::place::Place;
use crate::cards::Step;
use crate::cards::march::{Route, Way};
use crate::figures::{Figure, Figures};
use crate::nation::Nation;
use crate::part;
use crate::region::named::{NORTH_DUNLAND, SOUTH_DUNLAND};
use crate::region::{Region, Regions};
use crate::side::Side;
use crate::step::Step as Next;
use engine::chance::Chance;
use engine::menu::{Ask, Menu, Phrase, Sample, Stop};
use engine::refusal::{Allowed, Barred, allowed_if, barred};

/// The most units that may go.
const UNITS_MAX: u8 = 4;

/// The two Dunlands.
pub fn dunlands() -> Regions {
    Regions::one(NORTH_DUNLAND) | Regions::one(SOUTH_DUNLAND)
}

/// The free regions next to one of the Dunlands, which are next to each other.
pub fn camps(board: &Board) -> Regions {
    (NORTH_DUNLAND.neighbours() | SOUTH_DUNLAND.neighbours()) & board.free_regions(Side::Shadow)
}

/// The units of Isengard in one of the Dunlands.
fn units(board: &Board, from: Region) -> Figures {
    let force = board.force(Side::Shadow, from);
    let mut units = Figures::NONE;
    for figure in [Figure::Regular(Nation::Isengard), Figure::Elite(Nation::Isengard)] {
        units.put(figure, force.count(figure));
    }
    units
}

/// Whether any unit may go there.
pub fn can_go(board: &Board, to: Region) -> bool {
    (dunlands() - Regions::one(to)).iter().any(|from| !units(board, from).is_empty())
}

/// `move 2 regular north-dunland, 1 elite south-dunland`, or `no move`.
pub fn menu(board: &Board, to: Region, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let ways = [("move|march", true), ("no move|none|stay|no", false)];
    if !menu.branch(&ways, |_| Ok(()))? {
        return Ok(Vec::new());
    }
    let groups = menu.phrase(&Groups { board, to })?;
    let go = |(from, figures): (Region, Figures)| {
        let way = Way::of(&[to]);
        Next::Effect(Step::Go(Route { side: Side::Shadow, figures, from: Place::Field(from), way }))
    };
    Ok(groups.into_iter().map(go).collect())
}

/// At most one group from each Dunland, and four units in all.
struct Groups<'a> {
    board: &'a Board,
    to: Region,
}

impl Groups<'_> {
    fn may_leave(&self, from: Region, gone: &[(Region, Figures)]) -> Allowed {
        if !dunlands().contains(from) || from == self.to {
            return barred("5.9", format!("nobody goes from {} to {} by this card", from.title(), self.to.title()));
        }
        allowed_if(gone.iter().all(|(before, _)| *before != from), "5.9", || {
            format!("{} is named twice", from.title())
        })?;
        let some = !units(self.board, from).is_empty();
        allowed_if(some, "5.9", || format!("no Isengard unit is in {}", from.title()))
    }

    fn number(groups: &[(Region, Figures)]) -> u8 {
        groups.iter().map(|(_, figures)| figures.units(Side::Shadow)).sum()
    }
}

impl Phrase for Groups<'_> {
    type Said = Vec<(Region, Figures)>;

    fn read(&self, menu: &mut Menu<'_>) -> Ask<Vec<(Region, Figures)>> {
        let mut groups: Vec<(Region, Figures)> = Vec::new();
        loop {
            let spoken = part::read(menu)?;
            menu.maybe("from|in|at|of")?;
            let from = menu.choose("region", Region::all(), |from| self.may_leave(from, &groups))?;
            match spoken.of(&units(self.board, from), "5.9") {
                Ok(figures) => groups.push((from, figures)),
                Err(wrong) => return Err(part::refused(menu, wrong)),
            }
            if groups.len() > 1 || !menu.maybe(", then|then|, and|and|,")? {
                break;
            }
        }
        let number = Self::number(&groups);
        if (1..=UNITS_MAX).contains(&number) {
            Ok(groups)
        } else {
            let why = format!("one to {UNITS_MAX} units may go, not {number}");
            Err(part::refused(menu, Barred { rule: "5.9", why }))
        }
    }

    fn roll(&self, chance: &mut dyn Chance) -> Ask<Vec<(Region, Figures)>> {
        let mut groups: Vec<(Region, Figures)> = Vec::new();
        for from in dunlands().iter().filter(|from| self.may_leave(*from, &[]).is_ok()) {
            let mut figures = part::roll(chance, &units(self.board, from));
            while Self::number(&groups) + figures.units(Side::Shadow) > UNITS_MAX {
                let (unit, _) = figures.iter().next().expect("too many are some");
                figures.take(unit, 1);
            }
            if !figures.is_empty() {
                groups.push((from, figures));
            }
        }
        if groups.is_empty() {
            let (_, _, first) = self.list()?;
            return Ok(first);
        }
        Ok(groups)
    }

    fn list(&self) -> Ask<Sample<Vec<(Region, Figures)>>> {
        let open: Vec<Region> = dunlands().iter().filter(|from| self.may_leave(*from, &[]).is_ok()).collect();
        let first = open.first().ok_or(Stop::DeadEnd)?;
        let there = units(self.board, *first);
        let (unit, _) = there.iter().next().ok_or(Stop::DeadEnd)?;
        let nouns = vec![("region".to_string(), open.iter().map(|from| from.id().to_string()).collect())];
        Ok(("<figures> <region> [, …]".to_string(), nouns, vec![(*first, Figures::one(unit))]))
    }

    fn say(&self, groups: &Vec<(Region, Figures)>) -> String {
        let one = |(from, figures): &(Region, Figures)| {
            format!("{} {}", part::say(figures, &units(self.board, *from)), from.id())
        };
        groups.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}
