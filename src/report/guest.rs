//! Letters to guests: how far an invitation has come, who sits at the table, and what can be said.

use crate::record::entry::body::Welcome;
use crate::record::fold::Fold;
use crate::report::columns::{self, LETTER};
use crate::report::deadline;
use crate::report::echo::Echo;
use crate::report::letter::{HEAD_SHOWN, Letter};
use crate::report::occasion::Answered;
use crate::report::templates;
use serde::Serialize;
use serde_json::{Value, json};

/// What a guest is told.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Lobby {
    /// How far the invitation has come: `invited`, `waiting`, `seated`, `ready`, `playing`, `observing`, `gone`.
    pub state: String,
    /// `player` or `observer`.
    pub role: String,
    pub has_started: bool,
    pub seat: Option<String>,
    pub wishes: Vec<String>,
    pub name: String,
    pub seats: Vec<Chair>,
    pub answers: Vec<Answered>,
    /// What the reader asked for, line by line.
    pub asked_for: Vec<Vec<String>>,
}

/// A seat, and whether somebody has taken it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Chair {
    pub seat: String,
    pub player: String,
    pub has_joined: bool,
}

/// The letter to a guest.
pub fn letter(fold: &Fold, lobby: &Lobby) -> Letter {
    let plan = fold.plan();
    let wanted = match (lobby.state.as_str(), lobby.role.as_str(), lobby.has_started) {
        ("invited", "observer", _) => "you are invited to watch",
        ("invited", _, true) => "a seat is offered to you",
        ("invited", _, false) => "you are invited",
        ("waiting", ..) => "you have joined",
        ("seated", ..) => "your seat – are you ready?",
        ("ready" | "playing", ..) => "you have taken your seat",
        ("observing", ..) => "you watch",
        _ => "not this time",
    };
    let echoes: Vec<Echo> = lobby.answers.iter().map(Echo::of).collect();
    let options: Vec<String> = plan.setup.options.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    let seat = lobby.seat.as_ref().filter(|_| lobby.role == "player").and_then(|seat| plan.seat(seat));
    let context = json!({
        "lobby": lobby, "number": seat.map(|seat| seat.index() + 1), "id": plan.game.to_string(),
        "min_auth": plan.min_auth.word(), "echoes": echoes, "options": options, "edition": plan.setup.edition,
        "votes": plan.votes.word(), "press": plan.press.word(), "welcome": plan.welcome.map(Welcome::word),
        "asked_for": lobby.asked_for,
        "terms": plan.schedule.as_ref().map_or_else(Vec::new, deadline::terms),
    });
    Letter { subject: subject(fold, wanted), text: page("guest.txt", fold, context) }
}

/// The last letter to a player whose seat was handed over.
pub fn leave(fold: &Fold, seat: &str, player: &str) -> Letter {
    let context = json!({ "seat": seat, "player": player });
    Letter {
        subject: subject(fold, &format!("the seat {seat} is handed over")),
        text: page("leave.txt", fold, context),
    }
}

fn subject(fold: &Fold, wanted: &str) -> String {
    let (plan, hash) = (fold.plan(), fold.head().hash.to_string());
    let title = plan.title.name().split(':').next().unwrap_or(plan.title.name());
    columns::ruly(&format!("[{} #{} {}] {title}: {wanted}", plan.name, fold.head().seq, &hash[..HEAD_SHOWN]))
}

fn page(template: &str, fold: &Fold, mut context: Value) -> String {
    let hash = fold.head().hash.to_string();
    context["game"] = json!(fold.plan().name);
    context["title_name"] = json!(fold.plan().title.name());
    context["seq"] = json!(fold.head().seq);
    context["mark"] = json!(&hash[..HEAD_SHOWN]);
    context["columns"] = json!(LETTER);
    templates::page(template, &templates::context(&context))
}
