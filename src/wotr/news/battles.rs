//! What a battle tells (9, 10).

use super::Telling;
use crate::board::Board;
use crate::board::battle::{Battle, Decision, Kind, Modifiers};
use crate::card::Card;
use crate::combat_roll::{Dice, Roll};
use crate::event::battle::Event;
use crate::nation::Nation;
use crate::side::Side;
use crate::words::{self, figures, subject, title};
use engine::plural;

/// What an event of a battle tells.
pub(super) fn told(board: &Board, event: &Event) -> Telling {
    match event {
        Event::Began(battle) => Telling::event(began(board, battle)),
        Event::RoundBegan { round } => Telling::note(format!("Round {round}.")),
        Event::FoughtInTheOpen => Telling::event("The defenders fought in the open."),
        Event::WhiteRider => Telling::event("Gandalf the White gave up his Leadership: the Nazgûl have no Leadership."),
        Event::Declined { side } => Telling::note(format!("{} laid no Combat card.", subject(*side))),
        Event::Sorcerer { .. } | Event::Ended => Telling::nothing(),
        Event::Revealed { .. } => Telling::nothing(),
        Event::Banned { .. }
        | Event::Cancelled { .. }
        | Event::NoEffect { .. }
        | Event::Forgone { .. }
        | Event::Modified { .. }
        | Event::Silenced { .. }
        | Event::Turned { .. }
        | Event::Confused { .. }
        | Event::Rescored { .. }
        | Event::Inflicted { .. } => Telling::event(by_card(event)),
        Event::Struck { card, side, dice } => Telling::roll(struck(*card, *side, dice)),
        Event::Rolled { side, roll, dice, leadership } => Telling::roll(rolled(*side, *roll, dice, *leadership)),
        Event::Pressed { side, round, reduced } => Telling::event(pressed(*side, *round, *reduced)),
        Event::Stood => Telling::event("The defenders stood."),
        Event::Decided(outcome) => Telling::event(decided(*outcome)),
        Event::Stayed => Telling::event("Nobody advanced."),
    }
}

fn began(board: &Board, battle: &Battle) -> String {
    let (side, part) = (words::owner(board, battle.attacker, &battle.part), figures(&battle.part));
    let (from, region) = (title(battle.from), title(battle.region));
    match battle.kind {
        Kind::Field if battle.has_landed() => format!("{side} attacked the defenders of {region} with {part}."),
        Kind::Field => format!("{side} attacked {region} from {from} with {part}."),
        Kind::Siege => format!("{side} assaulted the Stronghold of {region} with {part}."),
        Kind::Sortie => format!("{side} made a sortie from {region} with {part}."),
    }
}

fn rolled(side: Side, roll: Roll, dice: &Dice, leadership: u8) -> String {
    let fallen = words::faces(&dice.faces[..usize::from(dice.count)]);
    let bonus = match dice.bonus {
        0 => String::new(),
        bonus => format!(" ({})", signed(bonus)),
    };
    let hits = plural::counted(dice.hits(), "hit");
    let misses = if dice.count == 1 { "1 miss".to_string() } else { format!("{} misses", dice.count) };
    let what = match roll {
        Roll::Combat => format!("rolled {fallen}{bonus}"),
        Roll::Reroll => format!("re-rolled {misses} (Leadership {leadership}): {fallen}{bonus}"),
    };
    format!("{} {what}, needing {}: {hits}.", subject(side), dice.needs)
}

/// `+2`, `−1`.
fn signed(number: i8) -> String {
    let sign = if number < 0 { "−" } else { "+" };
    format!("{sign}{}", number.unsigned_abs())
}

/// What a Combat card did, its title first.
fn by_card(event: &Event) -> String {
    let (card, what) = match event {
        Event::Banned { side, by } => {
            return format!("{} may lay no Combat card in this round: {}.", subject(*side), by.title());
        }
        Event::Cancelled { side, by } => (by, format!("the Combat card of {} has no effect", side.title())),
        Event::NoEffect { card } => (card, "no effect".to_string()),
        Event::Forgone { card } => (card, "not used".to_string()),
        Event::Modified { card, side, modifiers } => (card, modified(*side, modifiers)),
        Event::Silenced { card, companion } => {
            let name = words::character(*companion);
            (card, format!("Leadership and abilities of {name} do not count in this round"))
        }
        Event::Turned { card, companion, misses } => {
            let (name, misses) = (words::character(*companion), misses_are_hits(*misses));
            (card, format!("the Leadership of {name} is forfeited, and {misses}"))
        }
        Event::Confused { card, ones } => {
            let hits = plural::counted(*ones, "hit");
            (card, format!("the 1s that the Shadow rolled are {hits} on its own Army"))
        }
        Event::Rescored { card, side, by } if *by < 0 => {
            let are = if *by == -1 { "is" } else { "are" };
            (card, format!("{} of {} {are} cancelled", plural::counted(by.unsigned_abs(), "hit"), side.title()))
        }
        Event::Rescored { card, side, by } => {
            (card, format!("{} more for {}", plural::counted(by.unsigned_abs(), "hit"), side.title()))
        }
        Event::Inflicted { card, on, hits } => {
            let own = if card.deck().side == *on { " of its own making" } else { "" };
            let take = if *on == Side::Free { "take" } else { "takes" };
            (card, format!("{} {take} {}{own}", on.title(), plural::counted(*hits, "hit")))
        }
        other => unreachable!("{other:?} is told by other words"),
    };
    format!("{}: {what}.", card.combat_title())
}

fn misses_are_hits(misses: u8) -> String {
    match misses {
        0 => "no miss becomes a hit".to_string(),
        1 => "1 miss becomes a hit".to_string(),
        misses => format!("{misses} misses become hits"),
    }
}

fn struck(card: Card, side: Side, dice: &Dice) -> String {
    let fallen = words::faces(&dice.faces[..usize::from(dice.count)]);
    let hits = plural::counted(dice.hits(), "hit");
    format!("{}: an extra attack of {}, {fallen}, needing {}: {hits}.", card.combat_title(), side.title(), dice.needs)
}

/// What changes for a side: `+1 to every die of the Combat roll of the Shadow`.
fn modified(side: Side, modifiers: &Modifiers) -> String {
    let Modifiers { combat_roll, reroll, dice_fewer, dice_most, leadership_fewer, no_reroll } = *modifiers;
    let (of, verb) = match side {
        Side::Free => ("the Free Peoples", "roll"),
        Side::Shadow => ("the Shadow", "rolls"),
    };
    let mut parts: Vec<String> = Vec::new();
    if leadership_fewer > 0 {
        let are = if leadership_fewer == 1 { "is" } else { "are" };
        parts.push(format!("{} of Leadership of {of} {are} forfeited", plural::counted(leadership_fewer, "point")));
    }
    match (combat_roll, reroll) {
        (0, 0) => {}
        (both, same) if both == same => parts.push(format!("{} to every die of {of}", signed(both))),
        (0, reroll) => parts.push(format!("{} to every die of {of} in the Leader re-roll", signed(reroll))),
        (combat_roll, _) => parts.push(format!("{} to every die of {of} in the Combat roll", signed(combat_roll))),
    }
    if dice_fewer > 0 {
        parts.push(format!("{of} {verb} {} fewer, but at least 1", words::dice(dice_fewer)));
    }
    if let Some(most) = dice_most {
        parts.push(format!("{of} {verb} {} at most", words::dice(most)));
    }
    if no_reroll {
        parts.push(format!("{of} re-{verb} no die for Leadership"));
    }
    words::and(&parts)
}

fn pressed(side: Side, round: u8, reduced: Option<Nation>) -> String {
    let pressed = format!("{} pressed on to round {}", subject(side), round + 1);
    match reduced {
        None => format!("{pressed}."),
        Some(nation) => format!("{pressed}, at the cost of 1 {} Elite.", words::of_nation(nation)),
    }
}

fn decided(outcome: Decision) -> String {
    let words = match outcome {
        Decision::Ceased => "The attackers stopped.",
        Decision::Retreated => "The defenders retreated: the battle is over.",
        Decision::Withdrew => "The defenders withdrew into the Stronghold.",
        Decision::DefenderGone => "The defenders are gone.",
        Decision::AttackerGone => "The attackers are gone.",
        Decision::BothGone => "No unit is left on either side.",
    };
    words.to_string()
}
