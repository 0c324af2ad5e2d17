//! What a battle tells (9, 10).

use super::Telling;
use crate::wotr::battle::{Dice, Event, Modifiers, Outcome, Roll};
use crate::wotr::board::battle::{Battle, Kind};
use crate::wotr::nation::Nation;
use crate::wotr::side::Side;
use crate::wotr::words::{self, figures, subject, title};

/// What an event of a battle tells.
pub(super) fn told(event: &Event) -> Telling {
    match event {
        Event::Began(battle) => Telling::event(began(battle)),
        Event::RoundBegan { round } => Telling::note(format!("Round {round}.")),
        Event::FoughtInTheOpen => Telling::event("The defenders fought in the open."),
        Event::WhiteRider => Telling::event("Gandalf the White gave up his Leadership: the Nazgûl have none."),
        Event::Declined { side } => Telling::note(format!("{} laid no Combat card.", subject(*side))),
        Event::Sorcerer { .. } | Event::Ended => Telling::nothing(),
        Event::Modified { side, modifiers } => Telling::note(modified(*side, modifiers)),
        Event::Rolled { side, roll, dice } => Telling::roll(rolled(*side, *roll, dice)),
        Event::Pressed { reduced } => Telling::event(pressed(*reduced)),
        Event::Stood => Telling::event("The defenders stood."),
        Event::Decided(outcome) => Telling::event(decided(*outcome)),
        Event::Stayed => Telling::event("Nobody advanced."),
    }
}

fn began(battle: &Battle) -> String {
    let (side, part) = (subject(battle.attacker), figures(&battle.part));
    let (from, region) = (title(battle.from), title(battle.region));
    match battle.kind {
        Kind::Field => format!("{side} attacked {region} from {from} with {part}."),
        Kind::Siege => format!("{side} assaulted the Stronghold of {region} with {part}."),
        Kind::Sortie => format!("{side} made a sortie from {region} with {part}."),
    }
}

fn rolled(side: Side, roll: Roll, dice: &Dice) -> String {
    let fallen = words::faces(&dice.faces[..usize::from(dice.count)]);
    let bonus = if dice.bonus > 0 { format!(" (+{})", dice.bonus) } else { String::new() };
    let hits = words::counted(dice.hits(), "hit");
    let misses = if dice.count == 1 { "a miss".to_string() } else { format!("{} misses", dice.count) };
    let what = match roll {
        Roll::Combat => format!("rolled {fallen}{bonus}"),
        Roll::Reroll => format!("rolled {} again for Leadership: {fallen}{bonus}", misses),
    };
    format!("{} {what}, needing {}: {hits}.", subject(side), dice.needs)
}

fn modified(side: Side, modifiers: &Modifiers) -> String {
    let mut parts: Vec<String> = Vec::new();
    for (number, what) in [
        (modifiers.combat_roll, "to every die of the Combat roll"),
        (modifiers.reroll, "to every die of the Leader re-roll"),
    ] {
        if number > 0 {
            parts.push(format!("+{number} {what}"));
        }
    }
    if modifiers.dice_fewer > 0 {
        parts.push(format!("{} fewer", words::dice(modifiers.dice_fewer)));
    }
    if modifiers.leadership_fewer > 0 {
        parts.push(format!("{} Leadership less", modifiers.leadership_fewer));
    }
    if parts.is_empty() { String::new() } else { format!("{} this round: {}.", subject(side), words::and(&parts)) }
}

fn pressed(reduced: Option<Nation>) -> String {
    match reduced {
        None => "The attack went on.".to_string(),
        Some(nation) => format!("The assault went on, at the price of a {} Elite.", words::of_nation(nation)),
    }
}

fn decided(outcome: Outcome) -> String {
    let words = match outcome {
        Outcome::Ceased => "The attack ceased.",
        Outcome::Retreated => "The defenders retreated: the battle is over.",
        Outcome::Withdrew => "The defenders withdrew into the Stronghold.",
        Outcome::DefenderGone => "The defenders are gone.",
        Outcome::AttackerGone => "The attackers are gone.",
        Outcome::BothGone => "Nobody is left on either side.",
    };
    words.to_string()
}
