/*! Any line is a sentence: it is read in the middle of some game, without a panic.

The first two bytes choose the game and how far it is played, the rest are lines, said one after the other by the
asked seat. An accepted sentence reads back as it prints; a refusal points into the line and changes nothing.
*/

use engine::chance::Practice;
use engine::facts::Facts;
use engine::need::{Need, Question};
use engine::practice::Table;
use engine::refusal::Refusal;
use engine::seat::Seat;
use engine::title::{Setup, Title};
use record::fold::standing::Order;
use risk::EDITION;
use wotr::EDITIONS;

/// A game, its edition, the number of players, and a switch that is not at its default.
type Tabled = (&'static Title, &'static str, usize, Option<(&'static str, &'static str)>);

const TABLES: [Tabled; 13] = [
    (&risk::title::TITLE, EDITION, 2, None),
    (&risk::title::TITLE, EDITION, 3, None),
    (&risk::title::TITLE, EDITION, 4, None),
    (&risk::title::TITLE, EDITION, 4, Some(("variant", "alliance"))),
    (&risk::title::TITLE, EDITION, 4, Some(("variant", "team"))),
    (&risk::title::TITLE, EDITION, 3, Some(("variant", "standard"))),
    (&risk::title::TITLE, EDITION, 2, Some(("variant", "standard"))),
    (&risk::title::TITLE, EDITION, 3, Some(("defender_dice", "ask"))),
    (&risk::title::TITLE, EDITION, 3, Some(("doom_roll_on_arrival", "false"))),
    (&risk::title::TITLE, EDITION, 2, Some(("mission_if_already_there", "false"))),
    (&wotr::title::TITLE, EDITIONS[0], 2, None),
    (&wotr::title::TITLE, EDITIONS[0], 2, Some(("preset", "reference-manual"))),
    (&wotr::title::TITLE, EDITIONS[0], 2, Some(("preset", "first-edition"))),
];

/// The moments of a game that are tried: close together in its set-up, further and further apart later.
const PLACES: usize = 40;

/// The most lines that are said, to save time.
const LINES_MAX: usize = 12;

thread_local! {
    static GAMES: Vec<Vec<Table>> = (0..).zip(TABLES).map(|(seed, table)| places(seed, table)).collect();
}

pub fn run(data: &[u8]) {
    let [game, place, lines @ ..] = data else { return };
    let mut table = at(*game, *place);
    let mut chance = Practice::new(u64::from(*place));
    for line in String::from_utf8_lossy(lines).split('\n').take(LINES_MAX) {
        let _ = Order::read(line);
        match table.game.need() {
            Need::Question(question) => say(&mut table, &question, line, &mut chance),
            need => {
                assert_eq!(need, Need::Over, "the dealer has answered");
                let refused = table.game.read(Seat(0), line, &table.faces);
                assert_eq!(refused, Err(Refusal::NotAsked { waits_for: None }));
                return;
            }
        }
    }
}

/// Valid inputs: at each moment of each game, what may be said there, and what somebody said.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (game, place) in (0..TABLES.len()).flat_map(|game| (0..PLACES).map(move |place| (game, place))) {
        let (game, place) = (u8::try_from(game).expect("few games"), u8::try_from(place).expect("few places"));
        let mut table = at(game, place);
        let mut chance = Practice::new(u64::from(place));
        let mut lines: Vec<String> = Vec::new();
        for _ in 0..3 {
            lines.extend(table.play_anything(&mut chance).map(|said| said.sentence));
        }
        seeds.push([&[game, place], lines.join("\n").as_bytes()].concat());
    }
    seeds
}

fn at(game: u8, place: u8) -> Table {
    GAMES.with(|games| {
        let places = &games[usize::from(game) % games.len()];
        let table = &places[usize::from(place) % places.len()];
        Table { game: table.game.copy(), faces: table.faces.clone() }
    })
}

fn places(seed: u64, (title, edition, players, option): Tabled) -> Vec<Table> {
    let seats = title.seats(players).expect("so many can play").into_iter().map(str::to_string).collect();
    let options = option.into_iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let setup = Setup { edition: edition.to_string(), seats, options };
    let mut chance = Practice::new(seed);
    let mut table = Table::new(title, &setup, &mut chance).expect("a game that can be played");
    let mut places = Vec::new();
    for place in 0..PLACES {
        places.push(Table { game: table.game.copy(), faces: table.faces.clone() });
        for _ in 0..place {
            table.play_anything(&mut chance);
        }
        table.game.forget_news();
    }
    places
}

fn say(table: &mut Table, question: &Question, line: &str, chance: &mut Practice) {
    let (seat, faces) = (question.seat, &table.faces);
    let other = Seat(seat.0 + 1);
    let refused = table.game.read(other, line, faces);
    assert_eq!(refused, Err(Refusal::NotAsked { waits_for: Some((seat, question.id)) }));
    let read = table.game.read(seat, line, faces);
    let before = facts(table);
    match &read {
        Ok(said) => {
            let again = table.game.read(seat, &said.sentence, faces);
            assert_eq!(again.as_ref(), Ok(said), "`{line}` does not read as it prints");
        }
        Err(refusal) => points_into(line, refusal),
    }
    let said = table.game.say(seat, line, faces);
    assert_eq!(said, read, "`{line}` is said as it was read");
    match said {
        Ok(_) => {
            table.deal(chance);
            let _ = facts(table);
        }
        Err(_) => assert_eq!(facts(table), before, "`{line}` was refused and changed something"),
    }
}

fn points_into(line: &str, refusal: &Refusal) {
    assert!(!refusal.to_string().is_empty());
    let at = refusal.at().expect("the seat is asked, so a word was wrong");
    let words = line.get(at.clone()).unwrap_or_else(|| panic!("{at:?} is not in {line:?}"));
    match refusal {
        Refusal::NotUnderstood { found, .. } | Refusal::Ambiguous { found, .. } => assert_eq!(words, found),
        Refusal::NotAllowed { said, .. } => assert_eq!(words, said),
        Refusal::NotAsked { .. } => unreachable!("it points at words"),
    }
}

fn facts(table: &Table) -> String {
    let mut facts = Facts::default();
    table.game.facts(&mut facts);
    facts.text().to_string()
}
