#![no_main]

#[allow(dead_code, reason = "the seeds are for the smoke test")]
#[path = "../bodies/wire.rs"]
mod wire;

libfuzzer_sys::fuzz_target!(|data: &[u8]| wire::run(data));
