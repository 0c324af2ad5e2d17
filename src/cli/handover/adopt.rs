//! `handover share` and `handover adopt`: the players continue a game whose host has vanished.

use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::{Games, seat, sentence, write_letters};
use crate::cli::now::now;
use crate::cli::paper;
use crate::titles;
use clap::Args;
use engine::seat::Seat;
use ground::files::LOG;
use ground::hash::{GameId, Hash};
use mail::letter::mailbox::Mailbox;
use post::witness::rebuild::{Found, Rebuilt, Share};
use record::charter::plan::Plan;
use record::commit::escrow;
use record::file::reading::read_through;
use record::file::secrets::SeatSecrets;
use record::file::stream::Records;
use record::table::Table;
use record::table::adopt::{root_of, secrets};
use record::table::table_error::TableError;
use std::ops::ControlFlow;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct Adopt {
    /// The name of the game.
    name: String,
    /// Your mail; it may be repeated, also with mail that others have given you.
    #[arg(long, required = true, value_name = "PATH")]
    mailbox: Vec<PathBuf>,
    /// Which game, if several have that name: 32 hexadecimal digits.
    #[arg(long, value_parser = game_id)]
    game: Option<GameId>,
    /// The share of a seat that is not in the mail given.
    #[arg(long = "share", value_name = "SEAT=LETTERS")]
    shares: Vec<String>,
    /// A seat that you play yourself.
    #[arg(long, value_name = "SEAT")]
    plays: Vec<String>,
    /// The mail address of a seat; only the old host knew it.
    #[arg(long = "address", value_name = "SEAT=ADDRESS")]
    addresses: Vec<String>,
    /// Why, in a sentence for the log.
    #[arg(long)]
    why: String,
}

/// Looks through mailboxes for the game of this name.
pub fn found(mailboxes: &[PathBuf], name: &str) -> Result<Found, Failure> {
    let mut found = Found::default();
    for mailbox in mailboxes {
        let looked = found.look(mailbox, name);
        looked.map_err(|error| Failure::failed(format!("The mailbox cannot be read: {error}.")))?;
    }
    Ok(found)
}

/// Prints the shares that the letters of a mailbox hold.
pub fn print_shares(mailbox: &PathBuf, name: &str) -> Done {
    let found = found(std::slice::from_ref(mailbox), name)?;
    if found.shares.is_empty() {
        let why = format!(
            "No letter of {name} in {} holds a share: the game has no shares, or these are not your letters.",
            mailbox.display()
        );
        return Err(Failure::new(Exit::Refused, why));
    }
    for Share { game, seat, share } in &found.shares {
        paper::line(&format!("{name} {game}: --share {seat}={}", escrow::write(share)))?;
    }
    Ok(())
}

/// Rebuilds the log, and announces its new host.
pub fn run(wanted: &Adopt, games: &Games) -> Done {
    let found = found(&wanted.mailbox, &wanted.name)?;
    let rebuilt = found.rebuild(&wanted.name, wanted.game);
    let rebuilt = rebuilt.map_err(|why| Failure::new(Exit::Refused, sentence(&why.to_string())))?;
    let fold = read_through(Records::new(rebuilt.log.as_slice()), titles::ALL, None, |_| ControlFlow::Continue(()))
        .map_err(TableError::from)?;
    let plan = fold.plan();
    let shares = shares(wanted, &found, plan)?;
    let root = root_of(&fold, &shares);
    let root = root.map_err(|why| Failure::new(Exit::Refused, sentence(&why.to_string())))?;
    let plays: Vec<Seat> = wanted.plays.iter().map(|word| seat(plan, word)).collect::<Result<_, _>>()?;
    let secrets = secrets(&fold, root, seat_secrets(wanted, plan)?);
    let secrets = secrets.map_err(|error| Failure::failed(format!("The system gives no random bytes: {error}.")))?;
    let drawer = games.drawer(&wanted.name)?;
    let written = drawer.make().and_then(|()| drawer.create(LOG, &rebuilt.log));
    written.map_err(|error| Failure::failed(format!("{} cannot be written: {error}.", drawer.place(LOG).display())))?;
    secrets.create(&drawer).map_err(record::table::table_error::TableError::from)?;
    let mut table = Table::open(&drawer, titles::ALL)?;
    let head = table.adopt(&plays, &wanted.why, now())?;
    tell(&rebuilt, &found, &table, head.hash)?;
    drop(table);
    write_letters(&mut games.desk(&wanted.name)?)
}

fn tell(rebuilt: &Rebuilt, found: &Found, table: &Table, head: Hash) -> Done {
    let fold = table.fold();
    let letters = found.letters;
    paper::line(&format!("{} records rebuilt from {letters} letters, and they verify.", rebuilt.records))?;
    if let Some(beyond) = rebuilt.beyond {
        paper::line(&format!("Records up to #{beyond} are missing; another player's mail may have them."))?;
    }
    paper::line(&format!("#{} you are announced as the new host, head {head}", fold.head().seq))?;
    paper::line("\nTell this head to the others. Each answers with words of his own, by letter or through you:")?;
    for number in fold.adoption().iter().flat_map(|adoption| &adoption.waits_for) {
        let word = fold.plan().word(Seat(*number));
        paper::line(&format!("  {word}: consent with words"))?;
    }
    for place in table.secrets().seats.iter().filter(|place| place.addresses.is_empty()) {
        let (game, seat) = (&fold.plan().name, &place.seat);
        let help = format!("`ringmail address {game} --as {seat} --to ADDRESS`");
        paper::line(&format!("\nNo address of {seat} is known, and no letter goes there: {help}."))?;
    }
    paper::line("")
}

/// The shares from the mail and from the command line.
fn shares(wanted: &Adopt, found: &Found, plan: &Plan) -> Result<Vec<(Seat, Hash)>, Failure> {
    let ours = found.shares.iter().filter(|share| share.game == plan.game);
    let mut shares: Vec<(Seat, Hash)> = ours.filter_map(|share| Some((plan.seat(&share.seat)?, share.share))).collect();
    for written in &wanted.shares {
        let (word, letters) = pair(written)?;
        let share = escrow::read(letters);
        let share =
            share.ok_or_else(|| Failure::usage(format!("`{letters}` is not a share, which has 52 letters.")))?;
        shares.push((seat(plan, word)?, share));
    }
    Ok(shares)
}

fn seat_secrets(wanted: &Adopt, plan: &Plan) -> Result<Vec<SeatSecrets>, Failure> {
    let mut seats: Vec<SeatSecrets> = Vec::new();
    for known in &plan.seats {
        seats.push(SeatSecrets { seat: known.word.clone(), ..SeatSecrets::default() });
    }
    for written in &wanted.addresses {
        let (word, address) = pair(written)?;
        let index = seat(plan, word)?.index();
        let read = Mailbox::read(address);
        let address = read.ok_or_else(|| Failure::usage(format!("`{address}` is not a mail address.")))?;
        seats[index].addresses.push(address.to_string());
    }
    Ok(seats)
}

fn pair(written: &str) -> Result<(&str, &str), Failure> {
    written.split_once('=').ok_or_else(|| Failure::usage(format!("`{written}` should read SEAT=….")))
}

fn game_id(text: &str) -> Result<GameId, String> {
    GameId::parse(text).ok_or_else(|| "the number of a game has 32 hexadecimal digits, in lower case".to_string())
}
