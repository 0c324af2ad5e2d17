/*! Several letters of one run: the desk stays open between them, and the result is the same as if each had come
alone; and what the letters of such a run propose.
*/

use crate::house::{BLACK, GREEN, House, at, body, fates, field, files};
use post::book::Reception as Outcome;
use post::office::Handled as Came;
use std::fs;
use std::path::Path;

/// Everything in the folder of a house.
fn state(folder: &Path) -> Vec<(String, String)> {
    let name = |path: &Path| path.strip_prefix(folder).unwrap().display().to_string();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    files(folder).iter().map(|(path, bytes)| (name(path), text(bytes))).collect()
}

/// The letters of a short game, each an answer to the newest letter to its writer, and when they came.
fn letters(house: &mut House) -> Vec<(Vec<u8>, u32)> {
    let (first, second) = (house.asked().0, house.other());
    let lines = [
        (second, "when asked answer say yes until end of turn\r\n"),
        (first, "dare\r\nroll 1\r\n"),
        (second, "roll 2\r\nnonsense\r\n"),
        (second, "roll 3\r\n"),
        (first, "help\r\n"),
        (first, "pass\r\n"),
        (second, "pass\r\n"),
    ];
    let mut letters = Vec::new();
    for (player, text) in lines {
        let newest = house.newest(player);
        let raw = house.answer_to(&newest, player, text);
        house.receive(&raw);
        letters.push((raw, house.minutes));
    }
    letters
}

#[test]
fn letters_of_one_run_are_received_as_if_each_had_come_alone() {
    let mut alone = House::opened();
    let together = alone.copy();
    let letters = letters(&mut alone);
    let mut sitting = together.office.sit();
    for (raw, minutes) in &letters {
        sitting.receive(raw, at(*minutes)).unwrap();
    }
    drop(sitting);
    for (one, other) in state(alone.folder.path()).iter().zip(&state(together.folder.path())) {
        assert_eq!(one, other);
    }
    assert_eq!(state(alone.folder.path()).len(), state(together.folder.path()).len());
    assert!(alone.said().len() >= 5, "{:?}", alone.said());
}

#[test]
fn a_letter_that_cannot_be_received_does_not_spoil_the_desk() {
    let mut house = House::opened();
    let first = house.asked().0;
    let newest = house.newest(first);
    let raw = house.answer_to(&newest, first, "roll 1\r\n");
    let mut sitting = house.office.sit();
    // A disk that fails when the entry is written is a problem of the host, not of the letter.
    ground::disk::mishap::after(7);
    assert!(sitting.receive(&raw, at(19)).is_err());
    assert!(ground::disk::mishap::has_struck());
    // The letter was taken before: the desk, opened again, has played it when it arrives once more.
    let Came::Desk { received, .. } = sitting.receive(&raw, at(20)).unwrap() else { panic!("not at the desk") };
    assert_eq!(received.outcome, Outcome::Again);
    drop(sitting);
    let log = fs::read_to_string(house.path().join("log.yaml")).unwrap();
    assert_eq!(log.matches("said: \"roll 1\"").count(), 1);
}

#[test]
fn a_letter_says_which_order_would_have_saved_a_question() {
    let mut house = House::opened();
    let (first, second) = (house.asked().0, house.other());
    house.says(first, "dare\r\n");
    house.says(second, "pass\r\n");
    // The player types `pass`; the log has `no`, and no order is proposed.
    assert!(!body(&house.newest(second)).contains("You need not have been asked"));
    house.says(second, "pass\r\n");
    let letter = body(&house.newest(second));
    let proposed =
        "You need not have been asked at #6. Next time this would answer for you:\n  when asked riddle say pass\n";
    assert!(letter.contains(proposed), "{letter}");
    // It is proposed only once.
    house.says(second, "standing\r\n");
    assert!(!body(&house.newest(second)).contains("You need not have been asked"));
    // A player who leaves the order in the same letter is not told to leave it.
    house.says(first, "pass\r\nwhen asked riddle say pass until end of turn\r\n");
    assert!(!body(&house.newest(first)).contains("You need not have been asked"));
    assert!(!field(&house.newest(GREEN), "Subject").is_empty() && !field(&house.newest(BLACK), "Subject").is_empty());
}

/// The player must see at once that it is not the same letter again.
#[test]
fn the_answer_to_a_letter_that_went_wrong_says_so_first_and_shows_a_sentence_that_would_do() {
    let mut house = House::opened();
    let player = house.asked().0;
    house.says(player, "rol 2\r\n");
    let letter = house.newest(player);
    assert!(field(&letter, "Subject").contains("nothing was played – your move"), "{letter}");
    let text = body(&letter);
    let (head, question) = text.split_once("\nYour move, ").unwrap();
    assert!(head.contains("\n\nNothing of your letter was played: line 1 was refused.\n\nYOUR LETTER\n\n  rol 2\n"));
    assert!(!question.contains("YOUR LETTER"), "{question}");
    // The example can be played as printed.
    let (_, example) = head.split_once("This would be played now, for example:\n\n").unwrap();
    let example = example.lines().next().unwrap().trim().to_owned();
    assert!(example.starts_with("roll"), "{example}");
    house.says(player, &format!("{example}\r\ncancel 7\r\n"));
    let letter = house.newest(player);
    assert_eq!(house.said(), [example]);
    assert!(field(&letter, "Subject").contains("1 of 2 lines was played"), "{letter}");
    // A player who is not asked needs no example.
    assert!(!body(&letter).contains("for example"), "{letter}");
    house.says(player, "status\r\n");
    assert!(!body(&house.newest(player)).contains("Of your letter"), "{letter}");
}

#[test]
fn nothing_is_said_of_a_deadline_that_does_not_exist() {
    let house = House::opened();
    for player in [GREEN, BLACK] {
        let letter = body(&house.newest(player));
        assert!(!letter.contains("answer by") && !letter.contains("due by") && !letter.contains("None"), "{letter}");
    }
}

#[test]
fn p7_a_name_under_a_letter_is_passed_over_in_silence() {
    let mut house = House::opened();
    let (first, second) = (house.asked().0, house.other());
    let name = |player: &str| if player == GREEN { "Gollum" } else { "Bilbo" };
    let wide = format!("{:>60}", "roll 1");
    // Directly below a line that may be wrapped, and although the sentence is refused.
    let received = house.says(first, &format!("{:>60}\r\n{}\r\n", "rol 1", name(first)));
    assert_eq!(fates(&received).len(), 1, "{received:?}");
    let received = house.says(first, &format!("{wide}\r\n{}\r\n", name(first)));
    assert_eq!(fates(&received), ["done roll 1 #5"]);
    let received = house.says(second, &format!("roll 2\r\nCheers {}\r\n", name(second)));
    assert_eq!(fates(&received), ["done roll 2 #6"]);
    // Alone, or in the middle, it is a line like any other.
    let received = house.says(first, &format!("{}\r\n", name(first)));
    assert!(fates(&received)[0].starts_with("refused "), "{received:?}");
    // The name in From.
    let newest = house.newest(first);
    let raw = String::from_utf8(house.answer_to(&newest, first, "roll 3\r\nSméagol\r\n")).unwrap();
    let from = format!("From: =?utf-8?Q?Sm=C3=A9agol?= <{first}>\r\n");
    let raw = raw.replacen(&format!("From: {first}\r\n"), &from, 1);
    let raw = raw.replace("\r\n\r\nroll", "\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nroll");
    assert_eq!(fates(&house.receive(raw.as_bytes())), ["done roll 3 #8"]);
}

#[test]
fn p2_a_letter_read_from_html_is_answered_so() {
    let mut house = House::opened();
    let first = house.asked().0;
    let newest = house.newest(first);
    let raw = String::from_utf8(house.answer_to(&newest, first, "<p>roll <b>1</b></p>\r\n")).unwrap();
    let raw = raw.replacen("\r\n\r\n", "\r\nContent-Type: text/html; charset=utf-8\r\n\r\n", 1);
    let received = house.receive(raw.as_bytes());
    assert!(fates(&received)[0].starts_with("noted read from HTML"), "{received:?}");
    assert_eq!(fates(&received)[1], "done roll 1 #4");
    assert!(body(&house.newest(first)).contains("read from HTML"));
}

#[test]
fn p7_what_stands_below_the_end_of_a_letter_is_named() {
    let mut house = House::opened();
    let (first, second) = (house.asked().0, house.other());
    let ends = "ignored below a line across the page, which ends your letter";
    assert_eq!(fates(&house.says(first, "roll 1\r\n-----\r\nroll 2\r\n")), ["done roll 1 #4", ends]);
    let below = "roll 2\r\n-- \r\nThe other\r\n\r\n> Old words\r\n\r\nroll 3\r\n";
    let ends = "ignored below your signature or a footer, which ends your letter";
    assert_eq!(fates(&house.says(second, below)), ["done roll 2 #5", ends]);
}

#[test]
fn p7_what_stands_under_a_letter_is_told_in_a_line_and_kept_for_nothing() {
    let mut house = House::opened();
    let (first, second) = (house.asked().0, house.other());
    let name = |player: &str| if player == GREEN { "Gollum" } else { "Bilbo" };
    let told = "ignored what you write under your letters";
    // With a name above it, or as a separate paragraph that tells how to reach the writer.
    let under = format!("{}\r\nGuide to Mordor\r\n\r\nCave Ltd.\r\nTel. +44 1234 567890\r\n", name(first));
    assert_eq!(fates(&house.says(first, &format!("roll 1\r\n\r\n{under}"))), ["done roll 1 #4", told]);
    let under = "*Uncle B.*\r\nBag End 1,\r\nwww.bag-end.example\r\n";
    assert_eq!(fates(&house.says(second, &format!("roll 2\r\n\r\n{under}"))), ["done roll 2 #5", told]);
    // A refused line above it does not include any of it.
    let refused = fates(&house.says(first, &format!("rol 3\r\n\r\n{}\r\n+44 1234 567890\r\n", name(first))));
    assert!(refused.len() == 2 && refused[0].starts_with("refused ") && refused[1] == told, "{refused:?}");
    assert!(!body(&house.newest(first)).contains("waits"));
}

#[test]
fn p7_what_could_be_a_sentence_stands_under_no_letter() {
    let mut house = House::opened();
    let first = house.asked().0;
    let name = if first == GREEN { "Gollum" } else { "Bilbo" };
    for below in ["Pass", "Dare", "Roll 2", "roll 2", "When asked riddle say pass", "Status", "pass\r\n+44 1234 567890"]
    {
        let received = fates(&house.says(first, &format!("rol 1\r\n\r\n{name}\r\n{below}\r\n")));
        assert!(received.len() > 2 && !received.contains(&"ignored what you write under your letters".to_owned()));
    }
}

#[test]
fn p7_thanks_before_anything_was_said_end_no_letter() {
    let mut house = House::opened();
    let first = house.asked().0;
    let name = if first == GREEN { "Gollum" } else { "Bilbo" };
    let received = house.says(first, &format!("Thanks,\r\n{name}\r\n\r\n> quoted\r\n"));
    assert!(fates(&received)[0].starts_with("refused no sentence of your own"), "{received:?}");
    let received = house.says(first, &format!("Regards,\r\n{name}\r\n+44 1234 567890\r\n\r\n> quoted\r\n"));
    let told = fates(&received);
    assert!(told[0].ends_with("under your letters") && told[1].starts_with("refused no sentence"), "{told:?}");
    assert_eq!(fates(&house.says(first, "Many thanks!\r\n\r\nroll 1\r\n")), ["done roll 1 #4"]);
}
