/*! Where everything finds room: names where the chart has them, and beside each name what stands there, so that
nothing covers anything else. */

use crate::picture::land::Land;
use crate::picture::lettering::{Face, Style};
use crate::picture::plane::{Box2, Point, is_inside};
use crate::picture::scene::{Piece, Row, Scene};
use engine::chart::Chart;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The height of a line of a name, as a multiple of its letters.
const LINE: f64 = 1.04;
/// The size of a tag, the word that says what a place belongs to, as a multiple of the letters of its name.
const TAG: f64 = 0.68;
/// Room left free round everything.
const GAP: f64 = 1.2;

/// Where what belongs to one place is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Site {
    /// The lines of the name, each with the middle of its base line.
    pub name: Vec<(String, Point)>,
    /// Where the tag begins, the word that says what the place belongs to.
    pub tag: Option<Point>,
    pub head: Option<Point>,
    /// The pieces that stand there, each with its upper left corner.
    pub stand: Vec<(Piece, Point)>,
    /// The ends of a line between the name and pieces that are far from it.
    pub tether: Option<[Point; 2]>,
    /// The boxes that nothing else may touch.
    pub taken: Vec<Box2>,
}

/// Finds room within `frame` for all places; those without room there get `None`.
pub fn laid_out(chart: &Chart, land: &Land, scene: &Scene, frame: &Box2, kept_free: &[Box2]) -> Vec<Option<Site>> {
    Layouts::default().laid_out(chart, land, scene, frame, kept_free)
}

/// What was found before on one map: of two scenes that follow one another in a game most is the same.
#[derive(Debug, Default)]
pub struct Layouts {
    /// The lines of each name, by its place and the size of its letters.
    names: BTreeMap<(usize, u64), Vec<(String, f64)>>,
    /// Where there was room, by all that it depends on: the middle of what stands there, and which of its shapes.
    rooms: BTreeMap<Vec<u64>, Option<(Point, usize)>>,
}

impl Layouts {
    /// As [`laid_out`] finds it.
    pub fn laid_out(
        &mut self,
        chart: &Chart,
        land: &Land,
        scene: &Scene,
        frame: &Box2,
        kept_free: &[Box2],
    ) -> Vec<Option<Site>> {
        let names = &mut self.names;
        let mut lines = |place: usize| {
            let known = names.entry((place, scene.letter.to_bits()));
            known.or_insert_with(|| broken(chart.places[place].name.title(), scene.letter)).clone()
        };
        let (mut sites, mut taken) = cores(chart, land, scene, frame, kept_free, &mut lines);
        // What stands at a place needs room: the largest gets it first.
        let mut order: Vec<usize> = (0..chart.places.len()).filter(|place| !scene.stands[*place].is_empty()).collect();
        order.sort_by(|one, other| size(&scene.stands[*other]).total_cmp(&size(&scene.stands[*one])));
        for place in order {
            let Some(site) = sites[place].as_mut() else { continue };
            let shapes = shapes(&scene.stands[place]);
            let search = Search::new(land, scene, place, site, frame, &taken);
            let found = *self.rooms.entry(search.key(&shapes)).or_insert_with(|| search.room(&shapes));
            let (outline, own) = (&land.places[place].outline, search.own);
            match found {
                Some((middle, shape)) => stand(outline, &own, middle, &shapes[shape], site, &mut taken),
                None => {
                    let lost = sites[place].take().expect("a site");
                    taken.retain(|area| !lost.taken.contains(area));
                }
            }
        }
        sites
    }
}

/// The names that have room, and the boxes that they and what is kept free take.
fn cores(
    chart: &Chart,
    land: &Land,
    scene: &Scene,
    frame: &Box2,
    kept_free: &[Box2],
    lines: &mut dyn FnMut(usize) -> Vec<(String, f64)>,
) -> (Vec<Option<Site>>, Vec<Box2>) {
    let mut sites: Vec<Option<Site>> = Vec::new();
    let mut taken: Vec<Box2> = kept_free.to_vec();
    for place in 0..chart.places.len() {
        let site = core(chart, land, scene, place, frame, lines(place));
        let is_free = |site: &Site| !site.taken.iter().any(|area| taken.iter().any(|other| other.overlaps(area)));
        let site = site.filter(|site| is_free(site));
        taken.extend(site.iter().flat_map(|site| site.taken.iter().copied()));
        sites.push(site);
    }
    (sites, taken)
}

fn size(rows: &[Row]) -> f64 {
    let (width, height) = extent(rows);
    width * height
}

/// The name, with the head above it.
fn core(
    chart: &Chart,
    land: &Land,
    scene: &Scene,
    place: usize,
    frame: &Box2,
    lines: Vec<(String, f64)>,
) -> Option<Site> {
    let label = chart.places[place].label;
    let label = Point::new(f64::from(label[0]), f64::from(label[1]));
    let line = scene.letter * LINE;
    let head = scene.heads[place].as_ref();
    let above = head.map_or(0.0, |head| head.height + GAP);
    let height = above + line * lines.len() as f64;
    let width = lines.iter().map(|(_, width)| *width).fold(head.map_or(0.0, |head| head.width), f64::max);
    let whole = Box2::at(label - Point::new(width / 2.0, height / 2.0), width, height);
    let tag = scene.tags[place].map_or(0.0, |(word, _)| tag_width(scene.letter, word));
    let seen = Box2 { right: whole.right.max(label.x + lines[0].1 / 2.0 + tag), ..whole };
    let by = pulled_in(&seen, frame, &land.places[place].outline, label)?;
    let top = whole.top + by.y;
    let middle = label.x + by.x;
    let mut site = Site::default();
    if let Some(head) = head {
        let corner = Point::new(middle - head.width / 2.0, top);
        site.head = Some(corner);
        site.taken.push(Box2::at(corner, head.width, head.height));
    }
    for (index, (text, width)) in lines.into_iter().enumerate() {
        let base = top + above + line * (index as f64 + 0.8);
        let area = Box2::new(
            middle - width / 2.0,
            base - scene.letter * 0.72,
            middle + width / 2.0,
            base + scene.letter * 0.22,
        );
        let tag = if index == 0 { scene.tags[place] } else { None };
        let room = tag.map_or(0.0, |(word, _)| tag_width(scene.letter, word));
        site.tag = site.tag.or(tag.map(|_| Point::new(area.right + 0.6, base - scene.letter * 0.3)));
        site.taken.push(Box2 { right: area.right + room, ..area });
        site.name.push((text, Point::new(middle, base)));
    }
    Some(site)
}

/// How the tag of a name is set.
pub fn of_tags(letter: f64) -> Style {
    Style::new(Face::Bold, letter * TAG)
}

/// The length of a tag, with the gap before it.
fn tag_width(letter: f64, word: &str) -> f64 {
    of_tags(letter).width(word) + 0.6
}

/// How far an area must move to be within the frame; `None` if it would leave its place.
fn pulled_in(area: &Box2, frame: &Box2, outline: &[Point], label: Point) -> Option<Point> {
    let inner = frame.wider(-2.0);
    let pull = |low: f64, high: f64, least: f64, most: f64| (least - low).max(0.0) + (most - high).min(0.0);
    let by = Point::new(
        pull(area.left, area.right, inner.left, inner.right),
        pull(area.top, area.bottom, inner.top, inner.bottom),
    );
    let stays = by == Point::default() || is_inside(outline, label + by) && is_inside(outline, label + by * 1.15);
    (stays && inner.wider(0.01).contains(&area.moved(by))).then_some(by)
}

/// A name in one line, or in two of about the same length.
fn broken(name: &str, size: f64) -> Vec<(String, f64)> {
    let long = |text: &str| Style::new(Face::Medium, size).width(text);
    let one = long(name);
    let cuts = name.char_indices().filter(|(_, letter)| *letter == ' ' || *letter == '-');
    let halves = cuts.map(|(at, letter)| match letter {
        ' ' => (&name[..at], &name[at + 1..]),
        _ => (&name[..=at], &name[at + 1..]),
    });
    let best = halves.min_by(|one, other| long(one.0).max(long(one.1)).total_cmp(&long(other.0).max(long(other.1))));
    match best {
        Some((first, second)) if one > size * 4.2 => {
            vec![(first.to_string(), long(first)), (second.to_string(), long(second))]
        }
        _ => vec![(name.to_string(), one)],
    }
}

/// Width and height of rows of pieces.
fn extent(rows: &[Row]) -> (f64, f64) {
    let width = |row: &Row| row.iter().map(|piece| piece.width + GAP).sum::<f64>() - GAP;
    let height = |row: &Row| row.iter().map(|piece| piece.height).fold(0.0, f64::max);
    let widest = rows.iter().map(width).fold(0.0, f64::max);
    (widest, rows.iter().map(|row| height(row) + GAP).sum::<f64>() - GAP)
}

/// The arrangements in which the same pieces can stand: as the scene has them, all in one row, each in a row of its
/// own.
fn shapes(rows: &[Row]) -> Vec<Vec<Row>> {
    let each: Vec<Row> = rows.iter().flatten().map(|piece| vec![piece.clone()]).collect();
    let all = vec![rows.iter().flatten().cloned().collect::<Row>()];
    let mut shapes = vec![rows.to_vec()];
    for shape in [all, each] {
        if !shapes.contains(&shape) {
            shapes.push(shape);
        }
    }
    shapes
}

/// The search for room for what stands at a place: as near to its name as possible, inside its own border if possible.
struct Search<'a> {
    place: usize,
    letter: f64,
    outline: &'a [Point],
    /// All of the name.
    own: Box2,
    inner: Box2,
    taken: &'a [Box2],
}

impl<'a> Search<'a> {
    fn new(land: &'a Land, scene: &Scene, place: usize, site: &Site, frame: &Box2, taken: &'a [Box2]) -> Search<'a> {
        Search {
            place,
            letter: scene.letter,
            outline: &land.places[place].outline,
            own: site.taken.iter().copied().reduce(|all, one| all.with(&one)).expect("a site has a name"),
            inner: frame.wider(-1.5),
            taken,
        }
    }

    /// What is in the way of an area of this size that stands near the name. A gap is left free round what stands
    /// there: the same as if everything in its way were wider by it.
    fn obstacles(&self, width: f64, height: f64) -> Vec<Box2> {
        let near = self.own.wider(FARTHEST / ACROSS * self.letter + width.max(height) / 2.0);
        self.taken.iter().filter(|area| area.overlaps(&near)).map(|area| area.wider(GAP / 2.0)).collect()
    }

    /// All that the result depends on, as bits.
    fn key(&self, shapes: &[Vec<Row>]) -> Vec<u64> {
        let mut key = vec![self.place as u64, self.letter.to_bits()];
        let mut boxes = vec![self.own, self.inner];
        for rows in shapes {
            let (width, height) = extent(rows);
            key.extend([width.to_bits(), height.to_bits()]);
            boxes.extend(self.obstacles(width, height));
        }
        key.extend(boxes.iter().flat_map(|area| [area.left, area.top, area.right, area.bottom].map(f64::to_bits)));
        key
    }

    /// The middle of the best room and the shape that stands in it; `None` if there is no room.
    fn room(&self, shapes: &[Vec<Row>]) -> Option<(Point, usize)> {
        let mut best: Option<(f64, Point, usize)> = None;
        for (shape, rows) in shapes.iter().enumerate() {
            let (width, height) = extent(rows);
            let obstacles = self.obstacles(width, height);
            for (far, offset) in OFFSETS.iter().map(|(far, way)| (far * self.letter, *way * self.letter)) {
                if best.as_ref().is_some_and(|(cost, _, _)| *cost <= far) {
                    break;
                }
                let middle = self.own.centre() + offset;
                let area = Box2::at(middle - Point::new(width / 2.0, height / 2.0), width, height);
                if !self.inner.contains(&area) || obstacles.iter().any(|other| other.overlaps(&area)) {
                    continue;
                }
                let cost = far + astray(self.outline, &area) * self.letter;
                if best.as_ref().is_none_or(|(known, _, _)| cost < *known) {
                    best = Some((cost, middle, shape));
                }
            }
        }
        best.map(|(_, middle, shape)| (middle, shape))
    }
}

/// Puts what stands at a place into the room that was found.
fn stand(outline: &[Point], own: &Box2, middle: Point, rows: &[Row], site: &mut Site, taken: &mut Vec<Box2>) {
    let (width, height) = extent(rows);
    let area = Box2::at(middle - Point::new(width / 2.0, height / 2.0), width, height);
    site.tether = (astray(outline, &area) >= 2.4).then(|| [middle, own.centre()]);
    site.taken.push(area);
    taken.push(area.wider(GAP / 2.0));
    place_rows(rows, &area, site);
}

/// How far an area is from being inside a border: 0 if it is inside, more than 1 if it seems to belong elsewhere.
fn astray(outline: &[Point], area: &Box2) -> f64 {
    let corners = area.corners().into_iter().filter(|corner| !is_inside(outline, *corner)).count();
    let middle = if is_inside(outline, area.centre()) { 0.0 } else { 4.0 };
    corners as f64 * 1.2 + middle
}

fn place_rows(rows: &[Row], area: &Box2, site: &mut Site) {
    let mut top = area.top;
    for row in rows {
        let (width, height) = extent(std::slice::from_ref(row));
        let mut left = area.left + (area.width() - width) / 2.0;
        for piece in row {
            site.stand.push((piece.clone(), Point::new(left, top + (height - piece.height) / 2.0)));
            left += piece.width + GAP;
        }
        top += height + GAP;
    }
}

/// How far what stands at a place may be from its name, in letters: a tether shows what belongs together.
const FARTHEST: f64 = 12.0;
/// A horizontal distance counts less than a vertical one: names are wider than high.
const ACROSS: f64 = 0.8;

/// Ways out from the middle of a name, in letters, the nearest first.
static OFFSETS: LazyLock<Vec<(f64, Point)>> = LazyLock::new(|| {
    const STEP: f64 = 0.3;
    let mut offsets: Vec<(f64, Point)> = Vec::new();
    for row in -40..=40 {
        for column in -50..=50 {
            let way = Point::new(f64::from(column) * STEP, f64::from(row) * STEP);
            let far = Point::new(way.x * ACROSS, way.y).length();
            if far <= FARTHEST {
                offsets.push((far, way));
            }
        }
    }
    offsets.sort_by(|one, other| one.0.total_cmp(&other.0));
    offsets
});
