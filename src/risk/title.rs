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
use engine::chart::Chart;
use engine::glossary::Gloss;
use engine::name::{Name, Named};
use engine::order::guard::Touch;
use engine::seat::Seat;
use engine::slot::Card;
use engine::title::{Asked, Bot, Document, Game, PrintedDeck, Setup, Switch, Title, Unplayable};

impl Title for Risk {
    fn id(&self) -> &'static str {
        "risk"
    }

    fn name(&self) -> &'static str {
        "Risk: The Lord of the Rings, Trilogy Edition"
    }

    fn editions(&self) -> &'static [&'static str] {
        &[EDITION]
    }

    fn switches(&self) -> &'static [Switch] {
        SWITCHES
    }

    fn questions(&self) -> &'static [Asked] {
        questions::QUESTIONS
    }

    fn policies(&self) -> &'static [(&'static str, &'static str)] {
        questions::POLICIES
    }

    fn clause_examples(&self) -> &'static [&'static str] {
        questions::CLAUSES
    }

    fn fact_words(&self) -> Vec<&'static str> {
        orders::facts()
    }

    fn seats(&self, players: usize) -> Result<Vec<&'static str>, Unplayable> {
        match players {
            2 => Ok(vec!["yellow", "red"]),
            3 => Ok(vec!["yellow", "red", "black"]),
            // ▲5: good and evil sit alternately.
            4 => Ok(vec!["yellow", "red", "green", "black"]),
            _ => Err(Unplayable(format!("2, 3 or 4 can play, not {players}"))),
        }
    }

    fn touch<'v>(&self, key: &str, value: &'v str) -> Touch<'v> {
        orders::touch(key, value)
    }

    fn fights_on(&self) -> bool {
        true
    }

    fn own_turn(&self) -> &'static [&'static str] {
        &["reinforcements", "combat", "fortify"]
    }

    fn decks(&self, setup: &Setup) -> Vec<PrintedDeck> {
        let switches = Switches::of(setup).unwrap_or_default();
        let mut decks = vec![PrintedDeck { name: "territory", cards: card::territory_deck() }];
        if switches.variant != Variant::Standard {
            decks.push(PrintedDeck { name: "adventure", cards: missions_and_powers(&switches) });
        }
        decks
    }

    fn chart(&self) -> Option<&'static Chart> {
        Some(&chart::CHART)
    }

    fn card_id(&self, card: Card) -> &'static str {
        Face::of(card).id()
    }

    fn card(&self, id: &str) -> Option<Card> {
        Face::of_id(id).map(Face::card)
    }

    fn glossary(&self) -> &'static [Gloss] {
        &card::GLOSSARY
    }

    fn openers(&self) -> &'static str {
        include_str!("data/openers.txt")
    }

    fn names(&self) -> Vec<&'static Name> {
        let territories = Territory::ALL.into_iter().map(|territory| territory.name());
        territories.chain(card::GLOSSARY.iter().map(|gloss| &gloss.name)).collect()
    }

    /// 14.2: in Team Risk good and evil play together; in Alliance Risk everybody wins for himself.
    fn sides(&self, setup: &Setup) -> Vec<Vec<Seat>> {
        let (switches, colours) = (Switches::of(setup), colours(&setup.seats));
        let (Ok(Switches { variant: Variant::Team, .. }), Ok(colours)) = (switches, colours) else {
            return (0..setup.seats.len()).map(|seat| vec![Seat::at(seat)]).collect();
        };
        let side = |side: Side| {
            let seats = colours.iter().enumerate().filter(|(_, colour)| colour.side() == side);
            seats.map(|(index, _)| Seat::at(index)).collect()
        };
        vec![side(Side::Good), side(Side::Evil)]
    }

    /// 14.1, 14.2: who plays together.
    fn remarks(&self, setup: &Setup) -> Vec<String> {
        let (switches, colours) = (Switches::of(setup).unwrap_or_default(), colours(&setup.seats));
        let teams = matches!(switches.variant, Variant::Alliance | Variant::Team);
        let Some(colours) = colours.ok().filter(|_| teams) else { return Vec::new() };
        let team = |side: Side| {
            let members = colours.iter().filter(|colour| colour.side() == side);
            words::and(&members.map(|colour| colour.name().title()).collect::<Vec<_>>())
        };
        vec![format!("{} play together for good, {} for evil.", team(Side::Good), team(Side::Evil))]
    }

    fn rulebook(&self) -> &'static [Document] {
        const BOOK: [Document; 1] = [Document { id: "rules", markdown: include_str!("rules.md") }];
        &BOOK
    }

    fn begin(&self, setup: &Setup) -> Result<Box<dyn Game>, Unplayable> {
        Ok(Box::new(Play::begin(empty_table(setup)?, vec![Step::SetUp])))
    }

    fn bot(&self) -> &'static dyn Bot {
        &Thinker::<Risk>::ONLY
    }
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
