//! The words for things in sentences, shared by view, news and questions.

use crate::board::Board;
use crate::board::place::Place;
use crate::character::Character;
use crate::die::Face;
use crate::figures::{Figure, Figures};
use crate::nation::Nation;
use crate::player::Player;
use crate::region::Region;
use crate::side::Side;
use crate::tile::{Tile, Value};
use engine::name::Named;
use engine::plural;
use engine::seat::Seat;

/// The printed name of a region: `Minas Tirith`.
pub fn title(region: Region) -> &'static str {
    region.title()
}

/// A Character in a sentence: `Meriadoc`, `the Witch-king`.
pub fn character(character: Character) -> &'static str {
    match character {
        Character::Meriadoc => "Meriadoc",
        Character::Peregrin => "Peregrin",
        Character::WitchKing => "the Witch-king",
        Character::MouthOfSauron => "the Mouth of Sauron",
        _ => character.name().title(),
    }
}

/// A Character in a table, without an article.
pub fn brief(one: Character) -> &'static str {
    character(one).trim_start_matches("the ")
}

/// The Guide of the Fellowship (13.20).
pub fn guide(guide: Option<Character>) -> &'static str {
    guide.map_or("Gollum", character)
}

/// The side as the subject of a sentence: `The Shadow`.
pub fn subject(side: Side) -> &'static str {
    match side {
        Side::Free => "The Free Peoples",
        Side::Shadow => "The Shadow",
    }
}

/// A player at the beginning of a sentence: `The Rohan player`, `The Free Peoples`.
pub fn actor(player: Player) -> String {
    begin(player.title())
}

/// The owner of these figures of a side, at the beginning of a sentence: the player who has all their units and
/// Leaders, otherwise the side: `The Rohan player`, `The Shadow`.
pub fn owner(board: &Board, side: Side, figures: &Figures) -> String {
    let owners = |player: &&Player| player.nations().iter().any(|nation| figures.bound_by(*nation) > 0);
    let mut owners = board.seating().team(side).iter().filter(owners);
    match (owners.next(), owners.next()) {
        (Some(only), None) => actor(*only),
        _ => subject(side).to_string(),
    }
}

/// The verb `have` for a side.
pub fn has(side: Side) -> &'static str {
    match side {
        Side::Free => "have",
        Side::Shadow => "has",
    }
}

/// A Nation before its figures: `Dwarven`.
pub fn of_nation(nation: Nation) -> &'static str {
    match nation {
        Nation::Dwarves => "Dwarven",
        Nation::Elves => "Elven",
        Nation::Gondor => "Gondor",
        Nation::North => "North",
        Nation::Rohan => "Rohan",
        Nation::Isengard => "Isengard",
        Nation::Sauron => "Sauron",
        Nation::Southrons => "Southron",
    }
}

/// A Nation by itself, in a table: `Southrons`.
pub fn nation(nation: Nation) -> &'static str {
    match nation {
        Nation::Dwarves => "Dwarves",
        Nation::Elves => "Elves",
        Nation::Southrons => "Southrons",
        _ => of_nation(nation),
    }
}

/// A Nation within a sentence: `the Dwarves`, `the North`, `Gondor`.
pub fn the_nation(one: Nation) -> String {
    match one {
        Nation::Dwarves | Nation::Elves | Nation::Southrons | Nation::North => format!("the {}", nation(one)),
        Nation::Gondor | Nation::Rohan | Nation::Isengard | Nation::Sauron => nation(one).to_string(),
    }
}

/// `the Dwarves are`, `Gondor is`.
pub fn nation_is(nation: Nation) -> String {
    let verb = match nation {
        Nation::Dwarves | Nation::Elves | Nation::Southrons => "are",
        Nation::Gondor | Nation::North | Nation::Rohan | Nation::Isengard | Nation::Sauron => "is",
    };
    format!("{} {verb}", the_nation(nation))
}

/// `the Dwarves are not yours` (17.25).
pub fn not_yours(nation: Nation) -> String {
    format!("{} not yours", nation_is(nation))
}

/// Why the single player of the Free Peoples may not do that now (17.40).
pub fn twice_on(nation: Nation) -> String {
    format!("your last action was on {} too", the_nation(nation))
}

/// The face of a die: `Will of the West`.
pub fn face(face: Face) -> &'static str {
    face.name().title()
}

/// The text with a capital letter.
pub fn begin(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// `no dice`, `1 die`, `3 dice`.
pub fn dice(number: u8) -> String {
    match number {
        0 => "no dice".to_string(),
        1 => "1 die".to_string(),
        _ => format!("{number} dice"),
    }
}

/// `no unused dice`, `1 unused die`, `3 unused dice`.
pub fn counted_dice(number: u8, which: &str) -> String {
    match number {
        0 => format!("no {which} dice"),
        1 => format!("1 {which} die"),
        _ => format!("{number} {which} dice"),
    }
}

/// The faces of dice: `6 5 2`. Dice that were not rolled are 0 and left out.
pub fn faces(faces: &[u8]) -> String {
    let fallen: Vec<String> = faces.iter().filter(|face| **face > 0).map(u8::to_string).collect();
    fallen.join(" ")
}

/// `a`, `a and b`, `a, b and c`.
pub fn and(things: &[impl AsRef<str>]) -> String {
    match things {
        [] => "nobody".to_string(),
        [only] => only.as_ref().to_string(),
        [before @ .., last] => {
            let before: Vec<&str> = before.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", before.join(", "), last.as_ref())
        }
    }
}

/// `a`, `a or b`, `a, b or c`.
pub fn or(things: &[&str]) -> String {
    match things {
        [] => "nothing".to_string(),
        [only] => (*only).to_string(),
        [before @ .., last] => format!("{} or {last}", before.join(", ")),
    }
}

/// A unit, Leader or Nazgûl without its number: `Sauron Elite`.
pub fn figure(figure: Figure) -> String {
    match figure {
        Figure::Regular(nation) => format!("{} Regular", of_nation(nation)),
        Figure::Elite(nation) => format!("{} Elite", of_nation(nation)),
        Figure::Leader(nation) => format!("{} Leader", of_nation(nation)),
        Figure::Nazgul => "Nazgûl".to_string(),
        Figure::Character(one) => character(one).to_string(),
    }
}

/// A number of figures of a kind: `3 Sauron Regulars`, `2 Nazgûl`, `the Witch-king`.
pub fn some(kind: Figure, number: u8) -> String {
    match kind {
        Figure::Regular(_) | Figure::Elite(_) | Figure::Leader(_) => plural::counted(number, &figure(kind)),
        Figure::Nazgul => format!("{number} Nazgûl"),
        Figure::Character(_) => figure(kind),
    }
}

/// Figures in a sentence: `3 Sauron Regulars, 1 Sauron Elite, 2 Nazgûl and the Witch-king`.
pub fn figures(figures: &Figures) -> String {
    let all: Vec<String> = figures.iter().map(|(kind, number)| some(kind, number)).collect();
    and(&all)
}

/// The figures of a side in the battle, in short; `nobody` if none are left.
pub fn fighters(board: &Board, side: Side) -> String {
    let figures = board.fighters(side);
    if figures.is_empty() { "nobody".to_string() } else { short(&figures) }
}

/// Figures in a table: `Gondor 3r 1e 1L, North 1r, 2 Nazgûl, Boromir`.
pub fn short(figures: &Figures) -> String {
    let mut words: Vec<String> = Vec::new();
    for owner in Nation::ALL {
        let leaders = if owner.side() == Side::Free { figures.count(Figure::Leader(owner)) } else { 0 };
        let numbers =
            [(figures.count(Figure::Regular(owner)), 'r'), (figures.count(Figure::Elite(owner)), 'e'), (leaders, 'L')];
        let some: Vec<String> =
            numbers.iter().filter(|(number, _)| *number > 0).map(|(number, rank)| format!("{number}{rank}")).collect();
        if !some.is_empty() {
            words.push(format!("{} {}", nation(owner), some.join(" ")));
        }
    }
    if figures.nazgul() > 0 {
        words.push(format!("{} Nazgûl", figures.nazgul()));
    }
    words.extend(figures.characters().map(|one| brief(one).to_string()));
    words.join(", ")
}

/// A place in a sentence: `Minas Tirith`, `besieged Minas Tirith`.
pub fn place(place: Place) -> String {
    match place {
        Place::Field(region) => title(region).to_string(),
        Place::Inside(region) => format!("besieged {}", title(region)),
        Place::Reinforcements => "the reinforcements".to_string(),
        Place::Casualties => "the casualties".to_string(),
        Place::Removed => "nowhere".to_string(),
        Place::Aside => "aside".to_string(),
        Place::Fellowship => "the Fellowship".to_string(),
    }
}

/// The face of a tile: `2 with Reveal`, `Eye with Reveal`, `a die with Stop`.
pub fn tile(tile: Tile) -> String {
    let value = match tile.value() {
        Value::Number(number) if number < 0 => format!("−{}", number.unsigned_abs()),
        Value::Number(number) => number.to_string(),
        Value::Eye => "Eye".to_string(),
        Value::Die => "a die".to_string(),
    };
    match (tile.reveals(), tile.stops()) {
        (false, false) => value,
        (true, false) => format!("{value} with Reveal"),
        (false, true) => format!("{value} with Stop"),
        (true, true) => format!("{value} with Reveal and Stop"),
    }
}

/// The name of a seat, as in charters.
pub fn seat(board: &Board, seat: Seat) -> &'static str {
    board.player(seat).map_or("", Player::id)
}
