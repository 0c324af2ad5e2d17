//! The cheat: the host, a player, or both in league, with the program itself, an editor for logs, and unlimited
//! computing power. Each attack is tried here; it fails, or `verify` names it in words.

#[path = "attacks/grinding.rs"]
mod grinding;

use crate::house::secrets;
use crate::record_game;
use crate::record_game::{Game, at, charter_of, letter, players, split};
use crate::tiny_title::TITLES;
use engine::chance::Practice;
use engine::need::Need;
use engine::seat::Seat;
use ground::hash::{Hash, sha256};
use record::charter::Charter;
use record::commit::chain::HostChain;
use record::commit::seed::{Contribution, Mix, Seed};
use record::entry::body::{Correcting, Correction, Escrow, Text, Via};
use record::entry::{Body, Entry};
use record::fold::council::Proposal;
use record::fold::ledger::Fixed;
use record::problem::exit;
use record::table::{Joining, Table};
use record::verify::report::Report;
use record::verify::{Checkpoint, Errors, Wanted, verify};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const ANNA: Seat = Seat(1);
const BERT: Seat = Seat(2);

fn started() -> (TempDir, Game) {
    let folder = tempfile::tempdir().unwrap();
    let game = Game::start_by(folder.path(), &players(&["Anna", "Bert"]), 51);
    (folder, game)
}

fn check(log: &[u8], seen: Vec<Checkpoint>) -> Report {
    let progress = &mut |_| {};
    verify(log, Wanted { file: "-".to_string(), titles: TITLES, errors: Errors::First, seen, progress }).unwrap()
}

/// What `verify` says of these records after somebody has numbered and hashed them anew.
fn check_edited(records: &[String]) -> Report {
    let (mut log, mut prev) = (String::new(), Hash::ZERO);
    for (seq, record) in records.iter().enumerate() {
        let lines: Vec<&str> = record.lines().collect();
        let head = format!("---\nseq: {seq}\nprev: \"{prev}\"\n");
        let record = head + &lines[3..].join("\n") + "\n";
        prev = sha256(record.as_bytes());
        log.push_str(&record);
    }
    check(log.as_bytes(), Vec::new())
}

/// What `verify` says when one record of a game is edited and the chain hashed anew.
fn check_with(game: &Game, seq: u64, from: &str, to: &str) -> Report {
    let mut records = split(&game.log());
    let record = &mut records[usize::try_from(seq).unwrap()];
    assert!(record.contains(from), "{record}");
    *record = record.replacen(from, to, 1);
    check_edited(&records)
}

/// What `verify` says when somebody appends a forged record.
fn check_forged(game: &Game, seat: &str, via: Option<Via>, body: Body<'_>) -> Report {
    let (head, seat) = (game.table.fold().head(), Text::from(seat.to_string()));
    let (seq, prev, at) = (head.seq + 1, head.hash, at(game.time + 1));
    let mut entry = Entry { seq, prev, at, seat, via, books: None, body, outcome: None, digest: None };
    entry.books = entry.is_of_a_seat().then_some(Hash::ZERO);
    let log = [game.log(), entry.to_text().into_bytes()].concat();
    check(&log, Vec::new())
}

#[track_caller]
fn caught(report: &Report, code: u8, seq: u64) {
    let first = report.findings.first().expect("the cheat is caught");
    assert_eq!((report.exit_code(), first.seq), (code, Some(seq)), "{report}");
}

/// Checks that the log passes and that `verify` says these words of it.
#[track_caller]
fn named(log: &[u8], words: &[&str]) {
    let report = check(log, Vec::new());
    assert_eq!(report.exit_code(), exit::OK, "{report}");
    let text = report.to_text();
    for words in words {
        assert!(text.contains(words), "{words}\n{text}");
    }
}

/// The sentences about the dice.
/// The seed of a throw that the host computes beforehand from the present mix.
fn foreseen(game: &Game, n: u32) -> Seed {
    let ledger = game.table.fold().ledger().unwrap();
    ledger.mix().seed(&secrets::of_seed(51).game, n, &host_chain().link(n).unwrap())
}

fn host_chain() -> HostChain {
    secrets::of_seed(51).host_chain()
}

/// The host held Bert's join back until he and Anna had chosen, or filed it before hers.
#[test]
fn a_join_is_held_back_or_filed_first() {
    for order in [[ANNA, BERT], [BERT, ANNA]] {
        let folder = tempfile::tempdir().unwrap();
        let mut table =
            Table::create(folder.path(), &players(&["Anna", "Bert"]), secrets::of_seed(51), at(0), TITLES).unwrap();
        for seat in order {
            let joining = Joining { phrase: "words".to_string(), message: sha256(&[seat.0]), ..Joining::default() };
            table.join(seat, &joining, Some(letter(&format!("join {}", seat.0), 0)), at(1)).unwrap();
        }
        table.start(at(2)).unwrap();
        let log = fs::read(folder.path().join("log.yaml")).unwrap();
        named(
            &log,
            &["Nobody could have chosen any of them, except the host together with Anna or Bert, before the start."],
        );
    }
}

#[test]
fn a_seat_of_the_hosts_brings_something_or_joins_late() {
    let folder = tempfile::tempdir().unwrap();
    let game = Game::start_by(folder.path(), &players(&["Anna", "BERT"]), 51);
    let hash = sha256(b"ground");
    caught(&check_with(&game, 1, "player: ", "phrase: \"ground\"\nplayer: "), exit::MALFORMED, 1);
    caught(&check_with(&game, 1, "  auth: ", &format!("  message: \"{hash}\"\n  auth: ")), exit::MALFORMED, 1);
    let mut records = split(&game.log());
    records.swap(1, 2);
    caught(&check_edited(&records), exit::MALFORMED, 1);
}

/// A record that begins another chain, which no game has.
#[test]
fn the_host_begins_another_chain() {
    let (_folder, game) = started();
    let mut records = split(&game.log());
    let at = records.last().unwrap().lines().nth(3).unwrap().to_string();
    let anchor = sha256(b"another chain");
    records
        .push(format!("---\nseq: 0\nprev: \"\"\n{at}\ntype: \"chain\"\nseat: \"host\"\nanchor: \"{anchor}\"\n...\n"));
    caught(&check_edited(&records), exit::MALFORMED, 4);
    // Links of another chain are not accepted as those of the game, either.
    let last = split(&game.log()).pop().unwrap();
    let link = last.lines().find(|line| line.starts_with("  link: ")).unwrap().to_string();
    caught(&check_with(&game, 3, &link, &format!("  link: \"{anchor}\"")), exit::DICE, 3);
}

fn correction(what: Correcting) -> Correction<'static> {
    let (to, motion, of, player, key, rules, until) = Default::default();
    let text = Text::from("agreed".to_string());
    Correction { what, to, text, consents: Vec::new(), motion, of, player, key, rules, until, address: None }
}

#[test]
fn a_correction_takes_a_seat_away() {
    let (_folder, game) = started();
    let seq = game.head_seq() + 1;
    // A seat that is handed over to another player must be free.
    let of = Some(Text::from("green".to_string()));
    let forged = Correction { of: of.clone(), player: Some("Anna".into()), ..correction(Correcting::Seat) };
    caught(&check_forged(&game, "host", None, Body::Correction(forged)), exit::CHAIN, seq);
    caught(
        &check_forged(&game, "host", None, Body::Correction(Correction { of, ..correction(Correcting::Seat) })),
        exit::CHAIN,
        seq,
    );
}

#[test]
fn an_undo_without_a_motion_and_a_roll_anew() {
    let (_folder, mut game) = started();
    let to = game.head_seq();
    game.say("roll 3");
    let seq = game.head_seq() + 1;
    let forged = Correction { to: Some(to), ..correction(Correcting::Undo) };
    caught(&check_forged(&game, "host", None, Body::Correction(forged)), exit::CHAIN, seq);
    game.agree(&Proposal { to: Some(to), ..Proposal::new(Correcting::Undo, "agreed") });
    assert_eq!(game.table.fold().ledger().unwrap().throws, 4, "throws are not taken back");
    let expected = foreseen(&game, 5);
    game.say("roll 3");
    let rolled = game.rolled(to + 1);
    assert_eq!(rolled.iter().map(|(n, ..)| *n).collect::<Vec<u32>>(), [4, 5]);
    assert_ne!(rolled[0].2, rolled[1].2);
    // The host knew what would come: the throw is counted as foreseen, and the undo is counted, too.
    let mut stream = expected.stream();
    assert_eq!(rolled[1].2, [(); 3].map(|()| stream.die(6)));
    named(&game.log(), &["1 undid something; 0 by the host alone"]);
}

/// A game that Bert adopts; Anna's consent is still missing.
fn adopted() -> (TempDir, Game) {
    let folder = tempfile::tempdir().unwrap();
    let charter = Charter { escrow: Some(Escrow::Seats), ..players(&["Anna", "Bert"]) };
    let Game { mut table, time } = Game::start_by(folder.path(), &charter, 51);
    table
        .change_secrets(|secrets| {
            (secrets.host_key, secrets.adopter) = (Some(sha256(b"key")), Some(sha256(b"adopter")));
        })
        .unwrap();
    drop(table);
    let mut game = Game { table: Table::open(folder.path(), TITLES).unwrap(), time };
    let now = game.now();
    game.table.adopt(&[BERT], "the host has vanished", now).unwrap();
    (folder, game)
}

#[test]
fn an_adopter_writes_the_consents_himself() {
    let (_folder, mut game) = adopted();
    let now = game.now();
    for via in [None, Some(Via::keyboard()), Some(letter("consent", game.head_seq()))] {
        let told = game.table.consent(ANNA, "these words are mine", via, now).unwrap_err().to_string();
        assert!(told.contains("would not verify"), "{told}");
    }
    // All that he can still do is to claim that she confirmed it.
    let via = Some(record_game::confirmed("consent", game.head_seq()));
    game.table.consent(ANNA, "these words are mine", via, now).unwrap();
    game.say("roll 1");
    named(&game.log(), &["for 3 of 3 contributions that is the host's word"]);
}

/// The asked seat answers by a letter that has seen everything.
fn says(game: &mut Game, line: &str, via: Option<Via>) {
    let (seat, now) = (game.asked().unwrap(), game.now());
    game.table.say(seat, line, via, now).unwrap();
}

fn seen_all(game: &Game, name: &str) -> Option<Via> {
    Some(letter(name, game.head_seq()))
}

/// A game of Risk where a player places battalions, and the territories in it.
fn risk() -> (TempDir, Game, Vec<String>) {
    let mut charter = charter_of("risk", 3, &[]);
    charter.seats[2].host = false;
    let folder = tempfile::tempdir().unwrap();
    let mut game = Game::start_by(folder.path(), &charter, 51);
    let mut chance = Practice::new(51);
    while question(&game) != Some("reinforcements") {
        let line = game.anything(&mut chance);
        let via = seen_all(&game, &format!("answer {}", game.time));
        says(&mut game, &line, via);
    }
    let facts = game.table.fold().facts().text().to_string();
    let lands = facts.lines().filter_map(|fact| fact.split_once(": "));
    let owned = |holding: &str| ["yellow ", "red ", "black "].iter().any(|seat| holding.starts_with(seat));
    let lands = lands.filter(|(_, holding)| owned(holding)).map(|(land, _)| land.to_string()).collect();
    (folder, game, lands)
}

fn question(game: &Game) -> Option<&'static str> {
    match game.table.fold().need() {
        Need::Question(question) => Some(question.id),
        _ => None,
    }
}

/// Places everything that is left in the first territory, and begins the first battle that one battalion can fight.
fn invades(game: &mut Game, lands: &[String], until: &str) {
    let seat = game.asked().unwrap();
    let own = lands.iter().find(|land| game.table.read(seat, &format!("place rest {land}")).is_ok()).unwrap();
    let via = seen_all(game, "the rest");
    says(game, &format!("place rest {own}"), via);
    assert_eq!((question(game), game.asked()), (Some("combat"), Some(seat)));
    let line = |(target, source): (&String, &String)| format!("attack {target} from {source} with 1{until}");
    let pairs = lands.iter().flat_map(|target| lands.iter().map(move |source| (target, source)));
    let line = pairs.map(line).find(|line| game.table.read(seat, line).is_ok()).unwrap();
    let via = seen_all(game, "an attack");
    says(game, &line, via);
}

/// Fights on with one battalion as long as the attacker is asked. The deadline of everybody else passes, without a
/// code.
fn fights(game: &mut Game, attacker: Seat) {
    loop {
        match (game.asked(), question(game)) {
            (Some(seat), Some("go-on")) if seat == attacker => {
                let via = seen_all(game, &format!("again {}", game.time));
                says(game, "again with 1", via);
            }
            (Some(seat), _) if seat != attacker => {
                let via = seen_all(game, &format!("ahead {}", game.time));
                says(game, "pass", via);
            }
            _ => return,
        }
    }
}

#[test]
fn a_player_cuts_what_he_says_into_parts() {
    let (_folder, mut whole, lands) = risk();
    let (_other, mut parts) = whole.copy();
    let (seat, from) = (whole.asked().unwrap(), whole.head_seq());
    let land = lands.iter().find(|land| whole.table.read(seat, &format!("place 3 {land}")).is_ok()).unwrap();
    let via = seen_all(&whole, "three");
    says(&mut whole, &format!("place 3 {land}"), via);
    for part in 0..3 {
        let via = seen_all(&parts, &format!("part {part}"));
        says(&mut parts, &format!("place 1 {land}"), via);
    }
    invades(&mut whole, &lands, " until 1 left");
    invades(&mut parts, &lands, "");
    fights(&mut whole, seat);
    fights(&mut parts, seat);
    let battles = |game: &Game| split(&game.log()).iter().filter(|record| record.contains("again with 1")).count();
    assert!(battles(&whole) == 0 && battles(&parts) > 0);
    let (whole, parts) = (whole.rolled(from + 1), parts.rolled(from + 1));
    assert!(whole.len() > 2, "{whole:?}");
    assert_eq!(whole, parts);
}

/// An answer by a deadline without a schedule, or one that nothing ties to its seat, is not accepted.
#[test]
fn an_answer_has_a_way_in_which_it_came() {
    let (_folder, mut game) = started();
    let via = seen_all(&game, "three");
    says(&mut game, "roll 3", via);
    let record = split(&game.log()).pop().unwrap();
    let via = &record[record.find("via:\n").unwrap()..record.find("said:").unwrap()];
    let seq = game.head_seq();
    caught(&check_with(&game, seq, via, "via:\n  by: \"deadline\"\n"), exit::MALFORMED, seq);
    caught(&check_with(&game, seq, via, "via:\n  by: \"bot\"\n"), exit::MALFORMED, seq);
    caught(&check_with(&game, seq, via, "via:\n  auth: \"keyboard\"\n"), exit::CHAIN, seq);
    caught(&check_with(&game, seq, via, ""), exit::CHAIN, seq);
}

#[test]
fn an_editor_moves_what_a_letter_had_seen() {
    let (_folder, mut game) = started();
    for _ in 0..4 {
        game.say("roll 1");
    }
    let head = game.head();
    assert_eq!(game.head_seq(), 7);
    // A letter cannot have seen later records.
    caught(&check_with(&game, 6, "seen: 5\n", "seen: 6\n"), exit::MALFORMED, 6);
    // An answer cannot have been written before its question was asked, either.
    caught(&check_with(&game, 6, "seen: 5\n", "seen: 2\n"), exit::MALFORMED, 6);
    caught(&check_with(&game, 6, "seen: 5\n", "seen: 4\n"), exit::MALFORMED, 6);
    // Everything else is the host's word, and `verify` says so; a player who saw the head can expose it.
    let mut records = split(&game.log());
    records[2] = records[2].replacen("seen: 0\n", "seen: 1\n", 1);
    let (mut log, mut prev) = (records[..3].concat(), sha256(records[2].as_bytes()));
    for record in &records[3..] {
        let old = record.lines().nth(2).unwrap();
        let record = record.replacen(old, &format!("prev: \"{prev}\""), 1);
        prev = sha256(record.as_bytes());
        log.push_str(&record);
    }
    named(
        log.as_bytes(),
        &[
            "the host together with Bert, who joined last, before the start",
            "for 2 of 2 contributions that is the host's word",
        ],
    );
    let seen = vec![Checkpoint { seq: Some(7), hash: head }];
    assert_eq!(check(log.as_bytes(), seen).exit_code(), exit::CONFLICT);
}

#[test]
fn a_log_is_cut_short_and_played_anew() {
    let (_folder, mut game) = started();
    let (_other, mut anew) = game.copy();
    game.say("roll 3");
    anew.say("roll 2");
    let seen = || vec![Checkpoint { seq: Some(game.head_seq()), hash: game.head() }];
    assert_eq!(check(&game.log(), seen()).exit_code(), exit::OK);
    let records = split(&game.log());
    let short = records[..records.len() - 1].concat();
    let shorter = check(short.as_bytes(), seen());
    assert_eq!(shorter.exit_code(), exit::MALFORMED, "{shorter}");
    assert!(shorter.to_text().contains("the log is shorter than it was"), "{shorter}");
    assert_eq!(check(&anew.log(), seen()).exit_code(), exit::CONFLICT);
}
