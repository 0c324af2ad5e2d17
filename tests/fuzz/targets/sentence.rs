#![no_main]

#[allow(dead_code, reason = "the seeds are for the smoke test")]
#[path = "../bodies/sentence.rs"]
mod sentence;

libfuzzer_sys::fuzz_target!(|data: &[u8]| sentence::run(data));
