//! Players as the office meets them: each reads the letters to him, and answers with something that the letter
//! offers. Now and then one sends the same letter twice, two letters at once, or something that nobody understands.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Command};

/// A player says the first of these that the letter offers.
const SENTENCES: [&str; 8] =
    ["claim nearest", "place evenly", "place nearest", "fortify none", "done", "pass", "no", "stay"];
/// One in this many letters comes twice, has a second one beside it, or is senseless.
const TWICE: u32 = 5;
const BESIDE: u32 = 7;
const SENSELESS: u32 = 11;

/// What players read of our letters.
struct Letter {
    game: String,
    seat: String,
    reply_to: String,
    message_id: String,
    in_reply_to: Option<String>,
    text: String,
}

/// All players, with everything that they sent and the answers.
pub struct Players {
    out: PathBuf,
    maildir: PathBuf,
    /// The letters that each player writes about his game, without extra ones.
    letters_max: u32,
    seen: BTreeSet<String>,
    /// The letters written about each game, and the one whose answer is awaited.
    games: BTreeMap<String, (u32, Option<String>)>,
    /// The sent letters, and the names of the answers to each.
    answers: BTreeMap<String, BTreeSet<String>>,
    /// The number of days that the clocks of the players and of the office are ahead.
    pub days_ahead: u32,
    /// The games in which something senseless was written.
    senseless: BTreeSet<String>,
    files: u32,
}

impl Players {
    pub fn new(home: &Path, letters_max: u32) -> Players {
        let maildir = home.join("Maildir");
        for part in ["cur", "new", "tmp"] {
            fs::create_dir_all(maildir.join(part)).unwrap();
        }
        Players {
            out: home.join("out"),
            maildir,
            letters_max,
            seen: BTreeSet::new(),
            games: BTreeMap::new(),
            answers: BTreeMap::new(),
            days_ahead: 0,
            senseless: BTreeSet::new(),
            files: 0,
        }
    }

    /// The players write this many letters more.
    pub fn go_on(&mut self, letters: u32) {
        self.letters_max += letters;
        let games: Vec<String> = self.games.keys().cloned().collect();
        // A player who has got his last answer reads it again.
        let last: BTreeSet<String> = self.games.values().filter_map(|(_, awaited)| awaited.clone()).collect();
        let again = |letter: &Letter| letter.in_reply_to.as_ref().is_some_and(|id| last.contains(id));
        let letters: Vec<Letter> = self.seen.iter().filter_map(|name| self.read(name)).filter(again).collect();
        assert!(letters.len() >= games.len(), "{} of {} players have an answer", letters.len(), games.len());
        letters.into_iter().for_each(|letter| self.answer(&letter));
    }

    /// Reads the new letters and answers; true if there were any.
    pub fn look(&mut self) -> bool {
        let Ok(found) = fs::read_dir(&self.out) else { return false };
        let names = found.map(|file| file.unwrap().file_name().into_string().unwrap());
        // A letter that is being written has a temporary name.
        let new: Vec<String> = names.filter(|name| !name.starts_with('.') && !self.seen.contains(name)).collect();
        for name in &new {
            self.seen.insert(name.clone());
            let Some(letter) = self.read(name) else { continue };
            if let Some(id) = &letter.in_reply_to
                && let Some(answers) = self.answers.get_mut(id)
            {
                answers.insert(name.clone());
            }
            let awaited = self.games.get(&letter.game).and_then(|(_, awaited)| awaited.as_ref());
            let is_invited = awaited.is_none() && letter.in_reply_to.is_none();
            let is_seated = letter.in_reply_to.is_none() && letter.seat == "yellow" && self.is_joining(&letter.game);
            if is_invited || is_seated || (letter.seat == "yellow" && letter.in_reply_to.as_ref() == awaited) {
                self.answer(&letter);
            }
        }
        !new.is_empty()
    }

    /// The sent letters without an answer.
    pub fn waiting(&self) -> usize {
        self.answers.values().filter(|answers| answers.is_empty()).count()
    }

    /// Whether everybody has written all his letters and got his answers.
    pub fn are_done(&self, games: usize) -> bool {
        let is_done = |(letters, _): &(u32, Option<String>)| *letters >= self.letters_max;
        self.games.len() == games && self.games.values().all(is_done) && self.waiting() == 0
    }

    pub fn sent(&self) -> usize {
        self.answers.len()
    }

    /// Checks that every letter was answered exactly once.
    pub fn check(&self) {
        for (id, answers) in &self.answers {
            assert_eq!(answers.len(), 1, "{id}: {answers:?}");
        }
    }

    /// An extra letter, whose answer is awaited like all others.
    pub fn ask(&mut self, game: &str) {
        let last = self.seen.iter().rev().filter(|name| name.starts_with(&format!("{game}.")));
        let letter = last.filter_map(|name| self.read(name)).find(|letter| letter.seat == "yellow");
        // A person without a seat has nothing to ask.
        if let Some(letter) = letter {
            self.send(&letter, "status");
        }
    }

    fn is_joining(&self, game: &str) -> bool {
        self.games.get(game).is_some_and(|(letters, _)| *letters == 1)
    }

    fn answer(&mut self, letter: &Letter) {
        let written = self.games.get(&letter.game).map_or(0, |(letters, _)| *letters);
        if written >= self.letters_max {
            return;
        }
        let said = if letter.seat == "yellow" { sentence(&letter.text) } else { "join" };
        let id = self.send(letter, said);
        let number = u32::try_from(self.answers.len()).unwrap();
        if written > 0 && number.is_multiple_of(BESIDE) {
            self.send(letter, "status");
        }
        // L3: the same refused words are answered once an hour.
        if written > 0 && number.is_multiple_of(SENSELESS) && self.senseless.insert(letter.game.clone()) {
            self.send(letter, "sing of gold");
        }
        self.games.insert(letter.game.clone(), (written + 1, Some(id)));
    }

    /// Sends a letter, some of them twice. Returns its Message-ID.
    fn send(&mut self, letter: &Letter, text: &str) -> String {
        let number = self.answers.len();
        let id = format!("<{number}.{}@shire.example>", letter.game);
        let (to, of, game) = (&letter.reply_to, &letter.message_id, &letter.game);
        let taken = taken(self.days_ahead);
        let raw = format!(
            "{taken}From: {game}@shire.example\nTo: {to}\nSubject: Re: {game}\nIn-Reply-To: {of}\n\
             Message-ID: {id}\n\n{text}\n"
        );
        self.answers.insert(id.clone(), BTreeSet::new());
        for _ in 0..=u32::from(u32::try_from(number).unwrap().is_multiple_of(TWICE)) {
            self.deliver(&raw);
        }
        id
    }

    /// Like a carrier: writes the letter elsewhere, and moves it into place in one step.
    fn deliver(&mut self, raw: &str) {
        self.files += 1;
        let name = format!("{}.{}.shire", 1_000_000_000 + self.files, process::id());
        let draft = self.maildir.join("tmp").join(&name);
        fs::write(&draft, raw).unwrap();
        fs::rename(draft, self.maildir.join("new").join(name)).unwrap();
    }

    fn read(&self, name: &str) -> Option<Letter> {
        let raw = fs::read_to_string(self.out.join(name)).ok()?;
        let head = raw.split("\n\n").next()?;
        let line =
            |key: &str| head.lines().find_map(|line| line.strip_prefix(key)).map(|value| value.trim().to_owned());
        Some(Letter {
            game: line("X-Ringmail-Game:")?,
            seat: line("X-Ringmail-Seat:")?,
            reply_to: line("Reply-To:")?,
            message_id: line("Message-ID:")?,
            in_reply_to: line("In-Reply-To:"),
            text: raw.replace("=\n", ""),
        })
    }
}

/// A mail server's time stamp, if its clock is ahead as well; otherwise nobody needs it.
fn taken(days_ahead: u32) -> String {
    if days_ahead == 0 {
        return String::new();
    }
    let date = Command::new("date").args(["-R", "-u", "-d", &format!("+{days_ahead} days")]).output().unwrap();
    format!("Received: by mx.play.example; {}\n", String::from_utf8(date.stdout).unwrap().trim())
}

/// A sentence that the letter offers; a request for the status if it offers none of these.
fn sentence(text: &str) -> &'static str {
    let offered = text.split("WHAT YOU MAY SAY").nth(1).unwrap_or_default();
    let offered = offered.split("Answer this letter").next().unwrap_or_default();
    let is_offered = |said: &&&str| offered.lines().any(|line| line.trim() == **said);
    SENTENCES.iter().find(is_offered).copied().unwrap_or("status")
}
