//! The Hunt tiles (14.1): 16 standard ones, and 8 special ones that Event cards put in play.

use engine::name::{Name, Named};
use engine::printed;
use serde::Deserialize;
use std::sync::LazyLock;

/// A Hunt tile, by its place in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tile(pub u8);

/// How many tiles there are.
pub const TILES: u8 = 24;

/// The colour of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Standard,
    SpecialFreePeoples,
    SpecialShadow,
}

/// 14.12: what a tile does to the Ring-bearers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The damage; negative numbers heal.
    Number(i8),
    Eye,
    /// One die, rolled when the tile is drawn.
    Die,
}

struct Printed {
    name: Name,
    kind: Kind,
    value: Value,
    reveal: bool,
    stop: bool,
}

#[derive(Deserialize)]
struct Line {
    id: String,
    kind: Kind,
    value: serde_json::Value,
    reveal: bool,
    stop: bool,
}

#[derive(Deserialize)]
struct File {
    hunt_tiles: Vec<Line>,
}

impl Tile {
    /// Every tile.
    pub fn all() -> impl Iterator<Item = Tile> {
        (0..TILES).map(Tile)
    }

    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    pub fn kind(self) -> Kind {
        self.printed().kind
    }

    pub fn value(self) -> Value {
        self.printed().value
    }

    /// 14.14: whether it reveals the Fellowship, as its last effect.
    pub fn reveals(self) -> bool {
        self.printed().reveal
    }

    /// 15.9: whether it stops the Fellowship from advancing on the Mordor Track.
    pub fn stops(self) -> bool {
        self.printed().stop
    }

    /// Its id.
    pub fn id(self) -> &'static str {
        self.printed().name.id()
    }

    /// The tile with this id.
    pub fn of_id(id: &str) -> Option<Tile> {
        Tile::all().find(|tile| tile.id() == id)
    }

    fn printed(self) -> &'static Printed {
        &PRINTED[self.index()]
    }
}

impl Named for Tile {
    fn name(&self) -> &'static Name {
        &self.printed().name
    }
}

/// A set of tiles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tiles(pub u32);

impl Tiles {
    /// The 16 standard tiles.
    pub const STANDARD: Tiles = Tiles(0xffff);
    /// The 8 special tiles.
    pub const SPECIAL: Tiles = Tiles(0xff_0000);
    /// The four standard Eyes.
    pub const EYES: Tiles = Tiles(0xf000);
    pub const NONE: Tiles = Tiles(0);

    pub fn contains(self, tile: Tile) -> bool {
        self.0 & (1 << tile.0) != 0
    }

    pub fn insert(&mut self, tile: Tile) {
        self.0 |= 1 << tile.0;
    }

    pub fn remove(&mut self, tile: Tile) {
        self.0 &= !(1 << tile.0);
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The tiles, in the order of the table.
    pub fn iter(self) -> impl Iterator<Item = Tile> {
        Tile::all().filter(move |tile| self.contains(*tile))
    }

    /// The tiles that are in both sets.
    pub fn and(self, others: Tiles) -> Tiles {
        Tiles(self.0 & others.0)
    }

    pub fn or(self, others: Tiles) -> Tiles {
        Tiles(self.0 | others.0)
    }

    pub fn without(self, others: Tiles) -> Tiles {
        Tiles(self.0 & !others.0)
    }
}

static PRINTED: LazyLock<Vec<Printed>> = LazyLock::new(|| {
    let file: File = printed::read(include_str!("data/setup.yaml"));
    assert_eq!(file.hunt_tiles.len(), usize::from(TILES), "every tile is printed");
    file.hunt_tiles.into_iter().map(printed).collect()
});

fn printed(line: Line) -> Printed {
    let value = match line.value.as_str() {
        Some("eye") => Value::Eye,
        Some("die") => Value::Die,
        _ => {
            let number = line.value.as_i64().expect("a tile shows a number, an Eye or a die");
            Value::Number(i8::try_from(number).expect("a small number"))
        }
    };
    let name = Name::new(&line.id, &line.id, &[]);
    Printed { name, kind: line.kind, value, reveal: line.reveal, stop: line.stop }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tiles_are_the_printed_ones() {
        assert!(Tile::all().all(|tile| Tiles::STANDARD.contains(tile) == (tile.kind() == Kind::Standard)));
        let eye = |tile: Tile| tile.kind() == Kind::Standard && tile.value() == Value::Eye;
        assert!(Tile::all().all(|tile| Tiles::EYES.contains(tile) == eye(tile)));
        assert_eq!(Tile::of_id("fp-phial").unwrap().value(), Value::Number(-2));
        assert_eq!(Tile::of_id("sh-shelobs-lair").unwrap().value(), Value::Die);
        assert_eq!(Tiles::STANDARD.iter().filter(|tile| tile.reveals()).count(), 9);
    }
}
