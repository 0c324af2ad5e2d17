/*! The plane that is drawn on: points, boxes, and lines that are smoothed and roughened.

Only the four operations and square roots are used, which every machine rounds alike: a picture is the same to the byte
wherever it is made.
*/

use std::ops::{Add, Mul, Sub};

/// A point, or the way from one point to another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

impl Point {
    pub fn new(x: f64, y: f64) -> Point {
        Point { x, y }
    }

    pub fn dot(self, other: Point) -> f64 {
        self.x * other.x + self.y * other.y
    }

    /// Positive if `other` lies clockwise of it on the screen.
    pub fn cross(self, other: Point) -> f64 {
        self.x * other.y - self.y * other.x
    }

    pub fn length(self) -> f64 {
        self.dot(self).sqrt()
    }

    /// The same way, one unit long.
    pub fn unit(self) -> Point {
        let length = self.length();
        if length == 0.0 { Point::new(1.0, 0.0) } else { self * (1.0 / length) }
    }

    /// A quarter turn clockwise on the screen.
    pub fn turned(self) -> Point {
        Point::new(-self.y, self.x)
    }

    pub fn middle(self, other: Point) -> Point {
        (self + other) * 0.5
    }
}

impl Add for Point {
    type Output = Point;

    fn add(self, other: Point) -> Point {
        Point::new(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Point {
    type Output = Point;

    fn sub(self, other: Point) -> Point {
        Point::new(self.x - other.x, self.y - other.y)
    }
}

impl Mul<f64> for Point {
    type Output = Point;

    fn mul(self, factor: f64) -> Point {
        Point::new(self.x * factor, self.y * factor)
    }
}

/// A box with upright sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Box2 {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Box2 {
    pub fn new(left: f64, top: f64, right: f64, bottom: f64) -> Box2 {
        Box2 { left, top, right, bottom }
    }

    pub fn at(corner: Point, width: f64, height: f64) -> Box2 {
        Box2::new(corner.x, corner.y, corner.x + width, corner.y + height)
    }

    /// The least box round the points.
    pub fn round(points: impl IntoIterator<Item = Point>) -> Option<Box2> {
        points.into_iter().fold(None, |known: Option<Box2>, point| {
            let one = Box2::new(point.x, point.y, point.x, point.y);
            Some(known.map_or(one, |known| known.with(&one)))
        })
    }

    /// The least box round both.
    pub fn with(&self, other: &Box2) -> Box2 {
        Box2::new(
            self.left.min(other.left),
            self.top.min(other.top),
            self.right.max(other.right),
            self.bottom.max(other.bottom),
        )
    }

    /// The box with a margin on all sides; a negative one makes it smaller.
    pub fn wider(&self, margin: f64) -> Box2 {
        Box2::new(self.left - margin, self.top - margin, self.right + margin, self.bottom + margin)
    }

    pub fn moved(&self, by: Point) -> Box2 {
        Box2::new(self.left + by.x, self.top + by.y, self.right + by.x, self.bottom + by.y)
    }

    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }

    pub fn centre(&self) -> Point {
        Point::new(self.left, self.top).middle(Point::new(self.right, self.bottom))
    }

    pub fn overlaps(&self, other: &Box2) -> bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }

    pub fn contains(&self, other: &Box2) -> bool {
        self.left <= other.left && other.right <= self.right && self.top <= other.top && other.bottom <= self.bottom
    }

    pub fn corners(&self) -> [Point; 4] {
        [
            Point::new(self.left, self.top),
            Point::new(self.right, self.top),
            Point::new(self.right, self.bottom),
            Point::new(self.left, self.bottom),
        ]
    }
}

/// Whether the point lies inside the closed line.
pub fn is_inside(outline: &[Point], point: Point) -> bool {
    let mut inside = false;
    let Some(mut from) = outline.last() else { return false };
    for to in outline {
        if (from.y > point.y) != (to.y > point.y) {
            let x = from.x + (point.y - from.y) / (to.y - from.y) * (to.x - from.x);
            inside ^= point.x < x;
        }
        from = to;
    }
    inside
}

/// Twice the area inside the closed line; positive if it runs clockwise on the screen.
pub fn doubled_area(outline: &[Point]) -> f64 {
    outline.iter().enumerate().map(|(index, from)| from.cross(outline[(index + 1) % outline.len()])).sum()
}

/// A curve between two ends, in `steps` pieces. It passes through `through`, unless it would bulge more than a third
/// of its length.
pub fn bent(from: Point, through: Point, to: Point, steps: u32) -> Vec<Point> {
    let aside = through - from.middle(to);
    let most = (to - from).length() * 0.33;
    let control = through + aside * (most / aside.length().max(0.1)).min(1.0);
    let point = |step: u32| {
        let t = f64::from(step) / f64::from(steps);
        from * ((1.0 - t) * (1.0 - t)) + control * (2.0 * t * (1.0 - t)) + to * (t * t)
    };
    let mut line: Vec<Point> = (0..=steps).map(point).collect();
    // The ends are exact.
    line[0] = from;
    *line.last_mut().expect("a line has points") = to;
    line
}

/// The line with its corners cut, its ends where they were.
pub fn smoothed(line: &[Point]) -> Vec<Point> {
    let (Some(first), Some(last)) = (line.first(), line.last()) else { return Vec::new() };
    let mut smooth = vec![*first];
    for pair in line.windows(2) {
        smooth.push(pair[0] * 0.75 + pair[1] * 0.25);
        smooth.push(pair[0] * 0.25 + pair[1] * 0.75);
    }
    smooth.push(*last);
    smooth
}

/// The line made uneven like a coast: every piece longer than `grain` is broken in its middle and pushed aside, by at
/// most `by` of its length. The same line always gives the same result.
pub fn roughened(line: &[Point], by: f64, grain: f64) -> Vec<Point> {
    let mut rough = Vec::new();
    for pair in line.windows(2) {
        rough.push(pair[0]);
        break_up(pair[0], pair[1], by, grain, &mut rough);
    }
    rough.extend(line.last());
    rough
}

fn break_up(from: Point, to: Point, by: f64, grain: f64, rough: &mut Vec<Point>) {
    let way = to - from;
    if way.length() <= grain {
        return;
    }
    let middle = from.middle(to) + way.turned() * (chance(from, to) * by);
    break_up(from, middle, by, grain, rough);
    rough.push(middle);
    break_up(middle, to, by, grain, rough);
}

/// A number from −1 to 1 that follows from two points.
pub fn chance(from: Point, to: Point) -> f64 {
    let whole = |value: f64| (value * 16.0).round() as i64 as u64;
    let mut mixed = 0x9e37_79b9_7f4a_7c15_u64;
    for value in [from.x, from.y, to.x, to.y] {
        mixed = (mixed ^ whole(value)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        mixed ^= mixed >> 32;
    }
    (mixed >> 40) as f64 / f64::from(1 << 23) - 1.0
}
