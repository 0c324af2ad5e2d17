/*! The ground: sea, coast, land, what grows on it, and the borders. It is the same in every game of a title, except for
the colours of the places and the strong lines between groups. */

use crate::picture::land::{Border, Land};
use crate::picture::pen::{self, Pen, short};
use crate::picture::plane::{Box2, Point, chance, is_inside, smoothed};
use crate::picture::scene::Scene;
use engine::chart::{Chart, Crossing, Lane, Terrain};

pub const SEA: &str = "#c3d6da";
const SEA_NEAR: [(&str, f64); 3] = [("#b9cfd4", 7.0), ("#aec7ce", 4.2), ("#a1bdc6", 1.9)];
const BEYOND: &str = "#e3ddcd";
const COAST: &str = "#54646a";
const BORDER: &str = "#a39377";
const STRONG: &str = "#6d5b40";
const RIDGE: &str = "#3b3026";
const RIVER: &str = "#33709e";
const RIVER_MIDST: &str = "#d3e9f3";

/// What is drawn of the ground in every picture of a title, ready for letters of one size.
#[derive(Debug)]
pub struct Ground {
    size: f64,
    mainland: String,
    shores: String,
    edges: String,
    lakes: String,
    /// The outline of each place, and the signs of what its land looks like.
    outlines: Vec<String>,
    terrain: Vec<String>,
    /// The course of each border, with the box round it.
    borders: Vec<(Box2, String)>,
    /// The peaks along the ridges, from north to south.
    peaks: Vec<Peak>,
    /// The bridges, each with its place.
    bridges: Vec<(Box2, String)>,
    /// The ways of ships over the sea.
    pub lanes: Vec<Vec<Point>>,
}

#[derive(Debug)]
struct Peak {
    top: Point,
    bright: String,
    dark: String,
}

impl Ground {
    pub fn of(chart: &Chart, land: &Land, size: f64) -> Ground {
        let lines = |lines: &[Vec<Point>]| lines.iter().map(|line| pen::line(line)).collect::<String>();
        let bounds = |border: &Border| Box2::round(border.line.iter().copied()).expect("a border has points");
        let bridges = land.borders.iter().filter(|border| border.crossing == Crossing::Bridge);
        Ground {
            size,
            mainland: pen::area(&land.mainland),
            shores: lines(&land.shores),
            edges: lines(&land.edges),
            lakes: land.lakes.iter().map(|lake| pen::area(lake)).collect(),
            outlines: land.places.iter().map(|cell| pen::area(&cell.outline)).collect(),
            terrain: (0..chart.places.len()).map(|place| terrain(chart, land, place, size)).collect(),
            borders: land.borders.iter().map(|border| (bounds(border).wider(size), pen::line(&border.line))).collect(),
            peaks: peaks(&land.borders, size),
            bridges: bridges.map(|border| (bounds(border), bridge(border, size))).collect(),
            lanes: lanes(chart, land),
        }
    }

    /// What is under everything else.
    pub fn draw(&self, land: &Land, scene: &Scene, frame: &Box2, pen: &mut Pen) {
        self.sea(land, frame, pen);
        for (place, outline) in self.outlines.iter().enumerate() {
            if land.places[place].bounds.overlaps(frame) {
                pen.path(outline, &format!("fill=\"{}\"", scene.grounds[place])).raw("\n");
            }
        }
        self.growth(land, frame, pen);
    }

    /// The outline of each place, as the data of a path.
    pub fn outlines(&self) -> &[String] {
        &self.outlines
    }

    /// The sea, and the land beyond all places.
    pub fn sea(&self, land: &Land, frame: &Box2, pen: &mut Pen) {
        let size = self.size;
        pen.raw(&format!("<defs><path id=\"mainland\" d=\"{}\"/></defs>\n", self.mainland));
        pen.rect(frame, 0.0, &format!("fill=\"{SEA}\""));
        let near = frame.wider(size * 6.0);
        let by_the_sea = land.shores.iter().flatten().any(|point| near.contains(&Box2::at(*point, 0.0, 0.0)));
        for (colour, width) in SEA_NEAR.into_iter().filter(|_| by_the_sea) {
            let width = short(width * size * 0.8);
            pen.raw(&format!(
                "<use href=\"#mainland\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" \
                 stroke-linejoin=\"round\"/>"
            ));
        }
        pen.raw(&format!("<use href=\"#mainland\" fill=\"{BEYOND}\"/>\n"));
    }

    /// What lies on the places: lakes, and what grows there.
    pub fn growth(&self, land: &Land, frame: &Box2, pen: &mut Pen) {
        let seen = |place: &usize| land.places[*place].bounds.overlaps(frame);
        let thin = short(self.size * 0.1);
        pen.path(&self.lakes, &format!("fill=\"{SEA}\" stroke=\"{COAST}\" stroke-width=\"{thin}\"")).raw("\n");
        for place in (0..self.outlines.len()).filter(seen) {
            pen.raw(&self.terrain[place]);
        }
    }

    /// The borders, the coast, and what may not be crossed.
    pub fn lines(&self, land: &Land, scene: &Scene, frame: &Box2, pen: &mut Pen) {
        let size = self.size;
        let seen: Vec<(&Border, &str)> = land
            .borders
            .iter()
            .zip(&self.borders)
            .filter(|(_, (bounds, _))| bounds.overlaps(frame))
            .map(|(border, (_, line))| (border, line.as_str()))
            .collect();
        let stroke = |pen: &mut Pen, chosen: &dyn Fn(&Border) -> bool, colour: &str, width: f64| {
            let data: String = seen.iter().filter(|(border, _)| chosen(border)).map(|(_, line)| *line).collect();
            if !data.is_empty() {
                let round = "fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\"";
                let width = short(size * width);
                pen.path(&data, &format!("{round} stroke=\"{colour}\" stroke-width=\"{width}\"")).raw("\n");
            }
        };
        let parts = |border: &Border| scene.groups[border.ends[0]] != scene.groups[border.ends[1]];
        let is_water = |border: &Border| matches!(border.crossing, Crossing::River | Crossing::Bridge);
        stroke(pen, &|border| border.crossing == Crossing::Open && !parts(border), BORDER, 0.09);
        stroke(pen, &|border| border.crossing == Crossing::Open && parts(border), STRONG, 0.19);
        pen.path(&self.edges, &format!("fill=\"none\" stroke=\"{STRONG}\" stroke-width=\"{}\"", short(size * 0.08)));
        let coast = format!("stroke=\"{COAST}\" stroke-width=\"{}\" stroke-linejoin=\"round\"", short(size * 0.13));
        pen.path(&self.shores, &format!("fill=\"none\" {coast}")).raw("\n");
        // Two lines, so that a print in grey tells a river from a strong border.
        stroke(pen, &is_water, RIVER, 0.42);
        stroke(pen, &is_water, RIVER_MIDST, 0.17);
        stroke(pen, &|border| border.crossing == Crossing::Ridge, RIDGE, 0.3);
        self.draw_peaks(frame, pen);
        for (_, bridge) in self.bridges.iter().filter(|(bounds, _)| bounds.wider(size).overlaps(frame)) {
            pen.raw(bridge);
        }
    }

    fn draw_peaks(&self, frame: &Box2, pen: &mut Pen) {
        let seen = frame.wider(self.size);
        let tops = self.peaks.iter().filter(|peak| seen.contains(&Box2::at(peak.top, 0.0, 0.0)));
        let (mut bright, mut dark) = (String::new(), String::new());
        for peak in tops {
            bright.push_str(&peak.bright);
            dark.push_str(&peak.dark);
        }
        if !bright.is_empty() {
            let thin = short(self.size * 0.09);
            let attributes = format!("stroke=\"{RIDGE}\" stroke-width=\"{thin}\" stroke-linejoin=\"round\"");
            pen.path(&bright, &format!("fill=\"#efe6d2\" {attributes}"));
            pen.path(&dark, "fill=\"#8a7a66\"").raw("\n");
        }
    }
}

/// The ways of ships, without the parts over land.
fn lanes(chart: &Chart, land: &Land) -> Vec<Vec<Point>> {
    let spot = |[x, y]: [i32; 2]| Point::new(f64::from(x), f64::from(y));
    let over_land = |point: &Point| land.places.iter().any(|cell| is_inside(&cell.outline, *point));
    let lane = |lane: &Lane| {
        let [from, to] = lane.ends.map(|end| spot(chart.places[usize::from(end)].at));
        let via = lane.via.iter().map(|point| spot(*point));
        let mut line: Vec<Point> = std::iter::once(from).chain(via).chain([to]).collect();
        // In pieces that are short enough to end near the shore.
        line = line.windows(2).flat_map(|pair| [pair[0], pair[0].middle(pair[1])]).chain([to]).collect();
        for _ in 0..3 {
            line = smoothed(&line);
        }
        let from = line.iter().position(|point| !over_land(point)).unwrap_or(0);
        let to = line.iter().rposition(|point| !over_land(point)).unwrap_or(0);
        line.drain(..from);
        line.truncate(to + 1 - from.min(to));
        line
    };
    chart.lanes.iter().map(lane).filter(|line| line.len() > 1).collect()
}

/// Peaks along the ridges, from north to south, so that nearer ones cover farther ones.
fn peaks(borders: &[Border], size: f64) -> Vec<Peak> {
    let mut tops: Vec<Point> = Vec::new();
    for border in borders.iter().filter(|border| border.crossing == Crossing::Ridge) {
        let mut left = size * 0.55;
        for pair in border.line.windows(2) {
            let way = pair[1] - pair[0];
            while left <= way.length() {
                let point = pair[0] + way.unit() * left;
                tops.push(point + Point::new(chance(point, pair[0]), chance(pair[1], point)) * (size * 0.14));
                left += size * 1.12;
            }
            left -= way.length();
        }
    }
    tops.sort_by(|one, other| one.y.total_cmp(&other.y).then(one.x.total_cmp(&other.x)));
    tops.into_iter().map(|top| peak(top, size)).collect()
}

fn peak(top: Point, size: f64) -> Peak {
    let high = size * (0.72 + 0.16 * chance(top, Point::new(top.y, top.x)));
    let to = |x: f64, y: f64| Point::new(top.x + x * size, top.y + y * size);
    let summit = Point::new(top.x, top.y - high);
    let outline = [to(-0.58, 0.2), to(-0.2, -0.22), summit, to(0.24, -0.26), to(0.58, 0.2)];
    let shade = [summit, to(0.24, -0.26), to(0.58, 0.2), to(0.1, 0.2), to(0.16, -0.1)];
    Peak { top, bright: pen::area(&outline), dark: pen::area(&shade) }
}

/// A plank over the river, across the middle of the border.
fn bridge(border: &Border, size: f64) -> String {
    let mut pen = Pen::new();
    let middle = border.line.len() / 2;
    let along = (border.line[(middle + 1).min(border.line.len() - 1)] - border.line[middle.saturating_sub(1)]).unit();
    let over = along.turned() * (size * 0.85);
    let side = along * (size * 0.34);
    let at = border.line[middle];
    let plank = [at + over + side, at + over - side, at - over - side, at - over + side];
    let thin = short(size * 0.1);
    pen.path(
        &pen::area(&plank),
        &format!("fill=\"#dcc49a\" stroke=\"#4a3a24\" stroke-width=\"{thin}\" stroke-linejoin=\"round\""),
    );
    let rail = |by: f64| pen::line(&[at + over * 0.9 + side * by, at - over * 0.9 + side * by]);
    pen.path(
        &format!("{}{}", rail(0.35), rail(-0.35)),
        &format!("stroke=\"#4a3a24\" stroke-width=\"{}\"", short(size * 0.05)),
    );
    pen.done()
}

/// Signs of what the land looks like, strewn quietly over a place.
fn terrain(chart: &Chart, land: &Land, place: usize, size: f64) -> String {
    let kind = chart.places[place].terrain;
    let (apart, colour) = match kind {
        Terrain::Plain => return String::new(),
        Terrain::Forest => (1.15, "#7d9a63"),
        Terrain::Hills => (1.6, "#a08a60"),
        Terrain::Mountains => (1.75, "#8b7658"),
        Terrain::Marsh => (1.5, "#6f8f8a"),
        Terrain::Waste => (1.25, "#a4886a"),
    };
    let cell = &land.places[place];
    let step = size * apart;
    let mut data = String::new();
    let mut y = cell.bounds.top + step * 0.6;
    let mut row = 0;
    while y < cell.bounds.bottom {
        let mut x = cell.bounds.left + step * if row % 2 == 0 { 0.4 } else { 0.9 };
        while x < cell.bounds.right {
            let grid = Point::new(x, y);
            let turned = Point::new(y, x);
            let at = grid + Point::new(chance(grid, turned), chance(turned, grid)) * (step * 0.28);
            let room = Box2::at(at, 0.0, 0.0).wider(size * 0.62);
            let inside = room.corners().into_iter().all(|corner| is_inside(&cell.outline, corner));
            if inside {
                data.push_str(&sign(kind, at, size));
            }
            x += step;
        }
        y += step * 0.82;
        row += 1;
    }
    let mut pen = Pen::new();
    let width = short(size * 0.085);
    let fill = if kind == Terrain::Forest { colour } else { "none" };
    let ink = format!("fill=\"{fill}\" fill-opacity=\".3\" stroke=\"{colour}\" stroke-opacity=\".5\"");
    let round = "stroke-linejoin=\"round\" stroke-linecap=\"round\"";
    pen.path(&data, &format!("{ink} stroke-width=\"{width}\" {round}"));
    pen.raw("\n");
    pen.done()
}

fn sign(kind: Terrain, at: Point, size: f64) -> String {
    let to = |x: f64, y: f64| at + Point::new(x, y) * size;
    match kind {
        Terrain::Plain => String::new(),
        Terrain::Forest => {
            let crown = [to(0.0, -0.48), to(0.26, -0.3), to(0.3, 0.0), to(0.0, 0.14), to(-0.3, 0.0), to(-0.26, -0.3)];
            format!("{}{}", pen::area(&crown), pen::line(&[to(0.0, 0.14), to(0.0, 0.36)]))
        }
        Terrain::Hills => {
            pen::line(&[to(-0.45, 0.15), to(-0.25, -0.1), to(0.0, -0.19), to(0.25, -0.1), to(0.45, 0.15)])
        }
        Terrain::Mountains => format!(
            "{}{}",
            pen::line(&[to(-0.5, 0.3), to(0.0, -0.42), to(0.46, 0.3)]),
            pen::line(&[to(0.0, -0.42), to(0.1, -0.1), to(0.04, 0.16)])
        ),
        Terrain::Marsh => format!(
            "{}{}",
            pen::line(&[to(-0.4, 0.16), to(0.4, 0.16)]),
            [-0.18, 0.0, 0.18].map(|x| pen::line(&[to(x, 0.06), to(x * 1.7, -0.22)])).concat()
        ),
        Terrain::Waste => pen::line(&[to(-0.14, 0.05), to(0.0, -0.03), to(0.14, 0.05)]),
    }
}
