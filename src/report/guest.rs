//! Letters to guests: how far an invitation has come, who sits at the table, and what can be said.

use crate::columns::{self, LETTER};
use crate::echo::Echo;
use crate::fate::Answered;
use crate::frame::HEAD_SHOWN;
use crate::letter::{Letter, tag_of};
use crate::{deadline, dice_terms, templates};
use record::commit::words::fingerprint;
use record::entry::body::Welcome;
use record::fold::Fold;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What a guest is told.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Lobby {
    pub state: Stage,
    pub role: Role,
    pub has_started: bool,
    pub seat: Option<String>,
    pub wishes: Vec<String>,
    pub name: String,
    /// The salt with which the log commits to his address; `None` if there is none.
    pub salt: Option<String>,
    pub seats: Vec<Chair>,
    pub answers: Vec<Answered>,
    /// What the reader asked for, line by line.
    pub asked_for: Vec<Vec<String>>,
}

/// What a guest is invited to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    Player,
    /// Somebody who only watches, and gets what is public.
    Observer,
}

/// How far an invitation has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    Invited,
    /// He joins, and waits for a seat to be found.
    Waiting,
    /// A seat was found; he is asked whether he is ready.
    Seated,
    /// He takes his seat.
    Ready,
    /// He holds a seat; his letters come from there.
    Playing,
    Observing,
    /// He has declined, or left, or the seat is taken.
    Gone,
}

/// A seat, and whether somebody has taken it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Chair {
    pub seat: String,
    pub player: String,
    pub has_joined: bool,
}

pub fn letter(fold: &Fold, lobby: &Lobby) -> Letter {
    let plan = fold.plan();
    let wanted = match (lobby.state, lobby.role, lobby.has_started) {
        (Stage::Invited, Role::Observer, _) => "you are invited to watch",
        (Stage::Invited, Role::Player, true) => "a seat is offered to you",
        (Stage::Invited, Role::Player, false) => "you are invited",
        (Stage::Waiting, ..) => "you have joined",
        (Stage::Seated, ..) => "your seat – are you ready?",
        (Stage::Ready | Stage::Playing, ..) => "you have taken your seat",
        (Stage::Observing, ..) => "you watch",
        (Stage::Gone, ..) => "not this time",
    };
    let echoes: Vec<Echo> = lobby.answers.iter().map(Echo::of).collect();
    let options: Vec<String> = plan.setup.options.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    let has_teams = (plan.title.teams.sides)(&plan.setup).iter().any(|side| side.len() > 1);
    let context = json!({
        "lobby": lobby,
        "fingerprint": fingerprint(&fold.genesis()),
        "dice": dice_terms::terms(fold),
        "min_auth": plan.min_auth.word(), "echoes": echoes, "options": options, "has_teams": has_teams,
        "remarks": (plan.title.teams.remarks)(&plan.setup), "edition": plan.setup.edition,
        "votes": plan.votes.word(), "press": plan.press.word(), "welcome": plan.welcome.map(Welcome::word),
        "asked_for": lobby.asked_for, "how_to_read": Value::Null,
        "terms": plan.schedule.as_ref().map_or_else(Vec::new, deadline::terms),
    });
    Letter::of_text(subject(fold, wanted), page("guest.txt", fold, context))
}

/// The last letter to a player whose seat was handed over.
pub fn leave(fold: &Fold, seat: &str, player: &str) -> Letter {
    let context = json!({ "seat": seat, "player": player });
    Letter::of_text(subject(fold, &format!("the seat {seat} is handed over")), page("leave.txt", fold, context))
}

fn subject(fold: &Fold, wanted: &str) -> String {
    let plan = fold.plan();
    let title = plan.title.name.split(':').next().unwrap_or(plan.title.name);
    columns::ruly(&format!("{} {title}: {wanted}", tag_of(fold)))
}

fn page(template: &str, fold: &Fold, mut context: Value) -> String {
    let hash = fold.head().hash.to_string();
    context["game"] = json!(fold.plan().name);
    context["title_name"] = json!(fold.plan().title.name);
    context["seq"] = json!(fold.head().seq);
    context["mark"] = json!(&hash[..HEAD_SHOWN]);
    context["columns"] = json!(LETTER);
    templates::page(template, &templates::context(&context))
}
