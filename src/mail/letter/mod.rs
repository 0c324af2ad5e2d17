/*! A letter as it came in: its envelope, the hash of its bytes, and its text.

In reading order: [`limits`] says how large a letter may be, [`mailbox`] is an address; [`text`] chooses the part that
is read and makes characters of its bytes, [`flowed`] and [`html`] make lines of characters, [`spelling`] makes plain
words of a line. [`robots`] recognises what no person wrote, [`bounce`] what came back, [`dkim`] checks what the
author's domain signed, and [`signed_part`] reads what a letter says by that alone. [`effort`](ground::effort) counts
what reading costs, for the tests. It knows no letter of ours, no server and no file.

Opening a letter never fails: a field that cannot be read says why, so that we can answer even a refused letter, or
recognise it as a robot's.
*/

pub mod bounce;
pub mod dkim;
pub mod flowed;
pub mod html;
mod html_element;
mod html_sheet;
mod html_tokens;
pub mod limits;
pub mod mailbox;
pub mod robots;
pub mod signed_part;
pub mod spelling;
pub mod text;

use self::limits::{Limits, Measure, TooMuch};
use self::mailbox::Mailbox;
use self::text::{NoText, Text};
use ground::hash::{Hash, sha256};
use ground::line::cleaned;
use ground::stamp::Stamp;
use jiff::Timestamp;
use mail_parser::{Address, Header, HeaderName, HeaderValue, Message, MessageParser, MimeHeaders};
use std::fmt;
use std::panic::{self, AssertUnwindSafe};

/// One letter, opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// SHA-256 of the bytes as they came; the log names the letter by it (I1).
    pub raw: Hash,
    pub envelope: Envelope,
    pub text: Result<Text, Unreadable>,
}

/// Why a letter's text is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    TooMuch(TooMuch),
    NoText(NoText),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::TooMuch(refusal) => refusal.fmt(formatter),
            Unreadable::NoText(refusal) => refusal.fmt(formatter),
        }
    }
}

impl std::error::Error for Unreadable {}

/// The header, as far as the post needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// A4: the author is the one mailbox in `From`, whatever `Reply-To` says.
    pub author: Result<Mailbox, NoAuthor>,
    /// The author's display name; it proves nothing.
    pub author_name: Option<String>,
    /// Where the carrier delivered it: `Delivered-To`, `X-Original-To` and the like, which survive a blind copy.
    pub delivered_to: Vec<Mailbox>,
    /// `To` and `Cc`.
    pub recipients: Vec<Mailbox>,
    pub message_id: Option<String>,
    pub in_reply_to: Vec<String>,
    pub references: Vec<String>,
    pub subject: String,
    /// All fields in their order, name in lower case, value unfolded, for [`robots`](self::robots).
    pub fields: Vec<(String, String)>,
}

/// A4: a letter has exactly one author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoAuthor {
    Missing,
    Several(usize),
    /// The address as written.
    NotAnAddress(String),
}

impl fmt::Display for NoAuthor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoAuthor::Missing => write!(formatter, "the letter does not say who wrote it: it has no From"),
            NoAuthor::Several(found) => {
                write!(formatter, "the letter names {found} authors in From; exactly 1 can hold the seat")
            }
            NoAuthor::NotAnAddress(written) => {
                write!(formatter, "`{written}` in From is not a mail address")
            }
        }
    }
}

impl std::error::Error for NoAuthor {}

impl Letter {
    /// Opens a letter within limits. If it is over a limit, only its header is read.
    pub fn open(raw: &[u8], limits: &Limits) -> Letter {
        let hash = sha256(raw);
        if let Err(refusal) = limits::check(raw, limits) {
            let header = header_within(raw, limits);
            let envelope = parse(header, Depth::Header).map_or_else(Envelope::empty, |message| Envelope::of(&message));
            return Letter { raw: hash, envelope, text: Err(Unreadable::TooMuch(refusal)) };
        }
        let Some(message) = parse(raw, Depth::Whole) else {
            if let Some(header) = parse(header_within(raw, limits), Depth::Header) {
                let text = Err(Unreadable::NoText(NoText::Damaged));
                return Letter { raw: hash, envelope: Envelope::of(&header), text };
            }
            return Letter {
                raw: hash,
                envelope: Envelope::empty(),
                text: Err(Unreadable::NoText(NoText::NotALetter)),
            };
        };
        let envelope = Envelope::of(&message);
        let text = if envelope.fields.is_empty() { Err(NoText::NotALetter) } else { text::choose(&message, raw) };
        let text = text.map_err(Unreadable::NoText).and_then(|text| within_lines(text, limits));
        Letter { raw: hash, envelope, text }
    }

    /// What two copies of a letter share if they came by different ways (I1): its author, and what it says.
    pub fn text_hash(&self) -> Hash {
        let author = self.envelope.author.as_ref().map_or(String::new(), ToString::to_string);
        match &self.text {
            Ok(text) => {
                let lines: Vec<&str> = text.lines.iter().map(|line| line.text.trim_end()).collect();
                sha256(format!("{author}\n{}", lines.join("\n")).as_bytes())
            }
            Err(_) => self.raw,
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) enum Depth {
    Header,
    Whole,
}

/// The only call of the parser. It promises never to panic, but a mailbox open to strangers must not depend on that:
/// if the parser panics, the letter counts as damaged.
pub(crate) fn parse(raw: &[u8], depth: Depth) -> Option<Message<'_>> {
    let parser = MessageParser::default();
    let parse = AssertUnwindSafe(|| match depth {
        Depth::Header => parser.parse_headers(raw),
        Depth::Whole => parser.parse(raw),
    });
    panic::catch_unwind(parse).ok().flatten()
}

/// When the last server on the way received a letter, by its own clock: RFC 5321 §4.4, the date of the topmost
/// `Received`.
pub fn taken_at(raw: &[u8]) -> Option<Stamp> {
    let message = parse(raw, Depth::Header)?;
    let topmost = message.headers().iter().find(|header| header.name == HeaderName::Received)?;
    let HeaderValue::Received(received) = &topmost.value else { return None };
    Stamp::of(Timestamp::from_second(received.date()?.to_timestamp()).ok()?)
}

/// The names and contents of a letter's attachments; `None` if the letter is over a limit or damaged.
pub fn attachments(raw: &[u8], limits: &Limits) -> Option<Vec<(String, Vec<u8>)>> {
    limits::check(raw, limits).ok()?;
    let message = parse(raw, Depth::Whole)?;
    let attached = message.attachments().map(|part| {
        let name = part.attachment_name().unwrap_or_default().to_owned();
        (name, part.contents().to_vec())
    });
    Some(attached.collect())
}

/// P1: one line of HTML may become many.
fn within_lines(text: Text, limits: &Limits) -> Result<Text, Unreadable> {
    let found = text.lines.len();
    if found > limits.lines {
        Err(Unreadable::TooMuch(TooMuch { measure: Measure::Lines, found, allowed: limits.lines }))
    } else {
        Ok(text)
    }
}

/// The beginning of an oversized letter, as far as its header may reach.
fn header_within<'a>(raw: &'a [u8], limits: &Limits) -> &'a [u8] {
    let start = &raw[..raw.len().min(limits.header_bytes)];
    let end = start.windows(2).position(|pair| pair == b"\n\n");
    let end_crlf = start.windows(4).position(|four| four == b"\r\n\r\n");
    let end = [end.map(|end| end + 2), end_crlf.map(|end| end + 4)].into_iter().flatten().min();
    &start[..end.unwrap_or(start.len())]
}

impl Envelope {
    fn empty() -> Envelope {
        Envelope {
            author: Err(NoAuthor::Missing),
            author_name: None,
            delivered_to: Vec::new(),
            recipients: Vec::new(),
            message_id: None,
            in_reply_to: Vec::new(),
            references: Vec::new(),
            subject: String::new(),
            fields: Vec::new(),
        }
    }

    fn of(message: &Message<'_>) -> Envelope {
        let mut envelope = Envelope::empty();
        let mut authors: Vec<Result<Mailbox, NoAuthor>> = Vec::new();
        for header in message.headers() {
            let (name, value) = field(message, header);
            match (&header.name, name.as_str()) {
                (HeaderName::From, _) => authors.extend(addresses(&header.value).map(|written| {
                    // RFC 2047, 5: an encoded word is not an address, and the mail servers in transit have not checked
                    // it as one.
                    let is_there = value.contains(&written);
                    let mailbox = Mailbox::read(&written).filter(|_| is_there);
                    let written = if is_there { written } else { value.clone() };
                    mailbox.ok_or_else(|| NoAuthor::NotAnAddress(cleaned(&written, 80)))
                })),
                (HeaderName::To | HeaderName::Cc, _) => {
                    envelope.recipients.extend(addresses(&header.value).filter_map(|written| Mailbox::read(&written)));
                }
                (HeaderName::MessageId, _) => envelope.message_id = identifiers(&header.value).into_iter().next(),
                (HeaderName::InReplyTo, _) => envelope.in_reply_to.extend(identifiers(&header.value)),
                (HeaderName::References, _) => envelope.references.extend(identifiers(&header.value)),
                (HeaderName::Subject, _) => {
                    envelope.subject = header.value.as_text().map_or(String::new(), |subject| cleaned(subject, 500));
                }
                (_, "delivered-to" | "x-original-to" | "envelope-to" | "x-delivered-to" | "x-envelope-to") => {
                    envelope.delivered_to.extend(value.split(',').filter_map(Mailbox::read));
                }
                _ => {}
            }
            envelope.fields.push((name, value));
        }
        let named = message.from().and_then(|from| from.first()).and_then(|author| author.name.as_deref());
        envelope.author_name = named.map(|name| cleaned(name, 80));
        envelope.author = match authors.len() {
            0 => Err(NoAuthor::Missing),
            1 => authors.remove(0),
            several => Err(NoAuthor::Several(several)),
        };
        envelope
    }

    /// The values of one field, by its name in lower case.
    pub fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.fields.iter().filter(move |(field, _)| field == name).map(|(_, value)| value.as_str())
    }
}

/// A field as an [`Envelope`] keeps it: its name in lower case, its value unfolded.
fn field(message: &Message<'_>, header: &Header<'_>) -> (String, String) {
    let range = header.offset_start as usize..header.offset_end as usize;
    let value = String::from_utf8_lossy(message.raw_message.get(range).unwrap_or_default());
    (header.name.as_str().to_ascii_lowercase(), spelling::collapse(&value))
}

fn addresses<'a>(value: &'a HeaderValue<'_>) -> impl Iterator<Item = String> + 'a {
    let list = match value {
        HeaderValue::Address(Address::List(list)) => list.iter().collect(),
        HeaderValue::Address(Address::Group(groups)) => groups.iter().flat_map(|group| &group.addresses).collect(),
        _ => Vec::new(),
    };
    list.into_iter().map(|one| one.address.as_deref().or(one.name.as_deref()).unwrap_or("").to_owned())
}

fn identifiers(value: &HeaderValue<'_>) -> Vec<String> {
    match value {
        HeaderValue::Text(one) => vec![one.to_string()],
        HeaderValue::TextList(list) => list.iter().map(ToString::to_string).collect(),
        _ => Vec::new(),
    }
}
