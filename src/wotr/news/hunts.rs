//! What the Fellowship and the Hunt tell (13 to 15).

use super::Telling;
use crate::board::company::Visibility;
use crate::board::hunt::{Cause, Dice, InHand, Victim};
use crate::event::fellowship;
use crate::event::hunt::Event;
use crate::tile::{Kind, Value};
use crate::words::{self, character, guide, title};
use engine::plural;

/// What an event of the Fellowship tells.
pub(super) fn fellowship(event: fellowship::Event) -> Telling {
    use fellowship::Event;
    match event {
        Event::Declared { region } => Telling::event(format!("The Fellowship was declared in {}.", title(region))),
        Event::Advanced { to } => Telling::event(format!("The Fellowship moved: Progress {to}.")),
        Event::Driven { to, by } => Telling::event(format!("{} drove the Ring-bearers to {}.", by.title(), title(to))),
        Event::Travelled { to } => Telling::of_heap("The Ring-bearers went on to", title(to)),
        Event::Emerged { region } => {
            Telling::event(format!("The Ring-bearers are in {}; Progress is 0 again.", title(region)))
        }
        Event::Turned { visibility: Visibility::Revealed } => Telling::event("The Fellowship was revealed."),
        Event::Turned { visibility: Visibility::Hidden } => Telling::event("The Fellowship hid."),
        Event::Corrupted { from, to } => {
            let verb = if from < to { "rises" } else { "falls" };
            Telling::event(format!("Corruption {verb} to {to}."))
        }
        Event::GuideNamed { guide: named } => Telling::event(format!("{} is now the Guide.", guide(named))),
        Event::Attempted | Event::Moved => Telling::nothing(),
        Event::EnteredMordor => Telling::event("The Fellowship entered Mordor."),
        Event::Stepped { to } => Telling::event(format!("The Fellowship is on step {to} of the Mordor Track.")),
    }
}

/// What an event of the Hunt tells.
pub(super) fn hunt(event: &Event) -> Telling {
    match event {
        Event::NotRolled => Telling::note("No Shadow die is in the Hunt Box: there is no Hunt."),
        Event::Rolled { dice, rerolled, bonus, successes } => Telling::roll(rolled(dice, rerolled, *bonus, *successes)),
        Event::Drawn { in_hand } => Telling::roll(drawn(in_hand)),
        Event::TileDiscarded { card } => Telling::event(format!("{} discards the tile without effect.", card.title())),
        Event::DamageRolled { damage } => Telling::roll(format!("Rolled for the die tile: {damage} damage.")),
        Event::Prevented => Telling::event("No Hunt tile was drawn."),
        Event::Lessened { damage } => Telling::event(format!("The Hunt damage is 1 less: {damage}.")),
        Event::Spared { guide, damage } => {
            Telling::event(format!("{} led the hunters away: {damage} damage left.", character(*guide)))
        }
        Event::Betrayed { damage } => Telling::event(format!("Gollum gave the Fellowship away: {damage} damage left.")),
        Event::Taken { companion, victim, damage } => {
            let how = match victim {
                Victim::Guide => "The Guide was taken",
                Victim::Random => "A random Companion was taken",
            };
            let level = companion.level();
            Telling::event(format!("{how}: {}, Level {level}: {damage} damage left.", character(*companion)))
        }
        Event::Resolved => Telling::nothing(),
        Event::Refilled { tiles } => {
            Telling::note(format!("{} went into the Hunt Pool.", plural::counted(tiles.len(), "tile")))
        }
        Event::Added { tile } => Telling::event(format!("A special tile came into play: {}.", words::tile(*tile))),
        Event::Removed { tiles } => {
            Telling::event(format!("{} left the Hunt Pool for good.", plural::counted(tiles.len(), "Hunt tile")))
        }
    }
}

fn rolled(dice: &Dice, rerolled: &Dice, bonus: u8, successes: u8) -> String {
    let plus = if bonus > 0 { format!(" (+{bonus})") } else { String::new() };
    let again = match words::faces(rerolled) {
        none if none.is_empty() => String::new(),
        some => format!(", re-rolled {some}"),
    };
    let came = match successes {
        0 => "no success".to_string(),
        1 => "1 success".to_string(),
        many => format!("{many} successes"),
    };
    format!("The Hunt rolled {}{again}{plus}: {came}.", words::faces(dice))
}

fn drawn(in_hand: &InHand) -> String {
    let place = if in_hand.replaced.is_some() { " in its place" } else { "" };
    let why = match in_hand.cause {
        Cause::Roll { .. } | Cause::Mordor => String::new(),
        Cause::Card(card) => format!(" for {}", card.title()),
        Cause::Stronghold(region) => format!(" for {}", title(region)),
    };
    let tile = words::tile(in_hand.tile);
    let special = if in_hand.tile.kind() == Kind::Standard { "" } else { " (special)" };
    let damage = match in_hand.tile.value() {
        Value::Eye => format!(": {} damage", in_hand.damage),
        Value::Number(_) | Value::Die => String::new(),
    };
    format!("Hunt tile{place}{why}: {tile}{special}{damage}.")
}
