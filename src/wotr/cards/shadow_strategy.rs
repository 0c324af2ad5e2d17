//! The Event halves of the Strategy deck of the Shadow, one arm a card.

use crate::board::Board;
use crate::board::place::Place;
use crate::card::Card;
use crate::cards::assault::{Assault, Target};
use crate::cards::levy::{Levy, Troops, levy, of_troops, regulars};
use crate::cards::march::{Duty, Goal, Orders, With};
use crate::cards::volley::{self, Also};
use crate::cards::{About, Step, Title, conditions, dunlendings, part, share};
use crate::character::Character;
use crate::die::Face;
use crate::event::dice::Event as Diced;
use crate::event::{Cause, Event as Told, Move};
use crate::figures::{Figure, Figures};
use crate::nation::Nation;
use crate::part::Count;
use crate::region::named::{
    ANFALAS, ANGMAR, DOL_AMROTH, DOL_GULDUR, EAST_RHUN, ETTENMOORS, FAR_HARAD, GORGOROTH, KHAND, LAMEDON, MINAS_MORGUL,
    MINAS_TIRITH, MORIA, MOUNT_GRAM, MOUNT_GUNDABAD, NORTH_DUNLAND, NURN, ORTHANC, PELARGIR, SOUTH_DUNLAND, SOUTH_RHUN,
    TROLLSHAWS, UMBAR, WEATHER_HILLS,
};
use crate::region::{self, Region, Regions};
use crate::side::Side;
use crate::step::Step as Next;
use crate::{Table, characters, politics, words};
use engine::listed::listed;
use engine::menu::{Ask, Menu};
use engine::need::{Answer, Need};
use engine::plural;
use engine::refusal::{Allowed, allowed_if};
use engine::slot::Faces;

listed! {
    /// The cards of the deck, in the order of their printed numbers.
    ShadowStrategy {
        ReturnToValinor, TheFightingUrukHai, DenethorsFolly, TheDayWithoutDawn, ThreatsAndPromises, Stormcrow,
        ShadowsGather, TheShadowLengthens, TheShadowIsMoving, CorsairsOfUmbar, RageOfTheDunlendings,
        ReturnOfTheWitchKing, HalfOrcsAndGoblinMen, OlogHai, HillTrolls, ANewPowerIsRising,
        ManyKingsToTheServiceOfMordor, TheKingIsRevealed, ShadowsOnTheMistyMountains, OrcsMultiplyingAgain,
        HordeFromTheEast, MonstersRoused, MusteringsOfLongPlannedWar, PitsOfMordor,
    }
}

/// 5.8, 5.19: whether the card's requirement is met now. A table card that no longer meets it is discarded (5.18).
pub fn requires(board: &Board, card: ShadowStrategy) -> Allowed {
    match card {
        ShadowStrategy::ReturnToValinor => {
            let held = elven_strongholds() & board.controlled(Side::Shadow);
            allowed_if(!held.is_empty(), "5.8", || "the Shadow holds no Stronghold of the Elves".to_string())
        }
        ShadowStrategy::TheFightingUrukHai => {
            conditions::in_play(board, Character::Saruman)?;
            let sieges = conditions::sieges(board, Side::Shadow, |army| army.units_of(Nation::Isengard) > 0);
            allowed_if(!sieges.is_empty(), "5.8", || {
                "no Army with a unit of Isengard besieges a Stronghold".to_string()
            })
        }
        ShadowStrategy::DenethorsFolly => allowed_if(board.besieges(Side::Shadow, MINAS_TIRITH), "5.8", || {
            "no Shadow Army besieges minas-tirith".to_string()
        }),
        ShadowStrategy::TheDayWithoutDawn
        | ShadowStrategy::TheShadowIsMoving
        | ShadowStrategy::MusteringsOfLongPlannedWar => conditions::at_war(board, Nation::of(Side::Shadow)),
        ShadowStrategy::Stormcrow => allowed_if(brooding(board).next().is_some(), "5.8", || {
            "neither the Fellowship nor a Companion is in a Nation that is not At War".to_string()
        }),
        ShadowStrategy::CorsairsOfUmbar | ShadowStrategy::HordeFromTheEast => {
            conditions::at_war(board, &[Nation::Southrons])
        }
        ShadowStrategy::RageOfTheDunlendings | ShadowStrategy::HalfOrcsAndGoblinMen => {
            conditions::at_war(board, &[Nation::Isengard])
        }
        ShadowStrategy::ReturnOfTheWitchKing => conditions::in_play(board, Character::WitchKing),
        ShadowStrategy::OlogHai | ShadowStrategy::HillTrolls | ShadowStrategy::PitsOfMordor => {
            conditions::at_war(board, &[Nation::Sauron])
        }
        ShadowStrategy::ANewPowerIsRising => conditions::in_play(board, Character::Saruman),
        ShadowStrategy::TheKingIsRevealed => conditions::in_play(board, Character::Aragorn),
        ShadowStrategy::ThreatsAndPromises
        | ShadowStrategy::ShadowsGather
        | ShadowStrategy::TheShadowLengthens
        | ShadowStrategy::ManyKingsToTheServiceOfMordor
        | ShadowStrategy::ShadowsOnTheMistyMountains
        | ShadowStrategy::OrcsMultiplyingAgain
        | ShadowStrategy::MonstersRoused => Ok(()),
    }
}

fn elven_strongholds() -> Regions {
    region::regions_of(Nation::Elves) & region::all_strongholds()
}

/// Stormcrow: the Nations not At War in whose regions the Fellowship's figure or a Companion is.
fn brooding(board: &Board) -> impl Iterator<Item = Nation> + use<'_> {
    let stands = |nation: Nation| {
        let of_nation = |region: Option<Region>| region.and_then(Region::nation) == Some(nation);
        of_nation(board.company().region())
            || Character::of(Side::Free).iter().any(|companion| of_nation(board.region_of(*companion)))
    };
    let nations = Nation::of(Side::Free).iter().copied();
    nations.filter(move |nation| !board.is_at_war(*nation) && stands(*nation))
}

/// What the card does, in the order of its text.
pub fn steps(board: &Board, title: ShadowStrategy) -> Vec<Next> {
    let card = Title::ShadowStrategy(title).card();
    let at = Regions::one;
    match title {
        ShadowStrategy::ReturnToValinor => valinor(board, card),
        ShadowStrategy::TheFightingUrukHai => {
            let sieges = Target::Besieged(Regions::ALL);
            vec![Assault { with: With::Unit(Nation::Isengard), rounds: 3, ..Assault::of(card, sieges) }.step()]
        }
        ShadowStrategy::DenethorsFolly => vec![part(card, FOLLY, About::Nothing)],
        ShadowStrategy::TheDayWithoutDawn => vec![part(card, DARKNESS, About::Nothing)],
        ShadowStrategy::ThreatsAndPromises => Vec::new(),
        ShadowStrategy::Stormcrow => vec![part(card, CROW, About::Nothing)],
        ShadowStrategy::ShadowsGather => vec![Orders { goal: Goal::Friends, ..Orders::of(card, 1, 3) }.step()],
        ShadowStrategy::TheShadowLengthens => vec![Orders { goal: Goal::Friends, ..Orders::of(card, 2, 2) }.step()],
        ShadowStrategy::TheShadowIsMoving => vec![Orders::of(card, 4, 1).step()],
        ShadowStrategy::CorsairsOfUmbar => {
            let coast = at(ANFALAS) | at(DOL_AMROTH) | at(LAMEDON) | at(PELARGIR);
            let goal = Goal::Landing(coast);
            vec![Orders { goal, from: at(UMBAR), duty: Duty::Must, ..Orders::of(card, 1, 1) }.step()]
        }
        ShadowStrategy::RageOfTheDunlendings => vec![part(card, CAMP, About::Nothing)],
        ShadowStrategy::ReturnOfTheWitchKing => returned(board, card),
        ShadowStrategy::HalfOrcsAndGoblinMen => {
            vec![levy(card, Nation::Isengard, 1, 0, board.armies_anywhere(Side::Shadow))]
        }
        ShadowStrategy::OlogHai => vec![levy(card, Nation::Sauron, 1, 0, board.armies_anywhere(Side::Shadow))],
        ShadowStrategy::HillTrolls => vec![part(card, TROLLS, About::Number(2))],
        ShadowStrategy::ANewPowerIsRising | ShadowStrategy::OrcsMultiplyingAgain | ShadowStrategy::MonstersRoused => {
            share::steps(board, card)
        }
        ShadowStrategy::ManyKingsToTheServiceOfMordor => {
            let settled = region::regions_of(Nation::Southrons) & region::settlements(Side::Shadow);
            vec![in_three(card, Nation::Southrons, settled)]
        }
        ShadowStrategy::TheKingIsRevealed => {
            let troops = Troops { regulars: 5, leaders: 1, ..Troops::default() };
            vec![of_troops(card, Nation::Sauron, troops, at(MINAS_MORGUL))]
        }
        ShadowStrategy::ShadowsOnTheMistyMountains => {
            vec![levy(card, Nation::Sauron, 2, 1, at(MORIA) | at(MOUNT_GRAM))]
        }
        ShadowStrategy::HordeFromTheEast => {
            let east = at(EAST_RHUN) | at(SOUTH_RHUN) | at(KHAND) | at(FAR_HARAD);
            vec![regulars(card, Nation::Southrons, 5, east & board.free_regions(Side::Shadow))]
        }
        ShadowStrategy::MusteringsOfLongPlannedWar => {
            vec![regulars(card, Nation::Southrons, 5, at(GORGOROTH)), regulars(card, Nation::Sauron, 5, at(NURN))]
        }
        ShadowStrategy::PitsOfMordor => {
            let strongholds = region::regions_of(Nation::Sauron) & region::all_strongholds();
            vec![in_three(card, Nation::Sauron, strongholds)]
        }
    }
}

/// What the card recruits in each of several regions, in the order of its text; empty for other cards.
pub fn levies(card: Card) -> Vec<Levy> {
    let Title::ShadowStrategy(title) = card.title_of() else { return Vec::new() };
    let none = Troops::default();
    let regulars = |regulars: u8| Troops { regulars, ..none };
    let levy = |troops: Troops, region: Region| Levy {
        card,
        nation: nation(card),
        troops,
        places: Regions::one(region),
        times: 1,
    };
    match title {
        ShadowStrategy::ANewPowerIsRising => vec![
            levy(regulars(2), NORTH_DUNLAND),
            levy(regulars(2), SOUTH_DUNLAND),
            levy(Troops { either: 2, ..none }, ORTHANC),
        ],
        ShadowStrategy::OrcsMultiplyingAgain => {
            vec![levy(regulars(3), DOL_GULDUR), levy(regulars(3), MOUNT_GUNDABAD)]
        }
        ShadowStrategy::MonstersRoused => vec![
            levy(Troops { elites: 1, ..none }, TROLLSHAWS),
            levy(regulars(1), ANGMAR),
            levy(regulars(1), WEATHER_HILLS),
            levy(regulars(1), ETTENMOORS),
        ],
        _ => Vec::new(),
    }
}

/// The Nation that the card recruits in each of several regions.
pub fn nation(card: Card) -> Nation {
    let isengard = card.title_of() == Title::ShadowStrategy(ShadowStrategy::ANewPowerIsRising);
    if isengard { Nation::Isengard } else { Nation::Sauron }
}

/// Two Regulars in each of three different regions.
fn in_three(card: Card, nation: Nation, places: Regions) -> Next {
    let troops = Troops { regulars: 2, ..Troops::default() };
    Next::Effect(Step::Levy(Levy { card, nation, troops, places, times: 3 }))
}

/// Return to Valinor strikes each Elven Stronghold that is not besieged, in turn. It rolls a die for each Elven unit;
/// the whole Army takes the hits. A captured Stronghold has no Elven units (C5.1).
fn valinor(board: &Board, card: Card) -> Vec<Next> {
    let open = elven_strongholds() - board.besieged();
    let strike = |region: Region| {
        let elves = board.force(Side::Free, region).units_of(Nation::Elves);
        let place = Place::Field(region);
        if elves > 0 { volley::volley(card, Side::Free, place, elves, 6, Also::Nobody) } else { Vec::new() }
    };
    open.iter().flat_map(strike).collect()
}

/// Return of the Witch-king: he goes straight to Angmar, even out of a siege; then units are recruited there.
fn returned(board: &Board, card: Card) -> Vec<Next> {
    let from = board.whereabouts(Character::WitchKing);
    let figures = Figures::one(Figure::Character(Character::WitchKing));
    let troops = Troops { regulars: 2, elites: 1, ..Troops::default() };
    let host = of_troops(card, Nation::Sauron, troops, Regions::one(ANGMAR));
    match from.region() {
        Some(region) if region != ANGMAR => {
            let flight = characters::Step::Travel { figures, from, to: ANGMAR, cause: Cause::Flew };
            vec![Next::Characters(flight), host]
        }
        _ => vec![host],
    }
}

/// Denethor's Folly: a Leader in Minas Tirith is eliminated.
const FOLLY: u8 = 0;
/// The Day Without Dawn: dice are lost.
const DARKNESS: u8 = 1;
/// Stormcrow: a Nation is set back.
const CROW: u8 = 2;
/// Stormcrow: the Free Peoples lose a figure of the Nation.
const DESERTER: u8 = 3;
/// Rage of the Dunlendings: the region is chosen.
const CAMP: u8 = 4;
/// Rage of the Dunlendings: units go to the region.
const RAID: u8 = 5;
/// Hill-trolls: a Regular is replaced by an Elite; the number says how many more may be replaced.
const TROLLS: u8 = 6;

/// The Leaders inside Minas Tirith.
fn stewards(board: &Board) -> Vec<Count> {
    let inside = board.garrison(MINAS_TIRITH);
    inside.only_leaders().iter().map(|(leader, _)| Count(leader)).collect()
}

fn fall(leader: Figure) -> Next {
    Next::Effect(Step::Eliminate { figures: Figures::one(leader), from: Place::Inside(MINAS_TIRITH) })
}

/// The figures of the Nation that may be eliminated, with their regions. A last unit with Leaders beside it is
/// eliminated only if no other figure can be (C5.6).
fn deserters(board: &Board, nation: Nation) -> Vec<(Figure, Region)> {
    let figures = [Figure::Regular(nation), Figure::Elite(nation), Figure::Leader(nation)];
    let force = |region: Region| board.force_at(Side::Free, board.entry(Side::Free, region));
    let all: Vec<(Figure, Region)> = figures
        .into_iter()
        .flat_map(|figure| {
            let there = move |region: &Region| force(*region).count(figure) > 0;
            board.armies_anywhere(Side::Free).iter().filter(there).map(move |region| (figure, region))
        })
        .collect();
    let keeps = |(figure, region): &(Figure, Region)| {
        !figure.is_unit() || force(*region).units(Side::Free) > 1 || force(*region).leaders() == 0
    };
    let kept: Vec<(Figure, Region)> = all.iter().copied().filter(|one| keeps(one)).collect();
    if kept.is_empty() { all } else { kept }
}

fn desert(board: &Board, figure: Figure, region: Region) -> Next {
    let from = board.entry(Side::Free, region);
    Next::Effect(Step::Eliminate { figures: Figures::one(figure), from })
}

/// The regions with a Sauron Regular, if an Elite can replace it.
fn lairs(board: &Board) -> Regions {
    if board.reinforcements().count(Figure::Elite(Nation::Sauron)) == 0 {
        return Regions::NONE;
    }
    let has = |region: &Region| {
        let place = board.entry(Side::Shadow, *region);
        board.at(place).count(Figure::Regular(Nation::Sauron)) > 0
    };
    board.armies_anywhere(Side::Shadow).iter().filter(has).collect()
}

/// What a part of the card waits for.
pub fn need(board: &Board, _card: ShadowStrategy, part: u8, about: About) -> Option<Need> {
    let asked = |id| Some(board.asks(board.acting(Side::Shadow), id));
    match (part, about) {
        (FOLLY, _) if stewards(board).len() > 1 => asked("card-choice"),
        (CROW, About::Nothing) if brooding(board).nth(1).is_some() => asked("card-nation"),
        // 17.47: the player of the Nation is asked.
        (DESERTER, About::Nation(nation)) if deserters(board, nation).len() > 1 => {
            Some(board.asks(board.holder(nation), "card-choice"))
        }
        (CAMP, About::Nothing) if camps(board).len() > 1 => asked("card-recruit"),
        (RAID, About::Region(region)) if dunlendings::can_go(board, region) => asked("card-move"),
        (TROLLS, About::Number(left)) if left > 0 && lairs(board).len() > 1 => asked("card-choice"),
        _ => None,
    }
}

/// The regions that may be chosen for Rage of the Dunlendings: those where a unit can be recruited or go.
fn camps(board: &Board) -> Regions {
    let rising = board.reinforcements().count(Figure::Regular(Nation::Isengard)) > 0;
    let camps = dunlendings::camps(board);
    if rising { camps } else { camps.iter().filter(|to| dunlendings::can_go(board, *to)).collect() }
}

/// What may be said to the question of a part.
pub fn menu(
    board: &Board,
    title: ShadowStrategy,
    part: u8,
    about: About,
    _faces: &Faces,
    menu: &mut Menu<'_>,
) -> Ask<Vec<Next>> {
    let card = Title::ShadowStrategy(title).card();
    match (part, about) {
        (FOLLY, _) => {
            menu.word("eliminate")?;
            let leader = menu.pick("leader", &stewards(board), |_| Ok(()))?;
            Ok(vec![fall(leader.0)])
        }
        (CROW, _) => {
            menu.word("choose|name|set back")?;
            let nation = menu.pick("nation", Nation::of(Side::Free), |nation| {
                allowed_if(brooding(board).any(|one| one == nation), "5.9", || {
                    format!("{} At War, or nobody is there", words::nation_is(nation))
                })
            })?;
            Ok(vec![self::part(card, CROW, About::Nation(nation))])
        }
        (DESERTER, About::Nation(nation)) => desertion(board, nation, menu),
        (CAMP, _) => {
            menu.word("recruit|recruit in|rise in|in")?;
            let camps = camps(board);
            let region = menu.pick("region", Region::all(), |region| {
                allowed_if(camps.contains(region), "5.9", || {
                    format!("{} is no free region next to a Dunland", region.title())
                })
            })?;
            Ok(vec![self::part(card, CAMP, About::Region(region))])
        }
        (RAID, About::Region(region)) => dunlendings::menu(board, region, menu),
        (TROLLS, About::Number(left)) => {
            menu.word("replace in|replace regular in|replace|in")?;
            let lairs = lairs(board);
            let region = menu.pick("region", Region::all(), |region| {
                allowed_if(lairs.contains(region), "5.9", || format!("no Sauron Regular is in {}", region.title()))
            })?;
            let exchange = self::part(card, TROLLS, About::Place(board.entry(Side::Shadow, region)));
            Ok(vec![exchange, self::part(card, TROLLS, About::Number(left - 1))])
        }
        _ => unreachable!("part {part} of {title:?} asks nothing"),
    }
}

/// `eliminate gondor regular in osgiliath`, one figure of the Nation.
fn desertion(board: &Board, nation: Nation, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    menu.word("eliminate|lose|remove")?;
    let all = deserters(board, nation);
    let figures = [Figure::Regular(nation), Figure::Elite(nation), Figure::Leader(nation)].map(Count);
    let figure = menu.choose("figure", &figures, |one| {
        allowed_if(all.iter().any(|(figure, _)| *figure == one.0), "5.9", || {
            format!("no {} can be eliminated", words::figure(one.0))
        })
    })?;
    menu.word("in|from|at")?;
    let region = menu.pick("region", Region::all(), |region| {
        allowed_if(all.contains(&(figure.0, region)), "5.9", || {
            let figure = words::figure(figure.0);
            format!("no {figure} is in {}, or a Leader would stay there without a unit", region.title())
        })
    })?;
    Ok(vec![desert(board, figure.0, region)])
}

/// What a part asks, in a few words and in a sentence.
pub fn question(board: &Board, title: ShadowStrategy, part: u8, about: About) -> (&'static str, String) {
    let name = Title::ShadowStrategy(title).card().title();
    let regions = |regions: Regions| {
        let titles: Vec<&str> = regions.iter().map(words::title).collect();
        words::or(&titles)
    };
    match (part, about) {
        (FOLLY, _) => ("which Leader falls", format!("{name}: which Leader in Minas Tirith is eliminated?")),
        (CROW, _) => {
            let nations: Vec<&str> = brooding(board).map(words::nation).collect();
            ("which Nation goes back", format!("{name}: which Nation goes back one step, {}?", words::or(&nations)))
        }
        (DESERTER, About::Nation(nation)) => {
            let whose = words::of_nation(nation);
            ("which figure you lose", format!("{name}: eliminate one {whose} unit or Leader, anywhere on the map."))
        }
        (CAMP, _) => ("where they rise", format!("{name}: recruit 2 Isengard Regulars in {}?", regions(camps(board)))),
        (RAID, About::Region(region)) => {
            let to = words::title(region);
            let text = format!("{name}: up to 4 Isengard units of the two Dunlands may go straight to {to}.");
            ("who joins them", text)
        }
        (TROLLS, About::Number(left)) => {
            let number = plural::counted(left, "Sauron Regular");
            ("where trolls come", format!("{name}: {number} to be replaced by Elites, one at a time. Where?"))
        }
        _ => unreachable!("part {part} of {title:?} asks nothing"),
    }
}

/// Performs a part that waits for nothing.
pub fn perform(play: &mut Table, title: ShadowStrategy, part: u8, about: About) {
    let card = Title::ShadowStrategy(title).card();
    let next = |part: u8, about: About| self::part(card, part, about);
    let board = play.board();
    match (part, about) {
        (FOLLY, _) => {
            // Only Leader figures count; without one the text is skipped.
            let only = stewards(board).first().map(|leader| fall(leader.0));
            play.then(only);
        }
        (DARKNESS, _) => {
            let number = board.dice().showing(Side::Free, Face::Will);
            if number > 0 {
                play.tell(Told::Dice(Diced::Quenched { side: Side::Free, face: Face::Will, number }));
            }
        }
        (CROW, About::Nation(nation)) => {
            politics::set_back(play, nation);
            play.push(next(DESERTER, About::Nation(nation)));
        }
        (CROW, _) => {
            let only = brooding(board).next().map(|nation| next(CROW, About::Nation(nation)));
            play.then(only);
        }
        (DESERTER, About::Nation(nation)) => {
            let only = deserters(board, nation).first().map(|(figure, region)| desert(board, *figure, *region));
            play.then(only);
        }
        (CAMP, About::Region(region)) => {
            play.then([regulars(card, Nation::Isengard, 2, Regions::one(region)), next(RAID, about)]);
        }
        (CAMP, _) => {
            let only = camps(board).iter().next().map(|region| next(CAMP, About::Region(region)));
            play.then(only);
        }
        (TROLLS, About::Place(place)) => exchange(play, place),
        (TROLLS, About::Number(left)) => {
            let only = lairs(board).iter().next().filter(|_| left > 0);
            if let Some(region) = only {
                let place = board.entry(Side::Shadow, region);
                play.then([next(TROLLS, About::Place(place)), next(TROLLS, About::Number(left - 1))]);
            }
        }
        (RAID, _) => {}
        _ => unreachable!("part {part} of {title:?} is asked"),
    }
}

/// A Sauron Regular goes to the reinforcements, and an Elite takes its place.
fn exchange(play: &mut Table, place: Place) {
    let figures = Figures::one(Figure::Regular(Nation::Sauron));
    play.tell(Told::Moved(Move { figures, from: place, to: Place::Reinforcements, cause: Cause::Replaced }));
    let figures = Figures::one(Figure::Elite(Nation::Sauron));
    play.tell(Told::Moved(Move { figures, from: Place::Reinforcements, to: place, cause: Cause::Replaced }));
}

/// Performs a part that waited for chance.
pub fn settle(_play: &mut Table, card: ShadowStrategy, part: u8, _about: About, answer: Answer) {
    unreachable!("part {part} of {card:?} waits for no {answer:?}")
}
