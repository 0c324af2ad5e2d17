//! A game whose dice follow from a beacon, played by letters, with relays that are honest, late, or lie.

use crate::house::{BLACK, GREEN, House, at, body, charter, fates, field, office, secrets, table};
use crate::relay::{Beacon, Clock, Manner, Relay};
use crate::tiny_title::TITLES;
use engine::seat::Seat;
use ground::disk::mishap;
use ground::hash::{Hash, Hex, sha256};
use ground::stamp::Stamp;
use mail::letter::mailbox::Mailbox;
use net::beacon::{Patience, Relay as Url};
use post::desk::beacon::Beacon as From;
use post::desk::lobby::Invitation;
use post::office::notice::Notice;
use post::office::tick::tick;
use record::charter::dice::{CharterDice, WholeDice};
use record::charter::schedule::{CharterSchedule, CharterSilence};
use record::charter::{Charter, CharterSeat};
use record::commit::signature::{ORDER, SigningKey};
use record::commit::signed::{Part, SignedOn, SignedSentence};
use record::entry::body::{Auth, Ballot, Correcting, Mode, Silence, Via};
use record::fold::Phase;
use record::fold::council::Proposal;
use record::table::{Joining, Table};
use record::verify::{Errors, Wanted, verify};
use report::guest::Role;
use std::fs;
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

/// A game, its beacon and its relay.
struct Played {
    house: House,
    beacon: Beacon,
    relay: Relay,
    /// The clock of the relay, in minutes.
    now: Arc<Mutex<u32>>,
}

fn relays(urls: &[&str]) -> From {
    let relays = urls.iter().map(|url| Url::read(url).unwrap()).collect();
    let patience = Patience { connect: Duration::from_secs(2), whole: Duration::from_millis(500) };
    From { relays, patience, ..From::default() }
}

impl Played {
    /// Both have joined, and the start waits for its round.
    fn joined(answer: Option<&str>) -> Played {
        let played = Played::made(answer, charter::riddles().seats);
        table::join(&mut played.house.office.desk("g7").unwrap().table, at(0), table::named);
        played
    }

    /// A game that nobody has joined.
    fn made(answer: Option<&str>, seats: Vec<CharterSeat>) -> Played {
        let folder = tempfile::tempdir().unwrap();
        let beacon = Beacon::new(9, Stamp::parse("2026-11-24T07:00:00Z").unwrap(), 3);
        let now = Arc::new(Mutex::new(10));
        let clock = now.clone();
        let clock: Clock = Arc::new(move || at(*clock.lock().unwrap()));
        let relay = beacon.relay(Manner::Honest, clock);
        let schedule = answer.map(|answer| CharterSchedule {
            answer: answer.to_owned(),
            silence: vec![CharterSilence { misses: 1, then: Silence::Default }],
            ..CharterSchedule::default()
        });
        let own = Some(Box::new(beacon.chain.info().clone()));
        let charter = Charter {
            seats,
            schedule,
            dice: Some(CharterDice::Whole(WholeDice { mode: Mode::Beacon, own })),
            ..charter::riddles()
        };
        drop(Table::create(&folder.path().join("g7"), &charter, secrets::usual(), at(0), TITLES).unwrap());
        let mut house = House::of(folder, TITLES);
        house.office = house.office.fetching_from(relays(&[&relay.url()]));
        Played { house, beacon, relay, now }
    }

    fn started() -> Played {
        Played::started_with(None)
    }

    /// A game with this time to answer.
    fn started_with(answer: Option<&str>) -> Played {
        let mut played = Played::joined(answer);
        played.house.office.desk("g7").unwrap().start(at(1)).unwrap();
        played.ticks(10);
        assert_eq!(played.phase(), Phase::Playing);
        played
    }

    fn phase(&self) -> Phase {
        self.house.office.desk("g7").unwrap().table.fold().phase()
    }

    /// The clock ticks at this minute; returns what the host is told.
    fn ticks(&mut self, minute: u32) -> Vec<Notice> {
        (self.house.minutes, *self.now.lock().unwrap()) = (minute, minute);
        let mut sitting = self.house.office.sit();
        let mut ticked = tick(&mut sitting, at(minute)).unwrap();
        drop(sitting);
        self.house.send();
        ticked.pop().map_or(Vec::new(), |(_, looked)| looked.unwrap().notices)
    }

    fn says(&mut self, player: &str, text: &str) -> Vec<String> {
        let received = self.house.says(player, text);
        *self.now.lock().unwrap() = self.house.minutes;
        self.house.send();
        fates(&received)
    }

    #[track_caller]
    fn verifies(&self) -> String {
        let log = self.house.log();
        let wanted = Wanted {
            file: "log.yaml".to_owned(),
            titles: TITLES,
            errors: Errors::All,
            seen: Vec::new(),
            progress: &mut |_| (),
        };
        let report = verify(log.as_bytes(), wanted).unwrap();
        assert!(report.is_ok(), "{}", report.to_text());
        report.to_text()
    }
}

fn plain(letter: &str) -> String {
    body(letter).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn people_who_join_by_letter_are_told_of_the_beacon_and_the_game_starts_with_a_round() {
    let mut played = Played::made(None, vec![charter::player("?"); 2]);
    for (player, seat) in [(GREEN, "green"), (BLACK, "black")] {
        let (address, seat) = (Mailbox::read(player).unwrap(), Some(seat.to_owned()));
        let invitation = Invitation { address, name: None, role: Role::Player, seat, given_by: None };
        let mut desk = played.house.office.desk("g7").unwrap();
        desk.invite(&invitation).unwrap().unwrap();
        desk.settle_guests(at(5)).unwrap();
    }
    played.house.send();
    let letter = plain(&played.house.newest(GREEN));
    assert!(letter.contains("Dice: beacon. An answer is fixed when it comes"), "{letter}");
    assert_eq!(played.says(GREEN, "join\r\nphrase riddles in the dark\r\n").len(), 2);
    played.says(BLACK, "join\r\n");
    assert_eq!(played.phase(), Phase::Joining);
    let letter = plain(&played.house.newest(GREEN));
    assert!(letter.contains("The game starts with round") && letter.contains("Keep this letter"), "{letter}");
    played.ticks(30);
    assert_eq!(played.phase(), Phase::Playing);
    assert!(plain(&played.house.newest(played.house.asked().0)).contains("Dice: beacon."));
    played.verifies();
}

#[test]
fn a_letter_is_fixed_when_it_comes_and_played_when_its_round_is_there() {
    let mut played = Played::started();
    let (first, second) = (played.house.asked().0, played.house.other());
    let fates = played.says(first, "roll 2\r\n");
    assert_eq!(fates, ["kept"]);
    assert_eq!(played.house.said(), Vec::<String>::new());
    for player in [first, second] {
        let letter = plain(&played.house.newest(player));
        assert!(letter.contains("It is fixed now, in record 6 of the log"), "{letter}");
        assert!(letter.contains("Keep this letter"), "{letter}");
    }
    assert!(plain(&played.house.newest(first)).contains("roll 2 kept for later: fixed; played with round"));
    // The same letter again is not fixed again, and nothing happens before its time.
    played.ticks(12);
    assert_eq!(played.house.said(), Vec::<String>::new());
    played.ticks(17);
    assert_eq!(played.house.said(), ["roll 2"]);
    let letter = plain(&played.house.newest(first));
    assert!(letter.contains("roll 2 done (#8)"), "{letter}");
    let letter = plain(&played.house.newest(second));
    assert!(letter.contains("#8"), "{letter}");
    played.verifies();
}

#[test]
fn a_game_by_letters_comes_to_its_end() {
    let mut played = Played::started();
    let mut minute = 10;
    while played.phase() == Phase::Playing {
        let asked = played.house.asked().0;
        let fates = played.says(asked, if minute % 20 == 0 { "roll 2\r\n" } else { "pass\r\n" });
        assert_eq!(fates, ["kept"]);
        minute += 10;
        played.ticks(minute);
        assert!(minute < 500);
    }
    assert_eq!(played.phase(), Phase::Ended);
    let text = played.verifies();
    assert!(text.contains("7 rounds of the chain") || text.contains("rounds of the chain"), "{text}");
    let folder = std::env::var_os("RINGMAIL_KEEP_BEACON_GAME");
    if let Some(folder) = folder {
        fs::write(folder, played.house.log()).unwrap();
    }
}

/// A request for information is answered at once; the rest waits.
#[test]
fn a_letter_with_both_is_done_in_two_turns() {
    let mut played = Played::started();
    let (first, second) = (played.house.asked().0, played.house.other());
    let fates = played.says(first, "status\r\nroll 2\r\npropose pause for dinner\r\n");
    assert!(fates[0].starts_with("done") && fates[1] == "kept", "{fates:?}");
    played.ticks(17);
    assert_eq!(played.house.said(), ["roll 2"]);
    let letter = plain(&played.house.newest(first));
    assert!(letter.contains("roll 2 done"), "{letter}");
    // A seat that is not asked leaves a sentence for later.
    let (asked, other) = (played.house.asked().0, played.house.other());
    assert_eq!((asked, other), (second, first));
    assert_eq!(played.says(other, "no; else yes\r\n"), ["kept"]);
    assert_eq!(played.says(asked, "dare\r\n"), ["kept"]);
    played.ticks(30);
    assert_eq!(played.house.said(), ["roll 2", "dare", "no"]);
    assert!(played.house.log().contains("by: \"standing\""));
    played.verifies();
}

/// A sentence that a letter leaves for a later question stays, however often the desk is opened.
#[test]
fn the_rest_of_a_letter_waits_for_its_question() {
    let mut played = Played::started();
    let (first, second) = (played.house.asked().0, played.house.other());
    assert_eq!(played.says(first, "dare\r\n\r\nroll 1\r\n"), ["kept", "kept"]);
    for minute in 17..20 {
        played.ticks(minute);
        assert_eq!(played.house.said(), ["dare"]);
    }
    assert!(!played.house.log().contains("type: \"stopped\""), "{}", played.house.log());
    assert_eq!(played.says(second, "no\r\n"), ["kept"]);
    played.ticks(30);
    assert_eq!(played.house.said(), ["dare", "no"]);
    played.verifies();
}

/// A sentence left after the act was fixed is not said in its run: it has its own round.
#[test]
fn what_is_left_too_late_has_a_round_of_its_own() {
    let mut played = Played::started();
    let (first, second) = (played.house.asked().0, played.house.other());
    assert_eq!(played.says(first, "dare\r\n"), ["kept"]);
    assert_eq!(played.says(second, "no; else yes\r\n"), ["kept"]);
    played.ticks(17);
    assert_eq!(played.house.said(), ["dare"]);
    let log = played.house.log();
    assert!(log.rsplit("---\n").next().unwrap().contains("type: \"receipt\"\nseat: \"host\""), "{log}");
    played.ticks(23);
    assert_eq!(played.house.said(), ["dare", "no"]);
    played.verifies();
}

#[test]
fn what_is_refused_anyway_is_refused_at_once() {
    let mut played = Played::started();
    let first = played.house.asked().0;
    let refused = played.says(first, "rol two\r\n");
    assert!(refused[0].starts_with("refused not understood"), "{refused:?}");
    assert!(!played.house.log().contains("lines: ["));
    assert_eq!(played.says(first, "roll 2\r\n"), ["kept"]);
    let busy = played.says(first, "roll 1\r\n");
    assert!(busy[0].contains("an answer to this question is fixed already"), "{busy:?}");
    played.ticks(20);
    assert_eq!(played.house.said(), ["roll 2"]);
    played.verifies();
}

/// A line below a refused one is not played, and both stay sealed.
#[test]
fn a_letter_that_stops_says_so_on_record() {
    let mut played = Played::started();
    let first = played.house.asked().0;
    let fates = played.says(first, "dare\r\n\r\nroll two\r\n");
    assert_eq!(fates, ["kept", "kept"]);
    played.ticks(20);
    let log = played.house.log();
    assert!(!log.contains("roll two"), "{log}");
    played.verifies();
}

#[test]
fn a_beacon_that_lies_or_is_slow_changes_nothing() {
    let mut played = Played::started();
    let first = played.house.asked().0;
    played.says(first, "roll 2\r\n");
    let log = played.house.log();
    let manners = [
        Manner::OtherKey,
        Manner::OldSignature,
        Manner::OldRound,
        Manner::NextRound,
        Manner::Silent,
        Manner::Drip,
        Manner::Garbage,
        Manner::HangUp,
        Manner::Status(500),
    ];
    for manner in manners {
        played.relay.behave(manner);
        assert_eq!(played.ticks(20), [], "{manner:?}");
        assert_eq!(played.house.log(), log, "{manner:?}");
    }
    played.relay.behave(Manner::Honest);
    played.ticks(21);
    assert_eq!(played.house.said(), ["roll 2"]);
    played.verifies();
}

#[test]
fn after_an_hour_without_the_beacon_everybody_is_told_once() {
    let mut played = Played::started();
    let (first, second) = (played.house.asked().0, played.house.other());
    played.says(first, "roll 2\r\n");
    played.relay.behave(Manner::OldSignature);
    assert_eq!(played.ticks(60), []);
    let notices = played.ticks(80);
    assert!(
        matches!(&notices[..], [Notice::Beacon { why, .. }] if why.contains("has not signed round")),
        "{notices:?}"
    );
    for player in [first, second] {
        let letter = plain(&played.house.newest(player));
        assert!(letter.contains("cannot be fetched yet") && letter.contains("Nothing is lost"), "{letter}");
    }
    let letters = |played: &Played| played.house.office.desk("g7").unwrap().book.letters_out().count();
    let count = letters(&played);
    played.ticks(90);
    assert_eq!(letters(&played), count);
    // Without any relay the result is the same; a second relay helps.
    played.house.office = office(played.house.folder.path());
    assert!(matches!(&played.ticks(95)[..], [Notice::Beacon { why, .. }] if why.contains("no relay")));
    let honest = played.beacon.relay(Manner::Honest, Arc::new(|| at(100)));
    let both = relays(&[&played.relay.url(), &honest.url()]);
    played.house.office = office(played.house.folder.path()).fetching_from(both);
    assert_eq!(played.ticks(100), []);
    assert_eq!(played.house.said(), ["roll 2"]);
    played.verifies();
}

/// A power failure after any number of operations, when the letter comes or when it is played, loses nothing and does
/// nothing twice.
#[test]
fn i3_a_crash_at_any_point_loses_and_doubles_nothing() {
    let mut played = Played::started();
    let first = played.house.asked().0;
    let raw = {
        let letter = played.house.newest(first);
        played.house.answer_to(&letter, first, "status\r\nroll 2\r\n")
    };
    let open = |house: &House, relay: &Relay| office(house.folder.path()).fetching_from(relays(&[&relay.url()]));
    let mut ended = Vec::new();
    for operations in 0.. {
        let mut copy = played.house.copy();
        copy.office = open(&copy, &played.relay);
        mishap::after(operations);
        let received = copy.office.receive(&raw, at(12));
        let is_whole = !mishap::has_struck();
        assert_eq!(received.is_ok(), is_whole, "{operations}: {received:?}");
        copy.office.receive(&raw, at(12)).unwrap();
        *played.now.lock().unwrap() = 30;
        tick(&mut copy.office.sit(), at(30)).unwrap().pop().unwrap().1.unwrap();
        assert_eq!(copy.said(), ["roll 2"], "{operations}");
        ended.push((copy.log(), copy.office.waiting(Some("g7")).unwrap().len()));
        if is_whole {
            break;
        }
    }
    assert!(ended.len() > 10);
    assert!(ended.iter().all(|(log, letters)| (log, letters) == (&ended[0].0, &ended[0].1)), "{:?}", ended.len());
    played.house.office.receive(&raw, at(12)).unwrap();
    for operations in 0.. {
        let mut copy = played.house.copy();
        copy.office = open(&copy, &played.relay);
        mishap::after(operations);
        let ticked = tick(&mut copy.office.sit(), at(30));
        let is_whole = !mishap::has_struck();
        drop(ticked);
        tick(&mut copy.office.sit(), at(30)).unwrap();
        assert_eq!((copy.said(), copy.log()), (vec!["roll 2".to_owned()], ended[0].0.clone()), "{operations}");
        assert_eq!(copy.office.waiting(Some("g7")).unwrap().len(), ended[0].1, "{operations}");
        if is_whole {
            break;
        }
    }
}

/// A relay that hangs keeps no letter waiting: the game goes on with its clock, and plays when the round has come.
#[test]
fn nobody_waits_for_a_relay_while_serving() {
    let mut played = Played::started();
    let first = played.house.asked().0;
    let hangs = played.beacon.relay(Manner::Silent, Arc::new(|| at(0)));
    let patience = Patience { connect: Duration::from_secs(3600), whole: Duration::from_secs(3600) };
    let alone = From { patience, ..relays(&[&hangs.url()]) };
    played.house.office = office(played.house.folder.path()).fetching_from(alone).fetching_behind(|| ());
    assert_eq!(played.says(first, "roll 2\r\n"), ["kept"]);
    assert!(played.ticks(30).is_empty());
    // The relay still hangs, and a letter is answered all the same.
    assert!(played.says(first, "status\r\n")[0].starts_with("done"));
    assert!(played.house.said().is_empty());
    let (come, has_come) = mpsc::channel();
    let both = From { patience, ..relays(&[&hangs.url(), &played.relay.url()]) };
    let office = office(played.house.folder.path()).fetching_from(both);
    played.house.office = office.fetching_behind(move || come.send(()).unwrap());
    played.ticks(31);
    has_come.recv().unwrap();
    played.ticks(32);
    assert_eq!(played.house.said(), ["roll 2"]);
    played.verifies();
}

/// A mail program may have broken a sentence in two: both lines are fixed, and the receipt says which one may be
/// joined.
#[test]
fn a_sentence_that_was_cut_is_fixed_with_its_rest() {
    let mut played = Played::started();
    let first = played.house.asked().0;
    let cut = format!("roll{:>70}\r\n2\r\n", " ");
    assert_eq!(played.says(first, &cut)[0], "kept");
    assert!(played.house.log().contains("\ncut: [1]\nround: "), "{}", played.house.log());
    played.ticks(30);
    assert_eq!(played.house.said(), ["roll 2"]);
    played.verifies();
}

/// A line refused for another reason than the rules is refused before the dice are known, and nothing below it counts.
#[test]
fn lines_below_one_that_is_refused_are_not_fixed() {
    let mut played = Played::started();
    let first = played.house.asked().0;
    let fates = played.says(first, "roll 2\r\ncancel 7\r\nroll 1\r\n");
    assert!(fates[0] == "kept" && fates[1].starts_with("refused") && fates[2].starts_with("ignored"), "{fates:?}");
    let log = played.house.log();
    assert_eq!(log.matches("type: \"receipt\"").count(), 2, "{log}");
    let lines = log.lines().find(|line| line.starts_with("lines: [")).unwrap();
    assert_eq!(lines.matches('"').count(), 2, "one line is fixed: {lines}");
    played.ticks(30);
    assert_eq!(played.house.said(), ["roll 2"]);
    assert!(!played.house.log().contains("type: \"stopped\""));
    played.verifies();
}

/// A letter waits for its round, and its player gives the seat away: the fixed sentence is played, and then the next
/// player takes the seat.
#[test]
fn a_letter_that_waits_is_played_before_another_player_takes_the_seat() {
    const NEXT: &str = "deagol@river.example";
    let mut played = Played::started();
    let first = played.house.asked().0;
    assert_eq!(played.says(first, "roll 2\r\n"), ["kept"]);
    let mut desk = played.house.office.desk("g7").unwrap();
    let seat = desk.table.fold().asked().unwrap().seat;
    let (word, via) = (desk.table.word(seat), Via::letter(sha256(b"away"), 5, Auth::Confirmed));
    desk.table.give_away(seat, via, at(12)).unwrap();
    let (address, name) = (Mailbox::read(NEXT).unwrap(), Some("Déagol".to_owned()));
    let invitation = Invitation { address, name, role: Role::Player, seat: Some(word), given_by: None };
    desk.invite(&invitation).unwrap().unwrap();
    desk.settle_guests(at(12)).unwrap();
    drop(desk);
    played.house.send();
    played.says(NEXT, "join\r\n");
    let player = |played: &Played| {
        let desk = played.house.office.desk("g7").unwrap();
        desk.table.fold().plan().seats[seat.index()].player.clone()
    };
    assert!(played.house.office.desk("g7").unwrap().table.fold().next_round().is_some());
    assert_ne!(player(&played), "Déagol");
    for minute in [40, 41] {
        played.ticks(minute);
    }
    assert_eq!((played.house.said(), player(&played)), (vec!["roll 2".to_owned()], "Déagol".to_owned()));
    assert!(!played.verifies().contains("void before being played"));
}

/// A player signs his move, and announces another key before its round: the move is played, because its signature was
/// valid in time.
#[test]
fn a_signed_letter_that_waits_is_played_when_its_seat_has_another_key() {
    let key = |number: u8| SigningKey::of_seed(&Hex([number; 32]));
    let mut played = Played::made(None, charter::riddles().seats);
    let mut desk = played.house.office.desk("g7").unwrap();
    table::join(&mut desk.table, at(0), |seat| Joining {
        keys: vec![key(seat.0).public.to_string()],
        ..table::named(seat)
    });
    desk.start(at(1)).unwrap();
    drop(desk);
    played.ticks(10);
    let first = played.house.asked().0;
    let (number, seat) = if first == GREEN { (1, "green") } else { (2, "black") };
    let signed = |played: &Played, part: Part, words: &str| {
        let id = field(&played.house.newest(first), "Message-ID");
        let mut parts = id.split('.').skip(1);
        let seq = parts.next().unwrap().parse().unwrap();
        let on = SignedOn { seq, head: Hash::parse(parts.next().unwrap()).unwrap() };
        let (seat, words) = (seat.to_owned(), words.to_owned());
        let sentence = SignedSentence { game: Hex([7; 16]), seat, on, part, number: 1, of: 1, words };
        let signature = key(number).sign(ORDER, sentence.to_string().as_bytes());
        format!("{sentence}{}", signature.in_armour()).replace('\n', "\r\n")
    };
    let letter = signed(&played, Part::Line, "roll 2");
    assert_eq!(played.says(first, &letter), ["kept"]);
    let other = signed(&played, Part::Request, &format!("key {}", key(9).public));
    let announced = played.says(first, &other);
    assert!(announced[0].starts_with("done key"), "{announced:?}");
    played.ticks(40);
    assert_eq!(played.house.said(), ["roll 2"]);
    assert!(!played.house.log().contains("type: \"stopped\""));
    played.verifies();
}

/// The table is put back while a letter waits: it was meant for a question that is not asked any more.
#[test]
fn a_letter_that_waits_is_void_when_the_table_is_put_back() {
    let mut played = Played::started();
    let first = played.house.asked().0;
    assert_eq!(played.says(first, "roll 2\r\n"), ["kept"]);
    let mut desk = played.house.office.desk("g7").unwrap();
    let proposal = Proposal { to: Some(5), ..Proposal::new(Correcting::Undo, "a slip") };
    let via = |name: &str| Some(Via::letter(sha256(name.as_bytes()), 5, Auth::Confirmed));
    let motion = desk.table.propose(Seat(1), &proposal, via("motion"), at(12)).unwrap()[0].seq;
    desk.table.vote(Seat(2), motion, Ballot::Yes, via("vote"), at(12)).unwrap();
    assert_eq!(desk.table.fold().next_round(), None);
    drop(desk);
    played.ticks(40);
    assert_eq!(played.house.said(), Vec::<String>::new());
    let letter = plain(&played.house.newest(first));
    assert!(letter.contains("roll 2 refused: what was fixed is void: the table was put back since then"), "{letter}");
    assert_eq!(played.says(first, "pass\r\n"), ["kept"]);
    played.ticks(60);
    assert_eq!(played.house.said(), ["pass"]);
    assert!(played.verifies().contains("1 receipt was void before being played"));
}
