/*! What a log promises to somebody who is handed it, held against those who would cheat him: the outsider, the former
host, the host and the other player, each with the real program. What `verify` must not be made to say is tried here.
*/

use crate::cli::{Place, Ran};
use crate::house::{charter, copy_all, rehashed, secrets, table};
use engine::seat::Seat;
use ground::hash::{Hash, Hex, sha256};
use ground::stamp::Stamp;
use record::charter::{Charter, CharterSeat};
use record::commit::checkpoint::{Checkpoint, Noted};
use record::commit::signature::{PublicKey, SigningKey};
use record::entry::body::{Auth, Escrow};
use record::file::secrets::Secrets;
use record::table::Table;
use ringmail::titles;
use std::fs;
use std::path::Path;

const BERT: Seat = Seat(2);

fn at(minutes: u32) -> Stamp {
    Stamp::parse(&format!("2026-11-24T{:02}:{:02}:00Z", 8 + minutes / 60, minutes % 60)).unwrap()
}

fn host() -> Secrets {
    Secrets { host_key: Some(sha256(b"host key")), ..secrets::of_seed(9) }
}

/// Risk of Anna and Bert, whose host has a key and gives them shares.
fn two() -> Charter {
    let seat = |name: &str| CharterSeat {
        address: Some(format!("{}@example.org", name.to_lowercase())),
        ..charter::player(name)
    };
    let charter = charter::of("risk", [seat("Anna"), seat("Bert")]);
    Charter { name: "shire".to_owned(), min_auth: Some(Auth::Keyboard), escrow: Some(Escrow::Seats), ..charter }
}

/// A started game in `games/shire`; its first letters lie in `letters`.
fn started(secrets: Secrets) -> (Place, Table) {
    let place = Place::new();
    fs::create_dir(place.path("games")).unwrap();
    let folder = place.path("games/shire");
    let mut begun = Table::create(&*folder, &two(), secrets, at(0), titles::ALL).unwrap();
    table::join(&mut begun, at(0), table::named);
    begun.start(at(1)).unwrap();
    drop(begun);
    place.done(&["send", "shire", "--to-files", "letters"]);
    let begun = open(&place.path("games/shire"));
    (place, begun)
}

fn open(folder: &Path) -> Table {
    Table::open(folder, titles::ALL).unwrap()
}

/// A letter of anybody's with a checkpoint that a key has signed.
fn forged(place: &Place, table: &Table, records: u64, head: Hash, key: &SigningKey) {
    let checkpoint = Checkpoint { game: table.fold().plan().game, records, head, at: at(2) };
    let noted = Noted::of(checkpoint, Some(key));
    let letter = format!("From: box@play.example\nSubject: hello\nMessage-ID: <q@x>\n\n{noted}");
    fs::create_dir_all(place.path("forged")).unwrap();
    fs::write(place.path("forged/x.eml"), letter).unwrap();
}

#[track_caller]
fn says(ran: &Ran, exit: i32, told: &[&str], untold: &[&str]) {
    for told in told {
        assert!(ran.out.contains(told), "{told}\n{}{}", ran.out, ran.err);
    }
    for untold in untold {
        assert!(!ran.out.contains(untold), "{untold}\n{}{}", ran.out, ran.err);
    }
    assert_eq!(ran.exit, exit, "{}{}", ran.out, ran.err);
}

fn other_head() -> Hash {
    Hex([0xbb; 32])
}

/// An outsider appends an adoption with his own key to a log that he has, and writes a letter with his checkpoint.
#[test]
fn an_outsider_who_adopts_a_log_cannot_frame_its_host() {
    let (place, table) = started(host());
    copy_all(&place.path("games"), &place.path("taken"));
    drop(table);
    let mut table = open(&place.path("taken/shire"));
    let key = sha256(b"outsider");
    table.change_secrets(|secrets| secrets.host_key = Some(key)).unwrap();
    table.adopt(&[BERT], "he is gone", at(3)).unwrap();
    forged(&place, &table, 3, other_head(), &SigningKey::of_seed(&key));
    drop(table);
    let log = "taken/shire/log.yaml";
    let with_own = place.run(&["verify", log, "--mailbox", "letters", "--mailbox", "forged"]);
    says(&with_own, 0, &["No host key of this log has signed them"], &["two histories"]);
    let alone = place.run(&["verify", log, "--mailbox", "forged"]);
    says(&alone, 12, &["nothing in your mailbox is about this log"], &["two histories", "OK"]);
}

/// A former host keeps his key; it counts for nothing that came after him.
#[test]
fn a_former_host_cannot_frame_the_host_after_him() {
    let (place, table) = started(host());
    drop(table);
    let mut table = open(&place.path("games/shire"));
    let (old, new) = (SigningKey::of_seed(&sha256(b"host key")), SigningKey::of_seed(&sha256(b"new host")));
    let handed = table.hand_host_over(new.public, &[], "Anna goes on", &[], at(4)).unwrap().seq;
    let verify = ["verify", "shire", "--mailbox", "letters", "--mailbox", "forged", "--all-errors"];
    forged(&place, &table, handed + 1, other_head(), &old);
    says(&place.run(&verify), 0, &["No host key of this log has signed them"], &["two histories"]);
    // What he says otherwise of his own time proves that he told two stories, and his key is named; as it is with the
    // key of the new host.
    forged(&place, &table, handed, other_head(), &old);
    says(&place.run(&verify), 7, &["two histories", "signed with the host key of record 0)"], &[]);
    forged(&place, &table, handed + 1, other_head(), &new);
    let key = format!("signed with the host key of record {handed})");
    says(&place.run(&verify), 7, &["two histories", &key], &[]);
}

/// The same game id, another first record with another key: the mail of the player knows the first one.
#[test]
fn another_host_key_hides_no_fork() {
    let (place, table) = started(host());
    drop(table);
    let (other, _) = started(Secrets { root: sha256(b"another"), host_key: Some(sha256(b"another key")), ..host() });
    fs::copy(other.path("games/shire/log.yaml"), place.path("other.yaml")).unwrap();
    let ran = place.run(&["verify", "other.yaml", "--mailbox", "letters"]);
    says(&ran, 7, &["another game with the same id"], &["OK", "The host has signed none"]);
    says(&place.run(&["verify", "shire", "--mailbox", "letters"]), 0, &["mailbox     PASS"], &["another game"]);
}

/// One of two players cannot take the other's seat, or give her another key, against her.
#[test]
fn one_of_two_players_cannot_eject_the_other() {
    let (place, table) = started(host());
    drop(table);
    let key = SigningKey::of_seed(&sha256(b"Bert")).public;
    for motion in ["propose replacement of yellow: she is winning".to_owned(), propose_key(&key)] {
        let ran = place.run(&["say", "shire", "--as", "red", &motion]);
        let log = fs::read_to_string(place.path("games/shire/log.yaml")).unwrap();
        assert!(!log.contains("type: \"correction\""), "{motion}: {ran:?}");
    }
    assert!(place.done(&["verify", "shire"]).contains("1 motion"));
}

fn propose_key(key: &PublicKey) -> String {
    format!("propose key {key}: Anna lost hers")
}

/// The log of a game, with another text in the place of one.
fn changed(place: &Place, from: &str, to: &str) -> String {
    let log = fs::read_to_string(place.path("games/shire/log.yaml")).unwrap();
    assert!(log.contains(from), "{from}: {log}");
    let changed = rehashed(&log.replacen(from, to, 1));
    fs::write(place.path("changed.yaml"), &changed).unwrap();
    changed
}

/// A text of a log cannot write a line of the report, in whatever record it stands; nor can two players have one name.
#[test]
fn no_text_of_a_log_writes_a_line_of_the_report() {
    let (place, table) = started(host());
    drop(table);
    let forged = "shire\\n\\nOK shire 99 records";
    for (from, to) in [
        ("name: \"shire\"", format!("name: \"{forged}\"")),
        ("player: \"Anna\"", format!("player: \"{forged}\"")),
        ("player: \"Anna\"", "player: \"\u{202e}annA\"".to_owned()),
        ("player: \"Anna\"", "player: \"Bert\"".to_owned()),
        ("player: \"Anna\"", "player: \"\"".to_owned()),
        ("player: \"Anna\"", "player: \" \"".to_owned()),
        ("player: \"Anna\"", format!("player: \"{}\"", "a".repeat(61))),
    ] {
        changed(&place, from, &to);
        let ran = place.run(&["verify", "changed.yaml"]);
        assert_eq!(ran.exit, 3, "{to}: {ran:?}");
        let last = ran.out.lines().last().unwrap();
        assert!(last.starts_with("FAIL") && ran.out.lines().all(|line| !line.starts_with("OK")), "{to}: {ran:?}");
        assert!(ran.out.chars().all(|c| c == '\n' || !c.is_control()) && !ran.out.contains('\u{202e}'), "{ran:?}");
    }
    changed(&place, "name: \"shire\"", "name: \"Éowyn's game\"");
    let told = place.run(&["verify", "changed.yaml"]).out;
    assert!(told.starts_with("Éowyn's game: Risk") && !told.contains("[structure]"), "{told}");
}
