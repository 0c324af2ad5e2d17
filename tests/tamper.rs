//! Every value of every kind of record is changed, alone and with the chain hashed anew behind it: `verify` never
//! says OK.

use crate::record_game::{Game, split};
use crate::tiny_title::SECOND_EDITION;
use crate::tiny_title::TITLES;
use engine::seat::Seat;
use ground::hash::{Hash, Hex, sha256};
use record::commit::signature::SigningKey;
use record::entry::Entry;
use record::entry::body::{Auth, Correcting, Kind, Via};
use record::fold::council::Proposal;
use record::problem::{Check, Problem, exit};
use record::table::agreement::HandedOver;
use record::verify::report::Report;
use record::verify::{Checkpoint, Errors, Proofs, Wanted, verify, verify_with};
use std::collections::BTreeSet;

/// Checks a log. Half of the logs are first read once, as a stream; the others are read as files, and first followed
/// with what they publish. For one log in eight, both must find the same.
fn check(log: &[u8], errors: Errors, seen: Vec<Checkpoint>) -> Report {
    let number = sha256(log).0[0];
    let once = (number % 8 < 5).then(|| {
        let (seen, progress) = (seen.clone(), &mut |_| {});
        let wanted = Wanted { file: "log.yaml".to_string(), titles: TITLES, errors, seen, progress };
        verify_with(log, wanted, Proofs::default()).unwrap()
    });
    // A stream cannot find what only the published books and lines show.
    let once = match once {
        Some(once) if number % 8 < 4 && !once.findings.is_empty() => return once,
        once => once.filter(|once| !once.findings.is_empty()),
    };
    let progress = &mut |_| {};
    let report = verify(log, Wanted { file: "log.yaml".to_string(), titles: TITLES, errors, seen, progress }).unwrap();
    if let Some(once) = once {
        assert_eq!(once.findings, report.findings, "{once}\n\n{report}");
    }
    report
}

/// A letter of a seat with a confirmed line.
fn by_letter() -> Option<Via> {
    Some(Via::letter(sha256(b"letter"), 3, Auth::Confirmed))
}

/// A game with every kind of record in it.
fn log_with_everything() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let mut game = Game::start(folder.path(), 3, "60", 21);
    let asked = |game: &Game| game.asked().unwrap();
    let first = asked(&game);
    let hosted = Seat(3);
    let now = game.now();
    game.table.hear(Seat(1), by_letter(), now).unwrap();
    let now = game.now();
    let order =
        |seat: Seat| if seat == first { "when asked riddle say roll 2 once" } else { "when asked answer say yes" };
    for seat in [Seat(1), Seat(2)] {
        game.table.leave_order(seat, order(seat), by_letter(), now).unwrap();
    }
    let now = game.now();
    game.table.leave_order(hosted, "when asked answer say yes until 2026-11-23", by_letter(), now).unwrap();
    game.table.leave_order(hosted, "when asked answer say no until 2026-11-23", by_letter(), now).unwrap();
    game.table.cancel_order(hosted, 2, by_letter(), now).unwrap();
    let to = game.table.fold().head().seq;
    while asked(&game) == Seat(2) {
        let now = game.now();
        game.table.say(Seat(2), "pass", by_letter(), now).unwrap();
    }
    game.say("roll 1");
    game.agree(&Proposal { to: Some(to), ..Proposal::new(Correcting::Undo, "agreed") });
    let now = game.now();
    game.table.note("a note of the host", now).unwrap();
    game.table.absent(Seat(1), "2026-12-24", "2026-12-26", by_letter(), now).unwrap();
    game.table.unreachable(Seat(2), "its mailbox is full", now).unwrap();
    game.table.reachable(Seat(2), now).unwrap();
    game.table.date_key(sha256(b"the key of a domain"), now).unwrap();
    let key = SigningKey::of_seed(&Hex([9; 32])).public;
    game.table.announce_keys(Seat(1), &[key], by_letter(), now).unwrap();
    game.table.change_address(Seat(1), sha256(b"an address"), by_letter(), now).unwrap();
    let consents = [(Seat(1), Some(sha256(b"letter"))), (Seat(2), None)];
    game.table.hand_host_over(key, &[hosted], "the old host moves away", &consents, now).unwrap();
    agree(&mut game, to);
    game.play_on(21);
    game.finish();
    game.log()
}

/// Everything that seats agree on: motions, votes and their results.
fn agree(game: &mut Game, ruled: u64) {
    let to = game.table.fold().head().seq;
    game.say("roll 1");
    let motion = |what| Proposal::new(what, "better so");
    let other = SigningKey::of_seed(&Hex([8; 32])).public;
    let motions = [
        motion(Correcting::Ruling),
        Proposal { to: Some(to), ..motion(Correcting::Undo) },
        Proposal { rules: Some(SECOND_EDITION.to_string()), ..motion(Correcting::Rules) },
        Proposal { of: Some(Seat(2)), ..motion(Correcting::Seat) },
        Proposal { of: Some(Seat(1)), key: Some(other.to_string()), ..motion(Correcting::Key) },
    ];
    for motion in motions {
        game.agree(&motion);
    }
    let now = game.now();
    for player in ["Sméagol", "Déagol"] {
        let handed = HandedOver { seat: Seat(2), player: player.to_string(), text: "a new player".to_string() };
        game.table.hand_over(&handed, now).unwrap();
        game.table.give_away(Seat(2), by_letter().unwrap(), now).unwrap();
    }
    game.table.concede(Seat(3), Some("no time"), by_letter(), now).unwrap();
    game.table.dispute(Seat(1), ruled, "I never agreed", by_letter(), now).unwrap();
}

/// A value of a record: its line, and the keys that lead to it.
struct Place {
    line: usize,
    path: String,
}

/// Every line with a value, by the keys that lead to it.
fn places(record: &str) -> Vec<Place> {
    let mut places = Vec::new();
    let mut above: Vec<(usize, String)> = Vec::new();
    for (line, text) in record.lines().enumerate() {
        let Some((key, value)) = text.split_once(':') else { continue };
        let indent = key.len() - key.trim_start_matches([' ', '-']).len();
        above.retain(|(outer, _)| *outer < indent);
        let path = above.iter().map(|(_, key)| key.as_str()).chain([key.trim_start_matches([' ', '-'])]);
        let path = path.collect::<Vec<_>>().join(".");
        if value.is_empty() {
            above.push((indent, key.trim_start_matches([' ', '-']).to_string()))
        } else {
            places.push(Place { line, path })
        }
    }
    places
}

/// Another value in its place, of the same kind if possible.
fn another(value: &str) -> String {
    let flip_digit = |digit: char| if digit == '0' { '1' } else { '0' };
    if let Some(inner) = value.strip_prefix("[\"").and_then(|inner| inner.strip_suffix("\"]")) {
        let (first, rest) = inner.split_at(1);
        let other = if first == "0" { "1" } else { "0" };
        return format!("[\"{other}{rest}\"]");
    }
    if let Some(inner) = value.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')) {
        let (first, rest) = inner.split_once(", ").map_or((inner, String::new()), |(a, b)| (a, format!(", {b}")));
        let number: u64 = first.parse().unwrap();
        return format!("[{}{rest}]", if number == 1 { 2 } else { 1 });
    }
    if let Some(inner) = value.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')) {
        let swaps = [("chain", "beacon"), ("undo", "ruling"), ("ruling", "deadline"), ("none", "token")];
        let swaps = swaps.into_iter().chain([("deadline", "host"), ("host", "green"), ("standing", "deadline")]);
        let swaps = swaps.chain([("green", "black"), ("black", "green"), ("red", "black"), ("say", "start")]);
        if let Some((_, other)) = swaps.into_iter().find(|(one, _)| *one == inner) {
            return format!("\"{other}\"");
        }
        if inner.ends_with('Z') && inner.len() == 20 {
            return format!("\"2025{}\"", &inner[4..]);
        }
        let first = inner.chars().next().unwrap_or('a');
        let other = if first.is_ascii_hexdigit() { flip_digit(first) } else { 'x' };
        return format!("\"{other}{}\"", inner.chars().skip(1).collect::<String>());
    }
    match value {
        "true" => "false".to_string(),
        "false" => "true".to_string(),
        number => (number.parse::<u64>().unwrap() + 1).to_string(),
    }
}

fn with(record: &str, line: usize, change: impl FnOnce(&str) -> String) -> String {
    let mut lines: Vec<String> = record.lines().map(str::to_string).collect();
    let (key, value) = lines[line].split_once(": ").unwrap();
    lines[line] = format!("{key}: {}", change(value));
    lines.push(String::new());
    lines.join("\n")
}

/// Writes the records from `from` on with the chain hashed anew.
fn hashed_anew(records: &[String], from: usize) -> Vec<u8> {
    let mut log = String::new();
    let mut prev = Hash::ZERO;
    let last = records.len() - 1;
    for (seq, record) in records.iter().enumerate() {
        let mut record = record.clone();
        if seq >= from {
            record = with(&record, 2, |_| format!("\"{prev}\""));
        }
        if seq == last && seq >= from {
            let line = record.lines().position(|line| line.starts_with("closing: ")).unwrap();
            let before = record.find("\nclosing: ").unwrap() + 1;
            let closing = sha256(&record.as_bytes()[..before]);
            record = with(&record, line, |_| format!("\"{closing}\""));
        }
        prev = sha256(record.as_bytes());
        log.push_str(&record);
    }
    log.into_bytes()
}

/// What must notice a changed value when the chain was hashed anew.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Caught {
    /// At its own record.
    Here(&'static [u8]),
    /// At its own record or at a later one that uses it.
    Later(&'static [u8]),
    /// Like `Later`, or only by a reader who saw the head, depending on the value.
    AsItFalls(&'static [u8]),
    /// Only by a reader who saw the head of the true log: nothing else depends on it.
    BySeenHead,
}

fn caught(kind: Kind, path: &str) -> Caught {
    use Caught::{AsItFalls, BySeenHead, Here, Later};
    const STRUCTURE: &[u8] = &[exit::MALFORMED];
    const RULES: &[u8] = &[exit::RULES];
    const DICE: &[u8] = &[exit::DICE];
    match (kind, path) {
        (_, "seq") => Here(STRUCTURE),
        (_, "prev") => Here(&[exit::CHAIN]),
        // The year before: the second record is earlier than the first, and so on.
        (Kind::Genesis, "at") => Later(DICE),
        (_, "at") => Here(STRUCTURE),
        (_, "type") => Here(STRUCTURE),
        (Kind::Motion | Kind::Vote, "seat" | "via.raw") => Later(STRUCTURE),
        (Kind::Concede, "seat") => AsItFalls(&[exit::MALFORMED, exit::RULES]),
        // Another seat may be just as entitled, or the order may belong to another.
        (Kind::Join, "seat") => Later(&[exit::MALFORMED, exit::RULES, exit::DICE, exit::CHAIN]),
        (Kind::Dispute | Kind::Keys | Kind::Heard, "seat") => BySeenHead,
        (Kind::Clock | Kind::Address, "seat") => AsItFalls(&[exit::MALFORMED, exit::CHAIN]),
        (Kind::Say, "seat") => Here(RULES),
        (_, "seat") => Here(&[exit::MALFORMED, exit::CHAIN]),
        // A code that a record does not show is not believed; a code that it shows may be called something weaker.
        (_, "via.auth") => AsItFalls(&[exit::CHAIN, exit::MALFORMED]),
        // A letter is told apart from the next by its hash; what a letter had seen is an earlier record.
        (Kind::Say, "via.raw") => AsItFalls(DICE),
        // Only its player knows the letter; but the dice depend on the one by which he joined.
        (Kind::Join, "via.message") => Later(DICE),
        (_, "via.raw" | "via.message") => BySeenHead,
        (_, "via.seen") => AsItFalls(STRUCTURE),
        // It is the host's word whether a deadline or the host answered for a seat, as long as he keeps to it.
        (_, "via.by") => AsItFalls(&[exit::MALFORMED, exit::RULES, exit::DICE]),
        // The published books show what a record committed to.
        (_, "books") => Later(DICE),
        (Kind::Genesis, "format") => Here(&[exit::UNSUPPORTED]),
        (Kind::Genesis, "title" | "rules") => Here(&[exit::UNSUPPORTED]),
        (Kind::Genesis, "dice.mode") => Here(STRUCTURE),
        (Kind::Genesis, "game") => Here(DICE),
        (Kind::Genesis, "options.name" | "options.value") => Later(&[exit::RULES, exit::DICE]),
        (Kind::Genesis, "seats.seat") => Later(STRUCTURE),
        // A player's seat that has added something cannot be called the host's; but a host's seat can be called a
        // player's.
        (Kind::Genesis, "seats.host") => AsItFalls(&[exit::MALFORMED, exit::CHAIN]),
        (Kind::Genesis, "dice.anchor" | "root") => Later(DICE),
        (Kind::Genesis, path) if path.starts_with("decks.") => Here(DICE),
        (Kind::Genesis, "name" | "engine" | "seats.player") => Later(DICE),
        // The dice depend on every byte of the first record.
        (Kind::Join, "phrase") => Later(DICE),
        (Kind::Join, "player") => BySeenHead,
        (Kind::Start, "setup") => Here(DICE),
        (Kind::Say, "said") => Here(&[exit::RULES, exit::DICE]),
        (Kind::Deck, "deck" | "epoch" | "cards" | "commitment") => Here(DICE),
        // Agreements that change nothing on the table differ only in their names.
        (Kind::Correction, "what") => AsItFalls(&[exit::MALFORMED, exit::RULES]),
        (Kind::Correction, "to") => Here(&[exit::MALFORMED, exit::RULES, exit::DICE]),
        // The motion and the votes must exist; the rest is the host's word.
        (Kind::Correction, "motion" | "rules") => Here(&[exit::MALFORMED, exit::RULES]),
        (Kind::Correction, "of") => Later(&[exit::MALFORMED, exit::RULES, exit::DICE, exit::CHAIN]),
        (Kind::Correction, "consents.seat" | "text" | "consents.raw") => AsItFalls(STRUCTURE),
        (Kind::Correction, "player") => BySeenHead,
        (Kind::Correction, "key") => Here(STRUCTURE),
        (Kind::Motion, "what" | "of") => Later(&[exit::MALFORMED, exit::DICE]),
        (Kind::Motion | Kind::Vote, _) => Later(STRUCTURE),
        (Kind::Concede, "text") => BySeenHead,
        // The DNS answer is the host's word, until he shows the key with a letter.
        (Kind::Dns, "key") => BySeenHead,
        // Nobody signs in this game; the tests of signatures alter what is signed.
        (Kind::Keys, "keys") => BySeenHead,
        // The commitment is compared with the letters, and only if these are shown.
        (Kind::Address, "address") => BySeenHead,
        (Kind::Host, "what") => Here(STRUCTURE),
        // The old host had no key to sign with; the tests of adoption alter a signed one.
        (Kind::Host, "host_key") => Here(STRUCTURE),
        (Kind::Host, "plays") => AsItFalls(&[exit::MALFORMED, exit::DICE]),
        (Kind::Host, "consents.seat" | "consents.raw" | "text") => BySeenHead,
        // An objection is whatever its seat says.
        (Kind::Dispute, "about") => AsItFalls(STRUCTURE),
        (Kind::Dispute, "text") => BySeenHead,
        // A player himself says how long he is away; the host says whom no letter reaches.
        (Kind::Clock, "whom") => Later(STRUCTURE),
        (Kind::Clock, "what" | "to") => Here(STRUCTURE),
        (Kind::Clock, "from" | "text") => BySeenHead,
        (Kind::Reveal, path) if path != "digest" => Here(DICE),
        (Kind::End, "result" | "digest") => Here(RULES),
        (Kind::End, _) => Here(&[exit::CHAIN]),
        (_, "digest" | "changed") => Here(RULES),
        (_, path) if path.starts_with("roll.") || path.starts_with("open.") => Here(DICE),
        (kind, path) => panic!("nothing is said of {}.{path}", kind.word()),
    }
}

/// One of each kind of record in each shape, so that the test need not change every answer of the game.
fn samples(records: &[String]) -> Vec<usize> {
    let mut shapes = BTreeSet::new();
    let mut samples = Vec::new();
    for (seq, record) in records.iter().enumerate() {
        let entry = Entry::read(record.as_bytes()).unwrap();
        let shape: Vec<String> = places(record).into_iter().map(|place| place.path).collect();
        let shape: BTreeSet<String> = shape.into_iter().collect();
        if shapes.insert((entry.kind(), shape)) {
            samples.push(seq);
        }
    }
    samples
}

#[test]
fn the_log_has_every_kind_of_record() {
    let records = split(&log_with_everything());
    let kinds: BTreeSet<Kind> = records.iter().map(|record| Entry::read(record.as_bytes()).unwrap().kind()).collect();
    let missing: Vec<&Kind> = Kind::ALL.iter().filter(|kind| !kinds.contains(kind)).collect();
    // Consent is altered in the tests of adoption. Receipts and rounds need a beacon; `second_beacon.rs` alters each
    // of their values.
    assert_eq!(missing, [&Kind::Receipt, &Kind::Round, &Kind::Stopped, &Kind::Consent]);
    let report = check(&records.concat().into_bytes(), Errors::All, Vec::new());
    assert!(report.is_ok(), "{report}");
}

#[test]
fn a_changed_value_breaks_the_chain() {
    let records = split(&log_with_everything());
    let last = records.len() - 1;
    for seq in samples(&records) {
        for place in places(&records[seq]) {
            let mut changed = records.clone();
            changed[seq] = with(&records[seq], place.line, another);
            let report = check(&changed.concat().into_bytes(), Errors::All, Vec::new());
            let what = format!("record {seq} {}\n{}\n{report}", place.path, changed[seq]);
            let first = report.findings.first().unwrap_or_else(|| panic!("not noticed: {what}"));
            let after = u64::try_from(seq).unwrap() + 1;
            let chain = report.findings.iter().any(|found| found.check == Check::Chain && found.seq == Some(after));
            // Without a first record there is no game whose chain could be followed; and nothing follows the last
            // record.
            assert!(chain || first.seq == Some(0) || seq == last, "{what}");
            assert!(first.seq <= Some(after), "{what}");
            assert_ne!(report.exit_code(), exit::OK);
        }
    }
}

#[test]
fn a_changed_value_is_caught_though_the_chain_is_hashed_anew() {
    let records = split(&log_with_everything());
    let head = sha256(records.last().unwrap().as_bytes());
    let mut tried = BTreeSet::new();
    let mut wrong = Vec::new();
    for seq in samples(&records) {
        let kind = Entry::read(records[seq].as_bytes()).unwrap().kind();
        for place in places(&records[seq]) {
            let mut changed = records.clone();
            changed[seq] = with(&records[seq], place.line, another);
            let keep =
                usize::from(matches!(place.path.as_str(), "prev") || kind == Kind::End && place.path == "closing");
            let log = hashed_anew(&changed, seq + keep);
            let seen = vec![Checkpoint { seq: None, hash: head }];
            let report = check(&log, Errors::First, seen);
            let what = format!("record {seq} {}.{}\n{}\n{report}", kind.word(), place.path, changed[seq]);
            let first = report.findings.first().unwrap_or_else(|| panic!("not noticed: {what}"));
            let found = first.seq.map(|found| usize::try_from(found).unwrap());
            let code = report.exit_code();
            let right = match caught(kind, &place.path) {
                Caught::Here(codes) => codes.contains(&code) && found == Some(seq),
                Caught::Later(codes) => codes.contains(&code) && found.is_some_and(|found| found >= seq),
                Caught::BySeenHead => matches!(first.problem, Problem::Checkpoint { .. }) && code == exit::CONFLICT,
                Caught::AsItFalls(codes) => codes.contains(&code) || code == exit::CONFLICT,
            };
            if !right {
                wrong.push(what);
            }
            tried.insert((kind, place.path.clone()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(tried.len() > 90, "{}", tried.len());
}

#[test]
fn records_missing_doubled_swapped_or_cut_off_are_never_ok() {
    let records = split(&log_with_everything());
    for seq in 0..records.len() {
        let mut missing = records.clone();
        missing.remove(seq);
        let mut doubled = records.clone();
        doubled.insert(seq, records[seq].clone());
        let mut logs = vec![missing, doubled];
        if seq > 0 {
            let mut swapped = records.clone();
            swapped.swap(seq - 1, seq);
            logs.push(swapped);
        }
        for log in logs {
            let whole = log.concat().into_bytes();
            let head = sha256(records.last().unwrap().as_bytes());
            let seen = vec![Checkpoint { seq: None, hash: head }];
            for errors in [Errors::First, Errors::All] {
                let report = check(&whole, errors, seen.clone());
                assert!(!report.is_ok(), "{seq}");
                assert_ne!(report.exit_code(), exit::OK);
            }
        }
    }
    let whole = records.concat().into_bytes();
    let report = check(&whole[..whole.len() - 1], Errors::First, Vec::new());
    assert!(matches!(report.findings[0].problem, Problem::Torn { .. }));
    assert_eq!(report.exit_code(), exit::MALFORMED);
    assert_eq!(check(b"", Errors::First, Vec::new()).exit_code(), exit::MALFORMED);
    assert_eq!(check(b"hello\n", Errors::First, Vec::new()).exit_code(), exit::MALFORMED);
}

#[test]
fn no_single_byte_can_be_changed() {
    let folder = tempfile::tempdir().unwrap();
    let mut game = Game::start(folder.path(), 2, "6", 22);
    game.play_on(22);
    game.finish();
    let log = game.log();
    assert!(check(&log, Errors::First, Vec::new()).is_ok());
    for at in 0..log.len() {
        let mut changed = log.clone();
        changed[at] ^= 1 << (at % 8);
        let report = check(&changed, Errors::First, Vec::new());
        assert!(!report.is_ok(), "byte {at} changed from {:?} to {:?}", log[at] as char, changed[at] as char);
    }
}

#[test]
fn a_head_that_was_seen_must_be_there() {
    let records = split(&log_with_everything());
    let log = records.concat().into_bytes();
    let hash = sha256(records[5].as_bytes());
    let seen = |seq, hash| vec![Checkpoint { seq, hash }];
    let report = check(&log, Errors::First, seen(Some(5), hash));
    assert!(report.is_ok() && report.seen == 1, "{report}");
    assert!(check(&log, Errors::First, seen(None, hash)).is_ok());
    assert_eq!(check(&log, Errors::First, seen(Some(6), hash)).exit_code(), exit::CONFLICT);
    let shorter = records[..5].concat().into_bytes();
    // This is not another history, only a shorter one than the reader knows; without a number nobody can tell which.
    assert_eq!(check(&shorter, Errors::First, seen(Some(5), hash)).exit_code(), exit::MALFORMED);
    assert_eq!(check(&shorter, Errors::First, seen(None, hash)).exit_code(), exit::CONFLICT);
}
