//! Nazgûl that fly by a card (6.14): any number of them, each once.

use crate::board::Board;
use crate::cards::march::Moved;
use crate::character::Character;
use crate::minions::{self, Flights, Who};
use crate::step::Step as Next;
use engine::menu::{Ask, Menu};

/// Whether any Nazgûl is on the map.
pub fn can_fly(board: &Board) -> bool {
    board.reinforcements().nazgul() < minions::NAZGUL || board.is_in_play(Character::WitchKing)
}

/// `2 nazgul morannon to dale, then witch-king to orthanc`: the flights, and the figures that may not move again by the
/// same card.
pub fn read(board: &Board, menu: &mut Menu<'_>) -> Ask<(Vec<Next>, Moved)> {
    let flights = menu.phrase(&Flights { board, who: Who::Nazgul })?;
    let mut moved = Moved::NOBODY;
    for flight in &flights {
        moved.add_flown(flight.to, &flight.figures);
    }
    Ok((flights.into_iter().map(minions::Flight::step).collect(), moved))
}

/// `fly 2 nazgul morannon to dale`, or `stay`.
pub fn menu(board: &Board, menu: &mut Menu<'_>) -> Ask<(Vec<Next>, Moved)> {
    let ways = [("fly|move|fly the nazgul|move nazgul", true), ("stay|nobody flies|nobody|none|no", false)];
    if menu.branch(&ways, |_| Ok(()))? { read(board, menu) } else { Ok((Vec::new(), Moved::NOBODY)) }
}
