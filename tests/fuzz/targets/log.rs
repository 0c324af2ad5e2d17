#![no_main]

#[allow(dead_code, reason = "the seeds are for the smoke test")]
#[path = "../bodies/log.rs"]
mod log;

libfuzzer_sys::fuzz_target!(|data: &[u8]| log::run(data));
