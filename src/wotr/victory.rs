//! Victory (16): four conditions. The first two apply at once, the others in phase 6.

use crate::Table;
use crate::board::Board;
use crate::board::company::TRACK_END;
use crate::board::victory::Victory;
use crate::event::Event;
use crate::player::Player;
use crate::side::Side;
use engine::outcome::Outcome;
use std::fmt;

/// 16.4: the points with which the Shadow wins.
const CONQUEST: u8 = 10;
/// 16.5: the points with which the Free Peoples win.
const BANISHMENT: u8 = 4;

/// What this chapter does on the agenda.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Phase 6.
    Check,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("victory check")
    }
}

/// The points with which a side wins in phase 6 (16.4, 16.5).
pub fn points_needed(side: Side) -> u8 {
    match side {
        Side::Free => BANISHMENT,
        Side::Shadow => CONQUEST,
    }
}

/// 16.2: with 12 Corruption the Shadow wins at once, at any moment.
pub fn check_corruption(play: &mut Table) {
    if play.board().company().corruption() >= TRACK_END && play.board().victory().is_none() {
        play.tell(Event::Won(Victory::Corruption));
    }
}

/// 16.3: the figure is at the Crack of Doom, and the whole move is done.
pub fn check_crack_of_doom(play: &mut Table) {
    let board = play.board();
    let steps = board.switches().number(crate::switches::Choice::MovesToDoom);
    let arrived = board.company().mordor().is_some_and(|step| step >= steps);
    if arrived && board.company().corruption() < TRACK_END && board.victory().is_none() {
        play.tell(Event::Won(Victory::RingDestroyed));
    }
}

/// Phase 6. 16.6: a victory of the Shadow is checked first.
pub fn perform(play: &mut Table, step: Step) {
    let Step::Check = step;
    if play.board().points(Side::Shadow) >= CONQUEST {
        play.tell(Event::Won(Victory::Conquest));
    } else if play.board().points(Side::Free) >= BANISHMENT {
        play.tell(Event::Won(Victory::Banishment));
    }
}

/// How the game ended; `None` while it goes on.
pub fn outcome(board: &Board) -> Option<Outcome> {
    let victory = board.victory()?;
    let seating = board.seating();
    let (side, seat) = (victory.winner(), |player: &Player| seating.seat(*player));
    // A player who plays a whole side has its points; a player of a team has his score within it.
    let points_of = |player: &Player| {
        if seating.is_shared(player.side()) { board.score(*player) } else { i32::from(board.points(player.side())) }
    };
    let points = seating.players().iter().map(|player| (seat(player), points_of(player))).collect();
    // 17.43: the team wins; the player who is first within it is named first.
    let mut winners = seating.team(side).to_vec();
    winners.sort_by_key(|player| match side {
        Side::Free => board.score(*player),
        Side::Shadow => -board.score(*player),
    });
    let reason = format!("{}{}", victory.reason(), within_team(board, &winners));
    Some(Outcome { winners: winners.iter().map(seat).collect(), reason, points })
}

/// 17.44 to 17.46: who is first within the team that has won.
fn within_team(board: &Board, winners: &[Player]) -> String {
    let [first, second] = winners else { return String::new() };
    let (best, other) = (board.score(*first), board.score(*second));
    if best == other {
        format!("; {} and {} are equal, with {best}", first.title(), second.title())
    } else {
        format!("; {} is first, with {best} to {other}", first.title())
    }
}
