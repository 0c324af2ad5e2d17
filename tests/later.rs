//! A file that cannot be read means *later*, never *no*: no letter is refused because a disk did not answer.

use crate::house::{House, at, office};
use ground::disk::mishap;
use post::book::outbox::{Outbox, Shelf};
use post::book::vault::KeyArchive;
use post::desk::outage::{self, MachineClock, Outage};
use post::office::Handled;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use store::drawer::Drawer;

/// Replaces a file by something that exists and cannot be read.
fn hide(file: &Path) {
    fs::rename(file, file.with_extension("hidden")).unwrap();
    fs::create_dir(file).unwrap();
}

fn show(file: &Path) {
    fs::remove_dir(file).unwrap();
    fs::rename(file.with_extension("hidden"), file).unwrap();
}

/// A letter to a game with an unreadable file: the answer is not that its token is wrong, nor that there is no such
/// game. When the file can be read again, the letter is played.
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

/// A problem of one game keeps nobody else from an answer.
#[test]
fn a_stranger_is_answered_while_a_game_cannot_be_read() {
    let house = House::opened();
    hide(&house.path().join("host.yaml"));
    let raw = b"From: pippin@shire.example\r\nTo: box@play.example\r\nMessage-ID: <1@shire.example>\r\n\r\nhello\r\n";
    let came = office(house.folder.path()).receive(raw, at(20)).unwrap();
    assert!(matches!(came, Handled::Astray { letter: Some(_), .. }), "{came:?}");
}

/// If only the folder of a log could say whether the log exists, and cannot be read, the game is not skipped silently.
#[test]
fn a_game_whose_log_cannot_be_looked_at_is_listed() {
    let house = House::opened();
    let log = house.path().join("log.yaml");
    fs::remove_file(&log).unwrap();
    symlink(&log, &log).unwrap();
    assert_eq!(house.office.games().unwrap(), ["g7"]);
}

/// A sent letter is not put into the outbox again because the folder of sent letters cannot be read.
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

/// If the file of an outage cannot be read now, the outage is not forgotten, so no deadline lapses in it.
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
    assert_eq!(outage::attend(&counter, at(180)).unwrap(), MachineClock::Goes(Some(outage)));
}

/// A5: unreadable keys do not mean that a signature has no key.
#[test]
fn keys_that_cannot_be_read_are_not_none() {
    let folder = tempfile::tempdir().unwrap();
    let keys = folder.path().join("keys");
    assert_eq!(KeyArchive::read(folder.path(), "keys").unwrap(), KeyArchive::default());
    symlink(&keys, &keys).unwrap();
    assert!(KeyArchive::read(folder.path(), "keys").is_err());
}

/// The disk operations for one sentence at an open desk: the letter is kept and noted, its entry added, the answer
/// and a report to the other seat written, and everything else noted at once. Any more would be a sync that protects
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
    // A new file is written, synced and renamed, and its folder is synced; an addition to a file is written and synced.
    let (kept, noted, entry, answer, report, done) = (4, 2, 2, 4, 4, 2);
    assert_eq!((0..).find(enough), Some(kept + noted + entry + answer + report + done));
}
