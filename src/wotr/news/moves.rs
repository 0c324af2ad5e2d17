//! What figures that went from one place to another tell.

use super::Telling;
use crate::wotr::board::place::Place;
use crate::wotr::event::{Cause, Move};
use crate::wotr::side::Side;
use crate::wotr::words::{self, figures, place, subject};

/// What a move tells.
pub(super) fn told(moved: &Move) -> Telling {
    let who = figures(&moved.figures);
    let (from, to) = (place(moved.from), place(moved.to));
    let side = side_of(moved);
    match moved.cause {
        Cause::Marched => Telling::event(format!("{} moved {who} from {from} to {to}.", subject(side))),
        Cause::Travelled => Telling::event(format!("{who} went from {from} to {to}.")),
        Cause::Flew => Telling::of_heap(format!("{} flew", subject(side)), format!("{who} from {from} to {to}")),
        Cause::Separated => Telling::event(format!("{who} left the Fellowship and came to {to}.")),
        Cause::Recruited => Telling::of_heap(format!("{} recruited", subject(side)), format!("{who} in {to}")),
        Cause::Entered => Telling::event(format!("{who} entered play in {to}.")),
        Cause::Replaced => match moved.to {
            Place::Field(_) | Place::Inside(_) => {
                let number: u8 = moved.figures.iter().map(|(_, number)| number).sum();
                let their = if number == 1 { "its" } else { "their" };
                Telling::event(format!("{who} came in {their} place in {to}."))
            }
            _ => Telling::event(format!("{who} made way in {from}.")),
        },
        Cause::Lost => one_by_one(format!("Losses of {}:", side.title()), moved, who),
        Cause::Reduced => match moved.to {
            // The Regular that takes the place of the Elite.
            Place::Field(_) | Place::Inside(_) => Telling::nothing(),
            _ => one_by_one(format!("{} reduced to Regulars:", subject(side)), moved, who),
        },
        Cause::Fallen => Telling::event(format!("{who} fell in {from}, where no unit was left.")),
        Cause::Eliminated => match moved.to {
            Place::Removed => Telling::event(format!("{who} is out of the game.")),
            _ => Telling::event(format!("Eliminated in {from}: {who}.")),
        },
        Cause::Retreated => Telling::event(format!("{who} retreated from {from} to {to}.")),
        Cause::Withdrew => {
            let region = moved.to.region().map_or("", words::title);
            Telling::event(format!("{who} went into the Stronghold of {region}."))
        }
        Cause::Advanced => Telling::event(format!("{who} advanced from {from} to {to}.")),
        Cause::Freed => {
            let region = moved.to.region().map_or("", words::title);
            Telling::event(format!("The siege over, {who} stood in {region} again."))
        }
        Cause::Disbanded => {
            Telling::of_heap(format!("{} removed over the limit", subject(side)), format!("{who} from {from}"))
        }
    }
}

/// Losses come one after the other: the number stands behind the unit when they are drawn together.
fn one_by_one(lead: String, moved: &Move, who: String) -> Telling {
    match moved.figures.iter().next() {
        Some((figure, 1)) => Telling::of_heap(lead, words::figure(figure)),
        _ => Telling::of_heap(lead, who),
    }
}

fn side_of(moved: &Move) -> Side {
    let first = moved.figures.iter().next();
    first.map_or(Side::Free, |(figure, _)| figure.side())
}
