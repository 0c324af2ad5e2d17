/*! The version of a private file. A program that finds a file of a newer program must not guess its meaning, nor
write it again without what it did not understand: it names the file and does nothing.

A file says its version in a line `version: 3` or `format: 3`, or in its first words, `version 3`. A file without one
has version 1, as all had before there were versions.
*/

use std::io;

/// Lines at the beginning of a file in which its version is looked for.
const LINES: usize = 4;

/// The version that a file says it has.
pub fn of(text: &str) -> u32 {
    let said = text.lines().take(LINES).find_map(|line| {
        let value = ["version:", "format:", "version "].iter().find_map(|key| line.strip_prefix(key))?;
        value.split_whitespace().next()?.parse().ok()
    });
    said.unwrap_or(1)
}

/// The message about a file of a newer version.
pub fn newer(found: u32, known: u32) -> String {
    format!(
        "a newer program wrote it: it is of version {found}, and this program knows versions up to {known}. Use the \
         newer program, or put a backup back that this one made; the file was not changed"
    )
}

/// Refuses a file of a newer version than `known`.
pub fn must_be_known(text: &str, known: u32) -> io::Result<()> {
    match of(text) {
        found if found > known => Err(io::Error::new(io::ErrorKind::InvalidData, newer(found, known))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(text: &str, version: u32) {
        assert_eq!(of(text), version, "{text}");
    }

    #[test]
    fn a_file_says_its_version_or_is_of_the_first() {
        case("", 1);
        case("game: shire\nroot: abc\n", 1);
        case("format: 2\ngame: shire\n", 2);
        case("---\nversion: 7\n", 7);
        case("version 3\n2026-11-24T07:12:09Z\n", 3);
        case("2026-11-24T07:12:09Z\n", 1);
        assert!(must_be_known("version: 2\n", 2).is_ok());
        let told = must_be_known("version: 3\n", 2).unwrap_err().to_string();
        assert!(told.contains("version 3, and this program knows versions up to 2"), "{told}");
    }
}
