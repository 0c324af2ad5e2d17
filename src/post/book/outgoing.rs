/*! A letter that leaves, and the one way out: into the outbox, then into the book.

Every letter has a key, which names its occasion: a report at an entry, the answer to a letter, a reminder, a notice
to the host. For each key one letter is written, whatever has happened in the game since. The key is part of the
letter's name (its Message-ID), so books of any age give it, and so does a letter that a crash left in the outbox
before the book knew it: [`post`] takes that letter instead of writing a second one.
*/

use super::fault::PostError;
use super::outbox::{Outbox, Shelf};
use super::{Book, Event, LetterOut, Told};
use crate::names::message_id::{self, MessageId};
use ground::hash::{Hash, sha256};
use ground::span::Span;
use ground::stamp::Stamp;
use mail::draft::{Draft, File, FileKind, Heading, Image, Page, Purpose};
use mail::letter::mailbox::Mailbox;
use report::guest::Stage;
use report::html::Enclosed;
use report::letter::Letter;
use report::picture::png::png;
use report::print::Sheet;
use std::io;

/// The digits of a mark: they tell the letters to one seat apart.
const MARK: usize = 12;
/// The digits of a mark at the counter, where the name has no seat.
const LONG_MARK: usize = 32;

/// The occasion of a letter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// A report to a seat, or to a guest who watches, of what has happened up to an entry.
    Report { seat: String, seq: u64, head: Hash },
    /// Any other letter to a seat or a guest; the mark is a hash of what it is about.
    Marked { seat: String, mark: String },
    /// A letter of the counter, which belongs to no game: its name without our host.
    Counter { name: String },
}

impl Key {
    /// The game has come to this entry.
    pub fn report(seat: &str, seq: u64, head: Hash) -> Key {
        Key::Report { seat: seat.to_owned(), seq, head }
    }

    /// A letter came in and is answered.
    pub fn answer(seat: &str, raw: &Hash) -> Key {
        Key::marked(seat, *raw)
    }

    /// The question of an entry is due at `due`; its player is reminded `lead` before.
    pub fn reminder(seat: &str, question: u64, due: Stamp, lead: Span) -> Key {
        Key::marked(seat, sha256(format!("reminder {question} {due} {lead}").as_bytes()))
    }

    /// A line of a letter is passed on to a seat. The mark does not show which letter that was, nor who wrote it:
    /// only the host knows `secret`.
    pub fn press(seat: &str, secret: &Hash, raw: &Hash, line: usize) -> Key {
        Key::marked(seat, sha256(format!("press {secret} {raw} {line} {seat}").as_bytes()))
    }

    /// In these words a guest is told how far his invitation has come, or a player that another has his seat.
    pub fn words(seat: &str, text: &str) -> Key {
        Key::marked(seat, sha256(text.as_bytes()))
    }

    /// The address of a seat changed; in these words the old or the new address, `to`, is told so.
    pub fn address(seat: &str, at: Stamp, to: &Mailbox, text: &str) -> Key {
        Key::marked(seat, sha256(format!("{at} {to} {text}").as_bytes()))
    }

    /// A letter came in that speaks for no seat.
    pub fn astray(raw: &Hash) -> Key {
        Key::Counter { name: format!("counter.{}", &raw.to_string()[..LONG_MARK]) }
    }

    /// The host must know something; `what` distinguishes it from his other notices.
    pub fn notice(what: &str) -> Key {
        Key::Counter { name: format!("notice.{}", &sha256(what.as_bytes()).to_string()[..LONG_MARK]) }
    }

    fn marked(seat: &str, hash: Hash) -> Key {
        Key::Marked { seat: seat.to_owned(), mark: hash.to_string()[..MARK].to_owned() }
    }

    /// The seat or guest that the letter goes to.
    pub fn seat(&self) -> Option<&str> {
        match self {
            Key::Report { seat, .. } | Key::Marked { seat, .. } => Some(seat),
            Key::Counter { .. } => None,
        }
    }

    /// The key of a letter in an outbox, by the name of its file.
    pub fn of_file(name: &str) -> Key {
        let name = name.strip_suffix(".eml").unwrap_or(name);
        match MessageId::read(name) {
            Some(MessageId { seat, answers: Some(mark), .. }) => Key::Marked { seat, mark },
            Some(MessageId { seat, seq, head, answers: None, .. }) => Key::Report { seat, seq, head },
            None => Key::Counter { name: name.split('@').next().unwrap_or(name).to_owned() },
        }
    }

    /// The Message-ID of a letter that is written now.
    fn message_id(&self, from: &From<'_>) -> String {
        let host = &from.ours.host;
        let of_game = |seat: &String, answers: Option<String>| {
            let Game { name, seq, head } = from.game.clone().expect("a letter to a seat belongs to a game");
            MessageId { game: name, seq, head, seat: seat.clone(), answers, host: host.clone() }.to_string()
        };
        match self {
            Key::Report { seat, .. } => of_game(seat, None),
            Key::Marked { seat, mark } => of_game(seat, Some(mark.clone())),
            Key::Counter { name } => format!("<{name}@{host}>"),
        }
    }
}

/// Where letters come from.
pub struct From<'a> {
    /// The mailbox of the post office.
    pub ours: &'a Mailbox,
    /// The game they belong to; the counter has none.
    pub game: Option<Game>,
}

/// A game, and how far its log goes.
#[derive(Clone, Debug)]
pub struct Game {
    pub name: String,
    pub seq: u64,
    pub head: Hash,
}

/// What the book remembers of a letter, besides the fact that it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tells {
    Nothing,
    /// Everything up to an entry: the next report to its seat begins there.
    Entries(Told),
    /// How far the invitation of its reader has come.
    Invitation(Stage),
}

/// How a letter is connected with others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Thread {
    Alone,
    /// It goes on where the last of these letters ended.
    Follows(Vec<String>),
    /// It belongs to their thread, but replies to none of them.
    Among(Vec<String>),
    /// It answers a letter that came in: the Message-ID of that one, if it had any, and its thread.
    Answers {
        mail: Option<String>,
        references: Vec<String>,
    },
}

/// A letter that leaves: why it is written, to whom, and what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    pub key: Key,
    pub to: Mailbox,
    pub page: Letter,
    pub date: Stamp,
    pub thread: Thread,
    /// Only if its reader may answer as a seat or a guest of a game.
    pub heading: Option<Heading>,
    /// Records of the log that are attached, and the game as a page when it is over.
    pub files: Vec<File>,
    pub tells: Tells,
}

impl Outgoing {
    /// A letter without a thread and without records, of which the book need not remember what it tells.
    pub fn new(key: Key, to: Mailbox, page: Letter, date: Stamp) -> Outgoing {
        Outgoing { key, to, page, date, thread: Thread::Alone, heading: None, files: Vec::new(), tells: Tells::Nothing }
    }

    fn draft(&self, message_id: &str, ours: &Mailbox) -> Draft {
        let (purpose, in_reply_to, references) = match &self.thread {
            Thread::Alone => (Purpose::Report, None, Vec::new()),
            Thread::Follows(references) => (Purpose::Report, references.last().cloned(), references.clone()),
            Thread::Among(references) => (Purpose::Report, None, references.clone()),
            Thread::Answers { mail, references } => {
                let references = references.iter().chain(mail).cloned().collect();
                (Purpose::Answer, mail.clone(), references)
            }
        };
        // The pictures are drawn only now: if the letter was written before, they are not needed.
        let (shown, attached): (Vec<&Enclosed>, Vec<&Enclosed>) =
            self.page.pictures.iter().partition(|enclosed| enclosed.cid.is_some());
        let shown = shown.into_iter().filter_map(|enclosed| Some((enclosed.cid.clone()?, image(enclosed)))).collect();
        let html = self.page.html.as_ref().map(|html| html.document());
        Draft {
            purpose,
            message_id: message_id.to_owned(),
            date: self.date,
            ours: ours.clone(),
            to: self.to.clone(),
            subject: self.page.subject.clone(),
            in_reply_to,
            references,
            heading: self.heading.clone(),
            text: self.page.text.clone(),
            page: html.map(|html| Page { html, images: shown }),
            images: attached.into_iter().map(image).collect(),
            files: self.files.iter().cloned().chain(self.page.sheet.as_deref().map(to_print)).collect(),
        }
    }

    fn queued(self, letter: String) -> Event {
        let (told, invitation) = match self.tells {
            Tells::Nothing => (None, None),
            Tells::Entries(told) => (Some(as_written(told, &letter)), None),
            Tells::Invitation(state) => (None, Some(state)),
        };
        Event::Queued { at: self.date.to_string(), letter, to: self.to.to_string(), told, invitation }
    }
}

fn to_print(sheet: &Sheet) -> File {
    File { kind: FileKind::Page, name: sheet.name.clone(), bytes: sheet.html.clone().into_bytes() }
}

fn image(enclosed: &Enclosed) -> Image {
    Image { name: enclosed.name.clone(), png: png(&enclosed.picture) }
}

/// A letter that a crash left in the outbox tells of the entries up to its own; of which turn is not known.
fn as_written(told: Told, letter: &str) -> Told {
    let written = MessageId::read(letter.trim_end_matches(".eml")).map_or(told.seq, |id| id.seq);
    if written == told.seq { told } else { Told { seq: written, turn: String::new(), ..told } }
}

/// Writes each letter once: if the book knows its key, it was written before. The others are put into the outbox,
/// with one sync for all of them, and noted in the book, which the caller must settle. Returns their file names.
///
/// # Errors
/// Letters that are in the outbox by then, but not in the book, will be found there by their keys.
pub fn post(
    letters: Vec<Outgoing>,
    outbox: &Outbox,
    book: &mut Book,
    from: &From<'_>,
) -> Result<Vec<String>, PostError> {
    let (mut names, mut drafts, mut queued) = (Vec::new(), Vec::new(), Vec::new());
    for letter in letters {
        if let Some(written) = book.letter_of(&letter.key) {
            names.push(written.to_owned());
            continue;
        }
        let name = match book.stray(&letter.key) {
            Some(stray) => stray.to_owned(),
            None => {
                let id = letter.key.message_id(from);
                let name = message_id::file_name(&id);
                drafts.push((name.clone(), letter.draft(&id, from.ours).to_bytes()));
                name
            }
        };
        names.push(name.clone());
        queued.push(letter.queued(name));
    }
    outbox.put_all(drafts)?;
    queued.into_iter().for_each(|event| book.note(event));
    Ok(names)
}

/// Notes in the book the letters that a crash left in the outbox and whose occasion did not come again: they are
/// still sent, once.
pub fn note_strays(outbox: &Outbox, book: &mut Book, at: Stamp) -> Result<(), PostError> {
    for letter in book.strays() {
        let Some(cover) = outbox.letter(&letter)?.0 else { continue };
        let (at, to) = (at.to_string(), cover.to.to_string());
        book.note(Event::Queued { at, letter, to, told: None, invitation: None });
    }
    Ok(book.settle()?)
}

/// Sends a letter again, unchanged, that was sent or is dead. Returns `false` if it is neither.
pub fn once_more(letter: &str, outbox: &Outbox, book: &mut Book, at: Stamp) -> Result<bool, PostError> {
    let shelf = outbox.shelf(letter)?.filter(|shelf| *shelf != Shelf::Outbox);
    let (Some(shelf), Some(out)) = (shelf, book.letter_out(letter)) else { return Ok(false) };
    let (at, letter, to) = (at.to_string(), letter.to_owned(), out.to.clone());
    // In this order: after a crash between the two, the sender puts the letter back on its shelf, and this can be
    // repeated.
    outbox.file(&letter, shelf, Shelf::Outbox)?;
    book.append(Event::Queued { at, letter, to, told: None, invitation: None })?;
    Ok(true)
}

/// Letters out.
impl Book {
    /// Looks for letters that a crash left in the outbox before the book knew them.
    pub fn look_for_strays(&mut self, outbox: &Outbox) -> io::Result<()> {
        for letter in outbox.waiting()? {
            if !self.letters_out.contains_key(&letter) {
                self.strays.insert(Key::of_file(&letter), letter);
            }
        }
        Ok(())
    }

    /// The letter that was written on an occasion.
    pub fn letter_of(&self, key: &Key) -> Option<&str> {
        self.by_key.get(key).map(String::as_str)
    }

    fn stray(&self, key: &Key) -> Option<&str> {
        self.strays.get(key).map(String::as_str)
    }

    fn strays(&self) -> Vec<String> {
        self.strays.values().cloned().collect()
    }

    /// A letter that was queued.
    pub fn letter_out(&self, letter: &str) -> Option<&LetterOut> {
        self.letters_out.get(letter)
    }

    /// All letters that were queued, the oldest first.
    pub fn letters_out(&self) -> impl DoubleEndedIterator<Item = &LetterOut> {
        self.order_out.iter().filter_map(|letter| self.letters_out.get(letter))
    }

    /// The letters to a seat, the oldest first.
    pub fn letters_to<'a>(&'a self, seat: &'a str) -> impl DoubleEndedIterator<Item = (&'a LetterOut, &'a Told)> {
        let letters = self.by_seat.get(seat).into_iter().flatten().filter_map(|letter| self.letters_out.get(letter));
        letters.filter_map(|letter| letter.told.as_ref().map(|told| (letter, told)))
    }

    /// The newest entry that a seat was told of; 0 if it got no letter yet.
    pub fn told(&self, seat: &str) -> u64 {
        self.letters_to(seat).next_back().map_or(0, |(_, told)| told.seq)
    }

    /// The turn that the last letter to a seat told of.
    pub fn told_in<'a>(&'a self, seat: &'a str) -> Option<&'a str> {
        self.letters_to(seat).next_back().map(|(_, told)| told.turn.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::guest::Guest;
    use ground::hash::Hex;
    use report::guest::Role;

    fn ours() -> Mailbox {
        Mailbox::read("box@play.example").unwrap()
    }

    fn stamp() -> Stamp {
        Stamp::parse("2026-11-24T07:12:09Z").unwrap()
    }

    fn game(seq: u64) -> Option<Game> {
        Some(Game { name: "g7".to_owned(), seq, head: Hex([seq as u8; 32]) })
    }

    fn letter(key: Key) -> Outgoing {
        let page = Letter::of_text("a letter".to_owned(), "words\n".to_owned());
        Outgoing::new(key, Mailbox::read("frodo@shire.example").unwrap(), page, stamp())
    }

    fn write(letter: Outgoing, seq: u64, outbox: &Outbox, book: &mut Book) -> String {
        post(vec![letter], outbox, book, &From { ours: &ours(), game: game(seq) }).unwrap().swap_remove(0)
    }

    fn opened(folder: &std::path::Path) -> (Outbox, Book) {
        let (outbox, mut book) = (Outbox::open(folder).unwrap(), Book::open(folder).unwrap());
        book.look_for_strays(&outbox).unwrap();
        (outbox, book)
    }

    #[test]
    fn i6_the_key_of_a_letter_stands_in_its_name() {
        let raw = Hex([7; 32]);
        let at_games = [
            Key::report("red", 9, Hex([9; 32])),
            Key::answer("red", &raw),
            Key::reminder("witch-king", 8, stamp(), Span::hours(24)),
            Key::press("red", &raw, &raw, 3),
            Key::words("guest-1", "You are invited."),
            Key::address("red", stamp(), &ours(), "From now on"),
        ];
        let at_the_counter = [Key::astray(&raw), Key::notice("free g7 red 9")];
        let from_game = From { ours: &ours(), game: game(9) };
        let from_counter = From { ours: &ours(), game: None };
        let all =
            at_games.iter().map(|key| (key, &from_game)).chain(at_the_counter.iter().map(|key| (key, &from_counter)));
        for (key, from) in all {
            let id = key.message_id(from);
            assert_eq!(Key::of_file(&message_id::file_name(&id)), *key, "{id}");
        }
    }

    #[test]
    fn i6_for_each_key_one_letter_is_written_though_the_game_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let (outbox, mut book) = opened(folder.path());
        let reminder = || letter(Key::reminder("red", 8, stamp(), Span::hours(24)));
        let name = write(reminder(), 9, &outbox, &mut book);
        assert_eq!(write(reminder(), 10, &outbox, &mut book), name);
        book.settle().unwrap();
        let (outbox, mut book) = opened(folder.path());
        assert_eq!(write(reminder(), 11, &outbox, &mut book), name);
        assert_eq!(outbox.waiting().unwrap(), std::slice::from_ref(&name));
        // At another deadline the same question is another occasion.
        let later = letter(Key::reminder("red", 8, stamp(), Span::hours(12)));
        assert_ne!(write(later, 11, &outbox, &mut book), name);
    }

    #[test]
    fn i3_a_letter_that_the_book_does_not_know_is_taken_for_its_occasion() {
        let folder = tempfile::tempdir().unwrap();
        let (outbox, mut book) = opened(folder.path());
        let told = |seq| Told { seat: "red".to_owned(), seq, turn: "turn 1".to_owned() };
        let answer = |seq| Outgoing { tells: Tells::Entries(told(seq)), ..letter(Key::answer("red", &Hex([7; 32]))) };
        let name = write(answer(9), 9, &outbox, &mut book);
        // The power fails before the book is settled.
        drop(book);
        let (outbox, mut book) = opened(folder.path());
        assert!(book.letter_out(&name).is_none());
        assert_eq!(write(answer(11), 11, &outbox, &mut book), name);
        assert_eq!((outbox.waiting().unwrap(), book.told("red")), (vec![name], 9));
    }

    #[test]
    fn i3_a_letter_whose_occasion_does_not_come_again_is_noted_and_sent_once() {
        let folder = tempfile::tempdir().unwrap();
        let (outbox, mut book) = opened(folder.path());
        let name = write(letter(Key::words("red", "leave")), 9, &outbox, &mut book);
        drop(book);
        let (outbox, mut book) = opened(folder.path());
        note_strays(&outbox, &mut book, stamp()).unwrap();
        let book = Book::open(folder.path()).unwrap();
        assert_eq!(book.letter_out(&name).unwrap().to, "frodo@shire.example");
        assert_eq!(book.letter_of(&Key::words("red", "leave")), Some(name.as_str()));
    }

    #[test]
    fn what_a_guest_was_told_is_noted_with_the_letter() {
        let folder = tempfile::tempdir().unwrap();
        let (outbox, mut book) = opened(folder.path());
        let guest = Guest {
            number: 1,
            role: Role::Player,
            state: Stage::Invited,
            name: None,
            seat: None,
            wishes: Vec::new(),
            phrase: None,
            key: None,
            since: 0,
            row: 0,
            given_by: None,
            raw: None,
            told: None,
        };
        book.append(Event::Guest(Box::new(guest))).unwrap();
        let tells = Tells::Invitation(Stage::Invited);
        write(Outgoing { tells, ..letter(Key::words("guest-1", "You are invited.")) }, 0, &outbox, &mut book);
        book.settle().unwrap();
        let book = Book::open(folder.path()).unwrap();
        assert_eq!(book.guest("guest-1").unwrap().told, Some(Stage::Invited));
    }

    #[test]
    fn a_book_of_an_older_program_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let name = format!("g7.9.{}.red.0123456789ab@play.example.eml", Hex([9; 32]));
        let event = format!("---\nevent: queued\nat: 2026-11-24T07:12:09Z\nletter: {name}\nto: a@b.example\n...\n");
        std::fs::write(folder.path().join(ground::files::BOOK), event).unwrap();
        let book = Book::open(folder.path()).unwrap();
        let key = Key::Marked { seat: "red".to_owned(), mark: "0123456789ab".to_owned() };
        assert_eq!(book.letter_of(&key), Some(name.as_str()));
    }
}
