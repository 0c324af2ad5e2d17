/*! The program on a failing system: `strace` makes each of its disk calls fail in turn, and `faketime` changes its
clock. The letter then comes once more, and is played once.
*/

use crate::house::copy_all;
use crate::needs;
use crate::repair_cli::{done, with_a_backup};
use crate::servers::{Process, happens};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn log(here: &Path) -> String {
    fs::read_to_string(here.join("games/shire/log.yaml")).unwrap()
}

/// The readers of the waiting letters, in order.
fn waiting(here: &Path) -> Vec<String> {
    let letters = fs::read_dir(here.join("games/shire/outbox")).unwrap().map(|file| file.unwrap().path());
    let letters = letters.filter(|file| file.extension().is_some_and(|kind| kind == "eml"));
    let to = |file: PathBuf| {
        let text = fs::read_to_string(file).unwrap();
        text.lines().find_map(|line| line.strip_prefix("To: ")).unwrap().to_owned()
    };
    let mut waiting: Vec<String> = letters.map(to).collect();
    waiting.sort();
    waiting
}

/// Makes one call after the other fail while a letter is received, from the `first` on, in steps of `step`.
fn fails(calls: &str, error: &str, first: usize, step: usize) {
    if !needs::programs(&["strace"]) {
        return;
    }
    let (start, _) = with_a_backup();
    let expected = tempfile::tempdir().unwrap();
    copy_all(start.path(), expected.path());
    done(expected.path(), &["receive", "second.eml"]);
    for (failed, when) in (first..).step_by(step).enumerate() {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path();
        copy_all(start.path(), here);
        let mut strace = Command::new("strace");
        strace.args(["-f", "-qq", "-o", "trace", "-e", &format!("trace={calls}")]);
        strace.args(["-e", &format!("inject={calls}:error={error}:when={when}"), env!("CARGO_BIN_EXE_ringmail")]);
        strace.args(["--post", "box@play.example", "receive", "-"]).current_dir(here).env_remove("RINGMAIL_GAMES");
        strace.stdin(File::open(here.join("second.eml")).unwrap());
        let ran = strace.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
        let is_struck = fs::read_to_string(here.join("trace")).unwrap().contains("(INJECTED)");
        if !is_struck {
            assert!(ran.success() && failed > 0, "{calls}: {ran}");
            return;
        }
        // Nothing is lost and nothing done twice, whether or not the program finished.
        let told = done(here, &["receive", "second.eml"]);
        assert_eq!(log(here).matches("said: \"claim nearest\"").count(), 2, "{calls} {when}: {told}");
        assert_eq!(waiting(here), waiting(expected.path()), "{calls} {when}: {told}");
        done(here, &["verify", "shire"]);
    }
}

#[test]
fn i3_no_write_that_finds_the_disk_full_loses_a_letter() {
    fails("write", "ENOSPC", 1, 2);
}

#[test]
fn i3_no_sync_that_fails_loses_a_letter() {
    fails("fsync,fdatasync", "EIO", 1, 1);
}

#[test]
fn i3_no_renaming_that_fails_loses_a_letter() {
    fails("?rename,renameat,?renameat2", "EIO", 1, 1);
}

/// The first files opened are libraries of the system.
#[test]
fn i3_no_file_that_cannot_be_opened_loses_a_letter() {
    fails("openat", "EMFILE", 4, 5);
}

/// The library that changes the clock of a program.
fn faked(command: &mut Command) -> bool {
    if !needs::programs(&["faketime"]) {
        return false;
    }
    let folders = fs::read_dir("/usr/lib").unwrap().map(|folder| folder.unwrap().path());
    let library = folders.map(|folder| folder.join("faketime/libfaketimeMT.so.1")).find(|file| file.exists());
    let Some(library) = library else { return needs::programs(&["libfaketimeMT.so.1"]) };
    // Only the time of day is wrong: a machine always knows how long it has waited.
    command.env("LD_PRELOAD", library).env("FAKETIME", "+10d");
    command.env("FAKETIME_DONT_FAKE_MONOTONIC", "1").env("DONT_FAKE_MONOTONIC", "1");
    true
}

/// For some seconds the clock is ten days ahead, while a letter is in the Maildir and the games are looked at.
#[test]
fn no_record_is_dated_by_a_clock_that_is_ten_days_ahead() {
    let (folder, _) = with_a_backup();
    let here = folder.path();
    fs::write(here.join("ringmail.yaml"), "mailbox: box@play.example\nreceive:\n  maildir: Maildir\n").unwrap();
    for part in ["cur", "new", "tmp"] {
        fs::create_dir_all(here.join("Maildir").join(part)).unwrap();
    }
    done(here, &["time", "--tick"]);
    fs::copy(here.join("second.eml"), here.join("Maildir/new/1.a.b")).unwrap();
    let before = log(here);
    let ringmail = |verb: &str| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_ringmail"));
        program.args(["--config", "ringmail.yaml", verb]).current_dir(here).env_remove("RINGMAIL_GAMES");
        program
    };
    let mut tick = ringmail("time");
    tick.arg("--tick");
    if !faked(&mut tick) {
        return;
    }
    let told = tick.output().unwrap();
    let words = String::from_utf8_lossy(&told.stderr).into_owned();
    assert!(!told.status.success() && words.contains("is it right?"), "{words}");
    let told = || fs::read_to_string(here.join("told")).unwrap_or_default();
    let serve = |is_faked: bool| {
        let mut serve = ringmail("serve");
        assert!(!is_faked || faked(&mut serve));
        let out = File::create(here.join("told")).unwrap();
        Process(serve.stdin(Stdio::null()).stderr(out.try_clone().unwrap()).stdout(out).spawn().unwrap())
    };
    let process = serve(true);
    assert!(happens(|| told().contains("the clock: it shows ")), "{}", told());
    drop(process);
    assert_eq!(log(here), before);
    assert!(here.join("Maildir/new/1.a.b").exists(), "{}", told());
    // It is right again.
    let process = serve(false);
    assert!(happens(|| log(here).matches("said: \"claim nearest\"").count() == 2), "{}", told());
    drop(process);
    done(here, &["verify", "shire"]);
}
