/*! A log restored from an older backup, with the real program: a player's letter proves it, nothing is played, and
the host takes the missing records from mail, or continues without them.
*/

use crate::adopt_cli::{ringmail, start};
use std::fs;
use std::path::Path;
use std::process::Output;
use tempfile::TempDir;

#[track_caller]
pub fn ends(folder: &Path, arguments: &[&str], exit: i32, told: &str) -> String {
    let Output { status, stdout, stderr } = ringmail(folder, arguments);
    let words = String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr);
    assert!(status.code() == Some(exit) && words.contains(told), "{arguments:?} {status}: {words}");
    words
}

#[track_caller]
pub fn done(folder: &Path, arguments: &[&str]) -> String {
    ends(folder, arguments, 0, "")
}

/// The newest letter to a player, of those that were sent.
pub fn newest(folder: &Path, player: &str) -> String {
    let mut letters: Vec<_> = fs::read_dir(folder.join("sent")).unwrap().map(|file| file.unwrap().path()).collect();
    letters.sort();
    let mut texts = letters.iter().map(|file| fs::read_to_string(file).unwrap().replace('\r', ""));
    texts.rfind(|text| text.contains(&format!("To: <{player}@example.org>"))).unwrap()
}

/// A player's answer to his newest letter, with the checkpoint of that letter quoted below.
pub fn answer(folder: &Path, player: &str, text: &str) -> String {
    let letter = newest(folder, player);
    let field = |name: &str| letter.lines().find_map(|line| line.strip_prefix(name)).unwrap().trim().to_owned();
    let quoted = letter.lines().skip_while(|line| !line.starts_with("---- checkpoint of the host"));
    let quoted: String = quoted.take_while(|line| !line.is_empty()).map(|line| format!("> {line}\n")).collect();
    assert!(quoted.contains("END SSH SIGNATURE"), "{letter}");
    format!(
        "From: {player}@example.org\nTo: {}\nSubject: Re: {}\nIn-Reply-To: {}\nMessage-ID: <{}@{player}.example>\n\n\
         {text}\n\n{quoted}",
        field("Reply-To:"),
        field("Subject:"),
        field("Message-ID:"),
        text.len(),
    )
}

/// A game of two whose host has a copy from before the first move, and Anna's answer to the letter about that move.
pub fn with_a_backup() -> (TempDir, Vec<(std::path::PathBuf, Vec<u8>)>) {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    start(here);
    done(here, &["send", "shire", "--to-files", "sent"]);
    let backup = ["log.yaml", "host.yaml", "post.yaml"].map(|name| here.join("games/shire").join(name));
    let backup = backup.map(|file| (file.clone(), fs::read(&file).unwrap())).to_vec();
    let first =
        if done(here, &["show", "shire", "--menu", "--as", "yellow"]).starts_with("Nothing") { "bert" } else { "anna" };
    fs::write(here.join("first.eml"), answer(here, first, "claim nearest")).unwrap();
    done(here, &["receive", "first.eml"]);
    done(here, &["send", "shire", "--to-files", "sent"]);
    let second = if first == "bert" { "anna" } else { "bert" };
    fs::write(here.join("second.eml"), answer(here, second, "claim nearest")).unwrap();
    (folder, backup)
}

const OLDER: &str = "the log is older than letters that were written from it";

/// Puts the copy back; once a letter has told of a later record, nothing more is done with the game.
fn put_back(here: &Path, backup: &[(std::path::PathBuf, Vec<u8>)]) {
    for (file, bytes) in backup {
        fs::write(file, bytes).unwrap();
    }
    let older = fs::read(here.join("games/shire/log.yaml")).unwrap();
    let told = ends(here, &["receive", "second.eml"], 7, OLDER);
    assert!(told.contains("`ringmail repair GAME --from MAIL`"), "{told}");
    ends(here, &["say", "shire", "--as", "red", "claim nearest"], 7, OLDER);
    ends(here, &["time", "--tick"], 7, OLDER);
    ends(here, &["repair", "shire"], 7, OLDER);
    assert_eq!(fs::read(here.join("games/shire/log.yaml")).unwrap(), older);
}

#[test]
fn i3_records_that_a_backup_has_lost_come_back_from_the_mail_of_players() {
    let (folder, backup) = with_a_backup();
    let here = folder.path();
    let whole = fs::read(here.join("games/shire/log.yaml")).unwrap();
    put_back(here, &backup);
    ends(here, &["repair", "shire", "--from", "second.eml"], 9, "no record that follows #3");
    ends(here, &["repair", "shire", "--from", "nowhere"], 1, "nowhere");
    let told = done(here, &["repair", "shire", "--from", "sent"]);
    assert!(told.starts_with("#4 is in the log again, and it verifies."), "{told}");
    assert_eq!(fs::read(here.join("games/shire/log.yaml")).unwrap(), whole);
    ends(here, &["receive", "second.eml"], 0, "done    claim nearest");
    done(here, &["verify", "shire"]);
    ends(here, &["repair", "shire", "--from", "sent"], 9, "no record that follows #5");
}

#[test]
fn i3_a_host_may_go_on_without_records_that_are_lost() {
    let (folder, backup) = with_a_backup();
    let here = folder.path();
    let none = "No letter has told of a record that is lost";
    assert!(done(here, &["repair", "shire", "--without"]).contains(none));
    put_back(here, &backup);
    let told = done(here, &["repair", "shire", "--without"]);
    assert!(told.starts_with("The game goes on without #4 "), "{told}");
    // One decision is enough: letters that tell of that record are received again.
    done(here, &["receive", "second.eml"]);
    done(here, &["receive", "first.eml"]);
    let told = done(here, &["verify", "shire"]);
    assert!(told.contains("OK shire"), "{told}");
    assert!(done(here, &["repair", "shire", "--without"]).contains(none));
    ends(here, &["repair", "shire", "--from", "sent", "--without"], 2, "cannot be used with");
}
