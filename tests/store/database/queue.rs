//! The queue of incoming letters, and how workers are woken.

use super::Office;
use crate::servers::until;
use database::Postgres;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;
use store::home::{Home, LetterTaken, LetterWaiting, Shared, Woken};

fn letter(raw: &str, game: Option<&str>) -> LetterWaiting {
    LetterWaiting {
        name: format!("imap: {raw}"),
        raw: raw.as_bytes().to_vec(),
        is_old: raw.starts_with("old"),
        game: game.map(str::to_owned),
    }
}

fn taken(worker: &Postgres) -> Option<String> {
    worker.take().unwrap().map(|taken| String::from_utf8(taken.letter.raw).unwrap())
}

fn take(worker: &Postgres) -> LetterTaken {
    worker.take().unwrap().unwrap()
}

#[test]
fn letters_are_taken_in_their_order_by_one_worker() {
    let Some(office) = Office::new() else { return };
    let (one, other) = (office.worker(), office.worker());
    assert_eq!(one.take().unwrap(), None);
    let letters = [letter("first", None), letter("old second", Some("shire")), letter("third", Some("shire"))];
    for letter in letters.iter().chain(&letters) {
        one.hand_in(letter).unwrap();
    }
    one.hand_in(&letter("fourth", Some("gondor"))).unwrap();
    let queue = other.queue_in().unwrap();
    assert_eq!((queue.waiting, queue.oldest.is_some()), (4, true));
    let first = take(&other);
    assert_eq!((&first.letter, first.tries), (&letters[0], 0));
    let second = take(&one);
    assert_eq!(second.letter, letters[1]);
    // The third waits behind the second, which belongs to the same game.
    assert_eq!(taken(&other).as_deref(), Some("fourth"));
    assert_eq!(taken(&one), None);
    one.received(second.id).unwrap();
    assert_eq!(take(&other).letter, letters[2]);
    one.received(first.id).unwrap();
    assert_eq!(other.queue_in().unwrap().waiting, 2);
    // A letter that has left the queue may come again.
    one.hand_in(&letters[0]).unwrap();
    assert_eq!(take(&one).letter, letters[0]);
}

/// A letter to a game in which nothing is played until its players have been heard must not hold up their letters.
#[test]
fn a_letter_that_is_put_behind_holds_nothing_up() {
    let Some(office) = Office::new() else { return };
    let worker = office.worker();
    for raw in ["answer", "other answer", "forwarded"] {
        worker.hand_in(&letter(raw, Some("shire"))).unwrap();
    }
    for raw in ["answer", "other answer"] {
        let waiting = take(&worker);
        assert_eq!(waiting.letter.raw, raw.as_bytes());
        worker.put_behind(waiting.id, Duration::ZERO).unwrap();
    }
    let forwarded = take(&worker);
    assert_eq!(forwarded.letter.raw, b"forwarded");
    worker.received(forwarded.id).unwrap();
    assert_eq!(taken(&worker).as_deref(), Some("answer"));
}

#[test]
fn a_letter_that_is_put_off_holds_its_game_up() {
    let Some(office) = Office::new() else { return };
    let worker = office.worker();
    for (raw, game) in [("one", Some("shire")), ("two", Some("shire")), ("three", None)] {
        worker.hand_in(&letter(raw, game)).unwrap();
    }
    let first = take(&worker);
    worker.put_off(first.id, Duration::from_secs(3600)).unwrap();
    assert_eq!(taken(&worker).as_deref(), Some("three"));
    assert_eq!(taken(&worker), None);
    office.tell("update letter_in set ready = clock_timestamp() where epoch = 0");
    let again = take(&worker);
    // Its fate was reported, so the try does not count.
    assert_eq!((again.id, again.tries), (first.id, 0));
    worker.put_off(again.id, Duration::ZERO).unwrap();
    assert_eq!(take(&worker).id, first.id);
    worker.received(first.id).unwrap();
    assert_eq!(taken(&worker).as_deref(), Some("two"));
}

#[test]
fn a_letter_of_a_dead_worker_is_taken_again() {
    let Some(office) = Office::new() else { return };
    let lease = Duration::from_millis(300);
    let (one, other) = (office.worker_with(lease), office.worker_with(lease));
    one.hand_in(&letter("letter", None)).unwrap();
    let first = take(&one);
    // While its worker lives, no other worker gets the letter.
    let mut client = office.client();
    let mut ends = BTreeSet::new();
    until("the letter is held", || {
        let end: std::time::SystemTime = client.query_one("select ready from letter_in", &[]).unwrap().get(0);
        ends.insert(end);
        ends.len() > 5
    });
    assert_eq!(other.take().unwrap(), None);
    // A worker that drops its store counts as dead.
    drop(one);
    let mut again = None;
    until("it is taken again", || {
        again = other.take().unwrap();
        again.is_some()
    });
    let again = again.unwrap();
    assert_eq!((again.id, again.letter, again.tries), (first.id, first.letter, 1));
}

#[test]
fn every_letter_is_taken_once() {
    let Some(office) = Office::new() else { return };
    let workers: Vec<_> = (0..3).map(|_| office.worker()).collect();
    for number in 0..60 {
        let game = (number % 3 > 0).then(|| format!("game-{}", number % 7));
        workers[0].hand_in(&letter(&format!("{number:02}"), game.as_deref())).unwrap();
    }
    let taken = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for worker in &workers {
            scope.spawn(|| {
                while worker.queue_in().unwrap().waiting > 0 {
                    if let Some(letter) = worker.take().unwrap() {
                        taken.lock().unwrap().push(letter.letter.clone());
                        worker.received(letter.id).unwrap();
                    }
                }
            });
        }
    });
    let taken = taken.into_inner().unwrap();
    assert_eq!(taken.len(), 60);
    for game in (0..7).map(|game| format!("game-{game}")) {
        let of_game: Vec<_> = taken.iter().filter(|letter| letter.game.as_ref() == Some(&game)).collect();
        assert!(of_game.is_sorted_by_key(|letter| &letter.raw), "{game}");
    }
}

/// Reads what a worker is told, until it is `expected`.
#[track_caller]
fn until_woken(woken: &mpsc::Receiver<Woken>, expected: &Woken) {
    while woken.recv_timeout(Duration::from_secs(60)).unwrap() != *expected {}
}

#[test]
fn workers_are_woken() {
    let Some(office) = Office::new() else { return };
    let (one, other) = (office.worker(), office.worker());
    let (into, woken) = mpsc::channel();
    one.watch(Box::new(move |why| drop(into.send(why)))).unwrap();
    assert_eq!(woken.recv_timeout(Duration::from_secs(60)).unwrap(), Woken::Anything);
    other.hand_in(&letter("letter", None)).unwrap();
    until_woken(&woken, &Woken::LetterIn);
    let put = |worker: &Arc<Postgres>, drawer: &str, folder: &str| {
        worker.put(drawer, folder, &[("a.eml", b"a")], store::home::Care::Synced).unwrap();
    };
    put(&other, "shire", "vault/mail");
    put(&other, "shire", "outbox");
    assert_eq!(woken.recv_timeout(Duration::from_secs(60)).unwrap(), Woken::LetterOut("shire".to_owned()));
    // A worker is also woken by its own actions, and by a letter moved into the outbox.
    put(&one, "white towers", "dead");
    one.rename("white towers", "dead/a.eml", "outbox/a.eml").unwrap();
    until_woken(&woken, &Woken::LetterOut("white towers".to_owned()));
    // A broken connection is opened again, and something may have been missed.
    let ended = "select pg_terminate_backend(pid) from pg_stat_activity where query = $1";
    let listening = format!("listen \"ringmail-{}\"", office.name);
    assert_eq!(office.client().query(ended, &[&listening]).unwrap().len(), 1);
    until_woken(&woken, &Woken::Anything);
    put(&other, "gondor", "outbox");
    until_woken(&woken, &Woken::LetterOut("gondor".to_owned()));
    // A store that no longer exists wakes nobody.
    drop(one);
    until("the thread has ended", || woken.try_recv() == Err(mpsc::TryRecvError::Disconnected));
}
