/*! Letters of seats with one-time codes, played at the desk of a game of the small title. */

mod house;
mod tiny_title;

use house::{GREEN, House, body, fates};
use ringmail::post::book::Reception as Outcome;

#[test]
fn an_answer_without_its_code_waits_for_the_code() {
    let mut house = House::with_codes();
    let first = house.asked().0;
    let seat = if first == GREEN { 1 } else { 2 };
    let received = house.says(first, "roll 2\r\n");
    assert_eq!(fates(&received), ["kept"], "{received:?}");
    assert_eq!(house.said(), Vec::<String>::new());
    // A code alone, in another letter: what waited is said.
    let code = house.codes(seat).code(2).unwrap();
    let code = data_encoding::BASE32_NOPAD.encode(&code.0);
    let received = house.says(first, &format!("code 2 {code}\r\n"));
    assert_eq!(house.said(), ["roll 2"]);
    assert!(!body(&house.newest(first)).contains(&code), "A8: a code is not echoed");
    assert_eq!(received.outcome, Outcome::Played);
    assert!(house.log().contains("auth: \"code\""));
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
