/*! The writer's own lines become sentences: one a line, in order, each with the line it was.

Nothing is guessed and nothing is dropped in silence: a line is a sentence, a code, a comment, a greeting, or refused
with its reason. The menu of the question decides whether a sentence means anything.
*/

use super::request::{self, Asked, Misread};
use super::unread::{LineRefusal, NotRead, Unread};
use crate::mail::letter::flowed::{Breaks, Line};
use crate::mail::letter::limits::{Limits, Measure, TooMuch};
use crate::mail::letter::spelling;
use crate::mail::letter::text::Text;
use crate::post::names::address::Place;
use crate::post::names::message_id;
use crate::post::order::sign_off;
use crate::post::reply::courtesies::{is_farewell, is_greeting};
use crate::post::reply::quoting::{self, Ownership};
use crate::post::reply::signed_block::{self, Block};
use crate::record::commit::signed::{Part, SignedOrder, TITLE};
use data_encoding::BASE32_NOPAD;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Lines that a sentence may take up behind its first one, when a mail program has wrapped it.
const REST_MAX: usize = 6;

/// What a letter says, line by line.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Reading {
    pub said: Vec<Said>,
    /// Lines that were not read, with the reason: the answer names them.
    pub unread: Vec<Unread>,
    /// P6: the seats that `BEGIN <game> <seat>` lines name; nothing outside such a block was read then.
    pub blocks: Vec<Place>,
}

/// One line of the writer's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    Sentence(Sentence),
    /// A one-time code: taken out, it goes with the next sentence that answers a question.
    Code(Code),
    Refused(RefusedLine),
}

impl Said {
    /// Its line in the text, from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        match self {
            Said::Sentence(sentence) => sentence.line,
            Said::Code(code) => code.line,
            Said::Refused(refused) => refused.line,
        }
    }
}

/// A line that the menu reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// Its line in the text, from 1, and the last one it takes up.
    pub line: usize,
    pub last: usize,
    /// As written, for the echo.
    pub original: String,
    /// As read: plain spelling, lower case (P5).
    pub words: String,
    pub form: Form,
    pub start: Start,
    pub wrapping: Wrapping,
    pub closing: Closing,
    /// What stands below a request that takes all of it, up to the line that ends it.
    pub below: Option<String>,
    /// The signature of its writer, and what exactly was signed (A5).
    pub signed: Option<Box<SignedOrder>>,
}

/// What a line is by its first words, whatever is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// An answer, to be read by the menu.
    Answer,
    Request(Box<Asked>),
    /// It begins with the word of a request and goes wrong behind it.
    Misread(Misread),
    /// A standing order: `when asked storms say pass`.
    Order,
    /// Takes back the standing order of this number.
    Cancel(u64),
}

impl Form {
    /// What kind of sentence it is where it is signed (A5).
    #[must_use]
    pub fn part(&self) -> Part {
        match self {
            Form::Order | Form::Cancel(_) => Part::Order,
            Form::Request(asked) if asked.request.is_act() => Part::Request,
            Form::Answer | Form::Request(_) | Form::Misread(_) => Part::Line,
        }
    }

    /// `words` is the line in plain spelling, `original` as it was written.
    #[must_use]
    pub fn of(words: &str, original: &str) -> Form {
        match request::read(words, original) {
            Some(Ok(asked)) => return Form::Request(Box::new(asked)),
            Some(Err(misread)) => return Form::Misread(misread),
            None if words.starts_with("when ") => return Form::Order,
            None => {}
        }
        let number = words.strip_prefix("cancel ");
        let number = number.map(|rest| rest.trim_start_matches("standing ").trim_start_matches('#').parse());
        number.and_then(Result::ok).map_or(Form::Answer, Form::Cancel)
    }
}

/// Where a sentence begins in its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    Margin,
    /// Behind blanks, a bullet or a number, as it stands in letters of ours and in lists.
    Indented,
}

/// Whether the sentence may be only the first half of one (P4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrapping {
    Whole,
    /// The mail program may have broken the line here, because the next line's first word would not have fitted. These
    /// are the lines below that may belong to it, the first one first; they are in the [`Reading`] on their own, too.
    PerhapsCut(Vec<Rest>),
}

/// A line that may be the rest of the sentence above.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rest {
    pub line: usize,
    /// As written, and as read.
    pub original: String,
    pub words: String,
}

impl Sentence {
    /// Whether its first word is that of a request, whether or not it is one.
    #[must_use]
    pub fn begins_like_a_request(&self) -> bool {
        request::find(&self.words).is_some()
    }

    /// The lines below that may belong to it.
    #[must_use]
    pub fn rest(&self) -> &[Rest] {
        match &self.wrapping {
            Wrapping::Whole => &[],
            Wrapping::PerhapsCut(rest) => rest,
        }
    }

    /// Takes in the first `lines` lines below, and no others.
    pub fn take_in(&mut self, lines: usize) {
        let Wrapping::PerhapsCut(rest) = std::mem::replace(&mut self.wrapping, Wrapping::Whole) else { return };
        for rest in rest.iter().take(lines) {
            self.original = joined(&self.original, &rest.original);
            self.words = joined(&self.words, &rest.words);
            self.last = rest.line;
        }
    }
}

/// Two pieces of a sentence as they stood before a mail program broke it: at a space, or behind a hyphen.
#[must_use]
pub fn joined(above: &str, below: &str) -> String {
    let is_broken_word = above.ends_with('-') && !above.ends_with(" -");
    if is_broken_word { format!("{above}{below}") } else { format!("{above} {below}") }
}

/// Whether the sentence would end the letter if no menu knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closing {
    Ordinary,
    /// P7: `end`, `quit`, `stop`: if the menu has no such word, reading stops here.
    EndsLetter,
}

/// A one-time code (log 7.2): 20 bytes in eight groups of four letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    pub line: usize,
    /// Its number, if the line says so: `code 12 EQO5-…`.
    pub number: Option<u32>,
    pub code: [u8; 20],
}

/// A line that cannot be a sentence, whatever the menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedLine {
    pub line: usize,
    pub original: String,
    pub reason: LineRefusal,
}

/// Reads the writer's own lines.
///
/// # Errors
/// [`TooMuch`] if there are more of them than anybody writes (P1).
pub fn read(text: &Text, limits: &Limits) -> Result<Reading, TooMuch> {
    let owners = quoting::judge(&text.lines);
    let is_own = |(line, owner): &(&Line, &Ownership)| **owner == Ownership::Own && !line.text.trim().is_empty();
    let found = text.lines.iter().zip(&owners).filter(is_own).count();
    if found > limits.own_lines {
        return Err(TooMuch { measure: Measure::OwnLines, found, allowed: limits.own_lines });
    }
    let read = |one: (&Line, &Ownership)| if is_own(&one) { words(&one.0.text) } else { String::new() };
    let words: Vec<String> = text.lines.iter().zip(&owners).map(read).collect();
    let within = if words.iter().any(|words| block(words).is_some()) { Within::Outside } else { Within::Letter };
    let (lines, owners, reading) = (text.lines.as_slice(), owners.as_slice(), Reading::default());
    let mut reader = Reader { lines, owners, words, limits, reading, at: 0, within, endless: 0 };
    while reader.at < reader.lines.len() {
        reader.next();
    }
    sign_off::name_sentences(&mut reader.reading, lines);
    Ok(reader.reading)
}

struct Reader<'a> {
    lines: &'a [Line],
    owners: &'a [Ownership],
    /// The lines that are the writer's own, as they are read.
    words: Vec<String>,
    limits: &'a Limits,
    reading: Reading,
    at: usize,
    within: Within,
    /// No line up to this one ends the lines below a request.
    endless: usize,
}

/// Whether the reader is inside a block of `BEGIN` and `END` (P6).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    /// The letter has no such block: all of it is read.
    Letter,
    Block,
    Outside,
}

/// A line as it is read.
fn words(line: &str) -> String {
    spelling::without_emphasis(spelling::plain(without_comment(line)))
}

/// The seat that a line `BEGIN <game> <seat>` names.
fn block(words: &str) -> Option<Place> {
    let mut words = words.split(' ');
    let is_begin = words.next() == Some("begin");
    let game = words.next().filter(|game| is_begin && message_id::is_game(game))?;
    let seat = words.next().filter(|seat| message_id::is_seat(seat))?;
    words.next().is_none().then(|| Place { game: game.to_owned(), seat: seat.to_owned() })
}

impl Reader<'_> {
    fn next(&mut self) {
        let line = &self.lines[self.at];
        let owner = self.owners[self.at];
        let blank = line.text.trim().is_empty();
        match owner {
            Ownership::Own if blank => self.at += 1,
            Ownership::Own => self.own(),
            Ownership::PerhapsQuoted => {
                self.refuse(line.number, &line.text, LineRefusal::PerhapsQuoted);
                self.at += 1;
            }
            _ => {
                self.unread(line.number, line.last, NotRead::NotOwn(owner));
                self.at += 1;
            }
        }
    }

    fn own(&mut self) {
        let line = &self.lines[self.at];
        let number = line.number;
        if signed_block::begins(&line.text) {
            return self.signed(number);
        }
        let is_at_margin = !line.text.starts_with(char::is_whitespace);
        let (original, words, last) = self.with_continuation();
        if words.is_empty() {
            return self.unread(number, last, NotRead::Comment);
        }
        if let Some(place) = block(&words) {
            self.reading.blocks.push(place);
            self.within = Within::Block;
            return;
        }
        if self.within == Within::Outside {
            return self.unread(number, last, NotRead::OutsideBlock);
        }
        if self.within == Within::Block && words == "end" {
            self.within = Within::Outside;
            return;
        }
        if let Some(fault) = spelling::fault(&original) {
            return self.refuse(number, &original, LineRefusal::Fault(fault));
        }
        // A person sees that a text is struck out, and so must we.
        if let Some(column) = spelling::struck(&original).filter(|_| request::find(&words).is_none()) {
            return self.refuse(number, &original, LineRefusal::Struck { column });
        }
        if let Some(mark) = quoting::mark(&original) {
            return self.refuse(number, &original, LineRefusal::Marked(mark));
        }
        let characters = original.chars().count();
        let allowed = self.limits.sentence_characters;
        if characters > allowed {
            let start: String = original.chars().take(60).collect();
            return self.refuse(number, &start, LineRefusal::TooLong { characters, allowed });
        }
        if self.reading.said.is_empty() && is_greeting(&words) {
            return self.unread(number, last, NotRead::Greeting);
        }
        // A farewell comes after something that was said.
        let is_farewell = is_farewell(&words, &original);
        if is_farewell && self.reading.said.is_empty() {
            return self.unread(number, last, NotRead::Greeting);
        }
        if is_farewell {
            let end = self.lines.last().map_or(last, |line| line.last);
            self.at = self.lines.len();
            return self.unread(number, end, NotRead::Farewell);
        }
        let start = if is_at_margin && without_item(&words) == words { Start::Margin } else { Start::Indented };
        let words = without_decoration(&words);
        if words.starts_with("---") && words.contains(quoting::ORDER_FORM) {
            return self.unread(number, last, NotRead::Blank);
        }
        if words == "code" || (words.starts_with('<') && words.ends_with('>')) {
            return self.unread(number, last, NotRead::Blank);
        }
        if let Some(code) = words.strip_prefix("code ") {
            return self.code(number, &original, code);
        }
        let rest = self.rest(original.chars().count());
        if let Some(end) = unfinished(words).filter(|_| rest.is_empty()) {
            return self.refuse(number, &original, LineRefusal::Unfinished { end: end.to_owned() });
        }
        let closing = match words {
            "end" | "quit" | "stop" => Closing::EndsLetter,
            _ => Closing::Ordinary,
        };
        let wrapping = if rest.is_empty() { Wrapping::Whole } else { Wrapping::PerhapsCut(rest) };
        let (form, words) = (Form::of(words, &original), words.to_owned());
        let (below, signed) = (None, None);
        let mut sentence =
            Sentence { line: number, last, original, words, form, start, wrapping, closing, below, signed };
        if matches!(&sentence.form, Form::Request(asked) if asked.takes_lines_below()) {
            self.take_lines_below(&mut sentence);
        }
        self.reading.said.push(Said::Sentence(sentence));
    }

    /// Takes the lines below a request as its text, as they stand, up to the one that ends it. Without such a line the
    /// text is missing, because it cannot be known where it would have ended.
    fn take_lines_below(&mut self, sentence: &mut Sentence) {
        if self.at < self.endless {
            return;
        }
        let is_own = |index: &usize| self.owners[*index] == Ownership::Own;
        let ends = |index: &usize| request::ends_lines_below(&spelling::plain(&self.lines[*index].text));
        let mut below = (self.at..self.lines.len()).take_while(is_own);
        let Some(end) = below.find(ends) else {
            // Nor has any request above the next line of another's: it is looked for once.
            self.endless = (self.at..self.lines.len()).find(|index| !is_own(index)).unwrap_or(self.lines.len());
            return;
        };
        let text: Vec<&str> = self.lines[self.at..end].iter().map(|line| line.text.as_str()).collect();
        sentence.below = Some(text.join("\n"));
        sentence.last = self.lines[end].last;
        sentence.wrapping = Wrapping::Whole;
        self.at = end + 1;
    }

    /// A5: a signed sentence, from its title to the end of the signature. It counts outside a block of the letter, too,
    /// because nobody signs by mistake.
    fn signed(&mut self, number: usize) {
        let rest = self.lines[self.at..].iter().zip(&self.owners[self.at..]);
        let own = rest.take_while(|(_, owner)| **owner == Ownership::Own).map(|(line, _)| line);
        let Block { lines, last, order } = signed_block::read(own, self.limits.sentence_characters);
        self.at += lines;
        match order {
            Ok(signed) => {
                let original = signed.sentence.words.clone();
                let (start, wrapping, closing) = (Start::Margin, Wrapping::Whole, Closing::Ordinary);
                let words = words(&original);
                let form = Form::of(&words, &original);
                let (below, signed) = (None, Some(Box::new(signed)));
                let sentence =
                    Sentence { line: number, last, original, words, form, start, wrapping, closing, below, signed };
                self.reading.said.push(Said::Sentence(sentence));
            }
            Err(broken) => self.refuse(number, TITLE, LineRefusal::NotSigned(broken)),
        }
    }

    /// The line here, with those that its explicit `\` goes on in (P4), as written and as read, and the last of them;
    /// the reader then stands behind them.
    fn with_continuation(&mut self) -> (String, String, usize) {
        let first = self.at;
        let (whole, end) = self.continued(first);
        self.at = end;
        let words = if end == first + 1 { std::mem::take(&mut self.words[first]) } else { words(&whole) };
        (whole, words, self.lines[end - 1].last)
    }

    /// The line at this index with those that its `\` goes on in, and the index behind them. A program that breaks the
    /// line right before its `\` has left that on a line of its own.
    fn continued(&self, first: usize) -> (String, usize) {
        let mut whole = self.lines[first].text.trim().to_owned();
        let own = |index: usize| {
            let line = self.lines.get(index).filter(|_| self.owners[index] == Ownership::Own)?;
            Some(line.text.trim()).filter(|text| !text.is_empty())
        };
        let mut end = first + 1;
        loop {
            if own(end) == Some("\\") {
                whole.push_str(" \\");
                end += 1;
            }
            let Some((start, next)) = whole.strip_suffix('\\').zip(own(end)) else { return (whole, end) };
            whole.truncate(start.trim_end().len());
            whole.push(' ');
            whole.push_str(next);
            end += 1;
        }
    }

    /// P4: the lines below that may be the rest of the line just read, which has `characters` characters.
    fn rest(&self, characters: usize) -> Vec<Rest> {
        let mut room = self.limits.sentence_characters.saturating_sub(characters);
        let mut rest: Vec<Rest> = Vec::new();
        let mut at = self.at;
        while rest.len() < REST_MAX && self.may_be_broken_before(at) {
            let (whole, end) = self.continued(at);
            let read = if end == at + 1 { Cow::from(&self.words[at]) } else { Cow::from(words(&whole)) };
            let Some(words) = continuation(&read).filter(|words| self.within != Within::Block || *words != "end")
            else {
                break;
            };
            let original = without_comment(&whole).trim().to_owned();
            let Some(left) = room.checked_sub(original.chars().count() + 1) else { break };
            room = left;
            rest.push(Rest { line: self.lines[at].number, original, words: words.to_owned() });
            at = end;
        }
        rest
    }

    /// Whether a mail program could have broken a line into the one above this index and the one at it.
    fn may_be_broken_before(&self, index: usize) -> bool {
        let above = &self.lines[index - 1];
        let Some(below) = self.lines.get(index).filter(|_| self.owners[index] == Ownership::Own) else { return false };
        let Some(first_word) = below.text.split_whitespace().next() else { return false };
        let text = above.text.trim_end();
        // A full stop ends a sentence, and so does a comment.
        if above.breaks != Breaks::Uncertain || text.ends_with(['.', '!', ';']) || text.contains(" #") {
            return false;
        }
        // Programs break between column 62 and 80; a longer line was not broken by any.
        above.width <= 80 && above.width + 1 + first_word.chars().count() > 62
    }

    fn code(&mut self, line: usize, original: &str, written: &str) {
        let first = written.split(' ').next().unwrap_or(written);
        let number = first.parse().ok().filter(|_| first.len() <= 6);
        let written = if number.is_some() { written[first.len()..].trim() } else { written };
        if written.starts_with('<') || written.chars().all(|c| matches!(c, '-' | '_' | '.' | ' ')) {
            return self.unread(line, line, NotRead::Blank);
        }
        let letters: String = written
            .chars()
            .filter(|c| !matches!(c, ' ' | '-' | '\'' | '"' | '.'))
            // No code has these digits: they are read as the letters they look like.
            .map(|c| match c {
                '0' => 'O',
                '1' => 'I',
                '8' => 'B',
                _ => c.to_ascii_uppercase(),
            })
            .collect();
        let odd = letters.chars().find(|c| !matches!(c, 'A'..='Z' | '2'..='7'));
        let bytes = BASE32_NOPAD.decode(letters.as_bytes()).ok();
        match bytes.and_then(|bytes| <[u8; 20]>::try_from(bytes).ok()) {
            Some(code) => self.reading.said.push(Said::Code(Code { line, number, code })),
            None => {
                let letters = letters.chars().count();
                self.refuse(line, original, LineRefusal::NotACode { letters, odd });
            }
        }
    }

    fn refuse(&mut self, line: usize, original: &str, reason: LineRefusal) {
        let original = original.to_owned();
        self.reading.said.push(Said::Refused(RefusedLine { line, original, reason }));
    }

    fn unread(&mut self, first: usize, last: usize, reason: NotRead) {
        match self.reading.unread.last_mut() {
            Some(run) if run.reason == reason && run.last + 1 == first => run.last = last,
            _ => self.reading.unread.push(Unread { first, last, reason }),
        }
    }
}

/// P8: `#` at the start of a line or after a space begins a comment; before a number it is how our letters call an
/// entry, as in `undo to #57`.
fn without_comment(line: &str) -> &str {
    if line.trim_start().starts_with('#') {
        return "";
    }
    let is_comment = |at: &usize| !line[at + 2..].starts_with(|c: char| c.is_ascii_digit());
    let start = line.match_indices(" #").map(|(at, _)| at).find(is_comment);
    start.map_or(line, |at| &line[..at])
}

/// Without bullets, numbering and the full stop, which are no words.
fn without_decoration(words: &str) -> &str {
    without_item(words).trim_end_matches(['.', '!', ';']).trim()
}

/// The words of an item of a list, without its bullet or number.
fn without_item(words: &str) -> &str {
    let words =
        words.strip_prefix(['-', '*', '\u{2022}', '\u{b7}', '+']).filter(|rest| rest.starts_with(' ')).unwrap_or(words);
    let words = words.trim_start();
    let digits = words.len() - words.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let numbered = (1..=2).contains(&digits).then(|| words[digits..].strip_prefix(['.', ')'])).flatten();
    numbered.and_then(|rest| rest.strip_prefix(' ')).unwrap_or(words)
}

/// The words of a line as it is read, if it may be the rest of the one above: neither an item of a list nor anything
/// else that begins of itself.
fn continuation(line: &str) -> Option<&str> {
    let words = line.trim_end_matches(['.', '!', ';']).trim_end();
    let begins = words.is_empty()
        || without_item(words) != words
        || words.starts_with("---")
        || words.starts_with('<')
        || words == "code"
        || words.starts_with("code ")
        || block(line).is_some()
        || is_farewell(words, words);
    (!begins).then_some(words)
}

/// Words and signs with which no sentence ends: something is missing behind them.
#[must_use]
pub fn unfinished(words: &str) -> Option<&str> {
    ["\\", ",", " -", " and", " from", " with", " to", " ="].into_iter().find(|end| words.ends_with(end)).map(str::trim)
}
