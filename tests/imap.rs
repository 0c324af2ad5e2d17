/*! Letters from real IMAP servers, started by the test: Dovecot, and pymap as a second opinion; and from servers that
say strange things (I4).
*/

use crate::needs;
use crate::servers;
use crate::servers::{Dovecot, PASSWORD, Pymap, ca};
use ground::secret::Source;
use mail::wire::imap::{Imap, ImapError};
use mail::wire::imap_intake::{Brought, CURSOR, Filing, ImapIntake};
use mail::wire::intake::{Arrival, Filed, Taken};
use mail::wire::server::{Account, Address, Login, Protection, Way};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use std::{fs, thread};

const LETTER_BYTES: usize = 1024 * 1024;
const LONG: Duration = Duration::from_secs(20);

fn account(port: u16, protection: Protection, password: &str) -> Account {
    let server = Address { user: Some("box".to_owned()), host: "localhost".to_owned(), port, protection };
    let secret = Source::Command(format!("echo {password}"));
    let login = Some(Login { user: "box".to_owned(), way: Way::Password, secret });
    Account { server, login, trusted: Some(ca()) }
}

fn connect(port: u16) -> Imap {
    Imap::connect(&account(port, Protection::None, PASSWORD), LETTER_BYTES).unwrap()
}

fn letter(number: u32) -> String {
    format!("From: frodo@shire.example\nTo: box@play.example\nSubject: {number}\n\n.\n({number}) \"pass\"\n")
}

fn intake(home: &Path, filing: Filing) -> ImapIntake {
    ImapIntake::new(home, "imap://test", "INBOX", filing)
}

/// Runs a round; returns the subjects that it brought.
fn round(intake: &ImapIntake, imap: &mut Imap, taken: Taken) -> (Vec<(String, Arrival)>, Brought) {
    let mut letters = Vec::new();
    let brought = intake.round(imap, &mut |parcel| {
        let text = String::from_utf8(parcel.raw.to_vec()).unwrap();
        let subject = text.lines().find_map(|line| line.strip_prefix("Subject: ")).unwrap();
        assert!(text.ends_with(&format!(".\r\n({subject}) \"pass\"\r\n")), "{text:?}");
        letters.push((subject.to_owned(), parcel.arrival));
        taken
    });
    (letters, brought.unwrap())
}

fn troubles(brought: &Brought) -> Vec<String> {
    brought.troubles.iter().map(ToString::to_string).collect()
}

fn subjects(letters: &[(String, Arrival)]) -> Vec<&str> {
    letters.iter().map(|(subject, _)| subject.as_str()).collect()
}

const PLAYED: Taken = Taken::Filed(Filed::Answered);

#[test]
fn i4_letters_come_once_in_their_order_and_are_filed_by_flags() {
    let Some(dovecot) = Dovecot::start(&["box"], None) else { return };
    let home = tempfile::tempdir().unwrap();
    let intake = intake(home.path(), Filing::Flags);
    dovecot.deliver("box@play.example", &letter(1));
    let mut imap = connect(dovecot.imap);
    intake.open(&mut imap).unwrap();
    dovecot.deliver("box+g7.green.abc@play.example", &letter(2));
    imap.poll().unwrap();
    let (letters, _) = round(&intake, &mut imap, PLAYED);
    // The first letter was there before the first round.
    assert_eq!(letters, [("1".to_owned(), Arrival::Old), ("2".to_owned(), Arrival::New)]);
    assert_eq!(round(&intake, &mut imap, PLAYED).0, []);
    imap.log_out();
    // The position is kept from one connection to the next.
    let mut imap = connect(dovecot.imap);
    intake.open(&mut imap).unwrap();
    assert_eq!(round(&intake, &mut imap, PLAYED).0, []);
    dovecot.deliver("box@play.example", &letter(3));
    imap.poll().unwrap();
    assert_eq!(subjects(&round(&intake, &mut imap, Taken::Later).0), ["3"]);
    dovecot.deliver("box@play.example", &letter(4));
    imap.poll().unwrap();
    // A letter that could not be handled comes again, and does not hold up others.
    let (letters, brought) = round(&intake, &mut imap, PLAYED);
    assert_eq!((subjects(&letters), brought.waiting), (vec!["3", "4"], 0));
    assert_eq!(dovecot.letters("box").len(), 4);
    let files = fs::read_dir(dovecot.folder.path().join("mail/box/Maildir/cur")).unwrap();
    let names: Vec<String> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    assert!(names.iter().all(|name| name.contains(":2,RS")), "{names:?}");
}

/// A mailbox with much old mail: a letter that arrives now does not wait behind it.
#[test]
fn i4_a_new_letter_does_not_wait_behind_old_mail() {
    let Some(dovecot) = Dovecot::start(&["box"], None) else { return };
    let home = tempfile::tempdir().unwrap();
    let intake = intake(home.path(), Filing::Flags);
    (1..=120).for_each(|number| dovecot.deliver("box@play.example", &letter(number)));
    let mut imap = connect(dovecot.imap);
    intake.open(&mut imap).unwrap();
    let mut brought = Vec::new();
    let round = intake.round(&mut imap, &mut |parcel| {
        let text = String::from_utf8(parcel.raw.to_vec()).unwrap();
        let subject = text.lines().find_map(|line| line.strip_prefix("Subject: ")).unwrap().to_owned();
        if brought.is_empty() {
            dovecot.deliver("box@play.example", &letter(121));
        }
        brought.push(subject);
        PLAYED
    });
    assert_eq!(round.unwrap().taken, 121);
    // Fifty of the old letters come together, in their order, and then the new one.
    assert_eq!((brought[49].as_str(), brought[50].as_str(), brought[51].as_str()), ("50", "121", "51"));
    let files = fs::read_dir(dovecot.folder.path().join("mail/box/Maildir/cur")).unwrap();
    assert!(files.map(|file| file.unwrap().file_name().into_string().unwrap()).all(|name| name.contains(":2,RS")));
}

#[test]
fn i4_letters_are_moved_into_folders_that_are_made() {
    let Some(dovecot) = Dovecot::start(&["box"], None) else { return };
    let home = tempfile::tempdir().unwrap();
    let folders = Filing::Folders { processed: "Ringmail".to_owned(), rejected: "Ringmail.Rejected".to_owned() };
    let intake = intake(home.path(), folders);
    dovecot.deliver("box@play.example", &letter(1));
    dovecot.deliver("box@play.example", &letter(2));
    let mut imap = connect(dovecot.imap);
    intake.open(&mut imap).unwrap();
    let mut fates = [Filed::Answered, Filed::Flagged].into_iter();
    intake.round(&mut imap, &mut |_| Taken::Filed(fates.next().unwrap())).unwrap();
    let count = |folder: &str| {
        let home = dovecot.folder.path().join("mail/box/Maildir").join(folder);
        fs::read_dir(home).unwrap().count()
    };
    assert_eq!((count("new") + count("cur"), count(".Ringmail/cur"), count(".Ringmail.Rejected/cur")), (0, 1, 1));
}

#[test]
fn i4_a_new_uidvalidity_has_everything_looked_at_again() {
    let Some(dovecot) = Dovecot::start(&["box"], None) else { return };
    let home = tempfile::tempdir().unwrap();
    let intake = intake(home.path(), Filing::Flags);
    dovecot.deliver("box@play.example", &letter(1));
    let mut imap = connect(dovecot.imap);
    intake.open(&mut imap).unwrap();
    assert_eq!(round(&intake, &mut imap, PLAYED).0.len(), 1);
    imap.log_out();
    // The index of the mailbox is lost, as when a provider moves it to another machine.
    let numbers = dovecot.folder.path().join("mail/box/Maildir/dovecot-uidlist");
    let list = fs::read_to_string(&numbers).unwrap();
    let validity = list.split(' ').find(|word| word.starts_with('V')).unwrap().to_owned();
    fs::write(&numbers, list.replacen(&validity, "V4242", 1)).unwrap();
    for index in ["dovecot.index", "dovecot.index.log", "dovecot.index.cache"] {
        drop(fs::remove_file(dovecot.folder.path().join("mail/box/Maildir").join(index)));
    }
    let mut imap = connect(dovecot.imap);
    intake.open(&mut imap).unwrap();
    assert_eq!(round(&intake, &mut imap, PLAYED).0, [("1".to_owned(), Arrival::Old)]);
    // A damaged cursor file counts as none: better to look at everything again than to miss a letter.
    fs::write(home.path().join(CURSOR), "uid: [").unwrap();
    intake.open(&mut imap).unwrap();
    assert_eq!(round(&intake, &mut imap, PLAYED).0.len(), 1);
}

#[test]
fn i4_a_letter_wakes_whoever_waits() {
    let Some(dovecot) = Dovecot::start(&["box"], None) else { return };
    let home = tempfile::tempdir().unwrap();
    let intake = intake(home.path(), Filing::Flags);
    let mut imap = connect(dovecot.imap);
    intake.open(&mut imap).unwrap();
    assert!(!imap.wait(Duration::from_millis(50)).unwrap());
    let port = dovecot.lmtp;
    let delivery = thread::spawn(move || servers::deliver(port, "box@play.example", &letter(1)));
    assert!(imap.wait(LONG).unwrap());
    delivery.join().unwrap();
    assert_eq!(subjects(&round(&intake, &mut imap, PLAYED).0), ["1"]);
    // And again on the same connection.
    assert!(!imap.wait(Duration::from_millis(50)).unwrap());
    // The server tells of a letter while it answers something else, and does not tell it again.
    dovecot.deliver("box@play.example", &letter(2));
    imap.flag(&[1], &["\\Flagged"], "$X").unwrap();
    assert!(imap.wait(LONG).unwrap());
}

#[test]
fn s6_starttls_and_tls_are_spoken_and_certificates_checked() {
    let Some(dovecot) = Dovecot::start(&["box"], None) else { return };
    for (port, protection) in [(dovecot.imap, Protection::StartTls), (dovecot.imaps, Protection::Implicit)] {
        let mut imap = Imap::connect(&account(port, protection, PASSWORD), LETTER_BYTES).unwrap();
        assert_eq!(imap.select("INBOX").unwrap().exists, 0);
        let doubted = Account { trusted: None, ..account(port, protection, PASSWORD) };
        let error = Imap::connect(&doubted, LETTER_BYTES).err().unwrap().to_string();
        assert!(error.contains("no secure connection to localhost") && error.contains("certificate"), "{error}");
    }
}

#[test]
fn s6_what_is_wrong_is_told() {
    let Some(dovecot) = Dovecot::start(&["box"], None) else { return };
    let told = |account: &Account| Imap::connect(account, LETTER_BYTES).err().unwrap().to_string();
    let wrong = told(&account(dovecot.imap, Protection::None, "friend"));
    assert_eq!(wrong, "the IMAP server refuses the login: Authentication failed.");
    let closed = told(&account(servers::free_port(), Protection::None, PASSWORD));
    assert!(closed.starts_with("localhost does not answer on port "), "{closed}");
    let no_tls = told(&account(dovecot.imap, Protection::Implicit, PASSWORD));
    assert!(no_tls.starts_with("no secure connection to localhost: "), "{no_tls}");
    let nowhere = Address { host: "no.such.host.invalid".to_owned(), ..account(1, Protection::None, "").server };
    let nowhere = told(&Account { server: nowhere, ..account(1, Protection::None, PASSWORD) });
    assert!(nowhere.starts_with("the host no.such.host.invalid is not known: "), "{nowhere}");
    let error = connect(dovecot.imap).select("Nirgendwo").unwrap_err().to_string();
    assert!(error.starts_with("the folder Nirgendwo cannot be opened: Mailbox doesn't exist"), "{error}");
    let error = connect(dovecot.imap).select("Entwürfe").unwrap_err();
    assert!(matches!(error, ImapError::Name { .. }), "{error}");
}

/// Found with a mail server that delivers in the background: `doctor` had looked thirty times within a moment.
#[test]
fn s7_who_looks_for_a_letter_waits_for_it() {
    let Some(dovecot) = Dovecot::start(&["box"], None) else { return };
    dovecot.deliver("box@play.example", &letter(1));
    let mut imap = connect(dovecot.imap);
    assert_eq!(imap.select("INBOX").unwrap().exists, 1);
    assert_eq!(imap.letters_about("no such letter").unwrap(), Vec::<u32>::new());
    assert!(!imap.wait(Duration::from_millis(50)).unwrap());
}

#[test]
fn i4_another_server_is_understood_as_well() {
    let Some(pymap) = Pymap::start() else { return };
    let home = tempfile::tempdir().unwrap();
    let intake = intake(home.path(), Filing::Folders { processed: "Done".to_owned(), rejected: "Done".to_owned() });
    pymap.append(&letter(1));
    let mut imap = connect(pymap.imap);
    intake.open(&mut imap).unwrap();
    assert_eq!(subjects(&round(&intake, &mut imap, PLAYED).0), ["1"]);
    assert_eq!(imap.select("Done").unwrap().exists, 1);
    intake.open(&mut imap).unwrap();
    assert_eq!(round(&intake, &mut imap, PLAYED).0, []);
    // This server announces only letters that arrive while a client waits.
    thread::scope(|scope| {
        scope.spawn(|| pymap.append(&letter(2)));
        assert!(imap.wait(LONG).unwrap());
    });
    assert_eq!(subjects(&round(&intake, &mut imap, Taken::Filed(Filed::Left)).0), ["2"]);
    assert_eq!(imap.select("INBOX").unwrap().exists, 1);
    imap.log_out();
}

/// A server that says its lines whatever the client says; returns what the client said.
fn played(part: &[&str]) -> (u16, thread::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let part: Vec<String> = part.iter().map(|reply| format!("{reply}\r\n")).collect();
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
        let mut said = Vec::new();
        for reply in part {
            if stream.write_all(reply.as_bytes()).is_err() {
                return said;
            }
            said.extend(lines.next().and_then(Result::ok));
        }
        said
    });
    (port, server)
}

/// A server with two letters, for any number of clients; it answers some commands as `answer` says, where `T` is the
/// tag.
fn answering(answer: fn(&str) -> Option<&'static str>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            stream.write_all(b"* OK\r\n").unwrap();
            for line in BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok) {
                let (tag, command) = line.split_once(' ').unwrap();
                let (_, number) = command.split_once("UID FETCH ").unwrap_or_default();
                let reply = match (answer(command), number.split([' ', ':']).next().unwrap()) {
                    (Some(reply), _) => reply.replacen("T ", &format!("{tag} "), 1),
                    (None, _) if command.starts_with("SELECT") => format!("* OK [UIDVALIDITY 7]\r\n{tag} OK"),
                    // The newest letter is reported even if it is older.
                    (None, first) if command.ends_with(":* (UID)") => match first {
                        "1" => format!("* 1 FETCH (UID 1)\r\n* 2 FETCH (UID 2)\r\n{tag} OK"),
                        _ => format!("* 1 FETCH (FLAGS (\\Seen))\r\n* 2 FETCH (UID 2)\r\n{tag} OK"),
                    },
                    (None, "") => format!("{tag} OK"),
                    (None, number) => {
                        let letter = letter(number.parse().unwrap()).replace('\n', "\r\n");
                        format!(
                            "* {number} FETCH (UID {number} BODY[]<0> {{{}}}\r\n{letter})\r\n{tag} OK",
                            letter.len()
                        )
                    }
                };
                if stream.write_all(format!("{reply}\r\n").as_bytes()).is_err() || reply.starts_with("* BYE") {
                    break;
                }
            }
        }
    });
    port
}

/// Found with GNU imap4d 3.15: its answer to `UID SEARCH UID 1:*` is always empty, and `serve` heard of no letter.
#[test]
fn i4_new_letters_are_found_without_searching() {
    let port = answering(|command| command.starts_with("UID SEARCH").then_some("* SEARCH\r\nT OK"));
    let home = tempfile::tempdir().unwrap();
    let intake = intake(home.path(), Filing::Flags);
    let mut imap = connect(port);
    intake.open(&mut imap).unwrap();
    assert_eq!(subjects(&round(&intake, &mut imap, PLAYED).0), ["1", "2"]);
    assert_eq!(round(&intake, &mut imap, PLAYED).0, []);
}

#[test]
fn i4_a_server_that_refuses_to_tell_of_news_is_asked_for_them() {
    let port = answering(|command| match command {
        "CAPABILITY" => Some("* CAPABILITY IMAP4rev1 IDLE\r\nT OK"),
        "IDLE" => Some("T BAD Unknown command"),
        _ => None,
    });
    let mut imap = connect(port);
    for _ in 0..2 {
        let error = imap.wait(LONG).unwrap_err();
        assert_eq!(error.to_string(), "the IMAP server does not offer IDLE");
        imap.poll().unwrap();
    }
}

/// Found with Cyrus and Courier, where all folders lie below INBOX: the first letter was taken in again and again, and
/// no other one.
#[test]
fn i4_a_folder_that_cannot_be_made_keeps_no_letters() {
    let port = answering(|command| match command.split(' ').next() {
        Some("CREATE") => Some("T NO Permission denied"),
        _ if command.starts_with("UID COPY") => Some("T NO [TRYCREATE] Mailbox does not exist."),
        Some("STATUS") => Some("T NO Mailbox does not exist"),
        _ => None,
    });
    let home = tempfile::tempdir().unwrap();
    let folders = Filing::Folders { processed: "Ringmail".to_owned(), rejected: "Ringmail".to_owned() };
    let intake = intake(home.path(), folders);
    let mut imap = connect(port);
    intake.open(&mut imap).unwrap();
    let (letters, brought) = round(&intake, &mut imap, PLAYED);
    assert_eq!((subjects(&letters), brought.waiting), (vec!["1", "2"], 0));
    let told = "letters cannot be filed into the folder Ringmail: Mailbox does not exist; and it cannot be created: \
                Permission denied";
    assert_eq!(troubles(&brought), [told, told]);
    assert_eq!(round(&intake, &mut imap, PLAYED).0, []);
    let error = imap.make("Ringmail").unwrap_err().to_string();
    assert_eq!(error, "letters cannot be filed into the folder Ringmail: Permission denied");
}

/// Found with Dovecot, which closes the connection if it must not read a letter of a Maildir.
#[test]
fn i4_a_letter_that_cannot_be_brought_keeps_no_others() {
    let home = tempfile::tempdir().unwrap();
    let intake = intake(home.path(), Filing::Flags);
    let port = answering(|command| command.starts_with("UID FETCH 1 (").then_some("* BYE FETCH failed"));
    for _ in 0..5 {
        let mut imap = connect(port);
        intake.open(&mut imap).unwrap();
        let error = intake.round(&mut imap, &mut |_| PLAYED).unwrap_err().to_string();
        assert_eq!(error, "the IMAP server has closed the connection: FETCH failed");
    }
    let mut imap = connect(port);
    intake.open(&mut imap).unwrap();
    let (letters, brought) = round(&intake, &mut imap, PLAYED);
    assert_eq!((subjects(&letters), brought.waiting), (vec!["2"], 0));
    assert_eq!(
        troubles(&brought),
        ["INBOX 1: the connection breaks off whenever this letter is fetched; it is skipped"]
    );
    // A letter that the server refuses for now is tried again.
    let port = answering(|command| command.starts_with("UID FETCH 1 (").then_some("T NO not now"));
    fs::remove_file(home.path().join(CURSOR)).unwrap();
    let mut imap = connect(port);
    intake.open(&mut imap).unwrap();
    let (letters, brought) = round(&intake, &mut imap, PLAYED);
    assert_eq!((subjects(&letters), brought.waiting), (vec!["2"], 1));
    assert_eq!(troubles(&brought), ["INBOX 1: the IMAP server refuses FETCH: not now"]);
    // A letter that the server knows and cannot read is not mistaken for a deleted one.
    let port =
        answering(|command| command.starts_with("UID FETCH 1 (").then_some("* 1 FETCH (UID 1 BODY[]<0> NIL)\r\nT OK"));
    fs::remove_file(home.path().join(CURSOR)).unwrap();
    let mut imap = connect(port);
    intake.open(&mut imap).unwrap();
    let (letters, brought) = round(&intake, &mut imap, PLAYED);
    assert_eq!((subjects(&letters), brought.waiting), (vec!["2"], 1));
    assert_eq!(troubles(&brought), ["INBOX 1: the IMAP server refuses FETCH: the letter came empty"]);
}

#[test]
fn s6_a_token_is_brought_as_google_wants_it() {
    let capable = "* CAPABILITY IMAP4rev1 AUTH=XOAUTH2\r\nr1 OK";
    let failure = "+ eyJzdGF0dXMiOiI0MDAifQ==";
    let (port, server) = played(&["* OK", capable, "+ ", failure, "r2 NO [AUTHENTICATIONFAILED] Invalid credentials"]);
    let mut account = account(port, Protection::None, "token");
    account.login.as_mut().unwrap().way = Way::Xoauth2;
    let error = Imap::connect(&account, LETTER_BYTES).err().unwrap().to_string();
    assert_eq!(error, "the IMAP server refuses the login: Invalid credentials {\"status\":\"400\"}");
    let said = server.join().unwrap();
    let words = data_encoding::BASE64.encode(b"user=box\x01auth=Bearer token\x01\x01");
    assert_eq!(said, ["r1 CAPABILITY", "r2 AUTHENTICATE XOAUTH2", &words, ""]);
}

#[test]
fn x2_a_password_is_never_part_of_what_is_told() {
    let (port, _server) = played(&["* OK", "* CAPABILITY IMAP4rev1\r\nr1 OK", "r2 NO"]);
    let error = Imap::connect(&account(port, Protection::None, "mellön"), LETTER_BYTES).err().unwrap().to_string();
    assert!(error.contains("plain letters") && !error.contains("mell"), "{error}");
}

#[test]
fn p1_a_server_that_sends_without_end_is_left() {
    let capable = "* CAPABILITY IMAP4rev1\r\nr1 OK\r\nr2 OK\r\nr3 OK";
    let select = "* 1 EXISTS\r\nr4 OK [READ-WRITE]";
    let (port, _server) = played(&["* OK", capable, "", "", select, "* 1 FETCH (UID 1 BODY[]<0> {99999999}"]);
    let mut imap = connect(port);
    imap.select("INBOX").unwrap();
    let error = imap.fetch(1).unwrap_err().to_string();
    assert_eq!(error, "the server said more than 1048576 bytes at once");
    for part in [&["* BYE we are closed"][..], &["garbage"], &[""]] {
        let (port, _server) = played(part);
        assert!(Imap::connect(&account(port, Protection::None, PASSWORD), LETTER_BYTES).is_err());
    }
}

#[test]
fn x2_what_was_said_before_tls_is_not_believed() {
    let (port, _server) = played(&["* OK", "* CAPABILITY IMAP4rev1 STARTTLS\r\nr1 OK", "r2 OK\r\n* PREAUTH"]);
    let error = Imap::connect(&account(port, Protection::StartTls, PASSWORD), LETTER_BYTES).err().unwrap();
    assert_eq!(error.to_string(), "data came before the connection was encrypted, so it was closed");
}

#[test]
fn i4_another_client_sees_what_became_of_a_letter() {
    if !needs::programs(&["python3"]) {
        return;
    }
    let Some(dovecot) = Dovecot::start(&["box"], None) else { return };
    dovecot.deliver("box@play.example", &letter(1));
    let script = "import imaplib, sys\nm = imaplib.IMAP4('127.0.0.1', int(sys.argv[1]))\nm.login('box', sys.argv[2])\n\
                  m.select('INBOX')\nprint(m.uid('FETCH', '1', '(FLAGS)')[1])\n";
    let home = tempfile::tempdir().unwrap();
    let intake = intake(home.path(), Filing::Flags);
    let mut imap = connect(dovecot.imap);
    intake.open(&mut imap).unwrap();
    round(&intake, &mut imap, PLAYED);
    let output = Command::new("python3").args(["-c", script, &dovecot.imap.to_string(), PASSWORD]).output().unwrap();
    let flags = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(flags.contains("\\\\Answered") && flags.contains("$RingmailPlayed"), "{flags} {output:?}");
}
