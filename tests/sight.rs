//! What the letter of an answer must have seen (log 4.9): the host cannot claim that a player wrote before he was
//! asked.

use crate::house::{House, rehashed};
use crate::tiny_title::TITLES;
use record::problem::exit;
use record::verify::report::Report;
use record::verify::{Errors, Wanted, verify};

fn check(log: &str) -> Report {
    let (file, errors) = ("log.yaml".to_owned(), Errors::First);
    verify(log.as_bytes(), Wanted { file, titles: TITLES, errors, seen: Vec::new(), progress: &mut |_| {} }).unwrap()
}

/// The answers in a log that came by letter: the record, the letter, and what the letter had seen.
fn answers(log: &str) -> Vec<(u64, String, u64)> {
    let value = |record: &str, key: &str| {
        let line = record.lines().find_map(|line| line.trim().strip_prefix(&format!("{key}: ")));
        line.map(|value| value.trim_matches('"').to_owned())
    };
    let read = |record: &str| {
        let number = |key: &str| value(record, key)?.parse().ok();
        Some((number("seq")?, value(record, "raw")?, number("seen")?))
    };
    log.split_inclusive("\n...\n").filter(|record| record.contains("\ntype: \"say\"\n")).filter_map(read).collect()
}

/// A log in which one record claims to have seen another record than it did, hashed anew.
fn seen_instead(log: &str, seq: u64, seen: u64) -> String {
    let change = |record: &str| {
        if !record.starts_with(&format!("---\nseq: {seq}\n")) {
            record.to_owned()
        } else {
            let line = record.lines().find(|line| line.trim().starts_with("seen: ")).unwrap();
            record.replacen(line, &format!("  seen: {seen}"), 1)
        }
    };
    rehashed(&log.split_inclusive("\n...\n").map(change).collect::<String>())
}

#[test]
fn an_answer_has_seen_the_question_and_not_itself() {
    let mut house = House::opened();
    for _ in 0..4 {
        let player = house.asked().0;
        let answer = if house.asked().1.ends_with("(answer)") { "yes" } else { "roll 2" };
        house.says(player, &format!("{answer}\r\n"));
        house.send();
    }
    // A letter with several sentences, at least one of them an answer.
    let player = house.asked().0;
    house.says(player, "roll 1\r\nroll 1\r\nyes\r\nroll 1\r\n");
    let log = house.log();
    assert!(check(&log).is_ok(), "{}", check(&log));
    let answers = answers(&log);
    assert!(answers.len() >= 5, "{log}");
    for (index, (seq, raw, seen)) in answers.iter().enumerate() {
        let refused = |other: u64, told: &str| {
            let report = check(&seen_instead(&log, *seq, other));
            assert_eq!(report.exit_code(), exit::MALFORMED, "{seq} with {other}: {report}");
            assert_eq!(report.findings[0].seq, Some(*seq), "{report}");
            assert!(report.to_text().contains(told), "{report}");
        };
        if answers[..index].iter().any(|(_, before, _)| before == raw) {
            refused(seen - 1, "as before in this letter, or a later record")
        } else {
            refused(seen - 1, "after which the question was asked")
        }
        refused(*seq, "the number of an earlier record");
        refused(seq + 1, "the number of an earlier record");
    }
}
