/*! The connections of this process to the database, a few for all its threads.

A piece of work is done on one of them. If others were in the way, or if the database has ended the connection before
it did anything, the work is done again. If the connection is lost in another way, the next piece gets a new one, and
only reading is done again: the caller has to find out whether a write was done.
*/

#![expect(clippy::disallowed_types, reason = "how old a connection is is no fact of a game")]

use super::address::Address;
use super::failing::{Failure, Stop, told, unreachable};
use super::tls::Rustls;
use postgres::types::ToSql;
use postgres::{Client, Row, Statement};
use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{fmt, io, thread};

/// No process has more connections than this, besides the one on which it listens.
const CONNECTIONS_MAX: usize = 8;
/// How often a piece of work is done again when others were in the way.
const COLLISIONS_MAX: u32 = 12;
/// How often it is done again when the database has ended the connection before it did anything.
const ENDED_MAX: u32 = 3;
/// The first pause before it is done again; each is longer than the one before.
const PAUSE: Duration = Duration::from_millis(2);
/// A connection that was unused for this long is tested before it is used.
const IDLE: Duration = Duration::from_secs(2);
/// How long that test may take.
const TRYING: Duration = Duration::from_secs(5);

/// The parameters of a statement.
pub(super) type Given<'a> = [&'a (dyn ToSql + Sync)];

/// A connection, with the statements that it knows.
pub(super) struct Connection {
    client: Client,
    prepared: BTreeMap<String, Statement>,
    used: Instant,
}

impl Connection {
    /// Does one statement, and returns its rows.
    pub(super) fn query(&mut self, sql: &str, given: &Given<'_>) -> Result<Vec<Row>, postgres::Error> {
        if !self.prepared.contains_key(sql) {
            let prepared = self.client.prepare(sql)?;
            self.prepared.insert(sql.to_owned(), prepared);
        }
        self.client.query(&self.prepared[sql], given)
    }

    /// Does one statement, and returns its first row.
    pub(super) fn row(&mut self, sql: &str, given: &Given<'_>) -> Result<Option<Row>, postgres::Error> {
        Ok(self.query(sql, given)?.into_iter().next())
    }

    /// Does statements that return nothing and are rare.
    pub(super) fn tell(&mut self, sql: &str) -> Result<(), postgres::Error> {
        self.client.batch_execute(sql)
    }

    /// Does several statements as one: all of them, or none.
    pub(super) fn together<T>(&mut self, work: impl FnOnce(&mut Connection) -> Result<T, Stop>) -> Result<T, Stop> {
        self.tell("begin")?;
        match work(self) {
            Ok(done) => {
                self.tell("commit")?;
                Ok(done)
            }
            Err(stop) => {
                // If this fails, the connection is gone, and the database rolls everything back by itself.
                let _ = self.tell("rollback");
                Err(stop)
            }
        }
    }

    /// The client itself, to listen.
    pub(super) fn client(&mut self) -> &mut Client {
        &mut self.client
    }
}

/// All connections.
pub(super) struct Pool {
    address: Address,
    tls: Rustls,
    /// The first statements on every connection.
    greeting: String,
    state: Mutex<State>,
    given_back: Condvar,
}

#[derive(Default)]
struct State {
    idle: Vec<Connection>,
    /// How many are in use.
    used: usize,
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool").field("address", &self.address.shown).finish_non_exhaustive()
    }
}

impl Pool {
    pub(super) fn new(address: Address, greeting: String) -> io::Result<Pool> {
        let tls = Rustls::of(&address)?;
        Ok(Pool { address, tls, greeting, state: Mutex::default(), given_back: Condvar::new() })
    }

    /// Without user and password.
    pub(super) fn shown(&self) -> &str {
        &self.address.shown
    }

    /// A new connection, which does not count as one of the pool.
    pub(super) fn connect(&self) -> io::Result<Connection> {
        let connected = self.address.config.connect(self.tls.clone()).and_then(|mut client| {
            client.batch_execute(&self.greeting)?;
            Ok(client)
        });
        let client = connected.map_err(|error| unreachable(&error))?;
        Ok(Connection { client, prepared: BTreeMap::new(), used: Instant::now() })
    }

    /// Does a piece of work that changes nothing, or does no harm if it is done twice.
    pub(super) fn read<T>(&self, work: impl FnMut(&mut Connection) -> Result<T, Stop>) -> io::Result<T> {
        self.work(false, work)
    }

    /// Does a piece of work that changes something.
    pub(super) fn write<T>(&self, work: impl FnMut(&mut Connection) -> Result<T, Stop>) -> io::Result<T> {
        self.work(true, work)
    }

    fn work<T>(&self, is_write: bool, mut work: impl FnMut(&mut Connection) -> Result<T, Stop>) -> io::Result<T> {
        let (mut collisions, mut ended, mut was_gone) = (0, 0, false);
        loop {
            let mut borrowed = Borrowed { pool: self, connection: Some(self.take()?) };
            let connection = borrowed.connection.as_mut().expect("it was just taken");
            let error = match work(connection) {
                Ok(done) => return Ok(done),
                Err(Stop::Refused(error)) => return Err(error),
                Err(Stop::Database(error)) => error,
            };
            let failure = match Failure::of(&error) {
                Failure::Ended => Failure::Ended,
                _ if connection.client.is_closed() => Failure::Gone,
                failure => failure,
            };
            if matches!(failure, Failure::Ended | Failure::Gone) {
                borrowed.connection = None;
                // What has ended one connection has probably ended all.
                self.state().idle.clear();
            }
            let is_done_again = match failure {
                Failure::Collision => collisions < COLLISIONS_MAX,
                Failure::Ended => ended < ENDED_MAX,
                Failure::Gone => !is_write && !was_gone,
                Failure::Full | Failure::Said => false,
            };
            drop(borrowed);
            if !is_done_again {
                return Err(told(&error, failure, is_write));
            }
            was_gone |= failure == Failure::Gone;
            ended += u32::from(failure == Failure::Ended);
            collisions += u32::from(failure == Failure::Collision);
            thread::sleep(PAUSE * collisions * collisions);
        }
    }

    /// Takes one of the connections, or makes one; waits while all are in use.
    fn take(&self) -> io::Result<Connection> {
        let mut state = self.state();
        while state.used >= CONNECTIONS_MAX {
            state = self.given_back.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.used += 1;
        let idle = state.idle.pop();
        drop(state);
        let fit = idle.and_then(|mut connection| {
            let is_fresh = !connection.client.is_closed() && connection.used.elapsed() < IDLE;
            (is_fresh || connection.client.is_valid(TRYING).is_ok()).then_some(connection)
        });
        let taken = fit.map_or_else(|| self.connect(), Ok);
        if taken.is_err() {
            self.give_back(None);
        }
        taken
    }

    fn give_back(&self, connection: Option<Connection>) {
        let mut state = self.state();
        state.used -= 1;
        state.idle.extend(connection.filter(|connection| !connection.client.is_closed()));
        drop(state);
        self.given_back.notify_one();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection that is given back when the work is done, or has panicked.
struct Borrowed<'a> {
    pool: &'a Pool,
    connection: Option<Connection>,
}

impl Drop for Borrowed<'_> {
    fn drop(&mut self) {
        let mut kept = self.connection.take().filter(|_| !thread::panicking());
        if let Some(connection) = &mut kept {
            connection.used = Instant::now();
        }
        self.pool.give_back(kept);
    }
}
