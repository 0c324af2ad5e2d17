/*! The fonts of the pictures, shipped with the program, and how long a text is in them.

They are subsets with the characters of Latin-1 and some punctuation, without kerning, so that the length of a text is
the sum of its letters. A PNG is made with these fonts and no others; a browser that shows the SVG uses its own fonts,
and stretches every text to the length that it has here.
*/

use data_encoding::BASE64;
use resvg::usvg::fontdb::Database;
use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};
use std::sync::{Arc, LazyLock};

const MEDIUM: &[u8] = include_bytes!("fonts/map-medium.ttf");
const BOLD: &[u8] = include_bytes!("fonts/map-bold.ttf");
const ITALIC: &[u8] = include_bytes!("fonts/map-italic.ttf");

/// The families, as attributes of the element that holds all texts.
pub const FAMILY: &str = "font-family=\"Ringmail Map,Alegreya Sans,Noto Sans,DejaVu Sans,sans-serif\"";
/// The attributes of a text in italics.
pub const SERIF: &str = "font-family=\"Ringmail Map Serif,Alegreya,Georgia,serif\" font-style=\"italic\"";

/// A face of the lettering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    Medium,
    Bold,
    Italic,
}

/// Style sheet rules for a page that brings these fonts along: in other fonts its letters would be squeezed.
pub fn rules(faces: &[Face]) -> String {
    let rule = |face: &Face| {
        let (family, shape, data) = match face {
            Face::Medium => ("Ringmail Map", "font-weight: 500", MEDIUM),
            Face::Bold => ("Ringmail Map", "font-weight: 700", BOLD),
            Face::Italic => ("Ringmail Map Serif", "font-style: italic", ITALIC),
        };
        let data = BASE64.encode(data);
        format!("@font-face {{ font-family: \"{family}\"; {shape}; src: url(data:font/ttf;base64,{data}); }}\n")
    };
    faces.iter().map(rule).collect()
}

/// All fonts, for the program that makes a PNG.
pub static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    for data in [MEDIUM, BOLD, ITALIC] {
        fonts.load_font_data(data.to_vec());
    }
    Arc::new(fonts)
});

/// The advances of the letters below 256, in thousandths of the size; 0 for a letter that the font lacks.
static ADVANCES: LazyLock<[[u16; 256]; 3]> = LazyLock::new(|| [MEDIUM, BOLD, ITALIC].map(advances));

fn advances(data: &[u8]) -> [u16; 256] {
    let font = FontRef::new(data).expect("the font is whole");
    let metrics = font.glyph_metrics(Size::new(1000.0), LocationRef::default());
    let letters = font.charmap();
    let mut advances = [0; 256];
    for (letter, advance) in (0_u8..=255).zip(&mut advances) {
        let glyph = letters.map(char::from(letter));
        *advance = glyph.and_then(|glyph| metrics.advance_width(glyph)).map_or(0, |width| width.round() as u16);
    }
    advances
}

/// Whether the face has every letter of the text.
pub fn covers(face: Face, text: &str) -> bool {
    text.chars().all(|letter| advance(face, letter) > 0)
}

/// How long the text is at a size.
pub fn width(face: Face, size: f64, text: &str) -> f64 {
    text.chars().map(|letter| f64::from(advance(face, letter))).sum::<f64>() * size / 1000.0
}

fn advance(face: Face, letter: char) -> u16 {
    u8::try_from(letter).map_or(0, |letter| ADVANCES[face as usize][usize::from(letter)])
}
