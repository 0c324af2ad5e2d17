/*! What the code cites of mail and of the log is in the repository: every id (`A5`, `P10`, `V2`) is a paragraph of
one of three documents, and every `log 7.3` one of `games/README.md`.

Only comments and names of tests such as `p6_…` count: in code `S6` may be anything.
*/

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The documents, and the kinds of ids that each may hold.
const MAIL: &str = "src/mail/requirements.md";
const POST: &str = "src/post/requirements.md";
const LOG: &str = "games/README.md";

/// Letters with which the ids begin.
const KINDS: [char; 7] = ['A', 'P', 'I', 'S', 'L', 'X', 'V'];

/// Folders whose comments cite other books by similar numbers: the rulebooks of the titles.
const OTHER_BOOKS: [&str; 2] = ["src/risk", "src/wotr"];

/// Documents that are not in the repository, so that nothing in it may name them.
const ELSEWHERE: [&str; 5] = [
    concat!("dice-and", "-seals"),
    concat!("post", ".md"),
    concat!("design", ".md"),
    concat!("plans", ".md"),
    concat!("style", ".md"),
];

/// Something that a comment cites: an id, or a paragraph of the log.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Citation {
    Id(String),
    Log(String),
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every file below a folder whose name ends in this way, except build output of the packages in `tests/`.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.ends_with("target") {
            found.extend(files(&path, endings));
        } else if path.extension().is_some_and(|ending| endings.iter().any(|wanted| ending == *wanted)) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The text of a source file with everything blanked except comments; the lines stay the same.
fn comments(source: &str) -> String {
    let characters: Vec<char> = source.chars().collect();
    let mut kept: Vec<char> = characters.iter().map(|c| if *c == '\n' { '\n' } else { ' ' }).collect();
    let mut at = 0;
    while at < characters.len() {
        let (end, is_comment) = piece(&characters, at);
        if is_comment {
            kept[at..end].copy_from_slice(&characters[at..end]);
        }
        at = end;
    }
    kept.into_iter().collect()
}

/// Where the piece of Rust that begins here ends, and whether it is a comment.
fn piece(source: &[char], at: usize) -> (usize, bool) {
    let starts = |words: &str| source[at..].iter().copied().take(words.len()).eq(words.chars());
    let follows_name = at > 0 && (source[at - 1].is_alphanumeric() || source[at - 1] == '_');
    match source[at] {
        '/' if starts("//") => (source[at..].iter().position(|c| *c == '\n').map_or(source.len(), |n| at + n), true),
        '/' if starts("/*") => (end_of_block(source, at), true),
        '"' => (end_of_string(source, at + 1), false),
        'r' if !follows_name || source[at - 1] == 'b' => (end_of_raw_string(source, at).unwrap_or(at + 1), false),
        // A character, not the name of a lifetime: `'"'`, `'\''`.
        '\'' if source.get(at + 1) == Some(&'\\') => (end_of_character(source, at + 3), false),
        '\'' if source.get(at + 2) == Some(&'\'') => (at + 3, false),
        _ => (at + 1, false),
    }
}

fn end_of_block(source: &[char], at: usize) -> usize {
    let (mut depth, mut at) = (1, at + 2);
    while depth > 0 && at < source.len() {
        match source[at..] {
            ['/', '*', ..] => (depth, at) = (depth + 1, at + 2),
            ['*', '/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
    }
    at
}

fn end_of_string(source: &[char], mut at: usize) -> usize {
    while at < source.len() && source[at] != '"' {
        at += if source[at] == '\\' { 2 } else { 1 };
    }
    source.len().min(at + 1)
}

fn end_of_character(source: &[char], at: usize) -> usize {
    source.get(at..).and_then(|rest| rest.iter().position(|c| *c == '\'')).map_or(source.len(), |n| at + n + 1)
}

/// `r"…"` and `r#"…"#`; `None` for a name that begins with an r.
fn end_of_raw_string(source: &[char], at: usize) -> Option<usize> {
    let hashes = source[at + 1..].iter().take_while(|c| **c == '#').count();
    let start = at + 1 + hashes;
    (source.get(start) == Some(&'"')).then_some(())?;
    let closes = |at: &usize| {
        source[*at] == '"' && source[at + 1..].iter().take(hashes).filter(|c| **c == '#').count() == hashes
    };
    Some((start + 1..source.len()).find(closes).map_or(source.len(), |end| end + 1 + hashes))
}

/// The ids that a text names: a letter and one or two digits, standing alone.
fn ids(text: &str) -> Vec<String> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '+' | '/' | '#');
    let mut found = Vec::new();
    for word in text.split(|c: char| !is_word(c)) {
        let word = word.trim_end_matches(['.', '-']);
        let digits = word.strip_prefix(KINDS).unwrap_or_default();
        if (1..=2).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            found.push(word.to_string());
        }
    }
    found
}

/// The paragraphs of the log that a text names: `log 7.3`, `log 7.3 to 7.9`, `log 15.3 and 15.4`, `log 7.1, 7.2`.
fn paragraphs_of_the_log(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut found = Vec::new();
    for (index, _) in words.iter().enumerate().filter(|(_, word)| word.trim_start_matches(['(', '`']) == "log") {
        let mut follows = words[index + 1..].iter();
        let mut word = follows.next();
        while let Some(number) = word.and_then(|word| paragraph_number(word)) {
            found.push(number);
            word = follows.next();
            if word.is_some_and(|word| matches!(*word, "to" | "and")) {
                word = follows.next();
            }
        }
    }
    found
}

/// `7.3` of `7.3);`.
fn paragraph_number(word: &str) -> Option<String> {
    let number = word.trim_end_matches(|c: char| !c.is_ascii_digit());
    let (chapter, paragraph) = number.split_once('.')?;
    let is_number = |digits: &str| (1..=2).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    (is_number(chapter) && is_number(paragraph)).then(|| number.to_string())
}

/// The ids at the beginning of a test's name: `X1` and `X5` of `x1_x5_what_a_server_says`. `i64` is none.
fn ids_of_name(line: &str) -> Vec<String> {
    let Some(name) = line.trim_start().strip_prefix("fn ").and_then(|rest| rest.split('(').next()) else {
        return Vec::new();
    };
    let Some((parts, _)) = name.rsplit_once('_') else { return Vec::new() };
    parts.split('_').map(|part| ids(&part.to_uppercase())).take_while(|ids| ids.len() == 1).flatten().collect()
}

/// What a source file cites, with the line numbers.
fn citations(source: &str) -> Vec<(usize, Citation)> {
    let mut found = Vec::new();
    for (number, (line, code)) in (1..).zip(comments(source).lines().zip(source.lines())) {
        found.extend(ids(line).into_iter().map(|id| (number, Citation::Id(id))));
        found.extend(paragraphs_of_the_log(line).into_iter().map(|paragraph| (number, Citation::Log(paragraph))));
        found.extend(ids_of_name(code).into_iter().map(|id| (number, Citation::Id(id))));
    }
    found
}

/// The paragraphs of a document: bold at the beginning of a line, `**P6**` or `**7.3**`.
fn paragraphs(document: &str) -> Vec<Citation> {
    let name = |line: &str| line.strip_prefix("**").and_then(|rest| rest.split([' ', '*']).next()).map(str::to_string);
    let named = document.lines().filter_map(name);
    let known = named.filter_map(|name| match (ids(&name), paragraph_number(&name)) {
        (ids, _) if ids == [name.as_str()] => Some(Citation::Id(name)),
        (_, Some(number)) if number == name => Some(Citation::Log(number)),
        _ => None,
    });
    known.collect()
}

/// All sources that may cite, by their path.
fn sources() -> BTreeMap<PathBuf, String> {
    let root = root();
    let folders = ["src", "tests", "benches", "examples"];
    let found = folders.iter().flat_map(|folder| files(&root.join(folder), &["rs"]));
    let ours = found.filter(|path| !OTHER_BOOKS.iter().any(|book| path.starts_with(root.join(book))));
    ours.filter(|path| !path.ends_with("citations_mail.rs")).map(|path| (path.clone(), read(&path))).collect()
}

fn documents() -> BTreeMap<&'static str, Vec<Citation>> {
    [MAIL, POST, LOG].map(|document| (document, paragraphs(&read(&root().join(document))))).into()
}

/// Everything that sources cite, with the file and the line.
fn cited(sources: &BTreeMap<PathBuf, String>) -> Vec<(&Path, usize, Citation)> {
    let mut found = Vec::new();
    for (path, source) in sources {
        found.extend(citations(source).into_iter().map(|(line, citation)| (path.as_path(), line, citation)));
    }
    found
}

/// The citations for which no document has a paragraph.
fn unresolved(cited: &[(&Path, usize, Citation)], known: &BTreeSet<Citation>) -> Vec<String> {
    let wrong = cited.iter().filter(|(_, _, citation)| !known.contains(citation));
    wrong
        .map(|(path, line, citation)| format!("{}:{line}: {citation:?} stands in no document", path.display()))
        .collect()
}

fn known() -> BTreeSet<Citation> {
    documents().into_values().flatten().collect()
}

#[test]
fn every_citation_resolves() {
    let (sources, known) = (sources(), known());
    let cited = cited(&sources);
    let wrong = unresolved(&cited, &known);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Tests the test: without a paragraph, its citations must be reported.
    let different: BTreeSet<&Citation> = cited.iter().map(|(_, _, citation)| citation).collect();
    assert!(different.len() > 60, "only {} paragraphs are cited", different.len());
    for citation in different {
        let mut fewer = known.clone();
        fewer.remove(citation);
        assert!(!unresolved(&cited, &fewer).is_empty(), "nobody misses {citation:?}");
    }
}

#[test]
fn every_paragraph_stands_once_and_every_requirement_is_used() {
    let mut seen = BTreeMap::new();
    for (document, paragraphs) in documents() {
        assert!(paragraphs.len() > 10, "{document} has {} paragraphs", paragraphs.len());
        for paragraph in paragraphs {
            let before = seen.insert(paragraph.clone(), document);
            assert_eq!(before, None, "{paragraph:?} stands twice, here in {document}");
        }
    }
    let sources = sources();
    let cited: BTreeSet<Citation> = cited(&sources).into_iter().map(|(_, _, citation)| citation).collect();
    let idle = seen.iter().filter(|(citation, document)| **document != LOG && !cited.contains(citation));
    assert_eq!(idle.collect::<Vec<_>>(), [], "no code and no test cites these");
}

#[test]
fn nothing_names_a_document_that_is_not_here() {
    let root = root();
    let folders = ["src", "tests", "benches", "examples", "templates", "games"];
    let mut all: Vec<PathBuf> =
        folders.iter().flat_map(|folder| files(&root.join(folder), &["rs", "md", "txt", "toml", "eml"])).collect();
    all.extend(["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "Cargo.toml", ".ci/run"].map(|file| root.join(file)));
    let mut wrong = Vec::new();
    for path in all {
        for (number, line) in (1..).zip(String::from_utf8_lossy(&fs::read(&path).expect("a file")).lines()) {
            for document in ELSEWHERE.iter().filter(|document| line.contains(*document)) {
                wrong.push(format!("{}:{number}: `{document}` does not stand in the repository", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn citations_are_told_from_code() {
    #[track_caller]
    fn case(source: &str, expected: &[&str]) {
        let found: Vec<String> = citations(source)
            .into_iter()
            .map(|(_, citation)| match citation {
                Citation::Id(id) => id,
                Citation::Log(number) => format!("log {number}"),
            })
            .collect();
        assert_eq!(found, expected, "{source}");
    }
    case("// A5: a class (requirements P2 and P3).", &["A5", "P2", "P3"]);
    case("/*! Letters (I3, I6).\n\nMore: S1 to S3. */\nlet x = S6;", &["I3", "I6", "S1", "S3"]);
    case("/* a /* X1 */ X2 */ let Some(V4) = x; // L5", &["X1", "X2", "L5"]);
    case("let words = \"// A1\"; let c = '\"'; // A2", &["A2"]);
    case("let raw = r#\"A1 \" // A1\"#; let b = br\"A1\"; // A3", &["A3"]);
    case("fn take<'a>(c: char) -> &'a str { if c == '\\'' { \"P1\" } else { \"\" } } // P7", &["P7"]);
    case("let text = \"one \\\" // A1\"; // A4", &["A4"]);
    case("// S155, IPv6, X11R6, A5b, `fp-A5`, 2P2P, T07 and $DISPLAY", &[]);
    case("    fn x1_x5_what_a_server_says() {}", &["X1", "X5"]);
    case("fn p10_check() {}\nfn picked_p10() {}\nfn i64(s5_text: &str) {}", &["P10"]);
    case(
        "/// Links (log 7.1, 7.2), and log 7.3 to 7.9; a log of 3.5 MB.",
        &["log 7.1", "log 7.2", "log 7.3", "log 7.9"],
    );
    case("// `log 3.3` and log 15.3 and 15.4.", &["log 3.3", "log 15.3", "log 15.4"]);
}

#[test]
fn a_citation_of_nothing_is_found() {
    let known = paragraphs("# Rooms\n\n**P6** Own lines.\n\n**7.3** The setup.\n\nNot **P7**, and **bold** words.\n");
    assert_eq!(known, [Citation::Id("P6".to_string()), Citation::Log("7.3".to_string())]);
    let known: BTreeSet<Citation> = known.into_iter().collect();
    let file = |text: &str| BTreeMap::from([(PathBuf::from("a.rs"), text.to_string())]);
    assert_eq!(unresolved(&cited(&file("// P6, and log 7.3.\nlet x = P7;")), &known), [""; 0]);
    for (text, line) in [("// P7", 1), ("\n/// See log 7.4.", 2), ("/* P6\n\n and X9 */", 3), ("fn l9_robots() {}", 1)]
    {
        let sources = file(text);
        let wrong = unresolved(&cited(&sources), &known);
        assert!(wrong.len() == 1 && wrong[0].starts_with(&format!("a.rs:{line}: ")), "{text}: {wrong:?}");
    }
}
