//! Requests for a host that players make by letter, made at the keyboard in the same words.

use crate::cli::exit::{Exit, Failure};
use crate::cli::games::{self, sentence};
use crate::cli::keyboard::at_keyboard;
use crate::cli::now::now;
use crate::cli::paper;
use crate::titles;
use engine::seat::Seat;
use mail::letter::spelling;
use post::desk::{Desk, enclosure, objection};
use post::order::request::table::Who;
use post::order::request::{self, Asked, Request};
use record::entry::Head;
use record::entry::acts::NO_REASON;
use record::entry::body::Correcting;
use record::fold::Phase;
use record::fold::council::Proposal;
use record::table::Table;
use record::table::table_error::TableError;
use report::columns::LETTER;
use report::requests;

/// The request that a line makes; `None` if the line belongs to the game: the open question reads it, or no request
/// begins with its first word, or only guests could make it and the game has started.
///
/// # Errors
/// The line begins with the word of a request and goes wrong behind it.
pub fn asked(table: &Table, seat: Option<Seat>, line: &str) -> Result<Option<Asked>, Failure> {
    if seat.is_some_and(|seat| table.read(seat, line).is_ok()) {
        return Ok(None);
    }
    let is_open = |who: Who| who != Who::Guest || table.fold().phase() == Phase::Joining;
    match request::read(&spelling::plain(line), line) {
        Some(Ok(asked)) => Ok(Some(asked).filter(|asked| is_open(asked.definition.who))),
        Some(Err(misread)) if is_open(misread.definition.who) => {
            Err(Failure::new(Exit::Refused, sentence(&misread.to_string())))
        }
        Some(Err(_)) | None => Ok(None),
    }
}

/// Makes a request; prints what it asks to read. Returns the entries that were made for it.
pub fn make(desk: &mut Desk, reader: Option<Seat>, asked: &Asked) -> Result<Vec<Head>, Failure> {
    let last = desk.table.fold().head().seq;
    if let Some(entry) = asked.entry.filter(|entry| asked.definition.only_reads() && *entry > last) {
        return Err(Failure::usage(format!("There is no entry {entry}; the last is {last}.")));
    }
    if asked.request == (Request::Help { topic: None }) {
        let title = desk.table.fold().plan().title.id;
        paper::print(&requests::help(title, &enclosure::help_lines(), LETTER))?;
        return Ok(Vec::new());
    }
    let since = desk.table.fold().at();
    if let Some(text) = enclosure::text(&asked.request, &desk.table, titles::ALL, reader, since)? {
        paper::print(&text)?;
        return Ok(Vec::new());
    }
    carry_out(desk, needed(reader)?, &asked.request)
}

/// The seat for which something is said.
pub fn needed(seat: Option<Seat>) -> Result<Seat, Failure> {
    seat.ok_or_else(|| Failure::usage("Say for which seat, with `--as`."))
}

fn carry_out(desk: &mut Desk, seat: Seat, request: &Request) -> Result<Vec<Head>, Failure> {
    let (via, at) = (at_keyboard(&desk.table, seat)?, now());
    let one = |done: Result<Head, TableError>| done.map(|head| vec![head]);
    let done: Result<Vec<Head>, TableError> = match request {
        Request::Propose(proposed) => {
            let of = match &proposed.of {
                Some(word) => Some(games::seat(desk.table.fold().plan(), word)?),
                None => None,
            };
            let text = proposed.text.clone().unwrap_or_else(|| NO_REASON.to_string());
            let until = proposed.until.as_ref().map(|words| desk.table.later_deadline(seat, words, at)).transpose();
            let until = until.map_err(TableError::from)?;
            let (what, to, rules) = (proposed.what, proposed.to, proposed.rules.clone());
            // A seat proposes a key for itself.
            let of = if what == Correcting::Key { Some(seat) } else { of };
            let key = proposed.key.map(|key| key.to_string());
            let proposal = Proposal { what, to, of, key, rules, until, text };
            desk.table.propose(seat, &proposal, via, at)
        }
        Request::Vote { motion: Some(motion), says } => desk.table.vote(seat, *motion, *says, via, at),
        Request::Vote { motion: None, .. } => {
            return Err(Failure::usage("Say on which motion: `vote yes 57`."));
        }
        Request::Concede { text } => desk.table.concede(seat, text.as_deref(), via, at),
        Request::Dispute { about, text } => one(desk.table.dispute(seat, *about, text, via, at)),
        Request::Consent { words } => desk.table.consent(seat, words, via, at),
        Request::Key { key } => one(desk.table.announce_keys(seat, &[*key], via, at)),
        Request::Absence { from, to } => one(desk.table.absent(seat, from, to, via, at)),
        Request::Back => one(desk.table.back(seat, via, at)),
        Request::Extend { by } => one(desk.table.extend(seat, *by, via, at)),
        Request::Zone { name } => one(desk.table.set_zone(seat, name, via, at)),
        Request::Letters(change) => {
            let word = desk.table.word(seat);
            desk.change_settings(&word, *change, at)?;
            paper::line(&format!("{word}: {}", desk.settings(&word)))?;
            return Ok(Vec::new());
        }
        _ => return Err(Failure::usage("This request is made by letter, or there is another verb for it.")),
    };
    // What the table would not take back from a log is refused here, with the reason that a letter would get.
    done.map_err(|error| match &error {
        TableError::Unsound(_) => Failure::new(Exit::Refused, sentence(&objection::words(&error))),
        _ => Failure::from(error),
    })
}
