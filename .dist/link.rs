//! The build script: how the installed program is linked. Nothing else is done before a build.

use std::env;
use std::process::Command;

/// Programs for the C library of GNU/Linux, from this version on, may list what is relocated at their start in a packed
/// form: that saves 0.9 MB.
const PACKED_SINCE: (u32, u32) = (2, 36);

fn main() {
    println!("cargo::rerun-if-changed=.dist/link.rs");
    // The profile `dist` alone optimises for size. All others link as usual.
    let is_small = env::var("OPT_LEVEL").is_ok_and(|level| level == "z");
    let is_for_here = env::var("TARGET") == env::var("HOST");
    if is_small && is_for_here && version_of_glibc().is_some_and(|version| version >= PACKED_SINCE) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// The version of the C library of this machine, if that is GNU's.
fn version_of_glibc() -> Option<(u32, u32)> {
    let output = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (major, minor) = text.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
