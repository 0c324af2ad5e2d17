//! A week of an office on a clock that is set forward: two workers, a restart of the database, a backup and a restore
//! from it, and an upgrade of the program.

use crate::office::{Office, Worker, words};
use crate::players::Players;
use crate::servers::free_port;
use crate::servers::postgres::Database;
use crate::{ALL, CONFIG, check, found, play};
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

/// Letters of each player on a day.
const LETTERS: u32 = 2;
/// How long to wait for what a worker reports once a minute: two minutes, because the first report may still describe
/// a moment before the end of the work.
const MINUTES: u32 = 2;
const MINUTE_MAX: Duration = Duration::from_secs(90);

/// The library that moves the clock of a program.
fn library() -> Option<PathBuf> {
    let folders = fs::read_dir("/usr/lib").ok()?.filter_map(|folder| Some(folder.ok()?.path()));
    let mut libraries = folders.map(|folder| folder.join("faketime/libfaketimeMT.so.1"));
    libraries.find(|file| file.exists())
}

struct Week {
    office: Office,
    database: Database,
    players: Players,
    games: Vec<String>,
    /// The health port of each worker.
    ports: [u16; 2],
    workers: Vec<Worker>,
    library: Option<PathBuf>,
}

impl Week {
    /// Begins another day: sets the clock of the database, and of every program started from now on.
    fn day(&mut self, day: u32) {
        println!("\n# Day {day}");
        let Some(library) = &self.library else { return };
        self.players.days_ahead = day - 1;
        let set = [("LD_PRELOAD", library.display().to_string()), ("FAKETIME", format!("+{}d", day - 1))];
        let plain = [("FAKETIME_DONT_FAKE_MONOTONIC", "1"), ("DONT_FAKE_MONOTONIC", "1")];
        let plain = plain.map(|(name, value)| (name.to_owned(), value.to_owned()));
        self.office.environment = set.map(|(name, value)| (name.to_owned(), value)).into_iter().chain(plain).collect();
        self.database.restart_with("fast", &self.office.environment);
    }

    fn begin(&mut self) {
        for (number, port) in self.ports.into_iter().enumerate() {
            let config = format!("worker-{number}.yaml");
            self.office.configure_more(&config, &format!("health: 127.0.0.1:{port}\n"));
            self.workers.push(self.office.serve(ALL, &config));
        }
    }

    fn end(&mut self) {
        self.workers.drain(..).for_each(Worker::stop);
    }

    fn play(&mut self) {
        let before = self.players.sent();
        let took = play(&mut self.players, self.games.len());
        println!("{} letters in {took:.1?}", self.players.sent() - before);
    }

    /// Prints the end of `status`, and what the workers report to monitoring, once they have seen what was done.
    fn tell(&self) {
        for port in self.ports {
            (0..MINUTES).for_each(|_| next_minute(port));
        }
        let status = words(&self.office.run(&["status"]));
        let lines: Vec<&str> =
            status.lines().filter(|line| !line.starts_with('g') || line.starts_with("g1 ")).collect();
        println!("{}", lines.join("\n"));
        for port in self.ports {
            let health = ask(port, "/healthz");
            let metrics = ask(port, "/metrics");
            let values: Vec<&str> = metrics.lines().filter(|line| line.starts_with("ringmail")).collect();
            println!("{} {}", health.lines().next().unwrap_or("no answer"), values.join("; "));
        }
    }
}

/// Waits until a worker's next minute.
fn next_minute(port: u16) {
    let tick = || {
        let metrics = ask(port, "/metrics");
        metrics.lines().find(|line| line.starts_with("ringmail_last_tick")).map(str::to_owned)
    };
    let (before, pause) = (tick(), Duration::from_millis(100));
    let mut waited = Duration::ZERO;
    while tick() == before {
        assert!(waited < MINUTE_MAX, "the worker at port {port} ticks no more");
        sleep(pause);
        waited += pause;
    }
}

fn ask(port: u16, path: &str) -> String {
    let mut answer = String::new();
    if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) {
        let asked = write!(stream, "GET {path} HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n");
        drop(asked.and_then(|()| stream.read_to_string(&mut answer)));
    }
    answer
}

/// Plays the week; with an older program until the fourth day, if `before` is given.
pub fn show(program: &Path, before: Option<&Path>, games: usize) {
    let home = tempfile::tempdir().unwrap();
    let database = Database::start().expect("PostgreSQL is not installed");
    let office = Office::found(home.path(), before.unwrap_or(program), Some((&database.url(), "lease: 5")));
    let games = found(&office, games);
    let players = Players::new(home.path(), LETTERS);
    let (ports, workers) = ([free_port(), free_port()], Vec::new());
    let mut week = Week { office, database, players, games, ports, workers, library: library() };
    if week.library.is_none() {
        println!("faketime is not installed: all days are today");
    }
    week.day(1);
    week.begin();
    week.play();
    week.tell();

    week.end();
    week.day(2);
    week.begin();
    week.players.go_on(LETTERS);
    println!("the database is restarted, and then crashes");
    week.database.restart("fast");
    week.database.restart("immediate");
    week.play();
    week.tell();

    week.end();
    week.day(3);
    week.begin();
    println!("{}", week.office.does(&["backup", "office.tar.gz"]).trim_end());

    week.end();
    week.day(4);
    println!("the workers were stopped, and another version of the program was installed");
    week.office.program = program.to_owned();
    let told = week.office.does(&["doctor", "--after-upgrade"]);
    println!("{}", told.lines().filter(|line| !line.starts_with("well    g")).collect::<Vec<&str>>().join("\n"));
    week.begin();
    week.players.go_on(LETTERS);
    week.play();
    week.tell();

    week.end();
    week.day(7);
    week.players.check();
    check::at_rest(&week.office, &week.games);
    println!("every letter was answered once; every log verifies, and nothing waits");
    restored(&week);
}

/// Restores the backup of the third day into another office of the same database: the games are as they were then,
/// and stop until their players have been heard.
fn restored(week: &Week) {
    let home = &week.office.home;
    let config = fs::read_to_string(home.join(CONFIG)).unwrap().replace("lease: 5", "lease: 5, office: again");
    fs::write(home.join("again.yaml"), config).unwrap();
    let told = week.office.does(&["--config", "again.yaml", "restore", "office.tar.gz"]);
    println!("{}", told.lines().filter(|line| !line.starts_with("  g")).collect::<Vec<&str>>().join("\n"));
    for game in &week.games {
        week.office.does(&["--config", "again.yaml", "verify", game]);
        let then = week.office.does(&["--config", "again.yaml", "export", game]);
        assert!(week.office.does(&["export", game]).starts_with(&then), "{game}");
    }
    println!("every log of the restored office verifies, and is the beginning of the one that went on");
}
