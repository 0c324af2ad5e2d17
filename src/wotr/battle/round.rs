//! The Combat round (9.13 to 9.26): its order, the rolls, and the Leader re-roll.

use crate::battle::{FENCE, Moment, Step, fought, tell, then};
use crate::board::Board;
use crate::board::battle::{Battle, Kind};
use crate::cards::Title;
use crate::cards::free_strategy::FreeStrategy;
use crate::character::Character;
use crate::combat_roll::{DICE_MAX, Dice, Roll};
use crate::event::battle::Event;
use crate::side::Side;
use crate::{Table, characters, politics};
use engine::menu::{Ask, Menu};
use engine::need::{Draw, Need};

/// 9.12: the target is chosen, the Army split and the die paid; now comes the political reaction, then round 1.
pub fn begin(play: &mut Table, battle: Battle) {
    tell(play, Event::Began(battle));
    // 9.11: once per battle, even if the defender retreats at once.
    let defenders = play.board().fighters(battle.defender());
    politics::attacked(play, &defenders, battle.region);
    play.fence(FENCE);
    then(play, [Step::Round]);
}

/// 9.13: the steps of a round. Both sides do each step together; the order of their choices is the one here.
pub fn round(play: &mut Table) {
    let battle = fought(play.board());
    let (attacker, defender) = (battle.attacker, battle.defender());
    let round = battle.round + 1;
    tell(play, Event::RoundBegan { round });
    then(
        play,
        [
            Step::FieldOrSiege,
            Step::WhiteRider,
            Step::CombatCard(attacker),
            Step::CombatCard(defender),
            Step::Reveal(attacker),
            Step::Reveal(defender),
            Step::Effects(Moment::BeforeRoll),
            Step::Roll(attacker, Roll::Combat),
            Step::Roll(defender, Roll::Combat),
            Step::Effects(Moment::BeforeReroll),
            Step::Roll(attacker, Roll::Reroll),
            Step::Roll(defender, Roll::Reroll),
            Step::Effects(Moment::Hits),
            Step::TakeLosses,
            Step::Survivors,
            Step::Effects(Moment::AfterLosses),
            Step::EndRound,
        ],
    );
}

/// 9.19: round 1 only, with Gandalf the White in the battle. Without a Nazgûl against him there is nothing to cancel,
/// and he is not asked.
pub fn white_rider_may_forfeit(board: &Board) -> bool {
    fought(board).round == 1
        && board.fighters(Side::Free).has(Character::GandalfTheWhite)
        && board.fighters(Side::Shadow).nazgul_and_witch_king() > 0
}

/// `forfeit leadership` or `keep leadership`.
pub fn white_rider(menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
    let ways = [("forfeit leadership|forfeit|yes", true), ("keep leadership|keep|no", false)];
    Ok(if menu.branch(&ways, |_| Ok(()))? { vec![Step::ForfeitWhiteRider] } else { Vec::new() })
}

/// 9.22: the dice of the Combat roll: the units and the Captains of the West, at most 5, less `fewer`, and at least 1.
fn strength(board: &Board, side: Side, fewer: u8) -> u8 {
    let fighters = board.able_fighters(side);
    let strength = fighters.units(side) + characters::captains_of_the_west(board, &fighters);
    strength.min(DICE_MAX).saturating_sub(fewer + harassed(board, side)).max(1)
}

/// Help Unlooked For: in every round the besieger rolls one die fewer for each unit inside the Stronghold.
fn harassed(board: &Board, side: Side) -> u8 {
    let battle = fought(board);
    let helped = Title::FreeStrategy(FreeStrategy::HelpUnlookedFor);
    match battle.by.map(|card| card.title_of()) {
        Some(title) if title == helped && side == Side::Shadow => board.garrison(battle.region).units(Side::Free),
        _ => 0,
    }
}

/// What a side would roll in the coming round, for a player who decides whether to fight it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prospect {
    pub dice: u8,
    pub needs: u8,
    pub leadership: u8,
}

/// What the side would roll in the coming round, before Combat cards.
pub fn prospect(board: &Board, side: Side, round: u8) -> Prospect {
    let battle = Battle { round, ..*fought(board) };
    let leadership = board.battle_leadership(side);
    Prospect { dice: strength(board, side, 0), needs: needed(&battle, side), leadership }
}

/// The dice of this round's Combat roll, as Combat cards have changed them.
fn combat_dice(board: &Board, side: Side) -> u8 {
    let modifiers = &fought(board).modifiers[side.index()];
    strength(board, side, modifiers.dice_fewer).min(modifiers.dice_most.unwrap_or(DICE_MAX))
}

/// 9.24: the dice of the re-roll: the Leadership, at most 5 and at most the misses, fixed before the first is rolled.
fn rerolls(board: &Board, side: Side) -> u8 {
    let battle = fought(board);
    if battle.modifiers[side.index()].no_reroll {
        return 0;
    }
    board.battle_leadership(side).min(DICE_MAX).min(battle.misses[side.index()])
}

/// 9.23: what a die needs to hit. The attacker needs 6 in the first round of a field battle against a City or
/// Fortification, no matter who controls it, and in every round of a siege battle; otherwise 5. The defender always
/// needs 5.
pub fn needed(battle: &Battle, side: Side) -> u8 {
    let wall = battle.region.is_city() || battle.region.is_fortification();
    let hard = match battle.kind {
        Kind::Field => wall && battle.round == 1,
        Kind::Siege => true,
        Kind::Sortie => false,
    };
    if side == battle.attacker && hard { 6 } else { 5 }
}

/// The dice that a side rolls now; `None` if none are re-rolled. 9.25: always as many as allowed.
pub fn dice(board: &Board, side: Side, roll: Roll) -> Option<Need> {
    let count = match roll {
        Roll::Combat => combat_dice(board, side),
        Roll::Reroll => rerolls(board, side),
    };
    let label = match (side, roll) {
        (Side::Free, Roll::Combat) => "free combat roll",
        (Side::Free, Roll::Reroll) => "free re-roll",
        (Side::Shadow, Roll::Combat) => "shadow combat roll",
        (Side::Shadow, Roll::Reroll) => "shadow re-roll",
    };
    (count > 0).then(|| Need::Draw(Draw::Dice { label, sides: 6, count: u32::from(count) }))
}

pub fn rolled(play: &mut Table, side: Side, roll: Roll, fallen: &[u32]) {
    let battle = fought(play.board());
    let modifiers = battle.modifiers[side.index()];
    let bonus = match roll {
        Roll::Combat => modifiers.combat_roll,
        Roll::Reroll => modifiers.reroll,
    };
    let dice = Dice::of(fallen, needed(battle, side), bonus);
    let leadership = play.board().battle_leadership(side);
    tell(play, Event::Rolled { side, roll, dice, leadership });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::battle::Modifiers;
    use crate::board::place::Place;
    use crate::card::Card;
    use crate::player::Seating;
    use crate::region::Region;
    use crate::step::Step as Next;
    use crate::switches::Switches;
    use engine::need::Answer;

    fn at(id: &str) -> Region {
        Region::of_id(id).unwrap()
    }

    /// The Shadow attacks North Ithilien, or the inside of Minas Tirith.
    fn attacked(rounds: u8, kind: Kind) -> Table {
        let lines = [
            ("south-ithilien", "sauron 5r nazgul 2"),
            ("north-ithilien", "gondor 4r"),
            ("minas-tirith", "besieged southrons 3r 1e inside gondor 3r"),
        ];
        let (board, _) = Board::of_facts(Switches::default(), Seating::Two, &lines).unwrap();
        let (from, region) = match kind {
            Kind::Field => (at("south-ithilien"), at("north-ithilien")),
            Kind::Siege | Kind::Sortie => (at("minas-tirith"), at("minas-tirith")),
        };
        let part = board.force_at(Side::Shadow, Place::Field(from));
        let battle = Battle { rounds, ..Battle::declared(Side::Shadow, kind, from, region, part) };
        Table::begin(board, vec![Next::Battle(Step::Begin(battle))])
    }

    /// The dice that the next roll needs.
    fn needed_dice(play: &Table) -> u32 {
        match play.need() {
            Need::Draw(Draw::Dice { count, .. }) => count,
            need => panic!("dice are needed, not {need:?}"),
        }
    }

    #[test]
    fn cards_change_rolls_dice_and_leadership() {
        let mut play = attacked(1, Kind::Field);
        let modifiers = Modifiers { combat_roll: 1, dice_fewer: 9, leadership_fewer: 1, ..Modifiers::default() };
        tell(&mut play, Event::Modified { card: Card(0), side: Side::Shadow, modifiers });
        play.look_again();
        // 9.22: never below 1.
        assert_eq!(needed_dice(&play), 1);
        play.answer(Answer::Dice(vec![4]));
        assert_eq!(needed_dice(&play), 4);
        play.answer(Answer::Dice(vec![4, 4, 4, 4]));
        // The attacker's 4 has hit by its bonus, so nothing is left to re-roll, and the defender has lost a unit.
        assert_eq!(play.board().fighters(Side::Free).units(Side::Free), 3);
    }

    #[test]
    fn a_bonus_for_one_roll_does_not_touch_the_other() {
        let mut play = attacked(1, Kind::Field);
        let modifiers = Modifiers { combat_roll: 1, leadership_fewer: 1, ..Modifiers::default() };
        tell(&mut play, Event::Modified { card: Card(0), side: Side::Shadow, modifiers });
        play.answer(Answer::Dice(vec![3, 3, 3, 3, 3]));
        play.answer(Answer::Dice(vec![1, 1, 1, 1]));
        // 9.24: two Nazgûl, one point of Leadership cancelled.
        assert_eq!(needed_dice(&play), 1);
        play.answer(Answer::Dice(vec![4]));
        assert_eq!(play.board().fighters(Side::Free).units(Side::Free), 4);
    }

    #[test]
    fn a_card_gives_rounds_of_a_siege() {
        let mut play = attacked(3, Kind::Siege);
        for round in 1..=3 {
            assert_eq!(fought(play.board()).round, round);
            play.answer(Answer::Dice(vec![1, 1, 1, 1]));
            play.answer(Answer::Dice(vec![1, 1, 1]));
            // 10.11: the attacker may stop after any of them; after the last one 10.10 applies.
            let asked = play.asked().copied();
            if round < 3 {
                assert_eq!(asked, Some(Next::Battle(Step::PressOn)));
                play.say(vec![Next::Battle(Step::FightOn)]);
            } else {
                assert_eq!(asked, Some(Next::Battle(Step::SiegeRound)));
            }
        }
    }
}
