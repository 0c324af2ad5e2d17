/*! A whole game as one page for a browser: the map at every record, the chronicle, and the log itself.

It is made from what the log makes public, and from what the named readers know; the page holds nothing else. The part
of the map that never changes is in it once; each record only has what differs from the record before. The data and
the log are compressed, and the script in the page unpacks them. The page does not check the log: a page that its maker
says is verified proves nothing to its reader. It names what does, and repeats what `ringmail verify` said.
*/

pub mod menu;
mod places;
mod plots;

use crate::occasion::EntryNews;
use crate::pace::Pace;
use crate::picture::Atlas;
use crate::picture::layers::{self, Mark, Moment, Moments};
use crate::picture::lettering::definitions;
use crate::picture::plane::Point;
use crate::picture::scene::Scene;
use crate::telling::tellings;
use crate::{from_log, gazette, map, templates};
use data_encoding::BASE64;
use engine::seat::Seat;
use engine::slot::{Card, Slot};
use engine::title::Titles;
use flate2::Compression;
use flate2::write::GzEncoder;
use ground::files::LOG;
use ground::hash::{Hash, sha256};
use record::entry::HOST;
use record::file::reading::{Followed, NotFollowed, read_through, revealed};
use record::file::stream::Records;
use record::fold::Fold;
use record::verify::{Errors, Wanted, verify};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;

const STYLE: &str = include_str!("../../../templates/page/style.css");
/// The parts of the script, each using only those before it.
const SCRIPT: [&str; 6] = [
    include_str!("../../../templates/page/board.js"),
    include_str!("../../../templates/page/zoom.js"),
    include_str!("../../../templates/page/compose.js"),
    include_str!("../../../templates/page/story.js"),
    include_str!("../../../templates/page/plots.js"),
    include_str!("../../../templates/page/page.js"),
];

/// The page of a whole log, as `replay` shows it, and the state of its game; `None` for the page if its title has no
/// map. `root` is the dealer's, if the caller has it.
pub fn of_log(
    log: &[u8],
    titles: Titles,
    root: Option<Hash>,
    mut replay: Replay,
) -> Result<(Option<String>, Fold), NotFollowed> {
    let fold = read_through(Records::new(log), titles, root, |followed| {
        replay.note(followed);
        ControlFlow::Continue(())
    })?;
    Ok((replay.page(&fold, log, titles), fold))
}

/// The same for everybody: with what each seat knew, if the log has published the cards.
pub fn for_everybody(log: &[u8], titles: Titles) -> Result<Option<String>, NotFollowed> {
    let root = revealed(log);
    let readers = if root.is_some() { Readers::Everybody } else { Readers::Nobody };
    Ok(of_log(log, titles, root, Replay::with(readers))?.0)
}

/// Whose knowledge a page holds besides what is public; for that, its log is read with the dealer's root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Readers {
    #[default]
    Nobody,
    Seat(String),
    /// For a game that is over, whose log has published the root.
    Everybody,
}

/// A game as a page, record by record.
#[derive(Debug, Default)]
pub struct Replay {
    readers: Readers,
    /// The address for answers, if the page is to open the mail program.
    answers_to: Option<String>,
    /// The hands after the record before, by seat.
    hands: BTreeMap<String, Vec<String>>,
    /// The same as slots, which are quicker to compare.
    held: BTreeMap<String, Vec<(Slot, Option<Card>)>>,
    /// The drawings, each once, and their places in the list.
    drawings: Vec<String>,
    known: BTreeMap<String, usize>,
    records: Vec<Value>,
    pace: Pace,
    moments: Moments,
    last: Option<Shown>,
    still: Value,
}

/// What the page shows after a record.
#[derive(Debug)]
struct Shown {
    sites: Vec<Vec<i64>>,
    grounds: Vec<&'static str>,
    ways: usize,
    lines: Vec<String>,
    /// What stands on each place, in words.
    standing: Vec<String>,
    /// The numbers of all plots, line after line.
    numbers: Vec<Option<i64>>,
    scene: Scene,
}

impl Replay {
    /// The page for these readers.
    pub fn with(readers: Readers) -> Replay {
        Replay { readers, ..Replay::default() }
    }

    /// The same page, whose sentences go to this address.
    pub fn answered_to(self, address: Option<String>) -> Replay {
        Replay { answers_to: address, ..self }
    }

    /// Takes in the next record of the log.
    pub fn note(&mut self, followed: &Followed<'_>) {
        let told = from_log::told(followed, None);
        self.pace.note(followed);
        let news = gazette::told(followed, None);
        let (topics, counted) = plots::counted(&news.told);
        let dice = plots::dice(followed.entry);
        let sentences = sentences(&news);
        let mut record = json!({
            "at": told.at, "kind": told.kind, "seat": told.seat, "said": told.said, "via": told.via,
            "moment": told.moment, "told": sentences,
        });
        for (key, list) in [("topics", json!(topics)), ("counted", json!(counted)), ("dice", json!(dice))] {
            if list != json!([]) {
                record[key] = list;
            }
        }
        if self.last.is_none() || followed.entry.kind().is_played() {
            record["map"] = self.map(followed.fold);
        }
        let knew = self.knew(followed, &sentences);
        if !knew.is_empty() {
            record["knew"] = json!(knew);
        }
        self.records.push(record);
    }

    /// What a record told the readers and not the public, and their hands, if they have changed.
    fn knew(&mut self, followed: &Followed<'_>, public: &[Value]) -> BTreeMap<String, Value> {
        let plan = followed.fold.plan();
        let seats = plan.seats.iter().enumerate().filter(|(_, seat)| match &self.readers {
            Readers::Nobody => false,
            Readers::Seat(word) => *word == seat.word,
            Readers::Everybody => true,
        });
        let seats: Vec<(Seat, String)> = seats.map(|(index, seat)| (Seat::at(index), seat.word.clone())).collect();
        let mut knew = BTreeMap::new();
        for (seat, word) in seats {
            let mut new = json!({});
            let told = sentences(&gazette::told(followed, Some(seat)));
            if told != public {
                new["told"] = json!(told);
            }
            let faces = followed.fold.faces();
            let held: Vec<_> =
                followed.fold.game().hand(seat).into_iter().map(|slot| (slot, faces.get(slot))).collect();
            if followed.entry.kind().is_played() && self.held.get(&word) != Some(&held) {
                self.held.insert(word.clone(), held);
                let hand = hand(&from_log::look(followed.fold, Some(seat)).view);
                if self.hands.get(&word) != Some(&hand) {
                    new["hand"] = json!(hand);
                    self.hands.insert(word.clone(), hand);
                }
            }
            if new != json!({}) {
                knew.insert(word, new);
            }
        }
        knew
    }

    /// What has changed on the map since the record before.
    fn map(&mut self, fold: &Fold) -> Value {
        let Some(atlas) = map::atlas(fold.plan().title) else { return Value::Null };
        let view = from_log::look(fold, None).view;
        if self.last.is_none() {
            self.still = still(atlas, &view);
        }
        let lines_of = |plot: &plots::Plot| plot.lines(&view).into_iter().map(|(_, number)| number);
        let numbers = plots::plots(fold.plan().title.id).iter().flat_map(lines_of).collect();
        let standing = places::standing(atlas.chart, &view);
        let scene = layers::scene(atlas, &view);
        let (sites, ways) = match &self.last {
            Some(last) if last.scene.looks_like(&scene) => (last.sites.clone(), last.ways),
            _ => {
                let Moment { sites, ways } = self.moments.moment(atlas, &scene);
                let drawn = |marks: &Vec<Mark>| marks.iter().flat_map(|mark| self.drawn(mark)).collect();
                (sites.iter().map(drawn).collect(), self.drawing(ways))
            }
        };
        let (grounds, lines) =
            (scene.grounds.clone(), scene.panel.lines.iter().map(|(_, text)| text.clone()).collect());
        let now = Shown { sites, grounds, ways, lines, standing, numbers, scene };
        let before = self.last.as_ref();
        let sites = changed(&now.sites, before.map(|before| before.sites.as_slice()));
        let grounds = changed(&now.grounds, before.map(|before| before.grounds.as_slice()));
        let standing = changed(&now.standing, before.map(|before| before.standing.as_slice()));
        let mut change = json!({ "sites": sites, "grounds": grounds, "standing": standing });
        if before.is_none_or(|before| before.ways != now.ways) {
            change["ways"] = json!(now.ways);
        }
        if before.is_none_or(|before| before.lines != now.lines) {
            change["lines"] = json!(now.lines);
        }
        if before.is_none_or(|before| before.numbers != now.numbers) {
            change["numbers"] = json!(now.numbers);
        }
        self.last = Some(now);
        change
    }

    /// A drawing by its number, and where it is, in tenths.
    fn drawn(&mut self, mark: &Mark) -> [i64; 3] {
        let tenths = |value: f64| (value * 10.0).round() as i64;
        let Point { x, y } = mark.at;
        let number = self.drawing(mark.svg.clone());
        [i64::try_from(number).expect("few drawings"), tenths(x), tenths(y)]
    }

    fn drawing(&mut self, svg: String) -> usize {
        if let Some(number) = self.known.get(&svg) {
            return *number;
        }
        self.drawings.push(svg.clone());
        self.known.insert(svg, self.drawings.len() - 1);
        self.drawings.len() - 1
    }

    /// The page; `None` for a title without a map.
    pub fn page(mut self, fold: &Fold, log: &[u8], titles: Titles) -> Option<String> {
        map::atlas(fold.plan().title)?;
        let key = self.still["key"].as_array().into_iter().flatten();
        let drawings = self.drawings.iter().map(String::as_str).chain(key.filter_map(|item| item[0].as_str()));
        self.still["letters"] = json!(definitions(drawings));
        let plan = fold.plan();
        let occasion = from_log::look(fold, None);
        let seats: Vec<Value> = occasion.seats.iter().map(|chair| json!([chair.seat, chair.player])).collect();
        let lines = |plot: &plots::Plot| plot.lines(&occasion.view).into_iter().map(|(line, _)| line).collect();
        let lines = |plot: &plots::Plot| -> (&str, Vec<String>) { (plot.name, lines(plot)) };
        let plots: Vec<_> = plots::plots(plan.title.id).iter().map(lines).collect();
        let data = json!({
            "name": plan.name, "host": HOST, "seats": seats, "still": self.still, "drawings": self.drawings,
            "records": self.records, "plots": plots, "pace": self.pace.turns(),
            "asked": menu::asked(fold, &self.readers, self.answers_to.as_deref()),
        });
        let data = serde_json::to_vec(&templates::context(&data)).expect("plain data can be written");
        let mut context = templates::context(&json!({
            "name": plan.name, "title": plan.title.name, "seats": occasion.seats,
            "fingerprint": occasion.fingerprint, "records": self.records.len(), "last": self.records.len() - 1,
            "verified": verified(log, titles).lines().collect::<Vec<&str>>(),
        }));
        for (key, text) in [("style", STYLE.to_owned()), ("script", format!("\"use strict\";\n{}", SCRIPT.concat()))] {
            context[format!("{key}_hash")] = json!(BASE64.encode(&sha256(text.as_bytes()).0));
            context[key] = json!(text);
        }
        context["data"] = json!(packed(&data));
        context["log"] = json!(packed(log));
        Some(templates::exact("page/page.html", &context))
    }
}

/// What `ringmail verify` says of the log.
fn verified(log: &[u8], titles: Titles) -> String {
    let (file, errors) = (LOG.to_owned(), Errors::First);
    let wanted = Wanted { file, titles, errors, seen: Vec::new(), progress: &mut |_| () };
    verify(log, wanted).expect("memory can be read").to_text()
}

/// The sentences of news, each with its kind.
fn sentences(news: &EntryNews) -> Vec<Value> {
    let told = tellings(std::slice::from_ref(news));
    told.iter().map(|telling| json!([telling.kind, telling.deep, telling.text])).collect()
}

/// The cards of a reader's hand, by their titles.
fn hand(view: &Value) -> Vec<String> {
    let cards = view["hand"].as_array().into_iter().flatten();
    cards.map(|card| card["title"].as_str().unwrap_or("a card that nobody has shown").to_owned()).collect()
}

/// The items of a list that differ from before, by their places.
fn changed<'a, T: PartialEq>(now: &'a [T], before: Option<&[T]>) -> BTreeMap<usize, &'a T> {
    let differs = |(place, one): &(usize, &T)| before.is_none_or(|before| before[*place] != **one);
    now.iter().enumerate().filter(differs).collect()
}

/// The part of the map that is the same at every record, with the names of its places.
fn still(atlas: &Atlas, view: &Value) -> Value {
    let still = layers::still(atlas, view);
    let key = layers::scene(atlas, view).panel.key;
    let key: Vec<Value> = key.iter().map(|(_, piece, text)| json!([layers::alone(piece), text])).collect();
    let names: Vec<&str> = atlas.chart.places.iter().map(|place| place.name.title()).collect();
    let frame = [still.frame.left, still.frame.top, still.frame.width(), still.frame.height()];
    json!({
        "frame": frame, "sea": still.sea, "outlines": still.outlines,
        "cover": still.cover, "letter": layers::scene(atlas, view).letter, "names": names, "key": key,
        "places": places::neighbours(atlas.chart),
    })
}

/// Bytes compressed and in base64, so that a page can hold them.
fn packed(bytes: &[u8]) -> String {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(bytes).expect("memory takes every byte");
    BASE64.encode(&packer.finish().expect("memory takes every byte"))
}
