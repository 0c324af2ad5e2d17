//! The cost of an office in a database, measured on this machine: letters per second with one or more workers, and in
//! a folder for comparison.

use crate::office::{Office, Worker};
use crate::players::Players;
use crate::servers::postgres::Database;
use crate::{ALL, CONFIG, found, per_second, play};
use std::fs;
use std::path::Path;

/// Ticks of the processor's clock in a second, as Linux counts them.
const TICKS: f64 = 100.0;

/// Measures everything.
pub fn measure(program: &Path, games: usize, letters: u32) {
    println!("load before: {}", fs::read_to_string("/proc/loadavg").unwrap_or_default().trim());
    let database = Database::durable().expect("PostgreSQL is not installed");
    for workers in [1, 2, 4] {
        let home = tempfile::tempdir().unwrap();
        let more = format!("office: workers-{workers}");
        let mut office = Office::found(home.path(), program, Some((&database.url(), &more)));
        let serving = speed(&mut office, workers, games, letters);
        serving.into_iter().for_each(Worker::stop);
    }
    let home = tempfile::tempdir().unwrap();
    let mut office = Office::found(home.path(), program, None);
    speed(&mut office, 0, games, letters).into_iter().for_each(Worker::stop);
    println!("load after: {}", fs::read_to_string("/proc/loadavg").unwrap_or_default().trim());
}

/// Letters per second with `workers` workers; with 0, by the one process that serves a folder.
fn speed(office: &mut Office, workers: usize, games: usize, letters: u32) -> Vec<Worker> {
    let names = found(office, games);
    let mut players = Players::new(&office.home, letters);
    let serving: Vec<Worker> = (0..workers.max(1)).map(|_| office.serve(ALL, CONFIG)).collect();
    let used = || serving.iter().map(used).sum::<f64>();
    let took = play(&mut players, names.len()).as_secs_f64();
    let rate = per_second(players.sent(), took);
    let where_they_are = if workers == 0 { "in a folder".to_owned() } else { format!("{workers} workers") };
    println!(
        "{where_they_are}: {} letters in {took:.1} s, {rate:.1} a second; the workers used {:.1} s",
        players.sent(),
        used()
    );
    players.check();
    serving
}

/// The processor time of a worker, in seconds.
pub fn used(worker: &Worker) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{}/stat", worker.id())).unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
    let ticks = |field: usize| fields.get(field).and_then(|ticks| ticks.parse::<f64>().ok()).unwrap_or_default();
    (ticks(11) + ticks(12)) / TICKS
}
