#![cfg_attr(feature = "linked", no_main)]

#[macro_use]
mod target;

#[allow(dead_code, reason = "the seeds are for the smoke test")]
#[path = "../bodies/adopt.rs"]
mod adopt;

target!(adopt::run);
