//! `address`: where the letters of a seat go, who may answer them, and with which keys.

use crate::cli::exit::{Done, Failure};
use crate::cli::games::{Games, seat, write_letters};
use crate::cli::keyboard::at_keyboard;
use crate::cli::now::now;
use crate::cli::paper;
use clap::Args;
use mail::letter::mailbox::Mailbox;
use post::desk::address_change::ChangedBy;
use post::names::address::Place;
use record::commit::signature::PublicKey;

/// Give a seat another address, another token, or other keys to sign with.
///
/// The old address and the new one are told of the change. With another token the letters that the seat has got can no
/// longer be answered, which is right if one of them has come into other hands; the next letter can.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail address shire --as red --to bert@elsewhere.example
  ringmail address shire --as red --new-token
  ringmail address shire --as red --key \"ssh-ed25519 AAAA…\"")]
pub struct Address {
    /// The game.
    game: String,
    /// The seat.
    #[arg(long = "as", value_name = "SEAT")]
    seat: String,
    /// The new address.
    #[arg(long, value_name = "ADDRESS", required_unless_present_any = ["new_token", "keys"])]
    to: Option<String>,
    /// Invalidate the letters that the seat has got.
    #[arg(long, conflicts_with = "to")]
    new_token: bool,
    /// A public key with which the seat signs from now on, instead of the ones it had; it may be repeated.
    #[arg(long = "key", value_name = "KEY", value_parser = key)]
    keys: Vec<PublicKey>,
}

pub fn run(address: &Address, games: &Games) -> Done {
    let mut desk = games.desk(&address.game)?;
    let number = seat(desk.table.fold().plan(), &address.seat)?;
    let place = Place { game: desk.name(), seat: address.seat.clone() };
    if let Some(to) = &address.to {
        let to = Mailbox::read(to).ok_or_else(|| Failure::usage(format!("`{to}` is not a mail address.")))?;
        let letters = desk.change_address(&place, &to, ChangedBy::Host, now())?;
        let notices = match letters.len() {
            1 => "1 notice waits".to_string(),
            more => format!("{more} notices wait"),
        };
        paper::line(&format!("Letters for {place} now go to {to}; {notices} to be sent."))?;
    }
    if address.new_token {
        desk.rotate_token(&place)?;
        paper::line(&format!("{place} has another token; its older letters can no longer be answered."))?;
    }
    if !address.keys.is_empty() {
        let via = at_keyboard(&desk.table, number)?;
        let head = desk.table.announce_keys(number, &address.keys, via, now())?;
        paper::line(&format!("#{} {place} signs with other keys from now on.", head.seq))?;
        write_letters(&mut desk)?;
    }
    Ok(())
}

/// Reads a key as a `.pub` file has it.
fn key(text: &str) -> Result<PublicKey, String> {
    PublicKey::read(text).map_err(|refused| refused.to_string())
}
