//! Sentences composed by touches on a page: everything that the page offers, word by word, is accepted. The random walk
//! (`random/composed.rs`) and every scenario compose some.

use engine::chance::{Chance, Practice};
use engine::game::Game;
use engine::need::Need;
use engine::slot::Faces;
use engine::title::Title;
use report::page::menu::menu;
use serde_json::Value;

/// The sentences composed for a question of a scenario.
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
pub fn composed(
    title: &Title,
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
    let data = menu(&tree, (title.texts.chart)().expect("both titles have a map"));
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
pub fn is_accepted(title: &Title, game: &dyn Game, faces: &Faces) -> Result<(), String> {
    composed(title, game, faces, FEW, &mut Practice::new(1)).map(drop)
}

/// Whether a page offers this sentence.
pub fn is_in(data: &Value, sentence: &str) -> bool {
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
