/*! The program as its users meet it: the built binary, in separate folders, with the errors of the real world. Every
case gives a clear message and its exit code, and leaves the log whole.
*/

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use tempfile::TempDir;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/games/two-towers/log.yaml");

/// A folder in which the program runs.
pub(crate) struct Place(TempDir);

/// The result of a run of the program.
#[derive(Debug)]
pub(crate) struct Ran {
    pub exit: i32,
    pub out: String,
    pub err: String,
}

impl Place {
    pub(crate) fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    /// A started game of Anna and Bert; the first letters are sent.
    pub(crate) fn with(games: &[&str]) -> Place {
        let place = Place::new();
        for game in games {
            let seats = ["--seat", "Anna <anna@example.org>", "--seat", "Bert <bert@example.org>"];
            place.done(&[&["new", game, "--min-auth", "keyboard"][..], &seats].concat());
            place.done(&["say", game, "--as", "yellow", "join"]);
            place.done(&["say", game, "--as", "red", "join"]);
            place.done(&["say", game, "start"]);
        }
        place.done(&["send", "--to-files", "letters"]);
        place
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.0.path().join(file)
    }

    pub(crate) fn run(&self, words: &[&str]) -> Ran {
        self.fed(words, b"")
    }

    pub(crate) fn fed(&self, words: &[&str], input: &[u8]) -> Ran {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ringmail"))
            .args(words)
            .current_dir(self.0.path())
            .env_remove("RINGMAIL_GAMES")
            .env_remove("RINGMAIL_MAILBOX")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The program may end before it has read everything.
        let _ = child.stdin.take().unwrap().write_all(input);
        let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ran { exit: status.code().unwrap(), out: text(stdout), err: text(stderr) }
    }

    #[track_caller]
    pub(crate) fn done(&self, words: &[&str]) -> String {
        let ran = self.run(words);
        assert_eq!(ran.exit, 0, "{words:?}: {ran:?}");
        ran.out
    }

    #[track_caller]
    fn fails(&self, words: &[&str], exit: i32, says: &str) {
        let ran = self.run(words);
        assert_eq!(ran.exit, exit, "{words:?}: {ran:?}");
        assert!(ran.err.contains(says) || ran.out.contains(says), "{words:?}: {ran:?}");
    }

    /// A letter of a seat, in answer to the newest that it was sent.
    fn letter(&self, game: &str, seat: &str, text: &str) -> String {
        let letters = files(&self.path("letters"));
        let newest = letters.iter().filter(|file| name(file).starts_with(&format!("{game}."))).rfind(|file| {
            let text = fs::read_to_string(file).unwrap();
            text.contains(&format!("X-Ringmail-Seat: {seat}\n")) || text.contains(&format!("X-Ringmail-Seat: {seat}\r"))
        });
        let newest = fs::read_to_string(newest.unwrap()).unwrap();
        let author = if seat == "yellow" { "anna@example.org" } else { "bert@example.org" };
        format!(
            "From: <{author}>\r\nTo: {}\r\nIn-Reply-To: {}\r\nMessage-ID: <{}@mail.example>\r\n\
             Content-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n",
            field(&newest, "Reply-To"),
            field(&newest, "Message-ID"),
            text.len(),
        )
    }

    fn write(&self, file: &str, bytes: impl AsRef<[u8]>) {
        let file = self.path(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, bytes).unwrap();
    }

    fn log(&self, game: &str) -> String {
        fs::read_to_string(self.path(&format!("games/{game}/log.yaml"))).unwrap()
    }

    /// The seat that the game asks.
    fn asked(&self, game: &str) -> &'static str {
        if self.done(&["show", game, "--menu", "--as", "yellow"]).starts_with("Nothing") { "red" } else { "yellow" }
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn name(file: &Path) -> String {
    file.file_name().unwrap().to_string_lossy().into_owned()
}

#[test]
fn what_does_not_exist_is_named_with_what_does() {
    let place = Place::with(&["shire"]);
    place.fails(&["show", "moor"], 2, "There is no game at games/moor/log.yaml.");
    place.fails(&["say", "moor", "--as", "red", "pass"], 2, "There is no game in games/moor");
    place.fails(
        &["say", "shire", "--as", "purple", "pass"],
        2,
        "There is no seat `purple` in shire; there are: yellow, red",
    );
    let two = ["--seat", "Anna <a@example.org>", "--seat", "Bert <b@example.org>"];
    let new = |more: &[&'static str]| [&["new", "moor"], &two[..], more].concat();
    place.fails(&new(&["--title", "chess"]), 2, "There is no title `chess`; there are: risk");
    place.fails(&new(&["--option", "size=9"]), 2, "There is no option `size`; there are: variant");
    place.fails(&new(&["--option", "variant=solo"]), 2, "it can be: individual, alliance, team, standard");
    place.fails(&["new", "../moor", two[0], two[1], two[2], two[3]], 2, "cannot be the name of a game");
    place.fails(&["new", "shire", two[0], two[1], two[2], two[3]], 2, "games/shire/log.yaml is there already");
    assert_eq!(files(&place.path("games")).iter().map(|file| name(file)).collect::<Vec<_>>(), [".post", "shire"]);
    place.fails(&["man", "--completions", "tcsh"], 2, "zsh");
    place.fails(&["man", "fly"], 2, "There is no verb `fly`");
    place.fails(&["log", SAMPLE, "--why", "9999"], 2, "There is no entry 9999; the last is ");
}

#[test]
fn a_damaged_game_does_not_stop_the_letters_of_another() {
    let place = Place::with(&["moor", "shire"]);
    let seat = place.asked("shire");
    for (file, game, seat) in [("1.eml", "moor", place.asked("moor")), ("2.eml", "shire", seat)] {
        place.write(&format!("Maildir/new/{file}"), place.letter(game, seat, "claim nearest"));
    }
    for folder in ["Maildir/cur", "Maildir/tmp"] {
        fs::create_dir_all(place.path(folder)).unwrap();
    }
    let damaged = place.log("moor").replace("Anna", "Anno");
    place.write("games/moor/log.yaml", &damaged);
    let ran = place.run(&["receive", "Maildir"]);
    assert!(ran.exit != 0 && ran.err.contains("1.eml"), "{ran:?}");
    assert!(ran.out.contains("2.eml: ") && place.log("shire").contains("said: \"claim nearest\""), "{ran:?}");
    // The letter that could not be played waits until the game is mended.
    assert_eq!(files(&place.path("Maildir/new")).iter().map(|file| name(file)).collect::<Vec<_>>(), ["1.eml"]);
    assert_eq!(place.log("moor"), damaged);
    let sent = place.run(&["send", "--to-files", "letters"]);
    assert!(sent.exit != 0 && sent.out.contains("sent shire.4."), "{sent:?}");
    assert!(sent.err.contains("moor"), "{sent:?}");
}

#[test]
fn what_a_letter_holds_does_not_reach_the_terminal_as_control_characters() {
    let place = Place::with(&["shire"]);
    let letter = place.letter("shire", place.asked("shire"), "claim \u{1b}[31mnearest\r\nclaim \u{202e}nearest\u{7}");
    let ran = place.fed(&["receive", "-"], letter.as_bytes());
    assert_eq!(ran.exit, 9, "{ran:?}");
    assert!(ran.out.contains("claim ·[31mnearest") && ran.out.contains("U+001B"), "{ran:?}");
    assert!(!ran.out.contains(['\u{1b}', '\u{202e}', '\u{7}']), "{ran:?}");
}

#[test]
fn a_stranger_is_told_his_address_as_he_writes_it() {
    let place = Place::with(&["shire"]);
    let letter = place.letter("shire", "yellow", "claim nearest").replace("<anna@", "<mallory@");
    let ran = place.fed(&["receive", "-"], letter.as_bytes());
    assert_eq!(ran.exit, 9, "{ran:?}");
    let answer = fs::read_to_string(files(&place.path("games/.post/outbox")).pop().unwrap()).unwrap();
    assert!(answer.contains("\nmallory@example.org is not an address"), "{answer}");
}

#[test]
fn what_a_crash_cut_off_is_told_and_kept() {
    let place = Place::with(&["shire"]);
    let (log, seat) = (place.log("shire"), place.asked("shire"));
    let torn = format!("{log}---\nseq: 4\nprev: \"00");
    place.write("games/shire/log.yaml", &torn);
    place.fails(&["verify", "shire", "--long"], 3, "`repair` sets it aside");
    place.fails(&["show", "shire"], 3, "`repair` sets it aside");
    assert_eq!(place.log("shire"), torn, "who only reads changes nothing");
    let ran = place.run(&["say", "shire", "--as", seat, "claim nearest"]);
    assert!(ran.exit == 0 && ran.err.contains("20 bytes of a record that a crash cut off are now in"), "{ran:?}");
    assert!(place.log("shire").starts_with(&log));
    place.done(&["verify", "shire"]);
    let folder = files(&place.path("games/shire"));
    assert!(folder.iter().any(|file| name(file).starts_with("log.yaml.torn-")), "{folder:?}");
    place.write("games/shire/log.yaml", &torn);
    let ran = place.fed(&["receive", "-"], place.letter("shire", seat, "claim nearest").as_bytes());
    assert!(ran.exit == 0 && ran.err.contains("a crash cut off"), "{ran:?}");
    let crossed = log.replace('\n', "\r\n");
    place.write("games/shire/log.yaml", &crossed);
    place.fails(&["verify", "shire", "--long"], 3, r"not with '---\r'");
    place.fails(&["repair", "shire"], 1, "damaged");
    assert_eq!(place.log("shire"), crossed);
}

#[test]
fn a_game_at_which_somebody_else_works_is_left_alone() {
    let place = Place::with(&["shire"]);
    let (log, seat) = (place.log("shire"), place.asked("shire"));
    let lock = fs::File::open(place.path("games/shire/game.lock")).unwrap();
    lock.lock().unwrap();
    let busy = "Another process is writing to the game in games/shire; try again.";
    place.write("letter.eml", place.letter("shire", seat, "claim nearest"));
    let verbs: [&[&str]; 4] = [
        &["say", "shire", "--as", seat, "claim nearest"],
        &["receive", "letter.eml"],
        &["send", "--to-files", "letters"],
        &["repair", "shire"],
    ];
    // Each waits for its turn for ten seconds, all at the same time.
    std::thread::scope(|scope| {
        for verb in verbs {
            scope.spawn(|| place.fails(verb, 10, busy));
        }
    });
    place.done(&["show", "shire"]);
    place.done(&["verify", "shire"]);
    assert_eq!(place.log("shire"), log);
    // Unlocked explicitly: a program that another test has just started holds the file open until it begins.
    lock.unlock().unwrap();
    place.done(&["receive", "letter.eml"]);
}

#[test]
fn who_gives_up_among_three_is_played_by_a_program_and_that_is_said() {
    let place = Place::new();
    let seats =
        ["--seat", "yellow=Anna <anna@example.org>", "--seat", "red=Bert", "--seat", "black=Carl <carl@x.example>"];
    place.done(&[&["new", "shire", "--host-plays", "red", "--min-auth", "keyboard"][..], &seats].concat());
    for seat in ["yellow", "red", "black"] {
        place.done(&["say", "shire", "--as", seat, "join"]);
    }
    place.done(&["say", "shire", "start"]);
    place.done(&["say", "shire", "--as", "red", "concede"]);
    place.done(&["send", "--to-files", "letters"]);
    let letters = files(&place.path("letters"));
    let said = letters.iter().filter(|file| {
        let letter = fs::read_to_string(file).unwrap();
        letter.contains("Red (Bert) gives the game up; a program plays on in that seat.")
    });
    assert_eq!(said.count(), 2, "Anna and Carl are told: {letters:?}");
    let told = place.done(&["address", "shire", "--as", "red", "--to", "bert@example.org"]);
    assert!(told.contains("; 1 notice waits to be sent."), "{told}");
}

/// As the help explains it: with another exit code the letter would go back to its writer, who may be forged.
#[test]
fn a_mail_server_that_pipes_brings_again_what_was_not_taken_and_returns_nothing() {
    let place = Place::with(&["shire"]);
    let help = place.done(&["help", "receive"]);
    let line =
        help.lines().find_map(|line| line.trim().strip_prefix("| ringmail --config /etc/ringmail.yaml ")).unwrap();
    place.write("letter.eml", place.letter("shire", place.asked("shire"), "fly to the moon"));
    let brought = || {
        let script = format!("cat letter.eml | {} {line}", env!("CARGO_BIN_EXE_ringmail"));
        let piped = Command::new("sh").args(["-c", &script]).current_dir(place.0.path()).output().unwrap();
        assert_eq!(piped.stdout, b"");
        piped.status.code()
    };
    let lock = fs::File::open(place.path("games/shire/game.lock")).unwrap();
    lock.lock().unwrap();
    assert_eq!(brought(), Some(75));
    drop(lock);
    assert_eq!(brought(), Some(0));
    assert!(place.done(&["send", "--to-files", "letters"]).contains("sent shire."));
}

/// `ringmail receive && ringmail time --tick`: a player's slip does not stop the clock.
#[test]
fn a_refused_letter_of_a_mailbox_is_answered_and_all_is_done() {
    let place = Place::with(&["shire"]);
    for folder in ["Maildir/cur", "Maildir/tmp"] {
        fs::create_dir_all(place.path(folder)).unwrap();
    }
    place.write("Maildir/new/1.eml", place.letter("shire", place.asked("shire"), "fly to the moon"));
    let told = place.done(&["receive", "Maildir"]);
    assert!(told.contains("refused fly to the moon") && told.contains("letter shire."), "{told}");
}

#[test]
fn letters_beyond_measure_are_refused_and_the_game_goes_on() {
    let place = Place::with(&["shire"]);
    let seat = place.asked("shire");
    let letter = |text: &str, name: &str| {
        place.letter("shire", seat, text).replace("Message-ID: <", &format!("Message-ID: <{name}.")).into_bytes()
    };
    let nested = (0..60).fold(letter("", "nested"), |mut letter, depth| {
        let part = format!("--b{depth}\r\nContent-Type: multipart/mixed; boundary=b{}\r\n\r\n", depth + 1);
        letter.extend_from_slice(part.as_bytes());
        letter
    });
    let nested = String::from_utf8(nested).unwrap();
    let nested = nested.replace("text/plain; charset=utf-8", "multipart/mixed; boundary=b0");
    let other = if seat == "red" { "yellow" } else { "red" };
    let both = format!("\r\nTo: {}, ", field(&place.letter("shire", other, ""), "To"));
    let two = String::from_utf8(letter("claim nearest", "two")).unwrap().replacen("\r\nTo: ", &both, 1);
    for (name, letter, says) in [
        ("big", letter(&format!("claim nearest\r\n{}", "long ago\r\n".repeat(5_000_000)), "big"), "too large"),
        ("lines", letter(&"claim nearest\r\n".repeat(10_000), "lines"), "10000 lines of your own"),
        ("nul", letter("claim\0 nearest", "nul"), "control character (U+0000)"),
        ("nested", nested.into_bytes(), "parts within parts"),
        ("quoted", letter("> claim nearest", "quoted"), "no sentence of your own"),
        ("two", two.into_bytes(), "is addressed to two seats"),
        ("empty", Vec::new(), "it has no From"),
    ] {
        place.write(name, letter);
        place.fails(&["receive", name], 9, says);
    }
    assert!(!place.log("shire").contains("claim nearest"));
    let html = String::from_utf8(letter("<div>claim nearest</div>", "html")).unwrap();
    place.write("html", html.replace("text/plain", "text/html"));
    place.done(&["receive", "html"]);
    assert!(place.log("shire").contains("said: \"claim nearest\""));
    place.done(&["verify", "shire"]);
}

#[test]
#[cfg(target_os = "linux")]
fn output_that_nobody_takes_ends_the_program_quietly_and_a_full_disk_does_not() {
    let run = |line: &str| {
        let program = env!("CARGO_BIN_EXE_ringmail");
        let run = Command::new("sh").args(["-c", &line.replace("ringmail", program)]).output().unwrap();
        (run.status.code().unwrap(), String::from_utf8(run.stderr).unwrap())
    };
    assert_eq!(run(&format!("ringmail log {SAMPLE} | head -1 > /dev/null")), (0, String::new()));
    let (exit, err) = run(&format!("ringmail log {SAMPLE} > /dev/full"));
    assert!(exit == 1 && err.contains("The output cannot be written"), "{err}");
}

fn field(letter: &str, field: &str) -> String {
    let line = letter.lines().find(|line| line.starts_with(&format!("{field}: "))).unwrap();
    line.split_once(": ").unwrap().1.trim().to_string()
}

#[test]
fn a_game_with_a_time_to_answer_from_the_command_line() {
    let place = Place::new();
    let seats = ["--seat", "yellow=Anna <anna@example.org>", "--seat", "red=Bert <bert@example.org>"];
    let times = ["--answer", "3d", "--days-off", "sat,sun", "--quiet", "22:00-08:00", "--grace", "12h"];
    let more = ["--remind", "1d,6h", "--extensions", "1", "--silence", "wait,2:default", "--zone", "red=europe/berlin"];
    place.fails(
        &[&["new", "shire", "--answer", "soon"][..], &seats].concat(),
        2,
        "is a time such as 3d or 12h, not `soon`",
    );
    place.fails(&[&["new", "shire", "--zone", "red=Bree"][..], &seats].concat(), 2, "not `Bree`");
    place.fails(&[&["new", "shire", "--grace", "12h"][..], &seats].concat(), 2, "--answer");
    place.done(&[&["new", "shire", "--min-auth", "keyboard"][..], &seats, &times, &more].concat());
    place.fails(&["invite", "shire", "Anna <anna@example.org>"], 9, "the charter gives a seat is invited without");
    assert!(place.done(&["time", "shire"]).starts_with("The game waits for everybody to join"));
    place.fails(&["say", "shire", "--as", "red", "claim nearest"], 9, "has not started");
    for seat in ["yellow", "red"] {
        place.done(&["say", "shire", "--as", seat, "join"]);
    }
    place.done(&["say", "shire", "--as", "yellow", "zone America/New_York"]);
    place.done(&["say", "shire", "start"]);
    let shown = place.done(&["time", "shire"]);
    assert!(shown.contains("An answer is due by 2") && shown.contains("and accepted until 2"), "{shown}");
    assert!(shown.contains("red      Europe/Berlin; extensions taken: 0 of 1; every letter at once"), "{shown}");
    let asked = if shown.contains("waits for red") { "red" } else { "yellow" };
    place.fails(&["say", "shire", "--as", asked, "extend 4d"], 9, "t most 3 days can be taken at once");
    place.done(&["say", "shire", "--as", asked, "extend 1d"]);
    place.done(&["say", "shire", "--as", "red", "digest 7:00"]);
    place.fails(&["say", "shire", "--as", "red", "digest loud"], 9, "sets nothing");
    place.done(&["say", "shire", "--as", "red", "absence 2999-12-24 to 2999-12-26"]);
    let early = ["time", "shire", "--deadline", "2000-01-01T00:00:00Z"];
    place.fails(&early, 2, "--why");
    place.fails(&[&early[..], &["--why", "haste"]].concat(), 9, "must be after");
    let shown: serde_json::Value = serde_json::from_str(&place.done(&["time", "shire", "--json"])).unwrap();
    assert_eq!(shown["seats"][1]["letters"], "digest daily 07:00");
    assert_eq!(shown["seats"][1]["absences"][0], "2999-12-24..2999-12-26");
    let ticked: serde_json::Value = serde_json::from_str(&place.done(&["time", "--tick", "--json"])).unwrap();
    assert_eq!((&ticked["game"], &ticked["entries"]), (&"shire".into(), &serde_json::json!([])));
    assert!(ticked["next"].is_string(), "{ticked}");
    // Nothing can happen in the game now: it is not even opened.
    assert_eq!(place.done(&["time", "--tick"]), "");
    let log = place.done(&["log", "shire", "--as", "red"]);
    assert!(log.contains("takes more time, until") && log.contains("The game waits for"), "{log}");
    assert!(place.done(&["show", "shire", "--as", asked]).contains("Please answer by "));
    assert!(
        place.done(&["verify", "games/shire/log.yaml", "--long"]).contains("1 extension taken by seats themselves")
    );
}

#[test]
fn the_charter_of_the_help_makes_a_game() {
    let place = Place::new();
    let help = place.done(&["help", "new"]);
    let from = help.split("\nA charter").nth(1).unwrap();
    let lines = from.lines().skip_while(|line| !line.starts_with("  name: ")).take_while(|line| line.starts_with("  "));
    let charter: Vec<&str> = lines.map(|line| &line[2..]).collect();
    place.write("shire.yaml", charter.join("\n"));
    let made = place.done(&["new", "shire", "--charter", "shire.yaml"]);
    assert!(made.contains("seat  2 red     Bert") && made.contains("`ringmail invite shire`"), "{made}");
    let log = place.log("shire");
    let terms = ["min_auth: \"dkim\"", "votes: \"majority\"", "welcome: \"watchers\"", "zone: \"Europe/Berlin\""];
    assert!(terms.iter().all(|term| log.contains(term)), "{log}");
    place.write("moor.yaml", "name: moor\ntitle: risk\nseats:\n  - Anna <anna@example.org>\n");
    place.fails(&["new", "moor", "--charter", "moor.yaml"], 2, "expected player, address and the rest");
}

/// A host without `serve` runs `time --tick` now and then; after days without a tick, nobody is late because of that.
#[test]
fn a_tick_after_days_without_one_gives_more_time() {
    let place = Place::new();
    let seats = ["--seat", "yellow=Anna <anna@example.org>", "--seat", "red=Bert <bert@example.org>"];
    place.done(&[&["new", "shire", "--answer", "3h", "--min-auth", "keyboard"][..], &seats].concat());
    for seat in ["yellow", "red"] {
        place.done(&["say", "shire", "--as", seat, "join"]);
    }
    place.done(&["say", "shire", "start"]);
    place.done(&["time", "--tick"]);
    let noted = place.0.path().join("games/.post/served");
    let now = fs::read_to_string(&noted).unwrap();
    assert!(now.starts_with("20"));
    // A clock that suddenly shows a much later day is doubted, until a mail server agrees with it.
    fs::write(&noted, "2026-01-01T00:00:00Z\n").unwrap();
    place.fails(&["time", "--tick"], 1, "is it right?");
    fs::write(place.0.path().join("games/.post/agreed"), now).unwrap();
    // In the second in which it was asked, the question is not older than the tick.
    std::thread::sleep(Duration::from_millis(1_100));
    fs::write(&noted, "2026-01-01T00:00:00Z\n").unwrap();
    // Otherwise the tick skips the game: nothing can happen in it for some hours.
    let _ = fs::remove_file(place.0.path().join("games/shire/next-tick"));
    place.done(&["time", "--tick"]);
    let log = place.log("shire");
    assert!(log.contains("nobody was at the post office from 2026-01-01T00:00:00Z to 20"), "{log}");
}

/// Under cron nobody watches: what `serve` would report is written to the host in a letter, once.
#[test]
fn a_tick_writes_to_the_host_what_he_must_know() {
    let place = Place::new();
    place.write("ringmail.yaml", "mailbox: box@play.example\nhost: host@shire.example\nsend: { files: out }\n");
    let seats = ["--seat", "yellow=Anna", "--seat", "red=Bert", "--seat", "black=Cora"];
    place.done(&[&["new", "shire", "--votes", "majority", "--min-auth", "keyboard"][..], &seats].concat());
    for seat in ["yellow", "red", "black"] {
        place.done(&["say", "shire", "--as", seat, "join"]);
    }
    place.done(&["say", "shire", "start"]);
    place.done(&["say", "shire", "--as", "red", "propose replacement red: I must leave"]);
    place.done(&["time", "--tick"]);
    fs::remove_file(place.0.path().join("games/shire/next-tick")).unwrap();
    place.done(&["time", "--tick"]);
    place.done(&["send"]);
    let letters = files(&place.path("out")).into_iter().map(|file| fs::read_to_string(file).unwrap());
    let to_host: Vec<String> = letters.filter(|letter| letter.contains("To: <host@shire.example>")).collect();
    assert_eq!(to_host.len(), 1, "{to_host:?}");
    assert!(to_host[0].contains("shire: red is free for another player"), "{}", to_host[0]);
}

#[test]
fn people_are_invited_and_a_seat_of_the_hosts_asks() {
    let desk = Place::new();
    desk.done(&[
        "new",
        "shire",
        "--seat",
        "yellow=?",
        "--seat",
        "red=?",
        "--press",
        "none",
        "--votes",
        "majority",
        "--min-auth",
        "keyboard",
    ]);
    assert!(desk.log("shire").contains("votes: \"majority\"\npress: \"none\"\n"));
    desk.fails(&["invite", "shire"], 9, "names nobody who has an address");
    let invited = desk.done(&["invite", "shire", "Anna <anna@example.org>", "bert@example.org"]);
    assert!(invited.contains("anna@example.org is invited, as guest-1"), "{invited}");
    desk.fails(&["invite", "shire", "anna@example.org"], 9, "is invited already");
    desk.fails(&["invite", "shire", "Anna"], 2, "is not an address");
    desk.fails(&["invite", "shire", "--seat", "blue", "eve@example.org"], 9, "There is no seat `blue`");
    let waiting = files(&desk.path("games/shire/outbox"));
    assert_eq!(waiting.len(), 2);
    let invitation = fs::read_to_string(&waiting[0]).unwrap().replace("\r\n ", " ");
    assert!(invitation.contains("you are invited") && invitation.contains("THE FINGERPRINT OF THIS GAME"));
    // A table where the host plays every seat, and a vote of one of his seats.
    desk.done(&["new", "moria", "--seat", "yellow=Anna", "--seat", "red=Bert", "--min-auth", "keyboard"]);
    assert!(desk.done(&["verify", "moria"]).starts_with("OK moria: 1 record, and "));
    desk.fails(&["say", "moria", "--as", "yellow", "propose draw"], 9, "ringmail: The game has not started.\n");
    for seat in ["yellow", "red"] {
        desk.done(&["say", "moria", "--as", seat, "join"]);
    }
    desk.done(&["say", "moria", "start"]);
    assert!(desk.done(&["say", "moria", "help"]).contains("propose what"));
    desk.fails(&["say", "moria", "why 99"], 2, "There is no entry 99");
    desk.fails(&["say", "moria", "vote yes 5"], 2, "Say for which seat");
    desk.fails(&["say", "moria", "sing"], 2, "Say for which seat");
    desk.fails(&["say", "moria", "--as", "yellow", "vote"], 9, "It is written `vote yes | no [entry]`");
    desk.fails(&["say", "moria", "--as", "yellow", "status", "sing"], 2, "apart, in two commands");
    let moved = desk.done(&["say", "moria", "--as", "yellow", "propose draw: enough"]);
    let number = moved.trim_start_matches('#').split(' ').next().unwrap();
    desk.done(&["say", "moria", "--as", "red", &format!("vote yes {number}")]);
    assert!(desk.log("moria").contains("result: \"nobody wins: a draw was agreed\""), "{}", desk.log("moria"));
    desk.done(&["verify", "moria"]);
    assert!(desk.done(&["log", "moria"]).contains("moves draw: enough"));
}
