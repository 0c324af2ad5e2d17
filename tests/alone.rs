/*! A game against the program: it has a seat in the charter, answers at once, and nobody else answers for that seat. */

use crate::cli::Place;
use crate::house::{charter, table};
use engine::chance::Practice;
use engine::need::Need;
use ground::stamp::Stamp;
use record::charter::{Charter, CharterSeat};
use record::entry::body::{Auth, By, Correcting, Played, Via};
use record::file::secrets::Secrets;
use record::fold::Phase;
use record::fold::council::Proposal;
use record::table::Table;
use std::fs;

#[test]
fn a_game_is_played_at_the_terminal_and_its_log_verifies() {
    let place = Place::new();
    // The dice are not known beforehand; a Ring changes one of them, and asks again.
    let rings = "ring: change army to event\nring: change muster to event\nring: change character to event\n\
                 ring: change event to army\nring: change will to event\nring: change army-muster to event\n";
    let typed = format!(
        "xyzzy\nunsent\ndone\nwhy\nwhen asked combat-card: no card\n{rings}unsent\nundo\nmenu\n{rings}\
         card athelas\nlog\n# a remark\nquit\n"
    );
    let ran = place.fed(&["play", "--title", "wotr", "--as", "free"], typed.as_bytes());
    assert_eq!(ran.exit, 0, "{ran:?}");
    for told in [
        "You play free; the program plays shadow.",
        "Taken back: ring: change ",
        "Not sent, and dropped: ring: change ",
        "Nothing is unsent.",
        "The Shadow rolled",
        "shadow: allot ",
        "Your action: choose a die.",
        "when asked combat-card say no card",
        "Athelas",
        "`ringmail verify wotr-1` checks it",
        "`ringmail play wotr-1` goes on",
    ] {
        assert!(ran.out.contains(told), "{told}: {ran:?}");
    }
    assert!(ran.err.contains("not understood: `xyzzy`"), "{ran:?}");
    let log = fs::read_to_string(place.path("games/wotr-1/log.yaml")).unwrap();
    assert!(log.contains("played: \"program\"") && log.contains("by: \"bot\""), "{log}");
    assert!(!log.contains("ring: change"), "{log}");
    // The game continues where the player left it, and the unsent sentences are gone.
    let again = place.fed(&["play"], b"unsent\nquit\n");
    assert!(
        again.exit == 0 && again.out.contains("called wotr-1") && again.out.contains("Nothing is unsent."),
        "{again:?}"
    );
    let verified = place.done(&["verify", "wotr-1", "--long"]);
    assert!(verified.contains("who plays free") && verified.contains("the program plays shadow"), "{verified:?}");
    let over = place.fed(&["play", "wotr-1"], b"concede\nconcede now\nquit\n");
    assert_eq!(
        (over.exit, over.out.contains("type `concede now`"), over.out.contains("The game is over.")),
        (0, true, true)
    );
    assert!(place.done(&["verify", "wotr-1"]).contains("OK wotr-1"));
    let closed = place.run(&["play", "wotr-1"]);
    assert!(closed.exit == 0 && closed.out.contains("The game is over."), "{closed:?}");
    let three = place.fed(&["play", "--title", "risk", "--players", "3"], b"claim nearest\nconcede now\n");
    assert!(three.exit == 0 && three.out.contains("The game is over."), "{three:?}");
    assert!(place.done(&["verify", "risk-1"]).contains("OK risk-1"));
    let refused = place.run(&["play", "wotr-1", "--as", "shadow"]);
    assert_eq!((refused.exit, refused.err.contains("the program plays shadow")), (9, true), "{refused:?}");
}

#[test]
fn a_program_that_sits_in_the_charter_answers_at_once() {
    let place = Place::new();
    let seats = ["--seat", "yellow=Anna <anna@example.org>", "--seat", "red=bot", "--seat", "black=bot:strong"];
    place.done(&[&["new", "shire", "--min-auth", "keyboard"][..], &seats].concat());
    place.done(&["say", "shire", "--as", "yellow", "join"]);
    place.done(&["say", "shire", "start"]);
    let said = place.done(&["say", "shire", "--as", "yellow", "claim nearest"]);
    assert!(said.contains("claim nearest"), "{said:?}");
    let log = place.done(&["log", "shire"]);
    assert!(log.matches("a bot").count() >= 2, "{log:?}");
    let charter = fs::read_to_string(place.path("games/shire/log.yaml")).unwrap();
    assert!(charter.contains("the strong program") && charter.contains("played: \"strong\""), "{charter}");
    let typed = place.run(&["say", "shire", "--as", "red", "claim nearest"]);
    assert_eq!((typed.exit, typed.err.contains("The program plays red")), (9, true), "{typed:?}");
    let all = place.run(&["new", "moor", "--seat", "bot", "--seat", "bot"]);
    assert_eq!((all.exit, place.path("games/moor/log.yaml").exists()), (2, false), "{all:?}");
}

/// A table of a person at the keyboard and a program.
fn table(folder: &std::path::Path, title: &str) -> Table {
    let person = CharterSeat { host: true, ..charter::player("Anna") };
    let program = CharterSeat { played: Some(Played::Program), ..charter::player("Ringmail") };
    let (name, min_auth) = ("alone".to_owned(), Some(Auth::Keyboard));
    let charter = Charter { name, min_auth, ..charter::of(title, [person, program]) };
    let at = Stamp::parse("2026-11-24T07:12:09Z").unwrap();
    table::started(folder, &charter, Secrets::random().unwrap(), at, table::nothing)
}

#[test]
fn nobody_answers_for_the_seat_of_a_program_and_it_has_no_vote() {
    let place = Place::new();
    fs::create_dir(place.path("games")).unwrap();
    let mut table = table(&place.path("games/alone"), "risk");
    let at = Stamp::parse("2026-11-24T07:12:10Z").unwrap();
    let [anna, program] = [1, 2].map(engine::seat::Seat);
    let mut chance = Practice::new(7);
    loop {
        let Need::Question(question) = table.fold().need() else { panic!("it is asked") };
        let said = table.fold().game().any_sentence(&mut chance, table.fold().faces()).sentence;
        if question.seat == program {
            let length = table.fold().head();
            assert!(table.say(program, &said, Some(Via::keyboard()), at).is_err(), "{said}");
            assert_eq!(table.fold().head(), length);
            break;
        }
        table.say(anna, &said, Some(Via::keyboard()), at).unwrap();
    }
    assert_eq!(table.fold().voters(Correcting::Undo, None, anna), [anna]);
    assert_eq!(table.fold().phase(), Phase::Playing);
    // While the game is paused the program does not answer, and the player does not have to wait at the terminal.
    table.propose(anna, &Proposal::new(Correcting::Pause, "supper"), Some(Via::keyboard()), at).unwrap();
    assert!(table.fold().is_paused());
    drop(table);
    let paused = place.fed(&["play", "alone"], b"");
    assert!(paused.exit == 0 && paused.out.contains("The game waits for"), "{paused:?}");
}

/// In Risk, too: `why` uses only what every reader of the log can see.
#[test]
fn the_program_gives_its_reason_in_risk() {
    let place = Place::new();
    fs::create_dir(place.path("games")).unwrap();
    let mut table = table(&place.path("games/alone"), "risk");
    let at = Stamp::parse("2026-11-24T07:12:10Z").unwrap();
    let [anna, program] = [1, 2].map(engine::seat::Seat);
    let mut chance = Practice::new(7);
    let answer = loop {
        let Need::Question(question) = table.fold().need() else { panic!("it is asked") };
        if question.seat == anna {
            let said = table.fold().game().any_sentence(&mut chance, table.fold().faces()).sentence;
            table.say(anna, &said, Some(Via::keyboard()), at).unwrap();
            continue;
        }
        let head = table.answer_for(program, By::Bot, at).unwrap().last().expect("it answers").seq;
        if question.id == "reinforcements" {
            break head;
        }
    };
    drop(table);
    let why = place.run(&["log", "alone", "--why", &answer.to_string()]);
    assert!(why.exit == 0 && why.out.contains("The program thought: it "), "{why:?}");
}

/// A sentence that plays a card can be read from the card that it shows, by every reader of the log.
#[test]
fn the_program_gives_its_reason_for_a_card_that_it_plays() {
    let place = Place::new();
    fs::create_dir(place.path("games")).unwrap();
    let mut table = table(&place.path("games/alone"), "wotr");
    let at = Stamp::parse("2026-11-24T07:12:10Z").unwrap();
    let [anna, program] = [1, 2].map(engine::seat::Seat);
    let mut chance = Practice::new(7);
    let mut played = Vec::new();
    while played.len() < 3 {
        let Need::Question(question) = table.fold().need() else { panic!("it is asked") };
        if question.seat == anna {
            let said = table.fold().game().any_sentence(&mut chance, table.fold().faces()).sentence;
            table.say(anna, &said, Some(Via::keyboard()), at).unwrap();
            continue;
        }
        let head = table.answer_for(program, By::Bot, at).unwrap().last().expect("it answers").seq;
        let log = fs::read_to_string(place.path("games/alone/log.yaml")).unwrap();
        let said = log.rsplit("\nsaid: ").next().expect("it says something");
        if said.lines().next().is_some_and(|said| said.contains(" die: play ")) {
            played.push(head);
        }
    }
    drop(table);
    for seq in played {
        let why = place.run(&["log", "alone", "--why", &seq.to_string()]);
        assert!(why.exit == 0 && why.out.contains("The program thought: "), "{why:?}");
    }
}
