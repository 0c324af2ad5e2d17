/*! War of the Ring: random self-play, the facts of a moment and their digest, a copy of the table, a whole letter.
Run with `cargo bench --bench wotr`. */

use divan::Bencher;
use divan::counter::ItemsCount;
use engine::chance::Practice;
use engine::facts::Facts;
use engine::need::Need;
use engine::practice::Table;
use engine::title::Setup;
use report::letter::letter;
use report::occasion::Setting;
use wotr::EDITIONS;
use wotr::title::TITLE;

fn main() {
    divan::main();
}

/// The sentences after which a random game is stopped.
const SENTENCES: usize = 2_000;

fn setup(players: usize) -> Setup {
    let seats = TITLE.seats(players).expect("it is played by so many");
    Setup { edition: EDITIONS[0].to_string(), seats: seats.into_iter().map(str::to_string).collect(), options: vec![] }
}

fn table(seed: u64) -> (Table, Practice) {
    table_of(2, seed)
}

fn table_of(players: usize, seed: u64) -> (Table, Practice) {
    let mut chance = Practice::new(seed);
    let table = Table::new(&TITLE, &setup(players), &mut chance).expect("a game");
    (table, chance)
}

fn played(seed: u64, sentences: usize) -> Table {
    let (mut table, mut chance) = table(seed);
    for _ in 0..sentences {
        if table.play_anything(&mut chance).is_none() {
            break;
        }
    }
    table
}

/// Random self-play with two players, in sentences a second, for some seeds.
#[divan::bench(args = [1, 2, 3])]
fn self_play(bencher: Bencher<'_, '_>, seed: u64) {
    plays(bencher, 2, seed);
}

/// The games played for tables of different sizes, because random games differ greatly.
const GAMES: u64 = 8;
const SENTENCES_OF: usize = 1_000;

/// The same for two, three and four players, in sentences a second over several games.
#[divan::bench(args = [2, 3, 4])]
fn self_play_of(bencher: Bencher<'_, '_>, players: usize) {
    let begin = || (1..=GAMES).map(|seed| table_of(players, seed)).collect::<Vec<_>>();
    let all = begin().into_iter().map(|(table, chance)| goes_on(table, chance, SENTENCES_OF).1).sum::<usize>();
    bencher.counter(ItemsCount::new(all)).with_inputs(begin).bench_values(|tables| {
        tables.into_iter().map(|(table, chance)| goes_on(table, chance, SENTENCES_OF)).collect::<Vec<_>>()
    });
}

/// Plays a random game on for `sentences` sentences, or to its end; returns the table and the number of sentences.
fn goes_on(mut table: Table, mut chance: Practice, sentences: usize) -> (Table, usize) {
    let said = (0..sentences).take_while(|_| {
        table.game.forget_news();
        table.play_anything(&mut chance).is_some()
    });
    let said = said.count();
    (table, said)
}

fn plays(bencher: Bencher<'_, '_>, players: usize, seed: u64) {
    let begin = || table_of(players, seed);
    bencher.counter(ItemsCount::new(SENTENCES)).with_inputs(begin).bench_values(|(mut table, mut chance)| {
        for _ in 0..SENTENCES {
            if table.game.need() == Need::Over {
                (table, chance) = table_of(players, seed + 100);
            }
            table.game.forget_news();
            table.play_anything(&mut chance);
        }
        table
    });
}

/// Copies the board and the agenda.
#[divan::bench]
fn copy(bencher: Bencher<'_, '_>) {
    let table = played(1, 300);
    let mut game = table.game;
    game.forget_news();
    bencher.bench_local(|| game.copy());
}

/// The facts of a moment.
#[divan::bench]
fn facts(bencher: Bencher<'_, '_>) {
    let table = played(1, 300);
    let mut facts = Facts::default();
    bencher.bench_local(|| {
        table.game.facts(&mut facts);
        facts.text().len()
    });
}

/// The facts of a moment and their digest, as every entry of a log needs them.
#[divan::bench]
fn facts_and_digest(bencher: Bencher<'_, '_>) {
    let table = played(1, 300);
    let mut facts = Facts::default();
    bencher.bench_local(|| {
        table.game.facts(&mut facts);
        facts.digest()
    });
}

/// A letter to the asked seat in the middle of a turn: his view, the whole menu, and the page.
#[divan::bench]
fn a_letter(bencher: Bencher<'_, '_>) {
    let mut table = played(1, 300);
    let mut chance = Practice::new(9);
    let reader = loop {
        match table.game.need() {
            Need::Question(question) if question.id == "action" => break question.seat,
            _ => drop(table.play_anything(&mut chance).expect("the game goes on")),
        }
    };
    let (setup, players, head) = (setup(2), ["Anna".to_string(), "Boris".to_string()], "9c1e0a77".repeat(8));
    let setting = Setting { id: "g1", title: &TITLE, setup: &setup, players: &players, seq: 57, head: &head };
    bencher.bench_local(|| letter(&setting.look(&*table.game, Some(reader), &table.faces)));
}
