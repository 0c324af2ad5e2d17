//! The service from the view of its monitoring: its heartbeat, its supervisor, its port, and the verbs of the host.

use crate::serve::{MAILDIR, Post, words};
use crate::servers::{Process, free_port, happens};
use ground::stamp::Stamp;
use mail::letter::mailbox::Mailbox;
use mail::wire::carrier::{Carrier, Cover, NotCarried};
use post::health::Vitals;
use post::health::alert::Alarm;
use post::health::port;
use post::office::minute::Minute;
use post::office::service::Bulletin;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn ask(port: u16, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    // A server that has read enough may close before all of it is sent.
    let _ = stream.write_all(request);
    let mut told = Vec::new();
    let _ = stream.read_to_end(&mut told);
    String::from_utf8_lossy(&told).into_owned()
}

fn get(port: u16, path: &str) -> String {
    ask(port, format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").as_bytes())
}

/// Reads what a supervisor hears, until it is `expected`.
#[track_caller]
fn hears(supervisor: &UnixDatagram, expected: &str) {
    let mut heard = Vec::new();
    let mut bytes = [0; 512];
    while let Ok(length) = supervisor.recv(&mut bytes) {
        let told = String::from_utf8_lossy(&bytes[..length]).into_owned();
        if told.starts_with(expected) {
            return;
        }
        heard.push(told);
    }
    panic!("{expected}: {heard:?}");
}

/// Whatever a client sends, the port answers the next one.
fn hostile_bytes_do_no_harm(port: u16) {
    // A client that says nothing delays the others by seconds, not for ever.
    let _silent = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let noise: Vec<u8> = (0..100_000_u32).map(|byte| (byte.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    ask(port, &noise);
    ask(port, &[b'G'; 1_000_000]);
    for (request, expected) in [
        (&b"\r\n\r\n"[..], "HTTP/1.1 400 "),
        (b"GET /healthz\r\n\r\n", "HTTP/1.1 400 "),
        (b"GET /healthz HTTP/2\r\n\r\n", "HTTP/1.1 505 "),
        (b"POST /healthz HTTP/1.1\r\n\r\n", "HTTP/1.1 405 "),
        (b"GET /../../etc/passwd HTTP/1.1\r\n\r\n", "HTTP/1.1 404 "),
        (b"GET /healthz?x=1 HTTP/1.1\r\n\r\n", "HTTP/1.1 200 "),
    ] {
        let told = ask(port, request);
        assert!(told.starts_with(expected), "{}: {told}", String::from_utf8_lossy(request));
    }
    let head = ask(port, b"HEAD /metrics HTTP/1.0\r\n\r\n");
    assert!(head.starts_with("HTTP/1.1 200 ") && head.ends_with("\r\n\r\n"), "{head}");
}

fn supervisor(path: &Path) -> UnixDatagram {
    let supervisor = UnixDatagram::bind(path).unwrap();
    supervisor.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    supervisor
}

#[test]
fn a_service_tells_a_file_a_supervisor_and_a_port_how_it_is() {
    let port = free_port();
    let post = Post::new(&format!("{MAILDIR}health: 127.0.0.1:{port}\n"));
    assert!(words(&post.run(&["status"])).contains("has never run here"));
    let supervisor = supervisor(&post.path("notify"));
    let mut serve = post.command(&["serve"]);
    serve.env("NOTIFY_SOCKET", post.path("notify")).env("WATCHDOG_USEC", "300000").stdout(Stdio::null());
    let mut serve = Process(serve.spawn().unwrap());
    hears(&supervisor, "READY=1");
    hears(&supervisor, "STATUS=1 games, ");
    hears(&supervisor, "WATCHDOG=1");
    let well = get(port, "/healthz");
    assert!(well.starts_with("HTTP/1.1 200 OK\r\n") && well.ends_with("\r\n\r\nok\n"), "{well}");
    assert!(happens(|| get(port, "/metrics").contains("ringmail_letters_sent_total 2\n")), "{}", get(port, "/metrics"));
    let metrics = get(port, "/metrics");
    for line in
        ["ringmail_healthy 1", "ringmail_games{state=\"", "ringmail_disk_free_bytes ", "ringmail_errors_total 0"]
    {
        assert!(metrics.contains(&format!("\n{line}")), "{line}: {metrics}");
    }
    assert!(metrics.contains("ringmail_last_look_timestamp_seconds{source=\"the Maildir\"} "), "{metrics}");
    for name in ["anna", "bert", "g7", "@", "yellow", "shire"] {
        assert!(!metrics.contains(name), "{name}: {metrics}");
    }
    // While it runs, the host looks at everything.
    let status = words(&post.run(&["status"]));
    assert!(status.contains(&format!("runs as process {}", serve.0.id())), "{status}");
    assert!(status.contains("g7") && status.contains("(claim)"), "{status}");
    hostile_bytes_do_no_harm(port);
    serve.signal("-TERM");
    hears(&supervisor, "STOPPING=1");
    assert!(serve.0.wait().unwrap().success());
    assert!(words(&post.run(&["status"])).contains("does not run: it was stopped at "));
}

#[test]
fn a_host_sees_his_letters_and_does_something_about_them() {
    let post = Post::new("receive:\n  maildir: Maildir\n");
    post.does(&["time", "--tick"]);
    let shown = post.does(&["queue", "--json"]);
    let ids: Vec<serde_json::Value> = shown.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let id = ids[0]["id"].as_str().unwrap();
    post.does(&["queue", "hold", id]);
    let held = post.does(&["queue"]);
    assert!(held.contains(id) && held.contains("held for "), "{held}");
    assert!(post.does(&["status"]).contains("1 waiting, 1 held"), "{}", post.does(&["status"]));
    let again = post.run(&["queue", "hold", id]);
    assert_eq!(again.status.code(), Some(9), "{}", words(&again));
    let nobody = post.run(&["queue", "drop", "zzzzzz"]);
    assert_eq!(nobody.status.code(), Some(2), "{}", words(&nobody));
    post.does(&["queue", "drop", id, "--why", "he has left"]);
    assert!(!post.does(&["queue"]).contains(id) && post.does(&["queue", "--all"]).contains("he has left"));
    post.does(&["send", "--to-files", "out"]);
    assert_eq!(fs::read_dir(post.path("out")).unwrap().count(), 1);
    // A game that cannot be read is named, and the others are shown.
    fs::create_dir_all(post.path("games/torn")).unwrap();
    fs::write(post.path("games/torn/log.yaml"), "no log\n").unwrap();
    let status = post.run(&["status"]);
    assert_eq!(status.status.code(), Some(1));
    assert!(words(&status).contains("a record starts with the line '---'") && words(&status).contains("(claim)"));
    let json: serde_json::Value = serde_json::from_slice(&post.run(&["status", "--json"]).stdout).unwrap();
    assert_eq!(json["games"][0]["game"], "g7");
    assert!(json["games"][1]["error"].as_str().is_some_and(|why| why.contains("a record starts with")), "{json}");
    assert!(json["disk"]["free"].as_u64().is_some_and(|free| free > 0) && json["serve"]["is"] == "never", "{json}");
    // A book of an absurd size is not read; the file is sparse, and would fill the memory.
    fs::File::create(post.path("games/torn/post.yaml")).unwrap().set_len(1 << 40).unwrap();
    let status = post.run(&["status"]);
    assert!(words(&status).contains("it has more than 268435456 bytes"), "{}", words(&status));
    let full = post.does(&["status", "g7"]);
    assert!(full.contains("waits for") && full.contains("entries"), "{full}");
}

#[test]
fn a_configuration_is_changed_while_the_service_runs_and_a_broken_one_is_refused() {
    let post = Post::new(MAILDIR);
    let mut serve = post.serve();
    assert!(happens(|| fs::read_dir(post.path("out")).is_ok_and(|out| out.count() == 2)));
    let changed = "receive:\n  maildir: Maildir\nsend:\n  files: elsewhere\nhost: me@play.example\nlog: json\n";
    post.configure(changed);
    serve.signal("-HUP");
    post.until("the configuration was read anew; what has changed under log waits for a restart");
    every_line_has_a_level_and_its_game(&post.told());
    let answer = post.answer(post.asked(), 1, "status\nwhen asked losses: mellon");
    post.configure("receive:\n  maildir: Maildir\nhealth: 10.0.0.1:80\n");
    serve.signal("-HUP");
    post.until("the old one stays in force: ringmail.yaml:4:1: health: others could reach 10.0.0.1:80");
    post.configure("send:\n  smpt: x\n");
    serve.signal("-HUP");
    post.until("unknown field `smpt`");
    assert!(post.told().contains(" at line 3 column 3"), "{}", post.told());
    // The changed configuration is in force, and the service continues.
    fs::write(post.path("Maildir/new/1.a.b"), answer).unwrap();
    assert!(happens(|| fs::read_dir(post.path("elsewhere")).is_ok_and(|out| out.count() == 1)), "{}", post.told());
    assert_eq!(fs::read_dir(post.path("out")).unwrap().count(), 2);
    // A host who plays himself reads the log: it does not contain what a player wrote.
    assert!(post.told().contains("lines: ") && !post.told().contains("mellon"), "{}", post.told());
    serve.signal("-TERM");
    assert!(serve.0.wait().unwrap().success());
    // The same as JSON, as the configuration now says.
    post.configure(changed);
    let told = fs::File::create(post.path("told")).unwrap();
    let child = post.command(&["serve", "--level", "debug"]).stdout(told).spawn().unwrap();
    let mut serve = Process(child);
    post.until("\"is\":\"ticked\"");
    serve.signal("-TERM");
    assert!(serve.0.wait().unwrap().success());
    let told = post.told();
    let lines: Vec<serde_json::Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let ready = lines.iter().find(|line| line["is"] == "ready").unwrap();
    assert_eq!((&ready["level"], &ready["games"]), (&"info".into(), &1.into()));
    assert!(lines.iter().all(|line| line["at"].is_string() && line["told"].is_string()), "{told}");
    assert_eq!(lines.last().unwrap()["is"], "stopped");
}

#[track_caller]
fn every_line_has_a_level_and_its_game(told: &str) {
    for line in told.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let game = if line.contains(" g7.") { "g7" } else { "-" };
        assert!(Stamp::parse(words[0]).is_some() && words[1..3] == ["INFO", game], "{line}");
    }
}

/// The minute of the day that the clock of the alarm shows.
static MINUTE: AtomicU32 = AtomicU32::new(0);

fn clock() -> Stamp {
    let minute = MINUTE.load(Ordering::SeqCst);
    Stamp::parse(&format!("2026-11-24T{:02}:{:02}:00Z", 8 + minute / 60, minute % 60)).unwrap()
}

/// Keeps the letters that it takes, and can be out of service.
#[derive(Clone, Default)]
struct Second(Arc<Mutex<Vec<String>>>, Arc<AtomicBool>);

impl Carrier for Second {
    fn carry(&mut self, _name: &str, cover: &Cover, letter: &[u8]) -> Result<String, NotCarried> {
        if self.1.load(Ordering::SeqCst) {
            return Err(NotCarried::NoService { reason: "no connection".to_owned() });
        }
        assert_eq!(cover.to.to_string(), "me@far.example");
        self.0.lock().unwrap().push(String::from_utf8_lossy(letter).into_owned());
        Ok("250 taken".to_owned())
    }
}

#[test]
fn s9_the_host_is_told_once_by_a_second_way_and_once_when_it_is_over() {
    let home = tempfile::tempdir().unwrap();
    let vitals = Arc::new(Vitals::new(clock, ["the mailbox"]));
    let second = Second::default();
    let mailbox = |written| Mailbox::read(written).unwrap();
    let mut alarm = Alarm {
        vitals: Arc::clone(&vitals),
        carrier: Box::new(second.clone()),
        mailbox: mailbox("box@play.example"),
        from: mailbox("me@other.example"),
        to: mailbox("me@far.example"),
        counter: home.path().into(),
        unwritten: None,
    };
    let port = port::listen("127.0.0.1:0".parse().unwrap(), Arc::clone(&vitals), &home.path().into()).unwrap().port();
    let letters = || second.0.lock().unwrap().len();
    let mut at = |minute| {
        MINUTE.store(minute, Ordering::SeqCst);
        vitals.heed(&Bulletin::Minute(&Minute::default()));
        alarm.look()
    };
    assert_eq!((at(5), letters()), (Ok(false), 0), "nothing is wrong");
    second.1.store(true, Ordering::SeqCst);
    assert_eq!((at(11), letters()), (Err("no letter can be sent: no connection".to_owned()), 0));
    let unwell = get(port, "/healthz");
    assert!(unwell.starts_with("HTTP/1.1 503 Service Unavailable\r\n"), "{unwell}");
    assert!(unwell.ends_with("the mailbox has not been looked through since 2026-11-24T08:00:00Z\n"), "{unwell}");
    assert!(get(port, "/metrics").contains("\nringmail_healthy 0\n"));
    second.1.store(false, Ordering::SeqCst);
    assert_eq!((at(12), letters()), (Ok(true), 1), "it is told as soon as it can be");
    assert_eq!((at(13), letters()), (Ok(false), 1), "and once");
    MINUTE.store(14, Ordering::SeqCst);
    vitals.heed(&Bulletin::Looked { source: "the mailbox" });
    assert_eq!((at(14), letters()), (Ok(true), 2), "it is over");
    // Clients that say nothing block nobody: each is waited for, for two seconds.
    let silent: Vec<TcpStream> = (0..20).map(|_| TcpStream::connect(("127.0.0.1", port)).unwrap()).collect();
    assert!(get(port, "/healthz").starts_with("HTTP/1.1 200 "));
    drop(silent);
    // The disk is full, and the alert cannot be recorded: the host is told of that, once.
    fs::remove_file(home.path().join("alerts")).unwrap();
    fs::create_dir(home.path().join("alerts")).unwrap();
    vitals.wrote(false);
    assert!(at(15).is_err_and(|why| why.starts_with("alerts cannot be written")));
    assert_eq!((at(16), letters()), (Ok(false), 3));
    fs::remove_dir(home.path().join("alerts")).unwrap();
    vitals.wrote(true);
    assert_eq!((at(17), letters()), (Ok(true), 4));
    let letters = second.0.lock().unwrap();
    assert!(
        letters[2].contains("Subject: [ringmail] nothing can be written to the disk of the games"),
        "{}",
        letters[2]
    );
    assert!(letters[0].contains("Subject: [ringmail] the mailbox has not been looked through since"), "{}", letters[0]);
    assert!(letters[0].contains("the post office of box@play.example"), "{}", letters[0]);
    assert!(letters[0].contains("From: \"Ringmail\" <me@other.example>"), "{}", letters[0]);
    assert!(letters[0].contains("What to do: `ringmail doctor` tries the mailbox"), "{}", letters[0]);
    assert!(letters[1].contains("Subject: [ringmail] all is well again"), "{}", letters[1]);
}
