//! The clock of a game: deadlines, reminders, grace, and what happens when nobody answers. No test waits: a day passes
//! because the test gives a later stamp.

#[path = "clock/outage.rs"]
mod outage;

use crate::house;
use crate::house::{BLACK, GREEN, House, body, fates, field, files};
use crate::pages::stands;
use crate::tiny_title::TITLES;
use engine::need::Need;
use engine::seat::Seat;
use ground::hash::Hash;
use ground::span::Span;
use ground::stamp::Stamp;
use mail::letter::bounce::Finality;
use post::book::fault::PostError;
use post::book::outbox::Shelf;
use post::book::{Event, Reception as Outcome};
use post::desk::tick::Ticked;
use post::office::Handled as Came;
use post::office::tick::tick;
use post::order::settings::Change;
use record::charter::schedule::{CharterSchedule, CharterSilence};
use record::entry::body::{Auth, Ballot, Correcting, Silence, Via};
use record::fold::clock::{Countdown, Stands};
use record::fold::council::Proposal;
use record::table::Table;
use record::table::agreement::HandedOver;
use record::verify::{Errors, Wanted, verify};

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
    let house = House::changed(|charter| {
        charter.schedule = Some(schedule);
        charter.seats[0].zone = Some("Pacific/Auckland".to_owned());
        charter.seats[1].zone = Some("Europe/Berlin".to_owned());
    });
    house.opens(house::at(1))
}

/// One tick at a desk opened for it; its letters are sent.
fn ticks(house: &House, at: &str) -> Ticked {
    let ticked = tick_alone(house, at).unwrap();
    house.send();
    ticked
}

fn tick_alone(house: &House, at: &str) -> Result<Ticked, PostError> {
    let mut sitting = house.office.sit();
    let outcomes = tick(&mut sitting, stamp(at)).unwrap();
    outcomes.into_iter().next().map_or(Ok(Ticked::default()), |(_, looked)| looked.map(|looked| looked.ticked))
}

/// The clock entries of the log, one a line.
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
    let wanted = Wanted {
        file: "log.yaml".to_owned(),
        titles: TITLES,
        errors: Errors::All,
        seen: Vec::new(),
        progress: &mut |_| {},
    };
    let report = verify(log.as_bytes(), wanted).unwrap();
    assert!(report.is_ok(), "{report}");
}

/// A letter without its hashes, which do not matter to this test.
fn page(letter: &str) -> String {
    let text = body(letter);
    let is_hash = |word: &&str| word.len() >= 12 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let hashes: Vec<&str> = text.split_whitespace().filter(is_hash).collect();
    hashes.iter().fold(text.clone(), |text, hash| text.replace(hash, &"x".repeat(hash.len())))
}

/// The fates of the lines of a letter that answers the newest one.
fn says(house: &mut House, player: &str, text: &str, at: &str) -> Vec<String> {
    let letter = house.newest(player);
    let raw = house.answer_to(&letter, player, text);
    let Came::Desk { received, .. } = house.office.receive(&raw, stamp(at)).unwrap() else { panic!("not at the desk") };
    house.send();
    fates(&received)
}

/// The readers of the letters that follow from one letter.
fn letters_of(house: &mut House, player: &str, text: &str, at: &str) -> Vec<&'static str> {
    let letter = house.newest(player);
    let raw = house.answer_to(&letter, player, text);
    let Came::Desk { received, .. } = house.office.receive(&raw, stamp(at)).unwrap() else { panic!("not at the desk") };
    house.send();
    assert_eq!(received.outcome, Outcome::Played, "{received:?}");
    received.letters.iter().map(|letter| if letter.contains(".green") { GREEN } else { BLACK }).collect()
}

fn due(table: &Table) -> Option<Stamp> {
    match table.fold().countdown() {
        Some(Countdown::Until { due, .. }) => Some(due),
        _ => None,
    }
}

fn to(ticked: &Ticked) -> Vec<&'static str> {
    ticked.letters.iter().map(|letter| if letter.contains(".green") { GREEN } else { BLACK }).collect()
}

#[test]
fn p9_every_letter_says_until_when_by_the_readers_own_clock() {
    let house = opened(schedule(&[(1, Silence::Default)]));
    assert!(house.asked().1.starts_with("black"), "{}", house.asked().1);
    let (asked, waiting) = (house.newest(BLACK), house.newest(GREEN));
    // The question was asked at nine in Berlin, which is nine in the evening in Auckland.
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
    // The deadline has passed; the grace has not.
    assert_eq!(to(&ticks(&house, "11-27T08:00")), [BLACK]);
    stands("clock-4-late.txt", &page(&house.newest(BLACK)));
    // A reminder can be answered like any other letter, and a player who has answered is not reminded.
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
    // Fri 09:00 and twelve hours of grace.
    assert_eq!(ticks(&house, "11-27T19:59").entries, [0; 0]);
    let lapsed = ticks(&house, "11-27T20:00");
    assert_eq!((lapsed.entries.len(), to(&lapsed)), (1, vec![GREEN, BLACK]));
    let first = "2026-11-27T20:00:00Z host lapsed 2026-11-27T08:00:00Z 1 wait black";
    assert_eq!(clock_entries(&house), [first]);
    stands("clock-5-lapsed.txt", &page(&house.newest(GREEN)));
    // The time to answer begins again; it ends at nine in the evening, and its grace in the night: so at eight.
    assert!(field(&house.newest(BLACK), "Subject").ends_with("(until Mon 30 Nov, 21:00)"));
    assert_eq!(ticks(&house, "12-01T06:59").entries, [0; 0]);
    let answered = ticks(&house, "12-01T10:00");
    assert_eq!(answered.entries.len(), 2, "{answered:?}");
    assert_eq!(house.said(), ["pass"]);
    assert!(house.log().contains("by: \"deadline\""));
    assert_eq!(house.asked().0, GREEN);
    // Green answers; black is late again, and from then on a program plays.
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
    // A player who is back answers himself.
    let mut desk = house.office.desk("g7").unwrap();
    desk.table.back(Seat(2), by_letter(), stamp("12-08T13:00")).unwrap();
    assert_eq!((desk.table.fold().clock().bot(Seat(2)), desk.table.fold().clock().misses(Seat(2))), (None, 0));
    assert!(desk.table.back(Seat(2), by_letter(), stamp("12-08T13:00")).unwrap_err().to_string().contains("not away"));
    drop(desk);
    verifies(&house);
}

#[test]
fn an_order_for_being_late_answers_when_the_time_is_over_and_before_the_stand_in() {
    let mut house = opened(schedule(&[(1, Silence::Default)]));
    let order = "when asked riddle if late: roll 2; else ask me";
    assert!(says(&mut house, BLACK, &format!("{order}\r\n"), "11-25T08:00")[0].starts_with("done"));
    assert_eq!(house.asked().0, BLACK);
    assert_eq!(ticks(&house, "11-27T19:59").entries, [0; 0]);
    // The deadline lapses, and the order answers.
    assert_eq!(ticks(&house, "11-27T20:00").entries.len(), 2);
    let log = house.log();
    let last = log.rsplit("---\n").next().unwrap();
    assert!(last.contains("by: \"standing\"") && last.contains("said: \"roll 2\""), "{last}");
    verifies(&house);
}

#[test]
fn who_is_asked_takes_more_time_by_himself_as_often_as_the_charter_lets_him() {
    let mut house = opened(schedule(&[(1, Silence::Default)]));
    assert_eq!(
        says(&mut house, GREEN, "extend 1d\r\n", "11-25T08:00"),
        ["refused only who is asked can take more time"]
    );
    assert_eq!(
        says(&mut house, BLACK, "extend 3d\r\n", "11-25T08:00"),
        ["refused at most 2 days can be taken at once"]
    );
    assert_eq!(says(&mut house, BLACK, "Extend by 2 days\r\n", "11-25T08:01"), ["done extend 2d #4"]);
    let letter = house.newest(BLACK);
    assert!(field(&letter, "Subject").ends_with("(until Sun 29 Nov, 09:00)"), "{letter}");
    assert_eq!(
        says(&mut house, BLACK, "extend 1d\r\n", "11-25T08:02"),
        ["refused the seat has taken more time once, which is all that is its own; the table must agree"]
    );
    // The reminders follow the new deadline.
    assert_eq!(ticks(&house, "11-27T07:30").letters, [""; 0]);
    assert_eq!(to(&ticks(&house, "11-28T08:00")), [BLACK]);
    // The host can give more time, not less.
    let mut desk = house.office.desk("g7").unwrap();
    let earlier = desk.table.move_deadline(stamp("11-28T10:00"), "in a hurry", stamp("11-28T09:00")).unwrap_err();
    assert!(earlier.to_string().contains("would not verify"), "{earlier}");
    desk.table.move_deadline(stamp("12-05T20:30"), "a wedding", stamp("11-28T09:00")).unwrap();
    desk.report(stamp("11-28T09:00")).unwrap();
    assert_eq!(due(&desk.table), Some(stamp("12-05T20:30")));
    drop(desk);
    let letter = house.newest(GREEN);
    assert!(body(&letter).contains("The time to answer was moved to Sun 6 Dec, 09:30: a wedding."), "{letter}");
    // The deadline stays as agreed, at any hour; the grace ends in daytime.
    assert_eq!(ticks(&house, "12-06T08:29").entries, [0; 0]);
    assert_eq!(ticks(&house, "12-06T08:30").entries.len(), 2);
    verifies(&house);
}

#[test]
fn days_of_absence_do_not_count_and_end_when_the_player_is_back() {
    let mut house = opened(schedule(&[(1, Silence::Default)]));
    for (line, expected) in [
        ("absence 2026-11-20 to 2026-11-23", "refused today is 2026-11-25, and 2026-11-23 is over"),
        ("absence 2026-12-24 to 2026-12-20", "refused an absence from 2026-12-24 cannot be over on 2026-12-20"),
        (
            "absence 2026-12-01 to 2027-12-01",
            "refused an absence has at most 92 days, not 366; longer, and the table must agree",
        ),
        ("back", "refused the seat is not away, and no program plays it"),
        ("zone Bree", "refused no time zone `bree` is known; one is written Europe/Berlin or America/New_York"),
    ] {
        assert_eq!(says(&mut house, BLACK, &format!("{line}\r\n"), "11-25T08:00"), [expected]);
    }
    let head = house.log().matches("type: ").count();
    let absent = says(&mut house, BLACK, "absence 2026-11-26 to 2026-12-02\r\n", "11-25T08:00");
    assert_eq!(absent, [format!("done absence 2026-11-26 to 2026-12-02 #{head}")]);
    // Two of the three days were left, without the hours of Wednesday.
    let letter = house.newest(BLACK);
    assert!(field(&letter, "Subject").ends_with("(until Fri 4 Dec, 09:00)"), "{letter}");
    assert_eq!(ticks(&house, "11-30T08:00").letters, [""; 0]);
    // He is back on Monday, at nine: from then on every day counts.
    says(&mut house, BLACK, "back\r\n", "11-30T08:00");
    assert_eq!(due(&house.office.desk("g7").unwrap().table), Some(stamp("12-01T08:00")));
    says(&mut house, BLACK, "zone america/new_york\r\n", "11-30T09:00");
    assert_eq!(due(&house.office.desk("g7").unwrap().table), Some(stamp("12-01T08:00")), "from the next question on");
    let entries = clock_entries(&house);
    assert_eq!(entries[0], "2026-11-25T08:00:00Z black absent 2026-11-26 2026-12-02");
    let log = house.log();
    assert!(log.contains("zone: \"America/New_York\""), "{log}");
    verifies(&house);
}

#[test]
fn time_stands_in_a_pause_and_for_players_whom_no_letter_reaches() {
    let house = opened(schedule(&[(1, Silence::Default)]));
    let mut desk = house.office.desk("g7").unwrap();
    let table = &mut desk.table;
    let agree = |what, table: &mut Table, at: &str| {
        house::agree(table, &Proposal::new(what, "a holiday"), stamp(at));
    };
    // One day has passed, and two are left.
    agree(Correcting::Pause, table, "11-25T08:00");
    assert_eq!(table.fold().countdown(), Some(Countdown::Stands(Stands::Paused)));
    assert!(
        table.extend(Seat(2), Span::days(1), None, stamp("11-25T08:00")).unwrap_err().to_string().contains("paused")
    );
    agree(Correcting::Resume, table, "12-10T10:00");
    assert_eq!(due(table), Some(stamp("12-12T10:00")));
    table.unreachable(Seat(1), "", stamp("12-10T11:00")).unwrap();
    assert_eq!(due(table), Some(stamp("12-12T10:00")), "another's mailbox does not stop it");
    let first = table.unreachable(Seat(2), "", stamp("12-11T10:00")).unwrap();
    assert!(first.is_some() && table.unreachable(Seat(2), "", stamp("12-11T10:00")).unwrap().is_none());
    assert_eq!(table.fold().countdown(), Some(Countdown::Stands(Stands::Unreachable)));
    table.reachable(Seat(2), stamp("12-20T10:00")).unwrap();
    assert_eq!(due(table), Some(stamp("12-21T10:00")));
    drop(desk);
    verifies(&house);
}

#[test]
fn s5_letters_wait_as_their_readers_want_them() {
    let mut house = opened(schedule(&[(1, Silence::Default)]));
    // It is Tuesday; the digest for Auckland is due at seven in the evening, which is six in the morning here.
    assert_eq!(says(&mut house, GREEN, "digest daily 19:00\r\n", "11-24T08:30"), ["done letters digest daily 19:00 -"]);
    assert_eq!(says(&mut house, BLACK, "night 20:00-07:00\r\n", "11-24T08:31"), ["done letters night 20:00-07:00 -"]);
    assert_eq!(says(&mut house, BLACK, "night always\r\n", "11-24T08:32").len(), 1);
    // Black's answer asks green: that letter goes at once. Green's answer asks black, at night.
    let letters = letters_of(&mut house, BLACK, "pass\r\n", "11-24T09:00");
    assert_eq!(letters, [BLACK, GREEN]);
    let letters = letters_of(&mut house, GREEN, "pass\r\n", "11-24T20:00");
    assert_eq!(letters, [GREEN]);
    assert_eq!(ticks(&house, "11-24T20:00").next, Some(stamp("11-25T06:00")));
    let ticked = ticks(&house, "11-25T06:00");
    assert_eq!(to(&ticked), [BLACK]);
    assert_eq!(field(&house.newest(BLACK), "Date"), "Wed, 25 Nov 2026 06:00:00 +0000");
    // Black dares: green is asked and answers; its digest of the rest waits for the evening.
    letters_of(&mut house, BLACK, "dare\r\n", "11-25T08:00");
    letters_of(&mut house, GREEN, "no\r\n", "11-25T09:00");
    assert_eq!(house.asked().0, GREEN);
    verifies(&house);
    let mut desk = house.office.desk("g7").unwrap();
    for change in ["digest off", "quiet"] {
        desk.change_settings("green", Change::read(change).unwrap(), stamp("11-25T09:00")).unwrap();
    }
    assert_eq!(
        (desk.settings("green").to_string(), desk.settings("black").to_string()),
        ("quiet".into(), "night 20:00-07:00".into())
    );
}

#[test]
fn a_free_seat_waits_for_its_next_player_without_hurry() {
    let house = opened(schedule(&[(1, Silence::Replacement)]));
    let lapsed = ticks(&house, "12-01T10:00");
    assert_eq!((lapsed.entries.len(), to(&lapsed), lapsed.next), (1, vec![GREEN, BLACK], None));
    let (his, others) = (house::body(&house.newest(BLACK)), house::body(&house.newest(GREEN)));
    assert!(his.contains("No time passes: your seat is free for another player. Until somebody\ntakes it"), "{his}");
    assert!(others.contains("No time passes: the seat is free for another player."), "{others}");
    assert_eq!(ticks(&house, "12-20T10:00"), Ticked::default());
    let mut desk = house.office.desk("g7").unwrap();
    assert_eq!(desk.table.fold().council().free().collect::<Vec<_>>(), [Seat(2)]);
    let handed = HandedOver { seat: Seat(2), player: "Frodo".into(), text: "a new player".into() };
    desk.table.hand_over(&handed, stamp("12-21T08:00")).unwrap();
    assert_eq!(desk.table.fold().clock().misses(Seat(2)), 0);
    assert_eq!(due(&desk.table), Some(stamp("12-24T08:00")), "his time begins");
    drop(desk);
    verifies(&house);
}

/// Only a person can find another player: the host is told once, even if nobody serves for a while afterwards.
#[test]
fn the_host_is_told_of_a_free_seat() {
    let house = opened(schedule(&[(1, Silence::Replacement)]));
    let moments: Vec<String> =
        (24..29).flat_map(|day| (0..24).map(move |hour| format!("11-{day}T{hour:02}:30"))).collect();
    let moments: Vec<&str> = moments.iter().map(String::as_str).skip(8).collect();
    assert_eq!(outage::serves(&house, &moments), ["g7: black is free for another player"]);
    assert_eq!(outage::serves(&house, &["11-29T08:00"]), Vec::<String>::new());
    let counter = house.office.counter().unwrap();
    let waiting = counter.outbox.waiting().unwrap();
    let letter = String::from_utf8(counter.outbox.read(Shelf::Outbox, &waiting[0]).unwrap()).unwrap();
    assert!(body(&letter).contains("\nringmail invite g7 --seat black \"NAME <ADDRESS>\"\n"), "{letter}");
}

#[test]
fn who_forfeits_has_lost() {
    let house = opened(schedule(&[(1, Silence::Wait), (2, Silence::Forfeit)]));
    ticks(&house, "11-28T10:00");
    let end = ticks(&house, "12-05T10:00");
    // The lapse, the forfeit, the published secrets, and the end.
    assert_eq!(end.entries.len(), 4);
    let letter = house.newest(GREEN);
    assert!(field(&letter, "Subject").ends_with("the game is over – green wins"), "{letter}");
    assert_eq!(ticks(&house, "12-06T10:00"), Ticked::default());
    verifies(&house);
}

#[test]
fn a_game_without_a_schedule_is_in_no_hurry() {
    let house = House::opened();
    let before = files(house.folder.path());
    assert_eq!(ticks(&house, "11-30T08:00"), Ticked::default());
    let desk = house.office.desk("g7").unwrap();
    assert_eq!(desk.table.fold().countdown(), None);
    drop(desk);
    let is_note = |path: &std::path::Path| path.ends_with("next-tick");
    let after = files(house.folder.path());
    assert!(after.iter().filter(|(path, _)| !is_note(path)).eq(before.iter()));
}

#[test]
fn the_table_moves_a_deadline_by_a_motion_that_dies_with_its_question() {
    let house = opened(schedule(&[(1, Silence::Default)]));
    let mut desk = house.office.desk("g7").unwrap();
    let table = &mut desk.table;
    let until = |words: &str, table: &Table, at: &str| table.later_deadline(Seat(2), words, stamp(at));
    // This much more time, never ending at a quiet hour; or the end of a day by the clock of the seat that asks.
    assert_eq!(until("2d", table, "11-25T08:00"), Ok(stamp("11-29T08:00")));
    assert_eq!(until("2026-12-01", table, "11-25T08:00"), Ok(stamp("12-01T23:00")));
    assert!(until("2026-11-20", table, "11-25T08:00").is_err_and(|refused| refused.to_string().contains("after")));
    assert!(until("soon", table, "11-25T08:00").is_err_and(|refused| refused.to_string().contains("neither")));
    let moves = |until: &str, table: &mut Table, at: &str| {
        let (what, text) = (Correcting::Deadline, "a wedding".to_owned());
        let proposal = Proposal { what, to: None, of: None, key: None, rules: None, until: Some(stamp(until)), text };
        table.propose(Seat(2), &proposal, by_letter(), stamp(at)).map(|heads| heads[0].seq)
    };
    let motion = moves("12-01T23:00", table, "11-25T08:00").unwrap();
    assert_eq!(due(table), Some(stamp("11-27T08:00")), "nothing is moved before all agree");
    assert_eq!(table.vote(Seat(1), motion, Ballot::Yes, by_letter(), stamp("11-25T09:00")).unwrap().len(), 2);
    assert_eq!(due(table), Some(stamp("12-01T23:00")));
    assert!(moves("11-20T08:00", table, "11-25T10:00").is_err());
    // A deadline moved for one question does not apply to the next.
    let motion = moves("12-20T08:00", table, "11-25T10:00").unwrap();
    let via = Via::letter(Hash::ZERO, table.fold().head().seq, Auth::Token);
    table.say(Seat(2), "pass", Some(via), stamp("11-25T11:00")).unwrap();
    assert!(table.vote(Seat(1), motion, Ballot::Yes, by_letter(), stamp("11-25T12:00")).is_err());
    assert_eq!(table.fold().council().motions(), []);
    desk.report(stamp("11-25T12:00")).unwrap();
    drop(desk);
    let letter = body(&house.newest(GREEN)).replace("\n      ", " ");
    assert!(
        letter.contains("Black (Bilbo) moves to give time to answer until Tue 1 Dec, 23:00 UTC: a wedding."),
        "{letter}"
    );
    assert!(letter.contains("The time to answer was moved to Wed 2 Dec, 12:00: a wedding."), "{letter}");
    verifies(&house);
}

#[test]
fn a_program_plays_on_for_whoever_gave_up_among_three() {
    let house = House::changed(|charter| {
        charter.schedule = Some(schedule(&[(1, Silence::Wait)]));
        charter.seats.push(house::charter::player("Frodo"));
    });
    let mut desk = house.office.desk("g7").unwrap();
    let gone = desk.table.fold().clock().open().unwrap().seat;
    desk.table.concede(gone, None, by_letter(), stamp("11-24T09:00")).unwrap();
    desk.report(stamp("11-24T09:00")).unwrap();
    let next = desk.table.fold().clock().open().unwrap().seat;
    assert!(next != gone && house.log().contains("by: \"bot\""), "{next:?}");
    drop(desk);
    verifies(&house);
}

#[test]
fn l4_the_clock_stands_for_whom_letters_do_not_reach_until_he_writes() {
    let mut house = opened(schedule(&[(1, Silence::Default)]));
    let mut desk = house.office.desk("g7").unwrap();
    for at in ["2026-11-25T09:00:00Z", "2026-11-26T09:00:00Z"] {
        let (at, seat, to) = (at.to_owned(), "black".to_owned(), BLACK.to_owned());
        let (verdict, said) = (Finality::Never, format!("550 5.1.1 <{BLACK}>: no such user"));
        desk.book.append(Event::Bounced { at, seat, to, letter: None, verdict, said }).unwrap();
    }
    drop(desk);
    assert_eq!(ticks(&house, "11-26T10:00").entries.len(), 1);
    assert_eq!(ticks(&house, "12-20T10:00").entries, [0; 0], "nothing is missed by whom nothing reaches");
    let told = body(&house.newest(GREEN)).replace("\n      ", " ");
    assert!(told.contains("No letter reaches Black (Bilbo) (they come back). No time passes"), "{told}");
    assert!(told.contains("No time passes: no letter reaches Black."), "{told}");
    assert!(!house.log().contains(BLACK), "the log holds no address");
    // He writes from the same address after all: his remaining time begins to run.
    says(&mut house, BLACK, "status\r\n", "12-21T08:00");
    assert_eq!(ticks(&house, "12-21T08:00").entries.len(), 1);
    assert_eq!(due(&house.office.desk("g7").unwrap().table), Some(stamp("12-22T07:00")));
    verifies(&house);
}

#[test]
fn a_game_that_is_over_is_closed_without_its_host_and_the_last_letters_say_what_it_proves() {
    let mut house = House::opened();
    for _ in 0..5 {
        house.says(house.asked().0, "roll 1\r\n");
    }
    let (last, other) = (house.asked().0, house.other());
    let received = house.says(last, "roll 1\r\n");
    assert_eq!(received.letters.len(), 2, "one letter to each: {received:?}");
    for player in [last, other] {
        let letter = house.newest(player);
        assert!(field(&letter, "Subject").contains("the game is over"), "{letter}");
        let text = body(&letter).split_whitespace().collect::<Vec<&str>>().join(" ");
        for told in [
            "The secrets are published, and the log is closed. Checked from its first record to its last, it verifies:",
            "Answers, by how well it is known who wrote them: 6 token.",
            "To check it yourself, without the host: cat g7-*.yaml | ringmail verify -",
        ] {
            assert!(text.contains(told), "{told}: {text}");
        }
        let parsed = mail_parser::MessageParser::default().parse(letter.as_bytes()).unwrap();
        let mut parts = parsed.parts.iter().map(|part| String::from_utf8_lossy(part.contents()));
        assert!(parts.any(|part| part.contains("type: \"end\"")), "the records of the end are in it");
    }
    verifies(&house);
    house.send();
    assert_eq!(ticks(&house, "12-24T08:00"), Ticked::default(), "nothing is left to do");
}

#[test]
fn a_crash_between_the_secrets_and_the_end_is_made_good_by_the_next_tick() {
    let mut house = House::opened();
    for _ in 0..5 {
        house.says(house.asked().0, "roll 1\r\n");
    }
    let path = house.path();
    {
        // The letter that ends the game was played, and then the power failed.
        let mut table = Table::open(&path, TITLES).unwrap();
        let Need::Question(question) = table.fold().need() else { panic!("somebody is asked") };
        let via = Via::letter(Hash::ZERO, table.fold().head().seq, Auth::Token);
        table.say(question.seat, "roll 1", Some(via), house::at(30)).unwrap();
        table.reveal(house::at(30)).unwrap();
    }
    let ticked = ticks(&house, "11-24T09:00");
    assert_eq!(ticked.letters.len(), 2);
    assert!(house.log().contains("type: \"end\""));
    verifies(&house);
}

/// A letter with a confirmed line.
fn by_letter() -> Option<Via> {
    Some(Via::letter(Hash::ZERO, 0, Auth::Confirmed))
}
