/*! Replacing files, so that a crash or a power failure leaves the old file or the new one. */

use super::mishap;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Replaces a file as a whole, readable by its owner only. The name of a file that a crash leaves behind begins with a
/// dot.
///
/// # Errors
/// It cannot be written, synced or renamed; the old one is then still there.
pub fn replace_privately(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    place_privately(folder, name, bytes)?;
    sync_folder(folder)
}

/// As [`replace_privately`], but a power failure may put the old file back until the folder is synced.
///
/// # Errors
/// As [`replace_privately`].
pub fn place_privately(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let new = folder.join(format!(".{name}.new"));
    // A file that a crash left behind is incomplete.
    match std::fs::remove_file(&new) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&new)?;
    mishap::write(&mut file, bytes)?;
    mishap::sync(&file)?;
    mishap::rename(&new, &folder.join(name))
}

/// Makes a folder, and the folders above it.
///
/// # Errors
/// It cannot be made.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)
}

/// Writes a file that must not exist yet.
///
/// # Errors
/// It exists, or cannot be written.
pub fn write_new(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut opened = OpenOptions::new().write(true).create_new(true).open(file)?;
    io::Write::write_all(&mut opened, bytes)?;
    opened.sync_all()
}

/// Writes a file that a player asked for, over an older one of that name.
///
/// # Errors
/// It cannot be written.
pub fn write_over(file: &Path, bytes: &[u8]) -> io::Result<()> {
    io::Write::write_all(&mut File::create(file)?, bytes)
}

/// Opens a file for reading.
///
/// # Errors
/// It cannot be opened.
pub fn open_for_reading(file: &Path) -> io::Result<File> {
    File::open(file)
}

/// Syncs a folder, so that a file just created or renamed in it is still there after a power failure.
///
/// # Errors
/// The folder cannot be opened or synced.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        mishap::strike()?;
        return File::open(folder)?.sync_all();
    }
    Ok(())
}

/// An error of the system, with the file or folder that it is about.
#[must_use]
pub fn about(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
