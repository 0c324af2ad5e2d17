/*! The pen: SVG, written in a fixed form. Lengths have one decimal at most, so that rounding never shows. */

use crate::picture::lettering::{self, Style};
use crate::picture::plane::{Box2, Point};
use std::fmt::Write;

/// An SVG fragment being written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pen {
    text: String,
}

impl Pen {
    pub fn new() -> Pen {
        Pen::default()
    }

    pub fn done(self) -> String {
        self.text
    }

    /// Writes what is SVG already.
    pub fn raw(&mut self, svg: &str) -> &mut Pen {
        self.text.push_str(svg);
        self
    }

    /// A group with these attributes.
    pub fn group(&mut self, attributes: &str, inside: impl FnOnce(&mut Pen)) -> &mut Pen {
        let _ = write!(self.text, "<g {attributes}>");
        inside(self);
        self.raw("</g>\n")
    }

    /// A path with these attributes.
    pub fn path(&mut self, data: &str, attributes: &str) -> &mut Pen {
        let _ = write!(self.text, "<path {attributes} d=\"{data}\"/>");
        self
    }

    pub fn rect(&mut self, area: &Box2, rounded: f64, attributes: &str) -> &mut Pen {
        let (x, y, width, height) = (short(area.left), short(area.top), short(area.width()), short(area.height()));
        let _ = write!(self.text, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"");
        if rounded > 0.0 {
            let _ = write!(self.text, " rx=\"{}\"", short(rounded));
        }
        let _ = write!(self.text, " {attributes}/>");
        self
    }

    pub fn circle(&mut self, centre: Point, radius: f64, attributes: &str) -> &mut Pen {
        let (x, y, radius) = (short(centre.x), short(centre.y), short(radius));
        let _ = write!(self.text, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {attributes}/>");
        self
    }

    /// A fragment drawn elsewhere.
    pub fn placed(&mut self, svg: &str, at: Point) -> &mut Pen {
        let _ = write!(self.text, "<g transform=\"translate({} {})\">{svg}</g>", short(at.x), short(at.y));
        self
    }

    /// A line of text whose base line begins at a point. Programs that read it aloud or search it find its label.
    pub fn text(&mut self, at: Point, text: &str, style: Style, attributes: &str) -> &mut Pen {
        let (x, y, label) = (short(at.x), short(at.y), escaped(text));
        let space = if attributes.is_empty() { "" } else { " " };
        let scale = thousandth(style.size);
        let _ = write!(self.text, "<g aria-label=\"{label}\" transform=\"translate({x} {y})scale({scale})\"");
        let _ = write!(self.text, "{space}{attributes}>");
        self.raw(&lettering::references(style.face, text)).raw("</g>")
    }

    /// A line of text whose base line has its middle at a point.
    pub fn centred(&mut self, middle: Point, text: &str, style: Style, attributes: &str) -> &mut Pen {
        self.text(middle - Point::new(style.width(text) / 2.0, 0.0), text, style, attributes)
    }
}

/// A thousandth of a size of letters, which has at most two decimals.
fn thousandth(size: f64) -> String {
    let digits = format!("{:05}", (size * 100.0).round() as i64);
    format!(".{}", digits.trim_end_matches('0'))
}

/// A number with at most one decimal.
pub fn short(value: f64) -> String {
    let tenths = (value * 10.0).round() as i64;
    let mut text = String::new();
    put_tenths(&mut text, tenths);
    text
}

fn put_tenths(text: &mut String, tenths: i64) {
    let (whole, part, sign) = (tenths.abs() / 10, tenths.abs() % 10, if tenths < 0 { "-" } else { "" });
    let _ = match (whole, part) {
        (whole, 0) => write!(text, "{sign}{whole}", sign = if whole == 0 { "" } else { sign }),
        (0, part) => write!(text, "{sign}.{part}"),
        (whole, part) => write!(text, "{sign}{whole}.{part}"),
    };
}

/// The data of a path along the points: the first as it is, the others as the way from the one before.
pub fn line(points: &[Point]) -> String {
    let mut data = String::with_capacity(points.len() * 8);
    let tenths = |value: f64| (value * 10.0).round() as i64;
    let mut at = (0, 0);
    for (index, point) in points.iter().enumerate() {
        let next = (tenths(point.x), tenths(point.y));
        let (x, y) = if index == 0 { next } else { (next.0 - at.0, next.1 - at.1) };
        if index == 0 {
            data.push('M');
        } else if index == 1 {
            data.push('l');
        } else if (x, y) == (0, 0) {
            continue;
        } else if x >= 0 {
            data.push(' ');
        }
        put_tenths(&mut data, x);
        if y >= 0 {
            data.push(' ');
        }
        put_tenths(&mut data, y);
        at = next;
    }
    data
}

/// The data of a closed path along the points.
pub fn area(points: &[Point]) -> String {
    let mut data = line(points);
    data.push('z');
    data
}

/// Text as it is written in XML and in pages, in elements and in attributes.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            _ => safe.push(letter),
        }
    }
    safe
}
