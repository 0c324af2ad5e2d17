/*! Chapter 6, step 2: any number of invasions, one at a time.

[`invasion`] is everything up to the first battle, [`battle`] the fighting. Here are the question between invasions, and
the sentence `attack TARGET from SOURCE …` that says a whole invasion at once.
*/

pub mod battle;
pub mod invasion;

use crate::board::Board;
use crate::board::turn::Route;
use crate::card::{Face, Power};
use crate::cards::{approach, missions};
use crate::event::Event;
use crate::lands::Lands;
use crate::own_turn::{self, Deed};
use crate::step::{Plan, Step};
use crate::territory::{Passage, Territory, same_range};
use crate::{Play, fortify};
use engine::menu::policy::UNTIL;
use engine::menu::{Ask, Menu};
use engine::name::Named;
use engine::refusal::{Allowed, allowed_if, barred};
use engine::seat::Seat;
use engine::slot::Faces;
use invasion::{enemies, may_march};

/// The fence around step 2.
pub const COMBAT: &str = "combat";

/// Whether there is anything to ask in step 2, by public knowledge.
pub fn is_open(board: &Board) -> bool {
    let seat = board.active();
    !targets(board, seat).is_empty() || help_may_be_hidden(board, seat) || missions::may_complete(board, seat)
}

/// Whether the invasion can go on; if not, it is called off without a question (6.8).
pub fn can_go_on(board: &Board) -> bool {
    invasion::may_go_on(board).is_ok() || !invasion::other_sources(board).is_empty()
}

/// The question of step 2.
pub fn menu(board: &Board, faces: &Faces, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
    let ways = [
        ("attack|invade", Deed::Attack),
        ("fortify", Deed::Fortify),
        ("complete", Deed::Complete),
        ("end turn", Deed::EndTurn),
        ("done", Deed::Done),
    ];
    let deed = menu.branch(&ways, |deed| allowed(board, deed, faces))?;
    let mut steps = said(board, deed, faces, menu)?;
    if stays_in_combat(deed) {
        steps.push(Step::Combat);
    }
    Ok(steps)
}

/// 6.8: the attacker goes on, changes the source, or calls the invasion off. Any other sentence of step 2 also calls it
/// off.
pub fn go_on_menu(board: &Board, faces: &Faces, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
    let invasion = *board.invasion().expect("an invasion is going on");
    let ways = [
        ("again", Deed::Again),
        ("from", Deed::ChangeSource),
        ("call off", Deed::CallOff),
        ("attack|invade", Deed::Attack),
        ("fortify", Deed::Fortify),
        ("complete", Deed::Complete),
        ("end turn", Deed::EndTurn),
        ("done", Deed::Done),
    ];
    let others = invasion::other_sources(board);
    if menu.comes_next(UNTIL) {
        return go_on_until(board, menu);
    }
    let deed = menu.branch(&ways, |deed| match deed {
        Deed::Again => invasion::may_go_on(board),
        Deed::ChangeSource => {
            allowed_if(!others.is_empty(), "6.8", || "no other territory of yours can take part".to_string())
        }
        Deed::CallOff => Ok(()),
        other => allowed(board, other, faces),
    })?;
    match deed {
        Deed::Again => {
            let leader = Along::of(board, invasion.source, invasion.target, invasion.route);
            Ok(vec![Step::Battle(plan(board.battalions(invasion.source), leader, menu)?)])
        }
        Deed::ChangeSource => {
            let source = menu.choose("source", &Territory::ALL, |source| {
                if others.contains(source) { Ok(()) } else { invasion::may_join(board, source) }
            })?;
            let route = Route::By(source.passage(invasion.target).expect("a new source is adjacent (6.8)"));
            let leader = Along::of(board, source, invasion.target, route);
            let left = board.battalions(source) - invasion::toll(board, board.battalions(source), route);
            let plan = plan(left, leader, menu)?;
            Ok(vec![Step::ChangeSource { source, route, plan }])
        }
        Deed::CallOff => Ok(vec![Step::CallOff]),
        Deed::Complete => {
            let mut steps = said(board, deed, faces, menu)?;
            steps.push(Step::GoOn);
            Ok(steps)
        }
        other => {
            let mut steps = said(board, other, faces, menu)?;
            steps.insert(0, Step::CallOff);
            Ok(steps)
        }
    }
}

/// `until 3 left`: again while more battalions than that are in the source, otherwise the invasion is called off.
fn go_on_until(board: &Board, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
    let left = menu.silently(|menu| {
        menu.word(UNTIL)?;
        let left = menu.number("battalions left", 1..=99, "6.8")?;
        menu.word("left")?;
        Ok(left)
    })?;
    let invasion = board.invasion().expect("an invasion is going on");
    if invasion::may_go_on(board).is_err() || board.battalions(invasion.source) <= left {
        menu.comes_to("call off");
        return Ok(vec![Step::CallOff]);
    }
    menu.comes_to("again");
    let leader = Along::of(board, invasion.source, invasion.target, invasion.route);
    menu.comes_to("until");
    menu.comes_to_number(left);
    menu.comes_to("left");
    let leader = leader != Along::Nobody;
    Ok(vec![Step::Battle(Plan { battalions: None, leader, until: Some(left) })])
}

fn stays_in_combat(deed: Deed) -> bool {
    !matches!(deed, Deed::Done | Deed::EndTurn | Deed::Fortify)
}

fn allowed(board: &Board, deed: Deed, faces: &Faces) -> Allowed {
    let seat = board.active();
    match deed {
        Deed::Attack => {
            let with_cards = || targets_with(board, seat, Help::known(board, faces));
            let any = !targets(board, seat).is_empty() || !with_cards().is_empty();
            allowed_if(any, "6.2", || "none of your territories can invade another".to_string())
        }
        Deed::Fortify => fortify::is_possible(board),
        other => own_turn::allowed(board, other, faces),
    }
}

fn said(board: &Board, deed: Deed, faces: &Faces, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
    match deed {
        Deed::Attack => attack(board, faces, menu),
        Deed::Fortify => fortify::said(board, menu),
        Deed::Done => Ok(vec![Step::EndCombat]),
        other => own_turn::said(board, other, faces, menu),
    }
}

/// `attack TARGET from SOURCE [playing CARD, CARD] [with N] [and leader | without leader] [until M left]` (6.3, 6.4).
fn attack(board: &Board, faces: &Faces, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
    let seat = board.active();
    let help = Help::known(board, faces);
    let near = targets(board, seat).or(targets_with(board, seat, help));
    let target = menu.choose("target", &Territory::ALL, |target| {
        if near.contains(target) { Ok(()) } else { no_target(board, seat, target) }
    })?;
    menu.word("from")?;
    let sources = sources(board, seat, target, help);
    let source = menu.choose("source", &Territory::ALL, |source| {
        if sources.contains(source) { Ok(()) } else { may_march(board, seat, source, target) }
    })?;
    let route = route(board, source, target);
    let approach = approach::approach(board, (source, target), route, faces, menu)?;
    let gathered = board.battalions(source) + approach.gained;
    let left = gathered - invasion::toll(board, gathered, route);
    let plan = plan(left, Along::of(board, source, target, route), menu)?;
    let mut steps = vec![Step::NameInvasion { source, target, route }];
    steps.extend(approach.before);
    steps.push(Step::DeclareInvasion);
    steps.extend(approach.declared);
    steps.push(Step::PayToll(plan));
    Ok(steps)
}

/// Whether the Leader in the source can, may or must go along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Along {
    Nobody,
    May,
    /// The bridge is blocked for an army that crosses it without a Leader (8.6).
    Must,
}

impl Along {
    fn of(board: &Board, source: Territory, target: Territory, route: Route) -> Along {
        match (board.holding(source).leader, route) {
            (false, _) => Along::Nobody,
            (true, Route::By(_)) if board.is_blocked_between(source, target) => Along::Must,
            (true, Route::By(_) | Route::UnderTheMountains) => Along::May,
        }
    }
}

/// `[with N] [and leader | without leader] [until M left]`: by default with as many as allowed, and with the Leader
/// (▲16, ▲17).
fn plan(in_source: u32, along: Along, menu: &mut Menu<'_>) -> Ask<Plan> {
    let most = in_source.saturating_sub(1).min(battle::ATTACKERS_MAX);
    let battalions = menu.maybe_number("with", "battalions", 1..=most, "6.4", "")?;
    let leader = match along {
        Along::Nobody => false,
        Along::May => menu.maybe("and leader|with leader")? || !menu.maybe("without leader")?,
        Along::Must => {
            menu.maybe("and leader|with leader")?;
            true
        }
    };
    let until = menu.maybe_number("until", "battalions left", 1..=in_source.saturating_sub(1), "6.8", "left")?;
    Ok(Plan { battalions, leader, until })
}

/// How battalions come from source to target: by their passage if it is open, otherwise under the mountains.
fn route(board: &Board, source: Territory, target: Territory) -> Route {
    let open = !board.is_blocked_between(source, target) || board.holding(source).leader;
    match source.passage(target) {
        Some(passage) if open => Route::By(passage),
        _ => Route::UnderTheMountains,
    }
}

/// The territories that the seat can invade over a passage.
fn targets(board: &Board, seat: Seat) -> Lands {
    let strong = invasion::able_sources(board, seat);
    let near = strong.surroundings().and(enemies(board, seat));
    if board.effects().is_empty() {
        return near;
    }
    near.iter()
        .filter(|target| {
            Lands::next_to(*target).and(strong).iter().any(|source| may_march(board, seat, source, *target).is_ok())
        })
        .collect()
}

/// The cards that can make an otherwise illegal invasion legal, if the active player is known to hold them
/// (6.3 point 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Help {
    way_under_mountains: bool,
    ambush: bool,
    grima: bool,
}

impl Help {
    fn known(board: &Board, faces: &Faces) -> Help {
        Help {
            way_under_mountains: approach::knows(board, faces, Power::TheWayIsUnderTheMountains),
            ambush: approach::knows(board, faces, Power::Ambush),
            grima: approach::knows(board, faces, Power::GrimaWormtongue),
        }
    }

    fn is_nothing(self) -> bool {
        !self.way_under_mountains && !self.ambush && !self.grima
    }

    /// Whether an invasion can be declared from here to there.
    fn reaches(self, board: &Board, source: Territory, target: Territory) -> bool {
        if board.in_winter_storms(source) || board.in_winter_storms(target) {
            return false;
        }
        // 6.2 is checked after the cards: Ambush! adds 3 battalions, Gríma up to 2 if there are several defenders.
        let strengthened = self.ambush || (self.grima && board.battalions(target) > 1);
        let strong = board.battalions(source) > 1 || strengthened;
        let by_passage = matches!(route(board, source, target), Route::By(_));
        strong && (by_passage || (self.way_under_mountains && same_range(source, target)))
    }
}

/// The territories that the seat can invade with the help of cards.
fn targets_with(board: &Board, seat: Seat, help: Help) -> Lands {
    if help.is_nothing() {
        return Lands::NONE;
    }
    let own = board.lands(seat);
    enemies(board, seat).iter().filter(|target| own.iter().any(|source| help.reaches(board, source, *target))).collect()
}

/// The territories from which this target can be invaded.
fn sources(board: &Board, seat: Seat, target: Territory, help: Help) -> Lands {
    if help.is_nothing() && board.effects().is_empty() {
        return Lands::next_to(target).and(invasion::able_sources(board, seat));
    }
    board.lands(seat).iter().filter(|source| help.reaches(board, *source, target)).collect()
}

/// Whether, by public knowledge, the seat may hold a card that makes an otherwise illegal invasion legal.
fn help_may_be_hidden(board: &Board, seat: Seat) -> bool {
    let hidden = |power: Power| board.may_be_hidden(Face::Power(power));
    !board.is_standard()
        && !board.adventure_cards(seat).is_empty()
        && [Power::TheWayIsUnderTheMountains, Power::Ambush, Power::GrimaWormtongue].into_iter().any(hidden)
}

fn no_target(board: &Board, seat: Seat, target: Territory) -> Allowed {
    let name = target.name().title();
    if board.controls(seat, target) {
        return barred("6.1", format!("{name} is yours"));
    }
    if !board.may_invade(seat, board.holder(target)) {
        return barred("6.1", format!("{name} is your ally's"));
    }
    if board.in_winter_storms(target) {
        return barred("6.3", format!("{name} is in the Winter Storms"));
    }
    let near = Lands::next_to(target).and(invasion::able_sources(board, seat));
    near.first().map_or(Ok(()), |source| may_march(board, seat, source, target))?;
    barred("6.2", format!("none of your territories next to {name} can send battalions"))
}

/// Ends step 2, and the invasion that is going on in it, if there is one.
pub fn end(play: &mut Play) {
    if play.agenda().is_fenced(COMBAT) {
        play.cut(COMBAT);
    }
    call_off(play);
}

/// 6.9: the invasion is called off.
pub fn call_off(play: &mut Play) {
    if play.board().invasion().is_some() {
        play.tell(Event::InvasionEnded);
    }
}

/// Whether the route goes over the sea.
pub fn is_sea(route: Route) -> bool {
    route == Route::By(Passage::Sea)
}
