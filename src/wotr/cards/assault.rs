/*! An attack by an Event card (9.5, 10.11): like any other, but its text says which Army attacks, against what, and for
how many rounds. No leading figure is needed. The battle names the card ([`Battle::by`]), because its text may apply to
the rounds.

[`Battle::by`]: crate::board::battle::Battle::by
*/

use crate::Table;
use crate::battle::attack::{Attack, Fronts};
use crate::battle::{self, Step as Fight};
use crate::board::Board;
use crate::board::battle::{Battle, Kind};
use crate::board::place::Place;
use crate::card::Card;
use crate::cards::Step;
use crate::cards::march::{Duty, With};
use crate::die::Face;
use crate::figures::Figures;
use crate::region::{Region, Regions};
use crate::side::Side;
use crate::step::Step as Next;
use engine::menu::{Ask, Menu};
use engine::need::Need;
use engine::refusal::{Allowed, allowed_if};
use std::fmt;

/// The attack that a card lets an Army make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assault {
    pub card: Card,
    pub target: Target,
    /// Which figure must be in the Army.
    pub with: With,
    /// Whether that figure must be in the attacking part.
    pub place: Post,
    /// 10.11: the rounds of a siege battle before an Elite must be reduced for another one.
    pub rounds: u8,
    pub duty: Duty,
}

/// What the attack may be made against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Any,
    /// The garrison of a besieged Stronghold in one of these regions.
    Besieged(Regions),
    /// An Army in an adjacent region that besieges a Stronghold.
    Besiegers,
}

/// Where the figure that a card asks for must be in an attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Post {
    /// Anywhere in the Army, even in the rearguard.
    Army,
    /// In the attacking part.
    Battle,
}

impl Assault {
    /// The attack of a card by any Army that can make it.
    pub fn of(card: Card, target: Target) -> Assault {
        Assault { card, target, with: With::Anybody, place: Post::Army, rounds: 1, duty: Duty::Must }
    }

    /// As a step.
    pub fn step(self) -> Next {
        Next::Effect(Step::Assault(self))
    }

    fn side(&self) -> Side {
        self.card.deck().side
    }

    /// Whether the text allows an attack by this Army; `ready` are its figures that may attack.
    pub fn means(&self, board: &Board, kind: Kind, region: Region, force: &Figures, ready: &Figures) -> bool {
        let meant = match self.target {
            Target::Any => true,
            Target::Besieged(regions) => kind == Kind::Siege && regions.contains(region),
            Target::Besiegers => kind == Kind::Field && board.besieges(!self.side(), region),
        };
        let present = match (self.place, self.with) {
            // C5.2: the unit of the Nation must be able to attack.
            (Post::Battle, with) | (Post::Army, with @ With::Unit(_)) => with.is_in(ready),
            (Post::Army, with) => with.is_in(force),
        };
        meant && present
    }

    /// Whether this part of the Army may attack.
    pub fn may_attack(&self, part: &Figures) -> Allowed {
        let fights = self.place == Post::Army || self.with.is_in(part);
        allowed_if(fights, "9.5", || format!("{} asks for the {} in the attacking part", self.card.title(), self.with))
    }

    fn attack<'a>(&'a self, board: &'a Board, fronts: Fronts) -> Attack<'a> {
        Attack { board, side: self.side(), result: Face::Army, by: Some(self), fronts }
    }

    /// Whether any Army may make the attack.
    pub fn can_attack(&self, board: &Board, fronts: Fronts) -> bool {
        self.attack(board, fronts).is_open()
    }

    /// The question, if any Army may attack.
    pub(super) fn need(&self, board: &Board) -> Option<Need> {
        self.can_attack(board, Fronts::All).then(|| board.asks(board.acting(self.side()), "card-attack"))
    }

    /// `attack minas-tirith with all`, `sortie from minas-tirith with all`, or `no attack` if the card allows it.
    pub(super) fn menu(&self, board: &Board, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
        let (rolling, reading) = (menu.is_rolling(), menu.is_reading());
        let attack = if rolling || reading { Fronts::All } else { Fronts::Open };
        let ways = [("attack|assault", Some(attack)), ("no attack|none|no", None), ("sortie", Some(Fronts::Sorties))];
        // Random play never says `sortie`: its attacks include sorties.
        let ways = if rolling { &ways[..2] } else { &ways[..] };
        let fronts = menu.branch(ways, |fronts| match fronts {
            None => {
                let may = self.duty == Duty::May;
                allowed_if(may, "5.9", || format!("{} attacks if it can", self.card.title()))
            }
            Some(Fronts::All) => Ok(()),
            Some(fronts) => {
                allowed_if(self.can_attack(board, fronts), "5.9", || format!("{} attacks otherwise", self.card.title()))
            }
        })?;
        match fronts {
            Some(fronts) => self.attacks(board, fronts, menu),
            None => Ok(Vec::new()),
        }
    }

    /// `minas-tirith with all`, read after the word `attack`.
    pub(super) fn attacks(&self, board: &Board, fronts: Fronts, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
        let battle = menu.phrase(&self.attack(board, fronts))?;
        Ok(vec![Next::Battle(Fight::Begin(battle))])
    }

    /// What is asked, for the letter.
    pub(super) fn question(&self) -> (&'static str, String) {
        let title = self.card.title();
        let whom = match self.target {
            Target::Any => "attack with such an Army",
            Target::Besieged(_) => "attack a Stronghold under siege",
            Target::Besiegers => "attack an Army that besieges a Stronghold",
        };
        let rounds = match self.rounds {
            1 => String::new(),
            rounds => format!(", for up to {rounds} rounds"),
        };
        let leave = if self.duty == Duty::May { ", or do not" } else { "" };
        ("the attack of a card", format!("{title}: {whom}{rounds}{leave}."))
    }
}

/// C5.10: an Army has landed. It fights an enemy Army in the open in the region, to the end; an enemy Army that was
/// besieged before is attacked by it and the besiegers together.
pub fn land(play: &mut Table, card: Card, figures: Figures, region: Region) {
    let side = card.deck().side;
    let board = play.board();
    if board.has_army(!side, region) {
        let mut battle = Battle::declared(side, Kind::Field, region, region, figures);
        battle.by = Some(card);
        play.push(Next::Battle(battle::Step::Begin(battle)));
    } else if board.besieges(side, region) && board.force_at(!side, Place::Inside(region)).units(!side) > 0 {
        play.push(Assault::of(card, Target::Besieged(Regions::one(region))).step());
    }
}

impl fmt::Display for Assault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Assault { card, target, with, place, rounds, duty } = self;
        let duty = if *duty == Duty::Must { "must" } else { "may" };
        let place = if *place == Post::Battle { "fighting" } else { "there" };
        write!(f, "{duty} assault {} rounds {rounds} with {with} {place} on", card.id())?;
        match target {
            Target::Any => f.write_str(" any"),
            Target::Besiegers => f.write_str(" besiegers"),
            Target::Besieged(regions) => regions.iter().try_for_each(|region| write!(f, " {}", region.id())),
        }
    }
}
