/*! The vault: every letter as it came in, byte for byte, under the hash by which the log knows it (requirement I3).

It is written before anything is done with the letter: after a crash the letter is read again from here, and in a
dispute its bytes are shown.
*/

use crate::record::hash::{Hash, sha256};
use crate::record::log::sync_folder;
use crate::record::mishap;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// The folder `vault/mail` of a game.
#[derive(Clone, Debug)]
pub struct Vault {
    folder: PathBuf,
}

impl Vault {
    /// Opens the vault in the folder of a game.
    ///
    /// # Errors
    /// What the system says, with the folder concerned.
    pub fn open(game: &Path) -> io::Result<Vault> {
        let folder = game.join("vault").join("mail");
        fs::create_dir_all(&folder).map_err(|error| about(&folder, &error))?;
        Ok(Vault { folder })
    }

    /// Keeps a letter, and returns its hash when it would survive a power failure.
    ///
    /// # Errors
    /// What the system says; then the letter was not taken.
    pub fn keep(&self, raw: &[u8]) -> io::Result<Hash> {
        let hash = sha256(raw);
        let target = self.path(&hash);
        if target.exists() {
            return Ok(hash);
        }
        let draft = self.folder.join(format!(".{hash}.new"));
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&draft).map_err(|error| about(&draft, &error))?;
        let written = mishap::write(&mut file, raw).and_then(|()| mishap::sync(&file));
        written.map_err(|error| about(&draft, &error))?;
        mishap::rename(&draft, &target).map_err(|error| about(&draft, &error))?;
        sync_folder(&self.folder).map_err(|error| about(&target, &error))?;
        Ok(hash)
    }

    /// The bytes of a letter.
    ///
    /// # Errors
    /// What the system says.
    pub fn read(&self, hash: &Hash) -> io::Result<Vec<u8>> {
        let path = self.path(hash);
        fs::read(&path).map_err(|error| about(&path, &error))
    }

    fn path(&self, hash: &Hash) -> PathBuf {
        self.folder.join(format!("{hash}.eml"))
    }
}

fn about(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
