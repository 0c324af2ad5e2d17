//! `receive`: letters come in, are played, and answered.

use crate::cli::clock::now;
use crate::cli::exit::{Exit, Failure, Outcome};
use crate::cli::games::Games;
use crate::cli::paper;
use crate::post::book;
use crate::post::desk::Received;
use crate::post::intake;
use crate::post::maildir::{Filed, Maildir};
use crate::post::office::{Fate, Office};
use crate::report::occasion;
use clap::Args;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Receive letters: from files, from a Maildir, or from standard input.
///
/// Each letter is kept, played, and answered; the answers and the reports wait in the outbox of their game until
/// `ringmail send`. The same letter twice plays once. Letters of a Maildir are moved from `new` to `cur`, with flags
/// that say what became of them, and never deleted.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail receive ~/Maildir
  ringmail receive letter.eml another.eml
  ringmail receive - < letter.eml")]
pub struct Receive {
    /// Files, Maildirs, or `-` for standard input.
    #[arg(required = true, value_name = "LETTERS")]
    from: Vec<PathBuf>,
    /// Print JSON, an object a letter.
    #[arg(long)]
    json: bool,
}

pub fn run(receive: &Receive, games: &Games) -> Outcome {
    let office = games.office()?;
    let mut refused = 0;
    for from in &receive.from {
        if from.join("new").is_dir() {
            maildir(receive, &office, from)?;
            continue;
        }
        let raw = intake::read_path(from, office.limits())
            .map_err(|error| Failure::failed(format!("{} cannot be read: {error}.", from.display())))?;
        let fate = office.receive(&raw, now())?;
        tell(receive, &from.display().to_string(), &fate)?;
        refused += usize::from(filed(&fate) == Filed::Flagged);
    }
    match refused {
        0 => Ok(()),
        _ => Err(Failure::silent(Exit::Refused)),
    }
}

/// A Maildir is worked through to its end: what is wrong with one letter concerns nobody else.
fn maildir(receive: &Receive, office: &Office, root: &Path) -> Outcome {
    let unreadable = |error: std::io::Error| Failure::failed(format!("{error}."));
    let maildir = Maildir::open(root).map_err(unreadable)?;
    for waiting in maildir.waiting().map_err(unreadable)? {
        let raw = maildir.read(&waiting, office.limits()).map_err(unreadable)?;
        let fate = office.receive(&raw, now())?;
        maildir.file(&waiting, filed(&fate)).map_err(unreadable)?;
        tell(receive, &waiting.to_string(), &fate)?;
    }
    Ok(())
}

/// What became of a letter, as the flags of its file.
fn filed(fate: &Fate) -> Filed {
    match fate {
        Fate::Desk { received, .. } => match received.outcome {
            book::Outcome::Played => Filed::Answered,
            book::Outcome::Refused => Filed::Flagged,
            book::Outcome::Again | book::Outcome::Robot => Filed::Seen,
        },
        Fate::Astray { .. } => Filed::Flagged,
        Fate::Robot(_) | Fate::Again => Filed::Seen,
    }
}

fn tell(receive: &Receive, name: &str, fate: &Fate) -> Outcome {
    if !receive.json {
        return told(name, fate);
    }
    {
        let fate = match fate {
            Fate::Desk { place, received } => json!({
                "letter": name, "game": place.game, "seat": place.seat, "outcome": outcome(received),
                "lines": received.answers, "letters": received.letters,
            }),
            Fate::Astray { reason, letter } => {
                json!({ "letter": name, "outcome": "astray", "why": reason.to_string(), "letters": letter })
            }
            Fate::Robot(robot) => json!({ "letter": name, "outcome": "robot", "why": robot.to_string() }),
            Fate::Again => json!({ "letter": name, "outcome": "again" }),
        };
        paper::line(&fate.to_string())
    }
}

/// Tells what became of a letter.
pub fn told(name: &str, fate: &Fate) -> Outcome {
    match fate {
        Fate::Desk { place, received } => {
            let head = format!("{name}: {} of {}, {}", place.seat, place.game, outcome(received));
            paper::line(&paper::styled(paper::HEADING, &head))?;
            for answered in &received.answers {
                paper::line(&format!("  {}", line(answered)))?;
            }
            for letter in &received.letters {
                paper::line(&paper::styled(paper::QUIET, &format!("  letter {letter}")))?;
            }
            Ok(())
        }
        Fate::Astray { reason, letter } => {
            let answered = if letter.is_some() { "answered" } else { "not answered" };
            paper::line(&format!("{name}: {}, {answered}", paper::styled(paper::BAD, &reason.to_string())))
        }
        Fate::Robot(robot) => paper::line(&format!("{name}: written by no person, left alone: {robot}")),
        Fate::Again => paper::line(&format!("{name}: was here before")),
    }
}

fn outcome(received: &Received) -> &'static str {
    match received.outcome {
        book::Outcome::Played => "played",
        book::Outcome::Refused => "refused",
        book::Outcome::Again => "was here before",
        book::Outcome::Robot => "written by no person",
    }
}

/// A line of the letter and what became of it.
fn line(answered: &occasion::Answered) -> String {
    let written = answered.line.trim();
    match &answered.fate {
        occasion::Fate::Done { said, seq: Some(seq) } => {
            format!("{} {written}  ({said} #{seq})", paper::styled(paper::GOOD, "done   "))
        }
        occasion::Fate::Done { said, seq: None } => {
            format!("{} {written}  ({said})", paper::styled(paper::GOOD, "done   "))
        }
        occasion::Fate::Kept { why } => format!("kept    {written}  ({why})"),
        occasion::Fate::Refused { why, .. } => format!("{} {written}  ({why})", paper::styled(paper::BAD, "refused")),
        occasion::Fate::Ignored { why } => format!("ignored {written}  ({why})"),
        occasion::Fate::Noted { how } => format!("        {written}  ({how})"),
    }
}
