//! Logs written to break the program: hashed anew after every change, so that they reach the rules.

use crate::amount::amount;
use crate::record_game;
use crate::record_game::Game;
use crate::tiny_title::TITLES;
use engine::chance::{Chance, Practice};
use ground::hash::{Hash, sha256};
use record::file::stream::Records;
use record::verify::{Errors, Proofs, Wanted, verify, verify_with};

/// Spoilt logs, usually and in a night.
const LOGS: u32 = 3_000;
const LOGS_LONG: u32 = 40_000;

/// Values at the limits.
const EDGES: [&str; 14] = [
    "0",
    "1",
    "255",
    "256",
    "65535",
    "65536",
    "4294967295",
    "4294967296",
    "9007199254740992",
    "[]",
    "[0]",
    "\"\"",
    "\"host\"",
    "\"ring\"",
];

fn records(log: &[u8]) -> Vec<String> {
    let mut records = Records::new(log);
    let mut texts = Vec::new();
    while let Some(record) = records.next().unwrap() {
        texts.push(String::from_utf8(record.bytes.to_vec()).unwrap());
    }
    texts
}

/// Makes one change to one line: its value, its place, or its existence.
fn spoil(record: &str, donor: &str, chance: &mut Practice) -> String {
    let mut lines: Vec<String> = record.lines().map(str::to_string).collect();
    let count = u32::try_from(lines.len()).unwrap();
    let at = 1 + chance.below(count - 2) as usize;
    match chance.below(6) {
        0 => {
            lines.remove(at);
        }
        1 => lines.insert(at, lines[at].clone()),
        2 => lines.swap(at, 1 + chance.below(count - 2) as usize),
        3 => {
            // The line with the same key in another record.
            let key = lines[at].split(':').next().unwrap_or("").to_string();
            if let Some(line) = donor.lines().find(|line| line.split(':').next() == Some(&key)) {
                lines[at] = line.to_string();
            }
        }
        _ => {
            let key = lines[at].split(": ").next().unwrap_or("").to_string();
            lines[at] = format!("{key}: {}", EDGES[chance.below(14) as usize]);
        }
    }
    lines.push(String::new());
    lines.join("\n")
}

fn hashed_anew(records: &[String]) -> Vec<u8> {
    let mut log = String::new();
    let mut prev = Hash::ZERO;
    for record in records {
        let old = record.lines().find(|line| line.starts_with("prev: ")).map(str::to_string);
        let record = match old {
            Some(old) => record.replacen(&old, &format!("prev: \"{prev}\""), 1),
            None => record.clone(),
        };
        prev = sha256(record.as_bytes());
        log.push_str(&record);
    }
    log.into_bytes()
}

#[test]
fn no_log_makes_the_program_panic() {
    let folder = tempfile::tempdir().unwrap();
    let mut game = Game::start(folder.path(), 3, "60", 41);
    let seat = game.asked().unwrap();
    let now = game.now();
    game.table.leave_order(seat, "when asked answer say yes", Some(record_game::letter("order", 3)), now).unwrap();
    game.play_on(41);
    game.finish();
    let whole = &records(&game.log());
    let logs = amount(LOGS, LOGS_LONG);
    let refused: u32 = std::thread::scope(|scope| {
        let half = |seed| scope.spawn(move || refused(whole, seed, logs / 2));
        let halves = [half(41), half(42)];
        halves.into_iter().map(|half| half.join().unwrap()).sum()
    });
    // Some changes make no difference, and some concern words that only a head in the mail can prove.
    assert!(refused > logs * 3 / 4, "{refused} of {logs}");
}

/// How many of some spoilt logs are refused.
fn refused(whole: &[String], seed: u64, logs: u32) -> u32 {
    let mut chance = Practice::new(seed);
    let count = u32::try_from(whole.len()).unwrap();
    let mut refused = 0;
    for number in 0..logs {
        let mut spoilt = whole.to_vec();
        for _ in 0..=chance.below(2) {
            let (at, donor) = (chance.below(count) as usize, chance.below(count) as usize);
            spoilt[at] = spoil(&spoilt[at], &whole[donor], &mut chance);
        }
        let log = hashed_anew(&spoilt);
        let progress = &mut |_| {};
        let wanted = Wanted { file: "-".to_string(), titles: TITLES, errors: Errors::All, seen: vec![], progress };
        // Half of them as files, which are first followed with what they publish, and half as streams.
        let report = match number % 2 {
            0 => verify(log.as_slice(), wanted),
            _ => verify_with(log.as_slice(), wanted, Proofs::default()),
        };
        let report = report.unwrap();
        refused += u32::from(!report.is_ok());
        assert_eq!(report.is_ok(), report.exit_code() == 0);
        let _ = (report.to_text(), report.to_json());
    }
    refused
}
