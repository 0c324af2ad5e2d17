/*! The seats, tokens and addresses of games, as a letter is held against them. An open desk knows its game; of the
others the files are asked, each of them once for a letter.
*/

use super::{Office, Sitting};
use crate::mail::letter::mailbox::Mailbox;
use crate::post::book::guest;
use crate::post::names::address::{self, Place, Register};
use crate::post::names::message_id;
use crate::record::entry::{Body, Entry};
use crate::record::file::log;
use crate::record::file::secrets::{Secrets, is_handed_over};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What the files of a game say.
struct Listed {
    /// The seats of its charter; `None` if there is no such game.
    seats: Option<Vec<String>>,
    secrets: Option<Secrets>,
}

impl Listed {
    fn read(office: &Office, game: &str) -> Listed {
        // A game is only ever named by what a game may be named: it becomes part of a path.
        if !message_id::is_game(game) {
            return Listed { seats: None, secrets: None };
        }
        let folder = office.root.join(game);
        let secrets = Secrets::read(&folder).ok();
        let seats = || {
            let mut records = log::read_log(&folder).ok()?;
            let first = records.next().ok()??;
            let entry = Entry::read(first.bytes).ok()?;
            let Body::Genesis(genesis) = &entry.body else { return None };
            let seats = genesis.seats.iter().map(|seat| seat.seat.to_string());
            Some(seats.chain(secrets.iter().flat_map(guests)).collect())
        };
        Listed { seats: seats(), secrets }
    }
}

/// What was read of games for the letter in hand.
#[derive(Default)]
pub(super) struct Lists {
    of: RefCell<BTreeMap<String, Rc<Listed>>>,
}

impl Lists {
    /// Another letter comes: the files are asked anew.
    pub(super) fn forget(&mut self) {
        self.of.get_mut().clear();
    }

    fn of(&self, office: &Office, game: &str) -> Rc<Listed> {
        let mut read = self.of.borrow_mut();
        let listed = read.entry(game.to_owned()).or_insert_with(|| Rc::new(Listed::read(office, game)));
        Rc::clone(listed)
    }
}

impl Sitting<'_> {
    /// Whether there is such a game, and no other host has taken it.
    pub(super) fn is_at_home(&self, game: &str) -> bool {
        self.seats(game).is_some() && !is_handed_over(&self.office.root.join(game))
    }

    /// Whether somebody holds a seat in any game. Guests are answered as strangers are: some of them invited
    /// themselves, and not all under their own names.
    pub(super) fn is_player(&self, author: &Mailbox) -> bool {
        let games = self.office.games().unwrap_or_default();
        games.iter().any(|game| {
            let holds = |secrets: &Secrets| {
                let seats = secrets.seats.iter().filter(|seat| guest::number(&seat.seat).is_none());
                let addresses = seats.flat_map(|seat| &seat.addresses);
                addresses.filter_map(|written| Mailbox::read(written)).any(|address| address == *author)
            };
            self.with_secrets(game, holds).unwrap_or(false)
        })
    }

    fn with_secrets<T>(&self, game: &str, look: impl FnOnce(&Secrets) -> T) -> Option<T> {
        match self.desks.get(game) {
            Some(desk) => Some(look(desk.table.secrets())),
            None => self.lists.of(self.office, game).secrets.as_ref().map(look),
        }
    }
}

impl Register for Sitting<'_> {
    fn seats(&self, game: &str) -> Option<Vec<String>> {
        match self.desks.get(game) {
            Some(desk) => {
                let seats = desk.table.fold().plan().seats.iter().map(|seat| seat.word.clone());
                Some(seats.chain(guests(desk.table.secrets())).collect())
            }
            None => self.lists.of(self.office, game).seats.clone(),
        }
    }

    fn accepts_token(&self, place: &Place, token: &str) -> bool {
        let accepts = |secrets: &Secrets| {
            let epoch = secrets.seats.iter().find(|seat| seat.seat == place.seat).map_or(0, |seat| seat.token_epoch);
            address::token(&secrets.token_key.0, place, epoch) == token
        };
        self.with_secrets(&place.game, accepts).unwrap_or(false)
    }

    fn addresses(&self, place: &Place) -> Vec<Mailbox> {
        let addresses = |secrets: &Secrets| {
            let seats = secrets.seats.iter().filter(|seat| seat.seat == place.seat);
            seats.flat_map(|seat| &seat.addresses).filter_map(|written| Mailbox::read(written)).collect()
        };
        self.with_secrets(&place.game, addresses).unwrap_or_default()
    }
}

/// The places of those who are invited, or watch.
fn guests(secrets: &Secrets) -> impl Iterator<Item = String> {
    let words = secrets.seats.iter().map(|seat| seat.seat.clone());
    words.filter(|word| guest::number(word).is_some())
}
