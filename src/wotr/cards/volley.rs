/*! Hits that a card gives to an Army outside a battle (5.23 to 5.26): the roll, the losses, and what follows from them.

The owner takes the hits by the rules of a battle. The standing checks wait until all casualties are removed: then
Leaders without a unit are eliminated, a garrison without a unit loses its Stronghold, and a siege without besiegers
ends.
*/

use crate::Table;
use crate::battle::{self, casualties};
use crate::board::Board;
use crate::board::place::Place;
use crate::card::Card;
use crate::combat_roll::{DICE_MAX, Dice};
use crate::event::cards::Event;
use crate::event::{Event as Told, teams};
use crate::region::Region;
use crate::side::Side;
use crate::step::Step as Next;
use crate::{cards, politics, standing};
use engine::menu::{Ask, Menu};
use engine::need::{Answer, Draw, Need};
use engine::refusal::Allowed;
use std::fmt;

/// Which figures besides FP Leaders are eliminated if an Army has no unit left (5.24).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Also {
    /// None: Nazgûl, Companions and Minions stay in the region.
    Nobody,
    NazgulAndMinions,
}

/// A step of a volley on the agenda.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// 9.11: the card counts as an attack on this Army for politics.
    Attacked { victim: Side, at: Place },
    /// Dice are rolled, each hitting with `needs` or more, and the owner takes the hits.
    Roll { card: Card, victim: Side, at: Place, dice: u8, needs: u8, also: Also },
    /// 5.24, 5.25: the hits are taken; figures without a unit beside them are eliminated, or stay.
    Aftermath { victim: Side, at: Place, also: Also },
}

/// An Army of a side is hit: the dice, the losses, and their consequences. `at` is its place, in the open or in a siege
/// (5.26).
pub fn volley(card: Card, victim: Side, at: Place, dice: u8, needs: u8, also: Also) -> Vec<Next> {
    vec![step(Step::Roll { card, victim, at, dice: dice.min(DICE_MAX), needs, also })]
}

/// An Army takes the hits, and their consequences follow.
pub fn hits(victim: Side, at: Place, hits: u8, also: Also) -> Vec<Next> {
    let losses = battle::Step::Losses { side: victim, place: at, hits };
    vec![Next::Battle(losses), step(Step::Aftermath { victim, at, also })]
}

/// The text counts as an attack on the Army: its Nations react as at the beginning of a battle (9.11).
pub fn attacked(victim: Side, at: Place) -> Next {
    step(Step::Attacked { victim, at })
}

fn step(step: Step) -> Next {
    Next::Effect(cards::Step::Volley(step))
}

/// 5.26: the place of a side's Army in the region, in the open or besieged inside; a side has only one there.
pub fn army_in(board: &Board, side: Side, region: Region) -> Option<Place> {
    let inside = board.is_besieged(region).then_some(Place::Inside(region));
    let places = [Some(Place::Field(region)), inside].into_iter().flatten();
    places.into_iter().find(|place| board.force_at(side, *place).units(side) > 0)
}

/// `strike osgiliath`: the Army that takes the hits, named by its region.
pub fn target(menu: &mut Menu<'_>, allowed: impl Fn(Region) -> Allowed) -> Ask<Region> {
    menu.word("strike|hit|at|choose")?;
    menu.pick("region", Region::all(), allowed)
}

/// The dice, if any are rolled.
pub fn need(step: &Step) -> Option<Need> {
    match *step {
        Step::Roll { dice, .. } => {
            (dice > 0).then(|| Need::Draw(Draw::Dice { label: "event card", sides: 6, count: u32::from(dice) }))
        }
        Step::Attacked { .. } | Step::Aftermath { .. } => None,
    }
}

pub fn perform(play: &mut Table, step: Step) {
    match step {
        Step::Attacked { victim, at } => {
            let army = play.board().force_at(victim, at);
            politics::attacked(play, &army, region(at));
        }
        // No die is rolled.
        Step::Roll { .. } => {}
        Step::Aftermath { victim, at, also } => aftermath(play, victim, at, also),
    }
}

pub fn settle(play: &mut Table, step: Step, answer: Answer) {
    let (Step::Roll { card, victim, at, needs, also, .. }, Answer::Dice(fallen)) = (step, &answer) else {
        unreachable!("`{step}` waits for no {answer:?}");
    };
    let dice = Dice::of(fallen, needs, 0);
    play.tell(Told::Effect(Event::Rolled { card, dice }));
    befall(play, victim, at);
    play.then(hits(victim, at, dice.hits(), also));
}

/// 17.32: a card that strikes a region attacks it: the separate Armies of two team mates there are one from then on.
pub fn befall(play: &mut Table, victim: Side, at: Place) {
    let board = play.board();
    let separate = board.is_of_both(victim, &board.force_at(victim, at)) && !board.is_mixed(victim, region(at));
    if separate {
        play.tell(Told::Teams(teams::Event::Joined { side: victim, region: region(at) }));
    }
}

fn aftermath(play: &mut Table, victim: Side, at: Place, also: Also) {
    let left = play.board().force_at(victim, at);
    if left.units(victim) == 0 && also == Also::NazgulAndMinions {
        casualties::eliminate(play, &left, at);
    }
    standing::check(play, region(at));
}

fn region(at: Place) -> Region {
    at.region().expect("an Army stands on the map")
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let with = |also: &Also| match also {
            Also::Nobody => "",
            Also::NazgulAndMinions => " with nazgul and minions",
        };
        match self {
            Step::Attacked { victim, at } => write!(f, "attacked {victim} {at}"),
            Step::Roll { card, victim, at, dice, needs, also } => {
                write!(f, "volley {} {victim} {at} {dice} at {needs}{}", card.id(), with(also))
            }
            Step::Aftermath { victim, at, also } => write!(f, "aftermath {victim} {at}{}", with(also)),
        }
    }
}
