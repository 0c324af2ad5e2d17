/*! Positions with one clearly right answer, and whether the program finds it: one file each, under `tests/tactics/`,
for players to read and to extend. Those of Risk are in the folder `risk/`; the others are for War of the Ring.

The position is a scenario that ends with a question (`tests/scenarios/README.md`). `shows` is its title and `why`
explains the right answer. `right` lists what the answer may be, or `wrong` what it must not be: the beginning of a
sentence, with or without its die; after `~` a part of one.
*/

use crate::scenarios::{self, Outcome, Scenario};
use engine::bot::Level;
use engine::need::Need;
use engine::title::Title;
use serde_yaml::{Mapping, Value};
use std::fs;
use std::path::{Path, PathBuf};
use wotr::title::TITLE;

/// The seed of the program's looks ahead.
const SEED: u64 = 1;

/// A position, and the sentences that its answer is judged by.
struct Tactic {
    scenario: Scenario,
    right: Vec<String>,
    wrong: Vec<String>,
}

#[test]
fn the_program_finds_the_right_answer_in_war_of_the_ring() {
    finds(&TITLE, |file| !file.starts_with(root().join("risk")));
}

#[test]
fn the_program_finds_the_right_answer_in_risk() {
    finds(&risk::title::TITLE, |file| file.starts_with(root().join("risk")));
}

fn finds(title: &'static Title, is_of_it: impl Fn(&Path) -> bool) {
    let root = root();
    let files: Vec<PathBuf> = scenarios::files(&root).into_iter().filter(|file| is_of_it(file)).collect();
    let failed: Vec<String> = files.iter().filter_map(|file| failure(title, file, &root)).collect();
    let found = files.len() - failed.len();
    let summary = format!("{found} of {} found; not:\n{}", files.len(), failed.join("\n"));
    println!("{summary}");
    assert!(found * 10 >= files.len() * 9, "{summary}");
}

/// What the program says instead of the right answer; `None` if it is right.
fn failure(title: &'static Title, file: &Path, root: &Path) -> Option<String> {
    let name = file.strip_prefix(root).expect("below the root").display();
    let tactic = tactic(file).unwrap_or_else(|why| panic!("{name}: {why}"));
    let reached = scenarios::played(title, &tactic.scenario).unwrap_or_else(|why| panic!("{name}: {why}"));
    let Need::Question(question) = reached.game.need() else { panic!("{name}: nothing is asked") };
    let said = title.bot.answer(reached.game.as_ref(), question.seat, &reached.faces, Level::Strong, SEED);
    let read = reached.game.read(question.seat, &said, &reached.faces);
    assert!(read.is_ok(), "{name}: `{said}` cannot be said");
    (!tactic.is_right(&said)).then(|| format!("{name}: {said}"))
}

impl Tactic {
    fn is_right(&self, said: &str) -> bool {
        let fits = |words: &String| match words.strip_prefix('~') {
            Some(part) => said.contains(part),
            None => said.starts_with(words.as_str()) || without_die(said).starts_with(words.as_str()),
        };
        (self.right.is_empty() || self.right.iter().any(fits)) && !self.wrong.iter().any(fits)
    }
}

/// A sentence without the die that pays for it.
fn without_die(said: &str) -> &str {
    said.split_once(" die: ").map_or(said, |(_, rest)| rest)
}

fn tactic(file: &Path) -> Outcome<Tactic> {
    let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
    let mut words: Mapping = serde_yaml::from_str(&text).map_err(|error| error.to_string())?;
    words.remove("why").filter(Value::is_string).ok_or("`why` says why the answer is right")?;
    let mut list = |key: &str| match words.remove(key) {
        Some(value) => serde_yaml::from_value(value).map_err(|error| format!("`{key}`: {error}")),
        None => Ok(Vec::new()),
    };
    let (right, wrong) = (list("right")?, list("wrong")?);
    if right.is_empty() == wrong.is_empty() {
        return Err("says either what is right or what is wrong".to_string());
    }
    let rest = serde_yaml::to_string(&words).map_err(|error| error.to_string())?;
    let scenario = serde_yaml::from_str(&rest).map_err(|error| error.to_string())?;
    Ok(Tactic { scenario, right, wrong })
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/tactics")
}
