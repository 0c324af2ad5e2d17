/*! Two letters of the post office to itself: whether they come back, and what happened to them on the way. */

use super::{Finding, SKEW_SECONDS_MAX, State, names};
use crate::office::config::{Config, SendBy};
use ground::hash::Hash;
use ground::span::Span;
use ground::stamp::Stamp;
use jiff::Timestamp;
use jiff::fmt::strtime;
use mail::draft::{Draft, Purpose};
use mail::letter::Letter;
use mail::letter::limits::Limits;
use mail::letter::mailbox::Mailbox;
use mail::wire::carrier::{Carrier, Cover, NotCarried};
use mail::wire::hint;
use mail::wire::imap::{Imap, ImapError};
use mail::wire::intake;
use mail::wire::providers::{self, Plus};
use net::dns::Dns;
use report::office as page;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::Duration;

/// How often we look for the letters, and the pause between two looks.
const LOOKS: u32 = 30;
const LOOK: Duration = Duration::from_secs(2);

/// A letter that has come back.
pub(super) struct Back {
    raw: Vec<u8>,
    letter: Letter,
    /// When the server took it in.
    at: Option<Timestamp>,
}

/// Finds the letters that contain one of these two nonces.
pub(super) type Looking<'a> = dyn FnMut(&[String; 2]) -> Result<Vec<Back>, NotLooked> + 'a;

/// Why letters cannot be looked for, and what to do about it.
pub(super) struct NotLooked {
    words: String,
    advice: Option<String>,
}

impl From<ImapError> for NotLooked {
    fn from(error: ImapError) -> NotLooked {
        NotLooked { words: error.to_string(), advice: hint::of_imap("", &error) }
    }
}

impl From<io::Error> for NotLooked {
    fn from(error: io::Error) -> NotLooked {
        NotLooked { words: error.to_string(), advice: hint::of_file(&error).map(str::to_owned) }
    }
}

/// Two letters to ourselves: one to the mailbox as it is, one to an address with a `+`.
pub(super) fn round_trip(
    config: &Config,
    carrier: &mut dyn Carrier,
    dns: Option<&Dns>,
    now: &dyn Fn() -> Stamp,
    tell: &mut dyn FnMut(Finding),
    look: &mut Looking<'_>,
) {
    let ours = &config.mailbox;
    let Ok(random) = Hash::random() else {
        tell(Finding::skipped("round trip", "the system gives no random bytes", "the dice need them as well"));
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
        // The sender has a + too, as in every report.
        let cover = Cover { from: Some(plus.clone()), to: to.clone() };
        if let Err(error) = carrier.carry(&format!("{nonce}.eml"), &cover, &letter) {
            let words = format!("the letter to {to} was not taken: {error}");
            let advice = hint::of(host, &words);
            let mut finding = Finding::wrong("round trip", words, advice);
            // The server took this sender with the letter before, so it is the recipient that it refuses.
            if matches!(error, NotCarried::Never { .. }) && *to == plus {
                finding = Finding { of: "plus", advice: Some(plus_advice(ours).to_owned()), ..finding };
            }
            return tell(finding);
        }
    }
    carrier.rest();
    let back = match look(&nonces) {
        Ok(back) => back,
        Err(NotLooked { words, advice }) => return tell(Finding::wrong("round trip", words, advice)),
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
        Some(Plus::Delivered) => "check whether a filter keeps it back",
        None => "on your own server: recipient_delimiter = + (Postfix, Dovecot)",
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
        page: None,
        images: Vec::new(),
        files: Vec::new(),
    };
    draft.to_bytes()
}

fn judge(ours: &Mailbox, nonces: &[String; 2], back: &[Back], now: Stamp, tell: &mut dyn FnMut(Finding)) {
    let found = |nonce: &String| back.iter().find(|back| back.letter.envelope.subject.contains(nonce.as_str()));
    let (plain, plus) = (found(&nonces[0]), found(&nonces[1]));
    match (plain, plus) {
        (None, None) => {
            let words = format!("a letter to {ours} did not come back within {} seconds", LOOKS * 2);
            let advice = "check that this mailbox belongs to that address, and look for the letter in the spam \
                          folder; it may also be late";
            tell(Finding { of: "round trip", state: State::Wrong, words, advice: Some(advice.to_owned()) });
        }
        _ => tell(Finding::well("round trip", format!("a letter to {ours} came back"))),
    }
    match (plain, plus) {
        (_, Some(_)) => tell(Finding::well("plus", format!("letters to {}+…@{} arrive", ours.local, ours.host))),
        (Some(_), None) => {
            let words = format!(
                "letters to {}+…@{} do not arrive, and the players' answers are sent to such addresses",
                ours.local, ours.host
            );
            tell(Finding { of: "plus", state: State::Wrong, words, advice: Some(plus_advice(ours).to_owned()) });
        }
        (None, None) => {}
    }
    for (nonce, back) in nonces.iter().zip([plain, plus]).filter_map(|(nonce, back)| Some((nonce, back?))).take(1) {
        let kept = back.letter.envelope.message_id.as_deref() == Some(&format!("{nonce}@{}", ours.host));
        if kept {
            tell(Finding::well("Message-ID", "it arrives unchanged"))
        } else {
            tell(Finding::doubtful(
                "Message-ID",
                "the server replaces it",
                "answers are then recognised by their subject and by what they quote: players must leave the first \
             line of the quoted letter in place",
            ))
        }
        clock(back.at, now, tell);
    }
}

fn clock(at: Option<Timestamp>, now: Stamp, tell: &mut dyn FnMut(Finding)) {
    let now: Option<Timestamp> = now.as_str().parse().ok();
    let Some(skew) = at.zip(now).map(|(at, now)| now.as_second() - at.as_second()) else {
        let advice = "compare the clock of this machine yourself: deadlines depend on it";
        return tell(Finding::skipped("clock", "the server does not tell the time", advice));
    };
    // The letter may have been on its way for as long as we looked.
    let on_its_way = i64::from(LOOKS) * 2;
    if (-SKEW_SECONDS_MAX..=SKEW_SECONDS_MAX + on_its_way).contains(&skew) {
        tell(Finding::well("clock", "it agrees with the server's"))
    } else {
        let way = if skew > 0 { "ahead of" } else { "behind" };
        let words = format!("the clock here is {} {way} the server's", Span::of(skew.abs()).words());
        let advice = "set it (an NTP service keeps it right): deadlines depend on it".to_owned();
        tell(Finding { of: "clock", state: State::Wrong, words, advice: Some(advice) });
    }
}

/// Keeps a letter that was found, one per subject.
fn note(raw: &[u8], at: Option<Timestamp>, nonces: &[String; 2], back: &mut Vec<Back>) {
    let letter = Letter::open(raw, &Limits::ORDINARY);
    let subject = &letter.envelope.subject;
    let is_known = back.iter().any(|back| back.letter.envelope.subject == *subject);
    if !is_known && nonces.iter().any(|nonce| subject.contains(nonce.as_str())) {
        back.push(Back { raw: raw.to_vec(), letter, at });
    }
}

pub(super) fn look_on_server(imap: &mut Imap, nonces: &[String; 2]) -> Result<Vec<Back>, NotLooked> {
    let (mut back, mut waited) = (Vec::new(), 0);
    let both = nonces[0].rsplit_once('.').map_or(nonces[0].as_str(), |(both, _)| both);
    // Other letters may arrive and end a wait early; the number of looks is limited all the same.
    for _ in 0..LOOKS * 10 {
        for uid in imap.letters_about(both)? {
            if let Some((raw, taken_in)) = imap.fetch(uid)? {
                let at = taken_in.as_deref().and_then(internal_date);
                note(&raw, at, nonces, &mut back);
                // Marked as read: nobody needs to look at it.
                drop(imap.flag(&[uid], &["\\Seen"], "$RingmailSeen"));
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
                imap.poll()?;
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

pub(super) fn look_in_maildir(maildir: &Path, nonces: &[String; 2]) -> Result<Vec<Back>, NotLooked> {
    let mut back = Vec::new();
    for look in 0..LOOKS {
        for part in ["new", "cur"] {
            let files = fs::read_dir(maildir.join(part))?;
            for file in files.filter_map(Result::ok) {
                // A mail program may have moved it since the folder was listed.
                let Ok(raw) = File::open(file.path()).and_then(|file| intake::read(file, &Limits::ORDINARY)) else {
                    continue;
                };
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
    use crate::office::Mailroom;
    use crate::office::config::Names;
    use crate::office::counter::Quota;

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

    /// A server that does not accept addresses with a `+`.
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
            store: None,
            imap: None,
            maildir: None,
            lmtp: None,
            send: None,
            letters: report::html::Form::Text,
            names: Names::Off,
            authserv_id: None,
            beacon: Vec::new(),
            health: None,
            alerts: None,
            page: None,
            logs_json: false,
            strangers: Quota::default(),
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
