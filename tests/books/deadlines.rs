//! A host who enforces a deadline although an order of the seat would answer, and what he lets the seat say then
//! (log 9.6, 12.5).

use super::*;
use ground::span::Span;
use ground::stamp::Stamp;
use record::charter::schedule::{CharterSchedule, CharterSilence};
use record::entry::body::Silence;
use record::table::clock_acts::by_deadline;

/// A game in which a seat has four hours to answer.
fn timed(then: Silence) -> (TempDir, Game) {
    let folder = tempfile::tempdir().unwrap();
    let schedule = CharterSchedule {
        answer: "4h".to_string(),
        silence: vec![CharterSilence { misses: 1, then }],
        ..CharterSchedule::default()
    };
    let charter = record::charter::Charter { schedule: Some(schedule), ..players(&["Anna", "HOST"]) };
    let game = Game::start_by(folder.path(), &charter, 51);
    (folder, game)
}

/// The deadline of the open question, which is also the time of what follows from it.
fn due(game: &Game) -> Stamp {
    game.table.fold().at().max(game.table.fold().clock().open().unwrap().at.later(Span::hours(4)))
}

/// A seat leaves an order that answers at once, and the host cuts his log off before it does, as if no book had the
/// order. Returns the game without the order, and the order.
fn held_back(mut game: Game, seat: Seat, order: &str) -> (Game, Vec<OrderInClear>) {
    let at = due(&game);
    let left = game.table.leave_order(seat, order, Some(letter("order", game.head_seq())), at).unwrap()[0].seq;
    let records = split(&game.log());
    let Game { table, time } = game;
    let folder = table.drawer().path();
    let orders = table.secrets().orders.clone();
    drop(table);
    fs::write(folder.join("log.yaml"), records[..=usize::try_from(left).unwrap()].concat()).unwrap();
    let mut secrets = Secrets::read(&folder).unwrap();
    secrets.orders.clear();
    secrets.write(&folder).unwrap();
    (Game { table: Table::open(&folder, TITLES).unwrap(), time }, orders)
}

/// Publishes the secrets as they are.
fn opened(game: Game, orders: Vec<OrderInClear>) -> Vec<u8> {
    let at = game.table.fold().at();
    let mut game = with_secrets(game, |secrets| secrets.orders = orders);
    game.table.reveal(at).unwrap();
    game.log()
}

const ORDER: &str = "when asked riddle say pass once";
const PASSED_OVER: &str = "order 1 of the seat should have answered this question";

#[test]
fn a_deadline_passes_although_an_order_would_have_answered() {
    for then in [Silence::Wait, Silence::Default, Silence::Bot, Silence::Replacement, Silence::Forfeit] {
        let (_folder, game) = timed(then);
        let seat = game.asked().unwrap();
        let (mut game, orders) = held_back(game, seat, ORDER);
        let (at, lapsed) = (due(&game), game.head_seq() + 1);
        game.table.lapse(at, at).unwrap();
        order_problem(&opened(game, orders), "order.due", PASSED_OVER, lapsed);
    }
}

/// The order was left after the deadline, but before the host enforced it.
#[test]
fn a_seat_gives_up_or_is_taken_although_an_order_would_have_answered() {
    for then in [Silence::Forfeit, Silence::Replacement] {
        let (_folder, mut game) = timed(then);
        let (seat, at) = (game.asked().unwrap(), due(&game));
        game.table.lapse(at, at).unwrap();
        let (mut game, orders) = held_back(game, seat, ORDER);
        let seq = game.head_seq() + 1;
        if then == Silence::Forfeit {
            game.table.concede(seat, None, Some(by_deadline()), at).unwrap();
        } else {
            let handed = HandedOver { seat, player: "Déagol".to_string(), text: "taken".to_string() };
            game.table.hand_over(&handed, at).unwrap();
        }
        order_problem(&opened(game, orders), "order.due", PASSED_OVER, seq);
    }
}

/// A host does not enforce a deadline while he knows an order that answers.
#[test]
fn a_table_lets_no_deadline_pass_while_an_order_is_due() {
    let (_folder, game) = timed(Silence::Wait);
    let seat = game.asked().unwrap();
    let (game, orders) = held_back(game, seat, ORDER);
    let at = due(&game);
    let mut game = with_secrets(game, |secrets| secrets.orders = orders);
    let refused = game.table.lapse(at, at).unwrap_err();
    assert!(refused.to_string().contains("a standing order of the seat answers"), "{refused}");
}

/// At the deadline a seat must pass; the host lets it roll instead.
#[test]
fn by_a_deadline_a_seat_says_what_does_least() {
    let checked_later = "is checked when the cards are known";
    let (_folder, mut game) = timed(Silence::Default);
    let (seat, at) = (game.asked().unwrap(), due(&game));
    let (_copy, mut other) = game.copy();
    other.say("roll 3");
    let rolled = split(&other.log()).pop().unwrap();
    game.table.lapse(at, at).unwrap();
    let refused = game.table.say(seat, "roll 3", Some(by_deadline()), at).unwrap_err();
    assert!(refused.to_string().contains("says what does least, `pass`, and not `roll 3`"), "{refused}");
    let (root, seq) = (game.table.secrets().root, game.head_seq() + 1);
    let mut records = split(&game.log());
    let lines = |from: &str| rolled.lines().skip_while(|line| !line.starts_with(from)).collect::<Vec<&str>>();
    let said = lines("said: ").join("\n");
    let seat_line = lines("seat: ")[0].to_string();
    records.push(format!(
        "---\nseq: 0\nprev: \"\"\nat: \"{at}\"\ntype: \"say\"\n{seat_line}\nvia:\n  by: \"deadline\"\n{said}\n"
    ));
    assert!(check(&chained(&records)).is_ok());
    let reveal =
        format!("---\nseq: 0\nprev: \"\"\nat: \"{at}\"\ntype: \"reveal\"\nseat: \"host\"\nroot: \"{root}\"\n...\n");
    records.push(reveal);
    let report = check(&chained(&records));
    let first = report.findings.first().expect("the cheat is caught");
    assert!(matches!(&first.problem, Problem::NotLeast { least: "pass", .. }), "{report}");
    assert_eq!(first.problem.rule().id(), "say.least");
    assert_eq!((report.exit_code(), first.seq), (exit::RULES, Some(seq)), "{report}");
    // An honest host says the sentence that does least, and the published cards confirm it.
    game.table.answer_for(seat, By::Deadline, at).unwrap();
    let text = check(&game.log()).to_text();
    assert!(text.contains(checked_later), "{text}");
    game.table.reveal(at).unwrap();
    let report = check(&game.log());
    assert!(report.is_ok() && !report.to_text().contains(checked_later), "{report}");
}
