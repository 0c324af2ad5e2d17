//! Many campaigns of both titles, `ringmail serve` as a separate process, Dovecot in between, and players who answer
//! the letters that they get: a given number a minute, for a given time.

mod answers;

use crate::house::{charter, table};
use crate::servers::{Dovecot, PASSWORD, Process, deliver, happens};
use engine::chance::Practice;
use engine::need::Need;
use ground::stamp::Stamp;
use mail_parser::MessageParser;
use record::charter::{Charter, CharterSeat};
use record::file::log::read_log;
use record::file::reading::read_through;
use record::file::secrets::Secrets;
use record::fold::Fold;
use ringmail::titles;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// The letters between two looks at the memory of `serve`.
const LETTERS_BETWEEN_LOOKS: usize = 100;

/// A letter of the post to a player.
#[derive(Clone)]
struct Got {
    id: String,
    answers: Option<String>,
    reply_to: String,
    seq: u64,
    /// How often it came, and when it first came.
    times: u32,
    at: jiff::Timestamp,
}

/// All letters ever sent, by the address of the player.
type Mail = Arc<Mutex<BTreeMap<String, Vec<Got>>>>;

/// The results of the measurement.
#[derive(Debug, Default)]
#[allow(dead_code, reason = "it is printed")]
pub struct Measured {
    pub letters: usize,
    pub milliseconds_to_start: i64,
    pub milliseconds_to_start_again: i64,
    /// The memory of `serve` over time.
    pub kilobytes: Vec<u64>,
    /// The time from the delivery of a letter until its answer arrives: the median, nearly all, all.
    pub milliseconds_to_answer: [i64; 3],
}

pub struct LongRun {
    home: TempDir,
    dovecot: Dovecot,
    mail: Mail,
    serve: Option<Process>,
    chance: Practice,
    /// The sentences said in each game, which must be played.
    said: BTreeMap<String, Vec<String>>,
    /// The letters of the players, with the time of delivery; the last one in each game.
    written: BTreeMap<String, jiff::Timestamp>,
    last: BTreeMap<String, String>,
}

fn name(number: usize) -> String {
    format!("g{number}")
}

fn address(game: &str, word: &str) -> String {
    format!("{word}.{game}@shire.example")
}

impl LongRun {
    /// `games` games that have just started. `None` without a server.
    pub fn prepare(games: usize) -> Option<LongRun> {
        let dovecot = Dovecot::start(&["box"], None)?;
        let home = tempfile::tempdir().unwrap();
        let mail = Mail::default();
        let config = format!(
            "mailbox: box@play.example\nhost: host@shire.example\nreceive:\n  imap:\n    \
             server: imap+plain://box@127.0.0.1:{}\n    secret: {{ command: \"echo {PASSWORD}\" }}\n\
             send:\n  smtp: {{ server: \"smtp+plain://127.0.0.1:{}\" }}\n",
            dovecot.imap,
            sink(&mail)
        );
        fs::write(home.path().join("ringmail.yaml"), config).unwrap();
        let numbers: Vec<usize> = (0..games).collect();
        let root = home.path().join("games");
        thread::scope(|scope| {
            for part in numbers.chunks(games.div_ceil(4)) {
                let root = &root;
                scope.spawn(move || part.iter().for_each(|number| found(root, *number)));
            }
        });
        let (said, written, last) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Some(LongRun { home, dovecot, mail, serve: None, chance: Practice::new(11), said, written, last })
    }

    fn folder(&self, game: &str) -> PathBuf {
        self.home.path().join("games").join(game)
    }

    fn ringmail(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ringmail"));
        command.current_dir(self.home.path()).env_remove("RINGMAIL_GAMES");
        command
    }

    fn told(&self) -> String {
        fs::read_to_string(self.home.path().join("told")).unwrap_or_default()
    }

    /// Starts `serve`; returns how long it took to be ready.
    fn start(&mut self) -> i64 {
        let told = File::create(self.home.path().join("told")).unwrap();
        let errors = told.try_clone().unwrap();
        let began = jiff::Timestamp::now();
        self.serve = Some(Process(self.ringmail().arg("serve").stdout(told).stderr(errors).spawn().unwrap()));
        assert!(happens(|| self.told().contains(" ready: ")), "{}", self.told());
        milliseconds(began)
    }

    fn stop(&mut self) {
        let mut serve = self.serve.take().unwrap();
        serve.signal("-TERM");
        assert!(serve.0.wait().unwrap().success(), "{}", self.told());
    }

    fn kilobytes(&self) -> u64 {
        let id = self.serve.as_ref().unwrap().0.id();
        let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0 kB");
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    fn fold(&self, game: &str) -> Fold {
        let folder = self.folder(game);
        let root = Secrets::read(&folder).unwrap().root;
        let records = read_log(&folder).unwrap();
        read_through(records, titles::ALL, Some(root), |_| ControlFlow::Continue(())).unwrap()
    }

    /// Writes an answer of the asked player of a game, if the letter that asks him has arrived, and the answer to his
    /// letter before.
    fn answer(&mut self, game: &str, number: usize) -> bool {
        let answers = |id: &String, got: &Got| got.answers.as_ref() == Some(id);
        let is_answered = |id| self.mail.lock().unwrap().values().flatten().any(|got| answers(id, got));
        if self.last.get(game).is_some_and(|id| !is_answered(id)) {
            return false;
        }
        let fold = self.fold(game);
        let Need::Question(question) = fold.game().need() else { return false };
        let from = address(game, fold.plan().word(question.seat));
        let newest = self.mail.lock().unwrap().get(&from).and_then(|got| got.iter().max_by_key(|got| got.seq).cloned());
        let Some(newest) = newest.filter(|newest| newest.seq >= fold.head().seq) else { return false };
        let lines = answers::until_the_dice_fall(&fold, &mut self.chance);
        let id = format!("{number}@mail.shire.example");
        let letter = format!(
            "From: {from}\nTo: {to}\nSubject: Re: your move\nIn-Reply-To: <{answers}>\nMessage-ID: <{id}>\n\n{text}\n",
            to = newest.reply_to,
            answers = newest.id,
            text = lines.join("\n")
        );
        self.said.entry(game.to_owned()).or_default().extend(lines);
        self.written.insert(id.clone(), jiff::Timestamp::now());
        self.last.insert(game.to_owned(), id);
        deliver(self.dovecot.lmtp, &newest.reply_to, &letter);
        true
    }

    /// How long the answers to the players' letters took.
    fn waits(&self) -> [i64; 3] {
        let mail = self.mail.lock().unwrap();
        let wait = |got: &Got| {
            let since = self.written.get(got.answers.as_ref()?)?;
            Some(got.at.as_millisecond() - since.as_millisecond())
        };
        let mut waits: Vec<i64> = mail.values().flatten().filter_map(wait).collect();
        waits.sort_unstable();
        [waits.len() / 2, waits.len() * 99 / 100, waits.len() - 1].map(|index| waits[index])
    }

    /// How many answers each of the players' letters got.
    fn answered(&self) -> BTreeMap<String, u32> {
        let mail = self.mail.lock().unwrap();
        let mut answered = BTreeMap::new();
        for got in mail.values().flatten() {
            if let Some(answers) = got.answers.as_ref().filter(|id| self.written.contains_key(*id)) {
                *answered.entry(answers.clone()).or_default() += 1;
            }
        }
        answered
    }

    /// Has this many letters written, one at each interval, and checks their fates.
    pub fn run(&mut self, games: usize, letters: usize, pace: Duration) -> Measured {
        let mut measured = Measured { milliseconds_to_start: self.start(), ..Measured::default() };
        let first = 2 * games;
        let began = jiff::Timestamp::now();
        let have_come = || self.mail.lock().unwrap().values().map(Vec::len).sum::<usize>() >= first;
        assert!((0..games).any(|_| happens(have_come)), "{}", self.told());
        println!("{first} first letters have come after {} ms", milliseconds(began));
        measured.kilobytes.push(self.kilobytes());
        let (mut turn, began) = (0, jiff::Timestamp::now());
        for number in 0..letters {
            assert!(
                happens(|| {
                    turn += 1;
                    self.answer(&name(turn % games), number)
                }),
                "nobody has anything to say: {}",
                self.told()
            );
            if number % LETTERS_BETWEEN_LOOKS == LETTERS_BETWEEN_LOOKS - 1 {
                measured.kilobytes.push(self.kilobytes());
                let count = self.answered().len();
                println!("{} s: {} written, {count} answered", milliseconds(began) / 1000, number + 1);
            }
            let next = i64::try_from(pace.as_millis()).unwrap() * i64::try_from(number + 1).unwrap();
            thread::sleep(Duration::from_millis(u64::try_from(next - milliseconds(began)).unwrap_or(0)));
        }
        assert!(happens(|| self.answered().len() == letters), "{} answered: {}", self.answered().len(), self.told());
        let all_sent = || (0..games).all(|number| is_empty(&self.folder(&name(number)).join("outbox")));
        assert!(happens(all_sent), "{}", self.told());
        measured.kilobytes.push(self.kilobytes());
        self.stop();
        measured.milliseconds_to_start_again = self.start();
        self.stop();
        (measured.letters, measured.milliseconds_to_answer) = (letters, self.waits());
        self.check(games);
        measured
    }

    /// Nothing is lost or doubled: each letter was answered once, every sentence was played once, every log verifies.
    fn check(&self, games: usize) {
        for (id, times) in self.answered() {
            assert_eq!(times, 1, "{id}");
        }
        for got in self.mail.lock().unwrap().values().flatten() {
            assert_eq!(got.times, 1, "{}", got.id);
        }
        for game in (0..games).map(name) {
            let log = fs::read_to_string(self.folder(&game).join("log.yaml")).unwrap();
            let said: Vec<&str> = log
                .split("\n...\n")
                .filter(|record| record.contains("\ntype: \"say\"\n"))
                .filter_map(|record| record.lines().find_map(|line| line.strip_prefix("said: ")))
                .map(|said| said.trim_matches('"'))
                .collect();
            assert_eq!(said, self.said.get(&game).cloned().unwrap_or_default(), "{game}");
        }
        let names: Vec<String> = (0..games).map(name).collect();
        for game in &names {
            let verified = self.ringmail().args(["verify", game]).output().unwrap();
            assert!(verified.status.success(), "{game}: {}", String::from_utf8_lossy(&verified.stdout));
        }
        println!("{games} logs verify");
    }
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).unwrap().next().is_none()
}

fn milliseconds(since: jiff::Timestamp) -> i64 {
    jiff::Timestamp::now().as_millisecond() - since.as_millisecond()
}

/// A game that has just started: Risk and War of the Ring in turn.
fn found(root: &Path, number: usize) {
    let game = name(number);
    let (title, words) =
        if number.is_multiple_of(2) { ("risk", ["yellow", "red"]) } else { ("wotr", ["free", "shadow"]) };
    let seat = |word: &str| CharterSeat {
        seat: (title == "risk").then(|| word.to_owned()),
        ..charter::writer(word, &address(&game, word))
    };
    let charter = Charter { name: game.clone(), ..charter::of(title, words.map(seat)) };
    let at = Stamp::parse("2026-11-20T08:00:00Z").unwrap();
    drop(table::started(&root.join(&game), &charter, Secrets::random().unwrap(), at, table::nothing));
}

/// A mail server that keeps everything, for every reader; returns its port.
fn sink(mail: &Mail) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let mail = Arc::clone(mail);
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let mail = Arc::clone(&mail);
            thread::spawn(move || take(stream, &mail));
        }
    });
    port
}

fn take(mut stream: TcpStream, mail: &Mail) {
    drop(stream.write_all(b"220 sink\r\n"));
    let lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
    let mut letter: Option<String> = None;
    for line in lines {
        let reply = match (&mut letter, line.as_str()) {
            (Some(text), ".") => {
                keep(text, mail);
                letter = None;
                "250 ok\r\n"
            }
            (Some(text), line) => {
                text.push_str(line.strip_prefix('.').unwrap_or(line));
                text.push_str("\r\n");
                continue;
            }
            (None, "DATA") => {
                letter = Some(String::new());
                "354 go on\r\n"
            }
            (None, _) => "250 ok\r\n",
        };
        if stream.write_all(reply.as_bytes()).is_err() {
            return;
        }
    }
}

fn keep(text: &str, mail: &Mail) {
    let letter = MessageParser::default().parse(text.as_bytes()).unwrap();
    let field = |name: &str| letter.header_raw(name).map(|value| value.split_whitespace().collect::<String>());
    let to = field("To").unwrap().trim_matches(['<', '>']).to_owned();
    let got = Got {
        id: letter.message_id().unwrap().to_owned(),
        answers: letter.in_reply_to().as_text().map(str::to_owned),
        reply_to: field("Reply-To").unwrap_or_default().trim_matches(['<', '>']).to_owned(),
        seq: field("X-Ringmail-Seq").and_then(|seq| seq.parse().ok()).unwrap_or(0),
        times: 1,
        at: jiff::Timestamp::now(),
    };
    let mut mail = mail.lock().unwrap();
    let known = mail.entry(to).or_default();
    match known.iter_mut().find(|known| known.id == got.id) {
        Some(known) => known.times += 1,
        None => known.push(got),
    }
}
