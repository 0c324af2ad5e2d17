/*! Letters of ours that came back (requirement L4).

A delivery report (RFC 3464) names the recipient, and says whether the failure is final. Without a report, the address
to which the letter was returned names the seat: every report to a player goes out with its own return path (VERP,
S2). A bounce with neither is judged by its words, and only if it quotes the Message-ID of a letter of ours.
*/

use super::mailbox::Mailbox;
use super::spelling;
use super::text::kind;
use crate::letter;
use ground::line::cleaned;
use mail_parser::{Message, PartType};
use serde::{Deserialize, Serialize};

/// How many characters we keep of what a server said.
const SAID_MAX: usize = 300;

/// Whether a delivery has failed for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finality {
    /// 5.x.x, or `Action: failed`.
    Never,
    /// 4.x.x, or `Action: delayed`: the servers go on trying.
    Later,
}

/// A letter that came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounce {
    pub verdict: Finality,
    /// `5.1.1` and what the server said, in one line.
    pub said: String,
    /// The Message-ID of the letter of ours that came back, if the bounce names it.
    pub letter: Option<String>,
    /// The address that was not reached, if the bounce names it.
    pub recipient: Option<Mailbox>,
}

/// How we recognise a letter of ours.
pub struct Ours<'a> {
    /// The host of our mailbox.
    pub host: &'a str,
    /// Whether a Message-ID is one of ours.
    pub names: &'a dyn Fn(&str) -> bool,
}

/// Reads a letter written by a robot as a bounce. `came_back` is whether it was delivered to a return path of ours.
pub fn read(raw: &[u8], came_back: bool, ours: &Ours<'_>) -> Option<Bounce> {
    let message = letter::parse(raw, letter::Depth::Whole)?;
    let letter = named(&message, ours).or_else(|| quoted(&message, ours));
    if let Some(report) = report(&message) {
        return Some(Bounce { verdict: report.verdict?, said: report.said, letter, recipient: report.recipient });
    }
    // Without a report only the words are left. They count only if they are certainly about a letter of ours.
    if letter.is_none() && !came_back {
        return None;
    }
    let text = message.body_text(0)?;
    let (verdict, said) = by_words(&text)?;
    Some(Bounce { verdict, said, letter, recipient: None })
}

/// What a `message/delivery-status` part says.
struct Report {
    /// `None` if the part reports neither a failure nor a delay: a receipt, a relay.
    verdict: Option<Finality>,
    said: String,
    recipient: Option<Mailbox>,
}

/// RFC 3464 §2.1: groups of fields, the first about the letter, each of the others about a
/// recipient. Our letters have exactly one recipient.
fn report(message: &Message<'_>) -> Option<Report> {
    let kinds = ["message/delivery-status", "message/global-delivery-status"];
    let part = message.parts.iter().find(|part| kinds.contains(&kind(part).as_str()))?;
    let text = String::from_utf8_lossy(part.contents()).replace("\r\n", "\n");
    let groups: Vec<Vec<(String, String)>> = text.split("\n\n").map(fields).collect();
    let value = |group: &[(String, String)], name: &str| {
        group.iter().find(|(field, _)| field == name).map(|(_, value)| value.clone())
    };
    let about = groups.iter().find(|group| value(group, "final-recipient").is_some())?;
    let status = value(about, "status").unwrap_or_default();
    let action = value(about, "action").unwrap_or_default().to_lowercase();
    let verdict = match (status.chars().next(), action.as_str()) {
        (Some('5'), _) | (None, "failed") => Some(Finality::Never),
        // The servers have given up after days of trying: the address may be right, but the letter is lost.
        (Some('4'), "failed") => Some(Finality::Never),
        (Some('4'), _) | (_, "delayed") => Some(Finality::Later),
        _ => None,
    };
    let typed = |value: String| value.rsplit_once(';').map_or(value.clone(), |(_, value)| value.to_owned());
    let recipient = value(about, "original-recipient").or_else(|| value(about, "final-recipient"));
    let diagnostic = value(about, "diagnostic-code").map(typed).unwrap_or_default();
    let said = brief(&format!("{status} {diagnostic}"));
    Some(Report { verdict, said, recipient: recipient.map(typed).and_then(|written| Mailbox::read(&written)) })
}

/// Fields of a group, unfolded, names in lower case.
fn fields(group: &str) -> Vec<(String, String)> {
    let Some(message) = letter::parse(group.trim_start().as_bytes(), letter::Depth::Header) else { return Vec::new() };
    message.headers().iter().map(|header| letter::field(&message, header)).collect()
}

/// The letter of ours that the bounce encloses, whole or its header alone.
fn named(message: &Message<'_>, ours: &Ours<'_>) -> Option<String> {
    message.parts.iter().find_map(|part| match &part.body {
        PartType::Message(returned) => returned.message_id().and_then(|id| is_ours(id, ours)),
        PartType::Text(header) if kind(part) == "text/rfc822-headers" => {
            let id = fields(header).into_iter().find(|(name, _)| name == "message-id")?.1;
            is_ours(&id, ours)
        }
        _ => None,
    })
}

fn is_ours(id: &str, ours: &Ours<'_>) -> Option<String> {
    Some(id.trim()).filter(|id| (ours.names)(id)).map(str::to_owned)
}

/// A letter of ours that is named elsewhere: in the thread, or in the text of a bounce without a report.
fn quoted(message: &Message<'_>, ours: &Ours<'_>) -> Option<String> {
    let thread = [message.in_reply_to(), message.references()];
    let in_thread = thread.into_iter().filter_map(|value| value.as_text_list()).flatten();
    if let Some(id) = in_thread.filter_map(|id| is_ours(id, ours)).next_back() {
        return Some(id);
    }
    let text = message.body_text(0)?;
    text.split(['<', '>']).filter(|word| word.ends_with(ours.host)).find_map(|word| is_ours(word, ours))
}

/// What servers wrote before there were delivery reports, and some still do.
fn by_words(text: &str) -> Option<(Finality, String)> {
    for line in text.lines().take(200).filter(|line| !line.trim_start().starts_with('>')) {
        let lower = line.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        let code = lower.split(|c: char| !c.is_ascii_alphanumeric() && c != '.').find_map(class);
        let verdict = match code {
            Some(verdict) => verdict,
            None if has(&["will be retried", "still trying", "has been delayed", "not yet been delivered"]) => {
                Finality::Later
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
                Finality::Never
            }
            None => continue,
        };
        return Some((verdict, brief(line)));
    }
    None
}

/// RFC 3463: status codes such as `5.1.1`; and the replies 550 to 554, 450 to 452 of RFC 5321.
fn class(word: &str) -> Option<Finality> {
    let parts: Vec<&str> = word.trim_end_matches('.').split('.').collect();
    let is_enhanced = parts.len() == 3 && parts.iter().all(|part| part.len() <= 3 && part.parse::<u16>().is_ok());
    match (is_enhanced, parts[0]) {
        (true, "5") => Some(Finality::Never),
        (true, "4") => Some(Finality::Later),
        (false, "550" | "551" | "552" | "553" | "554") if parts.len() == 1 => Some(Finality::Never),
        (false, "450" | "451" | "452") if parts.len() == 1 => Some(Finality::Later),
        _ => None,
    }
}

fn brief(said: &str) -> String {
    cleaned(&spelling::collapse(said), SAID_MAX)
}
