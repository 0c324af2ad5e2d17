//! Dice that follow from a beacon: every act is fixed by a receipt before its round, and a host who plays anything
//! else is found out (log 7.10 to 7.13).

#[path = "receipts/cheats.rs"]
mod cheats;
#[path = "receipts/stops.rs"]
mod stops;
#[path = "receipts/wrapping.rs"]
mod wrapping;

use crate::house::{charter, secrets, table};
use crate::relay::Beacon;
use crate::tiny_title::TITLES;
use engine::need::Need;
use engine::seat::Seat;
use ground::hash::{Hash, Hex, sha256};
use ground::stamp::Stamp;
use record::charter::Charter;
use record::charter::dice::{CharterDice, WholeDice};
use record::commit::beacon::ChainInfo;
use record::entry::body::{Auth, By, Mode, Via};
use record::file::secrets::{LineInClear, Secrets};
use record::fold::Phase;
use record::fold::ahead::LineAhead;
use record::table::opens::Opens;
use record::table::table_error::TableError;
use record::table::{Joining, Table};
use record::verify::report::Report;
use record::verify::witness::{About, How, Seen, Witnesses};
use record::verify::{Errors, Proofs, Wanted, verify_with};
use std::fs;
use tempfile::TempDir;

/// Round 1000 of quicknet.
const ROUND_1000: &str = "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125\
                          e342b73a8dd2bacbe47e4b6b63ed5e39";

fn at(seconds: u32) -> Stamp {
    let (hours, minutes, seconds) = (8 + seconds / 3600, seconds / 60 % 60, seconds % 60);
    Stamp::parse(&format!("2026-11-24T{hours:02}:{minutes:02}:{seconds:02}Z")).unwrap()
}

fn stamp(at: &str) -> Stamp {
    Stamp::parse(at).unwrap()
}

fn beacon() -> Beacon {
    Beacon::new(7, stamp("2026-11-24T07:00:00Z"), 3)
}

fn charter(dice: CharterDice) -> Charter {
    Charter { dice: Some(dice), ..charter::riddles() }
}

fn own(info: &ChainInfo) -> CharterDice {
    CharterDice::Whole(WholeDice { mode: Mode::Beacon, own: Some(Box::new(info.clone())) })
}

/// A letter of a seat, by its name.
fn letter(name: &str, seen: u64) -> Via {
    let raw = Some(sha256(name.as_bytes()));
    Via { raw, seen: Some(seen), auth: Some(Auth::Token), ..Via::default() }
}

fn lines(texts: &[&str]) -> Vec<LineInClear> {
    let line =
        |(number, text): (usize, &&str)| LineInClear { number: Some(number), text: (*text).to_owned(), is_cut: false };
    (1..).zip(texts).map(line).collect()
}

/// A game at its host's table.
struct Play {
    folder: TempDir,
    table: Table,
    beacon: Beacon,
    seconds: u32,
}

impl Play {
    /// Everybody has joined.
    fn joined() -> Play {
        let charter = charter(own(beacon().chain.info()));
        Play::joined_to(&charter)
    }

    fn joined_to(charter: &Charter) -> Play {
        let (folder, beacon) = (tempfile::tempdir().unwrap(), beacon());
        let mut table = Table::create(folder.path(), charter, secrets::usual(), at(0), TITLES).unwrap();
        table::join(&mut table, at(1), table::named);
        Play { folder, table, beacon, seconds: 1 }
    }

    fn started() -> Play {
        Play::joined().starts()
    }

    fn starts(self) -> Play {
        let mut play = self;
        play.table.ask_for_round(at(2)).unwrap();
        play.round();
        assert_eq!(play.table.fold().phase(), Phase::Playing);
        play
    }

    /// The next round is published, and enters the log.
    fn round(&mut self) {
        let (round, time) = self.table.fold().next_round().unwrap();
        while at(self.seconds) < time {
            self.seconds += 1;
        }
        let signature = self.beacon.sign(round);
        self.table.beacon().unwrap().verify(round, &signature).unwrap();
        self.table.enter_round(&signature, at(self.seconds)).unwrap();
    }

    fn asked(&self) -> Option<Seat> {
        match self.table.fold().need() {
            Need::Question(question) => Some(question.seat),
            _ => None,
        }
    }

    /// The asked seat writes a letter.
    fn writes(&mut self, name: &str, texts: &[&str]) -> u64 {
        let seen = self.table.fold().head().seq;
        self.seconds += 1;
        let (seat, at) = (self.asked().unwrap(), at(self.seconds));
        let fixed = self.table.fix_lines(seat, lines(texts), Some(letter(name, seen)), at);
        fixed.unwrap().seq
    }

    /// Plays the letter as far as possible.
    fn plays(&mut self) {
        self.round();
        self.table.play_own_lines(at(self.seconds)).unwrap();
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log.yaml")).unwrap()
    }

    /// A game in which two letters were played, one with one sentence and one with two.
    fn of_two_letters() -> Play {
        let mut play = Play::started();
        play.writes("first", &["roll 2"]);
        play.plays();
        play.writes("second", &["roll 1", "roll 1"]);
        play.plays();
        play
    }
}

fn checked(log: &str, mailbox: Option<Witnesses>) -> Report {
    let wanted = Wanted {
        file: "log.yaml".to_owned(),
        titles: TITLES,
        errors: Errors::All,
        seen: Vec::new(),
        progress: &mut |_| (),
    };
    verify_with(log.as_bytes(), wanted, Proofs { mailbox, ..Proofs::default() }).unwrap()
}

/// A changed log, with the chain hashed anew.
fn forged(log: &str, change: impl FnOnce(&mut Vec<String>)) -> String {
    let mut records: Vec<String> = log.split_inclusive("\n...\n").map(str::to_owned).collect();
    change(&mut records);
    let (mut prev, mut whole) = (Hash::ZERO, String::new());
    for (seq, record) in records.into_iter().enumerate() {
        let mut lines: Vec<String> = record.lines().map(str::to_owned).collect();
        (lines[1], lines[2]) = (format!("seq: {seq}"), format!("prev: \"{prev}\""));
        let record = lines.join("\n") + "\n";
        prev = sha256(record.as_bytes());
        whole.push_str(&record);
    }
    whole
}

fn place(records: &[String], with: &str) -> usize {
    records.iter().position(|record| record.contains(with)).unwrap_or_else(|| panic!("no record with {with}"))
}

#[track_caller]
fn is_found(log: &str, id: &str, says: &str) {
    let report = checked(log, None);
    let found: Vec<String> = report.findings.iter().map(|finding| finding.problem.to_string()).collect();
    let first = found.iter().position(|problem| problem.contains(says)).unwrap_or_else(|| panic!("{found:#?}"));
    assert_eq!(report.findings[first].problem.rule().id(), id, "{found:#?}");
}

#[test]
fn a_game_is_played_receipt_by_receipt_to_its_end() {
    let mut play = Play::started();
    let mut number = 0;
    while play.asked().is_some() {
        number += 1;
        play.writes(&format!("letter {number}"), &[if number % 2 == 0 { "roll 1" } else { "pass" }]);
        play.plays();
    }
    let now = at(play.seconds);
    play.table.reveal(now).unwrap();
    play.table.end("", now).unwrap();
    let report = checked(&play.log(), None);
    assert!(report.is_ok(), "{}", report.to_text());
    let text = report.to_text();
    assert!(text.contains("for these counts every round is the host's own"), "{text}");
    assert!(text.contains("The host could have chosen all of them."), "{text}");
    assert!(text.lines().last().unwrap().contains("throws by the host's word"), "{text}");
    let dice = &report.to_json()["dice"]["beacon"];
    assert_eq!((&dice["public"], &dice["throws_by_hosts_clock"]), (&false.into(), &0.into()));
    // Opened again from its files, it is the same game.
    let Play { folder, table, .. } = play;
    let head = table.fold().head();
    drop(table);
    assert_eq!(Table::open(folder.path(), TITLES).unwrap().fold().head(), head);
}

#[test]
fn nothing_is_played_without_a_receipt_and_its_round() {
    let mut play = Play::joined();
    assert!(matches!(play.table.start(at(2)), Err(TableError::NotNow { .. })));
    play.table.ask_for_round(at(2)).unwrap();
    let (round, time) = play.table.fold().next_round().unwrap();
    assert_eq!(time, stamp("2026-11-24T08:05:00Z"));
    // Too early, or with the signature of another round, nothing is written.
    let signature = play.beacon.sign(round);
    assert!(matches!(play.table.enter_round(&signature, at(60)), Err(TableError::Unsound(_))));
    let other = play.beacon.sign(round + 1);
    assert!(play.table.beacon().unwrap().verify(round, &other).is_err());
    assert!(matches!(play.table.enter_round(&other, at(400)), Err(TableError::Unsound(_))));
    play.round();
    let seat = play.asked().unwrap();
    let said = play.table.say(seat, "roll 1", Some(letter("bare", 1)), at(play.seconds));
    assert!(matches!(said, Err(TableError::NotNow { .. })));
    let heard = play.table.read(seat, "roll 1").unwrap();
    let opens = Opens { receipt: 3, first: 1, last: 1 };
    let said = play.table.answer(heard.of_lines(Some(opens)), Some(letter("bare", 1)), at(play.seconds));
    assert!(matches!(said, Err(TableError::Unsound(_))), "{said:?}");
    assert!(checked(&play.log(), None).is_ok());
}

/// The seat is asked and its line is refused: the remaining lines stay sealed, and the log says so.
#[test]
fn a_line_that_is_refused_stays_sealed() {
    let mut play = Play::started();
    play.writes("typo", &["rol a few dice", "pass"]);
    play.plays();
    let log = play.log();
    assert!(!log.contains("rol a few") && log.contains("reason: \"line 1: not understood\""), "{log}");
    assert!(log.contains("receipt: 6\nline: 1\nreason: "), "{log}");
    assert!(checked(&log, None).is_ok());
    play.writes("again", &["pass"]);
    play.plays();
    assert!(checked(&play.log(), None).is_ok());
}

/// Host and player discard a throw that they do not like, and try the same letter again with another round.
#[test]
fn a_letter_has_one_receipt_and_a_run_that_was_stopped_is_counted() {
    let mut play = Play::started();
    let whole = "was stopped at a line when the round was known";
    assert!(!checked(&play.log(), None).to_text().contains(whole));
    play.writes("act", &["roll 2"]);
    play.round();
    play.table.stop_receipt("line 1: not understood", at(play.seconds)).unwrap();
    let text = checked(&play.log(), None).to_text();
    assert!(text.contains(&format!("1 receipt {whole}")), "{text}");
    let again =
        play.table.fix_lines(play.asked().unwrap(), lines(&["roll 2"]), Some(letter("act", 5)), at(play.seconds));
    assert!(again.unwrap_err().to_string().contains("a letter that has had no receipt"));
}

/// A seat leaves a line for later, and a record commits to it.
fn leaves(play: &mut Play, seat: Seat, line: &str, seconds: u32) {
    let (seen, name) = (play.table.fold().head().seq, format!("left {seconds} {line}"));
    let ahead = LineAhead { follows: false, since: None, question: None, line: line.to_owned() };
    play.table.note_line(seat, ahead, None, (sha256(name.as_bytes()), 1)).unwrap();
    play.table.hear(seat, Some(letter(&name, seen)), at(seconds)).unwrap();
}

#[test]
fn a_line_ahead_is_said_in_a_run_that_began_after_it() {
    for is_early in [true, false] {
        let mut play = Play::started();
        let other = Seat(3 - play.asked().unwrap().0);
        if is_early {
            leaves(&mut play, other, "no", 400);
        }
        play.seconds = 400;
        play.writes("dare", &["dare"]);
        if !is_early {
            leaves(&mut play, other, "no", 500);
        }
        play.plays();
        let said = play.table.say_lines(at(play.seconds)).unwrap();
        assert_eq!(said, usize::from(is_early));
        if !is_early {
            assert!(play.table.has_order_waiting(at(play.seconds)));
            play.table.ask_for_round(at(play.seconds)).unwrap();
            play.round();
            assert_eq!(play.table.say_lines(at(play.seconds)).unwrap(), 1);
        }
        assert!(play.log().contains("by: \"standing\""));
        stops::says(&stops::ended(&mut play), &["no order was passed over"], &[]);
    }
}

/// The host knows the dice of a line that is due, and ends the run without it.
#[test]
fn a_run_does_not_end_while_a_line_ahead_is_due() {
    let mut play = Play::started();
    let other = Seat(3 - play.asked().unwrap().0);
    leaves(&mut play, other, "no", 400);
    play.seconds = 400;
    play.writes("dare", &["dare"]);
    play.plays();
    play.table.ask_for_round(at(play.seconds)).unwrap();
    play.round();
    play.table.say_lines(at(play.seconds)).unwrap();
    stops::fails(&stops::ended(&mut play), "run.order", "should have answered this question before the run ended");
}

#[test]
fn an_order_fires_in_a_run_that_began_after_it() {
    let mut play = Play::started();
    let asked = play.asked().unwrap();
    let other = Seat(3 - asked.0);
    play.table.leave_order(other, "when asked riddle say pass once", Some(letter("order", 5)), at(400)).unwrap();
    // An order that answers the open question does not fire outside of a run.
    play.table.leave_order(asked, "when asked riddle say roll 1 once", Some(letter("mine", 5)), at(400)).unwrap();
    assert_eq!(play.asked(), Some(asked));
    play.seconds = 400;
    play.table.ask_for_round(at(400)).unwrap();
    play.round();
    let log = play.log();
    assert_eq!(log.matches("by: \"standing\"").count(), 2, "{log}");
    assert!(checked(&log, None).is_ok());
}

#[test]
fn a_deadline_fixes_its_answer_too_and_none_passes_while_one_waits() {
    let mut other = Play::started();
    let refused = other.table.fix_answer_for(other.asked().unwrap(), By::Bot, at(400)).unwrap_err();
    assert!(refused.to_string().contains("no program plays the seat"), "{refused}");
    let mut charter = charter(own(beacon().chain.info()));
    charter.seats.iter_mut().for_each(|seat| seat.host = true);
    let mut play = Play::joined_to(&charter).starts();
    let seat = play.asked().unwrap();
    play.table.fix_answer_for(seat, By::Bot, at(400)).unwrap();
    play.seconds = 400;
    play.plays();
    let log = play.log();
    assert_eq!(log.matches("by: \"bot\"").count(), 2, "{log}");
    assert!(checked(&log, None).is_ok());
}

/// When the round is known, the host lets a player say something other than he wrote.
#[test]
fn a_line_swapped_after_the_receipt_is_found() {
    let log = Play::of_two_letters().log();
    let swapped = forged(&log, |records| {
        let say = place(records, "said: \"roll 2\"");
        records[say] = records[say].replace("roll 2", "roll 1");
    });
    is_found(&swapped, "line.committed", "are not those that line 1 of the receipt");
}

#[test]
fn a_line_that_was_skipped_is_found() {
    let log = Play::of_two_letters().log();
    let cut = forged(&log, |records| drop(records.pop()));
    assert!(checked(&cut, None).is_ok(), "the log may end there");
    let mut play = Play::started();
    play.writes("two", &["roll 1", "pass"]);
    play.round();
    let now = at(play.seconds);
    // The first line is skipped.
    let heard = play.table.read(play.asked().unwrap(), "pass").unwrap();
    let receipt = play.table.fold().receipts().run().unwrap().receipt.seq;
    let via = play.table.fold().receipts().run().unwrap().receipt.via.clone();
    let said = play.table.answer(heard.of_lines(Some(Opens { receipt, first: 2, last: 2 })), via, now);
    assert!(said.unwrap_err().to_string().contains("cannot come now"));
    // The run is ended although lines could still be played.
    let ended = play.table.ask_for_round(now);
    assert!(ended.unwrap_err().to_string().contains("is neither played nor refused"));
    let mut play = Play::started();
    play.writes("one", &["roll 1"]);
    play.plays();
    let skipped = forged(&play.log(), |records| {
        let last = records.len() - 1;
        let stamp = records[last].lines().nth(3).unwrap().to_owned();
        let key = format!("key: \"{}\"", sha256(b"a key"));
        records[last] = format!("---\nseq: 0\nprev: \"\"\n{stamp}\ntype: \"dns\"\nseat: \"host\"\n{key}\n...\n");
    });
    is_found(&skipped, "run.line", "is neither played nor refused");
}

/// The host backdates a receipt, to have it played with a round that he already knows.
#[test]
fn a_receipt_that_names_another_round_than_its_time_says_is_found() {
    let log = Play::of_two_letters().log();
    let dated = forged(&log, |records| {
        let receipt = records.iter().rposition(|record| record.contains("type: \"receipt\"")).unwrap();
        let round = records[receipt].lines().find(|line| line.starts_with("round: ")).unwrap().to_owned();
        let number: u64 = round["round: ".len()..].parse().unwrap();
        records[receipt] = records[receipt].replace(&round, &format!("round: {}", number - 90));
    });
    is_found(&dated, "receipt.round", "at its time the round to name was");
    let back = forged(&log, |records| {
        let receipt = records.iter().rposition(|record| record.contains("type: \"receipt\"")).unwrap();
        let stamp = records[receipt].lines().nth(3).unwrap().to_owned();
        records[receipt] = records[receipt].replace(&stamp, "at: \"2026-11-24T08:00:30Z\"");
    });
    is_found(&back, "chain.time", "time runs back");
}

#[test]
fn a_round_before_its_time_or_under_another_signature_is_found() {
    let play = Play::of_two_letters();
    let log = play.log();
    let other = forged(&log, |records| {
        let round = place(records, "type: \"round\"");
        let line = records[round].lines().find(|line| line.starts_with("signature: ")).unwrap().to_owned();
        records[round] = records[round].replace(&line, &format!("signature: \"{}\"", Hex(play.beacon.sign(5))));
    });
    is_found(&other, "round.signature", "the signature of round");
    let early = forged(&log, |records| {
        let round = records.iter().rposition(|record| record.contains("type: \"round\"")).unwrap();
        let (before, line) = (records[round - 1].lines().nth(3).unwrap().to_owned(), records[round].clone());
        records[round] = line.replace(line.lines().nth(3).unwrap(), &before);
    });
    is_found(&early, "round.time", "and the record is older");
}

/// Two receipts wait; the second one is played first, because its round turned out better.
#[test]
fn receipts_are_played_in_their_order() {
    let mut play = Play::started();
    let first = play.writes("one", &["roll 1"]);
    play.seconds += 30;
    let second = play.writes("two", &["roll 2"]);
    play.seconds += 400;
    play.round();
    let log = forged(&play.log(), |records| {
        let round = records.len() - 1;
        records[round] = records[round].replace(&format!("receipt: {first}"), &format!("receipt: {second}"));
    });
    is_found(&log, "round.order", &format!("the receipt of record {first} is played first"));
}

/// The report names a receipt that the host never plays, and nothing else goes on.
#[test]
fn a_receipt_that_is_never_played_is_named() {
    let mut play = Play::of_two_letters();
    let waits = play.writes("third", &["pass"]);
    let report = checked(&play.log(), None);
    let text = report.to_text().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        report.is_ok() && text.contains(&format!("1 receipt waits to be played, the first one that of record {waits}"))
    );
    let text = checked(&Play::of_two_letters().log(), None).to_text();
    assert!(!text.contains("to be played"), "{text}");
    assert_eq!(report.to_json()["dice"]["beacon"]["receipts_waiting"], serde_json::json!([waits]));
}

/// Quicknet, near its start: round 1000 was published at 16:39:24 on the 23rd of August 2023.
fn with_quicknet(dice: CharterDice) -> (TempDir, Table) {
    let folder = tempfile::tempdir().unwrap();
    let receipt = stamp("2023-08-23T15:54:24Z");
    let mut table = Table::create(folder.path(), &charter(dice), secrets::usual(), receipt, TITLES).unwrap();
    table::join(&mut table, receipt, table::named);
    table.ask_for_round(receipt).unwrap();
    assert_eq!(table.fold().next_round().unwrap(), (1000, stamp("2023-08-23T15:59:24Z")));
    let signature: Hex<48> = Hex::parse(ROUND_1000).unwrap();
    table.enter_round(&signature.0, stamp("2023-08-23T15:59:24Z")).unwrap();
    (folder, table)
}

/// The letter with a record, received by the reader's own server at this time.
fn mailbox(table: &Table, log: &str, seq: usize, received: &str) -> Witnesses {
    let record = log.split_inclusive("\n...\n").nth(seq).unwrap();
    let seen = Seen {
        about: About { name: Some("g7".to_owned()), game: Some(table.fold().plan().game), words: None },
        seq: seq as u64,
        head: sha256(record.as_bytes()).to_string(),
        letter: 0,
        how: How::Record { prev: None },
    };
    let received = vec![Some(stamp(received))];
    Witnesses { letters: vec!["1.eml".to_owned()], seen: vec![seen], received, begun: Vec::new() }
}

#[test]
fn a_round_protects_if_the_mailbox_shows_its_receipt_in_time() {
    let (folder, table) = with_quicknet(CharterDice::of(Mode::Beacon));
    let log = fs::read_to_string(folder.path().join("log.yaml")).unwrap();
    let (shown, clock) =
        ("For all of them a letter of the mailbox shows", "For all of them that is by the host's clock");
    let says = |mailbox: Option<Witnesses>, expected: &str, absent: &str, ending: &str| {
        let text = checked(&log, mailbox).to_text();
        assert!(text.contains(expected) && !text.contains(absent), "{text}");
        assert!(text.contains("could have chosen any of them."), "{text}");
        assert!(text.contains("Nobody could have foreseen any of them."), "{text}");
        let last = text.lines().last().unwrap();
        assert!(last.starts_with("OK") && last.contains("by the host's clock") != ending.is_empty(), "{last}");
    };
    says(None, clock, shown, "clock");
    // Record 3 is the receipt. A letter with the record before does not show it, nor does one that came too late.
    says(Some(mailbox(&table, &log, 3, "2023-08-23T15:59:23Z")), shown, clock, "");
    says(Some(mailbox(&table, &log, 3, "2023-08-23T15:59:24Z")), clock, shown, "clock");
    says(Some(mailbox(&table, &log, 2, "2023-08-23T15:54:30Z")), clock, shown, "clock");
}
