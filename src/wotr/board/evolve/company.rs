//! How the events of the Fellowship change the board (13, 15).

use crate::board::Board;
use crate::event::fellowship::Event;

/// Changes the Fellowship by the event.
pub(super) fn evolve(board: &mut Board, event: &Event) {
    let company = &mut board.company;
    match *event {
        Event::Declared { region } => {
            company.declared = true;
            company.region = region;
            company.progress = 0;
        }
        Event::Advanced { to } => company.progress = to,
        Event::Travelled { to } | Event::Driven { to, .. } => company.region = to,
        Event::Emerged { .. } => company.progress = 0,
        Event::Turned { visibility } => company.visibility = visibility,
        Event::Corrupted { to, .. } => company.corruption = to,
        Event::GuideNamed { guide } => company.guide = guide,
        Event::Attempted => company.attempted = true,
        Event::Moved => company.moves += 1,
        Event::EnteredMordor => {
            company.mordor = Some(0);
            company.progress = 0;
        }
        Event::Stepped { to } => company.mordor = Some(to),
    }
}
