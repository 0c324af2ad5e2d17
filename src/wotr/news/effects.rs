//! What the texts of Event cards did.

use crate::event::cards::Event;
use crate::news::Telling;
use crate::words;

/// An event of a card's text.
pub fn told(event: &Event) -> Telling {
    match event {
        Event::Lured { card, companion } => {
            Telling::roll(format!("{}: {}.", card.title(), words::character(*companion)))
        }
        Event::DieSpared => Telling::note("The Last Battle: the die stays out of the Hunt Box."),
        Event::Trapped { card, region } => Telling::event(format!(
            "{}: the Shadow Army in {} had nowhere to retreat and was destroyed.",
            card.title(),
            words::title(*region)
        )),
        Event::Idle { card } => Telling::note(format!("{} changed nothing.", card.title())),
        Event::Rolled { card, dice } => {
            let hits = match dice.hits() {
                0 => "nothing".to_string(),
                1 => "1 counts".to_string(),
                hits => format!("{hits} count"),
            };
            Telling::roll(format!(
                "{}: {} at {}+, {}: {hits}.",
                card.title(),
                words::dice(dice.count),
                dice.needs,
                words::faces(&dice.faces)
            ))
        }
        Event::Value { card, value } => Telling::roll(format!("{}: the die shows {value}.", card.title())),
        Event::Drawn { card, tiles } => {
            let shown: Vec<String> = tiles.iter().map(words::tile).collect();
            Telling::roll(format!("{}: the Hunt tiles drawn were {}.", card.title(), words::and(&shown)))
        }
    }
}
