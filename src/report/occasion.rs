/*! What one reader may be told at one moment: plain data, everything that may go into his letter and nothing else.

An occasion is built only from what is public and the faces of the reader's own hand. No template can write what is
not in it: here, and only here, we decide who may know what.
*/

use crate::choices::Choices;
use crate::closing::Closing;
use crate::deadline::Deadline;
use crate::fate::Answered;
use crate::motion::MotionStatus;
use crate::verdict::Verdict;
use engine::game::Game;
use engine::need::Need;
use engine::outcome::Outcome;
use engine::seat::Seat;
use engine::slot::{Faces, Slot};
use engine::title::{Setup, Title};
use serde::Serialize;
use serde_json::Value;

/// How many lines of a menu we look at to draw similar ones together.
const OFFERS_MAX: usize = 400;

/// What one reader may be told at one moment.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Occasion {
    /// The game's id: `g1`.
    pub game: String,
    /// The title, by whose id its templates are found, and its name as printed.
    pub title: &'static Title,
    pub title_name: String,
    pub edition: String,
    /// What the charter changes in the rules, a sentence each; empty if the reader was told before.
    pub rules: Vec<String>,
    /// The reader's seat; `None` for the public.
    pub reader: Option<String>,
    pub seats: Vec<Chair>,
    /// Where the game stands, in words: `turn 5, combat`.
    pub moment: String,
    /// The turn, as the subject of a letter names it.
    pub turn: String,
    /// The newest entry of the log, and its hash in 64 hexadecimal digits.
    pub seq: u64,
    pub head: String,
    /// The words of the game's fingerprint, of which the first two stand in the subject.
    pub fingerprint: Vec<String>,
    /// Whether this is the reader's first letter of the game: it has all words of the fingerprint.
    pub is_first: bool,
    /// Whether the letter ends with a checkpoint, which tells the head.
    pub has_checkpoint: bool,
    /// What happened since the reader was last told.
    pub news: Vec<EntryNews>,
    /// What the title shows this reader.
    pub view: Value,
    /// What it showed him when he was last told, if a picture is to mark what is new.
    #[serde(skip)]
    pub before: Option<Value>,
    /// In a brief letter, which is as long as its question, the ids of the only places that it shows. The reader had
    /// the whole table in this turn.
    pub brief: Option<Vec<String>>,
    /// The proofs of the cards in the reader's hand.
    pub openings: Vec<Opening>,
    pub waits: Waits,
    /// The time left to answer; `None` in a game without a schedule.
    pub deadline: Option<Deadline>,
    /// Whether a program plays in the reader's stead, until he is back.
    pub is_stood_in: bool,
    pub standing: Vec<StandingOrder>,
    /// Sentences of the reader that wait for a question.
    pub kept: Vec<String>,
    /// Why they wait although the reader is asked, if his plan has stopped.
    pub stopped: Option<String>,
    /// For the order form: what the reader may write along with his answer, or for the turn that has begun.
    pub form: Vec<Chained>,
    /// The motions that wait for votes, and those that wait for the reader's vote.
    pub motions: Vec<MotionStatus>,
    pub to_vote: Vec<u64>,
    /// Whether a new host needs the reader's consent.
    pub wants_consent: bool,
    /// Questions that a standing order would have answered since the reader was last told.
    pub saved: Vec<Saved>,
    /// The pace of the turns that have ended since the reader was last told, a sentence each.
    pub pace: Vec<String>,
    /// How much was played, if the letter that caused this one was not played in full.
    pub verdict: Option<Verdict>,
    /// What became of the lines of the letter that caused this one.
    pub answers: Vec<Answered>,
    /// Texts that the letter asked for, line by line: help, a history, an older table.
    pub asked_for: Vec<Vec<String>>,
    /// How sure it is who wrote the answers; for a game that is over.
    pub classes: Option<String>,
    /// How far the log has come, and the result of checking it; for a game that is over.
    pub closing: Option<Closing>,
    /// How the reader gets the whole game as a page; in the letter that brings the last record.
    pub whole_game: Option<WholeGame>,
}

/// A whole game as a page for a browser, at its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum WholeGame {
    /// It comes with the letter, as the file of this name.
    Attached { file: String },
    /// The reader can make it himself.
    LeftOut { why: WhyLeftOut },
}

/// Why the page of a game does not come with a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum WhyLeftOut {
    /// The reader wants no pictures.
    NoPictures,
    TooLarge,
}

/// Lines of the order form, and what they are for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Chained {
    pub why: String,
    pub lines: Vec<String>,
}

/// A seat and who sits there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Chair {
    pub seat: String,
    pub player: String,
}

/// What an entry of the log brought about, as the title tells it to the reader.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EntryNews {
    pub seq: u64,
    pub told: Vec<Value>,
}

/// The proof of what lies on a face-down slot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Opening {
    pub deck: String,
    pub epoch: u8,
    pub position: u16,
    pub card: String,
    /// 64 hexadecimal digits.
    pub salt: String,
}

/// What the game waits for, as the reader sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "for", rename_all = "kebab-case")]
pub enum Waits {
    /// An answer of the reader.
    Reader { id: String, choices: Choices },
    /// An answer of somebody else.
    Other { seat: String, id: String },
    /// Dice or cards that the host's program is about to give.
    Host { what: String },
    /// Nothing: the game is over.
    Nobody { ended: Option<Ended> },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ended {
    pub winners: Vec<String>,
    pub reason: String,
    pub points: Vec<Score>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Score {
    pub seat: String,
    pub points: i32,
}

/// A standing order of the reader, in clear: it goes to nobody else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StandingOrder {
    /// The number by which it is cancelled.
    pub number: u64,
    /// As it was given: `when asked violent-storms say pass until end of turn`.
    pub order: String,
    /// What it would say now, if it has conditions.
    pub now: Option<String>,
}

/// A question that a standing order would have answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Saved {
    pub seq: u64,
    pub order: String,
}

impl Saved {
    /// The order that would have given this answer, if the answer was to do nothing in this title.
    pub fn of(title: &Title, seq: u64, question: &str, said: &str) -> Option<Saved> {
        title.orders.idle.contains(&said).then(|| Saved { seq, order: format!("when asked {question} say {said}") })
    }
}

/// What the game itself does not know: its id, its players, where its log ends.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    pub id: &'a str,
    pub title: &'static Title,
    pub setup: &'a Setup,
    /// The players, in the order of the seats.
    pub players: &'a [String],
    pub seq: u64,
    pub head: &'a str,
}

/// The part of `faces` that the reader may know: the cards on the slots that he may look at. A secret can reach a
/// letter through this function alone; what was opened to all is on the board.
pub fn known_to(reader: Option<Seat>, game: &dyn Game, faces: &Faces) -> Faces {
    reader.map_or_else(Faces::default, |seat| faces.of(&game.hand(seat)))
}

impl Setting<'_> {
    /// What the reader sees when he looks at the table now: no news, no answers, no standing orders, no proofs. It
    /// takes from `faces` only what the reader may know.
    pub fn look(&self, game: &dyn Game, reader: Option<Seat>, faces: &Faces) -> Occasion {
        let faces = known_to(reader, game, faces);
        let chair = |(seat, player): (&String, &String)| Chair { seat: seat.clone(), player: player.clone() };
        Occasion {
            game: self.id.to_string(),
            title: self.title,
            title_name: self.title.name.to_string(),
            edition: self.setup.edition.clone(),
            rules: Vec::new(),
            reader: reader.map(|seat| self.seat(seat)),
            seats: self.setup.seats.iter().zip(self.players).map(chair).collect(),
            moment: game.moment(),
            turn: game.turn(),
            seq: self.seq,
            head: self.head.to_string(),
            fingerprint: Vec::new(),
            is_first: false,
            has_checkpoint: false,
            news: Vec::new(),
            view: game.view(reader, &faces),
            before: None,
            brief: None,
            openings: Vec::new(),
            waits: self.waits(game, reader, &faces),
            deadline: None,
            is_stood_in: false,
            standing: Vec::new(),
            kept: Vec::new(),
            stopped: None,
            form: Vec::new(),
            motions: Vec::new(),
            to_vote: Vec::new(),
            wants_consent: false,
            saved: Vec::new(),
            pace: Vec::new(),
            verdict: None,
            answers: Vec::new(),
            asked_for: Vec::new(),
            classes: None,
            closing: None,
            whole_game: None,
        }
    }

    /// The proofs of what the reader may look at. `salt` gives the salt of a slot; it is called for these slots
    /// alone.
    pub fn openings(
        &self,
        game: &dyn Game,
        reader: Seat,
        faces: &Faces,
        salt: impl Fn(Slot) -> Option<String>,
    ) -> Vec<Opening> {
        let faces = known_to(Some(reader), game, faces);
        let opening = |slot: Slot| {
            Some(Opening {
                deck: self.title.deck_name(self.setup, slot.deck).to_string(),
                epoch: slot.epoch,
                position: slot.position,
                card: (self.title.cards.id)(faces.get(slot)?).to_string(),
                salt: salt(slot)?,
            })
        };
        game.hand(reader).into_iter().filter_map(opening).collect()
    }

    fn waits(&self, game: &dyn Game, reader: Option<Seat>, faces: &Faces) -> Waits {
        match game.need() {
            Need::Question(question) if Some(question.seat) == reader => {
                Waits::Reader { id: question.id.to_string(), choices: Choices::of(&game.offers(faces, OFFERS_MAX)) }
            }
            Need::Question(question) => Waits::Other { seat: self.seat(question.seat), id: question.id.to_string() },
            Need::Over => Waits::Nobody { ended: game.outcome().map(|outcome| self.ended(&outcome)) },
            need => Waits::Host { what: need.kind().to_string() },
        }
    }

    /// How the game ended, in words.
    pub fn ended(&self, outcome: &Outcome) -> Ended {
        let score = |(seat, points): &(Seat, i32)| Score { seat: self.seat(*seat), points: *points };
        Ended {
            winners: outcome.winners.iter().map(|seat| self.seat(*seat)).collect(),
            reason: outcome.reason.clone(),
            points: outcome.points.iter().map(score).collect(),
        }
    }

    /// The word for a seat. A seat that the charter lacks is called by its number: a letter must not fail for it.
    fn seat(&self, seat: Seat) -> String {
        self.setup.seats.get(seat.index()).cloned().unwrap_or_else(|| format!("seat {}", seat.0))
    }
}

/// What the title tells the reader of everything since the game last forgot its news.
pub fn entry_news(game: &dyn Game, seq: u64, reader: Option<Seat>, faces: &Faces) -> EntryNews {
    EntryNews { seq, told: game.news(reader, &known_to(reader, game, faces)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_standing_order_is_proposed_for_doing_nothing_and_for_no_choice() {
        let title = &wotr::title::TITLE;
        let order = |said: &str| Saved::of(title, 7, "combat-card", said).map(|saved| saved.order);
        assert_eq!(order("pass").as_deref(), Some("when asked combat-card say pass"));
        assert_eq!(order("no card").as_deref(), Some("when asked combat-card say no card"));
        assert_eq!(order("lay athelas"), None);
    }
}
