//! The quick answers of a bot to small questions in a look ahead.

use crate::battle::{self, Step as Fight};
use crate::board::Board;
use crate::board::battle::Kind;
use crate::board::company::TRACK_END;
use crate::hunt;
use crate::side::Side;
use crate::step::Step;

/// The answer to a question, in words that its menu reads; `None` if a random answer is as good.
pub fn reflex(board: &Board, step: &Step) -> Option<String> {
    let said = match step {
        Step::Battle(Fight::Retreat) => return Some(retreat(board)),
        Step::Hunt(hunt::Step::Damage(_)) => damage(board),
        Step::Battle(step) => of_battle(board, step)?,
        Step::Hunt(hunt::Step::Card(_)) => "no card",
        _ => return None,
    };
    Some(said.to_string())
}

fn of_battle(board: &Board, step: &battle::Step) -> Option<&'static str> {
    Some(match step {
        Fight::FieldOrSiege => {
            let is_weaker = odds(board, battle::fought(board).attacker) >= 0;
            if is_weaker { "withdraw" } else { "fight in the open" }
        }
        Fight::CombatCard(_) => "no card",
        Fight::ChooseLosses { .. } => "regulars first",
        Fight::PressOn => {
            let is_stronger = odds(board, battle::fought(board).attacker) >= 0;
            if is_stronger { "press the attack" } else { "stop the attack" }
        }
        Fight::SiegeRound => "end",
        Fight::Advance(_) => "advance with all",
        Fight::WhiteRider => "no",
        Fight::Sorcerer { .. } => "no card",
        _ => return None,
    })
}

/// The damage of a tile is taken as long as it does not corrupt the Ring-bearers.
fn damage(board: &Board) -> &'static str {
    let company = board.company();
    let damage = board.pool().in_hand().map_or(0, |tile| tile.damage);
    match company.guide() {
        _ if company.corruption() + damage < TRACK_END => "take it",
        Some(_) => "lose the guide",
        None => "reveal",
    }
}

/// A defender outnumbered by more than two to one retreats to where most friends are; any other stands.
fn retreat(board: &Board) -> String {
    let (attacker, region) = (battle::fought(board).attacker, battle::fought(board).region);
    let units = |side: Side| board.fighters(side).units(side);
    let havens = region.neighbours() & board.free_regions(!attacker);
    let best = havens.iter().max_by_key(|haven| board.units_in(!attacker, *haven));
    match best {
        Some(haven) if units(attacker) > 2 * units(!attacker) => format!("retreat to {}", haven.id()),
        _ => "stand".to_string(),
    }
}

/// How many more units the attacker has than the defender, whose units in a siege count twice.
fn odds(board: &Board, attacker: Side) -> i32 {
    let fought = battle::fought(board);
    let units = |side: Side| i32::from(board.fighters(side).units(side));
    let walls = if fought.kind == Kind::Siege { 2 } else { 1 };
    units(attacker) - walls * units(!attacker)
}
