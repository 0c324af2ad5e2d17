/*! Requests by letter: what players ask of the post itself, in addition to the sentences of a game. */

use crate::house;
use crate::house::{House, body, fates, field};
use crate::tiny_title;
use ground::disk::mishap;
use post::book::Reception as Outcome;
use post::order::request::table::{Definition, REQUESTS as VERBS, Who};
use std::fs;

#[test]
fn help_lists_every_request_and_explains_one() {
    let mut house = House::opened();
    let first = house.asked().0;
    assert_eq!(fates(&house.says(first, "HELP\r\n")), ["done help -"]);
    let letter = body(&house.newest(first));
    let is_for_players = |verb: &&Definition| verb.who != Who::Guest;
    for definition in VERBS.iter().filter(is_for_players) {
        for (usage, _) in definition.ways() {
            assert!(letter.contains(&format!("\n  {usage}\n")), "{usage}\n{letter}");
        }
    }
    house.says(first, "help history\r\n");
    assert!(body(&house.newest(first)).contains("`show history [from [to]]` tells the game entry by entry"));
    house.says(first, "help riddle\r\n");
    let letter = body(&house.newest(first)).replace('\n', " ");
    assert!(letter.contains("A standing order answers it: `when asked riddle say"), "{letter}");
    house.says(first, "help pancakes\r\n");
    assert!(body(&house.newest(first)).contains("Nothing is known about `pancakes`"));
}

#[test]
fn status_history_and_why_are_told() {
    let mut house = House::opened();
    let (first, second) = (house.asked().0, house.other());
    house.says(first, "roll 2\r\n");
    let received = house.says(first, "status\r\nhistory 3\r\nwhy 4\r\nmap 3\r\n");
    assert_eq!(
        fates(&received),
        ["done show status -", "done show history 3 -", "done show why 4 -", "done show map 3 -"]
    );
    assert_eq!(received.outcome, Outcome::Played);
    let letter = body(&house.newest(first));
    assert!(letter.contains("\nSTATUS\n") && letter.contains(", since Tue 24 Nov, 08:11 UTC."), "{letter}");
    assert!(letter.contains("\nHISTORY, #3 TO #5\n") && letter.contains("roll 2 (letter, token)"), "{letter}");
    assert!(letter.contains("Entry #4, ") && letter.contains("\nDice: throw 4\n  4 roll, 2 × d6: "), "{letter}");
    assert!(letter.contains("\nTHE TABLE AFTER #3"), "{letter}");
    assert!(letter.lines().all(|line| line.chars().count() <= 72), "{letter}");
    // A requested text is sent only to the player who asked for it.
    house.says(second, "pass\r\n");
    assert!(!body(&house.newest(second)).contains("HISTORY"));
}

#[test]
fn an_entry_that_is_not_there_is_refused() {
    let mut house = House::opened();
    let first = house.asked().0;
    let before = house.log();
    for line in ["why 9", "history 9", "map 9", "dispute 9: no"] {
        let received = house.says(first, &format!("{line}\r\n"));
        assert_eq!(fates(&received), ["refused there is no entry 9; the last is 3"]);
        assert_eq!(received.outcome, Outcome::Refused);
    }
    let received = house.says(first, "why\r\n");
    assert!(fates(&received)[0].ends_with("It is written `show why entry`"), "{received:?}");
    assert_eq!(house.log(), before, "a request that is refused is no entry");
}

#[test]
fn p7_a_request_stands_at_the_left_margin_of_the_writers_own_text() {
    let mut house = House::opened();
    let first = house.asked().0;
    for line in ["  dispute 3: no", "- dispute 3: no", "1. history"] {
        let received = house.says(first, &format!("{line}\r\n"));
        assert!(fates(&received)[0].starts_with("refused a request begins at the left margin"), "{received:?}");
    }
    let received = house.says(first, "> dispute 3: no\r\n");
    assert!(fates(&received)[0].starts_with("refused no sentence of your own was found"), "{received:?}");
    assert!(!house.log().contains("dispute"));
}

/// A player who writes `help` below a line that went wrong needs it most.
#[test]
fn what_only_asks_for_something_to_read_is_answered_below_a_refused_line() {
    let mut house = House::opened();
    let first = house.asked().0;
    let told = fates(&house.says(first, "rol 2\r\nhelp riddle\r\nhistory\r\nroll 1\r\n  help\r\n"));
    let ignored = "ignored not looked at, because line 1 was refused";
    assert_eq!(told[1..], ["done help riddle -", "done show history -", ignored, ignored], "{told:?}");
    let letter = body(&house.newest(first));
    assert!(letter.contains("HELP ABOUT RIDDLE") && letter.contains("HISTORY, #0"), "{letter}");
    assert_eq!(house.said(), Vec::<String>::new());
}

#[test]
fn a_dispute_is_an_entry_and_everybody_is_told() {
    let mut house = House::opened();
    let (first, second) = (house.asked().0, house.other());
    house.says(first, "roll 2\r\n");
    house.send();
    let received = house.says(first, "Dispute 4: That was MY roll, not #3!\r\n");
    assert_eq!(fates(&received), ["done dispute 4 #5"]);
    assert_eq!(received.letters.len(), 2, "the answer, and a letter to the other seat");
    let told = body(&house.newest(second));
    assert!(told.contains("disputes #4: That was MY roll, not #3!"), "{told}");
    assert!(house.log().contains("text: \"That was MY roll, not #3!\""), "{}", house.log());
    // It does not prevent the answer that the other seat was about to give.
    assert_eq!(fates(&house.says(second, "pass\r\n")), ["done pass #6"]);
    let verified = verify(&house);
    assert!(verified.is_ok(), "{verified}");
    let received = house.says(first, &format!("dispute 4: {}\r\n", "x".repeat(1001)));
    assert!(fates(&received)[0].contains("1 to 1000 characters"), "{received:?}");
}

#[test]
fn p10_a_rehearsal_disputes_nothing() {
    let mut house = House::opened();
    let first = house.asked().0;
    let before = house.log();
    let received = house.says(first, "check\r\ndispute 3: no\r\nhistory\r\nroll 1\r\n");
    let told = fates(&received);
    assert_eq!(told[1..], ["noted would be done: dispute 3", "done show history -", "noted would be done: roll 1"]);
    assert_eq!(house.log(), before);
}

#[test]
fn i3_a_crash_at_any_point_disputes_once_and_encloses_the_same() {
    let mut start = House::opened();
    let first = start.asked().0;
    let newest = start.newest(first);
    let raw = start.answer_to(&newest, first, "history\r\ndispute 3: no\r\nroll 1\r\nwhy 3\r\n");
    let mut whole = start.copy();
    whole.receive(&raw);
    let expected = (whole.log(), whole.newest(first));
    for writes in 0.. {
        let mut crashed = start.copy();
        mishap::after(writes);
        let stopped = crashed.office.receive(&raw, house::at(start.minutes + 1));
        if !mishap::has_struck() {
            stopped.unwrap();
            break;
        }
        crashed = crashed.copy();
        crashed.office.desk("g7").unwrap().recover(house::at(start.minutes + 1)).unwrap();
        crashed.receive(&raw);
        assert_eq!((crashed.log(), crashed.newest(first)), expected, "after {writes} writes");
    }
    assert!(field(&whole.newest(first), "Subject").contains("g7"));
}

fn verify(house: &House) -> record::verify::report::Report {
    use record::verify::{Errors, Wanted, verify};
    let log = fs::read(house.path().join("log.yaml")).unwrap();
    let file = "log.yaml".to_string();
    verify(
        log.as_slice(),
        Wanted { file, titles: tiny_title::TITLES, errors: Errors::All, seen: Vec::new(), progress: &mut |_| {} },
    )
    .unwrap()
}

/// A sentence that the question knows belongs to the game. Only one sentence of all titles looks like a request, and
/// it is not a complete request; so requests can be made at any time.
#[test]
fn no_title_says_what_is_a_whole_request() {
    use engine::chance::Practice;
    use engine::practice::Table;
    use engine::title::Setup;
    for title in ringmail::titles::ALL.all().iter().copied() {
        let players = if title.id == "risk" { 3 } else { 2 };
        let seats = title.seats(players).unwrap().into_iter().map(str::to_owned).collect();
        let setup = Setup { edition: title.editions[0].to_owned(), seats, options: Vec::new() };
        let mut chance = Practice::new(5);
        let mut table = Table::new(title, &setup, &mut chance).unwrap();
        for _ in 0..400 {
            for offer in table.game.offers(&table.faces, 200) {
                let is_request = post::order::request::is_whole(&offer.sentence);
                assert!(!is_request, "{}: `{}`", title.id, offer.sentence);
                let looks_like_one = post::order::request::find(&offer.sentence).is_some();
                assert!(!looks_like_one || offer.sentence == "press the attack", "{}: `{}`", title.id, offer.sentence);
            }
            if table.play_anything(&mut chance).is_none() {
                break;
            }
        }
    }
}

#[test]
fn status_tells_what_is_proposed() {
    let mut house = House::opened();
    let first = house.asked().0;
    let mut desk = house.office.desk("g7").unwrap();
    use record::entry::body::{Auth, Correcting, Via};
    let proposal = record::fold::council::Proposal::new(Correcting::Pause, "holidays");
    let via = Some(Via::letter(ground::hash::Hash::ZERO, 0, Auth::Confirmed));
    desk.table.propose(engine::seat::Seat(1), &proposal, via, house::at(house.minutes)).unwrap();
    drop(desk);
    house.says(first, "status\r\n");
    let letter = body(&house.newest(first)).replace("\n   ", " ");
    assert!(
        letter.contains("#4 Green proposes to pause the game: holidays (waits for black)\nvote yes 4\n"),
        "{letter}"
    );
    // Until he has voted, every letter asks him to, although the game waits for another seat.
    house.says(first, "pass\r\n");
    let voter = house::BLACK;
    house.says(voter, "menu\r\n");
    let (letter, subject) = (house.newest(voter), field(&house.newest(voter), "Subject"));
    let text = body(&letter);
    assert!(text.contains("Your vote is wanted on #4; see below what is proposed."), "{text}");
    assert!(text.contains("\nPROPOSED\n\n#4 Green proposes to pause the game: holidays (waits for black)\n"), "{text}");
    assert!(text.lines().next().unwrap().contains("write your answer above this line"), "{text}");
    assert!(subject.contains("your vote on #4 – waiting for green") || subject.contains("your move"), "{subject}");
}

#[test]
fn a_rule_is_asked_for_by_letter_and_changes_nothing() {
    let mut house = House::opened();
    let first = house.asked().0;
    // The small title has no rulebook, and the answer says so.
    for (line, done) in [("rule 9.24", "done rule 9.24 -"), ("help 9.24", "done help 9.24 -")] {
        assert_eq!(fates(&house.says(first, &format!("{line}\r\n"))), [done]);
        assert!(body(&house.newest(first)).contains("\nThere is no rule 9.24."), "{}", body(&house.newest(first)));
    }
    // Without a number: the rules of this game.
    assert_eq!(fates(&house.says(first, "rules\r\n")), ["done rule -"]);
    assert!(body(&house.newest(first)).contains("RULES OF THIS GAME"), "{}", body(&house.newest(first)));
    assert_eq!(house.said(), Vec::<String>::new());
}
