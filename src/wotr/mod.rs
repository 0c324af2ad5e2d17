/*! War of the Ring, second edition, for two to four players: one file for each chapter of the rulebook, in its order
and its words.

Chapters: terms ([`side`] to [`figures`], [`standing`]), set-up and turn ([`turn`]), [`dice`] and what they do
([`action`]), [`event_cards`] and what they do ([`cards`]), [`characters`], [`minions`], [`entry`], [`armies`],
[`recruiting`], [`battle`] with its [`siege`]s, [`capture`], [`politics`], [`fellowship`] and how it is [`reveal`]ed,
[`hunt`], [`mordor`], [`victory`], [`teams`] of three and four ([`player`]), [`switches`]. Every rule cites its number
in `rules.md`, a ruling on a card its number in `cards.md` (C2.18). The title knows the kernel, and nothing of mail,
files or templates.
*/

pub mod action;
pub mod armies;
pub mod battle;
pub mod board;
pub mod bot;
pub mod capture;
pub mod card;
pub mod cards;
pub mod character;
pub mod characters;
pub mod chart;
pub mod combat_roll;
pub mod combat_title;
pub mod dice;
pub mod die;
pub mod entry;
pub mod event;
pub mod event_cards;
pub mod fellowship;
pub mod figures;
pub mod form;
pub mod hunt;
pub mod minions;
pub mod mordor;
pub mod nation;
pub mod news;
pub mod orders;
pub mod part;
pub mod phase;
pub mod player;
pub mod politics;
pub mod position;
pub mod question;
pub mod questions;
pub mod recruiting;
pub mod region;
pub mod reveal;
pub mod side;
pub mod siege;
pub mod standing;
pub mod step;
pub mod switches;
pub mod teams;
pub mod texts;
pub mod theatre;
pub mod tile;
pub mod turn;
pub mod victory;
pub mod view;
pub mod words;

use crate::board::Board;
use crate::card::{Card, EventDeck};
use crate::character::Character;
use crate::event::Event;
use crate::nation::Nation;
use crate::phase::Phase;
use crate::player::Seating;
use crate::region::Region;
use crate::side::Side;
use crate::step::Step;
use engine::bot::thinker::Thinker;
use engine::chance::Chance;
use engine::chart::Chart;
use engine::facts::Sheet;
use engine::glossary::Gloss;
use engine::menu::{Ask, Menu};
use engine::name::{Name, Named};
use engine::need::{Answer, Need};
use engine::order::fact::{Fact, Matter};
use engine::order::form::Chain;
use engine::order::guard::Touch;
use engine::order::line::Clauses;
use engine::outcome::Outcome;
use engine::play::{Play, Rules};
use engine::seat::Seat;
use engine::slot::{self, Faces, Slot};
use engine::title::{Asked, Bot, Document, Game, PrintedDeck, Setup, Switch, Title, Unplayable};
use serde_json::Value;

/// The rules of the game.
#[derive(Clone, Debug)]
pub struct WarOfTheRing;

/// A game being played.
pub type Table = Play<WarOfTheRing>;

/// The title.
pub static TITLE: WarOfTheRing = WarOfTheRing;

/// Every edition of these rules, newest first.
pub const EDITIONS: [&str; 1] = ["wotr-second-edition/1"];

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

impl Rules for WarOfTheRing {
    type Board = Board;
    type Step = Step;
    type Event = Event;

    fn need(board: &Board, step: &Step) -> Option<Need> {
        match step {
            Step::Dice(step) => dice::need(board, step),
            Step::Cards(step) => event_cards::need(board, step),
            Step::Effect(step) => cards::need(board, step),
            Step::Battle(step) => battle::need(board, step),
            Step::Fellowship(step) => fellowship::need(board, step),
            Step::Hunt(step) => hunt::need(board, step),
            Step::Mordor(step) => mordor::need(board, step),
            Step::Standing(step) => standing::need(board, step),
            Step::Teams(step) => teams::need(board, step),
            Step::Turn(_)
            | Step::Characters(_)
            | Step::Armies(_)
            | Step::Recruiting(_)
            | Step::Politics(_)
            | Step::Victory(_) => None,
        }
    }

    fn menu(board: &Board, step: &Step, faces: &Faces, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
        match step {
            Step::Dice(step) => dice::menu(board, step, faces, menu),
            Step::Cards(step) => event_cards::menu(board, step, faces, menu),
            Step::Effect(step) => cards::menu(board, step, faces, menu),
            Step::Battle(step) => battle::menu(board, step, faces, menu),
            Step::Fellowship(step) => fellowship::menu(board, step, menu),
            Step::Hunt(step) => hunt::menu(board, step, menu),
            Step::Standing(step) => standing::menu(board, step, menu),
            Step::Teams(step) => teams::menu(board, step, faces, menu),
            Step::Turn(_)
            | Step::Characters(_)
            | Step::Armies(_)
            | Step::Recruiting(_)
            | Step::Politics(_)
            | Step::Mordor(_)
            | Step::Victory(_) => unreachable!("`{step}` asks nothing"),
        }
    }

    fn ahead(board: &Board, seat: Seat, question: &str) -> Option<(Board, Step)> {
        let player = board.player(seat)?;
        let side = player.side();
        match (question, side) {
            ("action", _) => Some((dice::any(board, player), Step::Dice(dice::Step::Go(side)))),
            ("hunt-allocation", Side::Shadow) => Some((board.clone(), Step::Dice(dice::Step::Allot))),
            ("fellowship", Side::Free) if board.company().region().is_some() => {
                Some((board.clone(), Step::Fellowship(fellowship::Step::Phase)))
            }
            _ => None,
        }
    }

    fn fact(board: &Board, open: Option<&Step>, asked: (Seat, &str), menu: &mut Menu<'_>) -> Ask<Fact> {
        orders::fact(board, open, asked, menu)
    }

    fn place(menu: &mut Menu<'_>) -> Ask<&'static str> {
        orders::place(menu)
    }

    fn matter(board: &Board, step: &Step) -> Matter {
        orders::matter(board, step)
    }

    fn battle(board: &Board, _: Option<&Step>) -> Option<String> {
        orders::battle(board)
    }

    fn battlefield(board: &Board, _: Option<&Step>) -> Option<(&'static str, Seat)> {
        board.battle().map(|battle| (battle.region.id(), board.seating().seat(board.fighter(battle.attacker))))
    }

    fn form(board: &Board, seat: Seat, question: Option<&str>) -> Vec<Chain> {
        form::form(board, seat, question)
    }

    fn clauses() -> &'static Clauses {
        &orders::CLAUSES
    }

    fn perform(play: &mut Table, step: Step) {
        match step {
            Step::Turn(step) => turn::perform(play, step),
            Step::Dice(step) => dice::perform(play, step),
            Step::Cards(step) => event_cards::perform(play, step),
            Step::Effect(step) => cards::perform(play, step),
            Step::Characters(step) => characters::perform(play, step),
            Step::Armies(step) => armies::perform(play, step),
            Step::Recruiting(step) => recruiting::perform(play, step),
            Step::Battle(step) => battle::perform(play, step),
            Step::Politics(step) => politics::perform(play, step),
            Step::Fellowship(step) => fellowship::perform(play, step),
            Step::Hunt(step) => hunt::perform(play, step),
            Step::Mordor(step) => mordor::perform(play, step),
            Step::Standing(step) => standing::perform(play, step),
            Step::Teams(step) => teams::perform(play, step),
            Step::Victory(step) => victory::perform(play, step),
        }
        settle_table(play);
    }

    fn settle(play: &mut Table, step: Step, answer: Answer) {
        match step {
            Step::Dice(step) => dice::settle(play, step, answer),
            Step::Cards(step) => event_cards::settle(play, step, answer),
            Step::Effect(step) => cards::settle(play, step, answer),
            Step::Battle(step) => battle::settle(play, step, answer),
            Step::Hunt(step) => hunt::settle(play, step, answer),
            Step::Mordor(step) => mordor::settle(play, step, answer),
            Step::Turn(_)
            | Step::Characters(_)
            | Step::Armies(_)
            | Step::Recruiting(_)
            | Step::Politics(_)
            | Step::Fellowship(_)
            | Step::Standing(_)
            | Step::Teams(_)
            | Step::Victory(_) => unreachable!("`{step}` waits for no chance"),
        }
        settle_table(play);
    }

    fn evolve(board: &mut Board, event: &Event) {
        board.evolve(event);
    }

    fn facts(sheet: &mut Sheet<'_, Board>) {
        Board::facts(sheet);
    }

    fn moment(board: &Board) -> String {
        turn::moment(board)
    }

    fn turn(board: &Board) -> String {
        turn::named(board)
    }

    fn outcome(board: &Board) -> Option<Outcome> {
        victory::outcome(board)
    }

    fn worth(board: &Board, seat: Seat) -> i64 {
        bot::worth::worth(board, board.side_of(seat).expect("a seat plays a side"))
    }

    fn hope(board: &Board, seat: Seat, _faces: &Faces) -> i64 {
        let side = board.side_of(seat).expect("a seat plays a side");
        bot::hope::hope(board, side, bot::weights::Weights::found())
    }

    fn propose(board: &Board, step: &Step, seat: Seat, faces: &Faces) -> Vec<String> {
        bot::propose::propose(board, step, board.player(seat).expect("a seat has a player"), faces)
    }

    fn reflex(board: &Board, step: &Step, _faces: &Faces) -> Option<String> {
        bot::reflex::reflex(board, step)
    }

    fn believe(board: &Board, faces: &Faces, chance: &mut dyn Chance) -> Faces {
        bot::believe::believe(board, faces, chance)
    }

    fn thought(before: &Board, after: &[Board], otherwise: &[Board], seat: Seat) -> Option<String> {
        bot::thought::thought(before, after, otherwise, before.side_of(seat).expect("a seat plays a side"))
    }

    fn is_major(question: &str) -> bool {
        bot::is_major(question)
    }

    fn hand(board: &Board, seat: Seat) -> Vec<Slot> {
        match board.player(seat) {
            Some(player) => event_cards::slots_of(board, player),
            None => Vec::new(),
        }
    }

    fn seen(board: &Board, seat: Seat) -> Vec<Slot> {
        board.player(seat).map_or_else(Vec::new, |player| board.decks().seen_by(player))
    }

    fn view(play: &Table, seat: Option<Seat>, faces: &Faces) -> Value {
        view::view(play, seat, faces)
    }

    fn news(board: &Board, event: &Event, seat: Option<Seat>, faces: &Faces) -> Value {
        news::news(board, event, seat, faces)
    }
}

/// After every change of the board, table cards whose condition no longer holds are discarded (1.33), and a game that
/// is won ends at once, whatever is still on the agenda (16.2, 16.3).
fn settle_table(play: &mut Table) {
    cards::table::check(play);
    if play.board().victory().is_some() {
        play.stop();
    }
}
