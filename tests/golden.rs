/*! The promise: logs that were made once, by real runs, and are never made again (`tests/promise`). Whatever changes,
both verifiers accept them, and refuse the spoilt ones for the same reason, with the same exit code and id.

`RINGMAIL_PROMISE=1 cargo test --test record golden` and `--test program by_letter` keep logs that are missing, and
write the list of spoilt ones if there is none. Neither ever replaces a file.
*/

use crate::amount::amount;
use crate::house::{agree, charter, secrets, table};
use crate::ids::{self, Who};
use crate::promised::{folder, keep, keep_file};
use crate::record_game::{self, Game};
use crate::second::{self, first, found_by, said};
use crate::tiny_title::{SECOND_EDITION, TITLES};
use crate::{needs, second_beacon};
use engine::chance::{Chance, Practice};
use engine::need::Need;
use engine::seat::Seat;
use engine::title::Title;
use ground::hash::{Hex, sha256};
use ground::stamp::Stamp;
use record::charter::schedule::{CharterSchedule, CharterSilence};
use record::charter::{Charter, CharterSeat};
use record::commit::signature::SigningKey;
use record::entry::body::{Correcting, Kind, Press, Silence, Votes, Welcome};
use record::file::secrets::Secrets;
use record::fold::clock::Countdown;
use record::fold::council::Proposal;
use record::table::Table;
use record::table::clock_acts::by_deadline;
use record::verify::{Errors, Wanted, verify};
use ringmail::titles;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Answers in the games of one switch each.
const ANSWERS: u32 = 10;
/// The spoilt logs that are kept.
const SPOILT: usize = 240;

/// The kept logs, by name.
fn logs() -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder()).unwrap().map(|file| file.unwrap().path());
    let logs = files.filter(|path| path.extension().is_some_and(|ending| ending == "yaml"));
    logs.map(|path| (path.file_stem().unwrap().to_str().unwrap().to_owned(), fs::read(path).unwrap())).collect()
}

fn at(minutes: u32) -> Stamp {
    Stamp::parse(&format!("2026-11-{:02}T{:02}:{:02}:00Z", 24 + minutes / 1440, minutes / 60 % 24, minutes % 60))
        .unwrap()
}

/// Makes the logs that are missing.
fn made() {
    let text = |log: Vec<u8>| String::from_utf8(log).unwrap();
    keep("eventful", &text(second::eventful()));
    keep("signed", &text(second::signed()));
    let folder = tempfile::tempdir().unwrap();
    keep("beacon", &second_beacon::played(folder.path()));
    keep("handover", &handed_over());
    for number in [1, 2] {
        keep_file(&format!("riddles-{number}.log"), &riddles(number == 2));
    }
    for title in titles::ALL.all() {
        for (number, (switch, value)) in choices(title).into_iter().enumerate() {
            keep(&format!("{}-{}-{}", title.id, switch.replace('_', "-"), value.replace(['_', '.'], "-")), &{
                let players = 2 + number % 3;
                (players..=4)
                    .chain(2..players)
                    .find_map(|players| one_of(title, switch, value, players))
                    .unwrap_or_else(|| panic!("{switch}: {value}"))
            });
        }
    }
}

/// Every switch of a title with every value that is not the usual one, and one game without any.
fn choices(title: &Title) -> Vec<(&'static str, &'static str)> {
    let others = |switch: &'static engine::title::Switch| switch.values[1..].iter().map(|value| (switch.name, *value));
    [("usual", "")].into_iter().chain(title.switches.iter().flat_map(others)).collect()
}

/// A short game with one choice; `None` if so many players cannot play it.
fn one_of(title: &Title, switch: &str, value: &str, players: usize) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let names = ["Frodo", "Sam", "Merry", "Pippin"];
    let seats = names[..players].iter().map(|name| charter::player(name));
    let options = if value.is_empty() { Vec::new() } else { charter::options(&[(switch, value)]) };
    let charter = Charter {
        options,
        press: [None, Some(Press::Anonymous), Some(Press::None)][players - 2],
        votes: (players == 3).then_some(Votes::Majority),
        welcome: (players == 4).then_some(Welcome::Watchers),
        ..charter::of(title.id, seats)
    };
    let secrets = Secrets { root: sha256(format!("{} {switch} {value}", title.id).as_bytes()), ..secrets::with_key() };
    let mut table = Table::create(folder.path(), &charter, secrets, at(0), titles::ALL).ok()?;
    table::join(&mut table, at(1), table::named);
    table.start(at(2)).unwrap();
    let mut chance = Practice::new(7);
    for number in 0..ANSWERS {
        let Need::Question(question) = table.fold().need() else { break };
        let line = table.fold().game().copy().say_anything(&mut chance, table.fold().faces()).sentence;
        let via = record_game::letter(&format!("letter {number}"), table.fold().head().seq);
        table.say(question.seat, &line, Some(via), at(3 + number)).unwrap();
    }
    table.reveal(at(30)).unwrap();
    table.end("one switch was tried", at(30)).unwrap();
    Some(fs::read_to_string(folder.path().join("log.yaml")).unwrap())
}

/// A game with deadlines and a pause, whose host gives it to another; who says an address and dates a key of the DNS.
fn handed_over() -> String {
    let folder = tempfile::tempdir().unwrap();
    let seats = [charter::player("Anna"), CharterSeat { host: true, ..charter::player("Bert") }];
    let silence = vec![CharterSilence { misses: 1, then: Silence::Default }];
    let schedule = CharterSchedule { answer: "3d".to_owned(), silence, ..CharterSchedule::default() };
    let charter = Charter { schedule: Some(schedule), ..charter::of("risk", seats) };
    let old = Secrets { root: sha256(b"handed over"), ..secrets::with_key() };
    let mut table = Table::create(folder.path(), &charter, old, at(0), titles::ALL).unwrap();
    table::join(&mut table, at(1), table::named);
    table.start(at(2)).unwrap();
    let mut chance = Practice::new(3);
    let mut minutes = 3;
    let mut answers = |table: &mut Table, minutes: &mut u32, count: u32| {
        for _ in 0..count {
            let Need::Question(question) = table.fold().need() else { break };
            *minutes += 1;
            let line = table.fold().game().copy().say_anything(&mut chance, table.fold().faces()).sentence;
            let via = record_game::letter(&format!("letter {minutes}"), table.fold().head().seq);
            table.say(question.seat, &line, Some(via), at(*minutes)).unwrap();
        }
    };
    answers(&mut table, &mut minutes, 8);
    let anna = Seat(1);
    let confirmed = |table: &Table, what: &str| Some(record_game::confirmed(what, table.fold().head().seq));
    let via = confirmed(&table, "address");
    table.change_address(anna, sha256(b"the new address"), via, at(minutes)).unwrap();
    table.date_key(sha256(b"a key of the DNS"), at(minutes)).unwrap();
    for what in [Correcting::Pause, Correcting::Resume] {
        agree(&mut table, &Proposal::new(what, "a holiday"), at(minutes));
    }
    let key = SigningKey::of_seed(&Hex([8; 32])).public;
    table.hand_host_over(key, &[Seat(2)], "another has more time", &[], at(minutes)).unwrap();
    table.change_secrets(|secrets| secrets.host_key = Some(Hex([8; 32]))).unwrap();
    answers(&mut table, &mut minutes, 6);
    while table.fold().asked().is_some_and(|question| question.seat != anna) {
        answers(&mut table, &mut minutes, 1);
    }
    minutes += 4 * 1440;
    let Some(Countdown::Until { due, .. }) = table.fold().countdown() else { panic!("a deadline runs") };
    table.lapse(due, at(minutes)).unwrap();
    let least = table.fold().plan().title.orders.least;
    if let Some(line) = least.iter().find(|line| table.read(anna, line).is_ok()) {
        table.say(anna, line, Some(by_deadline()), at(minutes)).unwrap();
    }
    let via = confirmed(&table, "concede");
    table.concede(anna, Some("it is late"), via, at(minutes)).unwrap();
    table.reveal(at(minutes)).unwrap();
    table.end("", at(minutes)).unwrap();
    fs::read_to_string(folder.path().join("log.yaml")).unwrap()
}

/// A spoilt copy of a kept log: a line of a record is another one, is left out, or stands twice. The list of these is
/// itself never made again.
struct Spoilt {
    log: String,
    record: usize,
    line: usize,
    change: Change,
    /// Whether the chain was hashed anew behind it, as a forger would.
    anew: bool,
    code: u8,
    id: String,
}

enum Change {
    To(String),
    Gone,
    Twice,
}

impl Spoilt {
    /// The log that it is.
    fn bytes(&self, logs: &BTreeMap<String, Vec<u8>>) -> Vec<u8> {
        let mut records = second::split(&logs[&self.log]);
        let mut lines: Vec<String> = records[self.record].lines().map(str::to_owned).collect();
        match &self.change {
            Change::To(to) => lines[self.line] = to.clone(),
            Change::Gone => drop(lines.remove(self.line)),
            Change::Twice => lines.insert(self.line, lines[self.line].clone()),
        }
        records[self.record] = lines.join("\n") + "\n";
        if self.anew {
            second::hash_anew(&mut records, self.record + 1);
        }
        records.concat().into_bytes()
    }

    /// A row of the list.
    fn row(&self) -> String {
        let Spoilt { log, record, line, anew, code, id, .. } = self;
        let anew = if *anew { "anew" } else { "as-it-was" };
        let change = match &self.change {
            Change::To(to) => format!("to\t{to}"),
            Change::Gone => "gone\t".to_owned(),
            Change::Twice => "twice\t".to_owned(),
        };
        format!("{code}\t{id}\t{log}\t{record}\t{line}\t{anew}\t{change}\n")
    }

    fn of_row(row: &str) -> Spoilt {
        let cells: Vec<&str> = row.splitn(8, '\t').collect();
        let [code, id, log, record, line, anew, how, to] = cells.as_slice() else { panic!("{row}") };
        let change = match *how {
            "to" => Change::To((*to).to_owned()),
            "gone" => Change::Gone,
            "twice" => Change::Twice,
            other => panic!("{other}"),
        };
        Spoilt {
            log: (*log).to_owned(),
            record: record.parse().unwrap(),
            line: line.parse().unwrap(),
            change,
            anew: *anew == "anew",
            code: code.parse().unwrap(),
            id: (*id).to_owned(),
        }
    }
}

/// Writes the list of spoilt logs, if there is none: at most one for each rule, key and type of record.
fn spoilt_once(logs: &BTreeMap<String, Vec<u8>>) {
    let path = folder().join("spoilt.tsv");
    if std::env::var_os("RINGMAIL_PROMISE").is_none() || path.exists() {
        return;
    }
    let mut chance = Practice::new(17);
    let names: Vec<&String> = logs.keys().collect();
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    let pick = |chance: &mut Practice, below: usize| chance.below(u32::try_from(below).unwrap()) as usize;
    for number in 0..SPOILT * 40 {
        let log = names[number % names.len()].clone();
        let records = second::split(&logs[&log]);
        let record = if chance.below(4) == 0 { records.len() - 1 } else { pick(&mut chance, records.len()) };
        let lines: Vec<&str> = records[record].lines().collect();
        let line = pick(&mut chance, lines.len());
        let Some((key, value)) = lines[line].split_once(": ") else { continue };
        let change = match chance.below(8) {
            0 => Change::Gone,
            1 => Change::Twice,
            _ => Change::To(format!("{key}: {}", second::another(value, &mut chance))),
        };
        let kind = lines[4].to_owned();
        let mut spoilt = Spoilt { log, record, line, change, anew: chance.below(5) > 0, code: 0, id: String::new() };
        let report = first(&spoilt.bytes(logs));
        let Some(finding) = report.findings.first() else { continue };
        spoilt.code = report.exit_code();
        spoilt.id = finding.problem.rule().id().to_owned();
        if seen.insert((kind, key.trim().to_owned(), spoilt.id.clone())) {
            found.push(spoilt);
        }
        if found.len() == SPOILT {
            break;
        }
    }
    fs::write(path, found.iter().map(Spoilt::row).collect::<String>()).unwrap();
}

#[test]
fn no_log_of_the_promise_changes() {
    made();
    spoilt_once(&logs());
    let files = fs::read_dir(folder()).unwrap().map(|file| file.unwrap().path());
    let names: BTreeSet<String> = files.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    let kept = names.iter().filter(|name| *name != "SHA256SUMS");
    let sums: String =
        kept.map(|name| format!("{}  {name}\n", sha256(&fs::read(folder().join(name)).unwrap()))).collect();
    if std::env::var_os("RINGMAIL_PROMISE").is_some() {
        fs::write(folder().join("SHA256SUMS"), &sums).unwrap();
    }
    assert_eq!(fs::read_to_string(folder().join("SHA256SUMS")).unwrap(), sums, "a kept log is never made again");
    let page = fs::read_to_string(folder().join("../../games/README.md")).unwrap();
    let sum = sha256(sums.as_bytes()).to_string();
    assert!(page.contains(&sum), "the page promises other logs than those with the sum {sum}");
}

#[test]
fn both_verifiers_accept_every_log_of_the_promise() {
    if !needs::programs(&["node"]) {
        return;
    }
    for (name, log) in logs() {
        let report = first(&log);
        let line = said(&[folder().join(format!("{name}.yaml"))]).remove(0);
        let head = report.head.unwrap().hash.to_string();
        assert!(report.is_ok() && line.starts_with("OK ") && line.ends_with(&head), "{name}: {line}\n{report}");
    }
}

#[test]
fn both_verifiers_refuse_every_spoilt_log_of_the_promise_for_the_same_reason() {
    if !needs::programs(&["node"]) {
        return;
    }
    let (logs, who) = (logs(), ids::who());
    let list = fs::read_to_string(folder().join("spoilt.tsv")).unwrap();
    let spoilt: Vec<Spoilt> = list.lines().map(Spoilt::of_row).collect();
    assert!(spoilt.len() >= 200, "{}", spoilt.len());
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("spoilt.yaml");
    for one in &spoilt {
        let log = one.bytes(&logs);
        let report = first(&log);
        let found = report.findings.first().map(|finding| finding.problem.rule().id());
        assert_eq!((report.exit_code(), found), (one.code, Some(&*one.id)), "{}{report}", one.row());
        fs::write(&path, &log).unwrap();
        let line = said(std::slice::from_ref(&path)).remove(0);
        // What takes the rules of the game the checker does not see; it may find what follows from it later.
        if who[&one.id] == Who::Both {
            assert_eq!(found_by(&line), (one.code, Some(&*one.id)), "{}{line}", one.row());
        }
    }
}

/// Tampered copies of all of them, with lines ahead, orders and receipts in some; by night twenty thousand.
#[test]
fn both_verifiers_agree_on_tampered_copies_of_the_promise() {
    if !needs::programs(&["node"]) {
        return;
    }
    let games: Vec<Vec<String>> = logs().values().map(|log| second::split(log)).collect();
    second::agree_on_mutants(&games, 35, amount(300, 20_000));
}

/// A game of the small title by the first edition of its rules, or, as all agree at once, by the second.
fn riddles(is_second: bool) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut game = Game::start(folder.path(), 2, "6", 5);
    if is_second {
        let rules = Some(SECOND_EDITION.to_owned());
        game.agree(&Proposal { rules, ..Proposal::new(Correcting::Rules, "a roll counts twice") });
    }
    while game.asked().is_some() {
        let line = if game.table.fold().waits_for().ends_with("(riddle)") { "roll 2" } else { "no" };
        game.say(line);
    }
    let now = game.now();
    game.table.reveal(now).unwrap();
    game.table.end("", now).unwrap();
    fs::read_to_string(folder.path().join("log.yaml")).unwrap()
}

/// The second edition of the small title counts a roll twice. Logs of both are followed by their own, side by side.
#[test]
fn a_second_edition_leaves_the_logs_of_the_first_as_they_are() {
    for number in [1, 2] {
        let log = fs::read_to_string(folder().join(format!("riddles-{number}.log"))).unwrap();
        assert!(log.contains(&format!("\nrules: \"riddles/{number}\"\n")), "{log}");
        let (file, errors) = ("log.yaml".to_owned(), Errors::First);
        let wanted = Wanted { file, titles: TITLES, errors, seen: Vec::new(), progress: &mut |_| {} };
        let report = verify(log.as_bytes(), wanted).unwrap();
        assert!(report.is_ok() && report.table.as_ref().unwrap().over, "{report}");
        let roll = log.split_inclusive("\n...\n").find(|record| record.contains("label: \"roll\"")).unwrap();
        let value = |key: &str| roll.split_once(key).unwrap().1;
        let faces = value("faces: [").split_once(']').unwrap().0;
        let points: u32 = faces.split(", ").map(|face| face.parse::<u32>().unwrap()).sum();
        let counted = value("\"points.").split_once(": ").unwrap().1.split_once('"').unwrap().0;
        assert_eq!(counted.parse(), Ok(points * number), "{roll}");
    }
}

/// The kept logs have every type of record, every class, both modes of dice, games of two, three and four, and every
/// value of every switch.
#[test]
fn the_promise_is_about_everything_that_a_log_can_have() {
    let logs = logs();
    let all: String = logs.values().map(|log| String::from_utf8_lossy(log)).collect();
    for kind in Kind::ALL {
        assert!(all.contains(&format!("\ntype: \"{}\"\n", kind.word())), "no `{}`", kind.word());
    }
    for class in ["keyboard", "token", "confirmed", "dkim", "ssh"] {
        assert!(all.contains(&format!("\n  auth: \"{class}\"\n")), "no `{class}`");
    }
    for by in ["standing", "deadline", "bot"] {
        assert!(all.contains(&format!("\n  by: \"{by}\"\n")), "no `{by}`");
    }
    for mode in ["chain", "beacon"] {
        assert!(all.contains(&format!("\n  mode: \"{mode}\"\n")), "no `{mode}`");
    }
    for what in ["undo", "seat", "pause", "resume"] {
        assert!(all.contains(&format!("\nwhat: \"{what}\"\n")), "no `{what}`");
    }
    let players: BTreeSet<usize> = logs.values().map(|log| first(log).table.unwrap().seats.len()).collect();
    assert_eq!(players, BTreeSet::from([2, 3, 4]));
    for title in titles::ALL.all() {
        for (switch, value) in choices(title).into_iter().skip(1) {
            let chosen = format!("  - name: \"{switch}\"\n    value: \"{value}\"\n");
            assert!(all.contains(&chosen), "{}: no {chosen}", title.id);
        }
    }
}
