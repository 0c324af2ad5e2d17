/*! The board's 105 regions (1.1 to 1.7): what is printed on them, and which are adjacent.

A set of regions is a number of 128 bits, so that questions about many regions are cheap.
*/

use crate::nation::Nation;
use crate::side::Side;
use engine::graph::Graph;
use engine::name::{Name, Named};
use engine::printed;
use serde::Deserialize;
use std::sync::LazyLock;

/// A region of the board, by its place in the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Region(pub u8);

/// How many regions there are.
pub const REGIONS: usize = 105;

/// How many Strongholds there are.
pub const STRONGHOLDS: usize = 16;

/// 1.4: Town, City or Stronghold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Settlement {
    Town,
    City,
    Stronghold,
}

impl Settlement {
    /// 11.4: its worth to the enemy who captures it.
    pub fn points(self) -> u8 {
        match self {
            Settlement::Town => 0,
            Settlement::City => 1,
            Settlement::Stronghold => 2,
        }
    }
}

/// What is printed on a region.
#[derive(Debug)]
struct Land {
    name: Name,
    nation: Option<Nation>,
    settlement: Option<Settlement>,
    fortification: bool,
    coastal: bool,
    neighbours: Regions,
    /// 1.3: the regions beyond a black line, which touch it and are not adjacent.
    walled: Regions,
    /// The number of its Stronghold, if it has one.
    stronghold: Option<u8>,
}

#[derive(Deserialize)]
struct Line {
    id: String,
    name: String,
    #[serde(default)]
    aliases: Vec<String>,
    nation: Option<String>,
    settlement: Option<Settlement>,
    #[serde(default)]
    fortification: bool,
    #[serde(default)]
    coastal: bool,
    neighbours: Vec<String>,
    #[serde(default)]
    impassable: Vec<String>,
}

/// The whole map.
struct Map {
    lands: Vec<Land>,
    graph: Graph,
    strongholds: Vec<Region>,
    fortresses: Regions,
    settlements: [Regions; 2],
    nations: [Regions; 8],
    /// The length of the shortest path between any two regions.
    distances: Vec<[u8; REGIONS]>,
}

static ALL: LazyLock<Vec<Region>> = LazyLock::new(|| (0..REGIONS).map(|index| Region(index as u8)).collect());

impl Region {
    /// Every region in the order of the map, which is that of the facts.
    pub fn all() -> &'static [Region] {
        &ALL
    }

    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Its id.
    pub fn id(self) -> &'static str {
        self.land().name.id()
    }

    /// The printed name: `Minas Tirith`.
    pub fn title(self) -> &'static str {
        self.land().name.title()
    }

    /// The region with this id.
    pub fn of_id(id: &str) -> Option<Region> {
        Region::all().iter().copied().find(|region| region.id() == id)
    }

    /// 1.3: the Nation inside whose border it lies.
    pub fn nation(self) -> Option<Nation> {
        self.land().nation
    }

    /// 1.7: the side that it is printed for.
    pub fn side(self) -> Option<Side> {
        self.nation().map(Nation::side)
    }

    pub fn settlement(self) -> Option<Settlement> {
        self.land().settlement
    }

    pub fn is_stronghold(self) -> bool {
        self.land().stronghold.is_some()
    }

    /// The number of its Stronghold, if it has one.
    pub fn stronghold(self) -> Option<usize> {
        self.land().stronghold.map(usize::from)
    }

    /// 1.4: Osgiliath or the Fords of Isen.
    pub fn is_fortification(self) -> bool {
        self.land().fortification
    }

    pub fn is_city(self) -> bool {
        self.land().settlement == Some(Settlement::City)
    }

    /// Whether it has a City or a Stronghold.
    pub fn is_city_or_stronghold(self) -> bool {
        matches!(self.land().settlement, Some(Settlement::City | Settlement::Stronghold))
    }

    pub fn is_coastal(self) -> bool {
        self.land().coastal
    }

    pub fn neighbours(self) -> Regions {
        self.land().neighbours
    }

    /// 1.3: the regions that touch it along a black line, which nobody crosses.
    pub fn walled(self) -> Regions {
        self.land().walled
    }

    pub fn adjacent(self, other: Region) -> bool {
        self.neighbours().contains(other)
    }

    /// 1.2: the length of the shortest path.
    pub fn distance(self, other: Region) -> u8 {
        MAP.distances[self.index()][other.index()]
    }

    fn land(self) -> &'static Land {
        &MAP.lands[self.index()]
    }
}

impl Named for Region {
    fn name(&self) -> &'static Name {
        &self.land().name
    }

    fn distance(self, goal: Region) -> Option<u32> {
        Some(u32::from(Region::distance(self, goal)))
    }
}

/// The regions with a Stronghold, in the order of the map.
pub fn strongholds() -> &'static [Region] {
    &MAP.strongholds
}

/// The regions with a Stronghold, as a set.
pub fn all_strongholds() -> Regions {
    MAP.fortresses
}

/// 1.7: the regions with a Settlement printed for this side.
pub fn settlements(side: Side) -> Regions {
    MAP.settlements[side.index()]
}

/// The regions of a Nation.
pub fn regions_of(nation: Nation) -> Regions {
    MAP.nations[nation.index()]
}

/// Which regions are adjacent.
pub fn graph() -> &'static Graph {
    &MAP.graph
}

/// A set of regions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Regions(pub u128);

impl Regions {
    pub const NONE: Regions = Regions(0);
    /// All 105 regions.
    pub const ALL: Regions = Regions((1 << REGIONS) - 1);

    pub fn one(region: Region) -> Regions {
        Regions(1 << region.0)
    }

    pub fn contains(self, region: Region) -> bool {
        self.0 & (1 << region.0) != 0
    }

    pub fn insert(&mut self, region: Region) {
        self.0 |= 1 << region.0;
    }

    pub fn remove(&mut self, region: Region) {
        self.0 &= !(1 << region.0);
    }

    /// Adds the region, or removes it.
    pub fn set(&mut self, region: Region, contained: bool) {
        if contained { self.insert(region) } else { self.remove(region) }
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The regions, in the order of the map.
    pub fn iter(self) -> impl Iterator<Item = Region> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let next = left.trailing_zeros();
            left &= left - 1;
            Some(Region(u8::try_from(next).expect("a bit of 128")))
        })
    }

    /// The region at this place of the set, in the order of the map.
    pub fn nth(self, index: u32) -> Option<Region> {
        self.iter().nth(index as usize)
    }
}

impl FromIterator<Region> for Regions {
    fn from_iter<I: IntoIterator<Item = Region>>(regions: I) -> Regions {
        regions.into_iter().fold(Regions::NONE, |all, region| all | Regions::one(region))
    }
}

impl std::ops::BitOr for Regions {
    type Output = Regions;

    fn bitor(self, other: Regions) -> Regions {
        Regions(self.0 | other.0)
    }
}

impl std::ops::BitAnd for Regions {
    type Output = Regions;

    fn bitand(self, other: Regions) -> Regions {
        Regions(self.0 & other.0)
    }
}

impl std::ops::Sub for Regions {
    type Output = Regions;

    fn sub(self, other: Regions) -> Regions {
        Regions(self.0 & !other.0)
    }
}

static MAP: LazyLock<Map> = LazyLock::new(|| drawn(printed::read(include_str!("data/map.yaml"))));

fn drawn(lines: Vec<Line>) -> Map {
    let number = |id: &str| {
        let place = lines.iter().position(|line| line.id == id).unwrap_or_else(|| panic!("`{id}` is on the map"));
        Region(u8::try_from(place).expect("105 regions"))
    };
    let borders =
        lines.iter().flat_map(|line| line.neighbours.iter().map(|other| (number(&line.id).0, number(other).0)));
    let graph = Graph::new(lines.len(), borders);
    let mut map = Map {
        lands: Vec::new(),
        distances: Vec::new(),
        strongholds: Vec::new(),
        fortresses: Regions::NONE,
        settlements: [Regions::NONE; 2],
        nations: [Regions::NONE; 8],
        graph,
    };
    for (index, line) in lines.iter().enumerate() {
        let region = Region(u8::try_from(index).expect("105 regions"));
        assert!(
            line.impassable.iter().all(|other| !map.graph.adjacent(region.0, number(other).0)),
            "a black line parts"
        );
        let walls = |other: &&Line| line.impassable.contains(&other.id) || other.impassable.contains(&line.id);
        let walled = lines.iter().filter(walls).map(|other| number(&other.id)).collect();
        let land = land(line, region, walled, &mut map);
        map.lands.push(land);
        map.distances.push(distances(&map.graph, region));
    }
    map
}

fn land(line: &Line, region: Region, walled: Regions, map: &mut Map) -> Land {
    let nation = line.nation.as_deref().map(|id| Nation::of_id(id).expect("a Nation"));
    if let Some(nation) = nation {
        map.nations[nation.index()].insert(region);
        if line.settlement.is_some() {
            map.settlements[nation.side().index()].insert(region);
        }
    }
    let stronghold = (line.settlement == Some(Settlement::Stronghold)).then(|| {
        map.strongholds.push(region);
        map.fortresses.insert(region);
        u8::try_from(map.strongholds.len() - 1).expect("16 Strongholds")
    });
    let aliases: Vec<&str> = line.aliases.iter().map(String::as_str).collect();
    Land {
        name: Name::new(&line.id, &line.name, &aliases),
        nation,
        settlement: line.settlement,
        fortification: line.fortification,
        coastal: line.coastal,
        neighbours: map.graph.neighbours(region.0).iter().map(|other| Region(*other)).collect(),
        walled,
        stronghold,
    }
}

fn distances(graph: &Graph, from: Region) -> [u8; REGIONS] {
    let mut distances = [u8::MAX; REGIONS];
    let mut ring = vec![from.0];
    let mut steps = 0;
    while !ring.is_empty() {
        let mut next = Vec::new();
        for place in ring {
            if distances[usize::from(place)] == u8::MAX {
                distances[usize::from(place)] = steps;
                next.extend_from_slice(graph.neighbours(place));
            }
        }
        ring = next;
        steps += 1;
    }
    distances
}

/// Regions that the rules name.
pub mod named {
    use super::Region;

    pub const ANFALAS: Region = Region(1);
    pub const ANGMAR: Region = Region(2);
    pub const BARAD_DUR: Region = Region(5);
    pub const BREE: Region = Region(6);
    pub const BUCKLAND: Region = Region(7);
    pub const CARROCK: Region = Region(9);
    pub const DALE: Region = Region(11);
    pub const DOL_AMROTH: Region = Region(14);
    pub const DOL_GULDUR: Region = Region(15);
    pub const EAST_RHUN: Region = Region(20);
    pub const EDORAS: Region = Region(25);
    pub const EREBOR: Region = Region(27);
    pub const ERECH: Region = Region(28);
    pub const ERED_LUIN: Region = Region(29);
    pub const ETTENMOORS: Region = Region(30);
    pub const FANGORN: Region = Region(32);
    pub const FAR_HARAD: Region = Region(33);
    pub const GORGOROTH: Region = Region(41);
    pub const GREY_HAVENS: Region = Region(42);
    pub const HELMS_DEEP: Region = Region(44);
    pub const KHAND: Region = Region(48);
    pub const LAMEDON: Region = Region(49);
    pub const LORIEN: Region = Region(50);
    pub const MINAS_MORGUL: Region = Region(52);
    pub const MINAS_TIRITH: Region = Region(53);
    pub const MORANNON: Region = Region(55);
    pub const MORIA: Region = Region(56);
    pub const MOUNT_GRAM: Region = Region(57);
    pub const MOUNT_GUNDABAD: Region = Region(58);
    pub const NORTH_DUNLAND: Region = Region(64);
    pub const NORTH_ITHILIEN: Region = Region(66);
    pub const NURN: Region = Region(71);
    pub const OLD_FOREST: Region = Region(73);
    pub const ORTHANC: Region = Region(75);
    pub const OSGILIATH: Region = Region(76);
    pub const PELARGIR: Region = Region(78);
    pub const RIVENDELL: Region = Region(80);
    pub const SOUTH_DUNLAND: Region = Region(83);
    pub const SOUTH_ITHILIEN: Region = Region(85);
    pub const SOUTH_RHUN: Region = Region(86);
    pub const THE_SHIRE: Region = Region(91);
    pub const TROLLSHAWS: Region = Region(93);
    pub const UMBAR: Region = Region(94);
    pub const WEATHER_HILLS: Region = Region(97);
    pub const WOODLAND_REALM: Region = Region(104);
}

#[cfg(test)]
mod tests {
    use super::named::*;
    use super::*;

    fn at(id: &str) -> Region {
        Region::of_id(id).unwrap()
    }

    #[test]
    fn the_map_is_the_printed_one() {
        assert_eq!(Region::all().len(), REGIONS);
        assert_eq!(strongholds().len(), STRONGHOLDS);
        let borders: u32 = Region::all().iter().map(|region| region.neighbours().len()).sum();
        assert_eq!(borders, 2 * 232);
        let points =
            |side| -> u8 { settlements(side).iter().map(|region| region.settlement().unwrap().points()).sum() };
        assert_eq!((points(Side::Free), points(Side::Shadow)), (20, 18));
    }

    #[test]
    fn named_regions_are_where_their_numbers_say() {
        let named = [
            (ANFALAS, "anfalas"),
            (ANGMAR, "angmar"),
            (BARAD_DUR, "barad-dur"),
            (BREE, "bree"),
            (BUCKLAND, "buckland"),
            (CARROCK, "carrock"),
            (DALE, "dale"),
            (DOL_AMROTH, "dol-amroth"),
            (DOL_GULDUR, "dol-guldur"),
            (EAST_RHUN, "east-rhun"),
            (EDORAS, "edoras"),
            (EREBOR, "erebor"),
            (ERECH, "erech"),
            (ERED_LUIN, "ered-luin"),
            (ETTENMOORS, "ettenmoors"),
            (FANGORN, "fangorn"),
            (FAR_HARAD, "far-harad"),
            (GORGOROTH, "gorgoroth"),
            (GREY_HAVENS, "grey-havens"),
            (HELMS_DEEP, "helms-deep"),
            (KHAND, "khand"),
            (LAMEDON, "lamedon"),
            (LORIEN, "lorien"),
            (MINAS_MORGUL, "minas-morgul"),
            (MINAS_TIRITH, "minas-tirith"),
            (MORANNON, "morannon"),
            (MORIA, "moria"),
            (MOUNT_GRAM, "mount-gram"),
            (MOUNT_GUNDABAD, "mount-gundabad"),
            (NORTH_DUNLAND, "north-dunland"),
            (NORTH_ITHILIEN, "north-ithilien"),
            (NURN, "nurn"),
            (OLD_FOREST, "old-forest"),
            (ORTHANC, "orthanc"),
            (OSGILIATH, "osgiliath"),
            (PELARGIR, "pelargir"),
            (RIVENDELL, "rivendell"),
            (SOUTH_DUNLAND, "south-dunland"),
            (SOUTH_ITHILIEN, "south-ithilien"),
            (SOUTH_RHUN, "south-rhun"),
            (THE_SHIRE, "the-shire"),
            (TROLLSHAWS, "trollshaws"),
            (UMBAR, "umbar"),
            (WEATHER_HILLS, "weather-hills"),
            (WOODLAND_REALM, "woodland-realm"),
        ];
        for (region, id) in named {
            assert_eq!(region.id(), id);
        }
    }

    #[test]
    fn s001_a_black_line_is_no_border() {
        assert!(!at("morannon").adjacent(at("north-ithilien")));
        assert_eq!(at("rivendell").distance(at("lorien")), 5);
        assert_eq!(at("osgiliath").nation(), None);
    }
}
