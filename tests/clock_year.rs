/*! The clock over a year: three players around the globe, holidays, changed clocks, missed deadlines; and the effect
of a crash at any write, of a second tick, and of a second process.
*/

use crate::house::{charter, copy_all, fates, field, files, office, secrets, table};
use crate::tiny_title::TITLES;
use engine::chance::{Chance, Practice};
use engine::need::Need;
use engine::seat::Seat;
use ground::disk::mishap;
use ground::span::Span;
use ground::stamp::Stamp;
use jiff::civil::{Time, Weekday};
use post::desk::Desk;
use post::desk::tick::Ticked;
use post::office::tick::tick;
use post::office::{Handled as Came, Office, Sitting};
use record::charter::schedule::{CharterSchedule, CharterSilence};
use record::charter::{Charter, CharterSeat};
use record::entry::body::{Silence, Weekday as Off};
use record::fold::clock::Countdown;
use record::verify::{Errors, Wanted, verify};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const PLAYERS: [(&str, &str, &str); 3] = [
    ("gollum@cave.example", "Gollum", "Pacific/Auckland"),
    ("bilbo@shire.example", "Bilbo", "Europe/Berlin"),
    ("bard@dale.example", "Bard", "America/New_York"),
];

const PLAYERS_WORDS: [&str; 3] = ["green", "black", "red"];

fn stamp(text: &str) -> Stamp {
    Stamp::parse(text).expect("a second")
}

fn schedule() -> CharterSchedule {
    CharterSchedule {
        answer: "2d".to_owned(),
        days_off: vec![Off::Saturday, Off::Sunday],
        holidays: vec!["2026-12-24..2026-12-26".to_owned(), "2027-04-02".to_owned()],
        quiet: Some("22:00-08:00".to_owned()),
        grace: Some("6h".to_owned()),
        remind: vec!["1d".to_owned(), "3h".to_owned()],
        silence: vec![
            CharterSilence { misses: 1, then: Silence::Wait },
            CharterSilence { misses: 2, then: Silence::Default },
            CharterSilence { misses: 4, then: Silence::Bot },
        ],
        extensions: Some(5),
        extension: Some("3d".to_owned()),
        zone: None,
    }
}

/// A game of three that starts on the first of November, 2026; its first letters are written.
fn started(folder: &Path) {
    let seat = |(address, player, zone): &(&str, &str, &str)| CharterSeat {
        zone: Some((*zone).to_owned()),
        ..charter::writer(player, address)
    };
    let charter = Charter {
        options: charter::options(&[("turns", "2000")]),
        seats: PLAYERS.iter().map(seat).collect(),
        schedule: Some(schedule()),
        ..charter::riddles()
    };
    let at = stamp("2026-11-01T12:00:00Z");
    drop(table::started(&folder.join("g7"), &charter, secrets::usual(), at, table::nothing));
}

/// Everything in a folder except caches.
fn state(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let inside = |path: PathBuf| path.strip_prefix(folder).unwrap().to_owned();
    let files = files(folder).into_iter().map(|(path, bytes)| (inside(path), bytes));
    files.filter(|(path, _)| !path.ends_with("next-tick") && !path.ends_with("host.yaml")).collect()
}

/// The newest letter to a player.
fn newest(desk: &Desk, address: &str) -> String {
    let out = desk.book.letters_out().rev().find(|out| out.to == address).unwrap();
    let shelf = desk.outbox.shelf(&out.letter).unwrap().unwrap();
    String::from_utf8(desk.outbox.read(shelf, &out.letter).unwrap()).unwrap()
}

struct Year<'a> {
    sitting: Sitting<'a>,
    now: Stamp,
    chance: Practice,
    letters: u32,
    dues: Vec<Stamp>,
}

impl Year<'_> {
    fn ticks(&mut self) -> Ticked {
        let outcomes = tick(&mut self.sitting, self.now).unwrap();
        outcomes.into_iter().next().expect("the desk is open").1.unwrap().ticked
    }

    fn at_desk<T>(&mut self, look: impl FnOnce(&Desk) -> T) -> T {
        self.sitting.at_desk("g7", self.now, |desk| Ok(look(desk))).unwrap()
    }

    /// A player writes an answer to his newest letter.
    fn writes(&mut self, seat: Seat, lines: &str) -> Vec<String> {
        self.letters += 1;
        let address = PLAYERS[seat.index()].0;
        let letter = self.at_desk(|desk| newest(desk, address));
        let raw = format!(
            "From: {address}\r\nTo: {}\r\nSubject: Re: {}\r\nIn-Reply-To: {}\r\nMessage-ID: <{}@mail.example>\r\n\r\n\
             {lines}\r\n",
            field(&letter, "Reply-To"),
            field(&letter, "Subject"),
            field(&letter, "Message-ID"),
            self.letters,
        );
        let Came::Desk { received, .. } = self.sitting.receive(raw.as_bytes(), self.now).unwrap() else {
            panic!("not at the desk")
        };
        fates(&received)
    }

    /// What holds for every deadline, at any time of the year: it is in daytime, on a day that counts, and still to
    /// come.
    fn look_at_the_deadline(&mut self) {
        let now = self.now;
        let due = self.at_desk(|desk| {
            let fold = desk.table.fold();
            let Some(Countdown::Until { due, closing }) = fold.countdown() else { return None };
            let calendar = fold.calendar_of(fold.clock().open().unwrap()).unwrap();
            for civil in [due, closing].map(|moment| calendar.zone.civil(moment)) {
                let (morning, evening) = (Time::constant(8, 0, 0, 0), Time::constant(22, 0, 0, 0));
                assert!(morning <= civil.time() && civil.time() <= evening, "{civil}");
                assert!(!matches!(civil.weekday(), Weekday::Saturday | Weekday::Sunday), "{civil}");
                assert!(!calendar.is_off(civil.date()), "{civil}");
            }
            assert!(due <= closing && closing > now, "{due} {closing} {now}");
            Some(due)
        });
        if self.dues.last() != due.as_ref() {
            self.dues.extend(due);
        }
    }

    /// Some hours later, or at the next event if that is earlier: what the players do then.
    fn goes_on(&mut self, asked: Seat, next: Stamp) {
        let hours = i64::from(self.chance.below(60));
        self.now = self.now.later(Span::hours(hours)).min(next.max(self.now.later(Span::hours(1))));
        match self.chance.below(40) {
            0..=17 if self.now < next => drop(self.writes(asked, "roll 1")),
            18 => drop(self.writes(asked, "extend 1d")),
            19 => {
                let now = self.now;
                let today = self.at_desk(|desk| desk.table.fold().zone(asked).today(now));
                let last = today.checked_add(jiff::Span::new().days(9)).unwrap();
                assert!(self.writes(asked, &format!("absence {today} to {last}"))[0].starts_with("done absence"));
            }
            _ => {}
        }
    }
}

#[test]
fn a_year_of_a_game_on_three_sides_of_the_earth() {
    let folder = tempfile::tempdir().unwrap();
    started(folder.path());
    let office = office(folder.path());
    let (now, chance) = (stamp("2026-11-01T12:00:00Z"), Practice::new(1));
    let mut year = Year { sitting: office.sit(), now, chance, letters: 0, dues: Vec::new() };
    let end = stamp("2027-11-01T00:00:00Z");
    let (mut reminders, mut lapses, mut backs) = (0, 0, 0);
    while year.now < end {
        let ticked = year.ticks();
        let again = Ticked { next: ticked.next, ..Ticked::default() };
        assert_eq!(year.ticks(), again, "the same tick twice is one");
        year.look_at_the_deadline();
        reminders += ticked.letters.iter().filter(|letter| letter.matches('.').count() > 5).count();
        lapses += usize::from(!ticked.entries.is_empty());
        let (asked, bot) = year.at_desk(|desk| {
            let fold = desk.table.fold();
            let Need::Question(question) = fold.need() else { panic!("the game is not over") };
            (question.seat, (0..3).map(Seat::at).find(|seat| fold.clock().bot(*seat).is_some()))
        });
        match bot.filter(|_| year.chance.below(3) == 0) {
            Some(bot) => {
                assert_eq!(year.writes(bot, "back").len(), 1);
                backs += 1;
            }
            None => year.goes_on(asked, ticked.next.expect("something happens next")),
        }
    }
    assert!(reminders > 40 && lapses > 20 && backs > 0, "{reminders} {lapses} {backs}");
    assert!(year.dues.len() > 60, "{}", year.dues.len());
    // No letter exists twice: each has its own name.
    year.at_desk(|desk| {
        let names: BTreeSet<&str> = desk.book.letters_out().map(|out| out.letter.as_str()).collect();
        assert_eq!(names.len(), desk.outbox.waiting().unwrap().len());
    });
    let log = fs::read(folder.path().join("g7/log.yaml")).unwrap();
    let wanted = Wanted {
        file: "log.yaml".to_owned(),
        titles: TITLES,
        errors: Errors::All,
        seen: Vec::new(),
        progress: &mut |_| {},
    };
    let report = verify(&log[..], wanted).unwrap();
    assert!(report.is_ok(), "{report}");
}

/// The ticks of a fortnight in which black never answers, each at a house that a crash may have hit.
const FORTNIGHT: [&str; 5] = [
    "2026-11-03T12:00:00Z",
    "2026-11-04T12:30:00Z",
    "2026-11-05T12:00:00Z",
    "2026-11-10T12:00:00Z",
    "2026-11-16T12:00:00Z",
];

fn fortnight(office: &Office, from: usize) {
    for at in &FORTNIGHT[from..] {
        let mut sitting = office.sit();
        for (_, ticked) in tick(&mut sitting, stamp(at)).unwrap() {
            ticked.unwrap();
        }
    }
}

#[test]
fn i3_a_crash_at_any_write_of_a_tick_loses_and_doubles_nothing() {
    let start = tempfile::tempdir().unwrap();
    started(start.path());
    office(start.path()).desk("g7").unwrap().report(stamp("2026-11-01T12:00:00Z")).unwrap();
    let whole = tempfile::tempdir().unwrap();
    copy_all(start.path(), whole.path());
    fortnight(&office(whole.path()), 0);
    let expected = state(whole.path());
    let mut crashes = 0;
    let before = tempfile::tempdir().unwrap();
    copy_all(start.path(), before.path());
    for (number, at) in FORTNIGHT.iter().enumerate() {
        for doings in 0.. {
            let crashed = tempfile::tempdir().unwrap();
            copy_all(before.path(), crashed.path());
            let office = office(crashed.path());
            mishap::after(doings);
            let stopped = tick(&mut office.sit(), stamp(at));
            if !mishap::has_struck() {
                break;
            }
            crashes += 1;
            drop(stopped);
            fortnight(&office, number);
            let found = state(crashed.path());
            let names = |state: &BTreeMap<PathBuf, Vec<u8>>| {
                let letters = state.keys().filter(|path| path.extension().is_some_and(|ending| ending == "eml"));
                letters.cloned().collect::<Vec<PathBuf>>()
            };
            assert_eq!(found[Path::new("g7/log.yaml")], expected[Path::new("g7/log.yaml")], "{at}, after {doings}");
            assert_eq!(names(&found), names(&expected), "{at}, after {doings}");
            let is_letter = |path: &Path| path.extension().is_some_and(|ending| ending == "eml");
            for (path, bytes) in expected.iter().filter(|(path, _)| is_letter(path)) {
                assert_eq!(
                    String::from_utf8_lossy(&found[path]),
                    String::from_utf8_lossy(bytes),
                    "{at}, after {doings}"
                );
            }
        }
        for (_, ticked) in tick(&mut office(before.path()).sit(), stamp(at)).unwrap() {
            ticked.unwrap();
        }
    }
    assert!(crashes > 30, "{crashes}");
}

#[test]
fn two_processes_on_one_folder_do_everything_once() {
    let folder = tempfile::tempdir().unwrap();
    started(folder.path());
    let (one, other) = (office(folder.path()), office(folder.path()));
    one.desk("g7").unwrap().report(stamp("2026-11-01T12:00:00Z")).unwrap();
    let at = stamp("2026-11-05T12:00:00Z");
    let mut sitting = one.sit();
    let first = tick(&mut sitting, at).unwrap();
    assert!(first[0].1.as_ref().is_ok_and(|looked| looked.ticked.entries.len() == 1));
    // The first process still has the desk; nothing is due for the other, and later it finds the game busy.
    assert!(tick(&mut other.sit(), at).unwrap().is_empty());
    let busy = tick(&mut other.sit(), stamp("2026-11-12T12:00:00Z")).unwrap();
    assert!(busy[0].1.as_ref().is_err_and(|error| format!("{error:?}").contains("Busy")), "{busy:?}");
    drop(sitting);
    assert!(tick(&mut other.sit(), at).unwrap().is_empty());
    let second = tick(&mut other.sit(), stamp("2026-11-12T12:00:00Z")).unwrap();
    assert!(second[0].1.as_ref().is_ok_and(|looked| !looked.ticked.entries.is_empty()), "{second:?}");
}

#[test]
fn i3_a_crash_while_a_letter_about_time_is_read_does_everything_once() {
    let start = tempfile::tempdir().unwrap();
    started(start.path());
    let at = stamp("2026-11-02T12:00:00Z");
    let desk = office(start.path()).desk("g7").map(|mut desk| desk.report(at).map(|_| desk)).unwrap().unwrap();
    let Need::Question(question) = desk.table.fold().need() else { panic!("a question is asked") };
    let address = PLAYERS[question.seat.index()].0;
    let letter = newest(&desk, address);
    drop(desk);
    let lines = ["absence 2026-11-10 to 2026-11-12", "extend 1d", "zone Asia/Tokyo", "digest daily 7:00", "roll 1"];
    let lines = lines.join("\r\n");
    let raw = format!(
        "From: {address}\r\nTo: {}\r\nSubject: Re: {}\r\nIn-Reply-To: {}\r\nMessage-ID: <1@mail.example>\r\n\r\n\
         {lines}\r\n",
        field(&letter, "Reply-To"),
        field(&letter, "Subject"),
        field(&letter, "Message-ID"),
    );
    let whole = tempfile::tempdir().unwrap();
    copy_all(start.path(), whole.path());
    let Came::Desk { received, .. } = office(whole.path()).receive(raw.as_bytes(), at).unwrap() else { panic!() };
    assert!(fates(&received).iter().all(|fate| fate.starts_with("done ")), "{received:?}");
    let expected = state(whole.path());
    let is_book = |path: &Path| path.ends_with("post.yaml");
    for doings in 0.. {
        let crashed = tempfile::tempdir().unwrap();
        copy_all(start.path(), crashed.path());
        mishap::after(doings);
        let stopped = office(crashed.path()).receive(raw.as_bytes(), at);
        if !mishap::has_struck() {
            assert!(doings > 20, "{doings}");
            break;
        }
        drop(stopped);
        office(crashed.path()).receive(raw.as_bytes(), at).unwrap();
        let found = state(crashed.path());
        for (path, bytes) in expected.iter().filter(|(path, _)| !is_book(path)) {
            let found = found.get(path).unwrap_or_else(|| panic!("{} after {doings}", path.display()));
            assert_eq!(String::from_utf8_lossy(found), String::from_utf8_lossy(bytes), "{}", path.display());
        }
        let settings = office(crashed.path()).desk("g7").unwrap().settings(PLAYERS_WORDS[question.seat.index()]);
        assert_eq!(settings.to_string(), "digest daily 07:00");
    }
}
