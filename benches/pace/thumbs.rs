//! Rules of thumb: what a player of a title writes in addition to the answer that he is asked for.

use super::bot::{Mind, TRIES_AHEAD, Worth, any};
use engine::chance::{Practice, drawn};
use engine::menu::Menu;
use engine::need::{Need, Question};
use engine::play::{Play, Rules};
use engine::seat::Seat;
use engine::slot::Faces;
use ground::hash::sha256;

/// How many of the possible orders the players leave; each way includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ways {
    /// No orders.
    Asked,
    /// Clauses behind attacks, and one letter of the defender for each battle.
    Battles,
    /// Policies for the Hunt or for the windows of others, frames for the next turn, lists of cards.
    Policies,
    /// The whole turn ahead, by the seat that is asked.
    Ahead,
    /// Both seats write when a turn opens for everybody.
    Both,
    /// Defences left before anybody attacks.
    Defences,
}

impl Ways {
    pub const ALL: [Ways; 6] = [Ways::Asked, Ways::Battles, Ways::Policies, Ways::Ahead, Ways::Both, Ways::Defences];

    pub fn words(self) -> &'static str {
        match self {
            Ways::Asked => "no orders",
            Ways::Battles => "clauses, a defence a battle",
            Ways::Policies => "policies, frames, card lists",
            Ways::Ahead => "the whole turn ahead",
            Ways::Both => "both when the dice fall",
            Ways::Defences => "defences left beforehand",
        }
    }
}

/// A title as its players think about it.
pub trait Thumbs: 'static {
    type Rules: Rules;
    const TITLE: &'static str;
    const SEATS: &'static [&'static str];
    /// The question with which a turn is written.
    const OPENS: &'static str;
    /// The greatest difference between answers that count as equally good.
    const MARGIN: i64;
    const WORTH: Worth<Self::Rules>;

    /// Tells apart two occasions on which a seat is asked the same question in a turn.
    fn moment(board: &<Self::Rules as Rules>::Board, seat: Seat) -> String;
    /// The orders left with the first letter, for the whole game.
    fn standing(seat: Seat, ways: Ways) -> Vec<&'static str>;
    /// Orders for the turn, with the titles of the cards in the seat's hand.
    fn for_turn(play: &Play<Self::Rules>, seat: Seat, hand: &[String], ways: Ways) -> Vec<String>;
    /// Orders of a seat for the battle that is being fought.
    fn for_battle(play: &Play<Self::Rules>, seat: Seat, hand: &[String]) -> Vec<String>;
    /// The clauses behind a sentence that begins a battle.
    fn clauses(play: &Play<Self::Rules>, sentence: &str, hand: &[String]) -> String;
    /// A sentence as it is written ahead, below these lines, with its guards.
    fn ahead(seat: Seat, sentence: &str, clauses: &str, before: &[String]) -> String;
    /// Whether a sentence makes any difference, so that its player may think of it.
    fn is_wanted(sentence: &str) -> bool;
    /// Whether a sentence belongs in a plan, and whether the plan ends with it to see its result.
    fn is_for_plan(sentence: &str) -> bool;
    fn ends_plan(sentence: &str) -> bool;
    /// Whether a question that the seat's own action raises is answered in the plan as well.
    fn is_answered_ahead(question: &str) -> bool;
    /// What another seat does while a turn is planned: as little as possible.
    fn least() -> &'static [&'static str];
}

/// What a seat knows: the public board and its own hand.
pub struct Table<'a, T: Thumbs> {
    pub play: &'a Play<T::Rules>,
    pub seat: Seat,
    pub faces: &'a Faces,
    pub number: u64,
}

impl<T: Thumbs> Table<'_, T> {
    /// The lines of the turn from here on; the first answers the question if the seat is asked now. The other seats
    /// do as little as possible in between.
    pub fn plan(&self, hand: &[String], lines_max: usize) -> Vec<String> {
        let is_asked = matches!(self.play.need(), Need::Question(question) if question.seat == self.seat);
        let (mut play, turn) = (self.play.clone(), T::Rules::turn(self.play.board()));
        play.forget();
        let mut chance = Practice::new(seed(&[&self.number.to_string(), &turn, "plan"]));
        let mut lines = Vec::new();
        for _ in 0..400 {
            if T::Rules::turn(play.board()) != turn || lines.len() >= lines_max {
                break;
            }
            match play.need() {
                Need::Question(question) if question.seat == self.seat => {
                    let is_line = is_own::<T>(question.id) || T::is_answered_ahead(question.id);
                    let mind = mind::<T>(&play, self.faces, self.number, question);
                    let best = mind
                        .best(TRIES_AHEAD, |sentence| T::is_wanted(sentence) && (!is_line || T::is_for_plan(sentence)));
                    let Some(best) = best else { break };
                    if is_line {
                        let clauses = T::clauses(&play, &best.sentence, hand);
                        let is_now = is_asked && lines.is_empty();
                        lines.push(if is_now {
                            best.sentence.clone() + &clauses
                        } else {
                            T::ahead(self.seat, &best.sentence, &clauses, &lines)
                        });
                        if T::ends_plan(&best.sentence) {
                            break;
                        }
                    }
                    say(&mut play, &best.sentence, self.faces);
                }
                Need::Question(_) => {
                    let none = Faces::default();
                    let least = T::least().iter().find(|least| {
                        let step = play.asked().expect("a question is asked");
                        Menu::read(least, |menu| T::Rules::menu(play.board(), step, &none, menu)).is_ok()
                    });
                    match least {
                        Some(least) => say(&mut play, least, &none),
                        None => {
                            let steps = any(&play, &none, &mut chance);
                            play.say(steps);
                        }
                    }
                }
                Need::Draw(draw) => play.answer(drawn(&draw, &mut chance)),
                Need::Mask(_) | Need::Show(_) | Need::Over => break,
            }
        }
        lines
    }
}

/// The mind of an asked seat.
pub fn mind<'a, T: Thumbs>(
    play: &'a Play<T::Rules>,
    faces: &'a Faces,
    number: u64,
    question: Question,
) -> Mind<'a, T::Rules> {
    let (turn, moment) = (T::Rules::turn(play.board()), T::moment(play.board(), question.seat));
    let parts =
        [&*number.to_string(), &turn, &moment, &question.seat.index().to_string(), question.id].map(str::to_owned);
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    Mind { play, worth: T::WORTH, faces, seed: seed(&parts) }
}

fn is_own<T: Thumbs>(question: &str) -> bool {
    let title = ringmail::titles::ALL.by_id(T::TITLE).expect("a title");
    title.orders.own_turn.contains(&question)
}

fn say<R: Rules>(play: &mut Play<R>, sentence: &str, faces: &Faces) {
    let step = play.asked().expect("a question is asked");
    let read = Menu::read(sentence, |menu| R::menu(play.board(), step, faces, menu));
    let (_, steps) = read.unwrap_or_else(|refusal| panic!("`{sentence}` to `{step}`: {refusal}"));
    play.say(steps);
}

/// A number derived from words.
pub fn seed(parts: &[&str]) -> u64 {
    let hash = sha256(parts.join("/").as_bytes());
    u64::from_le_bytes(*hash.0.first_chunk().expect("a hash has 32 bytes"))
}
