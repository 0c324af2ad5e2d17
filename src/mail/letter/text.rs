/*! Which part of a letter is its text, and how bytes become characters (requirements P2 and P3).

The first `text/plain` wins; HTML is converted only if there is none, and then marked. A part with a damaged encoding
is refused whole: half a sentence must never play.
*/

use super::flowed::{self, Flow, Line};
use super::html::{self, Shown};
use super::spelling;
use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::charsets::map::charset_decoder;
use mail_parser::decoders::quoted_printable::quoted_printable_decode;
use mail_parser::{ContentType, Encoding, Message, MessagePart, MimeHeaders, PartType};
use std::fmt;

/// What the text was made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Plain,
    /// Converted; the answer says so, because what the writer saw and what we read may differ.
    Html,
}

/// The text of a letter as lines, and where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    pub source: Source,
    pub flow: Flow,
    /// The character set in which it was read, not always the declared one.
    pub charset: String,
    pub lines: Vec<Line>,
    /// Further text parts of the letter, which were not read: the answer names their number.
    pub parts_unread: usize,
    /// What the HTML hides or strikes out, piece by piece, if HTML was read.
    pub hidden: String,
    /// If plain text was read, the HTML version of the same letter: what its writer saw.
    pub shown: Option<Shown>,
}

/// Why a letter has no text to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoText {
    /// No part of it is text; these kinds are there instead.
    OtherKinds(Vec<String>),
    /// It is encrypted, and we cannot read it.
    Encrypted,
    /// The transfer encoding is broken, or the letter ends before its last boundary.
    Damaged,
    /// A transfer encoding that is no longer in use.
    UnknownEncoding(String),
    /// It is no letter: it has no header at all.
    NotALetter,
}

impl fmt::Display for NoText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoText::OtherKinds(kinds) if kinds.is_empty() => {
                write!(formatter, "the letter has no text")
            }
            NoText::OtherKinds(kinds) => {
                let kinds = kinds.join(", ");
                write!(formatter, "the letter has no text, only {kinds}; write the sentences into the letter itself")
            }
            NoText::Encrypted => write!(formatter, "the letter is encrypted; send it in clear, signed if you like"),
            NoText::Damaged => {
                write!(formatter, "the letter is damaged or cut short, so nothing in it is played; send it again")
            }
            NoText::UnknownEncoding(name) => {
                write!(
                    formatter,
                    "the letter is encoded as `{name}`; send it as plain text in 8bit, quoted-printable or base64"
                )
            }
            NoText::NotALetter => write!(formatter, "this is not a letter: it has no header"),
        }
    }
}

impl std::error::Error for NoText {}

/// Chooses the text of a parsed letter and makes lines of it.
///
/// # Errors
/// [`NoText`] if there is none that can be trusted to be whole.
pub fn choose(message: &Message<'_>, raw: &[u8]) -> Result<Text, NoText> {
    let mut texts = Texts::default();
    texts.collect(message, 0, 0);
    if texts.is_encrypted {
        return Err(NoText::Encrypted);
    }
    let parts = || texts.found.iter().map(|&id| &message.parts[id]);
    if texts.found.is_empty() {
        return Err(NoText::OtherKinds(texts.others));
    }
    let decoded: Vec<(&MessagePart<'_>, Result<Decoded, NoText>)> =
        parts().map(|part| (part, decode(part, raw))).collect();
    // Some phones send an empty text part beside the real one; it does not count.
    let is_blank = |decoded: &Result<Decoded, NoText>| matches!(decoded, Ok(decoded) if is_blank_text(&decoded.text));
    let chosen = decoded.iter().position(|(_, decoded)| !is_blank(decoded)).unwrap_or(0);
    let (part, decoded_part) = &decoded[chosen];
    let decoded_part = decoded_part.clone()?;
    let (source, flow, page) = match &part.body {
        PartType::Html(_) => (Source::Html, Flow::Fixed, html::shown(&decoded_part.text)),
        _ => {
            let flow = flow(part.content_type());
            let lines = flowed::lines(&decoded_part.text, flow);
            (Source::Plain, flow, Shown { lines, hidden: String::new() })
        }
    };
    let is_read = |id: usize| std::ptr::eq(&raw const message.parts[id], &raw const **part);
    let pair = texts.pairs.iter().find(|(plain, _)| is_read(*plain)).map(|(_, html)| &message.parts[*html]);
    let shown = pair.and_then(|html| decode(html, raw).ok()).map(|html| html::shown(&html.text));
    let unread = decoded.iter().skip(chosen + 1).filter(|(_, decoded)| !is_blank(decoded)).count();
    Ok(Text {
        source,
        flow,
        charset: decoded_part.charset,
        lines: page.lines,
        hidden: page.hidden,
        parts_unread: unread + texts.alternatives_lost,
        shown,
    })
}

/// The parts that may be the writer's text, best first.
#[derive(Default)]
struct Texts {
    found: Vec<usize>,
    others: Vec<String>,
    is_encrypted: bool,
    alternatives_lost: usize,
    /// Plain text, and the HTML that says the same.
    pairs: Vec<(usize, usize)>,
}

impl Texts {
    /// Walks one part. [`Limits::nesting`](super::limits::Limits) was checked before, so the depth here is a second
    /// safeguard.
    fn collect(&mut self, message: &Message<'_>, id: usize, depth: usize) {
        let Some(part) = message.parts.get(id).filter(|_| depth < 32) else {
            return;
        };
        let kind = kind(part);
        match &part.body {
            PartType::Multipart(children) => {
                self.is_encrypted |= kind == "multipart/encrypted";
                let children: Vec<usize> = children.iter().map(|&child| child as usize).filter(|&c| c > id).collect();
                if kind == "multipart/alternative" {
                    self.alternative(message, &children, depth);
                } else {
                    children.iter().for_each(|&child| self.collect(message, child, depth + 1));
                }
            }
            PartType::Text(_) if !is_attachment(part) && kind == "text/plain" => self.found.push(id),
            PartType::Html(_) if !is_attachment(part) => self.found.push(id),
            // P2: no sentence is ever read from an enclosed letter or an attachment.
            _ => {
                self.is_encrypted |= matches!(kind.as_str(), "application/pkcs7-mime" | "application/x-pkcs7-mime");
                self.others.push(kind);
            }
        }
    }

    /// RFC 2046 §5.1.4: all parts say the same. We read the plain text, and HTML only if there is none or it is
    /// blank.
    fn alternative(&mut self, message: &Message<'_>, children: &[usize], depth: usize) {
        let mut inside = Texts::default();
        children.iter().for_each(|&child| inside.collect(message, child, depth + 1));
        let is_html = |id: &usize| matches!(message.parts[*id].body, PartType::Html(_));
        let is_blank = |id: &usize| matches!(&message.parts[*id].body, PartType::Text(text) if is_blank_text(text));
        let (html, mut plain): (Vec<usize>, Vec<usize>) = inside.found.into_iter().partition(is_html);
        plain.retain(|id| !is_blank(id));
        self.pairs.extend(plain.first().copied().zip(html.first().copied()));
        self.pairs.extend(inside.pairs);
        self.found.extend(if plain.is_empty() { html } else { plain });
        self.others.extend(inside.others);
        self.is_encrypted |= inside.is_encrypted;
    }
}

/// Whether a text is empty but for blanks and invisible characters.
fn is_blank_text(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || spelling::is_invisible(c))
}

/// What a part says it is: `text/plain`.
pub(super) fn kind(part: &MessagePart<'_>) -> String {
    match part.content_type() {
        Some(found) => format!("{}/{}", found.ctype(), found.subtype().unwrap_or("plain")).to_ascii_lowercase(),
        None if matches!(part.body, PartType::Message(_)) => "message/rfc822".to_owned(),
        None => "text/plain".to_owned(),
    }
}

fn is_attachment(part: &MessagePart<'_>) -> bool {
    part.content_disposition().is_some_and(ContentType::is_attachment)
}

fn flow(content_type: Option<&ContentType<'_>>) -> Flow {
    let is = |name: &str, value: &str| {
        content_type.and_then(|found| found.attribute(name)).is_some_and(|found| found.eq_ignore_ascii_case(value))
    };
    match (is("format", "flowed"), is("delsp", "yes")) {
        (false, _) => Flow::Fixed,
        (true, false) => Flow::Flowed,
        (true, true) => Flow::FlowedWithoutSpace,
    }
}

#[derive(Clone)]
struct Decoded {
    text: String,
    charset: String,
}

/// P3: transfer encoding, then the ladder of character sets: declared, UTF-8, windows-1252.
fn decode(part: &MessagePart<'_>, raw: &[u8]) -> Result<Decoded, NoText> {
    if part.is_encoding_problem {
        return Err(NoText::Damaged);
    }
    let named = part.content_transfer_encoding().unwrap_or("7bit").trim().to_ascii_lowercase();
    if !matches!(named.as_str(), "" | "7bit" | "8bit" | "binary" | "quoted-printable" | "base64") {
        return Err(NoText::UnknownEncoding(named.chars().filter(|c| !c.is_control()).take(40).collect()));
    }
    let body = raw.get(part.offset_body as usize..part.offset_end as usize).ok_or(NoText::Damaged)?;
    let bytes = match part.encoding {
        Encoding::None => body.to_vec(),
        Encoding::QuotedPrintable => quoted_printable_decode(body).ok_or(NoText::Damaged)?,
        Encoding::Base64 => base64_decode(body).ok_or(NoText::Damaged)?,
    };
    let declared = part.content_type().and_then(|found| found.attribute("charset")).unwrap_or("").to_ascii_lowercase();
    Ok(characters(&bytes, &declared))
}

fn characters(bytes: &[u8], declared: &str) -> Decoded {
    let is_utf8 =
        matches!(declared, "" | "utf-8" | "utf8" | "us-ascii" | "ascii" | "ansi_x3.4-1968" | "7bit" | "unknown-8bit");
    if !is_utf8 && let Some(decoder) = charset_decoder(declared.as_bytes()) {
        return Decoded { text: decoder(bytes), charset: declared.to_owned() };
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        return Decoded { text: text.to_owned(), charset: "utf-8".to_owned() };
    }
    // One bad byte, perhaps in an old signature, must not spoil the good lines: here the ladder goes line by line.
    let windows_1252 = charset_decoder(b"windows-1252").expect("the parser knows windows-1252");
    let lines: Vec<String> = bytes
        .split(|&byte| byte == b'\n')
        .map(|line| std::str::from_utf8(line).map_or_else(|_| windows_1252(line), str::to_owned))
        .collect();
    Decoded { text: lines.join("\n"), charset: "windows-1252".to_owned() }
}
