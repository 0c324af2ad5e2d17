/*! A game in which every record came in a letter signed by its mail domain: the players join, play, change an address
and vote, and the letters in the host's vault prove all of it to a reader with only the log and the vault.
*/

use crate::house::{BLACK, GREEN, House, at, body, charter, fates, secrets};
use crate::mail_domain::{Dns, Domain, KEY, domain_of};
use crate::tiny_title::TITLES;
use mail::letter::mailbox::Mailbox;
use post::book::Reception;
use post::desk::authorship::Judges;
use post::desk::lobby::Invitation;
use record::charter::Charter;
use record::entry::body::Auth;
use record::problem::Check;
use record::table::Table;
use record::verify::report::CheckResult;
use report::guest::Role;
use std::sync::Arc;

/// A game whose two players are invited by letter.
fn invited() -> House {
    let folder = tempfile::tempdir().unwrap();
    let seats = ["Gollum", "Bilbo"].map(charter::player);
    let charter = Charter { min_auth: Some(Auth::Dkim), ..charter::of("riddles", seats) };
    drop(Table::create(&folder.path().join("g7"), &charter, secrets::usual(), at(0), TITLES).unwrap());
    let judges = Judges { keys: Some(Arc::new(Dns(Domain::new(KEY).record()))), server: None };
    let mut house = House::of(folder, TITLES);
    house.office = house.office.believing(judges);
    let mut desk = house.office.desk("g7").unwrap();
    for (player, seat) in [(GREEN, "green"), (BLACK, "black")] {
        let address = Mailbox::read(player).unwrap();
        let (name, seat) = (Some(seat.to_owned()), Some(seat.to_owned()));
        desk.invite(&Invitation { address, name, role: Role::Player, seat, given_by: None }).unwrap().unwrap();
    }
    desk.settle_guests(at(1)).unwrap();
    drop(desk);
    house
}

fn says(house: &mut House, player: &str, text: &str) {
    let letter = house.signed_answer(&Domain::new(KEY), player, &format!("{text}\r\n"));
    let received = house.receive(&letter);
    assert_eq!(received.outcome, Reception::Played, "{text}: {:?}", fates(&received));
}

#[track_caller]
fn is_proven(house: &House, records: &str) {
    let report = house.held();
    assert!(report.is_ok(), "{report}");
    assert_eq!(report.verdict(Check::Letters), &CheckResult::Pass, "{report}");
    assert!(report.to_text().contains(&format!("letters: {records} are the next lines of their letters")), "{report}");
    assert!(!house.log().contains('@'), "the log names no address");
}

#[test]
fn every_letter_of_a_game_is_shown_and_proves_its_record() {
    let mut house = invited();
    says(&mut house, GREEN, "join");
    let told = body(&house.newest(GREEN));
    let salt =
        told.lines().find(|line| line.trim().len() == 64).expect("the player is told the salt").trim().to_owned();
    assert!(std::fs::read_to_string(house.path().join("host.yaml")).unwrap().contains(&salt));
    says(&mut house, BLACK, "join");
    let (first, second) = (house.asked().0, house.other());
    says(&mut house, first, "roll 2");
    says(&mut house, second, "roll 1");
    is_proven(&house, "4 records");
    // Decisions of both players.
    says(&mut house, first, "propose pause: we are away");
    says(&mut house, second, "vote yes");
    is_proven(&house, "6 records");
    // Another address of the same domain: the old address asks, and from then on the new one speaks.
    let elsewhere = format!("elsewhere@{}", domain_of(first));
    let letter = house.signed_answer(&Domain::new(KEY), first, &format!("address {elsewhere}\r\n"));
    let received = house.receive(&letter);
    assert!(fates(&received)[0].starts_with("done"), "{:?}", fates(&received));
    is_proven(&house, "7 records");
    says(&mut house, &elsewhere, "propose resume");
    is_proven(&house, "8 records");
}
