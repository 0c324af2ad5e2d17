//! `say`: a seat answers at the keyboard.

use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::{Games, seat, tell_set_aside, write_letters};
use crate::cli::keyboard::at_keyboard;
use crate::cli::now::now;
use crate::cli::paper;
use crate::cli::start::tell_waiting;
use crate::titles;
use clap::Args;
use engine::refusal::Refusal;
use engine::seat::Seat;
use engine::title::Title;
use ground::hash::Code;
use post::desk::Desk;
use record::commit::chain::read_code;
use record::entry::body::Via;
use record::file::secrets::LineInClear;
use record::fold::Phase;
use record::table::receipts::Meant;
use record::table::table_error::TableError;
use record::table::{GivenCode, Table};
use report::rulebook::{self, Reader};
use serde_json::json;
use std::io::BufRead;

/// The longest sentence that is read, in bytes.
const SENTENCE_MAX: usize = 4096;

/// Answer the question a seat is asked. Each sentence answers the question that follows the one before.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail say shire --as yellow \"place 3 the-shire, rest buckland\" \"done\"
  ringmail say shire --as yellow --dry-run \"attack moria from lorien\"
  ringmail say shire --as red \"when asked enemy-declared say pass until end of turn\"
  ringmail say shire --as red - < sentences.txt")]
pub struct Say {
    /// The game.
    game: String,
    /// Who says it.
    #[arg(long = "as", value_name = "SEAT")]
    seat: String,
    /// The sentences; `-` reads them from standard input, one a line.
    #[arg(required = true)]
    sentences: Vec<String>,
    /// Only read the first sentence: nothing is rolled, nothing is written.
    #[arg(long)]
    dry_run: bool,
    /// The one-time code, if the answer needs one; the letter that asks tells.
    #[arg(long, value_parser = code)]
    code: Option<Code>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(say: &Say, games: &Games) -> Done {
    let sentences = sentences(&say.sentences)?;
    let mut desk = games.desk(&say.game)?;
    let seat = seat(desk.table.fold().plan(), &say.seat)?;
    if desk.table.fold().phase() == Phase::Joining {
        let why =
            format!("The game has not started; `ringmail start {}` does it when every seat has joined.", say.game);
        return Err(Failure::new(Exit::Refused, why));
    }
    // A dry run says nothing, so anybody may try.
    let via = if say.dry_run { None } else { at_keyboard(&desk.table, seat)? };
    if desk.table.needs_receipts() && !say.dry_run && !sentences.iter().any(|sentence| is_order(sentence)) {
        return fixed(say, &mut desk, seat, &sentences, via);
    }
    let mut done = Vec::new();
    let mut stopped = Ok(());
    for sentence in &sentences {
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
    if say.json {
        let refused = stopped.as_ref().err().map(|failure| failure.message.clone());
        paper::json(&json!({
            "done": done.iter().map(|(said, seqs)| json!({ "said": said, "entries": seqs })).collect::<Vec<_>>(),
            "refused": refused, "waits_for": desk.table.fold().waits_for(), "dry_run": say.dry_run,
        }))?;
    } else {
        for (said, seqs) in &done {
            let entries: Vec<String> = seqs.iter().map(|seq| format!("#{seq}")).collect();
            let place = match (say.dry_run, entries.is_empty()) {
                (true, _) => "would be said".to_string(),
                (false, true) => "left".to_string(),
                (false, false) => entries.join(" "),
            };
            paper::line(&format!("{} {said}", paper::styled(paper::GOOD, &place)))?;
        }
        if !say.dry_run {
            paper::line(&format!("The game waits for {}.", desk.table.fold().waits_for()))?;
        }
    }
    match (say.dry_run || done.is_empty(), say.json) {
        (true, _) => {}
        (false, true) => drop(desk.report(now())?),
        (false, false) => write_letters(&mut desk)?,
    }
    stopped
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
    let head = desk.table.fix_lines(seat, lines, Meant::Now, via, now())?;
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

/// Says one sentence; returns its canonical words and the entries made for it. An order makes no entry: the next
/// entry of its seat commits to it.
fn one(
    say: &Say,
    table: &mut Table,
    seat: engine::seat::Seat,
    via: &Option<Via>,
    sentence: &str,
) -> Result<(String, Vec<u64>), TableError> {
    if is_order(sentence) {
        let order = table.read_order(seat, sentence)?;
        if say.dry_run {
            return Ok((order.to_string(), Vec::new()));
        }
        let order = table.note_order(seat, sentence, None, None)?;
        return Ok((order.to_string(), Vec::new()));
    }
    if say.dry_run {
        return Ok((table.read(seat, sentence)?.sentence().to_string(), Vec::new()));
    }
    let heard = table.read(seat, sentence)?;
    let said = heard.sentence().to_string();
    let code = say.code.map(|code| GivenCode { k: None, code });
    let heads = table.answer(heard, code, via.clone(), now())?;
    Ok((said, heads.iter().map(|head| head.seq).collect()))
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

/// Reads a one-time code from the command line.
pub fn code(text: &str) -> Result<Code, String> {
    // `codes show` prints a code with its number, as a letter has it.
    let bare = text.trim().strip_prefix("code ").and_then(|numbered| numbered.trim().split_once(' '));
    read_code(bare.map_or(text, |(_, code)| code))
        .ok_or_else(|| "a code has eight groups of four letters and digits".to_string())
}
