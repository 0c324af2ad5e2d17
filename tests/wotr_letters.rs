//! Letters of War of the Ring: every letter of random games is a page that tells no seat another's secret.

use crate::amount::amount;
use engine::chance::{Chance, Practice};
use engine::game::Game;
use engine::need::{Answer, Need};
use engine::practice::Table;
use engine::seat::Seat;
use engine::slot::{Card, Faces};
use engine::title::{Setup, Title};
use post::desk::enclosure;
use report::letter::{Letter, letter};
use report::map::{around_question, atlas};
use report::occasion::{Occasion, Setting, Waits, entry_news, known_to};
use report::{columns, requests};
use std::fs;
use std::path::Path;
use wotr::title::TITLE;
use wotr::{EDITIONS, position};

fn setup() -> Setup {
    setup_of(2)
}

fn setup_of(players: usize) -> Setup {
    let seats = TITLE.seats(players).unwrap().into_iter().map(str::to_string).collect();
    Setup { edition: EDITIONS[0].to_string(), seats, options: Vec::new() }
}

/// The letter to a seat, written with these faces.
fn letter_to(table: &Table, setup: &Setup, seq: u64, reader: Seat, faces: &Faces) -> Letter {
    letter(&occasion(table, setup, seq, reader, faces))
}

/// The same for a seat that was told of the game in `before`, in the same turn.
fn brief_to(table: &Table, setup: &Setup, seq: u64, reader: Seat, faces: &Faces, before: &dyn Game) -> Letter {
    let occasion = occasion(table, setup, seq, reader, faces);
    let then = before.view(Some(reader), &known_to(Some(reader), before, faces));
    let brief = Some(around_question(atlas(&wotr::title::TITLE).unwrap(), &occasion.view, Some(&then)));
    letter(&Occasion { brief, openings: Vec::new(), ..occasion })
}

fn occasion(table: &Table, setup: &Setup, seq: u64, reader: Seat, faces: &Faces) -> Occasion {
    let players = ["Anna", "Boris", "Cleo", "Dora"].map(str::to_string);
    let (head, players) = ("9c1e0a77".repeat(8), &players[..setup.seats.len()]);
    let setting = Setting { id: "g1", title: &TITLE, setup, players, seq, head: &head };
    let game = &*table.game;
    let mut occasion = setting.look(game, Some(reader), faces);
    let news = entry_news(game, seq, Some(reader), &known_to(Some(reader), game, faces));
    occasion.news = [news].into_iter().filter(|news| !news.told.is_empty()).collect();
    if let Waits::Reader { id, .. } = &occasion.waits {
        let asked = &occasion.view["asked"];
        assert_eq!(asked["id"].as_str(), Some(id.as_str()));
        assert_ne!(asked["short"].as_str(), Some("answer"), "`{id}` has words of its own");
        assert!(columns::width(asked["short"].as_str().unwrap()) <= 40, "{asked}");
    }
    occasion
}

/// The faces with every card that the reader may not see replaced by another one.
fn otherwise(table: &Table, reader: Seat) -> Faces {
    let own = table.game.hand(reader);
    let mut faces = Faces::default();
    for (slot, card) in table.faces.iter() {
        let other = Card(u16::from(slot.deck.0) * 24 + 23);
        faces.learn(slot, if own.contains(&slot) { card } else { other });
    }
    faces
}

/// Checks the layout of every text for people.
#[track_caller]
fn is_a_page(text: &str) {
    assert!(text.ends_with('\n') && !text.ends_with("\n\n") && !text.contains("\n\n\n"), "{text}");
    for line in text.lines() {
        assert!(columns::width(line) <= columns::LETTER, "too wide: {line}");
        assert_eq!(line, line.trim_end(), "blanks at the end of a line");
    }
    for leak in ["none", "None", "null", "undefined", "{{", "{%", "[]", "true", "false"] {
        assert!(
            !text.split(|c: char| !c.is_alphanumeric() && !"{}[]%".contains(c)).any(|word| word == leak),
            "{leak}: {text}"
        );
    }
}

/// Compares a text with its file in `tests/letters-out/`. `RINGMAIL_BLESS=1` writes it anew.
#[track_caller]
fn stands(name: &str, text: &str) {
    is_a_page(text);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/letters-out").join(name);
    if std::env::var_os("RINGMAIL_BLESS").is_some() {
        fs::write(&path, text).expect("the text is written");
    }
    let expected = fs::read_to_string(&path).expect("the text was written once");
    assert_eq!(text, expected, "{name}");
}

#[test]
fn every_letter_is_a_page_and_tells_no_secret() {
    let mut longest = (0..amount(2, 12)).flat_map(|seed| letters_at_random(2, seed, 700)).collect::<Vec<usize>>();
    longest.sort_unstable();
    let (middle, most) = (longest[longest.len() / 2], longest[longest.len() - 1]);
    assert!(middle <= 60 && most <= 140, "{middle} {most}");
}

/// 17.5: the hand of a team mate is as secret as that of an enemy.
#[test]
fn every_letter_of_three_and_four_tells_no_secret() {
    for (players, seed) in [(3, 4), (4, 5)] {
        assert!(letters_at_random(players, seed, 90).len() > 5);
    }
}

/// Looks at letters of a game in which everybody says anything. Returns the number of lines of those that are as long
/// as their question, without what the post adds below.
fn letters_at_random(players: usize, seed: u64, most: u64) -> Vec<usize> {
    let setup = setup_of(players);
    let mut lengths = Vec::new();
    let mut chance = Practice::new(seed);
    let mut table = Table::new(&TITLE as &Title, &setup, &mut chance).unwrap();
    let mut before = table.game.copy();
    for seq in 3..most {
        // One letter in seven is checked, for each seat in turn; if two may swap cards, every letter.
        let is_swap = matches!(table.game.need(), Need::Question(question) if question.id == "swap");
        let readers = (0..players).filter(|reader| {
            let is_next = seq % 7 == 0 && usize::try_from(seq / 7).unwrap() % players == *reader;
            is_next || is_swap
        });
        for reader in readers.map(Seat::at) {
            let letter = letter_to(&table, &setup, seq, reader, &table.faces);
            is_a_page(&letter.text);
            let blind = letter_to(&table, &setup, seq, reader, &otherwise(&table, reader));
            assert_eq!(letter, blind, "a secret is told");
        }
        if let Need::Question(question) = table.game.need()
            && !TITLE.orders.own_turn.contains(&question.id)
        {
            let brief = |faces| brief_to(&table, &setup, seq, question.seat, faces, &*before).text;
            let letter = brief(&table.faces);
            is_a_page(&letter);
            lengths.push(letter.lines().count());
            assert_eq!(letter, brief(&otherwise(&table, question.seat)), "a secret is told");
        }
        before = table.game.copy();
        table.game.forget_news();
        if table.play_anything(&mut chance).is_none() {
            break;
        }
    }
    lengths
}

#[test]
fn help_is_a_page() {
    let help = requests::help("wotr", &enclosure::help_lines(), columns::LETTER);
    is_a_page(&help);
    for asked in TITLE.questions {
        assert!(help.contains(&format!("\n  {}: ", asked.id)), "`{}` is explained", asked.id);
    }
}

/// The middle of a war.
pub const WAR: [(&str, &str); 22] = [
    ("turn", "6 actions"),
    ("minas-tirith", "besieged sauron 5r 2e nazgul 2 witch-king inside gondor 3r 1e 1l boromir"),
    ("osgiliath", "sauron 2r southrons 3r 1e"),
    ("pelargir", "captured southrons 2r"),
    ("minas-morgul", "sauron 1r nazgul 1"),
    ("edoras", "rohan 1r 1e 1l"),
    ("helms-deep", "rohan 2r"),
    ("orthanc", "isengard 3r 1e saruman"),
    ("fords-of-isen", "isengard 3r 1e"),
    ("lorien", "elves 1r 2e 1l"),
    ("moria", "sauron 2r"),
    ("ring-bearers", "moria"),
    ("progress", "0 hidden"),
    ("corruption", "3"),
    ("politics", "gondor 0 north 2 rohan 1 isengard 0 sauron 0 southrons 0"),
    ("fellowship", "strider legolas meriadoc peregrin"),
    ("removed", "gimli"),
    ("free-dice", "character 2 muster 1 spent 1"),
    ("shadow-dice", "army 2 army-muster 1 event 1 spent 2 hunt-box 3"),
    ("free-character", "hand 0 4"),
    ("free-strategy", "hand 7 11"),
    ("shadow-strategy", "hand 3 5 20"),
];

#[test]
fn letters_of_a_hunt() {
    let setup = setup();
    let mut lines = WAR.to_vec();
    lines.push(("step", "free go"));
    let (game, faces) = position::begin(&setup, &lines).unwrap();
    let mut table = Table { game, faces };
    let to = |table: &Table, seq, seat| letter_to(table, &setup, seq, Seat::at(seat), &table.faces).text;
    stands("wotr-1-a-go.txt", &to(&table, 57, 0));
    let mut dice = [vec![6, 3, 1], vec![2, 6], vec![9]].into_iter().map(Answer::Dice);
    let before = table.game.copy();
    table.game.forget_news();
    table.game.say(Seat::at(0), "character die: move fellowship", &table.faces).unwrap();
    while let Need::Draw(_) = table.game.need() {
        table.game.answer(dice.next().unwrap()).unwrap();
    }
    stands("wotr-2-the-hunt.txt", &to(&table, 58, 0));
    let brief = brief_to(&table, &setup, 58, Seat::at(0), &table.faces, &*before).text;
    stands("wotr-8-the-hunt-in-brief.txt", &brief);
    stands("wotr-3-the-hunter.txt", &to(&table, 58, 1));
}

/// Chance that always gives the least.
struct Least;

impl Chance for Least {
    fn below(&mut self, _: u32) -> u32 {
        0
    }
}

/// Chance that always gives the most.
struct Most;

impl Chance for Most {
    fn below(&mut self, bound: u32) -> u32 {
        bound - 1
    }
}

#[test]
fn the_letter_after_the_end_tells_who_won() {
    let setup = setup();
    let lines = [("mordor", "4"), ("fellowship", "-"), ("hunt-pool", "fp-phial"), ("free-dice", "character 1")];
    let (game, faces) = position::begin(&setup, &lines).unwrap();
    let mut table = Table { game, faces };
    table.game.say(Seat::at(0), "move fellowship", &table.faces).unwrap();
    table.deal(&mut Least);
    stands("wotr-4-the-end.txt", &letter_to(&table, &setup, 99, Seat::at(1), &table.faces).text);
}

/// A war of four: Gondor and Rohan are in one Army, Sauron and Isengard in two.
#[test]
fn letters_of_four() {
    let setup = setup_of(4);
    let mut lines = WAR.to_vec();
    lines.extend([
        ("north-ithilien", "gondor 2r 1l rohan 1e"),
        ("mixed", "free north-ithilien"),
        ("fords-of-isen", "sauron 1r isengard 3r 1e"),
        ("second-hands", "free-character 4 free-strategy 7 shadow-strategy 20"),
        ("second-captures", "pelargir"),
        ("next", "rohan saruman"),
        ("step", "rohan go"),
    ]);
    let (game, faces) = position::begin(&setup, &lines).unwrap();
    let mut table = Table { game, faces };
    stands("wotr-11-a-go-of-four.txt", &letter_to(&table, &setup, 57, Seat::at(1), &table.faces).text);
    table.game.forget_news();
    table.game.say(Seat::at(1), "character die: skip", &table.faces).unwrap();
    stands("wotr-12-a-team-mate-waits.txt", &letter_to(&table, &setup, 58, Seat::at(0), &table.faces).text);
    let lines = [("mordor", "4"), ("fellowship", "-"), ("hunt-pool", "fp-phial"), ("free-dice", "character 1")];
    let lost = [("pelargir", "captured southrons 2r"), ("second-captures", "pelargir"), ("step", "rohan go")];
    let lines: Vec<(&str, &str)> = lines.into_iter().chain(lost).collect();
    let (game, faces) = position::begin(&setup, &lines).unwrap();
    let mut table = Table { game, faces };
    table.game.say(Seat::at(1), "move fellowship", &table.faces).unwrap();
    table.deal(&mut Least);
    stands("wotr-13-the-end-of-four.txt", &letter_to(&table, &setup, 99, Seat::at(3), &table.faces).text);
}

#[test]
fn letters_of_a_battle() {
    let setup = setup();
    let mut lines = WAR.to_vec();
    lines.retain(|(key, _)| *key != "shadow-strategy");
    lines.push(("north-ithilien", "gondor 2r 1e 1l rohan 1r"));
    lines.push(("step", "shadow go"));
    let (game, faces) = position::begin(&setup, &lines).unwrap();
    let mut table = Table { game, faces };
    let to = |table: &Table, seq, seat| letter_to(table, &setup, seq, Seat::at(seat), &table.faces).text;
    let mut dice = [vec![6, 5, 1, 1, 1], vec![2, 6, 1, 1], vec![5]].into_iter().map(Answer::Dice);
    table.game.say(Seat::at(1), "army die: attack north-ithilien from osgiliath", &table.faces).unwrap();
    stands("wotr-5-a-combat-card.txt", &to(&table, 57, 0));
    let before = table.game.copy();
    table.game.forget_news();
    table.game.say(Seat::at(0), "no card", &table.faces).unwrap();
    while let Need::Draw(_) = table.game.need() {
        table.game.answer(dice.next().unwrap()).unwrap();
    }
    stands("wotr-6-hits.txt", &to(&table, 58, 1));
    let brief = brief_to(&table, &setup, 58, Seat::at(1), &table.faces, &*before).text;
    stands("wotr-9-hits-in-brief.txt", &brief);
}

#[test]
fn a_letter_about_a_combat_card() {
    let setup = setup();
    let lines = [
        ("clear", "-"),
        ("south-ithilien", "sauron 4r nazgul 1"),
        ("north-ithilien", "gondor 3r 1l boromir"),
        ("politics", "gondor 0 sauron 0"),
        ("shadow-dice", "army 1"),
        ("free-character", "hand 9"),
        ("shadow-character", "hand 6"),
        ("step", "shadow go"),
    ];
    let (game, faces) = position::begin(&setup, &lines).unwrap();
    let mut table = Table { game, faces };
    table.game.say(Seat::at(1), "attack north-ithilien", &table.faces).unwrap();
    table.game.say(Seat::at(1), "lay sh-char-07", &table.faces).unwrap();
    table.game.say(Seat::at(0), "lay there-is-another-way", &table.faces).unwrap();
    let before = table.game.copy();
    table.deal(&mut Most);
    let brief = brief_to(&table, &setup, 57, Seat::at(0), &table.faces, &*before).text;
    stands("wotr-10-a-combat-card-asks-in-brief.txt", &brief);
    stands("wotr-7-a-combat-card-asks.txt", &letter_to(&table, &setup, 57, Seat::at(0), &table.faces).text);
}
