//! What standing orders mean: which one answers, what it says, how long it stands; and at the end every answer by an
//! order is checked against its book.

use crate::record_game::{Game, charter_of, letter};
use crate::tiny_title::TITLES;
use engine::chance::{Chance, Practice};
use engine::need::{Need, Question};
use engine::order::line::alternatives;
use engine::seat::Seat;
use engine::title::Title;
use record::table::table_error::TableError;
use record::verify::{Errors, Wanted, verify};
use tempfile::TempDir;

fn started(title: &str) -> (TempDir, Game) {
    let folder = tempfile::tempdir().unwrap();
    let game = Game::start_by(folder.path(), &charter_of(title, 2, &[]), 9);
    (folder, game)
}

fn asked(game: &Game) -> Option<Question> {
    match game.table.fold().need() {
        Need::Question(question) => Some(question),
        _ => None,
    }
}

/// Plays at random until this question is asked.
fn until(game: &mut Game, question: &str, chance: &mut Practice) -> Seat {
    loop {
        let open = asked(game).expect("the game goes on");
        if open.id == question {
            return open.seat;
        }
        let line = game.anything(chance);
        game.say(&line);
    }
}

fn leaves(game: &mut Game, seat: Seat, order: &str) -> Result<usize, TableError> {
    let (now, via) = (game.now(), letter(order, game.head_seq()));
    Ok(game.table.leave_order(seat, order, Some(via), now)?.len())
}

/// What was said last.
fn last(game: &Game) -> String {
    let log = String::from_utf8(game.log()).unwrap();
    let said = log.lines().rev().find_map(|line| line.strip_prefix("said: "));
    said.unwrap().trim_matches('"').to_string()
}

#[track_caller]
fn verifies(game: &mut Game) {
    let now = game.now();
    game.table.reveal(now).unwrap();
    let progress = Box::leak(Box::new(|_| {}));
    let wanted = Wanted { file: "-".to_string(), titles: TITLES, errors: Errors::First, seen: Vec::new(), progress };
    let log = game.log();
    let report = verify(&log[..], wanted).unwrap();
    assert!(report.is_ok(), "{report}");
}

const FREE: Seat = Seat(1);
const SHADOW: Seat = Seat(2);

#[test]
fn the_condition_says_which_answer_is_given() {
    let (_folder, mut game) = started("wotr");
    until(&mut game, "hunt-allocation", &mut Practice::new(1));
    let order = "when asked hunt-allocation if progress >= 3: allot 2; else if progress > 0: allot 3; else allot 1";
    leaves(&mut game, SHADOW, order).unwrap();
    assert_eq!(last(&game), "allot 1");
    verifies(&mut game);
}

#[test]
fn a_false_condition_passes_on_and_what_is_not_allowed_asks_the_seat() {
    let (_folder, mut game) = started("wotr");
    let chance = &mut Practice::new(1);
    until(&mut game, "hunt-allocation", chance);
    leaves(&mut game, SHADOW, "when asked hunt-allocation if corruption > 90: allot 2").unwrap();
    assert_eq!(asked(&game).unwrap().id, "hunt-allocation");
    leaves(&mut game, SHADOW, "when asked hunt-allocation: allot 1").unwrap();
    assert_eq!(last(&game), "allot 1");
    // In the next turn the order left last is tried first. It is for this question and not allowed: no other order
    // answers instead.
    let now = game.now();
    game.table.note_order(SHADOW, "when asked hunt-allocation if turn > 1: allot 77", None, None).unwrap();
    game.table.hear(SHADOW, Some(letter("more", game.head_seq())), now).unwrap();
    until(&mut game, "hunt-allocation", chance);
    assert_eq!(asked(&game).map(|asked| asked.seat), Some(SHADOW));
    // Its `else` is said.
    leaves(&mut game, SHADOW, "when asked hunt-allocation: allot 77, else allot 2").unwrap();
    assert_eq!(last(&game), "allot 2");
    verifies(&mut game);
}

#[test]
fn the_seat_may_wish_to_be_asked() {
    let (_folder, mut game) = started("wotr");
    until(&mut game, "hunt-allocation", &mut Practice::new(1));
    leaves(&mut game, SHADOW, "when asked hunt-allocation if turn = 1: ask me; else allot 1").unwrap();
    leaves(&mut game, FREE, "when asked hunt-allocation: allot 1").unwrap();
    assert_eq!(asked(&game).map(|asked| asked.seat), Some(SHADOW));
    verifies(&mut game);
}

#[test]
fn an_order_stands_as_long_as_it_says() {
    let (_folder, mut game) = started("wotr");
    let chance = &mut Practice::new(1);
    until(&mut game, "hunt-allocation", chance);
    leaves(&mut game, SHADOW, "when asked hunt-allocation: allot 2 next turn").unwrap();
    assert_eq!(asked(&game).unwrap().id, "hunt-allocation", "it is for the turn to come");
    game.say("allot 1");
    let turn = game.table.fold().game().turn();
    while game.table.fold().game().turn() == turn {
        let line = game.anything(chance);
        game.say(&line);
    }
    while game.table.fold().game().turn() == "turn 2" {
        assert_ne!(asked(&game).unwrap().id, "hunt-allocation", "the order answers");
        let line = game.anything(chance);
        game.say(&line);
    }
    until(&mut game, "hunt-allocation", chance);
    assert_eq!(game.table.orders(SHADOW), [], "it is for no later turn");
    verifies(&mut game);
}

/// Plays at random until a seat is asked for a Combat card; the round and region depend on the chance.
fn battle(game: &mut Game, chance: &mut Practice) -> (Seat, String) {
    until(game, "combat-card", chance);
    let asked = asked(game).unwrap();
    (asked.seat, game.table.fold().game().matter().place.unwrap().to_string())
}

#[test]
fn an_order_for_a_place_or_a_battle_answers_there_and_nowhere_else() {
    let (_folder, mut game) = started("wotr");
    let chance = &mut Practice::new(3);
    let (seat, region) = battle(&mut game, chance);
    let other = if region == "osgiliath" { "edoras" } else { "osgiliath" };
    leaves(&mut game, seat, &format!("when asked combat-card in {other}: no card")).unwrap();
    assert_eq!(asked(&game).map(|asked| (asked.seat, asked.id)), Some((seat, "combat-card")));
    let by = if seat == FREE { "shadow" } else { "free" };
    // The attacker is asked first: its own attack caused the question.
    leaves(&mut game, seat, &format!("when asked combat-card by {by}: no card")).unwrap();
    assert_eq!(asked(&game).map(|asked| (asked.seat, asked.id)), Some((seat, "combat-card")));
    leaves(&mut game, seat, &format!("when asked combat-card in {region}: no card this battle")).unwrap();
    assert_eq!(last(&game), "no card");
    let battle_of = |game: &Game| game.table.fold().game().battle();
    let here = battle_of(&game);
    while battle_of(&game).is_some() && battle_of(&game) == here {
        assert_ne!(asked(&game).map(|asked| (asked.seat, asked.id)), Some((seat, "combat-card")));
        let line = game.anything(chance);
        game.say(&line);
    }
    assert_eq!(game.table.orders(seat).len(), 2, "the one for the battle has ended with it");
    verifies(&mut game);
}

#[test]
fn what_a_condition_may_name_depends_on_the_question() {
    let (_folder, mut game) = started("wotr");
    until(&mut game, "hunt-allocation", &mut Practice::new(1));
    let read = |order: &str| game.table.read_order(SHADOW, order).map(|order| order.to_string());
    let refused = |order: &str, why: &str| {
        let told = read(order).unwrap_err().to_string();
        assert!(told.contains(why), "{order}: {told}");
    };
    refused("when asked fellowship if round > 1: done", "`fellowship` is not asked in a battle");
    refused("when asked combat-card if damage > 1: no card", "only `hunt-damage` and `hunt-card` are asked");
    refused("when asked retreat if they laid no card: stand", "only `combat-card` is asked while a card lies there");
    refused("when asked retreat if unitz < 3: stand", "did you mean `units`?");
    refused("when asked retreat if units < 3 or round > 1: stand", "Expected: and");
    refused("when asked retreat in osgilliath: stand", "not understood");
    refused("when asked retreat by sauron: stand", "there is no seat `sauron`; there are: free, shadow");
    refused("when asked reatreat: stand", "the game never asks `reatreat`");
    refused("when asked discard: one of elven cloaks, mithrill coats", "not understood: `mithrill`");
    refused("when asked retreat: toward edorras", "not understood: `edorras`");
    refused("when asked retreat if they are gone: stand", "only `advance` is asked when a battle is won");
    refused("when asked losses if successes > 1: regulars first", "only `hunt-damage` and `hunt-card` are asked");
    refused("when asked losses: lose 1 regular this battle", "no battle is fought now");
    refused("when asked action: muster die: isengart to war", "not understood: `isengart`");
    let all = [
        "when asked hunt-allocation if progress >= 3: allot 2; else allot 1",
        "when asked fellowship: done",
        "when asked combat-card if enemies > units: no card; else ask me",
        "when asked field-or-siege if attackers >= 4: withdraw; else fight in the open",
        "when asked losses if units > 5: lose 1 regular; else lose 1 elite",
        "when asked retreat if units < 3: retreat to edoras, else stand",
        "when asked siege-round: end",
        "when asked hunt-damage if corruption < 8: take it; else lose a random companion",
        "when asked advance if they withdrew: with all but 1 regular; else stay",
        "when asked hunt-damage if successes >= 2 and next level < 3: take it; else lose a random companion",
        "when asked losses if a card was shown: regulars first; else elites first",
        "when asked discard: discard one of elven cloaks, A Power too Great; else ask me",
        "when asked retreat: toward edoras, else stand",
        "when asked guide if Strider in the fellowship and guide is gandalf the grey: guide strider",
        "when asked retreat, press-on in minas tirith by shadow if units < twice enemies and Gondor at war: stand",
        "when asked combat-card if they laid a character card and leadership >= their leadership: no card once",
        "when asked reveal if strongholds on the way < 1: toward lorien; else ask me",
        "when asked hunt-damage if tile reveals and shadow strongholds on the way >= 1: lose a random companion",
        "when asked hunt-damage if tile reveals and osgiliath mine and nazgul in mordor < 9: take it",
    ];
    for order in all.iter().take(all.len() - 1) {
        let canonical = read(order).unwrap_or_else(|why| panic!("{order}: {why}"));
        assert_eq!(read(&canonical).unwrap(), canonical);
    }
    refused(all[all.len() - 1], "not understood");
}

#[test]
fn an_order_is_replaced_or_put_first_where_it_stands() {
    let (_folder, mut game) = started("wotr");
    until(&mut game, "hunt-allocation", &mut Practice::new(1));
    game.table.note_order(SHADOW, "when asked combat-card: no card", None, None).unwrap();
    game.table.note_order(SHADOW, "when asked combat-card if round > 1: ask me", None, None).unwrap();
    game.table.note_replacement(SHADOW, 2, "when asked combat-card if round > 2: ask me", None).unwrap();
    game.table.note_first(SHADOW, 1, None).unwrap();
    let orders: Vec<String> =
        game.table.orders(SHADOW).iter().map(|(number, order)| format!("{number} {order}")).collect();
    let expected = ["3 when asked combat-card if round more than 2 say ask me", "4 when asked combat-card say no card"];
    assert_eq!(orders, expected);
    assert!(game.table.note_first(SHADOW, 9, None).is_err());
    assert_eq!(game.table.would_say(SHADOW, &game.table.orders(SHADOW)[0].1), None);
    let now = game.now();
    game.table.hear(SHADOW, Some(letter("orders", game.head_seq())), now).unwrap();
    verifies(&mut game);
}

/// A policy for a question, if it has one.
fn policy(title: &Title, question: &str) -> Option<&'static str> {
    title.orders.policies.iter().find(|(asked, _)| *asked == question).map(|(_, answer)| *answer)
}

/// Random games in which seats leave random orders: every possible order reads as it prints, no order stops the game,
/// and at the end each answer is the one that its book gives.
fn at_random(title: &str, seed: u64) {
    let (_folder, mut game) = started(title);
    let chance = &mut Practice::new(seed);
    let mut answered = 0;
    for _ in 0..60 {
        let Some(open) = asked(&game) else { break };
        let (fold, title) = (game.table.fold(), game.table.fold().plan().title);
        let seat = if chance.below(2) == 0 { open.seat } else { Seat(3 - open.seat.0) };
        let questions = title.questions;
        let any = chance.below(u32::try_from(questions.len()).unwrap());
        let named = if chance.below(2) == 0 { open.id } else { questions[any as usize].id };
        let condition = fold.game().any_condition(seat, named, chance).map(|said| said.sentence);
        let said = if named == open.id && seat == open.seat {
            game.anything(chance)
        } else {
            title.orders.least[chance.below(u32::try_from(title.orders.least.len()).unwrap()) as usize].to_string()
        };
        let said = match chance.below(4) {
            0 => policy(title, named).map_or(said.clone(), |policy| format!("{policy}, else {said}")),
            _ => said,
        };
        let scope = ["", " once", " this turn", " next turn", " this battle"][chance.below(5) as usize];
        let otherwise = ["", "; else ask me", ", else pass", "; else done"][chance.below(4) as usize];
        let condition = condition.filter(|_| chance.below(3) > 0);
        let condition = condition.map_or(String::new(), |condition| format!(" if {condition}"));
        let order = format!("when asked {named}{condition}: {said}{otherwise}{scope}");
        match game.table.read_order(seat, &order) {
            Ok(read) => {
                let again = game.table.read_order(seat, &read.to_string()).unwrap();
                assert_eq!(again, read, "{order}");
                answered += leaves(&mut game, seat, &order).unwrap() - 1;
            }
            Err(TableError::NotNow { .. }) if scope == " this battle" => {}
            // A sentence that is only partly known now may be one that can already be refused.
            Err(error) => panic!("{order}: {error}"),
        }
        if asked(&game).is_some() {
            let line = game.anything(chance);
            game.say(&line);
        }
    }
    assert!(answered > 0, "orders answer");
    verifies(&mut game);
}

#[test]
fn orders_at_random_answer_as_their_books_say() {
    for seed in 0..3 {
        at_random("wotr", seed);
        at_random("risk", seed);
    }
}

/// Plays at random until a seat says a sentence with these words.
fn until_said(game: &mut Game, begins: &str, chance: &mut Practice) -> (Seat, String) {
    loop {
        let (seat, line) = (asked(game).expect("the game goes on").seat, game.anything(chance));
        if line.contains(begins) && line.contains(" from ") {
            return (seat, line);
        }
        game.say(&line);
    }
}

#[test]
fn clauses_answer_for_the_battle_of_their_sentence_and_for_no_other() {
    let (_folder, mut game) = started("wotr");
    let chance = &mut Practice::new(5);
    let mut answered = 0;
    for _ in 0..6 {
        let (seat, attack) = until_said(&mut game, ": attack ", chance);
        let before = game.table.orders(seat).len();
        let line = format!("{attack}; until 1 left; cards none; elites first; with all");
        assert!(game.table.read(seat, &line).unwrap_err().to_string().contains("with all"), "it is no clause");
        let line = format!("{attack}; until 1 left; cards none; elites first; advance with all but 1 regular");
        game.say(&line);
        let here = game.table.fold().game().battle();
        let mine = ["combat-card", "losses", "press-on"];
        while here.is_some() && game.table.fold().game().battle() == here {
            let open = asked(&game).unwrap();
            // A siege asks in other words, and hits of a card are taken outside of the battle.
            assert!(open.seat != seat || !mine.contains(&open.id), "{} is asked {}", seat.0, open.id);
            let line = game.anything(chance);
            game.say(&line);
        }
        answered += usize::from(here.is_some());
        assert_eq!(game.table.orders(seat).len(), before, "its clauses have ended with the battle");
        if asked(&game).is_none() {
            break;
        }
    }
    assert!(answered > 1, "battles were fought");
    verifies(&mut game);
}

#[test]
fn the_first_sentence_of_a_line_that_is_allowed_is_said() {
    let (_folder, mut game) = started("wotr");
    let chance = &mut Practice::new(1);
    let seat = until(&mut game, "hunt-allocation", chance);
    let read = |line: &str| game.table.read(seat, line).map(|heard| heard.sentence().to_string());
    assert_eq!(read("allot 9; else allot 1").unwrap(), "allot 1");
    assert_eq!(read("allot 1; else allot 2").unwrap(), "allot 1");
    assert!(read("alot 9; else allot 1").is_err(), "a slip of the pen is none of them");
    assert!(read("allot 9; else allot 8").is_err());
    let why = read("allot 1; until 3 left").unwrap_err().to_string();
    assert!(why.contains("none is fought after this one"), "{why}");
    let why = read("allot 1; losses if unitz > 3: regulars first").unwrap_err().to_string();
    assert!(why.contains("did you mean `units`?"), "{why}");
}

#[test]
fn clauses_of_an_invasion_say_how_far_it_goes() {
    let (_folder, mut game) = started("risk");
    let chance = &mut Practice::new(3);
    let mut answered = 0;
    while answered < 2 {
        let (_, attack) = until_said(&mut game, "attack ", chance);
        let bare = attack.split(" with ").next().unwrap().split(" until ").next().unwrap().to_string();
        let line = format!("{bare}; until 2 left; advance all but 2");
        let seat = asked(&game).unwrap().seat;
        if game.table.read(seat, &line).is_err() {
            game.say(&attack);
            continue;
        }
        game.say(&line);
        while game.table.fold().game().battle().is_some() {
            let open = asked(&game).unwrap();
            assert!(open.seat != seat || !["go-on", "advance"].contains(&open.id), "{}", open.id);
            let line = game.anything(chance);
            game.say(&line);
        }
        answered += 1;
    }
    verifies(&mut game);
}

#[test]
fn every_example_that_help_prints_is_read() {
    for title in ["wotr", "risk"] {
        let (_folder, game) = started(title);
        let (table, title) = (&game.table, game.table.fold().plan().title);
        for (question, answer) in title.orders.policies {
            let order = format!("when asked {question}: {answer}");
            table.read_order(FREE, &order).unwrap_or_else(|why| panic!("{order}: {why}"));
        }
        for line in title.orders.clause_examples {
            let clauses = alternatives(line, table.fold().game().clauses());
            assert!(clauses.iter().any(|alternative| !alternative.clauses.is_empty()), "{line}");
            table.check_clauses(FREE, line).unwrap_or_else(|why| panic!("{line}: {why}"));
        }
        assert!((title.orders.fact_words)().len() > 20);
    }
}
