//! The ids of the rules: the page (`games/README.md`, 14.3), this program and the second one have the same, with the
//! same codes; and each is met by a log that breaks it.

use record::problem::rule::Rule;
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
