/*! Real browsers that a test controls: Chromium over two pipes, Firefox over its own Marionette.

Both open a page from disk, run a script in it, press keys, and report complaints. If one is missing, the test is
skipped and says so ([`crate::needs`]).
*/

#![allow(dead_code, reason = "not every test does everything with a browser")]

mod chromium;
mod firefox;

use crate::needs;
use serde_json::Value;
use std::path::Path;
use std::{fs, thread};

pub use chromium::Chromium;
pub use firefox::Firefox;

/// What both browsers can do.
pub trait Browser {
    /// Opens a file at a link (`#90`, or empty), and waits until its script says that the page is ready.
    fn open(&mut self, file: &Path, link: &str);
    /// Runs a script in the page as the body of an asynchronous function, and returns its value.
    fn run(&mut self, script: &str) -> Value;
    /// Presses a key, by its name (`ArrowLeft`).
    fn press(&mut self, key: &str);
    /// Sets the width and height of the window; the width may not go below the browser's least.
    fn resize(&mut self, width: u32, height: u32);
    /// Whether the kept pictures are made with this browser.
    fn is_first(&self) -> bool;
    /// A picture of the visible part of the page, as PNG.
    fn shown(&mut self) -> Vec<u8>;
    /// What was loaded in addition to the page, and what is on the console: empty if all is well.
    fn complaints(&mut self) -> Vec<String>;

    /// The text that a script returns.
    fn text(&mut self, script: &str) -> String {
        let found = self.run(script);
        found.as_str().unwrap_or_else(|| panic!("{script}: {found} is no text")).to_owned()
    }
}

/// Runs a test in each installed browser, both at once, each with a folder of its own.
pub fn each(test: impl Fn(&mut dyn Browser, &Path) + Sync) {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| {
        let place = folder.path().join(name);
        fs::create_dir(&place).unwrap();
        place
    };
    thread::scope(|scope| {
        if needs::programs(&["firefox-esr"]) {
            let place = place("firefox");
            let test = &test;
            scope.spawn(move || test(&mut Firefox::start(&place.join("profile")), &place));
        }
        if needs::programs(&["chromium"]) {
            let place = place("chromium");
            test(&mut Chromium::start(&place.join("profile")), &place);
        }
    });
}

/// A script that waits for a condition, at most a minute.
pub fn until(condition: &str) -> String {
    format!(
        "for (let step = 0; step < 6000; step += 1) {{
           if ({condition}) return true;
           await new Promise((done) => setTimeout(done, 10));
         }}
         return false;"
    )
}

/// The script that waits for a page to be ready.
fn ready() -> String {
    until("document.documentElement?.dataset.ready || document.querySelector('#trouble:not([hidden])')")
}
