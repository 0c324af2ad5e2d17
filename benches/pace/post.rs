//! A game by letters: the desk of a game in a folder, letters that answer the newest letter to a seat, and the fate
//! of their lines.

use engine::need::{Need, Question};
use engine::seat::Seat;
use ground::hash::{Hash, Hex, sha256};
use ground::stamp::Stamp;
use mail::letter::Letter;
use mail::letter::limits::Limits;
use mail::letter::mailbox::Mailbox;
use post::desk::Desk;
use post::names::address::{self, Place};
use record::charter::{Charter, CharterSeat};
use record::entry::body::{Auth, Via};
use record::file::secrets::Secrets;
use record::table::{Joining, Table};
use report::fate::{Answered, Fate};
use ringmail::titles;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A game of a title, and its desk.
pub struct Post {
    folder: TempDir,
    pub desk: Desk,
    ours: Mailbox,
    letters: u32,
}

impl Post {
    /// A game whose dice follow from `number`.
    pub fn new(title: &str, seats: &[&str], number: u64) -> Post {
        // In memory, if possible: a sync costs nothing there.
        let memory = Path::new("/dev/shm");
        let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
        let folder = folder.expect("a folder");
        let seat = |player: &&str| CharterSeat {
            player: (*player).to_owned(),
            address: Some(format!("{player}@shire.example")),
            ..CharterSeat::default()
        };
        let charter = Charter {
            name: "g7".to_owned(),
            title: title.to_owned(),
            seats: seats.iter().map(seat).collect(),
            ..Charter::default()
        };
        let game = folder.path().join("g7");
        fs::create_dir(&game).expect("a folder");
        let hash = |what: &str| sha256(format!("{what} {number}").as_bytes());
        let secrets = Secrets {
            game: Hex([7; 16]),
            root: hash("root"),
            host_key: None,
            token_key: hash("token"),
            adopter: None,
            ..Secrets::random().expect("random bytes")
        };
        let mut table = Table::create(&game, &charter, secrets, at(0), titles::ALL).expect("a new game");
        for seat in (0..seats.len()).map(Seat::at) {
            let via = Some(Via::letter(Hash::ZERO, 0, Auth::Token));
            table.join(seat, &Joining::default(), via, at(0)).expect("a seat joins");
        }
        table.start(at(0)).expect("everybody has joined");
        drop(table);
        let ours = Mailbox::read("box@play.example").expect("an address");
        let mut desk = Desk::open(&game, &ours, titles::ALL).expect("a desk");
        desk.report(at(1)).expect("letters");
        Post { folder, desk, ours, letters: 1 }
    }

    pub fn folder(&self) -> std::path::PathBuf {
        self.folder.path().join("g7")
    }

    pub fn asked(&self) -> Option<Question> {
        match self.desk.table.fold().need() {
            Need::Question(question) => Some(question),
            _ => None,
        }
    }

    /// The bytes of a letter of a seat, in answer to the newest letter that it got.
    pub fn letter(&self, seat: Seat, text: &str, number: u32) -> (Vec<u8>, Place) {
        let word = self.desk.table.word(seat);
        let place = Place { game: "g7".to_owned(), seat: word.clone() };
        let token = address::token_now(self.desk.table.secrets(), &place);
        let to = address::seat_address(&self.ours, &place, &token);
        let (newest, _) = self.desk.book.letters_to(&word).next_back().expect("a letter to the seat");
        let answered = newest.letter.trim_end_matches(".eml");
        let text = text.replace('\n', "\r\n");
        let raw = format!(
            "From: {word}@shire.example\r\nTo: {to}\r\nIn-Reply-To: <{answered}>\r\nMessage-ID: <{number}@x>\r\n\r\n\
             {text}\r\n"
        );
        (raw.into_bytes(), place)
    }

    /// A seat writes a letter; returns the fate of its lines.
    pub fn says(&mut self, seat: Seat, text: &str) -> Vec<Answered> {
        self.letters += 1;
        let (raw, place) = self.letter(seat, text, self.letters);
        let letter = Letter::open(&raw, &Limits::ORDINARY);
        let received = self.desk.receive(&raw, &letter, &place, at(self.letters)).expect("the letter is received");
        received.answers
    }
}

/// The lines that were not understood or not allowed, with the reasons.
pub fn refused(answers: &[Answered]) -> Vec<String> {
    let why = |answered: &Answered| match &answered.fate {
        Fate::Refused { why, .. } => Some(format!("{}: {why}", answered.line)),
        _ => None,
    };
    answers.iter().filter_map(why).collect()
}

pub fn at(seconds: u32) -> Stamp {
    let (day, rest) = (1 + seconds / 86_400, seconds % 86_400);
    let (hours, minutes, seconds) = (rest / 3600, rest / 60 % 60, rest % 60);
    Stamp::parse(&format!("2026-12-{day:02}T{hours:02}:{minutes:02}:{seconds:02}Z")).expect("a time")
}
