//! Lines written ahead, read before their question comes: a line that fits no sentence of the game is refused at once.
//! That no sentence that is later played was refused before, the random walk shows (`random/ahead.rs`).

use engine::chance::Practice;
use engine::need::Need;
use engine::order::ahead::misread;
use engine::practice::Table;
use engine::title::{Setup, Title};
use risk::EDITION;
use wotr::EDITIONS;
use wotr::title::TITLE;

fn setup(edition: &str, seats: &[&str]) -> Setup {
    let seats = seats.iter().map(|seat| (*seat).to_string()).collect();
    Setup { edition: edition.to_string(), seats, options: Vec::new() }
}

#[track_caller]
fn case(title: &Title, setup: &Setup, questions_of: usize, line: &str, expected: Option<&str>) {
    let mut chance = Practice::new(7);
    let mut table = Table::new(title, setup, &mut chance).unwrap();
    while !matches!(table.game.need(), Need::Question(question)
        if question.seat.index() == questions_of && title.orders.own_turn.contains(&question.id))
    {
        table.play_anything(&mut chance).unwrap();
    }
    let seat = engine::seat::Seat::at(questions_of);
    let wrong = misread((title, &*table.game), seat, title.orders.own_turn, line, &table.faces);
    let (found, expected) =
        (wrong.map(|refusal| refusal.to_string()), expected.map(|word| format!("not understood: `{word}`")));
    match (&found, &expected) {
        (Some(found), Some(expected)) => assert!(found.starts_with(expected), "{line}: {found}"),
        _ => assert_eq!(found, expected, "{line}"),
    }
}

#[test]
fn what_no_sentence_has_is_refused_at_once() {
    let wotr = setup(EDITIONS[0], &["free", "shadow"]);
    let of_shadow = |line, expected| case(&TITLE, &wotr, 1, line, expected);
    // A die or a place that does not allow a line now may allow it later.
    of_shadow("muster die: isengard to war", None);
    of_shadow("army die: attack osgiliath from south-ithilien with all", None);
    of_shadow("army die: attack edoras from fords-of-isen with all", None);
    of_shadow("no card", None);
    of_shadow("army die: atack osgiliath from south-ithilien", Some("atack"));
    of_shadow("army die: move all osgilliath to druadan-forest", Some("osgilliath"));
    let risk = setup(EDITION, &["yellow", "red"]);
    let of_yellow = |line, expected| case(&risk::title::TITLE, &risk, 0, line, expected);
    of_yellow("attack moria from eregion until 3 left", None);
    of_yellow("attack eregion from ereggion until 3 left", Some("ereggion"));
    of_yellow("attack eregion from rhudaur untill 3 left", Some("untill"));
}
