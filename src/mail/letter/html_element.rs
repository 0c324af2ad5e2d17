/*! What an HTML element does to the text inside it: our policy on what is quoted, hidden or struck out, and the few
facts of the HTML standard that [`html`](super::html) needs to put a page together.
*/

use super::html_sheet::Sheet;

/// What an open element does to the text inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    Plain,
    /// Old text: quoted, or a signature.
    Quoted,
    /// Where Thunderbird says whom it quotes. If a player writes above that, his lines end up inside the same mark.
    Introduction,
    /// Not shown to a reader: head, style, script, struck out.
    Unseen,
    /// Hidden by its style or by an attribute.
    Hidden,
    /// Part of a form, to be filled in: its line breaks count.
    Field,
    Preformatted,
    /// Plain text that a server in transit converted to HTML: its lines may have been wrapped before that.
    PerhapsWrapped,
}

/// How many effects there are.
pub(super) const EFFECTS: usize = Effect::PerhapsWrapped as usize + 1;

/// A start tag, read.
pub(super) struct Element {
    pub name: String,
    pub effect: Effect,
    /// Everything after it is an old letter.
    pub begins_old_letter: bool,
    /// A line ends before it and after it.
    pub is_block: bool,
    /// It has no content.
    pub is_void: bool,
    /// The standard's *special* elements: the end tag of another element, such as `</span>` or `</del>`, does not
    /// reach past an open one.
    pub is_special: bool,
    /// The end tag of a block does not reach past it: a table cell, an object.
    pub is_scope: bool,
}

/// In the text of a tag, the end of its name, of an attribute's name and of a value. The tokenizer puts U+FFFD
/// wherever the letter itself has this character.
pub(super) const END: char = '\0';

impl Element {
    /// `tag` is the name and then each attribute, name and value, with an [`END`] between any two.
    pub(super) fn of(tag: &str, sheet: &Sheet) -> Element {
        let mut pieces = tag.split(END);
        let name = pieces.next().unwrap_or_default();
        let mut attributes: Vec<(&str, &str)> = Vec::new();
        while let (Some(attribute), Some(value)) = (pieces.next(), pieces.next()) {
            // A browser takes the first of two attributes with the same name.
            if attributes.iter().all(|(known, _)| *known != attribute) {
                attributes.push((attribute, value));
            }
        }
        let value = |wanted: &str| attributes.iter().find(|(name, _)| *name == wanted).map(|(_, value)| *value);
        let style = plain_style(value("style").unwrap_or_default());
        let marks: String = attributes.iter().map(|(name, value)| format!("{name}=\"{value}\" ")).collect();
        let marks = marks.to_lowercase();
        let has = |attribute: &str| value(attribute).is_some();
        let is_shut = matches!(name, "details" | "dialog") && !has("open");
        let by_sheet = sheet.hides(name, value("class").unwrap_or_default(), value("id").unwrap_or_default());
        let is_white = name == "font" && value("color").is_some_and(|color| is_white(&plain_style(color)));
        let is_unread = value("aria-hidden") == Some("true");
        let is_hidden =
            is_shut || is_unread || has("hidden") || has("popover") || by_sheet || is_white || hides(&style);
        Element {
            effect: effect(name, &marks, &style, is_hidden),
            begins_old_letter: begins_old_letter(name, &marks, &style),
            is_block: is_block(name),
            is_void: is_void(name),
            is_special: is_special(name),
            is_scope: is_scope(name),
            name: name.to_owned(),
        }
    }

    /// Whether it is closed when an element around it is closed.
    pub(super) fn ends_with_the_outer(&self) -> bool {
        let has_no_own_end =
            matches!(self.name.as_str(), "option" | "rt" | "rp" | "p" | "li" | "td" | "th" | "tr" | "dt" | "dd");
        has_no_own_end || !matches!(self.effect, Effect::Quoted | Effect::Unseen | Effect::Hidden)
    }
}

/// Classes and ids by which mail programs mark what is not the writer's own.
const OLD_TEXT: [&str; 16] = [
    "gmail_quote",
    "gmail_attr",
    "gmail_signature",
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

/// Ids after which everything is the old letter: Outlook does not put the old letter inside the mark.
const OLD_LETTER_BEGINS: [&str; 4] = ["divrplyfwdmsg", "appendonsend", "stopspelling", "mail-editor-reference-message"];

/// `marks` are the attributes, `style` is the style: both in lower case, the style without white space.
fn effect(name: &str, marks: &str, style: &str, is_hidden: bool) -> Effect {
    match name {
        "head" | "style" | "script" | "title" | "s" | "strike" | "del" | "template" | "noscript" => Effect::Unseen,
        // A browser shows their text only if it cannot show them.
        "iframe" | "object" | "noembed" | "noframes" | "audio" | "video" | "canvas" | "datalist" | "rp" => {
            Effect::Unseen
        }
        // A list to choose from, or a drawing: nothing in it belongs to a line of the text.
        "select" | "option" | "button" | "meter" | "progress" | "svg" | "math" => Effect::Unseen,
        // Small print above other words.
        "rt" => Effect::Unseen,
        _ if style.contains("line-through") => Effect::Unseen,
        _ if is_hidden => Effect::Hidden,
        "blockquote" | "cite" => Effect::Quoted,
        // Outlook and GMX: a bar at the left of what is quoted.
        "div" if style.contains("border-left:") && !style.contains("border-left:none") => Effect::Quoted,
        _ if marks.contains("moz-cite-prefix") => Effect::Introduction,
        _ if OLD_TEXT.iter().any(|mark| marks.contains(mark)) => Effect::Quoted,
        "div" if marks.contains("plaintext") => Effect::PerhapsWrapped,
        "textarea" => Effect::Field,
        "pre" | "listing" | "xmp" | "plaintext" => Effect::Preformatted,
        _ => Effect::Plain,
    }
}

fn begins_old_letter(name: &str, marks: &str, style: &str) -> bool {
    let is_marked = OLD_LETTER_BEGINS.iter().any(|mark| marks.contains(mark));
    // Outlook for Windows: the header of the old letter is in a div that only the line above it marks.
    is_marked || (name == "div" && style.contains("border:none;border-top:solid"))
}

/// Whether a style, in lower case and without white space, hides a text or strikes it out.
pub(super) fn hides(style: &str) -> bool {
    const STYLES: [&str; 10] = [
        "display:none",
        "visibility:hidden",
        "visibility:collapse",
        "content-visibility:hidden",
        "mso-hide:all",
        "line-through",
        "clip:rect(",
        "clip-path:",
        "scale(0)",
        "opacity(0)",
    ];
    const SIZES: [&str; 3] = ["height:", "width:", "line-height:"];
    let is_shut = || style.contains("overflow:hidden") && SIZES.iter().any(|name| is_zero(style, name));
    let is_far = || {
        let is_great = |value: &str| value.strip_prefix('-').is_some_and(|value| digits(value, "").len() >= 3);
        let is_moved = ["translate(-", "translatex(-", "translatey(-", "translate3d(-"]
            .iter()
            .any(|name| style.match_indices(name).any(|(at, _)| digits(&style[at + name.len()..], "").len() >= 3));
        is_moved
            || ["text-indent:", "left:", "top:", "margin-left:", "margin-top:", "margin:"]
                .iter()
                .any(|name| values(style, name).any(is_great))
    };
    STYLES.iter().any(|hiding| style.contains(hiding))
        || ["font-size:", "font:", "max-height:", "max-width:", "opacity:", "zoom:"]
            .iter()
            .any(|name| is_zero(style, name))
        || is_tiny(style)
        || ["color:", "-webkit-text-fill-color:"]
            .iter()
            .flat_map(|name| values(style, name))
            .any(|value| value.starts_with("transparent") || (is_white(value) && !has_dark_ground(style)))
        || is_shut()
        || is_far()
}

/// Whether a style gives the text a background on which white can be read.
fn has_dark_ground(style: &str) -> bool {
    let is_bare = |value: &str| {
        is_white(value)
            || ["none", "transparent", "inherit", "initial", "unset"].iter().any(|bare| value.starts_with(bare))
    };
    let grounds = ["background:", "background-color:", "background-image:"];
    grounds.iter().any(|name| values(style, name).any(|value| !is_bare(value)))
}

/// Whether a colour is so near to that of the page that nobody sees it.
fn is_white(color: &str) -> bool {
    let value = color.split([';', '!', '}']).next().unwrap_or(color);
    if let Some(hex) = value.strip_prefix('#') {
        let length = hex.bytes().take_while(u8::is_ascii_hexdigit).count();
        let figures = if length < 6 { 1 } else { 2 };
        let of_three = hex.as_bytes().chunks(figures).take(3);
        return length >= 3 && of_three.into_iter().all(|part| part[0] == b'f');
    }
    if let Some(inside) = value.strip_prefix("rgb(").or_else(|| value.strip_prefix("rgba(")) {
        let mut parts = inside.trim_end_matches(')').split(',');
        let is_full = |part: &str| part.parse().is_ok_and(|full: u32| full >= 240) || part == "100%";
        let has_full = parts.by_ref().take(3).filter(|part| is_full(part)).count() == 3;
        return has_full || parts.next().is_some_and(|alpha| digits(alpha, ".").parse() == Ok(0.0));
    }
    if let Some(inside) = value.strip_prefix("hsl(").or_else(|| value.strip_prefix("hsla(")) {
        // The third part is the lightness.
        return inside
            .split(',')
            .nth(2)
            .is_some_and(|light| digits(light, ".").parse().is_ok_and(|light: f64| light >= 95.0));
    }
    matches!(value, "white" | "snow" | "ivory" | "ghostwhite" | "window" | "canvas")
}

/// A style as a browser reads it: without comments and white space, escapes undone (CSS Syntax 3, 4.3.7), in lower
/// case.
pub(super) fn plain_style(written: &str) -> String {
    let mut plain = String::with_capacity(written.len());
    let mut rest = written;
    while let Some(c) = rest.chars().next() {
        let behind = &rest[c.len_utf8()..];
        rest = match c {
            '/' if behind.starts_with('*') => behind[1..].split_once("*/").map_or("", |(_, behind)| behind),
            '\\' => {
                let (escaped, behind) = escaped(behind);
                plain.extend(escaped);
                behind
            }
            c if c.is_whitespace() => behind,
            c => {
                plain.extend(c.to_lowercase());
                behind
            }
        };
    }
    plain
}

/// The character that a backslash escapes: given by its number, or the next one.
fn escaped(behind: &str) -> (Option<char>, &str) {
    let length = behind.bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
    let (digits, rest) = behind.split_at(length);
    match (u32::from_str_radix(digits, 16), behind.chars().next()) {
        (Ok(number), _) => {
            let rest = rest.strip_prefix(|c: char| c.is_ascii_whitespace()).unwrap_or(rest);
            (char::from_u32(number).map(|c| c.to_ascii_lowercase()), rest)
        }
        (Err(_), next) => (next.map(|c| c.to_ascii_lowercase()), next.map_or("", |c| &behind[c.len_utf8()..])),
    }
}

/// All values of the property of this name in a style; `width:` is not `border-width:`.
fn values<'a>(style: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    let places = style.match_indices(name).map(|(at, _)| style.split_at(at));
    let is_whole = |before: &str| !before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '-');
    places.filter(move |(before, _)| is_whole(before)).map(|(_, found)| &found[name.len()..])
}

/// The number at the start of a value; `point` holds the characters allowed in it besides digits.
fn digits<'a>(value: &'a str, point: &str) -> &'a str {
    &value[..value.len() - value.trim_start_matches(|c: char| c.is_ascii_digit() || point.contains(c)).len()]
}

/// Whether letters are so small, or so pale, that nobody reads them.
fn is_tiny(style: &str) -> bool {
    let number = |value: &str| digits(value, ".").parse::<f64>().ok();
    let is_below = |name: &'static str, least: f64, unit: &'static str| {
        values(style, name).any(|value| {
            let is_of_unit = value[digits(value, ".").len()..].starts_with(unit);
            is_of_unit && number(value).is_some_and(|number| number < least)
        })
    };
    is_below("opacity:", 0.1, "")
        || ["px", "pt"].iter().any(|unit| is_below("font-size:", 3.0, unit))
        || (style.contains("overflow:hidden")
            && ["height:", "max-height:"].iter().any(|name| is_below(name, 3.0, "px")))
}

/// Whether the property of this name is zero in a style, in any unit.
fn is_zero(style: &str, name: &str) -> bool {
    let mut numbers = values(style, name).map(|value| digits(value, "."));
    numbers.any(|number| number.contains('0') && number.bytes().all(|byte| matches!(byte, b'0' | b'.')))
}

/// Elements that browsers set as blocks.
pub(super) fn is_block(name: &str) -> bool {
    closes_paragraph(name)
        || matches!(name, "tr" | "table" | "tbody" | "thead" | "tfoot" | "caption" | "body" | "legend" | "option")
}

/// The HTML standard, 13.2.6.4.7: elements whose start tags close an open paragraph, and whose end tags close
/// likewise.
#[rustfmt::skip]
pub(super) fn closes_paragraph(name: &str) -> bool {
    matches!(
        name,
        "address" | "article" | "aside" | "blockquote" | "center" | "details" | "dialog" | "dir" | "div" | "dl"
        | "fieldset" | "figcaption" | "figure" | "footer" | "header" | "hgroup" | "main" | "menu" | "nav" | "ol" | "p"
        | "search" | "section" | "summary" | "ul" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "pre" | "listing"
        | "form" | "plaintext" | "hr" | "xmp" | "li" | "dd" | "dt"
    )
}

/// 13.1.2, with the obsolete ones that 13.2.6 keeps.
#[rustfmt::skip]
fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area" | "base" | "basefont" | "bgsound" | "br" | "col" | "embed" | "frame" | "hr" | "image" | "img" | "input"
        | "keygen" | "link" | "meta" | "param" | "source" | "track" | "wbr"
    )
}

/// 13.2.4.2, the category *special*.
#[rustfmt::skip]
fn is_special(name: &str) -> bool {
    closes_paragraph(name) || is_void(name) || is_scope(name) || is_table(name)
        || matches!(
            name,
            "body" | "button" | "colgroup" | "frameset" | "head" | "iframe" | "noembed" | "noframes" | "noscript"
            | "script" | "select" | "style" | "textarea" | "title"
        )
}

/// 13.2.4.2, *in scope*: elements past which an end tag does not reach.
fn is_scope(name: &str) -> bool {
    matches!(name, "applet" | "caption" | "html" | "table" | "td" | "th" | "marquee" | "object" | "template")
}

/// The parts of a table.
pub(super) fn is_table(name: &str) -> bool {
    matches!(name, "table" | "tbody" | "thead" | "tfoot" | "tr" | "td" | "th" | "caption")
}

/// 13.2.4.3: elements that a browser opens again after it has closed a block around them.
#[rustfmt::skip]
pub(super) fn is_formatting(name: &str) -> bool {
    matches!(
        name,
        "a" | "b" | "big" | "code" | "em" | "font" | "i" | "nobr" | "s" | "small" | "strike" | "strong" | "tt" | "u"
    )
}

/// 13.2.6.4.4: the elements of the head of a page; anything else begins its body.
pub(super) fn is_of_head(name: &str) -> bool {
    let is_raw = matches!(name, "noframes" | "noscript" | "script" | "style" | "template" | "title");
    is_raw || matches!(name, "head" | "html" | "base" | "basefont" | "bgsound" | "link" | "meta")
}

/// 13.2.6.5: what ends a drawing or a formula that was left open.
#[rustfmt::skip]
pub(super) fn breaks_out(name: &str) -> bool {
    matches!(
        name,
        "b" | "big" | "blockquote" | "body" | "br" | "center" | "code" | "dd" | "div" | "dl" | "dt" | "em" | "embed"
        | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "head" | "hr" | "i" | "img" | "li" | "listing" | "menu" | "meta"
        | "nobr" | "ol" | "p" | "pre" | "ruby" | "s" | "small" | "span" | "strong" | "strike" | "sub" | "sup"
        | "table" | "tt" | "u" | "ul" | "var"
    )
}

/// 13.2.6: the elements inside a drawing or a formula that hold HTML.
pub(super) fn holds_html(name: &str) -> bool {
    matches!(name, "foreignobject" | "desc" | "title" | "mi" | "mo" | "mn" | "ms" | "mtext" | "annotation-xml")
}
