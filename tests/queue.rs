//! What a host does about single outgoing letters, and his view of all games, without a lock.

use crate::house::{House, at, files};
use crate::tiny_title::TITLES;
use mail::wire::carrier::{Carrier, Cover, NotCarried};
use post::book::outbox::Shelf;
use post::book::{Event, State};
use post::desk::reach::{Asking, asking};
use post::office::out_queue::{Declined, Queued, Unnamed, Wish, named, of_drawer};
use post::office::status::{Counts, of_counter, of_game, of_games};
use std::fs;
use std::time::Duration;

/// Takes letters, or refuses all of them for good.
#[derive(Default)]
struct Server {
    refuses: bool,
    carried: Vec<String>,
}

impl Carrier for Server {
    fn carry(&mut self, name: &str, _cover: &Cover, _letter: &[u8]) -> Result<String, NotCarried> {
        if self.refuses {
            return Err(NotCarried::Never { reply: "550 nobody here".to_owned() });
        }
        self.carried.push(name.to_owned());
        Ok("250 taken".to_owned())
    }
}

/// A game whose first letters wait.
fn waiting() -> House {
    let house = House::new();
    house.office.desk("g7").unwrap().report(at(1)).unwrap();
    house
}

fn letters(house: &House) -> Vec<Queued> {
    of_drawer(&house.path().as_path().into(), Some("g7")).unwrap()
}

fn send(house: &House, server: &mut Server, minutes: u32) {
    house.office.sender(Some("g7")).unwrap().send(server, &|| at(minutes)).unwrap();
}

fn grant(house: &House, letter: &str, wish: &Wish, minutes: u32) -> Result<(), Declined> {
    house.office.grant(Some("g7"), letter, wish, Duration::ZERO, at(minutes)).unwrap()
}

fn counts(house: &House) -> Counts {
    of_game(&house.path().as_path().into(), "g7", TITLES, at(30)).unwrap().letters
}

#[test]
fn a_held_letter_is_not_sent_until_it_is_released_and_then_once() {
    let house = waiting();
    let (held, others) = letters(&house).split_first().map(|(held, others)| (held.clone(), others.len())).unwrap();
    assert!(others > 0);
    assert_eq!(grant(&house, &held.letter, &Wish::Release, 2), Err(Declined::NotHeld));
    grant(&house, &held.letter, &Wish::Hold, 2).unwrap();
    assert_eq!(grant(&house, &held.letter, &Wish::Hold, 3), Err(Declined::Held { at: at(2).to_string() }));
    assert_eq!(grant(&house, &held.letter, &Wish::Retry, 3), Err(Declined::Held { at: at(2).to_string() }));
    let mut server = Server::default();
    send(&house, &mut server, 10);
    assert_eq!(server.carried.len(), others, "the held one stays");
    assert!(!server.carried.contains(&held.letter));
    assert_eq!(counts(&house), Counts { held: 1, ..Counts::default() });
    // The player has not been asked, so he is not late.
    let (desk, seat) = (house.office.desk("g7").unwrap(), held.seat.unwrap());
    assert_eq!(asking(&desk, &seat, 0), Asking::Failed);
    drop(desk);
    grant(&house, &held.letter, &Wish::Release, 11).unwrap();
    let desk = house.office.desk("g7").unwrap();
    assert_eq!(asking(&desk, &seat, 0), Asking::Failed, "nor before it was taken");
    drop(desk);
    send(&house, &mut server, 11);
    send(&house, &mut server, 12);
    assert_eq!(server.carried.iter().filter(|name| **name == held.letter).count(), 1);
    for wish in [Wish::Retry, Wish::Hold, Wish::Release, Wish::Drop(None)] {
        assert_eq!(grant(&house, &held.letter, &wish, 13), Err(Declined::Sent { at: at(11).to_string() }));
    }
    assert!(letters(&house).is_empty());
}

#[test]
fn a_dead_letter_is_retried_or_dropped_on_record() {
    let house = waiting();
    let mut server = Server { refuses: true, ..Server::default() };
    send(&house, &mut server, 2);
    let dead = letters(&house);
    assert_eq!(counts(&house), Counts { dead: dead.len(), ..Counts::default() });
    assert_eq!(grant(&house, &dead[0].letter, &Wish::Hold, 3), Err(Declined::Dead));
    grant(&house, &dead[0].letter, &Wish::Retry, 3).unwrap();
    grant(&house, &dead[1].letter, &Wish::Drop(Some("he has left".to_owned())), 3).unwrap();
    let book = house.office.desk("g7").unwrap().book;
    let given_up = State::GivenUp { at: at(3).to_string(), why: Some("he has left".to_owned()) };
    assert_eq!(book.letter_out(&dead[1].letter).unwrap().state, given_up);
    drop(book);
    server.refuses = false;
    send(&house, &mut server, 3);
    assert_eq!(server.carried, [dead[0].letter.clone()]);
    // A dropped letter is no longer counted, and can still be sent again.
    assert_eq!(counts(&house), Counts::default());
    assert_eq!(grant(&house, &dead[1].letter, &Wish::Hold, 4), Err(Declined::GivenUp { at: at(3).to_string() }));
    grant(&house, &dead[1].letter, &Wish::Retry, 5).unwrap();
    send(&house, &mut server, 5);
    assert_eq!(server.carried, [dead[0].letter.clone(), dead[1].letter.clone()]);
}

/// A crash after the event and before the move: the letter is filed, and not sent.
#[test]
fn i3_a_letter_that_was_dropped_is_not_sent_after_a_crash() {
    let house = waiting();
    let letter = letters(&house)[0].letter.clone();
    let mut desk = house.office.desk("g7").unwrap();
    desk.book.append(Event::GivenUp { at: at(2).to_string(), letter: letter.clone(), why: None }).unwrap();
    drop(desk);
    let mut server = Server::default();
    send(&house, &mut server, 3);
    assert!(!server.carried.is_empty() && !server.carried.contains(&letter));
    assert_eq!(house.office.desk("g7").unwrap().outbox.shelf(&letter).unwrap(), Some(Shelf::Dead));
}

#[test]
fn nobody_touches_a_letter_while_another_process_sends() {
    let house = waiting();
    let letter = letters(&house)[0].letter.clone();
    let _sender = house.office.sender(Some("g7")).unwrap();
    let held = house.office.grant(Some("g7"), &letter, &Wish::Hold, Duration::ZERO, at(2));
    assert!(held.is_err_and(|error| error.to_string().contains("another process")));
}

#[test]
fn a_letter_is_named_by_the_beginning_of_its_id() {
    let house = waiting();
    let all = letters(&house);
    let meant = &all[1];
    assert!(meant.id.len() == 6 && meant.id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()));
    for written in [&meant.id, &meant.id.to_uppercase(), &meant.letter] {
        assert_eq!(named(&all, written).unwrap(), meant);
    }
    assert_eq!(named(&all, &meant.id[..2]), Err(Unnamed::Nothing), "too short to be meant");
    assert_eq!(named(&all, "zzz999"), Err(Unnamed::Nothing));
    let twice = [meant.clone(), meant.clone()];
    assert!(matches!(named(&twice, &meant.id), Err(Unnamed::Several(ids)) if ids.len() == 2));
}

#[test]
fn a_status_takes_no_lock_writes_nothing_and_names_what_it_cannot_read() {
    let house = waiting();
    let before = files(house.folder.path());
    let desk = house.office.desk("g7").unwrap();
    let status = of_game(&house.path().as_path().into(), "g7", TITLES, at(30)).unwrap();
    let (seat, _) = house_asked(&desk);
    assert_eq!((status.seat.as_deref(), status.phase), (Some(seat.as_str()), "playing"));
    assert_eq!(status.entries, desk.table.fold().head().seq + 1);
    assert_eq!((status.letters.waiting, status.last_in, status.last_out), (letters(&house).len(), None, None));
    assert!(status.stuck.is_empty(), "{:?}", status.stuck);
    drop(desk);
    fs::create_dir(house.folder.path().join("torn")).unwrap();
    fs::write(house.folder.path().join("torn/log.yaml"), "---\nformat").unwrap();
    let names = ["g7", "gone", "torn"].map(str::to_owned);
    let found = of_games(&house.office, &names, at(30));
    assert!(found[0].is_ok() && found[1].is_err());
    assert!(found[2].as_ref().is_err_and(|error| error.to_string().contains("ends inside a record")));
    assert!(of_counter(&house.office).unwrap().last_in.is_none());
    fs::remove_dir_all(house.folder.path().join("torn")).unwrap();
    assert!(files(house.folder.path()) == before, "nothing was written");
}

fn house_asked(desk: &post::desk::Desk) -> (String, &'static str) {
    let asked = desk.table.fold().asked().unwrap();
    (desk.table.fold().plan().word(asked.seat).to_owned(), asked.id)
}

/// X3: a server's reply repeats the sender of the envelope. The code in it is a secret: with it a bounce could be
/// forged.
#[test]
fn x3_the_reply_of_a_server_shows_no_code_of_a_return_path() {
    struct Echo;
    impl Carrier for Echo {
        fn carry(&mut self, _name: &str, _cover: &Cover, _letter: &[u8]) -> Result<String, NotCarried> {
            let reply = "450 <box+bounce.g7.green.abcdefghij@play.example> waits".to_owned();
            Err(NotCarried::Later { reply })
        }
    }
    let house = waiting();
    let round = house.office.sender(Some("g7")).unwrap().send(&mut Echo, &|| at(10)).unwrap();
    assert!(round.later.iter().all(|(_, reply)| reply == "450 <box+***@play.example> waits"), "{round:?}");
    let tried = |letter: &Queued| format!("{:?}", letter.state).contains("450 <box+***@play.example> waits");
    assert!(letters(&house).iter().all(tried), "{:?}", letters(&house));
}
