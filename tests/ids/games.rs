//! Games from which logs are made that break a rule: one with deadlines, and one in which everything is signed.

use crate::house::{charter, secrets, table};
use engine::chance::Practice;
use engine::need::Need;
use engine::seat::Seat;
use ground::files::LOG;
use ground::hash::{Hex, sha256};
use ground::span::Span;
use ground::stamp::Stamp;
use record::charter::schedule::{CharterSchedule, CharterSilence};
use record::charter::{Charter, CharterSeat};
use record::commit::signature::{ORDER, SigningKey};
use record::commit::signed::{Part, SignedOn, SignedOrder, SignedSentence};
use record::entry::body::{Auth, Ballot, By, Correcting, Dispute, Silence, Text, Via};
use record::entry::{Body, Entry};
use record::file::secrets::Secrets;
use record::fold::council::Proposal;
use record::table::{Joining, Table};
use ringmail::titles;
use std::fs;
use std::path::Path;

const ANNA: Seat = Seat(1);
const BERT: Seat = Seat(2);

fn at(minutes: u32) -> Stamp {
    let day = 24 + minutes / 1440;
    Stamp::parse(&format!("2026-11-{day:02}T{:02}:{:02}:00Z", minutes / 60 % 24, minutes % 60)).unwrap()
}

fn letter(name: &str, table: &Table, auth: Auth) -> Option<Via> {
    Some(Via::letter(sha256(name.as_bytes()), table.fold().head().seq, auth))
}

fn silence() -> Vec<CharterSilence> {
    let step = |(misses, then)| CharterSilence { misses, then };
    [(1, Silence::Wait), (2, Silence::Default), (3, Silence::Forfeit)].map(step).to_vec()
}

fn log(table: &Table) -> Vec<u8> {
    fs::read(table.drawer().path().join(LOG)).unwrap()
}

/// Anna lets deadlines pass, takes more time, is away and cannot be reached; in the end she has given up.
pub fn timed() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let schedule = CharterSchedule {
        answer: "4h".to_owned(),
        grace: Some("1h".to_owned()),
        remind: vec!["2h".to_owned(), "1h".to_owned()],
        quiet: Some("22:00-06:00".to_owned()),
        holidays: vec!["2026-12-24..2026-12-26".to_owned()],
        silence: silence(),
        extensions: Some(1),
        extension: Some("2h".to_owned()),
        ..CharterSchedule::default()
    };
    let hosted = CharterSeat { host: true, ..charter::player("Bert") };
    let seats = [charter::player("Anna"), hosted];
    let charter = Charter { name: "timed".to_owned(), schedule: Some(schedule), ..charter::of("risk", seats) };
    let mut table = Table::create(folder.path(), &charter, secrets::usual(), at(480), titles::ALL).unwrap();
    table::join(&mut table, at(481), table::named);
    table.set_zone(ANNA, "Europe/Berlin", letter("zone", &table, Auth::Token), at(482)).unwrap();
    table.start(at(483)).unwrap();
    let mut now = 484;
    let by_bert = |table: &mut Table, now: &mut u32| {
        while let Need::Question(question) = table.fold().need()
            && question.seat != ANNA
        {
            table.answer_for(question.seat, By::Bot, at(*now)).unwrap();
            *now += 1;
        }
    };
    by_bert(&mut table, &mut now);
    table.extend(ANNA, Span::hours(1), letter("more", &table, Auth::Token), at(now)).unwrap();
    table.move_deadline(at(now + 600), "she asked by telephone", at(now)).unwrap();
    table.absent(ANNA, "2026-12-24", "2026-12-26", letter("away", &table, Auth::Token), at(now)).unwrap();
    table.unreachable(ANNA, "its mailbox is full", at(now)).unwrap();
    table.reachable(ANNA, at(now + 1)).unwrap();
    let later = Proposal { until: Some(at(now + 660)), ..Proposal::new(Correcting::Deadline, "a little more") };
    table.propose(ANNA, &later, letter("later", &table, Auth::Confirmed), at(now + 2)).unwrap();
    for _ in 0..2 {
        now += 2_000;
        table.lapse(at(now - 600), at(now)).unwrap();
    }
    table.answer_for(ANNA, By::Deadline, at(now)).unwrap();
    by_bert(&mut table, &mut now);
    if table.fold().asked().is_some_and(|question| question.seat == ANNA) {
        now += 2_000;
        table.lapse(at(now - 600), at(now)).unwrap();
        table.concede(ANNA, None, Some(Via::by(By::Deadline)), at(now)).unwrap();
    }
    table.reveal(at(now)).unwrap();
    table.end("nobody had time", at(now)).unwrap();
    log(&table)
}

fn key(seat: Seat) -> SigningKey {
    SigningKey::of_seed(&Hex([seat.0; 32]))
}

/// A letter whose words its seat has signed, on the last record.
fn signed(table: &Table, seat: Seat, part: Part, (number, of): (u32, u32), words: &str, seen: u64) -> Option<Via> {
    let fold = table.fold();
    let on = SignedOn { seq: seen, head: head_of(table, seen) };
    let (game, word, words) = (fold.plan().game, fold.plan().word(seat).to_owned(), words.to_owned());
    let sentence = SignedSentence { game, seat: word, on, part, number, of, words };
    let signature = key(seat).sign(ORDER, sentence.to_string().as_bytes());
    let signed = Some(SignedOrder { sentence, signature }.in_record());
    let raw = sha256(format!("{seat:?} {seen} {part:?}").as_bytes());
    Some(Via { signed, ..Via::letter(raw, seen, Auth::Ssh) })
}

fn head_of(table: &Table, seq: u64) -> ground::hash::Hash {
    let log = String::from_utf8(log(table)).unwrap();
    let records: Vec<&str> = log.split_inclusive("\n...\n").collect();
    sha256(records[usize::try_from(seq).unwrap()].as_bytes())
}

/// A game whose answers are signed, each as line `number` of 3 of its letter.
fn begun(folder: &Path, number: u32) -> Table {
    let seats = [charter::player("Anna"), charter::player("Bert")];
    let charter = Charter { name: "signed".to_owned(), min_auth: Some(Auth::Ssh), ..charter::of("risk", seats) };
    let secrets = Secrets { host_key: Some(sha256(b"host key")), ..secrets::usual() };
    let mut table = Table::create(folder, &charter, secrets, at(480), titles::ALL).unwrap();
    table::join(&mut table, at(481), |seat| Joining { keys: vec![key(seat).public.to_string()], ..table::named(seat) });
    table.start(at(482)).unwrap();
    let mut chance = Practice::new(3);
    for turn in 0..6 {
        let Need::Question(question) = table.fold().need() else { break };
        let said = table.fold().game().copy().say_anything(&mut chance, table.fold().faces()).sentence;
        let seen = table.fold().head().seq;
        let via = signed(&table, question.seat, Part::Line, (number, 3), &said, seen);
        table.say(question.seat, &said, via, at(483 + turn)).unwrap();
    }
    table
}

/// A motion, a vote and a dispute, all signed; returns the record of the motion.
fn agreed(table: &mut Table) -> u64 {
    let seen = table.fold().head().seq;
    let motion = Proposal::new(Correcting::Ruling, "as agreed");
    let via = signed(table, ANNA, Part::Request, (1, 1), "propose ruling: as agreed", seen);
    let moved = table.propose(ANNA, &motion, via, at(490)).unwrap()[0].seq;
    let via = signed(table, BERT, Part::Request, (1, 2), &format!("vote yes {moved}"), moved);
    table.vote(BERT, moved, Ballot::Yes, via, at(491)).unwrap();
    let via = signed(table, BERT, Part::Request, (2, 2), "dispute 3: I never agreed", moved);
    table.dispute(BERT, 3, "I never agreed", via, at(492)).unwrap();
    moved
}

/// Every answer, vote and request is signed, and so is it that another host goes on.
pub fn all_signed() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let mut table = begun(folder.path(), 1);
    let moved = agreed(&mut table);
    let other = SigningKey::of_seed(&Hex([9; 32])).public;
    let via = signed(&table, ANNA, Part::Request, (1, 1), &format!("key {other}"), moved + 2);
    table.announce_keys(ANNA, std::slice::from_ref(&other), via, at(493)).unwrap();
    table.hand_host_over(other, &[], "Anna's brother goes on", &[], at(494)).unwrap();
    log(&table)
}

/// A dispute that its seat has signed under this number.
pub fn signed_amiss(number: (u32, u32)) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let mut table = begun(folder.path(), 1);
    let moved = agreed(&mut table);
    let head = table.fold().head();
    let dispute = Entry {
        seq: head.seq + 1,
        prev: head.hash,
        at: at(493),
        seat: Text::from(table.word(BERT)),
        via: signed(&table, BERT, Part::Request, number, "dispute 4: I never agreed", moved),
        books: Some(sha256(b"books")),
        body: Body::Dispute(Dispute { about: 4, text: Text::from("I never agreed") }),
        outcome: None,
        digest: None,
    };
    [log(&table), dispute.to_text().into_bytes()].concat()
}

/// Each answer is the second line of its letter, and no first one was ever played or left.
pub fn with_a_gap() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let mut table = begun(folder.path(), 2);
    table.reveal(at(490)).unwrap();
    log(&table)
}
