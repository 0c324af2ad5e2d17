//! A small title for the tests of the record: it rolls, shuffles, draws, hides, shows and masks anew.
//!
//! Seats take turns in a random order. A seat that is asked `riddle` rolls dice, plays a card of its hand, dares the
//! next seat, or passes. A dared seat is asked `answer`; its first card is shown if it is a ring or a fish. When the
//! deck is empty, the discards are masked again. After a fixed number of turns the game is over.

use engine::bot::judgement::Judgement;
use engine::bot::thinker::Thinker;
use engine::facts::{Facts, Sheet};
use engine::game::Game;
use engine::menu::{Ask, Menu};
use engine::name::{Name, Named};
use engine::need::{Answer, Back, Draw, Mask, Need, Question, Show};
use engine::outcome::Outcome;
use engine::play::{Play, Rules};
use engine::refusal::{allowed_if, barred};
use engine::seat::Seat;
use engine::slot::{Card, Deck, Faces, Slot};
use engine::title::{Asked, Cards, Orders, PrintedDeck, Setup, Switch, Teams, Texts, Title, Titles, Unplayable};
use serde_json::{Value, json};
use std::fmt;
use std::sync::LazyLock;

#[derive(Clone)]
struct Riddles;

/// The titles of the program, and the small one.
pub static TITLES: Titles = Titles(|| &ALL);
static ALL: [&Title; 3] = [&RIDDLES, &risk::title::TITLE, &wotr::title::TITLE];

pub const EDITION: &str = "riddles/1";
/// Like the first edition, but a roll counts twice.
pub const SECOND_EDITION: &str = "riddles/2";
const CARDS: [&str; 4] = ["ring", "fish", "egg", "time"];
const COPIES: usize = 2;
const TURNS: u32 = 60;

#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    order: Vec<Seat>,
    edition: u32,
    turns: u32,
    turn: u32,
    points: Vec<u32>,
    hands: Vec<Vec<Slot>>,
    epoch: u8,
    left: Vec<u16>,
    discards: Vec<Back>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    Order,
    Draw(Seat),
    Mask,
    Riddle,
    Roll(Seat, u32),
    Dared(Seat),
    Reveal(Slot),
    Next,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Order => write!(f, "order"),
            Step::Draw(seat) => write!(f, "draw {}", seat.0),
            Step::Mask => write!(f, "mask"),
            Step::Riddle => write!(f, "riddle"),
            Step::Roll(seat, count) => write!(f, "roll {} {count}", seat.0),
            Step::Dared(seat) => write!(f, "dared {}", seat.0),
            Step::Reveal(slot) => write!(f, "reveal {}.{}", slot.epoch, slot.position),
            Step::Next => write!(f, "next"),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    Ordered(Vec<Seat>),
    Drawn(Seat, u16),
    Masked,
    Scored(Seat, u32),
    Played(Seat, Slot, Card),
    Turned,
}

static NAMES: LazyLock<Vec<Name>> = LazyLock::new(|| CARDS.iter().map(|card| Name::new(card, card, &[])).collect());

#[derive(Clone, Copy, PartialEq)]
struct Riddle(Card);

impl Named for Riddle {
    fn name(&self) -> &'static Name {
        &NAMES[usize::from(self.0.0)]
    }
}

impl Board {
    fn on_turn(&self) -> Seat {
        self.order[self.turn as usize % self.order.len()]
    }

    fn after(&self, seat: Seat) -> Seat {
        Seat::at(seat.index().wrapping_add(1) % self.order.len())
    }
}

impl Rules for Riddles {
    type Board = Board;
    type Step = Step;
    type Event = Event;

    fn need(board: &Board, step: &Step) -> Option<Need> {
        Some(match step {
            Step::Order => Need::Draw(Draw::Shuffle { label: "order", count: board.order.len() as u16 }),
            Step::Draw(_) => Need::Draw(Draw::Slot { deck: Deck(0), epoch: board.epoch, left: board.left.clone() }),
            Step::Mask => Need::Mask(Mask { deck: Deck(0), epoch: board.epoch + 1, goes_in: board.discards.clone() }),
            Step::Riddle => Need::Question(Question { seat: board.on_turn(), id: "riddle" }),
            Step::Roll(_, count) => Need::Draw(Draw::Dice { label: "roll", sides: 6, count: *count }),
            Step::Dared(seat) => Need::Question(Question { seat: *seat, id: "answer" }),
            Step::Reveal(slot) => Need::Show(Show { slot: *slot, among: vec![Card(0), Card(1)] }),
            Step::Next => return None,
        })
    }

    fn menu(board: &Board, step: &Step, faces: &Faces, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
        let Step::Riddle = step else {
            let yes = menu.branch(&[("yes", true), ("no|pass", false)], |_| Ok(()))?;
            let Step::Dared(seat) = step else { unreachable!("two questions are asked") };
            let shown = board.hands[seat.index()].first().map(|slot| Step::Reveal(*slot));
            return Ok(shown.filter(|_| yes).into_iter().collect());
        };
        let seat = board.on_turn();
        let hand = &board.hands[seat.index()];
        let known: Vec<(Slot, Card)> = hand.iter().filter_map(|slot| Some((*slot, faces.get(*slot)?))).collect();
        let ways = [("roll", 0), ("play", 1), ("dare", 2), ("pass", 3)];
        let way =
            menu.branch(
                &ways,
                |way| {
                    if way == 1 && known.is_empty() { barred("2", "the hand is empty") } else { Ok(()) }
                },
            )?;
        Ok(match way {
            0 => vec![Step::Roll(seat, menu.number("dice", 1..=3, "1")?), Step::Next],
            1 => {
                let cards: Vec<Riddle> = (0..4).map(|card| Riddle(Card(card))).collect();
                let held = |riddle: Riddle| known.iter().any(|(_, card)| *card == riddle.0);
                let chosen = menu.choose("card", &cards, |riddle| {
                    allowed_if(held(riddle), "2", || "the card is not in the hand".to_string())
                })?;
                let (slot, card) = *known.iter().find(|(_, card)| *card == chosen.0).expect("the card is held");
                menu.show(slot, card);
                let draw = (!board.left.is_empty()).then_some(Step::Draw(seat));
                [Some(Step::Reveal(slot)), draw, Some(Step::Next)].into_iter().flatten().collect()
            }
            2 => vec![Step::Dared(board.after(seat)), Step::Next],
            _ => vec![Step::Next],
        })
    }

    fn perform(play: &mut Play<Self>, step: Step) {
        assert_eq!(step, Step::Next);
        play.tell(Event::Turned);
        if play.board().turn == play.board().turns { play.stop() } else { play.push(Step::Riddle) }
    }

    fn settle(play: &mut Play<Self>, step: Step, answer: Answer) {
        match (step, answer) {
            (Step::Order, Answer::Order(order)) => {
                play.tell(Event::Ordered(order.into_iter().map(|seat| Seat::at(usize::from(seat))).collect()));
            }
            (Step::Draw(seat), Answer::Position(position)) => {
                play.tell(Event::Drawn(seat, position));
                if play.board().left.is_empty() && !play.board().discards.is_empty() {
                    play.push(Step::Mask);
                }
            }
            (Step::Mask, Answer::Masked) => play.tell(Event::Masked),
            (Step::Roll(seat, _), Answer::Dice(faces)) => {
                play.tell(Event::Scored(seat, faces.iter().sum::<u32>() * play.board().edition))
            }
            (Step::Reveal(slot), Answer::Shown(Some(card))) => {
                let holder = play.board().hands.iter().position(|hand| hand.contains(&slot)).expect("a hand holds it");
                play.tell(Event::Played(Seat::at(holder), slot, card));
            }
            (Step::Reveal(slot), Answer::Shown(None)) => {
                let holder = play.board().hands.iter().position(|hand| hand.contains(&slot)).expect("a hand holds it");
                play.tell(Event::Scored(Seat::at(holder), 1));
            }
            (step, answer) => unreachable!("{step} is not answered by {answer:?}"),
        }
    }

    fn evolve(board: &mut Board, event: &Event) {
        match event {
            Event::Ordered(order) => board.order.clone_from(order),
            Event::Drawn(seat, position) => {
                board.left.retain(|left| left != position);
                let slot = Slot { deck: Deck(0), epoch: board.epoch, position: *position };
                board.hands[seat.index()].push(slot);
            }
            Event::Masked => {
                board.epoch += 1;
                board.left = (0..board.discards.len() as u16).collect();
                board.discards.clear();
            }
            Event::Scored(seat, points) => board.points[seat.index()] += points,
            Event::Played(seat, slot, card) => {
                board.hands[seat.index()].retain(|held| held != slot);
                // Half of the cards go back face down, so that masks are made of both kinds.
                let back = if slot.position % 2 == 0 { Back::Slot(*slot) } else { Back::Known(*card) };
                board.discards.push(back);
            }
            Event::Turned => board.turn += 1,
        }
    }

    fn facts(sheet: &mut Sheet<'_, Board>) {
        let number = |number: u32, facts: &mut Facts| {
            facts.number(number);
        };
        sheet.fact("turn", |board| board.turn, number);
        sheet.fact("edition", |board| board.edition, number);
        for index in 0..sheet.board().points.len() {
            sheet.fact(&format!("points.{}", index + 1), |board| board.points[index], number);
        }
        for index in 0..sheet.board().hands.len() {
            sheet.fact(
                &format!("hand.{}", index + 1),
                |board| &board.hands[index],
                |hand, facts| {
                    for slot in hand {
                        facts.number(u32::from(slot.epoch)).number(u32::from(slot.position));
                    }
                },
            );
        }
        sheet.fact(
            "deck",
            |board| (board.epoch, board.left.len()),
            |(epoch, left), facts| {
                facts.number(u32::from(epoch)).number(left as u32);
            },
        );
    }

    fn moment(board: &Board) -> String {
        format!("turn {}, riddles", board.turn)
    }

    fn turn(board: &Board) -> String {
        format!("turn {}", board.turn)
    }

    fn outcome(board: &Board) -> Option<Outcome> {
        (board.turn == board.turns).then(|| {
            let most = board.points.iter().max().expect("there are seats");
            let seats = || (0..board.points.len()).map(Seat::at);
            Outcome {
                winners: seats().filter(|seat| board.points[seat.index()] == *most).collect(),
                reason: "most points".to_string(),
                points: seats().map(|seat| (seat, board.points[seat.index()] as i32)).collect(),
            }
        })
    }

    fn revised(board: &Board, edition: &str) -> Option<Board> {
        let edition = edition.strip_prefix("riddles/")?.parse().ok()?;
        Some(Board { edition, ..board.clone() })
    }

    fn hand(board: &Board, seat: Seat) -> Vec<Slot> {
        board.hands[seat.index()].clone()
    }

    fn view(_: &Play<Self>, _: Option<Seat>, _: &Faces) -> Value {
        json!({})
    }

    fn news(_: &Board, event: &Event, _: Option<Seat>, _: &Faces) -> Value {
        json!(format!("{event:?}"))
    }
}

static RIDDLES: Title = Title {
    id: "riddles",
    name: "Riddles in the Dark",
    editions: &[EDITION, SECOND_EDITION],
    seats: &[&["green", "black"], &["green", "black", "red"]],
    switches: &[Switch { name: "turns", values: &["60", "6", "2000"], help: "how long the game is" }],
    questions: &[
        Asked { id: "riddle", group: "", help: "whether you roll, and with whom" },
        Asked { id: "answer", group: "", help: "what you answer" },
    ],
    teams: Teams::NONE,
    cards: Cards {
        decks: |_| {
            let cards = (0..CARDS.len() * COPIES).map(|card| Card((card / COPIES) as u16)).collect();
            vec![PrintedDeck { name: "riddles", cards }]
        },
        id: |card| CARDS[usize::from(card.0)],
        of_id: |id| CARDS.iter().position(|card| *card == id).map(|card| Card(card as u16)),
    },
    texts: Texts::NONE,
    orders: Orders::NONE,
    begin,
    bot: &Thinker::<Riddles>::ONLY,
};

fn begin(setup: &Setup) -> Result<Box<dyn Game>, Unplayable> {
    let players = setup.seats.len();
    if !(2..=3).contains(&players) || setup.edition != EDITION {
        return Err(Unplayable("2 or 3 play riddles/1".to_string()));
    }
    let turns = match setup.options.as_slice() {
        [] => TURNS,
        [(name, turns)] if name == "turns" => {
            turns.parse().map_err(|_| Unplayable(format!("turns are a number, not {turns}")))?
        }
        _ => return Err(Unplayable("the only option is turns".to_string())),
    };
    let board = Board {
        order: (0..players).map(Seat::at).collect(),
        edition: 1,
        turns,
        turn: 0,
        points: vec![0; players],
        hands: vec![Vec::new(); players],
        epoch: 0,
        left: (0..(CARDS.len() * COPIES) as u16).collect(),
        discards: Vec::new(),
    };
    let mut steps = vec![Step::Order];
    steps.extend((0..players).map(|seat| Step::Draw(Seat::at(seat))));
    steps.push(Step::Riddle);
    Ok(Box::new(Play::<Riddles>::begin(board, steps)))
}

/// The bot knows nothing of it, and plays at random.
impl Judgement for Riddles {}
