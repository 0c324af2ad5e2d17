//! `serve`: the post office as a service.

use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::{Games, sentence};
use crate::cli::now::now;
use crate::cli::paper::{self, advice};
use crate::cli::trace::{self, Form, Line};
use crate::cli::{receive, ways};
use crate::titles;
use clap::{Args, ValueEnum};
use mail::wire::hint;
use post::health::alert::Alarm;
use post::health::heartbeat::Heartbeat;
use post::health::notify::{self, Supervisor};
use post::health::{Vitals, port};
use post::names::message_id::{MessageId, is_game};
use post::office::config::Config;
use post::office::heads::{HEADS, Heads};
use post::office::service::{Bulletin, Ended, Event, Job, Outside, Part, Service};
use post::office::shared::SENDING;
use post::office::{Handled, Office, sources};
use post::window::Window;
use report::columns::ruly;
use serde_json::{Value, json};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::collections::BTreeSet;
use std::io;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use store::drawer::Drawer;
use store::home::{Lock, Woken};
use tracing::Level;

/// The name of the lock in the counter that shows that a service is running.
const SERVING: &str = "serving.lock";
/// The sources of two troubles: alerts to the host cannot be sent, and the public pages cannot be written.
const ALERTS: &str = "alerts";
const PAGE: &str = "the page";

/// Serve the games: take letters in, watch the deadlines, send letters out, until told to stop.
///
/// The configuration says where letters come from and how they go out. Other verbs can be used at the same time:
/// each works on a game under its lock. SIGTERM and SIGINT end it cleanly; after a crash it takes up what it was
/// doing. SIGHUP makes it read the configuration anew: `host`, `letters`, `send`, `authserv-id` and `beacon` change at
/// once, and what else has changed is named and waits for a restart. (At a terminal SIGHUP ends it, as it is closed.)
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail init --mailbox ringmail@example.org
  ringmail doctor
  ringmail serve
  ringmail --config /etc/ringmail.yaml serve --log json >> ringmail.log

As a service of systemd:
  [Service]
  Type=notify
  ExecStart=/usr/bin/ringmail --config /etc/ringmail.yaml serve
  ExecReload=/bin/kill -HUP $MAINPID
  WatchdogSec=5min
  Restart=always

How it is:
  ringmail status
  curl -f http://127.0.0.1:9797/healthz    (with `health: 127.0.0.1:9797` in the configuration)")]
pub struct Serve {
    /// What the log on standard output is made of. Without it, as `log` in the configuration says, or text.
    #[arg(long, value_enum, value_name = "FORM")]
    log: Option<Form>,
    /// Write down what is as important as this, or more: error, warn, info, debug, trace. `--trace` is the last one.
    #[arg(long, value_name = "LEVEL", default_value = "info")]
    level: Level,
    /// What this process does of the work of an office whose store is a database (`store`), with any number of others:
    /// `in` puts letters into the queue, `play` plays them and watches the clock, `out` sends.
    #[arg(long, value_name = "ROLES", value_delimiter = ',', default_value = "in,play,out")]
    roles: Vec<Role>,
}

/// A part of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum Role {
    In,
    Play,
    Out,
}

impl Role {
    const ALL: [Role; 3] = [Role::In, Role::Play, Role::Out];
}

pub fn run(serve: &Serve, games: &Games, traces: bool) -> Done {
    let missing = || {
        let file = games.config_file().display();
        Failure::usage(format!("There is no configuration in {file}; `ringmail init` makes one."))
    };
    let config = games.config().ok_or_else(missing)?;
    let configured = if config.logs_json { Form::Json } else { Form::Text };
    trace::begin(serve.log.unwrap_or(configured), if traces { Level::TRACE } else { serve.level });
    let (events, mut incoming) = mpsc::channel();
    let mut office = office(games, &events)?;
    let _lock = alone(&office, &serve.roles)?;
    let mut config = config.clone();
    let has = |role| serve.roles.contains(&role);
    let mut way_out = if has(Role::Out) { way_out(&config, &events)? } else { WayOut::default() };
    let sources = open_sources(&config, &office, &events, &serve.roles)?;
    let part = part(&config, &office, &serve.roles);
    let mut watch = Watch::begin(&config, &office, &sources, &events)?;
    let changes = Changes::new(games, &config);
    open_signals(&events, &watch.supervisor, &changes)?;
    let mut unnoted = Vec::new();
    loop {
        let servers = Servers {
            imap: config.imap.as_ref().map(|folder| folder.account.server.host.clone()).unwrap_or_default(),
            smtp: way_out.host.take().unwrap_or_default(),
        };
        let mut tell = |bulletin: &Bulletin<'_>| {
            watch.heed(bulletin);
            line(bulletin, &servers).tell();
        };
        let (jobs, host, sources) = (way_out.jobs.take(), config.host.clone(), sources.clone());
        let part = part.clone();
        let outside = Outside { events: incoming, jobs, now: &now, tell: &mut tell, host, sources, part };
        let mut service = Service::after(unnoted, &office, outside);
        match service.run()? {
            Ended::Stopped => return Ok(()),
            Ended::Reloads => {
                let (outside, left) = service.close();
                (incoming, unnoted, way_out.jobs) = (outside.events, left, outside.jobs);
            }
        }
        way_out.host = Some(servers.smtp).filter(|host| !host.is_empty());
        let newest = changes.newest();
        match anew(games, &newest, &events, &serve.roles) {
            Ok(made) => (config, office, way_out) = (newest, made.0, made.1),
            Err(failure) => changes.refuse(&config, &failure),
        }
    }
}

/// Makes again what depends on a changed configuration.
fn anew(games: &Games, config: &Config, events: &Sender<Event>, roles: &[Role]) -> Result<(Office, WayOut), Failure> {
    let sends = roles.contains(&Role::Out);
    let way_out = if sends { way_out(config, events)? } else { WayOut::default() };
    Ok((office(&games.by(config.clone()), events)?, way_out))
}

/// Locks the office for this process: only one process serves the games in a folder, and does all of the work. Any
/// number of processes serve a database.
fn alone(office: &Office, roles: &[Role]) -> Result<Option<Lock>, Failure> {
    if office.store().shared().is_some() {
        office.home()?;
        return Ok(None);
    }
    if Role::ALL.iter().any(|role| !roles.contains(role)) {
        let why = "`--roles` is for games in a database (`store` in the configuration): those in a folder are served \
                   by one process.";
        return Err(Failure::usage(why));
    }
    let lock = office.home()?.lock(SERVING, Duration::ZERO).map_err(|error| match error.kind() {
        io::ErrorKind::WouldBlock => Failure::new(Exit::Busy, "Another `ringmail serve` is at work on these games."),
        _ => Failure::failed(sentence(&error.to_string())),
    })?;
    Ok(Some(lock))
}

/// What this process does, and which ways in and out must work, here or on other machines, so that time may pass.
fn part(config: &Config, office: &Office, roles: &[Role]) -> Part {
    if office.store().shared().is_none() {
        return Part::WHOLE;
    }
    let imap = config.imap.as_ref().map(|_| sources::IMAP);
    let maildir = config.maildir.as_ref().map(|_| sources::MAILDIR);
    let sending = config.send.as_ref().map(|_| SENDING);
    let ways = [imap, maildir, sending].into_iter().flatten().collect();
    Part { plays: roles.contains(&Role::Play), ways }
}

/// The office of all games. One thread serves them, so it never waits for a locked game: it comes back to it later.
fn office(games: &Games, events: &Sender<Event>) -> Result<Office, Failure> {
    let fetched = events.clone();
    // A service that has stopped needs no more rounds.
    let heads = games.config_file().with_file_name(HEADS);
    let office = games.office()?.with_patience(Duration::ZERO).remembering(Heads::in_file(&heads));
    Ok(office.fetching_behind(move || {
        let _ = fetched.send(Event::Fetched);
    }))
}

/// The configuration, which may change while the service runs.
#[derive(Clone)]
struct Changes {
    games: Games,
    config: Arc<Mutex<Config>>,
}

impl Changes {
    fn new(games: &Games, config: &Config) -> Changes {
        Changes { games: games.clone(), config: Arc::new(Mutex::new(config.clone())) }
    }

    fn newest(&self) -> Config {
        self.config.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Reads the configuration anew; true if the service must start again with it. A broken one is refused, with the
    /// place of the error, and the old one stays in force.
    fn read(&self) -> bool {
        match self.take() {
            Ok(waits) => {
                let rest = match waits.as_slice() {
                    [] => String::new(),
                    keys => format!("; what has changed under {} waits for a restart", keys.join(", ")),
                };
                let facts = json!({ "is": "reloaded", "waits": waits });
                let words = format!("the configuration was read anew{rest}");
                Line { level: Level::INFO, game: None, letter: None, words, facts }.tell();
                true
            }
            Err(failure) => {
                tell_refused(&failure);
                false
            }
        }
    }

    /// Refuses a configuration that could not be used after all; the old one stays in force.
    fn refuse(&self, old: &Config, failure: &Failure) {
        *self.config.lock().unwrap_or_else(PoisonError::into_inner) = old.clone();
        tell_refused(failure);
    }

    /// Takes over what can change now, and names the keys whose changes wait for a restart.
    fn take(&self) -> Result<Vec<&'static str>, Failure> {
        let read = self.games.settle()?;
        let new = read.config().ok_or_else(|| Failure::failed("It is gone."))?;
        let (changed, waits) = self.newest().changed_to(new);
        // Finds, before the service ends, what would keep it from starting again.
        self.games.by(changed.clone()).office()?;
        if let Some(way) = &changed.send {
            ways::carrier(way, &changed.mailbox.host)?;
        }
        *self.config.lock().unwrap_or_else(PoisonError::into_inner) = changed;
        Ok(waits)
    }
}

fn tell_refused(failure: &Failure) {
    let words = format!("the new configuration is refused, and the old one stays in force: {}", failure.message);
    let facts = json!({ "is": "not-reloaded", "why": failure.message });
    Line { level: Level::ERROR, game: None, letter: None, words, facts }.tell();
}

/// How letters go out: the channel for letters to send, and the server that takes them.
#[derive(Default)]
struct WayOut {
    jobs: Option<Sender<Job>>,
    host: Option<String>,
}

fn way_out(config: &Config, events: &Sender<Event>) -> Result<WayOut, Failure> {
    let Some(way) = &config.send else { return Ok(WayOut::default()) };
    let carrier = ways::carrier(way, &config.mailbox.host)?;
    let host = carrier.host().map(str::to_owned);
    let (jobs, waiting): (_, Receiver<_>) = mpsc::channel();
    sources::way_out(carrier, waiting, events.clone());
    Ok(WayOut { jobs: Some(jobs), host })
}

/// Opens the sources of letters, and names those that are read to their end before time passes.
fn open_sources(
    config: &Config,
    office: &Office,
    events: &Sender<Event>,
    roles: &[Role],
) -> Result<BTreeSet<&'static str>, Failure> {
    let mut sources = BTreeSet::new();
    if let Some(shared) = office.store().shared() {
        let (wake, wakes) = mpsc::channel();
        if roles.contains(&Role::Play) {
            sources::queue(office, wakes, events.clone());
            sources.insert(sources::QUEUE);
        }
        let told = events.clone();
        let watched = shared.watch(Box::new(move |woken| {
            // An error means that no worker here takes letters from the queue, or that the service has stopped.
            let _ = match woken {
                Woken::LetterIn => wake.send(()).is_ok(),
                Woken::LetterOut(drawer) => told.send(Event::Waiting(Some(drawer))).is_ok(),
                Woken::Anything => wake.send(()).is_ok() | told.send(Event::Waiting(None)).is_ok(),
            };
        }));
        watched.map_err(|error| Failure::failed(sentence(&error.to_string())))?;
    }
    if roles.contains(&Role::In) {
        sources.extend(open_mailboxes(config, office, events)?);
    }
    sources::clock(events.clone());
    Ok(sources)
}

fn open_mailboxes(config: &Config, office: &Office, events: &Sender<Event>) -> Result<Vec<&'static str>, Failure> {
    if config.imap.is_none() && config.maildir.is_none() && config.lmtp.is_none() {
        paper::tell("ringmail: the configuration does not say where letters come from; only the outboxes are served.");
    }
    if let Some(place) = &config.lmtp {
        let opened = sources::lmtp(place, office, events.clone());
        opened.map_err(|error| {
            let advice = advice(hint::of_place(&error));
            Failure::failed(format!("receive.lmtp: cannot listen on {place}: {error}.{advice}"))
        })?;
    }
    if let Some(maildir) = &config.maildir {
        let opened = sources::maildir(maildir, office, events.clone());
        opened.map_err(|error| {
            let advice = advice(hint::of_file(&error));
            Failure::failed(format!("receive.maildir: the Maildir cannot be watched: {error}.{advice}"))
        })?;
    }
    if let Some(folder) = &config.imap {
        let intake = folder.intake(office.store());
        sources::imap(folder.account.clone(), intake, office, events.clone());
    }
    let imap = config.imap.as_ref().map(|_| sources::IMAP);
    Ok(imap.into_iter().chain(config.maildir.as_ref().map(|_| sources::MAILDIR)).collect())
}

fn open_signals(events: &Sender<Event>, supervisor: &Supervisor, changes: &Changes) -> Done {
    let signals = Signals::new([SIGTERM, SIGINT, SIGHUP]);
    let mut signals = signals.map_err(|error| Failure::failed(format!("Signals cannot be handled: {error}.")))?;
    let (events, supervisor, changes) = (events.clone(), supervisor.clone(), changes.clone());
    let is_watched = paper::is_terminal();
    std::thread::spawn(move || {
        for signal in signals.forever() {
            let event = match signal {
                // Closing a terminal sends SIGHUP, too; then the host wants the service to end.
                SIGHUP if !is_watched && !changes.read() => continue,
                SIGHUP if !is_watched => Event::Reload,
                _ => {
                    supervisor.tell("STOPPING=1");
                    Event::Stop
                }
            };
            // A service that has stopped receives no more events.
            if events.send(event).is_err() {
                return;
            }
        }
    });
    Ok(())
}

/// The name of this machine, without characters that a file name must not have.
fn machine() -> String {
    #[cfg(unix)]
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    let name = std::env::var("COMPUTERNAME").unwrap_or_default();
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
    let name: String = name.chars().filter(is_plain).take(64).collect();
    if name.is_empty() { "machine".to_owned() } else { name }
}

/// What watches over the service: the heartbeat file, the supervisor of the system, and a port.
struct Watch {
    vitals: Arc<Vitals>,
    supervisor: Supervisor,
    counter: Drawer,
    /// The name of the machine, if several may serve the office.
    machine: Option<String>,
    has_failed: bool,
    /// Wakes the thread that writes the public pages.
    window: Option<Sender<()>>,
}

impl Watch {
    fn begin(
        config: &Config,
        office: &Office,
        sources: &BTreeSet<&'static str>,
        events: &Sender<Event>,
    ) -> Result<Watch, Failure> {
        let variable = |name| std::env::var(name).ok();
        let vitals = Arc::new(Vitals::new(now, sources.iter().copied()));
        let supervisor = Supervisor::at(variable("NOTIFY_SOCKET"));
        let patience = notify::patience(variable("WATCHDOG_USEC").as_deref(), variable("WATCHDOG_PID").as_deref());
        supervisor.watch(Arc::clone(&vitals), patience.unwrap_or_default());
        if let Some(place) = config.health {
            let opened = port::listen(place, Arc::clone(&vitals), office.store());
            opened.map_err(|error| {
                let advice = advice(hint::of_place(&error));
                Failure::failed(format!("health: cannot listen on {place}: {error}.{advice}"))
            })?;
        }
        if let Some(alerts) = &config.alerts {
            let (mailbox, from, to) = (config.mailbox.clone(), alerts.from.clone(), alerts.to.clone());
            let carrier = ways::carrier(&alerts.send, &from.host)?;
            let (vitals, counter) = (Arc::clone(&vitals), office.home()?);
            let alarm = Alarm { vitals, carrier, mailbox, from, to, counter, unwritten: None };
            let events = events.clone();
            alarm.watch(move |trouble| {
                // A service that has stopped needs no more events.
                let _ = events.send(match trouble {
                    Some(words) => Event::Trouble { source: ALERTS, words },
                    None => Event::Looked { source: ALERTS },
                });
            });
        }
        let window = config.page.as_ref().map(|folder| {
            let opened = Window::open(office, folder, titles::ALL);
            let window = opened.map_err(|error| Failure::failed(format!("page: {error}.")))?;
            let (wake, wakes) = mpsc::channel();
            let events = events.clone();
            window.keep(office.clone(), wakes, move |trouble| {
                let _ = events.send(match trouble {
                    Some(words) => Event::Trouble { source: PAGE, words },
                    None => Event::Looked { source: PAGE },
                });
            });
            Ok::<_, Failure>(wake)
        });
        let (window, counter) = (window.transpose()?, office.home()?);
        let machine = office.store().shared().map(|_| machine());
        if machine.is_some() {
            // Files that cannot be removed now are removed at another start.
            let _ = Heartbeat::tidy(&counter, now());
        }
        Ok(Watch { window, vitals, supervisor, counter, machine, has_failed: false })
    }

    fn heed(&mut self, bulletin: &Bulletin<'_>) {
        self.vitals.heed(bulletin);
        if let (Some(window), Bulletin::Minute(_) | Bulletin::Received { .. }) = (&self.window, bulletin) {
            // The thread ends with the process.
            let _ = window.send(());
        }
        match bulletin {
            Bulletin::Ready { .. } => self.supervisor.tell("READY=1"),
            Bulletin::Minute(minute) => {
                self.beat();
                let games: usize = minute.games.values().sum();
                let troubles = self.vitals.troubles();
                let first = troubles.first().map_or_else(String::new, |trouble| format!("; {trouble}"));
                self.supervisor.tell(&format!("STATUS={games} games, {} letters wait{first}", minute.waiting));
            }
            Bulletin::Stopped => self.beat(),
            Bulletin::Received { .. }
            | Bulletin::Sent { .. }
            | Bulletin::Later { .. }
            | Bulletin::Dead { .. }
            | Bulletin::NoService { .. }
            | Bulletin::Trouble { .. }
            | Bulletin::Well { .. }
            | Bulletin::Notice(_)
            | Bulletin::Looked { .. } => {}
        }
    }

    /// Writes the heartbeat. A failure is reported once, until writing succeeds again.
    fn beat(&mut self) {
        let heartbeat = Heartbeat { machine: self.machine.clone(), ..Heartbeat::of(&self.vitals.signs(), now()) };
        let written = heartbeat.write(&self.counter);
        if let (Err(error), false) = (&written, self.has_failed) {
            let (words, facts) = (format!("the heartbeat cannot be written: {error}"), json!({ "is": "no-heartbeat" }));
            Line { level: Level::ERROR, game: None, letter: None, words, facts }.tell();
        }
        self.has_failed = written.is_err();
        self.vitals.wrote(written.is_ok());
    }
}

/// The servers whose errors are shown, for advice on them.
struct Servers {
    /// The server with the mailbox.
    imap: String,
    /// The server that takes the letters.
    smtp: String,
}

/// A bulletin of the service as a line of the log.
fn line<'b>(bulletin: &Bulletin<'b>, servers: &Servers) -> Line<'b> {
    let about = |level: Level, words: String, facts: Value| Line { level, game: None, letter: None, words, facts };
    let of_letter = |letter: &'b str, line: Line<'b>| Line { game: game_of(letter), letter: Some(letter), ..line };
    match *bulletin {
        Bulletin::Ready { games } => {
            about(Level::INFO, format!("ready: {games} games"), json!({ "is": "ready", "games": games }))
        }
        Bulletin::Received { name, fate } => {
            let game = match fate {
                Handled::Desk { place, .. } | Handled::Bounced { place, .. } => Some(place.game.as_str()),
                Handled::Astray { .. } | Handled::Robot(_) | Handled::Again | Handled::Left => None,
            };
            let (words, mut facts) = receive::in_brief(&ruly(name), fate);
            facts["is"] = json!("received");
            facts["letter"] = json!(name);
            Line { game, letter: Some(name), ..about(Level::INFO, words, facts) }
        }
        Bulletin::Sent { letter, reply } => {
            let words = format!("{} {letter} ({})", paper::styled(paper::GOOD, "sent"), ruly(reply));
            of_letter(letter, about(Level::INFO, words, json!({ "is": "sent", "reply": reply })))
        }
        Bulletin::Later { letter, reply } => {
            let words = format!("later {letter}: {}", ruly(reply));
            of_letter(letter, about(Level::WARN, words, json!({ "is": "later", "reply": reply })))
        }
        Bulletin::Dead { letter, reply } => {
            let words = format!("{} {letter}: {}", paper::styled(paper::BAD, "refused"), ruly(reply));
            of_letter(letter, about(Level::ERROR, words, json!({ "is": "dead", "reply": reply })))
        }
        Bulletin::NoService { reason } => {
            let told = paper::styled(paper::BAD, "no letter can be sent");
            let advice = advice(hint::of(&servers.smtp, reason));
            let words = format!("{told}: {}{advice}", ruly(reason));
            about(Level::ERROR, words, json!({ "is": "no-service", "why": reason }))
        }
        Bulletin::Trouble { source, words } => {
            // The words of a mail server say what is wrong with it; those of a database or a disk are others.
            let is_of_server = [sources::IMAP, sources::LETTERS].contains(&source);
            let advice = advice(is_of_server.then(|| hint::of(&servers.imap, words)).flatten());
            let told = format!("{}: {}{advice}", ruly(source), ruly(words));
            let facts = json!({ "is": "trouble", "of": source, "why": words });
            Line { game: Some(source).filter(|name| is_game(name)), ..about(Level::ERROR, told, facts) }
        }
        Bulletin::Well { source } => {
            let facts = json!({ "is": "trouble", "of": source, "why": "all is well again" });
            let told = about(Level::INFO, format!("{}: all is well again", ruly(source)), facts);
            Line { game: Some(source).filter(|name| is_game(name)), ..told }
        }
        Bulletin::Notice(notice) => {
            let words = paper::styled(paper::BAD, &ruly(&notice.subject()));
            let told = about(Level::WARN, words, json!({ "is": "notice", "why": notice.subject() }));
            Line { game: notice.game(), ..told }
        }
        Bulletin::Looked { source } => {
            about(Level::DEBUG, format!("{source} was looked through"), json!({ "is": "looked", "of": source }))
        }
        Bulletin::Minute(minute) => {
            let words = format!("the clock has ticked; {} letters wait", minute.waiting);
            about(Level::DEBUG, words, json!({ "is": "ticked", "waiting": minute.waiting, "games": minute.games }))
        }
        Bulletin::Stopped => about(Level::INFO, "stopped".to_owned(), json!({ "is": "stopped" })),
    }
}

/// The game to which a letter of ours belongs.
fn game_of(letter: &str) -> Option<&str> {
    letter.split('.').next().filter(|game| MessageId::read(letter.trim_end_matches(".eml")).is_some() && is_game(game))
}
