//! Standing orders and their books: before the end, no log or letter contains anything of an order; at the end, a
//! host who let an invented order answer, passed one over, or shows another text is found out.

#[path = "books/deadlines.rs"]
mod deadlines;
#[path = "books/lines.rs"]
mod lines;

use crate::house;
use crate::house::{House, body, fates};
use crate::record_game::{Game, at, charter_of, confirmed, letter, players, split};
use crate::tiny_title::TITLES;
use engine::chance::Practice;
use engine::need::Need;
use engine::seat::Seat;
use ground::hash::{Hash, sha256};
use record::commit::seals;
use record::entry::Entry;
use record::entry::body::{By, Kind, Via};
use record::file::secrets::{OrderInClear, Secrets};
use record::problem::{Check, Problem, exit};
use record::table::Table;
use record::table::agreement::HandedOver;
use record::table::table_error::TableError;
use record::verify::report::{CheckResult, Report};
use record::verify::{Errors, Proofs, Wanted, verify, verify_with};
use std::fs;
use std::io::Read;
use tempfile::TempDir;

fn wanted() -> Wanted<'static> {
    let progress = Box::leak(Box::new(|_| {}));
    Wanted { file: "-".to_string(), titles: TITLES, errors: Errors::First, seen: Vec::new(), progress }
}

fn check(log: &[u8]) -> Report {
    verify(log, wanted()).unwrap()
}

/// The records, hashed anew by somebody with an editor.
fn chained(records: &[String]) -> Vec<u8> {
    let (mut log, mut prev) = (String::new(), Hash::ZERO);
    for (seq, record) in records.iter().enumerate() {
        let lines: Vec<&str> = record.lines().collect();
        let record = format!("---\nseq: {seq}\nprev: \"{prev}\"\n{}\n", lines[3..].join("\n"));
        prev = sha256(record.as_bytes());
        log.push_str(&record);
    }
    log.into_bytes()
}

/// A game of Anna and the host, who has the second seat.
fn started() -> (TempDir, Game) {
    let folder = tempfile::tempdir().unwrap();
    let game = Game::start_by(folder.path(), &players(&["Anna", "HOST"]), 51);
    (folder, game)
}

/// The game after somebody has changed `host.yaml`.
fn with_secrets(game: Game, change: impl FnOnce(&mut Secrets)) -> Game {
    let Game { table, time } = game;
    let folder = table.drawer().path();
    drop(table);
    let mut secrets = Secrets::read(&folder).unwrap();
    change(&mut secrets);
    secrets.write(&folder).unwrap();
    Game { table: Table::open(&folder, TITLES).unwrap(), time }
}

/// The game of a host who played without the orders in his seats' books, or with others. From record `from` on his
/// records commit to the true books all the same (he has the root), and his `host.yaml` is the true one again.
fn covered_up(game: Game, from: u64, orders: &[OrderInClear]) -> Game {
    let root = game.table.secrets().root;
    let id = game.table.fold().plan().game;
    let mut texts = [String::new(), String::new()];
    for order in orders {
        let seat = game.table.fold().plan().seat(&order.seat).unwrap();
        let number = texts[seat.index()].lines().count() + 1;
        texts[seat.index()] += &format!("{number} {}\n", order.order.as_ref().unwrap());
    }
    let mut records = split(&game.log());
    for (seq, record) in (0..).zip(&mut records).filter(|(seq, _)| *seq >= from) {
        let Some(line) = record.lines().find(|line| line.starts_with("books: ")).map(str::to_string) else { continue };
        let books = seals::books(&id, &root, seq, texts.iter().map(String::as_str));
        *record = record.replacen(&line, &format!("books: \"{books}\""), 1);
    }
    let Game { table, time } = game;
    let folder = table.drawer().path();
    drop(table);
    fs::write(folder.join("log.yaml"), chained(&records)).unwrap();
    let table = Table::open(&folder, TITLES).unwrap();
    with_secrets(Game { table, time }, |secrets| secrets.orders = orders.to_vec())
}

fn revealed(game: &mut Game) -> Vec<u8> {
    let now = game.now();
    game.table.reveal(now).unwrap();
    game.log()
}

fn leaves(game: &mut Game, seat: Seat, order: &str) -> u64 {
    let now = game.now();
    let via = letter("order", game.head_seq());
    game.table.leave_order(seat, order, Some(via), now).unwrap()[0].seq
}

fn by_order() -> Option<Via> {
    Some(Via::by(By::Standing))
}

fn others(seat: Seat) -> Seat {
    Seat(3 - seat.0)
}

#[track_caller]
fn order_problem(log: &[u8], id: &str, why: &str, seq: u64) {
    let report = check(log);
    let found = report.findings.first().expect("the cheat is caught");
    assert!(matches!(&found.problem, Problem::StandingOrder(fault) if fault.to_string().contains(why)), "{report}");
    assert_eq!((found.problem.rule().id(), found.seq), (id, Some(seq)), "{report}");
}

#[track_caller]
fn books_problem(log: &[u8], why: &str) {
    let report = check(log);
    let found = report.findings.first().expect("the cheat is caught");
    assert!(matches!(&found.problem, Problem::Books { why: told } if told.contains(why)), "{report}");
    assert_eq!(report.exit_code(), exit::DICE, "{report}");
}

#[test]
fn an_answer_is_given_by_an_order_that_nobody_left() {
    let (_folder, mut game) = started();
    let seat = game.asked().unwrap();
    let (seq, now) = (game.head_seq() + 1, game.now());
    game.table.say(seat, "roll 2", by_order(), now).unwrap();
    // Until the end this is the host's word, and `verify` says so.
    let report = check(&game.log());
    let told = "standing orders: 1 answer by them: the host's word until the order books are opened at the end.";
    assert!(report.is_ok() && report.to_text().contains(told), "{report}");
    let (_copy, mut none) = game.copy();
    let refused = none.table.reveal(at(90)).unwrap_err();
    assert!(refused.to_string().contains("no seat has left one"), "{refused}");
    // With another order in the book the log can be published, and the error is found when the log is read a second
    // time.
    leaves(&mut game, seat, "when asked answer say no");
    order_problem(&revealed(&mut game), "order.book", "no order in the seat's book answers this question", seq);
}

#[test]
fn an_order_answers_otherwise_than_it_says() {
    let (_folder, mut game) = started();
    let seat = game.asked().unwrap();
    leaves(&mut game, others(seat), "when asked answer say no");
    let (orders, from) = (game.table.secrets().orders.clone(), game.head_seq() + 1);
    let mut game =
        with_secrets(game, |secrets| secrets.orders[0].order = Some("when asked answer say yes".to_string()));
    let seq = game.head_seq() + 2;
    game.say("dare");
    let mut game = covered_up(game, from, &orders);
    order_problem(&revealed(&mut game), "order.words", "order 1 of the seat answers `no`, not `yes`", seq);
}

#[test]
fn an_order_that_fits_is_passed_over() {
    let (_folder, mut game) = started();
    let seat = game.asked().unwrap();
    leaves(&mut game, others(seat), "when asked answer say no");
    let (orders, from) = (game.table.secrets().orders.clone(), game.head_seq() + 1);
    let mut game = with_secrets(game, |secrets| secrets.orders.clear());
    game.say("dare");
    let seq = game.head_seq() + 1;
    game.say("yes");
    let mut game = covered_up(game, from, &orders);
    let log = revealed(&mut game);
    order_problem(&log, "order.due", "order 1 of the seat should have answered this question", seq);
    // If the log can be read only once, `verify` does not claim that.
    let once = verify_with(log.as_slice().take(u64::MAX), wanted(), Proofs::default()).unwrap();
    assert!(once.is_ok(), "{once}");
    assert!(matches!(once.verdict(Check::Rules), CheckResult::Skipped(why) if why.contains("twice")), "{once}");
}

#[test]
fn an_order_is_invented_when_the_answer_of_the_other_seat_is_known() {
    let (_folder, mut game) = started();
    let seat = game.asked().unwrap();
    let own = leaves(&mut game, others(seat), "when asked riddle say roll 1 once");
    let seq = game.head_seq() + 1;
    game.say("dare");
    // The letter has been read. Now the host writes the order that he would have liked, and lets it answer.
    let seat = others(seat);
    let invented = |record: u64, seat: String, order: &str| OrderInClear {
        record,
        seat,
        order: Some(order.to_string()),
        cancel: None,
        signed: None,
        letter: None,
        line: None,
    };
    let word = game.table.word(seat);
    for (record, why) in [(own, "not those that the records commit to"), (seq, "made no record")] {
        let (_copy, game) = game.copy();
        let order = invented(record, word.clone(), "when asked answer say no");
        let mut game = with_secrets(game, |secrets| secrets.orders.push(order));
        let now = game.now();
        let heads = game.table.settle(now).unwrap();
        assert!(!heads.is_empty(), "the program does what its host.yaml says");
        let refused = game.table.reveal(at(90)).unwrap_err();
        assert!(matches!(&refused, TableError::Unsound(found) if found[0].to_string().contains(why)), "{refused}");
    }
}

#[test]
fn another_text_is_shown_at_the_end() {
    let (_folder, mut game) = started();
    let seat = game.asked().unwrap();
    leaves(&mut game, seat, "when asked answer say no");
    leaves(&mut game, seat, "when asked riddle say roll 2 once");
    leaves(&mut game, others(seat), "when asked answer say yes until 2026-11-30");
    game.play_on(5);
    let log = revealed(&mut game);
    let report = check(&log);
    assert!(report.is_ok(), "{report}");
    let told = "the order books are open, with 3 orders left:";
    assert!(report.to_text().contains(told) && report.to_text().contains("and no order was passed over."), "{report}");
    let records = split(&log);
    let edited = |from: &str, to: &str| {
        let mut records = records.clone();
        let last = records.last_mut().unwrap();
        assert!(last.contains(from), "{last}");
        *last = last.replacen(from, to, 1);
        chained(&records)
    };
    books_problem(&edited("answer say no\"", "answer say yes\""), "not those that the records commit to");
    books_problem(&edited("roll 2 once", "roll 2"), "not those that the records commit to");
    books_problem(&edited("order: \"when asked riddle say roll 2 once\"", "cancel: 1"), "not those that the records");
    books_problem(&edited("order: \"when asked riddle say roll 2 once\"", "cancel: 7"), "no standing order 7");
    books_problem(&edited("answer say no\"", "answer  say no\""), "the order is written");
    // Another commitment than that of the order.
    let at_left = records.iter().position(|record| record.contains("\nbooks: \"")).unwrap();
    let mut changed = records.clone();
    let line = changed[at_left].lines().find(|line| line.starts_with("books: ")).unwrap().to_string();
    changed[at_left] = changed[at_left].replacen(&line, &format!("books: \"{}\"", Hash::ZERO), 1);
    books_problem(&chained(&changed), "not those that the records commit to");
}

#[test]
fn a_record_of_a_seat_without_its_commitment_is_no_record_and_nor_is_one_too_many() {
    let (_folder, mut game) = started();
    game.say("pass");
    let records = split(&game.log());
    let with = |from: &str, to: &str| {
        let mut records = records.clone();
        let last = records.last_mut().unwrap();
        let at = last.find(from).unwrap();
        let end = at + last[at..].find('\n').unwrap() + 1;
        last.replace_range(at..end, to);
        check(&chained(&records))
    };
    assert_eq!(with("books: ", "").exit_code(), exit::MALFORMED);
    // The start needs no commitment, and must have none.
    let mut records = records.clone();
    let start = records.iter_mut().find(|record| record.contains("type: \"start\"")).unwrap();
    *start = start.replacen("setup: ", &format!("books: \"{}\"\nsetup: ", Hash::ZERO), 1);
    assert_eq!(check(&chained(&records)).exit_code(), exit::MALFORMED);
}

/// `ask me for dice` and its opposite used to answer one another without end.
#[test]
fn orders_that_answer_one_another_stop_and_the_seat_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    let charter = charter_of("risk", 2, &[]);
    let mut game = Game::start_by(folder.path(), &charter, 9);
    let mut chance = Practice::new(4);
    let is_asked =
        |game: &Game| matches!(game.table.fold().need(), Need::Question(asked) if asked.id == "reinforcements");
    while !is_asked(&game) {
        let line = game.anything(&mut chance);
        game.say(&line);
    }
    let seat = game.asked().unwrap();
    let now = game.now();
    for order in ["do not ask me for dice", "ask me for dice"] {
        game.table.note_order(seat, &format!("when asked reinforcements say {order}"), None, None).unwrap();
    }
    let heads = game.table.hear(seat, Some(letter("orders", game.head_seq())), now).unwrap();
    // The order left last has answered once. Asked again, it is not allowed, and the other one is never tried instead.
    assert_eq!(heads.len(), 2, "{heads:?}");
    assert_eq!(game.asked(), Some(seat));
    // A single order with both answers answers each question once, whatever letters come in between.
    let both = "when asked reinforcements say ask me for dice, else do not ask me for dice";
    for letters in 0..3 {
        let now = game.now();
        let via = letter(&format!("letter {letters}"), game.head_seq());
        let heads = match letters {
            0 => game.table.leave_order(seat, both, Some(via), now).unwrap(),
            _ => game.table.hear(seat, Some(via), now).unwrap(),
        };
        assert_eq!(heads.len(), 3, "{heads:?}");
        assert_eq!(game.asked(), Some(seat));
    }
    let line = game.anything(&mut chance);
    game.say(&line);
    let report = check(&revealed(&mut game));
    assert!(report.is_ok(), "{report}");
}

#[test]
fn after_fifty_answers_by_orders_the_seat_is_asked() {
    let (_folder, mut game) = started();
    let seat = game.asked().unwrap();
    leaves(&mut game, others(seat), "when asked riddle say pass");
    let now = game.now();
    let via = letter("another order", game.head_seq());
    let heads = game.table.leave_order(seat, "when asked riddle say pass", Some(via), now).unwrap();
    assert_eq!(heads.len(), 51, "the record of the letter, and fifty answers");
    assert_eq!(game.asked(), Some(seat));
    // One more answer by an order is refused.
    let (_copy, mut more) = game.copy();
    let now = more.now();
    let refused = more.table.say(seat, "pass", by_order(), now).unwrap_err();
    assert!(refused.to_string().contains("after 50 answers by orders in a row the seat must be asked"), "{refused}");
    // After any letter the orders answer again.
    game.say("roll 1");
    game.play_on(3);
    assert!(check(&revealed(&mut game)).is_ok());
}

#[test]
fn an_undo_leaves_the_books_and_another_player_has_an_empty_one() {
    let (_folder, mut game) = started();
    let seat = game.asked().unwrap();
    leaves(&mut game, others(seat), "when asked answer say no");
    leaves(&mut game, seat, "when asked answer say no");
    let (player, text) = ("Déagol".to_string(), "a new player".to_string());
    let now = game.now();
    game.table.give_away(others(seat), confirmed("given away", game.head_seq()), now).unwrap();
    game.table.hand_over(&HandedOver { seat: others(seat), player, text }, now).unwrap();
    assert!(game.table.orders(others(seat)).is_empty() && game.table.orders(seat).len() == 1);
    game.say("dare");
    assert_eq!(game.asked(), Some(others(seat)), "no order of the old player answers");
    leaves(&mut game, others(seat), "when asked answer say yes once");
    assert_eq!(game.table.orders(others(seat)), [], "it has answered");
    game.play_on(8);
    let log = revealed(&mut game);
    let report = check(&log);
    assert!(report.is_ok(), "{report}");
}

/// What the other player gets: neither the log nor a letter has a word of an order, or shows that there is one.
#[test]
fn nothing_of_an_order_reaches_the_other_player_before_the_end() {
    let mut house = House::opened();
    let (first, second) = (house.asked().0, house.other());
    let mut asks = house.copy();
    let before = house.log().len();
    let order = "when asked answer say yes once";
    let received = house.says(second, &format!("{order}\r\nwhen asked riddle say roll 3\r\ncancel 2\r\n"));
    let done = ["done when asked answer say yes once -", "done when asked riddle say roll 3 -", "done cancel 2 -"];
    assert_eq!(fates(&received), done);
    assert!(
        body(&house.newest(second)).contains("   1  when asked answer say yes once"),
        "{}",
        body(&house.newest(second))
    );
    // The record is the same as that of a letter that only asks for the status, except for hashes.
    asks.says(second, "status\r\n");
    let bare = |log: &str| {
        let hash = |line: &&str| !["prev:", "  raw:", "books:", "at:"].iter().any(|key| line.starts_with(key));
        log[before..].lines().filter(hash).map(str::to_owned).collect::<Vec<String>>()
    };
    assert_eq!(bare(&house.log()), bare(&asks.log()));
    house.says(first, "dare\r\n");
    assert_eq!(house.said(), ["dare", "yes"]);
    let log = house.log();
    let records = split(log.as_bytes());
    let last = Entry::read(records.last().unwrap().as_bytes()).unwrap();
    let kinds: Vec<Kind> = records.iter().map(|record| Entry::read(record.as_bytes()).unwrap().kind()).collect();
    assert_eq!(kinds[4..], [Kind::Heard, Kind::Say, Kind::Say]);
    assert_eq!((last.via, last.books), (by_order(), None));
    // The letter itself, its text, and the attached records.
    let letter = house.newest(first);
    let message = mail_parser::MessageParser::default().parse(letter.as_bytes()).unwrap();
    let attached: Vec<String> =
        message.attachments().map(|part| String::from_utf8_lossy(part.contents()).into_owned()).collect();
    let letters = [letter.clone(), body(&letter), attached.concat()].concat();
    assert!(letters.contains("type: \"heard\"") && letters.contains("by: \"standing\""), "{letters}");
    for secret in ["when asked answer", "roll 3", "once", "cancel 2", "cancel: "] {
        assert!(!log.contains(secret), "{secret}\n{log}");
    }
    for secret in ["when asked answer say yes", "roll 3", "cancel 2"] {
        assert!(!letters.contains(secret), "{secret}\n{letters}");
    }
    assert!(!log.contains('@'), "{log}");
}

/// An order above the last move of its letter makes no record of its own.
#[test]
fn an_order_above_a_move_leaves_no_record() {
    let mut house = House::opened();
    let first = house.asked().0;
    let received = house.says(first, "when asked answer say no\r\nroll 2\r\n");
    assert_eq!(fates(&received), ["done when asked answer say no -", "done roll 2 #4"]);
    assert!(!house.log().contains("heard"), "{}", house.log());
    let desk = house.office.desk("g7").unwrap();
    let seat = if first == house::GREEN { Seat(1) } else { Seat(2) };
    assert_eq!(desk.table.orders(seat).len(), 1);
}
