/*! What an office finds in its store: the games, their states, and the letters that wait, of all games at once. */

use super::{COUNTER, Office};
use crate::book::fault::PostError;
use crate::book::outbox::{Outbox, is_letter};
use crate::desk;
use crate::names::message_id;
use ground::files::{LOG, OUTBOX};
use record::file::secrets::{HANDED_OVER, SECRETS};
use std::io;
use store::drawer::Drawer;
use store::home::{FileKind, Found, Surveyed};

impl Office {
    /// The names of all games but those that were handed over to another host.
    pub fn games(&self) -> Result<Vec<String>, PostError> {
        let mut games = self.all_games()?;
        let named = |file: &str| self.store.drawers_with(file).map_err(PostError::NoGames);
        let handed_over = named(HANDED_OVER)?;
        if !handed_over.is_empty() {
            let ours = named(SECRETS)?;
            let is_in = |names: &[String], game: &String| names.binary_search(game).is_ok();
            games.retain(|game| !is_in(&handed_over, game) || is_in(&ours, game));
        }
        Ok(games)
    }

    /// The games of [`Office::games`], with what can be seen of their state without opening them.
    pub fn survey(&self) -> Result<Vec<Surveyed>, PostError> {
        let games = self.games()?;
        let mut surveyed = desk::tick::survey(&self.store).map_err(PostError::NoGames)?;
        surveyed.retain(|game| games.binary_search(&game.drawer).is_ok());
        Ok(surveyed)
    }

    /// The names of all games, including those that another host has taken over.
    pub fn all_games(&self) -> Result<Vec<String>, PostError> {
        let no_games = |error: io::Error| {
            let words = format!("the games in {} cannot be read: {error}", self.store.place().display());
            PostError::NoGames(io::Error::new(error.kind(), words))
        };
        // If it cannot be seen whether there is a log, opening the game reports what is wrong.
        let mut games = self.store.drawers_with(LOG).map_err(no_games)?;
        games.retain(|game| message_id::is_game(game));
        Ok(games)
    }

    /// The drawer of the counter. It also marks a store of games: it is made only where a game is. So the empty
    /// folder that is left when a disk is not mounted is not mistaken for a post office without games, which would
    /// answer letters that there is no such game.
    ///
    /// # Errors
    /// There is neither a game nor a counter in the store.
    pub fn home(&self) -> Result<Drawer, PostError> {
        let home = self.drawer(None);
        if !home.is_there().map_err(PostError::NoGames)? {
            if self.all_games()?.is_empty() {
                let words = format!("{} holds no game, and no {COUNTER}", self.store.place().display());
                return Err(PostError::NoGames(io::Error::new(io::ErrorKind::NotFound, words)));
            }
            home.make()?;
        }
        Ok(home)
    }

    /// The letters that wait in the outbox of a game, or of the counter. Opens no desk.
    pub fn waiting(&self, game: Option<&str>) -> Result<Vec<String>, PostError> {
        Ok(Outbox::at(self.drawer(game)).waiting()?)
    }

    /// The letters that wait in all outboxes, in order, those of the counter last.
    pub fn all_waiting(&self) -> Result<Vec<(Option<String>, Found)>, PostError> {
        let found = self.store.everywhere(OUTBOX).map_err(PostError::NoGames)?;
        let letters = found.into_iter().filter(|(_, found)| found.kind != FileKind::Folder && is_letter(&found.name));
        let (at_counter, of_games): (Vec<_>, Vec<_>) = letters.partition(|(drawer, _)| drawer == COUNTER);
        let of_games = of_games.into_iter().filter(|(drawer, _)| message_id::is_game(drawer));
        let of_games = of_games.map(|(drawer, found)| (Some(drawer), found));
        Ok(of_games.chain(at_counter.into_iter().map(|(_, found)| (None, found))).collect())
    }
}
