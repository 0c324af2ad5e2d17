//! The Ents Awake, three cards with one text: the Shadow Army in Orthanc takes hits, and another card may be played.

use crate::Table;
use crate::board::Board;
use crate::board::place::Place;
use crate::card::{Card, EventDeck, Icon};
use crate::cards::volley::{self, Also};
use crate::cards::{self, About, part};
use crate::character::Character;
use crate::event::{Cause, Event as Told, Move};
use crate::figures::{Figure, Figures};
use crate::nation::Nation;
use crate::region::named::{FANGORN, ORTHANC};
use crate::side::Side;
use crate::step::Step as Next;
use engine::menu::{Ask, Menu};
use engine::need::Need;
use engine::refusal::{Allowed, allowed_if, barred};
use engine::slot::Faces;

/// The Army in Orthanc takes hits.
const STRIKE: u8 = 0;
/// Another card may be played.
const PLAY: u8 = 1;

const DICE: u8 = 3;
/// The least die that hits.
const NEEDS: u8 = 4;

/// 5.8: whether Gandalf the White is in play and a Companion is in Fangorn.
pub fn requires(board: &Board) -> Allowed {
    let white = board.is_in_play(Character::GandalfTheWhite);
    allowed_if(white, "5.8", || "gandalf-the-white is not in play".to_string())?;
    let mut companions = Character::of(Side::Free).iter();
    let some = companions.any(|companion| board.region_of(*companion) == Some(FANGORN));
    allowed_if(some, "5.8", || "no Companion is in Fangorn".to_string())
}

pub fn steps(card: Card) -> Vec<Next> {
    vec![part(card, STRIKE, About::Nothing), part(card, PLAY, About::Nothing)]
}

/// 5.14: whether another card may be played: Gandalf the White is near, and there are cards in hand, known or not.
pub fn need(board: &Board, part: u8) -> Option<Need> {
    let near = board
        .region_of(Character::GandalfTheWhite)
        .is_some_and(|region| region == FANGORN || region.nation() == Some(Nation::Rohan));
    let player = board.acting(Side::Free);
    let could = EventDeck::of(Side::Free)
        .into_iter()
        .any(|deck| has_icon(deck) && !board.decks().held(deck, player).is_empty());
    (part == PLAY && near && could).then(|| board.asks(player, "card-choice"))
}

/// Whether any card of the deck has the Character icon.
fn has_icon(deck: EventDeck) -> bool {
    deck.cards().any(|card| card.icon() == Icon::Character)
}

/// `play athelas`, or `no card`.
pub fn menu(board: &Board, faces: &Faces, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let reading = menu.is_reading();
    let held = cards::held(board, board.acting(Side::Free), faces);
    let some = held.iter().any(|(_, card)| may_play(board, *card).is_ok());
    let ways = [("play|play card|play event", true), ("no card|none|no|nothing", false)];
    let plays = menu.branch(&ways, |plays| {
        if plays && !some && !reading { barred("5.14", "you hold no card that could be played now") } else { Ok(()) }
    })?;
    if !plays {
        return Ok(Vec::new());
    }
    let (slot, card) = cards::of_hand(board, board.acting(Side::Free), faces, menu, |card| may_play(board, card))?;
    Ok(vec![Next::Effect(cards::Step::Play { slot, card, free: true })])
}

/// 5.14: its own requirements apply.
fn may_play(board: &Board, card: Card) -> Allowed {
    let character = card.icon() == Icon::Character;
    allowed_if(character, "5.14", || format!("the icon of {} is not character", card.title()))?;
    cards::is_marked_for(board, card)?;
    cards::requires(board, card)?;
    cards::may_take_effect(board, card, None)
}

pub fn question(card: Card) -> (&'static str, String) {
    let text = format!("{}: play one more card with the Character icon, without a die, or no card?", card.title());
    ("another card, or no card", text)
}

pub fn perform(play: &mut Table, card: Card, part: u8) {
    if part != STRIKE {
        return;
    }
    let board = play.board();
    if let Some(at) = volley::army_in(board, Side::Shadow, ORTHANC) {
        // The card counts as one attack. If no unit is left, Saruman and the Nazgûl are eliminated too.
        let mut steps = vec![volley::attacked(Side::Shadow, at)];
        steps.extend(volley::volley(card, Side::Shadow, at, DICE, NEEDS, Also::NazgulAndMinions));
        return play.then(steps);
    }
    // Without an Army in Orthanc, Saruman is eliminated.
    if board.region_of(Character::Saruman) == Some(ORTHANC) {
        let (figures, from) =
            (Figures::one(Figure::Character(Character::Saruman)), board.whereabouts(Character::Saruman));
        play.tell(Told::Moved(Move { figures, from, to: Place::Removed, cause: Cause::Eliminated }));
    }
}
