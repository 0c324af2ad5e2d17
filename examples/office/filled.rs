//! An office with very many games, most of which wait for their players: how long a worker takes to start in it, how
//! long a letter takes while nothing else happens, and what an idle worker uses.

use crate::figures::used;
use crate::office::{Office, Worker};
use crate::players::Players;
use crate::servers::happens;
use crate::servers::postgres::Database;
use crate::{ALL, CONFIG, found, play};
use engine::seat::Seat;
use ground::stamp::Stamp;
use jiff::Timestamp;
use post::office::Office as PostOffice;
use post::office::config::Config;
use record::charter::{Charter, CharterSeat};
use record::entry::body::{Auth, Via};
use record::file::secrets::Secrets;
use record::table::{Joining, Table};
use ringmail::titles;
use std::path::Path;
use std::thread::{self, sleep};
use std::time::{Duration, Instant};
use store::Store;
use store::drawer::Drawer;
use store::home::FileKind;

/// The games whose players write letters, and the letters of each.
const PLAYED: usize = 20;
const LETTERS: u32 = 3;
/// The number of letters that are measured, and the pause before each.
const MEASURED: usize = 21;
const PAUSE: Duration = Duration::from_millis(700);
/// How long an idle worker is observed: its clock ticks once a minute.
const IDLE: Duration = Duration::from_secs(120);
/// The number of games that are made at the same time.
const AT_ONCE: usize = 4;

/// Measures an office that holds `games` games.
pub fn measure(program: &Path, games: usize) {
    let database = Database::durable().expect("PostgreSQL is not installed");
    let home = tempfile::tempdir().unwrap();
    let mut office = Office::found(home.path(), program, Some((&database.url(), "office: filled")));
    fill(&office, games);
    let names = found(&office, PLAYED);
    let mut players = Players::new(&office.home, LETTERS);
    let worker = office.serve(ALL, CONFIG);
    play(&mut players, names.len());
    letters(&mut players, &names);
    idle(&worker);
    let started = start(&mut office, "a second worker");
    started.stop();
    worker.stop();
    let alone = start(&mut office, "a worker after all others were stopped");
    letters(&mut players, &names);
    alone.stop();
    players.check();
}

/// Fills the database with games that wait for one of their two players. Each is a copy of the first, file by file,
/// and no worker opens it before somebody writes to it.
fn fill(office: &Office, games: usize) {
    let begun = Instant::now();
    let config = Config::read(&office.home.join(CONFIG)).unwrap();
    let store = config.store.unwrap().open().unwrap();
    let post = PostOffice::new(store.clone(), &config.mailbox, titles::ALL);
    let first = waiting_game(&store, &post);
    let names =
        first.list("").unwrap().into_iter().filter(|found| found.kind == FileKind::File).map(|found| found.name);
    let files: Vec<(String, Vec<u8>)> = names.map(|name| (name.clone(), first.read(&name).unwrap())).collect();
    thread::scope(|scope| {
        for part in 0..AT_ONCE {
            let (store, files) = (&store, &files);
            scope.spawn(move || (part..games).step_by(AT_ONCE).for_each(|number| copy(store, number, files)));
        }
    });
    println!("{games} games of {} files lie in the database after {:.1?}", files.len(), begun.elapsed());
}

fn copy(store: &Store, number: usize, files: &[(String, Vec<u8>)]) {
    let drawer = store.drawer(&format!("filled-{number}"));
    drawer.make().unwrap();
    files.iter().for_each(|(name, bytes)| drawer.create(name, bytes).unwrap());
}

/// A game that has started.
fn waiting_game(store: &Store, post: &PostOffice) -> Drawer {
    let name = "filled".to_owned();
    let at = Stamp::of(Timestamp::now()).unwrap();
    // Without addresses, so that no letter is sent to the players.
    let seat = |player: &str| CharterSeat { player: player.to_owned(), ..CharterSeat::default() };
    let (seats, min_auth) = (vec![seat("anna"), seat("bert")], Some(Auth::Keyboard));
    let charter = Charter { name: name.clone(), title: "risk".to_owned(), seats, min_auth, ..Charter::default() };
    let drawer = store.drawer(&name);
    let mut table = Table::create(&drawer, &charter, Secrets::random().unwrap(), at, titles::ALL).unwrap();
    for seat in 0..2 {
        table.join(Seat::at(seat), &Joining::default(), Some(Via::keyboard()), at).unwrap();
    }
    table.start(at).unwrap();
    drop(table);
    // As a tick would do: the desk notes when to look at the game again.
    post.desk(&name).unwrap().tick(at).unwrap();
    drawer
}

/// The time of letters from the mailbox to the answer, one at a time.
fn letters(players: &mut Players, games: &[String]) {
    let mut took: Vec<Duration> = Vec::new();
    for number in 0..MEASURED {
        sleep(PAUSE);
        players.ask(&games[number % games.len()]);
        let since = Instant::now();
        while players.waiting() > 0 {
            players.look();
            sleep(Duration::from_millis(1));
        }
        took.push(since.elapsed());
    }
    took.sort();
    println!(
        "a letter from idle: {:.1?} (median of {MEASURED}; {:.1?} to {:.1?})",
        took[MEASURED / 2],
        took[0],
        took[MEASURED - 1]
    );
}

/// What a worker uses while it has nothing to do.
fn idle(worker: &Worker) {
    let before = used(worker);
    sleep(IDLE);
    let share = (used(worker) - before) / IDLE.as_secs_f64() * 100.0;
    println!("an idle worker: {share:.2} % of a processor");
}

/// The time from the start of a process until it is ready.
fn start(office: &mut Office, which: &str) -> Worker {
    let begun = Instant::now();
    let worker = office.serve(ALL, CONFIG);
    assert!(happens(|| worker.words().contains("ready: ")), "{}", worker.words());
    println!("{which} is ready {:.2?} after it was started", begun.elapsed());
    worker
}
