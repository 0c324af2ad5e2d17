/*! Records that the log has lost: it was put back from an older backup, and a letter quotes one of our checkpoints,
which covers more records than the log has.

The checkpoint bears our own signature, so nobody can invent it. To go on would be to tell two histories: nothing more
is added to the log until it has that record again. A file beside the log says which record it is. The host can take
the missing records from the mail of a player, or give them up.
*/

use super::Desk;
use crate::book::fault::PostError;
use ground::hash::Hash;
use mail::letter::Letter;
use record::commit::checkpoint::Noted;
use record::entry::Head;
use std::io;
use store::drawer::Drawer;

/// The file beside the log.
pub const LOST: &str = "lost-record";

/// The version of the file. Version 1 is not written into it; later ones will be.
const VERSION: u32 = 1;

/// The most checkpoints of one letter that are read; a player quotes one or two.
const CHECKPOINTS_MAX: usize = 16;

/// The word in the file that says that the host goes on without the records.
const GIVEN_UP: &str = "given-up";

/// A record that the log must have, and its hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost {
    pub seq: u64,
    pub hash: Hash,
    /// The host goes on without it, and without every earlier record that the log does not have.
    pub is_given_up: bool,
}

impl Lost {
    /// Reads what is noted beside the log of a game.
    pub fn read(drawer: &Drawer) -> io::Result<Option<Lost>> {
        let Some(text) = drawer.text(LOST, VERSION)? else { return Ok(None) };
        let file = drawer.place(LOST);
        let mut words = text.split_whitespace();
        let read = words.next().and_then(|seq| seq.parse().ok()).zip(words.next().and_then(Hash::parse));
        let damaged = || io::Error::new(io::ErrorKind::InvalidData, format!("{} is not understood", file.display()));
        let (seq, hash) = read.ok_or_else(damaged)?;
        Ok(Some(Lost { seq, hash, is_given_up: words.next() == Some(GIVEN_UP) }))
    }

    /// Notes it beside the log of a game.
    pub fn note(self, drawer: &Drawer) -> io::Result<()> {
        let given_up = if self.is_given_up { format!(" {GIVEN_UP}") } else { String::new() };
        drawer.replace(LOST, format!("{} {}{given_up}\n", self.seq, self.hash).as_bytes())
    }
}

impl Desk {
    /// Compares what is noted with the log.
    pub(super) fn must_be_whole(&mut self) -> Result<(), PostError> {
        let Some(lost) = Lost::read(self.table.drawer())? else { return Ok(()) };
        if lost.is_given_up || self.has(lost) { Ok(()) } else { Err(self.incomplete(lost)) }
    }

    /// Checks whether a letter proves that the log has lost records.
    pub(super) fn look_for_lost(&mut self, letter: &Letter) -> Result<(), PostError> {
        let (Ok(text), Some(key)) = (&letter.text, self.table.fold().host_key()) else { return Ok(()) };
        let lines: Vec<&str> = text.lines.iter().map(|line| line.text.as_str()).collect();
        let game = self.table.fold().plan().game;
        let told = Noted::find(&lines).into_iter().take(CHECKPOINTS_MAX);
        let signed = told.filter(|noted| noted.checkpoint.game == game && noted.check(&[key]).is_ok());
        let lost = |noted: Noted| Some(Lost { seq: noted.seq()?, hash: noted.checkpoint.head, is_given_up: false });
        let records: Vec<Lost> = signed.filter_map(lost).collect();
        let Some(lost) = records.into_iter().filter(|lost| !self.has(*lost)).max_by_key(|lost| lost.seq) else {
            return Ok(());
        };
        let drawer = self.table.drawer();
        if Lost::read(drawer)?.is_some_and(|before| before.is_given_up && lost.seq <= before.seq) {
            return Ok(());
        }
        lost.note(drawer)?;
        Err(self.incomplete(lost))
    }

    /// Whether the log has a record, or its host goes on without it.
    pub(crate) fn has_record(&mut self, head: Head) -> Result<bool, PostError> {
        let lost = Lost { seq: head.seq, hash: head.hash, is_given_up: false };
        if self.has(lost) {
            return Ok(true);
        }
        let before = Lost::read(self.table.drawer())?;
        Ok(before.is_some_and(|before| before.is_given_up && lost.seq <= before.seq))
    }

    fn has(&mut self, lost: Lost) -> bool {
        let minutes = self.minutes.of(&mut self.table);
        minutes.entry(lost.seq).is_some_and(|entry| entry.hash == lost.hash)
    }

    fn incomplete(&self, lost: Lost) -> PostError {
        PostError::Incomplete { game: self.name(), last: self.table.fold().head().seq, lost: lost.seq }
    }
}
