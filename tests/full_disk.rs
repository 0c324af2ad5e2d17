//! The service while nothing can be written.

use crate::house::at;
use crate::slow::waiting;
use ground::disk::mishap;
use ground::stamp::Stamp;
use mail::wire::intake::Arrival;
use post::book::Event as Noted;
use post::office::Office;
use post::office::service::{Bulletin, Ended, Event, Job, Outside, Part, Service};
use std::fs::File;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::SystemTime;

/// The disk is full for a while: a letter that a server took meanwhile is not sent again, and other letters of its
/// game wait until that is noted.
#[test]
fn s6_a_letter_that_was_taken_is_not_sent_again_because_that_cannot_be_noted() {
    let house = waiting();
    let names = house.office.waiting(Some("g7")).unwrap();
    assert!(names.len() > 1, "{names:?}");
    let (is_full, count) = (Arc::new(AtomicBool::new(false)), names.len());
    let (events, incoming) = mpsc::channel();
    let (jobs, carried) = mpsc::channel::<Job>();
    let (told, minutes) = mpsc::channel();
    let full = Arc::clone(&is_full);
    let world = thread::spawn(move || {
        minutes.recv().unwrap();
        let does = |event| events.send(event).unwrap();
        let taken = || Event::Carried(Ok("250 taken".to_owned()));
        // A letter is answered after everything before it is done.
        let waits = || {
            let (reply, done) = mpsc::sync_channel(1);
            let (name, raw) = ("letter".to_owned(), b"\r\n".to_vec());
            does(Event::Letter { name, raw, arrival: Arrival::New, reply });
            done.recv().unwrap();
        };
        let mut sent = vec![carried.recv().unwrap().name];
        full.store(true, Ordering::SeqCst);
        does(taken());
        waits();
        does(Event::Tick);
        waits();
        assert!(carried.try_recv().is_err(), "nothing of this game is sent");
        full.store(false, Ordering::SeqCst);
        does(Event::Tick);
        minutes.recv().unwrap();
        for _ in 1..count {
            sent.push(carried.recv().unwrap().name);
            does(taken());
        }
        does(Event::Tick);
        minutes.recv().unwrap();
        waits();
        assert!(carried.try_recv().is_err(), "nothing is sent again");
        does(Event::Stop);
        sent
    });
    let mut tell = |bulletin: &Bulletin<'_>| {
        if matches!(bulletin, Bulletin::Minute(_)) {
            told.send(()).unwrap();
        }
    };
    // The service looks at the clock before everything else.
    let now = || {
        if is_full.load(Ordering::SeqCst) {
            mishap::after(0)
        } else {
            let _ = mishap::has_struck();
        }
        at(20)
    };
    let (host, jobs, part) = (None, Some(jobs), Part::WHOLE);
    let outside = Outside { events: incoming, jobs, now: &now, tell: &mut tell, sources: [].into(), host, part };
    Service::new(&house.office, outside).run().unwrap();
    assert_eq!(world.join().unwrap(), names);
    assert_eq!(house.office.waiting(Some("g7")).unwrap(), Vec::<String>::new());
}

/// A full disk does not end a service that continues with another configuration, just as it would not have ended the
/// one before.
#[test]
fn s6_a_full_disk_does_not_end_a_service_that_reads_its_configuration_anew() {
    let house = waiting();
    let runs = |begin: fn(&'static Office, Outside<'static>) -> Service<'static>| {
        let office: &'static Office = Box::leak(Box::new(house.office.clone()));
        let (events, incoming) = mpsc::channel();
        events.send(Event::Stop).unwrap();
        let now: &'static dyn Fn() -> Stamp = &|| {
            mishap::after(0);
            at(20)
        };
        let (jobs, host, part) = (None, None, Part::WHOLE);
        let tell = Box::leak(Box::new(|_: &Bulletin<'_>| ()));
        let mut service = begin(office, Outside { events: incoming, jobs, now, tell, sources: [].into(), host, part });
        let ended = service.run();
        assert!(mishap::has_struck());
        ended
    };
    assert!(runs(Service::new).is_err(), "it does not begin");
    assert_eq!(runs(|office, outside| Service::after(Vec::new(), office, outside)).unwrap(), Ended::Stopped);
}

/// A letter that its host has held in the outbox for a day is not overdue when a service begins.
#[test]
fn s9_a_letter_that_its_host_holds_is_not_overdue_before_its_turn() {
    for is_held in [false, true] {
        let house = waiting();
        let names = house.office.waiting(Some("g7")).unwrap();
        let mut desk = house.office.desk("g7").unwrap();
        for letter in &names {
            let file = File::options().write(true).open(house.path().join("outbox").join(letter)).unwrap();
            file.set_modified(SystemTime::from(at(0).timestamp())).unwrap();
            if is_held {
                desk.book.append(Noted::Held { at: at(2).to_string(), letter: letter.clone() }).unwrap();
            }
        }
        drop(desk);
        let (_events, incoming) = mpsc::channel();
        let (jobs, _waiting) = mpsc::channel();
        let mut since = None;
        let mut tell = |bulletin: &Bulletin<'_>| {
            if let Bulletin::Minute(minute) = bulletin {
                since = minute.ready_since;
            }
        };
        let (now, host, part) = (|| at(100), None, Part::WHOLE);
        let (sources, jobs) = ([].into(), Some(jobs));
        let outside = Outside { events: incoming, jobs, now: &now, tell: &mut tell, sources, host, part };
        Service::new(&house.office, outside).minute().unwrap();
        assert_eq!(since, Some(if is_held { at(100) } else { at(0) }));
    }
}
