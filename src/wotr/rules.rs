/*! The rules of the title for the kernel: for each step what it waits for, what may be said, and what it does.

Each step is passed on to the file of its chapter.
*/

use crate::board::Board;
use crate::event::Event;
use crate::side::Side;
use crate::step::Step;
use crate::{
    Table, WarOfTheRing, armies, battle, cards, characters, dice, event_cards, fellowship, form, hunt, mordor, news,
    orders, politics, recruiting, standing, teams, turn, victory, view,
};
use engine::facts::Sheet;
use engine::menu::{Ask, Menu};
use engine::need::{Answer, Need};
use engine::order::fact::{Fact, Matter};
use engine::order::form::Chain;
use engine::order::line::Clauses;
use engine::outcome::Outcome;
use engine::play::Rules;
use engine::seat::Seat;
use engine::slot::{Faces, Slot};
use serde_json::Value;

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
