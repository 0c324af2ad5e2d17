//! `verify --fingerprint`: the game in twelve words, for comparing by telephone.

use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::Games;
use crate::cli::paper;
use ground::hash::sha256;
use record::charter::plan::{newer_level, other_format};
use record::commit::words::{fingerprint, in_subject};
use record::entry::{Body, Entry};
use record::file::stream::Records;
use record::problem::Problem;

/// Prints twelve words that stand for the first record of a game.
///
/// That record fixes the game, its seats, its rules and the host's key. Nothing else of the log is read or checked.
pub fn run(log: &str, games: &Games) -> Done {
    let log = games.log(log)?;
    let mut records = Records::new(log.source);
    let first = records.next().map_err(|error| Failure::new(Exit::Malformed, format!("{}: {error}.", log.name)))?;
    let problem = match &first {
        None => Some(Problem::Empty),
        Some(record) => match (other_format(record.bytes), Entry::read(record.bytes)) {
            (Some(found), _) => Some(Problem::Format { found }),
            (None, Err(fault)) => newer_level(record.bytes).or(Some(Problem::Unreadable(fault))),
            (None, Ok(entry)) if !matches!(entry.body, Body::Genesis(_)) => {
                Some(Problem::FirstKind { found: entry.kind() })
            }
            (None, Ok(_)) => None,
        },
    };
    let (Some(record), None) = (&first, &problem) else {
        let problem = problem.unwrap_or(Problem::Empty);
        return Err(Failure::new(Exit::of_code(problem.exit_code()), format!("{}: {problem}.", log.name)));
    };
    let genesis = sha256(record.bytes);
    paper::line(&fingerprint(&genesis).join(" "))?;
    paper::line(&format!("In subjects: {}", in_subject(&genesis).join(" ")))?;
    // The record `start` covers what each seat has joined with.
    while let Ok(Some(record)) = records.next() {
        if record.bytes.split(|byte| *byte == b'\n').nth(4) == Some(b"type: \"start\"") {
            return paper::line(&format!("Of the start: {}", fingerprint(&sha256(record.bytes)).join(" ")));
        }
    }
    Ok(())
}
