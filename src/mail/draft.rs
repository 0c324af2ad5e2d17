/*! A letter of ours, from its parts to its bytes (requirements S1 to S3 and X2).

The bytes follow from the parts alone: a letter rendered again after a crash is the same letter, byte for byte (I6).
If a letter is also sent as a page, its text comes first, as RFC 2046 requires: a mail program shows the last part
that it can show, and the text says everything.

Nothing from outside can end a header line: every value is cleaned and encoded here, and only here.
*/

use crate::letter::mailbox::Mailbox;
use crate::letter::robots::LOOP_FIELD;
use data_encoding::BASE64;
use ground::hash::sha256;
use ground::stamp::Stamp;
use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimePrinter;
use jiff::tz::TimeZone;
use std::fmt::Write;

/// S1: References names at most this many letters of a thread; clients cut longer lists in different ways.
pub const REFERENCES_MAX: usize = 20;

/// The header field with the return path of a letter; the carrier puts it on the envelope (S2). Mailing lists use the
/// same field.
pub const RETURN_FIELD: &str = "Errors-To";

/// Our display name in `From`; the game and the seat follow it.
pub const OUR_NAME: &str = "Ringmail";

/// Why a letter is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The game went on: `Auto-Submitted: auto-generated`.
    Report,
    /// It answers a letter: `auto-replied`, with an empty return path unless records are attached (RFC 3834).
    Answer,
}

/// A letter of ours before it is encoded: header values, text, page and attachments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    pub purpose: Purpose,
    pub message_id: String,
    pub date: Stamp,
    /// The mailbox of the post.
    pub ours: Mailbox,
    /// S1: exactly one player.
    pub to: Mailbox,
    pub subject: String,
    pub in_reply_to: Option<String>,
    /// The thread so far, the oldest first.
    pub references: Vec<String>,
    /// `None` in letters that belong to no game.
    pub heading: Option<Heading>,
    /// At most 72 columns wide, lines ended by LF.
    pub text: String,
    /// The same as a page, for mail programs that show one.
    pub page: Option<Page>,
    /// Pictures to keep or print; the page does not show them.
    pub images: Vec<Image>,
    /// Attachments: the records of the log that the reader does not have yet, pages to open in a browser.
    pub files: Vec<File>,
}

/// A letter in HTML, with the pictures that it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    pub html: String,
    /// Each with the identifier by which the page shows it, without brackets (RFC 2392).
    pub images: Vec<(String, Image)>,
}

/// A picture as PNG.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Its file name.
    pub name: String,
    pub png: Vec<u8>,
}

/// An attached file, byte for byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    pub kind: FileKind,
    /// Its file name: `shire-000000-000012.yaml`.
    pub name: String,
    pub bytes: Vec<u8>,
}

/// What is in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A part of the public log (log 1.5). All parts that a player has received, joined in order, are the log: every
    /// mailbox can rebuild it, and is a witness to it.
    Records,
    /// A page for a browser: a whole game, or a turn to be printed.
    Page,
}

/// Header values for the letters of one game to one reader: mail programs file letters by them, servers return
/// letters by them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// What follows our name in `From`: `shire (free)`.
    pub name: String,
    /// The game as a list: its description, and its identifier without our host (RFC 2919).
    pub list: String,
    pub list_id: String,
    /// A3: the address for answers.
    pub reply_to: Mailbox,
    /// S2: where servers return the letter to if they cannot deliver it.
    pub return_path: Mailbox,
    /// Fields of our own, in their order.
    pub fields: Vec<(&'static str, String)>,
}

impl Draft {
    /// The letter's bytes: 7-bit, lines ended by CR LF.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut header = Header::default();
        header.field("Date", &date(self.date));
        header.field("From", &format!("{} <{}>", phrase(&self.our_name()), self.ours));
        if let Some(heading) = &self.heading {
            header.field("Reply-To", &format!("<{}>", heading.reply_to));
        }
        header.field("To", &format!("<{}>", self.to));
        header.field("Subject", &encoded(&self.subject));
        header.field("Message-ID", &bracketed(&self.message_id));
        if let Some(answered) = &self.in_reply_to {
            header.field("In-Reply-To", &bracketed(answered));
        }
        if !self.references.is_empty() {
            header.field("References", &thread(&self.references));
        }
        if let Some(heading) = &self.heading {
            self.list_fields(&mut header, heading);
        }
        header.field(
            "Auto-Submitted",
            match self.purpose {
                Purpose::Report => "auto-generated",
                Purpose::Answer => "auto-replied",
            },
        );
        header.field("X-Auto-Response-Suppress", "All");
        header.field(LOOP_FIELD, &self.ours.to_string());
        header.field("MIME-Version", "1.0");
        let whole = self.whole();
        header.text.push_str(&whole.fields);
        format!("{}\r\n{}", header.text, whole.body).into_bytes()
    }

    /// The body: the text alone, or all parts as one.
    fn whole(&self) -> Part {
        let mut letter = text_part("plain", &self.text);
        if let Some(page) = &self.page {
            letter = self.several("alternative", "", vec![letter, self.page_part(page)]);
        }
        let images = self.images.iter().map(|image| attachment("image/png", &image.name, &image.png));
        let files = self.files.iter().map(|file| match file.kind {
            FileKind::Records => attachment("application/yaml", &file.name, &file.bytes),
            FileKind::Page => page_attached(&file.name, &file.bytes),
        });
        let attached: Vec<Part> = images.chain(files).collect();
        if attached.is_empty() {
            letter
        } else {
            self.several("mixed", "", [letter].into_iter().chain(attached).collect())
        }
    }

    /// RFC 2387: the page first, then what it shows.
    fn page_part(&self, page: &Page) -> Part {
        let html = text_part("html", &page.html);
        if page.images.is_empty() {
            return html;
        }
        let images = page.images.iter().map(|(cid, image)| {
            let mut header = Header::default();
            header.field("Content-Type", &format!("image/png; name=\"{}\"", image.name));
            header.field("Content-Disposition", &format!("inline; filename=\"{}\"", image.name));
            header.field("Content-ID", &bracketed(cid));
            header.field("Content-Transfer-Encoding", "base64");
            Part { fields: header.text, body: base64_lines(&image.png), is_text: false }
        });
        self.several("related", "; type=\"text/html\"", [html].into_iter().chain(images).collect())
    }

    /// Several parts as one.
    fn several(&self, kind: &str, attributes: &str, parts: Vec<Part>) -> Part {
        let boundary = self.boundary(kind);
        let mut header = Header::default();
        header.field("Content-Type", &format!("multipart/{kind}{attributes}; boundary=\"{boundary}\""));
        let mut body = String::new();
        for Part { fields, body: inside, is_text } in parts {
            // The line break before a boundary belongs to the boundary: a text gets one more, to keep its own last
            // one.
            let inside = inside.trim_end_matches("\r\n");
            let end = if is_text { "\r\n\r\n" } else { "\r\n" };
            write!(body, "--{boundary}\r\n{fields}\r\n{inside}{end}").expect("writing to a string cannot fail");
        }
        write!(body, "--{boundary}--\r\n").expect("writing to a string cannot fail");
        Part { fields: header.text, body, is_text: false }
    }

    /// RFC 2046 §5.1.1: the boundary between the parts of a kind. It follows from the Message-ID; its `=_` cannot
    /// occur in quoted-printable or base64.
    fn boundary(&self, kind: &str) -> String {
        // Letters without a page have always had this boundary, and keep it.
        let of = if kind == "mixed" { self.message_id.clone() } else { format!("{} {kind}", self.message_id) };
        format!("=_{}", &sha256(of.as_bytes()).to_string()[..32])
    }

    fn brings_records(&self) -> bool {
        self.files.iter().any(|file| file.kind == FileKind::Records)
    }

    fn our_name(&self) -> String {
        match &self.heading {
            Some(heading) => format!("{OUR_NAME} {}", heading.name),
            None => OUR_NAME.to_owned(),
        }
    }

    /// RFC 2919 and RFC 2369: mail programs can sort letters by game, and robots do not answer a list.
    ///
    /// S1: there is no `List-Post`. With it Thunderbird replies to `From` instead of `Reply-To`, because it assumes a
    /// mailing list that redirects replies to itself, and the seat's address would be lost. With `List-Post: NO` Claws
    /// Mail addresses its reply to NO.
    fn list_fields(&self, header: &mut Header, heading: &Heading) {
        let (ours, reply_to) = (&self.ours, &heading.reply_to);
        header.field("List-Id", &format!("{} <{}.{}>", phrase(&heading.list), heading.list_id, ours.host));
        header.field("List-Help", &format!("<mailto:{ours}?subject=help>"));
        header.field("List-Unsubscribe", &format!("<mailto:{reply_to}?subject=unsubscribe>"));
        // S2: if a letter with records is lost, we must learn of it. We answer nothing that a robot writes to this
        // path.
        if self.purpose == Purpose::Report || self.brings_records() {
            header.field(RETURN_FIELD, &format!("<{}>", heading.return_path));
        }
        for (name, value) in &heading.fields {
            header.field(name, value);
        }
    }
}

/// An encoded part of a letter: its header fields and its body.
struct Part {
    fields: String,
    body: String,
    is_text: bool,
}

fn text_part(kind: &str, text: &str) -> Part {
    let mut header = Header::default();
    header.field("Content-Type", &format!("text/{kind}; charset=utf-8"));
    let is_seven_bit = text.is_ascii() && text.lines().all(|line| line.len() <= 78);
    header.field("Content-Transfer-Encoding", if is_seven_bit { "7bit" } else { "quoted-printable" });
    let body =
        if is_seven_bit { text.replace('\n', "\r\n") } else { quoted_printable(text.as_bytes(), LineEnds::AsText) };
    Part { fields: header.text, body, is_text: true }
}

fn attachment(kind: &str, name: &str, bytes: &[u8]) -> Part {
    Part { fields: attached_as(kind, name, "base64"), body: base64_lines(bytes), is_text: false }
}

/// A page is mostly base64 already; a second base64 would add another third. Its line ends are encoded, so that no
/// mail program changes a byte of it.
fn page_attached(name: &str, bytes: &[u8]) -> Part {
    let fields = attached_as("text/html; charset=utf-8", name, "quoted-printable");
    Part { fields, body: quoted_printable(bytes, LineEnds::Encoded), is_text: false }
}

fn attached_as(kind: &str, name: &str, encoding: &str) -> String {
    let mut header = Header::default();
    header.field("Content-Type", &format!("{kind}; name=\"{name}\""));
    header.field("Content-Disposition", &format!("attachment; filename=\"{name}\""));
    header.field("Content-Transfer-Encoding", encoding);
    header.text
}

#[derive(Default)]
struct Header {
    text: String,
}

impl Header {
    /// X2: one field. Control characters and characters beyond ASCII become spaces, so that nothing ends the line
    /// early; long values are folded at spaces.
    fn field(&mut self, name: &str, value: &str) {
        let clean: String = value.chars().map(|c| if c.is_control() || !c.is_ascii() { ' ' } else { c }).collect();
        self.text.push_str(name);
        self.text.push(':');
        let mut column = name.len() + 1;
        for word in clean.split(' ').filter(|word| !word.is_empty()) {
            if column + 1 + word.len() > 78 && column > name.len() + 1 {
                self.text.push_str("\r\n");
                column = 0;
            }
            self.text.push(' ');
            self.text.push_str(word);
            column += 1 + word.len();
        }
        self.text.push_str("\r\n");
    }
}

fn date(stamp: Stamp) -> String {
    let second: Timestamp = stamp.as_str().parse().expect("a stamp is a second of universal time");
    let printed = DateTimePrinter::new().zoned_to_string(&second.to_zoned(TimeZone::UTC));
    printed.expect("the years of stamps have four digits")
}

/// An identifier from outside may be anything: only the characters that an identifier may have are kept.
fn bracketed(id: &str) -> String {
    let inside: String = id.chars().filter(|c| c.is_ascii_graphic() && !matches!(c, '<' | '>')).take(400).collect();
    format!("<{inside}>")
}

/// The thread: its root and its newest letters.
fn thread(references: &[String]) -> String {
    let newest = references.len().saturating_sub(REFERENCES_MAX - 1).max(1);
    let kept = references.iter().take(1).chain(references.iter().skip(newest));
    kept.map(|id| bracketed(id)).collect::<Vec<String>>().join(" ")
}

/// RFC 2047: words that are not plain ASCII are encoded, at most 75 characters each.
fn encoded(value: &str) -> String {
    let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if value.is_ascii() && !value.contains("=?") {
        return value;
    }
    let mut words: Vec<String> = Vec::new();
    let mut chunk = String::new();
    for c in value.chars() {
        // 45 bytes are 60 letters of base64; with =?utf-8?B? and ?= that makes 72.
        if chunk.len() + c.len_utf8() > 45 {
            words.push(std::mem::take(&mut chunk));
        }
        chunk.push(c);
    }
    words.push(chunk);
    let encode = |word: &String| format!("=?utf-8?B?{}?=", BASE64.encode(word.as_bytes()));
    words.iter().map(encode).collect::<Vec<String>>().join(" ")
}

/// A display name: in quotation marks if it is ASCII, encoded otherwise.
fn phrase(name: &str) -> String {
    let name: String = name.chars().filter(|c| !matches!(c, '"' | '\\')).collect();
    if name.is_ascii() { format!("\"{name}\"") } else { encoded(&name) }
}

/// RFC 2045 §6.8, in lines of 76 columns.
fn base64_lines(bytes: &[u8]) -> String {
    bytes.chunks(57).map(|line| BASE64.encode(line) + "\r\n").collect()
}

/// How the ends of lines are written in quoted-printable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineEnds {
    /// As CR LF, which a mail program may turn into the line ends of its machine.
    AsText,
    /// As `=0A`: a file keeps the bytes of its line ends.
    Encoded,
}

/// RFC 2045 §6.7, with soft breaks before column 76.
fn quoted_printable(text: &[u8], ends: LineEnds) -> String {
    let mut encoded = String::with_capacity(text.len() + text.len() / 8);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let (content, end) = match (line.strip_suffix(b"\n"), ends) {
            (Some(content), LineEnds::AsText) => (content, "\r\n"),
            (_, LineEnds::Encoded) => (line, ""),
            (None, LineEnds::AsText) => (line, ""),
        };
        if ends == LineEnds::Encoded && !encoded.is_empty() {
            encoded.push_str("=\r\n");
        }
        let mut column = 0;
        for (index, byte) in content.iter().enumerate() {
            let is_last = index + 1 == content.len();
            let is_plain = match byte {
                b' ' | b'\t' => !is_last,
                // Programs that keep letters one after another in a file would change `From ` at the start of a line.
                b'F' if ends == LineEnds::Encoded => !content[index..].starts_with(b"From "),
                byte => byte.is_ascii_graphic() && *byte != b'=',
            };
            let width = if is_plain { 1 } else { 3 };
            if column + width > 75 {
                encoded.push_str("=\r\n");
                column = 0;
            }
            column += width;
            if is_plain {
                encoded.push(char::from(*byte))
            } else {
                write!(encoded, "={byte:02X}").expect("writing to a string cannot fail")
            }
        }
        encoded.push_str(end);
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;
    use mail_parser::MessageParser;

    fn draft() -> Draft {
        Draft {
            purpose: Purpose::Report,
            message_id: "<g7.412.ab.free@play.example>".to_owned(),
            date: Stamp::parse("2026-11-20T07:12:09Z").unwrap(),
            ours: Mailbox::read("box@play.example").unwrap(),
            to: Mailbox::read("frodo@shire.example").unwrap(),
            subject: "[g7 #412 f7a021810afa] Your move: Barad-dûr, or not; and a subject that is longer than a line"
                .to_owned(),
            in_reply_to: Some("CAF8x7LqT0mZ@mail.gmail.example".to_owned()),
            references: vec!["<root@play.example>".to_owned()],
            heading: Some(Heading {
                name: "g7 (free)".to_owned(),
                list: "Risk: The Lord of the Rings g7".to_owned(),
                list_id: "g7".to_owned(),
                return_path: Mailbox::read("box+bounce.g7.free.k@play.example").unwrap(),
                reply_to: Mailbox::read("box+g7.free.abcdefghij@play.example").unwrap(),
                fields: vec![
                    ("X-Ringmail-Game", "g7".to_owned()),
                    ("X-Ringmail-Seat", "free".to_owned()),
                    ("X-Ringmail-Seq", "412".to_owned()),
                    ("X-Ringmail-Share", "a share of a test".to_owned()),
                ],
            }),
            text: "The Dark Lord waits at Barad-dûr.\n\n.\nFrom here = there.\n".to_owned(),
            page: None,
            images: Vec::new(),
            files: Vec::new(),
        }
    }

    fn records(bytes: &[u8]) -> File {
        File { kind: FileKind::Records, name: "g7-000003-000042.yaml".to_owned(), bytes: bytes.to_vec() }
    }

    #[test]
    fn a_game_as_a_page_comes_along_byte_for_byte() {
        let html = format!("<p> \t\nFrom Barad-d\u{fb}r = 1 \n\r\n.\n{}</p>", "a b=".repeat(60));
        for html in [html.clone(), html + "\n", "\n\n".to_owned()] {
            let game = File { kind: FileKind::Page, name: "g7.html".to_owned(), bytes: html.clone().into_bytes() };
            let letter = Draft { files: vec![records(b"---\n...\n"), game], ..draft() }.to_bytes();
            let message = MessageParser::default().parse(&letter).unwrap();
            assert_eq!(message.body_text(0).unwrap().replace("\r\n", "\n"), draft().text);
            let attached = message.attachment(1).unwrap();
            assert_eq!(mail_parser::MimeHeaders::attachment_name(attached), Some("g7.html"));
            assert_eq!(std::str::from_utf8(attached.contents()).unwrap(), html);
            let letter = String::from_utf8(letter).unwrap();
            let (_, parts) = letter.split_once("\r\n\r\n").unwrap();
            assert!(parts.lines().all(|line| line.len() <= 78));
        }
    }

    #[test]
    fn the_log_comes_along_byte_for_byte() {
        let bytes = "---\nseq: 3\nsaid: \"Udûn\"\n...\n".repeat(40).into_bytes();
        let letter = Draft { files: vec![records(&bytes)], ..draft() }.to_bytes();
        let message = MessageParser::default().parse(&letter).unwrap();
        assert_eq!(message.body_text(0).unwrap().replace("\r\n", "\n"), draft().text);
        let attached = message.attachment(0).unwrap();
        assert_eq!(attached.contents(), bytes);
        let name = mail_parser::MimeHeaders::attachment_name(attached);
        assert_eq!(name, Some("g7-000003-000042.yaml"));
        let letter = String::from_utf8(letter).unwrap();
        let (_, parts) = letter.split_once("\r\n\r\n").unwrap();
        assert!(parts.lines().all(|line| line.len() <= 78));
    }

    #[test]
    fn a_page_comes_beside_the_text_with_what_it_shows() {
        let image = |name: &str, byte| Image { name: name.to_owned(), png: vec![byte; 200] };
        let html = "<html><body><img src=\"cid:map.1@ringmail\">Barad-dûr</body></html>\n".to_owned();
        let page = Some(Page { html: html.clone(), images: vec![("map.1@ringmail".to_owned(), image("map.png", 1))] });
        let files = vec![records(b"---\n...\n")];
        let draft = Draft { page, files, images: vec![image("to-print.png", 2)], ..draft() };
        let letter = draft.to_bytes();
        assert_eq!(letter, draft.to_bytes());
        let message = MessageParser::default().parse(&letter).unwrap();
        assert_eq!(message.body_text(0).unwrap().replace("\r\n", "\n"), draft.text);
        assert_eq!(message.body_html(0).unwrap().replace("\r\n", "\n"), html);
        let kinds = message.parts.iter().map(|part| {
            let kind = mail_parser::MimeHeaders::content_type(part).expect("it says what it is");
            format!("{}/{}", kind.ctype(), kind.subtype().unwrap_or_default())
        });
        let expected = [
            "multipart/mixed",
            "multipart/alternative",
            "text/plain",
            "multipart/related",
            "text/html",
            "image/png",
            "image/png",
            "application/yaml",
        ];
        assert_eq!(kinds.collect::<Vec<String>>(), expected);
        let shown = mail_parser::MimeHeaders::content_id(&message.parts[5]);
        assert_eq!((shown, message.parts[5].contents()), (Some("map.1@ringmail"), &[1; 200][..]));
        let letter = String::from_utf8(letter).unwrap();
        let (_, parts) = letter.split_once("\r\n\r\n").unwrap();
        assert!(parts.lines().all(|line| line.len() <= 78));
    }

    #[test]
    fn s1_a_letter_is_what_it_should_be() {
        let bytes = draft().to_bytes();
        let text = String::from_utf8(bytes).unwrap();
        let (header, body) = text.split_once("\r\n\r\n").unwrap();
        assert_eq!(
            header.replace("\r\n", "\n"),
            "Date: Fri, 20 Nov 2026 07:12:09 +0000\n\
             From: \"Ringmail g7 (free)\" <box@play.example>\n\
             Reply-To: <box+g7.free.abcdefghij@play.example>\n\
             To: <frodo@shire.example>\n\
             Subject: =?utf-8?B?W2c3ICM0MTIgZjdhMDIxODEwYWZhXSBZb3VyIG1vdmU6IEJhcmFkLWTDu3Is?=\n \
             =?utf-8?B?IG9yIG5vdDsgYW5kIGEgc3ViamVjdCB0aGF0IGlzIGxvbmdlciB0aGFuIGEg?=\n \
             =?utf-8?B?bGluZQ==?=\n\
             Message-ID: <g7.412.ab.free@play.example>\n\
             In-Reply-To: <CAF8x7LqT0mZ@mail.gmail.example>\n\
             References: <root@play.example>\n\
             List-Id: \"Risk: The Lord of the Rings g7\" <g7.play.example>\n\
             List-Help: <mailto:box@play.example?subject=help>\n\
             List-Unsubscribe: <mailto:box+g7.free.abcdefghij@play.example?subject=unsubscribe>\n\
             Errors-To: <box+bounce.g7.free.k@play.example>\n\
             X-Ringmail-Game: g7\n\
             X-Ringmail-Seat: free\n\
             X-Ringmail-Seq: 412\n\
             X-Ringmail-Share: a share of a test\n\
             Auto-Submitted: auto-generated\n\
             X-Auto-Response-Suppress: All\n\
             X-Ringmail-Loop: box@play.example\n\
             MIME-Version: 1.0\n\
             Content-Type: text/plain; charset=utf-8\n\
             Content-Transfer-Encoding: quoted-printable"
        );
        assert_eq!(body, "The Dark Lord waits at Barad-d=C3=BBr.\r\n\r\n.\r\nFrom here =3D there.\r\n");
    }

    #[test]
    fn s3_a_reader_sees_what_was_written() {
        let draft = draft();
        let bytes = draft.to_bytes();
        assert!(bytes.is_ascii());
        let message = MessageParser::default().parse(&bytes).unwrap();
        assert_eq!(message.subject(), Some(draft.subject.as_str()));
        assert_eq!(message.body_text(0).unwrap().replace("\r\n", "\n"), draft.text);
        assert_eq!(message.message_id(), Some("g7.412.ab.free@play.example"));
    }

    #[test]
    fn x2_nothing_from_outside_becomes_a_header() {
        let mut draft = draft();
        draft.subject = "Hello\r\nBcc: everybody@example\r\n\r\nbody".to_owned();
        draft.in_reply_to = Some("a@b>\r\nBcc: <c@d".to_owned());
        draft.references = vec!["x\r\n y".to_owned()];
        let bytes = draft.to_bytes();
        let message = MessageParser::default().parse(&bytes).unwrap();
        assert!(message.bcc().is_none());
        assert_eq!(message.subject(), Some("Hello Bcc: everybody@example body"));
        assert_eq!(bytes, draft.to_bytes());
    }

    #[test]
    fn s1_a_long_thread_keeps_its_root_and_its_newest() {
        let ids: Vec<String> = (0..50).map(|n| format!("<{n}@play.example>")).collect();
        let thread = thread(&ids);
        let kept: Vec<&str> = thread.split(' ').collect();
        assert_eq!(
            (kept.len(), kept[0], kept[1], kept[19]),
            (20, "<0@play.example>", "<31@play.example>", "<49@play.example>")
        );
    }
}
