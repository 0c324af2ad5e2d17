/*! The fuzz targets of `tests/fuzz`, without a fuzzer: each runs on its seeds, and on randomly altered seeds, in the
same way in every run. Whatever the bytes, nothing panics, and every promise holds.

`RINGMAIL_CORPUS=tests/fuzz/corpus` writes the seeds there, as the initial corpus for cargo-fuzz.
`RINGMAIL_FUZZ=7x100000` alters 100,000 inputs, from another random seed: for a machine without a fuzzer.
*/

#[path = "fuzz/bodies/adopt.rs"]
mod adopt;
#[path = "fuzz/bodies/config.rs"]
mod config;
#[path = "fuzz/bodies/letter.rs"]
mod letter;
#[path = "fuzz/bodies/log.rs"]
mod log;
#[path = "fuzz/bodies/proof.rs"]
mod proof;
#[path = "fuzz/bodies/request.rs"]
mod request;
#[path = "fuzz/bodies/sentence.rs"]
mod sentence;
#[path = "fuzz/bodies/wire.rs"]
mod wire;

use crate::amount::amount;
use engine::chance::{Chance, Practice};
use std::fs;
use std::path::{Path, PathBuf};

/// The most alterations of one input.
const BENDS_MAX: u32 = 5;

/// The greatest length of a piece that is cut out, moved or doubled.
const PIECE_MAX: usize = 200;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every file of a folder with this extension, sorted by name.
fn files(folder: &Path, ending: &str) -> Vec<Vec<u8>> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == ending));
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// The words of a dictionary as libFuzzer writes them: one a line, in quotation marks, odd bytes as `\xAB`.
fn dictionary(target: &str) -> Vec<Vec<u8>> {
    let text = fs::read_to_string(root().join(format!("tests/fuzz/dictionaries/{target}.dict"))).unwrap();
    text.lines().filter(|line| !line.starts_with('#')).map(word).collect()
}

fn word(line: &str) -> Vec<u8> {
    let inner = line.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap();
    let mut word = Vec::new();
    let mut bytes = inner.bytes();
    while let Some(byte) = bytes.next() {
        let meant = match byte {
            b'\\' => match bytes.next().unwrap() {
                b'x' => {
                    let digits = [bytes.next().unwrap(), bytes.next().unwrap()];
                    u8::from_str_radix(str::from_utf8(&digits).unwrap(), 16).unwrap()
                }
                other => other,
            },
            plain => plain,
        };
        word.push(meant);
    }
    word
}

/// What altered inputs are made of: seeds, words and chance.
struct Bender<'s> {
    seeds: &'s [Vec<u8>],
    words: Vec<Vec<u8>>,
    chance: Practice,
}

impl Bender<'_> {
    fn below(&mut self, bound: usize) -> usize {
        self.chance.below(u32::try_from(bound.max(1)).unwrap()) as usize
    }

    fn seed(&mut self) -> usize {
        self.below(self.seeds.len())
    }

    /// A seed, altered at a few places.
    fn bent(&mut self) -> Vec<u8> {
        let seed = self.seed();
        let mut bytes = self.seeds[seed].clone();
        for _ in 0..=self.chance.below(BENDS_MAX) {
            self.bend(&mut bytes);
        }
        bytes
    }

    fn bend(&mut self, bytes: &mut Vec<u8>) {
        let at = self.below(bytes.len() + 1);
        let end = (at + self.below(PIECE_MAX)).min(bytes.len());
        match self.below(8) {
            0 if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
            1 if at < bytes.len() => bytes[at] = u8::try_from(self.below(256)).unwrap(),
            2 => bytes.truncate(at),
            3 => {
                bytes.drain(at..end);
            }
            4 => {
                let again = bytes[at..end].to_vec();
                bytes.splice(at..at, again);
            }
            5 => {
                let donor = self.seed();
                let from = self.below(self.seeds[donor].len());
                let to = (from + self.below(PIECE_MAX)).min(self.seeds[donor].len());
                bytes.splice(at..end, self.seeds[donor][from..to].iter().copied());
            }
            _ => {
                let word = self.below(self.words.len());
                bytes.splice(at..at, self.words[word].iter().copied());
            }
        }
    }
}

/// Runs a target on its seeds, and on `runs` altered ones.
fn smoke(target: &str, seeds: &[Vec<u8>], runs: u32, run: fn(&[u8])) {
    if let Some(corpus) = std::env::var_os("RINGMAIL_CORPUS") {
        let folder = root().join(corpus).join(target);
        fs::create_dir_all(&folder).unwrap();
        for (number, seed) in seeds.iter().enumerate() {
            fs::write(folder.join(format!("seed-{number}")), seed).unwrap();
        }
    }
    seeds.iter().for_each(|seed| run(seed));
    let asked = std::env::var("RINGMAIL_FUZZ").ok();
    let asked = asked.as_deref().and_then(|asked| asked.split_once('x'));
    let (chance, runs) =
        asked.map_or((0x5eed, runs), |(chance, runs)| (chance.parse().unwrap(), runs.parse().unwrap()));
    let mut bender = Bender { seeds, words: dictionary(target), chance: Practice::new(chance) };
    for _ in 0..runs {
        let bytes = bender.bent();
        let outcome = std::panic::catch_unwind(|| run(&bytes));
        assert!(outcome.is_ok(), "{target} stumbles over {:?}", String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn any_bytes_are_a_letter() {
    let letters = files(&root().join("tests/letters"), "eml");
    assert!(letters.len() >= 100);
    smoke("letter", &letters, amount(3_000, 30_000), letter::run);
}

#[test]
fn any_line_is_a_sentence() {
    smoke("sentence", &sentence::seeds(), amount(3_000, 30_000), sentence::run);
}

#[test]
fn any_line_is_a_request() {
    smoke("request", &request::seeds(), amount(3_000, 30_000), request::run);
}

#[test]
fn any_bytes_come_over_a_line() {
    smoke("wire", &wire::seeds(), amount(1_000, 10_000), wire::run);
}

#[test]
fn any_bytes_prove_something() {
    let letters = files(&root().join("tests/dkim"), "eml");
    assert!(letters.len() >= 10);
    smoke("proof", &proof::seeds(letters), amount(1_500, 15_000), proof::run);
}

#[test]
fn any_mail_rebuilds_a_game() {
    smoke("adopt", &adopt::seeds(), amount(250, 6_000), adopt::run);
}

#[test]
fn any_bytes_are_a_configuration() {
    smoke("config", &config::seeds(), amount(700, 6_000), config::run);
}

#[test]
fn any_bytes_are_a_log() {
    smoke("log", &log::seeds(), amount(700, 6_000), log::run);
}
