/*! What binds a seat to its player: an address changed by the host or by letter, confirmed, and told to both; another
token; other keys.
*/

use crate::house;
use crate::house::{GREEN, House, at, body, fates};
use ground::hash::Hex;
use mail::letter::mailbox::Mailbox;
use post::desk::address_change::ChangedBy;
use post::names::address::Place;
use post::office::Handled as Came;
use record::commit::signature::SigningKey;

/// A7, A8: both addresses are told of a change, and the token of the old letters becomes invalid.
#[test]
fn a7_an_address_is_changed_and_both_are_told() {
    let mut house = House::opened();
    let player = house.asked().0;
    let (place, new) = (
        Place { game: "g7".to_owned(), seat: if player == GREEN { "green" } else { "black" }.to_owned() },
        Mailbox::read("elsewhere@haven.example").unwrap(),
    );
    let old_letter = house.newest(player);
    let mut desk = house.office.desk("g7").unwrap();
    let letters = desk.change_address(&place, &new, ChangedBy::Player, at(20)).unwrap();
    assert_eq!(letters.len(), 2);
    assert!(desk.change_address(&place, &new, ChangedBy::Player, at(21)).unwrap().is_empty(), "once is enough");
    drop(desk);
    let (told, kept) = (house.newest(player), house.newest("elsewhere@haven.example"));
    assert!(told.contains("elsewhere@haven.example") && kept.contains("come to this address"), "{told}\n{kept}");
    assert!(house::body(&told).lines().all(|line| line.chars().count() <= 72), "{told}");
    // The old address gets no token of the seat any more, and nobody can answer its old letters.
    assert!(!told.contains("Reply-To"), "{told}");
    let raw = house.answer_to(&old_letter, player, "roll 2\r\n");
    let fate = house.office.receive(&raw, at(30)).unwrap();
    assert!(matches!(fate, Came::Astray { .. }), "{fate:?}");
    // The new address with the old token is refused.
    let raw = house.answer_to(&old_letter, "elsewhere@haven.example", "roll 2\r\n");
    let fate = house.office.receive(&raw, at(31)).unwrap();
    assert!(matches!(fate, Came::Astray { .. }), "{fate:?}");
    let raw = house.answer_to(&kept, "elsewhere@haven.example", "roll 2\r\n");
    house.receive(&raw);
    assert_eq!(house.said(), ["roll 2"]);
    assert!(!house.log().contains("haven.example"), "no address in the log");
}

/// The line that confirms, from the newest letter to a player.
fn line_to_confirm(house: &House, player: &str) -> String {
    let letter = body(&house.newest(player));
    let line = letter
        .lines()
        .find(|line| line.trim().starts_with("address ") && line.contains(" confirm "))
        .unwrap_or_else(|| panic!("{letter}"));
    line.trim().to_owned()
}

#[test]
fn a6_an_address_is_changed_by_letter_when_the_old_address_has_confirmed_it() {
    let mut house = House::opened();
    let player = house.asked().0;
    let asked = house.says(player, "address elsewhere@haven.example\r\n");
    assert!(fates(&asked)[0].starts_with("kept"), "{:?}", fates(&asked));
    // Nothing is sent to the new address before that: it could be anybody's.
    let told = |house: &House| {
        let desk = house.office.desk("g7").unwrap();
        desk.book.letters_out().filter(|out| out.to == "elsewhere@haven.example").count()
    };
    assert_eq!(told(&house), 0);
    let line = line_to_confirm(&house, player);
    let other = line.replace("elsewhere", "thief");
    assert!(fates(&house.says(player, &format!("{other}\r\n")))[0].starts_with("refused"));
    let received = house.says(player, &format!("{line}\r\n"));
    assert!(fates(&received)[0].starts_with("done"), "{:?}", fates(&received));
    assert!(told(&house) >= 1);
    let secrets = house.office.desk("g7").unwrap().table.secrets().clone();
    let index = usize::from(player != GREEN);
    assert_eq!(
        (secrets.seats[index].addresses.clone(), secrets.seats[index].token_epoch),
        (vec!["elsewhere@haven.example".to_owned()], 1)
    );
    // The answers to the old address no longer show a way to the seat.
    let last = house.newest(player);
    assert!(!last.contains("Reply-To") && body(&last).contains("go to another address"), "{last}");
    // The log commits to the new address, and does not name it; the vault can show it.
    let log = house.log();
    assert!(!log.contains("haven.example") && log.contains("type: \"address\""), "{log}");
    let committed = log.lines().find_map(|line| line.strip_prefix("address: ")).unwrap().trim_matches('"');
    let kept = house.path().join(format!("vault/addresses/{committed}.txt"));
    assert!(std::fs::read_to_string(kept).unwrap().starts_with("elsewhere@haven.example\n"));
}

#[test]
fn a_key_is_named_by_letter_and_confirmed() {
    let mut house = House::opened();
    let player = house.asked().0;
    let key = SigningKey::of_seed(&Hex([7; 32])).public;
    assert!(fates(&house.says(player, "key ssh-rsa AAAA\r\n"))[0].contains("cannot sign here"));
    let asked = house.says(player, &format!("key {key}\r\n"));
    assert!(fates(&asked)[0].starts_with("kept"), "{:?}", fates(&asked));
    let letter = body(&house.newest(player));
    // The line is copied as our letter shows it, in pieces.
    let start = letter.rfind("\nkey ssh-ed25519").unwrap();
    let lines: Vec<&str> = letter[start..].lines().skip(1).take_while(|line| !line.is_empty()).map(str::trim).collect();
    assert!(lines.len() > 1, "{letter}");
    let received = house.says(player, &format!("{}\r\n", lines.join("\r\n")));
    assert!(fates(&received)[0].starts_with("done"), "{:?}", fates(&received));
    let log = house.log();
    assert!(log.contains("type: \"keys\"") && log.contains(&key.to_string()), "{log}");
}
