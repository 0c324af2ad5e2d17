//! The figures that fight in the battle on the board, and their Leadership (9.3, 9.20, 9.24).

use crate::board::Board;
use crate::board::place::Place;
use crate::character::Character;
use crate::combat_roll::DICE_MAX;
use crate::figures::{Figure, Figures};
use crate::side::Side;
use crate::switches::Choice;

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
