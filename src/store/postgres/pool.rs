/*! The connections of this process to the database, a few for all its threads.

A piece of work is done on one of them. If others were in the way, the work is done again. If the connection was lost,
or the database is silent, only reading is done again: the caller has to find out whether a write was done.

Nothing depends on which connection is used: every statement names the schema of the office (in the text of a
statement, `~` stands for it), and none is prepared under a name. So a pooler may stand in between that gives each
transaction to another session of the database.
*/

#![expect(clippy::disallowed_types, reason = "how old a connection is is no fact of a game")]

use super::address::Address;
use super::failing::{Failure, Stop, told, unreachable};
use super::tls::Rustls;
use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};
use std::{fmt, io, thread};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::yield_now;
use tokio::time::timeout;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{AsyncMessage, Client, Config, Row};

/// No process has more connections than this, besides the one on which it listens.
const CONNECTIONS_MAX: usize = 8;
/// How often a piece of work is done again when others were in the way.
const COLLISIONS_MAX: u32 = 12;
/// The first pause before it is done again; each is longer than the one before.
const PAUSE: Duration = Duration::from_millis(2);
/// A connection that was unused for this long is tested before it is used.
const IDLE: Duration = Duration::from_secs(30);
/// How long that test may take, and how long a new connection.
const TRYING: Duration = Duration::from_secs(5);
const CONNECTING: Duration = Duration::from_secs(10);
/// A statement that has no answer after this time gets none any more.
const SILENCE: Duration = Duration::from_secs(20);
/// The database itself ends a statement after this time, so that it holds nothing up when we have given it up.
const STATEMENT: Duration = Duration::from_secs(15);

/// A parameter of a statement. Its type is sent with the statement, so that the database need not be asked for it.
pub(super) trait Parameter: ToSql + Sync {
    /// Its type in the database.
    fn kind(&self) -> Type;
}

macro_rules! parameters {
    ($($ours:ty => $theirs:ident),* $(,)?) => {
        $(impl Parameter for $ours {
            fn kind(&self) -> Type {
                Type::$theirs
            }
        })*
    };
}

parameters! {
    &str => TEXT,
    String => TEXT,
    Option<String> => TEXT,
    &[&str] => TEXT_ARRAY,
    bool => BOOL,
    i32 => INT4,
    i64 => INT8,
    Option<i64> => INT8,
    &[i64] => INT8_ARRAY,
    Vec<i64> => INT8_ARRAY,
    f64 => FLOAT8,
    Vec<u8> => BYTEA,
    Option<Vec<u8>> => BYTEA,
    &[Vec<u8>] => BYTEA_ARRAY,
    Vec<Vec<u8>> => BYTEA_ARRAY,
    Option<SystemTime> => TIMESTAMPTZ,
}

/// The parameters of a statement.
pub(super) type Given<'a> = [&'a dyn Parameter];

/// A connection, with the event loop that it alone uses.
pub(super) struct Connection {
    client: Client,
    runtime: Runtime,
    /// The schema of the office, with the dot behind it.
    schema: String,
    told: UnboundedReceiver<String>,
    /// Why the connection has ended, if the database has said so.
    last_words: Arc<Mutex<Option<tokio_postgres::Error>>>,
    is_silent: bool,
    used: Instant,
}

impl Connection {
    /// Does one statement, and returns its rows.
    pub(super) fn query(&mut self, sql: &str, given: &Given<'_>) -> Result<Vec<Row>, Stop> {
        let sql = sql.replace('~', &self.schema);
        let given: Vec<(&(dyn ToSql + Sync), Type)> =
            given.iter().map(|one| (*one as &(dyn ToSql + Sync), one.kind())).collect();
        let done = self.runtime.block_on(async { timeout(SILENCE, self.client.query_typed(&sql, &given)).await });
        self.answer(done)
    }

    /// Does one statement, and returns its first row.
    pub(super) fn row(&mut self, sql: &str, given: &Given<'_>) -> Result<Option<Row>, Stop> {
        Ok(self.query(sql, given)?.into_iter().next())
    }

    /// Does statements that return nothing and are rare.
    pub(super) fn tell(&mut self, sql: &str) -> Result<(), Stop> {
        let sql = sql.replace('~', &self.schema);
        let done = self.runtime.block_on(async { timeout(SILENCE, self.client.batch_execute(&sql)).await });
        self.answer(done)
    }

    fn answer<T>(
        &mut self,
        done: Result<Result<T, tokio_postgres::Error>, tokio::time::error::Elapsed>,
    ) -> Result<T, Stop> {
        match done {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(error)) => {
                let words = self.last_words.lock().unwrap_or_else(PoisonError::into_inner).take();
                Err(Stop::Database(words.filter(|_| error.is_closed()).unwrap_or(error)))
            }
            Err(_) => {
                self.is_silent = true;
                Err(Stop::Silent(SILENCE))
            }
        }
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
                if !self.is_closed() {
                    let _ = self.tell("rollback");
                }
                Err(stop)
            }
        }
    }

    /// Waits for a notification; `None` if none came in this time.
    ///
    /// # Errors
    /// The connection has ended.
    pub(super) fn notification(&mut self, patience: Duration) -> Result<Option<String>, Stop> {
        match self.runtime.block_on(async { timeout(patience, self.told.recv()).await }) {
            Ok(Some(told)) => Ok(Some(told)),
            Ok(None) => Err(Stop::Silent(Duration::ZERO)),
            Err(_) => Ok(None),
        }
    }

    fn is_closed(&self) -> bool {
        self.is_silent || self.client.is_closed()
    }

    /// Whether it may be used. What the database has said since it was last used is read first: it may have ended the
    /// connection.
    fn is_fit(&mut self) -> bool {
        self.runtime.block_on(async {
            yield_now().await;
            yield_now().await;
        });
        if self.is_closed() || self.used.elapsed() < IDLE {
            return !self.is_closed();
        }
        matches!(self.runtime.block_on(async { timeout(TRYING, self.client.check_connection()).await }), Ok(Ok(())))
    }
}

/// All connections.
pub(super) struct Pool {
    address: Address,
    tls: Rustls,
    schema: String,
    /// The settings of a session, for a database that takes them with the connection.
    settings: String,
    /// Whether a pooler stands in between.
    is_pooled: AtomicBool,
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
    /// The connections to an office in this schema. A transaction that is left idle for as long as `lease`, such as
    /// when this machine sleeps, is ended.
    pub(super) fn new(address: Address, schema: &str, lease: Duration) -> io::Result<Pool> {
        let tls = Rustls::of(&address)?;
        let settings = format!(
            "-c statement_timeout={} -c idle_in_transaction_session_timeout={}",
            STATEMENT.as_millis(),
            lease.as_millis()
        );
        let (schema, is_pooled) = (format!("{schema}."), AtomicBool::new(false));
        Ok(Pool { address, tls, schema, settings, is_pooled, state: Mutex::default(), given_back: Condvar::new() })
    }

    /// Without user and password.
    pub(super) fn shown(&self) -> &str {
        &self.address.shown
    }

    /// Whether a pooler stands between us and the database, which may give each transaction another session.
    pub(super) fn is_pooled(&self) -> bool {
        self.is_pooled.load(Ordering::Relaxed)
    }

    /// Finds out whether a pooler stands in between: it has not passed on the settings of our session.
    pub(super) fn look_for_pooler(&self) -> io::Result<()> {
        let sql = "select current_setting('statement_timeout') = $1::text";
        let given = format!("{}s", STATEMENT.as_secs());
        let is_ours = self.read(|connection| Ok(connection.row(sql, &[&given])?.is_some_and(|row| row.get(0))));
        if !is_ours? {
            self.is_pooled.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    /// A new connection, which does not count as one of the pool.
    pub(super) fn connect(&self) -> io::Result<Connection> {
        if !self.is_pooled() {
            let mut config = self.address.config.clone();
            let own = config.get_options().map_or(String::new(), |own| format!("{own} "));
            config.options(format!("{own}{}", self.settings));
            match self.connect_by(&config) {
                // A pooler refuses to begin a session with settings of its own.
                Err(Stop::Database(error)) if error.code() == Some(&SqlState::PROTOCOL_VIOLATION) => {
                    self.is_pooled.store(true, Ordering::Relaxed);
                }
                connected => return connected.map_err(|stop| unreachable(&stop)),
            }
        }
        self.connect_by(&self.address.config).map_err(|stop| unreachable(&stop))
    }

    fn connect_by(&self, config: &Config) -> Result<Connection, Stop> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let connected = runtime.block_on(async { timeout(CONNECTING, config.connect(self.tls.clone())).await });
        let (client, mut connection) = connected.map_err(|_| Stop::Silent(CONNECTING))??;
        let (tell, told) = unbounded_channel();
        let last_words = Arc::new(Mutex::default());
        let words = last_words.clone();
        runtime.spawn(async move {
            while let Some(message) = poll_fn(|context| connection.poll_message(context)).await {
                match message {
                    Ok(AsyncMessage::Notification(told)) => drop(tell.send(told.payload().to_owned())),
                    Ok(_) => {}
                    Err(error) => {
                        *words.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                        return;
                    }
                }
            }
        });
        let (schema, used) = (self.schema.clone(), Instant::now());
        Ok(Connection { client, runtime, schema, told, last_words, is_silent: false, used })
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
        let (mut collisions, mut is_anew) = (0, false);
        loop {
            let mut borrowed = Borrowed { pool: self, connection: Some(self.take()?) };
            let connection = borrowed.connection.as_mut().expect("it was just taken");
            let stop = match work(connection) {
                Ok(done) => return Ok(done),
                Err(Stop::Refused(error)) => return Err(error),
                Err(stop) => stop,
            };
            let failure = match Failure::of(&stop) {
                _ if connection.is_closed() => Failure::Gone,
                failure => failure,
            };
            if matches!(failure, Failure::Gone | Failure::ReadOnly) {
                borrowed.connection = None;
                // What has ended one connection has probably ended all; and where nothing can be written, another
                // database may have taken over.
                self.state().idle.clear();
            }
            let is_done_again = match failure {
                Failure::Collision => collisions < COLLISIONS_MAX,
                Failure::Gone => !is_write && !is_anew,
                Failure::ReadOnly => !is_anew,
                Failure::Full | Failure::Said => false,
            };
            drop(borrowed);
            if !is_done_again {
                return Err(told(&stop, failure, is_write));
            }
            is_anew |= failure != Failure::Collision;
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
        let fit = idle.and_then(|mut connection| connection.is_fit().then_some(connection));
        let taken = fit.map_or_else(|| self.connect(), Ok);
        if taken.is_err() {
            self.give_back(None);
        }
        taken
    }

    fn give_back(&self, connection: Option<Connection>) {
        let mut state = self.state();
        state.used -= 1;
        state.idle.extend(connection.filter(|connection| !connection.is_closed()));
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
