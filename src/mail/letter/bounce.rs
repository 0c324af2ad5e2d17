/*! Letters of ours that came back (requirement L4).

A delivery report (RFC 3464) says by itself whom it is about and for how long; where there is none, the address tells
to which the letter came back: every report goes out with a return path of its own seat (VERP, S2). What neither has is
judged by its words, and only if it quotes the name of a letter of ours.
*/

use super::mailbox::Mailbox;
use crate::mail::letter;
use crate::post::names::address::Place;
use crate::post::names::message_id::{self, MessageId};
use crate::record::value::hash::Hash;
use data_encoding::BASE32_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use mail_parser::{Message, MessagePart, MimeHeaders, PartType};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

/// The word behind the `+` of a return path.
const WORD: &str = "bounce";
/// RFC 5321 §4.5.3.1.1: the local part of an address.
const LOCAL_PART_MAX: usize = 64;
/// Of what a server said, so much is kept.
const SAID_MAX: usize = 300;

/// Whether a letter has no hope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// 5.x.x, or `Action: failed`.
    Never,
    /// 4.x.x, or `Action: delayed`: the servers go on trying.
    Later,
}

/// A letter that came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounce {
    pub verdict: Verdict,
    /// `5.1.1` and what the server said, in one line.
    pub said: String,
    /// The letter of ours it is about, if the bounce names it.
    pub letter: Option<MessageId>,
    /// The seat it was written to and the code of the return path, if it came back that way.
    pub returned: Option<(Place, String)>,
    /// The address that was not reached, if the bounce names it.
    pub recipient: Option<Mailbox>,
}

/// The return path of the letters to a seat. S2: what comes back says by its address whose letter it was. An address
/// that would be too long is the plain mailbox.
#[must_use]
pub fn return_path(ours: &Mailbox, place: &Place, key: &Hash) -> Mailbox {
    let ours = ours.base();
    let local = format!("{}+{WORD}.{}.{}.{}", ours.local, place.game, place.seat, code(place, key));
    if local.len() > LOCAL_PART_MAX {
        return ours;
    }
    Mailbox { local, host: ours.host }
}

/// Nobody but the host can make the return path of a seat: a forged bounce must not make a player's address dead.
#[must_use]
pub fn code(place: &Place, key: &Hash) -> String {
    let mut code = Hmac::<Sha256>::new_from_slice(&key.0).expect("an HMAC takes a key of any length");
    for part in [WORD, &place.game, &place.seat] {
        let length = u16::try_from(part.len()).expect("names of games and seats are at most 64 letters");
        code.update(&length.to_be_bytes());
        code.update(part.as_bytes());
    }
    BASE32_NOPAD.encode(&code.finalize().into_bytes())[..10].to_ascii_lowercase()
}

/// Whether an address is a return path of ours. A person never writes to one: it stands in no letter's header.
#[must_use]
pub fn is_return_path(to: &Mailbox, ours: &Mailbox) -> bool {
    to.is_at(ours) && to.detail().and_then(returned).is_some()
}

fn returned(detail: &str) -> Option<(Place, String)> {
    let detail = detail.to_lowercase();
    let mut parts = detail.split('.');
    let is_bounce = parts.next() == Some(WORD);
    let game = parts.next().filter(|game| message_id::is_game(game))?;
    let seat = parts.next().filter(|seat| message_id::is_seat(seat))?;
    let code = parts.next()?;
    let place = Place { game: game.to_owned(), seat: seat.to_owned() };
    (is_bounce && parts.next().is_none()).then(|| (place, code.to_owned()))
}

/// Reads a bounce off a letter that a robot wrote. `to` are the addresses it was delivered to.
#[must_use]
pub fn read(raw: &[u8], to: &[Mailbox], ours: &Mailbox) -> Option<Bounce> {
    let message = letter::parse(raw, letter::Depth::Whole)?;
    let returned = to.iter().filter(|to| to.is_at(ours)).filter_map(Mailbox::detail).find_map(returned);
    let named = named(&message, ours);
    if let Some(report) = report(&message) {
        let letter = named.or_else(|| quoted(&message, ours));
        return Some(Bounce {
            verdict: report.verdict?,
            said: report.said,
            letter,
            returned,
            recipient: report.recipient,
        });
    }
    // Without a report only the words are left; they count only with proof that they speak of a letter of ours.
    let letter = named.or_else(|| quoted(&message, ours));
    if letter.is_none() && returned.is_none() {
        return None;
    }
    let text = message.body_text(0)?;
    let (verdict, said) = by_words(&text)?;
    Some(Bounce { verdict, said, letter, returned, recipient: None })
}

/// What a `message/delivery-status` part says.
struct Report {
    /// `None` for what is neither a failure nor a delay: a receipt, a relay.
    verdict: Option<Verdict>,
    said: String,
    recipient: Option<Mailbox>,
}

/// RFC 3464 §2.1: groups of fields, the first about the letter, each of the others about a recipient. Ours have one.
fn report(message: &Message<'_>) -> Option<Report> {
    let part =
        message.parts.iter().find(|part| is_kind(part, "message", &["delivery-status", "global-delivery-status"]))?;
    let text = String::from_utf8_lossy(part.contents()).replace("\r\n", "\n");
    let groups: Vec<Vec<(String, String)>> = text.split("\n\n").map(fields).collect();
    let value = |group: &[(String, String)], name: &str| {
        group.iter().find(|(field, _)| field == name).map(|(_, value)| value.clone())
    };
    let about = groups.iter().find(|group| value(group, "final-recipient").is_some())?;
    let status = value(about, "status").unwrap_or_default();
    let action = value(about, "action").unwrap_or_default().to_lowercase();
    let verdict = match (status.chars().next(), action.as_str()) {
        (Some('5'), _) | (None, "failed") => Some(Verdict::Never),
        // Four days have passed, and the servers give up: no word against the address, but the letter is gone.
        (Some('4'), "failed") => Some(Verdict::Never),
        (Some('4'), _) | (_, "delayed") => Some(Verdict::Later),
        _ => None,
    };
    let typed = |value: String| value.rsplit_once(';').map_or(value.clone(), |(_, value)| value.to_owned());
    let recipient = value(about, "original-recipient").or_else(|| value(about, "final-recipient"));
    let diagnostic = value(about, "diagnostic-code").map(typed).unwrap_or_default();
    let said = brief(&format!("{status} {diagnostic}"));
    Some(Report { verdict, said, recipient: recipient.map(typed).and_then(|written| Mailbox::read(&written)) })
}

fn is_kind(part: &MessagePart<'_>, kind: &str, subkinds: &[&str]) -> bool {
    part.content_type().is_some_and(|found| {
        let subkind = found.subtype().unwrap_or("");
        found.ctype().eq_ignore_ascii_case(kind) && subkinds.iter().any(|wanted| subkind.eq_ignore_ascii_case(wanted))
    })
}

/// Fields of a group, unfolded, names in lower case.
fn fields(group: &str) -> Vec<(String, String)> {
    let mut fields: Vec<(String, String)> = Vec::new();
    for line in group.lines() {
        match (line.starts_with([' ', '\t']), fields.last_mut(), line.split_once(':')) {
            (true, Some((_, value)), _) => *value = format!("{value} {}", line.trim()),
            (false, _, Some((name, value))) => fields.push((name.trim().to_lowercase(), value.trim().to_owned())),
            _ => {}
        }
    }
    fields
}

/// The letter of ours that the bounce brings back, whole or by its header.
fn named(message: &Message<'_>, ours: &Mailbox) -> Option<MessageId> {
    message.parts.iter().find_map(|part| match &part.body {
        PartType::Message(returned) => returned.message_id().and_then(|id| is_ours(id, ours)),
        PartType::Text(header) if is_kind(part, "text", &["rfc822-headers"]) => {
            let header = header.replace("\r\n", "\n");
            let id = fields(&header).into_iter().find(|(name, _)| name == "message-id")?.1;
            is_ours(&id, ours)
        }
        _ => None,
    })
}

fn is_ours(id: &str, ours: &Mailbox) -> Option<MessageId> {
    MessageId::read(id.trim()).filter(|id| id.host == ours.host)
}

/// A letter of ours that is named anywhere else: in the thread, or in the text of a bounce of the old kind.
fn quoted(message: &Message<'_>, ours: &Mailbox) -> Option<MessageId> {
    let thread = [message.in_reply_to(), message.references()];
    let in_thread = thread.into_iter().filter_map(|value| value.as_text_list()).flatten();
    if let Some(id) = in_thread.filter_map(|id| is_ours(id, ours)).next_back() {
        return Some(id);
    }
    let text = message.body_text(0)?;
    text.split(['<', '>']).filter(|word| word.ends_with(&ours.host)).find_map(|word| is_ours(word, ours))
}

/// What people's servers wrote before there were reports, and some still do.
fn by_words(text: &str) -> Option<(Verdict, String)> {
    for line in text.lines().take(200).filter(|line| !line.trim_start().starts_with('>')) {
        let lower = line.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        let code = lower.split(|c: char| !c.is_ascii_alphanumeric() && c != '.').find_map(class);
        let verdict = match code {
            Some(verdict) => verdict,
            None if has(&["will be retried", "still trying", "has been delayed", "not yet been delivered"]) => {
                Verdict::Later
            }
            None if has(&[
                "user unknown",
                "unknown user",
                "no such user",
                "does not exist",
                "mailbox unavailable",
                "mailbox not found",
                "address rejected",
                "could not be delivered",
                "couldn't be delivered",
                "permanent error",
                "permanent failure",
                "permanent fatal error",
            ]) =>
            {
                Verdict::Never
            }
            None => continue,
        };
        return Some((verdict, brief(line)));
    }
    None
}

/// RFC 3463: `5.1.1` and its kin; and the replies 550 to 554, 450 to 452 of RFC 5321.
fn class(word: &str) -> Option<Verdict> {
    let parts: Vec<&str> = word.trim_end_matches('.').split('.').collect();
    let is_enhanced = parts.len() == 3 && parts.iter().all(|part| part.len() <= 3 && part.parse::<u16>().is_ok());
    match (is_enhanced, parts[0]) {
        (true, "5") => Some(Verdict::Never),
        (true, "4") => Some(Verdict::Later),
        (false, "550" | "551" | "552" | "553" | "554") if parts.len() == 1 => Some(Verdict::Never),
        (false, "450" | "451" | "452") if parts.len() == 1 => Some(Verdict::Later),
        _ => None,
    }
}

fn brief(said: &str) -> String {
    let words: Vec<&str> = said.split_whitespace().collect();
    words.join(" ").chars().filter(|c| !c.is_control()).take(SAID_MAX).collect()
}
