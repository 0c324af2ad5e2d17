/*! Too few Regulars for a card that recruits them in several regions: its player says how many each region gets.

5.10, 8.16: as many units as possible are placed in all. 3.18: the player of the card divides them. If there are
enough Regulars for every region, none of this is needed.
*/

use crate::Table;
use crate::board::Board;
use crate::card::Card;
use crate::cards::levy::Levy;
use crate::cards::{Step, shadow_strategy};
use crate::figures::{Figure, Figures};
use crate::region::{Region, Regions};
use crate::step::Step as Next;
use crate::words;
use engine::chance::Chance;
use engine::menu::{Ask, Menu, Phrase, Sample, Stop};
use engine::need::Need;
use engine::refusal::{Allowed, allowed_if};

/// The steps of a card that recruits in each of several regions: one after another if there are enough Regulars for
/// all, and otherwise as its player divides them.
pub fn steps(board: &Board, card: Card) -> Vec<Next> {
    let all = shadow_strategy::levies(card);
    let share = Share::of(board, card);
    if share.ways.len() < 2 {
        return all.into_iter().map(Levy::step).collect();
    }
    let others = all.into_iter().filter(|levy| levy.regulars_most() == 0);
    others.map(Levy::step).chain([Next::Effect(Step::Share(card))]).collect()
}

/// What a region gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    region: Region,
    regulars: u8,
    elites: u8,
}

/// The ways to divide the Regulars that are left.
struct Share {
    card: Card,
    levies: Vec<(Region, Levy)>,
    /// Each way has a part for every region, in the order of the card; all ways place the same number of units. Empty
    /// if there are enough Regulars for all.
    ways: Vec<Vec<Part>>,
}

impl Share {
    fn of(board: &Board, card: Card) -> Share {
        let mut levies: Vec<(Region, Levy)> = Vec::new();
        for levy in shadow_strategy::levies(card).into_iter().filter(|levy| levy.regulars_most() > 0) {
            levies.extend(levy.open(board).iter().map(|region| (region, levy)));
        }
        let nation = shadow_strategy::nation(card);
        let stock = board.reinforcements();
        let (regulars, elites) = (stock.count(Figure::Regular(nation)), stock.count(Figure::Elite(nation)));
        let wanted: u8 = levies.iter().map(|(_, levy)| levy.regulars_most()).sum();
        let spared = levies.iter().map(|(_, levy)| levy.elites_beside(0)).sum::<u8>().min(elites);
        if wanted - spared <= regulars {
            return Share { card, levies, ways: Vec::new() };
        }
        let mut ways: Vec<Vec<Part>> = vec![Vec::new()];
        for (region, levy) in &levies {
            let room = levy.room(board, *region);
            let most = levy.regulars_most().min(room);
            ways = ways.into_iter().flat_map(|way| longer(&way, *region, most, regulars)).collect();
            for part in ways.iter_mut().filter_map(|way| way.last_mut()) {
                part.elites = levy.elites_beside(part.regulars).min(elites).min(room - part.regulars);
            }
        }
        let placed = |way: &Vec<Part>| way.iter().map(|part| part.regulars + part.elites).sum::<u8>();
        let most = ways.iter().map(placed).max();
        ways.retain(|way| Some(placed(way)) == most);
        Share { card, levies, ways }
    }

    fn regions(&self) -> Regions {
        self.levies.iter().map(|(region, _)| *region).collect()
    }

    /// The most Regulars that a way places: some ways place fewer of them, and Elites instead.
    fn regulars_most(&self) -> u8 {
        self.ways.iter().map(|way| regulars(way)).max().unwrap_or(0)
    }

    fn may_name(&self, region: Region, named: &[(u8, Region)]) -> Allowed {
        let title = self.card.title();
        allowed_if(self.regions().contains(region), "8.13", || {
            format!("{title} recruits nothing in {}", region.title())
        })?;
        let twice = named.iter().any(|(_, other)| *other == region);
        allowed_if(!twice, "8.16", || format!("{} is named twice", region.title()))
    }

    /// The way that gives these Regulars, if there is one.
    fn way(&self, named: &[(u8, Region)]) -> Option<&Vec<Part>> {
        let number = |region: Region| named.iter().find(|(_, other)| *other == region).map_or(0, |(number, _)| *number);
        self.ways.iter().find(|way| way.iter().all(|part| part.regulars == number(part.region)))
    }
}

/// The way extended by one more region, once for each number of Regulars that the region can get.
fn longer(way: &[Part], region: Region, most: u8, left: u8) -> Vec<Vec<Part>> {
    let left = left - regulars(way);
    let with = |regulars: u8| way.iter().copied().chain([Part { region, regulars, elites: 0 }]).collect();
    (0..=most.min(left)).rev().map(with).collect()
}

fn regulars(way: &[Part]) -> u8 {
    way.iter().map(|part| part.regulars).sum()
}

/// The question, if there is a choice.
pub fn need(board: &Board, card: Card) -> Option<Need> {
    let player = board.acting(card.deck().side);
    (Share::of(board, card).ways.len() > 1).then(|| board.asks(player, "card-recruit"))
}

/// `recruit 1 regular in angmar, 1 regular in ettenmoors`.
pub fn menu(board: &Board, card: Card, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    menu.word("recruit|muster")?;
    let way = menu.phrase(&Share::of(board, card))?;
    let nation = shadow_strategy::nation(card);
    let figures = |part: &Part| {
        let mut figures = Figures::of(Figure::Regular(nation), part.regulars);
        figures.put(Figure::Elite(nation), part.elites);
        figures
    };
    let enlist = |part: Part| Next::Effect(Step::Enlist { figures: figures(&part), region: part.region });
    Ok(way.into_iter().map(enlist).collect())
}

/// Nothing is left to divide: each region gets what the card says.
pub fn perform(play: &mut Table, card: Card) {
    let levies = shadow_strategy::levies(card).into_iter().filter(|levy| levy.regulars_most() > 0);
    play.then(levies.map(Levy::step).collect::<Vec<Next>>());
}

/// What is asked, for the letter.
pub fn question(board: &Board, card: Card) -> (&'static str, String) {
    let share = Share::of(board, card);
    let regular = Figure::Regular(shadow_strategy::nation(card));
    let left = words::some(regular, board.reinforcements().count(regular));
    let places: Vec<String> = share
        .levies
        .iter()
        .map(|(region, levy)| format!("{} (up to {})", region.title(), levy.regulars_most()))
        .collect();
    let text = format!("{}: {left} left, too few for all. How many go to {}?", card.title(), words::and(&places));
    ("what a card recruits, and where", text)
}

impl Phrase for Share {
    type Said = Vec<Part>;

    fn read(&self, menu: &mut Menu<'_>) -> Ask<Vec<Part>> {
        let mut named: Vec<(u8, Region)> = Vec::new();
        loop {
            let number = menu.number_if_any();
            let _ = menu.maybe("regular|regulars")? | menu.maybe("in|at|to")?;
            let region = menu.choose("region", Region::all(), |region| self.may_name(region, &named))?;
            let left = self.regulars_most().saturating_sub(named.iter().map(|(number, _)| number).sum());
            let most = self.ways.iter().flatten().filter(|part| part.region == region).map(|part| part.regulars).max();
            // A region named without a number gets as many as it can.
            let number =
                number.map_or_else(|| most.unwrap_or(0).min(left), |number| u8::try_from(number).unwrap_or(u8::MAX));
            named.push((number, region));
            if !(menu.maybe(",")? | menu.maybe("and")?) {
                break;
            }
        }
        match self.way(&named) {
            Some(way) => Ok(way.clone()),
            None => {
                let ways: Vec<String> = self.ways.iter().map(|way| format!("`{}`", self.say(way))).collect();
                menu.check(allowed_if(false, "8.16", || {
                    let shown: Vec<&str> = ways.iter().take(6).map(String::as_str).collect();
                    format!("as many units as possible are placed, for example {}", words::or(&shown))
                }))?;
                unreachable!("what is barred is refused")
            }
        }
    }

    fn roll(&self, chance: &mut dyn Chance) -> Ask<Vec<Part>> {
        let count = u32::try_from(self.ways.len()).expect("a few ways");
        if count == 0 {
            return Err(Stop::DeadEnd);
        }
        Ok(self.ways[chance.below(count) as usize].clone())
    }

    fn grow(&self) -> Ask<(Vec<String>, Vec<Part>)> {
        Ok((self.ways.iter().map(|way| self.say(way)).collect(), self.list()?.2))
    }

    fn list(&self) -> Ask<Sample<Vec<Part>>> {
        let first = self.ways.first().ok_or(Stop::DeadEnd)?.clone();
        let ways = self.ways.iter().map(|way| self.say(way)).collect();
        Ok(("<division>".to_string(), vec![("division".to_string(), ways)], first))
    }

    fn say(&self, said: &Vec<Part>) -> String {
        let some = said.iter().filter(|part| part.regulars > 0);
        let parts: Vec<String> =
            some.map(|part| format!("{} regular in {}", part.regulars, part.region.id())).collect();
        parts.join(", ")
    }
}
