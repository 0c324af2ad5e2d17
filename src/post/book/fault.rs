/*! What can go wrong at a desk through no fault of a letter: the disk, the log, the book; and what the host can do. */

use super::book_error::BookError;
use ground::stamp::Stamp;
use mail::wire::hint;
use record::file::log::LogError;
use record::file::reading::NotFollowed;
use record::file::secrets::SecretsError;
use record::problem::Problem;
use record::table::table_error::TableError;
use std::{fmt, io};

/// Why the post office cannot go on. The letter in hand is taken up again later.
#[derive(Debug)]
pub enum PostError {
    Table(TableError),
    Book(BookError),
    File(io::Error),
    /// The folder of the games is not there.
    NoGames(io::Error),
    /// The log has lost records that this host has signed: it ends with `last`, and `lost` is missing.
    Incomplete {
        game: String,
        last: u64,
        lost: u64,
    },
    /// The game was put back from a backup, and it is not known what its players have seen since.
    Restored {
        game: String,
        last: u64,
        backup: Stamp,
    },
    /// The store has lost records that this worker has seen: the log ends with `last`, and had ended with `known`.
    Forgotten {
        game: String,
        last: u64,
        known: u64,
    },
    /// The player of a seat has answered a letter about the entry `seq`, which the log does not have.
    Unknown {
        game: String,
        seat: String,
        last: u64,
        seq: u64,
        until: Stamp,
    },
}

impl PostError {
    /// Whether another process is at work on the game, and will soon be done.
    pub fn is_busy(&self) -> bool {
        matches!(self, PostError::Table(TableError::Log(LogError::Busy { .. })))
    }

    /// Whether it is not known what the players have seen: they have been asked, and the game rests meanwhile.
    pub fn is_in_doubt(&self) -> bool {
        matches!(self, PostError::Restored { .. } | PostError::Unknown { .. })
    }

    /// Whether the disk or the database failed: that may be over soon, and concerns more than this game.
    pub fn is_outage(&self) -> bool {
        match self {
            PostError::File(_) | PostError::NoGames(_) => true,
            PostError::Book(error) => !matches!(error, BookError::NotUnderstood { .. }),
            PostError::Table(error) => matches!(
                error,
                TableError::Log(LogError::Read { .. } | LogError::Write { .. } | LogError::FailedBefore)
                    | TableError::Secrets(SecretsError::Read { .. } | SecretsError::Write { .. })
                    | TableError::Reading(NotFollowed::Stream(_))
            ),
            PostError::Incomplete { .. }
            | PostError::Restored { .. }
            | PostError::Forgotten { .. }
            | PostError::Unknown { .. } => false,
        }
    }

    /// What the host can do about it, if that is known.
    pub fn advice(&self) -> Option<&'static str> {
        match self {
            PostError::NoGames(error) => hint::of_file(error)
                .or(Some("is the disk mounted on which they lie? No letter is answered until they are there again")),
            PostError::Incomplete { .. } => Some(
                "put the newest copy of it back; or take the records from mail that players have, with `ringmail \
                 repair GAME --from MAIL`; or, if they are lost for good, go on with `ringmail repair GAME --without`",
            ),
            PostError::Unknown { .. } => Some(
                "he was asked to forward the letter that he has answered; if he does not, the game goes on by itself. \
                 If you know that no such letter went out, `ringmail restore --go-on GAME`",
            ),
            PostError::Restored { .. } | PostError::Forgotten { .. } => Some(
                "players were asked to forward the letters that came since; `ringmail restore` shows who has. If you \
                 know that no letter went out after the backup, `ringmail restore --go-on GAME`",
            ),
            PostError::File(error)
            | PostError::Book(BookError::Read { error, .. } | BookError::Write { error, .. })
            | PostError::Table(
                TableError::Log(LogError::Read { error, .. } | LogError::Write { error, .. })
                | TableError::Secrets(SecretsError::Read { error, .. } | SecretsError::Write { error, .. }),
            ) => hint::of_file(error),
            PostError::Table(TableError::Secrets(SecretsError::Missing { .. })) => Some(
                "put it back from a backup; without it the players can go on with another host (`ringmail handover \
                 adopt`)",
            ),
            PostError::Table(TableError::Unsound(problems))
                if problems.iter().any(|problem| matches!(problem, Problem::Prev { .. })) =>
            {
                Some(
                    "somebody or something has changed the log: `ringmail verify` names all that is wrong. Put it \
                     back from a backup, or from the mail of a player",
                )
            }
            PostError::Book(BookError::NotUnderstood { .. } | BookError::FailedBefore { .. }) | PostError::Table(_) => {
                None
            }
        }
    }
}

impl fmt::Display for PostError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PostError::Table(error) => error.fmt(formatter),
            PostError::Book(error) => error.fmt(formatter),
            PostError::File(error) | PostError::NoGames(error) => error.fmt(formatter),
            PostError::Incomplete { game, last, lost } => write!(
                formatter,
                "{game}: the log is older than letters that were written from it: it ends with #{last}, and this host \
                 has signed another #{lost}. Was it put back from a backup? Nothing is played until it is whole"
            ),
            PostError::Forgotten { game, last, known } => write!(
                formatter,
                "{game}: its log had an entry #{known}, and now ends with #{last}: the database, or the disk, has gone \
                 back. Nothing is played until it is known what the players have seen"
            ),
            PostError::Unknown { game, seat, last, seq, until } => write!(
                formatter,
                "{game}: {seat} has answered a letter about an entry #{seq} that the log, which ends with #{last}, \
                 does not have. Has it lost something? Nothing is played until he has forwarded that letter, or \
                 until {until}"
            ),
            PostError::Restored { game, last, backup } => write!(
                formatter,
                "the game {game} was put back from a backup of {backup}, with #{last} as its last entry. Nothing is \
                 played until it is known whether letters went out after that"
            ),
        }
    }
}

impl std::error::Error for PostError {}

impl From<TableError> for PostError {
    fn from(error: TableError) -> PostError {
        PostError::Table(error)
    }
}

impl From<BookError> for PostError {
    fn from(error: BookError) -> PostError {
        PostError::Book(error)
    }
}

impl From<io::Error> for PostError {
    fn from(error: io::Error) -> PostError {
        PostError::File(error)
    }
}
