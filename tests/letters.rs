/*! The corpus of letters: every `.eml` under `tests/letters/`, beside the `.yaml` with what must be read from it.

Strict: a letter without its expectation, an expectation without its letter, an unknown field, one sentence more or
fewer, another reason: the test fails. `tests/fuzz_smoke.rs` continues from there: whatever the bytes, nothing panics.
*/

use crate::register::TwoGames;
use mail::letter::Letter;
use mail::letter::limits::Limits;
use mail::letter::mailbox::Mailbox;
use mail::letter::text::Source;
use post::names::address::{self, Assurance};
use post::names::returned;
use post::order::request as asked;
use post::order::sentences::{self, Reading, Said, Sentence, Start, Wrapping};
use post::order::vocabulary;
use post::reply::quoting;
use ringmail::titles;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// What must be read from a letter.
#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Expected {
    #[serde(skip_serializing, default)]
    about: String,
    robot: Option<String>,
    astray: Option<String>,
    seat: Option<String>,
    assurance: Option<String>,
    /// The number and the first twelve digits of the head that the writer had seen.
    seen: Option<String>,
    unreadable: Option<String>,
    source: Option<String>,
    parts_unread: Option<usize>,
    #[serde(default)]
    said: Vec<Line>,
    /// The seats named by `BEGIN` lines.
    #[serde(default)]
    blocks: Vec<String>,
    /// The head in the top line of a quoted letter of ours.
    quoted: Option<String>,
    /// Lines that were not read, as `first-last: why`.
    #[serde(default)]
    unread: Vec<String>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(untagged)]
enum Line {
    Sentence(String),
    Other(BTreeMap<String, String>),
}

fn other(kind: &str, text: String) -> Line {
    Line::Other(BTreeMap::from([(kind.to_owned(), text)]))
}

/// The text of a request that other people are to read.
fn text_of(sentence: &Sentence) -> Option<String> {
    let asked = asked::read(&sentence.words, &sentence.original)?.ok()?;
    asked.request.text().map(str::to_owned).or_else(|| sentence.below.clone())
}

fn is_indented_request(sentence: &Sentence) -> bool {
    sentence.start == Start::Indented && asked::find(&sentence.words).is_some()
}

fn line(said: &Said) -> Line {
    match said {
        Said::Sentence(sentence) if is_indented_request(sentence) => other("indented", sentence.words.clone()),
        Said::Sentence(sentence) if text_of(sentence).is_some() && sentence.wrapping == Wrapping::Whole => {
            let asked = asked::read(&sentence.words, &sentence.original).unwrap().unwrap();
            other("request", format!("{}: {}", asked.said, text_of(sentence).unwrap()))
        }
        Said::Sentence(sentence) if sentence.wrapping != Wrapping::Whole => {
            other("perhaps_cut", sentence.words.clone())
        }
        Said::Sentence(sentence) => Line::Sentence(sentence.words.clone()),
        Said::Refused(refused) => other("refused", refused.reason.to_string()),
    }
}

/// The whole way in, as far as it goes without a game.
fn outcome(raw: &[u8]) -> Expected {
    let limits = Limits::ORDINARY;
    let ours = Mailbox::read("box@play.example").unwrap();
    let letter = Letter::open(raw, &limits);
    let route = address::route(&letter.envelope, &ours, &TwoGames);
    let (source, parts_unread, reading) = match &letter.text {
        Err(unreadable) => (None, 0, Err(unreadable.to_string())),
        Ok(text) => {
            let source = match text.source {
                Source::Plain => "plain",
                Source::Html => "html",
            };
            let reading =
                sentences::read(text, vocabulary::of_all(titles::ALL), &limits).map_err(|refusal| refusal.to_string());
            (Some(source.to_owned()), text.parts_unread, reading)
        }
    };
    let Reading { said, unread, blocks, .. } = reading.clone().unwrap_or_default();
    let text = letter.text.as_ref().ok().filter(|_| reading.is_ok());
    let quoted = text.and_then(|text| quoting::tag_of_quoted(&text.lines));
    Expected {
        about: String::new(),
        robot: returned::robot(&letter.envelope, &ours).map(|robot| robot.to_string()),
        astray: route.as_ref().err().map(ToString::to_string),
        seat: route.as_ref().ok().map(|route| route.place.to_string()),
        assurance: route.as_ref().ok().map(|route| match route.assurance {
            Assurance::Address => "address".to_owned(),
            Assurance::Token => "token".to_owned(),
        }),
        seen: route
            .as_ref()
            .ok()
            .and_then(|route| route.seen.as_ref())
            .map(|seen| format!("{} {}", seen.seq, &seen.head[..12])),
        unreadable: reading.as_ref().err().cloned(),
        source: reading.is_ok().then_some(source).flatten(),
        parts_unread: (parts_unread > 0 && reading.is_ok()).then_some(parts_unread),
        said: said.iter().map(line).collect(),
        blocks: blocks.iter().map(ToString::to_string).collect(),
        quoted: quoted.map(|tag| format!("{} {}", tag.seq, tag.head)),
        unread: unread.iter().map(|run| format!("{}-{}: {}", run.first, run.last, run.reason)).collect(),
    }
}

/// All letters of the corpus, by name.
fn corpus() -> BTreeMap<String, Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/letters");
    let mut letters = BTreeMap::new();
    let mut expectations = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("eml") => {
                letters.insert(name, fs::read(&path).unwrap());
            }
            Some("yaml") => expectations.push(name),
            _ => panic!("{} is neither a letter nor an expectation", path.display()),
        }
    }
    expectations.sort();
    assert_eq!(letters.keys().cloned().collect::<Vec<String>>(), expectations, "each letter has its expectation");
    letters
}

#[test]
fn every_letter_gives_what_is_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/letters");
    let letters = corpus();
    assert!(letters.len() >= 170);
    let mut failures = Vec::new();
    for (name, raw) in &letters {
        let written = fs::read_to_string(folder.join(format!("{name}.yaml"))).unwrap();
        let mut expected: Expected = serde_yaml::from_str(&written).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(!std::mem::take(&mut expected.about).is_empty(), "{name} says what it is about");
        let found = outcome(raw);
        if found != expected {
            failures.push(format!("{name}\n  expected {expected:?}\n  found    {found:?}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn p1_fifty_megabytes_are_refused_and_hardly_read() {
    let mut raw = b"From: frodo@shire.example\r\nMessage-ID: <a@b>\r\nTo: box@play.example\r\n\r\n".to_vec();
    raw.resize(50 * 1024 * 1024, b'x');
    let read = mail::wire::intake::read(raw.as_slice(), &Limits::ORDINARY).unwrap();
    assert_eq!(read.len(), Limits::ORDINARY.letter_bytes + 1);
    let letter = Letter::open(&read, &Limits::ORDINARY);
    assert_eq!(letter.envelope.author.unwrap().to_string(), "frodo@shire.example");
    assert_eq!(
        letter.text.unwrap_err().to_string(),
        "the letter is too large: 1048577 bytes in the whole letter, at most 1048576 are read; \
         send plain text without attachments"
    );
}
