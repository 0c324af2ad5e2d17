//! `queue`: the unsent letters, and what the host does with one of them.

use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::Games;
use crate::cli::now::now;
use crate::cli::paper;
use crate::cli::status::{ago, short};
use clap::{Args, Subcommand};
use ground::stamp::Stamp;
use post::book::State;
use post::office::Office;
use post::office::out_queue::{self, Declined, Queued, Unnamed, Wish};
use report::columns::{left, ruly, width};
use serde_json::{Value, json};
use std::time::Duration;

/// Show the letters of all games that have not been sent: those that wait, were tried, are held, or are dead; and
/// retry, hold, release or drop one.
///
/// No lock is taken for showing them. What is done to a letter stands in the post book of its game; `serve`, if it
/// runs, heeds it within a minute. A letter that a server has taken is never sent again by this.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail queue
  ringmail queue retry k3f9a2
  ringmail queue hold k3f9a2
  ringmail queue release k3f9a2
  ringmail queue drop k3f9a2 --why \"he has left\"")]
pub struct Queue {
    #[command(subcommand)]
    act: Option<Act>,
    /// Show the letters that were dropped, too.
    #[arg(long)]
    all: bool,
    /// Print JSON, an object a letter.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand, Debug)]
enum Act {
    /// Send a letter at the next turn, however often it was tried; also one that is dead or was dropped.
    Retry(Letter),
    /// Keep a letter from being sent. Its player is not late meanwhile.
    Hold(Letter),
    /// Let a letter go that is held.
    Release(Letter),
    /// Give a letter up: it is never sent, and is kept in the folder `dead` of its game.
    Drop {
        #[command(flatten)]
        letter: Letter,
        /// Why, for the post book.
        #[arg(long)]
        why: Option<String>,
    },
}

#[derive(Args, Debug)]
struct Letter {
    /// The id of the letter, as `ringmail queue` shows it, or its beginning.
    id: String,
}

/// The letters of one outbox, or why it cannot be read.
type Shelf = (String, Result<Vec<Queued>, Failure>);

pub fn run(wanted: &Queue, games: &Games) -> Done {
    let office = games.office()?;
    let shelves = shelves(&office)?;
    match &wanted.act {
        None => show(wanted, &shelves),
        Some(Act::Retry(letter)) => act(wanted, games, &office, &shelves, letter, &Wish::Retry),
        Some(Act::Hold(letter)) => act(wanted, games, &office, &shelves, letter, &Wish::Hold),
        Some(Act::Release(letter)) => act(wanted, games, &office, &shelves, letter, &Wish::Release),
        Some(Act::Drop { letter, why }) => act(wanted, games, &office, &shelves, letter, &Wish::Drop(why.clone())),
    }
}

fn shelves(office: &Office) -> Result<Vec<Shelf>, Failure> {
    let of = |game: Option<&str>| out_queue::of_drawer(&office.drawer(game), game).map_err(Failure::from);
    let mut shelves: Vec<Shelf> = office.games()?.into_iter().map(|game| (game.clone(), of(Some(&game)))).collect();
    shelves.push(("the counter".to_owned(), of(None)));
    Ok(shelves)
}

fn show(wanted: &Queue, shelves: &[Shelf]) -> Done {
    let is_shown = |letter: &&Queued| wanted.all || !matches!(letter.state, State::GivenUp { .. });
    let letters: Vec<&Queued> =
        shelves.iter().filter_map(|(_, found)| found.as_ref().ok()).flatten().filter(is_shown).collect();
    if wanted.json {
        letters.iter().try_for_each(|letter| paper::line(&in_json(letter).to_string()))?
    } else {
        table(&letters, now())?
    }
    let mut failed = None;
    for (name, found) in shelves {
        if let Err(failure) = found {
            paper::tell(&format!("ringmail: {name}: {}", failure.message));
            failed.get_or_insert(Exit::Failed);
        }
    }
    failed.map_or(Ok(()), |exit| Err(Failure::silent(exit)))
}

/// A letter in JSON. `is` has its state.
pub fn in_json(letter: &Queued) -> Value {
    let next = letter.next().map(|next| next.to_string());
    let mut told = json!({
        "id": letter.id, "game": letter.game, "letter": letter.letter, "seat": letter.seat, "to": letter.to,
        "written": letter.since, "is": word(&letter.state), "next": next,
    });
    match &letter.state {
        State::Tried { times, last, reply, .. } => {
            (told["times"], told["last"], told["reply"]) = (json!(times), json!(last), json!(reply));
        }
        State::Dead { reply } => told["reply"] = json!(reply),
        State::Held { at } | State::Sent { at } => told["since"] = json!(at),
        State::GivenUp { at, why } => (told["since"], told["why"]) = (json!(at), json!(why)),
        State::Waiting => {}
    }
    told
}

fn word(state: &State) -> &'static str {
    match state {
        State::Waiting => "waiting",
        State::Tried { .. } => "tried",
        State::Sent { .. } => "sent",
        State::Dead { .. } => "dead",
        State::Held { .. } => "held",
        State::GivenUp { .. } => "dropped",
    }
}

/// Prints letters as a table; a server's reply is printed below its letter.
pub fn table(letters: &[&Queued], at: Stamp) -> Done {
    if letters.is_empty() {
        return paper::line("No letter waits.");
    }
    let row = |letter: &&Queued| {
        let next = match (&letter.state, letter.next()) {
            (State::Waiting, _) => "now".to_owned(),
            (_, Some(next)) if next <= at => "now".to_owned(),
            (_, Some(next)) => format!("in {}", short(Some(next.since(at)))),
            (_, None) => "-".to_owned(),
        };
        [
            letter.id.clone(),
            letter.game.clone().unwrap_or_else(|| "counter".to_owned()),
            ruly(&letter.to).to_string(),
            ago(&letter.since, at),
            word(&letter.state).to_owned(),
            next,
        ]
    };
    let head = ["id", "game", "to", "written", "is", "next try"].map(str::to_owned);
    let rows: Vec<[String; 6]> = letters.iter().map(row).collect();
    let mut widths = [0; 6];
    for row in rows.iter().chain([&head]) {
        widths.iter_mut().zip(row).for_each(|(widest, cell)| *widest = (*widest).max(width(cell)));
    }
    let set = |row: &[String; 6]| {
        let cells: Vec<String> = row.iter().zip(widths).map(|(cell, columns)| left(cell, columns)).collect();
        cells.join("  ").trim_end().to_owned()
    };
    paper::line(&paper::styled(paper::HEADING, &set(&head)))?;
    for (row, letter) in rows.iter().zip(letters) {
        paper::line(&set(row))?;
        let below = match &letter.state {
            State::Tried { times: 0, .. } => Some("to be sent at the next turn".to_owned()),
            State::Tried { times, reply, .. } => Some(format!("tried {times} times: {reply}")),
            State::Dead { reply } => Some(reply.clone()),
            State::Held { at: since } => Some(format!("held for {}", ago(since, at))),
            State::GivenUp { why, .. } => why.clone(),
            State::Waiting | State::Sent { .. } => None,
        };
        // X1: a server's words must never control the terminal.
        if let Some(below) = below {
            paper::line(&paper::styled(paper::QUIET, &format!("        {}", ruly(&below))))?;
        }
    }
    Ok(())
}

fn act(wanted: &Queue, games: &Games, office: &Office, shelves: &[Shelf], named: &Letter, wish: &Wish) -> Done {
    let letters = shelves.iter().filter_map(|(_, found)| found.as_ref().ok()).flatten();
    let letter = out_queue::named(letters, &named.id).map_err(|unnamed| not_named(&named.id, &unnamed))?;
    let patience: Duration = games.patience();
    let granted = office.grant(letter.game.as_deref(), &letter.letter, wish, patience, now())?;
    granted.map_err(|declined| Failure::new(Exit::Refused, declined_in_words(&letter.id, &declined)))?;
    let told = match wish {
        Wish::Retry => "is sent at the next turn",
        Wish::Release => "is released, and sent at the next turn",
        Wish::Hold => "is held",
        Wish::Drop(_) => "is dropped, and lies in `dead`",
    };
    if wanted.json {
        paper::line(&json!({ "id": letter.id, "letter": letter.letter, "told": told }).to_string())
    } else {
        paper::line(&format!("{} to {} {told}.", letter.id, ruly(&letter.to)))
    }
}

fn not_named(id: &str, unnamed: &Unnamed) -> Failure {
    Failure::usage(match unnamed {
        Unnamed::Nothing => format!(
            "No letter that waits or is dead has the id `{id}`; `ringmail queue` shows them, in their first column."
        ),
        Unnamed::Several(ids) => format!("`{id}` names several letters: {}.", ids.join(", ")),
    })
}

fn declined_in_words(id: &str, declined: &Declined) -> String {
    match declined {
        Declined::Sent { at } => format!("A server has taken {id} at {at}; it is not sent twice."),
        Declined::Held { at } => format!("{id} is held since {at}; `ringmail queue release {id}` lets it go."),
        Declined::NotHeld => format!("{id} is not held; `ringmail queue retry {id}` sends it at the next turn."),
        Declined::Dead => format!("{id} is dead, and not sent unless you retry it."),
        Declined::GivenUp { at } => {
            format!("{id} was dropped at {at}, and is not sent unless you retry it.")
        }
        Declined::Gone => format!("{id} does not lie in the outbox any more."),
    }
}
