/*! Letters to the host about the service itself, by another way out: a dead mailbox, or a server that refuses all
letters, cannot report its own trouble.

Each trouble is reported once, and once when it is over, several of them in one letter, and no more than a few letters
a day. A file beside the counter says what the host knows, so that nothing is reported again after a restart.
*/

use super::Vitals;
use super::trouble::Trouble;
use crate::names::message_id;
use ground::hash::sha256;
use ground::span::Span;
use ground::stamp::Stamp;
use mail::draft::{Draft, Purpose};
use mail::letter::mailbox::Mailbox;
use mail::wire::carrier::{Carrier, Cover, NotCarried};
use report::office as page;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;
use std::{io, thread};
use store::drawer::Drawer;

/// The file, in the folder of the counter.
const ALERTS: &str = "alerts";
/// At most this many letters are sent within a day; the next day reports what is still wrong then.
pub const A_DAY: usize = 6;
const DAY: Span = Span::hours(24);
/// How often the alarm looks whether something is wrong.
const LOOK: Duration = Duration::from_secs(60);
/// After a letter could not be sent, the next try comes after this many looks.
const LOOKS_BETWEEN: u32 = 15;

/// What the host has been told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// The troubles that he was told of, and that are not over, as far as he knows.
    #[serde(default)]
    open: Vec<Known>,
    /// When letters were sent, within a day.
    #[serde(default)]
    sent: Vec<String>,
}

/// A trouble that the host was told of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Known {
    /// The key of the trouble.
    kind: String,
    what: String,
}

/// What a letter says: what is wrong since the last one, what is still wrong, and what is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Alert {
    pub new: Vec<Wrong>,
    pub still: Vec<String>,
    pub over: Vec<String>,
}

/// Something that is wrong, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Wrong {
    pub what: String,
    pub advice: &'static str,
}

impl Told {
    /// What to tell the host now, and what he has been told once the letter is sent. `None` if nothing has changed,
    /// or if enough letters were sent within a day.
    pub fn tell(&self, troubles: &[Trouble], now: Stamp) -> Option<(Alert, Told)> {
        let recent = |at: &&String| Stamp::parse(at).is_some_and(|at| now < at.later(DAY));
        let mut sent: Vec<String> = self.sent.iter().filter(recent).cloned().collect();
        let (known, new): (Vec<&Trouble>, Vec<&Trouble>) =
            troubles.iter().partition(|trouble| self.open.iter().any(|known| known.kind == trouble.key()));
        let (still, over): (Vec<&Known>, Vec<&Known>) =
            self.open.iter().partition(|open| known.iter().any(|trouble| trouble.key() == open.kind));
        if (new.is_empty() && over.is_empty()) || sent.len() >= A_DAY {
            return None;
        }
        let wrong = |trouble: &&Trouble| Wrong { what: trouble.to_string(), advice: trouble.advice() };
        let alert = Alert {
            new: new.iter().map(wrong).collect(),
            still: still.iter().map(|known| known.what.clone()).collect(),
            over: over.iter().map(|known| known.what.clone()).collect(),
        };
        let opened = new.iter().map(|trouble| Known { kind: trouble.key(), what: trouble.to_string() });
        let open = still.into_iter().cloned().chain(opened).collect();
        sent.push(now.to_string());
        Some((alert, Told { open, sent }))
    }

    fn read(counter: &Drawer) -> Told {
        // If the file is missing or damaged, the host is told once more.
        counter.read(ALERTS).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    fn write(&self, counter: &Drawer) -> io::Result<()> {
        let text = serde_json::to_string(self).expect("what was told is plain values");
        counter.replace(ALERTS, format!("{text}\n").as_bytes())
    }
}

impl Alert {
    /// One line.
    pub fn subject(&self) -> String {
        match (self.new.as_slice(), self.still.is_empty()) {
            ([], true) => "all is well again".to_owned(),
            ([], false) => "some of the trouble is over".to_owned(),
            ([one], _) => one.what.clone(),
            ([first, rest @ ..], _) => format!("{} (and {} more)", first.what, rest.len()),
        }
    }
}

/// Writes to the host.
pub struct Alarm {
    pub vitals: Arc<Vitals>,
    pub carrier: Box<dyn Carrier + Send>,
    /// The mailbox of the post office in question.
    pub mailbox: Mailbox,
    /// The sender of the letters, and their reader.
    pub from: Mailbox,
    pub to: Mailbox,
    /// The folder of the counter.
    pub counter: Drawer,
    /// What the host has been told, as long as it cannot be written to the file.
    pub unwritten: Option<Told>,
}

impl Alarm {
    /// Watches in a thread of its own until the service has stopped. Calls `trouble` with the reason if a letter
    /// could not be sent, and with `None` when one was.
    pub fn watch(mut self, trouble: impl Fn(Option<String>) + Send + 'static) {
        thread::spawn(move || {
            let mut rest = 0;
            while self.vitals.signs().stopped.is_none() {
                thread::sleep(LOOK);
                if rest > 0 {
                    rest -= 1;
                    continue;
                }
                match self.look() {
                    Ok(false) => {}
                    Ok(true) => trouble(None),
                    Err(why) => {
                        trouble(Some(why));
                        rest = LOOKS_BETWEEN;
                    }
                }
            }
        });
    }

    /// Looks once, and writes a letter if there is something to tell. Returns whether it did.
    ///
    /// # Errors
    /// The letter could not be sent: the next look tries again. Or it was sent, but the file could not be written.
    pub fn look(&mut self) -> Result<bool, String> {
        let (troubles, now) = (self.vitals.troubles(), self.vitals.now());
        let told = self.unwritten.clone().unwrap_or_else(|| Told::read(&self.counter));
        let Some((alert, told)) = told.tell(&troubles, now) else { return Ok(false) };
        let letter = self.letter(&alert, now);
        let name = message_id::file_name(&letter.message_id);
        let cover = Cover { from: Some(self.from.clone()), to: self.to.clone() };
        let carried = self.carrier.carry(&name, &cover, &letter.to_bytes());
        self.carrier.rest();
        carried.map_err(|error: NotCarried| error.to_string())?;
        // On a full disk the file cannot be written, and just that is what the host must be told: what he was told is
        // kept in memory then, so that he is told only once.
        let written = told.write(&self.counter);
        self.unwritten = written.is_err().then_some(told);
        written.map_err(|error| format!("{ALERTS} cannot be written: {error}"))?;
        Ok(true)
    }

    fn letter(&self, alert: &Alert, at: Stamp) -> Draft {
        let page = page::alert(&alert.subject(), &self.mailbox.to_string(), A_DAY, alert);
        let what = sha256(format!("{at} {}", page.text).as_bytes());
        Draft {
            purpose: Purpose::Report,
            message_id: format!("<alert.{}@{}>", &what.to_string()[..32], self.from.host),
            date: at,
            ours: self.from.clone(),
            to: self.to.clone(),
            subject: page.subject,
            in_reply_to: None,
            references: Vec::new(),
            heading: None,
            text: page.text,
            page: None,
            images: Vec::new(),
            files: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::health::trouble::TroubleKind;

    fn stamp(day: u32, minute: u32) -> Stamp {
        Stamp::parse(&format!("2026-11-{day:02}T08:{minute:02}:00Z")).unwrap()
    }

    fn trouble(kind: TroubleKind) -> Trouble {
        Trouble { kind, since: stamp(24, 0) }
    }

    #[test]
    fn a_trouble_is_told_once_and_once_when_it_is_over() {
        let mailbox = trouble(TroubleKind::Source("the mailbox"));
        let (alert, told) = Told::default().tell(&[mailbox], stamp(24, 10)).unwrap();
        assert_eq!(alert.subject(), "the mailbox has not been looked through since 2026-11-24T08:00:00Z");
        assert_eq!(told.tell(&[mailbox], stamp(24, 20)), None);
        // A new trouble begins, and the first is over: one letter.
        let (alert, told) = told.tell(&[trouble(TroubleKind::Letter)], stamp(24, 30)).unwrap();
        assert_eq!((alert.new.len(), alert.still.len(), alert.over.len()), (1, 0, 1));
        let (alert, told) = told.tell(&[], stamp(24, 40)).unwrap();
        assert_eq!((alert.subject().as_str(), alert.over.len()), ("all is well again", 1));
        assert_eq!(told.tell(&[], stamp(24, 50)), None);
    }

    #[test]
    fn a_trouble_that_comes_and_goes_is_told_of_a_few_times_a_day() {
        let (mut told, mut letters) = (Told::default(), 0);
        for minute in 0..60 {
            let troubles = [trouble(TroubleKind::Letter)];
            let now = if minute % 2 == 0 { &troubles[..] } else { &[] };
            if let Some((_, next)) = told.tell(now, stamp(24, minute)) {
                (told, letters) = (next, letters + 1);
            }
        }
        assert_eq!(letters, A_DAY);
        assert!(told.tell(&[trouble(TroubleKind::Letter)], stamp(25, 30)).is_some(), "the next day");
    }
}
