//! How the events of the Hunt change the board (14).

use crate::board::Board;
use crate::board::hunt::InHand;
use crate::event::hunt::Event;
use crate::tile::Tiles;

/// Changes the Hunt by the event.
pub(super) fn evolve(board: &mut Board, event: &Event) {
    let pool = &mut board.pool;
    match *event {
        Event::Rolled { .. } | Event::NotRolled | Event::Prevented => {}
        Event::Drawn { in_hand } => {
            pool.pool.remove(in_hand.tile);
            pool.in_hand = Some(in_hand);
        }
        Event::DamageRolled { damage }
        | Event::Lessened { damage }
        | Event::Spared { damage, .. }
        | Event::Taken { damage, .. } => pool.in_hand_mut().damage = damage,
        Event::Betrayed { damage } => {
            pool.in_hand_mut().damage = damage;
            pool.in_hand_mut().gollum_reveals = true;
        }
        Event::Resolved | Event::TileDiscarded { .. } => {
            let InHand { tile, replaced, .. } = pool.in_hand.take().expect("a tile is being resolved");
            if let Some(first) = replaced {
                pool.pool.insert(first);
            }
            if Tiles::STANDARD.contains(tile) { pool.drawn.insert(tile) } else { pool.removed.insert(tile) }
        }
        Event::Refilled { tiles } => {
            pool.drawn = pool.drawn.without(tiles);
            pool.waiting = pool.waiting.without(tiles);
            pool.pool = pool.pool.or(tiles);
        }
        Event::Added { tile } => {
            pool.aside.remove(tile);
            if board.company.is_on_the_mordor_track() { pool.pool.insert(tile) } else { pool.waiting.insert(tile) }
        }
        Event::Removed { tiles } => {
            pool.pool = pool.pool.without(tiles);
            pool.removed = pool.removed.or(tiles);
        }
    }
}
