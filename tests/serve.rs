/*! `serve`, `receive`, `send` and `doctor` as a host uses them, with real servers: a clean stop, two processes at once,
LMTP, pipes and mboxes, and the words for what goes wrong.
*/

use crate::needs;
use crate::servers::{Dovecot, PASSWORD, Process, Relay, ca, free_port, greets, happens, until};
use std::fs::{self, File};
use std::io::Write;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A post office with a game of Risk that has just started.
pub struct Post {
    pub home: TempDir,
}

impl Post {
    pub fn new(config: &str) -> Post {
        let post = Post { home: tempfile::tempdir().unwrap() };
        post.configure(config);
        let seats = ["--seat", "yellow=anna <anna@shire.example>", "--seat", "red=bert <bert@shire.example>"];
        post.does(&[&["new", "g7", "--min-auth", "keyboard"][..], &seats].concat());
        for seat in ["yellow", "red"] {
            post.does(&["say", "g7", "--as", seat, "join"]);
        }
        post.does(&["say", "g7", "start"]);
        post
    }

    pub fn configure(&self, config: &str) {
        fs::write(self.path("ringmail.yaml"), format!("mailbox: box@play.example\n{config}")).unwrap();
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ringmail"));
        command.args(arguments).current_dir(self.home.path()).stdin(Stdio::null());
        for variable in ["RINGMAIL_GAMES", "RINGMAIL_MAILBOX", "RINGMAIL_SMTP", "RINGMAIL_CONFIG"] {
            command.env_remove(variable);
        }
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    #[track_caller]
    pub fn does(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", words(&output));
        words(&output)
    }

    /// Starts `serve`; its output goes into the file `told`.
    pub fn serve(&self) -> Process {
        let told = File::create(self.path("told")).unwrap();
        let errors = told.try_clone().unwrap();
        let child = self.command(&["serve"]).stdout(told).stderr(errors).spawn().unwrap();
        let process = Process(child);
        self.until("ready: ");
        process
    }

    pub fn told(&self) -> String {
        fs::read_to_string(self.path("told")).unwrap_or_default()
    }

    #[track_caller]
    pub fn until(&self, words: &str) {
        assert!(happens(|| self.told().contains(words)), "{words}: {}", self.told());
    }

    /// A letter of a player, in answer to his newest one.
    pub fn answer(&self, player: &str, number: u32, text: &str) -> String {
        let to = format!("To: <{player}@shire.example>");
        let mut newest = None;
        let is_found = happens(|| {
            let shelves = ["outbox", "sent"].map(|shelf| fs::read_dir(self.path("games/g7").join(shelf)).unwrap());
            let mut letters: Vec<PathBuf> = shelves.into_iter().flatten().map(|file| file.unwrap().path()).collect();
            letters.sort();
            // A letter that is being sent may have moved to the other shelf before it is read.
            let mut texts = letters.iter().filter_map(|file| fs::read_to_string(file).ok());
            newest = texts.rfind(|letter| letter.contains(&to));
            newest.is_some()
        });
        assert!(is_found, "no letter to {player}");
        let letter = newest.unwrap();
        let letter = mail_parser::MessageParser::default().parse(letter.as_bytes()).unwrap().into_owned();
        let reply_to = letter.header_raw("Reply-To").unwrap().trim().trim_matches(['<', '>']).to_owned();
        format!(
            "From: {player}@shire.example\nTo: {reply_to}\nSubject: Re: {}\nIn-Reply-To: <{}>\n\
             Message-ID: <{number}@mail.shire.example>\n\n{text}\n",
            letter.subject().unwrap(),
            letter.message_id().unwrap(),
        )
    }

    /// The asked player, by the name of his mailbox.
    pub fn asked(&self) -> &'static str {
        let shown = self.does(&["show", "g7"]);
        if shown.contains("waits for red") || shown.contains("red (") { "bert" } else { "anna" }
    }
}

pub fn words(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

pub const MAILDIR: &str = "receive:\n  maildir: Maildir\nsend:\n  files: out\n";

#[test]
fn serve_stops_cleanly_and_lets_nobody_else_serve() {
    let post = Post::new(MAILDIR);
    let mut serve = post.serve();
    until("the first letters are sent", || fs::read_dir(post.path("out")).is_ok_and(|out| out.count() == 2));
    let second = post.run(&["serve"]);
    assert_eq!(second.status.code(), Some(10), "{}", words(&second));
    assert!(words(&second).contains("Another `ringmail serve` is at work on these games."));
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = format!("receive:\n  lmtp: {}\nsend:\n  files: letters\n", listener.local_addr().unwrap());
    let elsewhere = Post::new(&taken).run(&["serve"]);
    let told = words(&elsewhere);
    assert!(told.contains("receive.lmtp: cannot listen on ") && told.contains("choose another port"), "{told}");
    // Other verbs work at the same time, each under the lock of its game.
    post.does(&["show", "g7"]);
    post.does(&["send"]);
    for signal in ["-TERM", "-INT"] {
        serve.signal(signal);
        assert!(serve.0.wait().unwrap().success());
        assert!(post.told().ends_with(" stopped\n"), "{}", post.told());
        serve = post.serve();
    }
}

#[test]
fn two_processes_on_one_folder_play_every_letter_once() {
    let lmtp = free_port();
    let post = Post::new(&format!("receive:\n  maildir: Maildir\n  lmtp: 127.0.0.1:{lmtp}\nsend:\n  files: out\n"));
    let _serve = post.serve();
    until("it listens", || greets(lmtp));
    let asked = post.asked();
    let letter = post.answer(asked, 1, "status");
    fs::write(post.path("letter.eml"), &letter).unwrap();
    // The same letter by every way at once.
    let ways: Vec<_> = (0..4)
        .map(|_| post.command(&["receive", "letter.eml"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
        .collect();
    fs::write(post.path("Maildir/new/1.a.b"), &letter).unwrap();
    for way in ways {
        let code = way.wait_with_output().unwrap().status.code();
        assert!(matches!(code, Some(0 | 10)), "{code:?}");
    }
    assert!(happens(|| fs::read_dir(post.path("Maildir/new")).unwrap().count() == 0), "{}", post.told());
    let book = fs::read_to_string(post.path("games/g7/post.yaml")).unwrap();
    assert_eq!(book.matches("\"event\":\"taken\"").count(), 1, "{book}");
    assert_eq!(book.matches("\"event\":\"done\"").count(), 1, "{book}");
    // LMTP, spoken by a real client.
    if needs::programs(&["swaks"]) {
        let to = letter.lines().find_map(|line| line.strip_prefix("To: ")).unwrap();
        let server = format!("127.0.0.1:{lmtp}");
        let mut swaks = Command::new("swaks");
        swaks.args(["--protocol", "LMTP", "--server", &server, "--from", "x@far.example", "--to", to]);
        swaks.args(["--header", "Subject: hello", "--body", "hello"]);
        let said = words(&swaks.output().unwrap());
        assert!(said.contains("250 2.1.5 taken"), "{said}");
        post.until("x@far.example is not an address registered");
    }
}

#[test]
fn letters_come_by_pipes_and_mboxes() {
    let post = Post::new(MAILDIR);
    let asked = post.asked();
    let one = post.answer(asked, 1, "status");
    let two = post.answer(asked, 2, "help");
    fs::write(post.path("two.mbox"), format!("From a Fri\n{one}\nFrom b Fri\n{two}\n")).unwrap();
    let received = post.does(&["receive", "two.mbox"]);
    assert!(received.contains("two.mbox 1: ") && received.contains("two.mbox 2: "), "{received}");
    // The same mbox again, and the first of its letters through a pipe, as procmail brings it.
    let again = post.does(&["receive", "two.mbox"]);
    assert_eq!(again.matches("was here before").count(), 2, "{again}");
    let mut pipe = post.command(&["receive", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    pipe.stdin.take().unwrap().write_all(format!("From a Fri\n{one}").as_bytes()).unwrap();
    let piped = words(&pipe.wait_with_output().unwrap());
    assert!(piped.contains("was here before"), "{piped}");
    let nowhere = Post::new("send:\n  files: out\n");
    let told = nowhere.run(&["receive"]);
    assert_eq!(told.status.code(), Some(2), "{}", words(&told));
    assert!(words(&told).contains("Nothing says where letters come from"), "{}", words(&told));
}

/// In a shared mailbox, a private letter that comes by a pipe must be delivered elsewhere.
#[test]
fn i5_a_letter_that_is_not_ours_is_handed_back() {
    let post = Post::new(&format!("shared: true\n{MAILDIR}"));
    let receive = |letter: &str| {
        let mut pipe = post.command(&["receive", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        pipe.stdin.take().unwrap().write_all(letter.as_bytes()).unwrap();
        let output = pipe.wait_with_output().unwrap();
        (output.status.code(), words(&output))
    };
    let private = "From: mum@shire.example\nTo: box@play.example\nSubject: dinner\n\nAt eight?\n";
    let (code, told) = receive(private);
    assert!(code == Some(11) && told.contains("not for Ringmail, left as it is"), "{told}");
    assert_eq!(receive(&post.answer(post.asked(), 1, "status")).0, Some(0));
    post.configure("shared: true\nreceive:\n  lmtp: 127.0.0.1:24\nsend:\n  files: out\n");
    let told = words(&post.run(&["doctor"])).split_whitespace().collect::<Vec<&str>>().join(" ");
    assert!(told.contains("private letters that come by LMTP are refused"), "{told}");
}

#[test]
fn a_full_disk_is_told_and_nothing_is_lost() {
    let post = Post::new(MAILDIR);
    let letter = post.answer(post.asked(), 1, &format!("help {}", "x".repeat(1500)));
    fs::write(post.path("letter.eml"), letter).unwrap();
    // No file may grow beyond a kilobyte, like on a full disk.
    let program = env!("CARGO_BIN_EXE_ringmail");
    let script = format!("trap '' XFSZ; ulimit -f 1; exec {program} receive letter.eml");
    let full = Command::new("sh").args(["-c", &script]).current_dir(post.home.path()).output().unwrap();
    assert_eq!(full.status.code(), Some(1), "{}", words(&full));
    assert!(words(&full).to_lowercase().contains("file too large"), "{}", words(&full));
    let received = post.run(&["receive", "letter.eml"]);
    assert!(words(&received).contains("letter "), "{}", words(&received));
    post.does(&["verify", "g7"]);
}

/// The disk with the games is gone: no player may be told that there is no such game.
#[test]
fn i3_a_folder_that_is_gone_is_told_and_no_letter_is_answered() {
    let post = Post::new(MAILDIR);
    let _serve = post.serve();
    until("the first letters are sent", || fs::read_dir(post.path("out")).is_ok_and(|out| out.count() == 2));
    let letter = post.answer(post.asked(), 1, "status");
    fs::rename(post.path("games"), post.path("elsewhere")).unwrap();
    fs::write(post.path("Maildir/new/1.a.b"), &letter).unwrap();
    post.until("is the disk mounted on which they lie?");
    assert!(!post.path("games").exists());
    assert_eq!(fs::read_dir(post.path("Maildir/new")).unwrap().count(), 1);
    let again = post.run(&["serve"]);
    assert_eq!(again.status.code(), Some(2));
    assert!(words(&again).contains("There is no folder games with games in it. Is its disk mounted?"));
    // The folder is back, and everything continues.
    fs::rename(post.path("elsewhere"), post.path("games")).unwrap();
    let received = post.does(&["receive"]);
    assert!(received.contains(", played"), "{received}");
}

#[test]
fn who_disputes_an_entry_is_heard_by_the_host() {
    let post = Post::new(&format!("host: host@shire.example\n{MAILDIR}"));
    let _serve = post.serve();
    until("the first letters are sent", || fs::read_dir(post.path("out")).is_ok_and(|out| out.count() == 2));
    let letter = post.answer(post.asked(), 1, "dispute 3: these dice are not mine");
    fs::write(post.path("Maildir/new/1.a.b"), letter).unwrap();
    let to_host = || {
        let letters = fs::read_dir(post.path("out")).unwrap().map(|file| file.unwrap().path());
        // A letter that is being written has a temporary name, and may be gone before it is read.
        let mut letters = letters.filter_map(|file| fs::read_to_string(file).ok());
        letters.find(|letter| letter.contains("\r\nTo: <host@shire.example>"))
    };
    let mut told = None;
    let is_told = happens(|| {
        told = to_host().filter(|letter| letter.ends_with("\r\n"));
        told.is_some()
    });
    assert!(is_told, "{}", post.told());
    let letter = told.unwrap();
    assert!(letter.contains("Subject: [ringmail] g7: ") && letter.contains("disputes an entry (#4)"), "{letter}");
    assert!(letter.contains("these dice are not mine"), "{letter}");
    let log = fs::read_to_string(post.path("games/g7/log.yaml")).unwrap();
    assert_eq!(log.matches("type: \"dispute\"").count(), 1, "{log}");
}

/// A configuration for the servers of a test.
fn config(imap: &str, password: &str, smtp: &str) -> String {
    format!(
        "receive:\n  imap:\n    server: {imap}\n    secret: {{ command: \"echo {password}\" }}\n    trust: ca.pem\n\
         send:\n  smtp: {{ server: \"{smtp}\", trust: ca.pem }}\n"
    )
}

fn with_certificate(config: &str) -> Post {
    let post = Post { home: tempfile::tempdir().unwrap() };
    fs::write(post.path("ca.pem"), ca()).unwrap();
    fs::create_dir(post.path("games")).unwrap();
    post.configure(config);
    post
}

#[track_caller]
fn wrong(post: &Post, config: &str, expected: &[&str]) {
    post.configure(config);
    let told = post.run(&["doctor"]);
    assert_eq!(told.status.code(), Some(1), "{}", words(&told));
    let told = words(&told).split_whitespace().collect::<Vec<&str>>().join(" ");
    for expected in expected {
        assert!(told.contains(expected), "{expected}: {told}");
    }
    assert!(!told.contains("friend"), "{told}");
}

#[test]
fn s7_doctor_tries_everything_and_says_what_to_do() {
    let Some(dovecot) = Dovecot::start(&["box"], None) else { return };
    let Some(relay) = Relay::start(dovecot.lmtp, 0) else { return };
    let (imap, imaps, smtp) = (
        format!("imap+plain://box@127.0.0.1:{}", dovecot.imap),
        format!("imaps://box@localhost:{}", dovecot.imaps),
        format!("smtp+plain://127.0.0.1:{}", relay.smtp),
    );
    let post = with_certificate(&config(&imaps, PASSWORD, &smtp));
    let told = post.does(&["doctor"]);
    for well in ["files", "locks", "secrets", "sending", "mailbox", "news", "round trip", "plus", "Message-ID", "clock"]
    {
        assert!(told.contains(&format!("well    {well:<14}")), "{well}: {told}");
    }
    wrong(&post, &config(&imap, "friend", &smtp), &["wrong mailbox the IMAP server refuses the login", "app password"]);
    let closed = format!("imap+plain://box@127.0.0.1:{}", free_port());
    wrong(&post, &config(&closed, PASSWORD, &smtp), &["does not answer on port", "no server listens there"]);
    let clear = format!("imaps://box@localhost:{}", dovecot.imap);
    wrong(&post, &config(&clear, PASSWORD, &smtp), &["no secure connection", "does not begin with TLS"]);
    let doubted = config(&imaps, PASSWORD, &smtp).replacen("    trust: ca.pem\n", "", 1);
    wrong(&post, &doubted, &["no secure connection", "the certificate of the server is not trusted", "`trust`"]);
    let gone = config(&imap, PASSWORD, &smtp).replace("    trust: ca.pem\n", "    folder: Gone\n");
    wrong(&post, &gone, &["the folder Gone cannot be opened", "receive.imap.folder"]);
    post.configure(&format!("receive:\n  lmtp: 127.0.0.1:{}\nsend:\n  smtp: {{ server: \"{smtp}\" }}\n", free_port()));
    assert!(post.does(&["doctor"]).contains("letters by LMTP reach `ringmail serve` only"));
    let folders = config(&imap, PASSWORD, &smtp).replace("    trust: ca.pem\n", "    processed: a/b\n");
    wrong(&post, &folders, &["wrong filing letters cannot be filed into the folder a/b: ", "as the server does"]);
    let port = free_port();
    let nobody = format!("smtp+plain://127.0.0.1:{port}");
    let told = format!("wrong sending no letter can be sent: 127.0.0.1, port {port}: ");
    wrong(&post, &config(&imap, PASSWORD, &nobody), &[&told, "no server listens"]);
    let swapped =
        config(&format!("imap+plain://box@127.0.0.1:{}", relay.smtp), PASSWORD, &imap.replace("imap", "smtp"));
    let swapped = swapped.replace("box@127.0.0.1", "127.0.0.1").replacen("://127", "://box@127", 1);
    let other = "something else listens on this port";
    wrong(
        &post,
        &swapped,
        &["wrong mailbox the server does not greet as IMAP servers do", other, "response error", other],
    );
    let unnamed = config(&imap.replace("box@", ""), PASSWORD, &smtp).replace("    secret", "    # secret");
    wrong(&post, &unnamed, &["requires a name and a password", "imaps://USER@HOST"]);
    let no_program = "send:\n  sendmail: { program: /no/such/sendmail }\n";
    wrong(&post, no_program, &["wrong sending there is no program /no/such/sendmail", "skipped receiving"]);
    let no_secret = config(&imap, PASSWORD, &smtp).replace("echo mellon", "exit 3");
    wrong(&post, &no_secret, &["gave no secret", "try the command by hand"]);
    let starttls = format!("smtp://127.0.0.1:{}", relay.smtp);
    wrong(&post, &config(&imap, PASSWORD, &starttls), &["STARTTLS is not supported", "no STARTTLS on this port"]);
    // Somebody else's mailbox: the test letters never arrive there, but the folder is read to its end.
    fs::remove_dir_all(post.path("games")).unwrap();
    wrong(&post, &config(&imap, PASSWORD, &smtp), &["wrong games there is no folder games", "make it"]);
}

/// X1, X5: a server whose words would control the terminal; a file of secrets that others can read.
#[test]
fn x1_x5_what_a_server_says_is_shown_and_secrets_are_looked_after() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let _ = stream.unwrap().write_all(b"* BYE \x1b]0;mine\x07 go away\r\n");
        }
    });
    let post = Post::new(MAILDIR);
    fs::write(post.path("ca.pem"), ca()).unwrap();
    post.configure(&config(&format!("imap+plain://box@127.0.0.1:{port}"), PASSWORD, "smtp+plain://127.0.0.1:1"));
    fs::set_permissions(post.path("games/g7/host.yaml"), fs::Permissions::from_mode(0o640)).unwrap();
    for verb in ["doctor", "receive", "send"] {
        let told = words(&post.run(&[verb]));
        assert!(!told.contains(['\x1b', '\x07']), "{told:?}");
        assert!(told.contains("·]0;mine· go away") || verb == "send", "{told}");
        assert!(told.contains("no server listens there") || verb == "receive", "{told}");
        let open = "games/g7/host.yaml can be read by others on this machine";
        assert!(told.contains(open) && told.contains("chmod 600") || verb != "doctor", "{told}");
    }
}

#[test]
fn s7_a_clock_that_is_behind_a_log_is_told() {
    let post = Post::new(MAILDIR);
    let log = post.path("games/g7/log.yaml");
    let written = fs::read_to_string(&log).unwrap();
    let year = written.lines().find_map(|line| line.strip_prefix("at: \"")).unwrap()[..4].to_owned();
    // An altered log is no log any more, but its end can be read.
    fs::write(&log, written.replace(&format!("at: \"{year}"), "at: \"2999")).unwrap();
    let told = words(&post.run(&["doctor"])).split_whitespace().collect::<Vec<&str>>().join(" ");
    assert!(told.contains("wrong clock g7: its last entry is of 2999-"), "{told}");
    assert!(told.contains("set the clock right"), "{told}");
}

/// A name server that knows some names.
fn name_server(records: &'static [(&str, u8, &[u8])]) -> u16 {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let port = socket.local_addr().unwrap().port();
    std::thread::spawn(move || {
        let mut query = [0; 512];
        while let Ok((length, from)) = socket.recv_from(&mut query) {
            // After the header: the name, its type and class, and an additional record of eleven bytes.
            let question = &query[12..length - 11];
            let mut name = Vec::new();
            let mut rest = question;
            while let Some((size, labels)) = rest.split_first().filter(|(size, _)| **size > 0) {
                name.push(String::from_utf8_lossy(&labels[..usize::from(*size)]).into_owned());
                rest = &labels[usize::from(*size)..];
            }
            let (name, kind) = (name.join("."), rest[2]);
            let found: Vec<_> = records.iter().filter(|(of, is, _)| *of == name && *is == kind).collect();
            let count = u8::try_from(found.len()).unwrap();
            let mut answer = [&query[..2], &[0x81, 0x80, 0, 1, 0, count, 0, 0, 0, 0], question].concat();
            for (_, kind, data) in found {
                answer.extend_from_slice(&[
                    0xc0,
                    12,
                    0,
                    *kind,
                    0,
                    1,
                    0,
                    0,
                    0,
                    60,
                    0,
                    u8::try_from(data.len()).unwrap(),
                ]);
                answer.extend_from_slice(data);
            }
            socket.send_to(&answer, from).unwrap();
        }
    });
    port
}

#[test]
fn s7_doctor_asks_for_the_papers_of_the_domain() {
    let post = with_certificate("");
    let doctor = |dns: &str| {
        post.configure(&format!("dns: {dns}\nsend:\n  files: out\n"));
        let told = post.run(&["doctor"]);
        (told.status.code(), words(&told).split_whitespace().collect::<Vec<&str>>().join(" "))
    };
    let all = name_server(&[
        ("play.example", 15, b"\0\x0a\x02mx\0"),
        ("play.example", 16, b"\x0dv=spf1 mx all"),
        ("_dmarc.play.example", 16, b"\x10v=DMARC1; p=none"),
    ]);
    let (code, told) = doctor(&format!("127.0.0.1:{all}"));
    assert_eq!(code, Some(0), "{told}");
    for well in ["well names", "well MX", "well SPF", "well DMARC"] {
        assert!(told.contains(well), "{told}");
    }
    let none = name_server(&[]);
    let (_, told) = doctor(&format!("127.0.0.1:{none}"));
    for doubt in
        ["doubt MX play.example does not say", "doubt SPF", "publish a TXT record", "under _dmarc.play.example"]
    {
        assert!(told.contains(doubt), "{doubt}: {told}");
    }
    let twice = name_server(&[("play.example", 16, b"\x06v=spf1"), ("play.example", 16, b"\x06v=spf1")]);
    assert!(doctor(&format!("127.0.0.1:{twice}")).1.contains("has 2 SPF records"));
    let (code, told) = doctor(&format!("127.0.0.1:{}", free_port()));
    assert_eq!(code, Some(1));
    assert!(
        told.contains("wrong names the name server 127.0.0.1 does not answer") && told.contains("dns: off"),
        "{told}"
    );
}

#[test]
fn a_wrong_configuration_is_told_with_its_place() {
    let post = Post { home: tempfile::tempdir().unwrap() };
    let told = |arguments: &[&str]| {
        let output = post.run(arguments);
        (output.status.code(), words(&output))
    };
    let (code, words) = told(&["serve"]);
    assert_eq!(code, Some(2));
    assert!(words.contains("There is no configuration in ringmail.yaml; `ringmail init` makes one."), "{words}");
    post.does(&["init", "--mailbox", "me@gmail.com", "--shared", "--secret-command", "pass show mail/gmail"]);
    let made = fs::read_to_string(post.path("ringmail.yaml")).unwrap();
    assert!(made.contains("server: imaps://me@gmail.com@imap.gmail.com"), "{made}");
    assert!(made.contains("secret: { command: \"pass show mail/gmail\" }"), "{made}");
    assert_eq!(told(&["init"]).0, Some(9));
    let wrong = |config: &str, expected: &str| {
        post.configure(config);
        let (code, words) = told(&["receive"]);
        assert_eq!(code, Some(2));
        assert!(words.contains(expected), "{words}");
    };
    wrong("recieve: {}\n", "unknown field `recieve`");
    wrong("receive:\n  imap: imaps://h\n", "expected server, secret and the rest, each in a line of its own");
    let trusting = "receive: { imap: { server: \"imaps://h\", trust: ca.pem } }\n";
    wrong(trusting, "receive.imap.trust: ca.pem cannot be read");
    fs::write(post.path("ca.pem"), "a certificate\n").unwrap();
    wrong(trusting, "receive.imap.trust: ca.pem is no certificate in PEM: none begins in it");
    fs::remove_file(post.path("ringmail.yaml")).unwrap();
    let password = ["init", "--mailbox", "box@play.example", "--imap", "imaps://box:mellon@mail.play.example"];
    assert!(told(&password).1.contains("password must not be part of the URL of a server"));
    assert!(!post.path("ringmail.yaml").exists());
    let nowhere = ["--config", "no/such/ringmail.yaml", "init", "--mailbox", "box@play.example"];
    assert!(told(&nowhere).1.contains("its folder is not there; make that first"));
    assert!(
        told(&["--config", "none.yaml", "serve"]).1.contains("There is no configuration in none.yaml; `ringmail init`")
    );
    // Verbs that need no post office work without one.
    assert_eq!(told(&["man", "--completions", "bash"]).0, Some(0));
}

/// L5: two post offices whose mailboxes play in each other's games.
#[test]
fn l5_two_post_offices_that_play_with_each_other_come_to_rest() {
    let (one, other) = (Post::new(MAILDIR), Post::new(MAILDIR));
    // Each gets all letters of the other, as if its mailbox were a player's.
    let mut counts = Vec::new();
    for _ in 0..3 {
        for (from, to) in [(&one, &other), (&other, &one)] {
            from.run(&["send"]);
            let letters: Vec<PathBuf> = fs::read_dir(from.path("out"))
                .map_or(Vec::new(), |files| files.map(|file| file.unwrap().path()).collect());
            for letter in &letters {
                let received = to.run(&["receive", letter.to_str().unwrap()]);
                assert!(words(&received).contains("written by no person"), "{}", words(&received));
                fs::remove_file(letter).unwrap();
            }
            counts.push(letters.len());
        }
    }
    assert_eq!(counts, [2, 2, 0, 0, 0, 0]);
}

/// L5: a vacation robot of Dovecot answers for a player.
#[test]
fn l5_a_vacation_robot_and_we_come_to_rest() {
    if !needs::programs(&["sievec"]) {
        return;
    }
    let back = free_port();
    let Some(dovecot) = Dovecot::start(&["box", "anna", "bert"], Some(back)) else { return };
    // The robot's answers go to a relay, and from there to their readers.
    let Some(relay) = Relay::at(back, dovecot.lmtp) else { return };
    dovecot.on_vacation("anna", "I am in Rivendell until spring.");
    dovecot.on_vacation("bert", "Gone fishing.");
    let config = format!(
        "receive:\n  imap:\n    server: imap+plain://box@127.0.0.1:{}\n    secret: {{ command: \"echo {PASSWORD}\" }}\n\
         send:\n  smtp: {{ server: \"smtp+plain://127.0.0.1:{}\" }}\n",
        dovecot.imap, relay.smtp
    );
    let post = Post::new(&config);
    let serve = post.serve();
    until("both letters are there", || dovecot.letters("anna").len() + dovecot.letters("bert").len() == 2);
    // A person writes in between, so that the robots get an answer, too.
    let asked = post.asked();
    let letter = post.answer(asked, 1, "status");
    let to = letter.lines().find_map(|line| line.strip_prefix("To: ")).unwrap().to_owned();
    dovecot.deliver(&to, &letter);
    until("he is answered", || dovecot.letters(asked).len() == 2);
    drop(serve);
    let letters = dovecot.letters("anna").len() + dovecot.letters("bert").len();
    assert_eq!(letters, 3, "{}", post.told());
    // The robots' letters were left alone.
    let robots = dovecot.letters("box").len() - 1;
    assert!(robots <= 2, "{robots}");
    assert_eq!(post.told().matches("left alone").count(), robots, "{}", post.told());
}
