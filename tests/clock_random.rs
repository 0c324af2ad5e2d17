//! Whatever is done about the time of a question, in any zone, every reader of the log accepts the deadline that
//! follows.

use crate::house;
use crate::house::{secrets, start_as};
use crate::tiny_title::TITLES;
use engine::chance::{Chance, Practice};
use engine::need::Need;
use engine::seat::Seat;
use ground::hash::Hash;
use ground::span::Span;
use ground::stamp::Stamp;
use record::charter::schedule::{CharterSchedule, CharterSilence};
use record::entry::body::{Auth, By, Correcting, Silence, Via, Weekday};
use record::fold::clock::Countdown;
use record::fold::council::Proposal;
use record::table::Table;
use record::verify::{Errors, Wanted, verify};
use std::fs;

const ZONES: [&str; 8] = [
    "Europe/Berlin",
    "America/New_York",
    "Pacific/Auckland",
    "Pacific/Apia",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
    "America/St_Johns",
    "UTC",
];

fn schedule(chance: &mut Practice) -> CharterSchedule {
    let mut one_of = |of: &[&str]| of[chance.below(of.len() as u32) as usize].to_owned();
    let (answer, grace) = (one_of(&["1h", "12h", "2d", "5d"]), one_of(&["0h", "6h", "1d"]));
    let quiet = Some(one_of(&["22:00-08:00", "00:00-06:00", "09:00-17:30"])).filter(|_| chance.below(3) > 0);
    CharterSchedule {
        answer,
        grace: Some(grace),
        quiet,
        days_off: if chance.below(2) == 0 { vec![Weekday::Saturday, Weekday::Sunday] } else { Vec::new() },
        holidays: vec!["2026-12-24..2026-12-27".to_owned(), "2027-04-02".to_owned()],
        silence: vec![
            CharterSilence { misses: 1, then: Silence::Wait },
            CharterSilence { misses: 3, then: Silence::Default },
        ],
        extensions: Some(50),
        ..CharterSchedule::default()
    }
}

/// Does one thing at this moment; a refusal changes nothing.
fn does(table: &mut Table, chance: &mut Practice, now: Stamp) {
    let seat = Seat(1 + u8::try_from(chance.below(2)).unwrap());
    let agree = |table: &mut Table, what| house::agree(table, &Proposal::new(what, "agreed"), now);
    let by_letter = || Some(Via::letter(Hash::ZERO, 0, Auth::Token));
    match chance.below(12) {
        0 => drop(table.extend(seat, Span::hours(i64::from(1 + chance.below(60))), by_letter(), now)),
        1 => {
            let first = table.fold().zone(seat).today(now);
            let last = first.checked_add(jiff::Span::new().days(chance.below(12))).unwrap();
            drop(table.absent(seat, &first.to_string(), &last.to_string(), by_letter(), now));
        }
        2 => drop(table.back(seat, by_letter(), now)),
        3 => drop(table.set_zone(seat, ZONES[chance.below(8) as usize], by_letter(), now)),
        4 => drop(table.unreachable(seat, "", now).unwrap()),
        5 => drop(table.reachable(seat, now).unwrap()),
        6 if table.fold().paused().is_none() => agree(table, Correcting::Pause),
        6 | 7 if table.fold().paused().is_some() => agree(table, Correcting::Resume),
        8 => drop(table.move_deadline(now.later(Span::hours(40)), "agreed", now)),
        9 => {
            if let Need::Question(question) = table.fold().need() {
                let via = Via::letter(Hash::ZERO, table.fold().head().seq, Auth::Token);
                table.say(question.seat, "pass", Some(via), now).unwrap();
            }
        }
        _ => {}
    }
}

#[test]
fn every_deadline_is_one_that_every_reader_accepts() {
    let mut lapses = 0;
    for seed in 0..40 {
        let mut chance = Practice::new(seed);
        let folder = tempfile::tempdir().unwrap();
        start_as(folder.path(), |charter| {
            charter.schedule = Some(schedule(&mut chance));
            charter.options[0].value = "60".to_owned();
            charter.seats[0].zone = Some(ZONES[chance.below(8) as usize].to_owned());
        });
        let game = folder.path().join("g7");
        let mut table = Table::open(&game, TITLES).unwrap();
        assert_eq!(table.secrets().game, secrets::usual().game);
        let mut now = table.fold().at();
        for _ in 0..60 {
            now = now.later(Span::hours(i64::from(chance.below(20))));
            does(&mut table, &mut chance, now);
            if let Some(Countdown::Until { due, closing }) = table.fold().countdown() {
                assert!(due <= closing, "{seed}: {due} {closing}");
                if chance.below(3) == 0 {
                    now = now.max(closing);
                    table.lapse(due, now).unwrap_or_else(|error| panic!("{seed}: {error}"));
                    lapses += 1;
                }
            }
            if table.fold().clock().open().is_some_and(|open| open.lapsed() == Some(Silence::Default)) {
                let Need::Question(question) = table.fold().need() else { panic!("a question is open") };
                table.answer_for(question.seat, By::Deadline, now).unwrap();
            }
        }
        let log = fs::read(game.join("log.yaml")).unwrap();
        let wanted = Wanted {
            file: "log.yaml".to_owned(),
            titles: TITLES,
            errors: Errors::All,
            seen: Vec::new(),
            progress: &mut |_| {},
        };
        let report = verify(&log[..], wanted).unwrap();
        assert!(report.is_ok(), "{seed}: {report}");
        // Opened again, the clock shows the same.
        let countdown = table.fold().countdown();
        drop(table);
        assert_eq!(Table::open(&game, TITLES).unwrap().fold().countdown(), countdown);
    }
    assert!(lapses > 100, "{lapses}");
}

#[test]
fn a_deadline_before_its_time_is_no_record() {
    let folder = tempfile::tempdir().unwrap();
    start_as(folder.path(), |charter| {
        let answer = "3d".to_owned();
        charter.schedule =
            Some(CharterSchedule { answer, grace: Some("12h".to_owned()), ..CharterSchedule::default() });
    });
    let mut table = Table::open(&folder.path().join("g7"), TITLES).unwrap();
    let start = table.fold().at();
    let at = |hours| start.later(Span::hours(hours));
    for (due, now) in [(at(60), at(100)), (at(72), at(75)), (at(100), at(99))] {
        let error = table.lapse(due, now).unwrap_err().to_string();
        assert!(error.contains("would not verify"), "{error}");
    }
    // Nobody answers for a seat whose time has not passed, and no program answers for a seat that it does not play.
    for by in [By::Deadline, By::Bot] {
        let via = Via::by(by);
        let Need::Question(question) = table.fold().need() else { panic!("a question is open") };
        let error = table.say(question.seat, "pass", Some(via), at(1)).unwrap_err().to_string();
        assert!(error.contains("would not verify"), "{error}");
    }
    table.lapse(at(72), at(84)).unwrap();
}
