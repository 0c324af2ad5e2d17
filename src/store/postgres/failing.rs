//! What can go wrong with a database, and what to do then; the messages are made here.

use postgres::error::SqlState;
use std::io;

/// Why a piece of work with a database stopped.
pub(super) enum Stop {
    /// The database or the connection failed.
    Database(postgres::Error),
    /// We stopped, and nothing was written.
    Refused(io::Error),
}

impl From<postgres::Error> for Stop {
    fn from(error: postgres::Error) -> Stop {
        Stop::Database(error)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Refused(error)
    }
}

/// What kind of failure it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// Others were in the way; nothing was done, and it may be tried again.
    Collision,
    /// The database has ended the connection before it did anything: its message answers a statement that it did not
    /// do.
    Ended,
    /// The connection is gone. Whether a write was done is not known.
    Gone,
    /// The database has no room left.
    Full,
    /// The database reported another error.
    Said,
}

impl Failure {
    pub(super) fn of(error: &postgres::Error) -> Failure {
        let Some(code) = error.code() else { return Failure::Gone };
        match *code {
            SqlState::T_R_SERIALIZATION_FAILURE | SqlState::T_R_DEADLOCK_DETECTED => Failure::Collision,
            SqlState::ADMIN_SHUTDOWN => Failure::Ended,
            SqlState::CRASH_SHUTDOWN | SqlState::CANNOT_CONNECT_NOW | SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT => {
                Failure::Gone
            }
            SqlState::DISK_FULL => Failure::Full,
            // Class 08: the connection.
            _ if code.code().starts_with("08") => Failure::Gone,
            _ => Failure::Said,
        }
    }
}

/// Whether something with that name was there already.
pub(super) fn is_taken(error: &postgres::Error) -> bool {
    error.code() == Some(&SqlState::UNIQUE_VIOLATION)
}

/// The message of the database, without the values that it concerns.
fn said(error: &postgres::Error) -> String {
    match error.as_db_error() {
        Some(error) => format!("{} ({})", error.message(), error.code().code()),
        None => match std::error::Error::source(error) {
            Some(source) => source.to_string(),
            None => error.to_string(),
        },
    }
}

/// The error of a database that cannot be reached. It never says that something is not there.
pub(super) fn unreachable(error: &postgres::Error) -> io::Error {
    io::Error::new(io::ErrorKind::NotConnected, format!("the database cannot be reached: {}", said(error)))
}

/// The error of a piece of work that failed.
pub(super) fn told(error: &postgres::Error, failure: Failure, is_write: bool) -> io::Error {
    let said = said(error);
    match failure {
        Failure::Gone if is_write => io::Error::new(
            io::ErrorKind::ConnectionAborted,
            format!("the connection to the database was lost, and whether it has written is not known: {said}"),
        ),
        Failure::Ended | Failure::Gone => unreachable(error),
        Failure::Full => io::Error::new(io::ErrorKind::StorageFull, said),
        Failure::Collision => io::Error::other(format!("others were in the way again and again: {said}")),
        Failure::Said => io::Error::other(format!("the database says: {said}")),
    }
}
