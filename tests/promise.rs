/*! What a log promises to somebody who is handed it, held against those who would cheat him: the outsider, the former
host, the host and the other player, each with the real program. What `verify` must not be made to say is tried here.
*/

use crate::cli::{Place, Ran};
use crate::house::{charter, copy_all, rehashed, secrets, table};
use crate::{needs, promised};
use engine::seat::Seat;
use ground::hash::{Hash, Hex, sha256};
use ground::stamp::Stamp;
use mail_parser::MimeHeaders;
use record::charter::{Charter, CharterSeat};
use record::commit::checkpoint::{Checkpoint, Noted};
use record::commit::signature::{PublicKey, SigningKey};
use record::entry::body::{Auth, Ballot, Correcting, Escrow, Via};
use record::file::secrets::Secrets;
use record::fold::council::Proposal;
use record::table::{Joining, Table};
use ringmail::titles;
use std::fs;
use std::path::Path;

const ANNA: Seat = Seat(1);
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
    table::join(&mut begun, at(0), joining);
    begun.start(at(1)).unwrap();
    drop(begun);
    place.done(&["send", "shire", "--to-files", "letters"]);
    let begun = open(&place.path("games/shire"));
    (place, begun)
}

/// Each joins by a letter of his own.
fn joining(seat: Seat) -> Joining {
    Joining { message: sha256(format!("{}@mail.example", seat.0).as_bytes()), ..Joining::default() }
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
    let with_own = place.run(&["verify", log, "--mailbox", "letters", "--mailbox", "forged", "--long"]);
    says(&with_own, 0, &["No host key of this log has signed them"], &["two histories"]);
    let alone = place.run(&["verify", log, "--mailbox", "forged", "--long"]);
    says(&alone, 12, &["nothing in your mailbox is about this log", "[mail.none]"], &["two histories", "OK"]);
}

/// A former host keeps his key; it counts for nothing that came after him.
#[test]
fn a_former_host_cannot_frame_the_host_after_him() {
    let (place, table) = started(host());
    drop(table);
    let mut table = open(&place.path("games/shire"));
    let (old, new) = (SigningKey::of_seed(&sha256(b"host key")), SigningKey::of_seed(&sha256(b"new host")));
    let handed = table.hand_host_over(new.public, &[], "Anna goes on", &[], at(4)).unwrap().seq;
    let verify = ["verify", "shire", "--mailbox", "letters", "--mailbox", "forged", "--all-errors", "--long"];
    forged(&place, &table, handed + 1, other_head(), &old);
    says(&place.run(&verify), 0, &["No host key of this log has signed them"], &["two histories"]);
    // What he says otherwise of his own time proves that he told two stories, and his key is named; as it is with the
    // key of the new host.
    forged(&place, &table, handed, other_head(), &old);
    says(&place.run(&verify), 7, &["two histories", "signed with the host key of record 0)", "[mail.fork]"], &[]);
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
    let ran = place.run(&["verify", "other.yaml", "--mailbox", "letters", "--long"]);
    says(&ran, 7, &["another game with the same id", "[mail.beginning]"], &["OK", "The host has signed none"]);
    says(
        &place.run(&["verify", "shire", "--mailbox", "letters", "--long"]),
        0,
        &["mailbox     PASS"],
        &["another game"],
    );
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
    assert!(place.done(&["verify", "shire", "--long"]).contains("1 motion"));
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
        assert!(ran.exit == 3 && ran.out.starts_with("FAIL"), "{to}: {ran:?}");
        let ran = place.run(&["verify", "changed.yaml", "--long"]);
        let last = ran.out.lines().last().unwrap();
        assert!(last.starts_with("FAIL") && ran.out.lines().all(|line| !line.starts_with("OK")), "{to}: {ran:?}");
        assert!(ran.out.chars().all(|c| c == '\n' || !c.is_control()) && !ran.out.contains('\u{202e}'), "{ran:?}");
    }
    changed(&place, "name: \"shire\"", "name: \"Éowyn's game\"");
    let told = place.run(&["verify", "changed.yaml", "--long"]).out;
    assert!(told.starts_with("Éowyn's game: Risk") && !told.contains("[structure]"), "{told}");
}

/// What the short report of a log says, its lines joined.
#[track_caller]
fn brief(place: &Place, arguments: &[&str]) -> String {
    let told = place.done(&[&["verify"], arguments].concat());
    assert!(told.lines().count() <= 15, "{told}");
    assert!(told.lines().all(|line| line.chars().count() <= 72), "{told}");
    told.split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// Anybody can write records behind a log, or cut some off: who has signed its end is said, and that it has none yet.
#[test]
fn who_has_signed_the_end_of_a_log_is_said() {
    let (place, table) = started(host());
    let asked = table.fold().plan().word(table.fold().asked().unwrap().seat).to_owned();
    drop(table);
    let not_over = format!("The game is not over: {asked} is asked. Later records may exist.");
    let nobody = "Its end is signed by nobody: anybody could have written it.";
    let own_mail = "hold it against a letter of yours";
    let told = brief(&place, &["shire"]);
    assert!([&*not_over, nobody, own_mail].iter().all(|part| told.contains(part)), "{told}");
    // With the letters of the player, or with what is exported beside the log, the host has signed it.
    let signed = "Its end is signed by the host key of record 0.";
    let told = brief(&place, &["shire", "--mailbox", "letters"]);
    assert!(told.contains(signed) && !told.contains(nobody) && !told.contains(own_mail), "{told}");
    assert!(told.contains("Your mail: ") && !told.contains("say otherwise"), "{told}");
    place.done(&["export", "shire", "--to", "out"]);
    let told = brief(&place, &["out/log.yaml"]);
    assert!(told.contains(signed) && !told.contains(nobody) && told.contains(&*not_over), "{told}");
    // Records that an outsider appends are signed by nobody; a log that was cut off is shorter than what is signed.
    let log = fs::read_to_string(place.path("out/log.yaml")).unwrap();
    let last = log.rfind("---\nseq: ").unwrap();
    fs::write(place.path("out/log.yaml"), &log[..last]).unwrap();
    let ran = place.run(&["verify", "out/log.yaml", "--long"]);
    says(&ran, 3, &["the log is shorter than it was: out/log.check", "[mail.shorter]"], &["OK"]);
    fs::write(place.path("out/log.yaml"), &log).unwrap();
    let mut copied = open(&place.path("out"));
    copied.note("an invented end", at(9)).unwrap();
    drop(copied);
    let told = brief(&place, &["out/log.yaml"]);
    let behind = "Signed up to record 3 by the host key of record 0; anybody could have written what follows.";
    assert!(told.contains(behind) && !told.contains(signed), "{told}");
    // With another key than the host's the file vouches for nothing.
    let check = fs::read_to_string(place.path("out/log.check")).unwrap();
    let lines: Vec<&str> = check.lines().collect();
    let other = Noted::of(Noted::find(&lines)[0].checkpoint.clone(), Some(&SigningKey::of_seed(&sha256(b"x"))));
    fs::write(place.path("out/log.check"), other.to_string()).unwrap();
    let told = brief(&place, &["out/log.yaml"]);
    assert!(told.contains(nobody) && !told.contains("signed by the host key"), "{told}");
    // A file that cannot be read is not the same as none.
    fs::remove_file(place.path("out/log.check")).unwrap();
    fs::create_dir(place.path("out/log.check")).unwrap();
    let ran = place.run(&["verify", "out/log.yaml"]);
    assert!(ran.exit == 1 && ran.out.is_empty() && ran.err.contains("out/log.check cannot be read"), "{ran:?}");
}

/// Every sample game is told in fifteen lines, and each sentence only where it holds.
#[test]
fn the_report_has_fifteen_lines_and_no_sentence_that_is_not_so() {
    let place = Place::new();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
    let two_towers = samples.join("two-towers/log.yaml").display().to_string();
    let told = brief(&place, &[&two_towers]);
    for part in [
        "OK two-towers: 364 records, and nothing in them is wrong.",
        "Result: red wins: ",
        "All 293 throws follow from what was committed before.",
        "The host could have known them in advance; he could not choose them, if the players wrote their own joins: \
         yellow ",
        "277 by a secret address",
        "How letters came is the host's word; none is signed.",
        "Every deck was the printed one",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let untrue = ["typed at the host's machine", "correction", "The game is not over", "mail domain", "Your mail"];
    for part in untrue.into_iter().chain(["has not published", "signed with a key", "and could have chosen"]) {
        assert!(!told.contains(part), "{part}: {told}");
    }
    // Both seats are typed at one keyboard: the host could have made everything.
    let typed = Place::with(&["shire"]);
    open(&typed.path("games/shire")).note("a note", Stamp::parse("2099-01-01T00:00:00Z").unwrap()).unwrap();
    let told = brief(&typed, &["shire"]);
    for part in ["and could have chosen all of them.", "1 correction, by the host's word."] {
        assert!(told.contains(part), "{part}: {told}");
    }
    for part in ["he could not choose them", "by a secret address", "Every deck was the printed one"] {
        assert!(!told.contains(part), "{part}: {told}");
    }
    let long = typed.done(&["verify", "shire", "--long"]);
    assert!(long.contains("was typed for at his machine") && !long.contains("the host does not play"), "{long}");
}

/// What nothing in the log shows is called the host's word: a motion that only he says was made, a class of any record.
#[test]
fn what_only_the_host_says_is_called_his_word() {
    let (place, table) = started(host());
    drop(table);
    let mut table = open(&place.path("games/shire"));
    let via = |name: &str| Some(Via::letter(sha256(name.as_bytes()), 3, Auth::Confirmed));
    let motion = Proposal::new(Correcting::Ruling, "as agreed");
    let moved = table.propose(ANNA, &motion, via("a"), at(3)).unwrap()[0].seq;
    table.vote(BERT, moved, Ballot::Yes, via("b"), at(4)).unwrap();
    table.change_address(ANNA, sha256(b"an address"), via("c"), at(5)).unwrap();
    let letter = Via::letter(sha256(b"d"), 6, Auth::Dkim);
    table.concede(ANNA, None, Some(letter), at(6)).unwrap();
    drop(table);
    let told = brief(&place, &["shire"]);
    assert!(told.contains("1 correction, by the host's word."), "{told}");
    assert!(told.contains("letters that mail domains are said to have signed were not given"), "{told}");
    assert!(told.contains("The host has not published his secrets") && !told.contains("is not over"), "{told}");
    let long = place.done(&["verify", "shire", "--long"]);
    assert!(long.contains("concede 1 dkim") && long.contains("motion 1 confirmed"), "{long}");
    assert!(!long.contains("no record of this log is said to be signed by a domain"), "{long}");
    assert!(long.contains("1 correction (1 by the host's word)"), "{long}");
}

/// What a program is too old for is said, and is no word against the host.
#[test]
fn a_log_of_a_newer_program_is_named_as_such() {
    let (place, table) = started(host());
    drop(table);
    changed(&place, "format: 2\n", "format: 2\nlevel: 3\nring: \"one\"\n");
    let told = ["made by a newer program: from here on the log needs level 3, and this program knows 1"];
    says(&place.run(&["verify", "changed.yaml", "--long"]), 8, &told, &["OK"]);
    let log = fs::read_to_string(place.path("games/shire/log.yaml")).unwrap();
    let raised =
        "---\nseq: 4\nprev: \"\"\nat: \"2026-11-24T09:00:00Z\"\ntype: \"level\"\nseat: \"host\"\nlevel: 3\n...\n";
    fs::write(place.path("raised.yaml"), rehashed(&format!("{log}{raised}"))).unwrap();
    let ran = place.run(&["verify", "raised.yaml", "--long"]);
    says(&ran, 8, &told, &["OK", "wrong"]);
    // A level that this program knows is not raised to.
    fs::write(place.path("raised.yaml"), rehashed(&format!("{log}{}", raised.replace("level: 3", "level: 1"))))
        .unwrap();
    assert_eq!(place.run(&["verify", "raised.yaml"]).exit, 3);
}

/// The host replaces the letters by which both joined with his own, until the dice fall as he likes: the player's Sent
/// mail does not have the letter that the log names.
#[test]
fn a_player_finds_that_his_letter_was_replaced() {
    let (place, table) = started(host());
    let seat = table.fold().plan().word(ANNA).to_owned();
    drop(table);
    let answered = fs::read_dir(place.path("letters")).unwrap().map(|file| fs::read_to_string(file.unwrap().path()));
    let answered: Vec<String> = answered.map(Result::unwrap).filter(|text| text.contains("anna@example.org")).collect();
    let id = answered[0].replace("\r\n ", " ").replace("\n ", " ");
    let id = id.lines().find_map(|line| line.strip_prefix("Message-ID: ")).unwrap().trim().to_owned();
    let sent = |name: &str, own: &str| {
        let text = format!("From: anna@example.org\nMessage-ID: <{own}>\nIn-Reply-To: {id}\n\njoin\n");
        fs::write(place.path(name), text).unwrap();
    };
    sent("own.eml", "1@mail.example");
    sent("other.eml", "another@anna");
    let told = brief(&place, &["shire", "--mine", "own.eml"]);
    let is_hers = format!("The letter by which {seat} joined is yours");
    assert!(told.contains(&is_hers) && !told.contains("hold it against a letter"), "{told}");
    let ran = place.run(&["verify", "shire", "--mine", "other.eml", "--long"]);
    says(&ran, 12, &["the letter by which yellow joined is not among yours", "[mine.join]"], &["OK"]);
    fs::write(place.path("none.eml"), "From: a@b.example\nMessage-ID: <1@b.example>\n\nhello\n").unwrap();
    says(
        &place.run(&["verify", "shire", "--mine", "none.eml", "--long"]),
        12,
        &["no seat of this game has joined or answered with a letter or key of yours", "[mine.none]"],
        &["OK"],
    );
}

/// What the log could not take is refused at the keyboard with the reason that a letter would get, and nothing is
/// written; a motion for a key is about the seat that makes it.
#[test]
fn a_motion_that_cannot_be_recorded_is_refused_with_the_reason() {
    let place = Place::with(&["shire"]);
    let log = fs::read(place.path("games/shire/log.yaml")).unwrap();
    for (motion, why) in [
        ("propose undo to 2", "the table cannot be put back to #2"),
        ("propose resume", "The game is not paused"),
        ("vote yes 3", "nothing is proposed in #3"),
        ("propose rules risk-lotr-trilogy/99: newer", "it takes"),
    ] {
        let ran = place.run(&["say", "shire", "--as", "yellow", motion]);
        assert_eq!(ran.exit, 9, "{motion}: {ran:?}");
        assert!(ran.err.to_lowercase().contains(&why.to_lowercase()), "{motion}: {ran:?}");
    }
    assert_eq!(fs::read(place.path("games/shire/log.yaml")).unwrap(), log);
    let key = format!("propose key {}", SigningKey::of_seed(&sha256(b"yellow")).public);
    place.done(&["say", "shire", "--as", "yellow", &key]);
    let log = fs::read_to_string(place.path("games/shire/log.yaml")).unwrap();
    assert!(log.contains("what: \"key\"\nof: \"yellow\"\nkey: \"ssh-ed25519 "), "{log}");
}

/// The letter that brings records brings what vouches for their end as well: saved side by side, both programs say so.
#[test]
fn a_letter_brings_what_vouches_for_its_records() {
    let (place, table) = started(host());
    drop(table);
    let letters = fs::read_dir(place.path("letters")).unwrap().map(|file| fs::read(file.unwrap().path()).unwrap());
    let to_anna =
        letters.into_iter().find(|letter| String::from_utf8_lossy(letter).contains("anna@example.org")).unwrap();
    let message = mail_parser::MessageParser::default().parse(&to_anna).unwrap();
    let attached = |end: &str| {
        let is_it =
            |part: &&mail_parser::MessagePart<'_>| part.attachment_name().is_some_and(|name| name.ends_with(end));
        message.attachments().find(is_it).unwrap_or_else(|| panic!("no {end}")).contents().to_vec()
    };
    fs::create_dir(place.path("saved")).unwrap();
    fs::write(place.path("shire.yaml"), attached(".yaml")).unwrap();
    fs::write(place.path("saved/shire.check"), attached("shire.check")).unwrap();
    assert!(place.done(&["verify", "shire.yaml"]).contains("signed by nobody"));
    fs::copy(place.path("saved/shire.check"), place.path("shire.check")).unwrap();
    let told = place.done(&["verify", "shire.yaml"]);
    assert!(told.contains("Its end is signed by the host key of record 0."), "{told}");
    let told = ["The host has signed 1 record of this log"];
    if needs::programs(&["node"]) {
        promised::checked_by_the_page(&place.path("shire.yaml"), &place.path("saved"), &told);
    }
}
