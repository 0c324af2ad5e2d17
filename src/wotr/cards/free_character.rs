//! The Event halves of the Character deck of the Free Peoples, one arm a card.

use crate::board::Board;
use crate::board::place::Place;
use crate::card::{Card, EventDeck, Type};
use crate::cards::companions::{Ways, companions};
use crate::cards::{self, About, Title, challenge, dead_men, eagles, ents, levy, part};
use crate::character::Character;
use crate::characters::{Sieges, Terms};
use crate::die::Face;
use crate::event::{Cause, Event as Told, Move, dice};
use crate::figures::{Figure, Figures};
use crate::nation::Nation;
use crate::politics::Rouser;
use crate::region::named::{DALE, EREBOR, LORIEN, WOODLAND_REALM};
use crate::region::{Region, Regions};
use crate::side::Side;
use crate::step::Step as Next;
use crate::tile::Tile;
use crate::{Table, fellowship, hunt, politics, words};
use engine::listed::listed;
use engine::menu::{Ask, Menu};
use engine::need::{Answer, Need};
use engine::refusal::{Allowed, allowed_if};
use engine::slot::Faces;

listed! {
    /// The cards of the deck, in the order of their printed numbers.
    FreeCharacter {
        ElvenCloaks, ElvenRope, PhialOfGaladriel, SmeagolHelpsNiceMaster, MithrilCoatAndSting, AxeAndBow,
        HornOfGondor, WizardsStaff, Athelas, ThereIsAnotherWay, IWillGoAlone, BilbosSong, MirrorOfGaladriel,
        ChallengeOfTheKing, GwaihirTheWindlord, WeProveTheSwifter, ThereAndBackAgain, TheEaglesAreComing,
        TheEntsAwakeTreebeard, TheEntsAwakeHuorns, TheEntsAwakeEntmoot, DeadMenOfDunharrow, HouseOfTheStewards,
        TheGreyCompany,
    }
}

impl FreeCharacter {
    /// The printed card.
    pub fn card(self) -> Card {
        Title::FreeCharacter(self).card()
    }
}

/// Strider or Aragorn, whichever of the two is on the map, and where.
pub fn heir(board: &Board) -> Option<(Character, Place)> {
    let places = [Character::Strider, Character::Aragorn].map(|heir| (heir, board.whereabouts(heir)));
    places.into_iter().find(|(_, place)| place.region().is_some())
}

/// Whether an FP Army is at the place, in the open or in a siege.
pub fn is_with_an_army(board: &Board, place: Place) -> bool {
    board.force_at(Side::Free, place).units(Side::Free) > 0
}

/// 5.8, 5.19: whether the card's requirement is met now. A table card that no longer meets it is discarded (5.18).
pub fn requires(board: &Board, card: FreeCharacter) -> Allowed {
    let there = |companion| board.companions().has(companion);
    let needs = |holds: bool, why: &str| allowed_if(holds, "5.8", || why.to_string());
    match card {
        FreeCharacter::AxeAndBow => {
            let either = there(Character::Gimli) || there(Character::Legolas);
            needs(either, "neither gimli nor legolas is in the Fellowship")
        }
        FreeCharacter::HornOfGondor => needs(there(Character::Boromir), "boromir is not in the Fellowship"),
        FreeCharacter::WizardsStaff => {
            needs(there(Character::GandalfTheGrey), "gandalf-the-grey is not in the Fellowship")
        }
        FreeCharacter::IWillGoAlone => needs(!board.companions().is_empty(), "no Companion is in the Fellowship"),
        FreeCharacter::ChallengeOfTheKing => challenge::requires(board),
        FreeCharacter::TheEaglesAreComing => eagles::requires(board),
        FreeCharacter::TheEntsAwakeTreebeard
        | FreeCharacter::TheEntsAwakeHuorns
        | FreeCharacter::TheEntsAwakeEntmoot => ents::requires(board),
        FreeCharacter::DeadMenOfDunharrow => dead_men::requires(board),
        FreeCharacter::HouseOfTheStewards => {
            let region = board.region_of(Character::Boromir);
            let there = region.and_then(Region::nation) == Some(Nation::Gondor);
            needs(there, "boromir is not in a region of gondor")
        }
        FreeCharacter::TheGreyCompany => {
            let with = heir(board).is_some_and(|(_, place)| is_with_an_army(board, place));
            needs(with, "neither strider nor aragorn is with an Army")
        }
        FreeCharacter::ElvenCloaks
        | FreeCharacter::ElvenRope
        | FreeCharacter::PhialOfGaladriel
        | FreeCharacter::SmeagolHelpsNiceMaster
        | FreeCharacter::MithrilCoatAndSting
        | FreeCharacter::Athelas
        | FreeCharacter::ThereIsAnotherWay
        | FreeCharacter::BilbosSong
        | FreeCharacter::MirrorOfGaladriel
        | FreeCharacter::GwaihirTheWindlord
        | FreeCharacter::WeProveTheSwifter
        | FreeCharacter::ThereAndBackAgain => Ok(()),
    }
}

/// What the card does, in the order of its text.
pub fn steps(board: &Board, card: FreeCharacter) -> Vec<Next> {
    let heal = |points| Next::Effect(cards::Step::Heal(points));
    let this = card.card();
    let only = part(this, ONLY, About::Nothing);
    let separate = |bonus| {
        let terms = Terms { bonus, ..Terms::ORDINARY };
        companions(this, Ways::Separate, terms)
    };
    match card {
        FreeCharacter::ElvenCloaks => vec![special("fp-elven-cloaks")],
        FreeCharacter::ElvenRope => vec![special("fp-elven-rope")],
        FreeCharacter::PhialOfGaladriel => vec![special("fp-phial")],
        FreeCharacter::SmeagolHelpsNiceMaster => vec![special("fp-smeagol")],
        // These act from the table, in the windows of the Hunt.
        FreeCharacter::MithrilCoatAndSting
        | FreeCharacter::AxeAndBow
        | FreeCharacter::HornOfGondor
        | FreeCharacter::WizardsStaff => Vec::new(),
        FreeCharacter::Athelas => {
            let needs = if board.company().guide() == Some(Character::Strider) { 3 } else { 5 };
            vec![Next::Effect(cards::Step::Roll { card: this, dice: 3, needs, part: ONLY })]
        }
        FreeCharacter::ThereIsAnotherWay => vec![heal(1), only],
        FreeCharacter::IWillGoAlone => vec![separate(1), heal(1)],
        FreeCharacter::BilbosSong => vec![heal(if gollum_guides(board) { 2 } else { 1 })],
        FreeCharacter::MirrorOfGaladriel => vec![only],
        FreeCharacter::ChallengeOfTheKing => challenge::steps(),
        FreeCharacter::GwaihirTheWindlord => {
            let terms = Terms { bonus: 0, level: Some(4), sieges: Sieges::MayEnd };
            vec![companions(this, Ways::SeparateOrMove, terms)]
        }
        FreeCharacter::WeProveTheSwifter => {
            let terms = Terms { bonus: 2, level: None, sieges: Sieges::MayEnd };
            vec![companions(this, Ways::SeparateOrMove, terms)]
        }
        FreeCharacter::ThereAndBackAgain => vec![separate(1), only],
        FreeCharacter::TheEaglesAreComing => eagles::steps(),
        FreeCharacter::TheEntsAwakeTreebeard
        | FreeCharacter::TheEntsAwakeHuorns
        | FreeCharacter::TheEntsAwakeEntmoot => ents::steps(this),
        FreeCharacter::DeadMenOfDunharrow => dead_men::steps(),
        FreeCharacter::HouseOfTheStewards => {
            let places = board.region_of(Character::Boromir).map_or(Regions::NONE, Regions::one);
            let mut steps = vec![levy::levy(this, Nation::Gondor, 1, 0, places)];
            steps.extend(cards::draws(board, STRATEGY, 2));
            steps
        }
        FreeCharacter::TheGreyCompany => {
            let mut steps = vec![only];
            steps.extend(cards::draws(board, STRATEGY, 2));
            steps
        }
    }
}

/// The only part of a card.
const ONLY: u8 = 0;
/// The Grey Company: the figures are exchanged.
const EXCHANGE: u8 = 1;

const STRATEGY: EventDeck = EventDeck { side: Side::Free, kind: Type::Strategy };

/// 14.4: a special tile comes into play.
fn special(tile: &str) -> Next {
    Next::Hunt(hunt::Step::Special(Tile::of_id(tile).expect("a special tile")))
}

fn gollum_guides(board: &Board) -> bool {
    board.company().guide().is_none()
}

/// What a part of the card waits for.
pub fn need(board: &Board, card: FreeCharacter, part: u8, about: About) -> Option<Need> {
    let asked = |id| board.asks(board.acting(Side::Free), id);
    match card {
        FreeCharacter::ThereIsAnotherWay => gollum_guides(board).then(|| asked("card-choice")),
        FreeCharacter::ChallengeOfTheKing => challenge::need(board, about),
        FreeCharacter::TheEaglesAreComing => eagles::need(board, part, about),
        FreeCharacter::TheEntsAwakeTreebeard
        | FreeCharacter::TheEntsAwakeHuorns
        | FreeCharacter::TheEntsAwakeEntmoot => ents::need(board, part),
        FreeCharacter::DeadMenOfDunharrow => dead_men::need(board, part, about),
        FreeCharacter::TheGreyCompany => (part == ONLY && companies(board).count() > 1).then(|| asked("card-nation")),
        _ => None,
    }
}

/// What There Is Another Way lets the Fellowship do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deed {
    Move,
    Hide,
    Neither,
}

const DEEDS: [(&str, Deed); 3] = [
    ("move fellowship|move the fellowship|move", Deed::Move),
    ("hide fellowship|hide the fellowship|hide", Deed::Hide),
    ("neither|nothing|none|no", Deed::Neither),
];

/// What may be said to the question of a part.
pub fn menu(
    board: &Board,
    card: FreeCharacter,
    part: u8,
    about: About,
    faces: &Faces,
    menu: &mut Menu<'_>,
) -> Ask<Vec<Next>> {
    match card {
        FreeCharacter::ThereIsAnotherWay => another_way(board, menu),
        FreeCharacter::TheEaglesAreComing => eagles::menu(board, part, about, menu),
        FreeCharacter::TheEntsAwakeTreebeard
        | FreeCharacter::TheEntsAwakeHuorns
        | FreeCharacter::TheEntsAwakeEntmoot => ents::menu(board, faces, menu),
        FreeCharacter::DeadMenOfDunharrow => dead_men::menu(board, part, about, menu),
        FreeCharacter::TheGreyCompany => {
            menu.word("replace|upgrade")?;
            let nation = menu.pick("nation", Nation::of(Side::Free), |nation| {
                allowed_if(companies(board).any(|other| other == nation), "5.9", || {
                    format!(
                        "no {} Regular there can be replaced by an Elite of the reinforcements",
                        words::of_nation(nation)
                    )
                })
            })?;
            Ok(vec![self::part(card.card(), EXCHANGE, About::Nation(nation))])
        }
        _ => unreachable!("part {part} of {card:?} asks nothing"),
    }
}

/// `hide fellowship`, `move fellowship` or `neither`. 15.6: on the Mordor Track a move draws a tile, and is an attempt.
fn another_way(board: &Board, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let deed = menu.branch(&DEEDS, |deed| match deed {
        Deed::Move => fellowship::may_move(board),
        Deed::Hide => fellowship::may_hide(board),
        Deed::Neither => Ok(()),
    })?;
    Ok(match deed {
        Deed::Move => vec![Next::Fellowship(fellowship::Step::Move)],
        Deed::Hide => vec![Next::Fellowship(fellowship::Step::Hide)],
        Deed::Neither => Vec::new(),
    })
}

/// What a part asks, in a few words and in a sentence.
pub fn question(board: &Board, card: FreeCharacter, part: u8, about: About) -> (&'static str, String) {
    let title = card.card().title();
    match card {
        FreeCharacter::ThereIsAnotherWay => {
            let deed = if board.company().is_hidden() { "moves" } else { "hides" };
            ("whether the Fellowship does more", format!("{title}: Gollum guides. The Fellowship {deed}, or neither?"))
        }
        FreeCharacter::TheEaglesAreComing => eagles::question(board, part, about),
        FreeCharacter::TheEntsAwakeTreebeard
        | FreeCharacter::TheEntsAwakeHuorns
        | FreeCharacter::TheEntsAwakeEntmoot => ents::question(card.card()),
        FreeCharacter::DeadMenOfDunharrow => dead_men::question(board, part, about),
        FreeCharacter::TheGreyCompany => {
            let nations: Vec<&str> = companies(board).map(words::nation).collect();
            let text = format!("{title}: a Regular of which Nation is replaced by an Elite: {}?", nations.join(" or "));
            ("which Nation has the Grey Company", text)
        }
        _ => unreachable!("part {part} of {card:?} asks nothing"),
    }
}

/// Performs a part that waits for nothing.
pub fn perform(play: &mut Table, card: FreeCharacter, part: u8, about: About) {
    match (card, about) {
        (FreeCharacter::Athelas, About::Number(points)) => play.push(Next::Effect(cards::Step::Heal(points))),
        // A Companion is the Guide, and Gollum's part does not apply.
        (FreeCharacter::ThereIsAnotherWay, _) => {}
        (FreeCharacter::MirrorOfGaladriel, _) => look_into_the_mirror(play),
        (FreeCharacter::ChallengeOfTheKing, _) => challenge::perform(play, about),
        (FreeCharacter::ThereAndBackAgain, _) => rouse_the_north(play),
        (FreeCharacter::TheEaglesAreComing, _) => eagles::perform(play, part, about),
        (
            FreeCharacter::TheEntsAwakeTreebeard
            | FreeCharacter::TheEntsAwakeHuorns
            | FreeCharacter::TheEntsAwakeEntmoot,
            _,
        ) => ents::perform(play, card.card(), part),
        (FreeCharacter::DeadMenOfDunharrow, _) => dead_men::perform(play, part, about),
        (FreeCharacter::TheGreyCompany, About::Nation(nation)) => exchange(play, nation),
        (FreeCharacter::TheGreyCompany, _) => {
            let only = companies(play.board()).next();
            if let Some(nation) = only {
                exchange(play, nation);
            }
        }
        _ => unreachable!("{card:?} has no part {part} about {about}"),
    }
}

/// Performs a part that waited for chance.
pub fn settle(play: &mut Table, card: FreeCharacter, part: u8, about: About, answer: Answer) {
    match card {
        FreeCharacter::ChallengeOfTheKing => challenge::settle(play, about, &answer),
        FreeCharacter::TheEaglesAreComing => eagles::settle(play, about, &answer),
        FreeCharacter::DeadMenOfDunharrow => dead_men::settle(play, about, &answer),
        _ => unreachable!("part {part} of {card:?} waits for no {answer:?}"),
    }
}

/// The die that paid is used already (C2.13). The region of the Ring-bearers' figure decides whether they are in
/// Lórien.
fn look_into_the_mirror(play: &mut Table) {
    let (side, from, to) = (Side::Free, Face::Character, Face::Will);
    if play.board().dice().showing(side, from) > 0 {
        play.tell(Told::Dice(dice::Event::Turned { side, from, to }));
    }
    let board = play.board();
    if board.company().region() == Some(LORIEN) && board.is_unconquered(LORIEN) {
        play.push(Next::Effect(cards::Step::Heal(1)));
    }
}

/// Gimli or Legolas is in uncaptured Dale, Erebor or Woodland Realm.
fn rouse_the_north(play: &mut Table) {
    let board = play.board();
    let homes = [DALE, EREBOR, WOODLAND_REALM];
    let home = |companion| {
        let region = board.region_of(companion);
        region.is_some_and(|region| homes.contains(&region) && board.is_unconquered(region))
    };
    if home(Character::Gimli) || home(Character::Legolas) {
        for nation in [Nation::Dwarves, Nation::North] {
            if play.board().acts_for(nation) {
                politics::activate(play, nation, Rouser::Card);
            }
        }
        for nation in [Nation::Dwarves, Nation::Elves, Nation::North] {
            politics::advance_own(play, nation);
        }
    }
}

/// The Nations of which a Regular can be replaced now.
fn companies(board: &Board) -> impl Iterator<Item = Nation> + use<'_> {
    replaceable(board).filter(|nation| politics::may_act_for(board, *nation))
}

/// 17.40: the Nation on which The Grey Company acts, if it can act on only one.
pub fn only_company(board: &Board, card: FreeCharacter) -> Option<Nation> {
    let mut nations = replaceable(board).filter(|nation| board.acts_for(*nation));
    let first = nations.next().filter(|_| card == FreeCharacter::TheGreyCompany);
    first.filter(|_| nations.next().is_none())
}

/// The Nations of which a Regular in the Army of Strider or Aragorn can be replaced by an Elite.
fn replaceable(board: &Board) -> impl Iterator<Item = Nation> + use<> {
    let army = heir(board).map_or(Figures::NONE, |(_, place)| board.force_at(Side::Free, place));
    let stock = board.reinforcements();
    let both =
        move |nation: &Nation| army.count(Figure::Regular(*nation)) > 0 && stock.count(Figure::Elite(*nation)) > 0;
    Nation::of(Side::Free).iter().copied().filter(both)
}

/// The Regular is a casualty for good; the Elite is recruited.
fn exchange(play: &mut Table, nation: Nation) {
    let (_, place) = heir(play.board()).expect("the card required him");
    let (regular, elite) = (Figures::one(Figure::Regular(nation)), Figures::one(Figure::Elite(nation)));
    let cause = Cause::Replaced;
    play.tell(Told::Moved(Move { figures: regular, from: place, to: Place::Casualties, cause }));
    play.tell(Told::Moved(Move { figures: elite, from: Place::Reinforcements, to: place, cause }));
}
