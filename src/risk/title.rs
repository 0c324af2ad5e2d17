//! What the title says of itself: its names, its decks, its texts, and how a game of it begins.

use crate::board::Board;
use crate::card::{Face, Mission};
use crate::colour::Colour;
use crate::side::Side;
use crate::step::Step;
use crate::switches::{SWITCHES, Switches, Variant};
use crate::territory::Territory;
use crate::{EDITION, Play, Risk, card, chart, orders, questions, words};
use engine::bot::thinker::Thinker;
use engine::name::{Name, Named};
use engine::seat::Seat;
use engine::slot::Card;
use engine::title::{Cards, Document, Orders, PrintedDeck, Setup, Teams, Texts, Title, Unplayable, each_alone};

pub static TITLE: Title = Title {
    id: "risk",
    name: "Risk: The Lord of the Rings, Trilogy Edition",
    editions: &[EDITION],
    // ▲5: good and evil sit alternately.
    seats: &[&["yellow", "red"], &["yellow", "red", "black"], &["yellow", "red", "green", "black"]],
    switches: SWITCHES,
    questions: questions::QUESTIONS,
    teams: Teams { sides, remarks },
    cards: Cards { decks, id: |card| Face::of(card).id(), of_id: |id| Face::of_id(id).map(Face::card) },
    texts: Texts {
        glossary: || &card::GLOSSARY,
        rulebook: &[Document { id: "rules", markdown: include_str!("rules.md") }],
        openers: include_str!("data/openers.txt"),
        names,
        chart: || Some(&chart::CHART),
    },
    orders: Orders {
        own_turn: &["reinforcements", "combat", "fortify"],
        touch: orders::touch,
        fights_on: true,
        policies: questions::POLICIES,
        clause_examples: questions::CLAUSES,
        fact_words: orders::facts,
        ..Orders::NONE
    },
    begin: |setup| Ok(Box::new(Play::begin(empty_table(setup)?, vec![Step::SetUp]))),
    bot: &Thinker::<Risk>::ONLY,
};

fn decks(setup: &Setup) -> Vec<PrintedDeck> {
    let switches = Switches::of(setup).unwrap_or_default();
    let mut decks = vec![PrintedDeck { name: "territory", cards: card::territory_deck() }];
    if switches.variant != Variant::Standard {
        decks.push(PrintedDeck { name: "adventure", cards: missions_and_powers(&switches) });
    }
    decks
}

fn names() -> Vec<&'static Name> {
    let territories = Territory::ALL.into_iter().map(|territory| territory.name());
    territories.chain(card::GLOSSARY.iter().map(|gloss| &gloss.name)).collect()
}

/// 14.2: in Team Risk good and evil play together; in Alliance Risk everybody wins for himself.
fn sides(setup: &Setup) -> Vec<Vec<Seat>> {
    let (switches, colours) = (Switches::of(setup), colours(&setup.seats));
    let (Ok(Switches { variant: Variant::Team, .. }), Ok(colours)) = (switches, colours) else {
        return each_alone(setup);
    };
    let side = |side: Side| {
        let seats = colours.iter().enumerate().filter(|(_, colour)| colour.side() == side);
        seats.map(|(index, _)| Seat::at(index)).collect()
    };
    vec![side(Side::Good), side(Side::Evil)]
}

/// 14.1, 14.2: who plays together.
fn remarks(setup: &Setup) -> Vec<String> {
    let (switches, colours) = (Switches::of(setup).unwrap_or_default(), colours(&setup.seats));
    let teams = matches!(switches.variant, Variant::Alliance | Variant::Team);
    let Some(colours) = colours.ok().filter(|_| teams) else { return Vec::new() };
    let team = |side: Side| {
        let members = colours.iter().filter(|colour| colour.side() == side);
        words::and(&members.map(|colour| colour.name().title()).collect::<Vec<_>>())
    };
    vec![format!("{} play together for good, {} for evil.", team(Side::Good), team(Side::Evil))]
}

/// The empty table of a set-up.
pub fn empty_table(setup: &Setup) -> Result<Board, Unplayable> {
    let switches = Switches::of(setup)?;
    let colours = colours(&setup.seats)?;
    if matches!(switches.variant, Variant::Alliance | Variant::Team) && colours.len() != 4 {
        return Err(Unplayable(format!("Alliance and Team Risk are for 4 players, not {}", colours.len())));
    }
    Ok(Board::new(switches, &colours, missions_and_powers(&switches).len()))
}

/// The colours of the seats, in their order (3.1).
fn colours(seats: &[String]) -> Result<Vec<Colour>, Unplayable> {
    let mut colours: Vec<Colour> = Vec::new();
    for seat in seats {
        let Some(colour) = Colour::ALL.into_iter().find(|colour| colour.word() == seat) else {
            return Err(Unplayable(format!("there is no seat `{seat}`; seats are yellow, green, red, black")));
        };
        if colours.contains(&colour) {
            return Err(Unplayable(format!("`{seat}` is named twice")));
        }
        colours.push(colour);
    }
    let good = colours.iter().filter(|colour| colour.side() == Side::Good).count();
    match (good, colours.len() - good) {
        (1, 1 | 2) | (2, 2) => Ok(colours),
        _ => {
            let wanted = "1 good and 1 evil player, 1 good and 2 evil, or 2 good and 2 evil";
            Err(Unplayable(format!("it is played by {wanted} (3.1); yellow and green are good, red and black evil")))
        }
    }
}

/// The cards that are dealt from before the Events are added; without Mount Gundabad its Mission is left out (▲2).
pub fn missions_and_powers(switches: &Switches) -> Vec<Card> {
    let left_out = Face::Mission(Mission::MountGundabad).card();
    card::missions_and_powers().into_iter().filter(|card| switches.sites == 22 || *card != left_out).collect()
}
