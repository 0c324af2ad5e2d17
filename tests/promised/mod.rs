//! The logs of `tests/promise`, which are never made again: where they are, and how one that is missing is kept.

#![allow(dead_code, reason = "every test furnishes only the rooms it needs")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the kept logs.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/promise")
}

/// Keeps a log under a name, if `RINGMAIL_PROMISE` is set and there is none of that name yet: none is ever replaced.
pub fn keep(name: &str, log: &str) {
    keep_file(&format!("{name}.yaml"), log);
}

/// The same with the name of its file.
pub fn keep_file(file: &str, log: &str) {
    let path = folder().join(file);
    if std::env::var_os("RINGMAIL_PROMISE").is_some() && !path.exists() {
        fs::create_dir_all(folder()).unwrap();
        fs::write(path, log).unwrap();
    }
}

/// The checker of logs holds a log against the letters of a folder, finds no fault, and says this.
pub fn checked_by_the_page(log: &Path, letters: &Path, told: &[&str]) {
    let letters = fs::read_dir(letters).unwrap().map(|file| file.unwrap().path());
    let mut node = Command::new("node");
    node.current_dir(env!("CARGO_MANIFEST_DIR")).arg("templates/check/check.js").arg(log).arg("--letters");
    let ran = node.args(letters).output().unwrap();
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success(), "{said}{}", String::from_utf8_lossy(&ran.stderr));
    for told in told {
        assert!(said.contains(told), "{told}: {said}");
    }
}
