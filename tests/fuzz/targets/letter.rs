#![no_main]

#[path = "../bodies/letter.rs"]
mod letter;

libfuzzer_sys::fuzz_target!(|data: &[u8]| letter::run(data));
