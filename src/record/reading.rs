/*! Going through a log from its first record, for whoever wants to play on, to tell it, or to stop in the middle.

Unlike [`super::verify`], which goes on and counts, a reading ends at the first thing that is wrong.
*/

use super::entry::Entry;
use super::fold::Fold;
use super::hash::{Hash, sha256};
use super::plan::Titles;
use super::problem::Problem;
use super::stream::{Records, StreamError};
use super::table_error::TableError;
use std::io::Read;
use std::ops::ControlFlow;

/// Folds the records of a log one after the other and shows each to `each`, with the game as it stands after it and
/// the news it brought. `root` is for whoever has the secrets, and gives him every face.
///
/// # Errors
/// The log cannot be read, or does not verify.
pub fn read_through<R: Read>(
    mut records: Records<R>,
    titles: Titles,
    root: Option<Hash>,
    mut each: impl FnMut(&Entry<'_>, &Fold) -> ControlFlow<()>,
) -> Result<Fold, TableError> {
    let mut reached: Option<Fold> = None;
    let mut problems = Vec::new();
    while let Some(record) = records.next()? {
        let line = record.line;
        let wrong = |problem| TableError::Unverified { line, problem: Box::new(problem) };
        let entry = Entry::read(record.bytes).map_err(|fault| wrong(Problem::Unreadable(fault)))?;
        let hash = sha256(record.bytes);
        let fold = match reached.as_mut() {
            None => reached.insert(Fold::begin(&entry, hash, titles, root, &mut problems).map_err(wrong)?),
            Some(fold) => {
                fold.game_mut().forget_news();
                fold.fold(&entry, hash, &mut problems);
                fold
            }
        };
        if let Some(problem) = problems.drain(..).next() {
            return Err(wrong(problem));
        }
        if each(&entry, fold).is_break() {
            break;
        }
    }
    let mut fold = reached.ok_or(TableError::Stream(StreamError::NotARecord { line: 1, found: String::new() }))?;
    fold.game_mut().forget_news();
    Ok(fold)
}
