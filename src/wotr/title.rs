//! What the title says of itself: its names, its decks, its texts, and how a game of it begins.

use crate::board::Board;
use crate::card::{Card, EventDeck};
use crate::character::Character;
use crate::nation::Nation;
use crate::phase::Phase;
use crate::player::Seating;
use crate::region::Region;
use crate::side::Side;
use crate::step::Step;
use crate::{EDITIONS, Table, WarOfTheRing, chart, form, orders, questions, switches, teams, texts, turn};
use engine::bot::thinker::Thinker;
use engine::name::{Name, Named};
use engine::seat::Seat;
use engine::title::{Cards, Document, Orders, PrintedDeck, Setup, Teams, Texts, Title, Unplayable};

pub static TITLE: Title = Title {
    id: "wotr",
    name: "War of the Ring",
    editions: &EDITIONS,
    seats: &[&["free", "shadow"], &["free", "witch-king", "saruman"], &["gondor", "rohan", "witch-king", "saruman"]],
    switches: switches::SWITCHES,
    questions: questions::QUESTIONS,
    teams: Teams { sides, remarks },
    cards: Cards { decks, id: |card| Card(card.0).id(), of_id: |id| Card::of_id(id).map(Card::number) },
    texts: Texts {
        glossary: || &texts::GLOSSARY,
        rulebook: &[
            Document { id: "rules", markdown: include_str!("rules.md") },
            Document { id: "cards", markdown: include_str!("cards.md") },
        ],
        openers: include_str!("data/openers.txt"),
        names,
        chart: || Some(&chart::CHART),
    },
    orders: Orders {
        // The choice of a deck (17.10) is missing, since neither deck is less: the program chooses one, as it does for
        // the Palantír.
        least: &[
            "pass",
            "done",
            "no card",
            "keep leadership",
            "stop the attack",
            "end",
            "stand",
            "stay",
            "take it",
            "no move",
            "no attack",
            "no more",
            "no",
            "no swap",
            "stay separate",
        ],
        idle: &["pass", "no card", "no swap", "stay separate"],
        own_turn: &["action", "fellowship", "hunt-allocation"],
        // 3.1: the actions begin when all Action dice have been rolled.
        turn_opens: Some(("turn", Phase::Actions.id())),
        touch: orders::touch,
        depends: orders::depends,
        // `no card` answers several questions; written ahead, it is meant for the one about Combat cards.
        meant_for: |said| matches!(said, "no card" | "no combat card").then_some("combat-card"),
        policies: questions::POLICIES,
        clause_examples: questions::CLAUSES,
        fact_words: orders::facts,
        telling_facts: form::telling_facts,
        said_again: form::said_again,
        ..Orders::NONE
    },
    begin: |setup| {
        let board = Board::set_up(checked(setup)?, seated(setup)?);
        Ok(Box::new(Table::begin(board, vec![Step::Turn(turn::Step::Begin)])))
    },
    bot: &Thinker::<WarOfTheRing>::ONLY,
};

fn decks(_: &Setup) -> Vec<PrintedDeck> {
    let deck = |deck: EventDeck| PrintedDeck { name: deck.id(), cards: deck.cards().map(Card::number).collect() };
    EventDeck::ALL.into_iter().map(deck).collect()
}

fn names() -> Vec<&'static Name> {
    let regions = Region::all().iter().map(|region| region.name());
    let nations = Nation::ALL.into_iter().map(|nation| nation.name());
    let characters = Character::ALL.into_iter().map(|character| character.name());
    regions.chain(nations).chain(characters).chain(texts::GLOSSARY.iter().map(|gloss| &gloss.name)).collect()
}

/// 17.4: the players of a side win and lose together.
fn sides(setup: &Setup) -> Vec<Vec<Seat>> {
    let seating = seated(setup).unwrap_or(Seating::Two);
    Side::BOTH.map(|side| seating.team(side).iter().map(|player| seating.seat(*player)).collect()).to_vec()
}

/// Who plays what (17.1 to 17.6), and 19.40: a preset that is only partly known.
fn remarks(setup: &Setup) -> Vec<String> {
    let partial = setup.options.iter().any(|(name, value)| name == "preset" && value == "first-edition");
    let remark = "The preset first-edition is partial: where the first edition is known to differ, but not how, \
                  the second edition's rules hold (19.40).";
    let teams = seated(setup).map(teams::remarks).unwrap_or_default();
    teams.into_iter().chain(partial.then(|| remark.to_string())).collect()
}

/// The switches of a set-up, if it can be played.
pub fn checked(setup: &Setup) -> Result<switches::Switches, Unplayable> {
    if !EDITIONS.contains(&setup.edition.as_str()) {
        let known = EDITIONS.join(", ");
        return Err(Unplayable(format!("there is no edition `{}`; there are {known}", setup.edition)));
    }
    seated(setup)?;
    switches::Switches::of(setup)
}

/// Who sits at the table of a set-up (17.1, 17.3).
pub fn seated(setup: &Setup) -> Result<Seating, Unplayable> {
    let seats = |seating: Seating| seating.players().iter().map(|player| player.id()).collect::<Vec<&str>>();
    Seating::ALL.into_iter().find(|seating| setup.seats == seats(*seating)).ok_or_else(|| {
        let known = Seating::ALL.map(|seating| seats(seating).join(", ")).join("; or ");
        Unplayable(format!("the seats are {known}; not {}", setup.seats.join(", ")))
    })
}
