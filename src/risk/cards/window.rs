//! The windows in which Powers are played, and who is asked there (8.4).

use crate::engine::menu::{Ask, Menu, Stop};
use crate::engine::seat::Seat;
use crate::engine::slot::Faces;
use crate::risk::Play;
use crate::risk::board::Board;
use crate::risk::board::turn::Route;
use crate::risk::card::PowerWindow;
use crate::risk::step::Step;
use crate::risk::territory::Territory;

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

/// Opens a window in which other players are asked, clockwise from the active one, until all pass in a row: puts its
/// step on the agenda.
pub fn open(_: &mut Play, _: PowerWindow) {}

/// By what everybody can know, the seat might play something in this window of its own turn (turn start, after the
/// last invasion).
pub fn may_answer(_: &Board, _: Seat, _: PowerWindow) -> bool {
    false
}

/// The seat holds a Power, of those whose face is known, that it can play in this window now.
pub fn can_answer(_: &Board, _: Seat, _: PowerWindow, _: &Faces) -> bool {
    false
}

/// What is said after `play` in this window: the card, and what it needs to know. Gives the steps that play it.
pub fn play(_: &Board, _: Seat, _: PowerWindow, _: &Faces, _: &mut Menu<'_>) -> Ask<Vec<Step>> {
    Err(Stop::DeadEnd)
}

/// What the attacker plays as he names and declares an invasion (6.3 points 2 and 3).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Approach {
    /// Steps that play his cards before the invasion.
    pub before: Vec<Step>,
    /// Steps that play his cards as it is declared.
    pub declared: Vec<Step>,
    /// Battalions that the cards bring to the source.
    pub gained: u32,
}

/// What may be said after `attack TARGET from SOURCE`: nothing, or `playing CARD, CARD`. With a `route` under the
/// mountains, the card that opens it must be among them.
pub fn approach(_: &Board, _: (Territory, Territory), _: Route, _: &Faces, _: &mut Menu<'_>) -> Ask<Approach> {
    Ok(Approach::default())
}

/// Whether the active seat holds, of the cards whose face is known, The Way Is Under the Mountains.
pub fn knows_way_under_mountains(_: &Board, _: &Faces) -> bool {
    false
}
