/*! The checker, `templates/check/check.js`, which is written from `games/README.md` alone, agrees with `verify`: on the
sample games, on the test vectors of that page, and on tampered copies of the games. It finds every change that can be
found without the rules. One process of node answers for all logs.
*/

use crate::house::{charter, secrets, table};
use crate::ids::{self, Who};
use crate::needs;
use engine::chance::{Chance, Practice};
use engine::need::Need;
use engine::seat::Seat;
use ground::files::LOG;
use ground::hash::{Hash, Hex, sha256};
use ground::stamp::Stamp;
use record::charter::{Charter, CharterSeat};
use record::commit::signature::{ORDER, SigningKey};
use record::commit::signed::{Part, SignedOn, SignedOrder, SignedSentence};
use record::entry::body::{Auth, Ballot, By, Correcting, Escrow, Played, Via};
use record::file::secrets::Secrets;
use record::file::stream::Records;
use record::fold::council::Proposal;
use record::problem::exit;
use record::table::agreement::HandedOver;
use record::table::{Joining, Table};
use record::verify::report::Report;
use record::verify::{Errors, Wanted, verify};
use ringmail::titles;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// Most of them end before this record, so that checking them is fast.
const RECORDS: usize = 200;

/// Tampered copies of the games of a test: a hundred, and three times as many with `RINGMAIL_LONG=1`.
fn number_of_mutants() -> usize {
    crate::amount::amount(100, 300)
}

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

/// The checker as a process that answers one path after the other.
struct Checker {
    process: Child,
    lines: BufReader<ChildStdout>,
}

impl Checker {
    fn start() -> Checker {
        let mut node = node(&["templates/check/check.js", "--paths"]);
        let mut process = node.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("node is there");
        // It ends with the tests, when nothing more can come.
        let lines = BufReader::new(process.stdout.take().unwrap());
        Checker { process, lines }
    }

    fn ask(&mut self, log: &Path) -> String {
        writeln!(self.process.stdin.as_ref().unwrap(), "{}", log.display()).unwrap();
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }
}

fn node(arguments: &[&str]) -> Command {
    let mut node = Command::new("node");
    node.current_dir(root()).args(arguments);
    node
}

/// What the checker says of each log, in a line.
pub fn said(logs: &[PathBuf]) -> Vec<String> {
    static CHECKER: Mutex<Option<Checker>> = Mutex::new(None);
    let mut checker = CHECKER.lock().unwrap_or_else(PoisonError::into_inner);
    let checker = checker.get_or_insert_with(Checker::start);
    logs.iter().map(|log| checker.ask(log)).collect()
}

/// The exit code that a line of the checker names, and the id of the rule.
pub fn found_by(line: &str) -> (u8, Option<&str>) {
    match line.rsplit_once(", exit code ") {
        Some((_, found)) if line.starts_with("FAIL ") => {
            let (code, id) = found.split_once(' ').unwrap();
            (code.parse().unwrap(), id.strip_prefix('[').and_then(|id| id.strip_suffix(']')))
        }
        _ => {
            assert!(line.starts_with("OK "), "{line:?}");
            (exit::OK, None)
        }
    }
}

/// The exit code alone.
pub fn code_of(line: &str) -> u8 {
    found_by(line).0
}

/// The same with its exit code.
fn verdicts(logs: &[PathBuf]) -> Vec<(u8, String)> {
    said(logs).into_iter().map(|line| (code_of(&line), line)).collect()
}

pub fn first(log: &[u8]) -> Report {
    let (file, errors) = (LOG.to_string(), Errors::First);
    let wanted = Wanted { file, titles: titles::ALL, errors, seen: Vec::new(), progress: &mut |_| {} };
    verify(log, wanted).unwrap()
}

pub fn split(log: &[u8]) -> Vec<String> {
    let mut records = Records::new(log);
    let mut texts = Vec::new();
    while let Some(record) = records.next().unwrap() {
        texts.push(String::from_utf8(record.bytes.to_vec()).unwrap());
    }
    texts
}

/// A copy of a log in which one value was changed, or its line left out or written twice.
struct Mutant {
    log: Vec<u8>,
    /// The change, for messages.
    what: String,
}

impl Mutant {
    fn of(records: &[String], chance: &mut Practice) -> Mutant {
        let pick = |chance: &mut Practice, below: usize| chance.below(u32::try_from(below).unwrap()) as usize;
        // Some are complete, with the published secrets, and some are little more than the set-up.
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
        let (key, value) = (key.to_string(), value.to_string());
        let done = match chance.below(8) {
            0 => {
                lines.remove(line);
                format!("no {key}")
            }
            1 => {
                lines.insert(line, lines[line].clone());
                format!("{key} twice")
            }
            _ => {
                lines[line] = format!("{key}: {}", another(&value, chance));
                lines[line].clone()
            }
        };
        let anew = chance.below(3) > 0;
        let how = if anew { ", with the chain hashed anew" } else { "" };
        let what = format!("record {seq} of {end}: {done} instead of {key}: {value}{how}");
        lines.push(String::new());
        records[seq] = lines.join("\n");
        if anew {
            hash_anew(&mut records, seq + 1);
        }
        Mutant { log: records.concat().into_bytes(), what }
    }
}

/// Another value, with one letter or digit changed.
pub fn another(value: &str, chance: &mut Practice) -> String {
    match value {
        "true" => return "false".to_string(),
        "false" => return "true".to_string(),
        _ => {}
    }
    let places: Vec<usize> =
        value.char_indices().filter(|(_, c)| c.is_ascii_alphanumeric()).map(|(at, _)| at).collect();
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

/// Puts the right hashes into the records from `from` on, like a forger.
pub fn hash_anew(records: &mut [String], from: usize) {
    for seq in from..records.len() {
        let prev = sha256(records[seq - 1].as_bytes());
        let lines = records[seq]
            .lines()
            .map(|line| if line.starts_with("prev: ") { format!("prev: \"{prev}\"\n") } else { format!("{line}\n") });
        let mut record: String = lines.collect();
        if let Some(at) = record.rfind("\nclosing: ") {
            record.truncate(at + 1);
            let closing: Hash = sha256(record.as_bytes());
            record.push_str(&format!("closing: \"{closing}\"\n...\n"));
        }
        records[seq] = record;
    }
}

/// A game with everything that players can agree on, played by letters of two sentences each and in other ways.
struct Eventful {
    table: Table,
    chance: Practice,
    seconds: u32,
}

impl Eventful {
    /// Three players, with shares of the root.
    fn start(folder: &Path) -> Eventful {
        let seats = ["Anna", "Bert", "Cara"].map(charter::player);
        let charter =
            Charter { name: "eventful".to_string(), escrow: Some(Escrow::Seats), ..charter::of("risk", seats) };
        let table = Table::create(folder, &charter, secrets(None), at(0), titles::ALL).unwrap();
        let mut game = Eventful { table, chance: Practice::new(9), seconds: 0 };
        for number in [2, 3, 1] {
            let message = sha256(format!("{number}@mail.example").as_bytes());
            let joining = Joining { message, ..Joining::default() };
            let via = game.letter("join");
            let now = game.now();
            game.table.join(Seat(number), &joining, Some(via), now).unwrap();
        }
        let now = game.now();
        game.table.start(now).unwrap();
        game
    }

    fn now(&mut self) -> Stamp {
        self.seconds += 1;
        at(self.seconds)
    }

    fn letter(&self, what: &str) -> Via {
        let raw = Some(sha256(format!("{what} {}", self.seconds / 2).as_bytes()));
        Via { raw, seen: Some(self.table.fold().head().seq), auth: Some(Auth::Confirmed), ..Via::default() }
    }

    /// A letter of the third seat that signs these words.
    fn signed_letter(&self, key: &SigningKey, part: Part, words: &str) -> Via {
        let fold = self.table.fold();
        let on = SignedOn { seq: fold.head().seq, head: fold.head().hash };
        let (game, seat, words) = (fold.plan().game, fold.plan().word(Seat(3)).to_string(), words.to_string());
        let sentence = SignedSentence { game, seat, on, part, number: 1, of: 1, words };
        let signature = key.sign(ORDER, sentence.to_string().as_bytes());
        let signed = Some(SignedOrder { sentence, signature }.in_record());
        Via { auth: Some(Auth::Ssh), signed, ..self.letter("signed") }
    }

    /// `count` answers: by letter, at a keyboard, or by a program.
    fn answers(&mut self, count: u32) {
        for _ in 0..count {
            let Need::Question(question) = self.table.fold().game().need() else { return };
            let mut game = self.table.fold().game().copy();
            let line = game.say_anything(&mut self.chance, self.table.fold().faces()).sentence;
            let via = match self.chance.below(8) {
                0 | 1 if self.table.fold().may_type(question.seat) => Via::by(By::Bot),
                2 if self.table.fold().may_type(question.seat) => Via::keyboard(),
                _ => self.letter("letter"),
            };
            let now = self.now();
            self.table.say(question.seat, &line, Some(via), now).unwrap();
        }
    }

    /// A motion, and the votes of the others for it.
    fn agree(&mut self, mover: u8, what: Correcting, to: Option<u64>) {
        let proposal = Proposal { to, ..Proposal::new(what, "better so") };
        let (via, now) = (self.letter("motion"), self.now());
        let motion = self.table.propose(Seat(mover), &proposal, Some(via), now).unwrap()[0].seq;
        for seat in (1..=3).rev().filter(|seat| *seat != mover) {
            let (via, now) = (self.letter("vote"), self.now());
            self.table.vote(Seat(seat), motion, Ballot::Yes, Some(via), now).unwrap();
        }
        assert_eq!(self.table.fold().council().motion(motion), None, "it was carried and done");
    }

    /// The host has vanished, and Anna continues from the log and the root.
    fn adopt(self, folder: &Path) -> Eventful {
        fs::create_dir_all(folder).unwrap();
        fs::copy(self.table.drawer().path().join(LOG), folder.join(LOG)).unwrap();
        secrets(Some(sha256(b"adopter"))).create(folder).unwrap();
        let table = Table::open(folder, titles::ALL).unwrap();
        let mut game = Eventful { table, ..self };
        let now = game.now();
        game.table.adopt(&[Seat(1)], "the host has not answered since May", now).unwrap();
        for seat in [3, 2] {
            let (via, now) = (game.letter("consent"), game.now());
            let phrase = if seat == 3 { "" } else { "mûmakil" };
            game.table.consent(Seat(seat), phrase, Some(via), now).unwrap();
        }
        game
    }

    fn log(&self) -> Vec<u8> {
        fs::read(self.table.drawer().path().join(LOG)).unwrap()
    }
}

fn secrets(adopter: Option<Hash>) -> Secrets {
    let key: &[u8] = if adopter.is_some() { b"new" } else { b"old" };
    Secrets { host_key: Some(sha256(key)), adopter, ..secrets::usual() }
}

fn at(seconds: u32) -> Stamp {
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    Stamp::parse(&format!("2026-11-24T{hours:02}:{minutes:02}:{seconds:02}Z")).unwrap()
}

/// The log of such a game, to its end.
pub fn eventful() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let mut game = Eventful::start(&folder.path().join("old"));
    game.answers(20);
    let now = game.now();
    game.table
        .leave_order(Seat(2), "when asked cards say pass until 2026-11-23", Some(game.letter("order")), now)
        .unwrap();
    game.table.cancel_order(Seat(2), 1, Some(game.letter("cancel")), now).unwrap();
    let to = game.table.fold().head().seq;
    game.answers(9);
    game.agree(1, Correcting::Undo, Some(to));
    game.answers(15);
    game.answers(30);
    game.answers(20);
    game.agree(1, Correcting::Pause, None);
    game.agree(1, Correcting::Resume, None);
    let now = game.now();
    let (player, text) = ("Déagol".to_string(), "a new player".to_string());
    game.table.give_away(Seat(2), game.letter("I give it away"), now).unwrap();
    game.table.hand_over(&HandedOver { seat: Seat(2), player, text }, now).unwrap();
    game.table.hear(Seat(1), Some(game.letter("heard")), now).unwrap();
    game.table
        .announce_keys(Seat(1), &[SigningKey::of_seed(&Hex([9; 32])).public], Some(game.letter("keys")), now)
        .unwrap();
    game.table.dispute(Seat(1), to, "I never agreed", Some(game.letter("dispute")), now).unwrap();
    game.table.absent(Seat(1), "2026-12-24", "2026-12-26", Some(game.letter("absent")), now).unwrap();
    game.table.unreachable(Seat(2), "its mailbox is full", now).unwrap();
    game.answers(15);
    let mut game = game.adopt(&folder.path().join("new"));
    game.answers(10);
    let now = game.now();
    game.table.leave_order(Seat(3), "when asked cards say pass", Some(game.letter("order")), now).unwrap();
    game.table
        .leave_order(Seat(2), "when asked cards say pass until 2026-11-23", Some(game.letter("order")), now)
        .unwrap();
    game.answers(200);
    let now = game.now();
    game.table.reveal(now).unwrap();
    game.table.end("nobody had time", now).unwrap();
    game.log()
}

/// A game in which a player signs an answer and a request.
pub fn signed() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let mut game = Eventful::start(folder.path());
    let key = SigningKey::of_seed(&Hex([9; 32]));
    let now = game.now();
    game.table.announce_keys(Seat(3), std::slice::from_ref(&key.public), Some(game.letter("keys")), now).unwrap();
    loop {
        let Need::Question(question) = game.table.fold().game().need() else { panic!("a question is asked") };
        if question.seat == Seat(3) {
            break;
        }
        game.answers(1);
    }
    let mut copy = game.table.fold().game().copy();
    let line = copy.say_anything(&mut game.chance, game.table.fold().faces()).sentence;
    let (via, now) = (game.signed_letter(&key, Part::Line, &line), game.now());
    game.table.say(Seat(3), &line, Some(via), now).unwrap();
    let (via, now) = (game.signed_letter(&key, Part::Request, "dispute 4: I never agreed"), game.now());
    game.table.dispute(Seat(3), 4, "I never agreed", Some(via), now).unwrap();
    game.answers(3);
    game.log()
}

#[test]
fn both_verifiers_agree_on_a_game_in_which_everything_happens() {
    if !needs::programs(&["node"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let log = eventful();
    let path = folder.path().join(LOG);
    fs::write(&path, &log).unwrap();
    let report = first(&log);
    let (code, line) = verdicts(&[path]).remove(0);
    assert!(report.is_ok() && code == exit::OK, "{line}\n{report}");
    agree_on_mutants(&[split(&log)], 7, number_of_mutants());
}

#[test]
fn the_checker_agrees_with_the_test_vectors() {
    if !needs::programs(&["node"]) {
        return;
    }
    let output = node(&["tests/second/vectors.js"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// It exits with the code of the worst log, and says its own hash.
#[test]
fn the_checker_is_a_program() {
    if !needs::programs(&["node"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &[u8]| {
        let file = folder.path().join(name);
        fs::write(&file, text).unwrap();
        file.display().to_string()
    };
    let log = fs::read(&samples()[0]).unwrap();
    let (sound, rubbish) = (file("sound", &log), file("rubbish", b"hello\n"));
    let mut records = split(&log);
    records[9] = records[9].replace("seq: 9\n", "seq: 8\n");
    let unchained = file("unchained", records.concat().as_bytes());
    let absent = folder.path().join("absent").display().to_string();
    let exits = |arguments: &[&str]| node(&[&["templates/check/check.js"], arguments].concat()).output().unwrap();
    for (logs, code) in [
        (vec![&sound], exit::OK),
        (vec![&sound, &absent], 1),
        (vec![&absent, &rubbish, &sound], exit::MALFORMED),
        (vec![&unchained, &sound], exit::MALFORMED),
    ] {
        let logs: Vec<&str> = logs.into_iter().map(String::as_str).collect();
        assert_eq!(exits(&logs).status.code(), Some(i32::from(code)), "{logs:?}");
    }
    assert_eq!(exits(&["--what"]).status.code(), Some(2));
    let hash = sha256(&fs::read(root().join("templates/check/check.js")).unwrap());
    assert_eq!(String::from_utf8_lossy(&exits(&["--hash"]).stdout).trim(), hash.to_string());
}

#[test]
fn the_checker_finds_no_fault_in_the_sample_games() {
    if !needs::programs(&["node"]) {
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
    if !needs::programs(&["node"]) {
        return;
    }
    let games: Vec<Vec<String>> = samples().iter().map(|log| split(&fs::read(log).unwrap())).collect();
    agree_on_mutants(&games, 11, number_of_mutants());
}

/// Checks tampered copies of games with both verifiers: both find in the same way what can be found without the
/// rules; and if this one finds nothing, the other finds nothing either.
pub fn agree_on_mutants(games: &[Vec<String>], seed: u64, count: usize) {
    let folder = tempfile::tempdir().unwrap();
    let mut chance = Practice::new(seed);
    let mut logs = Vec::new();
    let mut mutants = Vec::new();
    for number in 0..count {
        let mutant = Mutant::of(&games[number % games.len()], &mut chance);
        logs.push(folder.path().join(format!("{number}.yaml")));
        fs::write(&logs[number], &mutant.log).unwrap();
        mutants.push(mutant);
    }
    let who = ids::who();
    let mut found = 0;
    for (mutant, (code, line)) in mutants.iter().zip(verdicts(&logs)) {
        let report = first(&mutant.log);
        let what = format!("{}\n{line}\n{report}", mutant.what);
        let Some(finding) = report.findings.first() else {
            assert_eq!(code, exit::OK, "the checker alone finds fault: {what}");
            continue;
        };
        let rule = finding.problem.rule();
        if who[rule.id()] == Who::Both {
            assert_eq!(found_by(&line), (report.exit_code(), Some(rule.id())), "{what}");
            found += 1;
        }
    }
    assert!(found > count / 2, "only {found} of {count} were compared");
}

/// A game of a player and a program, in which the player takes something back by himself.
pub fn with_a_program() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let program = CharterSeat { played: Some(Played::Program), ..charter::player("the program") };
    let charter = Charter { name: "alone".to_string(), ..charter::of("risk", [program, charter::player("Anna")]) };
    let folder = folder.path().join("alone");
    let mut table = Table::create(&folder, &charter, secrets(None), at(0), titles::ALL).unwrap();
    let by = |number: u32, seen, auth| Via::letter(sha256(&number.to_be_bytes()), seen, auth);
    let letter = |number, seen| by(number, seen, Auth::Token);
    table::join(&mut table, at(1), |_| Joining { message: sha256(b"1@mail.example"), ..Joining::default() });
    table.start(at(2)).unwrap();
    let mut chance = Practice::new(4);
    for number in 1..60 {
        let Need::Question(question) = table.fold().need() else { break };
        let (seen, now) = (table.fold().head().seq, at(2 + number));
        match question.seat {
            Seat(1) => drop(table.answer_for(Seat(1), By::Bot, now).unwrap()),
            seat => {
                let said = table.fold().game().any_sentence(&mut chance, table.fold().faces()).sentence;
                table.say(seat, &said, Some(letter(number, seen)), now).unwrap();
            }
        }
        if number == 40 {
            let undo = Proposal { to: Some(seen), ..Proposal::new(Correcting::Undo, "a slip") };
            table.propose(Seat(2), &undo, Some(by(1_000, seen, Auth::Confirmed)), now).unwrap();
        }
    }
    table.reveal(at(90)).unwrap();
    table.end("nobody had time", at(90)).unwrap();
    fs::read(folder.join(LOG)).unwrap()
}

#[test]
fn both_verifiers_agree_on_a_game_with_a_program() {
    if !needs::programs(&["node"]) {
        return;
    }
    let log = with_a_program();
    let report = first(&log);
    assert!(report.is_ok() && String::from_utf8_lossy(&log).contains("played: \"program\""), "{report}");
    agree_on_mutants(&[split(&log)], 11, number_of_mutants() / 2);
}
