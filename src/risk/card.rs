/*! Every printed card: 64 Territory cards and 2 wilds, 22 Missions, 13 Events, 25 Powers (chapters 5 and 8).

A [`Face`] is the card on a slot. Its number in the kernel, [`Card`], counts the Territory cards in the order of the
board, then the wilds, then Missions, Events and Powers in the order of `data/cards.yaml`. All copies of one title have
the same number.
*/

use crate::side::Side;
use crate::territory::{Symbol, TERRITORIES, Territory};
use engine::glossary::{Gloss, Part};
use engine::listed::listed;
use engine::name::{Name, Named, Word};
use engine::printed;
use engine::slot::Card;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The card on a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Face {
    Territory(Territory),
    Wild(Wild),
    Mission(Mission),
    Event(Event),
    Power(Power),
}

listed! {
    /// A wild card, which counts as any symbol (5.4).
    Wild { First, Second }
}

listed! {
    /// A Mission: one for each Site of Power (8.3).
    Mission {
        Hobbiton, GreyHavens, Harlond, Bree, Weathertop, CarnDum, MountGundabad, ElvenHalls, Erebor, Tharbad,
        GatesOfMoria, Edoras, Lothlorien, Rauros, EasterlingEncampment, Dagorlad, Osgiliath, Erech, Pelargir,
        DolAmroth, MountDoom, HaradrimEncampment,
    }
}

listed! {
    /// An Event, which takes effect as soon as it is drawn (8.5).
    Event {
        AppointASecondLeader, WinterStorms, Raiders, MusteringOfMiddleEarth, LocalUprising, CorsairsOfUmbar,
        TheBlackGatesOpen, TheyveBroughtACaveTroll, TheEntmoot, AragornArrives,
    }
}

listed! {
    /// A Power: played in the window it names (8.4).
    Power {
        GrimaWormtongue, CourageAloneWillNotSaveYou, YouShallNotPass, Ambush, TheEnemyIsAtHand, SiegeMachines,
        MoveByNight, TheWayIsUnderTheMountains, ViolentStorms, BorneToAnotherPlace, HuntForTheRingbearer,
        StrategicWithdrawal, BlackSails, ABalrogIsCome, BoromirTriesToSeizeTheOneRing, KnifeInTheDark,
        DangerousCrossing, Gollum, FaramirFindsTheRingbearer, CapturedByOrcs, ShelobsLair, Smeagol,
    }
}

/// What completing a Mission gives (8.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reward {
    /// Battalions, by side, and where they may be placed.
    Battalions(Battalions),
    /// One more Territory card in step 4, while fewer than 5 are held (10.1).
    TerritoryCard,
}

/// Battalions of a reward: how many for a good player and for an evil one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Battalions {
    good: u32,
    evil: u32,
    pub place: RewardPlace,
}

/// Where the battalions of a reward may be placed: always in the player's own territories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RewardPlace {
    /// The territory of the site.
    Territory,
    /// Anywhere in the region of the site.
    Region,
    Anywhere,
}

/// When a Power can be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PowerWindow {
    TurnStart,
    BeforeInvasion,
    BeforeStrongholdInvasion,
    InvasionDeclared,
    SeaborneInvasionDeclared,
    EnemyInvasionDeclared,
    EnemySeaborneBattle,
    AfterLastInvasion,
    FellowshipNoDie,
    FellowshipAfterRoll,
    FellowshipLeaving,
}

const WILDS_FROM: usize = TERRITORIES;
const MISSIONS_FROM: usize = WILDS_FROM + Wild::ALL.len();
const EVENTS_FROM: usize = MISSIONS_FROM + Mission::ALL.len();
const POWERS_FROM: usize = EVENTS_FROM + Event::ALL.len();
const CARDS: usize = POWERS_FROM + Power::ALL.len();

impl Face {
    /// Every card once, in the order of its number.
    pub fn all() -> impl Iterator<Item = Face> {
        (0..CARDS).map(|index| Face::of(Card(u16::try_from(index).expect("there are few cards"))))
    }

    /// The face of a card number.
    ///
    /// # Panics
    /// If the title has no such card.
    pub fn of(card: Card) -> Face {
        let index = usize::from(card.0);
        match index {
            _ if index < WILDS_FROM => Face::Territory(Territory::ALL[index]),
            _ if index < MISSIONS_FROM => Face::Wild(Wild::ALL[index - WILDS_FROM]),
            _ if index < EVENTS_FROM => Face::Mission(Mission::ALL[index - MISSIONS_FROM]),
            _ if index < POWERS_FROM => Face::Event(Event::ALL[index - EVENTS_FROM]),
            _ => Face::Power(Power::ALL[index - POWERS_FROM]),
        }
    }

    /// Its number in the kernel.
    pub fn card(self) -> Card {
        Card(u16::try_from(self.index()).expect("there are few cards"))
    }

    /// Its id in openings: `terr-the-shire`, `wild-1`, `mission-bree`, `event-raiders`, `power-gollum`.
    pub fn id(self) -> &'static str {
        &PRINTED.cards[self.index()].id
    }

    /// The face with this id.
    pub fn of_id(id: &str) -> Option<Face> {
        static FACES: LazyLock<BTreeMap<&str, Face>> =
            LazyLock::new(|| Face::all().map(|face| (face.id(), face)).collect());
        FACES.get(id).copied()
    }

    /// How many copies of it the deck has.
    pub fn copies(self) -> usize {
        PRINTED.cards[self.index()].copies
    }

    /// What it does, in our words.
    pub fn effect(self) -> &'static str {
        &PRINTED.cards[self.index()].effect
    }

    /// When it can be played, in our words.
    pub fn when(self) -> &'static str {
        match self {
            Face::Territory(_) | Face::Wild(_) => "traded in a set of three, in step 1 of your turn",
            Face::Mission(_) => "in your own turn, before you draw in step 5",
            Face::Event(_) => "at once, as it is drawn",
            Face::Power(power) => power.window().words(),
        }
    }

    fn index(self) -> usize {
        match self {
            Face::Territory(territory) => territory.index(),
            Face::Wild(wild) => WILDS_FROM + wild as usize,
            Face::Mission(mission) => MISSIONS_FROM + mission as usize,
            Face::Event(event) => EVENTS_FROM + event as usize,
            Face::Power(power) => POWERS_FROM + power as usize,
        }
    }
}

impl Mission {
    /// The territory with the Site of Power it names.
    pub fn territory(self) -> Territory {
        PRINTED.missions[self as usize].territory
    }

    pub fn reward(self) -> Reward {
        PRINTED.missions[self as usize].reward
    }

    /// What it scores for a player of this side.
    pub fn points(self, side: Side) -> u32 {
        let points = &PRINTED.missions[self as usize].points;
        match side {
            Side::Good => points.good,
            Side::Evil => points.evil,
        }
    }
}

impl Battalions {
    /// How many battalions a player of this side gets.
    pub fn number(self, side: Side) -> u32 {
        match side {
            Side::Good => self.good,
            Side::Evil => self.evil,
        }
    }
}

impl Power {
    pub fn window(self) -> PowerWindow {
        PRINTED.powers[self as usize].window
    }

    /// What it scores after it has been played.
    pub fn points(self) -> u32 {
        PRINTED.powers[self as usize].points
    }
}

impl PowerWindow {
    /// The window, in words.
    pub fn words(self) -> &'static str {
        &PRINTED.windows[&self]
    }
}

/// The Territory deck as printed, 66 cards.
pub fn territory_deck() -> Vec<Card> {
    Face::all().take_while(|face| matches!(face, Face::Territory(_) | Face::Wild(_))).map(Face::card).collect()
}

/// The 22 Missions and 25 Powers. The first cards are dealt from these, before the Events are added (3.8).
pub fn missions_and_powers() -> Vec<Card> {
    copies(|face| matches!(face, Face::Mission(_) | Face::Power(_)))
}

/// The 13 Events, every copy of a title.
pub fn events() -> Vec<Card> {
    copies(|face| matches!(face, Face::Event(_)))
}

/// The symbol of a Territory card; a wild has none of its own (5.4).
pub fn symbol(face: Face) -> Option<Symbol> {
    match face {
        Face::Territory(territory) => Some(territory.symbol()),
        _ => None,
    }
}

fn copies(wanted: impl Fn(Face) -> bool) -> Vec<Card> {
    let often = |face: Face| std::iter::repeat_n(face.card(), face.copies());
    Face::all().filter(|face| wanted(*face)).flat_map(often).collect()
}

impl Named for Face {
    fn name(&self) -> &'static Name {
        &PRINTED.cards[self.index()].name
    }

    fn known_by(words: &[Word<'_>]) -> usize {
        PRINTED.cards.iter().map(|card| card.name.spelled_by(words).max(card.name.begun_by(words))).max().unwrap_or(0)
    }
}

impl Named for Wild {
    fn name(&self) -> &'static Name {
        &PRINTED.cards[Face::Wild(*self).index()].name
    }
}

impl Named for Mission {
    fn name(&self) -> &'static Name {
        &PRINTED.cards[Face::Mission(*self).index()].name
    }
}

impl Named for Event {
    fn name(&self) -> &'static Name {
        &PRINTED.cards[Face::Event(*self).index()].name
    }
}

impl Named for Power {
    fn name(&self) -> &'static Name {
        &PRINTED.cards[Face::Power(*self).index()].name
    }
}

/// The cards that have a text: Missions, Events and Powers.
pub static GLOSSARY: LazyLock<Vec<Gloss>> = LazyLock::new(|| {
    let texts = Face::all().filter(|face| !matches!(face, Face::Territory(_) | Face::Wild(_)));
    texts.map(gloss).collect()
});

fn gloss(face: Face) -> Gloss {
    let copies = match face.copies() {
        1 => String::new(),
        copies => format!(", {copies} copies"),
    };
    let kind = match face {
        Face::Mission(_) => "Mission card",
        Face::Event(_) => "Event card",
        Face::Power(_) => "Power card",
        Face::Territory(_) | Face::Wild(_) => "Territory card",
    };
    let parts = vec![Part::new("Text", face.effect()), Part::new("When", face.when())];
    Gloss { name: face.name().clone(), kind: format!("{kind}{copies}"), parts }
}

struct Printed {
    cards: Vec<PrintedCard>,
    missions: Vec<PrintedMission>,
    powers: Vec<PrintedPower>,
    windows: BTreeMap<PowerWindow, String>,
}

struct PrintedCard {
    id: String,
    name: Name,
    copies: usize,
    effect: String,
}

struct PrintedMission {
    territory: Territory,
    reward: Reward,
    points: PointsData,
}

struct PrintedPower {
    window: PowerWindow,
    points: u32,
}

static PRINTED: LazyLock<Printed> = LazyLock::new(|| {
    let data: Data = printed::read(include_str!("data/cards.yaml"));
    data.printed()
});

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    missions: Vec<MissionData>,
    events: Vec<EventData>,
    powers: Vec<PowerData>,
    windows: BTreeMap<PowerWindow, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MissionData {
    id: String,
    title: String,
    territory: String,
    reward: RewardData,
    points: PointsData,
    effect: String,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case", untagged)]
enum RewardData {
    Battalions { battalions: Battalions },
    Card(CardData),
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum CardData {
    TerritoryCard,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct PointsData {
    good: u32,
    evil: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EventData {
    id: String,
    title: String,
    copies: usize,
    effect: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PowerData {
    id: String,
    title: String,
    #[serde(default)]
    aliases: Vec<String>,
    copies: usize,
    points: u32,
    window: PowerWindow,
    effect: String,
}

impl Data {
    fn printed(self) -> Printed {
        let mut cards: Vec<PrintedCard> = Territory::ALL.into_iter().map(territory_card).collect();
        cards.extend(["wild-1", "wild-2"].map(wild_card));
        let rest = |printed: &mut Vec<PrintedCard>, id: &str, title: &str, aliases: &[String], copies, effect: &str| {
            printed.push(adventure_card(id, title, aliases, copies, effect));
        };
        self.missions.iter().for_each(|card| rest(&mut cards, &card.id, &card.title, &[], 1, &card.effect));
        self.events.iter().for_each(|card| rest(&mut cards, &card.id, &card.title, &[], card.copies, &card.effect));
        for card in &self.powers {
            rest(&mut cards, &card.id, &card.title, &card.aliases, card.copies, &card.effect);
        }
        Printed {
            cards,
            missions: self.missions.iter().map(mission).collect(),
            powers: self.powers.iter().map(|card| PrintedPower { window: card.window, points: card.points }).collect(),
            windows: self.windows,
        }
    }
}

fn territory_card(territory: Territory) -> PrintedCard {
    let name = territory.name();
    let id = format!("terr-{}", name.id());
    let effect = format!("{}, {}: counts in a set of three.", name.title(), territory.symbol().name().title());
    PrintedCard { name: Name::new(name.id(), name.title(), &[&id]), id, copies: 1, effect }
}

fn wild_card(id: &str) -> PrintedCard {
    let effect = "Wild: counts as any symbol in a set of three.".to_string();
    let title = if id == "wild-1" { "Wild 1" } else { "Wild 2" };
    PrintedCard { id: id.to_string(), name: Name::new(id, title, &[]), copies: 1, effect }
}

/// In a sentence a card is named by its title; its id, which begins with its kind, is read as well.
fn adventure_card(id: &str, title: &str, aliases: &[String], copies: usize, effect: &str) -> PrintedCard {
    let (_, short) = id.split_once('-').expect("an id begins with the kind of its card");
    let spellings: Vec<&str> = aliases.iter().map(String::as_str).chain([id]).collect();
    PrintedCard { id: id.to_string(), name: Name::new(short, title, &spellings), copies, effect: effect.to_string() }
}

fn mission(data: &MissionData) -> PrintedMission {
    PrintedMission {
        territory: Territory::of_id(&data.territory).expect("a mission names a territory"),
        reward: match data.reward {
            RewardData::Battalions { battalions } => Reward::Battalions(battalions),
            RewardData::Card(CardData::TerritoryCard) => Reward::TerritoryCard,
        },
        points: data.points,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_decks_are_complete() {
        assert_eq!(territory_deck().len(), 66);
        assert_eq!(missions_and_powers().len(), 47);
        assert_eq!(events().len(), 13);
        assert_eq!(CARDS, 120);
        assert_eq!(PRINTED.cards.len(), CARDS);
        assert_eq!(PRINTED.windows.len(), 11);
    }

    #[test]
    fn every_variant_stands_where_the_data_has_it() {
        for face in Face::all() {
            let variant = match face {
                Face::Territory(_) | Face::Wild(_) => continue,
                Face::Mission(mission) => format!("{mission:?}"),
                Face::Event(event) => format!("{event:?}"),
                Face::Power(power) => format!("{power:?}"),
            };
            assert_eq!(variant.to_lowercase(), face.name().id().replace('-', ""));
        }
    }

    #[test]
    fn a_card_is_its_face_again() {
        for face in Face::all() {
            assert_eq!(Face::of(face.card()), face);
            assert_eq!(Face::of_id(face.id()), Some(face));
        }
        assert_eq!(Face::of_id("power-smeagol"), Some(Face::Power(Power::Smeagol)));
    }

    #[test]
    fn every_site_of_power_has_its_mission() {
        for territory in Territory::ALL {
            let missions = Mission::ALL.iter().filter(|mission| mission.territory() == territory);
            let sites: Vec<&str> = missions.map(|mission| mission.name().title()).collect();
            assert_eq!(sites, territory.site().into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn rewards_and_points_go_by_side() {
        let Reward::Battalions(bree) = Mission::Bree.reward() else { panic!("battalions") };
        assert_eq!((bree.number(Side::Good), bree.number(Side::Evil)), (2, 6));
        assert_eq!(bree.place, RewardPlace::Territory);
        assert_eq!(Mission::Harlond.reward(), Reward::TerritoryCard);
        assert_eq!((Mission::Harlond.points(Side::Good), Mission::Harlond.points(Side::Evil)), (2, 3));
        assert_eq!(Power::ALL.iter().map(|power| power.points()).sum::<u32>(), 22);
        assert_eq!(Power::BlackSails.window(), PowerWindow::SeaborneInvasionDeclared);
    }

    #[test]
    fn cards_are_understood_by_title_alias_and_id() {
        let words = |line| engine::name::words(line);
        assert_eq!(Power::GrimaWormtongue.name().spelled_by(&words("Gríma Wormtongue")), 2);
        assert_eq!(Power::YouShallNotPass.name().spelled_by(&words("You Shall Not Pass!")), 4);
        assert_eq!(Event::TheyveBroughtACaveTroll.name().spelled_by(&words("They've Brought a Cave Troll")), 5);
        assert_eq!(Face::Wild(Wild::Second).name().spelled_by(&words("wild-2")), 2);
    }
}
