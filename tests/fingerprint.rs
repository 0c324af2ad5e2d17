//! `ringmail verify --fingerprint`, and the check of a player's mailbox, with the real program.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/games/two-towers/log.yaml");

fn ringmail(folder: &Path, arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_ringmail"));
    program.current_dir(folder).env_remove("RINGMAIL_GAMES").env_remove("RINGMAIL_CONFIG").args(arguments);
    program.args(["--post", "box@play.example"]).stdin(Stdio::null()).output().unwrap()
}

#[track_caller]
fn ran(folder: &Path, arguments: &[&str], exit: i32, told: &str) -> String {
    let ran = ringmail(folder, arguments);
    let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert_eq!(ran.status.code(), Some(exit), "{arguments:?}\n{out}\n{err}");
    assert!(out.contains(told) || err.contains(told), "{arguments:?} should tell {told}\n{out}\n{err}");
    out.into_owned()
}

#[test]
fn a_fingerprint_is_twelve_words_and_two_for_the_subject() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let printed = ran(here, &["verify", "--fingerprint", SAMPLE], 0, "In subjects: ");
    let lines: Vec<&str> = printed.lines().collect();
    let words: Vec<&str> = lines[0].split(' ').collect();
    assert_eq!((lines.len(), words.len()), (3, 12), "{printed}");
    assert_eq!(lines[1], format!("In subjects: {} {}", words[0], words[1]));
    // `verify` prints the same words.
    ran(here, &["verify", SAMPLE, "--long"], 0, &format!("\nfingerprint: {}\n", lines[0]));
    // A log of one record already has its fingerprint.
    let log = fs::read_to_string(SAMPLE).unwrap();
    let first = &log[..log.find("\n...\n").unwrap() + 5];
    fs::write(here.join("first.yaml"), first).unwrap();
    assert_eq!(ran(here, &["verify", "--fingerprint", "first.yaml"], 0, ""), lines[..2].join("\n") + "\n");
    // Another first record has other words.
    fs::write(here.join("other.yaml"), first.replacen("at: \"2", "at: \"1", 1)).unwrap();
    assert_ne!(ran(here, &["verify", "--fingerprint", "other.yaml"], 0, ""), printed);
}

#[test]
fn what_has_no_fingerprint_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    ran(here, &["verify", "--fingerprint", "moor"], 2, "There is no game at games/moor/log.yaml.");
    for (name, text, exit, told) in [
        ("empty.yaml", String::new(), 3, "the log has no record"),
        ("text.yaml", "hello\n".to_owned(), 3, "text.yaml: "),
        ("torn.yaml", fs::read_to_string(SAMPLE).unwrap()[..300].to_owned(), 3, "torn.yaml: "),
        (
            "late.yaml",
            {
                let log = fs::read_to_string(SAMPLE).unwrap();
                log[log.find("\n...\n").unwrap() + 5..].to_owned()
            },
            3,
            "a log starts with `genesis`",
        ),
        ("old.yaml", fs::read_to_string(SAMPLE).unwrap().replacen("format: 2", "format: 1", 1), 8, "a log of format 1"),
    ] {
        fs::write(here.join(name), text).unwrap();
        ran(here, &["verify", "--fingerprint", name], exit, told);
    }
}

/// A game whose host tells Anna one history and Bert another; the letters of both are in `anna` and `bert`.
fn two_stories() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let done = |arguments: &[&str]| ran(here, arguments, 0, "");
    done(&[
        "new",
        "shire",
        "--min-auth",
        "keyboard",
        "--seat",
        "yellow=Anna <anna@example.org>",
        "--seat",
        "red=Bert <bert@example.org>",
    ]);
    done(&["say", "shire", "--as", "yellow", "join"]);
    done(&["say", "shire", "--as", "red", "join"]);
    done(&["say", "shire", "start"]);
    fs::create_dir(here.join("other")).unwrap();
    assert!(
        Command::new("cp").args(["-r", "games/shire", "other/shire"]).current_dir(here).status().unwrap().success()
    );
    let asked = |games: &str| {
        if done(&["--games", games, "show", "shire", "--menu", "--as", "yellow"]).starts_with("Nothing") {
            "red"
        } else {
            "yellow"
        }
    };
    for (games, letters) in [("games", "anna"), ("other", "bert")] {
        let seat = asked(games);
        let menu = done(&["--games", games, "show", "shire", "--menu", "--as", seat]);
        let names = menu.split("<territory>: ").nth(1).and_then(|list| list.split("\n\n").next()).unwrap();
        let mut names = names.split([',', ' ', '\n']).filter(|name| !name.is_empty());
        let name = if games == "games" { names.next() } else { names.next_back() }.unwrap();
        done(&["--games", games, "say", "shire", "--as", seat, &format!("claim {name}")]);
        done(&["--games", games, "say", "shire", "--as", asked(games), "claim nearest"]);
        done(&["--games", games, "send", "shire", "--to-files", letters]);
    }
    folder
}

#[test]
fn two_players_find_that_they_were_told_two_stories() {
    let folder = two_stories();
    let here = folder.path();
    let log = "games/shire/log.yaml";
    ran(here, &["verify", log, "--mailbox", "anna", "--long"], 0, "mailbox     PASS");
    ran(
        here,
        &["verify", log, "--mailbox", "anna", "--mailbox", "bert", "--evidence", "out", "--long"],
        7,
        "two histories: record",
    );
    let readme = fs::read_to_string(here.join("out/README.txt")).unwrap();
    assert!(readme.contains("He has signed the history of the log, too:"), "{readme}");
    for file in fs::read_dir(here.join("out")).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap().replace("ringmail-checkpoint@v1", "");
        for secret in ["@", "example.org", "X-Ringmail", "Reply-To"] {
            assert!(!text.contains(secret), "{secret}: {text}");
        }
    }
    // Together they have everything that a stranger needs.
    assert!(here.join("out/checkpoint-of-another-history.txt.sig").exists());
    assert!(here.join("out/checkpoint-of-the-log.txt.sig").exists());
    // A log cut short is shorter than what the host signed, and a log for which nobody has a signature is not.
    let whole = fs::read_to_string(here.join(log)).unwrap();
    let last = whole.rfind("---\nseq: ").unwrap();
    fs::write(here.join("short.yaml"), &whole[..last]).unwrap();
    ran(here, &["verify", "short.yaml", "--mailbox", "anna", "--long"], 3, "the log is shorter than it was");
    ran(here, &["verify", "short.yaml"], 0, "OK shire");
    let json = ran(here, &["verify", log, "--mailbox", "anna", "--json"], 0, "\"fingerprint\"");
    assert!(json.contains("\"claims\": []") || json.contains("\"claims\":[]"), "{json}");
}

/// The host's clock is a year fast: every machine that checks the log says so.
#[test]
fn a_time_in_the_future_is_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let log = fs::read_to_string(SAMPLE).unwrap();
    let first = &log[..log.find("\n...\n").unwrap() + 5];
    let ahead = first.replacen(&first[first.find("at: \"").unwrap()..][..9], "at: \"9026", 1);
    fs::write(here.join("ahead.yaml"), &ahead).unwrap();
    let told = ran(here, &["verify", "ahead.yaml", "--long"], 0, "WARNING: the last record is dated 9026-");
    assert!(told.trim_end().lines().last().unwrap().starts_with("OK "), "{told}");
    // With --json the warning is on standard error.
    let json = ran(here, &["verify", "ahead.yaml", "--json"], 0, "WARNING: ");
    assert!(!json.contains("WARNING"), "{json}");
    fs::write(here.join("now.yaml"), first).unwrap();
    let told = ran(here, &["verify", "now.yaml", "--long"], 0, "OK ");
    assert!(!told.contains("WARNING") || first.contains("at: \"2026-1"), "{told}");
}
