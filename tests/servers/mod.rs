//! Real mail servers on the loopback address, each with its own folder, started by a test and stopped with it.
//!
//! If one is missing, the test is skipped and says so ([`crate::needs`]).

#![allow(dead_code, reason = "every test that starts servers starts some of them")]

pub mod clients;
pub mod postfix;
pub mod postgres;

use crate::needs;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;
use tempfile::TempDir;

/// The password of every user.
pub const PASSWORD: &str = "mellon";
/// The longest time for a server to start or something to happen, in hundredths of a second.
const STEPS_MAX: u32 = 6_000;

/// Waits for a condition.
#[track_caller]
pub fn until(what: &str, is_so: impl FnMut() -> bool) {
    assert!(happens(is_so), "it did not happen: {what}");
}

/// Whether a condition becomes true within a reasonable time.
pub fn happens(mut is_so: impl FnMut() -> bool) -> bool {
    (0..STEPS_MAX).any(|_| {
        let so = is_so();
        if !so {
            std::thread::sleep(Duration::from_millis(10));
        }
        so
    })
}

/// A port for a server that is started next. Nobody else gets it: until it ends, this process holds the UDP port with
/// the same number, which none of the servers uses. Asking whether the port is free is not enough, because a server
/// may bind it seconds later. The system gives none of these ports to a client or to a server that asks for any port:
/// it takes those from 32768 on (Linux, `ip_local_port_range`).
pub fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    static HELD: Mutex<Vec<UdpSocket>> = Mutex::new(Vec::new());
    let first = u16::try_from(std::process::id() % 16_000).unwrap();
    loop {
        let port = 12_000 + (first + NEXT.fetch_add(1, Ordering::Relaxed)) % 20_000;
        let Ok(held) = UdpSocket::bind(("127.0.0.1", port)) else { continue };
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            HELD.lock().unwrap().push(held);
            return port;
        }
    }
}

pub fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/smtp")
}

pub fn ca() -> String {
    fs::read_to_string(fixtures().join("ca.pem")).unwrap()
}

/// A process that is asked to end, and waited for, when the test is over.
pub struct Process(pub Child);

impl Process {
    pub fn signal(&self, signal: &str) {
        // The `kill` of the shell: not every machine has the program.
        let told = Command::new("sh").args(["-c", &format!("kill {signal} {}", self.0.id())]).status().unwrap();
        assert!(told.success());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.0.try_wait().is_ok_and(|ended| ended.is_none()) {
            self.signal("-TERM");
        }
        drop(self.0.wait());
    }
}

fn shout(command: &mut Command) -> Process {
    // A process that a server leaves behind must not keep the output of the tests open.
    Process(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
}

pub fn greets(port: u16) -> bool {
    greets_as(port, "")
}

/// Whether a server greets with a line that contains these words.
pub fn greets_as(port: u16, words: &str) -> bool {
    let Ok(stream) = TcpStream::connect(("127.0.0.1", port)) else { return false };
    stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line).is_ok_and(|read| read > 0 && line.contains(words))
}

fn id(what: &str, user: &str) -> u32 {
    let output = Command::new("id").args([what, user]).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().parse().unwrap()
}

/// Dovecot 2.3: IMAP, with and without TLS, and LMTP; sieve for vacation robots.
pub struct Dovecot {
    pub imap: u16,
    pub imaps: u16,
    pub lmtp: u16,
    pub folder: TempDir,
    _process: Process,
}

impl Dovecot {
    /// Starts it for some users; `None` if it is not installed. Sieve sends through port `submission`.
    pub fn start(users: &[&str], submission: Option<u16>) -> Option<Dovecot> {
        if !needs::programs(&["dovecot"]) {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let (imap, imaps, lmtp) = (free_port(), free_port(), free_port());
        let me = String::from_utf8(Command::new("id").arg("-un").output().unwrap().stdout).unwrap().trim().to_owned();
        // Its login process refuses to run as root; as root we use its own users.
        let (internal, login) = if me == "root" { ("dovecot", "dovenull") } else { (me.as_str(), me.as_str()) };
        let path = folder.path().display();
        for part in ["mail", "run", "state", "sieve"] {
            fs::create_dir(folder.path().join(part)).unwrap();
        }
        let passwords: String = users.iter().map(|user| format!("{user}:{{PLAIN}}{PASSWORD}\n")).collect();
        fs::write(folder.path().join("users"), passwords).unwrap();
        let submission = submission.map_or(String::new(), |port| format!("submission_host = 127.0.0.1:{port}\n"));
        let certificates = fixtures();
        let certificates = certificates.display();
        let (uid, gid) = (id("-u", internal), id("-g", internal));
        let sieve = if needs::is_on_path("sievec") { "protocol lmtp {\n  mail_plugins = sieve\n}\n" } else { "" };
        let config = format!(
            "protocols = imap lmtp\nlisten = 127.0.0.1\nbase_dir = {path}/run\nstate_dir = {path}/state\n\
             default_internal_user = {internal}\ndefault_login_user = {login}\nlog_path = {path}/log\n\
             ssl = yes\nssl_cert = <{certificates}/server.pem\nssl_key = <{certificates}/server.key\n\
             disable_plaintext_auth = no\nauth_failure_delay = 0\nauth_mechanisms = plain login\nfirst_valid_uid = 1\n\
             mail_fsync = never\nrecipient_delimiter = +\nmail_location = maildir:{path}/mail/%n/Maildir\n{submission}\
             passdb {{\n  driver = passwd-file\n  args = username_format=%n {path}/users\n}}\n\
             userdb {{\n  driver = static\n  args = uid={uid} gid={gid} home={path}/mail/%n\n}}\n\
             service imap-login {{\n  chroot =\n  inet_listener imap {{\n    port = {imap}\n  }}\n  \
             inet_listener imaps {{\n    port = {imaps}\n    ssl = yes\n  }}\n}}\n\
             service lmtp {{\n  inet_listener lmtp {{\n    address = 127.0.0.1\n    port = {lmtp}\n  }}\n}}\n\
             service anvil {{\n  chroot =\n  \
             unix_listener anvil-auth-penalty {{\n    mode = 0\n  }}\n}}\nservice stats {{\n  chroot =\n}}\n{sieve}\
             plugin {{\n  sieve = file:{path}/sieve/%n;active={path}/sieve/%n.sieve\n  \
             sieve_vacation_min_period = 0\n}}\n"
        );
        fs::write(folder.path().join("dovecot.conf"), config).unwrap();
        let owned = Command::new("chown").arg("-R").arg(format!("{uid}:{gid}")).arg(folder.path()).status().unwrap();
        assert!(owned.success());
        let mut command = Command::new("dovecot");
        command.arg("-F").arg("-c").arg(folder.path().join("dovecot.conf"));
        let process = shout(&mut command);
        let dovecot = Dovecot { imap, imaps, lmtp, folder, _process: process };
        until("Dovecot greets", || greets(dovecot.imap) && greets(dovecot.lmtp));
        Some(dovecot)
    }

    /// The server's log.
    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    /// The letters of a user, new or seen.
    pub fn letters(&self, user: &str) -> Vec<String> {
        self.files(user).iter().map(|file| String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned()).collect()
    }

    /// The files of the letters of a user, new or seen. A letter never changes.
    pub fn files(&self, user: &str) -> Vec<PathBuf> {
        let home = self.folder.path().join("mail").join(user).join("Maildir");
        let of = |part: &&str| {
            let mut files: Vec<PathBuf> = fs::read_dir(home.join(part))
                .map_or(Vec::new(), |found| found.map(|file| file.unwrap().path()).collect());
            files.sort();
            files
        };
        ["new", "cur"].iter().flat_map(of).collect()
    }

    /// Replaces the users; letters to others are refused from now on.
    pub fn only(&self, users: &[&str]) {
        let passwords: String = users.iter().map(|user| format!("{user}:{{PLAIN}}{PASSWORD}\n")).collect();
        fs::write(self.folder.path().join("users"), passwords).unwrap();
        // Dovecot reads the file at most once a second.
        std::thread::sleep(Duration::from_millis(1_100));
    }

    /// Delivers a letter as an MTA would.
    pub fn deliver(&self, to: &str, letter: &str) {
        deliver(self.lmtp, to, letter);
    }

    /// Lets a vacation robot answer for a user.
    pub fn on_vacation(&self, user: &str, words: &str) {
        let script =
            format!("require [\"vacation\"];\nvacation :days 1 :addresses [\"{user}@shire.example\"] \"{words}\";\n");
        fs::write(self.folder.path().join("sieve").join(format!("{user}.sieve")), script).unwrap();
    }
}

/// Delivers a letter by LMTP; its sender is its author.
pub fn deliver(port: u16, to: &str, letter: &str) {
    let from = letter.lines().find_map(|line| line.strip_prefix("From: ")).unwrap_or("").to_owned();
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let mut replies = BufReader::new(stream.try_clone().unwrap());
    let mut expect = |code: &str| {
        let mut line = String::new();
        loop {
            line.clear();
            replies.read_line(&mut line).unwrap();
            assert!(line.starts_with(code), "{line}");
            if line.as_bytes()[3] == b' ' {
                return;
            }
        }
    };
    expect("220");
    let letter = letter.replace("\r\n", "\n").replace('\n', "\r\n").replace("\r\n.", "\r\n..");
    let letter = letter.strip_suffix("\r\n").unwrap_or(&letter);
    let said = [
        ("LHLO test", "250"),
        (&format!("MAIL FROM:<{from}>"), "250"),
        (&format!("RCPT TO:<{to}>"), "250"),
        ("DATA", "354"),
        (&format!("{letter}\r\n."), "250"),
        ("QUIT", "221"),
    ];
    for (words, code) in said {
        stream.write_all(format!("{words}\r\n").as_bytes()).unwrap();
        expect(code);
    }
}

/// A mail server in Python that fails on purpose: it sends every client number `every` away.
pub struct Relay {
    pub smtp: u16,
    _process: Process,
}

impl Relay {
    /// A relay that hands letters to an LMTP server; like the others, `None` without Python and its packages.
    pub fn start(lmtp: u16, every: u32) -> Option<Relay> {
        Relay::on(free_port(), "lmtp", lmtp, every)
    }

    /// A relay on this port that never fails.
    pub fn at(port: u16, lmtp: u16) -> Option<Relay> {
        Relay::on(port, "lmtp", lmtp, 0)
    }

    /// A relay that hands letters to another mail server.
    pub fn before(smtp: u16, every: u32) -> Option<Relay> {
        Relay::on(free_port(), "smtp", smtp, every)
    }

    /// A relay that never fails, and puts letters into a mailbox at pymap.
    pub fn into(pymap: &Pymap) -> Option<Relay> {
        Relay::on(free_port(), "imap", pymap.imap, 0)
    }

    fn on(port: u16, way: &str, next: u16, every: u32) -> Option<Relay> {
        if !needs::python(&["aiosmtpd"]) {
            return None;
        }
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/servers/relay.py");
        let arguments = [&port.to_string(), way, &next.to_string(), &every.to_string(), PASSWORD];
        let process = shout(Command::new("python3").arg(script).args(arguments));
        until("the relay greets", || greets(port));
        Some(Relay { smtp: port, _process: process })
    }
}

/// pymap: another IMAP server, in Python, with one mailbox in memory.
pub struct Pymap {
    pub imap: u16,
    _process: Process,
}

impl Pymap {
    pub fn start() -> Option<Pymap> {
        if !needs::programs(&["pymap", "python3"]) {
            return None;
        }
        let port = free_port();
        let mut command = Command::new("pymap");
        command.args(["--host", "127.0.0.1", "--port", &port.to_string(), "--no-tls", "dict"]);
        command.args(["--demo-user", "box", "--demo-password", PASSWORD]);
        let process = shout(&mut command);
        until("pymap greets", || greets(port));
        Some(Pymap { imap: port, _process: process })
    }

    /// Puts a letter into the mailbox, as another IMAP client would.
    pub fn append(&self, letter: &str) {
        let script = "import imaplib, sys\nm = imaplib.IMAP4('127.0.0.1', int(sys.argv[1]))\n\
                      m.login('box', sys.argv[2])\nletter = sys.stdin.read().replace('\\n', '\\r\\n').encode()\n\
                      print(m.append('INBOX', None, None, letter))\nm.logout()\n";
        let mut command = Command::new("python3");
        command.args(["-c", script, &self.imap.to_string(), PASSWORD]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(letter.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(String::from_utf8_lossy(&output.stdout).contains("OK"), "{output:?}");
    }
}
