//! Moving Nazgûl and Minions with a Character die (6.13 to 6.17).

use crate::board::Board;
use crate::board::place::Place;
use crate::character::Character;
use crate::characters::{self, spread};
use crate::event::Cause;
use crate::figures::{Figure, Figures};
use crate::part;
use crate::region::{self, Region, Regions};
use crate::side::Side;
use crate::step::Step as Next;
use engine::chance::Chance;
use engine::menu::{Ask, Menu, Phrase, Sample, Stop};
use engine::refusal::{Allowed, allowed_if, barred};

/// 6.14: the Minions who move. Saruman never does.
const MOVERS: [Character; 2] = [Character::WitchKing, Character::MouthOfSauron];

/// How many regions the Mouth of Sauron goes alone (6.17).
const MOUTH_STEPS: u8 = 3;

/// Nazgûl or Minions who move from one region to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flight {
    pub figures: Figures,
    pub from: Place,
    pub to: Region,
}

impl Flight {
    /// The move, as a step.
    pub fn step(self) -> Next {
        let Flight { figures, from, to } = self;
        let cause = if figures.has(Character::MouthOfSauron) { Cause::Travelled } else { Cause::Flew };
        Next::Characters(characters::Step::Travel { figures, from, to, cause })
    }
}

/// Which figures may move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// With a Character die.
    NazgulAndMinions,
    /// By a card; the Witch-king counts as a Nazgûl (1.12).
    Nazgul,
}

/// 6.15: every region except those with an FP-controlled Stronghold that no Shadow Army besieges.
fn landings(board: &Board) -> Regions {
    Regions::ALL - ((board.controlled(Side::Free) & region::all_strongholds()) - board.besieged())
}

/// 6.17: the regions that the Mouth of Sauron can reach. He enters neither an FP-controlled Stronghold that is not
/// besieged nor a Shadow-controlled one that is.
fn mouth_reach(board: &Board, from: Region) -> Regions {
    let besieged_own = board.besieged() & board.controlled(Side::Shadow);
    if besieged_own.contains(from) {
        return Regions::one(from);
    }
    let closed = (Regions::ALL - landings(board)) | besieged_own;
    spread(from, MOUTH_STEPS, closed, Regions::NONE)
}

/// Whether any Nazgûl or Minion can move.
pub fn can_move(board: &Board) -> bool {
    let nazgul = board.reinforcements().nazgul() < NAZGUL;
    let walks = |region| mouth_reach(board, region) != Regions::one(region);
    let mouth =
        board.region_of(Character::MouthOfSauron).filter(|_| board.acting(Side::Shadow).has(Character::MouthOfSauron));
    nazgul || board.is_in_play(Character::WitchKing) || mouth.is_some_and(walks)
}

/// The number of Nazgûl figures. Those lost return to the reinforcements.
pub const NAZGUL: u8 = 8;

/// `2 nazgul morannon to dale, then witch-king to orthanc`, read after the words `move nazgul`.
pub fn menu(board: &Board, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let flights = menu.phrase(&Flights { board, who: Who::NazgulAndMinions })?;
    Ok(flights.into_iter().map(Flight::step).collect())
}

/// Moves of Nazgûl and Minions, each figure at most once (6.13).
pub struct Flights<'a> {
    pub board: &'a Board,
    pub who: Who,
}

impl Flights<'_> {
    /// The figures in a region that can move, and have not moved yet.
    fn there(&self, region: Region, gone: &[Flight]) -> (Place, Figures) {
        let place = [Place::Field(region), Place::Inside(region)].into_iter().find(|place| {
            (matches!(place, Place::Field(_)) || self.board.is_besieged(region)) && !self.all_at(*place).is_empty()
        });
        let place = place.unwrap_or(Place::Field(region));
        let left = gone
            .iter()
            .filter(|flight| flight.from == place)
            .fold(self.all_at(place), |left, flight| left - flight.figures);
        (place, left)
    }

    fn all_at(&self, place: Place) -> Figures {
        let bag = self.board.at(place);
        let mut figures = Figures::of(Figure::Nazgul, bag.nazgul());
        let movers = match self.who {
            // 17.31: only his own player moves the Mouth of Sauron; the Witch-king flies for either as a Nazgûl.
            Who::NazgulAndMinions if self.board.acting(Side::Shadow).has(Character::MouthOfSauron) => &MOVERS[..],
            Who::NazgulAndMinions | Who::Nazgul => &MOVERS[..1],
        };
        for minion in movers.iter().filter(|minion| bag.has(**minion)) {
            figures.put(Figure::Character(*minion), 1);
        }
        figures
    }

    fn targets(&self, figures: &Figures, from: Place) -> Regions {
        let region = from.region().expect("they stand on the map");
        let mut open = landings(self.board);
        if figures.has(Character::MouthOfSauron) {
            open = open & mouth_reach(self.board, region);
        }
        open.remove(region);
        open
    }

    fn may_land(&self, figures: &Figures, from: Place, to: Region) -> Allowed {
        let name = to.title();
        let region = from.region().expect("they stand on the map");
        allowed_if(to != region, "6.13", || format!("they are in {name} already"))?;
        let rule = if figures.has(Character::MouthOfSauron) { "6.17" } else { "6.15" };
        allowed_if(landings(self.board).contains(to), rule, || {
            format!("the Free Peoples hold the Stronghold of {name}, and no Shadow Army besieges it")
        })?;
        allowed_if(self.targets(figures, from).contains(to), "6.17", || {
            format!("the Mouth of Sauron cannot come from {} to {name} in {MOUTH_STEPS} steps", region.title())
        })
    }

    fn read_one(&self, menu: &mut Menu<'_>, gone: &[Flight]) -> Ask<Flight> {
        let spoken = part::read(menu)?;
        let stays = spoken.names(Character::Saruman);
        menu.check(allowed_if(!stays, "6.17", || "Saruman never leaves Orthanc".to_string()))?;
        if self.who == Who::NazgulAndMinions && spoken.names(Character::MouthOfSauron) {
            menu.check(characters::is_his(self.board, Character::MouthOfSauron))?;
        }
        // A Minion who moves alone needs no start region, since there is only one of him.
        let region = if menu.maybe("to|into")? {
            let of_minion = spoken.only_character().and_then(|minion| self.board.region_of(minion));
            match of_minion {
                Some(region) => region,
                None => {
                    menu.check(barred("6.13", "say where they start: `2 nazgul morannon to dale`"))?;
                    unreachable!("what is barred is refused")
                }
            }
        } else {
            let _ = menu.maybe("from|in|at")?;
            let region = menu.choose("region", Region::all(), |region| {
                allowed_if(!self.there(region, gone).1.is_empty(), "6.13", || {
                    format!("nobody who can move is in {}", region.title())
                })
            })?;
            menu.word("to|into")?;
            region
        };
        let (from, left) = self.there(region, gone);
        let figures = match spoken.of(&left, "6.13") {
            Ok(figures) if !figures.is_empty() => figures,
            Ok(_) => {
                menu.check(barred("6.13", "nobody moves"))?;
                unreachable!("what is barred is refused")
            }
            Err(wrong) => return Err(part::refused(menu, wrong)),
        };
        let to = menu.choose("region", Region::all(), |to| self.may_land(&figures, from, to))?;
        Ok(Flight { figures, from, to })
    }

    fn roll_one(&self, chance: &mut dyn Chance, gone: &[Flight]) -> Option<Flight> {
        let first = chance.below(u32::try_from(Region::all().len()).expect("105 regions"));
        let turned = Region::all().iter().cycle().skip(first as usize).take(Region::all().len());
        for region in turned {
            let (from, left) = self.there(*region, gone);
            let mut figures = if left.is_empty() { continue } else { part::roll(chance, &left) };
            if figures.is_empty() {
                figures = left;
            }
            let mut open = self.targets(&figures, from);
            // 6.17: if the Mouth cannot go, the others go without him; if he alone was chosen, they go in his place.
            if open.is_empty() {
                let mouth = left.of_character(Character::MouthOfSauron);
                let others = figures - figures.of_character(Character::MouthOfSauron);
                figures = if others.is_empty() { left - mouth } else { others };
                if figures.is_empty() {
                    continue;
                }
                open = self.targets(&figures, from);
            }
            if let Some(to) = (!open.is_empty()).then(|| open.nth(chance.below(open.len()))).flatten() {
                return Some(Flight { figures, from, to });
            }
        }
        None
    }
}

/// The most parts of the figures in one region that `grow` lists.
const PARTS_GROWN: usize = 40;

impl Phrase for Flights<'_> {
    type Said = Vec<Flight>;

    fn read(&self, menu: &mut Menu<'_>) -> Ask<Vec<Flight>> {
        let mut flights = vec![self.read_one(menu, &[])?];
        while menu.maybe(", then|then|, and|,")? {
            let flight = self.read_one(menu, &flights)?;
            flights.push(flight);
        }
        Ok(flights)
    }

    fn roll(&self, chance: &mut dyn Chance) -> Ask<Vec<Flight>> {
        let mut flights = vec![self.roll_one(chance, &[]).ok_or(Stop::DeadEnd)?];
        if chance.below(2) == 1 {
            flights.extend(self.roll_one(chance, &flights));
        }
        Ok(flights)
    }

    /// Lists single flights; a sentence may have several.
    fn grow(&self) -> Ask<(Vec<String>, Vec<Flight>)> {
        let mut rows = Vec::new();
        for region in Region::all() {
            let (from, there) = self.there(*region, &[]);
            for figures in part::parts(&there, PARTS_GROWN) {
                let flight = |to| Flight { figures, from, to };
                rows.extend(self.targets(&figures, from).iter().map(|to| self.say(&vec![flight(to)])));
            }
        }
        Ok((rows, Vec::new()))
    }

    fn list(&self) -> Ask<Sample<Vec<Flight>>> {
        let at = Region::all().iter().filter(|region| !self.there(**region, &[]).1.is_empty());
        let from = at.map(|region| region.id().to_string()).collect();
        let words = "<figures> <region> to <region> [, then …]".to_string();
        Ok((words, vec![("region".to_string(), from)], Vec::new()))
    }

    fn say(&self, said: &Vec<Flight>) -> String {
        let one = |flight: &Flight| {
            let from = flight.from.region().expect("they stand on the map");
            format!("{} {} to {}", part::say(&flight.figures, &flight.figures), from.id(), flight.to.id())
        };
        said.iter().map(one).collect::<Vec<_>>().join(", then ")
    }
}
