/*! Whether a post office would work (requirement S7): its files, its servers, and a letter to itself. The doctor
tries each thing as `serve` would do it, and says of each fault what to do about it.

In reading order: this file has the findings, the files and the servers; [`names`] asks the DNS about the domain of
the mailbox; [`relays`] asks the relays of the beacon; [`round_trip`] sends letters and waits for them. Nothing here
knows a game: the doctor reads only the time at the end of a log, and writes only into a folder of its own.
*/

pub mod names;
pub mod relays;
mod round_trip;

use self::round_trip::{look_in_maildir, look_on_server, round_trip};
use crate::office::config::{Config, SendBy};
use crate::office::{COUNTER, Mailroom, counter};
use ground::files::LOG;
use ground::span::Span;
use ground::stamp::Stamp;
use mail::letter::limits::Limits;
use mail::letter::mailbox::Mailbox;
use mail::wire::carrier::Carrier;
use mail::wire::hint;
use mail::wire::imap::Imap;
use mail::wire::imap_intake::Filing;
use mail::wire::maildir::Maildir;
use mail::wire::smtp::Smtp;
use net::beacon::Patience;
use record::commit::beacon::Chain;
use record::file::secrets::SECRETS;
use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;
use store::Store;
use store::home::{Footing, Shared};

/// A clock that differs by more than this would play letters at the wrong time.
const SKEW_SECONDS_MAX: i64 = 120;
/// The last record of a log lies within this many bytes of its end.
const LAST_RECORD: u64 = 128 * 1024;
/// What it means that no commit waits for a standby, and what to do about it.
pub const ASYNCHRONOUS: &str = "a standby copies the database, and nothing waits for it: if it takes over, what was \
                                not copied yet is lost, and a game that had gone on rests until its players have \
                                shown it";
pub const SYNCHRONOUS: &str = "set `synchronous_standby_names` on the database, with two standbys so that one may fail";
/// The file that is written at the counter as a test, and the name of the lock that is tried.
const TRIED: &str = "doctor/try";
const TRYING: &str = "doctor.lock";

/// One thing that was examined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was examined.
    pub of: &'static str,
    pub state: State,
    /// What there is to say.
    pub words: String,
    /// What to do about it.
    pub advice: Option<String>,
}

/// How well one thing works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Well,
    /// It works, but not as it should.
    Doubtful,
    Wrong,
    /// It could not be tried.
    Skipped,
}

impl Finding {
    pub(super) fn well(of: &'static str, words: impl Into<String>) -> Finding {
        Finding { of, state: State::Well, words: words.into(), advice: None }
    }

    pub(super) fn doubtful(of: &'static str, words: impl Into<String>, advice: impl Into<String>) -> Finding {
        Finding { of, state: State::Doubtful, words: words.into(), advice: Some(advice.into()) }
    }

    pub(super) fn wrong(of: &'static str, words: impl Into<String>, advice: Option<impl Into<String>>) -> Finding {
        Finding { of, state: State::Wrong, words: words.into(), advice: advice.map(Into::into) }
    }

    pub(super) fn skipped(of: &'static str, words: impl Into<String>, advice: impl Into<String>) -> Finding {
        Finding { of, state: State::Skipped, words: words.into(), advice: Some(advice.into()) }
    }
}

/// Examines everything, one thing after the other, and reports each finding as soon as it has it.
pub fn examine(
    config: &Config,
    store: &Store,
    carrier: Option<&mut dyn Carrier>,
    now: &dyn Fn() -> Stamp,
    tell: &mut dyn FnMut(Finding),
) {
    files(store, now(), tell);
    strangers(config, store, now(), tell);
    let dns = names::names(config, tell);
    relays::relays(&config.beacon, &Chain::quicknet(), now(), Patience::default(), tell);
    let can_send = sending(config, tell);
    let mut imap = receiving(config, tell);
    if config.lmtp.is_some() && config.mailroom == Mailroom::Shared {
        let words =
            "private letters that come by LMTP are refused: Ringmail keeps what is its own, and has no other mailbox";
        let advice = "read a shared mailbox by IMAP or as a Maildir, or give Ringmail a mailbox of its own";
        tell(Finding::doubtful("receiving", words, advice));
    }
    let maildir = config.maildir.as_ref().filter(|maildir| maildir.is_dir());
    match (carrier.filter(|_| can_send), &mut imap, maildir) {
        (Some(carrier), Some(imap), _) => {
            round_trip(config, carrier, dns.as_ref(), now, tell, &mut |nonces| look_on_server(imap, nonces));
        }
        (Some(carrier), None, Some(maildir)) => {
            round_trip(config, carrier, dns.as_ref(), now, tell, &mut |nonces| look_in_maildir(maildir, nonces));
        }
        _ if can_send && config.lmtp.is_some() && config.imap.is_none() && config.maildir.is_none() => {
            let advice = format!("while it runs, write `help` to {} and wait for the answer", config.mailbox);
            tell(Finding::skipped("round trip", "letters by LMTP reach `ringmail serve` only", advice));
        }
        _ => tell(Finding::skipped(
            "round trip",
            "a letter cannot be sent and fetched again",
            "mend sending and the mailbox first",
        )),
    }
}

/// The store of the games: it can be written, synced and locked, and nobody else reads its secrets.
fn files(store: &Store, at: Stamp, tell: &mut dyn FnMut(Finding)) {
    let place = store.place();
    if store.folder().is_some_and(|folder| !folder.is_dir()) {
        let words = format!("there is no folder {}", place.display());
        let advice = "make it, or make a first game: `ringmail new --help`".to_owned();
        tell(Finding { of: "games", state: State::Wrong, words, advice: Some(advice) });
        return;
    }
    let counter = store.drawer(COUNTER);
    let tried = counter.make().and_then(|()| {
        counter.replace(TRIED, b"first")?;
        counter.replace(TRIED, at.as_str().as_bytes())?;
        counter.read(TRIED)
    });
    match tried {
        Ok(read) if read == at.as_str().as_bytes() => {
            tell(Finding::well("files", format!("{} can be written to", place.display())));
        }
        Ok(_) => {
            let words = format!("{} does not keep what is written", place.display());
            tell(Finding::wrong("files", words, None::<String>));
        }
        Err(error) => tell(Finding::wrong("files", error.to_string(), hint::of_file(&error))),
    }
    let held = counter.lock(TRYING, Duration::ZERO);
    match (&held, counter.lock(TRYING, Duration::ZERO)) {
        (Ok(_), Err(error)) if error.kind() == io::ErrorKind::WouldBlock => {
            tell(Finding::well("locks", "two processes cannot work on one game at once"))
        }
        (Ok(_), _) => tell(Finding {
            of: "locks",
            state: State::Wrong,
            words: format!("locks have no effect in {}", place.display()),
            advice: Some("keep the games on a local disk, not on a network drive".to_owned()),
        }),
        (Err(error), _) => tell(Finding::wrong("locks", error.to_string(), hint::of_file(error))),
    }
    drop(held);
    if let Some(shared) = store.shared() {
        footing(shared, tell);
    }
    if let Some(games) = store.folder() {
        secrecy(games, tell);
    }
    if let Some((game, written)) = yet_to_come(store, at) {
        let words = format!("{game}: its last entry is of {written}, and the clock here shows {at}");
        let advice = "set the clock right; an NTP service keeps it so. If it was wrong when that entry was \
                      written, the table can move the deadline by a vote (`propose deadline`)";
        tell(Finding::wrong("clock", words, Some(advice)));
    }
}

/// Whether what was written survives if a standby takes over for the database, and whether a pooler is in between.
fn footing(shared: &dyn Shared, tell: &mut dyn FnMut(Finding)) {
    match shared.footing() {
        Err(error) => tell(Finding::wrong("database", error.to_string(), None::<String>)),
        Ok(None) => {}
        Ok(Some(Footing { standbys, is_synchronous, is_pooled })) => {
            if is_pooled {
                let words = "a pooler stands between us and the database; letters are looked for once a second";
                tell(Finding::well("pooler", words));
            }
            tell(match (standbys, is_synchronous) {
                (_, true) => {
                    Finding::well("standby", "what is written is on a standby, too, before a letter tells of it")
                }
                (0, false) => Finding::well("standby", "no standby copies the database"),
                (_, false) => Finding::doubtful("standby", ASYNCHRONOUS, SYNCHRONOUS),
            });
        }
    }
}

/// How much strangers have written, and how much of that is kept at the most.
fn strangers(config: &Config, store: &Store, at: Stamp, tell: &mut dyn FnMut(Finding)) {
    let quota = config.strangers;
    let today = at.as_str().get(..10).unwrap_or_default();
    match counter::used(&store.drawer(COUNTER), today) {
        Err(error) => tell(Finding::wrong("strangers", error.to_string(), hint::of_file(&error))),
        Ok(used) => {
            let words = format!(
                "{} letters that belong to no game are kept, {} MB; at most {} and {} MB",
                used.letters,
                used.bytes / 1_000_000,
                quota.letters,
                quota.megabytes
            );
            tell(if !used.is_nearly_full(quota) {
                Finding::well("strangers", words)
            } else {
                Finding::doubtful(
                    "strangers",
                    words,
                    "beyond that strangers are neither answered nor kept: raise `strangers` in the configuration",
                )
            });
        }
    }
}

/// A game whose last entry is later than the clock here: one of the two clocks is wrong.
fn yet_to_come(store: &Store, now: Stamp) -> Option<(String, Stamp)> {
    let mut written = store.drawers_with(LOG).unwrap_or_default().into_iter().filter_map(|game| {
        let drawer = store.drawer(&game);
        let length = drawer.look(LOG).ok()?.length;
        let mut end = Vec::new();
        drawer.stream(LOG, length.saturating_sub(LAST_RECORD)).ok()?.read_to_end(&mut end).ok()?;
        let end = String::from_utf8_lossy(&end).into_owned();
        let at = end.lines().rev().find_map(|line| line.strip_prefix("at: "))?;
        Some((game, Stamp::parse(at.trim_matches('"'))?))
    });
    written.find(|(_, written)| *written > now.later(Span::of(SKEW_SECONDS_MAX)))
}

#[cfg(unix)]
fn secrecy(games: &Path, tell: &mut dyn FnMut(Finding)) {
    use std::os::unix::fs::PermissionsExt;
    let folders = fs::read_dir(games).into_iter().flatten().filter_map(Result::ok);
    let secrets = folders.map(|folder| folder.path().join(SECRETS));
    let is_open =
        |file: &std::path::PathBuf| fs::metadata(file).is_ok_and(|about| about.permissions().mode() & 0o077 != 0);
    match secrets.into_iter().find(is_open) {
        None => tell(Finding::well("secrets", "nobody else on this machine can read them")),
        Some(file) => tell(Finding {
            of: "secrets",
            state: State::Wrong,
            words: format!("{} can be read by others on this machine", file.display()),
            advice: Some(format!("chmod 600 {}", file.display())),
        }),
    }
}

#[cfg(not(unix))]
fn secrecy(_games: &Path, tell: &mut dyn FnMut(Finding)) {
    let advice = "make sure yourself that nobody else can";
    tell(Finding::skipped("secrets", "this system does not tell who can read them", advice));
}

/// How letters go out. Returns whether one can be sent.
fn sending(config: &Config, tell: &mut dyn FnMut(Finding)) -> bool {
    if let Some(alerts) = &config.alerts {
        way("alerts", &alerts.send, &alerts.from, tell);
    }
    let Some(send) = &config.send else {
        tell(Finding::skipped(
            "sending",
            "the configuration does not say how letters go out",
            "fill in one of the three ways under `send`",
        ));
        return false;
    };
    way("sending", send, &config.mailbox, tell)
}

/// Tries a way out. Returns whether a letter can be sent by it.
fn way(of: &'static str, send: &SendBy, from: &Mailbox, tell: &mut dyn FnMut(Finding)) -> bool {
    match send {
        SendBy::Smtp(account, _) => {
            let host = &account.server.host;
            match Smtp::new(account.clone(), &from.host).try_out() {
                Ok(()) => {
                    tell(Finding::well(of, format!("logged in to {host}")));
                    true
                }
                Err(error) => {
                    let words = error.to_string();
                    let advice = hint::of(host, &words);
                    tell(Finding::wrong(of, words, advice));
                    false
                }
            }
        }
        SendBy::Sendmail { program, .. } => {
            let is_there = !program.has_root() || program.is_file();
            if is_there {
                tell(Finding::well(of, format!("letters are given to {}", program.display())))
            } else {
                tell(Finding {
                    of,
                    state: State::Wrong,
                    words: format!("there is no program {}", program.display()),
                    advice: Some("install one (msmtp, Postfix), or name another under `program`".to_owned()),
                })
            }
            is_there
        }
        SendBy::Files(folder) => {
            tell(Finding::well(of, format!("letters become files in {}", folder.display())));
            false
        }
    }
}

/// Where letters come from. Returns the connection to the mailbox, with its folder open.
fn receiving(config: &Config, tell: &mut dyn FnMut(Finding)) -> Option<Imap> {
    if config.imap.is_none() && config.maildir.is_none() && config.lmtp.is_none() {
        tell(Finding::skipped(
            "receiving",
            "the configuration does not say where letters come from",
            "fill in at least one of the three ways under `receive`",
        ));
    }
    if let Some(maildir) = &config.maildir {
        match Maildir::open(maildir).and_then(|maildir| maildir.waiting()) {
            Ok(waiting) => {
                let words = format!("{}: {} letters wait", maildir.display(), waiting.len());
                tell(Finding::well("Maildir", words));
            }
            Err(error) => tell(Finding::wrong("Maildir", error.to_string(), hint::of_file(&error))),
        }
    }
    if let Some(place) = &config.lmtp {
        match std::net::TcpListener::bind(place) {
            Ok(_) => tell(Finding::well("LMTP", format!("{place} is free to listen on"))),
            Err(error) => tell(Finding::doubtful(
                "LMTP",
                format!("{place}: {error}"),
                "this is fine if `ringmail serve` is running; otherwise choose another port",
            )),
        }
    }
    let folder = config.imap.as_ref()?;
    let host = &folder.account.server.host;
    let opened = Imap::connect(&folder.account, Limits::ORDINARY.letter_bytes).and_then(|mut imap| {
        let selected = imap.select(&folder.folder)?;
        Ok((imap, selected))
    });
    let (mut imap, selected) = match opened {
        Ok(opened) => opened,
        Err(error) => {
            tell(Finding::wrong("mailbox", error.to_string(), hint::of_imap(host, &error)));
            return None;
        }
    };
    let words = format!("logged in to {host}; {} letters in {}", selected.exists, folder.folder);
    tell(Finding::well("mailbox", words));
    if imap.can("IDLE") {
        tell(Finding::well("news", "the server announces new letters (IDLE)"))
    } else {
        tell(Finding::doubtful("news", "the server has no IDLE", "it is asked once a minute instead, which works"))
    }
    if let Filing::Folders { processed, rejected } = &folder.filing {
        filing(&mut imap, host, [processed, rejected], tell);
    }
    Some(imap)
}

/// The folders for letters that are dealt with; if they are missing, the doctor makes them.
fn filing(imap: &mut Imap, host: &str, folders: [&str; 2], tell: &mut dyn FnMut(Finding)) {
    if let Some(error) = folders.iter().find_map(|folder| imap.make(folder).err()) {
        tell(Finding::wrong("filing", error.to_string(), hint::of_imap(host, &error)));
    } else if imap.can("MOVE") {
        tell(Finding::well("filing", format!("letters go to {} and {}", folders[0], folders[1])));
    } else {
        let advice = "letters are copied into their folders, and stay in the mailbox with a flag";
        tell(Finding::doubtful("filing", "the server cannot move letters", advice));
    }
}
