/*! Letters that come back (L4): reports as servers write them, return paths, and what happens to a player who cannot
be reached any more; and robots that answer every letter (L5).
*/

use crate::house::{BLACK, GREEN, House, at, body, field};
use ground::stamp::Stamp;
use mail::letter::bounce::Finality;
use mail::letter::mailbox::Mailbox;
use mail::wire::carrier::Cover;
use mail::wire::intake::{Arrival, Parcel, Taken};
use post::book::outbox::Shelf;
use post::book::{Event, Reception as Outcome};
use post::desk::reach;
use post::names::return_path;
use post::office::Handled as Fate;
use post::office::notice::Notice;
use post::office::service::{Bulletin, Outside, Part, Service};
use post::office::tick;
use std::cell::{Cell, RefCell};
use std::sync::mpsc;

fn ours() -> Mailbox {
    Mailbox::read("box@play.example").unwrap()
}

/// A report as Postfix, Exchange or Gmail send it, about a letter of ours.
fn report(letter: &str, to: &str, fields: &str, original: &str) -> String {
    let id = field(letter, "Message-ID");
    let original = match original {
        "whole" => format!("Content-Type: message/rfc822\r\n\r\n{letter}"),
        "header" => format!(
            "Content-Type: text/rfc822-headers\r\n\r\nReply-To: {}\r\nSubject: x\r\nMessage-ID:\r\n {id}\r\n",
            field(letter, "Reply-To")
        ),
        "id" => format!("Content-Type: text/rfc822-headers\r\n\r\nSubject: x\r\nMessage-ID:\r\n {id}\r\n"),
        _ => "Content-Type: text/plain\r\n\r\n".to_owned(),
    };
    format!(
        "Return-Path: <>\r\nFrom: MAILER-DAEMON@mx.example\r\nTo: {to}\r\nSubject: Undelivered Mail\r\n\
         Message-ID: <{:x}@mx.example>\r\nMIME-Version: 1.0\r\n\
         Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n\
         --b\r\n\r\nI'm sorry to have to inform you.\r\npass\r\n\r\n\
         --b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n{fields}\r\n\
         --b\r\n{original}\r\n--b--\r\n",
        fields.len() + original.len()
    )
}

const FAILED: &str = "Final-Recipient: rfc822; gollum@cave.example\r\nAction: failed\r\nStatus: 5.1.1\r\n\
                      Diagnostic-Code: smtp; 550 5.1.1\r\n <gollum@cave.example>: no such\r\n user\r\n";
const DELAYED: &str = "Final-Recipient: rfc822;gollum@cave.example\r\nAction: delayed\r\nStatus: 4.4.1\r\n";

fn return_path(letter: &str) -> Mailbox {
    Cover::of(letter.as_bytes()).unwrap().from.unwrap()
}

#[test]
fn s2_a_report_goes_out_with_a_return_path_of_its_seat() {
    let house = House::opened();
    let letter = house.newest(GREEN);
    let path = return_path(&letter);
    assert!(path.to_string().starts_with("box+bounce.g7.green."), "{path}");
    assert!(return_path::is_one(&path, &ours()));
    assert_ne!(path.local.replace("green", "black"), return_path(&house.newest(BLACK)).local);
    assert!(!return_path::is_one(&Mailbox::read("box+g7.green.abc@play.example").unwrap(), &ours()));
}

#[test]
fn s2_an_answer_that_brings_records_is_missed_if_it_is_lost_and_any_other_is_not() {
    let mut house = House::opened();
    let player = house.asked().0;
    house.says(player, "roll 2\r\n");
    let played = house.newest(player);
    assert_eq!(field(&played, "Auto-Submitted"), "auto-replied");
    assert!(return_path::is_one(&return_path(&played), &ours()), "{played}");
    house.says(player, "status\r\n");
    let heard = house.newest(player);
    assert!(return_path::is_one(&return_path(&heard), &ours()), "{heard}");
    house.says(player, "press all: good luck\r\n");
    let told = house.newest(player);
    assert_eq!(Cover::of(told.as_bytes()).unwrap().from, None, "{told}");
}

#[track_caller]
fn bounced(house: &House, raw: &str, minutes: u32) -> Option<(String, Finality, String)> {
    match house.office.receive(raw.as_bytes(), at(minutes)).unwrap() {
        Fate::Bounced { place, verdict, said } => Some((place.seat, verdict, said)),
        Fate::Robot(_) => None,
        other => panic!("{other:?}"),
    }
}

#[test]
fn l4_reports_are_read_whichever_way_they_name_the_letter() {
    let house = House::opened();
    let letter = house.newest(GREEN);
    let told =
        Some(("green".to_owned(), Finality::Never, "5.1.1 550 5.1.1 <gollum@cave.example>: no such user".to_owned()));
    assert_eq!(bounced(&house, &report(&letter, "box@play.example", FAILED, "whole"), 20), told);
    assert_eq!(bounced(&house, &report(&letter, "box@play.example", FAILED, "header"), 21), told);
    let path = return_path(&letter).to_string();
    assert_eq!(bounced(&house, &report(&letter, &path, FAILED, ""), 22), told);
    let late = bounced(&house, &report(&letter, &path, DELAYED, "whole"), 23).unwrap();
    assert_eq!((late.1, late.2.as_str()), (Finality::Later, "4.4.1"));
    // Nothing in it was played, and nobody was answered.
    assert_eq!(house.said(), Vec::<String>::new());
    assert_eq!(house.office.waiting(None).unwrap(), Vec::<String>::new());
    // The same report again counts once.
    let again = report(&letter, "box@play.example", FAILED, "whole");
    assert_eq!(bounced(&house, &again, 24), None);
    assert_eq!(house.office.desk("g7").unwrap().book.returned("green").count(), 4);
}

#[test]
fn l4_a_forged_bounce_makes_nobody_unreachable() {
    let house = House::opened();
    let letter = house.newest(GREEN);
    let forged = return_path(&letter).to_string().replace("green.", "green.x");
    assert_eq!(bounced(&house, &report(&letter, &forged, FAILED, ""), 20), None);
    let other = letter.replace("g7.3.", "g7.2.");
    assert_eq!(bounced(&house, &report(&other, "box@play.example", FAILED, "whole"), 21), None);
    // A player with the public log can work out the Message-ID of another's letter, but not the rest of its header;
    // the token and the code of his own seat do not help, either.
    let own = house.newest(BLACK);
    for day in [20, 21] {
        assert_eq!(bounced(&house, &report(&letter, "box@play.example", FAILED, "id"), day), None);
        let with_own = report(&letter, "box@play.example", FAILED, "id")
            + &format!("Reply-To: {}\r\nErrors-To: {}\r\n", field(&own, "Reply-To"), return_path(&own));
        assert_eq!(bounced(&house, &with_own, day), None);
    }
    let foreign = letter.replace("g7.3.", "g9.3.");
    assert_eq!(bounced(&house, &report(&foreign, "box@play.example", FAILED, "whole"), 22), None);
    assert_eq!(house.office.desk("g7").unwrap().book.returned("green").count(), 0);
}

#[test]
fn l4_a_bounce_in_words_counts_only_with_a_proof() {
    let house = House::opened();
    let letter = house.newest(GREEN);
    let id = field(&letter, "Message-ID");
    let words = |to: &str, text: &str| {
        format!("Return-Path: <>\r\nFrom: postmaster@old.example\r\nTo: {to}\r\nSubject: failure\r\n\r\n{text}\r\n")
    };
    let path = return_path(&letter).to_string();
    let told = bounced(&house, &words(&path, "Your message\r\n550 5.1.1 User unknown; sorry"), 20).unwrap();
    assert_eq!((told.1, told.2.as_str()), (Finality::Never, "550 5.1.1 User unknown; sorry"));
    let quoting = format!("This user does not exist.\r\n> Message-ID: {id}\r\n> Errors-To: <{path}>");
    assert_eq!(bounced(&house, &words("box@play.example", &quoting), 21).unwrap().1, Finality::Never);
    let guessed = format!("This user does not exist.\r\n> Message-ID: {id}");
    assert_eq!(bounced(&house, &words("box@play.example", &guessed), 25), None);
    let delayed = bounced(&house, &words(&path, "Your message has been delayed and will be retried."), 22).unwrap();
    assert_eq!(delayed.1, Finality::Later);
    assert_eq!(bounced(&house, &words("box@play.example", "550 5.1.1 User unknown"), 23), None);
    assert_eq!(bounced(&house, &words(&path, "I am in Lothlórien until spring."), 24), None);
}

fn day(day: u32, hour: u32) -> Stamp {
    Stamp::parse(&format!("2026-11-{day:02}T{hour:02}:00:00Z")).unwrap()
}

/// Two days of a service: a letter comes back, is sent again, and comes back again.
#[test]
fn l4_an_address_is_dead_on_the_second_day_and_the_host_is_told_once() {
    let house = House::opened();
    // The house has filed the letters itself; the book is told that they were sent.
    let mut desk = house.office.desk("g7").unwrap();
    let names: Vec<String> = desk.book.letters_out().map(|out| out.letter.clone()).collect();
    for letter in &names {
        let sent = Event::Sent { at: day(24, 8).to_string(), letter: letter.clone(), reply: String::new() };
        desk.book.append(sent).unwrap();
    }
    drop(desk);
    let letter = house.newest(GREEN);
    let now = RefCell::new(day(24, 9));
    let told = RefCell::new(Vec::new());
    let (events, incoming) = mpsc::channel();
    let (jobs, _waiting) = mpsc::channel();
    let clock = || *now.borrow();
    let mut tell = |happening: &Bulletin<'_>| {
        if let Bulletin::Notice(notice) = happening {
            told.borrow_mut().push(notice.subject());
        }
    };
    let host = Mailbox::read("host@shire.example");
    let outside = Outside {
        events: incoming,
        jobs: Some(jobs),
        now: &clock,
        tell: &mut tell,
        sources: [].into(),
        host,
        part: Part::WHOLE,
    };
    let mut service = Service::new(&house.office, outside);
    let take = |service: &mut Service<'_>, raw: &str| {
        service.receive(&Parcel { name: "a report".to_owned(), raw: raw.as_bytes(), arrival: Arrival::New })
    };
    assert!(matches!(take(&mut service, &report(&letter, "box@play.example", FAILED, "whole")), Taken::Filed(_)));
    assert_eq!(house.office.waiting(Some("g7")).unwrap(), Vec::<String>::new());
    *now.borrow_mut() = day(25, 9);
    service.minute().unwrap();
    let again = house.office.waiting(Some("g7")).unwrap();
    assert_eq!(again, [field(&letter, "Message-ID").trim_matches(['<', '>']).to_owned() + ".eml"]);
    assert_eq!(*told.borrow(), Vec::<String>::new());
    // He is told only once.
    service.minute().unwrap();
    assert_eq!(house.office.waiting(Some("g7")).unwrap().len(), 1);
    service.rise();
    let mut desk = house.office.desk("g7").unwrap();
    desk.outbox.file(&again[0], Shelf::Outbox, Shelf::Sent).unwrap();
    let reply = String::new();
    desk.book.append(Event::Sent { at: day(25, 9).to_string(), letter: again[0].clone(), reply }).unwrap();
    drop(desk);
    *now.borrow_mut() = day(25, 10);
    take(&mut service, &report(&letter, "box@play.example", FAILED, "header"));
    let lost = format!("g7: green is not reached at {GREEN}");
    assert_eq!(*told.borrow(), [lost.as_str()]);
    // Another day, but less than a day later: a longer gap would make the service doubt the clock.
    *now.borrow_mut() = day(26, 8);
    service.minute().unwrap();
    service.rise();
    assert_eq!(*told.borrow(), [lost.as_str()]);
    let counter = house.office.counter().unwrap();
    let waiting = counter.outbox.waiting().unwrap();
    assert_eq!(waiting.len(), 1);
    let notice = String::from_utf8(counter.outbox.read(Shelf::Outbox, &waiting[0]).unwrap()).unwrap();
    assert!(body(&notice).contains("The server said: 5.1.1 550"), "{notice}");
    drop(counter);
    assert_eq!(reach::lost(&house.office.desk("g7").unwrap()).len(), 1);
    drop(events);
}

/// Without a service, by `receive` and `time --tick` alone.
#[test]
fn l4_the_clock_sends_again_what_came_back_once_and_knows_who_is_lost() {
    let house = House::opened();
    let letter = house.newest(GREEN);
    let name = field(&letter, "Message-ID").trim_matches(['<', '>']).to_owned() + ".eml";
    let was_sent = |at: Stamp| {
        let mut desk = house.office.desk("g7").unwrap();
        let reply = String::new();
        desk.book.append(Event::Sent { at: at.to_string(), letter: name.clone(), reply }).unwrap();
    };
    let ticked = |at: Stamp| tick::tick(&mut house.office.sit(), at).unwrap().pop().map(|(_, ticked)| ticked.unwrap());
    was_sent(day(24, 8));
    house.office.receive(report(&letter, "box@play.example", FAILED, "whole").as_bytes(), day(24, 9)).unwrap();
    let first = ticked(day(24, 10)).unwrap();
    assert!(!first.ticked.letters.contains(&name) && first.notices.is_empty(), "{first:?}");
    assert_eq!(first.ticked.next, Some(day(25, 9)));
    assert_eq!(ticked(day(25, 8)), None, "the game rests");
    assert_eq!(ticked(day(25, 9)).unwrap().ticked.letters, [name.as_str()]);
    house.office.desk("g7").unwrap().outbox.file(&name, Shelf::Outbox, Shelf::Sent).unwrap();
    was_sent(day(25, 9));
    house.office.receive(report(&letter, "box@play.example", FAILED, "header").as_bytes(), day(25, 10)).unwrap();
    let last = ticked(day(25, 11)).unwrap();
    assert!(matches!(&last.notices[..], [Notice::Lost { player, .. }] if player.to == GREEN), "{last:?}");
    assert!(!last.ticked.letters.contains(&name));
}

/// What the host is told while a service receives some letters.
fn told_of(house: &House, letters: &[Vec<u8>]) -> Vec<String> {
    let (_events, incoming) = mpsc::channel();
    let (jobs, _waiting) = mpsc::channel();
    let minutes = Cell::new(600);
    let clock = || at(minutes.get());
    let told = RefCell::new(Vec::new());
    let mut tell = |happening: &Bulletin<'_>| {
        if let Bulletin::Notice(notice) = happening {
            told.borrow_mut().push(notice.subject());
        }
    };
    let host = Mailbox::read("host@shire.example");
    let outside = Outside {
        events: incoming,
        jobs: Some(jobs),
        now: &clock,
        tell: &mut tell,
        sources: [].into(),
        host,
        part: Part::WHOLE,
    };
    let mut service = Service::new(&house.office, outside);
    for raw in letters {
        minutes.set(minutes.get() + 1);
        let parcel = Parcel { name: "a letter".to_owned(), raw, arrival: Arrival::New };
        assert!(matches!(service.receive(&parcel), Taken::Filed(_)));
    }
    drop(service);
    told.into_inner()
}

#[test]
fn l2_a_vacation_notice_known_by_its_subject_alone_is_told_to_the_host_once() {
    let mut house = House::opened();
    let first = house.asked().0;
    let newest = house.newest(first);
    let mut notice = |text: &str| {
        let raw = String::from_utf8(house.answer_to(&newest, first, text)).unwrap();
        let subject = raw.lines().find(|line| line.starts_with("Subject: ")).unwrap().to_owned();
        raw.replace(&subject, "Subject: Out of office: gone fishing").into_bytes()
    };
    let letters = [notice("pass\r\n"), notice("pass!\r\n")];
    // Spam of the same kind concerns nobody.
    let spam = b"From: x@far.example\r\nTo: box@play.example\r\nSubject: Out of office\r\n\r\nx\r\n".to_vec();
    let told = told_of(&house, &[&letters[..], &[spam]].concat());
    assert_eq!(told, [format!("{first} seems to be away")]);
    assert_eq!(house.said(), Vec::<String>::new());
    let counter = house.office.counter().unwrap();
    let waiting = counter.outbox.waiting().unwrap();
    let letter = String::from_utf8(counter.outbox.read(Shelf::Outbox, &waiting[0]).unwrap()).unwrap();
    assert!(body(&letter).contains("Out of office: gone fishing"), "{letter}");
}

#[test]
fn l3_the_host_is_told_whom_nobody_answers_any_more() {
    let mut house = House::opened();
    let first = house.asked().0;
    let newest = house.newest(first);
    let letters: Vec<Vec<u8>> =
        (0..23).map(|n| house.answer_to(&newest, first, &format!("I am away for {n} days.\r\n"))).collect();
    let seat = house.asked().1;
    let told = told_of(&house, &letters);
    assert_eq!(told.len(), 1, "{told:?} {seat}");
    assert!(told[0].ends_with("is not answered any more today"), "{told:?}");
}

#[test]
fn l4_whoever_writes_is_there() {
    let mut house = House::opened();
    let letter = house.newest(GREEN);
    let mut desk = house.office.desk("g7").unwrap();
    for day in [24, 25] {
        let at = format!("2026-11-{day}T00:00:00Z");
        let (seat, to, said) = ("green".to_owned(), GREEN.to_owned(), "5.1.1".to_owned());
        desk.book.append(Event::Bounced { at, seat, to, letter: None, verdict: Finality::Never, said }).unwrap();
    }
    assert_eq!(reach::lost(&desk).len(), 1);
    drop(desk);
    house.minutes = 60 * 12;
    let raw = house.answer_to(&letter, GREEN, "status\r\n");
    house.office.receive(&raw, day(25, 9)).unwrap();
    assert_eq!(reach::lost(&house.office.desk("g7").unwrap()), []);
}

#[test]
fn l5_a_robot_without_any_sign_comes_to_rest_within_two_letters() {
    let mut house = House::opened();
    let first = house.asked().0;
    let mut newest = house.newest(first);
    let mut answers = 0;
    // It answers every letter that it gets, at the address for answers, with the same words.
    for _ in 0..5 {
        let raw = house.answer_to(&newest, first, "I am in Rivendell until spring.\r\n");
        let received = house.receive(&raw);
        assert_eq!(received.outcome, Outcome::Refused);
        if received.letters.is_empty() {
            break;
        }
        answers += 1;
        newest = house.newest(first);
    }
    assert_eq!(answers, 1);
    // A robot that answers to the return path is recognised by that.
    let path = return_path(&house.newest(house.other()));
    let raw = format!("From: {first}\r\nTo: {path}\r\nSubject: hello\r\n\r\nI am in Rivendell.\r\n");
    assert!(matches!(house.office.receive(raw.as_bytes(), at(90)).unwrap(), Fate::Robot(_)));
}

/// Found in a campaign with s-nail, which puts its author's name into the Message-ID.
#[test]
fn x3_a_letter_named_after_its_author_is_not_named_in_the_log() {
    let mut house = House::opened();
    let first = house.asked().0;
    let newest = house.newest(first);
    let raw = String::from_utf8(house.answer_to(&newest, first, "pass\r\n")).unwrap();
    let raw = raw.replace("<1@mail.example>", &format!("<20261120.AKiHW%{first}>"));
    assert_eq!(house.receive(raw.as_bytes()).outcome, Outcome::Played);
    assert!(!house.log().contains(first), "{}", house.log());
    // The answer still belongs to it.
    assert!(field(&house.newest(first), "In-Reply-To").contains("AKiHW"));
}
