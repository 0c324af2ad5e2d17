/*! Letters in: bytes to sentences. Run with `cargo bench --bench letters`. */

use divan::Bencher;
use divan::counter::BytesCount;
use ringmail::post::letter::Letter;
use ringmail::post::limits::Limits;
use ringmail::post::sentences;
use std::fs;
use std::path::Path;

fn main() {
    divan::main();
}

fn letter(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/letters").join(name)).expect("a letter of the corpus")
}

fn sentences(raw: &[u8]) -> usize {
    let letter = Letter::open(raw, &Limits::ORDINARY);
    let text = letter.text.expect("the letter has a text");
    sentences::read(&text, &Limits::ORDINARY).expect("the letter is within limits").said.len()
}

/// One letter of each kind, as a player sends it.
#[divan::bench(args = ["gmail-top-posted.eml", "outlook-windows-html-only.eml", "thunderbird-flowed.eml"])]
fn open_and_read(bencher: Bencher<'_, '_>, name: &str) {
    let raw = letter(name);
    bencher.counter(BytesCount::of_slice(&raw)).bench(|| sentences(divan::black_box(&raw)));
}

/// A long thread: one sentence above half a megabyte of quotations.
#[divan::bench]
fn long_thread(bencher: Bencher<'_, '_>) {
    let mut raw =
        b"From: frodo@shire.example\r\nTo: box@play.example\r\n\r\npass\r\n\r\nOn 20 Nov 2026, Ringmail wrote:\r\n"
            .to_vec();
    for _ in 0..8_000 {
        raw.extend_from_slice(b"> You may say: attack mordor from gondor with as many as you like\r\n");
    }
    bencher.counter(BytesCount::of_slice(&raw)).bench(|| sentences(divan::black_box(&raw)));
}
