//! A game of the small title that has just started, its post office, and its two players.

#![allow(dead_code, reason = "every test furnishes only the rooms it needs")]

use crate::tiny_title::{EDITION, TITLES};
use engine::seat::Seat;
use ground::hash::{Hash, Hex, sha256};
use ground::stamp::Stamp;
use mail::letter::mailbox::Mailbox;
use post::book::outbox::Shelf;
use post::desk::Received;
use post::office::{Handled as Came, Office};
use record::charter::{Charter, CharterOption, CharterSeat};
use record::commit::chain::SeatChain;
use record::entry::body::{Auth, Ballot, Press, Via};
use record::file::secrets::Secrets;
use record::fold::council::Proposal;
use record::table::{Joining, Table};
use report::fate::Fate;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub const GREEN: &str = "gollum@cave.example";
pub const BLACK: &str = "bilbo@shire.example";

pub fn at(minutes: u32) -> Stamp {
    Stamp::parse(&format!("2026-11-24T{:02}:{:02}:00Z", 8 + minutes / 60, minutes % 60)).unwrap()
}

/// A game that has just started, and its post office.
pub struct House {
    pub folder: TempDir,
    pub office: Office,
    pub minutes: u32,
    pub letters: u32,
}

impl House {
    pub fn new() -> House {
        House::started(false)
    }

    /// A game whose seats have codes; the first letters are sent.
    pub fn with_codes() -> House {
        let house = House::started(true);
        house.office.desk("g7").unwrap().report(at(1)).unwrap();
        house.send();
        house
    }

    /// A game whose players may write to one another without their names; the first letters are sent.
    pub fn anonymous() -> House {
        House::founded(secrets(), |charter| charter.press = Some(Press::Anonymous), |_, _| Joining::default())
    }

    /// A game with these secrets, a charter changed by `change`, and what each seat brings to the game with this
    /// first record; the first letters are sent.
    pub fn founded(
        secrets: Secrets,
        change: impl FnOnce(&mut Charter),
        joining: impl Fn(Seat, &Hash) -> Joining,
    ) -> House {
        let folder = tempfile::tempdir().unwrap();
        found(folder.path(), secrets, change, joining);
        let house = House { office: office(folder.path()), folder, minutes: 10, letters: 0 };
        house.office.desk("g7").unwrap().report(at(1)).unwrap();
        house.send();
        house
    }

    pub fn started(has_codes: bool) -> House {
        let folder = tempfile::tempdir().unwrap();
        start(folder.path(), has_codes);
        House { office: office(folder.path()), folder, minutes: 10, letters: 0 }
    }

    /// A copy of the house: what a crash at this moment leaves.
    pub fn copy(&self) -> House {
        let folder = tempfile::tempdir().unwrap();
        copy_all(self.folder.path(), folder.path());
        House { office: office(folder.path()), folder, minutes: self.minutes, letters: self.letters }
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("g7")
    }

    /// The chain of codes of a seat.
    pub fn codes(&self, seat: u8) -> SeatChain {
        codes(&self.genesis(), seat)
    }

    /// The hash of the first record.
    pub fn genesis(&self) -> Hash {
        self.office.desk("g7").unwrap().table.fold().genesis()
    }

    /// A started game with its first letters sent.
    pub fn opened() -> House {
        let house = House::new();
        house.office.desk("g7").unwrap().report(at(1)).unwrap();
        house.send();
        house
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

pub fn office(folder: &Path) -> Office {
    Office::new(folder, &Mailbox::read("box@play.example").unwrap(), TITLES)
}

/// The chain of codes of a seat in the game with this first record.
pub fn codes(genesis: &Hash, seat: u8) -> SeatChain {
    SeatChain::new(genesis, seat, Hex([seat; 20]), 512)
}

/// Secrets that nobody can guess and that are the same in every run.
pub fn secrets() -> Secrets {
    let hash = |what: &str| sha256(what.as_bytes());
    Secrets {
        format: 2,
        game: Hex([7; 16]),
        root: hash("root"),
        host_key: None,
        token_key: hash("token"),
        adopter: None,
        seats: Vec::new(),
        orders: Vec::new(),
        lines: Vec::new(),
        stopped: Vec::new(),
    }
}

pub fn start(folder: &Path, has_codes: bool) {
    let anchor = |seat: Seat, genesis: &Hash| has_codes.then(|| codes(genesis, seat.0).anchor());
    found(folder, secrets(), |_| {}, |seat, genesis| Joining { anchor: anchor(seat, genesis), ..Joining::default() });
}

/// A game with a changed charter. Black is asked first: the charter's words change the dice, so the root is the first
/// one with which the dice fall that way.
pub fn start_as(folder: &Path, change: impl FnOnce(&mut Charter)) {
    let charter = charter(change);
    for number in 0.. {
        let root = sha256(format!("root {number}").as_bytes());
        let table = table(folder, &charter, Secrets { root, ..secrets() }, |_, _| Joining::default());
        if table.fold().waits_for().starts_with("black") {
            return;
        }
        drop(table);
        fs::remove_dir_all(folder.join("g7")).unwrap();
    }
}

/// Like [`start`], with these secrets, a changed charter, and what each seat brings.
pub fn found(
    folder: &Path,
    secrets: Secrets,
    change: impl FnOnce(&mut Charter),
    joining: impl Fn(Seat, &Hash) -> Joining,
) {
    drop(table(folder, &charter(change), secrets, joining));
}

/// The usual charter, changed.
pub fn charter(change: impl FnOnce(&mut Charter)) -> Charter {
    let seat = |player: &str, address: &str| CharterSeat {
        player: player.to_owned(),
        address: Some(address.to_owned()),
        ..CharterSeat::default()
    };
    let mut charter = Charter {
        name: "g7".to_owned(),
        title: "riddles".to_owned(),
        rules: Some(EDITION.to_owned()),
        options: vec![CharterOption { name: "turns".to_owned(), value: "6".to_owned() }],
        seats: vec![seat("Gollum", GREEN), seat("Bilbo", BLACK)],
        ..Charter::default()
    };
    change(&mut charter);
    charter
}

/// The letter with which a seat opens its first code, when both have joined.
fn ready(charter: &Charter) -> Via {
    let auth = if charter.min_auth == Some(Auth::Dkim) { Auth::Dkim } else { Auth::Token };
    Via::letter(sha256(b"ready"), 2, auth)
}

/// A started game of a charter.
fn table(folder: &Path, charter: &Charter, secrets: Secrets, joining: impl Fn(Seat, &Hash) -> Joining) -> Table {
    let game = folder.join("g7");
    fs::create_dir_all(&game).unwrap();
    let mut table = Table::create(&game, charter, secrets, at(0), TITLES).unwrap();
    let genesis = table.fold().genesis();
    for seat in (0..charter.seats.len()).map(Seat::at) {
        let auth = if charter.min_auth == Some(Auth::Dkim) { Auth::Dkim } else { Auth::Token };
        let via = Via::letter(sha256(&[seat.0]), 0, auth);
        table.join(seat, &joining(seat, &genesis), Some(via), at(0)).unwrap();
    }
    for seat in table.fold().not_ready() {
        table.ready(seat, codes(&genesis, seat.0).code(1).unwrap(), Some(ready(charter)), at(0)).unwrap();
    }
    table.start(at(0)).unwrap();
    table
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
        table.vote(*seat, motion, Ballot::Yes, None, via(*seat), at).unwrap();
    }
    assert_eq!(table.fold().council().motion(motion), None, "it was carried and done");
}
