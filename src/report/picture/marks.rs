/*! The marks of both titles: outlines, signs, and words in a box. */

use crate::picture::lettering::{Face, Style};
use crate::picture::pen::{self, Pen, short};
use crate::picture::plane::{Box2, Point};
use crate::picture::scene::Piece;

pub const INK: &str = "#2c241b";
/// An attack.
pub const ATTACK: &str = "#3b1010";
/// What has changed since the reader was last told.
const NEW: &str = "#ffd23f";

/// A closed line through points given as x and y.
pub fn shape(points: &[(f64, f64)]) -> String {
    pen::area(&points.iter().map(|(x, y)| Point::new(*x, *y)).collect::<Vec<_>>())
}

/// The piece with a bright rim: it is new.
pub fn renewed(piece: Piece) -> Piece {
    let rim = 2.2;
    let mut pen = Pen::new();
    let area = Box2::new(0.4, 0.4, piece.width + 2.0 * rim - 0.4, piece.height + 2.0 * rim - 0.4);
    pen.rect(&area, 3.2, &format!("fill=\"{NEW}\" stroke=\"{INK}\" stroke-width=\".7\""));
    pen.placed(&piece.svg, Point::new(rim, rim));
    Piece::new(piece.width + 2.0 * rim, piece.height + 2.0 * rim, pen.done()).as_kind(&piece).of_kind("new")
}

/// Words as a label.
pub fn words(text: &str, style: Style, colour: &str) -> Piece {
    let mut pen = Pen::new();
    pen.text(Point::new(0.0, style.size * 0.76), text, style, &format!("fill=\"{colour}\""));
    Piece::new(style.width(text), style.size, pen.done())
}

/// The ring of the Ring-bearers round `centre`.
pub fn ring(centre: Point, radius: f64, inside: &str, pen: &mut Pen) {
    let gold = short(radius * 0.42);
    pen.circle(
        centre,
        radius,
        &format!("fill=\"{inside}\" stroke=\"{INK}\" stroke-width=\"{}\"", short(radius * 0.62)),
    );
    pen.circle(centre, radius, &format!("fill=\"none\" stroke=\"#f2c12e\" stroke-width=\"{gold}\""));
}

/// A star with five points round `centre`.
pub fn star(centre: Point, radius: f64) -> String {
    const POINTS: [(f64, f64); 10] = [
        (0.0, -1.0),
        (0.235, -0.324),
        (0.951, -0.309),
        (0.38, 0.124),
        (0.588, 0.809),
        (0.0, 0.4),
        (-0.588, 0.809),
        (-0.38, 0.124),
        (-0.951, -0.309),
        (-0.235, -0.324),
    ];
    shape(&POINTS.map(|(x, y)| (centre.x + x * radius, centre.y + y * radius)))
}

/// A field in two colours with a word on it: what a place belongs to.
pub fn field(word: &str, upper: &str, lower: &str, size: f64) -> Piece {
    let (width, height) = (size * 1.75, size * 1.12);
    let mut pen = Pen::new();
    let edge = format!("stroke=\"{INK}\" stroke-width=\"{}\"", short(size * 0.07));
    pen.rect(&Box2::new(0.4, 0.4, width - 0.4, height * 0.76), 0.0, &format!("fill=\"{upper}\" {edge}"));
    pen.rect(&Box2::new(0.4, height * 0.76, width - 0.4, height - 0.4), 0.0, &format!("fill=\"{lower}\" {edge}"));
    let letters = Style::new(Face::Bold, size * 0.72);
    pen.centred(Point::new(width / 2.0, height * 0.62), word, letters, &format!("fill=\"{INK}\""));
    Piece::new(width, height, pen.done())
}

/// The arrow of an attack, for the key.
pub fn arrow(scale: f64) -> Piece {
    let outline = [(1.0, 3.4), (9.0, 3.0), (9.0, 0.6), (16.0, 4.5), (9.0, 8.4), (9.0, 6.0), (1.0, 5.6)];
    let mut pen = Pen::new();
    pen.path(&shape(&outline.map(|(x, y)| (x * scale, y * scale))), &format!("fill=\"{ATTACK}\""));
    Piece::new(17.0 * scale, 9.0 * scale, pen.done())
}
