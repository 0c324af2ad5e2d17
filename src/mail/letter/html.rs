/*! HTML to lines, deterministically (P2), for the letters that carry no plain text.

Not a browser: block elements break lines, white space collapses, and whatever a mail program marks as quoted, hidden
or struck out is counted as quoted, so that it cannot play. Entities are decoded by the mail parser's own table.
*/

use super::flowed::{self, Breaks, Line};
use mail_parser::decoders::html::add_html_token;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Elements deeper than this are treated as quoted: no mail program nests so deep by honest work.
const DEPTH_MAX: usize = 512;

/// Converts one HTML part to lines; quoted regions have depth 1 or more.
#[must_use]
pub fn lines(html: &str) -> Vec<Line> {
    let mut page = Page::default();
    let mut rest = html;
    while !rest.is_empty() {
        rest = match rest.find('<') {
            Some(0) => page.markup(rest),
            Some(start) => {
                page.text(&rest[..start]);
                &rest[start..]
            }
            None => {
                page.text(rest);
                ""
            }
        };
    }
    page.break_if_begun();
    page.lines
}

/// What an open element does to the text inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    Plain,
    /// Old text: quoted, or a signature.
    Quoted,
    /// Not shown to a reader: head, style, script, hidden, struck out.
    Unseen,
    Preformatted,
    /// Plain text that a server on the way has made HTML of: its lines may have been wrapped before.
    PerhapsWrapped,
}

/// What a tag that opens an element stands for.
struct Element {
    name: String,
    effect: Effect,
    /// Everything behind it is an old letter.
    begins_old_letter: bool,
    /// Nothing can stand inside.
    is_void: bool,
}

#[derive(Default)]
struct Page<'a> {
    lines: Vec<Line>,
    line: String,
    open: Vec<Rc<Element>>,
    /// How many of them have each effect: no letter makes us go through them for every word of it.
    counts: [usize; Effect::PerhapsWrapped as usize + 1],
    /// A mail program writes the same few tags over and over: what one stands for is found out once.
    known: BTreeMap<&'a str, Rc<Element>>,
    /// Everything that follows is an old letter: Outlook marks only where it begins.
    old_letter_begun: bool,
}

impl<'a> Page<'a> {
    fn depth(&self) -> usize {
        self.counts[Effect::Quoted as usize]
            + usize::from(self.old_letter_begun)
            + usize::from(self.open.len() >= DEPTH_MAX)
    }

    fn is_in(&self, wanted: Effect) -> bool {
        self.counts[wanted as usize] > 0
    }

    fn break_line(&mut self) {
        let number = self.lines.len() + 1;
        let line = std::mem::take(&mut self.line);
        let line = line.trim_end_matches(' ');
        let width = line.chars().count();
        // P6: text that was made HTML of keeps its signs of quotation.
        let (marks, text) = flowed::fixed_depth(line);
        let (depth, text) = (self.depth() + marks, text.to_owned());
        let is_uncertain = self.is_in(Effect::Preformatted) || self.is_in(Effect::PerhapsWrapped);
        let breaks = if is_uncertain { Breaks::Uncertain } else { Breaks::Meant };
        self.lines.push(Line { number, last: number, depth, text, breaks, width });
    }

    fn break_if_begun(&mut self) {
        if !self.line.trim().is_empty() {
            self.break_line();
        }
        self.line.clear();
    }

    fn text(&mut self, text: &str) {
        if self.is_in(Effect::Unseen) {
            return;
        }
        if self.is_in(Effect::Preformatted) {
            for (index, piece) in text.split('\n').enumerate() {
                if index > 0 {
                    self.break_line();
                }
                self.words(piece.trim_end_matches('\r'));
            }
            return;
        }
        self.words(text);
    }

    /// Adds running text, white space collapsed to one space and entities decoded.
    fn words(&mut self, text: &str) {
        for (index, word) in text.split([' ', '\t', '\n', '\r', '\x0c']).enumerate() {
            if index > 0 && !self.line.is_empty() && !self.line.ends_with(' ') {
                self.line.push(' ');
            }
            let mut rest = word;
            while let Some(start) = rest.find('&') {
                self.line.push_str(&rest[..start]);
                let entity = &rest[start..];
                let end = entity.find(';').filter(|end| (2..=32).contains(end));
                match end {
                    Some(end) => {
                        add_html_token(&mut self.line, &entity.as_bytes()[..=end], false);
                        rest = &entity[end + 1..];
                    }
                    None => {
                        self.line.push('&');
                        rest = &entity[1..];
                    }
                }
            }
            self.line.push_str(rest);
        }
    }

    /// Takes one piece of markup off the front of `rest`, which starts with `<`.
    fn markup(&mut self, rest: &'a str) -> &'a str {
        if let Some(comment) = rest.strip_prefix("<!--") {
            return comment.find("-->").map_or("", |end| &comment[end + 3..]);
        }
        let Some(inside) = rest.strip_prefix('<').filter(|inside| inside.starts_with(is_markup_start)) else {
            self.text("<");
            return &rest[1..];
        };
        let (inside, rest) = match end_of_tag(inside) {
            Some(end) => (&inside[..end], &inside[end + 1..]),
            None => return "",
        };
        match inside.strip_prefix('/') {
            Some(name) => self.close(&tag_name(name)),
            None if inside.starts_with(['!', '?']) => {}
            None => self.open(inside),
        }
        rest
    }

    fn open(&mut self, tag: &'a str) {
        let element = Rc::clone(self.known.entry(tag).or_insert_with(|| Rc::new(Element::of(tag))));
        if is_block(&element.name) || element.effect == Effect::Quoted {
            self.break_if_begun();
        }
        self.old_letter_begun |= element.begins_old_letter;
        match element.name.as_str() {
            "br" => self.break_line(),
            "hr" => {
                // A rule across the page ends what the writer says; quoting knows it by this line.
                self.line.push_str("________________________________");
                self.break_line();
            }
            "td" | "th" => self.words(" "),
            _ => {}
        }
        if !element.is_void && self.open.len() < DEPTH_MAX {
            self.counts[element.effect as usize] += 1;
            self.open.push(element);
        }
    }

    fn close(&mut self, name: &str) {
        let position = self.open.iter().rposition(|open| open.name == name);
        // What is closed out of its turn ends nothing that was not the writer's: in doubt it goes on.
        let closes = |position: &usize| self.open[position + 1..].iter().all(|inner| inner.ends_with_the_outer());
        let position = position.filter(closes);
        let was_quoted = position.is_some_and(|position| self.open[position].effect == Effect::Quoted);
        if is_block(name) || was_quoted {
            self.break_if_begun();
        }
        if let Some(position) = position {
            self.open.drain(position..).for_each(|closed| self.counts[closed.effect as usize] -= 1);
        }
    }
}

fn is_markup_start(c: char) -> bool {
    c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')
}

/// Where the tag ends, with regard to quoted attributes.
fn end_of_tag(inside: &str) -> Option<usize> {
    let mut quote = None;
    let mut previous = '=';
    for (index, c) in inside.char_indices() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if matches!(c, '"' | '\'') && previous == '=' => quote = Some(c),
            None if c == '>' => return Some(index),
            None => {}
        }
        if !c.is_whitespace() {
            previous = c;
        }
    }
    // An unclosed quotation mark: the first `>` must do.
    inside.find('>')
}

fn tag_name(inside: &str) -> String {
    let end = inside.find(|c: char| !c.is_ascii_alphanumeric() && c != ':');
    inside[..end.unwrap_or(inside.len())].to_ascii_lowercase()
}

fn is_block(name: &str) -> bool {
    matches!(
        name,
        "p" | "div"
            | "li"
            | "ul"
            | "ol"
            | "tr"
            | "table"
            | "tbody"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "pre"
            | "blockquote"
            | "hr"
            | "body"
            | "section"
            | "article"
            | "header"
            | "footer"
            | "center"
            | "dl"
            | "dt"
            | "dd"
            | "address"
            | "fieldset"
            | "form"
    )
}

fn is_void(name: &str) -> bool {
    matches!(name, "br" | "hr" | "img" | "meta" | "link" | "input" | "col" | "area" | "base" | "wbr")
}

/// Classes and ids by which mail programs mark what is not the writer's own.
const OLD_TEXT: [&str; 17] = [
    "gmail_quote",
    "gmail_attr",
    "gmail_signature",
    "moz-cite-prefix",
    "moz-signature",
    "moz-forward-container",
    "yahoo_quoted",
    "protonmail_quote",
    "protonmail_signature_block",
    "zmail_extra",
    "outlookmessageheader",
    "ms-outlook-mobile-signature",
    "applemailsignature",
    "tutanota_quote",
    "name=\"quote\"",
    "messagereplysection",
    "messagesignaturesection",
];

/// Ids after which everything is the old letter: Outlook does not put the letter inside the mark.
const OLD_LETTER_BEGINS: [&str; 4] = ["divrplyfwdmsg", "appendonsend", "stopspelling", "mail-editor-reference-message"];

impl Element {
    fn of(tag: &str) -> Element {
        let (name, tag) = (tag_name(tag), tag.to_ascii_lowercase());
        let compact: String = tag.split_whitespace().collect();
        Element {
            effect: effect(&name, &tag, &compact),
            begins_old_letter: begins_old_letter(&name, &tag, &compact),
            is_void: is_void(&name) || tag.ends_with('/'),
            name,
        }
    }

    /// Whether it ends with an element around it, although it is still open.
    fn ends_with_the_outer(&self) -> bool {
        let has_no_own_end = matches!(self.name.as_str(), "p" | "li" | "td" | "th" | "tr" | "dt" | "dd");
        has_no_own_end || !matches!(self.effect, Effect::Quoted | Effect::Unseen)
    }
}

/// `tag` is in lower case, `compact` the same without white space.
fn effect(name: &str, tag: &str, compact: &str) -> Effect {
    match name {
        "head" | "style" | "script" | "title" | "s" | "strike" | "del" | "template" | "noscript" => Effect::Unseen,
        // What is shown in their place, where they cannot be shown.
        "iframe" | "object" | "noembed" | "noframes" | "audio" | "video" | "canvas" | "datalist" => Effect::Unseen,
        _ if is_hidden(tag, compact) => Effect::Unseen,
        "blockquote" => Effect::Quoted,
        // Outlook and GMX: a bar at the left of what is quoted.
        "div" if compact.contains("border-left:") && !compact.contains("border-left:none") => Effect::Quoted,
        _ if OLD_TEXT.iter().any(|mark| tag.contains(mark)) => Effect::Quoted,
        "div" if tag.contains("plaintext") => Effect::PerhapsWrapped,
        "pre" => Effect::Preformatted,
        _ => Effect::Plain,
    }
}

fn is_hidden(tag: &str, compact: &str) -> bool {
    const STYLES: [&str; 5] =
        ["display:none", "visibility:hidden", "visibility:collapse", "mso-hide:all", "line-through"];
    let is_shut =
        || compact.contains("overflow:hidden") && ["height:", "width:"].iter().any(|style| is_zero(compact, style));
    let is_far = || {
        let is_great = |value: &str| value.strip_prefix('-').is_some_and(|value| digits(value, "").len() >= 3);
        ["text-indent:", "left:", "top:"].iter().any(|style| values(compact, style).any(is_great))
    };
    STYLES.iter().any(|style| compact.contains(style))
        || ["font-size:", "max-height:", "opacity:"].iter().any(|style| is_zero(compact, style))
        || values(compact, "color:").any(|value| value.starts_with("transparent"))
        || is_shut()
        || is_far()
        || tag.split_whitespace().skip(1).any(|word| word == "hidden" || word.starts_with("hidden="))
}

/// What follows a style wherever it stands; `width:` is not `border-width:`.
fn values<'a>(compact: &'a str, style: &'a str) -> impl Iterator<Item = &'a str> {
    let places = compact.match_indices(style).map(|(at, _)| compact.split_at(at));
    let is_whole = |before: &str| !before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '-');
    places.filter(move |(before, _)| is_whole(before)).map(|(_, found)| &found[style.len()..])
}

/// The number that a value begins with; `point` are characters that may stand in it beside digits.
fn digits<'a>(value: &'a str, point: &str) -> &'a str {
    &value[..value.len() - value.trim_start_matches(|c: char| c.is_ascii_digit() || point.contains(c)).len()]
}

/// Whether a style has the value nought, in whatever unit.
fn is_zero(compact: &str, style: &str) -> bool {
    let mut numbers = values(compact, style).map(|value| digits(value, "."));
    numbers.any(|number| number.contains('0') && number.bytes().all(|byte| matches!(byte, b'0' | b'.')))
}

fn begins_old_letter(name: &str, tag: &str, compact: &str) -> bool {
    let is_marked = OLD_LETTER_BEGINS.iter().any(|mark| tag.contains(mark));
    // Outlook for Windows: the old letter's header stands in a div with only a line above it.
    is_marked || (name == "div" && compact.contains("border:none;border-top:solid"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(html: &str, expected: &[(usize, &str)]) {
        let found = lines(html);
        let found: Vec<(usize, &str)> = found.iter().map(|line| (line.depth, line.text.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn p2_blocks_break_lines_and_white_space_collapses() {
        case("<div>attack\n  mordor</div><div>end</div>", &[(0, "attack mordor"), (0, "end")]);
        case("one<br>two<br/>three", &[(0, "one"), (0, "two"), (0, "three")]);
        case("<p>a &amp; b&nbsp;c &lt;d&gt;</p>", &[(0, "a & b\u{a0}c <d>")]);
        case("<pre>one\n  two</pre>", &[(0, "one"), (0, "two")]);
        case("a < b", &[(0, "a < b")]);
    }

    #[test]
    fn p2_what_the_program_marks_as_old_is_quoted() {
        case("yes<blockquote>no</blockquote>yes", &[(0, "yes"), (1, "no"), (0, "yes")]);
        case("yes<div class=\"gmail_quote\"><div>no</div></div>", &[(0, "yes"), (1, "no")]);
        case("yes<div id=\"divRplyFwdMsg\">From</div>no", &[(0, "yes"), (1, "From"), (1, "no")]);
        case(
            "yes<div style='border:none;border-top:solid #E1E1E1 1.0pt'>From</div>no",
            &[(0, "yes"), (1, "From"), (1, "no")],
        );
    }

    #[test]
    fn p2_what_nobody_sees_does_not_play() {
        case("<style>p{}</style><script>x</script><!-- no -->yes<del>no</del>", &[(0, "yes")]);
        case("<span style=\"display: none\">no</span>yes", &[(0, "yes")]);
        for style in [
            "visibility: collapse",
            "color: transparent",
            "opacity: .0",
            "font-size: 0.0em",
            "height: 0; overflow: hidden",
            "position: absolute; left: -9999px",
            "text-indent: -100em",
        ] {
            case(&format!("<div style='{style}'>no</div>yes"), &[(0, "yes")]);
        }
        for style in [
            "background-color: transparent",
            "overflow: hidden; border-width: 0",
            "line-height: 0",
            "text-indent: -18.0pt",
            "opacity: 0.9",
            "left: 0",
        ] {
            case(&format!("<div style='{style}'>yes</div>"), &[(0, "yes")]);
        }
        case("<object>no</object><video>no</video>yes", &[(0, "yes")]);
    }

    #[test]
    fn broken_markup_ends_quietly() {
        case("yes <a href=\"x", &[(0, "yes")]);
        case("yes <!-- never closed", &[(0, "yes")]);
        case("</div></div>yes &unknown; &#xZZ; &", &[(0, "yes &unknown; &#xZZ; &")]);
    }
}
