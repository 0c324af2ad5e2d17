//! `send`: sends the waiting letters.

use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::Games;
use crate::cli::now::now;
use crate::cli::paper::{self, advice};
use crate::cli::ways::WayOut;
use clap::Args;
use mail::wire::carrier::Carrier;
use mail::wire::hint;
use post::office::sending::{Round, Sender};
use report::columns::ruly;
use serde_json::json;

/// Send the letters that wait: as the configuration says, by SMTP, or into a folder of `.eml` files.
///
/// A letter is marked as sent only after the server took it. One that the server defers is tried again, at growing
/// intervals: run the verb from time to time. No letter takes longer than three minutes, and while one is on its way
/// its game is free for other verbs.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail send
  ringmail send --to-files letters
  RINGMAIL_SMTP_PASSWORD=… ringmail send shire --smtp smtps://ringmail@mail.example.org
  ringmail send --smtp smtp+plain://127.0.0.1:2525

SMTP servers:
  smtps://USER@HOST[:465]       TLS from the first byte
  smtp://USER@HOST[:587]        STARTTLS, or nothing is sent
  smtp+plain://HOST[:25]        no TLS: only for a server on this machine
The password comes from RINGMAIL_SMTP_PASSWORD. With a configuration none of this
is needed.")]
pub struct Send {
    /// The games whose letters are sent; without any, all of them.
    games: Vec<String>,
    #[command(flatten)]
    way: WayOut,
    /// Print JSON, an object a game.
    #[arg(long)]
    json: bool,
}

pub fn run(wanted: &Send, games: &Games) -> Done {
    let office = games.office()?;
    let mut carrier = wanted.way.carrier(games)?;
    let mut left = false;
    let named = if wanted.games.is_empty() { office.games()? } else { wanted.games.clone() };
    let mut failed = None;
    for game in &named {
        // First completes what a crash left half done, so that its letters are sent, too.
        let recovered = match office.sit().at_desk(game, now(), |_| Ok(())) {
            // A game in doubt only asks its players; it has nothing to recover.
            Err(error) if error.is_in_doubt() => Ok(()),
            recovered => recovered,
        };
        match recovered.and_then(|()| office.sender(Some(game))).map_err(Failure::from) {
            Ok(mut sender) => left |= one(wanted, game, &mut sender, &mut *carrier)?,
            // If one game is broken, or `serve` is sending its letters, those of other games are still sent.
            Err(failure) => {
                paper::tell(&format!("ringmail: {game}: {}", failure.message));
                failed.get_or_insert(failure.exit);
            }
        }
    }
    if wanted.games.is_empty() {
        drop(office.counter()?);
        left |= one(wanted, "answers to strangers", &mut office.sender(None)?, &mut *carrier)?;
    }
    match (failed, left) {
        (Some(exit), _) => Err(Failure::silent(exit)),
        (None, true) => Err(Failure::silent(Exit::Failed)),
        (None, false) => Ok(()),
    }
}

/// Sends the letters of one outbox; true if some could not be sent.
fn one(wanted: &Send, name: &str, sender: &mut Sender, carrier: &mut dyn Carrier) -> Result<bool, Failure> {
    let round = sender.send(carrier, &now).map_err(|error| Failure::failed(format!("{error}.")))?;
    if wanted.json {
        paper::line(&in_json(name, &round).to_string())?
    } else {
        tell(name, &round, carrier.host().unwrap_or_default())?
    }
    Ok(round.no_service.is_some() || !round.later.is_empty() || !round.dead.is_empty())
}

fn in_json(name: &str, round: &Round) -> serde_json::Value {
    let replies = |letters: &[(String, String)]| {
        letters.iter().map(|(letter, reply)| json!({ "letter": letter, "reply": reply })).collect::<Vec<_>>()
    };
    json!({
        "game": name, "sent": round.sent, "later": replies(&round.later), "dead": replies(&round.dead),
        "resting": round.resting, "no_service": round.no_service,
    })
}

/// Prints what became of the letters; `host` is the server that takes them, if there is one.
fn tell(name: &str, round: &Round, host: &str) -> Done {
    for letter in &round.sent {
        paper::line(&format!("{} {letter}", paper::styled(paper::GOOD, "sent")))?;
    }
    // X1: a server's words must never control the terminal.
    for (letter, reply) in &round.later {
        paper::line(&format!("later {letter}: {}", ruly(reply)))?;
    }
    for (letter, reply) in &round.dead {
        paper::line(&format!("{} {letter}: {}", paper::styled(paper::BAD, "refused"), ruly(reply)))?;
    }
    match round.resting {
        0 => {}
        1 => paper::line(&format!("{name}: 1 letter waits for its next try"))?,
        more => paper::line(&format!("{name}: {more} letters wait for their next try"))?,
    }
    let Some(reason) = &round.no_service else { return Ok(()) };
    let known = hint::of(host, reason);
    paper::line(&format!("{name}: {}{}", paper::styled(paper::BAD, &ruly(reason)), advice(known)))
}
