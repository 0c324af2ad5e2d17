/*! Style sheets, as far as they hide text: the rules of `<style>` whose declarations hide an element.

Only the last part of a selector counts, wherever the rule is, also inside `@media`: so we hide more than a browser
does, and never less.
*/

use super::html_element::{hides, plain_style};
use std::collections::BTreeSet;

/// What the style sheets of a page hide.
#[derive(Default)]
pub(super) struct Sheet {
    classes: BTreeSet<String>,
    ids: BTreeSet<String>,
    names: BTreeSet<String>,
}

impl Sheet {
    /// Reads every style sheet of a page.
    pub(super) fn of(html: &str) -> Sheet {
        let mut sheet = Sheet::default();
        let lower = html.to_ascii_lowercase();
        let mut rest = lower.as_str();
        while let Some((_, behind)) = rest.split_once("<style") {
            let inside = behind.split_once('>').map_or("", |(_, inside)| inside);
            let (rules, behind) = inside.split_once("</style").unwrap_or((inside, ""));
            sheet.take(&without_comments(rules));
            rest = behind;
        }
        sheet
    }

    fn take(&mut self, rules: &str) {
        for rule in rules.split('}') {
            // In `@media … { .x { …` the declarations begin after the last brace.
            let Some((selectors, declarations)) = rule.rsplit_once('{') else { continue };
            if !hides(&plain_style(declarations)) {
                continue;
            }
            let selectors = selectors.rsplit(['{', ';']).next().unwrap_or(selectors);
            for selector in selectors.split(',') {
                self.note(selector.trim());
            }
        }
    }

    /// Notes the last part of a selector: `div.quote > .old:first-child` is `.old`.
    fn note(&mut self, selector: &str) {
        let last = selector.rsplit([' ', '>', '+', '~']).next().unwrap_or(selector);
        let last = last.split([':', '[']).next().unwrap_or(last);
        let name_end = last.find(['.', '#']).unwrap_or(last.len());
        let (name, marks) = last.split_at(name_end);
        if marks.is_empty() {
            // `*` hides everything, and so does an attribute alone.
            self.names.insert(if name.is_empty() { "*" } else { name }.to_owned());
        }
        let mut rest = marks;
        while let Some(mark) = rest.chars().next() {
            let behind = &rest[1..];
            let end = behind.find(['.', '#']).unwrap_or(behind.len());
            let into = if mark == '#' { &mut self.ids } else { &mut self.classes };
            into.insert(behind[..end].to_owned());
            rest = &behind[end..];
        }
    }

    /// Whether an element of this name, with these classes and this id, is hidden.
    pub(super) fn hides(&self, name: &str, classes: &str, id: &str) -> bool {
        if self.names.is_empty() && self.classes.is_empty() && self.ids.is_empty() {
            return false;
        }
        self.names.contains(name)
            || self.names.contains("*")
            || self.ids.contains(&id.to_ascii_lowercase())
            || classes.split_whitespace().any(|class| self.classes.contains(&class.to_ascii_lowercase()))
    }
}

fn without_comments(rules: &str) -> String {
    let mut kept = String::with_capacity(rules.len());
    let mut rest = rules;
    while let Some((before, behind)) = rest.split_once("/*") {
        kept.push_str(before);
        rest = behind.split_once("*/").map_or("", |(_, behind)| behind);
    }
    kept.push_str(rest);
    kept.replace("<!--", " ").replace("-->", " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_that_hide_are_found() {
        let sheet = Sheet::of(
            "<STYLE type=\"text/css\"><!-- p { margin: 0 } /* .no { display: none } */ .Old, div > .gone:hover \
             { display: no\\6e e }\n\
             @media screen { #x { color: #FFF } } del{text-decoration:line-through} --></STYLE><p class=old>",
        );
        assert!(sheet.hides("p", "a OLD b", "") && sheet.hides("p", "gone", "") && sheet.hides("p", "", "X"));
        assert!(sheet.hides("del", "", "") && !sheet.hides("p", "no", "y"));
    }
}
