//! Games of both titles that wait at a given question, and letters that answer it.

#![allow(dead_code, reason = "every test furnishes only what it needs")]

pub mod below;
pub mod variants;

use crate::house::{House, at, charter, fates, field, secrets, table};
use engine::chance::{Chance, Practice};
use engine::game::Game;
use engine::need::Need;
use engine::seat::Seat;
use engine::slot::Faces;
use ground::hash::sha256;
use mail::letter::Letter;
use mail::letter::limits::Limits;
use post::book::outbox::Shelf;
use post::desk::Received;
use post::order::sentences::{self, Form, Said};
use post::order::unread::LineRefusal;
use post::order::vocabulary;
use post::order::wrapped::{self, Extent};
use post::reply::verdict::Doubt;
use record::entry::body::{Auth, Via};
use record::table::Table;
use ringmail::titles;

pub const ANNA: &str = "anna@shire.example";
pub const BORIS: &str = "boris@mordor.example";

/// A game that waits at a question.
pub struct Waiting {
    pub house: House,
    /// The asked player, and the letter that asks him.
    pub player: &'static str,
    pub letter: String,
}

/// The result of a letter.
pub struct Outcome {
    pub received: Received,
    /// The sentences in the log that came from this letter.
    pub said: Vec<String>,
    /// The answer, if one was written.
    pub answer: String,
}

impl Outcome {
    pub fn fates(&self) -> Vec<String> {
        fates(&self.received)
    }

    /// What was played, refused, kept or named, line by line.
    pub fn lines(&self) -> Vec<String> {
        let lines = self.received.answers.iter().map(|answered| answered.line.clone());
        lines.zip(self.fates()).map(|(line, fate)| format!("[{line}] {fate}")).collect()
    }

    pub fn told(&self) -> String {
        self.lines().join(" / ")
    }
}

/// Plays at random until this question is asked for the given time; `steer` may choose another sentence.
pub fn waiting(title: &str, question: &str, steer: impl Fn(&str) -> Option<&'static str>) -> Waiting {
    let folder = tempfile::tempdir().unwrap();
    let charter = charter::of(title, [charter::writer("Anna", ANNA), charter::writer("Boris", BORIS)]);
    let mut table = table::started(&folder.path().join("g7"), &charter, secrets::usual(), at(0), table::nothing);
    let mut chance = Practice::new(4);
    for _ in 0..2_000 {
        let Need::Question(asked) = table.fold().need() else { panic!("the game is over") };
        if asked.id == question {
            break;
        }
        let steered = steer(asked.id).filter(|words| table.read(asked.seat, words).is_ok());
        let words = steered.map_or_else(|| at_random(&table, &mut chance), str::to_owned);
        let via = Via::letter(sha256(words.as_bytes()), table.fold().head().seq, Auth::Token);
        table.say(asked.seat, &words, Some(via), at(1)).unwrap();
    }
    let Need::Question(asked) = table.fold().need() else { panic!("the game is over") };
    assert_eq!(asked.id, question);
    let player = [ANNA, BORIS][asked.seat.index()];
    drop(table);
    let house = House::of(folder, titles::ALL).opens(at(2));
    let letter = house.newest(player);
    Waiting { house, player, letter }
}

fn at_random(table: &Table, chance: &mut dyn Chance) -> String {
    table.fold().game().copy().say_anything(chance, table.fold().faces()).sentence
}

/// A letter tried on a copy of a game, without a desk.
pub struct Tried {
    pub said: Vec<String>,
    pub is_stopped: bool,
    /// Whether something was named as unread.
    pub is_named: bool,
}

/// A game at its question, for many letters.
pub struct Board {
    game: Box<dyn Game>,
    faces: Faces,
    seat: Seat,
}

impl Board {
    /// A practice table at its question.
    pub fn of(table: &engine::practice::Table, seat: Seat) -> Board {
        Board { game: table.game.copy(), faces: table.faces.clone(), seat }
    }

    /// Plays the lines of a letter like a desk: one after the other, up to the first refusal.
    pub fn tries(&self, raw: &[u8]) -> Tried {
        let letter = Letter::open(raw, &Limits::ORDINARY);
        let text = letter.text.expect("it has a text");
        let reading = sentences::read(&text, vocabulary::of_all(titles::ALL), &Limits::ORDINARY)
            .expect("it is within the limits");
        let mut game = self.game.copy();
        let mut tried = Tried { said: Vec::new(), is_stopped: false, is_named: !reading.unread.is_empty() };
        let mut read_to = 0;
        // A desk holds a letter with a line in doubt.
        let is_read = |words: &str| game.read(self.seat, words, &self.faces).is_ok();
        let is_in_doubt = |said: &Said| match said {
            Said::Refused(refused) => matches!(refused.reason, LineRefusal::Doubt(_) | LineRefusal::SetApart),
            Said::Sentence(sentence) => match &sentence.doubt {
                Some(Doubt::Sign(_) | Doubt::Asks) => true,
                Some(_) => sentence.form == Form::Answer && !is_read(&sentence.words),
                None => false,
            },
        };
        if reading.said.iter().any(is_in_doubt) {
            tried.is_stopped = true;
            return tried;
        }
        for said in &reading.said {
            if said.line() <= read_to {
                continue;
            }
            let Said::Sentence(sentence) = said else {
                tried.is_stopped = true;
                break;
            };
            let mut sentence = sentence.clone();
            let is_asked = matches!(game.need(), Need::Question(asked) if asked.seat == self.seat);
            if !is_asked || sentence.form != Form::Answer {
                break;
            }
            let read = |words: &str| game.read(self.seat, words, &self.faces).map(drop);
            let extent = wrapped::extent(&sentence.words, sentence.rest(), read);
            let Extent::Lines(lines) = extent else {
                tried.is_stopped = true;
                break;
            };
            sentence.take_in(lines);
            read_to = sentence.last;
            let played = match sentences::flaw(&sentence.words) {
                None => game.say(self.seat, &sentence.words, &self.faces).ok(),
                Some(_) => None,
            };
            let Some(played) = played else {
                tried.is_stopped = true;
                break;
            };
            tried.said.push(played.sentence);
        }
        tried
    }
}

impl Waiting {
    /// The game alone, for letters that need no desk.
    pub fn board(&self) -> Board {
        let desk = self.house.office.desk("g7").unwrap();
        let fold = desk.table.fold();
        let seat = Seat::at(usize::from(self.player == BORIS));
        Board { game: fold.game().copy(), faces: fold.faces().clone(), seat }
    }

    /// The game as it is, in another folder.
    pub fn copy(&self) -> Waiting {
        Waiting { house: self.house.copy(), player: self.player, letter: self.letter.clone() }
    }

    pub fn other(&self) -> &'static str {
        if self.player == ANNA { BORIS } else { ANNA }
    }

    /// The text of the letter that asks.
    pub fn asking(&self) -> String {
        crate::house::body(&self.letter)
    }

    /// The asked player writes this and waits for the answer, which asks him again.
    pub fn asks_again(&mut self, text: &str) {
        let raw = self.answer("", text);
        let received = self.house.receive(&raw);
        assert!(received.letters.len() == 1, "{:?}", fates(&received));
        self.house.send();
        self.letter = self.house.newest(self.player);
    }

    /// A copy of the game receives a letter.
    pub fn receives(&self, raw: &[u8]) -> Outcome {
        self.receives_second(None, |_| raw.to_vec())
    }

    /// A copy of the game receives a letter, and then another one, which may answer the answer to the first.
    pub fn receives_second(&self, first: Option<&[u8]>, second: impl FnOnce(&str) -> Vec<u8>) -> Outcome {
        let mut house = House { minutes: 20, letters: 0, ..self.house.copy() };
        let receipt = first.map(|first| {
            house.receive(first);
            house.newest(self.player)
        });
        let raw = &second(&receipt.unwrap_or_default());
        let before = house.said().len();
        let received = house.receive(raw);
        let said = house.said().split_off(before);
        let answer = received.letters.first().map_or(String::new(), |name| {
            let desk = house.office.desk("g7").unwrap();
            let shelf = desk.outbox.shelf(name).unwrap().unwrap_or(Shelf::Outbox);
            String::from_utf8(desk.outbox.read(shelf, name).unwrap()).unwrap()
        });
        Outcome { received, said, answer }
    }

    /// The newest letter to the player who is not asked.
    pub fn newest_of_other(&self) -> String {
        self.house.newest(self.other())
    }

    /// The answer of the asked player: `fields` are added to the header, and `text` is the body.
    pub fn answer(&self, fields: &str, text: &str) -> Vec<u8> {
        self.answer_of(self.player, &self.letter, fields, text)
    }

    pub fn answer_of(&self, player: &str, letter: &str, fields: &str, text: &str) -> Vec<u8> {
        format!(
            "From: {player}\r\nTo: {}\r\nSubject: Re: {}\r\nIn-Reply-To: {}\r\nMessage-ID: <{}@mail.example>\r\n\
             {fields}\r\n{}",
            field(letter, "Reply-To"),
            field(letter, "Subject"),
            field(letter, "Message-ID"),
            sha256(text.as_bytes()),
            text.replace('\n', "\r\n"),
        )
        .into_bytes()
    }

    /// Receives plain text as it is.
    pub fn says(&self, text: &str) -> Outcome {
        self.receives(&self.answer("", text))
    }

    /// The other player, who is not asked, answers the newest letter to him.
    pub fn other_says(&self, text: &str) -> Outcome {
        let other = self.other();
        let letter = self.house.newest(other);
        self.receives(&self.answer_of(other, &letter, "", text))
    }
}
