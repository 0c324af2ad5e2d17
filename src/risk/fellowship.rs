/*! Chapter 11, step 7: the Fellowship's move, and the final roll at Mount Doom. */

use crate::Play;
use crate::board::Board;
use crate::card::PowerWindow;
use crate::event::Event;
use crate::score;
use crate::step::Step;
use crate::territory::path;
use engine::need::{Draw, Need};

/// The roll needed to leave a territory with a die symbol, and to destroy the Ring (11.2, 11.3).
const ROLL_NEEDED: u32 = 4;

/// 11.2, 11.3: the points of step 7 in their order.
pub fn move_on(play: &mut Play) {
    if play.board().ring_at_mount_doom() {
        play.push(Step::FinalRoll);
        return;
    }
    play.then([Step::RollFellowship, Step::LeaveTerritory]);
    if !has_die(play.board()) {
        // Point 1: Knife in the Dark, Dangerous Crossing or Gollum may demand a roll.
        play.push(Step::OpenWindow(PowerWindow::FellowshipNoDie));
    }
}

/// Whether the territory of the Ring has a die symbol (2.5).
pub fn has_die(board: &Board) -> bool {
    path()[usize::from(board.ring_step() - 1)].die
}

/// Point 2: if a roll is needed, roll one die.
pub fn need_roll(board: &Board) -> Option<Need> {
    let needed = has_die(board) || board.march().gated;
    needed.then_some(Need::Draw(Draw::Dice { label: "fellowship", sides: 6, count: 1 }))
}

/// Point 3: cards may change the roll.
pub fn rolled(play: &mut Play, roll: u32) {
    play.tell(Event::FellowshipRolled { roll });
    play.push(Step::OpenWindow(PowerWindow::FellowshipAfterRoll));
}

/// Points 4 and 5: if it rolled 4 or more, or needs no roll, it may leave, unless a card holds it.
pub fn leave(play: &mut Play) {
    let needed = i32::try_from(ROLL_NEEDED).expect("4 is small");
    if play.board().march().result().is_none_or(|result| result >= needed) {
        play.then([Step::OpenWindow(PowerWindow::FellowshipLeaving), Step::Depart]);
    } else {
        stay(play);
    }
}

/// Point 6: if no card holds it, it moves exactly one step. 11.3: on arrival at Mount Doom the final roll is made at
/// once.
pub fn depart(play: &mut Play) {
    if play.board().march().held {
        stay(play);
        return;
    }
    advance(play);
    if play.board().ring_at_mount_doom() && play.board().switches().doom_roll_on_arrival {
        play.push(Step::FinalRoll);
    }
}

fn stay(play: &mut Play) {
    let step = play.board().ring_step();
    play.tell(Event::FellowshipStayed { step });
}

/// The Ring moves one step on its path, without a roll.
pub fn advance(play: &mut Play) {
    let step = play.board().ring_step() + 1;
    play.tell(Event::FellowshipMoved { step });
}

pub fn need_final_roll() -> Need {
    Need::Draw(Draw::Dice { label: "final roll", sides: 6, count: 1 })
}

/// 11.3: with 4, 5 or 6 the Ring is destroyed and the game ends; with 1, 2 or 3 it goes on.
pub fn final_roll(play: &mut Play, roll: u32) {
    let seat = play.board().active();
    play.tell(Event::FinalRollMade { seat, roll });
    if roll >= ROLL_NEEDED {
        score::ring_destroyed(play);
    }
}
