//! What Combat cards do (9.18 to 9.21), title by title, each at its initiative. The choices of their players are in
//! [`choices`].

use crate::Table;
use crate::battle::{Moment, Step, choices, fought, round, tell, then};
use crate::board::Board;
use crate::board::battle::Modifiers;
use crate::card::Card;
use crate::combat_roll::{DICE_MAX, Dice};
use crate::combat_title::CombatTitle;
use crate::event::battle::Event;
use crate::side::Side;
use crate::step::Step as Next;
use crate::switches::Choice;
use engine::need::{Draw, Need};

/// 9.18: the effects of this moment, lower initiative first, and of equal ones the defender's first.
pub fn effects(play: &mut Table, moment: Moment) {
    let board = play.board();
    let battle = *fought(board);
    if battle.played == [None; 2] {
        return;
    }
    let acts = |side: Side, initiative: u8| {
        let card = battle.played[side.index()];
        let acts = card.is_some_and(|card| card.initiative().contains(&initiative));
        acts.then_some(Next::Battle(Step::Effect { side, initiative }))
    };
    let sides = [battle.defender(), battle.attacker];
    let steps: Vec<Next> = if board.switches().is_default(Choice::CardOrder) {
        moment.initiatives().flat_map(|number| sides.map(|side| acts(side, number))).flatten().collect()
    } else {
        sides.iter().flat_map(|side| moment.initiatives().filter_map(|number| acts(*side, number))).collect()
    };
    play.then(steps);
}

/// What the side's Combat card does at this initiative.
pub fn effect(play: &mut Table, side: Side, initiative: u8) {
    // It may have been cancelled in the meantime.
    let Some(card) = fought(play.board()).played[side.index()] else { return };
    match card.combat() {
        CombatTitle::DaringDefiance => daring_defiance(play, card),
        CombatTitle::SwarmOfBats => swarm_of_bats(play, card),
        CombatTitle::Scouts
        | CombatTitle::WordsOfPower
        | CombatTitle::DreadAndDespair
        | CombatTitle::RelentlessAssault
        | CombatTitle::MightyAttack
        | CombatTitle::Anduril
        | CombatTitle::HeroicDeath
        | CombatTitle::BladeOfWesternesse
        | CombatTitle::FatefulStrike
        | CombatTitle::BlackBreath
        | CombatTitle::Onslaught => choices::offer(play, side, card),
        CombatTitle::SuddenStrike | CombatTitle::Charge | CombatTitle::DurinsBane | CombatTitle::WeComeToKill => {
            strike(play, side, card);
        }
        CombatTitle::NamelessWood
        | CombatTitle::NoQuarter
        | CombatTitle::ShieldWall
        | CombatTitle::Confusion
        | CombatTitle::GreatHost => hits(play, card),
        CombatTitle::Mumakil if initiative > 3 => hits(play, card),
        CombatTitle::FoulStench => foul_stench(play, card),
        title => change_dice(play, side, card, title),
    }
}

/// Tells what the card changes for the side.
pub fn modify(play: &mut Table, card: Card, side: Side, modifiers: Modifiers) {
    tell(play, Event::Modified { card, side, modifiers });
}

/// 0: the Shadow's card is cancelled, and all Companions' Leadership is forfeited. C6.16: if there is nothing to
/// cancel, nothing is forfeited; 9.20: Leadership that is cancelled already cannot be forfeited.
fn daring_defiance(play: &mut Table, card: Card) {
    let board = play.board();
    let companions = board.fighters(Side::Free).only_characters();
    let leadership_fewer: u8 = companions.characters().map(|companion| board.companion_leadership(companion)).sum();
    if fought(board).played[Side::Shadow.index()].is_none() || leadership_fewer == 0 {
        return tell(play, Event::NoEffect { card });
    }
    modify(play, card, Side::Free, Modifiers { leadership_fewer, ..Modifiers::default() });
    tell(play, Event::Cancelled { side: Side::Shadow, by: card });
}

/// 0: the card of the Free Peoples is cancelled; if they have played none, +1 in the re-roll.
fn swarm_of_bats(play: &mut Table, card: Card) {
    match fought(play.board()).played[Side::Free.index()] {
        Some(_) => tell(play, Event::Cancelled { side: Side::Free, by: card }),
        None => modify(play, card, Side::Shadow, Modifiers { reroll: 1, ..Modifiers::default() }),
    }
}

/// 3 and 4: changes of the coming rolls without a choice.
fn change_dice(play: &mut Table, side: Side, card: Card, title: CombatTitle) {
    let none = Modifiers::default();
    let both_rolls = |bonus: i8| Modifiers { combat_roll: bonus, reroll: bonus, ..none };
    let combat_roll = |bonus: i8| Modifiers { combat_roll: bonus, ..none };
    match title {
        CombatTitle::ItIsAGift | CombatTitle::OneForTheDarkLord => modify(play, card, side, both_rolls(1)),
        CombatTitle::ServantOfTheSecretFire
        | CombatTitle::Valour
        | CombatTitle::DevilryOfOrthanc
        | CombatTitle::Mumakil => modify(play, card, side, combat_roll(1)),
        CombatTitle::EntsRage => modify(play, card, side, combat_roll(2)),
        CombatTitle::DesperateBattle => Side::BOTH.iter().for_each(|side| modify(play, card, *side, both_rolls(1))),
        CombatTitle::DeadlyStrife => Side::BOTH.iter().for_each(|side| modify(play, card, *side, both_rolls(2))),
        CombatTitle::AdvantageousPosition => modify(play, card, Side::Shadow, combat_roll(-1)),
        CombatTitle::Daylight => modify(play, card, Side::Shadow, Modifiers { dice_most: Some(3), ..none }),
        CombatTitle::HuornDark => modify(play, card, Side::Shadow, Modifiers { dice_most: Some(2), ..none }),
        CombatTitle::BraveStand => {
            let companions = play.board().fighters(Side::Free).characters().count();
            let dice_fewer = u8::try_from(companions).expect("nine Companions");
            modify(play, card, Side::Shadow, Modifiers { dice_fewer, ..none });
        }
        // Its price is paid in points, not in figures (C7.5).
        CombatTitle::CruelAsDeath => modify(play, card, side, Modifiers { leadership_fewer: 2, ..combat_roll(1) }),
        CombatTitle::TheyAreTerrible => {
            modify(play, card, side, Modifiers { leadership_fewer: 1, reroll: 1, ..none });
        }
        title => unreachable!("{title:?} changes no dice"),
    }
}

/// 3: the Leadership of the Nazgûl is compared with that of the Free Peoples, both as they are now. Nothing is
/// forfeited.
fn foul_stench(play: &mut Table, card: Card) {
    let board = play.board();
    if board.nazgul_leadership() >= board.battle_leadership(Side::Free) {
        modify(play, card, Side::Free, Modifiers { no_reroll: true, ..Modifiers::default() })
    } else {
        tell(play, Event::NoEffect { card })
    }
}

/// 9.21: the dice of an extra attack, and what they need: the base number of the Combat roll, unless the card names
/// one.
fn strike(play: &mut Table, side: Side, card: Card) {
    let board = play.board();
    let base = round::needed(fought(board), side);
    let elites = board.fighters(side).elites(side);
    let (dice, needs) = match card.combat() {
        CombatTitle::SuddenStrike => (board.battle_leadership(side), base),
        CombatTitle::Charge => (elites, base),
        CombatTitle::DurinsBane => (3, 4),
        CombatTitle::WeComeToKill => (elites, 5),
        title => unreachable!("{title:?} is no extra attack"),
    };
    match dice.min(DICE_MAX) {
        0 => tell(play, Event::NoEffect { card }),
        dice => then(play, [Step::Strike { side, dice, needs }]),
    }
}

/// The dice of an extra attack.
pub fn strike_dice(side: Side, dice: u8) -> Option<Need> {
    let label = match side {
        Side::Free => "free extra attack",
        Side::Shadow => "shadow extra attack",
    };
    (dice > 0).then(|| Need::Draw(Draw::Dice { label, sides: 6, count: u32::from(dice) }))
}

/// 9.21: there is no re-roll, and the enemy removes his casualties at once. 9.14: then the battle may be over.
pub fn struck(play: &mut Table, side: Side, needs: u8, fallen: &[u32]) {
    let battle = fought(play.board());
    let card = battle.played[side.index()].expect("a Combat card strikes");
    let place = battle.stand(!side);
    let dice = Dice::of(fallen, needs, 0);
    tell(play, Event::Struck { card, side, dice });
    then(play, [Step::Losses { side: !side, place, hits: dice.hits() }, Step::Survivors]);
}

/// 4 to 7: changes to the hits of the round, and a hit added after the casualties.
fn hits(play: &mut Table, card: Card) {
    let board = play.board();
    let battle = *fought(board);
    let [free, shadow] = battle.hits;
    let rescored = |side: Side, by: i8| Event::Rescored { card, side, by };
    let event = match card.combat() {
        CombatTitle::NamelessWood if free > 0 => rescored(Side::Free, 2),
        CombatTitle::NoQuarter if free > 0 => rescored(Side::Free, 1),
        CombatTitle::ShieldWall if shadow >= 2 => rescored(Side::Shadow, -1),
        // C6.23: hits of an extra attack count, later cancellations do not.
        CombatTitle::Mumakil if shadow > free + battle.struck[Side::Free.index()] => rescored(Side::Shadow, 1),
        CombatTitle::Confusion if battle.ones[Side::Shadow.index()] > 0 => {
            Event::Confused { card, ones: battle.ones[Side::Shadow.index()] }
        }
        CombatTitle::GreatHost if is_great_host(board) => Event::Inflicted { card, on: Side::Free, hits: 1 },
        _ => Event::NoEffect { card },
    };
    tell(play, event);
    if let Event::Inflicted { on, hits, .. } = event {
        then(play, [Step::Losses { side: on, place: battle.stand(on), hits }, Step::Survivors]);
    }
}

/// C6.21: counted after the casualties of both sides, among the figures in the battle only; exactly twice as many are
/// enough.
fn is_great_host(board: &Board) -> bool {
    let units = |side: Side| board.fighters(side).units(side);
    units(Side::Shadow) >= 2 * units(Side::Free)
}
