/*! The board: every fact on the table, in fixed tables by region and Nation.

Its fields are private: only telling an event changes them ([`evolve`](mod@evolve)). It holds no secrets: a hand is a
set of slots. All of it is small and without indirections, so that looking ahead on a clone is cheap.
*/

pub mod battle;
pub mod company;
pub mod decks;
pub mod dice;
mod evolve;
pub mod facts;
mod fighters;
pub mod hunt;
pub mod place;
pub mod politics;
pub mod position;
pub mod row;
pub mod setup;
pub mod teams;
pub mod victory;

use crate::board::battle::Battle;
use crate::board::company::Company;
use crate::board::decks::Decks;
use crate::board::dice::{Dice, Rings};
use crate::board::hunt::HuntPool;
use crate::board::place::Place;
use crate::board::politics::Politics;
use crate::board::teams::Teams;
use crate::board::victory::Victory;
use crate::character::Character;
use crate::figures::{Figure, Figures};
use crate::nation::Nation;
use crate::phase::Phase;
use crate::region::{self, REGIONS, Region, Regions, STRONGHOLDS};
use crate::side::Side;
use crate::switches::Switches;

/// The facts on the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    switches: Switches,
    turn: u16,
    phase: Phase,
    /// The figures in each region, both sides in one bag; in a siege the besiegers, and lone figures.
    field: [Figures; REGIONS],
    /// The figures inside each besieged Stronghold.
    inside: [Figures; STRONGHOLDS],
    besieged: Regions,
    /// Settlements controlled by the side they are not printed for.
    captured: Regions,
    /// The regions where each side has a unit in the open: derived from `field`, for speed.
    armies: [Regions; 2],
    /// Where each Character is: derived from the bags, for speed.
    whereabouts: [Place; 12],
    reinforcements: Figures,
    casualties: Figures,
    removed: Figures,
    aside: Figures,
    fellowship: Figures,
    politics: Politics,
    company: Company,
    pool: HuntPool,
    dice: Dice,
    rings: Rings,
    decks: Decks,
    battle: Option<Battle>,
    victory: Option<Victory>,
    teams: Teams,
}

/// The turn, the parts of the table, and how the game ended.
impl Board {
    pub fn switches(&self) -> &Switches {
        &self.switches
    }

    pub fn turn(&self) -> u16 {
        self.turn
    }

    pub fn phase(&self) -> Phase {
        self.phase
    }

    pub fn politics(&self) -> &Politics {
        &self.politics
    }

    /// The Fellowship: the Ring-bearers' figure, Progress, Corruption, Guide.
    pub fn company(&self) -> &Company {
        &self.company
    }

    /// The Hunt tiles, and the tile being resolved.
    pub fn pool(&self) -> &HuntPool {
        &self.pool
    }

    /// The Action dice and the Hunt Box.
    pub fn dice(&self) -> &Dice {
        &self.dice
    }

    pub fn rings(&self) -> &Rings {
        &self.rings
    }

    pub fn decks(&self) -> &Decks {
        &self.decks
    }

    /// The battle that is being fought.
    pub fn battle(&self) -> Option<&Battle> {
        self.battle.as_ref()
    }

    /// How the game ended; `None` while it goes on.
    pub fn victory(&self) -> Option<Victory> {
        self.victory
    }
}

/// Where figures are.
impl Board {
    /// The figures at a place.
    pub fn at(&self, place: Place) -> &Figures {
        match place {
            Place::Field(region) => &self.field[region.index()],
            Place::Inside(region) => &self.inside[region.stronghold().expect("a Stronghold is besieged")],
            Place::Reinforcements => &self.reinforcements,
            Place::Casualties => &self.casualties,
            Place::Removed => &self.removed,
            Place::Aside => &self.aside,
            Place::Fellowship => &self.fellowship,
        }
    }

    /// The figures of a side in the open in the region: its force, or in a siege the besiegers (1.18).
    pub fn force(&self, side: Side, region: Region) -> Figures {
        self.field[region.index()].side(side)
    }

    /// The units of a side in a region, without a garrison under siege.
    pub fn units(&self, side: Side, region: Region) -> u8 {
        self.field[region.index()].units(side)
    }

    /// The force inside the besieged Stronghold of the region; empty if there is no siege.
    pub fn garrison(&self, region: Region) -> Figures {
        match region.stronghold() {
            Some(stronghold) => self.inside[stronghold],
            None => Figures::NONE,
        }
    }

    /// The force of a side at a place.
    pub fn force_at(&self, side: Side, place: Place) -> Figures {
        self.at(place).side(side)
    }

    /// The place of a figure of the side that enters or is placed in the region: inside if the side is besieged there.
    pub fn entry(&self, side: Side, region: Region) -> Place {
        if self.is_besieged(region) && self.controller(region) == Some(side) {
            Place::Inside(region)
        } else {
            Place::Field(region)
        }
    }

    /// The regions where the side has a unit in the open: its Armies, including besiegers but not the besieged.
    pub fn armies(&self, side: Side) -> Regions {
        self.armies[side.index()]
    }

    /// 1.17: whether an Army of the side is in the open in the region.
    pub fn has_army(&self, side: Side, region: Region) -> bool {
        self.armies(side).contains(region)
    }

    /// The regions where the side has an Army, inside a siege or outside.
    pub fn armies_anywhere(&self, side: Side) -> Regions {
        self.armies(side) | (self.besieged & self.controlled(side))
    }

    /// Where a Character is.
    pub fn whereabouts(&self, character: Character) -> Place {
        self.whereabouts[character.index()]
    }

    /// The region of the Character, if he is on the map (1.15).
    pub fn region_of(&self, character: Character) -> Option<Region> {
        self.whereabouts(character).region()
    }

    /// 1.16: the Character has entered the map or the Fellowship and is still there.
    pub fn is_in_play(&self, character: Character) -> bool {
        !matches!(self.whereabouts(character), Place::Aside | Place::Removed)
    }

    /// 6.19: whether any Minion is or was in play.
    pub fn minion_has_entered(&self) -> bool {
        Character::of(Side::Shadow).iter().any(|minion| self.whereabouts(*minion) != Place::Aside)
    }

    /// The Companions in the Fellowship.
    pub fn companions(&self) -> Figures {
        self.fellowship
    }

    /// 13.20: the Companions in the Fellowship with the highest Level among them.
    pub fn guides(&self) -> impl Iterator<Item = Character> + use<> {
        let companions = self.companions();
        let highest = companions.characters().map(Character::level).max().unwrap_or(0);
        companions.characters().filter(move |companion| companion.level() == highest)
    }

    pub fn reinforcements(&self) -> Figures {
        self.reinforcements
    }

    pub fn casualties(&self) -> Figures {
        self.casualties
    }

    /// The Nazgûl in a region, inside a siege or outside, the Witch-king included (1.12).
    pub fn nazgul_in(&self, region: Region) -> u8 {
        self.field[region.index()].nazgul_and_witch_king() + self.garrison(region).nazgul_and_witch_king()
    }

    /// The units of a side in a region, inside a siege or outside.
    pub fn units_in(&self, side: Side, region: Region) -> u8 {
        self.field[region.index()].units(side) + self.garrison(region).units(side)
    }
}

/// Control, sieges, free regions.
impl Board {
    /// 1.5: who controls the Settlement of the region, if it has one.
    pub fn controller(&self, region: Region) -> Option<Side> {
        region.settlement()?;
        let side = region.side()?;
        Some(if self.captured.contains(region) { !side } else { side })
    }

    /// The Settlements that the side controls.
    pub fn controlled(&self, side: Side) -> Regions {
        (region::settlements(side) - self.captured) | (region::settlements(!side) & self.captured)
    }

    /// 1.6: whether a Settlement there is controlled by the side that it is printed for.
    pub fn is_unconquered(&self, region: Region) -> bool {
        region.settlement().is_some() && !self.captured.contains(region)
    }

    pub fn captured(&self) -> Regions {
        self.captured
    }

    pub fn besieged(&self) -> Regions {
        self.besieged
    }

    pub fn is_besieged(&self, region: Region) -> bool {
        self.besieged.contains(region)
    }

    /// Whether the side besieges the Stronghold of the region.
    pub fn besieges(&self, side: Side, region: Region) -> bool {
        self.is_besieged(region) && self.controller(region) == Some(!side)
    }

    /// 1.22: the regions free for a side.
    pub fn free_regions(&self, side: Side) -> Regions {
        let hostile = self.armies(!side) | self.controlled(!side);
        let besieging = self.besieged & self.controlled(!side);
        (Regions::ALL - hostile) | (besieging - self.armies(!side))
    }

    /// 1.22: whether it has no enemy Army and no enemy-controlled Settlement, or the side besieges it.
    pub fn is_free(&self, side: Side, region: Region) -> bool {
        self.free_regions(side).contains(region)
    }

    /// 1.23: the regions free for Army movement of a side: no enemy unit in the open.
    pub fn open_regions(&self, side: Side) -> Regions {
        // Sieges need no special case: this side itself besieges an enemy garrison, and where its own Stronghold is
        // under siege, the besieging Army is in the open.
        Regions::ALL - self.armies(!side)
    }

    /// 11.5: the points of a side: the values of the enemy Settlements it controls.
    pub fn points(&self, side: Side) -> u8 {
        let held = region::settlements(!side) & self.captured;
        held.iter().map(|region| region.settlement().expect("a Settlement").points()).sum()
    }
}

/// Leading figures and Leadership, which switches change.
impl Board {
    /// 1.25: whether the Nation's counter is on At War.
    pub fn is_at_war(&self, nation: Nation) -> bool {
        self.politics.is_at_war(nation)
    }

    /// 1.20, 6.21: whether the Elites of this Nation are leading figures.
    pub fn elites_lead(&self, nation: Nation) -> bool {
        let nation_may = match nation {
            Nation::Isengard => true,
            Nation::Southrons => self.southrons_lead(),
            _ => false,
        };
        nation_may && self.is_in_play(Character::Saruman)
    }

    /// 1.20: whether the figures of a side include a leading figure for an attack.
    pub fn leads_attack(&self, side: Side, figures: &Figures) -> bool {
        let elites = |nation: &Nation| figures.count(Figure::Elite(*nation)) > 0 && self.elites_lead(*nation);
        match side {
            Side::Free => figures.leaders() > 0 || figures.has_characters(side),
            Side::Shadow => figures.nazgul() > 0 || figures.has_characters(side) || Nation::of(side).iter().any(elites),
        }
    }

    /// 1.20: the same for a move, for which Saruman does not count: he never leaves Orthanc.
    pub fn leads_move(&self, side: Side, figures: &Figures) -> bool {
        let mut movers = *figures;
        if movers.has(Character::Saruman) {
            movers.take(Figure::Character(Character::Saruman), 1);
        }
        self.leads_attack(side, &movers)
    }

    /// 9.24: the Leadership of these figures, with nothing forfeited.
    pub fn leadership(&self, figures: &Figures) -> u8 {
        let characters: u8 = figures.characters().map(Character::leadership).sum();
        let elites = |nation: Nation| if self.elites_lead(nation) { figures.count(Figure::Elite(nation)) } else { 0 };
        figures.leaders() + figures.nazgul() + characters + elites(Nation::Isengard) + elites(Nation::Southrons)
    }
}
