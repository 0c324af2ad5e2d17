/*! The board of chapter 2: territories, regions, bridges, sea lanes, ranges, and the path of the Fellowship.

All of it is printed and never changes. Territories are small numbers in the order of `data/map.yaml`.
*/

use engine::graph::Graph;
use engine::name::{Name, Named};
use engine::printed;
use serde::Deserialize;
use std::sync::LazyLock;

/// How many territories the board has (2.1).
pub const TERRITORIES: usize = 64;
/// How many regions the board has (2.1).
pub const REGIONS: usize = 9;
/// How many bridges the board has (2.2).
pub const BRIDGES: usize = 18;
/// How many steps the path of the Fellowship has (2.5, ▲3).
pub const PATH_STEPS: usize = 18;

/// A territory, by its place in the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Territory(pub u8);

/// A region, by its place in the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Region(pub u8);

/// A bridge, by its place in the data. Its word names both ends: `minas-tirith--ithilien`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bridge(pub u8);

/// How two adjacent territories are joined (2.2, 2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passage {
    Land,
    Bridge(Bridge),
    Sea,
}

/// The shield on the card of a territory, which decides who is dealt it during setup (3.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shield {
    Good,
    Evil,
    Neutral,
}

/// The picture on a Territory card, for sets (5.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Symbol {
    Archer,
    Rider,
    Eagle,
}

/// A step of the path of the Fellowship (2.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathStep {
    pub territory: Territory,
    /// Whether a 4, 5 or 6 is needed to leave it (11.2).
    pub die: bool,
}

impl Territory {
    /// Every territory, in the order of the data.
    pub const ALL: [Territory; TERRITORIES] = {
        let mut all = [Territory(0); TERRITORIES];
        let mut place = 0;
        while place < TERRITORIES {
            all[place] = Territory(place as u8);
            place += 1;
        }
        all
    };

    /// The territory with this id.
    pub fn of_id(id: &str) -> Option<Territory> {
        Territory::ALL.into_iter().find(|territory| territory.name().id() == id)
    }

    /// Its index in tables by territory.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    pub fn region(self) -> Region {
        self.place().region
    }

    /// The stronghold in it (1.5).
    pub fn stronghold(self) -> Option<&'static str> {
        self.place().stronghold.as_deref()
    }

    /// The Site of Power in it (1.5).
    pub fn site(self) -> Option<&'static str> {
        self.place().site.as_deref()
    }

    pub fn port(self) -> bool {
        self.place().port
    }

    pub fn shield(self) -> Shield {
        self.place().shield
    }

    pub fn symbol(self) -> Symbol {
        self.place().symbol
    }

    /// The territories next to it over land, bridge or sea, ascending.
    pub fn neighbours(self) -> &'static [Territory] {
        &self.place().neighbours
    }

    /// Whether the two are next to each other (2.2).
    pub fn adjacent(self, other: Territory) -> bool {
        self.passage(other).is_some()
    }

    /// How the two are joined; `None` if they are not adjacent.
    pub fn passage(self, other: Territory) -> Option<Passage> {
        BOARD.passages[self.index()][other.index()]
    }

    /// Its step on the path of the Fellowship, from 1, if it is on the path (2.5).
    pub fn path_step(self) -> Option<u8> {
        let step = path().iter().position(|step| step.territory == self)?;
        Some(u8::try_from(step + 1).expect("the path is short"))
    }

    fn place(self) -> &'static Place {
        &BOARD.territories[self.index()]
    }
}

impl Region {
    /// Every region, in the order of the data.
    pub const ALL: [Region; REGIONS] = {
        let mut all = [Region(0); REGIONS];
        let mut place = 0;
        while place < REGIONS {
            all[place] = Region(place as u8);
            place += 1;
        }
        all
    };

    /// Its index in tables by region.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    pub fn territories(self) -> &'static [Territory] {
        &BOARD.regions[self.index()].territories
    }

    /// Battalions in step 1, and points at the end, for the player who controls all of it (5.3, 12.2).
    pub fn bonus(self) -> u32 {
        BOARD.regions[self.index()].bonus
    }

    /// Its printed colour.
    pub fn colour(self) -> &'static str {
        &BOARD.regions[self.index()].colour
    }
}

impl Bridge {
    /// Every bridge, in the order of the data.
    pub const ALL: [Bridge; BRIDGES] = {
        let mut all = [Bridge(0); BRIDGES];
        let mut place = 0;
        while place < BRIDGES {
            all[place] = Bridge(place as u8);
            place += 1;
        }
        all
    };

    /// Its two ends.
    pub fn ends(self) -> [Territory; 2] {
        BOARD.bridges[usize::from(self.0)].ends
    }
}

/// The path of the Fellowship in order: `path()[step - 1]` (2.5).
pub fn path() -> &'static [PathStep; PATH_STEPS] {
    &BOARD.path
}

/// Whether the two lie beside the same mountain range (The Way Is Under the Mountains).
pub fn same_range(from: Territory, to: Territory) -> bool {
    BOARD.ranges.iter().any(|range| range.contains(&from) && range.contains(&to))
}

/// The graph of all passages, places numbered as territories are.
pub fn graph() -> &'static Graph {
    &BOARD.graph
}

impl Named for Territory {
    fn name(&self) -> &'static Name {
        &self.place().name
    }

    fn distance(self, goal: Territory) -> Option<u32> {
        BOARD.graph.distance(self.0, goal.0)
    }
}

impl Named for Region {
    fn name(&self) -> &'static Name {
        &BOARD.regions[self.index()].name
    }
}

impl Named for Bridge {
    fn name(&self) -> &'static Name {
        &BOARD.bridges[usize::from(self.0)].name
    }
}

impl Named for Symbol {
    fn name(&self) -> &'static Name {
        static NAMES: LazyLock<[Name; 3]> = LazyLock::new(|| {
            [
                Name::new("archer", "Elven Archer", &["archers"]),
                Name::new("rider", "Dark Rider", &["riders"]),
                Name::new("eagle", "Eagle", &["eagles"]),
            ]
        });
        &NAMES[*self as usize]
    }
}

struct Printed {
    territories: Vec<Place>,
    regions: Vec<Area>,
    bridges: Vec<Crossing>,
    passages: Vec<[Option<Passage>; TERRITORIES]>,
    ranges: Vec<Vec<Territory>>,
    path: [PathStep; PATH_STEPS],
    graph: Graph,
}

struct Place {
    name: Name,
    region: Region,
    shield: Shield,
    symbol: Symbol,
    stronghold: Option<String>,
    site: Option<String>,
    port: bool,
    neighbours: Vec<Territory>,
}

struct Area {
    name: Name,
    bonus: u32,
    colour: String,
    territories: Vec<Territory>,
}

struct Crossing {
    name: Name,
    ends: [Territory; 2],
}

static BOARD: LazyLock<Printed> = LazyLock::new(|| {
    let data: Data = printed::read(include_str!("data/map.yaml"));
    data.printed()
});

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    regions: Vec<RegionData>,
    territories: Vec<TerritoryData>,
    bridges: Vec<[String; 2]>,
    sea_lanes: Vec<[String; 2]>,
    ranges: Vec<RangeData>,
    path: Vec<StepData>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RegionData {
    id: String,
    name: String,
    bonus: u32,
    colour: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TerritoryData {
    id: String,
    name: String,
    #[serde(default)]
    aliases: Vec<String>,
    region: String,
    shield: Shield,
    symbol: Symbol,
    stronghold: Option<String>,
    site: Option<String>,
    #[serde(default)]
    port: bool,
    neighbours: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RangeData {
    #[serde(rename = "name")]
    _name: String,
    territories: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StepData {
    territory: String,
    die: bool,
}

impl Data {
    fn printed(self) -> Printed {
        let of = |id: &String| self.territory(id);
        let pairs = |pairs: &[[String; 2]]| pairs.iter().map(|ends| ends.each_ref().map(of)).collect::<Vec<_>>();
        let bridges = pairs(&self.bridges);
        let path: Vec<PathStep> =
            self.path.iter().map(|step| PathStep { territory: of(&step.territory), die: step.die }).collect();
        let territories: Vec<Place> = self.territories.iter().map(|territory| self.place(territory)).collect();
        let joined = Territory::ALL.into_iter().flat_map(|from| {
            let neighbours = &territories[from.index()].neighbours;
            neighbours.iter().map(move |to| (from.0, to.0))
        });
        Printed {
            graph: Graph::new(TERRITORIES, joined),
            passages: passages(&territories, &bridges, &pairs(&self.sea_lanes)),
            regions: self.regions.iter().enumerate().map(|(index, region)| area(index, region, &territories)).collect(),
            bridges: bridges.into_iter().map(|ends| crossing(ends, &territories)).collect(),
            ranges: self.ranges.iter().map(|range| range.territories.iter().map(of).collect()).collect(),
            path: path.try_into().expect("the path has 18 steps"),
            territories,
        }
    }

    fn place(&self, data: &TerritoryData) -> Place {
        let region = self.regions.iter().position(|region| region.id == data.region).expect("a region of the data");
        // The name of a stronghold or site also names its territory (Rivendell is in Rhudaur), unless it is the name of
        // another territory.
        let features = data.stronghold.iter().chain(&data.site).map(String::as_str);
        let own =
            features.filter(|name| self.territories.iter().all(|other| other.id == data.id || other.name != *name));
        let aliases: Vec<&str> = data.aliases.iter().map(String::as_str).chain(own).collect();
        let mut neighbours: Vec<Territory> = data.neighbours.iter().map(|id| self.territory(id)).collect();
        neighbours.sort_unstable();
        Place {
            name: Name::new(&data.id, &data.name, &aliases),
            region: Region(small(region)),
            shield: data.shield,
            symbol: data.symbol,
            stronghold: data.stronghold.clone(),
            site: data.site.clone(),
            port: data.port,
            neighbours,
        }
    }

    fn territory(&self, id: &str) -> Territory {
        let place = self.territories.iter().position(|territory| territory.id == id);
        Territory(small(place.unwrap_or_else(|| panic!("data/map.yaml has no territory {id}"))))
    }
}

fn area(index: usize, data: &RegionData, territories: &[Place]) -> Area {
    let inside = |territory: &Territory| territories[territory.index()].region.index() == index;
    Area {
        name: Name::new(&data.id, &data.name, &[]),
        bonus: data.bonus,
        colour: data.colour.clone(),
        territories: Territory::ALL.into_iter().filter(inside).collect(),
    }
}

/// A bridge is named by its ends, in either order.
fn crossing(ends: [Territory; 2], territories: &[Place]) -> Crossing {
    let [first, second] = ends.map(|end| &territories[end.index()].name);
    let id = format!("{}--{}", first.id(), second.id());
    let title = format!("the bridge between {} and {}", first.title(), second.title());
    let turned = format!("{} {}", second.id(), first.id());
    let aliases = [turned, format!("{} {}", first.title(), second.title())];
    Crossing { name: Name::new(&id, &title, &aliases.each_ref().map(String::as_str)), ends }
}

fn passages(
    territories: &[Place],
    bridges: &[[Territory; 2]],
    sea_lanes: &[[Territory; 2]],
) -> Vec<[Option<Passage>; TERRITORIES]> {
    let mut passages = vec![[None; TERRITORIES]; TERRITORIES];
    for (from, place) in territories.iter().enumerate() {
        for to in &place.neighbours {
            passages[from][to.index()] = Some(Passage::Land);
        }
    }
    let mut join = |[one, other]: [Territory; 2], passage: Passage| {
        for (from, to) in [(one, other), (other, one)] {
            let known = &mut passages[from.index()][to.index()];
            assert_eq!(*known, Some(Passage::Land), "{from:?} and {to:?} are neighbours, and joined in one way");
            *known = Some(passage);
        }
    };
    for (index, ends) in bridges.iter().enumerate() {
        join(*ends, Passage::Bridge(Bridge(small(index))));
    }
    for ends in sea_lanes {
        join(*ends, Passage::Sea);
    }
    passages
}

fn small(index: usize) -> u8 {
    u8::try_from(index).expect("the board has fewer than 256 of everything")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(id: &str) -> Territory {
        Territory::of_id(id).unwrap()
    }

    #[test]
    fn the_board_is_complete() {
        assert_eq!(BOARD.territories.len(), 64);
        assert_eq!(BOARD.regions.len(), 9);
        assert_eq!(Territory::ALL.iter().filter(|territory| territory.stronghold().is_some()).count(), 11);
        assert_eq!(Territory::ALL.iter().filter(|territory| territory.site().is_some()).count(), 22);
        assert_eq!(Territory::ALL.iter().filter(|territory| territory.port()).count(), 5);
        assert_eq!(BOARD.bridges.len(), 18);
        assert_eq!(BOARD.path.len(), 18);
        let bonus: u32 = Region::ALL.iter().map(|region| region.bonus()).sum();
        assert_eq!(bonus, 36);
        let regions: Vec<usize> = Region::ALL.iter().map(|region| region.territories().len()).collect();
        assert_eq!(regions, [11, 10, 8, 7, 7, 6, 6, 5, 4]);
    }

    #[test]
    fn passages_are_symmetric_and_number_101() {
        let (mut land, mut bridge, mut sea) = (0, 0, 0);
        for from in Territory::ALL {
            for to in Territory::ALL {
                assert_eq!(from.passage(to), to.passage(from), "{from:?} {to:?}");
                assert_eq!(from.neighbours().contains(&to), from.adjacent(to));
                match from.passage(to) {
                    Some(Passage::Land) => land += 1,
                    Some(Passage::Bridge(crossed)) => {
                        assert!(crossed.ends() == [from, to] || crossed.ends() == [to, from]);
                        bridge += 1;
                    }
                    Some(Passage::Sea) => {
                        assert!(from.port() && to.port(), "{from:?} {to:?}");
                        sea += 1;
                    }
                    None => {}
                }
            }
        }
        assert_eq!((land, bridge, sea), (2 * 78, 2 * 18, 2 * 5));
    }

    #[test]
    fn every_territory_can_be_reached() {
        assert!(graph().reachable(0, |_, _| true).iter().all(|reached| *reached));
    }

    #[test]
    fn minhiriath_is_next_to_what_the_rulebook_says() {
        // 2.2, the example.
        let near = ["belfalas", "dunland", "enedwaith", "mithlond", "south-downs", "umbar"].map(of);
        assert!(Territory::ALL.iter().all(|to| of("minhiriath").adjacent(*to) == near.contains(to)));
    }

    #[test]
    fn shields_and_symbols_are_dealt_out() {
        let shields = |shield| Territory::ALL.iter().filter(|territory| territory.shield() == shield).count();
        assert_eq!([Shield::Good, Shield::Evil, Shield::Neutral].map(shields), [16, 16, 32]);
        let symbols = |symbol| Territory::ALL.iter().filter(|territory| territory.symbol() == symbol).count();
        assert_eq!([Symbol::Archer, Symbol::Rider, Symbol::Eagle].map(symbols), [22, 21, 21]);
    }

    #[test]
    fn the_path_is_walked_over_passages_but_for_one_river() {
        // ▲3: South Downs to Rhudaur crosses an unbridged river.
        let rivers: Vec<usize> = (1..18).filter(|step| !path_passage(*step)).collect();
        assert_eq!(rivers, [6]);
        assert_eq!(path()[0].territory, of("the-shire"));
        assert_eq!(of("mount-doom").path_step(), Some(18));
        let dice = path().iter().filter(|step| step.die).map(|step| step.territory.name().id());
        assert!(dice.eq(["moria", "lorien", "dead-marshes", "minas-morgul", "gorgoroth", "mount-doom"]));
    }

    fn path_passage(step: usize) -> bool {
        path()[step - 1].territory.adjacent(path()[step].territory)
    }

    #[test]
    fn ranges_join_across_mountains() {
        assert!(same_range(of("moria"), of("eregion")));
        assert!(same_range(of("angmar"), of("rhudaur")));
        assert!(!same_range(of("the-shire"), of("moria")));
        assert_eq!(BOARD.ranges.len(), 13);
        assert!(BOARD.ranges.iter().all(|range| range.len() >= 2));
    }

    #[test]
    fn a_bridge_is_named_by_its_ends_in_either_order() {
        let words = |line| engine::name::words(line);
        let bridge = Bridge(15);
        assert_eq!(bridge.name().id(), "minas-tirith--ithilien");
        assert_eq!(bridge.name().spelled_by(&words("ithilien minas tirith")), 3);
        assert_eq!(bridge.name().spelled_by(&words("minas-tirith--ithilien")), 3);
    }
}
