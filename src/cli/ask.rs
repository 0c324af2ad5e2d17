//! `ask`: requests for a host that players make by letter.

use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::{Games, seat, sentence, write_letters};
use crate::cli::keyboard::at_keyboard;
use crate::cli::now::now;
use crate::cli::paper;
use crate::titles;
use clap::Args;
use engine::seat::Seat;
use mail::letter::spelling;
use post::desk::{Desk, enclosure};
use post::order::request::{self, Request};
use record::entry::Head;
use record::entry::acts::NO_REASON;
use record::fold::council::Proposal;
use record::table::table_error::TableError;
use report::columns::LETTER;
use report::requests;

/// Make a request for a seat that the host plays, as players make it by letter.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail ask shire --as red \"vote yes 57\"
  ringmail ask shire --as red \"propose undo to 57: a slip\"
  ringmail ask shire help")]
pub struct Ask {
    /// The game.
    game: String,
    /// The seat that asks; needed for what only players may do.
    #[arg(long = "as", value_name = "SEAT")]
    seat: Option<String>,
    /// The request.
    #[arg(required = true, value_name = "REQUEST")]
    words: Vec<String>,
}

pub fn run(ask: &Ask, games: &Games) -> Done {
    let line = ask.words.join(" ");
    let asked = match request::read(&spelling::plain(&line), &line) {
        None => return Err(Failure::usage(format!("`{line}` is not a request; `ringmail ask GAME help` lists them."))),
        Some(Err(misread)) => return Err(Failure::new(Exit::Refused, sentence(&misread.to_string()))),
        Some(Ok(asked)) => asked,
    };
    let mut desk = games.desk(&ask.game)?;
    let reader = ask.seat.as_deref().map(|word| seat(desk.table.fold().plan(), word)).transpose()?;
    let last = desk.table.fold().head().seq;
    if let Some(entry) = asked.entry.filter(|entry| asked.definition.only_reads() && *entry > last) {
        return Err(Failure::usage(format!("There is no entry {entry}; the last is {last}.")));
    }
    if asked.request == (Request::Help { topic: None }) {
        let title = desk.table.fold().plan().title.id;
        return paper::print(&requests::help(title, &enclosure::help_lines(), LETTER));
    }
    let since = desk.table.fold().at();
    if let Some(text) = enclosure::text(&asked.request, &desk.table, titles::ALL, reader, since)? {
        return paper::print(&text);
    }
    let reader = reader.ok_or_else(|| Failure::usage("Say for which seat, with `--as`."))?;
    for head in heads(&mut desk, reader, &asked.request)? {
        paper::line(&format!("#{} {}", head.seq, head.hash))?;
    }
    write_letters(&mut desk)
}

fn heads(desk: &mut Desk, seat: Seat, request: &Request) -> Result<Vec<Head>, Failure> {
    let (via, at) = (at_keyboard(&desk.table, seat)?, now());
    let done: Result<Vec<Head>, TableError> = match request {
        Request::Propose(proposed) => {
            let of = match &proposed.of {
                Some(word) => Some(crate::cli::games::seat(desk.table.fold().plan(), word)?),
                None => None,
            };
            let text = proposed.text.clone().unwrap_or_else(|| NO_REASON.to_string());
            let until = proposed.until.as_ref().map(|words| desk.table.later_deadline(seat, words, at)).transpose();
            let until = until.map_err(TableError::from)?;
            let (what, to, rules) = (proposed.what, proposed.to, proposed.rules.clone());
            let proposal = Proposal { what, to, of, codes: None, key: None, rules, until, text };
            desk.table.propose(seat, &proposal, via, at)
        }
        Request::Vote { motion: Some(motion), says } => desk.table.vote(seat, *motion, *says, None, via, at),
        Request::Concede { text } => desk.table.concede(seat, text.as_deref(), via, at),
        Request::Dispute { about, text } => desk.table.dispute(seat, *about, text, via, at).map(|head| vec![head]),
        Request::Vote { motion: None, .. } => {
            return Err(Failure::usage("Say on which motion: `vote yes 57`."));
        }
        _ => return Err(Failure::usage("This request is made by letter, or there is another verb for it.")),
    };
    Ok(done?)
}
