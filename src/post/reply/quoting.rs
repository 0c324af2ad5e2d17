/*! Which lines of a letter are its writer's own (requirement P6): quoted text, signatures and footers never play.

In doubt a line is not his own. The answer counts and names everything that is taken away, so that nobody wonders
where his sentence went.
*/

use super::attribution::{self, Field, PlainLine};
use super::footers::{self, Armour, is_device_signature, is_disclaimer, is_framed, is_rule};
use super::signed_block;
use super::vocabulary::Vocabulary;
use crate::names::message_id::LineTag;
use mail::draft::OUR_NAME;
use mail::letter::flowed::{Breaks, Line};
use mail::letter::spelling::is_invisible;
use record::commit::checkpoint;
use std::fmt;

/// Part of the first line of a letter of ours that asks: `==== g7 #412 f7a021810afa = answer above this line ====`.
pub const ABOVE_THIS_LINE: &str = "answer above this line";

/// Part of the line above the form at the end of our letters, which may be copied to the top and filled in.
pub const ORDER_FORM: &str = "order form";

/// The most lines an answer can have between the introduction of a quotation and the quotation itself.
const ANSWER_LINES_MAX: usize = 200;

/// The most lines of an introduction to a quotation: a rule, the header of the old letter, blank ones.
const INTRODUCTION_LINES_MAX: usize = 16;

/// How many lines of a menu are searched for one with a noun.
const MENU_LINES_MAX: usize = 20;

/// Whose a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ownership {
    Own,
    /// An old letter, ours or another's.
    Quoted,
    /// "On … wrote:"
    Attribution,
    /// What follows `-- `.
    Signature,
    /// "Sent from my phone", disclaimers, lines that a mailing list adds at the end.
    Footer,
    /// Below a rule across the page that announces nothing known: a footer, or perhaps the writer's own lines.
    BelowRule,
    /// Below a signature or a footer, or below quoted lines that come after one.
    BelowFooter,
    /// The armour of a PGP signature.
    Armour,
    Encrypted,
    /// Lines that are not marked as quoted, but follow words that may introduce a quotation.
    PerhapsOld,
    /// P4: perhaps the end of the quoted line above, which a mail program wrapped without marking it again.
    PerhapsQuoted,
}

impl fmt::Display for Ownership {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Ownership::Own => "your own",
            Ownership::Quoted | Ownership::PerhapsOld => "quoted text",
            Ownership::Attribution => "the line above a quotation",
            Ownership::Signature => "your signature",
            Ownership::Footer => "the footer",
            Ownership::BelowRule => "below a line across the page, which ends your letter",
            Ownership::BelowFooter => "below your signature or a footer, which ends your letter",
            Ownership::Armour => "a PGP signature, which is not checked here",
            Ownership::Encrypted => "encrypted, and cannot be read here; send it in clear, signed if you like",
            Ownership::PerhapsQuoted => "perhaps the rest of the quoted line above",
        })
    }
}

/// Says whose each line is.
pub fn judge(lines: &[Line], vocabulary: &Vocabulary) -> Vec<Ownership> {
    let mut owners: Vec<Ownership> = Vec::with_capacity(lines.len());
    while owners.len() < lines.len() {
        let verdict = stretch(lines, owners.len(), vocabulary);
        match verdict {
            Stretch::Lines(owner, count) => {
                let end = lines.len().min(owners.len() + count);
                owners.resize(end, owner);
            }
            Stretch::AllThatFollows(owner @ (Ownership::Quoted | Ownership::PerhapsOld)) => {
                owners.resize(lines.len(), owner);
            }
            Stretch::AllThatFollows(owner) => end_letter(lines, &mut owners, owner, vocabulary),
        }
    }
    owners
}

/// How many lines come before the first line of a letter of ours: all of them if there is none.
pub fn above_our_letter(lines: &[Line]) -> usize {
    let is_ours = |line: &Line| {
        let text = line.text.trim();
        is_our_first_line(text, &PlainLine::of(text)) || footers::is_of_ours(text)
    };
    lines.iter().position(is_ours).unwrap_or(lines.len())
}

/// A signature or a footer ends the writer's own lines. But some programs put it above the quotation: if that is a
/// letter of ours, marked line by line from its first line on, he may answer between its lines. In any other
/// quotation an unmarked line is not played, and the answer names it.
fn end_letter(lines: &[Line], owners: &mut Vec<Ownership>, owner: Ownership, vocabulary: &Vocabulary) {
    let mut is_below_quotation = false;
    while let Some(line) = lines.get(owners.len()) {
        let is_blank = line.text.trim().is_empty();
        if line.depth == 1 && !is_below_quotation && tag_of_line(&line.text).is_some() {
            return;
        }
        if line.depth == 0 && !is_blank && begins_unmarked_letter(lines, owners.len(), vocabulary) {
            return owners.resize(lines.len(), Ownership::Quoted);
        }
        is_below_quotation |= line.depth > 0;
        let is_unmarked = is_below_quotation && line.depth == 0 && !is_blank;
        owners.push(if is_unmarked { Ownership::BelowFooter } else { owner });
    }
}

fn begins_unmarked_letter(lines: &[Line], index: usize, vocabulary: &Vocabulary) -> bool {
    let verdict = stretch(lines, index, vocabulary);
    matches!(verdict, Stretch::AllThatFollows(Ownership::Quoted | Ownership::PerhapsOld))
}

/// The sign at the beginning of a line of the writer's own that a few programs use for quoting: in doubt the line is
/// not his.
pub fn mark(line: &str) -> Option<char> {
    let mut visible = line.chars().skip_while(|c| c.is_whitespace() || is_invisible(*c));
    let mark = visible.next()?;
    let is_apart = visible.next().is_none_or(char::is_whitespace);
    match mark {
        '>' | '|' | '\u{bb}' | '\u{203a}' | '\u{276f}' => Some(mark),
        ':' | '}' | '%' if is_apart => Some(mark),
        _ => None,
    }
}

/// The tag in the first line of the old letter below: the head its writer had seen, for mail programs that keep
/// neither `In-Reply-To` nor the subject.
pub fn tag_of_quoted(lines: &[Line]) -> Option<LineTag> {
    lines.iter().find_map(|line| tag_of_line(&line.text))
}

/// Reads a first line of ours, whatever it asks: equals signs, the tag, equals signs.
fn tag_of_line(text: &str) -> Option<LineTag> {
    let inside = text.trim().strip_prefix("===")?.trim_start_matches('=');
    LineTag::read(inside.split('=').next()?)
}

/// If a mail program quotes without any marks, the first line of our letter marks the quotation.
fn is_our_first_line(text: &str, plain: &PlainLine) -> bool {
    tag_of_line(text).is_some() || plain.as_str().contains(ABOVE_THIS_LINE)
}

enum Stretch {
    Lines(Ownership, usize),
    AllThatFollows(Ownership),
}

fn stretch(lines: &[Line], index: usize, vocabulary: &Vocabulary) -> Stretch {
    let line = &lines[index];
    let text = line.text.trim();
    if line.depth > 0 {
        return Stretch::Lines(Ownership::Quoted, 1);
    }
    if text.is_empty() {
        return Stretch::Lines(Ownership::Own, 1);
    }
    if let Some(count) = checkpoint_length(&lines[index..]) {
        return Stretch::Lines(Ownership::Quoted, count);
    }
    // The first and last lines of a signature look like rules, but announce nothing.
    if signed_block::is_frame(text) {
        return Stretch::Lines(Ownership::Own, 1);
    }
    match footers::armour(lines[index..].iter().take_while(|line| line.depth == 0).map(|line| line.text.as_str())) {
        Some(Armour::Head(count) | Armour::Signature(count)) => return Stretch::Lines(Ownership::Armour, count),
        Some(Armour::Encrypted) => return Stretch::AllThatFollows(Ownership::Encrypted),
        None => {}
    }
    if let Some(count) = menu_length(&lines[index..]) {
        return Stretch::Lines(Ownership::Quoted, count);
    }
    let plain = PlainLine::of(text);
    if is_our_first_line(text, &plain) || footers::is_of_ours(text) {
        return Stretch::AllThatFollows(Ownership::Quoted);
    }
    // RFC 3676 §4.3; many mail programs lose the space at its end. In signed text it is escaped.
    if matches!(line.text.trim_end(), "--" | "- --" | "\u{2014}") {
        return Stretch::AllThatFollows(Ownership::Signature);
    }
    introduced(lines, index, &plain, vocabulary).unwrap_or_else(|| put_in(lines, index, &plain))
}

/// What begins with a line that introduces an old letter; `None` if it introduces none.
fn introduced(lines: &[Line], index: usize, plain: &PlainLine, vocabulary: &Vocabulary) -> Option<Stretch> {
    // A line that may be a sentence does not begin an introduction that continues on the next lines.
    let is_sentence = vocabulary.opens(plain.as_str()) && !attribution::is_field(plain);
    let below = if is_sentence { &[] } else { &lines[index + 1..] };
    if let Some(count) = attribution_length(plain, below) {
        return Some(after_attribution(lines, index, count));
    }
    let is_in_columns =
        || attribution::is_header_in_columns(lines[index..].iter().take(16).map(|line| line.text.as_str()));
    let begins_old_letter = !is_sentence
        && (attribution::introduces_in_line(plain) || begins_old_letter(plain, &lines[index + 1..]) || is_in_columns());
    // Words between two rules announce an old letter in any language, with one exception: the head of our own form.
    if begins_old_letter {
        let is_sure = attribution::introduces_in_line(plain) || is_old_letter(&lines[index..]) || is_in_columns();
        return Some(match old_letter(&lines[index..]) {
            Stretch::AllThatFollows(_) if !is_sure => Stretch::AllThatFollows(Ownership::PerhapsOld),
            stretch => stretch,
        });
    }
    if is_framed(lines[index].text.trim()) && !plain.as_str().contains(ORDER_FORM) {
        return Some(match old_letter(&lines[index..]) {
            Stretch::AllThatFollows(_) => Stretch::AllThatFollows(Ownership::PerhapsOld),
            lines => lines,
        });
    }
    let count = introduces_ours(&lines[index..]).filter(|_| names_us(plain))?;
    Some(Stretch::Lines(Ownership::Attribution, count))
}

/// What a line is that introduces nothing.
fn put_in(lines: &[Line], index: usize, plain: &PlainLine) -> Stretch {
    // What stands above all text does not end the letter: a rule, or what a gateway puts on top, a paragraph.
    let is_first = || lines[..index].iter().all(|line| line.text.trim().is_empty());
    if is_rule(lines[index].text.trim()) && !is_first() {
        return below_rule(&lines[index..]);
    }
    if is_disclaimer(plain) {
        let paragraph =
            lines[index..].iter().take_while(|line| line.depth == 0 && !line.text.trim().is_empty()).count();
        let rest = &lines[index + paragraph..];
        let is_on_top = is_first() && rest.iter().any(|line| line.depth == 0 && !line.text.trim().is_empty());
        if is_on_top {
            return Stretch::Lines(Ownership::Footer, paragraph);
        }
        return Stretch::AllThatFollows(Ownership::Footer);
    }
    if is_device_signature(plain) {
        return Stretch::Lines(Ownership::Footer, 1);
    }
    if is_tail_of_quote(lines, index) {
        return Stretch::Lines(Ownership::PerhapsQuoted, 1);
    }
    Stretch::Lines(Ownership::Own, 1)
}

/// How many lines are a menu of a letter of ours, copied without a mark: its lines are indented, and one of them has
/// a noun to fill in, such as `claim <territory>`.
fn menu_length(lines: &[Line]) -> Option<usize> {
    let is_of_menu = |line: &&Line| line.depth == 0 && line.text.starts_with("  ") && !line.text.trim().is_empty();
    if !lines.first().is_some_and(|first| is_of_menu(&first)) {
        return None;
    }
    let menu = lines.iter().take(MENU_LINES_MAX).take_while(is_of_menu);
    menu.clone().any(|line| has_noun(&line.text)).then(|| menu.count())
}

/// Whether a word in angle brackets, which is no address, follows another word.
fn has_noun(text: &str) -> bool {
    let inside = text.trim_start().split_once(" <").and_then(|(_, behind)| behind.split_once('>'));
    inside.is_some_and(|(noun, _)| !noun.is_empty() && noun.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'))
}

/// How many lines are a checkpoint of a letter of ours, quoted or copied without a mark; the rule above it belongs to
/// it.
fn checkpoint_length(lines: &[Line]) -> Option<usize> {
    let unmarked = || lines.iter().take_while(|line| line.depth == 0).map(|line| line.text.as_str());
    let rule = usize::from(is_framed(lines[0].text.trim()));
    checkpoint::begins(unmarked().nth(rule)?).then(|| rule + checkpoint::length(unmarked().skip(rule)))
}

/// How many lines, from this one on, introduce a quotation; mail programs wrap such a line like any other.
fn attribution_length(first: &PlainLine, below: &[Line]) -> Option<usize> {
    if attribution::introduces(first) {
        return Some(1);
    }
    if !attribution::begins(first) {
        return None;
    }
    let mut joined = first.clone();
    let is_of_paragraph = |line: &&Line| line.depth == 0 && !line.text.trim().is_empty();
    for (count, line) in (2..=6).zip(below.iter().take_while(is_of_paragraph)) {
        joined.go_on(&line.text);
        if attribution::introduces(&joined) {
            return Some(count);
        }
    }
    None
}

/// After the introduction there are two cases: the quoted lines are marked, and the writer may answer between them;
/// or nothing is marked, and all that follows is the old letter.
fn after_attribution(lines: &[Line], index: usize, count: usize) -> Stretch {
    let (introduction, below) = lines[index..].split_at(count);
    let next = below.iter().find(|line| !line.text.trim().is_empty());
    match next {
        Some(next) if next.depth == 0 && !is_answer_before(introduction, below) => {
            // `As Anna said:` may introduce her words, or the writer's own.
            let is_sure = introduction.iter().any(|line| line.text.contains(|c: char| c.is_numeric() || c == '@'));
            Stretch::AllThatFollows(if is_sure { Ownership::Quoted } else { Ownership::PerhapsOld })
        }
        Some(_) | None => Stretch::Lines(Ownership::Attribution, count),
    }
}

/// Whether a letter of ours is introduced and its first line is the first marked one: then the lines between are the
/// answer. An old letter of the writer's own, quoted without marks, looks the same, but is not introduced as ours.
fn is_answer_before(introduction: &[Line], below: &[Line]) -> bool {
    let marked = below.iter().take(ANSWER_LINES_MAX).find(|line| line.depth > 0);
    let Some(tag) = marked.filter(|line| line.depth == 1).and_then(|line| tag_of_line(&line.text)) else {
        return false;
    };
    names_sender(introduction, &tag)
}

/// Whether these lines name the post office in the way our letters do: `Ringmail g7 (free)`.
fn names_sender(lines: &[Line], tag: &LineTag) -> bool {
    let mut joined = PlainLine::default();
    lines.iter().for_each(|line| joined.go_on(&line.text));
    joined.as_str().contains(&format!("{} {} (", OUR_NAME.to_lowercase(), tag.game))
}

/// Whether a line may introduce a letter of ours, in any language: `Zitat von Ringmail g7 (free):`.
fn names_us(line: &PlainLine) -> bool {
    line.as_str().ends_with(':') && line.as_str().contains(&OUR_NAME.to_lowercase())
}

/// All lines after an announcement are the old letter, unless it is ours and its lines are marked.
fn old_letter(lines: &[Line]) -> Stretch {
    match introduces_ours(lines) {
        Some(count) => Stretch::Lines(Ownership::Attribution, count),
        None => Stretch::AllThatFollows(Ownership::Quoted),
    }
}

/// Whether an announcement is followed by what may be a header in any language, by quoted lines, or by a letter of
/// ours: the words alone may be the writer's own.
fn is_old_letter(lines: &[Line]) -> bool {
    let mut header = lines.iter().skip(1).take(INTRODUCTION_LINES_MAX);
    header.any(|line| line.depth > 0 || line.text.contains(':'))
        || lines.iter().any(|line| tag_of_line(&line.text).is_some())
}

/// How many lines introduce a letter of ours, if its first line, marked, comes right below them: its reader may
/// answer between the lines of such a letter. An old letter of his own that begins with ours is not from us.
fn introduces_ours(lines: &[Line]) -> Option<usize> {
    let count = lines.iter().take(INTRODUCTION_LINES_MAX).position(|line| line.depth > 0)?;
    let (introduction, quotation) = lines.split_at(count);
    let tag = tag_of_line(&quotation[0].text).filter(|_| quotation[0].depth == 1)?;
    let mut is_named = false;
    let mut at = 0;
    while at < count {
        let text = introduction[at].text.trim();
        let plain = PlainLine::of(text);
        if text.is_empty() || is_rule(text) || is_framed(text) || attribution::announces_old_letter(&plain) {
            at += 1;
            continue;
        }
        let length = if names_us(&plain) { Some(1) } else { attribution_length(&plain, &introduction[at + 1..]) };
        is_named |= match (length, attribution::field(&plain)) {
            (Some(length), _) => names_sender(&introduction[at..at + length], &tag),
            (None, Some(Field::From)) => names_sender(&introduction[at..=at], &tag),
            (None, Some(Field::Other)) => false,
            (None, None) => return None,
        };
        at += length.unwrap_or(1);
    }
    is_named.then_some(count)
}

fn begins_old_letter(first: &PlainLine, below: &[Line]) -> bool {
    let below = below.iter().map(|line| line.text.trim());
    attribution::announces_old_letter(first) || attribution::is_header_block(first, below)
}

/// Whose the lines below a rule are: Outlook puts a rule above an old letter.
fn below_rule(lines: &[Line]) -> Stretch {
    let below = &lines[1..];
    let Some(next) = below.iter().position(|line| !line.text.trim().is_empty()) else {
        return Stretch::Lines(Ownership::Footer, 1);
    };
    let first = PlainLine::of(below[next].text.trim());
    if begins_old_letter(&first, &below[next + 1..]) {
        return old_letter(lines);
    }
    // The quotation begins here, or its introduction does.
    if below[next].depth > 0 || attribution_length(&first, &below[next + 1..]).is_some() {
        return Stretch::Lines(Ownership::Footer, 1);
    }
    let is_known = is_disclaimer(&first) || is_device_signature(&first);
    Stretch::AllThatFollows(if is_known { Ownership::Footer } else { Ownership::BelowRule })
}

/// P4: the line above is quoted and so long that its next word would not have fitted: this line may begin with that
/// word. Between two quoted lines this is possible for narrower lines too: old letters that are wrapped again look
/// like a comb.
fn is_tail_of_quote(lines: &[Line], index: usize) -> bool {
    let Some(above) = index.checked_sub(1).map(|above| &lines[above]) else {
        return false;
    };
    let first_word = lines[index].text.split_whitespace().next().map_or(0, |word| word.chars().count());
    let is_between = lines.get(index + 1).is_some_and(|below| below.depth > 0);
    let narrowest = if is_between { 58 } else { 76 };
    above.depth > 0
        && above.breaks == Breaks::Uncertain
        && above.width <= 80
        && above.width + 1 + first_word > narrowest
}
