/*! An office on several machines, as a show: games in their own database, workers that are killed, and players who
answer everything. It prints how fast the office was, and ends with an error if a letter was answered twice or not at
all.

```text
cargo build --release && cargo run --release --example office -- --games 2000 --workers 3 --kill-every 5
cargo run --release --example office -- --show week --games 1000
cargo run --release --example office -- --figures
cargo run --release --example office -- --filled 100000
```
*/

#![cfg(unix)]
#![expect(clippy::disallowed_types, reason = "how long an office takes is no fact of a game")]
#![allow(dead_code, reason = "it shares its modules with the tests, which use other parts of them")]

#[path = "../../tests/workers/check.rs"]
mod check;
mod figures;
mod filled;
#[path = "../../tests/needs/mod.rs"]
mod needs;
#[path = "../../tests/workers/office.rs"]
mod office;
#[path = "../../tests/workers/players.rs"]
mod players;
#[path = "../../tests/servers/mod.rs"]
mod servers;
mod week;

use clap::{Parser, ValueEnum};
use office::{Office, Worker};
use players::Players;
use servers::postgres::Database;
use std::path::{Path, PathBuf};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

/// How often the players look for letters.
const LOOK: Duration = Duration::from_millis(50);
/// The configuration of every worker that needs no other.
pub const CONFIG: &str = "ringmail.yaml";
pub const ALL: &str = "in,play,out";

/// An office in a database, its workers and its players.
#[derive(Parser, Debug)]
struct Arguments {
    /// Games, each of a person against the program.
    #[arg(long, default_value_t = 100)]
    games: usize,
    #[arg(long, default_value_t = 3)]
    workers: usize,
    /// Letters that each person writes about his game.
    #[arg(long, default_value_t = 5)]
    letters: u32,
    /// A worker is killed, and another one started, every so many seconds; never, if it is 0.
    #[arg(long, default_value_t = 5)]
    kill_every: u64,
    /// Seconds of a lease.
    #[arg(long, default_value_t = 5)]
    lease: u8,
    /// The program, if it is not the one that was built beside this one.
    #[arg(long)]
    program: Option<PathBuf>,
    /// An older version of the program, for a week that begins with it.
    #[arg(long)]
    before: Option<PathBuf>,
    #[arg(long)]
    show: Option<Show>,
    /// What it costs: letters per second with 1, 2 and 4 workers and in a folder.
    #[arg(long)]
    figures: bool,
    /// What very many games cost that wait in the database: a start, a letter from idle, and a worker that is idle.
    #[arg(long, value_name = "GAMES")]
    filled: Option<usize>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Show {
    /// A week by a clock that is moved.
    Week,
}

fn main() {
    let arguments = Arguments::parse();
    let beside = || std::env::current_exe().unwrap().parent().unwrap().with_file_name("ringmail");
    let program = arguments.program.clone().unwrap_or_else(beside);
    match (arguments.show, arguments.filled) {
        (Some(Show::Week), _) => week::show(&program, arguments.before.as_deref(), arguments.games),
        (None, Some(games)) => filled::measure(&program, games),
        (None, None) if arguments.figures => figures::measure(&program, arguments.games, arguments.letters),
        (None, None) => kills(&program, &arguments),
    }
}

/// Everybody plays while workers are killed.
fn kills(program: &Path, arguments: &Arguments) {
    let home = tempfile::tempdir().unwrap();
    let database = Database::start().expect("PostgreSQL is not installed");
    let more = format!("lease: {}", arguments.lease);
    let mut office = Office::found(home.path(), program, Some((&database.url(), &more)));
    let games = found(&office, arguments.games);
    let mut players = Players::new(home.path(), arguments.letters);
    let mut workers: Vec<Worker> = (0..arguments.workers).map(|_| office.serve(ALL, CONFIG)).collect();
    let (begun, mut killed, mut kills) = (Instant::now(), Instant::now(), 0);
    while !players.are_done(games.len()) {
        players.look();
        sleep(LOOK);
        if arguments.kill_every > 0 && killed.elapsed() >= Duration::from_secs(arguments.kill_every) {
            workers.remove(0).kill();
            workers.push(office.serve(ALL, CONFIG));
            (killed, kills) = (Instant::now(), kills + 1);
            println!("{:6.1?} {} letters, {} wait", begun.elapsed(), players.sent(), players.waiting());
        }
    }
    let took = begun.elapsed().as_secs_f64();
    println!(
        "{} letters in {took:.1} s, {:.1} a second; {kills} kills",
        players.sent(),
        per_second(players.sent(), took)
    );
    assert!(servers::happens(|| check::rests(&office)), "letters wait");
    players.look();
    workers.into_iter().for_each(Worker::stop);
    players.check();
    check::at_rest(&office, &games);
    println!("every letter was answered once; every log verifies, and nothing waits");
}

/// Makes games, two at a time.
pub fn found(office: &Office, count: usize) -> Vec<String> {
    let games: Vec<String> = (1..=count).map(|number| format!("g{number}")).collect();
    let begun = Instant::now();
    thread::scope(|scope| {
        for half in games.chunks(count.div_ceil(2)) {
            scope.spawn(|| half.iter().for_each(|game| office.invite(game)));
        }
    });
    println!("{count} games are made, and their players invited, in {:.1?}", begun.elapsed());
    games
}

/// The players continue until each has written all his letters and got his answers; returns how long that took.
pub fn play(players: &mut Players, games: usize) -> Duration {
    let begun = Instant::now();
    while !players.are_done(games) {
        players.look();
        sleep(LOOK);
    }
    begun.elapsed()
}

#[expect(clippy::cast_precision_loss, reason = "there are not so many letters")]
pub fn per_second(letters: usize, seconds: f64) -> f64 {
    letters as f64 / seconds
}
