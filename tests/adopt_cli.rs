/*! Another host, by the program itself: a game adopted from the mail of its players, and a game handed over. */

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

pub fn ringmail(folder: &Path, arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_ringmail"));
    program.current_dir(folder).env_remove("RINGMAIL_GAMES").env_remove("RINGMAIL_CONFIG").args(arguments);
    program.args(["--post", "box@play.example"]).output().unwrap()
}

#[track_caller]
fn done(folder: &Path, arguments: &[&str]) -> String {
    let ran = ringmail(folder, arguments);
    let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success(), "{arguments:?}\n{out}\n{err}");
    out.into_owned()
}

#[track_caller]
fn refused(folder: &Path, arguments: &[&str], told: &str) {
    let ran = ringmail(folder, arguments);
    let err = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(!ran.status.success() && err.contains(told), "{arguments:?}\n{err}");
}

/// Starts a game of Anna and Bert.
pub fn start(here: &Path) {
    let (anna, bert) = ("yellow=Anna <anna@example.org>", "red=Bert <bert@example.org>");
    done(here, &["new", "shire", "--min-auth", "keyboard", "--seat", anna, "--seat", bert]);
    done(here, &["say", "shire", "--as", "yellow", "join"]);
    done(here, &["say", "shire", "--as", "red", "join"]);
    done(here, &["say", "shire", "start"]);
}

/// A started game of two; the letters of each player are in a folder with his name.
fn started() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    start(here);
    done(here, &["send", "shire", "--to-files", "out"]);
    for entry in fs::read_dir(here.join("out")).unwrap() {
        let path = entry.unwrap().path();
        let letter = fs::read_to_string(&path).unwrap();
        let player = if letter.contains("To: <anna@example.org>") { "anna" } else { "bert" };
        fs::create_dir_all(here.join(player)).unwrap();
        fs::rename(&path, here.join(player).join(path.file_name().unwrap())).unwrap();
    }
    folder
}

/// Red agrees to the new host, and sends back the line that he must confirm.
fn consents(here: &Path) {
    let mut line = "consent second breakfast".to_owned();
    for number in 1..=2 {
        let (folder, answer) = (format!("asked{number}"), format!("answer{number}.eml"));
        done(here, &["--games", "new", "send", "shire", "--to-files", &folder]);
        let letters = fs::read_dir(here.join(folder)).unwrap();
        let letters = letters.map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
        let letter = letters.into_iter().find(|letter| letter.contains("To: <bert@example.org>")).unwrap();
        let field = |name: &str| {
            letter
                .lines()
                .find_map(|line| line.strip_prefix(name))
                .unwrap_or_else(|| panic!("{name}: {letter}"))
                .to_owned()
        };
        if let Some(confirm) = letter.lines().find(|line| line.starts_with("consent ") && line.contains(" confirm ")) {
            line = confirm.to_owned();
        }
        let raw = format!(
            "From: Bert <bert@example.org>\nTo: {}\nSubject: Re: {}\nIn-Reply-To: {}\nMessage-ID: <{number}@bert>\n\n\
             {line}\n",
            field("Reply-To: "),
            field("Subject: "),
            field("Message-ID: ")
        );
        fs::write(here.join(&answer), raw).unwrap();
        let told = done(here, &["--games", "new", "receive", &answer]);
        assert!(told.contains(if number == 2 { "done    consent" } else { "kept    consent" }), "{told}");
    }
}

#[test]
fn a_game_is_adopted_from_the_players_mail() {
    let folder = started();
    let here = folder.path();
    let share = done(here, &["handover", "share", "bert", "--name", "shire"]);
    let share = share.split("--share ").nth(1).unwrap().trim().to_owned();
    assert!(share.starts_with("red="), "{share}");
    let begin = |more: &[&str]| {
        let all = ["--games", "new", "handover", "adopt", "shire", "--mailbox", "anna", "--plays", "yellow"];
        let told = ["--address", "red=bert@example.org", "--why", "the host is gone since May"];
        [&all[..], &told, more].concat().into_iter().map(str::to_owned).collect::<Vec<String>>()
    };
    let run = |arguments: &[String]| arguments.iter().map(String::as_str).collect::<Vec<&str>>().join("\u{1}");
    let begun = run(&begin(&[]));
    refused(here, &begun.split('\u{1}').collect::<Vec<&str>>(), "these are missing: red");
    let forged = run(&begin(&["--share", &format!("red={}", "A".repeat(52))]));
    refused(here, &forged.split('\u{1}').collect::<Vec<&str>>(), "not the share of red");
    assert!(!here.join("new").exists(), "what is refused writes nothing");
    let begun = run(&begin(&["--share", &share]));
    let told = done(here, &begun.split('\u{1}').collect::<Vec<&str>>());
    assert!(told.contains("they verify") && told.contains("red: consent with words"), "{told}");
    let unknown = "No address of yellow is known, and no letter goes there: `ringmail address shire --as yellow --to";
    assert!(told.contains(unknown) && !told.contains("address of red"), "{told}");
    refused(here, &["--games", "new", "say", "shire", "--as", "yellow", "done"], "");
    // The consent comes by letter, and is confirmed.
    consents(here);
    let told = done(here, &["--games", "new", "verify", "shire", "--mailbox", "anna", "--mailbox", "bert", "--long"]);
    assert!(told.contains("another went on with the game 1 time") && told.contains("mailbox     PASS"), "{told}");
}

#[test]
fn a_game_started_without_shares_cannot_be_adopted_and_the_reason_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let seats = ["--seat", "yellow=Anna <anna@example.org>", "--seat", "red=Bert"];
    done(here, &[&["new", "shire", "--min-auth", "keyboard", "--host-plays", "red"][..], &seats].concat());
    done(here, &["say", "shire", "--as", "yellow", "join"]);
    done(here, &["say", "shire", "--as", "red", "join"]);
    done(here, &["say", "shire", "start"]);
    done(here, &["send", "shire", "--to-files", "anna"]);
    refused(here, &["handover", "share", "anna", "--name", "shire"], "holds a share");
    let begin = ["--games", "new", "handover", "adopt", "shire", "--mailbox", "anna", "--why", "gone"];
    refused(here, &begin, "started without shares");
}

#[test]
fn a_game_is_handed_over_sealed_to_its_new_host() {
    let folder = started();
    let here = folder.path();
    let key = done(here, &["handover", "key", "host.key"]);
    refused(here, &["handover", "key", "host.key"], "will not be replaced");
    let why = ["--why", "Anna takes over", "--consent", "red", "--consent", "yellow"];
    let seal = [&["handover", "seal", "shire", "--to", key.trim(), "--out", "shire.handover"][..], &why].concat();
    assert!(done(here, &seal).contains("the game is handed over"));
    // The old host cannot go on by mistake, and everybody can still check his log.
    refused(here, &["say", "shire", "--as", "red", "done"], "was handed over: only the host who took it");
    done(here, &["verify", "shire"]);
    // The game does not trouble his other work: his clock ticks and his letters go out.
    assert_eq!(done(here, &["time", "--tick"]), "");
    assert_eq!(done(here, &["send", "--to-files", "late"]), "");
    done(here, &["handover", "key", "other.key"]);
    let open = |key: &'static str| ["--games", "new", "handover", "open", "shire.handover", "--key", key];
    refused(here, &open("other.key"), "sealed to another key");
    let told = done(here, &open("host.key"));
    assert!(told.contains("shire is yours") && told.contains("2 letters are ready"), "{told}");
    refused(here, &open("host.key"), "will not be replaced");
    let told = done(here, &["--games", "new", "verify", "shire", "--mailbox", "anna", "--long"]);
    assert!(told.contains("another went on with the game 1 time"), "{told}");
    done(here, &["--games", "new", "send", "shire", "--to-files", "after"]);
    // The new host's checkpoints are signed with the new key, the old letters' with the old one: both are valid.
    let told = done(here, &["--games", "new", "verify", "shire", "--mailbox", "anna", "--mailbox", "after", "--long"]);
    assert!(told.contains("3 of the checkpoints signed by the host"), "{told}");
}
