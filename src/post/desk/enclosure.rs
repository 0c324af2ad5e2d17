/*! What goes with an answer because its reader asked for it: help, the history, an entry explained, an older table. */

use crate::engine::glossary;
use crate::engine::seat::Seat;
use crate::engine::title::Title;
use crate::post::book::fault::PostError;
use crate::post::order::request::Request;
use crate::post::order::verb::{self, VERBS, Who};
use crate::record::charter::plan::Titles;
use crate::record::commit::signature::ORDER;
use crate::record::commit::signed::SignedSentence;
use crate::record::file::reading::{Step, read_through};
use crate::record::table::Table;
use crate::record::table::table_error::TableError;
use crate::record::value::stamp::Stamp;
use crate::report::columns::LETTER;
use crate::report::requests::{self, HelpLine, Signing, Status, Topic};
use crate::report::{chronicle, from_log, terminal};
use std::ops::ControlFlow;

/// Entries that `history` tells when no numbers are given.
const HISTORY_USUAL: u64 = 30;
/// Letters of a history; mail programs cut off texts that are much longer.
const HISTORY_MAX: usize = 60_000;

/// What help about signing is asked for by.
const SIGNING: [&str; 5] = ["sign", "signing", "signed", "signature", "ssh"];

/// One thing that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Enclosure {
    Help {
        topic: Option<String>,
    },
    Status,
    Map {
        at: u64,
    },
    History {
        from: Option<u64>,
        to: Option<u64>,
    },
    Why {
        seq: u64,
    },
    /// A6: the line that confirms a request.
    Confirm {
        line: String,
    },
}

impl Enclosure {
    /// What a request wants to have with the answer; every answer shows the table, the menu and the standing orders.
    #[must_use]
    pub fn of(request: &Request) -> Option<Enclosure> {
        match request {
            Request::Help { topic } => Some(Enclosure::Help { topic: topic.clone() }),
            Request::Status => Some(Enclosure::Status),
            Request::Map { at } => at.map(|at| Enclosure::Map { at }),
            Request::History { from, to } => Some(Enclosure::History { from: *from, to: *to }),
            Request::Why { seq } => Some(Enclosure::Why { seq: *seq }),
            Request::Menu | Request::Standing | Request::Check => None,
            Request::Press(_) | Request::Propose(_) | Request::Vote { .. } => None,
            Request::Consent { .. } | Request::Clear => None,
            Request::Concede { .. }
            | Request::Delegate { .. }
            | Request::Address { .. }
            | Request::Key { .. }
            | Request::Dispute { .. } => None,
            Request::Time(_) | Request::Guest(_) => None,
        }
    }

    /// The entry that it is about, if it is about one.
    #[must_use]
    pub fn entry(&self) -> Option<u64> {
        match self {
            Enclosure::Map { at: entry } | Enclosure::Why { seq: entry } => Some(*entry),
            Enclosure::History { from, .. } => *from,
            Enclosure::Help { .. } | Enclosure::Status | Enclosure::Confirm { .. } => None,
        }
    }

    /// The text, for a reader: a seat, or the public. `since` is when the game last went on.
    ///
    /// # Errors
    /// The log cannot be read.
    pub fn text(&self, table: &Table, titles: Titles, reader: Option<Seat>, since: Stamp) -> Result<String, PostError> {
        let of = if reader.is_some() { Who::Player } else { Who::Guest };
        match self {
            Enclosure::Help { topic: None } => {
                Ok(requests::help(table.fold().plan().title.id(), &lines_for(of), LETTER))
            }
            Enclosure::Help { topic: Some(topic) } => match reader.filter(|_| SIGNING.contains(&topic.as_str())) {
                Some(seat) => Ok(signing(table, seat, topic)),
                None => Ok(about(table.fold().plan().title, topic)),
            },
            Enclosure::Status => Ok(requests::status(&Status::of(table.fold(), since, reader), LETTER)),
            Enclosure::Map { at } => map(table, titles, reader, *at),
            Enclosure::History { from, to } => history(table, titles, reader, *from, *to),
            Enclosure::Confirm { line } => Ok(requests::confirm(line, LETTER)),
            Enclosure::Why { seq } => why(table, titles, reader, *seq),
        }
    }
}

/// Every request of players, with its line of help.
#[must_use]
pub fn help_lines() -> Vec<HelpLine> {
    lines_for(Who::Player)
}

fn lines_for(who: Who) -> Vec<HelpLine> {
    let verbs = VERBS.iter().filter(|verb| verb.who == who || verb.who == Who::Reader);
    verbs.map(|verb| HelpLine { usage: verb.usage(), help: verb.help.to_owned() }).collect()
}

/// How a seat signs its answer to this letter, with nothing but OpenSSH.
fn signing(table: &Table, seat: Seat, topic: &str) -> String {
    let (fold, words) = (table.fold(), "<your sentence>".to_owned());
    let head = fold.head().hash;
    let sentence = SignedSentence { game: fold.plan().game, seat: table.word(seat), head, number: 1, words };
    let lines = sentence.to_string().lines().map(str::to_owned).collect();
    requests::signing(&Signing { topic: topic.to_owned(), lines, purpose: ORDER.to_owned() }, LETTER)
}

/// Help about one word: a request, a question of the game, or a card.
fn about(title: &dyn Title, topic: &str) -> String {
    let mut nearest = Vec::new();
    let text = if let Some(verb) = verb::find(topic) {
        let others = match verb.spellings {
            [] => String::new(),
            others => format!(" Also understood: {}.", others.join(", ")),
        };
        Some(format!("`{}` {}.{others}", verb.usage(), verb.help))
    } else {
        let asked = title.questions().iter().find(|asked| asked.id == topic || asked.group == topic);
        let question = asked.map(|asked| {
            format!(
                "A question of the game: {}. A standing order answers it: `when asked {topic} say …`.",
                asked.help.trim_end_matches('.')
            )
        });
        if question.is_none() {
            match glossary::look_up(title.glossary(), topic) {
                Ok(glosses) => {
                    return format!("{}\n{}", requests::heading(topic, LETTER), terminal::card(&glosses, LETTER));
                }
                Err(unknown) => nearest = unknown.nearest,
            }
        }
        question
    };
    let requests = VERBS.iter().map(|verb| verb.word.to_owned()).collect();
    let questions = title.questions().iter().map(|asked| asked.id.to_owned()).collect();
    requests::topic(&Topic { topic: topic.to_owned(), text, nearest, requests, questions }, LETTER)
}

fn read(table: &Table, titles: Titles, each: impl FnMut(&Step<'_>) -> ControlFlow<()>) -> Result<(), PostError> {
    let records = table.log().records().map_err(TableError::from)?;
    read_through(records, titles, Some(table.secrets().root), each).map_err(TableError::from)?;
    Ok(())
}

fn map(table: &Table, titles: Titles, reader: Option<Seat>, at: u64) -> Result<String, PostError> {
    let mut found = String::new();
    read(table, titles, |step| {
        if step.entry.seq < at {
            return ControlFlow::Continue(());
        }
        found = requests::table(&from_log::look(step.fold, reader), LETTER);
        ControlFlow::Break(())
    })?;
    Ok(found)
}

fn why(table: &Table, titles: Titles, reader: Option<Seat>, seq: u64) -> Result<String, PostError> {
    let mut found = String::new();
    read(table, titles, |step| {
        if step.entry.seq < seq {
            return ControlFlow::Continue(());
        }
        found = chronicle::why(&from_log::explained(step, reader), LETTER);
        ControlFlow::Break(())
    })?;
    Ok(found)
}

fn history(
    table: &Table,
    titles: Titles,
    reader: Option<Seat>,
    from: Option<u64>,
    to: Option<u64>,
) -> Result<String, PostError> {
    let last = table.fold().head().seq;
    let (first, mut to) = match (from, to) {
        (None, _) => ((last + 1).saturating_sub(HISTORY_USUAL), last),
        (Some(from), to) => (from, to.unwrap_or(last).min(last)),
    };
    let mut told = String::new();
    read(table, titles, |step| {
        if step.entry.seq >= first && step.entry.seq <= to {
            told.push_str(&chronicle::paragraph(&from_log::told(step, reader), LETTER));
        }
        if told.len() > HISTORY_MAX {
            to = step.entry.seq;
        }
        if step.entry.seq >= to { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    Ok(format!("{}\n{told}", requests::history_heading(first, to, last, LETTER)))
}
