//! Every kind of record: one spelling, read back as itself, and read the same way by other readers of YAML.

use crate::needs;
use crate::record_samples::{AWKWARD, entries};
use record::canon::emit::Emitter;
use record::entry::Entry;
use record::entry::body::Kind;
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

#[test]
fn every_kind_is_among_the_samples() {
    let kinds: BTreeSet<Kind> = entries().iter().map(Entry::kind).collect();
    assert_eq!(kinds, Kind::ALL.iter().copied().collect());
}

#[test]
fn every_record_reads_back_as_itself() {
    for entry in entries() {
        let text = entry.to_text();
        let read = Entry::read(text.as_bytes()).unwrap_or_else(|fault| panic!("{fault}\n{text}"));
        assert_eq!(read, entry);
        read.check_canonical(text.as_bytes(), &mut Emitter::default()).unwrap();
    }
}

#[test]
fn a_record_looks_as_in_the_specification() {
    let entry = entries().into_iter().find(|entry| entry.kind() == Kind::Say).unwrap();
    let text = entry.to_text();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(&lines[..2], ["---", "seq: 61"]);
    for line in [
        "via:",
        "  seen: 60",
        "open:",
        "  - deck: \"adventure\"",
        "    epoch: 1",
        "roll:",
        "  dice:",
        "    - throw: 12",
        "      label: \"attacker\"",
        "      faces: [6, 2, 2]",
        "...",
    ] {
        assert!(lines.contains(&line), "{line}\n{text}");
    }
}

#[test]
fn serde_yaml_reads_every_record_the_same_way() {
    for entry in entries() {
        let text = entry.to_text();
        let document = text.strip_suffix("...\n").unwrap();
        let read: Value = serde_yaml::from_str(document).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(read, serde_json::to_value(&entry).unwrap(), "{text}");
    }
}

#[test]
fn pyyaml_reads_every_record_the_same_way() {
    if !needs::python(&["yaml"]) {
        return;
    }
    let log: String = entries().iter().map(Entry::to_text).collect();
    let program = "import json, sys, yaml\n\
        text = sys.stdin.buffer.read().decode('utf-8')\n\
        sys.stdout.write(json.dumps(list(yaml.safe_load_all(text))))";
    let mut python = Command::new("python3")
        .args(["-c", program])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("python3 is there");
    python.stdin.take().expect("stdin is piped").write_all(log.as_bytes()).expect("python3 reads its input");
    let output = python.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "python3 must be able to import yaml (pip install pyyaml) and read the log:\n{errors}"
    );
    let read: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(read.len(), entries().len());
    for (read, entry) in read.iter().zip(entries()) {
        assert_eq!(*read, serde_json::to_value(&entry).unwrap());
    }
}

#[test]
fn strings_have_no_second_spelling() {
    let text = entries().into_iter().find(|entry| entry.to_text().contains("dispute")).unwrap().to_text();
    assert!(text.contains("\\u0000\\u001b\\u007f\\u0085\\u2028\\u2029\\ufeff\\ufffe\\uffff"), "{text}");
    assert!(AWKWARD.contains('\u{feff}'));
    // Escapes that YAML knows and we do not write, and escapes for characters that are written raw.
    for (written, other) in [("\\u0000", "\\0"), ("\\u001b", "\\u001B"), ("mûm", "m\\u00fbm"), ("yes", "y\\u0065s")] {
        let changed = text.replacen(written, other, 1);
        assert_ne!(changed, text);
        let refused = Entry::read(changed.as_bytes())
            .and_then(|entry| entry.check_canonical(changed.as_bytes(), &mut Emitter::default()));
        assert!(refused.is_err(), "{changed}");
    }
}

/// A plain record of a kind, to be spoiled.
fn plain(kind: Kind) -> String {
    let entry = entries().into_iter().rfind(|entry| entry.kind() == kind).expect("there is a sample of each kind");
    entry.to_text()
}

#[track_caller]
fn refused(text: &str, expected: &str) {
    let message = Entry::read(text.as_bytes()).map(|_| ()).unwrap_err().to_string();
    assert_eq!(message, expected, "{text}");
}

#[test]
fn faults_say_where_and_what_would_have_been_right() {
    let say = plain(Kind::Say);
    let at = |what: &str| format!("of the record, column {what}");
    refused(&say.replace("seat: ", "chair: "), &format!("line 6 {}: expected the key 'seat', found 'chair'", at("1")));
    refused(
        &say.replace("said: \"pass\"\n", "said: \"pass\"\nsaid: \"pass\"\n"),
        &format!(
            "line 8 {}: the key 'said' stood before, or belongs before; expected one of line, open, roll, changed, \
             digest",
            at("1")
        ),
    );
    refused(
        &say.replace("...\n", "mood: \"gay\"\n...\n"),
        &format!(
            "line 8 {}: the key 'mood' cannot stand here; expected one of line, open, roll, changed, digest",
            at("1")
        ),
    );
    refused(
        &say.replace("seq: 61", "seq: 061"),
        &format!("line 2 {}: expected an integer from 0 to 9007199254740992, found '061'", at("6")),
    );
    refused(&say.replace("seq: 61", "seq: 6.1"), &format!("line 2 {}: the line should end here", at("7")));
    refused(
        &say.replace("seq: 61", "seq:  61"),
        &format!("line 2 {}: expected an integer from 0 to 9007199254740992, found ' 61'", at("6")),
    );
    refused(
        &say.replace("\"pass\"", "pass"),
        &format!("line 7 {}: a text stands in double quotes, on one line", at("7")),
    );
    refused(
        &say.replace("\"pass\"", "\"p\\ass\""),
        &format!("line 7 {}: '\\a' is no escape; there are \\\" \\\\ \\n \\r \\t and \\u with four digits", at("9")),
    );
    refused(
        &say.replace("\"pass\"", "\"pa\u{2028}ss\""),
        &format!("line 7 {}: the character U+2028 must be written as an escape", at("10")),
    );
    refused(
        &say.replace("\nsaid", "\n  said"),
        &format!("line 7 {}: the line should be indented by 0 spaces, not 2", at("1")),
    );
    let kinds: Vec<String> = Kind::ALL.iter().map(|kind| format!("\"{}\"", kind.word())).collect();
    refused(
        &say.replace("\"say\"", "\"sing\""),
        &format!("line 5 {}: expected one of {}, found '\"sing\"'", at("7"), kinds.join(", ")),
    );
    refused(
        &say.replace("2026-11-24T", "2026-11-31T"),
        &format!(
            "line 4 {}: expected a time such as \"2026-11-24T07:12:09Z\", found \"2026-11-31T07:12:09Z\"",
            at("27")
        ),
    );
    refused(&say.replace("...\n", ""), &format!("line 8 {}: expected a key, 'line'", at("1")));
    refused(&format!("{say}x\n"), &format!("line 9 {}: nothing may follow the line '...' in a record", at("1")));
}

#[test]
fn limits_are_kept() {
    let long = "a".repeat(64 * 1024);
    let say = plain(Kind::Say).replace("\"pass\"", &format!("\"{long}\""));
    assert!(Entry::read(say.as_bytes()).unwrap_err().to_string().ends_with("a line has at most 65536 bytes"));
    let deck = plain(Kind::Deck);
    let row = deck.lines().find(|line| line.starts_with("      faces: [6")).expect("a row of faces");
    let many = format!("      faces: [{}6]", "6, ".repeat(16_384));
    let deck = deck.replace(row, &many);
    assert!(Entry::read(deck.as_bytes()).unwrap_err().to_string().ends_with("a list has at most 16384 items"));
    let huge = vec![b'a'; 1024 * 1024 + 1];
    assert!(Entry::read(&huge).unwrap_err().to_string().ends_with("a record has at most 1048576 bytes"));
    assert!(Entry::read(b"---\nseq: \xff\n...\n").unwrap_err().to_string().contains("line 2 of the record, column 6"));
}

#[test]
fn no_bytes_whatever_make_the_reader_panic_or_pass_unnoticed() {
    // Every sample with one byte replaced, removed or doubled: refused, or canonical and different.
    let mut emitter = Emitter::default();
    for entry in entries() {
        let text = entry.to_text().into_bytes();
        for at in 0..text.len() {
            for change in [0_u8, b'\n', b' ', b'"', b'\\', b'-', b'0', b'{', 0xc3, 0xff] {
                let mut replaced = text.clone();
                replaced[at] = change;
                let mut inserted = text.clone();
                inserted.insert(at, change);
                for bytes in [replaced, inserted] {
                    if let Ok(read) = Entry::read(&bytes)
                        && read.check_canonical(&bytes, &mut emitter).is_ok()
                    {
                        assert!(bytes == text || read != entry);
                    }
                }
            }
            let _ = Entry::read(&text[..at]).map(|_| panic!("a record cut off was read"));
            let _ = Entry::read(&text[at..]);
        }
    }
}
