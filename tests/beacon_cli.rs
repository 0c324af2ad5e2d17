//! The verbs of a game whose dice follow from a beacon, with the real clock: the game was begun some days ago.

use crate::house::charter;
use crate::relay::{Beacon, Clock, Manner};
use ground::stamp::Stamp;
use record::charter::dice::{CharterDice, WholeDice};
use record::charter::{Charter, CharterSeat};
use record::entry::body::{Auth, By, Mode};
use record::file::secrets::Secrets;
use record::table::Table;
use ringmail::titles;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;

fn stamp(at: &str) -> Stamp {
    Stamp::parse(at).unwrap()
}

fn ringmail(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ringmail"));
    command
        .current_dir(folder)
        .env_remove("RINGMAIL_GAMES")
        .env_remove("RINGMAIL_CONFIG")
        .env_remove("RINGMAIL_MAILBOX");
    command.args(arguments).output().unwrap()
}

#[track_caller]
fn says(folder: &Path, arguments: &[&str], exit: i32, words: &[&str]) -> String {
    let output = ringmail(folder, arguments);
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(exit), "{arguments:?}: {said}");
    for words in words {
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
    said
}

/// A game of Risk in which an answer waits for its round, which was published long ago.
fn begun(folder: &Path, beacon: &Beacon) {
    let own = Some(Box::new(beacon.chain.info().clone()));
    let seats = ["Anna", "Bert"].map(|name| CharterSeat { host: true, ..charter::player(name) });
    let charter = Charter {
        name: "shire".to_owned(),
        min_auth: Some(Auth::Keyboard),
        dice: Some(CharterDice::Whole(WholeDice { mode: Mode::Beacon, own })),
        ..charter::of("risk", seats)
    };
    let (first, later) = (stamp("2026-01-01T08:00:00Z"), stamp("2026-01-01T09:00:00Z"));
    let (game, secrets) = (folder.join("games/shire"), Secrets::random().unwrap());
    let mut table = Table::create(&game, &charter, secrets, first, titles::ALL).unwrap();
    table.join_hosted(first).unwrap();
    table.ask_for_round(first).unwrap();
    let (round, _) = table.fold().next_round().unwrap();
    table.enter_round(&beacon.sign(round), later).unwrap();
    let asked = table.fold().asked().unwrap().seat;
    table.fix_answer_for(asked, By::Bot, later).unwrap();
}

#[test]
fn what_is_said_at_the_keyboard_is_fixed_and_played_by_the_clock() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let beacon = Beacon::new(5, stamp("2026-01-01T00:00:00Z"), 3);
    begun(folder, &beacon);
    let waits = "1 receipt waits to be played, the first one that of record 6";
    let text = says(folder, &["verify", "shire", "--long"], 0, &[]);
    assert!(text.split_whitespace().collect::<Vec<_>>().join(" ").contains(waits), "{text}");
    says(folder, &["say", "shire", "--as", "yellow", "pass"], 9, &["An answer is fixed already, and waits for round"]);
    // No relay is configured: the answer is played later, with the round and not without it.
    let log = || fs::read_to_string(folder.join("games/shire/log.yaml")).unwrap();
    let before = log();
    says(folder, &["time", "--tick"], 0, &[]);
    assert_eq!(log(), before);
    let clock: Clock = Arc::new(|| stamp("2030-01-01T00:00:00Z"));
    let relay = beacon.relay(Manner::Honest, clock);
    let config = format!("mailbox: box@play.example\nbeacon: [{}]\n", relay.url());
    fs::write(folder.join("ringmail.yaml"), config).unwrap();
    says(folder, &["time", "--tick"], 0, &["shire: #7"]);
    assert!(log().contains("by: \"bot\"\nsaid: \""), "{}", log());
    says(folder, &["verify", "shire", "--long"], 0, &["for these counts every round is the host's own"]);
}

const QUICKNET: &str = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971";

/// A relay that gives round 1000 of quicknet, and no other.
fn relay_of_quicknet() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let (mut head, mut byte) = (Vec::new(), [0]);
            while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|read| read == 1) {
                head.push(byte[0]);
            }
            let is_known = head.starts_with(format!("GET /{QUICKNET}/public/1000 ").as_bytes());
            let body = "{\"round\":1000,\"signature\":\"b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b1957\
                        6350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39\"}";
            let status = if is_known { "200 OK" } else { "404 Not Found" };
            let said =
                format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len());
            drop(stream.write_all(said.as_bytes()));
        }
    });
    url
}

#[test]
fn the_mode_is_chosen_when_a_game_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let seats = ["--seat", "Anna <anna@example.org>", "--seat", "Bert <bert@example.org>"];
    let new = |name: &str, more: &[&str]| {
        let arguments: Vec<&str> = [&["new", name, "--min-auth", "keyboard"][..], &seats, more].concat();
        says(folder, &arguments, 0, &[]);
        fs::read_to_string(folder.join(format!("games/{name}/log.yaml"))).unwrap()
    };
    let (chain, quicknet) = ("  mode: \"chain\"\n", format!("  chain: \"{QUICKNET}\"\ndecks:"));
    assert!(new("plain", &[]).contains(chain));
    let impossible = [&["new", "impossible", "--dice", "beacon"][..], &seats].concat();
    says(folder, &impossible, 2, &["names none: write `beacon: [https://api.drand.sh"]);
    let config = |relay: &str| {
        fs::write(folder.join("ringmail.yaml"), format!("mailbox: box@play.example\nbeacon: [\"{relay}\"]\n")).unwrap();
    };
    // Nobody listens there.
    config("http://127.0.0.1:9");
    assert!(new("unreached", &[]).contains(chain));
    assert!(new("chosen", &["--dice", "beacon"]).contains(&quicknet));
    config(&relay_of_quicknet());
    assert!(new("usual", &[]).contains(&quicknet));
    assert!(new("without", &["--dice", "chain"]).contains(chain));
    for seat in ["yellow", "red"] {
        says(folder, &["say", "chosen", "--as", seat, "join"], 0, &[]);
    }
    says(
        folder,
        &["say", "chosen", "start"],
        0,
        &["The game waits for round", "`ringmail time --tick`, `receive` or `serve` plays it"],
    );
    fs::write(folder.join("ringmail.yaml"), "mailbox: box@play.example\nbeacon: [http://api.drand.sh]\n").unwrap();
    says(folder, &["time", "--tick"], 2, &["is not https; http is only for a relay on this machine"]);
}
