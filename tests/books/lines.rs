//! Lines ahead in the order books: said in their order, held to the published books, and ended by an undo.

use super::{check, covered_up, order_problem, others, revealed, started, with_secrets};
use crate::record_game::{Game, letter};
use engine::seat::Seat;
use ground::hash::sha256;
use record::entry::body::Correcting;
use record::fold::ahead::{LineAhead, LineState};
use record::fold::council::Proposal;

fn leaves(game: &mut Game, seat: Seat, text: &str) -> u64 {
    let (now, name) = (game.now(), format!("line {text} {}", game.head_seq()));
    let ahead = LineAhead::read(text).expect("a line ahead");
    game.table.note_line(seat, ahead, None, (sha256(name.as_bytes()), 1)).unwrap();
    game.table.hear(seat, Some(letter(&name, game.head_seq())), now).unwrap()[0].seq
}

fn goes_on(game: &mut Game) -> usize {
    let now = game.now();
    game.table.say_lines(now).unwrap()
}

#[test]
fn lines_are_said_once_in_their_order() {
    let (_folder, mut game) = started();
    let other = others(game.asked().unwrap());
    leaves(&mut game, other, "ahead say no");
    leaves(&mut game, other, "ahead then say roll 2");
    leaves(&mut game, other, "ahead when asked riddle say roll 3");
    game.say("dare");
    // `roll 2` waits for nothing any more, and stands before `roll 3`.
    assert!(goes_on(&mut game) >= 1);
    let said: Vec<String> = game.table.lines_done(other).into_iter().map(|line| line.ahead.line).collect();
    assert_eq!(said[0], "no");
    let log = revealed(&mut game);
    let report = check(&log);
    assert!(report.is_ok(), "{report}");
    let text = String::from_utf8(log).unwrap();
    assert!(text.contains("order: \"ahead then say roll 2\"") && text.contains("by: \"standing\""), "{text}");
    assert!(report.to_text().contains("and no order was passed over."), "{report}");
}

#[test]
fn a_line_says_otherwise_than_it_was_left() {
    let (_folder, mut game) = started();
    let other = others(game.asked().unwrap());
    leaves(&mut game, other, "ahead say no");
    let (orders, from) = (game.table.secrets().orders.clone(), game.head_seq() + 1);
    let mut game = with_secrets(game, |secrets| secrets.orders[0].order = Some("ahead say yes".to_string()));
    let seq = game.head_seq() + 2;
    game.say("dare");
    assert_eq!(goes_on(&mut game), 1);
    let mut game = covered_up(game, from, &orders);
    order_problem(&revealed(&mut game), "order.words", "order 1 of the seat answers `no`, not `yes`", seq);
}

#[test]
fn a_seat_may_answer_before_its_own_line() {
    let (_folder, mut game) = started();
    let other = others(game.asked().unwrap());
    leaves(&mut game, other, "ahead say no");
    game.say("dare");
    game.say("yes");
    assert!(check(&revealed(&mut game)).is_ok());
}

#[test]
fn an_undo_ends_the_lines_that_were_left_before_it() {
    let (_folder, mut game) = started();
    let (other, to) = (others(game.asked().unwrap()), game.head_seq());
    leaves(&mut game, other, "ahead say no");
    game.agree(&Proposal { to: Some(to), ..Proposal::new(Correcting::Undo, "agreed") });
    game.say("dare");
    assert_eq!(goes_on(&mut game), 0);
    assert_eq!(game.table.lines_done(other)[0].state, LineState::Undone);
    assert!(check(&revealed(&mut game)).is_ok());
}
