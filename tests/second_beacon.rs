//! The checker on a game whose dice follow from a beacon: it agrees with `verify` on the game and on tampered copies of
//! it. It only leaves out the pairing of the signatures, and says so.

use crate::house::{charter, table};
use crate::needs;
use crate::relay::Beacon;
use crate::second::said;
use engine::chance::Practice;
use engine::need::Need;
use engine::seat::Seat;
use ground::hash::{Hash, sha256};
use ground::stamp::Stamp;
use record::charter::dice::{CharterDice, WholeDice};
use record::charter::{Charter, CharterSeat};
use record::entry::body::{Auth, By, Mode, Via};
use record::file::secrets::{LineInClear, Secrets};
use record::fold::ahead::LineAhead;
use record::table::{Joining, Table};
use record::verify::{Errors, Wanted, verify};
use ringmail::titles;
use std::fs;
use std::path::{Path, PathBuf};

/// The number of receipts played.
const RECEIPTS: u32 = 25;

fn at(seconds: u32) -> Stamp {
    let (hours, minutes, seconds) = (8 + seconds / 3600, seconds / 60 % 60, seconds % 60);
    Stamp::parse(&format!("2026-11-24T{hours:02}:{minutes:02}:{seconds:02}Z")).unwrap()
}

fn letter(name: &str, seen: u64) -> Via {
    let raw = Some(sha256(name.as_bytes()));
    Via { raw, seen: Some(seen), auth: Some(Auth::Token), ..Via::default() }
}

/// A game of Risk: letters, lines left ahead, orders, and answers of a program.
pub fn played(folder: &Path) -> String {
    let beacon = Beacon::new(3, Stamp::parse("2026-11-24T07:00:00Z").unwrap(), 1);
    let own = Some(Box::new(beacon.chain.info().clone()));
    let charter = Charter {
        name: "lots".to_owned(),
        dice: Some(CharterDice::Whole(WholeDice { mode: Mode::Beacon, own })),
        ..charter::of("risk", [charter::player("Anna"), CharterSeat { host: true, ..charter::player("Bert") }])
    };
    let secrets = Secrets { root: sha256(b"root"), ..Secrets::random().unwrap() };
    let mut table = Table::create(folder, &charter, secrets, at(0), titles::ALL).unwrap();
    table::join(&mut table, at(1), |seat| Joining { phrase: "mûmakil".to_owned(), ..table::named(seat) });
    table.ask_for_round(at(2)).unwrap();
    let mut seconds = 2;
    for number in 0..RECEIPTS {
        let (round, time) = table.fold().next_round().unwrap();
        while at(seconds) < time {
            seconds += 1;
        }
        table.enter_round(&beacon.sign(round), at(seconds)).unwrap();
        table.play_own_lines(at(seconds)).unwrap();
        table.say_lines(at(seconds)).unwrap();
        let Need::Question(question) = table.fold().need() else { break };
        let other = Seat(3 - question.seat.0);
        let (seen, name) = (table.fold().head().seq, format!("letter {number}"));
        let line = |text: &str| LineInClear { number: Some(1), text: text.to_owned(), is_cut: false };
        if number % 5 == 1 {
            let ahead = LineAhead { follows: false, since: None, question: None, line: "pass".to_owned() };
            table.note_line(other, ahead, None, (sha256(name.as_bytes()), 1)).unwrap();
            table.hear(other, Some(letter(&format!("left {number}"), seen)), at(seconds)).unwrap();
        }
        match number % 4 {
            0 => {
                let lines = vec![line("attack nobody"), line("pass")];
                table.fix_lines(question.seat, lines, Some(letter(&name, seen)), at(seconds)).unwrap();
            }
            1 => {
                let fold = table.fold();
                let said = fold.game().copy().say_anything(&mut Practice::new(u64::from(number)), fold.faces());
                let order = format!("when asked {} say {} once", question.id, said.sentence);
                table.leave_order(question.seat, &order, Some(letter(&name, seen)), at(seconds)).unwrap();
                table.ask_for_round(at(seconds)).unwrap();
            }
            _ if table.fold().may_type(question.seat) => {
                table.fix_answer_for(question.seat, By::Bot, at(seconds)).unwrap();
            }
            _ => {
                let fold = table.fold();
                let said = fold.game().copy().say_anything(&mut Practice::new(u64::from(number)), fold.faces());
                let lines = vec![line(&said.sentence)];
                table.fix_lines(question.seat, lines, Some(letter(&name, seen)), at(seconds)).unwrap();
            }
        }
    }
    // The waiting receipt is played, and the game is stopped.
    let (round, time) = table.fold().next_round().unwrap();
    while at(seconds) < time {
        seconds += 1;
    }
    table.enter_round(&beacon.sign(round), at(seconds)).unwrap();
    table.play_own_lines(at(seconds)).unwrap();
    table.say_lines(at(seconds)).unwrap();
    table.reveal(at(seconds)).unwrap();
    table.end("it is only a test", at(seconds)).unwrap();
    fs::read_to_string(folder.join("log.yaml")).unwrap()
}

fn first(log: &str) -> u8 {
    let (file, errors) = ("log.yaml".to_owned(), Errors::First);
    let wanted = Wanted { file, titles: titles::ALL, errors, seen: Vec::new(), progress: &mut |_| () };
    verify(log.as_bytes(), wanted).unwrap().exit_code()
}

/// The log with one line of a record changed and the chain hashed anew.
fn changed(records: &[String], seq: usize, line: usize, to: &str) -> String {
    let (mut prev, mut whole) = (Hash::ZERO, String::new());
    for (number, record) in records.iter().enumerate() {
        let mut lines: Vec<String> = record.lines().map(str::to_owned).collect();
        lines[2] = format!("prev: \"{prev}\"");
        if number == seq {
            lines[line] = to.to_owned();
        }
        let record = lines.join("\n") + "\n";
        prev = sha256(record.as_bytes());
        whole.push_str(&record);
    }
    whole
}

/// Another value of the same form.
fn other(line: &str) -> Option<String> {
    let (key, value) = line.split_once(": ")?;
    let digits = |from: char| if from == '0' { '1' } else { '0' };
    let value = match value.parse::<u64>() {
        Ok(number) => (number + 1).to_string(),
        Err(_) => {
            let at = value.rfind(|character: char| character.is_ascii_hexdigit())?;
            let from = value[at..].chars().next()?;
            format!("{}{}{}", &value[..at], digits(from), &value[at + 1..])
        }
    };
    Some(format!("{key}: {value}"))
}

#[test]
fn both_verifiers_agree_on_a_game_with_a_beacon_and_on_what_was_done_to_it() {
    if !needs::programs(&["node"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let log = played(folder.path());
    assert_eq!(first(&log), 0);
    for of_beacon in ["type: \"receipt\"", "type: \"round\"", "by: \"standing\"", "\nreceipt: ", "  opened:"] {
        assert!(log.contains(of_beacon), "{of_beacon}");
    }
    let line = said(&[folder.path().join("log.yaml")]).remove(0);
    assert!(line.starts_with("OK lots") && line.contains("signatures of rounds not checked"), "{line}");
    let records: Vec<String> = log.split_inclusive("\n...\n").map(str::to_owned).collect();
    let keys =
        ["round", "receipt", "signature", "lines", "line", "i", "text", "salt", "chain", "period", "genesis_time"];
    let mut mutants = Vec::new();
    for (seq, record) in records.iter().enumerate().filter(|(seq, _)| seq % 3 != 2 || *seq < 8) {
        for (number, line) in record.lines().enumerate() {
            let key = line.trim_start().trim_start_matches("- ").split(':').next().unwrap();
            // Nothing checks a line that stays sealed.
            let is_sealed = key == "lines" && !record.contains("by: \"bot\"");
            let is_of_beacon = keys.contains(&key) && !record.contains("type: \"standing\"") && !is_sealed;
            if let Some(line) = other(line).filter(|_| is_of_beacon && number > 4) {
                mutants.push((format!("{seq} {line}"), changed(&records, seq, number, &line)));
            }
        }
    }
    assert!(mutants.len() > 60, "{}", mutants.len());
    let files = mutants.iter().enumerate().map(|(number, (_, log))| {
        let file = folder.path().join(format!("{number}.yaml"));
        fs::write(&file, log).unwrap();
        file
    });
    let lines = said(&files.collect::<Vec<PathBuf>>());
    for ((what, log), line) in mutants.iter().zip(&lines) {
        assert_ne!(first(log), 0, "{what}");
        assert!(line.starts_with("FAIL"), "{what}: {line}");
    }
}
