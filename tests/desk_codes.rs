/*! Letters of seats with one-time codes, played at the desk of a game of the small title. */

use crate::house::{GREEN, House, body, fates};
use ground::hash::Hex;
use post::book::Reception as Outcome;
use record::commit::chain::{SeatChain, write_code};

#[test]
fn an_answer_without_its_code_waits_for_the_code() {
    let mut house = House::with_codes();
    let first = house.asked().0;
    let seat = if first == GREEN { 1 } else { 2 };
    let received = house.says(first, "roll 2\r\n");
    assert_eq!(fates(&received), ["kept"], "{received:?}");
    assert_eq!(house.said(), Vec::<String>::new());
    // Another letter with only the code: the waiting sentence is said.
    let code = house.codes(seat).code(2).unwrap();
    let code = data_encoding::BASE32_NOPAD.encode(&code.0);
    let received = house.says(first, &format!("code 2 {code}\r\n"));
    assert_eq!(house.said(), ["roll 2"]);
    assert!(!body(&house.newest(first)).contains(&code), "A8: a code is not echoed");
    assert_eq!(received.outcome, Outcome::Played);
    assert!(house.log().contains("auth: \"token\""));
}

#[test]
fn an_answer_without_its_code_takes_the_place_of_the_one_before() {
    let mut house = House::with_codes();
    let first = house.asked().0;
    let seat = if first == GREEN { 1 } else { 2 };
    for words in ["roll 2\r\n", "roll 2\r\n", "roll 1\r\n"] {
        assert_eq!(fates(&house.says(first, words)), ["kept"]);
    }
    let code = data_encoding::BASE32_NOPAD.encode(&house.codes(seat).code(2).unwrap().0);
    house.says(first, &format!("code 2 {code}\r\n"));
    assert_eq!(house.said(), ["roll 1"]);
}

/// A player who has lost his book asks for new codes, and the others agree with their next codes.
#[test]
fn a_lost_book_is_replaced_by_all_others() {
    let mut house = House::with_codes();
    let (first, second) = (house.asked().0, house.other());
    let number = |player: &str| if player == GREEN { 1 } else { 2 };
    let book = SeatChain::new(&house.genesis(), number(first), Hex([9; 20]), 100);
    let mine = write_code(&book.code(1).unwrap());
    assert_eq!(fates(&house.says(first, &format!("roll 2\r\ncode {mine}\r\n"))), ["kept"], "not of the old book");
    let proposed = surely(&mut house, first, &format!("propose codes {}", book.anchor()), "");
    assert!(proposed[0].starts_with("done propose codes"), "{proposed:?}");
    let told = body(&house.newest(second));
    assert!(told.contains("needs your next one-time code") && told.contains("code <your code 2>"), "{told}");
    let without = fates(&house.says(second, "vote yes\r\n"));
    assert!(without[0].contains("needs one-time code 2"), "{without:?}");
    let code = write_code(&house.codes(number(second)).code(2).unwrap());
    let voted = surely(&mut house, second, "vote yes", &format!("code 2 {code}\r\n"));
    assert!(voted[0].starts_with("done vote yes"), "{voted:?}");
    assert!(house.log().contains("what: \"codes\""), "{}", house.log());
    let old = write_code(&house.codes(number(first)).code(2).unwrap());
    assert_eq!(fates(&house.says(first, &format!("roll 2\r\ncode {old}\r\n"))), ["kept"]);
    let done = house.says(first, &format!("roll 2\r\ncode 1 {mine}\r\n"));
    assert!(fates(&done)[0].starts_with("done roll 2"), "{done:?}");
}

/// A player says something that must be confirmed, and confirms it.
fn surely(house: &mut House, player: &str, line: &str, below: &str) -> Vec<String> {
    let received = house.says(player, &format!("{line}\r\n{below}"));
    assert_eq!(fates(&received), ["kept"], "{received:?}");
    let text = body(&house.newest(player));
    let confirm = text.split("TO CONFIRM\n").nth(1).unwrap_or_else(|| panic!("{text}"));
    // A long line is continued on the next.
    let begins = line.split(' ').next().unwrap();
    let confirm = confirm.lines().skip_while(|line| !line.trim_start().starts_with(begins));
    let confirm: Vec<&str> = confirm.take_while(|line| !line.is_empty()).map(str::trim_start).collect();
    let confirm = confirm.join("\r\n");
    fates(&house.says(player, &format!("{confirm}\r\n{below}")))
}
