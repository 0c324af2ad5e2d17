/*! Chapter 9, step 3: one move through the player's own connected territories. */

use crate::board::Board;
use crate::board::turn::Committed;
use crate::card::PowerWindow;
use crate::cards::{missions, window};
use crate::event::{Cause, Event};
use crate::lands::Lands;
use crate::own_turn::{self, Deed};
use crate::step::Step;
use crate::territory::Territory;
use crate::{Play, combat};
use engine::menu::{Ask, Menu};
use engine::name::Named;
use engine::refusal::{Allowed, allowed_if, barred};
use engine::seat::Seat;
use engine::slot::Faces;

/// Whether there is anything to ask in step 3, by public knowledge.
pub fn is_open(board: &Board) -> bool {
    let seat = board.active();
    is_possible(board).is_ok()
        || window::may_answer(board, seat, PowerWindow::AfterLastInvasion)
        || missions::may_complete(board, seat)
}

/// Whether any move can be made (9.1).
pub fn is_possible(board: &Board) -> Allowed {
    if board.turn().fortifications == 0 {
        return barred("9.1", "you have fortified this turn");
    }
    let seat = board.active();
    let any = strong(board, seat).iter().any(|source| !goals(board, seat, source).is_empty());
    allowed_if(any, "9.1", || "no territory of yours has a battalion to spare and another connected to it".to_string())
}

/// The question of step 3.
pub fn menu(board: &Board, faces: &Faces, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
    let ways = [
        ("fortify", Deed::Fortify),
        ("play", Deed::PlayAfterInvasions),
        ("complete", Deed::Complete),
        ("done|end turn", Deed::Done),
    ];
    let deed = menu.branch(&ways, |deed| match deed {
        Deed::Fortify => is_possible(board),
        other => own_turn::allowed(board, other, faces),
    })?;
    let mut steps = match deed {
        Deed::Done => return Ok(Vec::new()),
        Deed::Fortify => said(board, menu)?,
        other => own_turn::said(board, other, faces, menu)?,
    };
    steps.push(Step::Fortify);
    Ok(steps)
}

/// The rest of `fortify TARGET from SOURCE with N [and leader]` (9.1, 9.2).
pub fn said(board: &Board, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
    let seat = board.active();
    let sources = strong(board, seat);
    let reached = sources.iter().fold(Lands::NONE, |all, source| all.or(goals(board, seat, source)));
    let to = menu.choose("target", &Territory::ALL, |target| {
        if reached.contains(target) { Ok(()) } else { not_reached(board, seat, target) }
    })?;
    menu.word("from")?;
    let fitting: Lands = sources.iter().filter(|source| goals(board, seat, *source).contains(to)).collect();
    let from = menu.choose("source", &Territory::ALL, |source| {
        if fitting.contains(source) { Ok(()) } else { no_source(board, seat, source, to) }
    })?;
    menu.word("with")?;
    let battalions = menu.number("battalions", 1..=board.battalions(from) - 1, "9.1")?;
    let leader = if !may_bring_leader(board, from, to) {
        false
    } else if connected(board, seat, from, Company::Alone).contains(to) {
        menu.maybe("and leader|with leader")?
    } else {
        // 9.3: a blocked bridge on the way is crossed only together with a Leader.
        menu.word("and leader|with leader")?;
        true
    };
    Ok(vec![Step::Move { from, to, moved: Committed { battalions, leader } }])
}

/// Makes the move. A move said in step 2 ends that step.
pub fn fortify(play: &mut Play, from: Territory, to: Territory, moved: Committed) {
    combat::end(play);
    let seat = play.board().active();
    play.tell(Event::BattalionsMoved { seat, from, to, moved, cause: Cause::Fortification });
}

/// Whether battalions go alone or together with a Leader (8.6, You Shall Not Pass!).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Company {
    Alone,
    Leader,
}

/// The territories of the seat connected to this one (2.4), itself included. Battalions without a Leader cannot cross
/// blocked bridges (9.3).
pub fn connected(board: &Board, seat: Seat, from: Territory, company: Company) -> Lands {
    let own = board.lands(seat);
    let parted = company == Company::Alone && !board.effects().is_empty();
    let mut reached: Lands = [from].into_iter().collect();
    let mut fresh = reached;
    while !fresh.is_empty() {
        let next = fresh.iter().fold(Lands::NONE, |next, place| {
            let near = Lands::next_to(place).and(own).without(reached);
            let open = |to: &Territory| !parted || !board.is_blocked_between(place, *to);
            next.or(if parted { near.iter().filter(open).collect() } else { near })
        });
        reached = reached.or(next);
        fresh = next;
    }
    reached
}

/// Where battalions of this territory can go, without or with its Leader.
fn goals(board: &Board, seat: Seat, source: Territory) -> Lands {
    let mut goals = connected(board, seat, source, Company::Alone);
    if board.holding(source).leader && !board.effects().is_empty() {
        let escorted = connected(board, seat, source, Company::Leader);
        goals = goals.or(escorted.iter().filter(|target| may_bring_leader(board, source, *target)).collect());
    }
    goals.remove(source);
    goals
}

/// 9.2: a Leader may go along, but not end in the territory of the other Leader.
fn may_bring_leader(board: &Board, from: Territory, to: Territory) -> bool {
    board.holding(from).leader && !board.holding(to).leader
}

/// The territories of the seat with a battalion to spare (9.1).
fn strong(board: &Board, seat: Seat) -> Lands {
    board.lands(seat).iter().filter(|territory| board.battalions(*territory) > 1).collect()
}

fn not_reached(board: &Board, seat: Seat, target: Territory) -> Allowed {
    let name = target.name().title();
    allowed_if(board.controls(seat, target), "9.1", || format!("you do not control {name}"))?;
    barred("9.1", format!("no territory with a battalion to spare is connected to {name}"))
}

fn no_source(board: &Board, seat: Seat, source: Territory, target: Territory) -> Allowed {
    let (from, to) = (source.name().title(), target.name().title());
    allowed_if(board.controls(seat, source), "9.1", || format!("you do not control {from}"))?;
    allowed_if(board.battalions(source) > 1, "9.1", || format!("the last battalion stays in {from}"))?;
    barred("9.1", format!("{from} is not connected to {to} through territories of yours"))
}
