//! Letters as people write them, read at the desk of games of both titles: each class of letters that once went wrong,
//! letters of casual players with their answers, and many variants made by a program.

use crate::house;
use crate::letters_desk::below::with_below;
use crate::letters_desk::variants::{
    CARELESS_BEFORE, CARELESS_BEHIND, CARELESS_SETTINGS, HOSTILE_BEFORE, HOSTILE_BEHIND, HOSTILE_MARKS, SHEET,
    look_alike,
};
use crate::letters_desk::{Board, Waiting, waiting};
use engine::chance::Practice;
use engine::facts::Facts;
use engine::need::Need;
use engine::practice::Table;
use engine::seat::Seat;
use engine::title::{Setup, Title};
use ringmail::titles;
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Class {
    class: String,
    letters: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// A title and one of its questions.
    at: String,
    /// Written by the player who is not asked.
    #[serde(default)]
    by: Option<String>,
    text: String,
    below: String,
    plays: Vec<String>,
    /// Parts of what the answer says.
    #[serde(default)]
    tells: Vec<String>,
    /// What it does not say.
    #[serde(default)]
    not: Vec<String>,
}

/// The games of the classes, each started once.
fn games() -> BTreeMap<&'static str, Waiting> {
    let at = |place: &'static str| {
        let (title, question) = place.split_once(' ').unwrap();
        (place, waiting(title, question, |asked| (asked == "claim").then_some("claim nearest")))
    };
    let risk = waiting("risk", "claim", |_| None);
    let others = ["risk reinforcements", "risk combat", "wotr action"].map(at);
    [("risk claim", risk)].into_iter().chain(others).collect()
}

/// What went wrong with a letter; `None` if all went well.
fn wrong(games: &BTreeMap<&str, Waiting>, case: &Case) -> Option<String> {
    let game = &games[case.at.as_str()];
    let (player, letter) = match case.by {
        None => (game.player, game.letter.clone()),
        Some(_) => (game.other(), game.newest_of_other()),
    };
    let text = with_below(&case.text, &case.below, &house::body(&letter));
    let outcome = game.receives(&game.answer_of(player, &letter, FIELDS, &text));
    let told = outcome.told();
    println!("LETTER {:?} below {} played {:?} told {told}", case.text, case.below, outcome.said);
    let is_right = outcome.said == case.plays
        && case.tells.iter().all(|part| told.contains(part))
        && !case.not.iter().any(|part| told.contains(part));
    (!is_right).then(|| format!("{:?} below {}\n  played {:?}\n  told {told}", case.text, case.below, outcome.said))
}

#[test]
fn every_class_of_letters_is_read_as_it_was_meant() {
    let classes: Vec<Class> = serde_yaml::from_str(include_str!("letters_desk/classes.yaml")).unwrap();
    let games = games();
    let mut failures = Vec::new();
    for class in &classes {
        let wrong: Vec<String> = class.letters.iter().filter_map(|case| wrong(&games, case)).collect();
        println!("{}: {} letters, {} not as they should be", class.class, class.letters.len(), wrong.len());
        failures.extend(wrong.into_iter().map(|wrong| format!("{}: {wrong}", class.class)));
    }
    assert!(failures.is_empty(), "{} letters\n{}", failures.len(), failures.join("\n"));
}

/// A sentence of each of the games, and its canonical words.
const SENTENCES: [(&str, &str); 5] = [
    ("risk claim", "claim angmar"),
    ("risk reinforcements", "place 4 lorien, 3 rhudaur"),
    ("risk combat", "attack borderlands from north-downs with 1"),
    ("risk combat", "end turn"),
    ("wotr action", "character die: move fellowship"),
];

fn plain(text: &str) -> Vec<u8> {
    let head =
        "From: a@b.example\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n";
    format!("{head}{}", text.replace('\n', "\r\n")).into_bytes()
}

fn html(text: &str) -> Vec<u8> {
    let head = "From: a@b.example\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n";
    format!("{head}<html><head>{SHEET}</head><body>{text}</body></html>").into_bytes()
}

fn both(plain: &str, html: &str) -> Vec<u8> {
    let part = |kind: &str, text: &str| {
        format!("--b\r\nContent-Type: text/{kind}; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n{text}\r\n")
    };
    let html = format!("<html><head>{SHEET}</head><body>{html}</body></html>");
    let parts = part("plain", plain) + &part("html", &html);
    format!("From: a@b.example\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n{parts}--b--\r\n").into_bytes()
}

fn boards() -> BTreeMap<&'static str, Board> {
    games().iter().map(|(place, game)| (*place, game.board())).collect()
}

/// The failures among variants, and the number of variants.
#[derive(Default)]
struct Tally {
    count: usize,
    wrong: Vec<String>,
}

impl Tally {
    fn plays(&mut self, board: &Board, raw: &[u8], expected: &[&str], about: &str) {
        self.count += 1;
        let tried = board.tries(raw);
        if tried.said != expected {
            self.wrong.push(format!("{about:?}: played {:?}, stopped: {}", tried.said, tried.is_stopped));
        }
    }

    #[track_caller]
    fn told(self, what: &str, least: usize) {
        println!("{what}: {} letters, {} not as they should be", self.count, self.wrong.len());
        assert!(self.wrong.is_empty(), "{} of {}\n{}", self.wrong.len(), self.count, self.wrong.join("\n"));
        assert!(self.count >= least);
    }
}

#[test]
fn what_a_careless_writer_sends_is_understood() {
    let boards = boards();
    let mut tally = Tally::default();
    for (place, sentence) in SENTENCES {
        let board = &boards[place];
        for before in CARELESS_BEFORE {
            for behind in CARELESS_BEHIND {
                let text = format!("{before}{sentence}{behind}\n");
                tally.plays(board, &plain(&text), &[sentence], &text);
            }
        }
        for (open, close) in CARELESS_SETTINGS {
            for behind in ["", "Thanks!", "Looking forward to it", "Sent from my iPhone"] {
                let text = format!("{open}Hi Boris,{close}{open}{sentence}{close}{open}{behind}{close}");
                tally.plays(board, &html(&text), &[sentence], &text);
                let beside = format!("Hi Boris,\r\n\r\n{sentence}\r\n\r\n{behind}\r\n");
                tally.plays(board, &both(&beside, &text), &[sentence], &text);
            }
        }
        let upper = sentence.to_uppercase();
        let spaced = sentence.replace(' ', "\u{a0} ");
        let bold = format!("*{sentence}*");
        for text in [upper, spaced, bold, sentence.replace('-', "\u{2011}"), format!("\t{sentence}")] {
            tally.plays(board, &plain(&text), &[sentence], &text);
        }
    }
    tally.told("as a careless writer", 1_000);
}

#[test]
fn what_was_not_meant_is_not_played() {
    let boards = boards();
    let mut tally = Tally::default();
    for (place, sentence) in SENTENCES {
        let board = &boards[place];
        for ending in ["\n", "\n\nThanks!\nAnna\n"] {
            for before in HOSTILE_BEFORE {
                let text = format!("{before}{sentence}{ending}");
                tally.plays(board, &plain(&text), &[], &text);
            }
            for behind in HOSTILE_BEHIND {
                let text = format!("{sentence}{behind}{ending}");
                tally.plays(board, &plain(&text), &[], &text);
            }
        }
        // Without the marks it plays.
        let seen = format!("<div>Hello Boris,</div><div>{sentence}</div>");
        tally.plays(board, &html(&seen), &[sentence], &seen);
        for (open, close) in HOSTILE_MARKS {
            let marked = format!("<div>Hello Boris,</div>{open}{sentence}{close}");
            tally.plays(board, &html(&marked), &[], &marked);
            // The plain text beside it shows nothing of the marks.
            tally.plays(board, &both(&format!("Hello Boris,\r\n{sentence}\r\n"), &marked), &[], &marked);
            let shown = format!("<div>{sentence}</div>");
            let quoted = format!("> {sentence}\r\nHello Boris\r\n");
            tally.plays(board, &both(&quoted, &shown), &[], &quoted);
        }
        let alike = look_alike(sentence);
        let turned = format!("\u{202e}{sentence}");
        let struck: String = sentence.chars().flat_map(|c| [c, '\u{336}']).collect();
        for text in
            [alike, turned, struck, format!("~~{sentence}~~"), format!("{}\u{fffd}{}", &sentence[..1], &sentence[1..])]
        {
            tally.plays(board, &plain(&text), &[], &text);
        }
    }
    tally.told("as a hostile one", 700);
}

/// A letter of a casual player.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Casual {
    about: String,
    at: String,
    /// An earlier letter, and what this one answers.
    #[serde(default)]
    first: Option<String>,
    #[serde(default)]
    answers: Option<String>,
    text: String,
    below: String,
    #[serde(default)]
    bottom: String,
    #[serde(default)]
    plays: Vec<String>,
    /// What the answer says of this letter, line by line.
    #[serde(default)]
    answer: Vec<String>,
}

const FIELDS: &str = "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n";

#[test]
fn casual_letters_get_an_answer_that_helps() {
    let letters: Vec<Casual> = serde_yaml::from_str(include_str!("letters_desk/casual.yaml")).unwrap();
    assert_eq!(letters.len(), 10);
    let games = games();
    let mut failures = Vec::new();
    for casual in &letters {
        let game = &games[casual.at.as_str()];
        let text = |letter: &str| with_below(&casual.text, &casual.below, &house::body(letter)) + &casual.bottom;
        let first = casual.first.as_ref().map(|first| game.answer(FIELDS, first));
        let outcome = game.receives_second(first.as_deref(), |receipt| match casual.answers.as_deref() {
            Some("the-receipt") => game.answer_of(game.player, receipt, FIELDS, &text(receipt)),
            _ => game.answer(FIELDS, &text(&game.letter)),
        });
        let lines = outcome.lines();
        if lines != casual.answer || outcome.said != casual.plays {
            let lines: Vec<String> =
                lines.iter().map(|line| format!("    - {}", serde_json::to_string(line).unwrap())).collect();
            failures.push(format!("{}\n  plays: {:?}\n  answer:\n{}", casual.about, outcome.said, lines.join("\n")));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Random play of a title: shows every sentence at its question.
fn played(title: &'static Title, players: usize, sentences: usize, mut look: impl FnMut(&Table, Seat, &str)) {
    let seats = title.seats(players).unwrap().into_iter().map(str::to_owned).collect();
    let setup = Setup { edition: title.editions[0].to_owned(), seats, options: Vec::new() };
    let mut chance = Practice::new(7);
    let mut table = Table::new(title, &setup, &mut chance).unwrap();
    for _ in 0..sentences {
        let Need::Question(question) = table.game.need() else {
            table = Table::new(title, &setup, &mut chance).unwrap();
            continue;
        };
        let said = table.game.copy().say_anything(&mut chance, &table.faces).sentence;
        look(&table, question.seat, &said);
        table.game.say(question.seat, &said, &table.faces).unwrap();
        table.deal(&mut chance);
    }
}

/// Whether two sentences lead to different games. `take 1` and `take 1 hits` do not.
fn leads_elsewhere(table: &Table, seat: Seat, one: &str, other: &str) -> bool {
    let facts = |words: &str| {
        let (mut game, mut facts) = (table.game.copy(), Facts::default());
        game.say(seat, words, &table.faces).unwrap();
        game.facts(&mut facts);
        facts
    };
    facts(one) != facts(other)
}

/// A sentence that its writer or an editor breaks at any blank is played whole or not at all. Returns the number of
/// breaks, and of those played.
fn is_never_cut(title: &'static Title, players: usize) -> (usize, usize) {
    let (mut count, mut whole, mut wrong) = (0, 0, Vec::new());
    played(title, players, 160, |table, seat, said| {
        let board = Board::of(table, seat);
        for (at, _) in said.match_indices(' ') {
            let (above, below) = (&said[..at], &said[at + 1..]);
            let set = format!("<div>{above}</div><div>{below}</div>");
            for raw in [plain(&format!("{above}\n{below}\n")), html(&set)] {
                count += 1;
                let first = board.tries(&raw).said.into_iter().next();
                whole += usize::from(first.as_deref() == Some(said));
                if first.as_ref().is_some_and(|first| first != said && leads_elsewhere(table, seat, first, said)) {
                    wrong.push(format!("{above} / {below}: {first:?}"));
                }
            }
        }
    });
    assert!(wrong.is_empty(), "{} of {count} are cut\n{}", wrong.len(), wrong.join("\n"));
    (count, whole)
}

#[test]
fn p4_no_sentence_plays_cut_wherever_it_is_broken() {
    for (id, players) in [("risk", 3), ("wotr", 2)] {
        let (count, whole) = is_never_cut(titles::ALL.by_id(id).unwrap(), players);
        println!("{id}: {count} sentences broken by hand, {whole} played whole, none cut");
        assert!(count >= 500, "{count}");
    }
}
