/*! The Eagles are Coming! Some of the Nazgûl with a Shadow Army are eliminated, and the others fly away.

The Witch-king is not counted, eliminated or moved.
*/

use crate::board::Board;
use crate::board::place::Place;
use crate::card::Card;
use crate::cards::free_character::FreeCharacter;
use crate::cards::volley::{self, army_in};
use crate::cards::{About, part};
use crate::character::Character;
use crate::combat_roll::{DICE_MAX, Dice};
use crate::event::cards::Event;
use crate::event::{Cause, Event as Told, Move};
use crate::figures::{Figure, Figures};
use crate::nation::Nation;
use crate::region::{self, Region, Regions};
use crate::side::Side;
use crate::step::Step as Next;
use crate::{Table, characters, words};
use engine::menu::{Ask, Menu};
use engine::need::{Answer, Draw, Need};
use engine::refusal::{Allowed, allowed_if};

/// The Army is chosen, if there are several.
const CHOOSE: u8 = 0;
/// The dice are rolled.
const STRIKE: u8 = 1;
/// The surviving Nazgûl fly away.
const FLY: u8 = 2;

/// The least die that eliminates a Nazgûl.
const NEEDS: u8 = 5;

fn card() -> Card {
    FreeCharacter::TheEaglesAreComing.card()
}

/// The regions of Shadow Armies with a Nazgûl other than the Witch-king, in the region of an FP Army with a Companion
/// or next to it. Armies in sieges count.
fn targets(board: &Board) -> Regions {
    let companions = Character::of(Side::Free).iter().map(|companion| board.whereabouts(*companion));
    let armies = companions.filter(|place| place.region().is_some() && board.at(*place).units(Side::Free) > 0);
    let near = armies
        .filter_map(Place::region)
        .fold(Regions::NONE, |near, region| near | region.neighbours() | Regions::one(region));
    let winged = |region: &Region| {
        army_in(board, Side::Shadow, *region).is_some_and(|place| board.force_at(Side::Shadow, place).nazgul() > 0)
    };
    near.iter().filter(winged).collect()
}

/// 5.8: whether there is an Army to strike.
pub fn requires(board: &Board) -> Allowed {
    allowed_if(!targets(board).is_empty(), "5.8", || {
        "no Army with a Companion is beside a Shadow Army with a Nazgûl, or in its region".to_string()
    })
}

pub fn steps() -> Vec<Next> {
    vec![part(card(), CHOOSE, About::Nothing)]
}

pub fn need(board: &Board, part: u8, about: About) -> Option<Need> {
    match (part, about) {
        (STRIKE, About::Place(at)) => {
            let count = board.force_at(Side::Shadow, at).nazgul().min(DICE_MAX);
            (count > 0).then(|| Need::Draw(Draw::Dice { label: "event card", sides: 6, count: u32::from(count) }))
        }
        (FLY, About::Place(at)) => {
            let choice = board.force_at(Side::Shadow, at).nazgul() > 0 && eyries(board, at).len() > 1;
            // C7.3: the Shadow chooses; 17.47: the player of Sauron, whose Nazgûl they are.
            choice.then(|| board.asks(board.holder(Nation::Sauron), "card-nazgul"))
        }
        _ => (targets(board).len() > 1).then(|| board.asks(board.acting(Side::Free), "card-army")),
    }
}

/// `strike minas-tirith`; the Shadow: `fly to barad-dur`.
pub fn menu(board: &Board, part: u8, about: About, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let (FLY, About::Place(at)) = (part, about) else {
        let open = targets(board);
        let region = volley::target(menu, |region| {
            allowed_if(open.contains(region), "5.8", || {
                format!("no Shadow Army with a Nazgûl is in {} beside an Army with a Companion", region.title())
            })
        })?;
        return Ok(strike(board, region).into_iter().collect());
    };
    menu.word("fly to|fly|to")?;
    let open = eyries(board, at);
    let to = menu.pick("region", Region::all(), |to| {
        allowed_if(open.contains(to), "5.9", || {
            format!("{} is no unconquered Stronghold of Sauron to which they could fly", to.title())
        })
    })?;
    Ok(vec![flight(board, at, to)])
}

pub fn question(board: &Board, part: u8, about: About) -> (&'static str, String) {
    let title = card().title();
    match (part, about) {
        (FLY, About::Place(at)) => {
            let nazgul = board.force_at(Side::Shadow, at).nazgul();
            let place = words::place(at);
            let text = format!("{title}: the {nazgul} Nazgûl in {place} fly off. To which Stronghold of Sauron?");
            ("where the Nazgûl fly", text)
        }
        _ => ("which Army is struck", format!("{title}: which Shadow Army do they strike?")),
    }
}

pub fn perform(play: &mut Table, part: u8, about: About) {
    let next = match (part, about) {
        // If no Stronghold is open to them, the Nazgûl stay.
        (FLY, About::Place(at)) => {
            let left = play.board().force_at(Side::Shadow, at).nazgul() > 0;
            let to = eyries(play.board(), at).iter().next().filter(|_| left);
            to.map(|to| flight(play.board(), at, to))
        }
        (STRIKE, _) => None,
        _ => targets(play.board()).iter().next().and_then(|region| strike(play.board(), region)),
    };
    if let Some(next) = next {
        play.push(next);
    }
}

/// Each die that is high enough eliminates one Nazgûl, who returns to the reinforcements (1.26).
pub fn settle(play: &mut Table, about: About, answer: &Answer) {
    let (About::Place(at), Answer::Dice(fallen)) = (about, answer) else {
        unreachable!("the Eagles wait for no {answer:?}");
    };
    let dice = Dice::of(fallen, NEEDS, 0);
    play.tell(Told::Effect(Event::Rolled { card: card(), dice }));
    if dice.hits() > 0 {
        let figures = Figures::of(Figure::Nazgul, dice.hits());
        play.tell(Told::Moved(Move { figures, from: at, to: Place::Reinforcements, cause: Cause::Eliminated }));
    }
    play.push(part(card(), FLY, About::Place(at)));
}

fn strike(board: &Board, region: Region) -> Option<Next> {
    let at = army_in(board, Side::Shadow, region)?;
    Some(part(card(), STRIKE, About::Place(at)))
}

/// The unconquered Strongholds of Sauron, besieged or not, except the one where the Nazgûl are.
fn eyries(board: &Board, at: Place) -> Regions {
    let mut eyries = (region::regions_of(Nation::Sauron) & region::all_strongholds()) - board.captured();
    if let Some(here) = at.region() {
        eyries.remove(here);
    }
    eyries
}

/// All of them fly to the same Stronghold; if it is besieged they join the garrison.
fn flight(board: &Board, at: Place, to: Region) -> Next {
    let figures = Figures::of(Figure::Nazgul, board.force_at(Side::Shadow, at).nazgul());
    Next::Characters(characters::Step::Travel { figures, from: at, to, cause: Cause::Flew })
}
