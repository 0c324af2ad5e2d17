/*! Letters of the post office itself, which are not about play: why a letter was not played, that the letters of a seat
go elsewhere, what the host must know, and the letter that `doctor` writes to itself.
*/

use crate::columns::LETTER;
use crate::letter::Letter;
use crate::templates;
use serde::Serialize;
use serde_json::{Value, json};

/// A letter that speaks for no seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Astray {
    /// Why it was not played: a sentence without its full stop.
    pub why: String,
    /// Nothing in it names a seat: its author may be looking for a table.
    pub names_no_seat: bool,
}

/// A changed address of a seat, for the letter to the old one or the new one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Address {
    pub game: String,
    pub seat: String,
    /// The seat and its game: `red in shire`.
    pub place: String,
    pub new: String,
    /// The reader is the old address.
    pub is_old: bool,
    pub by_host: bool,
}

/// For a game that was put back from a backup: what we ask a player to show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Restored {
    pub game: String,
    /// The seat and its game: `red in shire`.
    pub place: String,
    /// The last entry of the log as it is now.
    pub seq: u64,
    /// When the backup was made, and when it was put back.
    pub backup: String,
    pub at: String,
}

/// A letter that answers one of ours that the log knows nothing of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unknown {
    pub game: String,
    /// The seat and its game: `red in shire`.
    pub place: String,
    /// The entry of which the letter told, and the last one of the log.
    pub seq: u64,
    pub last: u64,
    /// Until then the game rests.
    pub until: String,
}

/// The letter that asks a player for the letter that he has answered.
pub fn unknown(unknown: &Unknown) -> Letter {
    let subject = format!("[{}] Please forward the letter that you have answered", unknown.game);
    Letter::of_text(subject, page("unknown.txt", &json!(unknown)))
}

/// The letter that asks a player what he has seen since a backup was made.
pub fn restored(restored: &Restored) -> Letter {
    let subject = format!("[{}] Please forward what you have got since {}", restored.game, restored.backup);
    Letter::of_text(subject, page("restored.txt", &json!(restored)))
}

/// The answer to a letter that speaks for no seat; `subject` is the letter's.
pub fn astray(subject: &str, astray: &Astray) -> Letter {
    let subject = match subject.trim() {
        "" => "Your letter was not played".to_owned(),
        subject if subject.to_lowercase().starts_with("re:") => subject.to_owned(),
        subject => format!("Re: {subject}"),
    };
    Letter::of_text(subject, page("astray.txt", &json!(astray)))
}

/// The letter to the old or the new address of a seat.
pub fn address(address: &Address) -> Letter {
    let subject = format!("[{}] Your address for {}", address.game, address.seat);
    Letter::of_text(subject, page("address.txt", &json!(address)))
}

/// The letter to the host about something that needs a person. `notice` has its `kind` and what the template needs
/// for that.
pub fn notice(subject: &str, notice: &impl Serialize) -> Letter {
    let mut notice = json!(notice);
    // What a server or the system said may have several lines.
    for said in ["/player/said", "/why"] {
        if let Some(said) = notice.pointer_mut(said) {
            *said = said.as_str().unwrap_or_default().split('\n').collect();
        }
    }
    Letter::of_text(format!("[ringmail] {subject}"), page("notice.txt", &json!({ "notice": notice })))
}

/// The letter to the host about the service itself, whose mailbox is `mailbox`; `alert` has what is `new`, `still`
/// wrong and `over`.
pub fn alert(subject: &str, mailbox: &str, a_day: usize, alert: &impl Serialize) -> Letter {
    let text = page("alert.txt", &json!({ "mailbox": mailbox, "a_day": a_day, "alert": json!(alert) }));
    Letter::of_text(format!("[ringmail] {subject}"), text)
}

/// The letter by which `doctor` finds out whether letters come back; `nonce` tells it from all others.
pub fn doctor(nonce: &str) -> Letter {
    Letter::of_text(format!("[ringmail] doctor {nonce}"), page("doctor.txt", &json!({ "nonce": nonce })))
}

fn page(template: &str, context: &Value) -> String {
    let mut context = templates::context(context);
    context["columns"] = json!(LETTER);
    templates::page(template, &context)
}
