/*! Recruiting by an Event card (8.12 to 8.19): figures of one Nation, in one or more regions that the card names.

As many as possible are placed (8.16). The owner is asked only if there is a choice of units, or of regions.
*/

use crate::board::Board;
use crate::board::place::Place;
use crate::card::Card;
use crate::cards::Step;
use crate::event::{Cause, Event as Told, Move};
use crate::figures::{Figure, Figures};
use crate::nation::Nation;
use crate::region::{Region, Regions};
use crate::side::Side;
use crate::standing::GARRISON_MAX;
use crate::step::Step as Next;
use crate::switches::Choice;
use crate::{Table, part, words};
use engine::chance::Chance;
use engine::menu::{Ask, Menu, Phrase, Sample, Stop};
use engine::need::Need;
use engine::refusal::{Allowed, Barred, allowed_if};
use std::fmt;

/// What a card recruits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Levy {
    pub card: Card,
    pub nation: Nation,
    pub troops: Troops,
    /// The regions that the card names. Only those where the side may recruit count.
    pub places: Regions,
    /// In how many different regions the troops are placed: 1 for most cards.
    pub times: u8,
}

/// How many figures of each rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Troops {
    pub regulars: u8,
    pub elites: u8,
    /// 8.19: units that are Regulars or Elites, as the owner chooses.
    pub either: u8,
    /// FP Leaders, or Nazgûl.
    pub leaders: u8,
}

/// Units, Regulars or Elites as the owner chooses, and Leaders (for the Shadow: Nazgûl), in one of the places.
pub fn levy(card: Card, nation: Nation, units: u8, leaders: u8, places: Regions) -> Next {
    of_troops(card, nation, Troops { either: units, leaders, ..Troops::default() }, places)
}

/// Regulars in one of the places.
pub fn regulars(card: Card, nation: Nation, number: u8, places: Regions) -> Next {
    of_troops(card, nation, Troops { regulars: number, ..Troops::default() }, places)
}

/// These troops in one of the places.
pub fn of_troops(card: Card, nation: Nation, troops: Troops, places: Regions) -> Next {
    Levy { card, nation, troops, places, times: 1 }.step()
}

/// 8.13: where a card may recruit: in regions free for the side (8.14: also where it besieges), and inside its own
/// besieged Strongholds.
pub fn places(board: &Board, side: Side) -> Regions {
    board.free_regions(side) | (board.besieged() & board.controlled(side))
}

/// The figures are placed. 8.11: recruiting is not entering: no Nation is activated, nothing is captured.
pub fn enlist(play: &mut Table, figures: Figures, region: Region) {
    let Some((first, _)) = figures.iter().next() else { return };
    let to = play.board().entry(first.side(), region);
    play.tell(Told::Moved(Move { figures, from: Place::Reinforcements, to, cause: Cause::Recruited }));
}

/// The figures recruited in one region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Recruits {
    figures: Figures,
    region: Region,
}

impl Levy {
    fn side(&self) -> Side {
        self.nation.side()
    }

    /// As a step.
    pub fn step(self) -> Next {
        Next::Effect(Step::Levy(self))
    }

    /// The regions where it recruits now.
    pub fn open(&self, board: &Board) -> Regions {
        // 17.18: only Nations of the card's player.
        if board.acts_for(self.nation) { self.places & places(board, self.side()) } else { Regions::NONE }
    }

    /// Whether it recruits anything now.
    pub fn recruits(&self, board: &Board) -> bool {
        !self.ways(board).is_empty()
    }

    /// The most Regulars that a region can get.
    pub fn regulars_most(&self) -> u8 {
        self.troops.regulars + self.troops.either
    }

    /// 8.19: the Elites that a region can get beside this number of Regulars.
    pub fn elites_beside(&self, regulars: u8) -> u8 {
        let Troops { regulars: only_regulars, elites, either, .. } = self.troops;
        elites + either - regulars.saturating_sub(only_regulars).min(either)
    }

    /// Every way to recruit as many as possible (8.16).
    fn ways(&self, board: &Board) -> Vec<Recruits> {
        let mut ways: Vec<Recruits> = Vec::new();
        let open = self.open(board);
        for region in open.iter() {
            self.ways_in(board, region, &mut ways);
        }
        let size = |recruits: &Recruits| recruits.figures.iter().map(|(_, number)| number).sum::<u8>();
        let most = ways.iter().map(size).max().unwrap_or(0);
        ways.retain(|recruits| size(recruits) == most && most > 0);
        // If every region gets its figures anyway, nobody is asked for their order.
        if self.times > 1 && open.len() <= u32::from(self.times) && self.suffices(board, open.len()) {
            let first = ways.first().map(|recruits| recruits.region);
            ways.retain(|recruits| Some(recruits.region) == first);
        }
        ways
    }

    /// Whether the reinforcements have the Regulars for this number of regions.
    fn suffices(&self, board: &Board, regions: u32) -> bool {
        let left = board.reinforcements().count(Figure::Regular(self.nation));
        u32::from(left) >= regions * u32::from(self.troops.regulars)
    }

    fn ways_in(&self, board: &Board, region: Region, ways: &mut Vec<Recruits>) {
        let Troops { regulars, elites, either, .. } = self.troops;
        let stock = board.reinforcements();
        let (regular, elite) = (Figure::Regular(self.nation), Figure::Elite(self.nation));
        let room = self.room(board, region);
        let number_by = |elites_placed: u8| {
            let left = either - elites_placed.saturating_sub(elites).min(either);
            (regulars + left).min(stock.count(regular)).min(room - elites_placed)
        };
        let elites_most = (elites + either).min(stock.count(elite)).min(room);
        let most = (0..=elites_most).map(|placed| placed + number_by(placed)).max().unwrap_or(0);
        for placed in (0..=elites_most).filter(|placed| placed + number_by(*placed) == most) {
            let mut figures = Figures::of(regular, number_by(placed));
            figures.put(elite, placed);
            figures += self.leaders(board, region, most);
            ways.push(Recruits { figures, region });
        }
    }

    /// How many units may be placed there. 8.15: inside a siege there is no limit, and the excess is removed
    /// afterwards. 19.36: with `cards.over_full_garrison = stop_at_five` recruiting stops at five.
    pub fn room(&self, board: &Board, region: Region) -> u8 {
        let place = board.entry(self.side(), region);
        let stops = !board.switches().is_default(Choice::OverFullGarrison) && matches!(place, Place::Inside(_));
        if stops { GARRISON_MAX.saturating_sub(board.force_at(self.side(), place).units(self.side())) } else { u8::MAX }
    }

    /// 8.6, 8.17: an FP Leader is recruited only where there is an FP unit, or together with one.
    fn leaders(&self, board: &Board, region: Region, units: u8) -> Figures {
        let side = self.side();
        let leader = match side {
            Side::Free => Figure::Leader(self.nation),
            Side::Shadow => Figure::Nazgul,
        };
        let stands = units > 0 || board.force_at(side, board.entry(side, region)).units(side) > 0;
        if side == Side::Shadow || stands {
            Figures::of(leader, self.troops.leaders.min(board.reinforcements().count(leader)))
        } else {
            Figures::NONE
        }
    }

    fn steps(&self, recruits: Recruits) -> Vec<Next> {
        let Recruits { figures, region } = recruits;
        let mut steps = vec![Next::Effect(Step::Enlist { figures, region })];
        if self.times > 1 {
            let places = self.places - Regions::one(region);
            steps.push(Next::Effect(Step::Levy(Levy { places, times: self.times - 1, ..*self })));
        }
        steps
    }

    /// The question, if there is a choice.
    pub(super) fn need(&self, board: &Board) -> Option<Need> {
        (self.ways(board).len() > 1).then(|| board.asks(board.acting(self.side()), "card-recruit"))
    }

    /// `recruit elite leader in edoras`; parts that leave no choice may be left out.
    pub(super) fn menu(&self, board: &Board, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
        menu.word("recruit|muster")?;
        let ways = self.ways(board);
        let recruits = menu.phrase(&Choices { levy: self, ways: &ways })?;
        Ok(self.steps(recruits))
    }

    /// Recruits in the only way. If there is none, nothing is recruited (8.16).
    pub(super) fn perform(&self, play: &mut Table) {
        if let [only] = self.ways(play.board()).as_slice() {
            play.then(self.steps(*only));
        }
    }

    /// What is asked, for the letter.
    pub(super) fn question(&self, board: &Board) -> (&'static str, String) {
        let ways = self.ways(board);
        let choices = Choices { levy: self, ways: &ways };
        let troops: Vec<String> = choices.figures().iter().map(words::figures).collect();
        let places: Vec<&str> = choices.regions().iter().map(words::title).collect();
        let more = match self.times {
            1 => String::new(),
            times => format!(" {times} regions are still to be named, each a different one."),
        };
        let troops = match troops.as_slice() {
            [only] => only.clone(),
            several => format!("{},", several.join(", or ")),
        };
        let text = format!("{}: recruit {troops} in {}.{more}", self.card.title(), words::or(&places));
        ("what a card recruits, and where", text)
    }
}

/// The ways to recruit, in words.
struct Choices<'a> {
    levy: &'a Levy,
    ways: &'a [Recruits],
}

impl Choices<'_> {
    /// The different bags of figures.
    fn figures(&self) -> Vec<Figures> {
        let mut bags: Vec<Figures> = Vec::new();
        for way in self.ways {
            if !bags.contains(&way.figures) {
                bags.push(way.figures);
            }
        }
        bags
    }

    fn regions(&self) -> Regions {
        self.ways.iter().map(|way| way.region).collect()
    }

    fn may_choose(&self, board_open: Regions, region: Region) -> Allowed {
        allowed_if(board_open.contains(region), "8.13", || {
            let (title, name) = (self.levy.card.title(), region.title());
            if self.levy.places.contains(region) {
                format!("{title} cannot recruit in {name}: it is not free, or less could be placed there")
            } else {
                format!("{title} does not recruit in {name}")
            }
        })
    }

    fn read_region(&self, menu: &mut Menu<'_>) -> Ask<Option<Region>> {
        let open = self.regions();
        if menu.maybe("in|at|to|into")? || open.len() > 1 {
            return menu.choose("region", Region::all(), |region| self.may_choose(open, region)).map(Some);
        }
        match menu.name_if_any(Region::all()) {
            Some(region) => menu.check(self.may_choose(open, region)).map(|()| Some(region)),
            None => Ok(None),
        }
    }
}

impl Phrase for Choices<'_> {
    type Said = Recruits;

    fn read(&self, menu: &mut Menu<'_>) -> Ask<Recruits> {
        let one_bag = self.figures().len() == 1;
        let begins_with_place = one_bag && menu.maybe("in|at|to|into")?;
        let spoken = if begins_with_place { None } else { Some(part::read(menu)?) };
        let open = self.regions();
        let region = if begins_with_place {
            Some(menu.choose("region", Region::all(), |region| self.may_choose(open, region))?)
        } else {
            self.read_region(menu)?
        };
        let there = |way: &&Recruits| region.is_none_or(|region| way.region == region);
        let mut stock = Figures::NONE;
        for way in self.ways.iter().filter(there) {
            for (figure, number) in way.figures.iter() {
                stock.put(figure, number.saturating_sub(stock.count(figure)));
            }
        }
        let wanted = match spoken {
            None => return Ok(*self.ways.iter().find(there).expect("the region is open")),
            Some(spoken) => match spoken.of(&stock, "8.16") {
                Ok(wanted) => wanted,
                Err(wrong) => return Err(part::refused(menu, wrong)),
            },
        };
        // Leaders are always placed, and need not be named.
        let rest = wanted - wanted.only_units();
        let meant = |way: &&Recruits| {
            let leaders = way.figures - way.figures.only_units();
            way.figures.only_units() == wanted.only_units() && (rest.is_empty() || rest == leaders)
        };
        match self.ways.iter().filter(there).find(meant) {
            Some(way) => Ok(*way),
            None => {
                let bags: Vec<String> = self.figures().iter().map(|bag| part::say(bag, bag)).collect();
                let why = format!("as many as possible are placed: {}", bags.join(", or "));
                Err(part::refused(menu, Barred { rule: "8.16", why }))
            }
        }
    }

    fn roll(&self, chance: &mut dyn Chance) -> Ask<Recruits> {
        let bound = u32::try_from(self.ways.len()).expect("a few ways");
        let index = if bound > 0 { chance.below(bound) } else { return Err(Stop::DeadEnd) };
        Ok(self.ways[index as usize])
    }

    fn grow(&self) -> Ask<(Vec<String>, Recruits)> {
        Ok((self.ways.iter().map(|way| self.say(way)).collect(), self.list()?.2))
    }

    fn list(&self) -> Ask<Sample<Recruits>> {
        let first = *self.ways.first().ok_or(Stop::DeadEnd)?;
        let bags: Vec<String> = self.figures().iter().map(|bag| part::say(bag, bag)).collect();
        let places: Vec<String> = self.regions().iter().map(|region| region.id().to_string()).collect();
        let mut nouns = Vec::new();
        let mut word = |noun: &str, words: Vec<String>| match words.as_slice() {
            [only] => only.clone(),
            _ => {
                nouns.push((noun.to_string(), words));
                format!("<{noun}>")
            }
        };
        let sample = format!("{} in {}", word("figures", bags), word("region", places));
        Ok((sample, nouns, first))
    }

    fn say(&self, said: &Recruits) -> String {
        format!("{} in {}", part::say(&said.figures, &said.figures), said.region.id())
    }
}

impl fmt::Display for Troops {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Troops { regulars, elites, either, leaders } = self;
        write!(f, "{regulars}r {elites}e {either}either {leaders}l")
    }
}

impl fmt::Display for Levy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Levy { card, nation, troops, places, times } = self;
        write!(f, "levy {} {} {troops} times {times} in", card.id(), nation.id())?;
        places.iter().try_for_each(|region| write!(f, " {}", region.id()))
    }
}
