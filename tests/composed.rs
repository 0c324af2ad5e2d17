//! Sentences composed by touches on a page: everything that the page offers, word by word, is accepted.

use engine::chance::{Chance, Practice};
use engine::need::Need;
use engine::practice::Table;
use engine::slot::Faces;
use engine::title::{Game, Setup, Title};
use report::page::menu::menu;
use ringmail::titles;
use serde_json::Value;
use std::collections::BTreeSet;

/// The games of each set-up, the sentences of a game, and the number of sentences between two menus that are tried.
const GAMES: u64 = if cfg!(debug_assertions) { 2 } else { 5 };
const SENTENCES: usize = if cfg!(debug_assertions) { 120 } else { 300 };
const OFTEN: usize = 6;
/// The sentences composed for a question of random play, and of a scenario.
const MANY: u32 = 30;
const FEW: u32 = 3;
/// The greatest size of the menu of a question in a page, before compression.
const BYTES_MAX: usize = 60_000;

/// The data of a page's menu, and a sentence being composed of it, as the script of the page does it.
struct Composer<'a> {
    data: &'a Value,
    chance: &'a mut Practice,
}

impl Composer<'_> {
    fn word(&self, word: &Value) -> &str {
        self.data["words"][word.as_u64().unwrap() as usize].as_str().unwrap()
    }

    /// A sentence of words that the page offers.
    fn compose(&mut self) -> String {
        let nodes = self.data["nodes"].as_array().unwrap();
        let mut node = nodes.last().unwrap();
        let mut words: Vec<String> = Vec::new();
        loop {
            let ways = node[1].as_array().unwrap();
            let ends = node[0] == 1;
            if ends && (ways.is_empty() || self.chance.below(3) == 0) {
                return words.join(" ").replace(" ,", ",");
            }
            assert!(!ways.is_empty(), "a sentence ends nowhere: {words:?}");
            let way = &ways[self.chance.below(ways.len() as u32) as usize];
            match way[0].as_array() {
                None => words.push(self.word(&way[0]).to_owned()),
                Some(part) => words.push(self.part(part)),
            }
            node = &nodes[way[1].as_u64().unwrap() as usize];
        }
    }

    /// A number of a large range, or a split or list of up to four names.
    fn part(&mut self, part: &[Value]) -> String {
        let mut left = part[1].as_u64().unwrap() as u32;
        if part[0] == "number" {
            return (left + self.chance.below(part[2].as_u64().unwrap() as u32 - left + 1)).to_string();
        }
        let mut names: Vec<String> =
            part[2].as_array().unwrap().iter().map(|name| self.word(name).to_owned()).collect();
        let mut said = Vec::new();
        for _ in 0..=self.chance.below(4) {
            if left == 0 || names.is_empty() {
                break;
            }
            let name = names.remove(self.chance.below(names.len() as u32) as usize);
            if part[0] == "split" {
                let number = 1 + self.chance.below(left);
                left -= number;
                said.push(format!("{number} {name}"));
            } else {
                left -= 1;
                said.push(name);
            }
        }
        said.join(", ")
    }
}

/// Composes sentences for the seat that is asked, and reads each.
fn composed(
    title: &dyn Title,
    game: &dyn Game,
    faces: &Faces,
    number: u32,
    chance: &mut Practice,
) -> Result<Vec<String>, String> {
    let Need::Question(question) = game.need() else { return Ok(Vec::new()) };
    let tree = game.tree(faces).expect("somebody is asked");
    if !tree.is_whole {
        return Err(format!("the menu of `{}` is not grown whole", question.id));
    }
    let data = menu(&tree, title.chart().expect("both titles have a map"));
    let bytes = data.to_string().len();
    if bytes > BYTES_MAX {
        return Err(format!("the menu of `{}` takes {bytes} bytes", question.id));
    }
    let mut said = Vec::new();
    for _ in 0..number {
        let sentence = Composer { data: &data, chance }.compose();
        if let Err(refusal) = game.read(question.seat, &sentence, faces) {
            return Err(format!("`{sentence}` is offered to `{}`: {refusal}", question.id));
        }
        said.push(sentence);
    }
    Ok(said)
}

/// Checks that a page offers only what is accepted, in the position of a scenario.
pub fn is_accepted(title: &dyn Title, game: &dyn Game, faces: &Faces) -> Result<(), String> {
    composed(title, game, faces, FEW, &mut Practice::new(1)).map(drop)
}

/// Plays games at random and composes sentences in between: as the asked seat, and as the public. Returns the
/// questions and the beginnings of the sentences.
fn compose_at_random(title: &dyn Title, setup: &Setup) -> (BTreeSet<&'static str>, BTreeSet<String>) {
    let (mut questions, mut begun) = (BTreeSet::new(), BTreeSet::new());
    for seed in 0..GAMES {
        let mut chance = Practice::new(seed);
        let mut table = Table::new(title, setup, &mut chance).unwrap();
        for number in 0..SENTENCES {
            let Need::Question(question) = table.game.need() else { break };
            if questions.insert(question.id) || number % OFTEN == 0 {
                let own = table.faces.of(&table.game.hand(question.seat));
                for faces in [&own, &Faces::default()] {
                    let said = composed(title, table.game.as_ref(), faces, MANY, &mut chance).unwrap();
                    begun.extend(said.iter().map(|said| said.split(' ').take(3).collect::<Vec<_>>().join(" ")));
                }
            }
            table.play_anything(&mut chance);
        }
    }
    (questions, begun)
}

fn setup(title: &dyn Title, players: usize) -> Setup {
    let seats = title.seats(players).unwrap().into_iter().map(str::to_owned).collect();
    Setup { edition: title.editions()[0].to_owned(), seats, options: Vec::new() }
}

#[test]
fn what_is_composed_of_a_menu_of_risk_is_accepted() {
    let title = titles::ALL.by_id("risk").unwrap();
    for players in [2, 4] {
        let (questions, begun) = compose_at_random(title, &setup(title, players));
        assert!(questions.len() >= 8 && begun.len() > 200, "{questions:?}, {begun:?}");
    }
}

#[test]
fn what_is_composed_of_a_menu_of_war_of_the_ring_is_accepted() {
    let title = titles::ALL.by_id("wotr").unwrap();
    let (questions, begun) = compose_at_random(title, &setup(title, 2));
    assert!(questions.len() >= 8 && begun.len() > 100, "{questions:?}, {begun:?}");
    for verb in ["character die: move", "army die: move", "army die: attack"] {
        assert!(begun.contains(verb), "{verb}: {begun:?}");
    }
}

/// What is said at random is also offered, except what has more ways than a page can hold.
#[test]
fn what_is_said_at_random_is_offered_besides_parts_of_armies() {
    for (id, players) in [("risk", 2), ("wotr", 2)] {
        let title = titles::ALL.by_id(id).unwrap();
        let mut chance = Practice::new(3);
        let mut table = Table::new(title, &setup(title, players), &mut chance).unwrap();
        let mut compared = 0;
        for _ in 0..SENTENCES {
            let Need::Question(question) = table.game.need() else { break };
            let tree = table.game.tree(&table.faces).unwrap();
            let data = menu(&tree, title.chart().unwrap());
            let said = table.play_anything(&mut chance).unwrap();
            // Only some of these are grown, or in other words: the whole of an Army, a second Army.
            let some = ["die: move", "die: attack", "die: sortie", "die as army:", "character-", "strategy-"];
            let is_some = some.iter().any(|part| said.sentence.contains(part));
            if !is_some && !question.id.starts_with("card-") {
                assert!(is_in(&data, &said.sentence), "`{}` is not offered to `{}`", said.sentence, question.id);
                compared += 1;
            }
        }
        assert!(compared > SENTENCES / 3, "{compared}");
    }
}

/// Whether a page offers this sentence.
fn is_in(data: &Value, sentence: &str) -> bool {
    let spaced = sentence.replace(',', " ,");
    let words: Vec<&str> = spaced.split(' ').filter(|word| !word.is_empty()).collect();
    goes_on(data, data["nodes"].as_array().unwrap().len() - 1, &words)
}

fn goes_on(data: &Value, node: usize, words: &[&str]) -> bool {
    let text = |word: &Value| data["words"][word.as_u64().unwrap() as usize].as_str().unwrap().to_owned();
    let node = &data["nodes"][node];
    if words.is_empty() {
        return node[0] == 1;
    }
    node[1].as_array().unwrap().iter().any(|way| {
        let next = way[1].as_u64().unwrap() as usize;
        let Some(part) = way[0].as_array() else {
            return text(&way[0]) == words[0] && goes_on(data, next, &words[1..]);
        };
        if part[0] == "number" {
            return words[0].parse::<u64>().is_ok() && goes_on(data, next, &words[1..]);
        }
        let names: Vec<String> = part[2].as_array().unwrap().iter().map(text).collect();
        let fits =
            |word: &&&str| **word == "," || word.parse::<u32>().is_ok() || names.iter().any(|name| name == **word);
        let count = words.iter().take_while(fits).count();
        count > 0 && goes_on(data, next, &words[count..])
    })
}
