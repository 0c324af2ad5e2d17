//! `join` and `start`: every seat joins, and the start fixes all commitments.

use crate::cli::clock::now;
use crate::cli::exit::{Done, Failure};
use crate::cli::games::{Games, seat, tell_set_aside, write_letters};
use crate::cli::paper;
use crate::cli::say::code;
use clap::Args;
use engine::seat::Seat;
use ground::hash::Code;
use record::commit::signature::PublicKey;
use record::entry::body::Via;
use record::table::{Joining, Table};

/// Join a game for a seat, with a phrase of the player's and, if wished, the anchor of its one-time codes.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail join shire --as yellow --phrase \"second breakfast\"
  ringmail join shire --as red --anchor 0cc355f6c11b313a6885ab696df8aade805d7784
  ringmail join shire --as red --key \"ssh-ed25519 AAAA…\"")]
pub struct Join {
    /// The game.
    game: String,
    /// The seat that joins.
    #[arg(long = "as", value_name = "SEAT")]
    seat: String,
    /// Any words of the player's; they enter the dice. A seat that the host holds adds none.
    #[arg(long, default_value = "")]
    phrase: String,
    /// The anchor that `ringmail codes new` printed on the player's machine.
    #[arg(long, value_parser = anchor)]
    anchor: Option<Code>,
    /// A public key with which the player signs his sentences, as in `~/.ssh/id_ed25519.pub`; it may be repeated.
    #[arg(long = "key", value_name = "KEY", value_parser = key)]
    keys: Vec<PublicKey>,
}

/// A seat that keeps one-time codes opens its first, when all have joined.
///
/// Nobody else knows this code while others can still choose what they bring, so nobody can have aimed the dice.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  ringmail ready shire --as red --code EQO5-OXLZ-SD3A-R2AY-5KVA-3BIT-JCQU-ANJ4")]
pub struct Ready {
    /// The game.
    game: String,
    /// The seat that is ready.
    #[arg(long = "as", value_name = "SEAT")]
    seat: String,
    /// Code 1 of its book.
    #[arg(long, value_parser = code)]
    code: Code,
}

/// Start a game that every seat has joined, and write the first letters.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  ringmail start shire && ringmail send shire --to-files letters")]
pub struct Start {
    /// The game.
    game: String,
}

pub fn join(join: &Join, games: &Games) -> Done {
    let mut desk = games.desk(&join.game)?;
    let table = &mut desk.table;
    let seat = seat(table.fold().plan(), &join.seat)?;
    if table.fold().has_joined(seat) && table.fold().plan().seats[seat.index()].hosted {
        paper::line(&format!("{} is the host's own, and joined before all others", join.seat))?;
        return next(table, &join.game);
    }
    if table.fold().has_joined(seat) {
        return Err(Failure::new(super::exit::Exit::Refused, format!("{} has joined already.", join.seat)));
    }
    let joining = Joining {
        anchor: join.anchor,
        phrase: join.phrase.clone(),
        keys: join.keys.iter().map(PublicKey::to_string).collect(),
        ..Joining::default()
    };
    let via = at_keyboard(table, seat)?;
    let head = table.join(seat, &joining, via, now())?;
    tell_set_aside(table.set_aside());
    paper::line(&format!("#{} {} has joined", head.seq, join.seat))?;
    next(table, &join.game)
}

pub fn ready(ready: &Ready, games: &Games) -> Done {
    let mut desk = games.desk(&ready.game)?;
    let seat = seat(desk.table.fold().plan(), &ready.seat)?;
    let via = at_keyboard(&desk.table, seat)?;
    let head = desk.table.ready(seat, ready.code, via, now())?;
    tell_set_aside(desk.table.set_aside());
    paper::line(&format!("#{} {} is ready", head.seq, ready.seat))?;
    next(&desk.table, &ready.game)
}

/// Prints what must be done before the game can start.
fn next(table: &Table, game: &str) -> Done {
    let plan = table.fold().plan();
    let words = |seats: Vec<Seat>| seats.into_iter().map(|seat| plan.word(seat)).collect::<Vec<&str>>().join(", ");
    let missing = (0..plan.seats.len()).map(Seat::at).filter(|seat| !table.fold().has_joined(*seat));
    let (missing, not_ready) = (words(missing.collect()), words(table.fold().not_ready()));
    match (missing.is_empty(), not_ready.is_empty()) {
        (false, _) => paper::line(&format!("Still to join: {missing}.")),
        (true, false) => {
            paper::line(&format!("Next, with their first one-time codes (`ringmail ready {game}`): {not_ready}."))
        }
        (true, true) => paper::line(&format!("Next: `ringmail start {game}`.")),
    }
}

pub fn start(start: &Start, games: &Games) -> Done {
    let mut desk = games.desk(&start.game)?;
    let before = desk.table.fold().head().seq;
    match desk.table.beacon().is_some() {
        // With a beacon it starts when the round is published.
        true => desk.start(now())?,
        false => drop(desk.table.start(now())?),
    }
    tell_set_aside(desk.table.set_aside());
    let head = desk.table.fold().head();
    if head.seq > before {
        paper::line(&format!("#{} {}", head.seq, head.hash))?;
    }
    tell_waiting(&desk.table)?;
    write_letters(&mut desk)
}

/// Prints what the game waits for: an answer, or a round of the beacon.
pub fn tell_waiting(table: &Table) -> Done {
    match table.fold().next_round() {
        Some((round, at)) => paper::line(&format!(
            "The game waits for round {round} of the beacon, at {at}; `ringmail tick`, `receive` or `serve` plays it."
        )),
        None => paper::line(&format!("The game waits for {}.", table.fold().waits_for())),
    }
}

/// How a sentence typed at the host's machine proves its seat.
///
/// # Errors
/// The seat belongs to a player who answers by letter, or to the program.
pub fn at_keyboard(table: &Table, seat: Seat) -> Result<Option<Via>, Failure> {
    let plan = table.fold().plan();
    if plan.seats[seat.index()].program.is_some() {
        let why = format!("The program plays {}, and nobody else answers for it.", plan.word(seat));
        return Err(Failure::new(super::exit::Exit::Refused, why));
    }
    if table.fold().may_type(seat) {
        return Ok(Some(Via::keyboard()));
    }
    let (word, player, least) = (plan.word(seat), &plan.seats[seat.index()].player, plan.min_auth.word());
    Err(Failure::new(
        super::exit::Exit::Refused,
        format!(
            "The seat {word} is {player}'s, and in this game (min_auth: {least}) only letters speak for it: what is \
             typed here would be the host's word. A game round one table is made with `ringmail new --min-auth \
             keyboard`, and a seat that the host plays with `--host-plays {word}`."
        ),
    ))
}

/// Reads a key as a `.pub` file has it.
pub fn key(text: &str) -> Result<PublicKey, String> {
    PublicKey::read(text).map_err(|refused| refused.to_string())
}

fn anchor(text: &str) -> Result<Code, String> {
    Code::parse(text).ok_or_else(|| "an anchor has 40 hexadecimal digits, in lower case".to_string())
}
