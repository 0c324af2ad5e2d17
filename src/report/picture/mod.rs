/*! Pictures of the map, as SVG and as PNG.

A picture is made from the view of one reader, never from the board: what he may not know cannot be in its bytes. The
[`land`] follows from the chart of the title, on a [`plane`]; the part of the title ([`wotr`], [`risk`]) turns the
view into a [`scene`], the marks that stand on the land; [`layout`] finds room for them, [`ground`] and [`panel`] draw
the rest, with a [`pen`] that writes SVG and a [`lettering`] of outlines. [`png`] makes an image of it;
[`layers`] gives the same map for a page that shows many moments of one game.
*/

pub mod ground;
pub mod land;
pub mod layers;
pub mod layout;
pub mod lettering;
pub mod marks;
pub mod panel;
pub mod pen;
pub mod plane;
pub mod png;
mod risk;
pub mod scene;
mod wotr;

use crate::picture::ground::Ground;
use crate::picture::land::Land;
use crate::picture::layout::{Site, laid_out};
use crate::picture::lettering::{Face, Style, definitions};
use crate::picture::panel::Placed;
use crate::picture::pen::{Pen, short};
use crate::picture::plane::{Box2, Point};
use crate::picture::scene::Scene;
use engine::chart::{Chart, Crossing};
use serde_json::Value;

/// The map of a title, ready to be drawn on: the same for all its pictures.
#[derive(Debug)]
pub struct Atlas {
    pub chart: &'static Chart,
    pub land: Land,
    ground: Ground,
    part: &'static Part,
}

/// What a title adds to the map.
#[derive(Debug)]
struct Part {
    title: &'static str,
    /// The size of the names on its map.
    letter: f64,
    scene: fn(&Chart, &Value, Option<&Value>) -> Scene,
}

static PARTS: [Part; 2] = [
    Part { title: "wotr", letter: wotr::LETTER, scene: wotr::scene },
    Part { title: "risk", letter: risk::LETTER, scene: risk::scene },
];

impl Atlas {
    /// The map of the title with this id; `None` if the title adds nothing here.
    pub fn of(title: &str, chart: &'static Chart) -> Option<Atlas> {
        let part = PARTS.iter().find(|part| part.title == title)?;
        let land = Land::of(chart);
        let ground = Ground::of(chart, &land, part.letter);
        Some(Atlas { chart, land, ground, part })
    }

    /// The whole map, with a margin.
    fn whole(&self) -> Box2 {
        let plane = Box2::new(0.0, 0.0, f64::from(self.chart.width), f64::from(self.chart.height));
        let whole = self.land.bounds.wider(self.part.letter * MARGIN).with(&plane);
        Box2::new(whole.left.floor(), whole.top.floor(), whole.right.ceil(), whole.bottom.ceil())
    }
}

/// What is drawn.
#[derive(Clone, Copy)]
pub struct Wanted<'a> {
    pub atlas: &'a Atlas,
    /// The view of the reader.
    pub view: &'a Value,
    /// His view when he was last told; what has changed since is marked.
    pub before: Option<&'a Value>,
    /// The places that must be seen, by number; the whole map if there are none.
    pub around: &'a [usize],
}

/// A picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    pub svg: String,
    /// Its size in pixels.
    pub width: u32,
    pub height: u32,
    /// What the picture shows, in a sentence.
    pub alt: String,
}

/// A picture before it is drawn: where everything is.
pub struct Plan {
    pub scene: Scene,
    /// The part of the plane that is shown as a map.
    pub frame: Box2,
    /// The whole picture.
    pub sheet: Box2,
    pub sites: Vec<Option<Site>>,
    pub panel: Placed,
}

/// A margin round the land, in letters.
const MARGIN: f64 = 2.0;
/// The height of the names on a whole map, and the width of a part of a map, in pixels.
const NAMES_HIGH: f64 = 11.4;
const PART_WIDE: u32 = 780;

/// Plans a picture.
pub fn plan(wanted: &Wanted<'_>) -> Plan {
    let Atlas { chart, land, ground, part } = wanted.atlas;
    let scene = (part.scene)(chart, wanted.view, wanted.before);
    let whole = wanted.atlas.whole();
    if wanted.around.is_empty() {
        let panel = panel::beside(&scene, land, &ground.lanes, &whole);
        let sheet = Box2 { bottom: whole.bottom.max(panel.area.bottom + 6.0).ceil(), ..whole };
        let sites = laid_out(chart, land, &scene, &sheet, &panel.boxes);
        return Plan { scene, frame: sheet, sheet, sites, panel };
    }
    let frame = framed(chart, land, &scene, wanted.around, &whole);
    let sites = laid_out(chart, land, &scene, &frame, &[]);
    let panel = panel::below(&scene, &frame, &kinds(wanted.atlas, &scene, &sites, &frame));
    Plan { scene, sheet: frame.with(&panel.area), frame, sites, panel }
}

/// What the picture shows, by the words of the key.
fn kinds(atlas: &Atlas, scene: &Scene, sites: &[Option<Site>], frame: &Box2) -> Vec<&'static str> {
    let mut kinds: Vec<&str> = Vec::new();
    for (site, head) in sites.iter().zip(&scene.heads) {
        let Some(site) = site else { continue };
        kinds.extend(head.iter().flat_map(|head| &head.kinds));
        kinds.extend(site.stand.iter().flat_map(|(piece, _)| &piece.kinds));
    }
    for border in &atlas.land.borders {
        let kind = match border.crossing {
            Crossing::River | Crossing::Bridge => "river",
            Crossing::Ridge => "ridge",
            Crossing::Open => continue,
        };
        if border.line.iter().any(|point| frame.contains(&Box2::at(*point, 0.0, 0.0))) {
            kinds.push(kind);
        }
    }
    if scene.way.iter().any(|place| frame.contains(&Box2::at(atlas.land.places[*place].bounds.centre(), 0.0, 0.0))) {
        kinds.push("ring");
    }
    if scene.ringed.contains(&true) {
        kinds.push("ringed");
    }
    if scene.attack.is_some() {
        kinds.push("attack");
    }
    kinds
}

/// The part of the map round some places: all of them, and as much of what lies round them as can be read.
fn framed(chart: &Chart, land: &Land, scene: &Scene, around: &[usize], whole: &Box2) -> Box2 {
    let wanted = around.iter().map(|place| land.places[*place].bounds).reduce(|all, one| all.with(&one));
    let near = chart.contacts.iter().filter_map(|contact| {
        let [one, other] = contact.ends.map(usize::from);
        (around.contains(&one) || around.contains(&other)).then(|| [one, other].map(|end| land.places[end].bounds))
    });
    let wanted = wanted.expect("there are places").wider(scene.letter * 1.2);
    let near = near.flatten().fold(wanted, |all, one| all.with(&one));
    let least = Point::new(scene.letter * 35.0, scene.letter * 29.0);
    let middle = wanted.centre().middle(near.centre());
    let half = Point::new(least.x.max(wanted.width()), least.y.max(wanted.height())) * 0.5;
    let frame = Box2::new(middle.x - half.x, middle.y - half.y, middle.x + half.x, middle.y + half.y).with(&wanted);
    // Nothing is shown from beyond the sheet.
    let back = |low: f64, high: f64, least: f64, most: f64| (least - low).max(0.0) + (most - high).min(0.0);
    let by = Point::new(
        back(frame.left, frame.right, whole.left, whole.right),
        back(frame.top, frame.bottom, whole.top, whole.bottom),
    );
    let frame = frame.moved(by);
    Box2::new(frame.left.round(), frame.top.round(), frame.right.round(), frame.bottom.round())
}

/// Draws the map, `width` pixels wide. Without `width`, a part fills a telephone with two pixels a point, and a whole
/// map is so wide that its names can be read.
pub fn draw(wanted: &Wanted<'_>, width: Option<u32>) -> Picture {
    let plan = &plan(wanted);
    let usual = if wanted.around.is_empty() {
        (plan.sheet.width() * NAMES_HIGH / plan.scene.letter).round() as u32
    } else {
        PART_WIDE
    };
    let width = width.unwrap_or(usual);
    let (scene, sheet) = (&plan.scene, &plan.sheet);
    let height = (sheet.height() * f64::from(width) / sheet.width()).round().max(1.0) as u32;
    let alt = panel::sentence(scene, wanted.around.iter().map(|place| wanted.atlas.chart.places[*place].name.title()));
    let mut map = Pen::new();
    wanted.atlas.ground.draw(&wanted.atlas.land, scene, &plan.frame, &mut map);
    wanted.atlas.ground.lines(&wanted.atlas.land, scene, &plan.frame, &mut map);
    lanes(wanted.atlas, &plan.frame, &mut map);
    ways(wanted.atlas, scene, &plan.frame, &mut map);
    veil(&wanted.atlas.land, &plan.sites, &plan.frame, &mut map);
    sites(scene, &plan.sites, &mut map);
    panel::draw(scene, &plan.panel, &mut map);
    let drawn = map.done();
    let mut pen = Pen::new();
    pen.raw(&format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"{} {} {} {}\">\n",
        short(sheet.left),
        short(sheet.top),
        short(sheet.width()),
        short(sheet.height())
    ));
    pen.raw("<title>").raw(&pen::escaped(&alt)).raw("</title>\n");
    pen.raw(&definitions([drawn.as_str()])).raw(&drawn).raw("</svg>\n");
    Picture { svg: pen.done(), width, height, alt }
}

/// Whether a line is within the frame, at least in part.
fn is_seen(points: &[Point], frame: &Box2) -> bool {
    Box2::round(points.iter().copied()).is_some_and(|bounds| bounds.overlaps(frame))
}

/// Lanes of the sea.
fn lanes(atlas: &Atlas, frame: &Box2, pen: &mut Pen) {
    let size = atlas.part.letter;
    for lane in atlas.ground.lanes.iter().filter(|lane| is_seen(lane, frame)) {
        let dash = format!("{} {}", short(size * 0.6), short(size * 0.45));
        let stroke = format!("stroke=\"#3d6f8f\" stroke-width=\"{}\"", short(size * 0.14));
        pen.path(&pen::line(lane), &format!("fill=\"none\" {stroke} stroke-dasharray=\"{dash}\""));
    }
}

/// The way of the Ring, the line round the places that it may have reached, and the attack.
fn ways(atlas: &Atlas, scene: &Scene, frame: &Box2, pen: &mut Pen) {
    let size = scene.letter;
    if scene.way.len() > 1 {
        let spots = scene.way.iter().map(|place| atlas.chart.places[*place].at);
        let line: Vec<Point> = spots.map(|[x, y]| Point::new(f64::from(x), f64::from(y))).collect();
        dotted(&pen::line(&line), size * 0.24, GOLD, pen);
    }
    if scene.ringed.contains(&true) {
        let edge = atlas.land.borders.iter().filter(|border| {
            let [one, other] = border.ends;
            scene.ringed[one] != scene.ringed[other]
        });
        let data: String =
            edge.filter(|border| is_seen(&border.line, frame)).map(|border| pen::line(&border.line)).collect();
        dotted(&data, size * 0.28, GOLD, pen);
    }
    if let Some([from, to]) = scene.attack {
        let [from, to] = [from, to].map(|place| atlas.chart.places[place].at);
        let point = |[x, y]: [i32; 2]| Point::new(f64::from(x), f64::from(y));
        arrow(point(from), point(to), size, pen);
    }
    pen.raw("\n");
}

/// An arrow over the border of two places: an attack.
fn arrow(from: Point, to: Point, size: f64, pen: &mut Pen) {
    let way = (to - from).unit();
    let middle = from.middle(to);
    let half = (to - from).length().min(size * 7.0) * 0.34;
    let (begin, tip) = (middle - way * half, middle + way * half);
    let side = way.turned() * size;
    let neck = tip - way * (size * 1.1);
    let wings = [side * 0.72, side * 0.26, side * 0.16];
    let outline =
        [begin + wings[2], neck + wings[1], neck + wings[0], tip, neck - wings[0], neck - wings[1], begin - wings[2]];
    let edge = format!("stroke=\"#fff8e6\" stroke-width=\"{}\" stroke-linejoin=\"round\"", short(size * 0.16));
    pen.path(&pen::area(&outline), &format!("fill=\"{}\" {edge} paint-order=\"stroke\"", marks::ATTACK));
}

/// The colour of the Ring's ways.
const GOLD: &str = "#8a6400";

fn dotted(data: &str, width: f64, colour: &str, pen: &mut Pen) {
    if data.is_empty() {
        return;
    }
    let round = "fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\"";
    let dash = format!("stroke-dasharray=\".1 {}\"", short(width * 2.1));
    pen.path(data, &format!("{round} stroke=\"#fff6d8\" stroke-width=\"{}\" {dash}", short(width * 1.6)));
    pen.path(data, &format!("{round} stroke=\"{colour}\" stroke-width=\"{}\" {dash}", short(width)));
}

/// A pale veil over places that the edge cuts off: nothing is told of them, but they are not empty.
fn veil(land: &Land, sites: &[Option<Site>], frame: &Box2, pen: &mut Pen) {
    let places = land.places.iter().zip(sites);
    let cut = places.filter(|(cell, site)| site.is_none() && cell.bounds.overlaps(frame));
    let data: String = cut.map(|(cell, _)| pen::area(&cell.outline)).collect();
    if !data.is_empty() {
        pen.path(&data, "fill=\"#f2efe6\" fill-opacity=\".62\"").raw("\n");
    }
}

/// Names, and what stands by them.
fn sites(scene: &Scene, sites: &[Option<Site>], pen: &mut Pen) {
    let all = || sites.iter().flatten();
    for [from, to] in all().filter_map(|site| site.tether) {
        let line = pen::line(&[from, to]);
        pen.path(&line, "stroke=\"#2c241b\" stroke-width=\".8\" stroke-opacity=\".7\"");
    }
    names(scene.letter, "names", all(), pen);
    for (site, tag) in sites.iter().zip(&scene.tags) {
        if let (Some(Site { tag: Some(at), .. }), Some((word, colour))) = (site, tag) {
            pen.text(*at, word, layout::of_tags(scene.letter), &format!("fill=\"{colour}\""));
        }
    }
    for (site, head) in sites.iter().zip(&scene.heads) {
        if let (Some(Site { head: Some(corner), .. }), Some(head)) = (site, head) {
            pen.placed(&head.svg, *corner);
        }
    }
    pen.raw("\n");
    for (piece, corner) in all().flat_map(|site| &site.stand) {
        pen.placed(&piece.svg, *corner);
    }
    pen.raw("\n");
}

/// The names of places, with a pale rim. The letters are a group with an id, whose rim is drawn first: so the rim of a
/// letter never covers the letter before it.
fn names<'a>(letter: f64, id: &str, sites: impl Iterator<Item = &'a Site>, pen: &mut Pen) {
    let style = Style::new(Face::Medium, letter);
    // The width is in thousandths of the letters, as their outlines are.
    let rim = "fill=\"none\" stroke=\"#fbf6e9\" stroke-width=\"260\" stroke-linejoin=\"round\" stroke-opacity=\".6\"";
    pen.group(&format!("fill=\"{}\"", marks::INK), |pen| {
        pen.raw(&format!("<use href=\"#{id}\" {rim}/>"));
        pen.group(&format!("id=\"{id}\""), |pen| {
            for (text, at) in sites.flat_map(|site| &site.name) {
                pen.centred(*at, text, style, "");
            }
        });
    });
}
