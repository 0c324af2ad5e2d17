/*! A second verifier, written in Python from `games/README.md` alone, agrees with this one: on the sample games, on the
test vectors of that page, and on tampered copies of the games, of which it finds every one that needs no rules to find.
*/

mod needs;

use ringmail::engine::chance::{Chance, Practice};
use ringmail::record::file::log::LOG;
use ringmail::record::file::stream::Records;
use ringmail::record::problem::{Level, exit};
use ringmail::record::value::hash::{Hash, sha256};
use ringmail::record::verify::report::Report;
use ringmail::record::verify::{Errors, Wanted, verify};
use ringmail::titles;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Tampered copies of the sample games.
const MUTANTS: u32 = 300;
/// Most of them end before this record, so that checking them takes no time.
const RECORDS: usize = 200;
/// What only the rules can tell: whether a sentence was allowed and what it does, and what is thrown for what.
const OF_THE_RULES: [&str; 3] = ["said", "label", "sides"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The logs of the sample games, by their names.
fn samples() -> Vec<PathBuf> {
    let games = fs::read_dir(root().join("games")).unwrap();
    let logs = games.map(|game| game.unwrap().path().join(LOG)).filter(|log| log.is_file());
    let mut logs: Vec<PathBuf> = logs.collect();
    logs.sort();
    assert!(logs.len() >= 6, "{logs:?}");
    logs
}

fn second(arguments: &[PathBuf]) -> Output {
    let verifier = root().join("tests/second/verify.py");
    Command::new("python3").arg(verifier).args(arguments).output().expect("python3 is there")
}

/// What the second verifier says of each log: its exit code, and its line.
fn verdicts(logs: &[PathBuf]) -> Vec<(u8, String)> {
    let output = second(logs);
    let said = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), logs.len(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    let code = |line: &str| match line.rsplit_once(", exit code ") {
        Some((_, code)) if line.starts_with("FAIL ") => code.parse().unwrap(),
        _ => exit::OK,
    };
    let verdicts: Vec<(u8, String)> = lines.iter().map(|line| (code(line), (*line).to_string())).collect();
    let worst = verdicts.iter().map(|(code, _)| i32::from(*code)).max();
    assert_eq!(output.status.code(), worst, "it exits with the code of the worst");
    verdicts
}

fn first(log: &[u8]) -> Report {
    let (file, errors) = (LOG.to_string(), Errors::First);
    let wanted = Wanted { file, titles: titles::by_id, errors, seen: Vec::new(), progress: &mut |_| {} };
    verify(log, wanted).unwrap()
}

fn split(log: &[u8]) -> Vec<String> {
    let mut records = Records::new(log);
    let mut texts = Vec::new();
    while let Some(record) = records.next().unwrap() {
        texts.push(String::from_utf8(record.bytes.to_vec()).unwrap());
    }
    texts
}

/// A copy of a log in which one value was changed.
struct Mutant {
    log: Vec<u8>,
    /// The key of the value, and what was done, for messages.
    key: String,
    what: String,
}

impl Mutant {
    fn of(records: &[String], chance: &mut Practice) -> Mutant {
        let pick = |chance: &mut Practice, below: usize| chance.below(u32::try_from(below).unwrap()) as usize;
        // Some are whole, with what is revealed at the end, and some have little more than the set-up.
        let end = match chance.below(6) {
            0 => records.len(),
            1 => records.len().min(12),
            _ => 6 + pick(chance, records.len().min(RECORDS) - 6),
        };
        let mut records = records[..end].to_vec();
        let seq = match chance.below(4) {
            0 => end - 1 - pick(chance, 4),
            1 => pick(chance, 6),
            _ => pick(chance, end),
        };
        let mut lines: Vec<String> = records[seq].lines().map(str::to_string).collect();
        let places: Vec<usize> = (0..lines.len()).filter(|line| lines[*line].contains(": ")).collect();
        let line = places[pick(chance, places.len())];
        let (key, value) = lines[line].split_once(": ").unwrap();
        let (key, value, changed) = (key.to_string(), value.to_string(), another(value, chance));
        lines[line] = format!("{key}: {changed}");
        let anew = chance.below(3) > 0;
        let how = if anew { ", with the chain hashed anew" } else { "" };
        let what = format!("record {seq} of {end}: {} instead of {value}{how}", lines[line]);
        lines.push(String::new());
        records[seq] = lines.join("\n");
        if anew {
            hash_anew(&mut records, seq + 1);
        }
        let key = key.trim_start_matches([' ', '-']).to_string();
        Mutant { log: records.concat().into_bytes(), key, what }
    }
}

/// Another value, in which one letter or digit is another.
fn another(value: &str, chance: &mut Practice) -> String {
    match value {
        "true" => return "false".to_string(),
        "false" => return "true".to_string(),
        _ => {}
    }
    let places: Vec<usize> = value.char_indices().filter(|(_, c)| c.is_ascii_alphanumeric()).map(|(at, _)| at).collect();
    let Some(last) = places.len().checked_sub(1) else { return "\"x\"".to_string() };
    let place = places[chance.below(u32::try_from(last + 1).unwrap()) as usize];
    let old = char::from(value.as_bytes()[place]);
    let new = match old {
        '0'..='9' => char::from(b'0' + (old as u8 - b'0' + 1 + u8::try_from(chance.below(9)).unwrap()) % 10),
        'a' => 'b',
        _ => 'a',
    };
    format!("{}{new}{}", &value[..place], &value[place + 1..])
}

/// Puts the right hashes into the records from `from` on, as somebody does who forges a log.
fn hash_anew(records: &mut [String], from: usize) {
    for seq in from..records.len() {
        let prev = sha256(records[seq - 1].as_bytes());
        let lines = records[seq].lines().map(|line| match line.starts_with("prev: ") {
            true => format!("prev: \"{prev}\"\n"),
            false => format!("{line}\n"),
        });
        let mut record: String = lines.collect();
        if let Some(at) = record.rfind("\nclosing: ") {
            record.truncate(at + 1);
            let closing: Hash = sha256(record.as_bytes());
            record.push_str(&format!("closing: \"{closing}\"\n...\n"));
        }
        records[seq] = record;
    }
}

#[test]
fn the_second_verifier_agrees_with_the_test_vectors() {
    if !needs::python(&[]) {
        return;
    }
    let output = second(&[PathBuf::from("--vectors")]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn the_second_verifier_finds_no_fault_in_the_sample_games() {
    if !needs::python(&[]) {
        return;
    }
    for (log, (code, line)) in samples().iter().zip(verdicts(&samples())) {
        assert_eq!(code, exit::OK, "{}: {line}", log.display());
        let report = first(&fs::read(log).unwrap());
        let head = report.head.expect("a log has a head").hash.to_string();
        assert!(report.is_ok() && line.ends_with(&head), "{line}\n{report}");
    }
}

#[test]
fn both_verifiers_agree_on_tampered_games() {
    if !needs::python(&[]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let games: Vec<Vec<String>> = samples().iter().map(|log| split(&fs::read(log).unwrap())).collect();
    let mut chance = Practice::new(11);
    let mut logs = Vec::new();
    let mut mutants = Vec::new();
    for number in 0..MUTANTS {
        let mutant = Mutant::of(&games[number as usize % games.len()], &mut chance);
        logs.push(folder.path().join(format!("{number}.yaml")));
        fs::write(&logs[number as usize], &mutant.log).unwrap();
        mutants.push(mutant);
    }
    let mut found = 0;
    for (mutant, (code, line)) in mutants.iter().zip(verdicts(&logs)) {
        let report = first(&mutant.log);
        let what = format!("{}\n{line}\n{report}", mutant.what);
        let Some(finding) = report.findings.first() else {
            assert_eq!(code, exit::OK, "the second verifier alone finds fault: {what}");
            continue;
        };
        let needs_no_rules = match finding.level {
            Level::Structure | Level::Canonical | Level::Chain | Level::Dice | Level::Openings => true,
            Level::Rules | Level::Signatures | Level::Mailbox => false,
        };
        if needs_no_rules && !OF_THE_RULES.contains(&mutant.key.as_str()) {
            assert_eq!(code, report.exit_code(), "{what}");
            found += 1;
        }
    }
    assert!(found > MUTANTS / 2, "only {found} of {MUTANTS} were compared");
}
