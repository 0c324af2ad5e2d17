//! The chart of the board: the regions of `data/map.yaml` where `data/coords.yaml` has them. No rule reads it.

use crate::region::Region;
use engine::chart::{Canvas, Chart, Contact, Crossing, Place, Position};
use engine::name::Named;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The chart. Its places have the numbers of the regions.
pub static CHART: LazyLock<Chart> = LazyLock::new(|| {
    let data: Data = serde_yaml::from_str(include_str!("data/coords.yaml")).expect("coords.yaml is well formed");
    data.chart()
});

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    canvas: Canvas,
    lakes: Vec<Vec<String>>,
    regions: BTreeMap<String, Position>,
}

impl Data {
    fn chart(&self) -> Chart {
        assert_eq!(self.regions.len(), Region::all().len(), "coords.yaml has every region");
        let number = |id: &String| Region::of_id(id).expect("coords.yaml names regions").0;
        Chart {
            width: self.canvas.width,
            height: self.canvas.height,
            places: Region::all().iter().map(|region| self.place(*region)).collect(),
            contacts: contacts(),
            lakes: self.lakes.iter().map(|lake| lake.iter().map(number).collect()).collect(),
            lanes: Vec::new(),
        }
    }

    fn place(&self, region: Region) -> Place {
        self.regions[region.id()].place(region.name(), region.is_coastal())
    }
}

/// Neighbours, and regions on the two sides of a black line.
fn contacts() -> Vec<Contact> {
    let mut contacts = Vec::new();
    for region in Region::all() {
        for other in region.neighbours().iter().filter(|other| other > region) {
            contacts.push(Contact { ends: [region.0, other.0], crossing: Crossing::Open });
        }
        for other in region.walled().iter().filter(|other| other > region) {
            contacts.push(Contact { ends: [region.0, other.0], crossing: Crossing::Ridge });
        }
    }
    contacts
}
