/*! The writer's own lines become sentences: one per line, in order, each with its line number.

Nothing is guessed and nothing is dropped in silence: a line is a sentence, a comment, a greeting, or refused
with its reason. The menu of the question decides whether a sentence means anything.
*/

use super::reader::Reader;
use super::request::{self, Asked, Misread};
use super::shown;
use super::unread::{LineRefusal, NotRead, Unread};
use super::words;
use crate::names::address::Place;
use crate::reply::verdict::Doubt;
use crate::reply::vocabulary::Vocabulary;
use mail::letter::limits::{Limits, TooMuch};
use mail::letter::spelling;
use mail::letter::text::Text;
use record::commit::signed::{Part, SignedOrder};
use serde::{Deserialize, Serialize};

/// What a letter says, line by line.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Reading {
    pub said: Vec<Said>,
    /// Lines that were not read, with the reason: the answer names them.
    pub unread: Vec<Unread>,
    /// P6: the seats that `BEGIN <game> <seat>` lines name; nothing outside such a block was read then.
    pub blocks: Vec<Place>,
    /// Sentences that its HTML hides or strikes out, and that were not read.
    pub hidden: Vec<String>,
    /// Whether the small talk in it says that its writer is away.
    pub says_away: bool,
}

impl Reading {
    /// Whether it greets or chats: below that a name may stand even where nothing is said.
    pub fn is_courteous(&self) -> bool {
        self.unread.iter().any(|unread| matches!(unread.reason, NotRead::Greeting | NotRead::Chatter))
    }
}

/// One line of the writer's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    Sentence(Sentence),
    Refused(RefusedLine),
}

impl Said {
    /// Its line in the text, from 1.
    pub fn line(&self) -> usize {
        match self {
            Said::Sentence(sentence) => sentence.line,
            Said::Refused(refused) => refused.line,
        }
    }

    /// As it was written.
    pub fn original(&self) -> &str {
        match self {
            Said::Sentence(sentence) => &sentence.original,
            Said::Refused(refused) => &refused.original,
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
    /// It begins with `then`: it is added to what was written ahead, and replaces nothing.
    pub adds: bool,
    pub wrapping: Wrapping,
    pub closing: Closing,
    /// The text below a request that takes the lines below it, up to the line that ends it.
    pub below: Option<String>,
    /// The signature of its writer, and what exactly was signed (A5).
    pub signed: Option<Box<SignedOrder>>,
    /// Why it may change what the other lines mean, if the game cannot read it.
    pub doubt: Option<Doubt>,
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
    /// Leaves another order in its place: `replace 3 with when asked storms say pass`.
    Replace(u64),
    /// Puts the order of this number before the others.
    First(u64),
}

impl Form {
    /// As what kind of sentence it is signed (A5).
    pub fn part(&self) -> Part {
        match self {
            Form::Order | Form::Cancel(_) | Form::Replace(_) | Form::First(_) => Part::Order,
            Form::Request(asked) if asked.request.is_act() => Part::Request,
            Form::Answer | Form::Request(_) | Form::Misread(_) => Part::Line,
        }
    }

    /// `words` is the line in plain spelling, `original` as it was written.
    pub fn of(words: &str, original: &str) -> Form {
        match request::read(words, original) {
            Some(Ok(asked)) => return Form::Request(Box::new(asked)),
            Some(Err(misread)) => return Form::Misread(misread),
            None if words.starts_with("when ") => return Form::Order,
            None => {}
        }
        if let Some((number, _)) = replacement(words) {
            return Form::Replace(number);
        }
        if let Some(number) = put_first(words) {
            return Form::First(number);
        }
        let number = words.strip_prefix("cancel ");
        let number = number.map(|rest| rest.trim_start_matches("standing ").trim_start_matches('#').parse());
        number.and_then(Result::ok).map_or(Form::Answer, Form::Cancel)
    }
}

/// The number of the order to replace, and the order that replaces it.
pub fn replacement(words: &str) -> Option<(u64, &str)> {
    let (number, order) = words.strip_prefix("replace ")?.split_once(" with ")?;
    order.starts_with("when ").then_some((numbered(number)?, order))
}

/// The number of the order that is to be tried before the others.
pub fn put_first(words: &str) -> Option<u64> {
    numbered(words.strip_prefix("put ")?.strip_suffix(" first")?)
}

/// The number of an order, as people write it.
fn numbered(words: &str) -> Option<u64> {
    words.trim_start_matches("standing ").trim_start_matches("order ").trim_start_matches('#').parse().ok()
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
    #[serde(default, skip_serializing_if = "Link::is_wrapped")]
    pub link: Link,
}

/// Why a line may be the rest of the one above.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Link {
    /// A mail program may have broken the line there.
    #[default]
    Wrapped,
    /// No sentence begins like this line, and its writer may have broken the sentence there.
    Below,
    /// It begins with a word that continues a sentence: `and`, `until`, `unless`.
    GoesOn,
}

impl Link {
    fn is_wrapped(&self) -> bool {
        *self == Link::Wrapped
    }
}

impl Sentence {
    /// Whether its first word is that of a request, even if the line is no request.
    pub fn begins_like_a_request(&self) -> bool {
        request::find(&self.words).is_some()
    }

    /// The lines below that may belong to it.
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
pub fn joined(above: &str, below: &str) -> String {
    let is_broken_word = above.ends_with('-') && !above.ends_with(" -");
    // An `else` in a line of its own belongs to what stands above it.
    let is_other = below.starts_with("else ") && !above.ends_with([';', ',']);
    match () {
        () if is_broken_word => format!("{above}{below}"),
        () if is_other => format!("{above}; {below}"),
        () => format!("{above} {below}"),
    }
}

/// Whether the sentence ends the letter if the menu does not know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closing {
    Ordinary,
    /// P7: `end`, `quit`, `stop`: if the menu has no such word, reading stops here.
    EndsLetter,
}

/// A line that cannot be a sentence, whatever the menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedLine {
    pub line: usize,
    pub original: String,
    pub reason: LineRefusal,
}

/// The most hidden sentences that the answer names.
const HIDDEN_MAX: usize = 5;

/// Reads the writer's own lines.
///
/// # Errors
/// [`TooMuch`] if there are more own lines than anybody writes (P1).
pub fn read(text: &Text, vocabulary: &Vocabulary, limits: &Limits) -> Result<Reading, TooMuch> {
    let mut reading = Reader::of_lines(&text.lines, vocabulary, limits)?.read();
    let opens = |piece: &&str| vocabulary.opens_whole(&spelling::plain(piece));
    let hidden = text.hidden.lines().map(str::trim).filter(|piece| piece.len() <= limits.sentence_characters);
    reading.hidden = hidden.filter(opens).take(HIDDEN_MAX).map(str::to_owned).collect();
    if let Some(shown) = &text.shown {
        shown::compare(&mut reading, &text.lines, shown, vocabulary, limits)?;
    }
    Ok(reading)
}

/// Why a sentence is not played although its words may be understood: it is not whole, or it is a question.
pub fn flaw(words: &str) -> Option<LineRefusal> {
    if let Some(end) = words::unfinished(words) {
        return Some(LineRefusal::Unfinished { end: end.to_owned() });
    }
    words.contains('?').then_some(LineRefusal::Question)
}
