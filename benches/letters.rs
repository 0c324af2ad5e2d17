/*! Letters in: bytes to sentences, and a letter played from its bytes to the bytes of its answers; letters out: over
SMTP to a server on the loopback address.
Run with `cargo bench --bench letters`. */

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use engine::chance::Practice;
use engine::need::Need;
use engine::seat::Seat;
use ground::hash::{Hex, sha256};
use ground::stamp::Stamp;
use mail::letter::Letter;
use mail::letter::limits::Limits;
use mail::letter::mailbox::Mailbox;
use mail::wire::carrier::{Carrier, Cover};
use mail::wire::server::{Account, Address, Protection};
use mail::wire::smtp::Smtp;
use post::book::outbox::Shelf;
use post::office::{Handled as Fate, Office};
use post::order::sentences;
use post::order::vocabulary;
use record::charter::{Charter, CharterSeat};
use record::file::secrets::Secrets;
use record::table::{Joining, Table};
use ringmail::titles;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use tempfile::TempDir;

fn main() {
    divan::main();
}

fn letter(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/letters").join(name)).expect("a letter of the corpus")
}

fn sentences(raw: &[u8]) -> usize {
    let letter = Letter::open(raw, &Limits::ORDINARY);
    let text = letter.text.expect("the letter has a text");
    sentences::read(&text, vocabulary::of_all(titles::ALL), &Limits::ORDINARY)
        .expect("the letter is within limits")
        .said
        .len()
}

/// One letter of each kind, as a player sends it, and one that is mostly our own letter, quoted.
#[divan::bench(args = [
    "gmail-top-posted.eml",
    "outlook-windows-html-only.eml",
    "thunderbird-flowed.eml",
    "client-mutt-top-posted.eml",
    "client-s-nail-base64.eml",
])]
fn open_and_read(bencher: Bencher<'_, '_>, name: &str) {
    let raw = letter(name);
    bencher.counter(BytesCount::of_slice(&raw)).bench(|| sentences(divan::black_box(&raw)));
}

/// A long thread: one sentence above half a megabyte of quotations.
#[divan::bench]
fn long_thread(bencher: Bencher<'_, '_>) {
    let mut raw =
        b"From: frodo@shire.example\r\nTo: box@play.example\r\n\r\npass\r\n\r\nOn 20 Nov 2026, Ringmail wrote:\r\n"
            .to_vec();
    for _ in 0..8_000 {
        raw.extend_from_slice(b"> You may say: attack mordor from gondor with as many as you like\r\n");
    }
    bencher.counter(BytesCount::of_slice(&raw)).bench(|| sentences(divan::black_box(&raw)));
}

/// The same as half a megabyte of HTML, quoted only by the elements around it.
#[divan::bench]
fn long_html(bencher: Bencher<'_, '_>) {
    let mut raw =
        b"From: frodo@shire.example\r\nTo: box@play.example\r\nContent-Type: text/html\r\n\r\n<div>pass</div>\r\n"
            .to_vec();
    raw.extend_from_slice(b"<blockquote type=\"cite\">");
    for _ in 0..7_000 {
        raw.extend_from_slice(b"<div dir=\"auto\">You may say: <b>attack&nbsp;mordor</b> from gondor</div>\r\n");
    }
    bencher.counter(BytesCount::of_slice(&raw)).bench(|| sentences(divan::black_box(&raw)));
}

/// The whole corpus, letter by letter, including the faulty ones.
#[divan::bench]
fn corpus(bencher: Bencher<'_, '_>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/letters");
    let paths = fs::read_dir(folder).expect("the corpus").flatten().map(|entry| entry.path());
    let letters: Vec<Vec<u8>> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "eml"))
        .map(|path| fs::read(path).expect("a letter"))
        .collect();
    let bytes: usize = letters.iter().map(Vec::len).sum();
    bencher.counter(BytesCount::new(bytes)).bench(|| {
        letters.iter().map(|raw| Letter::open(divan::black_box(raw), &Limits::ORDINARY)).fold(0, |said, letter| {
            let reading =
                letter.text.map(|text| sentences::read(&text, vocabulary::of_all(titles::ALL), &Limits::ORDINARY));
            said + reading.map_or(0, |reading| reading.map_or(0, |reading| reading.said.len()))
        })
    });
}

/// A server that accepts everything: it answers every line except those of letters.
fn sink() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut out = stream.try_clone().expect("a second handle");
            out.write_all(b"220 sink\r\n").expect("a client");
            let mut in_letter = false;
            for line in BufReader::new(stream).lines().map_while(Result::ok) {
                let reply: &[u8] = match (in_letter, line.as_str()) {
                    (true, ".") => b"250 ok\r\n",
                    (true, _) => continue,
                    (false, "DATA") => b"354 go on\r\n",
                    (false, _) => b"250 ok\r\n",
                };
                in_letter = line == "DATA" || (in_letter && line != ".");
                if out.write_all(reply).is_err() {
                    break;
                }
            }
        }
    });
    port
}

/// A hundred letters of 4 KiB over one connection.
#[divan::bench]
fn hundred_letters_over_smtp(bencher: Bencher<'_, '_>) {
    let server = Address { user: None, host: "127.0.0.1".to_owned(), port: sink(), protection: Protection::None };
    let account = Account { server, login: None, trusted: None };
    let mut letter = b"From: <box@play.example>\r\nTo: <frodo@shire.example>\r\n\r\n".to_vec();
    letter.extend_from_slice(&b"The Dark Lord waits.\r\n".repeat(190));
    let cover = Cover::of(&letter).expect("a letter of ours");
    let mut smtp = Smtp::new(account, "play.example");
    bencher.counter(ItemsCount::new(100_usize)).bench_local(|| {
        for _ in 0..100 {
            smtp.carry("letter", &cover, &letter).expect("the sink takes everything");
        }
    });
}

fn stamp(seconds: usize) -> Stamp {
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    Stamp::parse(&format!("2026-11-24T{hours:02}:{minutes:02}:{seconds:02}Z")).expect("a time of the day")
}

/// A game of Risk for three after `answers` answers, with all its letters sent, and a letter that answers the next
/// question. Its log also has `refused` refused letters.
fn game(answers: usize, refused: usize) -> (TempDir, Vec<u8>) {
    let folder = tempfile::tempdir().expect("a folder");
    let game = folder.path().join("g7");
    fs::create_dir_all(&game).expect("a folder");
    let seat = |player: &str| CharterSeat {
        player: player.to_owned(),
        address: Some(format!("{player}@shire.example")),
        ..CharterSeat::default()
    };
    let charter = Charter {
        name: "g7".to_owned(),
        title: "risk".to_owned(),
        seats: ["frodo", "sam", "merry"].into_iter().map(seat).collect(),
        ..Charter::default()
    };
    // The same secrets every time make the same game: another game would ask for more letters, or fewer.
    let secrets = Secrets {
        game: Hex([7; 16]),
        root: sha256(b"root"),
        host_key: Some(sha256(b"host key")),
        token_key: sha256(b"tokens"),
        adopter: None,
        ..Secrets::random().expect("random bytes")
    };
    let mut table = Table::create(&game, &charter, secrets, stamp(0), titles::ALL).expect("a new game");
    for index in 0..3 {
        table.join(Seat::at(index), &Joining::default(), Some(joins()), stamp(0)).expect("a seat joins");
    }
    table.start(stamp(0)).expect("everybody has joined");
    let mut chance = Practice::new(7);
    let mut said = String::new();
    for second in 0..=answers {
        let Need::Question(question) = table.fold().game().need() else { break };
        let mut copy = table.fold().game().copy();
        said = copy.say_anything(&mut chance, table.fold().faces()).sentence;
        if second < answers {
            table.say(question.seat, &said, None, stamp(second)).expect("what is offered is accepted");
        }
    }
    for _ in 0..refused {
        table.hear(Seat::at(0), Some(joins()), stamp(answers)).expect("it is noted");
    }
    let Need::Question(question) = table.fold().game().need() else { panic!("the game is over") };
    let player = ["frodo", "sam", "merry"][question.seat.index()];
    drop(table);
    let mut desk = office(folder.path()).desk("g7").expect("a desk");
    for name in desk.report(stamp(answers)).expect("letters") {
        desk.outbox.file(&name, Shelf::Outbox, Shelf::Sent).expect("a letter sent");
    }
    let to = format!("{player}@shire.example");
    let word = desk.table.word(question.seat);
    let (out, _) = desk.book.letters_to(&word).next_back().expect("a letter to the asked seat");
    let letter = desk.outbox.read(Shelf::Sent, &out.letter).expect("its bytes");
    let message = String::from_utf8(letter).expect("7-bit");
    let field =
        |name: &str| message.lines().find_map(|line| line.strip_prefix(name)).expect("a field").trim().to_owned();
    let raw = format!(
        "From: {to}\r\nTo: {}\r\nIn-Reply-To: <{}>\r\nMessage-ID: <1@mail.example>\r\n\r\n{said}\r\n",
        field("Reply-To:"),
        out.letter.trim_end_matches(".eml"),
    );
    (folder, raw.into_bytes())
}

fn office(folder: &Path) -> Office {
    Office::new(folder, &Mailbox::read("box@play.example").expect("an address"), titles::ALL)
}

/// Copies a game and syncs the copy: otherwise the first sync of a log would have to write the whole copy.
fn copy_all(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_all(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), &target).expect("a copy");
            File::open(target).and_then(|copy| copy.sync_all()).expect("the copy is on the disk");
        }
    }
}

fn copied(folder: &TempDir) -> TempDir {
    let copy = tempfile::tempdir().expect("a folder");
    copy_all(folder.path(), copy.path());
    copy
}

fn is_answered(fate: &Fate) -> bool {
    matches!(fate, Fate::Desk { received, .. } if !received.letters.is_empty())
}

/// From the bytes of a letter to all letters that follow, everything synced: opens and folds the log, and plays the
/// letter. With `TMPDIR` in memory, where a sync costs nothing, the difference is the time for the disk.
#[divan::bench(args = [10, 100, 200], sample_count = 20)]
fn letter_played(bencher: Bencher<'_, '_>, answers: usize) {
    let (folder, raw) = game(answers, 0);
    bencher.counter(ItemsCount::new(1_usize)).with_inputs(|| copied(&folder)).bench_values(|copy| {
        let fate = office(copy.path()).receive(&raw, stamp(3600 * 23)).expect("the letter is received");
        assert!(is_answered(&fate), "{fate:?}");
        copy
    });
}

/// The same at a desk that is already open, as for every letter of a run except the first.
#[divan::bench(args = [(10, 0), (200, 0), (200, 2_000), (200, 20_000)], sample_count = 20, sample_size = 1)]
fn letter_played_at_an_open_desk(bencher: Bencher<'_, '_>, (answers, refused): (usize, usize)) {
    let (folder, raw) = game(answers, refused);
    let first = String::from_utf8(raw.clone()).expect("a letter of ours");
    let (header, _) = first.split_once("\r\n\r\n").expect("a header");
    let first = format!("{}\r\n\r\nstanding\r\n", header.replace("<1@", "<0@"));
    let open = || {
        let copy = copied(&folder);
        let office: &'static Office = Box::leak(Box::new(office(copy.path())));
        let mut sitting = office.sit();
        sitting.receive(first.as_bytes(), stamp(3600 * 23)).expect("the letter is received");
        (copy, sitting)
    };
    bencher.counter(ItemsCount::new(1_usize)).with_inputs(open).bench_values(|(copy, mut sitting)| {
        let fate = sitting.receive(&raw, stamp(3600 * 23)).expect("the letter is received");
        assert!(is_answered(&fate), "{fate:?}");
        (copy, sitting)
    });
}

/// The letter by which a seat joins.
fn joins() -> record::entry::body::Via {
    use record::entry::body::{Auth, Via};
    Via::letter(ground::hash::Hash::ZERO, 0, Auth::Token)
}
