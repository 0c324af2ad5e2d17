/*! The checker on forgeries in games in which more happens than in the samples: changes that only the published secrets
or a signature show, in logs in which everything else was made anew.
*/

use crate::second::{self, code_of, found_by, said};
use crate::{needs, second_beacon};
use ground::hash::{GameId, Hash, sha256};
use record::commit::deck::{DeckNumber, deck_commitment};
use record::problem::exit;
use std::fs;

/// The games: one with everything that players can agree on, one with dice of a beacon, one with signatures.
struct Games {
    eventful: Vec<u8>,
    beacon: Vec<u8>,
    signed: Vec<u8>,
}

impl Games {
    fn play() -> Games {
        let folder = tempfile::tempdir().unwrap();
        let beacon = second_beacon::played(folder.path()).into_bytes();
        Games { eventful: second::eventful(), beacon, signed: second::signed() }
    }
}

/// A log in which the first line with this key, from record `from` on, is changed, and all later hashes are made anew.
fn forged(log: &[u8], from: usize, key: &str, other: impl Fn(&str) -> String) -> Vec<u8> {
    let text = String::from_utf8(log.to_vec()).unwrap();
    let mut records: Vec<String> = text.split_inclusive("\n...\n").map(str::to_owned).collect();
    let is_it = |line: &&str| line.trim_start().trim_start_matches("- ").starts_with(key);
    let seq = (from..records.len()).find(|seq| records[*seq].lines().any(|line| is_it(&line))).expect(key);
    let line = records[seq].lines().find(is_it).unwrap().to_owned();
    records[seq] = records[seq].replacen(&line, &other(&line), 1);
    for later in seq + 1..records.len() {
        let prev = sha256(records[later - 1].as_bytes()).to_string();
        let line = records[later].lines().find(|line| line.starts_with("prev: ")).unwrap().to_owned();
        records[later] = records[later].replacen(&line, &format!("prev: \"{prev}\""), 1);
    }
    records.concat().into_bytes()
}

/// The same line with another last letter or digit.
fn otherwise(line: &str) -> String {
    let body = line.trim_end_matches(['"', '=']);
    let last = if body.ends_with('a') { 'b' } else { 'a' };
    format!("{}{last}{}", &body[..body.len() - 1], &line[body.len()..])
}

/// A log in which the last card of a deck laid anew is another one, and the hash of the deck is made anew.
fn dealt_otherwise(log: &[u8]) -> Vec<u8> {
    let text = String::from_utf8(log.to_vec()).unwrap();
    let record = text.split_inclusive("\n...\n").find(|record| record.contains("\ntype: \"deck\"\n")).unwrap();
    let value = |key: &str| record.lines().find_map(|line| line.strip_prefix(key)).unwrap().to_owned();
    let mut cards: Vec<Hash> = serde_json::from_str::<Vec<String>>(&value("cards: "))
        .unwrap()
        .iter()
        .map(|card| Hash::parse(card).unwrap())
        .collect();
    *cards.last_mut().unwrap() = sha256(b"another card");
    let game = text.lines().find_map(|line| line.strip_prefix("game: ")).unwrap().trim_matches('"');
    let number = DeckNumber { deck: 1, epoch: value("epoch: ").parse().unwrap() };
    let commitment = deck_commitment(&GameId::parse(game).unwrap(), number, &cards);
    let words: Vec<String> = cards.iter().map(|card| format!("\"{card}\"")).collect();
    let log = forged(log, 1, "cards: [", |_| format!("cards: [{}]", words.join(", ")));
    forged(&log, 1, "commitment: ", |_| format!("commitment: \"{commitment}\""))
}

/// A log in which the published text of a line at which a receipt stopped is another one.
fn of_stopped(log: &[u8]) -> Vec<u8> {
    let text = String::from_utf8(log.to_vec()).unwrap();
    let reveal = text.split_inclusive("\n...\n").position(|record| record.contains("\ntype: \"reveal\"\n")).unwrap();
    forged(log, reveal, "text: ", otherwise)
}

const OTHER_BOOKS: &str = "committed to other books of orders";

/// A change of a log, and why the checker says that it is wrong.
struct Forgery {
    what: &'static str,
    log: Vec<u8>,
    why: &'static str,
}

/// Changes that only the published secrets or a signature show, in logs in which everything else was made anew.
fn forgeries(games: &Games) -> [Forgery; 7] {
    let Games { eventful, beacon, signed } = games;
    let adopted = String::from_utf8(eventful.clone()).unwrap();
    let adopted = adopted.split_inclusive("\n...\n").position(|record| record.contains("what: \"adoption\"")).unwrap();
    let forged_later = |key: &str, other: &dyn Fn(&str) -> String| forged(eventful, adopted + 1, key, other);
    let forgery = |what, log, why| Forgery { what, log, why };
    [
        forgery("another card", dealt_otherwise(eventful), "the deck adventure was laid otherwise than the root says"),
        forgery("another share", forged(eventful, 1, "digest: ", otherwise), "a share is not one of the root"),
        forgery("another book", forged_later("books: ", &otherwise), OTHER_BOOKS),
        forgery("another order", forged_later("order: ", &|line| line.replacen("cards", "card", 1)), OTHER_BOOKS),
        forgery("another line", of_stopped(beacon), "is not the one committed to"),
        forgery("other words", forged(signed, 1, "words: ", otherwise), "a signature does not hold"),
        forgery(
            "another signature",
            forged(signed, 1, "sig: ", |line| line.replacen("AAAA", "AAAB", 1)),
            "a signature",
        ),
    ]
}

/// Both verifiers find each forgery, and name the same rule.
#[test]
fn the_checker_finds_what_the_end_shows_to_be_false() {
    if !needs::programs(&["node"]) {
        return;
    }
    let games = Games::play();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("log.yaml");
    let answer = |log: &[u8]| {
        fs::write(&file, log).unwrap();
        said(std::slice::from_ref(&file)).remove(0)
    };
    for log in [&games.eventful, &games.beacon, &games.signed] {
        let line = answer(log);
        assert!(code_of(&line) == exit::OK && !line.contains(" signatures not checked"), "{line}");
    }
    for Forgery { what, log, why } in forgeries(&games) {
        let line = answer(&log);
        let report = second::first(&log);
        assert!(line.contains(why), "{what}: {line}");
        let rule = report.findings[0].problem.rule();
        assert_eq!(found_by(&line), (report.exit_code(), Some(rule.id())), "{what}: {line}\n{report}");
    }
}
