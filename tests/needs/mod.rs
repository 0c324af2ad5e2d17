//! What a test needs and not every machine has: programs, Python with packages, root rights.
//!
//! A test without something that it needs says so and passes. With `RINGMAIL_CI` set it fails instead: `.ci/run`
//! installs everything.

#![allow(dead_code, reason = "every test has needs of its own")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Says that the running test is skipped, or fails if nothing may be missing. Always `false`.
fn missing(what: &str) -> bool {
    assert!(std::env::var_os("RINGMAIL_CI").is_none(), "{what}");
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test").to_owned();
    // Not by `eprintln!`, whose output the test harness captures.
    drop(writeln!(std::io::stderr(), "skipped: {test}: {what}"));
    false
}

/// Whether programs are on the `PATH`.
pub fn programs(names: &[&str]) -> bool {
    match names.iter().find(|name| !is_on_path(name)) {
        Some(name) => missing(&format!("{name} is not installed")),
        None => true,
    }
}

/// Whether a program that is not on the `PATH` exists.
pub fn program_at(path: &Path) -> bool {
    is_program(path) || missing(&format!("{} is not installed", path.display()))
}

/// Whether Python exists, with these packages.
pub fn python(packages: &[&str]) -> bool {
    if !programs(&["python3"]) {
        return false;
    }
    let imports: String = packages.iter().map(|package| format!("import {package}\n")).collect();
    let mut python = Command::new("python3");
    python.args(["-c", &imports]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if python.status().is_ok_and(|status| status.success()) {
        true
    } else {
        missing(&format!("python3 cannot import {}", packages.join(", ")))
    }
}

/// Whether the test runs as root.
pub fn root(why: &str) -> bool {
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
    is_root || missing(&format!("{why} must be started as root"))
}

/// Whether this machine can start a container. That cannot be installed, so the test is skipped without it even in CI.
pub fn containers() -> bool {
    let mut unshare = Command::new("unshare");
    unshare.args(["--mount", "--pid", "--net", "--fork", "--mount-proc", "true"]);
    unshare.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let allowed = unshare.status().is_ok_and(|status| status.success());
    if !allowed {
        drop(writeln!(std::io::stderr(), "skipped: no container can be started on this machine"));
    }
    allowed
}

/// Whether a program is on the `PATH`; without a message if not.
pub fn is_on_path(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| is_program(&folder.join(name)))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.with_extension("exe").is_file()
}
