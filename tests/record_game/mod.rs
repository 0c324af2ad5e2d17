//! Games played at a table as letters would play them, at random and the same way in every run.

use crate::house::charter;
use crate::house::{secrets, table};
use crate::tiny_title::TITLES;
use engine::chance::{Chance, Practice};
use engine::need::Need;
use engine::seat::Seat;
use ground::hash::{Hash, sha256};
use ground::stamp::Stamp;
use record::charter::{Charter, CharterSeat};
use record::entry::Entry;
use record::entry::body::{Auth, Ballot, Via};
use record::file::stream::Records;
use record::fold::Fold;
use record::fold::council::Proposal;
use record::table::{Joining, Table};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// The answers after which a game is stopped: in random play, Standard Risk need not end.
const ANSWERS_MAX: u32 = 2_000;

/// A time, this many seconds after the beginning of a game.
pub fn at(seconds: u32) -> Stamp {
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    Stamp::parse(&format!("2026-11-24T{hours:02}:{minutes:02}:{seconds:02}Z")).expect("a day has enough seconds")
}

/// A game of the tiny title with this many turns.
pub fn charter(players: usize, turns: &str) -> Charter {
    charter_of("riddles", players, &[("turns", turns)])
}

/// A game of a title with some of its options. The last seat of three is the host's own.
pub fn charter_of(title: &str, players: usize, options: &[(&str, &str)]) -> Charter {
    let seat = |index: usize| CharterSeat {
        host: index == 2,
        ..charter::writer(&format!("Player {index}"), &format!("player{index}@shire.example"))
    };
    Charter { options: charter::options(options), ..charter::of(title, (0..players).map(seat)) }
}

/// The `via` of a letter in these games whose writer had seen record `seen`.
pub fn letter(name: &str, seen: u64) -> Via {
    let raw = Some(sha256(format!("letter {name}").as_bytes()));
    let message = Some(sha256(format!("{name}@mail.example").as_bytes()));
    Via { raw, message, seen: Some(seen), auth: Some(Auth::Token), ..Via::default() }
}

/// Like [`letter`], with a confirmed line: motions, votes and concessions need that.
pub fn confirmed(name: &str, seen: u64) -> Via {
    Via { auth: Some(Auth::Confirmed), ..letter(name, seen) }
}

/// A game being played.
pub struct Game {
    pub table: Table,
    pub time: u32,
}

impl Game {
    /// A game that has started.
    pub fn start(folder: &Path, players: usize, turns: &str, seed: u8) -> Game {
        Game::start_by(folder, &charter(players, turns), seed)
    }

    /// Like [`Game::start`], with any charter. Each player joins by a separate letter, which has seen only the first
    /// record.
    pub fn start_by(folder: &Path, charter: &Charter, seed: u8) -> Game {
        let mut table = Table::create(folder, charter, secrets::of_seed(seed), at(0), TITLES).unwrap();
        let seats = || (0..charter.seats.len()).map(Seat::at);
        let is_hosted = |seat: &Seat| charter.seats[seat.index()].host;
        for seat in seats().filter(is_hosted) {
            let joining = Joining { player: Some("The host".to_string()), ..Joining::default() };
            table.join(seat, &joining, Some(Via::keyboard()), at(1)).unwrap();
        }
        table::join(&mut table, at(1), |seat| Joining {
            phrase: format!("phrase {}", seat.index()),
            message: sha256(format!("{}@mail.example", seat.0).as_bytes()),
            ..Joining::default()
        });
        table.start(at(2)).unwrap();
        Game { table, time: 3 }
    }

    /// The seat that is asked; `None` when the game is over.
    pub fn asked(&self) -> Option<Seat> {
        match self.table.fold().need() {
            Need::Question(question) => Some(question.seat),
            _ => None,
        }
    }

    pub fn now(&mut self) -> Stamp {
        self.time += 1;
        at(self.time)
    }

    /// The asked seat says something by letter.
    pub fn say(&mut self, line: &str) {
        let seat = self.asked().expect("somebody is asked");
        let now = self.now();
        self.table.say(seat, line, Some(self.letter()), now).unwrap();
    }

    fn letter(&self) -> Via {
        letter(&self.time.to_string(), self.table.fold().head().seq)
    }

    /// A random sentence that the asked seat may say.
    pub fn anything(&self, chance: &mut dyn Chance) -> String {
        let mut game = self.table.fold().game().copy();
        game.say_anything(chance, self.table.fold().faces()).sentence
    }

    /// Plays at random to the end, or for so many answers that there may be no end.
    pub fn play_on(&mut self, seed: u64) {
        let mut chance = Practice::new(seed);
        for _ in 0..ANSWERS_MAX {
            if self.asked().is_none() {
                return;
            }
            let line = self.anything(&mut chance);
            self.say(&line);
        }
    }

    /// All seats agree to something by letter; the first seat with a vote moves it.
    pub fn agree(&mut self, proposal: &Proposal) {
        let fold = self.table.fold();
        let voters = fold.voters(proposal.what, proposal.of, Seat(0));
        let mover = voters[0];
        let via = |game: &Game, seat: Seat| {
            Some(confirmed(&format!("{} {}", seat.0, game.time), game.table.fold().head().seq))
        };
        let (now, letter) = (self.now(), via(self, mover));
        let motion = self.table.propose(mover, proposal, letter, now).unwrap()[0].seq;
        for seat in voters.into_iter().filter(|seat| *seat != mover) {
            let (now, letter) = (self.now(), via(self, seat));
            self.table.vote(seat, motion, Ballot::Yes, letter, now).unwrap();
        }
        assert_eq!(self.table.fold().council().motion(motion), None, "it was carried and done");
    }

    /// Publishes the secrets and ends the game.
    pub fn finish(&mut self) {
        let now = self.now();
        self.table.reveal(now).unwrap();
        let now = self.now();
        self.table.end("nobody had time", now).unwrap();
    }

    pub fn log(&self) -> Vec<u8> {
        std::fs::read(self.table.drawer().path().join("log.yaml")).unwrap()
    }

    /// The number of the last record.
    pub fn head_seq(&self) -> u64 {
        self.table.fold().head().seq
    }

    pub fn head(&self) -> Hash {
        self.table.fold().head().hash
    }

    /// A copy of a game, for playing it another way.
    pub fn copy(&self) -> (TempDir, Game) {
        let folder = tempfile::tempdir().unwrap();
        for entry in fs::read_dir(self.table.drawer().path()).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_file() {
                fs::copy(entry.path(), folder.path().join(entry.file_name())).unwrap();
            }
        }
        let table = Table::open(folder.path(), TITLES).unwrap();
        let game = Game { table, time: self.time };
        (folder, game)
    }

    /// All dice thrown from some record on: their numbers, labels and faces.
    pub fn rolled(&self, from: u64) -> Vec<(u32, String, Vec<u32>)> {
        let mut rolled = Vec::new();
        for record in split(&self.log()).iter().skip(usize::try_from(from).unwrap()) {
            let entry = Entry::read(record.as_bytes()).unwrap();
            for dice in entry.outcome.iter().filter_map(|outcome| outcome.roll.as_ref()).flat_map(|roll| &roll.dice) {
                rolled.push((dice.throw, dice.label.to_string(), dice.faces.clone()));
            }
        }
        rolled
    }
}

/// The records of a log, as texts.
pub fn split(log: &[u8]) -> Vec<String> {
    let mut records = Records::new(log);
    let mut texts = Vec::new();
    while let Some(record) = records.next().unwrap() {
        texts.push(String::from_utf8(record.bytes.to_vec()).unwrap());
    }
    texts
}

/// Checks that the changed facts in the records of a log are those that differ between all facts before and after.
pub fn changes_are_what_differs(log: &[u8]) {
    let (mut fold, mut before, mut problems) = (None::<Fold>, String::new(), Vec::new());
    for record in split(log) {
        let (entry, hash) = (Entry::read(record.as_bytes()).unwrap(), sha256(record.as_bytes()));
        let Some(fold) = &mut fold else {
            fold = Some(Fold::begin(&entry, hash, TITLES, None, &mut problems).unwrap());
            continue;
        };
        fold.fold(&entry, hash, &mut problems);
        let after = fold.facts().text().to_string();
        let old = before.lines().map(Some).chain(std::iter::repeat(None));
        let pairs = after.lines().zip(old).filter(|(after, before)| Some(*after) != *before);
        let (differ, differed): (Vec<&str>, Vec<Option<&str>>) = pairs.unzip();
        assert_eq!(fold.change().lines().collect::<Vec<_>>(), differ, "record {}", entry.seq);
        let differed: Vec<&str> = differed.into_iter().flatten().collect();
        assert_eq!(fold.change().before.text().lines().collect::<Vec<_>>(), differed, "record {}", entry.seq);
        let recorded = entry.outcome.iter().flat_map(|outcome| &outcome.changed);
        assert_eq!(recorded.map(|fact| &**fact).collect::<Vec<_>>(), differ, "record {}", entry.seq);
        before = after;
    }
}

/// A game of these players; the host holds those with names in capitals.
pub fn players(names: &[&str]) -> Charter {
    let seat = |name: &&str| CharterSeat { host: name.chars().all(char::is_uppercase), ..charter::player(name) };
    Charter { seats: names.iter().map(seat).collect(), ..charter(names.len(), "60") }
}
