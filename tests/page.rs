//! The page of a whole game: it holds the log to the byte and what the log makes public, loads nothing, and is small.

use data_encoding::BASE64;
use engine::seat::Seat;
use flate2::read::GzDecoder;
use ground::hash::{Hash, sha256};
use record::file::reading::{read_through, revealed};
use record::file::stream::Records;
use record::fold::Fold;
use report::from_log;
use report::page::menu::asked;
use report::page::{Readers, Replay};
use ringmail::titles;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, OnceLock};

/// The greatest size of the page of a game of 900 records.
const BYTES_MAX: usize = 1_000_000;

/// A short game of each title.
pub const SHORT: [&str; 2] = ["the-ring-goes-south", "two-towers"];
/// The longest game of each title.
const LONG: [&str; 2] = ["the-black-gate-opens", "four-hobbits"];

pub fn log(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("games").join(name).join("log.yaml")
}

/// The sample games whose pages are checked: of each title a short one and the longest, and all with `RINGMAIL_LONG=1`.
pub fn samples() -> Vec<String> {
    if !crate::amount::is_long() {
        return SHORT.iter().chain(&LONG).map(|name| (*name).to_owned()).collect();
    }
    let games = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("games")).unwrap();
    let names = games.map(|game| game.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| log(name).exists()).collect();
    names.sort();
    names
}

/// The page of a sample game, made once for all tests, when the first one needs it.
pub fn page_of(name: &str) -> &'static str {
    static PAGES: Mutex<BTreeMap<String, &'static OnceLock<String>>> = Mutex::new(BTreeMap::new());
    let known = *PAGES.lock().unwrap().entry(name.to_owned()).or_insert_with(|| Box::leak(Box::default()));
    known.get_or_init(|| page(&fs::read(log(name)).unwrap()))
}

/// The page of a log, with all that it has published.
fn page(log: &[u8]) -> String {
    let root = revealed(log);
    let readers = if root.is_some() { Readers::Everybody } else { Readers::Nobody };
    page_for(log, root, readers).0
}

/// The page of a log for these readers, and the game at the end of the log.
pub fn page_for(log: &[u8], root: Option<Hash>, readers: Readers) -> (String, Fold) {
    let mut replay = Replay::with(readers).answered_to(Some("box+g.abc@play.example".to_owned()));
    let fold = read_through(Records::new(log), titles::ALL, root, |step| {
        replay.note(step);
        ControlFlow::Continue(())
    });
    let fold = fold.unwrap();
    (replay.page(&fold, log, titles::ALL).unwrap(), fold)
}

/// The data of a page.
fn data(page: &str) -> Value {
    serde_json::from_slice(&unpacked(page, "data")).unwrap()
}

/// The text between two texts.
fn between<'a>(page: &'a str, begin: &str, end: &str) -> &'a str {
    let (_, behind) = page.split_once(begin).unwrap_or_else(|| panic!("{begin} is in the page"));
    behind.split_once(end).unwrap().0
}

fn unpacked(page: &str, id: &str) -> Vec<u8> {
    let packed = between(page, &format!("<script id=\"{id}\" type=\"text/plain\">"), "</script>");
    let mut bytes = Vec::new();
    GzDecoder::new(BASE64.decode(packed.trim().as_bytes()).unwrap().as_slice()).read_to_end(&mut bytes).unwrap();
    bytes
}

/// What the page shows after its last record: the changes of all records, one over the other.
fn last_shown(data: &Value) -> BTreeMap<String, Value> {
    let mut shown = BTreeMap::new();
    for record in data["records"].as_array().unwrap() {
        for what in ["sites", "grounds"] {
            for (place, now) in record["map"][what].as_object().into_iter().flatten() {
                shown.insert(format!("{what} {place}"), now.clone());
            }
        }
    }
    shown
}

#[test]
fn the_page_holds_the_log_and_every_record_and_loads_nothing() {
    for name in &samples() {
        let (log, page) = (fs::read(log(name)).unwrap(), page_of(name));
        assert!(page.len() < BYTES_MAX, "{name}: {} bytes", page.len());
        assert_eq!(unpacked(page, "log"), log, "{name}");
        // What `verify` said stands there as such.
        let said = between(page, "<pre id=\"verified\">", "</pre>");
        assert!(said.lines().last().is_some_and(|line| line.starts_with(&format!("OK {name} "))), "{said}");
        let data = data(page);
        let records = log.split(|byte| *byte == b'\n').filter(|line| *line == b"...").count();
        assert_eq!(data["records"].as_array().unwrap().len(), records);
        // Every place has its ground, and the last record shows the same as a page made only at the end.
        let shown = last_shown(&data);
        let places = data["still"]["names"].as_array().unwrap().len();
        assert_eq!(shown.keys().filter(|key| key.starts_with("grounds")).count(), places);
        for marks in shown.values().filter_map(Value::as_array) {
            let drawings = data["drawings"].as_array().unwrap().len();
            assert!(marks.chunks(3).all(|mark| (mark[0].as_u64().unwrap() as usize) < drawings));
        }
        for remote in ["https://", "src=\"", "href=\"http", "url(http", "@import"] {
            assert!(!page.contains(remote), "{remote}");
        }
        let elsewhere = page.matches("http://").count() - page.matches("http://www.w3.org/2000/svg").count();
        assert_eq!(elsewhere, 0);
    }
}

/// A browser runs the script and takes the style only if their hashes are those of the policy.
#[test]
fn the_policy_names_the_script_and_the_style() {
    let page = page_of(SHORT[0]);
    let hash = |text: &str| BASE64.encode(&sha256(text.as_bytes()).0);
    let policy = between(page, "http-equiv=\"Content-Security-Policy\"", ">").replace("&#x2f;", "/");
    let script = page.rsplit_once("<script>").unwrap().1.split_once("</script>").unwrap().0;
    assert!(policy.contains(&format!("script-src 'sha256-{}'", hash(script))), "{policy}");
    assert!(policy.contains(&format!("style-src 'sha256-{}'", hash(between(page, "<style>", "</style>")))), "{policy}");
    assert!(policy.contains("default-src 'none'"));
}

/// Every die of the log is in the plots, and the hits of one side in a battle are the losses of the other.
#[test]
fn the_plots_count_what_fell() {
    for name in SHORT {
        let log = fs::read_to_string(log(name)).unwrap();
        let faces = log.lines().filter_map(|line| line.trim_start().strip_prefix("faces: ["));
        let fallen: usize = faces.map(|faces| faces.split(", ").count()).sum();
        let data = data(page_of(name));
        let records = data["records"].as_array().unwrap();
        let dice = records.iter().flat_map(|record| record["dice"].as_array().into_iter().flatten());
        assert_eq!(dice.map(|dice| dice[2].as_array().unwrap().len()).sum::<usize>(), fallen, "{name}");
        let counted = records.iter().flat_map(|record| record["counted"].as_array().into_iter().flatten());
        let (mut hits, mut lost) = (0, 0);
        for one in counted {
            hits += one["hits"].as_u64().unwrap_or(0);
            lost += one["units"].as_u64().unwrap_or(0);
        }
        assert!(hits > 0 && lost > 0, "{name}: {hits}, {lost}");
        assert!(name != "two-towers" || lost >= hits, "{hits} hits and {lost} lost");
    }
}

/// The seats whose knowledge a page contains.
fn known(page: &str) -> BTreeSet<String> {
    let data = data(page);
    let records = data["records"].as_array().unwrap().iter();
    let knew = records.filter_map(|record| record["knew"].as_object());
    knew.flat_map(|knew| knew.keys().cloned()).collect()
}

/// Before the cards are published, the page has nothing of a hand; then it has everything, or what one seat may see.
#[test]
fn the_page_holds_what_its_readers_knew() {
    let log = fs::read(log("two-towers")).unwrap();
    let reveal = log.windows(16).position(|bytes| bytes == b"type: \"reveal\"\ns").unwrap();
    let open = log[..reveal].windows(5).rposition(|bytes| bytes == b"\n...\n").unwrap() + 5;
    let playing = &log[..open];
    assert_eq!(revealed(playing), None);
    let root = revealed(&log);
    assert!(root.is_some());
    let public = page_for(playing, None, Readers::Nobody).0;
    assert_eq!(known(&public), BTreeSet::new());
    // The root makes no difference to the public page.
    assert_eq!(page_for(playing, root, Readers::Nobody).0, public);
    let red = page_for(playing, root, Readers::Seat("red".to_owned())).0;
    assert_eq!(known(&red), BTreeSet::from(["red".to_owned()]));
    let (everything, fold) = page_for(&log, root, Readers::Everybody);
    assert_eq!(known(&everything), BTreeSet::from(["red".to_owned(), "yellow".to_owned()]));
    // The last hands are those that the seats are shown at the end.
    let data = data(&everything);
    let records = data["records"].as_array().unwrap();
    for (seat, word) in [(Seat(1), "yellow"), (Seat(2), "red")] {
        let mut hands = records.iter().filter_map(|record| record["knew"][word]["hand"].as_array());
        let last: Vec<&str> = hands.next_back().unwrap().iter().map(|card| card.as_str().unwrap()).collect();
        let view = from_log::look(&fold, Some(seat)).view;
        let shown: Vec<&str> =
            view["hand"].as_array().unwrap().iter().map(|card| card["title"].as_str().unwrap()).collect();
        assert_eq!(last, shown);
        assert!(!last.is_empty());
    }
}

/// The page has what the asked seat may say as far as its readers know the hand of that seat.
#[test]
fn what_may_be_said_tells_nobody_a_hand() {
    for name in SHORT {
        let text = fs::read_to_string(log(name)).unwrap();
        let root = revealed(text.as_bytes());
        let records: Vec<&str> = text.split_inclusive("\n...\n").collect();
        let mut offered = 0;
        // Some questions, and all that are answered from a hand.
        let from_hand =
            |record: &str| ["trade ", "play "].iter().any(|word| record.contains(&format!("\nsaid: \"{word}")));
        for number in (48..records.len() - 1).filter(|number| number % 60 == 0 || from_hand(records[*number])) {
            let begun = records[..number].concat();
            let asked_in = |root, readers: Readers| asked(&fold_of(begun.as_bytes(), root), &readers, None);
            let Some(public) = asked_in(None, Readers::Nobody) else { continue };
            let seat = public["seat"].as_str().unwrap();
            assert_eq!(asked_in(root, Readers::Nobody).as_ref(), Some(&public), "{name} {number}");
            for other in ["yellow", "red", "free", "shadow"].into_iter().filter(|other| *other != seat) {
                assert_eq!(asked_in(root, Readers::Seat(other.to_owned())).as_ref(), Some(&public), "{name} {number}");
            }
            let own = asked_in(root, Readers::Seat(seat.to_owned())).unwrap();
            assert_eq!(own["hides"], false, "{name} {number}");
            offered += u32::from(own["menu"] != public["menu"]);
        }
        assert!(offered > 0, "{name}: its own cards are offered to a seat");
        assert_eq!(asked(&fold_of(text.as_bytes(), root), &Readers::Everybody, None), None, "the game is over");
    }
}

fn fold_of(log: &[u8], root: Option<Hash>) -> Fold {
    read_through(Records::new(log), titles::ALL, root, |_| ControlFlow::Continue(())).unwrap()
}

fn ringmail(folder: &Path, arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_ringmail"));
    program.current_dir(folder).env_remove("RINGMAIL_GAMES").env_remove("RINGMAIL_CONFIG").args(arguments);
    program.output().unwrap()
}

#[track_caller]
fn printed(folder: &Path, arguments: &[&str]) -> Vec<u8> {
    let ran = ringmail(folder, arguments);
    assert!(ran.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ran.stderr));
    ran.stdout
}

/// The secrets of the host are beside the log, and nothing of them is in the page.
#[test]
fn the_page_is_made_of_the_log_alone() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    crate::adopt_cli::start(here);
    fs::copy(here.join("games/shire/log.yaml"), here.join("log.yaml")).unwrap();
    let beside = printed(here, &["page", "shire"]);
    assert_eq!(beside, printed(here, &["page", "log.yaml"]));
    printed(here, &["page", "shire", "--out", "shire.html"]);
    assert_eq!(beside, fs::read(here.join("shire.html")).unwrap());
    // For one player the host can make a page that shows his cards, and nobody else's.
    let own = String::from_utf8(printed(here, &["page", "shire", "--as", "red"])).unwrap();
    assert!(known(&own).is_subset(&BTreeSet::from(["red".to_owned()])), "{:?}", known(&own));
    let ran = ringmail(here, &["page", "log.yaml", "--as", "red"]);
    assert!(!ran.status.success(), "the secrets do not lie beside this log");
    // A damaged log is reported, with the code of the problem, and no page is written.
    let log = fs::read_to_string(here.join("log.yaml")).unwrap();
    fs::write(here.join("log.yaml"), log.replacen("Anna", "Emma", 1)).unwrap();
    let ran = ringmail(here, &["page", "log.yaml", "--out", "damaged.html"]);
    assert!(!ran.status.success() && !ran.stderr.is_empty());
    assert!(!here.join("damaged.html").exists());
}
