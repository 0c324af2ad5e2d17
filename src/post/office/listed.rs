//! The seats and secrets of a game whose desk is not open, as a letter is compared with them.

use crate::names::message_id;
use record::entry::{Body, Entry};
use record::file::log::{self, LogError};
use record::file::reading::NotFollowed;
use record::file::secrets::{Secrets, SecretsError};
use record::file::stream::{Records, StreamError};
use record::problem::Problem;
use record::table::table_error::TableError;
use std::io::Read;
use store::drawer::Drawer;

/// What the files of a game contain.
pub(super) struct Listed {
    /// The seats of its charter.
    pub(super) seats: Vec<String>,
    /// `None` if another host has taken the game over.
    pub(super) secrets: Option<Secrets>,
}

impl Listed {
    /// Reads a game; `None` if there is none of this name.
    pub(super) fn read(drawer: &Drawer, game: &str) -> Result<Option<Listed>, TableError> {
        // Only a valid name may name a game: it becomes part of a path.
        if !message_id::is_game(game) {
            return Ok(None);
        }
        let mut records = match log::read_log(drawer) {
            Err(LogError::NoLog { .. }) => return Ok(None),
            records => records?,
        };
        let secrets = match Secrets::read(drawer) {
            Err(SecretsError::HandedOver { .. }) => None,
            secrets => Some(secrets?),
        };
        Ok(Some(Listed { seats: seats_of_charter(&mut records)?, secrets }))
    }
}

fn seats_of_charter(records: &mut Records<impl Read>) -> Result<Vec<String>, NotFollowed> {
    let line = records.line();
    let damaged = |problem| NotFollowed::Unverified { line, problem: Box::new(problem) };
    let first = records.next()?.ok_or(StreamError::NotARecord { line, found: String::new() })?;
    let entry = Entry::read(first.bytes).map_err(|fault| damaged(Problem::Unreadable(fault)))?;
    match &entry.body {
        Body::Genesis(genesis) => Ok(genesis.seats.iter().map(|seat| seat.seat.to_string()).collect()),
        body => Err(damaged(Problem::FirstKind { found: body.kind() })),
    }
}
