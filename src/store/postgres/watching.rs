/*! Notifications of the database that something was put there, instead of polling: LISTEN and NOTIFY. An engine that
has neither is polled. */

use super::Inner;
use super::failing::Stop;
use super::pool::{Connection, Pool};
use super::queue::LETTER_IN;
use ground::files::OUTBOX;
use std::sync::{Arc, Weak};
use std::time::Duration;
use std::{io, thread};
use store::home::{Footing, Woken};
use tokio_postgres::Row;

/// How long one wait lasts; then it is checked whether anybody still wants to know.
const WAIT: Duration = Duration::from_secs(1);
/// The first pause before a database that is gone is tried again, and the longest.
const PAUSE: Duration = Duration::from_millis(50);
const PAUSE_MAX: Duration = Duration::from_secs(5);

impl Inner {
    /// Notifies all watchers. If that fails, they look a little later.
    pub(super) fn tell(&self, message: &str) {
        if self.listens() {
            let sql = "select count(*) from pg_notify($1, $2)";
            let _ = self.pool.write(|connection| connection.query(sql, &[&self.channel, &message]));
        }
    }
}

/// Whether the database can notify, and a notification reaches the session that listens.
pub(super) fn can_tell(pool: &Pool, channel: &str) -> bool {
    !pool.is_pooled()
        && pool.read(|connection| connection.query("select count(*) from pg_notify($1, '')", &[&channel])).is_ok()
}

/// Whether commits wait for a standby. An engine other than PostgreSQL may not say that.
pub(super) fn footing(pool: &Pool) -> io::Result<Option<Footing>> {
    let sql = "select (select count(*) from pg_stat_replication),
        current_setting('synchronous_standby_names') <> ''
            and current_setting('synchronous_commit') not in ('off', 'local')";
    let asked = pool.read(|connection| match connection.row(sql, &[]) {
        Err(Stop::Database(error)) if error.as_db_error().is_some_and(|said| said.code().code().starts_with("42")) => {
            Ok(None)
        }
        asked => asked,
    });
    let is_pooled = pool.is_pooled();
    let read =
        |row: Row| Footing { standbys: row.get::<_, i64>(0).unsigned_abs(), is_synchronous: row.get(1), is_pooled };
    Ok(asked?.map(read))
}

/// Calls `wake` from a separate thread whenever something was put there.
pub(super) fn watch(inner: &Arc<Inner>, wake: Box<dyn Fn(Woken) + Send>) -> io::Result<()> {
    let (pool, life, channel) = (inner.pool.clone(), Arc::downgrade(inner), inner.channel.clone());
    if !inner.listens() {
        thread::spawn(move || {
            while life.strong_count() > 0 {
                thread::sleep(WAIT);
                wake(Woken::Anything);
            }
        });
        return Ok(());
    }
    // Connects at once, to report if it cannot listen at all.
    let mut connection = Some(listening(&pool, &channel)?);
    thread::spawn(move || {
        let mut pause = PAUSE;
        while life.strong_count() > 0 {
            if let Some(listened) = connection.take().or_else(|| listening(&pool, &channel).ok()) {
                pause = PAUSE;
                // Something may have been put there before this connection was made.
                wake(Woken::Anything);
                listen(listened, &life, &*wake);
            }
            thread::sleep(pause);
            pause = (pause * 2).min(PAUSE_MAX);
        }
    });
    Ok(())
}

/// A connection that listens.
fn listening(pool: &Pool, channel: &str) -> io::Result<Connection> {
    let mut connection = pool.connect()?;
    connection.tell(&format!("listen \"{channel}\"")).map_err(|stop| super::failing::unreachable(&stop))?;
    Ok(connection)
}

/// Listens until the connection is gone, or nobody wants to know any more.
fn listen(mut connection: Connection, life: &Weak<Inner>, wake: &dyn Fn(Woken)) {
    while life.strong_count() > 0 {
        match connection.notification(WAIT) {
            Ok(Some(message)) => wake(woken(&message)),
            Ok(None) => {}
            Err(_) => return,
        }
    }
}

fn woken(message: &str) -> Woken {
    match message.split_once(' ') {
        None if message == LETTER_IN => Woken::LetterIn,
        Some((OUTBOX, drawer)) => Woken::LetterOut(drawer.to_owned()),
        _ => Woken::Anything,
    }
}
