//! `invite`: invites people by letter.

use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::{Games, sentence, write_letters};
use crate::cli::now::now;
use crate::cli::paper;
use clap::Args;
use engine::seat::Seat;
use mail::letter::mailbox::Mailbox;
use post::desk::Desk;
use post::desk::lobby::Invitation;
use report::guest::Role;

/// Invite people to a game by letter: to play, to take over a seat, or to watch.
///
/// Without addresses, everybody to whom the charter gives a seat and an address is invited. A player who is invited
/// without a seat says by letter which one he would like; when enough players have joined, each gets a seat and is
/// asked whether he is ready, and the game starts by itself. `ringmail new --seat "red=?"` makes a seat without a
/// player.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail invite shire
  ringmail invite shire \"Anna <anna@example.org>\" \"Bert <bert@example.org>\"
  ringmail invite shire --seat red \"Dora <dora@example.org>\"     (also after the start: the seat changes hands)
  ringmail invite shire --observer carl@example.org")]
pub struct Invite {
    /// The game.
    game: String,
    /// The players to invite.
    #[arg(value_name = "NAME <ADDRESS>")]
    people: Vec<String>,
    /// The seat that is offered.
    #[arg(long, value_name = "SEAT", conflicts_with = "observer")]
    seat: Option<String>,
    /// Invite them to watch.
    #[arg(long)]
    observer: bool,
}

pub fn run(invite: &Invite, games: &Games) -> Done {
    let mut desk = games.desk(&invite.game)?;
    let invitations = match invite.people.is_empty() {
        true if invite.seat.is_none() && !invite.observer => by_charter(&desk),
        true => return Err(Failure::usage("Name the players: `ringmail invite shire \"Anna <anna@example.org>\"`.")),
        false => invite.people.iter().map(|person| invitation(invite, person)).collect::<Result<_, _>>()?,
    };
    if invitations.is_empty() {
        return Err(Failure::new(Exit::Refused, "The charter names nobody who has an address and no seat yet."));
    }
    for invitation in invitations {
        let who = invitation.address.to_string();
        match desk.invite(&invitation)? {
            Ok(word) => paper::line(&format!("{who} is invited, as {word}"))?,
            Err(why) => return Err(Failure::new(Exit::Refused, format!("{who}: {}", sentence(&why.to_string())))),
        }
    }
    desk.settle_guests(now())?;
    write_letters(&mut desk)?;
    paper::line("The letters wait for `ringmail send`.")
}

/// An invitation for everybody whom the charter gives a seat and an address and who has not joined.
fn by_charter(desk: &Desk) -> Vec<Invitation> {
    let fold = desk.table.fold();
    let seats = fold.plan().seats.iter().enumerate();
    let open = seats.filter(|(index, seat)| !seat.hosted && !fold.has_joined(Seat::at(*index)));
    let invitation = |(_, seat): (usize, &record::charter::plan::SeatPlan)| {
        let secrets = desk.table.secrets().seats.iter().find(|secrets| secrets.seat == seat.word)?;
        let address = Mailbox::read(secrets.addresses.first()?)?;
        let (name, seat) = (Some(seat.player.clone()), Some(seat.word.clone()));
        Some(Invitation { address, name, role: Role::Player, seat, given_by: None })
    };
    open.filter_map(invitation).collect()
}

/// Reads `Anna <anna@example.org>`, or the address alone.
fn invitation(invite: &Invite, person: &str) -> Result<Invitation, Failure> {
    let (name, address) = match person.trim().strip_suffix('>').and_then(|who| who.rsplit_once('<')) {
        Some((name, address)) => (Some(name.trim().to_string()), address.trim()),
        None => (None, person.trim()),
    };
    let read = Mailbox::read(address);
    let address = read.ok_or_else(|| Failure::usage(format!("`{person}` is not an address.")))?;
    let name = name.filter(|name| !name.is_empty());
    let role = if invite.observer { Role::Observer } else { Role::Player };
    Ok(Invitation { address, name, role, seat: invite.seat.clone(), given_by: None })
}
