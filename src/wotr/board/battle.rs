//! The battle that is being fought (9): the figures that take part, the rounds, the rolls and the Combat cards.

use crate::board::place::Place;
use crate::card::{Card, Type};
use crate::character::Character;
use crate::figures::Figures;
use crate::region::Region;
use crate::side::Side;
use std::fmt;

/// What kind of battle it is (9.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Against an Army in an adjacent region, also to relieve a siege (10.19).
    Field,
    /// 10.8: the besiegers against the garrison of the Stronghold.
    Siege,
    /// 10.14: the garrison against its besiegers.
    Sortie,
}

impl Kind {
    /// Its id in facts.
    pub fn id(self) -> &'static str {
        match self {
            Kind::Field => "field",
            Kind::Siege => "siege",
            Kind::Sortie => "sortie",
        }
    }
}

/// A battle. The attacker's figures are a part of his force, the defender's his whole force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Battle {
    pub attacker: Side,
    pub kind: Kind,
    /// The region from which the attacker fights (9.9).
    pub from: Region,
    /// 9.10: the region of the battle.
    pub region: Region,
    /// 9.3: what is left of the attacking part; the rest of the force is the rearguard.
    pub part: Figures,
    /// The round being fought, from 1; 0 before the first.
    pub round: u8,
    /// 10.10, 10.11: the rounds of a siege battle until another one costs an Elite: 1, or the number that a card
    /// gives.
    pub rounds: u8,
    /// Hits scored this round, by the side that scored them.
    pub hits: [u8; 2],
    /// Dice of the Combat roll that missed and have not been re-rolled.
    pub misses: [u8; 2],
    /// Natural 1s of the Combat roll.
    pub ones: [u8; 2],
    /// Hits of the Leader re-roll alone.
    pub reroll_hits: [u8; 2],
    /// Hits of extra attacks this round, for which casualties have been taken already (9.21).
    pub struck: [u8; 2],
    /// The Combat card of each side this round, unless it is cancelled.
    pub played: [Option<Card>; 2],
    /// What Combat cards change for each side this round.
    pub modifiers: [Modifiers; 2],
    /// The Companion whose Leadership and abilities do not count this round.
    pub silenced: Option<Character>,
    /// The Event card that began the battle, whose text may apply to its rounds (9.38, 10.11).
    pub by: Option<Card>,
    /// 9.19: Gandalf the White has given up his Leadership, and the Nazgûl have none.
    pub white_rider: bool,
    /// 6.23: the type of the Combat card for which the Witch-king lets his side draw a card after the round.
    pub sorcerer: Option<Type>,
}

impl Battle {
    /// A battle that has been declared, before its first round.
    pub fn declared(attacker: Side, kind: Kind, from: Region, region: Region, part: Figures) -> Battle {
        Battle {
            attacker,
            kind,
            from,
            region,
            part,
            round: 0,
            rounds: 1,
            hits: [0; 2],
            misses: [0; 2],
            ones: [0; 2],
            reroll_hits: [0; 2],
            struck: [0; 2],
            played: [None; 2],
            modifiers: [Modifiers::default(); 2],
            silenced: None,
            by: None,
            white_rider: false,
            sorcerer: None,
        }
    }

    /// Whether the attackers have landed from the sea, and fight inside the region of the battle.
    pub fn has_landed(&self) -> bool {
        self.kind == Kind::Field && self.from == self.region
    }

    pub fn defender(&self) -> Side {
        !self.attacker
    }

    /// Where the attackers are.
    pub fn attackers_at(&self) -> Place {
        match self.kind {
            Kind::Field | Kind::Siege => Place::Field(self.from),
            Kind::Sortie => Place::Inside(self.from),
        }
    }

    /// Where the defenders are.
    pub fn defenders_at(&self) -> Place {
        match self.kind {
            Kind::Field | Kind::Sortie => Place::Field(self.region),
            Kind::Siege => Place::Inside(self.region),
        }
    }

    /// Where the figures of a side in the battle are.
    pub fn stand(&self, side: Side) -> Place {
        if side == self.attacker { self.attackers_at() } else { self.defenders_at() }
    }
}

/// How a battle was decided (9.37, 9.46).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    Ceased,
    Retreated,
    /// 10.4: into the Stronghold.
    Withdrew,
    DefenderGone,
    AttackerGone,
    BothGone,
}

/// What Combat cards change for a side in one round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Modifiers {
    /// 9.26: the bonus added to every die of the Combat roll.
    pub combat_roll: i8,
    /// 9.26: the bonus added to every die of the Leader re-roll.
    pub reroll: i8,
    /// 9.22: by how many dice the Combat roll is reduced; it always has at least 1.
    pub dice_fewer: u8,
    /// The most dice of the Combat roll.
    pub dice_most: Option<u8>,
    /// 9.20: the Leadership forfeited.
    pub leadership_fewer: u8,
    /// Whether there is no Leader re-roll.
    pub no_reroll: bool,
}

impl fmt::Display for Modifiers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Modifiers { combat_roll, reroll, dice_fewer, dice_most, leadership_fewer, no_reroll } = *self;
        let numbers = [
            ("roll", i16::from(combat_roll)),
            ("reroll", i16::from(reroll)),
            ("dice-fewer", i16::from(dice_fewer)),
            ("dice-most", dice_most.map_or(0, i16::from)),
            ("leadership-fewer", i16::from(leadership_fewer)),
        ];
        let mut words: Vec<String> = Vec::new();
        words
            .extend(numbers.iter().filter(|(_, number)| *number != 0).map(|(word, number)| format!("{word} {number}")));
        words.extend(no_reroll.then(|| "no-reroll".to_string()));
        f.write_str(&words.join(" "))
    }
}

/// The changes of one round are added.
impl std::ops::AddAssign for Modifiers {
    fn add_assign(&mut self, other: Modifiers) {
        self.combat_roll += other.combat_roll;
        self.reroll += other.reroll;
        self.dice_fewer += other.dice_fewer;
        self.dice_most = [self.dice_most, other.dice_most].into_iter().flatten().min();
        self.leadership_fewer += other.leadership_fewer;
        self.no_reroll |= other.no_reroll;
    }
}
