#![no_main]

#[allow(dead_code, reason = "the seeds are for the smoke test")]
#[path = "../bodies/proof.rs"]
mod proof;

// A letter on which the mail parser stumbles is read as a damaged one: only a panic that comes through ends the run.
libfuzzer_sys::fuzz_target!(
    init: std::panic::set_hook(Box::new(|panic| eprintln!("{panic}"))),
    |data: &[u8]| proof::run(data)
);
