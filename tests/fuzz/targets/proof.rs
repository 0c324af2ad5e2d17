#![cfg_attr(feature = "linked", no_main)]

#[macro_use]
mod target;

#[allow(dead_code, reason = "the seeds are for the smoke test")]
#[path = "../bodies/proof.rs"]
mod proof;

// If the mail parser panics, the letter is read as a damaged one: only a panic that is not caught ends the run.
target!(proof::run, init: std::panic::set_hook(Box::new(|panic| eprintln!("{panic}"))));
