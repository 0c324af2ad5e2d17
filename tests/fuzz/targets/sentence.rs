#![no_main]

#[path = "../bodies/sentence.rs"]
mod sentence;

libfuzzer_sys::fuzz_target!(|data: &[u8]| sentence::run(data));
