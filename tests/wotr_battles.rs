//! Random battles, from positions in which every region is fought for: no question without an answer, every sentence
//! reads as it prints, no figure is lost or added, no force exceeds its limit.

use engine::chance::{Chance, Practice};
use engine::facts::Facts;
use engine::game::Game;
use engine::need::Need;
use engine::practice::Table;
use engine::slot::Faces;
use engine::title::Setup;
use std::collections::{BTreeMap, BTreeSet};
use wotr::combat_title::CombatTitle;
use wotr::region::Region;
use wotr::title::TITLE;
use wotr::{EDITIONS, position};

/// The positions from which battles are fought.
const POSITIONS: u64 = 400;

/// The sentences said from each position.
const SENTENCES: u32 = 50;

const NATIONS: [[&str; 5]; 2] =
    [["gondor", "rohan", "elves", "north", "dwarves"], ["sauron", "sauron", "isengard", "southrons", "southrons"]];

fn setup(options: &[(&str, &str)]) -> Setup {
    Setup {
        edition: EDITIONS[0].to_string(),
        seats: vec!["free".to_string(), "shadow".to_string()],
        options: options.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect(),
    }
}

/// A small force of a side, with its Leaders.
fn force(side: usize, chance: &mut dyn Chance) -> String {
    let nation = NATIONS[side][chance.below(5) as usize];
    let mut words = format!("{nation} {}r", 1 + chance.below(3));
    if chance.below(2) == 1 {
        words.push_str(" 1e");
    }
    match (side, chance.below(3)) {
        (0, 0) => words.push_str(" 1l"),
        (1, 0) => words.push_str(" nazgul 1"),
        _ => {}
    }
    words
}

/// A position: Armies of both sides side by side, sieges in every other Stronghold, and the Characters among them.
fn lines(chance: &mut dyn Chance) -> Vec<(String, String)> {
    let mut characters = [
        vec!["boromir", "legolas", "gimli", "strider", "gandalf-the-white", "aragorn", "peregrin"],
        vec!["witch-king", "mouth-of-sauron"],
    ];
    let mut lines = vec![("clear".to_string(), "-".to_string())];
    for region in Region::all() {
        if chance.below(if region.is_stronghold() { 3 } else { 8 }) > 0 {
            continue;
        }
        let side = chance.below(2) as usize;
        let mut words = String::new();
        if let (true, Some(owner), true) = (region.is_stronghold(), region.side(), chance.below(2) == 1) {
            let besieged = owner.index();
            words = format!("besieged {} inside ", force(1 - besieged, chance));
            words.push_str(&force(besieged, chance));
            characters[besieged].pop().into_iter().for_each(|name| words.push_str(&format!(" {name}")));
        } else {
            if region.side().is_some_and(|owner| owner.index() != side) && region.settlement().is_some() {
                words.push_str("captured ");
            }
            words.push_str(&force(side, chance));
            if chance.below(3) == 0 {
                characters[side].pop().into_iter().for_each(|name| words.push_str(&format!(" {name}")));
            }
        }
        lines.push((region.id().to_string(), words));
    }
    let orthanc = "isengard 1r 1e saruman".to_string();
    lines.retain(|(key, _)| key != "orthanc");
    lines.push(("orthanc".to_string(), orthanc));
    let wars = "dwarves 0 elves 0 gondor 0 north 1 rohan 0 isengard 0 sauron 0 southrons 0";
    for (key, value) in [
        ("fellowship", "gandalf-the-grey meriadoc"),
        ("politics", wars),
        ("free-dice", "army-muster 2 character 2 will 1"),
        ("shadow-dice", "army 3 character 3"),
    ] {
        lines.push((key.to_string(), value.to_string()));
    }
    // Four cards of each deck, so that every Combat title is played in some battle.
    for deck in ["free-character", "free-strategy", "shadow-character", "shadow-strategy"] {
        let hand = [0, 6, 12, 18].map(|quarter| (quarter + chance.below(6)).to_string());
        lines.push((deck.to_string(), format!("hand {}", hand.join(" "))));
    }
    lines
}

fn facts(game: &dyn Game) -> BTreeMap<String, String> {
    let mut facts = Facts::default();
    game.facts(&mut facts);
    let lines = facts.text().lines().filter_map(|line| line.split_once(": "));
    lines.map(|(key, value)| (key.to_string(), value.to_string())).collect()
}

/// The number of figures of each kind, wherever they are.
fn census(facts: &BTreeMap<String, String>) -> BTreeMap<String, u32> {
    let mut figures: BTreeMap<String, u32> = BTreeMap::new();
    let boxes = ["reinforcements", "casualties", "removed", "aside", "fellowship"];
    let places = Region::all().iter().map(|region| region.id()).chain(boxes);
    for place in places {
        let mut kind = "";
        for word in facts[place].split(' ').filter(|word| !["-", "besieged", "captured", "inside"].contains(word)) {
            let rank = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
            match word[..word.len() - rank.len()].parse::<u32>() {
                Ok(number) => *figures.entry(format!("{kind} {rank}")).or_default() += number,
                Err(_) => {
                    kind = word;
                    *figures.entry(word.to_string()).or_default() += u32::from(word.contains('-') || word == "strider");
                }
            }
        }
    }
    figures
}

/// The asked seat says something; of a few random sentences for its action it prefers an attack.
fn say_something(table: &mut Table, chance: &mut dyn Chance) -> Option<String> {
    let Need::Question(question) = table.game.need() else { return None };
    let before = table.game.copy();
    let mut said = table.game.say_anything(chance, &table.faces);
    for _ in 0..6 {
        if question.id == "action" && !said.sentence.contains("attack") {
            table.game = before.copy();
            said = table.game.say_anything(chance, &table.faces);
        }
    }
    let read = before.read(question.seat, &said.sentence, &table.faces);
    assert_eq!(read.as_ref(), Ok(&said), "`{}` reads as it prints", said.sentence);
    table.deal(chance);
    Some(said.sentence)
}

/// 1.33, 1.34, 10.27: between two actions no Leader is alone, no force is over its limit, and no siege has lost a side.
fn is_settled(facts: &BTreeMap<String, String>) {
    for region in Region::all() {
        let words = &facts[region.id()];
        let besieged = words.contains("besieged");
        let forces: Vec<&str> = words.split("inside").collect();
        let [mut units, mut leaders] = [[[0; 2]; 2]; 2];
        for (place, force) in forces.iter().enumerate() {
            let mut side = 0;
            for word in force.split(' ') {
                let nation = NATIONS.iter().position(|nations| nations.contains(&word));
                side = nation.unwrap_or(side);
                match word.split_at(word.len().saturating_sub(1)) {
                    (number, "r" | "e") => units[place][side] += number.parse::<u32>().unwrap_or(0),
                    (number, "l") => leaders[place][side] += number.parse::<u32>().unwrap_or(0),
                    _ => {}
                }
            }
        }
        assert!(units[0].iter().all(|units| *units <= 10) && units[1].iter().all(|units| *units <= 5), "{words}");
        assert!((0..2).all(|place| leaders[place][0] == 0 || units[place][0] > 0), "{words}");
        assert!(!besieged || (0..2).any(|side| units[0][side] > 0 && units[1][1 - side] > 0), "{words}");
        assert!(units[0][0] == 0 || units[0][1] == 0, "two Armies never stand together in the open: {words}");
    }
}

#[test]
fn random_battles_keep_their_figures() {
    let options: [&[(&str, &str)]; 4] = [
        &[],
        &[("preset", "rules-guide-2.5")],
        &[("stacking.move_over_ten", "forbid"), ("politics.attack_trigger", "region")],
        &[("preset", "first-edition"), ("combat.fp_elite_replacement", "casualties_only")],
    ];
    let mut questions: BTreeMap<&'static str, u32> = BTreeMap::new();
    let mut laid: BTreeSet<&'static str> = BTreeSet::new();
    let mut begun = 0;
    for seed in 0..POSITIONS {
        let mut chance = Practice::new(seed);
        let setup = setup(options[usize::try_from(seed).unwrap() % options.len()]);
        let lines = lines(&mut chance);
        let lines: Vec<(&str, &str)> = lines.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        // Sometimes the position needs more figures than there are.
        let Ok((game, faces)) = position::begin(&setup, &lines) else { continue };
        begun += 1;
        let mut table = Table { game, faces };
        table.deal(&mut chance);
        let whole = census(&facts(table.game.as_ref()));
        for _ in 0..SENTENCES {
            let Need::Question(question) = table.game.need() else { break };
            *questions.entry(question.id).or_default() += 1;
            if question.id == "action" {
                let facts = facts(table.game.as_ref());
                assert_eq!(census(&facts), whole, "seed {seed}");
                is_settled(&facts);
            }
            table.game.forget_news();
            say_something(&mut table, &mut chance);
            let told = table.game.news(None, &Faces::default());
            let told = told.iter().filter_map(|told| told["text"].as_str()?.split_once(" (Combat card of "));
            for (showed, _) in told {
                laid.extend(CombatTitle::all().map(CombatTitle::title).filter(|title| showed.ends_with(title)));
            }
        }
    }
    assert!(begun * 2 > POSITIONS, "{begun} positions were played");
    for title in CombatTitle::all().map(CombatTitle::title) {
        assert!(laid.contains(title), "{title} was laid: {laid:?}");
    }
    for asked in TITLE.questions.iter().filter(|asked| asked.group == "battle") {
        assert!(questions.get(asked.id).is_some_and(|times| *times >= 10), "{} was asked: {questions:?}", asked.id);
    }
}
