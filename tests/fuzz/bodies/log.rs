/*! Any bytes are a log: it is cut into records, read and verified without a panic, and passes only if it is true.

An altered log usually fails at its first broken hash. So it is checked once more as its forger would send it: the
readable records, numbered and hashed anew.
*/

use ground::hash::{Hash, sha256};
use record::entry::{Body, Entry};
use record::file::stream::Records;
use record::fold::Phase;
use record::verify::report::Report;
use record::verify::{Errors, Wanted, verify};
use ringmail::titles;

/// The sample games.
pub const SAMPLES: [&[u8]; 3] = [
    include_bytes!("../../../games/four-hobbits/log.yaml"),
    include_bytes!("../../../games/three-hunters/log.yaml"),
    include_bytes!("../../../games/two-towers/log.yaml"),
];

pub fn run(log: &[u8]) {
    let records = records(log);
    let report = check(log, Errors::First);
    if report.is_ok() {
        is_true(log, &records, &report);
    }
    check(log, Errors::All);
    check(&hashed_anew(&records), Errors::All);
}

/// Valid inputs: the sample games, and how each began.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for sample in SAMPLES {
        let records = records(sample);
        let beginnings = (1..).map(|step| step * step).take_while(|count| *count < records.len());
        seeds.extend(beginnings.map(|count| records[..count].concat()));
        seeds.push(sample.to_vec());
    }
    seeds
}

/// The records of a log, as far as it can be read.
fn records(log: &[u8]) -> Vec<Vec<u8>> {
    let mut records = Records::new(log);
    let mut found: Vec<Vec<u8>> = Vec::new();
    while let Ok(Some(record)) = records.next() {
        found.push(record.bytes.to_vec());
    }
    assert!(log.starts_with(&found.concat()), "records are cut out of the log as they stand");
    found
}

fn check(log: &[u8], errors: Errors) -> Report {
    let progress = &mut |_| {};
    let wanted = Wanted { file: "-".to_string(), titles: titles::ALL, errors, seen: vec![], progress };
    let report = verify(log, wanted).expect("bytes in memory can be read");
    assert_eq!(report.is_ok(), report.exit_code() == 0);
    assert_eq!(report.is_ok(), report.findings.is_empty());
    assert!(!report.to_text().is_empty());
    assert_eq!(report.to_json()["ok"], report.is_ok());
    report
}

/// Checks that a log that passes is one of ours. Only the last record may differ, because no later record has its
/// hash; a game that has ended has the hash of its last record, too, and must be identical.
fn is_true(log: &[u8], records: &[Vec<u8>], report: &Report) {
    let (_, before) = records.split_last().expect("an empty log does not pass");
    let before = before.concat();
    assert!(SAMPLES.iter().any(|sample| sample.starts_with(&before)), "a forged log passes");
    if report.table.as_ref().is_some_and(|table| table.phase == Phase::Ended) {
        assert!(SAMPLES.contains(&log), "a forged game passes");
    }
}

/// The readable records, numbered and hashed anew.
fn hashed_anew(records: &[Vec<u8>]) -> Vec<u8> {
    let mut log = Vec::new();
    let mut prev = Hash::ZERO;
    for (seq, mut entry) in (0..).zip(records.iter().filter_map(|record| Entry::read(record).ok())) {
        (entry.seq, entry.prev) = (seq, prev);
        let closing = entry.closing();
        if let Body::End(end) = &mut entry.body {
            end.closing = closing;
        }
        let text = entry.to_text();
        assert_eq!(Entry::read(text.as_bytes()), Ok(entry), "a record reads as it is written");
        prev = sha256(text.as_bytes());
        log.extend_from_slice(text.as_bytes());
    }
    log
}
