/*! Which lines of a letter are its writer's own (requirement P6): quoted text, signatures and footers never play.

In doubt a line is not his own. Everything taken away is counted and named in the answer, so that nobody wonders where
his sentence went.
*/

use super::attribution::{self, Field, PlainLine};
use super::signed_block;
use crate::mail::draft::OUR_NAME;
use crate::mail::letter::flowed::{Breaks, Line};
use crate::mail::letter::spelling::is_invisible;
use crate::post::names::message_id::LineTag;
use crate::record::commit::checkpoint;
use std::fmt;

/// Stands in the first line of a letter of ours that asks: `==== g7 #412 f7a021810afa = answer above this line ====`.
pub const ABOVE_THIS_LINE: &str = "answer above this line";

/// Stands in the line above the form at the end of our letters, which may be copied to the top and filled in.
pub const ORDER_FORM: &str = "order form";

/// The most lines of an answer between the introduction of a quotation and the quotation.
const ANSWER_LINES_MAX: usize = 200;

/// The most lines of what introduces a quotation: a rule, the header of the old letter, blank ones.
const INTRODUCTION_LINES_MAX: usize = 16;

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
    /// "Sent from my phone", disclaimers, what a mailing list hangs below.
    Footer,
    /// Below a rule across the page that announces nothing known: a footer, or perhaps the writer's own.
    BelowRule,
    /// Below a signature or a footer, and below quoted lines that stand there.
    BelowFooter,
    /// P4: perhaps the tail of the quoted line above, which a mail program wrapped without quoting it again.
    PerhapsQuoted,
}

impl fmt::Display for Ownership {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Ownership::Own => "your own",
            Ownership::Quoted => "quoted text",
            Ownership::Attribution => "the line above a quotation",
            Ownership::Signature => "your signature",
            Ownership::Footer => "the footer",
            Ownership::BelowRule => "below a line across the page, which ends your letter",
            Ownership::BelowFooter => "below your signature or a footer, which ends your letter",
            Ownership::PerhapsQuoted => "perhaps the rest of the quoted line above",
        })
    }
}

/// Says of each line whose it is.
#[must_use]
pub fn judge(lines: &[Line]) -> Vec<Ownership> {
    let mut owners: Vec<Ownership> = Vec::with_capacity(lines.len());
    while owners.len() < lines.len() {
        let verdict = stretch(lines, owners.len());
        match verdict {
            Stretch::Lines(owner, count) => owners.extend(std::iter::repeat_n(owner, count)),
            Stretch::AllThatFollows(Ownership::Quoted) => owners.resize(lines.len(), Ownership::Quoted),
            Stretch::AllThatFollows(owner) => end_letter(lines, &mut owners, owner),
        }
    }
    owners
}

/// A signature or a footer ends what the writer says. Some programs put it above the quotation: where that is a letter
/// of ours, marked line by line from its first line on, he may answer between its lines. In another quotation a line
/// that is not marked is not played, and the answer names it.
fn end_letter(lines: &[Line], owners: &mut Vec<Ownership>, owner: Ownership) {
    let mut is_below_quotation = false;
    while let Some(line) = lines.get(owners.len()) {
        let is_blank = line.text.trim().is_empty();
        if line.depth == 1 && !is_below_quotation && tag_of_line(&line.text).is_some() {
            return;
        }
        if line.depth == 0 && !is_blank && begins_unmarked_letter(lines, owners.len()) {
            return owners.resize(lines.len(), Ownership::Quoted);
        }
        is_below_quotation |= line.depth > 0;
        let is_unmarked = is_below_quotation && line.depth == 0 && !is_blank;
        owners.push(if is_unmarked { Ownership::BelowFooter } else { owner });
    }
}

fn begins_unmarked_letter(lines: &[Line], index: usize) -> bool {
    matches!(stretch(lines, index), Stretch::AllThatFollows(Ownership::Quoted))
}

/// The sign with which a line of the writer's own begins although lines are quoted with it, if by few programs: in
/// doubt the line is not his.
#[must_use]
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

/// What the old letter below says of itself in its first line: the head its writer had seen, for mail programs that
/// keep neither `In-Reply-To` nor the subject.
#[must_use]
pub fn tag_of_quoted(lines: &[Line]) -> Option<LineTag> {
    lines.iter().find_map(|line| tag_of_line(&line.text))
}

/// Reads a first line of ours, whatever it asks: signs of equality, the tag, signs of equality.
fn tag_of_line(text: &str) -> Option<LineTag> {
    let inside = text.trim().strip_prefix("===")?.trim_start_matches('=');
    LineTag::read(inside.split('=').next()?)
}

/// Where a mail program quotes without any sign, the first line of our letter is the sign.
fn is_our_first_line(text: &str, plain: &PlainLine) -> bool {
    tag_of_line(text).is_some() || plain.as_str().contains(ABOVE_THIS_LINE)
}

enum Stretch {
    Lines(Ownership, usize),
    AllThatFollows(Ownership),
}

fn stretch(lines: &[Line], index: usize) -> Stretch {
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
    // The rules around a signature announce nothing.
    if signed_block::is_frame(text) {
        return Stretch::Lines(Ownership::Own, 1);
    }
    let plain = PlainLine::of(text);
    if is_our_first_line(text, &plain) {
        return Stretch::AllThatFollows(Ownership::Quoted);
    }
    // RFC 3676 §4.3; many mail programs lose the space behind it.
    if matches!(line.text.trim_end(), "--" | "\u{2014}") {
        return Stretch::AllThatFollows(Ownership::Signature);
    }
    if let Some(count) = attribution_length(&plain, &lines[index + 1..]) {
        return after_attribution(lines, index, count);
    }
    let begins_old_letter =
        attribution::introduces_in_line(&plain) || begins_old_letter(&plain, written(&lines[index + 1..]));
    // Words between two rules announce an old letter in any language; only the head of our own form does not.
    if begins_old_letter || (is_framed(text) && !plain.as_str().contains(ORDER_FORM)) {
        return old_letter(&lines[index..]);
    }
    if names_us(&plain)
        && let Some(count) = introduces_ours(&lines[index..])
    {
        return Stretch::Lines(Ownership::Attribution, count);
    }
    if is_rule(text) {
        return below_rule(&lines[index..]);
    }
    if is_disclaimer(&plain) {
        return Stretch::AllThatFollows(Ownership::Footer);
    }
    if is_device_signature(&plain) {
        return Stretch::Lines(Ownership::Footer, 1);
    }
    if is_tail_of_quote(lines, index) {
        return Stretch::Lines(Ownership::PerhapsQuoted, 1);
    }
    Stretch::Lines(Ownership::Own, 1)
}

/// How many lines are a checkpoint of a letter of ours, which is quoted or copied without a mark; the rule above it
/// belongs to it.
fn checkpoint_length(lines: &[Line]) -> Option<usize> {
    let unmarked = || lines.iter().take_while(|line| line.depth == 0).map(|line| line.text.as_str());
    let rule = usize::from(is_framed(lines[0].text.trim()));
    checkpoint::begins(unmarked().nth(rule)?).then(|| rule + checkpoint::length(unmarked().skip(rule)))
}

/// The lines on which something stands.
fn written(lines: &[Line]) -> impl Iterator<Item = &str> {
    lines.iter().map(|line| line.text.trim()).filter(|text| !text.is_empty())
}

/// How many lines, from this one, introduce a quotation; mail programs wrap that line like any other.
fn attribution_length(first: &PlainLine, below: &[Line]) -> Option<usize> {
    if attribution::introduces(first) {
        return Some(1);
    }
    if !attribution::begins(first) {
        return None;
    }
    let mut joined = first.clone();
    let is_of_paragraph = |line: &&Line| line.depth == 0 && !line.text.trim().is_empty();
    for (count, line) in (2..=4).zip(below.iter().take_while(is_of_paragraph)) {
        joined.go_on(&line.text);
        if attribution::introduces(&joined) {
            return Some(count);
        }
    }
    None
}

/// Behind the introduction either lines marked as quoted follow, and between them the writer may answer; or nothing is
/// marked, and then all that follows is the old letter.
fn after_attribution(lines: &[Line], index: usize, count: usize) -> Stretch {
    let (introduction, below) = lines[index..].split_at(count);
    let next = below.iter().find(|line| !line.text.trim().is_empty());
    match next {
        Some(next) if next.depth == 0 && !is_answer_before(introduction, below) => {
            Stretch::AllThatFollows(Ownership::Quoted)
        }
        Some(_) | None => Stretch::Lines(Ownership::Attribution, count),
    }
}

/// Whether a letter of ours is introduced and the first marked line is its first: what stands between is the answer. An
/// old letter of the writer's own, quoted without marks, looks alike, but is not introduced as ours.
fn is_answer_before(introduction: &[Line], below: &[Line]) -> bool {
    let marked = below.iter().take(ANSWER_LINES_MAX).find(|line| line.depth > 0);
    let Some(tag) = marked.filter(|line| line.depth == 1).and_then(|line| tag_of_line(&line.text)) else {
        return false;
    };
    names_sender(introduction, &tag)
}

/// Whether these lines name the post office as our letters do: `Ringmail g7 (free)`.
fn names_sender(lines: &[Line], tag: &LineTag) -> bool {
    let mut joined = PlainLine::default();
    lines.iter().for_each(|line| joined.go_on(&line.text));
    joined.as_str().contains(&format!("{} {} (", OUR_NAME.to_lowercase(), tag.game))
}

/// A line that may introduce a letter of ours in whatever words: `Zitat von Ringmail g7 (free):`.
fn names_us(line: &PlainLine) -> bool {
    line.as_str().ends_with(':') && line.as_str().contains(&OUR_NAME.to_lowercase())
}

/// All that follows an announcement is the old letter, unless that is ours and its lines are marked.
fn old_letter(lines: &[Line]) -> Stretch {
    match introduces_ours(lines) {
        Some(count) => Stretch::Lines(Ownership::Attribution, count),
        None => Stretch::AllThatFollows(Ownership::Quoted),
    }
}

/// How many lines introduce a letter of ours, if its first line stands marked right below them: between the lines of
/// such a letter its reader may answer. An old letter of his own that begins with ours does not come from us.
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

fn begins_old_letter<'a>(first: &PlainLine, below: impl Iterator<Item = &'a str>) -> bool {
    attribution::announces_old_letter(first) || attribution::is_header_block(first, below)
}

/// Whose the lines below a rule are: Outlook puts one above an old letter.
fn below_rule(lines: &[Line]) -> Stretch {
    let below = &lines[1..];
    let Some(next) = below.iter().position(|line| !line.text.trim().is_empty()) else {
        return Stretch::Lines(Ownership::Footer, 1);
    };
    let first = PlainLine::of(below[next].text.trim());
    if begins_old_letter(&first, written(&below[next + 1..])) {
        return old_letter(lines);
    }
    // The quotation begins here, or is introduced.
    if below[next].depth > 0 || attribution_length(&first, &below[next + 1..]).is_some() {
        return Stretch::Lines(Ownership::Footer, 1);
    }
    let is_known = is_disclaimer(&first) || is_device_signature(&first);
    Stretch::AllThatFollows(if is_known { Ownership::Footer } else { Ownership::BelowRule })
}

/// A rule across the page: what mailing lists, virus scanners and Outlook put between a letter and the rest.
fn is_rule(text: &str) -> bool {
    let mut characters = text.chars();
    let first = characters.next().unwrap_or(' ');
    matches!(first, '_' | '-' | '=' | '*' | '~' | '\u{2500}' | '\u{2014}')
        && text.chars().count() >= 5
        && characters.all(|c| c == first)
}

/// Words between two rules: `----- Mensagem de origem -----`.
fn is_framed(text: &str) -> bool {
    let is_rule = |c: char| matches!(c, '-' | '_' | '=' | '*' | '\u{2500}' | '\u{2014}');
    let is_long = |rule: usize| rule >= 4;
    is_long(text.chars().take_while(|c| is_rule(*c)).count())
        && is_long(text.chars().rev().take_while(|c| is_rule(*c)).count())
        && !text.trim_matches(is_rule).trim().is_empty()
}

/// First words of the lines that phones and programs add by themselves.
const DEVICE: [&str; 54] = [
    "sent from my ",
    "sent from mail for ",
    "sent from yahoo",
    "sent from proton",
    "sent from outlook",
    "sent from aol",
    "sent from gmail",
    "sent from samsung",
    "sent via ",
    "sent with ",
    "sent using ",
    "get outlook for ",
    "get bluemail for ",
    "von meinem ",
    "gesendet von ",
    "gesendet mit ",
    "gesendet über ",
    "diese nachricht wurde von meinem ",
    "envoyé de mon ",
    "envoyé depuis ",
    "envoyé à partir de ",
    "télécharger outlook pour ",
    "enviado desde ",
    "enviado do meu ",
    "enviado a partir do ",
    "obtener outlook para ",
    "inviato da ",
    "inviato dal ",
    "scarica outlook per ",
    "verstuurd vanaf ",
    "verzonden vanaf ",
    "skickat från ",
    "sendt fra ",
    "lähetetty ",
    "wysłane z ",
    "wysłano z ",
    "odesláno z ",
    "отправлено с ",
    "отправлено из ",
    "发自我的",
    "trimis de pe ",
    "надіслано з ",
    "изпратено от ",
    "enviat des d",
    "enviada do meu ",
    "odoslané z ",
    "poslano s ",
    "poslano z ",
    "sänt från ",
    "στάλθηκε από ",
    "đã gửi từ ",
    "gửi từ ",
    "أُرسلت من ",
    "أرسلت من ",
];

fn is_device_signature(line: &PlainLine) -> bool {
    let text = line.as_str().trim_start_matches(['-', '_', '*', ' ', '\u{2014}']);
    DEVICE.iter().any(|first| text.starts_with(first))
        || ["から送信", "에서 보냄", "dan gönderildi", "傳送"].iter().any(|last| text.ends_with(last))
}

/// First words of what lawyers and virus scanners add.
const DISCLAIMER: [&str; 67] = [
    "confidentiality notice",
    "confidentiality:",
    "disclaimer",
    "important notice",
    "legal notice",
    "this e-mail and any",
    "this email and any",
    "this e-mail is confidential",
    "this message and any",
    "this message is intended",
    "the information contained in this",
    "the contents of this email",
    "this email has been checked for viruses",
    "virus-free.",
    "diese e-mail enthält",
    "diese e-mail kann",
    "diese nachricht ist vertraulich",
    "ce message et toutes les pièces",
    "le informazioni contenute",
    "this message contains confidential",
    "this communication is ",
    "the information in this e",
    "please consider the environment",
    "think before you print",
    "virenfrei.",
    "diese e-mail wurde von avast",
    "diese e-mail und ",
    "vertraulichkeitshinweis",
    "der inhalt dieser e-mail",
    "bitte prüfen sie der umwelt zuliebe",
    "ce courriel ",
    "ce message est confidentiel",
    "garanti sans virus",
    "este correo electrónico ",
    "aviso legal",
    "aviso de confidencialidad",
    "libre de virus.",
    "ai sensi del ",
    "questo messaggio ",
    "de informatie verzonden",
    "deze e-mail ",
    "niniejsza wiadomość",
    "esta mensagem ",
    "aviso de confidencialidade",
    "настоящее сообщение ",
    "this e-mail is intended",
    "this email is intended",
    "this e-mail may contain",
    "this email may contain",
    "this message may contain",
    "this transmission ",
    "the information in this message",
    "the information transmitted",
    "if you are not the intended",
    "diese e-mail ist ",
    "die in dieser e-mail",
    "ce message est destiné",
    "ce message et ses pièces",
    "les informations contenues",
    "este mensaje ",
    "questa e-mail ",
    "dit bericht ",
    "detta meddelande ",
    "denne e-post",
    "denne mail ",
    "tato zpráva ",
    "это сообщение ",
];

fn is_disclaimer(line: &PlainLine) -> bool {
    let text = line.as_str().trim_start_matches(['*', '_', ' ']);
    DISCLAIMER.iter().any(|first| text.starts_with(first))
}

/// P4: the line above is quoted and so long that its next word would not have fitted: this may be that word. Between
/// two quoted lines it may be even where they are narrower: old letters that are wrapped anew look like a comb.
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
