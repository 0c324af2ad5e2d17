/*! The house rules that a machine can check: which folder may know which, how a file begins, how long
lines may be, and what only one room may do. Which room may know which stands in the rooms' `Cargo.toml`.
*/

use std::fs;
use std::path::{Path, PathBuf};

const LINE_MAX: usize = 120;

/// The folders of a room in their order: each may use only those before it.
const FOLDERS: [(&str, &[&str]); 3] = [
    ("record", &["canon", "entry", "commit", "problem", "charter", "fold", "file", "table", "verify"]),
    ("mail", &["letter", "draft", "wire"]),
    (
        "post",
        &["names", "reply", "order", "book", "witness", "desk", "office", "health", "window", "keeping", "doctor"],
    ),
];

/// Words that only these rooms may use. Which libraries a room may use stands in its `Cargo.toml`.
const ONLY_IN: [(&str, &[&str]); 2] =
    [("std::fs", &["ground", "net", "store", "record", "mail", "post", "cli"]), ("println!", &["cli"])];

/// Every source file below a folder, except build output of the packages in `tests/`.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.ends_with("target") {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The modules that a file declares.
fn modules(file: &Path) -> Vec<String> {
    let text = read(file);
    let declared = text.lines().filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod "));
    declared.filter_map(|module| module.strip_suffix(';')).map(str::to_owned).collect()
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The top-level module of a source file.
fn module(path: &Path) -> String {
    let inside = path.strip_prefix(root().join("src")).expect("a source file");
    let first = inside.components().next().expect("a name").as_os_str().to_string_lossy();
    first.trim_end_matches(".rs").to_string()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("a source file in UTF-8")
}

/// The module path of a file: `["post", "desk", "turn"]`.
fn module_path(path: &Path) -> Vec<String> {
    let inside = path.strip_prefix(root().join("src")).expect("a source file").with_extension("");
    let mut names: Vec<String> = inside.iter().map(|name| name.to_string_lossy().into_owned()).collect();
    if names.last().is_some_and(|last| last == "mod") {
        names.pop();
    }
    names
}

/// The modules of its own room that a line of code names, with the room's name first. `own` is the module that contains
/// the line.
fn named_modules(line: &str, own: &[String]) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let code = line.split("//").next().unwrap_or(line);
    let words: Vec<&str> = code.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).collect();
    for word in words.into_iter().filter(|word| word.contains("::")) {
        let mut names = word.split("::").filter(|name| !name.is_empty()).peekable();
        let mut path = match names.next() {
            Some("crate") => own[..1].to_vec(),
            Some("self") => own.to_vec(),
            Some("super") => own[..own.len() - 1].to_vec(),
            _ => continue,
        };
        while names.next_if_eq(&"super").is_some() {
            path.pop();
        }
        path.extend(names.map(str::to_owned));
        found.push(path);
    }
    found
}

/// Every place where a source file names a module: the file, the line, the file's own module, the named module.
fn mentions() -> Vec<(PathBuf, usize, Vec<String>, Vec<String>)> {
    let mut found = Vec::new();
    for path in sources(&root().join("src")) {
        let file = module_path(&path);
        let mut own = file.clone();
        for (number, line) in read(&path).lines().enumerate() {
            // A module of tests inside a file is one level deeper; it is at the end of the file.
            if line.starts_with("mod ") && line.ends_with('{') {
                own.push("tests".to_owned());
            }
            found.extend(
                named_modules(line, &own).into_iter().map(|named| (path.clone(), number + 1, file.clone(), named)),
            );
        }
    }
    found
}

#[test]
fn dependencies_between_the_folders_of_a_room_run_one_way() {
    let mut wrong = Vec::new();
    for (path, line, own, named) in mentions() {
        let Some((room, folders)) = FOLDERS.iter().find(|(room, _)| *room == own[0]) else { continue };
        let place = |module: &[String]| module.get(1).and_then(|name| folders.iter().position(|folder| folder == name));
        let (Some(from), true) = (place(&own), named.first() == Some(&own[0])) else { continue };
        match place(&named) {
            Some(to) if to <= from => {}
            Some(to) => wrong.push(format!(
                "{}:{line}: `{room}::{}` must not know `{room}::{}`",
                path.display(),
                folders[from],
                folders[to]
            )),
            None => wrong.push(format!("{}:{line}: name the folder of `{room}` in a `use` of its own", path.display())),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_folder_of_a_room_has_its_place_in_the_order() {
    for (room, folders) in FOLDERS {
        let here = fs::read_dir(root().join("src").join(room)).expect("a room is a folder");
        let names = here.map(|entry| entry.expect("an entry").path().with_extension(""));
        let mut found: Vec<String> =
            names.filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned())).collect();
        found.retain(|name| name != "mod" && name != "requirements" && name != "Cargo");
        found.sort();
        let mut known: Vec<&str> = folders.to_vec();
        known.sort_unstable();
        assert_eq!(found, known, "the folders of `{room}`");
    }
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
fn lines_are_short() {
    let mut wrong = Vec::new();
    for path in ["src", "tests", "benches", "examples"].iter().flat_map(|folder| sources(&root().join(folder))) {
        for (number, line) in read(&path).lines().enumerate() {
            if line.chars().count() > LINE_MAX {
                wrong.push(format!("{}:{}: longer than {LINE_MAX} columns", path.display(), number + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// How long a function may be is a lint of the workspace; a file is as long as its subject, and says what that is.
#[test]
fn every_file_begins_with_what_it_is_for() {
    let tells = |path: &PathBuf| read(path).starts_with("/*!") || read(path).starts_with("//!");
    let is_of_tests = |path: &Path| path.file_stem().is_some_and(|name| name.to_string_lossy().ends_with("_tests"));
    let mut silent = sources(&root().join("src"));
    silent.retain(|path| !tells(path) && !is_of_tests(path));
    assert!(silent.is_empty(), "{silent:?}");
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

/// A file that no test program includes as a module would silently be forgotten.
#[test]
fn every_file_of_tests_is_run() {
    let manifest = read(&root().join("Cargo.toml"));
    let programs: Vec<&str> =
        manifest.lines().filter_map(|line| line.strip_prefix("path = \"tests/")?.strip_suffix(".rs\"")).collect();
    let tests = root().join("tests");
    let file = |name: &str| tests.join(format!("{name}.rs"));
    let mut run: Vec<String> = programs.iter().flat_map(|program| modules(&file(program))).collect();
    run.retain(|module| file(module).exists());
    run.extend(programs.iter().map(|program| (*program).to_owned()));
    run.sort();
    let files = sources(&tests).into_iter().filter(|path| path.parent() == Some(&tests));
    let names: Vec<String> = files.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    assert_eq!(run, names);
}
