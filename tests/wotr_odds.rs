/*! The odds in the tables compared with the dice of the record: committed seeds, and chi-square against what can be
counted.

Limits are the values of chi-square that chance exceeds once in ten thousand times; the seeds are fixed, so a test
either always passes or shows a mistake.
*/

use crate::amount::amount;
use engine::chance::{Chance, drawn};
use engine::facts::Facts;
use engine::game::Game;
use engine::need::{Answer, Need};
use engine::seat::Seat;
use engine::slot::Faces;
use engine::title::Setup;
use ground::hash::hash;
use record::commit::seed::{Seed, Stream};
use wotr::{EDITIONS, position};

/// Games of each experiment, usually and in a night.
const GAMES: u32 = 6_000;
const GAMES_LONG: u32 = 20_000;

/// The chi-square that chance exceeds once in 10,000 times, by degrees of freedom from 1.
const LIMITS: [f64; 15] =
    [15.14, 18.42, 21.11, 23.51, 25.74, 27.86, 29.88, 31.83, 33.72, 35.56, 37.37, 39.13, 40.87, 42.58, 44.26];

/// The dice of one throw.
struct Committed(Stream);

impl Committed {
    fn new(experiment: &str, game: u32) -> Committed {
        Committed(Seed(hash("odds", &[experiment.as_bytes(), &game.to_be_bytes()])).stream())
    }
}

impl Chance for Committed {
    fn below(&mut self, bound: u32) -> u32 {
        self.0.uniform(bound)
    }
}

/// A position, one sentence, and the dice up to the next question.
fn played(experiment: &str, game: u32, lines: &[(&str, &str)], said: &[(Seat, &str)]) -> Box<dyn Game> {
    let setup = Setup {
        edition: EDITIONS[0].to_string(),
        seats: vec!["free".to_string(), "shadow".to_string()],
        options: Vec::new(),
    };
    let (mut table, faces) = position::begin(&setup, lines).unwrap();
    let mut dice = Committed::new(experiment, game);
    deal(table.as_mut(), &mut dice, &faces);
    for (seat, sentence) in said {
        table.say(*seat, sentence, &faces).unwrap();
        deal(table.as_mut(), &mut dice, &faces);
    }
    table
}

fn deal(game: &mut dyn Game, dice: &mut Committed, faces: &Faces) {
    loop {
        let answer = match game.need() {
            Need::Draw(draw) => drawn(&draw, dice),
            Need::Show(show) => Answer::Shown(faces.get(show.slot).filter(|card| show.among.contains(card))),
            Need::Question(_) | Need::Mask(_) | Need::Over => return,
        };
        game.answer(answer).unwrap();
    }
}

fn fact(game: &dyn Game, key: &str) -> String {
    let mut facts = Facts::default();
    game.facts(&mut facts);
    let found = facts.text().lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
    found.unwrap_or_else(|| panic!("there is a fact `{key}`")).to_string()
}

/// Compares counts with odds, which add up to 1.
#[track_caller]
fn fits(counts: &[u32], odds: &[f64]) {
    let total: u32 = counts.iter().sum();
    let terms = counts.iter().zip(odds).map(|(count, odds)| {
        let expected = f64::from(total) * odds;
        assert!(expected >= 5.0, "too few for a chi-square: {expected}");
        (f64::from(*count) - expected).powi(2) / expected
    });
    let square: f64 = terms.sum();
    assert!(square < LIMITS[counts.len() - 2], "chi-square {square:.2} for {counts:?} against {odds:?}");
}

#[test]
fn action_dice_fall_as_printed() {
    let mut counts = [0_u32; 5];
    let mut eyes = [0_u32; 2];
    for game in 0..amount(GAMES, GAMES_LONG) / 4 {
        let table = played("action dice", game, &[("step", "action-roll")], &[]);
        let value = fact(table.as_ref(), "free-dice");
        let mut words = value.split(' ');
        while let (Some(face), Some(number)) = (words.next(), words.next()) {
            let faces = ["character", "muster", "army-muster", "event", "will"];
            if let Some(index) = faces.iter().position(|known| *known == face) {
                counts[index] += number.parse::<u32>().unwrap();
            }
        }
        let shadow = fact(table.as_ref(), "shadow-dice");
        let hunt_box: u32 = shadow.split(' ').next_back().unwrap().parse().unwrap();
        eyes[0] += hunt_box;
        eyes[1] += 7 - hunt_box;
    }
    let sixth = 1.0 / 6.0;
    // 4.9: the Free Peoples have two faces with a Character, the Shadow one Eye.
    fits(&counts, &[2.0 * sixth, sixth, sixth, sixth, sixth]);
    fits(&eyes, &[sixth, 5.0 * sixth]);
}

/// The chance of at least one success with `dice` dice, and `rerolls` misses thrown again (14.7 to 14.9).
fn success(dice: u32, needed: u32, rerolls: u32) -> f64 {
    let miss = f64::from(needed - 1) / 6.0;
    // Every die misses, and so does every die thrown again.
    1.0 - miss.powi(i32::try_from(dice + rerolls.min(dice)).unwrap())
}

#[test]
fn the_hunt_succeeds_as_often_as_it_should() {
    // The dice in the box, the FP dice among them, the region, and the re-rolls that its conditions give.
    let cases = [
        (1, 0, "hollin", 0),
        (3, 0, "hollin", 0),
        (2, 1, "hollin", 0),
        (2, 0, "moria", 2),
        (3, 1, "dol-guldur", 3),
        (7, 0, "weather-hills", 0),
    ];
    for (dice, bonus, region, rerolls) in cases {
        let mut counts = [0_u32; 2];
        let shadow = format!("spent 0 hunt-box {dice}");
        let free = format!("character 2 hunt-box {bonus}");
        let experiment = format!("hunt {dice} {bonus} {region}");
        for game in 0..amount(GAMES, GAMES_LONG) / 6 {
            let lines = [
                ("ring-bearers", region),
                ("free-dice", free.as_str()),
                ("shadow-dice", shadow.as_str()),
                ("hunt-pool", "std-03 std-04 std-07 std-08"),
            ];
            let table = played(&experiment, game, &lines, &[(Seat(1), "move fellowship")]);
            let caught = fact(table.as_ref(), "hunt-tile") != "-";
            counts[usize::from(!caught)] += 1;
        }
        // 14.8: 6 or more, each FP die in the box adding 1.
        let odds = success(dice.min(5), 6 - bonus, rerolls);
        fits(&counts, &[odds, 1.0 - odds]);
    }
}

#[test]
fn tiles_are_drawn_alike() {
    let mut counts = [0_u32; 12];
    for game in 0..amount(GAMES, GAMES_LONG) {
        let lines = [
            ("ring-bearers", "hollin"),
            ("free-dice", "character 2 hunt-box 4"),
            ("shadow-dice", "spent 0 hunt-box 5"),
            (
                "hunt-pool",
                "std-03 std-04 std-05 std-06 std-07 std-08 std-09 std-10 std-11 std-12 fp-phial sh-shelobs-lair",
            ),
        ];
        let table = played("tiles", game, &lines, &[(Seat(1), "move fellowship")]);
        let value = fact(table.as_ref(), "hunt-pool");
        let drawn = lines[3].1.split(' ').position(|tile| value.split(' ').all(|left| left != tile));
        if let Some(drawn) = drawn {
            counts[drawn] += 1;
        }
    }
    fits(&counts, &[1.0 / 12.0; 12]);
}

/// The odds of each number of hits: `dice` dice that hit on `needed`, and up to `rerolls` misses thrown once more
/// (9.24).
fn hits(dice: u32, needed: u32, rerolls: u32) -> Vec<f64> {
    let hit = f64::from(7 - needed) / 6.0;
    let mut odds = vec![0.0; usize::try_from(dice).unwrap() + 1];
    for first in 0..=dice {
        let again = rerolls.min(dice - first);
        for second in 0..=again {
            odds[usize::try_from(first + second).unwrap()] += binomial(dice, first, hit) * binomial(again, second, hit);
        }
    }
    odds
}

fn binomial(of: u32, number: u32, odds: f64) -> f64 {
    let ways = (0..number).fold(1.0, |ways, index| ways * f64::from(of - index) / f64::from(index + 1));
    ways * odds.powi(i32::try_from(number).unwrap()) * (1.0 - odds).powi(i32::try_from(of - number).unwrap())
}

#[test]
fn a_round_of_battle_hits_as_often_as_it_should() {
    // Osgiliath is a Fortification: in the first round the attacker needs 6, the defender 5 (9.23).
    let lines = [
        ("osgiliath", "gondor 10r 1l"),
        ("south-ithilien", "sauron 9r nazgul 2"),
        ("minas-tirith", "-"),
        ("dol-amroth", "-"),
        ("pelargir", "-"),
        ("minas-morgul", "-"),
        ("politics", "sauron 0 gondor 0"),
        ("shadow-dice", "army 2"),
        ("free-dice", "character 1"),
        ("step", "shadow go"),
    ];
    let mut losses = [vec![0_u32; 4], vec![0_u32; 4]];
    for game in 0..amount(GAMES, GAMES_LONG) / 2 {
        let attack = [(Seat(2), "attack osgiliath from south-ithilien with 8 regular 2 nazgul")];
        let table = played("battle", game, &lines, &attack);
        let left = |region: &str| -> u32 {
            let value = fact(table.as_ref(), region);
            value.split(' ').nth(1).and_then(|word| word.strip_suffix('r')).unwrap().parse().unwrap()
        };
        let lost = [9 - left("south-ithilien"), 10 - left("osgiliath")];
        for (counts, lost) in losses.iter_mut().zip(lost) {
            counts[usize::try_from(lost.min(3)).unwrap()] += 1;
        }
    }
    let folded = |odds: Vec<f64>| -> Vec<f64> { vec![odds[0], odds[1], odds[2], odds[3..].iter().sum()] };
    fits(&losses[0], &folded(hits(5, 5, 1)));
    fits(&losses[1], &folded(hits(5, 6, 2)));
}
