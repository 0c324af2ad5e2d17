/*! Windows in which Powers are played, in the player's own turn and in those of others (6.3, 6.4, 8.4, 11.2).

Every player who may answer is asked clockwise from the active player, one card at a time, until all pass in a row
(▲23). A seat is asked whenever it holds Adventure cards and, by public knowledge, one of them could be played now: so
whether a question is asked tells nothing about a hand.
*/

use crate::Play;
use crate::board::{Board, Holder};
use crate::card::{Face, Power, PowerWindow};
use crate::cards::held::{self, Held, any, held, unlocked};
use crate::cards::powers::{played, works_at_turn_start};
use crate::cards::{CardStep, Choice, powers};
use crate::step::Step;
use crate::territory::Territory;
use engine::menu::{Ask, Menu};
use engine::name::Named;
use engine::need::{Need, Question};
use engine::refusal::{Allowed, allowed_if, barred};
use engine::seat::Seat;
use engine::slot::Faces;

/// The id of the question asked in a window, as standing orders name it.
pub fn id(window: PowerWindow) -> &'static str {
    match window {
        PowerWindow::TurnStart => "turn-start",
        PowerWindow::BeforeInvasion => "before-invasion",
        PowerWindow::BeforeStrongholdInvasion => "before-stronghold-invasion",
        PowerWindow::InvasionDeclared => "invasion-declared",
        PowerWindow::SeaborneInvasionDeclared => "seaborne-invasion-declared",
        PowerWindow::EnemyInvasionDeclared => "enemy-declared",
        PowerWindow::EnemySeaborneBattle => "violent-storms",
        PowerWindow::AfterLastInvasion => "after-last-invasion",
        PowerWindow::FellowshipNoDie => "fellowship-no-die",
        PowerWindow::FellowshipAfterRoll => "fellowship-roll",
        PowerWindow::FellowshipLeaving => "fellowship-leaving",
    }
}

/// Opens a window in which seats are asked, beginning with the active player.
pub fn open(play: &mut Play, window: PowerWindow) {
    let seat = play.board().active();
    play.push(Step::Card(CardStep::Window { window, seat, passed: 0 }));
}

/// The question, if this seat is to be asked. `passed` seats have passed in a row before it.
pub fn need(board: &Board, window: PowerWindow, seat: Seat, passed: usize) -> Option<Need> {
    let asked = passed < board.seats().count() && may_answer(board, seat, window);
    asked.then_some(Need::Question(Question { seat, id: id(window) }))
}

/// Whether the seat might play a card in this window now, by public knowledge.
pub fn may_answer(board: &Board, seat: Seat, window: PowerWindow) -> bool {
    let holds = !board.is_eliminated(seat) && !board.is_locked(seat) && !board.adventure_cards(seat).is_empty();
    let could = |power: &Power| board.may_be_hidden(Face::Power(*power)) && works(board, seat, *power).is_ok();
    holds && answers(board, window, seat) && Power::ALL.iter().filter(|power| power.window() == window).any(could)
}

/// Whether the seat is known to hold a Power that it can play in this window now, and if not, why.
pub fn can_answer(board: &Board, seat: Seat, window: PowerWindow, faces: &Faces) -> Allowed {
    any(&held(board, seat, faces), "you hold no card to play now", |card| allowed(board, seat, window, card))
}

/// Whether the window is open to this seat.
fn answers(board: &Board, window: PowerWindow, seat: Seat) -> bool {
    match window {
        PowerWindow::EnemyInvasionDeclared | PowerWindow::EnemySeaborneBattle => {
            board.invasion().is_some_and(|invasion| board.holder(invasion.target) == Holder::Seat(seat))
        }
        PowerWindow::TurnStart
        | PowerWindow::BeforeInvasion
        | PowerWindow::BeforeStrongholdInvasion
        | PowerWindow::InvasionDeclared
        | PowerWindow::SeaborneInvasionDeclared
        | PowerWindow::AfterLastInvasion => board.active() == seat,
        // 11.2: every player may play these.
        PowerWindow::FellowshipNoDie | PowerWindow::FellowshipAfterRoll | PowerWindow::FellowshipLeaving => true,
    }
}

/// `pass`, or `play` and a card.
pub fn menu(
    board: &Board,
    window: PowerWindow,
    seat: Seat,
    passed: usize,
    faces: &Faces,
    menu: &mut Menu<'_>,
) -> Ask<Vec<Step>> {
    let plays = menu.branch(&[("pass|no card|none", false), ("play", true)], |plays| {
        if plays { can_answer(board, seat, window, faces) } else { Ok(()) }
    })?;
    if !plays {
        return Ok(vec![next(board, window, seat, passed + 1)]);
    }
    let mut steps = self::play(board, seat, window, faces, menu)?;
    // ▲23: after a card everybody is asked again, beginning with the next player.
    steps.push(next(board, window, seat, 0));
    Ok(steps)
}

/// Reads what follows `play` in this window: the card, and the choices it needs. Returns the steps that play it.
pub fn play(board: &Board, seat: Seat, window: PowerWindow, faces: &Faces, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
    let held = held(board, seat, faces);
    let card = held::choose(menu, &held, |card| allowed(board, seat, window, card))?;
    let choice = match card.power().expect("only Powers are allowed") {
        Power::StrategicWithdrawal => {
            menu.word("to")?;
            let to = menu.choose("territory", &Territory::ALL, |goal| {
                allowed_if(is_goal(board, goal), "8.6", || "it is not a territory of yours next to it".to_string())
            })?;
            Choice::Withdraw { to, leader: withdraws_leader(board, to) && menu.maybe("and leader|with leader")? }
        }
        Power::FaramirFindsTheRingbearer => {
            let ways = [("adding 2|plus 2|add 2", 2), ("taking 2|minus 2|subtracting 2", -2)];
            Choice::Roll(menu.branch(&ways, |_| Ok(()))?)
        }
        power => powers::own_turn_choice(board, seat, power, menu)?,
    };
    Ok(vec![played(menu, seat, card, choice)])
}

/// Whether this card can be played in this window.
fn allowed(board: &Board, seat: Seat, window: PowerWindow, card: Held) -> Allowed {
    unlocked(board, seat)?;
    match card.power() {
        Some(power) if power.window() == window => works(board, seat, power),
        Some(power) => barred("8.4", format!("it is played at another time: {}", power.window().words())),
        None => barred("8.3", "a Mission is completed, not played"),
    }
}

/// Whether the Power would have an effect now (▲24).
fn works(board: &Board, seat: Seat, power: Power) -> Allowed {
    match power {
        Power::StrategicWithdrawal => withdrawal_works(board),
        Power::ViolentStorms => allowed_if(
            board.invasion().is_some_and(|invasion| invasion.is_seaborne() && invasion.committed.is_some()),
            "6.4",
            || "no battalions are committed over the sea".to_string(),
        ),
        Power::KnifeInTheDark | Power::DangerousCrossing | Power::Gollum => {
            allowed_if(!board.march().gated, "11.2", || "a roll is needed already: one card is enough".to_string())
        }
        Power::CapturedByOrcs => only_in(board, power, "gorgoroth"),
        Power::ShelobsLair => only_in(board, power, "minas-morgul"),
        Power::ABalrogIsCome => only_in(board, power, "moria").and_then(|()| not_held(board)),
        Power::BoromirTriesToSeizeTheOneRing => not_held(board),
        _ => works_at_turn_start(board, seat, power),
    }
}

fn only_in(board: &Board, power: Power, id: &str) -> Allowed {
    let here = board.ring().name();
    allowed_if(here.id() == id, "11.2", || {
        let there = Territory::ALL.iter().find(|territory| territory.name().id() == id);
        let there = there.map_or(id, |territory| territory.name().title());
        format!("{} works only in {there}, and the Ring is in {}", power.name().title(), here.title())
    })
}

fn not_held(board: &Board) -> Allowed {
    allowed_if(!board.march().held, "▲24", || "the Fellowship is held this turn already".to_string())
}

/// Strategic Withdrawal needs at least 2 battalions, and an adjacent territory of the defender (▲24).
fn withdrawal_works(board: &Board) -> Allowed {
    let Some(invasion) = board.invasion() else {
        return barred("8.4", "nothing is being invaded");
    };
    if board.battalions(invasion.target) < 2 {
        return barred("▲24", "1 battalion must stay, and there is no other");
    }
    let goal = invasion.target.neighbours().iter().any(|goal| is_goal(board, *goal));
    allowed_if(goal, "▲24", || "no territory of yours is next to it".to_string())
}

/// Whether the territory is an adjacent one of the same owner. A blocked bridge stops only invading and fortifying, and
/// a withdrawal is neither.
fn is_goal(board: &Board, goal: Territory) -> bool {
    board
        .invasion()
        .is_some_and(|invasion| invasion.target.adjacent(goal) && board.holder(goal) == board.holder(invasion.target))
}

/// 8.6: a Leader may go along if the goal has none of the same owner.
fn withdraws_leader(board: &Board, to: Territory) -> bool {
    let from = board.invasion().expect("a card answers an invasion").target;
    board.holding(from).leader && !board.holding(to).leader
}

fn next(board: &Board, window: PowerWindow, seat: Seat, passed: usize) -> Step {
    Step::Card(CardStep::Window { window, seat: board.next_seat(seat), passed })
}

/// Goes on to the next seat, unless all have passed in a row.
pub fn pass(play: &mut Play, window: PowerWindow, seat: Seat, passed: usize) {
    if passed < play.board().seats().count() {
        let step = next(play.board(), window, seat, passed + 1);
        play.push(step);
    }
}
