/*! The post office under malicious conditions: clocks that jump, disks that are not mounted, locks that are held,
servers that accept no letter, strangers who write without end. No letter is lost, none is played twice, and no player
suffers for it.
*/

use crate::house;
use crate::house::{BLACK, GREEN, House, at, body, charter, office, secrets, table};
use crate::relay::{Beacon, Manner, Relay};
use ground::disk::mishap;
use ground::hash::sha256;
use ground::stamp::Stamp;
use mail::letter::mailbox::Mailbox;
use mail::wire::carrier::NotCarried;
use mail::wire::intake::{Arrival, Filed, Parcel, Taken};
use net::beacon::Relay as Url;
use post::book::fault::PostError;
use post::book::{Book, Event, Reception};
use post::desk::beacon::Beacon as Rounds;
use post::desk::lost::Lost;
use post::office::sending;
use post::office::service::{Bulletin, Outside, Part, Service};
use post::office::tick::tick;
use post::office::{COUNTER, Handled, Office};
use record::charter::schedule::{CharterSchedule, CharterSilence};
use record::entry::body::Silence;
use record::file::secrets::Secrets;
use std::cell::{Cell, RefCell};
use std::fs;
use std::sync::{Arc, mpsc};
use std::time::Duration;

fn stamp(moment: &str) -> Stamp {
    Stamp::parse(&format!("2026-{moment}:00Z")).unwrap()
}

/// Runs a service at these moments, each a tick or a letter; returns the fate of each letter, and the messages.
fn serves(office: &Office, moments: &[(&str, Option<&[u8]>)]) -> (Vec<Taken>, Vec<String>) {
    let now = Cell::new(stamp(moments[0].0));
    let (_events, incoming) = mpsc::channel();
    let clock = || now.get();
    let told = RefCell::new(Vec::new());
    let mut tell = |happening: &Bulletin<'_>| match happening {
        Bulletin::Trouble { source, words } => told.borrow_mut().push(format!("{source}: {words}")),
        Bulletin::Notice(notice) => told.borrow_mut().push(notice.subject()),
        _ => {}
    };
    let host = Mailbox::read("host@play.example");
    let outside = Outside {
        events: incoming,
        jobs: None,
        now: &clock,
        tell: &mut tell,
        sources: [].into(),
        host,
        part: Part::WHOLE,
    };
    let mut service = Service::new(office, outside);
    let mut taken = Vec::new();
    for (moment, letter) in moments {
        now.set(stamp(moment));
        match letter {
            None => service.minute().unwrap(),
            Some(raw) => {
                let parcel = Parcel { name: "letter".to_owned(), raw, arrival: Arrival::New };
                taken.push(service.receive(&parcel));
            }
        }
    }
    drop(service);
    (taken, told.into_inner())
}

/// A game with three days to answer, and then `then`.
fn scheduled(then: Silence) -> House {
    let silence = vec![CharterSilence { misses: 1, then }];
    let schedule = CharterSchedule { answer: "3d".to_owned(), silence, ..CharterSchedule::default() };
    let house = House::changed(|charter| charter.schedule = Some(schedule));
    house.office.desk("g7").unwrap().report(at(1)).unwrap();
    house
}

/// For some seconds the clock shows a later day: it dates no tick and no letter.
#[test]
fn a_clock_that_jumps_ahead_for_a_moment_changes_nothing() {
    let mut house = scheduled(Silence::Forfeit);
    house.send();
    let (asked, _) = house.asked();
    let letter = house.answer_to(&house.newest(asked), asked, "pass\r\n");
    let before = house.log();
    let (taken, told) = serves(
        &house.office,
        &[("11-24T08:10", None), ("12-04T08:11", Some(&letter)), ("12-04T08:11", None), ("12-04T08:11", Some(&letter))],
    );
    assert_eq!((taken, house.log()), (vec![Taken::Later, Taken::Later], before));
    assert!(told.iter().any(|told| told.starts_with("the clock: it shows 2026-12-04")), "{told:?}");
    // The clock is right again, and the letter comes once more.
    let (taken, _) = serves(&house.office, &[("11-24T08:12", None), ("11-24T08:12", Some(&letter))]);
    assert_eq!(taken, [Taken::Filed(Filed::Answered)]);
    assert_eq!(house.said(), ["pass"]);
}

/// Either the post office was shut for ten days, or its clock is wrong: the clock of a mail server decides.
#[test]
fn a_mail_server_that_agrees_with_the_clock_is_believed() {
    let mut house = scheduled(Silence::Forfeit);
    house.send();
    let (asked, _) = house.asked();
    let plain = house.answer_to(&house.newest(asked), asked, "pass\r\n");
    let taken = |date: &str| {
        let hop = format!("Received: from a by mx.play.example; {date}\r\n");
        [hop.as_bytes(), b"Received: from b by a; Fri, 20 Nov 2026 08:00:00 +0000\r\n", &plain].concat()
    };
    let (waited, fresh) = (taken("Wed, 25 Nov 2026 09:00:00 +0100"), taken("Fri, 04 Dec 2026 09:10:00 +0100"));
    let before = house.log();
    let moments = [
        ("11-24T08:10", None),
        ("12-04T08:11", None),
        ("12-04T08:12", Some(&plain)),
        ("12-04T08:12", Some(&waited)),
        ("12-04T08:30", None),
    ];
    let moments = moments.map(|(moment, raw)| (moment, raw.map(Vec::as_slice)));
    let (told, words) = serves(&house.office, &moments);
    assert_eq!((told, house.log()), (vec![Taken::Later, Taken::Later], before));
    assert!(words.iter().any(|told| told.contains("is it right? ")), "{words:?}");
    let more = [("12-04T08:31", None), ("12-04T08:32", Some(fresh.as_slice())), ("12-04T08:33", None)];
    let (told, _) = serves(&house.office, &more);
    assert_eq!(told, [Taken::Filed(Filed::Answered)]);
    assert_eq!(house.said(), ["pass"]);
}

/// A house with a relay of a beacon whose clock is right.
fn with_a_relay(right: &'static str) -> (House, Relay) {
    let beacon = Beacon::new(9, stamp("11-01T00:00"), 3);
    let relay = beacon.relay(Manner::Honest, Arc::new(move || stamp(right)));
    let relays = vec![Url::read(&relay.url()).unwrap()];
    let mut house = scheduled(Silence::Forfeit);
    let chain = Some(beacon.chain.clone());
    house.office = office(house.folder.path()).fetching_from(Rounds { relays, chain, ..Rounds::default() });
    (house, relay)
}

/// The clock is ten days fast, and stays so: the relay does not have the round that would be a day old by that clock.
#[test]
fn a_clock_that_the_beacon_contradicts_is_never_believed() {
    let (mut house, relay) = with_a_relay("11-24T09:00");
    house.send();
    let asked = house.asked().0;
    let letter = house.answer_to(&house.newest(asked), asked, "pass\r\n");
    let before = house.log();
    let fast =
        [("11-24T08:10", None), ("12-04T08:11", None), ("12-04T11:00", None), ("12-04T13:00", Some(&letter[..]))];
    let (taken, told) = serves(&house.office, &fast);
    assert_eq!((taken, house.log()), (vec![Taken::Later], before.clone()));
    let told_host = "the clock of the post office is fast";
    assert_eq!(told.iter().filter(|told| *told == told_host).count(), 1, "{told:?}");
    // After a restart, and days later.
    let (taken, _) = serves(&house.office, &[("12-04T13:30", None), ("12-07T08:00", Some(&letter))]);
    assert_eq!((taken, house.log()), (vec![Taken::Later], before));
    let counter = house.folder.path().join(COUNTER).join("outbox");
    let letters: Vec<_> = fs::read_dir(counter).unwrap().map(|file| file.unwrap().path()).collect();
    let [letter_to_host] = &letters[..] else { panic!("{letters:?}") };
    let letter_to_host = fs::read_to_string(letter_to_host).unwrap();
    // The letter is dated by the clock as it was before.
    assert!(letter_to_host.starts_with("Date: Tue, 24 Nov 2026 08:10:00 +0000\r\n"), "{letter_to_host}");
    assert!(
        body(&letter_to_host).contains("It is fast: the relays of the beacon have no round yet"),
        "{letter_to_host}"
    );
    // A silent relay proves nothing; then the clock is set right.
    relay.behave(Manner::Status(503));
    let (taken, _) =
        serves(&house.office, &[("12-07T08:01", None), ("11-24T09:12", None), ("11-24T09:12", Some(&letter))]);
    assert_eq!(taken, [Taken::Filed(Filed::Answered)]);
    assert_eq!(house.said(), ["pass"]);
}

/// The post office was shut for ten days: a round nearly as recent as the clock's time proves that the clock is right.
#[test]
fn a_clock_that_the_beacon_confirms_is_believed_at_once() {
    let (mut house, relay) = with_a_relay("12-04T08:11");
    house.send();
    let asked = house.asked().0;
    let letter = house.answer_to(&house.newest(asked), asked, "pass\r\n");
    let (taken, told) =
        serves(&house.office, &[("11-24T08:10", None), ("12-04T08:11", None), ("12-04T08:11", Some(&letter))]);
    assert_eq!(taken, [Taken::Filed(Filed::Answered)]);
    assert_eq!(house.said(), ["pass"]);
    assert!(told.is_empty(), "{told:?}");
    // Without a doubt no relay is asked.
    let asked_before = relay.asked().len();
    serves(&house.office, &[("12-04T08:12", None), ("12-04T20:00", None)]);
    assert_eq!((asked_before, relay.asked().len()), (1, 1));
}

/// A record dated by a wrong clock stays: the later records get its time, and the game goes on.
#[test]
fn a_record_of_the_future_stops_no_game() {
    let mut house = House::opened();
    let (first, second) = (house.asked().0, house.other());
    let letter = house.answer_to(&house.newest(first), first, "pass\r\n");
    let ahead = stamp("12-04T08:11");
    house.office.receive(&letter, ahead).unwrap();
    assert_eq!(house.receive(&letter).outcome, Reception::Again);
    let answer = house.says(second, "pass\r\n");
    assert_eq!((answer.outcome, house.said()), (Reception::Played, vec!["pass".to_owned(), "pass".to_owned()]));
    assert_eq!(house.log().matches("at: \"2026-12-04T08:11:00Z\"").count(), 2, "{}", house.log());
    house.office.desk("g7").unwrap().tick(at(30)).unwrap();
    house.office.desk("g7").unwrap().table.reveal(at(40)).unwrap();
}

/// The disk with the games is not mounted: the folder exists, and is empty. No letter is answered, and nothing is
/// made in the folder.
#[test]
fn i3_the_folder_below_a_disk_that_is_not_mounted_is_no_post_office() {
    let mut house = House::opened();
    let (asked, _) = house.asked();
    let letter = house.answer_to(&house.newest(asked), asked, "pass\r\n");
    let away = tempfile::tempdir().unwrap();
    let below = office(away.path());
    let refused = below.receive(&letter, at(20));
    assert!(matches!(refused, Err(PostError::NoGames(_))), "{refused:?}");
    assert!(matches!(tick(&mut below.sit(), at(20)).map(|games| games.len()), Ok(0)));
    let stranger = b"From: pippin@shire.example\r\nTo: box@play.example\r\n\r\nhello\r\n";
    assert!(matches!(below.receive(stranger, at(20)), Err(PostError::NoGames(_))));
    assert_eq!(fs::read_dir(away.path()).unwrap().count(), 0);
    house.receive(&letter);
    assert_eq!(house.said(), ["pass"]);
}

/// Two letters of one game; the first met a lock, and the second waits behind it.
#[test]
fn i2_no_letter_overtakes_another_of_its_game() {
    let mut house = House::opened();
    let (asked, _) = house.asked();
    let newest = house.newest(asked);
    let [first, second] = ["dare\r\n", "roll 1\r\n"].map(|line| house.answer_to(&newest, asked, line));
    let mut sitting = house.office.sit();
    let busy = house.office.desk("g7").unwrap();
    assert!(sitting.receive(&first, at(20)).is_err());
    drop(busy);
    assert!(sitting.receive(&second, at(20)).is_err(), "it waits behind the first");
    for letter in [&first, &second] {
        assert!(matches!(sitting.receive(letter, at(21)).unwrap(), Handled::Desk { .. }));
    }
    drop(sitting);
    assert_eq!(house.said()[0], "dare");
}

/// A relay that defers every letter, one that refuses them, and one that finally takes them.
#[test]
fn s6_the_time_of_a_question_begins_when_its_letter_has_left() {
    for refusal in [
        NotCarried::Later { reply: "450 4.2.0 greylisted".to_owned() },
        NotCarried::Never { reply: "554 5.7.1 go away".to_owned() },
    ] {
        let house = scheduled(Silence::Forfeit);
        let (asked, _) = house.asked();
        let book = house.office.desk("g7").unwrap().book;
        let name = book.letters_out().rev().find(|out| out.to == asked).unwrap().letter.clone();
        drop(book);
        let note = |carried, moment| {
            let mut desk = house.office.desk("g7").unwrap();
            let outbox = desk.outbox.clone();
            sending::note(&name, carried, &outbox, &mut desk.book, stamp(moment)).unwrap();
        };
        let ticks = |moment| drop(house.office.desk("g7").unwrap().tick(stamp(moment)).unwrap());
        note(Err(refusal.clone()), "11-24T08:05");
        ticks("11-29T12:00");
        assert!(
            !house.log().contains("what: \"lapsed\"") && !house.log().contains("type: \"concede\""),
            "{}",
            house.log()
        );
        if matches!(refusal, NotCarried::Later { .. }) {
            note(Ok("250 taken".to_owned()), "11-29T13:00");
            ticks("11-29T13:01");
            let moved = "until: \"2026-12-02T13:00:00Z\"";
            assert!(house.log().contains(moved) && house.log().contains("could not be sent before"), "{}", house.log());
            ticks("11-29T13:02");
            assert_eq!(house.log().matches(moved).count(), 1);
        }
    }
}

/// A letter during which the program stopped again and again is finally refused; one that met a full disk is not.
#[test]
fn a_letter_that_stops_the_program_does_not_stop_it_for_ever() {
    let mut house = House::opened();
    let (asked, _) = house.asked();
    let letter = house.answer_to(&house.newest(asked), asked, "pass\r\n");
    // The disk fails while the letter is played, as often as possible.
    mishap::after(7);
    assert!(house.office.receive(&letter, at(20)).is_err());
    assert!(mishap::has_struck());
    for _ in 0..6 {
        mishap::after(3);
        let mut desk = house.office.desk("g7");
        let failed = desk.as_mut().map(|desk| desk.recover(at(21)).is_err()).unwrap_or(true);
        assert!(mishap::has_struck() && failed);
        // If a disk fails for good, not even the failure can be noted.
        let hash = sha256(&letter);
        Book::open(&house.path()).unwrap().append(Event::Resumed { raw: hash, times: 0 }).unwrap();
    }
    let stopped = house.copy();
    house.receive(&letter);
    assert_eq!(house.said(), ["pass"]);
    // The process ended each time, and could not note anything any more.
    let hash = sha256(&letter);
    Book::open(&stopped.path()).unwrap().append(Event::Resumed { raw: hash, times: 4 }).unwrap();
    let Handled::Desk { received, .. } = stopped.office.receive(&letter, at(22)).unwrap() else { panic!("astray") };
    assert_eq!((received.outcome, stopped.said()), (Reception::Again, Vec::<String>::new()));
    let told = body(&stopped.newest(asked)).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("the program stopped whenever it read this letter"), "{told}");
}

fn from_stranger(number: usize, author: &str) -> Vec<u8> {
    format!("From: {author}\r\nTo: box@play.example\r\nMessage-ID: <{number}@x.example>\r\n\r\nhello {number}\r\n")
        .into_bytes()
}

/// Somebody writes under invented names: not all of the letters are answered, and not all are kept.
#[test]
fn l3_strangers_are_answered_and_kept_within_limits() {
    let house = House::opened();
    let mut sitting = house.office.sit();
    let mut answers = |authors: &dyn Fn(usize) -> String, count: usize, minutes: u32| {
        let answered = |number: &usize| {
            let raw = from_stranger(*number, &authors(*number));
            matches!(sitting.receive(&raw, at(minutes)), Ok(Handled::Astray { letter: Some(_), .. }))
        };
        (0..count).filter(answered).count()
    };
    assert_eq!(answers(&|number| format!("a{number}@one.example"), 50, 20), 10);
    assert_eq!(answers(&|number| format!("b{number}@host{number}.example"), 300, 21), 20);
    assert_eq!(answers(&|number| format!("c{number}@other{number}.example"), 3, 90), 3);
    // A player is answered all the same.
    let player = |number| format!("{GREEN}{}", [""; 1][number]);
    assert_eq!(answers(&player, 1, 91), 1);
    drop(sitting);
    let vault = house.folder.path().join(COUNTER).join("vault/mail");
    assert_eq!(fs::read_dir(vault).unwrap().count(), 34 + 100);
}

/// The register that says who plays may be lost or wrong.
#[test]
fn the_register_of_players_is_made_again_when_it_is_lost_or_wrong() {
    let house = House::opened();
    let players = house.folder.path().join(COUNTER).join("players");
    let is_answered = |number: usize, author: &str| {
        let raw = from_stranger(number, author);
        matches!(house.office.receive(&raw, at(20)), Ok(Handled::Astray { letter: Some(_), .. }))
    };
    // A player is answered every time, a stranger once.
    assert!(is_answered(1, BLACK) && is_answered(2, BLACK));
    assert!(is_answered(3, "pippin@shire.example") && !is_answered(4, "pippin@shire.example"));
    let text = fs::read_to_string(&players).unwrap();
    assert!(text.starts_with("g7 ") && text.contains(BLACK) && text.contains(GREEN), "{text}");
    for rubbish in ["", "g7 0.0/1 pippin@shire.example\ng9 0.0/1 merry@shire.example\n", "\u{0}\n\n g7\n"] {
        fs::write(&players, rubbish).unwrap();
        assert!(is_answered(rubbish.len() + 10, BLACK) && !is_answered(rubbish.len() + 50, "pippin@shire.example"));
        assert_eq!(fs::read_to_string(&players).unwrap(), text);
    }
}

/// Letters wait for a lock in their order, and not for ever.
#[test]
fn a_game_at_which_somebody_is_at_work_is_waited_for() {
    let mut house = House::opened();
    let (asked, _) = house.asked();
    let letter = house.answer_to(&house.newest(asked), asked, "pass\r\n");
    let busy = house.office.desk("g7").unwrap();
    let waits = |time| office(house.folder.path()).with_patience(Duration::from_millis(time));
    assert!(waits(50).receive(&letter, at(20)).is_err());
    let (done, ended) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..10 {
            let (letter, done, office) = (&letter, done.clone(), waits(20_000));
            scope.spawn(move || done.send(office.receive(letter, at(20)).is_ok()).unwrap());
        }
        drop(busy);
        assert!((0..10).all(|_| ended.recv().unwrap()));
    });
    assert_eq!(house.said(), ["pass"]);
}

/// The log was put back from an older backup: a letter quotes a checkpoint that the host has signed since.
#[test]
fn i3_a_log_from_an_older_backup_tells_no_second_history() {
    let mut house = House::founded(&charter::riddles(), secrets::with_key(), table::nothing);
    let (first, second) = (house.asked().0, house.other());
    house.says(first, "pass\r\n");
    house.send();
    let older = house.copy();
    house.says(second, "pass\r\n");
    house.send();
    let newest = house.newest(first);
    let quoted: String = body(&newest).lines().map(|line| format!("> {line}\r\n")).collect();
    let raw = house.answer_to(&newest, first, &format!("pass\r\n\r\n{quoted}"));
    let told = |received: Result<Handled, PostError>| match received {
        Err(PostError::Incomplete { last, lost, .. }) => (last, lost),
        other => panic!("{other:?}"),
    };
    let (last, lost) = told(older.office.receive(&raw, at(60)));
    assert!(last < lost, "#{last} and #{lost}");
    let before = older.log();
    // No other letter plays, and the clock writes nothing, until the log is whole.
    let plain = format!("From: {second}\r\nTo: {}\r\n\r\nstatus\r\n", house::field(&house.newest(second), "Reply-To"));
    told(older.office.receive(plain.as_bytes(), at(61)));
    assert!(matches!(older.office.desk("g7"), Err(PostError::Incomplete { .. })));
    assert_eq!(older.log(), before);
    // If the host gives the lost records up, the game goes on without them.
    let given_up = older.copy();
    let lost = Lost::read(&given_up.path().as_path().into()).unwrap().unwrap();
    Lost { is_given_up: true, ..lost }.note(&given_up.path().as_path().into()).unwrap();
    given_up.office.receive(&raw, at(62)).unwrap();
    given_up.office.desk("g7").unwrap();
    // When the records are back, the letter plays.
    fs::write(older.path().join("log.yaml"), house.log()).unwrap();
    let Handled::Desk { received, .. } = older.office.receive(&raw, at(62)).unwrap() else { panic!("astray") };
    assert_eq!((received.outcome, older.said().len()), (Reception::Played, 3));
}

/// Between two letters a game is unlocked, and its fold is remembered; it is used only if nobody has written in
/// between.
#[test]
fn what_is_remembered_of_a_game_is_held_against_its_files() {
    let mut house = House::opened();
    let first = house.asked().0;
    let letter = house.answer_to(&house.newest(first), first, "status\r\n");
    let office = house.office.clone();
    let mut sitting = office.sit();
    let mut receive = |raw: &[u8], minutes: u32| {
        let received = sitting.receive(raw, at(minutes));
        sitting.rise();
        (received, sitting.is_resting("g7"))
    };
    assert!(matches!(receive(&letter, 10), (Ok(_), true)));
    // Another process plays on, and its records are noticed.
    house.says(first, "pass\r\n");
    let second = house.asked().0;
    let pass = house.answer_to(&house.newest(second), second, "pass\r\n");
    let received = receive(&pass, 12);
    assert!(received.1 && house.said() == ["pass", "pass"], "{received:?}");
    // A change of the book alone, and of the addresses alone.
    assert_eq!(house.receive(&pass).outcome, Reception::Again);
    let stranger = "merry@shire.example";
    let mut secrets = Secrets::read(&house.path()).unwrap();
    secrets.seats[0].addresses = vec![stranger.to_owned()];
    secrets.write(&house.path()).unwrap();
    house.send();
    let status = house.answer_to(&house.newest(second), second, "status\r\n");
    assert!(matches!(receive(&status, 30), (Ok(_), true)));
    assert!(house.office.desk("g7").unwrap().table.secrets().seats[0].addresses.contains(&stranger.to_owned()));
    // A changed log without a new record is read again from its beginning.
    let again = house.answer_to(&house.newest(second), second, "help\r\n");
    let log = house.path().join("log.yaml");
    let text = fs::read_to_string(&log).unwrap();
    fs::write(&log, text.replacen("said: \"pass\"", "said: \"dare\"", 1)).unwrap();
    assert!(matches!(receive(&again, 31), (Err(PostError::Table(_)), false)));
    fs::write(&log, text).unwrap();
    assert!(matches!(receive(&again, 32), (Ok(_), true)));
}
