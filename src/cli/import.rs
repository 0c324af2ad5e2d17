//! `import`: copies a game into the store, byte for byte.

use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::export::{copy, failed};
use crate::cli::games::Games;
use crate::cli::paper;
use crate::titles;
use clap::Args;
use ground::files::LOG;
use post::names::message_id::is_game;
use record::file::log::Log;
use record::file::reading::read_with_secrets;
use record::file::secrets::Secrets;
use record::table::table_error::TableError;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use store::Store;
use store::drawer::Drawer;

/// Take a game over from a folder: its log, the host's secrets, the post book and the letters.
///
/// The log must verify with the secrets beside it. The folder stays as it is: make sure that nobody goes on with the
/// game there, for that would be two histories of it.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail import /backup/shire
  ringmail --config shared.yaml import games/shire      # from a folder into a database")]
pub struct Import {
    /// The folder of the game, or the log in it.
    folder: PathBuf,
}

pub fn run(wanted: &Import, games: &Games) -> Done {
    let folder = match wanted.folder.file_name() {
        Some(name) if name == LOG => wanted.folder.parent().unwrap_or(Path::new("")),
        _ => wanted.folder.as_path(),
    };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let from = Drawer::from(folder);
    // Locked: nobody plays there while the game is taken over.
    let log = Log::open_within(&from, games.patience()).map_err(TableError::from)?;
    let secrets = Secrets::read(&from).map_err(TableError::from)?;
    let records = log.records().map_err(TableError::from)?;
    let fold = read_with_secrets(records, titles::ALL, &secrets, |_| ControlFlow::Continue(()));
    let fold = fold.map_err(TableError::from)?;
    let (name, head) = (fold.plan().name.clone(), log.head());
    if !is_game(&name) {
        return Err(Failure::new(
            Exit::Refused,
            format!("The log names its game `{name}`, which no game here can be."),
        ));
    }
    let store = games.store()?;
    if store.drawer(&name).has(LOG).map_err(failed)? {
        return Err(Failure::usage(format!("{} is there already.", store.drawer(&name).path().display())));
    }
    taken_over(&from, &store, &name).map_err(failed)?;
    let came = Log::open(store.drawer(&name)).map_err(TableError::from)?.head();
    if came != log.head() {
        return Err(Failure::failed(format!("#{} came as {}, not as {}.", came.seq, came.hash, head.hash)));
    }
    paper::line(&format!("{name} is in {}: #{} head {}", store.place().display(), head.seq, head.hash))?;
    paper::line(&format!("Let nobody go on with the game in {}.", folder.display()))
}

/// Copies a game beside the store, and moves it in when the copy is complete.
fn taken_over(from: &Drawer, store: &Store, name: &str) -> io::Result<()> {
    let beside = store.staging("import")?;
    let copied = copy(from, &Drawer::from(&beside), "").and_then(|_| store.move_in(&beside, name));
    // The copy holds secrets; if the move succeeded, it is no longer here.
    let _ = Drawer::from(&beside).remove_folder("");
    copied
}
