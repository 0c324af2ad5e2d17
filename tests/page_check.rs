/*! A browser's check of a log, on games in which more happens than in the samples: codes that change, another host,
another player, an undo; dice of a beacon, and signatures. The page must say what it does not check.
*/

use crate::browsers::{self, Browser, with_log};
use crate::{second, second_beacon};
use ground::hash::{GameId, Hash, Hex, sha256};
use record::commit::deck::{DeckNumber, deck_commitment};
use record::commit::signature::{HOST, SigningKey};
use record::file::reading::read_through;
use record::file::stream::Records;
use report::page::Replay;
use ringmail::titles;
use serde_json::json;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

const LEFT_OUT: &str = "return document.querySelector('#unchecked').textContent";

fn page(log: &[u8]) -> String {
    let mut replay = Replay::default();
    let fold = read_through(Records::new(log), titles::ALL, None, |step| {
        replay.note(step);
        ControlFlow::Continue(())
    });
    replay.page(&fold.unwrap(), log).unwrap()
}

/// Opens the page of a log in a browser: what it says of the log, and what it has not checked.
fn said_of(browser: &mut dyn Browser, folder: &Path, page: &str) -> (String, String) {
    let file = folder.join("game.html");
    fs::write(&file, page).unwrap();
    browser.open(&file, "");
    (browser.text(&browsers::verdict()), browser.text(LEFT_OUT))
}

/// The games: one with everything that players can agree on, one with dice of a beacon, one with signatures.
struct Games {
    eventful: Vec<u8>,
    beacon: Vec<u8>,
    signed: Vec<u8>,
    /// Their pages, in this order.
    pages: [String; 3],
}

impl Games {
    fn play() -> Games {
        let folder = tempfile::tempdir().unwrap();
        let (eventful, signed) = (second::eventful(), second::signed());
        let beacon = second_beacon::played(folder.path()).into_bytes();
        let pages = [&eventful, &beacon, &signed].map(|log| page(log));
        Games { eventful, beacon, signed, pages }
    }
}

/// One start of the browsers serves for all of this, because it takes longer than the tests.
#[test]
fn the_browser_checks_games_in_which_more_happens() {
    let games = Games::play();
    let forgeries = forgeries(&games);
    browsers::each(|browser, folder| {
        the_browser_follows_codes_hosts_and_rounds(browser, folder, &games);
        the_browser_finds_what_the_end_shows_to_be_false(browser, folder, &games, &forgeries);
        // Firefox does not let a test use the classes of a page.
        if browser.is_first() {
            the_browser_knows_sealed_choices_and_the_signature_of_a_host(browser, folder, &games);
        }
    });
}

fn the_browser_follows_codes_hosts_and_rounds(browser: &mut dyn Browser, folder: &Path, games: &Games) {
    let expected = [
        (
            &games.eventful,
            vec!["lay as the published root says.", "3 shares of it add up.", "commitments to standing orders hold."],
            vec!["Who had a say in", "under a host who has vanished"],
        ),
        (
            &games.beacon,
            vec!["commitments to standing orders hold.", "of receipts were what was fixed."],
            vec!["The signatures of ", "rounds of the beacon", "The order in which "],
        ),
        (
            &games.signed,
            vec!["2 signatures hold."],
            vec!["2 signed records", "shares of the host's root: before the end nobody can."],
        ),
    ];
    for (page, (log, checked, left_out)) in games.pages.iter().zip(expected) {
        let (verdict, said) = said_of(browser, folder, page);
        let report = second::first(log);
        let throws = &report.to_json()["counts"]["throws"];
        let begins = format!("The chain of {} records holds. {throws} throws recomputed", report.records);
        assert!(verdict.starts_with(&begins), "{verdict}");
        assert!(checked.iter().all(|part| verdict.contains(part)), "{checked:?}: {verdict}");
        assert!(left_out.iter().all(|part| said.contains(part)), "{left_out:?}: {said}");
    }
}

/// A log in which the first line with this key, from record `from` on, is changed, and all later hashes are made anew.
fn forged(log: &[u8], from: usize, key: &str, other: impl Fn(&str) -> String) -> Vec<u8> {
    let text = String::from_utf8(log.to_vec()).unwrap();
    let mut records: Vec<String> = text.split_inclusive("\n...\n").map(str::to_owned).collect();
    let is_it = |line: &&str| line.trim_start().trim_start_matches("- ").starts_with(key);
    let seq = (from..records.len()).find(|seq| records[*seq].lines().any(|line| is_it(&line))).expect(key);
    let line = records[seq].lines().find(is_it).unwrap().to_owned();
    records[seq] = records[seq].replacen(&line, &other(&line), 1);
    for later in seq + 1..records.len() {
        let prev = sha256(records[later - 1].as_bytes()).to_string();
        let line = records[later].lines().find(|line| line.starts_with("prev: ")).unwrap().to_owned();
        records[later] = records[later].replacen(&line, &format!("prev: \"{prev}\""), 1);
    }
    records.concat().into_bytes()
}

/// The same line with another last letter or digit.
fn otherwise(line: &str) -> String {
    let body = line.trim_end_matches(['"', '=']);
    let last = if body.ends_with('a') { 'b' } else { 'a' };
    format!("{}{last}{}", &body[..body.len() - 1], &line[body.len()..])
}

/// A log in which the last card of a deck laid anew is another one, and the hash of the deck is made anew.
fn dealt_otherwise(log: &[u8]) -> Vec<u8> {
    let text = String::from_utf8(log.to_vec()).unwrap();
    let record = text.split_inclusive("\n...\n").find(|record| record.contains("\ntype: \"deck\"\n")).unwrap();
    let value = |key: &str| record.lines().find_map(|line| line.strip_prefix(key)).unwrap().to_owned();
    let mut cards: Vec<Hash> = serde_json::from_str::<Vec<String>>(&value("cards: "))
        .unwrap()
        .iter()
        .map(|card| Hash::parse(card).unwrap())
        .collect();
    *cards.last_mut().unwrap() = sha256(b"another card");
    let game = text.lines().find_map(|line| line.strip_prefix("game: ")).unwrap().trim_matches('"');
    let number = DeckNumber { deck: 1, epoch: value("epoch: ").parse().unwrap() };
    let commitment = deck_commitment(&GameId::parse(game).unwrap(), number, &cards);
    let words: Vec<String> = cards.iter().map(|card| format!("\"{card}\"")).collect();
    let log = forged(log, 1, "cards: [", |_| format!("cards: [{}]", words.join(", ")));
    forged(&log, 1, "commitment: ", |_| format!("commitment: \"{commitment}\""))
}

/// A log in which the published text of a line at which a receipt stopped is another one.
fn of_stopped(log: &[u8]) -> Vec<u8> {
    let text = String::from_utf8(log.to_vec()).unwrap();
    let reveal = text.split_inclusive("\n...\n").position(|record| record.contains("\ntype: \"reveal\"\n")).unwrap();
    forged(log, reveal, "text: ", otherwise)
}

/// What no game of the tests has, and no program writes yet: a sealed choice (16.5 of the document of the format),
/// and a signed handover of a host.
fn the_browser_knows_sealed_choices_and_the_signature_of_a_host(
    browser: &mut dyn Browser,
    folder: &Path,
    games: &Games,
) {
    let key = SigningKey::of_seed(&Hex([9; 32]));
    let game: GameId = Hex(std::array::from_fn(|byte| u8::try_from(byte).unwrap()));
    let text = format!("ringmail-host/1\ngame {game}\nhead {}\nhost {}\n", sha256(b"head"), key.public);
    let sig = key.sign(HOST, text.as_bytes()).in_one_line();
    let record = json!({"sig": sig, "prev": sha256(b"head"), "host_key": key.public.to_string()});
    let script = |choice: &str, head: &Hash| {
        let record = record.to_string().replace(&sha256(b"head").to_string(), &head.to_string());
        format!(
            "const checker = new Checker();
             Object.assign(checker, {{ game: ofHex('{game}'), hostKey: '{}' }});
             const x = 'b16b13a51c522aaaa2def4840caeff8ecbe8b98ccbda3b90b2671fb1a3e6a4da';
             checker.seals.set(x, [2, 417]);
             try {{
               await checker.openChoice({{ x, choice: '{choice}', salt: '55'.repeat(32) }});
               await checkHandover(checker, {record});
             }} catch (error) {{
               return error.message;
             }}
             return JSON.stringify(checker.counts)",
            key.public
        )
    };
    said_of(browser, folder, &games.pages[2]);
    let choice = "combat-card:sh-char-04";
    assert_eq!(browser.text(&script(choice, &sha256(b"head"))), r#"{"choices":1,"signed":1}"#);
    let other = browser.text(&script("combat-card:sh-char-05", &sha256(b"head")));
    assert_eq!(other, "the choice is not the one that was sealed");
    assert_eq!(browser.text(&script(choice, &sha256(b"other"))), "a signature does not hold");
}

const OTHER_BOOKS: &str = "committed to other books of orders";

/// A change of a log, its game by the number of its page, and why the browser says that it is damaged.
struct Forgery {
    what: &'static str,
    game: usize,
    log: Vec<u8>,
    why: &'static str,
}

/// Changes that only the published secrets or a signature show, in logs in which everything else was made anew.
fn forgeries(games: &Games) -> [Forgery; 7] {
    let Games { eventful, beacon, signed, .. } = games;
    let adopted = String::from_utf8(eventful.clone()).unwrap();
    let adopted = adopted.split_inclusive("\n...\n").position(|record| record.contains("what: \"adoption\"")).unwrap();
    let forged_later = |key: &str, other: &dyn Fn(&str) -> String| forged(eventful, adopted + 1, key, other);
    let forgery = |what, game, log, why| Forgery { what, game, log, why };
    [
        forgery(
            "another card",
            0,
            dealt_otherwise(eventful),
            "the deck adventure, in epoch 1, lay otherwise than the root says",
        ),
        forgery("another share", 0, forged(eventful, 1, "digest: ", otherwise), "the share of "),
        forgery("another book", 0, forged_later("books: ", &otherwise), OTHER_BOOKS),
        forgery("another order", 0, forged_later("order: ", &|line| line.replacen("cards", "card", 1)), OTHER_BOOKS),
        forgery("another line", 1, of_stopped(beacon), "a line is not the one that its receipt fixed"),
        forgery("other words", 2, forged(signed, 1, "words: ", otherwise), "a signature does not hold"),
        forgery(
            "another signature",
            2,
            forged(signed, 1, "sig: ", |line| line.replacen("AAAA", "AAAB", 1)),
            "a signature",
        ),
    ]
}

fn the_browser_finds_what_the_end_shows_to_be_false(
    browser: &mut dyn Browser,
    folder: &Path,
    games: &Games,
    forgeries: &[Forgery],
) {
    for Forgery { what, game, log, why } in forgeries {
        let (verdict, _) = said_of(browser, folder, &with_log(&games.pages[*game], log));
        assert!(verdict.starts_with("The log in this page is damaged, at record #"), "{what}: {verdict}");
        assert!(verdict.contains(why), "{what}: {verdict}");
    }
}
