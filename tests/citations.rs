/*! Every citation leads to a paragraph of a document in the repository: a rule `9.24`, a range `6.18 to 6.24`, a point
`12.4 (4)` or `6.3 point 2`, a ruling `▲35` or `C2.18`, a scenario `S155`, a chapter.

Citations are looked for in comments and texts of the code, in scenarios, in the names of files and folders, and in
what refusals carry. A title's own rooms must cite its own rulebook; the common rooms may cite either.
*/

use report::rulebook::book::{Block, Paragraph};
use report::rulebook::number::{Number, NumberKind};
use report::rulebook::{self, Shelf};
use ringmail::titles;
use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// The beginnings of the paths whose citations belong to the rulebook of a title; empty for either.
const ROOMS: [(&str, &str); 14] = [
    ("src/wotr", "wotr"),
    ("templates/wotr", "wotr"),
    ("tests/scenarios/wotr", "wotr"),
    ("tests/wotr_", "wotr"),
    ("benches/wotr", "wotr"),
    ("src/risk", "risk"),
    ("templates/risk", "risk"),
    ("tests/scenarios/risk", "risk"),
    ("tests/risk_", "risk"),
    ("benches/risk", "risk"),
    ("tests/scenarios.rs", ""),
    ("src/engine", ""),
    ("src/report", ""),
    ("src/post", ""),
];

/// The least number of citations in each title's rooms: if the search finds much less, the search is broken.
const FOUND_MIN: [(&str, usize); 2] = [("wotr", 3000), ("risk", 800)];

/// A citation: where it stands, and which paragraph it names.
#[derive(Debug)]
struct Citation {
    place: String,
    cited: Cited,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Cited {
    Paragraph(Number),
    /// A point of a paragraph: `12.4 (4)`, `6.3 point 2`.
    Point(Number, u16),
    Chapter(u16),
}

impl fmt::Display for Cited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cited::Paragraph(number) => write!(f, "{number}"),
            Cited::Point(number, point) => write!(f, "{number} ({point})"),
            Cited::Chapter(chapter) => write!(f, "chapter {chapter}"),
        }
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every file below a path of the repository, or the files whose path begins in this way.
fn files(begins: &str) -> Vec<PathBuf> {
    let whole = root().join(begins);
    if whole.is_file() {
        return vec![whole];
    }
    let (folder, prefix) = if whole.is_dir() {
        (whole, String::new())
    } else {
        let prefix = whole.file_name().unwrap().to_string_lossy().into_owned();
        (whole.parent().unwrap().to_path_buf(), prefix)
    };
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of the repository") {
        let path = entry.unwrap().path();
        if path.file_name().unwrap().to_string_lossy().starts_with(&prefix) {
            if path.is_dir() {
                found.extend(files(path.strip_prefix(root()).unwrap().to_str().unwrap()))
            } else {
                found.push(path)
            }
        }
    }
    found.sort();
    found
}

/// The comments and texts of a Rust file, each with the line on which it begins; the code between them is left out.
fn prose(source: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut rest = source;
    let (mut line, mut counted) = (1, source);
    while let Some(c) = rest.chars().next() {
        let passed = &counted[..counted.len() - rest.len()];
        line += passed.matches('\n').count();
        counted = rest;
        let end = match c {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '"' => closing(rest, 1, "\"", true),
            'r' if rest.starts_with("r\"") => closing(rest, 2, "\"", false),
            'r' if rest.starts_with("r#\"") => closing(rest, 3, "\"#", false),
            '\'' => {
                // A character in quotes may be a quote; a lifetime has no second one.
                let letter =
                    rest[1..].chars().next().map_or(1, |letter| if letter == '\\' { 2 } else { letter.len_utf8() });
                let is_letter = rest.get(1 + letter..).is_some_and(|rest| rest.starts_with('\''));
                rest = &rest[if is_letter { 2 + letter } else { 1 }..];
                continue;
            }
            _ => {
                rest = &rest[c.len_utf8()..];
                continue;
            }
        };
        found.push((line, rest[..end].to_string()));
        rest = &rest[end..];
    }
    found
}

/// The end of a text that begins here, behind its closing mark.
fn closing(text: &str, from: usize, mark: &str, escapes: bool) -> usize {
    let mut at = from;
    while at < text.len() {
        match &text[at..] {
            rest if escapes && rest.starts_with('\\') => at += 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            rest if rest.starts_with(mark) => return at + mark.len(),
            rest => at += rest.chars().next().unwrap().len_utf8(),
        }
    }
    text.len()
}

/// Every citation of a text. In the common rooms a number is a citation only if it is set off as one: `(9.24)`, `rule
/// 9.24`, `9.24:`.
fn citations(text: &str, is_of_all: bool) -> Vec<Cited> {
    let mut found = Vec::new();
    let mut skip_to = 0;
    for (at, c) in text.char_indices() {
        let before = &text[..at];
        let is_inside =
            before.ends_with(|b: char| b.is_alphanumeric() || matches!(b, '.' | '-' | '_' | '/' | '#' | '$' | '<'));
        if at < skip_to || is_inside || !matches!(c, '0'..='9' | 'C' | 'S' | '▲') {
            continue;
        }
        let Some((number, rest)) = Number::begins(&text[at..]) else {
            found.extend(chapter(before, &text[at..]));
            continue;
        };
        let mut next = rest.chars();
        let is_longer = match (next.next(), next.next()) {
            (Some('.'), Some(digit)) => digit.is_ascii_digit(),
            (Some(letter), _) => letter.is_alphanumeric() || matches!(letter, '_' | '%'),
            (None, _) => false,
        };
        // A number of a file name, of a list of odds, of a program: `5.0`, `1.25 ms`.
        let is_figure = number.kind == NumberKind::Rule && (number.place == 0 || rest.starts_with(" ms"));
        let is_set_off = before.ends_with('(') || before.ends_with("rule ") || rest.starts_with(':');
        let needs_setting = is_of_all && matches!(number.kind, NumberKind::Rule);
        if is_longer || is_figure || needs_setting && !is_set_off {
            continue;
        }
        skip_to = text.len() - rest.len();
        found.push(match point(rest) {
            Some(point) => Cited::Point(number, point),
            None => Cited::Paragraph(number),
        });
    }
    found
}

/// The point that is named after a number: ` (4)`, ` point 2`.
fn point(rest: &str) -> Option<u16> {
    let (digits, end) = match (rest.strip_prefix(" ("), rest.strip_prefix(" point ")) {
        (Some(digits), _) => (digits, ")"),
        (_, Some(digits)) => (digits, ""),
        _ => return None,
    };
    let count = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let number = digits[..count].parse().ok()?;
    digits[count..].starts_with(end).then_some(number)
}

/// The chapter whose number begins here: behind `chapter `, or alone in brackets behind a word.
fn chapter(before: &str, at: &str) -> Option<Cited> {
    let count = at.find(|c: char| !c.is_ascii_digit()).unwrap_or(at.len());
    let number: u16 = at.get(..count)?.parse().ok()?;
    let is_named = before.to_lowercase().ends_with("chapter ");
    let is_alone = before.ends_with(" (")
        && at[count..].starts_with(')')
        && before[..before.len() - 2].ends_with(|c: char| c.is_lowercase());
    (number > 0 && (is_named || is_alone)).then_some(Cited::Chapter(number))
}

/// Every citation in a file, and in its name.
fn cited_in(path: &Path, is_of_all: bool) -> Vec<Citation> {
    let shown = path.strip_prefix(root()).unwrap().display().to_string();
    let mut found = Vec::new();
    let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
    let of_name = stem.split('-').filter_map(Number::read).map(Cited::Paragraph);
    let folder = path.parent().unwrap().file_name().unwrap().to_string_lossy().into_owned();
    let of_folder = folder.parse().ok().map(Cited::Chapter);
    found.extend(of_name.chain(of_folder).map(|cited| Citation { place: format!("{shown} (its name)"), cited }));
    let ending = path.extension().map_or(String::new(), |ending| ending.to_string_lossy().into_owned());
    let Ok(text) = fs::read_to_string(path) else { return found };
    let texts: Vec<(usize, String)> = match ending.as_str() {
        "rs" => prose(&text),
        "yaml" | "txt" => text.lines().enumerate().map(|(index, line)| (index + 1, line.to_string())).collect(),
        _ => Vec::new(),
    };
    for (line, text) in texts {
        let place = format!("{shown}:{line}");
        found.extend(citations(&text, is_of_all).into_iter().map(|cited| Citation { place: place.clone(), cited }));
    }
    found
}

fn shelf_of(title: &str) -> &'static Shelf {
    rulebook::shelf(titles::ALL.by_id(title).expect("a title"))
}

fn shelves(title: &str) -> Vec<&'static Shelf> {
    match title {
        "" => rulebook::shelves(titles::ALL),
        title => vec![shelf_of(title)],
    }
}

/// Whether one of the rulebooks has the cited paragraph.
fn stands(cited: &Cited, shelves: &[&Shelf]) -> bool {
    let paragraph = |number| shelves.iter().find_map(|shelf| shelf.paragraph(number)).map(|(_, paragraph)| paragraph);
    match cited {
        Cited::Paragraph(number) => paragraph(*number).is_some(),
        Cited::Point(number, point) => paragraph(*number).is_some_and(|paragraph| has_point(paragraph, *point)),
        Cited::Chapter(chapter) => {
            let begins = format!("{chapter}. ");
            let mut all = shelves.iter().flat_map(|shelf| &shelf.books).flat_map(|book| book.paragraphs());
            all.any(|paragraph| paragraph.chapter.starts_with(&begins))
        }
    }
}

fn has_point(paragraph: &Paragraph, point: u16) -> bool {
    let bullet = format!("{point}.");
    paragraph.blocks.iter().any(|block| matches!(block, Block::Item(own, _) if *own == bullet))
}

#[test]
fn every_citation_leads_to_a_paragraph() {
    let mut wrong: Vec<String> = Vec::new();
    let mut count = FOUND_MIN.map(|(title, _)| (title, 0));
    for (begins, title) in ROOMS {
        let shelves = shelves(title);
        for path in files(begins) {
            let found = cited_in(&path, title.is_empty());
            if let Some((_, count)) = count.iter_mut().find(|(known, _)| *known == title) {
                *count += found.len();
            }
            let astray = found.into_iter().filter(|citation| !stands(&citation.cited, &shelves));
            wrong.extend(astray.map(|citation| format!("{}: {}", citation.place, citation.cited)));
        }
    }
    assert!(wrong.is_empty(), "{} lead nowhere:\n{}", wrong.len(), wrong.join("\n"));
    for ((title, found), (_, least)) in count.iter().zip(FOUND_MIN) {
        assert!(*found >= least, "only {found} citations of {title} were found");
    }
}

/// The rules in the code's own refusals: the text that each call passes.
fn refused_by(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    for call in ["barred(", "rule: "] {
        for (at, _) in source.match_indices(call) {
            let handed = source[at + call.len()..].trim_start();
            if let Some(rule) = handed.strip_prefix('"') {
                found.push(rule[..rule.find('"').unwrap_or(0)].to_string());
            }
        }
    }
    // The rule is the second argument; the first may contain texts that name others.
    for (at, _) in source.match_indices("allowed_if(") {
        let texts = prose(&source[at..source[at..].find(';').map_or(source.len(), |end| at + end)]);
        let rules = texts.into_iter().map(|(_, text)| text.trim_matches('"').to_string());
        found.extend(rules.filter(|text| Number::begins(text).is_some()).take(1));
    }
    found
}

#[test]
fn every_rule_that_a_refusal_carries_can_be_printed() {
    let mut wrong = Vec::new();
    for (folder, least) in [("wotr", 200), ("risk", 50)] {
        let shelf = shelf_of(folder);
        let mut rules = Vec::new();
        for path in
            files(&format!("src/{folder}")).into_iter().filter(|path| path.extension().is_some_and(|e| e == "rs"))
        {
            rules.extend(refused_by(&fs::read_to_string(path).unwrap()));
        }
        assert!(rules.len() >= least, "only {} refusals of {folder} were found", rules.len());
        for rule in rules.into_iter().collect::<BTreeSet<String>>() {
            let answered = rulebook::ask(&[shelf], &rule);
            let is_read = answered.is_ok_and(|answer| {
                answer.found.iter().all(|found| matches!(found, rulebook::ask::Found::Rule { .. }))
            });
            if !is_read {
                wrong.push(format!("{folder}: rule {rule}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn paragraphs_name_only_paragraphs_that_there_are() {
    let mut wrong = Vec::new();
    for shelf in rulebook::shelves(titles::ALL) {
        for paragraph in shelf.books.iter().flat_map(|book| book.paragraphs()) {
            let astray = paragraph.names().into_iter().filter(|number| shelf.paragraph(*number).is_none());
            wrong.extend(astray.map(|number| format!("{} {}: {number}", shelf.title.id, paragraph.label())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn files_that_the_rulebooks_name_are_there() {
    for title in titles::ALL.all() {
        for document in title.texts.rulebook {
            let named = document.markdown.split('`').skip(1).step_by(2).filter(|name| name.contains('/'));
            for name in named {
                assert!(root().join(name).exists(), "{}: {name}", title.id);
            }
        }
    }
}

#[track_caller]
fn case(text: &str, is_of_all: bool, expected: &[&str]) {
    assert_eq!(
        citations(text, is_of_all).into_iter().map(|cited| cited.to_string()).collect::<Vec<_>>(),
        expected,
        "{text}"
    );
}

#[test]
fn citations_are_found_and_other_numbers_are_not() {
    case("9.24: less what is forfeited (6.18 to 6.24, ▲35).", false, &["9.24", "6.18", "6.24", "▲35"]);
    case("S155, C2.18, 12.4 (4), 6.3 point 2", false, &["S155", "C2.18", "12.4 (4)", "6.3 (2)"]);
    case("Victory (16), and chapter 9; so many (5).", false, &["chapter 16", "chapter 9", "chapter 5"]);
    case("127.0.0.1, v2.5, 5.0, 1.25 ms, SHA-256, C3PO, 10%", false, &[]);
    case("imap4d 3.15, Dovecot 2.3; (rule 9.9), (8.1), 6.1: far", true, &["9.9", "8.1", "6.1"]);
    let texts = prose("let a = 9.99; // 1.2\nbarred(\"3.4\", 'x', '\\'', r#\"5.6 \"#)/* 7.8 */ 'life");
    let texts: Vec<&str> = texts.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(texts, ["// 1.2", "\"3.4\"", "r#\"5.6 \"#", "/* 7.8 */"]);
    assert_eq!(refused_by("barred(\"9.1\", x); allowed_if(a.is(\"b\"), \"8.2, 8.3\", || c)"), ["9.1", "8.2, 8.3"]);
}

#[test]
fn a_number_that_no_paragraph_has_is_found_out() {
    let shelf = [shelf_of("wotr")];
    let wrong = ["9.99", "▲99", "S003", "C9.1", "12.4 (9)", "chapter 99"];
    for text in wrong {
        assert!(citations(text, false).iter().any(|cited| !stands(cited, &shelf)), "{text} leads somewhere");
    }
}
