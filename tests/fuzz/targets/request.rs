#![no_main]

#[allow(dead_code, reason = "the seeds are for the smoke test")]
#[path = "../bodies/request.rs"]
mod request;

libfuzzer_sys::fuzz_target!(|data: &[u8]| request::run(data));
