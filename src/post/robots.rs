/*! Who is never answered automatically, nor played (requirements L1 and L2): robots, lists, bounces, ourselves.

An answer to a robot is the first half of a loop. `Precedence: bulk` and `X-Auto-Response-Suppress` prove nothing,
people write behind both (L1); they are not looked at.
*/

use super::bounce;
use super::letter::Envelope;
use super::mailbox::Mailbox;
use std::fmt;

/// The field by which a letter of ours is known when it comes back (S1).
pub const LOOP_FIELD: &str = "X-Ringmail-Loop";

/// A letter with more stations than this is going round in circles (L1).
const HOPS_MAX: usize = 30;

/// Why a letter is taken for a robot's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Robot {
    /// `Return-Path: <>`: whoever sends this wants no answer (RFC 5321 §4.5.5).
    NoReturnPath,
    /// RFC 3834: `Auto-Submitted` with anything but `no`.
    AutoSubmitted(String),
    /// A mailing list that is not ours.
    List(String),
    /// Our own letter has come back, by its loop field or its author.
    Ours,
    /// Written by `mailer-daemon`, `no-reply` and the like.
    Name(String),
    /// `multipart/report`: a bounce or a receipt.
    Report,
    /// `X-Autoreply` and its kin.
    AutoReply(String),
    Hops(usize),
    /// Only servers write to the address to which our letters come back (S2).
    ReturnPath,
    /// L2: the subject is that of a vacation notice.
    Away(String),
}

impl fmt::Display for Robot {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Robot::NoReturnPath => write!(formatter, "it has an empty return path"),
            Robot::AutoSubmitted(value) => write!(formatter, "it says Auto-Submitted: {value}"),
            Robot::List(name) => write!(formatter, "it comes from the mailing list {name}"),
            Robot::Ours => write!(formatter, "it is a letter of our own that came back"),
            Robot::Name(name) => write!(formatter, "its author is {name}"),
            Robot::Report => write!(formatter, "it is a delivery report"),
            Robot::AutoReply(field) => write!(formatter, "it has the field {field}"),
            Robot::Hops(hops) => write!(formatter, "it went through {hops} stations, more than {HOPS_MAX}"),
            Robot::ReturnPath => write!(formatter, "it was sent to the address to which letters come back"),
            Robot::Away(subject) => write!(formatter, "its subject is that of a vacation notice: {subject}"),
        }
    }
}

/// The first sign that nobody wrote this letter; `None` for a letter that a person may have written.
#[must_use]
pub fn sign(envelope: &Envelope, ours: &Mailbox) -> Option<Robot> {
    let value = |name: &'static str| envelope.values(name).next();
    if value("return-path").is_some_and(|path| matches!(path, "<>" | "")) {
        return Some(Robot::NoReturnPath);
    }
    if value("x-ringmail-loop").is_some() || envelope.author.as_ref().is_ok_and(|author| author.is_at(ours)) {
        return Some(Robot::Ours);
    }
    let mut to = envelope.delivered_to.iter().chain(&envelope.recipients);
    if to.any(|to| bounce::is_return_path(to, ours)) {
        return Some(Robot::ReturnPath);
    }
    let submitted = value("auto-submitted").filter(|value| !value.trim().to_lowercase().starts_with("no"));
    if let Some(submitted) = submitted {
        return Some(Robot::AutoSubmitted(brief(submitted)));
    }
    if value("content-type").is_some_and(|kind| kind.to_lowercase().starts_with("multipart/report")) {
        return Some(Robot::Report);
    }
    if let Some(list) = value("list-id").or(value("list-unsubscribe")) {
        return Some(Robot::List(brief(list)));
    }
    for field in ["x-autoreply", "x-autorespond", "x-autoresponse", "x-autoresponder"] {
        if value(field).is_some_and(|value| !value.eq_ignore_ascii_case("no")) {
            return Some(Robot::AutoReply(field.to_owned()));
        }
    }
    if let Some(name) = envelope.author.as_ref().ok().filter(|author| is_robot_name(&author.local)) {
        return Some(Robot::Name(brief(&name.local)));
    }
    let hops = envelope.values("received").count();
    if hops > HOPS_MAX {
        return Some(Robot::Hops(hops));
    }
    is_away(&envelope.subject).then(|| Robot::Away(brief(&envelope.subject)))
}

fn brief(value: &str) -> String {
    value.chars().filter(|c| !c.is_control()).take(80).collect()
}

fn is_robot_name(local: &str) -> bool {
    let local = local.to_lowercase().replace(['-', '_', '.'], "");
    matches!(local.as_str(), "mailerdaemon" | "postmaster")
        || local.contains("noreply")
        || local.starts_with("donotreply")
        || local.starts_with("bounce")
}

/// How the subjects of vacation notices begin.
const AWAY: [&str; 29] = [
    "out of office",
    "out of the office",
    "automatic reply",
    "auto reply",
    "auto-reply",
    "autoreply",
    "vacation",
    "away from",
    "abwesenheitsnotiz",
    "abwesend",
    "automatische antwort",
    "réponse automatique",
    "absence du bureau",
    "respuesta automática",
    "fuera de la oficina",
    "resposta automática",
    "ausência temporária",
    "risposta automatica",
    "fuori sede",
    "automatisch antwoord",
    "afwezig",
    "automatiskt svar",
    "autosvar",
    "frånvaro",
    "automaattinen vastaus",
    "automatyczna odpowiedź",
    "автоответ",
    "自動返信",
    "自动回复",
];

fn is_away(subject: &str) -> bool {
    let subject = subject.trim().to_lowercase();
    AWAY.iter().any(|start| subject.starts_with(start))
}
