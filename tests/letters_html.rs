/*! Letters as pages: a page says what the text says, offers only what is understood, tells no secret, and if a reply
quotes it in the manner of any mail program, only the writer's own lines are played.
*/

use crate::house::field;
use crate::letters_desk::{Waiting, waiting};
use engine::chance::Practice;
use engine::need::Need;
use engine::practice::Table;
use engine::seat::Seat;
use engine::slot::{Card, Faces};
use engine::title::{Setup, Title};
use mail::letter::html;
use mail_parser::{Message, MessageParser, MimeHeaders};
use report::html::{Form, Look, Pictures};
use report::letter::{Letter, looking};
use report::occasion::{Occasion, Setting, Waits, entry_news};
use report::offered::Offers;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const ADDRESS: &str = "box+g1.free.abcdefghij@play.example";
const WITHOUT_PICTURES: Look = Look { form: Form::Html, pictures: Pictures::Off };
const WITH_PICTURES: Look = Look { form: Form::Html, pictures: Pictures::On };
const ON_PAPER: Look = Look { form: Form::Html, pictures: Pictures::Print };

fn page(letter: &Letter) -> String {
    letter.html.as_ref().expect("it is a page").document()
}

fn occasion(table: &Table, title: &'static Title, setup: &Setup, reader: Seat, faces: &Faces) -> Occasion {
    let players = ["Anna & <Anton>", "Boris", "Chloé", "Dagný"].map(str::to_owned);
    let (head, game) = ("9c1e0a77".repeat(8), &*table.game);
    let setting = Setting { id: "g1", title, setup, players: &players[..setup.seats.len()], seq: 57, head: &head };
    let mut occasion = setting.look(game, Some(reader), faces);
    occasion.fingerprint = ["grid", "creek"].repeat(6).into_iter().map(str::to_owned).collect();
    occasion.news = vec![entry_news(game, 57, Some(reader), &faces.of(&game.hand(reader)))];
    occasion
}

/// The faces with every card that the reader may not see replaced by another one.
fn otherwise(table: &Table, reader: Seat, others: impl Fn(u8) -> u16) -> Faces {
    let own = table.game.hand(reader);
    let mut faces = Faces::default();
    for (slot, card) in table.faces.iter() {
        faces.learn(slot, if own.contains(&slot) { card } else { Card(others(slot.deck.0)) });
    }
    faces
}

/// The words of a text.
fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// The words of the text that the page lacks; only words about its layout may be missing.
fn lacks(letter: &Letter) -> Vec<String> {
    let shown: Vec<String> = html::lines(&page(letter)).into_iter().map(|line| line.text).collect();
    let shown = words(&shown.join("\n"));
    // The order form, and the legend of the table.
    let known = words("order form copy it to the top and fill it in one sentence a line after");
    // The text may have to break a long word in two.
    let is_shown = |word: &String| shown.iter().any(|whole| whole.contains(word.as_str()));
    words(&letter.text).into_iter().filter(|word| !is_shown(word) && !known.contains(word)).collect()
}

#[track_caller]
fn is_sound(document: &str) {
    assert!(document.len() < 90_000, "{} bytes", document.len());
    let lower = document.to_lowercase();
    let never = [
        "<script",
        "http:",
        "https:",
        "src=\"/",
        "url(",
        "@import",
        "display:none",
        "visibility",
        "&amp;#",
        "&amp;lt;",
    ];
    for never in never {
        assert!(!lower.contains(never), "{never}: {document}");
    }
    assert_eq!(lower.matches("<div").count(), lower.matches("</div>").count(), "{document}");
    assert_eq!(lower.matches("<p").count(), lower.matches("</p>").count() + lower.matches("<pre").count());
}

/// Checks that the menu reads every whole sentence that a page offers.
fn are_understood(table: &Table, occasion: &Occasion, reader: Seat) -> usize {
    let Waits::Reader { choices, .. } = &occasion.waits else { return 0 };
    let offers = Offers::of(choices);
    let mut count = 0;
    for offered in &offers.lines {
        let own = (!offered.form.contains(['<', '…', '|'])).then_some(&offered.form);
        for sentence in offered.ready.iter().map(|ready| &ready.sentence).chain(own) {
            let read = table.game.read(reader, sentence, &table.faces);
            assert!(read.is_ok(), "`{sentence}` of `{}`: {:?}", offered.line, read.err());
            count += 1;
        }
    }
    count
}

fn plays(title: &'static Title, setup: &Setup, seed: u64, others: impl Fn(u8) -> u16) {
    let mut chance = Practice::new(seed);
    let mut table = Table::new(title, setup, &mut chance).unwrap();
    let mut offered = 0;
    for round in 0..420_usize {
        if let (Need::Question(asked), 0) = (table.game.need(), round % 5) {
            let occasion = occasion(&table, title, setup, asked.seat, &table.faces);
            offered += are_understood(&table, &occasion, asked.seat);
        }
        if round % 21 == 0 {
            let reader = Seat::at(round / 21 % setup.seats.len());
            let look = match round % 210 {
                0 => WITH_PICTURES,
                105 => ON_PAPER,
                _ => WITHOUT_PICTURES,
            };
            let to = |faces| looking(&occasion(&table, title, setup, reader, faces), ADDRESS, look, None);
            let letter = to(&table.faces);
            is_sound(&page(&letter));
            assert_eq!(lacks(&letter), Vec::<String>::new(), "{}\n{}", letter.text, page(&letter));
            assert_eq!(letter.sheet.is_some(), look == ON_PAPER);
            // The map, the sheet and everything else are the same to the byte.
            assert_eq!(letter, to(&otherwise(&table, reader, &others)), "a secret is told");
        }
        table.game.forget_news();
        if table.play_anything(&mut chance).is_none() {
            break;
        }
    }
    assert!(offered > 50, "{offered}");
}

fn war() -> Setup {
    let seats = ["free", "shadow"].map(str::to_owned).into();
    Setup { edition: wotr::EDITIONS[0].to_owned(), seats, options: Vec::new() }
}

#[test]
fn a_page_of_the_war_says_what_the_text_says_and_offers_what_is_understood() {
    for seed in 0..2 {
        plays(&wotr::title::TITLE, &war(), seed, |deck| u16::from(deck) * 24 + 23);
    }
}

#[test]
fn a_page_of_risk_says_what_the_text_says_and_offers_what_is_understood() {
    for (seed, players) in [(3, 2), (4, 4)] {
        let seats = risk::title::TITLE.seats(players).unwrap().into_iter().map(str::to_owned).collect();
        let setup = Setup { edition: risk::EDITION.to_owned(), seats, options: Vec::new() };
        plays(&risk::title::TITLE, &setup, seed, |deck| if deck == 0 { 65 } else { 67 });
    }
}

/// Compares a page with its file in `tests/pages/`; `RINGMAIL_BLESS=1` writes it anew.
#[track_caller]
fn stands(name: &str, document: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages").join(name);
    if std::env::var_os("RINGMAIL_BLESS").is_some() {
        fs::write(&path, document).expect("the page is written");
    }
    assert_eq!(document, fs::read_to_string(&path).expect("the page was written once"), "{name}");
}

#[test]
fn pages_stand_as_they_were_looked_at() {
    let lines: Vec<(&str, &str)> = crate::wotr_letters::WAR.into_iter().chain([("step", "free go")]).collect();
    let (game, faces) = wotr::position::begin(&war(), &lines).unwrap();
    let table = Table { game, faces };
    let occasion = occasion(&table, &wotr::title::TITLE, &war(), Seat::at(0), &table.faces);
    stands("wotr-a-go.html", &page(&looking(&occasion, ADDRESS, WITH_PICTURES, None)));
    let asked = crate::report::sample();
    stands("risk-asked.html", &page(&looking(&asked, ADDRESS, WITH_PICTURES, None)));
    for letter in [looking(&occasion, ADDRESS, WITH_PICTURES, None), looking(&asked, ADDRESS, WITH_PICTURES, None)] {
        is_sound(&page(&letter));
        let [picture] = letter.pictures.as_slice() else { panic!("one picture") };
        assert!(page(&letter).contains(&format!("cid:{}\"", picture.cid.as_ref().unwrap())));
    }
    // A question about one place shows its surroundings.
    assert_ne!(
        looking(&asked, ADDRESS, WITH_PICTURES, Some("gondor")).pictures,
        looking(&asked, ADDRESS, WITH_PICTURES, None).pictures
    );
}

fn parsed(raw: &[u8]) -> Message<'_> {
    MessageParser::default().parse(raw).expect("a letter")
}

fn kinds(raw: &str) -> Vec<String> {
    let kind = |part: &mail_parser::MessagePart<'_>| {
        part.content_type().map(|kind| format!("{}/{}", kind.ctype(), kind.subtype().unwrap_or_default()))
    };
    // Records of the log may be attached.
    let kinds = parsed(raw.as_bytes()).parts.iter().filter_map(kind).collect::<Vec<String>>();
    let is_of_log = |kind: &String| kind == "application/yaml" || kind == "multipart/mixed";
    kinds.into_iter().filter(|kind| !is_of_log(kind)).collect()
}

fn document(raw: &str) -> String {
    parsed(raw.as_bytes()).body_html(0).expect("it has a page").into_owned()
}

/// A war that waits for an action; the asked player gets his letters as pages.
fn asked_in_html(title: &str, question: &str, wishes: &str) -> Waiting {
    let mut waiting = waiting(title, question, |_| None);
    waiting.asks_again(wishes);
    waiting
}

#[test]
fn s5_a_player_sets_how_his_letters_look() {
    let mut waiting = asked_in_html("wotr", "action", "letters html\nmenu\n");
    let alone = ["multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png"];
    assert_eq!(kinds(&waiting.letter), alone);
    let picture = parsed(waiting.letter.as_bytes());
    let png = picture.parts.iter().find(|part| part.content_id().is_some()).expect("a picture");
    let cid = png.content_id().unwrap().to_owned();
    assert!(png.contents().starts_with(b"\x89PNG") && png.contents().len() < 200_000, "{}", png.contents().len());
    assert!(document(&waiting.letter).contains(&format!("src=\"cid:{cid}\"")));
    is_sound(&document(&waiting.letter));
    // The same request from a copy of the game gives the same bytes.
    let raw = waiting.answer("", "status\n");
    assert_eq!(waiting.receives(&raw).answer, waiting.receives(&raw).answer);
    waiting.asks_again("pictures off\n");
    assert_eq!(kinds(&waiting.letter), ["multipart/alternative", "text/plain", "text/html"]);
    waiting.asks_again("pictures print\n");
    let printed = alone.iter().chain(&["text/html"]).copied().collect::<Vec<&str>>();
    assert_eq!(kinds(&waiting.letter), printed);
    let letter = parsed(waiting.letter.as_bytes());
    let sheet = letter.attachments().find(|part| part.attachment_name().is_some_and(|name| name.ends_with(".html")));
    let sheet = String::from_utf8(sheet.expect("a sheet to print").contents().to_vec()).unwrap();
    for part in ["size: A4 landscape", "<svg ", "THE TABLE", "YOUR HAND", "WHAT YOU MAY SAY", "YOUR ANSWER"] {
        assert!(sheet.contains(part), "{part}: {sheet}");
    }
    assert!(!sheet.contains("mailto:") && !sheet.contains("https:") && !sheet.contains("<script"));
    waiting.asks_again("letters text\npictures on\n");
    assert_eq!(kinds(&waiting.letter), ["text/plain"]);
    // A part of the map is drawn for a player who asks for it, even if his letters are plain text.
    waiting.asks_again("map gondor\n");
    assert_eq!(kinds(&waiting.letter), ["text/plain", "image/png"]);
    let refused = waiting.says("map narnia\n");
    assert!(refused.told().contains("`narnia` is no place on the map"), "{}", refused.told());
}

/// The content of the body element: mail programs remove our head or move it.
fn inside(document: &str) -> String {
    let start = document.find("<body>").expect("a body") + "<body>".len();
    document[start..document.find("</body>").expect("its end")].replace("cid:", "cid:inline-")
}

/// An answer with our page quoted below it, in the manner of this mail program: its HTML, and its plain text.
fn quoting(program: &str, sentence: &str, document: &str) -> (String, String) {
    let page = inside(document);
    let lines: Vec<String> = html::lines(&page).into_iter().map(|line| line.text).collect();
    let (bare, marked) = (lines.join("\n"), lines.iter().map(|line| format!("> {line}\n")).collect::<String>());
    let ours = "Ringmail g7 (free) <box@play.example>";
    let shown = "Ringmail g7 (free) &lt;<a href=\"mailto:box@play.example\">box@play.example</a>&gt;";
    match program {
        "gmail" => (
            format!(
                "<div dir=\"ltr\">{sentence}</div><br><div class=\"gmail_quote gmail_quote_container\"><div \
                 dir=\"ltr\" class=\"gmail_attr\">On Tue, 24 Nov 2026 at 08:02, {shown} wrote:<br></div><blockquote \
                 class=\"gmail_quote\" style=\"margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);\
                 padding-left:1ex\"><u></u>{page}</blockquote></div>"
            ),
            format!("{sentence}\n\nOn Tue, 24 Nov 2026 at 08:02, {ours} wrote:\n\n{marked}"),
        ),
        "outlook" => (
            format!(
                "<html><head><style>p.MsoNormal {{margin:0cm}}</style></head><body lang=\"EN\" link=\"blue\"><div \
                 class=\"WordSection1\"><p class=\"MsoNormal\">{sentence}<o:p></o:p></p><p class=\"MsoNormal\">\
                 <o:p>&nbsp;</o:p></p><div><div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm \
                 0cm 0cm'><p class=\"MsoNormal\"><b>From:</b> {shown} <br><b>Sent:</b> Tuesday, November 24, 2026 8:02 \
                 AM<br><b>To:</b> Anna<br><b>Subject:</b> [g7 #3] Your move</p></div></div>{page}</div></body></html>"
            ),
            format!(
                "{sentence}\n\nFrom: {ours}\nSent: Tuesday, November 24, 2026 8:02 AM\nTo: Anna\nSubject: [g7 #3] \
                 Your move\n\n{bare}"
            ),
        ),
        "outlook-web" => (
            format!(
                "<div class=\"elementToProof\">{sentence}</div><div id=\"appendonsend\"></div><hr \
                 style=\"display:inline-block;width:98%\" tabindex=\"-1\"><div id=\"divRplyFwdMsg\" dir=\"ltr\"><font \
                 face=\"Calibri\"><b>From:</b> {shown}<br><b>Sent:</b> Tuesday, November 24, 2026 8:02 AM<br>\
                 <b>To:</b> Anna<br><b>Subject:</b> [g7 #3] Your move</font><div>&nbsp;</div></div>{page}"
            ),
            format!(
                "{sentence}\n________________________________\nFrom: {ours}\nSent: Tuesday, November 24, 2026 8:02 \
                 AM\nTo: Anna\nSubject: [g7 #3] Your move\n\n{bare}"
            ),
        ),
        "apple" => (
            format!(
                "<html><head></head><body style=\"overflow-wrap: break-word;\">{sentence}<br id=\"lineBreak\"><div><br>\
                 <blockquote type=\"cite\"><div>On 24 Nov 2026, at 08:02, {shown} wrote:</div><br \
                 class=\"Apple-interchange-newline\"><div>{page}</div></blockquote></div><br></body></html>"
            ),
            format!("{sentence}\n\n> On 24 Nov 2026, at 08:02, {ours} wrote:\n> \n{marked}"),
        ),
        "thunderbird" => (
            format!(
                "<html><body><p>{sentence}</p><div class=\"moz-cite-prefix\">On 24.11.2026 08:02, Ringmail g7 (free) \
                 wrote:<br></div><blockquote type=\"cite\" cite=\"mid:g7.3@play.example\">{page}</blockquote></body>\
                 </html>"
            ),
            format!("{sentence}\n\nOn 24.11.2026 08:02, Ringmail g7 (free) wrote:\n{marked}"),
        ),
        // Some programs put the old letter below without an introduction.
        "bare" => (format!("<div>{sentence}</div><div>{page}</div>"), format!("{sentence}\n\n{bare}")),
        // The writer has cut off the head of our letter.
        "cut" => {
            let start = page.find("<h2>WHAT YOU MAY SAY").expect("it asks");
            let text = &bare[bare.find("WHAT YOU MAY SAY").expect("it asks")..];
            (format!("<div>{sentence}</div><div>{}</div>", &page[start..]), format!("{sentence}\n\n{text}"))
        }
        other => panic!("{other}"),
    }
}

const PROGRAMS: [&str; 7] = ["gmail", "outlook", "outlook-web", "apple", "thunderbird", "bare", "cut"];

/// The body of a letter in these parts.
fn in_parts(html: Option<&str>, plain: Option<&str>) -> (String, String) {
    match (html, plain) {
        (Some(html), Some(plain)) => (
            "MIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=b\r\n".to_owned(),
            format!(
                "--b\nContent-Type: text/plain; charset=utf-8\n\n{plain}\n--b\nContent-Type: text/html; \
                 charset=utf-8\n\n{html}\n--b--\n"
            ),
        ),
        (Some(html), None) => ("Content-Type: text/html; charset=utf-8\r\n".to_owned(), html.to_owned()),
        (None, plain) => ("Content-Type: text/plain; charset=utf-8\r\n".to_owned(), plain.unwrap_or("").to_owned()),
    }
}

fn quoted_plays_nothing(title: &str, question: &str, sentence: &str) {
    let waiting = asked_in_html(title, question, "letters html\npictures off\nmenu\n");
    let document = document(&waiting.letter);
    for program in PROGRAMS {
        let (html, plain) = quoting(program, sentence, &document);
        let forms = [(Some(html.as_str()), Some(plain.as_str())), (Some(&html), None), (None, Some(&plain))];
        for (html, plain) in forms {
            let (fields, body) = in_parts(html, plain);
            let outcome = waiting.receives(&waiting.answer(&fields, &body));
            let form = format!("{program}, html {}, plain {}", html.is_some(), plain.is_some());
            assert_eq!(outcome.said, [sentence], "{form}: {}", outcome.told());
        }
    }
    // Only the quotation: nothing is played.
    for program in PROGRAMS {
        let (html, plain) = quoting(program, "", &document);
        for (html, plain) in [(Some(html.as_str()), Some(plain.as_str())), (Some(&html), None), (None, Some(&plain))] {
            let (fields, body) = in_parts(html, plain);
            let outcome = waiting.receives(&waiting.answer(&fields, &body));
            assert!(outcome.said.is_empty(), "{program}: {:?}", outcome.said);
        }
    }
}

#[test]
fn p6_a_reply_that_quotes_a_page_of_the_war_plays_its_own_lines_alone() {
    quoted_plays_nothing("wotr", "action", "character die: move fellowship");
}

#[test]
fn p6_a_reply_that_quotes_a_page_of_risk_plays_its_own_lines_alone() {
    quoted_plays_nothing("risk", "combat", "done");
}

/// The sentence of a link is in an answer that is no reply: only its address and its subject say what it answers.
#[test]
fn i2_a_link_opens_an_answer_that_plays() {
    let waiting = asked_in_html("wotr", "action", "letters html\npictures off\nmenu\n");
    let document = document(&waiting.letter);
    let link = document
        .split("href=\"mailto:")
        .find(|link| link.contains("body=character%20die%3A%20move%20fellowship%0D%0A\""))
        .expect("the Fellowship may move");
    let (to, rest) = link.split_once('?').unwrap();
    let subject = rest.strip_prefix("subject=").unwrap().split("&amp;").next().unwrap();
    let decoded = |text: &str| {
        let mut bytes = Vec::new();
        let mut rest = text.as_bytes();
        while let [first, more @ ..] = rest {
            rest = more;
            match (first, more) {
                (b'%', [high, low, more @ ..]) => {
                    let digits = [*high, *low];
                    bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap());
                    rest = more;
                }
                _ => bytes.push(*first),
            }
        }
        String::from_utf8(bytes).unwrap()
    };
    assert_eq!(format!("<{}>", decoded(to)), field(&waiting.letter, "Reply-To"));
    let raw = format!(
        "From: {}\r\nTo: {}\r\nSubject: {}\r\nMessage-ID: <link@mail.example>\r\n\r\n\
         character die: move fellowship\r\n\r\n-- \r\nAnna\r\n",
        waiting.player,
        decoded(to),
        decoded(subject)
    );
    assert_eq!(waiting.receives(raw.as_bytes()).said, ["character die: move fellowship"]);
}
