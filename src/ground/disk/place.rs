/*! Replacing files, so that a crash or a power failure leaves the old file or the new one.

Only its owner can read what is written here, and the owner stays the same: if the administrator runs a verb, a file
that is replaced keeps its owner, and a new one gets the owner of its folder. Otherwise the service could no longer
read it.
*/

use super::mishap;
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Replaces a file as a whole, readable by its owner only. If that fails, the old file is still there. The name of a
/// file that a crash leaves behind begins with a dot.
pub fn replace_privately(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    place_privately(folder, name, bytes)?;
    sync_folder(folder)
}

/// As [`replace_privately`], but a power failure may put the old file back until the folder is synced.
pub fn place_privately(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let (new, mut file) = begun(folder, name)?;
    give(&file, &[&folder.join(name), folder]);
    mishap::write(&mut file, bytes)?;
    mishap::sync(&file)?;
    mishap::rename(&new, &folder.join(name))
}

/// As [`place_privately`], for a file that can be made again: a power failure may lose it, or leave it empty.
pub fn place_loosely(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let (new, mut file) = begun(folder, name)?;
    give(&file, &[&folder.join(name), folder]);
    mishap::write(&mut file, bytes)?;
    mishap::rename(&new, &folder.join(name))
}

/// Replaces a file as a whole, readable by everybody. It is not synced, because it can be made again. If that fails,
/// the old file is still there.
pub fn place_openly(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let (new, mut file) = begun(folder, name)?;
    let placed =
        file.write_all(bytes).and_then(|()| readable(&file)).and_then(|()| std::fs::rename(&new, folder.join(name)));
    if placed.is_err() {
        let _ = std::fs::remove_file(&new);
    }
    placed
}

/// A file, readable by its owner only, that replaces another one once it is complete, and its path until then.
fn begun(folder: &Path, name: &str) -> io::Result<(PathBuf, File)> {
    let new = folder.join(format!(".{name}.new"));
    // Removes what a crash may have left, and a link that somebody may have put there: it must not be followed.
    match std::fs::remove_file(&new) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(&new)?;
    Ok((new, file))
}

/// Makes a file readable for everybody, whatever the umask of the process.
fn readable(file: &File) -> io::Result<()> {
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644))?;
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}

/// Makes a folder and missing folders above it, for their owner only. A folder that exists stays as it is.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    match make_new_folder(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => Ok(()),
        made => made,
    }
}

/// Makes a folder that must not exist yet, and missing folders above it, for their owner only.
pub fn make_new_folder(folder: &Path) -> io::Result<()> {
    let above = folder.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
    make_folder(above)?;
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)?;
    give(&File::open(folder)?, &[above]);
    Ok(())
}

/// Gives a file that was just made to the owner of its folder.
pub fn give_to_owner(file: &File, folder: &Path) {
    give(file, &[folder]);
}

/// Gives a new file to the owner of the first of `heirs` that exists. Only the administrator can give a file away;
/// anybody else keeps it.
fn give(file: &File, heirs: &[&Path]) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let Some(of) = heirs.iter().find_map(|heir| heir.metadata().ok()) else { return };
        let is_his = file.metadata().is_ok_and(|made| made.uid() == of.uid());
        if !is_his {
            let _ = fchown(file, Some(of.uid()), Some(of.gid()));
        }
    }
    #[cfg(not(unix))]
    let _ = (file, heirs);
}

/// Writes a file that must not exist yet.
pub fn write_new(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut opened = OpenOptions::new().write(true).create_new(true).open(file)?;
    io::Write::write_all(&mut opened, bytes)?;
    opened.sync_all()
}

/// Writes a file that a player asked for, replacing an older one of that name.
pub fn write_over(file: &Path, bytes: &[u8]) -> io::Result<()> {
    io::Write::write_all(&mut File::create(file)?, bytes)
}

/// A long file that is written piece by piece, readable by its owner only, and then put in its place, where no file
/// may be yet. Until then its bytes lie beside that place, in a file whose name begins with a dot.
#[derive(Debug)]
pub struct Placing {
    file: File,
    aside: PathBuf,
    target: PathBuf,
    is_placed: bool,
}

impl Placing {
    /// Begins a file.
    ///
    /// # Errors
    /// `AlreadyExists` if the target exists, `ResourceBusy` if another process is writing it.
    pub fn begin(target: &Path) -> io::Result<Placing> {
        let name = target.file_name().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "this is no name of a file"))?;
        let aside = target.with_file_name(format!(".{name}.new"));
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&aside)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::new(io::ErrorKind::ResourceBusy, "another process is writing it"));
            }
            Err(TryLockError::Error(error)) => return Err(error),
        }
        // Another process may have put the opened file in its place meanwhile: check under the lock, before
        // truncating it.
        let placing = Placing { file, aside, target: target.to_owned(), is_placed: false };
        placing.must_be_new()?;
        placing.file.set_len(0)?;
        Ok(placing)
    }

    fn must_be_new(&self) -> io::Result<()> {
        match self.target.symlink_metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
            Ok(_) => Err(io::Error::new(io::ErrorKind::AlreadyExists, "it is there already and will not be replaced")),
        }
    }

    /// The file that holds its bytes until it is placed.
    pub fn aside(&self) -> &Path {
        &self.aside
    }

    /// Syncs what was written, so that it survives a power failure.
    pub fn sync(&self) -> io::Result<()> {
        mishap::sync(&self.file)
    }

    /// Puts the file in its place, so that it is there after a power failure, too.
    pub fn place(mut self) -> io::Result<()> {
        self.must_be_new()?;
        mishap::rename(&self.aside, &self.target)?;
        self.is_placed = true;
        let folder = self.target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        sync_folder(folder)
    }
}

impl Write for Placing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        mishap::write(&mut self.file, bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Placing {
    fn drop(&mut self) {
        // Removes only the name beside the target. If another process has put the opened file in its place meanwhile,
        // that file has lost this name and stays.
        if !self.is_placed {
            let _ = std::fs::remove_file(&self.aside);
        }
    }
}

/// Opens a file for reading.
pub fn open_for_reading(file: &Path) -> io::Result<File> {
    File::open(file)
}

/// Nobody writes a longer text by hand.
pub const TEXT_BYTES_MAX: u64 = 1 << 20;

/// The text of a file that somebody has written by hand.
///
/// # Errors
/// `InvalidData` if it is longer than [`TEXT_BYTES_MAX`]. Its bytes are counted, as a device says no length.
pub fn read_text(file: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    within(File::open(file)?, TEXT_BYTES_MAX, &mut bytes)?;
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is no text in UTF-8"))
}

/// Reads everything from a source that may have more bytes than `most`, and is then refused.
///
/// # Errors
/// `InvalidData` says how many bytes it may have.
pub fn within(source: impl Read, most: u64, into: &mut Vec<u8>) -> io::Result<()> {
    let read = source.take(most.saturating_add(1)).read_to_end(into)?;
    if read as u64 > most {
        return Err(io::Error::new(io::ErrorKind::InvalidData, format!("it has more than {most} bytes")));
    }
    Ok(())
}

/// Syncs a folder, so that a file just created or renamed in it is still there after a power failure.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        mishap::strike()?;
        return File::open(folder)?.sync_all();
    }
    Ok(())
}

/// An error of the system, with the file or folder that it is about.
pub fn about(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};

    #[test]
    fn folders_and_files_are_for_their_owner_only() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("a/b");
        make_folder(&folder).unwrap();
        replace_privately(&folder, "letter", b"hand").unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&home.path().join("a")), mode(&folder), mode(&folder.join("letter"))), (0o700, 0o700, 0o600));
        // A folder that somebody has opened for others stays open.
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
        make_folder(&folder).unwrap();
        assert_eq!(mode(&folder), 0o755);
    }

    #[test]
    fn a_text_is_read_up_to_its_limit_even_if_it_says_no_length() {
        assert_eq!(read_text(Path::new("/dev/zero")).unwrap_err().to_string(), "it has more than 1048576 bytes");
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("text");
        fs::write(&file, "x".repeat(1 << 20)).unwrap();
        assert_eq!(read_text(&file).unwrap().len(), 1 << 20);
        fs::write(&file, b"\xff").unwrap();
        assert_eq!(read_text(&file).unwrap_err().to_string(), "it is no text in UTF-8");
    }

    /// `sudo ringmail address …` had made `host.yaml` the administrator's. Only the administrator can try it.
    #[test]
    fn a_file_that_the_administrator_replaces_keeps_its_owner() {
        let home = tempfile::tempdir().unwrap();
        replace_privately(home.path(), "host.yaml", b"old").unwrap();
        let file = home.path().join("host.yaml");
        let player = Some(4321);
        let owner = |path: &Path| path.metadata().unwrap().uid();
        let own = owner(&file);
        let expected = if chown(&file, player, player).is_ok() { 4321 } else { own };
        replace_privately(home.path(), "host.yaml", b"new").unwrap();
        assert_eq!((fs::read(&file).unwrap().as_slice(), owner(&file)), (&b"new"[..], expected));
        // What is new belongs to the owner of its folder.
        let _ = chown(home.path(), player, player);
        let folder = home.path().join("outbox");
        make_folder(&folder).unwrap();
        replace_privately(&folder, "letter", b"new").unwrap();
        assert_eq!((owner(&folder), owner(&folder.join("letter"))), (expected, expected));
    }
}
