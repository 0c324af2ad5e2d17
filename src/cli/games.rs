//! Where games are kept, and how a game, a log or a seat is named on the command line.

use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::now::now;
use crate::cli::paper;
use crate::titles;
use clap::Args;
use engine::seat::Seat;
use ground::disk::place::open_for_reading;
use ground::files::LOG;
use ground::hash::Hash;
use mail::letter::dkim::KeyRecords;
use mail::letter::mailbox::Mailbox;
use mail::wire::keys::Foreseen;
use net::dns::Dns;
use post::book::fault::PostError;
use post::desk::authorship::Judges;
use post::desk::beacon::Beacon;
use post::desk::{Desk, objection};
use post::names::message_id::is_game;
use post::office::config::{CONFIG, Config, Names};
use post::office::{Mailroom, Office};
use record::charter::plan::Plan;
use record::file::log::{LogError, SetAside};
use record::file::reading::{Followed, NotFollowed, read_through};
use record::file::secrets::Secrets;
use record::file::stream::Records;
use record::fold::Fold;
use record::table::table_error::TableError;
use report::html::{Form, Look};
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use store::Store;
use store::drawer::Drawer;

/// Where the games are.
#[derive(Args, Debug, Clone)]
pub struct Games {
    /// The folder that holds the games, one folder for each. Without it, that of the configuration, or `games`.
    #[arg(id = "root", long = "games", env = "RINGMAIL_GAMES", value_name = "FOLDER", global = true)]
    games: Option<PathBuf>,
    /// The mailbox of the post office: letters come from it, and answers go to it. Without it, that of the
    /// configuration.
    #[arg(id = "post", long = "post", env = "RINGMAIL_MAILBOX", value_name = "ADDRESS", global = true)]
    mailbox: Option<String>,
    /// The configuration of the post office. Without it, `ringmail.yaml` here, if there is one.
    #[arg(long, env = "RINGMAIL_CONFIG", value_name = "FILE", global = true)]
    config: Option<PathBuf>,
    /// How long to wait for a game at which another process is at work, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 10, global = true)]
    wait: u64,
    /// The configuration, read.
    #[arg(skip)]
    settled: Option<Config>,
    /// The store, opened.
    #[arg(skip)]
    opened: Arc<OnceLock<Store>>,
}

/// A log, opened at its beginning.
pub struct LogSource {
    /// Its name in messages.
    pub name: String,
    /// The drawer of the game; `None` for standard input.
    pub drawer: Option<Drawer>,
    /// Opens the log again; `None` for a pipe.
    pub again: Option<Again>,
    pub source: Box<dyn Read + Send>,
}

/// Opens a log again at its beginning.
pub type Again = Box<dyn FnMut() -> io::Result<Box<dyn Read + Send>>>;

impl Games {
    /// The same with the configuration read, if there is one.
    pub fn settle(&self) -> Result<Games, Failure> {
        let usual = Path::new(CONFIG);
        let file = self.config.as_deref().or(usual.exists().then_some(usual));
        let settled = file.map(Config::read).transpose();
        let settled = settled.map_err(|error| Failure::usage(sentence(&error.to_string())))?;
        Ok(Games { settled, opened: Arc::default(), ..self.clone() })
    }

    /// The same with another configuration.
    pub fn by(&self, config: Config) -> Games {
        Games { settled: Some(config), ..self.clone() }
    }

    pub fn config(&self) -> Option<&Config> {
        self.settled.as_ref()
    }

    /// Where the configuration is, or would be.
    pub fn config_file(&self) -> &Path {
        self.config.as_deref().unwrap_or(Path::new(CONFIG))
    }

    pub fn root(&self) -> &Path {
        let settled = self.settled.as_ref().map(|config| config.games.as_path());
        self.games.as_deref().or(settled).unwrap_or(Path::new("games"))
    }

    pub fn mailbox(&self) -> Result<Mailbox, Failure> {
        match (&self.mailbox, &self.settled) {
            (Some(written), _) => {
                let read = Mailbox::read(written);
                read.ok_or_else(|| Failure::usage(format!("`{written}` is not a mail address for the post office.")))
            }
            (None, Some(config)) => Ok(config.mailbox.clone()),
            (None, None) => Ok(Mailbox { local: "ringmail".to_string(), host: "localhost".to_string() }),
        }
    }

    /// The store of the games: the folder given on the command line, else that of the configuration, else `games`.
    pub fn store(&self) -> Result<Store, Failure> {
        if let Some(store) = self.opened.get() {
            return Ok(store.clone());
        }
        let database = self.settled.as_ref().and_then(|config| config.store.as_ref()).filter(|_| self.games.is_none());
        let store = match database {
            Some(database) => database.open().map_err(|error| Failure::failed(sentence(&error.to_string())))?,
            None => Store::from(self.root()),
        };
        Ok(self.opened.get_or_init(|| store).clone())
    }

    /// The same with the games in a folder, whatever store the configuration names: for a game played alone, with
    /// other files beside it.
    pub fn in_folder(&self) -> Games {
        let settled = self.settled.clone().map(|config| Config { store: None, ..config });
        Games { settled, opened: Arc::default(), ..self.clone() }
    }

    /// The post office of all games.
    pub fn office(&self) -> Result<Office, Failure> {
        let store = self.store()?;
        if store.folder().is_some_and(|folder| !folder.is_dir()) {
            return Err(Failure::usage(format!(
                "There is no folder {} with games in it. Is its disk mounted? `ringmail new` makes the first game.",
                self.root().display()
            )));
        }
        let mailroom = self.settled.as_ref().map_or(Mailroom::Own, |config| config.mailroom);
        let office = Office::new(store, &self.mailbox()?, titles::ALL).in_mailroom(mailroom).looking(self.look());
        let relays = self.settled.as_ref().map_or_else(Vec::new, |config| config.beacon.clone());
        let office = office.fetching_from(Beacon { relays, ..Beacon::default() });
        let quota = self.settled.as_ref().map(|config| config.strangers).unwrap_or_default();
        Ok(office.believing(self.judges()?).with_patience(self.patience()).keeping(quota))
    }

    /// How letters prove their authors: not at all, unless the configuration says so.
    fn judges(&self) -> Result<Judges, Failure> {
        let Some(config) = &self.settled else { return Ok(Judges::default()) };
        let names = match config.names {
            Names::Off => None,
            Names::System => {
                let system = Dns::of_system();
                Some(system.map_err(|error| Failure::failed(format!("`dns: system` finds no name server: {error}.")))?)
            }
            Names::Server(server) => Some(Dns::new(vec![server])),
        };
        let keys = names.map(|dns| Arc::new(Foreseen::new(Arc::new(dns))) as Arc<dyn KeyRecords>);
        Ok(Judges { keys, server: config.authserv_id.clone() })
    }

    /// How letters look to players who have set nothing else.
    fn look(&self) -> Look {
        let form = self.settled.as_ref().map_or(Form::Html, |config| config.letters);
        Look { form, ..Look::default() }
    }

    /// How long to wait for a game that another process has locked.
    pub fn patience(&self) -> Duration {
        Duration::from_secs(self.wait)
    }

    /// Opens a game and its letters as its host.
    pub fn desk(&self, game: &str) -> Result<Desk, Failure> {
        let mut desk = Desk::open_within(self.drawer(game)?, &self.mailbox()?, titles::ALL, self.patience())?;
        desk.let_look(self.look());
        Ok(desk)
    }

    /// The drawer of a game: by its name in the store, or by the path of a folder or of a log.
    pub fn drawer(&self, game: &str) -> Result<Drawer, Failure> {
        if is_game(game) && !Path::new(game).join(LOG).exists() {
            Ok(self.store()?.drawer(game))
        } else {
            Ok(Drawer::from(&self.folder(game)))
        }
    }

    /// The folder of a game: by its name in the folder of games, or by the path of a folder or of a log.
    pub fn folder(&self, game: &str) -> PathBuf {
        let path = Path::new(game);
        if is_game(game) && !path.join(LOG).exists() {
            return self.root().join(game);
        }
        match path.file_name() {
            Some(name) if name == LOG => match path.parent() {
                Some(folder) if !folder.as_os_str().is_empty() => folder.to_path_buf(),
                _ => PathBuf::from("."),
            },
            _ => path.to_path_buf(),
        }
    }

    /// The names of all games, sorted.
    pub fn all(&self) -> Result<Vec<String>, Failure> {
        let office = self.office()?;
        let games = office.games().map_err(|error| Failure::failed(sentence(&error.to_string())))?;
        if games.is_empty() {
            return Err(Failure::usage(format!("There is no game in {}.", office.store().place().display())));
        }
        Ok(games)
    }

    /// The log of a game, by its name, its folder, its file, or `-` for standard input.
    pub fn log(&self, game: &str) -> Result<LogSource, Failure> {
        if game == "-" {
            return Ok(LogSource { name: "-".to_string(), drawer: None, again: None, source: Box::new(io::stdin()) });
        }
        let (path, drawer) = (PathBuf::from(game), self.drawer(game)?);
        let (name, drawer, mut open): (PathBuf, Drawer, Again) = if path.is_dir() || !path.exists() {
            let again = drawer.clone();
            (drawer.place(LOG), drawer, Box::new(move || again.stream(LOG, 0)))
        } else {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let (drawer, file) = (Drawer::from(folder), path.clone());
            let open = move || Ok(Box::new(open_for_reading(&file)?) as Box<dyn Read + Send>);
            (path.clone(), drawer, Box::new(open))
        };
        // A pipe cannot be read a second time.
        let is_lasting = path.is_dir() || !path.exists() || path.is_file();
        let name = name.display().to_string();
        let source = open().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Failure::usage(format!("There is no game at {name}.")),
            _ => Failure::failed(format!("{name} cannot be read: {error}.")),
        })?;
        Ok(LogSource { name, drawer: Some(drawer), again: is_lasting.then_some(open), source })
    }

    /// Folds the log of a game, and shows each record to `each`. If the secrets are beside the log, every card is
    /// known; otherwise only the opened ones.
    pub fn read(&self, game: &str, each: impl FnMut(&Followed<'_>) -> ControlFlow<()>) -> Result<Fold, Failure> {
        let log = self.log(game)?;
        let root = log.root();
        read_through(Records::new(log.source), titles::ALL, root, each).map_err(|error| not_followed(&log.name, error))
    }
}

impl LogSource {
    /// The dealer's root, if the host's secrets are beside the log and can be read.
    pub fn root(&self) -> Option<Hash> {
        Secrets::read(self.drawer.as_ref()?).ok().map(|secrets| secrets.root)
    }

    /// All bytes of the log.
    pub fn bytes(&mut self) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::new();
        let read = self.source.by_ref().take(MOST_BYTES).read_to_end(&mut bytes);
        read.map_err(|error| Failure::failed(format!("{} cannot be read: {error}.", self.name)))?;
        Ok(bytes)
    }
}

/// Why a log could not be read to its end, and what to do about it.
pub fn not_followed(name: &str, error: NotFollowed) -> Failure {
    match error {
        NotFollowed::Unverified { line, problem } => {
            let exit = Exit::of_code(problem.exit_code());
            Failure::new(exit, format!("{name}:{line}: {problem}. `ringmail verify` says more."))
        }
        NotFollowed::Stream(_) => TableError::from(error).into(),
    }
}

/// The greatest length of a log (log 1.1).
const MOST_BYTES: u64 = 268_435_456;

/// The seat with this word.
pub fn seat(plan: &Plan, word: &str) -> Result<Seat, Failure> {
    plan.seat(word).ok_or_else(|| {
        let seats: Vec<&str> = plan.seats.iter().map(|seat| seat.word.as_str()).collect();
        Failure::usage(format!("There is no seat `{word}` in {}; there are: {}.", plan.name, seats.join(", ")))
    })
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        let exit = match &error {
            TableError::Log(LogError::Busy { .. }) => Exit::Busy,
            TableError::Log(LogError::NoLog { .. } | LogError::AlreadyThere { .. }) => Exit::Usage,
            TableError::Charter(_) => Exit::Usage,
            TableError::Refused(_)
            | TableError::Order(_)
            | TableError::Clock(_)
            | TableError::Book(_)
            | TableError::NoSuchQuestion { .. }
            | TableError::InOrder { .. }
            | TableError::NoSuchSeat { .. }
            | TableError::NotJoined { .. }
            | TableError::NotNow { .. }
            | TableError::TooFarBack { .. } => Exit::Refused,
            TableError::Reading(NotFollowed::Unverified { problem, .. }) => Exit::of_code(problem.exit_code()),
            TableError::Reading(NotFollowed::Stream(_)) => Exit::Malformed,
            TableError::Log(_)
            | TableError::Secrets(_)
            | TableError::Random(_)
            | TableError::NoLinks
            | TableError::OtherSecrets
            | TableError::Unsound(_) => Exit::Failed,
        };
        Failure::new(exit, sentence(&objection::words(&error)))
    }
}

impl From<PostError> for Failure {
    fn from(error: PostError) -> Failure {
        match error {
            PostError::Table(error) => error.into(),
            PostError::Incomplete { .. } => {
                let advice = error.advice().map(|advice| format!(": {advice}")).unwrap_or_default();
                Failure::new(Exit::Forked, sentence(&format!("{error}{advice}")))
            }
            PostError::Restored { .. } | PostError::Forgotten { .. } | PostError::Unknown { .. } => {
                let advice = error.advice().map(|advice| format!(": {advice}")).unwrap_or_default();
                Failure::failed(sentence(&format!("{error}{advice}")))
            }
            PostError::Book(_) | PostError::File(_) | PostError::NoGames(_) => {
                Failure::failed(sentence(&error.to_string()))
            }
        }
    }
}

/// Reports bytes that a crash had left at the end of a log.
pub fn tell_set_aside(set_aside: &[SetAside]) {
    for aside in set_aside {
        let file = aside.file.display();
        paper::tell(&format!("ringmail: {} bytes of a record that a crash cut off are now in {file}.", aside.bytes));
    }
}

/// Writes the letters that are due after a change, and prints how many are waiting.
pub fn write_letters(desk: &mut Desk) -> Done {
    let written = desk.report(now())?;
    match written.len() {
        0 => Ok(()),
        1 => paper::line("1 letter is ready for `ringmail send`."),
        count => paper::line(&format!("{count} letters are ready for `ringmail send`.")),
    }
}

/// Makes a sentence of the words: a capital letter, a full stop.
pub fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let Some(first) = letters.next() else { return String::new() };
    let capital: String = match first {
        // A path or a word in quotes keeps its first letter.
        letter if words.split_whitespace().next().is_some_and(|word| word.contains(['/', '.', '`'])) => {
            letter.to_string()
        }
        letter => letter.to_uppercase().collect(),
    };
    let stop = if words.ends_with(['.', '?', '!']) { "" } else { "." };
    format!("{capital}{}{stop}", letters.as_str())
}
