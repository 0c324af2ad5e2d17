//! An Action die (4): what it shows, and where it goes after its action.

use crate::side::Side;
use engine::name::{Name, Named};
use std::sync::LazyLock;

/// What an Action die shows (4.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Face {
    Character,
    Army,
    Muster,
    ArmyMuster,
    Event,
    /// A Will of the West.
    Will,
    Eye,
}

impl Face {
    pub const ALL: [Face; 7] =
        [Face::Character, Face::Army, Face::Muster, Face::ArmyMuster, Face::Event, Face::Will, Face::Eye];

    pub fn index(self) -> usize {
        self as usize
    }

    /// Its id.
    pub fn id(self) -> &'static str {
        match self {
            Face::Character => "character",
            Face::Army => "army",
            Face::Muster => "muster",
            Face::ArmyMuster => "army-muster",
            Face::Event => "event",
            Face::Will => "will",
            Face::Eye => "eye",
        }
    }

    /// The face with this id.
    pub fn of_id(id: &str) -> Option<Face> {
        Face::ALL.into_iter().find(|face| face.id() == id)
    }
}

static NAMES: LazyLock<Vec<Name>> = LazyLock::new(|| {
    vec![
        Name::new("character", "Character", &["char", "sword"]),
        Name::new("army", "Army", &[]),
        Name::new("muster", "Muster", &[]),
        Name::new("army-muster", "Army/Muster", &["muster army", "hybrid"]),
        Name::new("event", "Event", &["palantir"]),
        Name::new("will", "Will of the West", &["will of the west", "wotw"]),
        Name::new("eye", "Eye", &[]),
    ]
});

impl Named for Face {
    fn name(&self) -> &'static Name {
        &NAMES[self.index()]
    }
}

/// The six faces of a side's die (4.9).
pub fn faces_of(side: Side) -> [Face; 6] {
    match side {
        Side::Free => [Face::Character, Face::Character, Face::Muster, Face::ArmyMuster, Face::Event, Face::Will],
        Side::Shadow => [Face::Character, Face::Army, Face::Muster, Face::ArmyMuster, Face::Event, Face::Eye],
    }
}

/// Where a die goes after its action (4.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// Set aside until phase 1.
    SetAside,
    /// Into the Hunt Box, because it moved the Fellowship.
    HuntBox,
}
