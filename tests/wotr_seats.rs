/*! Three and four players (17), where a table says it better than a scenario: the marks of the Event cards, and what
is said for a player who does not answer.
*/

use engine::game::Game;
use engine::name::Named;
use engine::need::Need;
use engine::seat::Seat;
use engine::slot::Faces;
use engine::title::Setup;
use std::collections::BTreeMap;
use wotr::card::Card;
use wotr::player::{Player, Seating};
use wotr::side::Side;
use wotr::title::TITLE;
use wotr::{EDITIONS, position};

/// A game of this seating at a position.
fn game(seating: Seating, lines: &[(&str, &str)]) -> (Box<dyn Game>, Faces) {
    let seats = seating.players().iter().map(|player| player.id().to_string()).collect();
    let setup = Setup { edition: EDITIONS[0].to_string(), seats, options: Vec::new() };
    position::begin(&setup, lines).unwrap_or_else(|why| panic!("{lines:?}: {why}"))
}

/// The marks of 17.17, as the rulebook has them: `| Gondor | fp-strat-02, 06, … |`.
fn printed() -> BTreeMap<String, Player> {
    let book = include_str!("../src/wotr/rules.md");
    let from = book.find("\n17.17 ").expect("the marks stand there");
    let to = from + book[from..].find("\n17.18 ").expect("they end there");
    let mut marks = BTreeMap::new();
    for row in book[from..to].lines().filter(|line| line.starts_with("| ") && line.contains("-strat-")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let player = Player::of_id(&cells[1].to_lowercase()).expect("a player");
        for group in cells[2].split(';') {
            // The deck is named once, before the first number: `sh-char-20, 24`.
            let (deck, numbers) = group.trim().rsplit_once('-').expect("a deck and its numbers");
            for number in numbers.split(", ") {
                let before = marks.insert(format!("{deck}-{number}"), player);
                assert_eq!(before, None, "{deck}-{number} has one mark");
            }
        }
    }
    marks
}

#[test]
fn the_marks_are_those_of_the_rulebook() {
    let printed = printed();
    assert_eq!(printed.len(), 37);
    for card in Card::all() {
        assert_eq!(card.mark(), printed.get(card.id()).copied(), "{}", card.id());
        assert!(card.mark().is_none_or(|mark| mark.side() == card.deck().side), "{}", card.id());
    }
}

/// Why the player may not play the card with an Event die of his side; `None` if he may.
fn refused(seating: Seating, player: Player, card: Card) -> Option<String> {
    let step = format!("{player} go");
    let hand = format!("hand {}", card.id());
    let second = if player.place() == 1 { card.id() } else { "-" };
    let lines = [
        ("step", step.as_str()),
        ("free-dice", "event 1"),
        ("shadow-dice", "event 1"),
        (card.deck().id(), hand.as_str()),
        ("second-hands", second),
    ];
    let (game, faces) = game(seating, &lines);
    let Need::Question(question) = game.need() else { panic!("{player} has the go") };
    assert_eq!(question.seat, seating.seat(player));
    let title = card.name().id();
    let offers = game.offers(&faces, 500).into_iter().map(|offer| offer.sentence);
    let is_offered = offers.into_iter().any(|offer| offer.starts_with(&format!("event die: play {title}")));
    // With and without its die, the card is refused for the same reason.
    let said = [format!("event die: play {title}"), format!("play {title}")];
    let [with, without] = said.map(|said| game.read(question.seat, &said, &faces).err().map(|no| no.to_string()));
    assert_eq!(with.is_some(), !is_offered, "{player}, {}", card.id());
    assert_eq!(with, without, "{player}, {}", card.id());
    with
}

/// 17.16, 17.17: a card with a mark is refused to the mate of its player for that reason, and to nobody else.
#[test]
fn a_mark_bars_the_mate_and_nobody_else() {
    for seating in Seating::ALL {
        let mut barred = 0;
        for (player, card) in seating.players().iter().flat_map(|player| Card::all().map(|card| (*player, card))) {
            if card.deck().side != player.side() {
                continue;
            }
            let by_mark = card.mark().is_some_and(|mark| mark != player) && seating.is_shared(player.side());
            let no = refused(seating, player, card);
            let is_for_its_mark = no.as_ref().is_some_and(|no| no.contains("rule 17.16"));
            assert_eq!(is_for_its_mark, by_mark, "{player}, {}: {no:?}", card.id());
            barred += u8::from(by_mark);
        }
        let expected = match seating {
            Seating::Two => 0,
            Seating::Three => 19,
            Seating::Four => 37,
        };
        assert_eq!(barred, expected, "{seating:?}");
    }
}

/// The question at a position, and the sentence that does least.
fn least(lines: &[(&str, &str)], before: &[(Seat, &str)]) -> (&'static str, Option<&'static str>) {
    let (mut game, faces) = game(Seating::Four, lines);
    for (seat, said) in before {
        game.say(*seat, said, &faces).unwrap_or_else(|no| panic!("{said}: {no}"));
    }
    let Need::Question(question) = game.need() else { panic!("somebody is asked") };
    let is_said = |said: &&&str| game.read(question.seat, said, &faces).is_ok_and(|read| read.sentence == **said);
    (question.id, TITLE.orders.least.iter().find(is_said).copied())
}

/// 17.10, 17.13, 17.32: for a silent player, nothing is swapped and Armies stay separate; the program chooses the
/// deck to draw from, because neither choice is less.
#[test]
fn silence_swaps_and_joins_nothing() {
    let empty = [("free-strategy", "left 0"), ("shadow-character", "left 0"), ("shadow-strategy", "left 0")];
    let recovery = [("turn", "2 recovery"), ("step", "recovery")];
    assert_eq!(least(&recovery, &[]), ("draw", None));
    let held = [("free-character", "hand 0 1 left 0"), ("second-hands", "free-character 1")];
    let swap: Vec<(&str, &str)> = recovery.into_iter().chain(empty).chain(held).collect();
    assert_eq!(least(&swap, &[]), ("swap", Some("no swap")));
    let rohan = Seating::Four.seat(Player::Rohan);
    assert_eq!(least(&swap, &[(rohan, "swap character-1")]), ("swap", Some("no swap")));
    let join = [("step", "rohan go"), ("free-dice", "muster 1"), ("osgiliath", "gondor 2r rohan 2r")];
    assert_eq!(least(&join, &[(rohan, "join osgiliath")]), ("join", Some("stay separate")));
}

/// The title explains every question that a game of four asks.
#[test]
fn the_questions_of_team_mates_are_known() {
    for id in ["draw", "swap", "join"] {
        assert!(TITLE.questions.iter().any(|asked| asked.id == id), "{id}");
    }
    // A player who does nothing again and again is told of the order that would do it for him.
    for idle in ["no swap", "stay separate"] {
        assert!(TITLE.orders.idle.contains(&idle) && TITLE.orders.least.contains(&idle), "{idle}");
    }
}

/// The first seat that is asked in this phase of a turn, and its question.
fn first_asked(seating: Seating, turn: usize, step: &str, dice: [&str; 2]) -> (Seat, &'static str) {
    let turn = format!("{turn} {step}");
    let lines = [("turn", turn.as_str()), ("step", step), ("free-dice", dice[0]), ("shadow-dice", dice[1])];
    match game(seating, &lines).0.need() {
        Need::Question(question) => (question.seat, question.id),
        need => panic!("{turn}: {}", need.kind()),
    }
}

/// 17.6 to 17.8, 17.20: which player leads, and which acts first, turn by turn.
#[test]
fn the_token_goes_from_mate_to_mate() {
    for seating in [Seating::Three, Seating::Four] {
        for turn in 1..=6 {
            let leader = |side| {
                let team = seating.team(side);
                team[(turn - 1) % team.len()]
            };
            let (free, shadow) = (leader(Side::Free), leader(Side::Shadow));
            let seat = |player| seating.seat(player);
            let all = ["spent 4", "spent 7"];
            assert_eq!(first_asked(seating, turn, "fellowship", all), (seat(free), "fellowship"));
            assert_eq!(first_asked(seating, turn, "allocation", all), (seat(shadow), "hunt-allocation"));
            let begins = first_asked(seating, turn, "actions", ["event 1", "event 1"]);
            assert_eq!(begins, (seat(seating.mate(free)), "action"));
            let alone = first_asked(seating, turn, "actions", ["spent 4", "event 1"]);
            assert_eq!(alone, (seat(seating.mate(shadow)), "action"));
        }
    }
}

/// 17.5, 17.9: lines that a player writes ahead are read with his own hand, whatever the die in use and whoever
/// leads: no card of his team mate is played, and no refusal names one.
#[test]
fn what_is_written_ahead_is_read_with_ones_own_hand() {
    let lines = [
        ("turn", "1 actions"),
        ("step", "rohan go"),
        ("free-dice", "character 2"),
        ("shadow-dice", "character 2 hunt-box 1"),
        ("free-character", "hand fp-char-06 fp-char-07"),
        ("shadow-character", "hand sh-char-15 sh-char-16"),
        ("second-hands", "fp-char-06 sh-char-16"),
    ];
    let own = [
        (Player::Gondor, "horn-of-gondor", "axe-and-bow"),
        (Player::Rohan, "axe-and-bow", "horn-of-gondor"),
        (Player::WitchKing, "worn-with-sorrow-and-toil", "flocks-of-crebain"),
        (Player::Saruman, "flocks-of-crebain", "worn-with-sorrow-and-toil"),
    ];
    let (mut game, faces) = game(Seating::Four, &lines);
    let check = |game: &dyn Game, moment: &str| {
        for (player, own, other) in own {
            let seat = Seating::Four.seat(player);
            let foreseen = |words: &str| game.foresee(seat, "action", words, &faces).expect("a go can be foreseen");
            let read = foreseen(&format!("character die: play {own}"));
            assert!(read.is_ok(), "{moment}: {player}: {}", read.unwrap_err());
            let refused = foreseen(&format!("character die: play {other}")).expect_err("it is his mate's").to_string();
            assert!(refused.contains("you do not hold"), "{moment}: {player}: {refused}");
            let (_, held) = refused.split_once("; you hold: ").expect("his own cards are named");
            let title = own.replace('-', " ");
            assert!(held.to_lowercase().starts_with(&title), "{moment}: {player}: {refused}");
        }
    };
    check(&*game, "a go");
    let rohan = Seating::Four.seat(Player::Rohan);
    game.say(rohan, "move fellowship", &faces).unwrap();
    check(&*game, "a Hunt");
}
