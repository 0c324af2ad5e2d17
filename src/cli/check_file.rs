//! The file that vouches for the end of a log: a checkpoint over the whole of it, signed by its host (log 10.6).

use crate::cli::exit::Failure;
use crate::titles;
use ground::disk::place::write_over;
use record::commit::checkpoint::Noted;
use record::commit::signature::SigningKey;
use record::file::log::Log;
use record::file::reading::read_through;
use record::file::secrets::{Secrets, SecretsError};
use record::table::table_error::TableError;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use store::drawer::Drawer;

/// Writes the file beside a copy of a log, in the place of an older one. Where there is no key of the host,
/// nothing is written.
pub fn write(copy: &Path, log: &Log, drawer: &Drawer) -> Result<Option<PathBuf>, Failure> {
    let secrets = match Secrets::read(drawer) {
        Err(SecretsError::Missing { .. } | SecretsError::HandedOver { .. }) => return Ok(None),
        read => read.map_err(TableError::from)?,
    };
    let Some(key) = secrets.host_key.map(|seed| SigningKey::of_seed(&seed)) else { return Ok(None) };
    let records = log.records().map_err(TableError::from)?;
    let fold = read_through(records, titles::ALL, None, |_| ControlFlow::Continue(())).map_err(TableError::from)?;
    let file = copy.with_extension("check");
    let written = write_over(&file, Noted::of(fold.checkpoint(), Some(&key)).to_string().as_bytes());
    written.map_err(|error| Failure::failed(format!("{} cannot be written: {error}.", file.display())))?;
    Ok(Some(file))
}
