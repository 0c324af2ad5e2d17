/*! An office in a database, served by several processes of the real program that die, sleep and lose their database:
every letter is answered once, and every log verifies.
*/

#[path = "workers/check.rs"]
mod check;
#[path = "workers/office.rs"]
#[allow(dead_code, reason = "the example uses more of it")]
mod office;
#[path = "workers/players.rs"]
#[allow(dead_code, reason = "the example uses more of it")]
mod players;

use crate::servers::happens;
use crate::servers::postgres::{Database, programs};
use office::{Office, Worker};
use players::Players;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;
use tempfile::TempDir;

const GAMES: usize = 8;
/// The letters of each player about his game.
const LETTERS: u32 = 4;
/// The pause between two looks of the players, and the looks between two kills of a worker.
const PAUSE: Duration = Duration::from_millis(30);
const KILL_EVERY: u32 = 12;
/// The most times that a worker is stopped until it holds a game.
const STOPS_MAX: u32 = 400;

/// An office with its games and players, and its own database.
struct Played {
    home: TempDir,
    database: Database,
    office: Office,
    players: Players,
    games: Vec<String>,
}

impl Played {
    fn new() -> Option<Played> {
        let (home, database) = (tempfile::tempdir().unwrap(), Database::start()?);
        let program = Path::new(env!("CARGO_BIN_EXE_ringmail"));
        let office = Office::found(home.path(), program, Some((&database.url_with("sslmode=disable"), "lease: 1")));
        let games: Vec<String> = (1..=GAMES).map(|number| format!("g{number}")).collect();
        games.iter().for_each(|game| office.invite(game));
        let players = Players::new(home.path(), LETTERS);
        Some(Played { home, database, office, players, games })
    }

    fn serve(&mut self, roles: &str) -> Worker {
        self.office.serve(roles, "ringmail.yaml")
    }

    /// The players continue until everything is answered, and nothing waits any more.
    #[track_caller]
    fn must_end(&mut self) {
        let is_done = happens(|| {
            self.players.look();
            self.players.are_done(GAMES)
        });
        assert!(is_done, "{} letters have no answer: {}", self.players.waiting(), self.office.told());
        assert!(happens(|| check::rests(&self.office)), "{}", self.office.told());
        self.players.look();
    }

    fn check(&self) {
        self.players.check();
        check::at_rest(&self.office, &self.games);
    }

    /// Which process holds each game, according to the readable column of the database.
    fn holders(&self) -> String {
        let mut psql = Command::new(programs().join("psql"));
        psql.args([&self.database.url(), "-Atc", "select drawer, holder from ringmail.lease where drawer ~ '^g'"]);
        let output = psql.output().unwrap();
        assert!(output.status.success(), "{}", office::words(&output));
        String::from_utf8(output.stdout).unwrap()
    }
}

#[test]
fn workers_that_are_killed_again_and_again_answer_every_letter_once() {
    let Some(mut played) = Played::new() else { return };
    let mut workers: Vec<Worker> = (0..3).map(|_| played.serve("in,play,out")).collect();
    let mut steps = 0;
    while !played.players.are_done(GAMES) {
        played.players.look();
        sleep(PAUSE);
        steps += 1;
        assert!(steps < 4_000, "{} letters have no answer: {}", played.players.waiting(), played.office.told());
        if steps % KILL_EVERY == 0 && steps < 10 * KILL_EVERY {
            workers.remove(0).kill();
            workers.push(played.serve("in,play,out"));
        }
        match steps {
            40 => played.database.restart("fast"),
            80 => played.database.restart("immediate"),
            _ => {}
        }
    }
    played.must_end();
    workers.into_iter().for_each(Worker::stop);
    played.check();
}

/// A worker sleeps with the lock of a game for longer than its lease: others continue, and its later writes are
/// refused.
#[test]
fn a_worker_that_wakes_up_after_its_lease_plays_nothing_twice() {
    let Some(mut played) = Played::new() else { return };
    let (sleeper, other) = (played.serve("in,play,out"), played.serve("in,play,out"));
    let mut slept = false;
    for stop in 0..STOPS_MAX {
        played.players.look();
        if played.players.are_done(GAMES) {
            // The worker must have something to do.
            played.games.iter().for_each(|game| played.players.ask(game));
        }
        sleep(Duration::from_millis(u64::from(stop % 7)));
        sleeper.signal("-STOP");
        let id = format!(" {} ", sleeper.id());
        if let Some(held) = played.holders().lines().find(|line| line.contains(&id)) {
            let game = held.split('|').next().unwrap().to_owned();
            // Another worker takes the game over after the lease.
            played.players.ask(&game);
            let is_free = happens(|| {
                played.players.look();
                !played.holders().lines().any(|line| line.starts_with(&format!("{game}|")) && line.contains(&id))
            });
            assert!(is_free, "{game}: {}", played.office.told());
            slept = true;
        }
        sleeper.signal("-CONT");
        if slept {
            break;
        }
    }
    assert!(slept, "it never held a game");
    played.must_end();
    sleeper.stop();
    other.stop();
    played.check();
}

/// A password in a URL would be stored in the configuration.
#[test]
fn no_password_of_a_database_is_written_down() {
    let home = tempfile::tempdir().unwrap();
    let mut init = Command::new(env!("CARGO_BIN_EXE_ringmail"));
    init.args(["init", "--mailbox", "box@play.example", "--store", "postgres://ringmail:mellon@localhost/games"]);
    let told =
        init.current_dir(home.path()).env_remove("RINGMAIL_GAMES").env_remove("RINGMAIL_CONFIG").output().unwrap();
    let words = office::words(&told);
    assert!(
        told.status.code() == Some(2) && words.contains("holds no password") && !words.contains("mellon"),
        "{words}"
    );
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
}

#[test]
fn each_role_can_be_a_process_of_its_own() {
    let Some(mut played) = Played::new() else { return };
    let workers = ["in", "play", "out"].map(|role| played.serve(role));
    played.must_end();
    let [reader, player, sender] = workers;
    // Without the worker that plays, letters stay in the queue; they can be played without the way out.
    player.stop();
    played.players.ask("g1");
    let queued = || played.office.does(&["status"]).contains("letters that wait to be played: 1, ");
    assert!(happens(queued), "{}", played.office.does(&["status"]));
    sender.stop();
    let player = played.serve("play");
    let unsent = || !played.office.does(&["queue"]).contains("No letter waits");
    assert!(happens(unsent), "{}", played.office.told());
    assert_eq!(played.players.waiting(), 1);
    let sender = played.serve("out");
    played.must_end();
    [reader, player, sender].into_iter().for_each(Worker::stop);
    played.check();
    // A backup of it becomes another office in the database, which nobody has served yet.
    played.office.does(&["backup", "office.tar.gz"]);
    let config = fs::read_to_string(played.home.path().join("ringmail.yaml")).unwrap();
    fs::write(played.home.path().join("again.yaml"), config.replace("lease: 1", "lease: 1, office: again")).unwrap();
    let told = played.office.does(&["--config", "again.yaml", "restore", "office.tar.gz"]);
    assert!(told.contains(&format!("{GAMES} games are in postgres://")), "{told}");
    let status = played.office.does(&["--config", "again.yaml", "status"]);
    assert!(status.contains("has never run here"), "{status}");
    let log = |config| played.office.does(&["--config", config, "export", "g1"]);
    assert_eq!(log("ringmail.yaml"), log("again.yaml"));
}
