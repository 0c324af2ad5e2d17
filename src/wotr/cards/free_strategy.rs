//! The Event halves of the Strategy deck of the Free Peoples, one arm a card.

use crate::board::Board;
use crate::board::place::Place;
use crate::card::{Card, EventDeck, Type};
use crate::cards::assault::{Assault, Target};
use crate::cards::companions::{Ways, companions};
use crate::cards::levy::{levy, regulars};
use crate::cards::march::{Duty, Goal, Orders, Start, With};
use crate::cards::volley::{self, Also, army_in};
use crate::cards::{About, Title, conditions, draws, part};
use crate::character::Character;
use crate::characters::Terms;
use crate::nation::Nation;
use crate::region::named::{
    BREE, CARROCK, DALE, DOL_AMROTH, EDORAS, EREBOR, ERED_LUIN, LORIEN, MINAS_TIRITH, NORTH_ITHILIEN, OSGILIATH,
    RIVENDELL, SOUTH_ITHILIEN, THE_SHIRE, WOODLAND_REALM,
};
use crate::region::{self, Region, Regions};
use crate::side::Side;
use crate::step::Step as Next;
use crate::{Table, politics, words};
use engine::listed::listed;
use engine::menu::{Ask, Menu};
use engine::need::{Answer, Need};
use engine::refusal::{Allowed, allowed_if};
use engine::slot::Faces;

listed! {
    /// The cards of the deck, in the order of their printed numbers.
    FreeStrategy {
        TheLastBattle, APowerTooGreat, ThePowerOfTomBombadil, BookOfMazarbul, TheSpiritOfMordor,
        FaramirsRangers, FearFireFoes, WisdomOfElrond, TheRedArrow, HelpUnlookedFor, PathsOfTheWoses,
        ThroughADayAndANight, CirdansShips, GuardsOfTheCitadel, CelebornsGaladhrim, RidersOfTheoden,
        GrimbeornTheOldSonOfBeorn, ImrahilOfDolAmroth, KingBrandsMen, SwordsInEriador, KindredOfGlorfindel,
        DainIronfootsGuard, EomerSonOfEomund, ThranduilsArchers,
    }
}

/// 5.8, 5.19: whether the card's requirement is met now. A table card that no longer meets it is discarded (5.18).
pub fn requires(board: &Board, card: FreeStrategy) -> Allowed {
    match card {
        FreeStrategy::TheLastBattle => may_draw_the_eye(board),
        FreeStrategy::TheRedArrow => {
            allowed_if(board.politics().is_active(Nation::Gondor), "5.8", || "Gondor is passive".to_string())
        }
        FreeStrategy::PathsOfTheWoses => conditions::at_war(board, &[Nation::Rohan]),
        FreeStrategy::ThroughADayAndANight => {
            let led = board.armies_anywhere(Side::Free).iter().any(|region| is_led(board, region));
            allowed_if(led, "5.8", || "no Companion is with an Army".to_string())
        }
        FreeStrategy::CirdansShips => conditions::at_war(board, &[Nation::Elves]),
        FreeStrategy::APowerTooGreat
        | FreeStrategy::ThePowerOfTomBombadil
        | FreeStrategy::BookOfMazarbul
        | FreeStrategy::TheSpiritOfMordor
        | FreeStrategy::FaramirsRangers
        | FreeStrategy::FearFireFoes
        | FreeStrategy::WisdomOfElrond
        | FreeStrategy::HelpUnlookedFor
        | FreeStrategy::GuardsOfTheCitadel
        | FreeStrategy::CelebornsGaladhrim
        | FreeStrategy::RidersOfTheoden
        | FreeStrategy::GrimbeornTheOldSonOfBeorn
        | FreeStrategy::ImrahilOfDolAmroth
        | FreeStrategy::KingBrandsMen
        | FreeStrategy::SwordsInEriador
        | FreeStrategy::KindredOfGlorfindel
        | FreeStrategy::DainIronfootsGuard
        | FreeStrategy::EomerSonOfEomund
        | FreeStrategy::ThranduilsArchers => Ok(()),
    }
}

/// The Last Battle: Aragorn, not Strider, is with an Army outside every Nation of the Free Peoples, in the open or
/// besieged; and (5.19) the Fellowship is not Revealed, which would discard the card.
fn may_draw_the_eye(board: &Board) -> Allowed {
    let stands = match board.whereabouts(Character::Aragorn) {
        place @ (Place::Field(region) | Place::Inside(region)) => {
            region.side() != Some(Side::Free) && board.force_at(Side::Free, place).units(Side::Free) > 0
        }
        _ => false,
    };
    allowed_if(stands, "5.8", || "Aragorn is with no Army outside the Nations of the Free Peoples".to_string())?;
    allowed_if(board.company().is_hidden(), "5.19", || "the Fellowship is revealed".to_string())
}

/// Whether a Companion is with the Army of the Free Peoples in the region, in the open or besieged.
fn is_led(board: &Board, region: Region) -> bool {
    let place = army_in(board, Side::Free, region);
    place.is_some_and(|place| board.at(place).has_characters(Side::Free))
}

/// What the card does, in the order of its text.
pub fn steps(board: &Board, title: FreeStrategy) -> Vec<Next> {
    let card = Title::FreeStrategy(title).card();
    let drawn = || draws(board, EventDeck { side: Side::Free, kind: Type::Strategy }, 1);
    let at = Regions::one;
    match title {
        FreeStrategy::TheLastBattle => Vec::new(),
        FreeStrategy::APowerTooGreat => vec![Next::Politics(politics::Step::Advance(Nation::Elves))],
        FreeStrategy::ThePowerOfTomBombadil => vec![Next::Politics(politics::Step::Advance(Nation::North))],
        FreeStrategy::BookOfMazarbul | FreeStrategy::FearFireFoes => {
            vec![companions(card, Ways::EverybodyMayMove, Terms::ORDINARY), part(card, ROUSE, About::Nothing)]
        }
        FreeStrategy::TheSpiritOfMordor => vec![part(card, STRIKE, About::Nothing)],
        FreeStrategy::FaramirsRangers => vec![part(card, STRIKE, About::Nothing), part(card, HOLD, About::Nothing)],
        FreeStrategy::WisdomOfElrond => vec![part(card, COUNSEL, About::Nothing)],
        FreeStrategy::TheRedArrow => {
            vec![Next::Politics(politics::Step::Advance(Nation::Rohan)), levy(card, Nation::Rohan, 1, 1, at(EDORAS))]
        }
        FreeStrategy::HelpUnlookedFor => vec![Assault::of(card, Target::Besiegers).step()],
        FreeStrategy::PathsOfTheWoses => vec![woses(board, card).step()],
        FreeStrategy::ThroughADayAndANight => vec![Orders { with: With::Companion, ..Orders::of(card, 1, 2) }.step()],
        FreeStrategy::CirdansShips => {
            let coast = board.armies_anywhere(Side::Free).iter().filter(|region| region.is_coastal());
            vec![levy(card, Nation::Elves, 2, 0, coast.collect())]
        }
        FreeStrategy::GuardsOfTheCitadel => vec![levy(card, Nation::Gondor, 1, 1, at(MINAS_TIRITH))],
        FreeStrategy::CelebornsGaladhrim => and(levy(card, Nation::Elves, 1, 0, at(LORIEN)), drawn()),
        FreeStrategy::RidersOfTheoden => vec![levy(card, Nation::Rohan, 1, 1, at(EDORAS) | riding(board))],
        FreeStrategy::GrimbeornTheOldSonOfBeorn => vec![levy(card, Nation::North, 1, 1, at(CARROCK))],
        FreeStrategy::ImrahilOfDolAmroth => vec![levy(card, Nation::Gondor, 1, 1, at(DOL_AMROTH))],
        FreeStrategy::KingBrandsMen => and(regulars(card, Nation::North, 2, at(DALE)), drawn()),
        FreeStrategy::SwordsInEriador => {
            let dwarves = levy(card, Nation::Dwarves, 1, 0, at(ERED_LUIN));
            and(levy(card, Nation::North, 1, 0, at(THE_SHIRE)), and(dwarves, drawn()))
        }
        FreeStrategy::KindredOfGlorfindel => and(levy(card, Nation::Elves, 1, 0, at(RIVENDELL)), drawn()),
        FreeStrategy::DainIronfootsGuard => vec![levy(card, Nation::Dwarves, 1, 1, at(EREBOR))],
        FreeStrategy::EomerSonOfEomund => {
            // C3.23: the printed text says free, so a garrison under siege gets no figure.
            let settled = region::regions_of(Nation::Rohan) & region::settlements(Side::Free);
            vec![levy(card, Nation::Rohan, 1, 1, settled & board.free_regions(Side::Free))]
        }
        FreeStrategy::ThranduilsArchers => and(levy(card, Nation::Elves, 1, 0, at(WOODLAND_REALM)), drawn()),
    }
}

fn and(first: Next, mut then: Vec<Next>) -> Vec<Next> {
    then.insert(0, first);
    then
}

/// Paths of the Woses: an Army moves from a region of Rohan, even out of a siege, straight to Minas Tirith; if the
/// Shadow controls or besieges it, to an adjacent region. 7.31: only the goal must be free for Army movement.
fn woses(board: &Board, card: Card) -> Orders {
    let lost = board.controller(MINAS_TIRITH) == Some(Side::Shadow) || board.is_besieged(MINAS_TIRITH);
    let goal = if lost { MINAS_TIRITH.neighbours() } else { Regions::one(MINAS_TIRITH) };
    Orders {
        goal: Goal::Straight(goal),
        from: region::regions_of(Nation::Rohan),
        start: Start::Anywhere,
        duty: Duty::Must,
        ..Orders::of(card, 1, 1)
    }
}

/// Riders of Théoden: the regions of Rohan with a Companion, also besieged Helm's Deep.
fn riding(board: &Board) -> Regions {
    let companions = Character::of(Side::Free).iter().filter_map(|companion| board.region_of(*companion));
    companions.filter(|region| region.nation() == Some(Nation::Rohan)).collect()
}

/// Book of Mazarbul, Fear! Fire! Foes!: a Nation goes to war.
const ROUSE: u8 = 0;
/// An Army takes hits.
const STRIKE: u8 = 1;
/// Faramir's Rangers: figures are recruited in Osgiliath.
const HOLD: u8 = 2;
/// Wisdom of Elrond: a Nation is chosen.
const COUNSEL: u8 = 3;

/// The regions with a Shadow Army that the card may strike; besieged ones count (5.26).
fn targets(board: &Board, card: FreeStrategy) -> Regions {
    let armies = board.armies_anywhere(Side::Shadow);
    match card {
        FreeStrategy::FaramirsRangers => {
            armies & (Regions::one(OSGILIATH) | Regions::one(SOUTH_ITHILIEN) | Regions::one(NORTH_ITHILIEN))
        }
        // Only units count: Nazgûl and Minions are no second Nation.
        _ => armies.iter().filter(|region| is_mixed(board, *region)).collect(),
    }
}

/// Whether the Army of the region has units of two Shadow Nations or more.
fn is_mixed(board: &Board, region: Region) -> bool {
    let place = army_in(board, Side::Shadow, region).expect("a Shadow Army stands there");
    let army = board.at(place);
    Nation::of(Side::Shadow).iter().filter(|nation| army.units_of(**nation) > 0).count() > 1
}

/// The dice of the card on the Army of the region, each hitting at 5 or 6.
fn strike(board: &Board, title: FreeStrategy, region: Region) -> Vec<Next> {
    let dice = if title == FreeStrategy::FaramirsRangers { 3 } else { 5 };
    let place = army_in(board, Side::Shadow, region).expect("a Shadow Army stands there");
    volley::volley(Title::FreeStrategy(title).card(), Side::Shadow, place, dice, 5, Also::Nobody)
}

/// What a part of the card waits for.
pub fn need(board: &Board, card: FreeStrategy, part: u8, about: About) -> Option<Need> {
    let asked = |id| Some(board.asks(board.acting(Side::Free), id));
    match (part, about) {
        (STRIKE, _) if targets(board, card).len() > 1 => asked("card-army"),
        (COUNSEL, About::Nothing)
            if board.acting(Side::Free).nations().iter().any(|nation| may_change(board, *nation)) =>
        {
            asked("card-nation")
        }
        _ => None,
    }
}

/// Wisdom of Elrond: whether the Nation is passive, or can still advance.
fn may_change(board: &Board, nation: Nation) -> bool {
    !board.politics().is_active(nation) || !board.is_at_war(nation)
}

/// What may be said to the question of a part.
pub fn menu(
    board: &Board,
    title: FreeStrategy,
    part: u8,
    _about: About,
    _faces: &Faces,
    menu: &mut Menu<'_>,
) -> Ask<Vec<Next>> {
    let card = Title::FreeStrategy(title).card();
    match part {
        STRIKE => {
            let targets = targets(board, title);
            let region = volley::target(menu, |region| {
                allowed_if(targets.contains(region), "5.9", || {
                    format!("{} strikes no Army in {}", card.title(), region.title())
                })
            })?;
            Ok(strike(board, title, region))
        }
        COUNSEL => {
            menu.word("choose|name|rouse")?;
            // C3.8: a Nation At War may be named, and nothing happens.
            let nation = menu.pick("nation", Nation::of(Side::Free), |nation| {
                allowed_if(board.acts_for(nation), "17.25", || words::not_yours(nation))?;
                allowed_if(!board.row().bars(nation), "17.40", || words::twice_on(nation))
            })?;
            Ok(vec![self::part(card, COUNSEL, About::Nation(nation))])
        }
        _ => unreachable!("part {part} of {title:?} asks nothing"),
    }
}

/// What a part asks, in a few words and in a sentence.
pub fn question(board: &Board, title: FreeStrategy, part: u8, _about: About) -> (&'static str, String) {
    let name = Title::FreeStrategy(title).card().title();
    match part {
        STRIKE => {
            let armies: Vec<&str> = targets(board, title).iter().map(words::title).collect();
            ("which Army is struck", format!("{name}: strike the Shadow Army in {}?", words::or(&armies)))
        }
        COUNSEL => {
            let text = format!("{name}: which Nation becomes active and advances one step?");
            ("which Nation", text)
        }
        _ => unreachable!("part {part} of {title:?} asks nothing"),
    }
}

/// Performs a part that waits for nothing.
pub fn perform(play: &mut Table, title: FreeStrategy, part: u8, about: About) {
    let board = play.board();
    match (part, about) {
        (ROUSE, _) => rouse(play, title),
        (STRIKE, _) => {
            if let Some(only) = targets(board, title).iter().next() {
                play.then(strike(board, title, only));
            }
        }
        (HOLD, _) => {
            let held = follows(board, title, part);
            play.then(held);
        }
        // No Nation is left to choose.
        (COUNSEL, About::Nothing) => {}
        (COUNSEL, About::Nation(nation)) => {
            politics::activate(play, nation, politics::Rouser::Card);
            politics::advance_own(play, nation);
        }
        _ => unreachable!("part {part} of {title:?} is asked"),
    }
}

/// What a part does if nothing before it on the card can change that: Faramir's Rangers recruit if an Army holds
/// Osgiliath.
pub fn follows(board: &Board, title: FreeStrategy, part: u8) -> Option<Next> {
    let holds = title == FreeStrategy::FaramirsRangers && part == HOLD && board.has_army(Side::Free, OSGILIATH);
    holds.then(|| levy(Title::FreeStrategy(title).card(), Nation::Gondor, 1, 1, Regions::one(OSGILIATH)))
}

/// If a Companion is in one of the two regions, and its Settlement is not captured, the Nation goes to war, even if it
/// is passive.
fn rouse(play: &mut Table, title: FreeStrategy) {
    let (nation, regions) = match title {
        FreeStrategy::BookOfMazarbul => (Nation::Dwarves, [EREBOR, ERED_LUIN]),
        _ => (Nation::North, [BREE, THE_SHIRE]),
    };
    let board = play.board();
    let heard = |region: &Region| {
        let here = |companion: &Character| board.region_of(*companion) == Some(*region);
        board.is_unconquered(*region) && Character::of(Side::Free).iter().any(here)
    };
    // 17.25: a card acts for the Nations of its player.
    if politics::may_act_for(board, nation) && regions.iter().any(heard) {
        politics::go_to_war(play, nation);
    }
}

/// Performs a part that waited for chance.
pub fn settle(_play: &mut Table, card: FreeStrategy, part: u8, _about: About, answer: Answer) {
    unreachable!("part {part} of {card:?} waits for no {answer:?}")
}
