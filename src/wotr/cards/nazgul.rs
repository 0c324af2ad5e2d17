/*! Cards of the Shadow by which the Nazgûl and the Witch-king fly, strike and lead Armies.

Each begins with part 0, which for most of them is the flights; part 1 is what follows.
*/

use crate::battle::attack::Fronts;
use crate::board::Board;
use crate::board::place::Place;
use crate::card::{Card, EventDeck, Type};
use crate::cards::assault::{Assault, Post, Target};
use crate::cards::march::{Duty, Moved, Orders, With};
use crate::cards::shadow_character::ShadowCharacter;
use crate::cards::volley::{self, Also};
use crate::cards::{About, Step, flights, levy, part, table};
use crate::character::Character;
use crate::combat_roll::DICE_MAX;
use crate::nation::Nation;
use crate::region::{Region, Regions};
use crate::side::Side;
use crate::step::Step as Next;
use crate::{Table, fellowship, hunt};
use engine::menu::{Ask, Menu};
use engine::need::Need;
use engine::refusal::allowed_if;

/// The part of a card in which the Nazgûl fly, or its only part.
const FIRST: u8 = 0;
/// The part after the flights.
const THEN: u8 = 1;

/// Whether a Nazgûl is in the region of the Ring-bearers, in the open or in a siege.
fn found(board: &Board) -> bool {
    board.company().region().is_some_and(|region| board.nazgul_in(region) > 0)
}

/// The cards of the Free Peoples' Character deck on the table.
fn of_the_free(board: &Board) -> impl Iterator<Item = Card> + use<'_> {
    table::of_deck(board, EventDeck { side: Side::Free, kind: Type::Character }).map(|(_, card)| card)
}

/// Dreadful Spells: every pair of an Army with a Nazgûl and a Free Peoples' Army in its region or next to it. Besieged
/// Armies and Nazgûl count (5.26).
pub fn spells(board: &Board) -> impl Iterator<Item = (Region, Region)> + use<'_> {
    let casters = board.armies_anywhere(Side::Shadow).iter().filter(|from| casters_in(board, *from) > 0);
    casters.flat_map(|from| {
        let near = from.neighbours() | Regions::one(from);
        let victims = near & board.armies_anywhere(Side::Free);
        victims.iter().filter(|at| volley::army_in(board, Side::Free, *at).is_some()).map(move |at| (from, at))
    })
}

/// The number of Nazgûl in the Shadow Army of the region, including the Witch-king.
fn casters_in(board: &Board, region: Region) -> u8 {
    volley::army_in(board, Side::Shadow, region)
        .map_or(0, |place| board.force_at(Side::Shadow, place).nazgul_and_witch_king())
}

/// Grond: the region where an Army with the Witch-king besieges a Stronghold.
pub fn siege_of_the_witch_king(board: &Board) -> Option<Region> {
    match board.whereabouts(Character::WitchKing) {
        Place::Field(region) => {
            (board.besieges(Side::Shadow, region) && board.has_army(Side::Shadow, region)).then_some(region)
        }
        _ => None,
    }
}

/// Grond: the Army of the Witch-king attacks, for three rounds. He may stay in the rearguard.
pub fn grond(board: &Board) -> Option<Next> {
    let card = ShadowCharacter::GrondHammerOfTheUnderworld.card();
    let region = siege_of_the_witch_king(board)?;
    let target = Target::Besieged(Regions::one(region));
    Some(Assault { with: With::WitchKing, rounds: 3, ..Assault::of(card, target) }.step())
}

/// The moves that a card lets Armies make.
fn orders(card: ShadowCharacter, moved: Moved) -> Orders {
    let card_of = card.card();
    match card {
        ShadowCharacter::TheBlackCaptainCommands => {
            Orders { with: With::WitchKing, moved, ..Orders::of(card_of, 1, 1) }
        }
        _ => Orders { with: With::Nazgul, moved, ..Orders::of(card_of, 2, 1) },
    }
}

/// The attack that a card lets an Army make. The Witch-king must take part in his attack; a Nazgûl may stay in the
/// rearguard.
fn assault(card: ShadowCharacter) -> Assault {
    let attack = Assault { duty: Duty::May, ..Assault::of(card.card(), Target::Any) };
    match card {
        ShadowCharacter::TheBlackCaptainCommands => Assault { with: With::WitchKing, place: Post::Battle, ..attack },
        _ => Assault { with: With::Nazgul, ..attack },
    }
}

/// The Black Captain Commands: the region of the Witch-king, if Nazgûl can be recruited there.
fn may_recruit(board: &Board) -> Option<Region> {
    let region = board.region_of(Character::WitchKing)?;
    let possible = levy::places(board, Side::Shadow).contains(region) && board.reinforcements().nazgul() > 0;
    possible.then_some(region)
}

pub fn need(board: &Board, card: ShadowCharacter, part: u8, about: About) -> Option<Need> {
    let asked = |id| Some(board.asks(board.acting(Side::Shadow), id));
    match (card, part, about) {
        // With one pair of Armies there is nothing to choose.
        (ShadowCharacter::DreadfulSpells, ..) => asked("card-army").filter(|_| spells(board).count() > 1),
        (_, FIRST, _) => asked("card-nazgul").filter(|_| flights::can_fly(board)),
        (ShadowCharacter::TheNazgulStrike, ..) => asked("card-choice").filter(|_| found(board)),
        (_, _, About::Moved(moved)) if leads(card) => {
            let some = orders(card, moved).can_move(board) || assault(card).can_attack(board, Fronts::All);
            asked("card-move").filter(|_| some)
        }
        _ => None,
    }
}

/// Whether an Army may move or attack by the card.
fn leads(card: ShadowCharacter) -> bool {
    matches!(card, ShadowCharacter::TheRingwraithsAreAbroad | ShadowCharacter::TheBlackCaptainCommands)
}

/// What follows the flights of The Nazgûl Strike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strike {
    Hunt,
    Discard,
    Nothing,
}

/// What an Army with a Nazgûl does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ride {
    Move,
    Attack(Fronts),
    Nothing,
}

/// How The Black Captain Commands begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Call {
    Recruit,
    Fly,
    Nothing,
}

pub fn menu(board: &Board, card: ShadowCharacter, part: u8, about: About, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    match (card, part, about) {
        (ShadowCharacter::DreadfulSpells, ..) => cast(board, menu),
        (ShadowCharacter::TheBlackCaptainCommands, FIRST, _) => call(board, menu),
        (_, FIRST, _) => {
            let (mut steps, moved) = flights::menu(board, menu)?;
            steps.push(then(card, moved));
            Ok(steps)
        }
        (ShadowCharacter::TheNazgulStrike, ..) => strike(board, menu),
        (_, _, About::Moved(moved)) => ride(board, card, moved, menu),
        _ => unreachable!("part {part} of {card:?} asks nothing"),
    }
}

fn then(card: ShadowCharacter, moved: Moved) -> Next {
    part(card.card(), THEN, About::Moved(moved))
}

/// `hunt`, `discard athelas`, `nothing`.
fn strike(board: &Board, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let there: Vec<Card> = of_the_free(board).collect();
    let ways = [
        ("hunt|roll for the hunt|roll", Strike::Hunt),
        ("discard", Strike::Discard),
        ("nothing|none|no", Strike::Nothing),
    ];
    let way = menu.branch(&ways, |way| {
        allowed_if(way != Strike::Discard || !there.is_empty(), "5.9", || {
            "no Character card of the Free Peoples lies on the table".to_string()
        })
    })?;
    Ok(match way {
        // 14.31: as if the Fellowship had just moved; but it does not move, and no die is added to the Hunt Box.
        Strike::Hunt => vec![Next::Hunt(hunt::Step::Begin)],
        Strike::Discard => vec![Next::Effect(Step::Remove(table::choose(&there, menu)?))],
        Strike::Nothing => Vec::new(),
    })
}

/// `move …`, `attack …`, `nothing`.
fn ride(board: &Board, card: ShadowCharacter, moved: Moved, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let (orders, assault) = (orders(card, moved), assault(card));
    let rolling = menu.is_rolling();
    let attack = if rolling || menu.is_reading() { Fronts::All } else { Fronts::Open };
    let ways = [
        ("move|march|move army", Ride::Move),
        ("attack|assault", Ride::Attack(attack)),
        ("nothing|none|no", Ride::Nothing),
        ("sortie", Ride::Attack(Fronts::Sorties)),
    ];
    // Random play never says `sortie`: its attacks include sorties.
    let ways = if rolling { &ways[..3] } else { &ways[..] };
    let way = menu.branch(ways, |way| match way {
        Ride::Move => allowed_if(orders.can_move(board), "5.9", || "no such Army can move".to_string()),
        Ride::Attack(fronts) => {
            allowed_if(assault.can_attack(board, fronts), "5.9", || "no such Army can attack".to_string())
        }
        Ride::Nothing => Ok(()),
    })?;
    match way {
        Ride::Move => orders.moves(board, menu),
        Ride::Attack(fronts) => assault.attacks(board, fronts, menu),
        Ride::Nothing => Ok(Vec::new()),
    }
}

/// `recruit`, `fly …`, `nothing`.
fn call(board: &Board, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let card = ShadowCharacter::TheBlackCaptainCommands;
    let ways = [
        ("recruit|recruit nazgul|recruit 2 nazgul", Call::Recruit),
        ("fly|fly the nazgul|move nazgul", Call::Fly),
        ("nothing|none|no", Call::Nothing),
    ];
    let way = menu.branch(&ways, |way| {
        allowed_if(way != Call::Recruit || may_recruit(board).is_some(), "8.13", || {
            "no Nazgûl can be recruited where the Witch-king is".to_string()
        })
    })?;
    let (mut steps, moved) = match way {
        Call::Recruit => {
            let region = may_recruit(board).expect("allowed above");
            let troops = levy::Troops { leaders: 2, ..levy::Troops::default() };
            (vec![levy::of_troops(card.card(), Nation::Sauron, troops, Regions::one(region))], Moved::NOBODY)
        }
        Call::Fly => flights::read(board, menu)?,
        Call::Nothing => (Vec::new(), Moved::NOBODY),
    };
    steps.push(then(card, moved));
    Ok(steps)
}

/// `strike minas-tirith from osgiliath`: the region of the Army that is hit, and that of the Nazgûl.
fn cast(board: &Board, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    menu.word("strike|hit|at")?;
    let at = menu.choose("region", Region::all(), |at| {
        allowed_if(spells(board).any(|(_, victim)| victim == at), "5.9", || {
            format!("no Free Peoples' Army near an Army with a Nazgûl is in {}", at.title())
        })
    })?;
    menu.word("from|by")?;
    let from = menu.choose("region", Region::all(), |from| {
        allowed_if(spells(board).any(|pair| pair == (from, at)), "5.9", || {
            format!("no Army with a Nazgûl is in {}, or it is not near {}", from.title(), at.title())
        })
    })?;
    Ok(hit(board, from, at))
}

/// One die for every Nazgûl, at most five, each hitting with 5 or more.
fn hit(board: &Board, from: Region, at: Region) -> Vec<Next> {
    let card = ShadowCharacter::DreadfulSpells.card();
    let place = volley::army_in(board, Side::Free, at).expect("an Army stands there");
    volley::volley(card, Side::Free, place, casters_in(board, from).min(DICE_MAX), 5, Also::Nobody)
}

pub fn question(board: &Board, card: ShadowCharacter, part: u8) -> (&'static str, String) {
    let title = card.card().title();
    let (short, ask) = match (card, part) {
        (ShadowCharacter::DreadfulSpells, _) => (
            "which target the spells strike",
            "which Army of the Free Peoples is struck, and from where? `strike <target> from <region>`",
        ),
        (ShadowCharacter::TheBlackCaptainCommands, FIRST) if may_recruit(board).is_some() => {
            ("Nazgûl by a card", "recruit 2 Nazgûl where the Witch-king is, fly any number of Nazgûl, or neither?")
        }
        (ShadowCharacter::TheBlackCaptainCommands, FIRST) => {
            ("Nazgûl by a card", "fly any number of Nazgûl, or do nothing?")
        }
        (_, FIRST) => ("Nazgûl by a card", "fly any number of Nazgûl, each once, or `stay`"),
        (ShadowCharacter::TheNazgulStrike, _) => {
            let discard = if of_the_free(board).next().is_some() { ", discard a card of the table" } else { "" };
            let ask = format!("the Ring-bearers are found: roll for the Hunt{discard}, or do nothing?");
            return ("the Nazgûl strike", format!("{title}: {ask}"));
        }
        (ShadowCharacter::TheBlackCaptainCommands, _) => {
            ("the Army of the Witch-king", "does the Army of the Witch-king move, or attack, with him?")
        }
        _ => ("Armies with Nazgûl", "move up to two Armies with a Nazgûl, attack with one, or do nothing?"),
    };
    (short, format!("{title}: {ask}"))
}

/// Performs a part that asks nothing.
pub fn perform(play: &mut Table, card: ShadowCharacter, part: u8) {
    let board = play.board();
    match (card, part) {
        (ShadowCharacter::DreadfulSpells, _) => {
            let only = spells(board).next();
            let steps = only.map_or_else(Vec::new, |(from, at)| hit(board, from, at));
            play.then(steps);
        }
        // No Nazgûl can fly; the rest of the card is carried out (5.10).
        (_, FIRST) => play.push(then(card, Moved::NOBODY)),
        (ShadowCharacter::NazgulSearch, _) if found(board) => {
            play.push(Next::Fellowship(fellowship::Step::Reveal));
        }
        _ => {}
    }
}
