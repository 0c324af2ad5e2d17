/*! Backups and restores, with the real program: in the middle of a campaign the disk is lost, and the players' mail
has what happened since the backup.
*/

#[path = "keeping/container.rs"]
mod container;
#[cfg(feature = "postgres")]
#[path = "keeping/database.rs"]
mod database;
#[path = "keeping/later.rs"]
mod later;

use crate::adopt_cli::{ringmail, start};
use crate::homes::{Home, Place, in_both_homes, names};
use crate::repair_cli::{answer, done, ends, newest, with_a_backup};
use crate::servers::{Process, happens};
use ground::disk::mishap;
use ground::stamp::Stamp;
use mail::letter::mailbox::Mailbox;
use post::keeping::restore::{Config, NotRestored, Wanted, restore};
use ringmail::titles;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use store::Store;

in_both_homes! {
    an_office_is_made_again_and_what_was_lost_comes_back_from_the_players,
}

/// Writes a configuration for an office at a place.
fn configure(here: &Path, name: &str, place: &dyn Place, more: &str) {
    fs::write(here.join(name), format!("mailbox: box@play.example\n{}{more}", place.config())).unwrap();
}

/// A new office with a configuration.
fn configured(here: &Path, name: &str, home: Home, games: &str) -> Box<dyn Place> {
    let place = home.place_beside(here, games);
    configure(here, name, &*place, "");
    place
}

/// The player who is asked first, and the other one.
fn asked_first(here: &Path) -> (&'static str, &'static str) {
    if done(here, &["show", "shire", "--menu", "--as", "yellow"]).starts_with("Nothing") {
        ("bert", "anna")
    } else {
        ("anna", "bert")
    }
}

/// A game of two, and a backup from before the first move; then both players make a move.
fn campaign(here: &Path) -> (&'static str, &'static str) {
    start(here);
    done(here, &["send", "--to-files", "sent"]);
    done(here, &["backup", "office.tar.gz"]);
    let (first, second) = asked_first(here);
    for (player, letter) in [(first, "first.eml"), (second, "second.eml")] {
        fs::write(here.join(letter), answer(here, player, "claim nearest")).unwrap();
        done(here, &["receive", letter]);
        done(here, &["send", "--to-files", "sent"]);
    }
    (first, second)
}

/// The names of the letters to a player that were sent into a folder.
fn letters(folder: &Path, player: &str) -> Vec<String> {
    let to = format!("To: <{player}@example.org>");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    files.retain(|file| fs::read_to_string(file).unwrap().contains(&to));
    files.iter().map(|file| file.file_name().unwrap().to_str().unwrap().to_owned()).collect()
}

/// A player forwards letters unchanged to the address that asked him.
fn forwards(here: &Path, player: &str, names: &[String]) -> String {
    let asked = letters(&here.join("asks"), player).pop().unwrap();
    let asked = fs::read_to_string(here.join("asks").join(asked)).unwrap();
    let to = asked.lines().find_map(|line| line.strip_prefix("Reply-To:")).unwrap().trim().to_owned();
    let parts = names.iter().map(|name| {
        let letter = fs::read_to_string(here.join("sent").join(name)).unwrap();
        format!("--fwd\r\nContent-Type: message/rfc822\r\nContent-Disposition: attachment\r\n\r\n{letter}\r\n")
    });
    let parts: String = parts.collect();
    format!(
        "From: {player}@example.org\r\nTo: {to}\r\nSubject: Fwd: what I have\r\nMessage-ID: <fwd-{}@{player}>\r\n\
         MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=fwd\r\n\r\n--fwd\r\nContent-Type: text/plain\r\n\
         \r\nHere they are.\r\n{parts}--fwd--\r\n",
        names.len()
    )
}

/// A letter that is being written has a temporary name.
fn is_letter(file: &std::io::Result<fs::DirEntry>) -> bool {
    file.as_ref().is_ok_and(|file| !file.file_name().to_string_lossy().starts_with('.'))
}

#[expect(clippy::too_many_lines, reason = "one story from its beginning to its end")]
fn an_office_is_made_again_and_what_was_lost_comes_back_from_the_players(home: Home) {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let place = configured(here, "ringmail.yaml", home, "games");
    let (first, second) = campaign(here);
    let game = || place.store().drawer("shire");
    let log = || game().read("log.yaml").unwrap();
    let whole = log();
    place.lose();
    let told = done(here, &["restore", "office.tar.gz"]);
    assert!(told.contains("stops until 2 players have shown") && told.contains("ringmail restore --go-on"), "{told}");
    let older = log();
    assert!(whole.starts_with(&older) && older.len() < whole.len());
    // Nothing is played: not by a verb of the host, not by the clock, not by a letter that would be a second first
    // move.
    let unknown = "was put back from a backup of";
    ends(here, &["say", "shire", "--as", "red", "claim nearest"], 1, unknown);
    ends(here, &["time", "--tick"], 1, unknown);
    // A letter from before the restore that is delivered once more shows nothing of what came after it.
    let old = format!("Received: by mx.example; Mon, 23 Nov 2020 10:00:00 +0000\n{}", answer(here, first, "status"));
    fs::write(here.join("old.eml"), old).unwrap();
    ends(here, &["receive", "old.eml"], 1, unknown);
    let told = done(here, &["restore"]);
    assert!(told.contains("yellow") && told.contains("red"), "{told}");
    ends(here, &["receive", "first.eml"], 1, unknown);
    assert_eq!(log(), older);
    let told = done(here, &["restore"]);
    assert!(told.contains("shire: ends with #3, waits for letters of"), "{told}");
    // A new backup has the same doubt, and the signed checkpoint: a second restore does not forget them.
    done(here, &["backup", "second.tar.gz"]);
    configured(here, "second.yaml", home, "second");
    let told = done(here, &["--config", "second.yaml", "restore", "second.tar.gz"]);
    assert!(told.contains("stops until 2 players have shown"), "{told}");
    let told = done(here, &["--config", "second.yaml", "restore"]);
    assert!(told.contains("#4 was sent to somebody") && told.contains("yellow") && told.contains("red"), "{told}");
    // Only the letters that ask go out; an answer to one of them shows nothing.
    // The service sends them, and says why it does nothing else; it is killed.
    configure(here, "serve.yaml", &*place, "send:\n  files: asks\n");
    let told = fs::File::create(here.join("told")).unwrap();
    let mut serve = Command::new(env!("CARGO_BIN_EXE_ringmail"));
    serve.args(["--config", "serve.yaml", "serve"]).current_dir(here).stdout(told).env_remove("RINGMAIL_GAMES");
    let served = Process(serve.spawn().unwrap());
    let asks = || fs::read_dir(here.join("asks")).map_or(0, |asks| asks.filter(is_letter).count());
    assert!(happens(|| asks() == 2), "{}", fs::read_to_string(here.join("told")).unwrap());
    assert!(happens(|| names(&game(), "outbox").is_empty()));
    drop(served);
    assert!(fs::read_to_string(here.join("told")).unwrap().contains(unknown));
    assert_eq!(fs::read_dir(here.join("asks")).unwrap().count(), 2);
    let ask = fs::read_to_string(here.join("asks").join(letters(&here.join("asks"), first).pop().unwrap())).unwrap();
    assert!(ask.contains("Please forward") && !ask.contains("checkpoint of the host"), "{ask}");
    // A forged sender does not have the address of the seat: that ends no waiting.
    let old = letters(&here.join("sent"), second);
    let forged = forwards(here, second, &old);
    let to = forged.lines().find(|line| line.starts_with("To: ")).unwrap().to_owned();
    fs::write(here.join("forged.eml"), forged.replacen(&to, "To: box@play.example", 1)).unwrap();
    ringmail(here, &["receive", "forged.eml"]);
    let told = done(here, &["restore"]);
    assert!(told.contains("waits for letters of"), "{told}");
    // Invented records are not kept, in whatever letter they come.
    let invented = forwards(here, second, &[]);
    let records: String = (90..190).map(|seq| format!("---\nseq: {seq}\nprev: \"{seq}\"\n...\n")).collect();
    let part = format!("--fwd\r\nContent-Disposition: attachment; filename=shire-90.yaml\r\n\r\n{records}\r\n");
    let invented = invented.replacen("--fwd--", &format!("{part}--fwd--"), 1);
    fs::write(here.join("invented.eml"), invented).unwrap();
    done(here, &["receive", "invented.eml"]);
    let kept = names(&game(), "restored-records");
    assert!(kept.iter().all(|name| !name.starts_with(['9', '1'])), "{kept:?}");
    // The newest letter of one player has only the records that he did not have before it, not all.
    let newest_of_first = letters(&here.join("sent"), first).pop().unwrap();
    fs::write(here.join("fwd1.eml"), forwards(here, first, &[newest_of_first])).unwrap();
    let told = done(here, &["receive", "fwd1.eml"]);
    assert!(told.contains("are in the log again") || told.contains("it shows which letters"), "{told}");
    fs::write(here.join("fwd2.eml"), forwards(here, second, &letters(&here.join("sent"), second))).unwrap();
    let told = done(here, &["receive", "fwd2.eml"]);
    assert!(told.contains("log again") || told.contains("it shows which letters"), "{told}");
    assert!(done(here, &["restore"]).contains("No game waits"), "{}", done(here, &["restore"]));
    assert!(log().starts_with(&whole), "every record is back, byte for byte");
    // No letter is played a second time, and none that a player has shown is sent again.
    for letter in ["first.eml", "second.eml"] {
        let again = done(here, &["receive", letter]);
        assert!(again.contains("was here before"), "{again}");
    }
    done(here, &["time", "--tick"]);
    done(here, &["send", "--to-files", "after"]);
    let letters_in = |name: &str| -> BTreeSet<String> {
        fs::read_dir(here.join(name)).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
    };
    assert_eq!(letters_in("sent").intersection(&letters_in("after")).count(), 0);
    let text = String::from_utf8(log()).unwrap();
    assert_eq!(
        text.matches("claim nearest").count(),
        String::from_utf8(whole).unwrap().matches("claim nearest").count()
    );
    assert_eq!(text.matches("The post office was put back at").count(), 1, "{text}");
    let told = done(here, &["verify", "shire", "--mailbox", "sent", "--mailbox", "after", "--long"]);
    assert!(told.contains("mailbox     PASS"), "{told}");
}

/// A standby without the last records has taken over for a database, and only the answer of a player shows it.
#[test]
fn an_answer_to_a_letter_that_the_log_has_forgotten_brings_it_back() {
    let (folder, backup) = with_a_backup();
    let here = folder.path();
    let log = || fs::read(here.join("games/shire/log.yaml")).unwrap();
    let whole = log();
    for (file, bytes) in &backup {
        fs::write(file, bytes).unwrap();
    }
    let quoting = fs::read_to_string(here.join("second.eml")).unwrap();
    let plain: String = quoting.lines().filter(|line| !line.starts_with('>')).map(|line| format!("{line}\n")).collect();
    fs::write(here.join("plain.eml"), &plain).unwrap();
    let forgotten = "that the log, which ends with #3, does not have";
    ends(here, &["receive", "plain.eml"], 1, forgotten);
    ends(here, &["time", "--tick"], 1, forgotten);
    assert_eq!(log(), backup[0].1);
    done(here, &["send", "--to-files", "asks"]);
    let (second, first) = if plain.starts_with("From: anna") { ("anna", "bert") } else { ("bert", "anna") };
    assert_eq!((letters(&here.join("asks"), second).len(), letters(&here.join("asks"), first).len()), (1, 0));
    // What he forwards proves it, and brings the record back; now all are asked whether there were more.
    fs::write(here.join("fwd2.eml"), forwards(here, second, &letters(&here.join("sent"), second))).unwrap();
    assert!(done(here, &["receive", "fwd2.eml"]).contains("are in the log again"));
    assert_eq!(log(), whole);
    ends(here, &["receive", "plain.eml"], 1, "was put back from a backup of");
    done(here, &["send", "--to-files", "asks"]);
    fs::write(here.join("fwd1.eml"), forwards(here, first, &letters(&here.join("sent"), first))).unwrap();
    done(here, &["receive", "fwd1.eml"]);
    assert!(done(here, &["receive", "plain.eml"]).contains("claim nearest"));
    assert!(log().starts_with(&whole) && log().len() > whole.len());
    let told = done(here, &["verify", "shire", "--mailbox", "sent", "--long"]);
    assert!(told.contains("mailbox     PASS"), "{told}");
}

/// A player who forwards the first letter that he finds has not shown his newest one.
#[test]
fn a_letter_older_than_those_of_the_backup_is_not_the_newest() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    start(here);
    done(here, &["send", "--to-files", "sent"]);
    let (first, second) = asked_first(here);
    fs::write(here.join("first.eml"), answer(here, first, "claim nearest")).unwrap();
    done(here, &["receive", "first.eml"]);
    done(here, &["send", "--to-files", "sent"]);
    done(here, &["backup", "office.tar.gz"]);
    fs::remove_dir_all(here.join("games")).unwrap();
    done(here, &["restore", "office.tar.gz"]);
    done(here, &["send", "--to-files", "asks"]);
    for player in [first, second] {
        let all = letters(&here.join("sent"), player);
        assert!(all.len() > 1, "{all:?}");
        fs::write(here.join("old.eml"), forwards(here, player, &all[..1])).unwrap();
        let told = done(here, &["receive", "old.eml"]);
        assert!(told.contains("it is not the newest"), "{told}");
        let told = done(here, &["restore"]);
        assert!(told.contains("waits for letters of"), "{told}");
        fs::write(here.join("new.eml"), forwards(here, player, &all)).unwrap();
        done(here, &["receive", "new.eml"]);
    }
    assert!(done(here, &["restore"]).contains("No game waits"));
}

/// Letters that were waiting in the backup may have been sent since. What a player shows decides.
#[test]
fn what_waited_in_a_backup_goes_out_only_to_a_player_who_has_shown_less() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    start(here);
    done(here, &["send", "--to-files", "sent"]);
    let (first, second) = asked_first(here);
    fs::write(here.join("first.eml"), answer(here, first, "claim nearest")).unwrap();
    done(here, &["receive", "first.eml"]);
    done(here, &["backup", "office.tar.gz"]);
    // The report to the first player is sent after the backup, the report to the second is not.
    let files = |name: &str| fs::read_dir(here.join(name)).map_or(0, Iterator::count);
    let before = files("sent");
    done(here, &["send", "--to-files", "since"]);
    let waited = files("since");
    assert!(waited > 0);
    for letter in letters(&here.join("since"), first) {
        fs::rename(here.join("since").join(&letter), here.join("sent").join(&letter)).unwrap();
    }
    fs::remove_dir_all(here.join("games")).unwrap();
    let told = done(here, &["restore", "office.tar.gz"]);
    assert!(told.contains(&format!("{waited} letters waited to be sent and are held")), "{told}");
    done(here, &["send", "--to-files", "asks"]);
    for (player, file) in [(first, "fwd1.eml"), (second, "fwd2.eml")] {
        fs::write(here.join(file), forwards(here, player, &letters(&here.join("sent"), player))).unwrap();
        done(here, &["receive", file]);
    }
    assert!(done(here, &["restore"]).contains("No game waits"));
    done(here, &["time", "--tick"]);
    done(here, &["send", "--to-files", "after"]);
    let missed = letters(&here.join("since"), second);
    assert!(!missed.is_empty() && files("sent") > before, "{missed:?}");
    for letter in &missed {
        assert!(here.join("after").join(letter).is_file(), "{letter} never came to its reader");
    }
    for letter in letters(&here.join("sent"), first) {
        assert!(!here.join("after").join(&letter).exists(), "{letter} came twice");
    }
}

#[test]
fn a_host_who_knows_that_nothing_went_out_lets_the_game_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    start(here);
    // Two letters wait: nobody knows whether they have been sent since.
    done(here, &["backup", "office.tar.gz"]);
    let told = ends(here, &["restore", "office.tar.gz"], 2, "is not empty");
    assert!(told.contains("--games"), "{told}");
    let elsewhere = ["--games", "new/games"];
    let told = done(here, &[&elsewhere[..], &["restore", "office.tar.gz"]].concat());
    assert!(told.contains("2 letters waited to be sent and are held"), "{told}");
    done(here, &[&elsewhere[..], &["restore", "--go-on", "shire"]].concat());
    ends(here, &[&elsewhere[..], &["restore", "--go-on", "shire"]].concat(), 9, "does not wait");
    done(here, &[&elsewhere[..], &["time", "--tick"]].concat());
    done(here, &[&elsewhere[..], &["send", "--to-files", "sent"]].concat());
    done(here, &[&elsewhere[..], &["verify", "shire"]].concat());
    let (first, _) = asked_first(here);
    assert!(newest(here, first).contains("The post office was put back"), "{}", newest(here, first));
    fs::write(here.join("first.eml"), answer(here, first, "claim nearest")).unwrap();
    let told = done(here, &[&elsewhere[..], &["receive", "first.eml"]].concat());
    assert!(told.contains("done    claim nearest"), "{told}");
    let private = |path: &str| here.join(path).metadata().unwrap().permissions().mode() & 0o077;
    for path in ["new/games/shire/host.yaml", "new/games/shire/log.yaml", "new/games", "office.tar.gz"] {
        assert_eq!(private(path), 0, "{path}");
    }
}

#[test]
fn a_backup_is_checked_and_never_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    start(here);
    fs::write(here.join("ringmail.yaml"), "mailbox: box@play.example\n").unwrap();
    std::os::unix::fs::symlink("/etc/hostname", here.join("games/shire/vault/link")).unwrap();
    let told = done(here, &["backup", "office.tar.gz"]);
    assert!(told.contains("1 game, ") && told.contains("Every hash holds.") && told.contains("left out"), "{told}");
    ends(here, &["backup", "office.tar.gz"], 2, "will not be replaced");
    assert!(done(here, &["backup", "--check", "office.tar.gz"]).contains("Every log verifies."));
    // Any tar program can open it.
    let listed = Command::new("tar").args(["-tzf", "office.tar.gz"]).current_dir(here).output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    for file in ["config/ringmail.yaml", "games/shire/log.yaml", "games/shire/host.yaml", "manifest.json"] {
        assert!(listed.lines().any(|line| line == file), "{file}: {listed}");
    }
    assert!(!listed.contains(".lock") && !listed.contains("link"), "{listed}");
    let bytes = fs::read(here.join("office.tar.gz")).unwrap();
    fs::write(here.join("cut.tar.gz"), &bytes[..bytes.len() / 2]).unwrap();
    ends(here, &["backup", "--check", "cut.tar.gz"], 3, "it is damaged");
    ends(here, &["--games", "new", "restore", "cut.tar.gz"], 3, "it is damaged");
    assert!(!here.join("new").exists());
    ends(here, &["backup", "--check", "ringmail.yaml"], 3, "no backup of Ringmail");
    // On a full disk there is no backup, and no half of one.
    let script = format!("trap '' XFSZ; ulimit -f 1; exec {} backup full.tar.gz", env!("CARGO_BIN_EXE_ringmail"));
    let full = Command::new("sh").args(["-c", &script]).current_dir(here).output().unwrap();
    assert_eq!(full.status.code(), Some(1), "{full:?}");
    let left: Vec<_> = fs::read_dir(here).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().contains("full")), "{left:?}");
    // A damaged log is kept as it is, and named.
    let log = here.join("games/shire/log.yaml");
    let text = fs::read_to_string(&log).unwrap();
    fs::write(&log, text.replacen("Anna", "Emma", 1)).unwrap();
    let told = ends(here, &["backup", "damaged.tar.gz"], 6, "The log of shire does not verify");
    assert!(told.contains("FAIL shire") && here.join("damaged.tar.gz").exists(), "{told}");
}

/// The power fails at every operation in turn: either there is an office or there is none, and no secret is left
/// lying about.
#[test]
fn a_restore_that_is_cut_off_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    done(here, &["init", "--mailbox", "box@play.example", "--secret-credential", "password"]);
    start(here);
    done(here, &["backup", "office.tar.gz"]);
    let (ours, at) = (Mailbox::read("box@play.example").unwrap(), Stamp::parse("2026-11-24T07:12:09Z").unwrap());
    let (backup, games, config) = (here.join("office.tar.gz"), here.join("new/games"), here.join("new.yaml"));
    let store = Store::from(&games);
    let wanted = Wanted { backup: &backup, store: &store, config: &config, ours: &ours, titles: titles::ALL, at };
    let mut cut_off = 0;
    // Each of the first operations, and every third of those that write one file after another.
    for operations in (0..6).chain((6..).step_by(3)) {
        mishap::after(operations);
        let made = restore(&wanted);
        if !mishap::has_struck() {
            made.unwrap();
            break;
        }
        cut_off += 1;
        assert!(matches!(made, Err(NotRestored::Post(_) | NotRestored::Backup(_) | NotRestored::NotPlaced { .. })));
        // Once the office is in its place, only syncing can have failed.
        if games.exists() {
            fs::remove_dir_all(&games).unwrap();
        } else {
            assert!(!config.exists(), "{operations}");
        }
        let left = here.join("new").read_dir().map_or(0, |left| left.count());
        assert_eq!(left, 0, "{operations}");
        let _ = fs::remove_file(&config);
    }
    assert!(cut_off > 10, "{cut_off}");
    done(here, &["--games", "new/games", "verify", "shire"]);
}

#[test]
fn a_restore_that_cannot_write_its_configuration_puts_no_games_in_place() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    done(here, &["init", "--mailbox", "box@play.example", "--secret-credential", "password"]);
    start(here);
    done(here, &["backup", "office.tar.gz"]);
    let (ours, at) = (Mailbox::read("box@play.example").unwrap(), Stamp::parse("2026-11-24T07:12:09Z").unwrap());
    let (backup, games) = (here.join("office.tar.gz"), here.join("new/games"));
    let store = Store::from(&games);
    let restored = |config: &Path| {
        restore(&Wanted { backup: &backup, store: &store, config, ours: &ours, titles: titles::ALL, at })
    };
    // A file stands where the folder of the configuration should be.
    let why = restored(&backup.join("new.yaml")).unwrap_err().to_string();
    assert!(why.contains("office.tar.gz/new.yaml"), "{why}");
    assert!(!games.exists());
    assert_eq!(restored(&here.join("new.yaml")).unwrap().config, Config::Written);
    done(here, &["--games", "new/games", "verify", "shire"]);
}
