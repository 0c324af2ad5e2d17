//! Random play.
use ringmail::engine::chance::Practice;
use ringmail::engine::practice::Table;
use ringmail::engine::title::{Setup, Title};
use ringmail::risk::Risk;

#[test]
fn smoke() {
    for players in [2, 3, 4] {
        for seed in 0..20 {
            let seats = Risk.seats(players).unwrap().into_iter().map(str::to_string).collect();
            let setup = Setup { edition: "risk-lotr-trilogy/1".to_string(), seats, options: Vec::new() };
            let mut chance = Practice::new(seed);
            let mut table = Table::new(&Risk, &setup, &mut chance).unwrap();
            let mut count = 0;
            while let Some(said) = table.play_anything(&mut chance) {
                count += 1;
                if seed == 0 && count < 150 {
                    println!("{}", said.sentence);
                }
            }
            println!("{players} {seed} {count} {:?}", table.game.outcome());
        }
    }
}
