//! A whole campaign through real servers: players with real mail programs, a mail server, Dovecot, and `ringmail serve`
//! as a process of its own that is killed again and again.

use crate::servers::clients::{PROGRAMS, Written, send};
use crate::servers::{Dovecot, PASSWORD, Process, happens};
use mail_parser::{MessageParser, MimeHeaders};
use ringmail::engine::chance::Practice;
use ringmail::engine::need::Need;
use ringmail::engine::slot::Faces;
use ringmail::engine::title::Game;
use ringmail::record::fold::Fold;
use ringmail::record::log::read_log;
use ringmail::record::reading::read_through;
use ringmail::record::secrets::Secrets;
use ringmail::titles;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::{Command, Output};
use tempfile::TempDir;

/// So many letters are written with each of the programs by turns.
const BY_TURNS: u32 = 16;
/// Sentences in one letter.
const LINES_MAX: usize = 12;

/// A player: his seat, and his mailbox at shire.example.
pub struct Player {
    pub seat: &'static str,
    pub name: &'static str,
}

pub struct Campaign {
    pub home: TempDir,
    pub dovecot: Dovecot,
    players: Vec<Player>,
    submission: u16,
    serve: Option<Process>,
    chance: Practice,
    letters: u32,
    starts: u32,
    /// Every sentence that was sent and must be played, in order.
    pub sent: Vec<String>,
}

impl Campaign {
    /// A new game whose players have joined. Letters go out by `server`; players hand theirs to `submission`.
    pub fn new(title: &str, players: Vec<Player>, dovecot: Dovecot, server: u16, submission: u16) -> Campaign {
        let home = tempfile::tempdir().unwrap();
        let config = format!(
            "mailbox: box@play.example\nhost: host@shire.example\nreceive:\n  imap:\n    \
             server: imap+plain://box@127.0.0.1:{}\n    secret: {{ command: \"echo {PASSWORD}\" }}\n\
             send:\n  smtp: {{ server: \"smtp+plain://127.0.0.1:{server}\" }}\n",
            dovecot.imap
        );
        fs::write(home.path().join("ringmail.yaml"), config).unwrap();
        let (chance, sent) = (Practice::new(11), Vec::new());
        let campaign =
            Campaign { home, dovecot, players, submission, serve: None, chance, letters: 0, starts: 0, sent };
        let mut new = vec!["new".to_owned(), "g7".to_owned(), "--title".to_owned(), title.to_owned()];
        for Player { seat, name } in &campaign.players {
            new.extend(["--seat".to_owned(), format!("{seat}={name} <{name}@shire.example>")]);
        }
        campaign.does(&new.iter().map(String::as_str).collect::<Vec<&str>>());
        for Player { seat, .. } in &campaign.players {
            campaign.does(&["join", "g7", "--as", seat, "--salt", "mithril"]);
        }
        campaign.does(&["start", "g7"]);
        campaign
    }

    fn ringmail(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ringmail"));
        command.current_dir(self.home.path()).env_remove("RINGMAIL_GAMES");
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.ringmail().args(arguments).output().unwrap()
    }

    #[track_caller]
    pub fn does(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{arguments:?}: {out}{err}{}", self.told());
        out.into_owned()
    }

    /// Starts `serve`; what it tells is kept.
    pub fn serve(&mut self) {
        self.starts += 1;
        let told = File::create(self.home.path().join(format!("serve-{:03}", self.starts))).unwrap();
        let errors = told.try_clone().unwrap();
        let child = self.ringmail().arg("serve").stdout(told).stderr(errors).spawn().unwrap();
        self.serve = Some(Process(child));
    }

    /// The power fails.
    pub fn kill(&mut self) {
        if let Some(mut serve) = self.serve.take() {
            serve.0.kill().unwrap();
        }
    }

    /// It is asked to stop, and does.
    pub fn stop(&mut self) {
        let mut serve = self.serve.take().unwrap();
        serve.signal("-TERM");
        assert!(serve.0.wait().unwrap().success(), "{}", self.told());
        assert!(self.told().ends_with("stopped\n"), "{}", self.told());
    }

    /// What `serve` has told since it was last started.
    pub fn told(&self) -> String {
        fs::read_to_string(self.home.path().join(format!("serve-{:03}", self.starts))).unwrap_or_default()
    }

    pub fn folder(&self) -> PathBuf {
        self.home.path().join("games/g7")
    }

    pub fn secrets(&self) -> Secrets {
        Secrets::read(&self.folder()).unwrap()
    }

    /// The game as its host knows it.
    pub fn fold(&self) -> Fold {
        let root = self.secrets().root;
        let records = read_log(&self.folder()).unwrap();
        read_through(records, titles::by_id, Some(root), |_| ControlFlow::Continue(())).unwrap()
    }

    /// The player who is asked.
    pub fn asked(&self, fold: &Fold) -> Option<&Player> {
        let Need::Question(question) = fold.game().need() else { return None };
        let word = fold.plan().word(question.seat);
        self.players.iter().find(|player| player.seat == word)
    }

    /// The number of the last record that moved the game, off the text of the log: folding it takes longer.
    fn moved(&self) -> u64 {
        let log = fs::read_to_string(self.folder().join("log.yaml")).unwrap();
        let moves =
            log.split("\n...\n").filter(|record| record.contains("\ntype: ") && !record.contains("\"refused\""));
        let numbers = moves.filter_map(|record| record.lines().find_map(|line| line.strip_prefix("seq: ")));
        numbers.last().unwrap().parse().unwrap()
    }

    /// The newest letter of the post to a player, if it knows the game up to its last move.
    pub fn newest(&self, name: &str) -> Option<String> {
        let moved = self.moved();
        let knows = |letter: &String| -> Option<u64> {
            letter
                .lines()
                .find_map(|line| line.strip_prefix("X-Ringmail-Seq: "))
                .and_then(|seq| seq.trim().parse().ok())
        };
        let letters = self.dovecot.letters(name).into_iter().filter(|letter| knows(letter) >= Some(moved));
        letters.max_by_key(knows)
    }

    /// What the asked player says: as little as can be, or anything, until the dice must fall.
    pub fn answers(&mut self, fold: &Fold) -> Vec<String> {
        let Need::Question(first) = fold.game().need() else { return Vec::new() };
        let (mut game, faces) = (fold.game().copy(), fold.faces());
        let mut lines = Vec::new();
        while let Need::Question(question) = game.need()
            && question.seat == first.seat
            && lines.len() < LINES_MAX
        {
            let least = fold.plan().title.least().iter().find(|line| game.read(question.seat, line, faces).is_ok());
            let line = match least {
                Some(line) => (*line).to_owned(),
                None => self.something_quiet(&*game, faces),
            };
            lines.push(game.say(question.seat, &line, faces).unwrap().sentence);
        }
        lines
    }

    /// One of some random sentences, if possible one that ends something.
    fn something_quiet(&mut self, game: &dyn Game, faces: &Faces) -> String {
        let mut anything = || game.copy().say_anything(&mut self.chance, faces).sentence;
        let sentences: Vec<String> = (0..6).map(|_| anything()).collect();
        let ends = |line: &&String| matches!(line.split(' ').next(), Some("done" | "pass" | "end" | "no"));
        sentences.iter().find(ends).unwrap_or(&sentences[0]).clone()
    }

    /// A player writes with one of the programs.
    pub fn write(&mut self, name: &str, answered: &str, text: &str) {
        self.letters += 1;
        // All of them at first; then the one that is quick.
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
    }

    /// Waits for the letter to whoever is asked; `None` when the game is over.
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

    /// Waits until nothing waits.
    pub fn until_all_are_sent(&mut self) {
        if self.next_letter().is_none() {
            let told =
                |campaign: &Campaign| campaign.players.iter().all(|player| campaign.newest(player.name).is_some());
            self.until_sent("everybody is told how it ended", told);
        }
        self.until_sent("the last letters are sent", |campaign| {
            fs::read_dir(campaign.folder().join("outbox")).unwrap().count() == 0
        });
    }

    /// Waits for something that happens when letters go out. Where the server is out of service, `serve` would try
    /// again in a minute; started anew it tries at once.
    fn until_sent(&mut self, what: &str, mut is_so: impl FnMut(&Campaign) -> bool) {
        for _ in 0..10 {
            let mut is_done = false;
            self.until(what, || {
                is_done = is_so(self);
                is_done || self.told().contains("no letter can be sent")
            });
            if is_done {
                return;
            }
            self.kill();
            self.serve();
        }
        panic!("it did not happen: {what}");
    }

    /// Waits for something, and if it does not happen tells what `serve` has told.
    #[track_caller]
    pub fn until(&self, what: &str, is_so: impl FnMut() -> bool) {
        assert!(happens(is_so), "it did not happen: {what}\n{}\n{}", self.told(), self.dovecot.log());
    }

    /// Waits until the log has grown.
    #[track_caller]
    pub fn until_played(&self, seq: u64) {
        self.until(&format!("#{seq} is followed"), || self.moved() > seq);
    }

    /// After it all: everything went out, came to whom it was for, once or the same; the log verifies and holds exactly
    /// what was said; nobody got what was not for him.
    pub fn check(&self) {
        let verified = self.does(&["verify", "g7"]);
        assert!(verified.lines().last().unwrap().starts_with("OK g7 "), "{verified}");
        let said: Vec<String> = fs::read_to_string(self.folder().join("log.yaml"))
            .unwrap()
            .split("\n...\n")
            .filter(|record| record.contains("\ntype: \"say\"\n"))
            .filter_map(|record| record.lines().find_map(|line| line.strip_prefix("said: ")).map(str::to_owned))
            .map(|said| said.trim_matches('"').to_owned())
            .collect();
        assert_eq!(said, self.sent);
        assert_eq!(fs::read_dir(self.folder().join("outbox")).unwrap().count(), 0, "{}", self.told());
        for player in &self.players {
            self.check_mailbox(player);
        }
    }

    fn check_mailbox(&self, player: &Player) {
        let secrets = self.secrets();
        let letters = self.dovecot.letters(player.name);
        let mut known: BTreeMap<String, String> = BTreeMap::new();
        for letter in &letters {
            let parsed = MessageParser::default().parse(letter.as_bytes()).unwrap();
            if parsed.header_raw("X-Ringmail-Game").is_none() {
                continue;
            }
            // A letter that a crash sent twice is the same letter: mail programs show it once.
            let id = parsed.message_id().unwrap().to_owned();
            let own = letter[letter.find("\nDate:").or_else(|| letter.find("\r\nDate:")).unwrap()..].to_owned();
            assert_eq!(known.entry(id).or_insert_with(|| own.clone()), &own);
            let mut texts = vec![letter.clone()];
            texts.extend(parsed.parts.iter().map(|part| String::from_utf8_lossy(part.contents()).into_owned()));
            texts.extend(parsed.attachments().filter_map(|part| part.attachment_name().map(str::to_owned)));
            let mut forbidden = vec![secrets.token_key.to_string()];
            // The letter with the last records brings what is published at the end.
            if !texts.iter().any(|text| text.contains("\ntype: \"reveal\"\n")) {
                forbidden.push(secrets.root.to_string());
                forbidden.extend(secrets.chains.iter().map(|chain| chain.tip.to_string()));
            }
            for other in self.players.iter().filter(|other| other.name != player.name) {
                forbidden.push(format!("{}@shire.example", other.name));
                forbidden.push(format!("g7.{}.", other.seat));
            }
            for text in &texts {
                let found = forbidden.iter().find(|word| text.contains(word.as_str()));
                assert_eq!(found, None, "in a letter to {}", player.name);
            }
        }
        let sent = fs::read_dir(self.folder().join("sent")).unwrap();
        let to = format!("To: <{}@shire.example>", player.name);
        for file in sent {
            let file = file.unwrap();
            if fs::read_to_string(file.path()).unwrap().contains(&to) {
                let id = file.file_name().into_string().unwrap();
                let id = id.trim_end_matches(".eml");
                let came_back = self.came_back(id);
                assert!(came_back || known.contains_key(id), "{id} did not reach {}", player.name);
            }
        }
    }

    /// Whether the post knows that a letter came back.
    fn came_back(&self, id: &str) -> bool {
        let book = fs::read_to_string(self.folder().join("post.yaml")).unwrap();
        book.split("\n...\n").any(|event| event.contains("event: bounced") && event.contains(id))
    }
}
