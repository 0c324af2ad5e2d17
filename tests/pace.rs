//! The pace of a recorded game: letters a turn, and who waited for whom.

use ringmail::engine::chance::Practice;
use ringmail::engine::need::Need;
use ringmail::engine::seat::Seat;
use ringmail::record::charter::{Charter, CharterSeat};
use ringmail::record::hash::{Hex, sha256};
use ringmail::record::reading::read_through;
use ringmail::record::secrets::{Secrets, Tip};
use ringmail::record::stamp::Stamp;
use ringmail::record::table::{Joining, Table};
use ringmail::report::pace::Pace;
use ringmail::titles;
use std::ops::ControlFlow;
use std::path::Path;

fn at(minute: u32) -> Stamp {
    Stamp::parse(&format!("2026-11-24T{:02}:{:02}:00Z", minute / 60, minute % 60)).unwrap()
}

/// A game of War of the Ring, an answer a minute from keyboards.
fn recorded(folder: &Path, sentences: u32) -> Table {
    let seat = |player: &str| CharterSeat { player: player.to_string(), ..CharterSeat::default() };
    let charter = Charter {
        name: "g1".to_string(),
        title: "wotr".to_string(),
        seats: vec![seat("Anna"), seat("Boris")],
        ..Charter::default()
    };
    let hash = |what: &str| sha256(what.as_bytes());
    let chains = vec![Tip { links: 4096, tip: hash("tip") }];
    let (root, token_key) = (hash("root"), hash("token"));
    let secrets = Secrets {
        format: 1,
        game: Hex([7; 16]),
        root,
        host_key: None,
        token_key,
        chains,
        seats: Vec::new(),
        orders: Vec::new(),
    };
    let mut table = Table::create(folder, &charter, secrets, at(0), titles::by_id).unwrap();
    for seat in [Seat::at(0), Seat::at(1)] {
        table.join(seat, &Joining::default(), None, at(0)).unwrap();
    }
    table.start(at(0)).unwrap();
    let mut chance = Practice::new(3);
    for minute in 1..=sentences {
        let Need::Question(question) = table.fold().game().need() else { break };
        let line = table.fold().game().copy().say_anything(&mut chance, table.fold().faces()).sentence;
        table.say(question.seat, &line, None, None, at(minute)).unwrap();
    }
    table
}

#[test]
fn every_minute_is_waited_for_somebody() {
    let folder = tempfile::tempdir().unwrap();
    let table = recorded(folder.path(), 60);
    let root = table.secrets().root;
    let mut pace = Pace::default();
    let mut sittings = 0;
    let mut last = None;
    read_through(table.log().records().unwrap(), titles::by_id, Some(root), |step| {
        if let Some(question) = step.asked_before.filter(|question| last != Some(question.seat)) {
            sittings += 1;
            last = Some(question.seat);
        }
        pace.note(step);
        ControlFlow::Continue(())
    })
    .unwrap();
    let shares: Vec<_> = pace.turns().iter().flat_map(|turn| turn.shares.iter()).collect();
    assert_eq!(shares.iter().map(|share| share.waited).sum::<u64>(), 60 * 60);
    assert_eq!(shares.iter().map(|share| share.letters).sum::<u32>(), sittings);
    assert_eq!(pace.turns()[0].turn, "turn 1");
    assert!(shares.iter().all(|share| share.orders == 0));
}
