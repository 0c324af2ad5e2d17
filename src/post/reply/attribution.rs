/*! How mail programs introduce an old letter: "On … wrote:" in many languages, Outlook's header block, forwards.

The tables hold the words of mail programs as found in real letters. If no table has them, the form decides: a line
that ends in a colon and contains a year, together with a time or an address, introduces somebody's words in any
language.
*/

use super::phrases::Phrases;
use ground::effort;
use std::iter;
use std::sync::LazyLock;

/// Words for *wrote* in lines that introduce a quotation.
static WROTE: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("phrases/wrote.txt")));

/// First words of such lines; if the line also has a digit, it may be the first of a wrapped introduction.
static BEGINS: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("phrases/attribution-begins.txt")));

/// Announcements of an old letter, between dashes or alone.
static ORIGINAL_LETTER: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("phrases/original-letter.txt")));

/// Labels of the first line of an old letter's header.
static FROM: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("phrases/label-from.txt")));

/// Labels of its other lines.
static OTHER_LABELS: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("phrases/label-other.txt")));

/// A line, or several that were one, in the form in which it is searched for the words of mail programs: lower case,
/// without direction marks, with plain spaces and digits. Mail programs put all of these into such lines.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PlainLine(String);

impl PlainLine {
    pub fn of(line: &str) -> PlainLine {
        let mut plain = PlainLine(String::with_capacity(line.len()));
        plain.go_on(line);
        plain
    }

    /// Appends the next line, which a mail program has wrapped.
    pub fn go_on(&mut self, line: &str) {
        effort::step(line.len() + 1);
        let mut is_behind_space = true;
        for c in line.chars().filter(|c| !is_mark(*c)) {
            if c.is_whitespace() {
                is_behind_space = true;
                continue;
            }
            if is_behind_space && !self.0.is_empty() {
                self.0.push(' ');
            }
            is_behind_space = false;
            if c.is_ascii() {
                self.0.push(c.to_ascii_lowercase());
            } else {
                self.0.extend(plain_character(c).to_lowercase());
            }
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether a line introduces a quotation: "On 20 November Gandalf wrote:".
pub fn introduces(line: &PlainLine) -> bool {
    if line.0.chars().count() > 400 {
        return false;
    }
    let Some(text) = line.0.strip_suffix([':', '\u{ff1a}']).map(str::trim_end) else {
        return introduces_without_colon(&line.0);
    };
    let ends_in_verb = WROTE.iter().any(|verb| text.ends_with(verb) && is_word_before(text, verb));
    let has_digit = text.chars().any(char::is_numeric);
    ends_in_verb
        || (has_verb(text) && (has_digit || text.contains('@')))
        || (has_year(text) && (has_time(text) || text.contains('@')))
}

/// Zoho puts such a line between dashes; phones write a date and then the address:
/// `2026-11-22 15:33 Ringmail <box@…>`.
fn introduces_without_colon(line: &str) -> bool {
    let inside = line.trim_matches(['-', ' ']);
    let is_dated = |text: &str| has_year(text) && (has_time(text) || text.contains('@'));
    let is_framed = line.starts_with("--") && inside.len() < line.trim_end_matches(' ').len();
    let between_dashes = || {
        is_framed
            && WROTE.iter().any(|verb| inside.ends_with(verb) && is_word_before(inside, verb))
            && (is_dated(inside) || inside.contains('@'))
    };
    let ends_in_address = || {
        let address = line.rsplit_once('<').and_then(|(_, behind)| behind.strip_suffix('>'));
        address.is_some_and(|address| address.contains('@') && !address.contains(' '))
            && line.starts_with(|c: char| c.is_ascii_digit())
            && has_year(line)
            && has_time(line)
    };
    between_dashes() || ends_in_address()
}

/// Whether a line can be the first of a wrapped introduction.
pub fn begins(line: &PlainLine) -> bool {
    let line = line.as_str();
    let first = line.split([' ', ',']).next().unwrap_or("");
    (BEGINS.hold(first) && line.contains(char::is_numeric))
        || (has_year(line) && has_time(line))
        || (line.contains(['@', '"']) && has_verb(line))
        || line.ends_with(" wrote in")
}

/// Whether a line introduces a quotation and then begins it, as AOL and Yahoo write on phones.
pub fn introduces_in_line(line: &PlainLine) -> bool {
    let line = line.as_str();
    let Some(start) = line.find('@').filter(|_| has_year(line) && has_time(line)) else { return false };
    line[start..].match_indices(": ").any(|(colon, _)| {
        let introduction = &line[..=start + colon];
        introduction.len() < line.len() && has_verb(introduction.trim_end_matches(':'))
    })
}

/// Whether a line announces that an old letter follows: `-----Original Message-----`.
pub fn announces_old_letter(line: &PlainLine) -> bool {
    let line = line.as_str();
    let inside = line.trim_matches(['-', '_', '=', '*', ' ', ':', '\u{2014}', '\u{2500}']);
    let is_framed = inside.len() < line.len();
    is_framed && ORIGINAL_LETTER.begin_with_words(inside)
}

/// Whether the header of an old letter starts here: a From line with another known line among the next ones, in any
/// order; or, in a language that no table knows, three such lines right below one another, with an address and a time
/// somewhere in them. `below` are the lines below, including blank ones.
pub fn is_header_block<'a>(first: &PlainLine, below: impl Iterator<Item = &'a str>) -> bool {
    // Hardly any line belongs to a header: the lines below are examined only if this one may.
    let Some(first_label) = label(first) else { return false };
    let below: Vec<PlainLine> = below.take(12).map(PlainLine::of).collect();
    let adjacent = below.iter().take_while(|line| !line.0.is_empty());
    let fields = || iter::once(first).chain(adjacent.clone()).take(7);
    let labels: Vec<&str> = fields().map(|line| label(line).unwrap_or_default()).collect();
    let names_sender = |labels: &[&str]| labels.iter().any(|label| FROM.hold(label));
    if is_label(first_label) {
        let known = labels.iter().filter(|label| is_label(label)).count();
        let is_next = labels.get(1).is_some_and(|label| is_label(label) && *label != first_label);
        // Some programs put a blank line between each two.
        let spread = iter::once(first).chain(below.iter().filter(|line| !line.0.is_empty())).take(7);
        let spread: Vec<&str> = spread.map(|line| label(line).unwrap_or_default()).collect();
        let is_spread = spread.iter().take_while(|label| is_label(label)).count() >= 3;
        return (names_sender(&labels) && (known >= 3 || is_next)) || (is_spread && names_sender(&spread));
    }
    // If a label below is known, the header begins there and not here.
    let labelled = labels.iter().take_while(|label| !label.is_empty() && !label.contains(char::is_numeric)).count();
    labelled >= 3
        && !labels.iter().any(|label| FROM.hold(label))
        && fields().take(labelled).any(|field| field.0.contains('@'))
        && fields().take(labelled).any(|field| has_year(&field.0) && has_time(&field.0))
}

/// Whether the header of an old letter starts here in the style of Notes, in columns and without colons. `lines` are
/// the unchanged lines from here on.
pub fn is_header_in_columns<'a>(lines: impl Iterator<Item = &'a str>) -> bool {
    let mut lines = lines.peekable();
    if lines.peek().is_none_or(|first| bare_label(first).is_none()) {
        return false;
    }
    let labels = lines.filter(|line| !line.trim().is_empty()).take(9).filter_map(bare_label);
    let labels: Vec<String> = labels.collect();
    labels.len() >= 3 && labels.iter().any(|label| !FROM.hold(label) && label.chars().count() > 3)
}

/// The known label at the beginning of a line, if it is alone or separated from the rest by columns.
fn bare_label(line: &str) -> Option<String> {
    let line = line.trim();
    let end = line.find("  ").or_else(|| line.find('\t')).unwrap_or(line.len());
    let PlainLine(label) = PlainLine::of(&line[..end]);
    is_label(&label).then_some(label)
}

fn is_label(label: &str) -> bool {
    FROM.hold(label) || OTHER_LABELS.hold(label)
}

/// Whether a line begins like a field in the header of an old letter: with a word that mail programs use, and a
/// colon.
pub fn is_field(line: &PlainLine) -> bool {
    label(line).is_some_and(is_label)
}

/// A line of the header of an old letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    From,
    Other,
}

/// Which line of such a header this is, by the words that mail programs use.
pub fn field(line: &PlainLine) -> Option<Field> {
    let label = label(line)?;
    let is_other = OTHER_LABELS.hold(label).then_some(Field::Other);
    is_other.or_else(|| FROM.hold(label).then_some(Field::From))
}

/// The word before the colon, without the signs for bold of Outlook and Gmail.
fn label(line: &PlainLine) -> Option<&str> {
    let (label, _) = line.0.split_once([':', '\u{ff1a}'])?;
    let label = label.trim_matches(['*', '_', ' ']);
    (label.chars().count() <= 20).then_some(label)
}

/// Zero-width characters and direction marks.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// Turns Arabic, Persian and Devanagari digits into ours, and the curly apostrophe into the plain one.
fn plain_character(c: char) -> char {
    let zero = match c {
        '\u{2019}' => return '\'',
        '\u{660}'..='\u{669}' => '\u{660}',
        '\u{6f0}'..='\u{6f9}' => '\u{6f0}',
        '\u{966}'..='\u{96f}' => '\u{966}',
        _ => return c,
    };
    char::from_digit(u32::from(c) - u32::from(zero), 10).unwrap_or(c)
}

fn has_verb(text: &str) -> bool {
    text.split([' ', '(', ')', ',', '\u{b7}']).any(|word| WROTE.hold(word))
        || ["写道", "寫道", "書きました", "작성"].iter().any(|verb| text.contains(verb))
}

/// In scripts without spaces the verb may be anywhere; in the others it must be a separate word.
fn is_word_before(text: &str, verb: &str) -> bool {
    let before = text[..text.len() - verb.len()].chars().next_back();
    !verb.is_ascii() || before.is_none_or(|c| c.is_whitespace())
}

/// A year of four digits, in our calendar or in the Thai one, which is 543 years ahead.
fn has_year(text: &str) -> bool {
    let mut numbers = text.split(|c: char| !c.is_ascii_digit());
    numbers.any(|number| number.len() == 4 && ["19", "20", "256", "257"].iter().any(|start| number.starts_with(start)))
}

/// `7:12`, `07.12`, `7h12`.
fn has_time(text: &str) -> bool {
    text.as_bytes().windows(4).any(|four| {
        matches!(four, [hour, b':' | b'.' | b'h', ten, one]
            if hour.is_ascii_digit() && ten.is_ascii_digit() && one.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(line: &str) {
        assert!(introduces(&PlainLine::of(line)), "{line}");
    }

    #[test]
    fn p6_introductions_in_many_languages() {
        case("On Fri, Nov 20, 2026 at 7:12 AM Ringmail <box+g7.free.abc@play.example> wrote:");
        case("Am Fr., 20. Nov. 2026 um 07:12 Uhr schrieb Ringmail <box@play.example>:");
        case("Am Freitag, 20. November 2026, 07:12:33 MEZ hat Ringmail <box@play.example> Folgendes geschrieben:");
        case("Le ven. 20 nov. 2026 à 07:12, Ringmail <box@play.example> a écrit\u{a0}:");
        case("El vie, 20 nov 2026 a las 7:12, Ringmail (<box@play.example>) escribió:");
        case("Em sex., 20 de nov. de 2026 às 07:12, Ringmail <box@play.example> escreveu:");
        case("Il giorno ven 20 nov 2026 alle ore 07:12 Ringmail <box@play.example> ha scritto:");
        case("Op vr 20 nov 2026 om 07:12 schreef Ringmail <box@play.example>:");
        case("Den fre 20 nov. 2026 kl 07:12 skrev Ringmail <box@play.example>:");
        case("pe 20. marrask. 2026 klo 7.12 Ringmail (box@play.example) kirjoitti:");
        case("pt., 20 lis 2026 o 07:12 Ringmail <box@play.example> napisał(a):");
        case("pá 20. 11. 2026 v 7:12 odesílatel Ringmail <box@play.example> napsal:");
        case("пт, 20 нояб. 2026 г. в 07:12, Ringmail <box@play.example>:");
        case("20.11.2026 07:12, Ringmail пишет:");
        case("Ringmail <box@play.example>, 20 Kas 2026 Cum, 07:12 tarihinde şunu yazdı:");
        case("Στις Παρ 20 Νοε 2026 στις 7:12 π.μ., ο χρήστης Ringmail <box@play.example> έγραψε:");
        case("Ringmail <box@play.example> ezt írta (időpont: 2026. nov. 20., P, 7:12):");
        case("2026年11月20日(金) 16:12 Ringmail <box@play.example>:");
        case("Ringmail <box@play.example> 于2026年11月20日周五 15:12写道：");
        case("2026년 11월 20일 (금) 오후 4:12, Ringmail <box@play.example>님이 작성:");
        case(
            "\u{202b}בתאריך יום ו׳, 20 בנוב׳ 2026 ב-7:12 מאת \u{202a}Ringmail\u{202c}\u{200f} \
             <\u{202a}box@play.example\u{202c}\u{200f}>:\u{202c}",
        );
        case("Gandalf wrote:");
    }

    #[test]
    fn sentences_introduce_nothing() {
        for line in
            ["attack mordor from gondor", "place 3 the-shire:", "rewrote:", "when asked violent-storms say pass", ""]
        {
            assert!(!introduces(&PlainLine::of(line)), "{line}");
        }
    }

    fn is_header(lines: &[&str]) -> bool {
        is_header_block(&PlainLine::of(lines[0]), lines[1..].iter().copied())
    }

    fn announces(line: &str) -> bool {
        announces_old_letter(&PlainLine::of(line))
    }

    #[test]
    fn p6_headers_of_old_letters() {
        assert!(is_header(&["*From:* Ringmail", "*Sent:* Friday", "*To:* Frodo", "*Subject:* [g7]"]));
        assert!(is_header(&["Von: Ringmail", "Gesendet: Freitag", "An: Frodo", "Betreff: [g7]"]));
        assert!(!is_header(&["from: gondor", "attack mordor"]));
        assert!(announces("-----Original Message-----"));
        assert!(announces("---------- Forwarded message ---------"));
        assert!(announces("Begin forwarded message:"));
        assert!(!announces("original message"));
    }

    #[test]
    fn marks_of_direction_and_doubled_spaces_are_no_part_of_a_line() {
        let mut line = PlainLine::of("\u{200e} On \u{202a} Freitag\u{a0} ");
        line.go_on("\u{feff}");
        line.go_on("  ١٢ It\u{2019}s\t");
        assert_eq!(line.as_str(), "on freitag 12 it's");
    }
}
