/*! What can go wrong at a desk for reasons that no letter is to blame for: the disk, the log, the book. */

use super::book_error::BookError;
use crate::record::table::table_error::TableError;
use std::fmt;
use std::io;

/// Why the post office cannot go on. The letter in hand is taken up again later.
#[derive(Debug)]
pub enum PostError {
    Table(TableError),
    Book(BookError),
    File(io::Error),
}

impl fmt::Display for PostError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PostError::Table(error) => error.fmt(formatter),
            PostError::Book(error) => error.fmt(formatter),
            PostError::File(error) => error.fmt(formatter),
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
