#![no_main]

#[allow(dead_code, reason = "the seeds are for the smoke test")]
#[path = "../bodies/adopt.rs"]
mod adopt;

libfuzzer_sys::fuzz_target!(|data: &[u8]| adopt::run(data));
