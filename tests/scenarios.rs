/*! Rules tested in the language of the game: one file a rule or a card, under `tests/scenarios/<title>/`.

A scenario sets up a position by facts, says sentences, supplies the chance that they need in the order in which it is
needed, and names what is refused, what is on the table and what is asked next. It is strict: it fails with an answer
that nobody asked for, dice left over or missing, an unexpected shown card, or another question at the end.
`tests/scenarios/README.md` explains the words of a file.
*/

use crate::composed;
use engine::facts::Facts;
use engine::game::Game;
use engine::need::{Answer, Back, Draw, Mask, Need};
use engine::seat::Seat;
use engine::slot::{Card, Deck, Faces, Slot};
use engine::title::{Setup, Title, Unplayable};
use ringmail::titles;
use risk::card::Face;
use serde::Deserialize;
use serde_yaml::{Mapping, Value};
use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

/// A file of a scenario.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// What it shows, in a sentence.
    #[serde(rename = "shows")]
    _shows: String,
    /// The seats in their order.
    #[serde(default)]
    seats: Vec<String>,
    #[serde(default)]
    options: BTreeMap<String, String>,
    /// Whose turn it is and where in it; if left out, the game begins with its set-up.
    at: Option<String>,
    /// What holds every territory that `board` does not name; `red 1` if left out.
    rest: Option<String>,
    #[serde(default)]
    board: BTreeMap<String, String>,
    /// Further facts of the position.
    #[serde(default)]
    given: BTreeMap<String, String>,
    /// The cards in hand, by seat.
    #[serde(default)]
    hands: BTreeMap<String, Vec<String>>,
    /// The cards in front of a seat, by seat.
    #[serde(default)]
    played: BTreeMap<String, Vec<String>>,
    /// The cards left in a deck, if not all cards that nobody holds.
    #[serde(default)]
    decks: BTreeMap<String, Vec<String>>,
    /// Why no game can be set up like this.
    unplayable: Option<String>,
    /// The chance needed before the first sentence.
    #[serde(default)]
    begin: Mapping,
    #[serde(default)]
    play: Vec<Mapping>,
    /// The facts at the end.
    #[serde(default)]
    facts: BTreeMap<String, Value>,
    /// The question at the end, as `seat question`; `over` and the winners if the game is over.
    #[serde(default)]
    asked: String,
}

/// What is expected of one sentence, or of the beginning.
#[derive(Default)]
struct Expected {
    draws: VecDeque<Value>,
    shows: VecDeque<String>,
    masks: VecDeque<String>,
    refused: Option<String>,
    facts: BTreeMap<String, Value>,
    news: Vec<String>,
    asked: Option<String>,
    offers: Vec<String>,
    offers_not: Vec<String>,
    hands: BTreeMap<String, Vec<String>>,
}

pub struct Runner {
    title: &'static Title,
    setup: Setup,
    pub game: Box<dyn Game>,
    pub faces: Faces,
}

const SEATS: [&str; 10] =
    ["yellow", "green", "red", "black", "free", "shadow", "gondor", "rohan", "witch-king", "saruman"];

pub type Outcome<T> = Result<T, String>;

const UNPLAYABLE: &str = "unplayable, as expected";

#[test]
fn every_scenario_plays_as_written() {
    let mut failures = Vec::new();
    let files = files(&root());
    assert!(!files.is_empty(), "there are scenarios");
    for file in &files {
        if let Err(why) = run(file) {
            failures.push(format!("{}: {why}", file.strip_prefix(root()).expect("below the root").display()));
        }
    }
    assert!(failures.is_empty(), "{} of {} failed:\n{}", failures.len(), files.len(), failures.join("\n"));
}

/// The numbered paragraphs of the rulings that state a rule of the game: the chapter, and how many it has.
const PARAGRAPHS: [(u32, u32); 14] = [
    (1, 7),
    (2, 5),
    (3, 10),
    (4, 3),
    (5, 7),
    (6, 10),
    (7, 6),
    (8, 7),
    (9, 4),
    (10, 4),
    (11, 4),
    (12, 4),
    (13, 4),
    (14, 4),
];
/// The cases of chapter 15.
const CASES: u32 = 8;
/// The rulings of chapter 16.
const RULINGS: u32 = 32;

#[test]
fn every_paragraph_of_risk_has_its_scenario() {
    let files = files(&root().join("risk"));
    let names: Vec<String> = files.iter().filter_map(|file| Some(file.file_stem()?.to_str()?.to_string())).collect();
    let mut missing: Vec<String> = Vec::new();
    let mut wanted: Vec<String> = PARAGRAPHS
        .iter()
        .flat_map(|(chapter, count)| (1..=*count).map(move |paragraph| format!("{chapter}.{paragraph}-")))
        .collect();
    wanted.extend((1..=CASES).map(|case| format!("15.{case}-")));
    wanted.push("17-".to_string());
    missing.extend(wanted.into_iter().filter(|prefix| !names.iter().any(|name| name.starts_with(prefix))));
    let texts: Vec<String> = files.iter().map(|file| fs::read_to_string(file).expect("a scenario")).collect();
    let says = |text: &String, ruling: &String| {
        text.match_indices(ruling.as_str())
            .any(|(at, found)| !text[at + found.len()..].starts_with(|next: char| next.is_ascii_digit()))
    };
    let rulings = (1..=RULINGS).map(|ruling| format!("▲{ruling}"));
    missing.extend(rulings.filter(|ruling| !texts.iter().any(|text| says(text, ruling))));
    assert!(missing.is_empty(), "no scenario for {}", missing.join(", "));
}

#[test]
fn every_adventure_card_of_risk_has_its_scenario() {
    let names: Vec<String> = files(&root().join("risk/cards"))
        .iter()
        .filter_map(|file| Some(file.file_stem()?.to_str()?.to_string()))
        .collect();
    let adventure = Face::all().filter(|face| matches!(face, Face::Mission(_) | Face::Event(_) | Face::Power(_)));
    let missing: Vec<&str> =
        adventure.map(Face::id).filter(|id| !names.iter().any(|name| name.starts_with(id))).collect();
    assert!(missing.is_empty(), "no scenario for {}", missing.join(", "));
}

fn run(file: &Path) -> Outcome<()> {
    let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
    let scenario: Scenario = serde_yaml::from_str(&text).map_err(|error| error.to_string())?;
    let title = file.strip_prefix(root()).ok().and_then(|inside| titles::ALL.by_id(inside.iter().next()?.to_str()?));
    match played(title.ok_or("the folder is no title")?, &scenario) {
        Err(why) if why == UNPLAYABLE => Ok(()),
        played => played.map(|_| ()),
    }
}

/// The game at the end of a scenario of a title.
pub fn played(title: &'static Title, scenario: &Scenario) -> Outcome<Runner> {
    let mut runner = Runner::begin(title, scenario)?;
    let mut begin = expected(&scenario.begin)?;
    runner.answer(&mut begin).and_then(|()| runner.check(&begin)).map_err(|why| format!("at the beginning: {why}"))?;
    for (index, item) in scenario.play.iter().enumerate() {
        runner.play(item).map_err(|why| format!("sentence {} ({}): {why}", index + 1, shown(item)))?;
    }
    runner.facts_are(&scenario.facts)?;
    runner.asked_is(&scenario.asked).map(|()| runner)
}

impl Runner {
    fn begin(title: &'static Title, scenario: &Scenario) -> Outcome<Runner> {
        let two = title.seats(2).map_err(|unplayable| unplayable.to_string())?;
        let seats = match scenario.seats.as_slice() {
            [] => two.into_iter().map(str::to_string).collect(),
            seats => seats.to_vec(),
        };
        let setup = Setup {
            edition: title.editions[0].to_string(),
            seats,
            options: scenario.options.clone().into_iter().collect(),
        };
        if let Some(fragment) = &scenario.unplayable {
            return Err(match (title.begin)(&setup) {
                Err(unplayable) if unplayable.to_string().contains(fragment.as_str()) => UNPLAYABLE.to_string(),
                Err(unplayable) => format!("unplayable in other words: {unplayable}"),
                Ok(_) => "can be played".to_string(),
            });
        }
        let (game, faces) = match &scenario.at {
            None => {
                let mut faces = Faces::default();
                for (deck, printed) in (0..).zip((title.cards.decks)(&setup)) {
                    lay(&mut faces, Deck(deck), 0, &printed.cards);
                }
                ((title.begin)(&setup).map_err(|unplayable| unplayable.to_string())?, faces)
            }
            Some(at) => {
                let (lines, begin): (_, Begin) = match title.id {
                    "risk" => (risk_lines(scenario, at)?, risk::position::begin),
                    _ => (wotr_lines(scenario, at)?, wotr::position::begin),
                };
                let lines: Vec<(&str, &str)> =
                    lines.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
                begin(&setup, &lines).map_err(|unplayable| unplayable.to_string())?
            }
        };
        Ok(Runner { title, setup, game, faces })
    }

    fn play(&mut self, item: &Mapping) -> Outcome<()> {
        let mut expected = expected(item)?;
        let (seat, sentence) = self.sentence(item)?;
        self.game.forget_news();
        let before = self.facts();
        match (&expected.refused, self.game.read(seat, &sentence, &self.faces)) {
            (None, Ok(read)) => {
                let again = self.game.read(seat, &read.sentence, &self.faces);
                if again.as_ref() != Ok(&read) {
                    return Err(format!("prints as `{}`, which reads as {again:?}", read.sentence));
                }
                self.game.say(seat, &sentence, &self.faces).map_err(|refusal| refusal.to_string())?;
            }
            (None, Err(refusal)) => return Err(format!("refused: {refusal}")),
            (Some(fragment), Ok(_)) => return Err(format!("was not refused: {fragment}")),
            (Some(fragment), Err(refusal)) => {
                let words = refusal.to_string();
                if !words.contains(fragment.as_str()) {
                    return Err(format!("refused in other words: {words}"));
                }
                let said = self.game.say(seat, &sentence, &self.faces);
                if said.is_ok() || self.facts() != before {
                    return Err("a refusal changed the game".to_string());
                }
            }
        }
        self.answer(&mut expected)?;
        self.check(&expected)
    }

    fn facts(&self) -> Facts {
        let mut facts = Facts::default();
        self.game.facts(&mut facts);
        facts
    }

    fn check(&self, expected: &Expected) -> Outcome<()> {
        self.readers_see_everything();
        self.facts_are(&expected.facts)?;
        let told: Vec<String> = self.game.news(None, &Faces::default()).iter().map(told).collect();
        for fragment in &expected.news {
            if !told.iter().any(|text| text.contains(fragment.as_str())) {
                return Err(format!("nothing told contains `{fragment}`; told: {}", told.join(" | ")));
            }
        }
        self.offers_are(expected)?;
        self.what_is_composed_is_accepted()?;
        self.hands_are(&expected.hands)?;
        expected.asked.as_ref().map_or(Ok(()), |asked| self.asked_is(asked))
    }

    fn offers_are(&self, expected: &Expected) -> Outcome<()> {
        if expected.offers.is_empty() && expected.offers_not.is_empty() {
            return Ok(());
        }
        let offers: Vec<String> = self.game.offers(&self.faces, 500).into_iter().map(|offer| offer.sentence).collect();
        for offer in &expected.offers {
            if !offers.iter().any(|offered| offered.contains(offer.as_str())) {
                return Err(format!("not offered: {offer}; offered: {}", offers.join(" | ")));
            }
        }
        match expected.offers_not.iter().find_map(|not| offers.iter().find(|offered| offered.contains(not.as_str()))) {
            Some(offered) => Err(format!("offered: {offered}")),
            None => Ok(()),
        }
    }

    /// A page offers word by word what may be said. Random games test enough of the other questions than those of
    /// cards.
    fn what_is_composed_is_accepted(&self) -> Outcome<()> {
        match self.game.need() {
            Need::Question(question) if question.id.starts_with("card-") => {
                composed::is_accepted(self.title, self.game.as_ref(), &self.faces)
            }
            _ => Ok(()),
        }
    }

    fn hands_are(&self, hands: &BTreeMap<String, Vec<String>>) -> Outcome<()> {
        for (seat, wanted) in hands {
            let index = self.setup.seats.iter().position(|known| known == seat).ok_or("no such seat")?;
            let held = self.game.hand(Seat::at(index)).into_iter().filter_map(|slot| self.faces.get(slot));
            let mut held: Vec<&str> = held.map(|card| (self.title.cards.id)(card)).collect();
            let mut wanted: Vec<&str> = wanted
                .iter()
                .map(|word| self.card(word).map(|card| (self.title.cards.id)(card)).ok_or(format!("no card {word}")))
                .collect::<Outcome<_>>()?;
            held.sort_unstable();
            wanted.sort_unstable();
            if held != wanted {
                return Err(format!("{seat} holds {held:?}, not {wanted:?}"));
            }
        }
        Ok(())
    }

    /// Every reader gets the news of this moment, whatever he knows, and the asked seat a view.
    fn readers_see_everything(&self) {
        // The views of others differ only in the hand, and take longer than everything else here.
        let is_asked = |seat| !matches!(self.game.need(), Need::Question(question) if Some(question.seat) != seat);
        for seat in std::iter::once(None).chain((0..self.setup.seats.len()).map(|index| Some(Seat::at(index)))) {
            let known = seat.map_or_else(Faces::default, |seat| self.faces.of(&self.game.hand(seat)));
            assert!(!is_asked(seat) || self.game.view(seat, &known).is_object(), "a view is an object");
            for item in self.game.news(seat, &known) {
                let text = told(&item);
                assert!(text.is_empty() || text.ends_with(['.', ':', '!', '"']) || item["kind"] == "turn", "{text}");
            }
        }
    }

    /// Answers every need up to the next question, from what the scenario expects.
    fn answer(&mut self, expected: &mut Expected) -> Outcome<()> {
        loop {
            let answer = match self.game.need() {
                Need::Question(_) | Need::Over => break,
                Need::Draw(draw) => self.drawn(&draw, expected)?,
                Need::Mask(mask) => self.masked(&mask, expected)?,
                Need::Show(show) => {
                    let card = self.faces.get(show.slot).ok_or("a slot is shown that was never laid")?;
                    let shown = show.among.contains(&card).then_some(card);
                    if let Some(card) = shown {
                        let wanted = expected.shows.pop_front();
                        if wanted.as_ref().is_none_or(|wanted| self.card(wanted) != Some(card)) {
                            return Err(format!("shown: {}, not {wanted:?}", (self.title.cards.id)(card)));
                        }
                    }
                    Answer::Shown(shown)
                }
            };
            self.game.answer(answer).map_err(|misfit| format!("{misfit:?}"))?;
        }
        match (&expected.draws, &expected.shows, &expected.masks) {
            (draws, _, _) if !draws.is_empty() => Err(format!("draws left over: {draws:?}")),
            (_, shows, _) if !shows.is_empty() => Err(format!("never shown: {shows:?}")),
            (_, _, masks) if !masks.is_empty() => Err(format!("never masked: {masks:?}")),
            _ => Ok(()),
        }
    }

    fn drawn(&self, draw: &Draw, expected: &mut Expected) -> Outcome<Answer> {
        let given = expected.draws.pop_front();
        match (draw, &given) {
            (Draw::Dice { .. }, Some(Value::Sequence(faces))) => {
                let faces = faces.iter().map(|face| face.as_u64().and_then(|face| u32::try_from(face).ok()));
                Ok(Answer::Dice(faces.collect::<Option<_>>().ok_or("dice are numbers")?))
            }
            (Draw::Slot { deck, epoch, left }, Some(Value::String(card))) => {
                let wanted = self.card(card).ok_or_else(|| format!("no card is called {card}"))?;
                let lies = |position: &&u16| {
                    self.faces.get(Slot { deck: *deck, epoch: *epoch, position: **position }) == Some(wanted)
                };
                let position = left.iter().find(lies).ok_or_else(|| format!("{card} is not in the deck"))?;
                Ok(Answer::Position(*position))
            }
            (Draw::Shuffle { count, .. }, Some(Value::String(word))) if word == "in order" => {
                Ok(Answer::Order((0..*count).collect()))
            }
            _ => Err(format!("needed: {draw:?}, given: {given:?}")),
        }
    }

    /// Masks are laid in the order in which the cards go in.
    fn masked(&mut self, mask: &Mask, expected: &mut Expected) -> Outcome<Answer> {
        let deck = self.title.deck_name(&self.setup, mask.deck);
        let wanted = expected.masks.pop_front();
        if wanted.as_deref() != Some(deck) {
            return Err(format!("masked: {deck}, not {wanted:?}"));
        }
        let card = |back: &Back| match back {
            Back::Known(card) => *card,
            Back::Slot(slot) => self.faces.get(*slot).expect("every slot has been laid"),
        };
        let cards: Vec<Card> = mask.goes_in.iter().map(card).collect();
        lay(&mut self.faces, mask.deck, mask.epoch, &cards);
        Ok(Answer::Masked)
    }

    fn card(&self, word: &str) -> Option<Card> {
        card(self.title, word)
    }

    fn sentence(&self, item: &Mapping) -> Outcome<(Seat, String)> {
        let seats = &self.setup.seats;
        let said = item.iter().find_map(|(key, value)| {
            let seat = seats.iter().position(|seat| Some(seat.as_str()) == key.as_str())?;
            Some((Seat::at(seat), value.as_str()?.to_string()))
        });
        said.ok_or_else(|| "no seat says anything".to_string())
    }

    fn facts_are(&self, facts: &BTreeMap<String, Value>) -> Outcome<()> {
        let found = self.facts();
        for (key, value) in facts {
            let wanted = words(value)?;
            let prefix = format!("{key}: ");
            let line = found.text().lines().find_map(|line| line.strip_prefix(&prefix));
            let fits = match (line, wanted.strip_prefix('~')) {
                (Some(line), Some(part)) => line.contains(part.trim()),
                (Some(line), None) => line == wanted,
                (None, _) => return Err(format!("no fact is called {key}")),
            };
            if !fits {
                return Err(format!("{key}: {}, not {wanted}", line.unwrap_or_default()));
            }
        }
        Ok(())
    }

    fn asked_is(&self, asked: &str) -> Outcome<()> {
        let found = match self.game.need() {
            Need::Question(question) => format!("{} {}", self.setup.seats[question.seat.index()], question.id),
            _ => match self.game.outcome() {
                Some(outcome) => {
                    let winners = outcome.winners.iter().map(|seat| self.setup.seats[seat.index()].as_str());
                    format!("over {}", winners.collect::<Vec<_>>().join(" "))
                }
                None => "over".to_string(),
            },
        };
        if found == asked { Ok(()) } else { Err(format!("asked: {found}, not {asked}")) }
    }
}

/// How a title begins at a position.
type Begin = fn(&Setup, &[(&str, &str)]) -> Result<(Box<dyn Game>, Faces), Unplayable>;

/// The lines of the position that a scenario of War of the Ring begins with: `rest: clear` empties the map.
fn wotr_lines(scenario: &Scenario, at: &str) -> Outcome<Vec<(String, String)>> {
    let mut lines = vec![("step".to_string(), at.to_string())];
    if scenario.rest.as_deref() == Some("clear") {
        lines.push(("clear".to_string(), "-".to_string()));
    }
    lines.extend(scenario.board.clone());
    lines.extend(scenario.given.clone());
    // The decks of a side are held by one player or by two.
    for (side, short) in [("free", "fp"), ("shadow", "sh")] {
        let of_side = |card: &&String| card.starts_with(short);
        if !scenario.hands.values().flatten().any(|card| of_side(&card)) && !scenario.hands.contains_key(side) {
            continue;
        }
        for kind in ["character", "strategy"] {
            let begins = format!("{short}-{}", if kind == "character" { "char" } else { "strat" });
            let held = scenario.hands.values().flatten().filter(|card| card.starts_with(&begins));
            let held: Vec<&str> = held.map(String::as_str).collect();
            lines.push((format!("{side}-{kind}"), format!("hand {}", held.join(" "))));
        }
    }
    let second = scenario.hands.iter().filter(|(seat, _)| ["rohan", "saruman"].contains(&seat.as_str()));
    let second: Vec<&str> = second.flat_map(|(_, cards)| cards).map(String::as_str).collect();
    if !second.is_empty() {
        lines.push(("second-hands".to_string(), second.join(" ")));
    }
    Ok(lines)
}

/// The lines of the position that a scenario of Risk begins with.
fn risk_lines(scenario: &Scenario, at: &str) -> Outcome<Vec<(String, String)>> {
    let (seat, step) = at.split_once(' ').ok_or("`at` is a seat and a step")?;
    let rest = scenario.rest.clone().unwrap_or_else(|| "red 1".to_string());
    let mut lines = vec![("rest".to_string(), rest), ("turn".to_string(), seat.to_string())];
    lines.extend(scenario.board.clone());
    for (seat, words) in &scenario.hands {
        let of_territory = |word: &&String| word.starts_with("terr-") || word.starts_with("wild-");
        let (territory, adventure): (Vec<&String>, Vec<&String>) = words.iter().partition(of_territory);
        lines.push((format!("{seat}-territory-cards"), joined(&territory)));
        lines.push((format!("{seat}-adventure-cards"), joined(&adventure)));
    }
    for (seat, words) in &scenario.played {
        let (missions, powers): (Vec<&String>, Vec<&String>) =
            words.iter().partition(|word| word.starts_with("mission-"));
        lines.push((format!("{seat}-missions"), joined(&missions)));
        lines.push((format!("{seat}-powers"), joined(&powers)));
    }
    lines.extend(scenario.given.clone());
    let decks =
        scenario.decks.iter().map(|(deck, left)| (format!("{deck}-deck"), joined(&left.iter().collect::<Vec<_>>())));
    lines.extend(decks);
    lines.push(("step".to_string(), step.to_string()));
    Ok(lines)
}

fn joined(words: &[&String]) -> String {
    words.iter().map(|word| word.as_str()).collect::<Vec<_>>().join(", ")
}

/// A card by the word of its id, with or without the kind.
fn card(title: &Title, word: &str) -> Option<Card> {
    let kinds = ["", "terr-", "mission-", "event-", "power-"];
    kinds.iter().rev().find_map(|kind| (title.cards.of_id)(&format!("{kind}{word}")))
}

fn lay(faces: &mut Faces, deck: Deck, epoch: u8, cards: &[Card]) {
    for (position, card) in (0..).zip(cards) {
        faces.learn(Slot { deck, epoch, position }, *card);
    }
}

fn expected(item: &Mapping) -> Outcome<Expected> {
    let mut expected = Expected::default();
    for (key, value) in item {
        match key.as_str().unwrap_or_default() {
            "draws" => expected.draws = list(value).into(),
            "shows" => expected.shows = texts(value)?.into(),
            "masks" => expected.masks = texts(value)?.into(),
            "refused" => expected.refused = Some(words(value)?),
            "news" => expected.news = texts(value)?,
            "asked" => expected.asked = Some(words(value)?),
            "offers" => expected.offers = texts(value)?,
            "offers not" => expected.offers_not = texts(value)?,
            "facts" => expected.facts = facts(value)?,
            "hands" => {
                for (seat, cards) in value.as_mapping().ok_or("hands are a map")? {
                    expected.hands.insert(words(seat)?, texts(cards)?);
                }
            }
            key if SEATS.contains(&key) => {}
            key => return Err(format!("`{key}` means nothing here")),
        }
    }
    Ok(expected)
}

fn facts(value: &Value) -> Outcome<BTreeMap<String, Value>> {
    let map = value.as_mapping().ok_or("facts are a map")?;
    map.iter().map(|(key, value)| Ok((key.as_str().ok_or("a key is a word")?.to_string(), value.clone()))).collect()
}

fn list(value: &Value) -> Vec<Value> {
    match value {
        Value::Sequence(values) => values.clone(),
        single => vec![single.clone()],
    }
}

fn texts(value: &Value) -> Outcome<Vec<String>> {
    list(value).iter().map(words).collect()
}

fn words(value: &Value) -> Outcome<String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        other => Err(format!("words were expected, not {other:?}")),
    }
}

fn told(item: &serde_json::Value) -> String {
    item["text"].as_str().unwrap_or_default().to_string()
}

fn shown(item: &Mapping) -> String {
    let (key, value) = item.iter().next().expect("a sentence is not empty");
    format!("{}: {}", key.as_str().unwrap_or_default(), value.as_str().unwrap_or_default())
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios")
}

/// The files of scenarios in a folder and those below it.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of scenarios") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|ending| ending == "yaml") {
            found.push(path);
        }
    }
    found.sort();
    found
}
