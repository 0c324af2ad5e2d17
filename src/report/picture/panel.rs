/*! The words beside the map: what it shows, how the game stands, and what the marks mean. */

use crate::picture::land::Land;
use crate::picture::lettering::{Face, Style};
use crate::picture::marks::INK;
use crate::picture::pen::{Pen, short};
use crate::picture::plane::{Box2, Point, is_inside};
use crate::picture::scene::{Piece, Scene};

/// The words, and where they are.
#[derive(Clone, Debug)]
pub struct Placed {
    pub area: Box2,
    /// The boxes that nothing on the map may touch.
    pub boxes: Vec<Box2>,
    /// Each text with the left end of its base line.
    pub texts: Vec<(String, Point, Style)>,
    pub pieces: Vec<(Piece, Point)>,
}

/// A line of the panel, with its size.
struct Line {
    piece: Option<Piece>,
    text: String,
    style: Style,
    width: f64,
    height: f64,
}

/// How much room a piece has before its text, in letters.
const INDENT: f64 = 3.5;

/// The room before a text, in which its piece stands.
fn room(piece: Option<&Piece>, indent: f64, style: Style) -> f64 {
    let wide = piece.map_or(0.0, |piece| piece.width).max(indent);
    if wide > 0.0 { wide + style.size * 0.6 } else { 0.0 }
}

fn line(piece: Option<Piece>, text: String, style: Style, indent: f64) -> Line {
    let width = room(piece.as_ref(), indent, style) + style.width(&text);
    let height = (style.size * 1.3).max(piece.as_ref().map_or(0.0, |piece| piece.height + style.size * 0.22));
    Line { piece, text, style, width, height }
}

/// The lines in three blocks: the heading, how the game stands, what the marks mean.
fn blocks(scene: &Scene) -> [Vec<Line>; 3] {
    let (panel, size) = (&scene.panel, scene.letter);
    let heading = vec![
        line(None, panel.title.clone(), Style::new(Face::Italic, size * 1.75), 0.0),
        line(None, panel.moment.clone(), Style::new(Face::Medium, size), 0.0),
    ];
    let small = Style::new(Face::Medium, size);
    let stands = panel.lines.iter().map(|(piece, text)| line(piece.clone(), text.clone(), small, size * 2.0));
    let key = panel.key.iter().map(|(_, piece, text)| line(Some(piece.clone()), text.clone(), small, size * INDENT));
    [heading, stands.collect(), key.collect()]
}

/// Beside the whole map: in the lower left corner, as high as the land leaves room, or below it.
pub fn beside(scene: &Scene, land: &Land, lanes: &[Vec<Point>], whole: &Box2) -> Placed {
    let gap = scene.letter * 0.9;
    let [heading, stands, key] = blocks(scene);
    let height = |lines: &[Line]| lines.iter().map(|line| line.height).sum::<f64>();
    let width = |lines: &[Line]| lines.iter().map(|line| line.width).fold(0.0, f64::max);
    let column = heading.iter().chain(&stands).map(|line| line.width).fold(0.0, f64::max);
    let tall = (column.max(width(&key)), height(&heading) + height(&stands) + height(&key) + 2.0 * gap);
    let broad = (column + gap * 2.0 + width(&key), (height(&heading) + gap + height(&stands)).max(height(&key)));
    let fits = |size: (f64, f64)| {
        let area = corner(whole, (size.0 + 2.0 * gap, size.1 + 2.0 * gap), 0.0);
        is_free(land, lanes, &area)
    };
    let is_tall = fits(tall);
    let size = if is_tall { tall } else { broad };
    let size = (size.0 + 2.0 * gap, size.1 + 2.0 * gap);
    let mut down = 0.0;
    while !is_free(land, lanes, &corner(whole, size, down)) {
        down += 4.0;
    }
    let area = corner(whole, size, down);
    let mut placed = Placed { area, boxes: vec![area.wider(2.0)], texts: Vec::new(), pieces: Vec::new() };
    let left = area.left + gap;
    let mut top = column_of(&mut placed, heading, Point::new(left, area.top + gap), 0.0);
    top = column_of(&mut placed, stands, Point::new(left, top + gap), scene.letter * 2.0);
    let key_at =
        if is_tall { Point::new(left, top + gap) } else { Point::new(left + column + 2.0 * gap, area.top + gap) };
    column_of(&mut placed, key, key_at, scene.letter * INDENT);
    placed
}

fn corner(whole: &Box2, size: (f64, f64), down: f64) -> Box2 {
    let bottom = whole.bottom - 6.0 + down;
    Box2::new(whole.left + 6.0, bottom - size.1, whole.left + 6.0 + size.0, bottom)
}

/// Whether no place and no lane is under the area.
fn is_free(land: &Land, lanes: &[Vec<Point>], area: &Box2) -> bool {
    let area = area.wider(3.0);
    let within = |point: &Point| Box2::at(*point, 0.0, 0.0).overlaps(&area);
    let is_crossed = lanes.iter().flatten().any(within);
    !is_crossed
        && land.places.iter().filter(|cell| cell.bounds.overlaps(&area)).all(|cell| {
            !cell.outline.iter().any(within)
                && !area.corners().into_iter().any(|corner| is_inside(&cell.outline, corner))
        })
}

/// Sets lines below one another; returns where the next would begin.
fn column_of(placed: &mut Placed, lines: Vec<Line>, at: Point, indent: f64) -> f64 {
    let mut top = at.y;
    for line in lines {
        set(placed, line, Point::new(at.x, top), indent, &mut top);
    }
    top
}

fn set(placed: &mut Placed, line: Line, at: Point, indent: f64, bottom: &mut f64) {
    let left = at.x + room(line.piece.as_ref(), indent, line.style);
    if let Some(piece) = line.piece {
        let wide = indent.max(piece.width);
        let corner = Point::new(at.x + (wide - piece.width) / 2.0, at.y + (line.height - piece.height) / 2.0);
        placed.pieces.push((piece, corner));
    }
    let base = at.y + line.height / 2.0 + line.style.size * 0.3;
    placed.texts.push((line.text, Point::new(left, base), line.style));
    *bottom = at.y + line.height;
}

/// Below a part of the map: the moment, and the marks one after the other.
pub fn below(scene: &Scene, frame: &Box2, kinds: &[&str]) -> Placed {
    let gap = scene.letter * 0.7;
    let small = Style::new(Face::Medium, scene.letter);
    let known = scene.panel.key.iter().filter(|(kind, _, _)| kinds.contains(kind));
    let key = known.map(|(_, piece, text)| line(Some(piece.clone()), text.clone(), small, 0.0));
    let style = Style::new(Face::Italic, scene.letter * 1.15);
    let heading = line(None, scene.panel.moment.clone(), style, 0.0);
    let mut placed = Placed { area: *frame, boxes: Vec::new(), texts: Vec::new(), pieces: Vec::new() };
    let (start, end) = (frame.left + gap, frame.right - gap);
    let mut at = Point::new(start, frame.bottom + gap);
    let mut bottom = at.y;
    set(&mut placed, heading, at, 0.0, &mut bottom);
    at.y = bottom + gap * 0.3;
    let mut rows: Vec<(f64, Vec<Line>)> = Vec::new();
    for line in key {
        let width = line.width + line.style.size * 1.4;
        match rows.last_mut().filter(|(used, _)| used + line.width <= end - start) {
            Some((used, row)) => {
                *used += width;
                row.push(line);
            }
            None => rows.push((width, vec![line])),
        }
    }
    for (_, row) in rows {
        let height = row.iter().map(|line| line.height).fold(0.0, f64::max);
        let mut left = start;
        for line in row {
            let next = left + line.width + line.style.size * 1.4;
            let top = at.y + (height - line.height) / 2.0;
            set(&mut placed, line, Point::new(left, top), 0.0, &mut bottom);
            left = next;
        }
        at.y += height;
    }
    placed.area = Box2::new(frame.left, frame.bottom, frame.right, (at.y + gap).round());
    placed
}

pub fn draw(scene: &Scene, placed: &Placed, pen: &mut Pen) {
    let thin = short(scene.letter * 0.1);
    let framed = placed.boxes.is_empty();
    let attributes = format!("fill=\"#fbf7ec\" stroke=\"{INK}\" stroke-width=\"{thin}\"");
    if framed {
        pen.rect(&placed.area, 0.0, "fill=\"#fbf7ec\"");
        let edge = Box2::new(placed.area.left, placed.area.top, placed.area.right, placed.area.top + 0.8);
        pen.rect(&edge, 0.0, &format!("fill=\"{INK}\""));
    } else {
        pen.rect(&placed.area, scene.letter * 0.5, &attributes);
        let inner = format!(
            "fill=\"none\" stroke=\"{INK}\" stroke-opacity=\".5\" stroke-width=\"{}\"",
            short(scene.letter * 0.05)
        );
        pen.rect(&placed.area.wider(-scene.letter * 0.3), scene.letter * 0.3, &inner);
    }
    for (piece, corner) in &placed.pieces {
        pen.placed(&piece.svg, *corner);
    }
    pen.group(&format!("fill=\"{INK}\""), |pen| {
        for (text, at, style) in &placed.texts {
            pen.text(*at, text, *style, "");
        }
    });
}

/// What the picture shows, in words.
pub fn sentence<'a>(scene: &Scene, around: impl Iterator<Item = &'a str>) -> String {
    let places: Vec<&str> = around.collect();
    let part = if places.is_empty() { String::new() } else { format!(" round {}", places.join(" and ")) };
    let lines: Vec<&str> = scene.panel.lines.iter().map(|(_, text)| text.as_str()).collect();
    format!("{}, {}: the map{part}. {}.", scene.panel.title, scene.panel.moment, lines.join(". "))
}
