//! The quick answers of a bot to small questions in a look ahead.

use crate::board::Board;
use crate::bot::front;
use crate::cards::CardStep;
use crate::cards::held::held;
use crate::combat::invasion::enemies;
use crate::lands::Lands;
use crate::step::Step;
use crate::territory::Territory;
use engine::name::Named;
use engine::seat::Seat;
use engine::slot::Faces;

/// The answer to a question, in words that its menu reads; `None` if a random answer is as good.
pub fn reflex(board: &Board, step: &Step, faces: &Faces) -> Option<String> {
    match step {
        Step::Garrison => Some("place evenly".to_string()),
        Step::Card(CardStep::AppointLeader(seat)) => leader(board, *seat),
        Step::ReplaceLeader => leader(board, board.active()),
        Step::GoOn => Some(go_on(board).to_string()),
        Step::Advance { source, target, moved } => Some(advance(board, *source, *target, *moved)),
        Step::Defend(_) => Some("defend with 2".to_string()),
        Step::OfferMission => Some(mission(board, faces)),
        Step::Card(_) => Some("pass".to_string()),
        _ => None,
    }
}

/// Where a Leader goes: to the strongest territory on the front.
fn leader(board: &Board, seat: Seat) -> Option<String> {
    let free = |lands: Lands| lands.iter().filter(|territory| !board.holding(*territory).leader);
    let strongest = free(front(board, seat)).max_by_key(|territory| board.battalions(*territory));
    strongest.or(free(board.lands(seat)).next()).map(|territory| format!("leader {}", territory.name().id()))
}

/// A Mission is completed as soon as its Leader has come.
fn mission(board: &Board, faces: &Faces) -> String {
    let mut missions = held(board, board.active(), faces).into_iter().filter_map(|card| card.mission());
    let ready = missions.find(|mission| {
        let site = mission.territory();
        board.controls(board.active(), site) && board.holding(site).leader
    });
    ready.map_or_else(|| "pass".to_string(), |mission| format!("complete {}", mission.name().id()))
}

/// An invasion goes on while there are clearly more battalions than defenders.
fn go_on(board: &Board) -> &'static str {
    let Some(invasion) = board.invasion() else { return "call off" };
    let (own, defenders) = (board.battalions(invasion.source), board.battalions(invasion.target));
    if own >= 4 && own > defenders + 2 { "again until 3 left" } else { "call off" }
}

/// Splits the battalions by the enemies next to both ends; where no enemy is near, only those stay that must.
fn advance(board: &Board, source: Territory, target: Territory, moved: u32) -> String {
    let near = |territory: Territory| -> u32 {
        let around = Lands::next_to(territory).and(enemies(board, board.active()));
        around.iter().map(|enemy| board.battalions(enemy)).sum()
    };
    let (behind, ahead) = (near(source), near(target));
    let there = board.battalions(source);
    if behind == 0 {
        return "advance all but 1".to_string();
    }
    if ahead == 0 {
        return format!("advance {moved}");
    }
    format!("advance all but {}", (there * behind / (behind + ahead)).max(1))
}
