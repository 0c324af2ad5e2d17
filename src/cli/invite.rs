//! `invite` and `ask`: invites people by letter, and makes requests for a host that players make by letter.

use crate::cli::clock::now;
use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::{Games, seat, sentence, write_letters};
use crate::cli::join::at_keyboard;
use crate::cli::paper;
use crate::titles;
use clap::Args;
use engine::seat::Seat;
use mail::letter::mailbox::Mailbox;
use mail::letter::spelling;
use post::desk::lobby::Invitation;
use post::desk::{Desk, enclosure};
use post::order::request::{self, Request};
use record::entry::Head;
use record::entry::acts::NO_REASON;
use record::fold::council::Proposal;
use record::table::table_error::TableError;
use report::columns::LETTER;
use report::guest::Role;
use report::requests;

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

/// Make a request for a seat that the host plays, as players make it by letter.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail ask shire --as red \"vote yes 57\"
  ringmail ask shire --as red \"propose undo to 57: a slip\"
  ringmail ask shire help")]
pub struct Ask {
    /// The game.
    game: String,
    /// The seat that asks; needed for what only players may do.
    #[arg(long = "as", value_name = "SEAT")]
    seat: Option<String>,
    /// The request.
    #[arg(required = true, value_name = "REQUEST")]
    words: Vec<String>,
}

pub fn invite(invite: &Invite, games: &Games) -> Done {
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

pub fn ask(ask: &Ask, games: &Games) -> Done {
    let line = ask.words.join(" ");
    let asked = match request::read(&spelling::plain(&line), &line) {
        None => return Err(Failure::usage(format!("`{line}` is not a request; `ringmail ask GAME help` lists them."))),
        Some(Err(misread)) => return Err(Failure::new(Exit::Refused, sentence(&misread.to_string()))),
        Some(Ok(asked)) => asked,
    };
    let mut desk = games.desk(&ask.game)?;
    let reader = ask.seat.as_deref().map(|word| seat(desk.table.fold().plan(), word)).transpose()?;
    let last = desk.table.fold().head().seq;
    if let Some(entry) = asked.entry.filter(|entry| asked.definition.only_reads() && *entry > last) {
        return Err(Failure::usage(format!("There is no entry {entry}; the last is {last}.")));
    }
    if asked.request == (Request::Help { topic: None }) {
        let title = desk.table.fold().plan().title.id();
        return paper::print(&requests::help(title, &enclosure::help_lines(), LETTER));
    }
    let since = desk.table.fold().at();
    if let Some(text) = enclosure::text(&asked.request, &desk.table, titles::ALL, reader, since)? {
        return paper::print(&text);
    }
    let reader = reader.ok_or_else(|| Failure::usage("Say for which seat, with `--as`."))?;
    for head in heads(&mut desk, reader, &asked.request)? {
        paper::line(&format!("#{} {}", head.seq, head.hash))?;
    }
    write_letters(&mut desk)
}

fn heads(desk: &mut Desk, seat: Seat, request: &Request) -> Result<Vec<Head>, Failure> {
    let (via, at) = (at_keyboard(&desk.table, seat)?, now());
    let done: Result<Vec<Head>, TableError> = match request {
        Request::Propose(proposed) => {
            let of = match &proposed.of {
                Some(word) => Some(crate::cli::games::seat(desk.table.fold().plan(), word)?),
                None => None,
            };
            let text = proposed.text.clone().unwrap_or_else(|| NO_REASON.to_string());
            let until = proposed.until.as_ref().map(|words| desk.table.later_deadline(seat, words, at)).transpose();
            let until = until.map_err(TableError::from)?;
            let (what, to, rules) = (proposed.what, proposed.to, proposed.rules.clone());
            let proposal = Proposal { what, to, of, codes: None, key: None, rules, until, text };
            desk.table.propose(seat, &proposal, via, at)
        }
        Request::Vote { motion: Some(motion), says } => desk.table.vote(seat, *motion, *says, None, via, at),
        Request::Concede { text } => desk.table.concede(seat, text.as_deref(), via, at),
        Request::Dispute { about, text } => desk.table.dispute(seat, *about, text, via, at).map(|head| vec![head]),
        Request::Vote { motion: None, .. } => {
            return Err(Failure::usage("Say on which motion: `vote yes 57`."));
        }
        _ => return Err(Failure::usage("This request is made by letter, or there is another verb for it.")),
    };
    Ok(done?)
}
