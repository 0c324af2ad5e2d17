/*! A letter of ours, from its parts to its bytes (requirements S1 to S3 and X2).

The bytes follow from the parts alone: a letter rendered again after a crash is the same letter, byte for byte (I6).
If a letter is also sent as a page, its text comes first, as RFC 2046 requires: a mail program shows the last part
that it can show, and the text says everything.

lettre folds, encodes and joins. Nothing from outside can end a header line: every value is cleaned here, and only here.
*/

use crate::letter::mailbox::Mailbox;
use crate::letter::robots::LOOP_FIELD;
use ground::hash::sha256;
use ground::stamp::Stamp;
use lettre::message::header::{ContentTransferEncoding, ContentType, HeaderName, HeaderValue, Headers};
use lettre::message::{Attachment, Body, MultiPart, SinglePart};
use std::iter;

/// S1: References names at most this many letters of a thread; clients cut longer lists in different ways.
pub const REFERENCES_MAX: usize = 20;

/// The header field with the return path of a letter; the carrier puts it on the envelope (S2). Mailing lists use the
/// same field.
pub const RETURN_FIELD: &str = "Errors-To";

/// Our display name in `From`; the game and the seat follow it.
pub const OUR_NAME: &str = "Ringmail";

/// RFC 5322 §3.2.3: these stand in a display name only between quotation marks.
const SPECIALS: [char; 13] = ['(', ')', '<', '>', '[', ']', ':', ';', '@', '\\', ',', '.', '"'];

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
    /// What vouches for the records (log 10.6). It is no text, which mail programs would show in the letter.
    Check,
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
        header.field("Date", &self.date.timestamp().strftime("%a, %d %b %Y %H:%M:%S +0000").to_string());
        header.field("From", &format!("{} <{}>", phrase(&self.our_name()), self.ours));
        if let Some(heading) = &self.heading {
            header.field("Reply-To", &format!("<{}>", heading.reply_to));
        }
        header.field("To", &format!("<{}>", self.to));
        // Nothing may pass for an encoded word that is none (RFC 2047).
        header.field("Subject", &self.subject.replace("=?", "= ?"));
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
        let whole = match self.whole() {
            Part::Several(parts) => parts.formatted(),
            // lettre adds a line break, which would be an empty line below the text.
            Part::One(text) => text.formatted().strip_suffix(b"\r\n").expect("a part ends its line").to_vec(),
        };
        [header.0.to_string().into_bytes(), whole].concat()
    }

    /// The body: the text alone, or all parts as one.
    fn whole(&self) -> Part {
        let text = text_part(ContentType::TEXT_PLAIN, &self.text);
        let letter = match &self.page {
            Some(page) => self.several("alternative", [text, self.page_part(page)]),
            None => text,
        };
        let images = self.images.iter().map(|Image { name, png }| attachment(name, "image/png", in_base64(png)));
        let files = self.files.iter().map(|File { kind, name, bytes }| match kind {
            FileKind::Records => attachment(name, "application/yaml", in_base64(bytes)),
            FileKind::Page => attachment(name, "text/html; charset=utf-8", quoted(bytes)),
            FileKind::Check => attachment(name, "application/octet-stream", in_base64(bytes)),
        });
        let attached: Vec<Part> = images.chain(files).collect();
        if attached.is_empty() { letter } else { self.several("mixed", iter::once(letter).chain(attached)) }
    }

    /// RFC 2387: the page first, then what it shows.
    fn page_part(&self, page: &Page) -> Part {
        let html = text_part(ContentType::TEXT_HTML, &page.html);
        if page.images.is_empty() {
            return html;
        }
        let images = page.images.iter().map(|(cid, image)| {
            let shown = Attachment::new_inline_with_name(cid.clone(), image.name.clone());
            Part::One(shown.body(in_base64(&image.png), named("image/png", &image.name)))
        });
        self.several("related; type=\"text/html\"", iter::once(html).chain(images))
    }

    /// Several parts as one. RFC 2046 §5.1.1: the boundary between them follows from the Message-ID; its `=_` cannot
    /// occur in quoted-printable or base64.
    fn several(&self, kind: &str, parts: impl IntoIterator<Item = Part>) -> Part {
        let boundary = &sha256(format!("{} {kind}", self.message_id).as_bytes()).to_string()[..32];
        let several =
            MultiPart::builder().header(content_type(&format!("multipart/{kind}; boundary=\"=_{boundary}\"")));
        Part::Several(parts.into_iter().fold(several.build(), |several, part| match part {
            Part::One(part) => several.singlepart(part),
            Part::Several(parts) => several.multipart(parts),
        }))
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

/// A part of a letter.
enum Part {
    One(SinglePart),
    Several(MultiPart),
}

fn content_type(kind: &str) -> ContentType {
    ContentType::parse(kind).expect("the kinds of our parts are well-formed")
}

/// Some mail programs do not know how lettre writes a long name in Content-Disposition (RFC 2231).
fn named(kind: &str, name: &str) -> ContentType {
    content_type(&format!("{kind}; name=\"{name}\""))
}

fn text_part(kind: ContentType, text: &str) -> Part {
    let part = SinglePart::builder().header(kind);
    // lettre would choose base64 for a text with many letters beyond ASCII; filters of spam distrust that.
    let part = if text.is_ascii() { part } else { part.header(ContentTransferEncoding::QuotedPrintable) };
    Part::One(part.body(text.to_owned()))
}

fn attachment(name: &str, kind: &str, body: Body) -> Part {
    Part::One(Attachment::new(name.to_owned()).body(body, named(kind, name)))
}

/// lettre would leave ASCII as it is, and a mail program would change its line ends.
fn in_base64(bytes: &[u8]) -> Body {
    encoded(bytes, ContentTransferEncoding::Base64)
}

/// A page is mostly base64 already; a second base64 would add another third. Programs that keep letters one after
/// another in a file would change `From ` at the start of a line.
fn quoted(bytes: &[u8]) -> Body {
    let page = encoded(bytes, ContentTransferEncoding::QuotedPrintable).into_vec();
    let page = String::from_utf8(page).expect("quoted-printable is ASCII").replace("\nFrom ", "\n=46=\r\nrom ");
    Body::dangerous_pre_encoded(page.into_bytes(), ContentTransferEncoding::QuotedPrintable)
}

fn encoded(bytes: &[u8], encoding: ContentTransferEncoding) -> Body {
    Body::new_with_encoding(bytes.to_vec(), encoding).expect("all bytes can be written so")
}

#[derive(Default)]
struct Header(Headers);

impl Header {
    /// X2: one field. Control characters become spaces, so that nothing ends the line early.
    fn field(&mut self, name: &'static str, value: &str) {
        let words = value.split(|c: char| c == ' ' || c.is_control()).filter(|word| !word.is_empty());
        let clean = words.collect::<Vec<&str>>().join(" ");
        self.0.insert_raw(HeaderValue::new(HeaderName::new_from_ascii_str(name), clean));
    }
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

/// A display name: in quotation marks if it is ASCII; otherwise its words are encoded, which must not be done between
/// quotation marks (RFC 2047 §5).
fn phrase(name: &str) -> String {
    if name.is_ascii() { format!("\"{}\"", name.replace(['"', '\\'], "")) } else { name.replace(SPECIALS, " ") }
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
             Subject: [g7 #412 f7a021810afa] Your move: =?utf-8?b?QmFyYWQtZMO7ciw=?= or\n \
             not; and a subject that is longer than a line\n\
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
    fn s3_what_is_not_ascii_is_read_back_wherever_it_stands() {
        let mut draft = draft();
        draft.subject = format!("=?utf-8?q?x?= {}Mord\u{f6}r", "Udûn und Barad-dûr ".repeat(9));
        draft.text = "Лотр — ┌──┐\r\n\tдалеко =41 \n".repeat(9) + &"─".repeat(99);
        let heading = draft.heading.as_mut().unwrap();
        (heading.name, heading.list) = ("g7 (\"Königin\")".to_owned(), "Mühle: g7".to_owned());
        let page = "=\nFrom \t\r\n".repeat(9) + &"From ".repeat(99);
        let name = "a-name-too-long-for-its-line-000003-000042.yaml";
        draft.files = vec![
            File { name: name.to_owned(), ..records(b"a: 1\n") },
            File { kind: FileKind::Page, name: "g7.html".to_owned(), bytes: page.clone().into_bytes() },
        ];
        let bytes = draft.to_bytes();
        assert!(bytes.is_ascii());
        let letter = String::from_utf8_lossy(&bytes);
        let (_, parts) = letter.split_once("\r\n\r\n").unwrap();
        assert!(parts.lines().all(|line| line.len() <= 78 && !line.starts_with("From ")));
        let message = MessageParser::default().parse(&bytes).unwrap();
        assert_eq!(message.subject().unwrap(), draft.subject.replacen("=?", "= ?", 1));
        assert_eq!(message.body_text(0).unwrap().replace("\r\n", "\n"), draft.text.replace("\r\n", "\n"));
        let author = message.from().and_then(|from| from.first()).unwrap();
        assert_eq!((author.name(), author.address()), (Some("Ringmail g7 Königin"), Some("box@play.example")));
        assert_eq!(message.header_raw("List-Id").unwrap().trim(), "=?utf-8?b?TcO8aGxl?= g7 <g7.play.example>");
        assert_eq!(mail_parser::MimeHeaders::attachment_name(message.attachment(0).unwrap()), Some(name));
        assert_eq!(message.attachment(0).unwrap().contents(), b"a: 1\n");
        assert_eq!(String::from_utf8_lossy(message.attachment(1).unwrap().contents()), page);
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
