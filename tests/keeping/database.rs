//! An office is restored into a database, by several hosts at once, or where there is already an office.

use super::{campaign, configure};
use crate::homes::{Home, Place};
use crate::repair_cli::{done, ends};
use crate::servers::postgres::Database;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A host restores a backup on another machine, with this folder for temporary files.
fn restoring(here: &Path, temporary: &str, config: &str, backup: &str) -> Command {
    fs::create_dir_all(here.join(temporary)).unwrap();
    let mut restore = Command::new(env!("CARGO_BIN_EXE_ringmail"));
    restore.args(["--config", config, "restore", backup]).current_dir(here).env_remove("RINGMAIL_GAMES");
    restore.env("TMPDIR", here.join(temporary)).stdout(Stdio::piped()).stderr(Stdio::piped());
    restore
}

/// A campaign and its backup, in a folder with the configuration; `None` without PostgreSQL.
fn campaign_in_a_database() -> Option<(TempDir, Box<dyn Place>)> {
    Database::shared()?;
    let folder = tempfile::tempdir().unwrap();
    let place = Home::Database.place_beside(folder.path(), "games");
    configure(folder.path(), "ringmail.yaml", &*place, "");
    campaign(folder.path());
    Some((folder, place))
}

fn words(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn an_office_that_is_there_is_named_and_stays_as_it_is() {
    let Some((folder, place)) = campaign_in_a_database() else { return };
    let here = folder.path();
    let before = done(here, &["export", "shire"]);
    let told = ends(here, &["restore", "office.tar.gz"], 2, "is not empty, it holds shire, and an office is put back");
    assert!(told.contains(&place.store().place().display().to_string()) && !told.contains("--games"), "{told}");
    assert_eq!(done(here, &["export", "shire"]), before);
    // Its games are lost, and letters for them wait.
    let letter = store::home::LetterWaiting {
        name: "letter".to_owned(),
        raw: b"From: anna@example.org\n\nclaim nearest\n".to_vec(),
        is_old: false,
        game: Some("shire".to_owned()),
    };
    let store = place.store();
    store.shared().unwrap().hand_in(&letter).unwrap();
    for drawer in store.drawers().unwrap() {
        store.drawer(&drawer).remove_folder("").unwrap();
    }
    ends(here, &["restore", "office.tar.gz"], 2, "it holds letters that wait to be played: 1, and");
}

/// The backup is unpacked among the temporary files only, and nothing of it is left there.
#[test]
fn of_hosts_who_restore_at_once_one_makes_the_office() {
    let Some((folder, place)) = campaign_in_a_database() else { return };
    let here = folder.path();
    place.lose();
    let machines = ["one", "two", "three"];
    for machine in machines {
        fs::write(here.join(format!(".{machine}.restoring")), "nothing can be made here").unwrap();
    }
    let hosts = machines.map(|machine| restoring(here, machine, "ringmail.yaml", "office.tar.gz").spawn().unwrap());
    let ended = hosts.map(|host| host.wait_with_output().unwrap());
    let mut codes: Vec<Option<i32>> = ended.iter().map(|ended| ended.status.code()).collect();
    codes.sort_unstable();
    assert_eq!(codes, [Some(0), Some(2), Some(2)], "{}", ended.iter().map(words).collect::<String>());
    let refused = |ended: &Output| words(ended).contains("is not empty, it holds shire,");
    assert_eq!(ended.iter().filter(|ended| refused(ended)).count(), 2);
    for machine in machines {
        assert_eq!(fs::read_dir(here.join(machine)).unwrap().count(), 0, "{machine}");
    }
    done(here, &["verify", "shire"]);
}
