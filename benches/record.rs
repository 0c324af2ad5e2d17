//! How fast a log is read: the chain alone, the chain with the strict reading and re-emission of every record, and a
//! whole verification of games of Risk.

#[path = "../tests/house/mod.rs"]
mod house;
#[path = "../tests/record_game/mod.rs"]
#[allow(dead_code, reason = "the bench uses its part")]
mod record_game;
#[path = "../tests/tiny_title/mod.rs"]
#[allow(dead_code, reason = "the bench uses its part")]
mod tiny_title;

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use ground::hash::{Hash, sha256};
use ground::stamp::Stamp;
use record::canon::emit::Emitter;
use record::charter::Charter;
use record::entry::body::{Auth, Consequence, Dice, Opening, Roll, Say, Via};
use record::entry::{Body, Entry};
use record::file::stream::Records;
use record::verify::{Errors, Wanted, verify};

fn main() {
    divan::main();
}

const RECORDS: u64 = 20_000;

/// A log of ordinary answers, most with a roll, some with a card shown.
fn log() -> Vec<u8> {
    let mut log = Vec::new();
    let mut prev = Hash::ZERO;
    for seq in 0..RECORDS {
        let some = sha256(&seq.to_be_bytes());
        let number = u32::try_from(2 * seq + 1).expect("a small number");
        let dice = |throw, label: &'static str| Dice { throw, label: label.into(), sides: 6, faces: vec![6, 2, 1] };
        let roll = Roll {
            link: some,
            dice: vec![dice(number, "attacker"), dice(number + 1, "defender")],
            draws: vec![],
            shuffles: vec![],
        };
        let opening =
            Opening { deck: "adventure".into(), epoch: None, pos: 7, card: "mithril-coat".into(), salt: some };
        let entry = Entry {
            seq,
            prev,
            at: Stamp::parse("2026-11-24T07:12:09Z").expect("a real second"),
            seat: "green".into(),
            via: Some(Via::letter(some, seq, Auth::Token)),
            books: Some(some),
            body: Body::Say(Say { said: "attack osgiliath from south-ithilien with 5 battalions".into(), line: None }),
            outcome: Some(Consequence {
                open: if seq % 8 == 0 { vec![opening] } else { vec![] },
                roll: (seq % 4 != 0).then_some(roll),
                changed: vec!["osgiliath: green 3".into(), "south-ithilien: black 4".into()],
            }),
            digest: (seq % 64 == 0).then_some(some),
        };
        let text = entry.to_text();
        prev = sha256(text.as_bytes());
        log.extend_from_slice(text.as_bytes());
    }
    log
}

#[divan::bench]
fn chain(bencher: Bencher) {
    let log = log();
    bencher.counter(BytesCount::new(log.len())).counter(ItemsCount::new(RECORDS)).bench(|| {
        let mut records = Records::new(log.as_slice());
        let mut head = Hash::ZERO;
        while let Some(record) = records.next().expect("the log is whole") {
            head = sha256(record.bytes);
        }
        head
    });
}

#[divan::bench]
fn canonical_read_and_chain(bencher: Bencher) {
    let log = log();
    bencher.counter(BytesCount::new(log.len())).counter(ItemsCount::new(RECORDS)).bench(|| {
        let mut records = Records::new(log.as_slice());
        let mut emitter = Emitter::default();
        let mut head = Hash::ZERO;
        while let Some(record) = records.next().expect("the log is whole") {
            let entry = Entry::read(black_box(record.bytes)).expect("the record is whole");
            assert_eq!(entry.prev, head);
            entry.check_canonical(record.bytes, &mut emitter).expect("the record is canonical");
            head = sha256(record.bytes);
        }
        head
    });
}

/// A whole game of Risk, played at random, verified with every level. Standard games are the long ones.
#[divan::bench(args = ["2 individual", "3 individual", "4 individual", "3 standard"])]
fn verify_risk(bencher: Bencher, table: &str) {
    let (players, variant) = table.split_once(' ').expect("how many play, and what");
    let players = players.parse().expect("a number");
    verified(bencher, &record_game::charter_of("risk", players, &[("variant", variant)]));
}

/// A game of War of the Ring, played at random, verified with every level.
#[divan::bench]
fn verify_wotr(bencher: Bencher) {
    verified(bencher, &record_game::charter_of("wotr", 2, &[]));
}

fn verified(bencher: Bencher, charter: &Charter) {
    let folder = tempfile::tempdir().expect("a folder for the game");
    let mut game = record_game::Game::start_by(folder.path(), charter, 31);
    game.play_on(31);
    game.finish();
    let log = game.log();
    let records = game.table.fold().head().seq + 1;
    bencher.counter(BytesCount::new(log.len())).counter(ItemsCount::new(records)).bench(|| {
        let progress = &mut |_| {};
        let wanted = Wanted {
            file: "log.yaml".to_string(),
            titles: tiny_title::TITLES,
            errors: Errors::First,
            seen: Vec::new(),
            progress,
        };
        let report = verify(black_box(log.as_slice()), wanted).expect("the log is read from memory");
        assert!(report.is_ok(), "{report}");
    });
}
