//! What a host does in later years: a pause, letters removed, a person forgotten, a game archived.

use super::{asked_first, forwards, letters};
use crate::adopt_cli::ringmail;
use crate::repair_cli::{answer, done, ends};
use ground::disk::mishap;
use ground::span::Span;
use ground::stamp::Stamp;
use mail::letter::mailbox::Mailbox;
use post::desk::Desk;
use post::desk::pause::NotPaused;
use post::keeping::forget::forget;
use post::office::Office;
use record::fold::clock::Countdown;
use ringmail::titles;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

fn start_with_deadlines(here: &Path) {
    start_with(here, &["--answer", "3d"]);
}

fn start_with(here: &Path, schedule: &[&str]) {
    let seats = ["--seat", "yellow=Anna <anna@example.org>", "--seat", "red=Bert <bert@example.org>"];
    done(here, &[&["new", "shire", "--min-auth", "keyboard"][..], schedule, &seats].concat());
    for seat in ["yellow", "red"] {
        done(here, &["say", "shire", "--as", seat, "join"]);
    }
    done(here, &["say", "shire", "start"]);
    done(here, &["send", "--to-files", "sent"]);
}

fn open(here: &Path, games: &str) -> Desk {
    let ours = Mailbox::read("box@play.example").unwrap();
    Desk::open(&here.join(games).join("shire"), &ours, titles::ALL).unwrap()
}

fn due(desk: &Desk) -> Stamp {
    match desk.table.fold().countdown() {
        Some(Countdown::Until { due, .. }) => due,
        other => panic!("{other:?}"),
    }
}

fn log(here: &Path, games: &str) -> String {
    fs::read_to_string(here.join(games).join("shire/log.yaml")).unwrap()
}

fn copied(here: &Path, name: &str) {
    let _ = fs::remove_dir_all(here.join(name));
    assert!(Command::new("cp").args(["-r", "games", name]).current_dir(here).status().unwrap().success());
}

#[test]
fn no_time_passes_while_the_host_has_paused_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    start_with_deadlines(here);
    copied(here, "again");
    let mut desk = open(here, "games");
    let (from, before) = (desk.table.fold().at(), due(&desk));
    desk.pause(None, "a new\n disk", from).unwrap().unwrap();
    assert!(matches!(desk.pause(None, "", from).unwrap(), Err(NotPaused::Already(_))));
    desk.report(from).unwrap();
    let told = fs::read_dir(here.join("games/shire/outbox")).unwrap().map(|file| file.unwrap().path());
    let told: Vec<String> = told.map(|file| fs::read_to_string(file).unwrap().replace("=\r\n", "")).collect();
    let told: Vec<String> = told.iter().map(|text| text.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(told.len(), 2);
    assert!(told.iter().all(|letter| letter.contains("The game is paused: no time passes.")), "{told:?}");
    assert!(told.iter().all(|letter| letter.contains("Why: a new disk")), "{told:?}");
    // Long after every deadline.
    let later = from.later(Span::days(10));
    let ticked = desk.tick(later).unwrap();
    assert!(ticked.entries.is_empty() && ticked.letters.is_empty(), "{ticked:?}");
    drop(desk);
    assert!(done(here, &["time", "shire"]).contains("its host has paused it"));
    let mut desk = open(here, "games");
    assert!(desk.resume(later).unwrap() && !desk.resume(later).unwrap());
    assert_eq!(due(&desk), before.later(Span::days(10)));
    drop(desk);
    let text = log(here, "games");
    assert!(!text.contains("lapsed") && text.matches("what: \"deadline\"").count() == 1, "{text}");
    done(here, &["verify", "shire"]);
    // A pause that ends by itself; it cannot end before it begins.
    let again = ["--games", "again"];
    ends(here, &[&again[..], &["time", "--pause", "--until", "2020-01-01"]].concat(), 2, "ends later than now");
    ends(here, &[&again[..], &["time", "--resume", "shire"]].concat(), 9, "not paused by its host");
    done(here, &[&again[..], &["time", "--pause", "--until", "2999-01-01"]].concat());
    ends(here, &[&again[..], &["time", "--pause"]].concat(), 9, "is paused already");
    let mut desk = open(here, "again");
    desk.tick(Stamp::parse("2999-01-03T00:00:00Z").unwrap()).unwrap();
    assert!(due(&desk) > Stamp::parse("2999-01-04T00:00:00Z").unwrap());
    assert!(!here.join("again/shire/paused").exists());
}

/// The power fails at every operation in turn: a pause that was begun is recorded once.
#[test]
fn a_pause_that_is_cut_off_is_on_record_once() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    start_with_deadlines(here);
    let mut cut_off = 0;
    for operations in 0.. {
        copied(here, "cut");
        let mut cut = open(here, "cut");
        let (from, before) = (cut.table.fold().at(), due(&cut));
        let to = from.later(Span::days(2));
        mishap::after(operations);
        let done = cut.pause(None, "why", from).is_ok_and(|paused| paused.is_ok()) && cut.resume(to).is_ok();
        let has_struck = mishap::has_struck();
        drop(cut);
        let mut cut = open(here, "cut");
        cut.recover(to).unwrap();
        if !log(here, "cut").contains("The pause from") {
            let _ = cut.pause(None, "why", from).unwrap();
            cut.resume(to).unwrap();
        }
        assert_eq!(due(&cut), before.later(Span::days(2)), "{operations}");
        drop(cut);
        let text = log(here, "cut");
        assert_eq!(text.matches("The host has paused the game").count(), 1, "{operations}: {text}");
        if !has_struck {
            assert!(done);
            break;
        }
        cut_off += 1;
    }
    assert!(cut_off >= 8, "{cut_off}");
}

/// The log and the file beside it agree about a pause, whether it began or ended after the backup.
#[test]
fn a_pause_that_begins_or_ends_after_a_backup_is_over_after_the_restore() {
    for (before, after, is_paused) in
        [(None, Some("--pause"), false), (Some("--pause"), Some("--resume"), false), (Some("--pause"), None, true)]
    {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path();
        start_with_deadlines(here);
        let does = |verb: Option<&str>| {
            if let Some(verb) = verb {
                done(here, &["time", verb, "shire"]);
                done(here, &["send", "--to-files", "sent"]);
            }
        };
        does(before);
        done(here, &["backup", "office.tar.gz"]);
        does(after);
        let lost = log(here, "games");
        fs::remove_dir_all(here.join("games")).unwrap();
        done(here, &["restore", "office.tar.gz"]);
        done(here, &["send", "--to-files", "asks"]);
        for player in ["anna", "bert"] {
            let forwarded = forwards(here, player, &letters(&here.join("sent"), player));
            fs::write(here.join("forwarded.eml"), forwarded).unwrap();
            done(here, &["receive", "forwarded.eml"]);
        }
        assert!(done(here, &["restore"]).contains("No game waits"));
        done(here, &["time", "--tick"]);
        let text = log(here, "games");
        assert!(text.starts_with(&lost), "every record is back");
        assert_eq!(text.matches("The host has paused the game").count(), 1, "{text}");
        assert_eq!(text.contains("not paused by its host any more"), !is_paused, "{text}");
        assert_eq!(here.join("games/shire/paused").exists(), is_paused);
        assert_eq!(done(here, &["time", "shire"]).contains("its host has paused it"), is_paused);
        if is_paused {
            done(here, &["time", "--resume", "shire"]);
        } else {
            ends(here, &["time", "--resume", "shire"], 9, "not paused by its host");
        }
        done(here, &["verify", "shire"]);
    }
}

/// During the grace an answer is still accepted, and a pause does not change that.
#[test]
fn a_pause_in_the_time_of_grace_makes_nobody_late() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    start_with(here, &["--answer", "3d", "--grace", "12h", "--silence", "default"]);
    let mut desk = open(here, "games");
    let from = due(&desk).later(Span::hours(6));
    desk.pause(None, "", from).unwrap().unwrap();
    let later = from.later(Span::days(2));
    assert!(desk.resume(later).unwrap());
    match desk.table.fold().countdown() {
        Some(Countdown::Until { closing, .. }) => assert!(closing > later.later(Span::hours(6)), "{closing}"),
        other => panic!("{other:?}"),
    }
}

/// A game with a received letter.
fn with_a_letter(here: &Path, text: &str) {
    crate::adopt_cli::start(here);
    done(here, &["send", "--to-files", "sent"]);
    let (first, _) = asked_first(here);
    fs::write(here.join("first.eml"), answer(here, first, text)).unwrap();
    done(here, &["receive", "first.eml"]);
    done(here, &["send", "--to-files", "sent"]);
}

fn closes(here: &Path) {
    done(here, &["reveal", "shire", "--abandon", "enough"]);
    done(here, &["send", "--to-files", "sent"]);
}

fn count(here: &Path, folder: &str) -> usize {
    fs::read_dir(here.join("games/shire").join(folder)).unwrap().count()
}

#[test]
fn letters_of_a_game_that_is_over_go_and_are_known_still() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    with_a_letter(here, "status");
    ends(here, &["prune", "shire", "--older-than", "0d"], 9, "shire is not over");
    ends(here, &["archive", "shire"], 9, "not over and closed");
    closes(here);
    assert!(done(here, &["prune"]).contains("No game has been over for 180 days"));
    ends(here, &["prune", "shire"], 9, "its letters stay");
    let (letters_in, letters_out) = (count(here, "vault/mail"), count(here, "sent"));
    assert!(letters_in == 1 && letters_out >= 3, "{letters_in} {letters_out}");
    let told = done(here, &["prune", "shire", "--older-than", "0d", "--dry-run"]);
    assert!(told.contains(&format!("1 letters that came in and {letters_out} that went out would be")), "{told}");
    assert_eq!((count(here, "vault/mail"), count(here, "sent")), (letters_in, letters_out));
    done(here, &["archive", "shire"]);
    ends(here, &["archive", "shire"], 2, "will not be replaced");
    done(here, &["prune", "shire", "--older-than", "0d"]);
    assert_eq!((count(here, "vault/mail"), count(here, "sent")), (0, 0));
    let book = fs::read_to_string(here.join("games/shire/post.yaml")).unwrap();
    assert!(book.contains("\"event\":\"pruned\"") && book.contains("\"letters_in\":1"), "{book}");
    assert!(done(here, &["receive", "first.eml"]).contains("was here before"));
    assert_eq!(count(here, "vault/mail"), 0);
    done(here, &["verify", "shire"]);
    // An archived game verifies anywhere, and contains nothing private.
    fs::rename(here.join("games"), here.join("gone")).unwrap();
    assert!(done(here, &["verify", "shire.yaml"]).starts_with("OK "));
    assert!(!fs::read_to_string(here.join("shire.yaml")).unwrap().contains('@'));
}

#[test]
fn what_a_dispute_may_need_stays_until_it_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    with_a_letter(here, "dispute 3: these dice are not mine");
    closes(here);
    let told = done(here, &["prune", "shire", "--older-than", "0d"]);
    assert!(told.contains("0 letters that came in and 0 that went out removed") && told.contains("stay"), "{told}");
    done(here, &["prune", "shire", "--older-than", "0d", "--evidence"]);
    assert_eq!((count(here, "vault/mail"), count(here, "sent")), (0, 0));
    assert!(fs::read_to_string(here.join("games/shire/post.yaml")).unwrap().contains("\"evidence\":true"));
}

/// The files below a folder that contain a text, in upper or lower case.
fn files_with(folder: &Path, text: &str) -> Vec<String> {
    let found = Command::new("grep").args(["-rila", text]).arg(folder).output().unwrap();
    String::from_utf8(found.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn a_person_is_forgotten_everywhere_but_in_a_game_that_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    with_a_letter(here, "status");
    // The files of the counter count, too.
    let stranger = "From: Anna <Anna@Example.org>\nTo: box@play.example\nSubject: hi\nMessage-ID: <1@a>\n\nhello\n";
    fs::write(here.join("stranger.eml"), stranger).unwrap();
    assert_eq!(ringmail(here, &["receive", "stranger.eml"]).status.code(), Some(9));
    let told = ends(here, &["forget", "anna@example.org"], 9, "holds a seat in a game that is not over");
    assert!(told.contains("yellow in shire. Nothing was changed"), "{told}");
    ends(here, &["forget", "box@play.example"], 9, "this post office itself");
    closes(here);
    let before = log(here, "games");
    let told = done(here, &["forget", "anna@example.org", "--dry-run"]);
    assert!(told.contains("would be") && told.contains("It is registered as yellow in shire."), "{told}");
    assert!(!files_with(&here.join("games"), "anna@example.org").is_empty());
    done(here, &["forget", "anna@example.org"]);
    assert_eq!(files_with(&here.join("games"), "anna@example.org"), [""; 0]);
    assert!(!files_with(&here.join("games"), "bert@example.org").is_empty());
    // A part of an address is another address.
    for part in ["t@example.org", "bert@example.or", "bert@example"] {
        let told = ringmail(here, &["forget", part]);
        let told = String::from_utf8_lossy(&told.stdout).into_owned();
        assert!(told.is_empty() || told.starts_with("0 letters are removed, and 0 lines"), "{part}: {told}");
    }
    assert_eq!(log(here, "games"), before);
    assert!(done(here, &["forget", "anna@example.org"]).starts_with("0 letters are removed, and 0 lines"));
    done(here, &["verify", "shire"]);
    done(here, &["time", "--tick"]);
    done(here, &["send", "--to-files", "after"]);
}

/// The power fails at every operation in turn: a repetition does the rest, and the book is whole at every moment.
#[test]
fn a_person_who_was_half_forgotten_is_forgotten_the_next_time() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    with_a_letter(here, "status");
    fs::write(here.join("anna.eml"), answer(here, "anna", "press all: mellon is the word")).unwrap();
    done(here, &["receive", "anna.eml"]);
    closes(here);
    let (ours, anna) = (Mailbox::read("box@play.example").unwrap(), Mailbox::read("anna@example.org").unwrap());
    let mut cut_off = 0;
    for operations in 0.. {
        copied(here, "cut");
        let office = Office::new(&here.join("cut"), &ours, titles::ALL);
        mishap::after(operations);
        let done = forget(&office, &anna, titles::ALL, false, Duration::ZERO);
        let has_struck = mishap::has_struck();
        assert_eq!(done.is_ok(), !has_struck, "{operations}");
        drop(office.desk("shire").unwrap());
        forget(&office, &anna, titles::ALL, false, Duration::ZERO).unwrap().unwrap();
        assert_eq!(files_with(&here.join("cut"), "anna@example.org"), [""; 0], "{operations}");
        let book = fs::read_to_string(here.join("cut/shire/post.yaml")).unwrap();
        assert!(!book.contains("@anna.example") && !book.contains("mellon"), "{operations}: {book}");
        if !has_struck {
            break;
        }
        cut_off += 1;
    }
    assert!(cut_off >= 8, "{cut_off}");
}

/// Every file with its bytes and its time: a verb that only reads must not change them.
fn state(folder: &Path) -> Vec<u8> {
    let script = "find . -type f -printf '%p %T@ %s\\n' | sort; find . -type f | sort | xargs sha256sum";
    Command::new("sh").args(["-c", script]).current_dir(folder).output().unwrap().stdout
}

#[test]
fn a_newer_file_is_named_and_nothing_is_done_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    with_a_letter(here, "status");
    let game = here.join("games/shire");
    let book = fs::read_to_string(game.join("post.yaml")).unwrap();
    assert!(book.starts_with("---\n{\"event\":\"book\",\"version\":1}\n...\n"), "{book}");
    let before = state(&here.join("games"));
    let told = done(here, &["doctor", "--after-upgrade"]);
    assert!(told.contains("shire") && told.contains(" records, "), "{told}");
    assert_eq!(state(&here.join("games")), before);
    let newer = |file: &str, text: &str| {
        let path = here.join("games").join(file);
        let older = fs::read(&path).ok();
        fs::write(&path, text).unwrap();
        let told = ends(here, &["doctor", "--after-upgrade"], 1, "a newer program wrote it");
        assert!(told.contains(path.file_name().unwrap().to_str().unwrap()), "{told}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        match older {
            Some(bytes) => fs::write(&path, bytes).unwrap(),
            None => fs::remove_file(&path).unwrap(),
        }
    };
    newer("shire/post.yaml", &book.replacen("\"version\":1", "\"version\":2,\"new\":true", 1));
    newer("shire/host.yaml", "format: 3\nnew: true\n");
    for file in ["shire/paused", "shire/restored"] {
        newer(file, "version: 4\nnew: true\n");
    }
    newer("shire/lost-record", "version 2\n1 2 3\n");
    newer(".post/served", "version 2\nnew\n");
    // An older book has no version, and is read.
    let first = book.split_once("...\n").unwrap().1;
    fs::write(game.join("post.yaml"), first).unwrap();
    assert!(done(here, &["receive", "first.eml"]).contains("was here before"));
    fs::write(game.join("post.yaml"), book.replacen("\"version\":1", "\"version\":2", 1)).unwrap();
    ends(here, &["receive", "first.eml"], 1, "this program knows versions up to 1");
}

#[test]
fn strangers_cannot_fill_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    crate::adopt_cli::start(here);
    fs::write(here.join("ringmail.yaml"), "mailbox: box@play.example\nstrangers: { letters: 1 }\n").unwrap();
    let writes = |name: &str| {
        let text = format!("From: {name}@{name}.example\nTo: box@play.example\nMessage-ID: <{name}@x>\n\nhello\n");
        fs::write(here.join("stranger.eml"), text).unwrap();
        String::from_utf8(ringmail(here, &["receive", "stranger.eml"]).stdout).unwrap()
    };
    let mail = || fs::read_dir(here.join("games/.post/vault/mail")).unwrap().count();
    assert!(writes("one").contains(", answered"), "the first has room");
    assert!(writes("two").contains(", not answered") && mail() == 1);
    // A player who wrote to the wrong address is told so all the same.
    fs::write(here.join("anna.eml"), "From: anna@example.org\nTo: box@play.example\nMessage-ID: <a@x>\n\nhi\n")
        .unwrap();
    let told = String::from_utf8(ringmail(here, &["receive", "anna.eml"]).stdout).unwrap();
    assert!(told.contains(", answered") && mail() == 2, "{told}");
    let doctor = String::from_utf8(ringmail(here, &["doctor"]).stdout).unwrap();
    assert!(doctor.contains("2 letters that belong to no game are kept") && doctor.contains("raise `strangers`"));
}
