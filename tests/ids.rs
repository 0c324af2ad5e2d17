//! The ids of the rules: the page (`games/README.md`, 14.3), this program and the second one have the same, with the
//! same codes; and each is met by a log that breaks it.

pub mod games;

use crate::needs;
use crate::second::{self, found_by, said};
use crate::second_beacon;
use ground::hash::{Hash, sha256};
use record::commit::signature::SigningKey;
use record::problem::rule::Rule;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A row of the table of 14.3.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub id: String,
    pub code: u8,
    pub paragraph: String,
    pub who: Who,
}

/// Who finds out that a rule is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// Both programs.
    Both,
    /// The second program finds out a part of it.
    Part,
    /// It takes the rules of the game, or what the reader has beside the log.
    Verify,
}

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// The rows of the page, in their order.
pub fn rows() -> Vec<Row> {
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [id, code, _, paragraph, who] = cells.as_slice() else { panic!("{line}") };
        let who = match *who {
            "" => Who::Both,
            "part" => Who::Part,
            "rules" | "mail" => Who::Verify,
            other => panic!("{other}"),
        };
        let (id, paragraph) = (id.trim_matches('`').to_owned(), (*paragraph).to_owned());
        Row { id, code: code.parse().unwrap(), paragraph, who }
    };
    let page = read("games/README.md");
    let table = page.split_once("| id | code | says | paragraph | who |\n|---|---|---|---|---|\n").unwrap().1;
    table.lines().take_while(|line| line.starts_with('|')).map(row).collect()
}

/// What each id says of who finds it.
pub fn who() -> BTreeMap<String, Who> {
    rows().into_iter().map(|row| (row.id, row.who)).collect()
}

#[test]
fn the_page_has_the_rules_of_the_program_in_their_order() {
    let rows = rows();
    let here: Vec<(&str, u8, &str)> = Rule::ALL.iter().map(|rule| (rule.id(), rule.code(), rule.paragraph())).collect();
    let there: Vec<(&str, u8, &str)> = rows.iter().map(|row| (&*row.id, row.code, &*row.paragraph)).collect();
    assert_eq!(here, there);
    assert_eq!(there.iter().map(|(id, ..)| id).collect::<BTreeSet<_>>().len(), there.len(), "an id stands twice");
    let page = read("games/README.md");
    for row in &rows {
        assert!(page.contains(&format!("\n**{}", row.paragraph)), "{row:?} names a paragraph that is not there");
    }
}

/// The second program has all of them that follow from a log, with the same codes.
#[test]
fn the_second_program_has_the_same_ids() {
    let script = read("templates/check/check.js");
    let constants = script.split_once("\nconst [OK, ").unwrap().1.split_once("];").unwrap().0;
    let (names, values) = constants.split_once("] = [").unwrap();
    let values: Vec<u8> = values.split(", ").map(|value| value.parse().unwrap()).collect();
    let codes: BTreeMap<&str, u8> = ["OK"].into_iter().chain(names.split(", ")).zip(values).collect();
    let table = script.split_once("const RULE_CODES = new Map([\n").unwrap().1.split_once("\n]").unwrap().0;
    let mut there = BTreeMap::new();
    for row in table.split("  [").filter(|row| !row.trim().is_empty()) {
        let (code, ids) = row.split_once(", ").unwrap();
        let ids = ids.split('"').skip(1).step_by(2).flat_map(str::split_whitespace);
        there.extend(ids.map(|id| (id.to_owned(), codes[code])));
    }
    let here: BTreeMap<String, u8> =
        rows().into_iter().filter(|row| row.who != Who::Verify).map(|row| (row.id, row.code)).collect();
    assert_eq!(here, there);
    for id in there.keys() {
        assert!(script.matches(&format!("\"{id}\"")).count() > 0, "no check of {id}");
    }
}

/// A log that breaks a rule, as `tests/ids/broken.yaml` describes it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Broken {
    id: String,
    game: String,
    at: String,
    #[serde(default = "first")]
    nth: usize,
    #[serde(default)]
    edit: Option<(String, String)>,
    #[serde(default)]
    again: Option<String>,
    #[serde(default)]
    add: Vec<String>,
    #[serde(default)]
    drop: bool,
}

fn first() -> usize {
    1
}

/// The words of a new line or record, which will be in record `seq`; `same` stood there before.
fn filled(words: &str, seq: usize, same: &str) -> String {
    let hash = "1".repeat(64);
    let (raw, seen) = (sha256(seq.to_string().as_bytes()), seq.saturating_sub(1));
    let letter = format!("via:\n  raw: \"{raw}\"\n  seen: {seen}\n  auth: \"confirmed\"\n");
    let key = SigningKey::of_seed(&Hash::ZERO).public.to_string();
    let words = words.replace("\\n", "\n").replace("{letter}", &letter).replace("{key}", &key);
    let words = words.replace("{books}", &format!("books: \"{hash}\"\n")).replace("{hash}", &hash);
    let words =
        words.replace("{half}", &hash[..32]).replace("{turn}", "\u{202e}").replace("{long}", &"a".repeat(70_000));
    let words = words.replace("{last}", &seen.to_string()).replace("{next}", &seq.to_string());
    words.replace("{before}", &seen.saturating_sub(1).to_string()).replace("{same}", same)
}

/// The records of a log.
fn split(log: &[u8]) -> Vec<String> {
    String::from_utf8(log.to_vec()).unwrap().split_inclusive("\n...\n").map(str::to_owned).collect()
}

impl Broken {
    fn log(&self, game: &[String]) -> String {
        let mut records = game.to_vec();
        let has = |text: &str, nth: usize| {
            let found = (0..game.len()).filter(|seq| game[*seq].contains(text)).nth(nth - 1);
            found.unwrap_or_else(|| panic!("{self:?}"))
        };
        let at = has(&self.at, self.nth);
        if let Some((from, to)) = &self.edit {
            let line = records[at].lines().find(|line| line.starts_with(from.as_str()));
            let line = line.unwrap_or_else(|| panic!("{self:?}")).to_owned();
            let to = filled(to, at, line.split_once(": ").map_or("", |(_, value)| value));
            let (line, to) = (format!("\n{line}\n"), if to.is_empty() { "\n".to_owned() } else { format!("\n{to}\n") });
            records[at] = records[at].replacen(&line, &to, 1);
        }
        let time = records[at].lines().find(|line| line.starts_with("at: ")).unwrap().to_owned();
        let copied = self.again.iter().map(|text| {
            let record = &game[has(text, 1)];
            record.split_once("\ntype: ").map(|(_, rest)| format!("type: {}", rest.trim_end_matches("...\n"))).unwrap()
        });
        let more: Vec<String> = copied.chain(self.add.iter().cloned()).collect();
        if self.drop {
            records.remove(at);
        }
        if !more.is_empty() {
            records.truncate(at + 1);
        }
        for words in more {
            let seq = records.len();
            let words = filled(&words, seq, "");
            records.push(format!("---\nseq: {seq}\nprev: \"\"\n{time}\n{}\n...\n", words.trim_end()));
        }
        self.hashed_anew(records, at)
    }

    /// The records with the right numbers and hashes, but for what the edit has changed.
    fn hashed_anew(&self, records: Vec<String>, at: usize) -> String {
        let edits = |key: &str| self.edit.as_ref().is_some_and(|(from, _)| from.starts_with(key));
        let mut prev = Hash::ZERO;
        let mut log = String::new();
        for (seq, record) in records.into_iter().enumerate() {
            let mut lines: Vec<String> = record.lines().map(str::to_owned).collect();
            if self.drop {
                lines[1] = format!("seq: {seq}");
            }
            if seq != at || !edits("prev: ") {
                lines[2] = format!("prev: \"{prev}\"");
            }
            let mut record = lines.join("\n") + "\n";
            if let Some(closing) = record.rfind("\nclosing: ").filter(|_| !edits("closing: ")) {
                record.truncate(closing + 1);
                record = format!("{record}closing: \"{}\"\n...\n", sha256(record.as_bytes()));
            }
            prev = sha256(record.as_bytes());
            log.push_str(&record);
        }
        log
    }
}

/// The games that are broken, by their names: those of the tests, and the samples.
fn games() -> BTreeMap<String, Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    let beacon = second_beacon::played(folder.path());
    let own: [(&str, Vec<u8>); 6] = [
        ("eventful", second::eventful()),
        ("signed", second::signed()),
        ("program", second::with_a_program()),
        ("beacon", beacon.into_bytes()),
        ("timed", games::timed()),
        ("all-signed", games::all_signed()),
    ];
    let samples =
        ["two-towers", "four-hobbits"].map(|name| (name, read(&format!("games/{name}/log.yaml")).into_bytes()));
    own.into_iter().chain(samples).map(|(name, log)| (name.to_owned(), split(&log))).collect()
}

/// Logs that take more than an edit, each with the rule that it breaks.
fn crafted(games: &BTreeMap<String, Vec<String>>) -> Vec<(&'static str, Vec<u8>)> {
    let hobbits = &games["four-hobbits"];
    let shows = hobbits.iter().position(|record| record.contains("\nopen:\n")).unwrap();
    let text = &hobbits[shows];
    let from = text.find("open:\n").unwrap();
    let item = &text[from + "open:\n".len()..];
    let item = &item[..item.find("\n    salt: ").unwrap() + "\n    salt: \"\"\n".len() + 64];
    let with = |seq: usize, record: String| {
        let mut records = hobbits.clone();
        records[seq] = record;
        let nothing = Broken {
            id: String::new(),
            game: String::new(),
            at: "seq: 0".to_owned(),
            nth: 1,
            edit: None,
            again: None,
            add: Vec::new(),
            drop: false,
        };
        nothing.hashed_anew(records, 0).into_bytes()
    };
    let block = format!("open:\n{item}");
    let before = (0..shows).rev().find(|seq| hobbits[*seq].contains("\nsaid: ")).unwrap();
    let early = hobbits[before]
        .split_inclusive('\n')
        .map(|line| if line.starts_with("said: ") { format!("{line}{block}") } else { line.to_owned() });
    let two_towers = games["two-towers"].concat();
    vec![
        ("file.record", b"hello\n".to_vec()),
        ("file.record", format!("{two_towers}\n").into_bytes()),
        ("file.torn", two_towers.as_bytes()[..two_towers.len() - 9].to_vec()),
        ("file.empty", Vec::new()),
        (
            "form.utf8",
            two_towers
                .replacen("two-towers", "two\u{1}towers", 1)
                .bytes()
                .map(|byte| if byte == 1 { 0xff } else { byte })
                .collect(),
        ),
        ("card.twice", with(shows, text.replacen(&block, &format!("{block}{item}"), 1))),
        ("card.needless", with(before, early.collect())),
        ("sign.number", games::signed_amiss((5, 2))),
        ("sign.order", games::with_a_gap()),
    ]
}

/// Rules that are met elsewhere, in a file of tests that says so; or of which the reason is given why no log is made
/// that breaks them first.
const ELSEWHERE: [(&str, &str, &str); 29] = [
    ("letter.proof", "tests/letters_attacks.rs", "answers another letter than one of ours"),
    ("letter.turn", "tests/letters_attacks.rs", "stands before this sentence and was not played"),
    ("letter.words", "tests/letters_attacks.rs", "no line of the letter"),
    ("run.order", "tests/receipts.rs", "\"run.order\""),
    ("run.deck", "tests/receipts/cheats.rs", "\"run.deck\""),
    ("run.line", "tests/receipts.rs", "\"run.line\""),
    ("line.cut", "tests/receipts/wrapping.rs", "\"line.cut\""),
    ("stop.asked", "tests/receipts/wrapping.rs", "\"stop.asked\""),
    ("stop.false", "tests/receipts/stops.rs", "\"stop.false\""),
    ("reveal.stop", "tests/receipts/stops.rs", "\"reveal.stop\""),
    ("seat.waits", "tests/receipts/wrapping.rs", "\"seat.waits\""),
    ("say.least", "tests/books/deadlines.rs", "\"say.least\""),
    ("order.due", "tests/books.rs", "\"order.due\""),
    ("order.words", "tests/books.rs", "\"order.words\""),
    ("order.run", "src/record/fold/bookkeeping.rs", "Rule::OrderRun"),
    ("order.once", "src/record/fold/bookkeeping.rs", "Rule::OrderOnce"),
    ("reveal.deck", "tests/second_forged.rs", "was laid otherwise than the root says"),
    ("mail.head", "tests/tamper.rs", "Problem::Checkpoint"),
    ("mail.fork", "tests/promise.rs", "[mail.fork]"),
    ("mail.beginning", "tests/promise.rs", "[mail.beginning]"),
    ("mail.shorter", "tests/promise.rs", "[mail.shorter]"),
    ("mail.none", "tests/promise.rs", "[mail.none]"),
    ("mine.join", "tests/promise.rs", "[mine.join]"),
    ("mine.letter", "tests/by_letter.rs", "mine.letter"),
    ("mine.none", "tests/promise.rs", "[mine.none]"),
    ("file.length", "", "a log of 256 MiB is too much for a test"),
    ("card.missing", "", "a card that nobody has seen cannot be said: the words are refused first"),
    ("card.word", "", "the deck would have to be committed to with a word that no program of ours writes"),
    ("reveal.claim", "", "the facts show it first, unless a whole game is played with the lie"),
];

/// Each rule is the first that some log breaks, and both programs name it there, as far as both can.
#[test]
fn each_rule_is_met() {
    if !needs::programs(&["node"]) {
        return;
    }
    let games = games();
    let cases: Vec<Broken> = serde_yaml::from_str(&read("tests/ids/broken.yaml")).unwrap();
    let edited = cases.iter().map(|case| (&*case.id, case.log(&games[&case.game]).into_bytes()));
    let logs: Vec<(&str, Vec<u8>)> = edited.chain(crafted(&games)).collect();
    let (who, folder) = (who(), tempfile::tempdir().unwrap());
    for (number, (id, log)) in logs.iter().enumerate() {
        let path = folder.path().join(format!("{number}.yaml"));
        fs::write(&path, log).unwrap();
        let line = said(&[path]).remove(0);
        let report = second::first(log);
        let rule = report.findings.first().unwrap_or_else(|| panic!("{id}: {line}")).problem.rule();
        assert_eq!(rule.id(), *id, "{line}\n{report}");
        if who[*id] == Who::Both {
            assert_eq!(found_by(&line), (rule.code(), Some(*id)), "{report}");
        }
    }
    for (id, file, text) in ELSEWHERE {
        assert!(file.is_empty() || read(file).contains(text), "{id}: {file}");
    }
    let met = logs.iter().map(|(id, _)| *id).chain(ELSEWHERE.map(|(id, ..)| id)).collect::<BTreeSet<_>>();
    let missing: Vec<&str> = Rule::ALL.iter().map(|rule| rule.id()).filter(|id| !met.contains(id)).collect();
    assert_eq!(missing, [] as [&str; 0]);
}
