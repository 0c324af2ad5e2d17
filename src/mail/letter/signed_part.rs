/*! What a letter says in the part that its author's domain signed, and nothing else.

A signature covers the header fields that it names, and the text. Anybody can add or change everything else later, the
mailbox that keeps the letter included. So we open the letter a second time, from the signed fields and the signed
text alone. A signature counts only if it covers what ties the letter to its writer and its day: one From, one Date,
one Subject.
*/

use super::Letter as Opened;
use super::dkim::{self, KeyRecords, Later, Letter, SIGNATURES_MAX, Signed, Unsigned};
use super::limits::Limits;
use super::text::Text;
use data_encoding::BASE64;
use ground::effort;
use ground::hash::{Hash, sha256};
use ground::stamp::Stamp;
use jiff::SignedDuration;
use std::sync::Mutex;

/// How far the Date of a letter may be from the times of the game, for clocks and time zones that are set wrong.
const DATE_SLACK: SignedDuration = SignedDuration::from_hours(48);
/// RFC 2046 §5.1.1: a boundary has at most 70 characters.
const BOUNDARY_MAX: usize = 70;

/// The signed part of a letter, opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedPart {
    pub signed: Signed,
    /// The letter with its signed fields alone.
    pub letter: Opened,
}

impl SignedPart {
    /// Checks the signatures of a letter, and opens what the first valid one that counts covers. Without `at` the
    /// times of the signature are not judged.
    ///
    /// # Errors
    /// Why no signature ties the letter to its author and its day.
    pub fn open(raw: &[u8], at: Option<Stamp>, keys: &dyn KeyRecords, limits: &Limits) -> Result<SignedPart, Unsigned> {
        let whole = Opened::open(raw, limits);
        let not_bound = |why: String| Unsigned::NotBound { domain: "its domain".to_owned(), why };
        let author = whole.envelope.author.as_ref().map_err(|why| not_bound(why.to_string()))?;
        // For a letter over its limits we ask nothing of the DNS.
        if let Err(unreadable) = &whole.text {
            return Err(not_bound(unreadable.to_string()));
        }
        let signatures = whole.envelope.values("dkim-signature").count();
        if signatures > SIGNATURES_MAX {
            return Err(not_bound(format!(
                "it has {signatures} signatures, and at most {SIGNATURES_MAX} are looked at"
            )));
        }
        let signed = dkim::check_bound(raw, &author.host, at, keys, &is_bound)?;
        let letter = Opened::open(&rebuilt(raw, &signed.fields), limits);
        Ok(SignedPart { signed, letter })
    }

    /// The names under which [`SignedPart::open`] will look up keys for this letter, so that they can be looked up
    /// before.
    pub fn key_names(raw: &[u8], limits: &Limits) -> Vec<String> {
        let names = Names(Mutex::new(Vec::new()));
        // `Names` has no keys: so `open` goes on and asks for the key of every signature that counts.
        drop(SignedPart::open(raw, None, &names, limits));
        names.0.into_inner().unwrap_or_default()
    }

    /// Its lines, if it has any.
    pub fn text(&self) -> Option<&Text> {
        self.letter.text.as_ref().ok()
    }

    /// What identifies the letter, whatever is unsigned around it: its From, Date and Subject, and the hash of its
    /// text.
    pub fn identity(&self) -> Hash {
        let value = |name| self.letter.envelope.values(name).next().unwrap_or_default();
        let text = BASE64.encode(&self.signed.body_hash);
        sha256(format!("{}\n{}\n{}\n{text}\n", value("from"), value("date"), value("subject")).as_bytes())
    }

    /// Whether the Date of the letter lies between two times, give or take `DATE_SLACK`.
    pub fn is_dated(&self, from: Stamp, to: Stamp) -> Result<(), String> {
        let written = self.letter.envelope.values("date").next().unwrap_or_default();
        let date = jiff::fmt::rfc2822::parse(written).map_err(|_| "its Date is no date".to_owned())?.timestamp();
        if date < from.timestamp() - DATE_SLACK || date > to.timestamp() + DATE_SLACK {
            return Err(format!("its Date is {date}, and it would have to lie between {from} and {to}"));
        }
        Ok(())
    }
}

/// Notes the names that it is asked for, and has no key for any.
struct Names(Mutex<Vec<String>>);

impl KeyRecords for Names {
    fn texts(&self, name: &str) -> Result<Vec<String>, Later> {
        let mut names = self.0.lock().map_err(|_| Later("another thread has stopped".to_owned()))?;
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
        Ok(Vec::new())
    }
}

/// Whether a signature over these fields ties the letter to its author, its day and its subject.
fn is_bound(letter: &Letter<'_>, fields: &[String]) -> Result<(), String> {
    let found = |name: &str| letter.fields.iter().filter(|field| field.name == name).count();
    for (name, written) in [("from", "From"), ("date", "Date"), ("subject", "Subject")] {
        match found(name) {
            1 => {}
            0 => return Err(format!("the letter has no {written}")),
            several => return Err(format!("the letter has {written} {several} times")),
        }
        if !fields.iter().any(|field| field == name) {
            return Err(format!("it does not cover {written}"));
        }
    }
    match found("in-reply-to") {
        0 | 1 => Ok(()),
        several => Err(format!("the letter has In-Reply-To {several} times")),
    }
}

/// The letter with its signed fields alone. Of several fields of one name the lowest are signed, as many as `h=`
/// names (RFC 6376 §5.4.2).
fn rebuilt(raw: &[u8], fields: &[String]) -> Vec<u8> {
    let letter = Letter::split(raw);
    let mut whole = Vec::with_capacity(raw.len());
    for (index, field) in letter.fields.iter().enumerate() {
        effort::step(letter.fields.len() + fields.len());
        let below = letter.fields[index + 1..].iter().filter(|other| other.name == field.name).count();
        if below < fields.iter().filter(|name| **name == field.name).count() {
            whole.extend_from_slice(field.written);
            whole.extend_from_slice(b"\r\n");
        }
    }
    if !fields.iter().any(|name| name == "content-type") || !letter.fields.iter().any(|it| it.name == "content-type") {
        let kind = match boundary(&letter.body) {
            Some(boundary) => format!("multipart/mixed; boundary=\"{boundary}\""),
            None => "text/plain; charset=utf-8".to_owned(),
        };
        whole.extend_from_slice(format!("MIME-Version: 1.0\r\nContent-Type: {kind}\r\n").as_bytes());
    }
    whole.extend_from_slice(b"\r\n");
    whole.extend_from_slice(&letter.body);
    whole
}

/// The boundary of the parts of a text, found in the text alone: the first line that begins with `--`, if the line
/// below it begins the header of a part. Other lines with `--` are above signatures and quoted letters.
fn boundary(body: &[u8]) -> Option<String> {
    let mut lines = body.split(|byte| *byte == b'\n');
    let first = lines.find_map(|line| line.strip_prefix(b"--"))?;
    let below = lines.next()?;
    let is_header = below.get(..8).is_some_and(|start| start.eq_ignore_ascii_case(b"content-"));
    let boundary = std::str::from_utf8(first).ok()?.trim_end();
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || "'()+_,-./:=? ".contains(c);
    let is_whole = !boundary.is_empty() && boundary.len() <= BOUNDARY_MAX && boundary.chars().all(is_allowed);
    (is_header && is_whole).then(|| boundary.to_owned())
}

#[cfg(test)]
#[path = "signed_part_tests.rs"]
mod tests;
