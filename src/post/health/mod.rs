/*! Whether the service is well (requirement S9): what it has done lately, compared with what it should have done.

In reading order: this file has the [`Vitals`], which follow the service by its bulletins; [`trouble`] judges them;
[`heartbeat`] is the file that shows them, [`notify`] tells the supervisor of the system, [`port`] answers monitors
over HTTP, with [`metrics`] as one of its pages, and [`alert`] writes to the host by another way.

Everything here is counts and times. Names of players or games, addresses and words of letters are not kept, so none
can leak.
*/

pub mod alert;
pub mod heartbeat;
pub mod metrics;
pub mod notify;
pub mod port;
pub mod trouble;

use self::trouble::Trouble;
use crate::book::Reception;
use crate::office::Handled;
use crate::office::minute::Minute;
use crate::office::service::Bulletin;
use ground::stamp::Stamp;
use report::fate::Fate;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What a service has done, kept while it runs. Several threads look at it.
#[derive(Debug)]
pub struct Vitals {
    now: fn() -> Stamp,
    signs: Mutex<Signs>,
}

/// What is known at one moment.
#[derive(Clone, Debug)]
pub struct Signs {
    pub started: Stamp,
    pub stopped: Option<Stamp>,
    /// When the clock last ticked and all outboxes were looked through.
    pub ticked: Option<Stamp>,
    /// When each source of letters was last looked through to its end.
    pub looked: BTreeMap<&'static str, Option<Stamp>>,
    pub sent: Option<Stamp>,
    pub minute: Minute,
    /// Letters in, by what became of them.
    pub received: BTreeMap<&'static str, u64>,
    /// Lines that were refused.
    pub refusals: u64,
    pub letters_sent: u64,
    pub letters_deferred: u64,
    pub letters_dead: u64,
    /// How often no letter could be sent at all.
    pub no_service: u64,
    /// Troubles of any kind that were reported.
    pub errors: u64,
    /// Since when nothing can be written to the disk of the games.
    pub unwritable: Option<Stamp>,
}

impl Vitals {
    /// The vitals of a service that begins now, and fetches letters from these sources.
    pub fn new(now: fn() -> Stamp, sources: impl IntoIterator<Item = &'static str>) -> Vitals {
        let signs = Signs {
            started: now(),
            stopped: None,
            ticked: None,
            looked: sources.into_iter().map(|source| (source, None)).collect(),
            sent: None,
            minute: Minute::default(),
            received: BTreeMap::new(),
            refusals: 0,
            letters_sent: 0,
            letters_deferred: 0,
            letters_dead: 0,
            no_service: 0,
            errors: 0,
            unwritable: None,
        };
        Vitals { now, signs: Mutex::new(signs) }
    }

    /// Counts what the service reports.
    pub fn heed(&self, bulletin: &Bulletin<'_>) {
        let at = (self.now)();
        let mut signs = self.lock();
        match bulletin {
            Bulletin::Minute(minute) => (signs.minute, signs.ticked) = ((*minute).clone(), Some(at)),
            Bulletin::Looked { source } => {
                if let Some(looked) = signs.looked.get_mut(source) {
                    *looked = Some(at);
                }
            }
            Bulletin::Received { fate, .. } => {
                *signs.received.entry(outcome(fate)).or_default() += 1;
                signs.refusals += refusals(fate);
            }
            Bulletin::Sent { .. } => {
                signs.sent = Some(at);
                signs.letters_sent += 1;
            }
            Bulletin::Later { .. } => signs.letters_deferred += 1,
            Bulletin::Dead { .. } => signs.letters_dead += 1,
            Bulletin::NoService { .. } => signs.no_service += 1,
            Bulletin::Trouble { .. } => signs.errors += 1,
            Bulletin::Stopped => signs.stopped = Some(at),
            Bulletin::Ready { .. } | Bulletin::Well { .. } | Bulletin::Notice(_) => {}
        }
    }

    /// The heartbeat was written, or could not be.
    pub fn wrote(&self, is_written: bool) {
        let at = (self.now)();
        let mut signs = self.lock();
        signs.unwritable = if is_written { None } else { signs.unwritable.or(Some(at)) };
    }

    /// What is known now.
    pub fn signs(&self) -> Signs {
        self.lock().clone()
    }

    /// What is wrong now, by the clock.
    pub fn troubles(&self) -> Vec<Trouble> {
        trouble::of(&self.lock(), (self.now)())
    }

    /// The current time, by the clock with which the vitals are judged.
    pub fn now(&self) -> Stamp {
        (self.now)()
    }

    /// If a thread panicked while it held the lock, the others go on: these are only numbers.
    fn lock(&self) -> MutexGuard<'_, Signs> {
        self.signs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn outcome(fate: &Handled) -> &'static str {
    match fate {
        Handled::Desk { received, .. } => match received.outcome {
            Reception::Played => "played",
            Reception::Refused => "refused",
            Reception::Again => "again",
            Reception::Robot => "robot",
        },
        Handled::Astray { .. } => "astray",
        Handled::Robot(_) => "robot",
        Handled::Again => "again",
        Handled::Bounced { .. } => "bounced",
        Handled::Left => "left",
    }
}

fn refusals(fate: &Handled) -> u64 {
    match fate {
        Handled::Desk { received, .. } => {
            let refused = received.answers.iter().filter(|answered| matches!(answered.fate, Fate::Refused { .. }));
            u64::try_from(refused.count()).unwrap_or(u64::MAX)
        }
        Handled::Astray { .. } => 1,
        Handled::Robot(_) | Handled::Again | Handled::Bounced { .. } | Handled::Left => 0,
    }
}
