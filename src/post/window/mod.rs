/*! The window (requirement S10): static pages in a folder, in which everybody can look at the office, served by any
web server. They are written when a game goes on, each replaced as a whole.

The pages are made from the logs alone, without secrets, books or letters. The window is off unless the configuration
names a folder (`page`).
*/

use crate::names::message_id::is_game;
use crate::office::Office;
use engine::title::Titles;
use ground::disk::place::{about, place_openly};
use ground::files::LOG;
use record::file::reading::{NotFollowed, read_through};
use record::file::stream::Records;
use record::fold::{Fold, Phase};
use report::page;
use report::window::{self as pages, Listed};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError};
use std::{fs, io, thread};
use store::Store;

/// The page that lists the games.
const INDEX: &str = "index.html";
/// How the file name of a game's page ends. No game has a dot in its name, so none collides with the list.
const PAGE: &str = ".game.html";

/// The pages of an office, and how long the logs were when these were written.
#[derive(Debug)]
pub struct Window {
    store: Store,
    folder: PathBuf,
    titles: Titles,
    shown: BTreeMap<String, (u64, Listed)>,
}

/// The page of a log, and what the list says of its game. If the game is over, the page shows all of it, with its
/// log.
///
/// # Errors
/// The log does not verify.
pub fn page(name: &str, log: &[u8], titles: Titles) -> Result<(String, Listed), NotFollowed> {
    let mut told = Vec::new();
    let fold: Fold = read_through(Records::new(log), titles, None, |followed| {
        told.push(pages::told(followed));
        ControlFlow::Continue(())
    })?;
    let listed = Listed::of(name, &fold);
    let whole = match fold.phase() {
        Phase::Ended => page::for_everybody(log, titles)?,
        Phase::Joining | Phase::Playing | Phase::Revealed => None,
    };
    Ok((whole.unwrap_or_else(|| pages::game(name, &fold, &told)), listed))
}

impl Window {
    /// The window of an office, with its pages in this folder, which is made if it is not there.
    pub fn open(office: &Office, folder: &Path, titles: Titles) -> io::Result<Window> {
        fs::create_dir_all(folder).map_err(|error| about(folder, &error))?;
        let (store, folder) = (office.store().clone(), folder.to_owned());
        Ok(Window { store, folder, titles, shown: BTreeMap::new() })
    }

    /// Writes what has changed, in a thread of its own, each time it is woken, until all senders are gone. Reports to
    /// `trouble` what could not be done, and `None` when it works again.
    pub fn keep(mut self, office: Office, wakes: Receiver<()>, trouble: impl Fn(Option<String>) + Send + 'static) {
        thread::spawn(move || {
            let mut was_well = true;
            while wakes.recv().is_ok() {
                while matches!(wakes.try_recv(), Ok(())) {}
                let games = office.games().map_err(|error| error.to_string());
                let looked = games.and_then(|games| self.look(&games));
                match (&looked, was_well) {
                    (Ok(()), false) => trouble(None),
                    (Ok(()), true) => {}
                    (Err(why), _) => trouble(Some(why.clone())),
                }
                was_well = looked.is_ok();
                if matches!(wakes.try_recv(), Err(TryRecvError::Disconnected)) {
                    return;
                }
            }
        });
    }

    /// Writes the pages of those of these games that have gone on since, and the list. An error with one game does
    /// not keep the others from being written.
    ///
    /// # Errors
    /// The first error.
    pub fn look(&mut self, games: &[String]) -> Result<(), String> {
        let mut wrong = None;
        for game in games {
            if let Err(why) = self.show(game) {
                wrong.get_or_insert(format!("{game}: {why}"));
            }
        }
        self.shown.retain(|game, _| games.contains(game));
        let listed: Vec<Listed> = self.shown.values().map(|(_, listed)| listed.clone()).collect();
        let written = self.write(INDEX, &pages::index(&listed)).and_then(|()| self.tidy(games));
        if let Err(error) = written {
            wrong.get_or_insert(error.to_string());
        }
        wrong.map_or(Ok(()), Err)
    }

    fn show(&mut self, game: &str) -> Result<(), String> {
        let drawer = self.store.drawer(game);
        let read = |error: io::Error| error.to_string();
        // A log is only ever added to.
        let length = drawer.look(LOG).map_err(read)?.length;
        if self.shown.get(game).is_some_and(|(shown, _)| *shown == length) {
            return Ok(());
        }
        let log = drawer.read(LOG).map_err(read)?;
        let (page, listed) = page(game, &log, self.titles).map_err(|error| error.to_string())?;
        self.write(&format!("{game}{PAGE}"), &page).map_err(|error| error.to_string())?;
        self.shown.insert(game.to_owned(), (log.len() as u64, listed));
        Ok(())
    }

    /// Replaces a page, unless it is unchanged.
    fn write(&self, name: &str, page: &str) -> io::Result<()> {
        let file = self.folder.join(name);
        match fs::read(&file) {
            Ok(there) if there == page.as_bytes() => Ok(()),
            _ => place_openly(&self.folder, name, page.as_bytes()).map_err(|error| about(&file, &error)),
        }
    }

    /// Removes the pages of games that are gone. Other files in the folder stay.
    fn tidy(&self, games: &[String]) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let name = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(PAGE));
            let Some(name) = name.filter(|name| is_game(name)) else { continue };
            if !games.iter().any(|game| game == name) {
                fs::remove_file(&path)?;
            }
        }
        Ok(())
    }
}
