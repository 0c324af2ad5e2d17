//! Receipts that stop when the dice are known: rightly, or because the host does not like them (log 7.14).

use super::*;
use record::verify::verify;

/// Publishes the secrets and ends the game; the log is then checked like a file, which can be read twice.
pub(super) fn ended(play: &mut Play) -> String {
    play.table.reveal(at(play.seconds)).unwrap();
    play.table.end("left", at(play.seconds)).unwrap();
    play.log()
}

pub(super) fn twice(log: &str) -> Report {
    let (file, errors) = ("log.yaml".to_owned(), Errors::All);
    verify(log.as_bytes(), Wanted { file, titles: TITLES, errors, seen: Vec::new(), progress: &mut |_| () }).unwrap()
}

#[track_caller]
pub(super) fn says(log: &str, expected: &[&str], absent: &[&str]) {
    let report = twice(log);
    let text = report.to_text();
    assert!(report.is_ok(), "{text}");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(expected.iter().all(|words| text.contains(words)), "{text}");
    assert!(!absent.iter().any(|words| text.contains(words)), "{text}");
}

#[track_caller]
pub(super) fn fails(log: &str, id: &str, why: &str) {
    let report = twice(log);
    let found: Vec<String> = report.findings.iter().map(|finding| finding.problem.to_string()).collect();
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(report.findings[0].problem.rule().id() == id && found[0].contains(why), "{found:#?}");
}

/// A letter of five sentences; the host stops at the first, because he knows what the dice would be.
fn falsely_stopped(is_cut: bool) -> Play {
    let mut play = Play::started();
    let (seat, seen) = (play.asked().unwrap(), play.table.fold().head().seq);
    let mut lines = lines(&["roll 3", "pass", "roll 2", "roll 2", "pass"]);
    lines[0].is_cut = is_cut;
    let now = at(play.seconds);
    play.table.fix_lines(seat, lines, Some(letter("five", seen)), now).unwrap();
    play.round();
    play.table.stop_receipt("line 1: not understood", at(play.seconds)).unwrap();
    play.writes("again", &["roll 3"]);
    play.plays();
    play
}

#[test]
fn a_line_that_was_refused_falsely_is_found_when_the_secrets_are_published() {
    let mut play = falsely_stopped(false);
    let on_word = "For all of them it is the host's word that the line could not be played";
    says(&play.log(), &["1 receipt was stopped at a line", on_word], &["the rules refuse it"]);
    let log = ended(&mut play);
    assert!(log.contains("lines:\n  - receipt: 6\n    line: 1\n    text: \"roll 3\"\n"), "{log}");
    fails(&log, "stop.false", "the receipt of record 6 was stopped at its line 1, and the rules allow that line");
    // With a stream this cannot be seen, and the report says so.
    assert!(checked(&log, None).to_text().contains("only if the log is read twice"));
}

#[test]
fn what_the_rules_refuse_is_proved() {
    let mut play = Play::started();
    play.writes("typo", &["rol a few dice", "pass"]);
    play.plays();
    says(
        &ended(&mut play),
        &["For all of them the log has published the line, and the rules refuse it."],
        &["host's word that"],
    );
}

/// If a mail program may have cut the line, the rules cannot tell whether it had to be refused.
#[test]
fn a_line_that_may_have_been_cut_stays_the_hosts_word() {
    let log = ended(&mut falsely_stopped(true));
    assert!(log.contains("\ncut: [1]\nround: "), "{log}");
    says(&log, &["For all of them it is the host's word that the line could not be played"], &["the rules refuse it"]);
}

/// The host shows another text, or none.
#[test]
fn the_text_that_is_published_is_the_one_that_was_fixed() {
    let log = ended(&mut falsely_stopped(false));
    let other = forged(&log, |records| {
        let reveal = place(records, "type: \"reveal\"");
        records[reveal] = records[reveal].replace("text: \"roll 3\"", "text: \"rol 3\"");
        records.truncate(reveal + 1);
    });
    fails(&other, "reveal.line", "is not the one that the receipt is committed to");
    let hidden = forged(&log, |records| {
        let reveal = place(records, "type: \"reveal\"");
        let from = records[reveal].find("lines:\n").unwrap();
        records[reveal].replace_range(from.., "...\n");
        records.truncate(reveal + 1);
    });
    fails(&hidden, "reveal.stop", "was stopped at its line 1, which is not published with the secrets");
}
