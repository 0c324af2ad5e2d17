//! A whole campaign through real servers: players with real mail programs, mail servers, and `ringmail serve` as a
//! separate process that is killed again and again.

mod check;
mod policy;
mod through_servers;

use crate::homes::{Home, text};
use crate::house::{charter, secrets};
use crate::servers::clients::{PROGRAMS, Written, send, send_raw};
use crate::servers::{Dovecot, PASSWORD, Process, happens};
use engine::need::Need;
use ground::hash::{Hash, sha256};
use ground::stamp::Stamp;
use mail_parser::MessageParser;
use record::file::log::read_log;
use record::file::reading::read_through;
use record::file::secrets::Secrets;
use record::fold::Fold;
use record::table::Table;
use ringmail::titles;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::thread::sleep;
use std::time::Duration;
use store::drawer::Drawer;
use tempfile::TempDir;

/// This many letters are written with the programs in turn; all later ones with the fastest.
const BY_TURNS: u32 = 16;
/// If no letter can be sent, `serve` is started this often, within some 40 seconds.
const STARTS_MAX: u32 = 40;

/// A player: the seat that he would like, and his mailbox at shire.example.
pub struct Player {
    pub seat: &'static str,
    pub name: &'static str,
}

/// The ports where `serve` takes letters in and hands them out, and where the players hand in theirs.
pub struct Ways {
    pub imap: u16,
    pub smtp: u16,
    pub submission: u16,
}

pub struct Campaign {
    home: TempDir,
    pub kept: Home,
    /// The drawer of the game.
    drawer: Drawer,
    pub dovecot: Dovecot,
    players: Vec<Player>,
    submission: u16,
    serve: Option<Process>,
    letters: u32,
    /// The letters written with each program; each is waited for until it was answered or played.
    pub written: BTreeMap<&'static str, u32>,
    /// How often `serve` was started.
    pub starts: u32,
    /// Every sentence that was sent and must be played, in order.
    pub sent: Vec<String>,
}

impl Campaign {
    /// A new game in which nobody has a seat yet. The same seed gives the same dice and decks.
    pub fn new((title, seed): (&str, u8), kept: Home, players: Vec<Player>, dovecot: Dovecot, ways: &Ways) -> Campaign {
        let home = tempfile::tempdir().unwrap();
        let place = kept.place_beside(home.path(), "games");
        // One game with pages and their maps; the others with plain letters, which are played much faster.
        let letters = if (title, kept) == ("risk", Home::Folder) { "html" } else { "text" };
        let config = format!(
            "letters: {letters}\nmailbox: box@play.example\nhost: host@shire.example\nreceive:\n  imap:\n    \
             server: imap+plain://box@127.0.0.1:{}\n    secret: {{ command: \"echo {PASSWORD}\" }}\n\
             send:\n  smtp: {{ server: \"smtp+plain://127.0.0.1:{}\" }}\n{}",
            ways.imap,
            ways.smtp,
            place.config()
        );
        fs::write(home.path().join("ringmail.yaml"), config).unwrap();
        let campaign = Campaign {
            home,
            kept,
            drawer: place.store().drawer("g7"),
            dovecot,
            players,
            submission: ways.submission,
            serve: None,
            letters: 0,
            written: BTreeMap::new(),
            starts: 0,
            sent: Vec::new(),
        };
        campaign.found(title, seed);
        campaign
    }

    /// Like `ringmail new`, but with secrets that are the same in every run.
    fn found(&self, title: &str, seed: u8) {
        let host_key = Some(sha256(format!("host {seed}").as_bytes()));
        let secrets = Secrets { game: secrets::usual().game, host_key, ..secrets::of_seed(seed) };
        let charter = charter::of(title, self.players.iter().map(|_| charter::player("?")));
        let long_ago = Stamp::parse("2026-01-01T08:00:00Z").unwrap();
        drop(Table::create(&self.drawer, &charter, secrets, long_ago, titles::ALL).unwrap());
    }

    /// The host invites everybody by letter; they join with a wish, and are ready: the game starts by itself. Then
    /// each leaves his standing orders.
    pub fn gather(&mut self) {
        let everybody: Vec<String> =
            self.players.iter().map(|player| format!("{0} <{0}@shire.example>", player.name)).collect();
        let mut invite = vec!["invite", "g7"];
        invite.extend(everybody.iter().map(String::as_str));
        self.does(&invite);
        self.serve();
        let players: Vec<(&str, &str)> = self.players.iter().map(|player| (player.seat, player.name)).collect();
        for (seat, name) in &players {
            let invited = self.letter_that_says(name, "You are invited to a game");
            self.write(name, &invited, &format!("join {seat}\nphrase mithril\n"));
            self.kill();
            self.serve();
            self.until_sent("he is answered", |campaign| campaign.dovecot.letters(name).len() > 1);
        }
        for (_, name) in &players {
            let seated = self.letter_that_says(name, "Are you ready?");
            self.write(name, &seated, "ready\n");
        }
        self.until_sent("the game has started", |campaign| campaign.records("start") == 1);
        let title = self.fold().plan().title.id;
        for (seat, name) in players {
            let first = self.letter_that_says(name, "New records of the log are attached");
            let before = self.records("heard");
            let orders = policy::orders(title, seat);
            self.write(name, &first, &format!("{}\n", orders.join("\n")));
            let Some(last) = orders.last() else { continue };
            // An order that answers the open question has its own record before those below it.
            self.until_sent("the orders stand", |campaign| {
                let is_told = campaign.dovecot.letters(name).iter().any(|letter| check::shown(letter).contains(last));
                is_told && campaign.records("heard") > before
            });
        }
    }

    fn ringmail(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ringmail"));
        command.current_dir(self.home.path()).env_remove("RINGMAIL_GAMES");
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.ringmail().args(arguments).output().unwrap()
    }

    #[track_caller]
    fn does(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{arguments:?}: {out}{err}{}", self.told());
        out.into_owned()
    }

    /// Starts `serve`, and keeps its output.
    pub fn serve(&mut self) {
        self.starts += 1;
        let told = File::create(self.home.path().join(format!("serve-{:03}", self.starts))).unwrap();
        let errors = told.try_clone().unwrap();
        let child = self.ringmail().arg("serve").stdout(told).stderr(errors).spawn().unwrap();
        self.serve = Some(Process(child));
    }

    /// The power fails: `serve` is killed with SIGKILL.
    pub fn kill(&mut self) {
        if let Some(mut serve) = self.serve.take() {
            serve.0.kill().unwrap();
        }
    }

    /// Asks `serve` to stop, and waits until it has.
    pub fn stop(&mut self) {
        let mut serve = self.serve.take().unwrap();
        serve.signal("-TERM");
        assert!(serve.0.wait().unwrap().success(), "{}", self.told());
        assert!(self.told().ends_with("stopped\n"), "{}", self.told());
    }

    /// The output of `serve` since it was last started.
    pub fn told(&self) -> String {
        self.told_since(self.starts)
    }

    /// The output of `serve` since one of its starts.
    pub fn told_since(&self, start: u32) -> String {
        let told = |start| fs::read_to_string(self.home.path().join(format!("serve-{start:03}"))).unwrap_or_default();
        (start..=self.starts).map(told).collect()
    }

    fn secrets(&self) -> Secrets {
        Secrets::read(&self.drawer).unwrap()
    }

    fn root(&self) -> Hash {
        self.secrets().root
    }

    /// The game as its host knows it.
    pub fn fold(&self) -> Fold {
        let records = read_log(&self.drawer).unwrap();
        read_through(records, titles::ALL, Some(self.root()), |_| ControlFlow::Continue(())).unwrap()
    }

    /// The names of the players.
    pub fn everybody(&self) -> Vec<&'static str> {
        self.players.iter().map(|player| player.name).collect()
    }

    /// The player who is asked.
    pub fn asked(&self, fold: &Fold) -> Option<&Player> {
        let Need::Question(question) = fold.need() else { return None };
        let word = fold.plan().word(question.seat);
        self.players.iter().find(|player| player.seat == word)
    }

    fn log(&self) -> String {
        text(&self.drawer, "log.yaml")
    }

    /// The number of records of a type.
    fn records(&self, kind: &str) -> usize {
        self.log().matches(&format!("\ntype: \"{kind}\"\n")).count()
    }

    /// The number of the last record that moved the game, from the text of the log, because folding takes longer.
    fn moved(&self) -> u64 {
        let log = self.log();
        let is_move = |record: &&str| {
            ["start", "say", "deck", "reveal", "end"]
                .iter()
                .any(|kind| record.contains(&format!("\ntype: \"{kind}\"\n")))
        };
        let moves = log.split("\n...\n").filter(is_move);
        let numbers = moves.filter_map(|record| record.lines().find_map(|line| line.strip_prefix("seq: ")));
        numbers.last().unwrap().parse().unwrap()
    }

    /// The newest letter of the post to a player, if it knows the game up to its last move.
    pub fn newest(&self, name: &str) -> Option<String> {
        let moved = self.moved();
        let seq = |file: &PathBuf| check::seq(BufReader::new(File::open(file).unwrap()));
        let known = self.dovecot.files(name).into_iter().map(|file| (seq(&file), file));
        let (_, newest) = known.filter(|(seq, _)| *seq >= Some(moved)).max()?;
        Some(String::from_utf8_lossy(&fs::read(newest).unwrap()).into_owned())
    }

    /// Waits for a letter to somebody with these words in its text.
    fn letter_that_says(&mut self, name: &str, words: &str) -> String {
        let mut found = None;
        self.until_sent(&format!("{name} is told: {words}"), |campaign| {
            let says = |letter: &String| check::shown(letter).contains(words);
            found = campaign.dovecot.letters(name).into_iter().find(says);
            found.is_some()
        });
        found.unwrap()
    }

    /// A player writes with one of the programs.
    pub fn write(&mut self, name: &str, answered: &str, text: &str) {
        self.letters += 1;
        let program = match self.letters {
            1..=BY_TURNS => PROGRAMS[self.letters as usize % PROGRAMS.len()],
            _ => "msmtp",
        };
        let letter = MessageParser::default().parse(answered.as_bytes()).unwrap();
        let field = |field: &str| letter.header_raw(field).unwrap().split_whitespace().collect::<String>();
        let to = field("Reply-To");
        let written = Written {
            from: &format!("{name}@shire.example"),
            to: to.trim_matches(['<', '>']),
            subject: &format!("Re: {}", letter.subject().unwrap()),
            answers: &field("Message-ID"),
            text,
            number: self.letters,
        };
        send(program, self.submission, &written);
        *self.written.entry(program).or_default() += 1;
    }

    /// Somebody sends a letter exactly as it is.
    pub fn write_raw(&self, raw: &str) {
        send_raw(self.submission, raw);
    }

    /// Waits for the letter to the asked player; `None` when the game is over.
    pub fn next_letter(&mut self) -> Option<(Fold, String, String)> {
        let mut found = None;
        self.until_sent("whoever is asked is written to", |campaign| {
            // More of the last letter may be played in the meantime.
            if campaign.players.iter().all(|player| campaign.newest(player.name).is_none()) {
                return false;
            }
            let fold = campaign.fold();
            let Some(name) = campaign.asked(&fold).map(|player| player.name.to_owned()) else { return true };
            let letter = campaign.newest(&name);
            found = letter.map(|letter| (fold, name, letter));
            found.is_some()
        });
        found
    }

    /// Waits until everybody has been told how it ended.
    pub fn until_all_are_told(&mut self) {
        self.until_sent("everybody is told how it ended", |campaign| {
            campaign.players.iter().all(|player| campaign.newest(player.name).is_some())
        });
        self.until_all_came();
    }

    /// Waits for something that happens when letters come in and go out. If a server is out of service, `serve` would
    /// try again after a minute; restarted, it tries at once.
    pub fn until_sent(&mut self, what: &str, mut is_so: impl FnMut(&Campaign) -> bool) {
        let first = self.starts;
        for pause in 0..STARTS_MAX {
            let mut is_done = false;
            self.until(what, || {
                is_done = is_so(self);
                is_done || self.told().contains("no letter can be sent")
            });
            if is_done {
                return;
            }
            self.stop();
            // A server that has only just been started may need some seconds.
            sleep(Duration::from_millis(50) * pause);
            self.serve();
        }
        panic!("it did not happen: {what}\n{}\n{}", self.told_since(first), self.dovecot.log());
    }

    /// Waits for something; if it does not happen, fails with the output of `serve`.
    #[track_caller]
    pub fn until(&self, what: &str, is_so: impl FnMut() -> bool) {
        assert!(happens(is_so), "it did not happen: {what}\n{}\n{}", self.told(), self.dovecot.log());
    }

    /// Waits until the log has grown.
    #[track_caller]
    pub fn until_played(&self, seq: u64) {
        self.until(&format!("#{seq} is followed"), || self.moved() > seq);
    }
}
