//! The battle that is being fought (9): the figures that take part, the rounds, the rolls and the Combat cards.

use crate::battle::round::DICE_MAX;
use crate::battle::{Event, Modifiers, Roll};
use crate::board::place::Place;
use crate::board::{Board, facts};
use crate::card::{Card, Type};
use crate::character::Character;
use crate::figures::{Figure, Figures};
use crate::region::Region;
use crate::side::Side;
use crate::switches::Choice;
use engine::facts::Facts;

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

    /// Writes the fact of the battle.
    pub(super) fn facts(&self, facts: &mut Facts) {
        facts.word(self.attacker.id()).word(self.kind.id()).word(self.from.id()).word(self.region.id());
        facts.word("round").number(u32::from(self.round)).word("of").number(u32::from(self.rounds));
        for (word, [free, shadow]) in [("hits", self.hits), ("misses", self.misses)] {
            facts.word(word).number(u32::from(free)).number(u32::from(shadow));
        }
        for (word, [free, shadow]) in [("ones", self.ones), ("re-rolled", self.reroll_hits), ("struck", self.struck)] {
            if free + shadow > 0 {
                facts.word(word).number(u32::from(free)).number(u32::from(shadow));
            }
        }
        for side in Side::BOTH {
            let (card, modifiers) = (self.played[side.index()], self.modifiers[side.index()]);
            if card.is_some() || modifiers != Modifiers::default() {
                facts.word(side.id());
            }
            if let Some(card) = card {
                facts.word(card.id());
            }
            if modifiers != Modifiers::default() {
                facts.value(&modifiers);
            }
        }
        if let Some(companion) = self.silenced {
            facts.word("silenced").word(companion.id());
        }
        if let Some(card) = self.by {
            facts.word("by").word(card.id());
        }
        if self.white_rider {
            facts.word("white-rider");
        }
        if let Some(kind) = self.sorcerer {
            facts.word("sorcerer").word(kind.id());
        }
        facts.word("part");
        facts::bag(&self.part, facts);
    }
}

impl Board {
    /// The figures of a side in the battle: the attacking part, or the whole defending force (9.3, 9.8).
    pub fn fighters(&self, side: Side) -> Figures {
        let battle = self.battle.as_ref().expect("a battle is being fought");
        if side == battle.attacker { battle.part } else { self.force_at(side, battle.defenders_at()) }
    }

    /// The figures of a side in the battle whose abilities count: all except the Companion who is silenced.
    pub fn able_fighters(&self, side: Side) -> Figures {
        let silenced = self.battle.as_ref().and_then(|battle| battle.silenced);
        without(self.fighters(side), silenced)
    }

    /// 9.24: the Leadership of a side in the battle, less what is forfeited or cancelled.
    pub fn battle_leadership(&self, side: Side) -> u8 {
        let battle = self.battle.as_ref().expect("a battle is being fought");
        let mut leaders = self.able_fighters(side);
        if battle.white_rider {
            // 9.19: the Leadership of all Nazgûl, of the Witch-king and of Gandalf is 0.
            leaders.take(Figure::Nazgul, leaders.nazgul());
            leaders = without(leaders, [Character::WitchKing, Character::GandalfTheWhite]);
        }
        self.limited(self.leadership(&leaders)).saturating_sub(battle.modifiers[side.index()].leadership_fewer)
    }

    /// 9.20: the Leadership that the Companion can forfeit now: 0 if he has forfeited it already, or is silenced.
    pub fn companion_leadership(&self, companion: Character) -> u8 {
        let battle = self.battle.as_ref().expect("a battle is being fought");
        let given_up = battle.white_rider && companion == Character::GandalfTheWhite;
        if given_up || !self.able_fighters(Side::Free).has(companion) { 0 } else { companion.leadership() }
    }

    /// The Leadership of the Nazgûl in the battle, the Witch-king among them, that is not forfeited or cancelled.
    pub fn nazgul_leadership(&self) -> u8 {
        let battle = self.battle.as_ref().expect("a battle is being fought");
        if battle.white_rider {
            return 0;
        }
        let fighters = self.fighters(Side::Shadow);
        let witch_king = if fighters.has(Character::WitchKing) { Character::WitchKing.leadership() } else { 0 };
        let leadership = self.limited(fighters.nazgul() + witch_king);
        leadership.saturating_sub(battle.modifiers[Side::Shadow.index()].leadership_fewer)
    }

    /// 19.45: with `combat.leadership_limit = before_forfeits` the limit of 5 applies before forfeited Leadership is
    /// subtracted.
    fn limited(&self, leadership: u8) -> u8 {
        if self.switches.is_default(Choice::LeadershipLimit) { leadership } else { leadership.min(DICE_MAX) }
    }

    /// The figures that take hits at a place: for the attacker only the attacking part, never the rearguard (9.7).
    pub fn exposed(&self, side: Side, place: Place) -> Figures {
        match &self.battle {
            Some(battle) if battle.attacker == side && battle.attackers_at() == place => battle.part,
            _ => self.force_at(side, place),
        }
    }
}

/// The figures without these Characters.
fn without(mut figures: Figures, characters: impl IntoIterator<Item = Character>) -> Figures {
    for character in characters {
        if figures.has(character) {
            figures.take(Figure::Character(character), 1);
        }
    }
    figures
}

/// Changes the battle by the event.
pub(super) fn evolve(board: &mut Board, event: &Event) {
    if let Event::Began(battle) = event {
        board.battle = Some(*battle);
        return;
    }
    let battle = board.battle.as_mut().expect("a battle is being fought");
    match *event {
        Event::Began(_) | Event::Declined { .. } | Event::Pressed { .. } | Event::Stood | Event::Decided(_) => {}
        Event::FoughtInTheOpen | Event::Stayed | Event::Banned { .. } => {}
        Event::NoEffect { .. } | Event::Forgone { .. } | Event::Inflicted { .. } => {}
        Event::RoundBegan { round } => {
            battle.round = round;
            battle.hits = [0; 2];
            battle.misses = [0; 2];
            battle.ones = [0; 2];
            battle.reroll_hits = [0; 2];
            battle.struck = [0; 2];
            battle.played = [None; 2];
            battle.modifiers = [Modifiers::default(); 2];
            battle.silenced = None;
            battle.sorcerer = None;
        }
        Event::WhiteRider => battle.white_rider = true,
        Event::Sorcerer { kind } => battle.sorcerer = Some(kind),
        Event::Revealed { side, card } => battle.played[side.index()] = Some(card),
        Event::Cancelled { side, .. } => battle.played[side.index()] = None,
        Event::Modified { side, modifiers, .. } => battle.modifiers[side.index()] += modifiers,
        Event::Silenced { companion, .. } => battle.silenced = Some(companion),
        Event::Turned { companion, misses, .. } => {
            battle.modifiers[Side::Free.index()].leadership_fewer += companion.leadership();
            battle.misses[Side::Free.index()] -= misses;
            battle.hits[Side::Free.index()] += misses;
        }
        Event::Confused { ones, .. } => {
            battle.misses[Side::Shadow.index()] -= ones;
            battle.hits[Side::Free.index()] += ones;
        }
        Event::Rescored { side, by, .. } => {
            battle.hits[side.index()] = battle.hits[side.index()].saturating_add_signed(by);
        }
        Event::Struck { side, dice, .. } => battle.struck[side.index()] += dice.hits(),
        Event::Rolled { side, roll, dice, .. } => {
            let (side, hits) = (side.index(), dice.hits());
            battle.hits[side] += hits;
            match roll {
                Roll::Combat => {
                    battle.misses[side] = dice.count - hits;
                    battle.ones[side] = dice.ones();
                }
                Roll::Reroll => {
                    battle.misses[side] = 0;
                    battle.reroll_hits[side] = hits;
                }
            }
        }
        Event::Ended => board.battle = None,
    }
}
