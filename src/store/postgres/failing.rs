//! What can go wrong with a database, and what to do then; the messages are made here.

use std::io;
use std::time::Duration;
use tokio_postgres::error::SqlState;

/// Why a piece of work with a database stopped.
pub(super) enum Stop {
    /// The database or the connection failed.
    Database(tokio_postgres::Error),
    /// The database did not answer within this time.
    Silent(Duration),
    /// We stopped, and nothing was written.
    Refused(io::Error),
}

impl From<tokio_postgres::Error> for Stop {
    fn from(error: tokio_postgres::Error) -> Stop {
        Stop::Database(error)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Refused(error)
    }
}

impl Stop {
    /// The code of the database's error, if it has reported one.
    pub(super) fn code(&self) -> Option<&SqlState> {
        match self {
            Stop::Database(error) => error.code(),
            Stop::Silent(_) | Stop::Refused(_) => None,
        }
    }

    /// Whether something with that name was there already.
    pub(super) fn is_taken(&self) -> bool {
        self.code() == Some(&SqlState::UNIQUE_VIOLATION)
    }

    /// The message of the database, without the values that it concerns.
    fn said(&self) -> String {
        match self {
            Stop::Silent(patience) => format!("it gave no answer for {} seconds", patience.as_secs()),
            Stop::Refused(error) => error.to_string(),
            Stop::Database(error) => match (error.as_db_error(), std::error::Error::source(error)) {
                (Some(error), _) => format!("{} ({})", error.message(), error.code().code()),
                (None, Some(source)) => source.to_string(),
                (None, None) => error.to_string(),
            },
        }
    }
}

/// What kind of failure it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// Others were in the way; nothing was done, and it may be tried again.
    Collision,
    /// The connection is gone. Whether a write was done is not known: the database may say that it ends the
    /// connection after it has done what it does not confirm any more.
    Gone,
    /// The database cannot be written now, at least on this connection; nothing was done.
    ReadOnly,
    /// The database has no room left.
    Full,
    /// The database reported another error.
    Said,
}

impl Failure {
    pub(super) fn of(stop: &Stop) -> Failure {
        let Some(code) = stop.code() else { return Failure::Gone };
        match *code {
            SqlState::T_R_SERIALIZATION_FAILURE | SqlState::T_R_DEADLOCK_DETECTED | SqlState::LOCK_NOT_AVAILABLE => {
                Failure::Collision
            }
            SqlState::READ_ONLY_SQL_TRANSACTION => Failure::ReadOnly,
            SqlState::ADMIN_SHUTDOWN
            | SqlState::CRASH_SHUTDOWN
            | SqlState::CANNOT_CONNECT_NOW
            | SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT => Failure::Gone,
            SqlState::DISK_FULL => Failure::Full,
            // Class 08: the connection.
            _ if code.code().starts_with("08") => Failure::Gone,
            _ => Failure::Said,
        }
    }
}

/// The error of a database that cannot be reached. It never says that something is not there.
pub(super) fn unreachable(stop: &Stop) -> io::Error {
    io::Error::new(io::ErrorKind::NotConnected, format!("the database cannot be reached: {}", stop.said()))
}

/// The error of a piece of work that failed.
pub(super) fn told(stop: &Stop, failure: Failure, is_write: bool) -> io::Error {
    let said = stop.said();
    match failure {
        Failure::Gone if is_write => io::Error::new(
            io::ErrorKind::ConnectionAborted,
            format!("the connection to the database was lost, and whether it has written is not known: {said}"),
        ),
        Failure::Gone => unreachable(stop),
        Failure::ReadOnly => {
            io::Error::other(format!("the database takes no changes now, as a standby or one in maintenance: {said}"))
        }
        Failure::Full => io::Error::new(io::ErrorKind::StorageFull, said),
        Failure::Collision => io::Error::other(format!("others were in the way again and again: {said}")),
        Failure::Said => io::Error::other(format!("the database says: {said}")),
    }
}
