//! `receive`: letters come in, are played, and answered.

use crate::cli::clock::now;
use crate::cli::exit::{Exit, Failure, Outcome};
use crate::cli::games::{Games, tell_set_aside};
use crate::cli::paper;
use crate::post::book;
use crate::post::bounce::Verdict;
use crate::post::desk::Received;
use crate::post::intake;
use crate::post::intake::Filed;
use crate::post::limits::Limits;
use crate::post::maildir::Maildir;
use crate::post::office::{Fate, Sitting};
use crate::report::columns::ruly;
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
    let (limits, mut sitting, mut ended) = (*office.limits(), office.sit(), Ended::default());
    for from in &receive.from {
        if from.join("new").is_dir() {
            maildir(receive, &mut sitting, &limits, from, &mut ended)?;
            continue;
        }
        let name = from.display().to_string();
        let read = intake::read_path(from, &limits);
        match read.map_err(|error| Failure::failed(format!("it cannot be read: {error}."))) {
            Ok(raw) => drop(play(receive, &mut sitting, &name, &raw, &mut ended)?),
            Err(failure) => ended.fails(&name, failure),
        }
    }
    ended.outcome()
}

/// A Maildir is worked through to its end: what is wrong with one letter concerns nobody else. A letter that could not
/// be played waits for the next time.
fn maildir(receive: &Receive, sitting: &mut Sitting<'_>, limits: &Limits, root: &Path, ended: &mut Ended) -> Outcome {
    let unreadable = |error: std::io::Error| Failure::failed(format!("{error}."));
    let maildir = Maildir::open(root).map_err(unreadable)?;
    for waiting in maildir.waiting().map_err(unreadable)? {
        let name = waiting.to_string();
        let raw = match maildir.read(&waiting, limits) {
            Ok(raw) => raw,
            Err(error) => {
                ended.fails(&name, unreadable(error));
                continue;
            }
        };
        if let Some(filed) = play(receive, sitting, &name, &raw, ended)? {
            maildir.file(&waiting, filed).map_err(unreadable)?;
        }
    }
    Ok(())
}

/// Plays a letter and tells what became of it; `None` if it could not be played through no fault of its own.
fn play(
    receive: &Receive,
    sitting: &mut Sitting<'_>,
    name: &str,
    raw: &[u8],
    ended: &mut Ended,
) -> Result<Option<Filed>, Failure> {
    let fate = match sitting.receive(raw, now()) {
        Ok(fate) => fate,
        Err(error) => {
            ended.fails(name, error.into());
            return Ok(None);
        }
    };
    if let Fate::Desk { received, .. } = &fate {
        tell_set_aside(&received.set_aside);
    }
    tell(receive, name, &fate)?;
    ended.refused |= filed(&fate) == Filed::Flagged;
    Ok(Some(filed(&fate)))
}

/// How the letters so far ended.
#[derive(Default)]
struct Ended {
    refused: bool,
    failed: Option<Exit>,
}

impl Ended {
    fn fails(&mut self, name: &str, failure: Failure) {
        paper::tell(&format!("ringmail: {name}: {}", failure.message));
        self.failed.get_or_insert(failure.exit);
    }

    fn outcome(self) -> Outcome {
        match (self.failed, self.refused) {
            (Some(exit), _) => Err(Failure::silent(exit)),
            (None, true) => Err(Failure::silent(Exit::Refused)),
            (None, false) => Ok(()),
        }
    }
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
        Fate::Robot(_) | Fate::Again | Fate::Bounced { .. } => Filed::Seen,
        Fate::Left => Filed::Left,
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
            Fate::Bounced { place, verdict, said } => json!({
                "letter": name, "game": place.game, "seat": place.seat, "outcome": "bounced", "verdict": verdict,
                "why": said,
            }),
            Fate::Left => json!({ "letter": name, "outcome": "left" }),
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
            paper::line(&format!("{name}: {}, {answered}", paper::styled(paper::BAD, &ruly(&reason.to_string()))))
        }
        Fate::Robot(robot) => {
            paper::line(&format!("{name}: written by no person, left alone: {}", ruly(&robot.to_string())))
        }
        Fate::Again => paper::line(&format!("{name}: was here before")),
        Fate::Bounced { place, verdict, said } => {
            let what = match verdict {
                Verdict::Never => "came back",
                Verdict::Later => "is late",
            };
            paper::line(&format!("{name}: a letter to {place} {what}: {}", ruly(said)))
        }
        Fate::Left => paper::line(&format!("{name}: none of our business")),
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
    // X1: what somebody wrote never drives the terminal.
    let written = ruly(answered.line.trim());
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
