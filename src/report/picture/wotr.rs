/*! *War of the Ring* on the map: Settlements and who controls them, Armies, Characters, the Ring-bearers, the Nations.

The Free Peoples are light and round, the Shadow dark and pointed, so that a print in grey tells them apart.
*/

use crate::picture::lettering::{Face, Style};
use crate::picture::marks::{INK, arrow, field, renewed, ring, shape, star, words};
use crate::picture::pen::{Pen, short};
use crate::picture::plane::{Box2, Point};
use crate::picture::scene::{Panel, Piece, Row, Scene, attack};
use engine::chart::Chart;
use serde_json::Value;
use std::collections::BTreeMap;

/// The size of the names.
pub const LETTER: f64 = 8.6;
/// How high a counter is, and how large its figures are.
const COUNTER: (f64, f64) = (11.6, 10.6);
const LIGHT: (&str, &str) = ("#fbfdff", "#1c4a86");
const DARK: (&str, &str) = ("#76161a", "#2a0708");
const PLAIN: &str = "#f4ecd8";

/// The colour of the words beside the names.
const TAG: &str = "#5b4a33";

/// A Nation as it is drawn: its home, the base of its figures, the word beside its regions.
const NATIONS: [(&str, &str, &str, &str); 8] = [
    ("dwarves", "#e0c9a8", "#8a5a2b", "D"),
    ("elves", "#cbe0bd", "#2f8f4e", "E"),
    ("gondor", "#c9d9ee", "#2f62b0", "G"),
    ("north", "#cfe3e3", "#4a9db3", "N"),
    ("rohan", "#dbe5ad", "#7ea32c", "R"),
    ("isengard", "#eddc9a", "#d8b300", "I"),
    ("sauron", "#e5b9ae", "#b7261f", "S"),
    ("southrons", "#f3cf9f", "#e17f20", "SE"),
];

/// The part of the map that a reader sees, as it was and as it is.
struct Seen<'a> {
    now: BTreeMap<&'a str, &'a Value>,
    before: Option<BTreeMap<&'a str, &'a Value>>,
}

pub fn scene(chart: &Chart, view: &Value, before: Option<&Value>) -> Scene {
    let seen = Seen { now: regions(view), before: before.map(regions) };
    let mut scene = Scene { letter: LETTER, ..Scene::default() };
    for place in &chart.places {
        let id = place.name.id();
        let region = seen.now[id];
        let nation = region["nation"].as_str();
        let number = nation.and_then(|nation| NATIONS.iter().position(|(id, ..)| *id == nation));
        scene.grounds.push(number.map_or(PLAIN, |number| NATIONS[number].1));
        scene.groups.push(number.map_or(0, |number| number + 1));
        scene.tags.push(number.map(|number| (NATIONS[number].3, TAG)));
        scene.heads.push(seen.head(id));
        scene.stands.push(seen.stand(id));
    }
    fellowship(chart, view, before, &mut scene);
    scene.attack = attack(chart, view);
    scene.panel = panel(view, &scene, before.is_some());
    scene
}

/// The regions of the view, by id.
fn regions(view: &Value) -> BTreeMap<&str, &Value> {
    let theatres = view["theatres"].as_array().into_iter().flatten();
    let regions = theatres.flat_map(|theatre| theatre["regions"].as_array().into_iter().flatten());
    regions.filter_map(|region| Some((region["id"].as_str()?, region))).collect()
}

impl Seen<'_> {
    /// Whether something about a region has changed since.
    fn is_new(&self, id: &str, key: &str) -> bool {
        self.before.as_ref().is_some_and(|before| before[id][key] != self.now[id][key])
    }

    /// The Settlement or Fortification.
    fn head(&self, id: &str) -> Option<Piece> {
        let region = self.now[id];
        let kind = region["kind"].as_str().filter(|kind| !kind.is_empty())?;
        let captured = region["captured"].as_bool().unwrap_or(false);
        let piece = settlement(kind, region["controller"].as_str(), captured);
        Some(if self.is_new(id, "controller") { renewed(piece) } else { piece })
    }

    /// What stands in a region: first inside a besieged Stronghold, then in the open, then what has left.
    fn stand(&self, id: &str) -> Vec<Row> {
        let now = forces(self.now[id]);
        let before = self.before.as_ref().map(|before| forces(before[id]));
        let was = |force: &Value| {
            let known = before?;
            Some(known.iter().find(|old| old["side"] == force["side"] && old["inside"] == force["inside"]))
        };
        let mut rows: Vec<Row> = Vec::new();
        for force in now {
            let known = was(force);
            let old = known.flatten();
            let numbers = ["regulars", "elites", "leaders", "nazgul"];
            let differs = old.is_none_or(|old| numbers.iter().chain(&["mixed"]).any(|key| old[*key] != force[*key]));
            rows.extend(
                counter(force).map(|piece| vec![if known.is_some() && differs { renewed(piece) } else { piece }]),
            );
            let names = |force: &Value| -> Vec<String> {
                let names = force["characters"].as_array().into_iter().flatten();
                names.filter_map(Value::as_str).map(str::to_string).collect()
            };
            let old_names = old.map(names).unwrap_or_default();
            for name in names(force) {
                let piece = character(&name, is_dark(force));
                let is_new = known.is_some() && !old_names.contains(&name);
                rows.push(vec![if is_new { renewed(piece) } else { piece }]);
            }
        }
        let left = before.into_iter().flatten().filter(|old| {
            now.iter().all(|force| force["side"] != old["side"])
                && ["regulars", "elites", "leaders", "nazgul"].iter().any(|key| number(old, key) > 0)
        });
        rows.extend(left.map(|old| vec![gone(old)]));
        rows
    }
}

/// The forces in a region.
fn forces(region: &Value) -> &[Value] {
    region["figures"].as_array().map_or(&[], Vec::as_slice)
}

fn number(force: &Value, key: &str) -> u64 {
    force[key].as_u64().unwrap_or(0)
}

fn is_dark(force: &Value) -> bool {
    force["side"] == "shadow"
}

/// Stronghold, City, Town and Fortification: the letter of the kind, the size, the walls, the doors.
type Building = (&'static str, (f64, f64), &'static str, &'static str);

const BUILDINGS: [Building; 4] = [
    (
        "S",
        (13.0, 11.6),
        "M.6 11V2.6H2.2V4H3.8V2.6H4.3V.6H5.6V1.8H7.4V.6H8.7V2.6H9.2V4H10.8V2.6H12.4V11z",
        "M5.2 11V8.4a1.3 1.3 0 0 1 2.6 0V11z",
    ),
    (
        "C",
        (12.0, 10.2),
        "M.6 9.6V4.4L3 2 4.6 3.6V2.8L6.2.7 7.8 2.8V4.2L9.2 3 11.4 5V9.6z",
        "M2 9.6V7.4h1.9v2.2zM5.3 9.6V6.6h1.8v3zM8.4 9.6V7.4h1.7v2.2z",
    ),
    ("T", (8.4, 8.0), "M.6 7.4V4L4.2.8 7.8 4V7.4z", "M3.3 7.4V5.1h1.8v2.3z"),
    ("F", (12.0, 7.6), "M.6 7V2H2.4V3.6H4.2V2H6V3.6H7.6L8.6 5 10.2 4.6 11.4 7z", ""),
];

/// A Settlement or Fortification: light if the Free Peoples control it, dark if the Shadow does, with a flag if it is
/// captured.
pub fn settlement(kind: &str, controller: Option<&str>, captured: bool) -> Piece {
    let (fill, line) = match controller {
        Some("shadow") => (DARK.0, DARK.1),
        Some(_) => (LIGHT.0, LIGHT.1),
        None => ("#d9d0bc", INK),
    };
    let attributes = format!("fill=\"{fill}\" stroke=\"{line}\" stroke-width=\".9\" stroke-linejoin=\"round\"");
    let drawn = BUILDINGS.iter().find(|(word, ..)| *word == kind).unwrap_or(&BUILDINGS[3]);
    let (word, (width, height), walls, holes) = *drawn;
    let mut pen = Pen::new();
    pen.path(walls, &attributes);
    if !holes.is_empty() {
        pen.path(holes, &format!("fill=\"{line}\""));
    }
    if !captured {
        return Piece::new(width, height, pen.done()).of_kind(word);
    }
    let mut flagged = Pen::new();
    let pole = width + 0.9;
    flagged.path(
        &format!("M{0} {1}V0", short(pole), short(height + 2.0)),
        &format!("stroke=\"{INK}\" stroke-width=\"1\""),
    );
    let flag = [(pole, 0.3), (pole + 6.4, 0.3), (pole + 4.6, 2.6), (pole + 6.4, 4.9), (pole, 4.9)];
    flagged.path(&shape(&flag), &format!("fill=\"{fill}\" stroke=\"{line}\" stroke-width=\".8\""));
    flagged.placed(&pen.done(), Point::new(0.0, 2.0));
    Piece::new(pole + 6.9, height + 2.0, flagged.done()).of_kind(word).of_kind("captured")
}

/// The units, Leaders and Nazgûl of a force: Regulars, Elites on a field, a star for the Leaders, wings for the Nazgûl.
pub fn counter(force: &Value) -> Option<Piece> {
    let [regulars, elites, leaders, nazgul] = ["regulars", "elites", "leaders", "nazgul"].map(|key| number(force, key));
    let units = regulars + elites;
    if units + leaders + nazgul == 0 {
        return None;
    }
    let height = COUNTER.0;
    let mut signs: Vec<(f64, Sign)> = Vec::new();
    let text = |text: String| (letters().width(&text), Sign::Text(text));
    if units > 0 {
        signs.push(text(regulars.to_string()));
        let elites = elites.to_string();
        signs.push((letters().width(&elites) + 2.4, Sign::Field(elites)));
    }
    for (number, width, sign) in [(leaders, 7.2, Sign::Star), (nazgul, 10.4, Sign::Wings)] {
        if number > 0 {
            signs.push((width, sign));
        }
        if number > 1 {
            signs.push(text(number.to_string()));
        }
    }
    let inside: f64 = signs.iter().map(|(width, _)| width + 1.2).sum::<f64>() - 1.2;
    let width = (inside + 9.0).max(16.0);
    let (dark, mut pen) = (is_dark(force), Pen::new());
    board(width, height, dark, &mut pen);
    let inks = if dark { ("#ffffff", DARK.0) } else { ("#12325f", LIGHT.0) };
    let mut left = (width - inside) / 2.0;
    for (long, sign) in signs {
        sign.draw(left, long, inks, &mut pen);
        left += long + 1.2;
    }
    let base = bases(force, width, height, &mut pen);
    let piece = Piece::new(width, height + base, pen.done()).of_kind(if dark { "shadow" } else { "free" });
    let piece = if force["mixed"] == true { bound(&piece) } else { piece };
    Some(if force["inside"] == true { walled(&piece) } else { piece })
}

/// The letters of a counter.
fn letters() -> Style {
    Style::new(Face::Bold, COUNTER.1)
}

/// What stands on a counter.
enum Sign {
    Text(String),
    /// A text in the colour of the ground, on a field in the colour of the text: no dot is so clear in a small picture.
    Field(String),
    Star,
    Wings,
}

impl Sign {
    fn draw(&self, left: f64, width: f64, (ink, ground): (&str, &str), pen: &mut Pen) {
        let (height, size) = COUNTER;
        let middle = Point::new(left + width / 2.0, height / 2.0);
        let base = middle + Point::new(0.0, size * 0.33);
        match self {
            Sign::Text(text) => {
                pen.centred(base, text, letters(), &format!("fill=\"{ink}\""));
            }
            Sign::Field(text) => {
                let field = Box2::new(left, 1.5, left + width, height - 1.5);
                pen.rect(&field, 1.4, &format!("fill=\"{ink}\""));
                pen.centred(base, text, letters(), &format!("fill=\"{ground}\""));
            }
            Sign::Star => {
                pen.path(&star(middle + Point::new(0.0, 0.3), 3.7), &format!("fill=\"{ink}\""));
            }
            Sign::Wings => {
                let wing = [
                    (0.0, -0.5),
                    (0.7, -2.2),
                    (1.6, -1.0),
                    (5.2, -3.0),
                    (4.4, 0.2),
                    (2.9, -0.1),
                    (2.2, 1.7),
                    (1.0, 0.9),
                    (0.0, 3.0),
                ];
                let both = wing.iter().copied().chain(wing.iter().rev().map(|(x, y)| (-x, *y)));
                let points: Vec<(f64, f64)> = both.map(|(x, y)| (middle.x + x, middle.y + y)).collect();
                pen.path(&shape(&points), &format!("fill=\"{ink}\""));
            }
        }
    }
}

/// The ground of a counter: round and light, or pointed and dark.
fn board(width: f64, height: f64, dark: bool, pen: &mut Pen) {
    let middle = height / 2.0;
    if dark {
        let points = [
            (0.5, middle),
            (4.2, 0.5),
            (width - 4.2, 0.5),
            (width - 0.5, middle),
            (width - 4.2, height - 0.5),
            (4.2, height - 0.5),
        ];
        pen.path(&shape(&points), &format!("fill=\"{}\" stroke=\"{}\" stroke-linejoin=\"round\"", DARK.0, DARK.1));
    } else {
        let area = Box2::new(0.6, 0.6, width - 0.6, height - 0.6);
        pen.rect(&area, middle - 0.6, &format!("fill=\"{}\" stroke=\"{}\" stroke-width=\"1.2\"", LIGHT.0, LIGHT.1));
    }
}

/// A bar in the colours of the Nations, each as long as its share of the units there. Returns the height of the bar.
fn bases(force: &Value, width: f64, top: f64, pen: &mut Pen) -> f64 {
    let nations: Vec<(&str, f64)> = force["nations"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|nation| {
            let (_, _, colour, _) = NATIONS.iter().find(|(id, ..)| nation["id"] == *id)?;
            Some((*colour, nation["units"].as_f64()?))
        })
        .collect();
    let all: f64 = nations.iter().map(|(_, units)| units).sum();
    if all == 0.0 {
        return 0.0;
    }
    let (from, long) = (4.0, width - 8.0);
    let mut left = from;
    for (colour, units) in nations {
        let share = long * units / all;
        pen.rect(&Box2::new(left, top - 0.2, left + share, top + 2.2), 0.0, &format!("fill=\"{colour}\""));
        left += share;
    }
    pen.rect(
        &Box2::new(from, top - 0.2, from + long, top + 2.2),
        0.0,
        &format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\".6\""),
    );
    2.6
}

/// A counter with a line round it: one Army of both team mates.
fn bound(piece: &Piece) -> Piece {
    let (width, height) = (piece.width + 4.0, piece.height + 4.0);
    let mut pen = Pen::new();
    let line = format!("fill=\"#fff\" fill-opacity=\".6\" stroke=\"{INK}\" stroke-width=\".9\"");
    pen.rect(&Box2::new(0.5, 0.5, width - 0.5, height - 0.5), 2.4, &line);
    pen.placed(&piece.svg, Point::new(2.0, 2.0));
    Piece::new(width, height, pen.done()).as_kind(piece).of_kind("mixed")
}

/// A counter within walls: it is besieged.
fn walled(piece: &Piece) -> Piece {
    let (width, height) = (piece.width + 7.0, piece.height + 7.0);
    let mut points = vec![(0.5, height - 0.5), (0.5, 0.5)];
    let teeth = ((width / 3.4) as u32) | 1;
    let tooth = (width - 1.0) / f64::from(teeth);
    for index in 0..teeth {
        let (left, y) = (0.5 + tooth * f64::from(index), if index % 2 == 0 { 0.5 } else { 2.6 });
        points.extend([(left, y), (left + tooth, y)]);
    }
    points.push((width - 0.5, height - 0.5));
    let mut pen = Pen::new();
    pen.path(&shape(&points), &format!("fill=\"#b9ae9b\" stroke=\"{INK}\" stroke-linejoin=\"round\""));
    pen.placed(&piece.svg, Point::new(3.5, 4.4));
    Piece::new(width, height, pen.done()).as_kind(piece).of_kind("walls")
}

/// A Character by name, on a tag of his side.
pub fn character(name: &str, dark: bool) -> Piece {
    let letters = Style::new(Face::Bold, 7.6);
    let (width, height) = (letters.width(name) + 6.4, 9.4);
    let mut pen = Pen::new();
    let colours = if dark { DARK } else { LIGHT };
    let ink = if dark { "#ffffff" } else { "#12325f" };
    let attributes =
        format!("fill=\"{}\" stroke=\"{}\" stroke-width=\".9\" stroke-linejoin=\"round\"", colours.0, colours.1);
    if dark {
        pen.path(
            &shape(&[
                (0.5, height / 2.0),
                (2.6, 0.5),
                (width - 2.6, 0.5),
                (width - 0.5, height / 2.0),
                (width - 2.6, height - 0.5),
                (2.6, height - 0.5),
            ]),
            &attributes,
        )
    } else {
        pen.rect(&Box2::new(0.5, 0.5, width - 0.5, height - 0.5), 4.2, &attributes)
    };
    let middle = Point::new(width / 2.0, height / 2.0 + letters.size * 0.3);
    pen.centred(middle, name, letters, &format!("fill=\"{ink}\""));
    Piece::new(width, height, pen.done())
}

/// A force that was here and is gone.
fn gone(force: &Value) -> Piece {
    let [regulars, elites] = ["regulars", "elites"].map(|key| number(force, key).to_string());
    let letters = Style::new(Face::Medium, 8.4);
    let field = Box2::at(Point::new(letters.width(&regulars) + 5.2, 1.7), letters.width(&elites) + 2.0, 6.6);
    let (width, height) = (field.right + 4.0, 10.0);
    let mut pen = Pen::new();
    let dashed =
        format!("fill=\"#fff\" fill-opacity=\".45\" stroke=\"{INK}\" stroke-width=\".8\" stroke-dasharray=\"1.8 1.4\"");
    pen.rect(&Box2::new(0.5, 0.5, width - 0.5, height - 0.5), if is_dark(force) { 0.0 } else { 4.5 }, &dashed);
    let base = height / 2.0 + letters.size * 0.31;
    pen.text(Point::new(4.0, base), &regulars, letters, "fill=\"#5d5347\"");
    pen.rect(&field, 1.2, "fill=\"#5d5347\"");
    pen.text(Point::new(field.left + 1.0, base), &elites, letters, "fill=\"#fff\"");
    pen.path(&format!("M2 {}L{} 2", short(height - 2.0), short(width - 2.0)), "stroke=\"#5d5347\" stroke-width=\".8\"");
    Piece::new(width, height, pen.done()).of_kind("gone")
}

/// The Ring-bearers where they were last seen, and the regions that they may have reached since then.
fn fellowship(chart: &Chart, view: &Value, before: Option<&Value>, scene: &mut Scene) {
    let company = &view["fellowship"];
    let Some(place) = company["region"].as_str().and_then(|id| chart.place(id)) else { return };
    let (progress, hidden) = (number(company, "progress"), company["hidden"] == true);
    let mut piece = bearers(hidden, progress);
    let told = ["region", "progress", "hidden"];
    if before.is_some_and(|before| told.iter().any(|key| before["fellowship"][*key] != company[*key])) {
        piece = renewed(piece);
    }
    scene.stands[place].insert(0, vec![piece]);
    if hidden && progress > 0 {
        let steps = chart.steps(place);
        scene.ringed = steps.iter().map(|steps| steps.is_some_and(|steps| u64::from(steps) <= progress)).collect();
    }
}

/// The Ring-bearers: with the number of their unseen steps, or with the Eye's fire inside if they are revealed.
fn bearers(hidden: bool, progress: u64) -> Piece {
    let mut pen = Pen::new();
    let middle = Point::new(7.0, 7.0);
    ring(middle, 4.9, if hidden { "#fffbe8" } else { "#e2571e" }, &mut pen);
    if progress == 0 {
        return Piece::new(14.0, 14.0, pen.done()).of_kind("bearers");
    }
    let text = format!("+{progress}");
    let letters = Style::new(Face::Bold, 9.6);
    let long = letters.width(&text);
    pen.rect(
        &Box2::new(12.4, 2.4, 16.6 + long, 11.6),
        2.4,
        &format!("fill=\"#fffbe8\" stroke=\"{INK}\" stroke-width=\".7\""),
    );
    pen.text(Point::new(14.5, 10.2), &text, letters, &format!("fill=\"{INK}\""));
    Piece::new(17.2 + long, 14.0, pen.done()).of_kind("bearers")
}

fn panel(view: &Value, scene: &Scene, compared: bool) -> Panel {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let mut panel = Panel { title: "War of the Ring".to_string(), moment: text(&view["moment"]), ..Panel::default() };
    for side in view["sides"].as_array().into_iter().flatten() {
        let dark = side["seat"] == "shadow";
        let points = format!("{} of {} points", number(side, "points"), number(side, "points_needed"));
        let dice = match number(&side["dice"], "number") {
            0 => String::new(),
            1 => ", 1 die left".to_string(),
            dice => format!(", {dice} dice left"),
        };
        panel.lines.push((Some(swatch(dark)), format!("{}: {points}{dice}", text(&side["name"]))));
        panel.lines.extend(team(side));
    }
    panel.lines.extend(company(&view["fellowship"]));
    for nation in view["politics"].as_array().into_iter().flatten() {
        let colours = NATIONS.iter().find(|(id, ..)| nation["id"] == *id);
        let state = match (number(nation, "steps"), nation["active"] == true) {
            (0, _) => "at war".to_string(),
            (1, active) => format!("1 step from war{}", if active { "" } else { ", passive" }),
            (steps, active) => format!("{steps} steps from war{}", if active { "" } else { ", passive" }),
        };
        panel.lines.push((
            colours.map(|(_, home, base, word)| field(word, home, base, LETTER)),
            format!("{}: {state}", text(&nation["name"])),
        ));
    }
    panel.key = key(scene, compared, view["teams"] == true);
    panel
}

/// Who leads a side that two play, and who has its next go.
fn team(side: &Value) -> Option<(Option<Piece>, String)> {
    let player = |mark: &str| {
        let mut players = side["players"].as_array()?.iter();
        players.find(|player| player[mark] == true)?["name"].as_str()
    };
    Some((None, format!("{} leads, {} has the next go", player("leads")?, player("next")?)))
}

/// What everybody knows of the Fellowship, in two lines.
fn company(fellowship: &Value) -> Vec<(Option<Piece>, String)> {
    let progress = number(fellowship, "progress");
    let place = fellowship["name"].as_str().unwrap_or_default();
    let hidden = fellowship["hidden"] == true;
    let place = match (fellowship["mordor"].as_u64(), hidden, progress) {
        (Some(step), _, _) => format!("On the Mordor Track, step {step} of {}", number(fellowship, "doom")),
        (None, false, _) => format!("Ring-bearers: revealed in {place}"),
        (None, true, 0) => format!("Ring-bearers: hidden in {place}"),
        (None, true, 1) => format!("Ring-bearers: 1 step from {place}"),
        (None, true, steps) => format!("Ring-bearers: {steps} steps from {place}"),
    };
    let mut pen = Pen::new();
    ring(Point::new(5.0, 5.0), 3.4, "#fffbe8", &mut pen);
    let sign = Piece::new(10.0, 10.0, pen.done());
    let guide = fellowship["guide"].as_str().unwrap_or_default();
    vec![(Some(sign), place), (None, format!("Corruption {} of 12, Guide {guide}", number(fellowship, "corruption")))]
}

fn swatch(dark: bool) -> Piece {
    let mut pen = Pen::new();
    board(13.0, 8.6, dark, &mut pen);
    Piece::new(13.0, 8.6, pen.done())
}

/// What the marks mean: the usual ones, then those that only this picture has.
fn key(scene: &Scene, compared: bool, teams: bool) -> Vec<(&'static str, Piece, String)> {
    let force = |side: &str, inside: bool, leaders: u64, nazgul: u64| {
        let nation = if side == "free" { "gondor" } else { "sauron" };
        let value = serde_json::json!({"side": side, "inside": inside, "regulars": 3, "elites": 1, "leaders": leaders,
            "nazgul": nazgul, "nations": [{"id": nation, "units": 4}]});
        counter(&value).expect("there are units")
    };
    let item = |kind: &'static str, piece: Piece, text: &str| (kind, piece, text.to_string());
    let mut key = vec![
        item("free", force("free", false, 1, 0), "Regulars, Elites, Leader"),
        item("shadow", force("shadow", false, 0, 2), "Regulars, Elites, Nazg\u{fb}l"),
        item("walls", force("free", true, 0, 0), "besieged, inside the walls"),
        item("S", settlement("S", Some("free"), false), "Stronghold (2 points)"),
        item("C", settlement("C", Some("free"), false), "City (1 point)"),
        item("T", settlement("T", Some("free"), false), "Town"),
        item("F", settlement("F", None, false), "Fortification"),
        item("captured", settlement("S", Some("shadow"), true), "captured (by the Shadow)"),
        item("bearers", bearers(true, 2), "last known place, and steps since"),
    ];
    if teams {
        let mixed = serde_json::json!({"side": "free", "mixed": true, "regulars": 3, "elites": 1,
            "nations": [{"id": "gondor", "units": 2}, {"id": "rohan", "units": 2}]});
        key.insert(2, item("mixed", counter(&mixed).expect("there are units"), "one Army of both team mates"));
    }
    if compared {
        let new = words("new", Style::new(Face::Bold, 8.0), INK);
        key.push(item("new", renewed(new), "changed since your last letter"));
    }
    if compared {
        let left = serde_json::json!({"side": "shadow", "regulars": 2, "elites": 0});
        key.push(item("gone", gone(&left), "stood there, and is gone"));
    }
    if scene.attack.is_some() {
        key.push(item("attack", arrow(1.0), "the attack"));
    }
    if scene.ringed.contains(&true) {
        key.push(item("ringed", dots(), "as far as the Fellowship may be"));
    }
    key
}

fn dots() -> Piece {
    let mut pen = Pen::new();
    pen.path(
        "M2 4H18",
        "fill=\"none\" stroke=\"#8a6400\" stroke-width=\"2.2\" stroke-linecap=\"round\" stroke-dasharray=\".1 4\"",
    );
    Piece::new(20.0, 8.0, pen.done())
}
