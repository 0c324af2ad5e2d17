//! What a bot expects to gain by an answer, in a sentence: the part of its hope that the answer improves most.

use super::hope::{Hopes, Store, hopes, stores};
use super::ring::Quest;
use super::war::{Aim, War};
use super::weights::Weights;
use crate::board::Board;
use crate::region::Region;
use crate::side::Side;
use engine::plural;

/// Smaller gains are not mentioned: this is half a percent of the chance to win.
const LEAST: f64 = 100.0;

/// What the side gains by an answer: `after` has boards that may follow from it, `otherwise` boards that may follow
/// from other answers.
pub fn thought(before: &Board, after: &[Board], otherwise: &[Board], side: Side) -> Option<String> {
    let wins = after.iter().filter(|board| board.victory().is_some_and(|victory| victory.winner() == side)).count();
    if wins == after.len() {
        return Some("it wins the game.".to_string());
    }
    if wins > 0 {
        return Some(format!("it may win the game at once, in {wins} of {} tries.", after.len()));
    }
    let going_on = going_on(after);
    let (last, will) = (*going_on.last()?, mean(&going_on, side)?);
    let was = mean(&self::going_on(otherwise), side)?;
    let sign = if side == Side::Free { 1.0 } else { -1.0 };
    let weights = Weights::found();
    let gain = |hopes: Hopes| sign * (hopes.free(weights) - was.free(weights));
    let turns = |now: f64, then: f64| {
        let turn = |turns: f64| f64::from(before.turn()) + turns.clamp(0.0, 60.0);
        format!("about turn {:.0} instead of {:.0}", turn(then), turn(now))
    };
    let ways = [
        (gain(Hopes { quest: Quest { margin: will.quest.margin, ..was.quest }, ..was }), {
            let damage = (will.quest.margin - was.quest.margin).abs();
            let does = if side == Side::Free { "spares" } else { "costs" };
            format!("it {does} the Ring-bearers about {damage:.1} damage.")
        }),
        (gain(Hopes { quest: Quest { turns: will.quest.turns, ..was.quest }, ..was }), {
            format!("the Ring would be at the Crack of Doom by {}.", turns(was.quest.turns, will.quest.turns))
        }),
        (gain(Hopes { conquest: will.conquest, ..was }), {
            let place = place(before, last, Side::Shadow, side);
            format!("{place}; the Shadow would have its points by {}.", turns(was.conquest, will.conquest))
        }),
        (gain(Hopes { banishment: will.banishment, ..was }), {
            let place = place(before, last, Side::Free, side);
            format!("{place}; the Free Peoples would have their points by {}.", turns(was.banishment, will.banishment))
        }),
        (gain(Hopes { decided: will.decided, ..was }), "it counts when the turn ends.".to_string()),
        (
            gain(Hopes { later: will.later, ..was }),
            format!("it gains {} for later.", gained(otherwise, &going_on, side)),
        ),
    ];
    let best = ways.into_iter().max_by(|one, other| one.0.total_cmp(&other.0));
    let told = best.filter(|(gain, _)| *gain >= LEAST).map(|(_, words)| words);
    Some(told.unwrap_or_else(|| "no answer gains much, and this one loses little.".to_string()))
}

/// The boards on which the game is not over.
fn going_on(boards: &[Board]) -> Vec<&Board> {
    boards.iter().filter(|board| board.victory().is_none()).collect()
}

/// The average hopes of these boards; `None` if there are none.
fn mean(boards: &[&Board], side: Side) -> Option<Hopes> {
    let all: Vec<Hopes> = boards.iter().map(|board| hopes(board, side, Weights::found())).collect();
    let mean = |of: fn(&Hopes) -> f64| all.iter().map(of).sum::<f64>() / all.len() as f64;
    // Places of rest are never mentioned: those of one board stand for all.
    Some(Hopes {
        quest: Quest {
            turns: mean(|hopes| hopes.quest.turns),
            margin: mean(|hopes| hopes.quest.margin),
            ..all.last()?.quest
        },
        conquest: mean(|hopes| hopes.conquest),
        banishment: mean(|hopes| hopes.banishment),
        decided: mean(|hopes| hopes.decided),
        later: mean(|hopes| hopes.later),
    })
}

/// The Settlement whose capture has become easier or harder for the attacker, in words.
fn place(before: &Board, after: &Board, attacker: Side, acting: Side) -> String {
    let aims = |board: &Board| War::of(board, Weights::found()).aims(attacker);
    let (was, will) = (aims(before), aims(after));
    let cost = |aims: &[Aim], target: Region| aims.iter().find(|aim| aim.target == target).map(|aim| aim.cost);
    let taken = was.iter().find(|aim| cost(&will, aim.target).is_none());
    if let (true, Some(aim)) = (attacker == acting, taken) {
        return format!("it takes {}, {}", aim.target.title(), plural::counted(aim.points, "point"));
    }
    let changes = was.iter().filter_map(|aim| Some((cost(&will, aim.target)? - aim.cost, aim)));
    let changes = changes.map(|(change, aim)| if attacker == acting { (-change, aim) } else { (change, aim) });
    match changes.max_by(|one, other| one.0.total_cmp(&other.0)) {
        Some((_, aim)) => {
            let does = if attacker == acting { "threatens" } else { "guards" };
            format!("it {does} {}, {}", aim.target.title(), plural::counted(aim.points, "point"))
        }
        None => "it changes the war".to_string(),
    }
}

fn worth_of(board: &Board, side: Side, store: usize) -> f64 {
    stores(board, side, Weights::found())[store].1
}

/// What the side has more of afterwards, compared with the other side.
fn gained(otherwise: &[Board], after: &[&Board], side: Side) -> &'static str {
    let ahead = |board: &Board, store: usize| worth_of(board, side, store) - worth_of(board, !side, store);
    let more = |store: usize| {
        let was = otherwise.iter().map(|board| ahead(board, store)).sum::<f64>() / otherwise.len() as f64;
        let will = after.iter().map(|board| ahead(board, store)).sum::<f64>() / after.len() as f64;
        will - was
    };
    let kinds = stores(after[0], side, Weights::found()).map(|(store, _)| store);
    let most = (0..kinds.len()).max_by(|one, other| more(*one).total_cmp(&more(*other))).expect("there are stores");
    match kinds[most] {
        Store::Bringers => "a Character who brings a die each turn",
        Store::Cards => "cards",
        Store::Politics => "a Nation nearer to war",
        Store::Units => "units",
        Store::Rings => "an Elven Ring",
        Store::Dice => "dice",
        Store::Points => "points",
    }
}
