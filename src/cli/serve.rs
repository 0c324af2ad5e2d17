//! `serve`: the post office as a service.

use crate::cli::clock::now;
use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::{Games, sentence};
use crate::cli::paper::{self, advice};
use crate::cli::{receive, ways};
use crate::disk::place::make_folder;
use crate::mail::wire::hint;
use crate::post::health::heartbeat::Heartbeat;
use crate::post::health::notify::{self, Supervisor};
use crate::post::health::{Vitals, port};
use crate::post::office::config::Config;
use crate::post::office::service::{Bulletin, Event, Job, Outside, Service};
use crate::post::office::{Office, sources};
use crate::record::file::log::{self, LogError};
use crate::report::columns::ruly;
use clap::Args;
use serde_json::json;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

/// The folder, below that of the counter, whose lock says that a service is running.
const SERVING: &str = "serving";

/// Serve the games: take letters in, watch the deadlines, send letters out, until told to stop.
///
/// The configuration says where letters come from and how they go out. Other verbs can be used at the same time:
/// each works on a game under its lock. SIGTERM and SIGINT end it cleanly; after a crash it takes up what it was
/// doing.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail init --mailbox ringmail@example.org
  ringmail doctor
  ringmail serve
  ringmail --config /etc/ringmail.yaml serve --json >> ringmail.log

As a service of systemd:
  [Service]
  Type=notify
  ExecStart=/usr/bin/ringmail --config /etc/ringmail.yaml serve
  WatchdogSec=5min
  Restart=always

How it is:
  ringmail status
  curl -f http://127.0.0.1:9797/healthz    (with `health: 127.0.0.1:9797` in the configuration)")]
pub struct Serve {
    /// Print JSON, an object for each thing that happens.
    #[arg(long)]
    json: bool,
}

pub fn run(serve: &Serve, games: &Games) -> Done {
    let missing = || {
        let file = games.config_file().display();
        Failure::usage(format!("There is no configuration in {file}; `ringmail init` makes one."))
    };
    let config = games.config().ok_or_else(missing)?;
    // One thread serves all games: it comes back to a game at which somebody else is at work.
    let office = games.office()?.with_patience(Duration::ZERO);
    let serving = office.home()?.join(SERVING);
    make_folder(&serving).map_err(|error| Failure::failed(format!("{}: {error}.", serving.display())))?;
    let _lock = log::lock(&serving).map_err(|error| match error {
        LogError::Busy { .. } => Failure::new(Exit::Busy, "Another `ringmail serve` is at work on these games."),
        error => Failure::failed(sentence(&error.to_string())),
    })?;
    let (events, incoming) = mpsc::channel();
    let fetched = events.clone();
    // A service that has stopped needs no round any more.
    let office = office.fetching_behind(move || {
        let _ = fetched.send(Event::Fetched);
    });
    let WayOut { jobs, host } = way_out(config, &events)?;
    let servers = Servers {
        imap: config.imap.as_ref().map(|folder| folder.account.server.host.clone()).unwrap_or_default(),
        smtp: host.unwrap_or_default(),
    };
    open_sources(config, &office, &events)?;
    let imap = config.imap.as_ref().map(|_| sources::IMAP);
    let sources: BTreeSet<&'static str> =
        imap.into_iter().chain(config.maildir.as_ref().map(|_| sources::MAILDIR)).collect();
    let mut watch = Watch::begin(config, &office, &sources)?;
    open_signals(&events, &watch.supervisor)?;
    let mut stopped = Ok(());
    let mut tell = |bulletin: &Bulletin<'_>| {
        watch.heed(bulletin);
        let told = if serve.json { in_json(bulletin) } else { in_words(bulletin, &servers) };
        if told.is_err() {
            stopped = told;
        }
    };
    let outside = Outside { events: incoming, jobs, now: &now, tell: &mut tell, host: config.host.clone(), sources };
    Service::new(&office, outside).run()?;
    stopped
}

/// How letters go out: where they are handed over, and the server that takes them.
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

fn open_sources(config: &Config, office: &Office, events: &Sender<Event>) -> Done {
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
        let intake = folder.intake(office.root());
        sources::imap(folder.account.clone(), intake, office, events.clone());
    }
    sources::clock(events.clone());
    Ok(())
}

fn open_signals(events: &Sender<Event>, supervisor: &Supervisor) -> Done {
    let signals = Signals::new([SIGTERM, SIGINT]);
    let mut signals = signals.map_err(|error| Failure::failed(format!("Signals cannot be handled: {error}.")))?;
    let (events, supervisor) = (events.clone(), supervisor.clone());
    std::thread::spawn(move || {
        for _ in signals.forever() {
            supervisor.tell("STOPPING=1");
            // A service that has stopped receives no more events.
            if events.send(Event::Stop).is_err() {
                return;
            }
        }
    });
    Ok(())
}

/// Those who watch over the service: a file, the supervisor of the system, and a port.
struct Watch {
    vitals: Arc<Vitals>,
    supervisor: Supervisor,
    home: PathBuf,
    has_failed: bool,
}

impl Watch {
    fn begin(config: &Config, office: &Office, sources: &BTreeSet<&'static str>) -> Result<Watch, Failure> {
        let variable = |name| std::env::var(name).ok();
        let vitals = Arc::new(Vitals::new(now, sources.iter().copied()));
        let supervisor = Supervisor::at(variable("NOTIFY_SOCKET"));
        let patience = notify::patience(variable("WATCHDOG_USEC").as_deref(), variable("WATCHDOG_PID").as_deref());
        supervisor.watch(Arc::clone(&vitals), patience.unwrap_or_default());
        if let Some(place) = config.health {
            let opened = port::listen(place, Arc::clone(&vitals), office.root());
            opened.map_err(|error| {
                let advice = advice(hint::of_place(&error));
                Failure::failed(format!("health: cannot listen on {place}: {error}.{advice}"))
            })?;
        }
        Ok(Watch { vitals, supervisor, home: office.home()?, has_failed: false })
    }

    fn heed(&mut self, bulletin: &Bulletin<'_>) {
        self.vitals.heed(bulletin);
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

    /// The heartbeat is written. That it cannot be is told once, until it can be again.
    fn beat(&mut self) {
        let written = Heartbeat::of(&self.vitals.signs(), now()).write(&self.home);
        if let (Err(error), false) = (&written, self.has_failed) {
            paper::tell(&format!("ringmail: the heartbeat cannot be written: {error}."));
        }
        self.has_failed = written.is_err();
    }
}

/// The servers whose errors are shown, for the advice on them.
struct Servers {
    /// The server with the mailbox.
    imap: String,
    /// The server that takes the letters.
    smtp: String,
}

fn in_words(bulletin: &Bulletin<'_>, servers: &Servers) -> Done {
    let at = now();
    match bulletin {
        Bulletin::Ready { games } => paper::line(&format!("{at} ready: {games} games")),
        Bulletin::Received { name, fate } => receive::told(&format!("{at} {}", ruly(name)), fate),
        Bulletin::Sent { letter, reply } => {
            paper::line(&format!("{at} {} {letter} ({})", paper::styled(paper::GOOD, "sent"), ruly(reply)))
        }
        Bulletin::Later { letter, reply } => paper::line(&format!("{at} later {letter}: {}", ruly(reply))),
        Bulletin::Dead { letter, reply } => {
            paper::line(&format!("{at} {} {letter}: {}", paper::styled(paper::BAD, "refused"), ruly(reply)))
        }
        Bulletin::NoService { reason } => {
            let told = paper::styled(paper::BAD, "no letter can be sent");
            let advice = advice(hint::of(&servers.smtp, reason));
            paper::line(&format!("{at} {told}: {}{advice}", ruly(reason)))
        }
        Bulletin::Trouble { source, words } => {
            let advice = advice(hint::of(&servers.imap, words));
            paper::line(&format!("{at} {}: {}{advice}", ruly(source), ruly(words)))
        }
        Bulletin::Well { source } => paper::line(&format!("{at} {}: all is well again", ruly(source))),
        Bulletin::Notice(notice) => {
            paper::line(&format!("{at} {}", paper::styled(paper::BAD, &ruly(&notice.subject()))))
        }
        Bulletin::Looked { .. } | Bulletin::Minute(_) => Ok(()),
        Bulletin::Stopped => paper::line(&format!("{at} stopped")),
    }
}

fn in_json(bulletin: &Bulletin<'_>) -> Done {
    let at = now().to_string();
    let value = match bulletin {
        Bulletin::Ready { games } => json!({ "at": at, "is": "ready", "games": games }),
        Bulletin::Received { name, fate } => return receive::tell(true, name, fate),
        Bulletin::Sent { letter, reply } => json!({ "at": at, "is": "sent", "letter": letter, "reply": reply }),
        Bulletin::Later { letter, reply } => json!({ "at": at, "is": "later", "letter": letter, "reply": reply }),
        Bulletin::Dead { letter, reply } => json!({ "at": at, "is": "dead", "letter": letter, "reply": reply }),
        Bulletin::NoService { reason } => json!({ "at": at, "is": "no-service", "why": reason }),
        Bulletin::Trouble { source, words } => json!({ "at": at, "is": "trouble", "of": source, "why": words }),
        Bulletin::Well { source } => json!({ "at": at, "is": "trouble", "of": source, "why": "all is well again" }),
        Bulletin::Notice(notice) => json!({ "at": at, "is": "notice", "why": notice.subject() }),
        Bulletin::Looked { .. } | Bulletin::Minute(_) => return Ok(()),
        Bulletin::Stopped => json!({ "at": at, "is": "stopped" }),
    };
    paper::line(&value.to_string())
}
