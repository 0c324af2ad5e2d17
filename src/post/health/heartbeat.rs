/*! The heartbeat of the service: a file beside the counter, replaced once a minute, that says when it was last well.
Other processes read the file instead of asking the service, because a service that is stuck cannot answer.
*/

use super::Signs;
use super::trouble::{self, Trouble};
use crate::office::Office;
use ground::span::Span;
use ground::stamp::Stamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io;
use store::drawer::Drawer;

/// The file, in the drawer of the counter; and the folder of those of several workers, a file each.
pub const HEARTBEAT: &str = "heartbeat";
pub const HEARTBEATS: &str = "heartbeats";

/// A worker's heartbeat that is older than this is removed: that process is not coming back.
const FORGOTTEN: Span = Span::days(2);

/// The service counts as dead or stuck if its heartbeat is older than this.
const BEATS: Span = Span::minutes(3);

/// What the file says: JSON, with times in universal time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heartbeat {
    pub at: String,
    /// The machine, if several serve one office.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
    pub process: u32,
    pub started: String,
    #[serde(default)]
    pub stopped: Option<String>,
    #[serde(default)]
    pub ticked: Option<String>,
    #[serde(default)]
    pub looked: BTreeMap<String, Option<String>>,
    #[serde(default)]
    pub sent: Option<String>,
    #[serde(default)]
    pub waiting: usize,
    #[serde(default)]
    pub troubles: Vec<String>,
}

/// Whether the service lives, as its heartbeat says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Life {
    /// There is no heartbeat: it has never run here.
    Never,
    /// There is one.
    Beats(Heartbeat),
    /// The file cannot be read or understood.
    Unknown(String),
}

impl Heartbeat {
    /// The heartbeat of this process.
    pub fn of(signs: &Signs, at: Stamp) -> Heartbeat {
        let written = |stamp: Option<Stamp>| stamp.map(|stamp| stamp.to_string());
        let looked = signs.looked.iter().map(|(source, looked)| ((*source).to_owned(), written(*looked)));
        Heartbeat {
            at: at.to_string(),
            machine: None,
            process: std::process::id(),
            started: signs.started.to_string(),
            stopped: written(signs.stopped),
            ticked: written(signs.ticked),
            looked: looked.collect(),
            sent: written(signs.sent),
            waiting: signs.minute.waiting,
            troubles: trouble::of(signs, at).iter().map(Trouble::to_string).collect(),
        }
    }

    /// Writes it into the drawer of the counter.
    pub fn write(&self, counter: &Drawer) -> io::Result<()> {
        let text = serde_json::to_string(self).expect("a heartbeat is plain values");
        let file = match &self.machine {
            Some(machine) => format!("{HEARTBEATS}/{machine}-{}", self.process),
            None => HEARTBEAT.to_owned(),
        };
        counter.replace_loosely(&file, format!("{text}\n").as_bytes())
    }

    /// The last heartbeats of the processes that serve an office: of its service, or of each of its workers.
    pub fn all(office: &Office) -> io::Result<Vec<Life>> {
        let counter = office.drawer(None);
        if office.store().shared().is_none() {
            return Ok(vec![Heartbeat::read(&counter, HEARTBEAT)]);
        }
        let files = counter.list(HEARTBEATS)?;
        let lives = files.iter().map(|found| Heartbeat::read(&counter, &format!("{HEARTBEATS}/{}", found.name)));
        let lives: Vec<Life> = lives.collect();
        Ok(if lives.is_empty() { vec![Life::Never] } else { lives })
    }

    /// Removes the heartbeats of workers that ended long ago.
    pub fn tidy(counter: &Drawer, now: Stamp) -> io::Result<()> {
        for found in counter.list(HEARTBEATS)? {
            let file = format!("{HEARTBEATS}/{}", found.name);
            let at = match Heartbeat::read(counter, &file) {
                Life::Beats(heartbeat) => Stamp::parse(&heartbeat.at),
                Life::Never | Life::Unknown(_) => None,
            };
            if at.is_some_and(|at| at.later(FORGOTTEN) < now) {
                counter.remove(&file)?;
            }
        }
        Ok(())
    }

    fn read(counter: &Drawer, file: &str) -> Life {
        match counter.read(file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Life::Never,
            Err(error) => Life::Unknown(format!("{HEARTBEAT} cannot be read: {error}")),
            Ok(bytes) => match serde_json::from_slice(&bytes) {
                Ok(heartbeat) => Life::Beats(heartbeat),
                Err(error) => Life::Unknown(format!("{HEARTBEAT} is not understood: {error}")),
            },
        }
    }
}

impl Life {
    /// Whether the service runs and nothing is wrong with it.
    pub fn is_well(&self, now: Stamp) -> bool {
        matches!(self, Life::Beats(heartbeat) if heartbeat.runs(now) && heartbeat.troubles.is_empty())
    }

    /// What it says is wrong.
    pub fn troubles(&self) -> &[String] {
        match self {
            Life::Beats(heartbeat) => &heartbeat.troubles,
            Life::Never | Life::Unknown(_) => &[],
        }
    }

    /// One line.
    pub fn in_words(&self, now: Stamp) -> String {
        match self {
            Life::Never => "has never run here".to_owned(),
            Life::Unknown(why) => why.clone(),
            Life::Beats(Heartbeat { stopped: Some(stopped), machine: None, .. }) => {
                format!("does not run: it was stopped at {stopped}")
            }
            Life::Beats(heartbeat @ Heartbeat { stopped: Some(stopped), .. }) => {
                format!("{} was stopped at {stopped}", heartbeat.who())
            }
            Life::Beats(heartbeat) if heartbeat.runs(now) => {
                let Heartbeat { started, at, .. } = heartbeat;
                format!("runs as {} since {started}; its heart last beat at {at}", heartbeat.who())
            }
            Life::Beats(Heartbeat { at, machine: None, .. }) => {
                format!("does not run, or is stuck: its heart last beat at {at}")
            }
            Life::Beats(heartbeat @ Heartbeat { at, .. }) => {
                format!("{} has died, or is stuck: its heart last beat at {at}", heartbeat.who())
            }
        }
    }

    /// For programs: `is` is `running`, `stopped`, `silent`, `never` or `unknown`.
    pub fn in_json(&self, now: Stamp) -> Value {
        let (word, heartbeat) = match self {
            Life::Never => ("never", Value::Null),
            Life::Unknown(why) => ("unknown", json!(why)),
            Life::Beats(heartbeat) if heartbeat.stopped.is_some() => ("stopped", json!(heartbeat)),
            Life::Beats(heartbeat) if heartbeat.runs(now) => ("running", json!(heartbeat)),
            Life::Beats(heartbeat) => ("silent", json!(heartbeat)),
        };
        json!({ "is": word, "heartbeat": heartbeat })
    }
}

impl Heartbeat {
    fn who(&self) -> String {
        match &self.machine {
            Some(machine) => format!("process {} on {machine}", self.process),
            None => format!("process {}", self.process),
        }
    }

    fn runs(&self, now: Stamp) -> bool {
        self.stopped.is_none() && Stamp::parse(&self.at).is_some_and(|at| now <= at.later(BEATS))
    }
}
