/*! The land: the outlines of all places, as they follow from which places touch.

The straight lines between places that touch divide the plane into faces. The outline of a place runs through the
middle of each contact and the centre of the face that follows it, in turn; if that face is the outside or a lake, a
shore is drawn there. A border is made once and belongs to both its places, so two places share a drawn border exactly
if they touch.
*/

use crate::picture::plane::{Box2, Point, bent, doubled_area, roughened, smoothed};
use engine::chart::{Chart, Contact, Crossing};
use std::collections::BTreeMap;

/// How far a border and a shore stray from their smooth course, and the length below which a piece stays straight.
const BORDER_ROUGH: (f64, f64) = (0.055, 5.0);
const SHORE_ROUGH: (f64, f64) = (0.13, 5.0);

/// The land of a title, ready to be drawn.
#[derive(Debug)]
pub struct Land {
    pub places: Vec<Cell>,
    /// In the order of the contacts of the chart.
    pub borders: Vec<Border>,
    pub lakes: Vec<Vec<Point>>,
    /// The shores of the sea, each from one end to the other.
    pub shores: Vec<Vec<Point>>,
    /// Where a place ends and touches no other, by the sea or inland.
    pub edges: Vec<Vec<Point>>,
    /// All land, also beyond the places: it goes on past the edge of the picture.
    pub mainland: Vec<Point>,
    /// The box round all places.
    pub bounds: Box2,
}

/// The area of one place.
#[derive(Debug)]
pub struct Cell {
    /// Its border all round, clockwise.
    pub outline: Vec<Point>,
    pub bounds: Box2,
}

/// The border of two places.
#[derive(Debug)]
pub struct Border {
    pub ends: [usize; 2],
    pub crossing: Crossing,
    pub line: Vec<Point>,
}

/// The lines between places that touch, with the faces between them.
struct Web<'a> {
    chart: &'a Chart,
    at: Vec<Point>,
    /// What touches each place, clockwise.
    round: Vec<Vec<usize>>,
    /// The face on the right of the way from one place to another that touches it.
    face: BTreeMap<(usize, usize), usize>,
    /// The places round each face, in the order of the ways along it.
    faces: Vec<Vec<usize>>,
    kinds: Vec<FaceKind>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum FaceKind {
    /// Borders meet in this point.
    Meeting(Point),
    Lake(Point),
    Outside,
}

impl Land {
    pub fn of(chart: &Chart) -> Land {
        let web = Web::of(chart);
        let borders: Vec<Border> = chart.contacts.iter().map(|contact| web.border(contact)).collect();
        let mut lines: BTreeMap<(usize, usize), Vec<Point>> = BTreeMap::new();
        for border in &borders {
            let [one, other] = border.ends;
            lines.insert((one, other), border.line.clone());
            lines.insert((other, one), border.line.iter().rev().copied().collect());
        }
        let mut shores: BTreeMap<(usize, usize), Vec<Point>> = BTreeMap::new();
        let mut places = Vec::new();
        for place in 0..chart.places.len() {
            let mut outline: Vec<Point> = Vec::new();
            for (index, other) in web.round[place].iter().enumerate() {
                extend(&mut outline, &lines[&(place, *other)]);
                let next = web.round[place][(index + 1) % web.round[place].len()];
                if let Some(shore) = web.shore(place, *other, next) {
                    extend(&mut outline, &shore);
                    shores.insert((place, *other), shore);
                }
            }
            outline.pop();
            let bounds = Box2::round(outline.iter().copied()).expect("a place has an outline");
            places.push(Cell { outline, bounds });
        }
        let bounds = places.iter().map(|cell| cell.bounds).reduce(|all, one| all.with(&one)).expect("places");
        let lakes = web.lakes(&shores);
        let (coast, mainland) = web.coast(&shores, &bounds);
        let edges = shores.into_values().collect();
        Land { places, borders, lakes, shores: coast, edges, mainland, bounds }
    }
}

/// Continues an outline with a line that may begin at its last point.
fn extend(outline: &mut Vec<Point>, line: &[Point]) {
    let from = usize::from(outline.last() == line.first());
    outline.extend_from_slice(&line[from..]);
}

impl Web<'_> {
    fn of(chart: &Chart) -> Web<'_> {
        let at: Vec<Point> =
            chart.places.iter().map(|place| Point::new(f64::from(place.at[0]), f64::from(place.at[1]))).collect();
        let mut round: Vec<Vec<usize>> = vec![Vec::new(); at.len()];
        for Contact { ends: [one, other], .. } in &chart.contacts {
            round[usize::from(*one)].push(usize::from(*other));
            round[usize::from(*other)].push(usize::from(*one));
        }
        for (place, others) in round.iter_mut().enumerate() {
            others.sort_by(|one, other| clockwise(at[*one] - at[place], at[*other] - at[place]));
        }
        let mut web = Web { chart, at, round, face: BTreeMap::new(), faces: Vec::new(), kinds: Vec::new() };
        web.find_faces();
        web
    }

    fn find_faces(&mut self) {
        for from in 0..self.at.len() {
            for to in self.round[from].clone() {
                if self.face.contains_key(&(from, to)) {
                    continue;
                }
                let (mut way, mut places) = ((from, to), Vec::new());
                while !self.face.contains_key(&way) {
                    self.face.insert(way, self.faces.len());
                    places.push(way.0);
                    way = (way.1, self.after(way.1, way.0));
                }
                self.kinds.push(self.kind(&places));
                self.faces.push(places);
            }
        }
    }

    /// The next place on the way round a face: the way from `other` to `place` and on to the next has the face on its
    /// right. That is the neighbour of `place` before `other` in clockwise order.
    fn after(&self, place: usize, other: usize) -> usize {
        let round = &self.round[place];
        let index = round.iter().position(|near| *near == other).expect("they touch");
        round[(index + round.len() - 1) % round.len()]
    }

    /// The place before: the way from there to `place` has the same face on its right as the way from `place` to
    /// `other`.
    fn before(&self, place: usize, other: usize) -> usize {
        let round = &self.round[place];
        let index = round.iter().position(|near| *near == other).expect("they touch");
        round[(index + 1) % round.len()]
    }

    fn kind(&self, places: &[usize]) -> FaceKind {
        let corners: Vec<Point> = places.iter().map(|place| self.at[*place]).collect();
        let sum = corners.iter().fold(Point::default(), |sum, corner| sum + *corner);
        let centre = sum * (1.0 / corners.len() as f64);
        let is_lake = |lake: &Vec<u8>| {
            lake.len() == places.len() && lake.iter().all(|place| places.contains(&usize::from(*place)))
        };
        match doubled_area(&corners) > 0.0 {
            false => FaceKind::Outside,
            true if self.chart.lakes.iter().any(is_lake) => FaceKind::Lake(centre),
            true => FaceKind::Meeting(centre),
        }
    }

    /// About how far a place reaches where nothing borders it.
    fn reach(&self, place: usize) -> f64 {
        let near = &self.round[place];
        let sum: f64 = near.iter().map(|other| (self.at[*other] - self.at[place]).length()).sum();
        // A place at the end of a spit is kept small, so that it does not run into its neighbours' neighbours.
        let share = if near.len() == 1 { 0.4 } else { 0.56 };
        sum / near.len() as f64 * share
    }

    /// Where the border of two places ends, in the face on the right of the way from `from` to `to`.
    fn end(&self, from: usize, to: usize) -> Point {
        let middle = self.at[from].middle(self.at[to]);
        match self.kinds[self.face[&(from, to)]] {
            FaceKind::Meeting(centre) => centre,
            FaceKind::Lake(centre) => middle + (centre - middle) * 0.42,
            FaceKind::Outside => {
                let outward = (self.at[to] - self.at[from]).turned().unit();
                let reach = self.reach(from).min(self.reach(to)) * 0.8;
                // In a bay the ends of two borders must not pass each other.
                let next = (to, self.after(to, from));
                let last = (self.before(from, to), from);
                let near = [next, last].map(|way| self.at[way.0].middle(self.at[way.1]) - middle);
                let bays = near.into_iter().filter(|way| way.dot(outward) > 0.0);
                middle + outward * bays.map(|way| way.length() * 0.3).fold(reach, f64::min)
            }
        }
    }

    fn border(&self, contact: &Contact) -> Border {
        let [one, other] = contact.ends.map(usize::from);
        let middle = self.at[one].middle(self.at[other]);
        // Clockwise round the first place: the face before the border is that on the left of the way to the other.
        let (begin, end) = (self.end(other, one), self.end(one, other));
        let line = roughened(&bent(begin, middle, end, 4), BORDER_ROUGH.0, BORDER_ROUGH.1);
        Border { ends: [one, other], crossing: contact.crossing, line }
    }

    /// The shore of a place from its border with `before` clockwise to that with `after`, if water or the outside lies
    /// between them.
    fn shore(&self, place: usize, before: usize, after: usize) -> Option<Vec<Point>> {
        let (begin, end) = (self.end(place, before), self.end(after, place));
        let at = self.at[place];
        let line = match self.kinds[self.face[&(place, before)]] {
            FaceKind::Meeting(_) => return None,
            FaceKind::Lake(centre) => vec![begin, at + (centre - at) * 0.6, end],
            FaceKind::Outside => {
                let mut line = vec![begin];
                // In a narrow bay the two ends may have changed sides; then nothing reaches out between them.
                let is_narrow = (self.at[before] - at).cross(self.at[after] - at) > 0.0;
                if !is_narrow || (begin - at).cross(end - at) > 0.0 {
                    let reach = self.reach(place).min(((begin - at).length() + (end - at).length()) * 0.55);
                    fan(at, begin - at, end - at, reach, 0, &mut line);
                }
                line.push(end);
                line
            }
        };
        Some(roughened(&smoothed(&line), SHORE_ROUGH.0, SHORE_ROUGH.1))
    }

    fn lakes(&self, shores: &BTreeMap<(usize, usize), Vec<Point>>) -> Vec<Vec<Point>> {
        let lakes = (0..self.faces.len()).filter(|face| matches!(self.kinds[*face], FaceKind::Lake(_)));
        lakes
            .map(|face| self.ring(face).into_iter().flat_map(|key| shores[&key][1..].iter().copied()).collect())
            .collect()
    }

    /// The keys of the shores round a face, in the order in which they join: against the order of its ways.
    fn ring(&self, face: usize) -> Vec<(usize, usize)> {
        let places = &self.faces[face];
        let mut keys: Vec<(usize, usize)> =
            (0..places.len()).map(|index| (places[index], places[(index + 1) % places.len()])).collect();
        keys.reverse();
        keys
    }

    /// The shores of the sea, and all land, also beyond the places.
    fn coast(&self, shores: &BTreeMap<(usize, usize), Vec<Point>>, bounds: &Box2) -> (Vec<Vec<Point>>, Vec<Point>) {
        let outside = self.kinds.iter().position(|kind| *kind == FaceKind::Outside).expect("there is an outside");
        let mut ring = self.ring(outside);
        let coastal = |key: &(usize, usize)| self.chart.places[key.0].coastal;
        // Begin where the sea begins.
        let begins = (0..ring.len())
            .find(|index| coastal(&ring[*index]) && !coastal(&ring[(*index + ring.len() - 1) % ring.len()]));
        ring.rotate_left(begins.unwrap_or(0));
        let edge = bounds.wider(400.0);
        let (mut lines, mut index): (Vec<Vec<Point>>, usize) = (Vec::new(), 0);
        while index < ring.len() {
            let run = ring[index..].iter().take_while(|key| coastal(key)).count();
            let mut shore: Vec<Point> = Vec::new();
            for key in &ring[index..index + run] {
                extend(&mut shore, &shores[key]);
            }
            index += run;
            let inland = ring[index..].iter().take_while(|key| !coastal(key)).count();
            index += inland;
            if inland > 0 {
                let (begin, end) = (shore[0], *shore.last().expect("a shore"));
                let mut whole = roughened(&[edge_near(begin, bounds, &edge), begin], SHORE_ROUGH.0, SHORE_ROUGH.1);
                extend(&mut whole, &shore);
                extend(&mut whole, &roughened(&[end, edge_near(end, bounds, &edge)], SHORE_ROUGH.0, SHORE_ROUGH.1));
                shore = whole;
            }
            lines.push(shore);
        }
        let mut mainland: Vec<Point> = Vec::new();
        for (index, line) in lines.iter().enumerate() {
            let next = lines[(index + 1) % lines.len()][0];
            mainland.extend_from_slice(line);
            along(&edge, *line.last().expect("a shore"), next, &mut mainland);
        }
        (lines, mainland)
    }
}

/// The points of a fan round `at` from the way `from` clockwise to the way `to`.
fn fan(at: Point, from: Point, to: Point, reach: f64, depth: u32, line: &mut Vec<Point>) {
    let (one, other) = (from.unit(), to.unit());
    let (cross, dot) = (one.cross(other), one.dot(other));
    let is_wide = cross < 0.0;
    // Up to about 50 degrees need no further point.
    if depth > 3 || (!is_wide && dot > 0.64) {
        return;
    }
    let sum = one + other;
    let between = match sum.length() < 0.05 {
        true => one.turned(),
        false if is_wide => sum.unit() * -1.0,
        false => sum.unit(),
    };
    let middle = between * reach;
    fan(at, from, middle, reach, depth + 1, line);
    line.push(at + middle);
    fan(at, middle, to, reach, depth + 1, line);
}

/// The order of two ways clockwise, from the one that points up.
fn clockwise(one: Point, other: Point) -> std::cmp::Ordering {
    let half = |way: Point| u8::from(way.x < 0.0 || (way.x == 0.0 && way.y > 0.0));
    half(one).cmp(&half(other)).then_with(|| 0.0_f64.total_cmp(&one.cross(other)))
}

/// The point of the far edge that lies straight out from a point near the border of all land.
fn edge_near(point: Point, bounds: &Box2, edge: &Box2) -> Point {
    let ways = [
        (point.y - bounds.top, Point::new(point.x, edge.top)),
        (bounds.right - point.x, Point::new(edge.right, point.y)),
        (bounds.bottom - point.y, Point::new(point.x, edge.bottom)),
        (point.x - bounds.left, Point::new(edge.left, point.y)),
    ];
    ways.into_iter().min_by(|one, other| one.0.total_cmp(&other.0)).expect("four sides").1
}

/// Continues a line along the edge, clockwise, from one point on it to another.
fn along(edge: &Box2, from: Point, to: Point, line: &mut Vec<Point>) {
    let corners = edge.corners();
    let side = |point: Point| {
        let distances = [
            (point.y - edge.top).abs(),
            (point.x - edge.right).abs(),
            (point.y - edge.bottom).abs(),
            (point.x - edge.left).abs(),
        ];
        (0..4).min_by(|one, other| distances[*one].total_cmp(&distances[*other])).expect("four sides")
    };
    let (mut at, last) = (side(from), side(to));
    while at != last {
        at = (at + 1) % 4;
        line.push(corners[at]);
    }
}
