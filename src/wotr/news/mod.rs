/*! What an event tells a reader: one finished sentence in the past tense, for templates.

The shape is `{"kind": "…", "text": "…"}`. `kind` is `turn` for the headline of a turn (`Turn 5`, without a full stop),
`roll` for dice and tiles, `note` for small things, `event` for the rest. `text` is a sentence with the reasons and
the dice in it, a capital letter and a full stop; it is empty if nothing needs to be said. A face-down card is named
only to a reader whose faces know it.

Events that come in large numbers (figures recruited or lost, Nazgûl flown, cards drawn) also have a `lead` and an
`item`: consecutive events with the same `lead` can be told as one sentence `{lead} {item}, {item}, {item}.` If equal
items are counted, `items` is their plural: `3 Isengard Regulars`.

`topic` says what an event is about (`battles`, `cards`, `dice`, `hunt`, `moves`, `politics`, `recruiting`). `counted`
is a list of what can be counted over a game: `{"is": "hits", "seat": "free", "hits": 1, "ways": 36, "sum": 24,
"squares": 32}`, where `sum` and `squares` are the sums of the hits and of their squares over all equally likely rolls
of these dice, scaled to `ways` rolls, and `{"is": "lost", "seat": "free", "units": 1}`.
*/

mod battles;
mod counted;
mod effects;
mod hunts;
mod moves;

use crate::board::Board;
use crate::board::victory::Victory;
use crate::card::{Card, EventDeck, Type};
use crate::die::{Destination, Face};
use crate::event::{Event, capture, dice, event_cards, politics, teams, turn};
use crate::player::Player;
use crate::side::Side;
use crate::texts;
use crate::victory;
use crate::words::{self, actor, subject, title};
use engine::plural;
use engine::seat::Seat;
use engine::slot::{Faces, Slot};
use serde_json::{Value, json};

/// How an event is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Turn,
    Roll,
    Note,
    Event,
}

/// What an event tells.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Telling {
    kind: Kind,
    text: String,
    heap: Option<Heap>,
}

/// How one sentence about many such events begins, what this one adds, and the plural for counting equal ones.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Heap {
    lead: String,
    item: String,
    items: Option<String>,
}

impl Telling {
    fn of_kind(kind: Kind, text: &str) -> Telling {
        Telling { kind, text: words::begin(text), heap: None }
    }

    fn event(text: impl AsRef<str>) -> Telling {
        Telling::of_kind(Kind::Event, text.as_ref())
    }

    fn roll(text: impl AsRef<str>) -> Telling {
        Telling::of_kind(Kind::Roll, text.as_ref())
    }

    fn note(text: impl AsRef<str>) -> Telling {
        Telling::of_kind(Kind::Note, text.as_ref())
    }

    /// An event that other events already tell.
    fn nothing() -> Telling {
        Telling::note("")
    }

    /// One of a heap: `lead` and `item` make its sentence.
    fn of_heap(lead: impl Into<String>, item: impl Into<String>) -> Telling {
        let (lead, item) = (lead.into(), item.into());
        Telling { kind: Kind::Event, text: format!("{lead} {item}."), heap: Some(Heap { lead, item, items: None }) }
    }

    /// One of a heap in which like items are counted: `items` is their plural without a number.
    fn of_counted(lead: impl Into<String>, item: impl Into<String>, items: impl Into<String>) -> Telling {
        let mut telling = Telling::of_heap(lead, item);
        let heap = telling.heap.as_mut().expect("it is one of a heap");
        heap.items = Some(items.into());
        telling
    }
}

/// What the event tells the reader. `None` is the public.
pub fn news(board: &Board, event: &Event, seat: Option<Seat>, faces: &Faces) -> Value {
    let telling = match event {
        Event::Moved(moved) => moves::told(board, moved),
        Event::Turn(event) => turn(*event),
        Event::Dice(event) => dice(board, *event),
        Event::Cards(event) => cards(board, *event, seat.and_then(|seat| board.player(seat)), faces),
        Event::Teams(event) => teams(*event),
        Event::Effect(event) => effects::told(event),
        Event::Battle(event) => battles::told(board, event),
        Event::Capture(event) => capture(board, *event),
        Event::Politics(event) => politics(*event),
        Event::Fellowship(event) => hunts::fellowship(*event),
        Event::Hunt(event) => hunts::hunt(event),
        Event::Won(victory) => won(board, *victory),
    };
    let kind = match telling.kind {
        Kind::Turn => "turn",
        Kind::Roll => "roll",
        Kind::Note => "note",
        Kind::Event => "event",
    };
    let mut told = json!({"kind": kind, "text": telling.text});
    if let Some(heap) = telling.heap {
        told["lead"] = json!(heap.lead);
        told["item"] = json!(heap.item);
        if let Some(items) = heap.items {
            told["items"] = json!(items);
        }
    }
    if let Some(topic) = counted::topic(event) {
        told["topic"] = json!(topic);
    }
    if let Some(counted) = counted::counted(event) {
        told["counted"] = json!([counted]);
    }
    told
}

/// Chapter 3.
fn turn(event: turn::Event) -> Telling {
    match event {
        turn::Event::Began { turn } => Telling { kind: Kind::Turn, text: format!("Turn {turn}"), heap: None },
        turn::Event::PhaseBegan(_) => Telling::nothing(),
    }
}

/// Chapter 4.
fn dice(board: &Board, event: dice::Event) -> Telling {
    match event {
        dice::Event::Recovered { pools: [free, shadow] } => Telling::note(format!(
            "The Free Peoples have {}, the Shadow has {}.",
            words::dice(free),
            words::dice(shadow)
        )),
        dice::Event::Allotted { number } => {
            // 17.8: the Leading Player decides it.
            let by = actor(board.leading(Side::Shadow));
            Telling::event(format!("{by} put {} into the Hunt Box.", words::dice(number)))
        }
        dice::Event::Rolled { side, faces } => Telling::roll(rolled(side, faces)),
        dice::Event::Taken { in_use, by } => {
            let shown = words::face(in_use.face);
            let die = if in_use.face == Face::Will { shown.to_string() } else { format!("{shown} die") };
            let used = if in_use.face == in_use.result {
                String::new()
            } else {
                format!(" as {}", words::face(in_use.result))
            };
            Telling::note(format!("{} spent {} {die}{used}.", actor(by), article(shown)))
        }
        dice::Event::PutAway(Destination::SetAside) => Telling::nothing(),
        dice::Event::PutAway(Destination::HuntBox) => Telling::note("The die went into the Hunt Box."),
        dice::Event::Skipped { by, face } => {
            let shown = words::face(face);
            Telling::event(format!("{} discarded {} {shown} die.", actor(by), article(shown)))
        }
        dice::Event::Quenched { side, face, number } => Telling::event(format!(
            "{} lost {} with {} for this turn.",
            subject(side),
            words::dice(number),
            words::face(face)
        )),
        dice::Event::Passed { by } => Telling::event(format!("{} passed.", actor(by))),
        dice::Event::RingUsed { by, from, to } => Telling::event(ring(by, from, to)),
        dice::Event::RingGiven { by } => {
            Telling::event(format!("{} gave up an Elven Ring; {}.", actor(by), ring_goes(by.side())))
        }
        dice::Event::MadeEye { side, face } => {
            let shown = words::face(face);
            let one = format!("{} {shown} die", article(shown));
            Telling::of_counted(format!("{} changed to the Eye:", subject(side)), one, format!("{shown} dice"))
        }
        dice::Event::Turned { side, from, to } => {
            let (from, to) = (words::face(from), words::face(to));
            Telling::event(format!("{} changed {} {from} die to {to}.", subject(side), article(from)))
        }
        dice::Event::EyeForced => {
            Telling::event("The Fellowship moved in the last turn: a Shadow die went into the Hunt Box.")
        }
        dice::Event::Gained { dice: [free, shadow] } => Telling::event(format!(
            "Mordor was entered: the Free Peoples gained {}, the Shadow {}.",
            words::dice(free),
            words::dice(shadow)
        )),
    }
}

fn rolled(side: Side, faces: [u8; 7]) -> String {
    let shown = |(face, number): (Face, u8)| match face {
        Face::Eye => plural::counted(number, "Eye"),
        _ => format!("{number} {}", words::face(face)),
    };
    let all: Vec<String> = Face::ALL.into_iter().zip(faces).filter(|(_, number)| *number > 0).map(shown).collect();
    let eyes = match faces[Face::Eye.index()] {
        0 => String::new(),
        1 => " The Eye went into the Hunt Box.".to_string(),
        _ => " The Eyes went into the Hunt Box.".to_string(),
    };
    format!("{} rolled {}.{eyes}", subject(side), all.join(", "))
}

fn ring(by: Player, from: Face, to: Face) -> String {
    let after = ring_goes(by.side());
    let (from, to) = (words::face(from), words::face(to));
    format!("{} used an Elven Ring to change {} {from} die to {to}; {after}.", actor(by), article(from))
}

/// 4.25: where a used Ring goes.
fn ring_goes(side: Side) -> &'static str {
    match side {
        Side::Free => "it passes to the Shadow",
        Side::Shadow => "it is out of the game",
    }
}

/// `a` or `an`.
fn article(word: &str) -> &'static str {
    if word.starts_with(['A', 'E', 'I', 'O', 'U']) { "an" } else { "a" }
}

/// Chapter 5.
fn cards(board: &Board, event: event_cards::Event, reader: Option<Player>, faces: &Faces) -> Telling {
    let whose = |slot: Slot| EventDeck::of_slot(slot).side;
    let back = |slot: Slot| match EventDeck::of_slot(slot).kind {
        Type::Character => ("a Character card", "Character cards"),
        Type::Strategy => ("a Strategy card", "Strategy cards"),
    };
    // Only the reader's own cards are named.
    let own = |slot: Slot, by: Player| {
        let known = faces.get(slot).map(|card| Card(card.0).title());
        known.filter(|_| reader == Some(by))
    };
    let named = |slot: Slot, by: Player, lead: &str| match own(slot, by) {
        Some(title) => Telling::of_heap(format!("{} {lead}", actor(by)), title),
        None => {
            let (one, many) = back(slot);
            Telling::of_counted(format!("{} {lead}", actor(by)), one, many)
        }
    };
    match event {
        event_cards::Event::Drawn { slot, by } => named(slot, by, "drew"),
        event_cards::Event::Discarded { slot, by } => named(slot, by, "discarded face down:"),
        event_cards::Event::Swapped { first, second } => {
            // Each card belongs to its new player now, and only he reads its title.
            let (by, of) = (board.owner(second), board.owner(first));
            let card = |slot: Slot| match own(slot, board.owner(slot)) {
                Some(title) => format!("{} ({title})", back(slot).0),
                None => back(slot).0.to_string(),
            };
            Telling::event(format!("{} gave {} for {} of {}.", actor(by), card(first), card(second), of.title()))
        }
        event_cards::Event::Laid { slot, by } => {
            let (back, _) = back(slot);
            let card = match own(slot, by) {
                Some(title) => format!("{back} ({title})"),
                None => back.to_string(),
            };
            Telling::event(format!("{} laid {card} as Combat card.", actor(by)))
        }
        event_cards::Event::TakenUp { slot, card } => Telling::event(format!(
            "{} used {} from the table as Combat card, {}: \"{}\"",
            subject(whose(slot)),
            card.title(),
            card.combat_title(),
            texts::combat(card).text
        )),
        event_cards::Event::Shown { slot, card } => Telling::event(format!(
            "{} showed {} (Combat card of {}): \"{}\"",
            subject(whose(slot)),
            card.combat_title(),
            card.title(),
            texts::combat(card).text
        )),
        event_cards::Event::Spent { .. } => Telling::nothing(),
        event_cards::Event::Played { card, by, .. } => {
            let text = &texts::event(card).text;
            Telling::event(format!("{} played {}: \"{text}\"", actor(by), card.title()))
        }
        event_cards::Event::GivenUp { card, by, .. } => {
            Telling::of_heap(format!("{} gave up", actor(by)), card.title())
        }
        event_cards::Event::Kept { card, .. } => Telling::note(format!("{} stays on the table.", card.title())),
        event_cards::Event::Left { card, .. } => Telling::event(format!("{} leaves the table.", card.title())),
    }
}

/// Chapter 17.
fn teams(event: teams::Event) -> Telling {
    match event {
        teams::Event::Proposed { by, region } => {
            Telling::note(format!("{} proposed to join the Armies in {}.", actor(by), title(region)))
        }
        teams::Event::Joined { side, region } => {
            Telling::event(format!("The Armies of {} in {} are one now.", side.title(), title(region)))
        }
        teams::Event::Declined { by, region } => {
            Telling::event(format!("{} keeps a separate Army in {}.", actor(by), title(region)))
        }
        teams::Event::KeptCards { by } => Telling::note(format!("{} swapped no card.", actor(by))),
    }
}

/// Chapter 11.
fn capture(board: &Board, event: capture::Event) -> Telling {
    match event {
        capture::Event::Captured { region, by, credit } => {
            let back = if region.side() == Some(by) { "took back" } else { "captured" };
            let points = region.settlement().map_or(0, |settlement| settlement.points());
            let worth = match points {
                0 => String::new(),
                points if region.side() == Some(by) => {
                    let lose = if by == Side::Free { "The Shadow loses" } else { "The Free Peoples lose" };
                    format!(" {lose} {}.", plural::counted(points, "point"))
                }
                points => format!(" It is worth {}.", plural::counted(points, "point")),
            };
            // 17.46: one player has the credit for a capture of the Shadow, which counts within the team.
            let who = if board.seating().is_shared(by) { actor(credit) } else { subject(by).to_string() };
            Telling::event(format!("{who} {back} {}.{worth}", title(region)))
        }
        capture::Event::SiegeBegan { region } => Telling::event(format!("{} is under siege.", title(region))),
        capture::Event::SiegeEnded { region } => Telling::event(format!("{} is no longer under siege.", title(region))),
    }
}

/// Chapter 12.
fn politics(event: politics::Event) -> Telling {
    match event {
        politics::Event::Activated { nation } => Telling::event(format!("{} now active.", words::nation_is(nation))),
        politics::Event::Advanced { nation, left } => {
            Telling::event(format!("{} advanced one step; now {}.", words::the_nation(nation), steps_to_war(left)))
        }
        politics::Event::WentToWar { nation } => {
            Telling::event(format!("{} At War at once.", words::nation_is(nation)))
        }
        politics::Event::SetBack { nation, left } => {
            Telling::event(format!("{} went back one step; now {}.", words::the_nation(nation), steps_to_war(left)))
        }
    }
}

fn steps_to_war(left: u8) -> String {
    match left {
        0 => "At War".to_string(),
        steps => format!("{} from war", plural::counted(steps, "step")),
    }
}

/// Chapter 16.
fn won(board: &Board, victory: Victory) -> Telling {
    let reason = victory::outcome(board).map_or_else(|| victory.reason().to_string(), |outcome| outcome.reason);
    let side = subject(victory.winner());
    let win = if victory.winner() == Side::Free { "win" } else { "wins" };
    Telling::event(format!("{side} {win}: {reason}."))
}
