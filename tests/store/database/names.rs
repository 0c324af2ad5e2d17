//! The names of files depend on what letters say and on their readers. A thief with a copy of the database who
//! guesses an address or a letter cannot confirm his guess there.

use super::Office;
use crate::house::{BLACK, GREEN, at, charter, field, secrets, table};
use crate::tiny_title::TITLES;
use data_encoding::HEXLOWER;
use ground::hash::{Hash, sha256};
use mail::letter::mailbox::Mailbox;
use post::book::outbox::Shelf;
use post::book::outgoing::Key;
use post::desk::address_change::ChangedBy;
use post::desk::lobby::Invitation;
use post::names::address::Place;
use post::office::notice::Notice;
use post::office::{COUNTER, Handled, Office as PostOffice};
use postgres::types::Type;
use report::guest::Role;
use report::office as page;
use std::io::ErrorKind;
use store::Store;
use store::home::LetterWaiting;

const ELSEWHERE: &str = "elsewhere@haven.example";
const HOST: &str = "host@play.example";
const STRANGER: &str = "lobelia@hobbiton.example";
const WATCHER: &str = "pippin@tookland.example";

/// An office in the database with a game that was played for a while, and what a thief with the right guess can
/// compute.
struct Played {
    store: Store,
    /// Of letters out, by their content and what they answer.
    keys: Vec<Key>,
    /// Of letters in.
    hashes: Vec<Hash>,
}

fn played(office: &Office) -> Played {
    let folder = tempfile::tempdir().unwrap();
    drop(table::started(&folder.path().join("g7"), &charter::riddles(), secrets::usual(), at(0), table::nothing));
    let store = office.store();
    store.move_in(folder.path(), "").unwrap();
    store.drawer(COUNTER).make().unwrap();
    let post = PostOffice::new(&store, &Mailbox::read("box@play.example").unwrap(), TITLES);
    post.desk("g7").unwrap().report(at(1)).unwrap();
    let (mut hashes, mut keys) = (Vec::new(), Vec::new());
    // The asked player answers.
    let (seat, player) = asked(&post);
    let letter = answer(&post, player, "roll 2");
    assert!(matches!(post.receive(&letter, at(2)).unwrap(), Handled::Desk { .. }));
    keys.push(Key::answer(seat, &sha256(&letter)));
    hashes.push(sha256(&letter));
    // From now on he writes from another address, and somebody watches.
    let (place, new) = (Place { game: "g7".to_owned(), seat: seat.to_owned() }, Mailbox::read(ELSEWHERE).unwrap());
    let mut desk = post.desk("g7").unwrap();
    desk.change_address(&place, &new, ChangedBy::Player, at(3)).unwrap();
    let game = place.game.clone();
    let about = page::Address {
        game,
        seat: seat.to_owned(),
        place: place.to_string(),
        new: ELSEWHERE.to_owned(),
        is_old: true,
        by_host: false,
    };
    let old = Mailbox::read(player).unwrap();
    keys.push(Key::address(seat, at(3), &old, &page::address(&about).text));
    let address = Mailbox::read(WATCHER).unwrap();
    let invitation = Invitation { address, name: None, role: Role::Observer, seat: None, given_by: None };
    desk.invite(&invitation).unwrap().unwrap();
    desk.settle_guests(at(4)).unwrap();
    for (name, shelf) in desk.outbox.waiting().unwrap().iter().zip([Shelf::Sent, Shelf::Dead]) {
        desk.outbox.file(name, Shelf::Outbox, shelf).unwrap();
    }
    drop(desk);
    // A stranger is answered, and a notice to the host names somebody else.
    let letter =
        format!("From: {STRANGER}\r\nTo: box@play.example\r\nMessage-ID: <1@hobbiton.example>\r\n\r\nHello\r\n");
    assert!(matches!(post.receive(letter.as_bytes(), at(5)).unwrap(), Handled::Astray { letter: Some(_), .. }));
    keys.push(Key::astray(&sha256(letter.as_bytes())));
    hashes.push(sha256(letter.as_bytes()));
    let away = Notice::Away { author: STRANGER.to_owned(), subject: "I am away".to_owned() };
    away.post(&mut post.counter().unwrap(), &Mailbox::read(HOST).unwrap(), at(6)).unwrap();
    keys.push(Key::notice(&format!("away {STRANGER} I am away")));
    let waiting = b"From: gaffer@shire.example\r\n\r\nhello\r\n".to_vec();
    hashes.push(sha256(&waiting));
    let letter = LetterWaiting { name: STRANGER.to_owned(), raw: waiting, is_old: false, game: None };
    store.shared().unwrap().hand_in(&letter).unwrap();
    Played { store, keys, hashes }
}

fn asked(post: &PostOffice) -> (&'static str, &'static str) {
    let waits = post.desk("g7").unwrap().table.fold().waits_for();
    if waits.starts_with("green") { ("green", GREEN) } else { ("black", BLACK) }
}

/// An answer to the newest letter to a player.
fn answer(post: &PostOffice, player: &str, text: &str) -> Vec<u8> {
    let desk = post.desk("g7").unwrap();
    let name = desk.book.letters_out().rev().find(|out| out.to == player).unwrap().letter.clone();
    let letter = String::from_utf8(desk.outbox.read(Shelf::Outbox, &name).unwrap()).unwrap();
    let (to, answered) = (field(&letter, "Reply-To"), field(&letter, "Message-ID"));
    format!("From: {player}\r\nTo: {to}\r\nIn-Reply-To: {answered}\r\nMessage-ID: <1@mail.example>\r\n\r\n{text}\r\n")
        .into_bytes()
}

/// All values in all columns of all tables, as bytes, with their table.
fn everything(office: &Office) -> Vec<(String, Vec<u8>)> {
    let mut client = office.client();
    let tables = "select table_name::text from information_schema.tables where table_schema = $1";
    let tables: Vec<String> = client.query(tables, &[&office.name]).unwrap().iter().map(|row| row.get(0)).collect();
    assert!(tables.len() >= 7, "{tables:?}");
    let mut all = Vec::new();
    for table in tables {
        let columns = client.prepare(&format!("select * from {table}")).unwrap();
        for column in columns.columns() {
            let name = column.name();
            let sql = match *column.type_() {
                Type::BYTEA => format!("select {name} from {table} where {name} is not null"),
                _ => format!("select convert_to({name}::text, 'utf8') from {table} where {name} is not null"),
            };
            all.extend(client.query(&sql, &[]).unwrap().iter().map(|row| (table.clone(), row.get(0))));
        }
    }
    all
}

/// The folders with the letters of an office.
const FOLDERS: [&str; 4] = ["outbox", "sent", "dead", "vault/mail"];

#[test]
fn a_dump_confirms_no_guess() {
    let Some(office) = Office::new() else { return };
    let Played { store, keys, hashes } = played(&office);
    let names: Vec<String> =
        FOLDERS.iter().flat_map(|folder| store.everywhere(folder).unwrap()).map(|(_, found)| found.name).collect();
    for folder in FOLDERS {
        assert!(!store.everywhere(folder).unwrap().is_empty(), "{folder}");
    }
    let of_letters = names.iter().map(|name| Key::of_file(name)).collect::<Vec<Key>>();
    for key in &keys {
        assert!(of_letters.contains(key), "{key:?} is no letter: {names:?}");
    }
    let dump = everything(&office);
    let is_in = |(_, value): &(String, Vec<u8>), bytes: &[u8]| {
        value.windows(bytes.len()).any(|part| part.eq_ignore_ascii_case(bytes))
    };
    let is_anywhere = |bytes: &[u8]| dump.iter().any(|value| is_in(value, bytes));
    assert!(is_anywhere(b"riddles") && is_anywhere(b"g7"), "nothing was dumped");
    // No table contains an address, or a name in plain text.
    let addresses = [GREEN, BLACK, ELSEWHERE, HOST, STRANGER, WATCHER, "box@play.example", "gaffer@shire.example"];
    for word in addresses.into_iter().chain(names.iter().map(String::as_str)) {
        assert!(!is_anywhere(word.as_bytes()), "{word}");
    }
    // Nor anything computed from an address, a letter or a name, neither as digits nor as bytes. Only a log, which
    // everybody may read, says by which letter something was said.
    let marks = of_letters.into_iter().chain(keys).filter_map(|key| match key {
        Key::Report { .. } => None,
        Key::Marked { mark, .. } => Some(mark),
        Key::Counter { name } => name.split('.').nth(1).map(str::to_owned),
    });
    let hashes: Vec<String> = hashes.iter().map(Hash::to_string).collect();
    let of_names = names.iter().map(|name| sha256(name.as_bytes()).to_string());
    for digits in marks.chain(hashes.iter().cloned()).chain(of_names) {
        let bytes = HEXLOWER.decode(digits.as_bytes()).unwrap();
        let is_of_a_letter = hashes.iter().any(|hash| hash.starts_with(&digits));
        for value in dump.iter().filter(|(table, _)| !(is_of_a_letter && table == "record")) {
            assert!(!is_in(value, digits.as_bytes()) && !is_in(value, &bytes), "{digits} in {}", value.0);
        }
    }
}

#[test]
fn a_name_belongs_to_its_row() {
    let Some(office) = Office::new() else { return };
    let store = office.store();
    for (drawer, name) in [("shire", "a.eml"), ("shire", "b.eml"), ("rohan", "c.eml")] {
        store.drawer(drawer).put("outbox", &[(name, name.as_bytes())]).unwrap();
    }
    office.tell(
        "update file as one set sealed_name =
            (select sealed_name from file as other where other.drawer = one.drawer and other.mark <> one.mark)
            where drawer = 'shire'",
    );
    let error = store.drawer("shire").list("outbox").unwrap_err();
    assert!(error.kind() == ErrorKind::InvalidData && error.to_string().contains("shire/outbox"), "{error}");
    // The other games work, and so does a caller who knows the name.
    let found: Vec<String> = store.everywhere("outbox").unwrap().into_iter().map(|(_, found)| found.name).collect();
    assert_eq!(found, ["c.eml"]);
    assert_eq!(store.drawer("shire").read("outbox/a.eml").unwrap(), b"a.eml");
}
