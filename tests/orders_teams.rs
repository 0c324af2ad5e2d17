//! Standing orders of three and four players: the questions that only team mates are asked.

use crate::record_game::{Game, charter_of, letter};
use crate::tiny_title::TITLES;
use engine::chance::Practice;
use engine::need::{Need, Question};
use engine::seat::Seat;
use record::verify::{Errors, Wanted, verify};

fn asked(game: &Game) -> Option<Question> {
    match game.table.fold().need() {
        Need::Question(question) => Some(question),
        _ => None,
    }
}

fn verifies(game: &mut Game) {
    let now = game.now();
    game.table.reveal(now).unwrap();
    let progress = Box::leak(Box::new(|_| {}));
    let wanted = Wanted { file: "-".to_string(), titles: TITLES, errors: Errors::First, seen: Vec::new(), progress };
    let report = verify(&game.log()[..], wanted).unwrap();
    assert!(report.is_ok(), "{report}");
}

/// Orders for the draws, swaps and proposals that seats are asked about.
const ORDERS: [&str; 3] =
    ["when asked draw: draw strategy", "when asked swap: no swap", "when asked join: stay separate"];

/// Every seat leaves the orders; from then on nobody is asked these questions, and the record verifies.
fn answered(players: usize, turns: usize) {
    let folder = tempfile::tempdir().unwrap();
    let mut game = Game::start_by(folder.path(), &charter_of("wotr", players, &[]), 9);
    for seat in (1..=players).map(|seat| Seat(u8::try_from(seat).unwrap())) {
        for order in ORDERS {
            let read = game.table.read_order(seat, order).unwrap();
            assert_eq!(game.table.read_order(seat, &read.to_string()).unwrap(), read, "{order}");
            let (now, via) = (game.now(), letter(order, game.head_seq()));
            game.table.leave_order(seat, order, Some(via), now).unwrap();
        }
    }
    let chance = &mut Practice::new(17);
    let said = |game: &Game, words: &str| {
        let log = String::from_utf8(game.log()).unwrap();
        log.lines().filter(|line| line.starts_with("said: ") && line.contains(words)).count()
    };
    for _ in 0..600 {
        let Some(question) = asked(&game).filter(|_| said(&game, "no swap") < turns) else { break };
        assert!(!["draw", "swap", "join"].contains(&question.id), "{} is asked", question.id);
        let line = game.anything(chance);
        game.say(&line);
    }
    assert!(said(&game, "no swap") >= turns && said(&game, "draw strategy") >= turns, "the orders have answered");
    verifies(&mut game);
}

#[test]
fn four_players_draw_swap_and_join_by_their_orders() {
    answered(4, 4);
}

#[test]
fn three_players_draw_swap_and_join_by_their_orders() {
    answered(3, 2);
}

/// 17.13: the new holders play, lay and discard swapped cards, and the record verifies.
#[test]
fn swapped_cards_are_played_on() {
    for players in [3, 4] {
        let folder = tempfile::tempdir().unwrap();
        let mut game = Game::start_by(folder.path(), &charter_of("wotr", players, &[]), 9);
        let chance = &mut Practice::new(4);
        let mut swaps = 0;
        while swaps < 3 {
            let before = asked(&game).expect("the game goes on");
            let line = match (before.id, game.anything(chance)) {
                ("swap", line) if line == "no swap" => continue,
                (_, line) => line,
            };
            game.say(&line);
            // The team mate has answered with a card.
            let goes_on = asked(&game).is_some_and(|question| question.id == "swap");
            swaps += usize::from(before.id == "swap" && !goes_on);
        }
        for _ in 0..60 {
            if asked(&game).is_some() {
                let line = game.anything(chance);
                game.say(&line);
            }
        }
        let log = String::from_utf8(game.log()).unwrap();
        assert!(log.lines().filter(|line| line.starts_with("said: ") && line.contains("swap ")).count() >= 6);
        verifies(&mut game);
    }
}
