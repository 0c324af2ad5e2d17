//! `export`: copies a game out of the store, byte for byte.

use crate::cli::check_file;
use crate::cli::exit::{Done, Failure};
use crate::cli::games::{Games, sentence};
use crate::cli::paper;
use clap::Args;
use ground::disk::place::Placing;
use ground::files::LOG;
use record::file::log::Log;
use record::table::table_error::TableError;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use store::drawer::Drawer;
use store::home::FileKind;

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

pub fn failed(error: io::Error) -> Failure {
    Failure::failed(sentence(&error.to_string()))
}

pub fn run(wanted: &Export, games: &Games) -> Done {
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
    check_file::write(&folder.join(LOG), &log, &drawer)?;
    let head = log.head();
    paper::line(&format!("{}: {files} files, #{} head {}", folder.display(), head.seq, head.hash))
}

/// Copies a folder of a drawer with everything below it; returns the number of files.
pub fn copy(from: &Drawer, to: &Drawer, folder: &str) -> io::Result<usize> {
    let mut files = 0;
    if folder.is_empty() {
        to.make()?;
    }
    for found in from.list(folder)? {
        let file = if folder.is_empty() { found.name } else { format!("{folder}/{}", found.name) };
        match found.kind {
            FileKind::Folder => files += copy(from, to, &file)?,
            FileKind::File if !file.ends_with(".lock") && file != "sending" => {
                if file == LOG {
                    copy_log(from, &to.place(LOG))?
                } else {
                    to.replace(&file, &from.read(&file)?)?
                }
                files += 1;
            }
            FileKind::File | FileKind::Foreign => {}
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
