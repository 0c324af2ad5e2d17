//! `join`: a seat joins a game.

use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::{Games, seat, tell_set_aside};
use crate::cli::keyboard::at_keyboard;
use crate::cli::now::now;
use crate::cli::paper;
use clap::Args;
use engine::seat::Seat;
use record::commit::signature::PublicKey;
use record::table::{Joining, Table};

/// Join a game for a seat, with a phrase of the player's.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail join shire --as yellow --phrase \"second breakfast\"
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
    /// A public key with which the player signs his sentences, as in `~/.ssh/id_ed25519.pub`; it may be repeated.
    #[arg(long = "key", value_name = "KEY", value_parser = key)]
    keys: Vec<PublicKey>,
}

pub fn run(join: &Join, games: &Games) -> Done {
    let mut desk = games.desk(&join.game)?;
    let table = &mut desk.table;
    let seat = seat(table.fold().plan(), &join.seat)?;
    if table.fold().has_joined(seat) && table.fold().plan().seats[seat.index()].hosted {
        paper::line(&format!("{} is the host's own, and joined before all others", join.seat))?;
        return next(table, &join.game);
    }
    if table.fold().has_joined(seat) {
        return Err(Failure::new(Exit::Refused, format!("{} has joined already.", join.seat)));
    }
    let joining = Joining {
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

/// Prints what must be done before the game can start.
pub fn next(table: &Table, game: &str) -> Done {
    let plan = table.fold().plan();
    let words = |seats: Vec<Seat>| seats.into_iter().map(|seat| plan.word(seat)).collect::<Vec<&str>>().join(", ");
    let missing = (0..plan.seats.len()).map(Seat::at).filter(|seat| !table.fold().has_joined(*seat));
    let missing = words(missing.collect());
    if missing.is_empty() {
        paper::line(&format!("Next: `ringmail start {game}`."))
    } else {
        paper::line(&format!("Still to join: {missing}."))
    }
}

/// Reads a key as a `.pub` file has it.
pub fn key(text: &str) -> Result<PublicKey, String> {
    PublicKey::read(text).map_err(|refused| refused.to_string())
}
