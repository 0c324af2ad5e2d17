//! The finished sample games: every later program must still agree with every word of them.

use crate::amount::amount;
use ground::hash::sha256;
use record::canon::emit::Emitter;
use record::entry::Entry;
use record::file::stream::Records;
use record::fold::{Fold, Phase};
use record::problem::{Check, Problem};
use record::verify::report::{CheckResult, Report};
use record::verify::{Errors, Proofs, Wanted, verify, verify_with};
use ringmail::titles;
use std::path::PathBuf;

/// The number of bytes that are changed in each game, one at a time, usually and in a night.
const CHANGED: usize = 90;
const CHANGED_LONG: usize = 520;

fn games() -> Vec<(PathBuf, Vec<u8>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("games");
    let inside = std::fs::read_dir(folder).unwrap().map(|game| game.unwrap().path());
    let mut games: Vec<PathBuf> = inside.filter(|game| game.is_dir()).map(|game| game.join("log.yaml")).collect();
    games.sort();
    games.into_iter().map(|file| (file.clone(), std::fs::read(file).unwrap())).collect()
}

/// Checks a log as a file, or as a stream that is read once.
fn check(log: &[u8], is_stream: bool) -> Report {
    let progress = &mut |_| {};
    let wanted =
        Wanted { file: "log.yaml".to_string(), titles: titles::ALL, errors: Errors::First, seen: vec![], progress };
    if is_stream { verify_with(log, wanted, Proofs::default()).unwrap() } else { verify(log, wanted).unwrap() }
}

#[test]
fn every_game_verifies_with_everything_revealed() {
    let games = games();
    assert!(games.len() >= 3);
    for (file, log) in games {
        let report = check(&log, false);
        assert!(report.is_ok(), "{}: {report}", file.display());
        for check in [Check::Structure, Check::Canonical, Check::Chain, Check::Rules, Check::Dice, Check::Openings] {
            assert_eq!(report.verdict(check), &CheckResult::Pass, "{}", file.display());
        }
        assert_eq!(report.table.unwrap().phase, Phase::Ended, "{}", file.display());
    }
}

#[test]
fn a_changed_byte_is_always_noticed() {
    let games = games();
    std::thread::scope(|scope| {
        for (file, log) in &games {
            scope.spawn(move || {
                for (number, at) in (0..log.len()).step_by(log.len() / amount(CHANGED, CHANGED_LONG)).enumerate() {
                    let mut changed = log.clone();
                    changed[at] ^= 1;
                    assert!(!check(&changed, number % 2 == 1).is_ok(), "{} byte {at}", file.display());
                }
            });
        }
    });
}

/// No later record has the hash of the last one, so its bytes need a closer look.
#[test]
fn a_changed_byte_of_the_last_record_is_always_noticed() {
    for (file, log) in games() {
        let mut records = Records::new(log.as_slice());
        let mut last = 0..0;
        let mut fold: Option<Fold> = None;
        let mut problems = Vec::new();
        while let Some(record) = records.next().unwrap() {
            let start = usize::try_from(record.offset).unwrap();
            last = start..start + record.bytes.len();
            let (entry, hash) = (Entry::read(record.bytes).unwrap(), sha256(record.bytes));
            match &mut fold {
                None => fold = Some(Fold::begin(&entry, hash, titles::ALL, None, &mut problems).unwrap()),
                Some(fold) if last.end < log.len() => fold.fold(&entry, hash, &mut problems),
                Some(_) => {}
            }
        }
        let fold = fold.unwrap();
        for at in 0..last.len() {
            for bit in 0..8 {
                let mut record = log[last.clone()].to_vec();
                record[at] ^= 1 << bit;
                assert!(!is_sound(&fold, &record), "{} byte {at} of the last record, bit {bit}", file.display());
            }
        }
    }
}

fn is_sound(fold: &Fold, bytes: &[u8]) -> bool {
    let Ok(entry) = Entry::read(bytes) else { return false };
    let mut problems = Vec::new();
    fold.clone().fold(&entry, sha256(bytes), &mut problems);
    problems.is_empty() && entry.check_canonical(bytes, &mut Emitter::default()).is_ok()
}

/// The log with one of its sentences in other words, and the chain hashed anew.
fn reworded(log: &[u8], from: &str, to: &str) -> Vec<u8> {
    let (mut records, mut text, mut prev) = (Records::new(log), String::new(), None);
    let mut is_changed = false;
    while let Some(record) = records.next().unwrap() {
        let mut record = String::from_utf8(record.bytes.to_vec()).unwrap();
        if !is_changed && record.contains(from) {
            record = record.replacen(from, to, 1);
            is_changed = true;
        }
        if let Some(prev) = prev {
            let line = record.lines().find(|line| line.starts_with("prev: ")).unwrap().to_owned();
            record = record.replacen(&line, &format!("prev: \"{prev}\""), 1);
        }
        if record.contains("\ntype: \"end\"\n") {
            let before = record.find("\nclosing: ").unwrap() + 1;
            record = format!("{}closing: \"{}\"\n...\n", &record[..before], sha256(&record.as_bytes()[..before]));
        }
        prev = Some(sha256(record.as_bytes()));
        text.push_str(&record);
    }
    assert!(is_changed, "the game says `{from}`");
    text.into_bytes()
}

#[test]
fn a_log_holds_the_words_of_the_rules_and_no_others() {
    let games = games();
    let of = |name: &str| &games.iter().find(|(file, _)| file.ends_with(format!("{name}/log.yaml"))).unwrap().1;
    #[track_caller]
    fn case(log: &[u8], from: &str, to: &str) {
        let report = check(&reworded(log, from, to), false);
        assert_eq!(report.is_ok(), from == to, "{to}: {report}");
        let is_about_words =
            report.findings.iter().all(|found| matches!(found.problem, Problem::NotItsOwnWords { .. }));
        assert!(is_about_words, "{to}: {report}");
    }
    let game = of("the-black-gate-opens");
    let records = String::from_utf8(game.clone()).unwrap();
    let said = |part: &str| {
        let mut sentences = records.lines().filter_map(|line| line.strip_prefix("said: "));
        let sentence = sentences.find(|said| said.contains(part));
        sentence.unwrap_or_else(|| panic!("nobody says `{part}`")).trim_matches('"').to_owned()
    };
    let step = said(" one step towards war");
    let (die, nation) = step.strip_suffix(" one step towards war").unwrap().split_once(": ").unwrap();
    case(game, &step, &format!("{die}: {nation} to war"));
    case(game, &step, &step);
    // Read from players and never recorded: another case, another spelling, the beginning of a name, a slip.
    let (first, rest) = nation.split_at(1);
    case(game, &step, &format!("{die}: {}{rest} to war", first.to_uppercase()));
    case(game, &step, &format!("{die}: {nation} towards war"));
    case(game, &step, &format!("{}: {nation} to war", die.trim_end_matches(" die")));
    case(game, &step, &format!("{die}: {} to war", &nation[..3]));
    let sortie = said(" sortie from ");
    let (die, rest) = sortie.split_once(" sortie from ").unwrap();
    let (stronghold, part) = rest.split_once(' ').unwrap();
    case(game, &sortie, &format!("{die} attack {stronghold} from inside {part}"));
    case(game, &sortie, &format!("{die} sortie {stronghold} {part}"));
    case(game, &sortie, &format!("{die} sortie {stronghold} from inside {part}"));
}
