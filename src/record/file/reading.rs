/*! Reading a log from its first record, for callers that continue the game, retell it, or stop in the middle.

Unlike a verification, which goes on and counts, a reading ends at the first problem.
*/

use super::secrets::Secrets;
use super::stream::{Records, StreamError};
use crate::charter::plan::{newer_level, other_format};
use crate::entry::{Body, Entry};
use crate::fold::Fold;
use crate::problem::Problem;
use engine::need::Question;
use engine::title::Titles;
use ground::hash::{Hash, sha256};
use std::io::Read;
use std::ops::ControlFlow;
use thiserror::Error;

/// Why a log was not read to its end.
#[derive(Debug, Error)]
pub enum NotFollowed {
    #[error(transparent)]
    Stream(#[from] StreamError),
    /// The record that begins on this line does not verify.
    #[error("log.yaml:{line}: {problem}")]
    Unverified { line: u64, problem: Box<Problem> },
}

/// An entry of a log that was followed, and the game before and after it.
pub struct Followed<'a> {
    pub entry: &'a Entry<'a>,
    pub hash: Hash,
    /// The bytes of the log up to its end.
    pub end: u64,
    /// The question that was open before; `None` before the first entry.
    pub asked_before: Option<Question>,
    /// The game after. Its news are those of this entry alone.
    pub fold: &'a Fold,
}

/// Folds the records of a log one after the other and passes each to `each`, until the log ends or `each` breaks. A
/// caller that has the secrets gives `root`, which opens every face.
pub fn read_through<R: Read>(
    records: Records<R>,
    titles: Titles,
    root: Option<Hash>,
    each: impl FnMut(&Followed<'_>) -> ControlFlow<()>,
) -> Result<Fold, NotFollowed> {
    read(records, titles, root, |_| (), each)
}

/// The dealer's root, if a whole log has published it. Not checked here: a fold that gets it checks it.
pub fn revealed(log: &[u8]) -> Option<Hash> {
    const KIND: &[u8] = b"\ntype: \"reveal\"\n";
    let mut records = Records::new(log);
    let mut found = None;
    while let Ok(Some(record)) = records.next() {
        if record.bytes.windows(KIND.len()).take(512).any(|part| part == KIND)
            && let Ok(entry) = Entry::read(record.bytes)
            && let Body::Reveal(reveal) = &entry.body
        {
            found = Some(reveal.root);
        }
    }
    found
}

/// As [`read_through`], for the host, who also has the order books.
pub fn read_with_secrets<R: Read>(
    records: Records<R>,
    titles: Titles,
    secrets: &Secrets,
    each: impl FnMut(&Followed<'_>) -> ControlFlow<()>,
) -> Result<Fold, NotFollowed> {
    let begins = |fold: &mut Fold| {
        let changes = secrets.orders.iter().filter_map(|order| order.change(fold.plan())).collect();
        fold.know_books(changes, None);
    };
    read(records, titles, Some(secrets.root), begins, each)
}

fn read<R: Read>(
    mut records: Records<R>,
    titles: Titles,
    root: Option<Hash>,
    begins: impl Fn(&mut Fold),
    mut each: impl FnMut(&Followed<'_>) -> ControlFlow<()>,
) -> Result<Fold, NotFollowed> {
    let mut reached: Option<Fold> = None;
    let mut problems = Vec::new();
    let mut end = 0;
    while let Some(record) = records.next()? {
        let line = record.line;
        let wrong = |problem| NotFollowed::Unverified { line, problem: Box::new(problem) };
        if let (None, Some(found)) = (&reached, other_format(record.bytes)) {
            return Err(wrong(Problem::Format { found }));
        }
        if let Some(newer) = newer_level(record.bytes) {
            return Err(wrong(newer));
        }
        let entry = Entry::read(record.bytes).map_err(|fault| wrong(Problem::Unreadable(fault)))?;
        let hash = sha256(record.bytes);
        end += record.bytes.len() as u64;
        let mut asked_before = None;
        let fold = match reached.as_mut() {
            None => {
                let fold = reached.insert(Fold::begin(&entry, hash, titles, root, &mut problems).map_err(wrong)?);
                begins(fold);
                fold
            }
            Some(fold) => {
                asked_before = fold.asked();
                fold.game_mut().forget_news();
                fold.fold(&entry, hash, &mut problems);
                fold
            }
        };
        if let Some(problem) = problems.drain(..).next() {
            return Err(wrong(problem));
        }
        let followed = Followed { entry: &entry, hash, end, asked_before, fold };
        if each(&followed).is_break() {
            break;
        }
    }
    let mut fold = reached.ok_or(NotFollowed::Stream(StreamError::NotARecord { line: 1, found: String::new() }))?;
    fold.game_mut().forget_news();
    Ok(fold)
}
