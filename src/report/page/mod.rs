/*! A whole game as one page for a browser: the map at every record, the chronicle, and the log itself.

It is made from what the log makes public. The part of the map that never changes is in it once; of each record only
what differs from the one before. The data and the log are compressed, and the script in the page unpacks them.
*/

mod places;
mod plots;

use crate::record::entry::HOST;
use crate::record::file::reading::Step;
use crate::record::fold::Fold;
use crate::record::value::hash::sha256;
use crate::report::pace::Pace;
use crate::report::picture::Atlas;
use crate::report::picture::layers::{self, Mark, Moment};
use crate::report::picture::lettering::UPRIGHT;
use crate::report::picture::plane::Point;
use crate::report::telling::tellings;
use crate::report::{from_log, gazette, map, templates};
use data_encoding::BASE64;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;

const STYLE: &str = include_str!("../../../templates/page/style.css");
/// The parts of the script, each using only those before it.
const SCRIPT: [&str; 7] = [
    include_str!("../../../templates/page/log.js"),
    include_str!("../../../templates/page/chance.js"),
    include_str!("../../../templates/page/check.js"),
    include_str!("../../../templates/page/board.js"),
    include_str!("../../../templates/page/story.js"),
    include_str!("../../../templates/page/plots.js"),
    include_str!("../../../templates/page/page.js"),
];

/// A game as a page, record by record.
#[derive(Debug, Default)]
pub struct Replay {
    /// The drawings, each once, and their places in the list.
    drawings: Vec<String>,
    known: BTreeMap<String, usize>,
    records: Vec<Value>,
    pace: Pace,
    last: Option<Shown>,
    still: Value,
}

/// What the page shows after a record.
#[derive(Debug, PartialEq)]
struct Shown {
    sites: Vec<Vec<i64>>,
    grounds: Vec<&'static str>,
    ways: usize,
    lines: Vec<String>,
    /// What stands on each place, in words.
    standing: Vec<String>,
    /// The numbers of all plots, line after line.
    numbers: Vec<Option<i64>>,
}

impl Replay {
    /// Takes in the next record of the log.
    pub fn note(&mut self, step: &Step<'_>) {
        let told = from_log::told(step, None);
        self.pace.note(step);
        let news = gazette::told(step, None);
        let (topics, counted) = plots::counted(&news.told);
        let dice = plots::dice(step.entry);
        let told_of = tellings(std::slice::from_ref(&news));
        let sentences: Vec<Value> =
            told_of.iter().map(|telling| json!([telling.kind, telling.deep, telling.text])).collect();
        let mut record = json!({
            "at": told.at, "kind": told.kind, "seat": told.seat, "said": told.said, "via": told.via,
            "moment": told.moment, "told": sentences,
        });
        for (key, list) in [("topics", json!(topics)), ("counted", json!(counted)), ("dice", json!(dice))] {
            if list != json!([]) {
                record[key] = list;
            }
        }
        if self.last.is_none() || step.entry.kind().is_played() {
            record["map"] = self.map(step.fold);
        }
        self.records.push(record);
    }

    /// What of the map is not as it was after the record before.
    fn map(&mut self, fold: &Fold) -> Value {
        let Some(atlas) = map::atlas(fold.plan().title.id()) else { return Value::Null };
        let view = from_log::look(fold, None).view;
        if self.last.is_none() {
            self.still = still(atlas, &view);
        }
        let lines_of = |plot: &plots::Plot| plot.lines(&view).into_iter().map(|(_, number)| number);
        let numbers = plots::plots(fold.plan().title.id()).iter().flat_map(lines_of).collect();
        let standing = places::standing(atlas.chart, &view);
        let Moment { grounds, sites, ways, lines, .. } = layers::moment(atlas, &view);
        let sites = sites.iter().map(|marks| marks.iter().flat_map(|mark| self.drawn(mark)).collect()).collect();
        let ways = self.drawing(ways);
        let lines = lines.into_iter().map(|(_, text)| text).collect();
        let now = Shown { sites, grounds, ways, lines, standing, numbers };
        let before = self.last.as_ref();
        let differs = |place: &usize| before.is_none_or(|before| before.sites[*place] != now.sites[*place]);
        let sites: BTreeMap<usize, &Vec<i64>> =
            (0..now.sites.len()).filter(differs).map(|place| (place, &now.sites[place])).collect();
        let differs = |place: &usize| before.is_none_or(|before| before.grounds[*place] != now.grounds[*place]);
        let grounds: BTreeMap<usize, &str> =
            (0..now.grounds.len()).filter(differs).map(|place| (place, now.grounds[place])).collect();
        let differs = |place: &usize| before.is_none_or(|before| before.standing[*place] != now.standing[*place]);
        let standing: BTreeMap<usize, &str> =
            (0..now.standing.len()).filter(differs).map(|place| (place, now.standing[place].as_str())).collect();
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

    /// The page; nothing for a title without a map.
    pub fn page(self, fold: &Fold, log: &[u8]) -> Option<String> {
        map::atlas(fold.plan().title.id())?;
        let plan = fold.plan();
        let occasion = from_log::look(fold, None);
        let seats: Vec<Value> = occasion.seats.iter().map(|chair| json!([chair.seat, chair.player])).collect();
        let lines = |plot: &plots::Plot| plot.lines(&occasion.view).into_iter().map(|(line, _)| line).collect();
        let lines = |plot: &plots::Plot| -> (&str, Vec<String>) { (plot.name, lines(plot)) };
        let plots: Vec<_> = plots::plots(plan.title.id()).iter().map(lines).collect();
        let data = json!({
            "name": plan.name, "host": HOST, "seats": seats, "still": self.still, "drawings": self.drawings,
            "records": self.records, "plots": plots, "pace": self.pace.turns(),
        });
        let data = serde_json::to_vec(&templates::context(&data)).expect("plain data can be written");
        let mut context = templates::context(&json!({
            "name": plan.name, "title": plan.title.name(), "seats": occasion.seats,
            "fingerprint": occasion.fingerprint, "records": self.records.len(), "last": self.records.len() - 1,
        }));
        for (key, text) in [("style", style()), ("script", format!("\"use strict\";\n{}", SCRIPT.concat()))] {
            context[format!("{key}_hash")] = json!(BASE64.encode(&sha256(text.as_bytes()).0));
            context[key] = json!(text);
        }
        context["data"] = json!(packed(&data));
        context["log"] = json!(packed(log));
        Some(templates::exact("page/page.html", &context))
    }
}

/// What of the map is the same at every record, with the names of its places.
fn still(atlas: &Atlas, view: &Value) -> Value {
    let still = layers::still(atlas, view);
    let key = layers::moment(atlas, view).key;
    let key: Vec<Value> = key.iter().map(|(_, piece, text)| json!([layers::alone(piece), text])).collect();
    let names: Vec<&str> = atlas.chart.places.iter().map(|place| place.name.title()).collect();
    let frame = [still.frame.left, still.frame.top, still.frame.width(), still.frame.height()];
    json!({
        "frame": frame, "lettering": still.lettering, "sea": still.sea, "outlines": still.outlines,
        "cover": still.cover, "names": names, "key": key, "places": places::neighbours(atlas.chart),
    })
}

/// The style sheet, with the fonts of the map: in another font its letters would be squeezed.
fn style() -> String {
    let faces = UPRIGHT.map(|(weight, font)| {
        let font = BASE64.encode(font);
        format!(
            "@font-face {{ font-family: \"Ringmail Map\"; font-weight: {weight}; \
             src: url(data:font/ttf;base64,{font}); }}\n"
        )
    });
    format!("{STYLE}{}", faces.concat())
}

/// Bytes compressed, in letters that a page can hold.
fn packed(bytes: &[u8]) -> String {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(bytes).expect("memory takes every byte");
    BASE64.encode(&packer.finish().expect("memory takes every byte"))
}
