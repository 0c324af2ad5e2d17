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
use engine::chart::Chart;
use engine::glossary::Gloss;
use engine::name::{Name, Named};
use engine::order::guard::Touch;
use engine::seat::Seat;
use engine::slot;
use engine::title::{Asked, Bot, Document, Game, PrintedDeck, Setup, Switch, Title, Unplayable};

impl Title for WarOfTheRing {
    fn id(&self) -> &'static str {
        "wotr"
    }

    fn name(&self) -> &'static str {
        "War of the Ring"
    }

    fn editions(&self) -> &'static [&'static str] {
        &EDITIONS
    }

    fn idle(&self) -> &'static [&'static str] {
        &["pass", "no card", "no swap", "stay separate"]
    }

    /// The choice of a deck (17.10) is missing, since neither deck is less: the program chooses one, as it does for
    /// the Palantír.
    fn least(&self) -> &'static [&'static str] {
        &[
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
        ]
    }

    fn own_turn(&self) -> &'static [&'static str] {
        &["action", "fellowship", "hunt-allocation"]
    }

    fn telling_facts(&self, question: &str) -> &'static [&'static str] {
        form::telling_facts(question)
    }

    fn said_again(&self, question: &str, said: &str) -> Option<String> {
        form::said_again(question, said)
    }

    /// 3.1: the actions begin when all Action dice have been rolled.
    fn turn_opens(&self) -> Option<(&'static str, &'static str)> {
        Some(("turn", Phase::Actions.id()))
    }

    fn touch<'v>(&self, key: &str, value: &'v str) -> Touch<'v> {
        orders::touch(key, value)
    }

    fn depends(&self, sentence: &str) -> Option<&'static [&'static str]> {
        orders::depends(sentence)
    }

    /// `no card` answers several questions; written ahead, it is meant for the one about Combat cards.
    fn meant_for(&self, sentence: &str) -> Option<&'static str> {
        matches!(sentence, "no card" | "no combat card").then_some("combat-card")
    }

    fn switches(&self) -> &'static [Switch] {
        switches::SWITCHES
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
        let seating = Seating::for_players(players);
        let seating =
            seating.ok_or_else(|| Unplayable(format!("War of the Ring is played by 2, 3 or 4, not by {players}")))?;
        Ok(seating.players().iter().map(|player| player.id()).collect())
    }

    fn decks(&self, _: &Setup) -> Vec<PrintedDeck> {
        let deck = |deck: EventDeck| PrintedDeck { name: deck.id(), cards: deck.cards().map(Card::number).collect() };
        EventDeck::ALL.into_iter().map(deck).collect()
    }

    fn chart(&self) -> Option<&'static Chart> {
        Some(&chart::CHART)
    }

    fn card_id(&self, card: slot::Card) -> &'static str {
        Card(card.0).id()
    }

    fn card(&self, id: &str) -> Option<slot::Card> {
        Card::of_id(id).map(Card::number)
    }

    fn glossary(&self) -> &'static [Gloss] {
        &texts::GLOSSARY
    }

    /// Who plays what (17.1 to 17.6), and 19.40: a preset that is only partly known.
    fn remarks(&self, setup: &Setup) -> Vec<String> {
        let partial = setup.options.iter().any(|(name, value)| name == "preset" && value == "first-edition");
        let remark = "The preset first-edition is partial: where the first edition is known to differ, but not how, \
                      the second edition's rules hold (19.40).";
        let teams = seated(setup).map(teams::remarks).unwrap_or_default();
        teams.into_iter().chain(partial.then(|| remark.to_string())).collect()
    }

    fn openers(&self) -> &'static str {
        include_str!("data/openers.txt")
    }

    fn names(&self) -> Vec<&'static Name> {
        let regions = Region::all().iter().map(|region| region.name());
        let nations = Nation::ALL.into_iter().map(|nation| nation.name());
        let characters = Character::ALL.into_iter().map(|character| character.name());
        regions.chain(nations).chain(characters).chain(texts::GLOSSARY.iter().map(|gloss| &gloss.name)).collect()
    }

    fn rulebook(&self) -> &'static [Document] {
        const BOOK: [Document; 2] = [
            Document { id: "rules", markdown: include_str!("rules.md") },
            Document { id: "cards", markdown: include_str!("cards.md") },
        ];
        &BOOK
    }

    /// 17.4: the players of a side win and lose together.
    fn sides(&self, setup: &Setup) -> Vec<Vec<Seat>> {
        let seating = seated(setup).unwrap_or(Seating::Two);
        Side::BOTH.map(|side| seating.team(side).iter().map(|player| seating.seat(*player)).collect()).to_vec()
    }

    fn begin(&self, setup: &Setup) -> Result<Box<dyn Game>, Unplayable> {
        let board = Board::set_up(checked(setup)?, seated(setup)?);
        Ok(Box::new(Table::begin(board, vec![Step::Turn(turn::Step::Begin)])))
    }

    fn bot(&self) -> &'static dyn Bot {
        &Thinker::<WarOfTheRing>::ONLY
    }
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
