//! What a host could do when the dice of a round are known: let the round pass, void what was fixed, or claim that it
//! cannot be played. Each is tried here, and found or counted (log 7.12, 7.14).

use super::stops::{ended, says, twice};
use super::*;
use record::commit::seals;
use record::commit::signature::{ORDER, SigningKey};
use record::commit::signed::{Part, SignedOn, SignedSentence};
use record::entry::body::{Ballot, Correcting, Signed};
use record::fold::council::Proposal;
use record::table::agreement::HandedOver;

const ON_WORD: &str = "no standing order was due when a run ended is the host's word until the order books are opened";

fn confirmed(name: &str, seen: u64) -> Via {
    Via { auth: Some(Auth::Confirmed), ..letter(name, seen) }
}

/// A record of the host's, as he can write it with an editor; [`forged`] corrects the numbers and hashes.
pub(super) fn of_host(at: Stamp, kind: &str, rest: &str) -> String {
    format!("---\nseq: 0\nprev: \"\"\nat: \"{at}\"\ntype: \"{kind}\"\nseat: \"host\"\n{rest}...\n")
}

impl Play {
    /// The host removes the orders from his file, or restores them.
    fn with_orders(self, orders: &mut Vec<record::file::secrets::OrderInClear>) -> Play {
        let Play { folder, table, beacon, seconds } = self;
        drop(table);
        let mut secrets = Secrets::read(folder.path()).unwrap();
        std::mem::swap(&mut secrets.orders, orders);
        secrets.write(folder.path()).unwrap();
        let table = Table::open(folder.path(), TITLES).unwrap();
        Play { folder, table, beacon, seconds }
    }

    /// A game in which the asked seat has left an order.
    fn ordered(order: &str) -> (Play, u64) {
        let mut play = Play::started();
        let asked = play.asked().unwrap();
        play.seconds = 400;
        let left = play.table.leave_order(asked, order, Some(letter("order", 5)), at(400)).unwrap()[0].seq;
        (play, left)
    }

    fn asks_for_round(&mut self) {
        self.table.ask_for_round(at(self.seconds)).unwrap();
        self.round();
    }
}

/// The host knows what the order would have rolled, and lets round after round pass until it rolls well.
#[test]
fn a_round_in_which_an_order_was_due_cannot_be_let_pass() {
    let (mut play, left) = Play::ordered("when asked riddle say roll 3 once");
    let mut orders = Vec::new();
    play = play.with_orders(&mut orders);
    play.asks_for_round();
    play.asks_for_round();
    play = play.with_orders(&mut orders);
    play.asks_for_round();
    let log = play.log();
    assert_eq!(log.matches("by: \"standing\"").count(), 1, "{log}");
    says(&log, &[ON_WORD, "for 2 rounds"], &[]);
    assert_eq!(twice(&log).to_json()["dice"]["beacon"]["rounds_on_hosts_word"], 2);
    let log = ended(&mut play);
    fails_first(&log, 4, "order 1 of the seat should have answered this question before the run ended", left + 3);
}

/// An honest host lets the order answer in the first round, and the open books prove it without his word.
#[test]
fn where_no_order_was_let_pass_the_open_books_say_so() {
    let (mut play, _) = Play::ordered("when asked riddle say roll 3 once");
    play.asks_for_round();
    play.asks_for_round();
    // The other seat has made no record with which it could have left an order.
    says(&play.log(), &["1 answer by them"], &[ON_WORD]);
    let other = play.asked().unwrap();
    play.table.leave_order(other, "when asked answer say no", Some(letter("other", 5)), at(play.seconds)).unwrap();
    play.asks_for_round();
    play.asks_for_round();
    says(&play.log(), &[ON_WORD, "for 1 round"], &[]);
    says(&ended(&mut play), &["no order was passed over"], &[ON_WORD]);
}

/// Checks that this is found first; later records may fail for the same reason.
#[track_caller]
fn fails_first(log: &str, exit: u8, why: &str, seq: u64) {
    let report = twice(log);
    let first = report.findings.first().expect("the cheat is found");
    assert!(first.problem.to_string().contains(why), "{report}");
    assert_eq!((report.exit_code(), first.seq), (exit, Some(seq)), "{report}");
}

/// The order is still due when a letter of its seat is stopped: the line would have been read after it.
#[test]
fn a_receipt_does_not_stop_before_an_order_that_is_due() {
    let order = "when asked riddle say roll 3 once";
    let (mut play, _) = Play::ordered(order);
    let seat = play.asked().unwrap();
    play.writes("letter", &["rol"]);
    let mut orders = Vec::new();
    play = play.with_orders(&mut orders);
    play.round();
    play.table.stop_receipt("line 1: not understood", at(play.seconds)).unwrap();
    // His record commits to the true books all the same.
    let seq = play.table.fold().head().seq;
    let texts = [Seat(1), Seat(2)].map(|of| if of == seat { format!("1 {order}\n") } else { String::new() });
    let books = seals::books(&Hex([7; 16]), &secrets::usual().root, seq, texts.iter().map(String::as_str));
    let log = forged(&play.log(), |records| {
        let stopped = records.last_mut().unwrap();
        let line = stopped.lines().find(|line| line.starts_with("books: ")).unwrap().to_owned();
        *stopped = stopped.replace(&line, &format!("books: \"{books}\""));
    });
    fs::write(play.folder.path().join("log.yaml"), log).unwrap();
    play = play.with_orders(&mut orders);
    fails_first(&ended(&mut play), 4, "should have answered this question before the run ended", seq);
}

#[test]
fn a_run_does_not_end_before_the_deck_is_laid() {
    let mut play = Play::started();
    for number in 0.. {
        let hand = play.table.hand(play.asked().unwrap());
        let card = ["ring", "fish", "egg", "time"][usize::from(hand[0].card.0)];
        play.writes(&format!("letter {number}"), &[&format!("play {card}")]);
        play.plays();
        if play.log().contains("type: \"deck\"") {
            break;
        }
    }
    let burnt = forged(&play.log(), |records| {
        let deck = place(records, "type: \"deck\"");
        records.truncate(deck);
        let now = at(play.seconds);
        let round = play.table.fold().round_for(now).unwrap();
        records.push(of_host(now, "receipt", &format!("round: {round}\n")));
    });
    is_found(&burnt, "run.deck", "ended before the deck was laid");
}

/// A log whose last letter is stopped at its second line, after the first.
pub(super) fn stopped_unasked(log: &str) -> String {
    forged(log, |records| {
        let say = records.len() - 1;
        let receipt = records.iter().rposition(|record| record.contains("\nlines: [")).unwrap();
        let lines: Vec<String> = records[receipt].lines().map(str::to_owned).collect();
        let via = lines[3..].iter().take_while(|line| !line.starts_with("lines: ")).cloned().collect::<Vec<String>>();
        let via = via.join("\n").replace("type: \"receipt\"", "type: \"stopped\"");
        let at = records[say].lines().nth(3).unwrap().to_owned();
        let via = via.replacen(&lines[3], &at, 1);
        records.push(format!(
            "---\nseq: 0\nprev: \"\"\n{via}\nreceipt: {receipt}\nline: 2\nreason: \"line 2: not allowed\"\n...\n"
        ));
    })
}

/// The first line is played, another seat is asked, and the host claims that the second line cannot be played: later
/// its seat says it with other dice.
#[test]
fn a_receipt_does_not_stop_while_its_seat_is_not_asked() {
    let mut play = Play::started();
    let seat = play.asked().unwrap();
    play.writes("two", &["dare", "roll 3"]);
    play.plays();
    assert_ne!(play.asked(), Some(seat));
    // An honest host leaves the line for later, and does not say that it was refused.
    let log = play.log();
    assert!(!log.contains("type: \"stopped\""), "{log}");
    let stopped = stopped_unasked(&log);
    is_found(&stopped, "stop.asked", "was stopped at its line 2 while its seat was not asked");
    // The line is void, and nothing is counted: its dice are none of the run's.
    play.writes("no", &["no"]);
    play.plays();
    assert!(twice(&play.log()).is_ok());
}

/// Lines of the letter that come next after an order of the other seat has answered are played, or refused.
#[test]
fn a_line_is_played_when_its_seat_is_asked_again_in_the_run() {
    let mut play = Play::started();
    let seat = play.asked().unwrap();
    let other = Seat(3 - seat.0);
    play.seconds = 400;
    play.table.leave_order(other, "when asked answer say no", Some(letter("order", 5)), at(400)).unwrap();
    play.table.leave_order(other, "when asked riddle say pass", Some(letter("order 2", 5)), at(400)).unwrap();
    play.writes("two", &["dare", "roll 3"]);
    play.plays();
    let said: Vec<String> =
        play.log().lines().filter_map(|line| Some(line.strip_prefix("said: ")?.to_owned())).collect();
    assert_eq!(said, ["\"dare\"", "\"no\"", "\"pass\"", "\"roll 3\"", "\"pass\""]);
    says(&ended(&mut play), &["no order was passed over"], &["set aside", "passed over when"]);
}

/// The host gives his seat away and takes it again: the waiting act, whose dice he then knows, would be void.
#[test]
fn nobody_takes_a_seat_while_an_act_of_it_waits() {
    let mut play = Play::started();
    let seat = play.asked().unwrap();
    play.writes("mine", &["roll 3"]);
    play.table.give_away(seat, confirmed("away", 5), at(400)).unwrap();
    assert!(play.table.fold().next_round().is_some(), "it is still its player's");
    let handed = HandedOver { seat, player: "Déagol".to_owned(), text: "a seat is taken".to_owned() };
    let refused = play.table.hand_over(&handed, at(400)).unwrap_err();
    assert!(refused.to_string().contains("is played before another takes"), "{refused}");
    let taken = forged(&play.log(), |records| {
        let rest = "what: \"seat\"\ntext: \"he is back\"\nof: \"green\"\nplayer: \"Gollum\"\n";
        let rest = rest.replace("green", play.table.fold().plan().word(seat));
        records.push(of_host(at(400), "correction", &rest));
    });
    is_found(&taken, "seat.waits", "is played before another takes");
    // After it is played, the seat is free.
    play.seconds = 400;
    play.plays();
    play.table.hand_over(&handed, at(play.seconds)).unwrap();
    assert!(play.log().contains("said: \"roll 3\""));
    says(&ended(&mut play), &[], &["void before being played"]);
}

/// All have agreed to an undo, and the host plays a round before he carries it out: he sees what it would undo.
#[test]
fn what_was_agreed_is_done_before_the_next_round() {
    let mut play = Play::started();
    let (seat, seen) = (play.asked().unwrap(), play.table.fold().head().seq);
    let other = Seat(3 - seat.0);
    let now = at(play.seconds);
    let proposal = Proposal { to: Some(seen), ..Proposal::new(Correcting::Undo, "a slip") };
    let motion = play.table.propose(seat, &proposal, Some(confirmed("undo", seen)), now).unwrap()[0].seq;
    play.table.vote(other, motion, Ballot::Yes, Some(confirmed("yes", seen)), now).unwrap();
    play.writes("late", &["roll 3"]);
    play.round();
    let log = play.log();
    assert!(checked(&log, None).is_ok());
    let delayed =
        forged(&log, |records| drop(records.remove(place(records, "what: \"undo\"\nto: 5\ntext: \"a slip\"\ncons"))));
    is_found(&delayed, "motion.first", "a motion is carried, and is done first");
}

fn key(number: u8) -> SigningKey {
    SigningKey::of_seed(&Hex([number; 32]))
}

/// A player signs his move, and then announces another key: the move was signed with the key of that time.
#[test]
fn a_signed_act_that_waits_stays_signed_when_its_seat_has_another_key() {
    let charter = charter(own(beacon().chain.info()));
    let (folder, beacon) = (tempfile::tempdir().unwrap(), beacon());
    let mut table = Table::create(folder.path(), &charter, secrets::usual(), at(0), TITLES).unwrap();
    table::join(&mut table, at(1), |seat| Joining { keys: vec![key(seat.0).public.to_string()], ..table::named(seat) });
    let mut play = Play { folder, table, beacon, seconds: 1 }.starts();
    let (seat, head) = (play.asked().unwrap(), play.table.fold().head());
    let on = SignedOn { seq: head.seq, head: head.hash };
    let signed = |by: u8, part: Part, words: &str| {
        let seat = play.table.word(seat);
        let words = words.to_owned();
        let sentence = SignedSentence { game: Hex([7; 16]), seat, on, part, number: 1, of: 1, words: words.clone() };
        let sig = key(by).sign(ORDER, sentence.to_string().as_bytes()).in_one_line();
        Some(Signed { number: 1, of: 1, words, sig })
    };
    let (line, other) = (signed(seat.0, Part::Line, "roll 3"), key(9).public);
    let announces = signed(seat.0, Part::Request, &format!("key {other}"));
    let by_other = signed(9, Part::Line, "roll 3");
    let via =
        |name: &str, signed: Option<Signed>| Some(Via { auth: Some(Auth::Ssh), signed, ..letter(name, head.seq) });
    let now = at(play.seconds);
    let fixed = play.table.fix_lines(seat, lines(&["roll 3"]), via("move", None), now).unwrap();
    play.table.announce_keys(seat, &[other], via("key", announces), now).unwrap();
    play.round();
    let now = at(play.seconds);
    let opens = Opens { receipt: fixed.seq, first: 1, last: 1 };
    // The new key has not signed the old move.
    let heard = play.table.read(seat, "roll 3").unwrap().of_lines(Some(opens));
    let refused = play.table.answer(heard, via("move", by_other), now);
    assert!(matches!(refused, Err(TableError::Unsound(_))), "{refused:?}");
    let heard = play.table.read(seat, "roll 3").unwrap().of_lines(Some(opens));
    play.table.answer(heard, via("move", line), now).unwrap();
    says(&ended(&mut play), &["1 signed with a key of the seat (ssh)"], &[]);
}

/// By choosing the time of the answer, the host could choose whether an order with an end time still stands.
#[test]
fn an_order_with_a_time_stands_by_the_time_of_the_receipt() {
    let order = "when asked riddle say roll 3 until 2026-11-24T08:06:41Z";
    let (mut play, left) = Play::ordered(order);
    let mut orders = Vec::new();
    let mut late = Play::ordered(order).0.with_orders(&mut orders);
    play.asks_for_round();
    assert!(at(play.seconds) > stamp("2026-11-24T08:06:41Z"));
    assert!(play.log().contains("by: \"standing\""));
    says(&ended(&mut play), &["no order was passed over"], &[]);
    // The host waits until the order has expired, and lets the round pass.
    late.asks_for_round();
    late.seconds += 60;
    late.table.ask_for_round(at(late.seconds)).unwrap();
    late = late.with_orders(&mut orders);
    fails_first(&ended(&mut late), 4, "should have answered this question before the run ended", left + 3);
}

/// The waiting act belongs to another seat, and would let an order of the host's seat answer. With the dice known, he
/// gives his seat away, whose book is then empty.
#[test]
fn nobody_takes_a_seat_whose_orders_may_answer_in_a_run_to_come() {
    let mut play = Play::started();
    let other = Seat(3 - play.asked().unwrap().0);
    play.seconds = 400;
    play.table.leave_order(other, "when asked answer say no", Some(letter("order", 5)), at(400)).unwrap();
    play.writes("dare", &["dare"]);
    let now = at(play.seconds);
    play.table.give_away(other, confirmed("away", 5), now).unwrap();
    let handed = HandedOver { seat: other, player: "Déagol".to_owned(), text: "taken".to_owned() };
    let refused = play.table.hand_over(&handed, now).unwrap_err();
    assert!(refused.to_string().contains("is played before another takes"), "{refused}");
    play.plays();
    assert!(play.log().contains("by: \"standing\""));
    play.table.hand_over(&handed, at(play.seconds)).unwrap();
    says(&ended(&mut play), &["no order was passed over"], &[]);
}

/// The host plays the second line of a letter before the first: he knows the dice, and likes it better.
#[test]
fn no_line_of_the_receipt_that_is_being_played_is_passed_over() {
    let mut play = Play::started();
    play.writes("two", &["roll 3", "pass"]);
    play.round();
    let (seat, run) = (play.asked().unwrap(), play.table.fold().receipts().run().unwrap());
    let (receipt, via) = (run.receipt.seq, run.receipt.via.clone().unwrap());
    let heard = play.table.read(seat, "pass").unwrap().of_lines(Some(Opens { receipt, first: 2, last: 2 }));
    let refused = play.table.answer(heard, Some(via), at(play.seconds)).unwrap_err();
    assert!(refused.to_string().contains("line 2 of the receipt of record 6 cannot come now"), "{refused}");
}
