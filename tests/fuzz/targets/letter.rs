#![cfg_attr(feature = "linked", no_main)]

#[macro_use]
mod target;

#[path = "../bodies/letter.rs"]
mod letter;

// If the mail parser panics, the letter is read as a damaged one. So a panic must not end the run as libFuzzer would
// have it; only a panic that is not caught does.
target!(letter::run, init: std::panic::set_hook(Box::new(|panic| eprintln!("{panic}"))));
