//! How fast Risk plays, writes its facts and copies its board.

use divan::Bencher;
use divan::counter::ItemsCount;
use engine::chance::Practice;
use engine::facts::Facts;
use engine::practice::Table;
use engine::title::Setup;
use risk::EDITION;

fn main() {
    divan::main();
}

fn setup(players: usize) -> Setup {
    let seats = risk::title::TITLE.seats(players).expect("2 to 4 players").into_iter().map(str::to_string).collect();
    Setup { edition: EDITION.to_string(), seats, options: Vec::new() }
}

/// A game some turns after its setup.
fn table(players: usize) -> Table {
    let mut chance = Practice::new(7);
    let mut table = Table::new(&risk::title::TITLE, &setup(players), &mut chance).expect("it can be set up");
    for _ in 0..60 {
        table.play_anything(&mut chance);
        table.game.forget_news();
    }
    table
}

/// Whole games at random; the items are sentences.
#[divan::bench(args = [2, 3, 4])]
fn self_play(bencher: Bencher, players: usize) {
    let setup = setup(players);
    let play = |seed: u64| {
        let mut chance = Practice::new(seed);
        let mut table = Table::new(&risk::title::TITLE, &setup, &mut chance).expect("it can be set up");
        let mut sentences = 0usize;
        while table.play_anything(&mut chance).is_some() {
            table.game.forget_news();
            sentences += 1;
        }
        sentences
    };
    let sentences: usize = (0..16).map(play).sum();
    bencher.counter(ItemsCount::new(sentences)).bench(|| (0..16).map(play).sum::<usize>());
}

#[divan::bench]
fn facts(bencher: Bencher) {
    let table = table(4);
    let mut facts = Facts::default();
    bencher.bench_local(|| table.game.facts(&mut facts));
}

#[divan::bench]
fn facts_and_digest(bencher: Bencher) {
    let table = table(4);
    let mut facts = Facts::default();
    bencher.bench_local(|| {
        table.game.facts(&mut facts);
        facts.digest()
    });
}

#[divan::bench]
fn copy(bencher: Bencher) {
    let table = table(4);
    bencher.bench_local(|| table.game.copy());
}

#[divan::bench]
fn offers(bencher: Bencher) {
    let table = table(4);
    bencher.bench_local(|| table.game.offers(&table.faces, 200));
}
