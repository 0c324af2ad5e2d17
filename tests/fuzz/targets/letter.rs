#![no_main]

#[path = "../bodies/letter.rs"]
mod letter;

// A letter on which the mail parser stumbles is read as a damaged one, so not every panic ends the run, as libFuzzer
// would have it: only one that comes through does.
libfuzzer_sys::fuzz_target!(
    init: std::panic::set_hook(Box::new(|panic| eprintln!("{panic}"))),
    |data: &[u8]| letter::run(data)
);
