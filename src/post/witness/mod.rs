/*! A player's own mail as a witness (log 3.3): what the letters of a mailbox say about the logs of games.

A mailbox is an mbox, a Maildir with its subfolders, a folder of `.eml` files, or one such file. It is read letter by
letter and not changed; of each letter only the heads in it, and the hashes of the attached records, are kept.

In reading order: this file reads mailboxes; [`archive`] opens the letters that a host shows, [`evidence`] writes two
histories out; [`rebuild`] puts a log together from mail; [`handover`] gives a game to another host, in a [`sealed`]
file. Nothing here needs a network, a desk or a running office.
*/

pub mod archive;
pub mod evidence;
pub mod handover;
pub mod rebuild;
mod sealed;

use crate::names::message_id::{MessageId, SubjectTag, hash_of, is_game};
use ground::disk::place::about;
use ground::hash::{GameId, Hash, sha256};
use ground::stamp::Stamp;
use jiff::fmt::rfc2822::DateTimeParser;
use mail::letter::limits::Limits;
use mail::letter::{self, Envelope, Letter};
use mail::wire::mbox::{self, Mbox};
use record::commit::checkpoint::Noted;
use record::commit::signature::PublicKey;
use record::entry::{Body, Entry};
use record::file::stream::Records;
use record::verify::mine::{Answered, Own, OwnLetter};
use record::verify::witness::{About, Begun, How, Seen, Witnesses};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// Our own letters have records attached, so they may be longer than those we take in.
pub const LIMITS: Limits = Limits { letter_bytes: 64 * 1024 * 1024, lines: 2_000_000, ..Limits::ORDINARY };

/// Where a letter is: its file, and its position in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    pub file: PathBuf,
    /// Its position in an mbox, from 0.
    pub index: usize,
}

impl Location {
    /// What the letter is called in messages.
    fn name(&self) -> String {
        match self.index {
            0 => self.file.display().to_string(),
            index => format!("{} letter {}", self.file.display(), index + 1),
        }
    }
}

/// A stretch of a log that was attached to a letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attached {
    pub name: String,
    pub game: Option<GameId>,
    /// The records, each with its number.
    pub records: Vec<(u64, Vec<u8>)>,
}

/// Calls `each` for every letter of a mailbox, and stops at its first error.
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
        let raw = mail::wire::intake::read(source, &LIMITS).map_err(|error| about(file, &error))?;
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

/// One letter from a file, or from standard input if the path is `-`. Errors do not name the path.
pub fn one_letter(path: &Path) -> io::Result<Vec<u8>> {
    if path == Path::new("-") {
        mail::wire::intake::read(io::stdin().lock(), &LIMITS)
    } else {
        mail::wire::intake::read(File::open(path)?, &LIMITS)
    }
}

/// The bytes of one letter of a mailbox. [`io::ErrorKind::NotFound`] if it is no longer there.
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

/// What a mailbox says about logs, and where its letters are.
pub fn witnesses(mailbox: &Path) -> io::Result<(Witnesses, Vec<Location>)> {
    let (mut witnesses, mut locations) = (Witnesses::default(), Vec::new());
    letters(mailbox, &mut |location, raw| {
        let letter = Letter::open(raw, &LIMITS);
        let (seen, received) = (said(raw, &letter, locations.len()), received(&letter.envelope));
        if !seen.is_empty() {
            witnesses.letters.push(location.name());
            witnesses.received.push(received);
            witnesses.begun.extend(begun(raw, &letter, locations.len()));
            locations.push(location);
            witnesses.seen.extend(seen);
        }
        Ok(())
    })?;
    Ok((witnesses, locations))
}

/// What a player has sent: the letters of a mailbox that are not ours, or his public key.
pub fn sent(path: &Path, own: &mut Own) -> io::Result<()> {
    if let Some(key) = public_key(path)? {
        own.keys.push(key);
        return Ok(());
    }
    let mut count = 0;
    letters(path, &mut |location, raw| {
        count += 1;
        let envelope = Letter::open(raw, &LIMITS).envelope;
        let id = envelope.message_id.as_deref().filter(|id| MessageId::read(id).is_none());
        if let Some(id) = id.filter(|_| name_of(&envelope).is_none()) {
            let answered = envelope.in_reply_to.iter().filter_map(|written| MessageId::read(written));
            let answers = answered.map(|id| Answered { game: id.game, seat: id.seat, seq: id.seq }).collect();
            own.letters.insert(hash_of(id), OwnLetter { name: location.name(), answers });
        }
        Ok(())
    })?;
    own.is_mailbox |= count > 1 || path.is_dir();
    Ok(())
}

/// The key, if a file is one as `ssh-keygen` writes it (`.pub`).
fn public_key(path: &Path) -> io::Result<Option<PublicKey>> {
    if path.is_dir() {
        return Ok(None);
    }
    let mut start = Vec::new();
    let file = File::open(path).map_err(|error| about(path, &error))?;
    file.take(KEY_MAX).read_to_end(&mut start).map_err(|error| about(path, &error))?;
    if !start.starts_with(b"ssh-") {
        return Ok(None);
    }
    let read = PublicKey::read(&String::from_utf8_lossy(&start));
    read.map(Some).map_err(|why| io::Error::other(format!("{}: {why}", path.display())))
}

/// Bytes of a public key, with its comment.
const KEY_MAX: u64 = 4096;

/// Everything that one letter says.
fn said(raw: &[u8], letter: &Letter, number: usize) -> Vec<Seen> {
    let envelope = &letter.envelope;
    let mut seen = Vec::new();
    let own = envelope.message_id.as_deref().and_then(MessageId::read);
    let checkpoints = checkpoints(letter);
    let game = game_of(&checkpoints);
    let mut say = |about: About, seq: u64, head: String, how: How| {
        seen.push(Seen { about, seq, head, letter: number, how });
    };
    let about = |name: &str| About { name: Some(name.to_owned()), game, words: None };
    let name = own.as_ref().map(|id| id.game.clone()).or_else(|| name_of(envelope));
    if let Some(id) = &own {
        say(about(&id.game), id.seq, id.head.to_string(), How::MessageId);
    }
    for id in envelope.in_reply_to.iter().filter_map(|written| MessageId::read(written)) {
        // Our own letters refer to the one before, which was seen itself.
        if own.is_none() && name.is_none() {
            say(about(&id.game), id.seq, id.head.to_string(), How::Answer);
        }
    }
    if let Some(tag) = SubjectTag::find(&envelope.subject) {
        say(About { words: Some(tag.words), ..about(&tag.game) }, tag.seq, tag.head, How::Subject);
    }
    for noted in checkpoints {
        if let Some(seq) = noted.seq() {
            // The signed text names its game, no matter who passes it on.
            let about = About { game: Some(noted.checkpoint.game), ..About::default() };
            say(about, seq, noted.checkpoint.head.to_string(), How::Checkpoint(Box::new(noted)));
        }
    }
    let Some(name) = name else { return seen };
    for (seq, record) in attached(raw, letter).into_iter().flat_map(|attached| attached.records) {
        say(about(&name), seq, sha256(&record).to_string(), How::Record { prev: prev(&record) });
    }
    seen
}

/// The first record of a game, if one is attached to a letter of ours.
fn begun(raw: &[u8], letter: &Letter, number: usize) -> Option<Begun> {
    let (_, record) = attached(raw, letter)?.records.into_iter().find(|(seq, _)| *seq == 0)?;
    let game = match Entry::read(&record).ok()?.body {
        Body::Genesis(genesis) => genesis.game,
        _ => return None,
    };
    let envelope = &letter.envelope;
    let dated = || envelope.values("date").next().and_then(time);
    Some(Begun { game, genesis: sha256(&record), at: received(envelope).or_else(dated), letter: number })
}

/// The checkpoints in the text of a letter, including quoted ones.
pub fn checkpoints(letter: &Letter) -> Vec<Noted> {
    let Ok(text) = &letter.text else { return Vec::new() };
    Noted::find(&text.lines.iter().map(|line| line.text.as_str()).collect::<Vec<&str>>())
}

/// The game of a letter, if all its checkpoints are of one game.
fn game_of(checkpoints: &[Noted]) -> Option<GameId> {
    let game = checkpoints.first()?.checkpoint.game;
    checkpoints.iter().all(|noted| noted.checkpoint.game == game).then_some(game)
}

/// When the reader's own provider received a letter: the topmost `Received` is his.
fn received(envelope: &Envelope) -> Option<Stamp> {
    time(envelope.values("received").next()?.rsplit_once(';')?.1)
}

fn time(date: &str) -> Option<Stamp> {
    // Some servers write the wrong day of the week, or the name of the time zone after the date.
    let date = date.split('(').next().unwrap_or(date).trim();
    DateTimeParser::new().relaxed_weekday(true).parse_timestamp(date).ok().and_then(Stamp::of)
}

/// The game of a letter of ours, even if a relay has changed its Message-ID (S1).
fn name_of(envelope: &Envelope) -> Option<String> {
    envelope.values("x-ringmail-game").find(|name| is_game(name)).map(str::to_owned)
}

/// The records attached to a letter, if it is one of ours.
pub fn attached(raw: &[u8], letter: &Letter) -> Option<Attached> {
    let envelope = &letter.envelope;
    let name =
        envelope.message_id.as_deref().and_then(MessageId::read).map(|id| id.game).or_else(|| name_of(envelope))?;
    let game = game_of(&checkpoints(letter));
    let mut records = Vec::new();
    for (file, bytes) in letter::attachments(raw, &LIMITS)? {
        if file.starts_with(&format!("{name}-")) && file.ends_with(".yaml") {
            records.extend(self::records(&bytes));
        }
    }
    Some(Attached { name, game, records })
}

/// The records of a piece of a log, as far as they can be read, each with its number.
fn records(bytes: &[u8]) -> Vec<(u64, Vec<u8>)> {
    let (mut records, mut stream) = (Vec::new(), Records::new(bytes));
    while let Ok(Some(record)) = stream.next() {
        if let Some(seq) = number(record.bytes) {
            records.push((seq, record.bytes.to_vec()));
        }
    }
    records
}

/// The number of a record, from its second line.
fn number(record: &[u8]) -> Option<u64> {
    let line = record.split(|byte| *byte == b'\n').nth(1)?;
    let digits = std::str::from_utf8(line.strip_prefix(b"seq: ")?).ok()?;
    Some(digits.to_owned()).filter(|digits| digits.len() <= 18)?.parse().ok()
}

/// The hash of the record before, from the third line of a record.
fn prev(record: &[u8]) -> Option<Hash> {
    let line = record.split(|byte| *byte == b'\n').nth(2)?;
    Hash::parse(std::str::from_utf8(line.strip_prefix(b"prev: \"")?.strip_suffix(b"\"")?).ok()?)
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
