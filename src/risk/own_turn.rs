//! What may be said at several questions of the player's own turn: Missions, cards, and whether to be asked for
//! defence dice.

use crate::board::Board;
use crate::board::player::DefenceWish;
use crate::card::PowerWindow;
use crate::cards::{missions, window};
use crate::step::Step;
use crate::switches::DefenderDice;
use engine::menu::{Ask, Menu};
use engine::refusal::{Allowed, allowed_if, barred};
use engine::slot::Faces;

/// What a sentence of the player's own turn does, by its first words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    Place,
    Trade,
    PlayAtTurnStart,
    PlayAfterInvasions,
    Complete,
    AskMe,
    DoNotAskMe,
    Attack,
    Again,
    ChangeSource,
    CallOff,
    Fortify,
    Done,
    EndTurn,
}

pub const ASK_ME: (&str, Deed) = ("ask me for dice", Deed::AskMe);
pub const DO_NOT_ASK_ME: (&str, Deed) = ("do not ask me for dice|don't ask me for dice", Deed::DoNotAskMe);

/// Whether a deed that belongs to no single chapter may be done.
pub fn allowed(board: &Board, deed: Deed, faces: &Faces) -> Allowed {
    let seat = board.active();
    let wish = |wish: DefenceWish| {
        if board.switches().defender_dice == DefenderDice::Ask {
            return barred("6.4", "in this game every defender is asked");
        }
        allowed_if(board.player(seat).defence != wish, "6.4", || "that is what you have chosen already".to_string())
    };
    match deed {
        Deed::PlayAtTurnStart => window::can_answer(board, seat, PowerWindow::TurnStart, faces),
        Deed::PlayAfterInvasions => window::can_answer(board, seat, PowerWindow::AfterLastInvasion, faces),
        Deed::Complete => missions::can_complete(board, seat, faces),
        Deed::AskMe => wish(DefenceWish::Ask),
        Deed::DoNotAskMe => wish(DefenceWish::Max),
        Deed::Place
        | Deed::Trade
        | Deed::Attack
        | Deed::Again
        | Deed::ChangeSource
        | Deed::CallOff
        | Deed::Fortify
        | Deed::Done
        | Deed::EndTurn => Ok(()),
    }
}

/// Reads the rest of a sentence whose deed belongs to no single chapter, and gives its steps.
pub fn said(board: &Board, deed: Deed, faces: &Faces, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
    let seat = board.active();
    match deed {
        Deed::PlayAtTurnStart => window::play(board, seat, PowerWindow::TurnStart, faces, menu),
        Deed::PlayAfterInvasions => window::play(board, seat, PowerWindow::AfterLastInvasion, faces, menu),
        Deed::Complete => missions::complete(board, seat, faces, menu),
        Deed::AskMe => Ok(vec![Step::WishDefence(DefenceWish::Ask)]),
        Deed::DoNotAskMe => Ok(vec![Step::WishDefence(DefenceWish::Max)]),
        Deed::EndTurn => Ok(vec![Step::EndDeeds]),
        Deed::Place
        | Deed::Trade
        | Deed::Attack
        | Deed::Again
        | Deed::ChangeSource
        | Deed::CallOff
        | Deed::Fortify
        | Deed::Done => unreachable!("{deed:?} belongs to its chapter"),
    }
}
