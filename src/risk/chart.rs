//! The chart of the board: the territories of `data/map.yaml` where `data/coords.yaml` has them. No rule reads it.

use crate::territory::{Passage, Territory};
use engine::chart::{Canvas, Chart, Contact, Crossing, Lane, Place, Position, Spot};
use engine::name::Named;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The chart, its places numbered as territories are.
pub static CHART: LazyLock<Chart> = LazyLock::new(|| {
    let data: Data = serde_yaml::from_str(include_str!("data/coords.yaml")).expect("coords.yaml is well formed");
    data.chart()
});

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    canvas: Canvas,
    barriers: Barriers,
    coastal: Vec<String>,
    sea_lanes: Vec<LaneData>,
    territories: BTreeMap<String, Position>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Barriers {
    river: Vec<[String; 2]>,
    mountain: Vec<[String; 2]>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LaneData {
    from: String,
    to: String,
    via: Vec<Spot>,
}

impl Data {
    fn chart(&self) -> Chart {
        assert_eq!(self.territories.len(), Territory::ALL.len(), "coords.yaml has every territory");
        let lane = |lane: &LaneData| Lane { ends: [number(&lane.from), number(&lane.to)], via: lane.via.clone() };
        Chart {
            width: self.canvas.width,
            height: self.canvas.height,
            places: Territory::ALL.map(|territory| self.place(territory)).to_vec(),
            contacts: self.contacts(),
            lakes: Vec::new(),
            lanes: self.sea_lanes.iter().map(lane).collect(),
        }
    }

    fn place(&self, territory: Territory) -> Place {
        let id = territory.name().id();
        self.territories[id].place(territory.name(), self.coastal.iter().any(|coastal| coastal == id))
    }

    /// The passages by land and bridge, and the barriers. Ports of a sea lane do not touch.
    fn contacts(&self) -> Vec<Contact> {
        let mut contacts = Vec::new();
        for from in Territory::ALL {
            for to in Territory::ALL.into_iter().filter(|to| from < *to) {
                let crossing = match from.passage(to) {
                    Some(Passage::Land) => Crossing::Open,
                    Some(Passage::Bridge(_)) => Crossing::Bridge,
                    Some(Passage::Sea) | None => continue,
                };
                contacts.push(Contact { ends: [from.0, to.0], crossing });
            }
        }
        let barriers = [(&self.barriers.river, Crossing::River), (&self.barriers.mountain, Crossing::Ridge)];
        for (pairs, crossing) in barriers {
            contacts.extend(pairs.iter().map(|[from, to]| Contact { ends: [number(from), number(to)], crossing }));
        }
        contacts
    }
}

fn number(id: &str) -> u8 {
    Territory::of_id(id).expect("coords.yaml names territories").0
}
