/*! What cards require (5.8, 9.17): for each predicate of each card there is a board on which only that predicate
fails, and the card is not on the menu. The boards are in `wotr_cards/requirements.yaml`.
*/

use engine::game::Game;
use engine::need::{Answer, Need, Question, Show};
use engine::seat::Seat;
use engine::slot::Faces;
use engine::title::Setup;
use serde::Deserialize;
use serde_yaml::Value;
use std::collections::BTreeMap;
use wotr::card::{Card, EventDeck};
use wotr::combat_title::CombatTitle;
use wotr::{EDITIONS, position};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Requirements {
    combats: Vec<OfCombat>,
}

/// What some Combat titles require, and battles in which that is met or not.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfCombat {
    titles: Vec<String>,
    /// The predicate; null if nothing is required.
    requires: Value,
    met: Vec<Lines>,
    unmet: Vec<Lines>,
}

type Lines = BTreeMap<String, String>;

fn requirements() -> Requirements {
    serde_yaml::from_str(include_str!("wotr_cards/requirements.yaml")).expect("the requirements are well formed")
}

fn setup() -> Setup {
    let seats = ["free", "shadow"].map(str::to_string).into();
    Setup { edition: EDITIONS[0].to_string(), seats, options: Vec::new() }
}

/// The game at a position: these lines on top of the common ones.
fn begun(base: &[(&str, &str)], lines: &Lines) -> (Box<dyn Game>, Faces) {
    let own = lines.iter().map(|(key, value)| (key.as_str(), value.as_str()));
    let own = own.filter(|(key, _)| !["by", "attack"].contains(key));
    let lines: Vec<(&str, &str)> = base.iter().copied().chain(own).collect();
    position::begin(&setup(), &lines).unwrap_or_else(|wrong| panic!("{lines:?}: {wrong}"))
}

/// The battle of the lines, up to the question for a Combat card; only this card is in hand.
fn fought(card: Card, lines: &Lines) -> (Box<dyn Game>, Faces) {
    let by = lines.get("by").map_or("shadow", String::as_str);
    let (step, hand) = (format!("{by} go"), format!("hand {}", card.position()));
    let mut base = vec![
        ("clear", "-"),
        ("politics", "dwarves 0 elves 0 gondor 0 north 0 rohan 0 isengard 0 sauron 0 southrons 0"),
        ("free-dice", "army 1"),
        ("shadow-dice", "army 1"),
        ("step", step.as_str()),
        (card.deck().id(), hand.as_str()),
    ];
    if !lines.contains_key("attack") || lines["attack"].contains("ithilien") {
        base.extend([("north-ithilien", "gondor 3r"), ("south-ithilien", "sauron 3r")]);
    }
    let (mut game, faces) = begun(&base, lines);
    let attack = format!("attack {}", lines.get("attack").map_or("north-ithilien", String::as_str));
    say(game.as_mut(), &attack, &faces);
    loop {
        let Need::Question(Question { id, .. }) = game.need() else { panic!("{} is asked for", card.id()) };
        match id {
            "field-or-siege" => say(game.as_mut(), "fight in the open", &faces),
            "white-rider" => say(game.as_mut(), "forfeit leadership", &faces),
            "combat-card" => return (game, faces),
            other => panic!("{other} was asked"),
        }
    }
}

#[track_caller]
fn say(game: &mut dyn Game, sentence: &str, faces: &Faces) {
    let seat = asked(game);
    game.say(seat, sentence, faces).unwrap_or_else(|refusal| panic!("{sentence}: {refusal}"));
}

fn asked(game: &dyn Game) -> Seat {
    let Need::Question(question) = game.need() else { panic!("a question is asked") };
    question.seat
}

/// The holder of the card is offered it if its requirement is met, and otherwise is told why not.
fn is_offered(card: Card, lines: &Lines, met: bool) {
    let (game, faces) = fought(card, lines);
    let lay = format!("lay {}", card.id());
    let offered = game.offers(&faces, 100).iter().any(|offer| offer.sentence.starts_with("lay"));
    assert_eq!(offered, met, "{} ({}): {lines:?}", card.id(), card.combat_title());
    match game.read(asked(game.as_ref()), &lay, &faces) {
        Ok(_) => assert!(met, "{lay}: {lines:?}"),
        Err(refusal) => assert!(!met && refusal.to_string().contains("(rule 9.17)"), "{lay}: {refusal}"),
    }
}

/// 9.17: a program that does not know the card lays it by its slot; when it is shown, it must be one that could be
/// laid. A claim that it is none does no harm.
fn is_shown(card: Card, lines: &Lines, met: bool) {
    let (mut game, _) = fought(card, lines);
    let kind = EventDeck::of_slot(card.deck().slot(card.position())).kind.id();
    say(game.as_mut(), &format!("lay {kind}-{}", card.position()), &Faces::default());
    let Need::Show(Show { among, .. }) = game.need() else { panic!("{} is shown", card.id()) };
    assert_eq!(among.contains(&card.number()), met, "{}: {lines:?}", card.id());
    game.answer(Answer::Shown(None)).expect("a claim about the card");
    assert!(matches!(game.need(), Need::Draw(_)), "without an effect the dice are rolled");
}

#[test]
fn combat_cards_are_laid_where_their_requirement_is_met() {
    for entry in requirements().combats {
        assert_eq!(entry.requires.is_null(), entry.unmet.is_empty(), "{:?}", entry.titles);
        for title in &entry.titles {
            let combat = CombatTitle::of_title(title).unwrap_or_else(|| panic!("`{title}` is no Combat title"));
            for card in Card::all().filter(|card| card.combat() == combat) {
                for (boards, met) in [(&entry.met, true), (&entry.unmet, false)] {
                    for lines in boards {
                        is_offered(card, lines, met);
                        is_shown(card, lines, met);
                    }
                }
            }
        }
    }
}

#[test]
fn every_combat_title_is_described() {
    let described = requirements().combats;
    for title in CombatTitle::all().map(CombatTitle::title) {
        let entries = described.iter().filter(|entry| entry.titles.iter().any(|named| named == title)).count();
        assert_eq!(entries, 1, "{title} is described once");
    }
}
