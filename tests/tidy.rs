/*! The house rules that a machine can check: which module may know which, how long lines and files may be,
and what only one module may do.
*/

use std::fs;
use std::path::{Path, PathBuf};

const LINE_MAX: usize = 120;
const FILE_MAX: usize = 600;

/// What each module may name besides itself.
const MAY_KNOW: [(&str, &[&str]); 8] = [
    ("engine", &[]),
    ("risk", &["engine"]),
    ("wotr", &["engine"]),
    ("titles", &["engine", "risk", "wotr"]),
    ("record", &["engine", "titles"]),
    ("report", &["engine", "titles", "record"]),
    ("post", &["engine", "titles", "record", "report"]),
    ("cli", &["engine", "titles", "record", "report", "post"]),
];

/// Words that only these modules may write.
const ONLY_IN: [(&str, &[&str]); 6] = [
    ("minijinja", &["report"]),
    ("std::fs", &["record", "post"]),
    ("println!", &["cli"]),
    ("anstream", &["cli"]),
    ("mail_parser", &["post"]),
    ("lettre", &["post"]),
];

/// Every source file below a folder, except what a build of the fuzz targets has left there.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.ends_with("fuzz/target") {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The module of the first level that a source file belongs to.
fn module(path: &Path) -> String {
    let inside = path.strip_prefix(root().join("src")).expect("a source file");
    let first = inside.components().next().expect("a name").as_os_str().to_string_lossy();
    first.trim_end_matches(".rs").to_string()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("a source file in UTF-8")
}

#[test]
fn dependencies_run_one_way() {
    let mut wrong = Vec::new();
    for path in sources(&root().join("src")) {
        let own = module(&path);
        let Some((_, known)) = MAY_KNOW.iter().find(|(name, _)| *name == own) else { continue };
        for (number, line) in read(&path).lines().enumerate() {
            for (other, _) in MAY_KNOW {
                let names = line.contains(&format!("crate::{other}::")) || line.contains(&format!("crate::{other};"));
                if other != own && names && !known.contains(&other) {
                    wrong.push(format!("{}:{}: `{own}` must not know `{other}`", path.display(), number + 1));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn some_words_belong_to_one_module() {
    let mut wrong = Vec::new();
    for path in sources(&root().join("src")) {
        let own = module(&path);
        for (number, line) in read(&path).lines().enumerate() {
            for (word, homes) in ONLY_IN {
                let code = line.split("//").next().unwrap_or(line);
                if code.contains(word) && !homes.contains(&own.as_str()) {
                    wrong.push(format!("{}:{}: `{word}` belongs to {homes:?}", path.display(), number + 1));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn lines_and_files_are_short() {
    let mut wrong = Vec::new();
    for path in ["src", "tests", "benches"].iter().flat_map(|folder| sources(&root().join(folder))) {
        let text = read(&path);
        if text.lines().count() > FILE_MAX {
            wrong.push(format!("{}: {} lines, more than {FILE_MAX}", path.display(), text.lines().count()));
        }
        for (number, line) in text.lines().enumerate() {
            if line.chars().count() > LINE_MAX {
                wrong.push(format!("{}:{}: longer than {LINE_MAX} columns", path.display(), number + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nothing_is_left_unfinished() {
    let marks = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("todo", "!("), concat!("unimplemented", "!(")];
    let tests = [concat!("#[ig", "nore"), concat!("should", "_panic"), concat!("dbg", "!(")];
    let mut wrong = Vec::new();
    for path in ["src", "tests", "benches"].iter().flat_map(|folder| sources(&root().join(folder))) {
        for (number, line) in read(&path).lines().enumerate() {
            for mark in marks.iter().chain(&tests).filter(|mark| line.contains(**mark)) {
                wrong.push(format!("{}:{}: `{mark}`", path.display(), number + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
