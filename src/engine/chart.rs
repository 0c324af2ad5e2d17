/*! A chart: where the places of a title lie on a plane, and how they touch.

It is printed and never changes, and no rule reads it: a place is adjacent to another because the map of the title says
so. A title makes its chart from that map and from a list of positions, so that what is drawn cannot differ from what
the rules say.
*/

use crate::name::Name;
use serde::Deserialize;

/// A position on the plane; x grows to the right, y downward.
pub type Spot = [i32; 2];

/// The geography of a title.
#[derive(Clone, Debug)]
pub struct Chart {
    pub width: i32,
    pub height: i32,
    /// The places, numbered as in the title.
    pub places: Vec<Place>,
    /// How the places touch, each pair once.
    pub contacts: Vec<Contact>,
    /// Groups of places that lie round a lake.
    pub lakes: Vec<Vec<u8>>,
    /// The ways of ships, from port to port.
    pub lanes: Vec<Lane>,
}

/// A place on a chart.
#[derive(Clone, Debug)]
pub struct Place {
    pub name: &'static Name,
    /// The point from which its borders are drawn.
    pub at: Spot,
    /// The middle of its name and of what stands there.
    pub label: Spot,
    /// Whether the sea lies beyond it, where no other place does.
    pub coastal: bool,
    pub terrain: Terrain,
}

/// How large the plane is, as the list of positions says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Canvas {
    pub width: i32,
    pub height: i32,
}

/// A place in the list of positions.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    at: Spot,
    label: Spot,
    #[serde(default)]
    terrain: Terrain,
}

impl Position {
    /// The place of this name that lies here.
    pub fn place(&self, name: &'static Name, coastal: bool) -> Place {
        Place { name, at: self.at, label: self.label, coastal, terrain: self.terrain }
    }
}

/// What the land of a place looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Terrain {
    #[default]
    Plain,
    Forest,
    Hills,
    Mountains,
    Marsh,
    Waste,
}

/// Two places that touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contact {
    pub ends: [u8; 2],
    pub crossing: Crossing,
}

/// How two places touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossing {
    /// They are adjacent.
    Open,
    /// They are adjacent, over a bridge.
    Bridge,
    /// They are not adjacent: a river without a bridge.
    River,
    /// They are not adjacent: mountains, or another border that nobody crosses.
    Ridge,
}

impl Crossing {
    /// Whether the two places are adjacent.
    pub fn is_open(self) -> bool {
        matches!(self, Crossing::Open | Crossing::Bridge)
    }
}

/// The way of ships between two ports, by the points that it passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    pub ends: [u8; 2],
    pub via: Vec<Spot>,
}

impl Chart {
    /// How many steps each place is away from `from` over open borders; `None` if there is no way.
    pub fn steps(&self, from: usize) -> Vec<Option<u8>> {
        let mut steps: Vec<Option<u8>> = vec![None; self.places.len()];
        let mut ring = vec![from];
        steps[from] = Some(0);
        for step in 1..=u8::MAX {
            let mut next = Vec::new();
            for contact in self.contacts.iter().filter(|contact| contact.crossing.is_open()) {
                for [near, far] in [contact.ends, [contact.ends[1], contact.ends[0]]] {
                    let (near, far) = (usize::from(near), usize::from(far));
                    if ring.contains(&near) && steps[far].is_none() {
                        steps[far] = Some(step);
                        next.push(far);
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            ring = next;
        }
        steps
    }

    /// The number of the place with this id.
    pub fn place(&self, id: &str) -> Option<usize> {
        self.places.iter().position(|place| place.name.id() == id)
    }
}
