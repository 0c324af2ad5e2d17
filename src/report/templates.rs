/*! The templates, embedded in the program: a frame for every kind of text, and for each title its own parts.

A title's parts are found by its id: `risk/table.txt`. Undefined names are errors. Plain text is not escaped, since what
comes from outside has been made safe to print before (`ruly`); in a page for a browser everything is escaped.
*/

use crate::{columns, filters, markup};
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde::Serialize;
use serde_json::Value;
use std::error::Error;
use std::sync::LazyLock;

macro_rules! embedded {
    ($($name:literal),* $(,)?) => {
        /// Every template, by name.
        const SOURCES: &[(&str, &str)] = &[$(($name, include_str!(concat!("../../templates/", $name)))),*];
    };
}

embedded!(
    "form.txt",
    "letter.txt",
    "head.txt",
    "told.txt",
    "records.txt",
    "letter.html",
    "cards.txt",
    "page.html",
    "offers.txt",
    "offers.html",
    "reply.txt",
    "news.txt",
    "question.txt",
    "deadline.txt",
    "orders.txt",
    "plans.txt",
    "trial.txt",
    "openings.txt",
    "show.txt",
    "table.txt",
    "turn.txt",
    "menu.txt",
    "result.txt",
    "heading.txt",
    "help.txt",
    "chronicle.txt",
    "why.txt",
    "signing.txt",
    "topic.txt",
    "status.txt",
    "map.txt",
    "history.txt",
    "press.txt",
    "confirm.txt",
    "send-back.txt",
    "guest.txt",
    "leave.txt",
    "fingerprint.txt",
    "checkpoint.txt",
    "checking.txt",
    "receipt.txt",
    "astray.txt",
    "restored.txt",
    "unknown.txt",
    "address.txt",
    "notice.txt",
    "alert.txt",
    "window/table.txt",
    "window/head.html",
    "window/game.html",
    "window/index.html",
    "doctor.txt",
    "closing.txt",
    "whole-game.txt",
    "card.txt",
    "rule.txt",
    "rules.txt",
    "rulebook.txt",
    "rulebook.html",
    "page/page.html",
    "check/check.html",
    "print.html",
    "risk/table.txt",
    "risk/table.html",
    "risk/print.html",
    "risk/cell.txt",
    "risk/brief.txt",
    "risk/brief.html",
    "risk/row.html",
    "risk/held.txt",
    "risk/events.txt",
    "risk/standing.txt",
    "risk/hand.txt",
    "risk/sheet.txt",
    "risk/help.txt",
    "wotr/table.txt",
    "wotr/table.html",
    "wotr/print.html",
    "wotr/brief.txt",
    "wotr/brief.html",
    "wotr/company.txt",
    "wotr/who.txt",
    "wotr/battle.txt",
    "wotr/standing.txt",
    "wotr/hand.txt",
    "wotr/sheet.txt",
    "wotr/help.txt",
);

/// For plain text, and for pages that are not letters.
static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(|| environment(Medium::Text));

/// For letters as pages: the parts that they share with the text are set for a browser.
static PAGES: LazyLock<Environment<'static>> = LazyLock::new(|| environment(Medium::Html));

#[derive(Clone, Copy, PartialEq, Eq)]
enum Medium {
    Text,
    Html,
}

fn environment(medium: Medium) -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(move |name| {
        if medium == Medium::Html || name.ends_with(".html") { AutoEscape::Html } else { AutoEscape::None }
    });
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.set_keep_trailing_newline(true);
    filters::add_to(&mut environment);
    if medium == Medium::Html {
        markup::add_to(&mut environment);
    }
    environment.add_global("medium", if medium == Medium::Html { "html" } else { "txt" });
    for (name, source) in SOURCES {
        environment.add_template(name, source).unwrap_or_else(|error| panic!("{}", told(&error)));
    }
    environment
}

/// What a template is given: plain data, every text in it ruly.
pub fn context(of: &impl Serialize) -> Value {
    let mut value = serde_json::to_value(of).expect("what is printed is plain data");
    make_ruly(&mut value);
    value
}

/// The page that a template makes of a context.
///
/// # Panics
/// If the template asks for something that the context lacks: a mistake of the program, not of its users.
pub fn page(template: &str, context: &Value) -> String {
    rendered(&ENVIRONMENT, template, context)
}

/// The same for a letter in HTML: the parts that it shares with the text are set for a browser.
pub fn html(template: &str, context: &Value) -> String {
    rendered(&PAGES, template, context)
}

/// The same, but to the byte as the template has it, for a page with a script: the page holds the hash of its script.
pub fn exact(template: &str, context: &Value) -> String {
    filled(&ENVIRONMENT, template, context)
}

fn rendered(environment: &Environment<'_>, template: &str, context: &Value) -> String {
    columns::page(&filled(environment, template, context))
}

fn filled(environment: &Environment<'_>, template: &str, context: &Value) -> String {
    let template = environment.get_template(template).expect("the template is embedded");
    template.render(context).unwrap_or_else(|error| panic!("{}", told(&error)))
}

fn make_ruly(value: &mut Value) {
    match value {
        Value::String(text) => {
            if text.chars().any(|c| !(' '..='~').contains(&c)) {
                *text = columns::ruly(text);
            }
        }
        Value::Array(values) => values.iter_mut().for_each(make_ruly),
        Value::Object(values) => values.values_mut().for_each(make_ruly),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// An error of a template with all its causes, on one line.
fn told(error: &minijinja::Error) -> String {
    let mut words = format!("template {}: {error}", error.name().unwrap_or("?"));
    let mut cause: Option<&dyn Error> = error.source();
    while let Some(because) = cause {
        words.push_str(&format!("; because {because}"));
        cause = because.source();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts that the frames take from a title.
    const PARTS: [&str; 6] = ["table", "brief", "standing", "hand", "sheet", "help"];

    #[test]
    fn every_title_has_its_parts() {
        for title in [&risk::title::TITLE, &wotr::title::TITLE] {
            for part in PARTS {
                let name = format!("{}/{part}.txt", title.id);
                assert!(ENVIRONMENT.get_template(&name).is_ok(), "{name} is missing");
            }
        }
    }

    #[test]
    fn templates_are_narrow_and_hold_no_tabs() {
        for (name, source) in SOURCES {
            assert!(!source.contains('\t'), "{name} has a tab");
            for line in source.lines() {
                assert!(columns::width(line) <= 120, "{name}: {line}");
            }
        }
    }
}
