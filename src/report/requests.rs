//! What a player is told on request: help, the state of a game, its history, the table as it was.

use crate::deadline::{self, Deadline};
use crate::frame::Frame;
use crate::motion::MotionStatus;
use crate::occasion::Occasion;
use crate::{closing, templates};
use engine::seat::Seat;
use engine::title::Title;
use ground::stamp::Stamp;
use record::charter::plan::SeatPlan;
use record::commit::signature::CHECKPOINT;
use record::fold::Fold;
use serde::Serialize;
use serde_json::{Value, json};

/// A request as help lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HelpLine {
    pub usage: String,
    /// In a sentence without a capital letter and a full stop.
    pub help: String,
}

/// Help about one word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Topic {
    pub topic: String,
    /// The text about it; `None` if the word is unknown.
    pub text: Option<String>,
    /// What may have been meant by an unknown word.
    pub nearest: Vec<String>,
    /// The words that could be asked about.
    pub requests: Vec<String>,
    pub questions: Vec<String>,
}

/// How a seat signs its answer to a letter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Signing {
    pub topic: String,
    /// What is signed, line by line; the last is the sentence.
    pub lines: Vec<String>,
    /// What the signature is made for (`ssh-keygen -Y sign -n`).
    pub purpose: String,
}

/// The state of a game, for a reader who asks by letter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Status {
    pub game: String,
    pub title_name: String,
    pub moment: String,
    pub seq: u64,
    /// What the game waits for, and since when.
    pub waits_for: String,
    pub since: String,
    /// The time left to answer, by the reader's clock.
    pub deadline: Option<Deadline>,
    pub seats: Vec<SeatStatus>,
    /// The motions that wait for votes.
    pub motions: Vec<MotionStatus>,
    pub is_paused: bool,
    /// How many answers there are in each class of assurance (A5), in a sentence; `None` before the first answer.
    pub classes: Option<String>,
}

/// A seat of a game, for a reader who asks for its state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeatStatus {
    pub seat: String,
    pub player: String,
    /// Whether the host himself plays it.
    pub hosted: bool,
    /// Whether its player has given the game up.
    pub has_conceded: bool,
    /// Whether it is free for another player.
    pub is_free: bool,
    /// What its clock does: `away 2026-12-24..2027-01-02`, `a program plays it`.
    pub time: Vec<String>,
}

impl Status {
    /// The state of the game of a fold, for a reader. `since` is the time at which it last went on.
    pub fn of(fold: &Fold, since: Stamp, reader: Option<Seat>) -> Status {
        let plan = fold.plan();
        let seat = |(index, seat): (usize, &SeatPlan)| SeatStatus {
            seat: seat.word.clone(),
            player: seat.player.clone(),
            hosted: seat.hosted && seat.program.is_none(),
            time: deadline::of_seat(fold, Seat::at(index)),
            has_conceded: fold.council().has_conceded(Seat::at(index)),
            is_free: fold.council().free().any(|free| free == Seat::at(index)),
        };
        Status {
            game: plan.name.clone(),
            title_name: plan.title.name.to_owned(),
            moment: fold.game().moment(),
            seq: fold.head().seq,
            waits_for: fold.waits_for(),
            since: deadline::moment(fold, reader, since),
            deadline: deadline::deadline(fold, reader),
            seats: plan.seats.iter().enumerate().map(seat).collect(),
            motions: fold.council().motions().iter().map(|moved| MotionStatus::of(fold, moved)).collect(),
            is_paused: fold.paused().is_some(),
            classes: closing::classes(fold.tally()),
        }
    }
}

/// How letters are answered, every request, and what a title's sentences mean.
pub fn help(title: &str, requests: &[HelpLine], columns: usize) -> String {
    templates::page(
        "help.txt",
        &templates::context(&json!({ "title": title, "requests": requests, "columns": columns })),
    )
}

/// The heading of help about one word.
pub fn heading(topic: &str, columns: usize) -> String {
    templates::page("heading.txt", &templates::context(&json!({ "topic": topic, "columns": columns })))
}

/// A sentence that was tried out, and what would follow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tried {
    pub said: String,
    pub then: Vec<String>,
}

/// What would be asked if the game played a letter that was only tried out.
pub fn trial(steps: &[Tried], columns: usize) -> String {
    templates::page("trial.txt", &templates::context(&json!({ "steps": steps, "columns": columns })))
}

/// Help about orders, lines ahead and clauses.
pub fn plans(title: &Title, columns: usize) -> String {
    let policies: Vec<Value> = title
        .orders
        .policies
        .iter()
        .map(|(question, answer)| json!({ "question": question, "answer": answer }))
        .collect();
    let page = json!({
        "policies": policies, "clauses": title.orders.clause_examples, "facts": (title.orders.fact_words)(),
        "columns": columns,
    });
    templates::page("plans.txt", &templates::context(&page))
}

/// Help about one word.
pub fn topic(topic: &Topic, columns: usize) -> String {
    templates::page("topic.txt", &templates::context(&json!({ "topic": topic, "columns": columns })))
}

/// How a seat signs its answer.
pub fn signing(signing: &Signing, columns: usize) -> String {
    templates::page("signing.txt", &templates::context(&json!({ "signing": signing, "columns": columns })))
}

/// How the checkpoint below a letter is checked.
pub fn checking(topic: &str, game: &str, columns: usize) -> String {
    let context = json!({ "topic": topic, "game": game, "purpose": CHECKPOINT, "columns": columns });
    templates::page("checking.txt", &templates::context(&context))
}

pub fn status(status: &Status, columns: usize) -> String {
    templates::page("status.txt", &templates::context(&json!({ "status": status, "columns": columns })))
}

/// The table of an occasion, and nothing else.
pub fn table(occasion: &Occasion, columns: usize) -> String {
    templates::page("map.txt", &templates::context(&Frame::of(occasion, columns)))
}

/// The line that confirms a request, to be copied.
pub fn confirm(line: &str, columns: usize) -> String {
    templates::page("confirm.txt", &templates::context(&json!({ "line": line, "columns": columns })))
}

/// The lines of a letter that nothing ties to its seat, for its player to send back (A5).
pub fn send_back(lines: &[String], columns: usize) -> String {
    templates::page("send-back.txt", &templates::context(&json!({ "lines": lines, "columns": columns })))
}

/// The heading of a history: which entries follow, and how to get the rest.
pub fn history_heading(first: u64, to: u64, last: u64, columns: usize) -> String {
    let context = json!({ "first": first, "to": to, "last": last, "columns": columns });
    templates::page("history.txt", &templates::context(&context))
}
