/*! Reads what follows the word of a request: one function for each kind of arguments.

A parser returns the request, and its arguments as the answer repeats them, without the text that is put on record. An
error is in words for the player; the program decides nothing by them.
*/

use super::super::settings::Change;
use super::{Press, Proposed, Request, Sender, tidy};
use ground::span::Span;
use ground::zone::Zone;
use mail::letter::mailbox::Mailbox;
use record::charter::calendar::date;
use record::commit::signature::PublicKey;
use record::entry::body::{Ballot, Correcting};

/// A request and its arguments, or what is wrong with them.
pub(super) type Parsed = Result<(Request, String), String>;

/// A line whose request is known.
pub struct Line<'a> {
    word: &'static str,
    /// What stands behind the word, as it is read.
    behind: &'a str,
    original: &'a str,
    /// The entry of the log that the arguments name.
    pub(super) entry: Option<u64>,
}

impl<'a> Line<'a> {
    pub(super) fn new(word: &'static str, words: &'a str, original: &'a str) -> Line<'a> {
        let behind =
            words.split_once([' ', ':']).map_or("", |(_, behind)| behind.trim_start_matches([':', ' ']).trim());
        Line { word, behind, original, entry: None }
    }

    /// A request without arguments.
    pub(super) fn alone(&self, request: Request) -> Parsed {
        match self.behind {
            "" => Ok((request, String::new())),
            behind => Err(format!("`{}` takes no arguments; found `{behind}`", self.word)),
        }
    }

    /// At most `most` numbers, however they are separated: `3 9`, `3-9`, `#3 to #9`. The first names an entry.
    fn entries(&mut self, most: usize) -> Result<Vec<u64>, String> {
        let words = self.behind.split([' ', '-', ',']).filter(|word| !matches!(*word, "" | "from" | "to"));
        let numbers = words.map(number).collect::<Result<Vec<u64>, String>>()?;
        self.entry = numbers.first().copied();
        match numbers.get(most) {
            None => Ok(numbers),
            Some(more) => Err(format!("`{more}` is one number too many")),
        }
    }

    fn entry(&mut self, word: &str) -> Result<u64, String> {
        let entry = number(word)?;
        self.entry = Some(entry);
        Ok(entry)
    }

    /// The text behind the first `words` words of the line, as it was written.
    pub(super) fn text(&self, words: usize) -> Result<String, String> {
        let mut rest = self.original.trim();
        for _ in 0..words {
            rest = rest.split_once([' ', '\t', '\u{a0}', ':']).map_or("", |(_, rest)| rest.trim_start());
        }
        match tidy(rest.trim_start_matches([':', '\u{ff1a}'])) {
            text if text.is_empty() => Err("the text is missing".to_owned()),
            text => Ok(text),
        }
    }

    /// The text behind the first colon, as it was written.
    fn text_behind_colon(&self) -> Option<String> {
        let (_, text) = self.original.split_once([':', '\u{ff1a}'])?;
        Some(tidy(text)).filter(|text| !text.is_empty())
    }
}

fn number(word: &str) -> Result<u64, String> {
    let digits = word.trim_start_matches('#').trim_end_matches('?');
    let number = digits.parse().ok().filter(|_| digits.len() <= 15);
    number.ok_or_else(|| format!("`{word}` is not the number of an entry"))
}

/// Numbers as the answer repeats them.
fn listed(numbers: &[u64]) -> String {
    numbers.iter().map(u64::to_string).collect::<Vec<String>>().join(" ")
}

pub(super) fn help(line: &mut Line<'_>) -> Parsed {
    let topic = line.behind.trim_end_matches(['?', '!', '.']).trim();
    // `help me please` asks for all of it.
    let is_asked = topic.split([' ', ',']).any(|word| !matches!(word, "" | "me" | "us" | "please"));
    let topic = is_asked.then(|| topic.to_owned());
    let said = topic.clone().unwrap_or_default();
    Ok((Request::Help { topic }, said))
}

/// A request to show something that is no subject: the number of an entry, which is explained.
pub(super) fn show(line: &mut Line<'_>) -> Parsed {
    match line.behind {
        "" => Err("it does not say what".to_owned()),
        behind if number(behind).is_ok() => why(line).map(|(request, seq)| (request, format!("why {seq}"))),
        behind => Err(format!("`{behind}` cannot be shown")),
    }
}

pub(super) fn map(line: &mut Line<'_>) -> Parsed {
    let around = line.behind.trim_matches(['?', '!', '.', ' ']);
    if around.starts_with(|first: char| first.is_alphabetic()) {
        return Ok((Request::Map { at: None, around: Some(around.to_owned()) }, around.to_owned()));
    }
    let entries = line.entries(1)?;
    Ok((Request::Map { at: entries.first().copied(), around: None }, listed(&entries)))
}

pub(super) fn history(line: &mut Line<'_>) -> Parsed {
    let entries = line.entries(2)?;
    Ok((Request::History { from: entries.first().copied(), to: entries.get(1).copied() }, listed(&entries)))
}

pub(super) fn why(line: &mut Line<'_>) -> Parsed {
    match line.entries(1)?.first() {
        Some(seq) => Ok((Request::Why { seq: *seq }, seq.to_string())),
        None => Err("the number of the entry is missing".to_owned()),
    }
}

pub(super) fn rule(line: &mut Line<'_>) -> Parsed {
    // Without arguments it asks for the rules that the charter sets.
    let asked = line.behind.trim_end_matches(['?', '!']).trim().to_owned();
    Ok((Request::Rule { asked: asked.clone() }, asked))
}

pub(super) fn press(line: &mut Line<'_>) -> Parsed {
    let (to, text) = match line.behind.split_once(':') {
        // If there is nothing behind the colon, the text is in the lines below.
        Some((to, _)) => (to, line.text_behind_colon()),
        None => (line.behind, None),
    };
    let to = to.trim().trim_start_matches("to ");
    let anonymous = ["anonymous ", "anonymously ", "grey "].into_iter().find_map(|word| to.strip_prefix(word));
    let sender = if anonymous.is_some() { Sender::Anonymous } else { Sender::Named };
    let to = anonymous.unwrap_or(to).trim_start_matches("to ");
    let words = to.split([' ', ',']).filter(|word| !matches!(*word, "" | "and"));
    let mut to: Vec<String> = words.map(str::to_owned).collect();
    match to.as_slice() {
        [] => return Err("it does not say to whom".to_owned()),
        [all] if matches!(all.as_str(), "all" | "everybody" | "everyone") => to.clear(),
        _ => {}
    }
    let named = if to.is_empty() { "all".to_owned() } else { to.join(", ") };
    let said = if sender == Sender::Anonymous { format!("anonymous {named}") } else { named };
    Ok((Request::Press(Press { to, sender, text }), said))
}

pub(super) fn propose(line: &mut Line<'_>) -> Parsed {
    let aim = line.behind.split(':').next().unwrap_or("").trim();
    let (first, rest) = aim.split_once(' ').unwrap_or((aim, ""));
    let rest = rest.trim_start_matches("of ").trim_start_matches("to ").trim_start_matches("by ").trim();
    let text = line.text_behind_colon();
    let plain = |what| Proposed { what, to: None, of: None, key: None, rules: None, until: None, text: text.clone() };
    let named = |what: &str| match rest {
        "" => Err(format!("{what} is missing")),
        rest => Ok(Some(rest.to_owned())),
    };
    let (proposed, said) = match first {
        "draw" => (plain(Correcting::Draw), "draw".to_owned()),
        "pause" => (plain(Correcting::Pause), "pause".to_owned()),
        "resume" => (plain(Correcting::Resume), "resume".to_owned()),
        "ruling" | "correction" => (plain(Correcting::Ruling), "ruling".to_owned()),
        "deadline" | "time" => {
            (Proposed { until: named("the time")?, ..plain(Correcting::Deadline) }, format!("deadline {rest}"))
        }
        "undo" => {
            let to = line.entry(rest)?;
            (Proposed { to: Some(to), ..plain(Correcting::Undo) }, format!("undo to {to}"))
        }
        "replacement" | "replace" => {
            (Proposed { of: named("the seat")?, ..plain(Correcting::Seat) }, format!("replacement of {rest}"))
        }
        "key" => {
            let key = written_key(&line.text(2)?)?;
            (Proposed { key: Some(key), ..plain(Correcting::Key) }, format!("key {key}"))
        }
        "rules" => (Proposed { rules: named("the edition")?, ..plain(Correcting::Rules) }, format!("rules {rest}")),
        "" => return Err("it does not say what".to_owned()),
        other => return Err(format!("`{other}` cannot be proposed")),
    };
    let is_alone = matches!(proposed.what, Correcting::Draw | Correcting::Pause | Correcting::Resume);
    if (is_alone || proposed.what == Correcting::Ruling) && !rest.is_empty() {
        return Err(format!("`{rest}` needs a colon before it"));
    }
    if proposed.what == Correcting::Ruling && proposed.text.is_none() {
        return Err("the text is missing".to_owned());
    }
    Ok((Request::Propose(proposed), said))
}

pub(super) fn vote(line: &mut Line<'_>) -> Parsed {
    let (mut says, mut motion) = (None, None);
    for word in line.behind.split(' ').filter(|word| !matches!(*word, "" | "on")) {
        match word {
            "yes" | "aye" | "agree" | "ja" | "oui" if says.is_none() => says = Some(Ballot::Yes),
            "no" | "nay" | "nein" | "non" if says.is_none() => says = Some(Ballot::No),
            number if motion.is_none() => motion = Some(line.entry(number)?),
            other => return Err(format!("`{other}` is one word too many")),
        }
    }
    let says = says.ok_or("it says neither yes nor no")?;
    Ok((Request::Vote { motion, says }, vote_said(says, motion)))
}

/// A vote as the answer repeats it, without its first word.
pub fn vote_said(says: Ballot, motion: Option<u64>) -> String {
    motion.map_or_else(|| says.word().to_owned(), |motion| format!("{} {motion}", says.word()))
}

pub(super) fn concede(line: &mut Line<'_>) -> Parsed {
    let text = line.text_behind_colon().filter(|_| !line.behind.is_empty());
    match (line.behind, text) {
        ("", _) => Ok((Request::Concede { text: None }, String::new())),
        (_, text @ Some(_)) => Ok((Request::Concede { text }, String::new())),
        (behind, None) => Err(format!("`{behind}` needs a colon before it")),
    }
}

pub(super) fn dispute(line: &mut Line<'_>) -> Parsed {
    let (number, _) = line.behind.split_once([' ', ':']).unwrap_or((line.behind, ""));
    let about = line.entry(number)?;
    Ok((Request::Dispute { about, text: line.text(2)? }, about.to_string()))
}

pub(super) fn consent(line: &mut Line<'_>) -> Parsed {
    Ok((Request::Consent { words: line.text(1)? }, String::new()))
}

pub(super) fn delegate(line: &mut Line<'_>) -> Parsed {
    let behind = line.text(1)?;
    let behind = behind.strip_prefix("to ").unwrap_or(&behind).trim();
    let (to, name) = behind.split_once(' ').unwrap_or((behind, ""));
    let name = name.trim_matches(['(', ')', '"', ' ']);
    let written = to.trim_matches(['<', '>', ',']).to_owned();
    let to = Mailbox::read(&written).ok_or_else(|| format!("`{to}` is no address"))?;
    Ok((Request::Delegate { to, written, name: (!name.is_empty()).then(|| name.to_owned()) }, String::new()))
}

pub(super) fn address(line: &mut Line<'_>) -> Parsed {
    let behind = line.text(1)?;
    let to = behind.strip_prefix("to ").unwrap_or(&behind).trim().trim_matches(['<', '>']);
    let to = Mailbox::read(to).ok_or_else(|| format!("`{to}` is no address"))?;
    Ok((Request::Address { to }, String::new()))
}

pub(super) fn key(line: &mut Line<'_>) -> Parsed {
    Ok((Request::Key { key: written_key(&line.text(1)?)? }, String::new()))
}

/// Reads a key as it comes in a letter.
fn written_key(text: &str) -> Result<PublicKey, String> {
    // An ed25519 key has 68 letters; a mail program may have broken it.
    const LETTERS: usize = 68;
    let (kind, rest) = text.split_once(' ').unwrap_or((text, ""));
    let letters: String = rest.chars().filter(|letter| !letter.is_whitespace()).take(LETTERS).collect();
    PublicKey::read(&format!("{kind} {letters}")).map_err(|refused| refused.to_string())
}

/// `2026-12-24`, `from 2026-12-24 to 2027-01-02`, `2026-12-24..2027-01-02`.
pub(super) fn absence(line: &mut Line<'_>) -> Parsed {
    let apart = line.behind.replace("..", " ");
    let words = apart.split_whitespace().filter(|word| !matches!(*word, "from" | "to" | "until" | "till" | "-"));
    let mut days = Vec::new();
    for word in words {
        let day = date(word.trim_end_matches(',')).ok_or_else(|| format!("`{word}` is no date such as 2026-12-24"))?;
        days.push(day.to_string());
    }
    let absence = |from: &String, to: &String| Request::Absence { from: from.clone(), to: to.clone() };
    match days.as_slice() {
        [] => Err("the first and the last day are missing".to_owned()),
        [day] => Ok((absence(day, day), day.clone())),
        [from, to] if from == to => Ok((absence(from, to), from.clone())),
        [from, to] => Ok((absence(from, to), format!("{from} to {to}"))),
        [_, _, more, ..] => Err(format!("`{more}` is one day too many")),
    }
}

pub(super) fn extend(line: &mut Line<'_>) -> Parsed {
    let span = Span::read(line.behind.trim_start_matches("by "));
    let by = span.ok_or_else(|| format!("`{}` is no time such as 2d or 12h", line.behind))?;
    Ok((Request::Extend { by }, by.to_string()))
}

pub(super) fn zone(line: &mut Line<'_>) -> Parsed {
    if line.behind.is_empty() {
        return Err("the time zone is missing".to_owned());
    }
    // In the spelling of the zone; an unknown zone is refused where it is set.
    let name = Zone::read(line.behind).map_or_else(|| line.behind.to_owned(), |zone| zone.name().to_owned());
    Ok((Request::Zone { name: name.clone() }, name))
}

/// `html`, `digest daily 08:00`, `quiet off`, `night 22:00-07:00`, `batch 30min`.
pub(super) fn letters(line: &mut Line<'_>) -> Parsed {
    let change = Change::read(&format!("{} {}", line.word, line.behind)).map_err(|wrong| wrong.to_string())?;
    let said = change.to_string();
    let behind = said.strip_prefix(line.word).unwrap_or(&said).trim_start().to_owned();
    Ok((Request::Letters(change), behind))
}

/// The words of seats, however they are separated; `any` is no wish.
pub(super) fn join(line: &mut Line<'_>) -> Parsed {
    let words = line.behind.split([' ', ',']);
    let words = words.filter(|word| !matches!(*word, "" | "or" | "and" | "as" | "then" | "any" | "the"));
    let seats: Vec<String> = words.map(str::to_owned).collect();
    let said = seats.join(", ");
    Ok((Request::Join { seats }, said))
}

pub(super) fn name(line: &mut Line<'_>) -> Parsed {
    let name = line.text(1)?;
    Ok((Request::Name { name: name.clone() }, name))
}
