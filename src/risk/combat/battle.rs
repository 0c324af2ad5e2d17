//! A battle: battalions are committed, dice are rolled, the lower die loses (6.4 to 6.8).

use crate::Play;
use crate::board::player::DefenceWish;
use crate::board::turn::Committed;
use crate::board::{Board, Holder};
use crate::card::PowerWindow;
use crate::combat::invasion;
use crate::conquest;
use crate::event::{Battle, Event};
use crate::step::{Plan, Step};
use crate::switches::DefenderDice;
use engine::menu::policy::BOUNDS;
use engine::menu::{Ask, Menu};
use engine::need::{Draw, Need, Question};
use engine::seat::Seat;
use std::sync::OnceLock;

/// The most battalions that attack in one battle (6.4).
pub const ATTACKERS_MAX: u32 = 3;
/// The most battalions that defend in one battle (6.4).
pub const DEFENDERS_MAX: u32 = 2;

/// 6.4: the attacker commits 1, 2 or 3 battalions, at most all but one of the source.
pub fn commit(play: &mut Play, plan: Plan) {
    let invasion = *play.board().invasion().expect("an invasion is going on");
    let able = invasion::may_go_on(play.board()).is_ok();
    if invasion.answered || !able {
        // After another player's card the attacker may want something else than he planned.
        play.tell(Event::PlanLapsed);
        play.push(Step::GoOn);
        return;
    }
    let most = (play.board().battalions(invasion.source) - 1).min(ATTACKERS_MAX);
    let battalions = plan.battalions.unwrap_or(ATTACKERS_MAX).min(most);
    let leader = plan.leader && play.board().holding(invasion.source).leader;
    play.tell(Event::BattalionsCommitted(Committed { battalions, leader }));
    play.push(Step::Defend(plan));
    if invasion.is_seaborne() {
        play.push(Step::OpenWindow(PowerWindow::EnemySeaborneBattle));
    }
}

/// The question for the defender's dice, if he has a choice and is to be asked (6.4, ▲17).
pub fn need_defence(board: &Board) -> Option<Need> {
    let invasion = board.invasion()?;
    invasion.committed?;
    let Holder::Seat(seat) = board.holder(invasion.target) else {
        // 13.2: the neutral army commits as many as it can.
        return None;
    };
    let asked = board.switches().defender_dice == DefenderDice::Ask || board.player(seat).defence == DefenceWish::Ask;
    let choice = board.battalions(invasion.target) > 1;
    (asked && choice).then_some(Need::Question(Question { seat, id: "defence" }))
}

/// `defend with 1` or `defend with 2` (6.4).
pub fn defence_menu(plan: Plan, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
    menu.word_or_policy("defend with", BOUNDS)?;
    let defenders = menu.number("battalions", 1..=DEFENDERS_MAX, "6.4")?;
    Ok(vec![Step::RollAttack { plan, defenders }])
}

/// The defender commits as many battalions as possible, unless Violent Storms have ended the battle (8.6).
pub fn defend(play: &mut Play, plan: Plan) {
    let invasion = *play.board().invasion().expect("an invasion is going on");
    let step = match invasion.committed {
        None => Step::Battle(plan),
        Some(_) => {
            let defenders = play.board().battalions(invasion.target).min(DEFENDERS_MAX);
            Step::RollAttack { plan, defenders }
        }
    };
    play.push(step);
}

/// The attacker's dice: one for each battalion committed (6.5).
pub fn attack_dice(board: &Board) -> Draw {
    Draw::Dice { label: "attack", sides: 6, count: committed(board).battalions }
}

/// The defender's dice (6.5).
pub fn defence_dice(defenders: u32) -> Draw {
    Draw::Dice { label: "defence", sides: 6, count: defenders }
}

/// 6.6 and 6.7: bonuses are added, dice compared, losses taken. Then the target is conquered, or the attacker is asked
/// whether to go on.
pub fn fight(play: &mut Play, plan: Plan, attack: Vec<u32>, defence: Vec<u32>) {
    let board = play.board();
    let invasion = *board.invasion().expect("an invasion is going on");
    let moved = committed(board);
    let (attack, defence) = (sorted(attack), sorted(defence));
    let (attack_bonus, defence_bonus) = (attack_bonus(board), defence_bonus(board));
    let (attackers_lost, defenders_lost) = losses(&attack, attack_bonus, &defence, defence_bonus);
    let falls = defenders_lost == board.battalions(invasion.target);
    play.tell(Event::BattleFought(Battle {
        attacker: play.board().active(),
        defender: play.board().holder(invasion.target),
        source: invasion.source,
        target: invasion.target,
        leader: moved.leader,
        attack,
        attack_bonus,
        defence,
        defence_bonus,
        attackers_lost,
        defenders_lost,
    }));
    if falls {
        let battalions = moved.battalions - attackers_lost;
        conquest::conquer(play, Committed { battalions, ..moved });
        return;
    }
    let goes_on = plan.until.is_some_and(|left| play.board().battalions(invasion.source) > left.max(1));
    play.push(if goes_on { Step::Battle(plan) } else { Step::GoOn });
}

/// 6.6: the attacker's bonus on his highest die.
fn attack_bonus(board: &Board) -> u32 {
    let invasion = board.invasion().expect("an invasion is going on");
    // A Leader who takes part gives +1, Black Sails +1 in a seaborne battle.
    u32::from(committed(board).leader) + u32::from(invasion.black_sails && invasion.is_seaborne())
}

/// 6.6: the defender's bonus on his highest die.
fn defence_bonus(board: &Board) -> u32 {
    let invasion = board.invasion().expect("an invasion is going on");
    // The defender's Leader always takes part (▲16); a stronghold gives +1, also to the neutral army (▲18).
    let stronghold = board.has_stronghold(invasion.target) && !invasion.stronghold_silenced;
    u32::from(board.holding(invasion.target).leader) + u32::from(stronghold)
}

/// What attacker and defender lose; the dice are given highest first (6.7).
fn losses(attack: &[u32], attack_bonus: u32, defence: &[u32], defence_bonus: u32) -> (u32, u32) {
    let (mut attackers_lost, mut defenders_lost) = (0, 0);
    for (place, (attack, defence)) in attack.iter().zip(defence).enumerate() {
        // The bonuses go on the single highest die of a side, and may exceed 6.
        let (attack_bonus, defence_bonus) = if place == 0 { (attack_bonus, defence_bonus) } else { (0, 0) };
        // The lower die loses; if they are equal, the attacker's does. Unpaired dice do nothing.
        if attack + attack_bonus > defence + defence_bonus {
            defenders_lost += 1;
        } else {
            attackers_lost += 1;
        }
    }
    (attackers_lost, defenders_lost)
}

/// What both sides can lose in a battle. `ways` is the number of ways in which the dice can fall, all equally likely;
/// `lost` and `squares` are the losses and their squares, added up over all ways. The attacker comes first, then the
/// defender.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Odds {
    pub ways: u32,
    pub lost: [u32; 2],
    pub squares: [u32; 2],
}

/// The most that either side can add to its highest die (6.6).
const BONUS_MAX: u32 = 2;
/// The odds that have been worked out, by the dice and bonuses of both sides.
static KNOWN: [OnceLock<Odds>; (ATTACKERS_MAX * DEFENDERS_MAX * (BONUS_MAX + 1).pow(2)) as usize] =
    [const { OnceLock::new() }; (ATTACKERS_MAX * DEFENDERS_MAX * (BONUS_MAX + 1).pow(2)) as usize];

/// The odds of a battle, before its dice were rolled.
pub fn odds(battle: &Battle) -> Odds {
    let (attackers, defenders) = (battle.attack.len(), battle.defence.len());
    let dice = (attackers - 1) * DEFENDERS_MAX as usize + defenders - 1;
    let bonuses = battle.attack_bonus * (BONUS_MAX + 1) + battle.defence_bonus;
    let place = dice * (BONUS_MAX + 1).pow(2) as usize + bonuses as usize;
    *KNOWN[place].get_or_init(|| worked_out([attackers, defenders], [battle.attack_bonus, battle.defence_bonus]))
}

fn worked_out([attackers, defenders]: [usize; 2], [attack_bonus, defence_bonus]: [u32; 2]) -> Odds {
    let mut odds = Odds::default();
    for way in 0..6_u32.pow(u32::try_from(attackers + defenders).expect("at most five dice")) {
        let mut rest = way;
        let mut fallen = |dice| {
            let face = |_| {
                let face = rest % 6 + 1;
                rest /= 6;
                face
            };
            sorted((0..dice).map(face).collect())
        };
        let (attack, defence) = (fallen(attackers), fallen(defenders));
        let (attacker, defender) = losses(&attack, attack_bonus, &defence, defence_bonus);
        odds.ways += 1;
        for (side, lost) in [attacker, defender].into_iter().enumerate() {
            odds.lost[side] += lost;
            odds.squares[side] += lost * lost;
        }
    }
    odds
}

fn committed(board: &Board) -> Committed {
    let invasion = board.invasion().expect("an invasion is going on");
    invasion.committed.expect("battalions are committed to a battle")
}

fn sorted(mut dice: Vec<u32>) -> Vec<u32> {
    dice.sort_unstable_by(|one, other| other.cmp(one));
    dice
}

/// The seat that defends, if it is a player.
pub fn defender(board: &Board) -> Option<Seat> {
    match board.holder(board.invasion()?.target) {
        Holder::Seat(seat) => Some(seat),
        Holder::Neutral | Holder::Nobody => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(attack: (&[u32], u32), defence: (&[u32], u32), lost: (u32, u32)) {
        assert_eq!(losses(attack.0, attack.1, defence.0, defence.1), lost);
    }

    #[test]
    fn the_lower_die_loses() {
        // 6.10, word for word.
        case((&[4, 2], 0), (&[3, 1], 1), (1, 1));
        case((&[6, 4, 4], 0), (&[4, 4], 1), (1, 1));
        // Equal dice: the attacker loses; an unpaired die does nothing.
        case((&[6], 0), (&[6, 6], 0), (1, 0));
        case((&[5, 5, 5], 0), (&[4], 0), (0, 1));
        // Bonuses may exceed 6, and go on the highest die only.
        case((&[6, 6], 2), (&[6, 6], 1), (1, 1));
    }

    #[test]
    fn the_odds_of_three_dice_against_two() {
        let odds = worked_out([3, 2], [0, 0]);
        assert_eq!((odds.ways, odds.lost.iter().sum::<u32>()), (7776, 2 * 7776));
        // The defender loses both battalions in 2890 ways, one in 2611, none in 2275.
        assert_eq!(odds.lost, [2275 * 2 + 2611, 2890 * 2 + 2611]);
        assert_eq!(odds.squares, [2275 * 4 + 2611, 2890 * 4 + 2611]);
        // One die against one: the attacker needs the higher one.
        assert_eq!(worked_out([1, 1], [0, 0]), Odds { ways: 36, lost: [21, 15], squares: [21, 15] });
        assert_eq!(worked_out([1, 1], [1, 0]).lost, [15, 21]);
    }
}
