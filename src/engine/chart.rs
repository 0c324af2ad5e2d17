/*! A chart: where the places of a title lie on a plane, and how they touch.

It is printed and never changes, and no rule reads it: the map of the title alone says which places are adjacent. A
title makes its chart from that map and from a list of positions, so the drawing cannot differ from the rules.
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
    /// The middle of its name and of the pieces on it.
    pub label: Spot,
    /// Whether it lies at the sea: where it borders on no other place, there is water.
    pub coastal: bool,
    pub terrain: Terrain,
}

/// The size of the plane, from the list of positions.
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
    /// The place of this name at this position.
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

/// A ship's way between two ports, and the points that it passes through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    pub ends: [u8; 2],
    pub via: Vec<Spot>,
}

impl Chart {
    /// The distance of each place from `from`, in steps over open borders; `None` if it cannot be reached.
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
