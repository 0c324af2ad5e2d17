//! Theatres: nine parts of the map, so that a table of the regions can be read without a board. No rule uses them.

use crate::region::Region;
use std::sync::LazyLock;

/// A part of the map.
#[derive(Debug)]
pub struct Theatre {
    pub id: &'static str,
    pub name: &'static str,
    /// Its regions, roughly from north-west to south-east.
    pub regions: Vec<Region>,
}

type Printed = (&'static str, &'static str, &'static [&'static str]);

const PRINTED: [Printed; 9] = [
    (
        "eriador",
        "Eriador",
        &[
            "north-ered-luin",
            "ered-luin",
            "forlindon",
            "grey-havens",
            "harlindon",
            "south-ered-luin",
            "tower-hills",
            "evendim",
            "arnor",
            "north-downs",
            "the-shire",
            "buckland",
            "bree",
            "weather-hills",
            "old-forest",
            "south-downs",
            "cardolan",
            "tharbad",
            "minhiriath",
        ],
    ),
    (
        "misty-mountains",
        "The Misty Mountains",
        &[
            "angmar",
            "mount-gram",
            "mount-gundabad",
            "ettenmoors",
            "trollshaws",
            "rivendell",
            "eagles-eyrie",
            "high-pass",
            "goblins-gate",
            "fords-of-bruinen",
            "hollin",
            "moria",
        ],
    ),
    (
        "wilderland",
        "Anduin and Mirkwood",
        &[
            "carrock",
            "northern-mirkwood",
            "woodland-realm",
            "western-mirkwood",
            "old-ford",
            "rhosgobel",
            "old-forest-road",
            "narrows-of-the-forest",
            "eastern-mirkwood",
            "gladden-fields",
            "north-anduin-vale",
            "south-anduin-vale",
            "southern-mirkwood",
            "dol-guldur",
            "dimrill-dale",
            "lorien",
            "parth-celebrant",
        ],
    ),
    (
        "the-east",
        "Erebor, Dale and Rhûn",
        &[
            "withered-heath",
            "erebor",
            "dale",
            "iron-hills",
            "vale-of-the-carnen",
            "vale-of-the-celduin",
            "northern-rhovanion",
            "southern-rhovanion",
            "north-rhun",
            "east-rhun",
            "south-rhun",
            "northern-dorwinion",
            "southern-dorwinion",
        ],
    ),
    (
        "isengard",
        "Isengard and Dunland",
        &["north-dunland", "south-dunland", "enedwaith", "gap-of-rohan", "orthanc", "druwaith-iaur", "fangorn"],
    ),
    ("rohan", "Rohan", &["fords-of-isen", "helms-deep", "westemnet", "edoras", "eastemnet", "folde"]),
    (
        "brown-lands",
        "The Brown Lands",
        &[
            "western-brown-lands",
            "eastern-brown-lands",
            "western-emyn-muil",
            "eastern-emyn-muil",
            "noman-lands",
            "dead-marshes",
            "dagorlad",
        ],
    ),
    (
        "gondor",
        "Gondor",
        &[
            "druadan-forest",
            "minas-tirith",
            "osgiliath",
            "north-ithilien",
            "south-ithilien",
            "lossarnach",
            "pelargir",
            "lamedon",
            "dol-amroth",
            "erech",
            "anfalas",
            "andrast",
        ],
    ),
    (
        "mordor",
        "Mordor and Harad",
        &[
            "ash-mountains",
            "morannon",
            "barad-dur",
            "gorgoroth",
            "minas-morgul",
            "nurn",
            "west-harondor",
            "east-harondor",
            "umbar",
            "near-harad",
            "far-harad",
            "khand",
        ],
    ),
];

static THEATRES: LazyLock<Vec<Theatre>> = LazyLock::new(|| {
    let region = |id: &&str| Region::of_id(id).unwrap_or_else(|| panic!("`{id}` is on the map"));
    let theatre = |(id, name, regions): &Printed| Theatre { id, name, regions: regions.iter().map(region).collect() };
    PRINTED.iter().map(theatre).collect()
});

/// Every theatre.
pub fn theatres() -> &'static [Theatre] {
    &THEATRES
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{view, words};

    #[test]
    fn every_region_is_in_one_theatre() {
        let mut regions: Vec<Region> = theatres().iter().flat_map(|theatre| theatre.regions.clone()).collect();
        regions.sort_unstable();
        assert_eq!(regions, Region::all());
    }

    /// The help page shows the whole map, wrapped into lines.
    #[test]
    fn help_shows_every_border() {
        let help: Vec<&str> = include_str!("../../templates/wotr/help.txt").split_whitespace().collect();
        let help = help.join(" ");
        for region in Region::all() {
            let kind = match view::kind(*region) {
                "" => String::new(),
                kind => format!(" {kind}"),
            };
            let mut next: Vec<&str> = region.neighbours().iter().map(words::title).collect();
            next.sort_unstable();
            let start = format!("{}{kind}: ", words::title(*region));
            let line = help.split(&start).nth(1).and_then(|rest| rest.split('.').next());
            let mut printed: Vec<&str> = line.unwrap_or_else(|| panic!("`{start}` stands there")).split(", ").collect();
            printed.sort_unstable();
            assert_eq!(printed, next, "the neighbours of {}", region.id());
        }
    }
}
