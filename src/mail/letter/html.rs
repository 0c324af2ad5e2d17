/*! HTML to lines, deterministically (P2), for letters without plain text.

Tags, attributes and characters are those that a browser finds ([`html_tokens`](super::html_tokens)), and an end tag
closes what it closes in a browser; but this is not a browser. Block elements break lines, and white space collapses.
What a mail program marks as quoted, hidden or struck out ([`html_element`](super::html_element)) counts as quoted or
is left out, so that it cannot play. Of style sheets we apply only what hides ([`html_sheet`](super::html_sheet)).
*/

use super::flowed::{self, Breaks, Line, Standing};
use super::html_element::{self as kind, EFFECTS, Effect, Element};
use super::html_sheet::Sheet;
use super::html_tokens;
use ground::effort;
use std::collections::BTreeMap;
use std::rc::Rc;

/// After an element nested deeper than this, everything counts as quoted: no mail program nests so deep in good
/// faith, and browsers differ there.
const DEPTH_MAX: usize = 512;

/// What a browser shows of an HTML part, and what it does not.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Shown {
    /// Quoted regions have depth 1 or more.
    pub lines: Vec<Line>,
    /// The text that is hidden or struck out, piece by piece, each ended by a line break.
    pub hidden: String,
}

/// Converts one HTML part to lines.
pub fn lines(html: &str) -> Vec<Line> {
    shown(html).lines
}

/// Converts one HTML part.
pub fn shown(html: &str) -> Shown {
    let mut page = Page { sheet: Sheet::of(html), ..Page::default() };
    html_tokens::lay(html, &mut page);
    page.break_if_begun();
    Shown { lines: page.lines, hidden: page.hidden }
}

/// An element that has not been closed yet.
struct Open {
    element: Rc<Element>,
    /// Part of a drawing or a formula (SVG, MathML), for which other rules hold.
    is_foreign: bool,
}

#[derive(Default)]
pub(super) struct Page {
    lines: Vec<Line>,
    line: String,
    /// Standing of the line that is being put together.
    standing: Standing,
    hidden: String,
    /// Inside something that only certain programs show: `<![if false]>`.
    is_for_others: bool,
    /// What the style sheets of the page hide.
    sheet: Sheet,
    open: Vec<Open>,
    /// How many open elements have each effect: otherwise every word would need a search.
    counts: [usize; EFFECTS],
    /// The tags read so far: a mail program repeats a few tags, and each is read once.
    known: BTreeMap<String, Rc<Element>>,
    /// Everything that follows is an old letter: Outlook marks only where it begins.
    old_letter_begun: bool,
    /// A line break at the beginning of a `<pre>` is not shown.
    skips_line_break: bool,
    /// Whether the tag ends with `/>`, which counts only in drawings and formulas.
    pub(super) is_self_closing: bool,
}

impl Page {
    fn depth(&self) -> usize {
        self.counts[Effect::Quoted as usize] + usize::from(self.old_letter_begun)
    }

    fn is_in(&self, wanted: Effect) -> bool {
        self.counts[wanted as usize] > 0
    }

    /// Whether the innermost element is part of a drawing or a formula.
    pub(super) fn is_foreign(&self) -> bool {
        self.open.last().is_some_and(|open| open.is_foreign)
    }

    fn break_line(&mut self) {
        let number = self.lines.len() + 1;
        let line = std::mem::take(&mut self.line);
        let line = line.trim_end_matches(' ');
        let width = line.chars().count();
        // P6: plain text that was converted to HTML keeps its signs of quotation.
        let (marks, text) = flowed::fixed_depth(line);
        // In every language of Thunderbird its introduction ends so.
        let is_introduction = self.is_in(Effect::Introduction) && text.ends_with([':', '：']);
        let depth = self.depth() + marks + usize::from(is_introduction);
        let text = text.to_owned();
        let is_uncertain = self.is_preformatted() || self.is_in(Effect::PerhapsWrapped);
        let breaks = if is_uncertain { Breaks::Uncertain } else { Breaks::Meant };
        let standing = std::mem::take(&mut self.standing);
        self.lines.push(Line { number, last: number, depth, text, breaks, standing, width });
    }

    fn is_preformatted(&self) -> bool {
        self.is_in(Effect::Preformatted) || self.is_in(Effect::Field)
    }

    /// Begins or ends a part for certain programs only, by the text of a comment.
    pub(super) fn comment(&mut self, comment: &str) {
        let comment = comment.trim();
        let is_condition = comment.starts_with("[if ") && comment.ends_with(']') && !comment.contains('>');
        // So Word hides the numbers of its lists from programs that number by themselves.
        self.is_for_others |= is_condition && !comment.starts_with("[if !");
        self.is_for_others &= !comment.starts_with("[endif]");
    }

    fn break_if_begun(&mut self) {
        if !self.line.trim().is_empty() {
            self.break_line();
        }
        self.line.clear();
        self.standing = Standing::Text;
    }

    /// Adds text; its characters are as a browser shows them.
    pub(super) fn text(&mut self, text: &str) {
        let text =
            if std::mem::take(&mut self.skips_line_break) { text.strip_prefix('\n').unwrap_or(text) } else { text };
        let is_blank = text.trim_matches(is_white).is_empty();
        if !is_blank && self.innermost("head") {
            self.pop_to(self.open.len() - 1);
        }
        if self.is_in(Effect::Unseen) || self.is_in(Effect::Hidden) || self.is_for_others {
            self.hidden.push_str(text);
            self.hidden.push('\n');
            let is_concealed = !self.is_in(Effect::Unseen) && text.contains(char::is_alphanumeric);
            self.standing = if is_concealed { Standing::Torn } else { self.standing };
            return;
        }
        if self.is_in(Effect::Field) {
            self.standing = Standing::Field;
        }
        if self.is_preformatted() {
            for (index, piece) in text.split('\n').enumerate() {
                if index > 0 {
                    self.break_line();
                }
                self.words(piece);
            }
            return;
        }
        self.words(text);
    }

    /// Adds running text, white space collapsed to one space. The standard, 13.2.6.4.7: NUL is left out.
    fn words(&mut self, text: &str) {
        for (index, word) in text.split(is_white).enumerate() {
            if index > 0 && !self.line.is_empty() && !self.line.ends_with(' ') {
                self.line.push(' ');
            }
            self.line.extend(word.split('\0'));
        }
    }

    /// Adds a start tag, written as [`Element::of`] reads it.
    pub(super) fn open(&mut self, tag: &str) {
        let element = match self.known.get(tag) {
            Some(known) => Rc::clone(known),
            None => {
                let new = Rc::new(Element::of(tag, &self.sheet));
                self.known.insert(tag.to_owned(), Rc::clone(&new));
                new
            }
        };
        let is_self_closing = std::mem::take(&mut self.is_self_closing);
        self.skips_line_break = matches!(element.name.as_str(), "pre" | "listing" | "textarea");
        let is_foreign = self.begins_foreign(&element.name);
        if !is_foreign {
            self.end_implied(&element.name);
        }
        if element.is_block || element.effect == Effect::Quoted {
            self.break_if_begun();
        }
        self.old_letter_begun |= element.begins_old_letter;
        match element.name.as_str() {
            "br" => self.break_line(),
            "hr" => {
                // A rule across the page ends what the writer says; the code for quoting looks for this line.
                self.line.push_str("________________________________");
                self.break_line();
            }
            "td" | "th" => self.words(" "),
            // Browsers set quotation marks around an inline quotation.
            "q" => self.words("\""),
            _ => {}
        }
        let is_empty = if is_foreign { is_self_closing } else { element.is_void };
        if is_empty {
            return;
        }
        if self.open.len() == DEPTH_MAX {
            self.break_if_begun();
            self.old_letter_begun = true;
            return;
        }
        self.counts[element.effect as usize] += 1;
        self.open.push(Open { element, is_foreign });
    }

    /// Adds an end tag.
    pub(super) fn close(&mut self, name: &str) {
        match name {
            // 13.2.6.4.7: read as `<br>`.
            "br" => return self.break_line(),
            // 13.2.6.4.19: what follows continues the body.
            "body" | "html" => return self.break_if_begun(),
            _ => {}
        }
        let position = self.position_of(name);
        let is_formatting = kind::is_formatting(name);
        let position = position.filter(|position| is_formatting || self.may_end(*position));
        let was_quoted = position.is_some_and(|position| self.open[position].element.effect == Effect::Quoted);
        if kind::is_block(name) || was_quoted {
            self.break_if_begun();
        }
        if name == "q" && position.is_some() {
            self.words("\"");
        }
        match position {
            // 13.2.6.4.7, the adoption agency algorithm: blocks inside stay open. In doubt, we keep everything else
            // open, too.
            Some(position) if is_formatting => {
                let closed = self.open.remove(position);
                self.counts[closed.element.effect as usize] -= 1;
            }
            Some(position) => self.pop_to(position),
            None => {}
        }
    }

    /// Which open element an end tag closes: how far it reaches depends on its kind (13.2.4.2, 13.2.6.4.7).
    fn position_of(&self, name: &str) -> Option<usize> {
        let is_heading = |name: &str| matches!(name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6");
        let is_meant = |found: &str| found == name || (is_heading(found) && is_heading(name));
        let is_table = kind::is_table(name);
        let reaches_far = kind::closes_paragraph(name) || kind::is_formatting(name) || is_other_block(name);
        for (position, open) in self.open.iter().enumerate().rev() {
            let found = &open.element;
            if is_meant(&found.name) {
                return Some(position);
            }
            let is_end = match (is_table, reaches_far) {
                (true, _) => matches!(found.name.as_str(), "table" | "template" | "html"),
                (false, true) => found.is_scope,
                (false, false) => found.is_special,
            };
            if is_end && !open.is_foreign {
                return None;
            }
        }
        None
    }

    /// A misplaced end tag never ends text that is not the writer's own: in doubt, that text goes on.
    fn may_end(&self, position: usize) -> bool {
        self.open[position + 1..].iter().all(|inner| inner.element.ends_with_the_outer())
    }

    fn pop_to(&mut self, position: usize) {
        self.open.drain(position..).for_each(|closed| self.counts[closed.element.effect as usize] -= 1);
    }

    fn innermost(&self, name: &str) -> bool {
        self.open.last().is_some_and(|open| open.element.name == name)
    }

    /// Whether a start tag is part of a drawing or a formula; a tag that cannot be part of one ends it.
    fn begins_foreign(&mut self, name: &str) -> bool {
        let is_html = |open: &Open| !open.is_foreign || kind::holds_html(&open.element.name);
        if self.open.last().is_none_or(is_html) {
            return matches!(name, "svg" | "math");
        }
        if !kind::breaks_out(name) {
            return true;
        }
        let position = self.open.iter().rposition(is_html).map_or(0, |position| position + 1);
        self.pop_to(position);
        false
    }

    /// Closes the elements that a start tag closes implicitly.
    fn end_implied(&mut self, name: &str) {
        if self.innermost("head") && !kind::is_of_head(name) {
            self.pop_to(self.open.len() - 1);
        }
        let ended: &[&str] = match name {
            "li" => &["li"],
            "dd" | "dt" => &["dd", "dt"],
            "td" | "th" => &["td", "th"],
            "tr" => &["tr"],
            _ => &[],
        };
        if let Some(position) = self.nearest(ended, |open| match name {
            "td" | "th" | "tr" => matches!(open.element.name.as_str(), "table" | "template"),
            _ => open.element.is_special && !matches!(open.element.name.as_str(), "address" | "div" | "p"),
        }) {
            self.pop_to(position);
        }
        if kind::closes_paragraph(name)
            && let Some(position) = self.nearest(&["p"], |open| open.element.is_scope || open.element.name == "button")
        {
            self.pop_to(position);
        }
    }

    /// The innermost open element with one of these names; `None` if an element inside it keeps it open.
    fn nearest(&self, names: &[&str], keeps: impl Fn(&Open) -> bool) -> Option<usize> {
        if names.is_empty() {
            return None;
        }
        effort::step(self.open.len());
        let is_meant = |open: &Open| names.contains(&open.element.name.as_str());
        let position = self.open.iter().rposition(|open| is_meant(open) || keeps(open))?;
        Some(position).filter(|position| is_meant(&self.open[*position]) && self.may_end(*position))
    }
}

/// White space as HTML defines it: not the no-break space.
fn is_white(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0c')
}

/// Elements that close no paragraph, but whose end tags reach as far as those of blocks.
fn is_other_block(name: &str) -> bool {
    matches!(name, "button" | "applet" | "marquee" | "object" | "select")
}

#[cfg(test)]
#[path = "html_tests.rs"]
mod tests;
