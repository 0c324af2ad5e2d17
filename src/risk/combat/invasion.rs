//! An invasion from its naming to its first battle (6.1 to 6.3), and where else it may come from (6.8).

use crate::Play;
use crate::board::Board;
use crate::board::turn::Route;
use crate::card::{Event as EventCard, PowerWindow};
use crate::combat::is_sea;
use crate::event::{Cause, Event};
use crate::lands::Lands;
use crate::step::{Plan, Step};
use crate::territory::Territory;
use engine::name::Named;
use engine::refusal::{Allowed, allowed_if, barred};
use engine::seat::Seat;

/// The battalions that the Corsairs of Umbar take (8.6).
const TOLL: u32 = 3;

/// The territories that the seat may invade, by their holders (6.1).
pub fn enemies(board: &Board, seat: Seat) -> Lands {
    let others = board.seats().filter(|other| board.may_invade(seat, crate::board::Holder::Seat(*other)));
    others.fold(board.neutral_lands(), |lands, other| lands.or(board.lands(other)))
}

/// The territories of the seat that can send battalions: they have 2 or more, and are not in Winter Storms (6.2, 8.6).
pub fn able_sources(board: &Board, seat: Seat) -> Lands {
    let lands = board.lands(seat);
    lands.iter().filter(|source| board.battalions(*source) >= 2 && !board.in_winter_storms(*source)).collect()
}

/// Whether battalions may march from source to target by their passage (6.2, 6.3 point 4).
pub fn may_march(board: &Board, seat: Seat, source: Territory, target: Territory) -> Allowed {
    let (from, to) = (source.name().title(), target.name().title());
    if !board.controls(seat, source) {
        return barred("6.1", format!("you do not control {from}"));
    }
    if board.battalions(source) < 2 {
        return barred("6.2", format!("{from} has no battalion to spare: 1 always stays"));
    }
    if board.in_winter_storms(source) || board.in_winter_storms(target) {
        return barred("6.3", "no battalion can enter or leave the Winter Storms");
    }
    if !source.adjacent(target) {
        return barred("6.1", format!("{from} is not adjacent to {to}"));
    }
    let crosses = !board.is_blocked_between(source, target) || board.holding(source).leader;
    allowed_if(crosses, "8.6", || format!("the bridge from {from} to {to} is crossed only together with a Leader"))
}

/// Whether the invasion can come from this territory instead (6.8).
pub fn may_join(board: &Board, source: Territory) -> Allowed {
    let invasion = board.invasion().expect("an invasion is going on");
    if source == invasion.source {
        return barred("6.8", "it comes from there already: say `again`");
    }
    may_march(board, board.active(), source, invasion.target)
}

/// The other territories that the invasion can come from (6.8).
pub fn other_sources(board: &Board) -> Lands {
    let invasion = board.invasion().expect("an invasion is going on");
    let near = Lands::next_to(invasion.target).and(board.lands(board.active()));
    near.iter().filter(|source| may_join(board, *source).is_ok()).collect()
}

/// Whether another battle can come from the same source (6.8).
pub fn may_go_on(board: &Board) -> Allowed {
    let invasion = board.invasion().expect("an invasion is going on");
    let source = invasion.source.name().title();
    allowed_if(board.battalions(invasion.source) >= 2, "6.2", || format!("{source} has no battalion to spare"))?;
    match invasion.route {
        Route::UnderTheMountains => Ok(()),
        Route::By(_) => may_march(board, board.active(), invasion.source, invasion.target),
    }
}

/// What the Corsairs take of `in_source` battalions (8.6).
pub fn toll(board: &Board, in_source: u32, route: Route) -> u32 {
    let due = is_sea(route) && board.corsairs_at_sea();
    if due { TOLL.min(in_source - 1) } else { 0 }
}

/// 6.3 point 1: the attacker names source and target.
pub fn name(play: &mut Play, source: Territory, target: Territory, route: Route) {
    let seat = play.board().active();
    play.tell(Event::InvasionNamed { seat, source, target, route });
}

/// 6.3 points 5 and 6: the Corsairs take their toll, then the defender may play a card, then the first battle begins.
pub fn pay_toll(play: &mut Play, plan: Plan) {
    if take_toll(play) {
        play.then([Step::OpenWindow(PowerWindow::EnemyInvasionDeclared), Step::Battle(plan)]);
    } else {
        // 8.6: with fewer than 2 battalions left in the source the invasion is off.
        play.tell(Event::InvasionEnded);
    }
}

/// 6.8: the next battle is fought from another territory. That is not a new invasion, but the Corsairs take their toll
/// again.
pub fn change_source(play: &mut Play, source: Territory, route: Route, plan: Plan) {
    let seat = play.board().active();
    play.tell(Event::SourceChanged { seat, source, route });
    let next = if take_toll(play) { Step::Battle(plan) } else { Step::GoOn };
    play.push(next);
}

/// Takes the toll, and says whether 2 battalions are left in the source.
fn take_toll(play: &mut Play) -> bool {
    let invasion = *play.board().invasion().expect("an invasion is going on");
    let territory = invasion.source;
    let battalions = toll(play.board(), play.board().battalions(territory), invasion.route);
    if battalions > 0 {
        let cause = Cause::Event(EventCard::CorsairsOfUmbar);
        play.tell(Event::BattalionsLost { territory, battalions, cause });
    }
    play.board().battalions(territory) >= 2
}
