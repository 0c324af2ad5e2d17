//! Nobody serves for some days: a player whose time passed meanwhile gets more.

use super::{clock_entries, opened, page, says, schedule, stamp, verifies};
use crate::house::House;
use mail::letter::mailbox::Mailbox;
use mail::wire::carrier::NotCarried;
use post::office::service::{Bulletin, Event, Outside, Part, Service};
use record::entry::body::Silence;
use std::cell::{Cell, RefCell};
use std::sync::mpsc;

/// A service that ticks at these moments; returns what its host is told.
pub fn serves(house: &House, moments: &[&str]) -> Vec<String> {
    let now = Cell::new(stamp("11-24T08:00"));
    let (_events, incoming) = mpsc::channel();
    let clock = || now.get();
    let told = RefCell::new(Vec::new());
    let mut tell = |happening: &Bulletin<'_>| {
        if let Bulletin::Notice(notice) = happening {
            told.borrow_mut().push(notice.subject());
        }
    };
    let host = Mailbox::read("host@play.example");
    let outside = Outside {
        events: incoming,
        jobs: None,
        now: &clock,
        tell: &mut tell,
        sources: [].into(),
        host,
        part: Part::WHOLE,
    };
    let mut service = Service::new(&house.office, outside);
    for moment in moments {
        now.set(stamp(moment));
        service.minute().unwrap();
    }
    drop(service);
    house.send();
    told.into_inner()
}

/// The open question is due on the 27th, and its grace ends that evening; the machine is off for four days.
#[test]
fn nobody_is_late_while_nobody_serves() {
    let mut house = opened(schedule(&[(1, Silence::Forfeit)]));
    let asked = house.asked().0;
    serves(&house, &["11-24T08:10", "11-24T08:11", "11-28T12:00", "11-28T13:00"]);
    assert_eq!(clock_entries(&house), Vec::<String>::new());
    let moved = "until: \"2026-11-29T12:00:00Z\"";
    assert_eq!(house.log().matches(moved).count(), 1, "{}", house.log());
    let letter = page(&house.newest(asked)).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        letter.contains("nobody was at the post office from 2026-11-24T08:11:00Z to 2026-11-28T12:00:00Z"),
        "{letter}"
    );
    // After another restart it is still the same outage, and the player has been told in time.
    serves(&house, &["11-28T13:30", "11-29T10:00"]);
    assert_eq!(house.log().matches(moved).count(), 1);
    verifies(&house);
    let said = house.asked().1;
    assert_eq!(says(&mut house, asked, &said, "11-29T11:00").len(), 1);
    assert_eq!(clock_entries(&house), Vec::<String>::new());
}

#[test]
fn who_is_silent_after_an_outage_is_late_as_ever() {
    let house = opened(schedule(&[(1, Silence::Wait)]));
    serves(&house, &["11-24T08:10", "11-28T12:00"]);
    // The service continues, every hour.
    let moments: Vec<String> = (13..71).map(|hour| format!("11-{:02}T{:02}:00", 28 + hour / 24, hour % 24)).collect();
    serves(&house, &moments.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(house.log().matches("what: \"deadline\"").count(), 1);
    assert!(clock_entries(&house).iter().any(|entry| entry.contains(" lapsed ")), "{:?}", clock_entries(&house));
    verifies(&house);
}

/// For six seconds the clock shows a day ten days ahead.
#[test]
fn no_deadline_is_moved_by_a_clock_that_jumps_back_again() {
    let house = opened(schedule(&[(1, Silence::Forfeit)]));
    serves(&house, &["11-24T08:10", "12-04T08:10", "11-24T08:11", "11-24T08:12"]);
    assert_eq!(clock_entries(&house), Vec::<String>::new());
    assert!(!house.log().contains("what: \"deadline\""), "{}", house.log());
    verifies(&house);
}

/// If the post office is off every night, the nights are no outages: otherwise each of them would move the deadline
/// again.
#[test]
fn who_is_silent_is_late_although_the_machine_is_off_at_night() {
    let house = opened(schedule(&[(1, Silence::Wait)]));
    let moments: Vec<String> =
        (24..30).flat_map(|day| (7..23).map(move |hour| format!("11-{day}T{hour:02}:00"))).collect();
    serves(&house, &moments.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(clock_entries(&house).iter().any(|entry| entry.contains(" lapsed ")), "{}", house.log());
    verifies(&house);
}

#[test]
fn nobody_is_late_while_no_letter_can_be_sent() {
    let house = House::changed(|charter| charter.schedule = Some(schedule(&[(1, Silence::Forfeit)])));
    house.office.desk("g7").unwrap().report(super::house::at(1)).unwrap();
    let now = Cell::new(stamp("11-24T08:10"));
    let (events, incoming) = mpsc::channel();
    let (jobs, _waiting) = mpsc::channel();
    let clock = || now.get();
    let mut tell = |happening: &Bulletin<'_>| {
        if let Bulletin::NoService { .. } = happening {
            now.set(stamp("11-29T12:00"));
        }
    };
    let outside = Outside {
        events: incoming,
        jobs: Some(jobs),
        now: &clock,
        tell: &mut tell,
        sources: [].into(),
        host: None,
        part: Part::WHOLE,
    };
    let mut service = Service::new(&house.office, outside);
    let no_service = || Event::Carried(Err(NotCarried::NoService { reason: "the server is on holiday".to_owned() }));
    for event in [Event::Tick, no_service(), Event::Tick, Event::Tick, Event::Stop] {
        events.send(event).unwrap();
    }
    drop(events);
    service.run().unwrap();
    assert_eq!(now.get(), stamp("11-29T12:00"), "a letter was tried");
    assert_eq!(clock_entries(&house), Vec::<String>::new());
    assert!(!house.log().contains("what: \"deadline\""));
}
