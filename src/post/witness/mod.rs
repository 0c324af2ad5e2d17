/*! A player's own mail as a witness (log 3.3): what the letters of a mailbox say of the logs of games.

A mailbox is an mbox, a Maildir with what lies below it, a folder of `.eml` files, or one such file. It is read letter
by letter and not changed; of a letter only the heads, and the hashes of the records attached to it, are kept.

In reading order: this file reads mailboxes; [`evidence`] holds the letters of a host against his log; [`rebuild`] puts
a log together from mail; [`handover`] gives a game to another host, in a [`sealed`] file. Nothing here needs a network,
a desk or a running office.
*/

pub mod evidence;
pub mod handover;
pub mod rebuild;
mod sealed;

use crate::disk::place::about;
use crate::mail::letter::limits::Limits;
use crate::mail::letter::{self, Envelope, Letter};
use crate::mail::wire::mbox::{self, Mbox};
use crate::post::names::field;
use crate::post::names::message_id::{MessageId, SubjectTag, is_game};
use crate::record::commit::checkpoint::Noted;
use crate::record::file::stream::Records;
use crate::record::value::hash::{GameId, Hash, sha256};
use crate::record::value::stamp::Stamp;
use crate::record::verify::witness::{How, Seen, Witnesses};
use jiff::fmt::rfc2822;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

/// Our own letters bring records along, so they may be longer than those we take in.
pub const LIMITS: Limits = Limits { letter_bytes: 64 * 1024 * 1024, lines: 2_000_000, ..Limits::ORDINARY };

/// Where a letter lies: in a file, and as which one of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    pub file: PathBuf,
    /// Its place in an mbox, from 0.
    pub index: usize,
}

/// A stretch of a log that came with a letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attached {
    pub name: String,
    pub game: Option<GameId>,
    /// The records, each with its number.
    pub records: Vec<(u64, Vec<u8>)>,
}

/// Goes through the letters of a mailbox.
///
/// # Errors
/// What the system says, or what `each` does.
pub fn letters(mailbox: &Path, each: &mut dyn FnMut(Location, &[u8]) -> io::Result<()>) -> io::Result<()> {
    if mailbox.is_dir() {
        let mut entries: Vec<PathBuf> = Vec::new();
        for entry in fs::read_dir(mailbox).map_err(|error| about(mailbox, &error))? {
            entries.push(entry.map_err(|error| about(mailbox, &error))?.path());
        }
        entries.sort();
        // Files that mail programs keep for themselves are no letters.
        let is_letter = |path: &&PathBuf| {
            let below = mailbox.file_name().is_some_and(|name| name == "cur" || name == "new");
            below || path.extension().is_some_and(|ending| ending == "eml" || ending == "mbox")
        };
        let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = entries.into_iter().partition(|path| path.is_dir());
        for file in files.iter().filter(is_letter) {
            letters_of_file(file, each)?;
        }
        for folder in folders.iter().filter(|folder| !folder.is_symlink()) {
            letters(folder, each)?;
        }
        return Ok(());
    }
    letters_of_file(mailbox, each)
}

fn letters_of_file(file: &Path, each: &mut dyn FnMut(Location, &[u8]) -> io::Result<()>) -> io::Result<()> {
    let mut source = BufReader::new(File::open(file).map_err(|error| about(file, &error))?);
    let start = source.fill_buf().map_err(|error| about(file, &error))?;
    if !mbox::is_mbox(start) {
        let raw = crate::mail::wire::intake::read(source, &LIMITS).map_err(|error| about(file, &error))?;
        return each(Location { file: file.to_owned(), index: 0 }, &raw);
    }
    let mut mbox = Mbox::new(source, &LIMITS);
    let mut index = 0;
    while let Some(raw) = mbox.next_letter().map_err(|error| about(file, &error))? {
        each(Location { file: file.to_owned(), index }, &raw)?;
        index += 1;
    }
    Ok(())
}

/// One letter from a file, or from standard input if the path is `-`.
///
/// # Errors
/// What the system says; the caller knows the path.
pub fn one_letter(path: &Path) -> io::Result<Vec<u8>> {
    match path == Path::new("-") {
        true => crate::mail::wire::intake::read(io::stdin().lock(), &LIMITS),
        false => crate::mail::wire::intake::read(File::open(path)?, &LIMITS),
    }
}

/// The bytes of one letter of a mailbox.
///
/// # Errors
/// What the system says, or that the letter is not there any more.
pub fn letter_at(location: &Location) -> io::Result<Vec<u8>> {
    let mut found = None;
    letters_of_file(&location.file, &mut |place, raw| {
        if place == *location {
            found = Some(raw.to_vec());
        }
        Ok(())
    })?;
    found.ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, format!("{}: it has changed", location.file.display())))
}

/// What a mailbox says of logs, and where its letters lie.
///
/// # Errors
/// What the system says.
pub fn witnesses(mailbox: &Path) -> io::Result<(Witnesses, Vec<Location>)> {
    let (mut witnesses, mut locations) = (Witnesses::default(), Vec::new());
    letters(mailbox, &mut |location, raw| {
        let seen = said(raw, locations.len());
        if !seen.is_empty() {
            witnesses.letters.push(match location.index {
                0 => location.file.display().to_string(),
                index => format!("{} letter {}", location.file.display(), index + 1),
            });
            if let Some(at) = received(&Letter::open(raw, &Limits::ORDINARY).envelope) {
                witnesses.received.insert(locations.len(), at);
            }
            locations.push(location);
            witnesses.seen.extend(seen);
        }
        Ok(())
    })?;
    Ok((witnesses, locations))
}

/// When the last mail server received a letter: the reader's own, which writes the topmost field.
fn received(envelope: &Envelope) -> Option<Stamp> {
    let (_, date) = envelope.values("received").next()?.rsplit_once(';')?;
    // A name of the zone behind the date is only a comment.
    let date = date.split('(').next().unwrap_or(date).trim();
    rfc2822::DateTimeParser::new().relaxed_weekday(true).parse_timestamp(date).ok().and_then(Stamp::of)
}

/// Everything that one letter says.
fn said(raw: &[u8], letter: usize) -> Vec<Seen> {
    let envelope = Letter::open(raw, &Limits::ORDINARY).envelope;
    let mut seen = Vec::new();
    let own = envelope.message_id.as_deref().and_then(MessageId::read);
    let noted = noted(&envelope);
    let game = noted.as_ref().map(|noted| noted.checkpoint.game);
    let mut say = |name: &str, seq: u64, head: String, how: How| {
        seen.push(Seen { name: name.to_owned(), game, seq, head, letter, how });
    };
    let tag = SubjectTag::find(&envelope.subject);
    let name = own.as_ref().map(|id| id.game.clone()).or_else(|| name_of(&envelope));
    if let Some(id) = &own {
        say(&id.game, id.seq, id.head.to_string(), How::MessageId);
    }
    for id in envelope.in_reply_to.iter().filter_map(|written| MessageId::read(written)) {
        // Our own letters name the one before; that one was seen on its own.
        if own.is_none() && name.is_none() {
            say(&id.game, id.seq, id.head.to_string(), How::Answer);
        }
    }
    if let Some(tag) = tag {
        say(&tag.game, tag.seq, tag.head, How::Subject);
    }
    let Some(name) = name else { return seen };
    if let Some(noted) = noted
        && let Some(seq) = noted.seq()
    {
        say(&name, seq, noted.checkpoint.head.to_string(), How::Checkpoint(noted));
    }
    for (seq, record) in attached(raw, &envelope).into_iter().flat_map(|attached| attached.records) {
        say(&name, seq, sha256(&record).to_string(), How::Record);
    }
    seen
}

/// The checkpoint of a letter.
#[must_use]
pub fn noted(envelope: &Envelope) -> Option<Noted> {
    let field = field::CHECKPOINT.to_ascii_lowercase();
    envelope.values(&field).find_map(Noted::read)
}

/// The game of a letter of ours, though a relay has given it another name (S1).
fn name_of(envelope: &Envelope) -> Option<String> {
    envelope.values("x-ringmail-game").find(|name| is_game(name)).map(str::to_owned)
}

/// The records that came with a letter, if it is one of ours.
#[must_use]
pub fn attached(raw: &[u8], envelope: &Envelope) -> Option<Attached> {
    let name =
        envelope.message_id.as_deref().and_then(MessageId::read).map(|id| id.game).or_else(|| name_of(envelope))?;
    let game = noted(envelope).map(|noted| noted.checkpoint.game);
    let mut records = Vec::new();
    for (file, bytes) in letter::attachments(raw, &LIMITS)? {
        if file.starts_with(&format!("{name}-")) && file.ends_with(".yaml") {
            let mut stream = Records::new(bytes.as_slice());
            while let Ok(Some(record)) = stream.next() {
                if let Some(seq) = number(record.bytes) {
                    records.push((seq, record.bytes.to_vec()));
                }
            }
        }
    }
    Some(Attached { name, game, records })
}

/// The number that a record gives itself, in its second line.
fn number(record: &[u8]) -> Option<u64> {
    let line = record.split(|byte| *byte == b'\n').nth(1)?;
    let digits = std::str::from_utf8(line.strip_prefix(b"seq: ")?).ok()?;
    Some(digits.to_owned()).filter(|digits| digits.len() <= 18)?.parse().ok()
}

/// The hash of the record that a letter shows under a number.
#[must_use]
pub fn record_in(raw: &[u8], seq: u64) -> Option<(Hash, Vec<u8>)> {
    let envelope = Letter::open(raw, &Limits::ORDINARY).envelope;
    let (_, record) = attached(raw, &envelope)?.records.into_iter().find(|(number, _)| *number == seq)?;
    Some((sha256(&record), record))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(fields: &str, expected: Option<&str>) {
        let raw = format!("{fields}From: box@play.example\r\nSubject: a letter\r\n\r\ntext\r\n");
        let envelope = Letter::open(raw.as_bytes(), &Limits::ORDINARY).envelope;
        assert_eq!(received(&envelope).map(|at| at.to_string()).as_deref(), expected, "{fields}");
    }

    #[test]
    fn the_last_server_says_when_a_letter_was_received() {
        let own = "Received: from mx.play.example (mx.play.example [192.0.2.1])\r\n by mail.anna.example; \
                   Tue, 24 Nov 2026 09:16:01 +0100 (CET)\r\n";
        let earlier = "Received: from localhost by mx.play.example; Mon, 23 Nov 2026 10:00:00 +0000\r\n";
        case(&format!("{own}{earlier}"), Some("2026-11-24T08:16:01Z"));
        case(earlier, Some("2026-11-23T10:00:00Z"));
        case("Received: from localhost by mx.play.example\r\n", None);
        case("Received: by mx.play.example; yesterday\r\n", None);
        case("Date: Mon, 23 Nov 2026 10:00:00 +0000\r\n", None);
    }
}
