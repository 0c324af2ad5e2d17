//! Letters of whole games: every letter of random games is a page, and tells no seat another's secret.

use crate::house::{charter, secrets, table};
use crate::pages::{is_a_page, stands};
use engine::chance::Practice;
use engine::need::{Answer, Need};
use engine::practice;
use engine::seat::Seat;
use engine::slot::{Card, Faces};
use engine::title::Setup;
use ground::hash::{Hash, sha256};
use ground::stamp::Stamp;
use record::entry::body::{Auth, Via};
use record::file::log::Log;
use record::file::reading::{Followed, read_through};
use record::file::secrets::Secrets;
use record::file::stream::Records;
use record::table::Table;
use report::gazette::{Gazette, Sheet};
use report::letter::{Letter, letter};
use report::occasion::{Setting, Waits, entry_news};
use report::pace::Pace;
use report::{chronicle, from_log, from_table, terminal};
use ringmail::titles;
use risk::{EDITION, position};
use std::ops::ControlFlow;
use std::path::Path;

const PLAYERS: [&str; 4] = ["Anna", "Boris", "Chloé", "Dagný"];

/// A game at a practice table; nobody gets its letters.
struct Evening {
    table: practice::Table,
    setup: Setup,
    players: Vec<String>,
    chance: Practice,
    seq: u64,
}

impl Evening {
    fn begin(players: usize, seed: u64, variant: &str) -> Evening {
        let seats = risk::title::TITLE.seats(players).unwrap().into_iter().map(str::to_string).collect();
        let options = vec![("variant".to_string(), variant.to_string())];
        let setup = Setup { edition: EDITION.to_string(), seats, options };
        let mut chance = Practice::new(seed);
        let table = practice::Table::new(&risk::title::TITLE, &setup, &mut chance).unwrap();
        let players = PLAYERS[..players].iter().map(|name| (*name).to_string()).collect();
        Evening { table, setup, players, chance, seq: 3 }
    }

    /// The letter to a seat, written with these faces.
    fn letter(&self, reader: Seat, faces: &Faces) -> Letter {
        let head = "9c1e0a77".repeat(8);
        let setting = Setting {
            id: "g1",
            title: &risk::title::TITLE,
            setup: &self.setup,
            players: &self.players,
            seq: self.seq,
            head: &head,
        };
        let game = &*self.table.game;
        let mut occasion = setting.look(game, Some(reader), faces);
        occasion.news = vec![entry_news(game, self.seq, Some(reader), faces)];
        occasion.openings =
            setting.openings(game, reader, faces, |slot| Some(sha256(format!("{slot:?}").as_bytes()).to_string()));
        letter(&occasion)
    }

    /// The faces with every card that the reader may not see replaced by another one.
    fn otherwise(&self, reader: Seat) -> Faces {
        let own = self.table.game.hand(reader);
        let (last_territory, last_adventure) = (Card(65), Card(67));
        let mut faces = Faces::default();
        for (slot, card) in self.table.faces.iter() {
            let other = if slot.deck.0 == 0 { last_territory } else { last_adventure };
            faces.learn(slot, if own.contains(&slot) { card } else { other });
        }
        faces
    }

    fn goes_on(&mut self) -> bool {
        self.seq += 1;
        self.table.game.forget_news();
        self.table.play_anything(&mut self.chance).is_some()
    }
}

#[test]
fn every_letter_is_a_page_and_tells_no_secret() {
    let evenings =
        [(2, "individual"), (3, "individual"), (4, "individual"), (4, "alliance"), (4, "team"), (4, "standard")];
    for (seed, (players, variant)) in (11..).zip(evenings) {
        let mut evening = Evening::begin(players, seed, variant);
        for round in 0..260_usize {
            if round % 9 == 0 {
                let reader = Seat::at(round / 9 % players);
                let letter = evening.letter(reader, &evening.table.faces);
                is_a_page(&letter.text, 72);
                assert!(letter.subject.chars().count() < 120, "{}", letter.subject);
                assert_eq!(letter, evening.letter(reader, &evening.otherwise(reader)), "a secret is told");
            }
            if !evening.goes_on() {
                break;
            }
        }
    }
}

/// A position of the map, and its holders: strips from north to south.
const FOUR: [(&str, &str); 16] = [
    ("rest", "red 2"),
    ("the-shire", "yellow 5 leader"),
    ("buckland", "yellow 1"),
    ("fornost", "yellow 3"),
    ("old-forest", "yellow 2"),
    ("rhudaur", "green 4 leader"),
    ("carrock", "green 2"),
    ("moria", "black 6 leader"),
    ("gladden-fields", "black 1"),
    ("minas-morgul", "red 7 leader"),
    ("yellow-territory-cards", "moria, wild-1"),
    ("yellow-adventure-cards", "ambush, gollum, mission-bree"),
    ("red-adventure-cards", "violent-storms"),
    ("effects", "winter-storms ithilien moria lorien until red"),
    ("fellowship", "moria"),
    ("turn", "7 yellow"),
];

#[test]
fn letters_of_a_battle() {
    let mut evening = Evening::begin(4, 1, "individual");
    let (game, faces) = position::begin(&evening.setup, &FOUR).unwrap();
    evening.table = practice::Table { game, faces };
    evening.seq = 57;
    let letter = |evening: &Evening, seat| evening.letter(Seat(seat), &evening.table.faces).text;
    stands("battle-1-reinforcements.txt", &letter(&evening, 1));
    let dice = [Answer::Dice(vec![6, 4, 1]), Answer::Dice(vec![5, 4]), Answer::Dice(vec![6, 2]), Answer::Dice(vec![1])];
    let mut dice = dice.into_iter();
    for line in ["place 2 fornost, rest the-shire", "attack weather-hills from fornost with 3 until 2 left"] {
        evening.seq += 1;
        evening.table.game.forget_news();
        evening.table.game.say(Seat(1), line, &evening.table.faces).unwrap();
        while let Need::Draw(_) = evening.table.game.need() {
            evening.table.game.answer(dice.next().unwrap()).unwrap();
        }
    }
    stands("battle-2-defender.txt", &letter(&evening, 2));
    stands("battle-3-onlooker.txt", &letter(&evening, 3));
}

#[test]
fn the_letter_after_the_end_tells_who_won() {
    let mut evening = Evening::begin(2, 5, "individual");
    while evening.goes_on() {}
    let letter = evening.letter(Seat(1), &evening.table.faces);
    is_a_page(&letter.text, 72);
    assert!(letter.subject.contains("the game is over"), "{}", letter.subject);
    assert!(letter.text.contains("\nTHE RESULT\n"), "{}", letter.text);
}

fn at(second: u32) -> Stamp {
    Stamp::parse(&format!("2026-11-24T{:02}:{:02}:{:02}Z", second / 3600, second / 60 % 60, second % 60)).unwrap()
}

/// A recorded game of Risk in this folder with `sentences` random sentences, one a second.
fn recorded(folder: &Path, sentences: u32) -> Table {
    let mut table = started(folder, "risk");
    play(&mut table, 3, 1, sentences);
    table
}

/// A recorded game of two in this folder that has started.
fn started(folder: &Path, title: &str) -> Table {
    let charter = charter::of(title, PLAYERS[..2].iter().map(|name| charter::player(name)));
    table::started(folder, &charter, secrets::usual(), at(2), table::nothing)
}

/// Says `sentences` random sentences from second `start` on, one every `every` seconds.
fn play(table: &mut Table, start: u32, every: u32, sentences: u32) {
    let mut chance = Practice::new(3);
    let (mut asked, mut letter) = (None, Hash::ZERO);
    for count in 0..sentences {
        let Need::Question(question) = table.fold().game().need() else { break };
        // While the same seat is asked, its letter continues.
        if asked.replace(question.seat) != Some(question.seat) {
            letter = sha256(&count.to_be_bytes());
        }
        let line = table.fold().game().copy().say_anything(&mut chance, table.fold().faces()).sentence;
        let via = Via::letter(letter, table.fold().head().seq, Auth::Token);
        table.say(question.seat, &line, Some(via), at(start + count * every)).unwrap();
    }
}

#[test]
fn news_kept_while_playing_are_the_news_of_the_log() {
    let folder = tempfile::tempdir().unwrap();
    drop(recorded(folder.path(), 5));
    let (mut kept, mut pace) = (Gazette::default(), Pace::default());
    let mut note = |step: &Followed<'_>| kept.take_in(Sheet::of(step, &mut pace, |_| true));
    let log = Log::open(folder.path()).unwrap();
    let mut table =
        Table::of(&folder.path().into(), log, Secrets::read(folder.path()).unwrap(), titles::ALL, &mut note).unwrap();
    table.keep_made();
    play(&mut table, 20, 1, 60);
    table.take_made(note);
    let head = table.fold().head().seq;
    for seat in [Seat(1), Seat(2)] {
        for since in [0, 7, 30, head] {
            let untold = kept.untold(seat, since).unwrap();
            assert_eq!(untold, Gazette::read(&table, titles::ALL, seat, since).unwrap());
            assert_eq!(untold.news.is_empty(), since == head);
            assert!(untold.news.iter().all(|news| news.seq > since && !news.told.is_empty()));
        }
    }
    kept.told(Seat(1), 30);
    assert_eq!(kept.untold(Seat(1), 29), None, "it has to be read");
    assert!(kept.untold(Seat(1), 30).is_some() && kept.untold(Seat(2), 0).is_some());
}

#[test]
fn every_minute_is_waited_for_somebody() {
    let folder = tempfile::tempdir().unwrap();
    let mut table = started(folder.path(), "wotr");
    play(&mut table, 62, 60, 60);
    let mut pace = Pace::default();
    let mut sittings = 0;
    let mut last = None;
    read_through(table.log().records().unwrap(), titles::ALL, Some(table.secrets().root), |step| {
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

#[test]
fn a_letter_from_the_record() {
    let folder = tempfile::tempdir().unwrap();
    let mut table = recorded(folder.path(), 40);
    table
        .leave_order(
            Seat(1),
            "when asked fellowship-roll say pass",
            Some(Via::letter(Hash::ZERO, 0, Auth::Token)),
            at(90),
        )
        .unwrap();
    let told = table.fold().head().seq - 5;
    for seat in [Seat(1), Seat(2)] {
        let untold = Gazette::read(&table, titles::ALL, seat, told).unwrap();
        let occasion = from_table::occasion(&table, Some(seat), untold.news);
        assert_eq!(occasion.standing.len(), usize::from(seat == Seat(1)));
        assert_eq!(occasion.openings.len(), table.fold().game().hand(seat).len());
        assert!(!matches!(occasion.waits, Waits::Host { .. }));
        let letter = letter(&occasion);
        is_a_page(&letter.text, 72);
        assert!(letter.text.contains(&table.fold().head().hash.to_string()));
    }
    is_a_page(&terminal::show(&from_table::occasion(&table, None, Vec::new()), 100), 100);
}

#[test]
fn a_game_that_has_not_started_waits_for_its_players() {
    let folder = tempfile::tempdir().unwrap();
    drop(recorded(folder.path(), 0));
    let log = std::fs::read(folder.path().join("log.yaml")).unwrap();
    read_through(Records::new(log.as_slice()), titles::ALL, None, |step| {
        let page = letter(&from_log::look(step.fold, Some(Seat(1)))).text;
        is_a_page(&page, 72);
        assert_eq!(page.contains("every seat to join"), step.entry.seq < 3, "{page}");
        ControlFlow::Continue(())
    })
    .unwrap();
}

#[test]
fn the_chronicle_of_a_log_and_every_entry_explained() {
    let folder = tempfile::tempdir().unwrap();
    drop(recorded(folder.path(), 80));
    let log = std::fs::read(folder.path().join("log.yaml")).unwrap();
    let mut rolls = 0;
    let fold = read_through(Records::new(log.as_slice()), titles::ALL, None, |step| {
        is_a_page(&chronicle::paragraph(&from_log::told(step, None), 72), 72);
        let explained = from_log::explained(step, None, None);
        rolls += usize::from(explained.roll.is_some());
        is_a_page(&chronicle::why(&explained, 72), 72);
        ControlFlow::Continue(())
    });
    assert!(rolls > 5 && fold.unwrap().head().seq > 60);
}
