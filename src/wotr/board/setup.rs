//! Set-up (2): the board at the beginning of the game. There is nothing to choose.

use crate::board::Board;
use crate::board::company::{Company, Visibility};
use crate::board::decks::{Decks, Pile};
use crate::board::dice::{Dice, Rings};
use crate::board::hunt::HuntPool;
use crate::board::place::Place;
use crate::board::politics::Politics;
use crate::board::teams::Teams;
use crate::character::Character;
use crate::figures::{Figure, Figures};
use crate::nation::Nation;
use crate::phase::Phase;
use crate::player::Seating;
use crate::region::named::RIVENDELL;
use crate::region::{REGIONS, Region, Regions, STRONGHOLDS};
use crate::side::Side;
use crate::switches::{Choice, Switches};
use crate::tile::Tiles;
use engine::printed;
use serde::Deserialize;
use std::sync::LazyLock;

#[derive(Deserialize)]
struct Army {
    region: Option<String>,
    nation: String,
    #[serde(default)]
    regular: u8,
    #[serde(default)]
    elite: u8,
    #[serde(default)]
    leader: u8,
    #[serde(default)]
    nazgul: u8,
}

#[derive(Deserialize)]
struct Counter {
    nation: String,
    steps_to_war: u8,
    active: bool,
}

#[derive(Deserialize)]
struct File {
    armies: Vec<Army>,
    reinforcements: Vec<Army>,
    political_track: Vec<Counter>,
}

static FILE: LazyLock<File> = LazyLock::new(|| printed::read(include_str!("../data/setup.yaml")));

/// 2.2: the Companions who start in the Fellowship.
const COMPANY: [Character; 7] = [
    Character::GandalfTheGrey,
    Character::Strider,
    Character::Boromir,
    Character::Legolas,
    Character::Gimli,
    Character::Meriadoc,
    Character::Peregrin,
];

fn nation(id: &str) -> Nation {
    Nation::of_id(id).expect("a Nation")
}

fn figures(army: &Army) -> Figures {
    let nation = nation(&army.nation);
    let mut figures = Figures::of(Figure::Regular(nation), army.regular);
    figures.put(Figure::Elite(nation), army.elite);
    if army.leader > 0 {
        figures.put(Figure::Leader(nation), army.leader);
    }
    figures.put(Figure::Nazgul, army.nazgul);
    figures
}

impl Board {
    /// The board of a new game.
    pub fn set_up(switches: Switches, seating: Seating) -> Board {
        let mut board = Board::bare(switches, seating);
        for army in &FILE.armies {
            let region = Region::of_id(army.region.as_deref().expect("an Army stands in a region")).expect("a region");
            board.field[region.index()] += figures(army);
        }
        for army in &FILE.reinforcements {
            board.reinforcements += figures(army);
        }
        let gorgoroth = Region::of_id("gorgoroth").expect("a region");
        // 2.8, 19.4: Regulars that do not start in Gorgoroth are reinforcements.
        let fewer = Figures::of(Figure::Regular(Nation::Sauron), 3 - switches.number(Choice::GorgorothRegulars));
        board.field[gorgoroth.index()] -= fewer;
        board.reinforcements += fewer;
        for region in Region::all() {
            board.count_armies(Place::Field(*region));
        }
        board
    }

    /// A board without any units, Leaders or Nazgûl; the Characters are where they start.
    fn bare(switches: Switches, seating: Seating) -> Board {
        let mut politics = Politics { steps: [0; 8], active: [true; 8] };
        for counter in &FILE.political_track {
            let nation = nation(&counter.nation);
            politics.steps[nation.index()] = counter.steps_to_war;
            politics.active[nation.index()] = counter.active;
        }
        politics.steps[Nation::Isengard.index()] = switches.number(Choice::IsengardStepsToWar);
        let mut board = Board {
            switches,
            turn: 0,
            phase: Phase::Recovery,
            field: [Figures::NONE; REGIONS],
            inside: [Figures::NONE; STRONGHOLDS],
            besieged: Regions::NONE,
            captured: Regions::NONE,
            armies: [Regions::NONE; 2],
            whereabouts: [Place::Aside; 12],
            reinforcements: Figures::NONE,
            casualties: Figures::NONE,
            removed: Figures::NONE,
            aside: Figures::NONE,
            fellowship: Figures::NONE,
            politics,
            company: company(),
            pool: pool(),
            dice: dice(),
            // 2.3: the Free Peoples have all three.
            rings: Rings { held: [3, 0], used: [false; 2] },
            decks: Decks { piles: [Pile::FULL; 4] },
            battle: None,
            victory: None,
            teams: Teams::of(seating),
        };
        for character in Character::ALL {
            let starts = COMPANY.contains(&character);
            let figure = Figure::Character(character);
            let bag = if starts { &mut board.fellowship } else { &mut board.aside };
            bag.put(figure, 1);
            board.whereabouts[character.index()] = if starts { Place::Fellowship } else { Place::Aside };
        }
        board
    }

    /// Every figure of the game, wherever it is: the same at every moment (1.27).
    pub fn all_figures(&self) -> Figures {
        let boxes = [self.reinforcements, self.casualties, self.removed, self.aside, self.fellowship];
        self.field.iter().chain(&self.inside).chain(&boxes).fold(Figures::NONE, |all, bag| all + *bag)
    }
}

/// 2.2: the Fellowship in Rivendell.
fn company() -> Company {
    Company {
        region: RIVENDELL,
        progress: 0,
        visibility: Visibility::Hidden,
        corruption: 0,
        guide: Some(Character::GandalfTheGrey),
        mordor: None,
        declared: false,
        attempted: false,
        moves: 0,
        moved_last_turn: false,
    }
}

/// 2.5: the 16 standard tiles; the special tiles are set aside.
fn pool() -> HuntPool {
    HuntPool {
        pool: Tiles::STANDARD,
        drawn: Tiles::NONE,
        waiting: Tiles::NONE,
        aside: Tiles::SPECIAL,
        removed: Tiles::NONE,
        in_hand: None,
    }
}

/// 2.6: 4 and 7 dice, none rolled.
fn dice() -> Dice {
    let mut spent = [0; 2];
    spent[Side::Free.index()] = 4;
    spent[Side::Shadow.index()] = 7;
    Dice { unused: [[0; 7]; 2], spent, hunt_box: [0; 2], in_use: None, hunted: false, messenger: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s011_the_board_as_it_begins() {
        let board = Board::set_up(Switches::default(), Seating::Two);
        let on_board = board.field.iter().fold(Figures::NONE, |all, bag| all + *bag);
        let regulars = on_board.regulars(Side::Free) + on_board.regulars(Side::Shadow);
        let elites = on_board.elites(Side::Free) + on_board.elites(Side::Shadow);
        assert_eq!((regulars, elites, on_board.leaders(), on_board.nazgul()), (71, 17, 8, 4));
        let all = board.all_figures();
        assert_eq!(all.count(Figure::Regular(Nation::Sauron)), 36);
        assert_eq!(all.count(Figure::Elite(Nation::Elves)), 10);
        assert_eq!(all.nazgul(), 8);
        assert_eq!(all.characters().count(), 12);
    }
}
