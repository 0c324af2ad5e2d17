//! What cannot be read is *later*, never *no*: no letter is refused because a disk did not answer.

use crate::house::{House, at, office};
use ground::disk::mishap;
use post::book::outbox::{Outbox, Shelf};
use post::book::vault::KeyArchive;
use post::desk::outage::{self, Clock, Outage};
use post::office::Handled;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use store::drawer::Drawer;

/// Puts something in the place of a file that can be named, but not read.
fn hide(file: &Path) {
    fs::rename(file, file.with_extension("hidden")).unwrap();
    fs::create_dir(file).unwrap();
}

fn show(file: &Path) {
    fs::remove_dir(file).unwrap();
    fs::rename(file.with_extension("hidden"), file).unwrap();
}

/// A letter to a game of which a file cannot be read: it is not answered that its token is wrong, nor that there is
/// no such game. When the file can be read again, it is played.
#[track_caller]
fn is_played_later(file: &str) {
    let mut house = House::opened();
    let (player, _) = house.asked();
    let raw = house.answer_to(&house.newest(player), player, "roll 2\r\n");
    let file = house.path().join(file);
    hide(&file);
    let received = office(house.folder.path()).receive(&raw, at(20));
    assert!(received.is_err(), "{received:?}");
    show(&file);
    house.receive(&raw);
    assert_eq!(house.said(), ["roll 2"]);
}

#[test]
fn i3_a_letter_waits_while_the_secrets_cannot_be_read() {
    is_played_later("host.yaml");
}

#[test]
fn i3_a_letter_waits_while_the_log_cannot_be_read() {
    is_played_later("log.yaml");
}

/// What is wrong with one game keeps nobody else from his answer.
#[test]
fn a_stranger_is_answered_while_a_game_cannot_be_read() {
    let house = House::opened();
    hide(&house.path().join("host.yaml"));
    let raw = b"From: pippin@shire.example\r\nTo: box@play.example\r\nMessage-ID: <1@shire.example>\r\n\r\nhello\r\n";
    let came = office(house.folder.path()).receive(raw, at(20)).unwrap();
    assert!(matches!(came, Handled::Astray { letter: Some(_), .. }), "{came:?}");
}

/// A log of which only a look at its folder could say whether it is there: the game is not passed over in silence.
#[test]
fn a_game_whose_log_cannot_be_looked_at_is_listed() {
    let house = House::opened();
    let log = house.path().join("log.yaml");
    fs::remove_file(&log).unwrap();
    symlink(&log, &log).unwrap();
    assert_eq!(house.office.games().unwrap(), ["g7"]);
}

/// A letter that was sent is not put into the outbox again because the shelf of the sent ones cannot be looked at.
#[test]
fn i3_a_letter_is_not_written_again_while_its_shelf_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let outbox = Outbox::open(folder.path()).unwrap();
    let sent = folder.path().join("sent/a@host.eml");
    symlink(&sent, &sent).unwrap();
    assert!(outbox.put_all([("a@host.eml".to_owned(), b"a letter".to_vec())]).is_err());
    assert!(outbox.waiting().unwrap().is_empty());
    assert!(outbox.shelf("a@host.eml").is_err());
    fs::remove_file(&sent).unwrap();
    outbox.put_all([("a@host.eml".to_owned(), b"a letter".to_vec())]).unwrap();
    assert_eq!(outbox.shelf("a@host.eml").unwrap(), Some(Shelf::Outbox));
}

/// An outage is not forgotten, and so no deadline lapses in it, because its file cannot be read now.
#[test]
fn s6_an_outage_is_not_forgotten_while_it_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let counter = Drawer::from(folder.path());
    outage::attend(&counter, at(0)).unwrap();
    let served = folder.path().join(outage::SERVED);
    hide(&served);
    assert!(outage::attend(&counter, at(180)).is_err());
    show(&served);
    let outage = Outage { gone: at(0), back: at(180) };
    assert_eq!(outage::attend(&counter, at(180)).unwrap(), Clock::Goes(Some(outage)));
}

/// A5: a signature is not found to have no key because the keys cannot be read.
#[test]
fn keys_that_cannot_be_read_are_not_none() {
    let folder = tempfile::tempdir().unwrap();
    let keys = folder.path().join("keys");
    assert_eq!(KeyArchive::read(folder.path(), "keys").unwrap(), KeyArchive::default());
    symlink(&keys, &keys).unwrap();
    assert!(KeyArchive::read(folder.path(), "keys").is_err());
}

/// What one sentence costs the disk, at a desk that is open: the letter is kept and noted, its entry added, the answer
/// and a report to the other seat put out, and all the rest noted at once. More than this is a sync that protects
/// nothing.
#[test]
fn i3_a_letter_of_one_sentence_is_synced_no_more_than_it_must_be() {
    let mut house = House::opened();
    let (player, _) = house.asked();
    let letter = house.newest(player);
    let first = house.answer_to(&letter, player, "standing\r\n");
    let raw = house.answer_to(&letter, player, "roll 2\r\n");
    let enough = |doings: &u32| {
        let copy = house.copy();
        let mut sitting = copy.office.sit();
        sitting.receive(&first, at(20)).unwrap();
        mishap::after(*doings);
        let received = sitting.receive(&raw, at(21));
        !mishap::has_struck() && received.is_ok()
    };
    // A new file is written, synced and renamed, and its folder is synced; what is added to a file is written and
    // synced.
    let (kept, noted, entry, answer, report, done) = (4, 2, 2, 4, 4, 2);
    assert_eq!((0..).find(enough), Some(kept + noted + entry + answer + report + done));
}
