//! The Combat round (9.13 to 9.26): its order, Combat cards, the rolls, and the Leader re-roll.

use crate::engine::menu::{Ask, Menu};
use crate::engine::need::{Draw, Need, Show};
use crate::engine::refusal::allowed_if;
use crate::engine::slot::{self, Faces, Slot};
use crate::wotr::Table;
use crate::wotr::battle::{Dice, Event, FENCE, Moment, Roll, Step, fought, tell, then};
use crate::wotr::board::Board;
use crate::wotr::board::battle::{Battle, Kind};
use crate::wotr::card::{Card, EventDeck, Held, Type};
use crate::wotr::character::Character;
use crate::wotr::event::Event as Told;
use crate::wotr::event_cards::{self, Event as Cards};
use crate::wotr::side::Side;
use crate::wotr::step::Step as Next;
use crate::wotr::switches::Choice;
use crate::wotr::{characters, politics};

/// 9.22: dice of a Combat roll, and of a re-roll (9.24).
pub const DICE_MAX: u8 = 5;

/// 9.12: the target is chosen, the Army split and the die paid; now the political reaction, then round 1.
pub fn begin(play: &mut Table, battle: Battle) {
    tell(play, Event::Began(battle));
    // 9.11: once per battle, also if the defender retreats at once.
    let defenders = play.board().fighters(battle.defender());
    politics::attacked(play, &defenders, battle.region);
    play.fence(FENCE);
    then(play, [Step::Round]);
}

/// 9.13: the steps of a round. Both sides do each step together, in the order of choices given.
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

/// 9.15, 9.16: `no card`, or `lay character-7`, read by its title as well. What a card requires (9.17) is told by its
/// Combat half, which only its owner can read.
pub fn combat_card(board: &Board, side: Side, faces: &Faces, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
    let ways = [("lay|play|lay card|play card", true), ("no card|no combat card|none|no", false)];
    if !menu.branch(&ways, |_| Ok(()))? {
        return Ok(vec![Step::Decline(side)]);
    }
    let held = Held::of(&board.decks().hand_of(side), faces, menu.is_reading());
    let card = menu.choose("card", &held, |_| Ok(()))?;
    Ok(vec![Step::Lay(card.slot)])
}

pub fn lay(play: &mut Table, slot: Slot) {
    play.tell(Told::Cards(Cards::Laid { slot }));
}

/// 9.16: the card that was laid is shown, whichever of its deck it is.
pub fn show(slot: Slot) -> Need {
    let among: Vec<slot::Card> = EventDeck::of_slot(slot).cards().map(Card::number).collect();
    Need::Show(Show { slot, among })
}

pub fn reveal(play: &mut Table, side: Side, shown: Option<slot::Card>) {
    let slot = play.board().decks().laid_by(side).expect("a card was laid");
    let card = shown.expect("a Combat card is one of its deck");
    play.tell(Told::Cards(Cards::Shown { slot, card: Card(card.0) }));
    // 6.23, ▲23: the Sorcerer must be in the battle when the card is revealed, in its first round.
    let board = play.board();
    let any_round = board.switches().word(Choice::Sorcerer) == "any_round";
    let in_time = any_round || fought(board).round == 1;
    if side == Side::Shadow && in_time && board.fighters(side).has(Character::WitchKing) {
        tell(play, Event::Sorcerer { kind: EventDeck::of_slot(slot).kind });
    }
}

/// 9.18: the effects of the Combat cards that belong here, lower initiative first, equal the defender's first. The
/// cards lie shown on the board; what each of them does stands with the cards.
pub fn effects(_play: &mut Table, _moment: Moment) {}

/// 9.22: dice of the Combat roll: the units and the Captains of the West, at most 5; cards never lower them below 1.
fn strength(board: &Board, side: Side, fewer: u8) -> u8 {
    let fighters = board.fighters(side);
    let strength = fighters.units(side) + characters::captains_of_the_west(board, &fighters);
    strength.min(DICE_MAX).saturating_sub(fewer).max(1)
}

/// With what a side would fight a round: for whoever has to decide whether it is fought.
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

/// 9.24: dice of the re-roll: the Leadership, at most 5 and no more than missed, fixed before the first is thrown.
fn rerolls(board: &Board, side: Side) -> u8 {
    board.battle_leadership(side).min(DICE_MAX).min(fought(board).misses[side.index()])
}

/// 9.23: what a die needs to hit. The attacker needs 6 in the first round of a field battle against a City or
/// Fortification, whoever controls it, and in every round of a siege battle; else 5. The defender always needs 5.
pub fn needed(battle: &Battle, side: Side) -> u8 {
    let wall = battle.region.is_city() || battle.region.is_fortification();
    let hard = match battle.kind {
        Kind::Field => wall && battle.round == 1,
        Kind::Siege => true,
        Kind::Sortie => false,
    };
    if side == battle.attacker && hard { 6 } else { 5 }
}

/// 9.26: a natural 1 never hits, a natural 6 always does.
pub fn is_hit(face: u8, needs: u8, bonus: u8) -> bool {
    face == 6 || (face != 1 && face + bonus >= needs)
}

/// The dice that a side rolls now; `None` if none are re-rolled. 9.25: as many as allowed.
pub fn dice(board: &Board, side: Side, roll: Roll) -> Option<Need> {
    let count = match roll {
        Roll::Combat => strength(board, side, fought(board).modifiers[side.index()].dice_fewer),
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
    let count = u8::try_from(fallen.len()).expect("at most five dice");
    let mut dice = Dice { faces: [0; DICE_MAX as usize], count, needs: needed(battle, side), bonus };
    for (face, fallen) in dice.faces.iter_mut().zip(fallen) {
        *face = u8::try_from(*fallen).expect("a die has six sides");
    }
    tell(play, Event::Rolled { side, roll, dice });
}

/// 9.18: both cards are discarded when the round ends. 6.23: after that the Sorcerer draws.
pub fn clear_cards(play: &mut Table) {
    let sorcerer = fought(play.board()).sorcerer;
    for side in Side::BOTH {
        if let Some(slot) = play.board().decks().laid_by(side) {
            play.tell(Told::Cards(Cards::Spent { slot }));
        }
    }
    if let Some(kind) = sorcerer {
        then(play, [Step::Sorcerer(kind)]);
    }
}

/// 6.23: the decks from which the Shadow may draw: that of the card's type; 19.14: with `first_round_any_deck` either.
fn conjured(board: &Board, kind: Type) -> impl Iterator<Item = EventDeck> {
    let any_deck = board.switches().word(Choice::Sorcerer) == "first_round_any_deck";
    let wanted = move |deck: &EventDeck| any_deck || deck.kind == kind;
    EventDeck::of(Side::Shadow).into_iter().filter(wanted).filter(|deck| !board.decks().left(*deck).is_empty())
}

/// Whether there is a card to draw.
pub fn may_conjure(board: &Board, kind: Type) -> bool {
    conjured(board, kind).next().is_some()
}

/// `draw character`, `draw strategy` or `no card`.
pub fn conjure(board: &Board, kind: Type, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let ways = [
        ("draw character|draw character card", Some(Type::Character)),
        ("draw strategy|draw strategy card", Some(Type::Strategy)),
        ("no card|none|no|decline", None),
    ];
    let may_draw = |drawn: Option<Type>| {
        let possible = drawn.is_none_or(|drawn| conjured(board, kind).any(|deck| deck.kind == drawn));
        allowed_if(possible, "6.23", || format!("the draw is from the {} deck", kind.id()))
    };
    let Some(kind) = menu.branch(&ways, may_draw)? else { return Ok(Vec::new()) };
    let draw = event_cards::Step::Draw(EventDeck { side: Side::Shadow, kind });
    Ok(vec![Next::Cards(draw), Next::Cards(event_cards::Step::HandLimit(Side::Shadow))])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::need::Answer;
    use crate::wotr::battle::Modifiers;
    use crate::wotr::board::place::Place;
    use crate::wotr::region::Region;
    use crate::wotr::switches::Switches;

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
        let (board, _) = Board::of_facts(Switches::default(), &lines).unwrap();
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
        let modifiers = Modifiers { combat_roll: 1, reroll: 0, dice_fewer: 9, leadership_fewer: 1 };
        tell(&mut play, Event::Modified { side: Side::Shadow, modifiers });
        // 9.22: never below 1.
        assert_eq!(needed_dice(&play), 1);
        play.answer(Answer::Dice(vec![4]));
        assert_eq!(needed_dice(&play), 4);
        tell(&mut play, Event::Modified { side: Side::Shadow, modifiers: Modifiers { dice_fewer: 0, ..modifiers } });
        play.answer(Answer::Dice(vec![4, 4, 4, 4]));
        // The attacker's 4 has hit by its bonus, so nothing is left to re-roll, and the defender has lost a unit.
        assert_eq!(play.board().fighters(Side::Free).units(Side::Free), 3);
    }

    #[test]
    fn a_bonus_for_one_roll_does_not_touch_the_other() {
        let mut play = attacked(1, Kind::Field);
        let modifiers = Modifiers { combat_roll: 1, leadership_fewer: 1, ..Modifiers::default() };
        tell(&mut play, Event::Modified { side: Side::Shadow, modifiers });
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

    #[track_caller]
    fn case(face: u8, needs: u8, bonus: u8, expected: bool) {
        assert_eq!(is_hit(face, needs, bonus), expected, "{face} + {bonus} against {needs}");
    }

    #[test]
    fn a_natural_1_never_hits_and_a_natural_6_always_does() {
        case(5, 5, 0, true);
        case(4, 5, 0, false);
        case(5, 6, 0, false);
        case(5, 6, 1, true);
        case(4, 5, 1, true);
        case(1, 5, 5, false);
        case(6, 7, 0, true);
    }
}
