#![no_main]

#[allow(dead_code, reason = "the seeds are for the smoke test")]
#[path = "../bodies/config.rs"]
mod config;

libfuzzer_sys::fuzz_target!(|data: &[u8]| config::run(data));
