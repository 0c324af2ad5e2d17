/*! The order form: its proposals can be written as they are, fit the page, and disappear when an order of that kind
stands; and the hint once a turn.
*/

use crate::house::body;
use crate::plans::{Post, unfolded, war};
use engine::seat::Seat;
use post::desk::Desk;
use record::fold::standing::Order;
use record::table::table_error::TableError;

/// The lines of the form at a question that are orders.
fn orders_of(desk: &Desk, seat: usize, question: Option<&str>) -> Vec<String> {
    let lines: Vec<String> =
        desk.table.fold().game().form(Seat::at(seat), question).into_iter().flat_map(|chain| chain.lines).collect();
    assert!(lines.iter().all(|line| line.chars().count() <= 70), "{lines:?}");
    lines.into_iter().filter(|line| line.starts_with("when asked")).collect()
}

#[test]
fn every_order_of_a_form_can_be_left_as_it_stands() {
    let mut counted = 0;
    for (title, seats) in [("wotr", ["free", "shadow"]), ("risk", ["yellow", "red"])] {
        let post = Post::new(title, &seats, 0);
        let office = post.office();
        let desk = office.desk("g7").unwrap();
        let asked = desk.table.fold().plan().title.questions.iter().map(|asked| Some(asked.id));
        for question in asked.chain([None]) {
            for seat in 0..2 {
                for line in orders_of(&desk, seat, question) {
                    counted += 1;
                    let named = line.replace("<card>, <card>", "athelas, the-ents-awake-huorns");
                    match desk.table.read_order(Seat::at(seat), &named) {
                        Ok(_) | Err(TableError::NotNow { .. }) => {}
                        Err(error) => panic!("{line}: {error}"),
                    }
                    assert!(Order::read(&line).is_ok(), "{line}");
                }
            }
        }
    }
    assert!(counted > 10, "{counted}");
}

#[test]
fn the_form_shows_what_comes_next_and_what_is_not_left_yet() {
    let mut post = war();
    let letter = body(&post.newest("free"));
    let (_, form) = letter.split_once(" order form: copy it to the top ").unwrap();
    assert!(form.contains("<one sentence a line>\n# Your next actions"), "{form}");
    assert!(form.contains("# army/muster die: <action>\n"), "{form}");
    assert!(form.contains("# when asked fellowship: done next turn\n"), "{form}");
    assert!(letter.lines().all(|line| line.chars().count() <= 72), "{letter}");
    post.says("shadow", "when asked hunt-allocation: allot 1\narmy/muster die: isengard to war");
    post.says("free", "character die: skip");
    post.says("free", "muster die: skip\nwhen asked losses: regulars first");
    post.says("shadow", "army die: attack fords-of-isen from orthanc with all; cards none");
    let letter = body(&post.newest("free"));
    assert_eq!(post.asked(), ("free", "combat-card"));
    assert!(letter.contains("# when asked combat-card: no card this battle\n"), "{letter}");
    assert!(!letter.contains("# when asked losses"), "{letter}");
}

#[test]
fn a_turn_of_risk_can_be_written_when_it_begins_and_so_can_reactions() {
    let mut post = Post::new("risk", &["yellow", "red"], 1);
    post.until("reinforcements", |seat, _| match seat {
        "red" => "leader moria then eregion",
        _ => "leader lorien then fornost",
    });
    let (seat, _) = post.asked();
    let letter = unfolded(&body(&post.newest(seat)));
    assert!(letter.contains("# attack <target> from <territory>; until 3 left; advance all but 1"), "{letter}");
    assert!(letter.contains("# when asked enemy-declared, violent-storms: pass next turn"), "{letter}");
}

#[test]
fn what_a_seat_has_said_can_be_left_again() {
    let post = Post::new("wotr", &["free", "shadow"], 0);
    let office = post.office();
    let desk = office.desk("g7").unwrap();
    let title = desk.table.fold().plan().title;
    for (question, said, expected) in [
        ("losses", "lose 1 elite for a regular", "elites first"),
        ("losses", "lose 2 regular", "regulars first"),
        ("press-on", "press the attack", "until 1 left"),
        ("press-on", "stop the attack", "stop the attack"),
        ("advance", "advance with 2 regular", "with all"),
        ("retreat", "stand", "stand"),
        ("combat-card", "no card", "no card"),
        ("field-or-siege", "withdraw", "withdraw"),
        ("hunt-damage", "take it", "take it"),
        ("hunt-allocation", "allot 2", "at most 2"),
        ("guide", "guide strider", "one of strider, else ask me"),
        ("fellowship", "done", "done"),
    ] {
        let again = (title.orders.said_again)(question, said).unwrap_or_default();
        assert_eq!(again, expected, "{question}: {said}");
        let order = format!("when asked {question}: {again}");
        desk.table.read_order(Seat::at(0), &order).unwrap_or_else(|error| panic!("{order}: {error}"));
    }
    assert_eq!((title.orders.said_again)("retreat", "retreat to edoras"), None);
}
