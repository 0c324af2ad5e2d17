//! `send`: the letters that wait go out.

use crate::cli::clock::now;
use crate::cli::exit::{Exit, Failure, Outcome};
use crate::cli::games::Games;
use crate::cli::paper;
use crate::post::book::Book;
use crate::post::carrier::{Carrier, EmlFolder};
use crate::post::outbox::Outbox;
use crate::post::sending::{Round, send};
use crate::post::smtp::{Login, Protection, Server, Smtp};
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

/// The variable that holds the password of the SMTP server.
const PASSWORD: &str = "RINGMAIL_SMTP_PASSWORD";

/// Send the letters that wait, by SMTP or into a folder of `.eml` files.
///
/// A letter is marked as sent only after the server took it. What it puts off is tried again with growing patience;
/// run the verb from time to time.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail send --to-files letters
  RINGMAIL_SMTP_PASSWORD=… ringmail send shire --smtp smtps://ringmail@mail.example.org
  ringmail send --smtp smtp+plain://127.0.0.1:2525

SMTP servers:
  smtps://USER@HOST[:465]       TLS from the first byte
  smtp://USER@HOST[:587]        STARTTLS, or nothing is sent
  smtp+plain://HOST[:25]        no TLS: only for a server on this machine
The password comes from RINGMAIL_SMTP_PASSWORD.")]
pub struct Send {
    /// The games whose letters are sent; without any, all of them.
    games: Vec<String>,
    /// Write each letter into this folder.
    #[arg(long, value_name = "FOLDER", conflicts_with = "smtp", required_unless_present = "smtp")]
    to_files: Option<PathBuf>,
    /// The server that takes the letters.
    #[arg(long, value_name = "URL", env = "RINGMAIL_SMTP")]
    smtp: Option<String>,
    /// A file of further certificates to trust, in PEM, for a server of one's own.
    #[arg(long, value_name = "FILE", requires = "smtp")]
    trust: Option<PathBuf>,
    /// Print JSON, an object a game.
    #[arg(long)]
    json: bool,
}

pub fn run(wanted: &Send, games: &Games) -> Outcome {
    let office = games.office()?;
    let mut carrier = carrier(wanted, games)?;
    let mut left = false;
    let named = match wanted.games.is_empty() {
        true => office.games()?,
        false => wanted.games.clone(),
    };
    let mut failed = None;
    for game in &named {
        let opened = office.desk(game).and_then(|mut desk| desk.recover(now()).map(|_| desk));
        let mut desk = match opened.map_err(Failure::from) {
            Ok(desk) => desk,
            // What is wrong with one game does not keep the letters of another.
            Err(failure) => {
                paper::tell(&format!("ringmail: {game}: {}", failure.message));
                failed.get_or_insert(failure.exit);
                continue;
            }
        };
        left |= one(wanted, game, &desk.outbox, &mut desk.book, &mut *carrier)?;
    }
    if wanted.games.is_empty() {
        let mut counter = office.counter()?;
        left |= one(wanted, "answers to strangers", &counter.outbox, &mut counter.book, &mut *carrier)?;
    }
    match (failed, left) {
        (Some(exit), _) => Err(Failure::silent(exit)),
        (None, true) => Err(Failure::silent(Exit::Failed)),
        (None, false) => Ok(()),
    }
}

/// Sends the letters of one outbox; true if some could not be sent.
fn one(
    wanted: &Send,
    name: &str,
    outbox: &Outbox,
    book: &mut Book,
    carrier: &mut dyn Carrier,
) -> Result<bool, Failure> {
    let round = send(outbox, book, carrier, now()).map_err(|error| Failure::failed(format!("{error}.")))?;
    match wanted.json {
        true => paper::line(&in_json(name, &round).to_string())?,
        false => tell(name, &round)?,
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

fn tell(name: &str, round: &Round) -> Outcome {
    for letter in &round.sent {
        paper::line(&format!("{} {letter}", paper::styled(paper::GOOD, "sent")))?;
    }
    for (letter, reply) in &round.later {
        paper::line(&format!("later {letter}: {reply}"))?;
    }
    for (letter, reply) in &round.dead {
        paper::line(&format!("{} {letter}: {reply}", paper::styled(paper::BAD, "refused")))?;
    }
    if round.resting > 0 {
        paper::line(&format!("{name}: {} wait for their next try", round.resting))?;
    }
    match &round.no_service {
        Some(reason) => paper::line(&format!("{name}: {}", paper::styled(paper::BAD, reason))),
        None => Ok(()),
    }
}

fn carrier(wanted: &Send, games: &Games) -> Result<Box<dyn Carrier>, Failure> {
    if let Some(folder) = &wanted.to_files {
        let opened = EmlFolder::open(folder);
        let opened =
            opened.map_err(|error| Failure::failed(format!("{} cannot be used: {error}.", folder.display())))?;
        return Ok(Box::new(opened));
    }
    let url = wanted.smtp.as_deref().expect("a folder or a server is required");
    let mut server = server(url, &games.mailbox()?.host).map_err(Failure::usage)?;
    if let Some(file) = &wanted.trust {
        let read = crate::post::intake::read_text(file);
        let pem = read.map_err(|error| Failure::failed(format!("{} cannot be read: {error}.", file.display())))?;
        server.trusted = Some(pem);
    }
    Ok(Box::new(Smtp::new(server)))
}

/// The server of a URL; its password comes from the environment.
fn server(url: &str, hello: &str) -> Result<Server, String> {
    let (scheme, rest) = url.split_once("://").ok_or_else(|| format!("`{url}` is no URL like smtps://user@host."))?;
    let (protection, usual_port) = match scheme {
        "smtps" => (Protection::Implicit, 465),
        "smtp" => (Protection::StartTls, 587),
        "smtp+plain" => (Protection::None, 25),
        other => return Err(format!("`{other}` is no way to a server; there are smtps, smtp and smtp+plain.")),
    };
    let (user, place) = match rest.trim_end_matches('/').rsplit_once('@') {
        Some((user, place)) => (Some(user), place),
        None => (None, rest.trim_end_matches('/')),
    };
    let (host, port) = match place.rsplit_once(':') {
        Some((host, port)) => (host, port.parse().map_err(|_| format!("`{port}` is no port."))?),
        None => (place, usual_port),
    };
    if host.is_empty() {
        return Err(format!("`{url}` names no host."));
    }
    let login = match user {
        None => None,
        Some(user) if user.contains(':') => {
            return Err(format!("A password has no place on a command line; put it into {PASSWORD}."));
        }
        Some(user) => {
            let password = std::env::var(PASSWORD).map_err(|_| format!("There is no password in {PASSWORD}."))?;
            Some(Login { user: user.to_string(), password })
        }
    };
    Ok(Server { host: host.to_string(), port, protection, login, trusted: None, hello: hello.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(url: &str, expected: Result<(&str, u16, Protection), &str>) {
        let found = server(url, "example.org");
        let found = found.as_ref().map(|server| (server.host.as_str(), server.port, server.protection));
        assert_eq!(found.map_err(|error| error.split('`').nth(2).unwrap_or(error).trim()), expected);
    }

    #[test]
    fn a_server_is_named_by_its_url() {
        case("smtp+plain://127.0.0.1:2525", Ok(("127.0.0.1", 2525, Protection::None)));
        case("smtps://mail.example.org", Ok(("mail.example.org", 465, Protection::Implicit)));
        case("smtp://mail.example.org/", Ok(("mail.example.org", 587, Protection::StartTls)));
        case("mail.example.org", Err("is no URL like smtps://user@host."));
        case("ftp://mail.example.org", Err("is no way to a server; there are smtps, smtp and smtp+plain."));
        case("smtps://mail.example.org:x", Err("is no port."));
    }
}
