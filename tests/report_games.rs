//! Letters of whole games: every letter of games played at random is a page, and holds no secret of another seat.

use ringmail::engine::chance::Practice;
use ringmail::engine::need::Need;
use ringmail::engine::practice::Table;
use ringmail::engine::seat::Seat;
use ringmail::engine::title::{Setup, Title};
use ringmail::report::letter::letter;
use ringmail::report::occasion::{Occasion, Setting, happening};
use ringmail::risk::{EDITION, Risk};

struct Evening {
    table: Table,
    setup: Setup,
    players: Vec<String>,
    chance: Practice,
    seq: u64,
}

impl Evening {
    fn begin(players: usize, seed: u64, options: &[(&str, &str)]) -> Evening {
        let seats = Risk.seats(players).unwrap().into_iter().map(str::to_string).collect();
        let options = options.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        let setup = Setup { edition: EDITION.to_string(), seats, options };
        let mut chance = Practice::new(seed);
        let table = Table::new(&Risk, &setup, &mut chance).unwrap();
        let players = ["Anna", "Boris", "Chloé", "Dagný"][..players].iter().map(|name| name.to_string()).collect();
        Evening { table, setup, players, chance, seq: 3 }
    }

    fn occasion(&self, reader: Option<Seat>) -> Occasion {
        let head = "9c1e0a77".repeat(8);
        let setting =
            Setting { id: "g1", title: &Risk, setup: &self.setup, players: &self.players, seq: self.seq, head: &head };
        let (game, faces) = (&*self.table.game, &self.table.faces);
        let mut occasion = setting.look(game, reader, faces);
        occasion.news = vec![happening(game, self.seq, reader, faces)];
        if let Some(seat) = reader {
            occasion.openings = setting.openings(game, seat, faces, |_| Some("0123abcd".repeat(8)));
        }
        occasion
    }

    fn play(&mut self) -> bool {
        self.seq += 1;
        self.table.game.forget_news();
        self.table.play_anything(&mut self.chance).is_some()
    }
}

#[test]
fn look() {
    let players = std::env::var("P").ok().and_then(|p| p.parse().ok()).unwrap_or(4);
    let turns: u64 = std::env::var("T").ok().and_then(|p| p.parse().ok()).unwrap_or(0);
    let mut evening = Evening::begin(players, 7, &[]);
    for _ in 0..turns {
        evening.play();
    }
    let Need::Question(question) = evening.table.game.need() else { panic!() };
    let page = letter(&evening.occasion(Some(question.seat)));
    println!("{}\n\n{}", page.subject, page.text);
}
#[test]
fn speed() {
    let mut evening = Evening::begin(4, 7, &[]);
    let (mut worst, mut most, mut total, mut n) = (0, 0, 0, 0);
    let mut lw = 0;
    let mut lt = 0;
    while n < 1500 {
        if !evening.play() {
            break;
        }
        let Need::Question(q) = evening.table.game.need() else { break };
        let t = std::time::Instant::now();
        let offers = evening.table.game.offers(&evening.table.faces, 2000);
        let us = t.elapsed().as_micros();
        if us > worst {
            worst = us;
            most = offers.len();
            println!("{us} µs {} offers {}", offers.len(), q.id);
        }
        total += us;
        n += 1;
        let t = std::time::Instant::now();
        let o = evening.occasion(Some(q.seat));
        let mid = t.elapsed().as_micros();
        letter(&o);
        let us = t.elapsed().as_micros();
        if us > lw {
            lw = us;
            println!("letter {us} of which occasion {mid}");
        }
        lt += us;
    }
    println!("{n}: offers worst {worst} µs with {most}, mean {}; letters worst {lw} mean {}", total / n, lt / n);
}
