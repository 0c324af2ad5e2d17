//! The layout of every text for people, and the files that texts are compared with.

use report::columns;
use std::fs;
use std::path::Path;

/// Words that only a faulty template would print.
const LEAKS: [&str; 9] = ["none", "None", "null", "undefined", "{{", "{%", "[]", "true", "false"];

#[track_caller]
pub fn is_a_page(text: &str, columns: usize) {
    assert!(text.ends_with('\n') && !text.ends_with("\n\n") && !text.contains("\n\n\n"), "{text}");
    for line in text.lines() {
        assert!(columns::width(line) <= columns, "more than {columns} columns: {line}\n\n{text}");
        assert_eq!(line, line.trim_end(), "blanks at the end of a line");
        assert!(!line.chars().any(char::is_control), "{line:?}");
    }
    let mut words = text.split(|c: char| !c.is_alphanumeric() && !"{}[]%".contains(c));
    let leak = words.find(|word| LEAKS.contains(word));
    assert!(leak.is_none(), "{leak:?} in\n\n{text}");
}

/// Compares a text with its file in `tests/letters-out/`; `RINGMAIL_BLESS=1` writes it anew.
#[track_caller]
pub fn stands(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/letters-out").join(name);
    if std::env::var_os("RINGMAIL_BLESS").is_some() {
        fs::write(&path, text).expect("the text is written");
    }
    let expected = fs::read_to_string(&path).expect("the text was written once");
    for (number, (line, wanted)) in text.lines().zip(expected.lines()).enumerate() {
        assert_eq!(line, wanted, "{name}, line {}", number + 1);
    }
    assert_eq!(text.lines().count(), expected.lines().count(), "lines of {name}");
}
