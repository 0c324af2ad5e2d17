/*! How the page of a game looks at three widths, compared with kept pictures.

The pictures have a third of the page's width and height, each pixel the mean of nine, so that another smoothing of
letters makes little difference; and its words are set in a font of these tests, whatever others are installed.
`RINGMAIL_BLESS=1 cargo test --test program page_browser` writes them anew.
*/

use crate::browsers::Browser;
use crate::page::{SHORT, page_of};
use data_encoding::BASE64;
use resvg::tiny_skia::{Pixmap, PremultipliedColorU8};
use std::fs;
use std::path::{Path, PathBuf};

const HEIGHT: u32 = 900;
/// The pixels of the page in each direction for one pixel of the picture.
const PART: u32 = 3;
/// The greatest difference between two pictures of the same page: on average (of 255), and in the percentage of
/// pixels that differ strongly.
const MEAN_MAX: f64 = 6.0;
const POINTS_MAX: f64 = 6.0;
/// The difference (of 255) from which a pixel differs strongly.
const MUCH: u8 = 48;

/// The font of the words, by weight.
const FONT: [(u32, &[u8]); 2] =
    [(500, include_bytes!("pages/map-medium.ttf")), (700, include_bytes!("pages/map-bold.ttf"))];

/// A script that sets the words of a page in the font of these tests.
fn words_set() -> String {
    let load = |(weight, bytes): (u32, &[u8])| {
        let data = BASE64.encode(bytes);
        format!(
            "const font{weight} = new FontFace('Kept', Uint8Array.from(atob('{data}'), (one) => one.charCodeAt(0)),
               {{ weight: '{weight}' }});
             document.fonts.add(await font{weight}.load());"
        )
    };
    FONT.map(load).concat() + "document.body.style.fontFamily = 'Kept';"
}

/// The page without movement.
const SETTLED: &str = "await document.fonts.ready;
    document.activeElement?.blur();
    scrollTo(0, 0);
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));";

/// How two pictures differ.
#[derive(Debug, Default)]
struct Difference {
    /// On average (of 255).
    mean: f64,
    /// The percentage of pixels that differ strongly.
    points: f64,
}

impl Difference {
    fn of(one: &Pixmap, other: &Pixmap) -> Difference {
        assert_eq!((one.width(), one.height()), (other.width(), other.height()), "pictures of the same size");
        let (mut sum, mut many) = (0_u64, 0_u64);
        for (one, other) in one.pixels().iter().zip(other.pixels()) {
            let by = [
                one.red().abs_diff(other.red()),
                one.green().abs_diff(other.green()),
                one.blue().abs_diff(other.blue()),
            ];
            sum += by.iter().map(|by| u64::from(*by)).sum::<u64>();
            many += u64::from(by.iter().any(|by| *by > MUCH));
        }
        let count = one.pixels().len() as f64;
        Difference { mean: sum as f64 / count / 3.0, points: many as f64 * 100.0 / count }
    }

    fn is_small(&self) -> bool {
        self.mean <= MEAN_MAX && self.points <= POINTS_MAX
    }
}

/// A picture in which every pixel is the mean of a square.
fn reduced(png: &[u8]) -> Pixmap {
    let whole = Pixmap::decode_png(png).unwrap();
    let mut small = Pixmap::new(whole.width() / PART, whole.height() / PART).unwrap();
    let width = small.width();
    for (place, point) in small.pixels_mut().iter_mut().enumerate() {
        let (x, y) = (place as u32 % width * PART, place as u32 / width * PART);
        let square = (0..PART * PART).map(|part| whole.pixel(x + part % PART, y + part / PART).unwrap());
        let mut sum = [0_u32; 3];
        for one in square {
            let colours = [one.red(), one.green(), one.blue()];
            sum.iter_mut().zip(colours).for_each(|(sum, colour)| *sum += u32::from(colour));
        }
        let [red, green, blue] = sum.map(|sum| u8::try_from(sum / (PART * PART)).unwrap());
        *point = PremultipliedColorU8::from_rgba(red, green, blue, 255).unwrap();
    }
    small
}

fn kept(name: &str, width: u32) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages").join(format!("{name}-{width}.png"))
}

/// The page looks like the kept pictures, even with another smoothing of letters; but not without its map.
pub fn the_page_looks_as_kept(browser: &mut dyn Browser, folder: &Path) {
    let file = folder.join("game.html");
    for name in SHORT {
        fs::write(&file, page_of(name)).unwrap();
        // The pictures are from one browser. The other breaks some lines elsewhere, but not at this width.
        let widths: &[u32] = if browser.is_first() { &[390, 800, 1280] } else { &[800] };
        for width in widths.iter().copied() {
            browser.resize(width, HEIGHT);
            browser.open(&file, "#120");
            browser.run(&(words_set() + SETTLED));
            let now = reduced(&browser.shown());
            let kept = kept(name, width);
            if browser.is_first() && std::env::var_os("RINGMAIL_BLESS").is_some() {
                fs::write(&kept, now.encode_png().unwrap()).unwrap();
            }
            let before = Pixmap::load_png(&kept).unwrap_or_else(|error| panic!("{}: {error}", kept.display()));
            let difference = Difference::of(&now, &before);
            if !difference.is_small() {
                let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(kept.file_name().unwrap());
                fs::write(&file, now.encode_png().unwrap()).unwrap();
                panic!("{} looks otherwise than {}: {difference:?}", file.display(), kept.display());
            }
            if width == 800 {
                browser.run("document.body.style.transform = 'translate(.4px, .4px)'");
                let smoothed = Difference::of(&reduced(&browser.shown()), &before);
                assert!(smoothed.mean > 0.0 && smoothed.is_small(), "{name}: {smoothed:?}");
            }
            browser.run("document.querySelector('#map').replaceChildren()");
            let bare = Difference::of(&reduced(&browser.shown()), &before);
            assert!(!bare.is_small(), "{name}, {width} wide, without its map: {bare:?}");
        }
    }
}
