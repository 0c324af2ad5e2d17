/*! The second description of the Event cards compared with the code: what each requires.

`tests/data/event-predicates.yaml` lists for every card the predicates that must hold. For each predicate of a card
there is a board on which only that one fails: there the card must not be on the menu, and a sentence that names it is
refused by the rule. On the board from which that one differs, the card is on the menu; so is a card without
requirements, on the board of the set-up.
*/

#[path = "wotr_events/free_character.rs"]
mod free_character;
#[path = "wotr_events/free_strategy.rs"]
mod free_strategy;
#[path = "wotr_events/shadow_character.rs"]
mod shadow_character;
#[path = "wotr_events/shadow_strategy.rs"]
mod shadow_strategy;

use engine::game::Game;
use engine::name::Named;
use engine::seat::Seat;
use engine::slot::Faces;
use engine::title::Setup;
use serde_yaml::{Mapping, Value};
use std::collections::BTreeMap;
use wotr::card::{Card, EventDeck};
use wotr::title::TITLE;
use wotr::{EDITIONS, position};

/// Lines of a position.
type Lines = &'static [(&'static str, &'static str)];

/// A card with requirements.
struct Case {
    card: &'static str,
    /// A board on which it may be played.
    holds: Lines,
    /// For each of its predicates, or for a lasting fact that would discard it (5.19): the changes to that board
    /// after which only this one fails.
    fails: &'static [(&'static str, Lines)],
}

/// The name for a discard fact, among the predicates of the description.
const DISCARD_FACT: &str = "discard_when";

fn described() -> BTreeMap<String, Vec<Mapping>> {
    serde_yaml::from_str(include_str!("data/event-predicates.yaml")).expect("predicates are lists")
}

/// A game in which the sides' dice show Events, and the card is in hand.
fn game(card: Card, lines: &[(&str, &str)]) -> (Box<dyn Game>, Faces, Seat) {
    let seats = TITLE.seats(2).expect("two play").into_iter().map(str::to_string).collect();
    let setup = Setup { edition: EDITIONS[0].to_string(), seats, options: Vec::new() };
    let side = card.deck().side;
    let step = format!("{} go", side.id());
    let hand = format!("hand {}", card.id());
    let mut all = vec![("step", &*step), ("free-dice", "event 1"), ("shadow-dice", "event 1")];
    all.push((card.deck().id(), &*hand));
    all.extend(lines);
    let (game, faces) = position::begin(&setup, &all).unwrap_or_else(|why| panic!("{}: {why}", card.id()));
    (game, faces, Seat::at(side.index()))
}

#[track_caller]
fn is_offered(card: Card, lines: &[(&str, &str)]) {
    let (game, faces, seat) = game(card, lines);
    let sentence = format!("event die: play {}", card.name().id());
    let offers: Vec<String> = game.offers(&faces, 500).into_iter().map(|offer| offer.sentence).collect();
    assert!(offers.iter().any(|offer| offer.starts_with(&sentence)), "{} is not offered: {offers:?}", card.id());
    let read = game.read(seat, &sentence, &faces);
    assert!(read.is_ok(), "{}: {}", card.id(), read.expect_err("it was refused"));
}

#[track_caller]
fn is_barred(card: Card, lines: &[(&str, &str)], predicate: &str) {
    let (game, faces, seat) = game(card, lines);
    let sentence = format!("event die: play {}", card.name().id());
    let offers: Vec<String> = game.offers(&faces, 500).into_iter().map(|offer| offer.sentence).collect();
    let offered = offers.iter().find(|offer| offer.starts_with(&sentence));
    assert_eq!(offered, None, "{} is offered without {predicate}", card.id());
    let refused = game.read(seat, &sentence, &faces).expect_err("what is not offered is refused").to_string();
    let rule = if predicate == DISCARD_FACT { "rule 5.19" } else { "rule 5.8" };
    assert!(refused.contains(rule), "{} without {predicate}: {refused}", card.id());
}

/// Every card of the deck: its cases are those of the description, and the code agrees with them.
fn check(deck: EventDeck, cases: &[Case]) {
    let described = described();
    for card in deck.cards() {
        let predicates: Vec<&str> =
            described[card.id()].iter().flat_map(Mapping::keys).filter_map(Value::as_str).collect();
        let case = cases.iter().find(|case| case.card == card.id());
        let (holds, fails) = case.map_or((&[] as Lines, &[] as &[(&str, Lines)]), |case| (case.holds, case.fails));
        for predicate in &predicates {
            let covered = fails.iter().any(|(name, _)| name == predicate);
            assert!(covered, "{}: no board where {predicate} fails", card.id());
        }
        is_offered(card, holds);
        for (predicate, changed) in fails {
            let known = predicates.contains(predicate) || *predicate == DISCARD_FACT;
            assert!(known, "{} does not require {predicate}", card.id());
            let lines: Vec<(&str, &str)> = holds.iter().chain(*changed).copied().collect();
            is_barred(card, &lines, predicate);
        }
    }
}

#[test]
fn the_description_is_of_every_card() {
    let described = described();
    assert!(Card::all().all(|card| described.contains_key(card.id())) && described.len() == Card::all().count());
}

#[test]
fn free_peoples_character_deck() {
    check(EventDeck::ALL[0], free_character::CASES);
}

#[test]
fn free_peoples_strategy_deck() {
    check(EventDeck::ALL[1], free_strategy::CASES);
}

#[test]
fn shadow_strategy_deck() {
    check(EventDeck::ALL[3], shadow_strategy::CASES);
}

#[test]
fn shadow_character_deck() {
    check(EventDeck::ALL[2], shadow_character::CASES);
}
