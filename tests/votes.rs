/*! Agreements between players by letter: proposals, votes, undo, draws, concessions; and press. */

use crate::house;
use crate::house::{BLACK, GREEN, House, at, body, fates, field, files};
use crate::tiny_title;
use ground::disk::mishap;
use ground::stamp::Stamp;
use post::book::Reception as Outcome;
use post::desk::tick::Ticked;
use post::office::tick::tick;
use record::verify::report::Report;
use record::verify::{Errors, Wanted, verify};
use std::fs;

fn sound(house: &House) -> Report {
    let log = fs::read(house.path().join("log.yaml")).unwrap();
    let file = "log.yaml".to_string();
    let wanted =
        Wanted { file, titles: tiny_title::TITLES, errors: Errors::All, seen: Vec::new(), progress: &mut |_| {} };
    let report = verify(log.as_slice(), wanted).unwrap();
    assert!(report.is_ok(), "{report}");
    report
}

/// The line with which a letter asks for confirmation.
fn line_to_confirm(letter: &str) -> String {
    let text = body(letter);
    let behind = text.split("TO CONFIRM\n").nth(1).unwrap_or_else(|| panic!("nothing to confirm in\n{text}"));
    behind.lines().find(|line| line.contains(" confirm ")).unwrap().to_owned()
}

/// A player makes a dangerous request, and confirms it.
fn surely(house: &mut House, player: &str, line: &str) -> Vec<String> {
    let received = house.says(player, &format!("{line}\r\n"));
    assert_eq!(fates(&received), ["kept"], "{received:?}");
    let line = line_to_confirm(&house.newest(player));
    fates(&house.says(player, &format!("{line}\r\n")))
}

#[test]
fn a6_an_undo_is_proposed_confirmed_voted_on_and_done() {
    let mut house = House::opened();
    let (first, second) = (house.asked().0, house.other());
    house.says(first, "roll 3\r\n");
    assert_eq!(house.asked().0, second);
    assert_eq!(surely(&mut house, first, "propose undo to 3: I meant 2"), ["done propose undo to 3 #5"]);
    let told = body(&house.newest(second)).replace("\n      ", " ");
    assert!(told.contains("moves to put the table back to what it was after #3: I meant 2."), "{told}");
    assert!(told.contains("vote yes 5"), "{told}");
    assert_eq!(surely(&mut house, second, "vote yes"), ["done vote yes 5 #6"]);
    assert_eq!(house.asked().0, first, "the table is as it was");
    let told = body(&house.newest(first)).replace("\n      ", " ");
    assert!(told.contains("the table is as it was after #3"), "{told}");
    // A letter that answers the question from before the undo does not play.
    assert_eq!(fates(&house.says(first, "roll 2\r\n")), ["done roll 2 #8"]);
    let tally = sound(&house).table.unwrap().tally;
    assert_eq!((tally.undone, tally.by_host_alone, tally.votes), (1, 0, 1));
}

#[test]
fn a_letter_that_was_under_way_when_the_table_was_put_back_does_not_play() {
    let mut house = House::opened();
    let (first, second) = (house.asked().0, house.other());
    house.says(first, "roll 3\r\n");
    let asked = house.newest(second);
    let late = house.answer_to(&asked, second, "roll 1\r\n");
    surely(&mut house, first, "propose undo to 3: I meant 2");
    surely(&mut house, second, "vote yes");
    house.says(first, "roll 2\r\n");
    let received = house.receive(&late);
    assert!(fates(&received)[0].starts_with("refused you answered #4, but since then: #7 correction"), "{received:?}");
    sound(&house);
}

/// `pass` can answer many questions: if kept, it answers only the one that it was written for.
#[test]
fn a_word_for_many_questions_is_kept_for_one() {
    let mut house = House::opened();
    let (first, second) = (house.asked().0, house.other());
    let unknown = fates(&house.says(second, "no\r\n"));
    assert!(unknown[0].starts_with("refused") && unknown[0].ends_with("when asked <question> say no"), "{unknown:?}");
    house.says(first, "pass\r\n");
    house.says(second, "pass\r\n");
    assert_eq!(fates(&house.says(second, "yes\r\n")), ["kept"]);
    assert!(body(&house.newest(second)).contains("asked `riddle` again"), "{}", body(&house.newest(second)));
    house.says(first, "dare\r\n");
    assert_eq!(house.said(), ["pass", "pass", "dare"]);
    // The question in between goes to its seat, and the word waits for its own.
    let told = body(&house.newest(second));
    assert!(told.contains("The question is: answer.") && told.contains("WRITTEN IN ADVANCE\n\n  yes\n"), "{told}");
    house.says(second, "no\r\n");
    assert!(!body(&house.newest(second)).contains("you have answered in other words"));
}

/// Two players propose the same, and each agrees with the other.
#[test]
fn what_has_been_done_is_not_carried_once_more() {
    let mut house = House::opened();
    let (first, second) = (house.asked().0, house.other());
    assert_eq!(surely(&mut house, first, "propose rules riddles/2"), ["done propose rules riddles/2 #4"]);
    assert_eq!(surely(&mut house, second, "propose rules riddles/2"), ["done propose rules riddles/2 #5"]);
    assert_eq!(surely(&mut house, second, "vote yes 4"), ["done vote yes 4 #6"]);
    let told = fates(&house.says(first, "vote yes 5\r\n"));
    assert!(told[0].starts_with("refused it takes another edition by which the game can go on"), "{told:?}");
    assert_eq!(fates(&house.says(first, "pass\r\n")), ["done pass #8"]);
    sound(&house);
}

/// What the table would refuse is refused before anybody is asked to confirm it, in words for players.
#[test]
fn a_request_in_vain_is_refused_before_it_is_confirmed() {
    let mut house = House::opened();
    let first = house.asked().0;
    let mut refused = |line: &str, why: &str| {
        let told = fates(&house.says(first, &format!("{line}\r\n")));
        assert!(told[0].starts_with("refused") && told[0].contains(why), "{line}: {told:?}");
        assert!(!told[0].contains("verify"), "{told:?}");
    };
    refused("vote yes", "nothing is proposed");
    refused("vote yes 2", "nothing is proposed in #2 that could still be voted on");
    refused("propose resume: it is over", "the game is not paused");
    refused("propose undo to 1: a slip", "cannot be put back to #1");
    refused("propose rules riddles/9", "another edition by which the game can go on, not riddles/9");
    refused("propose replacement of purple", "there is no seat `purple`");
}

#[test]
fn what_waits_is_shown_and_can_be_taken_back() {
    let mut house = House::opened();
    let (first, second) = (house.asked().0, house.other());
    assert_eq!(fates(&house.says(second, "clear\r\n")), ["refused nothing of yours waits"]);
    assert_eq!(fates(&house.says(second, "roll 1\r\n")), ["kept"]);
    let letter = body(&house.newest(second));
    assert!(letter.contains("WRITTEN IN ADVANCE\n\n  roll 1\n"), "{letter}");
    assert_eq!(fates(&house.says(second, "clear\r\n")), ["done clear -"]);
    let letter = body(&house.newest(second));
    assert!(letter.contains("  roll 1\n    ignored: you have taken it back\n"), "{letter}");
    assert!(!letter.contains("WRITTEN IN ADVANCE"), "{letter}");
    house.says(first, "pass\r\n");
    assert_eq!(house.said(), ["pass"]);
}

#[test]
fn a_sentence_kept_from_before_an_undo_is_not_said() {
    let mut house = House::opened();
    let (first, second) = (house.asked().0, house.other());
    // The dare asks the other seat; the next line is kept for later.
    assert_eq!(fates(&house.says(first, "dare\r\nroll 1\r\n")), ["done dare #4", "kept"]);
    surely(&mut house, second, "propose undo to 3: no dares");
    surely(&mut house, first, "vote yes");
    assert_eq!(house.said(), ["dare"]);
    let told = body(&house.newest(first));
    assert!(told.contains("the table was put back since it was written"), "{told}");
    sound(&house);
}

#[test]
fn a6_a_code_that_is_wrong_used_or_of_other_words_does_nothing() {
    let mut house = House::opened();
    let first = house.asked().0;
    house.says(first, "propose pause: holidays\r\n");
    let right = line_to_confirm(&house.newest(first));
    let code = right.rsplit(' ').next().unwrap().to_owned();
    let mut refused = |line: &str, why: &str| {
        let received = house.says(first, &format!("{line}\r\n"));
        assert!(fates(&received)[0].contains(why), "{line}: {received:?}");
    };
    refused("propose pause: holidays confirm AAAAAAAA", "is not that of this request");
    refused(&format!("concede confirm {code}"), "is not that of this request");
    assert_eq!(fates(&house.says(first, &format!("{right}\r\n")))[0], "done propose pause #4");
    let received = house.says(first, &format!("{right}\r\n"));
    assert!(fates(&received)[0].contains("was used before"), "{received:?}");
    sound(&house);
}

#[test]
fn everybody_hears_of_a_no() {
    let mut house = House::opened();
    let (first, second) = (house.asked().0, house.other());
    surely(&mut house, first, "propose draw");
    house.send();
    assert_eq!(surely(&mut house, second, "vote no"), ["done vote no 4 #5"]);
    assert!(body(&house.newest(first)).contains("does not agree to what was moved in #4."), "the mover is told");
    let received = house.says(second, "vote yes 4\r\n");
    assert_eq!(fates(&received), ["refused nothing is proposed in #4 that could still be voted on"]);
    assert!(fates(&house.says(second, "vote no\r\n"))[0].contains("nothing is proposed"));
}

#[test]
fn a_draw_that_is_agreed_ends_the_game_and_closes_its_log() {
    let mut house = House::opened();
    let (first, second) = (house.asked().0, house.other());
    surely(&mut house, first, "propose draw: enough");
    surely(&mut house, second, "vote yes 4");
    let report = sound(&house);
    assert_eq!(report.result.as_deref(), Some("nobody wins: a draw was agreed"));
    for player in [first, second] {
        let letter = house.newest(player);
        assert!(field(&letter, "Subject").ends_with("the game is over – nobody wins"), "{letter}");
        let text = body(&letter);
        assert!(text.contains("The game is over. Nobody wins: a draw was agreed."), "{text}");
    }
    let received = house.says(first, "roll 1\r\n");
    assert!(fates(&received)[0].contains("the game is over"), "{received:?}");
    assert_eq!(fates(&house.says(first, "propose draw\r\n")), ["refused the game is over"]);
}

#[test]
fn who_concedes_loses() {
    let mut house = House::opened();
    let (first, second) = (house.asked().0, house.other());
    assert_eq!(surely(&mut house, second, "concede: well played"), ["done concede #4"]);
    let (winner, loser) = if first == GREEN { ("green", "black") } else { ("black", "green") };
    let result = format!("{winner} wins: {loser} has conceded");
    assert_eq!(sound(&house).result, Some(result));
    let told = body(&house.newest(first));
    assert!(told.contains("gives the game up: well played"), "{told}");
}

#[test]
fn i3_a_crash_at_any_point_of_a_confirmed_concession_ends_the_game_once() {
    let mut start = House::opened();
    let second = start.other();
    start.says(second, "concede\r\n");
    let newest = start.newest(second);
    let line = line_to_confirm(&newest);
    let raw = start.answer_to(&newest, second, &format!("press all: sorry\r\n\r\n{line}\r\n"));
    let mut whole = start.copy();
    whole.receive(&raw);
    let letters = |house: &House| files(&house.path().join("outbox")).len();
    let expected = (whole.log(), letters(&whole));
    for writes in 0.. {
        let crashed = start.copy();
        mishap::after(writes);
        let stopped = crashed.office.receive(&raw, house::at(start.minutes + 1));
        if !mishap::has_struck() {
            stopped.unwrap();
            break;
        }
        let mut crashed = crashed.copy();
        crashed.office.desk("g7").unwrap().recover(house::at(start.minutes + 1)).unwrap();
        crashed.receive(&raw);
        assert!((crashed.log(), letters(&crashed)) == expected, "after {writes} writes");
    }
    sound(&whole);
}

#[test]
fn x4_press_is_composed_anew_and_gives_no_address_away() {
    let mut house = House::opened();
    let (first, second) = (house.asked().0, house.other());
    let (mine, yours) = if first == GREEN { ("green", "black") } else { ("black", "green") };
    let newest = house.newest(first);
    let text = format!("press {yours}: Shall we make PEACE, at 9:15?\r\n\r\nroll 1\r\n-- \r\n{first}\r\n");
    let raw = String::from_utf8(house.answer_to(&newest, first, &text)).unwrap();
    let raw = raw.replacen("Subject:", "X-Secret: from my cave\r\nSubject:", 1);
    let received = house.receive(raw.as_bytes());
    assert_eq!(fates(&received), [&format!("done press {yours} -"), "done roll 1 #4"]);
    let letter = all_to(&house, second).into_iter().find(|letter| body(letter).contains("PEACE")).unwrap();
    assert!(body(&letter).contains("  | Shall we make PEACE, at 9:15?"), "{letter}");
    assert!(field(&letter, "Subject").ends_with(&format!("a letter from {mine}")), "{letter}");
    assert!(!letter.contains(first) && !letter.contains("from my cave"), "{letter}");
    assert!(!house.log().contains("PEACE"), "press is no entry of the log");
    // Press can be answered.
    let raw = house.answer_to(&letter, second, &format!("press {mine}: no\r\n"));
    assert_eq!(fates(&house.receive(&raw)), [format!("done press {mine} -")]);
}

fn all_to(house: &House, player: &str) -> Vec<String> {
    let letters = files(&house.path().join("outbox")).into_values().map(|bytes| String::from_utf8(bytes).unwrap());
    letters.filter(|letter| field(letter, "To") == format!("<{player}>")).collect()
}

#[test]
fn press_of_several_lines_goes_up_to_its_end_and_what_follows_is_played() {
    let mut house = House::opened();
    let (first, second) = (house.asked().0, house.other());
    let text = "press all\r\nDear friend,\r\n\r\nroll 3 is what I would say.\r\n  > Yours\r\nend press\r\nroll 1\r\n";
    let received = house.says(first, &text.replace("  > Yours", "Yours"));
    assert_eq!(fates(&received), ["done press all -", "done roll 1 #4"]);
    assert_eq!(house.said(), ["roll 1"]);
    let letter = all_to(&house, second).into_iter().find(|letter| body(letter).contains("Dear friend")).unwrap();
    assert!(body(&letter).contains("  | roll 3 is what I would say.\n  | Yours\n"), "{letter}");
}

#[test]
fn press_that_is_not_whole_or_not_allowed_goes_to_nobody() {
    let mut house = House::opened();
    let (first, second) = (house.asked().0, house.other());
    house.send();
    let mine = if first == GREEN { "green" } else { "black" };
    let wide = format!("press all: {}", "we must talk about it ".repeat(3));
    let cases = [
        ("press all\r\nHello".to_owned(), "write it behind a colon"),
        ("press red: hello".to_owned(), "there is no seat `red`"),
        (format!("press {mine}: hello"), "is your own seat"),
        ("press anonymous all: hello".to_owned(), "name their sender"),
        (format!("{}\r\nroll 3", wide.trim_end()), "may belong to it"),
        (format!("press all\r\n{}\r\nend press", "x\r\n".repeat(81)), "at most 4000 in 80 are sent"),
    ];
    for (text, why) in cases {
        let received = house.says(first, &format!("{text}\r\n"));
        assert_eq!(received.outcome, Outcome::Refused);
        assert!(fates(&received)[0].contains(why), "{text}: {received:?}");
    }
    assert_eq!(all_to(&house, second), Vec::<String>::new());
    assert_eq!(house.said(), Vec::<String>::new());
    for _ in 0..20 {
        assert_eq!(fates(&house.says(first, "press all: hello\r\n")), ["done press all -"]);
    }
    assert!(fates(&house.says(first, "press all: hello\r\n"))[0].contains("as many letters"), "the daily rate");
}

/// X4: an anonymous letter is sent later, so that nobody can see who was writing.
#[test]
fn x4_anonymous_press_tells_nothing_of_its_writer() {
    let mut house = House::anonymous();
    let (first, second) = (house.asked().0, house.other());
    house.send();
    assert_eq!(fates(&house.says(first, "press anonymous all: Boo!\r\n"))[0], "done press anonymous all -");
    let answer = body(&house.newest(first)).replace("\n   ", "");
    assert!(answer.contains("the host can see who wrote it") && answer.contains("within six hours"), "{answer}");
    house.send();
    let tick = |house: &House, minutes| house.office.desk("g7").unwrap().tick(at(house.minutes + minutes)).unwrap();
    let early = tick(&house, 29);
    assert_eq!((early.letters.len(), all_to(&house, second).len()), (0, 0), "not before half an hour is over");
    let due = early.next.unwrap().to_string();
    assert!((at(house.minutes + 30).to_string()..at(house.minutes + 360).to_string()).contains(&due), "{due}");
    // The power fails at every write of the tick that sends it.
    for writes in 0.. {
        let crashed = house.copy();
        mishap::after(writes);
        let ticked = crashed.office.desk("g7").and_then(|mut desk| desk.tick(at(house.minutes + 361)));
        if !mishap::has_struck() {
            assert_eq!(ticked.unwrap().letters.len(), 1);
            break;
        }
        let mut desk = crashed.office.desk("g7").unwrap();
        desk.recover(at(house.minutes + 361)).unwrap();
        desk.tick(at(house.minutes + 361)).unwrap();
        drop(desk);
        assert_eq!(all_to(&crashed, second).len(), 1, "after {writes} writes");
    }
    assert_eq!(tick(&house, 361).letters.len(), 1);
    assert_eq!(tick(&house, 362).letters.len(), 0, "once");
    let letters = all_to(&house, second);
    let (mine, name) = if first == GREEN { ("green", "Gollum") } else { ("black", "Bilbo") };
    assert_eq!(letters.len(), 1);
    let text = body(&letters[0]);
    assert!(text.contains("A player who does not give a name writes to everybody"), "{text}");
    for secret in [first, mine, name, "mail.example"] {
        assert!(!letters[0].contains(secret), "{secret}: {}", letters[0]);
    }
}

/// S5: another player's letter does not wake a reader at night.
#[test]
fn s5_press_waits_for_the_end_of_its_readers_night() {
    let mut house = House::opened();
    let (first, second) = (house.asked().0, house.other());
    house.says(second, "night 00:00-23:00\r\n");
    house.send();
    let name = if second == GREEN { "Gollum" } else { "Bilbo" };
    assert_eq!(
        fates(&house.says(first, &format!("press {name}: Boo!\r\n")))[0],
        format!("done press {} -", name.to_lowercase())
    );
    assert_eq!(all_to(&house, second).len(), 0);
    let ticked = house.office.desk("g7").unwrap().tick(at(15 * 60)).unwrap();
    assert_eq!((ticked.letters.len(), all_to(&house, second).len()), (1, 1));
}

#[test]
fn x3_nobody_reads_the_address_of_another() {
    let mut house = House::anonymous();
    let (first, second) = (house.asked().0, house.other());
    house.says(first, "press all: hello\r\n\r\npress anonymous all: boo\r\n\r\nroll 1\r\n");
    surely(&mut house, second, "propose undo to 3: no");
    surely(&mut house, first, "vote yes");
    house.says(second, "dispute 4: why\r\nhistory\r\nstatus\r\nhelp\r\nwhy 4\r\nmap 4\r\n");
    surely(&mut house, first, "concede");
    for folder in ["outbox", "sent"] {
        for (path, bytes) in files(&house.path().join(folder)) {
            let letter = String::from_utf8(bytes).unwrap();
            let other = if field(&letter, "To") == format!("<{GREEN}>") { BLACK } else { GREEN };
            let decoded = mail_parser::MessageParser::default().parse(letter.as_bytes()).unwrap();
            let parts = decoded.parts.iter().map(|part| String::from_utf8_lossy(part.contents()).into_owned());
            for text in parts.chain([letter.clone()]) {
                assert!(!text.contains(other), "{} tells {other}:\n{text}", path.display());
            }
        }
    }
    assert!(!house.log().contains(GREEN) && !house.log().contains(BLACK));
}

#[test]
fn an_undo_that_is_being_voted_on_keeps_a_game_open_that_is_over() {
    let mut house = House::opened();
    for _ in 0..5 {
        house.says(house.asked().0, "roll 1\r\n");
    }
    let (last, other) = (house.asked().0, house.other());
    let to = house.office.desk("g7").unwrap().table.fold().head().seq - 1;
    surely(&mut house, other, &format!("propose undo to {to}: I meant 2"));
    house.says(last, "roll 1\r\n");
    let told = body(&house.newest(other));
    assert!(told.contains("The game is over.") && told.contains("The secrets are not published yet"), "{told}");
    house.send();
    // A player who does not vote has two weeks; then the motion is closed.
    let late = house.copy();
    let ticked = ticks(&late, "2026-12-08T08:00:00Z");
    assert_eq!(ticked.letters.len(), 0);
    assert!(ticked.next.is_some_and(|next| next.as_str().starts_with("2026-12-08T08:")), "{ticked:?}");
    assert_eq!(ticks(&late, "2026-12-08T09:00:00Z").letters.len(), 2);
    assert!(late.log().contains("type: \"end\""));
    sound(&late);
    // A yes puts the table back.
    surely(&mut house, last, "vote yes");
    assert_eq!(house.asked().0, other, "the game goes on");
    house.says(other, "roll 2\r\n");
    house.says(last, "roll 1\r\n");
    assert!(house.log().contains("type: \"end\""));
    sound(&house);
}

fn ticks(house: &House, at: &str) -> Ticked {
    let mut outcomes = tick(&mut house.office.sit(), Stamp::parse(at).unwrap()).unwrap();
    outcomes.pop().map_or(Ticked::default(), |(_, looked)| looked.unwrap().ticked)
}
