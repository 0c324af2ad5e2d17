/*! Letters played at the desk of a game: a small title, two players, everything from the bytes of a letter to the
bytes of its answers; and the state after a crash at any point.
*/

use crate::house::{BLACK, GREEN, House, at, body, charter, fates, field, files, secrets};
use crate::plans::Post;
use crate::tiny_title::TITLES;
use ground::disk::mishap;
use ground::hash::sha256;
use ground::span::Span;
use mail::letter::mailbox::Mailbox;
use post::book::Reception as Outcome;
use post::book::outbox::Shelf;
use post::office::{COUNTER, Handled as Came, Office};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn s1_the_first_letters_go_to_everybody() {
    let house = House::new();
    let letters = house.office.desk("g7").unwrap().report(at(1)).unwrap();
    assert_eq!(letters.len(), 2);
    assert_eq!(house.office.desk("g7").unwrap().report(at(1)).unwrap(), Vec::<String>::new());
    let letter = house.newest(house.asked().0);
    assert!(field(&letter, "Reply-To").starts_with("<box+g7."), "{letter}");
    assert!(body(&letter).contains("answer above this line"), "{}", body(&letter));
    assert!(body(&letter).lines().all(|line| line.chars().count() <= 72), "{}", body(&letter));
}

#[test]
fn a_letter_is_played_answered_and_the_next_seat_is_asked() {
    let mut house = House::opened();
    let (first, second) = (house.asked().0, house.other());
    let received = house.says(first, "Roll 2.\r\n");
    assert_eq!(received.outcome, Outcome::Played);
    assert_eq!(fates(&received), ["done roll 2 #4"]);
    assert_eq!(received.letters.len(), 2, "the answer, and a letter to the seat that is asked now");
    assert_eq!(house.asked().0, second);
    let answer = house.newest(first);
    assert_eq!(field(&answer, "In-Reply-To"), "<1@mail.example>");
    assert_eq!(field(&answer, "Auto-Submitted"), "auto-replied");
    let report = house.newest(second);
    assert_eq!(field(&report, "Auto-Submitted"), "auto-generated");
    assert!(field(&report, "References").starts_with("<g7.3."), "{report}");
    // X3: the log has only the hash of a letter.
    assert!(house.log().contains("  raw: \"") && !house.log().contains("mail.example"), "{}", house.log());
}

#[test]
fn several_sentences_answer_successive_questions_and_the_rest_is_kept() {
    let mut house = House::opened();
    let (first, second) = (house.asked().0, house.other());
    // A dare asks the other seat first; the next line is kept for later.
    let received = house.says(first, "dare\r\nroll 1\r\n");
    assert_eq!(fates(&received), ["done dare #4", "kept"]);
    let received = house.says(second, "no\r\npass\r\n");
    assert_eq!(fates(&received), ["done no #6", "done pass #7"]);
    // The turn for which it was kept is over: it is not said, and its seat is told so.
    assert_eq!(house.said(), ["dare", "no", "pass"]);
    let letter = house.newest(first);
    assert!(body(&letter).contains("roll 1"), "{}", body(&letter));
}

#[test]
fn what_is_refused_stops_the_letter_and_leaves_its_hash_in_the_log() {
    let mut house = House::opened();
    let first = house.asked().0;
    let received = house.says(first, "rol 2\r\npass\r\n");
    assert_eq!(received.outcome, Outcome::Refused);
    let fates = fates(&received);
    assert!(fates[0].starts_with("refused not understood: `rol`; did you mean `roll`?"), "{fates:?}");
    assert_eq!(fates[1], "ignored not looked at, because line 1 was refused");
    assert_eq!(house.said(), Vec::<String>::new());
    assert_eq!(house.log().matches("\ntype: \"heard\"\nseat: \"green\"\nvia:\n  raw: ").count(), 1, "{}", house.log());
    assert!(!house.log().contains("rol 2"));
    let answer = body(&house.newest(first));
    assert!(answer.contains("rol 2") && answer.contains("^^^"), "{answer}");
    // The answer to the refusal can itself be answered.
    assert_eq!(self::fates(&house.says(first, "roll 2\r\n")), ["done roll 2 #5"]);
}

#[test]
fn i1_the_same_letter_plays_once() {
    let mut house = House::opened();
    let first = house.asked().0;
    let letter = house.newest(first);
    let raw = house.answer_to(&letter, first, "pass\r\n");
    assert_eq!(house.receive(&raw).outcome, Outcome::Played);
    let again = house.receive(&raw);
    assert_eq!((again.outcome, again.letters.len()), (Outcome::Again, 0));
    // It arrives by another way, with another Received field: still the same letter.
    let mut detour = b"Received: from a by b; Tue, 24 Nov 2026 08:30:00 +0000\r\n".to_vec();
    detour.extend_from_slice(&raw);
    assert_eq!(house.receive(&detour).outcome, Outcome::Again);
    assert_eq!(house.said(), ["pass"]);
    // Another text with the same Message-ID is refused.
    let text = String::from_utf8(raw.clone()).unwrap().replace("pass", "roll 1");
    let received = house.receive(text.as_bytes());
    assert_eq!(received.outcome, Outcome::Refused);
    assert!(fates(&received)[0].contains("same Message-ID"), "{received:?}");
}

#[test]
fn i1_a_lost_answer_is_sent_again_once_an_hour() {
    let mut house = House::opened();
    let first = house.asked().0;
    let letter = house.newest(first);
    let raw = house.answer_to(&letter, first, "pass\r\n");
    let answer = house.receive(&raw).letters[0].clone();
    let mut desk = house.office.desk("g7").unwrap();
    let sent = post::book::Event::Sent { at: at(20).to_string(), letter: answer.clone(), reply: String::new() };
    desk.book.append(sent).unwrap();
    desk.outbox.file(&answer, Shelf::Outbox, Shelf::Sent).unwrap();
    drop(desk);
    house.minutes = 30;
    assert_eq!(house.receive(&raw).letters, Vec::<String>::new());
    house.minutes = 90;
    assert_eq!(house.receive(&raw).letters, [answer.as_str()]);
    assert_eq!(house.receive(&raw).letters, Vec::<String>::new());
}

#[test]
fn i2_a_letter_that_was_overtaken_is_refused_with_what_changed() {
    let mut house = House::opened();
    let first = house.asked().0;
    let old = house.newest(first);
    // Both answer the first letter; the second to arrive must not answer the next question.
    let late = house.answer_to(&old, first, "roll 3\r\n");
    house.says(first, "dare\r\n");
    let other = house.asked().0;
    house.says(other, "no\r\n");
    house.says(other, "pass\r\n");
    assert_eq!(house.asked().0, first);
    let received = house.receive(&late);
    let fates = fates(&received);
    assert!(fates[0].starts_with("refused you answered #3, but since then: #4 "), "{fates:?}");
    assert!(fates[0].contains("dare; #5 "), "{fates:?}");
    assert_eq!(house.said(), ["dare", "no", "pass"]);
}

#[test]
fn i2_a_letter_that_answers_none_of_ours_does_not_play() {
    let mut house = House::opened();
    let first = house.asked().0;
    let letter = house.newest(first);
    let raw = format!("From: {first}\r\nTo: {}\r\nMessage-ID: <x@y>\r\n\r\npass\r\n", field(&letter, "Reply-To"));
    let received = house.receive(raw.as_bytes());
    assert!(fates(&received)[0].contains("does not say which letter of ours it answers"), "{received:?}");
    // The top line of the quoted letter is enough.
    let raw = format!(
        "From: {first}\r\nTo: {}\r\nMessage-ID: <z@y>\r\n\r\npass\r\n\r\n> {}\r\n",
        field(&letter, "Reply-To"),
        body(&letter).lines().next().unwrap(),
    );
    assert_eq!(fates(&house.receive(raw.as_bytes())), ["done pass #5"]);
}

/// The log may have lost what the letter answers; or somebody has made it up, and must not stop the game for good.
#[test]
fn i2_a_letter_that_answers_an_unknown_one_lets_the_game_rest_for_a_day() {
    let mut house = House::opened();
    let first = house.asked().0;
    let letter = house.newest(first);
    let head = field(&letter, "Message-ID").split('.').nth(2).unwrap().to_owned();
    let raw = house.answer_to(&letter, first, "pass\r\n");
    let forged = String::from_utf8(raw).unwrap().replace(&head, &sha256(b"fork").to_string());
    let why = house.office.receive(forged.as_bytes(), at(20)).unwrap_err().to_string();
    assert!(why.contains("about an entry #3 that the log, which ends with #3, does not have"), "{why}");
    assert_eq!(asked(&house), 1);
    let good = house.answer_to(&letter, first, "roll 2\r\n");
    assert!(house.office.receive(&good, at(21)).is_err());
    assert_eq!(house.said(), Vec::<String>::new());
    // A letter of the same month names another such record: that is only refused.
    let next_day = at(20).later(Span::hours(24));
    let Came::Desk { received, .. } = house.office.receive(forged.as_bytes(), next_day).unwrap() else { panic!() };
    assert!(fates(&received)[0].contains("not on the history of this game"), "{received:?}");
    let Came::Desk { received, .. } = house.office.receive(&good, next_day).unwrap() else { panic!() };
    assert!(fates(&received)[0].starts_with("done roll 2"), "{received:?}");
}

/// The letters in the outbox that ask a player to forward what he has got.
fn asked(house: &House) -> usize {
    let files = fs::read_dir(house.path().join("outbox")).unwrap().map(|file| file.unwrap().path());
    files.filter(|file| fs::read_to_string(file).unwrap().contains("Please forward")).count()
}

/// A standby without the last records takes over for a database, or a folder is put back by hand: the worker that has
/// written those records does not write others in their place.
#[test]
fn what_the_store_has_forgotten_is_noticed_and_the_players_are_asked() {
    let mut house = House::opened();
    let (first, second) = (house.asked().0, house.other());
    let kept = ["log.yaml", "post.yaml"].map(|name| (name, fs::read(house.path().join(name)).unwrap()));
    house.says(first, "roll 2\r\n");
    house.send();
    let raw = {
        let letter = house.newest(second);
        house.answer_to(&letter, second, "roll 1\r\n")
    };
    for (name, bytes) in &kept {
        fs::write(house.path().join(name), bytes).unwrap();
    }
    let why = house.office.receive(&raw, at(30)).unwrap_err().to_string();
    assert!(why.contains("had an entry #4, and now ends with #3"), "{why}");
    assert_eq!(asked(&house), 2);
    let again = house.office.receive(&raw, at(31)).unwrap_err().to_string();
    assert!(again.contains("Nothing is played until it is known whether letters went out"), "{again}");
    assert_eq!(fs::read(house.path().join("log.yaml")).unwrap(), kept[0].1);
}

#[test]
fn standing_orders_are_left_and_fire() {
    let mut house = House::opened();
    let (first, second) = (house.asked().0, house.other());
    let received = house.says(second, "when asked answer say no\r\nstanding\r\n");
    assert_eq!(fates(&received), ["done when asked answer say no -", "done standing -"]);
    assert!(body(&house.newest(second)).contains("when asked answer say no"));
    // The order is secret: the other seat's letters do not show it, nor which one has answered.
    let received = house.says(first, "dare\r\n");
    assert_eq!(fates(&received), ["done dare #5"]);
    assert_eq!(house.said(), ["dare", "no"]);
    let received = house.says(second, "cancel 1\r\n");
    assert_eq!(fates(&received)[0], "done cancel 1 -");
    let received = house.says(second, "cancel 1\r\n");
    assert!(fates(&received)[0].starts_with("refused no standing order 1"), "{received:?}");
}

#[test]
fn p6_who_writes_below_the_quotation_is_told_where_to_write() {
    let mut house = House::opened();
    let first = house.asked().0;
    let received = house.says(first, "> roll 2\r\n> pass\r\n");
    assert_eq!(received.outcome, Outcome::Refused);
    let told = fates(&received);
    assert!(told[0].starts_with("refused no sentence of your own was found"), "{told:?}");
    assert_eq!(house.said(), Vec::<String>::new());
}

#[test]
fn l3_a_robot_that_shows_no_sign_is_answered_so_often_and_no_more() {
    let mut house = House::opened();
    let first = house.asked().0;
    // The same words within the hour have already been answered.
    let letters: Vec<usize> = (0..3).map(|_| house.says(first, "I am away.\r\n").letters.len()).collect();
    assert_eq!(letters, [1, 0, 0]);
    house.minutes += 60;
    assert_eq!(house.says(first, "I am away.\r\n").letters.len(), 1);
    // A player who says the same when the game has gone on asks about something else.
    house.says(first, "dare\r\n");
    let second = house.asked().0;
    assert_eq!(house.says(second, "What now?\r\n").letters.len(), 1);
    house.says(second, "no\r\npass\r\n");
    assert_eq!(house.says(second, "What now?\r\n").letters.len(), 1);
    let letters: Vec<usize> = (0..2).map(|_| house.says(first, "I am away.\r\n").letters.len()).collect();
    assert_eq!(letters, [1, 0]);
    let away = |n: i32| format!("I am away for {n} days.\r\n");
    let letters: Vec<usize> = (0..21).map(|n| house.says(first, &away(n)).letters.len()).collect();
    assert_eq!((letters[0], letters[16], letters[17], letters[20]), (1, 1, 0, 0));
    assert_eq!(fates(&house.says(first, "pass\r\n")).len(), 1);
    assert_eq!(house.said(), ["dare", "no", "pass", "pass"]);
}

#[test]
fn p10_check_tries_a_letter_out_and_changes_nothing() {
    let mut house = House::opened();
    let first = house.asked().0;
    let before = house.log();
    let received = house.says(first, "check\r\ndare\r\nyes\r\nwhen asked nonsense say pass\r\n");
    let told = fates(&received);
    assert_eq!(told[..3], ["done nothing of this letter is played, only tried -", "noted would be done: dare", "kept"]);
    assert!(told[3].starts_with("refused the game never asks `nonsense`"), "{told:?}");
    assert_eq!(house.log(), before);
    let received = house.says(first, "help\r\n");
    assert_eq!(fates(&received), ["done help -"]);
    assert!(house.log()[before.len()..].contains("\ntype: \"heard\"\n"), "as of a letter that leaves an order");
}

#[test]
fn p6_a_block_for_another_seat_does_not_play() {
    let mut house = House::opened();
    let first = house.asked().0;
    let received = house.says(first, "BEGIN g8 red\r\npass\r\nEND\r\n");
    assert!(fates(&received)[0].contains("BEGIN names red in g8"), "{received:?}");
    assert_eq!(house.said(), Vec::<String>::new());
}

#[test]
fn p6_the_form_of_a_letter_filled_in_plays() {
    let mut house = House::opened();
    let first = house.asked().0;
    let letter = body(&house.newest(first));
    let head = letter.find("order form").expect("a letter that asks ends with its form");
    let start = letter[..head].rfind('\n').unwrap() + 1;
    let form = letter[start..].replace("<one sentence a line>", "roll 1");
    let received = house.says(first, &format!("{form}\r\n\r\n{letter}"));
    assert_eq!(fates(&received), ["done roll 1 #4"], "{form}");
}

#[test]
fn p6_a_letter_quoted_without_any_sign_does_not_play() {
    let mut house = House::opened();
    let first = house.asked().0;
    let letter = body(&house.newest(first));
    let received = house.says(first, &format!("\r\n{letter}"));
    assert_eq!(house.said(), Vec::<String>::new(), "{received:?}");
    let received = house.says(first, &format!("roll 1\r\n\r\n{letter}"));
    assert_eq!(fates(&received), ["done roll 1 #4"]);
}

/// A line as wide as those that mail programs break.
fn wide(line: &str) -> String {
    let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
    format!("{first}{:>width$}", format!(" {rest}"), width = 61 - first.len())
}

#[test]
fn p4_a_wrapped_line_is_joined_and_the_answer_says_so() {
    let mut house = House::opened();
    let first = house.asked().0;
    let received = house.says(first, &format!("{}\r\n2\r\n", wide("roll")));
    let noted = "noted read as the rest of the line above";
    assert_eq!(fates(&received), ["done roll 2 #4", noted]);
    let answer = body(&house.newest(first));
    assert!(answer.contains("  roll 2\n    done (#4)\n  2\n    read as the rest of the line above"), "{answer}");
    assert_eq!(house.said(), ["roll 2"]);
}

#[test]
fn p4_a_long_line_above_another_sentence_is_whole() {
    let mut house = House::opened();
    let (first, second) = (house.asked().0, house.other());
    house.says(second, "when asked answer say no once\r\n");
    // The second line answers no question that is open when the first line is read.
    let received = house.says(first, &format!("{}\r\nwhen asked answer say yes\r\n", wide("dare")));
    assert_eq!(fates(&received), ["done dare #5", "done when asked answer say yes -"]);
    let received = house.says(second, &format!("{}\r\nyes\r\n", wide("pass")));
    assert_eq!(fates(&received), ["done pass #8", "kept"]);
    assert_eq!(house.said(), ["dare", "no", "pass"]);
}

#[test]
fn p4_a_sentence_is_not_played_without_a_rest_that_went_wrong() {
    let mut house = House::opened();
    let first = house.asked().0;
    let mut told = |rest: &str| fates(&house.says(first, &format!("{}\r\n{rest}\r\n", wide("roll 2"))));
    assert!(told("with the big dice")[0].contains("the line below may belong to it"));
    assert_eq!(told("the big dice"), ["done roll 2 #5", "kept"]);
}

#[test]
fn p4_an_order_is_joined_with_its_term() {
    let mut house = House::opened();
    let second = house.other();
    let order = wide("when asked answer say no");
    let received = house.says(second, &format!("{order}\r\nuntil end of turn\r\n"));
    assert_eq!(fates(&received)[0], "done when asked answer say no until end of turn -");
    let received = house.says(second, &format!("{order} until\r\n2026-12-24\r\nstanding\r\n"));
    assert_eq!(fates(&received)[0], "done when asked answer say no until 2026-12-24 -");
    assert_eq!(fates(&received)[2], "done standing -");
    let received = house.says(second, &format!("{order}\r\nwith a smile\r\n"));
    assert!(fates(&received)[0].contains("cut off by your mail program"), "{received:?}");
}

/// A game of Risk in which the players place their battalions next.
fn risk() -> Post {
    let charter = charter::of("risk", PLAYERS.map(|name| charter::writer(name, &format!("{name}@shire.example"))));
    let claims = |id: &str| (id == "claim").then_some("claim nearest");
    Post::opened(&charter, secrets::usual(), &PLAYERS, claims)
}

/// Two territories of the asked seat.
fn lands(risk: &Post) -> [&'static str; 2] {
    let desk = risk.office().desk("g7").unwrap();
    let asked = desk.table.fold().asked().unwrap().seat;
    let all = [
        "angmar",
        "fornost",
        "anfalas",
        "andrast",
        "ithilien",
        "nurn",
        "esgaroth",
        "lune-valley",
        "mithlond",
        "moria",
        "khand",
        "buckland",
        "rhudaur",
        "umbar",
        "harad",
        "eregion",
        "fangorn",
        "carrock",
    ];
    let mut held = all.into_iter().filter(|land| desk.table.read(asked, &format!("place 1 {land}")).is_ok());
    [held.next().unwrap(), held.next().unwrap()]
}

const PLAYERS: [&str; 3] = ["frodo", "sam", "merry"];

#[test]
fn p4_sentences_of_risk_are_wrapped_and_whole() {
    let mut house = risk();
    let ((asked, _), [one, another]) = (house.asked(), lands(&house));
    let mut tried = |text: String| house.says(asked, &format!("check\r\n\r\n{text}"))[1..].to_vec();
    let leaders = format!("leader {another} then {one}");
    let whole = tried(format!("{}\r\n{leaders}", wide(&format!("place 2 {one} then evenly"))));
    assert_eq!(whole[0], format!("noted would be done: place 2 {one} then evenly"), "{whole:?}");
    assert_eq!(whole.len(), 2);
    let joined = tried(format!("{}\r\n{another}, then evenly\r\n{leaders}", wide(&format!("place 2 {one}, 2"))));
    assert_eq!(joined[0], format!("noted would be done: place 2 {one}, 2 {another} then evenly"), "{joined:?}");
    assert!(joined[1].starts_with("noted ") && joined.len() == 3, "{joined:?}");
    let comma = tried(format!("{}\r\n2 {another}", wide(&format!("place 2 {one},"))));
    assert_eq!(comma[0], format!("noted would be done: place 2 {one}, 2 {another}"), "{comma:?}");
    let goes_on = tried(format!("{}\r\nthen evenly", wide(&format!("place 2 {one}"))));
    assert_eq!(goes_on[0], format!("noted would be done: place 2 {one} then evenly"), "{goes_on:?}");
    let misspelt = tried(format!("{}\r\nthen evenlly", wide(&format!("place 2 {one}"))));
    assert!(misspelt[0].contains("cut off by your mail program"), "{misspelt:?}");
    // Broken once more before its backslash, or one word earlier.
    let torn = tried(format!("{}\r\n\\\r\nthen evenly\r\n{leaders}", wide(&format!("place 2 {one}"))));
    assert_eq!(torn[0], format!("noted would be done: place 2 {one} then evenly"), "{torn:?}");
    let torn = tried(format!("{}\r\nthen \\\r\nevenly", wide(&format!("place 2 {one}"))));
    assert_eq!(torn[0], format!("noted would be done: place 2 {one} then evenly"), "{torn:?}");
}

#[test]
fn p4_a_line_for_later_is_joined_when_it_is_left() {
    let mut house = risk();
    let (asked, _) = house.asked();
    let other = PLAYERS[(PLAYERS.iter().position(|player| *player == asked).unwrap() + 1) % 3];
    let rest = "noted read as the rest of the line above";
    assert_eq!(house.says(other, &format!("{}\r\nevenly\r\n", wide("place"))), ["kept", rest]);
    assert_eq!(house.says(asked, "place evenly")[0], "done place evenly #9");
    let log = fs::read_to_string(house.log()).unwrap();
    assert_eq!(log.matches("said: \"place evenly\"").count(), 2, "{log}");
    assert_eq!(house.says(other, "standing").len(), 1, "nothing waits any more");
}

#[test]
fn a1_strangers_are_told_once_and_players_as_often_as_they_need() {
    let house = House::opened();
    let letter = |from: &str, number: u32| {
        format!(
            "From: {from}\r\nTo: box@play.example\r\nMessage-ID: <{number}@x>\r\n\
             Subject: hello\r\n\r\nhello {number}\r\n"
        )
    };
    let answered = |from: &str, number: u32, minutes: u32| match house
        .office
        .receive(letter(from, number).as_bytes(), at(minutes))
        .unwrap()
    {
        Came::Astray { letter, .. } => letter.is_some(),
        other => panic!("{other:?}"),
    };
    assert!(answered("stranger@far.example", 1, 20));
    assert!(!answered("stranger@far.example", 2, 21));
    assert!(answered(GREEN, 3, 22));
    assert!(answered(GREEN, 4, 23));
    assert_eq!(house.office.receive(letter(GREEN, 4).as_bytes(), at(24)).unwrap(), Came::Again);
    let outbox = house.office.counter().unwrap().outbox;
    let waiting = outbox.waiting().unwrap();
    assert_eq!(waiting.len(), 3);
    let text = String::from_utf8(outbox.read(Shelf::Outbox, &waiting[0]).unwrap()).unwrap();
    assert!(body(&text).contains("does not say which seat it speaks for"), "{text}");
}

#[test]
fn l5_two_post_offices_that_write_to_each_other_come_to_rest() {
    let house = House::opened();
    let letter =
        "From: box@other.example\r\nTo: box@play.example\r\nMessage-ID: <1@x>\r\nSubject: hello\r\n\r\nhello\r\n";
    let Came::Astray { letter: Some(name), .. } = house.office.receive(letter.as_bytes(), at(20)).unwrap() else {
        panic!("the first letter is answered");
    };
    let outbox = house.office.counter().unwrap().outbox;
    let answer = outbox.read(Shelf::Outbox, &name).unwrap();
    let folder = tempfile::tempdir().inspect(|made| fs::create_dir(made.path().join(COUNTER)).unwrap()).unwrap();
    let other = Office::new(folder.path(), &Mailbox::read("box@other.example").unwrap(), TITLES);
    let fate = other.receive(&answer, at(21)).unwrap();
    assert!(matches!(fate, Came::Robot(_)), "{fate:?}");
}

#[test]
fn x3_no_address_and_no_token_stands_in_the_log() {
    let mut house = House::opened();
    for _ in 0..4 {
        let player = house.asked().0;
        house.says(player, "pass\r\n");
    }
    let log = house.log();
    let token = field(&house.newest(GREEN), "Reply-To");
    let token = token.split('.').nth(2).unwrap().split('@').next().unwrap().to_owned();
    for secret in [GREEN, BLACK, token.as_str()] {
        assert!(!log.contains(secret), "{secret}");
    }
}

#[test]
fn the_end_is_told_to_everybody() {
    let mut house = House::opened();
    for _ in 0..6 {
        let player = house.asked().0;
        house.says(player, "pass\r\n");
    }
    assert!(field(&house.newest(GREEN), "Subject").contains("the game is over"));
    assert!(field(&house.newest(BLACK), "Subject").contains("the game is over"));
}

/// Everything that the house holds after a letter, except what depends on when it was opened again.
pub fn state(house: &House) -> BTreeMap<PathBuf, Vec<u8>> {
    let kept = |path: &Path| {
        let name = path.file_name().unwrap().to_string_lossy();
        name != "post.yaml" && name != "game.lock" && !name.ends_with(".new") && !name.contains(".torn-")
    };
    let root = house.folder.path().to_path_buf();
    let relative = |(path, bytes): (PathBuf, Vec<u8>)| (path.strip_prefix(&root).unwrap().to_path_buf(), bytes);
    files(house.folder.path()).into_iter().filter(|(path, _)| kept(path)).map(relative).collect()
}

/// I3, I6: the power fails before or in any write, sync or renaming, and between two log entries that follow from one
/// sentence. Opened again, the desk has the same entries and letters as without the failure.
#[test]
fn i3_a_crash_at_any_point_loses_and_doubles_nothing() {
    let mut start = House::opened();
    let (first, second) = (start.asked().0, start.other());
    start.says(second, "when asked answer say yes\r\n");
    start.says(second, "roll 2\r\nroll 3\r\n");
    let letter = start.newest(first);
    let order = wide("when asked answer say no");
    let text = format!("{order}\r\nuntil end of turn\r\ndare\r\nroll 1\r\nnonsense\r\npass\r\n");
    let raw = start.answer_to(&letter, first, &text);
    let time = at(start.minutes + 1);
    let mut whole = start.copy();
    whole.receive(&raw);
    assert_eq!(whole.said()[..2], ["dare", "yes"]);
    let expected = state(&whole);
    let mut writes = 0;
    loop {
        let crashed = start.copy();
        mishap::after(writes);
        let stopped = crashed.office.receive(&raw, time);
        if !mishap::has_struck() {
            stopped.unwrap();
            break;
        }
        assert!(stopped.is_err(), "after {writes} writes");
        for mut crashed in [crashed.copy(), without_the_last_order(&crashed)] {
            // The power may fail again during the recovery.
            mishap::after(writes % 3);
            drop(crashed.office.desk("g7").and_then(|mut desk| desk.recover(time)));
            let _ = mishap::has_struck();
            crashed.office.desk("g7").unwrap().recover(time).unwrap();
            crashed.receive(&raw);
            assert_eq!(crashed.log(), whole.log(), "after {writes} writes");
            let found = state(&crashed);
            for (path, bytes) in &expected {
                let found = found.get(path).unwrap_or_else(|| panic!("{} is lost", path.display()));
                let (found, bytes) = (String::from_utf8_lossy(found), String::from_utf8_lossy(bytes));
                assert_eq!(found, bytes, "{} after {writes} writes", path.display());
            }
            assert_eq!(found.len(), expected.len(), "{:?}", found.keys().collect::<Vec<_>>());
        }
        writes += 1;
    }
    assert!(writes >= 12, "{writes}");
}

/// The same house as if the power had failed before the entry that a standing order made.
fn without_the_last_order(house: &House) -> House {
    let house = house.copy();
    let log = house.log();
    let Some(whole) = log.strip_suffix("\n...\n") else { return house };
    let last = whole.rfind("\n...\n").unwrap() + 5;
    if log[last..].contains("by: \"standing\"") {
        fs::write(house.path().join("log.yaml"), &log[..last]).unwrap();
    }
    house
}
