/*! The seats, tokens and addresses of games, with which a letter is compared. An open desk knows its game; for other
games the files are read once per letter, before the letter is compared with anything: if a file cannot be read, that
must not decide how the letter is answered.
*/

use super::listed::Listed;
use super::players::Players;
use super::{Office, Sitting};
use crate::book::fault::PostError;
use crate::book::guest;
use crate::names::address::{self, Place, Register};
use mail::letter::mailbox::Mailbox;
use record::file::secrets::{Secrets, is_handed_over};

impl Office {
    /// Reads the players of the games that have changed, and saves the register.
    pub(super) fn refresh(&self, players: &mut Players) -> Result<(), PostError> {
        if players.refresh(self.games()?, &self.store) {
            players.save(&self.home()?);
        }
        Ok(())
    }
}

impl Sitting<'_> {
    /// Reads these games for the letter in hand. If one of them cannot be read, the letter must wait.
    pub(super) fn look_up(&mut self, games: impl IntoIterator<Item = String>) -> Result<(), PostError> {
        for game in games {
            if !self.desks.contains_key(&game)
                && !self.lists.contains_key(&game)
                && let Some(listed) = Listed::read(&self.office.drawer(Some(&game)), &game)?
            {
                self.lists.insert(game, listed);
            }
        }
        Ok(())
    }

    /// Whether there is such a game, and no other host has taken it over.
    pub(super) fn is_at_home(&mut self, game: &str) -> Result<bool, PostError> {
        self.look_up([game.to_owned()])?;
        Ok(self.seats(game).is_some() && !is_handed_over(&self.office.drawer(Some(game)))?)
    }

    /// Whether somebody holds a seat in any game, according to the register of players.
    pub(super) fn is_player(&mut self, author: &Mailbox) -> Result<bool, PostError> {
        if self.players.is_none() {
            let mut players = Players::open(&self.office.home()?);
            self.office.refresh(&mut players)?;
            self.players = Some(players);
        }
        Ok(self.players.as_ref().is_some_and(|players| players.include(author)))
    }

    fn secrets(&self, game: &str) -> Option<&Secrets> {
        match self.desks.get(game) {
            Some(desk) => Some(desk.table.secrets()),
            None => self.lists.get(game)?.secrets.as_ref(),
        }
    }
}

/// Knows the games that [`Sitting::look_up`] has read.
impl Register for Sitting<'_> {
    fn seats(&self, game: &str) -> Option<Vec<String>> {
        let seats: Vec<String> = match self.desks.get(game) {
            Some(desk) => desk.table.fold().plan().seats.iter().map(|seat| seat.word.clone()).collect(),
            None => self.lists.get(game)?.seats.clone(),
        };
        Some(seats.into_iter().chain(self.secrets(game).into_iter().flat_map(guests)).collect())
    }

    fn accepts_token(&self, place: &Place, token: &str) -> bool {
        self.secrets(&place.game).is_some_and(|secrets| address::token_now(secrets, place) == token)
    }

    fn is_seat(&self, place: &Place) -> bool {
        guest::number(&place.seat).is_none()
    }

    fn addresses(&self, place: &Place) -> Vec<Mailbox> {
        self.secrets(&place.game).map_or_else(Vec::new, |secrets| address::registered(secrets, &place.seat))
    }
}

/// The places of the guests.
fn guests(secrets: &Secrets) -> impl Iterator<Item = String> {
    let words = secrets.seats.iter().map(|seat| seat.seat.clone());
    words.filter(|word| guest::number(word).is_some())
}
