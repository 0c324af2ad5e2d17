//! Attachments of letters, in a real browser: the page of a whole game, and a turn to print.

use crate::browsers::{Browser, Chromium};
use crate::needs;
use crate::page::{SHORT, log, page_of};
use ground::stamp::Stamp;
use mail::draft::{Draft, File, FileKind, Purpose};
use mail::letter::mailbox::Mailbox;
use mail_parser::MessageParser;
use record::file::reading::{read_through, revealed};
use record::file::stream::Records;
use report::{from_log, print};
use ringmail::titles;
use serde_json::json;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

#[test]
fn what_letters_bring_is_opened_and_printed() {
    if !needs::programs(&["chromium"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut browser = Chromium::start(&folder.path().join("chromium"));
    a_game_is_opened_from_its_last_letter(&mut browser, folder.path());
    // The map of the war is wide, that of Risk is high.
    a_turn_is_printed(&mut browser, folder.path(), "two-towers", 200, &[PORTRAIT; 3]);
    a_turn_is_printed(&mut browser, folder.path(), "the-ring-goes-south", 120, &WAR);
    assert_eq!(browser.complaints(), [] as [&str; 0]);
    a_letter_is_read_on_a_telephone_and_in_the_dark(&mut browser);
}

/// The attachment of a received letter is the page, to the byte.
fn a_game_is_opened_from_its_last_letter(browser: &mut Chromium, folder: &Path) {
    let page = page_of(SHORT[1]);
    let mailbox = |address: &str| Mailbox::read(address).unwrap();
    let draft = Draft {
        purpose: Purpose::Report,
        message_id: "<g7.412@play.example>".to_owned(),
        date: Stamp::parse("2026-11-20T07:12:09Z").unwrap(),
        ours: mailbox("box@play.example"),
        to: mailbox("frodo@shire.example"),
        subject: "the game is over".to_owned(),
        in_reply_to: None,
        references: Vec::new(),
        heading: None,
        text: "The game is over.\n".to_owned(),
        page: None,
        images: Vec::new(),
        files: vec![File { kind: FileKind::Page, name: "g7.html".to_owned(), bytes: page.as_bytes().to_vec() }],
    };
    let letter = draft.to_bytes();
    let message = MessageParser::default().parse(&letter).unwrap();
    let attached = message.attachment(0).unwrap().contents();
    assert!(attached == page.as_bytes());
    // Most of the page is already base64, and is not encoded again.
    assert!(letter.len() < page.len() + page.len() / 10, "{} of {}", letter.len(), page.len());
    let file = folder.join("g7.html");
    fs::write(&file, attached).unwrap();
    browser.open(&file, "#90");
    let verified = browser.text("return document.querySelector('#verified').textContent");
    assert!(verified.contains("\nOK "), "{verified}");
}

const PORTRAIT: [u32; 2] = [595, 842];
const LANDSCAPE: [u32; 2] = [842, 595];
/// The words are set in the fonts that Debian's Chromium brings.
const WAR: [[u32; 2]; 4] = [LANDSCAPE, PORTRAIT, PORTRAIT, PORTRAIT];

/// The sheet of the asked seat after an entry of a sample game has these pages of A4, and loads nothing.
fn a_turn_is_printed(browser: &mut Chromium, folder: &Path, game: &str, at: u64, expected: &[[u32; 2]]) {
    let bytes = fs::read(log(game)).unwrap();
    let fold = read_through(Records::new(bytes.as_slice()), titles::ALL, revealed(&bytes), |step| {
        if step.entry.seq == at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let fold = fold.unwrap();
    let sheet = print::sheet(&from_log::look(&fold, fold.asked().map(|asked| asked.seat)), None);
    assert_eq!(sheet.name, format!("{}-{at}-to-print.html", fold.plan().name));
    let file = folder.join(&sheet.name);
    fs::write(&file, &sheet.html).unwrap();
    browser.show(&file);
    assert_eq!(pages(&browser.printed()), expected, "{game}");
}

/// Nothing runs over the edge, no letters are tiny, and all have enough contrast. (WCAG 1.4.3 asks for 4.5; the blue
/// of links must also work in the dark, where a mail program keeps the colours of our style sheet.)
fn a_letter_is_read_on_a_telephone_and_in_the_dark(browser: &mut Chromium) {
    for name in ["risk-asked.html", "wotr-a-go.html"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages").join(name);
        for (width, is_dark) in [(390, false), (390, true), (800, false), (800, true)] {
            browser.width(width, is_dark);
            browser.show(&file);
            let found = browser.run(LOOK);
            let at_least = |what: &str, least: f64| {
                let found = found[what].as_f64().unwrap();
                assert!(found >= least, "{name}, {width} pixels, dark {is_dark}: {what} {found}");
            };
            assert_eq!(found["dark"], json!(is_dark), "{name}");
            at_least("room", 0.0);
            at_least("letters", 13.0);
            at_least("contrast", 4.0);
        }
    }
}

/// What a script measures on a page: the space left at the right, the smallest letters, the least contrast.
const LOOK: &str = "
    const light = (colour) => {
      const parts = colour.match(/[\\d.]+/g).slice(0, 3).map((part) => Number(part) / 255);
      const linear = parts.map((part) => part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4);
      return .2126 * linear[0] + .7152 * linear[1] + .0722 * linear[2];
    };
    const ground = document.createElement('div');
    ground.style.color = 'Canvas';
    document.body.append(ground);
    const canvas = light(getComputedStyle(ground).color);
    const styles = [...document.querySelectorAll('.ringmail *')].map((element) => getComputedStyle(element));
    const contrast = (style) => {
      const [high, low] = [light(style.color), canvas].sort((one, other) => other - one);
      return (high + .05) / (low + .05);
    };
    return {
      dark: canvas < .5,
      room: innerWidth - document.documentElement.scrollWidth,
      letters: Math.min(...styles.map((style) => parseFloat(style.fontSize))),
      contrast: Math.min(...styles.map(contrast)),
    };";

/// The sizes of the pages of a PDF, in points.
fn pages(pdf: &[u8]) -> Vec<[u32; 2]> {
    let text = String::from_utf8_lossy(pdf);
    let boxes = text.split("/MediaBox [0 0 ").skip(1).map(|found| found.split(']').next().unwrap().to_owned());
    let size = |found: String| -> Option<[u32; 2]> {
        let sides = found.split_whitespace().map(|side| side.parse::<f64>().map(|side| side.round() as u32));
        sides.collect::<Result<Vec<u32>, _>>().ok()?.try_into().ok()
    };
    boxes.filter_map(size).collect()
}
