/*! Letters in: bytes to sentences; letters out: over SMTP to a server on the loopback address.
Run with `cargo bench --bench letters`. */

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use ringmail::post::carrier::{Carrier, Cover};
use ringmail::post::letter::Letter;
use ringmail::post::limits::Limits;
use ringmail::post::sentences;
use ringmail::post::smtp::{Protection, Server, Smtp};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
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

/// A server that takes everything: it answers every line but those of letters.
fn sink() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut out = stream.try_clone().expect("a second handle");
            out.write_all(b"220 sink\r\n").expect("a client");
            let mut in_letter = false;
            for line in BufReader::new(stream).lines().map_while(Result::ok) {
                let reply: &[u8] = match (in_letter, line.as_str()) {
                    (true, ".") => b"250 ok\r\n",
                    (true, _) => continue,
                    (false, "DATA") => b"354 go on\r\n",
                    (false, _) => b"250 ok\r\n",
                };
                in_letter = line == "DATA" || (in_letter && line != ".");
                if out.write_all(reply).is_err() {
                    break;
                }
            }
        }
    });
    port
}

/// A hundred letters of 4 KiB over one connection.
#[divan::bench]
fn hundred_letters_over_smtp(bencher: Bencher<'_, '_>) {
    let server = Server {
        host: "127.0.0.1".to_owned(),
        port: sink(),
        protection: Protection::None,
        login: None,
        trusted: None,
        hello: "play.example".to_owned(),
    };
    let mut letter = b"From: <box@play.example>\r\nTo: <frodo@shire.example>\r\n\r\n".to_vec();
    letter.extend_from_slice(&b"The Dark Lord waits.\r\n".repeat(190));
    let cover = Cover::of(&letter).expect("a letter of ours");
    let mut smtp = Smtp::new(server);
    bencher.counter(ItemsCount::new(100_usize)).bench_local(|| {
        for _ in 0..100 {
            smtp.carry("letter", &cover, &letter).expect("the sink takes everything");
        }
    });
}
