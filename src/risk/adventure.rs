/*! Chapter 8 apart from the cards: the hand limit, and Missions completed between the questions of steps 1 to 3. */

use crate::board::Board;
use crate::card::Face;
use crate::cards::missions;
use crate::step::Step;
use engine::menu::policy::ONE_OF;
use engine::menu::{Ask, Menu};
use engine::seat::Seat;
use engine::slot::{Card, Faces, Slot};

/// `complete MISSION` or `pass`: asked when a Leader comes to a site outside the questions of steps 1 to 3 (8.3).
pub fn mission_menu(board: &Board, faces: &Faces, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
    let seat = board.active();
    let completes = menu.branch(&[("complete", true), ("pass", false)], |completes| {
        if completes { missions::can_complete(board, seat, faces) } else { Ok(()) }
    })?;
    if !completes {
        Ok(Vec::new())
    } else {
        let mut steps = missions::complete(board, seat, faces, menu)?;
        steps.push(Step::OfferMission);
        Ok(steps)
    }
}

/// The hand limit of Adventure cards (8.2).
pub const HAND_MAX: usize = 4;

/// `discard CARD`, asked until the hand limit is kept (8.2).
pub fn hand_limit_menu(board: &Board, seat: Seat, faces: &Faces, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
    menu.word_or_policy("discard", ONE_OF)?;
    let hand = board.adventure_cards(seat).iter();
    let known: Vec<(Slot, Card)> = hand.filter_map(|slot| faces.get(*slot).map(|card| (*slot, card))).collect();
    let choices: Vec<Face> = known.iter().map(|(_, card)| Face::of(*card)).collect();
    let face = menu.choose("card", &choices, |_| Ok(()))?;
    let (slot, card) = *known.iter().find(|(_, card)| *card == face.card()).expect("a card of the hand is chosen");
    menu.show(slot, card);
    Ok(vec![Step::Discard { seat, slot, card }])
}
