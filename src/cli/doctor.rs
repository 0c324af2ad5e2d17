//! `doctor`: whether the post office would work, and what to do if not.

use crate::cli::clock::now;
use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::Games;
use crate::cli::{paper, ways};
use crate::mail::wire::carrier::Carrier;
use crate::post::doctor::{Finding, State, examine};
use crate::report::columns::ruly;
use clap::Args;
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
}

pub fn run(doctor: &Doctor, games: &Games) -> Done {
    let missing = || {
        let file = games.config_file().display();
        Failure::usage(format!("There is no configuration in {file}; `ringmail init` makes one."))
    };
    let config = games.config().ok_or_else(missing)?;
    let mut carrier = config.send.as_ref().map(|way| ways::carrier(way, &config.mailbox.host)).transpose()?;
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
    examine(config, carrier, &now, &mut told);
    printed?;
    if is_wrong { Err(Failure::silent(Exit::Failed)) } else { Ok(()) }
}

fn in_words(finding: &Finding) -> String {
    let (style, word) = match finding.state {
        State::Well => (paper::GOOD, "well   "),
        State::Doubtful => (paper::HEADING, "doubt  "),
        State::Wrong => (paper::BAD, "wrong  "),
        State::Skipped => (paper::QUIET, "skipped"),
    };
    let advice = finding.advice.as_ref().map_or(String::new(), |advice| format!("\n{:23}→ {advice}", ""));
    // X1: what a server says never drives the terminal.
    format!("{} {:<14} {}{advice}", paper::styled(style, word), finding.of, ruly(&finding.words))
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
