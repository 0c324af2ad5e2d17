/*! Letters that no person wrote: those of robots, lists and mail servers, and our own. We neither play nor answer
them (requirements L1 and L2).

An answer to a robot is the first half of a loop. We ignore `Precedence: bulk` and `X-Auto-Response-Suppress`: letters
of people have them as well (L1).
*/

use super::Envelope;
use super::mailbox::Mailbox;
use ground::line::cleaned;
use std::fmt;

/// The field by which we recognise a letter of ours that comes back (S1).
pub const LOOP_FIELD: &str = "X-Ringmail-Loop";

/// A letter that passed through more mail servers than this is in a loop (L1).
const HOPS_MAX: usize = 30;

/// Why a letter is taken for a robot's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Robot {
    /// `Return-Path: <>`: the sender wants no answer (RFC 5321 §4.5.5).
    NoReturnPath,
    /// RFC 3834: `Auto-Submitted` with anything but `no`.
    AutoSubmitted(String),
    /// A mailing list that is not ours.
    List(String),
    /// A letter of our own came back: recognised by its loop field or its author.
    Ours,
    /// Written by `mailer-daemon`, `no-reply` and the like.
    Name(String),
    /// `multipart/report`: a bounce or a receipt.
    Report,
    /// `X-Autoreply` and the like.
    AutoReply(String),
    Hops(usize),
    /// It was sent to a return path of our letters, to which only servers write (S2).
    ReturnPath,
    /// L2: its subject is that of a vacation notice.
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
            Robot::Hops(hops) => write!(formatter, "it passed through {hops} mail servers, more than {HOPS_MAX}"),
            Robot::ReturnPath => write!(formatter, "it was sent to the return path of our letters"),
            Robot::Away(subject) => write!(formatter, "its subject is that of a vacation notice: {subject}"),
        }
    }
}

/// The first sign that no person wrote this letter; `None` if a person may have. Only servers write to a return path.
pub fn sign(envelope: &Envelope, ours: &Mailbox, is_return_path: &dyn Fn(&Mailbox) -> bool) -> Option<Robot> {
    let value = |name: &'static str| envelope.values(name).next();
    if value("return-path").is_some_and(|path| matches!(path, "<>" | "")) {
        return Some(Robot::NoReturnPath);
    }
    if value("x-ringmail-loop").is_some() || envelope.author.as_ref().is_ok_and(|author| author.is_at(ours)) {
        return Some(Robot::Ours);
    }
    let mut to = envelope.delivered_to.iter().chain(&envelope.recipients);
    if to.any(is_return_path) {
        return Some(Robot::ReturnPath);
    }
    let submitted = value("auto-submitted").filter(|value| !value.trim().to_lowercase().starts_with("no"));
    if let Some(submitted) = submitted {
        return Some(Robot::AutoSubmitted(cleaned(submitted, 80)));
    }
    if value("content-type").is_some_and(|kind| kind.to_lowercase().starts_with("multipart/report")) {
        return Some(Robot::Report);
    }
    if let Some(list) = value("list-id").or(value("list-unsubscribe")) {
        return Some(Robot::List(cleaned(list, 80)));
    }
    for field in ["x-autoreply", "x-autorespond", "x-autoresponse", "x-autoresponder"] {
        if value(field).is_some_and(|value| !value.eq_ignore_ascii_case("no")) {
            return Some(Robot::AutoReply(field.to_owned()));
        }
    }
    if let Some(name) = envelope.author.as_ref().ok().filter(|author| is_robot_name(&author.local)) {
        return Some(Robot::Name(cleaned(&name.local, 80)));
    }
    let hops = envelope.values("received").count();
    if hops > HOPS_MAX {
        return Some(Robot::Hops(hops));
    }
    is_away(&envelope.subject).then(|| Robot::Away(cleaned(&envelope.subject, 80)))
}

fn is_robot_name(local: &str) -> bool {
    let local = local.to_lowercase().replace(['-', '_', '.'], "");
    matches!(local.as_str(), "mailerdaemon" | "postmaster")
        || local.contains("noreply")
        || local.starts_with("donotreply")
        || local.starts_with("bounce")
}

/// How the subjects of vacation notices begin.
const AWAY: &[&str] = &[
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
    "automatisk svar",
    "ikke på kontoret",
    "ikke til stede",
    "fravær",
    "automatická odpověď",
    "nepřítomnost",
    "mimo kancelář",
    "automatická odpoveď",
    "автоответ",
    "автоматический ответ",
    "нет на рабочем месте",
    "автоматична відповідь",
    "otomatik yanıt",
    "otomatik cevap",
    "ofis dışında",
    "automatikus válasz",
    "házon kívül",
    "irodán kívül",
    "răspuns automat",
    "αυτόματη απάντηση",
    "εκτός γραφείου",
    "απουσία από το γραφείο",
    "自動返信",
    "自動応答",
    "不在通知",
    "不在のお知らせ",
    "自动回复",
    "自动答复",
    "自動回覆",
    "外出自動回覆",
    "자동 회신",
    "자동회신",
    "자동 응답",
    "자동응답",
    "부재중",
];

fn is_away(subject: &str) -> bool {
    let subject = subject.trim().to_lowercase();
    AWAY.iter().any(|start| subject.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::letter::Letter;
    use crate::letter::limits::Limits;

    #[track_caller]
    fn case(header: &str, expected: Option<&str>) {
        let ours = Mailbox::read("box@play.example").unwrap();
        let author = if header.contains("From:") { "" } else { "From: frodo@shire.example\r\n" };
        let to = if header.contains("To:") { "" } else { "To: box+g7.green.abc@play.example\r\n" };
        let raw = format!("{header}\r\n{author}{to}\r\npass\r\n");
        let is_return_path = |to: &Mailbox| to.detail().is_some_and(|detail| detail.starts_with("bounce."));
        let sign = sign(&Letter::open(raw.as_bytes(), &Limits::ORDINARY).envelope, &ours, &is_return_path);
        assert_eq!(sign.map(|robot| robot.to_string()).as_deref(), expected, "{header}");
    }

    #[test]
    fn l1_nobody_is_answered_who_is_no_person() {
        case("Return-Path: <>", Some("it has an empty return path"));
        case("Auto-Submitted: auto-generated; type=x", Some("it says Auto-Submitted: auto-generated; type=x"));
        case("X-Ringmail-Loop: other@play.example", Some("it is a letter of our own that came back"));
        case("From: box+g7@play.example", Some("it is a letter of our own that came back"));
        case("List-Id: Hobbits <l.shire.example>", Some("it comes from the mailing list Hobbits <l.shire.example>"));
        case("List-Unsubscribe: <mailto:l@shire>", Some("it comes from the mailing list <mailto:l@shire>"));
        case("Content-Type: multipart/report; boundary=b", Some("it is a delivery report"));
        for name in ["MAILER-DAEMON", "postmaster", "no-reply", "noreply", "do_not_reply", "bounces+x"] {
            case(&format!("From: {name}@shire.example"), Some(&format!("its author is {name}")));
        }
        for field in ["x-autoreply", "x-autorespond", "x-autoresponse"] {
            case(&format!("{field}: yes"), Some(&format!("it has the field {field}")));
        }
        let hops = |count: usize| "Received: from a by b\r\n".repeat(count) + "X-Last: 1";
        case(&hops(31), Some("it passed through 31 mail servers, more than 30"));
        case("To: box+bounce.g7.green.abc@play.example", Some("it was sent to the return path of our letters"));
    }

    #[test]
    fn l1_people_write_behind_what_proves_nothing() {
        case("Subject: hello", None);
        case("Auto-Submitted: no", None);
        case("Precedence: bulk", None);
        case("X-Auto-Response-Suppress: All", None);
        case("X-Autoreply: no", None);
        case("Received: from a by b", None);
        case("From: nora@shire.example", None);
    }

    #[test]
    fn l2_a_vacation_notice_is_known_by_its_subject_in_many_languages() {
        let subjects = [
            "Out of office: back soon",
            "Abwesenheitsnotiz",
            "R\u{e9}ponse automatique : Re: g7",
            "Автоответ",
            "Automatisk svar: [g7 #3]",
            "Autosvar: Ferie",
            "Automatická odpověď: [g7 #3]",
            "Автоматический ответ: [g7 #3]",
            "Otomatik Yanıt: [g7 #3]",
            "Automatikus válasz: [g7 #3]",
            "Αυτόματη απάντηση: [g7 #3]",
            "自動応答: [g7 #3]",
            "自动答复: [g7 #3]",
            "자동 회신: [g7 #3]",
        ];
        for subject in subjects {
            case(&format!("Subject: {subject}"), Some(&format!("its subject is that of a vacation notice: {subject}")));
        }
        case("Subject: Re: [g7 #3] out of office hours I play better", None);
    }
}
