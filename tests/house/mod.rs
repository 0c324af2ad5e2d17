//! A game that has just started, its post office, and its players: mostly of the small title, with two.

#![allow(dead_code, reason = "every test furnishes only the rooms it needs")]

pub mod charter;
pub mod secrets;
pub mod table;

use crate::tiny_title::TITLES;
use engine::seat::Seat;
use engine::title::Titles;
use ground::hash::{Hash, sha256};
use ground::span::Span;
use ground::stamp::Stamp;
use mail::letter::mailbox::Mailbox;
use post::book::outbox::Shelf;
use post::desk::Received;
use post::office::{Handled as Came, Office};
use record::charter::Charter;
use record::entry::body::{Auth, Ballot, Press, Via};
use record::file::secrets::Secrets;
use record::fold::council::Proposal;
use record::table::{Joining, Table};
use report::fate::Fate;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use table::{nothing, started};
use tempfile::TempDir;

pub const GREEN: &str = "gollum@cave.example";
pub const BLACK: &str = "bilbo@shire.example";

pub fn at(minutes: u32) -> Stamp {
    Stamp::parse("2026-11-24T08:00:00Z").unwrap().later(Span::of(i64::from(minutes) * 60))
}

/// A game that has just started, and its post office.
pub struct House {
    pub folder: TempDir,
    pub office: Office,
    pub titles: Titles,
    pub minutes: u32,
    pub letters: u32,
}

impl House {
    /// The post office of the game in a folder.
    pub fn of(folder: TempDir, titles: Titles) -> House {
        House { office: office_of(folder.path(), titles), folder, titles, minutes: 10, letters: 0 }
    }

    pub fn new() -> House {
        House::with(&charter::riddles(), secrets::usual(), nothing)
    }

    /// A started game with its first letters sent.
    pub fn opened() -> House {
        House::new().opens(at(1))
    }

    /// A game whose players may write to one another without their names; the first letters are sent.
    pub fn anonymous() -> House {
        let charter = Charter { press: Some(Press::Anonymous), ..charter::riddles() };
        House::founded(&charter, secrets::usual(), nothing)
    }

    /// A game with this charter and these secrets, and with what each seat brings to the game with this first record;
    /// the first letters are sent.
    pub fn founded(charter: &Charter, secrets: Secrets, joining: impl Fn(Seat) -> Joining) -> House {
        House::with(charter, secrets, joining).opens(at(1))
    }

    fn with(charter: &Charter, secrets: Secrets, joining: impl Fn(Seat) -> Joining) -> House {
        let folder = tempfile::tempdir().unwrap();
        drop(started(&folder.path().join("g7"), charter, secrets, at(0), joining));
        House::of(folder, TITLES)
    }

    /// A game of a changed charter; Black is asked first.
    pub fn changed(change: impl FnOnce(&mut Charter)) -> House {
        let folder = tempfile::tempdir().unwrap();
        start_as(folder.path(), change);
        House::of(folder, TITLES)
    }

    /// The letters that are due are written and sent.
    pub fn opens(self, at: Stamp) -> House {
        self.office.desk("g7").unwrap().report(at).unwrap();
        self.send();
        self
    }

    /// A copy of the house: what a crash at this moment leaves.
    pub fn copy(&self) -> House {
        let folder = tempfile::tempdir().unwrap();
        copy_all(self.folder.path(), folder.path());
        House { minutes: self.minutes, letters: self.letters, ..House::of(folder, self.titles) }
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("g7")
    }

    /// The hash of the first record.
    pub fn genesis(&self) -> Hash {
        self.office.desk("g7").unwrap().table.fold().genesis()
    }

    pub fn send(&self) {
        let desk = self.office.desk("g7").unwrap();
        for name in desk.outbox.waiting().unwrap() {
            desk.outbox.file(&name, Shelf::Outbox, Shelf::Sent).unwrap();
        }
    }

    /// The newest letter to a player.
    pub fn newest(&self, player: &str) -> String {
        let desk = self.office.desk("g7").unwrap();
        let name = desk.book.letters_out().rev().find(|out| out.to == player).unwrap().letter.clone();
        let shelf = desk.outbox.shelf(&name).unwrap().unwrap();
        String::from_utf8(desk.outbox.read(shelf, &name).unwrap()).unwrap()
    }

    /// A player's answer to the newest letter he got.
    pub fn answer_to(&mut self, letter: &str, player: &str, text: &str) -> Vec<u8> {
        self.letters += 1;
        format!(
            "From: {player}\r\nTo: {}\r\nSubject: Re: {}\r\nIn-Reply-To: {}\r\n\
             Message-ID: <{}@mail.example>\r\n\r\n{text}",
            field(letter, "Reply-To"),
            field(letter, "Subject"),
            field(letter, "Message-ID"),
            self.letters,
        )
        .into_bytes()
    }

    pub fn says(&mut self, player: &str, text: &str) -> Received {
        let letter = self.newest(player);
        let raw = self.answer_to(&letter, player, text);
        self.receive(&raw)
    }

    pub fn receive(&mut self, raw: &[u8]) -> Received {
        self.minutes += 1;
        match self.office.receive(raw, at(self.minutes)).unwrap() {
            Came::Desk { received, .. } => received,
            other => panic!("not at the desk: {other:?}"),
        }
    }

    /// The address of the asked player, and the question.
    pub fn asked(&self) -> (&'static str, String) {
        let waits = self.office.desk("g7").unwrap().table.fold().waits_for();
        (if waits.starts_with("green") { GREEN } else { BLACK }, waits)
    }

    pub fn other(&self) -> &'static str {
        if self.asked().0 == GREEN { BLACK } else { GREEN }
    }

    pub fn log(&self) -> String {
        fs::read_to_string(self.path().join("log.yaml")).unwrap()
    }

    pub fn said(&self) -> Vec<String> {
        let log = self.log();
        log.lines()
            .filter_map(|line| line.strip_prefix("said: "))
            .map(|said| said.trim_matches('"').to_owned())
            .collect()
    }
}

/// The post office of the small title.
pub fn office(folder: &Path) -> Office {
    office_of(folder, TITLES)
}

fn office_of(folder: &Path, titles: Titles) -> Office {
    Office::new(folder, &Mailbox::read("box@play.example").unwrap(), titles)
}

/// A game with a changed charter. Black is asked first: the charter's words change the dice, so the root is the first
/// one with which the dice fall that way.
pub fn start_as(folder: &Path, change: impl FnOnce(&mut Charter)) {
    let (mut charter, game) = (charter::riddles(), folder.join("g7"));
    change(&mut charter);
    for number in 0.. {
        let root = sha256(format!("root {number}").as_bytes());
        let table = started(&game, &charter, Secrets { root, ..secrets::usual() }, at(0), nothing);
        if table.fold().waits_for().starts_with("black") {
            return;
        }
        drop(table);
        fs::remove_dir_all(&game).unwrap();
    }
}

pub fn copy_all(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_all(&entry.path(), &target)
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// The same records with the chain hashed anew.
pub fn rehashed(log: &str) -> String {
    let mut prev = Hash::ZERO;
    let mut whole = String::new();
    for record in log.split_inclusive("\n...\n") {
        let line = record.lines().nth(2).unwrap();
        let record = record.replacen(line, &format!("prev: \"{prev}\""), 1);
        prev = sha256(record.as_bytes());
        whole.push_str(&record);
    }
    whole
}

/// All files of a folder, by path.
pub fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
    found
}

/// A field of a letter, unfolded and decoded.
pub fn field(letter: &str, name: &str) -> String {
    let message = mail_parser::MessageParser::default().parse(letter.as_bytes()).unwrap();
    match name {
        "Subject" => message.subject().unwrap().to_owned(),
        _ => message.header_raw(name).unwrap().trim().to_owned(),
    }
}

pub fn body(letter: &str) -> String {
    let message = mail_parser::MessageParser::default().parse(letter.as_bytes()).unwrap();
    message.body_text(0).unwrap().replace("\r\n", "\n")
}

pub fn fates(received: &Received) -> Vec<String> {
    let fate = |fate: &Fate| match fate {
        Fate::Done { said, seq } => format!("done {said} {}", seq.map_or("-".to_owned(), |seq| format!("#{seq}"))),
        Fate::Kept { .. } => "kept".to_owned(),
        Fate::Refused { why, .. } => format!("refused {why}"),
        Fate::Ignored { why } => format!("ignored {why}"),
        Fate::Noted { how } => format!("noted {how}"),
    };
    received.answers.iter().map(|answered| fate(&answered.fate)).collect()
}

/// A motion that all seats of a table agree to, by letters with a confirmed line.
pub fn agree(table: &mut Table, proposal: &Proposal, at: Stamp) {
    let seen = table.fold().head().seq;
    let via = |seat: Seat| Some(Via::letter(sha256(&[seat.0]), seen, Auth::Confirmed));
    let voters = table.fold().voters(proposal.what, proposal.of, Seat(1));
    let motion = table.propose(voters[0], proposal, via(voters[0]), at).unwrap()[0].seq;
    for seat in &voters[1..] {
        table.vote(*seat, motion, Ballot::Yes, via(*seat), at).unwrap();
    }
    assert_eq!(table.fold().council().motion(motion), None, "it was carried and done");
}
