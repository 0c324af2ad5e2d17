//! The last letters of a game bring all of it as a page: the same page for everybody, and the same when a letter is
//! written again.

use crate::house::{body, fates};
use crate::letters_desk::{Waiting, waiting};
use mail_parser::{MessageParser, MimeHeaders};
use post::book::outbox::Shelf;
use report::{columns, page};
use ringmail::titles;
use std::collections::BTreeMap;
use std::fs;

/// The attachments of a letter, by name.
fn attached(letter: &str) -> BTreeMap<String, String> {
    let message = MessageParser::default().parse(letter).unwrap();
    let text = |part: &mail_parser::MessagePart<'_>| String::from_utf8(part.contents().to_vec()).unwrap();
    message.attachments().map(|part| (part.attachment_name().unwrap_or_default().to_owned(), text(part))).collect()
}

/// The line with which a player confirms.
fn line_to_confirm(letter: &str) -> String {
    let text = body(letter);
    let below = text.split("TO CONFIRM\n").nth(1).unwrap_or_else(|| panic!("{text}"));
    below.lines().find(|line| line.contains(" confirm ")).unwrap().to_owned()
}

/// The letters that wait to be sent.
fn outbox(game: &Waiting) -> BTreeMap<String, String> {
    let desk = game.house.office.desk("g7").unwrap();
    let names = desk.outbox.waiting().unwrap().into_iter();
    names
        .map(|name| (name.clone(), String::from_utf8(desk.outbox.read(Shelf::Outbox, &name).unwrap()).unwrap()))
        .collect()
}

/// The asked player concedes, and confirms it.
fn concede(game: &mut Waiting) {
    let player = game.player;
    assert_eq!(fates(&game.house.says(player, "concede: it is lost")), ["kept"]);
    game.house.send();
    let confirm = line_to_confirm(&game.house.newest(player));
    assert!(fates(&game.house.says(player, &confirm))[0].starts_with("done concede"));
}

#[test]
fn the_last_letters_bring_the_game_as_a_page() {
    for (title, question) in [("risk", "claim"), ("wotr", "action")] {
        let mut game = waiting(title, question, |_| None);
        let (mut again, mut without) = (game.copy(), game.copy());
        concede(&mut game);
        let log = fs::read(game.house.path().join("log.yaml")).unwrap();
        let page = page::for_everybody(&log, titles::ALL).unwrap().expect("a map");
        for player in [game.player, game.other()] {
            let letter = game.house.newest(player);
            let attached = attached(&letter);
            assert_eq!(attached.len(), 2, "{:?}", attached.keys());
            assert!(attached["g7.html"] == page, "{title}: the page of the whole log");
            assert!(log.ends_with(attached.values().next().unwrap().as_bytes()), "{title}: the newest records");
            let text = body(&letter);
            assert!(text.replace('\n', " ").contains("as a page for a browser, g7.html"), "{text}");
            assert!(text.lines().all(|line| columns::width(line) <= columns::LETTER), "{text}");
        }
        // If a desk reaches the same end again, its letters are the same.
        concede(&mut again);
        assert!(outbox(&again) == outbox(&game), "{title}");
        // The page comes only once.
        game.house.send();
        let player = game.player;
        game.house.says(player, "status");
        assert_eq!(attached(&game.house.newest(player)).len(), 0);
        // A player who wants no pictures is told how to make the page.
        let other = without.other();
        without.house.says(other, "pictures off");
        without.house.send();
        concede(&mut without);
        assert_eq!(attached(&without.house.newest(without.player)).len(), 2);
        let letter = without.house.newest(other);
        assert_eq!(attached(&letter).len(), 1);
        assert!(body(&letter).contains("  cat g7-*.yaml | ringmail page - > g7.html\n"), "{}", body(&letter));
    }
}
