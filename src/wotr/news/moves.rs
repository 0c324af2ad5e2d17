//! What moves of figures tell.

use super::Telling;
use crate::board::Board;
use crate::board::place::Place;
use crate::event::{Cause, Move};
use crate::side::Side;
use crate::words::{self, figures, place, subject};

/// What a move tells.
pub(super) fn told(board: &Board, moved: &Move) -> Telling {
    let who = figures(&moved.figures);
    let (from, to) = (place(moved.from), place(moved.to));
    let side = side_of(moved);
    let owner = words::owner(board, side, &moved.figures);
    match moved.cause {
        Cause::Marched => Telling::event(format!("{owner} moved {who} from {from} to {to}.")),
        Cause::Travelled => Telling::event(format!("{who} went from {from} to {to}.")),
        Cause::Flew => Telling::of_heap(format!("{} flew", subject(side)), format!("{who} from {from} to {to}")),
        Cause::Separated => Telling::event(format!("{who} left the Fellowship and came to {to}.")),
        Cause::Recruited => Telling::of_heap(format!("{owner} recruited"), format!("{who} in {to}")),
        Cause::Entered => Telling::event(format!("{who} entered play in {to}.")),
        Cause::Replaced => match moved.to {
            Place::Field(_) | Place::Inside(_) => {
                let their = if is_one(moved) { "its" } else { "their" };
                Telling::event(format!("{who} took {their} place in {to}."))
            }
            _ => {
                let was = if is_one(moved) { "was" } else { "were" };
                Telling::event(format!("{who} {was} replaced in {from}."))
            }
        },
        Cause::Lost => match sole_unit(moved) {
            Some(unit) => Telling::of_counted(format!("{} lost", subject(side)), who, format!("{unit}s")),
            None => Telling::of_heap(format!("{} lost", subject(side)), who),
        },
        Cause::Reduced => match moved.to {
            // The Regular that replaces the Elite.
            Place::Field(_) | Place::Inside(_) => Telling::nothing(),
            _ => match sole_unit(moved) {
                // All hits that an Army takes are told in one sentence.
                Some(unit) => {
                    let (one, many) = (format!("1 {unit} (now a Regular)"), format!("{unit}s (now Regulars)"));
                    Telling::of_counted(format!("{} lost", subject(side)), one, many)
                }
                None => Telling::of_heap(format!("{} lost", subject(side)), format!("{who} (now Regulars)")),
            },
        },
        Cause::Fallen => Telling::event(format!("{who} fell in {from}, where no unit was left.")),
        Cause::Eliminated => match moved.to {
            Place::Removed => Telling::event(format!("{who} is out of the game.")),
            _ => Telling::event(format!("Eliminated in {from}: {who}.")),
        },
        Cause::Retreated => Telling::event(format!("{who} retreated from {from} to {to}.")),
        Cause::Withdrew => {
            let region = moved.to.region().map_or("", words::title);
            Telling::event(format!("{who} withdrew into {region}."))
        }
        Cause::Advanced => Telling::event(format!("{who} advanced from {from} to {to}.")),
        Cause::Freed => {
            let region = moved.to.region().map_or("", words::title);
            let (is, hold) = if is_one(moved) { ("is", "holds") } else { ("are", "hold") };
            match moved.figures.units(side) {
                0 => Telling::event(format!("The siege is over; {who} {is} left in {region}.")),
                _ => Telling::event(format!("The siege is lifted; {who} {hold} {region}.")),
            }
        }
        Cause::Disbanded => {
            let lead = format!("Over the stacking limit, {} removed", side.title());
            Telling::of_heap(lead, format!("{who} from {from}"))
        }
    }
}

/// The unit that moved, if it is a single one: losses are told one by one, and counted.
fn sole_unit(moved: &Move) -> Option<String> {
    let (figure, _) = moved.figures.iter().next().filter(|_| is_one(moved))?;
    figure.is_unit().then(|| words::figure(figure))
}

fn is_one(moved: &Move) -> bool {
    moved.figures.iter().map(|(_, number)| number).sum::<u8>() == 1
}

fn side_of(moved: &Move) -> Side {
    let first = moved.figures.iter().next();
    first.map_or(Side::Free, |(figure, _)| figure.side())
}
