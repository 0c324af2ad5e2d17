/*! How the sample games in `games/` were made: bots at an ordinary table. In Risk they play at random, but boldly; in
War of the Ring they look ahead.

`cargo run --release --example sample_games` writes the missing ones, byte for byte. An existing game is never
replaced: the samples are kept, so that every later program must still agree with them.
*/

use engine::bot::Level;
use engine::chance::{Chance, Practice};
use engine::need::Need;
use engine::seat::Seat;
use ground::disk::place::make_folder;
use ground::files::LOG;
use ground::hash::{Hash, Hex, sha256};
use ground::stamp::Stamp;
use jiff::{SignedDuration, Timestamp};
use record::charter::{Charter, CharterOption, CharterSeat};
use record::entry::body::{Auth, Via};
use record::file::secrets::Secrets;
use record::table::{Joining, Table};
use std::error::Error;
use std::path::Path;

/// What is played: the name of the game, its options, and the players.
struct Sample {
    name: &'static str,
    title: &'static str,
    options: &'static [(&'static str, &'static str)],
    /// The player, and whether the host plays the seat himself.
    players: &'static [(&'static str, bool)],
    /// The standing order of all seats but the first.
    order: &'static str,
    seed: u64,
    /// How well the bots of War of the Ring play.
    level: Level,
}

const CARDS: &str = "when asked cards say pass";

const SAMPLES: [Sample; 10] = [
    Sample {
        name: "two-towers",
        title: "risk",
        options: &[],
        players: &[("Éowyn", false), ("Gríma", false)],
        order: CARDS,
        seed: 43,
        level: Level::Easy,
    },
    Sample {
        name: "three-hunters",
        title: "risk",
        options: &[],
        players: &[("Aragorn", false), ("Legolas", false), ("Gimli", true)],
        order: CARDS,
        seed: 27,
        level: Level::Easy,
    },
    Sample {
        name: "four-hobbits",
        title: "risk",
        options: &[],
        players: &[("Frodo", false), ("Sam", false), ("Merry", false), ("Pippin", true)],
        order: CARDS,
        seed: 14,
        level: Level::Easy,
    },
    Sample {
        name: "the-ring-goes-south",
        title: "wotr",
        options: &[],
        players: &[("Elrond", false), ("Khamûl", false)],
        order: "when asked sorcerer say no card",
        seed: 12,
        level: Level::Easy,
    },
    Sample {
        name: "the-shadow-of-the-past",
        title: "wotr",
        options: &[("preset", "rules-guide-2.5")],
        players: &[("Gandalf", false), ("Gothmog", true)],
        order: "when asked sorcerer say no card",
        seed: 53,
        level: Level::Easy,
    },
    Sample {
        name: "the-black-gate-opens",
        title: "wotr",
        options: &[],
        players: &[("Imrahil", false), ("Mouth of Sauron", false)],
        order: "when asked sorcerer say no card",
        seed: 18,
        level: Level::Easy,
    },
    Sample {
        name: "the-golden-hall",
        title: "wotr",
        options: &[],
        players: &[("Théoden", false), ("Sauron", false), ("Wormtongue", true)],
        order: "when asked sorcerer say no card",
        seed: 24,
        level: Level::Fair,
    },
    Sample {
        name: "the-palantir",
        title: "wotr",
        options: &[],
        players: &[("Gandalf", false), ("Gorbag", false), ("Lugdush", false)],
        order: "when asked sorcerer say no card",
        seed: 16,
        level: Level::Fair,
    },
    Sample {
        name: "the-last-debate",
        title: "wotr",
        options: &[],
        players: &[("Aragorn", false), ("Éomer", false), ("Gothmog", false), ("Sharkey", true)],
        order: "when asked sorcerer say no card",
        seed: 28,
        level: Level::Easy,
    },
    Sample {
        name: "many-partings",
        title: "wotr",
        options: &[],
        players: &[("Faramir", false), ("Éowyn", false), ("Shagrat", false), ("Grishnákh", false)],
        order: "when asked sorcerer say no card",
        seed: 7,
        level: Level::Easy,
    },
];

fn main() -> Result<(), Box<dyn Error>> {
    for sample in &SAMPLES {
        let home = Path::new("games").join(sample.name);
        if home.exists() {
            println!("{}: kept", home.display());
            continue;
        }
        let records = write(sample, &home)?;
        println!("{}: {records} records", home.join(LOG).display());
    }
    Ok(())
}

/// Plays the game and keeps its log. The secrets are published in the log, so they need no file.
fn write(sample: &Sample, home: &Path) -> Result<u64, Box<dyn Error>> {
    make_folder(home)?;
    let mut clock = Clock { now: "2021-01-05T18:00:00Z".parse()?, chance: Practice::new(sample.seed) };
    let mut table = Table::create(home, &charter(sample), secrets(sample), clock.next()?, ringmail::titles::ALL)?;
    gather(sample, &mut table, &mut clock)?;
    for seat in (1..sample.players.len()).map(Seat::at) {
        let via = via(sample, &table, seat);
        table.leave_order(seat, sample.order, Some(via), clock.next()?)?;
    }
    let mut chance = Practice::new(sample.seed);
    while let Need::Question(question) = table.fold().game().need() {
        let line = match sample.title {
            "risk" => something_bold(&table, &mut chance),
            _ => something_wise(&table, question.seat, sample.level, &mut chance),
        };
        let via = via(sample, &table, question.seat);
        table.say(question.seat, &line, Some(via), clock.next()?)?;
    }
    table.reveal(clock.next()?)?;
    let head = table.end("it was played to its end", clock.next()?)?;
    let folder = table.drawer().path();
    drop(table);
    for spent in [record::file::secrets::SECRETS, record::file::log::LOCK] {
        std::fs::remove_file(folder.join(spent))?;
    }
    Ok(head.seq + 1)
}

/// Everybody joins, the host first; the game starts.
fn gather(sample: &Sample, table: &mut Table, clock: &mut Clock) -> Result<(), Box<dyn Error>> {
    table.join_hosted(clock.next()?)?;
    for (index, (player, hosted)) in sample.players.iter().enumerate() {
        let seat = Seat::at(index);
        if !*hosted {
            let joining = Joining { phrase: format!("{player} was here"), ..Joining::default() };
            let via = via(sample, table, seat);
            table.join(seat, &joining, Some(via), clock.next()?)?;
        }
    }
    table.start(clock.next()?)?;
    Ok(())
}

/// The boldest of some random sentences.
fn something_bold(table: &Table, chance: &mut Practice) -> String {
    let anything = |_| table.fold().game().copy().say_anything(chance, table.fold().faces()).sentence;
    let boldness = |line: &String| match line.split(' ').next() {
        Some("attack" | "play" | "complete" | "advance") => 2,
        Some("pass" | "done" | "call" | "end" | "ask") => 0,
        _ => 1,
    };
    let sentences: Vec<String> = (0..4).map(anything).collect();
    sentences.into_iter().max_by_key(boldness).expect("four were said")
}

/// What a bot of a level says; it knows only its own hand.
fn something_wise(table: &Table, seat: Seat, level: Level, chance: &mut Practice) -> String {
    let mut game = table.fold().game().copy();
    let own = table.fold().faces().of(&game.hand(seat));
    table.fold().plan().title.bot.say(game.as_mut(), level, chance, &own).sentence
}

fn charter(sample: &Sample) -> Charter {
    let seat = |(player, host): &(&str, bool)| CharterSeat {
        player: (*player).to_string(),
        host: *host,
        ..CharterSeat::default()
    };
    let option =
        |(name, value): &(&str, &str)| CharterOption { name: (*name).to_string(), value: (*value).to_string() };
    Charter {
        name: sample.name.to_string(),
        title: sample.title.to_string(),
        options: sample.options.iter().map(option).collect(),
        seats: sample.players.iter().map(seat).collect(),
        ..Charter::default()
    }
}

/// Secrets derived from the name, so that the sample can be made again.
fn secrets(sample: &Sample) -> Secrets {
    let secret = |what: &str| sha256(format!("sample {} {what}", sample.name).as_bytes());
    let game: Hash = secret("game");
    Secrets {
        format: 2,
        game: Hex(game.0[..16].try_into().expect("a hash has sixteen bytes")),
        root: secret("root"),
        host_key: None,
        token_key: secret("token"),
        adopter: None,
        seats: Vec::new(),
        orders: Vec::new(),
        lines: Vec::new(),
        stopped: Vec::new(),
    }
}

/// How an act of a seat arrives: by a letter that has seen the whole log, or at the host's keyboard.
fn via(sample: &Sample, table: &Table, seat: Seat) -> Via {
    let seq = table.fold().head().seq;
    if sample.players[seat.index()].1 {
        return Via::keyboard();
    }
    let id = format!("{}.{seq}@mail.example", sample.name);
    let raw = sha256(format!("Message-ID: <{id}>").as_bytes());
    Via { message: Some(sha256(id.as_bytes())), ..Via::letter(raw, seq, Auth::Token) }
}

/// The time in the game: players answer within two days.
struct Clock {
    now: Timestamp,
    chance: Practice,
}

impl Clock {
    fn next(&mut self) -> Result<Stamp, Box<dyn Error>> {
        let minutes = i64::from(1 + self.chance.below(48 * 60));
        self.now = self.now.checked_add(SignedDuration::from_mins(minutes))?;
        Ok(Stamp::parse(&self.now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()).ok_or("a time of four-digit years")?)
    }
}
