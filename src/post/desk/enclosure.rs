/*! What goes with an answer because its reader asked for it: help, the history, an entry explained, an older table. */

use crate::book::fault::PostError;
use crate::order::request::table::{Definition, REQUESTS, Who};
use crate::order::request::{self, Request};
use engine::glossary;
use engine::seat::Seat;
use engine::title::Title;
use engine::title::Titles;
use ground::stamp::Stamp;
use record::commit::signature::ORDER;
use record::commit::signed::{Part, SignedOn, SignedSentence};
use record::file::reading::{Followed, read_through};
use record::table::Table;
use record::table::table_error::TableError;
use report::columns::{self, LETTER};
use report::requests::{self, HelpLine, Signing, Status, Topic};
use report::{agreed, chronicle, from_log, rulebook, terminal};
use std::ops::ControlFlow;

/// The number of entries that `history` tells if no numbers are given.
const HISTORY_USUAL: u64 = 30;
/// A history ends once it is longer than this, in bytes; mail programs cut off much longer texts.
const HISTORY_MAX: usize = 60_000;

/// The topics by which a player asks for help about signing.
const SIGNING: [&str; 5] = ["sign", "signing", "signed", "signature", "ssh"];

/// The topics by which a player asks for help about checkpoints.
const CHECKING: [&str; 3] = ["checkpoint", "checkpoints", "verify"];

/// One thing that is to go with the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Enclosure {
    /// What a request asks to read.
    Asked(Request),
    /// A6: the line that confirms a request.
    Confirm { line: String },
    /// A5: the lines to send back from the registered address, of a letter that nothing ties to its seat.
    SendBack { lines: Vec<String> },
    /// What would be asked if the letter were played.
    Trial { steps: Vec<requests::Tried> },
}

impl Enclosure {
    /// The part of the map that it asks for.
    pub(super) fn part_of_map(&self) -> Option<&str> {
        match self {
            Enclosure::Asked(Request::Map { around, .. }) => around.as_deref(),
            Enclosure::Asked(_) | Enclosure::Confirm { .. } => None,
            Enclosure::SendBack { .. } | Enclosure::Trial { .. } => None,
        }
    }

    /// Its text, for a reader: a seat, or the public.
    pub(super) fn text(
        &self,
        table: &Table,
        titles: Titles,
        reader: Option<Seat>,
        since: Stamp,
    ) -> Result<Option<String>, PostError> {
        match self {
            Enclosure::Asked(request) => text(request, table, titles, reader, since),
            Enclosure::Confirm { line } => Ok(Some(requests::confirm(line, LETTER))),
            Enclosure::Trial { steps } => Ok(Some(requests::trial(steps, LETTER))),
            Enclosure::SendBack { lines } if lines.is_empty() => Ok(None),
            Enclosure::SendBack { lines } => Ok(Some(requests::send_back(lines, LETTER))),
        }
    }
}

/// What a request asks to read, for a reader: a seat, or the public. `since` is when the game last went on. `None`
/// for a request that asks for nothing beyond what every answer tells: the table, the menu, the standing orders.
pub fn text(
    request: &Request,
    table: &Table,
    titles: Titles,
    reader: Option<Seat>,
    since: Stamp,
) -> Result<Option<String>, PostError> {
    let text = match request {
        Request::Help { topic: None } => {
            let who = if reader.is_some() { Who::Player } else { Who::Guest };
            requests::help(table.fold().plan().title.id, &lines_for(who), LETTER)
        }
        Request::Help { topic: Some(topic) } if CHECKING.contains(&topic.as_str()) => {
            requests::checking(topic, &table.fold().plan().name, LETTER)
        }
        Request::Help { topic: Some(topic) } => match reader.filter(|_| SIGNING.contains(&topic.as_str())) {
            Some(seat) => signing(table, seat, topic),
            None => about(table.fold().plan().title, topic),
        },
        Request::Status => requests::status(&Status::of(table.fold(), since, reader), LETTER),
        Request::Map { at: Some(at), .. } => map(table, titles, reader, *at)?,
        // Letters to guests do not show the table as letters to seats do.
        Request::Map { at: None, .. } if reader.is_none() => map(table, titles, reader, table.fold().head().seq)?,
        Request::History { from, to } => history(table, titles, reader, *from, *to)?,
        Request::Why { seq } => why(table, titles, reader, *seq)?,
        Request::Rule { asked } if asked.is_empty() => {
            let plan = table.fold().plan();
            agreed::page(plan.title, &plan.setup, LETTER)
        }
        Request::Rule { asked } => rule(table.fold().plan().title, asked),
        // A guest is asked nothing.
        Request::Menu if reader.is_none() => requests::status(&Status::of(table.fold(), since, reader), LETTER),
        Request::Map { at: None, .. } | Request::Menu | Request::Standing | Request::Check => return Ok(None),
        Request::Press(_) | Request::Propose(_) | Request::Vote { .. } | Request::Concede { .. } => return Ok(None),
        Request::Dispute { .. } | Request::Consent { .. } | Request::Clear | Request::Delegate { .. } => {
            return Ok(None);
        }
        Request::Address { .. } | Request::Key { .. } | Request::Absence { .. } | Request::Back => return Ok(None),
        Request::Extend { .. } | Request::Zone { .. } | Request::Letters(_) => return Ok(None),
        Request::Join { .. } | Request::Ready | Request::Observe | Request::Leave => return Ok(None),
        Request::Name { .. } | Request::Phrase { .. } | Request::Release { .. } => return Ok(None),
    };
    Ok(Some(text))
}

/// Every request of players, with its line of help.
pub fn help_lines() -> Vec<HelpLine> {
    lines_for(Who::Player)
}

fn lines_for(who: Who) -> Vec<HelpLine> {
    let definitions = REQUESTS.iter().filter(|row| row.who == who || row.who == Who::Reader);
    let ways = definitions.flat_map(Definition::ways);
    ways.map(|(usage, help)| HelpLine { usage, help: help.to_owned() }).collect()
}

/// How a seat signs its answer to this letter, with OpenSSH alone.
fn signing(table: &Table, seat: Seat, topic: &str) -> String {
    let (fold, words) = (table.fold(), "<your sentence>".to_owned());
    let on = SignedOn { seq: fold.head().seq, head: fold.head().hash };
    let (game, seat, part) = (fold.plan().game, table.word(seat), Part::Line);
    let sentence = SignedSentence { game, seat, on, part, number: 1, of: 1, words };
    let lines = sentence.to_string().lines().map(str::to_owned).collect();
    requests::signing(&Signing { topic: topic.to_owned(), lines, purpose: ORDER.to_owned() }, LETTER)
}

/// A rule of the game, or why there is none.
fn rule(title: &'static Title, asked: &str) -> String {
    rulebook::reply(title, asked).unwrap_or_else(|unanswered| columns::paragraphs(&unanswered.to_string()))
}

/// Help about one word: a rule by its number, a request, a question of the game, or a card.
fn about(title: &'static Title, topic: &str) -> String {
    if rulebook::is_number(topic) {
        return rule(title, topic);
    }
    if matches!(topic, "orders" | "order" | "plans" | "clauses" | "conditions") {
        return requests::plans(title, LETTER);
    }
    let mut nearest = Vec::new();
    let text = if let Some(definition) = request::find(topic) {
        let others = match definition.spellings {
            [] => String::new(),
            others => format!(" Also understood: {}.", others.join(", ")),
        };
        let about = definition.subjects.iter().find(|subject| subject.word == topic);
        let ways = about.map_or_else(|| definition.ways(), |about| vec![(definition.usage_about(about), about.help)]);
        let told: Vec<String> = ways.iter().map(|(usage, help)| format!("`{usage}` {help}.")).collect();
        Some(format!("{}{others}", told.join(" ")))
    } else {
        let asked = title.questions.iter().find(|asked| asked.id == topic || asked.group == topic);
        let question = asked.map(|asked| {
            let preferred = title.orders.policies.iter().find(|(question, _)| *question == asked.id);
            let example = preferred.map_or(String::new(), |(question, answer)| {
                format!(" For example: `when asked {question}: {answer}`. More: `help orders`.")
            });
            format!(
                "A question of the game: {}. A standing order answers it: `when asked {topic} say …`.{example}",
                asked.help.trim_end_matches('.')
            )
        });
        if question.is_none() {
            match glossary::look_up((title.texts.glossary)(), topic) {
                Ok(glosses) => {
                    return format!("{}\n{}", requests::heading(topic, LETTER), terminal::card(&glosses, LETTER));
                }
                // What is no card may stand in the rules: a Character, a term.
                Err(unknown) => match rulebook::reply(title, topic) {
                    Ok(rules) => return rules,
                    Err(_) => nearest = unknown.nearest,
                },
            }
        }
        question
    };
    let requests = REQUESTS.iter().map(|row| row.word.to_owned()).collect();
    let questions = title.questions.iter().map(|asked| asked.id.to_owned()).collect();
    requests::topic(&Topic { topic: topic.to_owned(), text, nearest, requests, questions }, LETTER)
}

fn read(table: &Table, titles: Titles, each: impl FnMut(&Followed<'_>) -> ControlFlow<()>) -> Result<(), PostError> {
    let records = table.log().records().map_err(TableError::from)?;
    read_through(records, titles, Some(table.secrets().root), each).map_err(TableError::from)?;
    Ok(())
}

fn map(table: &Table, titles: Titles, reader: Option<Seat>, at: u64) -> Result<String, PostError> {
    let mut found = String::new();
    read(table, titles, |followed| {
        if followed.entry.seq < at {
            return ControlFlow::Continue(());
        }
        found = requests::table(&from_log::look(followed.fold, reader), LETTER);
        ControlFlow::Break(())
    })?;
    Ok(found)
}

fn why(table: &Table, titles: Titles, reader: Option<Seat>, seq: u64) -> Result<String, PostError> {
    let mut found = String::new();
    let mut before = None;
    read(table, titles, |followed| {
        if followed.entry.seq < seq {
            before = Some(followed.fold.game().copy());
            return ControlFlow::Continue(());
        }
        found = chronicle::why(&from_log::explained(followed, before.as_deref(), reader), LETTER);
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
    read(table, titles, |followed| {
        if followed.entry.seq >= first && followed.entry.seq <= to {
            told.push_str(&chronicle::paragraph(&from_log::told(followed, reader), LETTER));
        }
        if told.len() > HISTORY_MAX {
            to = followed.entry.seq;
        }
        if followed.entry.seq >= to { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    Ok(format!("{}\n{told}", requests::history_heading(first, to, last, LETTER)))
}
