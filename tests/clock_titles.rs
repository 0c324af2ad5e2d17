//! Answers for seats that are late, and by programs that stand in: in both titles, for every question.

use crate::house::{secrets, table};
use crate::record_game::charter_of;
use engine::need::Need;
use ground::span::Span;
use ground::stamp::Stamp;
use record::charter::schedule::{CharterSchedule, CharterSilence};
use record::entry::body::{By, Silence};
use record::table::Table;
use record::verify::{Errors, Wanted, verify};
use ringmail::titles;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A started game; a seat that does not answer within an hour is answered for.
fn started(folder: &Path, title: &str, players: usize, at: Stamp) -> Table {
    let mut charter = charter_of(title, players, &[]);
    charter.schedule = Some(CharterSchedule {
        answer: "1h".to_owned(),
        silence: vec![CharterSilence { misses: 1, then: Silence::Default }],
        ..CharterSchedule::default()
    });
    charter.seats.iter_mut().for_each(|seat| seat.host = false);
    table::started(folder, &charter, secrets::of_seed(8), at, table::nothing)
}

/// Nobody ever answers: counts how often each question was answered, and with which first word.
fn silence(title: &str, players: usize, questions: usize) -> BTreeMap<(&'static str, String), u32> {
    let folder = tempfile::tempdir().unwrap();
    let mut at = Stamp::parse("2026-11-24T08:00:00Z").unwrap();
    let mut table = started(folder.path(), title, players, at);
    let mut answers = BTreeMap::new();
    for _ in 0..questions {
        let Need::Question(question) = table.fold().need() else { break };
        at = at.later(Span::hours(2));
        let due = table.fold().clock().open().unwrap().at.later(Span::hours(1));
        table.lapse(due, at).unwrap();
        table.answer_for(question.seat, By::Deadline, at).unwrap();
        let log = fs::read_to_string(folder.path().join("log.yaml")).unwrap();
        let said = log.lines().rev().find_map(|line| line.strip_prefix("said: \"")).unwrap();
        let first = said.split([' ', '"']).next().unwrap().to_owned();
        *answers.entry((question.id, first)).or_insert(0) += 1;
    }
    let log = fs::read(folder.path().join("log.yaml")).unwrap();
    let wanted = Wanted {
        file: "log.yaml".to_owned(),
        titles: titles::ALL,
        errors: Errors::All,
        seen: Vec::new(),
        progress: &mut |_| {},
    };
    let report = verify(&log[..], wanted).unwrap();
    assert!(report.is_ok(), "{report}");
    let tally = report.table.unwrap().tally;
    assert_eq!((tally.by_deadline, tally.lapses), (tally.answers, tally.answers));
    answers
}

#[test]
fn a_game_of_risk_goes_on_when_nobody_answers() {
    let answers = silence("risk", 3, 150);
    // Everything that can be declined is declined; everything that must be chosen is chosen.
    assert!(answers.keys().any(|(_, said)| said == "done"), "{answers:?}");
    assert!(answers.keys().all(|(_, said)| said != "attack" && said != "invade"), "{answers:?}");
}

#[test]
fn a_game_of_war_of_the_ring_goes_on_when_nobody_answers() {
    let answers = silence("wotr", 2, 120);
    assert!(answers.keys().any(|(question, said)| *question == "fellowship" && said == "done"), "{answers:?}");
    assert!(answers.len() >= 3, "{answers:?}");
}

#[test]
fn a_program_plays_for_a_seat_in_both_titles() {
    for (title, players) in [("risk", 2), ("wotr", 2)] {
        let folder = tempfile::tempdir().unwrap();
        let at = Stamp::parse("2026-11-24T08:00:00Z").unwrap();
        let mut table = started(folder.path(), title, players, at);
        // A program may answer only for a seat whose deadline has passed; a refusal writes nothing.
        let Need::Question(question) = table.fold().need() else { panic!("a question is asked") };
        let head = table.fold().head();
        assert!(table.answer_for(question.seat, By::Bot, at).is_err());
        assert!(table.answer_for(question.seat, By::Deadline, at).is_err());
        assert_eq!(table.fold().head(), head);
    }
}
