//! The clock of a game: deadlines, reminders, grace, and what happens when nobody answers. No test waits: a day passes
//! by handing in another stamp.

mod house;
#[allow(dead_code, reason = "each test uses its part")]
mod pages;
mod tiny_title;

use house::{BLACK, GREEN, House, body, field, office, start_as};
use pages::stands;
use ringmail::engine::seat::Seat;
use ringmail::post::clock::{Ticked, tick};
use ringmail::post::fault::PostError;
use ringmail::record::body::Silence;
use ringmail::record::schedule::{CharterSchedule, CharterSilence};
use ringmail::record::stamp::Stamp;
use ringmail::record::verify::{Errors, Wanted, verify};
use tiny_title::titles;

/// A second of universal time: `stamp("11-24T08:00")`.
fn stamp(text: &str) -> Stamp {
    let text = if text.len() == 11 { format!("2026-{text}:00Z") } else { text.to_owned() };
    Stamp::parse(&text).expect("a second")
}

fn schedule(silence: &[(u32, Silence)]) -> CharterSchedule {
    let silence = silence.iter().map(|(misses, then)| CharterSilence { misses: *misses, then: *then });
    CharterSchedule {
        answer: "3d".to_owned(),
        quiet: Some("22:00-08:00".to_owned()),
        grace: Some("12h".to_owned()),
        remind: vec!["1d".to_owned(), "6h".to_owned()],
        silence: silence.collect(),
        extensions: Some(1),
        extension: Some("2d".to_owned()),
        ..CharterSchedule::default()
    }
}

/// Gollum lives in Auckland, Bilbo in Berlin. The game starts on Tuesday, 24 November, at 08:00 UTC; the first letters
/// are sent.
fn opened(schedule: CharterSchedule) -> House {
    let folder = tempfile::tempdir().unwrap();
    start_as(folder.path(), false, |charter| {
        charter.schedule = Some(schedule);
        charter.seats[0].zone = Some("Pacific/Auckland".to_owned());
        charter.seats[1].zone = Some("Europe/Berlin".to_owned());
    });
    let house = House { office: office(folder.path()), folder, minutes: 10, letters: 0 };
    house.office.desk("g7").unwrap().report(house::at(1)).unwrap();
    house.send();
    house
}

/// One tick, in a desk opened for it, and its letters sent.
fn ticks(house: &House, at: &str) -> Ticked {
    let ticked = tick_alone(house, at).unwrap();
    house.send();
    ticked
}

fn tick_alone(house: &House, at: &str) -> Result<Ticked, PostError> {
    let mut sitting = house.office.sit();
    let outcomes = tick(&mut sitting, stamp(at)).unwrap();
    outcomes.into_iter().next().map_or(Ok(Ticked::default()), |(_, ticked)| ticked)
}

/// What the log says of the clock, an entry a line.
fn clock_entries(house: &House) -> Vec<String> {
    let log = house.log();
    let records = log.split("---\n").filter(|record| record.contains("type: \"clock\""));
    let value = |record: &str, key: &str| {
        let line = record.lines().find_map(|line| line.strip_prefix(&format!("{key}: ")).map(str::to_owned));
        line.map(|line| line.trim_matches('"').to_owned())
    };
    let keys = ["at", "seat", "what", "due", "misses", "then", "until", "from", "to", "whom"];
    records.map(|record| keys.iter().filter_map(|key| value(record, key)).collect::<Vec<_>>().join(" ")).collect()
}

#[track_caller]
fn verifies(house: &House) {
    let log = house.log();
    let wanted =
        Wanted { file: "log.yaml".to_owned(), titles, errors: Errors::All, seen: Vec::new(), progress: &mut |_| {} };
    let report = verify(log.as_bytes(), wanted).unwrap();
    assert!(report.is_ok(), "{report}");
}

/// A letter without the hashes in it, which say nothing to this test.
fn page(letter: &str) -> String {
    let text = body(letter);
    let is_hash = |word: &&str| word.len() >= 12 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let hashes: Vec<&str> = text.split_whitespace().filter(is_hash).collect();
    hashes.iter().fold(text.clone(), |text, hash| text.replace(hash, &"x".repeat(hash.len())))
}

fn to(ticked: &Ticked) -> Vec<&'static str> {
    ticked.letters.iter().map(|letter| if letter.contains(".green") { GREEN } else { BLACK }).collect()
}

#[test]
fn p9_every_letter_says_until_when_by_the_readers_own_clock() {
    let house = opened(schedule(&[(1, Silence::Default)]));
    assert!(house.asked().1.starts_with("black"), "{}", house.asked().1);
    let (asked, waiting) = (house.newest(BLACK), house.newest(GREEN));
    // Asked at nine in Berlin, and at nine in the evening in Auckland.
    assert!(field(&asked, "Subject").ends_with("your move – riddle (until Fri 27 Nov, 09:00)"), "{asked}");
    assert!(field(&waiting, "Subject").ends_with("waiting for black (until Fri 27 Nov, 21:00)"), "{waiting}");
    stands("clock-1-asked.txt", &page(&asked));
    stands("clock-2-waiting.txt", &page(&waiting));
}

#[test]
fn s5_who_is_late_is_reminded_each_time_once_and_nobody_else() {
    let mut house = opened(schedule(&[(1, Silence::Wait)]));
    assert_eq!(ticks(&house, "11-26T07:59"), Ticked { next: Some(stamp("11-26T08:00")), ..Ticked::default() });
    let first = ticks(&house, "11-26T08:00");
    assert_eq!((to(&first), &first.entries), (vec![BLACK], &vec![]));
    assert!(field(&house.newest(BLACK), "Subject").contains("reminder: your move"), "{}", house.newest(BLACK));
    assert_eq!(ticks(&house, "11-26T08:01").letters, [""; 0]);
    // Six hours before nine in the morning is three at night: the reminder waits until eight.
    assert_eq!(ticks(&house, "11-27T06:59").letters, [""; 0]);
    assert_eq!(to(&ticks(&house, "11-27T07:00")), [BLACK]);
    stands("clock-3-reminder.txt", &page(&house.newest(BLACK)));
    assert_eq!(ticks(&house, "11-27T07:30").letters, [""; 0]);
    // The time is over, but for the grace.
    assert_eq!(to(&ticks(&house, "11-27T08:00")), [BLACK]);
    stands("clock-4-late.txt", &page(&house.newest(BLACK)));
    // A reminder can be answered like any other letter, and who has answered is not reminded.
    house.minutes = 3 * 24 * 60 + 30;
    let letter = house.newest(BLACK);
    let raw = house.answer_to(&letter, BLACK, "pass\r\n");
    let received = house.office.receive(&raw, stamp("11-27T08:30")).unwrap();
    assert!(format!("{received:?}").contains("Done"), "{received:?}");
    house.send();
    assert_eq!(ticks(&house, "11-27T20:00").letters, [""; 0]);
    assert_eq!(house.asked().0, GREEN);
    assert_eq!(clock_entries(&house), [""; 0]);
    verifies(&house);
}

#[test]
fn what_happens_when_nobody_answers_is_what_the_charter_says() {
    let house = opened(schedule(&[(1, Silence::Wait), (2, Silence::Default), (3, Silence::Bot)]));
    // Fri 09:00, and twelve hours of grace.
    assert_eq!(ticks(&house, "11-27T19:59").entries, [0; 0]);
    let lapsed = ticks(&house, "11-27T20:00");
    assert_eq!((lapsed.entries.len(), to(&lapsed)), (1, vec![GREEN, BLACK]));
    let first = "2026-11-27T20:00:00Z host lapsed 2026-11-27T08:00:00Z 1 wait black";
    assert_eq!(clock_entries(&house), [first]);
    stands("clock-5-lapsed.txt", &page(&house.newest(GREEN)));
    // The time begins anew; it is over at nine in the evening, and the grace in the night: at eight.
    assert!(field(&house.newest(BLACK), "Subject").ends_with("(until Mon 30 Nov, 21:00)"));
    assert_eq!(ticks(&house, "12-01T06:59").entries, [0; 0]);
    let answered = ticks(&house, "12-01T10:00");
    assert_eq!(answered.entries.len(), 2, "{answered:?}");
    assert_eq!(house.said(), ["pass"]);
    assert!(house.log().contains("by: \"deadline\""));
    assert_eq!(house.asked().0, GREEN);
    // Green answers; black is late once more, and a program plays from then on.
    let mut house = house;
    let letter = house.newest(GREEN);
    let raw = house.answer_to(&letter, GREEN, "roll 1\r\n");
    house.office.receive(&raw, stamp("12-01T12:00")).unwrap();
    house.send();
    let played = ticks(&house, "12-08T12:00");
    assert!(clock_entries(&house)[2].ends_with("3 bot black"), "{:?}", clock_entries(&house));
    assert_eq!(house.asked().0, GREEN);
    assert!(house.log().contains("by: \"bot\"") && played.entries.len() >= 2);
    let told = body(&house.newest(BLACK));
    assert!(told.contains("A program plays Black until Bilbo is back"), "{told}");
    stands("clock-6-a-program-plays.txt", &page(&house.newest(BLACK)));
    // Whoever is back answers himself.
    let mut desk = house.office.desk("g7").unwrap();
    desk.table.back(Seat(2), None, stamp("12-08T13:00")).unwrap();
    assert_eq!((desk.table.fold().clock().bot(Seat(2)), desk.table.fold().clock().misses(Seat(2))), (None, 0));
    assert!(desk.table.back(Seat(2), None, stamp("12-08T13:00")).unwrap_err().to_string().contains("not away"));
    drop(desk);
    verifies(&house);
}
