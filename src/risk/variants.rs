/*! Chapter 14: Finding the Ring. The other changes of the variants are in the files of the chapters they change. */

use crate::Play;
use crate::board::{Board, Holder};
use crate::event::Event;
use crate::score;
use crate::side::Side;
use crate::switches::Variant;
use engine::need::{Draw, Need};
use engine::seat::Seat;

/// The least result that finds the Ring (14.3).
const FOUND: u32 = 12;

/// The evil player who looks for the Ring in every player's turn: the one who controls its territory (14.3, ▲31).
fn seeker(board: &Board) -> Option<Seat> {
    if board.switches().variant != Variant::Team {
        return None;
    }
    match board.holder(board.ring()) {
        Holder::Seat(seat) if board.side(seat) == Side::Evil => Some(seat),
        Holder::Seat(_) | Holder::Neutral | Holder::Nobody => None,
    }
}

pub fn need_search(board: &Board) -> Option<Need> {
    seeker(board)?;
    Some(Need::Draw(Draw::Dice { label: "finding the Ring", sides: 6, count: 2 }))
}

/// 14.3: 2 dice, +1 if he controls that whole region, +1 if a Leader of his is there. 12 or more: evil wins.
pub fn search(play: &mut Play, dice: [u32; 2]) {
    let board = play.board();
    let seat = seeker(board).expect("an evil player controls the territory of the Ring");
    let territory = board.ring();
    let region = board.controls_region(seat, territory.region());
    let bonus = u32::from(region) + u32::from(board.holding(territory).leader);
    play.tell(Event::RingSought { seat, dice, bonus });
    if dice[0] + dice[1] + bonus >= FOUND {
        score::ring_found(play);
    }
}
