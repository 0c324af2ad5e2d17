//! Pictures of the map: the whole and a part of it, as SVG and as PNG, in the middle of a war; and letters with and
//! without them.
//! Run with `cargo bench --bench pictures`.

use divan::{Bencher, black_box};
use record::file::reading::read_through;
use record::file::stream::Records;
use report::from_log;
use report::html::{Form, Look, Pictures};
use report::letter::{Letter, looking};
use report::map::{atlas, picture};
use report::occasion::Occasion;
use report::picture::Atlas;
use report::picture::png::png;
use ringmail::titles;
use serde_json::Value;
use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;

fn main() {
    divan::main();
}

/// A sample game of each title: an entry in its middle, an earlier one, and places where something happens.
const GAMES: [(&str, &str, u64, u64, &[&str]); 2] = [
    ("wotr", "the-black-gate-opens", 320, 300, &["helms-deep"]),
    ("risk", "four-hobbits", 450, 430, &["moria", "eregion"]),
];

/// The map of a title, the view at an entry, and the view at the earlier one.
struct Moment {
    atlas: &'static Atlas,
    view: Value,
    before: Value,
    around: Vec<usize>,
    /// For the seat that is asked.
    occasion: Occasion,
}

fn moment(title: &str) -> Moment {
    let (_, game, at, since, around) = GAMES.into_iter().find(|(id, ..)| *id == title).expect("a title");
    let log = Path::new(env!("CARGO_MANIFEST_DIR")).join("games").join(game).join("log.yaml");
    let file = File::open(log).expect("a sample game");
    let mut before = Value::Null;
    let fold = read_through(Records::new(file), titles::ALL, None, |step| {
        if step.entry.seq == since {
            before = from_log::look(step.fold, None).view;
        }
        if step.entry.seq == at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .expect("a sample game verifies");
    let atlas = atlas(titles::ALL.by_id(title).expect("a title")).expect("the title has a map");
    let around = around.iter().map(|id| atlas.chart.place(id).expect("a place")).collect();
    let occasion = from_log::look(&fold, fold.asked().map(|question| question.seat));
    Moment { atlas, view: from_log::look(&fold, None).view, before, around, occasion }
}

const TITLES: [&str; 2] = ["wotr", "risk"];

/// The outlines of all places and their terrain: computed once in a run of the program.
#[divan::bench(args = TITLES)]
fn land(bencher: Bencher<'_, '_>, title: &str) {
    let chart = atlas(titles::ALL.by_id(title).expect("a title")).expect("the title has a map").chart;
    bencher.bench(|| Atlas::of(black_box(title), chart));
}

#[divan::bench(args = TITLES)]
fn svg_of_the_whole_map(bencher: Bencher<'_, '_>, title: &str) {
    let Moment { atlas, view, before, .. } = moment(title);
    bencher.bench(|| picture(atlas, black_box(&view), Some(&before), &[], None));
}

#[divan::bench(args = TITLES)]
fn svg_of_a_part(bencher: Bencher<'_, '_>, title: &str) {
    let Moment { atlas, view, before, around, .. } = moment(title);
    bencher.bench(|| picture(atlas, black_box(&view), Some(&before), &around, None));
}

#[divan::bench(args = TITLES)]
fn png_of_the_whole_map(bencher: Bencher<'_, '_>, title: &str) {
    let Moment { atlas, view, before, .. } = moment(title);
    let drawn = picture(atlas, &view, Some(&before), &[], None);
    bencher.bench(|| png(black_box(&drawn)));
}

#[divan::bench(args = TITLES)]
fn png_of_a_part(bencher: Bencher<'_, '_>, title: &str) {
    let Moment { atlas, view, before, around, .. } = moment(title);
    let drawn = picture(atlas, &view, Some(&before), &around, None);
    bencher.bench(|| png(black_box(&drawn)));
}

/// The letter of a moment in this look, including the bytes of its pictures.
fn letter_of(title: &str, look: Look) -> impl Fn() -> (Letter, Option<String>, Vec<Vec<u8>>) {
    let occasion = moment(title).occasion;
    move || {
        let letter = looking(black_box(&occasion), "box+g1.free.abcdefghij@play.example", look, None);
        let document = letter.html.as_ref().map(|html| html.document());
        let pictures = letter.pictures.iter().map(|enclosed| png(&enclosed.picture)).collect();
        (letter, document, pictures)
    }
}

#[divan::bench(args = TITLES)]
fn letter_of_text(bencher: Bencher<'_, '_>, title: &str) {
    bencher.bench(letter_of(title, Look { form: Form::Text, pictures: Pictures::On }));
}

#[divan::bench(args = TITLES)]
fn letter_as_a_page(bencher: Bencher<'_, '_>, title: &str) {
    bencher.bench(letter_of(title, Look { form: Form::Html, pictures: Pictures::Off }));
}

#[divan::bench(args = TITLES)]
fn letter_with_its_picture(bencher: Bencher<'_, '_>, title: &str) {
    bencher.bench(letter_of(title, Look { form: Form::Html, pictures: Pictures::On }));
}
