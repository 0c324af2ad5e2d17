/*! Whether a post office would work (requirement S7): its files, its servers, and a letter to itself. Each thing is
tried as `serve` would do it, and what is wrong is told with what to do about it.
*/

pub mod names;

use crate::disk::place::replace_privately;
use crate::mail::draft::{Draft, Purpose};
use crate::mail::letter::Letter;
use crate::mail::letter::limits::Limits;
use crate::mail::letter::mailbox::Mailbox;
use crate::mail::wire::carrier::{Carrier, Cover, NotCarried};
use crate::mail::wire::dns::Dns;
use crate::mail::wire::hint;
use crate::mail::wire::imap::Imap;
use crate::mail::wire::imap_intake::Filing;
use crate::mail::wire::maildir::Maildir;
use crate::mail::wire::providers::{self, Plus};
use crate::mail::wire::smtp::Smtp;
use crate::post::office::COUNTER;
use crate::post::office::config::{Config, SendBy};
use crate::record::file::log::{self, LOG, LogError};
use crate::record::file::secrets::SECRETS;
use crate::record::value::hash::Hash;
use crate::record::value::span::Span;
use crate::record::value::stamp::Stamp;
use crate::report::office as page;
use jiff::Timestamp;
use jiff::fmt::strtime;
use std::fs;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::time::Duration;

/// How often is looked whether the letter has come back, and how long each time.
const LOOKS: u32 = 30;
const LOOK: Duration = Duration::from_secs(2);
/// A clock that differs by more than this would play letters at the wrong time.
const SKEW_SECONDS_MAX: i64 = 120;
/// The last record of a log begins in its last bytes, so many of them.
const LAST_RECORD: u64 = 128 * 1024;

/// What was found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was looked at.
    pub of: &'static str,
    pub state: State,
    /// What there is to say.
    pub words: String,
    /// What to do about it.
    pub advice: Option<String>,
}

/// How something stands.
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
    pub(crate) fn well(of: &'static str, words: impl Into<String>) -> Finding {
        Finding { of, state: State::Well, words: words.into(), advice: None }
    }

    pub(crate) fn doubtful(of: &'static str, words: impl Into<String>, advice: impl Into<String>) -> Finding {
        Finding { of, state: State::Doubtful, words: words.into(), advice: Some(advice.into()) }
    }

    fn wrong(of: &'static str, host: &str, words: impl Into<String>) -> Finding {
        let words = words.into();
        let advice = hint::of(host, &words);
        Finding { of, state: State::Wrong, words, advice }
    }

    pub(crate) fn skipped(of: &'static str, words: impl Into<String>, advice: impl Into<String>) -> Finding {
        Finding { of, state: State::Skipped, words: words.into(), advice: Some(advice.into()) }
    }
}

/// Looks at everything, one thing after the other, and tells each.
pub fn examine(
    config: &Config,
    carrier: Option<&mut dyn Carrier>,
    now: &dyn Fn() -> Stamp,
    tell: &mut dyn FnMut(Finding),
) {
    files(&config.games, now(), tell);
    let dns = names::names(config, tell);
    let can_send = sending(config, tell);
    let mut imap = receiving(config, tell);
    let maildir = config.maildir.as_ref().filter(|maildir| maildir.is_dir());
    match (carrier.filter(|_| can_send), &mut imap, maildir) {
        (Some(carrier), Some(imap), _) => {
            round_trip(config, carrier, dns.as_ref(), now, tell, &mut |nonces| look_on_server(imap, nonces));
        }
        (Some(carrier), None, Some(maildir)) => {
            round_trip(config, carrier, dns.as_ref(), now, tell, &mut |nonces| look_in_maildir(maildir, nonces));
        }
        _ if can_send && config.lmtp.is_some() && config.imap.is_none() && config.maildir.is_none() => {
            let advice = format!("while it runs, write `help` to {}, and see whether an answer comes", config.mailbox);
            tell(Finding::skipped("round trip", "what comes by LMTP is seen by `ringmail serve` alone", advice));
        }
        _ => tell(Finding::skipped(
            "round trip",
            "a letter cannot be sent and fetched again",
            "set sending and the mailbox right first",
        )),
    }
}

/// The folder of the games: it can be written, synced, renamed in and locked, and nobody else reads its secrets.
fn files(games: &Path, at: Stamp, tell: &mut dyn FnMut(Finding)) {
    if !games.is_dir() {
        let words = format!("there is no folder {}", games.display());
        let advice = "make it, or make a first game: `ringmail new --help`".to_owned();
        tell(Finding { of: "games", state: State::Wrong, words, advice: Some(advice) });
        return;
    }
    let folder = games.join(COUNTER).join("doctor");
    let tried = fs::create_dir_all(&folder).and_then(|()| {
        replace_privately(&folder, "try", b"first")?;
        replace_privately(&folder, "try", at.as_str().as_bytes())?;
        fs::read(folder.join("try"))
    });
    match tried {
        Ok(read) if read == at.as_str().as_bytes() => {
            tell(Finding::well("files", format!("{} is written, synced and renamed in", games.display())));
        }
        Ok(_) => tell(Finding::wrong("files", "", format!("{} does not keep what is written", games.display()))),
        Err(error) => tell(Finding::wrong("files", "", format!("{}: {error}", folder.display()))),
    }
    let held = log::lock(&folder);
    match (&held, log::lock(&folder)) {
        (Ok(_), Err(LogError::Busy { .. })) => {
            tell(Finding::well("locks", "two processes keep out of each other's way"))
        }
        (Ok(_), _) => tell(Finding {
            of: "locks",
            state: State::Wrong,
            words: format!("locks do not hold in {}", games.display()),
            advice: Some("keep the games on a disk of this machine, not on a network drive".to_owned()),
        }),
        (Err(error), _) => tell(Finding::wrong("locks", "", error.to_string())),
    }
    drop(held);
    secrecy(games, tell);
    if let Some((game, written)) = yet_to_come(games, at) {
        let words = format!("{game}: its last entry is of {written}, and the clock here shows {at}");
        tell(Finding::wrong("clock", "", words));
    }
}

/// A game whose log was written by a clock that was wrong, or this one is.
fn yet_to_come(games: &Path, now: Stamp) -> Option<(String, Stamp)> {
    let folders = fs::read_dir(games).into_iter().flatten().filter_map(Result::ok);
    let mut written = folders.filter_map(|folder| {
        let mut log = fs::File::open(folder.path().join(LOG)).ok()?;
        let length = log.metadata().ok()?.len();
        log.seek(SeekFrom::Start(length.saturating_sub(LAST_RECORD))).ok()?;
        let mut end = Vec::new();
        log.read_to_end(&mut end).ok()?;
        let end = String::from_utf8_lossy(&end).into_owned();
        let at = end.lines().rev().find_map(|line| line.strip_prefix("at: "))?;
        Some((folder.file_name().to_string_lossy().into_owned(), Stamp::parse(at.trim_matches('"'))?))
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
        None => tell(Finding::well("secrets", "only their owner can read them")),
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
    let advice = "see to it yourself that nobody else can";
    tell(Finding::skipped("secrets", "who can read them is not known on this system", advice));
}

/// The way out; whether a letter can be sent.
fn sending(config: &Config, tell: &mut dyn FnMut(Finding)) -> bool {
    match &config.send {
        None => {
            tell(Finding::skipped(
                "sending",
                "the configuration does not say how letters go out",
                "fill in one of the three ways under `send`",
            ));
            false
        }
        Some(SendBy::Smtp(account, _)) => {
            let host = &account.server.host;
            match Smtp::new(account.clone(), &config.mailbox.host).try_out() {
                Ok(()) => {
                    tell(Finding::well("sending", format!("{host} lets us in")));
                    true
                }
                Err(error) => {
                    tell(Finding::wrong("sending", host, error.to_string()));
                    false
                }
            }
        }
        Some(SendBy::Sendmail { program, .. }) => {
            let is_there = !program.has_root() || program.is_file();
            match is_there {
                true => tell(Finding::well("sending", format!("letters are given to {}", program.display()))),
                false => tell(Finding {
                    of: "sending",
                    state: State::Wrong,
                    words: format!("there is no program {}", program.display()),
                    advice: Some(
                        "install one (msmtp, Postfix), or name another under send.sendmail.program".to_owned(),
                    ),
                }),
            }
            is_there
        }
        Some(SendBy::Files(folder)) => {
            tell(Finding::well("sending", format!("letters become files in {}", folder.display())));
            false
        }
    }
}

/// The sources of letters; the connection to the mailbox, with its folder open.
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
            Err(error) => tell(Finding::wrong("Maildir", "", error.to_string())),
        }
    }
    if let Some(place) = &config.lmtp {
        match std::net::TcpListener::bind(place) {
            Ok(_) => tell(Finding::well("LMTP", format!("{place} is free to listen on"))),
            Err(error) => tell(Finding::doubtful(
                "LMTP",
                format!("{place}: {error}"),
                "that is well if `ringmail serve` is running; otherwise choose another port",
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
            tell(Finding::wrong("mailbox", host, error.to_string()));
            return None;
        }
    };
    let words = format!("{host} lets us in; {} letters in {}", selected.exists, folder.folder);
    tell(Finding::well("mailbox", words));
    match imap.can("IDLE") {
        true => tell(Finding::well("news", "the server tells when a letter comes (IDLE)")),
        false => tell(Finding::doubtful("news", "the server has no IDLE", "it is asked once a minute; that works")),
    }
    if let Filing::Folders { processed, rejected } = &folder.filing {
        filing(&mut imap, host, [processed, rejected], tell);
    }
    Some(imap)
}

/// The folders for letters that are dealt with; they are made here as well, if they are missing.
fn filing(imap: &mut Imap, host: &str, folders: [&str; 2], tell: &mut dyn FnMut(Finding)) {
    if let Some(error) = folders.iter().find_map(|folder| imap.make(folder).err()) {
        tell(Finding::wrong("filing", host, error.to_string()));
    } else if imap.can("MOVE") {
        tell(Finding::well("filing", format!("letters go to {} and {}", folders[0], folders[1])));
    } else {
        let advice = "letters are copied into their folders, and stay in the mailbox with a flag";
        tell(Finding::doubtful("filing", "the server cannot move letters", advice));
    }
}

/// A letter that has come back.
struct Back {
    raw: Vec<u8>,
    letter: Letter,
    /// When the server took it in.
    at: Option<Timestamp>,
}

/// Where letters are looked for: those whose bytes hold one of these words.
type Looking<'a> = dyn FnMut(&[String; 2]) -> Result<Vec<Back>, String> + 'a;

/// Two letters to ourselves: one to the mailbox as it is, one to an address with a `+`.
fn round_trip(
    config: &Config,
    carrier: &mut dyn Carrier,
    dns: Option<&Dns>,
    now: &dyn Fn() -> Stamp,
    tell: &mut dyn FnMut(Finding),
    look: &mut Looking<'_>,
) {
    let ours = &config.mailbox;
    let Ok(random) = Hash::random() else {
        tell(Finding::skipped("round trip", "the system gives no random bytes", "it needs them for the dice, too"));
        return;
    };
    let word = &random.to_string()[..16];
    let nonces = [format!("doctor.{word}.plain"), format!("doctor.{word}.plus")];
    let plus = Mailbox { local: format!("{}+doctor.{word}", ours.local), host: ours.host.clone() };
    let host = match &config.send {
        Some(SendBy::Smtp(account, _)) => account.server.host.as_str(),
        _ => "",
    };
    for (nonce, to) in nonces.iter().zip([ours, &plus]) {
        let letter = letter(ours, to, nonce, now());
        // The sender has a + too, as that of every report.
        let cover = Cover { from: Some(plus.clone()), to: to.clone() };
        if let Err(error) = carrier.carry(&format!("{nonce}.eml"), &cover, &letter) {
            let words = format!("the letter to {to} was not taken: {error}");
            let mut finding = Finding::wrong("round trip", host, words);
            // Its sender is the same as that of the letter before, which was taken.
            if matches!(error, NotCarried::Never { .. }) && *to == plus {
                finding = Finding { of: "plus", advice: Some(plus_advice(ours).to_owned()), ..finding };
            }
            return tell(finding);
        }
    }
    carrier.rest();
    let back = match look(&nonces) {
        Ok(back) => back,
        Err(error) => return tell(Finding::wrong("round trip", "", error)),
    };
    judge(ours, &nonces, &back, now(), tell);
    if let (Some(dns), Some(back)) = (dns, back.first()) {
        names::signature(&back.raw, ours, dns, now(), tell);
    }
}

/// What to do where addresses with a `+` do not reach the mailbox.
fn plus_advice(ours: &Mailbox) -> &'static str {
    match providers::of(ours).map(|provider| provider.plus) {
        Some(Plus::Switched(how)) => how,
        Some(Plus::Not) => "this provider has no addresses with a +: take a mailbox elsewhere",
        Some(Plus::Delivered) => "look whether a filter keeps it",
        None => "on a server of your own: recipient_delimiter = + (Postfix, Dovecot)",
    }
}

fn letter(ours: &Mailbox, to: &Mailbox, nonce: &str, at: Stamp) -> Vec<u8> {
    let page = page::doctor(nonce);
    let draft = Draft {
        purpose: Purpose::Report,
        message_id: format!("<{nonce}@{}>", ours.host),
        date: at,
        ours: ours.clone(),
        to: to.clone(),
        subject: page.subject,
        in_reply_to: None,
        references: Vec::new(),
        heading: None,
        text: page.text,
        log: None,
    };
    draft.to_bytes()
}

fn judge(ours: &Mailbox, nonces: &[String; 2], back: &[Back], now: Stamp, tell: &mut dyn FnMut(Finding)) {
    let found = |nonce: &String| back.iter().find(|back| back.letter.envelope.subject.contains(nonce.as_str()));
    let (plain, plus) = (found(&nonces[0]), found(&nonces[1]));
    match (plain, plus) {
        (None, None) => {
            let words = format!("a letter to {ours} did not come back within {} seconds", LOOKS * 2);
            let advice = "does this mailbox belong to that address? Is the letter in a folder for spam, or is it late?";
            tell(Finding { of: "round trip", state: State::Wrong, words, advice: Some(advice.to_owned()) });
        }
        _ => tell(Finding::well("round trip", format!("a letter to {ours} came back"))),
    }
    match (plain, plus) {
        (_, Some(_)) => tell(Finding::well("plus", format!("letters to {}+…@{} reach us", ours.local, ours.host))),
        (Some(_), None) => {
            let words =
                format!("letters to {}+…@{} do not reach us, and players' answers go there", ours.local, ours.host);
            tell(Finding { of: "plus", state: State::Wrong, words, advice: Some(plus_advice(ours).to_owned()) });
        }
        (None, None) => {}
    }
    for (nonce, back) in nonces.iter().zip([plain, plus]).filter_map(|(nonce, back)| Some((nonce, back?))).take(1) {
        let kept = back.letter.envelope.message_id.as_deref() == Some(&format!("{nonce}@{}", ours.host));
        match kept {
            true => tell(Finding::well("Message-ID", "it arrives as we write it")),
            false => tell(Finding::doubtful(
                "Message-ID",
                "the server gives letters another one",
                "answers are then known by their subject and by what they quote; players must leave the first line of \
                 the quoted letter in place",
            )),
        }
        clock(back.at, now, tell);
    }
}

fn clock(at: Option<Timestamp>, now: Stamp, tell: &mut dyn FnMut(Finding)) {
    let Some(skew) = at.map(|at| now.timestamp().as_second() - at.as_second()) else {
        let advice = "compare the clock of this machine yourself: deadlines go by it";
        return tell(Finding::skipped("clock", "the server does not say what time it is", advice));
    };
    // The letter may have been on its way for as long as we looked.
    let on_its_way = i64::from(LOOKS) * 2;
    match (-SKEW_SECONDS_MAX..=SKEW_SECONDS_MAX + on_its_way).contains(&skew) {
        true => tell(Finding::well("clock", "it agrees with that of the server")),
        false => {
            let way = if skew > 0 { "ahead of" } else { "behind" };
            let words = format!("the clock here is {} {way} that of the server", Span::of(skew.abs()).words());
            let advice = "set it right (an NTP service keeps it so): deadlines go by it".to_owned();
            tell(Finding { of: "clock", state: State::Wrong, words, advice: Some(advice) });
        }
    }
}

/// What became of looking: letters by their subjects, each once.
fn note(raw: &[u8], at: Option<Timestamp>, nonces: &[String; 2], back: &mut Vec<Back>) {
    let letter = Letter::open(raw, &Limits::ORDINARY);
    let subject = &letter.envelope.subject;
    let is_known = back.iter().any(|back| back.letter.envelope.subject == *subject);
    if !is_known && nonces.iter().any(|nonce| subject.contains(nonce.as_str())) {
        back.push(Back { raw: raw.to_vec(), letter, at });
    }
}

fn look_on_server(imap: &mut Imap, nonces: &[String; 2]) -> Result<Vec<Back>, String> {
    let (mut back, mut waited) = (Vec::new(), 0);
    let both = nonces[0].rsplit_once('.').map_or(nonces[0].as_str(), |(both, _)| both);
    // Other letters may come meanwhile; not without end.
    for _ in 0..LOOKS * 10 {
        for uid in imap.letters_about(both).map_err(|error| error.to_string())? {
            let fetched = imap.fetch(uid).map_err(|error| error.to_string())?;
            if let Some((fetched, raw)) = fetched.and_then(|fetched| fetched.letter.clone().map(|raw| (fetched, raw))) {
                let at = fetched.internal_date.as_deref().and_then(internal_date);
                note(&raw, at, nonces, &mut back);
                // Nobody need read it.
                drop(imap.flag(uid, &["\\Seen"], "$RingmailSeen"));
            }
        }
        if back.len() == nonces.len() || waited == LOOKS {
            break;
        }
        match imap.wait(LOOK) {
            Ok(true) => {}
            Ok(false) => waited += 1,
            Err(_) => {
                std::thread::sleep(LOOK);
                imap.poll().map_err(|error| error.to_string())?;
                waited += 1;
            }
        }
    }
    Ok(back)
}

/// RFC 3501 §9, `date-time`: `17-Jul-1996 02:44:25 -0700`, the day perhaps with a blank before it.
fn internal_date(written: &str) -> Option<Timestamp> {
    strtime::parse("%d-%b-%Y %H:%M:%S %z", written.trim()).ok()?.to_timestamp().ok()
}

fn look_in_maildir(maildir: &Path, nonces: &[String; 2]) -> Result<Vec<Back>, String> {
    let mut back = Vec::new();
    for look in 0..LOOKS {
        for part in ["new", "cur"] {
            let files = fs::read_dir(maildir.join(part)).map_err(|error| error.to_string())?;
            for file in files.filter_map(Result::ok) {
                // Somebody may have filed it in between.
                let Ok(raw) = fs::read(file.path()) else { continue };
                let is_ours =
                    nonces.iter().any(|nonce| raw.windows(nonce.len()).any(|window| window == nonce.as_bytes()));
                if is_ours {
                    let at = file.metadata().ok().and_then(|about| about.modified().ok());
                    note(&raw, at.and_then(|at| Timestamp::try_from(at).ok()), nonces, &mut back);
                }
            }
        }
        if back.len() == nonces.len() {
            break;
        }
        if look + 1 < LOOKS {
            std::thread::sleep(LOOK);
        }
    }
    Ok(back)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::post::office::Mailroom;
    use crate::post::office::config::Names;

    #[test]
    fn s7_the_date_of_a_server_is_read() {
        let read = |written: &str| internal_date(written).map(|at| at.to_string());
        assert_eq!(read("17-Jul-1996 02:44:25 -0700").as_deref(), Some("1996-07-17T09:44:25Z"));
        assert_eq!(read(" 7-Jul-1996 02:44:25 +0000").as_deref(), Some("1996-07-07T02:44:25Z"));
        assert_eq!(read("yesterday"), None);
    }

    fn judged(back: &[Back], now: &str) -> Vec<(&'static str, State)> {
        let mut found = Vec::new();
        let nonces = ["a.plain".to_owned(), "a.plus".to_owned()];
        let ours = Mailbox::read("box@gmx.de").unwrap();
        judge(&ours, &nonces, back, Stamp::parse(now).unwrap(), &mut |finding| found.push((finding.of, finding.state)));
        found
    }

    fn back(nonce: &str, id: &str) -> Back {
        let raw = format!("Subject: x {nonce}\r\nMessage-ID: <{id}@gmx.de>\r\n\r\nx\r\n");
        let at = Some("2026-11-20T12:00:00Z".parse().unwrap());
        Back { letter: Letter::open(raw.as_bytes(), &Limits::ORDINARY), raw: raw.into_bytes(), at }
    }

    /// A server that knows no addresses with a `+`.
    struct NoPlus;

    impl Carrier for NoPlus {
        fn carry(&mut self, _: &str, cover: &Cover, _: &[u8]) -> Result<String, NotCarried> {
            let refused = NotCarried::Never { reply: "550 5.1.1 no such user".to_owned() };
            if cover.to.local.contains('+') { Err(refused) } else { Ok(String::new()) }
        }
    }

    #[test]
    fn s7_an_address_with_a_plus_may_be_refused_at_once() {
        let config = Config {
            mailbox: Mailbox::read("box@play.example").unwrap(),
            mailroom: Mailroom::Own,
            host: None,
            games: "games".into(),
            imap: None,
            maildir: None,
            lmtp: None,
            send: None,
            names: Names::Off,
            authserv_id: None,
        };
        let (mut found, now) = (Vec::new(), || Stamp::parse("2026-11-20T12:00:00Z").unwrap());
        let tell = &mut |finding: Finding| found.push(finding);
        round_trip(&config, &mut NoPlus, None, &now, tell, &mut |_| Ok(Vec::new()));
        assert_eq!((found[0].of, found[0].state), ("plus", State::Wrong));
        assert!(found[0].words.contains("550 5.1.1 no such user"), "{found:?}");
        assert!(found[0].advice.as_ref().unwrap().contains("recipient_delimiter"), "{found:?}");
    }

    #[test]
    fn s7_what_came_back_is_judged() {
        let noon = "2026-11-20T12:00:30Z";
        assert_eq!(judged(&[], noon), [("round trip", State::Wrong)]);
        let both = [back("a.plain", "a.plain"), back("a.plus", "a.plus")];
        let all = ["round trip", "plus", "Message-ID", "clock"];
        assert_eq!(judged(&both, noon), all.map(|of| (of, State::Well)));
        let found = judged(&both[..1], "2026-11-20T13:00:00Z");
        assert_eq!((found[1], found[3]), (("plus", State::Wrong), ("clock", State::Wrong)));
        let renamed = [back("a.plain", "010001"), back("a.plus", "010002")];
        assert_eq!(judged(&renamed, noon)[2], ("Message-ID", State::Doubtful));
    }
}
