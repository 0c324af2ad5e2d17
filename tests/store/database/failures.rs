//! A database that fails: connections break, the server restarts, or is not there.

use super::super::promises::record;
use super::{KEY, Office};
use crate::servers::postgres::Database;
use database::Postgres;
use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use store::Store;
use store::home::{Begin, Home, LetterWaiting, Shared};

/// Appends the next record under the lock, like the desk of a game. Returns its number if it was certainly written.
fn play(store: &Store) -> io::Result<u64> {
    let drawer = store.drawer("shire");
    let _lock = drawer.lock("game.lock", Duration::from_secs(60))?;
    let mut log = drawer.appender("log.yaml", Begin::There)?;
    let seq = log.length()? / record(100).len() as u64;
    drawer.put("outbox", &[(&format!("{seq}.eml"), b"letter")])?;
    log.append(record(100 + seq).as_bytes())?;
    log.sync()?;
    Ok(seq)
}

/// The number of records in the log; checks that they are in order.
fn played(store: &Store) -> usize {
    let log = String::from_utf8(store.drawer("shire").read("log.yaml").unwrap()).unwrap();
    let count = log.len() / record(100).len();
    let expected: String = (0..count).map(|seq| record(100 + seq as u64)).collect();
    assert_eq!(log, expected);
    count
}

fn begun(store: &Store) {
    store.drawer("shire").make().unwrap();
    drop(store.drawer("shire").appender("log.yaml", Begin::Openly).unwrap());
}

#[test]
fn connections_of_two_workers_end_at_any_statement() {
    let Some(office) = Office::new() else { return };
    let url = office.database.url_with(&format!("sslmode=disable&application_name={}", office.name));
    // A lease that its worker does not know about soon ends.
    let worker = || Postgres::open_with(&url, &KEY, &office.name, Duration::from_millis(200)).unwrap();
    let stores = [worker(), worker()].map(|home| Store::at(Arc::new(home)));
    begun(&stores[0]);
    let (is_over, sure) = (AtomicBool::new(false), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut client = office.client();
            let end = "select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name = $1";
            let mut pause = 0;
            while !is_over.load(Ordering::Relaxed) {
                client.query(end, &[&office.name]).unwrap();
                pause = (pause + 7) % 23;
                thread::sleep(Duration::from_micros(2000 + 800 * pause));
            }
        });
        let workers = stores.each_ref().map(|store| {
            scope.spawn(|| {
                while sure.lock().unwrap().len() < 40 {
                    match play(store) {
                        Ok(seq) => sure.lock().unwrap().push(seq),
                        Err(error) => {
                            let wrong = [ErrorKind::NotFound, ErrorKind::AlreadyExists];
                            assert!(!wrong.contains(&error.kind()), "{error}");
                        }
                    }
                }
            })
        });
        let ended = workers.map(|worker| worker.join());
        is_over.store(true, Ordering::Relaxed);
        assert!(ended.iter().all(Result::is_ok));
    });
    // No certainly written record is missing, and none exists twice.
    let sure = sure.into_inner().unwrap();
    let different: BTreeSet<u64> = sure.iter().copied().collect();
    let count = played(&stores[0]) as u64;
    assert!(different.len() == sure.len() && different.last().is_some_and(|last| *last < count), "{sure:?} {count}");
    assert!((0..3).any(|_| play(&stores[1]).is_ok()));
}

#[test]
fn the_server_is_begun_anew_and_then_gone() {
    let Some(database) = Database::start() else { return };
    let home = Arc::new(Postgres::open(&database.url(), &KEY, "office").unwrap());
    let store = Store::at(home.clone());
    begun(&store);
    for mode in ["fast", "immediate"] {
        let seq = play(&store).unwrap();
        database.restart(mode);
        // Reads are repeated by themselves; failed writes are repeated by the caller.
        assert_eq!(played(&store) as u64, seq + 1);
        assert!((0..3).any(|_| play(&store).is_ok()));
        assert_eq!(played(&store) as u64, seq + 2);
    }
    let lock = home.lock("shire", "game.lock", Duration::ZERO).unwrap();
    let mut appender = home.appender("shire", "log.yaml", Begin::There).unwrap();
    database.end();
    let letter = LetterWaiting { name: String::new(), raw: Vec::new(), is_old: false, game: None };
    let drawer = store.drawer("shire");
    let results = [
        drawer.read("log.yaml").map(drop),
        drawer.read_if_there("none").map(drop),
        drawer.has("none").map(drop),
        drawer.stream("log.yaml", 0).map(drop),
        drawer.list("").map(drop),
        drawer.is_there().map(drop),
        drawer.make(),
        drawer.replace("host.yaml", b""),
        drawer.put("outbox", &[("a.eml", b"a")]),
        drawer.create("host.yaml", b""),
        drawer.rename("host.yaml", "other"),
        drawer.remove("host.yaml"),
        drawer.remove_folder("outbox"),
        drawer.appender("log.yaml", Begin::There).map(drop),
        drawer.lock("sending", Duration::from_secs(60)).map(drop),
        appender.append(b"a"),
        appender.truncate(0),
        store.drawers().map(drop),
        store.drawers_with("log.yaml").map(drop),
        store.survey("next-tick", ["log.yaml", "post.yaml"]).map(drop),
        store.everywhere("outbox").map(drop),
        home.hand_in(&letter),
        home.take().map(drop),
        home.received(1),
        home.put_off(1, Duration::ZERO),
        home.queue_in().map(drop),
    ];
    for (number, result) in results.into_iter().enumerate() {
        let error = result.expect_err(&number.to_string());
        let is_gone = [ErrorKind::NotConnected, ErrorKind::ConnectionAborted].contains(&error.kind());
        assert!(is_gone && error.to_string().contains("postgres://"), "{number}: {error}");
    }
    drop(lock);
}
