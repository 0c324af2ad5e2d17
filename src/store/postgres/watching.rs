/*! Notifications of the database that something was put there, instead of polling: LISTEN and NOTIFY. An engine that
has neither is polled. */

use super::Inner;
use super::pool::{Connection, Pool};
use super::queue::LETTER_IN;
use ground::files::OUTBOX;
use postgres::fallible_iterator::FallibleIterator;
use std::sync::{Arc, Weak};
use std::time::Duration;
use std::{io, thread};
use store::home::Woken;

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
            let _ = self.pool.write(|connection| Ok(connection.query(sql, &[&self.channel, &message])?));
        }
    }
}

/// Whether the database can notify.
pub(super) fn can_tell(pool: &Pool, channel: &str) -> bool {
    pool.read(|connection| Ok(connection.query("select count(*) from pg_notify($1, '')", &[&channel])?)).is_ok()
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
    connection.tell(&format!("listen \"{channel}\"")).map_err(|error| super::failing::unreachable(&error))?;
    Ok(connection)
}

/// Listens until the connection is gone, or nobody wants to know any more.
fn listen(mut connection: Connection, life: &Weak<Inner>, wake: &dyn Fn(Woken)) {
    while life.strong_count() > 0 {
        {
            let mut notifications = connection.client().notifications();
            let mut told = notifications.timeout_iter(WAIT);
            loop {
                match told.next() {
                    Ok(Some(notification)) => wake(woken(notification.payload())),
                    Ok(None) => break,
                    Err(_) => return,
                }
            }
        }
        if connection.client().is_closed() {
            return;
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
