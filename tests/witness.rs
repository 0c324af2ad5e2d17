/*! The players' own mail as a witness: all letters agree with one history, and a host who tells two histories is
caught, with evidence. Mailboxes of every form, logs that fork, letters that somebody altered.
*/

use crate::house::{BLACK, GREEN, House, body, charter, copy_all, field, secrets, table};
use crate::tiny_title::TITLES;
use ground::hash::{Hex, sha256};
use ground::span::Span;
use post::witness;
use post::witness::evidence;
use record::charter::Charter;
use record::commit::checkpoint::{Checkpoint, Noted};
use record::commit::signature::{CHECKPOINT, ORDER, Signature, SigningKey};
use record::commit::words::in_subject;
use record::entry::body::Escrow;
use record::file::secrets::Secrets;
use record::problem::{Check, exit};
use record::verify::report::{CheckResult, Report};
use record::verify::{self, Errors, Proofs, Wanted, verify_with};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A game whose host signs checkpoints.
fn house() -> House {
    started(secrets::with_key())
}

fn started(secrets: Secrets) -> House {
    House::founded(&charter::many_riddles(), secrets, table::nothing)
}

/// `answers` answers of the asked players.
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

/// A Maildir as mail programs keep it, with lines that end in LF.
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
    checked_for(Errors::First, log, mailbox)
}

fn checked_to_the_end(log: &str, mailbox: &Path) -> Report {
    checked_for(Errors::All, log, mailbox)
}

fn checked_for(errors: Errors, log: &str, mailbox: &Path) -> Report {
    let (witnesses, _) = witness::witnesses(mailbox).unwrap();
    let wanted =
        Wanted { file: "log.yaml".to_owned(), titles: TITLES, errors, seen: Vec::new(), progress: &mut |_| {} };
    verify_with(log.as_bytes(), wanted, Proofs { mailbox: Some(witnesses), ..Proofs::default() }).unwrap()
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
        assert_eq!(report.verdict(Check::Mailbox), &CheckResult::Pass);
        let summary = report.mailbox.as_ref().unwrap();
        assert_eq!((summary.letters, summary.signed.len()), (letters.len(), letters.len()), "{summary:?}");
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
    assert_eq!((report.exit_code(), report.verdict(Check::Mailbox)), (exit::NOT_SHOWN, &CheckResult::Fail), "{report}");
    // Another game that its players give the same name.
    let other = started(Secrets { game: Hex([8; 16]), host_key: Some(sha256(b"other")), ..secrets::usual() });
    let mailbox = maildir(&letters(&other, GREEN));
    let report = checked(&house.log(), mailbox.path());
    assert_eq!(report.exit_code(), exit::NOT_SHOWN, "{report}");
}

/// Two histories: the host shows one to green, and after some letters continues from an older state with another.
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
        assert_eq!(report.verdict(Check::Mailbox), &CheckResult::Fail);
        let text = report.to_text();
        assert!(text.contains("two histories: record") && text.contains("host key of record 0"), "{text}");
        let report = checked_to_the_end(&log, &file);
        let evidence = tempfile::tempdir().unwrap();
        let folder = evidence.path().join("out");
        evidence::write(&folder, &report, &witnesses, &locations).unwrap();
        // The first record at which they differ, and the chain from it to what the host has signed instead.
        let seq = report.forks.iter().map(|fork| fork.seq).min().unwrap();
        let record = fs::read_to_string(folder.join(format!("record-{seq}-of-the-log.yaml"))).unwrap();
        assert!(log.contains(&record), "{record}");
        let theirs = fs::read_to_string(folder.join("records-of-another-history.yaml")).unwrap();
        assert!(theirs.starts_with(&format!("---\nseq: {seq}\n")) && !log.contains(&theirs), "{theirs}");
        // The key of the first record signed both.
        let host = report.host_keys[0].key;
        assert_eq!(fs::read_to_string(folder.join("allowed_signers")).unwrap(), format!("host {host}\n"));
        for (name, is_of_log) in [("the-log", true), ("another-history", false)] {
            let read = |end: &str| fs::read_to_string(folder.join(format!("checkpoint-of-{name}.txt{end}"))).unwrap();
            let text = read("");
            assert_eq!(Signature::read(&read(".sig")).unwrap().check(&[host], CHECKPOINT, text.as_bytes()), Ok(host));
            let head = text.lines().find_map(|line| line.strip_prefix("head ")).unwrap().to_owned();
            let is_head = |head: &str| log.contains(head) || sha256(last_record(&log).as_bytes()).to_string() == head;
            assert_eq!(is_head(&head), is_of_log, "{name}: {text}");
        }
        // Evidence is never overwritten.
        assert!(evidence::write(&folder, &report, &witnesses, &locations).is_err());
    }
    // Each mailbox alone agrees with its own log, and not with the other.
    let own = maildir(&self::letters(&one, GREEN));
    assert_eq!(checked(&one.log(), own.path()).exit_code(), exit::OK);
    assert_eq!(checked(&other.log(), own.path()).exit_code(), exit::CONFLICT);
}

fn last_record(log: &str) -> &str {
    &log[log.rfind("---\nseq: ").unwrap()..]
}

/// The evidence that a player shows to strangers contains nothing of his letters: no address, no token, no share.
#[test]
fn evidence_is_without_secrets() {
    let charter = Charter { escrow: Some(Escrow::Seats), ..charter::many_riddles() };
    let mut one = House::founded(&charter, secrets::with_key(), table::nothing);
    play(&mut one, 2, "roll 2");
    let mut other = one.copy();
    play(&mut one, 2, "roll 2");
    play(&mut other, 2, "roll 1");
    let mut letters = letters(&one, GREEN);
    letters.extend(self::letters(&other, GREEN));
    let received = |letter: &[u8]| {
        [b"Received: from play.example by mx.cave.example; Tue, 24 Nov 2026 09:00:00 +0000\r\n", letter].concat()
    };
    let letters: Vec<Vec<u8>> = letters.iter().map(|letter| received(letter)).collect();
    let all = letters.iter().map(|letter| String::from_utf8(letter.clone()).unwrap()).collect::<String>();
    let share = field(&all, "X-Ringmail-Share");
    let share = share.rsplit(' ').next().unwrap().to_owned();
    let token = field(&all, "Reply-To").split('@').next().unwrap().rsplit('.').next().unwrap().to_owned();
    assert!(share.len() > 40 && token.len() == 10, "{share} {token}");
    let (_folder, file) = mbox(&letters);
    let (witnesses, locations) = witness::witnesses(&file).unwrap();
    let report = checked_to_the_end(&one.log(), &file);
    let evidence = tempfile::tempdir().unwrap();
    let folder = evidence.path().join("out");
    let written = evidence::write(&folder, &report, &witnesses, &locations).unwrap();
    assert!(written.len() >= 7, "{written:?}");
    for file in written {
        let text = fs::read_to_string(&file).unwrap();
        let path = file.display();
        for secret in
            [share.as_str(), &share.replace('-', ""), &token, GREEN, BLACK, "@", "Received", "Reply-To", "mx.cave"]
        {
            // The namespace of the signatures contains an `@`.
            let text = text.replace("ringmail-checkpoint@v1", "");
            assert!(!text.contains(secret), "{path} has {secret}:\n{text}");
        }
    }
}

/// A second host key, a copied letter, and other things that are not the host's signature.
#[test]
fn only_what_the_host_has_signed_is_evidence() {
    let (one, other) = forked();
    let shown = String::from_utf8(self::letters(&other, GREEN).pop().unwrap()).unwrap();
    let stranger = SigningKey::of_seed(&sha256(b"somebody else"));
    let noted = Noted::find(&body(&shown).lines().collect::<Vec<&str>>()).pop().unwrap();
    let signature = noted.signature.as_ref().unwrap().in_armour();
    let by = |key: Option<&SigningKey>, checkpoint: &Checkpoint| Noted::of(checkpoint.clone(), key).to_string();
    let mut foreign = noted.checkpoint.clone();
    foreign.game = Hex([9; 16]);
    // Without the attached records, so that only the checkpoint counts.
    let letter = |checkpoint: &str| {
        let text = format!("From: x@y.example\r\nSubject: hello\r\nMessage-ID: <1@y.example>\r\n\r\n{checkpoint}");
        let mailbox = maildir(&[text.into_bytes()]);
        let report = checked(&one.log(), mailbox.path());
        (report.exit_code(), report.to_text())
    };
    let (code, text) = letter(&noted.to_string());
    assert_eq!(code, exit::CONFLICT, "{text}");
    assert!(text.contains("its checkpoint, signed with the host key of record 0"), "{text}");
    // Quoted or forwarded, it proves the same.
    let quoted: String = noted.to_string().lines().map(|line| format!("> {line}\n")).collect();
    assert_eq!(letter(&quoted).0, exit::CONFLICT);
    for (what, checkpoint) in [
        ("unsigned", by(None, &noted.checkpoint)),
        ("by a stranger", by(Some(&stranger), &noted.checkpoint)),
        ("another number", noted.to_string().replace("\nrecords 1", "\nrecords 2")),
        ("cut off", noted.to_string().replace("-----END", "----END")),
        ("signed text of an order", {
            let key = SigningKey::of_seed(&sha256(b"host key"));
            let order = key.sign(ORDER, noted.checkpoint.to_string().as_bytes()).in_armour();
            noted.to_string().replace(&signature, &order)
        }),
    ] {
        let (code, text) = letter(&checkpoint);
        assert_eq!(code, exit::NOT_SHOWN, "{what}: {text}");
        assert!(text.contains("unsigned claims: 1 in your letters"), "{what}: {text}");
        assert!(text.contains("mailbox     FAIL"), "{what}: {text}");
    }
    // Of another game, signed with any key: not even a claim.
    for checkpoint in [by(None, &foreign), by(Some(&SigningKey::of_seed(&sha256(b"host key"))), &foreign)] {
        let (code, text) = letter(&checkpoint);
        assert_eq!(code, exit::NOT_SHOWN, "{text}");
        assert!(!text.contains("unsigned claims") && text.contains("nothing in your mailbox"), "{text}");
    }
}

/// A log cut short is not another history, but it is not complete, either.
#[test]
fn a_log_that_ends_before_a_letter_is_told() {
    let mut house = house();
    play(&mut house, 2, "roll 2");
    let before = house.log();
    play(&mut house, 2, "roll 2");
    let mailbox = maildir(&letters(&house, GREEN));
    let report = checked(&before, mailbox.path());
    assert_eq!(report.exit_code(), exit::MALFORMED, "{report}");
    assert!(report.to_text().contains("the log is shorter than it was: what the host has signed in"), "{report}");
    // An unsigned letter says the same, and proves nothing.
    let last = String::from_utf8(letters(&house, GREEN).pop().unwrap()).unwrap();
    let unsigned = last.replace("-----END SSH", "-----ENDED SSH");
    let report = checked(&before, maildir(&[unsigned.into_bytes()]).path());
    assert_eq!(report.exit_code(), exit::NOT_SHOWN, "{report}");
    assert!(report.to_text().contains("there is a record"), "{report}");
    // A head that the reader gives himself.
    let head = sha256(last_record(&house.log()).as_bytes());
    let seq = house.log().matches("---\nseq: ").count() as u64 - 1;
    for (seen, code) in [(Some(seq), exit::MALFORMED), (None, exit::CONFLICT), (Some(1), exit::CONFLICT)] {
        let seen = vec![verify::Checkpoint { seq: seen, hash: head }];
        let wanted =
            Wanted { file: "log.yaml".to_owned(), titles: TITLES, errors: Errors::First, seen, progress: &mut |_| {} };
        let report = verify_with(before.as_bytes(), wanted, Proofs::default()).unwrap();
        assert_eq!(report.exit_code(), code, "{report}");
    }
}

/// Each place in a letter that names a head, changed alone: only a claim, because anybody can write such a letter.
#[test]
fn v7_a_doctored_letter_is_listed_wherever_it_was_doctored() {
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
    let claimed = |letter: &str, told: &str| {
        let (code, text) = alone(letter);
        assert_eq!(code, exit::OK, "{text}");
        assert!(text.contains("unsigned claims: 1 in your letters") && text.contains(told), "{told}: {text}");
    };
    let (code, text) = alone(&letter);
    assert_eq!(code, exit::OK);
    assert!(!text.contains("claims"), "{text}");
    let id = field(&letter, "Message-ID");
    let head = id.split('.').nth(2).unwrap().to_owned();
    let unfolded = letter.replace("\r\n ", " ");
    // In the Message-ID, in the subject, in the checkpoint.
    claimed(&unfolded.replace(&id, &id.replace(&head, &other)), "(its Message-ID): record");
    let subject = unfolded.lines().find(|line| line.starts_with("Subject: ")).unwrap();
    let words = in_subject(&house.genesis()).join(" ");
    let tagged = |tag: &str| unfolded.replace(subject, &format!("Subject: AW: [g7 #5 {tag}] your move"));
    claimed(&tagged(&format!("{} {words}", &other[..20])), "(its subject): record 5");
    claimed(&unfolded.replace(&format!("\nhead {head}"), &format!("\nhead {other}")), "(its checkpoint): record");
    // Another signature, another time: this history, but not the host's word.
    let later = unfolded.replace("\nat 2026-11-24T", "\nat 2026-11-23T");
    claimed(&later, "with a signature that is not the host's");
    // A subject of another game with this name, or without its two words, is not about this game at all.
    for tag in [format!("{} abandon zoo", &other[..20]), other[..12].to_owned(), other[..20].to_owned()] {
        let (code, text) = alone(&tagged(&tag));
        assert_eq!(code, exit::OK, "{text}");
        assert!(!text.contains("claims"), "{text}");
    }
    // A relay that renames letters: the rest still counts.
    let renamed = unfolded.replace(&id, "<0102018f@relay.example>");
    assert_eq!(alone(&renamed).0, exit::OK);
    let report = checked(&forked().1.log(), maildir(&[renamed.into_bytes()]).path());
    assert_eq!(report.exit_code(), exit::OK, "both histories share what this letter tells: {report}");
}

/// A stranger who knows the game's name and its public subjects writes to a player, with another head, and attaches
/// invented records.
#[test]
fn a_strangers_letter_with_the_public_subject_is_no_evidence() {
    let (one, other) = forked();
    let words = in_subject(&one.genesis()).join(" ");
    let forged = |subject: &str| {
        format!(
            "From: Ringmail <box@play.example>\r\nSubject: {subject}\r\nMessage-ID: <7@evil.example>\r\n\r\nhello\r\n"
        )
    };
    let mut letters = letters(&one, GREEN);
    letters.push(forged(&format!("[g7 #5 {} {words}] your move", "0".repeat(20))).into_bytes());
    letters.push(forged("[g7 #5 000000000000] your move").into_bytes());
    // A whole letter of the other history, without the host's signature.
    let newest = String::from_utf8(self::letters(&other, GREEN).pop().unwrap()).unwrap();
    letters.push(newest.replace("-----BEGIN SSH", "-----BEGUN SSH").into_bytes());
    let (_folder, file) = mbox(&letters);
    let report = checked(&one.log(), &file);
    assert_eq!(report.exit_code(), exit::OK, "{report}");
    assert_eq!(report.verdict(Check::Mailbox), &CheckResult::Pass);
    let text = report.to_text();
    assert!(text.contains("(its subject): record 5 has the hash 00000000000000000000"), "{text}");
    assert!(text.contains("(the record attached to it): record"), "{text}");
    let claims = &report.mailbox.as_ref().unwrap().claims;
    assert!(!claims.iter().any(|claim| claim.head.len() == 12), "{claims:?}");
    assert!(report.forks.is_empty());
}

/// The clock of the reader's own provider, which the host cannot set.
#[test]
fn times_are_held_against_the_readers_own_provider() {
    let mut house = house();
    play(&mut house, 4, "roll 2");
    let received = |minutes: i64| {
        let letters = letters(&house, GREEN).into_iter().map(|letter| {
            let text = String::from_utf8(letter).unwrap();
            let at = text.lines().find_map(|line| line.strip_prefix("at ")).unwrap().trim().to_owned();
            let at: jiff::Timestamp = at.parse().unwrap();
            let at =
                (at + jiff::SignedDuration::from_mins(minutes)).strftime("%a, %d %b %Y %H:%M:%S +0000").to_string();
            // Only the topmost field is the reader's own.
            let forged = "Received: from a by b; Mon, 01 Jan 2001 00:00:00 +0000\r\n";
            format!("Received: from x by mx.cave.example;\r\n {at}\r\n{forged}{text}").into_bytes()
        });
        checked(&house.log(), maildir(&letters.collect::<Vec<Vec<u8>>>()).path())
    };
    let honest = received(2);
    let times = &honest.mailbox.as_ref().unwrap().times;
    assert!(times.confirmed > 4 && times.differing.is_empty() && times.unknown == 0, "{times:?}");
    assert!(honest.to_text().contains("within 1 hour of the time that they give themselves"), "{honest}");
    // The host's clock is three hours fast, or he dates records ahead.
    let ahead = received(-180);
    assert_eq!(ahead.exit_code(), exit::OK);
    assert!(ahead.mailbox.as_ref().unwrap().times.confirmed == 0, "{ahead}");
    assert!(ahead.to_text().contains("or the record is dated later than it was made"), "{ahead}");
    let late = received(180);
    let times = &late.mailbox.as_ref().unwrap().times;
    assert!(times.confirmed == 0 && times.no_later > 0 && !times.differing.is_empty(), "{times:?}");
    assert!(late.to_text().contains("the letter waited, or the record is dated earlier"), "{late}");
    // Without the field nothing is said.
    let report = checked(&house.log(), maildir(&letters(&house, GREEN)).path());
    assert!(!report.to_text().contains("received:"), "{report}");
}

/// A record dated later than the reader's clock is reported, but is no fault by itself.
#[test]
fn a_time_in_the_future_is_told() {
    let house = house();
    let mut report = checked(&house.log(), maildir(&letters(&house, GREEN)).path());
    let at = report.at.unwrap();
    report.warn_of_clock(at);
    assert!(!report.to_text().contains("WARNING"), "{report}");
    report.warn_of_clock(at.earlier(Span::hours(1)));
    assert_eq!(report.exit_code(), exit::OK);
    assert!(report.to_text().contains(&format!("WARNING: the last record is dated {at}")), "{report}");
}

#[test]
fn the_players_own_answers_are_witnesses_too() {
    let (mut one, other) = forked();
    let player = other.asked().0;
    let shown = other.newest(player);
    let answer = one.answer_to(&shown, player, "roll 2\r\n");
    let sent = maildir(&[answer]);
    let report = checked(&one.log(), sent.path());
    assert_eq!(report.exit_code(), exit::NOT_SHOWN, "{report}");
    assert!(report.to_text().contains("(what it answers): record"), "{report}");
    let report = checked(&other.log(), sent.path());
    assert!(report.is_ok() && !report.to_text().contains("claims"), "{report}");
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
