/*! The players' own mail as a witness: all letters lie on one history, and a host who tells two is caught with the
evidence in hand. Mailboxes of every form, logs that fork, letters that somebody altered.
*/

mod house;
mod tiny_title;

use house::{GREEN, House, copy_all, field};
use ringmail::post::witness;
use ringmail::post::witness::evidence;
use ringmail::record::commit::signature::{CHECKPOINT, Signature};
use ringmail::record::file::secrets::Secrets;
use ringmail::record::problem::{Level, exit};
use ringmail::record::table::Joining;
use ringmail::record::value::hash::{Hex, sha256};
use ringmail::record::verify::report::{LevelResult, Report};
use ringmail::record::verify::witness::{Fork, How};
use ringmail::record::verify::{Errors, Proofs, Wanted, verify_with};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use tiny_title::titles;

/// A game whose host signs checkpoints.
fn house() -> House {
    started(Secrets { host_key: Some(sha256(b"host key")), ..house::secrets() })
}

fn started(secrets: Secrets) -> House {
    House::founded(secrets, |charter| charter.options.clear(), |_, _| Joining::default())
}

/// So many answers of whoever is asked.
fn play(house: &mut House, answers: u32, words: &str) {
    for _ in 0..answers {
        let player = house.asked().0;
        let answer = if house.asked().1.ends_with("(answer)") { "yes" } else { words };
        house.says(player, &format!("{answer}\r\n"));
        house.send();
    }
}

/// All letters that a player ever got.
fn letters(house: &House, player: &str) -> Vec<Vec<u8>> {
    let desk = house.office.desk("g7").unwrap();
    let to = desk.book.letters_out().filter(|out| out.to == player);
    to.map(|out| desk.outbox.read(desk.outbox.shelf(&out.letter).unwrap().unwrap(), &out.letter).unwrap()).collect()
}

/// A Maildir, as mail programs keep it: with lines that end in LF.
fn maildir(letters: &[Vec<u8>]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for below in ["cur", "new", "tmp", ".Sent/cur"] {
        fs::create_dir_all(folder.path().join(below)).unwrap();
    }
    for (number, letter) in letters.iter().enumerate() {
        let below = if number % 2 == 0 { "cur" } else { "new" };
        let text = String::from_utf8(letter.clone()).unwrap().replace("\r\n", "\n");
        fs::write(folder.path().join(below).join(format!("17000{number:05}.x.host")), text).unwrap();
    }
    fs::write(folder.path().join("dovecot-uidlist"), "3 V1 N2").unwrap();
    folder
}

fn mbox(letters: &[Vec<u8>]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let mut text = String::new();
    for letter in letters {
        text.push_str("From box@play.example Fri Nov 20 07:12:09 2026\n");
        text.push_str(&String::from_utf8(letter.clone()).unwrap().replace("\r\n", "\n").replace("\nFrom ", "\n>From "));
        text.push_str("\n\n");
    }
    let file = folder.path().join("inbox");
    fs::write(&file, text).unwrap();
    (folder, file)
}

fn checked(log: &str, mailbox: &Path) -> Report {
    let (witnesses, _) = witness::witnesses(mailbox).unwrap();
    let wanted =
        Wanted { file: "log.yaml".to_owned(), titles, errors: Errors::First, seen: Vec::new(), progress: &mut |_| {} };
    verify_with(log.as_bytes(), wanted, Proofs { mailbox: Some(witnesses), letters: None }).unwrap()
}

#[test]
fn all_letters_of_a_mailbox_lie_on_one_history() {
    let mut house = house();
    play(&mut house, 6, "roll 2");
    let letters = letters(&house, GREEN);
    let (maildir, (_folder, file)) = (maildir(&letters), mbox(&letters));
    for mailbox in [maildir.path(), &file] {
        let report = checked(&house.log(), mailbox);
        assert!(report.is_ok(), "{report}");
        assert_eq!(report.verdict(Level::Mailbox), &LevelResult::Pass);
        let summary = report.mailbox.as_ref().unwrap();
        assert_eq!((summary.letters, summary.signed), (letters.len(), letters.len()), "{summary:?}");
        // Every record that green was sent, each once.
        let told =
            field(std::str::from_utf8(letters.last().unwrap()).unwrap(), "X-Ringmail-Seq").parse::<usize>().unwrap();
        assert_eq!(summary.records, told + 1);
        assert!(report.to_text().contains("are on this history"), "{report}");
    }
}

#[test]
fn a_mailbox_without_letters_of_the_game_proves_nothing() {
    let house = house();
    let (_folder, file) =
        mbox(&[b"From: a@b.example\r\nSubject: hello\r\nMessage-ID: <1@b.example>\r\n\r\nhi\r\n".to_vec()]);
    let report = checked(&house.log(), &file);
    assert!(report.is_ok() && matches!(report.verdict(Level::Mailbox), LevelResult::Skipped(_)), "{report}");
    // Another game that its players call by the same name.
    let other = started(Secrets { game: Hex([8; 16]), host_key: Some(sha256(b"other")), ..house::secrets() });
    let mailbox = maildir(&letters(&other, GREEN));
    let report = checked(&house.log(), mailbox.path());
    assert_eq!(report.exit_code(), exit::OK, "{report}");
}

/// Two histories: the host shows one to green, and after some letters goes on from an older state with another.
fn forked() -> (House, House) {
    let mut one = house();
    play(&mut one, 3, "roll 2");
    let mut other = one.copy();
    play(&mut one, 3, "roll 2");
    play(&mut other, 3, "roll 1");
    (one, other)
}

#[test]
fn a_fork_is_found_and_the_evidence_is_written_out() {
    let (one, other) = forked();
    let mut letters = self::letters(&one, GREEN);
    let theirs: Vec<Vec<u8>> =
        self::letters(&other, GREEN).into_iter().filter(|letter| !letters.contains(letter)).collect();
    letters.extend(theirs);
    let (_folder, file) = mbox(&letters);
    let (witnesses, locations) = witness::witnesses(&file).unwrap();
    for log in [one.log(), other.log()] {
        let report = checked(&log, &file);
        assert_eq!(report.exit_code(), exit::CONFLICT, "{report}");
        assert_eq!(report.verdict(Level::Mailbox), &LevelResult::Fail);
        let text = report.to_text();
        assert!(text.contains("two histories: record"), "{text}");
        let evidence = tempfile::tempdir().unwrap();
        let folder = evidence.path().join("out");
        let written = evidence::write(&folder, &report.forks, &witnesses, &locations, report.host_key).unwrap();
        let names: Vec<String> =
            written.iter().map(|file| file.file_name().unwrap().to_string_lossy().into_owned()).collect();
        let seq = report.forks[0].seq;
        // Both records, and the letter that shows the other one.
        let record = fs::read_to_string(folder.join(format!("record-{seq}-of-the-log.yaml"))).unwrap();
        assert!(log.contains(&record), "{record}");
        let letter = report.forks[0].seen.letter + 1;
        let theirs = fs::read_to_string(folder.join(format!("record-{seq}-of-letter-{letter}.yaml"))).unwrap();
        assert!(theirs.starts_with(&format!("---\nseq: {seq}\n")) && !log.contains(&theirs), "{names:?}");
        assert!(names.iter().any(|name| name.ends_with("-fits-the-log.eml")), "{names:?}");
        assert!(folder.join(format!("letter-{letter}.eml")).exists() && folder.join("README.txt").exists());
        // Evidence is not written over.
        assert!(evidence::write(&folder, &report.forks, &witnesses, &locations, report.host_key).is_err());
    }
    // Each mailbox alone fits its own log, and not the other's.
    let own = maildir(&self::letters(&one, GREEN));
    assert_eq!(checked(&one.log(), own.path()).exit_code(), exit::OK);
    assert_eq!(checked(&other.log(), own.path()).exit_code(), exit::CONFLICT);
}

#[test]
fn a_checkpoint_of_another_history_is_told_with_the_hosts_signature() {
    let (one, other) = forked();
    let newest = self::letters(&other, GREEN).pop().unwrap();
    let mailbox = maildir(&[newest]);
    let (witnesses, locations) = witness::witnesses(mailbox.path()).unwrap();
    let proofs = Proofs { mailbox: Some(witnesses.clone()), letters: None };
    let wanted =
        Wanted { file: "log.yaml".to_owned(), titles, errors: Errors::All, seen: Vec::new(), progress: &mut |_| {} };
    let report = verify_with(one.log().as_bytes(), wanted, proofs).unwrap();
    assert_eq!(report.exit_code(), exit::CONFLICT);
    assert!(report.to_text().contains("the host has signed it"), "{report}");
    let evidence = tempfile::tempdir().unwrap();
    let folder = evidence.path().join("out");
    evidence::write(&folder, &report.forks, &witnesses, &locations, report.host_key).unwrap();
    let is_noted = |fork: &&Fork| matches!(fork.seen.how, How::Checkpoint(_));
    let seq = report.forks.iter().find(is_noted).unwrap().seq;
    let read = |name: String| fs::read_to_string(folder.join(name)).unwrap();
    let (text, signature) = (read(format!("checkpoint-{seq}.txt")), read(format!("checkpoint-{seq}.txt.sig")));
    let host = report.host_key.unwrap();
    assert_eq!(Signature::read(&signature).unwrap().check(&[host], CHECKPOINT, text.as_bytes()), Ok(host));
    assert_eq!(read("allowed_signers".to_owned()), format!("host {host}\n"));
}

/// The log cut short is no other history, but it is not all of it either.
#[test]
fn a_log_that_ends_before_a_letter_is_told() {
    let mut house = house();
    play(&mut house, 2, "roll 2");
    let before = house.log();
    play(&mut house, 2, "roll 2");
    let mailbox = maildir(&letters(&house, GREEN));
    let report = checked(&before, mailbox.path());
    assert_eq!(report.exit_code(), exit::COULD_NOT_CHECK, "{report}");
    assert!(report.to_text().contains("ask for the whole log"), "{report}");
}

/// Every place of a letter that tells a head, changed alone.
#[test]
fn v7_a_doctored_letter_is_found_wherever_it_was_doctored() {
    let mut house = house();
    play(&mut house, 2, "roll 2");
    let log = house.log();
    let letter = String::from_utf8(letters(&house, GREEN).pop().unwrap()).unwrap();
    let other = sha256(b"another history").to_string();
    let alone = |letter: &str| {
        let mailbox = maildir(&[letter.as_bytes().to_vec()]);
        let report = checked(&log, mailbox.path());
        (report.exit_code(), report.to_text())
    };
    assert_eq!(alone(&letter).0, exit::OK);
    let id = field(&letter, "Message-ID");
    let head = id.split('.').nth(2).unwrap().to_owned();
    let unfolded = letter.replace("\r\n ", " ");
    let noted = field(&unfolded, "X-Ringmail-Checkpoint").to_owned();
    // In the Message-ID, in the subject, in the checkpoint.
    let (code, text) = alone(&unfolded.replace(&id, &id.replace(&head, &other)));
    assert_eq!(code, exit::CONFLICT, "{text}");
    assert!(text.contains("its Message-ID"), "{text}");
    let subject = unfolded.lines().find(|line| line.starts_with("Subject: ")).unwrap();
    let (code, text) = alone(&unfolded.replace(subject, &format!("Subject: AW: [g7 #5 {}] your move", &other[..12])));
    assert_eq!(code, exit::CONFLICT, "{text}");
    assert!(text.contains("its subject"), "{text}");
    let (code, text) = alone(&unfolded.replace(&noted, &noted.replace(&head, &other)));
    assert_eq!(code, exit::CONFLICT, "{text}");
    assert!(text.contains("its checkpoint; the host has not signed it"), "{text}");
    // Another signature, another time: this history, but not the host's word.
    let (code, text) = alone(&unfolded.replace(&noted, &noted.replace("2026-11-24T", "2026-11-23T")));
    assert_eq!(code, exit::CHAIN, "{text}");
    let (start, signature) = noted.rsplit_once(' ').unwrap();
    let flipped = if signature.starts_with('A') { "B" } else { "A" };
    let (code, text) = alone(&unfolded.replace(&noted, &format!("{start} {flipped}{}", &signature[1..])));
    assert_eq!(code, exit::CHAIN, "{text}");
    // A relay that gives letters other names: the rest still tells.
    let renamed = unfolded.replace(&id, "<0102018f@relay.example>");
    assert_eq!(alone(&renamed).0, exit::OK);
    let report = checked(&forked().1.log(), maildir(&[renamed.into_bytes()]).path());
    assert_eq!(report.exit_code(), exit::OK, "both histories share what this letter tells: {report}");
}

#[test]
fn the_players_own_answers_are_witnesses_too() {
    let (mut one, other) = forked();
    let player = other.asked().0;
    let shown = other.newest(player);
    let answer = one.answer_to(&shown, player, "roll 2\r\n");
    let sent = maildir(&[answer]);
    let report = checked(&one.log(), sent.path());
    assert_eq!(report.exit_code(), exit::CONFLICT, "{report}");
    assert!(report.to_text().contains("what it answers"), "{report}");
    assert_eq!(checked(&other.log(), sent.path()).exit_code(), exit::OK);
}

#[test]
fn bytes_of_any_kind_in_a_mailbox_are_no_trouble() {
    let mut house = house();
    play(&mut house, 1, "roll 2");
    let letter = letters(&house, GREEN).pop().unwrap();
    let mut heap: Vec<Vec<u8>> = vec![Vec::new(), vec![0; 4096], b"\n\n\n".to_vec(), vec![0xff; 300]];
    heap.extend((0..letter.len()).step_by(97).map(|end| letter[..end].to_vec()));
    let folder = tempfile::tempdir().unwrap();
    copy_all(maildir(&[letter]).path(), folder.path());
    for (number, bytes) in heap.iter().enumerate() {
        fs::write(folder.path().join("cur").join(format!("{number}.y.host")), bytes).unwrap();
    }
    assert_eq!(checked(&house.log(), folder.path()).exit_code(), exit::OK);
}
