//! The eight Nations (1.3).

use crate::side::Side;
use engine::listed::listed;
use engine::name::{Name, Named};
use std::sync::LazyLock;

listed! {
    /// A Nation. The five of the Free Peoples come first.
    Nation { Dwarves, Elves, Gondor, North, Rohan, Isengard, Sauron, Southrons }
}

impl Nation {
    /// The Nations of a side.
    pub fn of(side: Side) -> &'static [Nation] {
        match side {
            Side::Free => &Nation::ALL[..5],
            Side::Shadow => &Nation::ALL[5..],
        }
    }

    pub fn index(self) -> usize {
        self as usize
    }

    pub fn side(self) -> Side {
        if self.index() < 5 { Side::Free } else { Side::Shadow }
    }

    /// Its id.
    pub fn id(self) -> &'static str {
        match self {
            Nation::Dwarves => "dwarves",
            Nation::Elves => "elves",
            Nation::Gondor => "gondor",
            Nation::North => "north",
            Nation::Rohan => "rohan",
            Nation::Isengard => "isengard",
            Nation::Sauron => "sauron",
            Nation::Southrons => "southrons",
        }
    }

    /// The Nation with this id.
    pub fn of_id(id: &str) -> Option<Nation> {
        Nation::ALL.into_iter().find(|nation| nation.id() == id)
    }
}

static NAMES: LazyLock<Vec<Name>> = LazyLock::new(|| {
    vec![
        Name::new("dwarves", "the Dwarves", &["dwarven", "dwarf"]),
        Name::new("elves", "the Elves", &["elven", "elf", "elvish"]),
        Name::new("gondor", "Gondor", &["gondorian"]),
        Name::new("north", "the North", &["northern"]),
        Name::new("rohan", "Rohan", &["rohirrim"]),
        Name::new("isengard", "Isengard", &[]),
        Name::new("sauron", "Sauron", &["mordor"]),
        Name::new("southrons", "the Southrons & Easterlings", &["southron", "easterlings", "easterling", "SE"]),
    ]
});

impl Named for Nation {
    fn name(&self) -> &'static Name {
        &NAMES[self.index()]
    }
}
