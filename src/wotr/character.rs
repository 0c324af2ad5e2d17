//! The Characters (6) and what is printed on their cards. What they may do is in
//! [`characters`](crate::characters).

use crate::nation::Nation;
use crate::side::Side;
use engine::listed::listed;
use engine::name::{Name, Named};
use engine::printed;
use serde::Deserialize;
use std::sync::LazyLock;

listed! {
    /// A Companion or a Minion (1.11). Gollum is not among them: he is the Guide when no Companion is left (1.14).
    Character {
        GandalfTheGrey, Strider, Boromir, Legolas, Gimli, Meriadoc, Peregrin, Aragorn, GandalfTheWhite, Saruman,
        WitchKing, MouthOfSauron,
    }
}

use Character::{Meriadoc, Peregrin, Saruman};

/// Which Nations a Companion can activate (12.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activates {
    Nobody,
    Any,
    Only(Nation),
}

impl Character {
    /// The Characters of a side: the Companions or the Minions.
    pub fn of(side: Side) -> &'static [Character] {
        match side {
            Side::Free => &Character::ALL[..9],
            Side::Shadow => &Character::ALL[9..],
        }
    }

    pub fn index(self) -> usize {
        self as usize
    }

    pub fn side(self) -> Side {
        if self.index() < 9 { Side::Free } else { Side::Shadow }
    }

    /// 1.11: Meriadoc and Peregrin are the Hobbits.
    pub fn is_hobbit(self) -> bool {
        matches!(self, Meriadoc | Peregrin)
    }

    /// The Level: regions moved, damage absorbed, rank among Guides. It is 0 for the Witch-king, who flies.
    pub fn level(self) -> u8 {
        self.printed().level
    }

    pub fn leadership(self) -> u8 {
        self.printed().leadership
    }

    /// 6.27: adds 1 to his Army's Combat Strength.
    pub fn is_captain_of_the_west(self) -> bool {
        self.printed().captain
    }

    /// 12.6: which Nations he can activate.
    pub fn activates(self) -> Activates {
        self.printed().activates
    }

    /// 1.20: whether the Character can move. A Character of Level 0 never does, except the Witch-king, who flies.
    pub fn can_move(self) -> bool {
        self != Saruman
    }

    /// His id.
    pub fn id(self) -> &'static str {
        self.name().id()
    }

    /// The Character with this id.
    pub fn of_id(id: &str) -> Option<Character> {
        Character::ALL.into_iter().find(|character| character.id() == id)
    }

    fn printed(self) -> &'static Printed {
        &PRINTED[self.index()]
    }
}

impl Named for Character {
    fn name(&self) -> &'static Name {
        &self.printed().name
    }
}

/// What is printed on a Character's card.
#[derive(Debug)]
struct Printed {
    name: Name,
    level: u8,
    leadership: u8,
    activates: Activates,
    captain: bool,
}

#[derive(Deserialize)]
struct Line {
    id: String,
    name: String,
    level: u8,
    leadership: u8,
    #[serde(default)]
    activates: String,
    #[serde(default)]
    captain: bool,
}

const ALIASES: [(&str, &[&str]); 5] = [
    ("meriadoc", &["merry"]),
    ("peregrin", &["pippin"]),
    ("gandalf-the-grey", &["grey gandalf"]),
    ("gandalf-the-white", &["white gandalf"]),
    ("mouth-of-sauron", &["mouth"]),
];

static PRINTED: LazyLock<Vec<Printed>> = LazyLock::new(|| {
    let lines: Vec<Line> = printed::read(include_str!("data/characters.yaml"));
    assert_eq!(lines.len(), Character::ALL.len(), "every Character is printed");
    lines.into_iter().map(printed).collect()
});

fn printed(line: Line) -> Printed {
    let aliases = ALIASES.iter().find(|(id, _)| *id == line.id).map_or(&[] as &[&str], |(_, aliases)| *aliases);
    let activates = match line.activates.as_str() {
        "" => Activates::Nobody,
        "any" => Activates::Any,
        nation => Activates::Only(Nation::of_id(nation).expect("a Nation")),
    };
    Printed {
        name: Name::new(&line.id, &line.name, aliases),
        level: line.level,
        leadership: line.leadership,
        activates,
        captain: line.captain,
    }
}

#[cfg(test)]
mod tests {
    use super::Character::{Aragorn, GandalfTheGrey, Gimli, MouthOfSauron, WitchKing};
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_enum() {
        assert_eq!(GandalfTheGrey.id(), "gandalf-the-grey");
        assert_eq!(Gimli.activates(), Activates::Only(Nation::Dwarves));
        assert_eq!((Aragorn.leadership(), Aragorn.is_captain_of_the_west()), (2, true));
        assert_eq!(MouthOfSauron.id(), "mouth-of-sauron");
        assert_eq!((WitchKing.leadership(), Peregrin.level()), (2, 1));
    }
}
