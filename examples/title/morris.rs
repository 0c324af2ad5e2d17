/*! Nine Men's Morris: a whole title in one file, to read before you write one.

[`TITLE`] is what the other rooms know of it. The [`Rules`] say what each [`Step`] waits for, what may be said to it and
what it does; only [`Event`]s change the [`Board`]. The numbers are those of `rules.md`.
*/

use engine::bot::judgement::Judgement;
use engine::bot::thinker::Thinker;
use engine::facts::{Facts, Sheet};
use engine::game::Game;
use engine::menu::{Ask, Menu};
use engine::name::{Name, Named};
use engine::need::{Need, Question};
use engine::outcome::Outcome;
use engine::play::{Play, Rules};
use engine::refusal::{Allowed, allowed_if};
use engine::seat::Seat;
use engine::slot::Faces;
use engine::title::{Asked, Cards, Document, Orders, Setup, Teams, Texts, Title, Unplayable};
use serde_json::{Value, json};
use std::fmt;
use std::sync::LazyLock;

pub static TITLE: Title = Title {
    id: "morris",
    name: "Nine Men's Morris",
    editions: &["morris/1"],
    seats: &[&SEATS],
    switches: &[],
    questions: &[
        Asked { id: "man", group: "", help: "which man you place or move" },
        Asked { id: "take", group: "", help: "which man you take with a mill" },
    ],
    teams: Teams::NONE,
    cards: Cards::NONE,
    texts: Texts {
        rulebook: &[Document { id: "rules", markdown: include_str!("rules.md") }],
        openers: "place …\nmove …\ntake …\n",
        names: || NAMES.iter().collect(),
        ..Texts::NONE
    },
    orders: Orders::NONE,
    begin,
    bot: &Thinker::<Morris>::ONLY,
};

const SEATS: [&str; 2] = ["white", "black"];
const WHITE: Seat = Seat(1);

/// 1.2: the men of each player; 2.3: with this many he flies; 4.3: the turns after which the game is drawn.
const MEN: u32 = 9;
const FLYING: u32 = 3;
const QUIET_MAX: u32 = 100;

/// 1.1: the points, as they are read in the drawing.
const POINTS: [&str; 24] = [
    "a7", "d7", "g7", "b6", "d6", "f6", "c5", "d5", "e5", "a4", "b4", "c4", "e4", "f4", "g4", "c3", "d3", "e3", "b2",
    "d2", "f2", "a1", "d1", "g1",
];

/// 1.1: the lines of three points, first along the board, then up. Points next to each other on a line are neighbours.
const LINES: [usize; 48] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, //
    0, 9, 21, 3, 10, 18, 6, 11, 15, 1, 4, 7, 16, 19, 22, 8, 12, 17, 5, 13, 20, 2, 14, 23,
];

const DRAWING: &str = "\
7 .-----------.-----------.
  |           |           |
6 |   .-------.-------.   |
  |   |       |       |   |
5 |   |   .---.---.   |   |
  |   |   |       |   |   |
4 .---.---.       .---.---.
  |   |   |       |   |   |
3 |   |   .---.---.   |   |
  |   |       |       |   |
2 |   .-------.-------.   |
  |           |           |
1 .-----------.-----------.
  a   b   c   d   e   f   g";

static NAMES: LazyLock<Vec<Name>> = LazyLock::new(|| POINTS.iter().map(|point| Name::new(point, point, &[])).collect());

/// A point of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point(usize);

impl Point {
    fn all() -> Vec<Point> {
        (0..POINTS.len()).map(Point).collect()
    }

    fn touches(self, other: Point) -> bool {
        let beside = |two: &[usize]| two == [self.0, other.0] || two == [other.0, self.0];
        LINES.chunks(3).any(|line| line.windows(2).any(beside))
    }
}

impl Named for Point {
    fn name(&self) -> &'static Name {
        &NAMES[self.0]
    }
}

impl fmt::Display for Point {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(POINTS[self.0])
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    points: [Option<Seat>; POINTS.len()],
    /// The men that each player has yet to place.
    hands: [u32; 2],
    /// The number of the turn, from 1, and the turns since a man was placed or taken.
    turn: u32,
    quiet: u32,
    outcome: Option<Outcome>,
}

impl Board {
    /// 1.2: white begins.
    fn active(&self) -> Seat {
        if self.turn % 2 == 1 { WHITE } else { Seat(2) }
    }

    fn men(&self, seat: Seat) -> u32 {
        self.hands[seat.index()] + self.points.iter().filter(|man| **man == Some(seat)).count() as u32
    }

    fn is_of(&self, point: Point, seat: Seat) -> bool {
        self.points[point.0] == Some(seat)
    }

    /// 3.1.
    fn is_in_mill(&self, point: Point) -> bool {
        let man = self.points[point.0];
        LINES
            .chunks(3)
            .any(|line| line.contains(&point.0) && line.iter().all(|at| man.is_some() && self.points[*at] == man))
    }

    /// 2.2, 2.3: where a man of the active player may go.
    fn may_go(&self, from: Point, to: Point) -> bool {
        self.points[to.0].is_none() && (self.men(self.active()) == FLYING || from.touches(to))
    }

    fn can_leave(&self, from: Point) -> bool {
        self.is_of(from, self.active()) && Point::all().into_iter().any(|to| self.may_go(from, to))
    }

    /// 3.2: whether the active player may take this man.
    fn may_take(&self, point: Point) -> Allowed {
        let other = other(self.active());
        allowed_if(self.is_of(point, other), "3.1", || format!("no man of {} stands there", word(other)))?;
        let is_free = |point: Point| self.is_of(point, other) && !self.is_in_mill(point);
        let all_in_mills = !Point::all().into_iter().any(is_free);
        allowed_if(is_free(point) || all_in_mills, "3.2", || "the man is in a mill, and others are not".to_string())
    }

    /// Chapter 4, before a turn: how it ended.
    fn ending(&self) -> Option<Outcome> {
        let active = self.active();
        let outcome = |winners, reason: &str| Some(Outcome { winners, reason: reason.to_string(), points: Vec::new() });
        if self.men(active) < FLYING {
            return outcome(vec![other(active)], "only two men are left");
        }
        if self.hands[active.index()] == 0 && !Point::all().into_iter().any(|from| self.can_leave(from)) {
            return outcome(vec![other(active)], "no man can move");
        }
        if self.quiet < QUIET_MAX { None } else { outcome(Vec::new(), "no man was taken for 100 turns") }
    }

    fn drawn(&self) -> Vec<String> {
        let mut marks = self.points.iter().map(|man| man.map_or('+', |seat| if seat == WHITE { 'O' } else { '#' }));
        let mut mark = |drawn: char| if drawn == '.' { marks.next().expect("24 points are drawn") } else { drawn };
        let mut lines: Vec<String> = DRAWING.lines().map(|line| line.chars().map(&mut mark).collect()).collect();
        lines.push(format!("O white: {} men, {} in hand", self.men(WHITE), self.hands[0]));
        lines.push(format!("# black: {} men, {} in hand", self.men(other(WHITE)), self.hands[1]));
        lines
    }
}

fn other(seat: Seat) -> Seat {
    Seat(3 - seat.0)
}

fn word(seat: Seat) -> &'static str {
    SEATS[seat.index()]
}

#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// The active player places or moves a man.
    Man,
    Place(Point),
    Move(Point, Point),
    /// He may have closed a mill with the man that stands there now.
    Mill(Point),
    /// He takes a man of the other player.
    Take,
    Remove(Point),
    EndTurn,
}

impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Man => write!(formatter, "man"),
            Step::Place(to) => write!(formatter, "place {to}"),
            Step::Move(from, to) => write!(formatter, "move {from} {to}"),
            Step::Mill(at) => write!(formatter, "mill {at}"),
            Step::Take => write!(formatter, "take"),
            Step::Remove(at) => write!(formatter, "remove {at}"),
            Step::EndTurn => write!(formatter, "end-turn"),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    Placed(Seat, Point),
    Moved(Seat, Point, Point),
    Taken(Seat, Point),
    TurnEnded,
}

#[derive(Clone)]
pub struct Morris;

impl Rules for Morris {
    type Board = Board;
    type Step = Step;
    type Event = Event;

    fn need(board: &Board, step: &Step) -> Option<Need> {
        let ask = |id| Some(Need::Question(Question { seat: board.active(), id }));
        match step {
            Step::Man => ask("man"),
            Step::Take => ask("take"),
            Step::Place(_) | Step::Move(..) | Step::Mill(_) | Step::Remove(_) | Step::EndTurn => None,
        }
    }

    fn menu(board: &Board, step: &Step, _: &Faces, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
        let (points, active) = (Point::all(), board.active());
        let empty =
            |point: Point| allowed_if(board.points[point.0].is_none(), "2.1", || "a man stands there".to_string());
        if *step == Step::Take {
            menu.word("take")?;
            return Ok(vec![Step::Remove(menu.pick("man", &points, |point| board.may_take(point))?), Step::EndTurn]);
        }
        if board.hands[active.index()] > 0 {
            menu.word("place")?;
            let to = menu.pick("point", &points, empty)?;
            return Ok(vec![Step::Place(to), Step::Mill(to)]);
        }
        menu.word("move")?;
        let from = menu.choose("man", &points, |from| {
            allowed_if(board.is_of(from, active), "2.2", || format!("no man of {} stands there", word(active)))?;
            allowed_if(board.can_leave(from), "2.2", || "no empty point is next to it".to_string())
        })?;
        menu.word("to")?;
        let to = menu.pick("point", &points, |to| {
            empty(to)?;
            allowed_if(board.may_go(from, to), "2.2", || format!("{to} is not next to {from}"))
        })?;
        Ok(vec![Step::Move(from, to), Step::Mill(to)])
    }

    fn perform(play: &mut Play<Self>, step: Step) {
        let active = play.board().active();
        match step {
            Step::Place(to) => play.tell(Event::Placed(active, to)),
            Step::Move(from, to) => play.tell(Event::Moved(active, from, to)),
            // 3.1: a man is taken before the turn ends.
            Step::Mill(at) => play.push(if play.board().is_in_mill(at) { Step::Take } else { Step::EndTurn }),
            Step::Remove(at) => play.tell(Event::Taken(other(active), at)),
            Step::EndTurn => {
                play.tell(Event::TurnEnded);
                if play.board().outcome.is_none() {
                    play.push(Step::Man);
                }
            }
            Step::Man | Step::Take => unreachable!("`{step}` is a question"),
        }
    }

    fn evolve(board: &mut Board, event: &Event) {
        match event {
            Event::Placed(seat, to) => {
                board.points[to.0] = Some(*seat);
                board.hands[seat.index()] -= 1;
                board.quiet = 0;
            }
            Event::Moved(_, from, to) => board.points.swap(from.0, to.0),
            Event::Taken(_, at) => {
                board.points[at.0] = None;
                board.quiet = 0;
            }
            Event::TurnEnded => {
                board.turn += 1;
                board.quiet += 1;
                board.outcome = board.ending();
            }
        }
    }

    fn facts(sheet: &mut Sheet<'_, Board>) {
        for (index, point) in POINTS.iter().enumerate() {
            let written = |man: Option<Seat>, facts: &mut Facts| {
                man.iter().for_each(|seat| _ = facts.word(word(*seat)));
            };
            sheet.fact(point, |board| board.points[index], written);
        }
        let number = |number: u32, facts: &mut Facts| _ = facts.number(number);
        sheet.fact("hand.white", |board| board.hands[0], number);
        sheet.fact("hand.black", |board| board.hands[1], number);
        sheet.fact("turn", |board| board.turn, number);
        sheet.fact("quiet", |board| board.quiet, number);
        sheet.fact("over", |board| u32::from(board.outcome.is_some()), number);
    }

    fn moment(board: &Board) -> String {
        format!("turn {}, {}", board.turn, word(board.active()))
    }

    fn outcome(board: &Board) -> Option<Outcome> {
        board.outcome.clone()
    }

    fn view(play: &Play<Self>, _: Option<Seat>, _: &Faces) -> Value {
        let board = play.board();
        let (short, text) = match play.asked() {
            None => ("nothing", "Nothing is asked."),
            Some(Step::Take) => ("take a man", "You have closed a mill: take a man (3.1)."),
            Some(_) if board.hands[board.active().index()] > 0 => {
                ("place a man", "It is your turn: place a man (2.1).")
            }
            Some(_) if board.men(board.active()) == FLYING => ("fly with a man", "It is your turn: fly (2.3)."),
            Some(_) => ("move a man", "It is your turn: move a man (2.2)."),
        };
        json!({ "asked": { "short": short, "text": text }, "table": board.drawn() })
    }

    fn news(_: &Board, event: &Event, _: Option<Seat>, _: &Faces) -> Value {
        let text = match event {
            Event::Placed(seat, to) => format!("{} places a man on {to}.", word(*seat)),
            Event::Moved(seat, from, to) => format!("{} moves from {from} to {to}.", word(*seat)),
            Event::Taken(seat, at) => format!("{} loses the man on {at}.", word(*seat)),
            Event::TurnEnded => return Value::Null,
        };
        json!({ "kind": "event", "text": text[..1].to_uppercase() + &text[1..] })
    }
}

/// A man more is better, and so is an open mill more.
impl Judgement for Morris {
    fn hope(board: &Board, seat: Seat, _: &Faces) -> i64 {
        if let Some(outcome) = &board.outcome {
            return if outcome.winners.contains(&seat) { 1_000 } else { -1_000 };
        }
        let two_of = |seat: Seat| {
            let is_open = |line: &&[usize]| {
                let men = line.iter().filter(|at| board.points[**at] == Some(seat)).count();
                men == 2 && line.iter().any(|at| board.points[*at].is_none())
            };
            LINES.chunks(3).filter(is_open).count() as i64
        };
        let worth = |seat: Seat| 10 * i64::from(board.men(seat)) + 2 * two_of(seat);
        worth(seat) - worth(other(seat))
    }
}

fn begin(setup: &Setup) -> Result<Box<dyn Game>, Unplayable> {
    if setup.seats != SEATS || !setup.options.is_empty() {
        return Err(Unplayable("the seats are white, black, and there are no options".to_string()));
    }
    let board = Board { points: [None; POINTS.len()], hands: [MEN; 2], turn: 1, quiet: 0, outcome: None };
    Ok(Box::new(Play::<Morris>::begin(board, vec![Step::Man])))
}
