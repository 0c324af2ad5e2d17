/*! Pictures as PNG: drawn by resvg, and written with few colours, so that a letter stays
small. */

use crate::picture::Picture;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// How many colours a PNG has at most.
const COLOURS: usize = 128;
/// Colours are counted by their upper five bits of red, green and blue.
const BINS: usize = 1 << 15;

/// The picture as a PNG.
pub fn png(picture: &Picture) -> Vec<u8> {
    let pixmap = pixels(picture);
    let (palette, indices) = few_colours(&pixmap);
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, pixmap.width(), pixmap.height());
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette);
    // The next level takes twice the time and saves a fiftieth of the bytes.
    encoder.set_deflate_compression(png::DeflateCompression::Level(4));
    // Filters do not help: neighbouring numbers of colours need not be similar.
    encoder.set_filter(png::Filter::NoFilter);
    let mut writer = encoder.write_header().expect("a picture in memory can be written");
    writer.write_image_data(&indices).expect("a picture in memory can be written");
    writer.finish().expect("a picture in memory can be written");
    bytes
}

fn pixels(picture: &Picture) -> Pixmap {
    let tree = Tree::from_str(&picture.svg, &Options::default()).expect("the SVG is sound");
    let mut pixmap = Pixmap::new(picture.width, picture.height).expect("a picture has a size");
    resvg::render(&tree, Transform::identity(), &mut pixmap.as_mut());
    pixmap
}

/// The colours of one bin: how many pixels there are, and the sums of their red, green and blue.
#[derive(Clone, Copy, Default)]
struct Bin {
    pixels: u64,
    sums: [u64; 3],
}

fn bin([red, green, blue]: [u8; 3]) -> usize {
    usize::from(red >> 3) << 10 | usize::from(green >> 3) << 5 | usize::from(blue >> 3)
}

/// A palette for the picture, and for each pixel its place in it. Groups of the colours that occur are cut at the
/// median of their widest part, until there are enough.
fn few_colours(pixmap: &Pixmap) -> (Vec<u8>, Vec<u8>) {
    let runs = runs(pixmap.data());
    let mut bins = vec![Bin::default(); BINS];
    for (colour, pixels) in &runs {
        let bin = &mut bins[bin(*colour)];
        bin.pixels += pixels;
        bin.sums = [0, 1, 2].map(|part| bin.sums[part] + pixels * u64::from(colour[part]));
    }
    let mut groups: Vec<Vec<usize>> = vec![(0..BINS).filter(|bin| bins[*bin].pixels > 0).collect()];
    while groups.len() < COLOURS {
        let widest = groups.iter().enumerate().filter(|(_, group)| group.len() > 1);
        let Some((index, _)) = widest.max_by_key(|(index, group)| (weight(&bins, group), usize::MAX - index)) else {
            break;
        };
        let (low, high) = cut(&bins, groups.swap_remove(index));
        groups.extend([low, high]);
    }
    let mut palette = Vec::new();
    let mut places = vec![0_u8; BINS];
    for (place, group) in groups.iter().enumerate() {
        let whole = group.iter().fold(Bin::default(), |sum, bin| Bin {
            pixels: sum.pixels + bins[*bin].pixels,
            sums: [0, 1, 2].map(|part| sum.sums[part] + bins[*bin].sums[part]),
        });
        palette.extend(whole.sums.map(|sum| ((sum + whole.pixels / 2) / whole.pixels.max(1)) as u8));
        for bin in group {
            places[*bin] = place as u8;
        }
    }
    let mut indices = Vec::with_capacity(pixmap.data().len() / 4);
    for (colour, pixels) in runs {
        indices.resize(indices.len() + pixels as usize, places[bin(colour)]);
    }
    (palette, indices)
}

/// The pixels from left to right and top to bottom: each colour, and how many pixels in a row have it. The ground of a
/// picture covers all of it: no pixel is transparent.
fn runs(data: &[u8]) -> Vec<([u8; 3], u64)> {
    let mut runs: Vec<([u8; 3], u64)> = Vec::new();
    let mut begin = 0;
    while begin < data.len() {
        let (red, green, blue) = (data[begin], data[begin + 1], data[begin + 2]);
        let mut end = begin + 4;
        while end < data.len() && data[end] == red && data[end + 1] == green && data[end + 2] == blue {
            end += 4;
        }
        runs.push(([red, green, blue], ((end - begin) / 4) as u64));
        begin = end;
    }
    runs
}

/// The red, green and blue of a bin.
fn parts(bin: usize) -> [usize; 3] {
    [bin >> 10, bin >> 5 & 31, bin & 31]
}

/// How wide a group is in each part of its colours.
fn spread(group: &[usize]) -> [usize; 3] {
    [0, 1, 2].map(|part| {
        let values = || group.iter().map(|bin| parts(*bin)[part]);
        values().max().unwrap_or(0) - values().min().unwrap_or(0)
    })
}

/// What a group would gain by a cut: the wider it is, and the more pixels it has.
fn weight(bins: &[Bin], group: &[usize]) -> u64 {
    let pixels: u64 = group.iter().map(|bin| bins[*bin].pixels).sum();
    let widest = spread(group).into_iter().max().unwrap_or(0) as u64;
    widest * widest * pixels.isqrt()
}

/// Cuts a group at the median of its widest part.
fn cut(bins: &[Bin], mut group: Vec<usize>) -> (Vec<usize>, Vec<usize>) {
    let spread = spread(&group);
    let widest = (0..3).max_by_key(|part| (spread[*part], 3 - part)).unwrap_or(0);
    group.sort_unstable_by_key(|bin| (parts(*bin)[widest], *bin));
    let half = group.iter().map(|bin| bins[*bin].pixels).sum::<u64>() / 2;
    let mut counted = 0;
    let cut = group.iter().position(|bin| {
        counted += bins[*bin].pixels;
        counted > half
    });
    let high = group.split_off(cut.unwrap_or(1).clamp(1, group.len() - 1));
    (group, high)
}
