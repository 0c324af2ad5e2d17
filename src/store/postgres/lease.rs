/*! Locks that end by themselves: leases.

A lease is a row. It can be taken if there is none for its word, or if the other one has expired, by the clock of the
database alone. A thread of this process renews all leases that the process holds; a lease is given back when it is
dropped. Each time a lease is taken it gets a new number, its epoch. While this process holds leases of a drawer,
every statement that writes into it also checks that all of them are still there: a process that slept for longer than
its lease writes nothing more under it, whether another worker has taken over or not. Only the lease under which
letters are sent guards no writing: if it is lost, the book says who has sent a letter.
*/

#![expect(clippy::disallowed_types, reason = "when a lease is renewed is no fact of a game")]

use super::Inner;
use super::failing::Stop;
use super::pool::{Connection, Pool};
use ground::disk::place::about;
use ground::files::SENDING;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{fmt, io, thread};
use store::home::{Hold, Lock};

/// The first pause before a lock that somebody else holds is tried again, and the longest.
const PAUSE: Duration = Duration::from_millis(5);
const PAUSE_MAX: Duration = Duration::from_millis(250);
/// A worker renews a letter that it has taken from the queue for at most this long; then other workers may take it.
const LETTER_MAX: Duration = Duration::from_secs(600);

/// The beginning of a statement that checks that the leases with the epochs `$2` of the drawer `$1` are still ours.
/// Nobody can take them over before the statement is done.
pub(super) const HELD: &str = "with held as (select epoch from ~lease where drawer = $1 and epoch = any($2)
    and until > clock_timestamp() for share)";
/// The condition in such a statement: all `$3` of them are.
pub(super) const IS_HELD: &str = "(select count(*) from held) = $3";

/// The leases of a drawer that this process holds.
#[derive(Clone, Debug, Default)]
pub(super) struct Fence {
    pub epochs: Vec<i64>,
    pub count: i64,
}

impl Fence {
    /// Checks that they are still ours; they stay so for the rest of the transaction.
    pub(super) fn must_hold(&self, connection: &mut Connection, drawer: &str) -> Result<(), Stop> {
        if self.count == 0 {
            return Ok(());
        }
        let sql = format!("{HELD} select {IS_HELD}");
        let row = connection.row(&sql, &[&drawer, &self.epochs, &self.count])?;
        if row.is_some_and(|row| row.get(0)) { Ok(()) } else { Err(taken_over(drawer).into()) }
    }
}

/// The error when a lease was lost.
pub(super) fn taken_over(drawer: &str) -> io::Error {
    io::Error::other(format!(
        "another worker has taken over {drawer:?}, or could have: this one was away for longer than its lease. Nothing \
         was written"
    ))
}

/// What this process holds and renews.
#[derive(Debug)]
pub(super) struct Leases {
    duration: Duration,
    worker: String,
    /// The number of the next attempt to take a lease.
    next: AtomicU64,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    held: Vec<Held>,
    letters: Vec<LetterHeld>,
    /// Attempts whose outcome is unknown.
    doubtful: Vec<Attempt>,
    is_renewed: bool,
    is_over: bool,
}

/// One attempt to take a lease, under a name that no other has: if the connection is lost before the database has
/// answered, the attempt is made again under the same name, and finds the row that it has made.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Attempt {
    drawer: String,
    word: String,
    /// Who holds the lease, for the database.
    holder: String,
}

#[derive(Debug)]
struct Held {
    drawer: String,
    word: String,
    epoch: i64,
    is_lost: bool,
}

#[derive(Debug)]
struct LetterHeld {
    id: i64,
    epoch: i64,
    since: Instant,
}

impl Leases {
    pub(super) fn new(duration: Duration, worker: String) -> Leases {
        Leases { duration, worker, next: AtomicU64::new(1), state: Mutex::default(), changed: Condvar::new() }
    }

    /// An attempt to take a lease. If an earlier one failed, it is continued, because nobody else does that.
    fn attempt(&self, drawer: &str, word: &str) -> Attempt {
        let doubtful = &mut self.state().doubtful;
        let before = doubtful.iter().position(|attempt| (&*attempt.drawer, &*attempt.word) == (drawer, word));
        before.map(|place| doubtful.swap_remove(place)).unwrap_or_else(|| {
            let holder = format!("{} {}", self.worker, self.next.fetch_add(1, Ordering::Relaxed));
            Attempt { drawer: drawer.to_owned(), word: word.to_owned(), holder }
        })
    }

    /// The length of a lease in milliseconds, for a statement.
    pub(super) fn milliseconds(&self) -> f64 {
        self.duration.as_secs_f64() * 1000.0
    }

    /// The leases of a drawer that this process holds, and under which it writes; an error if one was lost.
    pub(super) fn fence(&self, drawer: &str) -> io::Result<Fence> {
        let state = self.state();
        let held = state.held.iter().filter(|held| held.drawer == drawer && held.word != SENDING);
        let mut epochs = Vec::new();
        for held in held {
            if held.is_lost {
                return Err(taken_over(drawer));
            }
            epochs.push(held.epoch);
        }
        Ok(Fence { count: epochs.len().try_into().unwrap_or(i64::MAX), epochs })
    }

    /// Begins to renew a letter that was taken from the queue.
    pub(super) fn hold_letter(&self, id: i64, epoch: i64) {
        let mut state = self.state();
        state.letters.retain(|letter| letter.id != id);
        state.letters.push(LetterHeld { id, epoch, since: Instant::now() });
        self.changed.notify_all();
    }

    /// Stops renewing a letter, because it is known what became of it.
    pub(super) fn leave_letter(&self, id: i64) {
        self.state().letters.retain(|letter| letter.id != id);
    }

    /// Stops renewing.
    pub(super) fn end(&self) {
        self.state().is_over = true;
        self.changed.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Renews everything that is held, until this process no longer needs the database.
    fn renew(&self, pool: &Pool) {
        let third = self.duration / 3;
        let mut last = Instant::now();
        let mut wait = third;
        loop {
            let mut state = self.state();
            while !state.is_over && ((state.held.is_empty() && state.letters.is_empty()) || last.elapsed() < wait) {
                let is_idle = state.held.is_empty() && state.letters.is_empty();
                let pause = if is_idle { Duration::from_secs(3600) } else { wait.saturating_sub(last.elapsed()) };
                state = self.changed.wait_timeout(state, pause).unwrap_or_else(PoisonError::into_inner).0;
            }
            if state.is_over {
                return;
            }
            state.letters.retain(|letter| letter.since.elapsed() < LETTER_MAX);
            let epochs: Vec<i64> = state.held.iter().filter(|held| !held.is_lost).map(|held| held.epoch).collect();
            let letters: Vec<i64> = state.letters.iter().map(|letter| letter.epoch).collect();
            drop(state);
            last = Instant::now();
            let renewed = self.renewed(pool, &epochs, &letters);
            // If the database cannot be reached, tries again before the leases expire.
            wait = if renewed.is_ok() { third } else { third / 4 };
            let Ok(renewed) = renewed else { continue };
            let lost = |held: &Held| epochs.contains(&held.epoch) && !renewed.contains(&held.epoch);
            self.state().held.iter_mut().filter(|held| lost(held)).for_each(|held| held.is_lost = true);
        }
    }

    fn renewed(&self, pool: &Pool, epochs: &[i64], letters: &[i64]) -> io::Result<Vec<i64>> {
        let until = self.milliseconds();
        // Renewing twice does no harm.
        pool.read(|connection| {
            if !letters.is_empty() {
                let sql = "update ~letter_in set ready = clock_timestamp() + $2 * interval '1 millisecond'
                    where epoch = any($1)";
                connection.query(sql, &[&letters, &until])?;
            }
            if epochs.is_empty() {
                return Ok(Vec::new());
            }
            let sql = "update ~lease set until = clock_timestamp() + $2 * interval '1 millisecond'
                where epoch = any($1) and until > clock_timestamp() returning epoch";
            Ok(connection.query(sql, &[&epochs, &until])?.iter().map(|row| row.get(0)).collect())
        })
    }
}

/// Takes a lease, and waits up to `patience` while somebody else has it.
pub(super) fn lock(inner: &Arc<Inner>, drawer: &str, word: &str, patience: Duration) -> io::Result<Lock> {
    let since = Instant::now();
    let mut pause = PAUSE;
    let attempt = inner.leases.attempt(drawer, word);
    loop {
        match take(inner, &attempt) {
            Ok(Some(epoch)) => return Ok(Lock::of(hold(inner, attempt, epoch))),
            Ok(None) => {}
            // There is no such drawer, and no lease of it.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(error),
            Err(error) => {
                inner.leases.state().doubtful.push(attempt);
                return Err(error);
            }
        }
        let left = patience.saturating_sub(since.elapsed());
        if left.is_zero() {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        thread::sleep(pause.min(left));
        pause = (pause * 2).min(PAUSE_MAX);
    }
}

/// Takes a lease that is free or expired, or that the same attempt has taken already; otherwise `None`.
fn take(inner: &Inner, attempt: &Attempt) -> io::Result<Option<i64>> {
    let (leases, Attempt { drawer, word, holder }) = (&inner.leases, attempt);
    let sql = "with taken as (insert into ~lease (drawer, word, holder, epoch, until)
            select name, $2, $3, nextval('~epoch'), clock_timestamp() + $4 * interval '1 millisecond'
            from ~drawer where name = $1
            on conflict (drawer, word) do update set holder = excluded.holder, epoch = excluded.epoch,
                until = excluded.until where lease.until <= clock_timestamp() or lease.holder = excluded.holder
            returning epoch)
        select (select epoch from taken), exists (select 1 from ~drawer where name = $1)";
    // If this is done twice, the second time finds its own row.
    let taken = inner.pool.read(|connection| {
        let row = connection.row(sql, &[drawer, word, holder, &leases.milliseconds()])?;
        Ok(row.map_or((None, false), |row| (row.get::<_, Option<i64>>(0), row.get::<_, bool>(1))))
    });
    match taken.map_err(|error| about(&inner.place(drawer, word), &error))? {
        (None, false) => Err(about(&inner.place(drawer, ""), &io::ErrorKind::NotFound.into())),
        (epoch, _) => Ok(epoch),
    }
}

fn hold(inner: &Arc<Inner>, attempt: Attempt, epoch: i64) -> Leased {
    let mut state = inner.leases.state();
    let (drawer, word) = (attempt.drawer.clone(), attempt.word.clone());
    state.held.push(Held { drawer, word, epoch, is_lost: false });
    if !std::mem::replace(&mut state.is_renewed, true) {
        start(inner);
    }
    inner.leases.changed.notify_all();
    Leased { inner: inner.clone(), attempt, epoch }
}

/// Starts the thread that renews, once.
pub(super) fn begin(inner: &Arc<Inner>) {
    if !std::mem::replace(&mut inner.leases.state().is_renewed, true) {
        start(inner);
    }
}

fn start(inner: &Arc<Inner>) {
    let (leases, pool) = (inner.leases.clone(), inner.pool.clone());
    thread::spawn(move || leases.renew(&pool));
}

/// A lease that is held.
struct Leased {
    inner: Arc<Inner>,
    attempt: Attempt,
    epoch: i64,
}

impl fmt::Debug for Leased {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Leased").field("attempt", &self.attempt).finish_non_exhaustive()
    }
}

impl Hold for Leased {}

impl Drop for Leased {
    fn drop(&mut self) {
        self.inner.leases.state().held.retain(|held| held.epoch != self.epoch);
        self.inner.kept.forget(&self.attempt.drawer);
        let sql = "delete from ~lease where drawer = $1 and word = $2 and epoch = $3";
        let Attempt { drawer, word, .. } = &self.attempt;
        // Giving it back twice does no harm. If the database cannot be reached, the lease expires, or the next one in
        // this process that wants it takes it again.
        let given = self.inner.pool.read(|connection| connection.query(sql, &[drawer, word, &self.epoch]));
        if given.is_err() {
            self.inner.leases.state().doubtful.push(self.attempt.clone());
        }
    }
}
