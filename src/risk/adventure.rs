/*! Chapter 8 apart from the cards: the hand limit, and Missions completed between the questions of steps 1 to 3. */

use crate::engine::menu::policy::ONE_OF;
use crate::engine::menu::{Ask, Menu};
use crate::engine::seat::Seat;
use crate::engine::slot::{Card, Faces, Slot};
use crate::risk::board::Board;
use crate::risk::card::Face;
use crate::risk::cards::missions;
use crate::risk::step::Step;

/// `complete MISSION` or `pass`, where a Leader has just come to a site outside the questions of steps 1 to 3 (8.3).
pub fn mission_menu(board: &Board, faces: &Faces, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
    let seat = board.active();
    let completes = menu.branch(&[("complete", true), ("pass", false)], |completes| match completes {
        true => missions::can_complete(board, seat, faces),
        false => Ok(()),
    })?;
    match completes {
        false => Ok(Vec::new()),
        true => {
            let mut steps = missions::complete(board, seat, faces, menu)?;
            steps.push(Step::OfferMission);
            Ok(steps)
        }
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
