#![no_main]

#[path = "../bodies/log.rs"]
mod log;

libfuzzer_sys::fuzz_target!(|data: &[u8]| log::run(data));
