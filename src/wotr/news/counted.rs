//! What can be counted of an event over a whole game, and the event's topic: for programs that read many events and
//! must not depend on their words.

use crate::board::place::Place;
use crate::combat_roll::Dice;
use crate::event::{Cause, Event, Move, battle, teams};
use crate::side::Side;
use serde_json::{Value, json};

/// What an event is about; `None` for events that only say where the game is.
pub(super) fn topic(event: &Event) -> Option<&'static str> {
    match event {
        Event::Turn(_) | Event::Won(_) => None,
        Event::Moved(moved) => Some(of_move(moved.cause)),
        Event::Dice(_) => Some("dice"),
        Event::Cards(_) | Event::Effect(_) => Some("cards"),
        Event::Teams(teams::Event::KeptCards { .. }) => Some("cards"),
        Event::Teams(_) => Some("moves"),
        Event::Battle(_) | Event::Capture(_) => Some("battles"),
        Event::Politics(_) => Some("politics"),
        Event::Fellowship(_) | Event::Hunt(_) => Some("hunt"),
    }
}

fn of_move(cause: Cause) -> &'static str {
    match cause {
        Cause::Marched | Cause::Travelled | Cause::Flew => "moves",
        Cause::Recruited | Cause::Entered | Cause::Replaced => "recruiting",
        Cause::Separated => "hunt",
        Cause::Lost
        | Cause::Reduced
        | Cause::Fallen
        | Cause::Eliminated
        | Cause::Retreated
        | Cause::Withdrew
        | Cause::Advanced
        | Cause::Freed
        | Cause::Disbanded => "battles",
    }
}

/// What is counted of an event: hits with their chances, and units lost.
pub(super) fn counted(event: &Event) -> Option<Value> {
    match event {
        Event::Battle(battle::Event::Struck { side, dice, .. } | battle::Event::Rolled { side, dice, .. }) => {
            Some(hits(*side, dice))
        }
        Event::Moved(moved) => lost(moved),
        _ => None,
    }
}

/// The hits of a roll, and for their chances the `sum` of hits and of their `squares` over all ways to roll these
/// dice, scaled to 36 `ways`.
fn hits(side: Side, dice: &Dice) -> Value {
    let (number, faces) = (u32::from(dice.count), u32::from(dice.faces_that_hit()));
    // Each die hits in `faces` of 6 cases: the mean is n·f/6, the variance n·f/6·(6−f)/6.
    json!({
        "is": "hits", "seat": side.id(), "hits": dice.hits(), "ways": 36, "sum": 6 * number * faces,
        "squares": number * faces * (6 - faces) + (number * faces).pow(2),
    })
}

/// The units that left an Army as losses. An Elite that becomes a Regular counts as one.
fn lost(moved: &Move) -> Option<Value> {
    let is_loss = match moved.cause {
        Cause::Lost | Cause::Fallen | Cause::Eliminated => true,
        // The Regular that takes the place of the Elite has a move of its own.
        Cause::Reduced => !matches!(moved.to, Place::Field(_) | Place::Inside(_)),
        _ => false,
    };
    let side = moved.figures.iter().next()?.0.side();
    let units = moved.figures.units(side);
    (is_loss && units > 0).then(|| json!({"is": "lost", "seat": side.id(), "units": units}))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(fallen: &[u32], needs: u8, bonus: i8, expected: [u32; 4]) {
        let told = hits(Side::Free, &Dice::of(fallen, needs, bonus));
        assert_eq!(["hits", "ways", "sum", "squares"].map(|key| told[key].as_u64().unwrap() as u32), expected);
    }

    #[test]
    fn hits_are_told_with_their_chances() {
        // One die that needs a 6: 1/6 of a hit on average, and the same for the square.
        case(&[6], 6, 0, [1, 36, 6, 6]);
        // Two dice that hit with 5 and 6: none in 16 of 36 ways, one in 16, two in 4.
        case(&[1, 2], 5, 0, [0, 36, 24, 32]);
        // A 1 never hits, whatever the bonus.
        case(&[1], 5, 4, [0, 36, 30, 30]);
    }
}
