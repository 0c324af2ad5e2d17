/*! Whether a backup is what it should be: every file has its length and its hash, and every log verifies, as far as
it can without other files.
*/

use super::container::{self, GAMES, Label, Manifest, NotABackup};
use engine::title::Titles;
use ground::disk::place::{about, open_for_reading};
use ground::files::LOG;
use record::canon::FILE_LIMIT;
use record::verify::{Errors, Wanted, verify};
use std::io::{self, BufReader, Read};
use std::path::Path;

/// A backup that was read from its beginning to its end.
#[derive(Clone, Debug)]
pub struct Checked {
    pub label: Label,
    pub manifest: Manifest,
    /// Logs that do not verify: the game, the exit code of `verify`, and the verdict in a line.
    pub unsound: Vec<Unsound>,
}

/// A log that does not verify.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsound {
    pub game: String,
    pub code: u8,
    pub verdict: String,
}

/// The game whose log lies at a path of a backup.
pub fn game_of_log(path: &str) -> Option<&str> {
    let (game, name) = path.strip_prefix(GAMES)?.strip_prefix('/')?.split_once('/')?;
    (name == LOG).then_some(game)
}

/// Checks a backup. A log that does not verify is no error: it may be like that in the office as well.
pub fn check(file: &Path, titles: Titles) -> Result<Checked, NotABackup> {
    let source = open_for_reading(file).map_err(|error| NotABackup::File(about(file, &error)))?;
    let mut unsound = Vec::new();
    let (label, manifest) = container::read(BufReader::new(source), &mut |path, bytes, content| {
        let Some(game) = game_of_log(path) else { return Ok(()) };
        unsound.extend(checked(game, bytes, content, titles)?);
        Ok(())
    })?;
    Ok(Checked { label, manifest, unsound })
}

fn checked(game: &str, bytes: u64, content: &mut dyn Read, titles: Titles) -> io::Result<Option<Unsound>> {
    if bytes > FILE_LIMIT {
        let verdict = format!("a log of {bytes} bytes, and none is longer than {FILE_LIMIT}");
        return Ok(Some(Unsound { game: game.to_owned(), code: 3, verdict }));
    }
    let mut log = Vec::new();
    content.read_to_end(&mut log)?;
    let progress = &mut |_| ();
    let wanted = Wanted { file: game.to_owned(), titles, errors: Errors::First, seen: Vec::new(), progress };
    let report = verify(log.as_slice(), wanted)?;
    let sound = report.is_ok();
    Ok((!sound).then(|| Unsound { game: game.to_owned(), code: report.exit_code(), verdict: report.in_a_line() }))
}
