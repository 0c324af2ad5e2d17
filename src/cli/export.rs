//! `export` and `import`: copy a game out of the store and into it, byte for byte.

use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::{Games, sentence};
use crate::cli::paper;
use crate::titles;
use clap::Args;
use ground::disk::place::Placing;
use ground::files::LOG;
use post::names::message_id::is_game;
use record::file::log::Log;
use record::file::reading::read_with_secrets;
use record::file::secrets::Secrets;
use record::table::table_error::TableError;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use store::Store;
use store::drawer::Drawer;
use store::home::Kind;

/// Print the log of a game as it is kept, byte for byte; or put everything of the game into a folder.
///
/// Whether the store is a folder or a database: the bytes are the same, and so is the head.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail export shire > log.yaml
  ringmail export shire --to /backup/shire     # with secrets, book and letters; nobody else may read it")]
pub struct Export {
    /// The game.
    game: String,
    /// A folder, which must not be there yet, for everything of the game.
    #[arg(long, value_name = "FOLDER")]
    to: Option<PathBuf>,
}

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

fn failed(error: io::Error) -> Failure {
    Failure::failed(sentence(&error.to_string()))
}

pub fn export(wanted: &Export, games: &Games) -> Done {
    match &wanted.to {
        Some(folder) => whole(&wanted.game, folder, games),
        None => {
            let mut log = games.log(&wanted.game)?;
            let mut out = io::stdout().lock();
            let copied = io::copy(&mut log.source, &mut out).and_then(|_| out.flush());
            copied.map_err(|error| Failure::failed(format!("The log cannot be written out: {error}.")))?;
            Ok(())
        }
    }
}

fn whole(game: &str, folder: &Path, games: &Games) -> Done {
    if folder.exists() {
        return Err(Failure::usage(format!("{} is there already and will not be replaced.", folder.display())));
    }
    let drawer = games.drawer(game)?;
    // The log stays locked while it is copied.
    let log = Log::open_within(&drawer, games.patience()).map_err(TableError::from)?;
    let files = copy(&drawer, &Drawer::from(folder), "").map_err(failed)?;
    let head = log.head();
    paper::line(&format!("{}: {files} files, #{} head {}", folder.display(), head.seq, head.hash))
}

/// Copies a folder of a drawer with everything below it; returns the number of files.
fn copy(from: &Drawer, to: &Drawer, folder: &str) -> io::Result<usize> {
    let mut files = 0;
    if folder.is_empty() {
        to.make()?;
    }
    for found in from.list(folder)? {
        let file = if folder.is_empty() { found.name } else { format!("{folder}/{}", found.name) };
        match found.kind {
            Kind::Folder => files += copy(from, to, &file)?,
            Kind::File if !file.ends_with(".lock") && file != "sending" => {
                match file == LOG {
                    // The log is not secret, and may be long.
                    true => copy_log(from, &to.place(LOG))?,
                    false => to.replace(&file, &from.read(&file)?)?,
                }
                files += 1;
            }
            Kind::File | Kind::Foreign => {}
        }
    }
    Ok(files)
}

fn copy_log(from: &Drawer, to: &Path) -> io::Result<()> {
    let mut placing = Placing::begin(to)?;
    io::copy(&mut from.stream(LOG, 0)?, &mut placing)?;
    placing.sync()?;
    placing.place()
}

pub fn import(wanted: &Import, games: &Games) -> Done {
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
