/*! The rules of the title for the kernel: for each step what it waits for, what may be said, and what it does.

Each step is passed on to the file of its chapter.
*/

use crate::board::evolve::evolve;
use crate::board::facts::facts;
use crate::board::{Board, moment, turn_named};
use crate::combat::{self, battle, invasion};
use crate::event::{Event, RollOff};
use crate::step::Step;
use crate::{
    Play, Risk, adventure, cards, collect, conquest, fellowship, fortify, news, orders, reinforcements, score, setup,
    turn, variants, view,
};
use engine::facts::Sheet;
use engine::menu::{Ask, Menu};
use engine::name::Named;
use engine::need::{Answer, Draw, Need, Question};
use engine::order::fact::{Fact, Matter};
use engine::order::form::Chain;
use engine::order::line::Clauses;
use engine::outcome::Outcome;
use engine::play::Rules;
use engine::seat::Seat;
use engine::slot::{Faces, Slot};
use serde_json::Value;

impl Rules for Risk {
    type Board = Board;
    type Step = Step;
    type Event = Event;

    fn need(board: &Board, step: &Step) -> Option<Need> {
        let ask = |id: &'static str, open: bool| open.then(|| Need::Question(Question { seat: board.active(), id }));
        match step {
            Step::DealTerritories(shield) => Some(setup::shuffle_need(*shield)),
            Step::RollOff { among, .. } => {
                let count = u32::try_from(among.len()).expect("a table has few seats");
                Some(Need::Draw(Draw::Dice { label: "who is first", sides: 6, count }))
            }
            Step::Claim => setup::need_claim(board),
            Step::Garrison => setup::need_garrison(board),
            Step::PlaceLeader(seat) => setup::need_leader(board, *seat),
            Step::DealAdventureCard(_) => collect::need_adventure_card(board),
            Step::ReturnEvents => Some(setup::return_events_need(board)),
            Step::TurnStart => ask("reinforcements", true),
            Step::Reinforce => ask("reinforcements", board.turn().to_place > 0),
            Step::Combat => ask("combat", combat::is_open(board)),
            Step::Defend(_) => battle::need_defence(board),
            Step::RollAttack { .. } => Some(Need::Draw(battle::attack_dice(board))),
            Step::RollDefence { defenders, .. } => Some(Need::Draw(battle::defence_dice(*defenders))),
            Step::GoOn => ask("go-on", combat::can_go_on(board)),
            Step::Advance { source, .. } => ask("advance", conquest::may_advance(board, *source)),
            Step::DiscardHand(seat) => conquest::need_hidden_card(board, *seat),
            Step::TradeDown => conquest::need_trade_down(board),
            Step::Card(step) => cards::need(board, step),
            Step::OfferMission => ask("mission", cards::missions::may_complete(board, board.active())),
            Step::KeepHandLimit(seat) => collect::need_hand_limit(board, *seat),
            Step::Fortify => ask("fortify", fortify::is_open(board)),
            Step::DrawTerritoryCard { seat, reason } => collect::need_territory_card(board, *seat, *reason),
            Step::Reshuffle(deck) => Some(Need::Mask(collect::pile(board, *deck).reshuffle())),
            Step::DrawAdventureCard(_) => collect::need_adventure_card(board),
            Step::ShowEvent { position, .. } => Some(collect::need_event_shown(board, *position)),
            Step::ReplaceLeader => collect::need_new_leader(board),
            Step::RollFellowship => fellowship::need_roll(board),
            Step::FinalRoll => Some(fellowship::need_final_roll()),
            Step::SeekRing => variants::need_search(board),
            _ => None,
        }
    }

    fn menu(board: &Board, step: &Step, faces: &Faces, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
        match step {
            Step::Claim => setup::claim_menu(board, menu),
            Step::Garrison => setup::garrison_menu(board, menu),
            Step::PlaceLeader(seat) => setup::leader_menu(board, *seat, menu),
            Step::TurnStart | Step::Reinforce => reinforcements::menu(board, step, faces, menu),
            Step::Combat => combat::menu(board, faces, menu),
            Step::Defend(plan) => battle::defence_menu(*plan, menu),
            Step::GoOn => combat::go_on_menu(board, faces, menu),
            Step::Advance { source, target, moved } => conquest::advance_menu(board, (*source, *target), *moved, menu),
            Step::TradeDown => reinforcements::trade_down_menu(board, faces, menu),
            Step::Card(step) => cards::menu(board, step, faces, menu),
            Step::OfferMission => adventure::mission_menu(board, faces, menu),
            Step::KeepHandLimit(seat) => adventure::hand_limit_menu(board, *seat, faces, menu),
            Step::Fortify => fortify::menu(board, faces, menu),
            Step::ReplaceLeader => collect::new_leader_menu(board, menu),
            other => unreachable!("`{other}` asks nothing"),
        }
    }

    fn ahead(board: &Board, seat: Seat, question: &str) -> Option<(Board, Step)> {
        if board.active() != seat || board.turn().number == 0 {
            return None;
        }
        let step = match question {
            "reinforcements" => Step::TurnStart,
            "combat" => Step::Combat,
            "fortify" => Step::Fortify,
            _ => return None,
        };
        Some((board.clone(), step))
    }

    fn fact(board: &Board, _open: Option<&Step>, asked: (Seat, &str), menu: &mut Menu<'_>) -> Ask<Fact> {
        orders::fact(board, asked, menu)
    }

    fn place(menu: &mut Menu<'_>) -> Ask<&'static str> {
        orders::place(menu)
    }

    fn matter(board: &Board, step: &Step) -> Matter {
        orders::matter(board, step)
    }

    fn battle(board: &Board, open: Option<&Step>) -> Option<String> {
        orders::battle(board, open)
    }

    fn battlefield(board: &Board, open: Option<&Step>) -> Option<(&'static str, Seat)> {
        orders::sides(board, open).map(|(_, target)| (target.name().id(), board.active()))
    }

    fn form(_: &Board, _: Seat, question: Option<&str>) -> Vec<Chain> {
        orders::form(question)
    }

    fn clauses() -> &'static Clauses {
        &orders::CLAUSES
    }

    fn perform(play: &mut Play, step: Step) {
        match step {
            Step::SetUp => setup::set_up(play),
            Step::FindFirst(purpose) => setup::find_first(play, purpose),
            Step::Claim => setup::claim(play),
            Step::PlanClaims { claims, then } => {
                let seat = play.board().active();
                play.tell(Event::ClaimsPlanned { seat, claims, then });
            }
            Step::Garrison => setup::garrison(play),
            Step::PlanGarrisons { places, then } => {
                let seat = play.board().active();
                play.tell(Event::PlacesPlanned { seat, places, then });
            }
            Step::PlaceLeaders => setup::place_leaders(play),
            Step::PlaceLeader(seat) => setup::place_leader(play, seat),
            Step::NoteLeaders { seat, first, second } => setup::note_leaders(play, seat, first, second),
            Step::DealCards => setup::deal_cards(play),
            Step::BeginTurn(seat) => turn::begin(play, seat),
            Step::ContinueTurn(phase) => turn::go_on(play, phase),
            Step::WishDefence(wish) => {
                let seat = play.board().active();
                play.tell(Event::DefenceWished { seat, wish });
            }
            Step::EndDeeds => turn::end_deeds(play),
            Step::EndTurn => turn::end(play),
            Step::CountReinforcements => reinforcements::count(play),
            Step::TradeSet(trade) => reinforcements::trade_set(play, trade),
            Step::PlaceReinforcements(places) => reinforcements::place(play, &places),
            _ => perform_deed(play, step),
        }
    }

    fn settle(play: &mut Play, step: Step, answer: Answer) {
        match (step, answer) {
            (Step::Card(step), answer) => cards::settle(play, step, answer),
            (Step::DealTerritories(shield), Answer::Order(order)) => setup::deal(play, shield, &order),
            (Step::RollOff { purpose, among }, Answer::Dice(dice)) => roll_off(play, purpose, &among, &dice),
            (Step::RollAttack { plan, defenders }, Answer::Dice(attack)) => {
                play.push(Step::RollDefence { plan, defenders, attack });
            }
            (Step::RollDefence { plan, attack, .. }, Answer::Dice(defence)) => {
                battle::fight(play, plan, attack, defence);
            }
            (Step::RollFellowship, Answer::Dice(dice)) => fellowship::rolled(play, dice[0]),
            (Step::FinalRoll, Answer::Dice(dice)) => fellowship::final_roll(play, dice[0]),
            (Step::SeekRing, Answer::Dice(dice)) => variants::search(play, [dice[0], dice[1]]),
            (Step::DealAdventureCard(seat), Answer::Position(position)) => {
                collect::adventure_card_dealt(play, seat, position);
            }
            (Step::DrawAdventureCard(seat), Answer::Position(position)) => {
                play.push(Step::ShowEvent { seat, position });
            }
            (Step::DrawTerritoryCard { seat, reason }, Answer::Position(position)) => {
                collect::territory_card_drawn(play, seat, reason, position);
            }
            (Step::ShowEvent { seat, position }, Answer::Shown(shown)) => {
                collect::event_shown(play, seat, position, shown);
            }
            (Step::DiscardHand(seat), Answer::Shown(shown)) => conquest::discard_hidden_card(play, seat, shown),
            (Step::ReturnEvents, Answer::Masked) => play.tell(Event::EventsReturned),
            (Step::Reshuffle(deck), Answer::Masked) => play.tell(Event::DeckReshuffled { deck }),
            (step, answer) => unreachable!("`{step}` does not wait for {answer:?}"),
        }
    }

    fn evolve(board: &mut Board, event: &Event) {
        evolve(board, event);
    }

    fn facts(sheet: &mut Sheet<'_, Board>) {
        facts(sheet);
    }

    fn moment(board: &Board) -> String {
        moment(board)
    }

    fn turn(board: &Board) -> String {
        turn_named(board)
    }

    fn outcome(board: &Board) -> Option<Outcome> {
        board.outcome().cloned()
    }

    fn hand(board: &Board, seat: Seat) -> Vec<Slot> {
        let player = board.player(seat);
        player.territory_cards.iter().chain(&player.adventure_cards).chain(&player.uprising).copied().collect()
    }

    fn view(play: &Play, seat: Option<Seat>, faces: &Faces) -> Value {
        view::view(play, seat, faces)
    }

    fn news(board: &Board, event: &Event, seat: Option<Seat>, faces: &Faces) -> Value {
        news::news(board, event, seat, faces)
    }
}

/// Chapters 6 to 12.
fn perform_deed(play: &mut Play, step: Step) {
    match step {
        Step::NameInvasion { source, target, route } => invasion::name(play, source, target, route),
        Step::DeclareInvasion => play.tell(Event::InvasionDeclared),
        Step::PayToll(plan) => invasion::pay_toll(play, plan),
        Step::Battle(plan) => battle::commit(play, plan),
        Step::Defend(plan) => battle::defend(play, plan),
        Step::ChangeSource { source, route, plan } => invasion::change_source(play, source, route, plan),
        Step::GoOn | Step::CallOff => combat::call_off(play),
        Step::EndCombat => combat::end(play),
        Step::Follow { source, target, moved } => conquest::follow(play, source, target, moved),
        Step::Eliminate { seat, by } => conquest::eliminate(play, seat, by),
        Step::Card(step) => cards::perform(play, step),
        Step::OpenWindow(window) => cards::window::open(play, window),
        Step::Discard { seat, slot, card } => play.tell(Event::CardDiscarded { seat, slot, card }),
        Step::Move { from, to, moved } => fortify::fortify(play, from, to, moved),
        Step::CollectTerritoryCards => collect::collect_territory_cards(play),
        Step::DrawTerritoryCard { seat, reason } => collect::draw_territory_card_from_empty(play, seat, reason),
        Step::CollectAdventureCard => collect::collect_adventure_card(play),
        Step::DrawAdventureCard(seat) => collect::draw_adventure_card_from_empty(play, seat),
        Step::ReplaceLeader => collect::replace_leader(play),
        Step::MoveFellowship => fellowship::move_on(play),
        Step::LeaveTerritory => fellowship::leave(play),
        Step::Depart => fellowship::depart(play),
        // A question or a roll that was not needed.
        Step::Reinforce
        | Step::Combat
        | Step::Advance { .. }
        | Step::DiscardHand(_)
        | Step::TradeDown
        | Step::OfferMission
        | Step::KeepHandLimit(_)
        | Step::Fortify
        | Step::RollFellowship
        | Step::SeekRing => {}
        other => unreachable!("`{other}` waits for an answer"),
    }
}

/// The player with the highest die is chosen; if several have it, they roll again (▲7).
fn roll_off(play: &mut Play, purpose: RollOff, among: &[Seat], dice: &[u32]) {
    let rolls: Vec<(Seat, u32)> = among.iter().copied().zip(dice.iter().copied()).collect();
    let highest = dice.iter().max().expect("somebody rolls");
    let best: Vec<Seat> = rolls.iter().filter(|(_, roll)| roll == highest).map(|(seat, _)| *seat).collect();
    play.tell(Event::RolledOff { purpose, rolls });
    match (best.as_slice(), purpose) {
        ([seat], RollOff::Claim | RollOff::Turn) => setup::first_found(play, purpose, *seat),
        ([seat], RollOff::Last) => setup::last_found(play, *seat),
        ([seat], RollOff::Tie) => score::tie_broken(play, *seat),
        (_, _) => play.push(Step::RollOff { purpose, among: best }),
    }
}
