//! Whether a letter that no person wrote is one of ours that came back, and to whom that was sent.

use super::address::{self, Place};
use super::message_id::MessageId;
use super::return_path;
use mail::letter::Envelope;
use mail::letter::bounce::{self, Bounce, Ours};
use mail::letter::mailbox::Mailbox;
use mail::letter::robots::{self, Robot};
use std::collections::BTreeSet;

/// A letter of ours that came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Returned {
    pub bounce: Bounce,
    /// The letter it is about, if the bounce names it.
    pub letter: Option<MessageId>,
    /// The seat it was written to and the code of the return path, if it came back that way.
    pub path: Option<(Place, String)>,
    /// The seats whose addresses it quotes, each with the code of its return path or the token of its seat: only
    /// somebody who has the letter can quote these. A Message-ID alone can be computed from the public log.
    pub quoted: BTreeSet<(Place, String)>,
}

impl Returned {
    /// Reads a bounce from a letter that a robot wrote.
    pub fn read(raw: &[u8], envelope: &Envelope, ours: &Mailbox) -> Option<Returned> {
        let mut to = envelope.delivered_to.iter().chain(&envelope.recipients);
        let path = to.find_map(|to| return_path::read(to, ours));
        let is_ours = |id: &str| MessageId::read(id).is_some_and(|id| id.host == ours.host);
        let bounce = bounce::read(raw, path.is_some(), &Ours { host: &ours.host, names: &is_ours })?;
        let letter = bounce.letter.as_deref().and_then(MessageId::read);
        Some(Returned { bounce, letter, path, quoted: quoted(raw, ours) })
    }

    /// The seat that it claims to be about, without proof.
    pub fn claimed(&self) -> Option<Place> {
        let by_path = || self.path.as_ref().map(|(place, _)| place.clone());
        self.letter.as_ref().map(Place::of).or_else(by_path)
    }
}

/// The addresses of seats that occur anywhere in a letter, in the form of the header of our letters.
fn quoted(raw: &[u8], ours: &Mailbox) -> BTreeSet<(Place, String)> {
    let text = String::from_utf8_lossy(raw).replace("=\r\n", "").replace("=\n", "").to_lowercase();
    let begin = format!("{}+", ours.base().local.to_lowercase());
    let address = |rest: &str| {
        let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '>' | '?' | ',' | ';')).unwrap_or(rest.len());
        Mailbox::read(&format!("{begin}{}", &rest[..end])).filter(|found| found.is_at(ours))
    };
    let found = text.split(&begin).skip(1).filter_map(address);
    found.filter_map(|found| return_path::read(&found, ours).or_else(|| address::claim(found.detail()?))).collect()
}

/// The first sign that no person wrote this letter (L1); only servers write to a return path of ours.
pub fn robot(envelope: &Envelope, ours: &Mailbox) -> Option<Robot> {
    robots::sign(envelope, ours, &|to| return_path::is_one(to, ours))
}
