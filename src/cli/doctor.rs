//! `doctor`: tests whether the post office would work, and says how to mend it.

use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::Games;
use crate::cli::now::now;
use crate::cli::{paper, ways};
use crate::titles;
use clap::Args;
use mail::wire::carrier::Carrier;
use post::doctor::{Finding, State, examine};
use post::keeping::upgraded;
use report::columns::ruly;
use serde_json::json;

/// Try out everything that the post office needs: files, locks, servers, and a letter to itself.
///
/// Every problem is printed with what to do about it. The letters to itself can be deleted.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  ringmail doctor\n  ringmail --config /etc/ringmail.yaml doctor --json")]
pub struct Doctor {
    /// Print JSON, an object for each thing that was tried.
    #[arg(long)]
    json: bool,
    /// Only read: after another version of the program was installed, whether it understands every file, and whether
    /// every log still comes to the same game. Nothing is changed, and no server is asked.
    #[arg(long)]
    after_upgrade: bool,
}

/// Reads everything and reports what it found.
fn after_upgrade(doctor: &Doctor, games: &Games) -> Done {
    let office = games.office()?;
    let (mut is_wrong, mut printed) = (false, Ok(()));
    upgraded::look(&office, titles::ALL, &mut |found| {
        is_wrong |= found.trouble.is_some();
        let (state, words) = match &found.trouble {
            None => (State::Well, found.words.clone()),
            Some(trouble) => (State::Wrong, trouble.clone()),
        };
        let line = if doctor.json {
            let is = if found.trouble.is_some() { "wrong" } else { "well" };
            json!({ "of": found.of, "is": is, "words": words }).to_string()
        } else {
            format!("{} {:<16} {}", styled(state), found.of, ruly(&words))
        };
        if printed.is_ok() {
            printed = paper::line(&line);
        }
    })?;
    printed?;
    if is_wrong { Err(Failure::silent(Exit::Failed)) } else { Ok(()) }
}

pub fn run(doctor: &Doctor, games: &Games) -> Done {
    if doctor.after_upgrade {
        return after_upgrade(doctor, games);
    }
    let missing = || {
        let file = games.config_file().display();
        Failure::usage(format!("There is no configuration in {file}; `ringmail init` makes one."))
    };
    let config = games.config().ok_or_else(missing)?;
    let mut carrier = config.send.as_ref().map(|way| ways::carrier(way, &config.mailbox.host)).transpose()?;
    let store = games.store()?;
    let mut is_wrong = false;
    let mut printed = Ok(());
    let mut told = |finding: Finding| {
        is_wrong |= finding.state == State::Wrong;
        let line = if doctor.json { in_json(&finding) } else { in_words(&finding) };
        if printed.is_ok() {
            printed = paper::line(&line);
        }
    };
    told(Finding {
        of: "configuration",
        state: State::Well,
        words: format!("{} is understood", games.config_file().display()),
        advice: None,
    });
    let carrier = carrier.as_mut().map(|carrier| &mut **carrier as &mut dyn Carrier);
    examine(config, &store, carrier, &now, &mut told);
    printed?;
    if is_wrong { Err(Failure::silent(Exit::Failed)) } else { Ok(()) }
}

/// The word of a state, in its column.
fn styled(state: State) -> String {
    let (style, word) = match state {
        State::Well => (paper::GOOD, "well   "),
        State::Doubtful => (paper::HEADING, "doubt  "),
        State::Wrong => (paper::BAD, "wrong  "),
        State::Skipped => (paper::QUIET, "skipped"),
    };
    paper::styled(style, word)
}

fn in_words(finding: &Finding) -> String {
    let advice = finding.advice.as_ref().map_or(String::new(), |advice| format!("\n{:23}→ {advice}", ""));
    // X1: a server's words must never control the terminal.
    format!("{} {:<14} {}{advice}", styled(finding.state), finding.of, ruly(&finding.words))
}

fn in_json(finding: &Finding) -> String {
    let state = match finding.state {
        State::Well => "well",
        State::Doubtful => "doubtful",
        State::Wrong => "wrong",
        State::Skipped => "skipped",
    };
    json!({ "of": finding.of, "is": state, "words": finding.words, "advice": finding.advice }).to_string()
}
