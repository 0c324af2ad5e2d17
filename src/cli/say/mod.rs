//! `say`: a seat says something at the keyboard: an answer, an order, a request as in letters, or that it joins.

mod lobby;
mod requests;

use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::{Games, seat, tell_set_aside, write_letters};
use crate::cli::keyboard::at_keyboard;
use crate::cli::now::now;
use crate::cli::paper;
use crate::titles;
use clap::Args;
use engine::refusal::Refusal;
use engine::seat::Seat;
use engine::title::Title;
use post::desk::Desk;
use record::entry::Head;
use record::entry::body::Via;
use record::file::secrets::LineInClear;
use record::fold::Phase;
use record::table::Table;
use record::table::table_error::TableError;
use report::rulebook::{self, Reader};
use serde_json::json;
use std::io::BufRead;

/// The longest sentence that is read, in bytes.
const SENTENCE_MAX: usize = 4096;

/// Say something for a seat: answers to the questions it is asked, orders, or requests in the words of letters.
///
/// Each sentence answers the question that follows the one before. Before the game has started a seat joins, and the
/// host says `start`. Requests are said apart from answers; `ringmail say GAME help` lists them.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail say shire --as yellow join \"phrase second breakfast\"
  ringmail say shire start
  ringmail say shire --as yellow \"place 3 the-shire, rest buckland\" \"done\"
  ringmail say shire --as yellow --dry-run \"attack moria from lorien\"
  ringmail say shire --as red \"when asked enemy-declared say pass until end of turn\"
  ringmail say shire --as red - < sentences.txt
  ringmail say shire --as red \"vote yes 57\"
  ringmail say shire --as red \"absence 2026-12-24 to 2027-01-02\"")]
pub struct Say {
    /// The game.
    game: String,
    /// Who says it; not needed to start the game or to ask for something to read.
    #[arg(long = "as", value_name = "SEAT")]
    seat: Option<String>,
    /// What is said, each sentence an argument; `-` reads them from standard input, one a line.
    #[arg(required = true, value_name = "SENTENCE")]
    sentences: Vec<String>,
    /// Only read the first sentence: nothing is rolled, nothing is written.
    #[arg(long)]
    dry_run: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Something that was said, and the entries that were made for it.
struct Said {
    words: String,
    entries: Vec<u64>,
}

impl Said {
    fn by(words: String, heads: &[Head]) -> Said {
        Said { words, entries: heads.iter().map(|head| head.seq).collect() }
    }
}

pub fn run(say: &Say, games: &Games) -> Done {
    let sentences = sentences(&say.sentences)?;
    let mut desk = games.desk(&say.game)?;
    let seat = say.seat.as_deref().map(|word| seat(desk.table.fold().plan(), word)).transpose()?;
    if desk.table.fold().phase() == Phase::Joining {
        let done = lobby::run(say, &mut desk, seat, &sentences)?;
        return finish(say, &mut desk, &done, Ok(()));
    }
    let Some(first) = sentences.first() else { return Err(Failure::usage("Nothing is said.")) };
    // The first line decides: later ones answer questions that are not open yet, so nobody can say what they are.
    if requests::asked(&desk.table, seat, first)?.is_none() {
        return answer(say, &mut desk, requests::needed(seat)?, &sentences);
    }
    let mut done = Vec::new();
    for line in &sentences {
        let asked = requests::asked(&desk.table, seat, line)?;
        let asked = asked.ok_or_else(|| Failure::usage("Say requests and answers apart, in two commands."))?;
        if say.dry_run {
            done.push(Said::by(asked.said, &[]));
            break;
        }
        let heads = requests::make(&mut desk, seat, &asked)?;
        done.extend((!heads.is_empty()).then(|| Said::by(asked.said, &heads)));
    }
    finish(say, &mut desk, &done, Ok(()))
}

/// Answers the open question, and those that follow, or leaves orders.
fn answer(say: &Say, desk: &mut Desk, seat: Seat, sentences: &[String]) -> Done {
    // A dry run says nothing, so anybody may try.
    let via = if say.dry_run { None } else { at_keyboard(&desk.table, seat)? };
    if desk.table.needs_receipts() && !say.dry_run && !sentences.iter().any(|sentence| is_order(sentence)) {
        return fixed(say, desk, seat, sentences, via);
    }
    let mut done = Vec::new();
    let mut stopped = Ok(());
    for sentence in sentences {
        match one(say, &mut desk.table, seat, &via, sentence) {
            Ok(said) => done.push(said),
            Err(error) => {
                stopped = Err(told(error, sentence, desk.table.fold().plan().title));
                break;
            }
        }
        if say.dry_run {
            break;
        }
    }
    if desk.table.has_noted(seat) {
        desk.table.hear(seat, via.clone(), now())?;
    }
    tell_set_aside(desk.table.set_aside());
    finish(say, desk, &done, stopped)
}

/// Prints what was said and what the game waits for, and writes the letters that are due.
fn finish(say: &Say, desk: &mut Desk, done: &[Said], stopped: Done) -> Done {
    if say.json {
        let refused = stopped.as_ref().err().map(|failure| failure.message.clone());
        paper::json(&json!({
            "done": done.iter().map(|said| json!({ "said": said.words, "entries": said.entries })).collect::<Vec<_>>(),
            "refused": refused, "waits_for": desk.table.fold().waits_for(), "dry_run": say.dry_run,
        }))?;
    } else {
        for Said { words, entries } in done {
            let entries: Vec<String> = entries.iter().map(|seq| format!("#{seq}")).collect();
            let place = match (say.dry_run, entries.is_empty()) {
                (true, _) => "would be said".to_string(),
                (false, true) => "left".to_string(),
                (false, false) => entries.join(" "),
            };
            paper::line(&format!("{} {words}", paper::styled(paper::GOOD, &place)))?;
        }
        let is_said = !done.is_empty() || stopped.is_err();
        if is_said && !say.dry_run {
            let fold = desk.table.fold();
            // A start that asks for a round of the beacon is done when that is there.
            if fold.phase() == Phase::Joining && fold.next_round().is_none() {
                lobby::next(&desk.table, &say.game)?;
            } else {
                tell_waiting(&desk.table)?;
            }
        }
    }
    match (say.dry_run || done.is_empty(), say.json) {
        (true, _) => {}
        (false, true) => drop(desk.report(now())?),
        (false, false) => write_letters(desk)?,
    }
    stopped
}

/// Prints what the game waits for: an answer, or a round of the beacon.
fn tell_waiting(table: &Table) -> Done {
    match table.fold().next_round() {
        Some((round, at)) => paper::line(&format!(
            "The game waits for round {round} of the beacon, at {at}; `ringmail time --tick`, `receive` or `serve` \
             plays it."
        )),
        None => paper::line(&format!("The game waits for {}.", table.fold().waits_for())),
    }
}

/// With dice from a beacon: fixes what is said now; it is played when its round is published.
fn fixed(say: &Say, desk: &mut Desk, seat: Seat, sentences: &[String], via: Option<Via>) -> Done {
    if let Some((round, at)) = desk.table.fold().next_round() {
        let why = format!("An answer is fixed already, and waits for round {round} of the beacon, at {at}.");
        return Err(Failure::new(Exit::Refused, why));
    }
    let title = desk.table.fold().plan().title;
    let first = desk.table.read(seat, &sentences[0]);
    let first = first.map_err(|refusal| told(refusal.into(), &sentences[0], title))?;
    let said = first.sentence().to_string();
    let lines = sentences.iter().map(|text| LineInClear { number: None, text: text.clone(), is_cut: false }).collect();
    let head = desk.table.fix_lines(seat, lines, via, now())?;
    tell_set_aside(desk.table.set_aside());
    if say.json {
        let (round, at) = desk.table.fold().next_round().expect("a receipt was just recorded");
        drop(desk.report(now())?);
        return paper::json(&json!({ "fixed": head.seq, "lines": sentences.len(), "round": round, "at": at }));
    }
    paper::line(&format!("{} fixed, beginning with: {said}", paper::styled(paper::GOOD, &format!("#{}", head.seq))))?;
    tell_waiting(&desk.table)?;
    write_letters(desk)
}

/// Says one sentence; returns its canonical words, with the entries made for it. An order makes no entry: the next
/// entry of its seat commits to it.
fn one(say: &Say, table: &mut Table, seat: Seat, via: &Option<Via>, sentence: &str) -> Result<Said, TableError> {
    if is_order(sentence) {
        let order = table.read_order(seat, sentence)?;
        if say.dry_run {
            return Ok(Said::by(order.to_string(), &[]));
        }
        let order = table.note_order(seat, sentence, None, None)?;
        return Ok(Said::by(order.to_string(), &[]));
    }
    if say.dry_run {
        return Ok(Said::by(table.read(seat, sentence)?.sentence().to_string(), &[]));
    }
    let heard = table.read(seat, sentence)?;
    let said = heard.sentence().to_string();
    let heads = table.answer(heard, via.clone(), now())?;
    Ok(Said::by(said, &heads))
}

/// Whether the sentence is a standing order, not an answer.
pub fn is_order(sentence: &str) -> bool {
    let mut words = sentence.split_whitespace();
    let begins = |word: Option<&str>, with: &str| word.is_some_and(|word| word.eq_ignore_ascii_case(with));
    begins(words.next(), "when") && begins(words.next(), "asked")
}

/// For a refusal: the sentence with the wrong part underlined, and how to read the cited rule.
pub fn told(error: TableError, sentence: &str, title: &'static Title) -> Failure {
    let TableError::Refused(refusal) = &error else { return error.into() };
    let rule = refusal.cited().and_then(|cited| rulebook::how_to_read(title, cited, Reader::Terminal(titles::ALL)));
    let rule = rule.map_or(String::new(), |rule| format!("\n{rule}"));
    Failure::new(Exit::Refused, format!("refused\n\n{}\n{refusal}.{rule}", underlined(sentence, refusal)))
}

fn underlined(sentence: &str, refusal: &Refusal) -> String {
    let Some(at) = refusal.at() else { return format!("  {sentence}\n") };
    let before = sentence.get(..at.start).map_or(0, |text| text.chars().count());
    let marked = sentence.get(at.clone()).map_or(1, |text| text.chars().count().max(1));
    format!("  {sentence}\n  {}{}\n", " ".repeat(before), "^".repeat(marked))
}

fn sentences(given: &[String]) -> Result<Vec<String>, Failure> {
    if given != ["-"] {
        return Ok(given.to_vec());
    }
    let mut sentences = Vec::new();
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| Failure::failed(format!("Standard input cannot be read: {error}.")))?;
        if line.len() > SENTENCE_MAX {
            return Err(Failure::usage(format!("A sentence has at most {SENTENCE_MAX} bytes.")));
        }
        let sentence = line.split('#').next().unwrap_or("").trim();
        if !sentence.is_empty() {
            sentences.push(sentence.to_string());
        }
    }
    Ok(sentences)
}
